// SPDX-License-Identifier: Apache-2.0
/*
 * pend_queue with STROBE: source 0 is taken in its cycle, whatever else is there; the other one
 * waits for a cycle without (LATE: for one more, in which it is chosen) and loses nothing either.
 */
#include "vtb.h"

#ifndef LATE
#define LATE 0
#endif

static void kicks(unsigned int strobe, unsigned int kick, unsigned int take)
{
	struct vtb *tb = vtb_create();
	bool want[8] = { false };
	unsigned int id = 0, refused = 0, waited = 0;
	bool showing = false;

	vtb_run(tb, 12);
	for (int i = 0; i < 20000; i++) {
		bool end = i >= 19000, struck = !end && rng_percent(&tb->rng, strobe);
		unsigned int first = (unsigned int)rng_below(&tb->rng, 8), ready;

		if (!showing && !end && rng_percent(&tb->rng, kick)) {
			showing = true;
			id = (unsigned int)rng_below(&tb->rng, 8);
		}
		vtb_set(tb, "kick_valid_i", struck | showing << 1);
		vtb_set(tb, "kick_id_i", first | id << 3);
		vtb_set(tb, "out_ready_i", rng_percent(&tb->rng, end ? 100 : take));
		vtb_eval(tb);
		if (vtb_get(tb, "out_valid_o") && vtb_get(tb, "out_ready_i")) {
			unsigned int o = (unsigned int)vtb_get(tb, "out_id_o");

			vtb_check(tb, want[o]);
			want[o] = false;
		}
		ready = (unsigned int)vtb_get(tb, "kick_ready_o");
		vtb_check(tb, struck ? ready == 1
				     : ready == (showing ? 2 : 0) || waited + 1 <= LATE);
		if (struck)
			want[first] = true;
		else if (showing && ready)
			want[id] = true;
		refused += showing && struck;
		waited = !struck && showing && !ready ? waited + 1 : 0;
		showing = showing && (struck || !ready);
		vtb_tick(tb);
	}
	for (int i = 0; i < 8; i++)
		vtb_check(tb, !want[i]);
	vtb_check(tb, vtb_get(tb, "idle_o") && refused > 1000);
	vtb_destroy(tb);
}

static void random_strobes(void **s)
{
	(void)s;
	kicks(30, 60, 40);
	kicks(80, 90, 90);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_strobes) };

	return cmocka_run_group_tests_name("pend_strobe", tests, NULL, NULL);
}
