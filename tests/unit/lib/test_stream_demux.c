// SPDX-License-Identifier: Apache-2.0
/* stream_demux: each word to the output named. */
#define KIND 1
#include "split_test.h"

/* A stopped output stops only its own words. */
static void one_stopped(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	vtb_stream_pause(b.out[1], 100);
	for (uint8_t sel = 0; sel < 3; sel++)
		send(&b, sel == 2 ? 1 : 2 * sel);
	vtb_run(b.tb, 20);
	vtb_check_eq(b.tb, vtb_pending(b.in), 1);
	vtb_stream_pause(b.out[1], 0);
	vtb_run(b.tb, 20);
	vtb_check(b.tb, take_all(&b));
	vtb_destroy(b.tb);
}

/* An output that does not exist: reported, and the word is gone. */
static void wrong_choice(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	vtb_expect_errors(b.tb);
	send(&b, 3);
	vtb_run(b.tb, 10);
	vtb_check_eq(b.tb, vtb_pending(b.in), 0);
	vtb_check_eq(b.tb, vtb_errors_seen(b.tb), 1);
	send(&b, 0);
	vtb_run(b.tb, 10);
	vtb_check(b.tb, take_all(&b));
	vtb_destroy(b.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_rate), cmocka_unit_test(pauses),
		cmocka_unit_test(one_stopped),
		cmocka_unit_test(wrong_choice),
	};

	return cmocka_run_group_tests_name("stream_demux", tests, NULL, NULL);
}
