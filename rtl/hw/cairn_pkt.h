/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RoCE v2 headers and the BTH opcode table.  Generated from rtl/hw/pkt.def by hwgen (make hw): do not edit.
 *
 * Masks and fields are used through cairn_bits.h.  Members called gapN are unused and must be zero.
 */
#ifndef CAIRN_PKT_H
#define CAIRN_PKT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define CAIRN_ROCE_UDP_PORT 4791 /* UDP destination port of RoCE v2 */
#define CAIRN_ICRC_BYTES 4 /* Invariant CRC at the end of the UDP payload */
#define CAIRN_ETHERTYPE_IPV4 0x0800
#define CAIRN_ETHERTYPE_IPV6 0x86DD
#define CAIRN_ETHERTYPE_ARP 0x0806
#define CAIRN_ETHERTYPE_VLAN 0x8100
#define CAIRN_IP_PROTO_UDP 17
#define CAIRN_IP_PROTO_ICMP 1
#define CAIRN_IP_PROTO_ICMPV6 58
#define CAIRN_MIN_FRAME 60 /* Shortest Ethernet frame without FCS; shorter ones are padded */
#define CAIRN_MAX_HEADER 102 /* Longest header up to the payload: VLAN tag, IPv6, WRITE_ONLY_WITH_IMM */
#define CAIRN_ICRC_SEED 0xDEBB20E3 /* CRC-32 state after the eight 0xFF bytes that stand for the LRH, before the final inversion */

/* Ethernet: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_ETH_BYTES 14
#define CAIRN_ETH_DST 0, 48 /* Destination */
#define CAIRN_ETH_SRC 48, 48 /* Source */
#define CAIRN_ETH_TYPE 96, 16 /* EtherType */

/* 802.1Q tag, between source and EtherType: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_VLAN_BYTES 4
#define CAIRN_VLAN_TPID 0, 16 /* 0x8100 */
#define CAIRN_VLAN_PCP 16, 3 /* Priority */
#define CAIRN_VLAN_DEI 19, 1
#define CAIRN_VLAN_VID 20, 12 /* VLAN */

/* IPv4 without options: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_IPV4_BYTES 20
#define CAIRN_IPV4_VERSION 0, 4 /* 4 */
#define CAIRN_IPV4_IHL 4, 4 /* 5 */
#define CAIRN_IPV4_DSCP 8, 6
#define CAIRN_IPV4_ECN 14, 2
#define CAIRN_IPV4_LENGTH 16, 16 /* Total length */
#define CAIRN_IPV4_ID 32, 16 /* Identification, inside the ICRC */
#define CAIRN_IPV4_RSVD 48, 1
#define CAIRN_IPV4_DF 49, 1 /* Sent as 1 */
#define CAIRN_IPV4_MF 50, 1
#define CAIRN_IPV4_FRAG 51, 13 /* Fragment offset */
#define CAIRN_IPV4_TTL 64, 8
#define CAIRN_IPV4_PROTO 72, 8 /* 17 */
#define CAIRN_IPV4_CHECKSUM 80, 16
#define CAIRN_IPV4_SRC 96, 32
#define CAIRN_IPV4_DST 128, 32

/* IPv6: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_IPV6_BYTES 40
#define CAIRN_IPV6_VERSION 0, 4 /* 6 */
#define CAIRN_IPV6_DSCP 4, 6
#define CAIRN_IPV6_ECN 10, 2
#define CAIRN_IPV6_FLOW 12, 20 /* Flow label */
#define CAIRN_IPV6_LENGTH 32, 16 /* Payload length */
#define CAIRN_IPV6_NEXT 48, 8 /* 17 */
#define CAIRN_IPV6_HOP_LIMIT 56, 8
#define CAIRN_IPV6_SRC_HI 64, 64
#define CAIRN_IPV6_SRC_LO 128, 64
#define CAIRN_IPV6_DST_HI 192, 64
#define CAIRN_IPV6_DST_LO 256, 64

/* UDP: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_UDP_BYTES 8
#define CAIRN_UDP_SPORT 0, 16 /* Entropy, 0xC000 to 0xFFFF */
#define CAIRN_UDP_DPORT 16, 16 /* 4791 */
#define CAIRN_UDP_LENGTH 32, 16 /* Header, payload and ICRC */
#define CAIRN_UDP_CHECKSUM 48, 16 /* 0 */

/* Base Transport Header: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_BTH_BYTES 12
#define CAIRN_BTH_OPCODE 0, 8
#define CAIRN_BTH_SE 8, 1 /* Solicited event */
#define CAIRN_BTH_MIGREQ 9, 1
#define CAIRN_BTH_PAD 10, 2 /* Pad bytes */
#define CAIRN_BTH_TVER 12, 4 /* 0 */
#define CAIRN_BTH_PKEY 16, 16 /* Partition key */
#define CAIRN_BTH_FECN 32, 1
#define CAIRN_BTH_BECN 33, 1
#define CAIRN_BTH_RESV6 34, 6
#define CAIRN_BTH_DEST_QP 40, 24
#define CAIRN_BTH_ACKREQ 64, 1 /* Acknowledge request */
#define CAIRN_BTH_RESV7 65, 7
#define CAIRN_BTH_PSN 72, 24 /* Packet sequence number */

/* RDMA Extended Transport Header: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_RETH_BYTES 16
#define CAIRN_RETH_VA 0, 64
#define CAIRN_RETH_RKEY 64, 32
#define CAIRN_RETH_LENGTH 96, 32 /* DMA length */

/* Atomic Extended Transport Header: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_ATOMICETH_BYTES 28
#define CAIRN_ATOMICETH_VA 0, 64
#define CAIRN_ATOMICETH_RKEY 64, 32
#define CAIRN_ATOMICETH_SWAP_ADD 96, 64
#define CAIRN_ATOMICETH_COMPARE 160, 64

/* ACK Extended Transport Header: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_AETH_BYTES 4
#define CAIRN_AETH_SYNDROME 0, 8
#define CAIRN_AETH_MSN 8, 24 /* Message sequence number */

/* Atomic ACK Extended Transport Header: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_ATOMICACKETH_BYTES 8
#define CAIRN_ATOMICACKETH_ORIG 0, 64 /* Original value */

/* Datagram Extended Transport Header: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_DETH_BYTES 8
#define CAIRN_DETH_QKEY 0, 32
#define CAIRN_DETH_RSVD 32, 8
#define CAIRN_DETH_SRC_QP 40, 24

/* Immediate data: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_IMMDT_BYTES 4
#define CAIRN_IMMDT_IMM 0, 32

/* Invalidate Extended Transport Header: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_IETH_BYTES 4
#define CAIRN_IETH_RKEY 0, 32

/* BTH opcode bits 7:5 */
enum cairn_transport {
	CAIRN_TRANSPORT_RC = 0,
	CAIRN_TRANSPORT_UC = 1,
	CAIRN_TRANSPORT_RD = 2,
	CAIRN_TRANSPORT_UD = 3,
	CAIRN_TRANSPORT_CNP = 4,
	CAIRN_TRANSPORT_XRC = 5,
};

/* AETH syndrome bits 6:5 */
enum cairn_aeth_class {
	CAIRN_AETH_CLASS_ACK = 0,
	CAIRN_AETH_CLASS_RNR = 1,
	CAIRN_AETH_CLASS_RSVD = 2,
	CAIRN_AETH_CLASS_NAK = 3,
};

/* AETH syndrome bits 4:0 of a NAK */
enum cairn_aeth_nak {
	CAIRN_AETH_NAK_SEQ = 0, /* PSN sequence error */
	CAIRN_AETH_NAK_INV_REQ = 1, /* Invalid request */
	CAIRN_AETH_NAK_ACCESS = 2, /* Remote access error */
	CAIRN_AETH_NAK_OP = 3, /* Remote operational error */
	CAIRN_AETH_NAK_INV_RD = 4, /* Invalid RD request */
};

#define CAIRN_AETH_NO_CREDIT 0x1F /* ACK syndrome: end-to-end credits not used */

/* Flags of an opcode */
#define CAIRN_OPF_VALID 0x1u /* Defined opcode */
#define CAIRN_OPF_REQ 0x2u /* Request, goes to the responder */
#define CAIRN_OPF_RSP 0x4u /* Response, goes to the completer */
#define CAIRN_OPF_START 0x8u /* First packet of a message */
#define CAIRN_OPF_END 0x10u /* Last packet of a message */
#define CAIRN_OPF_SEND 0x20u /* SEND family */
#define CAIRN_OPF_WRITE 0x40u /* RDMA Write family */
#define CAIRN_OPF_READ 0x80u /* RDMA Read request or response */
#define CAIRN_OPF_ATOMIC 0x100u /* Atomic request or response */
#define CAIRN_OPF_ACK 0x200u /* Acknowledge */
#define CAIRN_OPF_PAYLOAD 0x400u /* May carry payload */
#define CAIRN_OPF_FULL 0x800u /* Payload must be exactly the path MTU */
#define CAIRN_OPF_NONZERO 0x1000u /* Payload must not be empty */
#define CAIRN_OPF_RWR 0x2000u /* Consumes a receive WQE */
#define CAIRN_OPF_COMP 0x4000u /* Completes a receive WQE */
#define CAIRN_OPF_IMM 0x8000u /* Carries immediate data */
#define CAIRN_OPF_INV 0x10000u /* Carries a key to invalidate */
#define CAIRN_OPF_CNP 0x20000u /* Congestion notification */

/* Extension headers of an opcode, a bit mask; on the wire they follow the BTH in this order */
#define CAIRN_EXT_RETH 0x1u
#define CAIRN_EXT_ATOMICETH 0x2u
#define CAIRN_EXT_AETH 0x4u
#define CAIRN_EXT_ATOMICACKETH 0x8u
#define CAIRN_EXT_DETH 0x10u
#define CAIRN_EXT_IMMDT 0x20u
#define CAIRN_EXT_IETH 0x40u

/* BTH opcodes */
enum cairn_opcode {
	CAIRN_OPCODE_RC_SEND_FIRST = 0x00,
	CAIRN_OPCODE_RC_SEND_MIDDLE = 0x01,
	CAIRN_OPCODE_RC_SEND_LAST = 0x02,
	CAIRN_OPCODE_RC_SEND_LAST_IMM = 0x03,
	CAIRN_OPCODE_RC_SEND_ONLY = 0x04,
	CAIRN_OPCODE_RC_SEND_ONLY_IMM = 0x05,
	CAIRN_OPCODE_RC_WRITE_FIRST = 0x06,
	CAIRN_OPCODE_RC_WRITE_MIDDLE = 0x07,
	CAIRN_OPCODE_RC_WRITE_LAST = 0x08,
	CAIRN_OPCODE_RC_WRITE_LAST_IMM = 0x09,
	CAIRN_OPCODE_RC_WRITE_ONLY = 0x0a,
	CAIRN_OPCODE_RC_WRITE_ONLY_IMM = 0x0b,
	CAIRN_OPCODE_RC_READ_REQUEST = 0x0c,
	CAIRN_OPCODE_RC_READ_RSP_FIRST = 0x0d,
	CAIRN_OPCODE_RC_READ_RSP_MIDDLE = 0x0e,
	CAIRN_OPCODE_RC_READ_RSP_LAST = 0x0f,
	CAIRN_OPCODE_RC_READ_RSP_ONLY = 0x10,
	CAIRN_OPCODE_RC_ACKNOWLEDGE = 0x11,
	CAIRN_OPCODE_RC_ATOMIC_ACK = 0x12,
	CAIRN_OPCODE_RC_COMPARE_SWAP = 0x13,
	CAIRN_OPCODE_RC_FETCH_ADD = 0x14,
	CAIRN_OPCODE_RC_SEND_LAST_INV = 0x16,
	CAIRN_OPCODE_RC_SEND_ONLY_INV = 0x17,
	CAIRN_OPCODE_UC_SEND_FIRST = 0x20,
	CAIRN_OPCODE_UC_SEND_MIDDLE = 0x21,
	CAIRN_OPCODE_UC_SEND_LAST = 0x22,
	CAIRN_OPCODE_UC_SEND_LAST_IMM = 0x23,
	CAIRN_OPCODE_UC_SEND_ONLY = 0x24,
	CAIRN_OPCODE_UC_SEND_ONLY_IMM = 0x25,
	CAIRN_OPCODE_UC_WRITE_FIRST = 0x26,
	CAIRN_OPCODE_UC_WRITE_MIDDLE = 0x27,
	CAIRN_OPCODE_UC_WRITE_LAST = 0x28,
	CAIRN_OPCODE_UC_WRITE_LAST_IMM = 0x29,
	CAIRN_OPCODE_UC_WRITE_ONLY = 0x2a,
	CAIRN_OPCODE_UC_WRITE_ONLY_IMM = 0x2b,
	CAIRN_OPCODE_UD_SEND_ONLY = 0x64,
	CAIRN_OPCODE_UD_SEND_ONLY_IMM = 0x65,
	CAIRN_OPCODE_CNP = 0x81, /* 16 zero bytes follow */
};

/* What each BTH opcode means; undefined ones are all zero (no CAIRN_OPF_VALID, name NULL) */
struct cairn_opcode_info {
	const char *name;
	uint32_t flags;		/* CAIRN_OPF_* */
	uint8_t ext;		/* CAIRN_EXT_* */
	uint8_t ext_bytes;	/* length of the extension headers together */
	uint8_t transport;	/* enum cairn_transport */
};

static const struct cairn_opcode_info cairn_opcode_table[256] __attribute__((unused)) = {
	[CAIRN_OPCODE_RC_SEND_FIRST] = { "RC_SEND_FIRST", 0x02c2b, 0x00, 0, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_SEND_MIDDLE] = { "RC_SEND_MIDDLE", 0x00c23, 0x00, 0, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_SEND_LAST] = { "RC_SEND_LAST", 0x05433, 0x00, 0, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_SEND_LAST_IMM] = { "RC_SEND_LAST_IMM", 0x0d433, 0x20, 4, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_SEND_ONLY] = { "RC_SEND_ONLY", 0x0643b, 0x00, 0, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_SEND_ONLY_IMM] = { "RC_SEND_ONLY_IMM", 0x0e43b, 0x20, 4, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_WRITE_FIRST] = { "RC_WRITE_FIRST", 0x00c4b, 0x01, 16, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_WRITE_MIDDLE] = { "RC_WRITE_MIDDLE", 0x00c43, 0x00, 0, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_WRITE_LAST] = { "RC_WRITE_LAST", 0x01453, 0x00, 0, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_WRITE_LAST_IMM] = { "RC_WRITE_LAST_IMM", 0x0f453, 0x20, 4, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_WRITE_ONLY] = { "RC_WRITE_ONLY", 0x0045b, 0x01, 16, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_WRITE_ONLY_IMM] = { "RC_WRITE_ONLY_IMM", 0x0e45b, 0x21, 20, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_READ_REQUEST] = { "RC_READ_REQUEST", 0x0009b, 0x01, 16, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_READ_RSP_FIRST] = { "RC_READ_RSP_FIRST", 0x00c8d, 0x04, 4, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_READ_RSP_MIDDLE] = { "RC_READ_RSP_MIDDLE", 0x00c85, 0x00, 0, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_READ_RSP_LAST] = { "RC_READ_RSP_LAST", 0x01495, 0x04, 4, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_READ_RSP_ONLY] = { "RC_READ_RSP_ONLY", 0x0049d, 0x04, 4, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_ACKNOWLEDGE] = { "RC_ACKNOWLEDGE", 0x00205, 0x04, 4, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_ATOMIC_ACK] = { "RC_ATOMIC_ACK", 0x0011d, 0x0c, 12, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_COMPARE_SWAP] = { "RC_COMPARE_SWAP", 0x0011b, 0x02, 28, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_FETCH_ADD] = { "RC_FETCH_ADD", 0x0011b, 0x02, 28, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_SEND_LAST_INV] = { "RC_SEND_LAST_INV", 0x15433, 0x40, 4, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_RC_SEND_ONLY_INV] = { "RC_SEND_ONLY_INV", 0x1643b, 0x40, 4, CAIRN_TRANSPORT_RC },
	[CAIRN_OPCODE_UC_SEND_FIRST] = { "UC_SEND_FIRST", 0x02c2b, 0x00, 0, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_SEND_MIDDLE] = { "UC_SEND_MIDDLE", 0x00c23, 0x00, 0, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_SEND_LAST] = { "UC_SEND_LAST", 0x05433, 0x00, 0, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_SEND_LAST_IMM] = { "UC_SEND_LAST_IMM", 0x0d433, 0x20, 4, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_SEND_ONLY] = { "UC_SEND_ONLY", 0x0643b, 0x00, 0, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_SEND_ONLY_IMM] = { "UC_SEND_ONLY_IMM", 0x0e43b, 0x20, 4, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_WRITE_FIRST] = { "UC_WRITE_FIRST", 0x00c4b, 0x01, 16, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_WRITE_MIDDLE] = { "UC_WRITE_MIDDLE", 0x00c43, 0x00, 0, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_WRITE_LAST] = { "UC_WRITE_LAST", 0x01453, 0x00, 0, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_WRITE_LAST_IMM] = { "UC_WRITE_LAST_IMM", 0x0f453, 0x20, 4, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_WRITE_ONLY] = { "UC_WRITE_ONLY", 0x0045b, 0x01, 16, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UC_WRITE_ONLY_IMM] = { "UC_WRITE_ONLY_IMM", 0x0e45b, 0x21, 20, CAIRN_TRANSPORT_UC },
	[CAIRN_OPCODE_UD_SEND_ONLY] = { "UD_SEND_ONLY", 0x0643b, 0x10, 8, CAIRN_TRANSPORT_UD },
	[CAIRN_OPCODE_UD_SEND_ONLY_IMM] = { "UD_SEND_ONLY_IMM", 0x0e43b, 0x30, 12, CAIRN_TRANSPORT_UD },
	[CAIRN_OPCODE_CNP] = { "CNP", 0x20001, 0x00, 0, CAIRN_TRANSPORT_CNP },
};

#endif
