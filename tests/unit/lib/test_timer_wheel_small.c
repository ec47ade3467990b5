// SPDX-License-Identifier: Apache-2.0
/* timer_wheel with three levels of four slots of 16 ns: every boundary is crossed all the time. */
#define GRAN_LOG2 4
#define SLOT_LOG2 2
#define LEVELS 3
#include "timer_wheel_test.h"

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_times),
		cmocka_unit_test(beyond_span),
		cmocka_unit_test(consumer_stopped),
		cmocka_unit_test(replaced),
		cmocka_unit_test(under_load),
		cmocka_unit_test(replaced_while_moving),
		cmocka_unit_test(reset),
		cmocka_unit_test(same_with_jumps),
	};

	return cmocka_run_group_tests_name("timer_wheel_small", tests, NULL, NULL);
}
