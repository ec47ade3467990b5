// SPDX-License-Identifier: Apache-2.0
/*
 * The slow path of the network: who has which address (RESOLVE, QPs on their way to RTR), telling
 * others ours, and ICMP echo so that a NIC can be pinged.  Here are frames, VLAN tags, the
 * neighbour cache, ARP (RFC 826) and ICMP (RFC 792); IPv6 is in net6.c.  Frames come and go through
 * region MMIO_RAW.  A neighbour is what a packet to or about us said last; what was heard long ago,
 * or before the link was down, is asked for anew: a connection would keep the old address for good.
 */
#include <string.h>

#include "net.h"

#define NEIGHBOURS 64u
#define ASK_INTERVAL_NS 100000000ull /* repeat an unanswered request */
#define FRESH_NS 30000000000ull /* as long as a neighbour is believed */
#define FRAME_BYTES CAIRN_RAW_FRAME_BYTES
#define TX_RETRY_NS 1000u

static struct neighbour neighbours[NEIGHBOURS];
static uint32_t stamp;
static uint8_t rx_frame[FRAME_BYTES] __attribute__((aligned(4)));
static uint8_t tx_frame[FRAME_BYTES] __attribute__((aligned(4)));
static uint32_t tx_l3;	  /* where the network header is in tx_frame */
static uint32_t announce; /* bit per GID still to announce */

enum { ARP_BYTES = 28, ARP_REQUEST = 1, ARP_REPLY = 2, ICMP_ECHO = 8, ICMP_ECHO_REPLY = 0 };

uint32_t net_sum(uint32_t sum, const uint8_t *p, uint32_t bytes)
{
	for (uint32_t i = 0; i + 1 < bytes; i += 2)
		sum += get16(p + i);
	if (bytes & 1)
		sum += (uint32_t)p[bytes - 1] << 8;
	return sum;
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

	memset(tx_frame, 0, 128); /* headers of all kinds; echoes write the rest */
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

	for (uint32_t i = 0; i < bytes; i += 4) {
		uint32_t word;

		memcpy(&word, tx_frame + i, 4);
		mmio_write32(CAIRN_MMIO_RAW + CAIRN_RAW_TX_BUFFER + i, word);
	}
	mmio_write32(REG(RAW, RAW_TX), CAIRN_PUT(CAIRN_REG_RAW_TX_LEN, bytes));
}

/* False: too short, or tags inside of tags. */
static bool frame_parse(const uint8_t *frame, uint32_t bytes, struct net_frame *f)
{
	uint32_t at = CAIRN_ETH_BYTES;

	if (bytes < at)
		return false;
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
	for (unsigned int i = 0; i < GIDS; i++)
		if (dev.gids[i].valid && net_gid_vid(i) == vid && !memcmp(dev.gids[i].raw, gid, 16))
			return (int)i;
	return -1;
}

static struct neighbour *neighbour_get(const uint8_t *gid, uint16_t vid, bool make)
{
	struct neighbour *oldest = &neighbours[0];

	for (unsigned int i = 0; i < NEIGHBOURS; i++) {
		struct neighbour *n = &neighbours[i];

		if (n->used && n->vid == vid && !memcmp(n->gid, gid, 16))
			return n;
		if (!n->used || (oldest->used && n->stamp - oldest->stamp > 1u << 31))
			oldest = n;
	}
	if (!make)
		return NULL;
	memset(oldest, 0, sizeof(*oldest));
	memcpy(oldest->gid, gid, 16);
	oldest->vid = vid;
	oldest->used = true;
	oldest->stamp = ++stamp;
	return oldest;
}

void net_neighbour_learn(const uint8_t *gid, uint16_t vid, const uint8_t *mac, bool make)
{
	struct neighbour *n;

	if (mac[0] & 1)
		return; /* nobody's own */
	n = neighbour_get(gid, vid, make);
	if (!n)
		return;
	memcpy(n->mac, mac, MAC_BYTES);
	n->known = true;
	n->heard = cpu_now();
	n->stamp = ++stamp;
}

void net_forget(void)
{
	for (unsigned int i = 0; i < NEIGHBOURS; i++)
		neighbours[i].known = false;
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

/* Returns as net6_received(). */
static bool arp_received(const struct net_frame *f)
{
	const uint8_t *arp = f->l3;
	uint8_t sender[16], target[16];
	bool request;
	int ours;

	if (f->bytes < ARP_BYTES || get16(arp) != 1 || get16(arp + 2) != CAIRN_ETHERTYPE_IPV4 ||
	    arp[4] != MAC_BYTES || arp[5] != 4)
		return true;
	v4_gid(sender, arp + 14);
	v4_gid(target, arp + 24);
	ours = net_own_index(target, f->vid);
	request = ours >= 0 && get16(arp + 6) == ARP_REQUEST;
	if (request && !net_tx_free())
		return false;
	/* RFC 826: update what is there; add only if it is about us. */
	net_neighbour_learn(sender, f->vid, arp + 8, ours >= 0);
	if (request)
		arp_send((unsigned int)ours, ARP_REPLY, arp + 8, arp + 14);
	return true;
}

/* ---- ICMP echo ---- */

static bool icmp_received(const struct net_frame *f)
{
	const uint8_t *ip = f->l3, *icmp = ip + CAIRN_IPV4_BYTES;
	uint8_t gid[16], *out;
	uint32_t total;
	int ours;

	if (f->bytes < CAIRN_IPV4_BYTES + 8 || ip[0] != 0x45 || ip[9] != CAIRN_IP_PROTO_ICMP ||
	    (get16(ip + 6) & 0x3fff) || net_checksum(net_sum(0, ip, CAIRN_IPV4_BYTES)))
		return true;
	total = get16(ip + 2);
	v4_gid(gid, ip + 16);
	ours = net_own_index(gid, f->vid);
	if (ours < 0 || total < CAIRN_IPV4_BYTES + 8 || total > f->bytes || icmp[0] != ICMP_ECHO ||
	    net_checksum(net_sum(0, icmp, total - CAIRN_IPV4_BYTES)) ||
	    !net_tx_fits((unsigned int)ours, total))
		return true;
	if (!net_tx_free())
		return false;
	out = net_tx_begin((unsigned int)ours, f->src_mac, CAIRN_ETHERTYPE_IPV4);
	memcpy(out, ip, total);
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
	return true;
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

static void ask(struct neighbour *n, unsigned int gid_index)
{
	uint64_t now = cpu_now();

	if (n->asked && now - n->asked < ASK_INTERVAL_NS)
		return;
	if (!net_tx_free()) {
		fw_wake_at(now + TX_RETRY_NS);
		return;
	}
	n->asked = now;
	if (gid_is_v4(n->gid))
		arp_send(gid_index, ARP_REQUEST, NULL, n->gid + 12);
	else
		net6_solicit(gid_index, n->gid);
}

bool net_resolve(unsigned int sgid_index, const uint8_t *dgid, uint64_t *mac)
{
	uint16_t vid = net_gid_vid(sgid_index);
	struct neighbour *n;

	if (mcast_mac(dgid, mac))
		return true;
	if (net_own_index(dgid, vid) >= 0) {
		*mac = mac_value(dev.mac);
		return true;
	}
	n = neighbour_get(dgid, vid, true);
	if (n->known && cpu_now() - n->heard < FRESH_NS) {
		*mac = mac_value(n->mac);
		return true;
	}
	ask(n, sgid_index);
	if (n->asked)
		fw_wake_at(n->asked + ASK_INTERVAL_NS);
	return false;
}

void net_announce(unsigned int gid_index)
{
	announce |= 1u << gid_index;
}

void net_init(void)
{
	cpu_enable(CPU_LINE_BIT(CAIRN_IRQ_RAW));
}

static void announce_poll(void)
{
	for (unsigned int i = 0; announce && i < GIDS; i++) {
		if (!(announce >> i & 1))
			continue;
		if (dev.gids[i].valid && !net_tx_free()) {
			fw_wake_at(cpu_now() + TX_RETRY_NS);
			return;
		}
		if (dev.gids[i].valid && gid_is_v4(dev.gids[i].raw))
			arp_send(i, ARP_REQUEST, NULL, dev.gids[i].raw + 12);
		else if (dev.gids[i].valid)
			net6_announce(i);
		announce &= ~(1u << i);
	}
}

static bool frame_received(const uint8_t *frame, uint32_t bytes)
{
	struct net_frame f;

	if (!frame_parse(frame, bytes, &f))
		return true;
	switch (f.etype) {
	case CAIRN_ETHERTYPE_ARP:
		return arp_received(&f);
	case CAIRN_ETHERTYPE_IPV4:
		return icmp_received(&f);
	case CAIRN_ETHERTYPE_IPV6:
		return net6_received(&f);
	default:
		return true;
	}
}

void net_poll(void)
{
	uint32_t rx = mmio_read32(REG(RAW, RAW_RX));
	uint32_t bytes = CAIRN_GET(rx, CAIRN_REG_RAW_RX_LEN);

	announce_poll();
	if (!(rx & CAIRN_REG_RAW_RX_VALID))
		return;
	if (bytes > FRAME_BYTES)
		bytes = FRAME_BYTES;
	mmio_copy_out(CAIRN_MMIO_RAW + CAIRN_RAW_RX_BUFFER, rx_frame, (bytes + 3) & ~3u);
	if (frame_received(rx_frame, bytes))
		mmio_write32(REG(RAW, RAW_RX_POP), 1);
	else
		fw_wake_at(cpu_now() + TX_RETRY_NS);
}
