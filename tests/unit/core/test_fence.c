// SPDX-License-Identifier: Apache-2.0
/*
 * fence: halt from the start until nothing has been busy for QUIET cycles, one pulse of done, and
 * again.  A monitor checks in every cycle that no fence ends early and none is held up.
 */
#include "vtb.h"

#ifndef NBUSY
#define NBUSY 8 /* the module's defaults */
#define QUIET 8
#endif
#define ALL ((1u << NBUSY) - 1)

struct bench {
	struct vtb *tb;
	bool halted, start, was_busy, busy_before; /* what is busy is looked at two cycles later */
	unsigned int quiet; /* cycles since something was busy or a fence began */
	unsigned int dones, starts;
	unsigned int busy_pct, busy; /* random: of cycles; always */
	bool random;
};

/*
 * What the inputs of the cycles before allow: halt_o follows start_i at once; it may fall after
 * QUIET quiet cycles, and must after QUIET + 1, with done_o in that one cycle.
 */
static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	bool halt = vtb_get(tb, "halt_o"), done = vtb_get(tb, "done_o");
	unsigned int busy = (unsigned int)vtb_get(tb, "busy_i");

	if (!vtb_read(tb->rst_n)) {
		b->halted = b->start = false;
		return;
	}
	if (b->start) {
		vtb_check(tb, halt && !done);
		b->quiet = 0;
	} else if (b->halted && !halt) {
		vtb_check(tb, done);
		vtb_check(tb, b->quiet >= QUIET);
	} else {
		vtb_check_eq(tb, halt, b->halted);
		vtb_check_eq(tb, done, 0);
		vtb_check(tb, !halt || b->quiet <= QUIET);
	}
	b->dones += done;
	b->halted = halt;
	b->start = vtb_get(tb, "start_i");
	b->starts += b->start;
	b->quiet = b->busy_before ? 0 : b->quiet + 1;
	b->busy_before = b->was_busy;
	b->was_busy = busy != 0;
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	unsigned int busy = b->busy;

	if (!b->random)
		return;
	for (unsigned int i = 0; i < NBUSY; i++)
		if (rng_percent(&tb->rng, b->busy_pct))
			busy |= 1u << i;
	vtb_set(tb, "busy_i", busy);
}

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	vtb_run(b->tb, 2);
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

static void start(struct bench *b)
{
	vtb_set(b->tb, "start_i", 1);
	vtb_tick(b->tb);
	vtb_set(b->tb, "start_i", 0);
}

static void busy(struct bench *b, unsigned int mask)
{
	vtb_set(b->tb, "busy_i", mask);
}

static void expect_end(struct bench *b, unsigned int cycles)
{
	unsigned int before = b->dones;

	vtb_run_until(b->tb, b->dones == before + 1, cycles);
	vtb_run(b->tb, 2 * QUIET + 4);
	vtb_check_eq(b->tb, b->dones, before + 1);
	vtb_check(b->tb, !b->halted);
}

/* ---- tests ---- */

/* Nothing without a start, whatever comes and goes. */
static void idle(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	b->random = true;
	for (unsigned int pct = 0; pct <= 100; pct += 50) {
		b->busy_pct = pct;
		vtb_run(b->tb, 50);
	}
	vtb_check_eq(b->tb, b->dones, 0);
	bench_free(b);
}

/* An idle device: the fence still takes the hops between two stages. */
static void nothing_busy(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		start(b);
		expect_end(b, QUIET + 4);
	}
	vtb_check_eq(b->tb, b->dones, 4);
	bench_free(b);
}

/* Each busy input alone holds the fence, for as long as it likes. */
static void each_holds(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int i = 0; i < NBUSY; i++) {
		busy(b, 1u << i);
		start(b);
		vtb_run(b->tb, 10 * QUIET + 200);
		vtb_check_eq(b->tb, b->dones, i);
		vtb_check(b->tb, b->halted);
		busy(b, 0);
		expect_end(b, QUIET + 4);
	}
	bench_free(b);
}

/* Work goes from stage to stage with a gap in which nobody is busy: not over until QUIET. */
static void gaps(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	busy(b, ALL);
	start(b);
	for (unsigned int gap = 1; gap < QUIET; gap++) {
		for (unsigned int i = 0; i < NBUSY; i++) {
			busy(b, 0);
			vtb_run(b->tb, gap);
			busy(b, 1u << i);
			vtb_tick(b->tb);
		}
		vtb_check_eq(b->tb, b->dones, 0);
	}
	busy(b, 0);
	expect_end(b, QUIET + 4);
	bench_free(b);
}

/* All inputs leave one after the other; the last one counts. */
static void one_by_one(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int last = 0; last < NBUSY; last++) {
		unsigned int left = ALL;

		busy(b, left);
		start(b);
		while (left != 1u << last) {
			unsigned int gone = (unsigned int)rng_below(&b->tb->rng, NBUSY);

			if (gone != last)
				left &= ~(1u << gone);
			busy(b, left);
			vtb_run(b->tb, QUIET + 3);
		}
		vtb_check_eq(b->tb, b->dones, last);
		busy(b, 0);
		expect_end(b, QUIET + 4);
	}
	bench_free(b);
}

/*
 * A start while a fence is under way, at any moment of it: work may have begun before it, so the
 * quiet time begins again, and there is one done for both; beside done it is the next fence.
 */
static void start_again(void **state)
{
	struct bench *b = bench_new();
	unsigned int once = 0, twice = 0;

	(void)state;
	for (unsigned int at = 0; at < QUIET + 6; at++) {
		unsigned int before = b->dones;

		start(b);
		vtb_run(b->tb, at);
		start(b);
		vtb_run(b->tb, 3 * QUIET + 10);
		vtb_check(b->tb, !b->halted);
		once += b->dones == before + 1;
		twice += b->dones == before + 2;
	}
	vtb_check_eq(b->tb, once + twice, QUIET + 6);
	vtb_check(b->tb, once >= QUIET && twice >= 4);
	bench_free(b);
}

static void reset_under_way(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int at = 0; at < QUIET + 4; at++) {
		unsigned int before;

		start(b);
		vtb_run(b->tb, at);
		vtb_reset(b->tb, 2);
		before = b->dones;
		vtb_run(b->tb, 3 * QUIET);
		vtb_check_eq(b->tb, b->dones, before);
		start(b);
		expect_end(b, QUIET + 4);
	}
	bench_free(b);
}

static void random_work(void **state)
{
	struct bench *b = bench_new();
	unsigned int before;

	(void)state;
	b->random = true;
	for (unsigned int i = 0; i < 400; i++) {
		b->busy_pct = (unsigned int)rng_below(&b->tb->rng, 12);
		b->busy = rng_percent(&b->tb->rng, 30) ? 1u << rng_below(&b->tb->rng, NBUSY) : 0;
		vtb_run(b->tb, rng_below(&b->tb->rng, 20));
		before = b->dones;
		start(b);
		vtb_run(b->tb, rng_below(&b->tb->rng, 60));
		if (b->busy)
			vtb_check_eq(b->tb, b->dones, before);
		b->busy = 0;
		b->busy_pct /= 4;
		vtb_run_until(b->tb, b->dones == before + 1, 5000);
	}
	vtb_check_eq(b->tb, b->dones, b->starts);
	bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(idle),
		cmocka_unit_test(nothing_busy),
		cmocka_unit_test(each_holds),
		cmocka_unit_test(gaps),
		cmocka_unit_test(one_by_one),
		cmocka_unit_test(start_again),
		cmocka_unit_test(reset_under_way),
		cmocka_unit_test(random_work),
	};

	return cmocka_run_group_tests_name("fence", tests, NULL, NULL);
}
