// SPDX-License-Identifier: Apache-2.0
/* cdc_sync: STAGES edges later, bit by bit.  reset_sync: falls at once, rises STAGES later. */
#include "vtb.h"

static void synchroniser(void **state)
{
	struct vtb *tb = vtb_create();
	unsigned int pipe[3] = { 2, 2, 2 };	/* RESET_VAL */

	(void)state;
	vtb_reset(tb, 1);
	for (int i = 0; i < 1000; i++) {
		unsigned int d = (unsigned int)rng_below(&tb->rng, 4);

		vtb_set(tb, "d_i", d);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "q_o"), pipe[2]);
		vtb_tick(tb);
		pipe[2] = pipe[1];
		pipe[1] = pipe[0];
		pipe[0] = d;
	}
	vtb_destroy(tb);
}

static void reset(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (int round = 0; round < 20; round++) {
		vtb_set(tb, "rst_async_ni", 1);
		vtb_run(tb, 3);
		vtb_check_eq(tb, vtb_get(tb, "rst_no"), 1);
		vtb_set(tb, "rst_async_ni", 0);
		vtb_eval(tb);				/* no clock edge */
		vtb_check_eq(tb, vtb_get(tb, "rst_no"), 0);
		vtb_run(tb, rng_below(&tb->rng, 3));
		vtb_set(tb, "rst_async_ni", 1);
		vtb_eval(tb);
		for (int i = 0; i < 3; i++) {
			vtb_check_eq(tb, vtb_get(tb, "rst_no"), 0);
			vtb_tick(tb);
		}
		vtb_check_eq(tb, vtb_get(tb, "rst_no"), 1);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(synchroniser), cmocka_unit_test(reset),
	};

	return cmocka_run_group_tests_name("cdc", tests, NULL, NULL);
}
