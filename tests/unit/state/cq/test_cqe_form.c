// SPDX-License-Identifier: Apache-2.0
/*
 * cqe_form: each field of a completion is where struct cairn_cqe has it, and nowhere else: alone on
 * zeros and on ones, and all of them at random; what is no part of the entry (note, CQN, event_sol)
 * does not show.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb_rec.h"

static struct vtb *tb;

struct input {
	struct rec_cqe_req r;
	uint64_t time;
	unsigned int index, phase;
};

static struct cairn_cqe expected(const struct input *in)
{
	const struct rec_cqe_req *r = &in->r;

	return (struct cairn_cqe){
		.qpn_op = CAIRN_PUT(CAIRN_CQE_QPN_OP_QPN, r->qpn) |
			  CAIRN_PUT(CAIRN_CQE_QPN_OP_OPCODE, r->opcode),
		.byte_len = r->byte_len,
		.imm = r->imm,
		.wqe = CAIRN_PUT(CAIRN_CQE_WQE_INDEX, r->wqe_index) |
		       CAIRN_PUT(CAIRN_CQE_WQE_GRH, r->flags.grh) |
		       CAIRN_PUT(CAIRN_CQE_WQE_SOLICITED, r->flags.solicited) |
		       CAIRN_PUT(CAIRN_CQE_WQE_IS_SQ, r->flags.is_sq) |
		       CAIRN_PUT(CAIRN_CQE_WQE_IMM, r->flags.imm) |
		       CAIRN_PUT(CAIRN_CQE_WQE_INV, r->flags.inv) |
		       CAIRN_PUT(CAIRN_CQE_WQE_SRQ, r->flags.srq),
		.timestamp = in->time,
		.src = CAIRN_PUT(CAIRN_CQE_SRC_SRC_QP, r->src_qp) |
		       CAIRN_PUT(CAIRN_CQE_SRC_VENDOR_ERR, r->vendor),
		.status = CAIRN_PUT(CAIRN_CQE_STATUS, r->status) | (uint32_t)r->net << 8 |
			  CAIRN_PUT(CAIRN_CQE_STATUS_CQ_INDEX_LO, in->index) |
			  CAIRN_PUT(CAIRN_CQE_STATUS_PHASE, in->phase),
	};
}

static void check(const struct input *in)
{
	struct cairn_cqe want = expected(in), got;

	vtb_put_cqe_req(vtb_port(tb, "r_i"), 0, &in->r);
	vtb_set(tb, "time_i", in->time);
	vtb_set(tb, "index_i", in->index);
	vtb_set(tb, "phase_i", in->phase);
	vtb_eval(tb);
	vtb_get_bytes(vtb_port(tb, "cqe_o"), 0, &got, sizeof(got));
	if (memcmp(&got, &want, sizeof(got)))
		vtb_fail(tb,
			 "op %08x len %08x imm %08x wqe %08x src %08x status %08x, not %08x "
			 "%08x %08x %08x %08x %08x",
			 got.qpn_op, got.byte_len, got.imm, got.wqe, got.src, got.status,
			 want.qpn_op, want.byte_len, want.imm, want.wqe, want.src, want.status);
}

/* The request with these bits; time, index and phase from behind them. */
static struct input of_bits(const uint8_t *bits)
{
	const struct sim_port *r = vtb_port(tb, "r_i");
	struct input in;

	vtb_put_record(r, 0, bits, REC_CQE_REQ_W);
	in.r = vtb_get_cqe_req(r, 0);
	memcpy(&in.time, bits + 32, sizeof(in.time));
	in.index = (bits[40] | (unsigned int)bits[41] << 8) & 0x7fff;
	in.phase = bits[41] >> 7;
	return in;
}

#define BITS (42 * 8u)
_Static_assert(REC_CQE_REQ_W <= 256, "they lie in 32 bytes");

static void each_bit(void **state)
{
	(void)state;
	tb = vtb_create();
	for (unsigned int at = 0; at < 2 * BITS; at++) {
		uint8_t bits[BITS / 8];
		struct input in;

		memset(bits, at & 1 ? 0xff : 0, sizeof(bits));
		bits[at / 16] ^= (uint8_t)(1u << at / 2 % 8);
		in = of_bits(bits);
		check(&in);
	}
	vtb_destroy(tb);
}

static void random_ones(void **state)
{
	(void)state;
	tb = vtb_create();
	for (unsigned int i = 0; i < 20000; i++) {
		uint8_t bits[BITS / 8];
		struct input in;

		rng_bytes(&tb->rng, bits, sizeof(bits));
		in = of_bits(bits);
		check(&in);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_bit),
					    cmocka_unit_test(random_ones) };

	return cmocka_run_group_tests_name("cqe_form", tests, NULL, NULL);
}
