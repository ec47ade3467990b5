// SPDX-License-Identifier: Apache-2.0
/* Testbench around cpu_top (see cpu_tb.h). */
#include "cpu_tb.h"

#include <stdio.h>
#include <stdlib.h>

static void read_access(struct cpu *c, struct cpu_access *a)
{
	a->we = vtb_read(c->p.mmio_we);
	a->addr = (uint32_t)vtb_read(c->p.mmio_addr);
	a->data = (uint32_t)vtb_read(c->p.mmio_wdata);
	a->strb = (uint8_t)vtb_read(c->p.mmio_wstrb);
}

/* Inputs for the coming cycle; the outputs read here are registers, so already those
 * of that cycle. */
static void drive(struct vtb *tb, void *arg)
{
	struct cpu *c = arg;
	bool valid = vtb_read(c->p.mmio_valid), ready = false;

	if (!c->time_stopped)
		c->time += CPU_PERIOD_NS;
	vtb_put(c->p.time, c->time);
	if (valid && !c->mmio_busy) {
		c->mmio_busy = true;
		c->mmio_left = c->mmio_max_wait
				       ? (unsigned int)rng_range(&tb->rng, 0, c->mmio_max_wait)
				       : 0;
		read_access(c, &c->now);
		c->now.waited = 0;
	}
	if (valid && !c->mmio_stuck)
		ready = c->mmio_left == 0;
	vtb_put(c->p.mmio_ready, ready);
	/* read data is good in the cycle of ready only */
	vtb_put(c->p.mmio_rdata,
		ready ? c->mmio_word[c->now.addr >> 2] : (uint32_t)rng_u64(&tb->rng));
}

static void check_access(struct cpu *c)
{
	struct cpu_access a;

	read_access(c, &a);
	vtb_check_eq(c->tb, a.we, c->now.we);
	vtb_check_eq(c->tb, a.addr, c->now.addr);
	vtb_check_eq(c->tb, a.strb, c->now.strb);
	vtb_check_eq(c->tb, a.addr & 3, 0);
	vtb_check_eq(c->tb, a.we, a.strb != 0);
	if (a.we)
		vtb_check_eq(c->tb, a.data, c->now.data);
}

static void finish_access(struct cpu *c)
{
	uint32_t *word = &c->mmio_word[c->now.addr >> 2];

	for (int i = 0; i < 4; i++)
		if (c->now.we && c->now.strb >> i & 1)
			*word = (*word & ~(0xffu << 8 * i)) | (c->now.data & 0xffu << 8 * i);
	if (!c->now.we)
		c->now.data = *word;
	c->last = c->now;
	c->accesses++;
	c->mmio_busy = false;
	if (c->on_access)
		c->on_access(c, &c->last);
}

static void sample(struct vtb *tb, void *arg)
{
	struct cpu *c = arg;

	if (!vtb_read(c->p.mmio_valid)) {
		if (c->mmio_busy)
			vtb_fail(tb, "mmio_valid fell before ready");
	} else {
		check_access(c);
		if (vtb_read(c->p.mmio_ready)) {
			finish_access(c);
		} else {
			c->now.waited++;
			if (c->mmio_left)
				c->mmio_left--;
		}
	}
	if (vtb_read(c->p.ret_valid) && !vtb_read(c->p.hold)) {
		uint32_t pc = (uint32_t)vtb_read(c->p.ret_pc);

		if (vtb_read(c->p.ret_we)) {
			unsigned int rd = (unsigned int)vtb_read(c->p.ret_rd);

			vtb_check(tb, rd != 0);
			c->reg[rd] = (uint32_t)vtb_read(c->p.ret_data);
			c->known |= 1u << rd;
		}
		c->retired++;
		c->last_pc = pc;
		if (c->on_retire)
			c->on_retire(c, pc);
	}
}

struct cpu *cpu_create(void)
{
	struct cpu *c = calloc(1, sizeof(*c));
	struct vtb *tb = vtb_create();

	assert_non_null(c);
	c->tb = tb;
	c->uart = vtb_sink(tb, "uart");
	c->p = (struct cpu_port_set){
		.hold = vtb_port(tb, "hold_i"),
		.time = vtb_port(tb, "time_now_i"),
		.irq = vtb_port(tb, "irq_i"),
		.dma_valid = vtb_port(tb, "dma_valid_i"),
		.dma_ready = vtb_port(tb, "dma_ready_o"),
		.dma_we = vtb_port(tb, "dma_we_i"),
		.dma_addr = vtb_port(tb, "dma_addr_i"),
		.dma_wdata = vtb_port(tb, "dma_wdata_i"),
		.dma_rdata = vtb_port(tb, "dma_rdata_o"),
		.mmio_valid = vtb_port(tb, "mmio_valid_o"),
		.mmio_ready = vtb_port(tb, "mmio_ready_i"),
		.mmio_we = vtb_port(tb, "mmio_we_o"),
		.mmio_addr = vtb_port(tb, "mmio_addr_o"),
		.mmio_wdata = vtb_port(tb, "mmio_wdata_o"),
		.mmio_wstrb = vtb_port(tb, "mmio_wstrb_o"),
		.mmio_rdata = vtb_port(tb, "mmio_rdata_i"),
		.ret_valid = vtb_port(tb, "retire_valid_o"),
		.ret_pc = vtb_port(tb, "retire_pc_o"),
		.ret_we = vtb_port(tb, "retire_rd_we_o"),
		.ret_rd = vtb_port(tb, "retire_rd_o"),
		.ret_data = vtb_port(tb, "retire_wdata_o"),
		.idle = vtb_port(tb, "wfi_idle_o"),
		.fatal = vtb_port(tb, "fatal_o"),
	};
	vtb_set(tb, "hold_i", 1);
	vtb_reset(tb, 2);
	vtb_on_drive(tb, drive, c);
	vtb_on_sample(tb, sample, c);
	return c;
}

void cpu_destroy(struct cpu *c)
{
	vtb_destroy(c->tb);
	free(c);
}

void cpu_load(struct cpu *c, uint32_t addr, const uint32_t *words, size_t n)
{
	vtb_put(c->p.hold, 1);
	vtb_put(c->p.dma_valid, 1);
	vtb_put(c->p.dma_we, 1);
	for (size_t i = 0; i < n; i++) {
		vtb_put(c->p.dma_addr, addr / 4 + i);
		vtb_put(c->p.dma_wdata, words[i]);
		vtb_eval(c->tb);
		vtb_check_eq(c->tb, vtb_read(c->p.dma_ready), 1); /* held: at once */
		vtb_tick(c->tb);
	}
	vtb_put(c->p.dma_valid, 0);
	vtb_tick(c->tb);
	c->known = 1;
	c->retired = 0;
}

void cpu_load_file(struct cpu *c, uint32_t addr, const char *path)
{
	static uint32_t words[CPU_RAM_BYTES / 4];
	FILE *f = fopen(path, "rb");
	size_t n;

	if (!f)
		vtb_fail(c->tb, "cannot open %s: build it first", path);
	n = fread(words, 1, sizeof(words) - addr, f);
	fclose(f);
	vtb_check(c->tb, n > 0);
	cpu_load(c, addr, words, (n + 3) / 4);
}

void cpu_start(struct cpu *c)
{
	vtb_put(c->p.hold, 0);
}

void cpu_run_to_idle(struct cpu *c, uint64_t max_cycles)
{
	/* idle is high while held: let the change of hold settle first */
	vtb_eval(c->tb);
	vtb_run_until(c->tb, vtb_read(c->p.idle), max_cycles);
}

void cpu_run_program(struct cpu *c, const uint32_t *words, size_t n, uint64_t max_cycles)
{
	cpu_load(c, 0, words, n);
	cpu_start(c);
	cpu_run_to_idle(c, max_cycles);
}

uint32_t cpu_reg(struct cpu *c, unsigned int reg)
{
	if (!(c->known >> reg & 1))
		vtb_fail(c->tb, "x%u was never written", reg);
	return c->reg[reg];
}

const char *cpu_build_dir(void)
{
	const char *dir = getenv("BUILD");

	return dir && *dir ? dir : "build";
}
