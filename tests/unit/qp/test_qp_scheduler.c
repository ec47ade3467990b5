// SPDX-License-Identifier: Apache-2.0
/*
 * qp_scheduler: a kicked QP is handed out, never to two visits at once, and again when a kick came
 * during its visit; numbers beyond the table are ignored.  No strobe is lost, not even one a cycle
 * while QPs are taken, given back and kicked as fast as it goes.  Whose WQEs have come (source 2)
 * is handed out before the queue, but of four one is of the queue.
 */
#include "vtb.h"

/* strobes, taken: percent of the cycles. */
static void run(unsigned int strobes, unsigned int taken)
{
	struct vtb *tb = vtb_create();
	bool want[8] = { false }, busy[8] = { false }, shown = false;
	unsigned int given = 0;

	vtb_run(tb, 20);
	for (int i = 0; i < 30000; i++) {
		bool end = i > 29000;
		unsigned int v = end ? 0
				     : (unsigned int)(rng_u64(&tb->rng) & rng_u64(&tb->rng) & 15),
			     id[4], ready;
		unsigned int done = (unsigned int)rng_below(&tb->rng, 8);
		bool odd, more = !end && rng_percent(&tb->rng, 20);
		unsigned int strobe = (unsigned int)rng_below(&tb->rng, 9);
		bool struck = !end && rng_percent(&tb->rng, strobes);

		for (unsigned int k = 0; k < 4; k++) {
			id[k] = (unsigned int)rng_below(&tb->rng, 9);
			vtb_put_bits(vtb_port(tb, "kick_qpn_i"), 24 * k, 24,
				     id[k] == 8 ? 8 + rng_below(&tb->rng, 0xfffff8) : id[k]);
		}
		vtb_set(tb, "kick_valid_i", v);
		vtb_set(tb, "strobe_i", struck);
		vtb_set(tb, "strobe_qpn_i", strobe);
		vtb_set(tb, "sched_ready_i", rng_percent(&tb->rng, taken));
		/* also one that is none */
		odd = rng_percent(&tb->rng, 5);
		vtb_set(tb, "done_valid_i", odd || (busy[done] && rng_percent(&tb->rng, 50)));
		vtb_set(tb, "done_qpn_i", odd ? 8 + rng_below(&tb->rng, 0xfffff8) : done);
		vtb_set(tb, "done_more_i", more);
		vtb_eval(tb);
		vtb_check(tb, !shown || vtb_get(tb, "sched_valid_o")); /* stays until taken */
		shown = vtb_get(tb, "sched_valid_o") && !vtb_get(tb, "sched_ready_i");
		if (!odd && vtb_get(tb, "done_valid_i") && vtb_get(tb, "done_ready_o")) {
			busy[done] = false;
			want[done] |= more;
		}
		if (vtb_get(tb, "sched_valid_o") && vtb_get(tb, "sched_ready_i")) {
			unsigned int q = (unsigned int)vtb_get(tb, "sched_qpn_o");

			vtb_check(tb, q < 8 && want[q] && !busy[q]);
			want[q] = false;
			busy[q] = true;
			given++;
		}
		if (struck && strobe < 8)
			want[strobe] = true;
		ready = (unsigned int)vtb_get(tb, "kick_ready_o");
		vtb_check(tb, (ready & (ready - 1)) == 0);
		for (unsigned int k = 0; k < 4; k++)
			if (v & ready & 1u << k && id[k] < 8)
				want[id[k]] = true;
		vtb_tick(tb);
	}
	vtb_set(tb, "done_valid_i", 0);
	vtb_run(tb, 10);
	for (int q = 0; q < 8; q++)
		vtb_check(tb, !want[q] && !busy[q]);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_check(tb, given > 100);
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

static void kick(struct vtb *tb, unsigned int source, unsigned int qpn)
{
	vtb_put_bits(vtb_port(tb, "kick_qpn_i"), 24 * source, 24, qpn);
	vtb_set(tb, "kick_valid_i", 1u << source);
	vtb_eval(tb);
	vtb_check(tb, vtb_get(tb, "kick_ready_o") == 1u << source);
	vtb_tick(tb);
	vtb_set(tb, "kick_valid_i", 0);
}

/* Takes one and gives it back, with more to do or not. */
static unsigned int take(struct vtb *tb, bool more)
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
	vtb_tick(tb);
	vtb_set(tb, "done_valid_i", 0);
	vtb_run(tb, 4);
	return q;
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
	vtb_check(tb, take(tb, false) == 6);
	vtb_check(tb, take(tb, false) == 7);
	vtb_check(tb, take(tb, true) == 2);
	/* QPs whose WQEs come again and again, and four that stand in the queue */
	for (unsigned int i = 0; i < 400; i++) {
		unsigned int q;

		kick(tb, 2, 4 + i % 3);
		q = take(tb, false);
		if (q < 4) {
			kick(tb, 0, q);
			queued++;
		}
	}
	vtb_check(tb, queued >= 100 - 2 && queued <= 100 + 10);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_kicks),
					    cmocka_unit_test(strobes_in_a_storm),
					    cmocka_unit_test(arrivals_first) };

	return cmocka_run_group_tests_name("qp_scheduler", tests, NULL, NULL);
}
