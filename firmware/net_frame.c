// SPDX-License-Identifier: Apache-2.0
/* Frames of the slow path, in and out through region MMIO_RAW, and the sums of their headers. */
#include <string.h>

#include "dev.h"
#include "gid.h"
#include "net.h"

#define FRAME_BYTES CAIRN_RAW_FRAME_BYTES

/* Two bytes before a frame, and its network header is at a multiple of 4, with a tag or without. */
static uint32_t rx_words[FRAME_BYTES / 4 + 1] CPU_NOINIT, tx_words[FRAME_BYTES / 4 + 2] CPU_NOINIT;
#define FRAME(words) ((uint8_t *)(words) + 2)
static uint32_t tx_l3; /* where the network header is in tx_frame */

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

/* ---- out ---- */

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

/* ---- in ---- */

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

bool net_rx(uint32_t bytes, struct net_frame *f)
{
	if (bytes > FRAME_BYTES)
		bytes = FRAME_BYTES;
	frame_copy(bytes);
	return frame_parse(FRAME(rx_words), bytes, f);
}
