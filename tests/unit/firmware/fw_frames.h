/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a peer for tests of firmware, made and checked in a way of their own, and RESOLVE. */
#ifndef CAIRN_TEST_FW_FRAMES_H
#define CAIRN_TEST_FW_FRAMES_H

#include "fw_hw.h"

#define V4 CAIRN_ETHERTYPE_IPV4
#define V6 CAIRN_ETHERTYPE_IPV6

static const uint8_t mine[6] = { 2, 0, 0, 0, 0x0a, 1 };
static const uint8_t peer_mac[6] = { 2, 0, 0, 0, 0, 0x99 };
static const uint8_t peer4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 99 };
static const uint8_t own4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = 1 };
static const uint8_t own6[16] = { 0xfe, 0x80, [15] = 1 };
static const uint8_t peer6[16] = { 0xfe, 0x80, [13] = 0xa1, [14] = 0xb2, [15] = 0xc3 };
static const uint8_t all_nodes[16] = { 0xff, 2, [15] = 1 };

static inline void put(uint8_t *p, unsigned int v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline unsigned int get(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* RFC 1071, in a way of its own. */
static inline uint16_t ones(const uint8_t *p, size_t n, uint64_t start)
{
	uint64_t sum = start;

	for (size_t i = 0; i < n; i++)
		sum += (uint64_t)p[i] << (i & 1 ? 0 : 8);
	return (uint16_t) ~(sum % 0xffff ? sum % 0xffff : (sum ? 0xffff : 0));
}

static inline uint16_t icmp6_sum(const uint8_t *ip)
{
	unsigned int bytes = get(ip + 4);
	uint8_t buffer[2200];

	memcpy(buffer, ip + 8, 32);
	memcpy(buffer + 32, ip + 40, bytes);
	return ones(buffer, 32 + bytes, bytes + 58u);
}

/* ---- frames of the peer ---- */

static inline uint32_t eth(uint8_t *f, const uint8_t *to, uint32_t tci, unsigned int etype)
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

static inline uint32_t arp(uint8_t *f, uint32_t tci, unsigned int op, const uint8_t *target_ip)
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
static inline uint32_t ip6(uint8_t *f, uint32_t at, const uint8_t *src, const uint8_t *dst,
			   uint32_t bytes)
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

static inline uint32_t nd(uint8_t *f, uint32_t tci, unsigned int type, const uint8_t *src,
			  const uint8_t *dst, const uint8_t *target, bool option)
{
	uint32_t at = eth(f, mine, tci, V6), bytes = option ? 32 : 24;
	uint8_t *icmp = f + at + 40;

	memset(icmp, 0, 32);
	icmp[0] = (uint8_t)type;
	icmp[4] = type == 136 ? 0x60 : 0; /* solicited, override */
	memcpy(icmp + 8, target, 16);
	icmp[24] = type == 135 ? 1 : 2;
	icmp[25] = 1;
	memcpy(icmp + 26, peer_mac, 6);
	return ip6(f, at, src, dst, bytes);
}

static inline uint32_t ping4(uint8_t *f, uint32_t tci, uint32_t data, const uint8_t *dst)
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

static inline uint32_t ping6(uint8_t *f, uint32_t tci, uint32_t data, const uint8_t *dst)
{
	uint32_t at = eth(f, mine, tci, V6);
	uint8_t *icmp = f + at + 40;

	memset(icmp, 0, 8);
	icmp[0] = 128;
	for (uint32_t i = 0; i < data; i++)
		icmp[8 + i] = (uint8_t)rng_u64(&hw.rng);
	return ip6(f, at, peer6, dst, 8 + data);
}

static inline const struct hw_frame *answer(const uint8_t *f, uint32_t len)
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

static inline uint32_t resolve(unsigned int sgid, const uint8_t *dgid, struct hw_cmd *c)
{
	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_RESOLVE, .number = sgid };
	memcpy(c->arg, dgid, 16);
	return hw_do(c);
}

/* RESOLVE while the peer answers its n-th question. */
static inline uint32_t resolve_with(unsigned int sgid, const uint8_t *dgid, const uint8_t *f,
				    uint32_t len, unsigned int answers_after, struct hw_cmd *c)
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

#endif
