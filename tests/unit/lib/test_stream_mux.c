// SPDX-License-Identifier: Apache-2.0
/* stream_mux: packets in the order of the choices. */
#define KIND 2
#include "merge_test.h"

/* Without a choice nothing passes. */
static void no_choice(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	send(&b, 0, 3);
	send(&b, 1, 3);
	vtb_run(b.tb, 50);
	vtb_check_eq(b.tb, vtb_beats(b.out), 0);
	vtb_send_word(b.sel, 1);
	vtb_check_eq(b.tb, take(&b), 1);
	vtb_run(b.tb, 50);
	vtb_check_eq(b.tb, vtb_beats(b.out), 3);
	vtb_destroy(b.tb);
}

/* A choice that does not exist is the user's fault: reported, and nothing passes. */
static void wrong_choice(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	vtb_expect_errors(b.tb);
	send(&b, 0, 3);
	vtb_send_word(b.sel, 3);
	vtb_run(b.tb, 10);
	vtb_check_eq(b.tb, vtb_beats(b.out), 0);
	vtb_check(b.tb, vtb_errors_seen(b.tb) > 0);
	vtb_destroy(b.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_rate), cmocka_unit_test(pauses), cmocka_unit_test(no_choice),
		cmocka_unit_test(wrong_choice),
	};

	return cmocka_run_group_tests_name("stream_mux", tests, NULL, NULL);
}
