/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ram_1r1w and ram_2r1w of 32-bit words with byte enables against an array.  Included by one .c a
 * form, which defines DEPTH, BYPASS (0, 1, 2) and PORTS (1, 2).  Few addresses, so that reads and
 * writes meet.
 */
#include <stdio.h>
#include <string.h>

#include "vtb.h"

static const char *port_name(char *buf, const char *form, unsigned int p)
{
	if (PORTS == 1)
		sprintf(buf, form, "");
	else
		sprintf(buf, form, p ? "1" : "0");
	return buf;
}

static void random_access(void **state)
{
	struct vtb *tb = vtb_create();
	uint32_t mem[DEPTH], want[PORTS] = { 0 };
	bool known[PORTS] = { false };
	unsigned int met = 0;
	char name[16];

	(void)state;
	for (unsigned int a = 0; a < DEPTH; a++) {
		mem[a] = (uint32_t)rng_u64(&tb->rng);
		vtb_set(tb, "we_i", 15);
		vtb_set(tb, "waddr_i", a);
		vtb_set(tb, "wdata_i", mem[a]);
		vtb_tick(tb);
	}
	for (int i = 0; i < 20000; i++) {
		uint32_t data = (uint32_t)rng_u64(&tb->rng), mask = 0, old;
		unsigned int we = (unsigned int)rng_below(&tb->rng, 16);
		unsigned int waddr = (unsigned int)rng_below(&tb->rng, DEPTH);

		vtb_set(tb, "we_i", we);
		vtb_set(tb, "waddr_i", waddr);
		vtb_set(tb, "wdata_i", data);
		for (unsigned int b = 0; b < 4; b++)
			mask |= we >> b & 1 ? 0xffu << 8 * b : 0;
		old = mem[waddr];
		mem[waddr] = (old & ~mask) | (data & mask);
		for (unsigned int p = 0; p < PORTS; p++) {
			unsigned int raddr = (unsigned int)rng_below(&tb->rng, DEPTH);
			bool re = rng_percent(&tb->rng, 70);

			if (rng_percent(&tb->rng, 30))
				raddr = waddr;
			vtb_set(tb, port_name(name, "re%s_i", p), re);
			vtb_set(tb, port_name(name, "raddr%s_i", p), raddr);
			if (!re)
				continue;
			met += raddr == waddr;
			want[p] = raddr == waddr && BYPASS == 0 ? old : mem[raddr];
			known[p] = BYPASS != 2 || raddr != waddr || !we;
		}
		vtb_tick(tb);
		/* the next cycle's inputs must not matter to what was read, nor re low */
		vtb_set(tb, "waddr_i", rng_below(&tb->rng, DEPTH));
		vtb_set(tb, "wdata_i", data ^ 0x5a5a5a5a);
		vtb_eval(tb);
		for (unsigned int p = 0; p < PORTS; p++)
			if (known[p])
				vtb_check_eq(tb, vtb_get(tb, port_name(name, "rdata%s_o", p)), want[p]);
	}
	vtb_check(tb, met > 1000);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_access) };

	return cmocka_run_group_tests_name("ram", tests, NULL, NULL);
}
