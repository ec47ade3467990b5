// SPDX-License-Identifier: Apache-2.0
/*
 * Lock-step (lock.h): what is posted.  Sources never change; destinations are used once, but for a
 * small area of each QP that its inbound WRITEs go to again and again, and its receive buffers: so
 * what memory has to be does not depend on when something is executed, only on the order within a
 * QP.
 */
#include "lock.h"

#define RECV_SLOTS 4u
#define SQ_KEEP 12u    /* blocks that stay free */
#define SETTLE_NS 4000 /* a doorbell has reached the NIC's queues */

enum { NIC, PEER };

static uint32_t biggest(const struct lock *l)
{
	return !l->run.big ? 8192 : l->run.biggest ? l->run.biggest : 65536;
}

static uint32_t some_length(struct lock *l, const struct lock_qp *qp)
{
	uint32_t pmtu = qp->cfg.pmtu, what = (uint32_t)rng_below(&l->rng, 100);

	if (qp->cfg.transport == CAIRN_TRANSPORT_UD) /* few are too long */
		return (uint32_t)rng_below(&l->rng, what < 50 ? 200 : pmtu + 1) + (what == 99);
	if (l->run.big && rng_percent(&l->rng, l->run.big))
		return (uint32_t)rng_below(&l->rng, biggest(l) + 1);
	if (what < 8)
		return 0;
	if (what < 60)
		return (uint32_t)rng_range(&l->rng, 1, 200);
	if (what < 80) /* around multiples of the MTU */
		return (uint32_t)(rng_range(&l->rng, 1, 8192 / pmtu) * pmtu -
				  (rng_percent(&l->rng, 50) ? rng_below(&l->rng, 5) : 0));
	return (uint32_t)rng_below(&l->rng, 8192 < 4 * pmtu ? 8192 : 4 * pmtu);
}

/* Cut a length into at most `max` pieces, some of them empty; returns how many. */
static unsigned int cut(struct lock *l, uint32_t len, unsigned int max, uint32_t *piece)
{
	unsigned int n = (unsigned int)rng_range(&l->rng, !!len, max);

	for (unsigned int i = 0; i < n; i++) {
		piece[i] = i + 1 == n		      ? len
			   : rng_percent(&l->rng, 15) ? 0
						      : (uint32_t)rng_below(&l->rng, len + 1);
		len -= piece[i];
	}
	return n;
}

static bool reads(enum model_op op)
{
	return op >= MODEL_READ;
}

static bool atomic(enum model_op op)
{
	return op > MODEL_READ;
}

/* ---------------------------------------------------------------- the NIC's requests */

static enum cairn_wqe_op wqe_op(enum model_op op, enum model_extra extra)
{
	static const enum cairn_wqe_op ops[][3] = {
		[MODEL_SEND] = { CAIRN_WQE_OP_SEND, CAIRN_WQE_OP_SEND_IMM, CAIRN_WQE_OP_SEND_INV },
		[MODEL_WRITE] = { CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_WRITE_IMM },
		[MODEL_READ] = { CAIRN_WQE_OP_READ },
		[MODEL_CMP_SWAP] = { CAIRN_WQE_OP_ATOMIC_CS },
		[MODEL_FETCH_ADD] = { CAIRN_WQE_OP_ATOMIC_FA },
	};

	return ops[op][extra];
}

/* Which of a QP's requests is the one that fails. */
static bool fatal(const struct lock *l, const struct lock_qp *qp, unsigned int side)
{
	bool mine = side == NIC ? l->run.error == LOCK_BAD_RKEY || l->run.error == LOCK_BAD_LKEY ||
					  l->run.error == LOCK_TOO_LONG
				: l->run.error == LOCK_PEER_BAD_RKEY ||
					  l->run.error == LOCK_PEER_TOO_LONG;

	return mine && qp->posted[side] == l->run.messages / 2;
}

/* Its local key is to be the wrong one: nothing of it may be in the WQE. */
static bool by_key(const struct lock *l, const struct lock_qp *qp)
{
	return l->run.error == LOCK_BAD_LKEY && fatal(l, qp, NIC);
}

static void nic_elements(struct lock *l, struct lock_qp *qp, struct rdma_wr *wr,
			 struct model_send *s, uint32_t len)
{
	uint32_t piece[MODEL_MAX_SGE], n;

	if (!reads(s->op) && len <= qp->rtl->cfg.max_inline && !by_key(l, qp) &&
	    rng_percent(&l->rng, 25)) {
		uint64_t at = rng_below(&l->rng, LOCK_SRC_BYTES - len);

		wr->in_wqe = true;
		wr->num_sge = s->sges = 1;
		wr->sge[0] =
			(struct cairn_sge){ .addr = (uintptr_t)l->src->data + at, .length = len };
		s->sge[0] = (struct model_sge){ l->src->mr->va + at, len, l->src->mr->key };
		return;
	}
	n = atomic(s->op) ? 1 : cut(l, len, qp->rtl->cfg.send_sge, piece);
	if (atomic(s->op))
		piece[0] = len;
	wr->num_sge = s->sges = n;
	for (unsigned int i = 0; i < n; i++) {
		struct rdma_buf *buf = reads(s->op) ? l->dst : l->src;
		uint64_t at = reads(s->op) ? l->dst_at
					   : rng_below(&l->rng, LOCK_SRC_BYTES - piece[i] + 1);

		if (reads(s->op))
			l->dst_at += piece[i];
		wr->sge[i] = rdma_sge(buf, at, piece[i]);
		s->sge[i] = (struct model_sge){ wr->sge[i].addr, piece[i], wr->sge[i].lkey };
		if (!piece[i] && rng_percent(&l->rng, 50)) /* nobody looks at these */
			wr->sge[i].lkey = s->sge[i].key = (uint32_t)rng_u64(&l->rng);
	}
}

static void spoil_nic(struct lock *l, struct lock_qp *qp, struct rdma_wr *wr, struct model_send *s)
{
	if (l->run.error == LOCK_BAD_RKEY)
		wr->rkey = s->remote_key ^= 0x100;
	if (l->run.error == LOCK_BAD_LKEY)
		for (unsigned int i = 0; i < s->sges; i++)
			wr->sge[i].lkey = s->sge[i].key ^= 0x100;
	(void)qp;
}

/* `at`: what is there now, and may be there when it is executed. */
static void operands(struct lock *l, struct model_send *s, const uint8_t *at)
{
	s->swap_add = rng_u64(&l->rng);
	memcpy(&s->compare, at, 8);
	s->compare += rng_percent(&l->rng, 30);
}

/* What the peer's memory is to the NIC's request. */
static void nic_remote(struct lock *l, struct model_send *s, uint32_t len)
{
	s->remote_key = l->peer_key;
	if (atomic(s->op)) {
		uint64_t at = LOCK_SRC_BYTES + LOCK_DST_BYTES + 8 * rng_below(&l->rng, 16);

		s->remote_addr = l->peer_base + at;
		operands(l, s, l->peer_mem + at);
	} else if (s->op == MODEL_READ) {
		s->remote_addr = l->peer_base + rng_below(&l->rng, LOCK_SRC_BYTES - len + 1);
	} else if (s->op == MODEL_WRITE) {
		s->remote_addr = l->peer_base + LOCK_SRC_BYTES + l->peer_dst_at;
		l->peer_dst_at += len;
	}
}

/* Of what the QP and the NIC can do. */
static enum model_op some_op(struct lock *l, const struct lock_qp *qp)
{
	bool atomics = l->r->nic[0].caps.features & CAIRN_REG_FEATURES_ATOMIC;

	if (qp->cfg.transport == CAIRN_TRANSPORT_UD)
		return MODEL_SEND;
	if (qp->cfg.transport == CAIRN_TRANSPORT_UC)
		return rng_percent(&l->rng, 50) ? MODEL_SEND : MODEL_WRITE;
	if (atomics && rng_percent(&l->rng, 20))
		return rng_percent(&l->rng, 50) ? MODEL_CMP_SWAP : MODEL_FETCH_ADD;
	return rng_percent(&l->rng, 33) ? MODEL_READ : rng_percent(&l->rng, 50) ? MODEL_SEND
										: MODEL_WRITE;
}

static void choose(struct lock *l, const struct lock_qp *qp, struct model_send *s)
{
	s->op = some_op(l, qp);
	if (!reads(s->op) && rng_percent(&l->rng, 35))
		s->extra = MODEL_IMM;
	s->signaled = rng_percent(&l->rng, 60);
	s->solicited = rng_percent(&l->rng, 30);
	s->fence = rng_percent(&l->rng, 5);
	if (s->extra)
		s->imm_or_key = (uint32_t)rng_u64(&l->rng);
	/* a wrong Q_Key now and then */
	s->ud_qkey = LOCK_QKEY ^ rng_percent(&l->rng, 3);
}

/* How long it may be: where destinations have run out, nothing. */
static uint32_t fit(uint32_t len, uint32_t at)
{
	return at + len <= LOCK_DST_BYTES ? len : 0;
}

static void make_fatal(const struct lock *l, struct model_send *s, uint32_t *len)
{
	bool too_long = l->run.error == LOCK_TOO_LONG || l->run.error == LOCK_PEER_TOO_LONG;

	s->extra = MODEL_PLAIN;
	if (too_long)
		s->op = MODEL_SEND;
	else if (l->run.error == LOCK_BAD_LKEY ? reads(s->op) : s->op == MODEL_SEND)
		s->op = MODEL_WRITE; /* a READ's local memory is looked at when its data comes */
	if (!atomic(s->op))
		*len = too_long ? biggest(l) + 1 : *len + 1;
	s->signaled = true;
}

/* Datagrams: to the peer of the QP. */
static void address(struct lock *l, const struct lock_qp *qp, struct rdma_wr *wr,
		    struct model_send *s)
{
	s->ud_qpn = qp->peer_qpn;
	memcpy(s->ud_gid, qp->cfg.peer_gid, 16);
	wr->av = (struct rdma_av){ .dmac = l->peer_mac,
				   .sport = (uint16_t)(0xc000 | rng_below(&l->rng, 0x4000)),
				   .sgid_index = (uint8_t)qp->rtl->cfg.gid_index,
				   .dqpn = s->ud_qpn,
				   .qkey = s->ud_qkey };
	memcpy(wr->av.dgid, s->ud_gid, 16);
}

static void nic_post(struct lock *l, struct lock_qp *qp)
{
	bool bad = fatal(l, qp, NIC);
	struct model_send s = { 0 };
	struct rdma_wr wr = { 0 };
	uint32_t len, blocks, index = qp->rtl->qp->sq_pi & 0xffff;
	int err;

	choose(l, qp, &s);
	if (s.op == MODEL_SEND)
		lock_key_far(l, qp, &s);
	len = atomic(s.op) ? 8 : some_length(l, qp);
	if (bad)
		make_fatal(l, &s, &len);
	/* a datagram too long for any packet shows with its completion only */
	s.signaled |= ++qp->wqes % 8 == 0 || len > l->port_mtu;
	if (s.op != MODEL_SEND)
		len = fit(len, reads(s.op) ? l->dst_at : l->peer_dst_at);
	nic_remote(l, &s, len);
	nic_elements(l, qp, &wr, &s, len);
	wr.op = wqe_op(s.op, s.extra);
	wr.raddr = s.remote_addr;
	wr.rkey = s.remote_key;
	wr.imm = s.extra == MODEL_INV ? s.imm_or_key : __builtin_bswap32(s.imm_or_key);
	wr.unsignaled = !s.signaled;
	wr.solicited = s.solicited;
	wr.fence = s.fence;
	wr.compare = s.compare;
	wr.swap_add = s.swap_add;
	address(l, qp, &wr, &s);
	if (bad)
		spoil_nic(l, qp, &wr, &s);
	blocks = wr.in_wqe ? cairn_wqe_blocks(qp->rtl->cfg.type, 0, len)
			   : cairn_wqe_blocks(qp->rtl->cfg.type, wr.num_sge, 0);
	s.id = index | (uint32_t)wr.op << 16 | blocks << 24 | (uint64_t)len << 32;
	rdma_write_wqe(qp->rtl, &wr, len, blocks);
	err = model_post_send(l->shadow, qp->qpn, &s);
	if (err)
		lock_fail(l, qp, "the shadow takes no send request: %s", strerror(-err));
	lock_cq_take(l);
	qp->posted[NIC]++;
}

/* Now and then an operation without a packet, which the model does not do as datagrams. */
static bool nic_nop(struct lock *l, struct lock_qp *qp)
{
	struct model_send s = { .op = MODEL_LOCAL, .signaled = true };
	struct rdma_wr wr = { 0 };

	if (qp->cfg.transport == CAIRN_TRANSPORT_UD || !rng_percent(&l->rng, 5))
		return false;
	do
		wr.op = (enum cairn_wqe_op)rng_below(&l->rng, CAIRN_WQE_OPS);
	while (!rdma_is_kind(wr.op, CAIRN_WQE_KIND_NOP));
	s.id = (qp->rtl->qp->sq_pi & 0xffff) | (uint32_t)wr.op << 16 | 1 << 24;
	rdma_write_wqe(qp->rtl, &wr, 0, 1);
	if (model_post_send(l->shadow, qp->qpn, &s))
		lock_fail(l, qp, "the shadow takes no operation without a packet");
	return true;
}

/* Blocks between the oldest request without a completion and the producer. */
static uint32_t sq_used(const struct lock *l, const struct lock_qp *qp)
{
	const struct model_qp *shadow = model_qp(l->shadow, qp->qpn);
	const struct model_sqe *e = model_fifo_at(&shadow->req.queue, 0);
	uint32_t oldest = qp->rtl->qp->sq_pi;

	if (e)
		oldest = (uint32_t)e->wr.id;
	if (lock_count(&qp->due[0]))
		oldest = (uint32_t)lock_first(&qp->due[0])->id;
	return (qp->rtl->qp->sq_pi - oldest) & 0xffff;
}

static bool nic_sends(struct lock *l, struct lock_qp *qp)
{
	uint32_t room = 1u << qp->rtl->qp->sq_log2;
	unsigned int n = (unsigned int)rng_range(&l->rng, 1, 6), before = qp->posted[NIC];

	if (qp->posted[NIC] >= qp->to_post[NIC])
		return false;
	if (!rng_percent(&l->rng, 20))
		return true;
	while (n-- && qp->posted[NIC] < qp->to_post[NIC] && sq_used(l, qp) + SQ_KEEP < room)
		if (!nic_nop(l, qp) && !lock_key_post(l, qp))
			nic_post(l, qp);
	if (qp->posted[NIC] != before)
		rdma_ring(qp->rtl);
	return true;
}

/* ---------------------------------------------------------------- the peer's requests */

static void peer_remote(struct lock *l, struct lock_qp *qp, struct model_send *s, uint32_t *len)
{
	const struct rdma_buf *to = l->dst;
	uint64_t at = l->dst_at;

	if (s->op == MODEL_READ) {
		to = l->src;
		at = rng_below(&l->rng, LOCK_SRC_BYTES - *len + 1);
	} else if (atomic(s->op)) {
		to = qp->hot;
		at = 8 * rng_below(&l->rng, 64) + (-to->mr->va & 7);
		operands(l, s, to->data + at);
	} else if (*len <= LOCK_HOT_BYTES / 2 && rng_percent(&l->rng, 50)) {
		to = qp->hot;
		at = rng_below(&l->rng, LOCK_HOT_BYTES / 2);
	} else {
		*len = fit(*len, l->dst_at);
		l->dst_at += *len;
	}
	s->remote_addr = to->mr->va + at;
	s->remote_key = to->mr->key;
}

static void peer_post(struct lock *l, struct lock_qp *qp)
{
	bool bad = fatal(l, qp, PEER);
	struct model_send s = { .sges = 1 };
	uint32_t len;

	choose(l, qp, &s);
	if (s.op == MODEL_SEND)
		lock_key_inv(l, qp, &s);
	len = atomic(s.op) ? 8 : some_length(l, qp);
	if (bad)
		make_fatal(l, &s, &len);
	if (s.op != MODEL_SEND && !lock_key_use(l, qp, &s, len))
		peer_remote(l, qp, &s, &len);
	if (reads(s.op))
		len = fit(len, l->peer_dst_at);
	s.sge[0] = (struct model_sge){ .length = len, .key = l->peer_key };
	s.sge[0].addr = reads(s.op) ? l->peer_base + LOCK_SRC_BYTES + l->peer_dst_at
				    : l->peer_base + rng_below(&l->rng, LOCK_SRC_BYTES - len + 1);
	if (reads(s.op))
		l->peer_dst_at += len;
	if (bad && l->run.error == LOCK_PEER_BAD_RKEY)
		s.remote_key ^= 0x100;
	s.id = qp->posted[PEER]++;
	s.ud_qpn = qp->qpn;
	memcpy(s.ud_gid, qp->cfg.gid, 16);
	if (model_post_send(l->peer, qp->peer_qpn, &s))
		lock_fail(l, qp, "the peer takes no send request");
}

static bool peer_sends(struct lock *l, struct lock_qp *qp)
{
	unsigned int n = (unsigned int)rng_range(&l->rng, 1, 6);
	struct model_view view;

	if (qp->posted[PEER] >= qp->to_post[PEER])
		return false;
	model_look(l->peer, qp->peer_qpn, &view);
	if (view.sends > 40 || !rng_percent(&l->rng, 20))
		return true;
	while (n-- && qp->posted[PEER] < qp->to_post[PEER])
		peer_post(l, qp);
	return true;
}

/* ---------------------------------------------------------------- receives */

static void peer_recvs(struct lock *l, struct lock_qp *qp)
{
	uint32_t room = biggest(l);
	struct model_recv wr = { .sges = 1 };
	struct model_view view;

	model_look(l->peer, qp->peer_qpn, &view);
	if (view.recvs > 20 || !rng_percent(&l->rng, view.recvs > 4 ? 50 : 100 - l->run.rnr))
		return;
	for (unsigned int n = (unsigned int)rng_range(&l->rng, 1, 8); n; n--) {
		/* bytes behind the destinations, which nobody compares */
		wr.sge[0] = (struct model_sge){ l->peer_base + LOCK_SRC_BYTES + LOCK_DST_BYTES,
						room, l->peer_key };
		model_post_recv(l->peer, qp->peer_qpn, &wr);
	}
}

static void nic_recv(struct lock *l, struct lock_qp *qp)
{
	uint32_t index = qp->rtl->qp->rq_pi, piece[MODEL_MAX_SGE], room = biggest(l);
	struct cairn_sge *slot = cairn_rq_entry(qp->rtl->qp, index);
	uint64_t at = (uint64_t)LOCK_DST_BYTES +
		      (uint64_t)((qp - l->qp) * RECV_SLOTS + index % RECV_SLOTS) * 65536;
	struct model_recv wr = { .id = index & 0xffff };

	wr.sges = cut(l, room, qp->rtl->cfg.recv_sge, piece);
	memset(slot, 0, qp->rtl->qp->rq_stride * sizeof(*slot));
	for (unsigned int i = 0; i < wr.sges; i++) {
		slot[i] = rdma_sge(l->dst, at, piece[i]);
		wr.sge[i] = (struct model_sge){ slot[i].addr, piece[i], slot[i].lkey };
		at += piece[i];
	}
	qp->rtl->qp->rq_pi++;
	if (model_post_recv(l->shadow, qp->qpn, &wr))
		lock_fail(l, qp, "the shadow takes no receive request");
	lock_cq_take(l);
}

static void nic_recvs(struct lock *l, struct lock_qp *qp, bool first)
{
	struct model_view view;
	unsigned int n;

	model_look(l->shadow, qp->qpn, &view);
	if (!first && !qp->gate_closed) {
		if (view.recvs > 40 || !rng_percent(&l->rng, view.recvs > 6 ? 1 : 20) ||
		    (view.recvs && rng_percent(&l->rng, l->run.rnr)))
			return;
		qp->gate_closed = lock_now(l);
		qp->gate_until = lock_now(l) + LOCK_GATE_NS + l->take_ns;
		return;
	}
	if (!first && lock_now(l) < qp->gate_closed + LOCK_GATE_NS + l->take_ns)
		return;
	n = (unsigned int)rng_range(&l->rng, 1, l->run.rnr ? 8 : 20);
	while (n--)
		nic_recv(l, qp);
	rdma_ring_recv(qp->rtl);
	qp->gate_closed = 0;
	qp->gate_until = lock_now(l) + SETTLE_NS + l->take_ns;
}

void lock_gen_begin(struct lock *l)
{
	lock_key_begin(l);
	for (unsigned int i = 0; i < l->n; i++) {
		struct lock_qp *qp = &l->qp[i];
		bool only_nic = l->run.error == LOCK_BAD_RKEY || l->run.error == LOCK_BAD_LKEY ||
				l->run.error == LOCK_TOO_LONG;
		bool only_peer = l->run.error && !only_nic;

		qp->to_post[NIC] = only_peer ? 0 : l->run.messages;
		qp->to_post[PEER] = only_nic ? 0 : l->run.messages;
		nic_recvs(l, qp, true);
	}
}

bool lock_gen(struct lock *l)
{
	bool more = false;

	for (unsigned int i = 0; i < l->n; i++) {
		struct lock_qp *qp = &l->qp[i];

		more |= nic_sends(l, qp);
		more |= peer_sends(l, qp);
		peer_recvs(l, qp);
		nic_recvs(l, qp, false);
	}
	return more;
}
