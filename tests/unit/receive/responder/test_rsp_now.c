// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_now against a queue and a table in C: the first packet finds what the last one of its slot
 * has put, also in the cycle before, however full the queue is; and so does a replay.
 */
#include "vtb.h"

#define SLOTS 8u
#define DEPTH 4u

struct bench {
	struct vtb *tb;
	unsigned int slot[DEPTH], n, age; /* in the queue; cycles since the first shows */
	unsigned int came[DEPTH], t;	  /* when each came */
	bool shown;
	unsigned int now[SLOTS], again;	  /* again: what is to be told of the replay */
	bool known[SLOTS], again_known;
	unsigned int looks;
};

static void cycle(struct bench *b, unsigned int ins, unsigned int leaves, unsigned int puts)
{
	struct vtb *tb = b->tb;
	unsigned int in_slot = rng_below(&tb->rng, SLOTS), now_slot = rng_below(&tb->rng, SLOTS);
	unsigned int slot = b->n ? b->slot[0] : rng_below(&tb->rng, SLOTS);
	unsigned int data = rng_below(&tb->rng, 1u << 17);
	bool leave = b->shown && b->age && rng_percent(&tb->rng, leaves);
	bool in = b->n < DEPTH && rng_percent(&tb->rng, ins);
	bool put = leave && rng_percent(&tb->rng, puts);

	if (rng_percent(&tb->rng, 40))
		in_slot = now_slot = slot;
	vtb_set(tb, "in_i", in);
	vtb_set(tb, "in_slot_i", in_slot);
	vtb_set(tb, "shown_i", b->shown);
	vtb_set(tb, "leave_i", leave);
	vtb_set(tb, "slot_i", slot);
	vtb_set(tb, "put_i", put);
	vtb_set(tb, "put_data_i", data);
	vtb_set(tb, "now_slot_i", now_slot);
	vtb_eval(tb);
	if (b->shown && !b->age && b->known[slot]) {
		vtb_check_eq(tb, vtb_get(tb, "here_o"), b->now[slot]);
		b->looks++;
	}
	if (b->again_known)
		vtb_check_eq(tb, vtb_get(tb, "now_o"), b->again & 0xffff);
	if (put) {
		b->now[slot] = data;
		b->known[slot] = true;
	}
	b->again = b->now[now_slot];
	b->again_known = b->known[now_slot];
	b->age = leave || !b->shown ? 0 : b->age + 1;
	if (leave) {
		b->n--;
		for (unsigned int i = 0; i < b->n; i++) {
			b->slot[i] = b->slot[i + 1];
			b->came[i] = b->came[i + 1];
		}
	}
	if (in) {
		b->slot[b->n] = in_slot;
		b->came[b->n++] = b->t;
	}
	b->t++;
	b->shown = b->n && b->came[0] + 2 <= b->t;
	vtb_tick(tb);
}

static void traffic(unsigned int ins, unsigned int leaves, unsigned int puts)
{
	struct bench b = { .tb = vtb_create() };

	for (int i = 0; i < 20000; i++)
		cycle(&b, ins, leaves, puts);
	vtb_check(b.tb, b.looks > 300);
	vtb_destroy(b.tb);
}

static void idle(void **state)
{
	(void)state;
	traffic(10, 50, 50);
}

static void busy(void **state)
{
	(void)state;
	traffic(100, 100, 100);
	traffic(100, 20, 50);
	traffic(50, 100, 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle), cmocka_unit_test(busy) };

	return cmocka_run_group_tests_name("rsp_now", tests, NULL, NULL);
}
