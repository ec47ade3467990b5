// SPDX-License-Identifier: Apache-2.0
/* prio_enc, lowest bit first, all inputs of an odd width. */
#include "vtb.h"

#ifndef MSB_FIRST
#define MSB_FIRST 0
#endif

static void all_inputs(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int in = 0; in < 1 << 11; in++) {
		int want = !in ? -1 : MSB_FIRST ? 31 - __builtin_clz(in) : __builtin_ctz(in);

		vtb_set(tb, "in_i", in);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "valid_o"), in != 0);
		vtb_check_eq(tb, vtb_get(tb, "idx_o"), in ? want : 0);
		vtb_check_eq(tb, vtb_get(tb, "onehot_o"), in ? 1u << want : 0);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_inputs) };

	return cmocka_run_group_tests_name("prio_enc", tests, NULL, NULL);
}
