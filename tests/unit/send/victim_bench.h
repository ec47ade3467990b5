/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench of wqe_victim: its strobes as wqe_fetch gives them, and a reference that keeps what
 * happened to each group. Every question's answer is compared with it.
 */
#ifndef VICTIM_BENCH_H
#define VICTIM_BENCH_H

#include "vtb.h"

#define WAYS 4
#define GROUPS (SETS * WAYS)
#define OLD (4 * GROUPS)    /* fetches */
#define UNIT (GROUPS / 8)   /* fetches: ages are counted so */
#define REFUSALS_A_FETCH 64 /* so many age like one fetch */
#define HUNGRY 15	    /* refusals in a row */

struct group {
	bool live, asked[2];
	uint8_t have, used, coming; /* blocks */
	uint64_t fetched;	    /* how many fetches there had been then */
};

struct victim_world {
	struct vtb *tb;
	struct group group[GROUPS];
	unsigned int turn[SETS], hunger[SETS];
	uint64_t fetches, refusals;
	/* the question, and the answer */
	unsigned int set;
	bool ahead, free, spare;
	bool halted; /* the requester does not come to look; set before it */
	unsigned int victim; /* way */
	int looked[2];	     /* by each port in this cycle: group, or -1 */
	unsigned int by_age, by_hunger, refused, spared; /* how often */
};

struct victim_world *victim_create(void);
void victim_destroy(struct victim_world *w);
void victim_quiet(struct victim_world *w); /* no strobe from here on */
void victim_clear(struct victim_world *w); /* each set begins anew, one in a cycle */
struct group *victim_way(struct victim_world *w, unsigned int way); /* of the set asked for */

/*
 * A request for the set, shown in one cycle: free, spare and victim are compared in the next, and
 * stand in w for what follows.
 */
void victim_ask(struct victim_world *w, unsigned int set, bool ahead);
/*
 * What becomes of it, in the cycle of the next tick: fetched for a port or the read-ahead, into a
 * group that it is in already (found, way) or into the victim; here or coming; refused. A pushed
 * block, which is no request, takes the victim.
 */
void victim_fetch(struct victim_world *w, bool found, unsigned int way, unsigned int port);
void victim_join(struct victim_world *w, unsigned int way, unsigned int port);
void victim_refuse(struct victim_world *w);
void victim_push(struct victim_world *w, unsigned int block);
/* A look-up of the port has found a block of the group; before the strobes above. */
void victim_hit(struct victim_world *w, unsigned int port, unsigned int group);
void victim_tick(struct victim_world *w);
void victim_idle(struct victim_world *w); /* a few cycles, or none */

#endif
