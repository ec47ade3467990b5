/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench of dev_mmio: a model of the region MMIO_DEV, written from hw.def, which is compared in
 * every cycle (the cycle of the answer, what is read, every output), and the module's surroundings
 * with random pauses.  Left open, as nothing relies on it: a W1C write in the very cycle in which
 * its bit is set (the surroundings do not do that), DEV_DB_INDEX after anything but a READ.
 */
#ifndef CAIRN_DEV_BENCH_H
#define CAIRN_DEV_BENCH_H

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb.h"

#define TABLES 8
#define SOURCES 4
#define QUEUE 8
#define NOBODY 3 /* no such value of enum kick */

struct model {
	bool enable, no_loop, fence_busy, fence_done, link, changed, index_known;
	uint64_t base;
	uint32_t number, index;
	struct {
		uint64_t base, entries;
		bool base_known;
	} tables[TABLES];
	uint8_t gid[16];
	unsigned int gid_words, base_words; /* written since reset, a bit each */
	uint32_t events[QUEUE];		    /* as DEV_EVENT shows them */
	unsigned int n_events;
	bool chosen;          /* a source whose event is taken next */
};

/* A write that is not over before somebody has taken it. */
enum slow { SLOW_NONE, SLOW_OFFERED, SLOW_TAKEN };

struct bench {
	struct vtb *tb;
	struct model m;
	const struct sim_port *base, *entries, *gid;
	/* of each source: valid, number, ready */
	const struct sim_port *event[SOURCES], *number[SOURCES], *ready[SOURCES];
	/* the access of the cycle before */
	bool took, read_known, fence_strobe, gid_strobe;
	uint32_t read_value, gid_kind, gid_entry;
	enum slow slow;
	/* how the surroundings behave, in percent of the cycles */
	unsigned int idle_pct, busy_pct, event_pct, link_pct, done_pct;
	bool wild_done;	     /* done without a fence as well */
	bool taken[SOURCES]; /* events, in the cycle before */
	unsigned int n_db, n_kick[3], n_fence, n_gid, waited[SOURCES];
};

/* Out of reset, all percentages 0. */
struct bench *dev_bench_new(void);
void dev_bench_free(struct bench *b);

/* Sources whose event is taken in this cycle, a bit each. */
unsigned int dev_bench_ready(const struct bench *b);

/* One access; the answer has been taken on return, and the next may follow without a pause. */
uint32_t dev_mmio(struct bench *b, bool we, uint32_t addr, uint32_t data);
uint32_t dev_get(struct bench *b, uint32_t addr);
void dev_put(struct bench *b, uint32_t addr, uint32_t data);

#endif
