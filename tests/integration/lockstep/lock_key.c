// SPDX-License-Identifier: Apache-2.0
/*
 * Lock-step (lock.h): keys that come and go by work request.  Each RC QP of the NIC has a type 2
 * window and a region for fast registration:
 *
 *     NIC binds or registers -> its completion -> the peer uses the key
 *         -> the peer's SEND with invalidate, or the NIC's LOCAL_INV, then the same again
 *
 * A key ends only when no request that names it is under way, nor a copy of one on a bad wire: a
 * READ's data is fetched when it is answered, so what it meets otherwise depends on time.  (A SEND
 * with invalidate may stand behind them when it is fenced.)  The peer reads below the middle of
 * what a key covers and writes above, so what a READ finds does not depend on that either.
 *
 * The NIC's SENDs with invalidate end keys of the peer, each made for this one purpose.
 */
#include "lock.h"

enum { WINDOW, FAST };

#define HALF (LOCK_HOT_BYTES / 2)
#define EDGE 512u /* at either end, which a window may not cover */
#define REMOTE (CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_READ | CAIRN_ACCESS_REMOTE_ATOMIC)

static struct rdma_buf *buffer(struct lock *l, enum cairn_mr_kind kind, uint32_t access)
{
	struct rdma_buf_cfg cfg = { .len = LOCK_HOT_BYTES,
				    .offset = (unsigned int)rng_below(&l->rng, 512) * 8,
				    .access = access,
				    .kind = kind };

	return lock_buffer(l, cfg);
}

void lock_key_begin(struct lock *l)
{
	for (unsigned int i = 0; i < l->n; i++) {
		struct lock_qp *qp = &l->qp[i];

		qp->keys = l->run.keys && lock_rc(qp) &&
			   l->r->nic[0].caps.features & CAIRN_REG_FEATURES_MW;
		if (!qp->keys)
			continue;
		qp->key[WINDOW].buf = buffer(l, CAIRN_MR_AUTO,
					     CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_MW_BIND);
		qp->key[FAST].buf = buffer(l, CAIRN_MR_BY_WORK_REQUEST, LOCK_ACCESS);
		rdma_ok(l->r, cairn_alloc_mw(l->r->nic[0].pd, 2, &qp->key[WINDOW].mw), "window");
	}
}

void lock_key_end(struct lock *l)
{
	for (unsigned int i = 0; i < l->n; i++)
		if (l->qp[i].keys)
			rdma_ok(l->r, cairn_dealloc_mw(l->qp[i].key[WINDOW].mw),
				"end of the window");
}

/* ---------------------------------------------------------------- the NIC's local operations */

static struct rdma_wr make(struct lock *l, struct lock_key *key, struct model_send *s)
{
	uint32_t edge = key->mw ? (uint32_t)rng_below(&l->rng, EDGE) : 0;
	uint32_t length = LOCK_HOT_BYTES - edge -
			  (key->mw ? (uint32_t)rng_below(&l->rng, EDGE) : 0);
	const struct rdma_buf *buf = key->buf;
	struct rdma_wr wr;

	key->tag++;
	wr = key->mw ? rdma_bind(key->mw, key->tag, buf, edge, length, REMOTE)
		     : rdma_reg(buf, key->tag, length, LOCK_ACCESS);
	key->key = wr.imm;
	s->made = (struct model_region){ .key = wr.imm,
					 .pd = LOCK_PD,
					 .rights = 15,
					 .base = wr.raddr,
					 .length = length,
					 .data = buf->shadow + (buf->data - buf->base) + edge };
	/* what the commands that end them go by */
	if (key->mw)
		key->mw->key = wr.imm;
	else
		key->buf->mr->key = wr.imm;
	return wr;
}

/* Nothing that names it is under way. */
static bool idle(const struct lock *l, const struct lock_qp *qp, struct lock_key *key)
{
	const struct model_sqe *e =
		model_fifo_at(&model_qp(l->peer, qp->peer_qpn)->req.queue, 0);

	if (key->used && (!e || e->wr.id > key->last_use)) {
		key->used = false;
		key->idle_since = lock_now(l);
	}
	return !key->used &&
	       (!l->run.n_rules || lock_now(l) > key->idle_since + LOCK_GATE_NS + l->take_ns);
}

bool lock_key_post(struct lock *l, struct lock_qp *qp)
{
	struct lock_key *key = &qp->key[rng_below(&l->rng, 2)];
	struct model_send s = { .op = MODEL_LOCAL, .signaled = true };
	struct rdma_wr wr;

	if (!qp->keys || !rng_percent(&l->rng, l->run.keys) ||
	    (key->state != LOCK_KEY_NONE && (key->state != LOCK_KEY_VALID || !idle(l, qp, key))))
		return false;
	if (key->state == LOCK_KEY_NONE) {
		wr = make(l, key, &s);
		key->state = LOCK_KEY_BEGINS;
	} else {
		wr = rdma_inv(key->key);
		s.gone = key->key;
		key->state = LOCK_KEY_ENDS;
	}
	wr.fence = s.fence = rng_percent(&l->rng, 20);
	s.id = (qp->rtl->qp->sq_pi & 0xffff) | (uint32_t)wr.op << 16 | 1 << 24 |
	       (uint64_t)key->key << 32;
	rdma_write_wqe(qp->rtl, &wr, 0, 1);
	if (model_post_send(l->shadow, qp->qpn, &s))
		lock_fail(l, qp, "the shadow takes no local operation");
	qp->posted[0]++;
	return true;
}

/* The NIC has completed a local operation, or a receive whose SEND ended a key. */
void lock_key_done(struct lock_qp *qp, uint32_t number)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct lock_key *key = &qp->key[i];
		bool valid = model_region_valid(qp->l->shadow, number);

		if (!qp->keys || key->key != number)
			continue;
		key->state = key->state == LOCK_KEY_BEGINS ? LOCK_KEY_VALID : LOCK_KEY_NONE;
		if (valid != (key->state == LOCK_KEY_VALID))
			lock_fail(qp->l, qp, "key 0x%08x is %s for the shadow", number,
				  valid ? "still valid" : "not valid");
	}
}

/* ---------------------------------------------------------------- the peer's requests */

/* `s` goes through a key instead: READ, WRITE or atomic, the next to be posted. */
bool lock_key_use(struct lock *l, struct lock_qp *qp, struct model_send *s, uint32_t len)
{
	struct lock_key *key = &qp->key[rng_below(&l->rng, 2)];
	uint64_t at = rng_below(&l->rng, HALF - 2 * EDGE - 8);

	if (!qp->keys || key->state != LOCK_KEY_VALID || len > EDGE || rng_percent(&l->rng, 40))
		return false;
	at += s->op == MODEL_READ ? EDGE : HALF;
	s->remote_addr = key->buf->mr->va + at;
	if (s->op > MODEL_READ) {
		s->remote_addr &= ~7ull;
		s->swap_add = rng_u64(&l->rng);
		s->compare = 0;
	}
	s->remote_key = key->key;
	key->used = true;
	key->last_use = qp->posted[1];
	return true;
}

/* A SEND of the peer ends a key of the NIC. */
bool lock_key_inv(struct lock *l, struct lock_qp *qp, struct model_send *s)
{
	struct lock_key *key = &qp->key[rng_below(&l->rng, 2)];

	if (!qp->keys || key->state != LOCK_KEY_VALID || (l->run.n_rules && !idle(l, qp, key)))
		return false;
	s->fence = true;
	s->extra = MODEL_INV;
	s->imm_or_key = key->key;
	key->state = LOCK_KEY_ENDS;
	return true;
}

/* A SEND of the NIC ends a key of the peer. */
bool lock_key_far(struct lock *l, struct lock_qp *qp, struct model_send *s)
{
	struct model_region region = { .key = (uint32_t)rng_u64(&l->rng),
				       .pd = LOCK_PEER_PD,
				       .rights = 15,
				       .length = 8,
				       .data = l->peer_mem };

	if (!qp->keys || !rng_percent(&l->rng, 30) || model_region_add(l->peer, &region))
		return false;
	s->extra = MODEL_INV;
	s->imm_or_key = region.key;
	return true;
}
