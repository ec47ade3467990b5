// SPDX-License-Identifier: Apache-2.0
/* ibv_post_send() and ibv_post_recv(): one lock a queue, one doorbell a list. */
#include "provider.h"
#include "queue.h"

static void add_data(struct qp *qp, const struct ibv_send_wr *wr)
{
	/* Too many: none is looked at. */
	if (!qp->build.error &&
	    (wr->num_sge < 0 || (!(wr->send_flags & IBV_SEND_INLINE) &&
				 (unsigned int)wr->num_sge > qp->build.max_sges)))
		qp->build.error = EINVAL;
	for (int i = 0; i < wr->num_sge && !qp->build.error; i++) {
		const struct ibv_sge *sge = &wr->sg_list[i];

		if (wr->send_flags & IBV_SEND_INLINE)
			wr_inline(qp, (void *)(uintptr_t)sge->addr, sge->length);
		else
			wr_sge(qp, sge->addr, sge->lkey, sge->length);
	}
}

static void add_rdma(struct qp *qp, uint32_t op, const struct ibv_send_wr *wr, uint32_t imm)
{
	wr_rdma(qp, op, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey, imm);
}

static void build(struct qp *qp, const struct ibv_send_wr *wr)
{
	wr_next(qp, wr->wr_id, wr->send_flags);
	switch (wr->opcode) {
	case IBV_WR_SEND:
		wr_send(qp, CAIRN_WQE_OP_SEND, 0);
		break;
	case IBV_WR_SEND_WITH_IMM:
		wr_send(qp, CAIRN_WQE_OP_SEND_IMM, wr->imm_data);
		break;
	case IBV_WR_SEND_WITH_INV:
		wr_send(qp, CAIRN_WQE_OP_SEND_INV, wr->invalidate_rkey);
		break;
	case IBV_WR_RDMA_WRITE:
		add_rdma(qp, CAIRN_WQE_OP_WRITE, wr, 0);
		break;
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		add_rdma(qp, CAIRN_WQE_OP_WRITE_IMM, wr, wr->imm_data);
		break;
	case IBV_WR_RDMA_READ:
		add_rdma(qp, CAIRN_WQE_OP_READ, wr, 0);
		break;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		wr_atomic(qp, CAIRN_WQE_OP_ATOMIC_CS, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey,
			  wr->wr.atomic.swap, wr->wr.atomic.compare_add);
		break;
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		wr_atomic(qp, CAIRN_WQE_OP_ATOMIC_FA, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey,
			  wr->wr.atomic.compare_add, 0);
		break;
	case IBV_WR_LOCAL_INV:
		wr_local_inv(qp, wr->invalidate_rkey);
		wr_finish(qp);
		return;
	case IBV_WR_BIND_MW:
		if (wr->bind_mw.mw && wr->bind_mw.mw->type == IBV_MW_TYPE_2) {
			wr_bind_mw(qp, wr->bind_mw.mw, wr->bind_mw.rkey, &wr->bind_mw.bind_info);
			wr_finish(qp);
			return;
		}
		/* fallthrough */
	default:
		if (!qp->build.error)
			qp->build.error = EINVAL;
	}
	if (qp->ud)
		wr_ud_address(qp, wr->wr.ud.ah, wr->wr.ud.remote_qpn, wr->wr.ud.remote_qkey);
	add_data(qp, wr);
	wr_finish(qp);
}

int post_send(struct ibv_qp *ibv, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct qp *qp = (struct qp *)ibv;
	int err;

	if (is_inherited(ibv->context)) {
		*bad = wr;
		return ENODEV;
	}
	queue_lock(qp, &qp->sq_lock);
	wr_begin(qp);
	if (qp->hw->state < CAIRN_QP_STATE_RTS)
		qp->build.error = EINVAL;
	for (; wr && !qp->build.error; wr = wr->next) {
		build(qp, wr);
		if (qp->build.error)
			break;
	}
	err = qp->build.error;
	if (err)
		*bad = wr;
	wr_commit(qp);
	queue_unlock(qp, &qp->sq_lock);
	return err;
}

int post_bind_type_1(struct qp *qp, struct ibv_mw *mw, uint32_t rkey,
		     const struct ibv_mw_bind *bind)
{
	int err;

	if (is_inherited(qp->ibv.context))
		return ENODEV;
	queue_lock(qp, &qp->sq_lock);
	wr_begin(qp);
	if (qp->hw->state < CAIRN_QP_STATE_RTS)
		qp->build.error = EINVAL;
	wr_next(qp, bind->wr_id, bind->send_flags);
	wr_bind_mw(qp, mw, rkey, &bind->bind_info);
	wr_finish(qp);
	err = qp->build.error;
	wr_commit(qp);
	queue_unlock(qp, &qp->sq_lock);
	return err;
}

void post_fill(struct cairn_sge *to, unsigned int room, const struct ibv_sge *from, int n)
{
	for (int i = 0; i < n; i++) {
		to[i].addr = from[i].addr;
		to[i].lkey = from[i].lkey;
		to[i].length = from[i].length;
	}
	for (unsigned int i = (unsigned int)n; i < room; i++)
		to[i] = (struct cairn_sge){ 0 };
}

static int recv_one(struct qp *qp, const struct ibv_recv_wr *wr)
{
	uint32_t index = qp->hw->rq_pi;
	uint32_t used = index - atomic_load_explicit(&qp->rq_tail, memory_order_acquire);

	if (qp->ibv.srq || qp->hw->state == CAIRN_QP_STATE_RESET || wr->num_sge < 0 ||
	    (unsigned int)wr->num_sge > qp->cap.max_recv_sge)
		return EINVAL;
	if (used >= qp->cap.max_recv_wr)
		return ENOMEM;
	qp->rq[index & qp->rq_mask] = wr->wr_id;
	post_fill(cairn_rq_entry(qp->hw, index), qp->hw->rq_stride, wr->sg_list, wr->num_sge);
	qp->hw->rq_pi++;
	return 0;
}

int post_recv(struct ibv_qp *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct qp *qp = (struct qp *)ibv;
	uint32_t rung;
	int err = 0;

	if (is_inherited(ibv->context)) {
		*bad = wr;
		return ENODEV;
	}
	queue_lock(qp, &qp->rq_lock);
	rung = qp->hw->rq_pi;
	for (; wr; wr = wr->next) {
		err = recv_one(qp, wr);
		if (err) {
			*bad = wr;
			break;
		}
		/* A doorbell may not be a whole longest ring ahead. */
		if (qp->hw->rq_pi - rung > 1u << (CAIRN_MAX_RING_LOG2 - 1)) {
			cairn_rq_ring(qp->hw);
			rung = qp->hw->rq_pi;
		}
	}
	if (qp->hw->rq_pi != rung)
		cairn_rq_ring(qp->hw);
	queue_unlock(qp, &qp->rq_lock);
	return err;
}
