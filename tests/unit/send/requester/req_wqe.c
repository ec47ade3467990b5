// SPDX-License-Identifier: Apache-2.0
/* Work requests of the requester's unit test: random ones, and how they stand in the ring. */
#include <string.h>

#include "req_world.h"

/* test_ops.c has looked at the table. */
static bool is_kind(unsigned int op, enum cairn_wqe_kind kind)
{
	return op < CAIRN_WQE_OPS && cairn_wqe_info[op].name && cairn_wqe_info[op].kind == kind;
}

bool msg_is_local(const struct msg *m)
{
	return is_kind(m->op, CAIRN_WQE_KIND_LOCAL);
}

bool msg_is_nop(const struct msg *m)
{
	return is_kind(m->op, CAIRN_WQE_KIND_NOP);
}

bool msg_is_send(const struct msg *m)
{
	return is_kind(m->op, CAIRN_WQE_KIND_SEND);
}

bool msg_is_atomic(const struct msg *m)
{
	return is_kind(m->op, CAIRN_WQE_KIND_ATOMIC);
}

static bool is_ud(const struct qp *p)
{
	return p->type == CAIRN_QP_TYPE_UD || p->type == CAIRN_QP_TYPE_GSI;
}

static unsigned int npsn_of(const struct qp *p, const struct msg *m)
{
	if (msg_is_nop(m) || msg_is_local(m))
		return 0;
	if (msg_is_atomic(m))
		return 1;
	if (is_ud(p))
		return m->len <= p->mtu; /* a longer one is not sent */
	return m->len ? (unsigned int)(((uint64_t)m->len + p->mtu - 1) / p->mtu) : 1;
}

static unsigned int blocks_of(const struct qp *p, const struct msg *m)
{
	unsigned int head = is_ud(p) ? 64 : msg_is_atomic(m) ? 48 : 32;

	if (msg_is_local(m))
		return 1;
	return (head + (m->inl ? m->len : 16 * m->nsge) + 63) / 64;
}

static void put_local(uint8_t *b, const struct msg *m)
{
	struct cairn_wqe_local *x = (struct cairn_wqe_local *)b;

	x->key = m->imm;
	x->addr = m->raddr;
	x->length = m->swap;
	x->page_list = m->compare;
	x->mr_key = m->rkey;
	x->access = m->access;
}

static void put_ud(uint8_t *b, const struct msg *m)
{
	struct cairn_wqe_ud *x = (struct cairn_wqe_ud *)b;

	x->dmac_sport = m->dmac | (uint64_t)m->sport << 48;
	x->dqpn_sgid = m->dqpn | (uint32_t)m->sgid << 24;
	x->qkey = m->qkey;
	memcpy(x->dgid, m->dgid, 16);
	x->flow_tclass = CAIRN_PUT(CAIRN_WQE_UD_FLOW_TCLASS_FLOW, m->flow) |
			 CAIRN_PUT(CAIRN_WQE_UD_FLOW_TCLASS_TCLASS, m->tclass);
	x->hop_sl = CAIRN_PUT(CAIRN_WQE_UD_HOP_SL_HOP_LIMIT, m->hop) |
		    CAIRN_PUT(CAIRN_WQE_UD_HOP_SL_SL, m->sl);
}

static void put_data(const struct qp *p, uint8_t *b, const struct msg *m)
{
	if (msg_is_atomic(m)) {
		((struct cairn_wqe_atomic *)b)->swap_add = m->swap;
		((struct cairn_wqe_atomic *)b)->compare = m->compare;
		b += 16;
	}
	b += is_ud(p) ? 64 : 32;
	if (m->inl) {
		memcpy(b, m->data, m->len);
		return;
	}
	for (unsigned int i = 0; i < m->nsge; i++) {
		struct cairn_sge *s = (struct cairn_sge *)(b + 16 * i);

		s->addr = m->sge[i].addr;
		s->lkey = m->sge[i].lkey;
		s->length = m->sge[i].len;
	}
}

/* Write message `m` into the ring; the caller rings the doorbell. */
void world_put_wqe(unsigned int q, struct msg *m)
{
	struct qp *p = &w.q[q];
	uint8_t b[5 * 64 + 16];
	struct cairn_wqe *x = (struct cairn_wqe *)b;

	rng_bytes(&w.rng, b, sizeof(b));
	m->index = p->pi;
	m->blocks = blocks_of(p, m);
	x->ctrl = m->op | (m->sol ? CAIRN_WQE_CTRL_SOLICITED : 0) |
		  (m->fence ? CAIRN_WQE_CTRL_FENCE : 0) | (m->inl ? CAIRN_WQE_CTRL_INLINE : 0) |
		  CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, m->nsge) |
		  CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, m->blocks);
	x->imm = m->imm;
	x->length = m->len;
	x->check = (uint32_t)(uint16_t)m->index | cairn_wqe_owner(q, p->cfg.tag >> 24) << 16;
	x->raddr = m->raddr;
	x->rkey = m->rkey;
	if (is_ud(p))
		put_ud(b, m);
	if (msg_is_local(m))
		put_local(b, m);
	else
		put_data(p, b, m);
	for (unsigned int i = 0; i < m->blocks; i++)
		memcpy(p->ring + ((m->index + i) % RING) * 64, b + 64 * i, 64);
	m->first = p->end_psn;
	m->npsn = npsn_of(p, m);
	p->end_psn = (p->end_psn + m->npsn) & 0xffffff;
}

/* A destination of the same family as a source GID that exists. */
static void random_path(struct msg *m)
{
	static const uint8_t v4[12] = { [10] = 0xff, [11] = 0xff };
	struct rng *rng = &w.rng;

	m->dmac = rng_u64(rng) >> 16;
	m->sport = (uint16_t)rng_u64(rng);
	m->dqpn = (uint32_t)rng_below(rng, 1 << 24);
	do
		m->sgid = (uint8_t)rng_below(rng, GIDS);
	while (!w.gid[m->sgid].valid);
	m->qkey = (uint32_t)rng_u64(rng);
	rng_bytes(rng, m->dgid, 16);
	if (!w.gid[m->sgid].ipv6)
		memcpy(m->dgid, v4, 12);
	m->flow = (uint32_t)rng_below(rng, 1 << 20);
	m->tclass = (uint8_t)rng_u64(rng);
	m->hop = (uint8_t)rng_u64(rng);
	m->sl = (uint8_t)rng_below(rng, 8);
}

struct msg *world_new_msg(unsigned int q)
{
	struct msg *m = &w.q[q].m[w.q[q].n_msg % 512];

	memset(m, 0, sizeof(*m));
	m->imm = (uint32_t)rng_u64(&w.rng);
	m->rkey = (uint32_t)rng_u64(&w.rng);
	m->raddr = rng_u64(&w.rng) >> 8;
	m->swap = rng_u64(&w.rng);
	m->compare = rng_u64(&w.rng);
	m->access = (uint32_t)rng_u64(&w.rng);
	random_path(m);
	return m;
}

void world_post(unsigned int q, struct msg *m)
{
	struct qp *p = &w.q[q];

	world_put_wqe(q, m);
	p->pi = (uint16_t)(p->pi + m->blocks);
	p->n_msg++;
	world_kick(q);
}

/* One that the type of QP has. */
static unsigned int random_op(const struct qp *p)
{
	unsigned int op;

	do
		op = (unsigned int)rng_below(&w.rng, CAIRN_WQE_OPS);
	while (!(cairn_wqe_info[op].types >> p->type & 1));
	return op;
}

static void random_sges(const struct qp *p, struct msg *m, unsigned int kind)
{
	unsigned int max = kind == 9 ? 6000 : 700;

	m->nsge = (unsigned int)rng_below(&w.rng, kind < 7 ? 3 : 17);
	if (is_ud(p) && rng_percent(&w.rng, 80)) /* the others may be too long */
		max = m->nsge ? p->mtu / m->nsge + 1 : 0;
	for (unsigned int i = 0; i < m->nsge; i++) {
		m->sge[i].addr = rng_u64(&w.rng) >> 16;
		m->sge[i].lkey = (uint32_t)rng_u64(&w.rng) | 0x1000;
		m->sge[i].len = rng_percent(&w.rng, 20) ? 0 : (uint32_t)rng_below(&w.rng, max);
		if (m->op == CAIRN_WQE_OP_READ && rng_percent(&w.rng, 5))
			m->sge[i].len = 400000;
		m->len += m->sge[i].len;
	}
}

void world_random_msg(unsigned int q)
{
	struct msg *m = world_new_msg(q);
	struct qp *p = &w.q[q];
	unsigned int kind = (unsigned int)rng_below(&w.rng, 10);

	m->op = random_op(p);
	m->sol = rng_percent(&w.rng, 50);
	m->fence = rng_percent(&w.rng, 10);
	if (msg_is_nop(m) || msg_is_local(m)) {
		m->fence = msg_is_local(m) && m->fence;
	} else if (msg_is_atomic(m)) {
		m->nsge = 1;
		m->len = m->sge[0].len = 8;
	} else if (m->op != CAIRN_WQE_OP_READ && kind < 4) {
		m->inl = true;
		m->len = (unsigned int)rng_below(&w.rng, 225);
		rng_bytes(&w.rng, m->data, m->len);
	} else {
		random_sges(p, m, kind);
	}
	world_post(q, m);
}
