/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of a root complex, shared by the sim_pcie*.c files only:
 *   sim_pcie.c        creation, the clock, port driving, credits
 *   sim_pcie_up.c     what the core sends: beats to TLPs, checks, writes to memory, reads accepted
 *   sim_pcie_down.c   what the core receives: completions, BAR requests, link schedule
 *   sim_pcie_host.c   BAR accesses and their completions, configuration space, function reset
 *   sim_pcie_irq.c    MSI-X table entries and interrupt messages
 *   sim_pcie_fault.c  injected faults, TLP log
 *   sim_pcie_base.c   what these have in common
 */
#ifndef CAIRN_SIM_PCIE_PRIV_H
#define CAIRN_SIM_PCIE_PRIV_H

#include "sim_cfgspace.h"
#include "sim_pcie.h"
#include "sim_rand.h"
#include "sim_tlp.h"

/* Link time is in 1/1024 ns ("fp"), so that fractions of a cycle add up exactly. */
#define FP_SHIFT	10

#define TLP_MAX		4096	/* bytes of payload */
#define BEAT_MAX	64
#define MAX_TAGS	1024
#define HOST_TAGS 8 /* BAR reads outstanding at most; the core promises to take as many */
#define PUSH_BYTES	64
#define MAX_FAULTS	16
#define MAX_FLR_WAITERS	8
/* Cycles of a reset during which the clock must run; then only its time limit is left. */
#define FLR_BUSY_CYCLES	4096
/* A message that left before masking took effect may still arrive this much later, ns. */
#define IRQ_GRACE_NS	4000

enum { CREDIT_P = 1, CREDIT_NP = 2, CREDIT_CPL = 4, CREDIT_ALL = 7 };

/* A write on its way to memory.  With holes in the byte enables each run of bytes is one. */
struct posted {
	struct posted *next;
	uint64_t due;			/* fp */
	uint64_t addr;			/* of data[off] */
	uint32_t off, len;
	int vector;			/* interrupt message, or -1 */
	struct sim_mem_io io;
	uint8_t data[TLP_MAX + BEAT_MAX];
};

/* A read of the core, by tag. */
struct rdreq {
	struct rdreq *next;		/* in order of acceptance, until it has arrived */
	struct sim_pcie *p;
	bool busy;			/* the tag is in use */
	bool late;			/* sampled piece by piece */
	bool ordered;			/* earlier writes are in memory */
	bool pending;			/* memory access under way */
	bool refused;			/* bus master off: answered UR */
	int error;			/* of the memory access */
	int fault;			/* index of the rule that hit, or -1 */
	uint16_t tag;
	uint64_t addr;			/* DW-aligned */
	uint32_t first, bytes;		/* enabled bytes from addr; bytes 0: flush read */
	uint64_t after;			/* writes accepted before it */
	uint64_t arrive, ready;		/* fp */
	uint32_t have, sent, piece; /* bytes sampled, completed, in the next completion (0: open) */
	unsigned int pieces;
	struct sim_mem_io io;
	uint8_t *data;			/* data[0] belongs to addr */
};

struct heap_entry {
	uint64_t t;
	uint16_t tag;
};

enum rx_kind { RX_CPL, RX_WRITE, RX_READ, RX_STRAY };

/* The TLP that is being handed to the core. */
struct rx_tlp {
	bool active;
	bool shown; /* the current beat is valid on the ports and not yet taken */
	enum rx_kind kind;
	uint32_t dw[4];
	const uint8_t *data;
	uint32_t bytes, beat, beats;
	uint8_t bar;
	struct rdreq *rd;		/* RX_CPL */
	bool final;			/* last completion of rd */
	uint64_t off;			/* RX_WRITE: in the BAR */
};

/* A BAR write in the queue. */
struct hwrite {
	uint64_t off;
	uint8_t bar, size;
	uint8_t data[PUSH_BYTES];
};

/* A BAR read on the link or answered. */
struct hread {
	struct sim_pcie_read *r;	/* NULL: abandoned, the tag waits for its completion */
	bool used, answered;
	uint8_t tag;
	int status;
	uint32_t step;
	uint64_t addr;			/* first byte, for the checks of the completion */
	uint64_t after, due, deadline;	/* due in fp, deadline in ns */
	uint8_t data[8];
};

struct flr_waiter {
	void (*fn)(void *arg, int status);
	void *arg;
};

struct msix_entry {
	uint64_t addr;
	uint32_t data, ctrl;
	uint64_t changed;		/* ns */
};

struct log_entry {
	uint64_t t;
	uint32_t dw[4];
	bool up;
	uint8_t bar;
};

struct sim_pcie {
	struct sim_pcie_cfg cfg;
	char name[32];
	struct sim_pcie_ports io;
	struct sim_mem *mem;
	struct sim_rand rand;		/* of all legal freedom */
	unsigned int bw;		/* bytes of a beat */
	uint64_t now, now_fp, clk_fp;
	uint64_t up_slack, half_rtt;	/* fp */

	/* up */
	uint64_t up_free;		/* the link from the core is occupied until then */
	bool tx_ready;			/* as driven in this cycle */
	bool rest;			/* all ports rest */
	uint8_t credit, credit_prev;
	struct {
		bool in_tlp, seen, held, skip, bad;
		struct sim_tlp_hdr h;
		uint32_t beat, beats;
		uint64_t start;			/* fp, when the link took it */
		struct posted *slot;
		bool refused;		/* bus master off and no grace left */
		uint8_t payload[BEAT_MAX];	/* of completions */
		uint8_t hold_hdr[16], hold_data[BEAT_MAX];
		uint8_t hold_flags;
	} tx;
	struct posted *pool;
	void *chunks;			/* allocations behind pool, linked */
	struct posted *w_head, **w_tail, *w_now;	/* w_now: message under way */
	struct posted **w_lastlink;	/* the link to the newest in the queue */
	uint64_t w_accepted, w_applied, w_queued;
	uint64_t r_barrier;		/* w_accepted at the newest read: no write may cross it */
	unsigned int mem_pending;

	/* reads */
	struct rdreq *rd;		/* by tag */
	uint8_t *rd_data;
	struct rdreq *a_head, **a_tail;	/* not arrived */
	unsigned int a_n;
	struct heap_entry *heap;
	unsigned int heap_n;
	uint16_t *ready;		/* tags whose completion may be sent, oldest first */
	unsigned int ready_n, rd_n;

	/* down */
	uint64_t down_free;
	struct rx_tlp rx;
	uint8_t rx_buf[TLP_MAX + BEAT_MAX];
	bool rx_clear;			/* valid is low on the ports */
	bool bar_turn;			/* BAR reads and completions take turns */
	struct hwrite *hw;		/* ring */
	uint32_t hw_cap, hw_head, hw_n;
	struct sim_pcie_read *hr_head, **hr_tail;
	unsigned int hr_n;
	struct hread hread[HOST_TAGS];
	unsigned int hread_n, host_seq;
	struct {
		unsigned int tag, len_dw;
		bool armed;
	} stray;

	/* function */
	struct sim_cfgspace space;
	bool cfg_dirty;
	bool bme, msix_en;
	uint64_t bme_off_at, msix_off_at;
	unsigned int mps, mrrs, mps_was, mrrs_was;	/* bytes; _was until limit_until */
	bool relaxed, ext_tag, relaxed_was, ext_tag_was;
	uint64_t limit_until;
	unsigned int flr_state;		/* 0 none, 1 asserted, 2 waiting for done to fall */
	unsigned int flr_cycles;
	uint64_t flr_deadline;
	bool quiet;			/* reset done and bus master not enabled since */
	struct flr_waiter flr_wait[MAX_FLR_WAITERS];
	unsigned int flr_waiters;
	struct msix_entry msix[CAIRN_MSIX_VECTORS];
	uint32_t irq_on, irq_pending;	/* bit per vector */
	sim_pcie_irq_fn irq;
	void *irq_arg;

	/* faults and records */
	struct sim_pcie_fault_rule faults[MAX_FAULTS];
	unsigned int fault_seen[MAX_FAULTS], n_faults;
	unsigned int hold_classes;
	uint64_t hold_until;
	struct sim_tlpmon mon;
	struct sim_pcie_stats stats;
	uint64_t up_busy_fp, down_busy_fp;
	struct log_entry *log;
	uint64_t log_n;
	FILE *trace;
};

/* Percent of calls; draws nothing at 0. */
static inline bool pcie_chance(struct sim_pcie *p, unsigned int percent)
{
	return percent && sim_rand_below(&p->rand, 100) < percent;
}

static inline uint64_t pcie_cost(uint32_t bytes, unsigned int rate)
{
	return ((uint64_t)bytes * (1000u << FP_SHIFT)) / rate;
}

/* sim_pcie_base.c */
/* reads by the time of their first completion */
void pcie_heap_push(struct sim_pcie *p, uint64_t t, uint16_t tag);
uint16_t pcie_heap_pop(struct sim_pcie *p);
/* The largest naturally aligned power of two, at most 8, or a whole push window. */
uint32_t pcie_step(uint64_t off, uint32_t left, bool write);
/* Without looking at memory enable: the shim's own writes use it too. */
int pcie_write_queue(struct sim_pcie *p, unsigned int bar, uint64_t off, const void *buf,
		     uint32_t size);
void pcie_cfg_update(struct sim_pcie *p);

/* sim_pcie_up.c */
void pcie_up_post(struct sim_pcie *p);
bool pcie_pool_grow(struct sim_pcie *p);
void pcie_posted_run(struct sim_pcie *p);
void pcie_arrive_run(struct sim_pcie *p);
void pcie_sample(struct sim_pcie *p, struct rdreq *r, uint32_t upto);

/* sim_pcie_down.c */
void pcie_ready_run(struct sim_pcie *p);
void pcie_down_pre(struct sim_pcie *p);
void pcie_down_post(struct sim_pcie *p);

/* sim_pcie_host.c */
void pcie_host_run(struct sim_pcie *p);
void pcie_host_answer(struct sim_pcie *p, const struct sim_tlp_hdr *h, const uint8_t *data);
void pcie_flr_pre(struct sim_pcie *p);
void pcie_flr_post(struct sim_pcie *p);

/* sim_pcie_irq.c */
void pcie_irq_table_write(struct sim_pcie *p, uint64_t off, const uint8_t *data, uint32_t size);
int pcie_irq_match(struct sim_pcie *p, const struct sim_tlp_hdr *h, const uint8_t *data);
void pcie_irq_fire(struct sim_pcie *p, unsigned int vector);
void pcie_irq_reset(struct sim_pcie *p);

/* sim_pcie_fault.c */
int pcie_fault_match(struct sim_pcie *p, uint64_t addr, uint64_t bytes);
void pcie_log(struct sim_pcie *p, bool up, const uint32_t dw[4], unsigned int bar);

#endif
