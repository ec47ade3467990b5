// SPDX-License-Identifier: Apache-2.0
/* cmp_chain: what is inside of each slot, and what of it failed or fell, as a model says. */
#include "vtb.h"

#define SLOTS 8u
#define MOST 8u
#ifndef LANES
#define LANES SLOTS
#endif

static struct chain {
	unsigned int count; /* verdicts inside */
	bool dead, torn;
} chains[SLOTS];
static unsigned int came_torn; /* verdicts inside that came torn */

/* Is there a chain of another slot in the lane of this one? Then no verdict of it comes. */
static bool other(unsigned int slot)
{
	for (unsigned int i = slot % LANES; i < SLOTS; i += LANES) {
		if (i != slot && chains[i].count)
			return true;
	}
	return false;
}

/* What is shown of a slot in hand and of one that is looked at. */
static void shows(struct vtb *tb, unsigned int slot, unsigned int look)
{
	vtb_set(tb, "slot_i", slot);
	vtb_set(tb, "chain_slot_i", look);
	vtb_eval(tb);
	if (!other(slot)) {
		vtb_check_eq(tb, vtb_get(tb, "dead_o"), chains[slot].dead);
		vtb_check_eq(tb, vtb_get(tb, "torn_o"), chains[slot].torn);
	}
	vtb_check_eq(tb, vtb_get(tb, "chain_o"), chains[look].count || other(look));
	if (LANES == SLOTS || vtb_get(tb, "chain_o"))
		vtb_check_eq(tb, vtb_get(tb, "chain_torn_o"), chains[look].torn || came_torn || other(look));
}

static void cycle(struct vtb *tb, unsigned int busy)
{
	unsigned int in = (unsigned int)rng_below(&tb->rng, SLOTS);
	unsigned int slot = (unsigned int)rng_below(&tb->rng, SLOTS);
	unsigned int out = (unsigned int)rng_below(&tb->rng, SLOTS);
	bool came = rng_percent(&tb->rng, busy) && chains[in].count < MOST && !other(in);
	bool torn = came && came_torn < MOST && rng_percent(&tb->rng, 5);
	bool inside = chains[slot].count != 0;
	bool fall = inside && rng_percent(&tb->rng, 10);
	bool leave = fall || (chains[out].count != 0 && rng_percent(&tb->rng, 60));
	bool fail = inside && !leave && rng_percent(&tb->rng, 20);
	bool done_torn = came_torn && rng_percent(&tb->rng, 30);

	if (fall)
		out = slot;
	vtb_set(tb, "came_i", came);
	vtb_set(tb, "came_slot_i", in);
	vtb_set(tb, "came_torn_i", torn);
	vtb_set(tb, "leave_i", leave);
	vtb_set(tb, "leave_slot_i", out);
	vtb_set(tb, "fail_i", fail);
	vtb_set(tb, "fall_i", fall);
	vtb_set(tb, "done_torn_i", done_torn);
	shows(tb, slot, (unsigned int)rng_below(&tb->rng, SLOTS));
	if (fail)
		chains[slot].dead = true;
	if (fall)
		chains[slot].torn = true;
	if (leave && --chains[out].count == 0)
		chains[out].dead = chains[out].torn = false;
	chains[in].count += came;
	came_torn += torn;
	came_torn -= done_torn;
	vtb_tick(tb);
}

static void as_the_model(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_run_until(tb, !vtb_get(tb, "init_o"), 2 * SLOTS);
	vtb_tick(tb);
	for (unsigned int i = 0; i < 40000; i++)
		cycle(tb, i / 2000 % 2 ? 90 : 40);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_the_model) };

	return cmocka_run_group_tests_name("cmp_chain", tests, NULL, NULL);
}
