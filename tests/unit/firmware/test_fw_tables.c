// SPDX-License-Identifier: Apache-2.0
/*
 * CREATE_EQ, DESTROY_EQ and SET_DB_PAGES in firmware (docs/commands.md 3, 4; checks 59, 60): each
 * field out of its range is refused with the field's name, and nothing has changed then; the ends
 * of the ranges are accepted.
 */
#include "dev.h"
#include "fw_objects.h"

#define RING 0x90000000ull
#define OP(name) CAIRN_CMD_OP_##name
#define IS(name) CAIRN_CMD_STATUS_##name
#define NONE CAIRN_CMD_DETAIL_NONE
#define BIG (1ull << 32) /* what 32 bits do not show */
#define QPS_OF CAIRN_DB_KIND_QP
#define CQS_OF CAIRN_DB_KIND_CQ
#define SRQS_OF CAIRN_DB_KIND_SRQ

struct refusal {
	struct hw_cmd cmd;
	uint32_t status, detail;
};

static void refuse(const struct refusal *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct hw_cmd c = cases[i].cmd;
		uint64_t before = hw_state_hash();

		if (hw_do(&c) != cases[i].status || c.detail != cases[i].detail)
			hw_fail("case %zu: status %u, detail %u", i, c.status, c.detail);
		if (hw_state_hash() != before)
			hw_fail("case %zu has changed something", i);
	}
}

#define EQ(n, at, ...)                                                                  \
	{                                                                               \
		.op = OP(CREATE_EQ), .number = (n), .ptr = (at), .arg = { __VA_ARGS__ } \
	}

/* EQs 0 and 1 exist. */
static void eq_refusals(void **state)
{
	static const struct refusal cases[] = {
		{ EQ(2, 0, 10, 1, 0), IS(BAD_PARAM), 2 },
		{ EQ(2, RING + 1, 10, 1, 0), IS(BAD_PARAM), 2 },
		{ EQ(2, RING + 16, 10, 1, 0), IS(BAD_PARAM), 2 },
		{ EQ(2, RING + 2048, 10, 1, 0), IS(BAD_PARAM), 2 },
		{ EQ(2, RING, 0, 1, 0), IS(BAD_PARAM), 4 },
		{ EQ(2, RING, 3, 1, 0), IS(BAD_PARAM), 4 },
		{ EQ(2, RING, CAIRN_MAX_RING_LOG2 + 1, 1, 0), IS(BAD_PARAM), 4 },
		{ EQ(2, RING, 0xff, 1, 0), IS(BAD_PARAM), 4 },
		{ EQ(2, RING, BIG | 10, 1, 0), IS(BAD_PARAM), 4 },
		{ EQ(2, RING, 10, CAIRN_MSIX_VECTORS, 0), IS(BAD_PARAM), 6 },
		{ EQ(2, RING, 10, 0xffff, 0), IS(BAD_PARAM), 6 },
		{ EQ(2, RING, 10, BIG | 1, 0), IS(BAD_PARAM), 6 },
		{ EQ(2, RING, 10, 1, CAIRN_DB_PAGES), IS(BAD_PARAM), 8 },
		{ EQ(2, RING, 10, 1, BIG), IS(BAD_PARAM), 8 },
		{ EQ(HW_EQS, RING, 10, 1, 0), IS(BAD_INDEX), 1 },
		{ EQ(0x100, RING, 10, 1, 0), IS(BAD_INDEX), 1 },
		{ EQ(0xffffffff, RING, 10, 1, 0), IS(BAD_INDEX), 1 },
		{ EQ(0, RING, 10, 1, 0), IS(EXISTS), NONE },
		{ EQ(1, RING, 10, 1, 0), IS(EXISTS), NONE },
		{ { .op = OP(DESTROY_EQ), .number = HW_EQS }, IS(BAD_INDEX), 1 },
		{ { .op = OP(DESTROY_EQ), .number = 0xffffffff }, IS(BAD_INDEX), 1 },
		{ { .op = OP(DESTROY_EQ), .number = 2 }, IS(BAD_STATE), NONE },
		{ { .op = OP(DESTROY_EQ), .number = 0 }, IS(BUSY), NONE }, /* enabled */
		{ { .op = OP(DESTROY_EQ), .number = 1 }, IS(BUSY), NONE }, /* CQs 1 and 2 */
	};

	(void)state;
	refuse(cases, sizeof(cases) / sizeof(cases[0]));
}

/* EQ 0 is refused a ring that is too short for it, and there is none then. */
static void eq_async(void **state)
{
	static const struct refusal cases[] = {
		{ EQ(0, RING, 7, 0, 0), IS(BAD_PARAM), 4 },
		{ EQ(0, RING, 4, 0, 0), IS(BAD_PARAM), 4 },
		{ { .op = OP(DESTROY_EQ), .number = 0 }, IS(BAD_STATE), NONE },
	};

	(void)state;
	hw_boot(HW_ALL);
	refuse(cases, sizeof(cases) / sizeof(cases[0]));
	assert_int_equal(hw.eq_valid, 0);
	hw_expect((&(struct hw_cmd)EQ(0, RING, 8, 0, 0)), OK);
	assert_int_equal(hw.eq_valid, 1);
	hw_expect((&(struct hw_cmd){ .op = OP(DESTROY_EQ), .number = 0 }), OK);
	assert_int_equal(hw.eq_valid, 0);
}

/* The ends of every range; a number can be used again. */
static void eq_ends(void **state)
{
	static const struct hw_cmd good[] = {
		EQ(HW_EQS - 1, 4096, 4, 0, 0),
		EQ(2, ~0xfffull, CAIRN_MAX_RING_LOG2, CAIRN_MSIX_VECTORS - 1, CAIRN_DB_PAGES - 1),
	};

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct hw_cmd c = good[i & 1];
		uint64_t before = hw_state_hash();

		hw_expect(&c, OK);
		assert_true(hw.eq_valid >> c.number & 1);
		assert_true(hw.db[CAIRN_DB_TABLE_EQ][c.number].valid);
		assert_int_equal(hw.db[CAIRN_DB_TABLE_EQ][c.number].page, c.arg[2]);
		hw_expect(&c, EXISTS);
		hw_expect((&(struct hw_cmd){ .op = OP(DESTROY_EQ), .number = c.number }), OK);
		assert_false(hw.eq_valid >> c.number & 1);
		assert_false(hw.db[CAIRN_DB_TABLE_EQ][c.number].valid);
		if (i >= 2) /* the page of the closed entry stays */
			assert_int_equal(hw_state_hash(), before);
	}
}

#define PAGES(kind, n, ...)                                                                    \
	{                                                                                      \
		.op = OP(SET_DB_PAGES), .flags = (kind), .number = (n), .arg = { __VA_ARGS__ } \
	}

/* The tables have 256 QPs, 128 CQs and 16 SRQs. */
static void page_refusals(void **state)
{
	static const struct refusal cases[] = {
		{ PAGES(SRQS_OF + 1, 0, 1, 0), IS(BAD_PARAM), 0 },
		{ PAGES(0xff, 0, 1, 0), IS(BAD_PARAM), 0 },
		{ PAGES(QPS_OF, 2, 1, CAIRN_DB_PAGES), IS(BAD_PARAM), 6 },
		{ PAGES(QPS_OF, 2, 1, BIG), IS(BAD_PARAM), 6 },
		{ PAGES(QPS_OF, 0, HW_QPS + 1, 0), IS(BAD_INDEX), 4 },
		{ PAGES(QPS_OF, 1, HW_QPS, 0), IS(BAD_INDEX), 1 },
		{ PAGES(QPS_OF, HW_QPS, 1, 0), IS(BAD_INDEX), 1 },
		{ PAGES(QPS_OF, 0xffffffff, 1, 0), IS(BAD_INDEX), 1 },
		{ PAGES(QPS_OF, 0xffffffff, 2, 0), IS(BAD_INDEX), 1 },
		{ PAGES(QPS_OF, 0, BIG | 1, 0), IS(BAD_INDEX), 4 },
		{ PAGES(QPS_OF, 5, ~0ull - 3, 0), IS(BAD_INDEX), 1 }, /* ends at 1, or at 2^64 */
		{ PAGES(QPS_OF, 0, ~0ull, 0), IS(BAD_INDEX), 4 },
		{ PAGES(CQS_OF, 0, HW_CQS + 1, 0), IS(BAD_INDEX), 4 },
		{ PAGES(CQS_OF, HW_CQS - 1, 2, 0), IS(BAD_INDEX), 1 },
		{ PAGES(CQS_OF, HW_CQS, 1, 0), IS(BAD_INDEX), 1 },
		{ PAGES(SRQS_OF, 0, HW_SRQS + 1, 0), IS(BAD_INDEX), 4 },
		{ PAGES(SRQS_OF, HW_SRQS - 1, 2, 0), IS(BAD_INDEX), 1 },
		{ PAGES(SRQS_OF, HW_SRQS, 1, 0), IS(BAD_INDEX), 1 },
	};

	(void)state;
	refuse(cases, sizeof(cases) / sizeof(cases[0]));
}

static bool opened(unsigned int table, unsigned int n, unsigned int page)
{
	return hw.db[table][n].valid && hw.db[table][n].page == page;
}

/* Exactly the named entries; an empty range names no entry. */
static void page_ends(void **state)
{
	static const struct {
		uint32_t kind, number, count, tables[2], size;
	} good[] = {
		{ QPS_OF, HW_QPS - 2, 2, { CAIRN_DB_TABLE_SQ, CAIRN_DB_TABLE_RQ }, HW_QPS },
		{ CQS_OF, HW_CQS - 1, 1, { CAIRN_DB_TABLE_CQ, CAIRN_DB_TABLE_CQ }, HW_CQS },
		{ SRQS_OF, 0, HW_SRQS, { CAIRN_DB_TABLE_SRQ, CAIRN_DB_TABLE_SRQ }, HW_SRQS },
	};
	uint64_t before = hw_state_hash();

	(void)state;
	for (unsigned int k = 0; k < 3; k++)
		hw_expect((&(struct hw_cmd)PAGES(good[k].kind, good[k].number, 0, 9)), OK);
	assert_int_equal(hw_state_hash(), before);
	for (unsigned int k = 0; k < 3; k++) {
		unsigned int page = CAIRN_DB_PAGES - 1 - k, first = good[k].number;

		hw_expect((&(struct hw_cmd)PAGES(good[k].kind, first, good[k].count, page)), OK);
		for (unsigned int n = 0; n < good[k].size + 3; n++)
			for (unsigned int t = 0; t < 2; t++)
				assert_int_equal(opened(good[k].tables[t], n, page),
						 n >= first && n < first + good[k].count);
	}
}

/* A record that a bench has laid there is read and written back, as it is. */
static void page_of_record(void **state)
{
	uint32_t record[4][16];

	(void)state;
	for (unsigned int p = 0; p < 4; p++)
		for (unsigned int i = 0; i < 16; i++)
			hw.qp[7][p][i] = i ? i * 0x01010101 + p : 7 | 3u << 24;
	memcpy(record, hw.qp[7], sizeof(record));
	hw_expect((&(struct hw_cmd)PAGES(QPS_OF, 6, 3, 9)), OK);
	assert_memory_equal(record, hw.qp[7], sizeof(record));
	for (unsigned int n = 5; n < 10; n++) {
		assert_int_equal(opened(CAIRN_DB_TABLE_SQ, n, 9), n >= 6 && n < 9);
		assert_int_equal(opened(CAIRN_DB_TABLE_RQ, n, 9), n >= 6 && n < 9);
	}
}

/* Before ENABLE there are no tables yet. */
static void pages_too_early(void **state)
{
	static const struct refusal cases[] = {
		{ PAGES(QPS_OF, 2, 1, 0), IS(BAD_STATE), NONE },
		{ PAGES(CQS_OF, 0, 1, 0), IS(BAD_STATE), NONE },
	};

	(void)state;
	hw_boot(HW_ALL);
	refuse(cases, sizeof(cases) / sizeof(cases[0]));
}

/* A build without SRQs has no table of them. */
static void pages_without_srqs(void **state)
{
	static const struct refusal cases[] = {
		{ PAGES(SRQS_OF, 0, 2, 0), IS(BAD_INDEX), 4 },
		{ PAGES(SRQS_OF, 1, 1, 0), IS(BAD_INDEX), 1 },
		{ PAGES(SRQS_OF, 0, 1, 0), IS(BAD_INDEX), 4 },
	};

	(void)state;
	hw_boot(HW_ALL & ~CAIRN_REG_FEATURES_SRQ);
	hw_open();
	refuse(cases, sizeof(cases) / sizeof(cases[0]));
}

/* A smaller build says so, and takes no number beyond. */
static void sizes(void **state)
{
	static const struct refusal cases[] = {
		{ EQ(8, RING, 10, 1, 0), IS(BAD_INDEX), 1 },
		{ { .op = OP(DESTROY_EQ), .number = 8 }, IS(BAD_INDEX), 1 },
		{ { .op = OP(SET_GID), .number = 4, .flags = 1, .arg = { 0, 0x0100000affff0000 } },
		  IS(BAD_INDEX),
		  1 },
	};
	struct hw_cmd query = { .op = CAIRN_CMD_OP_QUERY_DEVICE, .in_bytes = 128 };
	struct hw_cmd port = { .op = CAIRN_CMD_OP_QUERY_PORT, .in_bytes = 128 };
	struct cairn_port_attr attr;
	struct cairn_dev_caps caps;

	(void)state;
	dev.n_gids = 4;
	dev.n_eqs = 8;
	dev.n_groups = 2;
	refuse(cases, sizeof(cases) / sizeof(cases[0]));
	assert_int_equal(hw_do(&query), CAIRN_CMD_STATUS_OK);
	memcpy(&caps, query.out, sizeof(caps));
	assert_int_equal(caps.max_gid, 4);
	assert_int_equal(caps.max_eq, 8);
	assert_int_equal(caps.max_mcast_grp, 2);
	assert_int_equal(hw_do(&port), CAIRN_CMD_STATUS_OK);
	memcpy(&attr, port.out, sizeof(attr));
	assert_int_equal(attr.gid_count, 4);
}

static uint32_t port_flags(const struct hw_cmd *query)
{
	struct cairn_port_attr port;

	memcpy(&port, query->out, sizeof(port));
	return port.flags;
}

/* The loop's switch, in DEV_CTRL beside the data path's, which it leaves alone. */
static void port_settings(void **state)
{
	struct hw_cmd set = { .op = CAIRN_CMD_OP_SET_PORT };
	struct hw_cmd disable = { .op = CAIRN_CMD_OP_DISABLE };
	struct hw_cmd query = { .op = CAIRN_CMD_OP_QUERY_PORT, .in_bytes = 128 };
	uint64_t before;

	(void)state;
	assert_int_equal(hw.ctrl, CAIRN_REG_DEV_CTRL_ENABLE);
	assert_int_equal(hw_do(&query), CAIRN_CMD_STATUS_OK);
	assert_int_equal(port_flags(&query), CAIRN_PORT_FLAG_LOOP);
	assert_int_equal(hw_do(&set), CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.ctrl, CAIRN_REG_DEV_CTRL_ENABLE | CAIRN_REG_DEV_CTRL_NO_LOOP);
	assert_int_equal(hw_do(&query), CAIRN_CMD_STATUS_OK);
	assert_int_equal(port_flags(&query), 0);
	before = hw_state_hash();
	for (unsigned int bit = 1; bit < 64; bit++) {
		set.arg[0] = 1ull << bit | CAIRN_PORT_FLAG_LOOP;
		assert_int_equal(hw_do(&set), CAIRN_CMD_STATUS_BAD_PARAM);
		assert_int_equal(set.detail, 4);
		assert_int_equal(hw.ctrl, CAIRN_REG_DEV_CTRL_ENABLE | CAIRN_REG_DEV_CTRL_NO_LOOP);
	}
	assert_int_equal(hw_state_hash(), before);
	/* a DISABLE closes the data path and leaves the setting */
	assert_int_equal(hw_do(&disable), CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.ctrl, CAIRN_REG_DEV_CTRL_NO_LOOP);
	set.arg[0] = CAIRN_PORT_FLAG_LOOP;
	assert_int_equal(hw_do(&set), CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.ctrl, 0);
	hw_boot(HW_ALL & ~CAIRN_REG_FEATURES_LOOP);
	hw_open();
	assert_int_equal(hw_do(&set), CAIRN_CMD_STATUS_NOT_SUPPORTED);
	assert_int_equal(hw_do(&query), CAIRN_CMD_STATUS_OK);
	assert_int_equal(port_flags(&query), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_without_srqs), /* first: firmware's variables are zero */
		FW_TEST(eq_refusals),
		FW_TEST(eq_async),
		FW_TEST(eq_ends),
		FW_TEST(page_refusals),
		FW_TEST(page_ends),
		FW_TEST(page_of_record),
		FW_TEST(pages_too_early),
		FW_TEST(port_settings),
		FW_TEST(sizes),
	};

	return cmocka_run_group_tests_name("fw_tables", tests, NULL, NULL);
}
