/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the simulated wire wants to know of a frame: addresses of the RoCE v2 headers and their main
 * fields.
 */
#ifndef CAIRN_SIM_PKT_H
#define CAIRN_SIM_PKT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_pkt_kind { SIM_PKT_OTHER, SIM_PKT_ARP, SIM_PKT_IP, SIM_PKT_ROCE };

struct sim_pkt {
	enum sim_pkt_kind kind;		/* SIM_PKT_IP: IPv4 or IPv6 that is not RoCE v2 */
	bool ipv6;
	uint32_t l3;			/* offset of the IP header; 0: none */
	/* SIM_PKT_ROCE only */
	uint32_t bth;			/* offset of the BTH */
	uint8_t opcode;
	uint32_t flags;			/* CAIRN_OPF_* bits of the opcode, 0 if it is not defined */
	uint32_t qp, psn;
	int syndrome;			/* of the AETH; -1: has none */
};

void sim_pkt_parse(const uint8_t *frame, uint32_t len, struct sim_pkt *pkt);

/* Set the ECN field of an IP packet to "congestion experienced"; an IPv4 checksum follows.  False: no IP packet. */
bool sim_pkt_mark_ce(uint8_t *frame, const struct sim_pkt *pkt);

/*
 * The opcodes that a word names, as one bool per opcode: an opcode ("RC_SEND_ONLY", case does not
 * matter), the same without the transport ("send_only": of all transports), a class ("read", "req",
 * "ack", ..., the opcode flags), a transport ("rc") or a place in the message ("first", "middle",
 * "last", "only").  False: unknown word.
 */
bool sim_pkt_opcodes(const char *word, size_t len, bool set[256]);
/* Name of an opcode, or NULL. */
const char *sim_pkt_opcode_name(uint8_t opcode);

#endif
