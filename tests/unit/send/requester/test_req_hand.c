// SPDX-License-Identifier: Apache-2.0
/* req_hand: the visit in hand is the one that was taken last, whatever stands before it. */
#include <string.h>

#include "vtb_rec.h"

#define BYTES (REC_REQ_VISIT_W / 8)

static void last_taken(void **state)
{
	struct vtb *tb = vtb_create();
	uint8_t taken[BYTES] = { 0 }, next[BYTES], got[BYTES];
	bool any = false;

	(void)state;
	for (unsigned int i = 0; i < 2000; i++) {
		bool take = rng_percent(&tb->rng, 30);

		rng_bytes(&tb->rng, next, sizeof(next));
		vtb_put_bytes(vtb_port(tb, "visit_i"), 0, next, sizeof(next));
		vtb_set(tb, "take_i", take);
		vtb_eval(tb);
		vtb_get_bytes(vtb_port(tb, "visit_o"), 0, got, sizeof(got));
		if (any)
			vtb_check(tb, !memcmp(got, taken, sizeof(got)));
		if (take)
			memcpy(taken, next, sizeof(taken));
		any = any || take;
		vtb_tick(tb);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(last_taken) };

	return cmocka_run_group_tests_name("req_hand", tests, NULL, NULL);
}
