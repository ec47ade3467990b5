// SPDX-License-Identifier: Apache-2.0
/*
 * The slow path of the network: frames that the data path does not know come here (region MMIO_RAW)
 * and are each counted under what became of them (enum net_outcome).  For the rest of firmware:
 * which MAC has which address (RESOLVE, QPs on their way to RTR).
 */
#include "dev.h"
#include "gid.h"
#include "loop.h"
#include "net.h"

static uint64_t mac_value(const uint8_t *m)
{
	uint64_t mac = 0;

	for (unsigned int i = 0; i < MAC_BYTES; i++)
		mac = mac << 8 | m[i];
	return mac;
}

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
	uint16_t vid = gid_vid(sgid_index);
	const uint8_t *his;

	if (mcast_mac(dgid, mac))
		return true;
	if (gid_own_index(dgid, vid) >= 0) {
		*mac = mac_value(dev.mac);
		return true;
	}
	his = neighbour_mac(sgid_index, dgid);
	if (his)
		*mac = mac_value(his);
	return his;
}

static enum cairn_net_outcome frame_received(uint32_t bytes)
{
	struct net_frame f;

	if (!net_rx(bytes, &f))
		return CAIRN_NET_OUTCOME_INVALID;
	switch (f.etype) {
	case CAIRN_ETHERTYPE_ARP:
		return net_arp_received(&f);
	case CAIRN_ETHERTYPE_IPV4:
		return net_icmp_received(&f);
	case CAIRN_ETHERTYPE_IPV6:
		return net6_received(&f);
	default:
		return CAIRN_NET_OUTCOME_IGNORED;
	}
}

#define HELD_PASSES 16u

void net_poll(bool busy)
{
	uint32_t rx = mmio_read32(REG(RAW, RAW_RX));
	uint32_t bytes = CAIRN_GET(rx, CAIRN_REG_RAW_RX_LEN);
	static unsigned int held;
	enum cairn_net_outcome outcome;

	/* Others' frames wait for commands, but not without end. */
	if (busy && !(rx & CAIRN_REG_RAW_RX_ANSWER) && ++held % HELD_PASSES)
		return;
	if (neighbour_question()) {
		fw_wake_at(cpu_now() + NET_TX_RETRY_NS);
		return;
	}
	if (!(rx & CAIRN_REG_RAW_RX_VALID))
		return;
	outcome = frame_received(bytes);
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
