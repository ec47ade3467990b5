/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Around qp_lookup: packets with known fate, a model of the context cache (slots, pins, fills,
 * other users that evict), engines that take packets and give them back.
 */
#ifndef LOOKUP_WORLD_H
#define LOOKUP_WORLD_H

#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "int_records.h"
#include "vtb.h"

#ifdef ON_CHIP /* every record has its slot: none is looked for */
#define SLOTS 64
#else
#define SLOTS 16
#endif
#define INFLIGHT 32
#define SHARE 40 /* cells: a quarter of CELLS */
#define KEYS 48	 /* records; numbers from here on do not exist */
#define PACKETS 4096

enum fate { PASS, BAD_QPN, STATE, ADDR, PKEY, QKEY, CNP, CTX_ERROR, NO_BUFFER, MCAST, FATES };

struct packet {
	uint8_t meta[VTB_META_BYTES];
	uint32_t qpn;
	unsigned int cells;
	enum fate fate;
	bool inside; /* taken, not yet out or dropped */
};

struct slot {
	int key; /* -1 none */
	bool filling;
	unsigned int pins, status;
	uint64_t filled; /* cycle at which the fill ends */
};

struct held {
	uint64_t until;
	unsigned int slot;
	bool used, packet; /* a packet's pin, else another user's */
};

struct world {
	struct vtb *tb;
	struct vtb_stream *rx, *out, *freed;
	struct rng rng;
	uint8_t cfg[KEYS][64];
	unsigned int kind[KEYS]; /* enum ctx_result of its fill */
	unsigned int keys;	 /* in use */
	struct packet *pkt;
	unsigned int sent, passed, next_out[KEYS], dropped[FATES], expected[FATES], parked, stalls;
	unsigned int taken, gone; /* by qp_lookup; done and dropped */
	/* cache */
	struct slot slot[SLOTS];
	uint8_t ram[SLOTS][64];
	struct held held[128];
	bool s1_valid, s1_other, a_valid;
	uint32_t s1_key;
	unsigned int s1_hold, a_status, a_slot, cfg_slot;
	int strobe; /* slot whose strobe comes in the next cycle, -1 none */
	/* percent, cycles */
	unsigned int others, retry, latency, work, ready, stall;
	uint64_t stall_end;
	bool hold_fills, hold_done, count_out;
	void (*tweak)(struct world *w, uint8_t *meta); /* changes a packet before it is sent */
};

struct world *world_create(void);
void world_destroy(struct world *w); /* all is gone and counted */
/* Queue one packet. good: it passes if the record is right. */
struct packet *world_send(struct world *w, uint32_t qpn, bool good, unsigned int cells);
unsigned int world_random_kind(struct world *w);
enum fate world_fate(struct world *w, const uint8_t *meta);
void meta_set(uint8_t *meta, unsigned int field, uint64_t value);
uint64_t meta_get(const uint8_t *meta, unsigned int field);
/* Make the record present. */
void world_cache(struct world *w, unsigned int slot, unsigned int key);

#endif
