// SPDX-License-Identifier: Apache-2.0
/*
 * retry_timer: an ACK timer of a QP of which all that was sent is retired goes no further; what is
 * sent while it is being looked at, another life of the QP, and the end of an RNR wait are told.
 */
#include <stdio.h>

#include "vtb.h"

#define QPS 16u
#define TICK 1024u

static uint64_t now;

static struct vtb *start(void)
{
	struct vtb *tb = vtb_create();

	now = 1000 * TICK;
	vtb_set(tb, "time_now_i", now);
	vtb_run(tb, 4 * QPS);
	return tb;
}

static void tell(struct vtb *tb, const char *what, unsigned int qpn, unsigned int gen,
		 unsigned int psn)
{
	char name[32];
	static const char *const field[] = { "qpn", "gen", "psn", "valid" };
	const unsigned int value[] = { qpn, gen, psn, 1 };

	for (unsigned int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "%s_%s_i", what, field[i]);
		vtb_set(tb, name, value[i]);
	}
	vtb_tick(tb);
	vtb_set(tb, name, 0);
}

static void arm(struct vtb *tb, const char *who, unsigned int qpn, bool rnr)
{
	bool cmp = who[0] == 'c';

	vtb_set(tb, cmp ? "cmp_qpn_i" : "req_qpn_i", qpn);
	vtb_set(tb, cmp ? "cmp_rnr_i" : "req_rnr_i", rnr);
	vtb_set(tb, cmp ? "cmp_deadline_i" : "req_deadline_i", now + 2 * TICK);
	vtb_set(tb, cmp ? "cmp_valid_i" : "req_valid_i", 1);
	vtb_eval(tb);
	vtb_run_until(tb, vtb_get(tb, cmp ? "cmp_ready_o" : "req_ready_o"), 50);
	vtb_tick(tb);
	vtb_set(tb, cmp ? "cmp_valid_i" : "req_valid_i", 0);
	vtb_run(tb, 20);
	now += 8 * TICK;
	vtb_set(tb, "time_now_i", now);
}

/* Does a fire of the QP come? It stays until it is taken. */
static bool fires(struct vtb *tb, unsigned int qpn)
{
	unsigned int n = 0;

	for (; n < 60 && !vtb_get(tb, "fire_valid_o"); n++)
		vtb_tick(tb);
	if (!vtb_get(tb, "fire_valid_o")) {
		vtb_check(tb, vtb_get(tb, "idle_o"));
		return false;
	}
	vtb_run(tb, 7);
	vtb_check(tb, vtb_get(tb, "fire_valid_o"));
	vtb_check_eq(tb, vtb_get(tb, "fire_qpn_o"), qpn);
	vtb_set(tb, "fire_ready_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "fire_ready_i", 0);
	vtb_run(tb, 3);
	vtb_check(tb, !vtb_get(tb, "fire_valid_o"));
	return true;
}

static void nothing_due(void **state)
{
	struct vtb *tb = start();

	(void)state;
	tell(tb, "sent", 3, 7, 100);
	arm(tb, "req", 3, false);
	vtb_check(tb, fires(tb, 3)); /* nothing is known to be retired */
	tell(tb, "retired", 3, 7, 99);
	arm(tb, "req", 3, false);
	vtb_check(tb, fires(tb, 3)); /* one is outstanding */
	tell(tb, "retired", 3, 7, 100);
	arm(tb, "req", 3, false);
	vtb_check(tb, !fires(tb, 3));
	arm(tb, "cmp", 3, false);
	vtb_check(tb, !fires(tb, 3));
	tell(tb, "sent", 4, 7, 100);
	arm(tb, "cmp", 4, false);
	vtb_check(tb, fires(tb, 4)); /* another QP */
	arm(tb, "cmp", 3, true);
	vtb_check(tb, fires(tb, 3)); /* the end of an RNR wait */
	tell(tb, "sent", 3, 8, 100);
	arm(tb, "req", 3, false);
	vtb_check(tb, fires(tb, 3)); /* another life */
	vtb_destroy(tb);
}

/* In whichever cycle of the look a packet is sent: it is told, or it was sent after the look. */
static void sent_meanwhile(void **state)
{
	unsigned int told = 0;

	(void)state;
	for (unsigned int at = 0; at < 30; at++) {
		struct vtb *tb = start();
		bool fired = false;

		tell(tb, "sent", 5, 1, 0xffff);
		tell(tb, "retired", 5, 1, 0xffff);
		arm(tb, "req", 5, false);
		vtb_run(tb, at);
		vtb_check(tb, !vtb_get(tb, "fire_valid_o"));
		if (!vtb_get(tb, "idle_o")) {
			tell(tb, "sent", 5, 1, 0);
			fired = fires(tb, 5);
			told += fired;
			/* later than its turn to be dropped: not told any more */
			if (!fired)
				at = 30;
		}
		vtb_destroy(tb);
	}
	assert_true(told >= 8);
}

/* Generations begin again: what is known is of an earlier life. */
static void forgets(void **state)
{
	struct vtb *tb = start();

	(void)state;
	tell(tb, "sent", 6, 1, 20);
	tell(tb, "retired", 6, 1, 20);
	arm(tb, "req", 6, false);
	vtb_check(tb, !fires(tb, 6));
	vtb_set(tb, "forget_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "forget_i", 0);
	arm(tb, "req", 6, false);
	vtb_check(tb, fires(tb, 6));
	tell(tb, "retired", 6, 1, 20);
	arm(tb, "req", 6, false);
	vtb_check(tb, !fires(tb, 6));
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(nothing_due),
					    cmocka_unit_test(sent_meanwhile),
					    cmocka_unit_test(forgets) };

	return cmocka_run_group_tests_name("retry_timer", tests, NULL, NULL);
}
