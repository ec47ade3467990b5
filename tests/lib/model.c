// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model (model.h): objects, states, queues of completions and events, and which QP gets a
 * packet.
 */
#include "model_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- lists */

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

void model_fifo_push(struct model_fifo *fifo, const void *item)
{
	if (fifo->head + fifo->count == fifo->room) {
		if (fifo->count)
			memmove(fifo->bytes, fifo->bytes + fifo->head * fifo->item,
				fifo->count * fifo->item);
		fifo->head = 0;
		if (2 * fifo->count >= fifo->room) {
			fifo->room = fifo->room ? 2 * fifo->room : 8;
			fifo->bytes = must(realloc(fifo->bytes, fifo->room * fifo->item));
		}
	}
	memcpy(fifo->bytes + (fifo->head + fifo->count++) * fifo->item, item, fifo->item);
}

void *model_fifo_at(const struct model_fifo *fifo, size_t index)
{
	return index < fifo->count ? fifo->bytes + (fifo->head + index) * fifo->item : NULL;
}

void model_fifo_pop(struct model_fifo *fifo)
{
	fifo->head++;
	fifo->count--;
}

static void fifo_empty(struct model_fifo *fifo)
{
	free(fifo->bytes);
	*fifo = (struct model_fifo){ .item = fifo->item };
}

void model_fifo_unpop(struct model_fifo *fifo, const void *item)
{
	uint8_t *first;

	model_fifo_push(fifo, item); /* makes room */
	first = fifo->bytes + fifo->head * fifo->item;
	memmove(first + fifo->item, first, (fifo->count - 1) * fifo->item);
	memcpy(first, item, fifo->item);
}

static bool fifo_take(struct model_fifo *fifo, void *item)
{
	if (!fifo->count)
		return false;
	memcpy(item, model_fifo_at(fifo, 0), fifo->item);
	model_fifo_pop(fifo);
	return true;
}

/* ---------------------------------------------------------------- the model */

struct model *model_create(const struct model_hooks *hooks)
{
	struct model *m = must(calloc(1, sizeof(*m)));

	if (hooks)
		m->hooks = *hooks;
	m->qps.item = sizeof(struct model_qp);
	m->regions.item = sizeof(struct model_region);
	m->completions.item = sizeof(struct model_completion);
	m->events.item = sizeof(struct model_event);
	return m;
}

static void qp_empty(struct model_qp *qp)
{
	fifo_empty(&qp->req.queue);
	fifo_empty(&qp->rsp.answers);
	fifo_empty(&qp->recvs);
}

void model_destroy(struct model *m)
{
	for (size_t i = 0; i < m->qps.count; i++)
		qp_empty(model_fifo_at(&m->qps, i));
	fifo_empty(&m->qps);
	fifo_empty(&m->regions);
	fifo_empty(&m->completions);
	fifo_empty(&m->events);
	free(m);
}

void model_complete(struct model *m, const struct model_completion *completion)
{
	model_fifo_push(&m->completions, completion);
}

void model_raise(struct model *m, const struct model_qp *qp, enum model_event_kind kind)
{
	struct model_event event = { .kind = kind, .qpn = qp->cfg.qpn };

	model_fifo_push(&m->events, &event);
}

bool model_completion(struct model *m, struct model_completion *completion)
{
	return fifo_take(&m->completions, completion);
}

bool model_event(struct model *m, struct model_event *event)
{
	return fifo_take(&m->events, event);
}

/* ---------------------------------------------------------------- QPs */

struct model_qp *model_qp(const struct model *m, uint32_t qpn)
{
	for (size_t i = 0; i < m->qps.count; i++) {
		struct model_qp *qp = model_fifo_at(&m->qps, i);

		if (qp->cfg.qpn == qpn)
			return qp;
	}
	return NULL;
}

static bool config_good(const struct model_qp_config *c)
{
	bool pmtu = c->pmtu == 256 || c->pmtu == 512 || c->pmtu == 1024 || c->pmtu == 2048 ||
		    c->pmtu == 4096;
	bool type = c->transport == CAIRN_TRANSPORT_RC || c->transport == CAIRN_TRANSPORT_UC ||
		    c->transport == CAIRN_TRANSPORT_UD;

	return pmtu && type && c->min_rnr_timer <= 31 && c->timeout <= 31 && c->retry_cnt <= 7 &&
	       c->rnr_retry <= 7 && c->max_rd_atomic <= MODEL_MAX_RD_ATOMIC &&
	       c->max_dest_rd_atomic <= MODEL_MAX_RD_ATOMIC && !(c->qpn >> 24) &&
	       !(c->peer_qpn >> 24);
}

/* As after RESET: nothing but the configuration is left. */
static void qp_reset(struct model_qp *qp)
{
	struct model_qp fresh = { .cfg = qp->cfg };

	qp_empty(qp);
	*qp = fresh;
	qp->recvs.item = sizeof(struct model_recv);
	qp->rsp.answers.item = sizeof(struct model_answer);
	qp->rsp.epsn = qp->cfg.rq_psn & 0xffffff;
	model_req_reset(qp);
}

int model_qp_create(struct model *m, const struct model_qp_config *config)
{
	struct model_qp qp = { .cfg = *config };

	if (!config_good(config))
		return -EINVAL;
	if (model_qp(m, config->qpn))
		return -EEXIST;
	if (!qp.cfg.policy.psn_window || qp.cfg.policy.psn_window >= MODEL_PSN_HALF)
		qp.cfg.policy.psn_window = MODEL_PSN_HALF - 1;
	if (!qp.cfg.policy.too_long)
		qp.cfg.policy.too_long = MODEL_LOC_LEN_ERR;
	if (!qp.cfg.policy.aborted)
		qp.cfg.policy.aborted = MODEL_REM_INV_REQ_ERR;
	if (!qp.cfg.policy.bad_response)
		qp.cfg.policy.bad_response = MODEL_BAD_RESP_ERR;
	qp_reset(&qp);
	model_fifo_push(&m->qps, &qp);
	return 0;
}

void model_flush_sends(struct model *m, struct model_qp *qp)
{
	for (size_t i = 0; i < qp->req.queue.count; i++) {
		const struct model_sqe *e = model_fifo_at(&qp->req.queue, i);
		struct model_completion c = { .id = e->wr.id,
					      .qpn = qp->cfg.qpn,
					      .status = MODEL_WR_FLUSH_ERR };

		model_complete(m, &c);
	}
	fifo_empty(&qp->req.queue);
	model_req_idle(qp);
}

static void flush_recv(struct model *m, const struct model_qp *qp, const struct model_recv *recv)
{
	struct model_completion c = {
		.id = recv->id, .qpn = qp->cfg.qpn, .recv = true, .status = MODEL_WR_FLUSH_ERR
	};

	model_complete(m, &c);
}

void model_qp_error(struct model *m, struct model_qp *qp, bool keep_answers)
{
	qp->state = MODEL_ERR;
	model_flush_sends(m, qp);
	if (qp->rsp.holds_recv)
		flush_recv(m, qp, &qp->rsp.recv);
	qp->rsp.holds_recv = false;
	for (size_t i = 0; i < qp->recvs.count; i++)
		flush_recv(m, qp, model_fifo_at(&qp->recvs, i));
	fifo_empty(&qp->recvs);
	if (!keep_answers)
		fifo_empty(&qp->rsp.answers);
}

static bool may_move(const struct model_qp *qp, enum model_state to)
{
	enum model_state from = qp->state;

	switch (to) {
	case MODEL_RESET:
		return true;
	case MODEL_ERR:
		return from != MODEL_RESET;
	case MODEL_INIT:
		return from == MODEL_RESET || from == MODEL_INIT;
	case MODEL_RTR:
		return from == MODEL_INIT;
	case MODEL_RTS:
		return from == MODEL_RTR || from == MODEL_RTS || from == MODEL_SQD ||
		       from == MODEL_SQE;
	case MODEL_SQD:
		return from == MODEL_RTS || from == MODEL_SQD;
	default:
		return false; /* SQE is entered by errors alone */
	}
}

int model_qp_move(struct model *m, uint32_t qpn, enum model_state state)
{
	struct model_qp *qp = model_qp(m, qpn);

	if (!qp)
		return -ENOENT;
	if (!may_move(qp, state))
		return -EINVAL;
	if (state == MODEL_RESET)
		qp_reset(qp);
	else if (state == MODEL_ERR)
		model_qp_error(m, qp, false);
	qp->state = state;
	if (state == MODEL_SQD) {
		qp->req.drained = false;
		model_req_check_drained(m, qp);
	}
	return 0;
}

enum model_state model_qp_state(const struct model *m, uint32_t qpn)
{
	const struct model_qp *qp = model_qp(m, qpn);

	return qp ? qp->state : MODEL_RESET;
}

bool model_look(const struct model *m, uint32_t qpn, struct model_view *view)
{
	const struct model_qp *qp = model_qp(m, qpn);

	if (!qp)
		return false;
	*view = (struct model_view){
		.epsn = qp->rsp.epsn,
		.msn = qp->rsp.msn,
		.una = qp->req.una,
		.next = qp->req.max,
		.sends = (uint32_t)qp->req.queue.count,
		.recvs = (uint32_t)qp->recvs.count + qp->rsp.holds_recv,
		.answers = (uint32_t)qp->rsp.answers.count,
	};
	return true;
}

/* ---------------------------------------------------------------- work requests */

static bool send_good(const struct model_qp *qp, const struct model_send *wr)
{
	bool plain_op = wr->op == MODEL_SEND || wr->op == MODEL_WRITE;

	if (wr->sges > MODEL_MAX_SGE)
		return false;
	if (wr->op == MODEL_LOCAL)
		return wr->extra == MODEL_PLAIN && !wr->sges &&
		       qp->cfg.transport != CAIRN_TRANSPORT_UD;
	if (wr->extra == MODEL_INV &&
	    (wr->op != MODEL_SEND || qp->cfg.transport != CAIRN_TRANSPORT_RC))
		return false;
	if (wr->extra == MODEL_IMM && !plain_op)
		return false;
	switch (qp->cfg.transport) {
	case CAIRN_TRANSPORT_RC:
		return true;
	case CAIRN_TRANSPORT_UC:
		return plain_op;
	default:
		return wr->op == MODEL_SEND;
	}
}

int model_post_send(struct model *m, uint32_t qpn, const struct model_send *wr)
{
	struct model_qp *qp = model_qp(m, qpn);
	struct model_sqe e = { .wr = *wr };
	uint64_t total;

	if (!qp)
		return -ENOENT;
	if (qp->state < MODEL_RTS || !send_good(qp, wr))
		return -EINVAL;
	total = model_sge_total(wr->sge, wr->sges);
	if (wr->op > MODEL_READ)
		total = 8;
	e.length = total > MODEL_MAX_MESSAGE ? MODEL_MAX_MESSAGE : (uint32_t)total;
	if (total > MODEL_MAX_MESSAGE)
		e.broken = MODEL_LOC_LEN_ERR;
	model_fifo_push(&qp->req.queue, &e);
	if (qp->state == MODEL_ERR || qp->state == MODEL_SQE)
		model_flush_sends(m, qp);
	return 0;
}

int model_post_recv(struct model *m, uint32_t qpn, const struct model_recv *wr)
{
	struct model_qp *qp = model_qp(m, qpn);

	if (!qp)
		return -ENOENT;
	if (qp->state == MODEL_RESET || wr->sges > MODEL_MAX_SGE)
		return -EINVAL;
	if (qp->state == MODEL_ERR)
		flush_recv(m, qp, wr);
	else
		model_fifo_push(&qp->recvs, wr);
	return 0;
}

/* ---------------------------------------------------------------- packets */

/* The low 15 bits agree, and one of the two is a full member. */
static bool pkey_fits(uint16_t a, uint16_t b)
{
	return !((a ^ b) & 0x7fff) && (a | b) & 0x8000;
}

static bool addressed(const struct model_qp *qp, const struct model_packet *packet)
{
	if (qp->cfg.transport == CAIRN_TRANSPORT_UD)
		return packet->dst[0] == 0xff || !memcmp(packet->dst, qp->cfg.gid, 16);
	return !memcmp(packet->dst, qp->cfg.gid, 16) && !memcmp(packet->src, qp->cfg.peer_gid, 16);
}

enum model_fate model_receive(struct model *m, const struct model_packet *packet, uint64_t now)
{
	struct model_headers h;
	struct model_qp *qp;

	if (!model_parse(packet, &h))
		return MODEL_DROPPED;
	qp = model_qp(m, h.dest_qp);
	if (!qp || h.op->transport != qp->cfg.transport || qp->state < MODEL_RTR ||
	    qp->state == MODEL_ERR || !addressed(qp, packet) || !pkey_fits(h.pkey, qp->cfg.pkey))
		return MODEL_DROPPED;
	if (h.op->flags & CAIRN_OPF_RSP)
		return model_cpl_receive(m, qp, &h, now);
	if (qp->state == MODEL_RTR && !qp->rsp.established) {
		qp->rsp.established = true;
		model_raise(m, qp, MODEL_COMM_EST);
	}
	switch (qp->cfg.transport) {
	case CAIRN_TRANSPORT_RC:
		return model_rsp_receive(m, qp, &h);
	case CAIRN_TRANSPORT_UC:
		return model_uc_receive(m, qp, &h);
	default:
		return model_ud_receive(m, qp, &h, packet);
	}
}
