// SPDX-License-Identifier: Apache-2.0
/* IPv4's slow path: ARP (RFC 826) and ICMP echo (RFC 792), so that a NIC can be pinged. */
#include <string.h>

#include "dev.h"
#include "gid.h"
#include "net.h"

enum { ICMP_ECHO = 8, ICMP_ECHO_REPLY = 0 };

static void v4_gid(uint8_t *gid, const uint8_t *ip)
{
	memset(gid, 0, 10);
	gid[10] = gid[11] = 0xff;
	memcpy(gid + 12, ip, 4);
}

/* ---- ARP ---- */

/*
 * A host tells its addresses, in a request or a reply: an advertisement that overrides, and a
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

enum cairn_net_outcome net_arp_received(const struct net_frame *f)
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
	mine = gid_own_index(sender, f->vid);
	if (mine >= 0)
		return net_conflict((unsigned int)mine, arp + 8);
	ours = gid_own_index(target, f->vid);
	if (request && ours >= 0 && !net_tx_free())
		return NET_AGAIN;
	outcome = probe ? CAIRN_NET_OUTCOME_IGNORED : arp_said(f, sender, !request);
	if (ours < 0)
		return outcome;
	if (!request)
		return outcome == CAIRN_NET_OUTCOME_IGNORED ? CAIRN_NET_OUTCOME_UNSOLICITED
							    : outcome;
	net_arp_send((unsigned int)ours, ARP_REPLY, arp + 8, arp + 14);
	return CAIRN_NET_OUTCOME_USED;
}

/* ---- ICMP echo ---- */

enum cairn_net_outcome net_icmp_received(const struct net_frame *f)
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
