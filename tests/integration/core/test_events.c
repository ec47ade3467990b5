// SPDX-License-Identifier: Apache-2.0
/*
 * What firmware makes of what the engines report, at the real NIC: a send queue that drains and
 * goes on, a CQ that overflows and takes its QPs along, a QP in error to which packets still come,
 * one that is ended while it sends.
 */
#include "rdma.h"

static uint32_t events_of(struct rdma *r, unsigned int nic, enum cairn_eqe_type type,
			  uint32_t number)
{
	uint32_t n = 0;

	for (unsigned int i = 0; i < r->nic[nic].events; i++)
		n += r->nic[nic].event[i].type == (uint32_t)type &&
		     r->nic[nic].event[i].number == number;
	return n;
}

/* Until that many such events have come. */
static void wait_events(struct rdma *r, unsigned int nic, enum cairn_eqe_type type, uint32_t number,
			uint32_t want)
{
	for (unsigned int i = 0; i < 400 && events_of(r, nic, type, number) < want; i++) {
		rdma_run(r, 1000);
		rdma_events(r, nic, type);
	}
	rdma_assert(r, events_of(r, nic, type, number) == want);
}

static void to_state(struct rdma_qp *qp, enum cairn_qp_state state, bool notify)
{
	struct cairn_qp_attr attr = { .state = state, .en_sqd_notify = notify };

	rdma_ok(qp->r,
		cairn_modify_qp(qp->qp, &attr,
				CAIRN_QP_MASK_STATE | (notify ? CAIRN_QP_MASK_EN_SQD_NOTIFY : 0)),
		"state");
}

/* Messages that have begun are finished, then the event; what comes later waits for RTS. */
static void drained(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *a = rdma_buf(r, 0, 40000, 5), *b = rdma_buf(r, 1, 40000, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 20000), later;
	struct cairn_qp_attr attr;

	(void)state;
	for (uint32_t round = 1; round <= 2; round++) {
		rdma_post(qp, &wr);
		rdma_ring(qp);
		rdma_run(r, 500);
		to_state(qp, CAIRN_QP_STATE_SQD, true);
		later = rdma_wr(CAIRN_WQE_OP_READ, a, 25000, b, 25000, 5000);
		rdma_post(qp, &later);
		rdma_ring(qp);
		wait_events(r, 0, CAIRN_EQE_TYPE_SQ_DRAINED, qp->qp->qpn, round);
		rdma_ok(r, cairn_query_qp(qp->qp, &attr), "query");
		rdma_assert(r, attr.state == CAIRN_QP_STATE_SQD && !attr.sq_draining);
		rdma_run(r, 20000);
		rdma_assert(r, rdma_due(r) >= 1);
		to_state(qp, CAIRN_QP_STATE_RTS, false);
		rdma_wait(r);
	}
	/* with nothing under way it is drained at once */
	to_state(qp, CAIRN_QP_STATE_SQD, true);
	wait_events(r, 0, CAIRN_EQE_TYPE_SQ_DRAINED, qp->qp->qpn, 3);
	rdma_end(r);
}

/*
 * The last completion finds its CQ full, so far as the device knows, and waits for the consumer's
 * index; the event behind it is in memory no sooner.
 */
static void drained_at_the_brim(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_cq *small = rdma_create_cq(r, 0, 1);
	uint32_t entries = 1u << small->cq->log2, seen = 0;
	struct rdma_buf *a = rdma_buf(r, 0, 64, 5), *b = rdma_buf(r, 1, 64, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 0);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.send_wr = 1024;
	cfg.timeout = 14;
	cfg.send_cq = small;
	qp = rdma_create_qp(r, 0, &cfg);
	cfg.send_cq = NULL;
	rdma_connect(qp, rdma_create_qp(r, 1, &cfg));
	for (unsigned int i = 0; i < entries; i++)
		rdma_post(qp, &wr);
	rdma_ring(qp);
	rdma_run(r, 20000);
	while (cairn_cq_next(small->cq)) {
		cairn_cq_consume(small->cq);
		seen++;
	}
	cairn_cq_update(small->cq); /* in memory: the device looks when it has to */
	rdma_assert(r, seen == entries);
	rdma_rule(r, "delay:2ms nic1>nic0 aeth=ack"); /* longer than the command takes */
	rdma_post(qp, &wr);
	rdma_ring(qp);
	to_state(qp, CAIRN_QP_STATE_SQD, true);
	rdma_assert(r, !cairn_cq_next(small->cq));
	for (unsigned int i = 0; !events_of(r, 0, CAIRN_EQE_TYPE_SQ_DRAINED, qp->qp->qpn); i++) {
		rdma_assert(r, i < 400000);
		rdma_run(r, 2);
		rdma_events(r, 0, CAIRN_EQE_TYPE_SQ_DRAINED);
	}
	rdma_clear_rules(r);
	if (!cairn_cq_next(small->cq))
		rdma_fail(r, "drained, and the last completion is not there");
	cairn_cq_consume(small->cq);
	rdma_ledger_drop(qp);
	rdma_buf_forget(b, 0, 64);
	r->nic[0].events = 0; /* seen */
	rdma_end(r);
}

#define TOO_MANY 700u

static void cq_overflow(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_cq *small = rdma_create_cq(r, 0, 1); /* 512 entries */
	struct rdma_buf *a = rdma_buf(r, 0, 64, 0), *b = rdma_buf(r, 1, 64, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, NULL, 0, b, 0, 0);
	struct rdma_qp *sender, *receiver, *other = rdma_pair(r, 0, 1, NULL);
	struct rdma_qp_cfg cfg;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.send_wr = 1024;
	cfg.send_cq = small;
	sender = rdma_create_qp(r, 0, &cfg);
	cfg.send_cq = NULL;
	rdma_connect(sender, rdma_create_qp(r, 1, &cfg));
	cfg.recv_cq = small;
	receiver = rdma_create_qp(r, 0, &cfg);
	cfg.recv_cq = NULL;
	rdma_connect(receiver, rdma_create_qp(r, 1, &cfg));
	for (unsigned int i = 0; i < TOO_MANY; i++)
		rdma_post(sender, &wr);
	rdma_ring(sender);
	wait_events(r, 0, CAIRN_EQE_TYPE_CQ_ERR, small->cq->cqn, 1);
	wait_events(r, 0, CAIRN_EQE_TYPE_QP_FATAL, sender->qp->qpn, 1);
	wait_events(r, 0, CAIRN_EQE_TYPE_QP_FATAL, receiver->qp->qpn, 1);
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_CQ_OVERFLOW) == 1);
	rdma_assert(r, rdma_qp_state(sender) == CAIRN_QP_STATE_ERR);
	rdma_assert(r, rdma_qp_state(receiver) == CAIRN_QP_STATE_ERR);
	rdma_assert(r, !events_of(r, 0, CAIRN_EQE_TYPE_QP_FATAL, other->qp->qpn));
	rdma_ledger_drop(sender);
	rdma_ledger_drop(receiver);
	while (cairn_cq_next(small->cq))
		cairn_cq_consume(small->cq);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 64);
	rdma_do(other, &wr);
	r->nic[0].events = 0; /* seen */
	rdma_end(r);
}

/* The responder fails; from then on requests to that QP are dropped before it, and counted. */
static void packets_to_a_failed_qp(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *a = rdma_buf(r, 0, 64, 0), *b = rdma_buf(r, 1, 64, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 64);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	uint64_t dropped;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.timeout = 2;
	cfg.retry_cnt = 1;
	qp = rdma_pair(r, 0, 1, &cfg);
	rdma_qp_error(qp->peer);
	rdma_wait(r);
	dropped = rdma_counter(r, 1, CAIRN_COUNTER_RX_QP_STATE);
	wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
	wr.no_data = true;
	rdma_do(qp, &wr);
	dropped = rdma_counter(r, 1, CAIRN_COUNTER_RX_QP_STATE) - dropped;
	if (dropped < 2)
		rdma_fail(r, "%u packets dropped for the state", (unsigned int)dropped);
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(drained), RDMA_TEST(drained_at_the_brim),
					    RDMA_TEST(cq_overflow),
					    RDMA_TEST(packets_to_a_failed_qp) };

	return RDMA_RUN("events", tests);
}
