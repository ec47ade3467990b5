// SPDX-License-Identifier: Apache-2.0
/* Slots of an SRQ, messages into them, and which QP has which; see srq.h. */
#include "srq.h"

#include <string.h>

#define BYTES 16384u /* to send from */
#define SMALL 64u    /* bytes of a WRITE with immediate */
#define GRH 40u
#define QKEY 0x1234567u
#define PACKET 1024u /* no datagram is longer */

/* ---------------------------------------------------------------- slots */

unsigned int srq_outside(const struct srq_scene *s)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < SRQ_SLOTS; i++)
		n += s->given[i];
	return n;
}

/* So many more, of those that are here in any order. */
void srq_give(struct srq_scene *s, unsigned int n)
{
	uint32_t first = s->slot_len / 3; /* bytes of its first element */

	for (; n && srq_outside(s) < SRQ_SLOTS; n--) {
		uint32_t slot = (uint32_t)rng_below(&s->r->rng, SRQ_SLOTS);
		struct cairn_sge *sge;

		while (s->given[slot])
			slot = (slot + 1) % SRQ_SLOTS;
		sge = cairn_srq_slot(s->srq, slot);
		sge[0] = rdma_sge(s->dst, slot * s->slot_len, first);
		sge[1] = rdma_sge(s->dst, slot * s->slot_len + first, s->slot_len - first);
		s->given[slot] = true;
		cairn_srq_give(s->srq, slot);
	}
	cairn_srq_ring(s->srq);
}

/* Entries that no message has taken. */
unsigned int srq_left(struct srq_scene *s)
{
	unsigned int limit, n;

	rdma_ok(s->r, cairn_query_srq(s->srq, &limit, &n), "SRQ query");
	return n;
}

/* What the device takes next, if so many are left. */
uint32_t srq_next_slot(const struct srq_scene *s, unsigned int n)
{
	return s->srq->ring[(s->srq->pi - n) % SRQ_SLOTS];
}

/* What an ended QP held is put on the ring again, as the provider does. */
void srq_take_back(struct srq_scene *s, uint32_t slot)
{
	if (slot == CAIRN_ANY)
		return;
	rdma_assert(s->r, slot < SRQ_SLOTS && s->given[slot]);
	rdma_buf_forget(s->dst, slot * s->slot_len, s->slot_len);
	cairn_srq_give(s->srq, slot);
	cairn_srq_ring(s->srq);
	s->taken_back++;
}

/* ---------------------------------------------------------------- messages */

void srq_post(struct srq_scene *s, struct srq_lane *l, enum cairn_wqe_op op, uint32_t len,
	      enum cairn_wc_status expect)
{
	struct srq_message *m = &l->sent[l->tail % SRQ_RING];
	struct rdma_wr wr;

	rdma_assert(s->r, l->tail - l->head < SRQ_RING);
	if (op == CAIRN_WQE_OP_WRITE_IMM && len > SMALL)
		len = SMALL;
	*m = (struct srq_message){ .op = op, .len = len, .imm = (uint32_t)rng_u64(&s->r->rng) };
	m->from = (uint32_t)rng_below(&s->r->rng, BYTES - len);
	m->to = (uint32_t)((l - s->lane) * SRQ_RING + l->tail % SRQ_RING) * SMALL;
	wr = rdma_wr(op, s->src, m->from, op == CAIRN_WQE_OP_WRITE_IMM ? s->far : NULL, m->to, len);
	wr.imm = m->imm;
	wr.no_data = true; /* arrives in no receive queue that rdma.h knows */
	wr.expect = expect;
	if (l->tx->cfg.type == CAIRN_QP_TYPE_UD) {
		uint32_t vlan;

		wr.av = (struct rdma_av){ .dmac = sim_nic_mac(s->r->nic[1].sim),
					  .sport = 0xc001,
					  .sgid_index = 1,
					  .dqpn = l->qpn,
					  .qkey = QKEY };
		rdma_ok(s->r, cairn_query_gid(s->r->nic[1].dev, 1, wr.av.dgid, &vlan), "GID");
	}
	rdma_post(l->tx, &wr);
	l->tail++;
}

/* Of any kind and length that fits. */
void srq_send(struct srq_scene *s, struct srq_lane *l, unsigned int n)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_SEND, CAIRN_WQE_OP_SEND,
						 CAIRN_WQE_OP_SEND_IMM, CAIRN_WQE_OP_WRITE_IMM };
	bool ud = l->tx->cfg.type == CAIRN_QP_TYPE_UD;
	uint32_t most = ud ? s->slot_len - GRH : s->slot_len;

	if (ud && most > PACKET)
		most = PACKET;
	for (; n; n--)
		srq_post(s, l, ops[rng_below(&s->r->rng, ud ? 3 : 4)],
			 (uint32_t)rng_below(&s->r->rng,
					     rng_percent(&s->r->rng, 50) ? 64 : most + 1),
			 CAIRN_WC_STATUS_SUCCESS);
	rdma_ring(l->tx);
}

static void compare(struct srq_scene *s, const struct srq_message *m, struct rdma_buf *buf,
		    uint32_t at)
{
	const uint8_t *from = s->src->data + m->from;

	if (memcmp(buf->data + at, from, m->len))
		rdma_fail(s->r, "a message of %u bytes is not what was sent", m->len);
	rdma_buf_forget(buf, at, m->len);
}

/* The next message of the lane is in that slot. */
static void judge_arrival(struct srq_scene *s, struct srq_lane *l, const struct cairn_cqe *cqe,
			  uint32_t slot)
{
	const struct srq_message *m = &l->sent[l->head % SRQ_RING];
	bool write = m->op == CAIRN_WQE_OP_WRITE_IMM, imm = m->op != CAIRN_WQE_OP_SEND;
	uint32_t grh = l->tx->cfg.type == CAIRN_QP_TYPE_UD ? GRH : 0;

	rdma_assert(s->r, l->head != l->tail);
	rdma_assert(s->r, CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_OPCODE) ==
				  (write ? CAIRN_CQE_OP_RECV_WRITE_IMM
				   : imm ? CAIRN_CQE_OP_RECV_IMM
					 : CAIRN_CQE_OP_RECV));
	rdma_assert(s->r, cqe->byte_len == m->len + grh);
	rdma_assert(s->r, CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_IMM) == imm);
	rdma_assert(s->r, !imm || cqe->imm == m->imm);
	rdma_assert(s->r, !grh || CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_GRH));
	if (grh)
		rdma_buf_forget(s->dst, slot * s->slot_len, grh);
	compare(s, m, write ? s->far : s->dst, write ? m->to : slot * s->slot_len + grh);
	l->head++;
	s->arrived++;
}

static void judge(struct srq_scene *s, const struct cairn_cqe *cqe)
{
	uint32_t slot = CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX);
	uint32_t qpn = CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN);
	uint32_t status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);
	struct srq_lane *l = s->lane;

	while (l < &s->lane[SRQ_LANES] && l->qpn != qpn)
		l++;
	if (l == &s->lane[SRQ_LANES] || !CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_SRQ) ||
	    CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_IS_SQ))
		rdma_fail(s->r, "QP %u, wqe 0x%x: no receive of the SRQ", qpn, cqe->wqe);
	if (slot >= SRQ_SLOTS || !s->given[slot])
		rdma_fail(s->r, "slot %u completes, but the device does not have it", slot);
	if (l->over)
		rdma_fail(s->r, "slot %u completes behind LAST_WQE_REACHED of its QP", slot);
	s->given[slot] = false;

	if (status == CAIRN_WC_STATUS_SUCCESS) {
		rdma_assert(s->r, !l->flushed && !l->failed);
		judge_arrival(s, l, cqe, slot);
		return;
	}
	if (status == CAIRN_WC_STATUS_WR_FLUSH_ERR)
		l->flushed++;
	else
		l->failed++;
	rdma_buf_forget(s->dst, slot * s->slot_len, s->slot_len);
}

void srq_take(struct srq_scene *s)
{
	const struct cairn_cqe *cqe;

	for (; (cqe = cairn_cq_next(s->cq)); cairn_cq_consume(s->cq))
		judge(s, cqe);
	cairn_cq_update(s->cq);
}

void srq_step(struct srq_scene *s, uint64_t cycles)
{
	rdma_run(s->r, cycles);
	srq_take(s);
	rdma_poll(s->r);
}

bool srq_busy(const struct srq_scene *s)
{
	for (unsigned int i = 0; i < SRQ_LANES; i++)
		if (s->lane[i].rx && s->lane[i].head != s->lane[i].tail)
			return true;
	return rdma_due(s->r);
}

/* Until all has arrived and is acknowledged; now and then up to `refill` slots are given. */
void srq_finish(struct srq_scene *s, unsigned int refill)
{
	for (unsigned int i = 0; srq_busy(s); i++) {
		if (i == 40000)
			rdma_fail(s->r, "messages stay away; %u slots are left", srq_left(s));
		srq_step(s, 100);
		if (refill && rng_percent(&s->r->rng, 20))
			srq_give(s, 1 + (unsigned int)rng_below(&s->r->rng, refill));
	}
}

/* ---------------------------------------------------------------- scenes */

static void connect(struct srq_lane *l)
{
	if (l->tx->cfg.type != CAIRN_QP_TYPE_UD) {
		rdma_connect(l->tx, l->rx);
		return;
	}
	/* a UD QP looks at nothing of it */
	rdma_to_rts(l->tx, &(struct rdma_far){ 0 });
	rdma_to_rts(l->rx, &(struct rdma_far){ 0 });
}

static void create_receiver(struct srq_scene *s, struct srq_lane *l)
{
	struct rdma_qp_cfg cfg = l->tx->cfg;
	struct rdma_cq cq = { .cq = s->cq };

	cfg.sq_psn = CAIRN_ANY;
	cfg.srq = s->srq;
	cfg.recv_cq = &cq;
	l->rx = rdma_create_qp(s->r, 1, &cfg);
	l->rx->cfg.recv_cq = NULL; /* cq ends here */
	l->qpn = l->rx->qp->qpn;
}

void srq_create_lane(struct srq_scene *s, struct srq_lane *l, enum cairn_qp_type type)
{
	struct rdma_qp_cfg cfg;

	*l = (struct srq_lane){ 0 };
	rdma_qp_cfg_init(&cfg);
	cfg.type = type;
	cfg.qkey = QKEY;
	cfg.retry_cnt = 2; /* 3 ms: more than some commands take */
	l->tx = rdma_create_qp(s->r, 0, &cfg);
	create_receiver(s, l);
	connect(l);
}

/* The second lane is always RC. */
struct srq_scene srq_begin(enum cairn_qp_type first, uint32_t slot_len, const struct rdma_cfg *cfg)
{
	struct srq_scene s = { .r = rdma_begin(cfg), .slot_len = slot_len };
	struct cairn_srq_init init = { .max_wr = SRQ_SLOTS, .max_sge = 2 };
	struct rdma_nic *nic = &s.r->nic[1];

	rdma_ok(s.r, cairn_create_srq(nic->pd, &init, &s.srq), "SRQ");
	rdma_assert(s.r, init.max_wr == SRQ_SLOTS && init.max_sge == 2);
	rdma_ok(s.r, cairn_create_cq(nic->dev, 64, CAIRN_ANY, NULL, NULL, &s.cq), "CQ");
	s.src = rdma_buf(s.r, 0, BYTES, 11);
	s.dst = rdma_buf(s.r, 1, (size_t)SRQ_SLOTS * slot_len, 3);
	s.far = rdma_buf(s.r, 1, (size_t)SRQ_LANES * SRQ_RING * SMALL, 0);
	for (unsigned int i = 0; i < SRQ_LANES; i++)
		srq_create_lane(&s, &s.lane[i], i ? CAIRN_QP_TYPE_RC : first);
	return s;
}

/* Nothing is lost: all 16 slots can be there at once, and each takes a message; then none does. */
void srq_all_usable(struct srq_scene *s)
{
	srq_finish(s, SRQ_SLOTS); /* what waits for slots */
	rdma_assert(s->r, srq_left(s) == srq_outside(s));
	srq_give(s, SRQ_SLOTS);
	rdma_assert(s->r, srq_left(s) == SRQ_SLOTS);
	for (unsigned int i = 0; i < SRQ_SLOTS; i++)
		srq_send(s, &s->lane[i % SRQ_LANES], 1);
	srq_finish(s, 0);
	rdma_assert(s->r, !srq_left(s) && !srq_outside(s));
}

void srq_end(struct srq_scene *s)
{
	struct rdma *r = s->r;

	srq_all_usable(s);
	srq_step(s, 5000);
	rdma_assert(r, !cairn_cq_next(s->cq));
	rdma_counters_check(r);
	for (unsigned int i = 0; i < SRQ_LANES; i++)
		rdma_assert(r, rdma_destroy_qp(s->lane[i].rx) == CAIRN_ANY);
	rdma_ok(r, cairn_destroy_srq(s->srq), "SRQ");
	rdma_ok(r, cairn_destroy_cq(s->cq), "CQ");
	rdma_end(r);
}

unsigned int srq_events(struct srq_scene *s, enum cairn_eqe_type type, uint32_t number)
{
	const struct rdma_nic *nic = &s->r->nic[1];
	unsigned int n = 0;

	rdma_events(s->r, 1, type);
	for (unsigned int i = 0; i < nic->events; i++)
		n += nic->event[i].type == (uint32_t)type && nic->event[i].number == number;
	return n;
}
