// SPDX-License-Identifier: Apache-2.0
/* stream_arb, round robin. */
#include "stream_arb_test.h"

/* With all sources busy, they take turns. */
static void turns(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	for (int i = 0; i < 50; i++)
		for (unsigned int src = 0; src < 3; src++)
			send(&b, src);
	for (unsigned int i = 0; i < 150; i++)
		vtb_check_eq(b.tb, take(&b), i % 3);
	vtb_destroy(b.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_rate), cmocka_unit_test(pauses), cmocka_unit_test(turns),
	};

	return cmocka_run_group_tests_name("stream_arb", tests, NULL, NULL);
}
