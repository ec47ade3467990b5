// SPDX-License-Identifier: Apache-2.0
/*
 * park_buffer: order within a slot, records that wait again stay first, drain_all reaches every
 * slot even when it comes all the time, level and idle; taken one at a time, or the next before the
 * verdict of the last: a record that waits again makes those taken after it void; a list of which
 * all are taken says so.
 */
#include "vtb.h"

#include <stdlib.h>

#define SLOTS 8

struct plan {
	unsigned int push, drain, all, again; /* percent */
	bool ahead;			      /* takes before verdicts */
};

struct bench {
	struct vtb *tb;
	struct plan plan;
	uint32_t list[SLOTS][64];
	unsigned int head[SLOTS], tail[SLOTS], level, taken, slot;
	unsigned int entry_of[SLOTS][64];
	bool failed;
	long out, voids;
};

static void drive(struct bench *b, bool end)
{
	struct vtb *tb = b->tb;
	const struct plan *p = &b->plan;
	bool res = rng_percent(&tb->rng, 60);

	vtb_set(tb, "push_valid_i", !end && rng_percent(&tb->rng, p->push));
	vtb_set(tb, "push_slot_i", rng_below(&tb->rng, SLOTS));
	vtb_set(tb, "push_data_i", rng_u64(&tb->rng) & 0xffffffff);
	vtb_set(tb, "q_slot_i", rng_below(&tb->rng, SLOTS));
	vtb_set(tb, "drain_valid_i", rng_percent(&tb->rng, p->drain));
	vtb_set(tb, "drain_slot_i", rng_below(&tb->rng, SLOTS));
	vtb_set(tb, "drain_all_i", rng_percent(&tb->rng, end ? 30 : p->all));
	vtb_set(tb, "res_valid_i", res && (!p->ahead || b->taken));
	vtb_set(tb, "res_pop_i", end || !rng_percent(&tb->rng, p->again));
	vtb_set(tb, "out_take_i", p->ahead ? rng_percent(&tb->rng, 70) : res);
	vtb_eval(tb);
}

static void verdict(struct bench *b, bool pop)
{
	b->taken--;
	b->voids += b->failed;
	if (b->failed || !pop) {
		b->failed = true;
	} else {
		b->head[b->slot]++;
		b->level--;
		b->out++;
	}
}

static void check(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int q = (unsigned int)vtb_get(tb, "q_slot_i");
	unsigned int slot = (unsigned int)vtb_get(tb, "push_slot_i");
	bool push = vtb_get(tb, "push_valid_i") && vtb_get(tb, "push_ready_o");

	vtb_check_eq(tb, vtb_get(tb, "q_waiting_o"), b->head[q] != b->tail[q]);
	if (b->taken && q == b->slot && b->head[q] + b->taken == b->tail[q] && !b->failed)
		vtb_check(tb, vtb_get(tb, "q_going_o"));
	else if (vtb_get(tb, "q_going_o"))
		vtb_check(tb, q == b->slot && b->head[q] == b->tail[q] && !b->failed);
	vtb_check_eq(tb, vtb_get(tb, "level_o"), b->level);
	vtb_check_eq(tb, vtb_get(tb, "void_o"), b->failed);
	if (push) {
		b->list[slot][b->tail[slot] % 64] = (uint32_t)vtb_get(tb, "push_data_i");
		b->entry_of[slot][b->tail[slot] % 64] = (unsigned int)vtb_get(tb, "push_entry_o");
	}
	if (vtb_get(tb, "out_valid_o")) {
		unsigned int s = (unsigned int)vtb_get(tb, "out_slot_o"), at = b->head[s] + b->taken;

		vtb_check(tb, at != b->tail[s] && (!b->taken || s == b->slot));
		vtb_check_eq(tb, vtb_get(tb, "out_data_o"), b->list[s][at % 64]);
		vtb_check_eq(tb, vtb_get(tb, "out_entry_o"), b->entry_of[s][at % 64]);
		if (b->taken)
			vtb_check(tb, !vtb_get(tb, "out_first_o"));
		if (vtb_get(tb, "out_take_i")) {
			b->slot = s;
			b->taken++;
		}
	}
	if (vtb_get(tb, "res_valid_i") && b->taken)
		verdict(b, vtb_get(tb, "res_pop_i"));
	if (push) {
		b->tail[slot]++;
		b->level++;
	}
}

static void park(struct plan plan)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct vtb *tb = b->tb = vtb_create();
	bool was_failed;

	b->plan = plan;
	vtb_run(tb, 60);
	for (int i = 0; i < 30000; i++) {
		drive(b, i > 28000);
		check(b);
		was_failed = b->failed;
		vtb_tick(tb);
		/* Void until all taken have their verdicts, and one cycle for the turn. */
		if (was_failed && !b->taken) {
			vtb_eval(tb);
			b->failed = vtb_get(tb, "void_o");
		}
	}
	vtb_set(tb, "push_valid_i", 0);
	vtb_set(tb, "drain_valid_i", 0);
	vtb_set(tb, "drain_all_i", 0);
	vtb_run(tb, 50);
	vtb_check_eq(tb, b->level, 0);
	vtb_check(tb, vtb_get(tb, "idle_o") && !vtb_get(tb, "void_o"));
	vtb_check(tb, b->out > 500 && (!plan.ahead || b->voids > 100));
	vtb_destroy(tb);
	free(b);
}

static void by_slot(void **s)
{
	(void)s;
	park((struct plan){ 20, 30, 0, 20, false });
	park((struct plan){ 20, 30, 0, 20, true });
}
static void by_all(void **s)
{
	(void)s;
	for (int ahead = 0; ahead < 2; ahead++) {
		park((struct plan){ 20, 0, 40, 20, ahead });
		park((struct plan){ 50, 0, 2, 50, ahead });
	}
}
static void full(void **s)
{
	(void)s;
	park((struct plan){ 90, 20, 5, 10, false });
	park((struct plan){ 90, 20, 5, 10, true });
}

/* A list of 16, taken whenever one is shown, verdicts 9 cycles later: 2 cycles a record. */
static void rate(void **s)
{
	struct vtb *tb = vtb_create();
	uint64_t first = 0, last = 0;
	unsigned int n = 0;
	uint32_t pipe = 0;

	(void)s;
	vtb_run(tb, 60);
	vtb_set(tb, "push_valid_i", 1);
	vtb_set(tb, "push_slot_i", 3);
	vtb_run(tb, 16);
	vtb_set(tb, "push_valid_i", 0);
	vtb_check_eq(tb, vtb_get(tb, "level_o"), 16);
	vtb_set(tb, "drain_valid_i", 1);
	vtb_set(tb, "drain_slot_i", 3);
	vtb_set(tb, "out_take_i", 1);
	vtb_set(tb, "res_pop_i", 1);
	for (int i = 0; i < 80; i++) {
		vtb_set(tb, "res_valid_i", pipe >> 8 & 1);
		vtb_eval(tb);
		pipe <<= 1;
		if (vtb_get(tb, "out_valid_o")) {
			first = n++ ? first : tb->cycle;
			last = tb->cycle;
			pipe |= 1;
		}
		vtb_tick(tb);
		vtb_set(tb, "drain_valid_i", 0);
	}
	vtb_check_eq(tb, n, 16);
	vtb_check_eq(tb, last - first, 30);
	vtb_check_eq(tb, vtb_get(tb, "level_o"), 0);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(by_slot), cmocka_unit_test(by_all),
					    cmocka_unit_test(full), cmocka_unit_test(rate) };

	return cmocka_run_group_tests_name("park_buffer", tests, NULL, NULL);
}
