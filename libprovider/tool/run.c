// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn run PROGRAM`: run an unmodified verbs program with the provider preloaded.  The program
 * takes the place of this process, so its exit status and signals are its own.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cairn.h"
#include "sim_rundir.h"
#include "sim_wire.h"
#include "tool.h"

#define PRELOAD "libcairn-verbs.so"
/* as env(1): the program was found but could not be run, or was not found */
#define EXIT_CANNOT_RUN	126
#define EXIT_NOT_FOUND	127

#ifndef CAIRN_LIBDIR
#define CAIRN_LIBDIR "/usr/local/lib"
#endif

#define MAX_FUNCTIONS	(64 * 16)	/* bytes of their addresses */

struct input {
	struct tool_where where;
	const char *functions;
	char **program;
};

static const struct argp_option options[] = {
	{ "functions", 'f', "BDF[,BDF...]", 0,
	  "Each process that asks gets one of these functions, bound to vfio-pci, that is free", 1 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct input *in = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &in->where;
		return 0;
	case 'f':
		in->functions = arg;
		return 0;
	case ARGP_KEY_ARG:
		/* The rest is the program's. */
		in->program = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which PROGRAM?");
		return 0;
	case ARGP_KEY_END:
		if (in->functions && in->where.given)
			argp_error(state, "--functions is of real NICs: without -d, -H and -i");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int set_preload(void)
{
	static const char *const beside[] = { "../lib/" PRELOAD, PRELOAD };
	const char *before = getenv("LD_PRELOAD");
	char path[TOOL_PATH], value[2 * TOOL_PATH];

	if (!tool_find(path, beside, 2, CAIRN_LIBDIR "/" PRELOAD))
		return tool_fail("%s not found beside the tool or in " CAIRN_LIBDIR
				 ": build it with \"make\", or install it", PRELOAD);
	/* A blank or colon separates the names of LD_PRELOAD, so no path with one can be given. */
	if (strpbrk(path, " :"))
		return tool_fail("%s: the path must not have a blank or a colon in it", path);
	snprintf(value, sizeof(value), "%s%s%.*s", path, before && *before ? ":" : "", TOOL_PATH - 1,
		 before ? before : "");
	setenv("LD_PRELOAD", value, 1);
	return 0;
}

/* The program still sees NICs bound to vfio-pci, and devices of the kernel. */
static int no_simulation(const struct tool_where *where)
{
	DIR *dir = opendir(CAIRN_PCI_DRIVERS "/" CAIRN_VFIO_DRIVER);
	const struct dirent *entry;
	bool bound = false;

	while (dir && !bound && (entry = readdir(dir)))
		bound = cairn_bdf(entry->d_name, NULL);
	if (dir)
		closedir(dir);
	if (!bound)
		tool_fail("note: no simulated NIC in %s (cairn sim starts some, -d names another run "
			  "directory), and none bound to vfio-pci (cairn bind)", where->rundir);
	return 0;
}

/* Paths from the root: the program may look for its devices from another directory. */
static int set_sockets(const struct tool_where *where)
{
	unsigned int index[SIM_MAX_NICS];
	unsigned int n = tool_find_nics(where, "sock", index, SIM_MAX_NICS);
	char *dir, *value, *at;

	/* of a `cairn run` around this one */
	unsetenv("CAIRN_LEASE");
	unsetenv("CAIRN_FUNCTIONS");
	if (!n)
		return where->given ? tool_no_nics(where) : no_simulation(where);
	if (where->nic != TOOL_ALL_NICS || where->host != TOOL_ALL_HOSTS)
		setenv("CAIRN_NO_VFIO", "1", 1);
	if (where->host != TOOL_ALL_HOSTS) {
		char name[32];

		snprintf(name, sizeof(name), "host %d", where->host);
		setenv("CAIRN_LEASE", name, 1);
	}
	dir = realpath(where->rundir, NULL);
	if (!dir)
		return tool_fail("-d %s: %s", where->rundir, strerror(errno));
	value = at = strchr(dir, ':') ? NULL : malloc(n * (strlen(dir) + 32));
	for (unsigned int i = 0; value && i < n; i++)
		at += sprintf(at, "%s%s/nic%u.sock", i ? ":" : "", dir, index[i]);
	if (value)
		setenv("CAIRN_SOCKETS", value, 1);
	else
		tool_fail(strchr(dir, ':') ? "-d %s: the path must not have a colon in it"
					   : "-d %s: out of memory", dir);
	free(dir);
	free(value);
	return at ? 0 : 1;
}

/* The processes of the program share these, and see no other NIC of ours. */
static int set_functions(const char *text)
{
	char list[MAX_FUNCTIONS];

	cairn_set_log(NULL, NULL);
	if (cairn_vfio_functions(text, list, sizeof(list)))
		return tool_fail("--functions: %s", cairn_last_error());
	setenv("CAIRN_FUNCTIONS", list, 1);
	setenv("CAIRN_SOCKETS", "", 1);
	setenv("CAIRN_LEASE", "--functions", 1);
	unsetenv("CAIRN_NO_VFIO");
	return 0;
}

int tool_run(int argc, char **argv)
{
	static const struct argp_child children[] = { { &tool_where_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options, parse, "PROGRAM [ARGS...]",
		"Run an unmodified verbs program on the NICs of cairn sim: it finds them as cairn_0, "
		"cairn_1, ..., those that nobody uses first.  With -H each process of it sees one NIC of "
		"that host, which is free, and has it until it exits; with -i only that one.\v"
		"Not offered, and refused with EOPNOTSUPP: XRC, on-demand paging, raw packet QPs and flows, "
		"device memory, dma-buf, tag matching, allocators of parent domains, contexts of other "
		"processes; docs/verbs.md has every call.  CAIRN_LOG=1 in the environment says why a call "
		"was refused.", children, NULL, NULL,
	};
	struct input in = { 0 };
	int error;

	tool_where_init(&in.where);
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &in);
	if ((in.functions ? set_functions(in.functions) : set_sockets(&in.where)) || set_preload())
		return 1;
	execvp(in.program[0], in.program);
	error = errno;
	tool_fail("%s: %s", in.program[0], strerror(error));
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}
