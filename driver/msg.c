// SPDX-License-Identifier: Apache-2.0
/*
 * Messages of failures: kept per thread for cairn_last_error() and shown on stderr or to the
 * caller's function; on stderr those of refusals only where CAIRN_LOG is set.  Also the names of
 * the contract's enums, read from hw.def itself, so that a message says CREATE_QP and not 48.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "priv.h"

static _Thread_local char last[512];
static _Thread_local bool matters; /* refusals do, in this thread and now */
/* No lock: a fork while another thread holds it would leave the child without messages. */
static atomic_bool log_set;
static void (*log_fn)(void *arg, const char *message);
static void *log_arg;

const char *cairn_last_error(void)
{
	return last;
}

void cairn_set_log(void (*fn)(void *arg, const char *message), void *arg)
{
	log_fn = fn;
	log_arg = arg;
	atomic_store(&log_set, true);
}

static void show(const char *message)
{
	UNCANCELLED;

	if (!atomic_load(&log_set))
		fprintf(stderr, "cairn: %s\n", message);
	else if (log_fn)
		log_fn(log_arg, message);
}

int cairn_fail(int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(last, sizeof(last), format, args);
	va_end(args);
	show(last);
	return err;
}

void cairn_refusals_matter(bool yes)
{
	matters = yes;
}

int cairn_refuse(int err, const char *format, ...)
{
	const char *wanted = secure_getenv("CAIRN_LOG");
	va_list args;

	va_start(args, format);
	vsnprintf(last, sizeof(last), format, args);
	va_end(args);
	if (matters || (wanted && *wanted) || atomic_load(&log_set))
		show(last);
	return err;
}

void cairn_note(const char *format, ...)
{
	const char *wanted = secure_getenv("CAIRN_LOG");
	char text[512];
	va_list args;

	if (!wanted || !*wanted)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	show(text);
}

void cairn_warn(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	show(text);
}

/*
 * ENUM opens a group (value 0 of it means nothing), VALUE, CMD and WQE_OP belong to the last one.
 */
static const struct enum_row {
	const char *group, *name;
	uint64_t value;
} rows[] = {
#define CONST(...)
#define REG(...)
#define REG64(...)
#define BITS(...)
#define ENUM(n, width, doc) { #n, NULL, 0 },
#define VALUE(n, v, doc) { NULL, #n, v },
#define CMD(n, v, ...) { NULL, #n, v },
#define WQE_OP(n, v, ...) { NULL, #n, v },
#define STRUCT(...)
#define WORD(...)
#define BYTES(...)
#define HDR(...)
#define FLD(...)
#define COUNTER(...)
#define QP_COUNTER(...)
#define BYTE_COUNTER(...)
#define SOURCE(...)
#include "hw.def"
};

const char *cairn_enum_name(const char *enum_name, unsigned int value)
{
	bool here = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].group)
			here = !strcmp(rows[i].group, enum_name);
		else if (here && rows[i].value == value)
			return rows[i].name;
	}
	return "?";
}
