/* SPDX-License-Identifier: Apache-2.0 */
/* Clients and host of dma_read; see rd_bench.h. */
#include "rd_bench.h"

#include <stdlib.h>

#include "vtb_dma.h"

static unsigned int log2u(unsigned int v)
{
	return (unsigned int)__builtin_ctz(v);
}

/* Each request lives in 16 KiB of its own, every other one above 4 GiB. */
static uint64_t region(unsigned int index)
{
	return (uint64_t)(index + 1) << 14 | (index & 1 ? 0x5a5a0000000000ULL : 0);
}

struct rd_req *rd_ask(struct rd_bench *b, unsigned int client, unsigned int len, unsigned int off)
{
	struct rd_req *r = &b->reqs[b->n_reqs];
	struct rng *rng = &b->tb->rng;

	vtb_check(b->tb, b->n_reqs < RD_MAX_REQS);
	if (!len) {
		len = rng_percent(rng, 40)   ? (unsigned int)rng_range(rng, 1, 64)
		      : rng_percent(rng, 50) ? (unsigned int)rng_range(rng, 1, 600)
					     : (unsigned int)rng_range(rng, 1, 4096);
		off = rng_percent(rng, 30) ? 4096 - (unsigned int)rng_below(rng, len + 1)
					   : (unsigned int)rng_below(rng, 4096);
	}
	r->addr = region(b->n_reqs++) + off;
	r->len = len;
	r->client = client;
	r->epoch = rng_percent(rng, 50);
	return r;
}

static struct rd_req *owner_of(struct rd_bench *b, uint64_t addr)
{
	unsigned int index = (unsigned int)((addr & 0xffffffff) >> 14) - 1;

	vtb_check(b->tb, index < b->n_reqs);
	return &b->reqs[index];
}

/* ---- clients ---- */

static struct rd_req *next_req(struct rd_bench *b, unsigned int client)
{
	while (b->head[client] < b->n_reqs) {
		struct rd_req *r = &b->reqs[b->head[client]];
		unsigned int tag;

		if (r->client != client) {
			b->head[client]++;
			continue;
		}
		for (tag = (unsigned int)rng_below(&b->tb->rng, 4096); b->open[client][tag];
		     tag = (tag + 1) % 4096)
			;
		r->tag = tag;
		b->open[client][tag] = r;
		b->head[client]++;
		return r;
	}
	return NULL;
}

static void drive_clients(struct rd_bench *b)
{
	for (unsigned int c = 0; c < RD_CLIENTS; c++) {
		struct rd_req *r = b->shown[c];

		if (!r && !rng_percent(&b->tb->rng, b->req_idle)) {
			r = b->shown[c] = next_req(b, c);
			if (r) {
				struct rec_dma_rd req = {
					.iova = r->addr,
					.len = (uint16_t)r->len,
					.tag = (uint16_t)r->tag,
					.nb_valid = r->use_ticket,
					.not_before = (uint16_t)r->ticket,
					.epoch = r->epoch,
				};

				vtb_put_dma_rd(b->rd_req[c], 0, &req);
			}
		}
		vtb_put(b->rd_valid[c], r != NULL);
	}
}

static void sample_clients(struct rd_bench *b)
{
	for (unsigned int c = 0; c < RD_CLIENTS; c++) {
		if (!b->shown[c] || !vtb_read(b->rd_ready[c]))
			continue;
		b->shown[c]->taken = true;
		b->shown[c]->t_taken = b->tb->cycle;
		b->shown[c] = NULL;
	}
}

static void sample_rsp(struct rd_bench *b)
{
	struct vtb *tb = b->tb;
	struct rec_dma_rsp m;
	struct rd_req *r;
	uint8_t data[64];

	if (!vtb_read(b->beat_valid))
		return;
	m = vtb_get_dma_rsp(b->beat_meta, 0);
	b->n_rsp++;
	b->rsp_bytes += m.nbytes;
	b->last_rsp = tb->cycle;
	vtb_check(tb, m.client < RD_CLIENTS);
	r = b->open[m.client][m.tag];
	vtb_check(tb, r && r->taken && !r->done);
	vtb_check(tb, m.skip + m.nbytes <= b->bytes && m.offset + m.nbytes <= r->len);
	vtb_get_bytes(b->beat_data, 0, data, b->bytes);
	for (unsigned int i = 0; i < m.nbytes; i++) {
		vtb_check_eq(tb, r->seen[m.offset + i], 0);
		r->seen[m.offset + i] = 1;
		vtb_check_eq(tb, data[m.skip + i], host_byte(r->addr + m.offset + i));
	}
	r->got += m.nbytes;
	r->err = m.err;
	r->done = m.last;
	vtb_check(tb, !r->err || r->done);
	vtb_check(tb, m.nbytes || r->err);
	if (r->done) {
		r->t_done = tb->cycle;
		b->open[m.client][m.tag] = NULL;
		b->n_done++;
		vtb_check_eq(tb, r->err, r->bad);
		vtb_check(tb, r->err || r->got == r->len);
	}
}

/* ---- host ---- */

static void sample_mrd(struct rd_bench *b)
{
	struct vtb *tb = b->tb;
	struct tlp_hdr h;
	struct tlp_mem m;
	struct rd_read *rd;

	if (!vtb_read(b->mrd_valid) || !vtb_read(b->mrd_ready))
		return;
	h = tlp_get_hdr(b->mrd_hdr);
	m = tlp_mem_decode(&h);
	tlp_mem_check(tb, &m, false, b->mrrs);
	vtb_check_eq(tb, m.reqid, 0x1234);
	rd = &b->reads[m.tag];
	vtb_check(tb, !rd->live);
	vtb_check(tb, !b->narrow || m.tag < 32);
	if (vtb_read(b->mrd_drop)) {
		owner_of(b, m.first)->bad = true;
		return;
	}
	*rd = (struct rd_read){ .live = true, .first = m.first, .bytes = m.bytes };
	rd->req = owner_of(b, m.first);
	rd->req->mrds++;
	vtb_check(tb,
		  m.first >= rd->req->addr && m.first + m.bytes <= rd->req->addr + rd->req->len);
	rd->at = tb->cycle + rng_range(&tb->rng, b->lat_min, b->lat_max);
	rd->fault = b->manual_faults ? b->next_fault
		    : rng_percent(&tb->rng, b->fault_pct)
			    ? (enum rd_fault)rng_range(&tb->rng, RD_UR, RD_FAULTS - 1)
			    : RD_OK;
	if (b->manual_faults)
		b->next_fault = RD_OK;
	if (rd->fault == RD_CUT && m.length * 4 <= b->bytes)
		rd->fault = RD_CA; /* nothing to cut */
	if (rd->fault != RD_OK)
		rd->req->bad = true;
	if (b->n_mrd < sizeof(b->mrd_client)) {
		b->mrd_cycle[b->n_mrd] = tb->cycle;
		b->mrd_client[b->n_mrd] = (uint8_t)rd->req->client;
	}
	b->n_mrd++;
	b->n_mrd_bytes += m.bytes;
	if (++b->n_live > b->max_live)
		b->max_live = b->n_live;
}

static void end_read(struct rd_bench *b, struct rd_read *rd)
{
	rd->live = false;
	b->n_live--;
}

/* Bytes of the next completion: up to a random boundary, at most MPS. */
static unsigned int piece(struct rd_bench *b, const struct rd_read *rd)
{
	uint64_t at = rd->first + rd->sent, end = rd->first + rd->bytes;
	uint64_t block = at / b->rcb * b->rcb;
	unsigned int blocks = (unsigned int)rng_range(&b->tb->rng, 1, b->mps / b->rcb);
	uint64_t stop = b->in_order ? at / b->mps * b->mps + b->mps
				    : block + (uint64_t)blocks * b->rcb;

	return (unsigned int)((stop < end ? stop : end) - at);
}

/*
 * Make completion c, of the last `left` bytes, at an address with DW offset `skip`, faulty.  True
 * if the host sends nothing more for its tag.
 */
static bool spoil(struct rd_bench *b, enum rd_fault fault, struct tlp_cpl *c, uint64_t at,
		  unsigned int left, unsigned int skip, bool last)
{
	struct rng *rng = &b->tb->rng;

	switch (fault) {
	case RD_UR:
	case RD_CA:
		c->status = fault == RD_UR ? CAIRN_CPL_STATUS_UR : CAIRN_CPL_STATUS_CA;
		c->data = false;
		c->dw = 0;
		b->cpl.beats = 1;
		return true;
	case RD_NODATA:
		c->data = false;
		b->cpl.beats = 1;
		return last;
	case RD_POISON:
		c->poison = true;
		memset(b->cpl.data, 0x55, sizeof(b->cpl.data));
		return last;
	case RD_COUNT: /* more pieces follow, for a tag in quarantine */
		c->byte_count = (left + (rng_percent(rng, 50) ? 4096 - 4 : 4)) & 0xfff;
		return (c->byte_count ? c->byte_count : 4096) <= 4 * c->dw - skip;
	case RD_LOWER:
		c->lower ^= 0x10;
		return last;
	case RD_LONG: /* a completion is never longer than 4096 bytes */
		if (c->dw < 1022)
			c->dw += 1 + (unsigned int)rng_below(rng, 3);
		else
			c->byte_count ^= 4;
		b->cpl.beats = (4 * c->dw + b->bytes - 1) / b->bytes;
		break;
	case RD_CUT:
		if (b->cpl.beats > 1) {
			b->cpl.beats--;
			break;
		}
		/* All of the beat counts as data, it was said to go on. */
		for (unsigned int i = 4 * c->dw; i < b->bytes; i++)
			b->cpl.data[i] = host_byte(at + i - skip);
		c->dw += b->bytes / 4;
		break;
	default:
		break;
	}
	return last || left <= 4 * c->dw - skip;
}

static void begin_cpl(struct rd_bench *b, struct rd_read *rd)
{
	unsigned int n = piece(b, rd), skip, left = rd->bytes - rd->sent;
	uint64_t at = rd->first + rd->sent;
	struct tlp_cpl c = {
		.tag = (unsigned int)(rd - b->reads),
		.byte_count = left & 0xfff,
		.lower = at & 0x7f,
		.data = true,
	};
	bool last = n == left, over = last;

	/* A fault hits any piece but for those that need the last or the first. */
	bool hit = rd->fault != RD_OK &&
		   (last || (rd->fault != RD_LONG && rng_percent(&b->tb->rng, 40)));

	skip = at & 3;
	c.dw = (skip + n + 3) / 4;
	memset(b->cpl.data, 0xee, sizeof(b->cpl.data));
	for (unsigned int i = 0; i < n; i++)
		b->cpl.data[skip + i] = host_byte(at + i);
	b->cpl.beats = (4 * c.dw + b->bytes - 1) / b->bytes;
	if (hit) {
		over = spoil(b, rd->fault, &c, at, left, skip, last);
		rd->dead = !over && rd->fault != RD_POISON;
		rd->fault = RD_OK;
	}
	b->cpl.hdr = tlp_cpl_encode(&c);
	b->cpl.beat = 0;
	b->cpl.busy = true;
	rd->sent += n;
	if (over || last)
		end_read(b, rd);
}

static void next_cpl(struct rd_bench *b)
{
	struct rd_read *ready[RD_MAX_TAGS], *best = NULL;
	unsigned int n = 0;

	if (b->hold)
		return;
	for (unsigned int t = 0; t < RD_MAX_TAGS; t++) {
		struct rd_read *rd = &b->reads[t];

		if (!rd->live || rd->fault == RD_LOST || rd->at > b->tb->cycle)
			continue;
		ready[n++] = rd;
		if (!best || rd->at < best->at)
			best = rd;
	}
	if (n)
		begin_cpl(b, b->in_order ? best : ready[rng_below(&b->tb->rng, n)]);
}

void rd_stray(struct rd_bench *b, unsigned int tag, unsigned int dw)
{
	struct tlp_cpl c = { .tag = tag, .byte_count = 4 * dw, .dw = dw, .data = true };

	vtb_run_until(b->tb, !b->cpl.busy, 1000);
	b->cpl.hdr = tlp_cpl_encode(&c);
	b->cpl.beats = (4 * dw + b->bytes - 1) / b->bytes;
	b->cpl.beat = 0;
	b->cpl.busy = true;
	vtb_run_until(b->tb, !b->cpl.busy, 1000);
}

static void drive_cpl(struct rd_bench *b)
{
	struct rng *rng = &b->tb->rng;

	if (!b->cpl.busy)
		next_cpl(b);
	if (!b->cpl.shown)
		b->cpl.shown = b->cpl.busy && !rng_percent(rng, b->cpl_gap);
	vtb_put(b->cpl_valid, b->cpl.shown);
	if (!b->cpl.shown)
		return;
	vtb_put(b->cpl_sop, b->cpl.beat == 0);
	vtb_put(b->cpl_last, b->cpl.beat == b->cpl.beats - 1);
	tlp_put_hdr(b->cpl_hdr, &b->cpl.hdr);
	vtb_put_bytes(b->cpl_data, 0, b->cpl.data + b->cpl.beat * b->bytes, b->bytes);
}

static void sample_cpl(struct rd_bench *b)
{
	if (!b->cpl.shown || !vtb_read(b->cpl_ready))
		return;
	b->cpl.shown = false;
	if (++b->cpl.beat < b->cpl.beats)
		return;
	b->cpl.busy = b->cpl.twice;
	b->cpl.twice = false;
	b->cpl.beat = 0;
}

static void drive(struct vtb *tb, void *arg)
{
	struct rd_bench *b = arg;

	if (b->run_time)
		b->now += b->clk_ns;
	vtb_put(b->time_now, b->now);
	drive_clients(b);
	vtb_put(b->mrd_ready, b->bme_off || !rng_percent(&tb->rng, b->mrd_stall));
	vtb_put(b->mrd_drop, b->bme_off);
	drive_cpl(b);
}

static void sample(struct vtb *tb, void *arg)
{
	struct rd_bench *b = arg;

	(void)tb;
	sample_clients(b);
	sample_mrd(b);
	sample_cpl(b);
	sample_rsp(b);
	b->ev_rd += vtb_read(b->ev[0]);
	b->ev_bytes += vtb_get(b->tb, "events_dma_rd_bytes_o");
	b->ev_err += vtb_read(b->ev[1]);
	b->ev_timeout += vtb_read(b->ev[2]);
	b->ev_unexpected += vtb_read(b->ev[3]);
}

/* ---- life ---- */

/* What was made ready before is still of the old kind. */
void rd_bench_narrow(struct rd_bench *b, bool narrow)
{
	b->narrow = false;
	vtb_set(b->tb, "ext_tag_i", !narrow);
	vtb_run(b->tb, b->mrd_stall ? 60 : 2);
	b->narrow = narrow;
}

struct rd_bench *rd_bench_new(unsigned int mrrs, unsigned int mps)
{
	struct rd_bench *b = calloc(1, sizeof(*b));
	struct vtb *tb = vtb_create();
	static const char *const names[] = {
		"beat_valid_o", "beat_meta_o",	"beat_data_o",	   "mrd_valid_o", "mrd_ready_i",
		"mrd_drop_i",	"mrd_hdr_o",	"cpl_valid_i",	   "cpl_ready_o", "cpl_sop_i",
		"cpl_last_i",	"cpl_hdr_i",	"cpl_data_i",	   "time_now_i",  "events_dma_rd_o",
		"events_dma_rd_cpl_dma_rd_err_o", "events_dma_rd_cpl_dma_rd_timeout_o",
		"events_dma_rd_cpl_cpl_unexpected_o", "events_stall_dma_rd_o"
	};
	const struct sim_port **ports = &b->beat_valid;

	b->tb = tb;
	b->reqs = calloc(RD_MAX_REQS, sizeof(*b->reqs));
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ports[i] = vtb_port(tb, names[i]);
	for (unsigned int c = 0; c < RD_CLIENTS; c++) {
		b->rd_valid[c] = vtb_rd_port(tb, "rd_%s_valid_i", c);
		b->rd_req[c] = vtb_rd_port(tb, "rd_%s_req_i", c);
		b->rd_ready[c] = vtb_rd_port(tb, "rd_%s_ready_o", c);
	}
	b->bytes = b->beat_data->width / 8;
	b->mrrs = mrrs;
	b->mps = mps;
	b->rcb = 64;
	b->lat_min = 20;
	b->lat_max = 60;
	b->clk_ns = 4;
	b->run_time = true;
	vtb_set(tb, "mrrs_i", log2u(mrrs) - 7);
	vtb_set(tb, "reqid_i", 0x1234);
	rd_bench_narrow(b, false);
	vtb_on_drive(tb, drive, b);
	vtb_on_sample(tb, sample, b);
	vtb_run(tb, 300); /* free lists are being filled */
	return b;
}

void rd_bench_free(struct rd_bench *b)
{
	vtb_destroy(b->tb);
	free(b->reqs);
	free(b);
}

void rd_finish(struct rd_bench *b, uint64_t max_cycles)
{
	uint64_t bytes = 0;
	unsigned int errs = 0;

	vtb_run_until(b->tb, b->n_done == b->n_reqs, max_cycles);
	vtb_run(b->tb, 50);
	for (unsigned int i = 0; i < b->n_reqs; i++) {
		bytes += b->reqs[i].len;
		errs += b->reqs[i].err;
	}
	if (!errs)
		vtb_check_eq(b->tb, b->rsp_bytes, bytes);
	vtb_check_eq(b->tb, b->ev_rd, b->n_mrd);
	vtb_check_eq(b->tb, b->ev_bytes, b->n_mrd_bytes);
	vtb_check_eq(b->tb, vtb_get(b->tb, "epoch_busy_o"), 0);
}
