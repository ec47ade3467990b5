// SPDX-License-Identifier: Apache-2.0
/* cq_crowd: a bit for each CQ, as last written, for two readers at once; clear after reset. */
#include "vtb.h"

#define CQS 16u

static void against_a_model(void **state)
{
	struct vtb *tb = vtb_create();
	bool crowded[CQS] = { false };
	unsigned int seen = 0;

	(void)state;
	vtb_run(tb, 2 * CQS);
	for (unsigned int i = 0; i < 4000; i++) {
		unsigned int a = rng_below(&tb->rng, CQS), b = rng_below(&tb->rng, CQS);
		unsigned int cqn = rng_below(&tb->rng, CQS);
		bool write = i >= CQS && rng_below(&tb->rng, 2), to = rng_below(&tb->rng, 2);

		vtb_set(tb, "q_cqn_i", a | (uint64_t)b << 24);
		vtb_set(tb, "set_valid_i", write);
		vtb_set(tb, "set_cqn_i", cqn);
		vtb_set(tb, "set_crowded_i", to);
		vtb_tick(tb);
		vtb_set(tb, "set_valid_i", 0);
		/* what is written in the cycle of the look is seen */
		if (write)
			crowded[cqn] = to;
		vtb_check_eq(tb, vtb_get(tb, "q_o"), crowded[a] | crowded[b] << 1);
		seen += crowded[a];
	}
	vtb_check(tb, seen > 100);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(against_a_model) };

	return cmocka_run_group_tests_name("cq_crowd", tests, NULL, NULL);
}
