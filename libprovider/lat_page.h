/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page in which the provider counts how long send work requests take, for tools to read
 * (tool/lat_read.c): a sealed page (sealed.h) that a file says where it is, RUNDIR/nicN.lat of a
 * simulated NIC, BDF.lat in the user's run directory for a PCI function.  When the program has
 * closed the device its figures are in the file itself, at LAT_FILE_OFFSET.
 *
 * Times are counted only while a tool watches: a tool writes into `watch` until when
 * (CLOCK_MONOTONIC, ns), again and again; CAIRN_STATS=1 in the program's environment counts all.
 * That word is the only one that is read here, and nothing in the page is believed: what another
 * program writes into it makes wrong figures, no more.
 */
#ifndef LAT_PAGE_H
#define LAT_PAGE_H

#include <stdint.h>

#include "lat_hist.h"

#define LAT_MAGIC "CAIRNLT1"
#define LAT_FILE_OFFSET 4096
#define LAT_SLOTS 257u /* the first is for all QPs that have none of their own */
#define LAT_NO_QP 0xffffffffu
#define LAT_DEVICE_BYTES 64

/* Whose slot it is.  life: another one is another QP, or the same after a reset. */
struct lat_owner {
	uint32_t qpn, life;
};

struct lat_slot {
	uint64_t count, sum, max; /* ns */
	uint64_t bucket[LAT_BUCKETS];
};

struct lat_head {
	char magic[8];
	uint32_t seq;	/* odd while a slot changes its owner */
	uint32_t used;	/* slots that ever had one */
	uint64_t early; /* not counted: completed before they were posted, as the clocks say */
	char device[LAT_DEVICE_BYTES]; /* the program's name of it */
	uint64_t watch __attribute__((aligned(64)));
	struct lat_owner owner[LAT_SLOTS] __attribute__((aligned(64)));
};

struct lat_page {
	struct lat_head head;
	struct lat_slot slot[LAT_SLOTS];
};

#endif
