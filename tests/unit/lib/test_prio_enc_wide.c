// SPDX-License-Identifier: Apache-2.0
/* prio_enc_onehot of several groups of groups. */
#define WIDE 50
#include "prio_enc_test.h"

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(many_inputs) };

	return cmocka_run_group_tests_name("prio_enc_wide", tests, NULL, NULL);
}
