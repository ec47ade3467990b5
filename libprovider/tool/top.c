// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn top`: rates, drops and latencies of NICs while programs use them (top.h).  While it runs
 * the programs count their latencies.
 */
#include "top.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct argp_option options[] = {
	{ "batch", 'b', NULL, 0, "Plain text for scripts, no screen", 1 },
	{ "iterations", 'n', "N", 0, "End after N intervals", 1 },
	{ "interval", 's', "SECONDS", 0, "From one reading to the next (1)", 1 },
	{ "sort", 'o', "KEY", 0, "Sort by nic, tx, rx, txpkt, rxpkt, msg, req, retx, drops, p50, p99 "
	  "or p999", 2 },
	{ "reverse", 'r', NULL, 0, "The other way round", 2 },
	{ "time", 't', "TIME", 0, "Rates a second of: device, wall, both (with --batch both, else "
	  "device)", 2 },
	{ "since-open", 'c', NULL, 0, "Numbers and latencies since the device was opened, not in the "
	  "interval", 2 },
	{ "no-qps", 'u', NULL, 0, "NICs only", 2 },
	{ 0 },
};

struct input {
	struct top_opts opts;
	bool time_given;
};

static double seconds(struct argp_state *state, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= 0.1 && value <= 3600))
		argp_error(state, "--interval: \"%s\" is no number of seconds from 0.1 to 3600", text);
	return value;
}

static unsigned int sort_key(struct argp_state *state, const char *text)
{
	unsigned int i = 0;

	while (i < top_n_sorts && strcmp(text, top_sorts[i].name))
		i++;
	if (i == top_n_sorts) {
		argp_error(state, "--sort: \"%s\": nic, tx, rx, txpkt, rxpkt, msg, req, retx, drops, p50, "
			   "p99 or p999", text);
		return 0;
	}
	return i;
}

static enum top_time time_of(struct argp_state *state, const char *text)
{
	static const char *const names[] = { "device", "wall", "both" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(text, names[i]))
			return i;
	argp_error(state, "--time: \"%s\": device, wall or both", text);
	return TOP_DEVICE_TIME;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct input *in = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &in->opts.where;
		return 0;
	case 'b':
		in->opts.batch = true;
		return 0;
	case 'n':
		in->opts.iterations = tool_number(state, "--iterations", arg, 1, UINT32_MAX);
		return 0;
	case 's':
		in->opts.interval = seconds(state, arg);
		return 0;
	case 'o':
		in->opts.sort = sort_key(state, arg);
		return 0;
	case 'r':
		in->opts.reverse = true;
		return 0;
	case 't':
		in->opts.time = time_of(state, arg);
		in->time_given = true;
		return 0;
	case 'c':
		in->opts.totals = true;
		return 0;
	case 'u':
		in->opts.qps = false;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument \"%s\"", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- --batch ---- */

static void print_line(void *arg, enum top_style style, const char *text)
{
	(void)arg;
	(void)style;
	puts(text);
}

static int print(struct top_data *data, const struct top_opts *opts)
{
	if (top_figure(data, opts))
		return tool_fail("out of memory");
	top_view_head(&data->figures, opts, 0, print_line, NULL);
	top_view_body(&data->figures, opts, 0, print_line, NULL);
	putchar('\n');
	return fflush(stdout) ? tool_fail("standard output cannot be written") : 0;
}

static int batch(const struct top_opts *opts, struct top_data *data)
{
	uint64_t step = (uint64_t)(opts->interval * 1e9);
	struct timespec next;
	int status = 0;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (unsigned long i = 0; !status && (!opts->iterations || i < opts->iterations); i++) {
		uint64_t ns = (uint64_t)next.tv_nsec + step;

		next.tv_sec += (time_t)(ns / 1000000000u);
		next.tv_nsec = (long)(ns % 1000000000u);
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL))
			;
		top_take(data, &opts->where, top_watch_ns(opts), tool_fail);
		status = print(data, opts);
	}
	return status;
}

int tool_top(int argc, char **argv)
{
	static const struct argp_child children[] = { { &tool_where_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options, parse, NULL,
		"Show ports and QPs live: rates, retransmissions, drops, latencies, and how fast the "
		"simulation is.  Keys: h.", children, NULL, NULL,
	};
	struct input in = { .opts = { .interval = 1, .qps = true } };
	struct top_data data = { 0 };
	int status;

	tool_where_init(&in.opts.where);
	argp_parse(&argp, argc, argv, 0, NULL, &in);
	if (in.opts.batch && !in.time_given)
		in.opts.time = TOP_BOTH_TIMES;
	/* Who has mistyped the directory is told so, and gets no empty screen. */
	status = top_take(&data, &in.opts.where, top_watch_ns(&in.opts), tool_fail) ? 1 : 0;
	if (!data.now.n)
		status = status ? status : tool_no_nics(&in.opts.where);
	else
		status = in.opts.batch ? batch(&in.opts, &data) : top_screen(&in.opts);
	top_free(&data);
	return status;
}
