// SPDX-License-Identifier: Apache-2.0
/*
 * What firmware says to the network: ARP (RFC 826) and neighbour discovery (RFC 4861), about one of
 * our GIDs.
 */
#include <string.h>

#include "dev.h"
#include "gid.h"
#include "net.h"

void net_arp_send(unsigned int gid_index, unsigned int op, const uint8_t *to_mac,
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
	net_arp_send(gid_index, ARP_REQUEST, NULL, ip);
}

/* ---- IPv6 ---- */

_Alignas(4) const uint8_t net6_all_nodes[16] = { 0xff, 2, [15] = 1 };

/* Source, destination, length and next header count with the message (RFC 8200, 8.1). */
uint16_t net6_checksum(const uint8_t *ip, const uint8_t *icmp, uint32_t bytes)
{
	uint32_t sum = net_sum(0, ip + 8, 32) + bytes + CAIRN_IP_PROTO_ICMPV6;

	return net_checksum(net_sum(sum, icmp, bytes));
}

static void group_mac(uint8_t *mac, const uint8_t *gid)
{
	mac[0] = mac[1] = 0x33;
	memcpy(mac + 2, gid + 12, 4);
}

uint8_t *net6_begin(unsigned int gid_index, const uint8_t *mac, const uint8_t *dst, uint32_t bytes,
		    uint8_t hops)
{
	uint8_t *ip = net_tx_begin(gid_index, mac, CAIRN_ETHERTYPE_IPV6);

	ip[0] = 0x60;
	put16(ip + 4, bytes);
	ip[6] = CAIRN_IP_PROTO_ICMPV6;
	ip[7] = hops;
	memcpy(ip + 8, dev.gids[gid_index].raw, 16);
	memcpy(ip + 24, dst, 16);
	return ip + CAIRN_IPV6_BYTES;
}

void net6_send(uint8_t *icmp, uint32_t bytes)
{
	put16(icmp + 2, 0);
	put16(icmp + 2, net6_checksum(icmp - CAIRN_IPV6_BYTES, icmp, bytes));
	net_tx_send(CAIRN_IPV6_BYTES + bytes);
}

static void nd_send(unsigned int gid_index, const uint8_t *mac, const uint8_t *dst, uint8_t type,
		    uint8_t flags, const uint8_t *target)
{
	uint8_t *icmp = net6_begin(gid_index, mac, dst, ND_BYTES + ND_OPT_BYTES, ND_HOPS);

	icmp[0] = type;
	icmp[4] = flags;
	memcpy(icmp + 8, target, 16);
	icmp[ND_BYTES] = type == ICMP6_NS ? ND_OPT_SOURCE_MAC : ND_OPT_TARGET_MAC;
	icmp[ND_BYTES + 1] = ND_OPT_BYTES / 8;
	memcpy(icmp + ND_BYTES + 2, dev.mac, MAC_BYTES);
	net6_send(icmp, ND_BYTES + ND_OPT_BYTES);
}

/* RFC 4291 2.7.1 */
void net6_solicited_group(uint8_t *group, const uint8_t *target)
{
	static const uint8_t prefix[13] = { 0xff, 2, [11] = 1, [12] = 0xff };

	memcpy(group, prefix, sizeof(prefix));
	memcpy(group + 13, target + 13, 3);
}

void net6_solicit(unsigned int gid_index, const uint8_t *target)
{
	_Alignas(4) uint8_t group[16], mac[MAC_BYTES];

	net6_solicited_group(group, target);
	group_mac(mac, group);
	nd_send(gid_index, mac, group, ICMP6_NS, 0, target);
}

void net6_announce(unsigned int gid_index)
{
	uint8_t mac[MAC_BYTES];

	group_mac(mac, net6_all_nodes);
	nd_send(gid_index, mac, net6_all_nodes, ICMP6_NA, ND_OVERRIDE, dev.gids[gid_index].raw);
}

void net6_answer(unsigned int gid_index, const uint8_t *mac, const uint8_t *dst)
{
	nd_send(gid_index, mac, dst, ICMP6_NA, ND_SOLICITED | ND_OVERRIDE, dev.gids[gid_index].raw);
}
