/* SPDX-License-Identifier: Apache-2.0 */
/* Directed tests of the responder: one QP, QP 0, and everything that comes out of it in arrays. */
#ifndef RSP_ONE_H
#define RSP_ONE_H

#include "rsp_env.h"

#define PSN0 0xfffffau
#define RVA 0x5000000000ull
#define LVA 0x6000000000ull
#define RKEY 0x111
#define LKEY 0x222

extern struct wjob jobs[256];
extern struct wcqe cqes[256];
extern struct weqe eqes[64];
extern unsigned int n_jobs, n_cqes, n_eqes, n_errs;
extern uint8_t payload[8192];

/* pmtu 256, ring of 16 receive WQEs with `stride` elements of 512 bytes each, `posted` of them. */
struct world *setup(unsigned int stride, unsigned int posted);
struct wpkt packet(unsigned int opcode, unsigned int psn, unsigned int len);
void send_one(struct world *w, unsigned int opcode, unsigned int psn, unsigned int len);
/* Until nothing moves. */
void settle(struct world *w);
/* Job i is an ACK or NAK like this. */
void expect_ack(struct world *w, unsigned int i, unsigned int syn, unsigned int psn,
		unsigned int msn);

#endif
