// SPDX-License-Identifier: Apache-2.0
/*
 * qp_scheduler: a kicked QP is handed out, never to two visits at once, and again when a kick came
 * during its visit; numbers beyond the table are ignored.  No strobe is lost, not even one a cycle
 * while QPs are taken, given back and kicked as fast as it goes: one of each a cycle.  Whose WQEs
 * have come (source 2) is handed out before the queue, but of four one is of the queue.
 */
#include "vtb.h"

#ifdef ONE
#define LOOKS 1
#define LATE 1 /* cycles until a kick is taken; and until one that is first in the queue is shown */
#else
#define LOOKS 2
#define LATE 0
#endif

struct storm {
	struct vtb *tb;
	unsigned int strobes, taken; /* percent of the cycles */
	bool want[8], busy[8], shown;
	bool more[8]; /* was given back with more: may come once too often, if a kick was faster */
	unsigned int given, in_vain;
};

/* Which QP is given back: any, also a QPN without a QP; when nothing new comes, one that is out. */
static void give_back(struct storm *s, bool quiet)
{
	struct rng *rng = &s->tb->rng;
	unsigned int done = (unsigned int)rng_below(rng, 8);
	bool odd = rng_percent(rng, 5);

	for (unsigned int i = 0; quiet && i < 8 && !s->busy[done]; i++)
		done = (done + 1) % 8;
	vtb_set(s->tb, "done_valid_i", odd || (s->busy[done] && rng_percent(rng, 50)));
	vtb_set(s->tb, "done_qpn_i", odd ? 8 + rng_below(rng, 0xfffff8) : done);
	vtb_set(s->tb, "done_more_i", !quiet && rng_percent(rng, 20));
	vtb_set(s->tb, "done_again_i", vtb_get(s->tb, "done_more_i") && rng_percent(rng, 50));
}

/* Before the edge, with all inputs set: what was taken in and what was handed out. */
static void account(struct storm *s)
{
	struct vtb *tb = s->tb;
	unsigned int done = (unsigned int)vtb_get(tb, "done_qpn_i"),
		     strobe = (unsigned int)vtb_get(tb, "strobe_qpn_i"),
		     kicked = (unsigned int)vtb_get(tb, "kick_ready_o");

	vtb_check(tb, !s->shown || vtb_get(tb, "sched_valid_o")); /* stays until taken */
	s->shown = vtb_get(tb, "sched_valid_o") && !vtb_get(tb, "sched_ready_i");
	if (done < 8 && vtb_get(tb, "done_valid_i") && vtb_get(tb, "done_ready_o")) {
		s->busy[done] = false;
		s->want[done] |= vtb_get(tb, "done_more_i");
		s->more[done] |= vtb_get(tb, "done_more_i");
	}
	if (vtb_get(tb, "sched_valid_o") && vtb_get(tb, "sched_ready_i")) {
		unsigned int q = (unsigned int)vtb_get(tb, "sched_qpn_o");

		vtb_check(tb, q < 8 && (s->want[q] || s->more[q]) && !s->busy[q]);
		s->in_vain += !s->want[q];
		s->more[q] &= s->want[q];
		s->want[q] = false;
		s->busy[q] = true;
		s->given++;
	}
	if (strobe < 8 && vtb_get(tb, "strobe_valid_i"))
		s->want[strobe] = true;
	vtb_check(tb, (kicked & (kicked - 1)) == 0);
	kicked &= (unsigned int)vtb_get(tb, "kick_valid_i");
	for (unsigned int k = 0; k < 4; k++) {
		uint64_t id = vtb_get_bits(vtb_port(tb, "kick_qpn_i"), 24 * k, 24);

		if (kicked & 1u << k && id < 8)
			s->want[id] = true;
	}
}

static void storm_cycle(struct storm *s, bool quiet)
{
	struct vtb *tb = s->tb;
	struct rng *rng = &tb->rng;

	for (unsigned int k = 0; k < 4; k++) {
		unsigned int id = (unsigned int)rng_below(rng, 9);

		vtb_put_bits(vtb_port(tb, "kick_qpn_i"), 24 * k, 24,
			     id == 8 ? 8 + rng_below(rng, 0xfffff8) : id);
	}
	vtb_set(tb, "kick_valid_i", quiet ? 0 : rng_u64(rng) & rng_u64(rng) & 15);
	vtb_set(tb, "strobe_valid_i", !quiet && rng_percent(rng, s->strobes));
	vtb_set(tb, "strobe_qpn_i", rng_below(rng, 9));
	vtb_set(tb, "sched_ready_i", rng_percent(rng, s->taken));
	give_back(s, quiet);
	vtb_eval(tb);
	account(s);
	vtb_tick(tb);
}

/*
 * Storms with a lull after each: there what was lost shows, before another kick of the same QP
 * makes up for it.
 */
static void run(unsigned int strobes, unsigned int taken)
{
	struct storm s = { .tb = vtb_create(), .strobes = strobes, .taken = taken };
	struct vtb *tb = s.tb;

	vtb_run(tb, 20);
	for (int round = 0; round < 500; round++) {
		uint64_t cycles = rng_range(&tb->rng, 1, round % 50 ? 60 : 500);

		for (uint64_t i = 0; i < cycles; i++)
			storm_cycle(&s, false);
		for (int i = 0; i < 150; i++)
			storm_cycle(&s, true);
		vtb_set(tb, "done_valid_i", 0);
		vtb_eval(tb);
		for (int q = 0; q < 8; q++)
			vtb_check(tb, !s.want[q] && !s.busy[q]);
		vtb_check(tb, vtb_get(tb, "idle_o"));
	}
	vtb_check(tb, s.given > 1000 && s.in_vain * 50 < s.given);
	vtb_destroy(tb);
}

static void random_kicks(void **state)
{
	(void)state;
	run(0, 30);
	run(15, 30);
}

static void strobes_in_a_storm(void **state)
{
	(void)state;
	run(50, 100);
	run(90, 60);
	run(5, 100);
}

static void aim(struct vtb *tb, unsigned int source, unsigned int qpn)
{
	vtb_put_bits(vtb_port(tb, "kick_qpn_i"), 24 * source, 24, qpn);
}

/* It waits a cycle at most, for its turn. */
static void kick(struct vtb *tb, unsigned int source, unsigned int qpn)
{
	aim(tb, source, qpn);
	vtb_set(tb, "kick_valid_i", 1u << source);
	vtb_run(tb, LATE);
	vtb_eval(tb);
	if (vtb_get(tb, "kick_ready_o") != 1u << source) {
		vtb_tick(tb);
		vtb_eval(tb);
	}
	vtb_check_eq(tb, vtb_get(tb, "kick_ready_o"), 1u << source);
	vtb_tick(tb);
	vtb_set(tb, "kick_valid_i", 0);
}

/* Takes one and gives it back, with more to do or not; again: there was no way for its record. */
static unsigned int take_back(struct vtb *tb, bool more, bool again)
{
	unsigned int q;

	vtb_set(tb, "sched_ready_i", 1);
	vtb_eval(tb);
	vtb_check(tb, vtb_get(tb, "sched_valid_o"));
	q = (unsigned int)vtb_get(tb, "sched_qpn_o");
	vtb_tick(tb);
	vtb_set(tb, "sched_ready_i", 0);
	vtb_set(tb, "done_valid_i", 1);
	vtb_set(tb, "done_qpn_i", q);
	vtb_set(tb, "done_more_i", more);
	vtb_set(tb, "done_again_i", again);
	vtb_tick(tb);
	vtb_set(tb, "done_valid_i", 0);
	vtb_run(tb, 4);
	return q;
}

static unsigned int take(struct vtb *tb, bool more)
{
	return take_back(tb, more, false);
}

/*
 * Whose WQEs have come and whose record finds no way goes before the queue again, as often as that
 * happens, but for one of four, which is of the queue; so not one of the queue, nor one that wants
 * more for another reason.
 */
static void keeps_its_place(void **state)
{
	struct vtb *tb = vtb_create();
	unsigned int in_front = 0, at = 1;

	(void)state;
	vtb_run(tb, 20);
	for (unsigned int q = 0; q < 6; q++)
		kick(tb, 0, q);
	vtb_run(tb, 4);
	vtb_check_eq(tb, take_back(tb, true, true), 0);
	kick(tb, 2, 7);
	vtb_run(tb, 4);
	for (unsigned int i = 0; i < 60; i++) {
		unsigned int q = take_back(tb, true, true);

		in_front += q == 7;
		if (q != 7)
			vtb_check_eq(tb, q, at++ % 6);
	}
	vtb_check(tb, in_front >= (LATE ? 18 : 28)); /* it is back in time for each third, second */
	while (take(tb, true) != 7)
		at++;
	for (unsigned int i = 0; i < 6; i++)
		vtb_check_eq(tb, take(tb, true), (at + i) % 6);
	vtb_check_eq(tb, take(tb, true), 7);
	vtb_destroy(tb);
}

static void arrivals_first(void **state)
{
	struct vtb *tb = vtb_create();
	unsigned int queued = 0;

	(void)state;
	vtb_run(tb, 20);
	for (unsigned int q = 0; q < 4; q++)
		kick(tb, 0, q);
	vtb_run(tb, 4);
	take(tb, true); /* was shown before anything came */
	kick(tb, 2, 6);
	kick(tb, 2, 7);
	vtb_run(tb, 4);
	vtb_check(tb, take(tb, true) == 1); /* likewise */
	vtb_check(tb, !LATE || take(tb, true) == 2); /* was chosen behind it */
	vtb_check(tb, take(tb, false) == 6);
	vtb_check(tb, take(tb, false) == 7);
	vtb_check(tb, take(tb, true) == 2 + LATE);
	/* QPs whose WQEs come again and again, and four that stand in the queue */
	for (unsigned int q = 4; q < 7; q++)
		kick(tb, 2, q);
	for (unsigned int i = 0; i < 400; i++) {
		unsigned int q = take(tb, false);

		kick(tb, q < 4 ? 0 : 2, q);
		queued += q < 4;
	}
	vtb_check(tb, queued >= 100 - 2 && queued <= 100 + 10);
	vtb_destroy(tb);
}

#define TAKEN 3 /* cycle in which QP 1 is taken */

/*
 * n strobes in a row from cycle `at` on, of idle QPs or of the one that is taken: each is handed
 * out once; QP 1 again if it was struck when it was already out, or in the cycle in which it went.
 */
static void strobes_at(struct vtb *tb, unsigned int at, unsigned int n, bool self)
{
	unsigned int left = self ? at + n > TAKEN : n;

	kick(tb, 0, 1);
	vtb_run(tb, 4);
	for (unsigned int c = 0; c < 10; c++) {
		bool strobe = c >= at && c < at + n;

		vtb_set(tb, "sched_ready_i", c == TAKEN);
		vtb_set(tb, "strobe_valid_i", strobe);
		vtb_set(tb, "strobe_qpn_i", self || !strobe ? 1 : 2 + c - at);
		vtb_eval(tb);
		if (c == TAKEN)
			vtb_check(tb,
				  vtb_get(tb, "sched_valid_o") && vtb_get(tb, "sched_qpn_o") == 1);
		vtb_tick(tb);
	}
	vtb_set(tb, "done_valid_i", 1);
	vtb_set(tb, "done_qpn_i", 1);
	vtb_set(tb, "done_more_i", 0);
	vtb_tick(tb);
	vtb_set(tb, "done_valid_i", 0);
	vtb_run(tb, 4);
	for (unsigned int i = 0; i < left; i++)
		vtb_check_eq(tb, take(tb, false), self ? 1 : 2 + i);
	vtb_check(tb, !vtb_get(tb, "sched_valid_o") && vtb_get(tb, "idle_o"));
}

static void strobe_in_each_cycle_of_a_take(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_run(tb, 20);
	for (unsigned int at = 0; at < 6; at++) {
		for (unsigned int n = 1; n <= 4; n++) {
			strobes_at(tb, at, n, false);
			strobes_at(tb, at, n, true);
		}
	}
	vtb_destroy(tb);
}

/*
 * A kick in each cycle around a give-back, which wants more or not, and around the take before: the
 * QP comes once more if it was kicked after it was taken, or wants more; never twice.
 */
static void kick_around_a_give_back(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_run(tb, 20);
	for (unsigned int i = 0; i < 2 * 2 * 6 * 12; i++) {
		unsigned int at = i % 12, gap = 1 + i / 12 % 6, strobe = i / 72 % 2, more = i / 144;
		bool again = (at >= 4 && strobe) || more, kicked = true, given = false;

		for (unsigned int c = 0; c < 16; c++) {
			bool now = c == 0 || c == at;

			kicked = kicked && !now;
			aim(tb, 0, 5);
			vtb_set(tb, "kick_valid_i", !kicked && !strobe);
			vtb_set(tb, "strobe_valid_i", now && strobe);
			vtb_set(tb, "strobe_qpn_i", 5);
			vtb_set(tb, "sched_ready_i", c == 4);
			vtb_set(tb, "done_valid_i", c >= 4 + gap && !given);
			vtb_set(tb, "done_qpn_i", 5);
			vtb_set(tb, "done_more_i", more);
			vtb_eval(tb);
			again |= !kicked && !strobe && c >= 4 && vtb_get(tb, "kick_ready_o") == 1;
			kicked = kicked || vtb_get(tb, "kick_ready_o") == 1;
			vtb_check(tb, !now || strobe || kicked || LATE || (more && c == 6 + gap));
			vtb_check(tb, c != 15 || strobe || kicked);
			given = c >= 4 + gap && (given || vtb_get(tb, "done_ready_o"));
			vtb_check(tb, c != 5 + gap || given);
			vtb_check(tb, c != 4 || vtb_get(tb, "sched_valid_o"));
			vtb_tick(tb);
		}
		vtb_check_eq(tb, vtb_get(tb, "sched_valid_o"), again);
		if (again)
			vtb_check_eq(tb, take(tb, false), 5);
		vtb_check(tb, !vtb_get(tb, "sched_valid_o") && vtb_get(tb, "idle_o"));
	}
	vtb_destroy(tb);
}

/* At rest: source 0 is ready; shown in the cycle after the kick or strobe, until it is taken. */
static void fast_at_rest(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_run(tb, 20);
	for (unsigned int source = 0; source < 5; source++) {
		for (unsigned int wait = 0; wait < 6; wait++) {
			vtb_tick(tb);
			vtb_check(tb, LATE || vtb_get(tb, "kick_ready_o") == 1);
			if (source < 4) {
				kick(tb, source, wait);
			} else {
				vtb_set(tb, "strobe_valid_i", 1);
				vtb_set(tb, "strobe_qpn_i", wait);
				vtb_tick(tb);
				vtb_set(tb, "strobe_valid_i", 0);
			}
			vtb_run(tb, LATE);
			for (unsigned int i = 0; i < wait; i++) {
				vtb_eval(tb);
				vtb_check(tb, vtb_get(tb, "sched_valid_o"));
				vtb_check_eq(tb, vtb_get(tb, "sched_qpn_o"), wait);
				kick(tb, 2, 7);
			}
			vtb_check_eq(tb, take(tb, false), wait);
			if (wait)
				vtb_check_eq(tb, take(tb, false), 7);
			vtb_check(tb, vtb_get(tb, "idle_o"));
		}
	}
	vtb_destroy(tb);
}

#if LOOKS > 1
/* A QP taken, one given back and a kick taken, in every cycle. */
static void one_of_each_a_cycle(void **state)
{
	struct vtb *tb = vtb_create();
	int out[4] = { -1, -1, -1, -1 }; /* taken 1 to 3 cycles ago */

	(void)state;
	vtb_run(tb, 20);
	for (unsigned int c = 0; c < 1000; c++) {
		int q = c % 8;

		aim(tb, 1, (unsigned int)q);
		vtb_set(tb, "kick_valid_i", 2);
		vtb_set(tb, "sched_ready_i", 1);
		vtb_set(tb, "done_valid_i", out[3] >= 0);
		vtb_set(tb, "done_qpn_i", (unsigned int)(out[3] < 0 ? 0 : out[3]));
		vtb_set(tb, "done_more_i", 0);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "kick_ready_o"), c ? 2 : 1); /* its turn comes */
		vtb_check(tb, vtb_get(tb, "done_ready_o"));
		vtb_check(tb, c < 6 || vtb_get(tb, "sched_valid_o"));
		for (unsigned int i = 3; i > 0; i--)
			out[i] = out[i - 1];
		out[1] = vtb_get(tb, "sched_valid_o") ? (int)vtb_get(tb, "sched_qpn_o") : -1;
		vtb_tick(tb);
	}
	vtb_destroy(tb);
}

/* Kicks go on, one in two cycles, while a QP is given back with more in every cycle. */
static void kicks_among_give_backs(void **state)
{
	struct vtb *tb = vtb_create();
	unsigned int kicks = 0, backs = 0;
	bool busy[8] = { false };

	(void)state;
	vtb_run(tb, 20);
	for (unsigned int c = 0; c < 1000; c++) {
		unsigned int q = 8;

		for (unsigned int i = 0; i < 8; i++)
			if (busy[(c + i) % 8])
				q = (c + i) % 8;
		aim(tb, 0, c % 8);
		vtb_set(tb, "kick_valid_i", 1);
		vtb_set(tb, "sched_ready_i", 1);
		vtb_set(tb, "done_valid_i", q < 8);
		vtb_set(tb, "done_qpn_i", q);
		vtb_set(tb, "done_more_i", 1);
		vtb_eval(tb);
		kicks += (unsigned int)vtb_get(tb, "kick_ready_o");
		if (q < 8 && vtb_get(tb, "done_ready_o")) {
			busy[q] = false;
			backs++;
		}
		if (vtb_get(tb, "sched_valid_o"))
			busy[vtb_get(tb, "sched_qpn_o")] = true;
		vtb_tick(tb);
	}
	vtb_check(tb, kicks >= 490 && backs >= 490);
	vtb_destroy(tb);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_kicks),
					    cmocka_unit_test(strobes_in_a_storm),
					    cmocka_unit_test(strobe_in_each_cycle_of_a_take),
					    cmocka_unit_test(kick_around_a_give_back),
					    cmocka_unit_test(fast_at_rest),
#if LOOKS > 1
					    cmocka_unit_test(one_of_each_a_cycle),
					    cmocka_unit_test(kicks_among_give_backs),
#endif
					    cmocka_unit_test(keeps_its_place),
					    cmocka_unit_test(arrivals_first) };

	return cmocka_run_group_tests_name("qp_scheduler", tests, NULL, NULL);
}
