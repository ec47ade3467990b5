// SPDX-License-Identifier: Apache-2.0
/*
 * tx_piece: the eight bytes of each piece, of random jobs with the extension headers of every kind
 * of packet, against the wire's order of bytes (IBTA 9.2 to 9.3); nothing where no piece is asked
 * for.
 */
#include <string.h>

#include "cairn_pkt.h"
#include "vtb_rec.h"

enum piece {
	DMAC,
	TAG,
	V4_FIRST,
	V4_SRC,
	V4_DST,
	V6_FIRST,
	V6_DST0,
	V6_DST1,
	UDP,
	BTH,
	PSN,
	EXT1,
	EXT2,
	EXT3,
};

struct wire {
	uint8_t bytes[8 + 28];
	unsigned int n;
};

static void put(struct wire *w, uint64_t value, unsigned int bytes)
{
	while (bytes--)
		w->bytes[w->n++] = (uint8_t)(value >> 8 * bytes);
}

static uint64_t eight(const uint8_t *bytes)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < 8; i++)
		value = value << 8 | bytes[i];
	return value;
}

/* PSN and its bits, then the extension headers, zeros behind them. */
static struct wire tail(const struct rec_tx_job *j, unsigned int has)
{
	struct wire w = { .n = 0 };

	put(&w, (uint64_t)j->ackreq << 31 | j->psn, 4);
	if (has & CAIRN_EXT_DETH) {
		put(&w, j->qkey, 4);
		put(&w, j->qpn, 4);
	}
	if (has & (CAIRN_EXT_RETH | CAIRN_EXT_ATOMICETH)) {
		put(&w, j->args.va, 8);
		put(&w, j->args.key, 4);
	}
	if (has & CAIRN_EXT_RETH)
		put(&w, j->args.len, 4);
	if (has & CAIRN_EXT_ATOMICETH) {
		put(&w, j->args.swap_add, 8);
		put(&w, j->args.compare, 8);
	}
	if (has & CAIRN_EXT_AETH)
		put(&w, j->args.aeth, 4);
	if (has & CAIRN_EXT_ATOMICACKETH)
		put(&w, j->args.swap_add, 8);
	if (has & CAIRN_EXT_IMMDT)
		put(&w, j->args.imm, 4);
	if (has & CAIRN_EXT_IETH)
		put(&w, j->args.key, 4);
	return w;
}

static uint64_t expected(const struct rec_tx_job *j, unsigned int has, unsigned int pad, bool cnp,
			 unsigned int piece)
{
	struct wire w = tail(j, has);

	switch (piece) {
	case DMAC:
		return j->av.dmac;
	case TAG:
		return (uint64_t)j->av.tci << 48;
	case V4_FIRST: /* behind version and length */
		return (uint64_t)j->av.tclass << 48;
	case V4_SRC:
		return (uint64_t)j->av.hop << 56;
	case V4_DST:
		return j->av.dgid[0] << 32;
	case V6_FIRST:
		return (uint64_t)j->av.tclass << 52 | (uint64_t)j->av.flow << 32 | j->av.hop;
	case V6_DST0:
		return j->av.dgid[1];
	case V6_DST1:
		return j->av.dgid[0];
	case UDP:
		return (uint64_t)j->av.sport << 48;
	case BTH:
		return (uint64_t)j->opcode << 56 | (uint64_t)j->se << 55 | (uint64_t)!cnp << 54 |
		       (uint64_t)pad << 52 | (uint64_t)j->av.pkey << 32 | (uint64_t)cnp << 30 |
		       j->av.dest_qp;
	default:
		return eight(w.bytes + 8 * (piece - PSN));
	}
}

static void pieces(void **state)
{
	static const unsigned int kinds[] = {
		0,
		CAIRN_EXT_IMMDT,
		CAIRN_EXT_IETH,
		CAIRN_EXT_RETH,
		CAIRN_EXT_RETH | CAIRN_EXT_IMMDT,
		CAIRN_EXT_ATOMICETH,
		CAIRN_EXT_AETH,
		CAIRN_EXT_AETH | CAIRN_EXT_ATOMICACKETH,
		CAIRN_EXT_DETH,
		CAIRN_EXT_DETH | CAIRN_EXT_IMMDT,
	};
	struct vtb *tb = vtb_create();
	const struct sim_port *port = vtb_port(tb, "job_i");

	(void)state;
	for (unsigned int i = 0; i < 4000; i++) {
		unsigned int has = kinds[i % 10], pad = (unsigned int)rng_below(&tb->rng, 4);
		bool cnp = rng_percent(&tb->rng, 20);
		uint8_t bits[(REC_TX_JOB_W + 7) / 8];
		struct rec_tx_job job;

		rng_bytes(&tb->rng, bits, sizeof(bits));
		vtb_put_record(port, 0, bits, REC_TX_JOB_W);
		job = vtb_get_tx_job(port, 0);
		vtb_set(tb, "has_i", has);
		vtb_set(tb, "pad_i", pad);
		vtb_set(tb, "cnp_i", cnp);
		for (unsigned int piece = DMAC; piece <= EXT3; piece++) {
			vtb_put_bits(vtb_port(tb, "which_i"), 0, REC_TX_PIECES_W, 1u << (EXT3 - piece));
			vtb_eval(tb);
			vtb_check_eq(tb, vtb_get(tb, "piece_o"),
				     expected(&job, has, pad, cnp, piece));
		}
		vtb_put_bits(vtb_port(tb, "which_i"), 0, REC_TX_PIECES_W, 0);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "piece_o"), 0);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(pieces) };

	return cmocka_run_group_tests_name("tx_piece", tests, NULL, NULL);
}
