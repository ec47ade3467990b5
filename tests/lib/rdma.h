/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transport tests and benches: NICs of the real model in one simulation, libcairn opened on each,
 * objects, work requests, and a ledger that demands exactly one outcome, in order, of every work
 * request posted.
 *
 *     static void one_write(void **state)
 *     {
 *             struct rdma *r = rdma_begin(NULL);
 *             struct rdma_qp *a = rdma_pair(r, 0, 1, NULL);
 *             struct rdma_buf *src = rdma_buf(r, 0, 100, 0), *dst = rdma_buf(r, 1, 100, 3);
 *             struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 100);
 *
 *             rdma_do(a, &wr);        post, ring, wait, compare
 *             rdma_end(r);            all of it: memory, ledger, monitors, objects
 *     }
 *     tests[] = { RDMA_TEST(one_write) };     return RDMA_RUN("name", tests);
 *
 * Memory: a buffer has a guard page at each end and a shadow, which is what it shall contain.  It
 * is filled with a pattern of its addresses; each success moves bytes in the shadow as it must have
 * moved them in memory, and compares.  rdma_end() compares every byte of every buffer, guards
 * included.  So sources do not change while they are in use, and requests under way at the same
 * time have destinations of their own.
 *
 * Time: device time only, so a seed repeats a run exactly.  A wait ends in failure when nothing is
 * left to happen, or after too many computed cycles without a completion.
 *
 * Environment: SEED, WIDTH (64, 512), PCAP (a file; empty: none), ONLY (pattern of tests), BUNDLE
 * (directory of what a failure leaves; build/integration/bundle-PROGRAM by default), HOST_PCIE
 * (what the hosts are like, words of `cairn sim --host`).
 */
#ifndef CAIRN_TEST_RDMA_H
#define CAIRN_TEST_RDMA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cairn.h"
#include "queue.h"
#include "rng.h"
#include "sim.h"
#include "sim_pcie.h"

#define RDMA_MAX_NICS 8
#define RDMA_GUARD 4096u
#define RDMA_MAX_EVENTS 256

struct rdma_buf;
struct rdma_qp;
struct rdma_cq;

/* ---------------------------------------------------------------- environment */

struct rdma_cfg {
	unsigned int data_w; /* 0: $WIDTH, else 64 */
	unsigned int nics;   /* 0: 2 */
	bool stress;	     /* PCIe uses all its freedom: order, splits, stalls, credits */
	bool no_jump;
	unsigned int eth_mtu; /* 0: the simulator's */
	unsigned int qps_log2; /* of the driver's tables; 0: its default */
	uint32_t mbps;	      /* of the wire; 0: the simulator's */
	const struct sim_pcie_cfg *pcie; /* NULL: the simulator's; outlives the NICs */
	/* An external peer in this process, as in struct sim_wire_cfg; NULL: none. */
	void (*peer_fn)(void *arg, const struct sim_frame *frame);
	void *peer_arg;
	const char *pcap;     /* NULL: $PCAP, else none */
	uint64_t patience;    /* cycles computed in one wait; 0: 400000 */
};

struct rdma_nic {
	struct cairn_dev *dev;
	struct cairn_pd *pd;
	struct rdma_cq *cq; /* of QPs that name none */
	struct sim_nic *sim;
	uint64_t open_cycles; /* that opening it took, the last time */
	unsigned int opens;   /* each has random numbers of its own */
	struct cairn_dev_caps caps;
	struct cairn_event event[RDMA_MAX_EVENTS]; /* asynchronous ones, oldest first */
	unsigned int events;
	/* counters of the port at rdma_begin(), and those of QPs that are gone */
	uint64_t port_before[CAIRN_COUNTERS], counted_before[CAIRN_COUNTERS];
	bool qps_gone;
};

struct rdma {
	struct rdma_cfg cfg;
	struct sim *sim;
	unsigned int nics;
	struct rdma_nic nic[RDMA_MAX_NICS];
	struct rng rng; /* starts from SEED in each rdma_begin() */
	uint64_t seed;
	struct rdma_buf *bufs;
	struct rdma_cq *cqs;
	struct rdma_qp *qps;
	uint64_t completions; /* seen since rdma_begin() */
	unsigned int errors;  /* of the simulator at rdma_begin() */
	bool clean;
};

/* NULL: defaults.  Takes over the open NICs of the last test where it asked for the same. */
struct rdma *rdma_begin(const struct rdma_cfg *cfg);
/*
 * Wait for what is due; then every buffer must be as its shadow, no event may tell of a lost device
 * or CQ, no assertion of the model and no PCIe rule may be broken; destroys everything.
 */
void rdma_end(struct rdma *r);
/*
 * A test of what the build may not have: without these bits of REG FEATURES it ends here, as one
 * that was skipped.
 */
void rdma_need(struct rdma *r, uint32_t features);
/*
 * A device that was lost: gives up all objects of all NICs and opens NIC `nic` anew.  rdma_begin()
 * follows.
 */
void rdma_reopen(struct rdma *r, unsigned int nic);
/* Give up all objects of all NICs and close NIC `nic`, as it is. */
void rdma_give_up(struct rdma *r, unsigned int nic);
/* Open a NIC that is closed: cairn_open(), as the others were. */
int rdma_try_open(struct rdma *r, unsigned int nic, unsigned int timeout_ms);
/* After a test: gives up NICs that rdma_end() did not see.  After all of them: closes. */
int rdma_teardown(void **state);
int rdma_group_teardown(void **state);

#define RDMA_TEST(function) cmocka_unit_test_teardown(function, rdma_teardown)
#define RDMA_RUN(name, tests)                    \
	(cmocka_set_test_filter(getenv("ONLY")), \
	 cmocka_run_group_tests_name(name, tests, NULL, rdma_group_teardown))

/* Leaves a bundle (sim_bundle()), says how to repeat it, fails the test. */
void rdma_fail(struct rdma *r, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));
#define rdma_assert(r, condition)                                                            \
	do {                                                                                 \
		if (!(condition))                                                            \
			rdma_fail(r, "%s:%d: %s is not so", __FILE__, __LINE__, #condition); \
	} while (0)
/* err from libcairn: 0, or fails with its words. */
void rdma_ok(struct rdma *r, int err, const char *what);

uint64_t rdma_counter(struct rdma *r, unsigned int nic, enum cairn_counter counter);
/* Of one QP, since it was created. */
uint64_t rdma_qp_counter(struct rdma_qp *qp, enum cairn_counter counter);
/* There are QPs that this file does not know of: what they count is not looked for. */
void rdma_other_qps(struct rdma *r);
/* By the name that `cairn stat` shows. */
uint64_t rdma_counter_named(struct rdma *r, unsigned int nic, const char *name);
/* Rules of docs/rules.md, until rdma_end() or rdma_clear_rules(). */
void rdma_rule(struct rdma *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rdma_clear_rules(struct rdma *r);
/* Run until rule `index`, in the order of addition, has acted `hits` times; fails where that takes
 * more than the patience of struct rdma_cfg. */
void rdma_wait_hits(struct rdma *r, unsigned int index, uint64_t hits);
/* Asynchronous events of that type since rdma_begin(). */
unsigned int rdma_events(struct rdma *r, unsigned int nic, enum cairn_eqe_type type);

/* ---------------------------------------------------------------- objects; rdma_end() destroys
 * them
 */

#define RDMA_ALL_ACCESS \
	(CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_READ)

struct rdma_buf_cfg {
	size_t len;
	unsigned int offset; /* of the first byte from the start of its page */
	uint32_t access;
	struct cairn_pd *pd; /* NULL: the NIC's */
	uint64_t va;	     /* what work requests name; 0: the address */
	uintptr_t at;	     /* where its memory is to be, a page; 0: anywhere */
	enum cairn_mr_kind kind;
};

struct rdma_buf {
	struct rdma_buf *next;
	unsigned int nic;
	struct cairn_mr *mr;
	uint8_t *base, *shadow; /* with guards */
	bool mapped;		/* base is where it was to be */
	size_t total;
	uint8_t *data;
	size_t len;
};

/* All rights but atomics, libcairn chooses how. */
struct rdma_buf *rdma_buf(struct rdma *r, unsigned int nic, size_t len, unsigned int offset);
struct rdma_buf *rdma_buf_with(struct rdma *r, unsigned int nic, const struct rdma_buf_cfg *cfg);
/* Write the pattern again, other than before; nothing may use the buffer. */
void rdma_buf_refill(struct rdma *r, struct rdma_buf *buf);
/* What is there now is right: after a request that failed half way. */
void rdma_buf_forget(struct rdma_buf *buf, size_t offset, size_t len);
void rdma_buf_check(struct rdma *r, const struct rdma_buf *buf);
/* Elements of work requests: [offset, offset + len) of the buffer. */
struct cairn_sge rdma_sge(const struct rdma_buf *buf, size_t offset, size_t len);

struct rdma_cq {
	struct rdma_cq *next;
	struct rdma *r;
	unsigned int nic;
	struct cairn_cq *cq;
	uint64_t last_time;
};

struct rdma_cq *rdma_create_cq(struct rdma *r, unsigned int nic, unsigned int depth);

struct rdma_qp_cfg {
	enum cairn_qp_type type;
	unsigned int send_wr, recv_wr, send_sge, recv_sge, max_inline;
	uint32_t access;
	uint32_t pmtu;	 /* 1 to 5 */
	uint32_t sq_psn; /* CAIRN_ANY: random */
	uint32_t timeout, retry_cnt, rnr_retry, min_rnr_timer;
	uint32_t rd_atomic, dest_rd_atomic; /* cut to what the NIC has */
	uint32_t gid_index;
	uint32_t qpn;	     /* or CAIRN_ANY */
	struct cairn_pd *pd; /* NULL: the NIC's */
	struct rdma_cq *send_cq, *recv_cq;
	struct cairn_srq *srq; /* where its receives come from, or NULL */
	uint32_t traffic_class;
	uint32_t qkey; /* UD */
};

/*
 * RC, 64 sends and receives of at most 4 elements, 64 bytes inline, all rights, MTU 1024, random
 * PSN, 1 ms ack timer, 7 retries, endless RNR retries after 10 us, 16 READs, IPv4.
 */
void rdma_qp_cfg_init(struct rdma_qp_cfg *cfg);

struct rdma_queue; /* expected outcomes */
struct rdma_incoming;

struct rdma_qp {
	struct rdma_qp *next, *peer;
	struct rdma *r;
	unsigned int nic;
	struct rdma_qp_cfg cfg;
	struct cairn_qp *qp;
	uint32_t sq_psn;
	/* ledger */
	struct rdma_queue *sq, *rq;
	struct rdma_incoming *incoming, **incoming_end; /* messages that shall arrive, in order */
	bool sq_failed, rq_failed;			/* a failure was seen: the rest flushes */
	bool moved;					/* by rdma_qp_error(): the rest may flush */
};

/* In RESET. */
struct rdma_qp *rdma_create_qp(struct rdma *r, unsigned int nic, const struct rdma_qp_cfg *cfg);
/* The other end of a connection, as this one must know it. */
struct rdma_far {
	uint32_t qpn, psn;	/* its first PSN */
	uint8_t gid[16];
	uint64_t mac;
};
/* From RESET to RTS, by its cfg; a UD QP looks at nothing of `far`. */
void rdma_to_rts(struct rdma_qp *qp, const struct rdma_far *far);
/* Both to RTS, each by its own cfg; either may be the same QP (loop back). */
void rdma_connect(struct rdma_qp *a, struct rdma_qp *b);
/* Create two and connect them; returns the one of NIC a, the other is its peer. */
struct rdma_qp *rdma_pair(struct rdma *r, unsigned int a, unsigned int b,
			  const struct rdma_qp_cfg *cfg);
/*
 * How many cycles all commands of another pair take, of NICs 0 and 1 with CQs of its own; ask: the
 * commands do not name the peer's MAC.
 */
uint64_t rdma_pair_cycles(struct rdma *r, bool ask);
uint32_t rdma_destroy_qp(struct rdma_qp *qp); /* slot of its SRQ that it held, or CAIRN_ANY */
/* Move to ERR: what is posted completes or flushes, and is due. */
void rdma_qp_error(struct rdma_qp *qp);
/* To RESET; what was posted is the caller's to forget (rdma_ledger_drop()). */
void rdma_reset_qp(struct rdma_qp *qp);
uint32_t rdma_qp_state(struct rdma_qp *qp); /* the effective one */

/* ---------------------------------------------------------------- work requests (rdma_wr.c) */

/* Where a datagram goes. */
struct rdma_av {
	uint64_t dmac;
	uint16_t sport;
	uint8_t sgid_index, dgid[16];
	uint32_t dqpn, qkey;
};

struct rdma_wr {
	enum cairn_wqe_op op;
	unsigned int num_sge;
	struct cairn_sge sge[CAIRN_MAX_SGE];
	uint64_t raddr;
	uint32_t rkey;
	uint32_t imm; /* or the key to invalidate, register or bind */
	uint64_t swap_add, compare; /* atomics */
	struct { /* LOCAL_INV, REG_MR, BIND_MW; the address is raddr */
		uint64_t length, page_list;
		uint32_t mr_key, access; /* REG_MR: PAGE_LOG2 in bits 31:24 */
	} local;
	struct rdma_av av; /* UD, for rdma_write_wqe() */
	/* Address and key of a buffer that has the bytes, when raddr and rkey are a window's. */
	struct cairn_sge seen;
	bool unsignaled, solicited, fence;
	bool in_wqe;  /* inline: elements name bytes of this process, lkey does not matter */
	bool no_data; /* do not look at memory, nor expect it at the peer */
	/* What shall come of it.  Behind a failure: WR_FLUSH_ERR, whatever stands here. */
	enum cairn_wc_status expect;
	enum cairn_vendor_err vendor;		/* of a failure; NONE: any */
	void (*spoil)(struct cairn_wqe *first); /* change the finished WQE */
};

/* One element, or none when len is 0. */
struct rdma_wr rdma_wr(enum cairn_wqe_op op, const struct rdma_buf *local, size_t local_offset,
		       const struct rdma_buf *remote, size_t remote_offset, size_t len);
/* [offset, offset + len) of a buffer behind a window, under the key with this tag. */
struct rdma_wr rdma_bind(const struct cairn_mw *mw, uint8_t tag, const struct rdma_buf *buf,
			 size_t offset, size_t len, uint32_t access);
/* The first len bytes of a buffer of kind CAIRN_MR_BY_WORK_REQUEST; who posts it sets its key. */
struct rdma_wr rdma_reg(const struct rdma_buf *buf, uint8_t tag, size_t len, uint32_t access);
struct rdma_wr rdma_inv(uint32_t key); /* LOCAL_INV */
/* What the table has of an operation; of a number that is none: no kind, no mark. */
bool rdma_is_kind(uint32_t op, enum cairn_wqe_kind kind);
bool rdma_has_mark(uint32_t op, enum cairn_wqe_mark mark);
/* The same, but through a window at `addr`. */
struct rdma_wr rdma_through(struct rdma_wr wr, uint32_t key, uint64_t addr);
/* Into the ring; not rung. */
void rdma_post(struct rdma_qp *qp, const struct rdma_wr *wr);
void rdma_ring(struct rdma_qp *qp);
void rdma_push(struct rdma_qp *qp); /* the last one alone, through the push window */
/* Only the WQE, at qp->qp->sq_pi, which moves on: for tests that judge on their own. */
void rdma_write_wqe(struct rdma_qp *qp, const struct rdma_wr *wr, uint32_t len, uint32_t blocks);
/* Blocks that are still free. */
unsigned int rdma_room(const struct rdma_qp *qp);
/* Receive requests that still fit. */
unsigned int rdma_recv_room(const struct rdma_qp *qp);
/* Post, ring, wait until nothing is due. */
void rdma_do(struct rdma_qp *qp, const struct rdma_wr *wr);

void rdma_post_recv(struct rdma_qp *qp, const struct cairn_sge *sge, unsigned int n);
void rdma_post_recv_expect(struct rdma_qp *qp, const struct cairn_sge *sge, unsigned int n,
			   enum cairn_wc_status expect, enum cairn_vendor_err vendor);
void rdma_ring_recv(struct rdma_qp *qp);

/* Take and judge all completions that are there; how many. */
unsigned int rdma_poll(struct rdma *r);
/* Outcomes still to come: of signalled and failing requests, of messages to arrive, of flushes. */
unsigned int rdma_due(const struct rdma *r);
/* Of which QPs, for a message. */
void rdma_print_due(const struct rdma *r);
/*
 * Run until at most `left` are due.  An unsignalled success shows with a later completion of its
 * queue, so the last request of a test is signalled.
 */
void rdma_wait_due(struct rdma *r, unsigned int left);
void rdma_wait(struct rdma *r);
/* Run the clock; completions stay where they are. */
void rdma_run(struct rdma *r, uint64_t cycles);
/* Run until the NICs are quiet but for deadlines, at most `cycles`. */
void rdma_settle(struct rdma *r, uint64_t cycles);
/* Until what firmware says of addresses just set has left: it waits for commands to end. */
void rdma_announced(struct rdma *r);
/* Wait for the next completion of the CQ without judging it; the caller consumes it. */
const struct cairn_cqe *rdma_raw_cqe(struct rdma_cq *cq);

/*
 * Captures (rdma_trace.c), for rdma.c.  The file to record in: `asked` or $PCAP, NULL when that is
 * empty, else one of the test program's own, which rdma_trace_end() has judged and removes.
 */
const char *rdma_trace_begin(const char *asked);
void rdma_trace_end(bool judge);
int rdma_trace_findings(void); /* captures that broke rules */

/* Fields of a completion that must be zero, for rdma_wr.c (rdma_cqe.c). */
void rdma_cqe_check(struct rdma_qp *qp, const struct cairn_cqe *cqe);

/* Of the ledger, for rdma.c. */
void rdma_ledger_init(struct rdma_qp *qp);
void rdma_ledger_free(struct rdma_qp *qp);
void rdma_counters_begin(struct rdma *r);
void rdma_counters_gone(struct rdma_qp *qp);
void rdma_counters_new(struct rdma_qp *qp);
void rdma_counters_check(struct rdma *r);
/* Forget what was posted: its outcomes are the test's own business. */
void rdma_ledger_drop(struct rdma_qp *qp);
/* [va, va + len) of a key, in memory; NULL when it is no buffer's. */
uint8_t *rdma_find(struct rdma *r, unsigned int nic, uint32_t key, uint64_t va, size_t len,
		   struct rdma_buf **buf);

#endif
