// SPDX-License-Identifier: Apache-2.0
/*
 * Multicast: a datagram to a group reaches each UD QP of the receiving NIC that has attached to it
 * once, whole, and no other; what one member lacks (receive, Q_Key, state) costs the others
 * nothing; and no cell of the receive pool is lost on the way.
 */
#include "rdma.h"

#include <string.h>

#define MEMBERS 8u
#define GRH 40u
#define LARGEST 2000u /* 9 cells with its headers */
#define QKEY 0x1234567u

struct ud {
	struct rdma_qp *qp;
	struct rdma_cq *cq;
	unsigned int posted, got;
};

struct scene {
	struct rdma *r;
	struct ud from, to[MEMBERS];
	struct rdma_buf *src, *dst;
	struct rdma_qp *rc; /* a bystander */
};

static void move(struct rdma *r, struct rdma_qp *qp, uint32_t qkey)
{
	struct cairn_qp_attr attr = {
		.state = CAIRN_QP_STATE_INIT, .port = 1, .qkey = qkey, .sq_psn = qp->sq_psn
	};

	rdma_ok(r,
		cairn_modify_qp(qp->qp, &attr,
				CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_PKEY_INDEX |
					CAIRN_QP_MASK_PORT | CAIRN_QP_MASK_QKEY),
		"INIT");
	attr.state = CAIRN_QP_STATE_RTR;
	rdma_ok(r, cairn_modify_qp(qp->qp, &attr, CAIRN_QP_MASK_STATE), "RTR");
	attr.state = CAIRN_QP_STATE_RTS;
	rdma_ok(r, cairn_modify_qp(qp->qp, &attr, CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_SQ_PSN),
		"RTS");
}

static struct ud make(struct rdma *r, unsigned int nic, uint32_t qkey)
{
	struct ud ud = { .cq = rdma_create_cq(r, nic, 256) };
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.type = CAIRN_QP_TYPE_UD;
	cfg.send_cq = cfg.recv_cq = ud.cq;
	ud.qp = rdma_create_qp(r, nic, &cfg);
	move(r, ud.qp, qkey);
	return ud;
}

static struct scene scene(unsigned int members)
{
	struct scene s = { .r = rdma_begin(NULL) };

	if (!s.r->nic[1].caps.max_mcast_grp) {
		rdma_end(s.r);
		skip();
	}
	s.rc = rdma_pair(s.r, 0, 1, NULL);
	s.from = make(s.r, 0, QKEY);
	for (unsigned int i = 0; i < members; i++)
		s.to[i] = make(s.r, 1, QKEY);
	s.src = rdma_buf(s.r, 0, 2 * LARGEST, 5);
	s.dst = rdma_buf(s.r, 1, MEMBERS * 4096, 9);
	return s;
}

static const uint8_t *group(bool v6, uint8_t last)
{
	static uint8_t gid[16];
	static const uint8_t base[2][16] = { { [10] = 0xff, [11] = 0xff, [12] = 239, [13] = 0x81 },
					     { 0xff, 0x0e, [9] = 7 } };

	memcpy(gid, base[v6], 16);
	gid[15] = last;
	return gid;
}

static void attach(struct scene *s, unsigned int i, const uint8_t *gid)
{
	rdma_ok(s->r, cairn_attach_mcast(s->to[i].qp->qp, gid), "attach");
}

static void detach(struct scene *s, unsigned int i, const uint8_t *gid)
{
	rdma_ok(s->r, cairn_detach_mcast(s->to[i].qp->qp, gid), "detach");
}

/* All receives of a QP go to one place. */
static void receive(struct scene *s, unsigned int i, unsigned int n)
{
	struct cairn_qp *qp = s->to[i].qp->qp;

	for (s->to[i].posted += n; n; n--) {
		struct cairn_sge *slot = cairn_rq_entry(qp, qp->rq_pi++);

		memset(slot, 0, qp->rq_stride * sizeof(*slot));
		*slot = rdma_sge(s->dst, 4096 * i, GRH + LARGEST);
	}
	cairn_rq_ring(qp);
}

static void send_to(struct scene *s, const uint8_t *gid, size_t offset, uint32_t len, uint32_t qpn)
{
	struct cairn_ah_attr attr = { .sgid_index = gid[0] == 0xff ? 0 : 1, .hop_limit = 8 };
	struct cairn_qp *qp = s->from.qp->qp;
	struct cairn_wqe_ud *wqe = (void *)cairn_sq_block(qp, qp->sq_pi);
	struct cairn_sge *sge = (void *)cairn_sq_block(qp, qp->sq_pi + 1);
	const struct cairn_cqe *cqe;
	struct cairn_ah *ah;

	memcpy(attr.dgid, gid, 16);
	rdma_ok(s->r, cairn_create_ah(s->r->nic[0].pd, &attr, &ah), "address");
	*wqe = ah->av;
	rdma_ok(s->r, cairn_destroy_ah(ah), "address");
	wqe->ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, CAIRN_WQE_OP_SEND) | CAIRN_WQE_CTRL_SIGNALED |
		    CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, 1) | CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 2);
	wqe->length = len;
	wqe->check = cairn_sq_check(qp, qp->sq_pi);
	wqe->dqpn_sgid |= qpn;
	wqe->qkey = QKEY;
	memset(sge, 0, 64);
	*sge = rdma_sge(s->src, offset, len);
	qp->sq_pi += 2;
	cairn_sq_ring(qp);
	cqe = rdma_raw_cqe(s->from.cq);
	rdma_assert(s->r, !CAIRN_GET(cqe->status, CAIRN_CQE_STATUS));
	cairn_cq_consume(s->from.cq->cq);
	cairn_cq_update(s->from.cq->cq);
}

/* What there is for that QP: one datagram each, with its header area. */
static void take(struct scene *s, unsigned int i, const uint8_t *gid, size_t offset, uint32_t len)
{
	const uint8_t *at = s->dst->data + 4096 * i;
	struct cairn_cq *cq = s->to[i].cq->cq;
	const struct cairn_cqe *cqe;

	while ((cqe = cairn_cq_next(cq))) {
		rdma_assert(s->r, !CAIRN_GET(cqe->status, CAIRN_CQE_STATUS));
		rdma_assert(s->r,
			    CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN) == s->to[i].qp->qp->qpn);
		rdma_assert(s->r, cqe->byte_len == GRH + len);
		rdma_assert(s->r, CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_GRH));
		rdma_assert(s->r, CAIRN_GET(cqe->src, CAIRN_CQE_SRC_SRC_QP) == s->from.qp->qp->qpn);
		rdma_assert(s->r, !memcmp(at + GRH, s->src->data + offset, len));
		rdma_assert(s->r, gid[0] == 0xff ? !memcmp(at + 24, gid, 16)
						 : !memcmp(at + 36, gid + 12, 4));
		cairn_cq_consume(cq);
		cairn_cq_update(cq);
		s->to[i].got++;
	}
}

/* One datagram; `members`: bit per QP that shall have it, and all others have none. */
static void one(struct scene *s, const uint8_t *gid, uint32_t len, unsigned int members)
{
	size_t offset = rng_below(&s->r->rng, LARGEST);
	unsigned int had[MEMBERS];

	for (unsigned int i = 0; i < MEMBERS; i++)
		had[i] = s->to[i].got;
	send_to(s, gid, offset, len, 0xffffff);
	rdma_settle(s->r, 20000);
	for (unsigned int i = 0; i < MEMBERS; i++) {
		if (s->to[i].qp)
			take(s, i, gid, offset, len);
		if (s->to[i].got != had[i] + (members >> i & 1))
			rdma_fail(s->r, "member %u got %u copies of a datagram", i,
				  s->to[i].got - had[i]);
	}
}

static void finish(struct scene *s)
{
	struct rdma_buf *a = rdma_buf(s->r, 0, 9000, 0), *b = rdma_buf(s->r, 1, 9000, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 9000);

	rdma_do(s->rc, &wr);
	rdma_buf_forget(s->dst, 0, s->dst->len);
	rdma_end(s->r);
}

/* ---------------------------------------------------------------- who gets what */

static void each_member_once(void **state)
{
	struct scene s = scene(4);
	uint64_t none = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_MULTICAST), no_recv;

	(void)state;
	for (unsigned int i = 0; i < 4; i++)
		receive(&s, i, 16);
	one(&s, group(false, 1), 100, 0); /* nobody is there */
	attach(&s, 0, group(false, 1));
	attach(&s, 2, group(false, 1));
	attach(&s, 2, group(true, 1));
	attach(&s, 3, group(true, 1));
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_MULTICAST) == none + 1);
	one(&s, group(false, 1), 100, 5);
	one(&s, group(true, 1), LARGEST, 12);
	one(&s, group(false, 1), 1, 5);
	one(&s, group(false, 2), 100, 0);
	one(&s, group(true, 2), 100, 0);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_MULTICAST) == none + 3);
	attach(&s, 1, group(false, 1));
	one(&s, group(false, 1), LARGEST, 7);
	detach(&s, 0, group(false, 1));
	one(&s, group(false, 1), 500, 6);
	detach(&s, 1, group(false, 1));
	detach(&s, 2, group(false, 1));
	one(&s, group(false, 1), 500, 0);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_MULTICAST) == none + 4);
	/* to the group, but not to QP 0xffffff; a sender that is a member is one like others, but
	 * has no receive */
	none = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_MULTICAST);
	no_recv = rdma_counter(s.r, 0, CAIRN_COUNTER_RX_NO_RECV);
	send_to(&s, group(true, 1), 0, 100, s.to[3].qp->qp->qpn);
	rdma_ok(s.r, cairn_attach_mcast(s.from.qp->qp, group(true, 1)), "attach");
	one(&s, group(true, 1), 300, 12);
	rdma_assert(s.r, !cairn_cq_next(s.from.cq->cq));
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_MULTICAST) == none + 1);
	rdma_assert(s.r, rdma_counter(s.r, 0, CAIRN_COUNTER_RX_NO_RECV) ==
				 no_recv + !!(s.r->nic[0].caps.features & CAIRN_REG_FEATURES_LOOP));
	finish(&s);
}

/* A member without a receive, one with another Q_Key, one in error, and two that are well. */
static void members_in_need(void **state)
{
	struct scene s = scene(4);
	uint64_t no_recv = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_NO_RECV);
	uint64_t qkey = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_BAD_QKEY);
	uint64_t in_state = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_QP_STATE);
	uint64_t bad_qpn = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_BAD_QPN);

	(void)state;
	s.to[4] = make(s.r, 1, QKEY + 1);
	for (unsigned int i = 0; i < 5; i++)
		attach(&s, i, group(false, 9));
	receive(&s, 0, 4);
	receive(&s, 2, 4);
	receive(&s, 4, 4);
	rdma_qp_error(s.to[3].qp);
	one(&s, group(false, 9), 700, 5);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_NO_RECV) == no_recv + 1);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_BAD_QKEY) == qkey + 1);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_QP_STATE) == in_state + 1);
	/* one that is destroyed has left */
	rdma_destroy_qp(s.to[2].qp);
	s.to[2].qp = NULL;
	one(&s, group(false, 9), LARGEST, 1);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_BAD_QPN) == bad_qpn);
	finish(&s);
}

/* More bytes than the pool has, to eight members each, beside WRITEs. */
static void many(void **state)
{
	struct scene s = scene(MEMBERS);
	struct rdma_buf *a = rdma_buf(s.r, 0, 60000, 0), *b = rdma_buf(s.r, 1, 60000, 0);
	uint64_t lost = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_NO_BUFFER);

	(void)state;
	for (unsigned int i = 0; i < MEMBERS; i++) {
		attach(&s, i, group(i & 1, 3));
		attach(&s, i, group(!(i & 1), 3));
		receive(&s, i, 32);
	}
	for (unsigned int n = 0; n < 24; n++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 2000 * n, b, 2000 * n, 2000);

		rdma_post(s.rc, &wr);
		rdma_ring(s.rc);
		one(&s, group(n & 1, 3), n & 2 ? LARGEST : 1 + n, 0xff);
	}
	rdma_wait(s.r);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_NO_BUFFER) == lost);
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(each_member_once), RDMA_TEST(members_in_need),
					    RDMA_TEST(many) };

	return RDMA_RUN("mcast", tests);
}
