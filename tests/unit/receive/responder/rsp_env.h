/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world around the responder in its unit test: host memory with reads that come back in any
 * order, MR service with misses and errors, doorbells, QP cache lookups, RX pool cells, transmit
 * ring 1 and ACK port. Random delays and back-pressure everywhere; the bookkeeping that must hold
 * in any test (cells, pins, order of writes) is checked here.
 */
#ifndef RSP_ENV_H
#define RSP_ENV_H

#include "vtb.h"
#include "vtb_ctx.h"
#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_pkt.h"

#define MEM_BYTES (1u << 22)
#define QPS 8
#define SLOTS 16
#define RES_BASE 0x300000u
#define MAX_REGIONS 32
#define MAX_READS 128
#define LOOKS 8
#define MR_DEPTH 16 /* requests of a client that mr_service takes before an answer is */

struct region {
	uint32_t key;
	unsigned int rights;
	uint64_t va, len, iova, first_len;
	uint64_t window; /* not 0: all of it lies in so many bytes of memory, again and again */
	bool cached, may_inv;
	bool broken; /* its record or page list cannot be read */
};

struct wpkt {
	uint8_t opcode, gen;
	uint32_t qpn, psn, key, rlen, imm;
	uint64_t va, swap_add, compare;
	unsigned int len;
	const uint8_t *payload;
	bool se, ackreq;
	unsigned int bad_pad; /* exclusive-or of the right pad count */
	const uint8_t *ip;    /* UD: the frame's IP header, 20 or 40 bytes */
	bool ipv6;
	unsigned int tag; /* 8 | priority of a VLAN tag; 0: none */
	uint32_t src_qp;
};

struct wjob {
	unsigned int port; /* 0 ring 1, 1 ACK */
	unsigned int kind, opcode, len;
	uint32_t qpn, psn, aeth, dest;
	uint64_t value;
	unsigned int nseg;
	struct {
		uint64_t iova;
		unsigned int len;
	} seg[2];
};

struct wcqe {
	uint32_t cqn, qpn, byte_len, imm;
	unsigned int opcode, index, flags, vendor, status, sol;
	uint32_t src_qp, net;
};

struct weqe {
	unsigned int eqn, type;
	uint32_t number, data;
};

struct read_req {
	bool used;
	unsigned int client, tag, len, left;
	uint64_t iova;
	unsigned int npiece, cur, pos; /* cur: piece being sent */
	struct {
		unsigned int off, len;
	} piece[80];
	uint64_t due;
	bool fail;
};

struct mr_fifo {
	unsigned int n;
	struct {
		uint64_t due, iova0, iova1;
		unsigned int status, vendor, func, len0, len1, last;
		bool placed; /* says where memory is */
	} e[MR_DEPTH];
};

/* What the ports have beside a QP's plain numbers (rsp_env_hide.c); exclusive-or of both. */
struct hidden {
	uint32_t name; /* its QPN */
	uint32_t pd, cqn, dest, key;
	uint64_t va, ring; /* of remote keys; of its receive ring */
	uint8_t gen, eqn;
};

/* Counters of the responder */
enum {
	C_DUP,
	C_OOS,
	C_RNR,
	C_SEQ,
	C_INV,
	C_ACCESS,
	C_OP,
	C_SEND,
	C_WRITE,
	C_READ,
	C_STATE,
	C_CQE_ERR,
	C_FETCH,
	C_PARK,
	C_COAL,
	C_STALL,
	C_UC,
	C_UD,
	C_NO_RECV,
	C_ATOMIC,
	C_SRQ,
	C_SRQ_WAIT,
	C_LOC_LEN,
	C_COUNT
};

struct world {
	struct vtb *tb;
	struct vtb_ctx ctx_port;
	struct rng rng;
	uint8_t *mem;
	unsigned int width;	/* bytes of a beat */
	unsigned int pause;	/* percent of cycles without ready */
	bool no_cqe, no_write;	/* completions, posted writes find no taker at all */
	unsigned int mr_miss;	/* percent */
	unsigned int fills;	/* percent of cycles in which an MR line of somebody else arrives */
	unsigned int lk_bad;	/* percent of lookups that do not hit */
	unsigned int read_fail; /* percent; of others than atomics */
	unsigned int atomic_fail;
	unsigned int atomic_latency; /* at least */
	unsigned int latency;	     /* of host reads, cycles, at most, beyond the least */
	unsigned int least_latency;
	unsigned int read_pause; /* percent of cycles without data */
	struct region region[MAX_REGIONS];
	unsigned int n_region;
	struct hidden hidden[QPS];
	/* of addresses: regions, responder resources, shared receive queues */
	uint64_t high[MAX_REGIONS], res_high, srq_high;
	uint8_t func[MAX_REGIONS], res_func; /* whose memory it is */
	uint16_t pi[QPS + 1];		     /* the last: of no QP of these */
	struct cairn_qp_cfg cfg[QPS];

	struct wpkt q[256]; /* to the responder */
	unsigned int q_head, q_tail;
	bool showing, in_reset;
	unsigned int cell, done, sent;
	const uint8_t *cell_data[4096], *cell_ip[4096];
	uint8_t cell_len_ok[4096];
	unsigned int cell_len[4096], cells_live;
	unsigned int wr_cell, wr_pos;
	bool wr_ip; /* the IP header is being read */
	uint16_t ticket;

	struct read_req rd[MAX_READS];
	int rd_now;
	struct mr_fifo mr[2];
	uint64_t fill_due[64];
	uint32_t fill_key[64];
	unsigned int n_fill;
	struct {
		uint64_t due;
		uint32_t qpn;
	} look[LOOKS]; /* answered in order */
	unsigned int n_look;
	uint64_t qfill_due;
	uint32_t qfill_key;
	/* where the QP's record is; its packets that hold a pin */
	unsigned int slot[QPS], flying[QPS];
	unsigned int held[QPS]; /* its pins of packets, those of atomics under way included */
	int pins[SLOTS];
	unsigned int evict; /* moves to another slot, per 10000 cycles */
	unsigned int ev_state, ev_qpn, ev_slot, moves;
	uint32_t rq_qpn;

	struct wjob ring[64], cur;
	bool ahead; /* a packet with a key was taken in the last cycle */
	uint32_t ahead_key;
	unsigned int r_head, r_tail;
	bool cur_open;
	unsigned int left_wait; /* cycles until the next job of ring 1 leaves, at most */
	uint64_t left_due;
	bool left;

	/* drains of MR clients (mr_drain): one every few hundred cycles, unless the test does it */
	struct {
		unsigned int begun, over;
		bool on, held; /* an answer is shown and not taken: no mark goes ahead of it */
		uint64_t next;
	} drain[2];
	bool own_drains;
	uint32_t change_key; /* what is being invalidated; how it ends */
	unsigned int change_vendor, change_count;
	bool change_revokes; /* and behind that it has no rights any more */
	uint64_t change_due;

	uint64_t cnt[C_COUNT];
	uint32_t kick;		/* QPN + 1 */
	unsigned int kick_port; /* the one that it comes from */
	uint32_t txerr;		/* QPN + 1 */
	uint32_t txerr_psn;
	uint64_t first_pkt_cycle, last_pkt_cycle;

	void *arg;
	void (*on_job)(struct world *w, const struct wjob *job); /* in the order of the wire */
	void (*on_cqe)(struct world *w, const struct wcqe *cqe);
	void (*on_eqe)(struct world *w, const struct weqe *eqe);
	void (*on_cycle)(struct world *w);
	void (*on_qp_err)(struct world *w, uint32_t qpn);
};

struct world *world_create(void);
void world_destroy(struct world *w);
/* Reset, whatever is under way; then as after world_create, with other high bits. */
void world_reset(struct world *w);
void world_region(struct world *w, uint32_t key, unsigned int rights, uint64_t va, uint64_t len,
		  uint64_t iova);
/* The same of any length, over `window` bytes of memory. */
void world_large(struct world *w, uint32_t key, unsigned int rights, uint64_t va, uint64_t len,
		 uint64_t iova, uint64_t window);
struct region *world_key(struct world *w, uint32_t key);
/* The QP's responder resources in w->mem. */
uint8_t *world_res(struct world *w, uint32_t qpn);
/* Write the cfg part of w->cfg[qpn], or a rsp part, into the context. */
void world_cfg(struct world *w, uint32_t qpn);
void world_rsp(struct world *w, uint32_t qpn, const struct cairn_qp_rsp *rsp);
void world_peek(struct world *w, uint32_t qpn, struct cairn_qp_rsp *rsp);
void world_send(struct world *w, const struct wpkt *p);
unsigned int world_queued(const struct world *w);
/* Until the responder is idle and everything is delivered. */
void world_drain(struct world *w, unsigned int max_cycles);
/* A drain of an MR client begins (mr_drain). */
void world_mark(struct world *w, unsigned int client);

#endif
