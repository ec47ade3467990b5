// SPDX-License-Identifier: Apache-2.0
/*
 * Figures as lines (top.h).  A screen gets what fits, the more important columns first, and numbers
 * that are short; --batch gets all columns, and numbers that a script can read.
 */
#include "top.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_BYTES 512
#define CELL 8			/* characters of a column */
#define CELL_EXACT 12
#define ALL_COLUMNS 0u		/* as width */

enum kind { NUMBER, RATE, NS };

/* In the order in which they stand.  rank: a lower one is dropped later. */
static const struct column {
	const char *head;
	unsigned int value;
	enum kind kind;
	unsigned int rank;
	bool of_nic, of_qp;
} columns[] = {
	{ "TXbit/s", TOP_TX_BITS, RATE, 0, true, false },
	{ "RXbit/s", TOP_RX_BITS, RATE, 1, true, false },
	{ "TXpkt/s", TOP_TX_PACKETS, RATE, 7, true, false },
	{ "RXpkt/s", TOP_RX_PACKETS, RATE, 8, true, false },
	{ "MSG/s", TOP_MESSAGES, RATE, 9, true, false },
	{ "REQ/s", TOP_REQUESTS, RATE, 10, true, true },
	{ "RETX", TOP_RETX, NUMBER, 5, true, true },
	{ "DROPS", TOP_DROPS, NUMBER, 6, true, true },
	{ "SEQ", TOP_SEQ, NUMBER, 12, true, true },
	{ "RNR", TOP_RNR, NUMBER, 13, true, true },
	{ "TIMEOUTS", TOP_TIMEOUTS, NUMBER, 11, true, true },
	{ "P50", TOP_P50, NS, 2, true, true },
	{ "P99", TOP_P99, NS, 3, true, true },
	{ "P99.9", TOP_P999, NS, 4, true, true },
};
#define N_COLUMNS (sizeof(columns) / sizeof(*columns))

/* ---- a line that grows ---- */

struct line {
	char text[LINE_BYTES];
	unsigned int width;	/* ALL_COLUMNS: as long as it gets */
};

__attribute__((format(printf, 2, 3)))
static void put(struct line *line, const char *fmt, ...)
{
	size_t at = strlen(line->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line->text + at, sizeof(line->text) - at, fmt, ap);
	va_end(ap);
}

static void give(struct line *line, enum top_style style, top_line_fn fn, void *arg)
{
	size_t len = strlen(line->text);

	if (line->width != ALL_COLUMNS && len > line->width)
		line->text[len = line->width] = '\0';
	while (len && line->text[len - 1] == ' ')
		line->text[--len] = '\0';
	fn(arg, style, line->text);
	line->text[0] = '\0';
}

/* ---- numbers ---- */

/* At most six characters: 12.3k; `units` from the first up, a thousand each. */
static void shorten(char *text, size_t size, double value, const char *units)
{
	while (value >= 999.5 && units[1]) {
		value /= 1000;
		units++;
	}
	if (!value)
		snprintf(text, size, "0");
	else if (value < 9.995)
		snprintf(text, size, "%.2f%.1s", value, *units == ' ' ? "" : units);
	else if (value < 99.95)
		snprintf(text, size, "%.1f%.1s", value, *units == ' ' ? "" : units);
	else
		snprintf(text, size, "%.0f%.1s", value, *units == ' ' ? "" : units);
}

static void number(char *text, size_t size, enum kind kind, double value, bool exact)
{
	if (exact)
		snprintf(text, size, kind == RATE ? "%.6g" : "%.0f", value);
	else if (kind == NS)
		shorten(text, size, value, "num ");
	else if (kind == NUMBER && value < 1e6)
		snprintf(text, size, "%.0f", value);
	else
		shorten(text, size, value, " kMGTPE");
}

/* ---- tables ---- */

struct table {
	const struct top_row *row;
	unsigned int rows;
	bool qp, exact;
	enum top_time time;
	bool chosen[N_COLUMNS];
	int cell;			/* characters of a column */
	int nic;			/* of the first, and with the second */
	int name;
};

static int name_bytes(const struct top_row *row)
{
	return row->qp ? (int)sizeof("0x123456") - 1 : (int)strlen(row->state);
}

/* Rates may stand there twice. */
static bool twice(const struct table *table, const struct column *column)
{
	return column->kind == RATE && table->time == TOP_BOTH_TIMES;
}

static void measure(struct table *table)
{
	int second = sizeof("STATE") - 1;

	table->cell = table->exact ? CELL_EXACT : CELL;
	table->nic = sizeof("nic0 ") - 1;
	for (unsigned int i = 0; i < table->rows; i++) {
		int nic = (int)strlen(table->row[i].nic) + 1, more = name_bytes(&table->row[i]);

		table->nic = nic > table->nic ? nic : table->nic;
		second = more > second ? more : second;
	}
	table->name = table->nic + second;
}

static void choose(struct table *table, unsigned int width)
{
	unsigned int used = (unsigned int)table->name;

	for (unsigned int rank = 0; rank < N_COLUMNS; rank++)
		for (unsigned int i = 0; i < N_COLUMNS; i++) {
			const struct column *column = &columns[i];
			unsigned int more = (unsigned int)table->cell + 1;

			if (column->rank != rank || !(table->qp ? column->of_qp : column->of_nic))
				continue;
			more *= twice(table, column) ? 2 : 1;
			table->chosen[i] = width == ALL_COLUMNS || used + more <= width;
			used += table->chosen[i] ? more : 0;
		}
}

static void put_head(const struct table *table, struct line *line)
{
	put(line, "%-*s%-*s", table->nic, "NIC", table->name - table->nic,
	    table->qp ? "QP" : "STATE");
	for (unsigned int i = 0; i < N_COLUMNS; i++) {
		const char *head = columns[i].head;
		char wall[CELL + 1];

		snprintf(wall, sizeof(wall), "w%s", head);
		if (!table->chosen[i])
			continue;
		put(line, " %*s", table->cell,
		    columns[i].kind == RATE && table->time == TOP_WALL_TIME ? wall : head);
		if (twice(table, &columns[i]))
			put(line, " %*s", table->cell, wall);
	}
}

static void put_cell(const struct table *table, const struct top_row *row, unsigned int value,
		     enum kind kind, struct line *line)
{
	char text[32] = "-";

	if (row->known[value])
		number(text, sizeof(text), kind, row->value[value], table->exact);
	put(line, " %*s", table->cell, text);
}

static void put_row(const struct table *table, const struct top_row *row, struct line *line)
{
	char name[16];

	snprintf(name, sizeof(name), "0x%06x", row->qpn);
	put(line, "%-*s%-*s", table->nic, row->nic, table->name - table->nic,
	    row->qp ? name : row->state);
	for (unsigned int i = 0; i < N_COLUMNS; i++) {
		const struct column *column = &columns[i];
		bool wall = column->kind == RATE && table->time == TOP_WALL_TIME;

		if (!table->chosen[i])
			continue;
		put_cell(table, row, wall ? TOP_WALL + column->value : column->value,
			 column->kind, line);
		if (twice(table, column))
			put_cell(table, row, TOP_WALL + column->value, RATE, line);
	}
}

static void give_table(struct table *table, unsigned int width, top_line_fn fn, void *arg)
{
	struct line line = { .width = width };

	if (!table->rows)
		return;
	measure(table);
	choose(table, width);
	put_head(table, &line);
	give(&line, TOP_HEAD, fn, arg);
	for (unsigned int i = 0; i < table->rows; i++) {
		put_row(table, &table->row[i], &line);
		give(&line, TOP_PLAIN, fn, arg);
	}
}

/* ---- what is drawn ---- */

static void put_speed(const struct top_figures *f, bool exact, struct line *line)
{
	char speed[16] = "-", cycles[16] = "-";

	if (f->speed_known) {
		snprintf(speed, sizeof(speed), "%.3g", f->speed);
		number(cycles, sizeof(cycles), exact ? RATE : NUMBER, f->cycles, exact);
	}
	if (!f->simulated)
		put(line, "simulation: none");
	else if (exact)
		put(line, "simulation: speed %s cycles/s %s device_s %.9f", speed, cycles, f->device);
	else
		put(line, "simulation: %s of real time, %s cycles/s, device time %.6f s", speed,
		    cycles, f->device);
}

void top_view_head(const struct top_figures *f, const struct top_opts *opts, unsigned int width,
		   top_line_fn fn, void *arg)
{
	static const char *const times[] = { "device time", "wall time", "both times" };
	struct line line = { .width = width };

	put(&line, "cairn top: %u NIC%s, %u QP%s, ", f->nics, f->nics == 1 ? "" : "s", f->qps,
	    f->qps == 1 ? "" : "s");
	if (opts->batch)
		put(&line, "%.2f s, ", f->seconds);
	else
		put(&line, "every %g s, ", opts->interval);
	put(&line, "%.200s", opts->where.rundir);
	give(&line, TOP_TITLE, fn, arg);
	put_speed(f, opts->batch, &line);
	give(&line, TOP_PLAIN, fn, arg);
	if (opts->batch)
		return;
	put(&line, "rates in %s, numbers %s, sorted by %s%s", times[opts->time],
	    opts->totals ? "since open" : "of the interval", top_sorts[opts->sort].name,
	    opts->reverse ? " (reversed)" : "");
	if (*opts->only)
		put(&line, ", only %s", opts->only);
	give(&line, TOP_PLAIN, fn, arg);
}

void top_view_body(const struct top_figures *f, const struct top_opts *opts, unsigned int width,
		   top_line_fn fn, void *arg)
{
	struct table nics = { .row = f->nic, .rows = f->nics, .exact = opts->batch,
			      .time = opts->time };
	struct table qps = { .row = f->qp, .rows = opts->qps ? f->qps : 0, .qp = true,
			     .exact = opts->batch, .time = opts->time };
	struct line line = { .width = width };

	if (!f->nics)
		fn(arg, TOP_PLAIN, "no NIC");
	give_table(&nics, width, fn, arg);
	if (qps.rows && !opts->batch)
		fn(arg, TOP_PLAIN, "");
	give_table(&qps, width, fn, arg);
	if (f->drops && !opts->batch)
		fn(arg, TOP_PLAIN, "");
	for (unsigned int i = 0; i < f->drops; i++) {
		const struct top_drop *drop = &f->drop[i];

		put(&line, opts->batch ? "DROP %s %s %llu %llu" : "dropped: %s %s %llu (+%llu)",
		    drop->nic, drop->reason, (unsigned long long)drop->total,
		    (unsigned long long)drop->more);
		give(&line, TOP_PLAIN, fn, arg);
	}
}

void top_view_help(top_line_fn fn, void *arg)
{
	static const char *const text[] = {
		"q        end",
		"space    pause, and go on",
		"t        rates in device time, in wall time, in both",
		"s  S     sort by the next key, the one before; r: the other way round",
		"0 to 9   only this NIC; n: only the next one; a: all",
		"u        QPs or not",
		"c        numbers and latencies of the interval, or since the device was opened",
		"+  -     another interval",
		"arrows, Page Up, Page Down, Home  what does not fit on the screen",
		"h  ?     this help",
		"",
		"TXbit/s RXbit/s TXpkt/s RXpkt/s  frames of the port; wTXbit/s ... in wall time",
		"MSG/s    messages executed for peers    REQ/s  send requests measured",
		"RETX     packets sent again             DROPS  dropped, for the reasons below",
		"SEQ      gaps, sequence NAKs            RNR    receiver not ready, both ways",
		"P50 ...  latency of signalled send requests, in device time, n: ns, u: us, m: ms",
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		fn(arg, TOP_PLAIN, text[i]);
}
