/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `cairn sim`: the simulated NICs on sockets, driven by programs outside, until a signal ends it.
 */
#ifndef CAIRN_SIM_MAIN_H
#define CAIRN_SIM_MAIN_H

#include "sim.h"
#include "sim_rundir.h"

struct sim_serve_cfg {
	struct sim_cfg sim;
	const char *rundir;
	unsigned int functions;	/* NICs of a host; they follow one another */
	bool messages;		/* host memory by DMA messages even where it could be mapped */
	bool ask_all;		/* ... and where the client has mapped nothing */
	bool verbose;
	/*
	 * Addresses as text, by NIC: [nic][0] IPv4 and [1] IPv6 instead of the defaults, or
	 * NULL; from [2] on further ones, up to the first NULL.
	 */
	const char *address[SIM_MAX_NICS][SIM_RUNDIR_GIDS];
};

/* Returns an exit status: 0, 1 after a message.  Prints "ready" once all sockets listen. */
int sim_serve(const struct sim_serve_cfg *cfg);

#endif
