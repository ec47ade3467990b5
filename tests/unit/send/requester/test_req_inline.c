// SPDX-License-Identifier: Apache-2.0
/*
 * req_inline: every length that inline data can have, with idle and back-pressure: each segment is
 * a packet of full beats and a rest, with the bytes of the WQE in order.
 */
#include <string.h>

#include "vtb.h"

#ifndef WORD
#define WORD 64 /* bytes of the blocks that come at a time */
#endif

static uint8_t wqe[5 * 64]; /* first block, and four more */
static unsigned int beat;

/* The further block that is asked for, as req_build's buffer shows it. */
static void show_block(struct vtb *tb)
{
	unsigned int no = (unsigned int)vtb_get(tb, "blk_no_o");

	vtb_check(tb, no < sizeof(wqe) / WORD);
	vtb_put_bytes(vtb_port(tb, "blk_i"), 0, wqe + WORD * no, WORD);
	vtb_eval(tb);
}

/* One segment: `len` bytes from wqe + at. */
static void segment(struct vtb *tb, unsigned int at, unsigned int len, unsigned int ready)
{
	for (unsigned int done = 0; done < len;) {
		unsigned int n = len - done < beat ? len - done : beat;
		uint8_t got[64], want[64];

		vtb_set(tb, "inl_ready_i", rng_percent(&tb->rng, ready));
		vtb_eval(tb);
		show_block(tb);
		vtb_check(tb, vtb_get(tb, "inl_valid_o"));
		vtb_check(tb, !vtb_get(tb, "idle_o"));
		vtb_check_eq(tb, vtb_get(tb, "inl_last_o"), done + n == len);
		vtb_check_eq(tb, vtb_get(tb, "inl_nbytes_o"), n);
		vtb_get_bytes(vtb_port(tb, "inl_data_o"), 0, got, beat);
		memcpy(want, wqe + at + done, n);
		if (memcmp(got, want, n))
			vtb_fail(tb, "bytes %u to %u of %u at %u", done, done + n, len, at);
		if (vtb_get(tb, "inl_ready_i"))
			done += n;
		vtb_tick(tb);
	}
}

static void message(struct vtb *tb, bool ud, unsigned int len, unsigned int ready)
{
	unsigned int len0 = ud ? len : len < 32 ? len : 32, len1 = len - len0;

	rng_bytes(&tb->rng, wqe, sizeof(wqe));
	vtb_check(tb, vtb_get(tb, "idle_o") && !vtb_get(tb, "inl_valid_o"));
	vtb_set(tb, "start_i", 1);
	vtb_set(tb, "ud_i", ud);
	vtb_put_bytes(vtb_port(tb, "first_i"), 0, wqe + 32, 32);
	vtb_set(tb, "len0_i", len0);
	vtb_set(tb, "len1_i", len1);
	vtb_set(tb, "inl_ready_i", 0);
	vtb_tick(tb);
	vtb_set(tb, "start_i", 0);
	segment(tb, ud ? 64 : 32, len0, ready);
	segment(tb, 64, len1, ready);
	vtb_eval(tb);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_run(tb, rng_below(&tb->rng, 3));
}

static void all_lengths(void **state)
{
	static const unsigned int ready[] = { 100, 50, 10 };
	struct vtb *tb = vtb_create();

	(void)state;
	beat = vtb_port(tb, "inl_data_o")->bytes;
	vtb_set(tb, "start_i", 0);
	vtb_tick(tb);
	for (unsigned int i = 0; i < 3; i++)
		for (unsigned int len = 1; len <= 224; len++) {
			message(tb, false, len, ready[i]);
			message(tb, true, len, ready[i]);
		}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_lengths) };

	return cmocka_run_group_tests_name("req_inline", tests, NULL, NULL);
}
