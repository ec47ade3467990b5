// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_park against lists in C: records of a slot are replayed in order and as they were, several on
 * their way, datagrams alone; one that waits again voids those behind it; a wake or a fill for one
 * that waits for it is never lost, and nobody is replayed without one; a list that is all on its
 * way is none for new packets.
 */
#include <string.h>

#include "cairn_int.h"
#include "vtb_rec.h"

#define SLOTS 8u
#define ENTRIES 16u
#define DEPTH 4u
#define LIMIT 4000u /* cycles from a wake to the replay */

struct bench {
	struct vtb *tb;
	const struct sim_port *in, *other, *out;
	bool waits; /* next_waiting_o is to be this */
	uint32_t list[SLOTS][ENTRIES]; /* PSNs: what tells them apart */
	unsigned int entry[SLOTS][ENTRIES], n[SLOTS], parked;
	bool used[ENTRIES];
	struct rec_rsp_rec recs[ENTRIES];
	bool woken[SLOTS], fills[SLOTS];		/* a replay is due; for the next fill */
	uint64_t due[SLOTS], woke[SLOTS], began[SLOTS]; /* the last wake, and replay */
	unsigned int kicked[SLOTS], filled[SLOTS], spare[SLOTS]; /* replays that may be due */
	unsigned int slot, at; /* that is replayed; of its list, to be shown next */
	unsigned int fly;      /* taken, without a verdict */
	bool voided;
	uint32_t psn;
	unsigned int noted;		      /* slot + 1 that waits for a fill since this cycle */
	unsigned int push, keep, wake, stall; /* percent */
	unsigned int replays, voids, together;
	bool stop;
};

static bool chance(struct bench *b, unsigned int percent)
{
	return rng_percent(&b->tb->rng, percent);
}

static bool datagram(uint32_t psn)
{
	return psn % 5 == 0;
}

static void wake(struct bench *b, unsigned int slot, unsigned int *by)
{
	*by = 1;
	if (!b->woken[slot])
		b->due[slot] = b->tb->cycle;
	b->woken[slot] = true;
	b->woke[slot] = b->tb->cycle;
}

static void note(struct bench *b, unsigned int slot, bool add)
{
	b->fills[slot] |= add;
	b->noted = add ? slot + 1 : 0;
}

static void verdict(struct bench *b)
{
	struct vtb *tb = b->tb;
	bool pop = !b->voided && (b->stop || !chance(b, b->keep)), add = !pop && chance(b, 40);

	vtb_check_eq(tb, vtb_get(tb, "void_o"), b->voided);
	vtb_set(tb, "done_i", 1);
	vtb_set(tb, "done_pop_i", pop);
	vtb_set(tb, "slot_i", b->slot);
	vtb_set(tb, "add_i", add);
	note(b, b->slot, add);
	b->voids += b->voided;
	if (pop) {
		b->used[b->entry[b->slot][0]] = false;
		b->n[b->slot]--;
		memmove(b->list[b->slot], b->list[b->slot] + 1,
			b->n[b->slot] * sizeof(b->list[0][0]));
		memmove(b->entry[b->slot], b->entry[b->slot] + 1,
			b->n[b->slot] * sizeof(b->entry[0][0]));
		b->parked--;
		b->at--;
	}
	b->voided |= !pop;
	b->fly--;
	if (!b->fly && (b->voided || b->at == b->n[b->slot])) {
		b->slot = SLOTS;
		b->voided = false;
	}
}

static void push(struct bench *b, unsigned int slot)
{
	struct vtb *tb = b->tb;
	unsigned int entry, at = b->n[slot];
	bool add = !at && chance(b, 60);

	b->psn = (b->psn + 1) & 0xffffff;
	for (unsigned int bit = 0; bit < REC_RSP_REC_W; bit++)
		vtb_put_bits(b->in, bit, 1, rng_u64(&tb->rng) & 1);
	vtb_put_bits(b->in, REC_RSP_REC_ID_SLOT, slot);
	vtb_put_bits(b->in, REC_RSP_REC_PSN, b->psn);
	vtb_put_bits(b->in, REC_RSP_REC_SILENT, datagram(b->psn));
	vtb_put_bits(b->in, REC_RSP_REC_SRQ_VALID, 0);
	vtb_set(tb, "other_i", b->psn & 1);
	for (unsigned int bit = 0; b->psn & 1 && bit < REC_RSP_REC_W; bit++) {
		vtb_put_bits(b->other, bit, 1, vtb_get_bits(b->in, bit, 1));
		vtb_put_bits(b->in, bit, 1, rng_u64(&tb->rng) & 1);
	}
	vtb_set(tb, "push_slot_i", slot);
	vtb_set(tb, "slot_i", slot);
	vtb_set(tb, "push_i", 1);
	vtb_set(tb, "add_i", add);
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "waiting_o"), at != 0);
	entry = (unsigned int)vtb_get(tb, "entry_o");
	vtb_check(tb, !b->used[entry]);
	b->used[entry] = true;
	b->recs[entry] = vtb_get_rsp_rec(b->psn & 1 ? b->other : b->in, 0);
	note(b, slot, add);
	b->list[slot][at] = b->psn;
	b->entry[slot][at] = entry;
	b->n[slot]++;
	b->parked++;
}

/* What rsp_join says: a replayed one is over, or a new one is parked; one of them a cycle. */
static void say(struct bench *b)
{
	struct vtb *tb = b->tb;

	vtb_set(tb, "push_i", 0);
	vtb_set(tb, "add_i", 0);
	vtb_set(tb, "done_i", 0);
	b->noted = 0;
	vtb_eval(tb);
	if (b->fly && !chance(b, b->stall)) {
		verdict(b);
	} else if (!b->stop && b->parked < ENTRIES && chance(b, b->push)) {
		if (vtb_get(tb, "push_ready_o"))
			push(b, (unsigned int)rng_below(&tb->rng, SLOTS));
	}
}

static void shown(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int slot = (unsigned int)vtb_get_bits(b->out, REC_RSP_REC_ID_SLOT);
	bool first = vtb_get(tb, "again_first_o");
	struct rec_rsp_rec want;
	unsigned int due;

	vtb_check(tb, slot < SLOTS && (!b->fly || slot == b->slot) && b->fly < DEPTH);
	if (b->slot != slot) {
		/* A kick and a fill may bring one replay each, and so may a wake that came while
		 * the last one was on its way. */
		due = b->kicked[slot] + b->filled[slot] + b->spare[slot];
		vtb_check(tb, first && (due || b->woke[slot] + 64 > b->began[slot]));
		b->spare[slot] = due > 1;
		b->kicked[slot] = b->filled[slot] = 0;
		b->began[slot] = tb->cycle;
		b->slot = slot;
		b->at = 0;
		b->woken[slot] = false;
		b->replays++;
	}
	vtb_check(tb, b->at < b->n[slot]);
	vtb_check_eq(tb, vtb_get(tb, "again_entry_o"), b->entry[slot][b->at]);
	want = b->recs[b->entry[slot][b->at]];
	vtb_check_eq(tb, want.psn, b->list[slot][b->at]);
#define SAME(name, path, at, width) vtb_check_eq(tb, vtb_get_bits(b->out, at, width), want.path);
	REC_RSP_REC_FIELDS(SAME)
	vtb_check(tb, !b->fly || !datagram(b->list[slot][b->at]));
	b->together += b->fly != 0;
	b->at++;
	b->fly++;
	vtb_set(tb, "again_ready_i", 1);
}

static void cycle(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int slot = (unsigned int)rng_below(&tb->rng, SLOTS);
	bool kick = chance(b, b->stop ? 20 : b->wake), fill = chance(b, b->wake / 4);

	vtb_set(tb, "again_ready_i", 0);
	say(b);
	vtb_set(tb, "kick_i", kick);
	vtb_set(tb, "kick_slot_i", slot);
	vtb_set(tb, "fill_i", fill);
	vtb_set(tb, "new_slot_i", slot);
	vtb_set(tb, "next_slot_i", slot);
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "next_waiting_o"), b->waits);
	b->waits = vtb_get(tb, "new_waiting_o");
	if (!vtb_get(tb, "push_i") && !vtb_get(tb, "done_i"))
		vtb_check_eq(tb, b->waits,
			     b->n[slot] && !(slot == b->slot && b->at == b->n[slot] && !b->voided));
	if (kick && vtb_get(tb, "kick_ready_o"))
		wake(b, slot, &b->kicked[slot]);
	for (unsigned int i = 0; fill && i < SLOTS; i++) {
		if (b->fills[i])
			wake(b, i, &b->filled[i]);
		b->fills[i] = b->noted == i + 1; /* of this cycle: now, or with the next one */
	}
	if (vtb_get(tb, "again_valid_o") && !vtb_get(tb, "done_i") && chance(b, 70))
		shown(b);
	for (unsigned int i = 0; i < SLOTS; i++) {
		if (!b->n[i] || b->slot != SLOTS)
			b->due[i] = tb->cycle;
		vtb_check(tb, !b->woken[i] || tb->cycle - b->due[i] < LIMIT);
	}
	vtb_tick(tb);
}

static void traffic(unsigned int push, unsigned int keep, unsigned int wakes, unsigned int stall)
{
	static struct bench b;

	b = (struct bench){ .tb = vtb_create(),
			    .push = push,
			    .keep = keep,
			    .wake = wakes,
			    .stall = stall,
			    .slot = SLOTS };
	b.in = vtb_port(b.tb, "push_data_i");
	b.other = vtb_port(b.tb, "other_data_i");
	b.out = vtb_port(b.tb, "again_o");
	vtb_run(b.tb, 40);
	for (int i = 0; i < 10000; i++)
		cycle(&b);
	vtb_check(b.tb, b.replays > 50 && b.voids > 10 && b.together > 20);
	b.stop = true;
	for (int i = 0; b.parked && i < 5000; i++)
		cycle(&b);
	vtb_check_eq(b.tb, b.parked, 0);
	vtb_set(b.tb, "kick_i", 0);
	vtb_set(b.tb, "fill_i", 0);
	vtb_set(b.tb, "push_i", 0);
	vtb_set(b.tb, "done_i", 0);
	vtb_set(b.tb, "again_ready_i", 0);
	vtb_run(b.tb, 40);
	vtb_check(b.tb, vtb_get(b.tb, "idle_o"));
	vtb_destroy(b.tb);
}

static void idle(void **state)
{
	(void)state;
	traffic(10, 30, 10, 70);
	traffic(10, 30, 2, 80);
}

static void busy(void **state)
{
	(void)state;
	traffic(100, 50, 30, 85);
	traffic(100, 10, 40, 70);
	traffic(50, 50, 50, 90);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle), cmocka_unit_test(busy) };

	return cmocka_run_group_tests_name("rsp_park", tests, NULL, NULL);
}
