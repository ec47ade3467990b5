// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn stat --prometheus`: the text exposition format of Prometheus, version 0.0.4.  A metric's
 * lines stand together, behind its HELP and TYPE; descriptions are those of hw.def.  Counters of
 * QPs have names of their own, so that they are not added to their port's.
 */
#include "stat.h"

#include <stdio.h>
#include <string.h>

/* Bounds of the histogram that is printed: 2^n - 1 ns, where buckets end that were counted in. */
#define FIRST_LOG2 8
#define LAST_LOG2 30
#define NS_PER_S 1e9

const struct stat_permille stat_permilles[STAT_PERMILLES] = {
	{ 500, "p50", "0.5" }, { 990, "p99", "0.99" }, { 999, "p999", "0.999" },
};

/* Every value of those a label may have is text of ours but for names, which may have anything. */
static void print_label(const char *value)
{
	for (; *value; value++) {
		if (*value == '\\' || *value == '"')
			putchar('\\');
		if (*value == '\n')
			fputs("\\n", stdout);
		else
			putchar(*value);
	}
}

/* {nic="0",device="cairn_0" and room for more, up to the closing brace */
static void print_labels(const struct nic_pages *nic)
{
	printf("{nic=\"%s\",device=\"", strncmp(nic->name, "nic", 3) ? nic->name : nic->name + 3);
	print_label(nic->device);
	putchar('"');
}

static void print_qp_labels(const struct nic_pages *nic, uint32_t qpn)
{
	print_labels(nic);
	printf(",qpn=\"0x%06x\"", qpn);
}

/* `more` and `ending` are parts of the name. */
static void print_head(const char *more, const char *name, const char *ending, const char *type,
		       const char *help)
{
	printf("# HELP cairn_%s%s%s ", more, name, ending);
	for (; *help; help++) {
		if (*help == '\\')
			putchar('\\');
		putchar(*help);
	}
	printf("\n# TYPE cairn_%s%s%s %s\n", more, name, ending, type);
}

/* ---- counters of the port ---- */

static void print_counter(const struct nics *nics, const char *name, const char *ending,
			  const char *type, const char *help)
{
	print_head("", name, ending, type, help);
	for (unsigned int i = 0; i < nics->n; i++) {
		const struct nic_pages *nic = &nics->nic[i];

		if (!nic->page || !nics_has(nic->page, name))
			continue;
		printf("cairn_%s%s", name, ending);
		print_labels(nic);
		printf("} %llu\n", (unsigned long long)nics_value(nic->page, name));
	}
}

/* What the simulator counts; the contract does not describe it. */
static void print_model_entry(const struct nics *nics, const char *name)
{
	static const struct {
		const char *name, *help;
		bool gauge;
	} known[] = {
		{ "sim_time_ns", "Device time in ns", false },
		{ "sim_wall_ns", "System's monotonic clock in ns when figures were last taken", true },
		{ "sim_counters_time_ns", "Device time in ns when the device's counters were read", true },
		{ "sim_counters_wall_ns", "The system's monotonic clock in ns then", true },
		{ "sim_cycles", "Device time in clock periods", false },
		{ "sim_evaluated_cycles", "Clock cycles computed, of all NICs together", false },
		{ "sim_evaluated_cycles_per_s", "The same, a second of real time", true },
		{ "sim_errors", "Rules that the device broke", false },
		{ "wire_", "Counted by the simulated wire at the port of the NIC", false },
		{ "pcie_", "Counted by the simulated PCIe root complex", false },
		{ "", "Counted by the simulator", false },
	};
	unsigned int i = 0;

	/* a prefix stands for all that begin with it */
	while (strcmp(name, known[i].name) &&
	       (!strncmp(known[i].name, "sim_", 4) ||
		strncmp(name, known[i].name, strlen(known[i].name))))
		i++;
	print_counter(nics, name, known[i].gauge ? "" : "_total",
		      known[i].gauge ? "gauge" : "counter", known[i].help);
}

static bool in_contract(const char *name)
{
	bool found = false;

	for (unsigned int i = 0; i < CAIRN_COUNTERS && !found; i++)
		found = cairn_counter_names[i] && !strcmp(cairn_counter_names[i], name);
	return found;
}

/* Each name once, also where one NIC has it and another has not. */
static void print_model_entries(const struct nics *nics)
{
	for (unsigned int i = 0; i < nics->n; i++) {
		const struct sim_stat_page *page = nics->nic[i].page;

		for (uint32_t e = 0; page && e < page->n; e++) {
			char name[SIM_STAT_NAME_BYTES + 1];
			bool before = false;

			snprintf(name, sizeof(name), "%.*s", SIM_STAT_NAME_BYTES,
				 page->entry[e].name);
			for (unsigned int j = 0; j < i && !before; j++)
				before = nics->nic[j].page && nics_has(nics->nic[j].page, name);
			if (nics_good_name(name) && !before && !in_contract(name))
				print_model_entry(nics, name);
		}
	}
}

static void print_up(const struct nics *nics)
{
	print_head("", "simulator_up", "", "gauge", "1: its simulator runs, 0: these are its last figures");
	for (unsigned int i = 0; i < nics->n; i++)
		if (nics->nic[i].page) {
			printf("cairn_simulator_up");
			print_labels(&nics->nic[i]);
			printf("} %d\n", !nics->nic[i].gone);
		}
}

/* ---- counters of QPs ---- */

/* Row by row; false: there is none. */
static bool qp_rows(const struct nics *nics, unsigned int counter, bool all, bool print)
{
	bool any = false;

	for (unsigned int i = 0; i < nics->n; i++) {
		const struct sim_stat_page *page = nics->nic[i].page;

		for (uint32_t q = 0; page && q < page->qps; q++) {
			uint32_t value = page->qp[q].value[counter];

			if (!value && !all)
				continue;
			any = true;
			if (!print)
				return true;
			printf("cairn_qp_%s_total", cairn_counter_names[counter]);
			print_qp_labels(&nics->nic[i], page->qp[q].qpn & 0xffffff);
			printf("} %u\n", value);
		}
	}
	return any;
}

static void print_qp_counters(const struct nics *nics, bool all)
{
	for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
		if (cairn_counter_of_qp[i] && qp_rows(nics, i, all, false)) {
			print_head("qp_", cairn_counter_names[i], "_total", "counter",
				   cairn_counter_docs[i]);
			qp_rows(nics, i, all, true);
		}
}

/* ---- latencies ---- */

static void print_buckets(const struct nic_pages *nic)
{
	const struct lat_figures *all = &nic->lat->all;
	uint64_t below = 0;
	unsigned int b = 0;

	for (unsigned int n = FIRST_LOG2; n <= LAST_LOG2; n++) {
		for (; lat_lowest(b) < 1ull << n; b++)
			below += all->bucket[b];
		printf("cairn_send_latency_seconds_bucket");
		print_labels(nic);
		printf(",le=\"%.10g\"} %llu\n", (double)((1ull << n) - 1) / NS_PER_S,
		       (unsigned long long)below);
	}
	printf("cairn_send_latency_seconds_bucket");
	print_labels(nic);
	printf(",le=\"+Inf\"} %llu\ncairn_send_latency_seconds_sum", (unsigned long long)all->count);
	print_labels(nic);
	printf("} %.9f\ncairn_send_latency_seconds_count", (double)all->sum / NS_PER_S);
	print_labels(nic);
	printf("} %llu\n", (unsigned long long)all->count);
}

static void print_quantiles(const struct nic_pages *nic, const struct lat_qp *qp)
{
	for (unsigned int i = 0; i < STAT_PERMILLES; i++) {
		printf("cairn_qp_send_latency_seconds");
		print_qp_labels(nic, qp->qpn);
		printf(",quantile=\"%s\"} %.10g\n", stat_permilles[i].quantile,
		       (double)lat_permille(&qp->figures, stat_permilles[i].permille) / NS_PER_S);
	}
	printf("cairn_qp_send_latency_seconds_sum");
	print_qp_labels(nic, qp->qpn);
	printf("} %.9f\ncairn_qp_send_latency_seconds_count", (double)qp->figures.sum / NS_PER_S);
	print_qp_labels(nic, qp->qpn);
	printf("} %llu\n", (unsigned long long)qp->figures.count);
}

static void print_latencies(const struct nics *nics)
{
	bool nic_head = false, qp_head = false;

	for (unsigned int i = 0; i < nics->n; i++) {
		if (!nics->nic[i].lat)
			continue;
		if (!nic_head)
			print_head("", "send_latency_seconds", "", "histogram",
				   "Signalled send work requests, from posting to the completion's "
				   "time stamp, in device time");
		nic_head = true;
		print_buckets(&nics->nic[i]);
	}
	for (unsigned int i = 0; i < nics->n; i++) {
		const struct lat_copy *lat = nics->nic[i].lat;

		for (unsigned int q = 0; lat && q < lat->n_qps; q++) {
			if (!qp_head)
				print_head("qp_", "send_latency_seconds", "", "summary",
					   "The same, of each QP since it was created or reset");
			qp_head = true;
			print_quantiles(&nics->nic[i], &lat->qp[q]);
		}
	}
}

void stat_prometheus(const struct nics *nics, bool all)
{
	bool simulated = false;

	for (unsigned int i = 0; i < nics->n; i++)
		simulated |= nics->nic[i].page != NULL;
	if (simulated) {
		print_up(nics);
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			if (cairn_counter_names[i])
				print_counter(nics, cairn_counter_names[i], "_total", "counter",
					      cairn_counter_docs[i]);
		print_model_entries(nics);
	}
	print_qp_counters(nics, all);
	print_latencies(nics);
}
