/* SPDX-License-Identifier: Apache-2.0 */
/* `cairn stat`: what stat.c and stat_prom.c share. */
#ifndef CAIRN_TOOL_STAT_H
#define CAIRN_TOOL_STAT_H

#include "nics.h"

/* The percentiles that are shown, in thousandths, and their part of names. */
#define STAT_PERMILLES 3
extern const struct stat_permille {
	unsigned int permille;
	const char *name;		/* "p99" */
	const char *quantile;		/* "0.99" */
} stat_permilles[STAT_PERMILLES];

/* Prometheus' text exposition format, version 0.0.4.  all: counters of QPs that are zero, too. */
void stat_prometheus(const struct nics *nics, bool all);

#endif
