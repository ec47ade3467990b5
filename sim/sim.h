/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulator as a library (libcairnsim.a): N NICs, each a Verilated cairn_nic behind a PCIe root
 * complex, joined by a wire, on one clock.  `cairn sim` drives it from sockets; tests, benches and
 * the driver's in-process bus (bus_sim.c) call it directly.
 *
 * Time is device time in ns and moves only in the sim_run*() and blocking calls below.  In-process
 * the result depends on nothing but the configuration and the calls made: the same seed gives the
 * same cycle.  When every NIC, the wire and the PCIe models are idle, time jumps to the next event;
 * cfg.no_jump clocks through it instead, with the same packets, stamps and figures.
 *
 * Not thread-safe: one thread (or one lock) per struct sim.
 */
#ifndef CAIRN_SIM_H
#define CAIRN_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim_dut.h"
#include "sim_wire.h"

struct sim;
struct sim_nic;
struct sim_pcie;		/* sim_pcie.h */
struct sim_pcie_cfg;
struct sim_mem;			/* sim_mem.h */

struct sim_cfg {
	unsigned int data_w;		/* 64 or 512 with the models of this tree */
	unsigned int period_ns;		/* 0: 4 at data_w >= 256, 8 below */
	uint64_t seed;
	bool no_jump;			/* clock through idle time */
	unsigned int eth_mtu;		/* largest IP packet */
	struct sim_wire_cfg wire;	/* nics: number of NICs; mbps 0: sim_default_mbps() */
	const struct sim_pcie_cfg *pcie;	/* of all NICs; NULL: its defaults */
	/* NULL: load cairn-model-<data_w>.so (from $CAIRN_MODEL_DIR, beside the program, libdir) */
	const struct sim_dut_ops *model;
	bool zero_init;			/* registers and RAMs start at 0, not random by seed */
	/* FST waves from waves_from to waves_to ns (0: to the end); needs a model with TRACE=1 */
	const char *waves;
	uint64_t waves_from, waves_to;
	/*
	 * Directory for a bundle with recordings of all NICs (`cairn replay`): nicN.rec as it goes,
	 * the rest at sim_free().  NULL: $CAIRN_RECORD, for the simulation of the process that
	 * $CAIRN_RECORD_NUMBER (1: the first) names.
	 */
	const char *record;
	/* A line that firmware printed on its console; NULL: dropped. */
	void (*console)(void *arg, unsigned int nic, const char *line);
	void *console_arg;
};

/* Two NICs, 64 bit, Ethernet MTU 4200, 500 ns cable, no faults, seed 1. */
void sim_cfg_init(struct sim_cfg *cfg);
/* Its clock, in ns. */
unsigned int sim_default_period(unsigned int data_w);
/* What a data path of that width carries, at most 100 Gb/s. */
uint32_t sim_default_mbps(unsigned int data_w, unsigned int period_ns);

/* NULL with a message in err (SIM_ERR_MAX bytes). All NICs are out of reset when it returns. */
struct sim *sim_new(const struct sim_cfg *cfg, char *err);
void sim_free(struct sim *sim);

/* ---- time ---- */

uint64_t sim_now(const struct sim *sim);		/* device time, ns */
uint64_t sim_cycle(const struct sim *sim);		/* the same in clock periods */
uint64_t sim_evaluated(const struct sim *sim);		/* edges computed, all NICs together */
unsigned int sim_period(const struct sim *sim);		/* ns */

/* Keep device time in that word too, which others may read at any time; NULL: no more. */
void sim_show_time(struct sim *sim, uint64_t *word);

/* Advance by `cycles` clock periods. */
void sim_run(struct sim *sim, uint64_t cycles);

/*
 * Advance until cond(arg) is true, at most max_cycles clock periods.  cond is looked at before the
 * first cycle and after every one that was computed.  Returns 0; -ETIMEDOUT: not in max_cycles;
 * -EAGAIN: not true, and nothing is left to happen (all idle, no deadline).
 */
int sim_run_until(struct sim *sim, bool (*cond)(void *arg), void *arg, uint64_t max_cycles);

/* All idle: only deadlines, if any, are left.  sim_next() is the earliest (SIM_NEVER: none). */
bool sim_idle(const struct sim *sim);
uint64_t sim_next(const struct sim *sim);

/* One clock period, never a jump (the main loop of `cairn sim` uses it). */
void sim_step(struct sim *sim);
/* If sim_idle(): move time forward by whole periods, at most to `until`, never past sim_next(). */
void sim_jump(struct sim *sim, uint64_t until);

/*
 * After a failure: write into directory `dir` (made if need be) what is needed to look at it and to
 * repeat it: config.json with seed, configuration, time and `command` (how to repeat it; or NULL),
 * nicN.tlp with the last TLPs of each NIC.  Captures are flushed.  0 or -errno.
 */
int sim_bundle(struct sim *sim, const char *dir, const char *command);

/*
 * A capture or recording that could not be written to: -errno and in err (SIM_ERR_MAX bytes) which
 * and why; 0: none so far.  What is buffered may still fail: sim_close_files() ends recordings,
 * with their bundle, and flushes captures, and says the same then.
 */
int sim_files_failed(struct sim *sim, char *err);
int sim_close_files(struct sim *sim, char *err);

/* ---- NICs ---- */

unsigned int sim_nics(const struct sim *sim);
struct sim_nic *sim_nic(struct sim *sim, unsigned int index);
unsigned int sim_nic_index(const struct sim_nic *nic);
struct sim *sim_nic_sim(struct sim_nic *nic);
struct sim_pcie *sim_nic_pcie(struct sim_nic *nic);
struct sim_mem *sim_nic_mem(struct sim_nic *nic);
struct sim_wire *sim_wire(struct sim *sim);
const struct sim_cfg *sim_config(const struct sim *sim);

/* First wire byte in bits 47:40. */
uint64_t sim_nic_mac(const struct sim_nic *nic);
/* Failed assertions of the model and PCIe monitor violations so far; tests end with 0. */
unsigned int sim_nic_errors(const struct sim_nic *nic);
unsigned int sim_errors(const struct sim *sim);
/* The NIC's model, to look at ports or to drive one in a white-box test. */
struct sim_dut *sim_nic_dut(struct sim_nic *nic);
void sim_nic_set_link(struct sim_nic *nic, bool up);
/* Not clocked while held, as if its clock had stopped; time and the others go on. */
void sim_nic_hold(struct sim_nic *nic, bool held);
bool sim_nic_held(const struct sim_nic *nic);

/*
 * BAR access from the host.  size is 1, 2, 4 or 8.  A write is queued behind earlier ones and
 * returns at once (it takes effect as time advances); a 64-byte push is sim_nic_write_block().  A
 * read advances time until its completion is there: 0, -EIO (UR or CA; value all ones) or
 * -ETIMEDOUT.
 */
int sim_nic_read(struct sim_nic *nic, unsigned int bar, uint64_t offset, unsigned int size,
		 uint64_t *value);
int sim_nic_write(struct sim_nic *nic, unsigned int bar, uint64_t offset, unsigned int size,
		  uint64_t value);
int sim_nic_write_block(struct sim_nic *nic, unsigned int bar, uint64_t offset, const void *data,
			size_t len);

/* PCI configuration space. */
int sim_nic_cfg_read(struct sim_nic *nic, unsigned int offset, void *data, size_t len);
int sim_nic_cfg_write(struct sim_nic *nic, unsigned int offset, const void *data, size_t len);

/* Function level reset; advances time until the function is back. */
int sim_nic_flr(struct sim_nic *nic);

/* Host memory that the device may reach.  perm: SIM_MEM_READ | SIM_MEM_WRITE of sim_mem.h. */
int sim_nic_map(struct sim_nic *nic, uint64_t iova, void *ptr, size_t len, unsigned int perm);
int sim_nic_unmap(struct sim_nic *nic, uint64_t iova, size_t len);

/*
 * Call fn when the device sends the interrupt message of `vector` (from inside the cycle in which
 * the write reaches memory; set a flag there, do not run the simulation).  Programs the vector's
 * MSI-X table entry and turns MSI-X on, as time advances; fn NULL masks the vector.
 */
typedef void (*sim_irq_fn)(void *arg, unsigned int vector);
int sim_nic_set_irq(struct sim_nic *nic, unsigned int vector, sim_irq_fn fn, void *arg);

#endif
