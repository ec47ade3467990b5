// SPDX-License-Identifier: Apache-2.0
/*
 * hwgen: who counts.  A SOURCE has a packed struct <source>_events_t with a strobe for each of its
 * counters, and the structs of the SOURCEs within it; the outermost one holds them all.  From its
 * places come the functions that bring each strobe to its counter, and to the bank that counts for
 * the QP.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "hwgen.h"

#define QPN_W 24
#define BYTES_W 13  /* bytes that a source adds in a cycle */
#define TIMES_MAX 3 /* events of a counter in a cycle */

/* ---- reading ---- */

/* A counter that a part which is not built would count: it reads 0. */
static bool counts_nothing(const struct row *counter)
{
	return !strcmp(counter->text2, "NONE");
}

/* The next source of a counter's `expr`, and how many events it has in a cycle: name or name*times.
 * Returns what follows, or NULL at the end. */
static const char *next_use(const char *expr, char *name, size_t size, unsigned int *times)
{
	char *star;

	expr = next_name(expr, name, size);
	*times = 1;
	star = expr ? strchr(name, '*') : NULL;
	if (star) {
		*star = 0;
		*times = (unsigned int)strtoul(star + 1, NULL, 10);
	}
	return expr;
}

/* Events of `counter` that `source` has in a cycle; 0: it is none of its sources. */
static unsigned int times_of(const struct row *counter, const struct row *source)
{
	const char *expr = counter->text2;
	unsigned int times;
	char name[128];

	while ((expr = next_use(expr, name, sizeof(name), &times)))
		if (!strcmp(name, source->name))
			return times;
	return 0;
}

static bool has_bank(const struct row *source)
{
	return strcmp(source->text2, "NONE") != 0;
}

static bool is_within(const struct row *source, const struct row *parent)
{
	/* behind it: a name that is there twice makes no circle */
	return source->kind == ROW_SOURCE && source > parent && !strcmp(source->text, parent->name);
}

static unsigned int strobe_width(const struct row *counter, const struct row *source)
{
	return counter->b & COUNTER_BYTES ? BYTES_W : times_of(counter, source) > 1 ? 2 : 1;
}

static unsigned int events_width(const struct table *table, const struct row *source)
{
	unsigned int width = has_bank(source) ? QPN_W : 0;

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_COUNTER && times_of(row, source))
			width += strobe_width(row, source);
		else if (is_within(row, source))
			width += events_width(table, row);
	return width;
}

/* Lowest bit of `member` in the struct of `source`: a counter, a source within it, or NULL for the
 * QPN. */
static unsigned int member_lsb(const struct table *table, const struct row *source,
			       const struct row *member)
{
	unsigned int lsb = events_width(table, source) - (has_bank(source) ? QPN_W : 0);

	for (int pass = 0; member && pass < 2; pass++) /* counters, then sources */
		for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
			if (!pass && row->kind == ROW_COUNTER && times_of(row, source))
				lsb -= strobe_width(row, source);
			else if (pass && is_within(row, source))
				lsb -= events_width(table, row);
			else
				continue;
			if (row == member)
				return lsb;
		}
	return lsb;
}

/* The same in the struct of the outermost source. */
static unsigned int place(const struct table *table, const struct row *source,
			  const struct row *member)
{
	unsigned int lsb = member_lsb(table, source, member);

	while (strcmp(source->text, "NONE")) {
		const struct row *parent = find_row(table, ROW_SOURCE, source->text);

		lsb += member_lsb(table, parent, source);
		source = parent;
	}
	return lsb;
}

static const struct row *first_source(const struct table *table)
{
	const struct row *row = table->rows;

	while (row->kind != ROW_SOURCE && row->kind != ROW_END)
		row++;
	return row->kind == ROW_SOURCE ? row : NULL;
}

/* ---- what is wrong with a row ---- */

/* rtl/host/qp_counters.sv has one of each. */
static bool is_bank(const char *name)
{
	return !strcmp(name, "RCV") || !strcmp(name, "SND") || !strcmp(name, "OUT");
}

const char *source_wrong(const struct table *table, const struct row *source)
{
	const struct row *parent = find_row(table, ROW_SOURCE, source->text);
	bool of_qp = false;

	if (source == first_source(table)) {
		if (strcmp(source->text, "NONE"))
			return "the first one holds all others and stands in none";
	} else if (!parent || parent >= source) {
		return "the SOURCE in which it stands has no row before this one";
	}
	if (has_bank(source) && !is_bank(source->text2))
		return complain("bank %s is none of RCV, SND, OUT, NONE", source->text2);
	if (!events_width(table, source))
		return "counts nothing";
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		of_qp |= row->kind == ROW_COUNTER && row->b & COUNTER_QP && times_of(row, source);
	if (has_bank(source) && !of_qp)
		return "counts for QPs, and no QP_COUNTER names it";
	return NULL;
}

/* Of one source that a counter names. */
static const char *use_wrong(const struct table *table, const struct row *counter, const char *name,
			     unsigned int times)
{
	const struct row *source = find_row(table, ROW_SOURCE, name);

	if (!source)
		return "it names a source that has no SOURCE row";
	if (!times || times > TIMES_MAX)
		return "a source has one to three events in a cycle";
	if (times > 1 && (counter->b || has_bank(source)))
		return "bytes, and events of QPs, come once in a cycle from each source";
	return NULL;
}

static bool is_lower_name(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return islower((unsigned char)*text) && !text[n];
}

const char *counter_wrong(const struct table *table, const struct row *counter)
{
	const struct row *count = find_row(table, ROW_CONST, "COUNTER_COUNT");
	unsigned int times, sum = 0, uses = 0, distinct = 0;
	const char *expr = counter->text2, *bank = NULL;
	char name[128];

	if (count && counter->a >= count->a)
		return "index beyond COUNTER_COUNT: widen the windows first (docs/changing.md, A new counter)";
	if (!is_lower_name(counter->text))
		return complain("\"%s\" is no name of small letters, digits and _", counter->text);
	if (counts_nothing(counter))
		return counter->b ? "a counter of QPs or bytes needs a source" : NULL;
	while ((expr = next_use(expr, name, sizeof(name), &times))) {
		const char *wrong = use_wrong(table, counter, name, times);
		const struct row *source;

		if (wrong)
			return wrong;
		source = find_row(table, ROW_SOURCE, name);
		if (counter->b & COUNTER_QP && has_bank(source)) {
			if (bank && strcmp(bank, source->text2))
				return "its sources are of two banks";
			bank = source->text2;
		}
		sum += times;
		uses++;
	}
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		distinct += row->kind == ROW_SOURCE && times_of(counter, row) &&
			    row == find_row(table, ROW_SOURCE, row->name);
	if (!uses)
		return "has no source";
	if (distinct != uses)
		return "names a source twice";
	if (sum > TIMES_MAX)
		return "more than three events in a cycle";
	if (counter->b & COUNTER_BYTES && uses > 1)
		return "bytes come from one source";
	if (counter->b & COUNTER_QP && !bank)
		return "no source of it counts for QPs";
	return NULL;
}

/*
 * Members of a source's struct, and what a bench sees of it: those of sources within behind that
 * one's name (tests/lib/verilate.py).
 */
static void claim_struct(const struct table *table, const struct row *source, const char *path)
{
	char name[512];

	if (has_bank(source)) {
		claim(source, "member %s_events.qpn", source->name);
		claim(source, "port %s_qpn", path);
	}
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		bool counts = row->kind == ROW_COUNTER && times_of(row, source);

		if (!counts && !is_within(row, source))
			continue;
		claim(row, "member %s_events.%s", source->name, sv_name(row->name));
		snprintf(name, sizeof(name), "%s_%s", path, sv_name(row->name));
		if (counts)
			claim(row, "port %s", name);
		else
			claim_struct(table, row, name);
	}
}

void claim_events(const struct table *table)
{
	if (first_source(table))
		claim_struct(table, first_source(table), "events");
}

/* ---- structs ---- */

static void print_events(const struct table *table, const struct row *source)
{
	printf("\n  // %s\n  localparam int unsigned %s_EVENTS_W = %u;\n  typedef struct packed {\n",
	       source->doc, upper(source->name), events_width(table, source));
	if (has_bank(source))
		printf("    logic [%d:0] qpn;  // of the counters that QPs have\n", QPN_W - 1);
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_COUNTER || !times_of(row, source))
			continue;
		if (strobe_width(row, source) > 1)
			printf("    logic [%u:0] %s;\n", strobe_width(row, source) - 1,
			       sv_name(row->name));
		else
			printf("    logic %s;\n", sv_name(row->name));
	}
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (is_within(row, source))
			printf("    %s_events_t %s;\n", row->name, sv_name(row->name));
	printf("  } %s_events_t;\n", source->name);
}

/* ---- counters of the port ---- */

/* The events of one counter: 2 bits, as they come from its sources, added up. */
static void print_sum(const struct table *table, const struct row *counter)
{
	const char *expr = counter->text2, *plus = "";
	unsigned int times;
	char name[128];

	printf("    counter_events[2*COUNTER_%s +: 2] = ", counter->name);
	while ((expr = next_use(expr, name, sizeof(name), &times))) {
		const struct row *source = find_row(table, ROW_SOURCE, name);
		unsigned int lsb = place(table, source, counter);

		printf(times > 1 ? "%se[%u +: 2]" : "%s{1'b0, e[%u]}", plus, lsb);
		plus = " + ";
	}
	printf(";  // %s\n", counter->text2);
}

static bool of_bytes(const struct row *counter)
{
	return counter->b & COUNTER_BYTES;
}

/* Several events may come in a cycle. */
static bool of_more(const struct row *counter)
{
	const char *expr = counter->text2;
	unsigned int times, sum = 0;
	char name[128];

	if (of_bytes(counter) || counts_nothing(counter))
		return false;
	while ((expr = next_use(expr, name, sizeof(name), &times)))
		sum += times;
	return sum > 1;
}

/* A bit for each counter. */
static void print_mask(const struct table *table, const char *name,
		       bool (*is)(const struct row *counter), unsigned int n)
{
	unsigned char nibble[256] = { 0 };

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_COUNTER && is(row))
			nibble[row->a / 4] |= (unsigned char)(1u << row->a % 4);
	printf("  localparam logic [%u:0] %s = %u'h", n - 1, name, n);
	for (unsigned int i = (n + 3) / 4; i--;)
		printf("%x", nibble[i]);
	printf(";\n");
}

static void print_bytes(const struct table *table, unsigned int n)
{
	unsigned int at = 0;

	printf("\n  // Those that may have several events in a cycle, and those of bytes\n");
	print_mask(table, "COUNTER_OF_MORE", of_more, n);
	print_mask(table, "COUNTER_OF_BYTES", of_bytes, n);
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		at += row->kind == ROW_COUNTER && of_bytes(row);
	printf("  localparam int unsigned COUNTER_BYTES = %u;    // so many of them\n"
	       "  localparam int unsigned COUNTER_BYTES_W = %d;  // what each adds in a cycle\n",
	       at, BYTES_W);
	if (!at)
		return;
	printf("  function automatic logic [%u:0] counter_bytes(input logic [%s_EVENTS_W-1:0] e);\n",
	       at * BYTES_W - 1, upper(first_source(table)->name));
	at = 0;
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_COUNTER || !(row->b & COUNTER_BYTES))
			continue;
		printf("    counter_bytes[%u +: %d] = e[%u +: %d];  // %s of %s\n", at, BYTES_W,
		       place(table, find_row(table, ROW_SOURCE, row->text2), row), BYTES_W,
		       row->name, row->text2);
		at += BYTES_W;
	}
	printf("  endfunction\n");
}

/* ---- counters of QPs ---- */

static bool in_bank(const struct row *source, const char *bank)
{
	return source->kind == ROW_SOURCE && !strcmp(source->text2, bank);
}

/* Does a source of the bank count `counter` for QPs? */
static bool bank_counts(const struct table *table, const char *bank, const struct row *counter)
{
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (in_bank(row, bank) && counter->kind == ROW_COUNTER && counter->b & COUNTER_QP &&
		    times_of(counter, row))
			return true;
	return false;
}

static unsigned int bank_counters(const struct table *table, const char *bank,
				  const struct row *until)
{
	unsigned int n = 0;

	for (const struct row *row = table->rows; row != until && row->kind != ROW_END; row++)
		n += bank_counts(table, bank, row);
	return n;
}

static unsigned int qp_strobes(const struct table *table, const struct row *source)
{
	unsigned int n = 0;

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		n += row->kind == ROW_COUNTER && row->b & COUNTER_QP && times_of(row, source);
	return n;
}

static unsigned int bits_for(unsigned int n)
{
	unsigned int bits = 1;

	while (n > 1u << bits)
		bits++;
	return bits;
}

static void print_bank_sizes(const struct table *table, const char *bank)
{
	unsigned int sources = 0, strobes = 0, n = bank_counters(table, bank, NULL);

	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (!in_bank(row, bank))
			continue;
		sources++;
		if (qp_strobes(table, row) > strobes)
			strobes = qp_strobes(table, row);
	}
	printf("\n  // Bank %s: its counters in order, and the place in that order of each strobe of each source\n"
	       "  localparam int unsigned QP_%s_COUNTERS = %u;\n  localparam int unsigned QP_%s_CNT_W = %u;\n"
	       "  localparam int unsigned QP_%s_SOURCES = %u;\n  localparam int unsigned QP_%s_STROBES = %u;\n",
	       bank, bank, n, bank, bits_for(n), bank, sources, bank, strobes);
}

/* One entry of a list that begins with the last one, a few in a line. */
static void print_entry(unsigned int *at, const char *format, const char *name, unsigned int value,
			unsigned int width)
{
	printf((*at)++ % 3 ? " " : "\n      ");
	printf(format, width, name, value);
}

static void print_bank_list(const struct table *table, const char *bank)
{
	unsigned int at = 0, n = bank_counters(table, bank, NULL);
	const struct row *row = table->rows;

	printf("  localparam logic [QP_%s_COUNTERS*COUNTER_W-1:0] QP_%s_LIST = {", bank, bank);
	while (row->kind != ROW_END)
		row++;
	while (row-- != table->rows)
		if (bank_counts(table, bank, row))
			print_entry(&at, at + 1 == n ? "%u'(COUNTER_%s)};" : "%u'(COUNTER_%s),",
				    row->name, 0, bits_for(counter_end(table)));
	putchar('\n');
}

/* Of a source, from its last strobe on; `strobes` with those that it has not. */
static void print_which(const struct table *table, const char *bank, const struct row *source,
			unsigned int width, unsigned int strobes, bool last)
{
	unsigned int own = qp_strobes(table, source);
	const struct row *row = table->rows;

	printf("\n      ");
	if (strobes > own)
		printf("%u'd0, ", (strobes - own) * width);
	while (row->kind != ROW_END)
		row++;
	while (row-- != table->rows) {
		if (row->kind != ROW_COUNTER || !(row->b & COUNTER_QP) || !times_of(row, source))
			continue;
		printf("%u'd%u", width, bank_counters(table, bank, row));
		if (--own)
			printf(", ");
	}
	printf("%s  // %s", last ? "};" : ",", source->name);
}

static void print_bank_which(const struct table *table, const char *bank)
{
	unsigned int width = bits_for(bank_counters(table, bank, NULL)), strobes = 0, left = 0;
	const struct row *row;

	for (row = table->rows; row->kind != ROW_END; row++) {
		left += in_bank(row, bank);
		if (in_bank(row, bank) && qp_strobes(table, row) > strobes)
			strobes = qp_strobes(table, row);
	}
	printf("  localparam logic [QP_%s_SOURCES*QP_%s_STROBES*QP_%s_CNT_W-1:0] QP_%s_WHICH = {",
	       bank, bank, bank, bank);
	while (row-- != table->rows)
		if (in_bank(row, bank))
			print_which(table, bank, row, width, strobes, !--left);
	putchar('\n');
}

static void print_bank_functions(const struct table *table, const char *bank)
{
	unsigned int s = 0;

	printf("  function automatic logic [QP_%s_SOURCES*QP_%s_STROBES-1:0] qp_%s_strobes(\n"
	       "      input logic [%s_EVENTS_W-1:0] e);\n    qp_%s_strobes = '0;\n",
	       bank, bank, lower(bank), upper(first_source(table)->name), lower(bank));
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		unsigned int k = 0;

		if (!in_bank(row, bank))
			continue;
		for (const struct row *c = table->rows; c->kind != ROW_END; c++)
			if (c->kind == ROW_COUNTER && c->b & COUNTER_QP && times_of(c, row))
				printf("    qp_%s_strobes[%u*QP_%s_STROBES+%u] = e[%u];  // %s of %s\n",
				       lower(bank), s, bank, k++, place(table, row, c), c->name,
				       row->name);
		s++;
	}
	printf("  endfunction\n  function automatic logic [QP_%s_SOURCES*%d-1:0] qp_%s_qpns(\n"
	       "      input logic [%s_EVENTS_W-1:0] e);\n",
	       bank, QPN_W, lower(bank), upper(first_source(table)->name));
	s = 0;
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (in_bank(row, bank))
			printf("    qp_%s_qpns[%u +: %d] = e[%u +: %d];  // %s\n", lower(bank),
			       QPN_W * s++, QPN_W, place(table, row, NULL), QPN_W, row->name);
	printf("  endfunction\n");
}

static bool first_of_bank(const struct table *table, const struct row *source)
{
	for (const struct row *row = table->rows; row < source; row++)
		if (in_bank(row, source->text2))
			return false;
	return source->kind == ROW_SOURCE && has_bank(source);
}

void print_sources_sv(const struct table *table)
{
	const struct row *row = first_source(table);

	if (!row)
		return;
	printf("  localparam int unsigned COUNTER_W = %u;\n\n"
	       "  // What the parts of the device count: strobes, with the QPN of what QPs count too\n",
	       bits_for(counter_end(table)));
	while (row->kind != ROW_END)
		row++;
	while (row-- != table->rows) /* what stands within another comes before it */
		if (row->kind == ROW_SOURCE)
			print_events(table, row);
	printf("\n  // Events of each counter in a cycle, 2 bits each; none of those of bytes\n"
	       "  function automatic logic [2*COUNTERS-1:0] counter_events(input logic [%s_EVENTS_W-1:0] e);\n"
	       "    counter_events = '0;\n",
	       upper(first_source(table)->name));
	for (row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_COUNTER && !(row->b & COUNTER_BYTES) && !counts_nothing(row))
			print_sum(table, row);
	printf("  endfunction\n");
	print_bytes(table, counter_end(table));
	for (row = table->rows; row->kind != ROW_END; row++) {
		if (!first_of_bank(table, row))
			continue;
		print_bank_sizes(table, row->text2);
		print_bank_list(table, row->text2);
		print_bank_which(table, row->text2);
		print_bank_functions(table, row->text2);
	}
}
