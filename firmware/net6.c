// SPDX-License-Identifier: Apache-2.0
/*
 * IPv6's slow path: neighbour discovery (RFC 4861: solicitations answered, advertisements taken)
 * and ICMPv6 echo (RFC 4443).  Everything is on-link; trying our own addresses out (RFC 4862) and
 * routers are up to the host, which gives them to us.
 */
#include <string.h>

#include "dev.h"
#include "gid.h"
#include "net.h"

#define IP6 CAIRN_IPV6_BYTES

static bool is_zero(const uint8_t *gid)
{
	_Alignas(4) static const uint8_t zero[16];

	return gid_equal(gid, zero);
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
		if (icmp[at] == kind && size == ND_OPT_BYTES)
			mac = icmp + at + 2;
		at += size;
	}
	return mac;
}

/* Ours in that VLAN, or -1.  IPv4 addresses are not to be had by IPv6. */
static int own_index(const uint8_t *gid, uint16_t vid)
{
	return gid_is_v4(gid) ? -1 : gid_own_index(gid, vid);
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
	_Alignas(4) uint8_t group[16];
	enum cairn_net_outcome outcome;
	bool bad, to_group, probe = is_zero(src);
	int ours;

	mac = option_mac(icmp, bytes, ND_OPT_SOURCE_MAC, &bad);
	net6_solicited_group(group, target);
	to_group = gid_equal(dst, group);
	if (bad || gid_is_mcast(target) || (probe && (mac || !to_group)))
		return CAIRN_NET_OUTCOME_INVALID;
	if (probe ? !net_mac_ok(f->src_mac) : bad_source(f, mac, &outcome))
		return probe ? CAIRN_NET_OUTCOME_BAD_SOURCE : outcome;
	ours = own_index(target, f->vid);
	if (ours < 0 ||
	    (!to_group && !gid_equal(dst, net6_all_nodes) && own_index(dst, f->vid) < 0))
		return CAIRN_NET_OUTCOME_IGNORED;
	if (!net_tx_free())
		return NET_AGAIN;
	if (probe) { /* another host wants our address: tell all */
		net6_announce((unsigned int)ours);
		return CAIRN_NET_OUTCOME_USED;
	}
	if (mac)
		neighbour_said(src, f->vid, mac, false, true);
	net6_answer((unsigned int)ours, mac ? mac : f->src_mac, src);
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

	mac = option_mac(icmp, bytes, ND_OPT_TARGET_MAC, &bad);
	if (bad || gid_is_mcast(target) || (gid_is_mcast(dst) && flags & ND_SOLICITED))
		return CAIRN_NET_OUTCOME_INVALID;
	if (bad_source(f, mac, &outcome))
		return outcome;
	if (!gid_equal(dst, net6_all_nodes) && own_index(dst, f->vid) < 0)
		return CAIRN_NET_OUTCOME_IGNORED;
	ours = own_index(target, f->vid);
	if (ours >= 0)
		return net_conflict((unsigned int)ours, mac ? mac : f->src_mac);
	if (gid_is_v4(target))
		return CAIRN_NET_OUTCOME_UNSOLICITED;
	outcome = neighbour_said(target, f->vid, mac, flags & ND_SOLICITED, flags & ND_OVERRIDE);
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
	out = net6_begin(ours, f->src_mac, src, bytes, 64);
	memcpy(out, icmp, bytes);
	out[0] = ICMP6_ECHO_REPLY;
	net6_send(out, bytes);
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
	if (icmp[0] != ICMP6_ECHO && icmp[0] != ICMP6_NS && icmp[0] != ICMP6_NA)
		return CAIRN_NET_OUTCOME_IGNORED;
	if (icmp[1] || net6_checksum(ip, icmp, bytes))
		return CAIRN_NET_OUTCOME_INVALID;
	if (icmp[0] == ICMP6_ECHO)
		return echo(f, icmp, bytes);
	if (bytes < ND_BYTES || ip[7] != ND_HOPS)
		return CAIRN_NET_OUTCOME_INVALID;
	return icmp[0] == ICMP6_NS ? solicited(f, icmp, bytes) : advertised(f, icmp, bytes);
}
