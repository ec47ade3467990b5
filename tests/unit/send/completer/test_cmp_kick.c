// SPDX-License-Identifier: Apache-2.0
/*
 * cmp_kick: each kick, fill and fired timer is followed by a visit of its QP that begins after it,
 * and a fired timer by one that says so, whatever the lookups answer: a hit, a record that is being
 * read (its fill kicks), no way free (tried again), a damaged or free record (given up).
 */
#include <string.h>

#include "cairn_hw.h"
#include "vtb.h"

#define QPS   16u
#define SLOTS 16u
#define KICKS 7u
#ifndef ONE_FIRE
#define ONE_FIRE 0
#endif

#define DELAY 2u /* cycles from a lookup to its answer */

enum kind { HIT, WAIT, RETRY, DAMAGED };

static struct {
	bool wanted[QPS]; /* a visit is due, whose lookup has not begun */
	bool fired[QPS];  /* and one that tells of the timer */
	unsigned int untold[QPS]; /* fires less visits that told of one, which may be of several */
	bool lost[QPS];	  /* its last lookup found a damaged record: none is due */
	bool found[QPS];  /* looked up with a hit, visit to come */
	unsigned int pinned[SLOTS], filling[QPS];
	struct {
		bool live;
		unsigned int qpn;
		enum kind kind;
	} answer[DELAY];
	unsigned int hits, waits, retries, damaged, fires, told, visits;
	unsigned int misses; /* percent of lookups that are no hit */
	uint64_t taken;	     /* kicks in the cycle before */
	bool quiet;
} s;

static const uint8_t status[] = { CAIRN_CTX_RESULT_OK, CAIRN_CTX_RESULT_WAITING,
				  CAIRN_CTX_RESULT_RETRY, CAIRN_CTX_RESULT_DAMAGED };

static void drive_answer(struct vtb *tb)
{
	unsigned int qpn = s.answer[0].qpn;

	vtb_set(tb, "ctx_valid_i", s.answer[0].live);
	if (!s.answer[0].live)
		return;
	vtb_set(tb, "ctx_status_i", status[s.answer[0].kind]);
	vtb_set(tb, "ctx_slot_i", qpn % SLOTS);
	vtb_set(tb, "ctx_key_i", qpn);
}

static void drive(struct vtb *tb, void *arg)
{
	struct rng *rng = &tb->rng;
	uint64_t kicks = vtb_get(tb, "kick_valid_i") & ~s.taken;

	(void)arg;
	drive_answer(tb);
	for (unsigned int k = 0; k < KICKS && !s.quiet; k++)
		if (!(kicks >> k & 1) && rng_percent(rng, 5)) {
			kicks |= 1u << k;
			vtb_put_bits(vtb_port(tb, "kick_qpn_i"), 24 * k, 24, rng_below(rng, QPS));
		}
	vtb_set(tb, "kick_valid_i", kicks);
	if (!vtb_get(tb, "fire_valid_i") || vtb_get(tb, "fire_ready_o")) {
		vtb_set(tb, "fire_valid_i", !s.quiet && rng_percent(rng, 5));
		vtb_set(tb, "fire_qpn_i", rng_below(rng, QPS));
	}
	/* one that somebody else has asked for is no kick */
	vtb_set(tb, "fill_valid_i", rng_percent(rng, 5));
	vtb_set(tb, "fill_key_i", rng_below(rng, QPS));
	vtb_set(tb, "fill_cmp_i", 0);
	for (unsigned int q = 0; q < QPS; q++)
		if (s.filling[q] && !--s.filling[q]) {
			if (vtb_get(tb, "fill_cmp_i")) {
				s.filling[q] = 1;
				continue;
			}
			vtb_set(tb, "fill_valid_i", 1);
			vtb_set(tb, "fill_key_i", q);
			vtb_set(tb, "fill_cmp_i", 1);
		}
	vtb_set(tb, "ctx_ready_i", rng_percent(rng, 70));
	vtb_set(tb, "visit_ready_i", rng_percent(rng, 40));
	vtb_set(tb, "unpin_ready_i", rng_percent(rng, 40));
	vtb_set(tb, "halt_i", !s.quiet && tb->cycle % 512 < 64);
}

static enum kind judge(struct vtb *tb, unsigned int qpn)
{
	if (s.filling[qpn])
		return WAIT;
	if (!rng_percent(&tb->rng, s.misses))
		return HIT;
	return (enum kind)(WAIT + rng_below(&tb->rng, 3));
}

static void look_up(struct vtb *tb)
{
	unsigned int qpn = (unsigned int)vtb_get(tb, "ctx_key_o"), slot = qpn % SLOTS;
	enum kind kind = judge(tb, qpn);

	vtb_check(tb, !vtb_get(tb, "halt_i"));
	vtb_check(tb, qpn < QPS);
	s.answer[DELAY - 1].live = true;
	s.answer[DELAY - 1].qpn = qpn;
	s.answer[DELAY - 1].kind = kind;
	s.pinned[slot] += kind == HIT || kind == WAIT;
	s.found[qpn] |= kind == HIT;
	s.hits += kind == HIT;
	s.waits += kind == WAIT;
	s.retries += kind == RETRY;
	s.damaged += kind == DAMAGED;
	if (kind == WAIT && !s.filling[qpn])
		s.filling[qpn] = 5 + (unsigned int)rng_below(&tb->rng, 40);
	if (kind == HIT || kind == DAMAGED)
		s.wanted[qpn] = false;
	s.lost[qpn] = kind == DAMAGED;
	if (ONE_FIRE && kind == DAMAGED)
		s.fired[qpn] = false;
}

static void visit(struct vtb *tb)
{
	unsigned int qpn = (unsigned int)vtb_get(tb, "visit_qpn_o");
	unsigned int slot = (unsigned int)vtb_get(tb, "visit_slot_o");

	vtb_check(tb, qpn < QPS && s.found[qpn]);
	vtb_check_eq(tb, slot, qpn % SLOTS);
	vtb_check(tb, s.pinned[slot]);
	/* Told once. A timer that fires while a visit is on its way comes with the next. */
	vtb_check(tb, !vtb_get(tb, "visit_fired_o") || s.untold[qpn]);
	s.pinned[slot]--;
	if (vtb_get(tb, "visit_fired_o")) {
		s.fired[qpn] = false;
		s.untold[qpn]--;
	}
	s.told += vtb_get(tb, "visit_fired_o");
	s.visits++;
}

static void want(uint64_t qpn)
{
	s.wanted[qpn] = true;
	s.lost[qpn] = false;
}

static void sample(struct vtb *tb, void *arg)
{
	uint64_t kicks = vtb_get(tb, "kick_valid_i") & vtb_get(tb, "kick_ready_o");

	(void)arg;
	s.taken = kicks;
	memmove(s.answer, s.answer + 1, sizeof(s.answer) - sizeof(s.answer[0]));
	s.answer[DELAY - 1].live = false;
	if (vtb_get(tb, "visit_valid_o") && vtb_get(tb, "visit_ready_i"))
		visit(tb);
	if (vtb_get(tb, "unpin_valid_o") && vtb_get(tb, "unpin_ready_i")) {
		vtb_check(tb, s.pinned[vtb_get(tb, "unpin_slot_o")]);
		s.pinned[vtb_get(tb, "unpin_slot_o")]--;
	}
	if (vtb_get(tb, "ctx_valid_o") && vtb_get(tb, "ctx_ready_i"))
		look_up(tb);
	for (unsigned int k = 0; k < KICKS; k++)
		if (kicks >> k & 1)
			want(vtb_get_bits(vtb_port(tb, "kick_qpn_i"), 24 * k, 24));
	if (vtb_get(tb, "fill_cmp_i"))
		want(vtb_get(tb, "fill_key_i"));
	if (vtb_get(tb, "fire_valid_i") && vtb_get(tb, "fire_ready_o")) {
		want(vtb_get(tb, "fire_qpn_i"));
		s.fired[vtb_get(tb, "fire_qpn_i")] = true;
		s.untold[vtb_get(tb, "fire_qpn_i")]++;
		s.fires++;
	}
}

static bool all_done(void)
{
	for (unsigned int q = 0; q < QPS; q++)
		if (s.wanted[q] || (s.fired[q] && !s.lost[q]) || s.filling[q])
			return false;
	for (unsigned int i = 0; i < SLOTS; i++)
		if (s.pinned[i])
			return false;
	return true;
}

static void run(unsigned int misses)
{
	struct vtb *tb = vtb_create();

	memset(&s, 0, sizeof(s));
	s.quiet = true;
	s.misses = misses;
	vtb_set(tb, "kick_valid_i", 0);
	vtb_set(tb, "fire_valid_i", 0);
	vtb_on_drive(tb, drive, NULL);
	vtb_on_sample(tb, sample, NULL);
	vtb_run_until(tb, vtb_get(tb, "idle_o"), 200);
	s.quiet = false;
	vtb_run(tb, 20000);
	vtb_check(tb, s.visits > 1000 && s.fires > 100 && s.told * 10 > s.fires * 6);
	vtb_check(tb, !misses || (s.waits > 100 && s.retries > 100 && s.damaged > 100));
	s.quiet = true;
	s.misses = 0;
	vtb_run_until(tb, all_done() && vtb_get(tb, "idle_o"), 2000);
	vtb_run(tb, 100);
	vtb_check(tb, vtb_get(tb, "idle_o") && !vtb_get(tb, "visit_valid_o"));
	vtb_destroy(tb);
}

static void hits(void **state)
{
	(void)state;
	run(0);
}

static void misses(void **state)
{
	(void)state;
	run(40);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(hits), cmocka_unit_test(misses) };

	return cmocka_run_group_tests_name("cmp_kick", tests, NULL, NULL);
}
