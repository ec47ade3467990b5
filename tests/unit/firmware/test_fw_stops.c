// SPDX-License-Identifier: Apache-2.0
/*
 * Queue pairs that stop sending, in firmware: SQD, and ERR by command or report; what must have
 * passed a fence before (docs/commands.md 9, IBTA 10.3.1).
 */
#include "fw_objects.h"

#define CFG CAIRN_QP_PART_CFG
#define REQ CAIRN_QP_PART_REQ
#define CMP CAIRN_QP_PART_CMP
#define RSP CAIRN_QP_PART_RSP
#define Q 20u

static struct {
	unsigned int fences;
	uint32_t state, notify;
	bool flushing;
} seen;

static void look_on_fence(void)
{
	const struct cairn_qp_cfg *cfg = (void *)hw.qp[Q][CFG];

	if (seen.fences++)
		return;
	seen.state = cfg_state(Q);
	seen.notify = cfg->flow_tclass & CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY;
	seen.flushing = hw.db[CAIRN_DB_TABLE_SQ][Q].error || hw.kicks[CAIRN_KICK_CMP];
}

static void look(void)
{
	memset(&seen, 0, sizeof(seen));
	memset(hw.kicks, 0, sizeof(hw.kicks));
	hw.on_fence = look_on_fence;
}

/* Whatever ends a QP that sends: its send side has stopped, and a fence has passed, before it
 * flushes. */
static void error_behind_fence(void **state)
{
	static const enum cairn_qp_state from[] = { S(INIT), S(RTR), S(RTS), S(SQD) };
	struct cairn_qp_attr a = { .state = S(ERR) };
	struct hw_cmd c;

	(void)state;
	for (unsigned int i = 0; i < 2 * sizeof(from) / sizeof(from[0]); i++) {
		bool sends = from[i / 2] == S(RTS) || from[i / 2] == S(SQD);

		if (i % 2 && from[i / 2] == S(INIT))
			continue; /* no engine is at work */
		make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		move_to(Q, CAIRN_QP_TYPE_RC, from[i / 2]);
		look();
		if (i % 2) {
			hw.qp[Q][RSP][1] |= CAIRN_QP_RSP_FLAGS_ERR;
			report(Q);
		} else {
			assert_int_equal(modify(Q, &a, M(STATE), &c), CAIRN_CMD_STATUS_OK);
		}
		hw.on_fence = NULL;
		assert_int_equal(cfg_state(Q), S(ERR));
		assert_true(hw.db[CAIRN_DB_TABLE_SQ][Q].error);
		assert_int_equal(seen.fences, sends);
		if (sends)
			assert_int_equal(seen.state, S(SQE));
		assert_false(seen.flushing);
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
}

/* A work request further on failed locally: what was sent before it is on its way all the same. */
static void error_behind_local_error(void **state)
{
	struct cairn_qp_attr a = { .state = S(ERR) };
	struct hw_cmd c;

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct cairn_qp_req *req = (void *)hw.qp[Q][REQ];

		make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
		req->flags |= CAIRN_QP_REQ_FLAGS_ERR;
		CAIRN_SET(req->index, CAIRN_QP_REQ_INDEX_NEXT_INDEX, 3);
		look();
		if (i) {
			hw.qp[Q][RSP][1] |= CAIRN_QP_RSP_FLAGS_ERR;
			report(Q);
		} else {
			assert_int_equal(modify(Q, &a, M(STATE), &c), CAIRN_CMD_STATUS_OK);
		}
		hw.on_fence = NULL;
		assert_int_equal(cfg_state(Q), S(ERR));
		assert_int_equal(seen.fences, 1);
		assert_int_equal(seen.state, S(SQE));
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
}

/* The work request that failed has been acknowledged meanwhile, by its first sending. */
static void error_that_passed(void **state)
{
	struct cairn_qp_req *req = (void *)hw.qp[Q][REQ];
	struct cairn_qp_cmp *cmp = (void *)hw.qp[Q][CMP];
	struct hw_cmd c;

	(void)state;
	make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
	req->flags |= CAIRN_QP_REQ_FLAGS_ERR;
	for (unsigned int old = 0xfffe; old < 0x10004; old++) {
		CAIRN_SET(req->index, CAIRN_QP_REQ_INDEX_NEXT_INDEX, 1);
		CAIRN_SET(cmp->oldest, CAIRN_QP_CMP_OLDEST_OLD_INDEX, old & 0xffff);
		assert_int_equal(query(Q, &c).state, old <= 0x10001 ? S(ERR) : S(RTS));
	}
}

/* For hw_post(): modify() waits for its end. */
static struct hw_cmd change_state(const struct cairn_qp_attr *a)
{
	return (struct hw_cmd){ .op = CAIRN_CMD_OP_MODIFY_QP,
				.number = Q,
				.in = a,
				.in_bytes = sizeof(*a),
				.arg = { M(STATE) } };
}

/* A query in the midst of that sees one of the two states. */
static void query_between(void **state)
{
	struct cairn_qp_attr a = { .state = S(ERR) };

	(void)state;
	for (unsigned int i = 0; i < 100; i++) {
		struct hw_cmd m = change_state(&a);
		struct hw_cmd q = { .op = CAIRN_CMD_OP_QUERY_QP,
				    .number = Q,
				    .in_bytes = sizeof(a) };
		struct cairn_qp_attr got;

		make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
		hw_post(&m);
		hw_ring();
		hw_run(100 * rng_below(&hw.rng, 100));
		hw_post(&q);
		hw_ring();
		hw_wait();
		assert_int_equal(q.status, CAIRN_CMD_STATUS_OK);
		memcpy(&got, q.out, sizeof(got));
		assert_true(got.state == S(RTS) || got.state == S(ERR));
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
}

/* ---- draining ---- */

static void draining(void **state)
{
	struct cairn_qp_req *req = (void *)hw.qp[Q][REQ];
	struct cairn_qp_cmp *cmp = (void *)hw.qp[Q][CMP];
	struct hw_cmd c;

	(void)state;
	make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
	req->hi_psn = cmp->old_psn + 3;
	assert_int_equal(query(Q, &c).sq_draining, 0); /* not in RTS */
	memset(hw.kicks, 0, sizeof(hw.kicks));
	step(Q, CAIRN_QP_TYPE_RC, S(SQD));
	assert_true(hw.kicks[CAIRN_KICK_CMP]);
	assert_int_equal(hw.last_kick[CAIRN_KICK_CMP], Q);
	assert_int_equal(query(Q, &c).sq_draining, 1);
	cmp->old_psn = req->hi_psn;
	assert_int_equal(query(Q, &c).sq_draining, 0);
	req->flags |= CAIRN_QP_REQ_FLAGS_IN_MSG;
	assert_int_equal(query(Q, &c).sq_draining, 1);
	req->flags &= ~(uint32_t)CAIRN_QP_REQ_FLAGS_IN_MSG;
	cmp->rflags |= CAIRN_QP_CMP_RFLAGS_RD_VALID;
	assert_int_equal(query(Q, &c).sq_draining, 1);
}

/* The completer may tell of SQD only when visits of before have passed. */
static void drained_behind_fence(void **state)
{
	const struct cairn_qp_cfg *cfg = (void *)hw.qp[Q][CFG];
	struct cairn_qp_attr a = { .state = S(SQD), .en_sqd_notify = 1 };
	struct hw_cmd c;

	(void)state;
	for (unsigned int notify = 0; notify < 2; notify++) {
		make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
		look();
		assert_int_equal(modify(Q, &a, M(STATE) | (notify ? M(EN_SQD_NOTIFY) : 0), &c),
				 CAIRN_CMD_STATUS_OK);
		hw.on_fence = NULL;
		assert_int_equal(seen.fences, 1);
		assert_int_equal(seen.state, S(SQD));
		assert_false(seen.notify || seen.flushing);
		assert_int_equal(!!(cfg->flow_tclass & CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY),
				 notify);
		assert_true(hw.kicks[CAIRN_KICK_CMP]);
		/* the wish is of this time only */
		a.state = S(RTS);
		assert_int_equal(modify(Q, &a, M(STATE), &c), CAIRN_CMD_STATUS_OK);
		a.state = S(SQD);
		assert_int_equal(modify(Q, &a, M(STATE), &c), CAIRN_CMD_STATUS_OK);
		assert_false(cfg->flow_tclass & CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY);
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
}

/* SQD -> SQD: not before the queue has drained; RTS and ERR at any time. */
static void sqd_busy(void **state)
{
	struct cairn_qp_req *req = (void *)hw.qp[Q][REQ];
	struct cairn_qp_cmp *cmp = (void *)hw.qp[Q][CMP];
	struct cairn_qp_attr a = { .state = S(SQD), .timeout = 3 };
	struct hw_cmd c;

	(void)state;
	make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	move_to(Q, CAIRN_QP_TYPE_RC, S(SQD));
	req->hi_psn = cmp->old_psn + 3;
	assert_int_equal(modify(Q, &a, M(TIMEOUT), &c), CAIRN_CMD_STATUS_BAD_STATE);
	assert_int_equal(modify(Q, &a, M(STATE) | M(TIMEOUT), &c), CAIRN_CMD_STATUS_BAD_STATE);
	cmp->old_psn = req->hi_psn;
	assert_int_equal(modify(Q, &a, M(TIMEOUT), &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(query(Q, &c).timeout, 3);
	req->hi_psn = cmp->old_psn + 3;
	a.state = S(RTS);
	assert_int_equal(modify(Q, &a, M(STATE), &c), CAIRN_CMD_STATUS_OK);
}

/* SQD -> SQD: what may change there is in the record afterwards. */
static void sqd_changes(void **state)
{
	const struct cairn_qp_cfg *cfg = (void *)hw.qp[Q][CFG];
	const struct cairn_qp_cmp *cmp = (void *)hw.qp[Q][CMP];
	struct cairn_qp_attr a = good_attr(), q;
	struct hw_cmd c;

	(void)state;
	make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	move_to(Q, CAIRN_QP_TYPE_RC, S(SQD));
	a.timeout = 3;
	a.retry_cnt = 2;
	a.rnr_retry = 1;
	a.max_rd_atomic = 200; /* cut */
	a.max_dest_rd_atomic = 4;
	a.min_rnr_timer = 31;
	a.access = CAIRN_ACCESS_REMOTE_READ;
	a.tclass = 0x6a;
	a.flow_label = 0xabcde;
	a.hop_limit = 3;
	a.sl = 5;
	a.dmac = 0x020000000042ull;
	assert_int_equal(modify(Q, &a,
				M(AV) | M(TIMEOUT) | M(RETRY_CNT) | M(RNR_RETRY) |
					M(MAX_RD_ATOMIC) | M(MAX_DEST_RD_ATOMIC) |
					M(MIN_RNR_TIMER) | M(ACCESS) | M(PORT) | M(PKEY_INDEX),
				&c),
			 CAIRN_CMD_STATUS_OK);
	q = query(Q, &c);
	assert_int_equal(q.state, S(SQD));
	assert_int_equal(q.timeout, 3);
	assert_int_equal(q.retry_cnt, 2);
	assert_int_equal(q.rnr_retry, 1);
	/* They hold at once, though nothing was sent yet: the completer renews what is left. */
	assert_int_not_equal(cmp->una & 0xffffff, cmp->gb & 0xffffff);
	assert_int_equal(q.max_rd_atomic, 16);
	assert_int_equal(q.max_dest_rd_atomic, 4);
	assert_int_equal(q.min_rnr_timer, 31);
	assert_int_equal(q.access, CAIRN_ACCESS_REMOTE_READ);
	assert_int_equal(q.tclass, 0x6a);
	assert_int_equal(q.flow_label, 0xabcde);
	assert_int_equal(q.hop_limit, 3);
	assert_int_equal(q.sl, 5);
	assert_int_equal(q.dmac, 0x020000000042ull);
	assert_int_equal(q.path_mtu, 3);
	assert_int_equal(q.dest_qpn, 0x77);
	assert_int_equal(cfg->dmac_sport >> 48, 0xc000 | (0x3cde ^ 0xabcde >> 14));
}

/* DISABLE comes while a report of a QP waits for its fence: whoever waits is served. */
static void disable_during_fence(void **state)
{
	struct rng rng = hw.rng;

	(void)state;
	for (unsigned int i = 0; i < 200; i++) {
		struct hw_cmd off = { .op = CAIRN_CMD_OP_DISABLE };

		make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
		hw.qp[Q][RSP][1] |= CAIRN_QP_RSP_FLAGS_ERR;
		hw_report(CAIRN_DEV_EVENT_QP_ERROR, Q);
		hw_run(20 * rng_below(&rng, 200));
		hw_post(&off);
		hw_ring();
		hw_wait();
		assert_int_equal(off.status, CAIRN_CMD_STATUS_OK);
		hw_run(100000);
		objects_setup(NULL);
		make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
}

/*
 * From SQE to RTS, while the responder of the same QP fails: the change ends with a status, nothing
 * of it stays behind, and the QP is in error.
 */
static void restart_fails(void **state)
{
	struct cairn_qp_attr a = { .state = S(RTS) };
	struct hw_cmd c;
	unsigned int refused = 0;

	(void)state;
	for (unsigned int i = 0; i < 300; i++) {
		struct hw_cmd m = change_state(&a);

		make_qp(Q, CAIRN_QP_TYPE_UD, CAIRN_NO_NUMBER);
		move_to(Q, CAIRN_QP_TYPE_UD, S(SQE));
		hw_post(&m);
		hw_ring();
		hw_run(20 * rng_below(&hw.rng, 400));
		hw.qp[Q][RSP][1] |= CAIRN_QP_RSP_FLAGS_ERR;
		hw_report(CAIRN_DEV_EVENT_QP_ERROR, Q);
		hw_wait();
		assert_true(m.status == CAIRN_CMD_STATUS_OK ||
			    m.status == CAIRN_CMD_STATUS_BAD_STATE);
		refused += m.status != CAIRN_CMD_STATUS_OK;
		hw_run(200000);
		assert_int_equal(query(Q, &c).state, S(ERR));
		assert_int_equal(cfg_state(Q), S(ERR));
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
	assert_true(refused && refused < 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FW_TEST(draining),
		FW_TEST(drained_behind_fence),
		FW_TEST(sqd_busy),
		FW_TEST(sqd_changes),
		FW_TEST(error_behind_fence),
		FW_TEST(error_behind_local_error),
		FW_TEST(error_that_passed),
		FW_TEST(query_between),
		FW_TEST(disable_during_fence),
		FW_TEST(restart_fails),
	};

	return cmocka_run_group_tests_name("fw_stops", tests, NULL, NULL);
}
