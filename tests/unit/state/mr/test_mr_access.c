// SPDX-License-Identifier: Apache-2.0
/*
 * Access to memory, exhaustively (IBTA 10.6.7): all rights against all operations for regions and
 * both types of windows, protection domains, bounds to the byte on all edges with every page size,
 * the ends of the address space, zero-based keys; and keys that are guessed.
 */
#include <stdlib.h>
#include <string.h>

#include "mr_bench.h"

#ifndef ON_CHIP
#define ON_CHIP false /* true: the records are on chip, and there are no windows */
#endif

static struct bench B;
static struct req ask_q;
static struct answer ask_a;
static bool asking, answered;

static uint64_t *ptes(struct bench *b)
{
	return (uint64_t *)(b->h.mem + MTT);
}

static bool make(struct bench *b, struct req *q)
{
	(void)b;
	if (!asking)
		return false;
	asking = false;
	*q = ask_q;
	return true;
}

static void judge(struct bench *b, const struct req *q, const struct answer *a)
{
	(void)b;
	(void)q;
	ask_a = *a;
	answered = true;
}

static struct bench *start(void)
{
	struct bench *b = mr_bench(&B);

	b->make = make;
	b->judge = judge;
	b->send_pc = 100;
	b->h.latency = 4;
	for (unsigned int i = 0; i < PTES; i++)
		ptes(b)[i] = (uint64_t)(PTES - i) << 36 | 1; /* no neighbours */
	return b;
}

/* enum vendor_err, 0 when it is allowed */
static unsigned int ask(struct bench *b, const struct req *q)
{
	ask_q = *q;
	asking = true;
	answered = false;
	vtb_run_until(b->tb, answered, 500);
	return ask_a.status ? ask_a.vendor : 0;
}

static void put(struct bench *b, unsigned int i, const struct cairn_mpt *m)
{
	uint8_t all[64];

	*mr_mpt(b, i) = *m;
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_DROP, i, NULL, NULL), CAIRN_CTX_RESULT_OK);
	memset(all, 0xff, sizeof(all));
	if (ON_CHIP)
		vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_INIT, i, m, all), CAIRN_CTX_RESULT_OK);
}

enum { LOCAL_READ, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, OPS };
#define KEY 0x333u
#define ACCESS(a) ((uint32_t)(a) << 8)

static struct req op(unsigned int what)
{
	static const unsigned int rights[OPS] = { 0, CAIRN_ACCESS_LOCAL_WRITE,
						  CAIRN_ACCESS_REMOTE_WRITE,
						  CAIRN_ACCESS_REMOTE_READ,
						  CAIRN_ACCESS_REMOTE_ATOMIC };

	return (struct req){ .key = KEY,
			     .pd = 5,
			     .qpn = 9,
			     .va = 0x1000,
			     .len = 8,
			     .chk = 8,
			     .rights = rights[what],
			     .remote = what >= REMOTE_WRITE };
}

/* By hand, from the page of ibv_reg_mr and IBTA 10.6.7; flags in the order of enum access. */
static bool allowed(unsigned int flags, unsigned int what, bool window)
{
	bool lw = flags & 1, rw = flags & 2, rr = flags & 4, ra = flags & 8;

	switch (what) {
	case LOCAL_READ:
		return !window; /* a window has no L_Key */
	case LOCAL_WRITE:
		return !window && lw;
	case REMOTE_WRITE:
		return rw && (window || lw); /* a window's region was asked when it was bound */
	case REMOTE_READ:
		return rr;
	default:
		return ra && (window || lw);
	}
}

static void matrix(void **state)
{
	struct bench *b = start();
	static const uint32_t kinds[] = { 0, CAIRN_MPT_FLAGS_WINDOW,
					  CAIRN_MPT_FLAGS_WINDOW | CAIRN_MPT_FLAGS_TYPE2 };

	(void)state;
	for (unsigned int n = 0; n < (ON_CHIP ? 16 : 3 * 16); n++) {
		struct cairn_mpt m = { .key = KEY,
				       .pd = 5,
				       .qpn = n / 16 == 2 ? 9 : 0,
				       .base = 0x1000,
				       .length = 8,
				       .map = 0x77000 };

		m.flags = CAIRN_MR_MODE_DIRECT | kinds[n / 16] | ACCESS(n % 16);
		put(b, 3, &m);
		for (unsigned int what = 0; what < OPS; what++) {
			struct req q = op(what);
			bool may = allowed(n % 16, what, n / 16);

			vtb_check_eq(b->tb, ask(b, &q),
				     may ? 0 : (unsigned int)CAIRN_VENDOR_ERR_KEY_RIGHTS);
			q.pd = 6;
			vtb_check_eq(b->tb, ask(b, &q), CAIRN_VENDOR_ERR_KEY_PD);
			q = op(what);
			q.qpn = 8; /* only a type 2 window is of a QP */
			vtb_check_eq(b->tb, ask(b, &q),
				     n / 16 == 2 ? (unsigned int)CAIRN_VENDOR_ERR_KEY_PD
				     : may	 ? 0
						 : (unsigned int)CAIRN_VENDOR_ERR_KEY_RIGHTS);
			q = op(what);
			q.key++;
			vtb_check_eq(b->tb, ask(b, &q), CAIRN_VENDOR_ERR_KEY_TAG);
		}
	}
	vtb_destroy(b->tb);
}

/* An access of n bytes at va, and the same as the start of a longer READ. */
static void access(struct bench *b, const struct cairn_mpt *m, uint64_t va, uint32_t n, bool ok)
{
	struct req q = op(REMOTE_READ);
	struct answer want;

	q.va = va;
	q.len = n;
	q.chk = n;
	for (unsigned int k = 0; k < 2; k++) {
		unsigned int err = ask(b, &q);

		if (err != (ok ? 0 : (unsigned int)CAIRN_VENDOR_ERR_KEY_BOUNDS))
			vtb_fail(b->tb, "base %llx length %llx: %u bytes at %llx: %u",
				 (unsigned long long)m->base, (unsigned long long)m->length, n,
				 (unsigned long long)va, err);
		if (ok)
			vtb_check(b->tb, !mr_verdict(m, ptes(b), &q, &want) &&
						 mr_same(&q, 0, &want, &ask_a));
		q.len = 1; /* the first packet of the same READ */
	}
}

/* All edges of [base, base + length), or of [0, length). */
static void edges(struct bench *b, struct cairn_mpt m)
{
	bool zero = m.flags & ACCESS(CAIRN_ACCESS_ZERO_BASED);
	uint64_t first = zero ? 0 : m.base, last = first + m.length - 1;
	uint32_t some = m.length < 4096 ? (uint32_t)m.length : 4096;

	put(b, 3, &m);
	access(b, &m, first, 1, true);
	access(b, &m, last, 1, true);
	access(b, &m, first, some, true);
	access(b, &m, last - some + 1, some, true);
	if (first)
		access(b, &m, first - 1, 1, false);
	if (first)
		access(b, &m, first - 1, 2, false);
	access(b, &m, last + 1, 1, !(last + 1) && !first);
	access(b, &m, last, 2, false);
	access(b, &m, last - some + 2, some, false);
	access(b, &m, 0, 1, !first);
	access(b, &m, UINT64_MAX, 1, last == UINT64_MAX);
	access(b, &m, UINT64_MAX, 2, false);
	access(b, &m, UINT64_MAX - 4094, 4096, false);
}

static void bounds(void **state)
{
	static const uint64_t lengths[] = { 1, 2, 4095, 4096, 4097, 12288, 20000, 65536, 65537 };
	static const unsigned int lg[] = { 12, 16, 21, 30 };
	struct bench *b = start();

	(void)state;
	for (unsigned int n = 0; n < 9 * 5 * 2; n++) {
		unsigned int size = n % 5;
		uint64_t page = size ? 1ull << lg[size - 1] : 4096, length = lengths[n / 10];
		struct cairn_mpt m = { .key = KEY, .pd = 5, .length = length, .map = 8 };
		/* inside a page, to a page's end, over it, at both ends of all addresses */
		uint64_t bases[] = { 0x123456789000ull, 64 * page - length, 64 * page - 1, 0,
				     0ull - length };

		m.flags = ACCESS(CAIRN_ACCESS_REMOTE_READ) |
			  (size ? CAIRN_MR_MODE_PAGED | lg[size - 1] << 16 : CAIRN_MR_MODE_DIRECT);
		if (n % 10 >= 5)
			m.flags |= ACCESS(CAIRN_ACCESS_ZERO_BASED);
		for (unsigned int k = 0; k < 5; k++) {
			m.base = bases[k];
			edges(b, m);
		}
	}
	vtb_destroy(b->tb);
}

/* A READ of up to 2^32 - 1 bytes is checked as a whole. */
static void lengths(void **state)
{
	static const uint32_t sizes[] = { 1, 4096, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff };
	struct bench *b = start();
	struct cairn_mpt m = { .key = KEY,
			       .pd = 5,
			       .base = 0x5000,
			       .map = 0x1000,
			       .flags = CAIRN_MR_MODE_DIRECT | ACCESS(CAIRN_ACCESS_REMOTE_READ) };

	(void)state;
	for (unsigned int i = 0; i < 6; i++)
		for (int d = -1; d <= 1; d++) {
			struct req q = op(REMOTE_READ);

			m.length = sizes[i] + (uint64_t)(int64_t)d;
			put(b, 3, &m);
			q.va = m.base;
			q.len = 1;
			q.chk = sizes[i];
			vtb_check_eq(b->tb, ask(b, &q),
				     d < 0 ? (unsigned int)CAIRN_VENDOR_ERR_KEY_BOUNDS : 0);
			q.va = 0ull - sizes[i] / 2;
			vtb_check_eq(b->tb, ask(b, &q), CAIRN_VENDOR_ERR_KEY_BOUNDS);
		}
	vtb_destroy(b->tb);
}

/* ---- guessed keys ---- */

static unsigned int guesses, hits, wrong;

static bool guess(struct bench *b, struct req *q)
{
	*q = op(rng_percent(&b->tb->rng, 50) ? REMOTE_READ : REMOTE_WRITE);
	q->key = (uint32_t)rng_u64(&b->tb->rng);
	if (rng_percent(&b->tb->rng, 50)) /* the index is known */
		q->key = (uint32_t)rng_below(&b->tb->rng, KEYS << 8);
	return true;
}

static void guessed(struct bench *b, const struct req *q, const struct answer *a)
{
	bool right = q->key >> 8 < KEYS && mr_mpt(b, q->key >> 8)->key == q->key && q->key;

	guesses++;
	hits += !a->status;
	wrong += !a->status != right;
}

/* Only the whole key opens; each other guess is counted.  Environment: GUESSES. */
static void guessing(void **state)
{
	const char *text = getenv("GUESSES");
	unsigned int want = text && *text ? (unsigned int)strtoul(text, NULL, 0) : 20000;
	struct bench *b = start();

	(void)state;
	guesses = hits = wrong = 0;
	for (unsigned int i = 1; i < KEYS; i += 2) {
		struct cairn_mpt m = { .key = i << 8 | (uint32_t)rng_below(&b->tb->rng, 256),
				       .pd = 5,
				       .length = 1 << 20,
				       .flags = CAIRN_MR_MODE_DIRECT | ACCESS(15) };

		put(b, i, &m);
	}
	b->make = guess;
	b->judge = guessed;
	vtb_run_until(b->tb, guesses >= want, 20ull * want);
	b->stop = true;
	vtb_run_until_fn(b->tb, mr_quiet, b, 5000, "quiet");
	vtb_run(b->tb, 4);
	vtb_check_eq(b->tb, wrong, 0);
	vtb_check(b->tb, hits && hits < guesses / 200);
	vtb_check_eq(b->tb, b->cnt[0], guesses - hits);
	vtb_check_eq(b->tb, b->cnt[1] + b->cnt[2] + b->cnt[3], 0);
	vtb_destroy(b->tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matrix),
		cmocka_unit_test(bounds),
		cmocka_unit_test(lengths),
		cmocka_unit_test(guessing),
	};

	return cmocka_run_group_tests_name("mr_access", tests, NULL, NULL);
}
