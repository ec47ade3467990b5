// SPDX-License-Identifier: Apache-2.0
/*
 * Memory windows of both types: what they allow, what they refuse and with which status.  IBTA
 * 10.6.7.2, docs/commands.md 8.  EVERY=1: all refusals, each of which costs a pair of QPs.
 */
#include <errno.h>

#include "windows.h"

/* ---------------------------------------------------------------- type 1 */

/* Of the protection domain: any QP of it; bound again without a pause; length 0 unbinds. */
static void type_1(void **state)
{
	struct scene s = scene(1);
	struct rdma_qp *other = pair(s.r);
	uint32_t key = s.mw->key;

	(void)state;
	other = refused_at(&s, other, key, FROM, CAIRN_COUNTER_MR_BAD_KEY); /* not bound yet */
	bind(&s, FROM, SHOWN, WINDOW);
	works(&s, s.a, s.mw->key, FROM, SHOWN);
	works(&s, other, s.mw->key, FROM + 8, SHOWN - 8);
	other = refused_at(&s, other, key, FROM, CAIRN_COUNTER_MR_BAD_KEY); /* the old tag */
	key = s.mw->key;
	bind(&s, FROM + 4096, SHOWN, WINDOW);
	works(&s, other, s.mw->key, FROM + 4096, SHOWN);
	other = refused_at(&s, other, key, FROM + 4096, CAIRN_COUNTER_MR_BAD_KEY);
	bind(&s, 0, 0, 0);
	other = refused_at(&s, other, s.mw->key, FROM + 4096, CAIRN_COUNTER_MR_BAD_KEY);
	bind(&s, 0, 0, 0); /* twice does no harm */
	bind(&s, FROM, SHOWN, WINDOW);
	works(&s, other, s.mw->key, FROM, SHOWN);
	end(&s);
}

static void bounds(void **state)
{
	struct scene s = scene(1);
	struct rdma_qp *other = pair(s.r);
	struct rdma_wr wr;

	(void)state;
	bind(&s, FROM, SHOWN, WINDOW);
	other = refused_at(&s, other, s.mw->key, FROM - 1, CAIRN_COUNTER_MR_BAD_BOUNDS);
	other = refused_at(&s, other, s.mw->key, FROM + SHOWN - 99, CAIRN_COUNTER_MR_BAD_BOUNDS);
	wr = access_by(&s, CAIRN_WQE_OP_READ, s.mw->key, FROM, SHOWN + 1);
	if (skipped(&s, 2, 1))
		wr = access_by(&s, CAIRN_WQE_OP_ATOMIC_FA, s.mw->key, FROM + SHOWN, 8);
	other = refused(&s, other, &wr, CAIRN_COUNTER_MR_BAD_BOUNDS);
	/* nothing of the first packets of a message that is too long */
	wr = access_by(&s, CAIRN_WQE_OP_WRITE, s.mw->key, FROM, SHOWN + 1);
	other = refused(&s, other, &wr, CAIRN_COUNTER_MR_BAD_BOUNDS);
	works(&s, other, s.mw->key, FROM, SHOWN);
	end(&s);
}

/* Each right on its own. */
static void rights(void **state)
{
	static const struct {
		enum cairn_wqe_op op;
		uint32_t access, len;
	} cases[] = { { CAIRN_WQE_OP_WRITE, CAIRN_ACCESS_REMOTE_WRITE, 2000 },
		      { CAIRN_WQE_OP_READ, CAIRN_ACCESS_REMOTE_READ, 2000 },
		      { CAIRN_WQE_OP_ATOMIC_FA, CAIRN_ACCESS_REMOTE_ATOMIC, 8 } };
	struct scene s = scene(1);
	struct rdma_qp *other = pair(s.r);

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct rdma_wr wr;

		if (skipped(&s, 3, 1))
			continue;
		bind(&s, FROM, SHOWN, cases[i].access);
		wr = access_by(&s, cases[i].op, s.mw->key, FROM, cases[i].len);
		rdma_do(other, &wr);
		bind(&s, FROM, SHOWN, WINDOW & ~cases[i].access);
		wr.rkey = s.mw->key;
		other = refused(&s, other, &wr, CAIRN_COUNTER_MR_BAD_RIGHTS);
	}
	/* the region behind it has no remote right of its own */
	other = refused_at(&s, other, s.far->mr->key, FROM, CAIRN_COUNTER_MR_BAD_RIGHTS);
	end(&s);
}

/* ---------------------------------------------------------------- type 2 */

static void type_2(void **state)
{
	struct scene s = scene(2);
	struct rdma_qp *other = pair(s.r);
	struct rdma_wr wr;
	uint32_t key;

	(void)state;
	bind(&s, FROM, SHOWN, WINDOW);
	works(&s, s.a, s.mw->key, FROM, SHOWN);
	other = refused_at(&s, other, s.mw->key, FROM, CAIRN_COUNTER_MR_BAD_PD);
	key = s.mw->key;
	wr = rdma_inv(key);
	rdma_do(s.b, &wr);
	refused_at(&s, s.a, key, FROM, CAIRN_COUNTER_MR_BAD_KEY);
	/* the same key once more, other bytes */
	s.mw->key--;
	bind(&s, FROM + 8, SHOWN, WINDOW);
	rdma_assert(s.r, s.mw->key == key);
	works(&s, s.a, key, FROM + 8, SHOWN);
	refused_at(&s, s.a, key, FROM, CAIRN_COUNTER_MR_BAD_BOUNDS);
	end(&s);
}

/* Addressed from 0 on. */
static void zero_based(void **state)
{
	struct scene s = scene(2);
	struct rdma_wr wr;

	(void)state;
	bind(&s, FROM, SHOWN, WINDOW | CAIRN_ACCESS_ZERO_BASED);
	for (size_t at = 0; at < SHOWN; at += SHOWN - 96) {
		wr = access_by(&s, CAIRN_WQE_OP_WRITE, s.mw->key, FROM + at, 96);
		wr.raddr = at;
		rdma_do(s.a, &wr);
	}
	wr.raddr++;
	refused(&s, s.a, &wr, CAIRN_COUNTER_MR_BAD_BOUNDS);
	end(&s);
}

/* What counts is where the 8 bytes are, not the address that a window gives them. */
static void zero_based_atomics(void **state)
{
	struct scene s = scene(2);
	uint64_t naks = rdma_counter(s.r, 1, CAIRN_COUNTER_RESP_INV_REQ);
	struct rdma_wr wr;

	(void)state;
	bind(&s, FROM + 8, SHOWN, WINDOW | CAIRN_ACCESS_ZERO_BASED);
	wr = access_by(&s, CAIRN_WQE_OP_ATOMIC_FA, s.mw->key, FROM + 8 + 16, 8);
	wr.raddr = 16;
	rdma_do(s.a, &wr);
	wr = rdma_inv(s.mw->key);
	rdma_do(s.b, &wr);
	bind(&s, FROM + 4, SHOWN, WINDOW | CAIRN_ACCESS_ZERO_BASED);
	wr = access_by(&s, CAIRN_WQE_OP_ATOMIC_FA, s.mw->key, FROM + 4, 8);
	wr.raddr = 0;
	wr.expect = CAIRN_WC_STATUS_REM_INV_REQ_ERR;
	rdma_do(s.a, &wr);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RESP_INV_REQ) == naks + 1);
	end(&s);
}

#define ADDS 30u

/* Memory registered twice, once zero-based, has two addresses on the bus; atomics by both keys see
 * one another. */
static void two_keys(void **state)
{
	const struct rdma_buf_cfg cfg = { .len = 4096,
					  .access = WINDOW | CAIRN_ACCESS_LOCAL_WRITE };
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *far = rdma_buf_with(r, 1, &cfg);
	struct rdma_buf *local = rdma_buf(r, 0, 2 * ADDS * 8, 0);
	struct rdma_qp *qp[2] = { pair(r), pair(r) };
	struct cairn_mr *again;
	uint64_t before, now;

	(void)state;
	rdma_ok(r,
		cairn_reg_mr(r->nic[1].pd, far->data, far->len, 0,
			     cfg.access | CAIRN_ACCESS_ZERO_BASED, &again),
		"a second key");
	memcpy(&before, far->data, 8);
	for (unsigned int i = 0; i < 2 * ADDS; i++) {
		struct rdma_wr wr =
			rdma_wr(CAIRN_WQE_OP_ATOMIC_FA, local, (size_t)i * 8, far, 0, 8);

		wr.swap_add = 1;
		wr.no_data = true;
		if (i & 1)
			wr = rdma_through(wr, again->key, 0);
		rdma_post(qp[i & 1], &wr);
	}
	rdma_ring(qp[0]);
	rdma_ring(qp[1]);
	rdma_wait(r);
	memcpy(&now, far->data, 8);
	if (now - before != 2ull * ADDS)
		rdma_fail(r, "%u of %u additions are there", (unsigned int)(now - before),
			  2 * ADDS);
	rdma_ok(r, cairn_dereg_mr(again), "end of the second key");
	rdma_buf_forget(far, 0, 8);
	rdma_buf_forget(local, 0, local->len);
	rdma_end(r);
}

/* ---------------------------------------------------------------- binds that are refused */

#define REFUSED(vendor)                                                                        \
	do {                                                                                   \
		if (!skipped(&s, 12, 3))                                                       \
			fails(&s, wr, CAIRN_WC_STATUS_MW_BIND_ERR, CAIRN_VENDOR_ERR_##vendor); \
	} while (0)

static void bad_binds(void **state)
{
	struct scene s = scene(1);
	struct cairn_pd *pd;
	struct rdma_buf *plain, *strange, *read_only;
	struct cairn_mw *foreign;
	struct rdma_wr wr;

	(void)state;
	rdma_ok(s.r, cairn_alloc_pd(s.r->nic[1].dev, &pd), "PD");
	rdma_ok(s.r, cairn_alloc_mw(pd, 1, &foreign), "window of another PD");
	plain = region(s.r, 1, CAIRN_ACCESS_LOCAL_WRITE, CAIRN_MR_AUTO, NULL);
	strange = region(s.r, 1, BINDABLE, CAIRN_MR_AUTO, pd);
	read_only = region(s.r, 1, CAIRN_ACCESS_MW_BIND, CAIRN_MR_AUTO, NULL);
	wr = rdma_bind(s.mw, 1, plain, FROM, SHOWN, WINDOW);
	REFUSED(KEY_RIGHTS);
	wr = rdma_bind(s.mw, 1, strange, FROM, SHOWN, WINDOW);
	REFUSED(KEY_PD);
	wr = rdma_bind(s.mw, 1, read_only, FROM, SHOWN, CAIRN_ACCESS_REMOTE_WRITE);
	REFUSED(KEY_RIGHTS);
	wr = rdma_bind(foreign, 1, s.far, FROM, SHOWN, WINDOW);
	REFUSED(KEY_PD);
	wr = bind_part(&s, FROM, SHOWN, WINDOW);
	wr.local.mr_key ^= 1;
	REFUSED(KEY_TAG);
	wr = bind_part(&s, FROM, SHOWN, WINDOW);
	wr.local.mr_key = s.mw->key; /* not bound: no region at all */
	REFUSED(KEY_INDEX);
	wr = bind_part(&s, FROM, SHOWN, WINDOW);
	wr.imm = s.far->mr->key; /* no window */
	REFUSED(KEY_STATE);
	wr = bind_part(&s, FROM, SIZE - FROM + 1, WINDOW);
	REFUSED(KEY_BOUNDS);
	wr = bind_part(&s, -1ull, 100, WINDOW);
	REFUSED(KEY_BOUNDS);
	wr = bind_part(&s, FROM, -100ull, WINDOW);
	REFUSED(KEY_BOUNDS);
	wr = bind_part(&s, FROM, SHOWN, WINDOW | CAIRN_ACCESS_LOCAL_WRITE);
	REFUSED(KEY_RIGHTS);
	wr = bind_part(&s, FROM, SHOWN, WINDOW | CAIRN_ACCESS_ZERO_BASED);
	REFUSED(KEY_RIGHTS);
	wr = rdma_bind(s.mw, 1, read_only, FROM, SHOWN, CAIRN_ACCESS_REMOTE_READ);
	rdma_do(s.b, &wr); /* that is allowed, and the refused ones changed nothing */
	s.mw->key = wr.imm;
	bind(&s, FROM, SHOWN, WINDOW);
	works(&s, s.a, s.mw->key, FROM, SHOWN);
	rdma_ok(s.r, cairn_dealloc_mw(foreign), "end of the foreign window");
	end(&s);
	cairn_dealloc_pd(pd);
}

static void bad_type_2(void **state)
{
	struct scene s = scene(2);
	struct rdma_wr wr;

	(void)state;
	wr = bind_part(&s, 0, 0, 0);
	REFUSED(KEY_BOUNDS);
	bind(&s, FROM, SHOWN, WINDOW);
	wr = bind_part(&s, FROM, SHOWN, WINDOW);
	REFUSED(KEY_STATE); /* it is bound */
	end(&s);
}

/* More windows than the smallest cache has records, bound and used at the same time. */
static void many(void **state)
{
	enum { N = 40 };
	struct scene s = scene(0);
	struct cairn_mw *mw[N];
	struct rdma_wr wr;

	(void)state;
	for (unsigned int i = 0; i < N; i++) {
		rdma_ok(s.r, cairn_alloc_mw(s.r->nic[1].pd, 1 + i % 2, &mw[i]), "window");
		wr = rdma_bind(mw[i], (uint8_t)i, s.far, 100 * i, 100, WINDOW);
		mw[i]->key = wr.imm;
		rdma_post(s.b, &wr);
	}
	rdma_ring(s.b);
	rdma_wait(s.r);
	for (unsigned int i = 0; i < N; i++) {
		wr = access_by(&s, CAIRN_WQE_OP_WRITE, mw[i]->key, 100 * i, 100);
		rdma_post(s.a, &wr);
	}
	rdma_ring(s.a);
	rdma_wait(s.r);
	rdma_assert(s.r, cairn_dereg_mr(s.far->mr) == -EBUSY);
	for (unsigned int i = 0; i < N; i++)
		rdma_ok(s.r, cairn_dealloc_mw(mw[i]), "end of a window"); /* bound: unbound first */
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(type_1),     RDMA_TEST(bounds),     RDMA_TEST(rights),
		RDMA_TEST(type_2),     RDMA_TEST(zero_based), RDMA_TEST(bad_binds),
		RDMA_TEST(bad_type_2), RDMA_TEST(many),	      RDMA_TEST(zero_based_atomics),
		RDMA_TEST(two_keys),
	};

	return RDMA_RUN("windows", tests);
}
