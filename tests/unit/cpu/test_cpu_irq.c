// SPDX-License-Identifier: Apache-2.0
/*
 * Interrupts, timer and sleep of the management core: priority, direct and vectored entry, enables,
 * precise return, WFI that really stops, idle and deadline outputs that are never late, jumps of
 * time (cpu_timer and cpu_csr inside cpu_top).
 */
#include "cpu_tb.h"
#include "rv.h"

#define HANDLER 0x400u
#define ENTRY_MAX 16 /* cycles from an interrupt line to the first instruction of its handler */

enum { R_CAUSE = 10, R_EPC, R_STATUS, R_COUNT, R_SEEN, R_TVAL };

#define CLEAR_MDT LI(5, MSTATUSH_MDT), CSRRC(0, CSR_MSTATUSH, 5)
#define SET_MTVEC(v) LI(5, v), CSRW(CSR_MTVEC, 5)
#define SET_MIE(v) LI(5, v), CSRW(CSR_MIE, 5)
#define GLOBAL_ON CSRRSI(0, CSR_MSTATUS, MSTATUS_MIE)
#define TIMER_REG LUI(30, 0x800f0) /* x30: mtime, mtimecmp at + 8 */

/* Notes cause and return address, acknowledges with a store (the test drops the line), returns. */
static const uint32_t handler[] = {
	CSRR(R_CAUSE, CSR_MCAUSE),   CSRR(R_EPC, CSR_MEPC),
	CSRR(R_STATUS, CSR_MSTATUS), CSRR(R_TVAL, CSR_MTVAL),
	ADDI(R_COUNT, R_COUNT, 1),   LUI(31, CPU_MMIO >> 12),
	SW(R_CAUSE, 31, 0),	     MRET,
};

static void load_handler(struct cpu *c)
{
	cpu_load(c, HANDLER, handler, sizeof(handler) / 4);
}

static void drop_line(struct cpu *c, const struct cpu_access *a)
{
	if (a->we && a->addr == 0 && (a->data & 31) >= 16)
		vtb_put(c->p.irq, vtb_read(c->p.irq) & ~(1ull << ((a->data & 31) - 16)));
}

/* Each line alone wakes a sleeping core, with its cause; nothing else moves while it sleeps. */
static void lines(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		CLEAR_MDT, SET_MTVEC(HANDLER), SET_MIE(0xffff0000), ADDI(R_COUNT, 0, 0), GLOBAL_ON,
		WFI,	   JAL(0, -4),
	};
	const uint32_t wfi_pc = sizeof(prog) - 8;

	(void)state;
	c->on_access = drop_line;
	load_handler(c);
	CPU_RUN(c, prog, 200);
	for (unsigned int i = 0; i < 16; i++) {
		uint64_t before = c->retired, cycle;

		vtb_run(c->tb, 50);
		vtb_check_eq(c->tb, c->retired, before); /* asleep */
		cycle = c->tb->cycle;
		vtb_put(c->p.irq, 1u << i);
		vtb_eval(c->tb);
		vtb_check_eq(c->tb, vtb_read(c->p.idle), 0); /* in the same cycle */
		vtb_run_until(c->tb, c->retired != before, ENTRY_MAX);
		vtb_check(c->tb, c->tb->cycle - cycle <= ENTRY_MAX);
		vtb_check_eq(c->tb, c->last_pc, HANDLER);
		cpu_run_to_idle(c, 200);
		vtb_check_eq(c->tb, cpu_reg(c, R_CAUSE), 0x80000000u | (16 + i));
		vtb_check_eq(c->tb, cpu_reg(c, R_EPC), wfi_pc + 4);
		vtb_check_eq(c->tb, cpu_reg(c, R_STATUS), MSTATUS_MPP | MSTATUS_MPIE);
		vtb_check_eq(c->tb, cpu_reg(c, R_TVAL), 0);
		vtb_check_eq(c->tb, cpu_reg(c, R_COUNT), i + 1);
		vtb_check_eq(c->tb, c->last_pc, wfi_pc);
	}
	cpu_destroy(c);
}

static uint32_t order[32];
static unsigned int n_order;

static void note_order(struct cpu *c, const struct cpu_access *a)
{
	if (a->we && a->addr == 0) {
		order[n_order++] = a->data & 31;
		drop_line(c, a);
		if ((a->data & 31) == 7) /* the timer: its handler cannot drop it here, time can */
			c->time = 0;
	}
}

/* Several at once: the lowest number first, the timer before all lines; masked ones never. */
static void priority(void **state)
{
	struct cpu *c = cpu_create();

	(void)state;
	c->on_access = note_order;
	for (int i = 0; i < 20; i++) {
		uint32_t lines = (uint32_t)rng_u64(&c->tb->rng) & 0xffff,
			 mie = (uint32_t)rng_u64(&c->tb->rng);
		uint32_t expect;
		const uint32_t prog[] = {
			CLEAR_MDT,    SET_MTVEC(HANDLER),
			SET_MIE(mie), ADDI(R_COUNT, 0, 0),
			TIMER_REG,    SW(0, 30, 12),
			LI(5, 1000),  SW(5, 30, 8), /* due at 1000 ns */
			GLOBAL_ON,    NOP,
			NOP,	      CSRR(R_SEEN, CSR_MIP),
			WFI,
		};

		n_order = 0;
		c->time_stopped = true;
		c->time = 1000;
		load_handler(c);
		vtb_put(c->p.irq, lines);
		CPU_RUN(c, prog, 2000);
		expect = lines << 16 & mie;
		expect |= mie & 0x80;
		for (unsigned int n = 0; n < n_order; n++) {
			vtb_check(c->tb, expect != 0);
			vtb_check_eq(c->tb, order[n], (unsigned int)__builtin_ctz(expect));
			expect &= expect - 1;
		}
		vtb_check_eq(c->tb, expect, 0);
		/* what is masked stays pending and visible */
		vtb_check_eq(c->tb, cpu_reg(c, R_SEEN),
			     (lines << 16 & ~mie) | (mie & 0x80 ? 0 : 0x80));
		vtb_check_eq(c->tb, vtb_get(c->tb, "deadline_valid_o"), mie >> 7 & 1);
	}
	cpu_destroy(c);
}

/* Vectored: interrupts to base + 4 x cause, exceptions to base. */
static void vectored(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t at[] = { CSRR(R_CAUSE, CSR_MCAUSE), WFI };
	const uint32_t irq_prog[] = { CLEAR_MDT, SET_MTVEC(HANDLER | 1), SET_MIE(0xffff0080),
				      GLOBAL_ON, WFI };
	const uint32_t exc_prog[] = { CLEAR_MDT, SET_MTVEC(HANDLER | 1), ECALL };

	(void)state;
	c->time_stopped = true;
	for (unsigned int i = 0; i < 32; i++) { /* 0 stands for the exception */
		uint32_t table[32] = { 0 };	/* illegal everywhere but at the right entry */

		if (i != 0 && i != 7 && i < 16)
			continue;
		table[i] = JAL(0, 0x200 - 4 * (int)i);
		cpu_load(c, HANDLER, table, 32);
		cpu_load(c, HANDLER + 0x200, at, 2);
		c->time = 0;
		if (!i) {
			CPU_RUN(c, exc_prog, 200);
			vtb_check_eq(c->tb, cpu_reg(c, R_CAUSE), 11);
			continue;
		}
		CPU_RUN(c, irq_prog, 500);
		if (i == 7)
			c->time = ~0ull; /* mtimecmp after reset */
		else
			vtb_put(c->p.irq, 1u << (i - 16));
		vtb_run_until(c->tb, c->last_pc == HANDLER + 0x204,
			      200); /* its WFI, the line still up */
		vtb_check_eq(c->tb, cpu_reg(c, R_CAUSE), 0x80000000u | i);
		vtb_put(c->p.irq, 0);
	}
	cpu_destroy(c);
}

/* MIE off: WFI still wakes on an enabled line, and goes on behind itself without a trap. */
static void wfi_without_trap(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		CLEAR_MDT,	   SET_MTVEC(HANDLER), SET_MIE(1u << 18),    WFI,
		CSRR(20, CSR_MIP), ADDI(21, 0, 5),     CSRRW(0, CSR_MIE, 0), WFI,
	};

	(void)state;
	CPU_RUN(c, prog, 200);
	vtb_put(c->p.irq, 1u << 3); /* not enabled */
	vtb_run(c->tb, 30);
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 1);
	vtb_put(c->p.irq, 1u << 2 | 1u << 3);
	vtb_eval(c->tb);
	cpu_run_to_idle(c, 100); /* now nothing is enabled: idle though the lines are up */
	vtb_check_eq(c->tb, cpu_reg(c, 20), 0xc0000u);
	vtb_check_eq(c->tb, cpu_reg(c, 21), 5);
	vtb_check_eq(c->tb, c->last_pc, sizeof(prog) - 4);
	cpu_destroy(c);
}

/* A line that is gone before the core looks: no trap, no harm.  WFI with a line already up: does
 * not sleep. */
static void short_lines(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		CLEAR_MDT,
		SET_MTVEC(HANDLER),
		SET_MIE(1u << 16),
		ADDI(R_COUNT, 0, 0),
		WFI,
		ADDI(20, 0, 1),
		CSRRSI(0, CSR_MSTATUS, MSTATUS_MIE),
		NOP,
		ADDI(21, 0, 0),
		WFI,
		ADDI(21, 21, 1),
		JAL(0, -8),
	};

	(void)state;
	c->on_access = drop_line;
	load_handler(c);
	vtb_put(c->p.irq, 1);
	CPU_RUN(c, prog, 200);
	vtb_check_eq(c->tb, cpu_reg(c, 20), 1);
	vtb_check_eq(c->tb, cpu_reg(c, R_COUNT), 1);
	vtb_put(c->p.irq, 1);
	vtb_tick(c->tb);
	vtb_put(c->p.irq, 0);
	vtb_eval(c->tb);
	cpu_run_to_idle(c, 100);
	vtb_check_eq(c->tb, cpu_reg(c, R_COUNT), 1);
	vtb_check_eq(c->tb, cpu_reg(c, 21), 1); /* woke, found nothing, slept again */
	cpu_destroy(c);
}

/* A tight counting loop under a storm of interrupts loses and repeats no instruction. */
static void storm(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		CLEAR_MDT,
		SET_MTVEC(HANDLER),
		SET_MIE(0xffff0000),
		ADDI(R_COUNT, 0, 0),
		LI(20, 0),
		LI(21, 300),
		LI(22, 0x1000),
		GLOBAL_ON,
		/* loop: */
		ADDI(20, 20, 1),
		SW(20, 22, 0),
		LW(23, 22, 0),
		MULDIV(0, 24, 23, 23),
		BNE(20, 21, -16),
		CSRRCI(0, CSR_MSTATUS, MSTATUS_MIE),
		CSRRW(0, CSR_MIE, 0),
		WFI,
	};

	(void)state;
	c->on_access = drop_line;
	c->mmio_max_wait = 3;
	load_handler(c);
	cpu_load(c, 0, prog, sizeof(prog) / 4);
	cpu_start(c);
	vtb_eval(c->tb);
	for (unsigned int i = 0; !vtb_read(c->p.idle); i++) {
		if (!vtb_read(c->p.irq) && rng_percent(&c->tb->rng, 5))
			vtb_put(c->p.irq, rng_u64(&c->tb->rng) & 0xffff);
		vtb_tick(c->tb);
		vtb_check(c->tb, i < 100000);
	}
	vtb_check_eq(c->tb, cpu_reg(c, 20), 300);
	vtb_check_eq(c->tb, cpu_reg(c, 23), 300);
	vtb_check_eq(c->tb, cpu_reg(c, 24), 90000);
	vtb_check(c->tb, cpu_reg(c, R_COUNT) > 100);
	cpu_destroy(c);
}

/* Nested on purpose: a handler that clears MDT and sets MIE is interrupted and returned to. */
static void nested(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t outer[] = {
		/* only line 5 (cause 21) may nest */
		CSRR(20, CSR_MEPC),
		CSRR(21, CSR_MSTATUS),
		ADDI(R_COUNT, R_COUNT, 1),
		LI(6, 1u << 21),
		CSRW(CSR_MIE, 6),
		LI(6, HANDLER),
		CSRW(CSR_MTVEC, 6),
		LI(6, MSTATUSH_MDT),
		CSRRC(0, CSR_MSTATUSH, 6),
		CSRRSI(0, CSR_MSTATUS, MSTATUS_MIE),
		ADDI(22, 0, 1),
		NOP,
		NOP,
		CSRRCI(0, CSR_MSTATUS, MSTATUS_MIE),
		CSRW(CSR_MEPC, 20),
		CSRW(CSR_MSTATUS, 21),
		CSRRW(0, CSR_MIE, 0),
		MRET,
	};
	const uint32_t prog[] = {
		CLEAR_MDT,
		SET_MTVEC(HANDLER + 0x200),
		SET_MIE(0xffff0000),
		ADDI(R_COUNT, 0, 0),
		GLOBAL_ON,
		WFI,
		CSRR(25, CSR_MSTATUS),
		WFI,
	};

	(void)state;
	c->on_access = drop_line;
	load_handler(c);
	cpu_load(c, HANDLER + 0x200, outer, sizeof(outer) / 4);
	CPU_RUN(c, prog, 300);
	vtb_put(c->p.irq, 1u << 5 | 1u << 2);
	vtb_eval(c->tb);
	cpu_run_to_idle(c, 500);
	vtb_check_eq(c->tb, vtb_read(c->p.fatal), 0);
	vtb_check_eq(c->tb, cpu_reg(c, R_COUNT), 2);
	vtb_check_eq(c->tb, cpu_reg(c, R_CAUSE), 0x80000000u | 21);
	vtb_check_eq(c->tb, cpu_reg(c, 25), MSTATUS_MPP | MSTATUS_MPIE | MSTATUS_MIE);
	vtb_check_eq(c->tb, c->last_pc, sizeof(prog) - 4);
	cpu_destroy(c);
}

/* The timer compares with time_now, however it gets there; deadline_o is what the simulator may
 * jump to. */
static void timer(void **state)
{
	static const uint64_t due[] = { 5000,	     0xffffffff,	 0x100000000,
					0x1ffffffff, 0x123456789abcdef0, ~0ull - 1 };
	struct cpu *c = cpu_create();

	(void)state;
	c->time_stopped = true;
	for (size_t i = 0; i < sizeof(due) / sizeof(due[0]); i++) {
		uint32_t lo = (uint32_t)due[i], hi = (uint32_t)(due[i] >> 32);
		const uint32_t prog[] = {
			CLEAR_MDT,     SET_MTVEC(HANDLER), TIMER_REG,
			LW(24, 30, 8), LW(25, 30, 12), /* reset value */
			LI(5, -1),     SW(5, 30, 12),	   LI(5, lo),
			SW(5, 30, 8),  LI(5, hi),	   SW(5, 30, 12),
			SET_MIE(0x80), GLOBAL_ON,	   LW(20, 30, 0),
			LW(21, 30, 4), LW(22, 30, 8),	   LW(23, 30, 12),
			WFI,
		};
		const uint32_t tick[] = {
			CSRR(R_CAUSE, CSR_MCAUSE), LW(26, 30, 0), LW(27, 30, 4),
			CSRRW(0, CSR_MIE, 0),	   WFI,
		};

		c->time = due[i] - 1000;
		cpu_load(c, HANDLER, tick, sizeof(tick) / 4);
		vtb_check_eq(c->tb, vtb_get(c->tb, "deadline_valid_o"), 0);
		CPU_RUN(c, prog, 300);
		vtb_check_eq(c->tb, cpu_reg(c, 24), 0xffffffff);
		vtb_check_eq(c->tb, cpu_reg(c, 25), 0xffffffff);
		vtb_check_eq(c->tb, cpu_reg(c, 20), (uint32_t)c->time);
		vtb_check_eq(c->tb, cpu_reg(c, 21), c->time >> 32);
		vtb_check_eq(c->tb, cpu_reg(c, 22), lo);
		vtb_check_eq(c->tb, cpu_reg(c, 23), hi);
		vtb_check_eq(c->tb, vtb_get(c->tb, "deadline_valid_o"), 1);
		vtb_check_eq(c->tb, vtb_get(c->tb, "deadline_o"), due[i]);

		c->time = due[i] - 1; /* one short: sleeps on */
		vtb_run(c->tb, 20);
		vtb_check_eq(c->tb, vtb_read(c->p.idle), 1);
		c->time = due[i] + (i & 1); /* exactly, or past it */
		vtb_put(c->p.time, c->time);
		vtb_eval(c->tb);
		vtb_check_eq(c->tb, vtb_read(c->p.idle), 0); /* not late by a single cycle */
		cpu_run_to_idle(c, 200);
		vtb_check_eq(c->tb, cpu_reg(c, R_CAUSE), 0x80000007u);
		vtb_check_eq(c->tb, cpu_reg(c, 26), (uint32_t)c->time);
		vtb_check_eq(c->tb, cpu_reg(c, 27), c->time >> 32);
		vtb_check_eq(c->tb, vtb_get(c->tb, "deadline_valid_o"), 0);
	}
	cpu_destroy(c);
}

/* mtime cannot be written; a handler that moves mtimecmp on ends the interrupt by that. */
static void timer_periodic(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		CLEAR_MDT,     SET_MTVEC(HANDLER), TIMER_REG,	  ADDI(R_COUNT, 0, 0),
		LI(5, 0),      SW(5, 30, 0),	   SW(5, 30, 4),  SW(0, 30, 12),
		LI(20, 10000), SW(20, 30, 8),	   SET_MIE(0x80), GLOBAL_ON,
		WFI,	       JAL(0, -4),
	};
	const uint32_t tick[] = {
		ADDI(R_COUNT, R_COUNT, 1),
		ADDI(20, 20, 1000),
		LW(R_SEEN, 30, 0),
		SW(20, 30, 8),
		MRET,
	};

	(void)state;
	c->time = 8000;
	cpu_load(c, HANDLER, tick, sizeof(tick) / 4);
	CPU_RUN(c, prog, 400);
	for (unsigned int i = 1; i <= 20; i++) {
		uint64_t due = vtb_get(c->tb, "deadline_o");

		vtb_check_eq(c->tb, due, 9000 + 1000 * i);
		vtb_check(c->tb, c->time < due);
		if (i & 1)
			c->time = due - CPU_PERIOD_NS; /* jump */
		vtb_run_until(c->tb, !vtb_read(c->p.idle), 300);
		vtb_check(c->tb, c->time >= due && c->time < due + 2 * CPU_PERIOD_NS);
		cpu_run_to_idle(c, 100);
		vtb_check_eq(c->tb, cpu_reg(c, R_COUNT), i);
		vtb_check(c->tb, cpu_reg(c, R_SEEN) >= due && cpu_reg(c, R_SEEN) < due + 200);
	}
	cpu_destroy(c);
}

/* mcycle stands still in WFI, so that nothing a program can see depends on how long time was jumped
 * over. */
static void sleep_is_not_counted(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = { SET_MIE(1u << 16),	CSRR(20, CSR_MCYCLE), WFI,
				  CSRR(21, CSR_MCYCLE), SET_MIE(0),	      WFI };
	uint32_t took = 0;

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		CPU_RUN(c, prog, 100);
		vtb_run(c->tb, 1 + 1000 * i);
		vtb_put(c->p.irq, 1);
		vtb_eval(c->tb);
		cpu_run_to_idle(c, 100);
		vtb_put(c->p.irq, 0);
		if (i)
			vtb_check_eq(c->tb, cpu_reg(c, 21) - cpu_reg(c, 20), took);
		took = cpu_reg(c, 21) - cpu_reg(c, 20);
	}
	vtb_check(c->tb, took < 10);
	cpu_destroy(c);
}

/* What a store has taken away is gone for the CSR access, fence or WFI behind it. */
static void behind_a_store(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		SET_MIE(0),	   ADDI(R_CAUSE, 0, 16), LUI(31, CPU_MMIO >> 12),
		CSRR(20, CSR_MIP), SW(R_CAUSE, 31, 0),	 CSRR(21, CSR_MIP),
		WFI,
	};

	(void)state;
	c->on_access = drop_line;
	c->mmio_max_wait = 40;
	for (unsigned int i = 0; i < 20; i++) {
		vtb_put(c->p.irq, 1);
		CPU_RUN(c, prog, 400);
		vtb_check_eq(c->tb, cpu_reg(c, 20) >> 16 & 1, 1);
		vtb_check_eq(c->tb, cpu_reg(c, 21) >> 16 & 1, 0);
	}
	cpu_destroy(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(behind_a_store),
		cmocka_unit_test(lines),	  cmocka_unit_test(priority),
		cmocka_unit_test(vectored),	  cmocka_unit_test(wfi_without_trap),
		cmocka_unit_test(short_lines),	  cmocka_unit_test(storm),
		cmocka_unit_test(nested),	  cmocka_unit_test(timer),
		cmocka_unit_test(timer_periodic), cmocka_unit_test(sleep_is_not_counted),
	};

	return cmocka_run_group_tests_name("cpu interrupts", tests, NULL, NULL);
}
