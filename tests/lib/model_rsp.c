// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model (model.h): the responder.  A request packet is checked in a fixed order - PSN, place
 * in the message, rights of the QP, resources, length, keys, alignment, local memory - and the
 * first check that fails decides the answer.  Then it is executed as a whole.
 */
#include "model_priv.h"

#include <string.h>

static struct model_fault refuse(uint8_t nak, enum model_event_kind event, enum model_status status)
{
	return (struct model_fault){ .any = true, .nak = nak, .event = event, .status = status };
}

static const struct model_fault good;

static struct model_fault check_place(const struct model_qp *qp, const struct model_headers *h)
{
	uint32_t flags = h->op->flags;
	bool start = flags & CAIRN_OPF_START;
	bool fits = qp->rsp.inside == MODEL_IDLE      ? start
		    : qp->rsp.inside == MODEL_IN_SEND ? !start && flags & CAIRN_OPF_SEND
						      : !start && flags & CAIRN_OPF_WRITE;

	return fits ? good
		    : refuse(CAIRN_AETH_NAK_INV_REQ, MODEL_QP_REQ_ERR, qp->cfg.policy.aborted);
}

static struct model_fault check_rights(const struct model_qp *qp, const struct model_headers *h)
{
	uint32_t flags = h->op->flags;
	uint32_t need = flags & CAIRN_OPF_WRITE	   ? MODEL_REMOTE_WRITE
			: flags & CAIRN_OPF_READ   ? MODEL_REMOTE_READ
			: flags & CAIRN_OPF_ATOMIC ? MODEL_REMOTE_ATOMIC
						   : 0;

	/* The QP's rights, not a region's: an invalid request, not an access error. */
	return (qp->cfg.rights & need) == need ? good
					       : refuse(CAIRN_AETH_NAK_INV_REQ, MODEL_QP_ACCESS_ERR,
							qp->cfg.policy.aborted);
}

static struct model_fault check_resources(const struct model_qp *qp, const struct model_headers *h)
{
	uint32_t flags = h->op->flags;

	if (flags & CAIRN_OPF_RWR && !qp->recvs.count)
		return (struct model_fault){ .any = true, .rnr = true };
	if (flags & (CAIRN_OPF_READ | CAIRN_OPF_ATOMIC) &&
	    model_unanswered(qp) >= qp->cfg.max_dest_rd_atomic)
		return refuse(CAIRN_AETH_NAK_INV_REQ, MODEL_QP_ACCESS_ERR, qp->cfg.policy.aborted);
	return good;
}

/* Payload and pad against what the opcode allows. */
static bool payload_fits(const struct model_qp *qp, const struct model_headers *h)
{
	uint32_t flags = h->op->flags;

	if (h->pad != (-h->payload_len & 3) || h->payload_len > qp->cfg.pmtu)
		return false;
	if (!(flags & CAIRN_OPF_PAYLOAD) && h->payload_len)
		return false;
	if (flags & CAIRN_OPF_FULL && h->payload_len != qp->cfg.pmtu)
		return false;
	return !(flags & CAIRN_OPF_NONZERO) || h->payload_len;
}

static uint32_t reth_length(const struct model_headers *h)
{
	return (uint32_t)cairn_pkt_get(h->reth, CAIRN_RETH_LENGTH);
}

/* The receive of a SEND: the one it holds, or the one it is going to take. */
static const struct model_recv *recv_of(const struct model_qp *qp, const struct model_headers *h)
{
	return h->op->flags & CAIRN_OPF_RWR ? model_fifo_at(&qp->recvs, 0) : &qp->rsp.recv;
}

static uint64_t done_before(const struct model_qp *qp, const struct model_headers *h)
{
	return h->op->flags & CAIRN_OPF_START ? 0 : qp->rsp.done;
}

static struct model_fault check_length(const struct model_qp *qp, const struct model_headers *h)
{
	struct model_fault bad =
		refuse(CAIRN_AETH_NAK_INV_REQ, MODEL_QP_ACCESS_ERR, qp->cfg.policy.aborted);
	uint64_t total = done_before(qp, h) + h->payload_len;
	uint32_t flags = h->op->flags;

	bad.takes_recv = true;
	if (!payload_fits(qp, h) || (h->reth && reth_length(h) > MODEL_MAX_MESSAGE))
		return bad;
	if (flags & CAIRN_OPF_WRITE) {
		uint32_t length = h->reth ? reth_length(h) : qp->rsp.length;

		/* Too much is refused where it begins, so that nothing is written behind
		 * the end. */
		if (total > length || (flags & CAIRN_OPF_END && total != length))
			return bad;
	}
	if (flags & CAIRN_OPF_SEND) {
		const struct model_recv *recv = recv_of(qp, h);

		if (total > model_sge_total(recv->sge, recv->sges)) {
			bad.status = qp->cfg.policy.too_long;
			return bad;
		}
	}
	return good;
}

static bool keys_fit(const struct model *m, const struct model_qp *qp,
		     const struct model_headers *h)
{
	uint32_t flags = h->op->flags, pd = qp->cfg.pd;

	if (h->reth) {
		uint32_t key = (uint32_t)cairn_pkt_get(h->reth, CAIRN_RETH_RKEY);
		uint32_t right = flags & CAIRN_OPF_WRITE ? MODEL_REMOTE_WRITE : MODEL_REMOTE_READ;

		/* Nothing is touched: key and address mean nothing. */
		return !reth_length(h) ||
		       model_mem(m, pd, key, cairn_pkt_get(h->reth, CAIRN_RETH_VA), reth_length(h),
				 right);
	}
	if (h->atomiceth)
		return model_mem(m, pd, (uint32_t)cairn_pkt_get(h->atomiceth, CAIRN_ATOMICETH_RKEY),
				 cairn_pkt_get(h->atomiceth, CAIRN_ATOMICETH_VA), 8,
				 MODEL_REMOTE_ATOMIC);
	if (flags & CAIRN_OPF_WRITE) /* the region may have gone since the first packet */
		return model_mem(m, pd, qp->rsp.key, qp->rsp.va + qp->rsp.done, h->payload_len,
				 MODEL_REMOTE_WRITE);
	if (h->ieth)
		return model_key_of(m, pd, (uint32_t)cairn_pkt_get(h->ieth, CAIRN_IETH_RKEY));
	return true;
}

/* The part of the receive that this packet fills can be written. */
static bool local_fits(const struct model *m, const struct model_qp *qp,
		       const struct model_headers *h)
{
	const struct model_recv *recv;

	if (!(h->op->flags & CAIRN_OPF_SEND))
		return true;
	recv = recv_of(qp, h);
	return model_reachable(m, qp->cfg.pd, recv->sge, recv->sges, done_before(qp, h),
			       h->payload_len);
}

struct model_fault model_check(const struct model *m, const struct model_qp *qp,
			       const struct model_headers *h)
{
	struct model_fault fault = check_place(qp, h);

	if (!fault.any)
		fault = check_rights(qp, h);
	if (!fault.any)
		fault = check_resources(qp, h);
	if (!fault.any)
		fault = check_length(qp, h);
	if (fault.any)
		return fault;
	if (!keys_fit(m, qp, h))
		fault = refuse(CAIRN_AETH_NAK_ACCESS, MODEL_QP_ACCESS_ERR, qp->cfg.policy.aborted);
	else if (h->atomiceth && cairn_pkt_get(h->atomiceth, CAIRN_ATOMICETH_VA) & 7)
		fault = refuse(CAIRN_AETH_NAK_INV_REQ, MODEL_QP_ACCESS_ERR, qp->cfg.policy.aborted);
	else if (!local_fits(m, qp, h))
		fault = (struct model_fault){ .any = true,
					      .local = true,
					      .nak = CAIRN_AETH_NAK_OP,
					      .status = MODEL_LOC_PROT_ERR };
	fault.takes_recv = true;
	return fault;
}

/* ---------------------------------------------------------------- execution */

void model_take_recv(struct model_qp *qp)
{
	qp->rsp.recv = *(const struct model_recv *)model_fifo_at(&qp->recvs, 0);
	qp->rsp.holds_recv = true;
	model_fifo_pop(&qp->recvs);
}

void model_recv_done(struct model *m, struct model_qp *qp, const struct model_headers *h,
		     uint32_t byte_len, enum model_status status)
{
	struct model_completion c = {
		.id = qp->rsp.recv.id, .qpn = qp->cfg.qpn, .recv = true, .status = status
	};

	qp->rsp.holds_recv = false;
	if (status == MODEL_SUCCESS) {
		c.solicited = h->se;
		c.byte_len = byte_len;
		c.write_imm = h->op->flags & CAIRN_OPF_WRITE;
		c.with_imm = h->immdt;
		c.with_inv = h->ieth;
		if (h->immdt)
			c.imm_or_key = (uint32_t)cairn_pkt_get(h->immdt, CAIRN_IMMDT_IMM);
		if (h->ieth)
			c.imm_or_key = (uint32_t)cairn_pkt_get(h->ieth, CAIRN_IETH_RKEY);
		if (h->deth)
			c.src_qpn = (uint32_t)cairn_pkt_get(h->deth, CAIRN_DETH_SRC_QP);
		c.grh = h->deth;
	}
	model_complete(m, &c);
}

void model_execute(struct model *m, struct model_qp *qp, const struct model_headers *h)
{
	struct model_responder *rsp = &qp->rsp;
	uint32_t flags = h->op->flags, pd = qp->cfg.pd;

	if (flags & CAIRN_OPF_START)
		rsp->done = 0;
	if (flags & CAIRN_OPF_RWR)
		model_take_recv(qp);
	if (h->reth) {
		rsp->va = cairn_pkt_get(h->reth, CAIRN_RETH_VA);
		rsp->key = (uint32_t)cairn_pkt_get(h->reth, CAIRN_RETH_RKEY);
		rsp->length = reth_length(h);
	}
	if (flags & CAIRN_OPF_SEND)
		model_scatter(m, pd, rsp->recv.sge, rsp->recv.sges, rsp->done, h->payload,
			      h->payload_len);
	else if (h->payload_len)
		memcpy(model_mem(m, pd, rsp->key, rsp->va + rsp->done, h->payload_len,
				 MODEL_REMOTE_WRITE),
		       h->payload, h->payload_len);
	rsp->done += h->payload_len;
	if (h->ieth)
		model_region_remove(m, (uint32_t)cairn_pkt_get(h->ieth, CAIRN_IETH_RKEY));
	if (flags & CAIRN_OPF_COMP)
		model_recv_done(m, qp, h, rsp->done, MODEL_SUCCESS);
	rsp->inside = flags & CAIRN_OPF_END    ? MODEL_IDLE
		      : flags & CAIRN_OPF_SEND ? MODEL_IN_SEND
					       : MODEL_IN_WRITE;
}

static uint64_t execute_atomic(const struct model *m, const struct model_qp *qp,
			       const struct model_headers *h)
{
	uint64_t operand = cairn_pkt_get(h->atomiceth, CAIRN_ATOMICETH_SWAP_ADD), original, value;
	uint8_t *p = model_mem(m, qp->cfg.pd,
			       (uint32_t)cairn_pkt_get(h->atomiceth, CAIRN_ATOMICETH_RKEY),
			       cairn_pkt_get(h->atomiceth, CAIRN_ATOMICETH_VA), 8,
			       MODEL_REMOTE_ATOMIC);

	memcpy(&original, p, 8);
	value = original + operand;
	if (h->opcode == CAIRN_OPCODE_RC_COMPARE_SWAP)
		value = original == cairn_pkt_get(h->atomiceth, CAIRN_ATOMICETH_COMPARE) ? operand
											 : original;
	memcpy(p, &value, 8);
	return original;
}

/* READ or atomic: remembered for duplicates, in place of the oldest. */
static void execute_resource(struct model *m, struct model_qp *qp, const struct model_headers *h)
{
	struct model_responder *rsp = &qp->rsp;
	struct model_resource *res = &rsp->resource[rsp->oldest];

	rsp->oldest = (rsp->oldest + 1) % qp->cfg.max_dest_rd_atomic;
	*res = (struct model_resource){
		.valid = true, .opcode = h->opcode, .psn = h->psn, .npsn = 1
	};
	if (h->atomiceth) {
		res->original = execute_atomic(m, qp, h);
	} else {
		res->va = cairn_pkt_get(h->reth, CAIRN_RETH_VA);
		res->key = (uint32_t)cairn_pkt_get(h->reth, CAIRN_RETH_RKEY);
		res->length = reth_length(h);
		res->npsn = model_packets(res->length, qp->cfg.pmtu);
	}
	rsp->msn = model_psn_add(rsp->msn, 1);
	rsp->epsn = model_psn_add(rsp->epsn, res->npsn);
	model_answer_resource(qp, res, false);
}

static enum model_fate refused(struct model *m, struct model_qp *qp, const struct model_headers *h,
			       const struct model_fault *fault)
{
	uint32_t send_start = CAIRN_OPF_SEND | CAIRN_OPF_RWR;

	if (fault->rnr) {
		qp->rsp.nak = true;
		model_answer_nak(qp, CAIRN_AETH_CLASS_RNR, qp->cfg.min_rnr_timer, h->psn);
		return MODEL_REFUSED;
	}
	if (fault->takes_recv && (h->op->flags & send_start) == send_start)
		model_take_recv(qp);
	if (qp->rsp.holds_recv)
		model_recv_done(m, qp, h, 0, fault->status);
	if (!fault->local)
		model_raise(m, qp, fault->event);
	model_answer_nak(qp, CAIRN_AETH_CLASS_NAK, fault->nak, h->psn);
	model_qp_error(m, qp, true);
	return MODEL_REFUSED;
}

enum model_fate model_rsp_receive(struct model *m, struct model_qp *qp,
				  const struct model_headers *h)
{
	int32_t ahead = model_psn_diff(h->psn, qp->rsp.epsn);
	const struct model_hooks *hooks = &m->hooks;
	struct model_fault fault;

	if (ahead < 0)
		return model_rsp_duplicate(m, qp, h);
	if (ahead > 0) {
		if (!qp->rsp.nak)
			model_answer_nak(qp, CAIRN_AETH_CLASS_NAK, CAIRN_AETH_NAK_SEQ,
					 qp->rsp.epsn);
		qp->rsp.nak = true;
		return MODEL_REFUSED;
	}
	qp->rsp.nak = false;
	fault = model_check(m, qp, h);
	if (fault.any)
		return refused(m, qp, h, &fault);
	if (h->op->flags & (CAIRN_OPF_READ | CAIRN_OPF_ATOMIC)) {
		execute_resource(m, qp, h);
		return MODEL_TAKEN;
	}
	model_execute(m, qp, h);
	if (h->op->flags & CAIRN_OPF_END)
		qp->rsp.msn = model_psn_add(qp->rsp.msn, 1);
	qp->rsp.epsn = model_psn_add(qp->rsp.epsn, 1);
	if (h->ackreq ||
	    (hooks->ack_unasked && hooks->ack_unasked(hooks->ctx, qp->cfg.qpn, h->psn)))
		model_answer_ack(m, qp, h->psn);
	return MODEL_TAKEN;
}
