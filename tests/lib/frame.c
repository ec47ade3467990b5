// SPDX-License-Identifier: Apache-2.0
/* Frames from and to packets of the golden model; see frame.h. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

#include "sim_pkt.h"

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

static uint16_t ipv4_sum(const uint8_t *ip)
{
	uint32_t sum = 0;

	for (unsigned int i = 0; i < CAIRN_IPV4_BYTES; i += 2)
		sum += (uint32_t)ip[i] << 8 | ip[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

static uint32_t put_ipv4(uint8_t *ip, const struct model_packet *packet,
			 const struct frame_path *path, uint32_t udp_bytes)
{
	cairn_pkt_set(ip, CAIRN_IPV4_VERSION, 4);
	cairn_pkt_set(ip, CAIRN_IPV4_IHL, 5);
	ip[1] = path->tos;
	cairn_pkt_set(ip, CAIRN_IPV4_LENGTH, CAIRN_IPV4_BYTES + udp_bytes);
	cairn_pkt_set(ip, CAIRN_IPV4_DF, 1);
	cairn_pkt_set(ip, CAIRN_IPV4_TTL, path->hops);
	cairn_pkt_set(ip, CAIRN_IPV4_PROTO, 17);
	memcpy(ip + 12, packet->src + 12, 4);
	memcpy(ip + 16, packet->dst + 12, 4);
	cairn_pkt_set(ip, CAIRN_IPV4_CHECKSUM, (uint16_t)~ipv4_sum(ip));
	return CAIRN_IPV4_BYTES;
}

static uint32_t put_ipv6(uint8_t *ip, const struct model_packet *packet,
			 const struct frame_path *path, uint32_t udp_bytes)
{
	cairn_pkt_set(ip, CAIRN_IPV6_VERSION, 6);
	cairn_pkt_set(ip, CAIRN_IPV6_DSCP, path->tos >> 2);
	cairn_pkt_set(ip, CAIRN_IPV6_ECN, path->tos & 3u);
	cairn_pkt_set(ip, CAIRN_IPV6_LENGTH, udp_bytes);
	cairn_pkt_set(ip, CAIRN_IPV6_NEXT, 17);
	cairn_pkt_set(ip, CAIRN_IPV6_HOP_LIMIT, path->hops);
	memcpy(ip + 8, packet->src, 16);
	memcpy(ip + 24, packet->dst, 16);
	return CAIRN_IPV6_BYTES;
}

/* Ethernet header, with a tag if there is one; returns its length. */
static uint32_t put_eth(uint8_t *eth, const struct frame_path *path, uint16_t type)
{
	uint8_t *tag = eth + CAIRN_ETH_BYTES - 2;

	cairn_pkt_set(eth, CAIRN_ETH_DST, path->dmac);
	cairn_pkt_set(eth, CAIRN_ETH_SRC, path->smac);
	cairn_pkt_set(eth, CAIRN_ETH_TYPE, path->tci ? CAIRN_ETHERTYPE_VLAN : type);
	if (!path->tci)
		return CAIRN_ETH_BYTES;
	tag[2] = (uint8_t)(path->tci >> 8);
	tag[3] = (uint8_t)path->tci;
	tag[4] = (uint8_t)(type >> 8);
	tag[5] = (uint8_t)type;
	return CAIRN_ETH_BYTES + CAIRN_VLAN_BYTES;
}

struct sim_frame *frame_build(const struct model_packet *packet, const struct frame_path *path)
{
	bool v4 = !memcmp(packet->dst, mapped, sizeof(mapped));
	uint32_t udp_bytes = CAIRN_UDP_BYTES + packet->len + CAIRN_ICRC_BYTES, icrc, ip_bytes;
	uint8_t bytes[CAIRN_ETH_BYTES + CAIRN_VLAN_BYTES + CAIRN_IPV6_BYTES + CAIRN_UDP_BYTES +
		      MODEL_MAX_PACKET + CAIRN_ICRC_BYTES] = { 0 };
	uint32_t eth = put_eth(bytes, path, v4 ? CAIRN_ETHERTYPE_IPV4 : CAIRN_ETHERTYPE_IPV6);
	uint8_t *ip = bytes + eth, *udp, *bth;

	ip_bytes = v4 ? put_ipv4(ip, packet, path, udp_bytes)
		      : put_ipv6(ip, packet, path, udp_bytes);
	udp = ip + ip_bytes;
	cairn_pkt_set(udp, CAIRN_UDP_SPORT, path->sport);
	cairn_pkt_set(udp, CAIRN_UDP_DPORT, CAIRN_ROCE_UDP_PORT);
	cairn_pkt_set(udp, CAIRN_UDP_LENGTH, udp_bytes);
	bth = udp + CAIRN_UDP_BYTES;
	memcpy(bth, packet->bytes, packet->len);
	icrc = model_icrc(ip, ip_bytes + CAIRN_UDP_BYTES + packet->len);
	memcpy(bth + packet->len, &icrc, CAIRN_ICRC_BYTES);
	return sim_frame_new(bytes, eth + ip_bytes + udp_bytes);
}

/* Lengths of IP and UDP agree and lie inside the frame; the header of IPv4 is undamaged. */
static bool ip_good(const uint8_t *ip, uint32_t room, bool v6, uint32_t *ip_bytes, uint32_t *udp)
{
	uint32_t total;

	*ip_bytes = v6 ? CAIRN_IPV6_BYTES : CAIRN_IPV4_BYTES;
	*udp = (uint32_t)cairn_pkt_get(ip + *ip_bytes, CAIRN_UDP_LENGTH);
	if (v6)
		total = CAIRN_IPV6_BYTES + (uint32_t)cairn_pkt_get(ip, CAIRN_IPV6_LENGTH);
	else
		total = (uint32_t)cairn_pkt_get(ip, CAIRN_IPV4_LENGTH);
	if (!v6 && ipv4_sum(ip) != 0xffff)
		return false;
	return total == *ip_bytes + *udp && total <= room;
}

static bool multicast(const struct model_packet *packet)
{
	bool v4 = !memcmp(packet->dst, mapped, sizeof(mapped));

	return v4 ? packet->dst[12] >> 4 == 0xe : packet->dst[0] == 0xff;
}

bool frame_take(const struct sim_frame *frame, uint64_t mac, struct model_packet *packet)
{
	const uint8_t *ip, *bth;
	uint32_t ip_bytes, udp_bytes, icrc;
	struct sim_pkt pkt;
	uint64_t dst;

	memset(packet, 0, sizeof(*packet));
	if (frame->err)
		return false;
	sim_pkt_parse(frame->data, frame->len, &pkt);
	dst = cairn_pkt_get(frame->data, CAIRN_ETH_DST);
	if (pkt.kind != SIM_PKT_ROCE || (dst != mac && !(dst >> 40 & 1)))
		return false;
	ip = frame->data + pkt.l3;
	bth = frame->data + pkt.bth;
	if (!ip_good(ip, frame->len - pkt.l3, pkt.ipv6, &ip_bytes, &udp_bytes) ||
	    ip + ip_bytes + CAIRN_UDP_BYTES != bth ||
	    udp_bytes < CAIRN_UDP_BYTES + CAIRN_BTH_BYTES + CAIRN_ICRC_BYTES)
		return false;
	packet->len = udp_bytes - CAIRN_UDP_BYTES - CAIRN_ICRC_BYTES;
	if (packet->len > MODEL_MAX_PACKET)
		return false;
	icrc = model_icrc(ip, ip_bytes + CAIRN_UDP_BYTES + packet->len);
	if (memcmp(bth + packet->len, &icrc, CAIRN_ICRC_BYTES))
		return false;
	memcpy(packet->bytes, bth, packet->len);
	if (pkt.ipv6) {
		memcpy(packet->src, ip + 8, 16);
		memcpy(packet->dst, ip + 24, 16);
		memcpy(packet->grh, ip, CAIRN_IPV6_BYTES);
	} else {
		memcpy(packet->src, mapped, sizeof(mapped));
		memcpy(packet->dst, mapped, sizeof(mapped));
		memcpy(packet->src + 12, ip + 12, 4);
		memcpy(packet->dst + 12, ip + 16, 4);
		memcpy(packet->grh + 20, ip, CAIRN_IPV4_BYTES);
	}
	/* one's own address behind a group's: RFC 1122 3.3.6 */
	return dst == mac || multicast(packet);
}
