// SPDX-License-Identifier: Apache-2.0
/*
 * hwgen: records between modules.  In SystemVerilog a packed struct, first member in the top bits;
 * in C a struct of the same members and their places, with which a bench takes a record apart and
 * puts one together (tests/lib/vtb_rec.h).  Members above 64 bits are arrays in C, low bits first.
 */
#include <string.h>

#include "hwgen.h"

#define COLUMNS 118

/* Words of `text` as comment lines that begin with `lead`. */
static void print_lines(const char *lead, const char *text)
{
	size_t column = strlen(lead);

	printf("%s", lead);
	while (*text) {
		size_t n = strcspn(text, " ");

		if (column > strlen(lead) && column + 1 + n > COLUMNS) {
			printf("\n%s", lead);
			column = strlen(lead);
		}
		printf(" %.*s", (int)n, text);
		column += 1 + n;
		text += n + strspn(text + n, " ");
	}
	putchar('\n');
}

unsigned int record_width(const struct table *table, const struct row *record)
{
	unsigned int width = 0;

	for (const struct row *row = record + 1; row < group_end(record); row++)
		width += member_width(table, row);
	return width;
}

const struct row *find_record(const struct table *table, const char *name)
{
	const struct row *record = find_row(table, ROW_RECORD, name);

	return record ? record : find_row(table, ROW_BUNDLE, name);
}

unsigned int member_width(const struct table *table, const struct row *member)
{
	if (member->kind == ROW_R)
		return record_width(table, find_record(table, member->text));
	if (member->kind == ROW_T)
		return (unsigned int)find_row(table, ROW_ENUM, member->text)->a;
	if (member->kind == ROW_S)
		return 8 * (unsigned int)find_row(&hw_table, ROW_STRUCT, member->text)->a;
	return (unsigned int)member->b;
}

/* ---- names ---- */

/*
 * Members below `path`, which `member` of the outermost record brings: what print_pairs() and
 * print_places() make of a record, and the ports that a bench sees of a bundle, where a record
 * within is one port.
 */
static void claim_below(const struct table *table, const struct row *group, const char *path,
			const struct row *member)
{
	bool places = group->kind == ROW_RECORD;
	char name[512];

	for (const struct row *row = group + 1; row < group_end(group); row++) {
		const struct row *by = member ? member : row;
		unsigned int width = member_width(table, row);

		snprintf(name, sizeof(name), "%s%s", path, row->name);
		claim(by, "%s", name);
		if (strcmp(sv_name(row->name), lower(row->name)))
			claim(by, "%s_", name);
		for (unsigned int i = 0; places && row->kind != ROW_R && 64 * i < width; i++)
			if (width > 64)
				claim(by, "%s_%u", name, i);
		snprintf(name, sizeof(name), "%s%s_", path, row->name);
		if (row->kind == ROW_R && find_record(table, row->text)->kind == group->kind)
			claim_below(table, find_record(table, row->text), name, by);
	}
}

void claim_record(const struct table *table, const struct row *record)
{
	char path[256];

	snprintf(path, sizeof(path), record->kind == ROW_RECORD ? "%s_" : "port %s.", record->name);
	claim_below(table, record, path, NULL);
}

/* ---- SystemVerilog ---- */

/* A struct of the contract is a vector: Yosys 0.23 has no types of one package in another. */
static void print_member_sv(const struct table *table, const struct row *row)
{
	unsigned int width = member_width(table, row); /* first: sv_name() is soon overwritten */
	char line[512];
	int n;

	if (row->kind == ROW_S)
		n = snprintf(line, sizeof(line), "    logic [%u:0] %s;  // cairn_hw_pkg::%s_t",
			     width - 1, sv_name(row->name), row->text);
	else if (row->kind == ROW_F && row->b == 1)
		n = snprintf(line, sizeof(line), "    logic %s;", sv_name(row->name));
	else if (row->kind == ROW_F && find_row(table, ROW_CONST, row->text))
		n = snprintf(line, sizeof(line), "    logic [%s-1:0] %s;", row->text,
			     sv_name(row->name));
	else if (row->kind == ROW_F)
		n = snprintf(line, sizeof(line), "    logic [%llu:0] %s;",
			     (unsigned long long)row->b - 1, sv_name(row->name));
	else
		n = snprintf(line, sizeof(line), "    %s_t %s;", row->text, sv_name(row->name));
	if (*row->doc && (row->kind == ROW_S || (size_t)n + 5 + strlen(row->doc) > COLUMNS))
		print_lines("    //", row->doc);
	printf("%s", line);
	if (*row->doc && row->kind != ROW_S && (size_t)n + 5 + strlen(row->doc) <= COLUMNS)
		printf("  // %s", row->doc);
	putchar('\n');
}

void print_record_sv(const struct table *table, const struct row *record)
{
	putchar('\n');
	print_lines("  //", record->doc);
	printf("  localparam int unsigned %s_W = %u;\n  typedef struct packed {\n",
	       upper(record->name), record_width(table, record));
	for (const struct row *row = record + 1; row < group_end(record); row++)
		print_member_sv(table, row);
	printf("  } %s_t;\n", record->name);
}

/* ---- C ---- */

static unsigned int c_bits(unsigned int width)
{
	return width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
}

static void print_member_c(const struct table *table, const struct row *row)
{
	unsigned int width = member_width(table, row);

	if (row->kind == ROW_R)
		printf("\tstruct rec_%s %s;", row->text, row->name);
	else if (width > 64)
		printf("\tuint64_t %s[%u];", row->name, (width + 63) / 64);
	else
		printf("\tuint%u_t %s;", c_bits(width), row->name);
	if (row->kind == ROW_T || row->kind == ROW_S)
		printf(" /* %s_%s%s%s */", row->kind == ROW_T ? "enum rec" : "struct cairn",
		       row->text, *row->doc ? ": " : "", row->doc);
	else if (*row->doc)
		printf(" /* %s */", row->doc);
	putchar('\n');
}

/* Places of a record whose lowest bit is `lsb`: name, expression in C, lsb, width. */
static void print_places(const struct table *table, const struct row *record, unsigned int lsb,
			 const char *name, const char *path)
{
	char sub_name[128], sub_path[128];
	unsigned int top = lsb + record_width(table, record);

	for (const struct row *row = record + 1; row < group_end(record); row++) {
		unsigned int width = member_width(table, row);

		top -= width;
		if (row->kind == ROW_R) {
			snprintf(sub_name, sizeof(sub_name), "%s%s_", name, row->name);
			snprintf(sub_path, sizeof(sub_path), "%s%s.", path, row->name);
			print_places(table, find_row(table, ROW_RECORD, row->text), top, sub_name,
				     sub_path);
		} else if (width <= 64) {
			printf(" \\\n\tF(%s%s, %s%s, %u, %u)", name, row->name, path, row->name,
			       top, width);
		}
		for (unsigned int i = 0; row->kind != ROW_R && width > 64 && 64 * i < width; i++)
			printf(" \\\n\tF(%s%s_%u, %s%s[%u], %u, %u)", name, row->name, i, path,
			       row->name, i, top + 64 * i,
			       width - 64 * i < 64 ? width - 64 * i : 64);
	}
}

/* The same as names, each "lsb, width". */
static void print_pairs(const struct table *table, const struct row *record, unsigned int lsb,
			const char *name)
{
	unsigned int top = lsb + record_width(table, record);
	char sub[128];

	for (const struct row *row = record + 1; row < group_end(record); row++) {
		unsigned int width = member_width(table, row);

		top -= width;
		snprintf(sub, sizeof(sub), "%s_%s", name, upper(row->name));
		printf("#define %s %u, %u\n", sub, top, width);
		if (row->kind == ROW_R)
			print_pairs(table, find_row(table, ROW_RECORD, row->text), top, sub);
	}
}

void print_record_c(const struct table *table, const struct row *record)
{
	const char *lead = " *";
	char name[128];

	printf("\n/*\n");
	print_lines(lead, record->doc);
	printf(" */\n#define REC_%s_W %u\nstruct rec_%s {\n", upper(record->name),
	       record_width(table, record), record->name);
	for (const struct row *row = record + 1; row < group_end(record); row++)
		print_member_c(table, row);
	printf("};\n#define REC_%s_FIELDS(F)", upper(record->name));
	print_places(table, record, 0, "", "");
	putchar('\n');
	snprintf(name, sizeof(name), "REC_%s", upper(record->name));
	print_pairs(table, record, 0, name);
}

void print_records_c(const struct table *table)
{
	if (!count_rows(table, ROW_RECORD))
		return;
	printf("\n/* Each of them: its name, and that in capitals */\n#define REC_ALL(R)");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_RECORD)
			printf(" \\\n\tR(%s, %s)", row->name, upper(row->name));
	putchar('\n');
}
