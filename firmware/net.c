// SPDX-License-Identifier: Apache-2.0
/*
 * The slow path of the network: ARP (RFC 826: answers, requests for RESOLVE and QPs on their way to
 * RTR, announcements) and ICMP echo (RFC 792) so that a NIC can be pinged.  Frames come and go
 * through region MMIO_RAW.  A neighbour is what an ARP packet to or about us said last.
 */
#include <string.h>

#include "fw.h"

#define NEIGHBOURS 64u
#define ASK_INTERVAL_NS 100000000ull /* repeat an unanswered request */
#define FRAME_BYTES CAIRN_RAW_FRAME_BYTES

struct neighbour {
	uint8_t gid[16];
	uint8_t mac[6];
	bool used, known;
	uint64_t asked; /* ns of the last request; 0 never */
	uint32_t stamp; /* for replacement */
};

static struct neighbour neighbours[NEIGHBOURS];
static uint32_t stamp;
static uint8_t frame[FRAME_BYTES] __attribute__((aligned(4)));
static uint32_t announce; /* bit per GID still to announce */

enum { ARP_BYTES = 28, ARP_REQUEST = 1, ARP_REPLY = 2, ICMP_ECHO = 8, ICMP_ECHO_REPLY = 0 };

static uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static void put16(uint8_t *p, unsigned int v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static bool tx_free(void)
{
	return !(mmio_read32(REG(RAW, RAW_TX)) & CAIRN_REG_RAW_TX_BUSY);
}

static void tx_send(const uint8_t *data, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i += 4) {
		uint32_t word;

		memcpy(&word, data + i, 4);
		mmio_write32(CAIRN_MMIO_RAW + CAIRN_RAW_TX_BUFFER + i, word);
	}
	mmio_write32(REG(RAW, RAW_TX), CAIRN_PUT(CAIRN_REG_RAW_TX_LEN, bytes));
}

static void v4_gid(uint8_t *gid, const uint8_t *ip)
{
	memset(gid, 0, 10);
	gid[10] = gid[11] = 0xff;
	memcpy(gid + 12, ip, 4);
}

static int own_index(const uint8_t *gid)
{
	for (unsigned int i = 0; i < GIDS; i++)
		if (dev.gids[i].valid && !memcmp(dev.gids[i].raw, gid, 16))
			return (int)i;
	return -1;
}

bool net_is_own(const uint8_t *gid)
{
	return own_index(gid) >= 0;
}

static struct neighbour *neighbour_get(const uint8_t *gid, bool make)
{
	struct neighbour *oldest = &neighbours[0];

	for (unsigned int i = 0; i < NEIGHBOURS; i++) {
		struct neighbour *n = &neighbours[i];

		if (n->used && !memcmp(n->gid, gid, 16))
			return n;
		if (!n->used || (oldest->used && n->stamp - oldest->stamp > 1u << 31))
			oldest = n;
	}
	if (!make)
		return NULL;
	memset(oldest, 0, sizeof(*oldest));
	memcpy(oldest->gid, gid, 16);
	oldest->used = true;
	oldest->stamp = ++stamp;
	return oldest;
}

static void arp_send(unsigned int op, const uint8_t *my_ip, const uint8_t *to_mac,
		     const uint8_t *to_ip)
{
	static uint8_t out[14 + ARP_BYTES + 2] __attribute__((aligned(4)));
	static const uint8_t broadcast[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	uint8_t *arp = out + 14;

	memset(out, 0, sizeof(out));
	memcpy(out, to_mac ? to_mac : broadcast, 6);
	memcpy(out + 6, dev.mac, 6);
	put16(out + 12, CAIRN_ETHERTYPE_ARP);
	put16(arp, 1);
	put16(arp + 2, CAIRN_ETHERTYPE_IPV4);
	arp[4] = 6;
	arp[5] = 4;
	put16(arp + 6, op);
	memcpy(arp + 8, dev.mac, 6);
	memcpy(arp + 14, my_ip, 4);
	if (to_mac)
		memcpy(arp + 18, to_mac, 6);
	memcpy(arp + 24, to_ip, 4);
	tx_send(out, 14 + ARP_BYTES);
}

/* True if an answer was sent or none is due; false: try again when the transmit buffer is free. */
static bool arp_received(const uint8_t *f, uint32_t bytes)
{
	const uint8_t *arp = f + 14;
	uint8_t sender[16], target[16];
	struct neighbour *n;
	bool ours;

	if (bytes < 14 + ARP_BYTES || get16(arp) != 1 || get16(arp + 2) != CAIRN_ETHERTYPE_IPV4 ||
	    arp[4] != 6 || arp[5] != 4)
		return true;
	v4_gid(sender, arp + 14);
	v4_gid(target, arp + 24);
	ours = net_is_own(target);
	if (ours && get16(arp + 6) == ARP_REQUEST && !tx_free())
		return false;
	/* RFC 826: update what is there; add only if it is about us. */
	n = neighbour_get(sender, ours);
	if (n) {
		memcpy(n->mac, arp + 8, 6);
		n->known = true;
		n->stamp = ++stamp;
	}
	if (ours && get16(arp + 6) == ARP_REQUEST)
		arp_send(ARP_REPLY, arp + 24, arp + 8, arp + 14);
	return true;
}

static uint16_t checksum(const uint8_t *p, uint32_t bytes)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i + 1 < bytes; i += 2)
		sum += get16(p + i);
	if (bytes & 1)
		sum += (uint32_t)p[bytes - 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* Echo request to one of our addresses: turn the frame round in place.  Returns as arp_received().
 */
static bool icmp_received(uint8_t *f, uint32_t bytes)
{
	uint8_t *ip = f + 14, *icmp = ip + 20, dst[16], swap[6];
	uint32_t total;

	if (bytes < 14 + 20 + 8 || ip[0] != 0x45 || ip[9] != CAIRN_IP_PROTO_ICMP ||
	    (get16(ip + 6) & 0x3fff) || checksum(ip, 20))
		return true;
	total = get16(ip + 2);
	v4_gid(dst, ip + 16);
	if (total < 28 || total > bytes - 14 || icmp[0] != ICMP_ECHO ||
	    checksum(icmp, total - 20) || !net_is_own(dst))
		return true;
	if (!tx_free())
		return false;
	memcpy(swap, f, 6);
	memcpy(f, f + 6, 6);
	memcpy(f + 6, dev.mac, 6);
	memcpy(swap, ip + 12, 4);
	memcpy(ip + 12, ip + 16, 4);
	memcpy(ip + 16, swap, 4);
	ip[8] = 64;
	put16(ip + 10, 0);
	put16(ip + 10, checksum(ip, 20));
	icmp[0] = ICMP_ECHO_REPLY;
	put16(icmp + 2, 0);
	put16(icmp + 2, checksum(icmp, total - 20));
	tx_send(f, 14 + total);
	return true;
}

bool net_resolve(unsigned int sgid_index, const uint8_t *dgid, uint64_t *mac)
{
	struct neighbour *n;
	const uint8_t *m = NULL;
	uint64_t now = cpu_now();

	if (net_is_own(dgid)) {
		m = dev.mac;
	} else if (gid_is_v4(dgid) && (dgid[12] & 0xf0) == 0xe0) { /* RFC 1112 */
		*mac = 0x01005e000000ull | (uint64_t)(dgid[13] & 0x7f) << 16 | get16(dgid + 14);
		return true;
	} else {
		n = neighbour_get(dgid, true);
		if (n->known)
			m = n->mac;
		else if ((!n->asked || now - n->asked >= ASK_INTERVAL_NS) && gid_is_v4(dgid) &&
			 tx_free()) {
			n->asked = now;
			arp_send(ARP_REQUEST, dev.gids[sgid_index].raw + 12, NULL, dgid + 12);
		}
		if (!m)
			fw_wake_at(n->asked + ASK_INTERVAL_NS);
	}
	if (!m)
		return false;
	*mac = 0;
	for (unsigned int i = 0; i < 6; i++)
		*mac = *mac << 8 | m[i];
	return true;
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
		if (dev.gids[i].valid && gid_is_v4(dev.gids[i].raw)) {
			if (!tx_free()) {
				fw_wake_at(cpu_now() + 1000);
				return;
			}
			arp_send(ARP_REQUEST, dev.gids[i].raw + 12, NULL, dev.gids[i].raw + 12);
		}
		announce &= ~(1u << i);
	}
}

void net_poll(void)
{
	uint32_t rx = mmio_read32(REG(RAW, RAW_RX));
	uint32_t bytes = CAIRN_GET(rx, CAIRN_REG_RAW_RX_LEN);
	bool done = true;

	announce_poll();
	if (!(rx & CAIRN_REG_RAW_RX_VALID))
		return;
	for (uint32_t i = 0; i < bytes && i < FRAME_BYTES; i += 4) {
		uint32_t word = mmio_read32(CAIRN_MMIO_RAW + CAIRN_RAW_RX_BUFFER + i);

		memcpy(frame + i, &word, 4);
	}
	if (bytes >= 14 && get16(frame + 12) == CAIRN_ETHERTYPE_ARP)
		done = arp_received(frame, bytes);
	else if (bytes >= 14 && get16(frame + 12) == CAIRN_ETHERTYPE_IPV4)
		done = icmp_received(frame, bytes);
	if (done)
		mmio_write32(REG(RAW, RAW_RX_POP), 1);
}
