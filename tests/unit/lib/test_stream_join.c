// SPDX-License-Identifier: Apache-2.0
/* stream_join behind a fork and two branches of different delay: every word meets its twin. */
#include "vtb.h"

#define WORDS 1000

static void run(unsigned int idle, unsigned int busy)
{
	struct vtb *tb = vtb_create();
	struct vtb_stream *in = vtb_source(tb, "in"), *out = vtb_sink(tb, "join");
	struct rng expect = tb->rng;

	vtb_stream_pause(in, idle);
	vtb_stream_pause(out, busy);
	for (int i = 0; i < WORDS; i++)
		vtb_send_word(in, (uint32_t)rng_u64(&tb->rng));
	for (int i = 0; i < WORDS; i++) {
		uint32_t word = (uint32_t)rng_u64(&expect);

		vtb_run_until(tb, vtb_received(out), 200);
		vtb_check_eq(tb, vtb_recv_word(out), (uint64_t)~word << 32 | word);
	}
	if (!idle && !busy)
		vtb_check_eq(tb, vtb_max_gap(out, 0, WORDS - 1), 1);
	vtb_run(tb, 10);
	vtb_check_eq(tb, vtb_beats(out), WORDS);
	vtb_destroy(tb);
}

static void full_rate(void **state)
{
	(void)state;
	run(0, 0);
}

static void pauses(void **state)
{
	(void)state;
	run(50, 0);
	run(0, 50);
	run(50, 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(full_rate), cmocka_unit_test(pauses) };

	return cmocka_run_group_tests_name("stream_join", tests, NULL, NULL);
}
