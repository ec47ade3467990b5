/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root complex of one simulated NIC: the host's end of its PCIe link, clocked with the core.
 *
 *   core tlp_tx --> link model --> posted writes --> sim_mem (in order)
 *                                  reads         --> sim_mem --> completions --+
 *   core tlp_rx <-- link model <-- BAR writes and reads, completions <--------+
 *
 * What it keeps:
 *   - each direction carries rate bytes per ns; a TLP costs payload + overhead;
 *   - posted writes reach memory in the order of acceptance, half a round trip after it.  Only one
 *     marked "relaxed ordering" may overtake an earlier one (relax_pct);
 *   - a read is sampled after all posted writes that were accepted before it, otherwise at any
 *     moment up to its completion (enum sim_pcie_sample): a core that forgot to wait for its own
 *     write is found out;
 *   - completions are split at the read completion boundary, at most MPS bytes each, in address
 *     order within a tag; those of different tags may overtake and interleave (reorder_pct,
 *     read_jitter_ns);
 *   - BAR writes are delivered in order and before anything else; neither BAR reads nor
 *     completions pass them, while they pass blocked BAR reads;
 *   - interrupts are writes into the window SIM_PCIE_IRQ_BASE, as programmed into the core's MSI-X
 *     table.
 * All of it follows one seed.
 *
 * Each clock cycle:  sim_pcie_pre(p, now) sets the core's inputs, the model settles with the clock
 * low, sim_pcie_post(p) looks at what the rising edge will see, then the edge.  Call neither in
 * reset.
 */
#ifndef CAIRN_SIM_PCIE_H
#define CAIRN_SIM_PCIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim_dut.h"
#include "sim_mem.h"
#include "sim_tlpmon.h"

/* Vector v interrupts by writing v to SIM_PCIE_IRQ_BASE + 4 v.  The whole MiB is closed to DMA. */
#define SIM_PCIE_IRQ_BASE	0xfee00000ull
#define SIM_PCIE_IRQ_WINDOW	0x100000ull
#define SIM_PCIE_NEVER		UINT64_MAX

struct sim_pcie;

/*
 * Storage of the core's ports, little-endian as Verilator keeps them (sim_dut.h).  Names as in
 * rtl/cairn_nic.sv without suffix; `in` and `out` as the core sees them.
 */
struct sim_pcie_ports {
	unsigned int data_w;		/* 64, 128, 256, 512 */
	/* in */
	uint8_t *rx_valid, *rx_sop, *rx_last, *rx_hdr, *rx_bar, *rx_data;
	uint8_t *tx_ready, *credit;
	uint8_t *bme, *mps, *mrrs, *reqid, *ext_tag, *relaxed, *msix_en, *msix_fmask, *flr;
	/* out */
	const uint8_t *rx_ready;
	const uint8_t *tx_valid, *tx_sop, *tx_last, *tx_hdr, *tx_data;
	const uint8_t *flr_done;
};

/* Find them in a Verilated cairn_nic.  0, or -ENOENT with the missing port's name in *missing. */
int sim_pcie_ports_find(struct sim_pcie_ports *ports, const struct sim_dut_ops *ops,
			struct sim_dut *dut, const char **missing);

enum sim_pcie_split {
	SIM_SPLIT_MPS,		/* as large as MPS allows, ends on MPS boundaries */
	SIM_SPLIT_RCB,		/* a completion for each read completion boundary */
	SIM_SPLIT_RANDOM,	/* ends at any read completion boundary */
};

enum sim_pcie_sample {
	SIM_SAMPLE_EARLY,	/* as soon as the writes accepted before the read are in memory */
	SIM_SAMPLE_LATE,	/* each piece when its completion leaves */
	SIM_SAMPLE_RANDOM,	/* one or the other for each read */
};

/* Fill with sim_pcie_cfg_default(), then change.  Percentages are per event, 0 to 100. */
struct sim_pcie_cfg {
	const char *name;		/* for messages; "nic0" */
	unsigned int clk_ns;		/* clock period */
	uint64_t seed;
	/* link */
	unsigned int up_rate, down_rate;	/* bytes per us, from and to the device */
	unsigned int overhead;		/* bytes added to each TLP's payload */
	unsigned int buffer;		/* bytes that a full link still takes before ready drops */
	unsigned int read_rtt_ns; /* from the request's first beat to the first completion beat */
	unsigned int read_jitter_ns;	/* added to each read, 0 to this */
	unsigned int posted_jitter_ns;	/* added to each posted write's way to memory */
	/* PCIe parameters */
	unsigned int mps, mrrs;		/* bytes, as the host's firmware leaves them in DEVCTL */
	bool no_ext_tag, no_relaxed;	/* likewise: tags below 32, nothing overtakes */
	unsigned int rcb;		/* 64 or 128 */
	unsigned int n_tags;		/* up to 1024 */
	unsigned int posted_credits;	/* TLPs buffered before credit is withheld */
	unsigned int nonposted_credits;
	uint16_t reqid;			/* bus, device, function */
	/* freedom */
	enum sim_pcie_split split;
	enum sim_pcie_sample sample;
	unsigned int reorder_pct;	/* serve another ready read than the oldest */
	unsigned int relax_pct;		/* a relaxed write overtakes its predecessor */
	unsigned int stall_pct;		/* cycles with tlp_tx_ready low */
	unsigned int gap_pct; /* cycles with tlp_rx_valid low though there is something to send */
	unsigned int starve_pct;	/* of 1 us windows in which a credit class is withheld */
	/* limits */
	unsigned int bar_timeout_us;	/* BAR read */
	unsigned int flr_timeout_ms;
	unsigned int bme_grace_cycles;	/* after bus master is off TLPs may still start */
	unsigned int log_entries;	/* TLPs remembered for sim_pcie_dump_log(); 0: none */
	void (*report)(void *arg, const char *text);	/* monitor messages; NULL: stderr */
	void *report_arg;
};

/*
 * The link of make bench's measurements: data_w / 8 bytes a cycle each way, 600 ns, no freedom
 * used.
 */
void sim_pcie_cfg_default(struct sim_pcie_cfg *cfg, unsigned int data_w, unsigned int clk_ns);
/* All freedom used, for tests. */
void sim_pcie_cfg_stress(struct sim_pcie_cfg *cfg, unsigned int data_w, unsigned int clk_ns);
/*
 * Change it by words, separated by commas (docs/simulator.md): "no-ext-tag,rtt-ns=200".  False with
 * the unknown word in `wrong`.
 */
bool sim_pcie_cfg_host(struct sim_pcie_cfg *cfg, const char *text, char *wrong, size_t size);

/* NULL with errno set: EINVAL (what is wrong goes to cfg->report or stderr) or ENOMEM. */
struct sim_pcie *sim_pcie_new(const struct sim_pcie_cfg *cfg, const struct sim_pcie_ports *ports,
			      struct sim_mem *mem);
void sim_pcie_free(struct sim_pcie *p);
/* Of what is accepted from now on; sim_pcie_idle() first, else a write may overtake. */
void sim_pcie_set_rtt(struct sim_pcie *p, unsigned int read_rtt_ns);

/* ---- clocking ---- */

void sim_pcie_pre(struct sim_pcie *p, uint64_t now_ns);
void sim_pcie_post(struct sim_pcie *p);
/*
 * The time now, for a core that is not clocked at present: call before the host's calls below,
 * whose time limits count from it.
 */
void sim_pcie_time(struct sim_pcie *p, uint64_t now_ns);

/*
 * Nothing moves here until the core or the host starts something, or sim_pcie_next_event() comes.
 */
bool sim_pcie_idle(const struct sim_pcie *p);
uint64_t sim_pcie_next_event(const struct sim_pcie *p);	/* ns; SIM_PCIE_NEVER */

/*
 * A message to the client is unanswered: stop all clocks and serve the sockets until this is false.
 * False as well while the client waits for a BAR read or a reset, which it must get before it can
 * answer.
 */
bool sim_pcie_stalled(const struct sim_pcie *p);

/* ---- host side: BARs, configuration space, reset, interrupts ---- */

/*
 * A BAR read: fill the first part, keep the object until done.  Split into reads of at most 8
 * bytes, naturally aligned, one after the other.
 */
struct sim_pcie_read {
	unsigned int bar;
	uint64_t off;
	uint32_t size;		/* 1 .. 4096 */
	void *buf;
	void (*done)(struct sim_pcie_read *r);	/* may be NULL: poll status */
	void *arg;
	/* -EINPROGRESS, 0, -EIO (UR, CA, poison, reset; bytes are 0xff), -ETIMEDOUT (likewise) */
	int status;
	/* private */
	uint32_t pos, step;
	struct sim_pcie_read *next;
	uint8_t tag;
	bool sent;
};

/* Both return 0 when queued, -EINVAL (no such bytes), -EIO (memory space disabled or D3hot). */
int sim_pcie_mmio_read(struct sim_pcie *p, struct sim_pcie_read *r);
/*
 * Posted.  An aligned 64-byte piece is one TLP (push window); everything else is cut into naturally
 * aligned pieces of at most 8 bytes, so that a 64-bit store stays one TLP.
 */
int sim_pcie_mmio_write(struct sim_pcie *p, unsigned int bar, uint64_t off, const void *buf,
			uint32_t size);
/* The reader goes away: done() will not be called. */
void sim_pcie_mmio_cancel(struct sim_pcie *p, struct sim_pcie_read *r);
/*
 * BAR writes and reads not yet on the link: stop taking more from the client above some thousand.
 */
unsigned int sim_pcie_backlog(const struct sim_pcie *p);

/* Configuration space; 0 or -EINVAL.  Writing DEVCTL.FLR starts a reset as sim_pcie_flr(). */
int sim_pcie_cfg_read(struct sim_pcie *p, uint32_t off, void *buf, uint32_t len);
int sim_pcie_cfg_write(struct sim_pcie *p, uint32_t off, const void *buf, uint32_t len);

/*
 * Function level reset.  BAR accesses queued so far are dropped (reads end with -EIO), later ones
 * wait for the end of the reset.  done(arg, 0 or -ETIMEDOUT) is called from sim_pcie_post() or
 * _pre().  A reset requested during another one joins it.  -EBUSY with more than 8 waiting.
 */
int sim_pcie_flr(struct sim_pcie *p, void (*done)(void *arg, int status), void *arg);
bool sim_pcie_in_flr(const struct sim_pcie *p);

/*
 * Interrupts: program vectors [start, start + count) of the core's MSI-X table through BAR0, with
 * the window's addresses and unmasked, or mask them.  MSI-X counts as enabled in the core while any
 * vector is.  What the core sends for a vector that is off is kept and fires when it is turned on.
 * The table is programmed again after a reset.  0 or -EINVAL.  fn is called when an enabled vector
 * fires: from sim_pcie_pre(), sim_pcie_settle() or sim_pcie_irq_enable(), when the message reaches
 * memory in its order.
 */
typedef void (*sim_pcie_irq_fn)(void *arg, unsigned int vector);
void sim_pcie_set_irq(struct sim_pcie *p, sim_pcie_irq_fn fn, void *arg);
int sim_pcie_irq_enable(struct sim_pcie *p, unsigned int start, unsigned int count);
int sim_pcie_irq_disable(struct sim_pcie *p, unsigned int start, unsigned int count);
/* Forget pending interrupts (a new client). */
void sim_pcie_irq_clear(struct sim_pcie *p);

/*
 * All accepted writes go to memory and all reads that may are sampled, now.  Before maps are
 * removed: what was in flight has ended.
 */
void sim_pcie_settle(struct sim_pcie *p);

/* ---- faults ---- */

enum sim_pcie_fault {
	SIM_FAULT_UR,		/* completion "unsupported request" */
	SIM_FAULT_CA,		/* "completer abort" */
	SIM_FAULT_POISON,	/* data with EP set */
	SIM_FAULT_DROP,		/* no completion: the core's timeout */
	SIM_FAULT_ONES,		/* good status, all bits one */
	SIM_FAULT_LATE,		/* completion delayed by `delay_ns` */
};

struct sim_pcie_fault_rule {
	enum sim_pcie_fault fault;
	uint64_t first, last;		/* reads that touch this address range */
	unsigned int skip;		/* let so many matching reads pass first */
	unsigned int count;		/* then hit so many; 0: all */
	unsigned int percent;		/* of those; 0 counts as 100 */
	unsigned int piece;		/* index of the first completion piece that is hit */
	uint64_t delay_ns;
	/* result */
	uint64_t hits;
};

/* Up to 16 rules, the first that matches counts.  Returns the rule's index, or -ENOSPC. */
int sim_pcie_fault_add(struct sim_pcie *p, const struct sim_pcie_fault_rule *rule);
uint64_t sim_pcie_fault_hits(const struct sim_pcie *p, int index);
void sim_pcie_fault_clear(struct sim_pcie *p);
/* Send a completion that was not asked for. */
void sim_pcie_stray_completion(struct sim_pcie *p, unsigned int tag, unsigned int len_dw);
/* Withhold credits of classes (bit 0 posted, 1 non-posted, 2 completion) until `until_ns`. */
void sim_pcie_hold_credits(struct sim_pcie *p, unsigned int classes, uint64_t until_ns);

/* ---- results ---- */

struct sim_pcie_stats {
	uint64_t wr_tlps, wr_bytes, rd_tlps, rd_bytes;		/* device's memory requests */
	uint64_t cpl_tlps, cpl_bytes;				/* completions to the device */
	uint64_t bar_wr_tlps, bar_wr_bytes, bar_rd_tlps;
	uint64_t irqs, irqs_kept;
	uint64_t up_busy_ns, down_busy_ns;			/* link occupied */
	uint64_t tx_wait_cycles;				/* valid without ready */
	uint64_t faults, dma_errors;				/* injected; unmapped or no right */
	uint64_t bar_dropped; /* BAR writes with memory space off */
	uint64_t flrs;
};
const struct sim_pcie_stats *sim_pcie_stats(const struct sim_pcie *p);

/* Unexpected monitor violations so far; a test ends with 0. */
uint64_t sim_pcie_violations(const struct sim_pcie *p);
uint64_t sim_pcie_violation_count(const struct sim_pcie *p, enum sim_tlp_rule rule);
/* A negative test: from now on this rule's violations are counted as expected and not printed. */
void sim_pcie_expect(struct sim_pcie *p, enum sim_tlp_rule rule, bool expected);
uint64_t sim_pcie_expected_count(const struct sim_pcie *p, enum sim_tlp_rule rule);

/* The last TLPs of both directions, one per line. */
void sim_pcie_dump_log(const struct sim_pcie *p, FILE *out);
/* Also write every TLP to `out` as it passes; NULL ends it. */
void sim_pcie_trace(struct sim_pcie *p, FILE *out);

#endif
