// SPDX-License-Identifier: Apache-2.0
/*
 * wqe_ahead: which groups it asks for, one after another, behind a fetch.  The reference counts
 * blocks from the QP's creation on and knows no wrap; the module sees the low 16 bits of them.
 */
#include "vtb.h"

#define BLOCKS 8 /* of a group */

/* What a fetch of the requester is for, and how far it was read ahead. */
struct ref {
	bool on;
	uint32_t qpn;
	uint8_t gen;
	unsigned int log2;
	uint64_t base;
	int64_t next, last; /* groups: the one asked for, the last one for now */
	int64_t limit;	    /* blocks */
};

struct fetch {
	uint32_t qpn;
	uint8_t gen;
	int64_t index, limit; /* blocks */
	uint64_t base;
	unsigned int log2;
};

struct world {
	struct vtb *tb;
	struct ref ref;
	int64_t posted;	    /* the producer index that look-ups tell, blocks */
	unsigned int asked; /* cycles in which a group was asked for */
};

static bool wants(const struct ref *r)
{
	return r->on && r->next <= r->last && (r->next + 1) * BLOCKS <= r->limit;
}

static void compare(struct world *w)
{
	struct vtb *tb = w->tb;
	const struct ref *r = &w->ref;

	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "fetch_valid_o"), wants(r));
	if (!wants(r))
		return;
	w->asked++;
	vtb_check_eq(tb, vtb_get(tb, "fetch_qpn_o"), r->qpn);
	vtb_check_eq(tb, vtb_get(tb, "fetch_gen_o"), r->gen);
	vtb_check_eq(tb, vtb_get(tb, "fetch_index_o"), (uint16_t)(r->next * BLOCKS));
	vtb_check_eq(tb, vtb_get(tb, "fetch_limit_o"), (uint16_t)r->limit);
	vtb_check_eq(tb, vtb_get(tb, "fetch_base_o"), r->base);
	vtb_check_eq(tb, vtb_get(tb, "fetch_log2_o"), r->log2);
}

/* Strobes of the next cycle; what they carry is noise without them. */
static void begin(struct world *w, const struct fetch *f)
{
	struct vtb *tb = w->tb;
	bool on = f != NULL;

	vtb_set(tb, "begin_valid_i", on);
	vtb_set(tb, "begin_qpn_i", on ? f->qpn : rng_u64(&tb->rng) >> 40);
	vtb_set(tb, "begin_gen_i", on ? f->gen : rng_u64(&tb->rng) >> 56);
	vtb_set(tb, "begin_index_i", on ? (uint16_t)f->index : rng_u64(&tb->rng) >> 48);
	vtb_set(tb, "begin_limit_i", on ? (uint16_t)f->limit : rng_u64(&tb->rng) >> 48);
	vtb_set(tb, "begin_base_i", on ? f->base : rng_u64(&tb->rng));
	vtb_set(tb, "begin_log2_i", on ? f->log2 : rng_u64(&tb->rng) >> 60);
	if (!on)
		return;
	w->ref = (struct ref){ .on = f->log2 >= 3,
			       .qpn = f->qpn,
			       .gen = f->gen,
			       .log2 = f->log2,
			       .base = f->base,
			       .next = f->index / BLOCKS + 1,
			       .last = f->index / BLOCKS + AHEAD,
			       .limit = f->limit };
	w->posted = f->limit;
}

static void look(struct world *w, bool on, uint32_t qpn, uint8_t gen, int64_t index)
{
	struct vtb *tb = w->tb;

	vtb_set(tb, "look_valid_i", on);
	vtb_set(tb, "look_qpn_i", qpn);
	vtb_set(tb, "look_gen_i", gen);
	vtb_set(tb, "look_index_i", (uint16_t)index);
	vtb_set(tb, "look_limit_i", on ? (uint16_t)w->posted : rng_u64(&tb->rng) >> 48);
	if (on && qpn == w->ref.qpn && gen == w->ref.gen) {
		w->ref.last = index / BLOCKS + AHEAD;
		w->ref.limit = w->posted;
	}
}

static void answer(struct world *w, bool pass, bool stop)
{
	vtb_set(w->tb, "pass_i", pass);
	vtb_set(w->tb, "stop_i", stop);
	w->ref.next += pass;
	w->ref.on = w->ref.on && !stop;
}

/* The strobes that were set, and then none. */
static void tick(struct world *w)
{
	vtb_tick(w->tb);
	begin(w, NULL);
	look(w, false, w->ref.qpn, w->ref.gen, (int64_t)rng_below(&w->tb->rng, 1 << 16));
	answer(w, false, false);
	compare(w);
}

static void idle(struct world *w)
{
	for (uint64_t i = rng_below(&w->tb->rng, 4); i; i--)
		tick(w);
}

static void begin_now(struct world *w, const struct fetch *f)
{
	begin(w, f);
	tick(w);
}

static void look_now(struct world *w, uint32_t qpn, uint8_t gen, int64_t index)
{
	look(w, true, qpn, gen, index);
	tick(w);
}

static void answer_now(struct world *w, bool pass, bool stop)
{
	answer(w, pass, stop);
	tick(w);
}

/* Groups that are asked for one after another, each passed by. */
static unsigned int groups(struct world *w)
{
	unsigned int n = 0;

	for (; wants(&w->ref); n++) {
		vtb_check(w->tb, n < 10000);
		idle(w);
		answer_now(w, true, false);
	}
	return n;
}

static struct world *create(void)
{
	struct world *w = calloc(1, sizeof(*w));

	w->tb = vtb_create();
	w->tb->rng.state ^= 0xa4ead;
	w->ref = (struct ref){ 0 };
	return w;
}

static void destroy(struct world *w)
{
	vtb_destroy(w->tb);
	free(w);
}

static struct fetch fetch_of(int64_t index, int64_t limit, unsigned int log2)
{
	return (struct fetch){ 0xabcdef, 0x5a, index, limit, 0x123456789abcdef0ull, log2 };
}

/* ---- tests ---- */

/* Nothing after reset, whatever the registers hold. */
static void quiet_after_reset(void **state)
{
	struct world *w = create();
	struct fetch f = fetch_of(0, 1000, 10);

	(void)state;
	compare(w);
	for (int i = 0; i < 50; i++) {
		look_now(w, w->ref.qpn, w->ref.gen, (int64_t)rng_below(&w->tb->rng, 1 << 16));
		idle(w);
	}
	begin_now(w, &f);
	vtb_check(w->tb, wants(&w->ref));
	w->ref.on = false;
	vtb_reset(w->tb, 2);
	compare(w);
	destroy(w);
}

/* Whole groups below the producer, AHEAD at most, each once; a look-up goes on from there. */
static void how_far(void **state)
{
	struct world *w = create();

	(void)state;
	for (unsigned int at = 0; at < BLOCKS; at++)
		for (unsigned int n = 0; n < (AHEAD + 3) * BLOCKS; n++) {
			struct fetch f = fetch_of(at, n, 7);
			unsigned int whole = n / BLOCKS ? n / BLOCKS - 1 : 0;

			begin_now(w, &f);
			vtb_check_eq(w->tb, groups(w), whole < AHEAD ? whole : AHEAD);
			idle(w);
			/* Nothing was posted meanwhile. */
			look_now(w, f.qpn, f.gen, 2 * BLOCKS);
			vtb_check_eq(w->tb, groups(w),
				     whole <= AHEAD	 ? 0
				     : whole < AHEAD + 2 ? whole - AHEAD
							 : 2);
		}
	destroy(w);
}

/* Look-ups of the same queue count, further on than what was asked for and further back. */
static void look_ups(void **state)
{
	struct world *w = create();
	struct fetch f = fetch_of(80, 4000, 12);

	(void)state;
	begin_now(w, &f);
	vtb_check_eq(w->tb, groups(w), AHEAD);
	look_now(w, f.qpn ^ 1, f.gen, 90);
	look_now(w, f.qpn ^ 0x800000, f.gen, 90);
	look_now(w, f.qpn, f.gen ^ 1, 90);
	look_now(w, f.qpn, f.gen ^ 0x80, 90);
	vtb_check_eq(w->tb, groups(w), 0);
	for (unsigned int i = 80; i < 88; i++)
		look_now(w, f.qpn, f.gen, i);
	vtb_check_eq(w->tb, groups(w), 0);
	look_now(w, f.qpn, f.gen, 95);
	vtb_check_eq(w->tb, groups(w), 1);
	look_now(w, f.qpn, f.gen, 800);
	answer_now(w, true, false);
	vtb_check(w->tb, wants(&w->ref));
	look_now(w, f.qpn, f.gen, 80);
	vtb_check(w->tb, !wants(&w->ref));
	look_now(w, f.qpn, f.gen, 96);
	vtb_check_eq(w->tb, groups(w), 0);
	look_now(w, f.qpn, f.gen, 104);
	vtb_check_eq(w->tb, groups(w), 1);
	destroy(w);
}

/* What is posted while all that was known is read: each look-up tells of it. */
static void posted_later(void **state)
{
	struct world *w = create();
	struct fetch f = fetch_of(0, 16, 12);

	(void)state;
	begin_now(w, &f);
	vtb_check_eq(w->tb, groups(w), 1);
	w->posted = 40;
	look_now(w, f.qpn ^ 1, f.gen, 3);
	vtb_check_eq(w->tb, groups(w), 0);
	look_now(w, f.qpn, f.gen, 3);
	vtb_check_eq(w->tb, groups(w), 3);
	for (int64_t n = 41; n < 1000; n++) {
		w->posted = n;
		look_now(w, f.qpn, f.gen, n - 10);
		vtb_check_eq(w->tb, groups(w), n % BLOCKS == 0);
	}
	destroy(w);
}

/* No place ends it until the next fetch, look-ups do not begin it again. */
static void no_place(void **state)
{
	struct world *w = create();
	struct fetch f = fetch_of(16, 500, 9);

	(void)state;
	begin_now(w, &f);
	answer_now(w, true, false);
	answer_now(w, false, true);
	vtb_check(w->tb, !wants(&w->ref));
	look_now(w, f.qpn, f.gen, 32);
	vtb_check_eq(w->tb, groups(w), 0);
	begin_now(w, &f);
	vtb_check_eq(w->tb, groups(w), AHEAD);
	destroy(w);
}

/* A new fetch in the cycle of a strobe for what was going on: that is forgotten, the strobe too. */
static void begin_with_strobe(void **state)
{
	struct world *w = create();
	struct fetch a = fetch_of(16, 500, 9), b = fetch_of(160, 1000, 10);

	(void)state;
	b.qpn ^= 0x10;
	for (unsigned int strobe = 0; strobe < 4; strobe++)
		for (unsigned int same = 0; same < 2; same++) {
			b.qpn = a.qpn ^ (same ? 0 : 0x10);
			begin_now(w, &a);
			idle(w);
			if (strobe == 0)
				answer(w, true, false);
			else if (strobe == 1)
				answer(w, false, true);
			else
				look(w, true, strobe == 2 ? a.qpn : b.qpn, a.gen, 800);
			begin(w, &b);
			tick(w);
			vtb_check_eq(w->tb, vtb_get(w->tb, "fetch_index_o"), 168);
			vtb_check_eq(w->tb, groups(w), AHEAD);
		}
	destroy(w);
}

/* A ring of less than a group is not read ahead, whatever its producer says. */
static void small_rings(void **state)
{
	struct world *w = create();
	struct fetch big = fetch_of(0, 500, 9);

	(void)state;
	for (unsigned int log2 = 0; log2 < 16; log2++)
		for (unsigned int n = 0; n <= 40; n++) {
			struct fetch f = fetch_of(0, n, log2);

			begin_now(w, &big);
			vtb_check(w->tb, wants(&w->ref));
			begin_now(w, &f);
			vtb_check_eq(w->tb, groups(w), log2 < 3 || n < 8 ? 0 : n / 8 - 1);
			look_now(w, f.qpn, f.gen, 8);
			vtb_check_eq(w->tb, groups(w), 0);
		}
	destroy(w);
}

/* Indices at their wrap, rings full to the last block, and a producer that is behind. */
static void wraps(void **state)
{
	struct world *w = create();

	(void)state;
	for (int64_t at = 65536 - 100; at < 65536 + 20; at++) {
		struct fetch f = fetch_of(at, at + 60, 15);

		begin_now(w, &f);
		groups(w);
		f.limit = at + 32768;
		begin_now(w, &f);
		vtb_check_eq(w->tb, groups(w), AHEAD);
		look_now(w, f.qpn, f.gen, at + 40);
		vtb_check_eq(w->tb, groups(w), (at + 40) / BLOCKS - at / BLOCKS);
		for (int64_t behind = 0; behind < 30000; behind += 1 + behind / 3) {
			f.limit = at - behind;
			begin_now(w, &f);
			vtb_check_eq(w->tb, groups(w), 0);
		}
	}
	destroy(w);
}

/* Once round all indices, one group a cycle. */
static void once_round(void **state)
{
	struct world *w = create();
	struct fetch f = fetch_of(0, 32768, 15);
	unsigned int cycles = 0;

	(void)state;
	begin_now(w, &f);
	for (int64_t at = 0; at < 70000; at += BLOCKS) {
		if (at && at % 16384 == 0) {
			f.index = at;
			f.limit = at + 32768;
			begin_now(w, &f);
			groups(w);
		}
		look(w, true, f.qpn, f.gen, at + BLOCKS);
		tick(w);
		while (wants(&w->ref)) {
			answer_now(w, true, false);
			cycles++;
		}
		vtb_check_eq(w->tb, w->ref.next, at / BLOCKS + AHEAD + 2);
	}
	vtb_check(w->tb, cycles > 65536 / BLOCKS);
	destroy(w);
}

/* Two queues, any strobe in any cycle, but answers only to a group that is asked for. */
static void random_strobes(void **state)
{
	struct world *w = create();
	struct vtb *tb = w->tb;
	struct fetch q[2];
	unsigned int busy = 50;

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		q[i] = fetch_of((int64_t)rng_below(&tb->rng, 1 << 17) + (1 << 16), 0, 3 * i + 4);
		q[i].qpn ^= i;
	}
	for (unsigned int i = 0; i < 60000; i++) {
		struct fetch *f = &q[rng_below(&tb->rng, 2)];

		if (i % 500 == 0)
			busy = (unsigned int)rng_range(&tb->rng, 5, 95);
		if (rng_percent(&tb->rng, busy) && wants(&w->ref))
			answer(w, rng_percent(&tb->rng, 95), rng_percent(&tb->rng, 5));
		if (rng_percent(&tb->rng, busy))
			look(w, true, f->qpn, rng_percent(&tb->rng, 90) ? f->gen : f->gen + 1,
			     f->index++);
		if (rng_percent(&tb->rng, 5)) {
			f->limit = f->index + (int64_t)rng_below(&tb->rng, 90) - 5;
			f->log2 = (unsigned int)rng_below(&tb->rng, 16);
			f->gen += rng_percent(&tb->rng, 5);
			f->base = rng_u64(&tb->rng);
			begin(w, f);
		}
		tick(w);
	}
	vtb_check(tb, w->asked > 2000);
	destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quiet_after_reset),
		cmocka_unit_test(how_far),
		cmocka_unit_test(look_ups),
		cmocka_unit_test(posted_later),
		cmocka_unit_test(no_place),
		cmocka_unit_test(begin_with_strobe),
		cmocka_unit_test(small_rings),
		cmocka_unit_test(wraps),
		cmocka_unit_test(once_round),
		cmocka_unit_test(random_strobes),
	};

	return cmocka_run_group_tests_name("wqe_ahead", tests, NULL, NULL);
}
