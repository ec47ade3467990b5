// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_held: packets and cells by slot are what was judged less what is over, the last few ends
 * aside; nothing is lost when both come at once.
 */
#include <string.h>

#include "vtb.h"

#define SLOTS 8u
#define MOST 12u /* packets of a slot */
#define LATE 12u /* cycles after which an end has been counted */

struct slot {
	unsigned int n, cells[MOST];
	bool moved;
};

struct bench {
	struct vtb *tb;
	struct slot slot[SLOTS];
	/* Ends of the last cycles; none: SLOTS */
	unsigned int late_slot[LATE], late_cells[LATE], since;
	unsigned int at, looks, go_percent, down_percent;
	enum { LOOK, GO, JUDGE } state;
};

static unsigned int cells(const struct slot *s)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < s->n; i++)
		sum += s->cells[i];
	return sum;
}

static void check(struct bench *b)
{
	unsigned int most = b->slot[b->at].n, sum = cells(&b->slot[b->at]), n, c;

	for (unsigned int i = 0; i < LATE; i++)
		if (b->late_slot[i] == b->at) {
			most++;
			sum += b->late_cells[i];
		}
	n = (unsigned int)vtb_get(b->tb, "held_o");
	c = (unsigned int)vtb_get(b->tb, "cells_o");
	if (n == 0)
		b->slot[b->at].moved = false;
	vtb_check_eq(b->tb, vtb_get(b->tb, "moved_o"), b->slot[b->at].moved);
	vtb_check(b->tb, n >= b->slot[b->at].n && n <= most);
	vtb_check(b->tb, c >= cells(&b->slot[b->at]) && c <= sum);
	if (most == b->slot[b->at].n)
		vtb_check_eq(b->tb, c, sum);
	b->looks++;
}

/* Somebody's oldest packet is over. */
static void down(struct bench *b)
{
	unsigned int s = rng_below(&b->tb->rng, SLOTS);
	struct slot *slot = &b->slot[s];
	bool go = b->since >= 2 && slot->n && rng_percent(&b->tb->rng, b->down_percent);

	memmove(b->late_slot + 1, b->late_slot, (LATE - 1) * sizeof(s));
	memmove(b->late_cells + 1, b->late_cells, (LATE - 1) * sizeof(s));
	b->late_slot[0] = SLOTS;
	b->since = go ? 0 : b->since + 1;
	vtb_set(b->tb, "down_valid_i", go);
	if (!go)
		return;
	vtb_set(b->tb, "down_slot_i", s);
	vtb_set(b->tb, "down_cells_i", slot->cells[0]);
	b->late_slot[0] = s;
	b->late_cells[0] = slot->cells[0];
	slot->n--;
	memmove(slot->cells, slot->cells + 1, slot->n * sizeof(slot->cells[0]));
}

static void tick(struct bench *b)
{
	struct vtb *tb = b->tb;
	struct slot *s = &b->slot[b->at];
	bool sampled;

	down(b);
	vtb_set(tb, "go_i", 0);
	vtb_set(tb, "judge_i", 0);
	vtb_eval(tb);
	sampled = b->state == GO && vtb_get(tb, "sampled_o");
	if (sampled)
		check(b);
	if (b->state == JUDGE) {
		unsigned int c = rng_below(&tb->rng, 4);
		bool moves = rng_percent(&tb->rng, 40);

		vtb_set(tb, "judge_i", 1);
		vtb_set(tb, "judge_slot_i", b->at);
		vtb_set(tb, "cells_i", c);
		vtb_set(tb, "moves_i", moves);
		s->moved |= moves;
		s->cells[s->n++] = c;
		b->state = LOOK;
	}
	if (sampled && s->n < MOST && rng_percent(&tb->rng, b->go_percent)) {
		vtb_set(tb, "go_i", 1);
		vtb_set(tb, "look_i", 0);
		b->state = JUDGE;
	} else {
		if (b->state == LOOK || s->n == MOST)
			b->at = rng_below(&tb->rng, SLOTS);
		b->state = GO;
		vtb_set(tb, "look_i", 1);
		vtb_set(tb, "look_slot_i", b->at);
	}
	vtb_tick(tb);
}

static void traffic(unsigned int go_percent, unsigned int down_percent)
{
	struct bench b = { .tb = vtb_create(),
			   .go_percent = go_percent,
			   .down_percent = down_percent };

	for (unsigned int i = 0; i < LATE; i++)
		b.late_slot[i] = SLOTS;
	vtb_run(b.tb, SLOTS + 2);
	vtb_check_eq(b.tb, vtb_get(b.tb, "init_o"), 0);
	for (int i = 0; i < 20000; i++)
		tick(&b);
	vtb_check(b.tb, b.looks > 1000);
	vtb_destroy(b.tb);
}

static void idle(void **state)
{
	(void)state;
	traffic(100, 0);
	traffic(20, 5);
}

static void busy(void **state)
{
	(void)state;
	traffic(100, 100);
	traffic(100, 30);
	traffic(30, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle), cmocka_unit_test(busy) };

	return cmocka_run_group_tests_name("rsp_held", tests, NULL, NULL);
}
