// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model (model.h): what the responder sends.  Answers wait in the order of their requests;
 * model_respond() sends the next packet of the first one.  Duplicates get their answer from what
 * was remembered, and change nothing.
 */
#include "model_priv.h"

#include <string.h>

void model_answer_ack(struct model *m, struct model_qp *qp, uint32_t psn)
{
	struct model_fifo *answers = &qp->rsp.answers;
	struct model_answer a = { .kind = MODEL_ANSWER_ACK, .psn = psn, .msn = qp->rsp.msn };
	struct model_answer *last = answers->count ? model_fifo_at(answers, answers->count - 1)
						   : NULL;

	if (last && last->kind == MODEL_ANSWER_ACK && m->hooks.merge_acks &&
	    m->hooks.merge_acks(m->hooks.ctx, qp->cfg.qpn, last->psn, psn))
		*last = a;
	else
		model_fifo_push(answers, &a);
}

void model_answer_nak(struct model_qp *qp, enum cairn_aeth_class class, uint8_t code, uint32_t psn)
{
	struct model_answer a = { .kind = MODEL_ANSWER_NAK,
				  .class = class,
				  .code = code,
				  .psn = psn,
				  .msn = qp->rsp.msn };

	model_fifo_push(&qp->rsp.answers, &a);
}

void model_answer_resource(struct model_qp *qp, const struct model_resource *res, bool again)
{
	bool read = cairn_opcode_table[res->opcode].flags & CAIRN_OPF_READ;
	struct model_answer a = { .kind = read ? MODEL_ANSWER_READ : MODEL_ANSWER_ATOMIC,
				  .again = again,
				  .psn = res->psn,
				  .msn = qp->rsp.msn,
				  .va = res->va,
				  .original = res->original,
				  .key = res->key,
				  .length = res->length };

	model_fifo_push(&qp->rsp.answers, &a);
}

uint32_t model_unanswered(const struct model_qp *qp)
{
	uint32_t n = 0;

	for (size_t i = 0; i < qp->rsp.answers.count; i++) {
		const struct model_answer *a = model_fifo_at(&qp->rsp.answers, i);

		n += !a->again && (a->kind == MODEL_ANSWER_READ || a->kind == MODEL_ANSWER_ATOMIC);
	}
	return n;
}

/* ---------------------------------------------------------------- duplicates */

/* The answer of that READ is being given, or will be; false: it is not. */
static bool go_on_at(const struct model_qp *qp, const struct model_resource *part)
{
	uint32_t npsn = model_packets(part->length, qp->cfg.pmtu);

	for (size_t i = 0; i < qp->rsp.answers.count; i++) {
		struct model_answer *a = model_fifo_at(&qp->rsp.answers, i);
		uint32_t end = model_psn_add(a->psn, model_packets(a->length, qp->cfg.pmtu));

		if (a->kind != MODEL_ANSWER_READ || end != model_psn_add(part->psn, npsn))
			continue;
		a->psn = part->psn;
		a->va = part->va;
		a->length = part->length;
		a->sent = 0;
		return true;
	}
	return false;
}

/* A READ asks again for all or the rest of a READ that is remembered. */
static bool read_again(const struct model *m, struct model_qp *qp, const struct model_headers *h,
		       const struct model_resource *res)
{
	struct model_resource part = *res;
	uint64_t end = res->va + res->length;

	part.psn = h->psn;
	part.va = cairn_pkt_get(h->reth, CAIRN_RETH_VA);
	part.length = (uint32_t)cairn_pkt_get(h->reth, CAIRN_RETH_LENGTH);
	if ((uint32_t)cairn_pkt_get(h->reth, CAIRN_RETH_RKEY) != res->key || part.va < res->va ||
	    part.length > res->length || part.va - res->va > res->length - part.length)
		return false;
	if (model_psn_diff(h->psn, res->psn) + model_packets(part.length, qp->cfg.pmtu) > res->npsn)
		return false;
	if (part.va + part.length != end && !qp->cfg.policy.read_any_part)
		return false;
	if (part.length &&
	    !model_mem(m, qp->cfg.pd, part.key, part.va, part.length, MODEL_REMOTE_READ))
		return false;
	if (!qp->cfg.policy.read_anew || !go_on_at(qp, &part))
		model_answer_resource(qp, &part, true);
	return true;
}

static bool resource_again(const struct model *m, struct model_qp *qp,
			   const struct model_headers *h)
{
	for (unsigned int i = 0; i < qp->cfg.max_dest_rd_atomic; i++) {
		const struct model_resource *res = &qp->rsp.resource[i];
		int32_t into = model_psn_diff(h->psn, res->psn);

		if (!res->valid || res->opcode != h->opcode || into < 0 ||
		    (uint32_t)into >= res->npsn)
			continue;
		if (h->reth)
			return read_again(m, qp, h, res);
		model_answer_resource(qp, res, true);
		return true;
	}
	return false;
}

enum model_fate model_rsp_duplicate(struct model *m, struct model_qp *qp,
				    const struct model_headers *h)
{
	const struct model_hooks *hooks = &m->hooks;
	bool answered;

	if (h->op->flags & (CAIRN_OPF_READ | CAIRN_OPF_ATOMIC)) {
		answered = resource_again(m, qp, h);
	} else {
		answered = h->ackreq || (hooks->ack_duplicate &&
					 hooks->ack_duplicate(hooks->ctx, qp->cfg.qpn, h->psn));
		if (answered)
			model_answer_ack(m, qp, model_psn_add(qp->rsp.epsn, 0xffffff));
	}
	if (answered && qp->cfg.policy.duplicate_ends_nak)
		qp->rsp.nak = false;
	return MODEL_DUPLICATE;
}

/* ---------------------------------------------------------------- sending */

static uint8_t ack_code(const struct model_qp *qp)
{
	uint8_t code = MODEL_CREDIT_CODES - 1;

	if (!qp->cfg.policy.send_credits)
		return CAIRN_AETH_NO_CREDIT;
	while (model_credits[code] > qp->recvs.count)
		code--;
	return code;
}

static void build_aeth(const struct model_qp *qp, const struct model_answer *a,
		       struct model_packet *packet)
{
	uint8_t *aeth = packet->bytes + CAIRN_BTH_BYTES;
	uint8_t syndrome = ack_code(qp);

	if (a->kind == MODEL_ANSWER_NAK)
		syndrome = (uint8_t)(a->class << 5 | a->code);
	cairn_pkt_set(aeth, CAIRN_AETH_SYNDROME, syndrome);
	cairn_pkt_set(aeth, CAIRN_AETH_MSN, qp->rsp.msn);
	packet->msn_low = a->msn;
}

static void send_short(const struct model_qp *qp, const struct model_answer *a,
		       struct model_packet *packet)
{
	bool atomic = a->kind == MODEL_ANSWER_ATOMIC;
	uint8_t *ext = model_build(
		qp, packet, atomic ? CAIRN_OPCODE_RC_ATOMIC_ACK : CAIRN_OPCODE_RC_ACKNOWLEDGE,
		a->psn);

	build_aeth(qp, a, packet);
	if (atomic)
		cairn_pkt_set(ext + CAIRN_AETH_BYTES, CAIRN_ATOMICACKETH_ORIG, a->original);
	model_finish(packet, 0);
}

/* The next packet of read data; false: the region is not what it was. */
static bool send_read(const struct model *m, const struct model_qp *qp, struct model_answer *a,
		      struct model_packet *packet)
{
	uint32_t done = a->sent * qp->cfg.pmtu, rest = a->length - done;
	uint32_t n = rest < qp->cfg.pmtu ? rest : qp->cfg.pmtu;
	uint32_t flags = CAIRN_OPF_READ | CAIRN_OPF_RSP;
	const uint8_t *from = NULL;

	if (n) {
		from = model_mem(m, qp->cfg.pd, a->key, a->va + done, n, MODEL_REMOTE_READ);
		if (!from)
			return false;
	}
	flags |= (a->sent ? 0 : CAIRN_OPF_START) | (n == rest ? CAIRN_OPF_END : 0);
	model_build(qp, packet, model_opcode(CAIRN_TRANSPORT_RC, flags),
		    model_psn_add(a->psn, a->sent));
	if (flags & (CAIRN_OPF_START | CAIRN_OPF_END))
		build_aeth(qp, a, packet);
	if (n)
		memcpy(model_payload(packet), from, n);
	model_finish(packet, n);
	a->sent++;
	return true;
}

/* Read data that cannot be delivered: the rest is refused, and nothing is answered after that. */
static void read_broken(struct model *m, struct model_qp *qp)
{
	struct model_answer a = *(const struct model_answer *)model_fifo_at(&qp->rsp.answers, 0);

	if (a.again) { /* what cannot be repeated is not answered */
		model_fifo_pop(&qp->rsp.answers);
		return;
	}
	while (qp->rsp.answers.count)
		model_fifo_pop(&qp->rsp.answers);
	if (qp->state == MODEL_ERR)
		return;
	model_raise(m, qp, MODEL_QP_ACCESS_ERR);
	model_answer_nak(qp, CAIRN_AETH_CLASS_NAK, CAIRN_AETH_NAK_ACCESS,
			 model_psn_add(a.psn, a.sent));
	if (qp->rsp.holds_recv)
		model_recv_done(m, qp, NULL, 0, qp->cfg.policy.aborted);
	model_qp_error(m, qp, true);
}

bool model_respond(struct model *m, uint32_t qpn, struct model_packet *packet)
{
	struct model_qp *qp = model_qp(m, qpn);

	while (qp && qp->rsp.answers.count) {
		struct model_answer *a = model_fifo_at(&qp->rsp.answers, 0);

		if (a->kind != MODEL_ANSWER_READ) {
			send_short(qp, a, packet);
			model_fifo_pop(&qp->rsp.answers);
			return true;
		}
		if (send_read(m, qp, a, packet)) {
			if (a->sent == model_packets(a->length, qp->cfg.pmtu))
				model_fifo_pop(&qp->rsp.answers);
			return true;
		}
		read_broken(m, qp);
	}
	return false;
}
