// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_wait alone: slots that wait come out in order, each once however often it was added, and only
 * those that were there at the last fill.
 */
#include "vtb.h"

#define SLOTS 128u

struct bench {
	struct vtb *tb;
	unsigned int fills, stall; /* percent: a fill; none is taken */
	bool stop;
	bool here[SLOTS];
	uint64_t queue[1 << 16];
	unsigned int in, out, free; /* free: those before it may leave */
	bool add, fill;
	unsigned int slot;
};

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	b->add = !b->stop && rng_percent(&tb->rng, 30);
	b->slot = (unsigned int)rng_below(&tb->rng, SLOTS);
	b->fill = rng_percent(&tb->rng, b->fills);
	vtb_set(tb, "add_i", b->add);
	vtb_set(tb, "slot_i", b->slot);
	vtb_set(tb, "fill_i", b->fill);
	vtb_set(tb, "ready_i", !rng_percent(&tb->rng, b->stall));
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	bool adds = b->add && !b->here[b->slot];

	if (vtb_get(tb, "valid_o") && vtb_get(tb, "ready_i")) {
		vtb_check(tb, b->out < b->free);
		vtb_check_eq(tb, vtb_get(tb, "slot_o"), b->queue[b->out]);
		b->here[b->queue[b->out++]] = false;
	}
	if (b->fill)
		b->free = b->in;
	if (adds) {
		b->here[b->slot] = true;
		b->queue[b->in++] = b->slot;
	}
}

static void run(unsigned int fills, unsigned int stall)
{
	static struct bench b;

	b = (struct bench){ .fills = fills, .stall = stall, .stop = true, .tb = vtb_create() };
	vtb_on_drive(b.tb, drive, &b);
	vtb_on_sample(b.tb, sample, &b);
	vtb_run(b.tb, SLOTS + 20); /* it clears itself */
	b.stop = false;
	vtb_run(b.tb, 20000);
	b.stop = true;
	b.fills = 0;
	vtb_run_until(b.tb, b.out == b.free, 5000);
	vtb_run(b.tb, 50);
	vtb_check(b.tb, b.out == b.free && b.out > 100);
	b.fills = 100;
	vtb_run_until(b.tb, b.out == b.in, 5000);
	vtb_destroy(b.tb);
}

static void in_order(void **state)
{
	(void)state;
	run(2, 0);
	run(2, 60);
	run(40, 30);
	run(1, 95);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(in_order) };

	return cmocka_run_group_tests_name("rsp_wait", tests, NULL, NULL);
}
