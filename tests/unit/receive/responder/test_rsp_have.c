// SPDX-License-Identifier: Apache-2.0
/* rsp_have: of what the build has not the record says nothing, all else is as it was. */
#include "cairn_hw.h"
#include "cairn_int.h"
#include "vtb_rec.h"

static void all_or_less(void **state)
{
	struct vtb *tb = vtb_create();
	const struct sim_port *in = vtb_port(tb, "rec_i"), *out = vtb_port(tb, "rec_o");

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct rec_rsp_rec want;

		for (unsigned int at = 0; at < REC_RSP_REC_W; at++)
			vtb_put_bits(in, at, 1, rng_u64(&tb->rng) & 1);
		want = vtb_get_rsp_rec(in, 0);
#ifdef LESS
		want.atomic = (struct rec_rsp_atomic){ 0 };
		want.srq = (struct rec_rsp_srq){ 0 };
		want.inv = (struct rec_rsp_inv){ 0 };
		want.id.qpn &= 0x7f;
		want.id.slot &= 0x3f;
#endif
		vtb_eval(tb);
#define SAME(name, path, at, width) vtb_check_eq(tb, vtb_get_bits(out, at, width), want.path);
		REC_RSP_REC_FIELDS(SAME)
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_or_less) };

	return cmocka_run_group_tests_name("rsp_have", tests, NULL, NULL);
}
