// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model (model.h): packets built and taken apart, BTH to pad, and the ICRC.  Layouts and
 * opcodes: rtl/hw/pkt.def.
 */
#include "model_priv.h"

#include <stdlib.h>
#include <string.h>

#define CRC_POLY 0xEDB88320u

const uint16_t model_credits[MODEL_CREDIT_CODES] = {
	0,    1,    2,	  3,	4,    6,     8,	    12,	   16,	  24,	32,
	48,   64,   96,	  128,	192,  256,   384,   512,   768,	  1024, 1536,
	2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768,
};

bool model_parse(const struct model_packet *packet, struct model_headers *h)
{
	const uint8_t *bth = packet->bytes, *p = bth + CAIRN_BTH_BYTES;
	static const struct {
		uint8_t ext;
		uint8_t bytes;
		size_t member;
	} exts[] = {
		{ CAIRN_EXT_RETH, CAIRN_RETH_BYTES, offsetof(struct model_headers, reth) },
		{ CAIRN_EXT_ATOMICETH, CAIRN_ATOMICETH_BYTES,
		  offsetof(struct model_headers, atomiceth) },
		{ CAIRN_EXT_AETH, CAIRN_AETH_BYTES, offsetof(struct model_headers, aeth) },
		{ CAIRN_EXT_ATOMICACKETH, CAIRN_ATOMICACKETH_BYTES,
		  offsetof(struct model_headers, atomicacketh) },
		{ CAIRN_EXT_DETH, CAIRN_DETH_BYTES, offsetof(struct model_headers, deth) },
		{ CAIRN_EXT_IMMDT, CAIRN_IMMDT_BYTES, offsetof(struct model_headers, immdt) },
		{ CAIRN_EXT_IETH, CAIRN_IETH_BYTES, offsetof(struct model_headers, ieth) },
	};

	*h = (struct model_headers){ 0 };
	if (packet->len < CAIRN_BTH_BYTES || packet->len > MODEL_MAX_PACKET)
		return false;
	h->opcode = (uint8_t)cairn_pkt_get(bth, CAIRN_BTH_OPCODE);
	h->op = &cairn_opcode_table[h->opcode];
	h->se = cairn_pkt_get(bth, CAIRN_BTH_SE);
	h->ackreq = cairn_pkt_get(bth, CAIRN_BTH_ACKREQ);
	h->pkey = (uint16_t)cairn_pkt_get(bth, CAIRN_BTH_PKEY);
	h->dest_qp = (uint32_t)cairn_pkt_get(bth, CAIRN_BTH_DEST_QP);
	h->psn = (uint32_t)cairn_pkt_get(bth, CAIRN_BTH_PSN);
	h->pad = (uint32_t)cairn_pkt_get(bth, CAIRN_BTH_PAD);
	/* A length is computed only of what is defined, and only when it cannot be negative. */
	if (!(h->op->flags & CAIRN_OPF_VALID) || cairn_pkt_get(bth, CAIRN_BTH_TVER) ||
	    packet->len < CAIRN_BTH_BYTES + h->op->ext_bytes + h->pad)
		return false;
	for (size_t i = 0; i < sizeof(exts) / sizeof(exts[0]); i++) {
		if (!(h->op->ext & exts[i].ext))
			continue;
		memcpy((uint8_t *)h + exts[i].member, &p, sizeof(p));
		p += exts[i].bytes;
	}
	h->payload = p;
	h->payload_len = packet->len - (uint32_t)(p - packet->bytes) - h->pad;
	return true;
}

uint8_t model_opcode(enum cairn_transport transport, uint32_t flags)
{
	for (unsigned int i = 0; i < 256; i++) {
		const struct cairn_opcode_info *op = &cairn_opcode_table[i];

		if (op->flags & CAIRN_OPF_VALID && op->transport == transport &&
		    !(op->flags & CAIRN_OPF_ATOMIC) && (op->flags & MODEL_OPCODE_FLAGS) == flags)
			return (uint8_t)i;
	}
	abort(); /* no caller asks for one that is not there */
}

uint8_t *model_build(const struct model_qp *qp, struct model_packet *packet, uint8_t opcode,
		     uint32_t psn)
{
	uint8_t *bth = packet->bytes;

	*packet = (struct model_packet){ 0 };
	memcpy(packet->src, qp->cfg.gid, 16);
	memcpy(packet->dst, qp->cfg.peer_gid, 16);
	cairn_pkt_set(bth, CAIRN_BTH_OPCODE, opcode);
	cairn_pkt_set(bth, CAIRN_BTH_MIGREQ, !qp->cfg.policy.migreq_0);
	cairn_pkt_set(bth, CAIRN_BTH_PKEY, qp->cfg.pkey);
	cairn_pkt_set(bth, CAIRN_BTH_DEST_QP, qp->cfg.peer_qpn);
	cairn_pkt_set(bth, CAIRN_BTH_PSN, psn);
	return bth + CAIRN_BTH_BYTES;
}

uint8_t *model_payload(struct model_packet *packet)
{
	return packet->bytes + CAIRN_BTH_BYTES + cairn_opcode_table[packet->bytes[0]].ext_bytes;
}

void model_finish(struct model_packet *packet, uint32_t payload_len)
{
	uint32_t pad = -payload_len & 3;

	packet->len = (uint32_t)(model_payload(packet) - packet->bytes) + payload_len + pad;
	cairn_pkt_set(packet->bytes, CAIRN_BTH_PAD, pad);
}

static uint32_t crc_bytes(uint32_t crc, const uint8_t *p, uint32_t len)
{
	while (len--) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ CRC_POLY : crc >> 1;
	}
	return crc;
}

/* What routers change counts as all ones. */
uint32_t model_icrc(const uint8_t *ip, uint32_t len)
{
	uint8_t head[CAIRN_IPV6_BYTES + CAIRN_UDP_BYTES + CAIRN_BTH_BYTES];
	bool v6 = cairn_pkt_get(ip, CAIRN_IPV4_VERSION) == 6;
	uint32_t ip_bytes = v6 ? CAIRN_IPV6_BYTES : CAIRN_IPV4_BYTES;
	uint32_t head_bytes = ip_bytes + CAIRN_UDP_BYTES + CAIRN_BTH_BYTES;
	uint8_t *bth = head + ip_bytes + CAIRN_UDP_BYTES;

	if (len < head_bytes)
		return 0;
	memcpy(head, ip, head_bytes);
	if (v6) {
		cairn_pkt_set(head, CAIRN_IPV6_DSCP, ~0ull);
		cairn_pkt_set(head, CAIRN_IPV6_ECN, ~0ull);
		cairn_pkt_set(head, CAIRN_IPV6_FLOW, ~0ull);
		cairn_pkt_set(head, CAIRN_IPV6_HOP_LIMIT, ~0ull);
	} else {
		cairn_pkt_set(head, CAIRN_IPV4_DSCP, ~0ull);
		cairn_pkt_set(head, CAIRN_IPV4_ECN, ~0ull);
		cairn_pkt_set(head, CAIRN_IPV4_TTL, ~0ull);
		cairn_pkt_set(head, CAIRN_IPV4_CHECKSUM, ~0ull);
	}
	cairn_pkt_set(head + ip_bytes, CAIRN_UDP_CHECKSUM, ~0ull);
	cairn_pkt_set(bth, CAIRN_BTH_FECN, ~0ull);
	cairn_pkt_set(bth, CAIRN_BTH_BECN, ~0ull);
	cairn_pkt_set(bth, CAIRN_BTH_RESV6, ~0ull);
	return ~crc_bytes(crc_bytes(CAIRN_ICRC_SEED, head, head_bytes), ip + head_bytes,
			  len - head_bytes);
}
