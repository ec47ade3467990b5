/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fuzzers share: QPs of NIC 0 that are made to suffer, outside the ledger of rdma.h, and a
 * verified flow between NIC 0 and NIC 1 beside them.
 */
#ifndef CAIRN_FUZZ_VICTIM_H
#define CAIRN_FUZZ_VICTIM_H

#include "rdma.h"

#define VICTIMS 16u
#define VICTIM_BYTES 65536u
#define VICTIM_ANSWERS 64u

struct victim {
	struct cairn_qp *qp;
	enum cairn_qp_type type;
	uint32_t pmtu, sq_psn, dest_qpn;
	uint32_t epsn; /* what it expects next, as far as its answers tell */
	bool ended;    /* a completion or an event has said so */
};

struct victims {
	struct rdma *r;
	struct cairn_pd *pd;
	struct cairn_cq *cq;
	struct rdma_buf *buf; /* all rights; in the victims' own protection domain */
	struct victim v[VICTIMS];
	uint8_t sgid[16], dgid[16]; /* of NIC 0, and of who seems to be its peer */
	uint64_t mac, peer_mac;
	bool answer; /* the peer acknowledges SENDs and WRITEs, instead of silence */
	struct {
		uint32_t qpn, psn;
	} ack[VICTIM_ANSWERS];
	unsigned int acks, checks;
	bool cq_error;
	uint64_t revived, overflows, completions, acked;
	/* the verified flow */
	struct rdma_qp *canary;
	struct rdma_buf *near, *far;
	uint64_t canaries;
};

/* NICs 0 and 1, and a peer of the victims made of C. */
void victims_begin(struct victims *vs, bool answer);
/* All that have ended: made anew.  Returns how many. */
unsigned int victims_revive(struct victims *vs);
/* A message each way on the verified flow, unless the last ones are under way; not waited for. */
void victims_canary(struct victims *vs);
/* Send what the peer answers. */
void victims_answer(struct victims *vs);
/*
 * The NIC has come to rest, the flow's messages have arrived, nothing of the victims' completions
 * is lost, no assertion, no forbidden access.
 */
void victims_check(struct victims *vs);
void victims_end(struct victims *vs);
/* Take the completions that are there. */
void victims_drain(struct victims *vs);
/* Receives of random shapes until the ring is full. */
void victim_receives(struct victims *vs, struct victim *v);

/* A key or address that may be right, nearly right, somebody else's, or nothing. */
uint32_t victim_key(struct victims *vs);
uint64_t victim_address(struct victims *vs);

/* The tests. */
void fuzz_packets(void **state);
void fuzz_wqes(void **state);
void fuzz_net(void **state);

#endif
