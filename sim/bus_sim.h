/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bus of a NIC that is simulated in this process: no socket, no wall time.  The device's clock
 * moves only while a call of the driver waits (cairn_relax(), commands, register reads) or the
 * caller runs the simulator itself.
 *
 *     cairn_sim_attach(sim);
 *     cairn_open("sim:0", NULL, &dev);		NIC 0 of it
 *     ...
 *     cairn_close(dev);
 *     cairn_sim_attach(NULL);
 */
#ifndef CAIRN_BUS_SIM_H
#define CAIRN_BUS_SIM_H

#include "sim.h"

/* The simulator that "sim:N" names from now on; NULL: none.
 * No device of the former may be open. */
int cairn_sim_attach(struct sim *sim);
/*
 * One lock for all access to the simulator, taken by the bus in each call; the caller takes it when
 * he runs the simulator while other threads use devices of it.
 */
void cairn_sim_lock(void);
void cairn_sim_unlock(void);

#endif
