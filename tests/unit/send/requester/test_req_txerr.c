// SPDX-License-Identifier: Apache-2.0
/*
 * req_txerr against a table of its own: of several reports of a QP's life the first stands until a
 * query has taken it, no report waits for a query, and each is followed by a kick.
 */
#include <string.h>

#include "vtb.h"

#define QPS 16

struct record {
	bool live;
	uint8_t gen;
	uint32_t psn;
};

static struct {
	struct record qp[QPS], asked; /* asked: what the query of the last cycle must find */
	bool asking, taken;
	unsigned int kicks[64], head, tail; /* still to come, in order */
	uint64_t reports, kept, found, cleared;
} s;

static void check_answer(struct vtb *tb)
{
	bool live = s.asking && s.asked.live;

	vtb_check_eq(tb, vtb_get(tb, "q_live_o"), live);
	s.found += live;
	if (!live)
		return;
	vtb_check_eq(tb, vtb_get(tb, "q_gen_o"), s.asked.gen);
	vtb_check_eq(tb, vtb_get(tb, "q_psn_o"), s.asked.psn);
}

static void take_report(struct vtb *tb)
{
	struct record *r = &s.qp[vtb_get(tb, "in_qpn_i")];
	uint8_t gen = (uint8_t)vtb_get(tb, "in_gen_i");

	s.reports++;
	s.kicks[s.tail++ % 64] = (unsigned int)vtb_get(tb, "in_qpn_i");
	if (r->live && r->gen == gen) {
		s.kept++;
		return;
	}
	*r = (struct record){ true, gen, (uint32_t)vtb_get(tb, "in_psn_i") };
}

static void look(struct vtb *tb, void *arg)
{
	(void)arg;
	check_answer(tb);
	if (vtb_get(tb, "kick_valid_o") && vtb_get(tb, "kick_ready_i")) {
		vtb_check(tb, s.head != s.tail);
		vtb_check_eq(tb, vtb_get(tb, "kick_qpn_o"), s.kicks[s.head++ % 64]);
	}
	s.taken = vtb_get(tb, "in_valid_i") && vtb_get(tb, "in_ready_o");
	if (s.taken) {
		s.cleared = s.cleared ? s.cleared : tb->cycle;
		take_report(tb);
	}
	s.asking = vtb_get(tb, "q_valid_i");
	if (s.asking) {
		s.asked = s.qp[vtb_get(tb, "q_qpn_i")];
		s.qp[vtb_get(tb, "q_qpn_i")].live = false;
	}
}

static void report(struct vtb *tb, unsigned int q)
{
	vtb_set(tb, "in_valid_i", 1);
	vtb_set(tb, "in_qpn_i", q);
	vtb_set(tb, "in_gen_i", 1 + rng_below(&tb->rng, 2));
	vtb_set(tb, "in_psn_i", rng_below(&tb->rng, 1 << 24));
}

static void ask(struct vtb *tb, unsigned int q)
{
	vtb_set(tb, "q_valid_i", 1);
	vtb_set(tb, "q_qpn_i", q);
}

static void step(struct vtb *tb, unsigned int qps, unsigned int reports, unsigned int queries)
{
	struct rng *rng = &tb->rng;

	if (!vtb_get(tb, "in_valid_i") || s.taken) {
		vtb_set(tb, "in_valid_i", 0);
		if (rng_percent(rng, reports))
			report(tb, (unsigned int)rng_below(rng, qps));
	}
	vtb_set(tb, "q_valid_i", 0);
	if (rng_percent(rng, queries))
		ask(tb, (unsigned int)rng_below(rng, qps));
	vtb_set(tb, "kick_ready_i", rng_percent(rng, 60));
	vtb_tick(tb);
}

static struct vtb *start(void)
{
	struct vtb *tb = vtb_create();

	memset(&s, 0, sizeof(s));
	vtb_on_sample(tb, look, NULL);
	vtb_set(tb, "kick_ready_i", 1);
	report(tb, 3); /* waits until the table is clear */
	vtb_run_until(tb, s.cleared, 100);
	vtb_check(tb, s.cleared >= QPS);
	vtb_set(tb, "in_valid_i", 0);
	return tb;
}

static void finish(struct vtb *tb)
{
	vtb_run_until(tb, s.taken || !vtb_get(tb, "in_valid_i"), 10);
	vtb_set(tb, "in_valid_i", 0);
	vtb_set(tb, "kick_ready_i", 1);
	vtb_run(tb, 3);
	for (unsigned int q = 0; q < QPS; q++) {
		ask(tb, q);
		vtb_tick(tb);
	}
	vtb_set(tb, "q_valid_i", 0);
	vtb_run(tb, 2);
	vtb_check_eq(tb, s.head, s.tail);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

/* Any order, on few QPs so that both sides meet in every cycle of each other. */
static void meetings(void **state)
{
	(void)state;
	for (unsigned int qps = 1; qps <= QPS; qps *= 4) {
		struct vtb *tb = start();

		for (unsigned int i = 0; i < 6000; i++)
			step(tb, qps, 20 + i / 1000 * 15, 10 + i % 7 * 12);
		vtb_set(tb, "q_valid_i", 0);
		vtb_check(tb, s.reports > 800 && s.found > 300 && (qps > 4 || s.kept > 50));
		finish(tb);
	}
}

/* Every QP fails and nobody asks: all are taken, and all are found. */
static void all_fail(void **state)
{
	struct vtb *tb = start();
	uint64_t begun = tb->cycle;

	(void)state;
	for (unsigned int i = 0; i < 3 * QPS; i++) {
		report(tb, i % QPS);
		vtb_tick(tb);
		vtb_run_until(tb, s.taken, 10);
	}
	vtb_check(tb, tb->cycle - begun <= 3 * 3 * QPS);
	finish(tb);
	assert_int_equal(s.found, QPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meetings),
		cmocka_unit_test(all_fail),
	};

	return cmocka_run_group_tests_name("req_txerr", tests, NULL, NULL);
}
