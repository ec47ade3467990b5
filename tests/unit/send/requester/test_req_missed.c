// SPDX-License-Identifier: Apache-2.0
/*
 * req_missed: which visits are kept from req_build, what is asked for and given back for them; at
 * random, no QP is lost, told twice, or held behind one whose WQE is missing.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb_rec.h"

#define QPS 32u

static struct {
	struct vtb *tb;
	uint32_t next;	   /* QPs whose visits have begun */
	bool miss[QPS];	   /* the WQE of each is not here */
	bool special[QPS]; /* its visit begins with something else */
	unsigned int built[QPS], fetched[QPS], back[QPS];
	bool retry[QPS];
	bool taken;
} s;

static void set_visit(struct vtb *tb, uint32_t qpn, enum cairn_qp_state state, unsigned int left,
		      bool goback, bool failed)
{
	struct cairn_qp_cfg cfg = { .state = CAIRN_PUT(CAIRN_QP_CFG_STATE, state) };
	struct cairn_qp_req req = {
		.tag = CAIRN_PUT(CAIRN_QP_REQ_TAG_GEN, 7u),
		.flags = CAIRN_PUT(CAIRN_QP_REQ_FLAGS_SQ_LOG2, 5u),
		.sq_base = 0x1000 * (uint64_t)(qpn + 1),
		.index = CAIRN_PUT(CAIRN_QP_REQ_INDEX_NEXT_INDEX, (0xfff0u + qpn) & 0xffff),
	};
	const struct sim_port *port = vtb_port(tb, "visit_i");

	for (unsigned int at = 0; at < REC_REQ_VISIT_W; at++)
		vtb_put_bits(port, at, 1, 0);
	vtb_put_bits(port, REC_REQ_VISIT_QPN, qpn);
	vtb_put_bits(port, REC_REQ_VISIT_SLOT, qpn + 3);
	vtb_put_bits(port, REC_REQ_VISIT_PI, (0xfff0u + qpn + left) & 0xffff);
	vtb_put_bits(port, REC_REQ_VISIT_GOBACK, goback);
	vtb_put_bits(port, REC_REQ_VISIT_FAILED, failed);
	vtb_put_bytes(port, 0, &cfg, 64);
	vtb_put_bytes(port, 512, &req, 64);
	vtb_set(tb, "visit_valid_i", 1);
}

/* What misses its WQE is kept, also from a req_build that waits; all else passes. */
static void which(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int n = 0; n < 4; n++) {
		bool miss = n & 1, ready = n & 2;

		vtb_set(tb, "miss_i", miss);
		vtb_set(tb, "visit_ready_i", ready);
		set_visit(tb, 9, CAIRN_QP_STATE_RTS, 3, false, false);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "visit_valid_o"), !miss);
		vtb_check_eq(tb, vtb_get(tb, "visit_ready_o"), miss || ready);
	}
	vtb_destroy(tb);
}

/* As many as wait to be asked for are kept in a row; then the next waits, and what passes with it.
 */
static void in_a_row(void **state)
{
	struct vtb *tb = vtb_create();
	unsigned int n = 0;

	(void)state;
	vtb_set(tb, "miss_i", 1);
	for (; n < 100; n++) {
		set_visit(tb, n % QPS, CAIRN_QP_STATE_RTS, 1, false, false);
		vtb_eval(tb);
		if (!vtb_get(tb, "visit_ready_o"))
			break;
		vtb_tick(tb);
	}
	vtb_check_eq(tb, n, 4);
	vtb_check(tb, !vtb_get(tb, "visit_valid_o"));
	vtb_destroy(tb);
}

/* req_build that waits gets what there is, with no look at it. */
static void at_once(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "visit_ready_i", 1);
	for (unsigned int i = 0; i < 4; i++) {
		set_visit(tb, i, CAIRN_QP_STATE_RTS, 1, false, false);
		vtb_eval(tb);
		vtb_check(tb, vtb_get(tb, "visit_valid_o"));
		vtb_check(tb, vtb_get(tb, "visit_ready_o"));
		vtb_tick(tb);
	}
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

static void ends_well(struct vtb *tb, uint32_t qpn)
{
	/* built, or fetched and given back; not both, and once */
	vtb_check_eq(tb, s.built[qpn] + s.fetched[qpn], 1);
	vtb_check_eq(tb, s.back[qpn], s.fetched[qpn]);
	if (s.special[qpn])
		vtb_check_eq(tb, s.built[qpn], 1);
	s.built[qpn] = s.fetched[qpn] = s.back[qpn] = 0;
}

static void look(struct vtb *tb, void *arg)
{
	uint32_t qpn = s.next % QPS;

	(void)arg;
	s.taken = vtb_get(tb, "visit_valid_i") && vtb_get(tb, "visit_ready_o");
	if (vtb_get(tb, "visit_valid_o") && vtb_get(tb, "visit_ready_i"))
		s.built[qpn]++;
	if (vtb_get(tb, "fetch_valid_o") && vtb_get(tb, "fetch_ready_i")) {
		uint32_t of = (uint32_t)vtb_get(tb, "fetch_qpn_o");

		vtb_check(tb, of < QPS && s.miss[of]);
		vtb_check_eq(tb, vtb_get(tb, "fetch_index_o"), (0xfff0u + of) & 0xffff);
		vtb_check_eq(tb, vtb_get(tb, "fetch_limit_o"), (0xfff0u + of + 1) & 0xffff);
		vtb_check_eq(tb, vtb_get(tb, "fetch_base_o"), 0x1000 * (of + 1));
		vtb_check_eq(tb, vtb_get(tb, "fetch_log2_o"), 5);
		s.fetched[of]++;
		s.retry[of] = vtb_get(tb, "fetch_retry_i");
	}
	if (vtb_get(tb, "released_valid_o") && vtb_get(tb, "released_ready_i")) {
		uint32_t of = (uint32_t)vtb_get(tb, "released_qpn_o");

		vtb_check_eq(tb, vtb_get(tb, "released_more_o"), s.retry[of]);
		vtb_check_eq(tb, vtb_get(tb, "released_slot_o"), of + 3);
		vtb_check(tb, vtb_get(tb, "released_unpin_o"));
		s.back[of]++;
		ends_well(tb, of);
	}
	if (s.taken && s.built[qpn])
		ends_well(tb, qpn);
}

static void drive(struct vtb *tb, void *arg)
{
	uint32_t qpn;

	(void)arg;
	if (s.taken) {
		s.next++;
		vtb_set(tb, "visit_valid_i", 0);
	}
	qpn = s.next % QPS;
	if (!vtb_get(tb, "visit_valid_i") && rng_below(&tb->rng, 4)) {
		s.special[qpn] = !rng_below(&tb->rng, 4);
		s.miss[qpn] = !s.special[qpn] && rng_below(&tb->rng, 2);
		set_visit(tb, qpn, CAIRN_QP_STATE_RTS, 1, s.special[qpn], false);
	}
	vtb_set(tb, "miss_i", s.miss[qpn]);
	vtb_set(tb, "visit_ready_i", !rng_below(&tb->rng, 4));
	vtb_set(tb, "fetch_ready_i", rng_below(&tb->rng, 2));
	vtb_set(tb, "fetch_retry_i", rng_below(&tb->rng, 2));
	vtb_set(tb, "released_ready_i", rng_below(&tb->rng, 2));
}

static void random_visits(void **state)
{
	(void)state;
	memset(&s, 0, sizeof(s));
	s.tb = vtb_create();
	vtb_on_sample(s.tb, look, NULL);
	vtb_on_drive(s.tb, drive, NULL);
	vtb_run(s.tb, 20000);
	vtb_check(s.tb, s.next > 2000);
	vtb_destroy(s.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which),
		cmocka_unit_test(in_a_row),
		cmocka_unit_test(at_once),
		cmocka_unit_test(random_visits),
	};

	return cmocka_run_group_tests_name("req_missed", tests, NULL, NULL);
}
