// SPDX-License-Identifier: Apache-2.0
/* Environment and objects of transport tests; see rdma.h.  QPs: rdma_qp.c, requests: rdma_wr.c. */
#define _GNU_SOURCE
#include "bus_sim.h"
#include "rdma.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PATIENCE 400000u
#define COMMAND_TIMEOUT_MS 20u
#define CQ_DEPTH 2048u
#define PAGE 4096u
#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static struct rdma *current;

/* ---------------------------------------------------------------- failures */

/* What the NICs counted, next to the rest of the bundle. */
static void save_counters(const struct rdma *r, const char *dir)
{
	char path[300];
	FILE *out;

	snprintf(path, sizeof(path), "%s/counters.txt", dir);
	out = fopen(path, "w");
	for (unsigned int i = 0; out && i < r->nics; i++)
		for (unsigned int c = 0; r->nic[i].dev && c < CAIRN_COUNTERS; c++) {
			uint64_t value;

			if (cairn_counter_names[c] &&
			    !cairn_read_counter(r->nic[i].dev, c, &value) && value)
				fprintf(out, "nic%u %-24s %llu\n", i, cairn_counter_names[c],
					(unsigned long long)value);
		}
	if (out)
		fclose(out);
}

void rdma_fail(struct rdma *r, const char *format, ...)
{
	const char *where = getenv("BUNDLE");
	const char *host = getenv("HOST_PCIE");
	char message[512], dir[256], command[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	if (where && *where)
		snprintf(dir, sizeof(dir), "%s", where);
	else
		snprintf(dir, sizeof(dir), "build/integration/bundle-%s",
			 program_invocation_short_name);
	snprintf(command, sizeof(command), "ONLY='%s' SEED=0x%llx WIDTH=%u%s%s %s",
		 getenv("ONLY") ? getenv("ONLY") : "*", (unsigned long long)r->seed, r->cfg.data_w,
		 host && *host ? " HOST_PCIE=" : "", host ? host : "", program_invocation_name);
	if (sim_bundle(r->sim, dir, command))
		snprintf(dir, sizeof(dir), "(could not be written)");
	else
		save_counters(r, dir);
	print_error("%s\n  at %llu ns, %llu completions, %u due; bundle: %s\n  repeat: %s\n",
		    message, (unsigned long long)sim_now(r->sim),
		    (unsigned long long)r->completions, rdma_due(r), dir, command);
	rdma_print_due(r);
	fail();
	abort(); /* not reached: fail() leaves the test */
}

void rdma_ok(struct rdma *r, int err, const char *what)
{
	if (err)
		rdma_fail(r, "%s: %s (%s)", what, strerror(-err), cairn_last_error());
}

/* ---------------------------------------------------------------- opening and closing */

int rdma_try_open(struct rdma *r, unsigned int i, unsigned int timeout_ms)
{
	struct rdma_nic *nic = &r->nic[i];
	uint64_t from = sim_cycle(r->sim);
	struct cairn_opts opts;
	char name[16];
	int err;

	snprintf(name, sizeof(name), "sim:%u", i);
	cairn_opts_init(&opts);
	opts.seed = r->seed + i + 1 + RDMA_MAX_NICS * nic->opens++;
	opts.timeout_ms = timeout_ms;
	opts.qps_log2 = r->cfg.qps_log2;
	nic->sim = sim_nic(r->sim, i);
	nic->dev = NULL;
	err = cairn_open(name, &opts, &nic->dev);
	nic->open_cycles = sim_cycle(r->sim) - from;
	return err ? err : cairn_query_device(nic->dev, &nic->caps);
}

static void open_nic(struct rdma *r, unsigned int i)
{
	rdma_ok(r, rdma_try_open(r, i, COMMAND_TIMEOUT_MS), "cairn_open");
}

static struct rdma *open_all(const struct rdma_cfg *cfg, const struct rdma_cfg *asked)
{
	struct rdma *r = calloc(1, sizeof(*r));
	struct sim_pcie_cfg pcie;
	struct sim_cfg sim;
	const char *host = getenv("HOST_PCIE");
	char err[SIM_ERR_MAX];

	assert_non_null(r);
	r->cfg = *cfg;
	r->nics = cfg->nics;
	r->seed = test_seed();
	sim_cfg_init(&sim);
	sim.data_w = cfg->data_w;
	sim.no_jump = cfg->no_jump;
	sim.seed = sim.wire.seed = r->seed;
	sim.wire.nics = cfg->nics;
	sim.wire.peer_fn = cfg->peer_fn;
	sim.wire.peer_arg = cfg->peer_arg;
	sim.wire.pcap = rdma_trace_begin(asked->pcap);
	if (cfg->eth_mtu)
		sim.eth_mtu = cfg->eth_mtu;
	sim.wire.mbps = cfg->mbps;
	sim.pcie = cfg->pcie;
	if (cfg->stress) {
		sim_pcie_cfg_stress(&pcie, cfg->data_w, cfg->data_w >= 256 ? 4 : 8);
		sim.pcie = &pcie;
	}
	if (host && *host) {
		if (cfg->pcie)
			pcie = *cfg->pcie;
		else if (!cfg->stress)
			sim_pcie_cfg_default(&pcie, cfg->data_w, sim_default_period(cfg->data_w));
		if (!sim_pcie_cfg_host(&pcie, host, err, sizeof(err)))
			fail_msg("HOST_PCIE: %s", err);
		sim.pcie = &pcie;
	}
	r->sim = sim_new(&sim, err);
	if (!r->sim) {
		free(r);
		fail_msg("%s", err);
	}
	current = r;
	cairn_set_log(NULL, NULL); /* cairn_last_error() has it, where it matters */
	assert_int_equal(cairn_sim_attach(r->sim), 0);
	for (unsigned int i = 0; i < r->nics; i++)
		open_nic(r, i);
	return r;
}

/* Best effort: it may follow a failure. */
static void destroy_objects(struct rdma *r)
{
	while (r->qps)
		rdma_destroy_qp(r->qps);
	while (r->cqs) {
		struct rdma_cq *cq = r->cqs;

		r->cqs = cq->next;
		cairn_destroy_cq(cq->cq);
		free(cq);
	}
	while (r->bufs) {
		struct rdma_buf *buf = r->bufs;

		r->bufs = buf->next;
		cairn_dereg_mr(buf->mr);
		if (buf->mapped)
			munmap(buf->base, buf->total);
		else
			free(buf->base);
		free(buf->shadow);
		free(buf);
	}
	for (unsigned int i = 0; i < r->nics; i++) {
		if (r->nic[i].pd)
			cairn_dealloc_pd(r->nic[i].pd);
		r->nic[i].pd = NULL;
	}
}

void rdma_give_up(struct rdma *r, unsigned int nic)
{
	destroy_objects(r);
	cairn_close(r->nic[nic].dev);
	r->nic[nic].dev = NULL;
}

void rdma_reopen(struct rdma *r, unsigned int nic)
{
	struct cairn_port_attr port;

	/* libcairn notices here at the latest */
	rdma_assert(r, cairn_query_port(r->nic[nic].dev, &port));
	rdma_give_up(r, nic);
	open_nic(r, nic);
}

static void close_all(struct rdma *r)
{
	for (unsigned int i = 0; i < r->nics; i++)
		if (r->nic[i].dev)
			cairn_close(r->nic[i].dev);
	cairn_sim_attach(NULL);
	sim_free(r->sim);
	rdma_trace_end(r->clean);
	free(r);
	current = NULL;
}

int rdma_teardown(void **state)
{
	(void)state;
	if (current && !current->clean) {
		destroy_objects(current);
		close_all(current);
	}
	return 0;
}

int rdma_group_teardown(void **state)
{
	rdma_teardown(state);
	if (current)
		close_all(current);
	return rdma_trace_findings();
}

struct rdma *rdma_begin(const struct rdma_cfg *asked)
{
	static const struct rdma_cfg defaults;
	const char *width = getenv("WIDTH");
	struct rdma_cfg cfg;
	struct rdma *r;

	if (!asked)
		asked = &defaults;
	memset(&cfg, 0, sizeof(cfg));
	cfg.data_w = asked->data_w ? asked->data_w : width && *width ? (uint32_t)atoi(width) : 64;
	cfg.nics = asked->nics ? asked->nics : 2;
	cfg.stress = asked->stress;
	cfg.no_jump = asked->no_jump;
	cfg.eth_mtu = asked->eth_mtu;
	cfg.pcap = asked->pcap;
	cfg.mbps = asked->mbps;
	cfg.qps_log2 = asked->qps_log2;
	cfg.pcie = asked->pcie;
	cfg.peer_fn = asked->peer_fn;
	cfg.peer_arg = asked->peer_arg;
	cfg.patience = asked->patience ? asked->patience : PATIENCE;
	assert_in_range(cfg.nics, 1, RDMA_MAX_NICS);
	/* Patience may differ; all else makes other NICs. */
	if (current) {
		current->cfg.patience = cfg.patience;
		if (memcmp(&current->cfg, &cfg, sizeof(cfg)))
			close_all(current);
	}
	r = current ? current : open_all(&cfg, asked);
	r->clean = false;
	r->rng.state = r->seed;
	r->completions = 0;
	r->errors = sim_errors(r->sim);
	for (unsigned int i = 0; i < r->nics; i++) {
		r->nic[i].events = 0;
		rdma_ok(r, cairn_alloc_pd(r->nic[i].dev, &r->nic[i].pd), "PD");
		r->nic[i].cq = rdma_create_cq(r, i, CQ_DEPTH);
	}
	rdma_counters_begin(r);
	return r;
}

void rdma_end(struct rdma *r)
{
	static const enum cairn_eqe_type bad[] = { CAIRN_EQE_TYPE_CQ_ERR, CAIRN_EQE_TYPE_SRQ_ERR,
						   CAIRN_EQE_TYPE_DEVICE_FATAL };

	rdma_wait(r);
	rdma_clear_rules(r);
	/* A stray completion, write or event had time to show. */
	rdma_settle(r, 2000);
	rdma_poll(r);
	for (const struct rdma_buf *buf = r->bufs; buf; buf = buf->next)
		rdma_buf_check(r, buf);
	for (unsigned int i = 0; i < r->nics; i++)
		for (unsigned int b = 0; b < LEN(bad); b++)
			if (rdma_events(r, i, bad[b]))
				rdma_fail(r, "NIC %u: event %s", i,
					  cairn_enum_name("eqe_type", bad[b]));
	rdma_counters_check(r);
	while (r->qps)
		rdma_destroy_qp(r->qps);
	for (struct rdma_cq *cq = r->cqs; cq; cq = cq->next)
		if (cairn_cq_next(cq->cq))
			rdma_fail(r, "CQ %u of NIC %u has a completion after its QPs are gone",
				  cq->cq->cqn, cq->nic);
	for (const struct rdma_buf *buf = r->bufs; buf; buf = buf->next)
		rdma_buf_check(r, buf);
	destroy_objects(r);
	if (sim_errors(r->sim) != r->errors)
		rdma_fail(r, "%u failed assertions of the model or broken PCIe rules (see above)",
			  sim_errors(r->sim) - r->errors);
	r->clean = true;
}

void rdma_need(struct rdma *r, uint32_t features)
{
	uint32_t missing = features & ~r->nic[0].caps.features;

	if (!missing)
		return;
	print_message("# this build has no features 0x%x of REG FEATURES\n", missing);
	rdma_end(r);
	skip();
}

/* ---------------------------------------------------------------- facts */

uint64_t rdma_counter(struct rdma *r, unsigned int nic, enum cairn_counter counter)
{
	uint64_t value = 0;

	rdma_ok(r, cairn_read_counter(r->nic[nic].dev, counter, &value), "counter");
	return value;
}

uint64_t rdma_counter_named(struct rdma *r, unsigned int nic, const char *name)
{
	for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
		if (cairn_counter_names[i] && !strcmp(cairn_counter_names[i], name))
			return rdma_counter(r, nic, i);
	rdma_fail(r, "no counter is named %s", name);
}

void rdma_rule(struct rdma *r, const char *format, ...)
{
	char text[256], err[SIM_ERR_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (sim_wire_add_rule(sim_wire(r->sim), text, err))
		rdma_fail(r, "rule \"%s\": %s", text, err);
}

void rdma_clear_rules(struct rdma *r)
{
	sim_wire_clear_rules(sim_wire(r->sim));
}

static void take_event(void *arg, const struct cairn_event *event)
{
	struct rdma_nic *nic = arg;

	if (nic->events < RDMA_MAX_EVENTS)
		nic->event[nic->events++] = *event;
}

unsigned int rdma_events(struct rdma *r, unsigned int nic, enum cairn_eqe_type type)
{
	struct rdma_nic *n = &r->nic[nic];
	unsigned int count = 0;
	int got = cairn_poll_events(n->dev, CAIRN_VECTOR_ASYNC, take_event, n);

	if (got < 0)
		rdma_ok(r, got, "asynchronous events");
	for (unsigned int i = 0; i < n->events; i++)
		count += n->event[i].type == (uint32_t)type;
	return count;
}

/* ---------------------------------------------------------------- buffers */

static void fill(struct rdma *r, struct rdma_buf *buf)
{
	uint64_t salt = rng_u64(&r->rng);

	/* A hash of the offset, so that bytes that went astray say so. */
	for (size_t i = 0; i < buf->total; i++) {
		uint64_t x = (i + salt) * 0x9e3779b97f4a7c15ULL;

		buf->base[i] = (uint8_t)(x >> 56 ^ x >> 24);
	}
	memcpy(buf->shadow, buf->base, buf->total);
}

/* Pages at that address, which nothing else uses. */
static void *pages_at(uintptr_t at, size_t len)
{
	void *area = mmap((void *)at, len, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	assert_ptr_equal(area, (void *)at);
	return area;
}

struct rdma_buf *rdma_buf_with(struct rdma *r, unsigned int nic, const struct rdma_buf_cfg *cfg)
{
	struct rdma_buf *buf = calloc(1, sizeof(*buf));
	size_t inner = (cfg->offset + cfg->len + PAGE - 1) / PAGE * PAGE;

	assert_non_null(buf);
	buf->nic = nic;
	buf->len = cfg->len;
	buf->total = inner + 2 * (size_t)RDMA_GUARD;
	buf->mapped = cfg->at;
	buf->base = cfg->at ? pages_at(cfg->at, buf->total) : aligned_alloc(PAGE, buf->total);
	buf->shadow = malloc(buf->total);
	assert_non_null(buf->base);
	assert_non_null(buf->shadow);
	buf->data = buf->base + RDMA_GUARD + cfg->offset;
	fill(r, buf);
	rdma_ok(r,
		cairn_reg_mr_kind(cfg->pd ? cfg->pd : r->nic[nic].pd, buf->data, cfg->len,
				  cfg->va ? cfg->va : (uintptr_t)buf->data, cfg->access, cfg->kind,
				  &buf->mr),
		"memory region");
	buf->next = r->bufs;
	r->bufs = buf;
	return buf;
}

struct rdma_buf *rdma_buf(struct rdma *r, unsigned int nic, size_t len, unsigned int offset)
{
	struct rdma_buf_cfg cfg = { .len = len, .offset = offset, .access = RDMA_ALL_ACCESS };

	return rdma_buf_with(r, nic, &cfg);
}

void rdma_buf_refill(struct rdma *r, struct rdma_buf *buf)
{
	fill(r, buf);
}

void rdma_buf_forget(struct rdma_buf *buf, size_t offset, size_t len)
{
	size_t at = (size_t)(buf->data - buf->base) + offset;

	memcpy(buf->shadow + at, buf->base + at, len);
}

void rdma_buf_check(struct rdma *r, const struct rdma_buf *buf)
{
	size_t first = (size_t)(buf->data - buf->base), wrong = 0, at = 0;

	if (!memcmp(buf->base, buf->shadow, buf->total))
		return;
	for (size_t i = buf->total; i-- > 0;)
		if (buf->base[i] != buf->shadow[i]) {
			at = i;
			wrong++;
		}
	rdma_fail(r,
		  "NIC %u, buffer of %zu bytes at %p, key 0x%x: byte %zd%s is 0x%02x, not 0x%02x; "
		  "%zu bytes are wrong",
		  buf->nic, buf->len, (void *)buf->data, buf->mr->key, (ssize_t)at - (ssize_t)first,
		  at < first || at >= first + buf->len ? " (guard)" : "", buf->base[at],
		  buf->shadow[at], wrong);
}

struct cairn_sge rdma_sge(const struct rdma_buf *buf, size_t offset, size_t len)
{
	return (struct cairn_sge){ .addr = buf->mr->va + offset,
				   .lkey = buf->mr->key,
				   .length = (uint32_t)len };
}

uint8_t *rdma_find(struct rdma *r, unsigned int nic, uint32_t key, uint64_t va, size_t len,
		   struct rdma_buf **out)
{
	for (struct rdma_buf *buf = r->bufs; buf; buf = buf->next) {
		uint64_t offset = va - buf->mr->va;

		if (buf->nic != nic || buf->mr->key != key || offset > buf->len ||
		    len > buf->len - offset)
			continue;
		*out = buf;
		return buf->data + offset;
	}
	return NULL;
}

/* ---------------------------------------------------------------- queues */

struct rdma_cq *rdma_create_cq(struct rdma *r, unsigned int nic, unsigned int depth)
{
	struct rdma_cq *cq = calloc(1, sizeof(*cq));

	assert_non_null(cq);
	cq->r = r;
	cq->nic = nic;
	if (cairn_create_cq(r->nic[nic].dev, depth, CAIRN_ANY, NULL, cq, &cq->cq)) {
		free(cq);
		rdma_fail(r, "CQ: %s", cairn_last_error());
	}
	cq->next = r->cqs;
	r->cqs = cq;
	return cq;
}
