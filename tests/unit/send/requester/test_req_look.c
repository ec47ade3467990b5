// SPDX-License-Identifier: Apache-2.0
/*
 * req_look: what is looked at, and when; of the visit in front it says what the look found, in
 * whatever order visits come and go.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb_rec.h"

#define DEPTH 8u

static void set_visit(struct vtb *tb, uint32_t qpn, enum cairn_qp_state state, unsigned int left,
		      bool goback, bool failed, bool beyond)
{
	struct cairn_qp_cfg cfg = { .state = CAIRN_PUT(CAIRN_QP_CFG_STATE, state) };
	struct cairn_qp_req req = {
		.tag = CAIRN_PUT(CAIRN_QP_REQ_TAG_GEN, 7u),
		.index = CAIRN_PUT(CAIRN_QP_REQ_INDEX_NEXT_INDEX, (0xfff0u + qpn) & 0xffff),
	};
	const struct sim_port *port = vtb_port(tb, "visit_i");

	for (unsigned int at = 0; at < REC_REQ_VISIT_W; at++)
		vtb_put_bits(port, at, 1, 0);
	vtb_put_bits(port, REC_REQ_VISIT_QPN, qpn);
	vtb_put_bits(port, REC_REQ_VISIT_PI, (0xfff0u + qpn + left) & 0xffff);
	vtb_put_bits(port, REC_REQ_VISIT_GOBACK, goback);
	vtb_put_bits(port, REC_REQ_VISIT_FAILED, failed);
	vtb_put_bits(port, REC_REQ_VISIT_BEYOND, beyond);
	vtb_put_bytes(port, 0, &cfg, 64);
	vtb_put_bytes(port, 512, &req, 64);
}

/* A visit that is in front at once: is it said to miss its WQE? */
static bool missed(enum cairn_qp_state state, unsigned int left, bool goback, bool failed,
		   bool beyond, bool here)
{
	struct vtb *tb = vtb_create();
	bool result;

	set_visit(tb, 9, state, left, goback, failed, beyond);
	vtb_set(tb, "put_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "put_i", 0);
	set_visit(tb, 1, CAIRN_QP_STATE_RTS, 1, true, true, true);
	vtb_set(tb, "here_i", here);
	vtb_eval(tb);
	vtb_check(tb, !vtb_get(tb, "miss_o")); /* not yet */
	vtb_check(tb, vtb_get(tb, "ask_valid_o"));
	vtb_check_eq(tb, vtb_get(tb, "ask_qpn_o"), 9);
	vtb_check_eq(tb, vtb_get(tb, "ask_gen_o"), 7);
	vtb_check_eq(tb, vtb_get(tb, "ask_index_o"), 0xfff9);
	vtb_tick(tb);
	vtb_set(tb, "here_i", !here);
	vtb_eval(tb);
	vtb_check(tb, !vtb_get(tb, "ask_valid_o"));
	result = vtb_get(tb, "miss_o");
	vtb_run(tb, 3);
	vtb_check_eq(tb, vtb_get(tb, "miss_o"), result);
	vtb_destroy(tb);
	return result;
}

static void which(void **state)
{
	(void)state;
	assert_true(missed(CAIRN_QP_STATE_RTS, 3, false, false, false, false));
	assert_false(missed(CAIRN_QP_STATE_RTS, 3, false, false, false, true));
	assert_false(missed(CAIRN_QP_STATE_RTS, 0, false, false, false, false));
	assert_false(missed(CAIRN_QP_STATE_RTS, 3, true, false, false, false));
	assert_false(missed(CAIRN_QP_STATE_RTS, 3, false, true, false, false));
	assert_false(missed(CAIRN_QP_STATE_RTS, 3, false, false, true, false));
	assert_false(missed(CAIRN_QP_STATE_SQD, 3, false, false, false, false));
}

static void in_order(void **state)
{
	struct vtb *tb = vtb_create();
	bool miss[DEPTH] = { 0 }, looked[DEPTH] = { 0 };
	unsigned int in = 0, out = 0, seen = 0;

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		bool put = in - out < DEPTH && rng_below(&tb->rng, 2);
		bool pop = in != out && !rng_below(&tb->rng, i & 512 ? 2 : 3);
		bool here = rng_below(&tb->rng, 2);

		if (put)
			set_visit(tb, in % 32, CAIRN_QP_STATE_RTS, 1, false, false, false);
		vtb_set(tb, "put_i", put);
		vtb_set(tb, "pop_i", pop);
		vtb_set(tb, "here_i", here);
		vtb_eval(tb);
		if (in != out) {
			vtb_check_eq(tb, vtb_get(tb, "miss_o"),
				     looked[out % DEPTH] && miss[out % DEPTH]);
			seen += vtb_get(tb, "miss_o");
		}
		if (vtb_get(tb, "ask_valid_o")) {
			vtb_check_eq(tb, vtb_get(tb, "ask_qpn_o"), (in - 1) % 32);
			looked[(in - 1) % DEPTH] = true;
			miss[(in - 1) % DEPTH] = !here;
		}
		if (put)
			looked[in++ % DEPTH] = false;
		out += pop;
		vtb_tick(tb);
	}
	vtb_check(tb, in > 4000 && seen > 1000);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(which), cmocka_unit_test(in_order) };

	return cmocka_run_group_tests_name("req_look", tests, NULL, NULL);
}
