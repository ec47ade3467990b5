// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_res_cache: QPs that share a line take it from each other by writing and by filling, before,
 * during and after a fill; entries written meanwhile stay; a line just filled is its QP's until it
 * has been read; failed reads.
 */
#include "res_bench.h"

/* So that the QP is not there, whatever was before. */
static void lose(struct bench *b, unsigned int qpn)
{
	res_write(b, res_rival(qpn, 0), ENTRIES - 1);
	vtb_check(b->tb, !res_read(b, qpn, 0));
}

/* Writing takes the line; nothing of the QP before is left, and other lines do not move. */
static void take_over(void **state)
{
	struct bench *b = res_bench_new();

	(void)state;
	for (unsigned int a = 0; a < QPS; a++) {
		unsigned int other = res_rival(a, a % 3), i = a, j = (a + 5) % ENTRIES,
			     gen = b->gen[a];

		b->busy_pct = a % 3 * 30;
		res_write(b, a, i);
		res_write(b, a ^ 1, j); /* of another line */
		vtb_check(b->tb, res_read(b, a, i) && !res_read(b, a, j));
		vtb_check(b->tb, !res_read_gen(b, a, (gen + 1) & 0xff, i));
		vtb_check(b->tb, !res_read(b, other, i));
		res_write(b, other, j);
		vtb_check(b->tb, !res_read(b, a, i) && !res_read(b, a, j));
		vtb_check(b->tb, res_read(b, other, j) && !res_read(b, other, i));
		b->gen[other]++; /* the QP number is used again */
		res_write(b, other, i);
		vtb_check(b->tb, res_read(b, other, i) && !res_read(b, other, j));
		vtb_check(b->tb, res_read(b, a ^ 1, j));
	}
	res_bench_free(b);
}

/* Every QP: nothing, then all of its line from the host, or what is newer. */
static void fills(void **state)
{
	struct bench *b = res_bench_new();

	(void)state;
	for (unsigned int q = 0; q < QPS; q++) {
		b->busy_pct = q % 4 * 20;
		b->hold_wake = true;
		vtb_check(b->tb, !res_read(b, q, 0) && res_ask(b));
		b->hold_posted = q & 1; /* the host's are the old ones still */
		b->hold_rsp = true;
		vtb_run(b->tb, 20);
		for (unsigned int i = 0; q & 1 && i < 6; i++)
			res_write(b, q, (unsigned int)rng_below(&b->tb->rng, ENTRIES));
		b->hold_rsp = false;
		vtb_run_until(b->tb, b->state == WAKE, 3000);
		vtb_run(b->tb, 30); /* the wake waits for whom it tells */
		b->hold_wake = false;
		res_wait_wake(b);
		for (unsigned int i = 0; i < ENTRIES; i++)
			vtb_check(b->tb, res_read(b, q, i) && !b->want_err);
		b->hold_posted = false;
	}
	vtb_check_eq(b->tb, b->n_wakes, QPS);
	res_bench_free(b);
}

/* A line just filled is refused to its rivals until its own QP has read it; other lines are not. */
static void fresh_line(void **state)
{
	struct bench *b = res_bench_new();

	(void)state;
	for (unsigned int a = 0; a < QPS; a++) {
		unsigned int other = res_rival(a, a % 3);

		b->busy_pct = a % 3 * 30;
		lose(b, a);
		lose(b, a ^ 1);
		res_fill(b, a);
		for (unsigned int i = 0; i < 10; i++) {
			vtb_check(b->tb, !res_read(b, other, i));
			vtb_check(b->tb, !res_ask(b));
			vtb_run(b->tb, rng_below(&b->tb->rng, 20));
		}
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 0);
		vtb_check(b->tb, res_read(b, a, a));
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
		vtb_check(b->tb, !res_read(b, other, 0) && res_ask(b));
		res_wait_wake(b);
		vtb_check(b->tb, res_read(b, other, 0) && !res_read(b, a, 0));
		res_fill(b, a);
		vtb_check(b->tb, !res_read(b, a ^ 1, 0) && res_ask(b)); /* of another line */
		res_wait_wake(b);
		vtb_check(b->tb, res_read(b, a, 0) && res_read(b, a ^ 1, 0));
	}
	vtb_check(b->tb, b->n_refused >= 10 * QPS);
	res_bench_free(b);
}

/* A QP that never comes to read (destroyed, in error) does not keep its line for ever. */
static void never_read(void **state)
{
	struct bench *b = res_bench_new();

	(void)state;
	for (unsigned int a = 0; a < 3; a++) {
		unsigned int other = res_rival(a, a);
		uint64_t from;

		res_fill(b, a);
		from = b->fresh_at;
		do
			vtb_check(b->tb,
				  !res_read(b, other, 0) && b->tb->cycle < from + FRESH + 20);
		while (!res_ask(b));
		vtb_check(b->tb, b->tb->cycle >= from + FRESH - 2);
		res_wait_wake(b);
		vtb_check(b->tb, res_read(b, other, 3));
		vtb_check(b->tb, !res_read(b, a, 3));
	}
	res_bench_free(b);
}

/*
 * A rival writes at any moment of a fill: before it is accepted, while it is asked for, between its
 * beats.  What comes from the host then is not the line's, also if the first QP writes again.
 */
static void during_fill(void **state)
{
	struct bench *b = res_bench_new();
	unsigned int lost = 0;

	(void)state;
	for (unsigned int at = 0; at < 120; at++) {
		unsigned int a = at % QPS, other = res_rival(a, at % 3), before = b->n_wakes;

		b->busy_pct = at % 4 * 20;
		if (res_read(b, a, 9)) /* left by a round before */
			res_write(b, other, 9);
		vtb_check(b->tb, !res_read(b, a, 9) && res_ask(b));
		vtb_run(b->tb, at / 2);
		res_write(b, other, 7);
		if (at & 1)
			res_write(b, a, 5);
		vtb_run_until(b->tb, b->n_wakes == before + 1 || b->state == IDLE, 3000);
		lost += !res_read(b, a, 9);
		if (res_read(b, other, 7))
			vtb_check(b->tb, !res_read(b, a, 5));
		res_read(b, a, 5);
		res_read(b, other, 9);
	}
	vtb_check(b->tb, lost > 40 && b->n_broken > 10);
	res_bench_free(b);
}

/* A failed read marks the line for its QP, until that writes, asks again or loses the line. */
static void failed(void **state)
{
	struct bench *b = res_bench_new();

	(void)state;
	for (unsigned int a = 0; a < QPS; a++) {
		unsigned int other = res_rival(a, a % 3);

		b->busy_pct = a % 3 * 30;
		lose(b, a);
		b->fail_next = true;
		res_fill(b, a);
		b->fail_next = false;
		for (unsigned int i = 0; i < ENTRIES; i++)
			vtb_check(b->tb, res_read(b, a, i) && b->want_err);
		vtb_check(b->tb, !res_read(b, other, 0)); /* it is not theirs */
		if (a & 1) {
			res_write(b, a, 4);
			vtb_check(b->tb, res_read(b, a, 4) && !b->want_err);
			vtb_check(b->tb, !res_read(b, a, 3));
			res_fill(b, a); /* works now */
		} else {
			res_fill(b, other);
			vtb_check(b->tb,
				  res_read(b, other, 3) && !b->want_err && !res_read(b, a, 3));
			res_fill(b, a);
		}
		for (unsigned int i = 0; i < ENTRIES; i++)
			vtb_check(b->tb, res_read(b, a, i) && !b->want_err);
	}
	vtb_check_eq(b->tb, b->n_errs, QPS * ENTRIES);
	res_bench_free(b);
}

/* The writers are gone: at the latest when nobody else's line is fresh it is there. */
static void serve(struct bench *b, unsigned int qpn)
{
	uint64_t limit = b->tb->cycle + 4 * FRESH;

	while (!res_read(b, qpn, 0) || b->want_err) {
		vtb_check(b->tb, b->tb->cycle < limit);
		if (b->want_hit)
			lose(b, qpn);
		if (res_ask(b))
			res_wait_wake(b);
	}
}

/*
 * Visits as rsp_tx makes them, writers in between: a miss asks, a refusal comes again, a wake is
 * followed by a read.  In the end everybody is served.
 */
static void visits(unsigned int writes, unsigned int fails)
{
	struct bench *b = res_bench_new();
	unsigned int served = 0, woken = 0, wakes = 0;

	b->write_pct = writes;
	b->fail_pct = fails;
	for (unsigned int i = 0; i < 3000; i++) {
		unsigned int q = (unsigned int)rng_below(&b->tb->rng, QPS);

		if (i % 200 == 0)
			b->busy_pct = (unsigned int)rng_below(&b->tb->rng, 4) * 20;
		if (b->n_wakes != wakes && rng_percent(&b->tb->rng, 60)) {
			wakes = b->n_wakes;
			q = woken;
		}
		if (res_read(b, q, (unsigned int)rng_below(&b->tb->rng, ENTRIES)))
			served += !b->want_err;
		else if (res_ask(b))
			woken = q;
		vtb_run(b->tb, rng_below(&b->tb->rng, 12));
	}
	vtb_check(b->tb, served > 30 && b->n_wakes > 100);
	vtb_check(b->tb, !writes || b->n_broken > 5);
	vtb_check(b->tb, !fails || b->n_errs > 5);
	b->write_pct = b->fail_pct = 0;
	vtb_run(b->tb, 20);
	vtb_set(b->tb, "wr_valid_i", 0);
	for (unsigned int q = 0; q < QPS; q++)
		serve(b, q);
	vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 4000);
	res_bench_free(b);
}

static void readers(void **state)
{
	(void)state;
	visits(0, 0);
}
static void writers(void **state)
{
	(void)state;
	visits(4, 0);
	visits(10, 10);
}
static void failures(void **state)
{
	(void)state;
	visits(1, 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(take_over),   cmocka_unit_test(fills),
		cmocka_unit_test(fresh_line),  cmocka_unit_test(never_read),
		cmocka_unit_test(during_fill), cmocka_unit_test(failed),
		cmocka_unit_test(readers),     cmocka_unit_test(writers),
		cmocka_unit_test(failures),
	};

	return cmocka_run_group_tests_name("rsp_res_cache", tests, NULL, NULL);
}
