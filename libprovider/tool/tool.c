// SPDX-License-Identifier: Apache-2.0
/* The `cairn` tool: what several subcommands share (tool.h). */
#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cairn.h"
#include "sim_rundir.h"
#include "sim_wire.h"
#include "trust.h"

static const char *program = "cairn";

void tool_called(const char *name)
{
	program = name;
}

int tool_fail(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", program);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return 1;
}

/* ---- values ---- */

uint64_t tool_number(struct argp_state *state, const char *option, const char *text, uint64_t lo,
		     uint64_t hi)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno || end == text || *end || strchr(text, '-') || value < lo || value > hi)
		argp_error(state, "%s: \"%s\" is no number from %llu to %llu", option, text,
			   (unsigned long long)lo, (unsigned long long)hi);
	return value;
}

double tool_fraction(struct argp_state *state, const char *option, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= 0 && value <= 1))
		argp_error(state, "%s: \"%s\" is no probability from 0 to 1 (0.01 is 1 %%)", option,
			   text);
	return value;
}

/* Not multicast, broadcast or loopback, and not the address that says "none". */
static bool unicast(const uint8_t gid[16])
{
	static const uint8_t zero[16], mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (!memcmp(gid, mapped, 12))
		return gid[12] && gid[12] != 127 && gid[12] < 224;
	return gid[0] != 0xff && (memcmp(gid, zero, 15) || gid[15] > 1);
}

void tool_address(struct argp_state *state, const char *option, const char *text, uint8_t gid[16],
		  uint32_t *vlan)
{
	if (!cairn_parse_gid(text, gid, vlan))
		argp_error(state, "%s: \"%s\" is no IPv4 or IPv6 address, nor one with @VLAN (1 to 4094)",
			   option, text);
	if (!unicast(gid))
		argp_error(state, "%s: %s cannot be the address of a NIC: it is multicast, broadcast, "
			   "loopback or none", option, text);
}

/* ---- -d and -i ---- */

static const struct argp_option where_options[] = {
	{ "rundir", 'd', "RUNDIR", 0, "Run directory of cairn sim", 10 },
	{ "host", 'H', "HOST", 0, "Number of a simulated host", 10 },
	{ "nic", 'i', "NIC", 0, "NIC number", 10 },
	{ 0 },
};

static error_t parse_where(int key, char *arg, struct argp_state *state)
{
	struct tool_where *where = state->input;

	switch (key) {
	case 'd':
		where->rundir = arg;
		where->given = true;
		return 0;
	case 'i':
		where->nic = (int)tool_number(state, "--nic", arg, 0, SIM_MAX_NICS - 1);
		where->given = true;
		return 0;
	case 'H':
		where->host = (int)tool_number(state, "--host", arg, 0, SIM_MAX_NICS - 1);
		where->given = true;
		return 0;
	case ARGP_KEY_END:
		if (where->nic != TOOL_ALL_NICS && where->host != TOOL_ALL_HOSTS)
			argp_error(state, "--host and --nic: one of them");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp tool_where_argp = { where_options, parse_where, NULL, NULL, NULL, NULL, NULL };

void tool_where_init(struct tool_where *where)
{
	*where = (struct tool_where){ .rundir = sim_rundir_default(), .host = TOOL_ALL_HOSTS,
				       .nic = TOOL_ALL_NICS };
}

static int by_value(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return x < y ? -1 : x > y;
}

/* Which host has it, by its description; -2: it does not say, or there is none. */
static int host_of(int dir, unsigned int nic)
{
	char name[32], why[256];
	json_t *facts, *host;
	int fd, number = -2;

	snprintf(name, sizeof(name), "nic%u.json", nic);
	fd = trust_open_file(dir, name, why, sizeof(why));
	facts = fd < 0 ? NULL : json_loadfd(fd, 0, NULL);
	host = json_object_get(facts, "host");
	if (json_is_integer(host))
		number = (int)json_integer_value(host);
	json_decref(facts);
	if (fd >= 0)
		close(fd);
	return number;
}

static bool is_wanted(const struct tool_where *where, int dir, unsigned int nic)
{
	return (where->nic == TOOL_ALL_NICS || where->nic == (int)nic) &&
	       (where->host == TOOL_ALL_HOSTS || where->host == host_of(dir, nic));
}

unsigned int tool_find_nics(const struct tool_where *where, const char *what, unsigned int *index,
			    unsigned int max)
{
	char why[256];
	int top = trust_open_dir(where->rundir, TRUST_PRIVATE, why, sizeof(why));
	int fd = top < 0 ? -1 : openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	unsigned int n = 0;

	if (top < 0 && top != -ENOENT && top != -ENOTDIR)
		tool_fail("run directory %s", why);
	while (dir && n < max && (entry = readdir(dir))) {
		char name[32];
		unsigned int i;

		if (sscanf(entry->d_name, "nic%u.", &i) != 1)
			continue;
		snprintf(name, sizeof(name), "nic%u.%s", i, what);
		if (!strcmp(name, entry->d_name) && is_wanted(where, top, i))
			index[n++] = i;
	}
	if (dir)
		closedir(dir);
	if (top >= 0)
		close(top);
	qsort(index, n, sizeof(*index), by_value);
	return n;
}

int tool_no_nics(const struct tool_where *where)
{
	if (where->nic != TOOL_ALL_NICS)
		return tool_fail("no simulated NIC %d in %s: start it with \"cairn sim -n %d\", or name its "
				 "run directory with -d", where->nic, where->rundir, where->nic + 1);
	if (where->host != TOOL_ALL_HOSTS)
		return tool_fail("no simulated host %d in %s: start it with \"cairn sim --hosts %d\", or "
				 "name its run directory with -d", where->host, where->rundir,
				 where->host + 1);
	return tool_fail("no simulated NIC in %s: start one with \"cairn sim\", or name its run "
			 "directory with -d", where->rundir);
}
