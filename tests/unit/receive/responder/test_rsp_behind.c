// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_behind against a queue in C: a packet is told that one of its slot follows, but for one of
 * LIMIT + 1 in a row; an ACK that waits is due when none follows any more.
 */
#include "vtb.h"

#define SLOTS 8u
#define LIMIT 7u
#ifndef MOST
#define MOST 4u
#endif

struct bench {
	struct vtb *tb;
	unsigned int most, slot[64], n; /* packets on their way */
	unsigned int waits[SLOTS], age; /* cycles for which the first has been the first */
	bool follows;			/* as it was in the cycle before */
	unsigned int more, due, cut;
};

static bool follows(const struct bench *b)
{
	for (unsigned int i = 1; i < b->n; i++)
		if (b->slot[i] == b->slot[0])
			return true;
	return false;
}

static void cycle(struct bench *b, unsigned int takes, unsigned int leaves, unsigned int passes)
{
	struct vtb *tb = b->tb;
	bool took, leave = b->n && b->age >= 2 && rng_percent(&tb->rng, leaves);
	bool pass = rng_percent(&tb->rng, passes), wants = rng_percent(&tb->rng, 70);
	bool now = follows(b);
	unsigned int slot = b->n ? b->slot[0] : 0, taken = (unsigned int)rng_below(&tb->rng, 3);

	took = b->n < b->most && rng_percent(&tb->rng, takes);
	vtb_set(tb, "took_i", took);
	vtb_set(tb, "took_slot_i", taken);
	vtb_set(tb, "slot_i", slot);
	vtb_set(tb, "wants_i", wants);
	vtb_set(tb, "leave_i", leave);
	vtb_set(tb, "pass_i", pass);
	vtb_eval(tb);
	if (b->n && b->age >= 2) {
		bool more = b->follows && b->waits[slot] != LIMIT;
		bool due = !b->follows && b->waits[slot];

		vtb_check_eq(tb, vtb_get(tb, "more_o"), more);
		vtb_check_eq(tb, vtb_get(tb, "due_o"), due);
		if (leave && pass) {
			b->cut += b->follows && !more;
			b->waits[slot] = more ? b->waits[slot] + (wants || b->waits[slot]) : 0;
		} else if (leave && due) {
			b->waits[slot] = 0;
		}
		b->more += leave && more;
		b->due += leave && due;
	}
	vtb_tick(tb);
	b->follows = now;
	b->age = leave ? 0 : b->age + 1;
	if (leave) {
		b->n--;
		for (unsigned int i = 0; i < b->n; i++)
			b->slot[i] = b->slot[i + 1];
	}
	if (took) {
		b->age = b->n ? b->age : 0;
		b->slot[b->n++] = taken;
	}
}

static void traffic(unsigned int takes, unsigned int leaves, unsigned int passes)
{
	struct bench b = { .tb = vtb_create(), .most = MOST };

	vtb_run(b.tb, 20);
	for (int i = 0; i < 20000; i++)
		cycle(&b, takes, leaves, passes);
	vtb_check(b.tb, b.more > 100 && (MOST > 4 || b.due > 5) && (passes < 90 || b.cut > 5));
	vtb_destroy(b.tb);
}

static void idle(void **state)
{
	(void)state;
	traffic(30, 60, 80);
}

static void busy(void **state)
{
	(void)state;
	traffic(100, 100, 98);
	traffic(100, 30, 95);
	traffic(60, 30, 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle), cmocka_unit_test(busy) };

	return cmocka_run_group_tests_name("rsp_behind", tests, NULL, NULL);
}
