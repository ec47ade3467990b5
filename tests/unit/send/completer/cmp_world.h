/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A world for completer: a requester and a peer in C that lose, delay and refuse packets.  Each
 * data write, completion and cell is checked as it comes.
 */
#ifndef CAIRN_CMP_WORLD_H
#define CAIRN_CMP_WORLD_H

#include "cmp_strobes.h"
#include "vtb.h"

#define NQ 4
#define MTU 256u
#define CHUNK 4u
#define NW 40
#define MAXB 4096u
#define WIRE 512

struct wr {
	unsigned int op, len, index, blocks, nsge;
	bool signaled, done;
	uint32_t psn, npsn;
	uint64_t va[3], value; /* atomic: what the peer had */
	uint32_t sge[3];
	uint8_t seen[MAXB];
};

struct rsp {
	uint64_t at;
	unsigned int opcode, len, wr, off;
	uint32_t psn, aeth;
};

struct qp {
	struct wr wr[NW];
	unsigned int n, reported;
	uint32_t psn0, next, hi, epsn;
	uint8_t epoch;
	bool nak, rnr, fail;
	uint64_t t_start;
	uint8_t cmp[64];
	struct rsp wire[WIRE];
	unsigned int head, tail, nop_done;
	unsigned int err_cqes, flushed;
};

#define OPS_ALL                                                                         \
	(1u << CAIRN_WQE_OP_SEND | 1u << CAIRN_WQE_OP_WRITE | 1u << CAIRN_WQE_OP_READ | \
	 1u << CAIRN_WQE_OP_NOP | 1u << CAIRN_WQE_OP_ATOMIC_CS |                        \
	 1u << CAIRN_WQE_OP_ATOMIC_FA)

extern struct vtb *tb;
extern struct qp qp[NQ];
extern uint64_t counts[N_COUNTS];

/* New model, QPs with random work requests; per cent of losses, pauses, RNR NAKs; misses of 256. */
void start(unsigned int lossy, unsigned int pause, unsigned int miss, unsigned int rnr,
	   unsigned int ops, bool fail);
bool all_done(void *arg);
/* Run until everything is completed and nothing is held any more. */
void finish(void);

#endif
