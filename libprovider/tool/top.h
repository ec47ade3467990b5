/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `cairn top`: what its files share.
 *
 *   top.c         options, and the loop of --batch
 *   top_data.c    two readings of the pages make rates (struct top_figures)
 *   top_view.c    figures make lines, for a screen of any size or for --batch
 *   top_screen.c  the terminal: keys, drawing
 */
#ifndef CAIRN_TOOL_TOP_H
#define CAIRN_TOOL_TOP_H

#include "nics.h"

/* What a row may have; rates are a second of device time, and of the wall's in the same order. */
enum top_value {
	TOP_TX_BITS, TOP_RX_BITS, TOP_TX_PACKETS, TOP_RX_PACKETS, TOP_MESSAGES,
	TOP_PORT_RATES,
	TOP_REQUESTS = TOP_PORT_RATES,
	TOP_RATES,
	TOP_WALL = TOP_RATES,		/* TOP_WALL + TOP_TX_BITS ... */
	TOP_RETX = 2 * TOP_RATES, TOP_DROPS, TOP_SEQ, TOP_RNR, TOP_TIMEOUTS,
	TOP_P50, TOP_P99, TOP_P999,
	TOP_VALUES
};

enum top_time { TOP_DEVICE_TIME, TOP_WALL_TIME, TOP_BOTH_TIMES };

/* "nic", or the name of a value in --sort and on screen. */
struct top_sort {
	const char *name;
	int value;			/* enum top_value; -1: in the order of the NICs */
};
extern const struct top_sort top_sorts[];
extern const unsigned int top_n_sorts;

struct top_opts {
	struct tool_where where;
	double interval;		/* s */
	unsigned long iterations;	/* 0: no end */
	bool batch;
	unsigned int sort;		/* of top_sorts */
	bool reverse;
	enum top_time time;
	bool totals;			/* since the device was opened, not in the interval */
	bool qps;
	char only[NICS_NAME];		/* this NIC; "": all */
};

struct top_row {
	char nic[NICS_NAME];
	uint32_t qpn;
	bool qp;
	const char *state;		/* "up", "gone", ... */
	unsigned int order;		/* as they were read */
	bool known[TOP_VALUES];
	double value[TOP_VALUES];	/* a second, or ns, or a number */
};

struct top_drop {
	char nic[NICS_NAME];
	char reason[SIM_STAT_NAME_BYTES + 1];
	uint64_t total, more;		/* more: in the interval */
};

struct top_figures {
	double seconds;			/* of the wall, since the reading before; or 0 */
	bool simulated;			/* there is a simulator that runs */
	bool speed_known;
	double speed, cycles;		/* device time a second; cycles computed a second */
	double device;			/* s */
	unsigned int nics, qps, drops;	/* rows */
	struct top_row *nic, *qp;
	struct top_drop *drop;
};

/* Counters of hw.def that say why something was dropped, up to one that is CAIRN_COUNTERS. */
extern const uint8_t top_drop_counters[];

/* A port's counters, and when the simulator read them. */
struct top_counts {
	uint32_t pid;			/* of the simulator */
	uint64_t device, wall;		/* ns */
	uint64_t value[TOP_PORT_RATES];
};

struct top_history {
	char nic[NICS_NAME];
	struct top_counts last, before;
	bool two;			/* there is one before */
	bool idle;
};

struct top_data {
	struct nics now, before;
	bool two;			/* there is one before */
	struct top_history history[NICS_MAX];
	unsigned int n_histories;
	struct top_figures figures;
};

/* One more reading, as of nics_read(). */
unsigned int top_take(struct top_data *data, const struct tool_where *where, uint64_t watch_ns,
		      int (*say)(const char *fmt, ...));
/* Rows of what was read, sorted and chosen as the options say.  0, or -ENOMEM. */
int top_figure(struct top_data *data, const struct top_opts *opts);
void top_free(struct top_data *data);

enum top_style { TOP_PLAIN, TOP_TITLE, TOP_HEAD };

/* Lines without their ends; the head has those that do not move when the others are scrolled. */
typedef void (*top_line_fn)(void *arg, enum top_style style, const char *text);
void top_view_head(const struct top_figures *figures, const struct top_opts *opts,
		   unsigned int width, top_line_fn line, void *arg);
void top_view_body(const struct top_figures *figures, const struct top_opts *opts,
		   unsigned int width, top_line_fn line, void *arg);
void top_view_help(top_line_fn line, void *arg);

/* How long a reading counts as watching: ns. */
uint64_t top_watch_ns(const struct top_opts *opts);
/* Until a key or signal ends it.  An exit status. */
int top_screen(struct top_opts *opts);

#endif
