// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn stat`: counters of simulated NICs from their statistics pages, and latencies that programs
 * have counted; neither notices anything of it.
 */
#include "stat.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
	struct tool_where where;
	bool json, prometheus, all, qps;
};

static const struct argp_option options[] = {
	{ "json", 'j', NULL, 0, "As JSON: {\"nic0\": {\"name\": value, ..., \"qps\": {...}}, ...}", 1 },
	{ "prometheus", 'p', NULL, 0, "As text for Prometheus, with QPs", 1 },
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
	case 'p':
		in->prometheus = true;
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
	case ARGP_KEY_END:
		if (in->json && in->prometheus)
			argp_error(state, "--json or --prometheus, not both");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- latencies: one list of names and values for all that show them ---- */

#define LATENCIES (STAT_PERMILLES + 3)

struct latency {
	char name[32];
	uint64_t value;
	bool known;
};

/* figures NULL: nothing was measured. */
static void latencies(const struct lat_figures *figures, struct latency out[LATENCIES])
{
	bool any = figures && figures->count;
	unsigned int n = 0;

	out[n++] = (struct latency){ "latency_count", any ? figures->count : 0, true };
	out[n++] = (struct latency){ "latency_mean_ns", any ? figures->sum / figures->count : 0, any };
	for (unsigned int i = 0; i < STAT_PERMILLES; i++) {
		out[n].value = any ? lat_permille(figures, stat_permilles[i].permille) : 0;
		out[n].known = any;
		snprintf(out[n++].name, sizeof(out[0].name), "latency_%s_ns", stat_permilles[i].name);
	}
	out[n++] = (struct latency){ "latency_max_ns", any ? figures->max : 0, any };
}

static void print_latencies(const char *who, const struct lat_figures *figures, bool all)
{
	struct latency list[LATENCIES];

	latencies(figures, list);
	for (unsigned int i = 0; i < LATENCIES; i++)
		if (list[i].known && (all || list[i].value))
			printf("%s  %-30s %20llu\n", who, list[i].name,
			       (unsigned long long)list[i].value);
}

static void latencies_to_json(const struct lat_figures *figures, json_t *object)
{
	struct latency list[LATENCIES];

	latencies(figures, list);
	for (unsigned int i = 0; i < LATENCIES; i++)
		json_object_set_new(object, list[i].name,
				    list[i].known ? json_integer((json_int_t)list[i].value) :
						    json_null());
}

/* ---- as text ---- */

static void print(const struct nic_pages *nic, bool all)
{
	const struct sim_stat_page *page = nic->page;

	for (uint32_t i = 0; page && i < page->n; i++) {
		const struct sim_stat_entry *entry = &page->entry[i];

		if (nics_good_name(entry->name) && (all || entry->value))
			printf("%s  %-30.*s %20llu\n", nic->name, SIM_STAT_NAME_BYTES, entry->name,
			       (unsigned long long)entry->value);
	}
	print_latencies(nic->name, nic->lat ? &nic->lat->all : NULL, all);
	if (nic->lat && nic->lat->early)
		printf("%s  %-30s %20llu\n", nic->name, "latency_early",
		       (unsigned long long)nic->lat->early);
}

static void print_qps(const struct nic_pages *nic, bool all)
{
	const struct sim_stat_page *page = nic->page;
	char who[NICS_NAME + 16];

	for (uint32_t q = 0; page && q < page->qps; q++)
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			if (cairn_counter_of_qp[i] && (all || page->qp[q].value[i]))
				printf("%s  QP 0x%06x  %-30s %10u\n", nic->name,
				       page->qp[q].qpn, cairn_counter_names[i],
				       page->qp[q].value[i]);
	for (unsigned int q = 0; nic->lat && q < nic->lat->n_qps; q++) {
		snprintf(who, sizeof(who), "%s  QP 0x%06x", nic->name, nic->lat->qp[q].qpn);
		print_latencies(who, &nic->lat->qp[q].figures, all);
	}
}

/* ---- as JSON ---- */

static void counters_to_json(const uint32_t *value, json_t *qp)
{
	for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
		if (cairn_counter_of_qp[i])
			json_object_set_new(qp, cairn_counter_names[i],
					    json_integer(value ? value[i] : 0));
}

static json_t *qp_of(json_t *qps, uint32_t qpn)
{
	char name[16];
	json_t *qp;

	snprintf(name, sizeof(name), "0x%06x", qpn);
	qp = json_object_get(qps, name);
	if (!qp) {
		qp = json_object();
		json_object_set_new(qps, name, qp);
	}
	return qp;
}

/* Those that have counted something, drops and errors or latencies. */
static json_t *qps_to_json(const struct nic_pages *nic)
{
	json_t *qps = json_object();

	for (uint32_t q = 0; nic->page && q < nic->page->qps; q++)
		counters_to_json(nic->page->qp[q].value, qp_of(qps, nic->page->qp[q].qpn));
	for (unsigned int q = 0; nic->lat && q < nic->lat->n_qps; q++) {
		const struct lat_qp *of = &nic->lat->qp[q];
		json_t *qp = qp_of(qps, of->qpn);

		if (nic->page && nics_find_qp(nic->page, of->qpn) < 0)
			counters_to_json(NULL, qp);
		latencies_to_json(&of->figures, qp);
	}
	return qps;
}

static json_t *to_json(const struct nic_pages *nic)
{
	json_t *object = json_object();

	for (uint32_t i = 0; nic->page && i < nic->page->n; i++) {
		const struct sim_stat_entry *entry = &nic->page->entry[i];
		char name[SIM_STAT_NAME_BYTES + 1];

		snprintf(name, sizeof(name), "%.*s", SIM_STAT_NAME_BYTES, entry->name);
		if (nics_good_name(entry->name))
			json_object_set_new(object, name,
					    json_integer((json_int_t)entry->value));
	}
	latencies_to_json(nic->lat ? &nic->lat->all : NULL, object);
	json_object_set_new(object, "latency_early",
			    json_integer(nic->lat ? (json_int_t)nic->lat->early : 0));
	json_object_set_new(object, "qps", qps_to_json(nic));
	return object;
}

/* ---- the command ---- */

static void remarks(const struct input *in, const struct nic_pages *nic)
{
	const struct sim_stat_page *page = nic->page;

	if (nic->gone)
		tool_fail("%s: its simulator (process %u) is gone; these are its last figures",
			  nic->name, page->pid);
	if (page && page->more_qps && page->qps && (in->json || in->prometheus || in->qps))
		tool_fail("%s: QPs behind 0x%06x are left out: the page has room for %u", nic->name,
			  page->qp[page->qps - 1].qpn, SIM_STAT_QPS);
}

static int show(const struct input *in, const struct nics *nics)
{
	json_t *root = in->json ? json_object() : NULL;
	int status = 0;

	for (unsigned int i = 0; i < nics->n; i++) {
		const struct nic_pages *nic = &nics->nic[i];

		remarks(in, nic);
		if (root)
			json_object_set_new(root, nic->name, to_json(nic));
		else if (in->qps && !in->prometheus)
			print_qps(nic, in->all);
		else if (!in->prometheus)
			print(nic, in->all);
	}
	if (in->prometheus)
		stat_prometheus(nics, in->all);
	if (root && (json_dumpf(root, stdout, JSON_INDENT(2)) || putchar('\n') == EOF))
		status = tool_fail("cannot write");
	json_decref(root);
	return status;
}

int tool_stat(int argc, char **argv)
{
	static const struct argp_child children[] = { { &tool_where_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		options, parse, NULL,
		"Show the counters of NICs while applications run: simulated ones, and of PCI functions "
		"the latencies that programs count (CAIRN_STATS=1, or cairn top runs).",
		children, NULL, NULL,
	};
	struct input in = { 0 };
	struct nics nics;
	int status;

	tool_where_init(&in.where);
	argp_parse(&argp, argc, argv, 0, NULL, &in);
	status = nics_read(&in.where, 0, tool_fail, &nics) ? 1 : 0;
	if (!nics.n && !status)
		return tool_no_nics(&in.where);
	status |= show(&in, &nics);
	nics_free(&nics);
	return status;
}
