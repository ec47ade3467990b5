// SPDX-License-Identifier: Apache-2.0
/* cpu_alu against C: every operation and branch condition on edge and random operands, mul/div
 * specials and latency. */
#include "vtb.h"

#ifndef BARREL
#define BARREL 0
#endif

static const uint32_t edges[] = {
	0,	    1,		2,	    3,		31,	    32,
	33,	    0x7fff,	0x8000,	    0xffff,	0x10000,    0x7ffffffe,
	0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaaa, 0xfffffffe, 0xffffffff,
};
#define N_EDGES (sizeof(edges) / sizeof(edges[0]))

struct alu {
	struct vtb *tb;
	const struct sim_port *rs1, *rs2, *imm, *f3, *b_imm, *alt, *result, *taken, *start, *shift,
		*done, *md;
};

static struct alu open_alu(void)
{
	struct vtb *tb = vtb_create();

	return (struct alu){
		tb,
		vtb_port(tb, "rs1_i"),
		vtb_port(tb, "rs2_i"),
		vtb_port(tb, "imm_i"),
		vtb_port(tb, "funct3_i"),
		vtb_port(tb, "b_imm_i"),
		vtb_port(tb, "alt_i"),
		vtb_port(tb, "result_o"),
		vtb_port(tb, "taken_o"),
		vtb_port(tb, "md_start_i"),
		vtb_port(tb, "md_shift_i"),
		vtb_port(tb, "md_done_o"),
		vtb_port(tb, "md_result_o"),
	};
}

static uint32_t operand(struct rng *rng)
{
	return rng_percent(rng, 50) ? edges[rng_below(rng, N_EDGES)] : (uint32_t)rng_u64(rng);
}

static uint32_t alu_model(unsigned int f3, bool alt, uint32_t a, uint32_t b)
{
	switch (f3) {
	case 0:
		return alt ? a - b : a + b;
	case 1:
		return a << (b & 31);
	case 2:
		return (int32_t)a < (int32_t)b;
	case 3:
		return a < b;
	case 4:
		return a ^ b;
	case 5:
		return alt ? (uint32_t)((int32_t)a >> (b & 31)) : a >> (b & 31);
	case 6:
		return a | b;
	default:
		return a & b;
	}
}

static bool branch_model(unsigned int f3, uint32_t a, uint32_t b)
{
	bool yes = f3 < 4 ? a == b : f3 < 6 ? (int32_t)a < (int32_t)b : a < b;

	return yes ^ (f3 & 1);
}

static uint32_t md_model(unsigned int f3, uint32_t a, uint32_t b)
{
	int64_t sa = (int32_t)a, sb = (int32_t)b;

	switch (f3) {
	case 0:
		return a * b;
	case 1:
		return (uint32_t)((uint64_t)(sa * sb) >> 32);
	case 2:
		return (uint32_t)((uint64_t)(sa * (int64_t)b) >> 32);
	case 3:
		return (uint32_t)((uint64_t)a * b >> 32);
	case 4:
		return b ? (uint32_t)(sa / sb) : 0xffffffff;
	case 5:
		return b ? a / b : 0xffffffff;
	case 6:
		return b ? (uint32_t)(sa % sb) : a;
	default:
		return b ? a % b : a;
	}
}

static void one(struct alu *u, unsigned int f3, bool alt, bool b_imm, uint32_t a, uint32_t b)
{
	vtb_put(u->rs1, a);
	vtb_put(u->rs2, b_imm ? ~b : b);
	vtb_put(u->imm, b_imm ? b : ~b);
	vtb_put(u->f3, f3);
	vtb_put(u->alt, alt);
	vtb_put(u->b_imm, b_imm);
	vtb_eval(u->tb);
	if ((f3 % 4 != 1 || BARREL) && vtb_read(u->result) != alu_model(f3, alt, a, b))
		vtb_fail(u->tb, "operation %u/%d on 0x%x, 0x%x: 0x%x, expected 0x%x", f3, alt, a, b,
			 (uint32_t)vtb_read(u->result), alu_model(f3, alt, a, b));
	vtb_put(u->alt, 1); /* as of all branches */
	vtb_eval(u->tb);
	if ((f3 & 6) != 2 && !b_imm && vtb_read(u->taken) != branch_model(f3, a, b))
		vtb_fail(u->tb, "branch %u on 0x%x, 0x%x", f3, a, b);
}

/* Of the decoder: SUB, and what compares. */
static bool subtracts(unsigned int f3, bool sub)
{
	return f3 == 2 || f3 == 3 || ((f3 == 0 || (f3 == 5 && BARREL)) && sub);
}

static void operations(void **state)
{
	struct alu u = open_alu();

	(void)state;
	for (unsigned int f3 = 0; f3 < 8; f3++) {
		for (size_t i = 0; i < N_EDGES * N_EDGES; i++)
			one(&u, f3, subtracts(f3, i & 1), false, edges[i / N_EDGES],
			    edges[i % N_EDGES]);
		for (int i = 0; i < 2000; i++)
			one(&u, f3, subtracts(f3, rng_percent(&u.tb->rng, 50)),
			    rng_percent(&u.tb->rng, 50), operand(&u.tb->rng), operand(&u.tb->rng));
	}
	vtb_destroy(u.tb);
}

static void muldiv_one(struct alu *u, unsigned int f3, uint32_t a, uint32_t b)
{
	unsigned int cycles = 0;

	vtb_put(u->rs1, a);
	vtb_put(u->rs2, b);
	vtb_put(u->f3, f3);
	vtb_put(u->start, 1);
	vtb_tick(u->tb);
	vtb_put(u->start, 0);
	/* the operands are taken at the start */
	vtb_put(u->rs1, ~a);
	vtb_put(u->rs2, ~b);
	vtb_put(u->f3, ~f3 & 7);
	for (cycles = 1; vtb_eval(u->tb), !vtb_read(u->done); cycles++) {
		vtb_check(u->tb, cycles < 40);
		vtb_tick(u->tb);
	}
	if (vtb_read(u->md) != md_model(f3, a, b))
		vtb_fail(u->tb, "mul/div %u on 0x%x, 0x%x: 0x%x, expected 0x%x", f3, a, b,
			 (uint32_t)vtb_read(u->md), md_model(f3, a, b));
	vtb_check_eq(u->tb, cycles, f3 & 4 ? 36 : 2);
	if (rng_percent(&u->tb->rng, 50)) {
		vtb_tick(u->tb);
		vtb_check_eq(u->tb, vtb_read(u->done), 0);
	}
}

static void multiply_divide(void **state)
{
	struct alu u = open_alu();

	(void)state;
	for (unsigned int f3 = 0; f3 < 8; f3++) {
		for (size_t i = 0; i < N_EDGES * N_EDGES; i++)
			muldiv_one(&u, f3, edges[i / N_EDGES], edges[i % N_EDGES]);
		for (int i = 0; i < 500; i++)
			muldiv_one(&u, f3, operand(&u.tb->rng),
				   operand(&u.tb->rng) >> rng_below(&u.tb->rng, 32));
	}
	vtb_destroy(u.tb);
}

/* SLL, SRL and SRA by rs2 or the immediate, as long as a product. */
static void shift_one(struct alu *u, bool right, bool alt, bool b_imm, uint32_t a, uint32_t b)
{
	unsigned int f3 = right ? 5 : 1;

	vtb_put(u->rs1, a);
	vtb_put(u->rs2, b_imm ? ~b : b);
	vtb_put(u->imm, b_imm ? b : ~b);
	vtb_put(u->b_imm, b_imm);
	vtb_put(u->f3, f3);
	vtb_put(u->alt, alt);
	vtb_put(u->shift, 1);
	vtb_put(u->start, 1);
	vtb_tick(u->tb);
	vtb_put(u->start, 0);
	vtb_put(u->shift, 0);
	vtb_put(u->rs1, ~a);
	vtb_put(u->rs2, ~b);
	vtb_put(u->f3, 4);
	vtb_eval(u->tb);
	vtb_check_eq(u->tb, vtb_read(u->done), 0);
	vtb_tick(u->tb);
	vtb_eval(u->tb);
	vtb_check_eq(u->tb, vtb_read(u->done), 1);
	if (vtb_read(u->md) != alu_model(f3, alt, a, b))
		vtb_fail(u->tb, "shift %u/%d of 0x%x by 0x%x: 0x%x, expected 0x%x", f3, alt, a, b,
			 (uint32_t)vtb_read(u->md), alu_model(f3, alt, a, b));
}

static void shifts(void **state)
{
	struct alu u = open_alu();

	(void)state;
	for (uint32_t n = 0; n < 32; n++)
		for (size_t i = 0; i < N_EDGES; i++)
			for (unsigned int how = 0; how < 3; how++)
				shift_one(&u, how > 0, how > 1, i & 1, edges[i], n);
	for (int i = 0; i < 3000; i++) {
		bool right = rng_percent(&u.tb->rng, 60);

		shift_one(&u, right, right && rng_percent(&u.tb->rng, 50),
			  rng_percent(&u.tb->rng, 50), operand(&u.tb->rng), operand(&u.tb->rng));
	}
	vtb_destroy(u.tb);
}

/* A division that reset cuts short leaves nothing behind. */
static void reset_in_a_division(void **state)
{
	struct alu u = open_alu();

	(void)state;
	for (unsigned int after = 0; after < 36; after++) {
		vtb_put(u.rs1, 1000000);
		vtb_put(u.rs2, 7);
		vtb_put(u.f3, 5);
		vtb_put(u.start, 1);
		vtb_tick(u.tb);
		vtb_put(u.start, 0);
		vtb_run(u.tb, after);
		vtb_reset(u.tb, 1);
		vtb_check_eq(u.tb, vtb_read(u.done), 0);
		muldiv_one(&u, after & 7, 0xfffffff9, 3);
	}
	vtb_destroy(u.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations),
		cmocka_unit_test(multiply_divide),
		cmocka_unit_test(shifts),
		cmocka_unit_test(reset_in_a_division),
	};

	return cmocka_run_group_tests_name("cpu_alu", tests, NULL, NULL);
}
