/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world around the requester in its unit test: nine QPs (RC, UC, UD, GSI) with their rings and
 * context parts, the scheduler, the context cache, the MR service, host memory for WQEs, the
 * completer, tx_payload. It answers late and, as told, with misses and errors. Each packet is
 * compared with the message that its PSN belongs to (req_expect.c). One world a test, `w`;
 * world_start() makes it anew.
 */
#ifndef REQ_WORLD_H
#define REQ_WORLD_H

#include "vtb_rec.h"
#include "cairn_bits.h"
#include "cairn_hw.h"

#define QPS 9 /* RC but for these */
#define UC_QP 6
#define UD_QP 7
#define GSI_QP 8
#define GEN 5u /* of all QPs */
#define GIDS 16
#define RING_LOG2 6
#define RING (1u << RING_LOG2)
#define SLOT(q) ((q) + 3)
#define BASE(q) ((uint64_t)((q) + 1) << 16)
#define BAD_KEY 0xbadu /* refused by the MR service, with MR_VENDOR */
#define MR_VENDOR 18
#define CHUNK 64u /* READ_CHUNK of the bench: READs of many requests, that go-backs cut */

struct msg {
	unsigned int op, nsge, len, blocks, index;
	bool inl, fence, sol;
	uint32_t first, npsn, imm, rkey;
	uint64_t raddr;
	struct {
		uint64_t addr;
		uint32_t lkey, len;
	} sge[16];
	uint8_t data[224];
	/* atomic operands; local operations: length, page list */
	uint64_t swap, compare;
	uint32_t access;
	bool executed, answered; /* local operation */
	uint8_t vendor;		 /* its answer */
	/* datagram: path */
	uint64_t dmac;
	uint32_t dqpn, qkey, flow;
	uint16_t sport;
	uint8_t sgid, dgid[16], tclass, hop, sl;
};

struct qp {
	struct cairn_qp_cfg cfg;
	struct cairn_qp_req req;
	struct cairn_qp_cmp cmp;
	uint8_t ring[RING * 64];
	struct msg m[512];
	unsigned int n_msg, old_msg, made, mtu, max_rd, type;
	unsigned int rd_new, rd_done; /* READ requests and atomics sent, done */
	uint32_t placed; /* PSNs of the oldest message, a READ or atomic, whose data is there */
	/* messages sent, those that take no receive; done (MSN); credit limit less those */
	uint32_t started, free, msn, lsn;
	uint16_t pi;
	uint32_t end_psn, next; /* next: expected PSN of the next job */
	uint8_t epoch;
	uint32_t sent; /* one past the highest PSN of a job */
	enum { S_IDLE, S_QUEUED, S_BUSY, S_WANTED } st;
	bool err, cmp_kicked;
	int pins;
	unsigned int credits;
};

struct fetch {
	bool used, fail;
	unsigned int tag, len, sent;
	uint64_t iova, due;
};

struct world {
	struct vtb *tb;
	struct rng rng;
	struct qp q[QPS];
	unsigned int queue[64], q_head, q_tail;
	struct {
		unsigned int qpn;
		uint64_t due;
	} lk[64];
	unsigned int lk_head, lk_tail;
	struct {
		uint64_t due, i0, i1;
		unsigned int status, l0, l1;
	} mr[256];
	unsigned int mr_head, mr_tail;
	struct {
		struct msg *m;
		uint64_t due;
		unsigned int vendor;
	} change[8];
	unsigned int change_head, change_tail;
	struct {
		bool valid, ipv6, vlan;
		uint16_t vid;
	} gid[GIDS];
	uint64_t fill[64], lkfill[64];
	unsigned int n_fill, n_lkfill, lkfill_qpn[64];
	struct fetch f[16];
	/*
	 * What the test sets: percent of MR misses, of cycles without ready, of lookups and of WQE
	 * reads that fail; latency in cycles at most; whether the completer goes back.
	 */
	unsigned int miss, pause, lk_bad, read_fail, latency;
	bool gobacks;
	uint32_t gone; /* key that is refused from now on, 0 for none */
	unsigned int part_slot, cmp_slot, sq_qpn;
	unsigned int beat; /* bytes */
	struct rec_tx_job job; /* the newest */
	/* jobs whose segments have still to come, and inline segments whose bytes have */
	struct open_job {
		struct qp *q;
		struct msg *m;
		uint32_t off, left, pos;
	} job_open[4];
	struct {
		struct msg *m;
		unsigned int pos, len;
	} inl_open[8];
	unsigned int job_head, job_tail, inl_head, inl_tail;
	/* what was seen */
	uint64_t ackreqs;
	uint32_t ackreq_psn; /* of the last one */
	uint64_t jobs, retx, local_ops, ud_long, errs;
	uint64_t job_cycle[4096];
	uint32_t job_qpn[4096];
};

extern struct world w;

struct vtb *world_start(void);
/* All that was posted is acknowledged and retired. */
bool world_all_done(void);
/* A step of the completer: a QP chosen at random is acknowledged up to anywhere, or goes back. */
void world_completer(void);
/* All of QP `q` before PSN `una` is acknowledged. */
void world_ack(unsigned int q, uint32_t una);
/* Send again from `psn` on; what is before it is acknowledged. */
void world_go_back(unsigned int q, uint32_t psn);
/* Data of the oldest message, a READ or atomic that has been sent, is there: all, or a part. */
void world_place(unsigned int q);
/* Path MTU 128 << lg. */
void world_set_mtu(unsigned int q, unsigned int lg);
/* A QP wants to be scheduled. */
void world_kick(unsigned int q);

bool msg_is_local(const struct msg *m);
bool msg_is_nop(const struct msg *m);
bool msg_is_atomic(const struct msg *m);
bool msg_is_send(const struct msg *m);
/* A new message of QP `q`, with random immediate and remote address, to be filled in ... */
struct msg *world_new_msg(unsigned int q);
/* ... and written into the ring; the caller rings the doorbell ... */
void world_put_wqe(unsigned int q, struct msg *m);
/* ... or this does both. */
void world_post(unsigned int q, struct msg *m);
void world_random_msg(unsigned int q);

/* Where the MR service maps an address. */
uint64_t world_map(uint64_t va);
/* The message that a PSN belongs to, NULL if none. */
struct msg *world_at_psn(struct qp *p, uint32_t psn);
/* Difference of two PSNs. */
int32_t psn_diff(uint32_t a, uint32_t b);

/* req_expect.c: a job, a segment, a beat of inline bytes is taken in this cycle. */
void expect_job(struct vtb *tb);
void expect_seg(struct vtb *tb);
void expect_inline(struct vtb *tb);
/* A local operation is given to mr_update in this cycle: whose it is. */
struct msg *expect_local(struct vtb *tb);

#endif
