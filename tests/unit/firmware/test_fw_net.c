// SPDX-License-Identifier: Apache-2.0
/*
 * The network's slow path: ARP, neighbour discovery (RFC 4861), echo of both families, VLAN tags,
 * RESOLVE, announcements; and frames of which anything may be wrong.
 */
#include "fw.h"
#include "fw_objects.h"

/* Both headers have such names. */
#undef M
#undef S

#define V4 CAIRN_ETHERTYPE_IPV4
#define V6 CAIRN_ETHERTYPE_IPV6

static const uint8_t mine[6] = { 2, 0, 0, 0, 0x0a, 1 };
static const uint8_t peer_mac[6] = { 2, 0, 0, 0, 0, 0x99 };
static const uint8_t peer4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 99 };
static const uint8_t own4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 1 };
static const uint8_t own6[16] = { 0xfe, 0x80, [15] = 1 };
static const uint8_t peer6[16] = { 0xfe, 0x80, [13] = 0xa1, [14] = 0xb2, [15] = 0xc3 };
static const uint8_t all_nodes[16] = { 0xff, 2, [15] = 1 };

static void put(uint8_t *p, unsigned int v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static unsigned int get(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* RFC 1071, in a way of its own. */
static uint16_t ones(const uint8_t *p, size_t n, uint64_t start)
{
	uint64_t sum = start;

	for (size_t i = 0; i < n; i++)
		sum += (uint64_t)p[i] << (i & 1 ? 0 : 8);
	return (uint16_t) ~(sum % 0xffff ? sum % 0xffff : (sum ? 0xffff : 0));
}

static uint16_t icmp6_sum(const uint8_t *ip)
{
	unsigned int bytes = get(ip + 4);
	uint8_t buffer[2200];

	memcpy(buffer, ip + 8, 32);
	memcpy(buffer + 32, ip + 40, bytes);
	return ones(buffer, 32 + bytes, bytes + 58u);
}

/* ---- frames of the peer ---- */

static uint32_t eth(uint8_t *f, const uint8_t *to, uint32_t tci, unsigned int etype)
{
	memcpy(f, to, 6);
	memcpy(f + 6, peer_mac, 6);
	if (tci) {
		put(f + 12, 0x8100);
		put(f + 14, tci & 0xffff);
	}
	put(f + (tci ? 16 : 12), etype);
	return tci ? 18 : 14;
}

static uint32_t arp(uint8_t *f, uint32_t tci, unsigned int op, const uint8_t *target_ip)
{
	static const uint8_t head[6] = { 0, 1, 8, 0, 6, 4 };
	uint32_t at = eth(f, mine, tci, 0x0806);

	memcpy(f + at, head, 6);
	put(f + at + 6, op);
	memcpy(f + at + 8, peer_mac, 6);
	memcpy(f + at + 14, peer4 + 12, 4);
	memset(f + at + 18, 0, 6);
	memcpy(f + at + 24, target_ip, 4);
	return at + 28;
}

/* ICMPv6 of `bytes`, hop limit 255; the message is in place already from at + 40 on. */
static uint32_t ip6(uint8_t *f, uint32_t at, const uint8_t *src, const uint8_t *dst, uint32_t bytes)
{
	uint8_t *ip = f + at;

	memset(ip, 0, 40);
	ip[0] = 0x60;
	put(ip + 4, bytes);
	ip[6] = 58;
	ip[7] = 255;
	memcpy(ip + 8, src, 16);
	memcpy(ip + 24, dst, 16);
	put(ip + 42, 0);
	put(ip + 42, icmp6_sum(ip));
	return at + 40 + bytes;
}

static uint32_t nd(uint8_t *f, uint32_t tci, unsigned int type, const uint8_t *src,
		   const uint8_t *dst, const uint8_t *target, bool option)
{
	uint32_t at = eth(f, mine, tci, V6), bytes = option ? 32 : 24;
	uint8_t *icmp = f + at + 40;

	memset(icmp, 0, 32);
	icmp[0] = (uint8_t)type;
	memcpy(icmp + 8, target, 16);
	icmp[24] = type == 135 ? 1 : 2;
	icmp[25] = 1;
	memcpy(icmp + 26, peer_mac, 6);
	return ip6(f, at, src, dst, bytes);
}

static uint32_t ping4(uint8_t *f, uint32_t tci, uint32_t data, const uint8_t *dst)
{
	uint32_t at = eth(f, mine, tci, V4);
	uint8_t *ip = f + at;

	memset(ip, 0, 28);
	ip[0] = 0x45;
	put(ip + 2, 28 + data);
	ip[8] = 1;
	ip[9] = 1;
	memcpy(ip + 12, peer4 + 12, 4);
	memcpy(ip + 16, dst, 4);
	put(ip + 10, ones(ip, 20, 0));
	ip[20] = 8;
	put(ip + 24, 0x1234);
	for (uint32_t i = 0; i < data; i++)
		ip[28 + i] = (uint8_t)rng_u64(&hw.rng);
	put(ip + 22, ones(ip + 20, 8 + data, 0));
	return at + 28 + data;
}

static uint32_t ping6(uint8_t *f, uint32_t tci, uint32_t data, const uint8_t *dst)
{
	uint32_t at = eth(f, mine, tci, V6);
	uint8_t *icmp = f + at + 40;

	memset(icmp, 0, 8);
	icmp[0] = 128;
	for (uint32_t i = 0; i < data; i++)
		icmp[8 + i] = (uint8_t)rng_u64(&hw.rng);
	return ip6(f, at, peer6, dst, 8 + data);
}

static const struct hw_frame *answer(const uint8_t *f, uint32_t len)
{
	unsigned int before = hw.n_tx;

	hw_receive(f, len);
	hw_run(20000);
	assert_int_equal(hw.n_rx, 0);
	if (hw.n_tx == before)
		return NULL;
	assert_int_equal(hw.n_tx, before + 1);
	return &hw.tx[before % 64];
}

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

static uint32_t resolve(unsigned int sgid, const uint8_t *dgid, struct hw_cmd *c)
{
	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_RESOLVE, .number = sgid };
	memcpy(c->arg, dgid, 16);
	return hw_do(c);
}

/* RESOLVE while the peer answers its n-th question. */
static uint32_t resolve_with(unsigned int sgid, const uint8_t *dgid, const uint8_t *f, uint32_t len,
			     unsigned int answers_after, struct hw_cmd *c)
{
	unsigned int before = hw.n_tx;

	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_RESOLVE, .number = sgid };
	memcpy(c->arg, dgid, 16);
	hw_post(c);
	hw_ring();
	while (hw.n_tx - before < answers_after)
		hw_run(10000);
	hw_receive(f, len);
	hw_wait();
	return c->status;
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

/* A neighbour of one VLAN is none of another. */
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
	/* who asked is known */
	hw.n_tx = 0;
	assert_int_equal(resolve(0, peer6, &c), CAIRN_CMD_STATUS_OK);
	assert_int_equal(hw.n_tx, 0);
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
