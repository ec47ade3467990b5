// SPDX-License-Identifier: Apache-2.0
/*
 * req_mark: the mark of a drain comes out when what was in req_issue before it has left, wherever
 * that was, and not later, whatever comes behind it.
 */
#include "vtb.h"

static void set(struct vtb *tb, unsigned int open, unsigned int move, unsigned int hold,
		unsigned int left, unsigned int pop)
{
	vtb_set(tb, "open_i", open);
	vtb_set(tb, "move_i", move);
	vtb_set(tb, "hold_i", hold);
	vtb_set(tb, "left_i", left);
	vtb_set(tb, "pop_i", pop);
}

static struct vtb *start(unsigned int open, unsigned int hold, unsigned int left)
{
	struct vtb *tb = vtb_create();

	vtb_set(tb, "drain_i", 0);
	set(tb, open, 0, hold, left, 0);
	vtb_run(tb, 5);
	vtb_set(tb, "drain_i", 1);
	return tb;
}

static void stays_out(struct vtb *tb, unsigned int cycles)
{
	for (unsigned int i = 0; i < cycles; i++) {
		vtb_tick(tb);
		vtb_check_eq(tb, vtb_get(tb, "drained_o"), 0);
	}
}

/* Out within a few cycles; stays until the drain is over, and goes at once. */
static void comes_out(struct vtb *tb)
{
	vtb_run_until(tb, vtb_get(tb, "drained_o"), 4);
	set(tb, 1, 1, 1, 2, 0);
	for (unsigned int i = 0; i < 5; i++) {
		vtb_tick(tb);
		vtb_check_eq(tb, vtb_get(tb, "drained_o"), 1);
	}
	vtb_set(tb, "drain_i", 0);
	vtb_tick(tb);
	vtb_check_eq(tb, vtb_get(tb, "drained_o"), 0);
	vtb_set(tb, "drain_i", 1);
	set(tb, 1, 0, 0, 0, 0);
	stays_out(tb, 3);
	vtb_destroy(tb);
}

static void empty(void **state)
{
	(void)state;
	comes_out(start(0, 0, 0));
}

static void behind_gathered(void **state)
{
	struct vtb *tb = start(1, 0, 0);

	(void)state;
	stays_out(tb, 10);
	set(tb, 1, 1, 0, 0, 0); /* goes on; the next one is gathered at once */
	stays_out(tb, 1);
	set(tb, 1, 0, 1, 0, 0); /* ... and is committed in the last of these */
	stays_out(tb, 10);
	set(tb, 1, 0, 0, 0, 0);
	stays_out(tb, 1);
	set(tb, 1, 0, 1, 1, 0); /* its segments, and what is behind it */
	stays_out(tb, 10);
	set(tb, 1, 0, 1, 2, 1);
	vtb_tick(tb);
	set(tb, 1, 0, 1, 2, 0);
	comes_out(tb);
}

static void behind_segments(void **state)
{
	struct vtb *tb = start(0, 0, 2);

	(void)state;
	stays_out(tb, 10);
	set(tb, 0, 0, 0, 2, 1);
	stays_out(tb, 1);
	set(tb, 0, 0, 0, 2, 0); /* another one has come */
	stays_out(tb, 10);
	set(tb, 0, 0, 0, 2, 1);
	vtb_tick(tb);
	set(tb, 0, 0, 0, 2, 0);
	comes_out(tb);
}

/* One leaves in the very cycle in which they are counted. */
static void counted_in_passing(void **state)
{
	(void)state;
	for (unsigned int when = 0; when < 5; when++) {
		struct vtb *tb = start(0, 0, 1);

		for (unsigned int i = 0; i < 5; i++) {
			set(tb, 0, 0, 0, i <= when, i == when);
			if (i <= when)
				vtb_check_eq(tb, vtb_get(tb, "drained_o"), 0);
			vtb_tick(tb);
		}
		set(tb, 0, 0, 0, 0, 0);
		comes_out(tb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty),
		cmocka_unit_test(behind_gathered),
		cmocka_unit_test(behind_segments),
		cmocka_unit_test(counted_in_passing),
	};

	return cmocka_run_group_tests_name("req_mark", tests, NULL, NULL);
}
