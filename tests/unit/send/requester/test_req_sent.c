// SPDX-License-Identifier: Apache-2.0
/*
 * req_sent: the table holds the newest report of each QP, nothing of a QP that never reported, and
 * every last packet is followed by a kick that finds its entry written.
 */
#include <string.h>

#include "vtb_rec.h"

#define QPS 16

static struct {
	uint32_t psn[QPS];
	uint8_t gen[QPS];
	unsigned int wanted[QPS]; /* kicks still to come */
	unsigned int asked; /* QP whose entry is read */
	bool taken;	    /* the report of the last cycle */
	uint64_t cleared;
} s;

static void look(struct vtb *tb, void *arg)
{
	(void)arg;
	if (vtb_get(tb, "kick_valid_o") && vtb_get(tb, "kick_ready_i")) {
		unsigned int q = (unsigned int)vtb_get(tb, "kick_qpn_o");

		vtb_check(tb, q < QPS && s.wanted[q]);
		s.wanted[q] = 0;
	}
	s.taken = vtb_get(tb, "sent_valid_i") && vtb_get(tb, "sent_ready_o");
	if (s.taken) {
		struct rec_tx_left left = vtb_get_tx_left(vtb_port(tb, "sent_i"), 0);

		if (!s.cleared)
			s.cleared = tb->cycle;
		s.psn[left.qpn] = left.psn;
		s.gen[left.qpn] = left.gen;
		s.wanted[left.qpn] += left.last;
	}
}

static void report(struct vtb *tb, unsigned int q)
{
	struct rec_tx_left left = { .qpn = q };

	left.gen = (uint8_t)(1 + rng_below(&tb->rng, 255));
	left.psn = (uint32_t)rng_below(&tb->rng, 1 << 24);
	left.last = rng_percent(&tb->rng, 50);
	vtb_set(tb, "sent_valid_i", 1);
	vtb_put_tx_left(vtb_port(tb, "sent_i"), 0, &left);
}

static void tick(struct vtb *tb, unsigned int pause)
{
	vtb_set(tb, "kick_ready_i", rng_percent(&tb->rng, 100 - pause));
	vtb_tick(tb);
}

/* What the table says of a QP. */
static void check_entry(struct vtb *tb, unsigned int q)
{
	vtb_set(tb, "sent_valid_i", 0);
	vtb_set(tb, "sent_rd_qpn_i", q);
	tick(tb, 0);
	vtb_check_eq(tb, vtb_get(tb, "sent_gen_o"), s.gen[q]);
	if (s.gen[q])
		vtb_check_eq(tb, vtb_get(tb, "sent_psn_o"), s.psn[q]);
}

static void run(unsigned int pause)
{
	struct vtb *tb = vtb_create();

	memset(&s, 0, sizeof(s));
	vtb_on_sample(tb, look, NULL);
	report(tb, 3); /* waits until the table is clear */
	vtb_run_until(tb, s.cleared, 100);
	vtb_check(tb, s.cleared >= QPS);
	for (unsigned int q = 0; q < QPS; q++)
		check_entry(tb, q);
	for (int i = 0; i < 2000; i++) {
		unsigned int q = (unsigned int)rng_below(&tb->rng, QPS - 2);

		if (!vtb_get(tb, "sent_valid_i") || s.taken) {
			vtb_set(tb, "sent_valid_i", 0);
			if (rng_percent(&tb->rng, 60))
				report(tb, q);
		}
		tick(tb, pause);
		if (i % 50 == 0) {
			while (vtb_get(tb, "sent_valid_i") && !s.taken)
				tick(tb, pause);
			for (unsigned int k = 0; k < QPS; k++)
				check_entry(tb, k);
		}
	}
	vtb_set(tb, "sent_valid_i", 0);
	for (int i = 0; i < 4; i++)
		tick(tb, 0);
	for (unsigned int q = 0; q < QPS; q++)
		vtb_check_eq(tb, s.wanted[q], 0);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

static void entries(void **state)
{
	(void)state;
	run(0);
	run(70);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(entries) };

	return cmocka_run_group_tests_name("req_sent", tests, NULL, NULL);
}
