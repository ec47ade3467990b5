// SPDX-License-Identifier: Apache-2.0
/* The `cairn` tool: which subcommand. */
#include <stdio.h>
#include <string.h>

#include "tool.h"

#ifndef CAIRN_VERSION
#define CAIRN_VERSION "0.1"
#endif

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *doc;
} commands[] = {
	{ "sim", tool_sim, "simulate NICs and the wire between them" },
	{ "run", tool_run, "run a verbs program on simulated or real NICs" },
	{ "stat", tool_stat, "counters of running NICs" },
	{ "top", tool_top, "what running NICs do, live" },
	{ "replay", tool_replay, "repeat what a NIC did in a recorded or failed run" },
	{ "report", tool_report, "make an HTML page of a capture" },
	{ "info", tool_info, "show what a NIC is, and who uses it" },
	{ "bind", tool_bind, "give a real NIC to vfio-pci" },
	{ "unbind", tool_unbind, "take a real NIC from vfio-pci" },
};

#define N_COMMANDS (sizeof(commands) / sizeof(*commands))

static void help(FILE *out)
{
	fprintf(out, "Usage: cairn COMMAND [OPTIONS]\n\n");
	for (size_t i = 0; i < N_COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].doc);
	fprintf(out, "\n\"cairn COMMAND --help\" explains a command; each has a manual page, cairn-COMMAND(1).\n");
}

int main(int argc, char **argv)
{
	static char name[64];
	const char *word = argc > 1 ? argv[1] : "--help";
	int status;

	argp_err_exit_status = TOOL_USAGE;
	/* "cairn help sim" is "cairn sim --help" */
	if (!strcmp(word, "help") && argc > 2) {
		argv[1] = argv[2];
		argv[2] = "--help";
		word = argv[1];
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
		help(argc > 1 ? stdout : stderr);
		return argc > 1 ? 0 : TOOL_USAGE;
	}
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		puts("cairn " CAIRN_VERSION);
		return 0;
	}
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (!strcmp(word, commands[i].name)) {
			snprintf(name, sizeof(name), "cairn %s", word);
			argv[1] = name;
			tool_called(name);
			status = commands[i].run(argc - 1, argv + 1);
			if ((fflush(stdout) || ferror(stdout)) && !status)
				status = tool_fail("standard output cannot be written");
			return status;
		}
	fprintf(stderr, "cairn: there is no command \"%s\"\n", word);
	help(stderr);
	return TOOL_USAGE;
}
