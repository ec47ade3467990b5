// SPDX-License-Identifier: Apache-2.0
/* pend_queue: each number at most once, none lost, also with all numbers queued. */
#include "vtb.h"

static void kicks(unsigned int kick, unsigned int take)
{
	struct vtb *tb = vtb_create();
	uint64_t since[8];
	bool want[8] = { false };

	vtb_run(tb, 12);
	for (int i = 0; i < 20000; i++) {
		unsigned int v = 0, id[2], in_order = 0;

		for (unsigned int k = 0; k < 2; k++) {
			id[k] = (unsigned int)rng_below(&tb->rng, 8);
			if (rng_percent(&tb->rng, kick) && i < 19000)
				v |= 1u << k;
			in_order |= id[k] << (3 * k);
		}
		vtb_set(tb, "kick_valid_i", v);
		vtb_set(tb, "kick_id_i", in_order);
		vtb_set(tb, "out_ready_i", rng_percent(&tb->rng, i < 19000 ? take : 100));
		vtb_eval(tb);
		if (vtb_get(tb, "out_valid_o") && vtb_get(tb, "out_ready_i")) {
			unsigned int o = (unsigned int)vtb_get(tb, "out_id_o");

			vtb_check(tb, want[o]);
			want[o] = false;
		}
		for (unsigned int k = 0; k < 2; k++)
			if (v & vtb_get(tb, "kick_ready_o") & 1u << k) {
				want[id[k]] = true;
				since[id[k]] = tb->cycle;
			}
		vtb_check(tb, !v || vtb_get(tb, "kick_ready_o"));
		vtb_tick(tb);
	}
	(void)since;
	for (int i = 0; i < 8; i++)
		vtb_check(tb, !want[i]);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

static void few(void **s) { (void)s; kicks(20, 80); }
static void full(void **s) { (void)s; kicks(95, 30); kicks(95, 95); }

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(few), cmocka_unit_test(full) };

	return cmocka_run_group_tests_name("pend_queue", tests, NULL, NULL);
}
