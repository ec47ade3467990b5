// SPDX-License-Identifier: Apache-2.0
/*
 * Queue pairs in firmware: errors that engines report, SQE and the way out of it, SRQ
 * slots, overflowing CQs (docs/commands.md 9, IBTA 10.3.1).
 */
#include "fw_objects.h"

#define CFG CAIRN_QP_PART_CFG
#define REQ CAIRN_QP_PART_REQ
#define CMP CAIRN_QP_PART_CMP
#define RSP CAIRN_QP_PART_RSP
#define Q 20u

static uint32_t create(uint32_t qpn, const struct cairn_qp_create *a, struct hw_cmd *c)
{
	*c = (struct hw_cmd){
		.op = CAIRN_CMD_OP_CREATE_QP, .number = qpn, .in = a, .in_bytes = sizeof(*a)
	};
	return hw_do(c);
}

static void engine_errors(void **state)
{
	static const struct {
		uint8_t part, word;
		uint32_t bits;
	} errors[] = { { REQ, 1, CAIRN_QP_REQ_FLAGS_ERR },
		       { CMP, 1, CAIRN_QP_CMP_FLAGS_ERR },
		       { CMP, 8, CAIRN_QP_CMP_RFLAGS_FLUSHING },
		       { RSP, 1, CAIRN_QP_RSP_FLAGS_ERR } };
	struct hw_cmd c;

	(void)state;
	for (unsigned int type = CAIRN_QP_TYPE_RC; type <= CAIRN_QP_TYPE_UD; type++) {
		for (unsigned int i = 0; i < 4; i++) {
			bool sqe = type != CAIRN_QP_TYPE_RC && errors[i].part != RSP;
			uint32_t want = sqe ? S(SQE) : S(ERR);

			make_qp(Q, type, CAIRN_NO_NUMBER);
			move_to(Q, type, S(RTS));
			hw.qp[Q][errors[i].part][errors[i].word] |= errors[i].bits;
			/* the effective state, before firmware has heard of it ... */
			assert_int_equal(query(Q, &c).state, want);
			assert_int_equal(cfg_state(Q), S(RTS));
			memset(hw.kicks, 0, sizeof(hw.kicks));
			report(Q);
			/* ... and cfg.state afterwards */
			assert_int_equal(cfg_state(Q), want);
			assert_true(hw.db[CAIRN_DB_TABLE_SQ][Q].error);
			assert_int_equal(hw.db[CAIRN_DB_TABLE_RQ][Q].error, !sqe);
			assert_true(hw.kicks[CAIRN_KICK_CMP]);
			assert_int_equal(hw.kicks[CAIRN_KICK_RSP] != 0, !sqe);
			hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }),
				  OK);
		}
	}
}

/* The QP was reset, or destroyed and made again, before firmware came to the report. */
static void late_reports(void **state)
{
	struct cairn_qp_attr a = good_attr();
	struct hw_cmd c;

	(void)state;
	report(Q);
	make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	report(Q);
	assert_int_equal(cfg_state(Q), S(RESET));
	move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
	report(Q);
	assert_int_equal(cfg_state(Q), S(RTS));
	assert_false(hw.db[CAIRN_DB_TABLE_SQ][Q].error);
	/* the reset is under way when the report comes */
	for (int i = 0; i < 50; i++) {
		hw.qp[Q][REQ][1] |= CAIRN_QP_REQ_FLAGS_ERR;
		a.state = S(RESET);
		c = (struct hw_cmd){ .op = CAIRN_CMD_OP_MODIFY_QP,
				     .number = Q,
				     .in = &a,
				     .in_bytes = sizeof(a),
				     .arg = { M(STATE) } };
		hw_post(&c);
		hw_ring();
		hw_run(200 * rng_below(&hw.rng, 60));
		hw_report(CAIRN_DEV_EVENT_QP_ERROR, Q);
		hw_wait();
		hw_run(100000);
		assert_int_equal(c.status, CAIRN_CMD_STATUS_OK);
		assert_int_equal(cfg_state(Q), S(RESET));
		move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
		hw_run(100000);
		assert_int_equal(cfg_state(Q), S(RTS));
	}
}

static void many_reports(void **state)
{
	(void)state;
	for (uint32_t q = 10; q < 60; q++) {
		make_qp(q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		move_to(q, CAIRN_QP_TYPE_RC, S(RTS));
		hw.qp[q][RSP][1] |= CAIRN_QP_RSP_FLAGS_ERR;
	}
	for (uint32_t q = 10; q < 60; q++)
		hw_report(CAIRN_DEV_EVENT_QP_ERROR, q);
	hw_report(CAIRN_DEV_EVENT_DB_BAD, 0x30005);
	hw_report(CAIRN_DEV_EVENT_QP_ERROR, 0xffffff);
	hw_run(5000000);
	assert_int_equal(hw.n_reports, 0);
	for (uint32_t q = 10; q < 60; q++)
		assert_int_equal(cfg_state(q), S(ERR));
}

/* Commands on one QP at once are not for a driver to send; they take their turns nevertheless. */
static void same_qp_at_once(void **state)
{
	struct cairn_qp_attr a = { .state = S(RESET) };
	struct cairn_qp_create rc = qp_create_attr(CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct hw_cmd c[3] = {
			{ .op = CAIRN_CMD_OP_MODIFY_QP,
			  .number = Q,
			  .in = &a,
			  .in_bytes = sizeof(a),
			  .arg = { M(STATE) } },
			{ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q },
			{ .op = CAIRN_CMD_OP_CREATE_QP,
			  .number = Q,
			  .in = &rc,
			  .in_bytes = sizeof(rc) },
		};

		make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
		for (int k = 0; k < (i % 2 ? 3 : 2); k++) {
			hw_post(&c[k]);
			hw_ring();
			hw_run(200 * rng_below(&hw.rng, 20));
		}
		hw_wait();
		for (int p = 0; p < 4; p++)
			assert_int_equal(hw.qp[Q][p][0], hw.qp[Q][0][0]);
		if (c[1].status == CAIRN_CMD_STATUS_OK && !(i % 2))
			assert_int_equal(hw.qp[Q][0][0], 0);
		if (i % 2 && c[2].status == CAIRN_CMD_STATUS_OK)
			assert_int_equal(cfg_state(Q), S(RESET));
		if (hw.qp[Q][0][0])
			hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }),
				  OK);
	}
}

/* A QP that goes away while MODIFY_QP waits for its peer's MAC: the attributes are not the next
 * one's. */
static void gone_while_resolving(void **state)
{
	static const uint8_t reply[42] = { 2,  0, 0, 0,	 0x0a, 1, 2, 0, 0,    0, 0,  0x99, 8, 6,
					   0,  1, 8, 0,	 6,    4, 0, 2, 2,    0, 0,  0,	   0, 0x99,
					   10, 0, 0, 99, 2,    0, 0, 0, 0x0a, 1, 10, 0,	   0, 1 };
	struct cairn_qp_create rc = qp_create_attr(CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	struct cairn_qp_attr a = good_attr();
	struct hw_cmd c[3] = {
		{ .op = CAIRN_CMD_OP_MODIFY_QP,
		  .number = Q,
		  .in = &a,
		  .in_bytes = sizeof(a),
		  .arg = { M(STATE) | needed(CAIRN_QP_TYPE_RC, S(RTR)) } },
		{ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q },
		{ .op = CAIRN_CMD_OP_CREATE_QP, .number = Q, .in = &rc, .in_bytes = sizeof(rc) },
	};

	(void)state;
	a.state = S(RTR);
	a.dmac = 0;
	make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	move_to(Q, CAIRN_QP_TYPE_RC, S(INIT));
	for (int i = 0; i < 3; i++) {
		hw_post(&c[i]);
		hw_ring();
		hw_run(100000);
	}
	assert_int_equal(cfg_state(Q), S(INIT));
	hw_receive(reply, sizeof(reply));
	hw_wait();
	for (int i = 0; i < 3; i++)
		assert_int_equal(c[i].status, i == 2 ? c[2].status : CAIRN_CMD_STATUS_OK);
	if (hw.qp[Q][0][0])
		assert_int_equal(cfg_state(Q), S(RESET));
}

/* ---- SQE ---- */

/* The walker flushes up to the doorbell index when it is kicked; until then it holds old state. */
static unsigned int flush_after;

static void flush_on_fence(void)
{
	if (flush_after && --flush_after)
		return;
	((struct cairn_qp_cmp *)hw.qp[Q][CMP])->oldest = hw.db[CAIRN_DB_TABLE_SQ][Q].index;
}

static void back_to_rts(void)
{
	struct cairn_qp_attr a = { .state = S(RTS), .cur_state = S(SQE) };
	struct hw_cmd c;

	assert_int_equal(modify(Q, &a, M(STATE) | M(CUR_STATE), &c), CAIRN_CMD_STATUS_OK);
}

/* On the way to RTS every PSN of requester and completer begins at sq_psn; the last go-back, of
 * which there was none, lies before. */
static void first_psns(void **state)
{
	static const uint32_t psns[] = { 0x654321, 0, 0xffffff };
	struct cairn_qp_req *req = (void *)hw.qp[Q][REQ];
	struct cairn_qp_cmp *cmp = (void *)hw.qp[Q][CMP];

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct cairn_qp_attr a = good_attr();
		struct hw_cmd c;

		make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		move_to(Q, CAIRN_QP_TYPE_RC, S(RTR));
		a.state = S(RTS);
		a.sq_psn = psns[i];
		assert_int_equal(modify(Q, &a, M(STATE) | needed(CAIRN_QP_TYPE_RC, S(RTS)), &c),
				 CAIRN_CMD_STATUS_OK);
		assert_int_equal(req->psn & 0xffffff, psns[i]);
		assert_int_equal(req->hi_psn & 0xffffff, psns[i]);
		assert_int_equal(req->msg_psn & 0xffffff, psns[i]);
		assert_int_equal(req->recover & 0xffffff, psns[i]);
		assert_int_equal(cmp->una & 0xffffff, psns[i]);
		assert_int_equal(cmp->gb, (psns[i] - 1) & 0xffffff);
		assert_int_equal(cmp->old_psn & 0xffffff, psns[i]);
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
}

static void sqe_to_rts(void **state)
{
	struct cairn_qp_req *req = (void *)hw.qp[Q][REQ];
	struct cairn_qp_cmp *cmp = (void *)hw.qp[Q][CMP];

	(void)state;
	for (unsigned int type = CAIRN_QP_TYPE_UC; type <= CAIRN_QP_TYPE_UD; type++) {
		make_qp(Q, type, CAIRN_NO_NUMBER);
		move_to(Q, type, S(SQE));
		assert_int_equal(cfg_state(Q), S(SQE));
		hw.db[CAIRN_DB_TABLE_SQ][Q].index = 0xfff8;
		req->hi_psn = 0x222222;
		req->flags |= CAIRN_QP_REQ_FLAGS_IN_MSG | 5 << 16 | 2 << 8;
		req->index = 0x1234;
		req->msg_offset = 77;
		cmp->rflags |= CAIRN_QP_CMP_RFLAGS_FLUSHING;
		flush_after = 3;
		hw.on_fence = flush_on_fence;
		back_to_rts();
		hw.on_fence = NULL;
		assert_int_equal(cfg_state(Q), S(RTS));
		assert_false(hw.db[CAIRN_DB_TABLE_SQ][Q].error);
		assert_int_equal(hw.db[CAIRN_DB_TABLE_SQ][Q].index, 0xfff8);
		assert_int_equal(req->flags & 0x10ffff01, 0);
		assert_int_equal(req->index, 0xfff8fff8);
		assert_int_equal(req->psn & 0xffffff, 0x222222);
		assert_int_equal(req->msg_psn & 0xffffff, 0x222222);
		assert_int_equal(req->msg_offset, 0);
		assert_int_equal(cmp->old_psn & 0xffffff, 0x222222);
		assert_int_equal(cmp->una & 0xffffff, 0x222222);
		assert_int_equal(cmp->oldest & 0xffff, 0xfff8);
		assert_false(cmp->rflags & CAIRN_QP_CMP_RFLAGS_FLUSHING);
		assert_int_equal(req->flags >> 24 & 15, 6); /* the ring is as it was */
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
}

/* A visit of the walker that had begun writes its old copy back once. */
static unsigned int writes_back;

static void write_back_on_fence(void)
{
	struct cairn_qp_cmp *cmp = (void *)hw.qp[Q][CMP];

	if (writes_back && !(cmp->rflags & CAIRN_QP_CMP_RFLAGS_FLUSHING)) {
		cmp->rflags |= CAIRN_QP_CMP_RFLAGS_FLUSHING;
		writes_back--;
	}
}

static void sqe_walker_at_work(void **state)
{
	struct cairn_qp_cmp *cmp = (void *)hw.qp[Q][CMP];

	(void)state;
	make_qp(Q, CAIRN_QP_TYPE_UD, CAIRN_NO_NUMBER);
	move_to(Q, CAIRN_QP_TYPE_UD, S(SQE));
	cmp->rflags |= CAIRN_QP_CMP_RFLAGS_FLUSHING;
	writes_back = 2;
	hw.on_fence = write_back_on_fence;
	back_to_rts();
	hw.on_fence = NULL;
	assert_int_equal(writes_back, 0);
	assert_false(cmp->rflags & CAIRN_QP_CMP_RFLAGS_FLUSHING);
}

/* A visit of the requester that had begun meets a local error once more. */
static void fail_on_fence(void)
{
	struct cairn_qp_req *req = (void *)hw.qp[Q][REQ];

	if (writes_back && !(req->flags & CAIRN_QP_REQ_FLAGS_ERR)) {
		req->flags |= CAIRN_QP_REQ_FLAGS_ERR;
		writes_back--;
	}
}

static void sqe_requester_at_work(void **state)
{
	struct cairn_qp_req *req = (void *)hw.qp[Q][REQ];

	(void)state;
	make_qp(Q, CAIRN_QP_TYPE_UD, CAIRN_NO_NUMBER);
	move_to(Q, CAIRN_QP_TYPE_UD, S(SQE));
	req->flags |= CAIRN_QP_REQ_FLAGS_ERR;
	writes_back = 2;
	hw.on_fence = fail_on_fence;
	back_to_rts();
	hw.on_fence = NULL;
	assert_int_equal(writes_back, 0);
	assert_int_equal(cfg_state(Q), S(RTS));
	assert_false(req->flags & CAIRN_QP_REQ_FLAGS_ERR);
}

static void sqe_flush_never_ends(void **state)
{
	struct cairn_qp_attr a = { .state = S(RTS) };
	struct hw_cmd c;

	(void)state;
	make_qp(Q, CAIRN_QP_TYPE_UD, CAIRN_NO_NUMBER);
	move_to(Q, CAIRN_QP_TYPE_UD, S(SQE));
	hw.db[CAIRN_DB_TABLE_SQ][Q].index = 5;
	assert_int_equal(modify(Q, &a, M(STATE), &c), CAIRN_CMD_STATUS_TIMEOUT);
	assert_int_equal(cfg_state(Q), S(SQE));
}

/* ---- SRQ slots and the last WQE ---- */

static void hold_slot(uint32_t slot)
{
	struct cairn_qp_rsp *rsp = (void *)hw.qp[Q][RSP];

	rsp->flags |= CAIRN_QP_RSP_FLAGS_RQE_TAKEN | CAIRN_QP_RSP_FLAGS_SRQ_HELD;
	CAIRN_SET(rsp->rq, CAIRN_QP_RSP_RQ_SRQ_SLOT, slot);
}

static void held_slots(void **state)
{
	struct cairn_qp_attr a = { .state = S(RESET) };
	struct hw_cmd c, destroy = { .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q };

	(void)state;
	for (int srq = 0; srq < 2; srq++) {
		for (int held = 0; held < 2; held++) {
			uint32_t want = srq && held ? 0x2a : CAIRN_NO_NUMBER;

			make_qp(Q, CAIRN_QP_TYPE_RC, srq ? 3 : CAIRN_NO_NUMBER);
			move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
			if (held)
				hold_slot(0x2a);
			hw_expect(&destroy, OK);
			assert_int_equal(destroy.value0, want);
			make_qp(Q, CAIRN_QP_TYPE_RC, srq ? 3 : CAIRN_NO_NUMBER);
			move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
			if (held)
				hold_slot(0x2a);
			assert_int_equal(modify(Q, &a, M(STATE), &c), CAIRN_CMD_STATUS_OK);
			assert_int_equal(c.value0, want);
			assert_int_equal(!!(hw.qp[Q][CFG][1] & CAIRN_QP_CFG_STATE_USE_SRQ), srq);
			assert_int_equal(hw.qp[Q][RSP][14], srq ? 3 : CAIRN_NO_NUMBER);
			hw_expect(&destroy, OK);
			assert_int_equal(destroy.value0, CAIRN_NO_NUMBER);
		}
	}
}

static void release_on_fence(void)
{
	if (flush_after && !--flush_after)
		hw.qp[Q][RSP][1] &= ~(uint32_t)CAIRN_QP_RSP_FLAGS_RQE_TAKEN;
	if (flush_after)
		assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_LAST_WQE_REACHED, Q), 0);
}

static void last_wqe(void **state)
{
	struct hw_cmd c;
	struct cairn_qp_attr a = { .state = S(ERR) };

	(void)state;
	for (int by_engine = 0; by_engine < 2; by_engine++) {
		hw.n_events = 0;
		make_qp(Q, CAIRN_QP_TYPE_RC, 3);
		move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
		hold_slot(5);
		flush_after = 1;
		hw.on_fence = release_on_fence;
		if (by_engine) {
			hw.qp[Q][RSP][1] |= CAIRN_QP_RSP_FLAGS_ERR;
			report(Q);
		} else {
			step(Q, CAIRN_QP_TYPE_RC, S(ERR));
		}
		hw_run(1000000);
		hw.on_fence = NULL;
		assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_LAST_WQE_REACHED, Q), 1);
		/* once, whatever comes again */
		report(Q);
		assert_int_equal(modify(Q, &a, M(STATE), &c), CAIRN_CMD_STATUS_OK);
		hw_run(1000000);
		assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_LAST_WQE_REACHED, Q), 1);
		/* again after RESET */
		step(Q, CAIRN_QP_TYPE_RC, S(RESET));
		move_to(Q, CAIRN_QP_TYPE_RC, S(ERR));
		hw_run(1000000);
		assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_LAST_WQE_REACHED, Q), 2);
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
	make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	hw.n_events = 0;
	move_to(Q, CAIRN_QP_TYPE_RC, S(ERR));
	hw_run(1000000);
	assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_LAST_WQE_REACHED, Q), 0);
}

/* A message that was on its way into the QP takes a slot after the first kick, and kicks nobody. */
static void taken_late(void)
{
	static unsigned int kicks;

	if (flush_after && !--flush_after) {
		hold_slot(5);
		kicks = hw.kicks[CAIRN_KICK_RSP];
	} else if (hw.kicks[CAIRN_KICK_RSP] != kicks) {
		hw.qp[Q][RSP][1] &= ~(uint32_t)CAIRN_QP_RSP_FLAGS_RQE_TAKEN;
	}
}

static void last_wqe_taken_late(void **state)
{
	uint64_t began;

	(void)state;
	make_qp(Q, CAIRN_QP_TYPE_RC, 3);
	move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
	flush_after = 1;
	hw.on_fence = taken_late;
	began = hw.now;
	hw.qp[Q][RSP][1] |= CAIRN_QP_RSP_FLAGS_ERR;
	report(Q);
	while (!hw_count_events(CAIRN_EQE_TYPE_LAST_WQE_REACHED, Q)) {
		assert_true(hw.now - began < 500000000);
		hw_run(1000);
		taken_late(); /* the device needs no fence for it */
	}
	assert_false(hw.qp[Q][RSP][1] & CAIRN_QP_RSP_FLAGS_RQE_TAKEN);
	hw.on_fence = NULL;
}

/* ---- an overflowing CQ takes its QPs along ---- */

static void cq_overflow(void **state)
{
	struct cairn_qp_create a = qp_create_attr(CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	struct hw_cmd c;

	(void)state;
	make_cq(4);
	for (uint32_t q = 30; q < 42; q++) {
		a.type = q % 2 ? CAIRN_QP_TYPE_UD : CAIRN_QP_TYPE_RC;
		a.sq_cqn = q % 3 ? 1 : 4;
		a.rq_cqn = q % 4 ? 2 : 4;
		assert_int_equal(create(q, &a, &c), CAIRN_CMD_STATUS_OK);
		if (q < 40)
			move_to(q, a.type, q < 38 ? S(RTS) : S(INIT));
	}
	hw_report(CAIRN_DEV_EVENT_CQ_ERROR, 4);
	hw_run(5000000);
	for (uint32_t q = 30; q < 42; q++) {
		bool hit = (q % 3 == 0 || q % 4 == 0) && q < 40;
		uint32_t was = q < 38 ? S(RTS) : q < 40 ? S(INIT) : S(RESET);

		assert_int_equal(cfg_state(q), hit ? S(ERR) : was);
		assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_QP_FATAL, q), hit);
		assert_int_equal(hw.db[CAIRN_DB_TABLE_SQ][q].error, hit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FW_TEST(engine_errors),
		FW_TEST(late_reports),
		FW_TEST(many_reports),
		FW_TEST(same_qp_at_once),
		FW_TEST(gone_while_resolving),
		FW_TEST(first_psns),
		FW_TEST(sqe_to_rts),
		FW_TEST(sqe_walker_at_work),
		FW_TEST(sqe_requester_at_work),
		FW_TEST(sqe_flush_never_ends),
		FW_TEST(held_slots),
		FW_TEST(last_wqe),
		FW_TEST(last_wqe_taken_late),
		FW_TEST(cq_overflow),
	};

	return cmocka_run_group_tests_name("fw_qp", tests, NULL, NULL);
}
