// SPDX-License-Identifier: Apache-2.0
/*
 * hwgen: commands.  A CMD row is a value of ENUM(cmd_op) with what firmware checks before it runs
 * the command and what people read of it: the header that firmware's table is made of, and the
 * tables of docs/commands.md, which stand between two marks there and are replaced.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "hwgen.h"

#define MARK "<!-- commands "
#define MARK_END "<!-- end of commands -->\n"
#define ARGS 6

static bool is(const char *text, const char *wanted)
{
	return !strcmp(text, wanted);
}

/* The structure that a buffer is, or NULL; *out: the device writes it. */
static const struct row *buffer_of(const struct table *table, const struct cmd *cmd, bool *out)
{
	char name[64] = "";

	*out = !strncmp(cmd->buffer, "OUT(", 4);
	if (sscanf(cmd->buffer, *out ? "OUT(%63[a-z0-9_])" : "IN(%63[a-z0-9_])", name) != 1)
		return NULL;
	return find_row(table, ROW_STRUCT, name);
}

/* ---- what is wrong ---- */

static const char *buffer_wrong(const struct table *table, const struct cmd *cmd)
{
	const struct row *room = find_row(table, ROW_CONST, "CMD_BUFFER_BYTES");
	const struct row *group;
	bool out;

	if (is(cmd->buffer, "NONE"))
		return NULL;
	group = buffer_of(table, cmd, &out);
	if (!group)
		return complain("buffer %s is neither NONE nor IN or OUT of a STRUCT", cmd->buffer);
	if (room && group->a > room->a)
		return complain("struct %s is larger than CMD_BUFFER_BYTES", group->name);
	return *cmd->ptr ? "has a buffer, so that ptr is not used" : NULL;
}

static const char *flags_wrong(const struct table *table, const struct cmd *cmd)
{
	const struct row *row = find_row(table, ROW_CONST, cmd->flags);
	unsigned long long value = row ? row->a : 0;
	char *end = "";

	if (!row)
		value = strtoull(cmd->flags, &end, 0);
	if (!*cmd->flags || *end)
		return complain("flags %s are neither a number nor a CONST", cmd->flags);
	if (value > 255)
		return complain("flags %s do not fit 8 bits", cmd->flags);
	if (!value != !strstr(cmd->args_doc, "FLAGS"))
		return value ? "its text of the args does not say what FLAGS are"
			     : "its text of the args names FLAGS, and none may be set";
	return NULL;
}

static const char *args_wrong(const struct cmd *cmd)
{
	char name[32];

	if (cmd->args > ARGS)
		return "has more than 6 args";
	for (unsigned int i = 0; i < ARGS; i++) {
		snprintf(name, sizeof(name), "arg%u", i);
		if (!strstr(cmd->args_doc, name) != (i >= cmd->args))
			return complain(i < cmd->args ? "its text of the args does not name %s"
						      : "its text of the args names %s, which is not one",
					name);
	}
	return NULL;
}

static bool takes_something(const struct cmd *cmd)
{
	return !is(cmd->buffer, "NONE") || *cmd->number || *cmd->ptr || !is(cmd->flags, "0") ||
	       cmd->args;
}

const char *cmd_wrong(const struct table *table, const struct row *row)
{
	static const char *const states[] = { "ALWAYS", "BEFORE_ENABLE", "ENABLED", "RESERVED" };
	const struct cmd *cmd = row->cmd;
	const char *expr = cmd->features, *wrong;
	bool known = false;
	char name[64];

	if (!is(cmd->handler, "NONE") && strncmp(cmd->handler, "cmd_", 4))
		return complain("handler %s is neither NONE nor a cmd_ function", cmd->handler);
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		known |= is(cmd->state, states[i]);
	if (!known)
		return complain("state %s is none of ALWAYS, BEFORE_ENABLE, ENABLED, RESERVED",
				cmd->state);
	if (is(cmd->state, "RESERVED") && !is(cmd->handler, "NONE"))
		return complain("is reserved and has the handler %s", cmd->handler);
	if (is(cmd->handler, "NONE") && !is(cmd->state, "RESERVED") && takes_something(cmd))
		return "has no handler for what it is given";
	if (!is_list(cmd->features))
		return complain("features %s are neither names nor NONE alone", cmd->features);
	while ((expr = next_name(expr, name, sizeof(name))))
		if (!is(name, "NONE") && !find_feature(table, name))
			return complain("feature %s has no BITS in REG(FEATURES)", name);
	wrong = buffer_wrong(table, cmd);
	wrong = wrong ? wrong : flags_wrong(table, cmd);
	return wrong ? wrong : args_wrong(cmd);
}

/* ---- for firmware ---- */

static void print_prototypes(const struct table *table)
{
	printf("/* The handlers. */\n");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++) {
		const struct row *before = table->rows;

		if (row->kind != ROW_CMD || is(row->cmd->handler, "NONE"))
			continue;
		while (before->kind != ROW_CMD || !is(before->cmd->handler, row->cmd->handler))
			before++;
		if (before == row)
			printf("enum fw_run %s(struct job *job);\n", row->cmd->handler);
	}
}

static void print_info(const struct table *table, const struct row *row)
{
	const struct cmd *cmd = row->cmd;
	const struct row *buffer;
	const char *expr = cmd->features, *between = ", .feature = ";
	char name[64];
	bool out;

	printf(" \\\n\t[CAIRN_CMD_OP_%s] = { .run = %s", row->name,
	       is(cmd->handler, "NONE") ? "NULL" : cmd->handler);
	buffer = buffer_of(table, cmd, &out);
	if (buffer && out)
		printf(", .out_bytes = sizeof(struct cairn_%s)", lower(buffer->name));
	printf(", .state = CMD_%s", cmd->state);
	if (*cmd->number)
		printf(", .number = 1");
	if (*cmd->ptr)
		printf(", .ptr = 1");
	if (!is(cmd->flags, "0"))
		printf(", .flags = %s%s", isdigit((unsigned char)*cmd->flags) ? "" : "CAIRN_",
		       cmd->flags);
	if (cmd->args)
		printf(", .args = %u", cmd->args);
	while ((expr = next_name(expr, name, sizeof(name)))) {
		if (is(name, "NONE"))
			continue;
		printf("%sCAIRN_REG_FEATURES_%s", between, name);
		between = " | ";
	}
	printf(" },");
}

void print_fw(const struct table *table)
{
	printf("/* SPDX-License-Identifier: Apache-2.0 */\n"
	       "/* The commands of rtl/hw/%s.def for cmd.h and cmd_table.c.  Generated from it by hwgen (make hw): do not edit. */\n"
	       "#ifndef CAIRN_FW_CMD_ROWS_H\n#define CAIRN_FW_CMD_ROWS_H\n\n#include \"job.h\"\n\n",
	       table->stem);
	print_prototypes(table);
	printf("\n/* By number: struct cmd_info. */\n#define CMD_INFOS");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_CMD && !is(row->cmd->state, "RESERVED"))
			print_info(table, row);
	printf("\n\n/* Those that have a number and no handler yet. */\n#define CMD_RESERVED");
	for (const struct row *row = table->rows; row->kind != ROW_END; row++)
		if (row->kind == ROW_CMD && is(row->cmd->state, "RESERVED"))
			printf(" \\\n\tcase CAIRN_CMD_OP_%s:", row->name);
	printf("\n\n#endif\n");
}

/* ---- for people ---- */

static const char *or_dash(const char *text)
{
	return *text ? text : "–";
}

static void print_command(const struct table *table, const struct row *row)
{
	const struct cmd *cmd = row->cmd;
	const char *expr = cmd->features, *between = "";
	const struct row *buffer;
	char name[64];
	bool out;

	printf("| %s | %s | ", row->name, or_dash(cmd->number));
	buffer = buffer_of(table, cmd, &out);
	if (buffer)
		printf("%s `%s`, %llu B", out ? "out" : "in", lower(buffer->name),
		       (unsigned long long)buffer->a);
	else
		printf("%s", or_dash(cmd->ptr));
	printf(" | %s | %s | %s | ", or_dash(cmd->args_doc), *cmd->values ? cmd->values : "0",
	       is(cmd->state, "ENABLED")	 ? "enabled"
	       : is(cmd->state, "BEFORE_ENABLE") ? "before ENABLE"
						 : "always");
	while ((expr = next_name(expr, name, sizeof(name)))) {
		printf("%s%s", between, is(name, "NONE") ? "–" : name);
		between = ", ";
	}
	printf(" |\n");
}

static bool print_range(const struct table *table, const char *mark)
{
	const struct row *from, *to;
	char first[64], last[64];

	if (sscanf(mark, MARK "%63s to %63[A-Z_0-9]", first, last) != 2 ||
	    !(from = find_row(table, ROW_CMD, first)) || !(to = find_row(table, ROW_CMD, last)) ||
	    from > to) {
		fprintf(stderr, "the mark does not name two commands, the first first: %s", mark);
		exit(EXIT_FAILURE);
	}
	printf("%s\n| command | number | ptr, buffer | args | value0, value1 | allowed | any of FEATURES |\n"
	       "| --- | --- | --- | --- | --- | --- | --- |\n",
	       mark);
	for (const struct row *row = from; row <= to; row++)
		if (row->kind == ROW_CMD && !is(row->cmd->state, "RESERVED"))
			print_command(table, row);
	printf("\n" MARK_END);
	return true;
}

void print_commands(const struct table *table)
{
	char line[8192];
	bool inside = false;

	while (fgets(line, sizeof(line), stdin)) {
		if (is(line, MARK_END) && inside)
			inside = false;
		else if (!inside && !strncmp(line, MARK, strlen(MARK)))
			inside = print_range(table, line);
		else if (!inside)
			fputs(line, stdout);
	}
	if (inside) {
		fprintf(stderr, "a mark has no end: %s", MARK_END);
		exit(EXIT_FAILURE);
	}
}
