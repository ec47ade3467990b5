// SPDX-License-Identifier: Apache-2.0
/* The GID table: what an entry may be, and that one that a path begins at stays as it is. */
#include "dev.h"
#include "fw_objects.h"

static const uint8_t peer4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 99 };
static const uint8_t own4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 1 };
static const uint8_t own6[16] = { 0xfe, 0x80, [15] = 1 };
static const uint8_t peer6[16] = { 0xfe, 0x80, [13] = 0xa1, [14] = 0xb2, [15] = 0xc3 };

static void gid_rules(void **state)
{
	static const uint8_t zero[16],
		mcast6[16] = { 0xff, 2, [15] = 1 },
		mcast4[16] = { [10] = 0xff, [11] = 0xff, [12] = 224, [15] = 1 };
	const struct {
		const uint8_t *gid;
		uint32_t index, vlan, features;
		enum cairn_cmd_status want;
	} cases[] = {
		{ zero, 4, 0, HW_ALL, CAIRN_CMD_STATUS_BAD_PARAM },
		{ mcast6, 4, 0, HW_ALL, CAIRN_CMD_STATUS_BAD_PARAM },
		{ mcast4, 4, 0, HW_ALL, CAIRN_CMD_STATUS_BAD_PARAM },
		{ own6, 4, 0, HW_ALL, CAIRN_CMD_STATUS_BAD_PARAM }, /* already at 0 */
		{ own6, 4, CAIRN_GID_VLAN | 5, HW_ALL, CAIRN_CMD_STATUS_OK },
		{ own6, 0, 0, HW_ALL, CAIRN_CMD_STATUS_OK }, /* itself again */
		{ peer6, 16, 0, HW_ALL, CAIRN_CMD_STATUS_BAD_INDEX },
		{ peer6, 5, 5, HW_ALL, CAIRN_CMD_STATUS_BAD_PARAM },
		{ peer6, 5, CAIRN_GID_VLAN << 1, HW_ALL, CAIRN_CMD_STATUS_BAD_PARAM },
		{ peer6, 5, 0, HW_ALL & ~CAIRN_REG_FEATURES_IPV6, CAIRN_CMD_STATUS_NOT_SUPPORTED },
		{ peer4, 5, CAIRN_GID_VLAN, HW_ALL & ~CAIRN_REG_FEATURES_VLAN,
		  CAIRN_CMD_STATUS_NOT_SUPPORTED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct hw_cmd c = { .op = CAIRN_CMD_OP_SET_GID,
				    .flags = CAIRN_GID_FLAG_VALID,
				    .number = cases[i].index,
				    .arg = { 0, 0, cases[i].vlan } };
		uint64_t before = hw_state_hash();

		memcpy(c.arg, cases[i].gid, 16);
		dev.features = cases[i].features;
		if (hw_do(&c) != cases[i].want)
			hw_fail("case %zu: status %u", i, c.status);
		if (c.status)
			assert_int_equal(hw_state_hash(), before);
	}
	/* what the receive side got to know */
	assert_memory_equal(hw.gids[4].raw, own6, 16);
	assert_int_equal(hw.gids[4].reg, 4 | CAIRN_REG_DEV_GID_VALID | CAIRN_REG_DEV_GID_IPV6 |
						 CAIRN_REG_DEV_GID_VLAN |
						 5 << CAIRN_REG_DEV_GID_VID_SHIFT);
}

/* An entry that a path begins at stays as it is; else it goes, and only then is it another. */
static void gid_in_use(void **state)
{
	struct hw_cmd clear = { .op = CAIRN_CMD_OP_SET_GID, .number = 1 }, other = clear, c;
	struct cairn_qp_attr a = good_attr();
	uint32_t reg = hw.gids[1].reg;

	(void)state;
	other.flags = CAIRN_GID_FLAG_VALID;
	memcpy(other.arg, peer4, 16);
	make_qp(5, CAIRN_QP_TYPE_UD, CAIRN_NO_NUMBER); /* no path */
	move_to(5, CAIRN_QP_TYPE_UD, CAIRN_QP_STATE_RTS);
	make_qp(6, CAIRN_QP_TYPE_RC, CAIRN_NO_NUMBER);
	for (unsigned int s = CAIRN_QP_STATE_INIT; s <= CAIRN_QP_STATE_RTS; s++) {
		bool path = s >= CAIRN_QP_STATE_RTR;

		step(6, CAIRN_QP_TYPE_RC, s);
		c = other;
		assert_int_equal(hw_do(&c), path ? CAIRN_CMD_STATUS_BUSY : CAIRN_CMD_STATUS_OK);
		if (!path) {
			make_gid4(1, 1, 0);
			continue;
		}
		assert_int_equal(c.value0, 6);
		c = clear;
		assert_int_equal(hw_do(&c), CAIRN_CMD_STATUS_BUSY);
		make_gid4(1, 1, 0); /* as it is */
		assert_int_equal(hw.gids[1].reg, reg);
	}
	a.state = CAIRN_QP_STATE_RESET;
	assert_int_equal(modify(6, &a, CAIRN_QP_MASK_STATE, &c), CAIRN_CMD_STATUS_OK);
	c = clear;
	assert_int_equal(hw_do(&c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(c.value0, 0);
	/* not valid, and still with the address for what is on its way out */
	assert_false(hw.gids[1].reg & CAIRN_REG_DEV_GID_VALID);
	assert_memory_equal(hw.gids[1].raw, own4, 16);
	step(6, CAIRN_QP_TYPE_RC, CAIRN_QP_STATE_INIT);
	a.state = CAIRN_QP_STATE_RTR;
	assert_int_equal(modify(6, &a,
				CAIRN_QP_MASK_STATE | needed(CAIRN_QP_TYPE_RC, CAIRN_QP_STATE_RTR),
				&c),
			 CAIRN_CMD_STATUS_BAD_PARAM);
	make_gid4(1, 1, 0);
	step(6, CAIRN_QP_TYPE_RC, CAIRN_QP_STATE_RTR);
}

int main(void)
{
	const struct CMUnitTest tests[] = { FW_TEST(gid_rules), FW_TEST(gid_in_use) };

	return cmocka_run_group_tests_name("fw_gid", tests, NULL, NULL);
}
