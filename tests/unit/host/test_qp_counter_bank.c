// SPDX-License-Identifier: Apache-2.0
/*
 * qp_counter_bank with counters of 4 bits (-GCNT_W=4), two sources of two strobes: a counter stays
 * at its end, and a source that is faster than its queue is an error of the design.
 */
#include "vtb.h"

static uint64_t value(struct vtb *tb, unsigned int counter)
{
	uint64_t value;

	vtb_set(tb, "rd_valid_i", 1);
	vtb_set(tb, "rd_cnt_i", counter);
	vtb_run_until(tb, vtb_get(tb, "done_o"), 100);
	value = vtb_get(tb, "value_o");
	vtb_set(tb, "rd_take_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "rd_take_i", 0);
	vtb_set(tb, "rd_valid_i", 0);
	vtb_tick(tb);
	return value;
}

static struct vtb *bank(void)
{
	struct vtb *tb = vtb_create();

	vtb_run(tb, 10);
	vtb_set(tb, "zero_valid_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "zero_valid_i", 0);
	vtb_run(tb, 20);
	return tb;
}

static void stays_at_its_end(void **state)
{
	struct vtb *tb = bank();

	(void)state;
	for (unsigned int i = 1; i < 40; i++) {
		vtb_set(tb, "ev_i", 1);
		vtb_tick(tb);
		vtb_set(tb, "ev_i", 0);
		vtb_tick(tb);
		vtb_check_eq(tb, value(tb, 0), i < 15 ? i : 15);
	}
	vtb_destroy(tb);
}

static void too_fast(void **state)
{
	struct vtb *tb = bank();

	(void)state;
	vtb_set(tb, "ev_i", 3); /* two strobes a cycle, one is counted */
	vtb_run(tb, 20);
	vtb_expect_errors(tb);
	vtb_run(tb, 60);
	vtb_set(tb, "ev_i", 0);
	vtb_check(tb, vtb_errors_seen(tb) > 0);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stays_at_its_end),
		cmocka_unit_test(too_fast),
	};

	return cmocka_run_group_tests_name("qp_counter_bank", tests, NULL, NULL);
}
