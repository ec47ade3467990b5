// SPDX-License-Identifier: Apache-2.0
/* hwgen: say why a row is refused, and remember which names are taken.  Uses nothing of hwgen. */
#define _GNU_SOURCE /* tdestroy() */
#include <ctype.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hwgen.h"

const char *const row_name[] = {
	[ROW_CONST] = "CONST",
	[ROW_REG] = "REG",
	[ROW_BITS] = "BITS",
	[ROW_ENUM] = "ENUM",
	[ROW_VALUE] = "VALUE",
	[ROW_STRUCT] = "STRUCT",
	[ROW_WORD] = "WORD",
	[ROW_BYTES] = "BYTES",
	[ROW_HDR] = "HDR",
	[ROW_FLD] = "FLD",
	[ROW_OPFLAG] = "OPFLAG",
	[ROW_OPCODE] = "OPCODE",
	[ROW_COUNTER] = "COUNTER",
	[ROW_SOURCE] = "SOURCE",
	[ROW_RECORD] = "RECORD",
	[ROW_F] = "F",
	[ROW_T] = "T",
	[ROW_R] = "R",
	[ROW_BUNDLE] = "BUNDLE",
	[ROW_S] = "S",
	[ROW_CMD] = "CMD",
	[ROW_WQE_OP] = "WQE_OP",
	[ROW_END] = "end of table",
};

void refuse(const struct row *row, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s:%d: %s(%s): ", row->file, row->line, row_name[row->kind],
		row->name ? row->name : "");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

const char *complain(const char *fmt, ...)
{
	static char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return text;
}

/* ---- names ---- */

struct name {
	const struct row *row;
	char text[];
};

static void *seen; /* tree of those of the prefix in hand */

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

void claim(const struct row *row, const char *fmt, ...)
{
	struct name *name, **found;
	char text[1024];
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n = strlen(text);
	name = malloc(sizeof(*name) + n + 1);
	if (!name)
		abort();
	name->row = row;
	for (size_t i = 0; i <= n; i++)
		name->text[i] = (char)toupper((unsigned char)text[i]);
	found = tsearch(name, &seen, compare);
	if (!found)
		abort();
	row = (*found)->row;
	if (*found != name)
		refuse(name->row, "name %s is taken by %s(%s) in %s:%d", name->text,
		       row_name[row->kind], row->name, row->file, row->line);
}

void release_names(void)
{
	tdestroy(seen, free);
	seen = NULL;
}
