// SPDX-License-Identifier: Apache-2.0
/*
 * CREATE_QP in firmware: what it writes, what it refuses, generations (docs/commands.md 9).
 */
#include "fw_objects.h"

#define CFG CAIRN_QP_PART_CFG
#define RSP CAIRN_QP_PART_RSP
#define Q 20u

static uint32_t create(uint32_t qpn, const struct cairn_qp_create *a, struct hw_cmd *c)
{
	*c = (struct hw_cmd){
		.op = CAIRN_CMD_OP_CREATE_QP, .number = qpn, .in = a, .in_bytes = sizeof(*a)
	};
	return hw_do(c);
}

static void create_writes(void **state)
{
	const struct cairn_qp_cfg *cfg = (void *)hw.qp[Q][CFG];
	const struct cairn_qp_rsp *rsp = (void *)hw.qp[Q][RSP];

	(void)state;
	for (unsigned int type = CAIRN_QP_TYPE_RC; type <= CAIRN_QP_TYPE_UD; type++) {
		bool srq = type != CAIRN_QP_TYPE_UC;

		make_qp(Q, type, srq ? 3 : CAIRN_NO_NUMBER);
		assert_int_equal(CAIRN_GET(cfg->state, CAIRN_QP_CFG_STATE_TYPE), type);
		assert_int_equal(CAIRN_GET(cfg->state, CAIRN_QP_CFG_STATE_PMTU),
				 type == CAIRN_QP_TYPE_UD ? 5 : 1);
		assert_int_equal(!!(cfg->state & CAIRN_QP_CFG_STATE_USE_SRQ), srq);
		assert_int_equal(rsp->srqn, srq ? 3 : CAIRN_NO_NUMBER);
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
		assert_int_equal(hw.qp[Q][CFG][0], 0);
	}
	make_qp(1, CAIRN_QP_TYPE_GSI, CAIRN_NO_NUMBER);
	assert_false(hw.qp[1][CFG][1] & CAIRN_QP_CFG_STATE_USE_SRQ);
}

static const struct {
	size_t at;
	uint32_t value;
	bool srq;
	enum cairn_cmd_status status;
} refusals[] = {
	{ offsetof(struct cairn_qp_create, type), 4, false, CAIRN_CMD_STATUS_NOT_SUPPORTED },
	{ offsetof(struct cairn_qp_create, pd), 65536, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, sq_cqn), 3, false, CAIRN_CMD_STATUS_BAD_INDEX },
	{ offsetof(struct cairn_qp_create, sq_cqn), 0x1000001, false, CAIRN_CMD_STATUS_BAD_INDEX },
	{ offsetof(struct cairn_qp_create, rq_cqn), 128, false, CAIRN_CMD_STATUS_BAD_INDEX },
	{ offsetof(struct cairn_qp_create, srqn), 2, true, CAIRN_CMD_STATUS_BAD_INDEX },
	{ offsetof(struct cairn_qp_create, srqn), 16, true, CAIRN_CMD_STATUS_BAD_INDEX },
	{ offsetof(struct cairn_qp_create, sq_log2), 1, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, sq_log2), 16, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, rq_log2), 16, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, rq_log2), 1, true, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, rq_stride), 0, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, rq_stride), 17, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, rq_stride), 1, true, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, rq_base), 64, true, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, rq_base), 8, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, sq_base), 32, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, sq_base), 0, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, db_page), 256, false, CAIRN_CMD_STATUS_BAD_PARAM },
	{ offsetof(struct cairn_qp_create, async_eqn), 2, false, CAIRN_CMD_STATUS_BAD_INDEX },
	{ offsetof(struct cairn_qp_create, async_eqn), 32, false, CAIRN_CMD_STATUS_BAD_INDEX },
};

static void create_refusals(void **state)
{
	const struct cairn_qp_create rc = qp_create_attr(CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	const struct cairn_qp_create srq = qp_create_attr(CAIRN_QP_TYPE_RC, 3);
	uint64_t before = hw_state_hash();
	struct cairn_qp_create a;
	struct hw_cmd c;

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		a = refusals[i].srq ? srq : rc;
		memcpy((uint8_t *)&a + refusals[i].at, &refusals[i].value, 4);
		if (create(Q, &a, &c) != refusals[i].status ||
		    c.detail != CAIRN_CMD_DETAIL_BUFFER + refusals[i].at / 4)
			hw_fail("case %zu: status %u, detail %u", i, c.status, c.detail);
	}
	a = srq;
	a.pd = PD + 1;
	assert_int_equal(create(Q, &a, &c), CAIRN_CMD_STATUS_BAD_INDEX);
	a = srq;
	a.type = CAIRN_QP_TYPE_GSI;
	assert_int_equal(create(1, &a, &c), CAIRN_CMD_STATUS_BAD_PARAM);
	a.type = CAIRN_QP_TYPE_UC;
	assert_int_equal(create(Q, &a, &c), CAIRN_CMD_STATUS_BAD_PARAM);
	assert_int_equal(c.detail, CAIRN_CMD_DETAIL_BUFFER +
					   offsetof(struct cairn_qp_create, srqn) / 4);
	assert_int_equal(create(0, &rc, &c), CAIRN_CMD_STATUS_BAD_INDEX);
	assert_int_equal(create(1, &rc, &c), CAIRN_CMD_STATUS_BAD_INDEX);
	assert_int_equal(create(HW_QPS, &rc, &c), CAIRN_CMD_STATUS_BAD_INDEX);
	assert_int_equal(hw_state_hash(), before);
	make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	assert_int_equal(create(Q, &rc, &c), CAIRN_CMD_STATUS_EXISTS);
}

/* Without a receive ring, its own or at all, there is nothing that its doorbell could mean. */
static void no_receive_doorbell(void **state)
{
	struct cairn_qp_create a = qp_create_attr(CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	struct hw_cmd c;

	(void)state;
	for (unsigned int i = 0; i < 3; i++) { /* a ring, none, an SRQ */
		struct cairn_qp_attr reset = { .state = CAIRN_QP_STATE_RESET };

		if (i == 1)
			a.rq_log2 = a.rq_stride = a.rq_base = 0;
		if (i == 2)
			a.srqn = 3;
		assert_int_equal(create(Q, &a, &c), CAIRN_CMD_STATUS_OK);
		assert_true(hw.db[CAIRN_DB_TABLE_SQ][Q].valid);
		assert_int_equal(hw.db[CAIRN_DB_TABLE_RQ][Q].valid, i == 0);
		step(Q, CAIRN_QP_TYPE_RC, S(INIT));
		assert_int_equal(modify(Q, &reset, M(STATE), &c), CAIRN_CMD_STATUS_OK);
		assert_int_equal(hw.db[CAIRN_DB_TABLE_RQ][Q].valid, i == 0);
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
}

/* What was rung of a QP in RESET is gone with the next RESET. */
static void reset_of_reset(void **state)
{
	struct cairn_qp_attr reset = { .state = CAIRN_QP_STATE_RESET };
	struct hw_cmd c;

	(void)state;
	make_qp(Q, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	for (unsigned int i = 0; i < 2; i++) {
		hw.db[CAIRN_DB_TABLE_SQ][Q].index = 3;
		hw.db[CAIRN_DB_TABLE_RQ][Q].index = 60000;
		assert_int_equal(modify(Q, &reset, M(STATE), &c), CAIRN_CMD_STATUS_OK);
		assert_int_equal(c.value0, CAIRN_NO_NUMBER);
		assert_int_equal(cfg_state(Q), S(RESET));
		assert_true(hw.db[CAIRN_DB_TABLE_SQ][Q].valid && hw.db[CAIRN_DB_TABLE_RQ][Q].valid);
		assert_int_equal(hw.db[CAIRN_DB_TABLE_SQ][Q].index, 0);
		assert_int_equal(hw.db[CAIRN_DB_TABLE_RQ][Q].index, 0);
	}
	move_to(Q, CAIRN_QP_TYPE_RC, S(RTS));
}

/* Every type is refused by a build that has not its feature. */
static void create_features(void **state)
{
	static const uint32_t need[] = { CAIRN_REG_FEATURES_RC, CAIRN_REG_FEATURES_UC,
					 CAIRN_REG_FEATURES_UD, CAIRN_REG_FEATURES_UD };
	struct hw_cmd c;

	(void)state;
	for (unsigned int type = 0; type < 4; type++) {
		struct cairn_qp_create a = qp_create_attr(type, CAIRN_NO_NUMBER);

		hw_boot(HW_ALL & ~need[type]);
		hw_open();
		make_cq(1);
		make_cq(2);
		assert_int_equal(create(type == 3 ? 1 : Q, &a, &c), CAIRN_CMD_STATUS_NOT_SUPPORTED);
	}
}

static void generation_changes(void **state)
{
	uint32_t last = 256;

	(void)state;
	for (int i = 0; i < 600; i++) {
		struct cairn_qp_create a = qp_create_attr(CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
		struct hw_cmd c;

		assert_int_equal(create(Q, &a, &c), CAIRN_CMD_STATUS_OK);
		assert_int_not_equal(c.value0, last);
		assert_in_range(c.value0, 1, 255); /* a tag of 0 would be a free record */
		last = c.value0;
		if (i & 1) {
			move_to(Q, CAIRN_QP_TYPE_RC, S(INIT));
			step(Q, CAIRN_QP_TYPE_RC, S(RESET));
			assert_int_not_equal(hw.qp[Q][CFG][0] >> 24, last);
			last = hw.qp[Q][CFG][0] >> 24;
			for (int p = 1; p < 4; p++)
				assert_int_equal(hw.qp[Q][p][0], hw.qp[Q][CFG][0]);
		}
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = Q }), OK);
	}
}

/* ---- errors that engines report ---- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		FW_TEST(create_writes),
		FW_TEST(create_refusals),
		FW_TEST(no_receive_doorbell),
		FW_TEST(reset_of_reset),
		FW_TEST(create_features),
		FW_TEST(generation_changes),
	};

	return cmocka_run_group_tests_name("fw_create", tests, NULL, NULL);
}
