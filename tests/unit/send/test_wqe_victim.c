// SPDX-License-Identifier: Apache-2.0
/*
 * wqe_victim: which group of a set gives way. Directed tests have one for each reason, the random
 * one has all at once as wqe_fetch gives them.
 */
#include <string.h>

#include "victim_bench.h"

/* A port's fetch into the victim of the set, and its blocks are here: none of them is used. */
static unsigned int fill(struct victim_world *w, unsigned int set, unsigned int port)
{
	unsigned int way;

	victim_ask(w, set, false);
	vtb_check(w->tb, w->free);
	way = w->victim;
	victim_fetch(w, false, 0, port);
	victim_tick(w);
	w->group[set * WAYS + way].have = 0xff;
	return way;
}

/* All blocks of the set are here and used. */
static void use_up(struct victim_world *w, unsigned int set)
{
	for (struct group *g = &w->group[set * WAYS]; g < &w->group[(set + 1) * WAYS]; g++) {
		g->used = g->have;
		g->coming = 0;
	}
}

static void refuse_now(struct victim_world *w, unsigned int set)
{
	victim_ask(w, set, false);
	vtb_check(w->tb, !w->free);
	victim_refuse(w);
	victim_tick(w);
	victim_idle(w);
}

static void hit_now(struct victim_world *w, unsigned int port, unsigned int group)
{
	victim_hit(w, port, group);
	victim_tick(w);
}

/* ---- tests ---- */

/* The way behind the last victim is looked at first, in each set for itself. */
static void round_robin(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	for (unsigned int i = 0; i < 3 * GROUPS; i++) {
		vtb_check_eq(w->tb, fill(w, i % SETS, 0), i / SETS % WAYS);
		use_up(w, i % SETS);
		victim_idle(w);
	}
	victim_destroy(w);
}

/* A way of the first set that may go, for either reason, or may not. */
static void choice(struct victim_world *w, unsigned int way, bool may)
{
	bool live = !may || rng_percent(&w->tb->rng, 50);

	w->group[way] = (struct group){ .live = live, .have = 0x3c, .used = live ? 0x3c : 0 };
	if (!may)
		w->group[way].coming = 2;
}

/* Any way's turn, and any ways that may go: nothing is there, or it is used up. */
static void each_choice(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	for (unsigned int may = 1; may < 16; may++)
		for (unsigned int turn = 0; turn < WAYS; turn++) {
			unsigned int n = (unsigned int)__builtin_popcount(may), first = turn;

			/* the way in front of it goes last */
			for (unsigned int way = 0; way < WAYS; way++)
				w->group[way] = (struct group){ .live = way != (turn + 3) % WAYS,
								.coming = 1 };
			fill(w, 0, 0);
			for (unsigned int way = 0; way < WAYS; way++)
				choice(w, way, may >> way & 1);
			while (!(may >> first & 1))
				first = (first + 1) % WAYS;
			victim_ask(w, 0, false);
			vtb_check_eq(w->tb, vtb_get(w->tb, "victim_o"), first);
			vtb_check_eq(w->tb, vtb_get(w->tb, "spare_o"), n >= 3);
			victim_idle(w);
			vtb_eval(w->tb);
			vtb_check_eq(w->tb, vtb_get(w->tb, "spare_o"), n >= 3);
		}
	victim_destroy(w);
}

/* With one fresh block a group stands for so many fetches, not its own; on its way, for ever. */
static void age(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	for (unsigned int way = 0; way < WAYS; way++)
		fill(w, 0, 1);
	for (unsigned int i = 0; i < WAYS; i++)
		w->group[i].used = 0xf7;
	for (unsigned int i = 0; i < OLD - WAYS; i++) {
		victim_ask(w, 0, rng_percent(&w->tb->rng, 50));
		vtb_check(w->tb, !w->free);
		use_up(w, 1);
		victim_ask(w, 1, false);
		if (i % 3)
			victim_fetch(w, i % 3 == 1, w->victim, 0);
		else
			victim_push(w, i % 8);
		victim_tick(w);
		victim_idle(w);
	}
	fill(w, 2, 0);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free);
	vtb_check_eq(w->tb, vtb_get(w->tb, "victim_o"), 0);
	for (unsigned int i = 0; i < WAYS; i++)
		w->group[i].coming = 0x80;
	victim_ask(w, 0, false);
	vtb_check(w->tb, !w->free);
	/* A fetch of more of a group's blocks makes it young again. */
	for (unsigned int i = 0; i < WAYS; i++)
		w->group[i].coming = 0;
	victim_ask(w, 0, false);
	victim_fetch(w, true, 0, 0);
	victim_tick(w);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->victim == 1);
	victim_destroy(w);
}

/* The count of fetches comes round: a group's age does not. */
static void age_wraps(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	victim_ask(w, 1, false);
	while (w->fetches < 256 * UNIT - OLD / 2) {
		victim_fetch(w, true, 0, 0);
		victim_tick(w);
	}
	for (unsigned int way = 0; way < WAYS; way++)
		fill(w, 0, 1);
	for (unsigned int i = 0; i < OLD; i++) {
		victim_ask(w, 0, false);
		vtb_check_eq(w->tb, w->free, i >= OLD - WAYS);
		victim_ask(w, 1, false);
		victim_fetch(w, true, 0, 0);
		victim_tick(w);
	}
	vtb_check(w->tb, w->fetches > 256 * UNIT);
	victim_destroy(w);
}

/* Refused requests age groups, too, 64 of them like one fetch. */
static void refusals_age(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	for (unsigned int i = 0; i < WAYS; i++)
		fill(w, 0, 1);
	for (unsigned int i = 0; i < OLD - WAYS - 1; i++) {
		fill(w, 1 + i % (SETS - 1), i % 2);
		use_up(w, 1 + i % (SETS - 1));
	}
	for (unsigned int i = 0; i < REFUSALS_A_FETCH; i++)
		refuse_now(w, 0);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free);
	vtb_check_eq(w->tb, w->by_hunger, 0);
	vtb_check_eq(w->tb, w->by_age, 1);
	victim_destroy(w);
}

/* A set that is hungry; each group of it was asked for, way 2 by both ports. */
static void starve(struct victim_world *w)
{
	for (unsigned int way = 0; way < WAYS; way++)
		fill(w, 0, way % 2);
	victim_ask(w, 0, false);
	victim_join(w, 2, 1);
	victim_tick(w);
	for (unsigned int i = 0; i < HUNGRY; i++)
		refuse_now(w, 0);
	refuse_now(w, 0);
}

/* After 15 refusals in a row: what nobody has asked for, or the asker has looked at since. */
static void hunger(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	starve(w);
	hit_now(w, 0, 1); /* it is port 1's */
	hit_now(w, 0, 2); /* port 1 has asked for it as well */
	refuse_now(w, 0);
	hit_now(w, 1, 2);
	victim_ask(w, 0, true); /* not for the read-ahead */
	vtb_check(w->tb, !w->free && !w->spare);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 2);
	w->group[2].coming = 1;
	refuse_now(w, 0);
	w->group[2].coming = 0;
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 2);
	hit_now(w, 1, 1);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 1);
	/* one that is used up goes before those */
	w->group[3].used = 0xff;
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 3);
	w->group[3].used = 0;
	/* what is fetched ends the hunger, of this set alone */
	vtb_check_eq(w->tb, fill(w, 0, 0), 1);
	for (unsigned int i = 0; i < HUNGRY; i++)
		refuse_now(w, 0);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 2);
	victim_destroy(w);
}

/* In a fence what the requester alone has asked for gives way to a hungry fetch, too. */
static void hunger_in_a_fence(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	starve(w); /* ways 0 and 2 are port 0's, 2 is port 1's as well */
	w->halted = true;
	victim_ask(w, 0, true);
	vtb_check(w->tb, !w->free && !w->spare);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 0);
	w->group[0].coming = 1;
	refuse_now(w, 0);
	w->halted = false;
	w->group[0].coming = 0;
	refuse_now(w, 0);
	w->halted = true;
	vtb_check_eq(w->tb, fill(w, 0, 1), 0);
	for (unsigned int i = 0; i < HUNGRY + 1; i++)
		refuse_now(w, 0); /* all are port 1's now, which comes */
	victim_destroy(w);
}

/* Each set has its own hunger. Nobody has asked for what came with a doorbell. */
static void hunger_of_others(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	for (unsigned int i = 0; i < 2 * WAYS; i++)
		fill(w, i % 2, 0);
	for (unsigned int i = 0; i < 2 * WAYS; i++)
		hit_now(w, 0, i);
	for (unsigned int i = 0; i < HUNGRY - 1; i++)
		refuse_now(w, 0);
	refuse_now(w, 1);
	refuse_now(w, 0);
	refuse_now(w, 1);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 0);
	w->group[0].used = w->group[1].used = w->group[2].used = 0xff;
	victim_ask(w, 0, false);
	victim_join(w, 0, 1);
	victim_tick(w);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->spare && w->victim == 0);
	victim_push(w, 5);
	victim_tick(w);
	for (unsigned int way = 1; way < WAYS; way++)
		w->group[way].coming = 1;
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 0);
	victim_destroy(w);
}

/* It takes a group only with two others to spare, and nobody has asked for what it brings. */
static void read_ahead(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	for (unsigned int way = 0; way < WAYS; way++)
		fill(w, 0, way % 2);
	for (unsigned int n = 0; n <= WAYS; n++) {
		for (unsigned int way = 0; way < WAYS; way++)
			w->group[way].used = way < n ? 0xff : 0xfe;
		victim_ask(w, 0, true);
		vtb_check_eq(w->tb, vtb_get(w->tb, "spare_o"), n >= 3);
		victim_idle(w);
	}
	victim_ask(w, 0, true);
	vtb_check_eq(w->tb, w->victim, 0);
	victim_fetch(w, false, 0, 0);
	victim_tick(w);
	w->group[0].have = 0xff;
	for (unsigned int way = 1; way < WAYS; way++)
		w->group[way].used = 0;
	for (unsigned int i = 0; i < HUNGRY; i++)
		refuse_now(w, 0);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 0);
	victim_destroy(w);
}

/* Turns, hunger and what counts towards an age begin again. */
static void reset(void **state)
{
	struct victim_world *w = victim_create();

	(void)state;
	starve(w);
	fill(w, 1, 0);
	for (unsigned int i = 0; i < GROUPS; i++)
		hit_now(w, i % 2, i);
	vtb_reset(w->tb, 2);
	memset(w->group, 0, sizeof(w->group));
	victim_clear(w);
	w->refusals = w->fetches = 0;
	for (unsigned int set = 0; set < SETS; set++) {
		victim_ask(w, set, false);
		vtb_check_eq(w->tb, vtb_get(w->tb, "victim_o"), 0);
	}
	/* A fetch would end the hunger; pushed blocks fill the set and leave it. */
	for (unsigned int way = 0; way < WAYS; way++) {
		victim_ask(w, 0, false);
		victim_push(w, way);
		victim_tick(w);
	}
	for (unsigned int i = 0; i < HUNGRY; i++)
		refuse_now(w, 0);
	victim_ask(w, 0, false);
	vtb_check(w->tb, w->free && w->victim == 0);
	victim_destroy(w);
}

/*
 * What wqe_fetch does to groups outside of the strobes: data comes, blocks are looked up, but for
 * those of a set whose QPs must not send.
 */
static void traffic(struct victim_world *w, unsigned int percent, unsigned int quiet_set)
{
	struct vtb *tb = w->tb;
	struct group *g = &w->group[rng_below(&tb->rng, GROUPS)];

	if (g->coming && rng_percent(&tb->rng, 60)) {
		g->have |= g->coming;
		g->coming = 0;
	}
	for (unsigned int port = 0; port < 2; port++) {
		unsigned int n = (unsigned int)rng_below(&tb->rng, GROUPS);

		if (!rng_percent(&tb->rng, percent) || !w->group[n].have || n / WAYS == quiet_set)
			continue;
		w->group[n].used |=
			w->group[n].have &
			(rng_percent(&tb->rng, 50) ? 0xff : 1u << rng_below(&tb->rng, 8));
		victim_hit(w, port, n);
	}
	if (rng_percent(&tb->rng, 1))
		w->group[rng_below(&tb->rng, GROUPS)].live = false; /* generations begin again */
}

static void request(struct victim_world *w)
{
	struct vtb *tb = w->tb;
	unsigned int port = (unsigned int)rng_below(&tb->rng, 2);
	unsigned int way = (unsigned int)rng_below(&tb->rng, WAYS);
	struct group *g = victim_way(w, way);
	bool found = rng_percent(&tb->rng, 30) && g->live;
	uint8_t blocks = (uint8_t)(1 + rng_below(&tb->rng, 255));

	if (w->ahead) {
		w->spared += w->spare;
		if (!w->spare)
			return;
		g = victim_way(w, w->victim);
		victim_fetch(w, false, 0, 0);
	} else if (found && (g->coming || g->have & blocks)) {
		victim_join(w, way, port);
		return;
	} else if (found) {
		victim_fetch(w, true, way, port);
		g->have &= (uint8_t)~blocks;
	} else if (w->free) {
		g = victim_way(w, w->victim);
		victim_fetch(w, false, 0, port);
	} else {
		victim_refuse(w);
		return;
	}
	g->used &= (uint8_t)~blocks;
	g->coming = blocks;
}

/* Busy and idle, sets that are wanted by all, traffic that takes up much or nothing. */
static void random_requests(void **state)
{
	struct victim_world *w = victim_create();
	struct vtb *tb = w->tb;
	unsigned int busy = 50, takes = 50, sets = SETS, quiet_set = SETS;

	(void)state;
	for (unsigned int i = 0; i < 80000; i++) {
		if (i % 400 == 0) {
			busy = (unsigned int)rng_range(&tb->rng, 10, 100);
			takes = (unsigned int)rng_below(&tb->rng, 100);
			quiet_set = (unsigned int)rng_below(&tb->rng, 2 * SETS);
			sets = (unsigned int)rng_range(&tb->rng, 1, SETS);
			w->halted = rng_percent(&tb->rng, 30);
		}
		victim_ask(w, (unsigned int)rng_below(&tb->rng, sets), rng_percent(&tb->rng, 20));
		if (rng_percent(&tb->rng, busy)) {
			if (w->spare && rng_percent(&tb->rng, 10))
				victim_push(w, (unsigned int)rng_below(&tb->rng, 8));
			else
				request(w);
		}
		victim_tick(w);
		traffic(w, takes, quiet_set);
	}
	/* All reasons had their turn. */
	vtb_check(tb, w->by_age > 20 && w->by_hunger > 10);
	vtb_check(tb, w->refused > 1000 && w->spared > 50);
	victim_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_robin),
		cmocka_unit_test(each_choice),
		cmocka_unit_test(age),
		cmocka_unit_test(age_wraps),
		cmocka_unit_test(refusals_age),
		cmocka_unit_test(hunger),
		cmocka_unit_test(hunger_in_a_fence),
		cmocka_unit_test(hunger_of_others),
		cmocka_unit_test(read_ahead),
		cmocka_unit_test(reset),
		cmocka_unit_test(random_requests),
	};

	return cmocka_run_group_tests_name("wqe_victim", tests, NULL, NULL);
}
