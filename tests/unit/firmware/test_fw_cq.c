// SPDX-License-Identifier: Apache-2.0
/* RESIZE_CQ and MODIFY_CQ in firmware (docs/commands.md 6): what the record becomes, what is
 * refused. */
#include "fw_objects.h"

#define CQ(n) ((struct cairn_cq_ctx *)hw.cq[n])
#define CI_OFFSET 0x30000u

static struct cairn_cq_create attr(void)
{
	return (struct cairn_cq_create){
		.base = 0x3000000, .ci_iova = HW_WINDOW + CI_OFFSET, .log2 = 6, .eqn = 1
	};
}

static uint32_t resize(const struct cairn_cq_create *a, uint32_t ci, struct hw_cmd *c)
{
	memcpy(hw.mem + CI_OFFSET, &ci, sizeof(ci));
	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_RESIZE_CQ, .number = 1, .in = a, .in_bytes = 64 };
	return hw_do(c);
}

static void moved(void **state)
{
	struct cairn_cq_create a = attr();
	struct cairn_cq_ctx was;
	struct hw_cmd c;
	unsigned int fences = hw.fences;

	(void)state;
	CQ(1)->pi = 0x10000020;
	CQ(1)->ci = 0x0ffffff0;
	was = *CQ(1);
	hw_assert(resize(&a, 0x0fffffff, &c) == CAIRN_CMD_STATUS_OK);
	hw_assert(c.value0 == 0x10000020 && hw.fences == fences + 1);
	was.base = a.base;
	was.ci_iova = a.ci_iova;
	was.ci = 0x0fffffff;
	was.flags = (was.flags & ~CAIRN_CQ_CTX_FLAGS_LOG2) | CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_LOG2, 6u);
	hw_assert(!memcmp(&was, CQ(1), 64));
}

static void refused(uint32_t ci, const struct cairn_cq_create *a, uint32_t want, uint32_t detail)
{
	uint64_t before = hw_state_hash();
	struct hw_cmd c;

	if (resize(a, ci, &c) != want || (detail && c.detail != detail))
		hw_fail("status %u, detail %x: expected %u, %x", c.status, c.detail, want, detail);
	hw_assert(hw_state_hash() == before);
}

static void not_moved(void **state)
{
	const uint32_t buffer = CAIRN_CMD_DETAIL_BUFFER, bad = CAIRN_CMD_STATUS_BAD_PARAM;
	struct cairn_cq_create a = attr();
	struct hw_cmd c = { .op = CAIRN_CMD_OP_RESIZE_CQ, .number = 5, .in = &a, .in_bytes = 64 };

	(void)state;
	CQ(1)->pi = 100;
	CQ(1)->ci = 10;
	refused(35, &a, CAIRN_CMD_STATUS_BAD_STATE, 0); /* 65 entries in 64 places */
	refused(9, &a, bad, buffer + 2);
	refused(101, &a, bad, buffer + 2);
	a.base++;
	refused(50, &a, bad, buffer);
	a = attr();
	a.log2 = 3;
	refused(50, &a, bad, buffer + 4);
	a.log2 = 16;
	refused(50, &a, bad, buffer + 4);
	a = attr();
	a.eqn = CAIRN_NO_NUMBER;
	refused(50, &a, bad, buffer + 5);
	a.eqn = 0;
	refused(50, &a, bad, buffer + 5);
	a = attr();
	a.db_page = 1;
	refused(50, &a, bad, buffer + 6);
	a = attr();
	hw_expect(&c, BAD_STATE);
	c.number = HW_CQS;
	hw_expect(&c, BAD_INDEX);
	CQ(1)->flags |= CAIRN_CQ_CTX_FLAGS_ERR;
	refused(50, &a, CAIRN_CMD_STATUS_BAD_STATE, 0);
	CQ(1)->flags &= ~CAIRN_CQ_CTX_FLAGS_ERR;
	hw_assert(resize(&a, 36, &c) == CAIRN_CMD_STATUS_OK);
}

static uint32_t moderate(uint32_t cqn, uint64_t count, uint64_t us, struct hw_cmd *c)
{
	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_MODIFY_CQ, .number = cqn, .arg = { count, us } };
	return hw_do(c);
}

static void moderation(void **state)
{
	struct cairn_cq_ctx was = *CQ(2);
	struct hw_cmd c;

	(void)state;
	hw_assert(moderate(2, 65535, 12, &c) == CAIRN_CMD_STATUS_OK);
	was.mod = 65535 | 12u << 16;
	hw_assert(!memcmp(&was, CQ(2), 64));
	hw_assert(moderate(2, 65536, 0, &c) == CAIRN_CMD_STATUS_BAD_PARAM && c.detail == 4);
	hw_assert(moderate(2, 0, 65536, &c) == CAIRN_CMD_STATUS_BAD_PARAM && c.detail == 6);
	hw_assert(moderate(HW_CQS, 0, 0, &c) == CAIRN_CMD_STATUS_BAD_INDEX);
	hw_assert(moderate(9, 0, 0, &c) == CAIRN_CMD_STATUS_BAD_STATE);
	hw_assert(!memcmp(&was, CQ(2), 64));
	hw_assert(moderate(2, 0, 0, &c) == CAIRN_CMD_STATUS_OK);
	hw_assert(!CQ(2)->mod);
}

int main(void)
{
	const struct CMUnitTest tests[] = { FW_TEST(moved), FW_TEST(not_moved),
					    FW_TEST(moderation) };

	return cmocka_run_group_tests_name("fw_cq", tests, NULL, NULL);
}
