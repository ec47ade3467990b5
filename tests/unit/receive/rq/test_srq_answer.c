// SPDX-License-Identifier: Apache-2.0
/* srq_answer: what firmware reads says how the queue was set up and how far it is. */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_int.h"
#include "vtb_rec.h"

static void records(void **state)
{
	struct vtb *tb = vtb_create();
	const struct sim_port *setup = vtb_port(tb, "setup_i"), *counts = vtb_port(tb, "counts_i");

	(void)state;
	for (int n = 0; n < 20000; n++) {
		uint32_t srqn = (uint32_t)rng_below(&tb->rng, 1u << 24);
		bool failed = rng_percent(&tb->rng, 50);
		struct cairn_srq_ctx want = { 0 }, got;
		struct rec_srq_setup s;
		struct rec_srq_counts c;

		for (unsigned int at = 0; at < REC_SRQ_SETUP_W; at++)
			vtb_put_bits(setup, at, 1, rng_u64(&tb->rng) & 1);
		for (unsigned int at = 0; at < REC_SRQ_COUNTS_W; at++)
			vtb_put_bits(counts, at, 1, rng_u64(&tb->rng) & 1);
		s = vtb_get_srq_setup(setup, 0);
		c = vtb_get_srq_counts(counts, 0);
		vtb_set(tb, "srqn_i", srqn);
		vtb_set(tb, "failed_i", failed);
		vtb_eval(tb);
		want.tag = CAIRN_PUT(CAIRN_SRQ_CTX_TAG_SRQN, srqn) |
			   CAIRN_PUT(CAIRN_SRQ_CTX_TAG_GEN, s.gen);
		want.flags = CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_VALID, s.valid) |
			     CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_ERR, failed) |
			     CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED, c.armed) |
			     CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_LOG2, s.log2) |
			     CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_STRIDE, s.stride) |
			     CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_DB_PAGE, s.page);
		want.slots = s.slots;
		want.ring = s.ring;
		want.index = CAIRN_PUT(CAIRN_SRQ_CTX_INDEX_POP, c.pop) |
			     CAIRN_PUT(CAIRN_SRQ_CTX_INDEX_LIMIT, c.limit);
		want.pd = s.pd;
		vtb_get_bytes(vtb_port(tb, "rec_o"), 0, &got, sizeof(got));
		vtb_check(tb, !memcmp(&got, &want, sizeof(got)));
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(records) };

	return cmocka_run_group_tests_name("srq_answer", tests, NULL, NULL);
}
