// SPDX-License-Identifier: Apache-2.0
/* Host reads and posted writes of the world around the responder. */
#include "rsp_env_priv.h"

#include <string.h>

#define RES_TAG 0x800u /* of the responder's default */

/* ---- host reads: pieces cut at 64-byte boundaries, in any order; a piece comes in one go ---- */

void read_take(struct world *w, unsigned int c)
{
	struct read_req *r = NULL;
	static const unsigned int clients[] = { 2, 3, 7 };
	unsigned int off = 0;

	for (unsigned int i = 0; i < MAX_READS && !r; i++)
		if (!w->rd[i].used)
			r = &w->rd[i];
	assert_non_null(r);
	memset(r, 0, sizeof(*r));
	r->used = true;
	r->client = clients[c];
	r->tag = BITS("rd_tag_o", 12 * c, 12);
	r->len = r->left = BITS("rd_len_o", 13 * c, 13);
	r->iova = plain_iova(w,
			     c == 2 ? GET("rd2_iova_o")
			     : c    ? GET("rd1_iova_o")
				    : GET("rd0_iova_o"),
			     r->len, c ? (int)BITS("rd_func_o", 8 * (c - 1), 8) : ANY_FUNC);
	r->due = w->tb->cycle + 5 + rng_below(&w->rng, w->latency) +
		 (c == 2 ? w->atomic_latency : w->least_latency);
	r->fail = chance(w, c == 2 ? w->atomic_fail : w->read_fail);
	vtb_check(w->tb, r->len);
	while (off < r->len) {
		unsigned int n = 64 * (1 + rng_below(&w->rng, 4)) - ((r->iova + off) & 63);

		n = n > r->len - off ? r->len - off : n;
		r->piece[r->npiece].off = off;
		r->piece[r->npiece++].len = n;
		off += n;
	}
}

static void read_pick(struct world *w)
{
	unsigned int start = rng_below(&w->rng, MAX_READS);

	w->rd_now = -1;
	for (unsigned int i = 0; i < MAX_READS; i++) {
		struct read_req *r = &w->rd[(start + i) % MAX_READS];

		if (r->used && r->due <= w->tb->cycle) {
			w->rd_now = (start + i) % MAX_READS;
			r->cur = rng_below(&w->rng, r->npiece);
			r->pos = 0;
			return;
		}
	}
}

/* Data of a read of somebody else: a client that the responder is not, or QP records (client 3). */
static void other_read(struct world *w)
{
	static const uint8_t others[] = { 0, 1, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	unsigned int client = others[rng_below(&w->rng, sizeof(others))];

	PUT("dma_client_i", client);
	PUT("dma_valid_i", chance(w, 50) && (client != 3 || GET("dma_tag_i") != RES_TAG));
}

void read_drive(struct world *w)
{
	uint8_t beat[64] = { 0 };
	struct read_req *r;
	unsigned int off, n, ready = 0;

	for (unsigned int c = 0; c < 3; c++)
		ready |= !chance(w, w->pause) << c;
	PUT("rd_ready_i", ready);
	PUT("dma_valid_i", 0);
	if (w->rd_now < 0)
		read_pick(w);
	if (w->rd_now < 0 || chance(w, w->read_pause)) {
		other_read(w);
		return;
	}
	r = &w->rd[w->rd_now];
	off = r->piece[r->cur].off + r->pos;
	n = r->piece[r->cur].len - r->pos;
	n = n > w->width ? w->width : n;
	memcpy(beat, w->mem + r->iova + off, n);
	vtb_put_bytes(PORT("dma_data_i"), 0, beat, w->width);
	r->pos += n;
	r->left -= n;
	PUT("dma_valid_i", 1);
	PUT("dma_client_i", r->client);
	PUT("dma_tag_i", r->tag);
	PUT("dma_offset_i", off);
	PUT("dma_nbytes_i", n);
	PUT("dma_last_i", !r->left);
	PUT("dma_err_i", !r->left && r->fail);
	if (r->pos == r->piece[r->cur].len) {
		r->piece[r->cur] = r->piece[--r->npiece];
		w->rd_now = -1;
		if (!r->left)
			r->used = false;
	}
}

/* ---- posted writes ---- */

void atomic_write_sample(struct world *w)
{
	unsigned int len = GET("at_wr_len_o");
	uint8_t data[64];
	uint64_t iova;

	if (!(GET("at_wr_valid_o") && GET("at_wr_ready_i")))
		return;
	w->ticket++;
	vtb_check(w->tb, len == 8 || len == 32);
	iova = plain_iova(w, GET("at_wr_iova_o"), len, (int)GET("at_wr_func_o"));
	vtb_get_bytes(PORT("at_wr_data_o"), 0, data, 64);
	memcpy(w->mem + iova, data, len);
}

void write_sample(struct world *w)
{
	unsigned int len = GET("wr_len_o"), cell = GET("wr_cell_o");
	uint64_t iova;

	if (!(GET("wr_valid_o") && GET("wr_ready_i")))
		return;
	w->ticket++;
	iova = len ? plain_iova(w, GET("wr_iova_o"), len, (int)GET("wr_func_o")) : 0;
	if (!GET("wr_payload_o")) {
		uint8_t data[64];

		vtb_get_bytes(PORT("wr_data_o"), 0, data, 64);
		memcpy(w->mem + iova, data, len);
		return;
	}
	if (GET("wr_first_o")) {
		w->wr_ip = w->cell_ip[cell] && GET("wr_off_o") == (~cell & 0xff);
		vtb_check(w->tb, w->wr_ip || GET("wr_off_o") == (cell & 0xff));
		vtb_check(w->tb, w->cell_data[cell] != NULL);
		w->wr_cell = cell;
		w->wr_pos = 0;
	}
	vtb_check_eq(w->tb, cell, w->wr_cell);
	vtb_check(w->tb,
		  w->cell_data[cell] && w->wr_pos + len <= (w->wr_ip ? 40 : w->cell_len[cell]));
	memcpy(w->mem + iova, (w->wr_ip ? w->cell_ip[cell] : w->cell_data[cell]) + w->wr_pos, len);
	w->wr_pos += len;
	if (GET("wr_free_o")) {
		vtb_check(w->tb, w->wr_pos == 0 || w->wr_ip || w->wr_pos == w->cell_len[cell]);
		w->cell_data[cell] = NULL;
		w->cells_live--;
	}
}
