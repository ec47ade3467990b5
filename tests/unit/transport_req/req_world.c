// SPDX-License-Identifier: Apache-2.0
/* The world around the requester in its unit test; req_world.h says what it does. */
#include <string.h>

#include "req_world.h"

struct world w;

uint64_t world_map(uint64_t va)
{
	return ((va >> 12) * 0x9e3779b97f4a7c15ull >> 20 << 12) | (va & 4095);
}

int32_t psn_diff(uint32_t a, uint32_t b)
{
	return (int32_t)((a - b) << 8) >> 8;
}

void world_kick(unsigned int q)
{
	struct qp *p = &w.q[q];

	if (p->st == S_IDLE) {
		p->st = S_QUEUED;
		w.queue[w.q_tail++ % 64] = q;
	} else if (p->st == S_BUSY) {
		p->st = S_WANTED;
	}
}

static void give_back(unsigned int q, bool more)
{
	struct qp *p = &w.q[q];

	vtb_check(w.tb, p->st == S_BUSY || p->st == S_WANTED);
	more |= p->st == S_WANTED;
	p->st = S_IDLE;
	if (more)
		world_kick(q);
}

static void set_una(struct qp *p, uint32_t psn)
{
	CAIRN_SET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN, psn);
}

static unsigned int npsn_of(const struct qp *p, const struct msg *m)
{
	return m->op == CAIRN_WQE_OP_NOP ? 0 : m->len ? (m->len + p->mtu - 1) / p->mtu : 1;
}

/* Write message `m` into the ring; the caller rings the doorbell. */
void world_put_wqe(unsigned int q, struct msg *m)
{
	struct qp *p = &w.q[q];
	uint8_t b[5 * 64];
	struct cairn_wqe *x = (struct cairn_wqe *)b;

	rng_bytes(&w.rng, b, sizeof(b));
	m->index = p->pi;
	m->blocks = 1;
	if (m->inl && m->len > 32)
		m->blocks = 1 + (m->len - 32 + 63) / 64;
	if (!m->inl && m->nsge > 2)
		m->blocks = 1 + (m->nsge - 2 + 3) / 4;
	x->ctrl = m->op | (m->sol ? CAIRN_WQE_CTRL_SOLICITED : 0) |
		  (m->fence ? CAIRN_WQE_CTRL_FENCE : 0) | (m->inl ? CAIRN_WQE_CTRL_INLINE : 0) |
		  CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, m->nsge) |
		  CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, m->blocks);
	x->imm = m->imm;
	x->length = m->len;
	x->check = (uint32_t)(uint16_t)m->index | q << 16;
	x->raddr = m->raddr;
	x->rkey = m->rkey;
	if (m->inl) {
		memcpy(b + 32, m->data, m->len);
	} else {
		for (unsigned int i = 0; i < m->nsge; i++) {
			struct cairn_sge *s = (struct cairn_sge *)(b + 32 + 16 * i);

			s->addr = m->sge[i].addr;
			s->lkey = m->sge[i].lkey;
			s->length = m->sge[i].len;
		}
	}
	for (unsigned int i = 0; i < m->blocks; i++)
		memcpy(p->ring + ((m->index + i) % RING) * 64, b + 64 * i, 64);
	m->first = p->end_psn;
	m->npsn = npsn_of(p, m);
	p->end_psn = (p->end_psn + m->npsn) & 0xffffff;
}

struct msg *world_new_msg(unsigned int q)
{
	struct msg *m = &w.q[q].m[w.q[q].n_msg % 512];

	memset(m, 0, sizeof(*m));
	m->imm = (uint32_t)rng_u64(&w.rng);
	m->rkey = (uint32_t)rng_u64(&w.rng);
	m->raddr = rng_u64(&w.rng) >> 8;
	return m;
}

void world_post(unsigned int q, struct msg *m)
{
	struct qp *p = &w.q[q];

	world_put_wqe(q, m);
	p->pi = (uint16_t)(p->pi + m->blocks);
	p->n_msg++;
	world_kick(q);
}

void world_random_msg(unsigned int q)
{
	static const unsigned int ops[] = { CAIRN_WQE_OP_SEND,	CAIRN_WQE_OP_SEND_IMM,
					    CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_WRITE_IMM,
					    CAIRN_WQE_OP_READ,	CAIRN_WQE_OP_WRITE,
					    CAIRN_WQE_OP_READ,	CAIRN_WQE_OP_NOP };
	struct msg *m = world_new_msg(q);
	unsigned int kind = (unsigned int)rng_below(&w.rng, 10);

	m->op = ops[rng_below(&w.rng, 8)];
	m->sol = rng_percent(&w.rng, 50);
	m->fence = rng_percent(&w.rng, 10);
	if (m->op == CAIRN_WQE_OP_NOP)
		;
	else if (m->op != CAIRN_WQE_OP_READ && kind < 4) {
		m->inl = true;
		m->len = (unsigned int)rng_below(&w.rng, 225);
		rng_bytes(&w.rng, m->data, m->len);
	} else {
		m->nsge = (unsigned int)rng_below(&w.rng, kind < 7 ? 3 : 17);
		for (unsigned int i = 0; i < m->nsge; i++) {
			m->sge[i].addr = rng_u64(&w.rng) >> 16;
			m->sge[i].lkey = (uint32_t)rng_u64(&w.rng) | 0x1000;
			m->sge[i].len =
				rng_percent(&w.rng, 20)
					? 0
					: (uint32_t)rng_below(&w.rng, kind == 9 ? 6000 : 700);
			if (m->op == CAIRN_WQE_OP_READ && rng_percent(&w.rng, 5))
				m->sge[i].len = 400000;
			m->len += m->sge[i].len;
		}
	}
	world_post(q, m);
}

struct msg *world_at_psn(struct qp *p, uint32_t psn)
{
	for (unsigned int i = p->n_msg > 500 ? p->n_msg - 500 : 0; i < p->n_msg; i++) {
		struct msg *m = &p->m[i % 512];

		if (psn_diff(psn, m->first) >= 0 && psn_diff(psn, m->first + m->npsn) < 0)
			return m;
	}
	return NULL;
}

static unsigned int chunks(const struct qp *p, const struct msg *m, uint32_t una)
{
	uint32_t done;

	if (m->op != CAIRN_WQE_OP_READ)
		return 0;
	(void)p;
	if (psn_diff(una, m->first + m->npsn) >= 0)
		return (m->npsn + CHUNK - 1) / CHUNK;
	if (psn_diff(una, m->first) <= 0)
		return 0;
	done = (una - m->first) & 0xffffff;
	return done / CHUNK;
}

/* The completer: acknowledge up to `una`, retire what is done. */
static void ack(unsigned int q, uint32_t una)
{
	struct qp *p = &w.q[q];
	unsigned int done = p->made;

	set_una(p, una);
	while (p->old_msg < p->n_msg) {
		struct msg *m = &p->m[p->old_msg % 512];
		/* a NOP is retired when the requester has passed it */
		int passed = (int16_t)(CAIRN_GET(p->req.index, CAIRN_QP_REQ_INDEX_NEXT_INDEX) -
				       m->index);

		if (m->npsn ? psn_diff(una, m->first + m->npsn) < 0 : passed <= 0)
			break;
		p->made += chunks(p, m, una);
		p->old_msg++;
		p->cmp.oldest = (uint16_t)(m->index + m->blocks);
		p->cmp.old_psn = (m->first + m->npsn) & 0xffffff;
	}
	done = p->made;
	if (p->old_msg < p->n_msg)
		done += chunks(p, &p->m[p->old_msg % 512], una);
	CAIRN_SET(p->cmp.rflags, CAIRN_QP_CMP_RFLAGS_RD_DONE, done & 255);
	CAIRN_SET(p->cmp.wait, CAIRN_QP_CMP_WAIT_LSN, (p->old_msg + p->credits) & 0xffffff);
	world_kick(q);
}

static void go_back(unsigned int q, uint32_t psn)
{
	struct qp *p = &w.q[q];

	p->cmp.gb = psn;
	p->cmp.una += 1u << CAIRN_QP_CMP_UNA_GB_EPOCH_SHIFT;
	world_kick(q);
}

void world_completer(void)
{
	unsigned int q = (unsigned int)rng_below(&w.rng, QPS);
	struct qp *p = &w.q[q];
	uint32_t una = CAIRN_GET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN);
	int32_t out = psn_diff(p->sent, una);

	vtb_check(w.tb, out >= 0 && out < 0x8000);
	if (w.gobacks && rng_percent(&w.rng, 10) && out)
		go_back(q, (una + (uint32_t)rng_below(&w.rng, (uint64_t)out)) & 0xffffff);
	else
		ack(q, (una + (uint32_t)rng_below(&w.rng, (uint64_t)out + 1)) & 0xffffff);
}

/* Context lookups are answered, those that missed are filled later. */
static void drive_lookup(struct vtb *tb)
{
	vtb_set(tb, "lkr_valid_i", 0);
	if (w.lk_head != w.lk_tail && w.lk[w.lk_head % 64].due <= tb->cycle) {
		unsigned int q = w.lk[w.lk_head++ % 64].qpn;
		unsigned int st = !rng_percent(&w.rng, w.lk_bad) ? 0
				  : rng_percent(&w.rng, 50)	 ? 1
								 : 2;

		vtb_set(tb, "lkr_valid_i", 1);
		vtb_set(tb, "lkr_status_i", st);
		vtb_set(tb, "lkr_slot_i", SLOT(q));
		vtb_set(tb, "lkr_key_i", q);
		if (st < 2)
			w.q[q].pins++;
		if (st == 1) {
			w.lkfill_qpn[w.n_lkfill] = q;
			w.lkfill[w.n_lkfill++] = tb->cycle + 1 + rng_below(&w.rng, 60);
		}
	}
	for (unsigned int i = 0; i < w.n_lkfill; i++)
		if (w.lkfill[i] <= tb->cycle) {
			world_kick(w.lkfill_qpn[i]);
			w.lkfill[i] = w.lkfill[--w.n_lkfill];
			w.lkfill_qpn[i] = w.lkfill_qpn[w.n_lkfill];
		}
}

/* Context parts and producer indices, read in the last cycle. */
static void drive_parts(struct vtb *tb)
{
	if (w.part_slot >= SLOT(0) && w.part_slot < SLOT(QPS)) {
		struct qp *p = &w.q[w.part_slot - SLOT(0)];

		vtb_put_bytes(vtb_port(tb, "cfg_data_i"), 0, &p->cfg, 64);
		vtb_put_bytes(vtb_port(tb, "req_data_i"), 0, &p->req, 64);
		vtb_put_bytes(vtb_port(tb, "cmp_data_i"), 0, &p->cmp, 64);
	}
	if (w.cmp_slot >= SLOT(0) && w.cmp_slot < SLOT(QPS))
		vtb_put_bytes(vtb_port(tb, "cmp2_data_i"), 0, &w.q[w.cmp_slot - SLOT(0)].cmp, 64);
	vtb_set(tb, "sq_rd_pi_i", w.sq_qpn < QPS ? w.q[w.sq_qpn].pi : 0);
}

static void drive_mr(struct vtb *tb)
{
	vtb_set(tb, "mr_ready_i",
		w.mr_tail - w.mr_head < 200 && rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "ans_valid_i", 0);
	if (w.mr_head != w.mr_tail && w.mr[w.mr_head % 256].due <= tb->cycle) {
		vtb_set(tb, "ans_valid_i", 1);
		vtb_set(tb, "ans_status_i", w.mr[w.mr_head % 256].status);
		vtb_set(tb, "ans_vendor_i", MR_VENDOR);
		vtb_set(tb, "ans_iova0_i", w.mr[w.mr_head % 256].i0);
		vtb_set(tb, "ans_iova1_i", w.mr[w.mr_head % 256].i1);
		vtb_set(tb, "ans_len0_i", w.mr[w.mr_head % 256].l0);
		vtb_set(tb, "ans_len1_i", w.mr[w.mr_head % 256].l1);
	}
	vtb_set(tb, "mr_fill_i", 0);
	for (unsigned int i = 0; i < w.n_fill; i++)
		if (w.fill[i] <= tb->cycle) {
			vtb_set(tb, "mr_fill_i", 1);
			w.fill[i] = w.fill[--w.n_fill];
			break;
		}
}

/* A beat of a WQE block that was asked for. */
static void drive_fetch(struct vtb *tb)
{
	vtb_set(tb, "dma_valid_i", 0);
	for (unsigned int k = 0; k < 16; k++) {
		struct fetch *f = &w.f[k];
		unsigned int n = w.beat;
		uint64_t at = f->iova + f->sent;
		unsigned int q = (unsigned int)(f->iova >> 16) - 1;

		if (!f->used || f->due > tb->cycle)
			continue;
		vtb_set(tb, "dma_valid_i", 1);
		vtb_set(tb, "dma_tag_i", f->tag);
		vtb_set(tb, "dma_offset_i", f->sent);
		vtb_set(tb, "dma_nbytes_i", n);
		vtb_check(tb, q < QPS && (at & 0xffff) + n <= RING * 64);
		vtb_put_bytes(vtb_port(tb, "dma_data_i"), 0, w.q[q].ring + (at & 0xffff), n);
		f->sent += n;
		vtb_set(tb, "dma_last_i", f->sent == f->len);
		vtb_set(tb, "dma_err_i", f->sent == f->len && f->fail);
		f->used = f->sent != f->len;
		break;
	}
}

static void drive_ready(struct vtb *tb, const char *port)
{
	vtb_set(tb, port, rng_percent(&w.rng, 100 - w.pause));
}

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	vtb_set(tb, "time_now_i", tb->cycle * 4);
	vtb_set(tb, "sched_valid_i", w.q_head != w.q_tail);
	vtb_set(tb, "sched_qpn_i", w.q_head != w.q_tail ? w.queue[w.q_head % 64] : 0);
	drive_ready(tb, "done_ready_i");
	drive_ready(tb, "lk_ready_i");
	drive_lookup(tb);
	drive_parts(tb);
	drive_mr(tb);
	drive_ready(tb, "tmr_ready_i");
	drive_ready(tb, "job_ready_i");
	drive_ready(tb, "seg_ready_i");
	vtb_set(tb, "inline_ready_i", w.inl_open && rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "kick_ready_i", w.pause ? rng_below(&w.rng, 8) : 7);
	vtb_set(tb, "cmp_kick_ready_i", 1);
	drive_ready(tb, "rd_ready_i");
	drive_fetch(tb);
}

static bool taken(struct vtb *tb, const char *valid, const char *ready)
{
	return vtb_get(tb, valid) && vtb_get(tb, ready);
}

/* Scheduler, context cache and parts. */
static void sample_visits(struct vtb *tb)
{
	w.part_slot = (unsigned int)vtb_get(tb, "part_slot_o");
	w.cmp_slot = (unsigned int)vtb_get(tb, "cmp_slot_o");
	w.sq_qpn = (unsigned int)vtb_get(tb, "sq_rd_qpn_o");
	if (taken(tb, "sched_valid_i", "sched_ready_o"))
		w.q[w.queue[w.q_head++ % 64]].st = S_BUSY;
	if (taken(tb, "lk_valid_o", "lk_ready_i")) {
		w.lk[w.lk_tail % 64].qpn = (unsigned int)vtb_get(tb, "lk_key_o");
		w.lk[w.lk_tail++ % 64].due = tb->cycle + 2;
	}
	if (vtb_get(tb, "unpin_valid_o"))
		vtb_check(tb, --w.q[vtb_get(tb, "unpin_slot_o") - SLOT(0)].pins >= 0);
	if (vtb_get(tb, "ow_valid_o")) {
		struct qp *p = &w.q[vtb_get(tb, "ow_slot_o") - SLOT(0)];

		vtb_check(tb, p->pins > 0);
		vtb_get_bytes(vtb_port(tb, "ow_data_o"), 0, &p->req, 64);
		p->err = p->req.flags & CAIRN_QP_REQ_FLAGS_ERR;
	}
	if (taken(tb, "done_valid_o", "done_ready_i"))
		give_back((unsigned int)vtb_get(tb, "done_qpn_o"), vtb_get(tb, "done_more_o"));
	for (unsigned int k = 0; k < 3; k++)
		if (vtb_get(tb, "kick_valid_o") & vtb_get(tb, "kick_ready_i") & 1u << k)
			world_kick(
				(unsigned int)vtb_get_bits(vtb_port(tb, "kick_qpn_o"), 24 * k, 24));
	if (vtb_get(tb, "cmp_kick_valid_o"))
		w.q[vtb_get(tb, "cmp_kick_qpn_o")].cmp_kicked = true;
}

static void sample_mr(struct vtb *tb)
{
	if (taken(tb, "ans_valid_i", "ans_ready_o"))
		w.mr_head++;
	if (taken(tb, "mr_valid_o", "mr_ready_i")) {
		unsigned int i = w.mr_tail++ % 256, len = (unsigned int)vtb_get(tb, "mr_len_o");
		uint64_t va = vtb_get(tb, "mr_va_o"), room = 4096 - (va & 4095);

		w.mr[i].due = tb->cycle + 4 + rng_below(&w.rng, w.latency);
		w.mr[i].status = vtb_get(tb, "mr_key_o") == BAD_KEY ? 2
				 : rng_percent(&w.rng, w.miss)	    ? 1
								    : 0;
		if (w.mr[i].status == 1 && w.n_fill < 60)
			w.fill[w.n_fill++] = tb->cycle + 5 + rng_below(&w.rng, 100);
		w.mr[i].i0 = world_map(va);
		w.mr[i].l0 = len < room ? len : (unsigned int)room;
		w.mr[i].l1 = len - w.mr[i].l0;
		w.mr[i].i1 = world_map(va + room);
	}
}

static void sample_fetch(struct vtb *tb)
{
	struct fetch *f;

	if (!taken(tb, "rd_valid_o", "rd_ready_i"))
		return;
	f = &w.f[vtb_get(tb, "rd_tag_o")];
	vtb_check(tb, !f->used);
	f->used = true;
	f->tag = (unsigned int)vtb_get(tb, "rd_tag_o");
	f->len = (unsigned int)vtb_get(tb, "rd_len_o");
	f->iova = vtb_get(tb, "rd_iova_o");
	f->sent = 0;
	f->due = tb->cycle + 5 + rng_below(&w.rng, w.latency);
	f->fail = rng_percent(&w.rng, w.read_fail);
	vtb_check(tb, f->iova / 4096 == (f->iova + f->len - 1) / 4096);
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	sample_visits(tb);
	sample_mr(tb);
	sample_fetch(tb);
	if (taken(tb, "inline_valid_o", "inline_ready_i"))
		expect_inline(tb);
	if (taken(tb, "seg_valid_o", "seg_ready_i"))
		expect_seg(tb);
	if (taken(tb, "job_valid_o", "job_ready_i"))
		expect_job(tb);
}

/* A connected QP at a random position, with a random path MTU. */
static void make_qp(unsigned int q)
{
	struct qp *p = &w.q[q];
	uint32_t psn = (uint32_t)rng_u64(&w.rng) & 0xffffff, tag = q | 5u << 24,
		 lg = 1 + (uint32_t)rng_below(&w.rng, 5);
	uint16_t index = (uint16_t)rng_u64(&w.rng);

	p->mtu = 128u << lg;
	p->max_rd = 1 + (unsigned int)rng_below(&w.rng, 16);
	p->cfg.tag = p->req.tag = p->cmp.tag = tag;
	p->cfg.state = CAIRN_PUT(CAIRN_QP_CFG_STATE_STATE, CAIRN_QP_STATE_RTS) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_TYPE, CAIRN_QP_TYPE_RC) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_PMTU, lg) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_TIMEOUT, 10);
	p->cfg.rqpn_hop = 0x100 + q;
	p->cfg.rd = p->max_rd;
	p->req.flags = CAIRN_PUT(CAIRN_QP_REQ_FLAGS_SQ_LOG2, RING_LOG2);
	p->req.sq_base = BASE(q);
	p->req.index = index;
	p->req.psn = psn;
	p->req.hi_psn = psn;
	p->req.msg_psn = psn;
	p->cmp.una = psn;
	p->cmp.gb = psn;
	p->cmp.oldest = index;
	p->cmp.old_psn = psn;
	p->credits = 3;
	if (q)
		p->cmp.flags = CAIRN_QP_CMP_FLAGS_CREDITS_OFF;
	p->pi = index;
	p->end_psn = p->next = p->sent = psn;
}

struct vtb *world_start(void)
{
	struct vtb *tb = vtb_create();

	memset(&w, 0, sizeof(w));
	w.tb = tb;
	w.rng = tb->rng;
	w.latency = 20;
	w.beat = (unsigned int)vtb_port(tb, "dma_data_i")->width / 8;
	for (unsigned int q = 0; q < QPS; q++)
		make_qp(q);
	vtb_run(tb, 80);
	vtb_on_drive(tb, drive, NULL);
	vtb_on_sample(tb, sample, NULL);
	return tb;
}

bool world_all_done(void)
{
	for (unsigned int q = 0; q < QPS; q++)
		if (w.q[q].old_msg != w.q[q].n_msg)
			return false;
	return true;
}
