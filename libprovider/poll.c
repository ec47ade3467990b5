// SPDX-License-Identifier: Apache-2.0
/*
 * Completions: ibv_poll_cq() and the extended iterator over the same reading of an entry.  What the
 * device does not repeat in a CQE (wr_id, the operation of a send) is found by QP number and block
 * or entry index in the QP's own arrays.
 */
#include <errno.h>
#include <string.h>

#include "provider.h"
#include "queue.h"

#define ATOMIC_BYTES 8u
/* sl of a datagram without a VLAN tag; numbers of mlx5 */
#define SL_IPV6 1
#define SL_IPV4 2

struct qp *poll_find_qp(struct nic *nic, uint32_t qpn)
{
	struct qp_leaf *leaf =
		atomic_load_explicit(&nic->qps[qpn >> QP_LEAF_LOG2], memory_order_acquire);

	return leaf ? atomic_load_explicit(&leaf->qp[qpn & ((1u << QP_LEAF_LOG2) - 1)],
					   memory_order_acquire)
		    : NULL;
}

/* All up to the 16-bit index, and `count` more, are done; mask: of the ring. */
static void retire(_Atomic uint32_t *tail, uint32_t index, uint32_t count, uint32_t mask)
{
	uint32_t old = atomic_load_explicit(tail, memory_order_relaxed);
	uint32_t ahead = (index - old) & CAIRN_MAX(CAIRN_CQE_WQE_INDEX);

	if (ahead <= mask)
		atomic_store_explicit(tail, old + ahead + count, memory_order_release);
}

static void read_send(struct qp *qp, const struct cairn_cqe *cqe, struct ibv_wc *wc)
{
	uint32_t index = CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX);
	const struct sq_slot *slot = &qp->sq[index & qp->sq_mask];

	wc->wr_id = slot->wr_id;
	wc->opcode = slot->opcode;
	wc->byte_len = cqe->byte_len;
	if (wc->opcode == IBV_WC_COMP_SWAP || wc->opcode == IBV_WC_FETCH_ADD)
		wc->byte_len = ATOMIC_BYTES;
	if (__builtin_expect(slot->posted != LAT_UNMEASURED, 0))
		lat_completed(qp, slot->posted, cqe);
	retire(&qp->sq_tail, index, slot->blocks, qp->sq_mask);
}

/*
 * Of a datagram: the priority in its frame's VLAN tag.  Without a tag there is none, and mlx5 gives
 * what kind of IP header the frame had in its place, which is where UCX before 1.18 looks for it.
 */
static uint8_t service_level(uint32_t status)
{
	if (status & CAIRN_CQE_STATUS_TAGGED)
		return CAIRN_GET(status, CAIRN_CQE_STATUS_PRIO);
	return status & CAIRN_CQE_STATUS_IPV6 ? SL_IPV6 : SL_IPV4;
}

static void read_recv(struct qp *qp, const struct cairn_cqe *cqe, struct ibv_wc *wc)
{
	uint32_t index = CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX);

	if (cqe->wqe & CAIRN_CQE_WQE_SRQ && qp->ibv.srq) {
		wc->wr_id = srq_complete((struct srq *)qp->ibv.srq, index);
	} else {
		wc->wr_id = qp->rq[index & qp->rq_mask];
		retire(&qp->rq_tail, index, 1, qp->rq_mask);
	}
	wc->opcode = CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_OPCODE) == CAIRN_CQE_OP_RECV_WRITE_IMM
			     ? IBV_WC_RECV_RDMA_WITH_IMM
			     : IBV_WC_RECV;
	wc->byte_len = cqe->byte_len;
	wc->src_qp = CAIRN_GET(cqe->src, CAIRN_CQE_SRC_SRC_QP);
	if (cqe->wqe & CAIRN_CQE_WQE_IMM) {
		wc->wc_flags |= IBV_WC_WITH_IMM;
		wc->imm_data = cqe->imm; /* both in wire order */
	}
	if (cqe->wqe & CAIRN_CQE_WQE_INV) {
		wc->wc_flags |= IBV_WC_WITH_INV;
		wc->invalidated_rkey = cqe->imm;
	}
	if (cqe->wqe & CAIRN_CQE_WQE_GRH) {
		wc->wc_flags |= IBV_WC_GRH;
		wc->sl = service_level(cqe->status);
	}
}

/* False: of a QP that is no more. */
static bool read_entry(struct cq *cq, const struct cairn_cqe *cqe, struct ibv_wc *wc)
{
	uint32_t qpn = CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN);
	struct qp *qp = poll_find_qp(cq->nic, qpn);

	if (!qp)
		return false;
	memset(wc, 0, sizeof(*wc));
	wc->qp_num = qpn;
	wc->status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);
	wc->vendor_err = CAIRN_GET(cqe->src, CAIRN_CQE_SRC_VENDOR_ERR);
	if (cqe->wqe & CAIRN_CQE_WQE_IS_SQ)
		read_send(qp, cqe, wc);
	else
		read_recv(qp, cqe, wc);
	return true;
}

/*
 * A batch may be longer than the ring: its program posts anew what has completed, and completions
 * keep coming.  Told only at its end, the device would take the ring for full.  The longest ring
 * has no more entries than the CQ was asked for: there every entry counts.
 */
static void consume(struct cq *cq)
{
	struct cairn_cq *hw = cq->hw;
	uint32_t ring = 1u << hw->log2, part = ring >= 2u * (uint32_t)cq->ibv.cqe ? ring / 4 : 1;

	cairn_cq_consume(hw);
	if (hw->ci % part == 0)
		cairn_cq_update(hw);
}

/* The next completion; false: there is none. */
static bool take(struct cq *cq, struct ibv_wc *wc, uint64_t *timestamp)
{
	const struct cairn_cqe *cqe;

	while ((cqe = cairn_cq_next(cq->hw))) {
		bool good = read_entry(cq, cqe, wc);

		if (timestamp)
			*timestamp = cqe->timestamp;
		consume(cq);
		atomic_store_explicit(&cq->polled, cq->hw->ci, memory_order_relaxed);
		if (good)
			return true;
	}
	return false;
}

/*
 * The bus knows what waiting costs: the peer's program or the simulator may need this processor.
 * 0, or ENODEV: the device is lost and nothing will ever come; who only polls has to hear of it.
 */
static int fruitless(struct cq *cq)
{
	cairn_relax(cq->hw->dev, cq->idle++);
	return cairn_dev_gone(cq->hw->dev) ? ENODEV : 0;
}

int poll_cq(struct ibv_cq *ibv, int n, struct ibv_wc *wc)
{
	struct cq *cq = (struct cq *)ibv;
	uint32_t before;
	int got = 0;

	if (is_inherited(ibv->context))
		return -ENODEV;
	pthread_mutex_lock(&cq->lock);
	before = cq->hw->ci;
	while (got < n && take(cq, &wc[got], NULL))
		got++;
	if (cq->hw->ci != before)
		cairn_cq_update(cq->hw);
	pthread_mutex_unlock(&cq->lock);
	event_cq_polled(cq);
	if (got)
		cq->idle = 0;
	else if (n > 0)
		return -fruitless(cq);
	return got;
}

/* ---------------------------------------------------------------- extended */

/*
 * The program holds poll_lock from start to end, and may reset or destroy QPs in there, as other
 * threads may: the ring's lock is held a step only.  The entry that the iterator stands at is a
 * copy, and stays readable.
 */
static int step(struct cq *cq)
{
	bool got;

	pthread_mutex_lock(&cq->lock);
	got = take(cq, &cq->wc, &cq->timestamp);
	pthread_mutex_unlock(&cq->lock);
	if (!got)
		return ENOENT;
	cq->ex.status = cq->wc.status;
	cq->ex.wr_id = cq->wc.wr_id;
	return 0;
}

static void end_poll(struct ibv_cq_ex *ex)
{
	struct cq *cq = (struct cq *)ex;

	pthread_mutex_lock(&cq->lock);
	cairn_cq_update(cq->hw);
	pthread_mutex_unlock(&cq->lock);
	pthread_mutex_unlock(&cq->poll_lock);
	event_cq_polled(cq);
}

static int start_poll(struct ibv_cq_ex *ex, struct ibv_poll_cq_attr *attr)
{
	struct cq *cq = (struct cq *)ex;
	int err;

	if (attr->comp_mask)
		return EINVAL;
	if (is_inherited(ex->context))
		return ENODEV;
	pthread_mutex_lock(&cq->poll_lock);
	err = step(cq);
	if (err) { /* then there is no end_poll */
		end_poll(ex);
		return fruitless(cq) ? ENODEV : err;
	}
	cq->idle = 0;
	return 0;
}

static int next_poll(struct ibv_cq_ex *ex)
{
	struct cq *cq = (struct cq *)ex;
	int err = step(cq);

	if (err) /* the program may arm before it ends */
		event_cq_polled(cq);
	return err;
}

static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.opcode;
}

static uint32_t read_vendor_err(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.vendor_err;
}

static uint32_t read_byte_len(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.byte_len;
}

static __be32 read_imm_data(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.imm_data;
}

static uint32_t read_qp_num(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.qp_num;
}

static uint32_t read_src_qp(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.src_qp;
}

static unsigned int read_wc_flags(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.wc_flags;
}

static uint32_t read_slid(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.slid;
}

static uint8_t read_sl(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.sl;
}

static uint8_t read_dlid_path_bits(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->wc.dlid_path_bits;
}

static uint64_t read_completion_ts(struct ibv_cq_ex *ex)
{
	return ((struct cq *)ex)->timestamp;
}

static uint64_t read_completion_wallclock(struct ibv_cq_ex *ex)
{
	struct cq *cq = (struct cq *)ex;

	return wall_of(cq->hw->dev, &cq->wall, cq->timestamp);
}

void poll_set_ops(struct cq *cq, uint64_t wc_flags)
{
	struct ibv_cq_ex *ex = &cq->ex;

	ex->start_poll = start_poll;
	ex->next_poll = next_poll;
	ex->end_poll = end_poll;
	ex->read_opcode = read_opcode;
	ex->read_vendor_err = read_vendor_err;
	ex->read_wc_flags = read_wc_flags;
	ex->read_byte_len = read_byte_len;
	ex->read_imm_data = read_imm_data;
	ex->read_qp_num = read_qp_num;
	ex->read_src_qp = read_src_qp;
	ex->read_slid = read_slid;
	ex->read_sl = read_sl;
	ex->read_dlid_path_bits = read_dlid_path_bits;
	if (wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP)
		ex->read_completion_ts = read_completion_ts;
	if (wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)
		ex->read_completion_wallclock_ns = read_completion_wallclock;
}
