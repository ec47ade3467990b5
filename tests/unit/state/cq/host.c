// SPDX-License-Identifier: Apache-2.0
/* See host.h. Records as in rtl/hw/cairn_int_pkg.sv (dma_rd_t, dma_rsp_t, dma_wr_t). */
#include "host.h"

#include <string.h>

uint64_t host_bits(const uint8_t *v, unsigned int lsb, unsigned int n)
{
	uint64_t x = 0;

	for (unsigned int i = 0; i < n; i++)
		x |= (uint64_t)(v[(lsb + i) / 8] >> ((lsb + i) % 8) & 1) << i;
	return x;
}

static void take(struct host *h)
{
	uint8_t v[15];

	if (!vtb_get(h->tb, "rd_valid_o") || !vtb_get(h->tb, "rd_ready_i"))
		return;
	vtb_get_bytes(vtb_port(h->tb, "rd_req_o"), 0, v, 14);
	for (unsigned int i = 0; i < 64; i++) {
		if (h->rd[i].used)
			continue;
		h->rd[i].used = true;
		h->rd[i].tag = (unsigned int)host_bits(v, 18, 12);
		h->rd[i].len = (unsigned int)host_bits(v, 30, 13);
		h->rd[i].iova = host_bits(v, 43, 64);
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
	const struct sim_port *meta = vtb_port(tb, "rsp_meta_i"),
			      *data = vtb_port(tb, "rsp_data_i");
	unsigned int start = (unsigned int)rng_below(&tb->rng, 64), client = h->client, i, n = 0;
	uint8_t beat[64];
	bool last = false;

	vtb_set(tb, "rd_ready_i", !rng_percent(&tb->rng, h->busy));
	vtb_set(tb, "rsp_valid_i", 0);
	for (i = 0; i < 64; i++) {
		unsigned int k = (start + i) % 64;

		if (h->rd[k].used && h->rd[k].due <= tb->cycle) {
			i = k;
			goto found;
		}
	}
	if (!rng_percent(&tb->rng, 30))
		return;
	vtb_set(tb, "rsp_valid_i", 1); /* somebody else's */
	vtb_put_bits(meta, 36, 4, (h->client + 1) & 7);
	vtb_put_bits(meta, 24, 12, rng_below(&tb->rng, 80));
	vtb_put_bits(meta, 0, 24, rng_u64(&tb->rng) & 0xffffff);
	return;
found:
	n = h->rd[i].len - h->rd[i].off;
	if (n > h->width)
		n = h->width;
	rng_bytes(&tb->rng, beat, sizeof(beat));
	memcpy(beat, h->mem + h->rd[i].iova + h->rd[i].off, n);
	last = h->rd[i].off + n == h->rd[i].len;
	vtb_put_bytes(data, 0, beat, h->width);
	vtb_set(tb, "rsp_valid_i", 1);
	vtb_put_bits(meta, 36, 4, client);
	vtb_put_bits(meta, 24, 12, h->rd[i].tag);
	vtb_put_bits(meta, 11, 13, h->rd[i].off);
	vtb_put_bits(meta, 9, 2, 0);
	vtb_put_bits(meta, 2, 7, n);
	vtb_put_bits(meta, 1, 1, last);
	vtb_put_bits(meta, 0, 1, last && h->rd[i].bad);
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
	h->width = vtb_port(tb, "rsp_data_i")->width / 8;
	h->latency = 40;
	vtb_on_drive(tb, drive, h);
	vtb_on_sample(tb, sample, h);
}

/* dma_wr_t from the bottom: data 512, off 8, cell 12, free, first, payload, relaxed, epoch, len 13,
 * iova 64, func 8. */
bool host_write(struct host *h, const uint8_t *cmd, uint64_t *iova, unsigned int *len)
{
	*len = (unsigned int)host_bits(cmd, 537, 13);
	*iova = host_bits(cmd, 550, 64);
	if (host_bits(cmd, 532, 4) || !*len || *len > 64 || *iova + *len > HOST_BYTES)
		return false;
	memcpy(h->mem + *iova, cmd, *len);
	h->ticket++;
	return true;
}
