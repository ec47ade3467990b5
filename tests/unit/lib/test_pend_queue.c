// SPDX-License-Identifier: Apache-2.0
/* pend_queue: each number at most once, none lost or late, also with all numbers queued. */
#include "vtb.h"

static void kicks(unsigned int kick, unsigned int take)
{
	struct vtb *tb = vtb_create();
	bool want[8] = { false }, shown = false;
	uint64_t was = 0;
	unsigned int left[8] = { 0 }; /* of others, and pauses, since it was kicked */

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
		vtb_check(tb, !shown || (vtb_get(tb, "out_valid_o") && vtb_get(tb, "out_id_o") == was));
		shown = vtb_get(tb, "out_valid_o") && !vtb_get(tb, "out_ready_i");
		was = vtb_get(tb, "out_id_o");
		if (vtb_get(tb, "out_valid_o") && vtb_get(tb, "out_ready_i")) {
			unsigned int o = (unsigned int)vtb_get(tb, "out_id_o");

			vtb_check(tb, want[o]);
			want[o] = false;
		}
		for (unsigned int n = 0; n < 8; n++) {
			left[n] = want[n] ? left[n] + (unsigned int)vtb_get(tb, "out_ready_i") : 0;
			vtb_check(tb, left[n] < 30);
		}
		for (unsigned int k = 0; k < 2; k++)
			if (v & vtb_get(tb, "kick_ready_o") & 1u << k)
				want[id[k]] = true;
		vtb_check(tb, !v || vtb_get(tb, "kick_ready_o"));
		vtb_tick(tb);
	}
	for (int i = 0; i < 8; i++)
		vtb_check(tb, !want[i]);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

static void few(void **s) { (void)s; kicks(20, 80); }
static void full(void **s) { (void)s; kicks(95, 30); kicks(95, 95); }

/* One cycle: a kick of id, or none (-1); what is shown in it (-1: nothing) is what `show` says. */
static void cycle(struct vtb *tb, int id, bool take, int show)
{
	vtb_set(tb, "kick_valid_i", id >= 0);
	vtb_set(tb, "kick_id_i", id >= 0 ? (unsigned int)id : 0);
	vtb_set(tb, "out_ready_i", take);
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "out_valid_o"), show >= 0);
	if (show >= 0)
		vtb_check_eq(tb, vtb_get(tb, "out_id_o"), (unsigned int)show);
	vtb_tick(tb);
}

/* Shown in the cycle after the kick, again and again; one that is not taken stays first, once. */
static void empty_is_fast(void **s)
{
	struct vtb *tb = vtb_create();

	(void)s;
	vtb_run(tb, 12);
	for (int round = 0; round < 50; round++) {
		int last = -1;

		for (int i = 0; i < 20; i++) {
			int id = rng_percent(&tb->rng, 80) ? (int)rng_below(&tb->rng, 8) : -1;

			cycle(tb, id, true, last);
			last = id;
		}
		cycle(tb, 3, true, last);
		cycle(tb, 3, false, 3);
		cycle(tb, 5, false, 3);
		cycle(tb, 3, false, 3);
		cycle(tb, -1, true, 3); /* the kick that is looked up was before: merged */
		vtb_set(tb, "out_ready_i", 0);
		vtb_run(tb, 3);
		cycle(tb, -1, true, 5);
		vtb_run(tb, 4);
		cycle(tb, -1, true, -1);
		vtb_check(tb, vtb_get(tb, "idle_o"));
	}
	vtb_destroy(tb);
}

/* Kicked in the cycle in which it leaves: comes again, whether it left at once or later. */
static void kicked_as_it_leaves(void **s)
{
	struct vtb *tb = vtb_create();

	(void)s;
	vtb_run(tb, 12);
	for (unsigned int wait = 0; wait < 6; wait++) {
		cycle(tb, 2, false, -1);
		for (unsigned int i = 0; i < wait; i++)
			cycle(tb, -1, false, 2);
		cycle(tb, 2, true, 2);
		vtb_set(tb, "kick_valid_i", 0);
		vtb_set(tb, "out_ready_i", 0);
		vtb_run_until(tb, vtb_get(tb, "out_valid_o"), 4);
		cycle(tb, -1, true, 2);
		vtb_run(tb, 4);
		cycle(tb, -1, true, -1);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(few), cmocka_unit_test(full),
					    cmocka_unit_test(empty_is_fast),
					    cmocka_unit_test(kicked_as_it_leaves) };

	return cmocka_run_group_tests_name("pend_queue", tests, NULL, NULL);
}
