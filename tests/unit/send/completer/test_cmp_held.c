// SPDX-License-Identifier: Apache-2.0
/* cmp_held: each QP is kicked once, in turn, one in PAUSE cycles; room hurries the next. */
#include "vtb.h"

#define QPS 16u
#define PAUSE 64u

static bool waits[QPS];

static void put(struct vtb *tb, unsigned int qpn)
{
	vtb_set(tb, "in_qpn_i", qpn);
	vtb_set(tb, "in_valid_i", 1);
	while (!vtb_get(tb, "in_ready_o"))
		vtb_tick(tb);
	vtb_tick(tb);
	vtb_set(tb, "in_valid_i", 0);
	waits[qpn] = true;
}

/* Cycles until the next kick, which is taken: of one that waits. */
static unsigned int next(struct vtb *tb)
{
	unsigned int cycles = 0;

	for (; !vtb_get(tb, "kick_valid_o"); cycles++) {
		vtb_check(tb, cycles < 10 * PAUSE);
		vtb_tick(tb);
	}
	vtb_check(tb, waits[vtb_get(tb, "kick_qpn_o")]);
	waits[vtb_get(tb, "kick_qpn_o")] = false;
	vtb_set(tb, "kick_ready_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "kick_ready_i", 0);
	return cycles + 1;
}

static struct vtb *start(void)
{
	struct vtb *tb = vtb_create();

	vtb_run(tb, 2 * QPS); /* clearing after reset */
	for (unsigned int i = 0; i < QPS; i++)
		put(tb, (5 * i + 3) % QPS);
	return tb;
}

static void in_turn(void **state)
{
	struct vtb *tb = start();

	(void)state;
	vtb_run(tb, 3 * PAUSE); /* nobody takes: it stays */
	next(tb);
	vtb_check(tb, !waits[3]);
	put(tb, 3); /* again, with the others */
	for (unsigned int i = 1; i < QPS; i++)
		vtb_check(tb, next(tb) >= PAUSE - 20);
	next(tb);
	vtb_run(tb, 4 * PAUSE);
	vtb_check(tb, !vtb_get(tb, "kick_valid_o"));
	vtb_destroy(tb);
}

/* Also room in the very cycle of a kick. */
static void room(void **state)
{
	struct vtb *tb = start();

	(void)state;
	next(tb);
	for (unsigned int i = 1; i < QPS; i++) {
		if (i % 2) {
			vtb_run(tb, 5);
			vtb_check(tb, !vtb_get(tb, "kick_valid_o"));
			vtb_set(tb, "room_i", 1);
			vtb_tick(tb);
			vtb_set(tb, "room_i", 0);
			vtb_check(tb, next(tb) < 8);
		} else {
			vtb_run(tb, 2 * PAUSE);
			vtb_set(tb, "room_i", 1);
			next(tb);
			vtb_set(tb, "room_i", 0);
			i++;
			if (i < QPS)
				vtb_check(tb, next(tb) < 8);
		}
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(in_turn), cmocka_unit_test(room) };

	return cmocka_run_group_tests_name("cmp_held", tests, NULL, NULL);
}
