// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model (model.h): the requester.  Work requests are started in order, cut into packets and
 * sent; going back is setting `next` to an earlier PSN, and what is sent from there is built again
 * from the same work request, so it is the same.
 */
#include "model_priv.h"

#include <string.h>

#define TIMEOUT_UNIT_NS 4096ull /* 4.096 us * 2^timeout */

void model_req_reset(struct model_qp *qp)
{
	struct model_requester *req = &qp->req;

	req->queue.item = sizeof(struct model_sqe);
	req->una = req->max = qp->cfg.sq_psn & 0xffffff;
	req->ssn = 1;
	req->retries = qp->cfg.retry_cnt;
	req->rnr_retries = qp->cfg.rnr_retry;
	model_req_idle(qp);
}

void model_req_idle(struct model_qp *qp)
{
	qp->req.cur = 0;
	qp->req.una = qp->req.next = qp->req.max;
	qp->req.timer = MODEL_NEVER;
	qp->req.rnr_until = 0;
}

static struct model_sqe *sqe(const struct model_qp *qp, size_t index)
{
	return model_fifo_at(&qp->req.queue, index);
}

void model_req_timer(struct model_qp *qp, uint64_t now)
{
	bool waiting = qp->req.una != qp->req.max && !qp->req.rnr_until;

	qp->req.timer = waiting && qp->cfg.timeout ? now + (TIMEOUT_UNIT_NS << qp->cfg.timeout)
						   : MODEL_NEVER;
}

/* Sending goes on at `psn`, which was sent before or is the next one. */
void model_req_go_back(struct model_qp *qp, uint32_t psn)
{
	struct model_requester *req = &qp->req;
	const struct model_sqe *e;

	req->next = psn;
	req->cur = 0;
	while ((e = sqe(qp, req->cur)) && e->started &&
	       model_psn_diff(psn, model_psn_add(e->psn, e->npsn)) >= 0)
		req->cur++;
}

/* ---------------------------------------------------------------- may the next one start */

static bool credit_ok(const struct model_qp *qp, const struct model_sqe *e)
{
	bool consumes = e->wr.op == MODEL_SEND ||
			(e->wr.op == MODEL_WRITE && e->wr.extra == MODEL_IMM);

	if (qp->cfg.transport != CAIRN_TRANSPORT_RC || !qp->cfg.policy.honour_credits ||
	    qp->req.unlimited || !consumes)
		return true;
	/* One more than allowed may go: its answer brings the next credits. */
	return model_psn_diff(qp->req.ssn, model_psn_add(qp->req.lsn, 1)) <= 0;
}

bool model_read_cut(const struct model *m, const struct model_qp *qp, uint32_t packet)
{
	return !packet ||
	       (m->hooks.cut_read && m->hooks.cut_read(m->hooks.ctx, qp->cfg.qpn, packet));
}

/* Packets that a READ request for packet `index` on asks for. */
static uint32_t read_part(const struct model *m, const struct model_qp *qp, uint32_t index,
			  uint32_t npsn)
{
	uint32_t end = index + 1;

	while (end < npsn && !model_read_cut(m, qp, end))
		end++;
	return end - index;
}

/* READ and atomic requests without all of their answer, of those before the next PSN. */
static uint32_t outstanding(const struct model *m, const struct model_qp *qp)
{
	uint32_t n = 0;

	for (size_t i = 0; i <= qp->req.cur && i < qp->req.queue.count; i++) {
		const struct model_sqe *e = sqe(qp, i);
		uint32_t sent;

		if (!e->started || !model_is_rd_atomic(e))
			continue;
		sent = i < qp->req.cur ? e->npsn : (uint32_t)model_psn_diff(qp->req.next, e->psn);
		for (uint32_t at = e->got; at < sent; at += read_part(m, qp, at, e->npsn))
			n++;
	}
	return n;
}

/* A request that was never sent may be. */
static bool order_ok(const struct model *m, const struct model_qp *qp, const struct model_sqe *e)
{
	uint32_t n = outstanding(m, qp);

	if (e->wr.fence && !e->started && n)
		return false;
	/* Where none may be outstanding it fails (check_local). */
	return !model_is_rd_atomic(e) || !qp->cfg.max_rd_atomic || n < qp->cfg.max_rd_atomic;
}

static bool window_ok(const struct model_qp *qp, uint32_t npsn)
{
	uint32_t under_way = (uint32_t)model_psn_diff(qp->req.next, qp->req.una);

	return !under_way || under_way + npsn <= qp->cfg.policy.psn_window;
}

/* Local memory of a request, all of it, before its first packet. */
static enum model_status check_local(const struct model *m, const struct model_qp *qp,
				     const struct model_sqe *e)
{
	uint32_t right = model_is_rd_atomic(e) ? MODEL_LOCAL_WRITE : 0;
	bool atomic = e->wr.op > MODEL_READ;

	if (e->broken)
		return e->broken;
	if (model_is_rd_atomic(e) && !qp->cfg.max_rd_atomic)
		return MODEL_LOC_QP_OP_ERR;
	if (e->wr.op == MODEL_READ && model_packets(e->length, qp->cfg.pmtu) >= MODEL_PSN_HALF)
		return MODEL_LOC_LEN_ERR;
	if (atomic && model_sge_total(e->wr.sge, e->wr.sges) != 8)
		return MODEL_LOC_LEN_ERR;
	return model_sge_check(m, qp->cfg.pd, e->wr.sge, e->wr.sges, right) ? MODEL_SUCCESS
									    : MODEL_LOC_PROT_ERR;
}

static void count_message(struct model_requester *req, const struct model_sqe *e)
{
	req->ssn = model_psn_add(req->ssn, 1);
	if (e->wr.op != MODEL_SEND && e->wr.extra != MODEL_IMM)
		req->lsn = model_psn_add(req->lsn, 1); /* takes no receive of the peer */
}

static void start(struct model_qp *qp, struct model_sqe *e)
{
	struct model_requester *req = &qp->req;

	e->started = true;
	e->psn = req->max;
	e->asked = e->psn;
	e->npsn = e->wr.op > MODEL_READ ? 1 : model_packets(e->length, qp->cfg.pmtu);
	count_message(req, e);
}

static bool can_change(const struct model *m, const struct model_send *wr)
{
	return (!wr->gone || model_region_valid(m, wr->gone)) &&
	       (!wr->made.data || wr->made.key == wr->gone ||
		!model_region_valid(m, wr->made.key));
}

static void run_locals(struct model *m, struct model_qp *qp)
{
	struct model_requester *req = &qp->req;
	struct model_sqe *e;

	while ((e = sqe(qp, req->cur)) && e->wr.op == MODEL_LOCAL) {
		if (!e->started && (qp->state != MODEL_RTS || !order_ok(m, qp, e)))
			return;
		if (!e->started && !can_change(m, &e->wr)) {
			if (!req->cur) /* the earlier ones complete first */
				model_send_fail(m, qp, MODEL_LOC_QP_OP_ERR);
			return;
		}
		if (!e->started) {
			if (e->wr.gone)
				model_region_remove(m, e->wr.gone);
			if (e->wr.made.data)
				model_region_add(m, &e->wr.made);
			e->started = true;
			e->psn = req->next; /* of what follows: a go-back passes over it */
		}
		if (!req->cur++)
			model_send_done(m, qp);
	}
}

void model_local(struct model *m, uint32_t qpn)
{
	struct model_qp *qp = model_qp(m, qpn);

	if (qp && (qp->state == MODEL_RTS || qp->state == MODEL_SQD))
		run_locals(m, qp);
}

/* The request to send a packet of now, or NULL. */
static struct model_sqe *ready(struct model *m, struct model_qp *qp)
{
	struct model_requester *req = &qp->req;
	struct model_sqe *e = sqe(qp, req->cur);
	enum model_status status;
	uint32_t npsn = 1;
	bool again;

	if (!e || e->wr.op == MODEL_LOCAL)
		return NULL;
	if (!e->started) {
		if (qp->state != MODEL_RTS || !order_ok(m, qp, e) || !credit_ok(qp, e))
			return NULL;
		status = check_local(m, qp, e);
		if (status && req->cur)
			return NULL; /* the earlier ones complete first */
		if (status) {
			model_send_fail(m, qp, status);
			return NULL;
		}
	}
	again = e->started && req->next != req->max;
	if (e->started && !again && !order_ok(m, qp, e))
		return NULL;
	if (e->wr.op == MODEL_READ)
		npsn = read_part(m, qp,
				 e->started ? (uint32_t)model_psn_diff(req->next, e->psn) : 0,
				 model_packets(e->length, qp->cfg.pmtu));
	if (qp->cfg.transport == CAIRN_TRANSPORT_RC && !window_ok(qp, npsn))
		return NULL;
	if (e->started && !again && e->wr.op == MODEL_READ)
		count_message(req, e); /* each request counts for the peer */
	if (!e->started)
		start(qp, e);
	return e;
}

/* ---------------------------------------------------------------- one packet */

static uint8_t opcode_of(const struct model_qp *qp, const struct model_sqe *e, bool first,
			 bool last)
{
	uint32_t flags = CAIRN_OPF_REQ;

	if (e->wr.op == MODEL_CMP_SWAP)
		return CAIRN_OPCODE_RC_COMPARE_SWAP;
	if (e->wr.op == MODEL_FETCH_ADD)
		return CAIRN_OPCODE_RC_FETCH_ADD;
	flags |= e->wr.op == MODEL_SEND	   ? CAIRN_OPF_SEND
		 : e->wr.op == MODEL_WRITE ? CAIRN_OPF_WRITE
					   : CAIRN_OPF_READ;
	flags |= (first ? CAIRN_OPF_START : 0) | (last ? CAIRN_OPF_END : 0);
	if (last && e->wr.extra != MODEL_PLAIN)
		flags |= e->wr.extra == MODEL_IMM ? CAIRN_OPF_IMM : CAIRN_OPF_INV;
	return model_opcode(qp->cfg.transport, flags);
}

/* Extension headers, in the order of the wire; `offset`, `length`:
 * of the data that a RETH speaks of. */
static void build_ext(const struct model_qp *qp, const struct model_sqe *e,
		      struct model_packet *packet, uint32_t offset, uint32_t length)
{
	uint8_t ext = cairn_opcode_table[packet->bytes[0]].ext;
	uint8_t *p = packet->bytes + CAIRN_BTH_BYTES;

	if (ext & CAIRN_EXT_RETH) {
		cairn_pkt_set(p, CAIRN_RETH_VA, e->wr.remote_addr + offset);
		cairn_pkt_set(p, CAIRN_RETH_RKEY, e->wr.remote_key);
		cairn_pkt_set(p, CAIRN_RETH_LENGTH, length);
		p += CAIRN_RETH_BYTES;
	}
	if (ext & CAIRN_EXT_ATOMICETH) {
		cairn_pkt_set(p, CAIRN_ATOMICETH_VA, e->wr.remote_addr);
		cairn_pkt_set(p, CAIRN_ATOMICETH_RKEY, e->wr.remote_key);
		cairn_pkt_set(p, CAIRN_ATOMICETH_SWAP_ADD, e->wr.swap_add);
		cairn_pkt_set(p, CAIRN_ATOMICETH_COMPARE,
			      e->wr.op == MODEL_CMP_SWAP ? e->wr.compare : 0);
	}
	if (ext & CAIRN_EXT_DETH) {
		uint32_t qkey = e->wr.ud_qkey;

		/* Bit 31: the QP's own, which programs without privilege cannot name. */
		cairn_pkt_set(p, CAIRN_DETH_QKEY, qkey >> 31 ? qp->cfg.qkey : qkey);
		cairn_pkt_set(p, CAIRN_DETH_SRC_QP, qp->cfg.qpn);
		p += CAIRN_DETH_BYTES;
	}
	if (ext & (CAIRN_EXT_IMMDT | CAIRN_EXT_IETH))
		cairn_pkt_set(p, CAIRN_IMMDT_IMM, e->wr.imm_or_key);
}

/* Packet `next` of a request.  Returns how many PSNs it stands for, 0: local memory has gone. */
static uint32_t build(struct model *m, const struct model_qp *qp, struct model_sqe *e,
		      struct model_packet *packet)
{
	uint32_t index = (uint32_t)model_psn_diff(qp->req.next, e->psn);
	uint32_t offset = index * qp->cfg.pmtu, rest = e->length - offset;
	uint32_t n = rest < qp->cfg.pmtu ? rest : qp->cfg.pmtu;
	bool carries = !model_is_rd_atomic(e), last = !carries || n == rest;
	bool silent = qp->cfg.transport != CAIRN_TRANSPORT_RC;
	bool message_start = !carries || !index;
	uint32_t psns = 1;
	const struct model_hooks *hooks = &m->hooks;

	model_build(qp, packet, opcode_of(qp, e, message_start, last), qp->req.next);
	if (qp->cfg.transport == CAIRN_TRANSPORT_UD) {
		memcpy(packet->dst, e->wr.ud_gid, 16);
		cairn_pkt_set(packet->bytes, CAIRN_BTH_DEST_QP, e->wr.ud_qpn);
	}
	cairn_pkt_set(packet->bytes, CAIRN_BTH_ACKREQ,
		      !silent && (last || (hooks->ask_ack &&
					   hooks->ask_ack(hooks->ctx, qp->cfg.qpn, qp->req.next))));
	cairn_pkt_set(packet->bytes, CAIRN_BTH_SE,
		      last && e->wr.solicited && carries &&
			      (e->wr.op == MODEL_SEND || e->wr.extra == MODEL_IMM));
	if (e->wr.op == MODEL_READ) {
		psns = read_part(m, qp, index, e->npsn);
		n = index + psns < e->npsn ? psns * qp->cfg.pmtu : rest;
		build_ext(qp, e, packet, offset, n);
	} else {
		build_ext(qp, e, packet, 0, e->length);
	}
	if (carries &&
	    !model_gather(m, qp->cfg.pd, e->wr.sge, e->wr.sges, offset, model_payload(packet), n))
		return 0;
	model_finish(packet, carries ? n : 0);
	if (e->wr.op == MODEL_READ && !model_read_cut(m, qp, index))
		e->asked = qp->req.next;
	return psns;
}

void model_req_check_drained(struct model *m, struct model_qp *qp)
{
	const struct model_sqe *e = sqe(qp, 0);

	if (qp->state != MODEL_SQD || qp->req.drained || (e && e->started))
		return;
	qp->req.drained = true;
	model_raise(m, qp, MODEL_SQ_DRAINED);
}

/* A datagram that fits no packet is complete without one. */
static bool skip_oversized(struct model *m, struct model_qp *qp)
{
	const struct model_sqe *e = sqe(qp, 0);

	if (qp->cfg.transport != CAIRN_TRANSPORT_UD || !e || e->length <= qp->cfg.pmtu ||
	    e->broken || qp->state != MODEL_RTS)
		return false;
	model_send_done(m, qp);
	return true;
}

static void sent(struct model *m, struct model_qp *qp, const struct model_sqe *e, uint32_t psns,
		 uint64_t now)
{
	struct model_requester *req = &qp->req;
	bool end;

	req->next = model_psn_add(req->next, psns);
	if (model_psn_diff(req->next, req->max) > 0)
		req->max = req->next;
	end = req->next == model_psn_add(e->psn, e->npsn);
	if (end)
		req->cur++;
	if (qp->cfg.transport != CAIRN_TRANSPORT_RC) {
		req->una = req->max; /* nobody acknowledges */
		if (end)
			model_send_done(m, qp);
	} else if (req->timer == MODEL_NEVER) {
		model_req_timer(qp, now);
	}
}

bool model_transmit(struct model *m, uint32_t qpn, uint64_t now, struct model_packet *packet)
{
	struct model_qp *qp = model_qp(m, qpn);
	struct model_sqe *e;
	uint32_t psns;

	if (!qp || (qp->state != MODEL_RTS && qp->state != MODEL_SQD) ||
	    (qp->req.rnr_until && now < qp->req.rnr_until))
		return false;
	qp->req.rnr_until = 0;
	while (skip_oversized(m, qp))
		;
	run_locals(m, qp);
	model_req_check_drained(m, qp);
	e = ready(m, qp);
	if (!e)
		return false;
	psns = build(m, qp, e, packet);
	if (!psns) { /* the region was there when the request started */
		if (!qp->req.cur)
			model_send_fail(m, qp, MODEL_LOC_PROT_ERR);
		return false;
	}
	sent(m, qp, e, psns, now);
	return true;
}

/* ---------------------------------------------------------------- time */

uint64_t model_deadline(const struct model *m, uint32_t qpn)
{
	const struct model_qp *qp = model_qp(m, qpn);

	if (!qp || (qp->state != MODEL_RTS && qp->state != MODEL_SQD))
		return MODEL_NEVER;
	return qp->req.rnr_until ? qp->req.rnr_until : qp->req.timer;
}

void model_timeout(struct model *m, uint32_t qpn, uint64_t now)
{
	struct model_qp *qp = model_qp(m, qpn);

	/* There is no timer during an RNR wait. */
	if (!qp || (qp->state != MODEL_RTS && qp->state != MODEL_SQD) || now < qp->req.timer)
		return;
	model_req_retry(m, qp, qp->req.una, now);
}
