// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_atomics alone: a slot is busy while it has begun more atomics than are over, and is woken
 * with the last one.
 */
#include "vtb.h"

#define SLOTS 8u
#define MANY 30u

struct bench {
	struct vtb *tb;
	unsigned int stall; /* percent: wakes are not taken */
	bool stop;
	unsigned int count[SLOTS], offered[SLOTS]; /* under way; of them told to be over */
	uint64_t began[SLOTS];			   /* cycle of the last */
	unsigned int slot, done, over;		   /* looked at; its end is told; is counted */
	bool go, shows, woke, busy, known;
	unsigned int ends, wakes;
};

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	b->slot = (unsigned int)rng_below(&tb->rng, SLOTS);
	b->go = !b->stop && b->count[b->slot] < MANY && rng_percent(&tb->rng, 20);
	if (!b->shows) {
		b->done = (unsigned int)rng_below(&tb->rng, SLOTS);
		b->shows = b->offered[b->done] < b->count[b->done];
		b->offered[b->done] += b->shows;
	}
	vtb_set(tb, "slot_i", b->slot);
	vtb_set(tb, "go_i", b->go);
	vtb_set(tb, "done_valid_i", b->shows);
	vtb_set(tb, "done_slot_i", b->done);
	vtb_set(tb, "wake_ready_i", !rng_percent(&tb->rng, b->stall));
}

/* The end that was counted in the cycle before. */
static void ended(struct bench *b)
{
	unsigned int s = b->over;

	vtb_check(b->tb, b->count[s] && b->offered[s]);
	b->count[s]--;
	b->offered[s]--;
	b->ends++;
	b->wakes += b->woke;
	/* one that begins while the last is being counted may be woken for nothing */
	if (b->tb->cycle - b->began[s] > 5)
		vtb_check_eq(b->tb, b->woke, !b->count[s]);
	else
		vtb_check(b->tb, b->woke || b->count[s]);
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	if (b->known)
		vtb_check_eq(tb, vtb_get(tb, "busy_o"), b->busy);
	if (vtb_get(tb, "over_o"))
		ended(b);
	b->woke = vtb_get(tb, "wake_valid_o") && vtb_get(tb, "wake_ready_i");
	if (b->woke)
		vtb_check_eq(tb, vtb_get(tb, "wake_slot_o"), b->over);
	b->busy = b->count[b->slot];
	b->known = !b->stop;
	if (b->go) {
		b->count[b->slot]++;
		b->began[b->slot] = tb->cycle;
	}
	if (b->shows && vtb_get(tb, "done_ready_o")) {
		b->shows = false;
		b->over = b->done;
	}
}

static bool all_over(const struct bench *b)
{
	for (unsigned int s = 0; s < SLOTS; s++)
		if (b->count[s])
			return false;
	return true;
}

static void run(unsigned int stall)
{
	static struct bench b;

	b = (struct bench){ .stall = stall, .stop = true, .tb = vtb_create() };
	vtb_on_drive(b.tb, drive, &b);
	vtb_on_sample(b.tb, sample, &b);
	vtb_run(b.tb, SLOTS + 20); /* it clears itself */
	b.stop = false;
	vtb_run(b.tb, 30000);
	b.stop = true;
	vtb_run_until(b.tb, all_over(&b), 20000);
	vtb_check(b.tb, b.ends > 1000 && b.wakes > 4);
	vtb_destroy(b.tb);
}

static void counted(void **state)
{
	(void)state;
	run(0);
	run(50);
	run(90);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(counted) };

	return cmocka_run_group_tests_name("rsp_atomics", tests, NULL, NULL);
}
