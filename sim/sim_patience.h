/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long all NICs wait for one client's answer (sim_main.c).  Waiting is what keeps a NIC's
 * device time true: its host answers in no time.  But a client that is stopped, or keeps answering
 * slowly, must not hold up the others: waiting uses up what there is of patience, time without it
 * brings as much back, and without any the NIC is held alone, that is not clocked, while the others
 * go on.
 */
#ifndef CAIRN_SIM_PATIENCE_H
#define CAIRN_SIM_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_PATIENCE_NS 50000000ULL

struct sim_patience {
	uint64_t used; /* ns, at most SIM_PATIENCE_NS */
	uint64_t wall; /* of the last call */
	bool waited;   /* since then */
};

/*
 * What is left, in ns of wall time.  waits: from now on there is an answer to be waited for, and a
 * client that this hinders.
 */
static inline uint64_t sim_patience(struct sim_patience *p, uint64_t wall, bool waits)
{
	uint64_t past = wall - p->wall;

	if (!p->waited)
		p->used = past > p->used ? 0 : p->used - past;
	else if (past > SIM_PATIENCE_NS - p->used)
		p->used = SIM_PATIENCE_NS;
	else
		p->used += past;
	p->wall = wall;
	/* held is not waited: but what it still owes brings nothing back */
	p->waited = waits;
	return SIM_PATIENCE_NS - p->used;
}

#endif
