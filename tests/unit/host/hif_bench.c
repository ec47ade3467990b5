/* SPDX-License-Identifier: Apache-2.0 */
/* Root complex and clients around host_if; see hif_bench.h. */
#include "hif_bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vtb_dma.h"

#define RD_BACK REC_RD_CQ /* client that reads back */
#define WR_EVENT REC_WR_EQE

static unsigned int below(struct hif_bench *b, unsigned int n)
{
	return (unsigned int)rng_below(&b->tb->rng, n);
}

/* ---- reads ---- */

static void offer_read(struct hif_bench *b, unsigned int c)
{
	struct hif_read *r;
	unsigned int tag = below(b, 64);

	if (c == RD_BACK ? !b->n_back : !rng_percent(&b->tb->rng, b->rd_pct))
		return;
	r = &b->reads[c][tag];
	if (r->open)
		return;
	memset(r, 0, sizeof(*r));
	if (c == RD_BACK) {
		b->n_back--;
		r->back = true;
		r->addr = b->back_addr[b->n_back];
		r->len = b->back_len[b->n_back];
		r->ticket = b->back_ticket[b->n_back];
	} else {
		r->len = b->max_size ? 4096 : 1 + below(b, c ? 256 : 4096);
		r->addr = b->max_size ? 4096 * below(b, 32) : below(b, HIF_RO_BYTES - 4096);
	}
	r->open = true;
	b->rd_shown[c] = (int)tag;
	vtb_put_dma_rd(b->rd_req[c], 0,
		       &(struct rec_dma_rd){
			       .iova = (r->back ? HIF_WR_BASE : HIF_RO_BASE) + r->addr,
			       .len = (uint16_t)r->len,
			       .tag = (uint16_t)tag,
			       .nb_valid = r->back,
			       .not_before = (uint16_t)r->ticket,
			       .epoch = (uint8_t)below(b, 2),
		       });
}

static void take_data(struct hif_bench *b)
{
	struct rec_dma_rsp m = vtb_get_dma_rsp(b->beat_meta, 0);
	struct hif_read *r = &b->reads[m.client % 8][m.tag % 64];
	const uint8_t *want = (r->back ? b->want : b->ro) + r->addr;
	uint8_t data[64];

	vtb_check(b->tb, m.client < 8 && m.tag < 64 && r->open && m.offset + m.nbytes <= r->len);
	vtb_get_bytes(b->beat_data, 0, data, b->bytes);
	for (unsigned int i = 0; i < m.nbytes; i++) {
		vtb_check(b->tb, !r->seen[m.offset + i]++);
		vtb_check_eq(b->tb, data[m.skip + i], want[m.offset + i]);
	}
	r->got += m.nbytes;
	if (!m.last)
		return;
	vtb_check(b->tb, m.err || r->got == r->len);
	r->open = false;
	b->n_reads++;
	b->n_errs += m.err;
	b->rd_bytes += r->got;
}

/* ---- writes ---- */

static unsigned int place(struct hif_bench *b, unsigned int len)
{
	unsigned int gap = b->max_size ? 0 : below(b, 70), addr;

	if (b->used + gap + len > HIF_WR_BYTES)
		return UINT32_MAX;
	addr = b->used + gap;
	b->used = addr + len;
	return addr;
}

static void offer_write(struct hif_bench *b, unsigned int c)
{
	struct hif_write w = { .client = c, .first = true, .free = true };
	struct rec_dma_wr cmd = { 0 };
	unsigned int small;

	if (b->max_size && c)
		return;
	if (c == WR_EVENT ? b->ev_ask || b->ev_put - b->ev_get >= 60 ||
				    !rng_percent(&b->tb->rng, b->ev_pct)
			  : !(c == 0 && b->wr_more) && !rng_percent(&b->tb->rng, b->wr_pct))
		return;
	w.payload = c == 0;
	if (w.payload && b->pool_put - b->pool_get >= HIF_POOL - 1)
		return;
	/* dma_wr_arbiter: how much small data each has */
	small = c == REC_WR_CMP ? 8 : 32;
	if (c == REC_WR_QPC || c == REC_WR_CQC || c == REC_WR_FW)
		small = 64;
	w.len = c == WR_EVENT ? 16
		: c	      ? 1 + below(b, small)
		: b->max_size ? 4096
			      : 1 + below(b, 2048);
	w.addr = place(b, w.len);
	if (w.addr == UINT32_MAX)
		return;
	if (w.payload) {
		w.first = !b->wr_more;
		w.free = b->wr_more || b->max_size || below(b, 2);
		b->wr_more = !w.free;
	}
	rng_bytes(&b->tb->rng, b->want + w.addr, w.len);
	memcpy(cmd.data, b->want + w.addr, w.len < 64 ? w.len : 64);
	cmd.iova = HIF_WR_BASE + w.addr;
	cmd.len = (uint16_t)w.len;
	cmd.epoch = (uint8_t)below(b, 2);
	cmd.payload = w.payload;
	cmd.first = w.first;
	cmd.free = w.free;
	vtb_put_dma_wr(b->wr_cmd[c], 0, &cmd);
	b->wr_shown[c] = w;
	b->wr_busy[c] = true;
}

/* Below 512 bit FW shows the word that is wanted. */
static void show_word(struct hif_bench *b)
{
	const struct hif_write *w = &b->wr_shown[REC_WR_FW];
	unsigned int at = b->bytes * (unsigned int)vtb_get(b->tb, "fw_word_o");
	uint8_t data[64] = { 0 };

	for (unsigned int i = 0; i < b->bytes && at + i < w->len; i++)
		data[i] = b->want[w->addr + at + i];
	vtb_put_bytes(b->wr_cmd[REC_WR_FW], 0, data, sizeof(data));
}

static void write_taken(struct hif_bench *b, unsigned int c)
{
	const struct hif_write *w = &b->wr_shown[c];

	b->wr_busy[c] = false;
	b->n_writes++;
	b->wr_bytes += w->len;
	if (w->payload) {
		b->pool[b->pool_put % HIF_POOL].addr = w->addr;
		b->pool[b->pool_put++ % HIF_POOL].len = w->len;
	}
	if (c == WR_EVENT) {
		b->ev_addr[b->ev_put++ % 64] = w->addr;
		b->ev_ask = true;
	} else if (b->n_back < 64 && !b->max_size) {
		/* A ticket of the merged stream; msix takes events earlier. */
		b->back_addr[b->n_back] = w->addr;
		b->back_len[b->n_back] = w->len;
		b->back_ticket[b->n_back++] = (unsigned int)vtb_read(b->ticket);
	}
}

static void drive_pool(struct hif_bench *b)
{
	unsigned int i = b->pool_get % HIF_POOL, n;
	uint8_t data[64] = { 0 };

	if (!b->pool_shown)
		b->pool_shown = b->pool_get != b->pool_cmd && (b->max_size || below(b, 4));
	vtb_put(b->pd_valid, b->pool_shown);
	if (!b->pool_shown)
		return;
	n = b->pool[i].len - b->pool_pos < b->bytes ? b->pool[i].len - b->pool_pos : b->bytes;
	memcpy(data, b->want + b->pool[i].addr + b->pool_pos, n);
	vtb_put_bytes(b->pd_data, 0, data, b->bytes);
}

static void sample_pool(struct hif_bench *b)
{
	if (b->pool_shown && vtb_read(b->pd_ready)) {
		b->pool_shown = false;
		b->pool_pos += b->bytes;
		if (b->pool_pos >= b->pool[b->pool_get % HIF_POOL].len) {
			b->pool_pos = 0;
			b->pool_get++;
		}
	}
	if (vtb_read(b->pc_valid)) {
		vtb_check_eq(b->tb, vtb_get_bits(b->pc_cmd, REC_POOL_READ_LEN),
			     b->pool[b->pool_cmd % HIF_POOL].len);
		b->pool_cmd++;
	}
}

/* ---- interrupts ---- */

/* Every EQE written before the interrupt was asked for is in memory. */
static void irq(void *arg, unsigned int vector)
{
	struct hif_bench *b = arg;

	b->n_irqs++;
	if (vector != HIF_VECTOR)
		b->bad_irqs++;
	/* The message may stand for several requests, also for ones made after it left the queue of
	 * its EQE. */
	for (; b->ev_get != b->ev_asked; b->ev_get++) {
		unsigned int addr = b->ev_addr[b->ev_get % 64];

		if (memcmp(b->wr + addr, b->want + addr, 16))
			break; /* a later message has to come for it */
	}
}

/* ---- each cycle ---- */

static void forget(struct hif_bench *b)
{
	for (unsigned int c = 0; c < 8; c++) {
		b->rd_shown[c] = -1;
		b->wr_busy[c] = false;
	}
	memset(b->reads, 0, sizeof(b->reads));
	b->wr_more = b->pool_shown = b->ev_ask = false;
	b->pool_put = b->pool_get = b->pool_cmd = b->pool_pos = b->n_back = 0;
	b->ev_get = b->ev_asked = b->ev_put;
}

static void drive(struct vtb *tb, void *arg)
{
	struct hif_bench *b = arg;

	b->now += b->clk_ns;
	vtb_put(b->time_now, b->now);
	sim_pcie_pre(b->pcie, b->now);
	vtb_eval(tb);
	if (!vtb_read(b->core_rst))
		forget(b);
	for (unsigned int c = 0; c < 8; c++) {
		if (b->rd_shown[c] < 0)
			offer_read(b, c);
		vtb_put(b->rd_valid[c], b->rd_shown[c] >= 0);
		if (!b->wr_busy[c])
			offer_write(b, c);
		if (c == REC_WR_FW && b->wr_busy[c] && b->bytes < 64)
			show_word(b);
		vtb_put(b->wr_valid[c], b->wr_busy[c]);
	}
	drive_pool(b);
	vtb_put(b->mx_valid, b->ev_ask);
}

static void sample(struct vtb *tb, void *arg)
{
	struct hif_bench *b = arg;
	unsigned int take_rd = 0, take_wr = 0;

	(void)tb;
	sim_pcie_post(b->pcie);
	for (unsigned int c = 0; c < 8; c++) {
		take_rd |= (unsigned int)(vtb_read(b->rd_valid[c]) & vtb_read(b->rd_ready[c])) << c;
		take_wr |= (unsigned int)(vtb_read(b->wr_valid[c]) & vtb_read(b->wr_ready[c])) << c;
	}
	if (vtb_read(b->beat_valid))
		take_data(b);
	if (b->ev_ask && vtb_read(b->mx_ready)) {
		b->ev_ask = false;
		b->ev_asked++;
	}
	sample_pool(b);
	for (unsigned int c = 0; c < 8; c++) {
		if (take_rd >> c & 1)
			b->rd_shown[c] = -1;
		if (take_wr >> c & 1)
			write_taken(b, c);
	}
}

/* ---- life ---- */

static void report(void *arg, const char *text)
{
	(void)arg;
	print_error("%s\n", text);
}

struct hif_bench *hif_new(bool stress, unsigned int mps, unsigned int mrrs)
{
	static const char *const names[] = {
		"dma_beat_valid_o", "dma_beat_meta_o",	"dma_data_o",	     "dma_ticket_o",
		"pool_cmd_valid_o", "pool_cmd_cmd_o",	"pool_data_valid_i", "pool_data_ready_o",
		"pool_data_data_i", "msix_req_valid_i", "msix_req_ready_o",  "core_rst_no",
		"time_now_i"
	};
	struct hif_bench *b = calloc(1, sizeof(*b));
	const struct sim_port **ports = &b->beat_valid;
	struct sim_pcie_ports pp;
	struct sim_pcie_cfg cfg;
	const char *missing = NULL;

	b->tb = vtb_create();
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ports[i] = vtb_port(b->tb, names[i]);
	for (unsigned int c = 0; c < 8; c++) {
		b->rd_valid[c] = vtb_rd_port(b->tb, "rd_%s_valid_i", c);
		b->rd_req[c] = vtb_rd_port(b->tb, "rd_%s_req_i", c);
		b->rd_ready[c] = vtb_rd_port(b->tb, "rd_%s_ready_o", c);
		b->wr_valid[c] = vtb_wr_port(b->tb, "wr_%s_valid_i", c);
		b->wr_cmd[c] = vtb_wr_port(b->tb, "wr_%s_cmd_i", c);
		b->wr_ready[c] = vtb_wr_port(b->tb, "wr_%s_ready_o", c);
	}
	b->bytes = b->beat_data->width / 8;
	b->clk_ns = b->bytes == 64 ? 4 : 8;
	b->ro = malloc(HIF_RO_BYTES);
	b->wr = malloc(HIF_WR_BYTES);
	b->want = malloc(HIF_WR_BYTES);
	rng_bytes(&b->tb->rng, b->ro, HIF_RO_BYTES);
	memset(b->wr, HIF_BLANK, HIF_WR_BYTES);
	memset(b->want, HIF_BLANK, HIF_WR_BYTES);
	b->mem = sim_mem_new();
	assert_int_equal(sim_mem_add_ptr(b->mem, HIF_RO_BASE, HIF_RO_BYTES, SIM_MEM_READ, b->ro),
			 0);
	assert_int_equal(sim_mem_add_ptr(b->mem, HIF_WR_BASE, HIF_WR_BYTES,
					 SIM_MEM_READ | SIM_MEM_WRITE, b->wr),
			 0);
	(stress ? sim_pcie_cfg_stress : sim_pcie_cfg_default)(&cfg, 8 * b->bytes,
							      (unsigned int)b->clk_ns);
	cfg.mps = mps;
	cfg.mrrs = mrrs;
	cfg.seed = b->tb->seed;
	cfg.n_tags = 256;
	cfg.report = report;
	if (sim_pcie_ports_find(&pp, b->tb->ops, b->tb->dut, &missing))
		vtb_fail(b->tb, "no port %s", missing);
	b->pcie = sim_pcie_new(&cfg, &pp, b->mem);
	assert_non_null(b->pcie);
	sim_pcie_set_irq(b->pcie, irq, b);
	vtb_set(b->tb, "pool_cmd_ready_i", 1);
	vtb_set(b->tb, "tx_quiet_i", 1);
	vtb_set(b->tb, "msix_req_vector_i", HIF_VECTOR);
	forget(b);
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	/* Memory space and bus master on, as the driver's bus layer does. */
	assert_int_equal(sim_pcie_cfg_write(b->pcie, 4, &(uint16_t){ 6 }, 2), 0);
	vtb_run(b->tb, 400);
	return b;
}

void hif_free(struct hif_bench *b)
{
	vtb_check_eq(b->tb, sim_pcie_violations(b->pcie), 0);
	vtb_check_eq(b->tb, b->bad_irqs, 0);
	sim_pcie_free(b->pcie);
	sim_mem_free(b->mem);
	vtb_destroy(b->tb);
	free(b->ro);
	free(b->wr);
	free(b->want);
	free(b);
}

void hif_run(struct hif_bench *b, uint64_t cycles)
{
	vtb_run(b->tb, cycles);
}

static bool clients_quiet(struct hif_bench *b)
{
	if (!vtb_get(b->tb, "idle_o") || b->ev_ask || b->n_back)
		return false;
	for (unsigned int c = 0; c < 8; c++)
		if (b->rd_shown[c] >= 0 || b->wr_busy[c])
			return false;
	return true;
}

void hif_drain(struct hif_bench *b, uint64_t max_cycles)
{
	uint64_t end = b->tb->cycle + max_cycles, still = b->tb->cycle;

	b->rd_pct = b->wr_pct = b->ev_pct = 0;
	while (b->tb->cycle < end) {
		uint64_t deadline;

		vtb_tick(b->tb);
		if (!clients_quiet(b)) {
			still = b->tb->cycle;
			continue;
		}
		if (sim_pcie_idle(b->pcie)) {
			/* Idle: jump to what comes next, as the simulator does. */
			if (!vtb_get(b->tb, "deadline_valid_o"))
				break;
			deadline = vtb_get(b->tb, "deadline_at_o");
			if (deadline > b->now + b->clk_ns)
				b->now += (deadline - b->now - 1) / b->clk_ns * b->clk_ns;
		} else if (b->tb->cycle - still > 2000) {
			/* Completions that were delayed past the timeout. */
			b->now += 1000000;
			still = b->tb->cycle;
		}
	}
	vtb_check(b->tb, b->tb->cycle < end);
	sim_pcie_settle(b->pcie);
	for (unsigned int c = 0; c < 8; c++)
		for (unsigned int t = 0; t < 64; t++)
			vtb_check_eq(b->tb, b->reads[c][t].open, 0);
	for (unsigned int i = 0; i < HIF_WR_BYTES; i++)
		vtb_check_eq(b->tb, b->wr[i], b->want[i]);
}

uint64_t hif_bar_read(struct hif_bench *b, unsigned int bar, uint64_t off, unsigned int size)
{
	uint64_t value = 0;
	struct sim_pcie_read r = { .bar = bar, .off = off, .size = size, .buf = &value };

	vtb_check_eq(b->tb, sim_pcie_mmio_read(b->pcie, &r), 0);
	vtb_run_until(b->tb, r.status != -EINPROGRESS, 20000);
	vtb_check_eq(b->tb, r.status, 0);
	return value;
}
