// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn report CAPTURE`: one HTML page made of a capture.  The work is done by report.py, which
 * takes the place of this process: see trace/report.py.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

#define SCRIPT "cairn/trace/report.py"
#define PYTHON "python3"

#ifndef CAIRN_LIBDIR
#define CAIRN_LIBDIR "/usr/local/lib"
#endif

struct input {
	char *capture, *output, *counters;
};

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "The page (default: CAPTURE with .html)", 1 },
	{ "counters", 'c', "FILE", 0, "Show these counters of the same run, too: the output of cairn stat --json", 1 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct input *in = state->input;

	switch (key) {
	case 'o':
		in->output = arg;
		return 0;
	case 'c':
		in->counters = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (in->capture)
			argp_error(state, "one CAPTURE at a time");
		in->capture = arg;
		return 0;
	case ARGP_KEY_END:
		if (!in->capture)
			argp_error(state, "which CAPTURE?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int tool_report(int argc, char **argv)
{
	static const struct argp argp = {
		options, parse, "CAPTURE",
		"Make one HTML page of a capture: connections, what was sent again and why, plots, "
		"every packet in a ladder.\vCAPTURE is what cairn sim --pcap or tcpdump -w wrote. The page "
		"needs nothing but a browser.", NULL, NULL, NULL,
	};
	static const char *const beside[] = { "../lib/" SCRIPT };
	/*
	 * Isolated: no module of the user's, or beside the capture, takes the place of Python's.
	 * Three words, the script, two options of two, "--", CAPTURE, NULL.
	 */
	char *words[3 + 1 + 4 + 3] = { PYTHON, "-I", "-B" };
	struct input in = { 0 };
	char path[TOOL_PATH];
	int n = 3;

	argp_parse(&argp, argc, argv, 0, NULL, &in);
	if (!tool_find(path, beside, 1, CAIRN_LIBDIR "/" SCRIPT))
		return tool_fail("%s not found beside the tool or in " CAIRN_LIBDIR ": build it with \"make\", or "
				 "install it", SCRIPT);
	words[n++] = path;
	if (in.output) {
		words[n++] = "-o";
		words[n++] = in.output;
	}
	if (in.counters) {
		words[n++] = "-c";
		words[n++] = in.counters;
	}
	words[n++] = "--";
	words[n++] = in.capture;
	words[n] = NULL;
	execvp(PYTHON, words);
	return tool_fail("%s: %s%s", PYTHON, strerror(errno),
			 errno == ENOENT ? ": install Debian's package python3" : "");
}
