// SPDX-License-Identifier: Apache-2.0
/*
 * Datagrams of a NIC to itself: between its QPs by each of its addresses, of a QP to itself, and
 * multicast to members here, the sender among them, and across the cable; each gets it once.
 */
#include <string.h>

#include "loop.h"

#define GRH 40u
#define QKEY 0x1234567u

struct ud {
	struct rdma_qp *qp;
	struct rdma_cq *cq;
	struct rdma_buf *to;
};

static struct ud make_ud(struct rdma *r, unsigned int nic, unsigned int receives, uint32_t room)
{
	struct ud ud = { .cq = rdma_create_cq(r, nic, 256) };
	struct rdma_far nobody = { 0 };
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.type = CAIRN_QP_TYPE_UD;
	cfg.qkey = QKEY;
	cfg.send_cq = cfg.recv_cq = ud.cq;
	ud.qp = rdma_create_qp(r, nic, &cfg);
	rdma_to_rts(ud.qp, &nobody);
	ud.to = rdma_buf(r, nic, (size_t)receives * room, 0);
	for (unsigned int i = 0; i < receives; i++) {
		struct cairn_qp *qp = ud.qp->qp;
		struct cairn_sge *slot = cairn_rq_entry(qp, qp->rq_pi++);

		memset(slot, 0, qp->rq_stride * sizeof(*slot));
		*slot = rdma_sge(ud.to, (size_t)i * room, room);
	}
	cairn_rq_ring(ud.qp->qp);
	return ud;
}

/* The address handle is made as a program makes it: the MAC is firmware's business. */
static void send_ud(struct rdma *r, struct ud *from, const struct rdma_buf *src, uint32_t len,
		    const uint8_t *gid, unsigned int sgid, uint32_t qpn)
{
	struct cairn_ah_attr attr = { .sgid_index = sgid, .hop_limit = 8 };
	struct cairn_qp *qp = from->qp->qp;
	struct cairn_wqe_ud *wqe = (void *)cairn_sq_block(qp, qp->sq_pi);
	struct cairn_sge *sge = (void *)cairn_sq_block(qp, qp->sq_pi + 1);
	struct cairn_ah *ah;

	memcpy(attr.dgid, gid, 16);
	rdma_ok(r, cairn_create_ah(r->nic[from->qp->nic].pd, &attr, &ah), "address");
	*wqe = ah->av;
	rdma_ok(r, cairn_destroy_ah(ah), "address");
	wqe->ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, CAIRN_WQE_OP_SEND) | CAIRN_WQE_CTRL_SIGNALED |
		    CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, 1) | CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 2);
	wqe->length = len;
	wqe->check = cairn_sq_check(qp, qp->sq_pi);
	wqe->dqpn_sgid |= qpn;
	wqe->qkey = QKEY;
	memset(sge, 0, 64);
	*sge = rdma_sge(src, 0, len);
	qp->sq_pi += 2;
	cairn_sq_ring(qp);
}

/* Completions of that QP: of sends and, good and of that length, of receives. */
static void count_ud(struct rdma *r, struct ud *ud, uint32_t len, unsigned int *sent,
		     unsigned int *received)
{
	const struct cairn_cqe *cqe;

	*sent = *received = 0;
	while ((cqe = cairn_cq_next(ud->cq->cq))) {
		rdma_assert(r, !CAIRN_GET(cqe->status, CAIRN_CQE_STATUS));
		if (CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_GRH)) {
			rdma_assert(r, cqe->byte_len == GRH + len);
			++*received;
		} else {
			++*sent;
		}
		cairn_cq_consume(ud->cq->cq);
		cairn_cq_update(ud->cq->cq);
	}
}

static void expect_ud(struct rdma *r, struct ud *ud, uint32_t len, unsigned int sent,
		      unsigned int received)
{
	unsigned int got[2];

	count_ud(r, ud, len, &got[0], &got[1]);
	if (got[0] != sent || got[1] != received)
		rdma_fail(r, "NIC %u QP 0x%x: %u sent, %u received; %u and %u expected",
			  ud->qp->nic, ud->qp->qp->qpn, got[0], got[1], sent, received);
}

static void datagrams(void **state)
{
	static const uint32_t lens[] = { 1, 100, 2000 };
	struct rdma *r = begin();
	struct ud a = make_ud(r, 0, 8, 2048), b = make_ud(r, 0, 8, 2048);
	struct rdma_buf *src = rdma_buf(r, 0, 2000, 3);
	struct seen before = look(r, 0);
	uint8_t gid[16];
	uint32_t vlan;

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		for (unsigned int at = 0; at < 2; at++) {
			rdma_ok(r, cairn_query_gid(r->nic[0].dev, at, gid, &vlan), "GID");
			send_ud(r, &a, src, lens[i], gid, at, b.qp->qp->qpn);
			rdma_settle(r, 20000);
			expect_ud(r, &a, lens[i], 1, 0);
			expect_ud(r, &b, lens[i], 0, 1);
			rdma_assert(r, !memcmp(b.to->data + 2048 * (2 * i + at) + GRH, src->data,
					       lens[i]));
		}
	/* to itself */
	send_ud(r, &a, src, 77, gid, 1, a.qp->qp->qpn);
	rdma_settle(r, 20000);
	expect_ud(r, &a, 77, 1, 1);
	all_inside(r, &before);
	rdma_buf_forget(a.to, 0, a.to->len);
	rdma_buf_forget(b.to, 0, b.to->len);
	rdma_end(r);
}

/* ---------------------------------------------------------------- multicast */

struct groups {
	struct rdma *r;
	struct ud a, b, c; /* of NIC 0, 0 and 1 */
	struct rdma_buf *src;
};

static const uint8_t group[16] = { [10] = 0xff, [11] = 0xff, 239, 1, 2, 3 };
static const uint8_t group6[16] = { 0xff, 0x0e, [15] = 9 };

static void set_up(struct groups *g)
{
	g->r = begin();
	g->a = make_ud(g->r, 0, 32, 2048);
	g->b = make_ud(g->r, 0, 32, 2048);
	g->c = make_ud(g->r, 1, 32, 2048);
	g->src = rdma_buf(g->r, 0, 2000, 3);
	rdma_ok(g->r, cairn_attach_mcast(g->c.qp->qp, group), "attach");
}

static void finish(struct groups *g)
{
	rdma_buf_forget(g->a.to, 0, g->a.to->len);
	rdma_buf_forget(g->b.to, 0, g->b.to->len);
	rdma_buf_forget(g->c.to, 0, g->c.to->len);
	rdma_end(g->r);
}

/* One from a, to an IPv4 group; who gets it, and what the port saw. */
static struct seen one(struct groups *g, uint32_t len, unsigned int a, unsigned int b,
		       unsigned int c)
{
	struct seen before = look(g->r, 0);

	send_ud(g->r, &g->a, g->src, len, group, 1, 0xffffff);
	rdma_settle(g->r, 20000);
	expect_ud(g->r, &g->a, len, 1, a);
	expect_ud(g->r, &g->b, len, 0, b);
	expect_ud(g->r, &g->c, len, 0, c);
	return since(g->r, 0, &before);
}

/* To members here and across the cable; nobody gets it twice. */
static void members_here_and_there(void **state)
{
	struct groups g;
	struct seen d;

	(void)state;
	set_up(&g);
	d = one(&g, 500, 0, 0, 1); /* no member here: it goes out only */
	rdma_assert(g.r, d.wire.tx_frames == 1 && !d.n[RX_LOOP] && !d.n[TX_LOOP]);
	rdma_ok(g.r, cairn_attach_mcast(g.b.qp->qp, group), "attach");
	for (unsigned int i = 0; i < 8; i++) {
		uint32_t len = 2000 - 250 * i;

		d = one(&g, len, 0, 1, 1);
		rdma_assert(g.r, d.wire.tx_frames == 1 && d.n[RX_LOOP] == 1 && !d.n[TX_LOOP]);
		rdma_assert(g.r, !memcmp(g.b.to->data + 2048 * i + GRH, g.src->data, len));
		rdma_assert(g.r, !memcmp(g.c.to->data + 2048 * (i + 1) + GRH, g.src->data, len));
	}
	rdma_ok(g.r, cairn_detach_mcast(g.b.qp->qp, group), "detach");
	d = one(&g, 100, 0, 0, 1); /* nobody here any more */
	rdma_assert(g.r, d.wire.tx_frames == 1 && !d.n[RX_LOOP]);
	finish(&g);
}

/* As other verbs devices do unless a QP is created with BLOCK_SELF_MCAST_LB. */
static void sender_is_a_member(void **state)
{
	struct groups g;

	(void)state;
	set_up(&g);
	rdma_ok(g.r, cairn_attach_mcast(g.a.qp->qp, group), "attach");
	one(&g, 700, 1, 0, 1);
	rdma_ok(g.r, cairn_attach_mcast(g.a.qp->qp, group6), "attach");
	rdma_ok(g.r, cairn_attach_mcast(g.b.qp->qp, group6), "attach");
	send_ud(g.r, &g.a, g.src, 321, group6, 0, 0xffffff);
	rdma_settle(g.r, 20000);
	expect_ud(g.r, &g.a, 321, 1, 1);
	expect_ud(g.r, &g.b, 321, 0, 1);
	expect_ud(g.r, &g.c, 321, 0, 0);
	finish(&g);
}

/* What comes by the wire does not go back, and what firmware says to all does not come back. */
static void others_groups(void **state)
{
	static const uint8_t address[16] = { [10] = 0xff, [11] = 0xff, 10, 77, 0, 5 };
	struct groups g;
	struct seen before, d;

	(void)state;
	set_up(&g);
	rdma_ok(g.r, cairn_attach_mcast(g.b.qp->qp, group), "attach");
	before = look(g.r, 0);
	send_ud(g.r, &g.c, g.c.to, 99, group, 1, 0xffffff);
	rdma_settle(g.r, 20000);
	expect_ud(g.r, &g.b, 99, 0, 1);
	expect_ud(g.r, &g.c, 99, 1, 1);
	d = since(g.r, 0, &before);
	rdma_assert(g.r, !d.wire.tx_frames && !d.n[RX_LOOP]);
	before = look(g.r, 0);
	rdma_ok(g.r, cairn_set_gid(g.r->nic[0].dev, 9, address, 0), "GID");
	rdma_announced(g.r);
	d = since(g.r, 0, &before);
	rdma_assert(g.r, d.wire.tx_frames == 1 && d.n[TX] == 1 && !d.n[RX_LOOP]);
	rdma_ok(g.r, cairn_set_gid(g.r->nic[0].dev, 9, NULL, 0), "GID");
	finish(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(datagrams), RDMA_TEST(members_here_and_there),
					    RDMA_TEST(sender_is_a_member),
					    RDMA_TEST(others_groups) };

	return RDMA_RUN("loop_ud", tests);
}
