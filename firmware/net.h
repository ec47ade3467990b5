/* SPDX-License-Identifier: Apache-2.0 */
/* The network's slow path: for the rest of firmware first, then what its files share. */
#ifndef CAIRN_FW_NET_H
#define CAIRN_FW_NET_H

#include "fw.h"

/* ---- net.c ---- */
void net_poll(bool busy); /* busy: commands go before others' frames */
/* Neighbour cache: true and *mac when known;
 * otherwise asks the network (repeatedly while called). */
bool net_resolve(unsigned int sgid_index, const uint8_t *dgid, uint64_t *mac);

/* ---- net_own.c: our addresses ---- */
void net_announce(unsigned int gid_index);
/* Tell others one of our addresses; false: it waits.  busy: there is a command. */
bool net_announcing(bool busy);
/* Another host, at that MAC, uses an address of ours: report it, defend it. */
enum cairn_net_outcome net_conflict(unsigned int gid_index, const uint8_t *mac);

/* ---- neighbour.c: who is who ---- */
void neighbour_forget(void); /* at a change of the link, and of the host */
/*
 * A frame says which MAC has that address, mac NULL: nothing of the MAC. `solicited`: as an answer
 * to a question of ours, `override`: instead of what was said before, as in an advertisement (RFC
 * 4861 4.4); without either nothing that is known is replaced.  IGNORED: it was never asked for.
 */
enum cairn_net_outcome neighbour_said(const uint8_t *gid, uint16_t vid, const uint8_t *mac,
				      bool solicited, bool override);
/* Has a question gone out that is not answered? */
bool neighbour_asked(const uint8_t *gid, uint16_t vid);
/* The MAC, or NULL: the question is out, or will be when this is called again. */
const uint8_t *neighbour_mac(unsigned int sgid_index, const uint8_t *gid);
/* What came in an awaited one's place was no answer: keep it once more. */
void neighbour_await_again(void);
/* True once when a question could not go out: answers to others have to wait for it. */
bool neighbour_question(void);

/* ---- net_frame.c ---- */
#define MAC_BYTES 6u
#define NET_TX_RETRY_NS 1000u
/* No outcome yet: the frame is to be looked at again when the transmit buffer is free. */
#define NET_AGAIN ((enum cairn_net_outcome)CAIRN_NET_OUTCOMES)

/* A frame received: where its network header is, and what of it is really there. */
struct net_frame {
	const uint8_t *dst_mac, *src_mac;
	uint16_t etype, vid;
	const uint8_t *l3;
	uint32_t bytes; /* from l3 on */
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
/* The frame in the receive buffer; false: too short, or tags inside of tags. */
bool net_rx(uint32_t bytes, struct net_frame *f);

/* ---- net_addr.c ---- */
/* A MAC that another host's port can have. */
bool net_mac_ok(const uint8_t *mac);
/*
 * May a host of that name be answered or believed?  Only an address of the frame's family
 * that one host can have, at a MAC that one can have.  (RFC 1122 3.2.1.3, RFC 4291 2.5 and 2.7;
 * which broadcast addresses subnets have is not known here.)
 */
bool net_source_ok(const struct net_frame *f, const uint8_t *gid);
/*
 * An echo request of either family that is well-formed: USED if it may be answered now, with which
 * entry's address in *gid_index.  The one place that decides to whom.
 */
enum cairn_net_outcome net_echo_ours(const struct net_frame *f, const uint8_t *src,
				     const uint8_t *dst, uint32_t l3_bytes,
				     unsigned int *gid_index);

/* ---- net_msg.c ---- */
enum {
	ARP_BYTES = 28,
	ARP_REQUEST = 1,
	ARP_REPLY = 2,
	ICMP6_ECHO = 128,
	ICMP6_ECHO_REPLY = 129,
	ICMP6_NS = 135,
	ICMP6_NA = 136,
	ND_BYTES = 24, /* of NS and NA before their options */
	ND_OPT_SOURCE_MAC = 1,
	ND_OPT_TARGET_MAC = 2,
	ND_OPT_BYTES = 8,
	ND_HOPS = 255, /* what came over a router has less */
	ND_SOLICITED = 0x40,
	ND_OVERRIDE = 0x20,
};

/* to_mac NULL: to all. */
void net_arp_send(unsigned int gid_index, unsigned int op, const uint8_t *to_mac,
		  const uint8_t *to_ip);
void net_arp_ask(unsigned int gid_index, const uint8_t *ip);

extern const uint8_t net6_all_nodes[16];
void net6_solicited_group(uint8_t *group, const uint8_t *target);
/* IPv6 header of a message of ours; returns the message's place. */
uint8_t *net6_begin(unsigned int gid_index, const uint8_t *mac, const uint8_t *dst, uint32_t bytes,
		    uint8_t hops);
void net6_send(uint8_t *icmp, uint32_t bytes);
uint16_t net6_checksum(const uint8_t *ip, const uint8_t *icmp, uint32_t bytes);
void net6_solicit(unsigned int gid_index, const uint8_t *target);
void net6_announce(unsigned int gid_index); /* to all */
void net6_answer(unsigned int gid_index, const uint8_t *mac, const uint8_t *dst);

/* ---- net4.c, net6.c ---- */
enum cairn_net_outcome net_arp_received(const struct net_frame *f);
enum cairn_net_outcome net_icmp_received(const struct net_frame *f);
enum cairn_net_outcome net6_received(const struct net_frame *f);

#endif
