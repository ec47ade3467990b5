// SPDX-License-Identifier: Apache-2.0
/*
 * rx_gid_ring: entries of few addresses, so that many match, and questions of all kinds, as close
 * as they may come, against the rules of rx_gid_table; also while an entry waits for its place.
 */
#include <string.h>

#include "vtb.h"

#define ENTRIES 32u
#define LINES 12u /* cycles until an entry is written */

struct entry {
	bool valid, ipv6, vlan;
	uint16_t vid;
	uint8_t addr[16];
};

struct answer {
	bool hit, group_hit;
	unsigned int index, group;
};

static struct entry table[ENTRIES];
static struct vtb *tb;
static bool groups;

/* One of a few addresses, each with bits that only one of them has. */
static void any_address(uint8_t addr[16])
{
	static const uint8_t others[4] = { 0, 1, 0x80, 0x10 };

	memset(addr, 0x5a, 16);
	addr[rng_below(&tb->rng, 16)] ^= others[rng_below(&tb->rng, 4)];
}

static void put_address(const char *port, const uint8_t addr[16])
{
	for (unsigned int b = 0; b < 16; b++)
		vtb_put_bits(vtb_port(tb, port), 120 - 8 * b, 8, addr[b]);
}

static void write_entry(unsigned int i, const struct entry *e)
{
	vtb_set(tb, "gid_we_i", 1);
	vtb_set(tb, "gid_index_i", i);
	vtb_set(tb, "gid_valid_i", e->valid);
	vtb_set(tb, "gid_ipv6_i", e->ipv6);
	vtb_set(tb, "gid_vlan_i", e->vlan);
	vtb_set(tb, "gid_vid_i", e->vid);
	put_address("gid_addr_i", e->addr);
	vtb_tick(tb);
	vtb_set(tb, "gid_we_i", 0);
	table[i] = *e;
}

/* What is asked stands for four cycles. */
static void ask(struct answer *want)
{
	bool ipv6 = rng_below(&tb->rng, 2), mcast = rng_percent(&tb->rng, 30);
	bool tagged = rng_below(&tb->rng, 2);
	uint16_t vid = (uint16_t)rng_below(&tb->rng, 3);
	uint8_t addr[16];

	any_address(addr);
	vtb_set(tb, "start_i", 1);
	vtb_set(tb, "ipv6_i", ipv6);
	vtb_set(tb, "mcast_i", mcast);
	vtb_set(tb, "tagged_i", tagged);
	vtb_set(tb, "vid_i", vid);
	put_address("dgid_i", addr);
	memset(want, 0, sizeof(*want));
	for (unsigned int i = ENTRIES; i--;) {
		const struct entry *e = &table[i];
		bool same = memcmp(e->addr, addr, 16) == 0;
		bool vlan = e->vlan ? tagged && vid == e->vid : !tagged || vid == 0;

		if (!e->valid)
			continue;
		if (i >= 16) {
			if (mcast && same)
				want->group_hit = true, want->group = i - 16;
		} else if (e->ipv6 == ipv6 && vlan && (mcast || same)) {
			want->hit = true, want->index = i;
		}
	}
	vtb_tick(tb);
	vtb_set(tb, "start_i", 0);
	vtb_run(tb, 3);
	put_address("dgid_i", table[0].addr);
	vtb_set(tb, "mcast_i", 1);
	vtb_set(tb, "tagged_i", 0);
	vtb_eval(tb);
}

static void judge(const struct answer *want)
{
	vtb_check_eq(tb, vtb_get(tb, "hit_o"), want->hit);
	if (want->hit)
		vtb_check_eq(tb, vtb_get(tb, "index_o"), want->index);
	vtb_check_eq(tb, vtb_get(tb, "group_hit_o"), want->group_hit);
	if (want->group_hit)
		vtb_check_eq(tb, vtb_get(tb, "group_o"), want->group);
}

static void questions(unsigned int n)
{
	struct answer want;

	while (n--) {
		ask(&want);
		judge(&want);
		for (unsigned int wait = (unsigned int)rng_below(&tb->rng, 4); wait; wait--) {
			vtb_tick(tb);
			judge(&want);
		}
	}
}

static void any_table(void **state)
{
	struct answer ignored;

	(void)state;
	memset(table, 0, sizeof(table));
	tb = vtb_create();
	groups = vtb_port(tb, "group_o")->width > 1;
	questions(20); /* nothing is valid behind reset */
	for (unsigned int round = 0; round < 600; round++) {
		unsigned int i = (unsigned int)rng_below(&tb->rng, groups ? ENTRIES : 8);
		struct entry e = { .valid = rng_percent(&tb->rng, 80),
				   .ipv6 = rng_below(&tb->rng, 2),
				   .vlan = rng_below(&tb->rng, 2),
				   .vid = (uint16_t)rng_below(&tb->rng, 3) };

		any_address(e.addr);
		write_entry(i, &e);
		if (rng_percent(&tb->rng, 50))
			for (unsigned int k = 0; k < LINES / 4; k++)
				ask(&ignored);
		else
			vtb_run(tb, LINES);
		questions(1 + (unsigned int)rng_below(&tb->rng, 12));
	}
	vtb_destroy(tb);
}

/* Entries of other tables, and those that this one has not, change nothing. */
static void elsewhere(void **state)
{
	struct entry e = { .valid = true, .vid = 1 }, kept;

	(void)state;
	memset(table, 0, sizeof(table));
	tb = vtb_create();
	groups = vtb_port(tb, "group_o")->width > 1;
	for (unsigned int i = 0; i < 200; i++) {
		unsigned int index = groups ? 32 + (unsigned int)rng_below(&tb->rng, 224)
					    : 8 + (unsigned int)rng_below(&tb->rng, 248);

		any_address(e.addr);
		kept = table[index % ENTRIES];
		write_entry(index % ENTRIES, &kept);
		vtb_run(tb, LINES);
		vtb_set(tb, "gid_we_i", 1);
		vtb_set(tb, "gid_index_i", index);
		vtb_set(tb, "gid_valid_i", 1);
		put_address("gid_addr_i", e.addr);
		vtb_tick(tb);
		vtb_set(tb, "gid_we_i", 0);
		vtb_run(tb, LINES);
		questions(5);
	}
	vtb_destroy(tb);
}

/* Two writes at once are not what firmware does: the model says so. */
static void too_soon(void **state)
{
	struct entry e = { .valid = true };

	(void)state;
	tb = vtb_create();
	vtb_expect_errors(tb);
	write_entry(3, &e);
	write_entry(2, &e);
	write_entry(1, &e);
	vtb_check(tb, vtb_errors_seen(tb) > 0);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(any_table),
					    cmocka_unit_test(elsewhere),
					    cmocka_unit_test(too_soon) };

	return cmocka_run_group_tests_name("rx_gid_ring", tests, NULL, NULL);
}
