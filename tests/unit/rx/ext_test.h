/* SPDX-License-Identifier: Apache-2.0 */
/* Extension headers of a packet, cut by walking along them (IBTA 9.3); checked in its record. */
#ifndef CAIRN_TEST_EXT_H
#define CAIRN_TEST_EXT_H

#include "cairn_pkt.h"
#include "vtb_rec.h"

#define EXT_BYTES 28u

struct fields {
	uint64_t va, swap_add, compare, key, len, aeth, imm, qkey, src_qp;
};

static inline uint64_t big(const uint8_t *p, unsigned int n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | *p++;
	return v;
}

/* IBTA 9.3: what comes one after the other behind the BTH. */
static inline struct fields cut(uint8_t has, const uint8_t *p)
{
	struct fields f = { 0 };

	if (has & CAIRN_EXT_RETH) {
		f.va = big(p, 8), f.key = big(p + 8, 4), f.len = big(p + 12, 4);
		p += 16;
	}
	if (has & CAIRN_EXT_ATOMICETH) {
		f.va = big(p, 8), f.key = big(p + 8, 4);
		f.swap_add = big(p + 12, 8), f.compare = big(p + 20, 8);
		p += 28;
	}
	if (has & CAIRN_EXT_AETH) {
		f.aeth = big(p, 4);
		p += 4;
	}
	if (has & CAIRN_EXT_ATOMICACKETH) {
		f.swap_add = big(p, 8);
		p += 8;
	}
	if (has & CAIRN_EXT_DETH) {
		f.qkey = big(p, 4), f.src_qp = big(p + 5, 3);
		p += 8;
	}
	if (has & CAIRN_EXT_IMMDT) {
		f.imm = big(p, 4);
		p += 4;
	}
	if (has & CAIRN_EXT_IETH)
		f.key = big(p, 4);
	return f;
}

static inline void check_fields(struct vtb *tb, const struct sim_port *out, uint8_t has,
				const uint8_t *bytes)
{
	struct fields f = cut(has, bytes);

	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_VA), f.va);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_KEY), f.key);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_LEN), f.len);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_SWAP_ADD), f.swap_add);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_COMPARE), f.compare);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_AETH), f.aeth);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_IMM), f.imm);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_QKEY), f.qkey);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_SRC_QP), f.src_qp);
}

#endif
