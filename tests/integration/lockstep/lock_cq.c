// SPDX-License-Identifier: Apache-2.0
/*
 * Lock-step (lock.h): completions.  Per queue, the NIC's have to be those of the shadow, in order.
 */
#include "lock.h"

/* Work request numbers: what the entry in the NIC's queue was, beside its index. */
#define ID_INDEX(id) ((uint32_t)(id)&0xffff)
#define ID_OP(id) ((uint32_t)((id) >> 16) & 0xff)
#define ID_LEN(id) ((uint32_t)((id) >> 32))

void lock_cq_take(struct lock *l)
{
	struct model_completion c;
	struct model_event event;

	while (model_completion(l->shadow, &c)) {
		struct lock_qp *qp = lock_find(l, c.qpn);

		lock_push(&qp->due[c.recv], c);
	}
	while (model_event(l->shadow, &event))
		;
	for (unsigned int i = 0; i < l->n; i++) {
		struct lock_qp *qp = &l->qp[i];

		if (qp->failed || model_qp_state(l->shadow, qp->qpn) != MODEL_ERR)
			continue;
		qp->failed = true;
		qp->failed_at = lock_when(l);
	}
}

static void want(struct lock_qp *qp, const struct model_completion *due, const char *what,
		 uint32_t is, uint32_t must)
{
	if (is != must)
		lock_fail(qp->l, qp, "%s completion of 0x%04x (op %u, %u bytes): %s is %u, not %u",
			  due->recv ? "receive" : "send", ID_INDEX(due->id), ID_OP(due->id),
			  ID_LEN(due->id), what, is, must);
}

static void judge_send(struct lock_qp *qp, const struct model_completion *due,
		       const struct cairn_cqe *cqe)
{
	uint32_t op = ID_OP(due->id);
	bool answered = rdma_is_kind(op, CAIRN_WQE_KIND_READ) ||
			rdma_is_kind(op, CAIRN_WQE_KIND_ATOMIC);

	if (due->status)
		return;
	want(qp, due, "opcode", CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_OPCODE),
	     cairn_wqe_info[op].cqe_op);
	if (rdma_is_kind(op, CAIRN_WQE_KIND_LOCAL))
		lock_key_done(qp, ID_LEN(due->id)); /* the key */
	if (answered)
		want(qp, due, "byte_len", cqe->byte_len, ID_LEN(due->id));
}

static void judge_recv(struct lock_qp *qp, const struct model_completion *due,
		       const struct cairn_cqe *cqe)
{
	uint32_t opcode = due->write_imm  ? CAIRN_CQE_OP_RECV_WRITE_IMM
			  : due->with_imm ? CAIRN_CQE_OP_RECV_IMM
			  : due->with_inv ? CAIRN_CQE_OP_RECV_INV
					  : CAIRN_CQE_OP_RECV;

	if (due->status)
		return;
	want(qp, due, "opcode", CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_OPCODE), opcode);
	want(qp, due, "byte_len", cqe->byte_len, due->byte_len);
	want(qp, due, "SOLICITED", CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_SOLICITED), due->solicited);
	want(qp, due, "IMM", CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_IMM), due->with_imm);
	want(qp, due, "INV", CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INV), due->with_inv);
	want(qp, due, "GRH", CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_GRH), due->grh);
	if (due->with_imm)
		want(qp, due, "imm", __builtin_bswap32(cqe->imm), due->imm_or_key);
	if (due->with_inv) {
		want(qp, due, "imm", cqe->imm, due->imm_or_key);
		lock_key_done(qp, due->imm_or_key);
	}
	if (due->grh)
		want(qp, due, "SRC_QP", CAIRN_GET(cqe->src, CAIRN_CQE_SRC_SRC_QP), due->src_qpn);
}

/* A request that failed before it was sent, or a datagram that is too long for any packet. */
static void pull(struct lock_qp *qp)
{
	struct model_packet packet;

	if (model_transmit(qp->l->shadow, qp->qpn, lock_now(qp->l), &packet))
		lock_fail(qp->l, qp, "failed where %s is due", lock_text(&packet));
	lock_cq_take(qp->l);
}

/* The oldest request never becomes a packet. */
static bool too_long(const struct lock_qp *qp)
{
	const struct model_sqe *e =
		model_fifo_at(&model_qp(qp->l->shadow, qp->qpn)->req.queue, 0);

	return qp->cfg.transport == CAIRN_TRANSPORT_UD && e && e->length > qp->cfg.pmtu;
}

/* False: the shadow has no completion yet. */
static bool judge(struct lock_qp *qp, unsigned int recv)
{
	const struct lock_cqe *seen = lock_first(&qp->seen[recv]);
	uint32_t status = CAIRN_GET(seen->cqe.status, CAIRN_CQE_STATUS);
	const struct model_completion *due;

	if (!recv && !lock_count(&qp->due[0])) {
		model_local(qp->l->shadow, qp->qpn);
		lock_cq_take(qp->l);
	}
	if (!recv && (status || too_long(qp)) && !lock_count(&qp->due[0]))
		pull(qp);
	if (!lock_count(&qp->due[recv])) {
		if (lock_now(qp->l) - seen->at > LOCK_LATE_NS + qp->l->turn_ns)
			lock_fail(qp->l, qp,
				  "%s completion of 0x%04x, status %s, where none is due",
				  recv ? "receive" : "send",
				  (uint32_t)CAIRN_GET(seen->cqe.wqe, CAIRN_CQE_WQE_INDEX),
				  cairn_enum_name("wc_status", status));
		return false;
	}
	due = lock_first(&qp->due[recv]);
	want(qp, due, "index", CAIRN_GET(seen->cqe.wqe, CAIRN_CQE_WQE_INDEX), ID_INDEX(due->id));
	want(qp, due, "status", status, (uint32_t)due->status);
	if (recv)
		judge_recv(qp, due, &seen->cqe);
	else
		judge_send(qp, due, &seen->cqe);
	qp->outcomes++;
	qp->l->progress = lock_now(qp->l);
	lock_pop(&qp->due[recv]);
	lock_pop(&qp->seen[recv]);
	return true;
}

void lock_cq_poll(struct lock *l)
{
	for (struct rdma_cq *cq = l->r->cqs; cq; cq = cq->next) {
		const struct cairn_cqe *cqe;
		uint32_t first = cq->cq->ci;

		while ((cqe = cairn_cq_next(cq->cq))) {
			struct lock_qp *qp =
				lock_find(l, CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN));
			struct lock_cqe seen = { .at = lock_now(l), .cqe = *cqe };

			if (!qp) {
				lock_fail(l, NULL, "completion of a QP that is none");
				return;
			}
			lock_push(&qp->seen[!CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_IS_SQ)], seen);
			cairn_cq_consume(cq->cq);
		}
		if (cq->cq->ci != first)
			cairn_cq_update(cq->cq);
	}
	for (unsigned int i = 0; i < l->n; i++)
		for (unsigned int recv = 0; recv < 2; recv++)
			while (lock_count(&l->qp[i].seen[recv]) && judge(&l->qp[i], recv))
				;
}

bool lock_cq_done(const struct lock_qp *qp)
{
	return !lock_count(&qp->due[0]) && !lock_count(&qp->due[1]) && !lock_count(&qp->seen[0]) &&
	       !lock_count(&qp->seen[1]);
}
