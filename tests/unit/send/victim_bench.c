// SPDX-License-Identifier: Apache-2.0
/* Reference and strobes of wqe_victim; see victim_bench.h. */
#include "victim_bench.h"

/* ---- the reference ---- */

struct group *victim_way(struct victim_world *w, unsigned int way)
{
	return &w->group[w->set * WAYS + way];
}

static bool used_up(const struct group *g)
{
	return !(g->have & ~g->used);
}

static bool may_go(const struct victim_world *w, const struct group *g)
{
	/* the count of units comes round in 8 bits */
	return !g->live ||
	       (!g->coming &&
		(used_up(g) || ((w->fetches / UNIT - g->fetched / UNIT) & 0xff) >= OLD / UNIT));
}

static void reference(struct victim_world *w)
{
	bool may[WAYS], old = false;
	unsigned int n = 0;

	for (unsigned int i = 0; i < WAYS; i++) {
		may[i] = may_go(w, victim_way(w, i));
		n += may[i];
	}
	w->spare = n >= 3;
	if (!n && !w->ahead && w->hunger[w->set] >= HUNGRY)
		for (unsigned int i = 0; i < WAYS; i++) {
			const struct group *g = victim_way(w, i);

			may[i] = !g->coming && (!g->asked[0] || w->halted) && !g->asked[1];
			n += may[i];
			old = true;
		}
	w->free = n;
	w->victim = w->turn[w->set];
	for (unsigned int i = 0; n && !may[w->victim] && i < WAYS; i++)
		w->victim = (w->victim + 1) % WAYS;
	w->by_hunger += old && n;
	w->by_age += n && !old && victim_way(w, w->victim)->live &&
		     !used_up(victim_way(w, w->victim));
}

/* ---- the module ---- */

/* The groups of the set; all else that could be shown is noise. */
static void show(struct victim_world *w)
{
	uint8_t have[WAYS], used[WAYS], coming[WAYS];
	unsigned int live = 0, asked = 0;

	for (unsigned int i = 0; i < WAYS; i++) {
		const struct group *g = victim_way(w, i);

		live |= (unsigned int)g->live << i;
		asked |= ((unsigned int)g->asked[0] | (unsigned int)g->asked[1] << 1) << 2 * i;
		have[i] = g->have;
		used[i] = g->used;
		coming[i] = g->coming;
	}
	vtb_set(w->tb, "live_i", live);
	vtb_set(w->tb, "asked_i", asked);
	vtb_put_bytes(vtb_port(w->tb, "have_i"), 0, have, WAYS);
	vtb_put_bytes(vtb_port(w->tb, "used_i"), 0, used, WAYS);
	vtb_put_bytes(vtb_port(w->tb, "coming_i"), 0, coming, WAYS);
}

void victim_ask(struct victim_world *w, unsigned int set, bool ahead)
{
	struct vtb *tb = w->tb;

	w->set = set;
	w->ahead = ahead;
	vtb_set(tb, "set_i", set);
	vtb_set(tb, "take_i", 1);
	vtb_set(tb, "halt_i", w->halted);
	show(w);
	reference(w);
	vtb_tick(tb);
	vtb_set(tb, "ahead_i", ahead);
	victim_quiet(w);
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "free_o"), w->free);
	vtb_check_eq(tb, vtb_get(tb, "spare_o"), w->spare);
	if (w->free)
		vtb_check_eq(tb, vtb_get(tb, "victim_o"), w->victim);
}

static const char *const strobes[] = { "take_i", "turn_i", "issue_i", "new_i", "clear_i" };
static const char *const noise[] = { "live_i", "asked_i", "have_i", "used_i", "coming_i" };

/* No strobe; what goes with strobes is noise without them. */
void victim_quiet(struct victim_world *w)
{
	struct vtb *tb = w->tb;

	for (unsigned int i = 0; i < sizeof(strobes) / sizeof(strobes[0]); i++)
		vtb_set(tb, strobes[i], 0);
	for (unsigned int i = 0; i < sizeof(noise) / sizeof(noise[0]); i++)
		vtb_set(tb, noise[i], rng_below(&tb->rng, 16));
	vtb_set(tb, "halt_i", rng_below(&tb->rng, 2));
	vtb_set(tb, "set_i", rng_below(&tb->rng, SETS));
	vtb_set(tb, "clear_set_i", rng_below(&tb->rng, SETS));
	vtb_set(tb, "way_i", rng_below(&tb->rng, WAYS));
	vtb_set(tb, "found_i", rng_below(&tb->rng, 2));
}

/* Strobes that were set, and then none. */
void victim_tick(struct victim_world *w)
{
	vtb_tick(w->tb);
	for (unsigned int port = 0; port < 2; port++) {
		if (w->looked[port] >= 0)
			w->group[w->looked[port]].asked[port] = false;
		w->looked[port] = -1;
	}
	victim_quiet(w);
}

void victim_idle(struct victim_world *w)
{
	for (uint64_t i = rng_below(&w->tb->rng, 3); i; i--)
		victim_tick(w);
}

/* A look-up of a port finds a block of the group. */
void victim_hit(struct victim_world *w, unsigned int port, unsigned int group)
{
	w->looked[port] = (int)group;
}

/* Whose strobes those of this cycle are; look-ups of it in the same cycle do not count. */
static unsigned int strobe_for(struct victim_world *w, bool found, unsigned int way)
{
	unsigned int group = w->set * WAYS + (found ? way : w->victim);

	vtb_set(w->tb, "way_i", found ? way : rng_below(&w->tb->rng, WAYS));
	vtb_set(w->tb, "found_i", found);
	for (unsigned int port = 0; port < 2; port++)
		if (w->looked[port] == (int)group)
			w->looked[port] = -1;
	return group;
}

static void wanted(struct victim_world *w, unsigned int group, bool found, unsigned int port)
{
	struct group *g = &w->group[group];

	for (unsigned int i = 0; i < 2; i++)
		g->asked[i] = (found && g->asked[i]) || i == port;
}

/* The port's request is fetched: into a group that it is in already, or into the victim. */
void victim_fetch(struct victim_world *w, bool found, unsigned int way, unsigned int port)
{
	unsigned int group = strobe_for(w, found, way);
	struct group *g = &w->group[group];

	vtb_set(w->tb, "turn_i", 1);
	vtb_set(w->tb, "issue_i", 1);
	if (!w->ahead)
		wanted(w, group, found, port);
	else
		g->asked[0] = g->asked[1] = false;
	g->fetched = w->fetches++;
	w->hunger[w->set] = 0;
	if (!found) {
		w->turn[w->set] = (w->victim + 1) % WAYS;
		g->live = true;
		g->have = g->used = 0;
	}
}

/* It is here, or comes. */
void victim_join(struct victim_world *w, unsigned int way, unsigned int port)
{
	wanted(w, strobe_for(w, true, way), true, port);
}

/* No group for it. */
void victim_refuse(struct victim_world *w)
{
	vtb_set(w->tb, "turn_i", 1);
	vtb_set(w->tb, "found_i", 0);
	w->hunger[w->set] += w->hunger[w->set] < HUNGRY;
	w->fetches += ++w->refusals % REFUSALS_A_FETCH == 0;
	w->refused++;
}

/* A pushed block takes the victim. */
void victim_push(struct victim_world *w, unsigned int block)
{
	struct group *g = &w->group[strobe_for(w, false, 0)];

	vtb_set(w->tb, "new_i", 1);
	*g = (struct group){ .live = true,
			     .have = (uint8_t)(1u << block),
			     .fetched = w->fetches++ };
	w->turn[w->set] = (w->victim + 1) % WAYS;
}

/* As after reset: each set begins anew. */
void victim_clear(struct victim_world *w)
{
	for (unsigned int set = 0; set < SETS; set++) {
		vtb_set(w->tb, "clear_i", 1);
		vtb_set(w->tb, "clear_set_i", set);
		victim_tick(w);
		w->turn[set] = w->hunger[set] = 0;
	}
}

struct victim_world *victim_create(void)
{
	struct victim_world *w = calloc(1, sizeof(*w));

	w->tb = vtb_create();
	w->looked[0] = w->looked[1] = -1;
	victim_quiet(w);
	victim_clear(w);
	return w;
}

void victim_destroy(struct victim_world *w)
{
	vtb_destroy(w->tb);
	free(w);
}
