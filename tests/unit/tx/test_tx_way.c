// SPDX-License-Identifier: Apache-2.0
/*
 * tx_way: own address back, multicast both ways while any group has members, all else and raw
 * frames out; told by the first beat and kept for the frame, whatever the switch and the groups do
 * then.
 */
#include "vtb.h"

#define OWN 0x02ca12000001ull

static struct vtb *tb;
static uint16_t groups;

/* The first wire byte lowest, as it stands in a beat. */
static uint64_t wire_order(uint64_t mac)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < 6; i++)
		v |= (mac >> (40 - 8 * i) & 0xff) << 8 * i;
	return v;
}

static void begin(void)
{
	tb = vtb_create();
	groups = 0;
	vtb_set(tb, "mac_addr_i", OWN);
	vtb_set(tb, "loop_i", 1);
}

static void set_entry(unsigned int index, bool valid)
{
	vtb_set(tb, "gid_we_i", 1);
	vtb_set(tb, "gid_index_i", index);
	vtb_set(tb, "gid_valid_i", valid);
	vtb_tick(tb);
	vtb_set(tb, "gid_we_i", 0);
	if (index >> 4 == 1)
		groups = (uint16_t)((groups & ~(1u << (index & 15))) | (unsigned int)valid
									       << (index & 15));
}

static void beat(bool first, bool raw, uint64_t bytes)
{
	vtb_set(tb, "in_valid_i", 1);
	vtb_set(tb, "in_first_i", first);
	vtb_set(tb, "in_raw_i", raw);
	vtb_set(tb, "in_dmac_i", bytes);
	vtb_tick(tb);
	vtb_set(tb, "in_valid_i", 0);
	vtb_eval(tb);
}

/* A frame: its first beat, then others with any bytes, and gaps. */
static void frame(uint64_t mac, bool raw)
{
	bool on = vtb_get(tb, "loop_i"), own = mac == OWN, group = mac >> 40 & 1;
	bool loop = on && !raw && (own || (group && groups)), wire = !(on && !raw && own);
	unsigned int beats = (unsigned int)rng_below(&tb->rng, 5);

	beat(true, raw, wire_order(mac));
	for (unsigned int i = 0; i <= beats; i++) {
		vtb_check_eq(tb, vtb_get(tb, "out_loop_o"), loop);
		vtb_check_eq(tb, vtb_get(tb, "out_wire_o"), wire);
		if (rng_percent(&tb->rng, 30))
			vtb_tick(tb);
		vtb_set(tb, "loop_i", rng_percent(&tb->rng, 50));
		beat(false, raw,
		     rng_percent(&tb->rng, 30) ? wire_order(OWN)
					       : rng_u64(&tb->rng) & 0xffffffffffff);
	}
	vtb_set(tb, "loop_i", on);
}

static void each_bit(void **state)
{
	(void)state;
	begin();
	frame(OWN, false);
	for (unsigned int i = 0; i < 48; i++)
		frame(OWN ^ 1ull << i, false);
	frame(wire_order(OWN), false); /* the other way round it is another's */
	frame(OWN, true);
	vtb_destroy(tb);
}

static void each_group(void **state)
{
	(void)state;
	begin();
	for (unsigned int i = 0; i < 256; i++) { /* GIDs and members are no groups */
		set_entry(i, true);
		frame(0x01005e010203ull, false);
		frame(0x333300000001ull, false);
		frame(0xffffffffffffull, true);
		frame(OWN + 1, false);
		set_entry(i, false);
		frame(0x01005e010203ull, false);
	}
	vtb_destroy(tb);
}

static void at_random(void **state)
{
	static const uint64_t macs[] = { OWN,
					 OWN + 1,
					 0x01005e7f0001ull,
					 0x3333ff000001ull,
					 0xffffffffffffull,
					 OWN | 1ull << 40 };

	(void)state;
	begin();
	for (unsigned int i = 0; i < 3000; i++) {
		if (rng_percent(&tb->rng, 20))
			set_entry((unsigned int)rng_below(&tb->rng, 48), rng_percent(&tb->rng, 30));
		vtb_set(tb, "loop_i", !rng_percent(&tb->rng, 25));
		frame(macs[rng_below(&tb->rng, 6)], rng_percent(&tb->rng, 20));
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_bit),
					    cmocka_unit_test(each_group),
					    cmocka_unit_test(at_random) };

	return cmocka_run_group_tests_name("tx_way", tests, NULL, NULL);
}
