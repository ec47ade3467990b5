// SPDX-License-Identifier: Apache-2.0
/*
 * req_mr_wait: who waits for a fill is kicked when one has ended; with no room left the next QP is
 * told not to wait, so that none stands in the way of QPs that wait for nothing.
 */
#include "vtb.h"

#define DEPTH 16u
#define AGAIN 1024u

static struct vtb *begin(void)
{
	struct vtb *tb = vtb_create();

	vtb_set(tb, "base_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "base_i", 0);
	vtb_eval(tb);
	return tb;
}

static void wait_there(struct vtb *tb, unsigned int qpn)
{
	vtb_eval(tb);
	vtb_check(tb, vtb_get(tb, "waits_o"));
	vtb_set(tb, "in_valid_i", 1);
	vtb_set(tb, "in_qpn_i", qpn);
	vtb_tick(tb);
	vtb_set(tb, "in_valid_i", 0);
	vtb_eval(tb);
}

static void fill(struct vtb *tb)
{
	vtb_set(tb, "mr_fill_i", 1);
	vtb_eval(tb);
	/* it may be what the visit at hand misses */
	vtb_check(tb, !vtb_get(tb, "waits_o"));
	vtb_tick(tb);
	vtb_set(tb, "mr_fill_i", 0);
}

static void expect_kicks(struct vtb *tb, unsigned int first, unsigned int n)
{
	vtb_set(tb, "kick_ready_i", 1);
	for (unsigned int i = 0; i < n; i++) {
		vtb_run_until(tb, vtb_get(tb, "kick_valid_o"), 4);
		vtb_check_eq(tb, vtb_get(tb, "kick_qpn_o"), first + i);
		vtb_tick(tb);
	}
	vtb_set(tb, "kick_ready_i", 0);
	vtb_eval(tb);
	vtb_check(tb, !vtb_get(tb, "kick_valid_o"));
}

static void next_visit(struct vtb *tb)
{
	vtb_set(tb, "gather_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "gather_i", 0);
	vtb_set(tb, "base_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "base_i", 0);
}

static void kicked_by_a_fill(void **state)
{
	struct vtb *tb = begin();

	(void)state;
	wait_there(tb, 5);
	wait_there(tb, 6);
	vtb_run(tb, 20);
	vtb_check(tb, !vtb_get(tb, "kick_valid_o"));
	fill(tb);
	expect_kicks(tb, 5, 2);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

static void kicked_without_one(void **state)
{
	struct vtb *tb = begin();

	(void)state;
	wait_there(tb, 5);
	vtb_run_until(tb, vtb_get(tb, "kick_valid_o"), AGAIN + 4);
	expect_kicks(tb, 5, 1);
	vtb_destroy(tb);
}

static void full(void **state)
{
	struct vtb *tb = begin();

	(void)state;
	for (unsigned int i = 0; i < DEPTH; i++)
		wait_there(tb, 20 + i);
	vtb_check(tb, !vtb_get(tb, "waits_o"));
	fill(tb);
	expect_kicks(tb, 20, DEPTH);
	next_visit(tb);
	wait_there(tb, 40);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kicked_by_a_fill),
		cmocka_unit_test(kicked_without_one),
		cmocka_unit_test(full),
	};

	return cmocka_run_group_tests_name("req_mr_wait", tests, NULL, NULL);
}
