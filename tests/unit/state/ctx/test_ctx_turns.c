// SPDX-License-Identifier: Apache-2.0
/* ctx_turns with four readers, of which one has two words: each is read with its own slot, in turn,
 * both halves of its words, and never in a cycle of a write to it. */
#include "vtb.h"

#define N 4
#define TWO 2u /* which of them, by bit */
#define AW 4

struct read {
	unsigned int who, slot;	  /* of the last cycle in which something was read */
	unsigned int first, main; /* halves of the words read so far, nothing written meanwhile */
};

static unsigned int halves(struct vtb *tb, unsigned int so_far)
{
	unsigned int half = (unsigned int)vtb_get(tb, "half_o");

	vtb_check_eq(tb, half, so_far);
	return half + 1;
}

/* One cycle of reading. */
static void reads(struct vtb *tb, struct read *last, bool clash)
{
	bool first = vtb_get(tb, "first_o"), main = vtb_get(tb, "main_o");

	if (!first && !main)
		return;
	vtb_check(tb, !first || !main);
	last->who = (unsigned int)vtb_get(tb, "who_o");
	last->slot = (unsigned int)vtb_get(tb, "slot_o");
	vtb_check(tb, main || last->who & TWO);
	vtb_check(tb, !vtb_get(tb, "kept_o") || (main && last->first == 2 && !last->main));
	if (first) {
		last->main = 0;
		last->first = halves(tb, last->first);
	} else {
		last->main = halves(tb, last->main);
	}
	if (clash)
		last->first = last->main = 0;
}

static void turns(void **state)
{
	struct vtb *tb = vtb_create();
	struct read last = { 0 };
	unsigned int asks = 0, slot[N] = { 0 }, waited[N] = { 0 }, served[N] = { 0 };

	(void)state;
	for (int i = 0; i < 40000; i++) {
		unsigned int ok, slots = 0, clash = rng_percent(&tb->rng, 20);

		for (unsigned int n = 0; n < N; n++) {
			if (!(asks >> n & 1) && rng_percent(&tb->rng, 30)) {
				asks |= 1u << n;
				slot[n] = (unsigned int)rng_below(&tb->rng, 1 << AW);
			}
			slots |= slot[n] << AW * n;
		}
		vtb_set(tb, "asks_i", asks);
		vtb_set(tb, "slots_i", slots);
		vtb_set(tb, "clash_i", clash);
		vtb_eval(tb);
		ok = (unsigned int)vtb_get(tb, "ok_o");
		for (unsigned int n = 0; n < N; n++)
			if (ok >> n & 1) {
				vtb_check_eq(tb, ok, 1u << n);
				vtb_check(tb, asks >> n & 1 && last.main == 2);
				vtb_check_eq(tb, last.first, ok & TWO ? 2 : 0);
				vtb_check_eq(tb, last.who, ok);
				vtb_check_eq(tb, last.slot, slot[n]);
				served[n]++;
				waited[n] = 0;
			} else if (asks >> n & 1) {
				vtb_check(tb, waited[n]++ < 100);
			}
		if (ok)
			last = (struct read){ 0 };
		reads(tb, &last, clash);
		vtb_tick(tb);
		asks &= ~ok; /* others come at once, or are not there for a while */
	}
	for (unsigned int n = 0; n < N; n++)
		vtb_check(tb, served[n] > 1000);
	vtb_destroy(tb);
}

/* One alone: a turn each 3 cycles, 5 of two words. */
static void alone(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int n = 0; n < 2; n++) {
		uint64_t at;

		vtb_reset(tb, 2);
		vtb_set(tb, "asks_i", 1u << n);
		vtb_eval(tb);
		at = tb->cycle;
		while (!vtb_get(tb, "ok_o")) {
			vtb_tick(tb);
			vtb_eval(tb);
			vtb_check(tb, tb->cycle - at < 10);
		}
		vtb_check_eq(tb, tb->cycle - at, n ? 5 : 3);
		vtb_set(tb, "asks_i", 0);
		vtb_tick(tb);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turns),
		cmocka_unit_test(alone),
	};

	return cmocka_run_group_tests_name("ctx_turns", tests, NULL, NULL);
}
