// SPDX-License-Identifier: Apache-2.0
/*
 * The slow path of the network: who has which address (RESOLVE, QPs on their way to RTR), telling
 * others ours, and ICMP echo so that a NIC can be pinged.  Here are frames, VLAN tags, our own
 * addresses and who else uses them (RFC 5227), ARP (RFC 826) and ICMP (RFC 792); IPv6 is in net6.c,
 * the neighbour cache in neighbour.c.  Frames come and go through region MMIO_RAW; each that is
 * taken from there is counted under what became of it (enum net_outcome).
 */
#include <string.h>

#include "net.h"

#define FRAME_BYTES CAIRN_RAW_FRAME_BYTES
#define DEFEND_NS 10000000000ull /* RFC 5227 DEFEND_INTERVAL */

/* Two bytes before a frame, and its network header is at a multiple of 4, with a tag or without. */
static uint32_t rx_words[FRAME_BYTES / 4 + 1] CPU_NOINIT, tx_words[FRAME_BYTES / 4 + 2] CPU_NOINIT;
#define FRAME(words) ((uint8_t *)(words) + 2)
static uint32_t tx_l3;		/* where the network header is in tx_frame */
static uint32_t announce;	/* bit per GID still to announce, */
static uint64_t announce_since, busy_at; /* ns: since when, and when there was a command */
static uint32_t told;		/* bit per GID: the host knows of its conflict */
static uint64_t defended[GIDS]; /* ns; 0 never */

enum { ARP_BYTES = 28, ARP_REQUEST = 1, ARP_REPLY = 2, ICMP_ECHO = 8, ICMP_ECHO_REPLY = 0 };

typedef uint16_t __attribute__((may_alias)) half_t;

/* Headers stand at even addresses.  The sum is the same in either byte order (RFC 1071 2 (B)). */
uint32_t net_sum(uint32_t sum, const uint8_t *p, uint32_t bytes)
{
	uint32_t turned = 0;

	if (!((uintptr_t)p & 1)) {
		for (; bytes >= 8; bytes -= 8, p += 8) {
			const half_t *h = (const void *)p;

			turned += h[0] + h[1] + h[2] + h[3];
		}
		turned = (turned & 0xffff) + (turned >> 16);
		turned = (turned & 0xffff) + (turned >> 16);
		sum += (turned << 8 & 0xff00) | turned >> 8;
	}
	for (; bytes >= 2; bytes -= 2, p += 2)
		sum += get16(p);
	return bytes ? sum + ((uint32_t)*p << 8) : sum;
}

uint16_t net_checksum(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* ---- frames ---- */

bool net_tx_free(void)
{
	return !(mmio_read32(REG(RAW, RAW_TX)) & CAIRN_REG_RAW_TX_BUSY);
}

uint8_t *net_tx_begin(unsigned int gid_index, const uint8_t *mac, uint16_t etype)
{
	const struct gid *g = &dev.gids[gid_index];
	uint8_t *tx_frame = FRAME(tx_words);

	memset(tx_words, 0, 128); /* headers of all kinds; echoes write the rest */
	memcpy(tx_frame, mac, MAC_BYTES);
	memcpy(tx_frame + 6, dev.mac, MAC_BYTES);
	tx_l3 = CAIRN_ETH_BYTES;
	if (g->vlan) {
		put16(tx_frame + 12, CAIRN_ETHERTYPE_VLAN);
		put16(tx_frame + 14, g->tci);
		tx_l3 += CAIRN_VLAN_BYTES;
	}
	put16(tx_frame + tx_l3 - 2, etype);
	return tx_frame + tx_l3;
}

bool net_tx_fits(unsigned int gid_index, uint32_t l3_bytes)
{
	return CAIRN_ETH_BYTES + (dev.gids[gid_index].vlan ? CAIRN_VLAN_BYTES : 0) + l3_bytes <=
	       FRAME_BYTES;
}

void net_tx_send(uint32_t l3_bytes)
{
	uint32_t bytes = tx_l3 + l3_bytes;
	const uint32_t *w = tx_words;

	for (uint32_t i = 0; i < bytes; i += 4, w++)
		mmio_write32(CAIRN_MMIO_RAW + CAIRN_RAW_TX_BUFFER + i, w[0] >> 16 | w[1] << 16);
	mmio_write32(REG(RAW, RAW_TX), CAIRN_PUT(CAIRN_REG_RAW_TX_LEN, bytes));
}

/* False: too short, or tags inside of tags. */
static bool frame_parse(const uint8_t *frame, uint32_t bytes, struct net_frame *f)
{
	uint32_t at = CAIRN_ETH_BYTES;

	if (bytes < at)
		return false;
	f->dst_mac = frame;
	f->src_mac = frame + 6;
	f->vid = NO_VLAN;
	f->etype = get16(frame + 12);
	if (f->etype == CAIRN_ETHERTYPE_VLAN) {
		at += CAIRN_VLAN_BYTES;
		if (bytes < at)
			return false;
		f->vid = get16(frame + 14) & 0xfffu;
		f->etype = get16(frame + 16);
	}
	f->l3 = frame + at;
	f->bytes = bytes - at;
	return true;
}

/* ---- who is who ---- */

uint16_t net_gid_vid(unsigned int gid_index)
{
	const struct gid *g = &dev.gids[gid_index];

	return g->vlan ? g->tci & 0xfffu : NO_VLAN;
}

int net_own_index(const uint8_t *gid, uint16_t vid)
{
	uint32_t left = dev.gids_valid;

	for (unsigned int i = 0; left; i++, left >>= 1)
		if (left & 1 && gid_equal(dev.gids[i].raw, gid) && net_gid_vid(i) == vid)
			return (int)i;
	return -1;
}

bool net_mac_ok(const uint8_t *mac)
{
	static const uint8_t zero[MAC_BYTES];

	return !(mac[0] & 1) && memcmp(mac, zero, MAC_BYTES) && memcmp(mac, dev.mac, MAC_BYTES);
}

bool net_source_ok(const struct net_frame *f, const uint8_t *gid)
{
	_Alignas(4) static const uint8_t zero[15];
	bool v4 = gid_is_v4(gid);

	if (v4 != (f->etype != CAIRN_ETHERTYPE_IPV6) || gid_is_mcast(gid) ||
	    !net_mac_ok(f->src_mac))
		return false;
	if (v4) /* this network, loopback, class E and broadcast */
		return gid[12] != 0 && gid[12] != 127 && gid[12] < 240;
	return memcmp(gid, zero, sizeof(zero)) || gid[15] > 1; /* ::, ::1 */
}

static void announce_soon(unsigned int gid_index)
{
	if (!announce)
		announce_since = busy_at = cpu_now();
	announce |= 1u << gid_index;
	fw_todo |= FW_ANNOUNCE;
}

/*
 * One announcement, not again within DEFEND_NS (RFC 5227 2.4 (c); IPv6 alike).  The host is told
 * once until the entry is set anew or the link comes up: nobody else fills its event queue.
 */
enum cairn_net_outcome net_conflict(unsigned int gid_index, const uint8_t *mac)
{
	uint32_t low = (uint32_t)get16(mac + 2) << 16 | get16(mac + 4);
	uint64_t now = cpu_now();

	if (dev.enabled && !(told >> gid_index & 1)) {
		told |= 1u << gid_index;
		eq_post(CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_ADDR_CONFLICT, gid_index, low);
	}
	if (!defended[gid_index] || now - defended[gid_index] >= DEFEND_NS) {
		defended[gid_index] = now;
		announce_soon(gid_index);
		fw_log(6, "address conflict", gid_index, low);
	}
	return CAIRN_NET_OUTCOME_CONFLICT;
}

static void v4_gid(uint8_t *gid, const uint8_t *ip)
{
	memset(gid, 0, 10);
	gid[10] = gid[11] = 0xff;
	memcpy(gid + 12, ip, 4);
}

static uint64_t mac_value(const uint8_t *m)
{
	uint64_t mac = 0;

	for (unsigned int i = 0; i < MAC_BYTES; i++)
		mac = mac << 8 | m[i];
	return mac;
}

/* ---- ARP ---- */

static void arp_send(unsigned int gid_index, unsigned int op, const uint8_t *to_mac,
		     const uint8_t *to_ip)
{
	static const uint8_t broadcast[MAC_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	uint8_t *arp = net_tx_begin(gid_index, to_mac ? to_mac : broadcast, CAIRN_ETHERTYPE_ARP);

	put16(arp, 1);
	put16(arp + 2, CAIRN_ETHERTYPE_IPV4);
	arp[4] = MAC_BYTES;
	arp[5] = 4;
	put16(arp + 6, op);
	memcpy(arp + 8, dev.mac, MAC_BYTES);
	memcpy(arp + 14, dev.gids[gid_index].raw + 12, 4);
	if (to_mac)
		memcpy(arp + 18, to_mac, MAC_BYTES);
	memcpy(arp + 24, to_ip, 4);
	net_tx_send(ARP_BYTES);
}

void net_arp_ask(unsigned int gid_index, const uint8_t *ip)
{
	arp_send(gid_index, ARP_REQUEST, NULL, ip);
}

/*
 * Somebody tells his addresses, in a request or a reply: an advertisement that overrides, and a
 * solicited one only if it is a reply to us and we have asked (RFC 826, in the terms of RFC 4861).
 */
static enum cairn_net_outcome arp_said(const struct net_frame *f, const uint8_t *sender, bool reply)
{
	const uint8_t *arp = f->l3;
	bool to_us = reply && !memcmp(f->dst_mac, dev.mac, MAC_BYTES) &&
		     !memcmp(arp + 18, dev.mac, MAC_BYTES);

	return neighbour_said(sender, f->vid, arp + 8, to_us && neighbour_asked(sender, f->vid),
			      true);
}

static enum cairn_net_outcome arp_received(const struct net_frame *f)
{
	static const uint8_t zero[4];
	const uint8_t *arp = f->l3;
	_Alignas(4) uint8_t sender[16], target[16];
	enum cairn_net_outcome outcome;
	bool request, probe;
	int ours, mine;

	if (f->bytes < ARP_BYTES || get16(arp) != 1 || get16(arp + 2) != CAIRN_ETHERTYPE_IPV4 ||
	    arp[4] != MAC_BYTES || arp[5] != 4)
		return CAIRN_NET_OUTCOME_INVALID;
	request = get16(arp + 6) == ARP_REQUEST;
	if (!request && get16(arp + 6) != ARP_REPLY)
		return CAIRN_NET_OUTCOME_IGNORED;
	v4_gid(sender, arp + 14);
	v4_gid(target, arp + 24);
	/* RFC 5227 2.1.1: a probe tells nothing of its sender. */
	probe = request && !memcmp(arp + 14, zero, sizeof(zero));
	if (!net_mac_ok(arp + 8) || !net_mac_ok(f->src_mac) ||
	    (!probe && !net_source_ok(f, sender)))
		return CAIRN_NET_OUTCOME_BAD_SOURCE;
	mine = net_own_index(sender, f->vid);
	if (mine >= 0)
		return net_conflict((unsigned int)mine, arp + 8);
	ours = net_own_index(target, f->vid);
	if (request && ours >= 0 && !net_tx_free())
		return NET_AGAIN;
	outcome = probe ? CAIRN_NET_OUTCOME_IGNORED : arp_said(f, sender, !request);
	if (ours < 0)
		return outcome;
	if (!request)
		return outcome == CAIRN_NET_OUTCOME_IGNORED ? CAIRN_NET_OUTCOME_UNSOLICITED
							    : outcome;
	arp_send((unsigned int)ours, ARP_REPLY, arp + 8, arp + 14);
	return CAIRN_NET_OUTCOME_USED;
}

/* ---- ICMP echo ---- */

enum cairn_net_outcome net_echo_ours(const struct net_frame *f, const uint8_t *src,
				     const uint8_t *dst, uint32_t l3_bytes, unsigned int *gid_index)
{
	int ours = net_own_index(dst, f->vid);

	if (ours < 0 || !net_tx_fits((unsigned int)ours, l3_bytes))
		return CAIRN_NET_OUTCOME_IGNORED;
	if (f->dst_mac[0] & 1) /* RFC 1122 3.3.6 */
		return CAIRN_NET_OUTCOME_INVALID;
	if (!net_source_ok(f, src) || net_own_index(src, f->vid) >= 0)
		return CAIRN_NET_OUTCOME_BAD_SOURCE;
	*gid_index = (unsigned int)ours;
	return net_tx_free() ? CAIRN_NET_OUTCOME_USED : NET_AGAIN;
}

static enum cairn_net_outcome icmp_received(const struct net_frame *f)
{
	const uint8_t *ip = f->l3, *icmp = ip + CAIRN_IPV4_BYTES;
	enum cairn_net_outcome outcome;
	_Alignas(4) uint8_t src[16], dst[16];
	uint8_t *out;
	unsigned int ours;
	uint32_t total;

	if (f->bytes < CAIRN_IPV4_BYTES || ip[0] != 0x45 || (get16(ip + 6) & 0x3fff) ||
	    net_checksum(net_sum(0, ip, CAIRN_IPV4_BYTES)))
		return CAIRN_NET_OUTCOME_INVALID;
	if (ip[9] != CAIRN_IP_PROTO_ICMP)
		return CAIRN_NET_OUTCOME_IGNORED;
	total = get16(ip + 2);
	if (total < CAIRN_IPV4_BYTES + 8 || total > f->bytes)
		return CAIRN_NET_OUTCOME_INVALID;
	if (icmp[0] != ICMP_ECHO)
		return CAIRN_NET_OUTCOME_IGNORED;
	if (icmp[1] || net_checksum(net_sum(0, icmp, total - CAIRN_IPV4_BYTES)))
		return CAIRN_NET_OUTCOME_INVALID;
	v4_gid(src, ip + 12);
	v4_gid(dst, ip + 16);
	outcome = net_echo_ours(f, src, dst, total, &ours);
	if (outcome != CAIRN_NET_OUTCOME_USED)
		return outcome;
	out = net_tx_begin(ours, f->src_mac, CAIRN_ETHERTYPE_IPV4);
	memcpy(out, ip, total);
	out[1] &= 0xfc; /* what a switch marked is no mark of ours (RFC 3168) */
	memcpy(out + 12, ip + 16, 4);
	memcpy(out + 16, ip + 12, 4);
	out[8] = 64;
	put16(out + 10, 0);
	put16(out + 10, net_checksum(net_sum(0, out, CAIRN_IPV4_BYTES)));
	out += CAIRN_IPV4_BYTES;
	out[0] = ICMP_ECHO_REPLY;
	put16(out + 2, 0);
	put16(out + 2, net_checksum(net_sum(0, out, total - CAIRN_IPV4_BYTES)));
	net_tx_send(total);
	return CAIRN_NET_OUTCOME_USED;
}

/* ---- for the rest of firmware ---- */

/* Multicast MACs follow from the address: RFC 1112, RFC 2464. */
static bool mcast_mac(const uint8_t *gid, uint64_t *mac)
{
	if (!gid_is_mcast(gid))
		return false;
	if (gid_is_v4(gid))
		*mac = 0x01005e000000ull | (uint64_t)(gid[13] & 0x7f) << 16 | get16(gid + 14);
	else
		*mac = 0x333300000000ull | (uint64_t)get16(gid + 12) << 16 | get16(gid + 14);
	return true;
}

bool net_resolve(unsigned int sgid_index, const uint8_t *dgid, uint64_t *mac)
{
	uint16_t vid = net_gid_vid(sgid_index);
	const uint8_t *his;

	if (mcast_mac(dgid, mac))
		return true;
	if (net_own_index(dgid, vid) >= 0) {
		*mac = mac_value(dev.mac);
		return true;
	}
	his = neighbour_mac(sgid_index, dgid);
	if (his)
		*mac = mac_value(his);
	return his;
}

void net_announce(unsigned int gid_index)
{
	announce_soon(gid_index);
	told &= ~(1u << gid_index);
	defended[gid_index] = 0;
}

/* Nobody waits for it: it comes when there has been no command for a while, or after some time. */
#define ANNOUNCE_QUIET_NS 100000u
#define ANNOUNCE_LATEST_NS 1000000u

bool net_announcing(void)
{
	uint64_t now = cpu_now();
	unsigned int i = 0;

	if (cmd_busy())
		busy_at = now;
	if (now - busy_at < ANNOUNCE_QUIET_NS && now - announce_since < ANNOUNCE_LATEST_NS) {
		fw_wake_at(busy_at + ANNOUNCE_QUIET_NS);
		return false;
	}
	if (!net_tx_free()) {
		fw_wake_at(cpu_now() + NET_TX_RETRY_NS);
		return false;
	}
	while (!(announce >> i & 1))
		i++;
	announce &= ~(1u << i);
	if (!announce)
		fw_todo &= ~(uint32_t)FW_ANNOUNCE;
	if (dev.gids[i].valid && gid_is_v4(dev.gids[i].raw))
		arp_send(i, ARP_REQUEST, NULL, dev.gids[i].raw + 12);
	else if (dev.gids[i].valid)
		net6_announce(i);
	return true;
}

static void frame_copy(uint32_t bytes)
{
	uint32_t word = 0, next, *w = rx_words;

	for (uint32_t i = 0; i < bytes; i += 4, w++) {
		next = mmio_read32(CAIRN_MMIO_RAW + CAIRN_RAW_RX_BUFFER + i);
		*w = word | next << 16;
		word = next >> 16;
	}
	*w = word;
}

static enum cairn_net_outcome frame_received(const uint8_t *frame, uint32_t bytes)
{
	struct net_frame f;

	if (!frame_parse(frame, bytes, &f))
		return CAIRN_NET_OUTCOME_INVALID;
	switch (f.etype) {
	case CAIRN_ETHERTYPE_ARP:
		return arp_received(&f);
	case CAIRN_ETHERTYPE_IPV4:
		return icmp_received(&f);
	case CAIRN_ETHERTYPE_IPV6:
		return net6_received(&f);
	default:
		return CAIRN_NET_OUTCOME_IGNORED;
	}
}

#define HELD_PASSES 16u

void net_poll(void)
{
	uint32_t rx = mmio_read32(REG(RAW, RAW_RX));
	uint32_t bytes = CAIRN_GET(rx, CAIRN_REG_RAW_RX_LEN);
	static unsigned int held;
	enum cairn_net_outcome outcome;

	/* Others' frames wait for commands, but not for ever. */
	if (cmd_busy() && !(rx & CAIRN_REG_RAW_RX_ANSWER) && ++held % HELD_PASSES)
		return;
	if (neighbour_question()) {
		fw_wake_at(cpu_now() + NET_TX_RETRY_NS);
		return;
	}
	if (!(rx & CAIRN_REG_RAW_RX_VALID))
		return;
	if (bytes > FRAME_BYTES)
		bytes = FRAME_BYTES;
	frame_copy(bytes);
	outcome = frame_received(FRAME(rx_words), bytes);
	if (outcome == NET_AGAIN) {
		fw_wake_at(cpu_now() + NET_TX_RETRY_NS);
		return;
	}
	mmio_write32(REG(RAW, RAW_RX_POP),
		     CAIRN_PUT(CAIRN_REG_RAW_RX_POP_OUTCOME, (uint32_t)outcome));
	fw_look_again(); /* a command may have waited for it */
	if (rx & CAIRN_REG_RAW_RX_ANSWER)
		neighbour_await_again();
}
