// SPDX-License-Identifier: Apache-2.0
/*
 * One simulated NIC: the Verilated core with its root complex, host memory and MAC, and when it may
 * sleep.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_priv.h"

/* Locally administered: 02:ca:12:00:00:<index>. */
#define MAC_BASE 0x02ca12000000ULL

uint64_t sim_nic_mac(const struct sim_nic *nic)
{
	return MAC_BASE + nic->index + 1;
}

/* ---- ports ---- */

static const struct sim_port *need(struct sim_nic *nic, const char *name, unsigned int bytes,
				   char *err)
{
	const struct sim_port *port = nic->ops->find(nic->dut, name);

	if (port && port->bytes == bytes)
		return port;
	if (!*err)
		snprintf(err, SIM_ERR_MAX, "the model has no port %s of %u bytes", name, bytes);
	return NULL;
}

static void constant(struct sim_nic *nic, const char *name, uint64_t value, char *err)
{
	const struct sim_port *port = nic->ops->find(nic->dut, name);

	if (port && port->bytes <= sizeof(value))
		memcpy(port->bits, &value, port->bytes);
	else if (!*err)
		snprintf(err, SIM_ERR_MAX, "the model has no port %s", name);
}

static int find_ports(struct sim_nic *nic, char *err)
{
	const struct { const char *name; unsigned int bytes; void *at; } ports[] = {
		{ "clk_i", 1, &nic->clk }, { "rst_ni", 1, &nic->rst_n }, { "mac_link_i", 1, &nic->link },
		{ "time_now_i", 8, &nic->time_now }, { "idle_o", 1, &nic->idle },
		{ "deadline_valid_o", 1, &nic->deadline_valid }, { "deadline_o", 8, &nic->deadline },
		{ "uart_valid_o", 1, &nic->uart_valid }, { "uart_data_o", 1, &nic->uart_data },
	};
	const struct sim_cfg *cfg = &nic->sim->cfg;

	for (unsigned int i = 0; i < nic->ops->n_ports; i++) {
		const struct sim_port *port = nic->ops->port(nic->dut, i);

		if (port->dir == SIM_IN)
			memset(port->bits, 0, port->bytes);
	}
	*err = '\0';
	for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++) {
		const struct sim_port *port = need(nic, ports[i].name, ports[i].bytes, err);

		if (port)
			memcpy(ports[i].at, &port->bits, sizeof(port->bits));
	}
	constant(nic, "mac_addr_i", sim_nic_mac(nic), err);
	constant(nic, "mac_eth_mtu_i", cfg->eth_mtu, err);
	constant(nic, "mac_gbps_i", (cfg->wire.mbps + 999) / 1000, err);
	return *err ? -EINVAL : 0;
}

/* ---- life ---- */

static int attach_pcie(struct sim_nic *nic, char *err)
{
	struct sim_pcie_cfg cfg;
	struct sim_pcie_ports ports;
	const char *missing;

	if (nic->sim->cfg.pcie)
		cfg = *nic->sim->cfg.pcie;
	else
		sim_pcie_cfg_default(&cfg, nic->sim->cfg.data_w, nic->sim->period);
	cfg.name = nic->name;
	cfg.seed = nic->sim->cfg.seed * 0x100 + nic->index;
	if (sim_pcie_ports_find(&ports, nic->ops, nic->dut, &missing)) {
		snprintf(err, SIM_ERR_MAX, "the model has no port %s", missing);
		return -EINVAL;
	}
	if (ports.data_w != nic->sim->cfg.data_w) {
		snprintf(err, SIM_ERR_MAX, "the model is %u bits wide, not %u", ports.data_w, nic->sim->cfg.data_w);
		return -EINVAL;
	}
	nic->tlp_rx_valid = ports.rx_valid;
	nic->tlp_tx_valid = ports.tx_valid;
	nic->pcie = sim_pcie_new(&cfg, &ports, nic->mem);
	if (!nic->pcie)
		snprintf(err, SIM_ERR_MAX, "root complex: %s", strerror(errno));
	return nic->pcie ? 0 : -EINVAL;
}

int sim_nic_init(struct sim_nic *nic, struct sim *sim, unsigned int index, char *err)
{
	uint32_t seed = (uint32_t)(sim->cfg.seed * 0x9e3779b1u + index * 0x85ebca6bu) | 1;
	const char *missing;

	nic->sim = sim;
	nic->index = index;
	nic->ops = sim->cfg.model;
	nic->eval = nic->ops->eval;
	snprintf(nic->name, sizeof(nic->name), "nic%u", index);
	nic->dut_seed = sim->cfg.zero_init ? 0 : seed & 0x7fffffff;
	nic->dut = nic->ops->create(nic->name, nic->dut_seed);
	nic->mem = sim_mem_new();
	if (!nic->dut || !nic->mem) {
		snprintf(err, SIM_ERR_MAX, "out of memory");
		return -ENOMEM;
	}
	if (find_ports(nic, err))
		return -EINVAL;
	*nic->link = 1;
	if (sim_mac_init(&nic->mac, sim->wire, index, sim->period, nic->ops, nic->dut, &missing)) {
		snprintf(err, SIM_ERR_MAX, "the model has no port %s", missing);
		return -EINVAL;
	}
	return attach_pcie(nic, err);
}

int sim_nic_record(struct sim_nic *nic, const char *dir, char *err)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.rec", dir, nic->name);
	nic->record = sim_record_new(path, nic->ops, nic->dut, nic->sim->cfg.data_w,
				     nic->sim->period, nic->dut_seed, err);
	return nic->record ? 0 : -EIO;
}

void sim_nic_destroy(struct sim_nic *nic)
{
	sim_record_free(nic->record);
	sim_pcie_free(nic->pcie);
	sim_mem_free(nic->mem);
	sim_mac_free(&nic->mac);
	if (nic->dut) {
		nic->ops->final(nic->dut);
		nic->ops->destroy(nic->dut);
	}
}

/* ---- a cycle ---- */

void sim_nic_drive(struct sim_nic *nic, uint64_t now)
{
	*nic->time_now = now;
	sim_pcie_pre(nic->pcie, now);
	sim_mac_drive(&nic->mac, now);
	*nic->clk = 0;
	nic->eval(nic->dut);
}

static void console(struct sim_nic *nic, char c)
{
	const struct sim_cfg *cfg = &nic->sim->cfg;

	if (c != '\n' && nic->line_len < SIM_CONSOLE_LINE - 1) {
		nic->line[nic->line_len++] = c;
		return;
	}
	nic->line[nic->line_len] = '\0';
	nic->line_len = 0;
	if (cfg->console)
		cfg->console(cfg->console_arg, nic->index, nic->line);
}

void sim_nic_sample(struct sim_nic *nic, uint64_t now)
{
	bool busy = !*nic->idle || *nic->mac.rx_valid || *nic->tlp_rx_valid || *nic->tlp_tx_valid ||
		    (*nic->deadline_valid && *nic->deadline <= now);

	sim_pcie_post(nic->pcie);
	busy |= sim_mac_sample(&nic->mac, now);
	if (*nic->uart_valid) {
		console(nic, (char)*nic->uart_data);
		busy = true;
	}
	if (busy || !sim_pcie_idle(nic->pcie))
		nic->quiet = 0;
	else if (nic->quiet < SIM_SETTLE_CYCLES)
		nic->quiet++;
}

void sim_nic_edge(struct sim_nic *nic)
{
	if (nic->record)
		sim_record_cycle(nic->record, *nic->time_now);
	*nic->clk = 1;
	nic->eval(nic->dut);
}

void sim_nic_reset_cycle(struct sim_nic *nic, uint64_t now, bool in_reset)
{
	*nic->rst_n = !in_reset;
	*nic->time_now = now;
	*nic->clk = 0;
	nic->eval(nic->dut);
	sim_nic_edge(nic);
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t sim_nic_wake(const struct sim_nic *nic, uint64_t now)
{
	uint64_t wake;

	if (nic->held)
		return SIM_NEVER;
	if (nic->quiet < SIM_SETTLE_CYCLES || !sim_pcie_idle(nic->pcie))
		return 0;
	wake = min(sim_mac_next(&nic->mac), sim_pcie_next_event(nic->pcie));
	if (*nic->deadline_valid) {
		/* The last edge not after the deadline is computed, then all that follow. */
		uint64_t period = nic->sim->period, deadline = *nic->deadline;

		wake = deadline <= now ? 0 : min(wake, deadline - (deadline - now) % period);
	}
	return wake;
}

unsigned int sim_nic_errors(const struct sim_nic *nic)
{
	return nic->ops->errors(nic->dut) + (unsigned int)sim_pcie_violations(nic->pcie);
}

unsigned int sim_errors(const struct sim *sim)
{
	unsigned int errors = 0;

	for (unsigned int i = 0; i < sim->n_nics; i++)
		errors += sim_nic_errors(sim->nic[i]);
	return errors;
}

void sim_nic_set_link(struct sim_nic *nic, bool up)
{
	*nic->link = up;
	nic->quiet = 0;
	sim_wire_set_link(nic->sim->wire, nic->index, up);
}

void sim_nic_hold(struct sim_nic *nic, bool held)
{
	nic->held = held;
}

bool sim_nic_held(const struct sim_nic *nic)
{
	return nic->held;
}
