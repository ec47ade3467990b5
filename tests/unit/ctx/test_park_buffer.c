// SPDX-License-Identifier: Apache-2.0
/*
 * park_buffer: order within a slot, records that wait again stay first, drain_all reaches every
 * slot even when it comes all the time, level and idle.
 */
#include "vtb.h"

static void park(unsigned int push, unsigned int drain, unsigned int all, unsigned int again)
{
	struct vtb *tb = vtb_create();
	uint32_t list[8][64];
	unsigned int head[8] = { 0 }, tail[8] = { 0 }, level = 0;
	long out = 0;

	vtb_run(tb, 60);
	for (int i = 0; i < 30000; i++) {
		bool end = i > 28000;
		unsigned int slot = (unsigned int)rng_below(&tb->rng, 8);
		unsigned int q = (unsigned int)rng_below(&tb->rng, 8);
		uint32_t data = (uint32_t)rng_u64(&tb->rng);

		vtb_set(tb, "push_valid_i", !end && rng_percent(&tb->rng, push));
		vtb_set(tb, "push_slot_i", slot);
		vtb_set(tb, "push_data_i", data);
		vtb_set(tb, "q_slot_i", q);
		vtb_set(tb, "drain_valid_i", rng_percent(&tb->rng, drain));
		vtb_set(tb, "drain_slot_i", rng_below(&tb->rng, 8));
		vtb_set(tb, "drain_all_i", rng_percent(&tb->rng, end ? 30 : all));
		vtb_set(tb, "res_valid_i", rng_percent(&tb->rng, 60));
		vtb_set(tb, "res_pop_i", end || !rng_percent(&tb->rng, again));
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "q_waiting_o"), head[q] != tail[q]);
		vtb_check_eq(tb, vtb_get(tb, "level_o"), level);
		if (vtb_get(tb, "out_valid_o")) {
			unsigned int s = (unsigned int)vtb_get(tb, "out_slot_o");

			vtb_check(tb, head[s] != tail[s]);
			vtb_check_eq(tb, vtb_get(tb, "out_data_o"), list[s][head[s] % 64]);
			if (vtb_get(tb, "res_valid_i") && vtb_get(tb, "res_pop_i")) {
				head[s]++;
				level--;
				out++;
			}
		}
		if (vtb_get(tb, "push_valid_i") && vtb_get(tb, "push_ready_o")) {
			list[slot][tail[slot]++ % 64] = data;
			level++;
		}
		vtb_tick(tb);
	}
	vtb_set(tb, "push_valid_i", 0);
	vtb_set(tb, "drain_valid_i", 0);
	vtb_set(tb, "drain_all_i", 0);
	vtb_run(tb, 50);
	vtb_check_eq(tb, level, 0);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_check(tb, out > 500);
	vtb_destroy(tb);
}

static void by_slot(void **s)
{
	(void)s;
	park(20, 30, 0, 20);
}
static void by_all(void **s)
{
	(void)s;
	park(20, 0, 40, 20);
	park(50, 0, 2, 50);
}
static void full(void **s)
{
	(void)s;
	park(90, 20, 5, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(by_slot), cmocka_unit_test(by_all),
					    cmocka_unit_test(full) };

	return cmocka_run_group_tests_name("park_buffer", tests, NULL, NULL);
}
