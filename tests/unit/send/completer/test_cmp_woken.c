// SPDX-License-Identifier: Apache-2.0
/*
 * cmp_woken: what has happened since each packet was looked at, against a model; a wake-up or fill
 * in the cycle of the look counts; however many events come, also of other slots, none is lost.
 */
#include <string.h>

#include "vtb.h"

#define TICKETS 8
#define SLOTS 16

struct ticket {
	unsigned int slot;
	bool woken, filled;
};

static void random_events(void **state)
{
	struct vtb *tb = vtb_create();
	struct ticket t[TICKETS];
	unsigned int n = 0;

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		unsigned int busy = i / 1000 % 4, slot = (unsigned int)rng_below(&tb->rng, SLOTS);
		unsigned int wake_slot = (unsigned int)rng_below(&tb->rng, SLOTS);
		bool gone = n && rng_percent(&tb->rng, 20 + 20 * busy);
		bool took = n - gone < TICKETS && rng_percent(&tb->rng, 70);
		bool wake = rng_percent(&tb->rng, 50), fill = rng_percent(&tb->rng, 10);

		vtb_set(tb, "took_i", took);
		vtb_set(tb, "took_slot_i", slot);
		vtb_set(tb, "gone_i", gone);
		vtb_set(tb, "wake_i", wake);
		vtb_set(tb, "wake_slot_i", wake_slot);
		vtb_set(tb, "fill_i", fill);
		vtb_eval(tb);
		if (n) {
			vtb_check_eq(tb, vtb_get(tb, "woken_o"), t[0].woken);
			vtb_check_eq(tb, vtb_get(tb, "filled_o"), t[0].filled);
		}
		vtb_tick(tb);
		if (gone)
			memmove(t, t + 1, --n * sizeof(t[0]));
		if (took)
			t[n++] = (struct ticket){ .slot = slot };
		for (unsigned int k = 0; k < n; k++) {
			t[k].woken |= wake && t[k].slot == wake_slot;
			t[k].filled |= fill;
		}
	}
	vtb_destroy(tb);
}

static void any_count(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int count = 1; count <= 1u << 16; count <<= 1) {
		vtb_set(tb, "took_i", 1);
		vtb_set(tb, "took_slot_i", 5);
		vtb_tick(tb);
		vtb_set(tb, "took_i", 0);
		vtb_set(tb, "wake_i", 1);
		vtb_set(tb, "wake_slot_i", 4);
		vtb_run(tb, count);
		vtb_check_eq(tb, vtb_get(tb, "woken_o") + vtb_get(tb, "filled_o"), 0);
		vtb_set(tb, "wake_slot_i", 5);
		vtb_set(tb, "fill_i", 1);
		vtb_run(tb, count);
		vtb_set(tb, "wake_i", 0);
		vtb_set(tb, "fill_i", 0);
		vtb_check(tb, vtb_get(tb, "woken_o") && vtb_get(tb, "filled_o"));
		vtb_set(tb, "gone_i", 1);
		vtb_tick(tb);
		vtb_set(tb, "gone_i", 0);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_events),
					    cmocka_unit_test(any_count) };

	return cmocka_run_group_tests_name("cmp_woken", tests, NULL, NULL);
}
