// SPDX-License-Identifier: Apache-2.0
/*
 * rx_links: links and numbers of cells against arrays, all readers and the writer at random. Each
 * answer stands until its reader asks again; nobody asks of a cell that is being written.
 */
#include "vtb.h"

#define CELLS 32u

static struct {
	unsigned int next, count;
	bool rsp;
} cells[CELLS];
static struct vtb *tb;
static unsigned int busy[2]; /* cells that were written in this cycle and the one before: bits */

static unsigned int quiet_cell(void)
{
	unsigned int c;

	do
		c = (unsigned int)rng_below(&tb->rng, CELLS);
	while ((busy[0] | busy[1]) >> c & 1);
	return c;
}

static void write_some(bool both_before, bool *both)
{
	unsigned int link = (unsigned int)rng_below(&tb->rng, CELLS);
	unsigned int first = (unsigned int)rng_below(&tb->rng, CELLS);
	bool next_we = !both_before && rng_percent(&tb->rng, 30);
	bool count_we = !both_before && rng_percent(&tb->rng, 30);

	/* a packet's last link is of another cell than its first, or that is its only one */
	if (next_we && count_we && link == first)
		next_we = false;
	*both = next_we && count_we;
	busy[1] = busy[0];
	busy[0] = (next_we ? 1u << link : 0) | (count_we ? 1u << first : 0);
	vtb_set(tb, "write_next_we_i", next_we);
	vtb_set(tb, "write_count_we_i", count_we);
	vtb_set(tb, "write_next_addr_i", link);
	vtb_set(tb, "write_count_addr_i", first);
	if (next_we) {
		cells[link].next = (unsigned int)rng_below(&tb->rng, CELLS);
		vtb_set(tb, "write_next_data_i", cells[link].next);
	}
	if (count_we) {
		cells[first].count = 1 + (unsigned int)rng_below(&tb->rng, 17);
		cells[first].rsp = rng_below(&tb->rng, 2);
		vtb_set(tb, "write_count_data_i", cells[first].count);
		vtb_set(tb, "write_rsp_i", cells[first].rsp);
	}
}

static void fill(void)
{
	for (unsigned int c = 0; c < CELLS; c++) {
		cells[c].next = CELLS - 1 - c;
		cells[c].count = 1 + c % 17;
		cells[c].rsp = c & 1;
		vtb_set(tb, "write_next_we_i", 1);
		vtb_set(tb, "write_next_addr_i", c);
		vtb_set(tb, "write_next_data_i", cells[c].next);
		vtb_tick(tb);
		vtb_set(tb, "write_next_we_i", 0);
		vtb_set(tb, "write_count_we_i", 1);
		vtb_set(tb, "write_count_addr_i", c);
		vtb_set(tb, "write_count_data_i", cells[c].count);
		vtb_set(tb, "write_rsp_i", cells[c].rsp);
		vtb_tick(tb);
		vtb_set(tb, "write_count_we_i", 0);
	}
}

static void at_random(void **state)
{
	unsigned int head_next = 0, head_count = 0, after = 0, count = 0, next = 0;
	bool head_known = false, after_known = false, count_known = false, next_known = false;
	bool both = false, passed[2] = { false, false };

	(void)state;
	tb = vtb_create();
	fill();
	busy[0] = busy[1] = 0;
	for (unsigned int i = 0; i < 20000; i++) {
		bool head = rng_percent(&tb->rng, 20), ask_after = rng_percent(&tb->rng, 20);
		bool ask_count = rng_percent(&tb->rng, 40), ask_next = rng_percent(&tb->rng, 40);
		bool rsp_now = false, rsp = false;
		unsigned int c[4];

		write_some(both, &both);
		for (unsigned int k = 0; k < 4; k++)
			c[k] = quiet_cell();
		vtb_set(tb, "head_re_i", head);
		vtb_set(tb, "head_cell_i", c[0]);
		vtb_set(tb, "after_re_i", ask_after);
		vtb_set(tb, "after_cell_i", c[1]);
		vtb_set(tb, "count_re_i", ask_count);
		vtb_set(tb, "count_cell_i", c[2]);
		vtb_set(tb, "next_re_i", ask_next);
		vtb_set(tb, "next_cell_i", c[3]);
		vtb_eval(tb);
		if (head) {
			head_next = cells[c[0]].next;
			head_count = cells[c[0]].count;
			head_known = true;
		}
		if (ask_after && !head)
			after = cells[c[1]].next, after_known = true;
		else if (ask_after)
			after_known = false;
		ask_count = ask_count && vtb_get(tb, "count_ready_o");
		if (ask_count)
			count = cells[c[2]].count, count_known = true;
		ask_next = ask_next && vtb_get(tb, "next_ready_o");
		if (ask_next)
			next = cells[c[3]].next, rsp = cells[c[3]].rsp, rsp_now = next_known = true;
		passed[0] |= ask_count;
		passed[1] |= ask_next;
		vtb_tick(tb);
		vtb_eval(tb);
		if (head_known) {
			vtb_check_eq(tb, vtb_get(tb, "head_next_o"), head_next);
			vtb_check_eq(tb, vtb_get(tb, "head_count_o"), head_count);
		}
		if (after_known)
			vtb_check_eq(tb, vtb_get(tb, "after_next_o"), after);
		if (count_known)
			vtb_check_eq(tb, vtb_get(tb, "count_o"), count);
		if (next_known)
			vtb_check_eq(tb, vtb_get(tb, "next_o"), next);
		if (rsp_now)
			vtb_check_eq(tb, vtb_get(tb, "next_rsp_o"), rsp);
	}
	assert_true(passed[0] && passed[1]);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(at_random) };

	return cmocka_run_group_tests_name("rx_links", tests, NULL, NULL);
}
