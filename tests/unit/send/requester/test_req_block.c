// SPDX-License-Identifier: Apache-2.0
/*
 * req_block: a block that comes whole, or in parts with pauses between them in which others are
 * answered; a first one is kept, and said to be here, or bad, as its parts were. One that is given
 * up begins with its first part again.
 */
#include <string.h>

#include "vtb.h"

#ifndef PARTS
#define PARTS 1
#endif
#define BYTES (64 / PARTS)

static uint8_t kept[64]; /* the first block that came last */

/* What wqe_fetch answers: a part wherever parts stand. */
static void answer(struct vtb *tb, const uint8_t *part, bool hit, bool err)
{
	for (unsigned int at = 0; at < 64; at += BYTES)
		vtb_put_bytes(vtb_port(tb, "found_wqe_i"), 8 * at, part, BYTES);
	vtb_set(tb, "found_hit_i", hit);
	vtb_set(tb, "found_err_i", err);
}

static void junk(struct vtb *tb)
{
	uint8_t part[64];

	rng_bytes(&tb->rng, part, sizeof(part));
	answer(tb, part, rng_percent(&tb->rng, 50), rng_percent(&tb->rng, 50));
}

static bool holds(struct vtb *tb, const char *port, const uint8_t *block)
{
	uint8_t got[64];

	vtb_get_bytes(vtb_port(tb, port), 0, got, sizeof(got));
	return !memcmp(got, block, sizeof(got));
}

#if PARTS > 1
static void block(struct vtb *tb, bool first, unsigned int take)
{
	uint8_t data[64];
	bool hit = true, err = false, h = false, e = false, came = false, gives_up;
	unsigned int part = 0, stop = (unsigned int)rng_below(&tb->rng, 12);

	rng_bytes(&tb->rng, data, sizeof(data));
	gives_up = !first && stop < PARTS;
	while (part < PARTS && !(gives_up && part == stop)) {
		bool takes = rng_percent(&tb->rng, take);

		vtb_set(tb, "look_i", 1);
		vtb_set(tb, "take_i", takes);
		vtb_set(tb, "first_i", first);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "part_o"), part);
		vtb_check_eq(tb, vtb_get(tb, "last_o"), part == PARTS - 1);
		vtb_check_eq(tb, vtb_get(tb, "first_o"), came && first);
		if (came)
			vtb_check_eq(tb, vtb_get(tb, "came_o"), part - 1);
		vtb_tick(tb);
		came = takes;
		junk(tb);
		if (!takes)
			continue;
		h = rng_percent(&tb->rng, 90);
		e = rng_percent(&tb->rng, 10);
		hit &= h;
		err |= e;
		answer(tb, data + BYTES * part, h, e);
		part++;
	}
	vtb_set(tb, "look_i", 0);
	vtb_set(tb, "take_i", 0);
	vtb_eval(tb);
	if (first) {
		vtb_check(tb, vtb_get(tb, "first_o") && vtb_get(tb, "came_last_o"));
		vtb_check_eq(tb, vtb_get(tb, "hit_o"), hit);
		vtb_check_eq(tb, vtb_get(tb, "err_o"), err);
		vtb_check(tb, holds(tb, "got_o", data));
		memcpy(kept, data, sizeof(kept));
	} else {
		vtb_check(tb, !vtb_get(tb, "first_o"));
		if (part == PARTS) {
			vtb_check(tb, vtb_get(tb, "came_last_o"));
			vtb_check_eq(tb, vtb_get(tb, "hit_o"), h);
			vtb_check_eq(tb, vtb_get(tb, "err_o"), e);
		}
	}
	vtb_tick(tb);
	junk(tb);
	vtb_eval(tb);
	vtb_check(tb, holds(tb, "wqe_o", kept));
}

static void as_it_comes(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	block(tb, true, 100);
	for (unsigned int i = 0; i < 3000; i++) {
		block(tb, rng_percent(&tb->rng, 60), i % 3 ? 100 : 40);
		for (uint64_t n = rng_below(&tb->rng, 3); n; n--)
			vtb_tick(tb);
	}
	vtb_destroy(tb);
}
#else
static void as_it_comes(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int i = 0; i < 3000; i++) {
		bool load = !i || rng_percent(&tb->rng, 40), hit = rng_percent(&tb->rng, 80),
		     err = rng_percent(&tb->rng, 20);
		uint8_t data[64];

		rng_bytes(&tb->rng, data, sizeof(data));
		answer(tb, data, hit, err);
		vtb_set(tb, "load_i", load);
		vtb_eval(tb);
		vtb_check(tb, vtb_get(tb, "last_o") && vtb_get(tb, "came_last_o") && !vtb_get(tb, "part_o"));
		vtb_check_eq(tb, vtb_get(tb, "hit_o"), hit);
		vtb_check_eq(tb, vtb_get(tb, "err_o"), err);
		vtb_check(tb, holds(tb, "got_o", data));
		vtb_tick(tb);
		if (load)
			memcpy(kept, data, sizeof(kept));
		junk(tb);
		vtb_eval(tb);
		vtb_check(tb, holds(tb, "wqe_o", kept));
	}
	vtb_destroy(tb);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_it_comes) };

	return cmocka_run_group_tests_name("req_block", tests, NULL, NULL);
}
