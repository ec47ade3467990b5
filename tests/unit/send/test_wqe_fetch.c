// SPDX-License-Identifier: Apache-2.0
/*
 * wqe_fetch, case by case: extent of a read, keys, kicks of both ports, a group that grows,
 * read-ahead and where it stops, full sets (retry, used-up groups, ageing), failed and stale
 * blocks, blocks of another life of the QP.
 */
#include <string.h>

#include "wqe_bench.h"

/* A fetch that must be taken, to its kick. */
static void bring(struct wqe_bench *b, unsigned int port, const struct ring *r, uint16_t index,
		  uint16_t limit)
{
	unsigned int kicks = b->kicks[port];

	vtb_check_eq(b->tb, wqe_fetch(b, port, r, index, limit), 0);
	vtb_run_until(b->tb, b->kicks[port] == kicks + 1, 3000);
	vtb_check_eq(b->tb, b->kick_qpn[port], r->qpn);
}

static struct host_read last_read;

static void note_read(struct wqe_bench *b, struct host_read *r)
{
	(void)b;
	last_read = *r;
}

static void one_extent(struct wqe_bench *b, unsigned int log2, uint16_t index, uint16_t limit)
{
	static uint32_t qpn = 0x100;
	struct ring r = wqe_ring(qpn++, log2, 64);
	unsigned int n = wqe_span(&r, index, limit), port = qpn & 1;

	wqe_posts(b, &r, index, n);
	bring(b, port, &r, index, limit);
	vtb_check_eq(b->tb, last_read.n, n);
	vtb_check_eq(b->tb, last_read.block, r.first + (index & ((1u << log2) - 1)));
	for (unsigned int i = 0; i < n; i++)
		wqe_hits(b, rng_below(&b->rng, 2), &r, (uint16_t)(index + i));
	wqe_misses(b, 0, wqe_key(&r, (uint16_t)(index + n)));
	wqe_misses(b, 1, wqe_key(&r, (uint16_t)(index - 1)));
	vtb_check_eq(b->tb, b->kicks[0] + b->kicks[1], b->reads);
}

/* To the group's end, the ring's end, the producer; index wraps. Port 1 or a short queue: no
 * read-ahead. */
static void extents(void **state)
{
	struct wqe_bench *b = wqe_bench_create();

	(void)state;
	b->latency = 20;
	b->on_read = note_read;
	for (unsigned int log2 = 0; log2 < 16; log2++) {
		uint16_t last = (uint16_t)((1u << log2) - 1), any = (uint16_t)rng_u64(&b->rng);

		one_extent(b, log2, last, (uint16_t)(last + 1));
		one_extent(b, log2, last, (uint16_t)(last + 8));
		one_extent(b, log2, any, (uint16_t)(any + 7));
		one_extent(b, log2, 0xfffe, 3);
		one_extent(b, log2, any, any);
	}
	for (unsigned int i = 0; i < 64; i++)
		one_extent(b, 2, (uint16_t)(i / 8), (uint16_t)(i / 8 + 1 + i % 8));
	vtb_set(b->tb, "epoch_i", 1);
	one_extent(b, 2, 1, 2);
	wqe_bench_destroy(b);
}

/* Nothing but the very {QPN, generation, index} hits. */
static void keys(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r = wqe_ring(0x5a5a5a, 2, 0);
	uint16_t index = 0x4d34;

	(void)state;
	vtb_run(b->tb, 5);
	wqe_misses(b, 0, wqe_key(&r, 0));
	wqe_posts(b, &r, index, 4);
	bring(b, 0, &r, index, (uint16_t)(index + 4));
	for (unsigned int port = 0; port < 2; port++) {
		struct block_key k = wqe_key(&r, index);

		wqe_hits(b, port, &r, index);
		for (unsigned int i = 0; i < 24; i++, k.qpn = r.qpn) {
			k.qpn ^= 1u << i;
			wqe_misses(b, port, k);
		}
		for (unsigned int i = 0; i < 8; i++, k.gen = r.gen) {
			k.gen = (uint8_t)(k.gen ^ 1u << i);
			wqe_misses(b, port, k);
		}
		for (unsigned int i = 2; i < 16; i++, k.index = index) {
			k.index = (uint16_t)(k.index ^ 1u << i);
			if (i != 2)
				wqe_misses(b, port, k);
		}
		wqe_hits(b, port, &r, index);
	}
	/* A new generation reads again, and the same place of the ring later on. */
	r.gen++;
	wqe_misses(b, 0, wqe_key(&r, index));
	wqe_posts(b, &r, index, 4);
	bring(b, 1, &r, index, (uint16_t)(index + 4));
	wqe_hits(b, 0, &r, index);
	wqe_posts(b, &r, (uint16_t)(index + 8), 4);
	bring(b, 1, &r, (uint16_t)(index + 8), (uint16_t)(index + 12));
	wqe_hits(b, 0, &r, (uint16_t)(index + 8));
	wqe_bench_destroy(b);
}

/* Both ports wait for one read; who comes later is kicked at once; a group that grows. */
static void kicks(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r = wqe_ring(0x77, 2, 0);

	(void)state;
	wqe_posts(b, &r, 0, 4);
	b->hold = true;
	vtb_check_eq(b->tb, wqe_fetch(b, 1, &r, 0, 2), 0);
	vtb_check_eq(b->tb, wqe_fetch(b, 0, &r, 1, 2), 0); /* comes already */
	vtb_check_eq(b->tb, wqe_fetch(b, 0, &r, 2, 3), 1); /* does not */
	vtb_check_eq(b->tb, wqe_fetch(b, 1, &r, 3, 4), 1);
	vtb_run(b->tb, 50);
	vtb_check_eq(b->tb, b->issues, 1);
	vtb_check_eq(b->tb, b->kicks[0] + b->kicks[1], 0);
	wqe_misses(b, 0, wqe_key(&r, 0));
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 0);
	b->hold = false;
	vtb_run_until(b->tb, b->kicks[0] == 1 && b->kicks[1] == 1, 100);
	wqe_hits(b, 0, &r, 0);
	wqe_hits(b, 1, &r, 1);
	bring(b, 0, &r, 1, 2);
	vtb_check_eq(b->tb, b->issues, 1);
	/* What is here stays while the rest comes, and is not told failed if that fails. */
	b->hold = true;
	b->fail = 100;
	vtb_check_eq(b->tb, wqe_fetch(b, 1, &r, 2, 4), 0);
	wqe_hits(b, 0, &r, 0);
	bring(b, 0, &r, 0, 4);
	b->hold = false;
	vtb_run_until(b->tb, b->kicks[1] == 2, 100);
	wqe_hits(b, 0, &r, 1);
	vtb_check_eq(b->tb, wqe_look(b, 0, wqe_key(&r, 2)).err, 1);
	vtb_check_eq(b->tb, b->issues, 2);
	vtb_check_eq(b->tb, b->kicks[0], 3);
	vtb_check_eq(b->tb, b->kicks[1], 2);
	wqe_bench_destroy(b);
}

/* Groups that may be read ahead before one more would leave less than two ways of its set. */
static unsigned int room(unsigned int groups)
{
	unsigned int ways[SETS] = { 0 }, n = 0;

	ways[0] = 1; /* the one that was asked for; which set comes first does not matter */
	for (unsigned int g = 1; g <= groups && ways[g % SETS] < 2; g++, n++)
		ways[g % SETS]++;
	return n;
}

static void read_ahead(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r = wqe_ring(0x6, 8, 512);
	unsigned int n = room(AHEAD);

	(void)state;
	wqe_posts(b, &r, 0xffe3, 256);
	b->on_read = note_read;
	bring(b, 0, &r, 0xffe3, 0xffe3 + 100 - 0x10000);
	vtb_run(b->tb, 300);
	vtb_check_eq(b->tb, b->issues, 1 + n);
	vtb_check_eq(b->tb, b->unasked, n);
	vtb_check_eq(b->tb, last_read.n, 8);
	vtb_check_eq(b->tb, last_read.block, r.first + 0xe0 + 8 * n - 256 * (n > 3));
	for (unsigned int i = 3; i < 8 * n + 8; i++)
		wqe_hits(b, 0, &r, (uint16_t)(0xffe0 + i));
	vtb_run(b->tb, 300);
	/* Each group that is reached brings another, up to the producer;
	 * there was no place: none. */
	if (n == AHEAD) {
		vtb_check_eq(b->tb, b->unasked, n + AHEAD < 11 ? n + AHEAD : 11);
	} else {
		vtb_check_eq(b->tb, b->unasked, n);
	}
	vtb_check_eq(b->tb, b->kicks[0], 1);
	vtb_check_eq(b->tb, b->kicks[1], 0);
	wqe_bench_destroy(b);
}

/* Whole groups below the producer only, not for port 1, not in rings shorter than a group. */
static void ahead_ends(void **state)
{
	static const struct {
		uint16_t index, left;
		unsigned int port, log2, unasked;
	} c[] = {
		{ 8, 8, 0, 8, 0 },  { 8, 15, 0, 8, 0 }, { 8, 16, 0, 8, 1 },	{ 15, 8, 0, 8, 0 },
		{ 15, 9, 0, 8, 1 }, { 9, 22, 0, 8, 1 }, { 65528, 23, 0, 8, 1 }, { 8, 24, 1, 8, 0 },
		{ 8, 24, 0, 2, 0 }, { 8, 16, 0, 3, 1 }, { 65528, 0, 0, 8, 0 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct wqe_bench *b = wqe_bench_create();
		struct ring r = wqe_ring(0x6, c[i].log2, 512);

		bring(b, c[i].port, &r, c[i].index, (uint16_t)(c[i].index + c[i].left));
		vtb_run(b->tb, 200);
		if (b->unasked != c[i].unasked)
			vtb_fail(b->tb, "case %u: %u groups ahead", i, b->unasked);
		wqe_bench_destroy(b);
	}
}

/* Four unused groups of one set; QPs' numbers are such that the set is the same. */
static void fill_set(struct wqe_bench *b, struct ring *r, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		r[i] = wqe_ring((i + 1) << 12, 2, 16 * i);
		wqe_posts(b, &r[i], 0, 4);
	}
	for (unsigned int i = 0; i < 4; i++)
		bring(b, i & 1, &r[i], 0, 4);
}

/* A set full of groups: what comes is not thrown out, what is used up goes first. */
static void full_set(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r[6];
	unsigned int keep = (unsigned int)rng_below(&b->rng, 4);

	(void)state;
	fill_set(b, r, 6);
	vtb_check_eq(b->tb, wqe_fetch(b, 0, &r[4], 0, 4), 1);
	vtb_check_eq(b->tb, wqe_fetch(b, 1, &r[4], 0, 4), 1);
	for (unsigned int i = 0; i < 4; i++)
		wqe_hits(b, 1, &r[keep], (uint16_t)i);
	for (unsigned int i = 0; i < 4; i++)
		if (i != keep)
			wqe_hits(b, i & 1, &r[i], 0);
	bring(b, 0, &r[4], 0, 4);
	wqe_misses(b, 0, wqe_key(&r[keep], 0));
	for (unsigned int i = 0; i < 5; i++)
		for (unsigned int k = 0; i != keep && k < 4; k++)
			wqe_hits(b, i & 1, &r[i], (uint16_t)k);
	/* All are used up: round robin. A read under way stays however many ask. */
	b->hold = true;
	vtb_check_eq(b->tb, wqe_fetch(b, 1, &r[keep], 0, 4), 0);
	for (unsigned int i = 0; i < 3; i++) {
		r[5].gen++;
		wqe_posts(b, &r[5], 0, 4);
		vtb_check_eq(b->tb, wqe_fetch(b, 1, &r[5], 0, 4), 0);
	}
	r[5].gen++;
	vtb_check_eq(b->tb, wqe_fetch(b, 1, &r[5], 0, 4), 1);
	b->hold = false;
	vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 500);
	r[5].gen--;
	wqe_hits(b, 0, &r[keep], 3);
	wqe_hits(b, 0, &r[5], 3);
	wqe_bench_destroy(b);
}

/* What was fetched along with a block that its asker has looked at gives way before long. */
static void along(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r[6];
	unsigned int n = 0;

	(void)state;
	fill_set(b, r, 6);
	for (unsigned int i = 0; i < 4; i++)
		wqe_hits(b, (i & 1) ^ (i != 2), &r[i], 0);
	while (n < 1000 && wqe_fetch(b, 0, &r[4], 0, 4))
		n++;
	vtb_check(b->tb, n >= 8 && n <= 32);
	vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 500);
	wqe_misses(b, 0, wqe_key(&r[2], 1));
	for (unsigned int i = 0; i < 4; i++)
		if (i != 2)
			wqe_hits(b, i & 1, &r[i], 1);
	wqe_bench_destroy(b);
}

/* Nobody takes up what was fetched: refused requests age it, slowly. */
static void ageing(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	const unsigned int limit = 4 * GROUPS * 64;
	unsigned int n = 0;
	struct ring r[5];

	(void)state;
	fill_set(b, r, 5);
	for (unsigned int i = 0; i < 4; i++)
		wqe_hits(b, !(i & 1), &r[i], 1);
	while (n < 2 * limit && wqe_fetch(b, n & 1, &r[4], 0, 4))
		n++;
	vtb_check(b->tb, n > limit - 8 * 64 && n < limit + 2 * 64);
	vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 500);
	wqe_hits(b, 0, &r[4], 0);
	wqe_misses(b, 0, wqe_key(&r[0], 0));
	wqe_hits(b, 0, &r[1], 0);
	wqe_bench_destroy(b);
}

/* The read failed; the memory holds something else. */
static void errors(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r = wqe_ring(0x12345, 2, 0), s = wqe_ring(0x54321, 2, 8);
	struct lookup l;

	(void)state;
	wqe_posts(b, &r, 0, 4);
	b->fail = 100;
	bring(b, 0, &r, 0, 4);
	for (uint16_t i = 0; i < 4; i++) {
		for (unsigned int port = 0; port < 2; port++) {
			l = wqe_look(b, port, wqe_key(&r, i));
			vtb_check(b->tb, !l.hit && l.err);
		}
	}
	b->fail = 0;
	wqe_posts(b, &s, 0, 4);
	/* Each bit of the check word counts. */
	for (unsigned int bit = 0; bit < 32; bit++) {
		uint8_t *p = wqe_block(b, &s, 1);

		s.gen++;
		wqe_posts(b, &s, 0, 4);
		p[12 + bit / 8] ^= (uint8_t)(1u << bit % 8);
		bring(b, 0, &s, 0, 3);
		p[12 + bit / 8] ^= (uint8_t)(1u << bit % 8);
		for (unsigned int port = 0; port < 2; port++) {
			wqe_hits(b, port, &s, 0);
			wqe_hits(b, port, &s, 2);
			l = wqe_look(b, port, wqe_key(&s, 1));
			vtb_check(b->tb, l.hit && l.err);
		}
	}
	/* All-ones. */
	s.gen++;
	memset(wqe_block(b, &s, 0), 0xff, 64);
	bring(b, 0, &s, 0, 1);
	l = wqe_look(b, 0, wqe_key(&s, 0));
	vtb_check(b->tb, l.hit && l.err && l.data[63] == 0xff);
	wqe_bench_destroy(b);
}

/*
 * What the host memory has is of another QP with the same low bits, or of the QP's last life: all
 * 255 others are told from this one.  When generations begin again, what is here is forgotten, but
 * not what is on its way.
 */
static void other_lives(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r = wqe_ring(0x10005, 3, 0), other = r;
	struct lookup l;

	(void)state;
	for (unsigned int i = 1; i < 256 + 255; i++) {
		other.qpn = r.qpn ^ (i < 256 ? 0 : (i - 255) << 16);
		other.gen = (uint8_t)(r.gen + (i < 256 ? i : 0));
		wqe_post(b, &other, (uint16_t)(8 * i));
		bring(b, i & 1, &r, (uint16_t)(8 * i), (uint16_t)(8 * i + 1));
		l = wqe_look(b, i & 1, wqe_key(&r, (uint16_t)(8 * i)));
		if (!l.hit || !l.err)
			vtb_fail(b->tb, "a block of QP 0x%x, generation %u is taken for own",
				 other.qpn, other.gen);
	}
	wqe_posts(b, &r, 0, 2);
	bring(b, 0, &r, 0, 2);
	wqe_hits(b, 0, &r, 0);
	vtb_set(b->tb, "forget_i", 1);
	vtb_tick(b->tb);
	vtb_set(b->tb, "forget_i", 0);
	wqe_misses(b, 0, wqe_key(&r, 0));
	wqe_misses(b, 1, wqe_key(&r, 1));
	b->hold = true;
	vtb_check_eq(b->tb, wqe_fetch(b, 0, &r, 0, 2), 0);
	vtb_run(b->tb, 5);
	vtb_set(b->tb, "forget_i", 1);
	vtb_tick(b->tb);
	vtb_set(b->tb, "forget_i", 0);
	b->hold = false;
	vtb_run(b->tb, 200);
	wqe_hits(b, 0, &r, 0);
	wqe_hits(b, 0, &r, 1);
	wqe_bench_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(extents),    cmocka_unit_test(keys),
		cmocka_unit_test(kicks),      cmocka_unit_test(read_ahead),
		cmocka_unit_test(ahead_ends), cmocka_unit_test(full_set),
		cmocka_unit_test(along),      cmocka_unit_test(ageing),
		cmocka_unit_test(errors),     cmocka_unit_test(other_lives),
	};

	return cmocka_run_group_tests_name("wqe_fetch", tests, NULL, NULL);
}
