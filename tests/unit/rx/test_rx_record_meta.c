// SPDX-License-Identifier: Apache-2.0
/*
 * rx_record_meta: records of every opcode word by word, with gaps, into the fields that the packet
 * has; the others are zero, whatever the record before had.
 */
#include "ext_test.h"

#define WORDS 8u

static struct vtb *tb;
static bool atomics;

static uint64_t ext_bits(const uint8_t *bytes, unsigned int from)
{
	return big(bytes + from, 8);
}

static void send_word(unsigned int at, uint64_t w, uint8_t ninth)
{
	uint8_t bytes[9];

	while (rng_percent(&tb->rng, 20))
		vtb_tick(tb);
	vtb_set(tb, "valid_i", 1);
	vtb_set(tb, "at_i", at);
	for (unsigned int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(w >> 8 * i);
	bytes[8] = ninth;
	vtb_put_bytes(vtb_port(tb, "word_i"), 0, bytes, atomics ? 9 : 8);
	vtb_tick(tb);
	vtb_set(tb, "valid_i", 0);
	rng_bytes(&tb->rng, bytes, sizeof(bytes));
	vtb_put_bytes(vtb_port(tb, "word_i"), 0, bytes, atomics ? 9 : 8);
	vtb_set(tb, "at_i", rng_below(&tb->rng, WORDS));
}

static void record(uint8_t opcode)
{
	const struct sim_port *out = vtb_port(tb, "meta_o");
	uint8_t bytes[EXT_BYTES], has = cairn_opcode_table[opcode].ext;
	uint64_t w[WORDS], flags = cairn_opcode_table[opcode].flags;

	rng_bytes(&tb->rng, bytes, sizeof(bytes));
	for (unsigned int i = 0; i < WORDS; i++)
		w[i] = rng_u64(&tb->rng);
	w[0] = (uint64_t)opcode << 56 | flags << 38 | (uint64_t)has << 31 | (w[0] & 0x7fffffff);
	w[5] = (w[5] & ~0xffffffffull) | big(bytes, 4);
	w[6] = ext_bits(bytes, 4);
	w[7] = ext_bits(bytes, 12);
	for (unsigned int i = 0; i < WORDS; i++)
		send_word(i, w[i], bytes[EXT_BYTES - 1 - i]);
	vtb_eval(tb);
	if (atomics || !(has & (CAIRN_EXT_ATOMICETH | CAIRN_EXT_ATOMICACKETH)))
		check_fields(tb, out, has, bytes);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_OPCODE), opcode);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_OPFLAGS), flags);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_PAY_OFF), w[0] >> 23 & 0xff);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_PAY_LEN), w[0] >> 10 & 0x1fff);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_PAD), w[0] >> 8 & 3);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_IP_OFF), w[0] & 0xff);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_SMAC), w[3] >> 16);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_SPORT), w[3] & 0xffff);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_QPN), w[4] >> 40);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_CELL_HEAD), w[4] >> 28 & 0xfff);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_PKEY), w[4] >> 4 & 0xffff);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_HAS_CELLS), w[4] & 1);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_PSN), w[5] >> 40);
	vtb_check_eq(tb, vtb_get_bits(out, REC_RX_META_MCAST), w[5] >> 34 & 1);
}

static void opcodes(void **state)
{
	(void)state;
	tb = vtb_create();
	atomics = vtb_port(tb, "word_i")->width > 64;
	for (unsigned int i = 0; i < 4000;) {
		uint8_t opcode = (uint8_t)rng_u64(&tb->rng);

		if (!cairn_opcode_table[opcode].name)
			continue;
		record(opcode);
		i++;
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(opcodes) };

	return cmocka_run_group_tests_name("rx_record_meta", tests, NULL, NULL);
}
