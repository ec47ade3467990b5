// SPDX-License-Identifier: Apache-2.0
/* hwgen: reading a table: what the check and all printers share.  See hwgen.h. */
#include "hwgen.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NAME_BUFS 8
#define NAME_LEN 128

static char *name_buf(void)
{
	static char buf[NAME_BUFS][NAME_LEN];
	static unsigned int next;

	return buf[next++ % NAME_BUFS];
}

static const char *convert(const char *s, int (*to)(int))
{
	char *out = name_buf();
	size_t i;

	for (i = 0; s[i] && i < NAME_LEN - 2; i++)
		out[i] = (char)to((unsigned char)s[i]);
	out[i] = 0;
	return out;
}

const char *upper(const char *s)
{
	return convert(s, toupper);
}

const char *lower(const char *s)
{
	return convert(s, tolower);
}

const char *sv_name(const char *s)
{
	/* SystemVerilog keywords that may well be words for a field */
	static const char keywords[] =
		" alias and assert assign assume before begin bind bins bit break buf byte case cell"
		" checker class clocking config const constraint context continue cover cross"
		" default design disable dist do edge else end enum event eventually export extends"
		" extern final force forever fork function generate global if iff implies import"
		" initial inout input inside instance int integer interface join large let liblist"
		" library local logic longint matches medium modport module nand new nexttime nor not"
		" null or output package packed parameter primitive priority program property"
		" protected pure rand randc real ref reg release repeat restrict return sequence"
		" signed small soft solve static string strong struct super table tagged task this"
		" time timeprecision timeunit tri type typedef union unique unsigned until untyped"
		" use var vectored virtual void wait weak while wildcard wire with within xnor xor ";
	const char *name = lower(s);
	char word[NAME_LEN + 2];

	snprintf(word, sizeof(word), " %s ", name);
	return strstr(keywords, word) ? strcat((char *)name, "_") : name;
}

static bool is_member(enum row_kind group, enum row_kind kind)
{
	switch (group) {
	case ROW_REG:
	case ROW_WORD:
		return kind == ROW_BITS;
	case ROW_ENUM:
		return kind == ROW_VALUE || kind == ROW_CMD || kind == ROW_WQE_OP;
	case ROW_STRUCT:
		return kind == ROW_WORD || kind == ROW_BYTES || kind == ROW_BITS;
	case ROW_HDR:
		return kind == ROW_FLD;
	case ROW_RECORD:
	case ROW_BUNDLE:
		return kind == ROW_F || kind == ROW_T || kind == ROW_R || kind == ROW_S;
	default:
		return false;
	}
}

const struct row *group_end(const struct row *group)
{
	const struct row *row = group + 1;

	while (is_member(group->kind, row->kind))
		row++;
	return row;
}

const struct row *find_row(const struct table *table, enum row_kind kind, const char *name)
{
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == kind && !strcmp(upper(row->name), upper(name)))
			return row;
	return NULL;
}

unsigned int count_rows(const struct table *table, enum row_kind kind)
{
	unsigned int n = 0;

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		n += row->kind == kind;
	return n;
}

void print_rows(const struct table *table, const row_printer printers[ROW_END])
{
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind == ROW_CONST && (row == table->rows || row[-1].kind != ROW_CONST))
			putchar('\n');
		if (printers[row->kind])
			printers[row->kind](table, row);
	}
}

unsigned int counter_end(const struct table *table)
{
	unsigned int end = 0;

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_COUNTER)
			end = (unsigned int)row->a + 1;
	return end;
}

const char *field_name(const struct row *word, const struct row *bits)
{
	char *name = name_buf();

	if (word->kind == ROW_WORD && !strcmp(upper(word->name), upper(bits->name)))
		snprintf(name, NAME_LEN, "%s", upper(word->name));
	else
		snprintf(name, NAME_LEN, "%s_%s", upper(word->name), upper(bits->name));
	return name;
}

const struct row *own_field(const struct row *word)
{
	for (const struct row *row = word + 1; row < group_end(word); row++)
		if (!strcmp(upper(row->name), upper(word->name)))
			return row;
	return NULL;
}

unsigned int fld_offset(const struct row *hdr, const struct row *fld)
{
	unsigned int offset = 0;

	for (const struct row *row = hdr + 1; row < fld; row++)
		offset += (unsigned int)row->b;
	return offset;
}

uint64_t bits_mask(const struct row *bits)
{
	return (~0ULL >> (63 - bits->a)) & (~0ULL << bits->b);
}

const struct row *find_feature(const struct table *table, const char *name)
{
	const struct row *reg = find_row(table, ROW_REG, "FEATURES");

	for (const struct row *row = reg; row && row < group_end(reg); row++)
		if (row != reg && !strcmp(row->name, name))
			return row;
	return NULL;
}

/* ---- OPCODE rows ---- */

const char *next_name(const char *expr, char *name, size_t size)
{
	size_t n = 0;

	while (*expr == '|' || isspace((unsigned char)*expr))
		expr++;
	if (!*expr)
		return NULL;
	while (*expr && *expr != '|' && !isspace((unsigned char)*expr)) {
		if (n + 1 < size)
			name[n++] = *expr;
		expr++;
	}
	name[n] = 0;
	return expr;
}

bool names(const char *expr, const char *wanted)
{
	char name[NAME_LEN];

	while ((expr = next_name(expr, name, sizeof(name))))
		if (!strcmp(upper(name), upper(wanted)))
			return true;
	return false;
}

bool is_list(const char *expr)
{
	unsigned int n = 0;
	bool none = false;
	char name[NAME_LEN];

	while ((expr = next_name(expr, name, sizeof(name)))) {
		none |= !strcmp(name, "NONE");
		n++;
	}
	return none ? n == 1 : n > 0;
}

static bool is_ext(const struct table *table, const char *hdr_name)
{
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_OPCODE && names(row->text2, hdr_name))
			return true;
	return false;
}

int ext_bit(const struct table *table, const char *hdr_name)
{
	int bit = 0;

	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_HDR || !is_ext(table, row->name))
			continue;
		if (!strcmp(upper(row->name), upper(hdr_name)))
			return bit;
		bit++;
	}
	return -1;
}

unsigned int count_ext(const struct table *table)
{
	unsigned int n = 0;

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		n += row->kind == ROW_HDR && is_ext(table, row->name);
	return n;
}

uint32_t opcode_flags(const struct table *table, const struct row *opcode)
{
	uint32_t flags = 0;

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_OPFLAG && names(opcode->text, row->name))
			flags |= 1u << row->a;
	return flags;
}

uint32_t opcode_ext(const struct table *table, const struct row *opcode)
{
	uint32_t ext = 0;

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_HDR && names(opcode->text2, row->name))
			ext |= 1u << ext_bit(table, row->name);
	return ext;
}

uint32_t opcode_ext_bytes(const struct table *table, const struct row *opcode)
{
	uint32_t bytes = 0;

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_HDR && names(opcode->text2, row->name))
			bytes += (uint32_t)row->a;
	return bytes;
}
