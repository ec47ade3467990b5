/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the simulator core: sim_core.c (clock and jumps), sim_nic.c (one NIC), sim_host.c (what a
 * host does to it).
 */
#ifndef CAIRN_SIM_PRIV_H
#define CAIRN_SIM_PRIV_H

#include "cairn_hw.h"
#include "sim.h"
#include "sim_mac.h"
#include "sim_mem.h"
#include "sim_pcie.h"
#include "sim_record.h"

/*
 * A NIC is put to sleep (its clock is not computed) after so many cycles in which it said idle and
 * nothing was driven in: a core must lower idle_o at most this long after a beat was taken.
 */
#define SIM_SETTLE_CYCLES 8
#define SIM_CONSOLE_LINE 256

struct sim_nic {
	struct sim *sim;
	unsigned int index;
	const struct sim_dut_ops *ops;
	struct sim_dut *dut;
	void (*eval)(struct sim_dut *dut);
	/* the core's ports outside PCIe and MAC */
	uint8_t *clk, *rst_n, *link;
	uint64_t *time_now;
	const uint8_t *idle, *deadline_valid, *uart_valid, *uart_data, *tlp_rx_valid, *tlp_tx_valid;
	const uint64_t *deadline;
	struct sim_mac mac;
	struct sim_pcie *pcie;
	struct sim_mem *mem;
	/* sleep */
	unsigned int quiet;		/* cycles in a row; SIM_SETTLE_CYCLES: asleep */
	bool clocked;			/* in this cycle */
	bool held;			/* not clocked, whatever it has to do */
	/* firmware console */
	char line[SIM_CONSOLE_LINE];
	unsigned int line_len;
	/* in-process interrupts */
	struct {
		sim_irq_fn fn;
		void *arg;
	} irq[CAIRN_MSIX_VECTORS];
	struct sim_record *record;	/* or NULL */
	uint32_t dut_seed;
	char name[16];
};

struct sim {
	struct sim_cfg cfg;
	uint64_t now;
	uint64_t *shown;		/* or NULL: the same for others (sim_show_time()) */
	uint64_t evaluated;
	unsigned int period;
	unsigned int n_nics;
	struct sim_wire *wire;
	struct sim_nic **nic;
	void *model_so;			/* dlopen handle */
	bool waves_open, waves_done;
	unsigned int number;		/* of the simulations of this process, from 1 */
	char *record_dir;
	bool record_bundled;		/* a failure has left its bundle there */
};

/* 0, or -EINVAL with a message in err. */
int sim_nic_init(struct sim_nic *nic, struct sim *sim, unsigned int index, char *err);
/* From the first cycle on; DIR/nicN.rec. */
int sim_nic_record(struct sim_nic *nic, const char *dir, char *err);
void sim_nic_destroy(struct sim_nic *nic);

/* The three parts of a cycle, and the edge.  now is the time of the rising edge. */
void sim_nic_drive(struct sim_nic *nic, uint64_t now);
void sim_nic_sample(struct sim_nic *nic, uint64_t now);
void sim_nic_edge(struct sim_nic *nic);
void sim_nic_reset_cycle(struct sim_nic *nic, uint64_t now, bool in_reset);

/* sim_bundle.c: recordings, if asked for, before the first cycle. */
int sim_record_begin(struct sim *sim, char *err);

/* Earliest time at which the NIC must be clocked; 0: now; SIM_NEVER. */
uint64_t sim_nic_wake(const struct sim_nic *nic, uint64_t now);

/* cairn-model-<data_w>[-trace].so; NULL with a message. */
const struct sim_dut_ops *sim_model_load(unsigned int data_w, bool trace, void **handle, char *err);
void sim_model_unload(void *handle);

#endif
