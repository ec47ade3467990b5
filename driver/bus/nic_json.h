/* SPDX-License-Identifier: Apache-2.0 */
/* RUNDIR/nicN.json, which `cairn sim` writes beside RUNDIR/nicN.sock, and BDF.json, which `cairn
 * bind` writes: what can be known without opening the NIC. */
#ifndef CAIRN_NIC_JSON_H
#define CAIRN_NIC_JSON_H

#include "bus.h"

/* The directory of the functions' files. */
extern const char *cairn_vfio_run;

/* The GIDs of the NIC whose socket that is, or whose file but for ".json", in order; returns how
 * many, 0 when the file says none; -ENOMEM, -EMFILE, -ENFILE with a message. */
int cairn_nic_json_gids(const char *sock, struct cairn_bus_gid *gids, unsigned int max);
/* The same of a function, by its full address. */
int cairn_nic_json_function(const char *bdf, struct cairn_bus_gid *gids, unsigned int max);

#endif
