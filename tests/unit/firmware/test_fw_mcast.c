// SPDX-License-Identifier: Apache-2.0
/*
 * Multicast groups in firmware (docs/commands.md 9): what stands in the tables on chip, what is
 * refused, and when a QP leaves.
 */
#include "fw_objects.h"

#define FIRST 10u /* of the UD QPs */
#define GROUPS CAIRN_MCAST_GROUPS
#define MEMBERS CAIRN_MCAST_MEMBERS

static uint32_t mcast(enum cairn_cmd_op op, uint32_t qpn, const uint8_t gid[16], struct hw_cmd *c)
{
	*c = (struct hw_cmd){ .op = op, .number = qpn };
	memcpy(c->arg, gid, 16);
	return hw_do(c);
}

static uint32_t attach(uint32_t qpn, const uint8_t gid[16])
{
	struct hw_cmd c;

	return mcast(CAIRN_CMD_OP_ATTACH_MCAST, qpn, gid, &c);
}

static uint32_t detach(uint32_t qpn, const uint8_t gid[16])
{
	struct hw_cmd c;

	return mcast(CAIRN_CMD_OP_DETACH_MCAST, qpn, gid, &c);
}

static const uint8_t *v4(uint8_t last)
{
	static uint8_t gid[16] = { [10] = 0xff, [11] = 0xff, [12] = 239, [14] = 1 };

	gid[15] = last;
	return gid;
}

static const uint8_t *v6(uint8_t last)
{
	static uint8_t gid[16] = { 0xff, 0x0e, [8] = 3 };

	gid[15] = last;
	return gid;
}

/* Is that QP a member of that group, as the receive path sees it?  How often. */
static unsigned int is_member(uint32_t qpn, const uint8_t *gid)
{
	unsigned int found = 0;

	for (unsigned int g = 0; g < GROUPS; g++)
		for (unsigned int p = 0; p < MEMBERS; p++) {
			uint32_t m = hw.members[g * MEMBERS + p];

			found += hw.groups[g].reg & CAIRN_REG_DEV_GROUP_VALID &&
				 !memcmp(hw.groups[g].raw, gid, 16) &&
				 m & CAIRN_REG_DEV_MEMBER_VALID &&
				 CAIRN_GET(m, CAIRN_REG_DEV_MEMBER_QPN) == qpn;
		}
	return found;
}

static unsigned int in_use(void)
{
	unsigned int n = 0;

	for (unsigned int g = 0; g < GROUPS; g++)
		n += !!(hw.groups[g].reg & CAIRN_REG_DEV_GROUP_VALID);
	for (unsigned int m = 0; m < GROUPS * MEMBERS; m++)
		n += !!(hw.members[m] & CAIRN_REG_DEV_MEMBER_VALID);
	return n;
}

static void make_qps(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		make_qp(FIRST + i, CAIRN_QP_TYPE_UD, CAIRN_NO_NUMBER);
}

static void come_and_go(void **state)
{
	unsigned int fences;

	(void)state;
	make_qps(3);
	assert_int_equal(attach(FIRST, v4(1)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(attach(FIRST + 1, v4(1)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(attach(FIRST + 1, v6(1)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(in_use(), 2 + 3);
	assert_int_equal(is_member(FIRST, v4(1)), 1);
	assert_int_equal(is_member(FIRST + 1, v4(1)), 1);
	assert_int_equal(is_member(FIRST + 1, v6(1)), 1);
	assert_int_equal(is_member(FIRST, v6(1)), 0);
	assert_int_equal(attach(FIRST, v4(1)), CAIRN_CMD_STATUS_BAD_STATE); /* it is there */
	assert_int_equal(detach(FIRST, v6(1)), CAIRN_CMD_STATUS_BAD_STATE);
	assert_int_equal(detach(FIRST, v4(2)), CAIRN_CMD_STATUS_BAD_STATE);
	fences = hw.fences;
	assert_int_equal(detach(FIRST, v4(1)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.fences, fences + 1); /* no packet of the group comes any more */
	assert_int_equal(is_member(FIRST, v4(1)), 0);
	assert_int_equal(is_member(FIRST + 1, v4(1)), 1);
	assert_int_equal(detach(FIRST, v4(1)), CAIRN_CMD_STATUS_BAD_STATE);
	assert_int_equal(attach(FIRST + 2, v4(1)), CAIRN_CMD_STATUS_OK); /* into its place */
	hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DESTROY_QP, .number = FIRST + 1 }), OK);
	assert_int_equal(is_member(FIRST + 2, v4(1)), 1);
	assert_int_equal(in_use(), 2); /* it has left both, the second group is no more */
	assert_int_equal(detach(FIRST + 2, v4(1)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(in_use(), 0);
	assert_int_equal(attach(FIRST, v4(1)), CAIRN_CMD_STATUS_OK);
	hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DISABLE }), OK);
	assert_int_equal(in_use(), 0);
}

static void refusals(void **state)
{
	static const uint8_t plain4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 1 },
			     plain6[16] = { 0xfe, 0x80, [15] = 1 }, zero[16];
	uint64_t before;
	struct hw_cmd c;

	(void)state;
	make_qps(1);
	make_qp(3, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	make_qp(1, CAIRN_QP_TYPE_GSI, CAIRN_NO_NUMBER);
	before = hw_state_hash();
	for (unsigned int i = 0; i < 2; i++) {
		enum cairn_cmd_op op = i ? CAIRN_CMD_OP_DETACH_MCAST : CAIRN_CMD_OP_ATTACH_MCAST;

		assert_int_equal(mcast(op, FIRST, plain4, &c), CAIRN_CMD_STATUS_BAD_PARAM);
		assert_int_equal(c.detail, 4);
		assert_int_equal(mcast(op, FIRST, plain6, &c), CAIRN_CMD_STATUS_BAD_PARAM);
		assert_int_equal(mcast(op, FIRST, zero, &c), CAIRN_CMD_STATUS_BAD_PARAM);
		assert_int_equal(mcast(op, HW_QPS, v4(1), &c), CAIRN_CMD_STATUS_BAD_INDEX);
		assert_int_equal(mcast(op, FIRST + 1, v4(1), &c), CAIRN_CMD_STATUS_BAD_STATE);
		assert_int_equal(mcast(op, 3, v4(1), &c), CAIRN_CMD_STATUS_BAD_STATE);
		assert_int_equal(mcast(op, 1, v4(1), &c), CAIRN_CMD_STATUS_BAD_STATE);
	}
	assert_int_equal(hw_state_hash(), before);
	assert_int_equal(in_use(), 0);
	hw_boot(HW_ALL & ~CAIRN_REG_FEATURES_MCAST);
	hw_open();
	assert_int_equal(attach(FIRST, v4(1)), CAIRN_CMD_STATUS_NOT_SUPPORTED);
	hw_boot(HW_ALL & ~CAIRN_REG_FEATURES_IPV6);
	hw_open();
	assert_int_equal(attach(FIRST, v6(1)), CAIRN_CMD_STATUS_NOT_SUPPORTED);
}

/* All groups and all places, and one more of each. */
static void full(void **state)
{
	(void)state;
	make_qps(MEMBERS + 1);
	for (unsigned int g = 0; g < GROUPS; g++)
		assert_int_equal(attach(FIRST, v4((uint8_t)g)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(attach(FIRST, v6(0)), CAIRN_CMD_STATUS_NO_RESOURCE);
	for (unsigned int m = 1; m < MEMBERS; m++)
		assert_int_equal(attach(FIRST + m, v4(5)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(attach(FIRST + MEMBERS, v4(5)), CAIRN_CMD_STATUS_NO_RESOURCE);
	assert_int_equal(in_use(), GROUPS + GROUPS + MEMBERS - 1);
	assert_int_equal(detach(FIRST + 3, v4(5)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(attach(FIRST + MEMBERS, v4(5)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(detach(FIRST, v4(15)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(attach(FIRST, v6(0)), CAIRN_CMD_STATUS_OK);
	assert_int_equal(is_member(FIRST, v6(0)), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { FW_TEST(come_and_go), FW_TEST(refusals),
					    FW_TEST(full) };

	return cmocka_run_group_tests_name("firmware: multicast", tests, NULL, NULL);
}
