/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the network's slow path share: frames taken apart and put together, the
 * neighbour cache.  net.c has these and the IPv4 side, net6.c the IPv6 side.
 */
#ifndef CAIRN_FW_NET_H
#define CAIRN_FW_NET_H

#include "fw.h"

#define MAC_BYTES 6u
#define NO_VLAN 0u /* of a neighbour, and of frames without tag or with VID 0 */

/* A frame received: where its network header is, and what of it is really there. */
struct net_frame {
	const uint8_t *src_mac;
	uint16_t etype, vid;
	const uint8_t *l3;
	uint32_t bytes; /* from l3 on */
};

struct neighbour {
	uint8_t gid[16];
	uint16_t vid;
	uint8_t mac[MAC_BYTES];
	bool used, known;
	uint64_t asked; /* ns of the last request; 0 never */
	uint64_t heard; /* ns */
	uint32_t stamp; /* for replacement */
};

static inline uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline void put16(uint8_t *p, unsigned int v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

/* The sum of RFC 1071, not folded: add pieces of even length, then net_checksum(). */
uint32_t net_sum(uint32_t sum, const uint8_t *p, uint32_t bytes);
uint16_t net_checksum(uint32_t sum);

bool net_tx_free(void);
/* An answer with the tag of one of our GIDs may be longer than what came without. */
bool net_tx_fits(unsigned int gid_index, uint32_t l3_bytes);
/* Ethernet header to that MAC, with the tag of one of our GIDs; returns where the rest goes. */
uint8_t *net_tx_begin(unsigned int gid_index, const uint8_t *mac, uint16_t etype);
void net_tx_send(uint32_t l3_bytes);

/* Our GID with that address in that VLAN, or -1. */
int net_own_index(const uint8_t *gid, uint16_t vid);
uint16_t net_gid_vid(unsigned int gid_index);
/* What somebody says of himself: update what is there; `make`: remember him. */
void net_neighbour_learn(const uint8_t *gid, uint16_t vid, const uint8_t *mac, bool make);

/* ---- net6.c ---- */
/* True if an answer was sent or none is due; false: again when the transmit buffer is free. */
bool net6_received(const struct net_frame *f);
void net6_solicit(unsigned int gid_index, const uint8_t *target);
void net6_announce(unsigned int gid_index);

#endif
