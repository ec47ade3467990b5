/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `cairn sim`: the simulated NICs on sockets, driven by programs outside, until a signal ends it.
 */
#ifndef CAIRN_SIM_MAIN_H
#define CAIRN_SIM_MAIN_H

#include "sim.h"

struct sim_serve_cfg {
	struct sim_cfg sim;
	const char *rundir;
	bool messages;		/* host memory by DMA messages even where it could be mapped */
	bool verbose;
	/*
	 * addresses instead of the defaults, as text, by NIC: [nic][0] IPv4-mapped, [1] IPv6; or
	 * NULL
	 */
	const char *address[SIM_MAX_NICS][2];
};

/* Returns an exit status: 0, 1 after a message.  Prints "ready" once all sockets listen. */
int sim_serve(const struct sim_serve_cfg *cfg);

#endif
