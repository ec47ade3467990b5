// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn stat`: counters of simulated NICs from their statistics pages; the NICs notice nothing of
 * it.
 */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_rundir.h"
#include "sim_stat.h"
#include "sim_wire.h"
#include "tool.h"

struct input {
	struct tool_where where;
	bool json, all, qps;
};

static const struct argp_option options[] = {
	{ "json", 'j', NULL, 0, "As JSON: {\"nic0\": {\"name\": value, ..., \"qps\": {...}}, ...}", 1 },
	{ "all", 'a', NULL, 0, "Counters that are zero, too (JSON always has them)", 1 },
	{ "qps", 'q', NULL, 0, "Counters of QPs instead of the port's (JSON has both)", 1 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct input *in = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &in->where;
		return 0;
	case 'j':
		in->json = true;
		return 0;
	case 'a':
		in->all = true;
		return 0;
	case 'q':
		in->qps = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument \"%s\"", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool gone(const struct sim_stat_page *page)
{
	return kill((pid_t)page->pid, 0) && errno == ESRCH;
}

static void print(const struct sim_stat_page *page, bool all)
{
	for (uint32_t i = 0; i < page->n; i++) {
		const struct sim_stat_entry *entry = &page->entry[i];

		if (*entry->name && (all || entry->value))
			printf("nic%u  %-30.*s %20llu\n", page->nic, SIM_STAT_NAME_BYTES,
			       entry->name, (unsigned long long)entry->value);
	}
}

static void print_qps(const struct sim_stat_page *page, bool all)
{
	for (uint32_t q = 0; q < page->qps; q++)
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			if (cairn_counter_of_qp[i] && (all || page->qp[q].value[i]))
				printf("nic%u  QP 0x%06x  %-30s %10u\n", page->nic,
				       page->qp[q].qpn, cairn_counter_names[i],
				       page->qp[q].value[i]);
}

static json_t *qps_to_json(const struct sim_stat_page *page)
{
	json_t *object = json_object();

	for (uint32_t q = 0; q < page->qps; q++) {
		json_t *qp = json_object();
		char name[16];

		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			if (cairn_counter_of_qp[i])
				json_object_set_new(qp, cairn_counter_names[i],
						    json_integer(page->qp[q].value[i]));
		snprintf(name, sizeof(name), "0x%06x", page->qp[q].qpn);
		json_object_set_new(object, name, qp);
	}
	return object;
}

static json_t *to_json(const struct sim_stat_page *page)
{
	json_t *object = json_object();

	for (uint32_t i = 0; i < page->n; i++) {
		char name[SIM_STAT_NAME_BYTES + 1];

		snprintf(name, sizeof(name), "%.*s", SIM_STAT_NAME_BYTES, page->entry[i].name);
		if (*name)
			json_object_set_new(object, name,
					    json_integer((json_int_t)page->entry[i].value));
	}
	json_object_set_new(object, "qps", qps_to_json(page));
	return object;
}

static int show(const struct input *in, unsigned int nic, json_t *root)
{
	char path[SIM_RUNDIR_PATH], name[16];
	struct sim_stat_page *page = NULL;
	int ret;

	if (!sim_rundir_file(in->where.rundir, nic, "stat", path))
		return tool_fail("-d %s: path too long", in->where.rundir);
	ret = sim_stat_read(path, &page);
	if (ret)
		return tool_fail("%s: %s", path,
				 ret == -EPROTO ? "no statistics page of this version of cairn" :
						  strerror(-ret));
	if (gone(page))
		tool_fail("nic%u: its simulator (process %u) is gone; these are its last figures", nic,
			  page->pid);
	if (page->more_qps && page->qps && (root || in->qps))
		tool_fail("nic%u: QPs behind 0x%06x are left out: the page has room for %u", nic,
			  page->qp[page->qps - 1].qpn, SIM_STAT_QPS);
	snprintf(name, sizeof(name), "nic%u", nic);
	if (root)
		json_object_set_new(root, name, to_json(page));
	else if (in->qps)
		print_qps(page, in->all);
	else
		print(page, in->all);
	free(page);
	return 0;
}

int tool_stat(int argc, char **argv)
{
	static const struct argp_child children[] = { { &tool_where_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options, parse, NULL,
		"Show the counters of simulated NICs while applications run.", children, NULL, NULL,
	};
	struct input in = { 0 };
	unsigned int index[SIM_MAX_NICS], n;
	json_t *root = NULL;
	int status = 0;

	tool_where_init(&in.where);
	argp_parse(&argp, argc, argv, 0, NULL, &in);
	n = tool_find_nics(&in.where, "stat", index, SIM_MAX_NICS);
	if (!n)
		return tool_no_nics(&in.where);
	if (in.json)
		root = json_object();
	for (unsigned int i = 0; i < n; i++)
		status |= show(&in, index[i], root);
	if (root && (json_dumpf(root, stdout, JSON_INDENT(2)) || putchar('\n') == EOF))
		status = tool_fail("cannot write");
	json_decref(root);
	return status;
}
