// SPDX-License-Identifier: Apache-2.0
/* See host.h. */
#include "host.h"

#include <string.h>

static void take(struct host *h)
{
	struct rec_dma_rd q;

	if (!vtb_get(h->tb, "rd_valid_o") || !vtb_get(h->tb, "rd_ready_i"))
		return;
	q = vtb_get_dma_rd(vtb_port(h->tb, "rd_req_o"), 0);
	for (unsigned int i = 0; i < 64; i++) {
		if (h->rd[i].used)
			continue;
		h->rd[i].used = true;
		h->rd[i].tag = q.tag;
		h->rd[i].len = q.len;
		h->rd[i].iova = q.iova;
		h->rd[i].off = 0;
		h->rd[i].bad = rng_percent(&h->tb->rng, h->fail);
		h->rd[i].due = h->tb->cycle + 1 + rng_below(&h->tb->rng, h->latency + 1);
		vtb_check(h->tb, h->rd[i].len && h->rd[i].iova + h->rd[i].len <= HOST_BYTES);
		for (unsigned int k = 0; k < 64; k++)
			vtb_check(h->tb, k == i || !h->rd[k].used || h->rd[k].tag != h->rd[i].tag);
		h->n_read++;
		return;
	}
	vtb_fail(h->tb, "more reads than a client may have");
}

static void answer(struct host *h)
{
	struct vtb *tb = h->tb;
	const struct sim_port *meta = vtb_port(tb, "beat_meta_i"),
			      *data = vtb_port(tb, "beat_data_i");
	unsigned int start = (unsigned int)rng_below(&tb->rng, 64), i, n = 0;
	struct rec_dma_rsp m = { .client = (uint8_t)h->client };
	uint8_t beat[64];
	bool last = false;

	vtb_set(tb, "rd_ready_i", !rng_percent(&tb->rng, h->busy));
	vtb_set(tb, "beat_valid_i", 0);
	for (i = 0; i < 64; i++) {
		unsigned int k = (start + i) % 64;

		if (h->rd[k].used && h->rd[k].due <= tb->cycle) {
			i = k;
			goto found;
		}
	}
	if (!rng_percent(&tb->rng, 30))
		return;
	vtb_set(tb, "beat_valid_i", 1); /* somebody else's */
	vtb_put_bits(meta, 0, REC_DMA_RSP_W, rng_u64(&tb->rng) & ((1ull << REC_DMA_RSP_W) - 1));
	vtb_put_bits(meta, REC_DMA_RSP_CLIENT, (h->client + 1) & 7);
	vtb_put_bits(meta, REC_DMA_RSP_TAG, rng_below(&tb->rng, 80));
	return;
found:
	n = h->rd[i].len - h->rd[i].off;
	if (n > h->width)
		n = h->width;
	rng_bytes(&tb->rng, beat, sizeof(beat));
	memcpy(beat, h->mem + h->rd[i].iova + h->rd[i].off, n);
	last = h->rd[i].off + n == h->rd[i].len;
	vtb_put_bytes(data, 0, beat, h->width);
	vtb_set(tb, "beat_valid_i", 1);
	m.tag = (uint16_t)h->rd[i].tag;
	m.offset = (uint16_t)h->rd[i].off;
	m.nbytes = (uint8_t)n;
	m.last = last;
	m.err = last && h->rd[i].bad;
	vtb_put_dma_rsp(meta, 0, &m);
	h->rd[i].off += n;
	h->rd[i].due = tb->cycle + 1 + rng_below(&tb->rng, 3);
	h->rd[i].used = !last;
}

static void drive(struct vtb *tb, void *arg)
{
	(void)tb;
	answer(arg);
}

static void sample(struct vtb *tb, void *arg)
{
	(void)tb;
	take(arg);
}

void host_init(struct host *h, struct vtb *tb, unsigned int client)
{
	memset(h, 0, sizeof(*h));
	h->tb = tb;
	h->client = client;
	h->width = vtb_port(tb, "beat_data_i")->width / 8;
	h->latency = 40;
	vtb_on_drive(tb, drive, h);
	vtb_on_sample(tb, sample, h);
}

struct rec_dma_wr host_write(struct host *h, const char *port)
{
	struct rec_dma_wr w = vtb_get_dma_wr(vtb_port(h->tb, port), 0);

	vtb_check(h->tb, !w.payload && !w.first && !w.free && !w.relaxed);
	vtb_check(h->tb, w.len && w.len <= sizeof(w.data) && w.iova + w.len <= HOST_BYTES);
	memcpy(h->mem + w.iova, w.data, w.len);
	h->ticket++;
	return w;
}
