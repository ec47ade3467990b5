// SPDX-License-Identifier: Apache-2.0
/* hwgen: refuse a table that cannot be meant.  Every message names file, line, row and cause. */
#include <string.h>

#include "hwgen.h"

#define REG_SPACE 0x10000 /* BAR0 */

/* ---- layouts ---- */

static void check_bits(const struct row *group, unsigned int width)
{
	const struct row *end = group_end(group);
	uint64_t taken = 0;

	for (const struct row *row = group + 1; row < end; row++) {
		if (row->a < row->b)
			refuse(row, "msb %llu is below lsb %llu", (unsigned long long)row->a,
			       (unsigned long long)row->b);
		if (row->a >= width)
			refuse(row, "bit %llu is outside the %u bits of %s",
			       (unsigned long long)row->a, width, group->name);
		if (taken & bits_mask(row))
			refuse(row, "bits %llu:%llu overlap another field of %s",
			       (unsigned long long)row->a, (unsigned long long)row->b, group->name);
		taken |= bits_mask(row);
	}
}

static void check_reg(const struct table *table, const struct row *reg)
{
	uint64_t bytes = reg->b / 8;

	if (strcmp(reg->text, "RO") && strcmp(reg->text, "RW") && strcmp(reg->text, "WO") &&
	    strcmp(reg->text, "W1C"))
		refuse(reg, "access %s is none of RO, RW, WO, W1C", reg->text);
	if (reg->a % bytes)
		refuse(reg, "offset 0x%llx is not a multiple of %llu bytes",
		       (unsigned long long)reg->a, (unsigned long long)bytes);
	if (reg->a + bytes > REG_SPACE)
		refuse(reg, "offset 0x%llx is outside BAR0", (unsigned long long)reg->a);
	for (const struct row *row = table->rows; row < reg; row++)
		if (row->kind == ROW_REG && row->a < reg->a + bytes && reg->a < row->a + row->b / 8)
			refuse(reg, "offset 0x%llx overlaps %s", (unsigned long long)reg->a,
			       row->name);
	check_bits(reg, (unsigned int)reg->b);
}

/* The rows of an ENUM: those of commands and operations say more than a number. */
static enum row_kind enum_rows(const struct table *table, const struct row *group)
{
	if (table == &hw_table && !strcmp(upper(group->name), "CMD_OP"))
		return ROW_CMD;
	if (table == &hw_table && !strcmp(upper(group->name), "WQE_OP"))
		return ROW_WQE_OP;
	return ROW_VALUE;
}

static void check_enum(const struct table *table, const struct row *group)
{
	const struct row *end = group_end(group);

	if (group->a < 1 || group->a > 32)
		refuse(group, "width %llu is not 1 to 32", (unsigned long long)group->a);
	if (end == group + 1)
		refuse(group, "has no VALUE");
	for (const struct row *row = group + 1; row < end; row++) {
		if (row->kind != enum_rows(table, group))
			refuse(row, "ENUM(%s) is made of %s rows", group->name,
			       row_name[enum_rows(table, group)]);
		if (row->a >> group->a)
			refuse(row, "value %llu does not fit the %llu bits of %s",
			       (unsigned long long)row->a, (unsigned long long)group->a,
			       group->name);
		for (const struct row *other = group + 1; other < row; other++)
			if (other->a == row->a)
				refuse(row, "value %llu is already %s", (unsigned long long)row->a,
				       other->name);
		if (row->kind == ROW_CMD && cmd_wrong(table, row))
			refuse(row, "%s", cmd_wrong(table, row));
		if (row->kind == ROW_WQE_OP && op_wrong(table, row))
			refuse(row, "%s", op_wrong(table, row));
	}
}

static void check_struct(const struct row *group)
{
	const struct row *end = group_end(group);
	uint64_t next = 0, align = 1;

	if (!group->a)
		refuse(group, "has no bytes");
	for (const struct row *row = group + 1; row < end; row++) {
		uint64_t bytes = row->b / 8, unit = row->kind == ROW_WORD ? bytes : 1;

		if (row->kind == ROW_BITS)
			continue; /* with their word */
		if (row->kind == ROW_WORD && row->b != 8 && row->b != 16 && row->b != 32 &&
		    row->b != 64)
			refuse(row, "width %llu is none of 8, 16, 32, 64",
			       (unsigned long long)row->b);
		if (!bytes)
			refuse(row, "has no bytes");
		if (row->a % unit)
			refuse(row, "offset %llu is not a multiple of its %llu bytes",
			       (unsigned long long)row->a, (unsigned long long)unit);
		if (row->a < next)
			refuse(row, "offset %llu overlaps the member before it, which ends at %llu",
			       (unsigned long long)row->a, (unsigned long long)next);
		next = row->a + bytes;
		if (next > group->a)
			refuse(row, "ends at %llu, struct %s at %llu", (unsigned long long)next,
			       group->name, (unsigned long long)group->a);
		if (unit > align)
			align = unit;
		if (row->kind == ROW_WORD)
			check_bits(row, (unsigned int)row->b);
		else if (row[1].kind == ROW_BITS)
			refuse(row + 1, "follows no REG or WORD");
	}
	if (group->a % align)
		refuse(group, "size %llu is not a multiple of its widest word, %llu bytes",
		       (unsigned long long)group->a, (unsigned long long)align);
}

static void check_hdr(const struct row *group)
{
	const struct row *end = group_end(group);

	for (const struct row *row = group + 1; row < end; row++)
		if (row->b < 1 || row->b > 64)
			refuse(row, "width %llu is not 1 to 64", (unsigned long long)row->b);
	if (fld_offset(group, end) != 8 * group->a)
		refuse(group, "fields make %u bits, the header has %llu", fld_offset(group, end),
		       (unsigned long long)(8 * group->a));
}

/* A constant <X>_BYTES beside a struct or header x is its size. */
static void check_const(const struct table *table, const struct row *row)
{
	char stem[128];
	size_t n = strlen(row->name);
	const struct row *group;

	if (n < 6 || n >= sizeof(stem) || strcmp(row->name + n - 6, "_BYTES"))
		return;
	snprintf(stem, sizeof(stem), "%.*s", (int)(n - 6), row->name);
	group = find_row(table, ROW_STRUCT, stem);
	if (group && group->a != row->a)
		refuse(row, "is %llu, but struct %s has %llu bytes", (unsigned long long)row->a,
		       group->name, (unsigned long long)group->a);
}

/* ---- opcodes and counters ---- */

static void check_opflag(const struct table *table, const struct row *flag)
{
	if (flag->a > 31)
		refuse(flag, "bit %llu is above 31", (unsigned long long)flag->a);
	for (const struct row *row = table->rows; row < flag; row++)
		if (row->kind == ROW_OPFLAG && row->a == flag->a)
			refuse(flag, "bit %llu is already %s", (unsigned long long)flag->a,
			       row->name);
}

static const struct row *find_transport(const struct table *table, const char *name)
{
	const struct row *group = find_row(table, ROW_ENUM, "transport");

	for (const struct row *row = group; row && row < group_end(group); row++)
		if (row->kind == ROW_VALUE && !strcmp(row->name, name))
			return row;
	return NULL;
}

static void check_opcode(const struct table *table, const struct row *opcode)
{
	const struct row *transport = find_transport(table, opcode->text3);
	const struct row *valid = find_row(table, ROW_OPFLAG, "VALID");
	const char *expr = opcode->text;
	char name[128];

	if (opcode->a > 0xff)
		refuse(opcode, "value 0x%llx does not fit 8 bits", (unsigned long long)opcode->a);
	for (const struct row *row = table->rows; row < opcode; row++)
		if (row->kind == ROW_OPCODE && row->a == opcode->a)
			refuse(opcode, "opcode 0x%02llx is already %s",
			       (unsigned long long)opcode->a, row->name);
	if (!transport)
		refuse(opcode, "transport %s is no VALUE of ENUM(transport)", opcode->text3);
	if (transport->a != opcode->a >> 5)
		refuse(opcode, "bits 7:5 of opcode 0x%02llx are not transport %s",
		       (unsigned long long)opcode->a, opcode->text3);
	while ((expr = next_name(expr, name, sizeof(name))))
		if (!find_row(table, ROW_OPFLAG, name))
			refuse(opcode, "flag %s has no OPFLAG row", name);
	if (!valid)
		refuse(opcode, "there is no OPFLAG row VALID");
	if (!(opcode_flags(table, opcode) >> valid->a & 1))
		refuse(opcode, "flag VALID is missing");
	for (expr = opcode->text2; (expr = next_name(expr, name, sizeof(name)));)
		if (strcmp(name, "NONE") && !find_row(table, ROW_HDR, name))
			refuse(opcode, "extension header %s has no HDR row", name);
}

/* ---- records ---- */

static void check_member(const struct table *table, const struct row *record, const struct row *row)
{
	bool wires = record->kind == ROW_BUNDLE;
	const struct row *of;

	if (row->kind == ROW_F) {
		if (row->b < 1 || row->b > 1024)
			refuse(row, "width %llu is not 1 to 1024", (unsigned long long)row->b);
		return;
	}
	if (row->kind == ROW_S && !find_row(&hw_table, ROW_STRUCT, row->text))
		refuse(row, "there is no STRUCT %s in hw.def", row->text);
	if (row->kind == ROW_S)
		return;
	of = row->kind == ROW_T ? find_row(table, ROW_ENUM, row->text)
	     : wires		? find_record(table, row->text)
				: find_row(table, ROW_RECORD, row->text);
	if (!of)
		refuse(row, "there is no %s %s",
		       row->kind == ROW_T ? "ENUM"
		       : wires		  ? "RECORD or BUNDLE"
					  : "RECORD",
		       row->text);
	if (of >= record)
		refuse(row, "%s %s does not stand before this one", row_name[of->kind], row->text);
}

static void check_record(const struct table *table, const struct row *record)
{
	if (group_end(record) == record + 1)
		refuse(record, "has no member");
	if (!*record->doc)
		refuse(record, "says nothing of what it is");
	for (const struct row *row = record + 1; row < group_end(record); row++)
		check_member(table, record, row);
}

static void check_members(const struct row *row)
{
	switch (row->kind) {
	case ROW_BITS:
		refuse(row, "follows no REG or WORD");
	case ROW_VALUE:
	case ROW_CMD:
	case ROW_WQE_OP:
		refuse(row, "follows no ENUM");
	case ROW_WORD:
	case ROW_BYTES:
		refuse(row, "follows no STRUCT");
	case ROW_FLD:
		refuse(row, "follows no HDR");
	case ROW_F:
	case ROW_T:
	case ROW_R:
	case ROW_S:
		refuse(row, "follows no RECORD or BUNDLE");
	default:
		break;
	}
}

/* Has a table such rows?  What is made of them is in the outputs of that table alone. */
static bool belongs(const struct table *table, enum row_kind kind)
{
	switch (kind) {
	case ROW_CONST:
	case ROW_ENUM:
	case ROW_VALUE:
		return true;
	case ROW_HDR:
	case ROW_FLD:
		return table != &int_table;
	case ROW_OPFLAG:
	case ROW_OPCODE:
		return table == &pkt_table;
	case ROW_RECORD:
	case ROW_BUNDLE:
	case ROW_F:
	case ROW_T:
	case ROW_R:
	case ROW_S:
		return table == &int_table;
	default:
		return table == &hw_table;
	}
}

static void check_table(const struct table *table)
{
	const struct row *row;
	uint64_t counters = 0;

	for (row = table->rows; row->kind != ROW_END; row++)
		if (!belongs(table, row->kind))
			refuse(row, "%s.def has no rows of this kind", table->stem);
	row = table->rows;
	while (row->kind != ROW_END) {
		switch (row->kind) {
		case ROW_CONST:
			check_const(table, row);
			break;
		case ROW_REG:
			check_reg(table, row);
			break;
		case ROW_ENUM:
			check_enum(table, row);
			break;
		case ROW_STRUCT:
			check_struct(row);
			break;
		case ROW_HDR:
			check_hdr(row);
			break;
		case ROW_RECORD:
		case ROW_BUNDLE:
			check_record(table, row);
			break;
		case ROW_OPFLAG:
			check_opflag(table, row);
			break;
		case ROW_OPCODE:
			check_opcode(table, row);
			break;
		case ROW_COUNTER:
			if (row->a < counters)
				refuse(row, "index %llu where %llu is next: in order, each once",
				       (unsigned long long)row->a, (unsigned long long)counters);
			if (row->a > 1023)
				refuse(row, "index over 1023");
			if (counter_wrong(table, row))
				refuse(row, "%s", counter_wrong(table, row));
			counters = row->a + 1;
			break;
		case ROW_SOURCE:
			if (source_wrong(table, row))
				refuse(row, "%s", source_wrong(table, row));
			break;
		default:
			check_members(row);
			break;
		}
		row = group_end(row);
	}
}

void check_tables(const struct table *const *tables)
{
	for (int t = 0; tables[t]; t++) {
		if (t && strcmp(tables[t]->prefix, tables[t - 1]->prefix))
			release_names();
		check_table(tables[t]);
		check_names(tables[t]);
	}
	release_names();
}
