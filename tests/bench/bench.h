/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `make bench`: what the NIC does, in its own cycles.  Two NICs of the real model in this process
 * (tests/lib/rdma.h), a host that costs no time, links that are the same everywhere; so a figure
 * depends on the sources alone.
 *
 *   bench_main.c   the metrics, options, JSON
 *   bench_load.c   many work requests, throughput from the time stamps of completions
 *   bench_lat.c    one work request at a time, watched beat by beat at the NICs' ports
 *   bench_start.c  opening a NIC, connecting two QPs
 *   bench_bound.c  what wire and PCIe allow
 *   bench_many.c   thousands of connected QPs, without a command for each
 *   bench_speed.c  how fast all of this is computed
 *
 * Units: "Gb/s" of payload, "cycles/msg", "cycles"; a cycle is 4 ns at 512 bits, 8 ns at 64 bits.
 */
#ifndef CAIRN_BENCH_H
#define CAIRN_BENCH_H

#include "rdma.h"

#define BENCH_MAX_QPS 65536u

/* A load: `qps` QPs, each with up to `depth` requests of `len` bytes, posted in lists of `list`. */
struct bench_load {
	enum cairn_wqe_op op;
	uint32_t len;
	uint32_t pmtu; /* 1 to 5 */
	unsigned int qps, depth, list;
	bool in_wqe; /* inline */
	/* Completions before the measurement, and in it. */
	unsigned int warm, count;
	bool srq;  /* SENDs: all receives come from one SRQ */
	bool many; /* QPs are not made by commands (bench_many.c): no SENDs, four requests each */
	bool loop; /* NIC 0 with itself; not SENDs */
	/* Keys of the remote memory, each request names the next; 0 is 1. */
	unsigned int regions;
	/* More QPs than places: for what a QP has posted its record is read, at both ends. */
	bool missing;
};

/*
 * Connected QPs between NIC 0 and NIC 1, as commands would make them, but straight into the tables
 * in host memory; what is in `qp` are those of NIC 0, their peers behind them.  Theirs is what
 * bench_many_end() frees.
 */
struct bench_many {
	unsigned int n;
	struct rdma_qp *qp[2]; /* of each NIC, n of them */
	struct cairn_qp *ring; /* 2 n */
	struct cairn_dma mem[2];
};

void bench_many_begin(struct rdma *r, const struct rdma_qp_cfg *cfg, unsigned int n,
		      struct bench_many *many);
void bench_many_end(struct rdma *r, struct bench_many *many);

/* Cycles per message that each link, and the NIC's own beat, needs at least. */
struct bench_bound {
	double wire, beats, pcie_up, pcie_down;
	double cycles;	/* the largest */
	const char *by; /* its name */
};

struct bench_result {
	double cycles; /* per message */
	uint64_t run_cycles;
	/* Of NIC 0 (requester) and 1, during the whole run. */
	uint64_t counter[2][CAIRN_COUNTERS];
	struct sim_pcie_stats pcie[2];
	unsigned int messages;
};

/* Mean cycles over some messages of 8 bytes, each alone. */
struct bench_lat {
	double nic; /* doorbell in at A to memory write out at B, less wire and PCIe round trips */
	double tx;  /* its part in A: doorbell in to the frame's first beat out */
	double rx;  /* its part in B: the frame's last beat in to the memory write out */
	double ack; /* B: the frame's last beat in to the ACK's first beat out */
	double cqe; /* A: the ACK's last beat in to the completion's last beat out */
	double all; /* doorbell in to the completion's last beat out, less PCIe round trips */
};

/* The links of a width; docs in README.md. */
void bench_links(unsigned int data_w, struct rdma_cfg *cfg, struct sim_pcie_cfg *pcie);

struct bench_bound bench_bound(const struct rdma_cfg *cfg, const struct bench_load *load);
/* Payload rate when a message of len bytes takes that many cycles. */
double bench_gbps(unsigned int data_w, uint32_t len, double cycles);
unsigned int bench_period(unsigned int data_w);

/*
 * Thousand cycles of the two NICs that a second of CPU time computes, on standard error: while
 * loads ran; with IDLE=1 also with nothing to do, when no cycle is left out.  They are the
 * machine's, and nothing judges them.
 */
void bench_speed_begin(const struct sim *sim);
void bench_speed_end(const struct sim *sim);
void bench_speed_say(const struct rdma_cfg *cfg);

/* Each opens NICs of its own, and fails (rdma_fail()) when an outcome or a byte is wrong. */
void bench_load_run(const struct rdma_cfg *cfg, const struct bench_load *load,
		    struct bench_result *result);
/* How bench_lat_run() sends: through the push window, to itself. */
struct bench_way {
	bool push, loop;
};

void bench_lat_run(const struct rdma_cfg *cfg, struct bench_way way, struct bench_lat *lat);

/* Cycles from a device that is reset to the first QP that can be created; of all commands of an RC
 * pair.  With the simulator's own host. */
struct bench_start {
	uint64_t open, connect;
};

void bench_start_run(const struct rdma_cfg *cfg, struct bench_start *start);

/*
 * More QPs than the context cache has places, one set of NICs for `n` figures: load[i] with PCIe
 * reads of rtt_ns[i].  load[0] has the largest depth; otherwise they are alike.
 */
void bench_crowd_run(const struct rdma_cfg *cfg, const struct bench_load *load,
		     const unsigned int *rtt_ns, unsigned int n, struct bench_result *result);

/* What a request of `len` bytes names; both ends at the same place of their buffer. */
struct bench_ends {
	const struct rdma_buf *local;
	const struct cairn_mr *remote;
	size_t offset;
};

/* Into the send ring, one block; not rung.  Elements or inline bytes: `len` bytes of local.  A
 * fetch-and-add adds BENCH_ADDEND. */
#define BENCH_ADDEND 3u
void bench_post(struct rdma_qp *qp, enum cairn_wqe_op op, const struct bench_ends *ends,
		uint32_t len, bool in_wqe);
/* Source and destination of `len` bytes at addresses that are the same in every run. */
struct rdma_buf *bench_buf(struct rdma *r, unsigned int nic, size_t len);

#endif
