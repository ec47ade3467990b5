// SPDX-License-Identifier: Apache-2.0
/*
 * qp_lookup: each check and its counter, packets that wait for their record and those that pass
 * them, order within a QP, exact bounds of packets inside and of cells that wait, one packet a
 * cycle.
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

/* ---- exact bounds; records of RC QPs in RTS ---- */

static struct world *plain_world(unsigned int cached)
{
	struct world *w = world_create();

	for (unsigned int k = 0; k < KEYS; k++) {
		struct cairn_qp_cfg *c = (struct cairn_qp_cfg *)w->cfg[k];

		c->state &= ~(CAIRN_QP_CFG_STATE | CAIRN_QP_CFG_STATE_TYPE);
		c->state |= CAIRN_QP_STATE_RTS;
	}
	for (unsigned int k = 0; k < cached; k++)
		world_cache(w, k, k);
	return w;
}

static void full_rate(void **state)
{
	struct world *w = plain_world(8);
	struct vtb *tb = w->tb;

	(void)state;
	for (unsigned int i = 0; i < 400; i++)
		world_send(w, i % 3 ? i % 8 : 5, true, i % 2 ? 4 : 0);
	vtb_run_until(tb, w->passed == 400, 1000);
	vtb_check_eq(tb, vtb_max_gap(w->out, 0, 399), 1);
	vtb_check_eq(tb, w->stalls + w->parked, 0);
	world_destroy(w);
}

static void inflight_edge(void **state)
{
	struct world *w = plain_world(8);
	struct vtb *tb = w->tb;

	(void)state;
	w->hold_done = true;
	for (unsigned int i = 0; i < INFLIGHT; i++)
		world_send(w, i % 8, true, 1);
	vtb_run_until(tb, w->passed == INFLIGHT, 300);
	vtb_check_eq(tb, w->stalls, 0);
	world_send(w, 0, true, 1); /* one too many */
	world_send(w, 0, false, 1);
	vtb_run(tb, 100);
	vtb_check_eq(tb, w->taken, INFLIGHT);
	vtb_check(tb, w->stalls >= 99);
	w->hold_done = false;
	vtb_run_until(tb, w->taken == INFLIGHT + 2, 200);
	world_destroy(w);
}

/* Exactly the share waits; one cell more is lost, but not a packet without any. Other QPs have
 * their own. */
static void share_edge(void **state)
{
	struct world *w = plain_world(0);
	struct vtb *tb = w->tb;
	static const unsigned int cells[] = { 16, 16, 8, 1, 0 };

	(void)state;
	w->hold_fills = true;
	for (unsigned int k = 0; k < 2; k++)
		for (unsigned int i = 0; i < 5; i++)
			world_send(w, k, true, cells[i]);
	vtb_run(tb, 200);
	vtb_check_eq(tb, w->parked, 8);
	vtb_check_eq(tb, w->dropped[NO_BUFFER], 2);
	vtb_check_eq(tb, w->passed, 0);
	w->hold_fills = false;
	vtb_run_until(tb, w->passed == 8, 500);
	world_send(w, 0, true, 16); /* what has gone counts no more */
	vtb_run_until(tb, w->passed == 9, 500);
	vtb_check_eq(tb, w->dropped[NO_BUFFER], 2);
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixed),      cmocka_unit_test(pauses),
		cmocka_unit_test(thrash),     cmocka_unit_test(bad_packets),
		cmocka_unit_test(full_rate),  cmocka_unit_test(inflight_edge),
		cmocka_unit_test(share_edge),
	};

	return cmocka_run_group_tests_name("qp_lookup", tests, NULL, NULL);
}
