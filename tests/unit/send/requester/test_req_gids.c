// SPDX-License-Identifier: Apache-2.0
/* req_gids against a table: entries written in any order and again, cleared, read while written. */
#include <string.h>

#include "vtb.h"

#define GIDS 16u

static uint64_t entry[256]; /* {valid, IPv6, tagged, VLAN} */

static void write_entry(struct vtb *tb, unsigned int index)
{
	uint64_t value = rng_below(&tb->rng, 1 << 15);

	vtb_set(tb, "gid_we_i", 1);
	vtb_set(tb, "gid_index_i", index);
	vtb_set(tb, "gid_valid_i", value >> 14);
	vtb_set(tb, "gid_ipv6_i", value >> 13 & 1);
	vtb_set(tb, "gid_vlan_i", value >> 12 & 1);
	vtb_set(tb, "gid_vid_i", value & 0xfff);
	if (index < GIDS)
		entry[index] = value;
}

static void check_all(struct vtb *tb)
{
	for (unsigned int i = 0; i < 256; i++) {
		uint64_t got;

		vtb_set(tb, "rd_index_i", i);
		vtb_eval(tb);
		got = vtb_get(tb, "rd_gid_o");
		vtb_check_eq(tb, got >> 14, entry[i] >> 14);
		if (entry[i] >> 14)
			vtb_check_eq(tb, got, entry[i]);
	}
}

static void all(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	memset(entry, 0, sizeof(entry));
	vtb_set(tb, "gid_we_i", 0);
	check_all(tb); /* after reset none is valid, nor any outside the table ever */
	for (unsigned int n = 0; n < 2000; n++) {
		if (rng_percent(&tb->rng, 60))
			write_entry(tb, (unsigned int)rng_below(&tb->rng, n % 50 ? GIDS : 256));
		vtb_tick(tb);
		vtb_set(tb, "gid_we_i", 0);
		if (n % 20 == 0)
			check_all(tb);
	}
	vtb_reset(tb, 2);
	memset(entry, 0, sizeof(entry));
	check_all(tb);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all) };

	return cmocka_run_group_tests_name("req_gids", tests, NULL, NULL);
}
