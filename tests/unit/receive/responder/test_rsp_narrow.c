// SPDX-License-Identifier: Apache-2.0
/* rsp_narrow: of QPNs and slots the bits that there are, all else is as it was. */
#include "vtb.h"

/* The most bits of random words that differ, each of them 1 going in and 0 coming out. */
static unsigned int less(struct vtb *tb, const char *from, const char *to)
{
	const struct sim_port *in = vtb_port(tb, from), *out = vtb_port(tb, to);
	unsigned int most = 0;

	for (int i = 0; i < 1000; i++) {
		unsigned int n = 0;

		for (unsigned int at = 0; at < in->width; at++)
			vtb_put_bits(in, at, 1, rng_u64(&tb->rng) & 1);
		vtb_eval(tb);
		for (unsigned int at = 0; at < in->width; at++) {
			bool was = vtb_get_bits(in, at, 1), is = vtb_get_bits(out, at, 1);

			vtb_check(tb, was || !is);
			n += was != is;
		}
		most = n > most ? n : most;
	}
	return most;
}

static void bits(void **state)
{
	/* 17 bits of each QPN, 6 of each slot */
	static const struct {
		const char *in, *out;
		unsigned int bits;
	} port[] = {
		{ "pkt_pkt_i", "pkt_pkt_o", 17 + 17 + 6 },
		{ "part_check_i", "part_check_o", 17 },
		{ "part_commit_i", "part_commit_o", 17 },
		{ "part_answer_cfg_i", "part_answer_cfg_o", 17 },
		{ "part_answer_rsp_i", "part_answer_rsp_o", 17 },
		{ "ctx_slot_i", "ctx_slot_o", 6 },
		{ "tx_err_lost_i", "tx_err_lost_o", 17 },
	};
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int p = 0; p < sizeof(port) / sizeof(port[0]); p++) {
		unsigned int most = less(tb, port[p].in, port[p].out);

		vtb_check(tb, most <= port[p].bits && most >= port[p].bits / 2);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(bits) };

	return cmocka_run_group_tests_name("rsp_narrow", tests, NULL, NULL);
}
