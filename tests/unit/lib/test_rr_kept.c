// SPDX-License-Identifier: Apache-2.0
/* rr_kept with five requests against a model that walks the ring. */
#include "vtb.h"

#define N 5

#ifndef HOME
#define HOME N
#endif

/*
 * The first other that requests behind the granted one; if there is none that one, or HOME if
 * nobody requests.
 */
static unsigned int next_of(unsigned int granted, unsigned int req)
{
	for (unsigned int k = 1; k < N; k++)
		if (req >> (granted + k) % N & 1)
			return (granted + k) % N;
	return HOME != N && !(req >> granted & 1) ? HOME : granted;
}

/* Requests come, stay, and some are withdrawn; the grant is used or not, and held now and then. */
static void random_requests(void **state)
{
	struct vtb *tb = vtb_create();
	unsigned int used[N] = { 0 }, waited[N] = { 0 }, granted = 0, req = 0;

	(void)state;
	for (int i = 0; i < 40000; i++) {
		bool hold = rng_percent(&tb->rng, 10), shown, use;

		for (unsigned int k = 0; k < N; k++)
			if (rng_percent(&tb->rng, req >> k & 1 ? 3 : 30))
				req ^= 1u << k;
		shown = req >> granted & 1;
		use = shown && rng_percent(&tb->rng, 60);
		vtb_set(tb, "req_i", req);
		vtb_set(tb, "used_i", use);
		vtb_set(tb, "hold_i", hold);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "gnt_o"), 1u << granted);
		vtb_check_eq(tb, vtb_get(tb, "gnt_idx_o"), granted);
		vtb_check_eq(tb, vtb_get(tb, "shown_o"), shown);
		vtb_tick(tb);
		for (unsigned int k = 0; k < N; k++)
			waited[k] = req >> k & 1 && k != granted ? waited[k] + (use && !hold) : 0;
		for (unsigned int k = 0; k < N; k++)
			vtb_check(tb, waited[k] < N);
		if (use) {
			used[granted]++;
			req &= ~(1u << granted);
		}
		if (!hold && (use || !shown))
			granted = next_of(granted, vtb_get(tb, "req_i"));
	}
	for (int k = 0; k < N; k++)
		vtb_check(tb, used[k] > 1000);
	vtb_destroy(tb);
}

/* All ask all the time: strict turns, one a cycle. One alone: one a cycle. */
static void turns(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "used_i", 1);
	for (unsigned int alone = 0; alone < 2; alone++) {
		vtb_set(tb, "req_i", alone ? 1 : (1 << N) - 1);
		for (unsigned int i = 0; i < 100; i++) {
			vtb_eval(tb);
			vtb_check_eq(tb, vtb_get(tb, "gnt_o"), alone ? 1 : 1u << i % N);
			vtb_check_eq(tb, vtb_get(tb, "shown_o"), 1);
			vtb_tick(tb);
		}
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_requests), cmocka_unit_test(turns),
	};

	return cmocka_run_group_tests_name("rr_kept", tests, NULL, NULL);
}
