// SPDX-License-Identifier: Apache-2.0
/*
 * rx_ext: the extension headers of every opcode, cut by walking along them; all else of the record
 * passes as it came.
 */
#include "ext_test.h"

#define META_BYTES ((REC_RX_META_W + 7) / 8)

static struct vtb *tb;

static void check(uint8_t opcode)
{
	const struct sim_port *in = vtb_port(tb, "meta_i"), *out = vtb_port(tb, "meta_o");
	uint8_t noise[META_BYTES], bytes[EXT_BYTES], has = cairn_opcode_table[opcode].ext;

	rng_bytes(&tb->rng, noise, sizeof(noise));
	rng_bytes(&tb->rng, bytes, sizeof(bytes));
	vtb_put_record(in, 0, noise, REC_RX_META_W);
	for (unsigned int i = 0; i < EXT_BYTES; i++)
		vtb_put_bits(vtb_port(tb, "ext_i"), 8 * (EXT_BYTES - 1 - i), 8, bytes[i]);
	vtb_set(tb, "has_i", has);
	vtb_eval(tb);
	check_fields(tb, out, has, bytes);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_PSN), vtb_get_bits(in, REC_RX_META_PSN));
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_QPN), vtb_get_bits(in, REC_RX_META_QPN));
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_OPCODE),
		     vtb_get_bits(in, REC_RX_META_OPCODE));
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_PAY_LEN),
		     vtb_get_bits(in, REC_RX_META_PAY_LEN));
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_SMAC), vtb_get_bits(in, REC_RX_META_SMAC));
}

static void opcodes(void **state)
{
	(void)state;
	tb = vtb_create();
	for (unsigned int round = 0; round < 50; round++)
		for (unsigned int opcode = 0; opcode < 256; opcode++)
			if (cairn_opcode_table[opcode].name)
				check((uint8_t)opcode);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(opcodes) };

	return cmocka_run_group_tests_name("rx_ext", tests, NULL, NULL);
}
