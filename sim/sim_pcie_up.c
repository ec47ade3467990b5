/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root complex, from the core: beats become TLPs, each is checked, writes go to memory in their
 * order, reads are accepted and sampled.  Ordering rules: PCI Express Base 2.4.1.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim_pcie_priv.h"

#define POOL_CHUNK	64
#define ATTR_RELAXED	2

enum { HOLD_SOP = 1, HOLD_LAST = 2 };

/* ---- writes on their way to memory ---- */

struct pool_chunk {
	void *next;
	struct posted slots[POOL_CHUNK];
};

bool pcie_pool_grow(struct sim_pcie *p)
{
	struct pool_chunk *c = malloc(sizeof(*c));

	if (!c)
		return false;
	c->next = p->chunks;
	p->chunks = c;
	for (unsigned int i = 0; i < POOL_CHUNK; i++) {
		c->slots[i].next = p->pool;
		p->pool = &c->slots[i];
	}
	return true;
}

static struct posted *slot_get(struct sim_pcie *p)
{
	struct posted *w = p->pool;

	if (!w && pcie_pool_grow(p))
		w = p->pool;
	if (w)
		p->pool = w->next;
	return w;
}

static void slot_put(struct sim_pcie *p, struct posted *w)
{
	w->next = p->pool;
	p->pool = w;
}

/* To the end of the queue; a relaxed write may go before the last one if no read lies between. */
static void posted_push(struct sim_pcie *p, struct posted *w, bool relaxed)
{
	uint64_t due = p->up_free > p->now_fp ? p->up_free : p->now_fp;

	due += p->half_rtt;
	if (p->cfg.posted_jitter_ns)
		due += sim_rand_below(&p->rand, (uint64_t)p->cfg.posted_jitter_ns << FP_SHIFT);
	w->due = due;	/* may be earlier than its predecessor's, for which it waits anyway */
	if (relaxed && p->w_head && p->w_accepted > p->r_barrier &&
	    pcie_chance(p, p->cfg.relax_pct)) {
		struct posted *last = *p->w_lastlink;

		w->due = last->due;
		last->due = due;
		w->next = last;
		*p->w_lastlink = w;
		p->w_lastlink = &w->next;
	} else {
		w->next = NULL;
		*p->w_tail = w;
		p->w_lastlink = p->w_tail;
		p->w_tail = &w->next;
	}
	p->w_accepted++;
	p->w_queued++;
}

static struct posted *posted_pop(struct sim_pcie *p)
{
	struct posted *w = p->w_head;

	p->w_head = w->next;
	if (p->w_lastlink == &w->next)
		p->w_lastlink = &p->w_head;
	if (!p->w_head)
		p->w_tail = &p->w_head;
	return w;
}

static void posted_finish(struct sim_pcie *p, struct posted *w, int status)
{
	if (status)
		p->stats.dma_errors++;
	p->w_applied++;
	p->w_queued--;
	slot_put(p, w);
}

static void posted_done(struct sim_mem_io *io)
{
	struct sim_pcie *p = io->arg;
	struct posted *w = p->w_now;

	p->w_now = NULL;
	p->mem_pending--;
	posted_finish(p, w, io->status);
}

/* In order, until one is not due or waits for the client. */
void pcie_posted_run(struct sim_pcie *p)
{
	while (p->w_head && !p->w_now && p->w_head->due <= p->now_fp) {
		struct posted *w = posted_pop(p);
		int status = 0;

		if (w->vector >= 0) {
			pcie_irq_fire(p, (unsigned int)w->vector);
		} else {
			w->io.iova = w->addr;
			w->io.buf = w->data + w->off;
			w->io.len = w->len;
			w->io.write = true;
			w->io.done = posted_done;
			w->io.arg = p;
			status = sim_mem_submit(p->mem, &w->io);
		}
		if (status == -EINPROGRESS) {
			p->w_now = w;
			p->mem_pending++;
			return;
		}
		posted_finish(p, w, status);
	}
}

/* ---- reads ---- */

static void read_done(struct sim_mem_io *io)
{
	struct rdreq *r = io->arg;

	r->pending = false;
	r->p->mem_pending--;
	r->have += io->len;
	if (io->status)
		r->error = io->status;
}

/* Take the bytes up to `upto` from memory. */
void pcie_sample(struct sim_pcie *p, struct rdreq *r, uint32_t upto)
{
	int status;

	if (r->have >= upto || r->pending || r->error || r->refused)
		return;
	r->io.iova = r->addr + r->first + r->have;
	r->io.buf = r->data + r->first + r->have;
	r->io.len = upto - r->have;
	r->io.write = false;
	r->io.done = read_done;
	r->io.arg = r;
	status = sim_mem_submit(p->mem, &r->io);
	if (status == -EINPROGRESS) {
		r->pending = true;
		p->mem_pending++;
		return;
	}
	r->have = upto;
	if (status)
		r->error = status;
}

/* Reads reach memory in their order, each not before the writes that the core sent earlier. */
void pcie_arrive_run(struct sim_pcie *p)
{
	while (p->a_head && p->a_head->arrive <= p->now_fp && p->w_applied >= p->a_head->after) {
		struct rdreq *r = p->a_head;

		p->a_head = r->next;
		if (!p->a_head)
			p->a_tail = &p->a_head;
		p->a_n--;
		r->ordered = true;
		if (!r->late)
			pcie_sample(p, r, r->bytes);
	}
}

void sim_pcie_settle(struct sim_pcie *p)
{
	uint64_t now_fp = p->now_fp;

	p->now_fp = UINT64_MAX;
	pcie_posted_run(p);
	p->now_fp = now_fp;
	for (unsigned int t = 0, left = p->rd_n; left && t < p->cfg.n_tags; t++) {
		struct rdreq *r = &p->rd[t];

		if (!r->busy)
			continue;
		left--;
		if (p->w_applied >= r->after)
			pcie_sample(p, r, r->bytes);
	}
}

/* ---- checks of whole TLPs ---- */

static void check_map(struct sim_pcie *p, const struct sim_tlp_hdr *h, uint64_t addr, uint32_t len,
		      unsigned int right)
{
	int err = len ? sim_mem_check(p->mem, addr, len, right) : 0;

	if (err)
		sim_tlpmon_violation(&p->mon, err == -EACCES ? SIM_TLP_RIGHTS : SIM_TLP_UNMAPPED,
				     p->now, h, NULL);
}

/* Byte enables with holes: one entry for each run of bytes. */
static void write_runs(struct sim_pcie *p, struct posted *w, const struct sim_tlp_hdr *h)
{
	unsigned int mask = h->len_dw == 1 ? h->fbe : h->fbe | (unsigned int)h->lbe << 4;

	for (unsigned int i = 0; i < 8; i++) {
		unsigned int n = 0;
		struct posted *run;

		while (mask >> (i + n) & 1)
			n++;
		if (!n)
			continue;
		run = slot_get(p);
		if (run) {
			run->vector = -1;
			run->addr = h->addr + i;
			run->off = 0;
			run->len = n;
			memcpy(run->data, w->data + i, n);
			posted_push(p, run, false);
		}
		i += n;
	}
	slot_put(p, w);
}

static void write_end(struct sim_pcie *p, struct posted *w)
{
	const struct sim_tlp_hdr *h = &p->tx.h;
	unsigned int first, bytes;

	sim_tlp_span(h, &first, &bytes);
	if (p->tx.refused || !bytes) {	/* a write of no byte has no effect (2.2.5) */
		slot_put(p, w);
		return;
	}
	p->stats.wr_tlps++;
	p->stats.wr_bytes += bytes;
	w->vector = pcie_irq_match(p, h, w->data);
	if (w->vector == -2) {		/* reported there */
		slot_put(p, w);
		return;
	}
	w->addr = h->addr + first;
	w->off = first;
	w->len = bytes;
	if (w->vector < 0) {
		check_map(p, h, w->addr, bytes, SIM_MEM_WRITE);
		if (h->len_dw <= 2 && bytes != (unsigned int)__builtin_popcount(h->fbe) +
		    (h->len_dw == 2 ? (unsigned int)__builtin_popcount(h->lbe) : 0)) {
			write_runs(p, w, h);
			return;
		}
	}
	posted_push(p, w, h->attr & ATTR_RELAXED && w->vector < 0);
}

static void read_end(struct sim_pcie *p)
{
	const struct sim_tlp_hdr *h = &p->tx.h;
	struct rdreq *r = &p->rd[h->tag];
	unsigned int first, bytes;

	if (r->busy) {
		sim_tlpmon_violation(&p->mon, SIM_TLP_TAG_REUSE, p->now, h, NULL);
		return;
	}
	sim_tlp_span(h, &first, &bytes);
	p->stats.rd_tlps++;
	p->stats.rd_bytes += bytes;
	if (!p->tx.refused)
		check_map(p, h, h->addr + first, bytes, SIM_MEM_READ);
	r->busy = true;
	r->late = p->cfg.sample == SIM_SAMPLE_LATE ||
		  (p->cfg.sample == SIM_SAMPLE_RANDOM && sim_rand_below(&p->rand, 2));
	r->ordered = r->pending = false;
	r->refused = p->tx.refused;
	r->error = 0;
	r->addr = h->addr;
	r->first = first;
	r->bytes = bytes;
	r->after = p->r_barrier = p->w_accepted;
	r->have = r->sent = r->piece = r->pieces = 0;
	r->arrive = p->tx.start + p->half_rtt;
	r->ready = p->tx.start + 2 * p->half_rtt;
	if (p->cfg.read_jitter_ns)
		r->ready += sim_rand_below(&p->rand, (uint64_t)p->cfg.read_jitter_ns << FP_SHIFT);
	r->fault = pcie_fault_match(p, h->addr + first, bytes ? bytes : 1);
	if (r->fault >= 0 && p->faults[r->fault].fault == SIM_FAULT_LATE)
		r->ready += p->faults[r->fault].delay_ns << FP_SHIFT;
	r->next = NULL;
	*p->a_tail = r;
	p->a_tail = &r->next;
	p->a_n++;
	p->rd_n++;
	pcie_heap_push(p, r->ready, r->tag);
}

/* ---- beats ---- */

static uint32_t beat_bytes(const struct sim_pcie *p)
{
	uint32_t total = p->tx.h.has_data ? p->tx.h.len_dw * 4u : 0, done = p->tx.beat * p->bw;

	return done >= total ? 0 : total - done < p->bw ? total - done : p->bw;
}

/*
 * May the core send requests at all?  Some cycles after bus master was turned off, and during a
 * reset, what was under way may still leave; after a reset nothing may.
 */
static void check_master(struct sim_pcie *p)
{
	bool after_reset = p->quiet || p->flr_state == 2;
	uint64_t grace = (uint64_t)p->cfg.bme_grace_cycles * p->cfg.clk_ns;

	p->tx.refused = !p->bme && p->flr_state != 1 &&
			(after_reset || p->now > p->bme_off_at + grace);
	if (p->tx.refused)
		sim_tlpmon_violation(&p->mon, after_reset ? SIM_TLP_FLR : SIM_TLP_BUS_MASTER,
				     p->now, &p->tx.h, NULL);
}

/* A TLP is on the ports for the first time: the rules of its header and of this moment. */
static void tlp_seen(struct sim_pcie *p)
{
	struct sim_tlp_limits lim = {
		.reqid = p->cfg.reqid,
		.mps = p->mps,
		.mrrs = p->mrrs,
		.n_tags = p->cfg.n_tags,
		.relaxed = sim_cfgspace_relaxed(&p->space),
		.no_snoop = sim_cfgspace_no_snoop(&p->space),
		.ext_tag = sim_cfgspace_ext_tag(&p->space),
	};
	unsigned int class;
	uint32_t dw[4];

	if (p->now < p->limit_until) {	/* lowered a moment ago */
		lim.mps = lim.mps > p->mps_was ? lim.mps : p->mps_was;
		lim.mrrs = lim.mrrs > p->mrrs_was ? lim.mrrs : p->mrrs_was;
		lim.relaxed |= p->relaxed_was;
		lim.ext_tag |= p->ext_tag_was;
	}
	p->tx.seen = true;
	if (!*p->io.tx_sop)
		return;		/* found to be wrong when it is taken */
	sim_tlp_from_port(dw, p->io.tx_hdr);
	sim_tlp_decode(&p->tx.h, dw);
	p->tx.bad = !sim_tlpmon_header(&p->mon, p->now, &p->tx.h, &lim);
	if (p->tx.bad)
		return;
	if (p->tx.h.type == CAIRN_TLP_TYPE_CPL) {
		class = CREDIT_CPL;
		p->tx.refused = false;
	} else {
		class = p->tx.h.has_data ? CREDIT_P : CREDIT_NP;
		check_master(p);
	}
	/* The core may look at the credit in a register stage: the previous cycle counts too. */
	if (!((p->credit | p->credit_prev) & class))
		sim_tlpmon_violation(&p->mon, SIM_TLP_CREDIT, p->now, &p->tx.h, NULL);
}

static void tlp_start(struct sim_pcie *p)
{
	uint32_t bytes = p->tx.h.has_data ? p->tx.h.len_dw * 4u : 0;
	uint64_t cost = pcie_cost(bytes + p->cfg.overhead, p->cfg.up_rate);

	p->tx.in_tlp = true;
	p->tx.beat = 0;
	p->tx.beats = bytes ? (bytes + p->bw - 1) / p->bw : 1;
	p->tx.start = p->up_free > p->now_fp ? p->up_free : p->now_fp;
	p->up_free = p->tx.start + cost;
	p->up_busy_fp += cost;
	p->stats.up_busy_ns = p->up_busy_fp >> FP_SHIFT;
	p->tx.slot = NULL;
	if (!p->tx.bad && p->tx.h.has_data && p->tx.h.type == CAIRN_TLP_TYPE_MEM)
		p->tx.slot = slot_get(p);	/* ready was only given with one free */
	pcie_log(p, true, p->tx.h.dw, 0);
}

static void tlp_abandon(struct sim_pcie *p)
{
	if (p->tx.slot)
		slot_put(p, p->tx.slot);
	p->tx.slot = NULL;
	p->tx.in_tlp = false;
}

static void tlp_end(struct sim_pcie *p)
{
	struct posted *w = p->tx.slot;

	p->tx.in_tlp = false;
	p->tx.slot = NULL;
	if (p->tx.bad)
		return;
	if (p->tx.h.type == CAIRN_TLP_TYPE_CPL)
		pcie_host_answer(p, &p->tx.h, p->tx.payload);
	else if (w)
		write_end(p, w);
	else if (!p->tx.h.has_data)
		read_end(p);
}

static void framing(struct sim_pcie *p, const char *what)
{
	sim_tlpmon_violation(&p->mon, SIM_TLP_FRAMING, p->now, p->tx.in_tlp ? &p->tx.h : NULL,
			     what);
}

/* A beat was taken.  Returns false when it only ends something broken. */
static bool frame(struct sim_pcie *p)
{
	uint32_t dw[4];

	if (p->tx.skip) {
		p->tx.skip = !*p->io.tx_last;
		return false;
	}
	if (p->tx.in_tlp && *p->io.tx_sop) {
		framing(p, "sop inside a TLP");
		tlp_abandon(p);
		tlp_seen(p);
	}
	if (!p->tx.in_tlp) {
		if (!*p->io.tx_sop) {
			framing(p, "first beat without sop");
			p->tx.skip = !*p->io.tx_last;
			return false;
		}
		tlp_start(p);
		return true;
	}
	sim_tlp_from_port(dw, p->io.tx_hdr);
	if (memcmp(dw, p->tx.h.dw, sizeof(dw))) {
		framing(p, "header changed");
		memcpy(dw, p->tx.h.dw, sizeof(dw));
	}
	return true;
}

static void take_beat(struct sim_pcie *p)
{
	uint32_t n;

	p->tx.seen = false;
	if (!frame(p))
		return;
	n = beat_bytes(p);
	if (p->tx.slot)
		memcpy(p->tx.slot->data + (size_t)p->tx.beat * p->bw, p->io.tx_data, n);
	else if (p->tx.beat == 0)
		memcpy(p->tx.payload, p->io.tx_data, n);
	p->tx.beat++;
	if (*p->io.tx_last) {
		if (p->tx.beat != p->tx.beats) {
			sim_tlpmon_violation(&p->mon, SIM_TLP_LENGTH, p->now, &p->tx.h,
					     "last too early");
			tlp_abandon(p);
			return;
		}
		tlp_end(p);
	} else if (p->tx.beat >= p->tx.beats) {
		sim_tlpmon_violation(&p->mon, SIM_TLP_LENGTH, p->now, &p->tx.h, "last too late");
		tlp_abandon(p);
		p->tx.skip = true;
	}
	p->tx.seen = p->tx.in_tlp;	/* the rest of this TLP was announced by its first beat */
}

static uint8_t hold_flags(const struct sim_pcie *p)
{
	return (uint8_t)((*p->io.tx_sop ? HOLD_SOP : 0) | (*p->io.tx_last ? HOLD_LAST : 0));
}

/* Waiting for ready: what is offered must stay. */
static void check_hold(struct sim_pcie *p)
{
	bool same = *p->io.tx_valid && hold_flags(p) == p->tx.hold_flags &&
		    !memcmp(p->io.tx_hdr, p->tx.hold_hdr, sizeof(p->tx.hold_hdr)) &&
		    !memcmp(p->io.tx_data, p->tx.hold_data, p->tx.bad ? 0 : beat_bytes(p));

	p->tx.held = false;
	if (same)
		return;
	sim_tlpmon_violation(&p->mon, SIM_TLP_HOLD, p->now, &p->tx.h, NULL);
	if (!p->tx.in_tlp)
		p->tx.seen = false;
}

void pcie_up_post(struct sim_pcie *p)
{
	if (p->tx.held)
		check_hold(p);
	if (!*p->io.tx_valid)
		return;
	if (!p->tx.in_tlp && !p->tx.seen && !p->tx.skip) {
		p->tx.beat = 0;
		tlp_seen(p);
	}
	if (p->tx_ready) {
		take_beat(p);
		return;
	}
	p->stats.tx_wait_cycles++;
	p->tx.held = true;
	p->tx.hold_flags = hold_flags(p);
	memcpy(p->tx.hold_hdr, p->io.tx_hdr, sizeof(p->tx.hold_hdr));
	memcpy(p->tx.hold_data, p->io.tx_data, p->bw);
}
