/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scripted peer for tests with one NIC (rdma.h): it keeps what the NIC sends to it, sends any
 * packet at any time, and may answer at once.  What the NIC sends to itself it sends back, so a
 * loopback pair is a bystander that needs no second NIC.
 *
 * A peer that breaks rules makes captures that no rule holds for, so none is taken: the test judges
 * what it gets.
 */
#ifndef CAIRN_TEST_PEER_H
#define CAIRN_TEST_PEER_H

#include "frame.h"
#include "rdma.h"

#define PEER_QPN 0x5001u
#define PEER_SEEN 4096u

struct peer_packet {
	uint64_t at; /* ns */
	struct model_packet packet;
};

struct peer {
	struct rdma *r;
	uint64_t nic_mac;
	uint8_t nic_gid[16];
	struct sim_line line;
	struct peer_packet *seen; /* addressed to the peer, oldest first; no more than PEER_SEEN */
	unsigned int n;
	uint64_t total; /* also those not kept */
	/* NULL, or called with each of them; may send. */
	void (*answer)(struct peer *p, const struct model_packet *packet);
	void *arg;
	struct rdma_qp *canary; /* loopback, made at the first use */
	struct rdma_buf *near, *far;
	bool quiet; /* keep nothing */
	uint16_t tci; /* of the VLAN tag of what the peer sends; 0: none */
};

extern const uint8_t peer_gid[16];
extern const uint64_t peer_mac;

/* rdma_begin() with one NIC and this peer; rdma_end(peer->r) ends the test. */
struct peer *peer_begin(void);
/* The same with longer frames. */
struct peer *peer_begin_mtu(unsigned int eth_mtu);
/* NIC 0's QP in RTS, RC, connected with QP `qpn` of the peer, whose first PSN is `psn`. */
struct rdma_qp *peer_connect(struct peer *p, const struct rdma_qp_cfg *cfg, uint32_t qpn,
			     uint32_t psn);
/* Again from RESET, after an error. */
void peer_reconnect(struct rdma_qp *qp, uint32_t qpn, uint32_t psn);

/* BTH from the peer to that QP, P_Key and MigReq as they should be, no AckReq. */
struct model_packet peer_packet(const struct peer *p, const struct rdma_qp *qp, uint8_t opcode,
				uint32_t psn);
/* Append a header or payload; payload brings its pad. */
void peer_add_reth(struct model_packet *packet, uint64_t va, uint32_t rkey, uint32_t len);
void peer_add_aeth(struct model_packet *packet, uint8_t syndrome, uint32_t msn);
void peer_add(struct model_packet *packet, const void *bytes, uint32_t len);
void peer_add_payload(struct model_packet *packet, const void *bytes, uint32_t len);
void peer_send(struct peer *p, const struct model_packet *packet);
/* With one bit of the frame flipped; the FCS is right, and so is an IPv4 checksum not flipped
 * itself. */
void peer_send_damaged(struct peer *p, const struct model_packet *packet, uint32_t bit);
/* An ACK or NAK. */
void peer_ack(struct peer *p, const struct rdma_qp *qp, uint32_t psn, uint8_t syndrome,
	      uint32_t msn);
/* WRITE_ONLY of a few bytes, asking for an ACK. */
void peer_write(struct peer *p, const struct rdma_qp *qp, uint32_t psn, uint64_t va, uint32_t rkey,
		const void *bytes, uint32_t len);

/* Fields of a packet seen. */
uint8_t peer_opcode(const struct model_packet *packet);
uint32_t peer_psn(const struct model_packet *packet);
uint32_t peer_dest(const struct model_packet *packet);
/* Of an ACK or READ response. */
uint8_t peer_syndrome(const struct model_packet *packet);
/* The i-th packet seen; fails when there is none. */
const struct model_packet *peer_got(struct peer *p, unsigned int i);
/* Forget what was seen. */
void peer_forget(struct peer *p);

/* The bystander: a verified WRITE; how many ns it took. */
uint64_t peer_canary(struct peer *p, uint32_t len);

#endif
