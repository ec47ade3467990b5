/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the RFCs make of a frame of the slow path: a small model of one NIC that knows its addresses
 * and its neighbours, and nothing of firmware.  It looks only at the bytes.
 */
#ifndef CAIRN_FUZZ_NET_MODEL_H
#define CAIRN_FUZZ_NET_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "cairn_hw.h"

#define NET_MODEL_GIDS 16u
#define NET_MODEL_PEERS 64u

struct net_peer {
	uint8_t addr[16];
	uint16_t vid;
	uint8_t mac[6];
	enum { PEER_UNKNOWN, PEER_ASKED, PEER_CONFIRMED, PEER_DOUBTFUL } state;
	bool told; /* DOUBTFUL: his word was taken while he was asked, and nobody objected */
};

struct net_model {
	uint8_t mac[6];
	struct {
		bool valid;
		uint8_t addr[16];
		int tci;       /* below 0: no tag */
		bool conflict; /* since the caller cleared it */
	} gid[NET_MODEL_GIDS];
	struct net_peer peer[NET_MODEL_PEERS]; /* who was asked for */
	unsigned int peers;
};

/* What firmware must make of it; what it must send, len 0: nothing. */
enum cairn_net_outcome net_model_frame(struct net_model *m, const uint8_t *frame, uint32_t len,
				       uint8_t *answer, uint32_t *answer_len);
/* He is wanted: true and *mac if he is believed; else a question goes out. */
bool net_model_want(struct net_model *m, unsigned int gid, const uint8_t *addr, uint8_t *mac);
/* The question, or (addr = the address itself) the announcement of that GID; returns the length. */
uint32_t net_model_question(const struct net_model *m, unsigned int gid, const uint8_t *addr,
			    uint8_t *out);
uint32_t net_model_announcement(const struct net_model *m, unsigned int gid, uint8_t *out);

#endif
