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
	/* its own fetch does not count */
	return !g->live || (!g->coming && (used_up(g) || w->fetches - g->fetched > OLD));
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

			may[i] = !g->coming && !g->asked[0] && !g->asked[1];
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

static void show(struct victim_world *w)
{
	uint8_t have[GROUPS], used[GROUPS], coming[GROUPS];
	uint64_t live = 0;

	for (unsigned int i = 0; i < GROUPS; i++) {
		live |= (uint64_t)w->group[i].live << i;
		have[i] = w->group[i].have;
		used[i] = w->group[i].used;
		coming[i] = w->group[i].coming;
	}
	vtb_set(w->tb, "live_i", live);
	vtb_put_bytes(vtb_port(w->tb, "have_i"), 0, have, GROUPS);
	vtb_put_bytes(vtb_port(w->tb, "used_i"), 0, used, GROUPS);
	vtb_put_bytes(vtb_port(w->tb, "coming_i"), 0, coming, GROUPS);
}

void victim_ask(struct victim_world *w, unsigned int set, bool ahead)
{
	struct vtb *tb = w->tb;

	w->set = set;
	w->ahead = ahead;
	vtb_set(tb, "set_i", set);
	vtb_set(tb, "ahead_i", ahead);
	show(w);
	vtb_eval(tb);
	reference(w);
	vtb_check_eq(tb, vtb_get(tb, "free_o"), w->free);
	vtb_check_eq(tb, vtb_get(tb, "spare_o"), w->spare);
	if (w->free)
		vtb_check_eq(tb, vtb_get(tb, "victim_o"), w->victim);
}

static const char *const strobes[] = { "turn_i", "issue_i", "new_i", "ask_i", "hit_i" };

/* Strobes that were set, and then none; what goes with strobes is noise without them. */
void victim_tick(struct victim_world *w)
{
	struct vtb *tb = w->tb;

	vtb_tick(tb);
	for (unsigned int port = 0; port < 2; port++) {
		if (w->looked[port] >= 0)
			w->group[w->looked[port]].asked[port] = false;
		w->looked[port] = -1;
	}
	for (unsigned int i = 0; i < sizeof(strobes) / sizeof(strobes[0]); i++)
		vtb_set(tb, strobes[i], 0);
	vtb_set(tb, "group_i", rng_below(&tb->rng, GROUPS));
	vtb_set(tb, "found_i", rng_below(&tb->rng, 2));
	vtb_set(tb, "ports_i", rng_below(&tb->rng, 4));
	vtb_put(vtb_port(tb, "hit_group_i"), rng_below(&tb->rng, GROUPS * GROUPS));
}

void victim_idle(struct victim_world *w)
{
	for (uint64_t i = rng_below(&w->tb->rng, 3); i; i--)
		victim_tick(w);
}

/* A look-up of a port finds a block of the group. */
void victim_hit(struct victim_world *w, unsigned int port, unsigned int group)
{
	unsigned int width = (unsigned int)vtb_port(w->tb, "hit_group_i")->width / 2;

	vtb_put_bits(vtb_port(w->tb, "hit_i"), port, 1, 1);
	vtb_put_bits(vtb_port(w->tb, "hit_group_i"), port * width, width, group);
	w->looked[port] = (int)group;
}

/* Whose strobes those of this cycle are; look-ups of it in the same cycle do not count. */
static unsigned int strobe_for(struct victim_world *w, bool found, unsigned int way)
{
	unsigned int group = w->set * WAYS + (found ? way : w->victim);

	vtb_set(w->tb, "group_i", group);
	vtb_set(w->tb, "found_i", found);
	for (unsigned int port = 0; port < 2; port++)
		if (w->looked[port] == (int)group)
			w->looked[port] = -1;
	return group;
}

static void wanted(struct victim_world *w, unsigned int group, bool found, unsigned int port)
{
	struct group *g = &w->group[group];

	vtb_set(w->tb, "ask_i", 1);
	vtb_set(w->tb, "ports_i", 1u << port);
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
	vtb_set(w->tb, "group_i", w->set * WAYS + w->victim);
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

struct victim_world *victim_create(void)
{
	struct victim_world *w = calloc(1, sizeof(*w));

	w->tb = vtb_create();
	w->looked[0] = w->looked[1] = -1;
	victim_tick(w);
	return w;
}

void victim_destroy(struct victim_world *w)
{
	vtb_destroy(w->tb);
	free(w);
}
