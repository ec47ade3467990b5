// SPDX-License-Identifier: Apache-2.0
/*
 * A wire that loses, repeats, reorders and damages: every request still succeeds once, in order,
 * with the right bytes.  First by rule, one packet at a time, then at random.
 */
#include "rdma.h"

#define MTU 1024u

/* One of each operation, three packets each; `from` bytes apart. */
static void one_of_each(struct rdma_qp *qp, struct rdma_buf *near[2], struct rdma_buf *far[2])
{
	const size_t len = 2 * MTU + 100;
	struct rdma_wr wr[] = {
		rdma_wr(CAIRN_WQE_OP_WRITE, near[0], 0, far[1], 0, len),
		rdma_wr(CAIRN_WQE_OP_SEND, near[0], 0, NULL, 0, len),
		rdma_wr(CAIRN_WQE_OP_READ, near[1], 0, far[0], 0, len),
		rdma_wr(CAIRN_WQE_OP_WRITE_IMM, near[0], 7, far[1], 2 * len, len),
		rdma_wr(CAIRN_WQE_OP_READ, near[1], len, far[0], 9, len),
		rdma_wr(CAIRN_WQE_OP_SEND_IMM, near[0], 11, NULL, 0, len),
	};

	for (unsigned int i = 0; i < 3; i++) {
		struct cairn_sge sge = rdma_sge(far[1], (3 + i) * len, len);

		rdma_post_recv(qp->peer, &sge, 1);
	}
	rdma_ring_recv(qp->peer);
	for (unsigned int i = 0; i < sizeof(wr) / sizeof(*wr); i++)
		rdma_post(qp, &wr[i]);
	rdma_ring(qp);
	rdma_wait(qp->r);
}

/* The rule for one QP at a time: the k-th packet of either direction, k from 1. */
static void each_packet(const char *action, const char *direction, unsigned int packets)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *near[2], *far[2];

	for (unsigned int i = 0; i < 2; i++) {
		near[i] = rdma_buf(r, 0, 8 * (2 * MTU + 100), 3 + i);
		far[i] = rdma_buf(r, 1, 8 * (2 * MTU + 100), 60 - i);
	}
	for (unsigned int k = 1; k <= packets; k++) {
		struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);

		rdma_clear_rules(r);
		rdma_rule(r, "%s %s type=roce k=%u", action, direction, k);
		rdma_buf_refill(r, near[1]);
		rdma_buf_refill(r, far[1]);
		one_of_each(qp, near, far);
	}
	rdma_end(r);
}

static void lost_requests(void **state)
{
	(void)state;
	each_packet("drop", "nic0>nic1", 16);
}

static void lost_responses(void **state)
{
	(void)state;
	each_packet("drop", "nic1>nic0", 10);
}

static void repeated(void **state)
{
	(void)state;
	each_packet("dup:2", "nic0>nic1", 14);
	each_packet("dup", "nic1>nic0", 8);
}

static void reordered(void **state)
{
	(void)state;
	each_packet("reorder:2", "nic0>nic1", 14);
	each_packet("reorder", "nic1>nic0", 8);
}

/* A flipped bit behind a good FCS: only the ICRC can tell. */
static void damaged(void **state)
{
	(void)state;
	each_packet("corrupt", "nic0>nic1", 12);
	each_packet("corrupt:-1", "nic1>nic0", 6);
	each_packet("badfcs", "nic0>nic1", 4);
	each_packet("truncate:70", "nic0>nic1", 4);
}

#define NAK_QPS 8u
#define NAK_ROUNDS 24u
#define NAK_LEN 20u /* short ones, and READs beside them: several QPs wait to answer at a time */

static struct rdma_wr nak_request(unsigned int n, struct rdma_qp *qp, struct rdma_buf *const *near,
				  struct rdma_buf *const *far)
{
	size_t at = (size_t)n * NAK_LEN;
	struct cairn_sge sge = rdma_sge(far[0], at, NAK_LEN);

	switch (n % 4) {
	case 1: /* its receives come late */
		rdma_post_recv(qp->peer, &sge, 1);
		return rdma_wr(CAIRN_WQE_OP_SEND, near[0], 9, NULL, 0, NAK_LEN);
	case 3:
		return rdma_wr(CAIRN_WQE_OP_READ, near[1], 0, far[1], 0, 2000);
	default:
		return rdma_wr(CAIRN_WQE_OP_WRITE, near[0], 9, far[0], at, NAK_LEN);
	}
}

/* NAKs are counted for the QP that sends them and for the one they are for; none is lost here. */
static void naks_of_each(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *near[2] = { rdma_buf(r, 0, 4096, 1), rdma_buf(r, 0, 4096, 2) };
	struct rdma_buf *far[2] = { rdma_buf(r, 1, NAK_QPS * NAK_ROUNDS * NAK_LEN, 3),
				    rdma_buf(r, 1, 4096, 4) };
	struct rdma_qp *qp[NAK_QPS];
	uint64_t seq = 0, rnr = 0;

	(void)state;
	rdma_need(r, CAIRN_REG_FEATURES_QP_COUNTERS);
	for (unsigned int i = 0; i < NAK_QPS; i++)
		qp[i] = rdma_pair(r, 0, 1, NULL);
	rdma_rule(r, "drop nic0>nic1 op=write every=7");
	for (unsigned int n = 0; n < NAK_QPS * NAK_ROUNDS; n++) {
		struct rdma_wr wr = nak_request(n, qp[n % NAK_QPS], near, far);

		rdma_post(qp[n % NAK_QPS], &wr);
	}
	for (unsigned int i = 0; i < NAK_QPS; i++)
		rdma_ring(qp[i]);
	rdma_run(r, 20000);
	for (unsigned int i = 0; i < NAK_QPS; i++)
		rdma_ring_recv(qp[i]->peer);
	rdma_wait(r);
	for (unsigned int i = 0; i < NAK_QPS; i++) {
		uint64_t s = rdma_qp_counter(qp[i]->peer, CAIRN_COUNTER_SEQ_NAK_SENT);
		uint64_t n = rdma_qp_counter(qp[i]->peer, CAIRN_COUNTER_RNR_NAK_SENT);

		rdma_assert(r, rdma_qp_counter(qp[i], CAIRN_COUNTER_PACKET_SEQ_ERR) == s);
		rdma_assert(r, rdma_qp_counter(qp[i], CAIRN_COUNTER_RNR_NAK_RCVD) == n);
		seq += s;
		rnr += n;
	}
	rdma_assert(r, seq > 8 && rnr > 8);
	rdma_end(r);
}

#define SOAK_QPS 24u

/* Random traffic on some QPs, both ways. */
static void soak(const char *const *rules, unsigned int n_rules, unsigned int messages,
		 unsigned int qps)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_SEND_IMM, CAIRN_WQE_OP_WRITE,
						 CAIRN_WQE_OP_WRITE_IMM, CAIRN_WQE_OP_READ };
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *fixed[2], *moved[2];
	struct rdma_qp *qp[2][SOAK_QPS];
	size_t at[2] = { 0, 0 };

	for (unsigned int i = 0; i < 2; i++) {
		fixed[i] = rdma_buf(r, i, 8192, 1);
		moved[i] = rdma_buf(r, i, (size_t)messages * 3500, 2);
	}
	for (unsigned int i = 0; i < qps; i++) {
		qp[0][i] = rdma_pair(r, 0, 1, NULL);
		qp[1][i] = qp[0][i]->peer;
	}
	for (unsigned int i = 0; i < n_rules; i++)
		rdma_rule(r, "%s", rules[i]);
	for (unsigned int i = 0; i < messages; i++) {
		unsigned int s = i & 1, q = (unsigned int)rng_below(&r->rng, qps);
		enum cairn_wqe_op op = ops[rng_below(&r->rng, 4)];
		size_t len = rng_below(&r->rng, rng_percent(&r->rng, 50) ? 200 : 3500);
		bool read = op == CAIRN_WQE_OP_READ;
		unsigned int to = read ? s : !s;
		struct rdma_wr wr = read ? rdma_wr(op, moved[s], at[s], fixed[!s], 9, len)
					 : rdma_wr(op, fixed[s], 9, moved[!s], at[!s], len);

		if (rdma_room(qp[s][q]) < 2 || rdma_recv_room(qp[!s][q]) < 2)
			rdma_wait(r);
		if (op == CAIRN_WQE_OP_SEND_IMM || op == CAIRN_WQE_OP_WRITE_IMM) {
			struct cairn_sge sge = rdma_sge(moved[to], at[to], len);

			rdma_post_recv(qp[!s][q], &sge, len && op == CAIRN_WQE_OP_SEND_IMM);
			rdma_ring_recv(qp[!s][q]);
		}
		at[to] += len;
		wr.imm = i;
		rdma_post(qp[s][q], &wr);
		rdma_ring(qp[s][q]);
		if (i % 32 == 31)
			rdma_wait_due(r, 24);
	}
	rdma_wait(r);
	for (unsigned int i = 0; i < n_rules; i++)
		rdma_assert(r, sim_wire_rule_hits(sim_wire(r->sim), i) > 0);
	rdma_end(r);
}

static void soak_loss(void **state)
{
	static const char *const rules[] = { "drop type=roce p=0.02" };

	(void)state;
	soak(rules, 1, 200, 8);
}

/* With CAIRN_MODEL_DIR=build/lib/few: three times as many QPs as the context cache holds. */
static void soak_many_qps(void **state)
{
	static const char *const rules[] = { "drop type=roce p=0.02" };

	(void)state;
	soak(rules, 1, 200, SOAK_QPS);
}

static void soak_everything(void **state)
{
	static const char *const rules[] = { "drop type=roce p=0.01", "dup type=roce p=0.02",
					     "reorder:3 type=roce p=0.02",
					     "corrupt type=roce p=0.01" };

	(void)state;
	soak(rules, 4, 200, 8);
}

/*
 * The packet before a work request with a local error is lost: it is sent again, succeeds, and only
 * then the error ends the QP; it is counted once.
 */
static void lost_before_error(void **state)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_SEND,
						 CAIRN_WQE_OP_READ };
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *near = rdma_buf(r, 0, 4096, 3), *far = rdma_buf(r, 1, 4096, 60);

	(void)state;
	for (unsigned int i = 0; i < 3 * 6; i++) {
		struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
		uint64_t errors = rdma_counter(r, 0, CAIRN_COUNTER_LOC_PROT_ERR);
		const size_t len = 2 * MTU + 10;
		struct cairn_sge sge = rdma_sge(far, 0, len);
		bool read = ops[i % 3] == CAIRN_WQE_OP_READ;
		struct rdma_wr wr = rdma_wr(ops[i % 3], near, 0,
					    ops[i % 3] == CAIRN_WQE_OP_SEND ? NULL : far, 0, len);

		rdma_clear_rules(r);
		rdma_buf_refill(r, read ? near : far);
		rdma_rule(r, "drop %s type=roce k=%u", i / 3 < 4 ? "nic0>nic1" : "nic1>nic0",
			  1 + i / 3 % 4);
		rdma_post_recv(qp->peer, &sge, 1);
		rdma_ring_recv(qp->peer);
		rdma_post(qp, &wr);
		if (ops[i % 3] != CAIRN_WQE_OP_SEND)
			rdma_ledger_drop(qp->peer);
		wr = rdma_wr(CAIRN_WQE_OP_WRITE, near, 0, far, 0, 100);
		wr.sge[0].lkey ^= 1;
		wr.expect = CAIRN_WC_STATUS_LOC_PROT_ERR;
		wr.vendor = CAIRN_VENDOR_ERR_KEY_TAG;
		rdma_post(qp, &wr);
		wr.sge[0].lkey ^= 1;
		wr.no_data = true;
		rdma_post(qp, &wr); /* flushes */
		rdma_ring(qp);
		rdma_wait(r);
		rdma_assert(r, qp->sq_failed);
		rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_LOC_PROT_ERR) == errors + 1);
	}
	rdma_end(r);
}

/* The same where the receiver was not ready. */
static void not_ready_before_error(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *near = rdma_buf(r, 0, 4096, 3), *far = rdma_buf(r, 1, 4096, 60);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, near, 0, NULL, 0, 2000);
	struct cairn_sge sge = rdma_sge(far, 0, 2000);

	(void)state;
	rdma_post(qp, &wr);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, near, 0, far, 0, 100);
	wr.sge[0].lkey ^= 1;
	wr.expect = CAIRN_WC_STATUS_LOC_PROT_ERR;
	rdma_post(qp, &wr);
	rdma_ring(qp);
	rdma_run(r, 30000);
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_RNR_NAK_RCVD) > 1);
	rdma_post_recv(qp->peer, &sge, 1);
	rdma_ring_recv(qp->peer);
	rdma_wait(r);
	rdma_assert(r, qp->sq_failed);
	rdma_end(r);
}

/* A clean wire: nothing is sent twice. */
static void no_loss(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	uint64_t again = rdma_counter(r, 0, CAIRN_COUNTER_RETX_PACKETS) +
			 rdma_counter(r, 1, CAIRN_COUNTER_RETX_PACKETS);

	(void)state;
	rdma_end(r);
	soak(NULL, 0, 200, 8);
	r = rdma_begin(NULL);
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_RETX_PACKETS) +
				       rdma_counter(r, 1, CAIRN_COUNTER_RETX_PACKETS) ==
			       again);
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(no_loss),	      RDMA_TEST(lost_requests),
		RDMA_TEST(lost_responses),    RDMA_TEST(repeated),
		RDMA_TEST(reordered),	      RDMA_TEST(damaged),
		RDMA_TEST(naks_of_each),      RDMA_TEST(soak_loss),
		RDMA_TEST(soak_many_qps),     RDMA_TEST(soak_everything),
		RDMA_TEST(lost_before_error), RDMA_TEST(not_ready_before_error),
	};

	return RDMA_RUN("loss", tests);
}
