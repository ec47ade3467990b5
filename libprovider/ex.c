// SPDX-License-Identifier: Apache-2.0
/*
 * The ibv_wr_*() calls.  ibv_wr_start() takes the SQ lock and ibv_wr_complete() or ibv_wr_abort()
 * gives it back.  Address and data may come in any order after the operation, so a WQE is finished
 * by what follows it: the next operation or the end of the batch.
 */
#include "provider.h"

static struct qp *next(struct ibv_qp_ex *ex)
{
	struct qp *qp = (struct qp *)ex;

	wr_finish(qp);
	wr_next(qp, ex->wr_id, ex->wr_flags);
	return qp;
}

static void ex_send(struct ibv_qp_ex *ex)
{
	wr_send(next(ex), CAIRN_WQE_OP_SEND, 0);
}

static void ex_send_imm(struct ibv_qp_ex *ex, __be32 imm)
{
	wr_send(next(ex), CAIRN_WQE_OP_SEND_IMM, imm);
}

static void ex_send_inv(struct ibv_qp_ex *ex, uint32_t key)
{
	wr_send(next(ex), CAIRN_WQE_OP_SEND_INV, key);
}

static void ex_write(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t raddr)
{
	wr_rdma(next(ex), CAIRN_WQE_OP_WRITE, raddr, rkey, 0);
}

static void ex_write_imm(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t raddr, __be32 imm)
{
	wr_rdma(next(ex), CAIRN_WQE_OP_WRITE_IMM, raddr, rkey, imm);
}

static void ex_read(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t raddr)
{
	wr_rdma(next(ex), CAIRN_WQE_OP_READ, raddr, rkey, 0);
}

static void ex_cmp_swp(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t raddr, uint64_t compare,
		       uint64_t swap)
{
	wr_atomic(next(ex), CAIRN_WQE_OP_ATOMIC_CS, raddr, rkey, swap, compare);
}

static void ex_fetch_add(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t raddr, uint64_t add)
{
	wr_atomic(next(ex), CAIRN_WQE_OP_ATOMIC_FA, raddr, rkey, add, 0);
}

static void ex_local_inv(struct ibv_qp_ex *ex, uint32_t key)
{
	wr_local_inv(next(ex), key);
}

static void ex_bind_mw(struct ibv_qp_ex *ex, struct ibv_mw *mw, uint32_t rkey,
		       const struct ibv_mw_bind_info *info)
{
	struct qp *qp = next(ex);

	if (mw->type == IBV_MW_TYPE_2)
		wr_bind_mw(qp, mw, rkey, info);
	else if (!qp->build.error)
		qp->build.error = EINVAL;
}

static void ex_set_ud_addr(struct ibv_qp_ex *ex, struct ibv_ah *ah, uint32_t qpn, uint32_t qkey)
{
	wr_ud_address((struct qp *)ex, ah, qpn, qkey);
}

static void ex_set_sge(struct ibv_qp_ex *ex, uint32_t lkey, uint64_t addr, uint32_t length)
{
	wr_sge((struct qp *)ex, addr, lkey, length);
}

static void ex_set_sge_list(struct ibv_qp_ex *ex, size_t n, const struct ibv_sge *list)
{
	for (size_t i = 0; i < n; i++)
		wr_sge((struct qp *)ex, list[i].addr, list[i].lkey, list[i].length);
}

static void ex_set_inline(struct ibv_qp_ex *ex, void *data, size_t length)
{
	wr_inline((struct qp *)ex, data, length);
}

static void ex_set_inline_list(struct ibv_qp_ex *ex, size_t n, const struct ibv_data_buf *list)
{
	for (size_t i = 0; i < n; i++)
		wr_inline((struct qp *)ex, list[i].addr, list[i].length);
}

static void ex_start(struct ibv_qp_ex *ex)
{
	struct qp *qp = (struct qp *)ex;

	if (is_inherited(qp->ibv.context)) { /* no lock, and nothing touches the ring */
		qp->build = (struct build){ .error = ENODEV };
		return;
	}
	queue_lock(qp, &qp->sq_lock);
	wr_begin(qp);
	if (qp->hw->state < CAIRN_QP_STATE_RTS)
		qp->build.error = EINVAL;
}

static int ex_complete(struct ibv_qp_ex *ex)
{
	struct qp *qp = (struct qp *)ex;
	int err;

	if (is_inherited(qp->ibv.context))
		return ENODEV;
	wr_finish(qp);
	err = qp->build.error;
	if (err)
		wr_drop(qp);
	else
		wr_commit(qp);
	queue_unlock(qp, &qp->sq_lock);
	return err;
}

static void ex_abort(struct ibv_qp_ex *ex)
{
	struct qp *qp = (struct qp *)ex;

	if (is_inherited(qp->ibv.context))
		return;
	wr_drop(qp);
	queue_unlock(qp, &qp->sq_lock);
}

static bool all_possible(const struct qp *qp, uint64_t ops)
{
	static const struct {
		uint64_t flag;
		uint32_t op;
	} known[] = {
		{ IBV_QP_EX_WITH_RDMA_WRITE, CAIRN_WQE_OP_WRITE },
		{ IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM, CAIRN_WQE_OP_WRITE_IMM },
		{ IBV_QP_EX_WITH_SEND, CAIRN_WQE_OP_SEND },
		{ IBV_QP_EX_WITH_SEND_WITH_IMM, CAIRN_WQE_OP_SEND_IMM },
		{ IBV_QP_EX_WITH_RDMA_READ, CAIRN_WQE_OP_READ },
		{ IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP, CAIRN_WQE_OP_ATOMIC_CS },
		{ IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD, CAIRN_WQE_OP_ATOMIC_FA },
		{ IBV_QP_EX_WITH_LOCAL_INV, CAIRN_WQE_OP_LOCAL_INV },
		{ IBV_QP_EX_WITH_BIND_MW, CAIRN_WQE_OP_BIND_MW },
		{ IBV_QP_EX_WITH_SEND_WITH_INV, CAIRN_WQE_OP_SEND_INV },
	};

	for (unsigned int i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (qp->ops >> known[i].op & 1)
			ops &= ~known[i].flag;
	return !ops;
}

int qp_ex_set_ops(struct qp *qp, uint64_t ops)
{
	struct ibv_qp_ex *ex = &qp->ex;

	if (!all_possible(qp, ops))
		return EOPNOTSUPP;
	/* Operations that were not asked for, or cannot be, end with EINVAL in wr_complete(). */
	ex->wr_send = ex_send;
	ex->wr_send_imm = ex_send_imm;
	ex->wr_send_inv = ex_send_inv;
	ex->wr_rdma_write = ex_write;
	ex->wr_rdma_write_imm = ex_write_imm;
	ex->wr_rdma_read = ex_read;
	ex->wr_atomic_cmp_swp = ex_cmp_swp;
	ex->wr_atomic_fetch_add = ex_fetch_add;
	ex->wr_local_inv = ex_local_inv;
	ex->wr_bind_mw = ex_bind_mw;
	ex->wr_set_ud_addr = ex_set_ud_addr;
	ex->wr_set_sge = ex_set_sge;
	ex->wr_set_sge_list = ex_set_sge_list;
	ex->wr_set_inline_data = ex_set_inline;
	ex->wr_set_inline_data_list = ex_set_inline_list;
	ex->wr_start = ex_start;
	ex->wr_complete = ex_complete;
	ex->wr_abort = ex_abort;
	qp->extended = true;
	return 0;
}
