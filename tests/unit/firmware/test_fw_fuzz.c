// SPDX-License-Identifier: Apache-2.0
/*
 * Any command with anything in its fields, alone and several at once, between reports of the data
 * path: every one ends with a status that its page allows, one that fails alone changes nothing,
 * the device never stops, firmware reaches no memory but what it was given, and afterwards it all
 * still works.  checks 60.  FW_FUZZ=<commands>; SEED= repeats.
 */
#include "fw_objects.h"

#define QPNS 24u

/* What random QPs got by their creator: nothing else is live there. */
static uint64_t word(void)
{
	static const uint64_t edges[] = { 0,	 1,	2,	    3,		4,	    5,
					  15,	 16,	64,	    255,	256,	    4096,
					  65535, 65536, 0x80000000, 0xffffffff, 1ull << 32, ~0ull };
	uint64_t v = rng_u64(&hw.rng);

	switch (rng_below(&hw.rng, 4)) {
	case 0:
		return edges[rng_below(&hw.rng, sizeof(edges) / sizeof(edges[0]))];
	case 1:
		return v & 0xff;
	case 2:
		return v & ~63ull & 0xffffffff;
	default:
		return v >> rng_below(&hw.rng, 64);
	}
}

static uint32_t number(enum cairn_cmd_op op)
{
	if (rng_percent(&hw.rng, 8))
		return (uint32_t)word();
	if (op >= CAIRN_CMD_OP_REG_MR && op <= CAIRN_CMD_OP_DEALLOC_MW)
		return (1 + (uint32_t)rng_below(&hw.rng, 12)) << 8 | 0x5a;
	if (op >= CAIRN_CMD_OP_CREATE_QP && op <= CAIRN_CMD_OP_DESTROY_QP)
		return (uint32_t)rng_below(&hw.rng, QPNS);
	if (op >= CAIRN_CMD_OP_CREATE_EQ && op <= CAIRN_CMD_OP_DESTROY_EQ)
		return 2 + (uint32_t)rng_below(&hw.rng, 4);
	return (uint32_t)rng_below(&hw.rng, 8);
}

static void fill_qp(struct hw_cmd *c, struct cairn_qp_create *a)
{
	*a = qp_create_attr((uint32_t)rng_below(&hw.rng, 4),
			    rng_percent(&hw.rng, 70) ? CAIRN_NO_NUMBER : 3);
	if (c->number == 1)
		a->type = CAIRN_QP_TYPE_GSI;
	c->in = a;
	c->in_bytes = sizeof(*a);
}

static void fill_modify(struct hw_cmd *c, struct cairn_qp_attr *a)
{
	uint32_t q = c->number % HW_QPS, from = CAIRN_GET(hw.qp[q][0][1], CAIRN_QP_CFG_STATE);
	uint32_t type = CAIRN_GET(hw.qp[q][0][1], CAIRN_QP_CFG_STATE_TYPE) & 3;

	*a = good_attr();
	a->state = rng_percent(&hw.rng, 60) ? from + 1 : (uint32_t)rng_below(&hw.rng, 8);
	a->cur_state = from;
	c->arg[0] = M(STATE) | needed(type, a->state);
	if (rng_percent(&hw.rng, 25))
		c->arg[0] ^= 1ull << rng_below(&hw.rng, 34);
	if (rng_percent(&hw.rng, 5))
		a->dmac = 0; /* nobody answers */
	c->in = a;
	c->in_bytes = sizeof(*a);
}

/* Fields that a command does not name must be zero: each is blamed by its word. */
static const struct {
	uint8_t op;
	bool number, ptr;
	uint8_t args, flags;
} named[] = {
	{ CAIRN_CMD_OP_NOP, false, false, 0, 0 },
	{ CAIRN_CMD_OP_QUERY_DEVICE, false, false, 0, 0 },
	{ CAIRN_CMD_OP_QUERY_PORT, false, false, 0, 0 },
	{ CAIRN_CMD_OP_SET_GID, true, false, 0x07, 1 },
	{ CAIRN_CMD_OP_SET_DB_PAGES, true, false, 0x03, 3 },
	{ CAIRN_CMD_OP_RESOLVE, true, false, 0x03, 0 },
	{ CAIRN_CMD_OP_SET_PORT, false, false, 0x01, 0 },
	{ CAIRN_CMD_OP_CREATE_EQ, true, true, 0x07, 0 },
	{ CAIRN_CMD_OP_DESTROY_EQ, true, false, 0, 0 },
	{ CAIRN_CMD_OP_ALLOC_PD, true, false, 0, 0 },
	{ CAIRN_CMD_OP_DEALLOC_PD, true, false, 0, 0 },
	{ CAIRN_CMD_OP_CREATE_CQ, true, false, 0, 0 },
	{ CAIRN_CMD_OP_DESTROY_CQ, true, false, 0, 0 },
	{ CAIRN_CMD_OP_QUERY_CQ, true, false, 0, 0 },
	{ CAIRN_CMD_OP_CREATE_SRQ, true, false, 0x3f, 0 },
	{ CAIRN_CMD_OP_MODIFY_SRQ, true, false, 0x01, 0 },
	{ CAIRN_CMD_OP_QUERY_SRQ, true, false, 0, 0 },
	{ CAIRN_CMD_OP_DESTROY_SRQ, true, false, 0, 0 },
	{ CAIRN_CMD_OP_REG_MR, true, false, 0x1f, 1 },
	{ CAIRN_CMD_OP_DEREG_MR, true, false, 0, 0 },
	{ CAIRN_CMD_OP_QUERY_MR, true, false, 0, 0 },
	{ CAIRN_CMD_OP_ALLOC_MW, true, false, 0x03, 0 },
	{ CAIRN_CMD_OP_DEALLOC_MW, true, false, 0, 0 },
	{ CAIRN_CMD_OP_CREATE_QP, true, false, 0, 0 },
	{ CAIRN_CMD_OP_MODIFY_QP, true, false, 0x01, 0 },
	{ CAIRN_CMD_OP_QUERY_QP, true, false, 0, 0 },
	{ CAIRN_CMD_OP_DESTROY_QP, true, false, 0, 0 },
};

static bool numbered(enum cairn_cmd_op op)
{
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (named[i].op == op)
			return named[i].number;
	return true;
}

union buffer {
	uint32_t words[32];
	struct cairn_qp_create qp;
	struct cairn_qp_attr attr;
	struct cairn_cq_create cq;
};

/* A command that could work ... */
static void sensible(struct hw_cmd *c, union buffer *b)
{
	switch (c->op) {
	case CAIRN_CMD_OP_CREATE_QP:
		fill_qp(c, &b->qp);
		break;
	case CAIRN_CMD_OP_MODIFY_QP:
		fill_modify(c, &b->attr);
		break;
	case CAIRN_CMD_OP_CREATE_CQ:
	case CAIRN_CMD_OP_RESIZE_CQ:
		b->cq = (struct cairn_cq_create){
			.base = 4096, .ci_iova = 64, .log2 = 8, .eqn = 1
		};
		c->in = &b->cq;
		c->in_bytes = sizeof(b->cq);
		break;
	case CAIRN_CMD_OP_CREATE_SRQ:
		memcpy(c->arg, (uint64_t[]){ 64, 64, 5, 1, PD, 0 }, sizeof(c->arg));
		break;
	case CAIRN_CMD_OP_CREATE_EQ:
		c->ptr = 4096;
		c->arg[0] = 8;
		break;
	case CAIRN_CMD_OP_REG_MR:
		memcpy(c->arg, (uint64_t[]){ 0, 4096, 64, PD, CAIRN_MR_MODE_DIRECT, 0 },
		       sizeof(c->arg));
		if (rng_percent(&hw.rng, 40))
			c->arg[4] = CAIRN_MR_MODE_PAGED | 12 << 16;
		break;
	case CAIRN_CMD_OP_ALLOC_MW:
		c->arg[0] = PD;
		c->arg[1] = 1 + rng_below(&hw.rng, 2);
		break;
	case CAIRN_CMD_OP_SET_GID:
		c->number = 4 + c->number % 8;
		c->flags = 1;
		c->arg[0] = 0xfd;
		c->arg[1] = rng_u64(&hw.rng);
		break;
	default:
		break;
	}
}

/* ... with something wrong. */
static void spoil(struct hw_cmd *c, union buffer *b)
{
	switch (rng_below(&hw.rng, 6)) {
	case 0:
		c->arg[rng_below(&hw.rng, 6)] = word();
		break;
	case 1:
		b->words[rng_below(&hw.rng, c->in ? c->in_bytes / 4 : 1)] = (uint32_t)word();
		break;
	case 2:
		c->number = (uint32_t)word();
		break;
	case 3:
		c->ptr = rng_percent(&hw.rng, 50) ? word() : HW_WINDOW + 4096 * (word() % 64);
		break;
	case 4:
		c->flags = (uint32_t)word() & 0xff;
		break;
	default:
		c->bad_check = (uint32_t)word();
	}
}

static bool forbidden(enum cairn_cmd_op op)
{
	/* they end the scene, or another test is about them */
	return op == CAIRN_CMD_OP_DISABLE || op == CAIRN_CMD_OP_SET_DB_PAGES;
}

static void make(struct hw_cmd *c, union buffer *b)
{
	memset(c, 0, sizeof(*c));
	memset(b, 0, sizeof(*b));
	do {
		c->op = rng_percent(&hw.rng, 5) ? (uint32_t)rng_below(&hw.rng, 256)
						: (uint32_t)rng_below(&hw.rng, 66);
	} while (forbidden(c->op) ||
		 (c->op == CAIRN_CMD_OP_RESOLVE && rng_percent(&hw.rng, 95))); /* 1 s each */
	c->number = numbered(c->op) ? number(c->op) : 0;
	sensible(c, b);
	if (rng_percent(&hw.rng, 40))
		spoil(c, b);
}

/* The buffer that an output goes to by itself may not lie over the rings. */
static void check(const struct hw_cmd *c)
{
	if (c->status > CAIRN_CMD_STATUS_BAD_MASK || hw.fatal)
		hw_fail("op %u, number 0x%x: status %u, fatal %u", c->op, c->number, c->status,
			hw.fatal);
	switch (c->status) {
	case CAIRN_CMD_STATUS_BAD_PARAM:
	case CAIRN_CMD_STATUS_BAD_INDEX:
	case CAIRN_CMD_STATUS_BAD_MASK:
	case CAIRN_CMD_STATUS_NOT_SUPPORTED:
		if (c->detail > 15 && (c->detail < 0x80 || c->detail >= 0x80 + 32))
			hw_fail("op %u: status %u blames %u", c->op, c->status, c->detail);
		break;
	default:
		if (c->detail != (c->status ? CAIRN_CMD_DETAIL_NONE : 0) &&
		    c->status != CAIRN_CMD_STATUS_DMA_ERROR)
			hw_fail("op %u: status %u has detail %u", c->op, c->status, c->detail);
	}
}

static unsigned int budget(void)
{
	const char *env = getenv("FW_FUZZ");

	return env && *env ? (unsigned int)strtoul(env, NULL, 0) : 60000;
}

static void one_at_a_time(void **state)
{
	unsigned int ok = 0, n = budget() / 2;
	union buffer b;
	struct hw_cmd c;

	(void)state;
	for (unsigned int i = 0; i < n; i++) {
		uint64_t before = hw_state_hash();
		uint32_t eqs = hw.eq_valid;

		make(&c, &b);
		hw_do(&c);
		check(&c);
		ok += !c.status;
		if (c.status && (hw_state_hash() != before || hw.eq_valid != eqs))
			hw_fail("op %u failed with %u and changed something (command %u)", c.op,
				c.status, i);
	}
	if (ok < n / 10 || ok > n / 2)
		hw_fail("%u of %u commands succeed", ok, n);
	print_message("# %u commands to firmware, one at a time (%u succeed) and several at once\n",
		      budget(), ok);
}

#define AT_ONCE 8u

static void several_at_once(void **state)
{
	static struct hw_cmd c[AT_ONCE];
	static union buffer b[AT_ONCE];
	unsigned int n = budget() / 2 / AT_ONCE;

	(void)state;
	for (unsigned int i = 0; i < n; i++) {
		for (unsigned int k = 0; k < AT_ONCE; k++) {
			make(&c[k], &b[k]);
			hw_post(&c[k]);
		}
		hw_ring();
		if (rng_percent(&hw.rng, 30)) {
			uint32_t q = (uint32_t)rng_below(&hw.rng, QPNS);

			hw_run(200 * rng_below(&hw.rng, 30));
			if (hw.qp[q][0][0] && cfg_state(q) >= S(RTR))
				hw.qp[q][1 + rng_below(&hw.rng, 3)][1] |= 1;
			hw_report(rng_percent(&hw.rng, 80) ? CAIRN_DEV_EVENT_QP_ERROR
							   : CAIRN_DEV_EVENT_CQ_ERROR,
				  rng_percent(&hw.rng, 90) ? q : (uint32_t)word());
		}
		hw_wait();
		for (unsigned int k = 0; k < AT_ONCE; k++)
			check(&c[k]);
	}
}

/* After all that: everything goes away by command, and comes again. */
static void still_works(void **state)
{
	static const enum cairn_cmd_op ends[] = { CAIRN_CMD_OP_DESTROY_QP, CAIRN_CMD_OP_DESTROY_SRQ,
						  CAIRN_CMD_OP_DESTROY_CQ };
	(void)state;
	several_at_once(state);
	hw_run(10000000);
	for (unsigned int e = 0; e < 3; e++)
		for (uint32_t n = 0; n < HW_QPS; n++)
			hw_do(&(struct hw_cmd){ .op = ends[e], .number = n });
	for (uint32_t w = 1; w < HW_MRS; w++) {
		struct cairn_mpt *m = (void *)hw.mpt[w];

		if (m->key)
			hw_expect((&(struct hw_cmd){ .op = m->flags & CAIRN_MPT_FLAGS_WINDOW
								   ? CAIRN_CMD_OP_DEALLOC_MW
								   : CAIRN_CMD_OP_DEREG_MR,
						     .number = m->key }),
				  OK);
	}
	for (size_t i = 0; i < sizeof(hw.qp) / 4; i++)
		assert_int_equal(((uint32_t *)hw.qp)[i], 0);
	assert_int_equal(hw.eq_users[1], 0);
	make_cq(1);
	make_cq(2);
	make_srq(3);
	make_gid4(1, 1, 0);
	make_qp(20, CAIRN_QP_TYPE_RC, 3);
	move_to(20, CAIRN_QP_TYPE_RC, S(RTS));
}

static void blamed(enum cairn_cmd_op op, struct hw_cmd *c, uint32_t word_index)
{
	c->op = op;
	if (hw_do(c) != CAIRN_CMD_STATUS_BAD_PARAM || c->detail != word_index)
		hw_fail("op %u, word %u: status %u, detail %u", op, word_index, c->status,
			c->detail);
}

static void stray_fields(void **state)
{
	uint64_t before = hw_state_hash();

	(void)state;
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		enum cairn_cmd_op op = named[i].op;

		if (!named[i].number)
			blamed(op, &(struct hw_cmd){ .number = 1 }, 1);
		if (!named[i].ptr)
			blamed(op, &(struct hw_cmd){ .ptr = 4096 }, 2);
		for (unsigned int a = 0; a < 6; a++) {
			struct hw_cmd c = { .op = op };

			c.arg[a] = 1ull << rng_below(&hw.rng, a == 5 ? 32 : 64);
			if (!(named[i].args >> a & 1))
				blamed(op, &c, 4 + 2 * a);
		}
		for (uint32_t bit = 1; bit < 256; bit <<= 1)
			if (!(named[i].flags & bit))
				blamed(op, &(struct hw_cmd){ .flags = bit }, 0);
	}
	assert_int_equal(hw_state_hash(), before);
}

/* A ring that cannot be read: the device says that it is lost, and does nothing more. */
static void wrong_checks(void **state)
{
	(void)state;
	for (unsigned int bit = 0; bit < 32; bit++) {
		struct hw_cmd c = { .op = CAIRN_CMD_OP_NOP, .bad_check = 1u << bit };

		hw_expect(&c, BAD_PARAM);
		assert_int_equal(c.detail, 15);
	}
	hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_NOP }), OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = { FW_TEST(wrong_checks), FW_TEST(stray_fields),
					    FW_TEST(one_at_a_time), FW_TEST(several_at_once),
					    FW_TEST(still_works) };

	return cmocka_run_group_tests_name("fw_fuzz", tests, NULL, NULL);
}
