// SPDX-License-Identifier: Apache-2.0
/* See rsp_srq.h. */
#include <string.h>

#include "rsp_srq.h"

unsigned int srq_op(struct world *w, unsigned int what, uint32_t key, struct cairn_srq_ctx *rec,
		    const struct cairn_srq_ctx *mask)
{
	struct vtb *tb = w->tb;
	uint8_t ones[64];

	memset(ones, 0xff, sizeof(ones));
	vtb_set(tb, "op_op_i", what);
	vtb_set(tb, "op_key_i", key);
	vtb_ctx_put(&w->ctx_port, rec, what == CAIRN_CTX_OP_INIT ? (const void *)ones : mask);
	vtb_set(tb, "op_valid_i", 1);
	do
		vtb_tick(tb);
	while (!vtb_get(tb, "op_done_o"));
	vtb_set(tb, "op_valid_i", 0);
	if (rec && what == CAIRN_CTX_OP_READ)
		memcpy(rec, w->ctx_port.got, 64);
	return vtb_get(tb, "op_status_o");
}

void srq_init(struct world *w, const struct srq *s)
{
	struct cairn_srq_ctx rec = {
		.tag = s->srqn,
		.flags = CAIRN_SRQ_CTX_FLAGS_VALID | CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_LOG2, s->log2) |
			 CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_STRIDE, s->stride),
		.slots = s->slots | w->srq_high,
		.ring = s->ring | w->srq_high,
		.pd = 0x123,
	};

	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_INIT, s->srqn, &rec, NULL), 0);
}

void srq_put(struct world *w, struct srq *s, uint32_t slot)
{
	uint32_t *ring = (void *)(w->mem + s->ring);

	ring[s->posted++ % (1u << s->log2)] = slot;
}

void srq_doorbell(struct world *w, const struct srq *s)
{
	vtb_set(w->tb, "sdb_srqn_i", s->srqn);
	vtb_set(w->tb, "sdb_pi_i", s->posted & 0xffff);
	vtb_set(w->tb, "sdb_valid_i", 1);
	vtb_tick(w->tb);
	vtb_set(w->tb, "sdb_valid_i", 0);
}

void srq_elements(struct world *w, const struct srq *s, unsigned int slot, unsigned int len)
{
	struct cairn_sge *e = (void *)(w->mem + s->slots + 16 * s->stride * slot);

	for (unsigned int i = 0; i < s->stride; i++) {
		e[i] = (struct cairn_sge){ SRQ_VA + 1024 * slot + i, SRQ_KEY, 1 };
		if (i == s->stride - 1)
			e[i].length = len - i;
	}
}

void srq_use(struct world *w, uint32_t qpn, unsigned int type, unsigned int srqn)
{
	struct cairn_qp_rsp rsp = { 0 };

	CAIRN_SET(w->cfg[qpn].state, CAIRN_QP_CFG_STATE_TYPE, type);
	w->cfg[qpn].state |= CAIRN_QP_CFG_STATE_USE_SRQ;
	world_cfg(w, qpn);
	rsp.tag = w->cfg[qpn].tag;
	rsp.epsn = PSN0;
	rsp.rq_cqn = 0x300;
	rsp.srqn = srqn;
	rsp.rq = 0x12345678; /* means nothing yet */
	world_rsp(w, qpn, &rsp);
}
