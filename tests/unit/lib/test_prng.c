// SPDX-License-Identifier: Apache-2.0
/* prng against xorshift32 in C; it stands still while not enabled and starts again at reset. */
#include "vtb.h"

#define SEED0 0x2545f491u

static uint32_t next(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

static void sequence(void **state)
{
	struct vtb *tb = vtb_create();
	uint32_t want = SEED0, ones = 0;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		bool enabled = rng_percent(&tb->rng, 60);

		vtb_set(tb, "en_i", enabled);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "rand_o"), want);
		vtb_tick(tb);
		want = enabled ? next(want) : want;
		ones += want & 1;
	}
	vtb_check(tb, ones > 4700 && ones < 5300);
	vtb_reset(tb, 1);
	vtb_set(tb, "en_i", 0);
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "rand_o"), SEED0);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sequence) };

	return cmocka_run_group_tests_name("prng", tests, NULL, NULL);
}
