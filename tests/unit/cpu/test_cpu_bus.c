// SPDX-License-Identifier: Apache-2.0
/*
 * The outside of the management core: MMIO port with wait states and byte lanes, console, DMA
 * port, hold and reset at any moment, timing of the instruction classes (cpu_bus, cpu_ram, cpu_uart
 * and cpu_decode inside cpu_top).
 */
#include <string.h>

#include "cpu_tb.h"
#include "rv.h"

#define LOOP_HERE JAL(0, 0)

/* Random loads and stores of every size over all 14 external regions against a model, with wait
 * states. */
static void mmio_random(unsigned int max_wait)
{
	struct cpu *c = cpu_create();
	uint64_t waited = 0;

	c->mmio_max_wait = max_wait;
	for (int i = 0; i < 400; i++) {
		uint32_t region = (uint32_t)rng_below(&c->tb->rng, 14),
			 size = (uint32_t)rng_below(&c->tb->rng, 3);
		uint32_t addr = region << 16 | (uint32_t)rng_below(&c->tb->rng, 0x10000 >> size)
						       << size;
		uint32_t value = (uint32_t)rng_u64(&c->tb->rng),
			 old = (uint32_t)rng_u64(&c->tb->rng);
		unsigned int shift = 8 * (addr & 3);
		uint32_t mask = (size == 2 ? 0xffffffffu : (1u << (8 << size)) - 1) << shift;
		const uint32_t prog[] = {
			LI(10, CPU_MMIO | addr),
			LI(11, value),
			size == 0   ? LBU(12, 10, 0)
			: size == 1 ? LHU(12, 10, 0)
				    : LW(12, 10, 0),
			size == 0   ? LB(13, 10, 0)
			: size == 1 ? LH(13, 10, 0)
				    : LW(13, 10, 0),
			rv_s(0, 11, 10, size),
			ADDI(14, 13, 1),
			WFI,
		};
		uint32_t part = (old & mask) >> shift;

		c->mmio_word[addr >> 2] = old;
		c->accesses = 0;
		CPU_RUN(c, prog, 200 + 10 * max_wait);
		vtb_check_eq(c->tb, c->accesses, 3);
		vtb_check_eq(c->tb, cpu_reg(c, 12), part);
		vtb_check_eq(c->tb, cpu_reg(c, 13),
			     size == 0	 ? (uint32_t)(int8_t)part
			     : size == 1 ? (uint32_t)(int16_t)part
					 : part);
		vtb_check_eq(c->tb, cpu_reg(c, 14), cpu_reg(c, 13) + 1);
		vtb_check_eq(c->tb, c->last.we, 1);
		vtb_check_eq(c->tb, c->last.addr, addr & ~3u);
		vtb_check_eq(c->tb, c->last.strb, ((1u << (1 << size)) - 1) << (addr & 3));
		vtb_check_eq(c->tb, c->mmio_word[addr >> 2],
			     (old & ~mask) | (value << shift & mask));
		waited += c->last.waited;
	}
	vtb_check_eq(c->tb, waited > 0, max_wait > 0);
	cpu_destroy(c);
}

static void mmio(void **state)
{
	(void)state;
	mmio_random(0);
	mmio_random(3);
	mmio_random(60);
}

/* While an access waits, nothing else moves: no retirement, no idle. */
static void mmio_stall(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = { LUI(10, 0x80010), LW(11, 10, 4), SW(11, 10, 8), WFI };
	uint64_t retired;

	(void)state;
	c->mmio_word[0x10004 / 4] = 0xcafe;
	c->mmio_stuck = true;
	cpu_load(c, 0, prog, sizeof(prog) / 4);
	cpu_start(c);
	for (unsigned int i = 1; i <= 2; i++) {
		vtb_run_until(c->tb, vtb_read(c->p.mmio_valid), 50);
		vtb_tick(c->tb); /* in which a store is over for the core */
		retired = c->retired;
		for (int n = 0; n < 200; n++) {
			vtb_tick(c->tb);
			vtb_check_eq(c->tb, vtb_read(c->p.idle), 0);
		}
		vtb_check_eq(c->tb, c->retired, retired);
		vtb_check_eq(c->tb, c->accesses, i - 1);
		c->mmio_stuck = false;
		vtb_run_until(c->tb, c->accesses == i, 100);
		c->mmio_stuck = true;
	}
	cpu_run_to_idle(c, 50);
	vtb_check_eq(c->tb, cpu_reg(c, 11), 0xcafe);
	vtb_check_eq(c->tb, c->mmio_word[0x10008 / 4], 0xcafe);
	cpu_destroy(c);
}

/* A fetch, and an access outside the MMIO space, never reach the port. */
static void mmio_not_touched(void **state)
{
	struct cpu *c = cpu_create();
	static const uint32_t where[] = { 0x80100000, 0x90000000, 0x00080000, 0x7fffffff & ~3u,
					  0xfffffffc };

	(void)state;
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		const uint32_t prog[] = {
			LI(5, MSTATUSH_MDT),
			CSRRC(0, CSR_MSTATUSH, 5),
			LI(5, 0x200),
			CSRW(CSR_MTVEC, 5),
			LI(6, where[i]),
			SW(5, 6, 0),
			WFI,
		};
		const uint32_t handler[] = { CSRR(10, CSR_MCAUSE), WFI };

		cpu_load(c, 0x200, handler, 2);
		CPU_RUN(c, prog, 100);
		vtb_check_eq(c->tb, cpu_reg(c, 10), 7);
		vtb_check_eq(c->tb, c->accesses, 0);
	}
	cpu_destroy(c);
}

/* Every byte arrives, in order, however slow the sink; the core is not idle while one waits. */
static void console(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		LUI(10, 0x800e0), LI(11, 'a'),	   LI(12, 'a' + 26), LW(13, 10, 0), SB(11, 10, 0),
		LW(14, 10, 0),	  ADDI(11, 11, 1), BNE(11, 12, -12), WFI,
	};

	(void)state;
	for (unsigned int pause = 0; pause < 100; pause += 33) {
		vtb_stream_pause(c->uart, pause);
		CPU_RUN(c, prog, 5000);
		vtb_check_eq(c->tb, vtb_received(c->uart), 26);
		for (unsigned int i = 0; i < 26; i++)
			vtb_check_eq(c->tb, vtb_recv_word(c->uart), 'a' + i);
		vtb_check_eq(c->tb, cpu_reg(c, 13), 1);
	}
	vtb_stream_pause(c->uart, 100);
	cpu_load(c, 0, prog, sizeof(prog) / 4);
	cpu_start(c);
	vtb_run(c->tb, 300);
	vtb_check_eq(c->tb, cpu_reg(c, 14), 0); /* full */
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 0);
	vtb_put(c->p.hold, 1);
	vtb_run(c->tb, 20);
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 0); /* held, but a byte is still to go */
	vtb_stream_pause(c->uart, 0);
	vtb_run(c->tb, 20);
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 1);
	/* 'a', and the store of 'b' that had begun */
	vtb_check_eq(c->tb, vtb_received(c->uart), 2);
	vtb_check_eq(c->tb, vtb_recv_word(c->uart), 'a');
	vtb_check_eq(c->tb, vtb_recv_word(c->uart), 'b');
	vtb_check_eq(c->tb, c->accesses, 0);
	cpu_destroy(c);
}

/* Words go where they are sent, from first to last. */
static void load_image(void **state)
{
	struct cpu *c = cpu_create();
	static uint32_t image[CPU_RAM_BYTES / 4];
	const uint32_t sum[] = {
		/* x10 = sum of all words behind the program, x11 its address */
		LI(11, 0x40),	  LUI(12, CPU_RAM_BYTES >> 12),
		ADDI(10, 0, 0),	  LW(13, 11, 0),
		ADD(10, 10, 13),  ADDI(11, 11, 4),
		BNE(11, 12, -12), WFI,
	};
	uint32_t expect = 0;

	(void)state;
	for (size_t i = 0; i < CPU_RAM_BYTES / 4; i++) {
		image[i] = (uint32_t)rng_u64(&c->tb->rng);
		if (i >= 0x10)
			expect += image[i];
	}
	memcpy(image, sum, sizeof(sum));
	cpu_load(c, 0, image, CPU_RAM_BYTES / 4);
	cpu_start(c);
	cpu_run_to_idle(c, 20 * CPU_RAM_BYTES / 4);
	vtb_check_eq(c->tb, cpu_reg(c, 10), expect);
	cpu_destroy(c);
}

#define DMA_AT 0x8000u /* words that DMA has for itself */
#define DMA_WORDS 64u

struct dma {
	struct cpu *c;
	uint32_t word[DMA_WORDS];
	unsigned int at, waited, longest, done[2], percent;
	uint32_t want; /* of a read whose word comes now */
	bool pending, reading;
};

/* A word now and then, at random, written or read; what is read comes in the cycle after. */
static void dma_drive(struct vtb *tb, void *arg)
{
	struct dma *d = arg;

	if (d->pending)
		return;
	d->pending = rng_percent(&tb->rng, d->percent);
	vtb_put(d->c->p.dma_valid, d->pending);
	d->waited = 0;
	d->at = (unsigned int)rng_below(&tb->rng, DMA_WORDS);
	vtb_put(d->c->p.dma_we, rng_percent(&tb->rng, 50));
	vtb_put(d->c->p.dma_addr, DMA_AT / 4 + d->at);
	vtb_put(d->c->p.dma_wdata, rng_u64(&tb->rng) & 0xffffffff);
}

static void dma_sample(struct vtb *tb, void *arg)
{
	struct dma *d = arg;

	if (d->reading)
		vtb_check_eq(tb, vtb_read(d->c->p.dma_rdata), d->want);
	d->reading = false;
	if (!d->pending)
		return;
	if (!vtb_read(d->c->p.dma_ready)) {
		d->waited++;
		d->longest = d->waited > d->longest ? d->waited : d->longest;
		return;
	}
	if (vtb_read(d->c->p.dma_we)) {
		d->word[d->at] = (uint32_t)vtb_read(d->c->p.dma_wdata);
	} else {
		d->reading = true;
		d->want = d->word[d->at];
	}
	d->done[vtb_read(d->c->p.dma_we)]++;
	d->pending = false;
}

/*
 * DMA beside a program of loads, stores, MMIO and sleep costs that no cycle and spoils nothing of
 * it, and gets its words soon: what the program loads and stores one after the other is longest.
 */
static void dma(void **state)
{
	const uint32_t prog[] = {
		LUI(12, 0x80000), LI(10, 0x4000), ADDI(20, 0, 0), LI(21, 200),
		/* loop: */
		SW(20, 10, 0), SW(20, 10, 4), LW(22, 10, 0), LW(23, 10, 4), SW(22, 12, 0),
		LW(24, 12, 0), MULDIV(0, 25, 23, 24), ADD(26, 26, 25), ADDI(20, 20, 1),
		BNE(20, 21, -36), WFI,
	};
	uint64_t alone = 0;

	(void)state;
	for (unsigned int percent = 0; percent <= 100; percent += 25) {
		struct cpu *c = cpu_create();
		struct dma d = { .c = c, .percent = percent };
		uint64_t start;

		cpu_load(c, DMA_AT, d.word, DMA_WORDS);
		cpu_load(c, 0, prog, sizeof(prog) / 4);
		vtb_on_drive(c->tb, dma_drive, &d);
		vtb_on_sample(c->tb, dma_sample, &d);
		start = c->tb->cycle;
		cpu_start(c);
		cpu_run_to_idle(c, 10000);
		if (!percent)
			alone = c->tb->cycle - start;
		vtb_check_eq(c->tb, c->tb->cycle - start, alone);
		vtb_check_eq(c->tb, cpu_reg(c, 22), 199);
		vtb_check_eq(c->tb, cpu_reg(c, 25), 199 * 199);
		vtb_run(c->tb, 200); /* asleep */
		vtb_check(c->tb, d.longest <= 3);
		vtb_check(c->tb, !percent || (d.done[0] > 100 && d.done[1] > 100));
		cpu_destroy(c);
	}
}

/* A bit of everything: MMIO, timer, CSRs, multiply, divide, a trap that stops the core. */
static const uint32_t busy[] = {
	LI(5, MSTATUSH_MDT),
	CSRRC(0, CSR_MSTATUSH, 5),
	LUI(10, 0x80020),
	LUI(30, 0x800f0),
	SW(0, 30, 12),
	LI(5, 0x80),
	CSRW(CSR_MIE, 5),
	LI(6, 12345),
	LI(7, 77),
	MULDIV(4, 8, 6, 7),
	SW(6, 10, 0),
	LW(9, 10, 4),
	MULDIV(0, 8, 6, 7),
	CSRW(CSR_MSCRATCH, 6),
	ECALL,
};

/*
 * Hold (or reset) after every number of cycles of that program; then one that must find a fresh
 * core.  An MMIO access that had begun is finished in peace, and never answers a later one.
 */
static void hold_anywhere(bool reset)
{
	struct cpu *c = cpu_create();
	const uint32_t fresh[] = {
		CSRR(20, CSR_MSTATUS),
		CSRR(21, CSR_MSTATUSH),
		CSRR(22, CSR_MIE),
		CSRR(23, CSR_MTVEC),
		CSRR(24, CSR_MINSTRET),
		LUI(30, 0x800f0),
		LW(25, 30, 12),
		LUI(10, 0x80030),
		LW(26, 10, 0),
		LI(6, 1000),
		LI(7, 10),
		MULDIV(5, 27, 6, 7),
		WFI,
	};

	for (unsigned int after = 0; after < 110; after++) {
		c->mmio_max_wait = 40;
		c->mmio_word[0x30000 / 4] = 0x600d0000 + after;
		cpu_load(c, 0, busy, sizeof(busy) / 4);
		cpu_start(c);
		vtb_run(c->tb, after);
		if (reset) {
			vtb_put(c->p.hold, 1);
			vtb_reset(c->tb, 1);
			c->mmio_busy = false; /* only a real reset may cut an access short */
		}
		cpu_load(c, 0, fresh, sizeof(fresh) / 4);
		c->mmio_max_wait = after & 1 ? 0 : 5;
		cpu_start(c);
		cpu_run_to_idle(c, 300);
		vtb_check_eq(c->tb, cpu_reg(c, 20), MSTATUS_MPP);
		vtb_check_eq(c->tb, cpu_reg(c, 21), MSTATUSH_MDT);
		vtb_check_eq(c->tb, cpu_reg(c, 22), 0);
		vtb_check_eq(c->tb, cpu_reg(c, 23), 0);
		vtb_check_eq(c->tb, cpu_reg(c, 24), 4);
		vtb_check_eq(c->tb, cpu_reg(c, 25), 0xffffffff);
		vtb_check_eq(c->tb, cpu_reg(c, 26), 0x600d0000 + after);
		vtb_check_eq(c->tb, cpu_reg(c, 27), 100);
		vtb_check_eq(c->tb, c->last.addr, 0x30000);
	}
	cpu_destroy(c);
}

static void hold(void **state)
{
	(void)state;
	hold_anywhere(false);
}

static void reset(void **state)
{
	(void)state;
	hold_anywhere(true);
}

static void count_reads(struct cpu *c, const struct cpu_access *a)
{
	c->mmio_word[a->addr >> 2] = a->data + 1;
}

/*
 * A pulse of hold while an access waits: the program starts again and asks again while the old
 * access is still on its way.  The old answer must not become the new one's.
 */
static void hold_pulse(void **state)
{
	const uint32_t prog[] = { LUI(10, 0x80000), LW(11, 10, 0), LW(12, 10, 0), WFI };
	struct cpu *c = cpu_create();

	(void)state;
	c->on_access = count_reads;
	for (unsigned int width = 1; width <= 4; width++) {
		for (unsigned int wait = 0; wait < 20; wait++) {
			c->mmio_word[0] = 100;
			cpu_load(c, 0, prog, sizeof(prog) / 4);
			c->accesses = 0;
			c->mmio_stuck = true;
			cpu_start(c);
			vtb_run_until(c->tb, vtb_read(c->p.mmio_valid), 50);
			vtb_put(c->p.hold, 1);
			vtb_run(c->tb, width);
			vtb_put(c->p.hold, 0);
			vtb_run(c->tb, wait);
			c->mmio_stuck = false;
			cpu_run_to_idle(c, 100);
			vtb_check_eq(c->tb, c->accesses, 3);
			vtb_check_eq(c->tb, cpu_reg(c, 11), 101);
			vtb_check_eq(c->tb, cpu_reg(c, 12), 102);
		}
	}
	cpu_destroy(c);
}

/* Hold is quiet at once, and idle as soon as the port is. */
static void hold_is_idle(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = { LOOP_HERE };
	const uint32_t access[] = { LUI(10, 0x80000), LW(11, 10, 0), LOOP_HERE };
	uint64_t retired;

	(void)state;
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 1);
	cpu_load(c, 0, prog, 1);
	cpu_start(c);
	vtb_run(c->tb, 100);
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 0);
	vtb_check(c->tb, c->retired > 20);
	vtb_put(c->p.hold, 1);
	vtb_tick(c->tb);
	retired = c->retired;
	vtb_run(c->tb, 20);
	vtb_check_eq(c->tb, c->retired, retired);
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 1);

	c->mmio_stuck = true;
	cpu_load(c, 0, access, 3);
	cpu_start(c);
	vtb_run(c->tb, 30);
	vtb_put(c->p.hold, 1);
	vtb_run(c->tb, 30);
	vtb_check_eq(c->tb, vtb_read(c->p.mmio_valid), 1);
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 0);
	c->mmio_stuck = false;
	vtb_run(c->tb, 3);
	vtb_check_eq(c->tb, vtb_read(c->p.idle), 1);
	cpu_destroy(c);
}

/* Code written with stores runs after FENCE.I, even where it was already fetched ahead. */
static void fence_i(void **state)
{
	struct cpu *c = cpu_create();
	const uint32_t prog[] = {
		LI(10, ADDI(12, 0, 2)), LI(11, 0x18), SW(10, 11, 0), FENCE_I, ADDI(12, 0, 1), WFI,
	};

	(void)state;
	CPU_RUN(c, prog, 100);
	vtb_check_eq(c->tb, cpu_reg(c, 12), 2);
	cpu_destroy(c);
}

/* Cycles from one retirement to the next, as cpu_core.sv promises them. */
static void timing(void **state)
{
	static const struct {
		const char *what;
		uint32_t instr;
		unsigned int cycles;
	} cases[] = {
		{ "alu", ADD(20, 10, 11), 1 },
		{ "alu, each needs the one before", ADD(10, 10, 11), 1 },
		{ "branch not taken", BNE(0, 0, 8), 1 },
		{ "csr read", CSRR(20, CSR_MIE), 3 },
		{ "csr write", CSRRW(20, CSR_MSCRATCH, 10), 3 },
		{ "branch taken", BEQ(0, 0, 4), 3 },
		{ "jal", JAL(20, 4), 2 },
		{ "fence.i", FENCE_I, 2 },
		{ "store", SW(10, 11, 0), 1 },
		{ "store in another page than its base", SW(10, 11, -4), 2 },
		{ "load", LW(20, 11, 0), 2 },
		{ "load, each needs the one before", LW(11, 11, 0), 2 },
		{ "multiply", MULDIV(1, 20, 10, 11), 3 },
		{ "shift", rv_i(11, 10, 1, 20, 0x13), 3 },
		{ "divide", MULDIV(4, 20, 10, 11), 37 },
		{ "mmio store behind another", SW(10, 12, 0), 2 },
		{ "mmio load", LW(20, 12, 0), 3 },
	};
	struct cpu *c = cpu_create();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t prog[4 + 16 + 1], n = 0;
		const uint32_t init[] = { LUI(10, 0x12345), LUI(11, 1), LUI(12, 0x80000),
					  SW(11, 11, 0) };
		uint64_t start;

		for (; n < 4; n++)
			prog[n] = init[n];
		while (n < 4 + 16)
			prog[n++] = cases[i].instr;
		prog[n++] = WFI;
		cpu_load(c, 0, prog, n);
		cpu_start(c);
		vtb_run_until(c->tb, c->retired == 5, 100);
		start = c->tb->cycle;
		vtb_run_until(c->tb, c->retired == 5 + 15, 1000);
		if (c->tb->cycle - start != 15 * cases[i].cycles)
			vtb_fail(c->tb, "%s takes %.2f cycles, not %u", cases[i].what,
				 (double)(c->tb->cycle - start) / 15, cases[i].cycles);
	}
	cpu_destroy(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mmio),
		cmocka_unit_test(mmio_stall),
		cmocka_unit_test(mmio_not_touched),
		cmocka_unit_test(console),
		cmocka_unit_test(load_image),
		cmocka_unit_test(dma),
		cmocka_unit_test(hold),
		cmocka_unit_test(hold_pulse),
		cmocka_unit_test(reset),
		cmocka_unit_test(hold_is_idle),
		cmocka_unit_test(fence_i),
		cmocka_unit_test(timing),
	};

	return cmocka_run_group_tests_name("cpu bus", tests, NULL, NULL);
}
