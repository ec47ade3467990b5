// SPDX-License-Identifier: Apache-2.0
/* How long all wait for one client (sim_patience.h): bounded in a row, and on the long run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim_patience.h"

#define MS 1000000ULL
#define START (1000 * MS)

static void in_a_row(void **state)
{
	struct sim_patience p = { 0 };

	(void)state;
	assert_int_equal(sim_patience(&p, START, false), SIM_PATIENCE_NS);
	assert_int_equal(sim_patience(&p, START + 1, true), SIM_PATIENCE_NS);
	assert_int_equal(sim_patience(&p, START + 1 + 20 * MS, true), 30 * MS);
	assert_int_equal(sim_patience(&p, START + 1 + 49 * MS, true), MS);
	assert_int_equal(sim_patience(&p, START + 1 + 51 * MS, true), 0);
	/* and while it is held nothing comes back */
	assert_int_equal(sim_patience(&p, START + 5000 * MS, true), 0);
	assert_int_equal(sim_patience(&p, START + 5001 * MS, false), 0);
	assert_int_equal(sim_patience(&p, START + 5011 * MS, true), 10 * MS);
	assert_int_equal(sim_patience(&p, START + 5021 * MS, false), 0);
	assert_int_equal(sim_patience(&p, START + 9000 * MS, true), SIM_PATIENCE_NS);
	assert_true(2 * SIM_PATIENCE_NS <= 100 * MS);
}

/* Answers that are always late: at most half of the time is waited away.  In time: never held. */
static void for_ever(void **state)
{
	(void)state;
	for (uint64_t late = 0; late < 2; late++) {
		struct sim_patience p = { 0 };
		uint64_t wall = START, waited = 0, answer = late ? 9 * MS : MS / 10;

		sim_patience(&p, wall, false);
		for (int i = 0; i < 1000; i++) {
			uint64_t left = sim_patience(&p, wall, true);

			assert_true(late || left);
			waited += left < answer ? left : answer;
			wall += answer;
			sim_patience(&p, wall, false);
			wall += MS;
		}
		assert_true(waited <= (wall - START) / 2 + SIM_PATIENCE_NS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_a_row),
		cmocka_unit_test(for_ever),
	};

	return cmocka_run_group_tests_name("sim_patience", tests, NULL, NULL);
}
