/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings of pcie_tlp; see tlp_bench.h. */
#include "tlp_bench.h"

#include <stdlib.h>

/* ---- queues ---- */

static struct tb_tlp *push(struct tlp_bench *b, struct tb_queue *q)
{
	struct tb_tlp *t = &q->t[q->put];

	vtb_check(b->tb, q->put < TB_QUEUE);
	q->put++;
	memset(t, 0, sizeof(*t));
	return t;
}

static struct tb_tlp *request(struct tlp_bench *b, unsigned int bar, uint64_t addr, unsigned int dw,
			      unsigned int fbe, unsigned int lbe, bool write)
{
	struct tb_tlp *t = push(b, &b->rx);
	bool wide = rng_percent(&b->tb->rng, 50); /* both forms, whatever the BAR's address */

	t->bar = bar;
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_FMT, (write ? 2 : 0) | wide);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_LENGTH, dw);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_REQID, 0x0800);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_FBE, fbe);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_LBE, lbe);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_ADDR, wide ? addr : addr << 32);
	return t;
}

struct tb_tlp *tb_write(struct tlp_bench *b, unsigned int bar, uint64_t addr, unsigned int dw,
			unsigned int fbe, unsigned int lbe, const void *data)
{
	struct tb_tlp *t = request(b, bar, addr, dw, fbe, lbe, true);

	memcpy(t->data, data, 4 * dw < sizeof(t->data) ? 4 * dw : sizeof(t->data));
	t->beats = (4 * dw + b->bytes - 1) / b->bytes;
	return t;
}

struct tb_tlp *tb_read(struct tlp_bench *b, unsigned int bar, uint64_t addr, unsigned int dw,
		       unsigned int fbe, unsigned int lbe, unsigned int tag)
{
	struct tb_tlp *t = request(b, bar, addr, dw, fbe, lbe, false);

	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_TAG, tag);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_T8, tag >> 8);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_T9, tag >> 9);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_TC, tag % 8);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_ATTR, tag % 4);
	t->beats = 1;
	return t;
}

void tb_store(struct tlp_bench *b, unsigned int bar, uint64_t addr, unsigned int len,
	      const void *data)
{
	unsigned int skip = addr & 3, dw = (skip + len + 3) / 4, tail = 4 * dw - skip - len;
	unsigned int fbe = 0xf << skip & 0xf, lbe = 0xf >> tail;
	uint8_t buf[512];

	rng_bytes(&b->tb->rng, buf, sizeof(buf));
	memcpy(buf + skip, data, len);
	tb_write(b, bar, addr - skip, dw, dw == 1 ? fbe & lbe : fbe, dw == 1 ? 0 : lbe, buf);
}

void tb_cpl(struct tlp_bench *b, unsigned int tag, unsigned int dw)
{
	struct tb_tlp *t = push(b, &b->rx);
	struct tlp_cpl c = { .dw = dw, .byte_count = 4 * dw, .tag = tag, .data = true };

	t->hdr = tlp_cpl_encode(&c);
	t->beats = (4 * dw + b->bytes - 1) / b->bytes;
	rng_bytes(&b->tb->rng, t->data, 4 * dw);
}

void tb_posted(struct tlp_bench *b, unsigned int beats)
{
	struct tb_tlp *t = push(b, &b->p);

	rng_bytes(&b->tb->rng, t->hdr.b, sizeof(t->hdr.b));
	t->hdr.b[15] = 1 + TB_POSTED;
	t->beats = beats;
	rng_bytes(&b->tb->rng, t->data, beats * b->bytes);
}

void tb_nonposted(struct tlp_bench *b)
{
	struct tb_tlp *t = push(b, &b->n);

	rng_bytes(&b->tb->rng, t->hdr.b, sizeof(t->hdr.b));
	t->hdr.b[15] = 1 + TB_NONPOSTED;
	t->beats = 1;
}

/* Show the next beat; a posted TLP has no gap inside. */
static bool show(struct tlp_bench *b, struct tb_queue *q, bool gaps)
{
	if (!q->shown && q->get < q->put)
		q->shown = (!gaps && q->beat) || !rng_percent(&b->tb->rng, q->gap);
	return q->shown;
}

static bool taken(struct tb_queue *q)
{
	q->shown = false;
	if (++q->beat < q->t[q->get].beats)
		return false;
	q->beat = 0;
	q->get++;
	return true;
}

/* ---- driving ---- */

static void drive_rx(struct tlp_bench *b)
{
	const struct tb_tlp *t = &b->rx.t[b->rx.get];
	bool valid = show(b, &b->rx, true);

	vtb_put(b->rx_valid, valid);
	if (!valid)
		return;
	vtb_put(b->rx_sop, b->rx.beat == 0);
	vtb_put(b->rx_last, b->rx.beat == t->beats - 1);
	vtb_put(b->rx_bar, t->bar);
	tlp_put_hdr(b->rx_hdr, &t->hdr);
	if ((b->rx.beat + 1) * b->bytes <= sizeof(t->data))
		vtb_put_bytes(b->rx_data, 0, t->data + b->rx.beat * b->bytes, b->bytes);
}

static void drive_dma(struct tlp_bench *b)
{
	const struct tb_tlp *t = &b->p.t[b->p.get];
	bool valid = show(b, &b->p, false);

	vtb_put(b->p_valid, valid);
	vtb_put(b->p_sop, b->p.beat == 0);
	if (valid) {
		vtb_put(b->p_last, b->p.beat == t->beats - 1);
		tlp_put_hdr(b->p_hdr, &t->hdr);
		vtb_put_bytes(b->p_data, 0, t->data + b->p.beat * b->bytes, b->bytes);
	}
	valid = show(b, &b->n, true);
	vtb_put(b->n_valid, valid);
	if (valid)
		tlp_put_hdr(b->n_hdr, &b->n.t[b->n.get].hdr);
}

static void drive(struct vtb *tb, void *arg)
{
	struct tlp_bench *b = arg;
	unsigned int credit = b->credit;

	drive_rx(b);
	drive_dma(b);
	if (b->credit_pct)
		for (unsigned int i = 0; i < TB_CLASSES; i++)
			credit = (credit & ~(1u << i)) |
				 (rng_percent(&tb->rng, b->credit_pct) ? 1u << i : 0);
	vtb_put(b->credit_port, credit);
	vtb_put(b->tx_ready, !rng_percent(&tb->rng, b->tx_stall));
	vtb_put(b->c_ready, !rng_percent(&tb->rng, b->cpl_stall));
	vtb_set(tb, "cfg_bme_i", b->bme);
	vtb_set(tb, "flr_i", b->flr);
	/* Register file: answers some cycles later, reads random bits outside ready. */
	vtb_eval(tb);
	if (vtb_read(b->csr_valid)) {
		unsigned int addr = (unsigned int)vtb_read(b->csr_addr);
		uint64_t value = rng_u64(&tb->rng);

		if (!b->wait && !rng_percent(&tb->rng, b->csr_wait))
			memcpy(&value, b->regs + addr, 8);
		else
			b->wait = 1;
		vtb_put(b->csr_ready, !b->wait);
		vtb_put(b->csr_rdata, value);
		b->wait = 0;
	} else {
		vtb_put(b->csr_ready, 0);
	}
}

/* ---- watching ---- */

static void sample_tx(struct tlp_bench *b)
{
	struct vtb *tb = b->tb;
	bool valid = vtb_read(b->tx_valid);
	struct tlp_hdr h = tlp_get_hdr(b->tx_hdr);
	unsigned int class = h.b[15] ? h.b[15] - 1u : TB_COMPLETION;
	struct tb_tlp *t = &b->tx[b->n_tx];

	vtb_check(tb, valid || (!b->offered && !b->mid));
	if (!valid)
		return;
	if (b->offered || b->mid) {
		vtb_check(tb, !memcmp(&h, &b->offered_hdr, sizeof(h)));
	} else {
		/* First offer: credit of its class, now; and the bus master. */
		vtb_check(tb, vtb_read(b->credit_port) >> class & 1);
		vtb_check(tb, (b->bme && !b->flr) || class == TB_COMPLETION);
	}
	vtb_check_eq(tb, vtb_read(b->tx_sop), !b->mid);
	b->offered = true;
	b->offered_hdr = h;
	if (!vtb_read(b->tx_ready))
		return;
	vtb_check(tb, b->n_tx < TB_QUEUE);
	if (!b->mid)
		*t = (struct tb_tlp){ .hdr = h };
	vtb_check(tb, t->beats < sizeof(t->data) / b->bytes);
	vtb_get_bytes(b->tx_data, 0, t->data + t->beats++ * b->bytes, b->bytes);
	b->mid = !vtb_read(b->tx_last);
	b->offered = b->mid;
	if (b->mid)
		return;
	b->tx_cycle[b->n_tx++] = tb->cycle;
	b->by_class[class]++;
	if (class == TB_COMPLETION)
		return;
	/* In order, whole, unchanged. */
	const struct tb_tlp *sent = class == TB_POSTED ? &b->p.t[b->p_out++] : &b->n.t[b->n_out++];
	vtb_check(tb, !memcmp(&sent->hdr, &h, sizeof(h)));
	if (class == TB_POSTED) {
		vtb_check_eq(tb, t->beats, sent->beats);
		vtb_check(tb, !memcmp(sent->data, t->data, t->beats * b->bytes));
	}
}

static void sample_dma(struct tlp_bench *b)
{
	if (b->p.shown && vtb_read(b->p_ready)) {
		bool drop = vtb_read(b->p_drop);

		if (taken(&b->p) && drop) {
			b->p_dropped++;
			b->p_out++;
		}
	}
	if (b->n.shown && vtb_read(b->n_ready)) {
		taken(&b->n);
		if (vtb_read(b->n_drop)) {
			b->n_dropped++;
			b->n_out++;
		}
	}
	if (vtb_read(b->c_valid) && vtb_read(b->c_ready)) {
		struct tb_tlp *t = &b->cpl[b->n_cpl % 64];

		if (vtb_read(b->c_sop))
			*t = (struct tb_tlp){ .hdr = tlp_get_hdr(b->c_hdr) };
		vtb_get_bytes(b->c_data, 0, t->data + t->beats++ * b->bytes, b->bytes);
		b->n_cpl_beats++;
		b->n_cpl += vtb_read(b->c_last);
	}
}

static void sample_device(struct tlp_bench *b)
{
	struct vtb *tb = b->tb;

	if (vtb_read(b->csr_valid) && vtb_read(b->csr_ready)) {
		struct tb_access *a = &b->access[b->n_access++ % TB_QUEUE];

		*a = (struct tb_access){ vtb_read(b->csr_we), (unsigned int)vtb_read(b->csr_addr),
					 (unsigned int)vtb_read(b->csr_be),
					 vtb_read(b->csr_wdata) };
		vtb_check_eq(tb, a->addr % 8, 0);
		for (unsigned int i = 0; a->we && i < 8; i++)
			if (a->be >> i & 1)
				b->regs[a->addr + i] = (uint8_t)(a->data >> 8 * i);
	}
	if (vtb_read(b->db_valid)) {
		struct tb_db *d = &b->db[b->n_db++];

		*d = (struct tb_db){ (unsigned int)vtb_read(b->db_page),
				     (unsigned int)vtb_read(b->db_offset),
				     vtb_read(b->db_data),
				     tb->cycle,
				     vtb_read(b->push_valid),
				     { 0 } };
		vtb_get_bytes(b->push_data, 0, d->bytes, 64);
	} else {
		vtb_check_eq(tb, vtb_read(b->push_valid), 0);
	}
	b->n_db_bad += vtb_read(b->db_bad);
	b->n_bar_bad += vtb_read(b->bar_bad);
}

static void sample(struct vtb *tb, void *arg)
{
	struct tlp_bench *b = arg;

	(void)tb;
	sample_tx(b);
	sample_dma(b);
	sample_device(b);
	if (b->rx.shown && vtb_read(b->rx_ready))
		taken(&b->rx);
}

/* ---- life ---- */

struct tlp_bench *tlp_bench_new(void)
{
	static const char *const names[] = {
		"tlp_rx_valid_i", "tlp_rx_ready_o", "tlp_rx_sop_i",  "tlp_rx_last_i",
		"tlp_rx_hdr_i",	  "tlp_rx_bar_i",   "tlp_rx_data_i", "tlp_tx_valid_o",
		"tlp_tx_ready_i", "tlp_tx_sop_o",   "tlp_tx_last_o", "tlp_tx_hdr_o",
		"tlp_tx_data_o",  "tlp_credit_i",   "mwr_valid_i",   "mwr_ready_o",
		"mwr_drop_o",	  "mwr_sop_i",	    "mwr_last_i",    "mwr_hdr_i",
		"mwr_data_i",	  "mrd_valid_i",    "mrd_ready_o",   "mrd_drop_o",
		"mrd_hdr_i",	  "cpl_valid_o",    "cpl_ready_i",   "cpl_sop_o",
		"cpl_last_o",	  "cpl_hdr_o",	    "cpl_data_o",    "csr_valid_o",
		"csr_ready_i",	  "csr_we_o",	    "csr_addr_o",    "csr_be_o",
		"csr_wdata_o",	  "csr_rdata_i",    "db_valid_o",    "db_page_o",
		"db_offset_o",	  "db_data_o",	    "db_pushed_o",  "db_block_o",
		"events_db_bad_form_o", "events_bar_bad_o"
	};
	struct tlp_bench *b = calloc(1, sizeof(*b));
	const struct sim_port **ports = &b->rx_valid;

	b->tb = vtb_create();
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ports[i] = vtb_port(b->tb, names[i]);
	b->bytes = b->rx_data->width / 8;
	b->credit = 7;
	b->bme = true;
	rng_bytes(&b->tb->rng, b->regs, sizeof(b->regs));
	vtb_set(b->tb, "cfg_reqid_i", 0x0300);
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

void tlp_bench_free(struct tlp_bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}
