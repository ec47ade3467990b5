// SPDX-License-Identifier: Apache-2.0
/* clk_gate: an edge in each busy cycle, in HOLD more and in reset; registers on both sides see each
 * other as with one clock; CAIRN_FREE_CLOCKS: always. */
#include <stdlib.h>

#include "vtb.h"

#define HOLD 3

static void edges(bool never_stops)
{
	struct vtb *tb = vtb_create();
	uint64_t free_n = 0, gated_n = 0, free_seen, gated_seen;
	unsigned int left = HOLD, stopped = 0;

	free_seen = vtb_get(tb, "free_seen_o");
	gated_seen = vtb_get(tb, "gated_seen_o");
	for (int i = 0; i < 5000; i++) {
		bool busy = rng_percent(&tb->rng, (unsigned int)i / 1000 * 10);
		bool open = never_stops || busy || left;

		vtb_check_eq(tb, vtb_get(tb, "free_o"), free_n);
		vtb_check_eq(tb, vtb_get(tb, "gated_o"), gated_n);
		vtb_check_eq(tb, vtb_get(tb, "free_seen_o"), free_seen);
		vtb_check_eq(tb, vtb_get(tb, "gated_seen_o"), gated_seen);
		/* what it was before, while the clock was low, does not count */
		vtb_set(tb, "busy_i", !busy);
		vtb_eval(tb);
		vtb_set(tb, "busy_i", busy);
		vtb_tick(tb);
		/* after the edge it is too late */
		vtb_set(tb, "busy_i", !busy);
		gated_seen = gated_n;
		if (open) {
			free_seen = free_n;
			gated_n++;
		}
		free_n++;
		left = busy ? HOLD : left ? left - 1 : 0;
		stopped += !open;
	}
	assert_true(never_stops ? !stopped : stopped > 1000);
	vtb_set(tb, "busy_i", 0);
	vtb_reset(tb, 2);
	vtb_check_eq(tb, vtb_get(tb, "gated_o"), 0);
	vtb_destroy(tb);
}

static void stands_still(void **state)
{
	(void)state;
	edges(false);
}

static void runs_free(void **state)
{
	(void)state;
	assert_int_equal(setenv("CAIRN_FREE_CLOCKS", "1", 1), 0);
	edges(true);
	unsetenv("CAIRN_FREE_CLOCKS");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(stands_still),
					    cmocka_unit_test(runs_free) };

	return cmocka_run_group_tests_name("clk_gate", tests, NULL, NULL);
}
