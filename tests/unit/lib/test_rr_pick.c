// SPDX-License-Identifier: Apache-2.0
/* rr_pick, all requests behind all last ones. */
#include "vtb.h"

#define N 5

static void all_inputs(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int last = 0; last <= N; last++) {
		for (unsigned int req = 0; req < 1u << N; req++) {
			unsigned int want = 0, index = 0;

			/* last = N: nobody was before */
			for (unsigned int k = 1; k <= N && !want; k++) {
				unsigned int at = (last == N ? k - 1 : last + k) % N;

				want = req & 1u << at;
				index = want ? at : 0;
			}
			vtb_set(tb, "req_i", req);
			vtb_set(tb, "last_i", last == N ? 0 : 1u << last);
			vtb_eval(tb);
			vtb_check_eq(tb, vtb_get(tb, "gnt_o"), want);
			vtb_check_eq(tb, vtb_get(tb, "gnt_idx_o"), index);
		}
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_inputs) };

	return cmocka_run_group_tests_name("rr_pick", tests, NULL, NULL);
}
