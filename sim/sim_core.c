// SPDX-License-Identifier: Apache-2.0
/*
 * The simulator's clock: all NICs on one time, a period a step.  A NIC with nothing to do is not
 * computed ("asleep"); when all sleep, time jumps to the next event.  cfg.no_jump computes every
 * edge of every NIC; both give the same results as long as cores tell the truth with idle_o and
 * deadline_o.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_priv.h"

#define RESET_CYCLES	16
#define WAVE_LEVELS	99

void sim_cfg_init(struct sim_cfg *cfg)
{
	*cfg = (struct sim_cfg){
		.data_w = 64, .seed = 1, .eth_mtu = 4200,
		.wire = { .nics = 2, .delay_ns = 500, .seed = 1 },
	};
}

unsigned int sim_default_period(unsigned int data_w)
{
	return data_w >= 256 ? 4 : 8;
}

uint32_t sim_default_mbps(unsigned int data_w, unsigned int period_ns)
{
	uint32_t mbps = data_w * 1000 / period_ns;

	return mbps < 100000 ? mbps : 100000;
}

/* ---- waves: a window of every NIC, one file each ---- */

#define WAVES_PATH 4096

static void waves_name(const struct sim *sim, unsigned int nic, char name[WAVES_PATH])
{
	const char *path = sim->cfg.waves, *dot = strrchr(path, '.');
	int stem = dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path);

	if (sim->n_nics > 1)
		snprintf(name, WAVES_PATH, "%.*s.nic%u%s", stem, path, nic, path + stem);
	else
		snprintf(name, WAVES_PATH, "%s", path);
}

/* The window may open hours later: that is too late to hear that it cannot be written. */
static bool waves_can_be_written(const struct sim *sim, char *err)
{
	for (unsigned int i = 0; sim->cfg.waves && i < sim->n_nics; i++) {
		char name[WAVES_PATH];
		FILE *file;

		waves_name(sim, i, name);
		file = fopen(name, "we");
		if (!file) {
			snprintf(err, SIM_ERR_MAX, "waves: cannot write %.300s: %s", name,
				 strerror(errno));
			return false;
		}
		fclose(file);
	}
	return true;
}

static void open_waves(struct sim *sim)
{
	for (unsigned int i = 0; i < sim->n_nics; i++) {
		char name[WAVES_PATH];
		int ret;

		waves_name(sim, i, name);
		ret = sim->nic[i]->ops->trace_open(sim->nic[i]->dut, name, WAVE_LEVELS);
		if (ret)
			fprintf(stderr, "waves: cannot write %s: %s\n", name, strerror(-ret));
	}
	sim->waves_open = true;
}

static void close_waves(struct sim *sim)
{
	for (unsigned int i = 0; sim->waves_open && i < sim->n_nics; i++)
		sim->nic[i]->ops->trace_close(sim->nic[i]->dut);
	sim->waves_open = false;
}

static void dump_waves(struct sim *sim, struct sim_nic *nic, uint64_t time)
{
	if (sim->waves_open && nic->clocked)
		nic->ops->trace_dump(nic->dut, time);
}

static void waves_window(struct sim *sim)
{
	if (!sim->waves_open && !sim->waves_done && sim->now >= sim->cfg.waves_from)
		open_waves(sim);
	if (sim->waves_open && sim->cfg.waves_to && sim->now >= sim->cfg.waves_to) {
		close_waves(sim);
		sim->waves_done = true;
	}
}

/* ---- a step ---- */

static void set_now(struct sim *sim, uint64_t now)
{
	sim->now = now;
	if (sim->shown)
		__atomic_store_n(sim->shown, now, __ATOMIC_RELAXED);
}

void sim_show_time(struct sim *sim, uint64_t *word)
{
	sim->shown = word;
	set_now(sim, sim->now);
}

void sim_step(struct sim *sim)
{
	uint64_t now = sim->now;

	if (sim->cfg.waves)
		waves_window(sim);
	sim_wire_advance(sim->wire, now);
	/*
	 * First all inputs, then all outputs: a frame sent now is seen by every NIC in the next
	 * cycle.
	 */
	for (unsigned int i = 0; i < sim->n_nics; i++) {
		struct sim_nic *nic = sim->nic[i];

		nic->clocked = (sim->cfg.no_jump && !nic->held) || sim_nic_wake(nic, now) <= now;
		if (nic->clocked)
			sim_nic_drive(nic, now);
	}
	for (unsigned int i = 0; i < sim->n_nics; i++) {
		struct sim_nic *nic = sim->nic[i];

		if (!nic->clocked)
			continue;
		dump_waves(sim, nic, now);
		sim_nic_sample(nic, now);
		sim_nic_edge(nic);
		sim->evaluated++;
		dump_waves(sim, nic, now + sim->period / 2);
	}
	set_now(sim, now + sim->period);
}

static void reset(struct sim *sim)
{
	for (unsigned int c = 0; c <= RESET_CYCLES; c++) {
		for (unsigned int i = 0; i < sim->n_nics; i++)
			sim_nic_reset_cycle(sim->nic[i], sim->now, c < RESET_CYCLES);
		sim->now += sim->period;
	}
}

/* ---- life ---- */

static int set_up(struct sim *sim, char *err)
{
	struct sim_cfg *cfg = &sim->cfg;

	if (cfg->data_w < 64 || cfg->data_w > 512 || cfg->data_w & (cfg->data_w - 1)) {
		snprintf(err, SIM_ERR_MAX, "data path of %u bits: 64, 128, 256 or 512", cfg->data_w);
		return -EINVAL;
	}
	if (!cfg->period_ns)
		cfg->period_ns = sim_default_period(cfg->data_w);
	sim->period = cfg->period_ns;
	if (!cfg->wire.mbps)
		cfg->wire.mbps = sim_default_mbps(cfg->data_w, cfg->period_ns);
	if (!cfg->model)
		cfg->model = sim_model_load(cfg->data_w, cfg->waves, &sim->model_so, err);
	if (!cfg->model)
		return -ENOENT;
	if (cfg->waves && !cfg->model->can_trace) {
		snprintf(err, SIM_ERR_MAX, "this model was built without waves; build with TRACE=1");
		return -ENOTSUP;
	}
	sim->wire = sim_wire_new(&cfg->wire, err);
	if (!sim->wire)
		return -EINVAL;
	sim->nic = calloc(cfg->wire.nics, sizeof(*sim->nic));
	for (unsigned int i = 0; sim->nic && i < cfg->wire.nics; i++) {
		sim->nic[i] = calloc(1, sizeof(*sim->nic[i]));
		if (!sim->nic[i])
			break;
		sim->n_nics = i + 1;
		if (sim_nic_init(sim->nic[i], sim, i, err))
			return -EINVAL;
	}
	if (sim->n_nics < cfg->wire.nics) {
		snprintf(err, SIM_ERR_MAX, "out of memory");
		return -ENOMEM;
	}
	return waves_can_be_written(sim, err) ? sim_record_begin(sim, err) : -EIO;
}

struct sim *sim_new(const struct sim_cfg *cfg, char *err)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	*err = '\0';
	if (!sim)
		return NULL;
	sim->cfg = *cfg;
	if (set_up(sim, err)) {
		sim_free(sim);
		return NULL;
	}
	reset(sim);
	return sim;
}

void sim_free(struct sim *sim)
{
	char err[SIM_ERR_MAX];

	if (!sim)
		return;
	close_waves(sim);
	if (sim_close_files(sim, err))
		fprintf(stderr, "%s\n", err);
	for (unsigned int i = 0; i < sim->n_nics; i++) {
		sim_nic_destroy(sim->nic[i]);
		free(sim->nic[i]);
	}
	free(sim->nic);
	sim_wire_free(sim->wire);
	sim_model_unload(sim->model_so);
	free(sim);
}

/* ---- running ---- */

uint64_t sim_next(const struct sim *sim)
{
	uint64_t next = sim_wire_next(sim->wire);

	for (unsigned int i = 0; i < sim->n_nics; i++) {
		uint64_t wake = sim_nic_wake(sim->nic[i], sim->now);

		if (wake < next)
			next = wake;
	}
	return next;
}

bool sim_idle(const struct sim *sim)
{
	return sim_next(sim) > sim->now;
}

void sim_jump(struct sim *sim, uint64_t until)
{
	uint64_t next = sim_next(sim);

	if (next < until)
		until = next;
	if (until > sim->now)
		set_now(sim, sim->now + (until - sim->now) / sim->period * sim->period);
}

/* Go on to `end` or to where something happens.  Returns true if a cycle was computed. */
static bool advance(struct sim *sim, uint64_t end)
{
	if (!sim->cfg.no_jump)
		sim_jump(sim, end);
	if (sim->now >= end)
		return false;
	sim_step(sim);
	return true;
}

void sim_run(struct sim *sim, uint64_t cycles)
{
	uint64_t end = sim->now + cycles * sim->period;

	while (sim->now < end)
		advance(sim, end);
}

int sim_run_until(struct sim *sim, bool (*cond)(void *arg), void *arg, uint64_t max_cycles)
{
	uint64_t end = sim->now + max_cycles * sim->period;

	if (end < sim->now || max_cycles > UINT64_MAX / sim->period)
		end = SIM_NEVER;
	for (;;) {
		if (cond(arg))
			return 0;
		if (sim->now >= end)
			return -ETIMEDOUT;
		if (sim_next(sim) == SIM_NEVER)
			return -EAGAIN;
		advance(sim, end);
	}
}

/* ---- what is what ---- */

uint64_t sim_now(const struct sim *sim) { return sim->now; }
uint64_t sim_cycle(const struct sim *sim) { return sim->now / sim->period; }
uint64_t sim_evaluated(const struct sim *sim) { return sim->evaluated; }
unsigned int sim_period(const struct sim *sim) { return sim->period; }
unsigned int sim_nics(const struct sim *sim) { return sim->n_nics; }
struct sim_nic *sim_nic(struct sim *sim, unsigned int index)
{
	return index < sim->n_nics ? sim->nic[index] : NULL;
}
struct sim_wire *sim_wire(struct sim *sim) { return sim->wire; }
const struct sim_cfg *sim_config(const struct sim *sim) { return &sim->cfg; }
unsigned int sim_nic_index(const struct sim_nic *nic) { return nic->index; }
struct sim *sim_nic_sim(struct sim_nic *nic) { return nic->sim; }
struct sim_pcie *sim_nic_pcie(struct sim_nic *nic) { return nic->pcie; }
struct sim_mem *sim_nic_mem(struct sim_nic *nic) { return nic->mem; }
struct sim_dut *sim_nic_dut(struct sim_nic *nic) { return nic->dut; }
