/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of a simulated device as a load from memory: a page that the simulator keeps
 * (sim/sim_time.c) and that RUNDIR/nicN.time says where it is (sealed.h).  While something is
 * computed the simulator stores each new time.  While all is idle and it sleeps, device time goes
 * on with the wall: then the page says by how much the two differ, and what time cannot pass.
 */
#ifndef CAIRN_DEVTIME_H
#define CAIRN_DEVTIME_H

#include <stdint.h>
#include <time.h>

#define DEVTIME_MAGIC "CAIRNTM1"
/* A simulator that was killed in between leaves seq odd. */
#define DEVTIME_TRIES 100

struct devtime_page {
	char magic[8];
	uint32_t seq;	 /* odd while the last three are changed */
	uint32_t runs;	 /* 1: with the wall */
	uint64_t device; /* ns; where it runs, what it was when it began to */
	uint64_t ahead;	 /* of CLOCK_MONOTONIC in ns, modulo 2^64 */
	uint64_t limit;	 /* the next event: it stops there */
};

static inline uint64_t devtime_wall(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Device time in ns; 0: it is not known. */
static inline uint64_t devtime_now(const struct devtime_page *page)
{
	for (int i = 0; i < DEVTIME_TRIES; i++) {
		uint32_t seq = __atomic_load_n(&page->seq, __ATOMIC_ACQUIRE);
		uint32_t runs = __atomic_load_n(&page->runs, __ATOMIC_ACQUIRE);
		uint64_t device = __atomic_load_n(&page->device, __ATOMIC_ACQUIRE);
		uint64_t ahead = __atomic_load_n(&page->ahead, __ATOMIC_ACQUIRE);
		uint64_t limit = __atomic_load_n(&page->limit, __ATOMIC_ACQUIRE);
		uint64_t now;

		if (seq & 1 || __atomic_load_n(&page->seq, __ATOMIC_RELAXED) != seq)
			continue;
		if (!runs)
			return device;
		now = devtime_wall() + ahead;
		/* both may be a little off by what the clocks were read apart */
		if ((int64_t)(now - device) < 0)
			return device;
		return now < limit ? now : limit;
	}
	return 0;
}

#endif
