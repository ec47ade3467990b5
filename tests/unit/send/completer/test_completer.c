// SPDX-License-Identifier: Apache-2.0
/*
 * completer (cmp_packet, cmp_place, cmp_retire, retry_timer): against a requester and a peer in C
 * that lose, delay and refuse packets.  Every WQE completes once, in order, a READ after all of its
 * bytes went to where its elements say; cells and pins come back.
 */
#include "cmp_world.h"

#include "cairn_hw.h"

static void clean(void **s)
{
	(void)s;
	for (int i = 0; i < 16; i++) {
		start(0, 0, 0, 0, OPS_ALL, false);
		vtb_run_until_fn(tb, all_done, NULL, 100000, "all completions");
		assert_int_equal(counts[N_GO_BACK], 0);
		assert_int_equal(counts[N_TIMEOUT], 0);
		finish();
	}
}

static void misses(void **s)
{
	(void)s;
	for (int i = 0; i < 6; i++) {
		start(0, 40, 30, 0, OPS_ALL, false);
		finish();
	}
}

static void lossy(void **s)
{
	uint64_t seq = 0, implied = 0, timeouts = 0, rnr = 0;

	(void)s;
	for (int i = 0; i < 8; i++) {
		start(4, 30, i & 1 ? 20 : 0, 3, OPS_ALL, false);
		vtb_run_until_fn(tb, all_done, NULL, 100000, "all completions");
		seq += counts[N_SEQ], rnr += counts[N_RNR];
		implied += counts[N_IMPLIED], timeouts += counts[N_TIMEOUT];
		finish();
	}
	assert_true(seq && implied && timeouts && rnr);
}

static void bad_key(void **s)
{
	(void)s;
	for (int i = 0; i < 4; i++) {
		unsigned int errors = 0;

		start(0, 30, 20, 0, OPS_ALL, true);
		vtb_run_until_fn(tb, all_done, NULL, 100000, "all completions");
		for (unsigned int k = 0; k < NQ; k++) {
			vtb_check(tb, qp[k].err_cqes <= 1);
			errors += qp[k].err_cqes;
		}
		assert_true(counts[N_PROT] && errors);
		assert_true(!counts[N_WQE_PROT] && !counts[N_WQE_OP]); /* none is the requester's */
		finish();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clean),
		cmocka_unit_test(misses),
		cmocka_unit_test(lossy),
		cmocka_unit_test(bad_key),
	};

	return cmocka_run_group_tests_name("completer", tests, NULL, NULL);
}
