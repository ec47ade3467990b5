// SPDX-License-Identifier: Apache-2.0
/*
 * hwgen: send queue operations.  A WQE_OP row is a value of ENUM(wqe_op) with what the engines, the
 * provider and people know of the operation.  Its packets are rows of pkt.def: OPCODE
 * <TRANSPORT>_<BTH> alone, or the four of a message, <TRANSPORT>_<BTH>_FIRST, _MIDDLE, _LAST and
 * _ONLY, the last two with _IMM or _INV if the operation has that mark.
 */
#include <string.h>

#include "hwgen.h"

#define PLACES 4 /* 2 * first + last */

/* QP types and how their packets are called: GSI is UD on the wire. */
static const char *transport_of(const char *type)
{
	return strcmp(type, "GSI") ? type : "UD";
}

static const struct row *value_of(const struct table *table, const char *name, const char *value)
{
	const struct row *group = find_row(table, ROW_ENUM, name);

	for (const struct row *row = group; row && row < group_end(group); row++)
		if (row != group && !strcmp(row->name, value))
			return row;
	return NULL;
}

static bool has_mark(const struct row *row, const char *mark)
{
	return names(row->op->marks, mark);
}

/* OPCODE of the packet at a place of a message, or NULL.  A packet that is a message has all. */
static const struct row *packet(const struct row *row, const char *transport, unsigned int place)
{
	static const char *const places[PLACES] = { "MIDDLE", "LAST", "FIRST", "ONLY" };
	const char *mark = !(place & 1)		  ? ""
			   : has_mark(row, "IMM") ? "_IMM"
			   : has_mark(row, "INV") ? "_INV"
						  : "";
	const struct row *alone;
	char name[160];

	snprintf(name, sizeof(name), "%s_%s", transport, row->op->bth);
	alone = find_row(&pkt_table, ROW_OPCODE, name);
	if (alone)
		return alone;
	snprintf(name, sizeof(name), "%s_%s_%s%s", transport, row->op->bth, places[place], mark);
	return find_row(&pkt_table, ROW_OPCODE, name);
}

/* Has it packets at that place?  A datagram is a whole message. */
static bool has_place(const char *transport, unsigned int place)
{
	return strcmp(transport, "UD") || place == PLACES - 1;
}

/* ---- what is wrong ---- */

static bool flag(const struct row *opcode, const char *name)
{
	const struct row *bit = find_row(&pkt_table, ROW_OPFLAG, name);

	return bit && opcode_flags(&pkt_table, opcode) >> bit->a & 1;
}

static const char *packet_wrong(const struct row *row, const char *transport, unsigned int place)
{
	static const char *const same[] = { "IMM", "INV", "RWR" };
	const struct row *opcode = packet(row, transport, place);

	if (!opcode)
		return complain("pkt.def has not all packets of %s_%s with its marks", transport,
				row->op->bth);
	if (!flag(opcode, "REQ") || !flag(opcode, row->op->kind))
		return complain("OPCODE %s is no request of kind %s", opcode->name, row->op->kind);
	for (size_t i = 0; place == PLACES - 1 && i < sizeof(same) / sizeof(*same); i++)
		if (flag(opcode, same[i]) != has_mark(row, same[i]))
			return complain("OPCODE %s and the operation do not agree about %s",
					opcode->name, same[i]);
	return NULL;
}

static const char *packets_wrong(const struct row *row)
{
	const char *expr = row->op->types, *wrong = NULL;
	bool local = !strcmp(row->op->kind, "LOCAL") || !strcmp(row->op->kind, "NOP");
	char type[64];

	if (local != !strcmp(row->op->bth, "NONE"))
		return complain(local ? "kind %s has no packets, but %s"
				      : "kind %s has packets, but %s",
				row->op->kind, row->op->bth);
	while (!local && !wrong && (expr = next_name(expr, type, sizeof(type))))
		for (unsigned int place = 0; place < PLACES && !wrong; place++)
			if (has_place(transport_of(type), place))
				wrong = packet_wrong(row, transport_of(type), place);
	return wrong;
}

/* Of an expression of VALUEs of an ENUM, or of features; `one`: it is a single name. */
static const char *list_wrong(const struct table *table, const char *expr, const char *what,
			      const char *group, bool one)
{
	const char *next = expr;
	char name[64];

	if (!is_list(expr))
		return complain("%s %s is neither names nor NONE alone", what, expr);
	while ((next = next_name(next, name, sizeof(name)))) {
		if (one && strcmp(name, expr))
			return complain("%s %s is more than one", what, expr);
		if (!strcmp(name, "NONE"))
			continue;
		if (!group && !find_feature(table, name))
			return complain("%s %s has no BITS in REG(FEATURES)", what, name);
		if (group && !value_of(table, group, name))
			return complain("%s %s is no VALUE of ENUM(%s)", what, name, group);
	}
	return NULL;
}

const char *op_wrong(const struct table *table, const struct row *row)
{
	const struct wqe_op *op = row->op;
	const struct {
		const char *expr, *what, *group;
		bool one;
	} lists[] = { { op->types, "QP type", "qp_type", false },
		      { op->kind, "kind", "wqe_kind", true },
		      { op->marks, "mark", "wqe_mark", false },
		      { op->needs, "feature", NULL, false },
		      { op->cqe, "completion", "cqe_op", true } };
	const char *wrong = NULL;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists) && !wrong; i++)
		wrong = list_wrong(table, lists[i].expr, lists[i].what, lists[i].group,
				   lists[i].one);
	if (wrong)
		return wrong;
	if (!strcmp(op->types, "NONE") || !strcmp(op->kind, "NONE") || !strcmp(op->cqe, "NONE"))
		return "QP types, kind and completion may not be NONE";
	return packets_wrong(row);
}

/* ---- what is printed ---- */

/* The next operation, from NULL to NULL. */
static bool next_op(const struct table *table, const struct row **row)
{
	*row = *row ? *row + 1 : table->rows;
	while ((*row)->kind != ROW_END && (*row)->kind != ROW_WQE_OP)
		(*row)++;
	if ((*row)->kind == ROW_END)
		*row = NULL;
	return *row;
}

/* Low bits of the BTH opcode at a place, the same for each transport; 0: no packet. */
static unsigned int bth_bits(const struct row *row, unsigned int place)
{
	const char *expr = row->op->types;
	const struct row *opcode;
	char type[64];

	while ((expr = next_name(expr, type, sizeof(type)))) {
		opcode = packet(row, transport_of(type), place);
		if (opcode)
			return opcode->a & 0x1f;
	}
	return 0;
}

/* Names of an OR expression, each behind a prefix. */
static void print_or(const char *expr, const char *before, const char *after)
{
	const char *between = "";
	char name[64];

	while ((expr = next_name(expr, name, sizeof(name)))) {
		if (!strcmp(name, "NONE"))
			continue;
		printf("%s%s%s%s", between, before, name, after);
		between = " | ";
	}
	if (!*between)
		putchar('0');
}

void print_ops_c(const struct table *table)
{
	const struct row *row = NULL;
	uint64_t end = 0;

	while (next_op(table, &row))
		end = row->a >= end ? row->a + 1 : end;
	if (!end)
		return;
	printf("\n/* What each send queue operation is; numbers that are none have name NULL */\n"
	       "#define CAIRN_WQE_OPS %llu\n"
	       "struct cairn_wqe_info {\n"
	       "\tconst char *name;\n"
	       "\tuint8_t types;\t\t/* bit n: QPs of enum cairn_qp_type n have it */\n"
	       "\tuint8_t kind;\t\t/* enum cairn_wqe_kind */\n"
	       "\tuint8_t marks;\t\t/* of enum cairn_wqe_mark */\n"
	       "\tuint8_t cqe_op;\t\t/* enum cairn_cqe_op */\n"
	       "\tuint8_t bth[%d];\t\t/* [2 * first + last]: BTH opcode without its transport bits */\n"
	       "\tuint32_t needs;\t\t/* CAIRN_REG_FEATURES_*, all of them */\n"
	       "};\n\n"
	       "static const struct cairn_wqe_info cairn_wqe_info[CAIRN_WQE_OPS] __attribute__((unused)) = {\n",
	       (unsigned long long)end, PLACES);
	while (next_op(table, &row)) {
		printf("\t[CAIRN_WQE_OP_%s] = { .name = \"%s\", .types = ", row->name, row->name);
		print_or(row->op->types, "1 << CAIRN_QP_TYPE_", "");
		printf(", .kind = CAIRN_WQE_KIND_%s,\n\t\t.marks = ", row->op->kind);
		print_or(row->op->marks, "CAIRN_WQE_MARK_", "");
		printf(", .cqe_op = CAIRN_CQE_OP_%s,\n\t\t.bth = {", row->op->cqe);
		for (unsigned int place = 0; place < PLACES; place++)
			printf("%s 0x%02x", place ? "," : "", bth_bits(row, place));
		printf(" }, .needs = ");
		print_or(row->op->needs, "CAIRN_REG_FEATURES_", "");
		printf(" },\n");
	}
	printf("};\n");
}

/* A member a VALUE of the ENUM. */
static void print_members(const struct table *table, const char *name)
{
	const struct row *group = find_row(table, ROW_ENUM, name);

	for (const struct row *row = group + 1; row < group_end(group); row++) {
		printf("    logic %s;", sv_name(row->name));
		if (*row->doc)
			printf("  // %s", row->doc);
		putchar('\n');
	}
}

/* A bit for each VALUE of the ENUM: is it named? */
static void print_bits(const struct table *table, const char *name, const char *expr)
{
	const struct row *group = find_row(table, ROW_ENUM, name);

	printf(", %u'b", (unsigned int)(group_end(group) - group - 1));
	for (const struct row *row = group + 1; row < group_end(group); row++)
		putchar(names(expr, row->name) ? '1' : '0');
}

static void print_info(const struct table *table, const struct row *row)
{
	const char *expr = row->op->needs;
	uint64_t needs = 0;
	char name[64];

	while ((expr = next_name(expr, name, sizeof(name))))
		if (find_feature(table, name))
			needs |= bits_mask(find_feature(table, name));
	printf("\n               | (op == WQE_OP_%s ? {1'b1, CQE_OP_%s, 32'h%llx", row->name,
	       row->op->cqe, (unsigned long long)needs);
	print_bits(table, "qp_type", row->op->types);
	print_bits(table, "wqe_kind", row->op->kind);
	print_bits(table, "wqe_mark", row->op->marks);
	printf("} : '0)");
}

static void print_bth(const struct table *table)
{
	const struct row *row = NULL;
	const struct row *mark = find_row(&pkt_table, ROW_ENUM, "transport");

	printf("\n  // BTH opcode of a packet of an operation, if it is the first, the last of its message\n"
	       "  function automatic logic [7:0] bth_opcode(input logic [7:0] op, input logic [%llu:0] transport,\n"
	       "                                            input logic first, input logic last);\n"
	       "    bth_opcode = {transport, 5'h0",
	       (unsigned long long)mark->a - 1);
	while (next_op(table, &row))
		if (strcmp(row->op->bth, "NONE"))
			printf("\n                 | (op != WQE_OP_%s ? 5'h0 : first ? (last ? 5'h%02x : 5'h%02x)"
			       " : last ? 5'h%02x : 5'h%02x)",
			       row->name, bth_bits(row, 3), bth_bits(row, 2), bth_bits(row, 1),
			       bth_bits(row, 0));
	printf("};\n  endfunction\n");
}

void print_ops_sv(const struct table *table)
{
	const struct row *row = NULL;

	if (!count_rows(table, ROW_WQE_OP))
		return;
	printf("\n  // What a send queue operation is: the QP types that have it, its kind, its marks; valid is 0 for a number that is none\n"
	       "  typedef struct packed {\n    logic valid;\n    cqe_op_t cqe_op;\n    logic [31:0] needs;  // bits of REG FEATURES, all of them\n");
	print_members(table, "qp_type");
	print_members(table, "wqe_kind");
	print_members(table, "wqe_mark");
	printf("  } wqe_info_t;\n\n  function automatic wqe_info_t wqe_info(input logic [7:0] op);\n"
	       "    wqe_info = '0");
	while (next_op(table, &row))
		print_info(table, row);
	printf(";\n  endfunction\n");
	print_bth(table);
}

static void print_list(const char *expr)
{
	const char *between = "";
	char name[64];

	while ((expr = next_name(expr, name, sizeof(name)))) {
		printf("%s%s", between, strcmp(name, "NONE") ? name : "–");
		between = ", ";
	}
	printf(" | ");
}

void print_ops_md(const struct table *table)
{
	const struct row *row = NULL;

	if (!count_rows(table, ROW_WQE_OP))
		return;
	printf("\n## Send queue operations\n\n"
	       "| Number | Name | QP types | Kind | Marks | Features | BTH opcodes | Completion | Meaning |\n"
	       "|---|---|---|---|---|---|---|---|---|\n");
	while (next_op(table, &row)) {
		printf("| %llu | %s | ", (unsigned long long)row->a, row->name);
		print_list(row->op->types);
		print_list(row->op->kind);
		print_list(row->op->marks);
		print_list(row->op->needs);
		print_list(row->op->bth);
		print_list(row->op->cqe);
		printf("%s |\n", row->doc);
	}
}
