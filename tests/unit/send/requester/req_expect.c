// SPDX-License-Identifier: Apache-2.0
/*
 * What the requester sends against what was posted: operation, position in the message, addresses,
 * pieces and inline bytes must be those of the message that the PSN belongs to, and PSNs must
 * follow one another but for go-backs of the completer.
 */
#include <string.h>

#include "req_world.h"
#include "cairn_pkt.h"

/* The PSN is the next one, or the one that a go-back of the completer asked for. */
static void check_psn(struct vtb *tb, struct qp *p, uint32_t psn)
{
	uint8_t epoch = w.job.send_epoch;
	uint32_t una = CAIRN_GET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN);

	if (epoch != p->epoch) {
		vtb_check(tb, psn_diff(psn, p->cmp.gb) >= 0 || epoch != p->cmp.una >> 24);
		vtb_check(tb, psn_diff(psn, p->cmp.gb) <= 0 || psn_diff(psn, una) <= 0 ||
				      epoch != p->cmp.una >> 24);
		p->epoch = epoch;
	} else {
		/* what is acknowledged is passed over */
		if (psn != p->next && psn_diff(psn, una) > 0)
			vtb_check_eq(tb, psn, p->next);
		vtb_check(tb, psn_diff(psn, p->next) >= 0);
	}
}

struct packet {
	uint32_t off, plen; /* byte in the message, payload */
	unsigned int opcode, span;
	bool last;
};

static void expect_read(struct vtb *tb, const struct qp *p, const struct msg *m, struct packet *x)
{
	uint32_t len = m->len - x->off, c = CHUNK * p->mtu - x->off % (CHUNK * p->mtu);

	if (len > c)
		len = c;
	x->span = len ? (len + p->mtu - 1) / p->mtu : 1;
	x->last = x->off + len == m->len;
	x->opcode = CAIRN_OPCODE_RC_READ_REQUEST;
	vtb_check_eq(tb, w.job.args.len, len);
	vtb_check_eq(tb, w.job.args.va, m->raddr + x->off);
}

static void expect_atomic(struct vtb *tb, const struct msg *m, struct packet *x)
{
	bool cas = m->op == CAIRN_WQE_OP_ATOMIC_CS;

	x->span = 1;
	x->last = true;
	x->opcode = cas ? CAIRN_OPCODE_RC_COMPARE_SWAP : CAIRN_OPCODE_RC_FETCH_ADD;
	vtb_check_eq(tb, w.job.args.va, m->raddr);
	vtb_check_eq(tb, w.job.args.swap_add, m->swap);
	vtb_check_eq(tb, w.job.args.compare, cas ? m->compare : 0);
}

/* Path and headers of a datagram come from its WQE, the tag from the GID table. */
static void expect_path(struct vtb *tb, const struct qp *p, const struct msg *m)
{
	static const uint8_t v4[12] = { [10] = 0xff, [11] = 0xff };
	uint64_t gid[2] = { 0, 0 };

	for (unsigned int i = 0; i < 16; i++)
		gid[i / 8] = gid[i / 8] << 8 | m->dgid[i];
	vtb_check_eq(tb, w.job.qkey, m->qkey >> 31 ? p->cfg.qkey : m->qkey);
	vtb_check_eq(tb, w.job.av.dmac, m->dmac);
	vtb_check_eq(tb, w.job.av.dgid[1], gid[0]);
	vtb_check_eq(tb, w.job.av.dgid[0], gid[1]);
	vtb_check_eq(tb, w.job.av.ipv6, !!memcmp(m->dgid, v4, 12));
	vtb_check_eq(tb, w.job.av.sgid_index, m->sgid);
	vtb_check_eq(tb, w.job.av.sport, m->sport);
	vtb_check_eq(tb, w.job.av.tclass, m->tclass);
	vtb_check_eq(tb, w.job.av.hop, m->hop);
	vtb_check_eq(tb, w.job.av.flow, m->flow);
	vtb_check_eq(tb, w.job.av.vlan, w.gid[m->sgid].vlan);
	if (w.gid[m->sgid].vlan)
		vtb_check_eq(tb, w.job.av.tci,
			     (unsigned int)m->sl << 13 | w.gid[m->sgid].vid);
	vtb_check_eq(tb, w.job.av.pkey, 0xffff);
}

/* READs and atomics outstanding, and what must be over before `m` begins. */
static void check_order(struct vtb *tb, struct qp *p, const struct msg *m, uint32_t psn,
			const struct packet *x)
{
	bool fresh = psn_diff(psn, p->sent) >= 0;
	bool rd = m->op == CAIRN_WQE_OP_READ || msg_is_atomic(m);

	for (unsigned int i = p->old_msg; psn_diff(psn, p->cmp.old_psn) >= 0 && i < p->n_msg; i++) {
		if (&p->m[i % 512] == m)
			break;
		vtb_check(tb, !msg_is_local(&p->m[i % 512]) || p->m[i % 512].answered);
	}
	if (!fresh)
		return;
	if (m->fence && !x->off)
		vtb_check_eq(tb, p->rd_new, p->rd_done);
	if (!x->off || m->op == CAIRN_WQE_OP_READ) {
		bool takes = msg_is_send(m) || m->op == CAIRN_WQE_OP_WRITE_IMM;

		if (takes && !(p->cmp.flags & CAIRN_QP_CMP_FLAGS_CREDITS_OFF))
			vtb_check(tb, psn_diff(p->started - p->free, p->lsn) <= 0);
		p->started++;
		p->free += !takes;
		/* the next packet may be committed already */
		vtb_check(tb,
			  (CAIRN_GET(p->req.ssn, CAIRN_QP_REQ_SSN) - p->started) % (1u << 24) <=
				  1);
		vtb_check(tb, p->req.free_msg - p->free <= 1);
	}
	p->rd_new += rd;
	if (rd)
		vtb_check(tb, p->rd_new - p->rd_done <= p->max_rd);
}

static bool has_imm(const struct msg *m)
{
	return m->op == CAIRN_WQE_OP_SEND_IMM || m->op == CAIRN_WQE_OP_WRITE_IMM;
}

static void expect_payload(struct vtb *tb, const struct qp *p, const struct msg *m,
			   struct packet *x)
{
	uint32_t len = m->len - x->off;
	bool first = x->off == 0;

	vtb_check(tb, m->op < CAIRN_WQE_OPS);
	x->span = 1;
	x->plen = len < p->mtu ? len : p->mtu;
	x->last = x->plen == len;
	/* test_ops.c has looked at these: kind, place, immediate and key to invalidate */
	x->opcode = cairn_wqe_info[m->op].bth[2 * first + x->last];
	x->opcode |= p->type == CAIRN_QP_TYPE_RC ? 0 : p->type == CAIRN_QP_TYPE_UC ? 0x20 : 0x60;
	if (first && !msg_is_send(m)) {
		vtb_check_eq(tb, w.job.args.len, m->len);
		vtb_check_eq(tb, w.job.args.va, m->raddr);
	}
}

static void check_fields(struct vtb *tb, const struct qp *p, const struct msg *m,
			 const struct packet *x)
{
	bool rd = m->op == CAIRN_WQE_OP_READ || msg_is_atomic(m);
	bool rc = p->type == CAIRN_QP_TYPE_RC, ud = !rc && p->type != CAIRN_QP_TYPE_UC;

	vtb_check_eq(tb, w.job.opcode, x->opcode);
	vtb_check_eq(tb, w.job.pay_len, x->plen);
	if (m->op == CAIRN_WQE_OP_SEND_INV)
		vtb_check_eq(tb, w.job.args.key, m->imm);
	else if (!msg_is_send(m))
		vtb_check_eq(tb, w.job.args.key, m->rkey);
	if (has_imm(m) && x->last)
		vtb_check_eq(tb, w.job.args.imm, __builtin_bswap32(m->imm));
	vtb_check_eq(tb, w.job.se,
		     m->sol && x->last && !rd && m->op != CAIRN_WQE_OP_WRITE);
	if (x->last || rd || !rc)
		vtb_check_eq(tb, w.job.ackreq, rc);
	if (ud)
		expect_path(tb, p, m);
	vtb_check_eq(tb, w.job.av.dest_qp, ud ? m->dqpn : 0x100 + (unsigned int)(p - w.q));
}

void expect_job(struct vtb *tb)
{
	struct packet x = { 0 };
	unsigned int q;
	uint32_t psn;
	struct qp *p;
	struct msg *m;

	w.job = vtb_get_tx_job(vtb_port(tb, "requests_job_o"), 0);
	q = w.job.qpn;
	psn = w.job.psn;
	p = &w.q[q];
	vtb_check(tb, w.job_tail - w.job_head < 2 && q < QPS);
	vtb_check(tb, !p->err);
	check_psn(tb, p, psn);
	m = world_at_psn(p, psn);
	if (!m) /* acknowledged and retired since: nothing to compare with */
		vtb_fail(tb, "QP %u: PSN %06x is of no message", q, psn);
	x.off = ((psn - m->first) & 0xffffff) * p->mtu;
	if (m->op == CAIRN_WQE_OP_READ)
		expect_read(tb, p, m, &x);
	else if (msg_is_atomic(m))
		expect_atomic(tb, m, &x);
	else
		expect_payload(tb, p, m, &x);
	check_fields(tb, p, m, &x);
	check_order(tb, p, m, psn, &x);
	p->next = (psn + x.span) & 0xffffff;
	if (psn_diff(p->next, p->sent) > 0)
		p->sent = p->next;
	/* the part covers it already */
	vtb_check(tb, psn_diff(CAIRN_GET(p->req.hi_psn, CAIRN_QP_REQ_HI_PSN), p->next) >= 0);
	if (w.jobs < 4096) {
		w.job_cycle[w.jobs] = tb->cycle;
		w.job_qpn[w.jobs] = q;
	}
	w.jobs++;
	w.retx += w.job.retx;
	if (w.job.ackreq) {
		w.ackreqs++;
		w.ackreq_psn = psn;
	}
	if (x.plen)
		w.job_open[w.job_tail++ % 4] = (struct open_job){
			.q = p, .m = m, .off = x.off, .left = x.plen
		};
}

void expect_seg(struct vtb *tb)
{
	struct rec_tx_seg seg = vtb_get_tx_seg(vtb_port(tb, "requests_seg_o"), 0);
	struct open_job *j = &w.job_open[w.job_head % 4];
	uint32_t len = seg.len, skip = j->off;
	struct msg *m = j->m;
	unsigned int i = 0;

	vtb_check(tb, w.job_tail != w.job_head && len && len <= j->left);
	vtb_check_eq(tb, seg.inline_data, m->inl);
	if (m->inl) {
		bool one = j->q->type > CAIRN_QP_TYPE_UC || m->len < 32;

		vtb_check_eq(tb, len, j->pos ? m->len - 32 : one ? m->len : 32);
		w.inl_open[w.inl_tail % 8].m = m;
		w.inl_open[w.inl_tail % 8].pos = j->pos;
		w.inl_open[w.inl_tail++ % 8].len = len;
	} else {
		while (skip >= m->sge[i].len)
			skip -= m->sge[i++].len;
		vtb_check(tb, i < m->nsge && len <= m->sge[i].len - skip);
		if (seg.iova != world_map(m->sge[i].addr + skip))
			vtb_fail(
				tb,
				"QP %u message at %06x of %u bytes in %u elements: byte %u is element %u + %u",
				(unsigned int)(j->q - w.q), m->first, m->len, m->nsge, j->off, i,
				skip);
		vtb_check(tb, (seg.iova & 4095) + len <= 4096);
	}
	j->pos += len;
	j->off += len;
	j->left -= len;
	vtb_check_eq(tb, seg.eoj, j->left == 0);
	if (!j->left)
		w.job_head++;
}

void expect_inline(struct vtb *tb)
{
	bool last = vtb_get(tb, "requests_inl_last_o");
	unsigned int n = last ? (unsigned int)vtb_get(tb, "requests_inl_nbytes_o") : w.beat;
	unsigned int i = w.inl_head % 8;
	uint8_t got[64];

	vtb_check(tb, w.inl_head != w.inl_tail && n <= w.inl_open[i].len);
	vtb_get_bytes(vtb_port(tb, "requests_inl_data_o"), 0, got, n);
	vtb_check(tb, !memcmp(got, w.inl_open[i].m->data + w.inl_open[i].pos, n));
	w.inl_open[i].pos += n;
	w.inl_open[i].len -= n;
	vtb_check_eq(tb, last, w.inl_open[i].len == 0);
	if (last)
		w.inl_head++;
}

struct msg *expect_local(struct vtb *tb)
{
	struct rec_mr_upd upd = vtb_get_mr_upd(vtb_port(tb, "mr_key_change_req_o"), 0);
	unsigned int q = upd.qpn;
	struct msg *m = NULL;
	struct qp *p = &w.q[q];

	vtb_check(tb, q < QPS);
	for (unsigned int i = p->old_msg; i < p->n_msg && !m; i++)
		if (msg_is_local(&p->m[i % 512]) && !p->m[i % 512].executed)
			m = &p->m[i % 512];
	if (!m)
		vtb_fail(tb, "QP %u: a local operation that nobody posted", q);
	m->executed = true;
	/* after all packets before it, and its fence */
	vtb_check(tb,
		  psn_diff(CAIRN_GET(p->req.hi_psn, CAIRN_QP_REQ_HI_PSN), m->first) >= 0);
	if (m->fence)
		vtb_check_eq(tb, p->rd_new, p->rd_done);
	vtb_check_eq(tb, upd.op,
		     m->op == CAIRN_WQE_OP_LOCAL_INV ? REC_MUO_INV
		     : m->op == CAIRN_WQE_OP_REG_MR  ? REC_MUO_REG
						     : REC_MUO_BIND);
	vtb_check_eq(tb, upd.key, m->imm);
	vtb_check_eq(tb, upd.pd, p->cfg.pd_sgid);
	vtb_check_eq(tb, upd.addr, m->raddr);
	vtb_check_eq(tb, upd.length, m->swap);
	vtb_check_eq(tb, upd.page_list, m->compare);
	vtb_check_eq(tb, upd.mr_key, m->rkey);
	vtb_check_eq(tb, upd.access, m->access & 0xff);
	vtb_check_eq(tb, upd.page_log2, m->access >> 24);
	return m;
}
