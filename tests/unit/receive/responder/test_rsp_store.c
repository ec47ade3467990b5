// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_store: each record comes out as it went in, when it is new and as often as it is replayed;
 * new ones in order, replayed ones before them; with all places taken a new one waits. One is
 * offered to those that are parked only when no other new one is on its way.
 */
#include <string.h>

#include "cairn_int.h"
#include "vtb.h"

#define PLACES 16u
#define BYTES ((REC_RSP_REC_W + 7) / 8)
#define FRESH 4u

struct bench {
	struct vtb *tb;
	const struct sim_port *in, *out;
	uint8_t kept[PLACES][BYTES], now[BYTES], fresh[FRESH][BYTES];
	unsigned int n_fresh;
	bool used[PLACES], parked[PLACES], offered;
	unsigned int wait, again, stall; /* percent */
	unsigned int came, left, replayed;
	unsigned int on_way, asides; /* new ones that have not left rsp_join; parked aside */
	bool is_new;		     /* what is shown */
	unsigned int next, loaded; /* place that is offered for a replay, is read; none: PLACES */
};

/* (the record's last byte is not a whole one) */
static void put(struct bench *b)
{
	vtb_put_bytes(b->in, 0, b->now, BYTES - 1);
	vtb_put_bits(b->in, 8 * (BYTES - 1), REC_RSP_REC_W % 8, b->now[BYTES - 1]);
}

static void get(struct bench *b, uint8_t *got)
{
	vtb_get_bytes(b->out, 0, got, BYTES - 1);
	got[BYTES - 1] = (uint8_t)vtb_get_bits(b->out, 8 * (BYTES - 1), REC_RSP_REC_W % 8);
}

static void offer(struct bench *b)
{
	struct vtb *tb = b->tb;

	if (!b->offered && !rng_percent(&tb->rng, b->wait)) {
		for (unsigned int i = 0; i < BYTES; i++)
			b->now[i] = (uint8_t)rng_u64(&tb->rng);
		b->now[BYTES - 1] &= (uint8_t)(0xff >> (8 * BYTES - REC_RSP_REC_W));
		put(b);
		b->offered = true;
	}
	vtb_set(tb, "in_valid_i", b->offered);
	if (b->next == PLACES && rng_percent(&tb->rng, b->again)) {
		unsigned int place = rng_below(&tb->rng, PLACES);

		if (b->parked[place] && place != b->loaded)
			b->next = place;
	}
	vtb_set(tb, "again_valid_i", b->next != PLACES);
	vtb_set(tb, "again_place_i", b->next % PLACES);
	vtb_set(tb, "free_i", 0);
	vtb_set(tb, "done_i", 0);
	vtb_set(tb, "aside_i", 0);
	vtb_set(tb, "left_i", 0);
}

/* The new one that waits may be parked aside, to be replayed. */
static void aside(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int place = (unsigned int)vtb_get(tb, "aside_place_o");
	bool behind = rng_percent(&tb->rng, b->again);

	vtb_set(tb, "behind_i", behind);
	vtb_eval(tb);
	if (!vtb_get(tb, "aside_valid_o"))
		return;
	vtb_check_eq(tb, b->on_way, 1);
	vtb_check_eq(tb, b->n_fresh, 1);
	if (!behind || rng_percent(&tb->rng, b->stall))
		return;
	vtb_set(tb, "aside_i", 1);
	vtb_check(tb, !b->used[place]);
	memcpy(b->kept[place], b->fresh[0], BYTES);
	b->used[place] = b->parked[place] = true;
	b->n_fresh--;
	b->on_way--;
	b->asides++;
}

/* The record that is shown is looked at, then parked or passed on. */
static void look(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int place = (unsigned int)vtb_get(tb, "out_place_o");
	uint8_t got[BYTES];

	get(b, got);
	vtb_check_eq(tb, vtb_get(tb, "out_again_o"), b->parked[place]);
	if (!b->parked[place] && !b->used[place]) {
		vtb_check(tb, b->n_fresh != 0);
		memcpy(b->kept[place], b->fresh[0], BYTES);
		memmove(b->fresh[0], b->fresh[1], --b->n_fresh * BYTES);
		b->used[place] = b->is_new = true;
	}
	vtb_check(tb, !memcmp(got, b->kept[place], BYTES));
	if (rng_percent(&tb->rng, b->stall))
		return;
	vtb_set(tb, "left_i", b->is_new);
	b->on_way -= b->is_new;
	b->is_new = false;
	b->replayed += b->parked[place];
	b->parked[place] = rng_percent(&tb->rng, b->again);
	if (b->loaded == place)
		b->loaded = PLACES;
	vtb_set(tb, "done_i", 1);
	vtb_set(tb, "free_i", !b->parked[place]);
	vtb_set(tb, "free_place_i", place);
	b->left += !b->parked[place];
	b->used[place] = b->parked[place];
}

static void cycle(struct bench *b)
{
	struct vtb *tb = b->tb;

	offer(b);
	aside(b);
	vtb_eval(tb);
	if (vtb_get(tb, "out_valid_o"))
		look(b);
	if (vtb_get(tb, "again_valid_i") && vtb_get(tb, "again_ready_o")) {
		b->loaded = b->next;
		b->next = PLACES;
	}
	if (b->offered && vtb_get(tb, "in_ready_o")) {
		vtb_check(tb, b->n_fresh < FRESH);
		memcpy(b->fresh[b->n_fresh++], b->now, BYTES);
		b->on_way++;
		b->offered = false;
		b->came++;
	}
	vtb_tick(tb);
}

static void traffic(unsigned int pause, unsigned int again, unsigned int stall)
{
	struct bench b = { .tb = vtb_create(),
			   .wait = pause,
			   .again = again,
			   .stall = stall,
			   .next = PLACES,
			   .loaded = PLACES };
	unsigned int from;

	b.in = vtb_port(b.tb, "in_i");
	b.out = vtb_port(b.tb, "out_o");
	vtb_run(b.tb, 2 * PLACES);
	for (int i = 0; i < 20000; i++)
		cycle(&b);
	vtb_check(b.tb, b.came > 500 && (!again || (b.replayed > 100 && b.asides > 20)));
	/* All that is parked goes on; nothing is left. */
	b.wait = 100;
	b.again = 0;
	for (int i = 0; i < 5000 && b.left != b.came; i++) {
		from = 0;
		while (from < PLACES && (!b.parked[from] || from == b.loaded))
			from++;
		if (b.next == PLACES && from < PLACES)
			b.next = from;
		cycle(&b);
	}
	vtb_check_eq(b.tb, b.left, b.came);
	vtb_destroy(b.tb);
}

/* Nobody frees a place: as many records as there are places go in, and no more. */
static void full(void **state)
{
	struct bench b = { .tb = vtb_create(), .next = PLACES, .loaded = PLACES };

	(void)state;
	b.in = vtb_port(b.tb, "in_i");
	b.out = vtb_port(b.tb, "out_o");
	vtb_run(b.tb, 2 * PLACES);
	for (int i = 0; i < 2000; i++) {
		offer(&b);
		vtb_eval(b.tb);
		vtb_set(b.tb, "done_i", vtb_get(b.tb, "out_valid_o"));
		if (b.offered && vtb_get(b.tb, "in_ready_o")) {
			b.offered = false;
			b.came++;
		}
		vtb_tick(b.tb);
	}
	vtb_check_eq(b.tb, b.came, PLACES);
	vtb_destroy(b.tb);
}

static void idle(void **state)
{
	(void)state;
	traffic(0, 0, 0);
	traffic(80, 20, 0);
}

static void busy(void **state)
{
	(void)state;
	traffic(0, 30, 50);
	traffic(30, 60, 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle), cmocka_unit_test(busy),
					    cmocka_unit_test(full) };

	return cmocka_run_group_tests_name("rsp_store", tests, NULL, NULL);
}
