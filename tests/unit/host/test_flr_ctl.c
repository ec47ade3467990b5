// SPDX-License-Identifier: Apache-2.0
/*
 * flr_ctl: stop, wait for DMA and transmitter, reset, done, go on; for config space's FLR, for
 * CTRL.FN_RESET and for both at once, with requests that fall at any moment, and with a wire that
 * stands still for too long.  A monitor compares every cycle with the order that flr_ctl.sv names;
 * the tests drive it into the corners.
 */
#include "vtb.h"

#ifndef RESET_CYCLES
#define RESET_CYCLES 16 /* the module's default */
#endif
#define QUIET_ALL 7u
#define QUIET_DMA 3u
#define LIMIT (1u << 8) /* QUIET_LOG2 of the tests' models */

enum phase { RUN, STOP, CLEAR, DONE };

struct inputs {
	bool flr, fn;
	unsigned int quiet; /* dma_read, dma_write, transmitter */
};

struct bench {
	struct vtb *tb;
	enum phase phase;
	struct inputs last; /* of the cycle before */
	bool last_rst;
	unsigned int in_reset, resets, flr_dones, fn_dones, stops, cuts;
	unsigned int waited; /* cycles in STOP */
	bool cut;	     /* this reset does */
	unsigned int held_pct; /* random: of cycles in which an engine is busy */
	unsigned int hold;     /* engines that stay busy */
	bool random_quiet;
};

/* ---- what every cycle must look like ---- */

static struct inputs inputs(struct vtb *tb)
{
	return (struct inputs){ vtb_get(tb, "cfg_flr_i"), vtb_get(tb, "fn_reset_i"),
				(unsigned int)(vtb_get(tb, "rd_done_i") |
					       vtb_get(tb, "wr_done_i") << 1 |
					       vtb_get(tb, "tx_quiet_i") << 2) };
}

/* The length is at least what the parameter says, and not more than one cycle longer. */
static void leave_reset(struct bench *b, bool reset_n)
{
	if (!reset_n) {
		b->in_reset++;
		vtb_check(b->tb, b->in_reset <= RESET_CYCLES + 1);
		return;
	}
	vtb_check(b->tb, b->in_reset >= RESET_CYCLES);
	b->phase = DONE;
}

static void next_phase(struct bench *b, bool reset_n)
{
	bool req = b->last.flr || b->last.fn;

	switch (b->phase) {
	case RUN:
		if (req) {
			b->phase = STOP;
			b->stops++;
			b->waited = 0;
			b->cut = false;
		}
		break;
	case STOP:
		b->waited++;
		if (b->last.quiet == QUIET_ALL || b->cut) {
			b->phase = CLEAR;
			b->resets++;
			b->in_reset = 1;
		}
		break;
	case CLEAR:
		leave_reset(b, reset_n);
		break;
	case DONE:
		if (!req)
			b->phase = RUN;
		break;
	}
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	struct inputs in = inputs(tb);
	bool rst = !vtb_read(tb->rst_n), reset_n = vtb_get(tb, "core_rst_no");
	bool flr_done = vtb_get(tb, "cfg_flr_done_o"), fn_done = vtb_get(tb, "fn_done_o");

	if (rst) {
		vtb_check_eq(tb, reset_n, 0);
		b->last_rst = true;
		return;
	}
	if (b->last_rst)
		b->phase = RUN;
	else
		next_phase(b, reset_n);
	if (b->phase == STOP && b->waited == LIMIT + 1) /* a cycle of grace */
		vtb_check(tb, in.quiet != QUIET_DMA || vtb_get(tb, "cut_o"));
	if (b->phase == STOP && vtb_get(tb, "cut_o")) {
		vtb_check_eq(tb, in.quiet, QUIET_DMA);
		vtb_check(tb, b->waited >= LIMIT);
		b->cut = true;
		b->cuts++;
	}
	vtb_check_eq(tb, vtb_get(tb, "cut_o"), (b->phase == STOP || b->phase == CLEAR) && b->cut);
	vtb_check_eq(tb, reset_n, b->phase != CLEAR);
	vtb_check_eq(tb, vtb_get(tb, "stop_o"), b->phase != RUN);
	vtb_check_eq(tb, flr_done, b->phase == DONE && in.flr);
	vtb_check_eq(tb, fn_done, b->phase == DONE && in.fn);
	b->flr_dones += flr_done;
	b->fn_dones += fn_done;
	b->last = in;
	b->last_rst = false;
}

/* Engines come to rest one by one, and not for good. */
static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	static const char *const port[] = { "rd_done_i", "wr_done_i", "tx_quiet_i" };

	if (b->random_quiet)
		for (unsigned int i = 0; i < 3; i++)
			vtb_set(tb, port[i],
				!(b->hold >> i & 1) && !rng_percent(&tb->rng, b->held_pct));
}

static void quiet(struct bench *b, unsigned int mask)
{
	vtb_set(b->tb, "rd_done_i", mask & 1);
	vtb_set(b->tb, "wr_done_i", mask >> 1 & 1);
	vtb_set(b->tb, "tx_quiet_i", mask >> 2 & 1);
}

static void request(struct bench *b, bool flr, bool fn)
{
	vtb_set(b->tb, "cfg_flr_i", flr);
	vtb_set(b->tb, "fn_reset_i", fn);
}

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	vtb_run(b->tb, 3);
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

/* ---- tests ---- */

/* Each of the two and both; nothing happens without a request, whatever the engines say. */
static void requests(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	quiet(b, QUIET_ALL);
	vtb_run(b->tb, 50);
	vtb_check_eq(b->tb, b->stops, 0);
	for (unsigned int who = 1; who < 4; who++) {
		b->flr_dones = b->fn_dones = b->resets = 0;
		request(b, who & 1, who & 2);
		vtb_run_until(b->tb, b->phase == DONE, RESET_CYCLES + 10);
		vtb_run(b->tb, 20); /* done stays until the request falls */
		vtb_check_eq(b->tb, b->flr_dones, who & 1 ? 21 : 0);
		vtb_check_eq(b->tb, b->fn_dones, who & 2 ? 21 : 0);
		request(b, false, false);
		vtb_run(b->tb, 20);
		vtb_check(b->tb, b->phase == RUN);
		vtb_check_eq(b->tb, b->resets, 1);
	}
	vtb_check_eq(b->tb, b->stops, 3);
	bench_free(b);
}

/* A reset waits for all three at the same time; seven ways of not being there yet. */
static void waits(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int mask = 0; mask < QUIET_ALL; mask++) {
		b->resets = 0;
		quiet(b, mask);
		request(b, mask & 1, !(mask & 1));
		vtb_run(b->tb, 60);
		vtb_check(b->tb, b->phase == STOP);
		for (unsigned int i = 0; i < 8; i++) { /* each was at rest, never all */
			quiet(b, QUIET_ALL ^ 1u << i % 3);
			vtb_run(b->tb, 3);
		}
		vtb_check_eq(b->tb, b->resets, 0);
		vtb_check_eq(b->tb, b->flr_dones + b->fn_dones, 0);
		quiet(b, QUIET_ALL);
		vtb_run(b->tb, 2);
		quiet(b, mask); /* what is in reset may say anything */
		vtb_run_until(b->tb, b->phase == DONE, RESET_CYCLES + 10);
		vtb_check_eq(b->tb, b->resets, 1);
		request(b, false, false);
		vtb_run(b->tb, 5);
		vtb_check(b->tb, b->phase == RUN);
		b->flr_dones = b->fn_dones = 0;
	}
	bench_free(b);
}

/* One request falls before the other, or comes while the other is done: each gets its done. */
static void overlaps(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	quiet(b, QUIET_ALL);
	for (unsigned int first = 0; first < 2; first++) {
		request(b, first == 0, first == 1);
		vtb_run(b->tb, 4);
		request(b, true, true); /* during the reset */
		vtb_run_until(b->tb, b->phase == DONE, RESET_CYCLES + 10);
		vtb_run(b->tb, 3);
		request(b, first == 1, first == 0);
		vtb_run(b->tb, 10);
		vtb_check(b->tb, b->phase == DONE);
		request(b, true, true); /* and the first one again: the state is still clear */
		vtb_run(b->tb, 3);
		request(b, false, false);
		vtb_run(b->tb, 3);
		vtb_check(b->tb, b->phase == RUN);
		vtb_check_eq(b->tb, b->resets, first + 1);
	}
	vtb_check(b->tb, b->flr_dones && b->fn_dones);
	bench_free(b);
}

/*
 * The request falls before the end: after 1, 2, ... cycles, with engines that rest soon or late.
 * The reset is carried out all the same, nobody is told, and the next request works.
 */
static void falls_early(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int len = 1; len < RESET_CYCLES + 6; len++) {
		unsigned int late = (unsigned int)rng_below(&b->tb->rng, 12);

		b->resets = b->flr_dones = b->fn_dones = 0;
		quiet(b, 0);
		request(b, len & 1, !(len & 1));
		for (unsigned int t = 0; t < len; t++) {
			quiet(b, t >= late ? QUIET_ALL : 0);
			vtb_tick(b->tb);
		}
		request(b, false, false);
		vtb_run(b->tb, 10);
		quiet(b, QUIET_ALL);
		vtb_run_until(b->tb, b->phase == RUN, RESET_CYCLES + 10);
		vtb_check_eq(b->tb, b->resets, 1);
		if (len <= RESET_CYCLES)
			vtb_check_eq(b->tb, b->flr_dones + b->fn_dones, 0);
		request(b, !(len & 1), len & 1);
		vtb_run_until(b->tb, b->phase == DONE, RESET_CYCLES + 10);
		vtb_check_eq(b->tb, b->resets, 2);
		request(b, false, false);
		vtb_run(b->tb, 3);
	}
	bench_free(b);
}

/* rst_ni at any moment: the core's reset goes with it, and what was asked is forgotten. */
static void hard_reset(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	quiet(b, QUIET_ALL);
	for (unsigned int at = 0; at < RESET_CYCLES + 8; at++) {
		request(b, true, false);
		vtb_run(b->tb, at);
		request(b, false, false);
		vtb_reset(b->tb, 3);
		b->resets = 0;
		vtb_run(b->tb, RESET_CYCLES + 8);
		vtb_check(b->tb, b->phase == RUN);
		vtb_check_eq(b->tb, b->resets, 0);
	}
	bench_free(b);
}

/*
 * A frame that does not end is not waited for longer than the limit; DMA is.  The frame ends while
 * it is waited for DMA, before or after the limit: nothing is cut then.
 */
static void still_wire(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int dma = 0; dma < 2; dma++) {
		for (unsigned int ends = 0; ends < 2; ends++) {
			b->cuts = 0;
			quiet(b, dma ? 1 : QUIET_DMA);
			request(b, true, false);
			vtb_run_until(b->tb, b->phase == STOP, 10);
			vtb_run(b->tb, LIMIT - 5);
			vtb_check(b->tb, b->phase == STOP);
			vtb_run(b->tb, dma ? 50 : 0);
			vtb_check(b->tb, b->phase == STOP);
			if (ends)
				quiet(b, QUIET_ALL);
			else
				quiet(b, QUIET_DMA);
			vtb_run_until(b->tb, b->phase == DONE, RESET_CYCLES + 20);
			vtb_check_eq(b->tb, b->cuts, !ends);
			quiet(b, QUIET_ALL);
			request(b, false, false);
			vtb_run_until(b->tb, b->phase == RUN, 10);
		}
	}
	bench_free(b);
}

static void random_times(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	b->random_quiet = true;
	for (unsigned int i = 0; i < 300; i++) {
		bool flr = rng_percent(&b->tb->rng, 50), fn = !flr || rng_percent(&b->tb->rng, 30);
		unsigned int before = b->resets;

		b->held_pct = i % 4 * 25;
		b->hold = (unsigned int)rng_below(&b->tb->rng, 8);
		vtb_run(b->tb, rng_below(&b->tb->rng, 6));
		request(b, flr, fn);
		vtb_run(b->tb, rng_range(&b->tb->rng, 1, 30));
		if (rng_percent(&b->tb->rng, 20)) /* given up, perhaps too early */
			request(b, false, false);
		b->hold = 0;
		vtb_run_until(b->tb, b->resets == before + 1 && b->phase >= DONE, 5000);
		vtb_run(b->tb, rng_below(&b->tb->rng, 6));
		request(b, false, false);
		vtb_run_until(b->tb, b->phase == RUN, 10);
	}
	vtb_check_eq(b->tb, b->resets, 300);
	bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests),   cmocka_unit_test(waits),
		cmocka_unit_test(overlaps),   cmocka_unit_test(falls_early),
		cmocka_unit_test(hard_reset), cmocka_unit_test(random_times),
		cmocka_unit_test(still_wire),
	};

	return cmocka_run_group_tests_name("flr_ctl", tests, NULL, NULL);
}
