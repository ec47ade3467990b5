// SPDX-License-Identifier: Apache-2.0
/*
 * Records between modules: what vtb_rec.h puts for a C struct, each member with random bits, is
 * what the SV struct shows in that member, at the place that record_gen.py works out from the
 * table; and the other way round.  A value too wide for its member is refused.
 */
#include <string.h>

#include "vtb.h"
#include "vtb_rec.h"

#define ROUNDS 8

struct leaf {
	const char *name;
	unsigned int lsb, width;
	uint64_t (*get)(const void *rec);
};

struct record {
	unsigned int width, expected, leaves;
	void (*put)(const struct sim_port *port, const void *rec);
	void (*get)(const struct sim_port *port, void *rec);
};

#include "records.inc"

#define N(array) (sizeof(array) / sizeof(*(array)))

union any {
#define MEMBER(name, NAME) struct rec_##name name;
	REC_ALL(MEMBER)
};

static void random_port(struct vtb *tb, const struct sim_port *port)
{
	for (unsigned int lsb = 0; lsb < port->width; lsb += 64) {
		unsigned int n = port->width - lsb < 64 ? port->width - lsb : 64;

		vtb_put_bits(port, lsb, n, rng_u64(&tb->rng) >> (64 - n));
	}
}

/* From bits to C, and from C to other bits: SV and the script agree with both. */
static void members(void **state)
{
	struct vtb *tb = vtb_create();
	const struct sim_port *bits = vtb_port(tb, "bits_i"), *index = vtb_port(tb, "index_i"),
			      *member = vtb_port(tb, "member_o"), *size = vtb_port(tb, "size_o");
	unsigned int first = 0;
	union any rec;

	(void)state;
	for (unsigned int i = 0; i < N(records); first += records[i++].leaves) {
		vtb_check_eq(tb, records[i].width, records[i].expected);
		for (int round = 0; round < ROUNDS; round++) {
			random_port(tb, bits);
			memset(&rec, 0xff, sizeof(rec));
			records[i].get(bits, &rec);
			random_port(tb, bits);
			records[i].put(bits, &rec);
			for (unsigned int l = first; l < first + records[i].leaves; l++) {
				uint64_t value = leaves[l].get(&rec);

				vtb_put(index, l);
				vtb_eval(tb);
				if (vtb_read(member) != value ||
				    vtb_get_bits(bits, leaves[l].lsb, leaves[l].width) != value)
					vtb_fail(tb, "%s: C 0x%llx, SV 0x%llx", leaves[l].name,
						 (unsigned long long)value,
						 (unsigned long long)vtb_read(member));
				vtb_check_eq(tb, vtb_read(size), records[i].width);
			}
		}
	}
	vtb_check_eq(tb, first, N(leaves));
	vtb_destroy(tb);
}

/* The same in the meta of a stream, and a member by its name, both at an odd place. */
static void elsewhere(void **state)
{
	struct vtb *tb = vtb_create();
	const struct sim_port *bits = vtb_port(tb, "bits_i");
	struct rec_tx_seg seg = { .func = 0xa5, .iova = 0x123456789abcdef0, .len = 0x1001,
				  .not_before = 0xbeef, .eoj = 1 }, back;
	uint8_t meta[64] = { 0 };

	(void)state;
	vtb_meta_put_tx_seg(meta, 13, &seg);
	back = vtb_meta_get_tx_seg(meta, 13);
	vtb_put_tx_seg(bits, 77, &back);
	vtb_check_eq(tb, vtb_get_bits(bits, VTB_AT(77, REC_TX_SEG_FUNC)), seg.func);
	vtb_check_eq(tb, vtb_get_bits(bits, VTB_AT(77, REC_TX_SEG_IOVA)), seg.iova);
	vtb_check_eq(tb, vtb_get_bits(bits, VTB_AT(77, REC_TX_SEG_LEN)), seg.len);
	vtb_check_eq(tb, vtb_get_bits(bits, VTB_AT(77, REC_TX_SEG_NB_VALID)), 0);
	vtb_check_eq(tb, vtb_get_bits(bits, VTB_AT(77, REC_TX_SEG_NOT_BEFORE)), seg.not_before);
	vtb_check_eq(tb, vtb_get_bits(bits, VTB_AT(77, REC_TX_SEG_EOJ)), 1);
	vtb_put_bits(bits, VTB_AT(77, REC_TX_SEG_LEN), 7);
	vtb_check_eq(tb, vtb_get_tx_seg(bits, 77).len, 7);
	vtb_check_eq(tb, vtb_get_tx_seg(bits, 77).iova, seg.iova);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members), cmocka_unit_test(elsewhere),
	};

	return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
