// SPDX-License-Identifier: Apache-2.0
/*
 * Memory regions, windows and shared receive queues in firmware (docs/commands.md 7 and 8): what
 * the records hold, what is refused, and how windows keep their region.
 */
#include "fw_objects.h"

#define KEY(index) ((index) << 8 | 0x5au)
#define MODE(m) CAIRN_PUT(CAIRN_MPT_FLAGS_MODE, CAIRN_MR_MODE_##m)
#define RIGHTS(a) CAIRN_PUT(CAIRN_MPT_FLAGS_ACCESS, (uint32_t)(a))
#define LG(n) CAIRN_PUT(CAIRN_MPT_FLAGS_PAGE_LOG2, (uint32_t)(n))
#define MPT(index) ((struct cairn_mpt *)hw.mpt[index])

static uint32_t reg(uint32_t key, uint64_t va, uint64_t len, uint64_t map, uint64_t flags,
		    uint32_t alloc, struct hw_cmd *c)
{
	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_REG_MR,
			      .flags = alloc,
			      .number = key,
			      .arg = { va, len, map, PD, flags } };
	return hw_do(c);
}

static uint32_t on_key(enum cairn_cmd_op op, uint32_t key)
{
	struct hw_cmd c = { .op = op, .number = key };

	return hw_do(&c);
}

static uint32_t alloc_mw(uint32_t key, uint64_t pd, uint64_t type, struct hw_cmd *c)
{
	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_ALLOC_MW, .number = key, .arg = { pd, type } };
	return hw_do(c);
}

#define TOP 0xfffffffffffff000ull

static const struct {
	uint64_t va, len, map, flags;
	uint32_t alloc, want, detail;
} regs[] = {
	{ 1, 1, 5, MODE(DIRECT), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ TOP, 0x1000, 0, MODE(DIRECT), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ TOP, 0x1001, 0, MODE(DIRECT), 0, CAIRN_CMD_STATUS_BAD_PARAM, 6 },
	{ 0, 0, 0, MODE(DIRECT), 0, CAIRN_CMD_STATUS_BAD_PARAM, 6 },
	{ 0, 1ull << 40, 0, MODE(DIRECT), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, (1ull << 40) + 1, 0, MODE(DIRECT), 0, CAIRN_CMD_STATUS_BAD_PARAM, 6 },
	{ 0, 0x1000, TOP, MODE(DIRECT), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, 0x1001, TOP, MODE(DIRECT), 0, CAIRN_CMD_STATUS_BAD_PARAM, 8 },
	{ 0, 1, 0, MODE(DIRECT) | LG(12), 0, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0, 1, 0, MODE(FREE), 0, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0, 1, 0, 3, 0, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0, 1, 0, MODE(DIRECT) | CAIRN_MPT_FLAGS_WINDOW, 0, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0, 1, 0, MODE(DIRECT) | RIGHTS(2), 0, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0, 1, 0, MODE(DIRECT) | RIGHTS(8), 0, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0, 100, 0x2004, MODE(DIRECT) | RIGHTS(CAIRN_ACCESS_ZERO_BASED), 0, CAIRN_CMD_STATUS_OK,
	  0 },
	{ 8, 100, 0x2004, MODE(DIRECT) | RIGHTS(CAIRN_ACCESS_ZERO_BASED), 0,
	  CAIRN_CMD_STATUS_BAD_PARAM, 4 },
	{ 0, 1, 0, MODE(DIRECT) | RIGHTS(64), 0, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0, 1, 0, MODE(DIRECT) | RIGHTS(31), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, 0x10000, 8, MODE(PAGED) | LG(12), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, 0x10000, 9, MODE(PAGED) | LG(12), 0, CAIRN_CMD_STATUS_BAD_PARAM, 8 },
	{ 0, 0x10000, 8, MODE(PAGED) | LG(16), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, 1ull << 33, 8, MODE(PAGED) | LG(21), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, 1ull << 33, 8, MODE(PAGED) | LG(30), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, 0x10000, 8, MODE(PAGED) | LG(13), 0, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0, 0x10000, 8, MODE(PAGED) | LG(0), 0, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0xfff, 2, 16376, MODE(PAGED) | LG(12), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, 8 << 12, 16376, MODE(PAGED) | LG(12), 0, CAIRN_CMD_STATUS_OK, 0 },
	{ 1, 8 << 12, 16376, MODE(PAGED) | LG(12), 0, CAIRN_CMD_STATUS_BAD_PARAM, 8 },
	{ 0, 1, 1ull << 63, MODE(PAGED) | LG(12), 0, CAIRN_CMD_STATUS_BAD_PARAM, 8 },
	{ 0, 64, 16, MODE(PAGED), 1, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, 1 << 14, 0, MODE(PAGED), 1, CAIRN_CMD_STATUS_OK, 0 },
	{ 0, (1 << 14) + 1, 0, MODE(PAGED), 1, CAIRN_CMD_STATUS_BAD_PARAM, 8 },
	{ 0, ~0ull, 8, MODE(PAGED), 1, CAIRN_CMD_STATUS_BAD_PARAM, 8 },
	{ 0, 0, 0, MODE(PAGED), 1, CAIRN_CMD_STATUS_BAD_PARAM, 6 },
	{ 1, 8, 0, MODE(PAGED), 1, CAIRN_CMD_STATUS_BAD_PARAM, 4 },
	{ 0, 8, 0, MODE(DIRECT), 1, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
	{ 0, 8, 0, MODE(PAGED) | RIGHTS(1), 1, CAIRN_CMD_STATUS_BAD_PARAM, 12 },
};

static void regions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
		uint64_t before = hw_state_hash();
		struct hw_cmd c;

		reg(KEY(9), regs[i].va, regs[i].len, regs[i].map, regs[i].flags, regs[i].alloc, &c);
		if (c.status != regs[i].want || (c.status && c.detail != regs[i].detail))
			hw_fail("case %zu: status %u, detail %u", i, c.status, c.detail);
		if (c.status) {
			assert_int_equal(hw_state_hash(), before);
			continue;
		}
		assert_int_equal(MPT(9)->key, KEY(9));
		assert_int_equal(MPT(9)->pd, PD);
		assert_int_equal(MPT(9)->map, regs[i].map);
		if (regs[i].alloc) {
			assert_int_equal(MPT(9)->flags, CAIRN_MPT_FLAGS_FREED);
			assert_int_equal(MPT(9)->pages, regs[i].len);
		} else {
			assert_int_equal(MPT(9)->flags, regs[i].flags);
			assert_int_equal(MPT(9)->base, regs[i].va);
			assert_int_equal(MPT(9)->length, regs[i].len);
			assert_int_equal(MPT(9)->pages, 0);
		}
		assert_int_equal(reg(KEY(9), 0, 1, 0, MODE(DIRECT), 0, &c),
				 CAIRN_CMD_STATUS_EXISTS);
		assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(9)), CAIRN_CMD_STATUS_OK);
		assert_int_equal(MPT(9)->key, 0);
	}
}

/* Cached lines of the page list are dropped before the region is valid: as many as it has. */
static void page_list_lines(void **state)
{
	struct hw_cmd c;

	(void)state;
	hw.drops = 0;
	assert_int_equal(reg(KEY(1), 0xff0, 9 << 12, 8, MODE(PAGED) | LG(12), 0, &c),
			 CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.drops, 2); /* ten pages */
	assert_int_equal(reg(KEY(2), 0, 17, 32, MODE(PAGED), 1, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.drops, 5);
	assert_int_equal(reg(KEY(3), 0, 17, 32, MODE(DIRECT), 0, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.drops, 5);
}

static void keys(void **state)
{
	struct hw_cmd c;

	(void)state;
	assert_int_equal(reg(0x5a, 0, 1, 0, MODE(DIRECT), 0, &c), CAIRN_CMD_STATUS_BAD_INDEX);
	assert_int_equal(reg(KEY(1024), 0, 1, 0, MODE(DIRECT), 0, &c), CAIRN_CMD_STATUS_BAD_INDEX);
	assert_int_equal(reg(KEY(1023), 0, 1, 0, MODE(DIRECT), 0, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(1023) ^ 1), CAIRN_CMD_STATUS_BAD_STATE);
	assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(1022)), CAIRN_CMD_STATUS_BAD_STATE);
	assert_int_equal(on_key(CAIRN_CMD_OP_DEALLOC_MW, KEY(1023)), CAIRN_CMD_STATUS_BAD_STATE);
	assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(1023)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(1023)), CAIRN_CMD_STATUS_BAD_STATE);
	/* a region of work requests changes its tag */
	assert_int_equal(reg(KEY(7), 0, 8, 0, MODE(PAGED), 1, &c), CAIRN_CMD_STATUS_OK);
	MPT(7)->key ^= 0xff;
	assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(7)), CAIRN_CMD_STATUS_OK);
}

static void windows(void **state)
{
	struct hw_cmd c;

	(void)state;
	assert_int_equal(alloc_mw(KEY(5), PD, 0, &c), CAIRN_CMD_STATUS_BAD_PARAM);
	assert_int_equal(alloc_mw(KEY(5), PD, 3, &c), CAIRN_CMD_STATUS_BAD_PARAM);
	assert_int_equal(alloc_mw(KEY(5), 65536, 1, &c), CAIRN_CMD_STATUS_BAD_PARAM);
	assert_int_equal(alloc_mw(3, PD, 1, &c), CAIRN_CMD_STATUS_BAD_INDEX);
	for (uint32_t type = 1; type <= 2; type++) {
		assert_int_equal(alloc_mw(KEY(5), PD, type, &c), CAIRN_CMD_STATUS_OK);
		assert_int_equal(MPT(5)->flags, CAIRN_MPT_FLAGS_WINDOW | CAIRN_MPT_FLAGS_FREED |
							(type == 2 ? CAIRN_MPT_FLAGS_TYPE2 : 0));
		assert_int_equal(MPT(5)->pd, PD);
		assert_int_equal(alloc_mw(KEY(5), PD, type, &c), CAIRN_CMD_STATUS_EXISTS);
		assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(5)), CAIRN_CMD_STATUS_BAD_STATE);
		MPT(5)->key ^= 7; /* as a bind does */
		assert_int_equal(on_key(CAIRN_CMD_OP_DEALLOC_MW, KEY(5)), CAIRN_CMD_STATUS_OK);
		assert_int_equal(MPT(5)->key, 0);
	}
}

static void bind_window(uint32_t window, uint32_t region)
{
	MPT(window)->flags = (MPT(window)->flags & ~(uint32_t)CAIRN_MPT_FLAGS_FREED) | MODE(DIRECT);
	MPT(window)->parent = KEY(region);
	MPT(region)->windows++;
}

/* While windows are bound the region stays; taking them away at once counts each. */
static void bound_windows(void **state)
{
	struct hw_cmd c, dealloc[6];

	(void)state;
	assert_int_equal(reg(KEY(9), 0, 4096, 0, MODE(DIRECT) | RIGHTS(31), 0, &c),
			 CAIRN_CMD_STATUS_OK);
	for (int round = 0; round < 20; round++) {
		for (uint32_t w = 20; w < 26; w++) {
			assert_int_equal(alloc_mw(KEY(w), PD, 1 + w % 2, &c), CAIRN_CMD_STATUS_OK);
			if (w != 23)
				bind_window(w, 9);
		}
		assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(9)), CAIRN_CMD_STATUS_BUSY);
		assert_int_equal(MPT(9)->flags, MODE(DIRECT) | RIGHTS(31));
		for (uint32_t w = 20; w < 26; w++) {
			dealloc[w - 20] =
				(struct hw_cmd){ .op = CAIRN_CMD_OP_DEALLOC_MW, .number = KEY(w) };
			hw_post(&dealloc[w - 20]);
		}
		hw_ring();
		hw_wait();
		for (int i = 0; i < 6; i++)
			assert_int_equal(dealloc[i].status, CAIRN_CMD_STATUS_OK);
		assert_int_equal(MPT(9)->unbound, 5 * (round + 1));
		assert_int_equal(MPT(9)->windows, MPT(9)->unbound);
	}
	assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(9)), CAIRN_CMD_STATUS_OK);
}

/* A bind that comes while DEREG_MR looks: whoever is first wins, and nothing is half done. */
static void bind_meets_dereg(void **state)
{
	unsigned int busy = 0, ok = 0;
	struct hw_cmd c, dereg;

	(void)state;
	for (int i = 0; i < 300; i++) {
		bool bound = false;

		assert_int_equal(reg(KEY(9), 0, 4096, 0, MODE(DIRECT) | RIGHTS(31), 0, &c),
				 CAIRN_CMD_STATUS_OK);
		dereg = (struct hw_cmd){ .op = CAIRN_CMD_OP_DEREG_MR, .number = KEY(9) };
		hw_post(&dereg);
		hw_ring();
		hw_run(200 * rng_below(&hw.rng, 40));
		if (MPT(9)->key == KEY(9) && MPT(9)->flags & CAIRN_MPT_FLAGS_MODE) {
			MPT(9)->windows++; /* what mr_update does only of a valid region */
			bound = true;
		}
		hw_wait();
		assert_int_equal(dereg.status, bound ? CAIRN_CMD_STATUS_BUSY : CAIRN_CMD_STATUS_OK);
		assert_int_equal(MPT(9)->key, bound ? KEY(9) : 0);
		busy += bound;
		ok += !bound;
		if (!bound)
			continue;
		assert_int_equal(MPT(9)->flags, MODE(DIRECT) | RIGHTS(31));
		MPT(9)->windows--;
		assert_int_equal(on_key(CAIRN_CMD_OP_DEREG_MR, KEY(9)), CAIRN_CMD_STATUS_OK);
	}
	assert_true(busy > 10 && ok > 10);
}

static void without_windows(void **state)
{
	struct hw_cmd c;

	(void)state;
	hw_boot(HW_ALL & ~CAIRN_REG_FEATURES_MW);
	hw_open();
	assert_int_equal(alloc_mw(KEY(5), PD, 1, &c), CAIRN_CMD_STATUS_NOT_SUPPORTED);
	assert_int_equal(on_key(CAIRN_CMD_OP_DEALLOC_MW, KEY(5)), CAIRN_CMD_STATUS_NOT_SUPPORTED);
	assert_int_equal(reg(KEY(5), 0, 8, 0, MODE(PAGED), 1, &c), CAIRN_CMD_STATUS_NOT_SUPPORTED);
	assert_int_equal(reg(KEY(5), 0, 8, 0, MODE(DIRECT) | RIGHTS(16), 0, &c),
			 CAIRN_CMD_STATUS_BAD_PARAM);
}

/* ---- shared receive queues ---- */

static uint32_t srq_cmd(enum cairn_cmd_op op, uint32_t srqn, uint64_t arg0, struct hw_cmd *c)
{
	*c = (struct hw_cmd){ .op = op, .number = srqn, .arg = { arg0 } };
	if (op == CAIRN_CMD_OP_QUERY_SRQ)
		c->in_bytes = 64;
	return hw_do(c);
}

static void srq_life(void **state)
{
	struct cairn_srq_ctx *srq = (void *)hw.srq[3];
	struct hw_cmd c;

	(void)state;
	assert_int_equal(srq->slots, 0x100000);
	assert_int_equal(srq->ring, 0x200000);
	assert_int_equal(srq->pd, PD);
	assert_int_equal(srq->flags, CAIRN_SRQ_CTX_FLAGS_VALID | 6 << 8 | 2 << 12 | 3u << 24);
	assert_true(hw.db[CAIRN_DB_TABLE_SRQ][3].valid);
	assert_int_equal(hw.db[CAIRN_DB_TABLE_SRQ][3].page, 3);
	hw.db[CAIRN_DB_TABLE_SRQ][3].index = 0x0005; /* wrapped */
	srq->index = 0xfff0;
	assert_int_equal(srq_cmd(CAIRN_CMD_OP_QUERY_SRQ, 3, 0, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(c.value0, 0x15);
	assert_int_equal(c.value1, 0);
	assert_memory_equal(c.out, srq, 64);
	assert_int_equal(srq_cmd(CAIRN_CMD_OP_MODIFY_SRQ, 3, 65, &c), CAIRN_CMD_STATUS_BAD_PARAM);
	assert_int_equal(srq_cmd(CAIRN_CMD_OP_MODIFY_SRQ, 3, 1ull << 32, &c),
			 CAIRN_CMD_STATUS_BAD_PARAM);
	assert_int_equal(srq_cmd(CAIRN_CMD_OP_MODIFY_SRQ, 3, 64, &c), CAIRN_CMD_STATUS_OK);
	assert_true(srq->flags & CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED);
	assert_int_equal(srq->index, 64u << 16 | 0xfff0);
	assert_int_equal(srq_cmd(CAIRN_CMD_OP_QUERY_SRQ, 3, 0, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(c.value1, 64);
	srq->flags &= ~(uint32_t)CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED; /* it fired */
	assert_int_equal(srq_cmd(CAIRN_CMD_OP_QUERY_SRQ, 3, 0, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(c.value1, 0);
	assert_int_equal(srq_cmd(CAIRN_CMD_OP_MODIFY_SRQ, 3, 0, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(srq->index, 0xfff0);
	assert_int_equal(srq_cmd(CAIRN_CMD_OP_DESTROY_SRQ, 3, 0, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(srq->tag, 0);
	assert_false(hw.db[CAIRN_DB_TABLE_SRQ][3].valid);
	for (int op = CAIRN_CMD_OP_MODIFY_SRQ; op <= CAIRN_CMD_OP_DESTROY_SRQ; op++) {
		assert_int_equal(srq_cmd(op, 3, 0, &c), CAIRN_CMD_STATUS_BAD_STATE);
		assert_int_equal(srq_cmd(op, 16, 0, &c), CAIRN_CMD_STATUS_BAD_INDEX);
	}
}

/* DISABLE leaves none behind: the next owner of the device starts with free records. */
static void srq_disable(void **state)
{
	struct cairn_srq_ctx *srq = (void *)hw.srq[3];

	(void)state;
	make_srq(15);
	assert_int_not_equal(srq->tag, 0);
	hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DISABLE }), OK);
	for (unsigned int i = 0; i < 16; i++)
		assert_int_equal(hw.srq[i][0], 0);
}

static void srq_refusals(void **state)
{
	const struct {
		unsigned int arg;
		uint64_t value;
		uint32_t detail;
	} cases[] = { { 0, 0, 4 },  { 0, 32, 4 }, { 1, 0, 6 },	 { 1, 8, 6 },	   { 2, 3, 8 },
		      { 2, 16, 8 }, { 3, 0, 10 }, { 3, 17, 10 }, { 4, 65536, 12 }, { 5, 256, 14 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hw_cmd c = { .op = CAIRN_CMD_OP_CREATE_SRQ,
				    .number = 4,
				    .arg = { 64, 128, 15, 16, PD, 255 } };
		uint64_t before = hw_state_hash();

		c.arg[cases[i].arg] = cases[i].value;
		if (hw_do(&c) != CAIRN_CMD_STATUS_BAD_PARAM || c.detail != cases[i].detail)
			hw_fail("case %zu: status %u, detail %u", i, c.status, c.detail);
		assert_int_equal(hw_state_hash(), before);
	}
	hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_CREATE_SRQ,
				     .number = 3,
				     .arg = { 64, 128, 15, 16, PD, 255 } }),
		  EXISTS);
	hw_boot(HW_ALL & ~CAIRN_REG_FEATURES_SRQ);
	hw_open();
	for (int op = CAIRN_CMD_OP_CREATE_SRQ; op <= CAIRN_CMD_OP_DESTROY_SRQ; op++) {
		struct hw_cmd c;

		assert_int_equal(srq_cmd(op, 3, 0, &c), CAIRN_CMD_STATUS_NOT_SUPPORTED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FW_TEST(regions),	  FW_TEST(page_list_lines), FW_TEST(keys),
		FW_TEST(windows),	  FW_TEST(bound_windows),   FW_TEST(bind_meets_dereg),
		FW_TEST(without_windows), FW_TEST(srq_life),	    FW_TEST(srq_refusals),
		FW_TEST(srq_disable),
	};

	return cmocka_run_group_tests_name("fw_mr", tests, NULL, NULL);
}
