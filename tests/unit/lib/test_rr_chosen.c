// SPDX-License-Identifier: Apache-2.0
/* rr_chosen with five requests against a model that walks the ring. */
#include "vtb.h"

#define N 5

/* Requests come, stay, and some are withdrawn; the consumer is ready or not. */
static void random_requests(void **state)
{
	struct vtb *tb = vtb_create();
	unsigned int used[N] = { 0 }, last = N - 1, req = 0;
	int chosen = -1;

	(void)state;
	for (int i = 0; i < 40000; i++) {
		bool ready = rng_percent(&tb->rng, 60), valid;

		for (unsigned int k = 0; k < N; k++)
			if (rng_percent(&tb->rng, req >> k & 1 ? 3 : 30))
				req ^= 1u << k;
		vtb_set(tb, "req_i", req);
		vtb_set(tb, "ready_i", ready);
		vtb_eval(tb);
		valid = chosen >= 0 && req >> chosen & 1;
		vtb_check_eq(tb, vtb_get(tb, "gnt_o"), chosen >= 0 ? 1u << chosen : 0);
		vtb_check_eq(tb, vtb_get(tb, "gnt_valid_o"), valid);
		vtb_check_eq(tb, vtb_get(tb, "ready_o"), chosen >= 0 && ready ? 1u << chosen : 0);
		if (chosen >= 0)
			vtb_check_eq(tb, vtb_get(tb, "gnt_idx_o"), (unsigned int)chosen);
		vtb_tick(tb);
		if (valid && ready) {
			used[chosen]++;
			req &= ~(1u << chosen);
		}
		if (chosen >= 0) {
			if (ready || !valid)
				chosen = -1;
			continue;
		}
		for (unsigned int k = N; k >= 1; k--)
			if (req >> (last + k) % N & 1)
				chosen = (int)((last + k) % N);
		if (chosen >= 0)
			last = (unsigned int)chosen;
	}
	for (int k = 0; k < N; k++)
		vtb_check(tb, used[k] > 1000);
	vtb_destroy(tb);
}

/* All ask all the time: strict turns, one every second cycle. */
static void turns(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "req_i", (1 << N) - 1);
	vtb_set(tb, "ready_i", 1);
	for (unsigned int i = 0; i < 100; i++) {
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "ready_o"), i & 1 ? 1u << i / 2 % N : 0);
		vtb_tick(tb);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_requests), cmocka_unit_test(turns),
	};

	return cmocka_run_group_tests_name("rr_chosen", tests, NULL, NULL);
}
