/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench of rsp_res_cache and rsp_res_words, and of rsp_res around them: a model of the lines, which
 * says for every read whether it hits and for every cycle which request may go on; the newest entry
 * ever written is what a hit must show, whichever way it came; and a host that answers in rows of
 * any order, late, or wrongly.
 */
#ifndef CAIRN_RES_BENCH_H
#define CAIRN_RES_BENCH_H

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb.h"

#define LINES 4 /* as in tests.mk */
#define QPS 16	/* four a line */
#define ENTRIES 16
#define BASE 0x7f0000a000ULL
#define CLIENT_QPC 3
#define JOINT_TAG 9 /* of rsp_res, as in tests.mk */
#define FRESH 1023  /* cycles */
#define MAX_POSTED 64

struct line {
	uint32_t qpn, gen, valid;
	bool failed;
};

struct posted { /* entries on their way to the host */
	unsigned int qpn, index, ticket;
	struct cairn_rsp_res entry;
};

enum fill_state { IDLE, ASK, WAIT, WAKE };

struct bench {
	struct vtb *tb;
	unsigned int bytes;	/* of a beat */
	bool words;		/* rsp_res_words */
	bool joint;		/* rsp_res */
	unsigned int tag, came; /* rsp_res: 64 bits each of the entry that have come */
	const struct sim_port *wr_entry, *rd_entry, *hrd_req, *meta, *data;
	struct line lines[LINES];
	struct cairn_rsp_res newest[QPS][ENTRIES], host[QPS][ENTRIES];
	uint8_t gen[QPS];
	struct posted posted[MAX_POSTED];
	unsigned int n_posted, ticket;
	/* last read, and what it must show */
	unsigned int rd_qpn, rd_gen;
	bool asking, writing; /* words: a read has not begun, a write has */
	bool reading, want_hit, want_err;
	uint8_t got[sizeof(struct cairn_rsp_res)]; /* words: so far */
	struct cairn_rsp_res want, or_this;	   /* or_this: written in the same cycle */
	/* the fill */
	enum fill_state state;
	unsigned int f_qpn, f_gen, f_ticket, nb, rows, pos, row;
	bool asked, broken, failing;
	/* the line filled last */
	bool fresh;
	unsigned int fresh_qpn, fresh_gen;
	uint64_t fresh_at;
	/* the test's hands */
	unsigned int busy_pct, write_pct, fail_pct;
	bool hold_rsp, hold_wake, hold_posted, fail_next, wr_taken;
	unsigned int n_wakes, n_hits, n_errs, n_writes, n_broken, n_refused;
};

/* Lines are empty, nothing pauses. */
struct bench *res_bench_new(void);
void res_bench_free(struct bench *b);

/* An entry as rsp_commit writes it, random but for QPN and generation; it is on its way to the
 * host. */
void res_write(struct bench *b, unsigned int qpn, unsigned int index);
/* A read as rsp_tx makes it; true if it hit.  The bench compares. */
bool res_read_gen(struct bench *b, unsigned int qpn, unsigned int gen, unsigned int index);
bool res_read(struct bench *b, unsigned int qpn, unsigned int index);
/* Ask for the QP read last, for one cycle, as rsp_tx does; false: refused. */
bool res_ask(struct bench *b);
void res_wait_wake(struct bench *b);
/* Of a QP that is not there: read, ask, wait. */
void res_fill(struct bench *b, unsigned int qpn);
/* Another QP of the same line. */
unsigned int res_rival(unsigned int qpn, unsigned int nth);

#endif
