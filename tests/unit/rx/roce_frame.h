/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An independent idea of RoCE v2 frames for the tests of rtl/rx and rtl/tx: builder, ICRC, and a
 * model of what the receive side must make of any string of bytes. Written from the standards (IBTA
 * volume 1 chapter 9 and annex A17), on purpose without the tables of rtl/hw/pkt.def; only the
 * counter numbers are shared.
 */
#ifndef CAIRN_ROCE_FRAME_H
#define CAIRN_ROCE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rng.h"

#define ROCE_MAX_FRAME 20000

struct roce_frame {
	uint8_t dmac[6], smac[6];
	bool vlan;
	uint16_t tci;
	bool ipv6;
	uint8_t sgid[16], dgid[16]; /* IPv4: ::ffff:a.b.c.d */
	uint8_t tclass, hop;
	uint32_t flow;
	uint16_t ip_id, sport;
	uint8_t opcode;
	bool se, migreq, ackreq, fecn, becn;
	uint8_t tver;
	uint16_t pkey;
	uint32_t dest_qp, psn;
	uint64_t va, swap_add, compare;
	uint32_t key, len, aeth, imm, qkey, src_qp;
	const uint8_t *pay;
	size_t pay_len;
};

/* Headers behind the BTH, in wire order. */
struct roce_op {
	bool valid, payload;
	bool reth, atomiceth, aeth, atomicack, deth, imm, ieth, cnp;
};

struct roce_op roce_op(uint8_t opcode);
size_t roce_ext_len(struct roce_op op);
/* The frame with ICRC, not padded to 60; returns its length. */
size_t roce_build(const struct roce_frame *f, uint8_t *out);
/* Zeros up to 60 bytes; returns the new length. */
size_t roce_min_pad(uint8_t *frame, size_t len);
/* ICRC over IP header at l3 up to end. */
uint32_t roce_icrc(const uint8_t *frame, size_t l3, bool ipv6, size_t end);
/* Make the ICRC (and IPv4 checksum) of a damaged frame right again. */
void roce_fix_icrc(uint8_t *frame, size_t l3, bool ipv6, size_t end);
void roce_fix_ipv4(uint8_t *ip);
/* A random frame with this opcode; addresses are left zero. */
void roce_random(struct roce_frame *f, struct rng *rng, uint8_t opcode);
/* All opcodes the device knows. */
extern const uint8_t roce_opcodes[];
extern const size_t roce_n_opcodes;

/* ---- model of the receive side ---- */

struct roce_gid {
	bool valid, ipv6, vlan;
	uint16_t vid;
	uint8_t addr[16];
};

struct roce_rx {
	uint8_t mac[6];
	struct roce_gid gid[16];
	struct roce_gid group[16]; /* only valid and addr count */
};

struct roce_verdict {
	unsigned int counter; /* CAIRN_COUNTER_RX_*: ROCE_PACKETS and RAW_PACKETS are no drops */
	/* for RoCE: what the record must say */
	struct roce_frame f;
	unsigned int pay_off, ip_off, pad, sgid_index;
	bool mcast, ce;
	bool cut; /* the IP datagram goes on beyond the frame */
};

void roce_expect(const struct roce_rx *rx, const uint8_t *frame, size_t len, bool mac_err,
		 struct roce_verdict *v);

/* ---- captures ---- */

struct pcap_frame {
	const uint8_t *data;
	size_t len;
};

struct pcap {
	char name[128];
	uint8_t *bytes;
	struct pcap_frame *frame;
	size_t n;
};

/* All files of tests/fixtures, in name order; the count; fails the test when there is none. */
size_t pcap_load_all(struct pcap **caps);
void pcap_free_all(struct pcap *caps, size_t n);

#endif
