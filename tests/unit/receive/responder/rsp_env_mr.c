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
	uint32_t key = BITS("mr_key_o", 32 * c, 32);
	uint64_t va = c ? GET("mr1_va_o") : GET("mr0_va_o");
	unsigned int len = BITS("mr_len_o", 13 * c, 13), rights = BITS("mr_rights_o", 8 * c, 8);
	uint64_t chk = BITS("mr_chk_o", 32 * c, 32);
	uint32_t owner = owner_of(w, BITS("mr_pd_o", 24 * c, 24));
	bool inv = !c && GET("mr_inv_o");
	unsigned int i = f->n++;
	unsigned int page = 4096 - (va & 4095);
	struct region *r;

	if (BITS("mr_remote_o", c, 1)) {
		key ^= w->hidden[owner].key;
		va ^= inv ? 0 : w->hidden[owner].va;
	}
	r = world_key(w, key);
	vtb_check(w->tb, len >= 1 && len <= 4096);
	memset(&f->e[i], 0, sizeof(f->e[i]));
	f->e[i].due = w->tb->cycle + 2 + rng_below(&w->rng, 12);
	f->e[i].last = BITS("mr_last_o", c, 1);
	if (r && !r->cached) {
		f->e[i].status = 1;
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
		f->e[i].status = 2;
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

void mr_drive(struct world *w)
{
	unsigned int valid = 0, ready = 0, on = 0;
	bool fill = chance(w, w->fills);

	hide_answers(w);
	for (unsigned int c = 0; c < 2; c++) {
		if (!w->own_drains && !w->drain[c].on && w->tb->cycle >= w->drain[c].next)
			world_mark(w, c);
		on |= (unsigned int)w->drain[c].on << c;
	}
	PUT("drain_i", on);
	for (unsigned int c = 0; c < 2; c++) {
		struct mr_fifo *f = &w->mr[c];
		uint64_t mark;

		ready |= (f->n < 8 && !chance(w, w->pause)) << c;
		if (!f->n || f->e[0].due > w->tb->cycle)
			continue;
		valid |= 1 << c;
		vtb_put_bits(PORT("ans_status_i"), 2 * c, 2, f->e[0].status);
		if (f->e[0].status == 2)
			vtb_put_bits(PORT("ans_vendor_i"), 8 * c, 8, f->e[0].vendor);
		if (f->e[0].status == 0)
			vtb_put_bits(PORT("ans_func_i"), 8 * c, 8, f->e[0].func);
		vtb_put_bits(PORT("ans_len0_i"), 13 * c, 13, f->e[0].len0);
		vtb_put_bits(PORT("ans_len1_i"), 13 * c, 13, f->e[0].len1);
		vtb_put_bits(PORT("ans_last_i"), c, 1, f->e[0].last);
		mark = f->e[0].placed ? drain_mark(w, c) : 0;
		if (c) {
			PUT("ans1_iova0_i", f->e[0].iova0 | mark);
			PUT("ans1_iova1_i", f->e[0].iova1 | mark);
		} else {
			PUT("ans0_iova0_i", f->e[0].iova0 | mark);
			PUT("ans0_iova1_i", f->e[0].iova1 | mark);
		}
	}
	for (unsigned int k = 0; k < w->n_fill; k++) {
		struct region *r = world_key(w, w->fill_key[k]);

		if (w->fill_due[k] > w->tb->cycle)
			continue;
		if (r)
			r->cached = true;
		w->n_fill--;
		w->fill_key[k] = w->fill_key[w->n_fill];
		w->fill_due[k] = w->fill_due[w->n_fill];
		fill = true;
		break;
	}
	PUT("mr_fill_i", fill);
	PUT("mr_ready_i", ready);
	PUT("ans_valid_i", valid);
}

void mr_sample(struct world *w)
{
	uint64_t rv = GET("ans_valid_i") & GET("ans_ready_o"),
		 qv = GET("mr_valid_o") & GET("mr_ready_i");

	for (unsigned int c = 0; c < 2; c++) {
		struct mr_fifo *f = &w->mr[c];

		if (w->drain[c].on && GET("drained_o") >> c & 1) {
			w->drain[c].on = false;
			w->drain[c].over = w->drain[c].begun;
			w->drain[c].next = w->tb->cycle + 2 + rng_below(&w->rng, 400);
		}
		if (rv >> c & 1) {
			f->n--;
			memmove(&f->e[0], &f->e[1], f->n * sizeof(f->e[0]));
		}
		if (qv >> c & 1)
			mr_take(w, c);
	}
}

/* ---- keys that are invalidated ---- */

void update_drive(struct world *w)
{
	PUT("key_change_ready_i", !w->change_due && !chance(w, w->pause));
	PUT("key_change_valid_i", w->change_due && w->change_due <= w->tb->cycle);
	if (w->change_due && w->change_due <= w->tb->cycle)
		PUT("key_change_vendor_i", w->change_vendor);
}

void update_sample(struct world *w)
{
	uint32_t q = plain_qpn(w, GET("change_qpn_o"));

	if (GET("key_change_valid_i") && GET("key_change_ready_o")) {
		w->change_due = 0;
		if (w->change_revokes && !w->change_vendor)
			world_key(w, w->change_key)->rights = 0;
	}
	if (!(GET("key_change_valid_o") && GET("key_change_ready_i")))
		return;
	vtb_check_eq(w->tb, GET("change_op_o"), 1);
	vtb_check(w->tb, q < QPS);
	vtb_check_eq(w->tb, owner_of(w, GET("change_pd_o")), q);
	w->change_key = GET("change_key_o") ^ w->hidden[q].key;
	w->change_count++;
	w->change_due = w->tb->cycle + 1 + rng_below(&w->rng, 20);
}
