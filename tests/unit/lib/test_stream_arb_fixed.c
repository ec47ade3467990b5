// SPDX-License-Identifier: Apache-2.0
/* stream_arb, fixed priority. */
#include "stream_arb_test.h"

/* Stream 0 first, then 1, then 2; but a word that was shown stays. */
static void priority(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	vtb_stream_pause(b.out, 100);
	send(&b, 2);
	vtb_run(b.tb, 5);
	for (int i = 0; i < 20; i++)
		for (unsigned int src = 0; src < 3; src++)
			send(&b, src);
	vtb_run(b.tb, 5);
	vtb_stream_pause(b.out, 0);
	vtb_check_eq(b.tb, take(&b), 2);
	for (unsigned int i = 0; i < 60; i++)
		vtb_check_eq(b.tb, take(&b), i / 20);
	vtb_destroy(b.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_rate), cmocka_unit_test(pauses), cmocka_unit_test(priority),
	};

	return cmocka_run_group_tests_name("stream_arb_fixed", tests, NULL, NULL);
}
