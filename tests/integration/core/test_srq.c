// SPDX-License-Identifier: Apache-2.0
/*
 * Shared receive queues on the whole NIC (check 65): traffic of two QPs, the limit, no slots,
 * datagrams, a ring that tells lies.  QPs that end: test_srq_ends.c.
 */
#include "srq.h"

#include <string.h>

/* ---------------------------------------------------------------- traffic, limit, no slots */

static void two_qps(void **state)
{
	struct srq_scene s = srq_begin(CAIRN_QP_TYPE_RC, 4000, NULL);

	(void)state;
	for (unsigned int round = 0; round < 6; round++) {
		srq_give(&s, (unsigned int)rng_below(&s.r->rng, SRQ_SLOTS + 1));
		for (unsigned int i = 0; i < 8; i++)
			srq_send(&s, &s.lane[i % SRQ_LANES], 2);
		srq_finish(&s, round % 2 ? 2 : SRQ_SLOTS);
		rdma_assert(s.r, srq_left(&s) == srq_outside(&s));
	}
	rdma_assert(s.r, s.arrived == 6 * 16);
	srq_end(&s);
}

static unsigned int limits(struct srq_scene *s)
{
	srq_step(s, 20000); /* time enough for one too many */
	return srq_events(s, CAIRN_EQE_TYPE_SRQ_LIMIT, s->srq->srqn);
}

static void arm(struct srq_scene *s, unsigned int limit)
{
	rdma_ok(s->r, cairn_modify_srq(s->srq, limit), "limit");
}

/* Messages into what is there. */
static void consume(struct srq_scene *s, unsigned int n)
{
	for (; n; n--)
		srq_send(s, &s->lane[n % SRQ_LANES], 1);
	srq_finish(s, 0);
}

/* One event an arm, not before it is due and not again. */
static void limit_once(void **state)
{
	struct srq_scene s = srq_begin(CAIRN_QP_TYPE_RC, 4000, NULL);
	unsigned int limit, n;

	(void)state;
	srq_give(&s, SRQ_SLOTS);
	arm(&s, 5);
	consume(&s, SRQ_SLOTS - 5);
	rdma_assert(s.r, !limits(&s)); /* five are not fewer than five */
	consume(&s, 1);
	rdma_assert(s.r, limits(&s) == 1);
	rdma_ok(s.r, cairn_query_srq(s.srq, &limit, &n), "SRQ query");
	rdma_assert(s.r, !limit && n == 4);
	consume(&s, 4);
	srq_give(&s, SRQ_SLOTS); /* over the limit and under it again, not armed */
	consume(&s, SRQ_SLOTS - 2);
	rdma_assert(s.r, limits(&s) == 1);
	arm(&s, 3); /* two are left: at once */
	rdma_assert(s.r, limits(&s) == 2);
	srq_give(&s, SRQ_SLOTS);
	arm(&s, SRQ_SLOTS);
	rdma_assert(s.r, limits(&s) == 2);
	arm(&s, 0);
	consume(&s, SRQ_SLOTS);
	rdma_assert(s.r, limits(&s) == 2);
	srq_end(&s);
}

/* RNR, and what waited goes on with the slots that come, one after the other. */
static void no_slots(void **state)
{
	struct srq_scene s = srq_begin(CAIRN_QP_TYPE_RC, 4000, NULL);

	(void)state;
	for (unsigned int i = 0; i < SRQ_LANES; i++)
		srq_send(&s, &s.lane[i], 4);
	srq_step(&s, 6000);
	rdma_assert(s.r, !s.arrived && srq_busy(&s));
	for (unsigned int i = 0; i < SRQ_LANES; i++)
		rdma_assert(s.r, rdma_qp_counter(s.lane[i].rx, CAIRN_COUNTER_RNR_NAK_SENT) > 0);
	for (unsigned int i = 1; i <= 4 * SRQ_LANES; i++) {
		srq_give(&s, 1);
		for (unsigned int k = 0; k < 400 && s.arrived < i; k++)
			srq_step(&s, 100);
		rdma_assert(s.r, s.arrived == i && !srq_left(&s));
	}
	srq_finish(&s, 0);
	srq_end(&s);
}

/* ---------------------------------------------------------------- datagrams, a bad ring */

/*
 * A UD QP and an RC QP on one SRQ.  A datagram that finds no slot is lost; one that does not fit
 * gives its slot back, and the next message has it.
 */
static void datagrams(void **state)
{
	struct srq_scene s = srq_begin(CAIRN_QP_TYPE_UD, 600, NULL);
	struct srq_lane *ud = &s.lane[0];
	uint32_t slot;

	(void)state;
	for (unsigned int round = 0; round < 4; round++) {
		srq_give(&s, SRQ_SLOTS);
		for (unsigned int i = 0; i < SRQ_SLOTS / 2; i++) {
			srq_send(&s, ud, 1);
			srq_send(&s, &s.lane[1], 1);
		}
		srq_finish(&s, 0);
		rdma_assert(s.r, s.arrived == (round + 1) * SRQ_SLOTS && !srq_left(&s));
	}
	srq_send(&s, ud, 3);
	srq_step(&s, 5000);
	rdma_assert(s.r, rdma_qp_counter(ud->rx, CAIRN_COUNTER_RX_NO_RECV) == 3);
	ud->head = ud->tail;
	srq_give(&s, 5);
	slot = srq_next_slot(&s, 5);
	srq_post(&s, ud, CAIRN_WQE_OP_SEND, 600 - 40 + 1, CAIRN_WC_STATUS_SUCCESS);
	rdma_ring(ud->tx);
	srq_step(&s, 5000);
	rdma_assert(s.r, rdma_qp_counter(ud->rx, CAIRN_COUNTER_RX_UD_DROP) == 1);
	rdma_assert(s.r, srq_left(&s) == 5 && srq_outside(&s) == 5);
	rdma_buf_forget(s.dst, slot * s.slot_len, s.slot_len);
	ud->head = ud->tail;
	srq_send(&s, &s.lane[1], 1);
	srq_finish(&s, 0);
	rdma_assert(s.r, srq_left(&s) == 4 && !s.given[slot]);
	srq_end(&s);
}

/*
 * More slots on the doorbell than the ring has: the SRQ fails, once, and its QPs with the next
 * message; others do not notice.
 */
static void over_posted(void **state)
{
	struct srq_scene s = srq_begin(CAIRN_QP_TYPE_RC, 4000, NULL);
	struct rdma_qp *other = rdma_pair(s.r, 0, 1, NULL);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.src, 0, s.far, 0, 2000);
	uint64_t errors = rdma_counter(s.r, 1, CAIRN_COUNTER_SRQ_ERROR);
	struct srq_lane *l = &s.lane[0];

	(void)state;
	srq_give(&s, SRQ_SLOTS);
	s.srq->pi++;
	cairn_srq_ring(s.srq);
	srq_step(&s, 3000);
	srq_post(&s, l, CAIRN_WQE_OP_SEND, 100, CAIRN_WC_STATUS_REM_OP_ERR);
	rdma_ring(l->tx);
	rdma_do(other, &wr);
	srq_step(&s, 20000);
	rdma_assert(s.r, !rdma_due(s.r) && !s.arrived);
	rdma_assert(s.r, srq_events(&s, CAIRN_EQE_TYPE_SRQ_ERR, s.srq->srqn) == 1);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_SRQ_ERROR) == errors + 1);
	rdma_assert(s.r, rdma_qp_state(l->rx) == CAIRN_QP_STATE_ERR);
	rdma_assert(s.r, srq_events(&s, CAIRN_EQE_TYPE_LAST_WQE_REACHED, l->qpn) == 1);
	rdma_assert(s.r, rdma_qp_state(s.lane[1].rx) == CAIRN_QP_STATE_RTS);
	rdma_do(other, &wr);
	s.r->nic[1].events = 0; /* seen */
	for (unsigned int i = 0; i < SRQ_LANES; i++)
		rdma_assert(s.r, rdma_destroy_qp(s.lane[i].rx) == CAIRN_ANY);
	rdma_ok(s.r, cairn_destroy_srq(s.srq), "SRQ");
	rdma_ok(s.r, cairn_destroy_cq(s.cq), "CQ");
	rdma_end(s.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(two_qps), RDMA_TEST(limit_once),
					    RDMA_TEST(no_slots), RDMA_TEST(datagrams),
					    RDMA_TEST(over_posted) };

	return RDMA_RUN("srq", tests);
}
