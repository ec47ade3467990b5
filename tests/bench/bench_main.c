// SPDX-License-Identifier: Apache-2.0
/*
 * bench: measures the metrics of one width, writes them as JSON; see bench.h.  tests/bench/run
 * shows and judges them.
 *
 *   bench [--width 64|512] [--json FILE] [METRIC...]
 *
 * JSON: a flat object, name to {value, unit, bound, percent, ...}; names of other widths than 512
 * end in _w<width>.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/*
 * floor: what a commit must keep, target: what it shall become; shares of the bound, and cycles
 * that are enough even when the bound is lower.
 */
struct goal {
	double floor, floor_cycles, target, target_cycles;
};

struct metric {
	const char *name;
	struct bench_load load;
	struct goal goal;
};

#define BANDWIDTH                \
	{                        \
		0.80, 0, 0.99, 0 \
	}
/* Of PCIe, which carries each byte both ways: 98 Gb/s, what a wire of 100 carries. */
#define LOOP_BANDWIDTH            \
	{                         \
		0.876, 0, 0.99, 0 \
	}

/* 64 KiB, six posted at a time in lists of two; small ones on 16 QPs in turn, a doorbell each. */
#define LARGE_LOOP .len = 65536, .pmtu = 5, .qps = 1, .depth = 6, .list = 2, .warm = 4, .count = 24
#define LARGE .len = 65536, .pmtu = 5, .qps = 1, .depth = 6, .list = 2, .warm = 4, .count = 8
#define SMALL .pmtu = 3, .qps = 16, .depth = 32, .list = 1, .warm = 1000, .count = 2000
#define WRITE_8B .op = CAIRN_WQE_OP_WRITE, .len = 8, .in_wqe = true

static const struct metric metrics[] = {
	{ "write_bw_64k_mtu4096_1qp", { .op = CAIRN_WQE_OP_WRITE, LARGE }, BANDWIDTH },
	{ "read_bw_64k_mtu4096_1qp", { .op = CAIRN_WQE_OP_READ, LARGE }, BANDWIDTH },
	{ "send_bw_64k_mtu1024_4qp",
	  { .op = CAIRN_WQE_OP_SEND,
	    .len = 65536,
	    .pmtu = 3,
	    .qps = 4,
	    .depth = 2,
	    .list = 1,
	    .warm = 6,
	    .count = 64 },
	  BANDWIDTH },
	/* 17: at 64 bit, where area counts; a link of 10 Gb/s takes one in 21 cycles of 4 ns */
	{ "write_rate_8b_16qp", { WRITE_8B, SMALL }, { 0.80, 17, 0.99, 4 } },
	{ "send_rate_64b_16qp", { .op = CAIRN_WQE_OP_SEND, .len = 64, SMALL }, { 0, 0, 0.99, 4 } },
	{ "send_rate_8b_srq_16qp",
	  { .op = CAIRN_WQE_OP_SEND, .len = 8, .in_wqe = true, .srq = true, SMALL },
	  { 0, 0, 0.99, 5 } },
	{ "read_rate_64b_16qp", { .op = CAIRN_WQE_OP_READ, .len = 64, SMALL }, { 0, 0, 0.99, 6 } },
	{ "fetch_add_rate_16qp",
	  { .op = CAIRN_WQE_OP_ATOMIC_FA, .len = 8, SMALL },
	  { 0, 0, 0.99, 10 } },
	{ "write_rate_8b_128mr", { WRITE_8B, SMALL, .regions = 128 }, { 0, 0, 0.80, 0 } },
	{ "write_rate_8b_1kmr", { WRITE_8B, SMALL, .regions = 1024 }, { 0, 0, 0.80, 0 } },
	{ "write_rate_8b_16kmr",
	  { WRITE_8B, .pmtu = 3, .qps = 16, .depth = 32, .list = 1, .warm = 1000, .count = 4000,
	    .regions = 16384 },
	  { 0, 0, 0.80, 0 } },
	{ "write_bw_64k_loop",
	  { .op = CAIRN_WQE_OP_WRITE, .loop = true, LARGE_LOOP },
	  LOOP_BANDWIDTH },
	{ "read_bw_64k_loop",
	  { .op = CAIRN_WQE_OP_READ, .loop = true, LARGE_LOOP },
	  LOOP_BANDWIDTH },
	{ "write_rate_8b_loop",
	  { WRITE_8B, .loop = true, SMALL },
	  { 0.50, 12, 0.99, 4 } }, /* ACKs take the same way: up to as many beats again */
	{ "write_rate_8b_1qp",
	  { WRITE_8B, .pmtu = 3, .qps = 1, .depth = 256, .list = 16, .warm = 500, .count = 1000 },
	  { 0, 0, 0.99, 8 } },
};

/* Of bench_lat_run(); there is no bound but the target. */
static const struct {
	const char *name;
	size_t at;
	double target;
	struct bench_way way;
} latencies[] = {
	{ "write_lat_8b_nic", offsetof(struct bench_lat, nic), 100, { false, false } },
	{ "write_lat_8b_tx", offsetof(struct bench_lat, tx), 0, { false, false } },
	{ "write_lat_8b_rx", offsetof(struct bench_lat, rx), 0, { false, false } },
	{ "ack_turnaround", offsetof(struct bench_lat, ack), 50, { false, false } },
	{ "ack_to_cqe", offsetof(struct bench_lat, cqe), 0, { false, false } },
	{ "write_lat_8b_push", offsetof(struct bench_lat, nic), 100, { true, false } },
	/* the target: _tx, ack_turnaround and ack_to_cqe over a cable of 0 ns, 2 cycles a frame */
	{ "write_lat_8b_loop", offsetof(struct bench_lat, all), 188, { false, true } },
};

static const enum cairn_counter stalls[] = {
	CAIRN_COUNTER_STALL_RX,	    CAIRN_COUNTER_STALL_RSP, CAIRN_COUNTER_STALL_CMP,
	CAIRN_COUNTER_STALL_REQ,    CAIRN_COUNTER_STALL_TX,  CAIRN_COUNTER_STALL_DMA_WR,
	CAIRN_COUNTER_STALL_DMA_RD,
};

static unsigned int width = 512;
static char **only;

/* Of a crowd too only what is wanted is run: for the stages' cycles, which are those of a process.
 */
static bool alone;

static bool wanted(const char *name)
{
	if (!*only)
		return true;
	for (char **p = only; *p; p++)
		if (!strcmp(*p, name))
			return true;
	return false;
}

/* No more digits than say something: figures are compared as text too. */
static json_t *number(double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", value);
	return json_real(strtod(text, NULL));
}

static void put(json_t *all, const char *name, json_t *entry)
{
	char full[64];

	if (width == 512)
		snprintf(full, sizeof(full), "%s", name);
	else
		snprintf(full, sizeof(full), "%s_w%u", name, width);
	json_object_set_new(all, full, entry);
}

/*
 * Of small messages on many QPs the figure depends on which QP comes when, and so on addresses and
 * numbers: the run in the middle of as many with other ones.
 */
#define SEEDS 5

static void use_seed(unsigned int i)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", i);
	if (i)
		setenv("SEED", text, 1);
	else
		unsetenv("SEED");
}

static int slower(const void *a, const void *b)
{
	double x = ((const struct bench_result *)a)->cycles;
	double y = ((const struct bench_result *)b)->cycles;

	return (x > y) - (x < y);
}

static void run_load(const struct rdma_cfg *cfg, const struct bench_load *load,
		     struct bench_result *result)
{
	struct bench_result runs[SEEDS];
	bool varies = load->qps > 1 && load->len == 8 && !load->regions;
	unsigned int n = varies && load->op != CAIRN_WQE_OP_ATOMIC_FA && !getenv("OCC") ? SEEDS : 1;

	for (unsigned int i = 0; i < n; i++) {
		use_seed(i);
		bench_load_run(cfg, load, &runs[i]);
	}
	use_seed(0);
	qsort(runs, n, sizeof(*runs), slower);
	*result = runs[n / 2];
}

static json_t *stall_shares(const struct bench_result *result)
{
	json_t *both = json_array();

	for (unsigned int nic = 0; nic < 2; nic++) {
		json_t *shares = json_object();

		for (unsigned int i = 0; i < LEN(stalls); i++)
			json_object_set_new(shares, cairn_counter_names[stalls[i]],
					    number(100.0 * result->counter[nic][stalls[i]] /
						   result->run_cycles));
		json_array_append_new(both, shares);
	}
	return both;
}

/* What a message took of each NIC, in the mean over the run. */
static json_t *per_message(const struct bench_result *result)
{
	json_t *both = json_array();

	for (unsigned int nic = 0; nic < 2; nic++) {
		const struct sim_pcie_stats *pcie = &result->pcie[nic];
		const struct {
			const char *name;
			uint64_t value;
		} links[] = {
			{ "pcie_reads", pcie->rd_tlps },
			{ "pcie_read_bytes", pcie->rd_bytes },
			{ "pcie_writes", pcie->wr_tlps },
			{ "pcie_write_bytes", pcie->wr_bytes },
			{ "pcie_doorbells", pcie->bar_wr_tlps },
			{ "pcie_up_ns", pcie->up_busy_ns },
			{ "pcie_down_ns", pcie->down_busy_ns },
		};
		json_t *all = json_object();

		for (unsigned int i = 0; i < LEN(links); i++)
			json_object_set_new(all, links[i].name,
					    number((double)links[i].value / result->messages));
		for (unsigned int c = 0; c < CAIRN_COUNTERS; c++)
			if (cairn_counter_names[c] && result->counter[nic][c])
				json_object_set_new(
					all, cairn_counter_names[c],
					number((double)result->counter[nic][c] / result->messages));
		json_array_append_new(both, all);
	}
	return both;
}

/* The better of a share of the bound and so many cycles; 0: none. */
static double goal_cycles(double bound, double share, double cycles)
{
	if (!share)
		return cycles;
	return bound / share > cycles ? bound / share : cycles;
}

static json_t *measure(const struct rdma_cfg *cfg, const struct metric *metric)
{
	const struct bench_load *load = &metric->load;
	const struct goal *goal = &metric->goal;
	struct bench_bound bound = bench_bound(cfg, load);
	bool rate = load->len > 4096;
	struct bench_result result;
	double floor, target;
	json_t *entry = json_object();

	run_load(cfg, load, &result);
	floor = goal_cycles(bound.cycles, goal->floor, goal->floor_cycles);
	target = goal_cycles(bound.cycles, goal->target, goal->target_cycles);
#define VALUE(cycles) number(rate ? bench_gbps(width, load->len, cycles) : (cycles))
	json_object_set_new(entry, "value", VALUE(result.cycles));
	json_object_set_new(entry, "unit", json_string(rate ? "Gb/s" : "cycles/msg"));
	json_object_set_new(entry, "bound", VALUE(bound.cycles));
	json_object_set_new(entry, "percent", number(100 * bound.cycles / result.cycles));
	json_object_set_new(entry, "bound_by", json_string(bound.by));
	if (floor)
		json_object_set_new(entry, "floor", VALUE(floor));
	json_object_set_new(entry, "target", VALUE(target));
	json_object_set_new(entry, "cycles_per_message", number(result.cycles));
	json_object_set_new(entry, "bounds_cycles",
			    json_pack("{s:o,s:o,s:o,s:o}", "wire", number(bound.wire), "data_path",
				      number(bound.beats), "pcie_up", number(bound.pcie_up),
				      "pcie_down", number(bound.pcie_down)));
	json_object_set_new(entry, "stall_percent", stall_shares(&result));
	json_object_set_new(entry, "per_message", per_message(&result));
	return entry;
}

static bool is_way(struct bench_way a, struct bench_way b)
{
	return a.push == b.push && a.loop == b.loop;
}

static void measure_latency(const struct rdma_cfg *cfg, struct bench_way way, json_t *all)
{
	struct bench_lat lat;
	bool any = false;

	for (unsigned int i = 0; i < LEN(latencies); i++)
		any |= is_way(latencies[i].way, way) && wanted(latencies[i].name);
	if (!any)
		return;
	bench_lat_run(cfg, way, &lat);
	for (unsigned int i = 0; i < LEN(latencies); i++) {
		double value = *(const double *)((const char *)&lat + latencies[i].at);
		double target = latencies[i].target;
		json_t *entry = json_object();

		if (!is_way(latencies[i].way, way) || !wanted(latencies[i].name))
			continue;
		json_object_set_new(entry, "value", number(value));
		json_object_set_new(entry, "unit", json_string("cycles"));
		if (target) {
			json_object_set_new(entry, "bound", number(target));
			json_object_set_new(entry, "percent", number(100 * target / value));
			json_object_set_new(entry, "bound_by", json_string("target"));
			json_object_set_new(entry, "target", number(target));
		}
		put(all, latencies[i].name, entry);
	}
}

/*
 * More QPs than the cache has places for, on one set of NICs.  What a nearer memory costs is what
 * counts: no figure may be worse than the one at 600 ns, which is its floor.
 */
struct crowd {
	const char *name;
	unsigned int depth, rtt_ns;
	double floor; /* 0: that of 600 ns */
};

#define CROWDS 6u

/*
 * A quarter of the device (build/lib/scale: a cache of 32 QPs), the device itself, the build with
 * all QPs on chip (they are made by commands), and one of 64 K QPs.
 */
static const struct crowd_set {
	const char *models; /* below BUILD; NULL: those that are */
	unsigned int qps, seeds, n;
	bool many; /* records laid into host memory */
	bool slow; /* minutes: only when it is named */
	bool missing; /* hardly a record is still there when its QP has its next turn */
	struct crowd row[CROWDS];
} crowds[] = {
	{ "lib/scale",
	  64,
	  SEEDS,
	  6,
	  false,
	  false,
	  false,
	  { { "write_rate_8b_crowd_d4_600ns", 4, 600, 25 },
	    { "write_rate_8b_crowd_d4_200ns", 4, 200, 0 },
	    { "write_rate_8b_crowd_d4_1500ns", 4, 1500, 52 },
	    { "write_rate_8b_crowd_d1_600ns", 1, 600, 80 },
	    { "write_rate_8b_crowd_d1_200ns", 1, 200, 0 },
	    { "write_rate_8b_crowd_d1_1500ns", 1, 1500, 180 } } },
	{ NULL,
	  256,
	  1,
	  2,
	  true,
	  false,
	  false,
	  { { "write_rate_8b_256qp_d4", 4, 600, 3.6 }, { "write_rate_8b_256qp_d1", 1, 600, 9 } } },
	{ NULL,
	  1024,
	  1,
	  2,
	  true,
	  false,
	  false,
	  { { "write_rate_8b_1kqp_d4", 4, 600, 3.6 }, { "write_rate_8b_1kqp_d1", 1, 600, 9 } } },
	{ NULL,
	  4000,
	  1,
	  2,
	  true,
	  false,
	  true,
	  { { "write_rate_8b_4kqp_d4", 4, 600, 25 }, { "write_rate_8b_4kqp_d1", 1, 600, 80 } } },
	{ "lib/full512",
	  4000,
	  1,
	  2,
	  false,
	  true,
	  false,
	  { { "write_rate_8b_4kqp_chip_d4", 4, 600, 4 }, { "write_rate_8b_4kqp_chip_d1", 1, 600, 5 } } },
	{ "lib/qps64k",
	  65000,
	  1,
	  2,
	  true,
	  true,
	  true,
	  { { "write_rate_8b_64kqp_d4", 4, 600, 25 }, { "write_rate_8b_64kqp_d1", 1, 600, 80 } } },
};

static struct bench_load crowd_load(const struct crowd_set *set, const struct crowd *row)
{
	return (struct bench_load){
		WRITE_8B,
		.pmtu = 3,
		.qps = set->qps,
		.many = set->many,
		.missing = set->missing,
		.list = 1,
		.warm = set->slow ? set->qps : 4 * set->qps,
		/* a whole round of many QPs: less tells what part of one it was */
		.count = set->qps * row->depth > 1024 ? set->qps * row->depth : 1024,
		.depth = row->depth,
	};
}

static void crowd_runs(const struct rdma_cfg *cfg, const struct crowd_set *set,
		       struct bench_result result[CROWDS])
{
	struct bench_result runs[SEEDS][CROWDS], one[SEEDS];
	struct bench_load load[CROWDS];
	unsigned int rtt[CROWDS];
	const char *build = getenv("BUILD");
	unsigned int at[CROWDS], n = 0;
	struct rdma_cfg big = *cfg;
	char dir[4096];

	if (set->qps > 1 << 14) /* the driver's default */
		big.qps_log2 = 16;
	for (unsigned int i = 0; i < set->n; i++) {
		if (alone && !wanted(set->row[i].name))
			continue;
		at[n] = i;
		rtt[n] = set->row[i].rtt_ns;
		load[n++] = crowd_load(set, &set->row[i]);
	}
	snprintf(dir, sizeof(dir), "%s/%s", build && *build ? build : "build", set->models);
	if (set->models)
		setenv("CAIRN_MODEL_DIR", dir, 1);
	for (unsigned int s = 0; s < set->seeds; s++) {
		use_seed(s);
		bench_crowd_run(&big, load, rtt, n, runs[s]);
	}
	use_seed(0);
	if (set->models)
		unsetenv("CAIRN_MODEL_DIR");
	for (unsigned int i = 0; i < n; i++) {
		for (unsigned int s = 0; s < set->seeds; s++)
			one[s] = runs[s][i];
		qsort(one, set->seeds, sizeof(*one), slower);
		result[at[i]] = one[set->seeds / 2];
	}
}

static void measure_crowd(const struct rdma_cfg *cfg, const struct crowd_set *set, json_t *all)
{
	struct bench_result result[CROWDS] = { 0 };
	bool any = false;
	double floor = 0;

	for (unsigned int i = 0; i < set->n; i++)
		any |= wanted(set->row[i].name);
	if (!any || width != 512 || (set->slow && !*only))
		return;
	crowd_runs(cfg, set, result);
	for (unsigned int i = 0; i < set->n; i++) {
		const struct crowd *row = &set->row[i];
		struct bench_load load = crowd_load(set, row);
		struct bench_bound bound = bench_bound(cfg, &load);
		json_t *entry;

		if (row->rtt_ns == 600)
			floor = result[i].cycles;
		if (!wanted(row->name))
			continue;
		entry = json_object();
		json_object_set_new(entry, "bound", number(bound.cycles));
		json_object_set_new(entry, "percent", number(100 * bound.cycles / result[i].cycles));
		json_object_set_new(entry, "bound_by", json_string(bound.by));
		json_object_set_new(entry, "value", number(result[i].cycles));
		json_object_set_new(entry, "unit", json_string("cycles/msg"));
		json_object_set_new(entry, "floor", number(row->floor ? row->floor : floor));
		json_object_set_new(entry, "per_message", per_message(&result[i]));
		put(all, row->name, entry);
	}
}

/* Start-up; the floor is what a program may wait for. */
static const struct {
	const char *name;
	size_t at;
	double floor;
} starts[] = {
	{ "open_cycles", offsetof(struct bench_start, open), 30000 },
	{ "connect_cycles", offsetof(struct bench_start, connect), 21000 },
};

static void measure_start(const struct rdma_cfg *cfg, json_t *all)
{
	struct bench_start start;
	bool any = false;

	for (unsigned int i = 0; i < LEN(starts); i++)
		any |= wanted(starts[i].name);
	if (!any)
		return;
	bench_start_run(cfg, &start);
	for (unsigned int i = 0; i < LEN(starts); i++) {
		uint64_t value = *(const uint64_t *)((const char *)&start + starts[i].at);
		json_t *entry;

		if (!wanted(starts[i].name))
			continue;
		entry = json_object();
		json_object_set_new(entry, "value", number((double)value));
		json_object_set_new(entry, "unit", json_string("cycles"));
		json_object_set_new(entry, "floor", number(starts[i].floor));
		put(all, starts[i].name, entry);
	}
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int usage(void)
{
	fprintf(stderr,
		"usage: bench [--width 64|512] [--json FILE] [--alone] [METRIC...]\nmetrics:\n");
	for (unsigned int i = 0; i < LEN(metrics); i++)
		fprintf(stderr, "  %s\n", metrics[i].name);
	for (unsigned int i = 0; i < LEN(latencies); i++)
		fprintf(stderr, "  %s\n", latencies[i].name);
	for (unsigned int i = 0; i < LEN(crowds); i++)
		for (unsigned int n = 0; n < crowds[i].n; n++)
			fprintf(stderr, "  %s\n", crowds[i].row[n].name);
	for (unsigned int i = 0; i < LEN(starts); i++)
		fprintf(stderr, "  %s\n", starts[i].name);
	return 2;
}

static int save(json_t *all, const char *path)
{
	int err = path ? json_dump_file(all, path, JSON_INDENT(2) | JSON_REAL_PRECISION(6))
		       : json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));

	if (err)
		fprintf(stderr, "bench: cannot write %s\n", path ? path : "standard output");
	json_decref(all);
	return err ? 1 : 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "width", required_argument, NULL, 'w' },
						 { "json", required_argument, NULL, 'j' },
						 { "alone", no_argument, NULL, 'a' },
						 { 0 } };
	struct sim_pcie_cfg pcie;
	struct rdma_cfg cfg = { .patience = 1000000 };
	const char *path = NULL;
	json_t *all = json_object();
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'w')
			width = (unsigned int)atoi(optarg);
		else if (option == 'j')
			path = optarg;
		else if (option == 'a')
			alone = true;
		else
			return usage();
	}
	if (width != 64 && width != 512)
		return usage();
	only = argv + optind;
	use_seed(0); /* figures are those of known seeds */
	bench_links(width, &cfg, &pcie);
	for (unsigned int i = 0; i < LEN(metrics); i++) {
		double begin = seconds();

		if (!wanted(metrics[i].name))
			continue;
		put(all, metrics[i].name, measure(&cfg, &metrics[i]));
		fprintf(stderr, "%u bit: %-28s %5.1f s\n", width, metrics[i].name,
			seconds() - begin);
	}
	measure_latency(&cfg, (struct bench_way){ false, false }, all);
	measure_latency(&cfg, (struct bench_way){ true, false }, all);
	measure_latency(&cfg, (struct bench_way){ false, true }, all);
	for (unsigned int i = 0; i < LEN(crowds); i++)
		measure_crowd(&cfg, &crowds[i], all);
	measure_start(&cfg, all);
	bench_speed_say(&cfg);
	return save(all, path);
}
