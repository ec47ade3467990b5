// SPDX-License-Identifier: Apache-2.0
/*
 * PSNs that wrap, and those where the signed difference turns, in the middle of each operation,
 * with the packets there lost, repeated or late (check 117); send rings of all sizes going round,
 * and over the end of the 16-bit block index with losses (check 120; with EVERY=1: the way there
 * is long).
 */
#include <string.h>

#include "rdma.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define MTU 256u
#define PACKETS 12u
#define BEFORE 6u /* packets before the wrap */

static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_SEND,	 CAIRN_WQE_OP_WRITE,
					 CAIRN_WQE_OP_READ,	 CAIRN_WQE_OP_ATOMIC_FA,
					 CAIRN_WQE_OP_WRITE_IMM, CAIRN_WQE_OP_ATOMIC_CS,
					 CAIRN_WQE_OP_SEND_IMM };

struct scene {
	struct rdma *r;
	struct rdma_buf *src[2], *dst[2];
};

static struct scene scene(void)
{
	struct scene s = { .r = rdma_begin(NULL) };
	struct rdma_buf_cfg cfg = { .len = 32768,
				    .access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC };

	for (unsigned int i = 0; i < 2; i++) {
		s.src[i] = rdma_buf_with(s.r, i, &cfg);
		s.dst[i] = rdma_buf_with(s.r, i, &cfg);
	}
	return s;
}

static struct rdma_qp_cfg small_mtu(uint32_t psn)
{
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.pmtu = 1;
	cfg.timeout = 5;
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	cfg.sq_psn = psn;
	return cfg;
}

/* ---------------------------------------------------------------- PSNs */

static bool is_atomic(enum cairn_wqe_op op)
{
	return op == CAIRN_WQE_OP_ATOMIC_FA || op == CAIRN_WQE_OP_ATOMIC_CS;
}

/* PACKETS PSNs of that operation, and a message behind them. */
static void post(struct scene *s, struct rdma_qp *qp, enum cairn_wqe_op op)
{
	bool read = op == CAIRN_WQE_OP_READ, atomic = is_atomic(op);
	struct cairn_sge sge = rdma_sge(s->dst[1], 16384, PACKETS * MTU);
	struct rdma_wr wr = rdma_wr(op, read ? s->dst[0] : s->src[0], 5,
				    read ? s->src[1] : s->dst[1], 9, PACKETS * MTU - 3);

	for (unsigned int i = 0; atomic && i < PACKETS; i++) {
		wr = rdma_wr(op, s->dst[0], 8 * i, s->dst[1], 8 * i, 8);
		memcpy(&wr.compare, s->dst[1]->data + 8 * i, 8);
		wr.swap_add = rng_u64(&s->r->rng);
		rdma_post(qp, &wr);
	}
	wr.imm = 77;
	if (op == CAIRN_WQE_OP_SEND || op == CAIRN_WQE_OP_SEND_IMM ||
	    op == CAIRN_WQE_OP_WRITE_IMM) {
		rdma_post_recv(qp->peer, &sge, 1);
		rdma_ring_recv(qp->peer);
	}
	if (!atomic)
		rdma_post(qp, &wr);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, s->src[0], 1, s->dst[1], 8192, 2 * MTU);
	rdma_post(qp, &wr);
	rdma_ring(qp);
}

/* The three packets on either side of `wrap`. */
static void around(struct scene *s, uint32_t wrap, enum cairn_wqe_op op, const char *what)
{
	struct rdma_qp_cfg cfg = small_mtu((wrap - BEFORE) & 0xffffff);
	struct rdma_qp *qp = rdma_pair(s->r, 0, 1, &cfg);
	uint32_t last = (wrap - 1) & 0xffffff;

	rdma_clear_rules(s->r);
	rdma_rule(s->r, "%s nic0>nic1 type=roce psn=@%u-%u,%u-%u round=1", what, last - 2, last,
		  wrap, wrap + 2);
	/* ACKs are merged: any of them */
	rdma_rule(s->r, "%s nic1>nic0 type=roce round=1", what);
	post(s, qp, op);
	rdma_wait(s->r);
	rdma_settle(s->r, 20000);
	/* a READ's request is before the wrap */
	rdma_assert(s->r, sim_wire_rule_hits(sim_wire(s->r->sim), 0) || op == CAIRN_WQE_OP_READ);
	rdma_assert(s->r, sim_wire_rule_hits(sim_wire(s->r->sim), 1));
	rdma_assert(s->r, rdma_qp_state(qp) == CAIRN_QP_STATE_RTS);
	rdma_assert(s->r, rdma_qp_state(qp->peer) == CAIRN_QP_STATE_RTS);
	rdma_destroy_qp(qp->peer);
	rdma_destroy_qp(qp);
}

static void psns(uint32_t wrap)
{
	static const char *const what[] = { "drop", "dup:2", "reorder:2" };
	struct scene s = scene();

	/* each operation loses, some are repeated, some late */
	for (size_t o = 0; o < LEN(ops); o++)
		for (size_t k = 0; k < LEN(what); k++)
			if (!k || (o % 3 == 0 && k == 1 + o / 3 % 2) || getenv("EVERY"))
				around(&s, wrap, ops[o], what[k]);
	rdma_end(s.r);
}

static void psn_wrap(void **state)
{
	(void)state;
	psns(0);
}

static void psn_turn(void **state)
{
	(void)state;
	psns(0x800000);
}

/* ---------------------------------------------------------------- block indices */

static void laps(struct scene *s, struct rdma_qp *qp, unsigned int messages)
{
	for (unsigned int i = 0; i < messages; i++) {
		struct rdma_wr wr = rdma_wr(i % 5 == 4 ? CAIRN_WQE_OP_READ : CAIRN_WQE_OP_WRITE,
					    i % 5 == 4 ? s->dst[0] : s->src[0], 40 * i,
					    i % 5 == 4 ? s->src[1] : s->dst[1], 40 * i, 40 - i % 9);

		while (!rdma_room(qp))
			rdma_wait_due(s->r, rdma_due(s->r) - 1);
		rdma_post(qp, &wr);
		rdma_ring(qp);
	}
	rdma_wait(s->r);
}

/* Rings as small as they come, always full. */
static void small_rings(void **state)
{
	static const unsigned int sizes[] = { 1, 2, 3, 16 };
	struct scene s = scene();

	(void)state;
	for (size_t i = 0; i < LEN(sizes); i++) {
		struct rdma_qp_cfg cfg = small_mtu(CAIRN_ANY);
		struct rdma_qp *qp;

		cfg.send_wr = sizes[i];
		cfg.send_sge = 1;
		cfg.max_inline = 0;
		qp = rdma_pair(s.r, 0, 1, &cfg);
		rdma_clear_rules(s.r);
		rdma_rule(s.r, "drop type=roce p=0.05");
		rdma_buf_refill(s.r, s.dst[0]);
		rdma_buf_refill(s.r, s.dst[1]);
		laps(&s, qp, 3 * (1u << qp->qp->sq_log2) + 2);
		rdma_destroy_qp(qp->peer);
		rdma_destroy_qp(qp);
	}
	rdma_end(s.r);
}

/* NOPs bring the index to where it wraps; then the ring is full, half full, and sent again. */
static void index_wrap(void **state)
{
	struct rdma_qp_cfg cfg = small_mtu(CAIRN_ANY);
	struct rdma_qp *qp;
	struct scene s;

	(void)state;
	if (!getenv("EVERY"))
		skip();
	s = scene();
	cfg.send_wr = 512;
	cfg.send_sge = 1;
	cfg.max_inline = 0;
	qp = rdma_pair(s.r, 0, 1, &cfg);
	while ((qp->qp->sq_pi & 0xffff) < 0x10000 - 256) {
		struct rdma_wr nop = { .op = CAIRN_WQE_OP_NOP };

		for (unsigned int i = 0; i < 128; i++) {
			nop.unsignaled = i % 64 != 63;
			rdma_post(qp, &nop);
		}
		rdma_ring(qp);
		rdma_wait_due(s.r, 2);
	}
	rdma_wait(s.r);
	/* each packet around the wrap is lost once: sent again exactly there */
	rdma_rule(s.r, "drop nic0>nic1 op=req psn=%u-%u round=1", 120, 300);
	laps(&s, qp, 700);
	rdma_assert(s.r, sim_wire_rule_hits(sim_wire(s.r->sim), 0) > 100);
	rdma_assert(s.r, (qp->qp->sq_pi & 0xffff) < 0x8000);
	rdma_end(s.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(psn_wrap), RDMA_TEST(psn_turn),
					    RDMA_TEST(small_rings), RDMA_TEST(index_wrap) };

	return RDMA_RUN("wraps", tests);
}
