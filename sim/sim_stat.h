/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statistics page of one NIC: RUNDIR/nicN.stat, a file that `cairn sim` keeps up to date and
 * its owner may read at any time, without disturbing the device (`cairn stat`, and the verbs
 * provider for the counters in sysfs).
 *
 * Counters of the device have the names of hw.def; those of the simulated wire begin with wire_, of
 * the PCIe model with pcie_, of the simulation itself with sim_.  sim_time_ns and sim_wall_ns say
 * when the page was refreshed, in device time and by CLOCK_MONOTONIC; sim_counters_time_ns and
 * sim_counters_wall_ns when those of the device's counters in it were read that tell of frames and
 * messages, of which rates are made.
 */
#ifndef CAIRN_SIM_STAT_H
#define CAIRN_SIM_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cairn_hw.h"

#define SIM_STAT_MAGIC		"CAIRNST2"
#define SIM_STAT_NAME_BYTES	40
#define SIM_STAT_QPS		256

struct sim_stat_entry {
	char name[SIM_STAT_NAME_BYTES];
	uint64_t value;
};

/* What a QP has counted, by index of hw.def: value[i] has the name of the page's entry i. */
struct sim_stat_qp {
	uint32_t qpn;
	uint32_t value[CAIRN_COUNTERS];
};

struct sim_stat_page {
	char magic[8];
	uint32_t n;			/* entries */
	uint32_t nic;
	uint32_t seq;			/* odd while it is written */
	uint32_t pid;			/* of the simulator */
	uint32_t qps;			/* in qp[]: those that have counted something */
	uint32_t more_qps;		/* 1: there are more, of higher numbers, than fit */
	struct sim_stat_qp qp[SIM_STAT_QPS];
	struct sim_stat_entry entry[];
};

/*
 * Read a page: a consistent copy, to be freed, in *copy.  0, -ENOENT and so on from open(),
 * -EPROTO: no statistics page.
 */
int sim_stat_read(const char *path, struct sim_stat_page **copy);

/* ---- the simulator's side ---- */

struct sim_nic;
struct sim_stat;

/* NULL with errno. */
struct sim_stat *sim_stat_new(struct sim_nic *nic, const char *path);
/* Removes the file. */
void sim_stat_free(struct sim_stat *stat);
/*
 * Call every now and then with the wall time in ns.  Refreshes the page, at most every 100 ms;
 * where something has happened since the last time and `readable` (the function is in use and not
 * in reset), it starts a read of the device's counters, which ends as the clock runs.  Counters of
 * QPs take many reads, which cost device time: a walk over them begins when something has happened
 * since the last one began, and that ended 200 ms ago and twenty times as long as it took; so the
 * last one begins after all has happened.  During a long walk the port's counters are refreshed
 * every second.  A walk that fails, by a reset for instance, leaves what the page had.
 */
void sim_stat_update(struct sim_stat *stat, uint64_t wall, bool readable);
/*
 * The client is about to reset its NIC, with which the counters go: if frames have moved since they
 * were read last, they are read once more.  done(arg), at once or as the clock runs: they are in
 * the page, or cannot be read.
 */
void sim_stat_last(struct sim_stat *stat, void (*done)(void *arg), void *arg);
/*
 * Wall time at which sim_stat_update() has something to do although nothing moves; UINT64_MAX:
 * never.
 */
uint64_t sim_stat_due(const struct sim_stat *stat);

#endif
