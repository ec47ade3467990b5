// SPDX-License-Identifier: Apache-2.0
/*
 * qp_scheduler: a kicked QP is handed out, never to two visits at once, and again when a kick came
 * during its visit; numbers beyond the table are ignored.
 */
#include "vtb.h"

static void random_kicks(void **state)
{
	struct vtb *tb = vtb_create();
	bool want[8] = { false }, busy[8] = { false };
	unsigned int given = 0;

	(void)state;
	vtb_run(tb, 20);
	for (int i = 0; i < 30000; i++) {
		bool end = i > 29000;
		unsigned int v = end ? 0
				     : (unsigned int)(rng_u64(&tb->rng) & rng_u64(&tb->rng) & 15),
			     id[4], ready;
		unsigned int done = (unsigned int)rng_below(&tb->rng, 8);
		bool odd, more = !end && rng_percent(&tb->rng, 20);

		for (unsigned int k = 0; k < 4; k++) {
			id[k] = (unsigned int)rng_below(&tb->rng, 9);
			vtb_put_bits(vtb_port(tb, "kick_qpn_i"), 24 * k, 24,
				     id[k] == 8 ? 8 + rng_below(&tb->rng, 0xfffff8) : id[k]);
		}
		vtb_set(tb, "kick_valid_i", v);
		vtb_set(tb, "sched_ready_i", rng_percent(&tb->rng, 30));
		/* also one that is none */
		odd = rng_percent(&tb->rng, 5);
		vtb_set(tb, "done_valid_i", odd || (busy[done] && rng_percent(&tb->rng, 50)));
		vtb_set(tb, "done_qpn_i", odd ? 8 + rng_below(&tb->rng, 0xfffff8) : done);
		vtb_set(tb, "done_more_i", more);
		vtb_eval(tb);
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
	vtb_check(tb, given > 1000);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_kicks) };

	return cmocka_run_group_tests_name("qp_scheduler", tests, NULL, NULL);
}
