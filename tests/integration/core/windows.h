/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scene of the tests of keys that come and go by work request: NIC 1 owns memory and binds windows
 * to it, NIC 0 reaches it; see test_windows.c, test_invalidate.c.
 */
#ifndef CAIRN_TEST_WINDOWS_H
#define CAIRN_TEST_WINDOWS_H

#include "rdma.h"

#include <errno.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define WINDOW (CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_READ | CAIRN_ACCESS_REMOTE_ATOMIC)
/* A window may let a peer do what the region itself does not. */
#define BINDABLE (CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_MW_BIND)
#define SIZE 16384u
#define FROM 1000u /* of the region's bytes that windows show, a multiple of 8 */
#define SHOWN 6000u

struct scene {
	struct rdma *r;
	struct rdma_qp *a, *b; /* of NIC 0 and of NIC 1 */
	struct rdma_buf *local, *far;
	struct cairn_mw *mw;
	uint8_t tag;
};

static inline struct rdma_buf *region(struct rdma *r, unsigned int nic, uint32_t access,
				      enum cairn_mr_kind kind, struct cairn_pd *pd)
{
	struct rdma_buf_cfg cfg = { .len = SIZE, .access = access, .kind = kind, .pd = pd };

	return rdma_buf_with(r, nic, &cfg);
}

static inline struct rdma_qp *pair(struct rdma *r)
{
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.access = WINDOW;
	return rdma_pair(r, 0, 1, &cfg);
}

static inline struct scene scene(uint32_t type)
{
	struct scene s = { .r = rdma_begin(NULL) };

	s.a = pair(s.r);
	s.b = s.a->peer;
	s.local = region(s.r, 0, RDMA_ALL_ACCESS, CAIRN_MR_AUTO, NULL);
	s.far = region(s.r, 1, BINDABLE,
		       rng_below(&s.r->rng, 2) ? CAIRN_MR_USE_PAGED : CAIRN_MR_AUTO, NULL);
	if (type)
		rdma_ok(s.r, cairn_alloc_mw(s.r->nic[1].pd, type, &s.mw), "window");
	return s;
}

static inline void end(struct scene *s)
{
	if (s->mw)
		rdma_ok(s->r, cairn_dealloc_mw(s->mw), "end of the window");
	rdma_end(s->r);
}

static inline struct rdma_wr bind_part(struct scene *s, size_t offset, size_t len, uint32_t access)
{
	return rdma_bind(s->mw, (uint8_t)(s->mw->key + 1), s->far, offset, len, access);
}

/* By QP b, and it succeeds. */
static inline void bind(struct scene *s, size_t offset, size_t len, uint32_t access)
{
	struct rdma_wr wr = bind_part(s, offset, len, access);

	rdma_do(s->b, &wr);
	s->mw->key = wr.imm;
}

static inline struct rdma_wr access_by(struct scene *s, enum cairn_wqe_op op, uint32_t key,
				       size_t offset, size_t len)
{
	struct rdma_wr wr =
		rdma_wr(op, s->local, op == CAIRN_WQE_OP_READ ? 8192 : 0, s->far, offset, len);

	wr.swap_add = rng_u64(&s->r->rng);
	return rdma_through(wr, key, s->far->mr->va + offset);
}

static inline void works(struct scene *s, struct rdma_qp *qp, uint32_t key, size_t offset,
			 size_t len)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_ATOMIC_FA,
						 CAIRN_WQE_OP_READ, CAIRN_WQE_OP_ATOMIC_CS };

	for (size_t i = 0; i < LEN(ops); i++) {
		bool atomic = ops[i] == CAIRN_WQE_OP_ATOMIC_CS || ops[i] == CAIRN_WQE_OP_ATOMIC_FA;
		struct rdma_wr wr = access_by(s, ops[i], key, offset, atomic ? 8 : len);

		rdma_do(qp, &wr);
	}
}

/* A new pair, since the two of a refused access are lost; QP b with it where the window is its. */
static inline struct rdma_qp *renew(struct scene *s, struct rdma_qp *qp)
{
	if (qp != s->a)
		return pair(s->r);
	s->a = pair(s->r);
	s->b = s->a->peer;
	return s->a;
}

/* All of n cases with EVERY=1, else `few` of them, other ones with another seed. */
static inline bool skipped(struct scene *s, unsigned int n, unsigned int few)
{
	return !getenv("EVERY") && rng_below(&s->r->rng, n) >= few;
}

/* NAK remote access error; the peer's QP ends, an event and two counters tell. */
static inline struct rdma_qp *refused(struct scene *s, struct rdma_qp *qp, struct rdma_wr *wr,
				      enum cairn_counter why)
{
	uint64_t naks = rdma_counter(s->r, 1, CAIRN_COUNTER_RESP_ACCESS_ERR);
	uint64_t seen = rdma_counter(s->r, 0, CAIRN_COUNTER_REQ_REM_ACCESS);
	uint64_t keys = rdma_counter(s->r, 1, why);
	unsigned int events = rdma_events(s->r, 1, CAIRN_EQE_TYPE_QP_ACCESS_ERR);

	wr->expect = CAIRN_WC_STATUS_REM_ACCESS_ERR;
	wr->vendor = CAIRN_VENDOR_ERR_NAK_ACCESS;
	rdma_do(qp, wr);
	rdma_settle(s->r, 1000);
	rdma_assert(s->r, rdma_counter(s->r, 1, CAIRN_COUNTER_RESP_ACCESS_ERR) == naks + 1);
	rdma_assert(s->r, rdma_counter(s->r, 0, CAIRN_COUNTER_REQ_REM_ACCESS) == seen + 1);
	/* a packet that waits for something is looked at again */
	rdma_assert(s->r, rdma_counter(s->r, 1, why) > keys);
	rdma_assert(s->r, rdma_events(s->r, 1, CAIRN_EQE_TYPE_QP_ACCESS_ERR) == events + 1);
	rdma_assert(s->r, rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
	rdma_assert(s->r, rdma_qp_state(qp->peer) == CAIRN_QP_STATE_ERR);
	return renew(s, qp);
}

static inline struct rdma_qp *refused_at(struct scene *s, struct rdma_qp *qp, uint32_t key,
					 size_t offset, enum cairn_counter why)
{
	struct rdma_wr wr = access_by(s, CAIRN_WQE_OP_WRITE, key, offset, 100);

	return skipped(s, 3, 1) ? qp : refused(s, qp, &wr, why);
}

/* A request of a send queue fails by itself: that one, those behind flush, the QP is in ERR. */
static inline void fails(struct scene *s, struct rdma_wr wr, enum cairn_wc_status status,
			 enum cairn_vendor_err vendor)
{
	struct rdma_wr behind = rdma_wr(CAIRN_WQE_OP_WRITE, s->far, 0, s->local, 0, 64);
	uint64_t done = rdma_counter(s->r, 1, CAIRN_COUNTER_LOCAL_OPS);
	unsigned int events = rdma_events(s->r, 1, CAIRN_EQE_TYPE_QP_FATAL);

	rdma_post(s->b, &behind);
	wr.expect = status;
	wr.vendor = vendor;
	wr.unsignaled = rng_below(&s->r->rng, 2);
	rdma_post(s->b, &wr);
	behind.no_data = true;
	rdma_post(s->b, &behind);
	rdma_ring(s->b);
	rdma_wait(s->r);
	rdma_settle(s->r, 1000);
	rdma_assert(s->r, s->b->sq_failed);
	rdma_assert(s->r, rdma_qp_state(s->b) == CAIRN_QP_STATE_ERR);
	rdma_assert(s->r, rdma_counter(s->r, 1, CAIRN_COUNTER_LOCAL_OPS) == done);
	rdma_assert(s->r, rdma_events(s->r, 1, CAIRN_EQE_TYPE_QP_FATAL) == events);
	renew(s, s->a);
}

#endif
