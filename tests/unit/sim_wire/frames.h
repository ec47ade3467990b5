/* SPDX-License-Identifier: Apache-2.0 */
/* Frames and helpers for the tests of the simulated wire. */
#ifndef CAIRN_TEST_FRAMES_H
#define CAIRN_TEST_FRAMES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cairn_bits.h"
#include "cairn_pkt.h"
#include "rng.h"
#include "sim_wire.h"

#define MBPS_100G 100000

static const uint8_t frame_mac[6][6] = {
	{ 2, 0, 0, 0, 0, 0 }, { 2, 0, 0, 0, 0, 1 }, { 2, 0, 0, 0, 0, 2 },
	{ 2, 0, 0, 0, 0, 3 }, { 2, 0, 0, 0, 0, 4 }, { 2, 0, 0, 0, 0, 5 },
};

/* An Ethernet frame of len bytes from station src to station dst (dst < 0: broadcast), numbered. */
static inline struct sim_frame *plain_frame(int src, int dst, uint32_t len, uint32_t number)
{
	struct sim_frame *frame = sim_frame_new(NULL, len);

	memset(frame->data, 0x5a, len);
	if (dst < 0)
		memset(frame->data, 0xff, 6);
	else
		memcpy(frame->data, frame_mac[dst], 6);
	memcpy(frame->data + 6, frame_mac[src], 6);
	cairn_pkt_set(frame->data, CAIRN_ETH_TYPE, 0x88b5);	/* local experimental */
	memcpy(frame->data + 14, &number, sizeof(number));
	return frame;
}

static inline uint32_t frame_number(const struct sim_frame *frame)
{
	uint32_t number;

	memcpy(&number, frame->data + 14, sizeof(number));
	return number;
}

static inline uint16_t ip_checksum(const uint8_t *ip)
{
	uint32_t sum = 0;

	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)(ip[i] << 8 | ip[i + 1]);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~(sum + (sum >> 16));
}

/* A RoCE v2 frame; syndrome is used where the opcode has an AETH.  The ICRC is zero. */
static inline struct sim_frame *roce_frame(int ipv6, uint8_t opcode, uint32_t qp, uint32_t psn,
					   uint8_t syndrome, uint32_t payload)
{
	const struct cairn_opcode_info *op = &cairn_opcode_table[opcode];
	uint32_t ip = CAIRN_ETH_BYTES, udp = ip + (ipv6 ? CAIRN_IPV6_BYTES : CAIRN_IPV4_BYTES);
	uint32_t bth = udp + CAIRN_UDP_BYTES, ext = bth + CAIRN_BTH_BYTES;
	uint32_t len = ext + op->ext_bytes + payload + CAIRN_ICRC_BYTES;
	struct sim_frame *frame = sim_frame_new(NULL, len);
	uint8_t *p = frame->data;

	memset(p, 0, len);
	memcpy(p, frame_mac[1], 6);
	memcpy(p + 6, frame_mac[0], 6);
	if (ipv6) {
		cairn_pkt_set(p, CAIRN_ETH_TYPE, CAIRN_ETHERTYPE_IPV6);
		cairn_pkt_set(p + ip, CAIRN_IPV6_VERSION, 6);
		cairn_pkt_set(p + ip, CAIRN_IPV6_LENGTH, len - udp);
		cairn_pkt_set(p + ip, CAIRN_IPV6_NEXT, CAIRN_IP_PROTO_UDP);
		cairn_pkt_set(p + ip, CAIRN_IPV6_HOP_LIMIT, 64);
	} else {
		cairn_pkt_set(p, CAIRN_ETH_TYPE, CAIRN_ETHERTYPE_IPV4);
		cairn_pkt_set(p + ip, CAIRN_IPV4_VERSION, 4);
		cairn_pkt_set(p + ip, CAIRN_IPV4_IHL, 5);
		cairn_pkt_set(p + ip, CAIRN_IPV4_LENGTH, len - ip);
		cairn_pkt_set(p + ip, CAIRN_IPV4_TTL, 64);
		cairn_pkt_set(p + ip, CAIRN_IPV4_PROTO, CAIRN_IP_PROTO_UDP);
		cairn_pkt_set(p + ip, CAIRN_IPV4_SRC, 0x0a000001);
		cairn_pkt_set(p + ip, CAIRN_IPV4_DST, 0x0a000002);
		cairn_pkt_set(p + ip, CAIRN_IPV4_CHECKSUM, ip_checksum(p + ip));
	}
	cairn_pkt_set(p + udp, CAIRN_UDP_SPORT, 0xc000);
	cairn_pkt_set(p + udp, CAIRN_UDP_DPORT, CAIRN_ROCE_UDP_PORT);
	cairn_pkt_set(p + udp, CAIRN_UDP_LENGTH, len - udp);
	cairn_pkt_set(p + bth, CAIRN_BTH_OPCODE, opcode);
	cairn_pkt_set(p + bth, CAIRN_BTH_PKEY, 0xffff);
	cairn_pkt_set(p + bth, CAIRN_BTH_DEST_QP, qp);
	cairn_pkt_set(p + bth, CAIRN_BTH_PSN, psn);
	if (op->ext & CAIRN_EXT_AETH)
		cairn_pkt_set(p + ext, CAIRN_AETH_SYNDROME, syndrome);
	return frame;
}

static inline struct sim_wire_cfg wire_cfg(unsigned int nics)
{
	return (struct sim_wire_cfg){
		.nics = nics, .mbps = MBPS_100G, .delay_ns = 500, .seed = test_seed()
	};
}

static inline struct sim_wire *new_wire(const struct sim_wire_cfg *cfg)
{
	char err[SIM_ERR_MAX];
	struct sim_wire *wire = sim_wire_new(cfg, err);

	if (!wire)
		fail_msg("%s", err);
	return wire;
}

/* A wire of two NICs with up to three rules. */
static inline struct sim_wire *rule_wire(const char *a, const char *b, const char *c)
{
	const char *rules[] = { a, b, c };
	struct sim_wire_cfg cfg = wire_cfg(2);

	cfg.rules = rules;
	cfg.n_rules = 1 + (b != NULL) + (c != NULL);
	return new_wire(&cfg);
}

static inline void send_at(struct sim_wire *wire, unsigned int port, struct sim_frame *frame,
			   uint64_t t)
{
	frame->t = t;
	sim_wire_send(wire, port, frame, t);
}

/* The number of the next frame for a port, which must arrive at t; frees it. */
static inline uint32_t take_at(struct sim_wire *wire, unsigned int port, uint64_t t)
{
	struct sim_frame *frame = sim_wire_take(wire, port);
	uint32_t number;

	assert_non_null(frame);
	assert_int_equal(frame->t, t);
	number = frame_number(frame);
	sim_frame_free(frame);
	return number;
}

static inline unsigned int drain(struct sim_wire *wire, unsigned int port)
{
	struct sim_frame *frame;
	unsigned int n = 0;

	for (; (frame = sim_wire_take(wire, port)); n++)
		sim_frame_free(frame);
	return n;
}

#endif
