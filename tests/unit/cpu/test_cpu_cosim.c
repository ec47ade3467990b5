// SPDX-License-Identifier: Apache-2.0
/*
 * Lock-step against QEMU: random RV32IM programs, pc and all registers compared after every
 * instruction, once undisturbed and once under random interrupts whose handler must leave no trace.
 * Programs and QEMU's logs are made by cosim_prepare.sh; those of a failing program stay in
 * unit/cpu/cosim of the build directory.
 */
#include <stdio.h>
#include <string.h>

#include "cpu_tb.h"
#include "rv.h"

#ifndef PROGRAMS
#define PROGRAMS 6
#define BLOCKS 700
#endif
#define ORIGIN 0x10000u
#define MAX_STATES 60000
#define HANDLER 0x100u

struct state {
	uint32_t pc, reg[32];
};

static struct state states[MAX_STATES];

struct run {
	size_t n, next; /* states known, index of the instruction that retires next */
	uint32_t known; /* registers the program has written; QEMU's and ours start differently */
	unsigned int irq_gap; /* cycles between interrupts, on average; 0 = none */
	uint64_t irqs;
};

/* "pc" starts a state; registers come as "x7/t2    0000002a". */
static size_t read_log(struct vtb *tb, const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];
	size_t n = 0;

	if (!f)
		vtb_fail(tb, "no QEMU log %s", path);
	while (fgets(line, sizeof(line), f)) {
		char *save, *word = strtok_r(line, " \n", &save), *value;

		for (; word && (value = strtok_r(NULL, " \n", &save));
		     word = strtok_r(NULL, " \n", &save)) {
			if (!strcmp(word, "pc")) {
				vtb_check(tb, n < MAX_STATES);
				states[n++].pc = (uint32_t)strtoul(value, NULL, 16);
			} else if (word[0] == 'x' && strchr(word, '/') && n) {
				states[n - 1].reg[strtoul(word + 1, NULL, 10) & 31] =
					(uint32_t)strtoul(value, NULL, 16);
			}
		}
	}
	fclose(f);
	return n;
}

static void retired(struct cpu *c, uint32_t pc)
{
	struct run *run = c->arg;
	const struct state *after;

	if (pc < ORIGIN) { /* boot code or the interrupt handler */
		c->known = run->known;
		return;
	}
	if (run->next + 1 >= run->n)
		vtb_fail(c->tb, "went past the end of the program, pc 0x%x", pc);
	if (pc != states[run->next].pc)
		vtb_fail(c->tb, "instruction %zu: pc 0x%x, QEMU 0x%x", run->next, pc,
			 states[run->next].pc);
	after = &states[++run->next];
	for (unsigned int i = 0; i < 32; i++)
		if (c->known >> i & 1 && c->reg[i] != after->reg[i])
			vtb_fail(c->tb, "after instruction %zu at 0x%x: x%u is 0x%x, QEMU 0x%x",
				 run->next - 1, pc, i, c->reg[i], after->reg[i]);
	run->known = c->known;
}

/* The handler's store is the acknowledgement. */
static void acknowledged(struct cpu *c, const struct cpu_access *a)
{
	struct run *run = c->arg;

	(void)a;
	vtb_put(c->p.irq, 0);
	run->irqs++;
}

static void interrupt(struct vtb *tb, void *arg)
{
	struct cpu *c = arg;
	struct run *run = c->arg;

	if (run && run->irq_gap && !vtb_read(c->p.irq) && !rng_below(&tb->rng, run->irq_gap))
		vtb_put(c->p.irq, 1u << rng_below(&tb->rng, 16));
}

static void load_boot(struct cpu *c)
{
	const uint32_t boot[] = {
		LI(5, HANDLER),	  CSRW(CSR_MTVEC, 5),  LI(5, 0xffff0000),
		CSRW(CSR_MIE, 5), LI(5, MSTATUS_MPIE), CSRW(CSR_MSTATUS, 5),
		LI(5, ORIGIN),	  CSRW(CSR_MEPC, 5),   MRET,
	};
	const uint32_t handler[] = {
		CSRW(CSR_MSCRATCH, 31),
		LUI(31, CPU_MMIO >> 12),
		SW(31, 31, 0),
		CSRR(31, CSR_MSCRATCH),
		MRET,
	};

	cpu_load(c, 0, boot, sizeof(boot) / 4);
	cpu_load(c, HANDLER, handler, sizeof(handler) / 4);
}

static void programs(unsigned int irq_gap)
{
	struct cpu *c = cpu_create();
	uint64_t retired_all = 0, cycles_all = 0, irqs = 0;

	c->mmio_max_wait = 5;
	c->on_retire = retired;
	c->on_access = acknowledged;
	vtb_on_drive(c->tb, interrupt, c);
	for (unsigned int i = 0; i < PROGRAMS; i++) {
		struct run run = { .irq_gap = irq_gap, .known = 1 };
		uint64_t seed = rng_below(&c->tb->rng, 1u << 31), start;
		char cmd[400], prefix[200], path[220];

		snprintf(prefix, sizeof(prefix), "%s/unit/cpu/cosim/%s-%u-%llu", cpu_build_dir(),
			 c->tb->ops->model, irq_gap, (unsigned long long)seed);
		snprintf(cmd, sizeof(cmd), "tests/unit/cpu/cosim_prepare.sh %llu %u %s",
			 (unsigned long long)seed, BLOCKS, prefix);
		if (system(cmd))
			vtb_fail(c->tb, "cannot prepare a program: %s", cmd);
		snprintf(path, sizeof(path), "%s.log", prefix);
		run.n = read_log(c->tb, path);
		vtb_check(c->tb, run.n > 2 * BLOCKS);
		vtb_check_eq(c->tb, states[0].pc, ORIGIN);

		load_boot(c);
		snprintf(path, sizeof(path), "%s.bin", prefix);
		cpu_load_file(c, ORIGIN, path);
		vtb_put(c->p.irq, 0);
		c->arg = &run;
		start = c->tb->cycle;
		cpu_start(c);
		/* the last state is before the final ECALL, which does not retire */
		vtb_run_until(c->tb, run.next == run.n - 1, 100 * run.n);
		retired_all += c->retired;
		cycles_all += c->tb->cycle - start;
		irqs += run.irqs;
		vtb_put(c->p.hold, 1);
		snprintf(cmd, sizeof(cmd), "rm -f %s.*", prefix);
		assert_int_equal(system(cmd), 0);
	}
	print_message("# %llu instructions, %llu interrupts, %.2f instructions a cycle\n",
		      (unsigned long long)retired_all, (unsigned long long)irqs,
		      (double)retired_all / (double)cycles_all);
	if (irq_gap)
		vtb_check(c->tb, irqs > 20 * PROGRAMS);
	cpu_destroy(c);
}

static void undisturbed(void **state)
{
	(void)state;
	programs(0);
}

static void interrupted(void **state)
{
	(void)state;
	programs(60);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(undisturbed),
					    cmocka_unit_test(interrupted) };

	return cmocka_run_group_tests_name("cpu against QEMU", tests, NULL, NULL);
}
