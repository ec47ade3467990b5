// SPDX-License-Identifier: Apache-2.0
/* See mr_bench.h.  Records as in rtl/hw/cairn_int_pkg.sv (mr_req_t, mr_rsp_t). */
#include "mr_bench.h"

#include <string.h>

#define REQ_W 200
#define RSP_W 173

struct cairn_mpt *mr_mpt(struct bench *b, unsigned int i)
{
	return (struct cairn_mpt *)(b->h.mem + MPT + 64 * i);
}

static unsigned int check_inv(const struct cairn_mpt *m, const struct req *q)
{
	bool window = m->flags & CAIRN_MPT_FLAGS_WINDOW, type2 = m->flags & CAIRN_MPT_FLAGS_TYPE2;

	if (m->key != q->key)
		return CAIRN_VENDOR_ERR_KEY_TAG;
	if (m->pd != q->pd || (window && type2 && m->qpn != q->qpn))
		return CAIRN_VENDOR_ERR_KEY_PD;
	if (window)
		return type2 ? 0 : CAIRN_VENDOR_ERR_KEY_STATE;
	if (!m->pages)
		return CAIRN_VENDOR_ERR_KEY_STATE;
	if (!(m->flags >> 8 &
	      (CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_READ | CAIRN_ACCESS_REMOTE_ATOMIC)))
		return CAIRN_VENDOR_ERR_KEY_RIGHTS;
	return m->windows != m->unbound ? CAIRN_VENDOR_ERR_KEY_BUSY : 0;
}

static unsigned int check_access(const struct cairn_mpt *m, const struct req *q, uint64_t *off)
{
	bool window = m->flags & CAIRN_MPT_FLAGS_WINDOW;
	unsigned int need = q->rights, access = m->flags >> 8 & 0xff;
	uint64_t base = access & CAIRN_ACCESS_ZERO_BASED ? 0 : m->base;

	if (m->key != q->key)
		return CAIRN_VENDOR_ERR_KEY_TAG;
	if (m->pd != q->pd || (window && m->flags & CAIRN_MPT_FLAGS_TYPE2 && m->qpn != q->qpn))
		return CAIRN_VENDOR_ERR_KEY_PD;
	if (q->remote && !window && need & (CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC))
		need |= CAIRN_ACCESS_LOCAL_WRITE;
	if (need & ~access || (window && !q->remote))
		return CAIRN_VENDOR_ERR_KEY_RIGHTS;
	if (q->va < base || (unsigned __int128)q->va + q->chk > (unsigned __int128)base + m->length)
		return CAIRN_VENDOR_ERR_KEY_BOUNDS;
	*off = q->va - base;
	return 0;
}

unsigned int mr_verdict(const struct cairn_mpt *m, const uint64_t *ptes, const struct req *q,
			struct answer *want)
{
	uint64_t page, off = 0, first, at;
	unsigned int err, n;

	memset(want, 0, sizeof(*want));
	want->len[0] = q->len;
	if (!m || !m->key)
		return CAIRN_VENDOR_ERR_KEY_INDEX;
	if (m->key >> 8 != q->key >> 8)
		return CAIRN_VENDOR_ERR_CTX_CHECK;
	if (!(m->flags & 3) || m->flags & CAIRN_MPT_FLAGS_FREED)
		return CAIRN_VENDOR_ERR_KEY_INDEX;
	err = q->inv ? check_inv(m, q) : check_access(m, q, &off);
	if (err)
		return err;
	want->func = m->flags >> 24;
	if ((m->flags & 3) == CAIRN_MR_MODE_DIRECT) {
		want->iova[0] = m->map + off;
		return 0;
	}
	page = 1ull << (m->flags >> 16 & 63);
	at = m->base + off; /* pages are counted by it */
	first = m->map + at / page - m->base / page;
	n = at % page + q->len > page ? 2 : 1;
	if (n == 2) {
		want->len[0] = (uint32_t)(page - at % page);
		want->len[1] = q->len - want->len[0];
	}
	for (unsigned int k = 0; k < n && !q->inv; k++) {
		uint64_t pte = first + k < PTES ? ptes[first + k] : 0;

		if (!(pte & 1))
			return CAIRN_VENDOR_ERR_KEY_PTE;
		want->iova[k] = (pte & ~(page - 1)) + (k ? 0 : at % page);
	}
	return 0;
}

bool mr_same(const struct req *q, unsigned int vendor, const struct answer *want,
	     const struct answer *got)
{
	if (vendor)
		return got->status == 2 && got->vendor == vendor;
	if (q->inv)
		return !got->status;
	return !got->status && got->func == want->func && got->iova[0] == want->iova[0] &&
	       got->len[0] == want->len[0] && got->len[1] == want->len[1] &&
	       (!got->len[1] || got->iova[1] == want->iova[1]);
}

static void put_req(struct bench *b, unsigned int c)
{
	const struct sim_port *p = vtb_port(b->tb, "mr_req_i");
	const struct req *q = &b->c[c].offer;
	unsigned int at = c * REQ_W;

	vtb_put_bits(p, at, 1, q->last);
	vtb_put_bits(p, at + 1, 1, q->inv);
	vtb_put_bits(p, at + 2, 1, q->remote);
	vtb_put_bits(p, at + 3, 8, q->rights);
	vtb_put_bits(p, at + 11, 32, q->chk);
	vtb_put_bits(p, at + 43, 13, q->len);
	vtb_put_bits(p, at + 56, 64, q->va);
	vtb_put_bits(p, at + 120, 24, q->qpn);
	vtb_put_bits(p, at + 144, 24, q->pd);
	vtb_put_bits(p, at + 168, 32, q->key);
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	unsigned int valid = 0, ready = 0, drained = 0;

	for (unsigned int i = 0; i < 4; i++)
		drained |= (unsigned int)(b->c[i].marked && b->c[i].mark <= tb->cycle) << i;
	vtb_set(tb, "drained_i", drained);
	for (unsigned int i = 0; i < b->clients; i++) {
		struct client *c = &b->c[i];

		if (!c->offering && c->n_again && !c->wait) {
			c->offer = c->again[--c->n_again];
			c->offering = true;
			put_req(b, i);
		} else if (!c->offering && !b->stop && c->n_again < 3 &&
			   rng_percent(&tb->rng, b->send_pc) && b->make(b, &c->offer)) {
			c->offering = true;
			put_req(b, i);
		}
		valid |= (unsigned int)c->offering << i;
		ready |= (unsigned int)(!rng_percent(&tb->rng, b->busy) && !c->held) << i;
	}
	vtb_set(tb, "mr_req_valid_i", valid);
	vtb_set(tb, "mr_rsp_ready_i", ready);
	vtb_set(tb, "wr_ready_i", !rng_percent(&tb->rng, b->busy));
	vtb_set(tb, "ticket_i", (uint16_t)(b->h.ticket + 1));
	if (!b->fw && !b->stop && b->fw_random && rng_percent(&tb->rng, b->fw_pc)) {
		b->fw = true;
		b->fw_random(b);
	}
	vtb_set(tb, "fw_valid_i", (uint64_t)b->fw << b->fw_sel);
}

static void answered(struct bench *b, unsigned int i)
{
	struct client *c = &b->c[i];
	const struct sim_port *p = vtb_port(b->tb, "mr_rsp_o");
	unsigned int at = i * RSP_W;
	struct answer a;
	struct req q;

	vtb_check(b->tb, c->head != c->tail);
	q = c->fly[c->head++ % MRQ];
	a.status = (unsigned int)vtb_get_bits(p, at + 171, 2);
	a.vendor = (unsigned int)vtb_get_bits(p, at + 163, 8);
	a.func = (unsigned int)vtb_get_bits(p, at + 155, 8);
	a.iova[0] = vtb_get_bits(p, at + 91, 64);
	a.len[0] = (uint32_t)vtb_get_bits(p, at + 78, 13);
	a.iova[1] = vtb_get_bits(p, at + 14, 64);
	a.len[1] = (uint32_t)vtb_get_bits(p, at + 1, 13);
	vtb_check_eq(b->tb, vtb_get_bits(p, at, 1), q.last);
	if (a.status == 1) {
		b->misses++;
		c->again[c->n_again++] = q;
		c->wait = true;
		c->missed = b->tb->cycle;
		return;
	}
	b->done++;
	if (!a.status && b->use) {
		uint64_t until = b->tb->cycle + rng_below(&b->tb->rng, b->use);

		c->used_until = until > c->used_until ? until : c->used_until;
		b->key_until[q.key >> 8] = c->used_until;
	}
	b->errs[a.status ? a.vendor : 0]++;
	b->judge(b, &q, &a);
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	uint64_t valid = vtb_get(tb, "mr_rsp_valid_o"), ready = vtb_get(tb, "mr_rsp_ready_i");
	bool strobe = vtb_get(tb, "mr_fill_o");
	uint64_t cnt = vtb_get(tb, "cnt_err_o");

	for (unsigned int i = 0; i < 4; i++)
		b->cnt[i] += cnt >> 2 * i & 3;
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i"))
		host_write(&b->h, "wr_cmd_o");
	if (vtb_get(tb, "fw_done_o")) {
		vtb_check_eq(tb, vtb_get(tb, "fw_done_o"), 1u << b->fw_sel);
		b->fw_status = (unsigned int)vtb_get(tb, "fw_status_o") >> 3 * b->fw_sel & 7;
		vtb_get_bytes(vtb_port(tb, "fw_data_o"), 512 * b->fw_sel, b->fw_data, 64);
		b->fw = false;
	}
	for (unsigned int i = 0; i < 4; i++) {
		struct client *c = &b->c[i];
		bool drain = vtb_get(tb, "drain_o") >> i & 1;

		if (drain && !c->marked)
			c->mark = c->used_until;
		c->marked = drain;
	}
	for (unsigned int i = 0; i < b->clients; i++) {
		struct client *c = &b->c[i];

		/* A strobe in the cycle of the answer is the last one's. */
		if (c->wait && strobe)
			c->wait = false;
		if (c->wait && tb->cycle > c->missed + 3000)
			vtb_fail(tb, "client %u: no strobe after a miss", i);
		if (valid >> i & ready >> i & 1)
			answered(b, i);
		if (c->offering && vtb_get(tb, "mr_req_ready_o") >> i & 1) {
			c->offer.since = tb->cycle;
			c->fly[c->tail++ % MRQ] = c->offer;
			c->offering = false;
			vtb_check(tb, c->tail - c->head <= 16);
		}
	}
}

struct bench *mr_bench(struct bench *b)
{
	static unsigned int runs;

	memset(b, 0, sizeof(*b));
	b->tb = vtb_create();
	for (unsigned int i = 0; i < runs; i++)
		rng_u64(&b->tb->rng);
	runs += 7;
	host_init(&b->h, b->tb, 4);
	b->clients = 4;
	vtb_set(b->tb, "mpt_base_i", MPT);
	vtb_set(b->tb, "mpt_entries_i", KEYS);
	vtb_set(b->tb, "mtt_base_i", MTT);
	vtb_set(b->tb, "mtt_entries_i", PTES);
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

unsigned int mr_fw(struct bench *b, unsigned int sel, unsigned int op, uint32_t key,
		   const void *data, const void *mask)
{
	static const uint8_t none[64];

	vtb_run_until(b->tb, !b->fw, 3000);
	vtb_put_bytes(vtb_port(b->tb, "fw_data_i"), 0, data ? data : none, 64);
	vtb_put_bytes(vtb_port(b->tb, "fw_mask_i"), 0, mask ? mask : none, 64);
	vtb_set(b->tb, "fw_op_i", op);
	vtb_set(b->tb, "fw_key_i", key);
	b->fw_sel = sel;
	b->fw = true;
	vtb_run_until(b->tb, !b->fw, 3000);
	return b->fw_status;
}

bool mr_quiet(void *arg)
{
	struct bench *b = arg;

	for (unsigned int i = 0; i < 4; i++)
		if (b->c[i].offering || b->c[i].n_again || b->c[i].head != b->c[i].tail)
			return false;
	return !b->fw && vtb_get(b->tb, "idle_o");
}
