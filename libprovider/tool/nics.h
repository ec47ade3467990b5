/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can be read of the NICs of a run directory while programs use them (`cairn stat`, `cairn
 * top`): statistics pages of simulated NICs, and latencies, those of PCI functions too.
 */
#ifndef CAIRN_TOOL_NICS_H
#define CAIRN_TOOL_NICS_H

#include "lat_read.h"
#include "sim_stat.h"
#include "sim_wire.h"
#include "tool.h"

#define NICS_MAX (2 * SIM_MAX_NICS)
#define NICS_NAME 24

struct nic_pages {
	char name[NICS_NAME];		/* "nic0", or the address of a PCI function */
	char device[LAT_DEVICE_BYTES + 1]; /* what programs call it */
	struct sim_stat_page *page;	/* NULL: of a function, which shows none */
	struct lat_copy *lat;		/* NULL: none were measured */
	bool gone;			/* its simulator is */
	uint64_t now;			/* device time when it was read; 0: not known */
};

struct nics {
	unsigned int n;
	uint64_t wall;			/* CLOCK_MONOTONIC, ns, when they were read */
	struct nic_pages nic[NICS_MAX];
};

/*
 * Read all, or the one that was asked for, in the order of their numbers.  What cannot be read is
 * left out and said by `say` (tool_fail() or one that does less).  watch_ns as of lat_read().
 * Returns how many could not be read.
 */
unsigned int nics_read(const struct tool_where *where, uint64_t watch_ns,
		       int (*say)(const char *fmt, ...), struct nics *nics);
void nics_free(struct nics *nics);

/* An entry of a page by its name; 0 where it has none. */
bool nics_has(const struct sim_stat_page *page, const char *name);
uint64_t nics_value(const struct sim_stat_page *page, const char *name);
/* Letters, digits and underscores: what all names in a good page are made of. */
bool nics_good_name(const char *name);
/* Index in page->qp[], or -1: it has counted nothing. */
int nics_find_qp(const struct sim_stat_page *page, uint32_t qpn);

#endif
