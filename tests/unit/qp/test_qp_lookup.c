// SPDX-License-Identifier: Apache-2.0
/*
 * qp_lookup: each check and its counter, packets that wait for their record and those that pass
 * them, order within a QP, bounds of packets inside and of cells that wait, one packet a cycle.
 */
#include <string.h>

#include "lookup_world.h"

static void run(unsigned int packets, unsigned int keys, unsigned int good, unsigned int latency,
		unsigned int others, unsigned int pause, unsigned int stall)
{
	struct world *w = world_create();
	struct vtb *tb = w->tb;

	w->keys = keys;
	w->latency = latency;
	w->others = others;
	w->retry = pause ? 10 : 0;
	w->ready = 100 - pause / 2;
	w->work = 30;
	w->stall = stall;
	vtb_stream_pause(w->rx, pause);
	vtb_stream_pause(w->out, pause);
	vtb_stream_pause(w->freed, pause);
	vtb_set(tb, "epoch_i", rng_below(&w->rng, 2));
	for (unsigned int k = 0; k < KEYS; k++)
		w->kind[k] = world_random_kind(w);
	while (w->sent < packets || vtb_pending(w->rx)) {
		uint32_t qpn = (uint32_t)rng_below(&w->rng, keys);

		/* Trains of one QP, and numbers beyond the table. */
		if (rng_percent(&w->rng, 2))
			qpn = KEYS + (uint32_t)rng_below(&w->rng, 0xffff00);
		for (unsigned int n = (unsigned int)rng_below(&w->rng, 6);
		     n-- && w->sent < packets;)
			world_send(w, qpn, rng_percent(&w->rng, good),
				   rng_percent(&w->rng, 60)
					   ? (unsigned int)rng_range(&w->rng, 1, 16)
					   : 0);
		vtb_set(tb, "halt_i", rng_percent(&w->rng, 5));
		vtb_run(tb, 10);
	}
	vtb_set(tb, "halt_i", 0);
	vtb_check(tb, w->passed > packets / 8 && w->parked > 20);
	print_message("# %u passed, %u parked, %u over\n", w->passed, w->parked,
		      w->dropped[NO_BUFFER]);
	world_destroy(w);
}

static void mixed(void **state)
{
	(void)state;
	run(2500, 12, 80, 60, 5, 0, 0);
}

static void pauses(void **state)
{
	(void)state;
	run(2500, 40, 80, 100, 10, 40, 0);
}

static void thrash(void **state)
{
	(void)state;
	run(2500, KEYS, 90, 30, 40, 20, 1);
}

static void bad_packets(void **state)
{
	(void)state;
	run(3000, KEYS, 30, 40, 5, 20, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixed),
		cmocka_unit_test(pauses),
		cmocka_unit_test(thrash),
		cmocka_unit_test(bad_packets),
	};

	return cmocka_run_group_tests_name("qp_lookup", tests, NULL, NULL);
}
