// SPDX-License-Identifier: Apache-2.0
/*
 * Traps of the management core: each exception's mcause, mepc, mtval and mstatus, no side effect of
 * the instruction that trapped, MRET, CSR access rules, double traps (RISC-V privileged
 * specification 20211203, 3.1).
 */
#include <string.h>

#include "cpu_tb.h"
#include "rv.h"

#define HANDLER 0x400u
#define UNDER_TEST 0x80u /* address of the instruction under test */
#define DATA 0x1000u

enum {
	R_DATA = 8,
	R_RES = 9,
	R_CAUSE = 10,
	R_EPC,
	R_TVAL,
	R_STATUS,
	R_STATUSH,
	R_ODD,
	R_MMIO,
	R_HIGH
};

/* Reads out the trap, then sleeps; nothing is enabled. */
static const uint32_t handler[] = {
	CSRR(R_CAUSE, CSR_MCAUSE),   CSRR(R_EPC, CSR_MEPC),	    CSRR(R_TVAL, CSR_MTVAL),
	CSRR(R_STATUS, CSR_MSTATUS), CSRR(R_STATUSH, CSR_MSTATUSH), WFI,
};

static const uint32_t setup[] = {
	LI(R_RES, MSTATUSH_MDT),
	CSRRC(0, CSR_MSTATUSH, R_RES),
	LI(R_RES, HANDLER),
	CSRW(CSR_MTVEC, R_RES),
	CSRRWI(0, CSR_MIE, 0),
	CSRRWI(0, CSR_MSTATUS, MSTATUS_MIE),
	CSRRWI(0, CSR_MTVAL, 31),
	LI(R_DATA, DATA),
	LI(R_ODD, 0x302),
	LUI(R_MMIO, 0x80000),
	LUI(R_HIGH, CPU_RAM_BYTES >> 12),
	LI(R_RES, 0x5eed),
};

struct trap_case {
	const char *name;
	uint32_t instr;
	uint32_t cause;
	uint32_t epc, tval;
};

#define AT UNDER_TEST
#define ILL(name, word)                 \
	{                               \
		name, word, 2, AT, word \
	}

static const struct trap_case cases[] = {
	{ "ecall", ECALL, 11, AT, 0 },
	{ "ebreak", EBREAK, 3, AT, AT },
	{ "lh odd", LH(R_RES, R_DATA, 1), 4, AT, DATA + 1 },
	{ "lhu odd", LHU(R_RES, R_DATA, 3), 4, AT, DATA + 3 },
	{ "lw + 1", LW(R_RES, R_DATA, 1), 4, AT, DATA + 1 },
	{ "lw + 2", LW(R_RES, R_DATA, 2), 4, AT, DATA + 2 },
	{ "lw + 3", LW(R_RES, R_DATA, -1), 4, AT, DATA - 1 },
	{ "lw misaligned mmio", LW(R_RES, R_MMIO, 2), 4, AT, CPU_MMIO + 2 },
	{ "sh odd", SH(R_ODD, R_DATA, 1), 6, AT, DATA + 1 },
	{ "sw + 1", SW(R_ODD, R_DATA, 1), 6, AT, DATA + 1 },
	{ "sw + 2", SW(R_ODD, R_DATA, 2), 6, AT, DATA + 2 },
	{ "sw + 3", SW(R_ODD, R_DATA, 3), 6, AT, DATA + 3 },
	{ "sw misaligned mmio", SW(R_ODD, R_MMIO, 1), 6, AT, CPU_MMIO + 1 },
	{ "lw past the RAM", LW(R_RES, R_HIGH, 0), 5, AT, CPU_RAM_BYTES },
	{ "lb past the RAM", LB(R_RES, R_HIGH, 1), 5, AT, CPU_RAM_BYTES + 1 },
	{ "lw below mmio", LW(R_RES, R_MMIO, -4), 5, AT, CPU_MMIO - 4 },
	{ "lw at the top", LW(R_RES, 0, -4), 5, AT, 0xfffffffc },
	{ "sw past the RAM", SW(R_ODD, R_HIGH, 0), 7, AT, CPU_RAM_BYTES },
	{ "sb below mmio", SB(R_ODD, R_MMIO, -1), 7, AT, CPU_MMIO - 1 },
	{ "jal to + 2", JAL(R_RES, 6), 0, AT, AT + 6 },
	{ "jal x0 to - 2", JAL(0, -2), 0, AT, AT - 2 },
	{ "jalr to + 2", JALR(R_RES, R_ODD, 0), 0, AT, 0x302 },
	{ "jalr to + 3", JALR(R_RES, R_ODD, 1), 0, AT, 0x302 },
	{ "branch taken to + 2", BEQ(R_ODD, R_ODD, 10), 0, AT, AT + 10 },
	{ "jalr out of the RAM", JALR(R_RES, R_HIGH, 0), 1, CPU_RAM_BYTES, CPU_RAM_BYTES },
	{ "jalr to mmio", JALR(0, R_MMIO, 0), 1, CPU_MMIO, CPU_MMIO },
	ILL("zeros", 0x00000000),
	ILL("ones", 0xffffffff),
	ILL("compressed nop", 0x00000001),
	ILL("load, width 3", rv_i(0, R_DATA, 3, R_RES, 0x03)),
	ILL("load, width 6", rv_i(0, R_DATA, 6, R_RES, 0x03)),
	ILL("load, width 7", rv_i(0, R_DATA, 7, R_RES, 0x03)),
	ILL("store, width 3", rv_s(0, R_ODD, R_DATA, 3)),
	ILL("store, width 4", rv_s(0, R_ODD, R_DATA, 4)),
	ILL("store, width 6", rv_s(0, R_ODD, R_DATA, 6)),
	ILL("branch, funct3 2", rv_b(8, 1, 1, 2)),
	ILL("branch, funct3 3", rv_b(8, 1, 1, 3)),
	ILL("jalr, funct3 1", rv_i(0, R_ODD, 1, R_RES, 0x67)),
	ILL("slli, imm[5]", rv_r(1, 1, 1, 1, R_RES, 0x13)),
	ILL("slli, imm[10]", rv_r(0x20, 1, 1, 1, R_RES, 0x13)),
	ILL("srli, imm[5]", rv_r(1, 1, 1, 5, R_RES, 0x13)),
	ILL("srai, imm[11]", rv_r(0x60, 1, 1, 5, R_RES, 0x13)),
	ILL("op, funct7 2", rv_r(2, 1, 1, 0, R_RES, 0x33)),
	ILL("op, funct7 0x40", rv_r(0x40, 1, 1, 0, R_RES, 0x33)),
	ILL("op 20 sll", rv_r(0x20, 1, 1, 1, R_RES, 0x33)),
	ILL("op 20 or", rv_r(0x20, 1, 1, 6, R_RES, 0x33)),
	ILL("op 21 mul", rv_r(0x21, 1, 1, 0, R_RES, 0x33)),
	ILL("misc-mem, funct3 2", rv_i(0, 0, 2, 0, 0x0f)),
	ILL("amo", rv_r(0, 1, R_DATA, 2, R_RES, 0x2f)),
	ILL("flw", rv_i(0, R_DATA, 2, R_RES, 0x07)),
	ILL("fsw", rv_s(0, 1, R_DATA, 2) ^ 0x04),
	ILL("op-32", rv_r(0, 1, 1, 0, R_RES, 0x3b)),
	ILL("op-imm-32", rv_i(0, 1, 0, R_RES, 0x1b)),
	ILL("custom-0", rv_i(0, 0, 0, R_RES, 0x0b)),
	ILL("uret", 0x00200073),
	ILL("sret", 0x10200073),
	ILL("sfence.vma", 0x12000073),
	ILL("mret with rd", MRET | 0x80),
	ILL("ecall with rs1", ECALL | 1 << 15),
	ILL("wfi with rd", WFI | 0x80),
	ILL("system, funct3 4", CSR(4, R_RES, CSR_MSCRATCH, 1)),
	ILL("csr that is not there", CSRR(R_RES, 0x123)),
	ILL("write it", CSRW(0x123, R_ODD)),
	ILL("write mhartid", CSRW(CSR_MHARTID, R_ODD)),
	ILL("set bits in cycle", CSRRS(R_RES, CSR_CYCLE, R_ODD)),
	ILL("clear bits in time", CSRRC(R_RES, CSR_TIME, R_ODD)),
	ILL("immediate set in instret", CSRRSI(R_RES, CSR_INSTRET, 1)),
	ILL("write x0 to mvendorid", CSRW(CSR_MVENDORID, 0)),
	ILL("sstatus", CSRR(R_RES, 0x100)),
	ILL("satp", CSRR(R_RES, 0x180)),
	ILL("mideleg", CSRR(R_RES, 0x303)),
};

static void run_case(struct cpu *c, const struct trap_case *t)
{
	uint32_t prog[UNDER_TEST / 4 + 1];
	size_t n = sizeof(setup) / 4;

	assert_true(n <= UNDER_TEST / 4);
	memcpy(prog, setup, sizeof(setup));
	for (; n < UNDER_TEST / 4; n++)
		prog[n] = NOP;
	prog[n++] = t->instr;
	cpu_load(c, HANDLER, handler, sizeof(handler) / 4);
	CPU_RUN(c, prog, 500);

	if (cpu_reg(c, R_CAUSE) != t->cause || cpu_reg(c, R_EPC) != t->epc ||
	    cpu_reg(c, R_TVAL) != t->tval)
		vtb_fail(c->tb, "%s: mcause 0x%x mepc 0x%x mtval 0x%x, expected 0x%x 0x%x 0x%x",
			 t->name, cpu_reg(c, R_CAUSE), cpu_reg(c, R_EPC), cpu_reg(c, R_TVAL),
			 t->cause, t->epc, t->tval);
	vtb_check_eq(c->tb, cpu_reg(c, R_STATUS), MSTATUS_MPP | MSTATUS_MPIE);
	vtb_check_eq(c->tb, cpu_reg(c, R_STATUSH), MSTATUSH_MDT);
	/* rd is only written by a jump that arrives where the fetch then fails */
	vtb_check_eq(c->tb, cpu_reg(c, R_RES),
		     t->cause == 1 && t->epc == CPU_RAM_BYTES ? AT + 4 : 0x5eedu);
	vtb_check_eq(c->tb, c->retired, n - 1 + (t->cause == 1) + sizeof(handler) / 4);
	vtb_check_eq(c->tb, c->accesses, 0);
	vtb_check_eq(c->tb, vtb_read(c->p.fatal), 0);
}

static void exceptions(void **state)
{
	struct cpu *c = cpu_create();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run_case(c, &cases[i]);
	cpu_destroy(c);
}

/* Running off the end of the RAM: the fetch after the last word fails, whatever stood there. */
static void end_of_ram(void **state)
{
	static const uint32_t last[] = {
		NOP,
		SW(0, R_DATA, 0),
		LW(20, R_DATA, 0),
		MULDIV(0, 20, R_DATA, R_DATA),
		MULDIV(4, 20, R_DATA, R_DATA),
		CSRW(CSR_MSCRATCH, R_DATA),
		SW(0, R_MMIO, 0),
		LW(20, R_MMIO, 0),
		BEQ(0, R_DATA, -8),
		FENCE_I,
	};
	const uint32_t jump[] = { LUI(R_HIGH, CPU_RAM_BYTES >> 12), JALR(0, R_HIGH, -4) };
	struct cpu *c = cpu_create();

	(void)state;
	for (size_t i = 0; i < sizeof(last) / sizeof(last[0]); i++) {
		cpu_load(c, CPU_RAM_BYTES - 4, &last[i], 1);
		cpu_load(c, HANDLER, handler, sizeof(handler) / 4);
		cpu_load(c, sizeof(setup), jump, sizeof(jump) / 4);
		CPU_RUN(c, setup, 500);
		vtb_check_eq(c->tb, cpu_reg(c, R_CAUSE), 1);
		vtb_check_eq(c->tb, cpu_reg(c, R_EPC), CPU_RAM_BYTES);
		vtb_check_eq(c->tb, cpu_reg(c, R_TVAL), CPU_RAM_BYTES);
		vtb_check_eq(c->tb, c->retired, sizeof(setup) / 4 + 3 + sizeof(handler) / 4);
	}
	cpu_destroy(c);
}

/* A store that traps leaves memory alone; the handler skips it with MRET and all goes on. */
static void skip_and_go_on(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		LI(5, MSTATUSH_MDT),
		CSRRC(0, CSR_MSTATUSH, 5),
		LI(5, HANDLER),
		CSRW(CSR_MTVEC, 5),
		CSRRWI(0, CSR_MSTATUS, MSTATUS_MIE),
		LI(R_DATA, DATA),
		ADDI(20, 0, 0),
		LI(6, 0x11223344),
		SW(6, R_DATA, 0),
		SW(6, R_DATA, 4),
		LI(7, -1),
		SW(7, R_DATA, 1),
		SH(7, R_DATA, 5),
		ECALL,
		EBREAK,
		0,
		LW(21, R_DATA, 0),
		LW(22, R_DATA, 4),
		CSRR(23, CSR_MSTATUS),
		CSRR(24, CSR_MSTATUSH),
		CSRR(25, CSR_MINSTRET),
		WFI,
	};
	const uint32_t skip[] = {
		ADDI(20, 20, 1), CSRR(28, CSR_MEPC), ADDI(28, 28, 4), CSRW(CSR_MEPC, 28), MRET,
	};

	(void)state;
	cpu_load(c, HANDLER, skip, sizeof(skip) / 4);
	CPU_RUN(c, prog, 1000);
	vtb_check_eq(c->tb, cpu_reg(c, 20), 5);
	vtb_check_eq(c->tb, cpu_reg(c, 21), 0x11223344);
	vtb_check_eq(c->tb, cpu_reg(c, 22), 0x11223344);
	vtb_check_eq(c->tb, cpu_reg(c, 23), MSTATUS_MPP | MSTATUS_MPIE | MSTATUS_MIE);
	vtb_check_eq(c->tb, cpu_reg(c, 24), 0);
	/* what trapped has not retired */
	vtb_check_eq(c->tb, cpu_reg(c, 25), c->retired - 2);
	cpu_destroy(c);
}

/* A taken branch, a jump over and code of every kind that must not trap. */
static void no_false_traps(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		LI(5, HANDLER),
		CSRW(CSR_MTVEC, 5),
		LI(R_DATA, DATA),
		LI(6, 0x80c1d2e3),
		SW(6, R_DATA, 0),
		LB(10, R_DATA, 3),
		LBU(11, R_DATA, 3),
		LH(12, R_DATA, 2),
		LHU(13, R_DATA, 2),
		LB(14, R_DATA, 1),
		SB(0, R_DATA, 1),
		SH(5, R_DATA, 2),
		LW(15, R_DATA, 0),
		BNE(5, 5, 6), /* not taken: a bad target does not matter */
		FENCE,
		FENCE_I,
		CSRRS(0, CSR_MHARTID, 0),
		CSRRCI(0, CSR_CYCLE, 0),
		CSRRW(0, CSR_MSCRATCH, 6),
		CSRR(16, CSR_MSCRATCH),
		CSRR(17, CSR_MISA),
		CSRW(CSR_MISA, 0),
		CSRR(18, CSR_MISA),
		WFI,
	};

	(void)state;
	cpu_load(c, HANDLER, handler, sizeof(handler) / 4);
	CPU_RUN(c, prog, 1000);
	vtb_check_eq(c->tb, c->retired, sizeof(prog) / 4);
	vtb_check_eq(c->tb, cpu_reg(c, 10), 0xffffff80);
	vtb_check_eq(c->tb, cpu_reg(c, 11), 0x80);
	vtb_check_eq(c->tb, cpu_reg(c, 12), 0xffff80c1);
	vtb_check_eq(c->tb, cpu_reg(c, 13), 0x80c1);
	vtb_check_eq(c->tb, cpu_reg(c, 14), 0xffffffd2);
	vtb_check_eq(c->tb, cpu_reg(c, 15), HANDLER << 16 | 0x00e3);
	vtb_check_eq(c->tb, cpu_reg(c, 16), 0x80c1d2e3);
	vtb_check_eq(c->tb, cpu_reg(c, 17), 0x40001100);
	vtb_check_eq(c->tb, cpu_reg(c, 18), 0x40001100);
	cpu_destroy(c);
}

/* Which bits of each CSR can be written, and the three ways of writing. */
static void csr_bits(void **state)
{
	static const struct {
		uint16_t csr;
		uint32_t ones, zeros;
	} regs[] = {
		{ CSR_MSTATUS, MSTATUS_MPP | MSTATUS_MPIE | MSTATUS_MIE, MSTATUS_MPP },
		{ CSR_MIE, 0xffff0080, 0 },
		{ CSR_MTVEC, 0xfffffffd, 0 },
		{ CSR_MSCRATCH, 0xffffffff, 0 },
		{ CSR_MEPC, 0xfffffffc, 0 },
		{ CSR_MCAUSE, 0x8000001f, 0 },
		{ CSR_MTVAL, 0xffffffff, 0 },
		{ CSR_MIP, 0, 0 },
		{ CSR_MVENDORID, 0, 0 },
		{ CSR_MARCHID, 0, 0 },
		{ CSR_MIMPID, 0, 0 },
		{ CSR_MHARTID, 0, 0 },
		{ CSR_MCONFIGPTR, 0, 0 },
	};
	struct cpu *c = cpu_create();

	(void)state;
	for (size_t i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
		uint16_t csr = regs[i].csr;
		bool writable = csr >> 10 != 3;
		const uint32_t prog[] = {
			LI(5, MSTATUSH_MDT),
			CSRRC(0, CSR_MSTATUSH, 5),
			LI(5, -1),
			LI(6, 0x0f0f0f0f),
			writable ? CSRRW(0, csr, 5) : NOP,
			CSRR(10, csr),
			writable ? CSRRC(11, csr, 6) : NOP,
			CSRR(12, csr),
			writable ? CSRRS(13, csr, 6) : NOP,
			CSRR(14, csr),
			writable ? CSRRW(0, csr, 0) : NOP,
			CSRR(15, csr),
			writable ? CSRRSI(16, csr, 0x1f) : NOP,
			CSRR(17, csr),
			writable ? CSRRCI(18, csr, 0x0a) : NOP,
			CSRR(19, csr),
			WFI,
		};
		uint32_t can = regs[i].ones ^ regs[i].zeros;

		CPU_RUN(c, prog, 1000);
		vtb_check_eq(c->tb, c->retired, sizeof(prog) / 4);
		vtb_check_eq(c->tb, cpu_reg(c, 10), regs[i].ones);
		vtb_check_eq(c->tb, cpu_reg(c, 12), regs[i].ones & ~(can & 0x0f0f0f0f));
		vtb_check_eq(c->tb, cpu_reg(c, 14), regs[i].ones);
		vtb_check_eq(c->tb, cpu_reg(c, 15), regs[i].zeros);
		vtb_check_eq(c->tb, cpu_reg(c, 17), regs[i].zeros | (can & 0x1f));
		vtb_check_eq(c->tb, cpu_reg(c, 19), regs[i].zeros | (can & 0x15));
		if (!writable)
			continue;
		vtb_check_eq(c->tb, cpu_reg(c, 11), regs[i].ones);
		vtb_check_eq(c->tb, cpu_reg(c, 16), regs[i].zeros);
		vtb_check_eq(c->tb, cpu_reg(c, 18), cpu_reg(c, 17));
	}
	cpu_destroy(c);
}

/* MDT guards MIE (Smdbltrp): set together with a cleared MIE, and MIE cannot be set under it. */
static void mdt_rules(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		CSRR(10, CSR_MSTATUSH),
		CSRRWI(0, CSR_MSTATUS, MSTATUS_MIE),
		CSRR(11, CSR_MSTATUS),
		LI(5, MSTATUSH_MDT),
		CSRRC(0, CSR_MSTATUSH, 5),
		CSRR(12, CSR_MSTATUSH),
		CSRRWI(0, CSR_MSTATUS, MSTATUS_MIE),
		CSRR(13, CSR_MSTATUS),
		CSRRS(0, CSR_MSTATUSH, 5),
		CSRR(14, CSR_MSTATUSH),
		CSRR(15, CSR_MSTATUS),
		WFI,
	};

	(void)state;
	CPU_RUN(c, prog, 200);
	vtb_check_eq(c->tb, cpu_reg(c, 10), MSTATUSH_MDT);
	vtb_check_eq(c->tb, cpu_reg(c, 11), MSTATUS_MPP);
	vtb_check_eq(c->tb, cpu_reg(c, 12), 0);
	vtb_check_eq(c->tb, cpu_reg(c, 13), MSTATUS_MPP | MSTATUS_MIE);
	vtb_check_eq(c->tb, cpu_reg(c, 14), MSTATUSH_MDT);
	vtb_check_eq(c->tb, cpu_reg(c, 15), MSTATUS_MPP);
	cpu_destroy(c);
}

static void counters(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		CSRR(10, CSR_MCYCLE),
		NOP,
		NOP,
		NOP,
		CSRR(11, CSR_CYCLE), /* 3 cycles each */
		CSRR(12, CSR_MINSTRET),
		NOP,
		NOP,
		CSRR(13, CSR_INSTRET),
		LI(5, -1),
		CSRW(CSR_MINSTRET, 5),
		CSRR(14, CSR_MINSTRET),
		CSRR(15, CSR_MINSTRETH),
		CSRW(CSR_MCYCLEH, 5),
		CSRW(CSR_MCYCLE, 5),
		CSRR(16, CSR_MCYCLE),
		CSRR(17, CSR_MCYCLEH),
		LI(5, 77),
		CSRW(CSR_MINSTRETH, 5),
		CSRR(18, CSR_MINSTRETH),
		CSRR(20, CSR_TIMEH),
		CSRR(21, CSR_TIME),
		CSRR(22, CSR_TIMEH),
		WFI,
	};

	(void)state;
	c->time_stopped = true;
	c->time = 0x123456789abcdef0;
	CPU_RUN(c, prog, 200);
	vtb_check_eq(c->tb, cpu_reg(c, 11) - cpu_reg(c, 10), 6); /* a read takes three */
	vtb_check_eq(c->tb, cpu_reg(c, 12), 5);
	vtb_check_eq(c->tb, cpu_reg(c, 13), 8);
	/* the write takes the place of its own count: the next instruction still reads what was
	 * written */
	vtb_check_eq(c->tb, cpu_reg(c, 14), 0xffffffff);
	vtb_check_eq(c->tb, cpu_reg(c, 15), 1);
	/* a cycle passes from the write to the read: 2^64 - 1 is 0 again */
	vtb_check_eq(c->tb, cpu_reg(c, 16), 0);
	vtb_check_eq(c->tb, cpu_reg(c, 17), 0);
	vtb_check_eq(c->tb, cpu_reg(c, 18), 77);
	vtb_check_eq(c->tb, cpu_reg(c, 20), 0x12345678);
	vtb_check_eq(c->tb, cpu_reg(c, 21), 0x9abcdef0);
	vtb_check_eq(c->tb, cpu_reg(c, 22), 0x12345678);
	cpu_destroy(c);
}

static void check_fatal(struct cpu *c, uint32_t pc, uint32_t cause)
{
	uint64_t retired;

	vtb_run_until(c->tb, vtb_read(c->p.fatal), 500);
	vtb_check_eq(c->tb, vtb_get(c->tb, "fatal_pc_o"), pc);
	vtb_check_eq(c->tb, vtb_get(c->tb, "fatal_cause_o"), cause);
	/* stopped: nothing more happens, whatever comes */
	retired = c->retired;
	vtb_set(c->tb, "irq_i", 0xffff);
	vtb_run(c->tb, 50);
	vtb_set(c->tb, "irq_i", 0);
	vtb_check_eq(c->tb, c->retired, retired);
	vtb_check_eq(c->tb, vtb_read(c->p.fatal), 1);
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 1);
	vtb_check_eq(c->tb, vtb_get(c->tb, "deadline_valid_o"), 0);
}

/* A trap before mtvec is set, and a trap inside a handler, stop the core; hold starts it anew. */
static void double_trap(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t early[] = { NOP, LI(5, -1), CSRW(CSR_MIE, 5), EBREAK };
	const uint32_t late[] = {
		LI(5, MSTATUSH_MDT),
		CSRRC(0, CSR_MSTATUSH, 5),
		LI(5, HANDLER),
		CSRW(CSR_MTVEC, 5),
		ECALL,
	};
	const uint32_t bad_handler[] = { NOP, LW(5, 0, 1) };
	const uint32_t fetch[] = {
		LI(5, MSTATUSH_MDT),
		CSRRC(0, CSR_MSTATUSH, 5),
		LUI(5, CPU_RAM_BYTES >> 12),
		CSRW(CSR_MTVEC, 5),
		ECALL,
	};
	const uint32_t good[] = { LI(5, 42), WFI };

	(void)state;
	cpu_load(c, 0, early, sizeof(early) / 4);
	cpu_start(c);
	check_fatal(c, 16, 3);

	cpu_load(c, 0, late, sizeof(late) / 4);
	vtb_check_eq(c->tb, vtb_read(c->p.fatal), 0);
	cpu_load(c, HANDLER, bad_handler, sizeof(bad_handler) / 4);
	cpu_start(c);
	check_fatal(c, HANDLER + 4, 4);

	cpu_load(c, 0, fetch, sizeof(fetch) / 4); /* the handler itself is not there */
	cpu_start(c);
	check_fatal(c, CPU_RAM_BYTES, 1);

	CPU_RUN(c, good, 100);
	vtb_check_eq(c->tb, cpu_reg(c, 5), 42);
	vtb_check_eq(c->tb, vtb_read(c->p.fatal), 0);
	cpu_destroy(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exceptions),	  cmocka_unit_test(end_of_ram),
		cmocka_unit_test(skip_and_go_on), cmocka_unit_test(no_false_traps),
		cmocka_unit_test(csr_bits),	  cmocka_unit_test(mdt_rules),
		cmocka_unit_test(counters),	  cmocka_unit_test(double_trap),
	};

	return cmocka_run_group_tests_name("cpu traps", tests, NULL, NULL);
}
