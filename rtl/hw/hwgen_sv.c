// SPDX-License-Identifier: Apache-2.0
/* hwgen: print a table as a SystemVerilog package, in the subset that Yosys 0.23 takes. */
#include <string.h>

#include "hwgen.h"

static void print_head(const struct table *table)
{
	printf("// SPDX-License-Identifier: Apache-2.0\n"
	       "// %s.  Generated from rtl/hw/%s.def by hwgen (make hw): do not edit.\n"
	       "//\n"
	       "// Names, always used as cairn_%s_pkg::<name>:\n"
	       "//   CONST      <NAME>                       int unsigned (logic [63:0] when it needs more)\n"
	       "//   REG        REG_<NAME>                   offset in BAR0; fields REG_<NAME>_<FIELD>_LSB and _W\n"
	       "//   ENUM       <name>_t                     plain vector; values <NAME>_<VALUE> of that width\n"
	       "//   STRUCT     <name>_t, <NAME>_W           packed struct, byte 0 in bits 7:0; members <word> or, where the word has\n"
	       "//                                           fields, <word>_<field> (or <field>, if the word is called so); gapN are unused and zero\n"
	       "//              <NAME>_<WORD>_LSB, _W, <NAME>_<WORD>_<FIELD>_LSB, _W    places in the struct as a vector\n"
	       "//   RECORD, BUNDLE  <name>_t, <NAME>_W      packed struct, first member in the top bits\n"
	       "//   HDR        <name>_t, <NAME>_W, _BYTES   packed struct, first byte on the wire in the top bits; members <field>\n"
	       "//              <NAME>_<FIELD>_LSB, _W       places in the struct as a vector\n"
	       "//   OPFLAG     OPF_<NAME>                   bit number in opcode_flags(); OPF_W wide\n"
	       "//   OPCODE     OPCODE_<NAME>                logic [7:0]; opcode_flags(), opcode_ext(), opcode_ext_bytes()\n"
	       "//   WQE_OP     WQE_OP_<NAME>                a value of wqe_op_t; wqe_info() of type wqe_info_t, bth_opcode()\n"
	       "//   COUNTER    COUNTER_<NAME>               index; COUNTERS is their number\n"
	       "//   SOURCE     <name>_events_t, <NAME>_EVENTS_W   packed struct, first member in the top bits; counter_events(),\n"
	       "//                                           counter_bytes(), qp_<bank>_strobes() and _qpns() of the outermost one\n"
	       "// A member whose name is a keyword of the language ends in an underscore (type_).\n"
	       "package cairn_%s_pkg;\n",
	       table->what, table->stem, table->stem, table->stem);
}

static void print_doc(const struct row *row)
{
	if (*row->doc)
		printf("  // %s", row->doc);
	putchar('\n');
}

static void print_const(const struct table *table, const struct row *row)
{
	(void)table;
	if (row->a >> 32)
		printf("  localparam logic [63:0] %s = 64'h%llx;", row->name,
		       (unsigned long long)row->a);
	else
		printf("  localparam int unsigned %s = 32'h%llx;", row->name,
		       (unsigned long long)row->a);
	print_doc(row);
}

static void print_place(const char *name, unsigned long long lsb, unsigned long long width)
{
	printf("  localparam int unsigned %s_LSB = %llu;\n  localparam int unsigned %s_W = %llu;\n",
	       name, lsb, name, width);
}

static void print_reg(const struct table *table, const struct row *reg)
{
	char name[256];

	(void)table;
	printf("\n  localparam logic [15:0] REG_%s = 16'h%04llx;  // %s, %llu bit: %s\n", reg->name,
	       (unsigned long long)reg->a, reg->text, (unsigned long long)reg->b, reg->doc);
	for (const struct row *row = reg + 1; row < group_end(reg); row++) {
		snprintf(name, sizeof(name), "REG_%s_%s", reg->name, row->name);
		print_place(name, row->b, row->a - row->b + 1);
	}
}

static void print_enum(const struct table *table, const struct row *group)
{
	(void)table;
	printf("\n  // %s\n  typedef logic [%llu:0] %s_t;\n", group->doc,
	       (unsigned long long)group->a - 1, lower(group->name));
	for (const struct row *row = group + 1; row < group_end(group); row++) {
		printf("  localparam logic [%llu:0] %s_%s = %llu'd%llu;",
		       (unsigned long long)group->a - 1, upper(group->name), row->name,
		       (unsigned long long)group->a, (unsigned long long)row->a);
		print_doc(row);
	}
}

static void print_member(unsigned long long width, const char *name)
{
	if (width == 1)
		printf("    logic %s;\n", name);
	else
		printf("    logic [%llu:0] %s;\n", width - 1, name);
}

/* Bits hi-1 down to lo that no member has. */
static void print_gap(unsigned long long hi, unsigned long long lo, unsigned int *n)
{
	char name[32];

	if (hi <= lo)
		return;
	snprintf(name, sizeof(name), "gap%u", (*n)++);
	print_member(hi - lo, name);
}

/* The BITS row of `word` with the highest msb below `below`, or NULL: rows may be in any order. */
static const struct row *highest_bits(const struct row *word, uint64_t below)
{
	const struct row *best = NULL;

	for (const struct row *row = word + 1; row < group_end(word); row++)
		if (row->a < below && (!best || row->a > best->a))
			best = row;
	return best;
}

static void print_word_members(const struct row *word, unsigned int *gaps)
{
	const struct row *bits;
	uint64_t top = word->b;

	if (word->kind == ROW_BYTES || word[1].kind != ROW_BITS) {
		print_member(word->b, sv_name(word->name));
		return;
	}
	while ((bits = highest_bits(word, top))) {
		print_gap(top, bits->a + 1, gaps);
		print_member(bits->a - bits->b + 1, sv_name(field_name(word, bits)));
		top = bits->b;
	}
	print_gap(top, 0, gaps);
}

static void print_struct(const struct table *table, const struct row *group)
{
	const struct row *end = group_end(group), *word = NULL;
	uint64_t top = 8 * group->a;
	unsigned int gaps = 0;
	char name[256];

	(void)table;
	printf("\n  // %s\n  localparam int unsigned %s_W = %llu;\n  typedef struct packed {\n",
	       group->doc, upper(group->name), (unsigned long long)top);
	for (const struct row *row = end - 1; row > group; row--) {
		if (row->kind == ROW_BITS)
			continue;
		print_gap(top, 8 * row->a + row->b, &gaps);
		print_word_members(row, &gaps);
		top = 8 * row->a;
	}
	print_gap(top, 0, &gaps);
	printf("  } %s_t;\n", lower(group->name));
	for (const struct row *row = group + 1; row < end; row++) {
		if (row->kind != ROW_BITS) {
			word = row;
			snprintf(name, sizeof(name), "%s_%s", group->name, word->name);
			if (word->kind == ROW_BYTES || !own_field(word))
				print_place(upper(name), 8 * word->a, word->b);
		} else {
			snprintf(name, sizeof(name), "%s_%s", group->name, field_name(word, row));
			print_place(upper(name), 8 * word->a + row->b, row->a - row->b + 1);
		}
	}
}

static void print_hdr(const struct table *table, const struct row *hdr)
{
	const struct row *end = group_end(hdr);
	char name[256];

	(void)table;
	printf("\n  // %s\n  localparam int unsigned %s_BYTES = %llu;\n  localparam int unsigned %s_W = %llu;\n"
	       "  typedef struct packed {\n",
	       hdr->doc, upper(hdr->name), (unsigned long long)hdr->a, upper(hdr->name),
	       (unsigned long long)(8 * hdr->a));
	for (const struct row *row = hdr + 1; row < end; row++)
		print_member(row->b, sv_name(row->name));
	printf("  } %s_t;\n", lower(hdr->name));
	for (const struct row *row = hdr + 1; row < end; row++) {
		snprintf(name, sizeof(name), "%s_%s", hdr->name, row->name);
		print_place(upper(name), 8 * hdr->a - fld_offset(hdr, row) - row->b, row->b);
	}
}

/* One lookup function over all opcodes; undefined ones give zero. */
static void print_function(const struct table *table, const char *name, unsigned int width,
			   const char *doc,
			   uint32_t (*value)(const struct table *table, const struct row *opcode))
{
	printf("\n  // %s\n  function automatic logic [%u:0] %s(input logic [7:0] opcode);\n    case (opcode)\n",
	       doc, width - 1, name);
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_OPCODE)
			printf("      OPCODE_%s: %s = %u'h%x;\n", row->name, name, width,
			       value(table, row));
	printf("      default: %s = %u'h0;\n    endcase\n  endfunction\n", name, width);
}

static void print_opcodes(const struct table *table)
{
	unsigned int width = 0;

	if (!count_rows(table, ROW_OPCODE))
		return;
	printf("\n  // Flags of an opcode: bit numbers\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_OPFLAG)
			continue;
		printf("  localparam int unsigned OPF_%s = %llu;", row->name,
		       (unsigned long long)row->a);
		print_doc(row);
		if (row->a >= width)
			width = (unsigned int)row->a + 1;
	}
	printf("  localparam int unsigned OPF_W = %u;\n", width);
	printf("\n  // Extension headers of an opcode: bit numbers; on the wire they follow the BTH in this order\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_HDR && ext_bit(table, row->name) >= 0)
			printf("  localparam int unsigned EXT_%s = %d;\n", upper(row->name),
			       ext_bit(table, row->name));
	printf("  localparam int unsigned EXT_W = %u;\n\n  // BTH opcodes\n", count_ext(table));
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_OPCODE)
			continue;
		printf("  localparam logic [7:0] OPCODE_%s = 8'h%02llx;", row->name,
		       (unsigned long long)row->a);
		print_doc(row);
	}
	print_function(table, "opcode_flags", width,
		       "OPF_* bits of an opcode; VALID is 0 for an undefined one", opcode_flags);
	print_function(table, "opcode_ext", count_ext(table), "EXT_* bits of an opcode",
		       opcode_ext);
	print_function(table, "opcode_ext_bytes", 6, "Length of the extension headers",
		       opcode_ext_bytes);
}

/* A bit for each counter that QPs have too. */
static void print_qp_counters(const struct table *table, unsigned int n)
{
	unsigned char nibble[256] = { 0 };

	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_COUNTER && row->b & COUNTER_QP)
			nibble[row->a / 4] |= (unsigned char)(1u << row->a % 4);
	printf("  // Those that each QP has too\n  localparam logic [%u:0] COUNTER_OF_QP = %u'h", n - 1,
	       n);
	for (unsigned int i = (n + 3) / 4; i--;)
		printf("%x", nibble[i]);
	printf(";\n");
}

static void print_counters(const struct table *table)
{
	unsigned int n = counter_end(table);

	if (!n)
		return;
	printf("\n  // Counters: index into the counter block\n  localparam int unsigned COUNTERS = %u;\n",
	       n);
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_COUNTER)
			continue;
		printf("  localparam int unsigned COUNTER_%s = %llu;", row->name,
		       (unsigned long long)row->a);
		print_doc(row);
	}
	print_qp_counters(table, n);
	print_sources_sv(table);
}

void print_sv(const struct table *table)
{
	static const row_printer printers[ROW_END] = {
		[ROW_CONST] = print_const,	[ROW_REG] = print_reg,
		[ROW_ENUM] = print_enum,	[ROW_STRUCT] = print_struct,
		[ROW_HDR] = print_hdr,		[ROW_RECORD] = print_record_sv,
		[ROW_BUNDLE] = print_record_sv,
	};

	print_head(table);
	print_rows(table, printers);
	print_ops_sv(table);
	print_opcodes(table);
	print_counters(table);
	printf("endpackage\n");
}
