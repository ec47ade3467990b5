// SPDX-License-Identifier: Apache-2.0
/* hwgen: refuse a table of which two rows would have one name, or one a word of C. */
#include <string.h>

#include "hwgen.h"

static void claim_members(const struct row *group, const char *prefix)
{
	const struct row *word = NULL, *end = group_end(group);
	char name[512];

	for (const struct row *row = group + 1; row < end; row++) {
		if (row->kind == ROW_BITS && word)
			snprintf(name, sizeof(name), "%s%s_%s", prefix, group->name,
				 field_name(word, row));
		else
			snprintf(name, sizeof(name), "%s%s_%s", prefix, group->name, row->name);
		if (row->kind == ROW_WORD || row->kind == ROW_BYTES) {
			word = row;
			claim(row, "member %s", name);
		} else {
			claim(row, "%s", name); /* C mask, place or value */
		}
		if (row->kind == ROW_BITS)
			claim(row, "%s_SHIFT", name);
		/* a field that has its word's name stands for it */
		if (group->kind != ROW_ENUM && !(row->kind == ROW_WORD && own_field(row))) {
			claim(row, "%s_LSB", name);
			claim(row, "%s_W", name);
		}
	}
}

/* The name of a member stands in a C struct as it is. */
static void check_keyword(const struct row *row)
{
	static const char keywords[] =
		" asm auto bool break case char const continue default do double else enum extern"
		" false float for goto if inline int long register restrict return short signed"
		" sizeof static struct switch true typedef typeof union unsigned void volatile"
		" while ";
	char word[128];

	switch (row->kind) {
	case ROW_WORD:
	case ROW_BYTES:
	case ROW_F:
	case ROW_T:
	case ROW_R:
	case ROW_S:
		snprintf(word, sizeof(word), " %s ", lower(row->name));
		if (strstr(keywords, word))
			refuse(row, "%s is a word of C", row->name);
		break;
	default:
		break;
	}
}

/* What hwgen_c.c and hwgen_sv.c make of each row. */
void check_names(const struct table *table)
{
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		switch (row->kind) {
		case ROW_REG:
			claim(row, "REG_%s", row->name);
			claim_members(row, "REG_");
			break;
		case ROW_HDR:
			claim(row, "%s_BYTES", row->name);
			/* fall through */
		case ROW_STRUCT:
			claim(row, "%s_W", row->name);
			/* fall through */
		case ROW_ENUM:
			claim(row, "type %s", row->name);
			claim_members(row, "");
			break;
		case ROW_RECORD:
		case ROW_BUNDLE:
			claim(row, "type %s", row->name);
			claim(row, "%s_W", row->name);
			claim(row, "%s_FIELDS", row->name);
			claim_record(table, row);
			break;
		case ROW_CONST:
			claim(row, "%s", row->name);
			break;
		case ROW_OPFLAG:
			claim(row, "OPF_%s", row->name);
			break;
		case ROW_OPCODE:
			claim(row, "OPCODE_%s", row->name);
			break;
		case ROW_COUNTER:
			claim(row, "COUNTER_%s", row->name);
			claim(row, "counter name %s", row->text);
			break;
		case ROW_SOURCE:
			claim(row, "type %s_events", row->name);
			claim(row, "%s_EVENTS_W", row->name);
			break;
		default:
			break;
		}
		if (strstr(row->doc, "*/") || strchr(row->doc, '\n'))
			refuse(row, "text must be one line without \"*/\"");
		check_keyword(row);
	}
	claim_events(table);
}
