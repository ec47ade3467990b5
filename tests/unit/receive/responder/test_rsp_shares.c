// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_shares: packets and cells by slot are what was judged less what had been over a cycle ago,
 * whatever comes at once, and stay until the next look.
 */
#include "vtb.h"

#define SLOTS 8u
#define MOST 20u /* packets of all slots */

struct bench {
	struct vtb *tb;
	unsigned int n[SLOTS], cells[SLOTS];	   /* as counted there after this cycle */
	unsigned int slot[MOST], of[MOST], flying; /* slot and cells of the packets under way */
	unsigned int at, held, sum, looks;	   /* the last look, and what it is to tell */
	unsigned int gone_slot, gone_cells;
	bool gone, looked;
};

static void cycle(struct bench *b, unsigned int looks, unsigned int judges, unsigned int downs)
{
	struct vtb *tb = b->tb;
	unsigned int c = rng_below(&tb->rng, 20), which = 0;
	bool judge = b->looked && b->flying < MOST && rng_percent(&tb->rng, judges);
	bool down = b->flying && rng_percent(&tb->rng, downs);
	bool look = rng_percent(&tb->rng, looks);

	vtb_set(tb, "judge_i", judge);
	vtb_set(tb, "judge_slot_i", b->at);
	vtb_set(tb, "cells_i", c);
	vtb_set(tb, "down_valid_i", down);
	if (down) {
		which = rng_below(&tb->rng, b->flying);
		vtb_set(tb, "down_slot_i", b->slot[which]);
		vtb_set(tb, "down_cells_i", b->of[which]);
	}
	vtb_eval(tb);
	if (b->looked) {
		vtb_check_eq(tb, vtb_get(tb, "held_o"), b->held);
		vtb_check_eq(tb, vtb_get(tb, "cells_o"), b->sum);
		vtb_check_eq(tb, vtb_get(tb, "flying_o"), b->held != 0);
		b->looks++;
	}
	vtb_check_eq(tb, vtb_get(tb, "gone_o"), b->gone);
	if (b->gone) {
		vtb_check_eq(tb, vtb_get(tb, "gone_cells_o"), b->gone_cells);
		b->n[b->gone_slot]--;
		b->cells[b->gone_slot] -= b->gone_cells;
	}
	b->gone = down;
	if (down) {
		b->gone_slot = b->slot[which];
		b->gone_cells = b->of[which];
		b->flying--;
		b->slot[which] = b->slot[b->flying];
		b->of[which] = b->of[b->flying];
	}
	if (judge) {
		b->n[b->at]++;
		b->cells[b->at] += c;
		b->slot[b->flying] = b->at;
		b->of[b->flying++] = c;
		b->looked = false; /* one packet for each look */
	}
	if (look) {
		b->at = rng_percent(&tb->rng, 50) ? b->at : rng_below(&tb->rng, SLOTS);
		b->held = b->n[b->at];
		b->sum = b->cells[b->at];
		b->looked = true;
	}
	vtb_set(tb, "look_i", look);
	vtb_set(tb, "look_slot_i", b->at);
	vtb_tick(tb);
}

static void traffic(unsigned int looks, unsigned int judges, unsigned int downs)
{
	struct bench b = { .tb = vtb_create() };

	vtb_set(b.tb, "init_i", 1);
	for (unsigned int i = 0; i < SLOTS; i++) {
		vtb_set(b.tb, "init_slot_i", i);
		vtb_tick(b.tb);
	}
	vtb_set(b.tb, "init_i", 0);
	for (int i = 0; i < 20000; i++)
		cycle(&b, looks, judges, downs);
	vtb_check(b.tb, b.looks > 1000);
	vtb_destroy(b.tb);
}

static void idle(void **state)
{
	(void)state;
	traffic(30, 20, 10);
	traffic(100, 0, 0);
}

static void busy(void **state)
{
	(void)state;
	traffic(100, 100, 100);
	traffic(100, 100, 50);
	traffic(50, 100, 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle), cmocka_unit_test(busy) };

	return cmocka_run_group_tests_name("rsp_shares", tests, NULL, NULL);
}
