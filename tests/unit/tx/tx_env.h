/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What surrounds tx_path in its tests: jobs with random payload segments, a host memory that
 * answers reads late, in pieces and in any order, the completer's epochs, and firmware's raw
 * buffer.
 */
#ifndef CAIRN_TX_ENV_H
#define CAIRN_TX_ENV_H

#include "roce_frame.h"
#include "vtb_rec.h"

#define TX_KIND_REQ 0
#define TX_KIND_RSP 1
#define TX_KIND_ACK 2
#define TX_KIND_CNP 3
#define TX_KIND_RAW 4
#define TX_KINDS 5
#define TX_SLOTS 64

struct tx_job {
	unsigned int kind;
	struct roce_frame f;
	uint8_t pay[4096];
	uint32_t qpn, slot, gen, send_epoch, id;
	bool retx, epoch;
	unsigned int segs; /* payload segments, 0: chosen at random */
	unsigned int inl;  /* percent of segments that are inline */
	unsigned int fail; /* percent of reads that fail */
	/* outcome */
	bool failed;  /* a read of it failed */
	bool dropped; /* expected not to be sent */
	bool maybe;   /* sent or not */
	struct tx_job *next;
};

/* A host read under way. */
struct tx_read {
	uint64_t iova;
	unsigned int tag, len, given, wait;
	bool fail;
	/* pieces not delivered yet: bytes at..end */
	struct {
		unsigned int at, end;
	} piece[16];
	unsigned int pieces;
	struct tx_read *next;
};

struct tx_env {
	struct vtb *tb;
	struct vtb_stream *job[TX_KINDS], *seg[2], *inl, *rd, *mac, *err[2];
	unsigned int beat;
	uint8_t gid[16][16];
	/* host */
	struct tx_read *reads;
	unsigned int n_reads, max_reads, idle_percent, latency;
	bool in_order;
	uint8_t mem[1 << 16];
	/* QPs of the jobs: what may leave of them, and what tx_path has been told of it */
	struct {
		uint32_t qpn, gen;
		uint8_t epoch;
		bool closed;
	} slot[TX_SLOTS];
	uint32_t told[TX_SLOTS]; /* {told at all, closed, generation, epoch} */
	/* raw */
	uint8_t raw[2048];
	unsigned int raw_len;
	bool raw_read;
	unsigned int raw_addr;
	/* expected, in order, by kind */
	struct tx_job *want[TX_KINDS], **want_tail[TX_KINDS];
	uint32_t next_id;
	int last_ip_id;
	uint64_t frames, bytes, cnt_packet, cnt_bytes, cnt_ack, cnt_cnp, cnt_read_rsp;
	uint64_t cnt_atomic_rsp, cnt_retx, cnt_stale, cnt_rsp_dropped;
	uint64_t sent[TX_KINDS], missing; /* of those that may be missing */
	/* what tx_sent tells of UC and UD packets; NULL: not looked at */
	struct vtb_stream *report;
	uint64_t report_want[4096];
	unsigned int reports, reported;
};

extern struct tx_env env;

void env_begin(void);
/* ... and the MAC side, which pauses in mac_pause percent of the cycles; 40: reports are rarely
 * taken. */
void env_open(unsigned int mac_pause);
/* A random job of this kind and opcode with pay_len bytes; change it, then send it. */
struct tx_job *env_job(unsigned int kind, uint8_t opcode, size_t pay_len);
void env_send(struct tx_job *job);
void env_send_raw(size_t len);
/* Check the frames that have come out. */
void env_check(void);
/* The frames of UC and UD requests must have been reported, in order; `pause` as vtb_stream's. */
void env_reports(unsigned int pause);
/* Wait for all that is expected; nothing may be left inside. */
void env_drain(uint64_t cycles);
void env_end(void);
/* Compare one frame with a job. */
void env_compare(const struct vtb_packet *p, struct tx_job *job);
uint8_t env_opcode(unsigned int kind);
size_t env_pay_len(uint8_t opcode, size_t max);

#endif
