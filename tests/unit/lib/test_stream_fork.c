// SPDX-License-Identifier: Apache-2.0
/* stream_fork: each word once to every output named. */
#define KIND 0
#include "split_test.h"

/* One stopped output does not keep the others from this word, but from the next. */
static void one_stopped(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	vtb_stream_pause(b.out[1], 100);
	send(&b, 7);
	send(&b, 5);
	vtb_run(b.tb, 20);
	vtb_check_eq(b.tb, vtb_beats(b.out[0]), 1);
	vtb_check_eq(b.tb, vtb_beats(b.out[2]), 1);
	vtb_check_eq(b.tb, vtb_pending(b.in), 2);
	vtb_stream_pause(b.out[1], 0);
	vtb_run(b.tb, 20);
	vtb_check(b.tb, take_all(&b));
	vtb_destroy(b.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_rate), cmocka_unit_test(pauses),
		cmocka_unit_test(one_stopped),
	};

	return cmocka_run_group_tests_name("stream_fork", tests, NULL, NULL);
}
