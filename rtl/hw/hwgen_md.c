// SPDX-License-Identifier: Apache-2.0
/* hwgen: print a table as a page of documentation. */
#include <string.h>

#include "hwgen.h"

/* Text in a table cell: a bar would end the cell. */
static void print_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			putchar('\\');
		putchar(*text);
	}
}

static void print_row(const char *place, const char *name, const char *doc)
{
	printf("| %s | %s | ", place, name);
	print_text(doc);
	printf(" |\n");
}

static void print_title(const char *kind, const struct row *row, const char *columns)
{
	printf("\n### %s%s\n\n", kind, row->name);
	if (*row->doc)
		printf("%s.\n\n", row->doc);
	printf("%s\n|---|---|---|\n", columns);
}

static const char *bit_range(const struct row *bits)
{
	static char text[64];

	if (bits->a == bits->b)
		snprintf(text, sizeof(text), "%llu", (unsigned long long)bits->a);
	else
		snprintf(text, sizeof(text), "%llu:%llu", (unsigned long long)bits->a,
			 (unsigned long long)bits->b);
	return text;
}

static const char *number(const char *fmt, unsigned long long value)
{
	static char text[64];

	snprintf(text, sizeof(text), fmt, value);
	return text;
}

static void print_consts(const struct table *table)
{
	printf("\n## Constants\n\n| Value | Name | Meaning |\n|---|---|---|\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_CONST)
			print_row(row->text, row->name, row->doc);
}

static void print_regs(const struct table *table)
{
	if (!count_rows(table, ROW_REG))
		return;
	printf("\n## Registers\n\n| Offset | Name | Access, width: meaning |\n|---|---|---|\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		char doc[512];

		snprintf(doc, sizeof(doc), "%s, %llu: %s", row->text ? row->text : "",
			 (unsigned long long)row->b, row->doc);
		if (row->kind == ROW_REG)
			print_row(number("0x%04llx", row->a), row->name, doc);
	}
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_REG || row[1].kind != ROW_BITS)
			continue;
		print_title("", row, "| Bits | Field | Meaning |");
		for (const struct row *bits = row + 1; bits < group_end(row); bits++)
			print_row(bit_range(bits), bits->name, bits->doc);
	}
}

static void print_structs(const struct table *table)
{
	const struct row *word = NULL;
	char place[64];

	if (!count_rows(table, ROW_STRUCT))
		return;
	printf("\n## Structures in host memory\n\nLittle-endian. Bytes and bits that no row names are zero.\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_STRUCT)
			continue;
		print_title(number("%llu bytes: ", row->a), row,
			    "| Bytes, bits | Field | Meaning |");
		for (const struct row *field = row + 1; field < group_end(row); field++) {
			if (field->kind == ROW_BITS && word) {
				snprintf(place, sizeof(place), "%llu, %s",
					 (unsigned long long)word->a, bit_range(field));
				print_row(place, field->name, field->doc);
				continue;
			}
			word = field;
			snprintf(place, sizeof(place), "%llu..%llu", (unsigned long long)field->a,
				 (unsigned long long)(field->a + field->b / 8 - 1));
			print_row(place, field->name, field->doc);
		}
	}
}

static void print_hdrs(const struct table *table)
{
	char place[64];

	if (!count_rows(table, ROW_HDR))
		return;
	printf("\n## Headers on the wire\n\nBig-endian; bit 0 is the first on the wire.\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_HDR)
			continue;
		print_title(number("%llu bytes: ", row->a), row,
			    "| First bit, width | Field | Meaning |");
		for (const struct row *fld = row + 1; fld < group_end(row); fld++) {
			snprintf(place, sizeof(place), "%u, %llu", fld_offset(row, fld),
				 (unsigned long long)fld->b);
			print_row(place, fld->name, fld->doc);
		}
	}
}

static void print_enums(const struct table *table)
{
	printf("\n## Enumerations\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_ENUM)
			continue;
		print_title(number("%llu bits: ", row->a), row, "| Value | Name | Meaning |");
		for (const struct row *value = row + 1; value < group_end(row); value++)
			print_row(number("%llu", value->a), value->name, value->doc);
	}
}

static void print_opcodes(const struct table *table)
{
	if (!count_rows(table, ROW_OPCODE))
		return;
	printf("\n## Opcode flags\n\n| Bit | Name | Meaning |\n|---|---|---|\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_OPFLAG)
			print_row(number("%llu", row->a), row->name, row->doc);
	printf("\n## BTH opcodes\n\n| Opcode | Name | Flags | Extension headers | Bytes |\n|---|---|---|---|---|\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		if (row->kind != ROW_OPCODE)
			continue;
		printf("| 0x%02llx | %s | ", (unsigned long long)row->a, row->name);
		print_text(row->text);
		printf(" | ");
		print_text(row->text2);
		printf(" | %u |\n", opcode_ext_bytes(table, row));
	}
}

static void print_counters(const struct table *table)
{
	if (!count_rows(table, ROW_COUNTER))
		return;
	printf("\n## Counters\n\nOf the port; those with QP each QP has too.\n\n"
	       "| Index | Name | QP | Meaning |\n|---|---|---|---|\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_COUNTER) {
			printf("| %llu | %s | %s | ", (unsigned long long)row->a, row->text,
			       row->b & COUNTER_QP ? "QP" : "");
			print_text(row->doc);
			printf(" |\n");
		}
}

void print_md(const struct table *table)
{
	printf("<!-- Generated from rtl/hw/%s.def by hwgen (make hw): do not edit. -->\n# %s\n",
	       table->stem, table->what);
	print_consts(table);
	print_regs(table);
	print_structs(table);
	print_hdrs(table);
	print_enums(table);
	print_ops_md(table);
	print_opcodes(table);
	print_counters(table);
}
