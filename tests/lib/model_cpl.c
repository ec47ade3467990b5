// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model (model.h): the completer, that is, the requester's side of responses.  A response
 * acknowledges everything before its PSN; what it finds unanswered there was lost (implied NAK).
 */
#include "model_priv.h"

/* RNR timer codes, in units of 10 us. */
static const uint16_t rnr_10us[32] = { 65535, 1,    2,	  3,	 4,	6,     8,     12,
				       16,    24,   32,	  48,	 64,	96,    128,   192,
				       256,   384,  512,  768,	 1024,	1536,  2048,  3072,
				       4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152 };

static uint64_t rnr_ns(uint8_t code)
{
	return code ? rnr_10us[code] * 10000ull : 655360000ull;
}

static struct model_sqe *oldest(const struct model_qp *qp)
{
	return model_fifo_at(&qp->req.queue, 0);
}

void model_send_done(struct model *m, struct model_qp *qp)
{
	const struct model_sqe *e = oldest(qp);

	do {
		struct model_completion c = { .id = e->wr.id, .qpn = qp->cfg.qpn };
		bool signaled = e->wr.signaled;

		model_fifo_pop(&qp->req.queue);
		if (qp->req.cur)
			qp->req.cur--;
		if (signaled)
			model_complete(m, &c);
		e = oldest(qp); /* a local operation waits for nothing else */
	} while (e && e->wr.op == MODEL_LOCAL && e->started);
	model_req_check_drained(m, qp);
}

void model_send_fail(struct model *m, struct model_qp *qp, enum model_status status)
{
	const struct model_sqe *e = oldest(qp);
	struct model_completion c = { .id = e->wr.id, .qpn = qp->cfg.qpn, .status = status };

	model_fifo_pop(&qp->req.queue);
	model_complete(m, &c);
	if (qp->cfg.transport == CAIRN_TRANSPORT_RC) {
		model_qp_error(m, qp, false);
		return;
	}
	model_flush_sends(m, qp);
	qp->state = MODEL_SQE; /* receiving goes on */
}

void model_req_retry(struct model *m, struct model_qp *qp, uint32_t psn, uint64_t now)
{
	if (!qp->req.retries) {
		model_send_fail(m, qp, MODEL_RETRY_EXC_ERR);
		return;
	}
	qp->req.retries--;
	model_req_go_back(qp, psn);
	model_req_timer(qp, now);
}

static void progress(struct model_qp *qp, uint32_t una, uint64_t now)
{
	struct model_requester *req = &qp->req;

	req->una = una;
	req->retries = qp->cfg.retry_cnt;
	req->rnr_retries = qp->cfg.rnr_retry;
	req->implied = false;
	/* A late answer may overtake what is being sent again. */
	if (model_psn_diff(req->next, una) < 0)
		model_req_go_back(qp, una);
	model_req_timer(qp, now);
}

/*
 * Everything before `end` has been executed.  False: a READ or atomic stands there whose answer has
 * not come.
 */
static bool ack_before(struct model *m, struct model_qp *qp, uint32_t end, uint64_t now)
{
	for (;;) {
		const struct model_sqe *e = oldest(qp);
		uint32_t behind;

		if (!e || !e->started || model_psn_diff(end, qp->req.una) <= 0)
			return true;
		behind = model_psn_add(e->psn, e->npsn);
		if (model_is_rd_atomic(e))
			return model_psn_diff(end, behind) < 0;
		if (model_psn_diff(end, behind) < 0) {
			progress(qp, end, now);
			return true;
		}
		progress(qp, behind, now);
		model_send_done(m, qp);
	}
}

static enum model_fate implied_nak(struct model *m, struct model_qp *qp, uint64_t now)
{
	if (qp->req.implied)
		return MODEL_DROPPED;
	qp->req.implied = true;
	model_req_retry(m, qp, qp->req.una, now);
	return MODEL_REFUSED;
}

/* Where to resume after a NAK of `psn`: a READ is asked for what is missing of it. */
static uint32_t resume(const struct model_qp *qp, uint32_t psn)
{
	const struct model_sqe *e = oldest(qp);

	return e && model_is_rd_atomic(e) ? qp->req.una : psn;
}

static enum model_fate rnr_nak(struct model *m, struct model_qp *qp, uint32_t psn, uint8_t code,
			       uint64_t now)
{
	struct model_requester *req = &qp->req;

	if (!req->rnr_retries) {
		model_send_fail(m, qp, MODEL_RNR_RETRY_EXC_ERR);
		return MODEL_REFUSED;
	}
	if (qp->cfg.rnr_retry != MODEL_RNR_FOREVER)
		req->rnr_retries--;
	model_req_go_back(qp, resume(qp, psn));
	req->rnr_until = now + rnr_ns(code);
	req->timer = MODEL_NEVER;
	return MODEL_REFUSED;
}

static enum model_fate nak(struct model *m, struct model_qp *qp, uint32_t psn, uint8_t code,
			   uint64_t now)
{
	static const enum model_status fatal[] = {
		[CAIRN_AETH_NAK_INV_REQ] = MODEL_REM_INV_REQ_ERR,
		[CAIRN_AETH_NAK_ACCESS] = MODEL_REM_ACCESS_ERR,
		[CAIRN_AETH_NAK_OP] = MODEL_REM_OP_ERR,
	};

	if (code == CAIRN_AETH_NAK_SEQ)
		model_req_retry(m, qp, resume(qp, psn), now);
	else
		model_send_fail(m, qp, fatal[code]);
	return MODEL_REFUSED;
}

/* ACKNOWLEDGE: an ACK, or a NAK of one of the two kinds. */
static enum model_fate acknowledge(struct model *m, struct model_qp *qp,
				   const struct model_headers *h, uint8_t syndrome, uint64_t now)
{
	uint8_t class = syndrome >> 5 & 3, code = syndrome & 31;
	bool ack = class == CAIRN_AETH_CLASS_ACK;

	/* One that cannot be understood is as good as lost. */
	if (class == CAIRN_AETH_CLASS_NAK && code > CAIRN_AETH_NAK_OP)
		return MODEL_DROPPED;
	if (!ack_before(m, qp, ack ? model_psn_add(h->psn, 1) : h->psn, now))
		return implied_nak(m, qp, now);
	if (ack)
		return MODEL_TAKEN;
	return class == CAIRN_AETH_CLASS_RNR ? rnr_nak(m, qp, h->psn, code, now)
					     : nak(m, qp, h->psn, code, now);
}

/* ---------------------------------------------------------------- data */

/*
 * A response begins with FIRST or ONLY where a request began, and goes on with MIDDLE and LAST;
 * what was asked for again from the middle of a request can see either there.
 */
static bool place_fits(const struct model *m, const struct model_qp *qp, const struct model_sqe *e,
		       const struct model_headers *h)
{
	bool starts = h->op->flags & CAIRN_OPF_START, ends = h->op->flags & CAIRN_OPF_END;
	bool begins = model_read_cut(m, qp, e->got);

	if (starts ? !begins && h->psn != e->asked : begins)
		return false;
	return ends == (e->got + 1 == e->npsn || model_read_cut(m, qp, e->got + 1));
}

static enum model_fate read_data(struct model *m, struct model_qp *qp, struct model_sqe *e,
				 const struct model_headers *h, uint64_t now)
{
	uint32_t offset = e->got * qp->cfg.pmtu, rest = e->length - offset;
	uint32_t n = rest < qp->cfg.pmtu ? rest : qp->cfg.pmtu;

	if (!place_fits(m, qp, e, h)) {
		model_send_fail(m, qp, qp->cfg.policy.bad_response);
		return MODEL_REFUSED;
	}
	if (h->payload_len != n || h->pad != (-n & 3)) {
		model_send_fail(m, qp, MODEL_LOC_LEN_ERR);
		return MODEL_REFUSED;
	}
	if (!model_scatter(m, qp->cfg.pd, e->wr.sge, e->wr.sges, offset, h->payload, n)) {
		model_send_fail(m, qp, MODEL_LOC_PROT_ERR);
		return MODEL_REFUSED;
	}
	e->got++;
	progress(qp, model_psn_add(h->psn, 1), now);
	if (e->got == e->npsn)
		model_send_done(m, qp);
	return MODEL_TAKEN;
}

static enum model_fate atomic_data(struct model *m, struct model_qp *qp, const struct model_sqe *e,
				   const struct model_headers *h, uint64_t now)
{
	uint64_t original = cairn_pkt_get(h->atomicacketh, CAIRN_ATOMICACKETH_ORIG);

	if (!model_scatter(m, qp->cfg.pd, e->wr.sge, e->wr.sges, 0, (const uint8_t *)&original,
			   8)) {
		model_send_fail(m, qp, MODEL_LOC_PROT_ERR);
		return MODEL_REFUSED;
	}
	progress(qp, model_psn_add(h->psn, 1), now);
	model_send_done(m, qp);
	return MODEL_TAKEN;
}

static enum model_fate data(struct model *m, struct model_qp *qp, const struct model_headers *h,
			    uint64_t now)
{
	bool read = h->op->flags & CAIRN_OPF_READ;
	struct model_sqe *e;

	if (!ack_before(m, qp, h->psn, now))
		return implied_nak(m, qp, now);
	e = oldest(qp); /* and the PSN is one of its */
	if (read ? e->wr.op != MODEL_READ : e->wr.op <= MODEL_READ) {
		model_send_fail(m, qp, qp->cfg.policy.bad_response);
		return MODEL_REFUSED;
	}
	if (h->psn != qp->req.una) /* a gap in the data */
		return implied_nak(m, qp, now);
	return read ? read_data(m, qp, e, h, now) : atomic_data(m, qp, e, h, now);
}

static void refresh_credits(struct model_qp *qp, const struct model_headers *h, uint8_t code)
{
	uint32_t limit;

	if (code == CAIRN_AETH_NO_CREDIT) {
		qp->req.unlimited = true;
		return;
	}
	limit = model_psn_add((uint32_t)cairn_pkt_get(h->aeth, CAIRN_AETH_MSN),
			      model_credits[code]);
	if (model_psn_diff(limit, qp->req.lsn) > 0)
		qp->req.lsn = limit;
}

enum model_fate model_cpl_receive(struct model *m, struct model_qp *qp,
				  const struct model_headers *h, uint64_t now)
{
	uint8_t syndrome = h->aeth ? (uint8_t)cairn_pkt_get(h->aeth, CAIRN_AETH_SYNDROME) : 0;
	uint8_t class = syndrome >> 5 & 3;

	if (qp->cfg.transport != CAIRN_TRANSPORT_RC ||
	    (qp->state != MODEL_RTS && qp->state != MODEL_SQD) || syndrome >> 7 ||
	    class == CAIRN_AETH_CLASS_RSVD || model_psn_diff(h->psn, qp->req.max) >= 0)
		return MODEL_DROPPED;
	if (h->aeth && class == CAIRN_AETH_CLASS_ACK)
		refresh_credits(qp, h, syndrome & 31);
	if (model_psn_diff(h->psn, qp->req.una) < 0) /* of something long complete */
		return MODEL_DUPLICATE;
	if (h->op->flags & CAIRN_OPF_ACK)
		return acknowledge(m, qp, h, syndrome, now);
	return class == CAIRN_AETH_CLASS_ACK ? data(m, qp, h, now) : MODEL_DROPPED;
}
