// SPDX-License-Identifier: Apache-2.0
/*
 * QPs that end in the midst of traffic, by command or by an error: what was posted is left alone
 * afterwards, and no other QP notices.
 */
#include "rdma.h"
#include "sim_priv.h"

#define READS 40u
#define READ_LEN 64u

static unsigned int rounds(unsigned int otherwise)
{
	const char *text = getenv("ROUNDS");

	return text ? (unsigned int)strtoul(text, NULL, 0) : otherwise;
}

/* By error, by destruction, by RESET, which all wait for a fence. */
static void end(struct rdma_qp *qp, struct rdma_cq *cq, unsigned int how)
{

	if (how % 3 == 0) {
		rdma_qp_error(qp);
		rdma_wait(qp->r);
	} else {
		rdma_ledger_drop(qp);
	}
	if (how % 3 == 1)
		rdma_reset_qp(qp);
	rdma_destroy_qp(qp);
	while (cairn_cq_next(cq->cq)) /* of a QP that is not there any more */
		cairn_cq_consume(cq->cq);
}

/*
 * Answers of READs that wait for the one before, when the QP stops: they hold up a fence, and so
 * all that needs one, if they wait for ever.
 */
static void among_reads(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *a = rdma_buf(r, 0, READS * READ_LEN, 0);
	struct rdma_buf *b = rdma_buf(r, 1, READS * READ_LEN, 0);
	struct rdma_buf *c = rdma_buf(r, 0, 4096, 0), *d = rdma_buf(r, 1, 4096, 0);
	struct rdma_wr other = rdma_wr(CAIRN_WQE_OP_WRITE, c, 0, d, 0, 4096);
	struct rdma_qp *beside = rdma_pair(r, 0, 1, NULL);
	struct rdma_cq *cq = rdma_create_cq(r, 0, READS);
	struct rdma_qp_cfg cfg;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	for (unsigned int i = 0; i < rounds(30); i++) {
		struct rdma_qp *qp, *peer;

		cfg.send_cq = cq;
		qp = rdma_create_qp(r, 0, &cfg);
		cfg.send_cq = NULL;
		peer = rdma_create_qp(r, 1, &cfg);
		rdma_connect(qp, peer);
		for (unsigned int k = 0; k < READS; k++) {
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_READ, a, k * READ_LEN, b,
						    k * READ_LEN, READ_LEN);

			wr.no_data = true;
			rdma_post(qp, &wr);
		}
		rdma_ring(qp);
		rdma_run(r, 400 + rng_below(&r->rng, 1500));
		end(qp, cq, i);
		rdma_destroy_qp(peer);
		rdma_do(beside, &other);
	}
	rdma_buf_forget(a, 0, a->len);
	rdma_end(r);
}

#define LONG 60000u /* 15 packets: most of them wait for the ring of payload */

/*
 * A QP ends while its packets wait for their payload. When its work request has flushed, its memory
 * belongs to the program again: none of what that writes there may go out any more.
 */
static void ends_while_sending(bool by_timeout)
{
	static const struct rdma_cfg slow = { .eth_mtu = 4200, .mbps = 1000 };
	struct rdma *r = rdma_begin(&slow);
	struct rdma_buf *a = rdma_buf(r, 0, LONG, 0), *b = rdma_buf(r, 1, LONG, 0);
	uint8_t *was = malloc(2 * LONG);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, LONG);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	unsigned int sent = 0;

	rdma_assert(r, was);
	memcpy(was, a->data, LONG);
	memcpy(was + LONG, b->data, LONG);
	rdma_qp_cfg_init(&cfg);
	cfg.pmtu = 5;
	if (by_timeout) {
		rdma_rule(r, "drop nic1>nic0 type=roce");
		wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
		cfg.timeout = 4; /* 66 us, two packets */
		cfg.retry_cnt = 0;
	}
	qp = rdma_pair(r, 0, 1, &cfg);
	wr.no_data = true;
	rdma_post(qp, &wr);
	rdma_ring(qp);
	if (!by_timeout) {
		rdma_run(r, 6000);
		rdma_qp_error(qp);
	}
	rdma_wait(r);
	memset(a->data, 0xee, LONG);
	rdma_run(r, 200000);
	for (unsigned int i = 0; i < LONG; i++) {
		if (b->data[i] != was[i] && b->data[i] != was[LONG + i])
			rdma_fail(r, "byte %u was read after the flush", i);
		sent += b->data[i] == was[i];
	}
	rdma_assert(r, sent > 4096 && rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
	free(was);
	rdma_buf_forget(a, 0, LONG);
	rdma_buf_forget(b, 0, LONG);
	rdma_end(r);
}

static void error_while_sending(void **state)
{
	(void)state;
	ends_while_sending(false);
}

static void timeout_while_sending(void **state)
{
	(void)state;
	ends_while_sending(true);
}

/* ---- what is flushed does not leave ---- */

#define PACKETS 16u /* as many as ring 0 holds at 64 bit */
#define PACKET 256u
#define STAGES 4u /* frames between the last check and the wire: built, or granted */
#define CROWD 12u /* QPs: more than a small context cache has places for */

/*
 * Packets of a QP stand in front of a wire that does not move when it ends: by a timeout, by
 * command, by RESET, and UC by command.  Its context leaves the cache meanwhile.  When the wire
 * moves again its work request has flushed, and but for what stood in the last stages none of it
 * comes out.
 */
static void flushed_while_wire_stands(void **state)
{
	(void)state;
	for (unsigned int how = 0; how < 4; how++) {
		struct rdma *r = rdma_begin(NULL);
		struct rdma_buf *a = rdma_buf(r, 0, PACKETS * PACKET, 0);
		struct rdma_buf *b = rdma_buf(r, 1, PACKETS * PACKET, 0);
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, PACKETS * PACKET);
		struct sim_nic *nic = r->nic[0].sim;
		struct rdma_qp *qp, *crowd[CROWD];
		struct rdma_qp_cfg cfg;
		unsigned int came = 0;
		uint64_t stale = rdma_counter(r, 0, CAIRN_COUNTER_TX_STALE);

		rdma_qp_cfg_init(&cfg);
		cfg.pmtu = 1;
		if (how == 0) {
			wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
			cfg.timeout = 4; /* 66 us */
			cfg.retry_cnt = 0;
		}
		if (how == 3)
			cfg.type = CAIRN_QP_TYPE_UC;
		qp = rdma_pair(r, 0, 1, &cfg);
		for (unsigned int i = 0; i < CROWD; i++)
			crowd[i] = rdma_pair(r, 0, 1, NULL);
		nic->mac.line.ns = sim_now(r->sim) + 20000000;
		wr.no_data = true;
		rdma_post(qp, &wr);
		rdma_ring(qp);
		rdma_run(r, 5000);
		if (how == 1 || how == 3)
			rdma_qp_error(qp);
		if (how == 2) {
			rdma_ledger_drop(qp);
			rdma_reset_qp(qp);
		}
		rdma_wait(r);
		memset(a->data, 0xee, a->len);
		for (unsigned int i = 0; i < CROWD; i++) /* its context is read */
			rdma_assert(r, rdma_qp_state(crowd[i]) == CAIRN_QP_STATE_RTS);
		nic->mac.line.ns = sim_now(r->sim);
		rdma_run(r, 10000);
		for (size_t i = 0; i < b->len; i += PACKET)
			came += memcmp(b->data + i, b->shadow + RDMA_GUARD + i, PACKET) != 0;
		print_message("# case %u: %u of %u packets came\n", how, came, PACKETS);
		if (came > STAGES)
			rdma_fail(r, "%u packets of what had flushed were sent", came);
		rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_TX_STALE) >=
				       stale + PACKETS - STAGES);
		for (unsigned int i = 0; i < CROWD; i++) {
			wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 64);
			wr.no_data = true;
			rdma_do(crowd[i], &wr);
		}
		rdma_buf_forget(a, 0, a->len);
		rdma_buf_forget(b, 0, b->len);
		rdma_end(r);
	}
}

/* ---- fences ---- */

#define FENCE_NS 50000u /* far more than what is under way inside takes */

/* The time that a command takes which waits for a fence, and nothing else. */
static uint64_t fence(struct rdma *r, unsigned int nic)
{
	struct rdma_qp *qp = rdma_pair(r, nic, nic, NULL);
	uint64_t begin = sim_now(r->sim);

	rdma_destroy_qp(qp->peer);
	begin = sim_now(r->sim) - begin;
	rdma_destroy_qp(qp);
	return begin;
}

static void check_fence(struct rdma *r, unsigned int nic, uint64_t idle, const char *during)
{
	uint64_t took = fence(r, nic);

	print_message("# a fence during %s: %llu ns, else %llu\n", during, (unsigned long long)took,
		      (unsigned long long)idle);
	if (took > idle + FENCE_NS)
		rdma_fail(r, "a fence during %s takes %llu ns, else %llu", during,
			  (unsigned long long)took, (unsigned long long)idle);
}

#define PROMISED 4u
#define PROMISED_LEN (512u << 10)

/* A fence waits for what is under way, not for all that the peers have been promised. */
static void fence_during_reads(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *a = rdma_buf(r, 0, PROMISED * PROMISED_LEN, 0);
	struct rdma_buf *b = rdma_buf(r, 1, PROMISED * PROMISED_LEN, 0);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	uint64_t idle = fence(r, 1);

	(void)state;
	for (unsigned int i = 0; i < PROMISED; i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_READ, a, i * PROMISED_LEN, b,
					    i * PROMISED_LEN, PROMISED_LEN);

		rdma_post(qp, &wr);
	}
	rdma_ring(qp);
	rdma_run(r, 3000);
	check_fence(r, 1, idle, "READs");
	rdma_assert(r, rdma_due(r) == PROMISED); /* which took longer */
	rdma_wait(r);
	rdma_end(r);
}

#define RECEIVES 2000u
#define BEYOND 10000u

/* A QP of NIC 0 with `posted` receives, whose completions are the test's own business. */
static struct rdma_qp *many_receives(struct rdma *r, unsigned int posted, unsigned int depth)
{
	struct rdma_buf *buf = rdma_buf(r, 0, 64, 0);
	struct cairn_sge sge = rdma_sge(buf, 0, 64);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;

	rdma_qp_cfg_init(&cfg);
	cfg.recv_wr = posted;
	cfg.recv_cq = rdma_create_cq(r, 0, depth);
	qp = rdma_pair(r, 0, 0, &cfg);
	for (unsigned int i = 0; i < posted; i++)
		rdma_post_recv(qp, &sge, 1);
	rdma_ring_recv(qp);
	rdma_ledger_drop(qp);
	return qp;
}

static void to_error(struct rdma_qp *qp)
{
	struct cairn_qp_attr err = { .state = CAIRN_QP_STATE_ERR };

	rdma_ok(qp->r, cairn_modify_qp(qp->qp, &err, CAIRN_QP_MASK_STATE), "error");
}

/*
 * A QP is destroyed or reset while its receives flush: no more of them flush than were posted.  The
 * CQ has no place for others, and would take every QP that uses it to error.
 */
static void among_flushes(void **state)
{
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct rdma_qp *qp = many_receives(r, RECEIVES, RECEIVES), *peer = qp->peer;
		struct cairn_cq *cq = qp->cfg.recv_cq->cq;
		uint64_t before = rdma_counter_named(r, 0, "cqe_written"), flushed;
		unsigned int seen = 0;

		to_error(qp);
		if (i)
			rdma_reset_qp(qp);
		else
			rdma_destroy_qp(qp);
		flushed = rdma_counter_named(r, 0, "cqe_written") - before;
		print_message("# %llu of %u have flushed\n", (unsigned long long)flushed, RECEIVES);
		rdma_assert(r, flushed && flushed < RECEIVES);
		rdma_run(r, 20000);
		rdma_assert(r, rdma_counter_named(r, 0, "cqe_written") - before == flushed);
		rdma_assert(r, !rdma_counter_named(r, 0, "cq_overflow"));
		for (const struct cairn_cqe *cqe; (cqe = cairn_cq_next(cq)); seen++)
			cairn_cq_consume(cq);
		rdma_assert(r, seen == flushed);
		if (i)
			rdma_destroy_qp(qp);
		rdma_destroy_qp(peer);
	}
	rdma_end(r);
}

/*
 * Receive doorbells of a QP in error that name far more receives than its ring holds: others'
 * commands do not wait for them to flush.
 */
static void fence_during_flushes(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = many_receives(r, 64, 64 + BEYOND), *peer = qp->peer;
	struct cairn_cq *cq = qp->cfg.recv_cq->cq;
	uint64_t idle = fence(r, 0);

	(void)state;
	to_error(qp);
	rdma_run(r, 10000);
	qp->qp->rq_pi = (uint16_t)(qp->qp->rq_pi + BEYOND);
	rdma_ring_recv(qp);
	rdma_run(r, 500);
	check_fence(r, 0, idle, "flushes");
	rdma_destroy_qp(qp);
	while (cairn_cq_next(cq)) /* of a QP that is not there any more */
		cairn_cq_consume(cq);
	rdma_destroy_qp(peer);
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(among_reads),		  RDMA_TEST(error_while_sending),
		RDMA_TEST(timeout_while_sending), RDMA_TEST(flushed_while_wire_stands),
		RDMA_TEST(fence_during_reads),
		RDMA_TEST(among_flushes),	  RDMA_TEST(fence_during_flushes),
	};

	return RDMA_RUN("ends", tests);
}
