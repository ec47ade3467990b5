/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench of mr_service: four clients of lookups with credits of their own, firmware's port, host
 * memory with both tables, and the verdict of IBTA 10.6.7 on one request. The tests say what is
 * asked (make) and judge the answers.
 */
#ifndef MR_BENCH_H
#define MR_BENCH_H

#include "../cq/host.h"
#include "cairn_hw.h"
#include "vtb_ctx.h"

#define KEYS 32
#define MPT 0x1000u
#define MTT 0x4000u
#define PTES 512
#define MRQ 64

struct req {
	uint32_t key, pd, qpn, chk, len;
	uint64_t va;
	unsigned int rights, remote, inv, last;
	uint64_t since; /* cycle in which it was taken */
};

struct answer {
	unsigned int status, vendor, func;
	uint64_t iova[2];
	uint32_t len[2];
};

/* The stages of a client behind its answers: it uses each for a while, in their order. */
struct client {
	struct req fly[MRQ], again[MRQ], offer;
	uint64_t used_until, mark; /* of the answers so far; of those before a drain */
	bool marked, held; /* held: takes no answer */
	unsigned int head, tail, n_again;
	bool offering, wait; /* wait: for the strobe */
	uint64_t missed;
	struct { /* as in find_ports() */
		const struct sim_port *valid, *req, *ready, *answer, *rsp, *fill, *drain,
			*answer_ready, *drained;
	} port;
};

struct bench {
	struct vtb *tb;
	struct host h;
	struct client c[4];
	unsigned int send_pc, busy, clients, done, misses, errs[256], cnt[4];
	unsigned int ahead_pc; /* keys told ahead, in 100 cycles */
	unsigned int use; /* cycles for which a client uses an answer, at most */
	uint64_t key_until[KEYS]; /* answers about it that are good are used until then */
	bool stop;
	/* firmware's operation under way */
	bool fw;
	unsigned int fw_sel, fw_pc, fw_status;
	struct vtb_ctx port;
	/* false: nothing to ask now */
	bool (*make)(struct bench *b, struct req *q);
	void (*judge)(struct bench *b, const struct req *q, const struct answer *a);
	/* a random operation of firmware: sets table, key, operation, data */
	void (*fw_random)(struct bench *b);
	void *arg;
};

struct cairn_mpt *mr_mpt(struct bench *b, unsigned int i);
/* Cleared bench with the tables in place; each of a program is another one. */
struct bench *mr_bench(struct bench *b);
/*
 * What IBTA 10.6.7 says to a request under this record (NULL or free: there is none) and this page
 * list table: enum vendor_err, and the pieces.
 */
unsigned int mr_verdict(const struct cairn_mpt *m, const uint64_t *ptes, const struct req *q,
			struct answer *want);
/* Status, vendor and pieces are these? */
bool mr_same(const struct req *q, unsigned int vendor, const struct answer *want,
	     const struct answer *got);
/* Firmware's operation, to its end; enum ctx_result. */
unsigned int mr_fw(struct bench *b, unsigned int sel, unsigned int op, uint32_t key,
		   const void *data, const void *mask);
bool mr_quiet(void *arg);
/* Port <side>_mr_<member> of the send or receive side. */
const struct sim_port *mr_port(struct bench *b, const char *side, const char *member);

#endif
