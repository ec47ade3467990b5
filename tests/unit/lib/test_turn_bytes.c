// SPDX-License-Identifier: Apache-2.0
/* turn_bytes: every turn of a word of random bytes. */
#include "vtb.h"

static void every_turn(void **state)
{
	struct vtb *tb = vtb_create();
	unsigned int bytes = vtb_port(tb, "data_i")->width / 8;
	uint8_t in[64], out[64];

	(void)state;
	assert_true(bytes <= sizeof(in));
	for (unsigned int round = 0; round < 20; round++)
		for (unsigned int turn = 0; turn < bytes; turn++) {
			rng_bytes(&tb->rng, in, bytes);
			vtb_put_bytes(vtb_port(tb, "data_i"), 0, in, bytes);
			vtb_set(tb, "turn_i", turn);
			vtb_eval(tb);
			vtb_get_bytes(vtb_port(tb, "data_o"), 0, out, bytes);
			for (unsigned int i = 0; i < bytes; i++)
				vtb_check_eq(tb, out[i], in[(i + turn) % bytes]);
		}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_turn) };

	return cmocka_run_group_tests_name("turn_bytes", tests, NULL, NULL);
}
