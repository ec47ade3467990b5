/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulated NICs with the stand-in core in this process: host memory, interrupts, descriptors, a
 * log.
 */
#ifndef CAIRN_STANDIN_RIG_H
#define CAIRN_STANDIN_RIG_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "rng.h"
#include "sim.h"
#include "sim_mem.h"
#include "sim_pcie.h"
#include "standin.h"

const struct sim_dut_ops *cairn_dut_standin64(void);
const struct sim_dut_ops *cairn_dut_standin512(void);

#define PAGE		4096
#define MEM_BYTES	(1 << 20)
#define RW		(SIM_MEM_READ | SIM_MEM_WRITE)
#define LOG_MAX		4096

/* IOVAs: one range below 4 GiB, one above, so that both header forms are used. */
#define LOW		0x00100000ULL
#define HIGH		0x7f00000000ULL

struct event {
	uint64_t time;
	uint32_t what, value;
};

struct host {
	struct sim_nic *nic;
	uint8_t *low, *high;
	unsigned int irqs[CAIRN_MSIX_VECTORS];
};

struct rig {
	struct sim *sim;
	struct host host[2];
	struct event log[LOG_MAX];
	unsigned int events;
	char console[256];
};

static struct rig *rig_of_irq;

static inline void note(struct rig *rig, uint32_t what, uint32_t value)
{
	if (rig->events < LOG_MAX)
		rig->log[rig->events++] = (struct event){ sim_now(rig->sim), what, value };
}

static inline void on_irq(void *arg, unsigned int vector)
{
	struct host *host = arg;

	host->irqs[vector]++;
	note(rig_of_irq, 1000 + sim_nic_index(host->nic) * 100 + vector, host->irqs[vector]);
}

static inline void on_frame(void *arg, unsigned int port, const struct sim_frame *frame)
{
	note(arg, 2000 + port, frame->len);
	note(arg, 3000 + port, (uint32_t)frame->t);
}

static inline void on_console(void *arg, unsigned int nic, const char *line)
{
	struct rig *rig = arg;

	snprintf(rig->console, sizeof(rig->console), "%u:%s", nic, line);
}

static inline struct rig *rig_new(struct sim_cfg *cfg)
{
	struct rig *rig = calloc(1, sizeof(*rig));
	char err[SIM_ERR_MAX];
	uint16_t command = 6;	/* memory space, bus master */

	cfg->console = on_console;
	cfg->console_arg = rig;
	cfg->seed = cfg->wire.seed = test_seed();
	if (!cfg->model)
		cfg->model = cfg->data_w == 64 ? cairn_dut_standin64() : cairn_dut_standin512();
	rig->sim = sim_new(cfg, err);
	if (!rig->sim)
		fail_msg("%s", err);
	rig_of_irq = rig;
	sim_wire_set_tap(sim_wire(rig->sim), on_frame, rig);
	for (unsigned int i = 0; i < cfg->wire.nics && i < 2; i++) {
		struct host *host = &rig->host[i];

		host->nic = sim_nic(rig->sim, i);
		host->low = aligned_alloc(PAGE, MEM_BYTES);
		host->high = aligned_alloc(PAGE, MEM_BYTES);
		memset(host->low, 0, MEM_BYTES);
		memset(host->high, 0, MEM_BYTES);
		assert_int_equal(sim_nic_map(host->nic, LOW, host->low, MEM_BYTES, RW), 0);
		assert_int_equal(sim_nic_map(host->nic, HIGH, host->high, MEM_BYTES, RW), 0);
		assert_int_equal(sim_nic_cfg_write(host->nic, 4, &command, 2), 0);
		for (unsigned int v = 0; v < 4; v++)
			assert_int_equal(sim_nic_set_irq(host->nic, v, on_irq, host), 0);
	}
	return rig;
}

static inline struct rig *rig_of_width(unsigned int data_w)
{
	struct sim_cfg cfg;

	sim_cfg_init(&cfg);
	cfg.data_w = data_w;
	return rig_new(&cfg);
}

static inline void rig_free(struct rig *rig)
{
	assert_int_equal(sim_errors(rig->sim), 0);
	sim_free(rig->sim);
	for (unsigned int i = 0; i < 2; i++) {
		free(rig->host[i].low);
		free(rig->host[i].high);
	}
	free(rig);
}

static inline uint64_t reg(struct host *host, uint64_t offset, unsigned int size)
{
	uint64_t value;

	assert_int_equal(sim_nic_read(host->nic, 0, offset, size, &value), 0);
	return value;
}

/* ---- descriptors: at LOW + n * 64 ---- */

static inline void ring(struct host *host, unsigned int n, const struct standin_desc *desc)
{
	memcpy(host->low + n * sizeof(*desc), desc, sizeof(*desc));
	assert_int_equal(sim_nic_write(host->nic, 2, CAIRN_DB_SQ, 8, LOW + n * sizeof(*desc)), 0);
}

static inline struct standin_desc *result(struct host *host, unsigned int n)
{
	return (struct standin_desc *)(host->low + n * sizeof(struct standin_desc));
}

struct wait {
	const volatile uint32_t *value;
	uint32_t want;
};

static inline bool reached(void *arg)
{
	const struct wait *wait = arg;

	return *wait->value >= wait->want;
}

static inline void wait_for(struct rig *rig, const volatile uint32_t *value, uint32_t want)
{
	struct wait wait = { value, want };
	int ret = sim_run_until(rig->sim, reached, &wait, 1000000);

	if (ret)
		fail_msg("waiting for %u, is %u: %s (SEED=0x%llx)", want, *value, strerror(-ret),
			 (unsigned long long)test_seed());
}

static const unsigned int widths[] = { 64, 512 };

#endif
