/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench of wqe_fetch: host memory that answers its reads in any order, its two lookup and two fetch
 * ports, its kicks. Addresses are MEM_BASE plus 64 bytes a block.
 */
#ifndef WQE_BENCH_H
#define WQE_BENCH_H

#include "int_records.h"
#include "vtb.h"

#define GROUPS (4 * SETS)
#define MEM_BASE 0x7123456780ull
#define MEM_BLOCKS (1u << 16)
#define RD_CLIENT_WQE 1

struct block_key {
	uint32_t qpn;
	uint8_t gen;
	uint16_t index;
};

struct ring {
	uint32_t qpn;
	uint8_t gen;
	unsigned int log2, first; /* blocks; block of memory */
};

struct host_read {
	bool used, fail, shuffled;
	unsigned int block, n, tag; /* blocks of memory */
	unsigned int fail_after, sent;
	uint64_t done, due; /* beats delivered */
};

struct lookup {
	bool hit, err;
	uint8_t data[64];
};

struct wqe_bench {
	struct vtb *tb;
	struct vtb_stream *rd;
	struct rng rng; /* the bench's own choices */
	uint8_t (*mem)[64];
	struct host_read read[GROUPS];
	unsigned int data_bytes, part_bytes, ahead;
	uint16_t posted[256]; /* producer index of the requester's last fetch, by QPN */
	unsigned int latency, fail, beat_pause, noise, kick_pause; /* cycles, then percent */
	bool hold;						   /* no answer now */
	unsigned int reads, issues, unasked, kicks[2];
	uint32_t kick_qpn[2]; /* last one taken */
	bool kick_shown[2];
	unsigned int ft_ready; /* of the last cycle */
	bool ft_retry;
	bool pushed_ready, pushed_taken;
	/* user's: a read was asked for; it is over */
	void (*on_read)(struct wqe_bench *b, struct host_read *r);
	void (*on_done)(struct wqe_bench *b, struct host_read *r);
	void (*on_kick)(struct wqe_bench *b, unsigned int port, uint32_t qpn);
};

struct wqe_bench *wqe_bench_create(void);
void wqe_bench_destroy(struct wqe_bench *b);

/* Write a block as the host does: check word {index, QPN}, the rest random. */
void wqe_post(struct wqe_bench *b, const struct ring *r, uint16_t index);
uint8_t *wqe_block(struct wqe_bench *b, const struct ring *r, uint16_t index);

/*
 * Present a lookup; its answer is seen after the next tick. Where the data path is narrow it brings
 * the block's first part only: wqe_same compares what is there.
 */
void wqe_look_set(struct wqe_bench *b, unsigned int port, bool valid, struct block_key k);
struct lookup wqe_look_get(struct wqe_bench *b, unsigned int port);
/* Both, a cycle for each part; the verdict is that of the first. */
struct lookup wqe_look(struct wqe_bench *b, unsigned int port, struct block_key k);
bool wqe_same(struct wqe_bench *b, const struct lookup *l, const uint8_t *block);
void wqe_fetch_set(struct wqe_bench *b, unsigned int port, const struct ring *r, uint16_t index,
		   uint16_t limit);
void wqe_fetch_clear(struct wqe_bench *b, unsigned int port);
/* One fetch; true: retry. */
bool wqe_fetch(struct wqe_bench *b, unsigned int port, const struct ring *r, uint16_t index,
	       uint16_t limit);
/* Blocks that a fetch may bring. */
unsigned int wqe_span(const struct ring *r, uint16_t index, uint16_t limit);
struct block_key wqe_key(const struct ring *r, uint16_t index);

/* A ring of that QP, of a life of its own. */
struct ring wqe_ring(uint32_t qpn, unsigned int log2, unsigned int first);
/* Blocks from, from + 1 and so on. */
void wqe_posts(struct wqe_bench *b, const struct ring *r, uint16_t from, unsigned int n);
/* A lookup that must find the block as it was posted, or must not. */
void wqe_hits(struct wqe_bench *b, unsigned int port, const struct ring *r, uint16_t index);
void wqe_misses(struct wqe_bench *b, unsigned int port, struct block_key k);

#endif
