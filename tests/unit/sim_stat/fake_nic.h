/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A NIC for sim_stat.c, in place of the simulator's: its registers are a table, a BAR access is
 * done when the test says so, and costs wall time as the test wants it.
 */
#ifndef CAIRN_TEST_FAKE_NIC_H
#define CAIRN_TEST_FAKE_NIC_H

#include <stdbool.h>
#include <stdint.h>

#include "cairn_hw.h"

#define FAKE_QPS 300

struct fake_qp {
	uint32_t qpn;
	uint32_t value[CAIRN_COUNTERS];
};

struct fake_nic {
	uint32_t features, selected;
	uint64_t port[CAIRN_COUNTERS];
	struct fake_qp qp[FAKE_QPS];	/* in the order of their numbers */
	unsigned int qps;
	uint64_t packets;		/* what it has sent: activity */
	/* accesses */
	unsigned int reads, walks, selects, canceled;
	unsigned int port_parts, port_reads; /* of its counters: all, and the last ones */
	uint64_t time;			/* of the device */
	bool walk_ended;		/* it was told that there is no further QP */
	unsigned int fail_read, fail_write; /* 1: the next one, 2: the one behind it ... */
	bool refuse;			/* memory space is off */
};

extern struct fake_nic fake;

/* A NIC that has counters of QPs, with n QPs that count everything that QPs count. */
void fake_reset(unsigned int n);
/* What the first n QPs have counted, all of it different. */
void fake_count(unsigned int n);
uint32_t fake_value(uint32_t qpn, unsigned int counter);
/* Answers the read that is under way; false: there is none. */
bool fake_answer(void);

#endif
