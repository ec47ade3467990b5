// SPDX-License-Identifier: Apache-2.0
/*
 * wqe_taken: which blocks were looked up since they came, and who has asked and not looked since.
 * Everything that is told is found again; groups that begin anew forget; both ports at once.
 */
#include "vtb.h"

#define WAYS 4
#define GROUPS (SETS * WAYS)

struct group {
	uint8_t used;
	unsigned int asked;
};

static struct group want[GROUPS];

static void tick(struct vtb *tb);

/* In this cycle; with one a cycle behind the one that is there. */
static void look(struct vtb *tb, unsigned int port, unsigned int group, unsigned int block)
{
	unsigned int w = (unsigned int)vtb_port(tb, "hit_group_i")->width / 2, at = port;

#ifdef ONE
	at = 0;
	if (vtb_get(tb, "hit_i"))
		tick(tb);
#endif
	vtb_put_bits(vtb_port(tb, "hit_i"), port, 1, 1);
	vtb_put_bits(vtb_port(tb, "hit_group_i"), at * w, w, group);
	vtb_put_bits(vtb_port(tb, "hit_block_i"), at * 3, 3, block);
	want[group].used |= (uint8_t)(1u << block);
	want[group].asked &= ~(1u << port);
}

static void begin(struct vtb *tb, unsigned int group, bool new, uint8_t blocks, unsigned int ports)
{
	vtb_set(tb, "begin_i", 1);
	vtb_set(tb, "group_i", group);
	vtb_set(tb, "new_i", new);
	vtb_set(tb, "blocks_i", blocks);
	vtb_set(tb, "ports_i", ports);
	want[group].used &= new ? 0 : (uint8_t)~blocks;
	want[group].asked = (new ? 0 : want[group].asked) | ports;
}

/* What is no strobe is noise. */
static void tick(struct vtb *tb)
{
	vtb_tick(tb);
	vtb_set(tb, "begin_i", 0);
	vtb_set(tb, "hit_i", 0);
	vtb_set(tb, "group_i", rng_below(&tb->rng, GROUPS));
	vtb_set(tb, "new_i", rng_below(&tb->rng, 2));
	vtb_set(tb, "blocks_i", rng_below(&tb->rng, 256));
	vtb_set(tb, "ports_i", rng_below(&tb->rng, 4));
	vtb_set(tb, "hit_group_i", rng_below(&tb->rng, GROUPS * GROUPS));
	vtb_set(tb, "hit_block_i", rng_below(&tb->rng, 64));
}

static void compare(struct vtb *tb)
{
	for (unsigned int set = 0; set < SETS; set++) {
		vtb_set(tb, "set_i", set);
		vtb_eval(tb);
		for (unsigned int way = 0; way < WAYS; way++) {
			struct group *g = &want[set * WAYS + way];

			vtb_check_eq(tb, vtb_get(tb, "used_o") >> 8 * way & 0xff, g->used);
			vtb_check_eq(tb, vtb_get(tb, "asked_o") >> 2 * way & 3, g->asked);
		}
	}
}

static struct vtb *create(void)
{
	struct vtb *tb = vtb_create();

	tick(tb);
	for (unsigned int g = 0; g < GROUPS; g++) {
		begin(tb, g, true, (uint8_t)rng_below(&tb->rng, 256), g % 4);
		tick(tb);
	}
	tick(tb);
	compare(tb);
	return tb;
}

/* Seen after two cycles, not after one. */
static void intervals(void **state)
{
	struct vtb *tb = create();
	struct group was = want[1];

	(void)state;
	begin(tb, 1, false, 0, 3);
	tick(tb);
	vtb_set(tb, "set_i", 0);
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "asked_o") >> 2 & 3, was.asked);
	tick(tb);
	compare(tb);
	look(tb, 0, 1, 7);
	tick(tb);
	tick(tb);
	compare(tb);
	vtb_destroy(tb);
}

/* Look-ups through a group in each cycle by both ports, and something begins in every second. */
static void in_a_row(void **state)
{
	struct vtb *tb = create();

	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		look(tb, 0, 2, i);
#ifdef ONE /* of a second group some would be lost */
		look(tb, 1, 2, 7 - i);
#else
		look(tb, 1, 5, 7 - i);
#endif
		if (i % 2)
			begin(tb, 3, i == 3, (uint8_t)rng_below(&tb->rng, 256), i % 4);
		tick(tb);
	}
	for (unsigned int i = 0; i < 3; i++)
		tick(tb);
	vtb_check(tb, want[2].used == 0xff);
	compare(tb);
	vtb_destroy(tb);
}

/* A group that begins anew forgets what was looked up in the cycles before. */
static void anew(void **state)
{
	struct vtb *tb = create();

	(void)state;
	for (unsigned int i = 0; i < 200; i++) {
		unsigned int group = (unsigned int)rng_below(&tb->rng, GROUPS);

		for (unsigned int k = (unsigned int)rng_below(&tb->rng, 3); k; k--) {
			look(tb, 0, group, (unsigned int)rng_below(&tb->rng, 8));
			look(tb, 1, group, (unsigned int)rng_below(&tb->rng, 8));
			if (rng_percent(&tb->rng, 50))
				begin(tb, (group + 1) % GROUPS, false, 1, 1);
			tick(tb);
		}
		look(tb, i & 1, group, i % 8);
		begin(tb, group, true, 0, i % 4);
		tick(tb);
		for (unsigned int k = 0; k < 4; k++)
			tick(tb);
		compare(tb);
	}
	vtb_destroy(tb);
}

/* As wqe_fetch tells it: a port looks up in every second cycle at most. */
static void random_all(void **state)
{
	struct vtb *tb = create();
	unsigned int busy = 50;

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		if (i % 200 == 0)
			busy = (unsigned int)rng_range(&tb->rng, 5, 100);
		if (rng_percent(&tb->rng, busy))
			look(tb, i & 1, (unsigned int)rng_below(&tb->rng, GROUPS),
			     (unsigned int)rng_below(&tb->rng, 8));
		tick(tb);
		if (i % 3 == 0 && rng_percent(&tb->rng, 60))
			continue;
		tick(tb);
		tick(tb);
		compare(tb);
		if (rng_percent(&tb->rng, busy / 2)) {
			begin(tb, (unsigned int)rng_below(&tb->rng, GROUPS),
			      rng_percent(&tb->rng, 30), (uint8_t)rng_below(&tb->rng, 256),
			      (unsigned int)rng_below(&tb->rng, 4));
			tick(tb);
		}
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals),
		cmocka_unit_test(in_a_row),
		cmocka_unit_test(anew),
		cmocka_unit_test(random_all),
	};

	return cmocka_run_group_tests_name("wqe_taken", tests, NULL, NULL);
}
