// SPDX-License-Identifier: Apache-2.0
/*
 * The command queue in firmware (docs/commands.md 2): many commands at once begin in ring order,
 * whatever their reads take; all are answered, however many more there are than jobs; and firmware
 * that waits for something sleeps.
 */
#include "fw_objects.h"

#define OP(name) CAIRN_CMD_OP_##name

/* What a driver sends to bring a device up. */
static unsigned int bring_up(struct hw_cmd *c)
{
	static const uint8_t log2[] = { [CAIRN_TABLE_QP] = HW_QPS_LOG2,
					[CAIRN_TABLE_QP_COLD] = HW_QPS_LOG2,
					[CAIRN_TABLE_RSP_RES] = HW_QPS_LOG2,
					[CAIRN_TABLE_CQ] = 7,
					[CAIRN_TABLE_SRQ] = 4,
					[CAIRN_TABLE_MPT] = 10,
					[CAIRN_TABLE_MTT] = HW_MTT_LOG2 };
	unsigned int n = 0;

	for (uint32_t t = 0; t <= CAIRN_TABLE_MTT; t++)
		c[n++] = (struct hw_cmd){ .op = OP(SETUP_TABLE),
					  .number = t,
					  .ptr = 0x10000000ull * (t + 1),
					  .arg = { log2[t] } };
	for (uint32_t e = 0; e < 4; e++)
		c[n++] = (struct hw_cmd){
			.op = OP(CREATE_EQ), .number = e, .ptr = 0x90000000, .arg = { 10, e, 0 }
		};
	c[n++] = (struct hw_cmd){ .op = OP(ENABLE) };
	c[n++] = (struct hw_cmd){ .op = OP(SET_PORT) };
	for (uint32_t g = 0; g < 4; g++)
		c[n++] = (struct hw_cmd){ .op = OP(SET_GID),
					  .flags = CAIRN_GID_FLAG_VALID,
					  .number = g,
					  .arg = { 0, (g + 1ull) << 56 | 0x0affff0000ull } };
	return n;
}

static void post_all(struct hw_cmd *c, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		hw_post(&c[i]);
		if (rng_percent(&hw.rng, 20)) /* else all with one doorbell */
			hw_ring();
	}
	hw_ring();
	hw_wait();
}

static void all_at_once(void **state)
{
	struct hw_cmd c[32];

	(void)state;
	for (unsigned int round = 0; round < 100; round++) {
		unsigned int n = bring_up(c);

		post_all(c, n);
		for (unsigned int i = 0; i < n; i++)
			if (c[i].status != CAIRN_CMD_STATUS_OK)
				hw_fail("command %u of round %u: status %u", i, round, c[i].status);
		hw_expect((&(struct hw_cmd){ .op = OP(DISABLE) }), OK);
	}
}

/* ENABLE sees what came before it, and what comes after sees ENABLE. */
static void in_ring_order(void **state)
{
	(void)state;
	for (unsigned int round = 0; round < 100; round++) {
		struct hw_cmd c[32], moved;
		unsigned int n = bring_up(c), from, to;

		for (from = 0; c[from].op != OP(ENABLE); from++)
			;
		moved = c[from];
		to = (unsigned int)rng_below(&hw.rng, from);
		memmove(c + to + 1, c + to, (from - to) * sizeof(*c));
		c[to] = moved;
		post_all(c, n);
		for (unsigned int i = 0; i < n; i++) {
			/* what was missing: tables, EQ 0; EQs 1 and so on may come later */
			bool early = to <= CAIRN_TABLE_MTT + 1;
			bool wrong = early ? i == to : i > to && c[i].op == OP(SETUP_TABLE);

			if (c[i].status != (wrong ? CAIRN_CMD_STATUS_BAD_STATE
						  : CAIRN_CMD_STATUS_OK))
				hw_fail("command %u, ENABLE at %u: status %u", i, to, c[i].status);
		}
		hw_expect((&(struct hw_cmd){ .op = OP(DISABLE) }), OK);
	}
}

/* A full ring of all kinds: with a buffer, without, refused; many more than there are jobs. */
static void full_ring(void **state)
{
	(void)state;
	hw_open();
	for (unsigned int round = 0; round < 200; round++) {
		struct hw_cmd c[32];
		unsigned int n = 1 + (unsigned int)rng_below(&hw.rng, 32);

		for (unsigned int i = 0; i < n; i++)
			switch (rng_below(&hw.rng, 5)) {
			case 0:
				c[i] = (struct hw_cmd){ .op = OP(QUERY_PORT) };
				break;
			case 1:
				c[i] = (struct hw_cmd){ .op = OP(QUERY_DEVICE) };
				break;
			case 2:
				c[i] = (struct hw_cmd){ .op = OP(NOP), .number = 1 };
				break;
			case 3:
				c[i] = (struct hw_cmd){ .op = OP(NOP), .bad_check = 1 };
				break;
			default:
				c[i] = (struct hw_cmd){ .op = OP(NOP) };
			}
		post_all(c, n);
		for (unsigned int i = 0; i < n; i++) {
			bool bad = c[i].number || c[i].bad_check;

			assert_int_equal(c[i].status, bad ? CAIRN_CMD_STATUS_BAD_PARAM
							  : CAIRN_CMD_STATUS_OK);
		}
	}
	hw_expect((&(struct hw_cmd){ .op = OP(DISABLE) }), OK);
}

/* Nothing to do, an address that nobody has: a pass now and then, not one after the other. */
static void sleeps(void **state)
{
	struct hw_cmd c = { .op = OP(RESOLVE), .number = 1 };
	uint8_t nobody[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 77 };
	uint64_t from;

	(void)state;
	hw_open();
	make_gid4(1, 1, 0);
	hw_run(5000000); /* announcements */
	hw.passes = 0;
	hw_run(1000000);
	assert_in_range(hw.passes, 0, 3);

	memcpy(c.arg, nobody, 16);
	hw_post(&c);
	hw_ring();
	hw_run(100000);
	assert_false(c.done);
	hw.passes = 0;
	from = hw.now;
	hw_wait();
	assert_int_equal(c.status, CAIRN_CMD_STATUS_TIMEOUT);
	assert_in_range(hw.now - from, 100000000, 5000000000);
	assert_in_range(hw.passes, 1, 200);
	hw_expect((&(struct hw_cmd){ .op = OP(DISABLE) }), OK);
}

static int setup(void **state)
{
	(void)state;
	hw_boot(HW_ALL);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(all_at_once, setup),
		cmocka_unit_test_setup(in_ring_order, setup),
		cmocka_unit_test_setup(full_ring, setup),
		cmocka_unit_test_setup(sleeps, setup),
	};

	return cmocka_run_group_tests_name("fw_queue", tests, NULL, NULL);
}
