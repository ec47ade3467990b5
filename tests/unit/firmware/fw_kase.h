/* SPDX-License-Identifier: Apache-2.0 */
/* A frame of a peer in terms of what may be wrong with it, and what was known of him before. */
#ifndef CAIRN_TEST_FW_KASE_H
#define CAIRN_TEST_FW_KASE_H

#include "fw_frames.h"

enum kind { REQUEST, REPLY, NS, NA, PING4, PING6 };
enum before {
	NOBODY, /* never asked for */
	ASKED,	/* a question is out */
	KNOWN,	/* has answered with peer_mac */
	TURNED, /* somebody has said other_mac since, unasked */
};

#define USED CAIRN_NET_OUTCOME_USED
#define IGNORED CAIRN_NET_OUTCOME_IGNORED
#define INVALID CAIRN_NET_OUTCOME_INVALID
#define BAD_SOURCE CAIRN_NET_OUTCOME_BAD_SOURCE
#define UNSOLICITED CAIRN_NET_OUTCOME_UNSOLICITED
#define CONFLICT CAIRN_NET_OUTCOME_CONFLICT

#define PEER 0x020000000099ull
#define OTHER 0x020000000042ull
#define ASKS 0ull /* who is asked for next time, before anything is believed */

#define GID4(a, b, c, d)                             \
	{                                            \
		[10] = 0xff, [11] = 0xff, a, b, c, d \
	}
static const uint8_t other_mac[6] = { 2, 0, 0, 0, 0, 0x42 };
static const uint8_t zero_mac[6], group_mac[6] = { 3, 0, 0, 0, 0, 0x42 };
static const uint8_t all_ones[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static const uint8_t nobody[16], loop6[16] = { [15] = 1 };
static const uint8_t stranger6[16] = { 0xfe, 0x80, [15] = 0x77 };
static const uint8_t solicited_node[16] = { 0xff, 2, [11] = 1, [12] = 0xff, [15] = 1 };
static const uint8_t other_node[16] = { 0xff, 2, [11] = 1, [12] = 0xff, [15] = 2 };
static const uint8_t zero4[16] = GID4(0, 0, 0, 0), this4[16] = GID4(0, 1, 2, 3);
static const uint8_t loop4[16] = GID4(127, 0, 0, 1), group4[16] = GID4(224, 0, 0, 1);
static const uint8_t group4b[16] = GID4(239, 255, 255, 255), class_e[16] = GID4(240, 0, 0, 1);
static const uint8_t broadcast4[16] = GID4(255, 255, 255, 255), stranger4[16] = GID4(10, 0, 0, 7);

struct kase {
	const char *name;
	enum kind kind;
	enum before before;
	const uint8_t *src, *dst, *target; /* NULL: the peer, us, him or us */
	const uint8_t *mac;		   /* in the message; NULL: peer_mac, nobody: no option */
	const uint8_t *dmac, *smac;	   /* of the frame; NULL: ours, peer_mac */
	uint8_t flags;			   /* NA */
	struct {
		uint16_t at; /* from the network header on; 0: none */
		uint8_t value;
	} patch;
	bool bad_sum;
	enum cairn_net_outcome outcome;
	bool answer;
	uint64_t after; /* of the peer */
};

static inline bool is4(enum kind kind)
{
	return kind == REQUEST || kind == REPLY || kind == PING4;
}

static inline const uint8_t * or (const uint8_t *a, const uint8_t *b)
{
	return a ? a : b;
}

/* The frame of a case; with the tag of `tci` if that is not 0. */
static inline uint32_t build(const struct kase *k, uint8_t *f, uint32_t tci)
{
	const uint8_t *src = or (k->src, is4(k->kind) ? peer4 : peer6);
	const uint8_t *dst = or (k->dst, is4(k->kind) ? own4 : own6), *mac = or (k->mac, peer_mac);
	uint32_t at = tci ? 18 : 14, len;

	if (k->kind == REQUEST || k->kind == REPLY) {
		len = arp(f, tci, k->kind == REQUEST ? 1 : 2, dst + 12);
		memcpy(f + at + 8, mac, 6);
		memcpy(f + at + 14, src + 12, 4);
		memcpy(f + at + 18, k->kind == REPLY ? mine : zero_mac, 6);
	} else if (k->kind == PING4) {
		len = ping4(f, tci, 8, dst + 12);
		memcpy(f + at + 12, src + 12, 4);
	} else if (k->kind == PING6) {
		len = ping6(f, tci, 8, dst);
		memcpy(f + at + 8, src, 16);
	} else {
		len = nd(f, tci, k->kind == NS ? 135 : 136, src, dst,
			 or (k->target, k->kind == NS ? own6 : peer6), mac != nobody);
		f[at + 44] = k->flags;
		memcpy(f + at + 66, mac, 6);
	}
	memcpy(f, or (k->dmac, mine), 6);
	memcpy(f + 6, or (k->smac, peer_mac), 6);
	if (k->patch.at || k->patch.value)
		f[at + k->patch.at] = k->patch.value;
	if (k->kind == PING4) {
		put(f + at + 10, 0);
		put(f + at + 10, ones(f + at, 20, 0));
		put(f + at + 22, 0);
		put(f + at + 22, ones(f + at + 20, 16, k->bad_sum));
	} else if (!is4(k->kind)) {
		put(f + at + 42, 0);
		put(f + at + 42, (k->bad_sum ? 0x1111 : 0) ^ icmp6_sum(f + at));
	}
	return len;
}

static inline void link_flap(void)
{
	hw.link = CAIRN_REG_DEV_LINK_CHANGED;
	hw_run(2000000);
	hw.link = CAIRN_REG_DEV_LINK_UP | CAIRN_REG_DEV_LINK_CHANGED;
	hw_run(2000000);
	hw.n_tx = 0;
}

/* Post RESOLVE of the peer; its question is out, or it has been done. */
static inline void begin_resolve(struct hw_cmd *c, bool v4)
{
	unsigned int before = hw.n_tx;

	*c = (struct hw_cmd){ .op = CAIRN_CMD_OP_RESOLVE, .number = v4 };
	memcpy(c->arg, v4 ? peer4 : peer6, 16);
	hw_post(c);
	hw_ring();
	while (!c->done && hw.n_tx == before)
		hw_run(1000);
}

static inline uint64_t mac_of(const struct hw_cmd *c)
{
	return c->done && c->status == CAIRN_CMD_STATUS_OK ? (uint64_t)c->value1 << 32 | c->value0
							   : ASKS;
}

/* What is believed of the peer without a question. */
static inline uint64_t believed(bool v4)
{
	struct hw_cmd c;
	uint64_t mac;

	begin_resolve(&c, v4);
	mac = mac_of(&c);
	hw_wait();
	return mac;
}

static inline void prepare(const struct kase *k, struct hw_cmd *c)
{
	const bool v4 = is4(k->kind);
	struct kase answer = { .kind = v4 ? REPLY : NA, .flags = 0x60 };
	uint8_t f[256];

	c->done = true;
	link_flap();
	if (k->before == NOBODY)
		return;
	begin_resolve(c, v4);
	assert_false(c->done);
	if (k->before == ASKED)
		return;
	hw_receive(f, build(&answer, f, 0));
	hw_wait();
	assert_true(mac_of(c) == PEER);
	if (k->before == TURNED) {
		answer.mac = other_mac;
		answer.flags = 0x20;
		hw_receive(f, build(&answer, f, 0));
		hw_run(20000);
	}
	assert_true(k->before == TURNED || believed(v4) == PEER);
}

#endif
