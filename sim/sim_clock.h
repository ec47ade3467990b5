/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device time against wall time, when programs outside drive the NICs: while all is idle, device
 * time goes on with wall time; while something is computed it falls behind, and that lag is never
 * made up.  It never runs ahead by more than SIM_CLOCK_AHEAD.  All times in ns.
 */
#ifndef CAIRN_SIM_CLOCK_H
#define CAIRN_SIM_CLOCK_H

#include <stdint.h>

/* What waiting costs anyway: a shorter jump is taken at once. */
#define SIM_CLOCK_AHEAD 50000

struct sim_clock {
	uint64_t wall, device;		/* at the last moment when device time was not ahead */
};

/* Tell it the time now; returns how far device time may go at present. */
static inline uint64_t sim_clock_allowed(struct sim_clock *clock, uint64_t wall, uint64_t device,
					 bool idle)
{
	uint64_t allowed = clock->device + (wall - clock->wall);

	/* Computing was slower than the wall: start again from here. */
	if (!idle && allowed > device) {
		clock->wall = wall;
		clock->device = allowed = device;
	}
	return allowed;
}

#endif
