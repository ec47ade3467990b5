// SPDX-License-Identifier: Apache-2.0
/*
 * The contract on both sides: every member of every STRUCT and HDR of hw.def and pkt.def, filled
 * with random bits, reads the same through the C header, through the SV packed struct, through the
 * SV _LSB/_W constants and at the place that layout_gen.py works out from the table; in both
 * directions.  The opcode tables agree for all 256 values.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "vtb.h"

#define ROUNDS 8
#define MAX_BYTES 256

struct leaf {
	const char *name;
	unsigned int lsb, width;
	uint64_t (*get)(void *p);
	void (*put)(void *p, uint64_t value);
};

struct group {
	const char *name;
	unsigned int bytes;
	bool is_hdr;
	unsigned int first, count;
};

#include "layout.inc"

struct ports {
	struct vtb *tb;
	const struct sim_port *bits, *index, *member, *place, *size;
};

static struct ports open_ports(void)
{
	struct vtb *tb = vtb_create();

	return (struct ports){ tb,
			       vtb_port(tb, "bits_i"),
			       vtb_port(tb, "index_i"),
			       vtb_port(tb, "member_o"),
			       vtb_port(tb, "place_o"),
			       vtb_port(tb, "size_o") };
}

/* Headers: the first byte on the wire is in the top bits of the SV struct. */
static void show(const struct ports *p, const struct group *g, const uint8_t *buf)
{
	for (unsigned int i = 0; i < g->bytes; i++)
		vtb_put_bits(p->bits, 8 * (g->is_hdr ? g->bytes - 1 - i : i), 8, buf[i]);
}

static void check_leaf(const struct ports *p, unsigned int index, uint64_t expected)
{
	const struct leaf *leaf = &leaves[index];

	vtb_put(p->index, index);
	vtb_eval(p->tb);
	if (vtb_read(p->member) != expected || vtb_read(p->place) != expected ||
	    vtb_get_bits(p->bits, leaf->lsb, leaf->width) != expected)
		vtb_fail(p->tb, "%s: C 0x%llx, SV member 0x%llx, SV place 0x%llx, table 0x%llx",
			 leaf->name, (unsigned long long)expected,
			 (unsigned long long)vtb_read(p->member),
			 (unsigned long long)vtb_read(p->place),
			 (unsigned long long)vtb_get_bits(p->bits, leaf->lsb, leaf->width));
}

static void read_random_bits(void **state)
{
	struct ports p = open_ports();
	uint8_t buf[MAX_BYTES] __attribute__((aligned(8)));

	(void)state;
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		const struct group *g = &groups[i];

		assert_true(g->bytes <= sizeof(buf));
		for (int round = 0; round < ROUNDS; round++) {
			rng_bytes(&p.tb->rng, buf, g->bytes);
			show(&p, g, buf);
			for (unsigned int k = g->first; k < g->first + g->count; k++)
				check_leaf(&p, k, leaves[k].get(buf));
			vtb_check_eq(p.tb, vtb_read(p.size), 8 * g->bytes);
		}
	}
	vtb_destroy(p.tb);
}

/* Setters, over random old contents and in random order, touch their own bits alone. */
static void write_members(void **state)
{
	struct ports p = open_ports();
	static uint64_t value[sizeof(leaves) / sizeof(*leaves)];
	uint8_t buf[MAX_BYTES] __attribute__((aligned(8)));

	(void)state;
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		const struct group *g = &groups[i];
		unsigned int start = (unsigned int)rng_below(&p.tb->rng, g->count);

		rng_bytes(&p.tb->rng, buf, g->bytes);
		for (unsigned int k = 0; k < g->count; k++) {
			unsigned int at = g->first + (start + k) % g->count;

			value[at] = rng_u64(&p.tb->rng) >> (64 - leaves[at].width);
			leaves[at].put(buf, value[at]);
		}
		show(&p, g, buf);
		for (unsigned int k = g->first; k < g->first + g->count; k++) {
			assert_int_equal(leaves[k].get(buf), value[k]);
			check_leaf(&p, k, value[k]);
		}
	}
	vtb_destroy(p.tb);
}

static void opcode_table(void **state)
{
	struct vtb *tb = vtb_create();
	unsigned int defined = 0;

	(void)state;
	for (unsigned int op = 0; op < 256; op++) {
		const struct cairn_opcode_info *info = &cairn_opcode_table[op];

		vtb_set(tb, "opcode_i", op);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "flags_o"), info->flags);
		vtb_check_eq(tb, vtb_get(tb, "ext_o"), info->ext);
		vtb_check_eq(tb, vtb_get(tb, "ext_bytes_o"), info->ext_bytes);
		vtb_check_eq(tb, !!info->name, !!(info->flags & CAIRN_OPF_VALID));
		if (info->name)
			vtb_check_eq(tb, info->transport, op >> 5);
		else
			vtb_check_eq(tb, info->flags | info->ext | info->ext_bytes, 0);
		defined += !!info->name;
	}
	/* IBTA volume 1, table 38: RC defines 23 opcodes, UC 12, UD 2; annex A17 adds the CNP */
	vtb_check_eq(tb, defined, 23 + 12 + 2 + 1);
	vtb_destroy(tb);
}

/* A few facts of the specification, so that table and generator cannot be wrong together. */
static void known_headers(void **state)
{
	/* BTH of an RC SEND ONLY: SE 0, pad 3, PKey 0xffff, QP 0x000123, AckReq, PSN 0x456789 */
	static const uint8_t bth[CAIRN_BTH_BYTES] = { 0x04, 0x30, 0xff, 0xff, 0,    0,
						      0x01, 0x23, 0x80, 0x45, 0x67, 0x89 };
	uint8_t made[CAIRN_BTH_BYTES] = { 0 };

	(void)state;
	assert_int_equal(cairn_pkt_get(bth, CAIRN_BTH_OPCODE), CAIRN_OPCODE_RC_SEND_ONLY);
	assert_int_equal(cairn_pkt_get(bth, CAIRN_BTH_PAD), 3);
	assert_int_equal(cairn_pkt_get(bth, CAIRN_BTH_DEST_QP), 0x123);
	assert_int_equal(cairn_pkt_get(bth, CAIRN_BTH_ACKREQ), 1);
	assert_int_equal(cairn_pkt_get(bth, CAIRN_BTH_PSN), 0x456789);
	cairn_pkt_set(made, CAIRN_BTH_PSN, 0x456789);
	cairn_pkt_set(made, CAIRN_BTH_ACKREQ, 1);
	cairn_pkt_set(made, CAIRN_BTH_DEST_QP, 0x123);
	cairn_pkt_set(made, CAIRN_BTH_PKEY, 0xffff);
	cairn_pkt_set(made, CAIRN_BTH_PAD, 3);
	cairn_pkt_set(made, CAIRN_BTH_OPCODE, CAIRN_OPCODE_RC_SEND_ONLY);
	assert_memory_equal(made, bth, sizeof(bth));
	assert_int_equal(cairn_opcode_table[CAIRN_OPCODE_RC_WRITE_ONLY].ext_bytes,
			 CAIRN_RETH_BYTES);
	assert_int_equal(cairn_opcode_table[CAIRN_OPCODE_RC_ATOMIC_ACK].ext_bytes, 12);
	assert_int_equal(CAIRN_AETH_BYTES + CAIRN_ATOMICACKETH_BYTES, 12);
}

/* One past each edge: a getter must not read, nor a setter write, a byte beyond the field. */
static void bit_edges(void **state)
{
	uint8_t buf[24], copy[24];
	struct rng rng = { test_seed() };

	(void)state;
	for (unsigned int offset = 0; offset < 64; offset++) {
		for (unsigned int width = 1; width <= 64; width++) {
			uint64_t value = rng_u64(&rng) >> (64 - width);
			size_t first = offset / 8, end = (offset + width + 7) / 8;
			uint8_t *exact = malloc(end);

			rng_bytes(&rng, buf, sizeof(buf));
			memcpy(copy, buf, sizeof(buf));
			cairn_pkt_set(buf, offset, width, value);
			memcpy(exact, buf, end); /* its end is watched by ASAN */
			assert_int_equal(cairn_pkt_get(exact, offset, width), value);
			for (unsigned int bit = 0; bit < 8 * sizeof(buf); bit++)
				if (bit < offset || bit >= offset + width)
					assert_int_equal((buf[bit / 8] ^ copy[bit / 8]) &
								 0x80 >> bit % 8,
							 0);
			assert_memory_equal(buf, copy, first);
			free(exact);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_random_bits), cmocka_unit_test(write_members),
		cmocka_unit_test(opcode_table),	    cmocka_unit_test(known_headers),
		cmocka_unit_test(bit_edges),
	};

	return cmocka_run_group_tests_name("layouts", tests, NULL, NULL);
}
