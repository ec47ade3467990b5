// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_parked against lists in C: packets of a slot are replayed in order, two at a time unless one
 * goes alone, one that may not go on holds those behind it, also one that is on its way, a wake or
 * a fill for a slot that waits for one is never lost, and nobody is replayed without one.
 */
#include <string.h>

#include "vtb.h"

#define SLOTS 8u
#define PLACES 16u

struct bench {
	struct vtb *tb;
	unsigned int list[SLOTS][PLACES], n[SLOTS], parked;
	bool used[PLACES];
	bool woken[SLOTS], fills[SLOTS]; /* a replay is due; for the next fill */
	uint64_t kicked[SLOTS], began[SLOTS], filled; /* when that was last */
	uint64_t due[SLOTS];
	unsigned int slot; /* of the replays that are taken; none: SLOTS */
	unsigned int fly;  /* how many */
	bool kept;	   /* the last verdict was that it waits */
	bool stopped;	   /* one waits again: what is on its way is void */
	bool known, alone; /* of the last that was taken */
	unsigned int pairs;
	uint64_t pushed;   /* when it was that anything was pushed last */
	uint64_t over;     /* when it was that a verdict came last */
	unsigned int last_of; /* of which slot */
	unsigned int push, keep, wake, stall; /* percent */
	unsigned int replays, asides;
	bool stop;
};

static bool chance(struct bench *b, unsigned int percent)
{
	return rng_percent(&b->tb->rng, percent);
}

static void wake(struct bench *b, unsigned int slot)
{
	if (!b->woken[slot])
		b->due[slot] = b->tb->cycle;
	b->woken[slot] = true;
}

static void append(struct bench *b, unsigned int slot, unsigned int place)
{
	b->used[place] = true;
	b->list[slot][b->n[slot]++] = place;
	b->parked++;
}

/* One is parked aside, behind others of its slot. */
static void aside(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int slot = rng_below(&tb->rng, SLOTS), place = rng_below(&tb->rng, PLACES);

	vtb_set(tb, "aside_i", 0);
	vtb_set(tb, "aside_slot_i", vtb_get(tb, "push_i") ? vtb_get(tb, "slot_i") : slot);
	vtb_set(tb, "aside_place_i", place);
	if (b->stop || b->used[place] || vtb_get(tb, "push_i") || vtb_get(tb, "done_i") ||
	    tb->cycle < b->over + 2 || !chance(b, b->push))
		return;
	vtb_eval(tb);
	if (!vtb_get(tb, "aside_waiting_o") || !vtb_get(tb, "push_ready_o"))
		return;
	vtb_check(tb, b->n[slot] != 0);
	vtb_set(tb, "aside_i", 1);
	append(b, slot, place);
	b->asides++;
}

/* What rsp_join says of one packet: a new one is parked, or a replayed one is over. */
static void say(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int slot = rng_below(&tb->rng, SLOTS), place = rng_below(&tb->rng, PLACES);

	vtb_set(tb, "push_i", 0);
	vtb_set(tb, "add_i", 0);
	vtb_set(tb, "done_i", 0);
	if (tb->cycle - b->pushed < 3)
		return;
	if (b->slot != SLOTS && chance(b, b->stop ? 100 : 80)) {
		if (!chance(b, b->stall)) {
			bool pop = !b->stopped && (b->stop || !chance(b, b->keep));
			bool add = !pop && !b->stopped && chance(b, 50);

			vtb_check_eq(tb, vtb_get(tb, "void_o"), b->stopped);

			slot = b->slot;
			vtb_set(tb, "slot_i", slot);
			vtb_set(tb, "done_i", 1);
			vtb_set(tb, "done_pop_i", pop);
			vtb_set(tb, "add_i", add);
			b->fills[slot] |= add;
			if (pop) {
				b->used[b->list[slot][0]] = false;
				memmove(b->list[slot], b->list[slot] + 1,
					--b->n[slot] * sizeof(b->list[slot][0]));
				b->parked--;
			}
			b->pushed = b->over = tb->cycle;
			b->stopped |= !pop;
			b->kept = !pop;
			b->last_of = slot;
			if (--b->fly == 0) {
				b->slot = SLOTS;
				b->stopped = false;
			}
		}
		return;
	}
	if (b->stop || b->used[place] || !chance(b, b->push))
		return;
	vtb_set(tb, "slot_i", slot);
	vtb_set(tb, "place_i", place);
	vtb_set(tb, "push_i", 1);
	vtb_set(tb, "add_i", b->n[slot] == 0 && chance(b, 60));
	vtb_eval(tb);
	if (!vtb_get(tb, "push_ready_o")) {
		vtb_set(tb, "push_i", 0);
		vtb_set(tb, "add_i", 0);
		return;
	}
	vtb_check_eq(tb, vtb_get(tb, "waiting_o"), b->n[slot] != 0);
	b->fills[slot] |= vtb_get(tb, "add_i") != 0;
	append(b, slot, place);
	b->pushed = tb->cycle;
}

/* The first of its list, or the one behind that if one is on its way and may be followed. */
static void shown(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int place = (unsigned int)vtb_get(tb, "out_place_o"), of = SLOTS;
	/* the verdict on the one before it may have been given, and not be seen yet */
	bool late = b->kept && !b->fly && b->over + 1 >= tb->cycle;
	unsigned int at = b->fly + late;

	vtb_check(tb, b->fly < 2 && (!b->fly || (b->known && !b->alone)));
	for (unsigned int i = 0; i < SLOTS; i++)
		if (b->n[i] > at && b->list[i][at] == place)
			of = i;
	vtb_check(tb, of != SLOTS && (!b->fly || of == b->slot) && (!late || of == b->last_of));
	if (vtb_get(tb, "out_first_o")) {
		/* A wake that came with the last replay, or found no list, may stay. */
		vtb_check(tb, b->kicked[of] + 8 > b->began[of] || b->filled + 1000 > tb->cycle);
		b->woken[of] = b->fills[of] = false;
		b->began[of] = tb->cycle;
		b->replays++;
	}
	b->slot = of;
	b->stopped |= late;
	b->pairs += b->fly++;
	b->known = false;
	vtb_set(tb, "out_take_i", 1);
}

static void cycle(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int slot = rng_below(&tb->rng, SLOTS);
	bool kick = chance(b, b->stop ? 20 : b->wake), fill = chance(b, b->wake / 4);
	bool take;

	say(b);
	aside(b);
	vtb_set(tb, "kick_i", kick);
	vtb_set(tb, "kick_slot_i", slot);
	vtb_set(tb, "fill_i", fill);
	vtb_eval(tb);
	if (kick && vtb_get(tb, "kick_ready_o")) {
		wake(b, slot);
		b->kicked[slot] = tb->cycle;
	}
	if (fill)
		b->filled = tb->cycle;
	for (unsigned int i = 0; fill && i < SLOTS; i++)
		if (b->fills[i])
			wake(b, i);
	take = chance(b, 70);
	vtb_set(tb, "out_take_i", 0);
	vtb_set(tb, "known_i", 0);
	if (b->fly && !b->known && chance(b, 50)) {
		b->known = true;
		b->alone = chance(b, 20);
		vtb_set(tb, "known_i", 1);
		vtb_set(tb, "alone_i", b->alone);
	} else if (vtb_get(tb, "out_valid_o") && take) {
		shown(b);
	}
	for (unsigned int i = 0; i < SLOTS; i++) {
		if (!b->n[i] || b->slot != SLOTS)
			b->woken[i] = b->woken[i] && b->n[i], b->due[i] = tb->cycle;
		vtb_check(tb, !b->woken[i] || tb->cycle - b->due[i] < 4000);
	}
	vtb_tick(tb);
}

static void traffic(unsigned int push, unsigned int keep, unsigned int wakes, unsigned int stall)
{
	struct bench b = { .tb = vtb_create(),
			   .push = push,
			   .keep = keep,
			   .wake = wakes,
			   .stall = stall,
			   .slot = SLOTS };

	vtb_run(b.tb, SLOTS + 2);
	for (int i = 0; i < 20000; i++)
		cycle(&b);
	vtb_check(b.tb, b.replays > 50 && b.asides > 20 && b.pairs > 2);
	b.stop = true;
	for (int i = 0; b.parked && i < 5000; i++)
		cycle(&b);
	vtb_check_eq(b.tb, b.parked, 0);
	vtb_set(b.tb, "kick_i", 0);
	vtb_set(b.tb, "push_i", 0);
	vtb_set(b.tb, "aside_i", 0);
	vtb_set(b.tb, "done_i", 0);
	vtb_set(b.tb, "out_take_i", 0);
	vtb_run(b.tb, 8 * SLOTS);
	vtb_check(b.tb, vtb_get(b.tb, "idle_o"));
	vtb_destroy(b.tb);
}

static void idle(void **state)
{
	(void)state;
	traffic(5, 20, 10, 0);
}

static void busy(void **state)
{
	(void)state;
	traffic(100, 50, 30, 60);
	traffic(100, 10, 100, 0);
	traffic(50, 80, 50, 30);
}

static void strobe(struct vtb *tb, const char *port)
{
	vtb_set(tb, port, 1);
	vtb_tick(tb);
	vtb_set(tb, port, 0);
}

/* A fill that comes between the verdict on the first and that on the second, which is void. */
static void fill_in_between(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_run(tb, SLOTS + 2);
	vtb_set(tb, "slot_i", 3);
	vtb_set(tb, "aside_slot_i", 3);
	for (unsigned int place = 5; place < 7; place++) {
		vtb_set(tb, "place_i", place);
		strobe(tb, "push_i");
		vtb_run(tb, 3);
	}
	vtb_set(tb, "kick_slot_i", 3);
	strobe(tb, "kick_i");
	for (unsigned int i = 0; i < 2; i++) {
		vtb_run_until(tb, vtb_get(tb, "out_valid_o"), 4 * SLOTS);
		vtb_check_eq(tb, vtb_get(tb, "out_place_o"), 5 + i);
		strobe(tb, "out_take_i");
		strobe(tb, "known_i");
	}
	vtb_set(tb, "add_i", 1);
	strobe(tb, "done_i");
	vtb_set(tb, "add_i", 0);
	vtb_run(tb, 3);
	strobe(tb, "fill_i");
	vtb_run(tb, 3);
	vtb_check(tb, vtb_get(tb, "void_o"));
	strobe(tb, "done_i");
	vtb_run_until(tb, vtb_get(tb, "out_valid_o"), 4 * SLOTS);
	vtb_check_eq(tb, vtb_get(tb, "out_place_o"), 5);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle), cmocka_unit_test(busy),
					    cmocka_unit_test(fill_in_between) };

	return cmocka_run_group_tests_name("rsp_parked", tests, NULL, NULL);
}
