/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of the slow path (ARP, neighbour discovery, echo, group membership queries) made field by
 * field, each right unless a test makes it wrong, in a way that firmware has nothing to do with.
 */
#ifndef CAIRN_TEST_NETFRAME_H
#define CAIRN_TEST_NETFRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define NETFRAME_ROOM 2304u

enum netframe_kind {
	NETFRAME_ARP,
	NETFRAME_NS,
	NETFRAME_NA,
	NETFRAME_ECHO4,
	NETFRAME_ECHO6,
	NETFRAME_IGMP, /* RFC 3376 query */
	NETFRAME_MLD,  /* RFC 3810 query */
	NETFRAME_KINDS
};

struct netframe {
	enum netframe_kind kind;
	uint8_t dmac[6], smac[6];
	int tci;			      /* below 0: no tag */
	uint8_t src[16], dst[16], target[16]; /* IPv4 mapped; ARP: sender, target */
	uint8_t mac[6], tmac[6];	      /* ARP: sender's, target's; ND: the option's */
	bool option;			      /* ND: of a MAC */
	bool alert;			      /* queries: Router Alert, as they must have it */
	uint8_t type;			      /* ICMP type, ARP operation */
	uint8_t code, flags, hops;
	uint32_t data; /* bytes behind the header of an echo */
	bool bad_sum;
	struct {
		uint16_t at; /* from the network header on */
		uint8_t flip;
	} spoil[3]; /* before the checksums are made */
};

static inline void netframe_put(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline uint32_t netframe_get(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

/* RFC 1071 over bytes, and what was added up before; 0 if the sum in there is right. */
static inline uint16_t netframe_sum(const uint8_t *p, uint32_t n, uint64_t sum)
{
	for (uint32_t i = 0; i < n; i++)
		sum += (uint64_t)p[i] << (i & 1 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* ICMPv6 with its pseudo header: the message at ip + 40, as long as the IPv6 header says. */
static inline uint16_t netframe_sum6(const uint8_t *ip)
{
	uint32_t bytes = netframe_get(ip + 4);
	uint64_t sum = bytes + 58u;

	for (uint32_t i = 8; i < 40; i += 2)
		sum += netframe_get(ip + i);
	return netframe_sum(ip + 40, bytes, sum);
}

static inline bool netframe_is4(enum netframe_kind kind)
{
	return kind == NETFRAME_ARP || kind == NETFRAME_ECHO4 || kind == NETFRAME_IGMP;
}

/* The IPv4 packet with a message of `bytes` behind the header; returns where that goes. */
static inline uint8_t *netframe_ip4(const struct netframe *f, uint8_t *ip, uint32_t bytes)
{
	uint32_t head = f->kind == NETFRAME_IGMP && f->alert ? 24 : 20;

	ip[0] = (uint8_t)(0x40 | head / 4);
	netframe_put(ip + 2, head + bytes);
	ip[8] = f->hops;
	ip[9] = f->kind == NETFRAME_IGMP ? 2 : 1;
	memcpy(ip + 12, f->src + 12, 4);
	memcpy(ip + 16, f->dst + 12, 4);
	if (head == 24)
		netframe_put(ip + 20, 0x9404);
	return ip + head;
}

static inline uint8_t *netframe_ip6(const struct netframe *f, uint8_t *ip, uint32_t bytes)
{
	static const uint8_t alert[8] = { 58, 0, 5, 2, 0, 0, 1, 0 };
	bool ext = f->kind == NETFRAME_MLD && f->alert;

	ip[0] = 0x60;
	netframe_put(ip + 4, bytes + (ext ? 8 : 0));
	ip[6] = ext ? 0 : 58;
	ip[7] = f->hops;
	memcpy(ip + 8, f->src, 16);
	memcpy(ip + 24, f->dst, 16);
	if (ext)
		memcpy(ip + 40, alert, 8);
	return ip + (ext ? 48 : 40);
}

/* The message; returns its bytes. */
static inline uint32_t netframe_message(const struct netframe *f, uint8_t *p)
{
	static const uint8_t arp[6] = { 0, 1, 8, 0, 6, 4 };

	p[0] = f->type;
	p[1] = f->code;
	switch (f->kind) {
	case NETFRAME_ARP:
		memcpy(p, arp, sizeof(arp));
		netframe_put(p + 6, f->type);
		memcpy(p + 8, f->mac, 6);
		memcpy(p + 14, f->src + 12, 4);
		memcpy(p + 18, f->tmac, 6);
		memcpy(p + 24, f->target + 12, 4);
		return 28;
	case NETFRAME_NS:
	case NETFRAME_NA:
		p[4] = f->flags;
		memcpy(p + 8, f->target, 16);
		if (!f->option)
			return 24;
		p[24] = f->kind == NETFRAME_NS ? 1 : 2;
		p[25] = 1;
		memcpy(p + 26, f->mac, 6);
		return 32;
	case NETFRAME_ECHO4:
	case NETFRAME_ECHO6:
		for (uint32_t i = 4; i < 8 + f->data; i++)
			p[i] = (uint8_t)(i * 7 + f->hops);
		return 8 + f->data;
	case NETFRAME_IGMP:
		memcpy(p + 4, f->target + 12, 4);
		return 8;
	default:
		memcpy(p + 8, f->target, 16);
		return 24;
	}
}

/* The checksums of a frame whose fields lie where they do in one that is right. */
static inline void netframe_sums(const struct netframe *f, uint8_t *ip)
{
	uint32_t head = (ip[0] & 15) * 4, total = netframe_get(ip + 2), wrong = f->bad_sum;

	if (f->kind == NETFRAME_ARP)
		return;
	if (!netframe_is4(f->kind)) {
		if (netframe_get(ip + 4) > NETFRAME_ROOM - 100)
			return;
		netframe_put(ip + 42, 0);
		netframe_put(ip + 42, (uint32_t)netframe_sum6(ip) ^ wrong);
		return;
	}
	netframe_put(ip + 10, 0);
	netframe_put(ip + 10, netframe_sum(ip, 20, head == 24 ? 0x9404 : 0));
	if (total < head + 8 || total > NETFRAME_ROOM - 100)
		return;
	netframe_put(ip + head + 2, 0);
	netframe_put(ip + head + 2, (uint32_t)netframe_sum(ip + head, total - head, 0) ^ wrong);
}

/* Into NETFRAME_ROOM bytes; returns the length, at least 60. */
static inline uint32_t netframe_build(const struct netframe *f, uint8_t *out)
{
	uint32_t at = f->tci < 0 ? 14 : 18, bytes, head;
	uint8_t *l3 = out + at, *message = l3;

	memset(out, 0, NETFRAME_ROOM);
	memcpy(out, f->dmac, 6);
	memcpy(out + 6, f->smac, 6);
	if (f->tci >= 0) {
		netframe_put(out + 12, 0x8100);
		netframe_put(out + 14, (uint32_t)f->tci);
	}
	netframe_put(out + at - 2, f->kind == NETFRAME_ARP ? 0x0806
				   : netframe_is4(f->kind) ? 0x0800
							   : 0x86dd);
	if (f->kind == NETFRAME_ARP) {
		bytes = netframe_message(f, message);
	} else if (netframe_is4(f->kind)) {
		head = f->kind == NETFRAME_IGMP && f->alert ? 24 : 20;
		bytes = netframe_message(f, l3 + head);
		message = netframe_ip4(f, l3, bytes);
	} else {
		head = f->kind == NETFRAME_MLD && f->alert ? 48 : 40;
		bytes = netframe_message(f, l3 + head);
		message = netframe_ip6(f, l3, bytes);
	}
	for (unsigned int i = 0; i < 3; i++)
		l3[f->spoil[i].at] ^= f->spoil[i].flip;
	if (f->kind != NETFRAME_MLD || !f->alert) /* whose sum lies elsewhere */
		netframe_sums(f, l3);
	bytes += (uint32_t)(message - out);
	return bytes < 60 ? 60 : bytes;
}

#endif
