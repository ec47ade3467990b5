// SPDX-License-Identifier: Apache-2.0
/*
 * cmp_expect against the rules of cmp_check, with READ requests of 8 packets: position, opcode,
 * length.
 */
#include "cairn_int.h"
#include "vtb.h"

#define CHUNK 8u

static uint32_t below(struct vtb *tb, uint32_t n) { return (uint32_t)rng_below(&tb->rng, n); }

static void answer(struct vtb *tb)
{
	const struct sim_port *rec = vtb_port(tb, "rec_i"), *x = vtb_port(tb, "x_i");
	uint32_t pmtu = 1 + below(tb, 5), mtu = 128u << pmtu, packets = below(tb, 32);
	uint32_t at = below(tb, 1u << 24), off = below(tb, 4) - 1, d_end = below(tb, 3) - 1;
	uint32_t rest = below(tb, 3) ? mtu * below(tb, 3) + below(tb, 3) : below(tb, mtu);
	uint32_t want = rest <= mtu ? rest : mtu, len = below(tb, 4) ? want : below(tb, mtu + 1);
	bool dead = !below(tb, 6), old = !below(tb, 6), open = below(tb, 3), plain = below(tb, 2);
	bool swap = !below(tb, 4), atomic = below(tb, 5) ? swap : !swap;
	bool again = below(tb, 2), tired = below(tb, 2), start = below(tb, 2), last = below(tb, 2);
	bool end = rest <= mtu || packets % CHUNK == CHUNK - 1, dup, none, bad_op;

	vtb_put_bits(rec, REC_CMP_REC_PSN, (at + off) & 0xffffff);
	vtb_put_bits(rec, REC_CMP_REC_QP_PMTU, pmtu);
	vtb_put_bits(rec, REC_CMP_REC_PAY_LEN, len);
	vtb_put_bits(rec, REC_CMP_REC_START, start);
	vtb_put_bits(rec, REC_CMP_REC_LAST, last);
	vtb_put_bits(rec, REC_CMP_REC_ATOMIC, atomic);
	vtb_put_bits(x, REC_CMP_CURSOR_PSN, at);
	vtb_put_bits(x, REC_CMP_CURSOR_PACKETS, packets);
	vtb_put_bits(x, REC_CMP_CURSOR_REST, rest);
	vtb_set(tb, "old_end_i", (at + off - d_end) & 0xffffff);
	vtb_set(tb, "plain_i", plain);
	vtb_set(tb, "dead_i", dead);
	vtb_set(tb, "old_i", old);
	vtb_set(tb, "open_i", open);
	vtb_set(tb, "atomic_i", swap);
	vtb_set(tb, "again_i", again);
	vtb_set(tb, "tired_i", tired);
	vtb_eval(tb);

	dup = !dead && (old || (int32_t)off < 0);
	none = !dead && !dup && !open;
	bad_op = atomic != swap ||
		 (!atomic && ((packets % CHUNK == 0 && !start) || end != last));
	vtb_check_eq(tb, vtb_get(tb, "said_whole_o"), rest <= mtu);
	vtb_check_eq(tb, vtb_get(tb, "said_at_end_o"), end);
	vtb_check_eq(tb, vtb_get(tb, "said_dup_o"), dup);
	vtb_check_eq(tb, vtb_get(tb, "said_ahead_o"), open && !dead && !dup && off);
	vtb_check_eq(tb, vtb_get(tb, "said_no_read_o"), none);
	vtb_check_eq(tb, vtb_get(tb, "said_not_read_o"), none && plain && (int32_t)d_end < 0);
	vtb_check_eq(tb, vtb_get(tb, "said_stale_o"),
		     none && !(plain && (int32_t)d_end < 0) && tired && again);
	if (open && !dead && !dup && !off) {
		vtb_check_eq(tb, vtb_get(tb, "said_bad_op_o"), bad_op);
		vtb_check_eq(tb, vtb_get(tb, "said_bad_o"), bad_op || (!atomic && len != want));
	} else {
		vtb_check(tb, !vtb_get(tb, "said_bad_o"));
	}
}

static void as_the_rules(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int i = 0; i < 50000; i++)
		answer(tb);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_the_rules) };

	return cmocka_run_group_tests_name("cmp_expect", tests, NULL, NULL);
}
