/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Testbench around cpu_top: loads programs through the DMA port, answers the MMIO port with random
 * wait states while checking its contract, and keeps the registers as the retire port shows them.
 */
#ifndef CAIRN_CPU_TB_H
#define CAIRN_CPU_TB_H

#include "vtb.h"

#define CPU_RAM_BYTES 0x20000u
#define CPU_MMIO 0x80000000u
#define CPU_PERIOD_NS 4

struct cpu_access {
	bool we;
	uint32_t addr; /* within the MMIO space, 20 bits */
	uint32_t data;
	uint8_t strb;
	unsigned int waited; /* cycles with valid high and ready low */
};

struct cpu_port_set {
	const struct sim_port *hold, *time, *irq, *dma_valid, *dma_ready, *dma_we, *dma_addr,
		*dma_wdata, *dma_rdata;
	const struct sim_port *mmio_valid, *mmio_ready, *mmio_we, *mmio_addr, *mmio_wdata,
		*mmio_wstrb;
	const struct sim_port *mmio_rdata, *ret_valid, *ret_pc, *ret_we, *ret_rd, *ret_data, *idle,
		*fatal;
};

struct cpu {
	struct vtb *tb;
	struct cpu_port_set p;
	struct vtb_stream *uart;

	/* as retired; known has a bit for each register written since the last cpu_load() */
	uint32_t reg[32], known, last_pc;
	uint64_t retired;
	void (*on_retire)(struct cpu *c, uint32_t pc);
	void *arg;

	/* MMIO model: a word per address, accesses counted and the last one kept */
	uint32_t mmio_word[0x40000];
	unsigned int mmio_max_wait; /* cycles, random up to this; 0 = ready at once */
	bool mmio_stuck;	    /* never ready */
	uint64_t accesses;
	struct cpu_access last;
	void (*on_access)(struct cpu *c, const struct cpu_access *a);

	uint64_t time;	   /* ns; set it to jump */
	bool time_stopped; /* otherwise CPU_PERIOD_NS a cycle */

	/* MMIO in progress */
	bool mmio_busy;
	unsigned int mmio_left;
	struct cpu_access now;
};

/* In hold, with random RAM and registers. */
struct cpu *cpu_create(void);
void cpu_destroy(struct cpu *c);
/* Takes the core into hold (reset), writes words at a byte address. */
void cpu_load(struct cpu *c, uint32_t addr, const uint32_t *words, size_t n);
void cpu_load_file(struct cpu *c, uint32_t addr, const char *path);
/* Ends hold. */
void cpu_start(struct cpu *c);
/* Ticks until wfi_idle_o; fails after max_cycles. */
void cpu_run_to_idle(struct cpu *c, uint64_t max_cycles);
/* cpu_load() at 0, cpu_start(), cpu_run_to_idle(). */
void cpu_run_program(struct cpu *c, const uint32_t *words, size_t n, uint64_t max_cycles);
#define CPU_RUN(c, prog, max_cycles) \
	cpu_run_program(c, prog, sizeof(prog) / sizeof((prog)[0]), max_cycles)
/* Where the programs are built: BUILD, or build. */
const char *cpu_build_dir(void);
/* A register's value; fails if it was never written. */
uint32_t cpu_reg(struct cpu *c, unsigned int reg);

#endif
