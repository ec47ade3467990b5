// SPDX-License-Identifier: Apache-2.0
/*
 * MODIFY_QP: every type, from every state to every state, with every attribute too many or missing,
 * against a table of its own (IBTA 11.2.5.2 as Linux's qp_state_table has it, and docs/commands.md
 * 9 where Cairn differs: no alternate path, LANE, CUR_STATE with RESET and ERR).  What is refused
 * changes nothing; every value is tried at its limit and past it.
 */
#include "fw_objects.h"

#define CFG CAIRN_QP_PART_CFG
#define Q(type) ((type) == CAIRN_QP_TYPE_GSI ? 1u : 20u)
#define NO ~0u

struct rule {
	uint8_t from, to;
	uint32_t required[4], optional[4]; /* RC, UC, UD, GSI; required NO: no such way */
};

#define CON (M(PKEY_INDEX) | M(PORT) | M(ACCESS))
#define DGM (M(PKEY_INDEX) | M(PORT) | M(QKEY))
#define GSI (M(PKEY_INDEX) | M(QKEY))
#define ALL4(x)            \
	{                  \
		x, x, x, x \
	}
#define RTS_OPT                                                                        \
	{                                                                              \
		M(CUR_STATE) | M(ACCESS) | M(MIN_RNR_TIMER), M(CUR_STATE) | M(ACCESS), \
			M(CUR_STATE) | M(QKEY), M(CUR_STATE) | M(QKEY)                 \
	}

static const struct rule rules[] = {
	{ S(RESET), S(INIT), { CON, CON, DGM, GSI }, { 0, 0, 0, M(PORT) } },
	{ S(INIT), S(INIT), ALL4(0), { CON, CON, DGM, DGM } },
	{ S(INIT),
	  S(RTR),
	  { M(AV) | M(PATH_MTU) | M(DEST_QPN) | M(RQ_PSN) | M(MAX_DEST_RD_ATOMIC) |
		    M(MIN_RNR_TIMER),
	    M(AV) | M(PATH_MTU) | M(DEST_QPN) | M(RQ_PSN), 0, 0 },
	  { M(ACCESS) | M(PKEY_INDEX), M(ACCESS) | M(PKEY_INDEX), GSI, GSI } },
	{ S(RTR),
	  S(RTS),
	  { M(TIMEOUT) | M(RETRY_CNT) | M(RNR_RETRY) | M(SQ_PSN) | M(MAX_RD_ATOMIC), M(SQ_PSN),
	    M(SQ_PSN), M(SQ_PSN) },
	  RTS_OPT },
	{ S(RTS), S(RTS), ALL4(0), RTS_OPT },
	{ S(SQD), S(RTS), ALL4(0), RTS_OPT },
	{ S(SQE), S(RTS), { NO, 0, 0, 0 }, RTS_OPT },
	{ S(RTS), S(SQD), ALL4(0), ALL4(M(CUR_STATE) | M(EN_SQD_NOTIFY)) },
	{ S(SQD),
	  S(SQD),
	  ALL4(0),
	  { M(PORT) | M(AV) | M(TIMEOUT) | M(RETRY_CNT) | M(RNR_RETRY) | M(MAX_RD_ATOMIC) |
		    M(MAX_DEST_RD_ATOMIC) | M(PKEY_INDEX) | M(ACCESS) | M(MIN_RNR_TIMER),
	    M(PORT) | M(AV) | M(PKEY_INDEX) | M(ACCESS), GSI, GSI } },
};

/* Attributes that MODIFY_QP knows, and those it always refuses. */
#define NEVER (M(ALT_PATH) | M(PATH_MIG_STATE) | M(CAP) | M(RATE_LIMIT))
#define KNOWN                                                                                      \
	(M(CUR_STATE) | M(EN_SQD_NOTIFY) | M(ACCESS) | M(PKEY_INDEX) | M(PORT) | M(QKEY) | M(AV) | \
	 M(PATH_MTU) | M(TIMEOUT) | M(RETRY_CNT) | M(RNR_RETRY) | M(RQ_PSN) | M(MAX_RD_ATOMIC) |   \
	 M(MIN_RNR_TIMER) | M(SQ_PSN) | M(MAX_DEST_RD_ATOMIC) | M(DEST_QPN) | M(LANE))

static bool find(unsigned int type, uint32_t from, uint32_t to, uint32_t *required,
		 uint32_t *optional)
{
	*required = 0;
	*optional = M(CUR_STATE);
	if (to == S(RESET))
		return true;
	if (to == S(ERR))
		return from != S(RESET);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *r = &rules[i];

		if (r->from != from || r->to != to || r->required[type] == NO)
			continue;
		*required = r->required[type];
		*optional = r->optional[type] | M(LANE);
		return true;
	}
	return false;
}

/* The whole record in its state, to be put back before each try: that is quicker than commands. */
struct shot {
	uint32_t parts[4][16];
	uint8_t db[2][sizeof(hw.db[0][0])];
	uint32_t qpn, state;
	enum cairn_qp_type type;
};

static struct shot shoot(enum cairn_qp_type type, uint32_t from)
{
	struct shot s = { .qpn = Q(type), .state = from, .type = type };

	make_qp(s.qpn, type, CAIRN_NO_NUMBER);
	if (from != S(RESET))
		move_to(s.qpn, type, from);
	assert_int_equal(cfg_state(s.qpn), from);
	memcpy(s.parts, hw.qp[s.qpn], sizeof(s.parts));
	memcpy(s.db[0], &hw.db[CAIRN_DB_TABLE_SQ][s.qpn], sizeof(s.db[0]));
	memcpy(s.db[1], &hw.db[CAIRN_DB_TABLE_RQ][s.qpn], sizeof(s.db[1]));
	return s;
}

static void restore(const struct shot *s)
{
	memcpy(hw.qp[s->qpn], s->parts, sizeof(s->parts));
	memcpy(&hw.db[CAIRN_DB_TABLE_SQ][s->qpn], s->db[0], sizeof(s->db[0]));
	memcpy(&hw.db[CAIRN_DB_TABLE_RQ][s->qpn], s->db[1], sizeof(s->db[1]));
}

/* One mask: the status, the masks that come back, and that a refusal changed nothing. */
static void try_mask(const struct shot *s, uint32_t to, uint32_t mask)
{
	struct cairn_qp_attr a = good_attr();
	uint32_t required, optional, want = CAIRN_CMD_STATUS_OK;
	uint32_t goal = mask & M(STATE) ? to : s->state, given = mask & ~(uint32_t)M(STATE);
	bool way = find(s->type, s->state, goal, &required, &optional);
	struct hw_cmd c;

	a.state = to;
	a.cur_state = s->state;
	if (mask & NEVER)
		want = CAIRN_CMD_STATUS_NOT_SUPPORTED;
	else if (!way)
		want = CAIRN_CMD_STATUS_BAD_STATE;
	else if ((required & ~given) || (given & ~(required | optional)))
		want = CAIRN_CMD_STATUS_BAD_MASK;
	modify(s->qpn, &a, mask, &c);
	if (c.status != want)
		hw_fail("type %u, %u to %u, mask 0x%x: status %u, expected %u", s->type, s->state,
			to, mask, c.status, want);
	if (want == CAIRN_CMD_STATUS_BAD_MASK) {
		assert_int_equal(c.value0, required & ~given);
		assert_int_equal(c.value1, given & ~(required | optional));
	}
	if (want != CAIRN_CMD_STATUS_OK) {
		assert_memory_equal(hw.qp[s->qpn], s->parts, sizeof(s->parts));
		return;
	}
	assert_int_equal(cfg_state(s->qpn), goal);
	hw_run(3000);
	restore(s);
}

static void try_masks(const struct shot *s, uint32_t to)
{
	uint32_t required, optional;

	if (!find(s->type, s->state, to, &required, &optional))
		required = optional = 0;
	try_mask(s, to, M(STATE) | required);
	try_mask(s, to, M(STATE) | required | optional);
	for (unsigned int bit = 1; bit < 32; bit++) { /* each too many, each missing */
		try_mask(s, to, (M(STATE) | required) ^ 1u << bit);
		try_mask(s, to, (M(STATE) | required | optional) ^ 1u << bit);
		try_mask(s, to, 1u << bit); /* state as it is */
	}
	for (int i = 0; i < 60; i++) {
		uint32_t mask = (uint32_t)rng_u64(&hw.rng) & (uint32_t)rng_u64(&hw.rng) & KNOWN;

		try_mask(s, to, mask | (i & 1 ? M(STATE) | required : M(STATE)));
	}
}

static void all_ways(void **state)
{
	(void)state;
	for (unsigned int type = CAIRN_QP_TYPE_RC; type <= CAIRN_QP_TYPE_GSI; type++) {
		for (uint32_t from = S(RESET); from <= S(ERR); from++) {
			struct hw_cmd destroy = { .op = CAIRN_CMD_OP_DESTROY_QP,
						  .number = Q(type) };
			struct shot s;

			if (type == CAIRN_QP_TYPE_RC && from == S(SQE))
				continue; /* there is no way into it */
			s = shoot(type, from);
			for (uint32_t to = S(RESET); to <= S(ERR) + 1; to++)
				try_masks(&s, to);
			hw_expect(&destroy, OK);
		}
	}
}

/* CUR_STATE must be right. */
static void current_state(void **state)
{
	struct cairn_qp_attr a = good_attr();
	struct hw_cmd c;

	(void)state;
	make_qp(20, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	move_to(20, CAIRN_QP_TYPE_RC, S(RTS));
	a.state = S(SQD);
	for (a.cur_state = S(RESET); a.cur_state <= S(ERR) + 1; a.cur_state++) {
		if (a.cur_state == S(RTS))
			continue;
		assert_int_equal(modify(20, &a, M(STATE) | M(CUR_STATE), &c),
				 CAIRN_CMD_STATUS_BAD_STATE);
		assert_int_equal(cfg_state(20), S(RTS));
	}
}

#define AT(member) offsetof(struct cairn_qp_attr, member)

/* Each value at its limit and one past it. */
static const struct {
	size_t at;
	uint32_t bit, good, bad;
	bool wide; /* 64 bits: shifted left by 32 */
} values[] = {
	{ AT(path_mtu), M(PATH_MTU), 1, 0, false },
	{ AT(path_mtu), M(PATH_MTU), 5, 6, false },
	{ AT(dest_qpn), M(DEST_QPN), 0xffffff, 0x1000000, false },
	{ AT(rq_psn), M(RQ_PSN), 0xff123456, 0, false }, /* upper bits ignored */
	{ AT(min_rnr_timer), M(MIN_RNR_TIMER), 31, 32, false },
	{ AT(max_dest_rd_atomic), M(MAX_DEST_RD_ATOMIC), 16, 17, false },
	{ AT(pkey_index), M(PKEY_INDEX), 0, 1, false },
	{ AT(access), M(ACCESS), 15, 16, false },
	{ AT(lane), M(LANE), 0, 1, false },
	{ AT(sgid_index), M(AV), 1, 2, false },
	{ AT(sgid_index), M(AV), 1, 16, false },
	{ AT(sgid_index), M(AV), 1, 0, false }, /* the other family */
	{ AT(flow_label), M(AV), 0xfffff, 0x100000, false },
	{ AT(tclass), M(AV), 255, 256, false },
	{ AT(hop_limit), M(AV), 255, 256, false },
	{ AT(sl), M(AV), 7, 8, false },
	{ AT(sport), M(AV), 65535, 65536, false },
	{ AT(dmac), M(AV), 0xffff, 0x10000, true },
};

static void limits(void **state)
{
	uint32_t base = M(STATE) | needed(CAIRN_QP_TYPE_RC, S(RTR));
	struct hw_cmd c;
	struct shot s = shoot(CAIRN_QP_TYPE_RC, S(INIT));

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		for (int bad = 0; bad < 2; bad++) {
			struct cairn_qp_attr a = good_attr();
			uint32_t value = bad ? values[i].bad : values[i].good;

			a.state = S(RTR);
			memcpy((uint8_t *)&a + values[i].at + (values[i].wide ? 4 : 0), &value, 4);
			modify(20, &a, base | values[i].bit, &c);
			if (bad && values[i].bad &&
			    (c.status != CAIRN_CMD_STATUS_BAD_PARAM ||
			     c.detail < CAIRN_CMD_DETAIL_BUFFER))
				hw_fail("value %zu: status %u, detail %u", i, c.status, c.detail);
			if (!bad && c.status)
				hw_fail("value %zu: status %u, detail %u", i, c.status, c.detail);
			if (c.status)
				assert_memory_equal(hw.qp[20], s.parts, sizeof(s.parts));
			restore(&s);
		}
	}
}

static void limits_rts(void **state)
{
	static const struct {
		size_t at;
		uint32_t good, bad;
	} v[] = { { AT(timeout), 31, 32 }, { AT(retry_cnt), 7, 8 }, { AT(rnr_retry), 7, 8 } };
	uint32_t mask = M(STATE) | needed(CAIRN_QP_TYPE_RC, S(RTS));
	struct shot s = shoot(CAIRN_QP_TYPE_RC, S(RTR));
	struct cairn_qp_attr a;
	struct hw_cmd c;

	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		a = good_attr();
		a.state = S(RTS);
		memcpy((uint8_t *)&a + v[i].at, &v[i].bad, 4);
		assert_int_equal(modify(20, &a, mask, &c), CAIRN_CMD_STATUS_BAD_PARAM);
		assert_int_equal(c.detail, CAIRN_CMD_DETAIL_BUFFER + v[i].at / 4);
		assert_memory_equal(hw.qp[20], s.parts, sizeof(s.parts));
		memcpy((uint8_t *)&a + v[i].at, &v[i].good, 4);
		assert_int_equal(modify(20, &a, mask, &c), CAIRN_CMD_STATUS_OK);
		restore(&s);
	}
}

/* REMOTE_ATOMIC needs the feature; other reserved access bits are never taken. */
static void access_bits(void **state)
{
	struct cairn_qp_attr a = good_attr();
	struct hw_cmd c;

	(void)state;
	hw_boot(HW_ALL & ~CAIRN_REG_FEATURES_ATOMIC);
	hw_open();
	make_cq(1);
	make_cq(2);
	make_qp(20, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	a.state = S(INIT);
	a.access = CAIRN_ACCESS_REMOTE_ATOMIC;
	assert_int_equal(modify(20, &a, M(STATE) | needed(0, S(INIT)), &c),
			 CAIRN_CMD_STATUS_NOT_SUPPORTED);
	a.access = CAIRN_ACCESS_LOCAL_WRITE;
	assert_int_equal(modify(20, &a, M(STATE) | needed(0, S(INIT)), &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(query(20, &c).access, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { FW_TEST(all_ways), FW_TEST(current_state),
					    FW_TEST(limits), FW_TEST(limits_rts),
					    FW_TEST(access_bits) };

	return cmocka_run_group_tests_name("fw_states", tests, NULL, NULL);
}
