// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_fresh alone: it never says none while a packet of the slot is on its way, however the counts
 * wrap, and says so soon after the last one has gone.
 */
#include "vtb.h"

#define SLOTS 8u
#define MOST 18u

struct bench {
	struct vtb *tb;
	unsigned int come, go, move; /* percent: a packet comes, goes, another slot is looked at */
	unsigned int here[SLOTS], way[MOST], on_way;
	unsigned int slot, stood, in_slot, quiet;
	bool clearing, stop, in, out;
	unsigned int said;
};

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	unsigned int slot = (unsigned int)rng_below(&tb->rng, SLOTS);

	if (slot != b->slot && rng_percent(&tb->rng, b->move)) {
		b->slot = slot;
		b->stood = 0;
	}
	b->in = !b->stop && b->on_way < MOST && rng_percent(&tb->rng, b->come);
	b->in_slot = (unsigned int)rng_below(&tb->rng, SLOTS);
	b->out = b->on_way != 0 && rng_percent(&tb->rng, b->go);
	vtb_set(tb, "in_i", b->in);
	vtb_set(tb, "in_slot_i", b->in_slot);
	vtb_set(tb, "out_i", b->out);
	vtb_set(tb, "out_slot_i", b->way[0]);
	vtb_set(tb, "slot_i", b->slot);
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	bool none = vtb_get(tb, "none_o");

	vtb_check(tb, !none || (b->here[b->slot] == 0 && b->stood != 0));
	if (!b->clearing && b->quiet >= 2 && b->stood >= 2)
		vtb_check(tb, none);
	b->said += none;
	b->stood++;
	b->quiet = (b->in || b->here[b->slot] != 0 || b->stood == 1) ? 0 : b->quiet + 1;
	if (b->out) {
		b->here[b->way[0]]--;
		b->on_way--;
		for (unsigned int i = 0; i < b->on_way; i++)
			b->way[i] = b->way[i + 1];
	}
	if (b->in) {
		b->here[b->in_slot]++;
		b->way[b->on_way++] = b->in_slot;
	}
}

static void run(unsigned int come, unsigned int go, unsigned int move)
{
	static struct bench b;

	b = (struct bench){
		.come = come, .go = go, .move = move, .tb = vtb_create()
	};
	b.clearing = b.stop = true;
	vtb_on_drive(b.tb, drive, &b);
	vtb_on_sample(b.tb, sample, &b);
	vtb_run(b.tb, SLOTS + 4); /* it clears itself */
	b.clearing = b.stop = false;
	vtb_run(b.tb, 20000);
	vtb_check(b.tb, b.said > 20);
	b.stop = true;
	b.move = 0;
	vtb_run(b.tb, 400);
	vtb_check(b.tb, vtb_get(b.tb, "none_o"));
	vtb_destroy(b.tb);
}

static void never_too_early(void **state)
{
	(void)state;
	run(30, 30, 30);
	run(10, 80, 50);
	run(50, 45, 5);
	run(90, 100, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(never_too_early) };

	return cmocka_run_group_tests_name("rsp_fresh", tests, NULL, NULL);
}
