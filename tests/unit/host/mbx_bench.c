/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings of cmd_mailbox: see mbx_bench.h. */
#include "mbx_bench.h"

#include <string.h>


/* ---- what the device asks for ---- */

static bool counted_down(int *in)
{
	return *in >= 0 && (*in)-- == 0;
}

static void sample_read(struct mbx_bench *b)
{
	struct mbx_line *l = b->lines;
	unsigned int live = 1, iova = (unsigned int)vtb_get_bits(b->rd_req, REC_DMA_RD_IOVA);

	for (unsigned int i = 0; i < MBX_LINES; i++)
		live += b->lines[i].live;
	vtb_check(b->tb, live <= MBX_LINES);
	while (l->live)
		l++;
	*l = (struct mbx_line){
		.live = true,
		.err = counted_down(&b->fail_in),
		.cut = counted_down(&b->cut_in) ? b->cut_at : 0,
		.tag = (unsigned int)vtb_get_bits(b->rd_req, REC_DMA_RD_TAG),
		.addr = iova,
		.len = (unsigned int)vtb_get_bits(b->rd_req, REC_DMA_RD_LEN),
		.due = b->tb->cycle + b->latency,
	};
	vtb_check(b->tb, l->addr % 4 == 0 && l->len % 4 == 0 && l->len);
	vtb_check(b->tb, l->addr % MBX_LINE + l->len <= MBX_LINE);
	vtb_check(b->tb, l->addr + l->len <= MBX_HOST_BYTES);
	for (struct mbx_line *other = b->lines; other < b->lines + MBX_LINES; other++)
		vtb_check(b->tb, other == l || !other->live || other->tag != l->tag);
	b->n_rd++;
	if (live > b->max_lines)
		b->max_lines = live;
}

static void sample_write(struct mbx_bench *b)
{
	unsigned int addr = (unsigned int)vtb_get_bits(b->wr_cmd, REC_DMA_WR_IOVA),
		     len = (unsigned int)vtb_get_bits(b->wr_cmd, REC_DMA_WR_LEN);
	uint8_t data[64];

	/* what dma_write sees, word by word */
	for (unsigned int at = 0; at < sizeof(data); at += b->bytes) {
		vtb_set(b->tb, "word_i", at / b->bytes);
		vtb_eval(b->tb);
		vtb_get_bytes(b->wr_cmd, 0, data + at, b->bytes);
	}
	vtb_check_eq(b->tb, vtb_get_bits(b->wr_cmd, REC_DMA_WR_PAYLOAD), 0);
	vtb_check(b->tb, len && addr % MBX_LINE + len <= MBX_LINE && addr + len <= MBX_HOST_BYTES);
	memcpy(b->host + addr, data, len);
	b->n_wr++;
}

/* The port must not stand on anything but its place; a word that is read is there for one cycle. */
static void sample_ram(struct mbx_bench *b)
{
	unsigned int at = 4 * (unsigned int)vtb_get(b->tb, "ram_addr_o");
	uint32_t word = (uint32_t)vtb_get(b->tb, "ram_wdata_o");

	b->ram_read = false;
	if (!vtb_get(b->tb, "ram_valid_o") || !vtb_get(b->tb, "ram_ready_i"))
		return;
	b->n_ram++;
	if (vtb_get(b->tb, "ram_we_o")) {
		memcpy(b->ram + at, &word, 4);
		return;
	}
	b->ram_read = true;
	memcpy(&b->ram_word, b->ram + at, 4);
}

static void sample_load(struct mbx_bench *b)
{
	uint32_t want;

	if (vtb_get(b->tb, "load_word_o")) {
		vtb_check(b->tb, vtb_get(b->tb, "load_go_i") && !b->load_ends);
		memcpy(&want, b->host + b->load_iova + 4 * b->load_words++, 4);
		vtb_check_eq(b->tb, vtb_get(b->tb, "load_data_o"), want);
	}
	if (!vtb_get(b->tb, "load_over_o"))
		return;
	vtb_check(b->tb, vtb_get(b->tb, "load_go_i"));
	b->load_ends++;
	b->load_err = vtb_get(b->tb, "load_err_o");
}

static void sample(struct vtb *tb, void *arg)
{
	struct mbx_bench *b = arg;

	if (vtb_get(tb, "rd_valid_o") && vtb_get(tb, "rd_ready_i"))
		sample_read(b);
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i"))
		sample_write(b);
	if (vtb_get(tb, "msix_valid_o") && vtb_get(tb, "msix_ready_i")) {
		b->wr_at_vector[b->n_vectors] = b->n_wr;
		b->vectors[b->n_vectors++ % 64] = (unsigned int)vtb_get(tb, "msix_vector_o");
	}
	sample_ram(b);
	sample_load(b);
}

/* ---- what it gets ---- */

/*
 * One beat of a line; a line that fails may give some of its data before.  A completion begins a
 * beat, wherever in the line that is.
 */
static void answer(struct mbx_bench *b, struct mbx_line *l)
{
	struct vtb *tb = b->tb;
	unsigned int left = l->len - l->sent, n = left < b->bytes ? left : b->bytes;
	bool over;
	uint8_t data[64];

	for (unsigned int at = l->sent + 4; at < l->sent + n; at += 4)
		if (l->cut >> at / 4 & 1)
			n = at - l->sent;
	if (l->err && (n == left || rng_percent(&tb->rng, 30)))
		n = rng_percent(&tb->rng, 50) ? 0 : n;
	over = n == left || (l->err && !n);
	rng_bytes(&tb->rng, data, sizeof(data));
	memcpy(data, b->host + l->addr + l->sent, n);
	vtb_put_bytes(b->rsp_data, 0, data, b->bytes);
	vtb_put_bits(b->rsp_meta, REC_DMA_RSP_ERR, l->err && over);
	vtb_put_bits(b->rsp_meta, REC_DMA_RSP_LAST, over);
	vtb_put_bits(b->rsp_meta, REC_DMA_RSP_NBYTES, n);
	vtb_put_bits(b->rsp_meta, REC_DMA_RSP_SKIP, 0);
	vtb_put_bits(b->rsp_meta, REC_DMA_RSP_OFFSET, l->sent);
	vtb_put_bits(b->rsp_meta, REC_DMA_RSP_TAG, l->tag);
	vtb_put_bits(b->rsp_meta, REC_DMA_RSP_CLIENT, REC_RD_FW);
	vtb_set(tb, "beat_valid_i", 1);
	l->sent += n;
	l->live = !over;
}

static void drive(struct vtb *tb, void *arg)
{
	struct mbx_bench *b = arg;
	struct mbx_line *due[MBX_LINES];
	unsigned int n = 0;
	uint8_t data[64];

	vtb_set(tb, "rd_ready_i", !rng_percent(&tb->rng, b->busy_pct));
	vtb_set(tb, "wr_ready_i", !b->hold_wr && !rng_percent(&tb->rng, b->busy_pct));
	vtb_set(tb, "msix_ready_i", !b->hold_msix && !rng_percent(&tb->rng, b->busy_pct));
	vtb_set(tb, "ram_ready_i", !rng_percent(&tb->rng, b->ram_busy_pct));
	vtb_set(tb, "ram_rdata_i", b->ram_read ? b->ram_word : (uint32_t)rng_u64(&tb->rng));
	for (unsigned int i = 0; i < MBX_LINES; i++)
		if (b->lines[i].live && b->lines[i].due <= tb->cycle)
			due[n++] = &b->lines[i];
	vtb_set(tb, "beat_valid_i", 0);
	if (!b->hold_rsp && n && !rng_percent(&tb->rng, b->busy_pct)) {
		answer(b, due[rng_below(&tb->rng, n)]);
	} else if (rng_percent(&tb->rng, 20)) { /* somebody else's beat */
		rng_bytes(&tb->rng, data, sizeof(data));
		vtb_put_bytes(b->rsp_data, 0, data, b->bytes);
		vtb_put_bits(b->rsp_meta, 0, REC_DMA_RSP_W, rng_u64(&tb->rng) >> 24);
		vtb_put_bits(b->rsp_meta, REC_DMA_RSP_CLIENT, rng_below(&tb->rng, REC_RD_FW));
		vtb_set(tb, "beat_valid_i", 1);
	}
}

struct mbx_bench *mbx_new(void)
{
	struct mbx_bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	b->fail_in = b->cut_in = -1;
	b->rd_req = vtb_port(b->tb, "rd_req_o");
	b->rsp_meta = vtb_port(b->tb, "beat_meta_i");
	b->rsp_data = vtb_port(b->tb, "beat_data_i");
	b->wr_cmd = vtb_port(b->tb, "wr_cmd_o");
	b->bytes = b->rsp_data->width / 8;
	rng_bytes(&b->tb->rng, b->host, sizeof(b->host));
	rng_bytes(&b->tb->rng, b->ram, sizeof(b->ram));
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

void mbx_free(struct mbx_bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

/* ---- the core ---- */

uint32_t mbx_access(struct mbx_bench *b, bool we, unsigned int addr, uint32_t data,
		    unsigned int strb)
{
	uint32_t value;

	vtb_set(b->tb, "mmio_valid_i", 1);
	vtb_set(b->tb, "mmio_we_i", we);
	vtb_set(b->tb, "mmio_addr_i", addr);
	vtb_set(b->tb, "mmio_wdata_i", data);
	vtb_set(b->tb, "mmio_wstrb_i", strb);
	for (unsigned int i = 0;; i++) {
		vtb_eval(b->tb);
		value = (uint32_t)vtb_get(b->tb, "mmio_rdata_o");
		if (vtb_get(b->tb, "mmio_ready_o"))
			break;
		vtb_check(b->tb, i < 5000);
		vtb_tick(b->tb);
	}
	vtb_tick(b->tb);
	vtb_set(b->tb, "mmio_valid_i", 0);
	if (rng_percent(&b->tb->rng, 50)) /* or the next one at once */
		vtb_tick(b->tb);
	return value;
}

uint32_t mbx_get(struct mbx_bench *b, unsigned int addr)
{
	return mbx_access(b, false, addr, 0, 0);
}

void mbx_put(struct mbx_bench *b, unsigned int addr, uint32_t data)
{
	mbx_access(b, true, addr, data, 0xf);
}

void mbx_start(struct mbx_bench *b, unsigned int slot, uint32_t flags, unsigned int iova,
	       unsigned int len, unsigned int ram)
{
	mbx_put(b, DMA + CAIRN_REG_DMA_IOVA, iova);
	mbx_put(b, DMA + CAIRN_REG_DMA_IOVA + 4, 0);
	mbx_put(b, DMA + CAIRN_REG_DMA_LEN, len);
	mbx_put(b, DMA + CAIRN_REG_DMA_RAM, ram);
	mbx_put(b, DMA + CAIRN_REG_DMA_START, CAIRN_PUT(CAIRN_REG_DMA_START_SLOT, slot) | flags);
}

unsigned int mbx_finish(struct mbx_bench *b, unsigned int slots)
{
	uint32_t done;

	vtb_run_until(b->tb, vtb_get(b->tb, "irq_dma_o"), 20000);
	do
		done = mbx_get(b, DMA + CAIRN_REG_DMA_DONE);
	while ((done & slots) != slots);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_BUSY) & slots, 0);
	mbx_put(b, DMA + CAIRN_REG_DMA_DONE, slots);
	return done >> 8 & slots;
}
