/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any one-in, one-out buffer of 64-bit words: order and data under random pauses, full rate without
 * them, latency, and how much it holds.  Included by one .c a cell, which defines CAPACITY, LATENCY
 * (cycles from a word going in to it being shown), LEVEL where there is a level_o, and PACE where
 * words come less often than each cycle.
 */
#include "vtb.h"

#ifndef PACE
#define PACE 1
#endif
#define WORDS (CAPACITY * 4 + 1000)

static void count_level(struct vtb *tb, void *arg)
{
#ifdef LEVEL
	uint64_t *inside = arg;

	vtb_check_eq(tb, vtb_get(tb, "level_o"), *inside);
	vtb_check_eq(tb, vtb_get(tb, "in_ready_o"), *inside < CAPACITY);
	if (vtb_get(tb, "rst_ni")) {
		*inside += vtb_get(tb, "in_valid_i") && vtb_get(tb, "in_ready_o");
		*inside -= vtb_get(tb, "out_valid_o") && vtb_get(tb, "out_ready_i");
	} else {
		*inside = 0;
	}
#else
	(void)tb;
	(void)arg;
#endif
}

static void words(unsigned int idle, unsigned int busy)
{
	struct vtb *tb = vtb_create();
	struct vtb_stream *in = vtb_source(tb, "in"), *out = vtb_sink(tb, "out");
	struct rng expect = tb->rng;
	uint64_t inside = 0;

	vtb_on_sample(tb, count_level, &inside);
	vtb_stream_pause(in, idle);
	vtb_stream_pause(out, busy);
	for (int i = 0; i < WORDS; i++)
		vtb_send_word(in, rng_u64(&tb->rng));
	for (int i = 0; i < WORDS; i++) {
		vtb_run_until(tb, vtb_received(out), 200);
		vtb_check_eq(tb, vtb_recv_word(out), rng_u64(&expect));
	}
	if (!idle && !busy) {
		vtb_check_eq(tb, vtb_max_gap(in, 0, WORDS - 1), PACE);
		vtb_check_eq(tb, vtb_max_gap(out, 0, WORDS - 1), PACE);
		vtb_check_eq(tb, vtb_beat_cycle(out, 0) - vtb_beat_cycle(in, 0), LATENCY);
	} else {
		vtb_check(tb, vtb_max_gap(out, 0, WORDS - 1) > PACE);
	}
	vtb_destroy(tb);
}

static void full_rate(void **state)
{
	(void)state;
	words(0, 0);
}

static void pauses(void **state)
{
	(void)state;
	words(50, 50);
	words(0, 80);
	words(80, 0);
	words(10, 12);
}

/* With the consumer stopped exactly CAPACITY words go in; then they come out at full rate. */
static void capacity(void **state)
{
	struct vtb *tb = vtb_create();
	struct vtb_stream *in = vtb_source(tb, "in"), *out = vtb_sink(tb, "out");
	struct rng expect = tb->rng;
	uint64_t inside = 0;

	(void)state;
	vtb_on_sample(tb, count_level, &inside);
	for (int round = 0; round < 3; round++) {
		vtb_stream_pause(out, 100);
		for (int i = 0; i < CAPACITY + 5; i++)
			vtb_send_word(in, rng_u64(&tb->rng));
		vtb_run(tb, CAPACITY + 20);
		vtb_check_eq(tb, vtb_pending(in), 5);
		vtb_stream_pause(out, 0);
		vtb_stamps_clear(out);
		for (int i = 0; i < CAPACITY + 5; i++) {
			vtb_run_until(tb, vtb_received(out), 20);
			vtb_check_eq(tb, vtb_recv_word(out), rng_u64(&expect));
		}
		vtb_check(tb, vtb_max_gap(out, 0, CAPACITY - 1) <= PACE);
	}
	vtb_destroy(tb);
}

/* A reset empties it. */
static void reset(void **state)
{
	struct vtb *tb = vtb_create();
	struct vtb_stream *in = vtb_source(tb, "in"), *out = vtb_sink(tb, "out");
	uint64_t inside = 0;

	(void)state;
	vtb_on_sample(tb, count_level, &inside);
	vtb_stream_pause(out, 100);
	for (int i = 0; i < CAPACITY; i++)
		vtb_send_word(in, (uint64_t)i);
	vtb_run_until(tb, !vtb_pending(in), 2 * CAPACITY + 20);
	vtb_reset(tb, 1);
	vtb_stream_pause(out, 0);
	vtb_run(tb, 20);
	vtb_check_eq(tb, vtb_received(out), 0);
	vtb_send_word(in, 77);
	vtb_run(tb, 20);
	vtb_check_eq(tb, vtb_received(out), 1);
	vtb_check_eq(tb, vtb_recv_word(out), 77);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_rate),
		cmocka_unit_test(pauses),
		cmocka_unit_test(capacity),
		cmocka_unit_test(reset),
	};

	return cmocka_run_group_tests_name(BUFFER, tests, NULL, NULL);
}
