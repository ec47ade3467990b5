// SPDX-License-Identifier: Apache-2.0
/* prio_enc, all inputs of an odd width. */
#include "prio_enc_test.h"

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_inputs) };

	return cmocka_run_group_tests_name("prio_enc", tests, NULL, NULL);
}
