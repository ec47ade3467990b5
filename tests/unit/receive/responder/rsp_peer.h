/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A go-back-N requester for the responder's random test: random messages, a lossy wire both ways,
 * and a reference, written from IBTA volume 1 section 9.7, of what must come out: memory contents,
 * completions in order, response data, ACKs that may not acknowledge what was not executed nor pass
 * READ data.
 */
#ifndef RSP_PEER_H
#define RSP_PEER_H

#include "rsp_env.h"

#define MAX_PKTS 512
#define RQ_LOG2 4
#define RQ_BUF 8192u

enum { P_SEND, P_WRITE, P_READ, P_ATOMIC };

struct ppkt {
	unsigned int type, opcode, len, first, n; /* first PSN index and number of PSNs */
	uint8_t *payload;
	uint64_t va, swap_add, compare, original;
	uint32_t rlen, imm, msg;
	bool ackreq, se;
};

struct recv_expect {
	unsigned int opcode, len;
	uint32_t imm;
	bool has_imm, se, is_send;
	const uint8_t *data;
};

struct peer {
	struct world *w;
	uint32_t qpn, psn0, msn0;
	uint16_t rq0; /* index of the first receive WQE */
	unsigned int pmtu, stride, ring;
	struct ppkt pkt[MAX_PKTS];
	struct ppkt *at[4096]; /* by PSN index */
	unsigned int n_pkt, total;
	struct recv_expect recv[256];
	unsigned int n_recv, got_recv, posted;
	unsigned int recv_before[MAX_PKTS]; /* of the message */
	unsigned int most_credits;
	unsigned int una, next, max_sent; /* PSN indices */
	uint64_t wait_until, progress;
	unsigned int loss; /* percent */
	uint32_t rkey, lkey;
	uint64_t rva, riova, liova, lva, rq_iova;
	uint8_t *expect; /* what the WRITE area must hold */
	uint8_t *data;
	unsigned int nak_seq, rnr, again; /* again: answers of atomics that had come before */
	bool ordered;			  /* nothing is lost: responses must be exactly in order */
};

#define AREA 0x8000u /* WRITE and READ area of a QP */

struct peer *peer_create(struct world *w, uint32_t qpn, unsigned int messages, unsigned int loss);
void peer_destroy(struct peer *p);
void peer_cycle(struct peer *p);
void peer_job(struct peer *p, const struct wjob *j);
void peer_cqe(struct peer *p, const struct wcqe *c);
bool peer_finished(const struct peer *p);
void peer_check(struct peer *p);

#endif
