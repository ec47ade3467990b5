// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model (model.h): receiving on UC and UD QPs, where nothing is ever answered and a message
 * that is not right is as good as lost.
 */
#include "model_priv.h"

/* The message under way is lost; its receive serves the next one. */
static void abandon(struct model_qp *qp)
{
	qp->rsp.inside = MODEL_IDLE;
	if (qp->rsp.holds_recv)
		model_fifo_unpop(&qp->recvs, &qp->rsp.recv);
	qp->rsp.holds_recv = false;
}

enum model_fate model_uc_receive(struct model *m, struct model_qp *qp,
				 const struct model_headers *h)
{
	bool start = h->op->flags & CAIRN_OPF_START;

	/* The first packet of a message ends any other, and the PSNs go on from it. */
	if (start || h->psn != qp->rsp.epsn)
		abandon(qp);
	qp->rsp.epsn = model_psn_add(h->psn, 1);
	if (model_check(m, qp, h).any) {
		abandon(qp);
		return MODEL_DROPPED;
	}
	model_execute(m, qp, h);
	return MODEL_TAKEN;
}

enum model_fate model_ud_receive(struct model *m, struct model_qp *qp,
				 const struct model_headers *h, const struct model_packet *packet)
{
	const struct model_recv *recv = model_fifo_at(&qp->recvs, 0);
	uint32_t len = MODEL_GRH_BYTES + h->payload_len;
	bool written;

	if (cairn_pkt_get(h->deth, CAIRN_DETH_QKEY) != qp->cfg.qkey || !recv ||
	    h->payload_len > qp->cfg.pmtu || h->pad != (-h->payload_len & 3) ||
	    len > model_sge_total(recv->sge, recv->sges))
		return MODEL_DROPPED;
	model_take_recv(qp);
	recv = &qp->rsp.recv;
	written = model_scatter(m, qp->cfg.pd, recv->sge, recv->sges, 0, packet->grh,
				MODEL_GRH_BYTES) &&
		  model_scatter(m, qp->cfg.pd, recv->sge, recv->sges, MODEL_GRH_BYTES, h->payload,
				h->payload_len);
	model_recv_done(m, qp, h, len, written ? MODEL_SUCCESS : MODEL_LOC_PROT_ERR);
	if (!written) {
		model_qp_error(m, qp, false);
		return MODEL_REFUSED;
	}
	return MODEL_TAKEN;
}
