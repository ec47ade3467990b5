/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which process uses a NIC: an account that the processes of a user keep among themselves.  Each
 * finds a NIC that is free, and one that finds none can say which processes have them.  The device
 * itself has one owner in any case (the vfio-user server and the kernel see to that).
 *
 * A NIC has a file, named by its bus (RUNDIR/nicN.lease, or BDF.lease of the user's own run
 * directory).  Locks on its bytes are the account: they are the kernel's (open file descriptions),
 * so that they end with the process however it ends, and of two that ask at once one gets it.
 *   USE       the NIC is this process': it has it open, or keeps it until it exits
 *   RESERVED  it has listed the NIC and may open it soon; others list theirs first, and may open it
 *   OPEN      beside USE: a device is open, or is being opened
 * The descriptors close with an exec and in the child of a fork.  What is in the file is for others
 * to read: first the process (struct lease_record), then what look.c publishes of the open device.
 *
 * A NIC that is kept stays with its process over an exec, although the lock does not: a record that
 * says "kept" by a process that lives (same id and start time) counts as the lock.  Nothing else
 * rests on the record: where ids mean nothing, as between containers, an exec gives the NIC back.
 *
 * No file (a simulator of another kind, no run directory of one's own): no account is kept, and
 * everything works as if all NICs were free.
 *
 * What programs ask of the account is in cairn.h; here is what the driver needs besides.
 */
#ifndef CAIRN_LEASE_H
#define CAIRN_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cairn.h"

struct cairn_lease;

/*
 * For one opening of the device; -EBUSY: another process has it.  *lease is NULL when no account is
 * kept.  What else was reserved is not any more.
 */
int cairn_lease_take(const char *addr, struct cairn_lease **lease);
void cairn_lease_give(struct cairn_lease *lease);

/* ---- for look.c ---- */

/* Let others read this; the lease is of an open device.  0 or -errno without a message. */
int cairn_lease_publish(struct cairn_lease *lease, const void *data, size_t len);
/*
 * What the owner of the open device has published, all of it: 0; -EAGAIN: it is opening the device;
 * -EBUSY: it keeps the NIC and has not opened it; -ENOENT: it is free; -EPROTO: it is of another
 * size, or of no use.
 */
int cairn_lease_read(const char *addr, void *data, size_t len);

/* Before who else is called at forks with a lock that is taken before those of here. */
void cairn_lease_watch_forks(void);

#endif
