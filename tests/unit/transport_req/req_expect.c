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
	uint8_t epoch = (uint8_t)vtb_get(tb, "job_epoch_o");
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
	vtb_check_eq(tb, vtb_get(tb, "job_len_o"), len);
	vtb_check_eq(tb, vtb_get(tb, "job_va_o"), m->raddr + x->off);
}

static bool has_imm(const struct msg *m)
{
	return m->op == CAIRN_WQE_OP_SEND_IMM || m->op == CAIRN_WQE_OP_WRITE_IMM;
}

static void expect_payload(struct vtb *tb, const struct qp *p, const struct msg *m,
			   struct packet *x)
{
	uint32_t len = m->len - x->off;
	bool first = x->off == 0, imm = has_imm(m);

	x->span = 1;
	x->plen = len < p->mtu ? len : p->mtu;
	x->last = x->plen == len;
	x->opcode = m->op <= CAIRN_WQE_OP_SEND_INV ? CAIRN_OPCODE_RC_SEND_FIRST
						   : CAIRN_OPCODE_RC_WRITE_FIRST;
	x->opcode += first && x->last ? 4 + imm : x->last ? 2 + imm : first ? 0 : 1;
	if (first && m->op >= CAIRN_WQE_OP_WRITE) {
		vtb_check_eq(tb, vtb_get(tb, "job_len_o"), m->len);
		vtb_check_eq(tb, vtb_get(tb, "job_va_o"), m->raddr);
	}
}

static void check_fields(struct vtb *tb, const struct msg *m, const struct packet *x)
{
	bool rd = m->op == CAIRN_WQE_OP_READ;

	vtb_check_eq(tb, vtb_get(tb, "job_opcode_o"), x->opcode);
	vtb_check_eq(tb, vtb_get(tb, "job_plen_o"), x->plen);
	vtb_check_eq(tb, vtb_get(tb, "job_key_o"), m->rkey);
	if (has_imm(m) && x->last)
		vtb_check_eq(tb, vtb_get(tb, "job_imm_o"), __builtin_bswap32(m->imm));
	vtb_check_eq(tb, vtb_get(tb, "job_se_o"),
		     m->sol && x->last && !rd && m->op != CAIRN_WQE_OP_WRITE);
	if (x->last || rd)
		vtb_check(tb, vtb_get(tb, "job_ackreq_o"));
}

void expect_job(struct vtb *tb)
{
	unsigned int q = (unsigned int)vtb_get(tb, "job_qpn_o");
	uint32_t psn = (uint32_t)vtb_get(tb, "job_psn_o");
	struct packet x = { 0 };
	struct qp *p = &w.q[q];
	struct msg *m;

	vtb_check(tb, !w.job_open && q < QPS);
	vtb_check(tb, !p->err);
	check_psn(tb, p, psn);
	m = world_at_psn(p, psn);
	if (!m) /* acknowledged and retired since: nothing to compare with */
		vtb_fail(tb, "QP %u: PSN %06x is of no message", q, psn);
	x.off = ((psn - m->first) & 0xffffff) * p->mtu;
	if (m->op == CAIRN_WQE_OP_READ)
		expect_read(tb, p, m, &x);
	else
		expect_payload(tb, p, m, &x);
	check_fields(tb, m, &x);
	vtb_check_eq(tb, vtb_get(tb, "job_dest_o"), 0x100 + q);
	p->next = (psn + x.span) & 0xffffff;
	if (psn_diff(p->next, p->sent) > 0)
		p->sent = p->next;
	/* the part covers it already */
	vtb_check(tb, psn_diff(CAIRN_GET(p->req.hi_psn, CAIRN_QP_REQ_HI_PSN_HI_PSN), p->next) >= 0);
	if (w.jobs < 4096)
		w.job_cycle[w.jobs] = tb->cycle;
	w.jobs++;
	w.retx += vtb_get(tb, "job_retx_o");
	w.job_open = x.plen != 0;
	w.jq = p;
	w.jm = m;
	w.joff = x.off;
	w.jleft = x.plen;
	w.jpos = 0;
}

void expect_seg(struct vtb *tb)
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
		if (vtb_get(tb, "seg_iova_o") != world_map(m->sge[i].addr + skip))
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

void expect_inline(struct vtb *tb)
{
	unsigned int n = vtb_get(tb, "inline_last_o") ? (unsigned int)vtb_get(tb, "inline_nbytes_o")
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
