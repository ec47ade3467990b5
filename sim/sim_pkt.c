// SPDX-License-Identifier: Apache-2.0
/*
 * Reading RoCE v2 frames for the simulated wire (sim_pkt.h).  Layouts and opcodes: rtl/hw/pkt.def.
 */
#include "sim_pkt.h"

#include <string.h>
#include <strings.h>

#include "cairn_bits.h"
#include "cairn_pkt.h"

#define ECN_CE 3

static const struct {
	const char *name;
	uint32_t all, none;	/* CAIRN_OPF_* */
} classes[] = {
	{ "req", CAIRN_OPF_REQ, 0 }, { "rsp", CAIRN_OPF_RSP, 0 },
	{ "send", CAIRN_OPF_SEND, 0 }, { "write", CAIRN_OPF_WRITE, 0 }, { "read", CAIRN_OPF_READ, 0 },
	{ "atomic", CAIRN_OPF_ATOMIC, 0 }, { "ack", CAIRN_OPF_ACK, 0 }, { "cnp", CAIRN_OPF_CNP, 0 },
	{ "payload", CAIRN_OPF_PAYLOAD, 0 }, { "imm", CAIRN_OPF_IMM, 0 }, { "inv", CAIRN_OPF_INV, 0 },
	{ "first", CAIRN_OPF_START, CAIRN_OPF_END }, { "last", CAIRN_OPF_END, CAIRN_OPF_START },
	{ "only", CAIRN_OPF_START | CAIRN_OPF_END, 0 },
	{ "middle", CAIRN_OPF_PAYLOAD, CAIRN_OPF_START | CAIRN_OPF_END },
};

static const struct {
	const char *name;
	uint8_t transport;
} transports[] = {
	{ "rc", CAIRN_TRANSPORT_RC }, { "uc", CAIRN_TRANSPORT_UC }, { "ud", CAIRN_TRANSPORT_UD },
};

/* UDP to the RoCE port, at byte `at`; `end` is where the IP packet ends. */
static void parse_udp(const uint8_t *frame, uint32_t at, uint32_t end, struct sim_pkt *pkt)
{
	const uint8_t *bth = frame + at + CAIRN_UDP_BYTES;
	const struct cairn_opcode_info *op;
	uint32_t ext;

	if (end < at + CAIRN_UDP_BYTES + CAIRN_BTH_BYTES + CAIRN_ICRC_BYTES ||
	    cairn_pkt_get(frame + at, CAIRN_UDP_DPORT) != CAIRN_ROCE_UDP_PORT)
		return;
	pkt->kind = SIM_PKT_ROCE;
	pkt->bth = at + CAIRN_UDP_BYTES;
	pkt->opcode = (uint8_t)cairn_pkt_get(bth, CAIRN_BTH_OPCODE);
	pkt->qp = (uint32_t)cairn_pkt_get(bth, CAIRN_BTH_DEST_QP);
	pkt->psn = (uint32_t)cairn_pkt_get(bth, CAIRN_BTH_PSN);
	op = &cairn_opcode_table[pkt->opcode];
	pkt->flags = op->flags;
	/* The AETH is the first extension header wherever there is one. */
	ext = pkt->bth + CAIRN_BTH_BYTES;
	if (op->ext & CAIRN_EXT_AETH && end >= ext + CAIRN_AETH_BYTES + CAIRN_ICRC_BYTES)
		pkt->syndrome = (int)cairn_pkt_get(frame + ext, CAIRN_AETH_SYNDROME);
}

static void parse_ipv4(const uint8_t *frame, uint32_t at, uint32_t len, struct sim_pkt *pkt)
{
	const uint8_t *ip = frame + at;
	uint32_t head, end;

	if (len < at + CAIRN_IPV4_BYTES || cairn_pkt_get(ip, CAIRN_IPV4_VERSION) != 4)
		return;
	head = 4 * (uint32_t)cairn_pkt_get(ip, CAIRN_IPV4_IHL);
	end = at + (uint32_t)cairn_pkt_get(ip, CAIRN_IPV4_LENGTH);
	if (head < CAIRN_IPV4_BYTES || end > len || at + head > end)
		return;
	pkt->kind = SIM_PKT_IP;
	pkt->l3 = at;
	if (cairn_pkt_get(ip, CAIRN_IPV4_PROTO) == CAIRN_IP_PROTO_UDP &&
	    !cairn_pkt_get(ip, CAIRN_IPV4_FRAG))
		parse_udp(frame, at + head, end, pkt);
}

static void parse_ipv6(const uint8_t *frame, uint32_t at, uint32_t len, struct sim_pkt *pkt)
{
	const uint8_t *ip = frame + at;
	uint32_t end;

	if (len < at + CAIRN_IPV6_BYTES || cairn_pkt_get(ip, CAIRN_IPV6_VERSION) != 6)
		return;
	end = at + CAIRN_IPV6_BYTES + (uint32_t)cairn_pkt_get(ip, CAIRN_IPV6_LENGTH);
	if (end > len)
		return;
	pkt->kind = SIM_PKT_IP;
	pkt->ipv6 = true;
	pkt->l3 = at;
	if (cairn_pkt_get(ip, CAIRN_IPV6_NEXT) == CAIRN_IP_PROTO_UDP)
		parse_udp(frame, at + CAIRN_IPV6_BYTES, end, pkt);
}

void sim_pkt_parse(const uint8_t *frame, uint32_t len, struct sim_pkt *pkt)
{
	uint32_t at = CAIRN_ETH_BYTES;
	uint64_t type;

	*pkt = (struct sim_pkt){ .syndrome = -1 };
	if (len < at)
		return;
	type = cairn_pkt_get(frame, CAIRN_ETH_TYPE);
	if (type == CAIRN_ETHERTYPE_VLAN && len >= at + CAIRN_VLAN_BYTES) {
		at += CAIRN_VLAN_BYTES;
		type = cairn_pkt_get(frame + CAIRN_VLAN_BYTES, CAIRN_ETH_TYPE);
	}
	if (type == CAIRN_ETHERTYPE_ARP)
		pkt->kind = SIM_PKT_ARP;
	else if (type == CAIRN_ETHERTYPE_IPV4)
		parse_ipv4(frame, at, len, pkt);
	else if (type == CAIRN_ETHERTYPE_IPV6)
		parse_ipv6(frame, at, len, pkt);
}

bool sim_pkt_mark_ce(uint8_t *frame, const struct sim_pkt *pkt)
{
	uint8_t *ip = frame + pkt->l3;

	if (!pkt->l3)
		return false;
	if (pkt->ipv6) {
		cairn_pkt_set(ip, CAIRN_IPV6_ECN, ECN_CE);
	} else {
		/* RFC 1624: HC' = ~(~HC + ~m + m') */
		uint32_t change = ECN_CE - (uint32_t)cairn_pkt_get(ip, CAIRN_IPV4_ECN);
		uint32_t sum =
			(~(uint32_t)cairn_pkt_get(ip, CAIRN_IPV4_CHECKSUM) & 0xffff) + change;

		cairn_pkt_set(ip, CAIRN_IPV4_CHECKSUM, ~(sum + (sum >> 16)) & 0xffff);
		cairn_pkt_set(ip, CAIRN_IPV4_ECN, ECN_CE);
	}
	return true;
}

static bool same(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !strncasecmp(name, word, len);
}

bool sim_pkt_opcodes(const char *word, size_t len, bool set[256])
{
	bool known = false;

	memset(set, 0, 256);
	for (int i = 0; i < 256; i++) {
		const struct cairn_opcode_info *op = &cairn_opcode_table[i];
		const char *bare = op->name ? strchr(op->name, '_') : NULL;

		if (!op->name)
			continue;
		set[i] = same(op->name, word, len) || (bare && same(bare + 1, word, len));
		for (size_t c = 0; c < sizeof(classes) / sizeof(*classes); c++)
			if (same(classes[c].name, word, len))
				set[i] |= (op->flags & classes[c].all) == classes[c].all &&
					  !(op->flags & classes[c].none);
		for (size_t t = 0; t < sizeof(transports) / sizeof(*transports); t++)
			if (same(transports[t].name, word, len))
				set[i] |= op->transport == transports[t].transport;
		known |= set[i];
	}
	return known;
}

const char *sim_pkt_opcode_name(uint8_t opcode)
{
	return cairn_opcode_table[opcode].name;
}
