// SPDX-License-Identifier: Apache-2.0
/*
 * Other users of an address of ours; what VLANs keep apart; places for answers, and which frame
 * goes first at the transmitter.
 */
#include "dev.h"
#include "fw_kase.h"
#include "fw_objects.h"

#undef M
#undef S

/* ---- conflicts ---- */

/* What has been announced since: frames that tell our address to all. */
static unsigned int announced(bool v4)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < hw.n_tx; i++)
		n += get(hw.tx[i].data + 12) == (v4 ? 0x0806u : 0x86ddu) && (hw.tx[i].data[0] & 1);
	return n;
}

/*
 * Another host has our address: counted each time, told and defended (RFC 5227 2.4 (c)) once, again
 * defended after 10 s, told again when the address is set anew.
 */
static void conflicts(void **state)
{
	static const struct kase kinds[] = {
		{ "request", REQUEST, NOBODY, .src = own4, .dst = peer4, .dmac = all_ones },
		{ "reply", REPLY, NOBODY, .src = own4 },
		{ "gratuitous", REQUEST, NOBODY, .src = own4, .dst = own4, .dmac = all_ones },
		{ "advertisement", NA, NOBODY, .target = own6, .dst = all_nodes, .flags = 0x20 },
		{ "answer", NA, NOBODY, .target = own6, .flags = 0x60 },
		{ "without option", NA, NOBODY, .target = own6, .mac = nobody, .flags = 0x60 },
		{ "advertises from our address", NA, NOBODY, .src = own6, .flags = 0x60 },
		{ "asks from our address", NS, NOBODY, .src = own6 },
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		bool v4 = is4(kinds[i].kind);
		unsigned int counted = hw.outcomes[CONFLICT], events;
		uint8_t f[256];

		link_flap();
		events = hw_count_events(CAIRN_EQE_TYPE_ADDR_CONFLICT, v4);
		for (unsigned int k = 0; k < 5; k++) {
			hw_receive(f, build(&kinds[i], f, 0));
			hw_run(1000000000);
		}
		assert_int_equal(hw.outcomes[CONFLICT] - counted, 5);
		assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_ADDR_CONFLICT, v4) - events, 1);
		assert_int_equal(hw.events[(hw.n_events - 1) % HW_EVENTS].data, 0x00000099);
		assert_int_equal(hw.n_tx, 1);
		assert_int_equal(announced(v4), 1);
		hw_run(6000000000);
		hw_receive(f, build(&kinds[i], f, 0));
		hw_run(1000000000);
		assert_int_equal(announced(v4), 2);
		assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_ADDR_CONFLICT, v4) - events, 1);
	}
	/* set anew: told again */
	make_gid4(1, 1, 0);
	hw_run(1000000);
	hw.n_tx = 0;
	{
		unsigned int events = hw_count_events(CAIRN_EQE_TYPE_ADDR_CONFLICT, 1);
		uint8_t f[256];

		hw_receive(f, build(&kinds[0], f, 0));
		hw_run(1000000);
		assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_ADDR_CONFLICT, 1) - events, 1);
	}
}

/* The same address in another VLAN is somebody else's: no conflict, no answer, no neighbour. */
static void vlans(void **state)
{
	struct kase k[] = {
		{ "conflict", REQUEST, NOBODY, .src = own4, .dmac = all_ones },
		{ "answer", NA, ASKED, .flags = 0x60 },
		{ .name = "ping", .kind = PING4 },
		{ "probe", NS, NOBODY, .src = nobody, .dst = solicited_node, .mac = nobody },
	};
	unsigned int conflict = hw.outcomes[CONFLICT], used;
	struct hw_cmd c;
	uint8_t f[256];

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(k); i++) {
		prepare(&k[i], &c);
		used = hw.outcomes[USED];
		hw.n_tx = 0;
		hw_receive(f, build(&k[i], f, 0x10007));
		hw_run(20000);
		assert_int_equal(hw.outcomes[USED], used);
		assert_int_equal(hw.n_tx, 0);
		hw_wait();
		assert_true(mac_of(&c) == ASKS || k[i].before != ASKED);
	}
	assert_int_equal(hw.outcomes[CONFLICT], conflict);
	/* a priority tag is no VLAN (IEEE 802.1Q 9.6) */
	hw.n_tx = 0;
	hw_receive(f, build(&k[2], f, 0x1e000));
	hw_run(20000);
	assert_int_equal(hw.n_tx, 1);
}

/* ---- who comes first ---- */

/* A place for the answer while the question is out, in its VLAN and family; again after a frame
 * that took it and was no answer. */
static void places(void **state)
{
	struct kase answer = { .name = "answer", .kind = REPLY, .before = ASKED };
	unsigned int valid = 0;
	struct hw_cmd c;
	uint8_t f[256];

	(void)state;
	prepare(&answer, &c);
	for (unsigned int i = 0; i < CAIRN_RAW_ANSWERS; i++)
		if (hw.await[i].reg >> 31) {
			valid++;
			assert_int_equal(hw.await[i].key, 0x0a000063);
			assert_int_equal(CAIRN_GET(hw.await[i].reg, CAIRN_REG_RAW_AWAIT_VID), 0);
			assert_int_equal(CAIRN_GET(hw.await[i].reg, CAIRN_REG_RAW_AWAIT_IPV6), 0);
			hw.await[i].reg = 0; /* as hardware does when one has come */
		}
	assert_int_equal(valid, 1);
	answer.mac = zero_mac;
	hw_receive(f, build(&answer, f, 0));
	hw.rx[0].awaited = true;
	hw_run(20000);
	for (unsigned int i = 0; i < CAIRN_RAW_ANSWERS; i++)
		valid += hw.await[i].reg >> 31;
	assert_int_equal(valid, 2);
	answer.mac = NULL;
	hw_receive(f, build(&answer, f, 0));
	hw.rx[0].awaited = true;
	hw_run(20000);
	assert_true(c.done && mac_of(&c) == PEER);
	for (unsigned int i = 0; i < CAIRN_RAW_ANSWERS; i++)
		assert_int_equal(hw.await[i].reg >> 31, 0);
}

/* Seven at once, over and over, of different neighbours: each has a place while it waits. */
static void places_for_all(void **state)
{
	(void)state;
	for (unsigned int round = 0; round < 20; round++) {
		struct hw_cmd c[7];
		unsigned int valid = 0;

		for (unsigned int i = 0; i < 7; i++) {
			uint8_t gid[16] = GID4(10, 1, 0, 0);

			gid[14] = (uint8_t)round;
			gid[15] = (uint8_t)(i + 1);
			c[i] = (struct hw_cmd){ .op = CAIRN_CMD_OP_RESOLVE, .number = 1 };
			memcpy(c[i].arg, gid, 16);
			hw_post(&c[i]);
		}
		hw_ring();
		hw_run(50000000);
		for (unsigned int i = 0; i < 7; i++)
			for (unsigned int k = 0; k < CAIRN_RAW_ANSWERS; k++)
				valid += hw.await[k].reg >> 31 &&
					 hw.await[k].key == (0x0a010001u | round << 8) + i;
		assert_int_equal(valid, 7);
		hw_wait();
	}
}

/* A flood of requests, more than can be answered: a question of ours goes out all the same. */
static void question_first(void **state)
{
	struct kase request = { "request", REQUEST, NOBODY, .dmac = all_ones };
	unsigned int asked = 0, answered = 0;
	struct hw_cmd c;
	uint8_t f[256];
	uint32_t len = build(&request, f, 0);

	(void)state;
	link_flap();
	hw.tx_slow = 25;
	c = (struct hw_cmd){ .op = CAIRN_CMD_OP_RESOLVE, .number = 1 };
	memcpy(c.arg, stranger4, 16);
	hw_post(&c);
	hw_ring();
	for (unsigned int i = 0; i < 200; i++) {
		while (hw.n_rx < 16)
			hw_receive(f, len);
		hw_run(1000);
	}
	for (unsigned int i = 0; i < hw.n_tx && i < 64; i++) {
		asked += hw.tx[i].data[21] == 1 && i < 4;
		answered += hw.tx[i].data[21] == 2;
	}
	hw.tx_slow = 0;
	hw.n_rx = 0;
	assert_int_equal(asked, 1);
	assert_in_range(answered, 10, 63);
	hw_wait();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FW_TEST(conflicts),	 FW_TEST(vlans),	  FW_TEST(places),
		FW_TEST(places_for_all), FW_TEST(question_first),
	};

	return cmocka_run_group_tests_name("fw_conflict", tests, NULL, NULL);
}
