/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latencies of send work requests as the provider counts them (lat_page.h), for tools: a copy of
 * the page, with nothing in it believed, and what can be said of it.
 */
#ifndef CAIRN_TOOL_LAT_READ_H
#define CAIRN_TOOL_LAT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lat_page.h"

/* What a histogram says; ns. */
struct lat_figures {
	uint64_t count, sum;
	uint64_t max;			/* 0: not known */
	uint64_t bucket[LAT_BUCKETS];
};

struct lat_qp {
	uint32_t qpn, life;
	struct lat_figures figures;
};

struct lat_copy {
	bool ended;			/* the program has closed the device */
	bool watched;			/* it counts at present */
	uint64_t early;
	char device[LAT_DEVICE_BYTES + 1];
	struct lat_figures all;
	unsigned int n_qps;		/* in qp[]: those that have counted something */
	struct lat_qp qp[];
};

/*
 * Read the page that the file `name` of an open directory says; *copy is to be freed.  watch_ns: it
 * shall be counted for so long from now; 0: only look.  0; -ENOENT: there is none; -ESRCH: there
 * was one, of a program that is gone; -EPROTO or another, with the reason in why: not readable.
 */
int lat_read(int dir, const char *name, uint64_t watch_ns, struct lat_copy **copy, char *why,
	     size_t size);

/*
 * The value that so many of 1000 do not exceed (500: the median), to 1/32 of it; 0 of an empty
 * histogram.
 */
uint64_t lat_permille(const struct lat_figures *figures, unsigned int permille);
/* What was counted since then; of another page, or one that went back: all. */
void lat_since(const struct lat_figures *now, const struct lat_figures *then,
	       struct lat_figures *out);

#endif
