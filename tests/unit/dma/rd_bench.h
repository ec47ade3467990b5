/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Both ends of dma_read: eight clients that ask and check what comes, and a host that answers with
 * completions split at the read completion boundary, out of order and interleaved, with faults on
 * demand.
 */
#ifndef CAIRN_TEST_RD_BENCH_H
#define CAIRN_TEST_RD_BENCH_H

#include "tlp.h"

#define RD_CLIENTS 8
#define RD_MAX_REQS 4096
#define RD_MAX_TAGS 256

enum rd_fault {
	RD_OK,
	RD_UR,
	RD_CA,
	RD_POISON,
	RD_LOST,   /* no completion */
	RD_COUNT,  /* wrong byte count */
	RD_LOWER,  /* wrong lower address */
	RD_NODATA, /* success without data */
	RD_LONG,   /* more DW than asked for */
	RD_CUT,	   /* stream ends before the header says */
	RD_FAULTS,
};

struct rd_req {
	uint64_t addr;
	unsigned int client, tag, len, ticket;
	bool use_ticket, epoch;
	/* result */
	bool taken, done, err, bad; /* bad: a fault was injected, or it was not sent */
	unsigned int got, mrds;
	uint64_t t_taken, t_done;
	uint8_t seen[4096];
};

struct rd_read {	 /* one tag at the host */
	bool live, dead; /* dead: the device gave up on it */
	uint64_t first;
	unsigned int bytes, sent;
	uint64_t at; /* cycle of the first completion */
	enum rd_fault fault;
	struct rd_req *req;
};

struct rd_bench {
	struct vtb *tb;
	unsigned int bytes; /* of a beat */
	/* knobs */
	bool narrow; /* tags below 32 only, from now on */
	unsigned int mrrs, mps, rcb;		   /* bytes */
	unsigned int lat_min, lat_max;		   /* cycles */
	unsigned int mrd_stall, cpl_gap, req_idle; /* percent */
	unsigned int fault_pct;
	bool in_order, bme_off, hold, run_time;
	bool manual_faults;
	enum rd_fault next_fault;
	unsigned int clk_ns;
	/* requests in order of creation */
	struct rd_req *reqs;
	unsigned int n_reqs, n_done;
	unsigned int head[RD_CLIENTS]; /* next request to present, index into reqs; scans for its
					  client */
	struct rd_req *shown[RD_CLIENTS], *open[RD_CLIENTS][4096];
	/* host */
	struct rd_read reads[RD_MAX_TAGS];
	unsigned int n_live, max_live;
	struct {			 /* completion being sent */
		bool busy, shown, twice; /* twice: once more, right behind */
		struct tlp_hdr hdr;
		uint8_t data[4096 + 256];
		unsigned int beats, beat;
	} cpl;
	uint64_t now;
	/* counts */
	uint64_t n_mrd, n_mrd_bytes, n_rsp, rsp_bytes, ev_rd, ev_bytes, ev_err, ev_timeout,
		ev_unexpected;
	uint64_t mrd_cycle[1 << 14];
	uint8_t mrd_client[1 << 14];
	uint64_t last_rsp;
	/* ports */
	const struct sim_port *rd_valid[RD_CLIENTS], *rd_ready[RD_CLIENTS], *rd_req[RD_CLIENTS];
	const struct sim_port *beat_valid, *beat_meta, *beat_data, *mrd_valid, *mrd_ready,
		*mrd_drop, *mrd_hdr, *cpl_valid, *cpl_ready, *cpl_sop, *cpl_last, *cpl_hdr,
		*cpl_data, *time_now, *ev[5];
};

struct rd_bench *rd_bench_new(unsigned int mrrs, unsigned int mps);
/* The host takes tags of 5 bits only, or of 8. */
void rd_bench_narrow(struct rd_bench *b, bool narrow);
void rd_bench_free(struct rd_bench *b);
/* Queue a request; len 0: random length and alignment inside a region of its own. */
struct rd_req *rd_ask(struct rd_bench *b, unsigned int client, unsigned int len, unsigned int off);
/* Run until all requests are over, then check results and totals. */
void rd_finish(struct rd_bench *b, uint64_t max_cycles);
/* A completion that nobody expects, sent in between. */
void rd_stray(struct rd_bench *b, unsigned int tag, unsigned int dw);

#endif
