// SPDX-License-Identifier: Apache-2.0
/* Host reads and posted writes of the world around the responder. */
#include "rsp_env_priv.h"

#include <string.h>

#define RES_TAG 0x800u /* of the responder's default */

/* ---- host reads: pieces cut at 64-byte boundaries, in any order; a piece comes in one go ---- */

/* A read of that client. */
static void read_take(struct world *w, unsigned int client, const struct sim_port *port)
{
	struct rec_dma_rd req = vtb_get_dma_rd(port, 0);
	bool atomic = client == REC_RD_ATOM;
	struct read_req *r = NULL;
	unsigned int off = 0;

	for (unsigned int i = 0; i < MAX_READS && !r; i++)
		if (!w->rd[i].used)
			r = &w->rd[i];
	assert_non_null(r);
	memset(r, 0, sizeof(*r));
	r->used = true;
	r->client = client;
	r->tag = req.tag;
	r->len = r->left = req.len;
	r->iova = plain_iova(w, req.iova, r->len, client == REC_RD_RQE ? ANY_FUNC : req.func);
	r->due = w->tb->cycle + 5 + rng_below(&w->rng, w->latency) +
		 (atomic ? w->atomic_latency : w->least_latency);
	r->fail = chance(w, atomic ? w->atomic_fail : w->read_fail);
	vtb_check(w->tb, r->len);
	while (off < r->len) {
		unsigned int n = 64 * (1 + rng_below(&w->rng, 4)) - ((r->iova + off) & 63);

		n = n > r->len - off ? r->len - off : n;
		r->piece[r->npiece].off = off;
		r->piece[r->npiece++].len = n;
		off += n;
	}
}

void read_sample(struct world *w)
{
	if (GET("memory_rd_rqe_valid_o") && GET("memory_rd_rqe_ready_i"))
		read_take(w, REC_RD_RQE, PORT("memory_rd_rqe_req_o"));
	if (GET("memory_rd_res_valid_o") && GET("memory_rd_res_ready_i"))
		read_take(w, REC_RD_QPC, PORT("memory_rd_res_req_o"));
	if (GET("memory_rd_atom_valid_o") && GET("memory_rd_atom_ready_i"))
		read_take(w, REC_RD_ATOM, PORT("memory_rd_atom_req_o"));
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

/* Data of a read of somebody else: a client that the responder is not, or QP records (RD_QPC). */
static void other_read(struct world *w)
{
	static const uint8_t others[] = { 0, 1, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	unsigned int client = others[rng_below(&w->rng, sizeof(others))];
	const struct sim_port *meta = PORT("dma_beat_meta_i");

	vtb_put_bits(meta, REC_DMA_RSP_CLIENT, client);
	PUT("dma_beat_valid_i", chance(w, 50) && (client != REC_RD_QPC ||
						  vtb_get_bits(meta, REC_DMA_RSP_TAG) != RES_TAG));
}

void read_drive(struct world *w)
{
	uint8_t beat[64] = { 0 };
	struct read_req *r;
	const struct sim_port *meta = PORT("dma_beat_meta_i");
	unsigned int off, n;

	PUT("memory_rd_rqe_ready_i", !chance(w, w->pause));
	PUT("memory_rd_res_ready_i", !chance(w, w->pause));
	PUT("memory_rd_atom_ready_i", !chance(w, w->pause));
	PUT("dma_beat_valid_i", 0);
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
	PUT("dma_beat_valid_i", 1);
	vtb_put_bits(meta, REC_DMA_RSP_CLIENT, r->client);
	vtb_put_bits(meta, REC_DMA_RSP_TAG, r->tag);
	vtb_put_bits(meta, REC_DMA_RSP_OFFSET, off);
	vtb_put_bits(meta, REC_DMA_RSP_NBYTES, n);
	vtb_put_bits(meta, REC_DMA_RSP_LAST, !r->left);
	vtb_put_bits(meta, REC_DMA_RSP_ERR, !r->left && r->fail);
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
	struct rec_dma_wr cmd;
	uint64_t iova;

	if (!(GET("memory_wr_atom_valid_o") && GET("memory_wr_atom_ready_i")))
		return;
	cmd = vtb_get_dma_wr(PORT("memory_wr_atom_cmd_o"), 0);
	w->ticket++;
	vtb_check(w->tb, cmd.len == 8 || cmd.len == 32);
	iova = plain_iova(w, cmd.iova, cmd.len, cmd.func);
	memcpy(w->mem + iova, cmd.data, cmd.len);
}

void write_sample(struct world *w)
{
	struct rec_dma_wr cmd;
	unsigned int len, cell;
	uint64_t iova;

	if (!(GET("memory_wr_rsp_valid_o") && GET("memory_wr_rsp_ready_i")))
		return;
	cmd = vtb_get_dma_wr(PORT("memory_wr_rsp_cmd_o"), 0);
	len = cmd.len;
	cell = cmd.cell_head;
	w->ticket++;
	iova = len ? plain_iova(w, cmd.iova, len, cmd.func) : 0;
	if (!cmd.payload) {
		vtb_check(w->tb, len <= sizeof(cmd.data));
		memcpy(w->mem + iova, cmd.data, len);
		return;
	}
	if (cmd.first) {
		w->wr_ip = w->cell_ip[cell] && cmd.off == (~cell & 0xff);
		vtb_check(w->tb, w->wr_ip || cmd.off == (cell & 0xff));
		vtb_check(w->tb, w->cell_data[cell] != NULL);
		w->wr_cell = cell;
		w->wr_pos = 0;
	}
	vtb_check_eq(w->tb, cell, w->wr_cell);
	vtb_check(w->tb,
		  w->cell_data[cell] && w->wr_pos + len <= (w->wr_ip ? 40 : w->cell_len[cell]));
	memcpy(w->mem + iova, (w->wr_ip ? w->cell_ip[cell] : w->cell_data[cell]) + w->wr_pos, len);
	w->wr_pos += len;
	if (cmd.free) {
		vtb_check(w->tb, w->wr_pos == 0 || w->wr_ip || w->wr_pos == w->cell_len[cell]);
		w->cell_data[cell] = NULL;
		w->cells_live--;
	}
}
