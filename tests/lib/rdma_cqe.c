// SPDX-License-Identifier: Apache-2.0
/*
 * What every completion must look like, whatever was asked for (check 109): hw.def's STRUCT cqe
 * says which fields mean something for which completion; the others are zero, so that nothing of an
 * earlier one, or of another QP's, is shown.  What a work request wants of them is rdma_wr.c's.
 */
#include "rdma.h"

static void zero(struct rdma_qp *qp, const struct cairn_cqe *cqe, const char *field, uint32_t value)
{
	if (value)
		rdma_fail(qp->r,
			  "NIC %u, QP %u: completion of %s 0x%x with status %s: %s is 0x%x, not 0",
			  qp->nic, qp->qp->qpn, cqe->wqe & CAIRN_CQE_WQE_IS_SQ ? "WQE" : "receive",
			  (unsigned int)CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX),
			  cairn_enum_name("wc_status",
					  CAIRN_GET(cqe->status, CAIRN_CQE_STATUS)),
			  field, value);
}

void rdma_cqe_check(struct rdma_qp *qp, const struct cairn_cqe *cqe)
{
	uint32_t status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);
	uint32_t vendor = CAIRN_GET(cqe->src, CAIRN_CQE_SRC_VENDOR_ERR);
	uint32_t opcode = CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_OPCODE);
	uint32_t may = CAIRN_CQE_WQE_INDEX | CAIRN_CQE_WQE_IS_SQ;
	bool sq = cqe->wqe & CAIRN_CQE_WQE_IS_SQ;
	bool ud = qp->cfg.type == CAIRN_QP_TYPE_UD || qp->cfg.type == CAIRN_QP_TYPE_GSI;
	bool arrived = !sq && status == CAIRN_WC_STATUS_SUCCESS;

	/* flags: of receives, most only when something has arrived */
	if (!sq && qp->cfg.srq)
		may |= CAIRN_CQE_WQE_SRQ;
	if (arrived)
		may |= CAIRN_CQE_WQE_SOLICITED | CAIRN_CQE_WQE_IMM |
		       (ud ? CAIRN_CQE_WQE_GRH : CAIRN_CQE_WQE_INV);
	zero(qp, cqe, "a flag that is not of this", cqe->wqe & ~may);
	zero(qp, cqe, "IMM beside INV",
	     (cqe->wqe & CAIRN_CQE_WQE_IMM) && (cqe->wqe & CAIRN_CQE_WQE_INV));
	if (!(cqe->wqe & (CAIRN_CQE_WQE_IMM | CAIRN_CQE_WQE_INV)))
		zero(qp, cqe, "imm", cqe->imm);
	if (!arrived || !ud)
		zero(qp, cqe, "SRC_QP or what is told of the frame",
		     CAIRN_GET(cqe->src, CAIRN_CQE_SRC_SRC_QP) |
			     (cqe->status & (CAIRN_CQE_STATUS_PRIO | CAIRN_CQE_STATUS_TAGGED |
					     CAIRN_CQE_STATUS_IPV6)));
	/* a failure has a cause and moved nothing; only what is flushed is called so */
	if (status)
		zero(qp, cqe, "byte_len", cqe->byte_len);
	zero(qp, cqe, "a cause where none is due, or none where one is",
	     !status != (vendor == CAIRN_VENDOR_ERR_NONE));
	zero(qp, cqe, "FLUSH of what was not flushed",
	     (status == CAIRN_WC_STATUS_WR_FLUSH_ERR) != (vendor == CAIRN_VENDOR_ERR_FLUSH));
	zero(qp, cqe, "the other side's opcode", sq == (opcode >= CAIRN_CQE_OP_RECV));
}
