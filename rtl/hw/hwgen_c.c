// SPDX-License-Identifier: Apache-2.0
/* hwgen: print a table as a C header. */
#include <string.h>

#include "hwgen.h"

static void print_head(const struct table *table)
{
	printf("/* SPDX-License-Identifier: Apache-2.0 */\n"
	       "/*\n * %s.  Generated from rtl/hw/%s.def by hwgen (make hw): do not edit.\n *\n"
	       " * Masks and fields are used through cairn_bits.h.  Members called gapN are unused and must be zero.\n */\n"
	       "#ifndef CAIRN_%s_H\n#define CAIRN_%s_H\n\n"
	       "#include <assert.h>\n#include <stddef.h>\n#include <stdint.h>\n",
	       table->what, table->stem, upper(table->stem), upper(table->stem));
}

static void print_doc(const struct row *row)
{
	if (*row->doc)
		printf(" /* %s */", row->doc);
	putchar('\n');
}

static void print_define(const struct table *table, const struct row *row)
{
	printf("#define %s_%s %s%s", table->prefix, row->name, row->text, row->a >> 32 ? "ull" : "");
	print_doc(row);
}

/* Masks of the BITS that follow a REG or WORD. */
static void print_masks(const struct row *word, const char *prefix)
{
	const char *suffix = word->b == 64 ? "ull" : "u";

	for (const struct row *row = word + 1; row < group_end(word); row++) {
		const char *name = field_name(word, row);

		printf("#define CAIRN_%s_%s 0x%llx%s", prefix, name, (unsigned long long)bits_mask(row),
		       suffix);
		print_doc(row);
		printf("#define CAIRN_%s_%s_SHIFT %llu\n", prefix, name, (unsigned long long)row->b);
	}
}

static void print_reg(const struct table *table, const struct row *reg)
{
	(void)table;
	printf("\n#define CAIRN_REG_%s 0x%04llx /* %s, %llu bit: %s */\n", reg->name,
	       (unsigned long long)reg->a, reg->text, (unsigned long long)reg->b, reg->doc);
	print_masks(reg, "REG");
}

static void print_enum(const struct table *table, const struct row *group)
{
	printf("\n/* %s */\nenum %s_%s {\n", group->doc, lower(table->prefix), lower(group->name));
	for (const struct row *row = group + 1; row < group_end(group); row++) {
		printf("\t%s_%s_%s = %llu,", table->prefix, upper(group->name), row->name,
		       (unsigned long long)row->a);
		print_doc(row);
	}
	printf("};\n");
}

static void print_struct(const struct table *table, const struct row *group)
{
	const struct row *end = group_end(group);
	uint64_t next = 0;
	unsigned int gap = 0;
	char prefix[128];

	(void)table;
	printf("\n/* %s */\nstruct cairn_%s {\n", group->doc, lower(group->name));
	for (const struct row *row = group + 1; row < end; row++) {
		if (row->kind == ROW_BITS)
			continue;
		if (row->a > next)
			printf("\tuint8_t gap%u[%llu];\n", gap++,
			       (unsigned long long)(row->a - next));
		if (row->kind == ROW_WORD)
			printf("\tuint%llu_t %s;", (unsigned long long)row->b, lower(row->name));
		else
			printf("\tuint8_t %s[%llu];", lower(row->name),
			       (unsigned long long)row->b / 8);
		print_doc(row);
		next = row->a + row->b / 8;
	}
	if (next < group->a)
		printf("\tuint8_t gap%u[%llu];\n", gap, (unsigned long long)(group->a - next));
	printf("};\nstatic_assert(sizeof(struct cairn_%s) == %llu, \"size\");\n",
	       lower(group->name), (unsigned long long)group->a);
	for (const struct row *row = group + 1; row < end; row++)
		if (row->kind != ROW_BITS)
			printf("static_assert(offsetof(struct cairn_%s, %s) == %llu, \"offset\");\n",
			       lower(group->name), lower(row->name), (unsigned long long)row->a);
	snprintf(prefix, sizeof(prefix), "%s", upper(group->name));
	for (const struct row *row = group + 1; row < end; row++)
		if (row->kind == ROW_WORD)
			print_masks(row, prefix);
}

static void print_hdr(const struct table *table, const struct row *hdr)
{
	(void)table;
	printf("\n/* %s: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */\n"
	       "#define CAIRN_%s_BYTES %llu\n",
	       hdr->doc, upper(hdr->name), (unsigned long long)hdr->a);
	for (const struct row *row = hdr + 1; row < group_end(hdr); row++) {
		printf("#define CAIRN_%s_%s %u, %llu", upper(hdr->name), upper(row->name),
		       fld_offset(hdr, row), (unsigned long long)row->b);
		print_doc(row);
	}
}

static void print_ext(const struct table *table)
{
	printf("\n/* Extension headers of an opcode, a bit mask; on the wire they follow the BTH in this order */\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_HDR && ext_bit(table, row->name) >= 0)
			printf("#define CAIRN_EXT_%s 0x%xu\n", upper(row->name),
			       1u << ext_bit(table, row->name));
}

static void print_opcode_table(const struct table *table)
{
	printf("\n/* What each BTH opcode means; undefined ones are all zero (no CAIRN_OPF_VALID, name NULL) */\n"
	       "struct cairn_opcode_info {\n"
	       "\tconst char *name;\n"
	       "\tuint32_t flags;\t\t/* CAIRN_OPF_* */\n"
	       "\tuint8_t ext;\t\t/* CAIRN_EXT_* */\n"
	       "\tuint8_t ext_bytes;\t/* length of the extension headers together */\n"
	       "\tuint8_t transport;\t/* enum cairn_transport */\n"
	       "};\n\n"
	       "static const struct cairn_opcode_info cairn_opcode_table[256] __attribute__((unused)) = {\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_OPCODE)
			printf("\t[CAIRN_OPCODE_%s] = { \"%s\", 0x%05x, 0x%02x, %u, CAIRN_TRANSPORT_%s },\n",
			       row->name, row->name, opcode_flags(table, row),
			       opcode_ext(table, row), opcode_ext_bytes(table, row), row->text3);
	printf("};\n");
}

static void print_opcodes(const struct table *table)
{
	if (!count_rows(table, ROW_OPCODE))
		return;
	printf("\n/* Flags of an opcode */\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_OPFLAG)
			continue;
		printf("#define CAIRN_OPF_%s 0x%xu", row->name, 1u << row->a);
		print_doc(row);
	}
	print_ext(table);
	printf("\n/* BTH opcodes */\nenum cairn_opcode {\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_OPCODE)
			continue;
		printf("\tCAIRN_OPCODE_%s = 0x%02llx,", row->name, (unsigned long long)row->a);
		print_doc(row);
	}
	printf("};\n");
	print_opcode_table(table);
}

/* A text as a C string. */
static void print_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
	putchar('"');
}

static void print_counter_docs(const struct table *table)
{
	printf("\n/* What they count, for people */\n"
	       "static const char *const cairn_counter_docs[CAIRN_COUNTERS] __attribute__((unused)) = {\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_COUNTER)
			continue;
		printf("\t[CAIRN_COUNTER_%s] = ", row->name);
		print_string(row->doc);
		printf(",\n");
	}
	printf("};\n");
}

static void print_counters(const struct table *table)
{
	unsigned int n = counter_end(table);

	if (!n)
		return;
	printf("\n/* Counters: index into the counter block */\n#define CAIRN_COUNTERS %u\nenum cairn_counter {\n",
	       n);
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_COUNTER)
			continue;
		printf("\tCAIRN_COUNTER_%s = %llu,", row->name, (unsigned long long)row->a);
		print_doc(row);
	}
	printf("};\n\nstatic const char *const cairn_counter_names[CAIRN_COUNTERS] __attribute__((unused)) = {\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_COUNTER)
			printf("\t[CAIRN_COUNTER_%s] = \"%s\",\n", row->name, row->text);
	printf("};\n");
	print_counter_docs(table);
	printf("\n/* Those that each QP has too */\n"
	       "static const _Bool cairn_counter_of_qp[CAIRN_COUNTERS] __attribute__((unused)) = {\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_COUNTER && row->b & COUNTER_QP)
			printf("\t[CAIRN_COUNTER_%s] = 1,\n", row->name);
	printf("};\n");
}

void print_c(const struct table *table)
{
	static const row_printer printers[ROW_END] = {
		[ROW_CONST] = print_define,  [ROW_REG] = print_reg, [ROW_ENUM] = print_enum,
		[ROW_STRUCT] = print_struct, [ROW_HDR] = print_hdr, [ROW_RECORD] = print_record_c,
	};

	print_head(table);
	print_rows(table, printers);
	print_records_c(table);
	print_ops_c(table);
	print_opcodes(table);
	print_counters(table);
	printf("\n#endif\n");
}
