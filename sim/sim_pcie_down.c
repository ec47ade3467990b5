/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root complex, to the core: which completion or BAR request goes next, how a read is split, and
 * the beats.  Order (PCI Express Base 2.4.1): BAR writes first and in order, so no completion or
 * BAR read passes one; BAR reads and completions take turns; completions of one tag ascend, those
 * of different tags are free.
 */
#include <string.h>

#include "sim_pcie_priv.h"

void pcie_ready_run(struct sim_pcie *p)
{
	while (p->heap_n && p->heap[0].t <= p->now_fp)
		p->ready[p->ready_n++] = pcie_heap_pop(p);
}

/* ---- completions ---- */

/*
 * Bytes of the next completion: at most MPS, all but the last end on the read completion boundary.
 */
static uint32_t choose_piece(struct sim_pcie *p, const struct rdreq *r)
{
	uint64_t at = r->addr + r->first + r->sent, end;
	uint32_t left = r->bytes - r->sent, rcb = p->cfg.rcb, mps = p->mps;

	if (rcb > mps)
		rcb = mps;
	switch (p->cfg.split) {
	case SIM_SPLIT_RCB:
		end = (at & ~(uint64_t)(rcb - 1)) + rcb;
		break;
	case SIM_SPLIT_RANDOM:
		end = (at & ~(uint64_t)(rcb - 1)) +
		      (uint64_t)rcb * (1 + sim_rand_below(&p->rand, mps / rcb));
		break;
	default:
		end = (at & ~(uint64_t)(mps - 1)) + mps;
		break;
	}
	return end - at < left ? (uint32_t)(end - at) : left;
}

/* Is the next completion of this read there?  Late reads fetch it now. */
static bool servable(struct sim_pcie *p, struct rdreq *r)
{
	if (!r->ordered || r->pending)
		return false;
	if (!r->piece && r->bytes)
		r->piece = choose_piece(p, r);
	pcie_sample(p, r, r->sent + r->piece);
	return !r->pending;
}

static void rx_begin(struct sim_pcie *p, enum rx_kind kind, const uint8_t *data, uint32_t bytes)
{
	uint64_t cost = pcie_cost(bytes + p->cfg.overhead, p->cfg.down_rate);

	p->rx.active = true;
	p->rx.shown = false;
	p->rx.kind = kind;
	p->rx.data = data;
	p->rx.bytes = bytes;
	p->rx.beat = 0;
	p->rx.beats = bytes ? (bytes + p->bw - 1) / p->bw : 1;
	p->rx.bar = 0;
	p->rx.rd = NULL;
	p->down_free = (p->down_free > p->now_fp ? p->down_free : p->now_fp) + cost;
	p->down_busy_fp += cost;
	p->stats.down_busy_ns = p->down_busy_fp >> FP_SHIFT;
}

static void read_free(struct sim_pcie *p, struct rdreq *r)
{
	r->busy = false;
	p->rd_n--;
}

/*
 * Bytes of the first and last word that were not asked for are undefined: never what memory holds.
 */
static void fill_gaps(struct sim_pcie *p, uint8_t *words, uint32_t head, uint32_t n, uint32_t len)
{
	uint64_t noise = sim_rand_u64(&p->rand);

	for (uint32_t i = 0; i < head; i++, noise >>= 8)
		words[i] = (uint8_t)noise;
	for (uint32_t i = head + n; i < len; i++, noise >>= 8)
		words[i] = (uint8_t)noise;
}

static void send_data(struct sim_pcie *p, struct rdreq *r, int fault)
{
	uint64_t at = r->addr + r->first + r->sent;
	uint32_t head = at & 3, n = r->piece, dws = (head + n + 3) / 4, left = r->bytes - r->sent;
	/* A later piece begins on a boundary, so what lies before it in the word was never sent. */
	uint8_t *words = r->data + (r->first + r->sent - head);

	if (!r->bytes) {	/* 2.2.5: a read of no byte is answered with one undefined word */
		head = 0;
		dws = left = 1;
		words = r->data;
	}
	if (head || (head + n) % 4 || !n)
		fill_gaps(p, words, head, n, dws * 4);
	if (fault == SIM_FAULT_ONES)
		memset(words + head, 0xff, n);
	rx_begin(p, RX_CPL, words, dws * 4);
	sim_tlp_cpl(p->rx.dw, CAIRN_CPL_STATUS_SC, dws, left, (unsigned int)at & 0x7f, r->tag,
		    p->cfg.reqid, 0);
	if (fault == SIM_FAULT_POISON)
		sim_tlp_set(p->rx.dw, CAIRN_TLP_CPL_EP, 1);
	r->sent += n;
	r->piece = 0;
	r->pieces++;
	p->rx.final = r->sent >= r->bytes;
	p->stats.cpl_bytes += n;
}

static void send_error(struct sim_pcie *p, struct rdreq *r, unsigned int status)
{
	uint32_t left = r->bytes ? r->bytes - r->sent : 1;

	rx_begin(p, RX_CPL, NULL, 0);
	sim_tlp_cpl(p->rx.dw, status, 0, left,
		    (unsigned int)(r->addr + r->first + r->sent) & 0x7f, r->tag, p->cfg.reqid, 0);
	p->rx.final = true;
}

/* The next completion of ready[i].  False: it never comes. */
static bool send_completion(struct sim_pcie *p, unsigned int i)
{
	struct rdreq *r = &p->rd[p->ready[i]];
	int fault = -1;

	if (r->fault >= 0 && r->pieces >= p->faults[r->fault].piece) {
		fault = (int)p->faults[r->fault].fault;
		if (r->pieces == p->faults[r->fault].piece) {
			p->faults[r->fault].hits++;
			p->stats.faults++;
		} else if (fault == SIM_FAULT_POISON) {
			fault = -1;	/* one piece */
		}
	}
	if (fault == SIM_FAULT_DROP) {
		memmove(&p->ready[i], &p->ready[i + 1], (--p->ready_n - i) * sizeof(p->ready[0]));
		read_free(p, r);
		return false;
	}
	if (fault == SIM_FAULT_UR || fault == SIM_FAULT_CA) {
		send_error(p, r, fault == SIM_FAULT_UR ? CAIRN_CPL_STATUS_UR : CAIRN_CPL_STATUS_CA);
	} else if (r->error || r->refused) {
		p->stats.dma_errors++;
		send_error(p, r, CAIRN_CPL_STATUS_UR);
	} else {
		send_data(p, r, fault);
	}
	p->rx.rd = r;
	p->stats.cpl_tlps++;
	if (p->rx.final)
		memmove(&p->ready[i], &p->ready[i + 1], (--p->ready_n - i) * sizeof(p->ready[0]));
	return true;
}

/* Oldest first; with freedom any. */
static bool pick_completion(struct sim_pcie *p)
{
	unsigned int start = 0;

	if (p->ready_n > 1 && pcie_chance(p, p->cfg.reorder_pct))
		start = (unsigned int)sim_rand_below(&p->rand, p->ready_n);
	for (unsigned int k = 0; k < p->ready_n; k++) {
		unsigned int i = (start + k) % p->ready_n;

		if (servable(p, &p->rd[p->ready[i]]))
			return send_completion(p, i);
	}
	return false;
}

/* ---- BAR requests ---- */

static void byte_enables(uint64_t addr, uint32_t size, unsigned int *fbe, unsigned int *lbe,
			 unsigned int *dws)
{
	uint32_t head = addr & 3;

	*dws = (head + size + 3) / 4;
	*fbe = 0xf << head & 0xf;
	*lbe = 0xf >> (*dws * 4 - head - size);
	if (*dws == 1) {
		*fbe &= *lbe;
		*lbe = 0;
	}
}

static void send_write(struct sim_pcie *p)
{
	const struct hwrite *w = &p->hw[p->hw_head & (p->hw_cap - 1)];
	unsigned int fbe, lbe, dws, head = w->off & 3;

	byte_enables(w->off, w->size, &fbe, &lbe, &dws);
	fill_gaps(p, p->rx_buf, head, w->size, dws * 4);
	memcpy(p->rx_buf + head, w->data, w->size);
	rx_begin(p, RX_WRITE, p->rx_buf, dws * 4);
	sim_tlp_mem(p->rx.dw, true, w->off & ~3ull, dws, fbe, lbe, 0, 0);
	p->rx.bar = w->bar;
	p->rx.off = w->off;
	p->stats.bar_wr_tlps++;
	p->stats.bar_wr_bytes += w->size;
	p->hw_head++;
	p->hw_n--;
}

static struct hread *free_hread(struct sim_pcie *p)
{
	for (unsigned int i = 0; i < HOST_TAGS; i++)
		if (!p->hread[i].used)
			return &p->hread[i];
	return NULL;
}

/* No write waits (see pick()), so none is passed; at most HOST_TAGS outstanding. */
static bool send_read(struct sim_pcie *p)
{
	struct sim_pcie_read *r = p->hr_head;
	struct hread *h;
	unsigned int fbe, lbe, dws;
	uint64_t at;

	h = free_hread(p);
	if (!h)
		return false;
	p->hr_head = r->next;
	if (!p->hr_head)
		p->hr_tail = &p->hr_head;
	p->hr_n--;
	at = r->off + r->pos;
	*h = (struct hread){
		.r = r,
		.used = true,
		.tag = (uint8_t)(p->host_seq++ * HOST_TAGS + (unsigned int)(h - p->hread)),
		.step = r->step,
		.addr = at,
		.deadline = p->now + (uint64_t)p->cfg.bar_timeout_us * 1000,
	};
	p->hread_n++;
	r->tag = h->tag;
	r->sent = true;
	byte_enables(at, r->step, &fbe, &lbe, &dws);
	rx_begin(p, RX_READ, NULL, 0);
	sim_tlp_mem(p->rx.dw, false, at & ~3ull, dws, fbe, lbe, h->tag, 0);
	p->rx.bar = (uint8_t)r->bar;
	p->stats.bar_rd_tlps++;
	return true;
}

void sim_pcie_stray_completion(struct sim_pcie *p, unsigned int tag, unsigned int len_dw)
{
	p->stray.tag = tag;
	p->stray.len_dw = len_dw > TLP_MAX / 4 ? TLP_MAX / 4 : len_dw;
	p->stray.armed = true;
}

static void send_stray(struct sim_pcie *p)
{
	uint32_t bytes = p->stray.len_dw * 4;

	p->stray.armed = false;
	fill_gaps(p, p->rx_buf, bytes, 0, bytes);
	rx_begin(p, RX_STRAY, p->rx_buf, bytes);
	sim_tlp_cpl(p->rx.dw, bytes ? CAIRN_CPL_STATUS_SC : CAIRN_CPL_STATUS_UR, p->stray.len_dw,
		    bytes, 0, p->stray.tag, p->cfg.reqid, 0);
}

/* ---- the link ---- */

static void pick(struct sim_pcie *p)
{
	bool hold = p->flr_state;	/* accesses to BARs wait for the end of a reset */

	if (p->hw_n && !hold) {
		send_write(p);
	} else if (p->hr_n && !hold && (p->bar_turn || !p->ready_n) && send_read(p)) {
		p->bar_turn = false;
	} else if (p->ready_n && pick_completion(p)) {
		p->bar_turn = true;
	} else if (p->hr_n && !hold && send_read(p)) {
		p->bar_turn = false;
	} else if (p->stray.armed) {
		send_stray(p);
	} else {
		return;
	}
	pcie_log(p, false, p->rx.dw, p->rx.bar);
}

static void show_beat(struct sim_pcie *p)
{
	struct rx_tlp *t = &p->rx;
	uint32_t done = t->beat * p->bw, n = t->bytes - done < p->bw ? t->bytes - done : p->bw;

	t->shown = true;
	p->rx_clear = false;
	*p->io.rx_valid = 1;
	*p->io.rx_sop = t->beat == 0;
	*p->io.rx_last = t->beat + 1 == t->beats;
	if (t->beat == 0) {
		sim_tlp_to_port(p->io.rx_hdr, t->dw);
		*p->io.rx_bar = t->bar;
	}
	if (n)
		memcpy(p->io.rx_data, t->data + done, n);
	if (n < p->bw)		/* lanes past the end carry nothing useful */
		memset(p->io.rx_data + n, 0xa5 ^ (int)(p->now & 0xff), p->bw - n);
}

void pcie_down_pre(struct sim_pcie *p)
{
	if (!p->rx.active && p->down_free < p->now_fp + p->clk_fp &&
	    (p->hw_n || p->hr_n || p->ready_n || p->stray.armed))
		pick(p);
	if (p->rx.active && !p->rx.shown && !pcie_chance(p, p->cfg.gap_pct)) {
		show_beat(p);
	} else if (!p->rx.shown && !p->rx_clear) {
		*p->io.rx_valid = 0;
		p->rx_clear = true;
	}
}

void pcie_down_post(struct sim_pcie *p)
{
	struct rx_tlp *t = &p->rx;

	if (!t->shown || !*p->io.rx_ready)
		return;
	t->shown = false;
	if (++t->beat < t->beats)
		return;
	t->active = false;
	if (t->kind == RX_CPL && t->final)
		read_free(p, t->rd);
	else if (t->kind == RX_WRITE && t->bar == 0)
		pcie_irq_table_write(p, t->off, t->data + (t->off & 3),
				     t->bytes - (t->off & 3));
}
