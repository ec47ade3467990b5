// SPDX-License-Identifier: Apache-2.0
/* MR service of the world around the responder: regions, keys that are invalidated. */
#include "rsp_env_priv.h"

#include <string.h>

struct region *world_key(struct world *w, uint32_t key)
{
	for (unsigned int i = 0; i < w->n_region; i++)
		if (w->region[i].key == key)
			return &w->region[i];
	return NULL;
}

void world_region(struct world *w, uint32_t key, unsigned int rights, uint64_t va, uint64_t len,
		  uint64_t iova)
{
	assert_true(w->n_region < MAX_REGIONS && iova + len <= MEM_BYTES);
	w->region[w->n_region++] = (struct region){ key, rights, va, len, iova, len, 0, 0, 0, 0 };
}

void world_large(struct world *w, uint32_t key, unsigned int rights, uint64_t va, uint64_t len,
		 uint64_t iova, uint64_t window)
{
	world_region(w, key, rights, va, window, iova);
	w->region[w->n_region - 1].len = len;
	w->region[w->n_region - 1].window = window;
	w->region[w->n_region - 1].first_len += 4096; /* a piece may begin at its end */
}

/* ---- MR service ---- */

static void mr_take(struct world *w, unsigned int c)
{
	struct mr_fifo *f = &w->mr[c];
	struct rec_mr_req req =
		vtb_get_mr_req(c ? PORT("mr_rsp_tx_req_o") : PORT("mr_responder_req_o"), 0);
	uint32_t key = req.key, owner = owner_of(w, req.pd);
	uint64_t va = req.va, chk = req.chk_len;
	unsigned int len = req.len, rights = req.rights;
	bool inv = !c && req.inv;
	unsigned int i = f->n++;
	unsigned int page = 4096 - (va & 4095);
	struct region *r;

	if (req.remote) {
		key ^= w->hidden[owner].key;
		va ^= inv ? 0 : w->hidden[owner].va;
	}
	r = world_key(w, key);
	vtb_check(w->tb, len >= 1 && len <= 4096);
	memset(&f->e[i], 0, sizeof(f->e[i]));
	f->e[i].due = w->tb->cycle + 2 + rng_below(&w->rng, 12);
	f->e[i].last = req.last;
	if (r && !r->cached) {
		f->e[i].status = REC_MRS_MISS;
		assert_true(w->n_fill < 64);
		for (unsigned int k = 0; k < w->n_fill; k++)
			if (w->fill_key[k] == key)
				return;
		w->fill_key[w->n_fill] = key;
		w->fill_due[w->n_fill++] = w->tb->cycle + rng_below(&w->rng, 150);
	} else if (r && inv && r->may_inv) {
		f->e[i].len0 = 1;
	} else if (!r || r->broken || inv || (rights & ~r->rights) || va < r->va || chk > r->len ||
		   va - r->va > r->len - chk) {
		f->e[i].status = REC_MRS_ERR;
		f->e[i].vendor = !r	     ? CAIRN_VENDOR_ERR_KEY_INDEX
				 : r->broken ? CAIRN_VENDOR_ERR_DMA_READ
				 : inv	     ? CAIRN_VENDOR_ERR_KEY_RIGHTS
					     : CAIRN_VENDOR_ERR_KEY_BOUNDS;
	} else {
		va -= r->va;
		f->e[i].func = w->func[r - w->region];
		f->e[i].placed = true;
		f->e[i].iova0 = w->high[r - w->region] |
				(r->iova + (r->window ? va % r->window : va));
		f->e[i].len0 = page < len ? page : len;
		f->e[i].iova1 = f->e[i].iova0 + f->e[i].len0;
		f->e[i].len1 = len - f->e[i].len0;
		if (chance(w, w->mr_miss))
			r->cached = false;
	}
}

void world_mark(struct world *w, unsigned int client)
{
	w->drain[client].on = true;
	w->drain[client].begun++;
}

/* The answer that is due to client c, if there is one; else what stands there stays. */
static bool mr_answer(struct world *w, unsigned int c, const struct sim_port *rsp)
{
	const struct mr_fifo *f = &w->mr[c];
	uint64_t mark;

	if (!f->n || f->e[0].due > w->tb->cycle)
		return false;
	vtb_put_bits(rsp, REC_MR_RSP_STATUS, f->e[0].status);
	if (f->e[0].status == REC_MRS_ERR)
		vtb_put_bits(rsp, REC_MR_RSP_VENDOR, f->e[0].vendor);
	if (f->e[0].status == REC_MRS_OK)
		vtb_put_bits(rsp, REC_MR_RSP_FUNC, f->e[0].func);
	vtb_put_bits(rsp, REC_MR_RSP_LEN0, f->e[0].len0);
	vtb_put_bits(rsp, REC_MR_RSP_LEN1, f->e[0].len1);
	vtb_put_bits(rsp, REC_MR_RSP_LAST, f->e[0].last);
	mark = f->e[0].placed ? drain_mark(w, c) : 0;
	vtb_put_bits(rsp, REC_MR_RSP_IOVA0, f->e[0].iova0 | mark);
	vtb_put_bits(rsp, REC_MR_RSP_IOVA1, f->e[0].iova1 | mark);
	return true;
}

/* A line that has come, or anything else for which a fill is told. */
static bool mr_fill(struct world *w)
{
	bool fill = chance(w, w->fills);

	for (unsigned int k = 0; k < w->n_fill; k++) {
		struct region *r = world_key(w, w->fill_key[k]);

		if (w->fill_due[k] > w->tb->cycle)
			continue;
		if (r)
			r->cached = true;
		w->n_fill--;
		w->fill_key[k] = w->fill_key[w->n_fill];
		w->fill_due[k] = w->fill_due[w->n_fill];
		return true;
	}
	return fill;
}

void mr_drive(struct world *w)
{
	bool fill;

	hide_answers(w);
	for (unsigned int c = 0; c < 2; c++)
		if (!w->own_drains && !w->drain[c].on && !w->drain[c].held &&
		    w->tb->cycle >= w->drain[c].next)
			world_mark(w, c);
	PUT("mr_responder_drain_i", w->drain[0].on);
	PUT("mr_rsp_tx_drain_i", w->drain[1].on);
	PUT("mr_responder_ready_i", w->mr[0].n < MR_DEPTH && !chance(w, w->pause));
	PUT("mr_rsp_tx_ready_i", w->mr[1].n < MR_DEPTH && !chance(w, w->pause));
	PUT("mr_responder_valid_i", mr_answer(w, 0, PORT("mr_responder_rsp_i")));
	PUT("mr_rsp_tx_valid_i", mr_answer(w, 1, PORT("mr_rsp_tx_rsp_i")));
	fill = mr_fill(w);
	PUT("mr_responder_fill_i", fill);
	PUT("mr_rsp_tx_fill_i", fill);
}

static void mr_over(struct world *w, unsigned int c, bool drained, bool valid, bool ready)
{
	struct mr_fifo *f = &w->mr[c];
	bool answered = valid && ready;

	if (w->drain[c].on && drained) {
		w->drain[c].on = false;
		w->drain[c].over = w->drain[c].begun;
		w->drain[c].next = w->tb->cycle + 2 + rng_below(&w->rng, 400);
	}
	w->drain[c].held = valid && !ready;
	if (answered) {
		f->n--;
		memmove(&f->e[0], &f->e[1], f->n * sizeof(f->e[0]));
	}
}

void mr_sample(struct world *w)
{
	mr_over(w, 0, GET("mr_responder_drained_o"),
		GET("mr_responder_valid_i"), GET("mr_responder_ready_o"));
	mr_over(w, 1, GET("mr_rsp_tx_drained_o"),
		GET("mr_rsp_tx_valid_i"), GET("mr_rsp_tx_ready_o"));
	if (GET("mr_responder_valid_o") && GET("mr_responder_ready_i"))
		mr_take(w, 0);
	if (GET("mr_rsp_tx_valid_o") && GET("mr_rsp_tx_ready_i"))
		mr_take(w, 1);
}

/* ---- keys that are invalidated ---- */

void update_drive(struct world *w)
{
	PUT("mr_key_change_ready_i", !w->change_due && !chance(w, w->pause));
	PUT("mr_key_change_valid_i", w->change_due && w->change_due <= w->tb->cycle);
	if (w->change_due && w->change_due <= w->tb->cycle)
		PUT("mr_key_change_vendor_i", w->change_vendor);
}

void update_sample(struct world *w)
{
	struct rec_mr_upd upd;
	uint32_t q;

	if (GET("mr_key_change_valid_i") && GET("mr_key_change_ready_o")) {
		w->change_due = 0;
		if (w->change_revokes && !w->change_vendor)
			world_key(w, w->change_key)->rights = 0;
	}
	if (!(GET("mr_key_change_valid_o") && GET("mr_key_change_ready_i")))
		return;
	upd = vtb_get_mr_upd(PORT("mr_key_change_req_o"), 0);
	q = plain_qpn(w, upd.qpn);
	vtb_check_eq(w->tb, upd.op, REC_MUO_RINV);
	vtb_check(w->tb, q < QPS);
	vtb_check_eq(w->tb, owner_of(w, upd.pd), q);
	w->change_key = upd.key ^ w->hidden[q].key;
	w->change_count++;
	w->change_due = w->tb->cycle + 1 + rng_below(&w->rng, 20);
}
