// SPDX-License-Identifier: Apache-2.0
/*
 * The requester with its WQE cache against a reference: each packet must be what its PSN says it is
 * (operation, position in the message, addresses, pieces, inline bytes), PSNs follow one another, a
 * go-back starts where it should, and everything posted gets sent. The environment answers MR
 * requests late, with misses and errors, loses context lookups, acknowledges and goes back.
 */
#include <stdio.h>
#include <string.h>

#include "vtb.h"
#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_pkt.h"

#define QPS 6
#define RING_LOG2 6
#define RING (1u << RING_LOG2)
#define SLOT(q) ((q) + 3)
#define BASE(q) ((uint64_t)((q) + 1) << 16)
#define BAD_KEY 0xbadu
#define CHUNK 1024u

struct msg {
	unsigned int op, nsge, len, blocks, index;
	bool inl, fence, sol;
	uint32_t first, npsn, imm, rkey;
	uint64_t raddr;
	struct {
		uint64_t addr;
		uint32_t lkey, len;
	} sge[16];
	uint8_t data[224];
};

struct qp {
	struct cairn_qp_cfg cfg;
	struct cairn_qp_req req;
	struct cairn_qp_cmp cmp;
	uint8_t ring[RING * 64];
	struct msg m[512];
	unsigned int n_msg, old_msg, made, mtu, max_rd;
	uint16_t pi;
	uint32_t end_psn, next; /* next: expected PSN of the next job */
	uint8_t epoch;
	uint32_t gb, sent; /* sent: one past the highest PSN of a job */
	enum { S_IDLE, S_QUEUED, S_BUSY, S_WANTED } st;
	bool err, cmp_kicked;
	int pins;
	unsigned int credits;
};

struct fetch {
	bool used, fail;
	unsigned int tag, len, sent;
	uint64_t iova, due;
};

static struct world {
	struct vtb *tb;
	struct rng rng;
	struct qp q[QPS];
	unsigned int queue[64], q_head, q_tail;
	struct {
		unsigned int qpn;
		uint64_t due;
	} lk[64];
	unsigned int lk_head, lk_tail;
	struct {
		uint64_t due, i0, i1;
		unsigned int status, l0, l1;
	} mr[256];
	unsigned int mr_head, mr_tail;
	uint64_t fill[64], lkfill[64];
	unsigned int n_fill, n_lkfill, lkfill_qpn[64];
	struct fetch f[16];
	unsigned int miss, pause, lk_bad, read_fail, latency;
	unsigned int part_slot, cmp_slot, sq_qpn;
	struct qp *jq;
	struct msg *jm;
	uint32_t joff, jleft, jplen;
	bool job_open;
	uint64_t jobs, retx, first_job, last_job;
	uint64_t job_cycle[4096];
	unsigned int jpos, inl_pos, inl_len, beat;
	bool inl_open, inl_eoj, gobacks;
} w;

static uint64_t map(uint64_t va)
{
	return ((va >> 12) * 0x9e3779b97f4a7c15ull >> 20 << 12) | (va & 4095);
}

static int32_t diff(uint32_t a, uint32_t b)
{
	return (int32_t)((a - b) << 8) >> 8;
}

static void kick(unsigned int q)
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
		kick(q);
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
static void put_wqe(unsigned int q, struct msg *m)
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

static struct msg *new_msg(unsigned int q)
{
	struct msg *m = &w.q[q].m[w.q[q].n_msg % 512];

	memset(m, 0, sizeof(*m));
	m->imm = (uint32_t)rng_u64(&w.rng);
	m->rkey = (uint32_t)rng_u64(&w.rng);
	m->raddr = rng_u64(&w.rng) >> 8;
	return m;
}

static bool post(unsigned int q, struct msg *m)
{
	struct qp *p = &w.q[q];

	put_wqe(q, m);
	p->pi = (uint16_t)(p->pi + m->blocks);
	p->n_msg++;
	kick(q);
	return true;
}

static void random_msg(unsigned int q)
{
	static const unsigned int ops[] = { CAIRN_WQE_OP_SEND,	CAIRN_WQE_OP_SEND_IMM,
					    CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_WRITE_IMM,
					    CAIRN_WQE_OP_READ,	CAIRN_WQE_OP_WRITE,
					    CAIRN_WQE_OP_READ,	CAIRN_WQE_OP_NOP };
	struct msg *m = new_msg(q);
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
	post(q, m);
}

static struct msg *at_psn(struct qp *p, uint32_t psn)
{
	for (unsigned int i = p->n_msg > 500 ? p->n_msg - 500 : 0; i < p->n_msg; i++) {
		struct msg *m = &p->m[i % 512];

		if (diff(psn, m->first) >= 0 && diff(psn, m->first + m->npsn) < 0)
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
	if (diff(una, m->first + m->npsn) >= 0)
		return (m->npsn + CHUNK - 1) / CHUNK;
	if (diff(una, m->first) <= 0)
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

		if (m->npsn ? diff(una, m->first + m->npsn) < 0 : passed <= 0)
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
	kick(q);
}

static void go_back(unsigned int q, uint32_t psn)
{
	struct qp *p = &w.q[q];

	p->cmp.gb = psn;
	p->cmp.una += 1u << CAIRN_QP_CMP_UNA_GB_EPOCH_SHIFT;
	kick(q);
}

static void completer(void)
{
	unsigned int q = (unsigned int)rng_below(&w.rng, QPS);
	struct qp *p = &w.q[q];
	uint32_t una = CAIRN_GET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN);
	int32_t out = diff(p->sent, una);

	vtb_check(w.tb, out >= 0 && out < 0x8000);
	if (w.gobacks && rng_percent(&w.rng, 10) && out)
		go_back(q, (una + (uint32_t)rng_below(&w.rng, (uint64_t)out)) & 0xffffff);
	else
		ack(q, (una + (uint32_t)rng_below(&w.rng, (uint64_t)out + 1)) & 0xffffff);
}

static void drive(struct vtb *tb, void *arg)
{
	unsigned int kicks = 7;

	(void)arg;
	vtb_set(tb, "time_now_i", tb->cycle * 4);
	vtb_set(tb, "sched_valid_i", w.q_head != w.q_tail);
	vtb_set(tb, "sched_qpn_i", w.q_head != w.q_tail ? w.queue[w.q_head % 64] : 0);
	vtb_set(tb, "done_ready_i", rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "lk_ready_i", rng_percent(&w.rng, 100 - w.pause));
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
			kick(w.lkfill_qpn[i]);
			w.lkfill[i] = w.lkfill[--w.n_lkfill];
			w.lkfill_qpn[i] = w.lkfill_qpn[w.n_lkfill];
		}
	if (w.part_slot >= 3 && w.part_slot < 3 + QPS) {
		vtb_put_bytes(vtb_port(tb, "cfg_data_i"), 0, &w.q[w.part_slot - 3].cfg, 64);
		vtb_put_bytes(vtb_port(tb, "req_data_i"), 0, &w.q[w.part_slot - 3].req, 64);
		vtb_put_bytes(vtb_port(tb, "cmp_data_i"), 0, &w.q[w.part_slot - 3].cmp, 64);
	}
	if (w.cmp_slot >= 3 && w.cmp_slot < 3 + QPS)
		vtb_put_bytes(vtb_port(tb, "cmp2_data_i"), 0, &w.q[w.cmp_slot - 3].cmp, 64);
	vtb_set(tb, "sq_rd_pi_i", w.sq_qpn < QPS ? w.q[w.sq_qpn].pi : 0);
	vtb_set(tb, "mr_ready_i",
		w.mr_tail - w.mr_head < 200 && rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "ans_valid_i", 0);
	if (w.mr_head != w.mr_tail && w.mr[w.mr_head % 256].due <= tb->cycle) {
		vtb_set(tb, "ans_valid_i", 1);
		vtb_set(tb, "ans_status_i", w.mr[w.mr_head % 256].status);
		vtb_set(tb, "ans_vendor_i", 18);
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
	vtb_set(tb, "tmr_ready_i", rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "job_ready_i", rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "seg_ready_i", rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "inline_ready_i", w.inl_open && rng_percent(&w.rng, 100 - w.pause));
	if (w.pause)
		kicks = (unsigned int)rng_below(&w.rng, 8);
	vtb_set(tb, "kick_ready_i", kicks);
	vtb_set(tb, "cmp_kick_ready_i", 1);
	vtb_set(tb, "rd_ready_i", rng_percent(&w.rng, 100 - w.pause));
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

static void job(struct vtb *tb)
{
	unsigned int q = (unsigned int)vtb_get(tb, "job_qpn_o"),
		     op = (unsigned int)vtb_get(tb, "job_opcode_o"), want;
	uint32_t psn = (uint32_t)vtb_get(tb, "job_psn_o"), off, plen, len, span = 1;
	uint8_t epoch = (uint8_t)vtb_get(tb, "job_epoch_o");
	struct qp *p = &w.q[q];
	struct msg *m;
	bool first, last, imm, rd;

	vtb_check(tb, !w.job_open && q < QPS);
	vtb_check(tb, !p->err);
	if (epoch != p->epoch) {
		uint32_t una = CAIRN_GET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN);

		vtb_check(tb, diff(psn, p->cmp.gb) >= 0 || epoch != p->cmp.una >> 24);
		vtb_check(tb, diff(psn, p->cmp.gb) <= 0 || diff(psn, una) <= 0 ||
				      epoch != p->cmp.una >> 24);
		p->epoch = epoch;
	} else {
		/* what is acknowledged is passed over */
		if (psn != p->next &&
		    diff(psn, CAIRN_GET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN)) > 0)
			vtb_check_eq(tb, psn, p->next);
		vtb_check(tb, diff(psn, p->next) >= 0);
	}
	m = at_psn(p, psn);
	if (!m) /* acknowledged and retired since: nothing to compare with */
		vtb_fail(tb, "QP %u: PSN %06x is of no message", q, psn);
	rd = m->op == CAIRN_WQE_OP_READ;
	imm = m->op == CAIRN_WQE_OP_SEND_IMM || m->op == CAIRN_WQE_OP_WRITE_IMM;
	off = ((psn - m->first) & 0xffffff) * p->mtu;
	first = off == 0;
	len = m->len - off;
	if (rd) {
		uint32_t c = CHUNK * p->mtu - off % (CHUNK * p->mtu);

		if (len > c)
			len = c;
		span = len ? (len + p->mtu - 1) / p->mtu : 1;
		last = off + len == m->len;
		want = CAIRN_OPCODE_RC_READ_REQUEST;
		plen = 0;
		vtb_check_eq(tb, vtb_get(tb, "job_len_o"), len);
		vtb_check_eq(tb, vtb_get(tb, "job_va_o"), m->raddr + off);
	} else {
		plen = len < p->mtu ? len : p->mtu;
		last = plen == len;
		want = m->op <= CAIRN_WQE_OP_SEND_INV ? CAIRN_OPCODE_RC_SEND_FIRST
						      : CAIRN_OPCODE_RC_WRITE_FIRST;
		want += first && last ? 4 + imm : last ? 2 + imm : first ? 0 : 1;
		if (first && m->op >= CAIRN_WQE_OP_WRITE) {
			vtb_check_eq(tb, vtb_get(tb, "job_len_o"), m->len);
			vtb_check_eq(tb, vtb_get(tb, "job_va_o"), m->raddr);
		}
	}
	vtb_check_eq(tb, op, want);
	vtb_check_eq(tb, vtb_get(tb, "job_plen_o"), plen);
	vtb_check_eq(tb, vtb_get(tb, "job_key_o"), m->rkey);
	if (imm && last)
		vtb_check_eq(tb, vtb_get(tb, "job_imm_o"), __builtin_bswap32(m->imm));
	vtb_check_eq(tb, vtb_get(tb, "job_se_o"),
		     m->sol && last && !rd && m->op != CAIRN_WQE_OP_WRITE);
	if (last || rd)
		vtb_check(tb, vtb_get(tb, "job_ackreq_o"));
	vtb_check_eq(tb, vtb_get(tb, "job_dest_o"), 0x100 + q);
	p->next = (psn + span) & 0xffffff;
	if (diff(p->next, p->sent) > 0)
		p->sent = p->next;
	/* the part covers it already */
	vtb_check(tb, diff(CAIRN_GET(p->req.hi_psn, CAIRN_QP_REQ_HI_PSN_HI_PSN), p->next) >= 0);
	if (w.jobs < 4096)
		w.job_cycle[w.jobs] = tb->cycle;
	w.jobs++;
	w.retx += vtb_get(tb, "job_retx_o");
	w.job_open = plen != 0;
	w.jq = p;
	w.jm = m;
	w.joff = off;
	w.jleft = plen;
	w.jpos = 0;
}

static void seg(struct vtb *tb)
{
	uint32_t len = (uint32_t)vtb_get(tb, "seg_len_o"), skip = w.joff;
	struct msg *m = w.jm;
	unsigned int i = 0;

	vtb_check(tb, w.job_open && !w.inl_open && len && len <= w.jleft);
	vtb_check_eq(tb, vtb_get(tb, "seg_inline_o"), m->inl);
	if (m->inl) {
		vtb_check_eq(tb, len, w.jpos ? m->len - 32 : m->len < 32 ? m->len : 32);
		w.inl_open = true;
		w.inl_pos = w.jpos;
		w.inl_len = len;
	} else {
		while (skip >= m->sge[i].len)
			skip -= m->sge[i++].len;
		vtb_check(tb, i < m->nsge && len <= m->sge[i].len - skip);
		if (vtb_get(tb, "seg_iova_o") != map(m->sge[i].addr + skip))
			vtb_fail(
				tb,
				"QP %u message at %06x of %u bytes in %u elements: byte %u is element %u + %u",
				(unsigned int)(w.jq - w.q), m->first, m->len, m->nsge, w.joff, i,
				skip);
		vtb_check(tb, (vtb_get(tb, "seg_iova_o") & 4095) + len <= 4096);
	}
	w.jpos += len;
	w.joff += len;
	w.jleft -= len;
	vtb_check_eq(tb, vtb_get(tb, "seg_eoj_o"), w.jleft == 0);
	if (!w.jleft)
		w.job_open = false;
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	w.part_slot = (unsigned int)vtb_get(tb, "part_slot_o");
	w.cmp_slot = (unsigned int)vtb_get(tb, "cmp_slot_o");
	w.sq_qpn = (unsigned int)vtb_get(tb, "sq_rd_qpn_o");
	if (vtb_get(tb, "sched_valid_i") && vtb_get(tb, "sched_ready_o"))
		w.q[w.queue[w.q_head++ % 64]].st = S_BUSY;
	if (vtb_get(tb, "lk_valid_o") && vtb_get(tb, "lk_ready_i")) {
		w.lk[w.lk_tail % 64].qpn = (unsigned int)vtb_get(tb, "lk_key_o");
		w.lk[w.lk_tail++ % 64].due = tb->cycle + 2;
	}
	if (vtb_get(tb, "unpin_valid_o"))
		vtb_check(tb, --w.q[vtb_get(tb, "unpin_slot_o") - 3].pins >= 0);
	if (vtb_get(tb, "ow_valid_o")) {
		struct qp *p = &w.q[vtb_get(tb, "ow_slot_o") - 3];

		vtb_check(tb, p->pins > 0);
		vtb_get_bytes(vtb_port(tb, "ow_data_o"), 0, &p->req, 64);
		p->err = p->req.flags & CAIRN_QP_REQ_FLAGS_ERR;
	}
	if (vtb_get(tb, "done_valid_o") && vtb_get(tb, "done_ready_i"))
		give_back((unsigned int)vtb_get(tb, "done_qpn_o"), vtb_get(tb, "done_more_o"));
	for (unsigned int k = 0; k < 3; k++)
		if (vtb_get(tb, "kick_valid_o") & vtb_get(tb, "kick_ready_i") & 1u << k)
			kick((unsigned int)vtb_get_bits(vtb_port(tb, "kick_qpn_o"), 24 * k, 24));
	if (vtb_get(tb, "cmp_kick_valid_o"))
		w.q[vtb_get(tb, "cmp_kick_qpn_o")].cmp_kicked = true;
	if (vtb_get(tb, "ans_valid_i") && vtb_get(tb, "ans_ready_o"))
		w.mr_head++;
	if (vtb_get(tb, "mr_valid_o") && vtb_get(tb, "mr_ready_i")) {
		unsigned int i = w.mr_tail++ % 256, len = (unsigned int)vtb_get(tb, "mr_len_o");
		uint64_t va = vtb_get(tb, "mr_va_o"), room = 4096 - (va & 4095);

		w.mr[i].due = tb->cycle + 4 + rng_below(&w.rng, w.latency);
		w.mr[i].status = vtb_get(tb, "mr_key_o") == BAD_KEY ? 2
				 : rng_percent(&w.rng, w.miss)	    ? 1
								    : 0;
		if (w.mr[i].status == 1 && w.n_fill < 60)
			w.fill[w.n_fill++] = tb->cycle + 5 + rng_below(&w.rng, 100);
		w.mr[i].i0 = map(va);
		w.mr[i].l0 = len < room ? len : (unsigned int)room;
		w.mr[i].l1 = len - w.mr[i].l0;
		w.mr[i].i1 = map(va + room);
	}
	if (vtb_get(tb, "rd_valid_o") && vtb_get(tb, "rd_ready_i")) {
		struct fetch *f = &w.f[vtb_get(tb, "rd_tag_o")];

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
	if (vtb_get(tb, "inline_valid_o") && vtb_get(tb, "inline_ready_i")) {
		unsigned int n = vtb_get(tb, "inline_last_o")
					 ? (unsigned int)vtb_get(tb, "inline_nbytes_o")
					 : w.beat;
		uint8_t got[64];

		vtb_check(tb, n <= w.inl_len);
		vtb_get_bytes(vtb_port(tb, "inline_data_o"), 0, got, n);
		vtb_check(tb, !memcmp(got, w.jm->data + w.inl_pos, n));
		w.inl_pos += n;
		w.inl_len -= n;
		vtb_check_eq(tb, vtb_get(tb, "inline_last_o"), w.inl_len == 0);
		w.inl_open = w.inl_len != 0;
	}
	if (vtb_get(tb, "seg_valid_o") && vtb_get(tb, "seg_ready_i"))
		seg(tb);
	if (vtb_get(tb, "job_valid_o") && vtb_get(tb, "job_ready_i"))
		job(tb);
}

static struct vtb *start(void)
{
	struct vtb *tb = vtb_create();

	memset(&w, 0, sizeof(w));
	w.tb = tb;
	w.rng = tb->rng;
	w.latency = 20;
	w.beat = (unsigned int)vtb_port(tb, "dma_data_i")->width / 8;
	for (unsigned int q = 0; q < QPS; q++) {
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
	vtb_run(tb, 80);
	vtb_on_drive(tb, drive, NULL);
	vtb_on_sample(tb, sample, NULL);
	return tb;
}

static unsigned int room(const struct qp *p)
{
	return RING - (uint16_t)(p->pi - (uint16_t)p->cmp.oldest);
}

static bool all_done(void)
{
	for (unsigned int q = 0; q < QPS; q++)
		if (w.q[q].old_msg != w.q[q].n_msg)
			return false;
	return true;
}

static void run(unsigned int cycles, unsigned int pause, unsigned int miss, unsigned int lk_bad,
		bool gobacks, unsigned int messages)
{
	struct vtb *tb = start();
	unsigned int posted = 0;

	w.pause = pause;
	w.miss = miss;
	w.lk_bad = lk_bad;
	w.gobacks = gobacks;
	for (unsigned int i = 0; i < cycles; i++) {
		unsigned int q = (unsigned int)rng_below(&w.rng, QPS);

		if (rng_percent(&w.rng, 5) && posted < messages && room(&w.q[q]) >= 8 &&
		    w.q[q].n_msg - w.q[q].old_msg < 400) {
			random_msg(q);
			posted++;
		}
		if (rng_percent(&w.rng, 3))
			completer();
		vtb_tick(tb);
		if (posted == messages && all_done())
			break;
	}
	for (unsigned int q = 0; q < QPS; q++) {
		struct qp *p = &w.q[q];

		if (p->err)
			vtb_fail(tb, "QP %u: error, flags %08x", q, p->req.flags);
		if (p->old_msg != p->n_msg)
			vtb_fail(
				tb,
				"QP %u: %u of %u messages done, next %06x of %06x, una %06x, index %04x of %04x, state %u",
				q, p->old_msg, p->n_msg, p->req.psn & 0xffffff, p->end_psn,
				p->cmp.una & 0xffffff, p->req.index & 0xffff, p->pi, p->st);
		vtb_check_eq(tb, p->req.index & 0xffff, p->pi);
	}
	vtb_check_eq(tb, posted, messages);
	w.pause = 0;
	for (int i = 0; i < 3000; i++)
		vtb_tick(tb);
	for (unsigned int q = 0; q < QPS; q++) {
		vtb_check_eq(tb, w.q[q].pins, 0);
		vtb_check_eq(tb, w.q[q].st, S_IDLE);
	}
	vtb_check(tb, vtb_get(tb, "idle_o"));
	print_message("# %u messages, %llu packets, %llu again\n", posted,
		      (unsigned long long)w.jobs, (unsigned long long)w.retx);
	vtb_destroy(tb);
}

static void plain(void **s)
{
	(void)s;
	run(40000, 0, 0, 0, false, 300);
}
static void pauses(void **s)
{
	(void)s;
	run(60000, 40, 0, 10, false, 300);
}
static void misses(void **s)
{
	(void)s;
	run(80000, 20, 10, 10, false, 300);
}
static void back(void **s)
{
	(void)s;
	run(100000, 0, 0, 0, true, 300);
}
static void everything(void **s)
{
	(void)s;
	run(150000, 20, 5, 5, true, 500);
}

/* Each malformed WQE stops its QP with the right cause, after what was posted before it. */
static void errors(void **s)
{
	static const struct {
		unsigned int kind, status, vendor;
	} rows[] = {
		{ 0, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_CHECK },
		{ 1, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_OPCODE },
		{ 2, CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_VENDOR_ERR_WQE_LENGTH },
		{ 3, CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_VENDOR_ERR_WQE_LENGTH },
		{ 4, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_SGE },
		{ 5, CAIRN_WC_STATUS_LOC_PROT_ERR, 18 },
		{ 6, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_INDEX },
		{ 7, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_DMA_READ },
		{ 8, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_INDEX },
		{ 9, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_DMA_READ },
	};

	(void)s;
	for (unsigned int r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		struct vtb *tb = start();
		struct qp *p = &w.q[2];
		struct msg *m;
		struct cairn_wqe *x;
		uint32_t psn;
		unsigned int n = rows[r].kind == 6 || rows[r].kind == 7 ? 0 : 3, index;

		for (unsigned int i = 0; i < n; i++) {
			m = new_msg(2);
			m->op = CAIRN_WQE_OP_WRITE;
			m->nsge = 1;
			m->sge[0].len = m->len = 3 * p->mtu;
			m->sge[0].lkey = 1;
			post(2, m);
		}
		m = new_msg(2);
		m->op = CAIRN_WQE_OP_WRITE;
		m->nsge = rows[r].kind == 3 || rows[r].kind == 8 ? 5 : 2;
		for (unsigned int i = 0; i < m->nsge; i++) {
			m->sge[i].len = p->mtu + 7;
			m->sge[i].lkey = rows[r].kind == 5 && i ? BAD_KEY : 3;
			m->len += m->sge[i].len;
		}
		index = p->pi;
		psn = p->end_psn;
		x = (struct cairn_wqe *)(p->ring + index % RING * 64);
		put_wqe(2, m);
		p->n_msg++;
		switch (rows[r].kind) {
		case 0:
			x->check ^= 0x10000;
			break;
		case 1:
			x->ctrl |= 0x40;
			break;
		case 2:
		case 3:
			x->length++;
			break;
		case 4:
			x->ctrl += 1u << CAIRN_WQE_CTRL_BLOCKS_SHIFT;
			m->blocks = 2;
			break;
		case 6:
			m->blocks = RING + 1;
			break;
		case 7:
			w.read_fail = 100;
			break;
		case 8: /* its second block is not posted */
			m->blocks = 1;
			break;
		default:
			break;
		}
		p->pi = (uint16_t)(p->pi + m->blocks);
		kick(2);
		if (rows[r].kind == 9) { /* payload read of the last WQE fails */
			vtb_run(tb, 1500);
			vtb_set(tb, "txe_valid_i", 1);
			vtb_set(tb, "txe_qpn_i", 2);
			vtb_set(tb, "txe_psn_i", (psn + 1) & 0xffffff);
			while (!vtb_get(tb, "txe_ready_o"))
				vtb_tick(tb);
			vtb_tick(tb);
			vtb_set(tb, "txe_valid_i", 0);
		}
		vtb_run(tb, 2000);
		if (!p->err)
			vtb_fail(tb, "row %u: no error", r);
		vtb_check_eq(tb, CAIRN_GET(p->req.flags, CAIRN_QP_REQ_FLAGS_ERR_VENDOR),
			     rows[r].vendor);
		vtb_check_eq(tb, CAIRN_GET(p->req.flags, CAIRN_QP_REQ_FLAGS_ERR_STATUS),
			     rows[r].status);
		vtb_check_eq(tb, p->req.index & 0xffff, index);
		vtb_check_eq(tb, p->req.msg_psn & 0xffffff, psn);
		vtb_check(tb, p->cmp_kicked);
		if (rows[r].kind != 5 && rows[r].kind != 9)
			vtb_check_eq(tb, w.jobs, 3 * n);
		vtb_check_eq(tb, p->pins, 0);
		vtb_check(tb, vtb_get(tb, "idle_o"));
		vtb_destroy(tb);
	}
}

/* Small inline WRITEs of one QP; spacing of the packets. */
static void small_writes(void **s)
{
	struct vtb *tb = start();
	uint64_t gap = 1000;

	(void)s;
	w.latency = 1;
	for (int i = 0; i < 48; i++) {
		struct msg *m = new_msg(1);

		m->op = CAIRN_WQE_OP_WRITE;
		m->inl = true;
		m->len = 8;
		post(1, m);
	}
	vtb_run(tb, 2000);
	vtb_check_eq(tb, w.jobs, 48);
	/* four packets in a row without a fetch or a new visit */
	for (unsigned int i = 4; i < 48; i++)
		if (w.job_cycle[i] - w.job_cycle[i - 4] < gap)
			gap = w.job_cycle[i] - w.job_cycle[i - 4];
	print_message("# four packets in %llu cycles within a visit\n", (unsigned long long)gap);
	vtb_check(tb, gap <= 16);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),	cmocka_unit_test(pauses),
		cmocka_unit_test(misses),	cmocka_unit_test(back),
		cmocka_unit_test(everything),	cmocka_unit_test(errors),
		cmocka_unit_test(small_writes),
	};

	return cmocka_run_group_tests_name("requester", tests, NULL, NULL);
}
