// SPDX-License-Identifier: Apache-2.0
/*
 * IPv6's slow path: neighbour discovery (RFC 4861: solicitations answered and sent, advertisements
 * taken and sent) and ICMPv6 echo (RFC 4443).  Everything is on-link; duplicate address detection
 * and routers are the business of whoever gives us addresses.
 */
#include <string.h>

#include "net.h"

enum {
	TYPE_ECHO = 128,
	TYPE_ECHO_REPLY = 129,
	TYPE_NS = 135,
	TYPE_NA = 136,
	ND_BYTES = 24, /* of NS and NA before their options */
	OPT_SOURCE_MAC = 1,
	OPT_TARGET_MAC = 2,
	OPT_BYTES = 8,
	ND_HOPS = 255, /* what came over a router has less */
	NA_SOLICITED = 0x40,
	NA_OVERRIDE = 0x20,
};

#define IP6 CAIRN_IPV6_BYTES

static const uint8_t all_nodes[16] = { 0xff, 2, [15] = 1 };

static bool is_zero(const uint8_t *gid)
{
	static const uint8_t zero[16];

	return !memcmp(gid, zero, 16);
}

/* Source, destination, length and next header count with the message (RFC 8200, 8.1). */
static uint16_t icmp6_checksum(const uint8_t *ip, const uint8_t *icmp, uint32_t bytes)
{
	uint32_t sum = net_sum(0, ip + 8, 32) + bytes + CAIRN_IP_PROTO_ICMPV6;

	return net_checksum(net_sum(sum, icmp, bytes));
}

static void group_mac(uint8_t *mac, const uint8_t *gid)
{
	mac[0] = mac[1] = 0x33;
	memcpy(mac + 2, gid + 12, 4);
}

/* IPv6 header of a message of ours; returns the message's place. */
static uint8_t *begin(unsigned int gid_index, const uint8_t *mac, const uint8_t *dst,
		      uint32_t bytes, uint8_t hops)
{
	uint8_t *ip = net_tx_begin(gid_index, mac, CAIRN_ETHERTYPE_IPV6);

	ip[0] = 0x60;
	put16(ip + 4, bytes);
	ip[6] = CAIRN_IP_PROTO_ICMPV6;
	ip[7] = hops;
	memcpy(ip + 8, dev.gids[gid_index].raw, 16);
	memcpy(ip + 24, dst, 16);
	return ip + IP6;
}

static void send(uint8_t *icmp, uint32_t bytes)
{
	put16(icmp + 2, 0);
	put16(icmp + 2, icmp6_checksum(icmp - IP6, icmp, bytes));
	net_tx_send(IP6 + bytes);
}

static void nd_send(unsigned int gid_index, const uint8_t *mac, const uint8_t *dst, uint8_t type,
		    uint8_t flags, const uint8_t *target)
{
	uint8_t *icmp = begin(gid_index, mac, dst, ND_BYTES + OPT_BYTES, ND_HOPS);

	icmp[0] = type;
	icmp[4] = flags;
	memcpy(icmp + 8, target, 16);
	icmp[ND_BYTES] = type == TYPE_NS ? OPT_SOURCE_MAC : OPT_TARGET_MAC;
	icmp[ND_BYTES + 1] = OPT_BYTES / 8;
	memcpy(icmp + ND_BYTES + 2, dev.mac, MAC_BYTES);
	send(icmp, ND_BYTES + OPT_BYTES);
}

void net6_solicit(unsigned int gid_index, const uint8_t *target)
{
	uint8_t group[16] = { 0xff, 2, [11] = 1, [12] = 0xff }, mac[MAC_BYTES];

	memcpy(group + 13, target + 13, 3);
	group_mac(mac, group);
	nd_send(gid_index, mac, group, TYPE_NS, 0, target);
}

void net6_announce(unsigned int gid_index)
{
	uint8_t mac[MAC_BYTES];

	group_mac(mac, all_nodes);
	nd_send(gid_index, mac, all_nodes, TYPE_NA, NA_OVERRIDE, dev.gids[gid_index].raw);
}

/* The MAC in an option of that kind; NULL: none, or the options are malformed (*bad). */
static const uint8_t *option_mac(const uint8_t *icmp, uint32_t bytes, uint8_t kind, bool *bad)
{
	const uint8_t *mac = NULL;

	*bad = false;
	for (uint32_t at = ND_BYTES; at < bytes;) {
		uint32_t size = bytes - at < 2 ? 0 : icmp[at + 1] * 8u;

		if (!size || size > bytes - at) {
			*bad = true;
			return NULL;
		}
		if (icmp[at] == kind && size == OPT_BYTES)
			mac = icmp + at + 2;
		at += size;
	}
	return mac;
}

static bool solicited(const struct net_frame *f, const uint8_t *icmp, uint32_t bytes)
{
	const uint8_t *src = f->l3 + 8, *target = icmp + 8, *mac;
	uint8_t group[MAC_BYTES];
	bool bad, probe = is_zero(src);
	int ours = net_own_index(target, f->vid);

	mac = option_mac(icmp, bytes, OPT_SOURCE_MAC, &bad);
	if (bad || ours < 0 || gid_is_mcast(src) || (probe && mac))
		return true;
	if (!net_tx_free())
		return false;
	if (probe) { /* somebody wants our address: tell all */
		group_mac(group, all_nodes);
		nd_send((unsigned int)ours, group, all_nodes, TYPE_NA, NA_OVERRIDE, target);
		return true;
	}
	if (!mac)
		mac = f->src_mac;
	net_neighbour_learn(src, f->vid, mac, true);
	nd_send((unsigned int)ours, mac, src, TYPE_NA, NA_SOLICITED | NA_OVERRIDE, target);
	return true;
}

/* Only about those we have asked for. */
static void advertised(const struct net_frame *f, const uint8_t *icmp, uint32_t bytes)
{
	const uint8_t *target = icmp + 8, *mac;
	bool bad;

	mac = option_mac(icmp, bytes, OPT_TARGET_MAC, &bad);
	if (!bad && !gid_is_mcast(target))
		net_neighbour_learn(target, f->vid, mac ? mac : f->src_mac, false);
}

static bool echo(const struct net_frame *f, const uint8_t *icmp, uint32_t bytes)
{
	const uint8_t *src = f->l3 + 8;
	int ours = net_own_index(f->l3 + 24, f->vid);
	uint8_t *out;

	if (ours < 0 || is_zero(src) || gid_is_mcast(src) ||
	    !net_tx_fits((unsigned int)ours, IP6 + bytes))
		return true;
	if (!net_tx_free())
		return false;
	out = begin((unsigned int)ours, f->src_mac, src, bytes, 64);
	memcpy(out, icmp, bytes);
	out[0] = TYPE_ECHO_REPLY;
	send(out, bytes);
	return true;
}

bool net6_received(const struct net_frame *f)
{
	const uint8_t *ip = f->l3, *icmp = ip + IP6;
	uint32_t bytes;
	bool nd;

	if (f->bytes < IP6 + 8 || ip[0] >> 4 != 6 || ip[6] != CAIRN_IP_PROTO_ICMPV6)
		return true;
	bytes = get16(ip + 4);
	if (bytes < 8 || bytes > f->bytes - IP6 || icmp[1] || icmp6_checksum(ip, icmp, bytes))
		return true;
	nd = bytes >= ND_BYTES && ip[7] == ND_HOPS;
	if (icmp[0] == TYPE_ECHO)
		return echo(f, icmp, bytes);
	if (icmp[0] == TYPE_NS && nd)
		return solicited(f, icmp, bytes);
	if (icmp[0] == TYPE_NA && nd)
		advertised(f, icmp, bytes);
	return true;
}
