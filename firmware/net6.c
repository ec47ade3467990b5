// SPDX-License-Identifier: Apache-2.0
/*
 * IPv6's slow path: neighbour discovery (RFC 4861: solicitations answered and sent, advertisements
 * taken and sent) and ICMPv6 echo (RFC 4443).  Everything is on-link; trying our own addresses out
 * (RFC 4862) and routers are the business of whoever gives them to us.
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

_Alignas(4) static const uint8_t all_nodes[16] = { 0xff, 2, [15] = 1 };

static bool is_zero(const uint8_t *gid)
{
	_Alignas(4) static const uint8_t zero[16];

	return gid_equal(gid, zero);
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

/* RFC 4291 2.7.1 */
static void solicited_group(uint8_t *group, const uint8_t *target)
{
	static const uint8_t prefix[13] = { 0xff, 2, [11] = 1, [12] = 0xff };

	memcpy(group, prefix, sizeof(prefix));
	memcpy(group + 13, target + 13, 3);
}

void net6_solicit(unsigned int gid_index, const uint8_t *target)
{
	_Alignas(4) uint8_t group[16], mac[MAC_BYTES];

	solicited_group(group, target);
	group_mac(mac, group);
	nd_send(gid_index, mac, group, TYPE_NS, 0, target);
}

void net6_announce(unsigned int gid_index)
{
	uint8_t mac[MAC_BYTES];

	group_mac(mac, all_nodes);
	nd_send(gid_index, mac, all_nodes, TYPE_NA, NA_OVERRIDE, dev.gids[gid_index].raw);
}

/* The last MAC in an option of that kind; NULL: none, or the options are malformed (*bad). */
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

/* Ours in that VLAN, or -1.  IPv4 addresses are not to be had by IPv6. */
static int own_index(const uint8_t *gid, uint16_t vid)
{
	return gid_is_v4(gid) ? -1 : net_own_index(gid, vid);
}

/* Who sends from an address of ours is in conflict with us; other sources must be possible. */
static bool bad_source(const struct net_frame *f, const uint8_t *mac,
		       enum cairn_net_outcome *outcome)
{
	const uint8_t *src = f->l3 + 8;
	int mine = own_index(src, f->vid);

	*outcome = CAIRN_NET_OUTCOME_BAD_SOURCE;
	if ((mac && !net_mac_ok(mac)) || !net_source_ok(f, src))
		return true;
	if (mine >= 0)
		*outcome = net_conflict((unsigned int)mine, f->src_mac);
	return mine >= 0;
}

/* RFC 4861 7.1.1 and 7.2.3. */
static enum cairn_net_outcome solicited(const struct net_frame *f, const uint8_t *icmp,
					uint32_t bytes)
{
	const uint8_t *src = f->l3 + 8, *dst = f->l3 + 24, *target = icmp + 8, *mac;
	_Alignas(4) uint8_t group[16], all[MAC_BYTES];
	enum cairn_net_outcome outcome;
	bool bad, to_group, probe = is_zero(src);
	int ours;

	mac = option_mac(icmp, bytes, OPT_SOURCE_MAC, &bad);
	solicited_group(group, target);
	to_group = gid_equal(dst, group);
	if (bad || gid_is_mcast(target) || (probe && (mac || !to_group)))
		return CAIRN_NET_OUTCOME_INVALID;
	if (probe ? !net_mac_ok(f->src_mac) : bad_source(f, mac, &outcome))
		return probe ? CAIRN_NET_OUTCOME_BAD_SOURCE : outcome;
	ours = own_index(target, f->vid);
	if (ours < 0 || (!to_group && !gid_equal(dst, all_nodes) && own_index(dst, f->vid) < 0))
		return CAIRN_NET_OUTCOME_IGNORED;
	if (!net_tx_free())
		return NET_AGAIN;
	if (probe) { /* somebody wants our address: tell all */
		group_mac(all, all_nodes);
		nd_send((unsigned int)ours, all, all_nodes, TYPE_NA, NA_OVERRIDE, target);
		return CAIRN_NET_OUTCOME_USED;
	}
	if (mac)
		neighbour_said(src, f->vid, mac, false, true);
	nd_send((unsigned int)ours, mac ? mac : f->src_mac, src, TYPE_NA,
		NA_SOLICITED | NA_OVERRIDE, target);
	return CAIRN_NET_OUTCOME_USED;
}

/* RFC 4861 7.1.2 and 7.2.5; of an address of ours RFC 4862 5.4.4. */
static enum cairn_net_outcome advertised(const struct net_frame *f, const uint8_t *icmp,
					 uint32_t bytes)
{
	const uint8_t *dst = f->l3 + 24, *target = icmp + 8, *mac;
	enum cairn_net_outcome outcome;
	uint8_t flags = icmp[4];
	bool bad;
	int ours;

	mac = option_mac(icmp, bytes, OPT_TARGET_MAC, &bad);
	if (bad || gid_is_mcast(target) || (gid_is_mcast(dst) && flags & NA_SOLICITED))
		return CAIRN_NET_OUTCOME_INVALID;
	if (bad_source(f, mac, &outcome))
		return outcome;
	if (!gid_equal(dst, all_nodes) && own_index(dst, f->vid) < 0)
		return CAIRN_NET_OUTCOME_IGNORED;
	ours = own_index(target, f->vid);
	if (ours >= 0)
		return net_conflict((unsigned int)ours, mac ? mac : f->src_mac);
	if (gid_is_v4(target))
		return CAIRN_NET_OUTCOME_UNSOLICITED;
	outcome = neighbour_said(target, f->vid, mac, flags & NA_SOLICITED, flags & NA_OVERRIDE);
	return outcome == CAIRN_NET_OUTCOME_IGNORED ? CAIRN_NET_OUTCOME_UNSOLICITED : outcome;
}

static enum cairn_net_outcome echo(const struct net_frame *f, const uint8_t *icmp, uint32_t bytes)
{
	const uint8_t *src = f->l3 + 8, *dst = f->l3 + 24;
	enum cairn_net_outcome outcome;
	unsigned int ours;
	uint8_t *out;

	if (gid_is_v4(dst))
		return CAIRN_NET_OUTCOME_IGNORED;
	outcome = net_echo_ours(f, src, dst, IP6 + bytes, &ours);
	if (outcome != CAIRN_NET_OUTCOME_USED)
		return outcome;
	out = begin(ours, f->src_mac, src, bytes, 64);
	memcpy(out, icmp, bytes);
	out[0] = TYPE_ECHO_REPLY;
	send(out, bytes);
	return CAIRN_NET_OUTCOME_USED;
}

enum cairn_net_outcome net6_received(const struct net_frame *f)
{
	const uint8_t *ip = f->l3, *icmp = ip + IP6;
	uint32_t bytes;

	if (f->bytes < IP6 || ip[0] >> 4 != 6)
		return CAIRN_NET_OUTCOME_INVALID;
	if (ip[6] != CAIRN_IP_PROTO_ICMPV6)
		return CAIRN_NET_OUTCOME_IGNORED;
	bytes = get16(ip + 4);
	if (bytes < 8 || bytes > f->bytes - IP6)
		return CAIRN_NET_OUTCOME_INVALID;
	if (icmp[0] != TYPE_ECHO && icmp[0] != TYPE_NS && icmp[0] != TYPE_NA)
		return CAIRN_NET_OUTCOME_IGNORED;
	if (icmp[1] || icmp6_checksum(ip, icmp, bytes))
		return CAIRN_NET_OUTCOME_INVALID;
	if (icmp[0] == TYPE_ECHO)
		return echo(f, icmp, bytes);
	if (bytes < ND_BYTES || ip[7] != ND_HOPS)
		return CAIRN_NET_OUTCOME_INVALID;
	return icmp[0] == TYPE_NS ? solicited(f, icmp, bytes) : advertised(f, icmp, bytes);
}
