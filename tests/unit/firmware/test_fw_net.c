// SPDX-License-Identifier: Apache-2.0
/*
 * The network's slow path: ARP, neighbour discovery (RFC 4861), echo of both families, VLAN tags,
 * RESOLVE, announcements; and frames of which anything may be wrong.
 */
#include "dev.h"
#include "fw_frames.h"
#include "fw_objects.h"

/* Both headers have such names. */
#undef M
#undef S

/* ---- tests ---- */

static void arp_answers(void **state)
{
	uint8_t f[128];
	const struct hw_frame *a;

	(void)state;
	make_gid4(3, 7, CAIRN_GID_VLAN | 0x6005);
	hw_run(1000000);
	a = answer(f, arp(f, 0, 1, own4 + 12));
	assert_non_null(a);
	assert_int_equal(a->len, 42);
	assert_memory_equal(a->data, peer_mac, 6);
	assert_memory_equal(a->data + 6, mine, 6);
	assert_int_equal(get(a->data + 20), 2);
	assert_memory_equal(a->data + 22, mine, 6);
	assert_memory_equal(a->data + 28, own4 + 12, 4);
	assert_memory_equal(a->data + 32, peer_mac, 6);
	assert_memory_equal(a->data + 38, peer4 + 12, 4);
	/* others' addresses, and ours in another VLAN */
	assert_null(answer(f, arp(f, 0, 1, peer4 + 12)));
	assert_null(answer(f, arp(f, 0x10005, 1, own4 + 12)));
	assert_null(answer(f, arp(f, 0, 1, (const uint8_t[]){ 10, 0, 0, 7 })));
	assert_null(answer(f, arp(f, 0, 2, own4 + 12)));
	/* a priority tag is no VLAN; the answer in a VLAN has its tag and priority */
	assert_non_null(answer(f, arp(f, 0x1e000, 1, own4 + 12)));
	a = answer(f, arp(f, 0x10005, 1, (const uint8_t[]){ 10, 0, 0, 7 }));
	assert_non_null(a);
	assert_int_equal(a->len, 46);
	assert_int_equal(get(a->data + 12), 0x8100);
	assert_int_equal(get(a->data + 14), 0x6005);
	assert_int_equal(get(a->data + 16), 0x0806);
}

static void resolve_v6(void **state)
{
	static const uint8_t target[16] = { 0xfe, 0x80, [13] = 0xd4, [14] = 0xe5, [15] = 0xf6 };
	static const uint8_t group[16] = {
		0xff, 2, [11] = 1, [12] = 0xff, [13] = 0xd4, [14] = 0xe5, [15] = 0xf6
	};
	const struct hw_frame *q = &hw.tx[0];
	uint8_t f[128];
	struct hw_cmd c;

	(void)state;
	hw_run(2000000);
	hw.n_tx = 0;
	assert_int_equal(resolve_with(0, target, f, nd(f, 0, 136, target, own6, target, true), 3,
				      &c),
			 CAIRN_CMD_STATUS_OK);
	assert_int_equal(c.value0, 0x00000099);
	assert_int_equal(c.value1, 0x0200);
	/* the question: to the solicited-node group, from us, hop limit 255, with our MAC */
	assert_int_equal(q->len, 14 + 40 + 32);
	assert_memory_equal(q->data, ((const uint8_t[]){ 0x33, 0x33, 0xff, 0xd4, 0xe5, 0xf6 }), 6);
	assert_int_equal(get(q->data + 12), V6);
	assert_int_equal(q->data[14 + 7], 255);
	assert_memory_equal(q->data + 14 + 8, own6, 16);
	assert_memory_equal(q->data + 14 + 24, group, 16);
	assert_int_equal(q->data[54], 135);
	assert_memory_equal(q->data + 54 + 8, target, 16);
	assert_memory_equal(q->data + 54 + 24, ((const uint8_t[]){ 1, 1 }), 2);
	assert_memory_equal(q->data + 54 + 26, mine, 6);
	assert_int_equal(icmp6_sum(q->data + 14), 0);
	/* known now: no question any more */
	hw.n_tx = 0;
	assert_int_equal(resolve(0, target, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.n_tx, 0);
}

/* What was heard half a minute ago, or before a change of the link, is asked for again. */
static void resolve_anew(void **state)
{
	struct hw_cmd c;
	uint8_t f[128];

	(void)state;
	for (unsigned int link = 0; link < 2; link++) {
		uint32_t len = nd(f, 0, 136, peer6, own6, peer6, true);

		hw_run(2000000);
		assert_int_equal(resolve_with(0, peer6, f, len, 1, &c), CAIRN_CMD_STATUS_OK);
		hw.n_tx = 0;
		hw_run(20000000000);
		assert_int_equal(resolve(0, peer6, &c), CAIRN_CMD_STATUS_OK);
		assert_int_equal(hw.n_tx, 0);
		if (link) {
			hw.link = CAIRN_REG_DEV_LINK_CHANGED;
			hw_run(2000000);
			hw.link = CAIRN_REG_DEV_LINK_UP | CAIRN_REG_DEV_LINK_CHANGED;
			hw_run(2000000);
		} else {
			hw_run(11000000000);
		}
		hw.n_tx = 0;
		/* he has another address now */
		memset(f + 6, 0x42, 6);
		f[6] = 2;
		memcpy(f + len - 6, f + 6, 6);
		put(f + 56, 0);
		put(f + 56, icmp6_sum(f + 14));
		assert_int_equal(resolve_with(0, peer6, f, len, 1, &c), CAIRN_CMD_STATUS_OK);
		assert_int_equal(c.value0, 0x42424242);
		hw_run(31000000000);
	}
}

/* An echo that gets longer by a tag than a frame may be is not answered. */
static void echo_with_a_tag(void **state)
{
	static uint8_t f[2048];
	static const uint8_t tagged[4] = { 10, 0, 0, 8 };
	uint32_t most = sizeof(f) - 14 - 20 - 8; /* of data */

	(void)state;
	make_gid4(4, 8, CAIRN_GID_VLAN | 0x6000);
	hw_run(1000000);
	for (unsigned int less = 0; less < 8; less += 4) {
		const struct hw_frame *a = answer(f, ping4(f, 0, most - less, tagged));

		assert_true(less ? a && a->len == sizeof(f) : !a);
	}
}

static void resolve_refusals(void **state)
{
	static const uint8_t zero[16],
		nobody4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 200 },
		nobody6[16] = { 0xfd, [15] = 200 };
	uint64_t before;
	struct hw_cmd c;

	(void)state;
	assert_int_equal(resolve(0, zero, &c), CAIRN_CMD_STATUS_BAD_PARAM);
	assert_int_equal(resolve(0, peer4, &c), CAIRN_CMD_STATUS_BAD_PARAM);
	assert_int_equal(resolve(1, peer6, &c), CAIRN_CMD_STATUS_BAD_PARAM);
	assert_int_equal(resolve(5, peer6, &c), CAIRN_CMD_STATUS_BAD_STATE);
	assert_int_equal(resolve(16, peer6, &c), CAIRN_CMD_STATUS_BAD_INDEX);
	for (int v6 = 0; v6 < 2; v6++) {
		hw.n_tx = 0;
		before = hw.now;
		assert_int_equal(resolve(!v6, v6 ? nobody6 : nobody4, &c),
				 CAIRN_CMD_STATUS_TIMEOUT);
		assert_in_range(hw.now - before, 1000000000, 1100000000);
		assert_in_range(hw.n_tx, 9, 11); /* asked again every 100 ms */
	}
}

static void resolve_groups(void **state)
{
	static const uint8_t
		g4[16] = { [10] = 0xff, [11] = 0xff, [12] = 239, [13] = 0x85, [14] = 2, [15] = 3 },
		g6[16] = { 0xff, 0x0e, [12] = 0xa1, [13] = 0xb2, [14] = 0xc3, [15] = 0xd4 };
	struct hw_cmd c;

	(void)state;
	hw.n_tx = 0;
	assert_int_equal(resolve(1, g4, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(c.value1, 0x0100);
	assert_int_equal(c.value0, 0x5e050203);
	assert_int_equal(resolve(0, g6, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(c.value1, 0x3333);
	assert_int_equal(c.value0, 0xa1b2c3d4);
	assert_int_equal(resolve(0, own6, &c), CAIRN_CMD_STATUS_OK); /* ourselves */
	assert_int_equal(c.value0, 0x00000a01);
	assert_int_equal(hw.n_tx, 0);
}

/* A neighbour of one VLAN is not one of another. */
static void neighbours_have_vlans(void **state)
{
	static const uint8_t him[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 99 };
	uint8_t f[128];
	struct hw_cmd c;

	(void)state;
	make_gid4(3, 7, CAIRN_GID_VLAN | 9);
	hw_run(1000000);
	assert_int_equal(resolve_with(3, him, f,
				      arp(f, 0x10009, 2, (const uint8_t[]){ 10, 0, 0, 7 }), 1, &c),
			 CAIRN_CMD_STATUS_OK);
	assert_int_equal(get(hw.tx[(hw.n_tx - 1) % 64].data + 12), 0x8100);
	hw.n_tx = 0;
	assert_int_equal(resolve(3, him, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.n_tx, 0);
}

static void solicitations(void **state)
{
	static const uint8_t zero[16], other[16] = { 0xfe, 0x80, [15] = 2 };
	const uint8_t group[16] = { 0xff, 2, [11] = 1, [12] = 0xff, [15] = 1 };
	const struct hw_frame *a;
	uint8_t f[128];
	struct hw_cmd c;

	(void)state;
	a = answer(f, nd(f, 0, 135, peer6, group, own6, true));
	assert_non_null(a);
	assert_int_equal(a->len, 14 + 40 + 32);
	assert_memory_equal(a->data, peer_mac, 6);
	assert_memory_equal(a->data + 14 + 24, peer6, 16);
	assert_int_equal(a->data[54], 136);
	assert_int_equal(a->data[54 + 4], 0x60); /* solicited, override */
	assert_memory_equal(a->data + 54 + 8, own6, 16);
	assert_memory_equal(a->data + 54 + 24, ((const uint8_t[]){ 2, 1 }), 2);
	assert_memory_equal(a->data + 54 + 26, mine, 6);
	assert_int_equal(icmp6_sum(a->data + 14), 0);
	/* who asked is not known by that: only a question of ours makes a neighbour */
	hw.n_tx = 0;
	assert_int_equal(resolve(0, peer6, &c), CAIRN_CMD_STATUS_TIMEOUT);
	assert_in_range(hw.n_tx, 9, 11);
	/* somebody tries our address out: everybody hears that it is taken */
	a = answer(f, nd(f, 0, 135, zero, group, own6, false));
	assert_non_null(a);
	assert_memory_equal(a->data, ((const uint8_t[]){ 0x33, 0x33, 0, 0, 0, 1 }), 6);
	assert_memory_equal(a->data + 14 + 24, all_nodes, 16);
	assert_int_equal(a->data[54 + 4], 0x20);
	/* not for us, or not to be trusted */
	assert_null(answer(f, nd(f, 0, 135, peer6, group, other, true)));
	assert_null(answer(f, nd(f, 0, 135, zero, group, own6, true)));
	assert_null(answer(f, nd(f, 0x10007, 135, peer6, group, own6, true)));
	nd(f, 0, 135, peer6, group, own6, true);
	f[14 + 7] = 254; /* over a router; the checksum does not count it */
	assert_null(answer(f, 86));
	nd(f, 0, 135, peer6, group, own6, true);
	f[60] ^= 1; /* checksum */
	assert_null(answer(f, 86));
	nd(f, 0, 135, peer6, group, own6, true);
	f[54 + 25] = 0; /* an option without length */
	ip6(f, 14, peer6, group, 32);
	assert_null(answer(f, 86));
}

static void echoes(void **state)
{
	static const uint32_t sizes[] = { 0, 1, 2, 17, 56, 1000, 1900 };
	static uint8_t f[2048];

	(void)state;
	make_gid4(3, 7, CAIRN_GID_VLAN | 0x2009);
	hw_run(1000000);
	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(sizes); i++) {
		uint32_t n = sizes[i / 2], len;
		const struct hw_frame *a;

		len = i & 1 ? ping6(f, 0, n, own6) : ping4(f, 0, n, own4 + 12);
		a = answer(f, len);
		assert_non_null(a);
		assert_int_equal(a->len, len);
		assert_memory_equal(a->data, peer_mac, 6);
		if (i & 1) {
			assert_int_equal(a->data[54], 129);
			assert_int_equal(icmp6_sum(a->data + 14), 0);
			assert_memory_equal(a->data + 14 + 8, own6, 16);
			assert_memory_equal(a->data + 14 + 24, peer6, 16);
			assert_memory_equal(a->data + 58, f + 58, len - 58);
		} else {
			assert_int_equal(a->data[34], 0);
			assert_int_equal(ones(a->data + 14, 20, 0), 0);
			assert_int_equal(ones(a->data + 34, len - 34, 0), 0);
			assert_memory_equal(a->data + 26, own4 + 12, 4);
			assert_memory_equal(a->data + 38, f + 38, len - 38);
		}
	}
	assert_null(answer(f, ping4(f, 0x12009, 8, own4 + 12)));
	assert_non_null(answer(f, ping4(f, 0x10009, 8, (const uint8_t[]){ 10, 0, 0, 7 })));
	assert_null(answer(f, ping6(f, 0, 8, all_nodes)));
	assert_null(answer(f, ping6(f, 0, 8, peer6)));
	ping6(f, 0, 8, own6);
	assert_null(answer(f, 14 + 40 + 15)); /* a byte short */
}

/* The link comes up: every address is announced, as its family and VLAN want it. */
static void announcements(void **state)
{
	const struct hw_frame *a;
	unsigned int v6 = 0;

	(void)state;
	make_gid4(3, 7, CAIRN_GID_VLAN | 0x2009);
	hw_run(1000000);
	hw.n_tx = 0;
	hw.link = 0;
	hw.link = CAIRN_REG_DEV_LINK_UP | CAIRN_REG_DEV_LINK_CHANGED;
	hw_run(1000000);
	assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_PORT_ACTIVE, 1), 1);
	assert_int_equal(hw.n_tx, 3);
	for (unsigned int i = 0; i < 3; i++) {
		a = &hw.tx[i];
		if (get(a->data + 12) == V6) {
			v6++;
			assert_int_equal(a->data[54], 136);
			assert_int_equal(a->data[58], 0x20);
			assert_memory_equal(a->data + 14 + 8, own6, 16);
			assert_memory_equal(a->data + 14 + 24, all_nodes, 16);
			assert_int_equal(icmp6_sum(a->data + 14), 0);
		}
	}
	assert_int_equal(v6, 1);
	hw.link = CAIRN_REG_DEV_LINK_CHANGED;
	hw_run(1000000);
	assert_int_equal(hw_count_events(CAIRN_EQE_TYPE_PORT_ERR, 1), 1);
	assert_int_equal(hw.n_tx, 3);
}

/* Good frames with any byte changed or cut anywhere: at most an answer, never a crash or a frame
 * that is longer than what came. */
static void any_frame(void **state)
{
	static const uint8_t group[16] = { 0xff, 2, [11] = 1, [12] = 0xff, [15] = 1 };
	static uint8_t f[2048];

	(void)state;
	for (unsigned int i = 0; i < 60000; i++) {
		unsigned int kind = (unsigned int)rng_below(&hw.rng, 6), before = hw.n_tx;
		uint32_t tci = rng_percent(&hw.rng, 20) ? 0x10009 : 0, len = 0, n;

		n = (uint32_t)rng_below(&hw.rng, 200);
		if (kind == 0)
			len = arp(f, tci, 1, own4 + 12);
		else if (kind == 1)
			len = ping4(f, tci, n, own4 + 12);
		else if (kind == 2)
			len = ping6(f, tci, n, own6);
		else if (kind == 3)
			len = nd(f, tci, 135, peer6, group, own6, true);
		else if (kind == 4)
			len = nd(f, tci, 136, peer6, own6, peer6, true);
		else
			rng_bytes(&hw.rng, f, len = 14 + n);
		for (n = (uint32_t)rng_below(&hw.rng, 4); n; n--)
			f[rng_below(&hw.rng, len)] ^= (uint8_t)rng_u64(&hw.rng);
		if (rng_percent(&hw.rng, 30) && (kind == 2 || kind == 3 || kind == 4) && !tci &&
		    get(f + 18) <= 1000) /* with a checksum that is right again */
			put(f + 56, 0), put(f + 56, icmp6_sum(f + 14));
		if (rng_percent(&hw.rng, 20))
			len = 14 + (uint32_t)rng_below(&hw.rng, len - 13);
		hw_receive(f, len);
		hw_run(4000);
		if (hw.n_tx != before)
			assert_in_range(hw.tx[before % 64].len, 14, len > 90 ? len : 90);
		hw.n_rx = 0;
	}
	hw_run(1000000);
	assert_non_null(answer(f, arp(f, 0, 1, own4 + 12)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FW_TEST(arp_answers),
		FW_TEST(resolve_v6),
		FW_TEST(resolve_anew),
		FW_TEST(echo_with_a_tag),
		FW_TEST(resolve_refusals),
		FW_TEST(resolve_groups),
		FW_TEST(neighbours_have_vlans),
		FW_TEST(solicitations),
		FW_TEST(echoes),
		FW_TEST(announcements),
		FW_TEST(any_frame),
	};

	return cmocka_run_group_tests_name("fw_net", tests, NULL, NULL);
}
