// SPDX-License-Identifier: Apache-2.0
/* See mr_bench.h. */
#include "mr_bench.h"

#include <stdio.h>
#include <string.h>

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
		return got->status == REC_MRS_ERR && got->vendor == vendor;
	if (q->inv)
		return !got->status;
	return !got->status && got->func == want->func && got->iova[0] == want->iova[0] &&
	       got->len[0] == want->len[0] && got->len[1] == want->len[1] &&
	       (!got->len[1] || got->iova[1] == want->iova[1]);
}

static void put_req(struct bench *b, unsigned int c)
{
	const struct req *q = &b->c[c].offer;
	struct rec_mr_req r = {
		.key = q->key,
		.pd = q->pd,
		.qpn = q->qpn,
		.va = q->va,
		.len = (uint16_t)q->len,
		.chk_len = q->chk,
		.rights = (uint8_t)q->rights,
		.remote = (uint8_t)q->remote,
		.inv = (uint8_t)q->inv,
		.last = (uint8_t)q->last,
	};

	vtb_put_mr_req(b->c[c].port.req, 0, &r);
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	for (unsigned int i = 0; i < 4; i++)
		vtb_put(b->c[i].port.drained, b->c[i].marked && b->c[i].mark <= tb->cycle);
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
		vtb_put(c->port.valid, c->offering);
		vtb_put(c->port.answer_ready, !rng_percent(&tb->rng, b->busy) && !c->held);
	}
	if (b->ahead_pc) {
		vtb_set(tb, "receive_mr_ahead_valid_i",
			!b->stop && rng_percent(&tb->rng, b->ahead_pc));
		vtb_set(tb, "receive_mr_ahead_key_i", rng_below(&tb->rng, KEYS + 2));
	}
	vtb_set(tb, "wr_ready_i", !rng_percent(&tb->rng, b->busy));
	vtb_set(tb, "ticket_i", (uint16_t)(b->h.ticket + 1));
	if (!b->fw && !b->stop && b->fw_random && rng_percent(&tb->rng, b->fw_pc)) {
		b->fw = true;
		b->fw_random(b);
	}
	vtb_set(tb, "fw_valid_i", b->fw);
	vtb_set(tb, "fw_table__i", b->fw_sel ? CAIRN_TABLE_MTT : CAIRN_TABLE_MPT);
}

static void answered(struct bench *b, unsigned int i)
{
	struct client *c = &b->c[i];
	struct rec_mr_rsp r = vtb_get_mr_rsp(c->port.rsp, 0);
	struct answer a = {
		.status = r.status,
		.vendor = r.vendor,
		.func = r.func,
		.iova = { r.iova0, r.iova1 },
		.len = { r.len0, r.len1 },
	};
	struct req q;

	vtb_check(b->tb, c->head != c->tail);
	q = c->fly[c->head++ % MRQ];
	vtb_check_eq(b->tb, r.last, q.last);
	if (a.status == REC_MRS_MISS) {
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
	static const char *const refused[4] = { "events_mr_bad_key_o", "events_mr_bad_pd_o",
						"events_mr_bad_rights_o",
						"events_mr_bad_bounds_o" };

	for (unsigned int i = 0; i < 4; i++)
		b->cnt[i] += (unsigned int)vtb_get(tb, refused[i]);
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i"))
		host_write(&b->h, "wr_cmd_o");
	if (vtb_get(tb, "fw_done_o")) {
		b->fw_status = (unsigned int)vtb_get(tb, "fw_status_o");
		b->fw = false;
	}
	for (unsigned int i = 0; i < 4; i++) {
		struct client *c = &b->c[i];
		bool drain = vtb_read(c->port.drain);

		if (drain && !c->marked)
			c->mark = c->used_until;
		c->marked = drain;
	}
	for (unsigned int i = 0; i < b->clients; i++) {
		struct client *c = &b->c[i];

		/* A strobe in the cycle of the answer is the last one's. */
		if (c->wait && vtb_read(c->port.fill))
			c->wait = false;
		if (c->wait && tb->cycle > c->missed + 3000)
			vtb_fail(tb, "client %u: no strobe after a miss", i);
		if (vtb_read(c->port.answer) & vtb_read(c->port.answer_ready))
			answered(b, i);
		if (c->offering && vtb_read(c->port.ready)) {
			c->offer.since = tb->cycle;
			c->fly[c->tail++ % MRQ] = c->offer;
			c->offering = false;
			vtb_check(tb, c->tail - c->head <= 16);
		}
	}
}

const struct sim_port *mr_port(struct bench *b, const char *side, const char *member)
{
	char name[64];

	snprintf(name, sizeof(name), "%s_%s", side, member);
	return vtb_port(b->tb, name);
}

static void find_ports(struct bench *b, unsigned int c, const char *side, const char *client,
		       const char *drained)
{
	static const char *const names[] = { "%s_valid_i", "%s_req_i",	 "%s_ready_o",
					     "%s_valid_o", "%s_rsp_o",	 "%s_fill_o",
					     "%s_drain_o", "%s_ready_i" };
	const struct sim_port **ports = &b->c[c].port.valid;
	char member[48];

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(member, sizeof(member), names[i], client);
		ports[i] = mr_port(b, side, member);
	}
	b->c[c].port.drained = mr_port(b, side, drained);
}

struct bench *mr_bench(struct bench *b)
{
	static unsigned int runs;

	memset(b, 0, sizeof(*b));
	b->tb = vtb_create();
	for (unsigned int i = 0; i < runs; i++)
		rng_u64(&b->tb->rng);
	runs += 7;
	host_init(&b->h, b->tb, REC_RD_MR);
	find_ports(b, REC_MRC_REQ, "send_mr_requester", "ask", "drained_i");
	find_ports(b, REC_MRC_RSP, "receive_mr", "responder", "responder_drained_i");
	find_ports(b, REC_MRC_CMP, "send_mr", "completer", "completer_drained_i");
	find_ports(b, REC_MRC_RD, "receive_mr", "rsp_tx", "rsp_tx_drained_i");
	b->clients = 4;
	vtb_set(b->tb, "mpt_base_i", MPT);
	vtb_set(b->tb, "mpt_entries_i", KEYS);
	vtb_set(b->tb, "mtt_base_i", MTT);
	vtb_set(b->tb, "mtt_entries_i", PTES);
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	vtb_ctx_attach(&b->port, b->tb, "fw", "fw");
	return b;
}

unsigned int mr_fw(struct bench *b, unsigned int sel, unsigned int op, uint32_t key,
		   const void *data, const void *mask)
{
	vtb_run_until(b->tb, !b->fw, 3000);
	vtb_ctx_put(&b->port, data, mask);
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
