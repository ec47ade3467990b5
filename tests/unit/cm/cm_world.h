/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two connection managers and what is between them: time that a test sets, and messages that are on
 * their way until the test delivers, loses, doubles or delays them.
 */
#ifndef CM_WORLD_H
#define CM_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cm.h"
#include "rng.h"

#define WAY_NS 1000u /* a message's */
#define SERVICE 0x0000000001061c06ull
#define MAX_FLYING 4096u
#define MAX_TOLD 4096u
#define MAX_MORE 256u

enum { A, B };

struct flying {
	uint64_t at; /* when it arrives */
	int to;
	struct cm_path path; /* as the receiver sees it */
	uint8_t mad[MAD_BYTES];
};

/* An event as its owner got it. */
struct told {
	int end;
	struct cm_id *id;
	struct cm_event event;
	uint8_t first; /* byte of the private data */
};

struct world {
	struct rng rng;
	uint64_t now;
	struct cm cm[2];
	uint8_t gid[2][CM_GID_BYTES];
	struct flying flying[MAX_FLYING];
	unsigned int n_flying;
	struct told told[MAX_TOLD];
	unsigned int n_told;
	unsigned int sent[256]; /* by attribute */
	unsigned int refuse;	/* what request() returns */
	struct cm_id *accepted; /* the first ID that request() was given since this was NULL */
	struct cm_id *more[MAX_MORE]; /* and the others */
	unsigned int n_more;
	unsigned int lost, twice, late; /* percent */
	bool deaf;			/* nothing arrives */
};

struct world *world_new(uint64_t seed);
void world_free(struct world *w);
/* Until nothing is on its way and no timer is due within ns. */
void world_run(struct world *w, uint64_t ns);
/* Until everything has ended by itself. */
void world_finish(struct world *w);
struct cm_path world_path(const struct world *w, int from);
struct cm_param world_param(uint32_t qpn);
/* A new ID of that end whose events are kept. */
struct cm_id *world_id(struct world *w, int end);
/* How many such events that end had. */
unsigned int world_count(const struct world *w, int end, enum cm_event_type type);
const struct told *world_last(const struct world *w, int end);
/* A's ID and B's, in that state of A's. */
void world_connect(struct world *w, struct cm_id **a, struct cm_id **b);
void world_deliver(struct world *w, int to, const uint8_t *mad);

#endif
