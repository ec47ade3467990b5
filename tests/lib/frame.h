/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of the golden model (model.h: BTH to pad) as frames on the simulated wire, and back.
 */
#ifndef CAIRN_TEST_FRAME_H
#define CAIRN_TEST_FRAME_H

#include "model.h"
#include "sim_wire.h"

/* What a frame says besides the packet and its addresses. */
struct frame_path {
	uint64_t dmac, smac; /* first wire byte in bits 47:40 */
	uint16_t sport;
	uint8_t tos, hops;
	uint16_t tci; /* of a VLAN tag; 0: none */
};

/* UDP port of RoCE v2 in, ICRC and IPv4 checksum right.  The caller owns it. */
struct sim_frame *frame_build(const struct model_packet *packet, const struct frame_path *path);
/*
 * The packet of a RoCE v2 frame that a NIC with that MAC must take.  False: none, damaged, or for
 * somebody else.
 */
bool frame_take(const struct sim_frame *frame, uint64_t mac, struct model_packet *packet);

#endif
