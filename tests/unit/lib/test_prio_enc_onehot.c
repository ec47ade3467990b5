// SPDX-License-Identifier: Apache-2.0
/* prio_enc_onehot, all inputs of an odd width. */
#define ONEHOT
#include "prio_enc_test.h"

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_inputs) };

	return cmocka_run_group_tests_name("prio_enc_onehot", tests, NULL, NULL);
}
