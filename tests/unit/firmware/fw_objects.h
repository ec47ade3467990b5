/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that the tests of firmware make by command. */
#ifndef CAIRN_TEST_FW_OBJECTS_H
#define CAIRN_TEST_FW_OBJECTS_H

#include "fw_hw.h"

#define PD 7u

static inline void make_cq(uint32_t cqn)
{
	struct cairn_cq_create a = { .base = 0x1000000 + cqn * 0x10000ull,
				     .ci_iova = 0x800000 + 64 * cqn,
				     .log2 = 8,
				     .eqn = 1 };
	struct hw_cmd c = { .op = CAIRN_CMD_OP_CREATE_CQ, .number = cqn, .in = &a, .in_bytes = 64 };

	hw_expect(&c, OK);
}

static inline void make_srq(uint32_t srqn)
{
	struct hw_cmd c = { .op = CAIRN_CMD_OP_CREATE_SRQ,
			    .number = srqn,
			    .arg = { 0x100000, 0x200000, 6, 2, PD, 3 } };

	hw_expect(&c, OK);
}

static inline struct cairn_qp_create qp_create_attr(enum cairn_qp_type type, uint32_t srqn)
{
	struct cairn_qp_create a = { .type = type,
				     .pd = PD,
				     .sq_cqn = 1,
				     .rq_cqn = 2,
				     .srqn = srqn,
				     .sq_log2 = 6,
				     .sq_base = 0x40000,
				     .db_page = 3 };

	if (srqn == CAIRN_NO_NUMBER) {
		a.rq_log2 = 5;
		a.rq_stride = 2;
		a.rq_base = 0x50000;
	}
	return a;
}

static inline void make_qp(uint32_t qpn, enum cairn_qp_type type, uint32_t srqn)
{
	struct cairn_qp_create a = qp_create_attr(type, srqn);
	struct hw_cmd c = { .op = CAIRN_CMD_OP_CREATE_QP, .number = qpn, .in = &a, .in_bytes = 64 };

	hw_expect(&c, OK);
}

/* ::ffff:10.0.0.last at GID index */
static inline void make_gid4(unsigned int index, uint8_t last, uint32_t vlan)
{
	uint8_t gid[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = last };
	struct hw_cmd c = { .op = CAIRN_CMD_OP_SET_GID,
			    .flags = CAIRN_GID_FLAG_VALID,
			    .number = index,
			    .arg = { 0, 0, vlan } };

	memcpy(c.arg, gid, 16);
	hw_expect(&c, OK);
}

static inline void make_gid6(unsigned int index, const uint8_t gid[16], uint32_t vlan)
{
	struct hw_cmd c = { .op = CAIRN_CMD_OP_SET_GID,
			    .flags = CAIRN_GID_FLAG_VALID,
			    .number = index,
			    .arg = { 0, 0, vlan } };

	memcpy(c.arg, gid, 16);
	hw_expect(&c, OK);
}

/* Attributes that every transition accepts; of an IPv4 peer whose MAC is known. */
static inline struct cairn_qp_attr good_attr(void)
{
	struct cairn_qp_attr a = {
		.path_mtu = 3,
		.qkey = 0x11111111,
		.rq_psn = 0x123456,
		.sq_psn = 0x654321,
		.dest_qpn = 0x77,
		.access = 7,
		.port = 1,
		.max_rd_atomic = 16,
		.max_dest_rd_atomic = 16,
		.min_rnr_timer = 12,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.dgid = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 99 },
		.sgid_index = 1,
		.dmac = 0x020000000099ull,
	};

	return a;
}

#define M(name) CAIRN_QP_MASK_##name
#define S(name) CAIRN_QP_STATE_##name

static inline uint32_t modify(uint32_t qpn, const struct cairn_qp_attr *a, uint32_t mask,
			      struct hw_cmd *c)
{
	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_MODIFY_QP,
			      .number = qpn,
			      .in = a,
			      .in_bytes = sizeof(*a),
			      .arg = { mask } };
	return hw_do(c);
}

/* What a step on the straight way needs: the masks of IBTA table 11.2.5.2. */
static inline uint32_t needed(enum cairn_qp_type type, enum cairn_qp_state to)
{
	static const uint32_t masks[4][3] = {
		{ M(PKEY_INDEX) | M(PORT) | M(ACCESS),
		  M(AV) | M(PATH_MTU) | M(DEST_QPN) | M(RQ_PSN) | M(MAX_DEST_RD_ATOMIC) |
			  M(MIN_RNR_TIMER),
		  M(TIMEOUT) | M(RETRY_CNT) | M(RNR_RETRY) | M(SQ_PSN) | M(MAX_RD_ATOMIC) },
		{ M(PKEY_INDEX) | M(PORT) | M(ACCESS),
		  M(AV) | M(PATH_MTU) | M(DEST_QPN) | M(RQ_PSN), M(SQ_PSN) },
		{ M(PKEY_INDEX) | M(PORT) | M(QKEY), 0, M(SQ_PSN) },
		{ M(PKEY_INDEX) | M(QKEY), 0, M(SQ_PSN) },
	};

	return to >= S(INIT) && to <= S(RTS) ? masks[type][to - 1] : 0;
}

static inline void step(uint32_t qpn, enum cairn_qp_type type, enum cairn_qp_state to)
{
	struct cairn_qp_attr a = good_attr();
	struct hw_cmd c;

	a.state = to;
	if (modify(qpn, &a, M(STATE) | needed(type, to), &c))
		hw_fail("QP %u of type %u to %u: status %u, detail %u", qpn, type, to, c.status,
			c.detail);
}

/* An engine has found an error of the QP. */
static inline void report(uint32_t qpn)
{
	hw_report(CAIRN_DEV_EVENT_QP_ERROR, qpn);
	hw_run(200000);
}

/* From RESET, step by step; to SQE by an error of the requester. */
static inline void move_to(uint32_t qpn, enum cairn_qp_type type, enum cairn_qp_state to)
{
	for (unsigned int s = S(INIT); s <= S(RTS) && s <= to; s++)
		step(qpn, type, s);
	if (to == S(SQD) || to == S(ERR))
		step(qpn, type, to);
	if (to == S(SQE)) {
		hw.qp[qpn][CAIRN_QP_PART_REQ][1] |= CAIRN_QP_REQ_FLAGS_ERR;
		report(qpn);
	}
}

static inline struct cairn_qp_attr query(uint32_t qpn, struct hw_cmd *c)
{
	struct cairn_qp_attr a;

	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_QUERY_QP, .number = qpn, .in_bytes = 128 };
	hw_expect(c, OK);
	memcpy(&a, c->out, sizeof(a));
	return a;
}

static inline uint32_t cfg_state(uint32_t qpn)
{
	return CAIRN_GET(hw.qp[qpn][CAIRN_QP_PART_CFG][1], CAIRN_QP_CFG_STATE);
}

/* Everything there: CQs 1 and 2, SRQ 3, GIDs 0 to 2. */
static inline int objects_setup(void **state)
{
	static const uint8_t ll[16] = { 0xfe, 0x80, [15] = 1 };

	(void)state;
	hw_boot(HW_ALL);
	hw_open();
	make_cq(1);
	make_cq(2);
	make_srq(3);
	make_gid6(0, ll, 0);
	make_gid4(1, 1, 0);
	hw_run(2000000);
	hw.n_tx = 0;
	return 0;
}

#define FW_TEST(name) cmocka_unit_test_setup(name, objects_setup)

#endif
