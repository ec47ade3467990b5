// SPDX-License-Identifier: Apache-2.0
/*
 * Captures replayed (capt.h): what requests do to memory, and the completions of both sides.
 */
#include "capt.h"

/* ---------------------------------------------------------------- memory of the responder */

static uint8_t *shadow_of(const struct capt_key *key)
{
	return key->buf->shadow + (key->buf->data - key->buf->base);
}

/* [va, va + len) of a valid key. */
static struct capt_key *region(struct capt *c, uint32_t key, uint64_t va, uint64_t len)
{
	struct capt_key *found = capt_find_key(c, key);

	if (!len || !found || !found->buf || va < found->low ||
	    va - found->low + len > found->buf->len)
		return NULL;
	return found;
}

static void put(struct capt_key *key, uint64_t va, const void *bytes, uint32_t len)
{
	memcpy(shadow_of(key) + (va - key->low), bytes, len);
	memset(key->known + (va - key->low), 1, len * sizeof(*key->known));
}

/* Bytes that nothing has said anything about, or that a program has written. */
static void reveal(struct capt *c, struct capt_key *key, uint64_t va, const uint8_t *bytes,
		   uint32_t len)
{
	uint64_t at = va - key->low;

	for (uint32_t i = 0; i < len; i++, at++) {
		if (key->known[at] && !c->scene->app)
			continue;
		key->known[at] = true;
		key->buf->data[at] = shadow_of(key)[at] = bytes[i];
	}
}

/* What the peer read with a request, as far as the answers that follow it show. */
static void reveal_read(struct capt_qp *qp, const struct capture_frame *f, struct capt_key *key)
{
	uint64_t va = cairn_pkt_get(capt_ext(&f->packet), CAIRN_RETH_VA);
	struct capt *c = qp->c;

	for (uint32_t i = 0; i < capt_psns(qp, &f->packet); i++) {
		const struct capture_frame *end = c->frames + c->n_frames;

		for (const struct capture_frame *a = f; a < end; a++)
			if (capt_is_out(c, a) && capt_is_response(a) && capt_qp_of(c, a) == qp &&
			    a->pkt.flags & CAIRN_OPF_READ &&
			    a->pkt.psn == model_psn_add(f->pkt.psn, i)) {
				reveal(c, key, va + (uint64_t)i * qp->pmtu,
				       capt_payload(&a->packet), capture_payload(&a->packet));
				break;
			}
	}
}

static void reveal_atomic(struct capt_qp *qp, const struct capture_frame *f, struct capt_key *key)
{
	uint64_t va = cairn_pkt_get(capt_ext(&f->packet), CAIRN_ATOMICETH_VA), old;
	struct capt *c = qp->c;

	for (const struct capture_frame *a = f; a < c->frames + c->n_frames; a++) {
		if (!capt_is_out(c, a) || capt_qp_of(c, a) != qp || a->pkt.psn != f->pkt.psn ||
		    a->pkt.opcode != CAIRN_OPCODE_RC_ATOMIC_ACK)
			continue;
		old = cairn_pkt_get(capt_ext(&a->packet) + CAIRN_AETH_BYTES,
				    CAIRN_ATOMICACKETH_ORIG);
		reveal(c, key, va, (const uint8_t *)&old, sizeof(old));
		return;
	}
}

static bool in_turn(const struct capt_qp *qp, const struct capture_frame *f)
{
	if (qp->failed || !f->good || !qp->rtl)
		return false;
	if (qp->transport == CAIRN_TRANSPORT_RC)
		return f->pkt.psn == qp->epsn;
	if (qp->transport == CAIRN_TRANSPORT_UD)
		return cairn_pkt_get(capt_ext(&f->packet), CAIRN_DETH_QKEY) == qp->qkey;
	return f->pkt.flags & CAIRN_OPF_START || (qp->inside && f->pkt.psn == qp->epsn);
}

/* A request is about to arrive: memory and a receive for it, unless the capture is about having
 * none. */
void capt_before(struct capt_qp *qp, const struct capture_frame *f)
{
	uint32_t flags = f->pkt.flags;
	struct capt_key *key;

	if (!in_turn(qp, f))
		return;
	if (flags & CAIRN_OPF_RWR && !qp->recvs) {
		if (!qp->rnr)
			capt_post_recv(qp);
		else
			qp->rnr--;
	}
	if (flags & CAIRN_OPF_READ) {
		key = region(qp->c, (uint32_t)cairn_pkt_get(capt_ext(&f->packet), CAIRN_RETH_RKEY),
			     cairn_pkt_get(capt_ext(&f->packet), CAIRN_RETH_VA),
			     cairn_pkt_get(capt_ext(&f->packet), CAIRN_RETH_LENGTH));
		if (key)
			reveal_read(qp, f, key);
	}
	if (flags & CAIRN_OPF_ATOMIC) {
		key = region(qp->c,
			     (uint32_t)cairn_pkt_get(capt_ext(&f->packet), CAIRN_ATOMICETH_RKEY),
			     cairn_pkt_get(capt_ext(&f->packet), CAIRN_ATOMICETH_VA), 8);
		if (key)
			reveal_atomic(qp, f, key);
	}
}

static void do_atomic(struct capt_qp *qp, const struct capture_frame *f)
{
	const uint8_t *ext = capt_ext(&f->packet);
	uint64_t va = cairn_pkt_get(ext, CAIRN_ATOMICETH_VA);
	uint64_t operand = cairn_pkt_get(ext, CAIRN_ATOMICETH_SWAP_ADD), value;
	struct capt_key *key =
		region(qp->c, (uint32_t)cairn_pkt_get(ext, CAIRN_ATOMICETH_RKEY), va, 8);

	if (!key)
		return;
	memcpy(&value, shadow_of(key) + (va - key->low), sizeof(value));
	if (f->pkt.opcode == CAIRN_OPCODE_RC_FETCH_ADD)
		value += operand;
	else if (value == cairn_pkt_get(ext, CAIRN_ATOMICETH_COMPARE))
		value = operand;
	put(key, va, &value, sizeof(value));
}

static void do_write(struct capt_qp *qp, const struct capture_frame *f, uint32_t len)
{
	struct capt_key *key;

	if (f->pkt.flags & CAIRN_OPF_START) {
		qp->va = cairn_pkt_get(capt_ext(&f->packet), CAIRN_RETH_VA);
		qp->key = (uint32_t)cairn_pkt_get(capt_ext(&f->packet), CAIRN_RETH_RKEY);
	}
	key = region(qp->c, qp->key, qp->va, len);
	if (key)
		put(key, qp->va, capt_payload(&f->packet), len);
	else if (len)
		qp->inside = false; /* UC: the message is lost */
	qp->va += len;
}

static void do_send(struct capt_qp *qp, const struct capture_frame *f, uint32_t len)
{
	uint8_t *to;

	if (f->pkt.flags & CAIRN_OPF_START)
		qp->in_len = 0;
	if (qp->transport == CAIRN_TRANSPORT_UD && f->pkt.flags & CAIRN_OPF_START) {
		memset(qp->in.data, 0, MODEL_GRH_BYTES);
		if (f->pkt.ipv6)
			memcpy(qp->in.data, f->raw + f->pkt.l3, CAIRN_IPV6_BYTES);
		else
			memcpy(qp->in.data + 20, f->raw + f->pkt.l3, CAIRN_IPV4_BYTES);
		qp->in_len = MODEL_GRH_BYTES;
	}
	to = qp->in.data + qp->in_len;
	assert_true(qp->in_len + len <= sizeof(qp->in.data));
	memcpy(to, capt_payload(&f->packet), len);
	qp->in_len += len;
}

/* The message's receive has to complete. */
static void now_due(struct capt_qp *qp, const struct capture_frame *f)
{
	uint32_t flags = f->pkt.flags;
	struct capt_due *in = &qp->in;

	in->due = true;
	in->any_length = flags & CAIRN_OPF_WRITE;
	in->len = qp->in_len;
	in->solicited = cairn_pkt_get(f->packet.bytes, CAIRN_BTH_SE);
	in->op = flags & CAIRN_OPF_WRITE ? CAIRN_CQE_OP_RECV_WRITE_IMM
		 : flags & CAIRN_OPF_IMM ? CAIRN_CQE_OP_RECV_IMM
		 : flags & CAIRN_OPF_INV ? CAIRN_CQE_OP_RECV_INV
					 : CAIRN_CQE_OP_RECV;
	in->imm = 0;
	if (flags & CAIRN_OPF_IMM)
		memcpy(&in->imm, capt_payload(&f->packet) - CAIRN_IMMDT_BYTES, 4);
	if (flags & CAIRN_OPF_INV && qp->c->window)
		in->imm = qp->c->window->key;
}

/* The request was in turn and the NIC did not refuse it. */
void capt_executed(struct capt_qp *qp, const struct capture_frame *f)
{
	uint32_t len = capture_payload(&f->packet), flags = f->pkt.flags;

	if (!in_turn(qp, f))
		return;
	qp->epsn = model_psn_add(f->pkt.psn, capt_psns(qp, &f->packet));
	if (flags & CAIRN_OPF_START)
		qp->inside = true;
	if (flags & CAIRN_OPF_ATOMIC)
		do_atomic(qp, f);
	else if (flags & CAIRN_OPF_WRITE)
		do_write(qp, f, len);
	else if (flags & CAIRN_OPF_SEND)
		do_send(qp, f, len);
	if (flags & CAIRN_OPF_COMP && qp->inside)
		now_due(qp, f);
	if (flags & CAIRN_OPF_END)
		qp->inside = false;
}

/* ---------------------------------------------------------------- completions */

static void want(struct capt_qp *qp, const char *what, uint64_t is, uint64_t must)
{
	if (is != must)
		capt_fail(qp->c, NULL, "completion of QP 0x%x: %s is 0x%llx, not 0x%llx", qp->qpn,
			  what, (unsigned long long)is, (unsigned long long)must);
}

static void received(struct capt_qp *qp, const struct cairn_cqe *cqe)
{
	struct capt_due *in = &qp->in;
	uint32_t status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);

	if (qp->failed && status)
		return;
	want(qp, "receive status", status, CAIRN_WC_STATUS_SUCCESS);
	if (!in->due)
		capt_fail(qp->c, NULL, "QP 0x%x has received what was not sent", qp->qpn);
	in->due = false;
	qp->recvs--;
	qp->c->received++;
	want(qp, "opcode", CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_OPCODE), in->op);
	want(qp, "solicited", CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_SOLICITED), in->solicited);
	if (in->op != CAIRN_CQE_OP_RECV)
		want(qp, "immediate", cqe->imm, in->imm);
	if (in->any_length)
		return;
	want(qp, "length", cqe->byte_len, in->len);
	if (memcmp(qp->c->session->recv->data + qp->recv_at, in->data, in->len))
		capt_fail(qp->c, NULL, "QP 0x%x: wrong bytes received", qp->qpn);
	rdma_buf_forget(qp->c->session->recv, qp->recv_at, in->len);
}

/* A READ may have been answered more than once, with other bytes in between. */
static void check_read(struct capt_qp *qp, const struct capt_msg *msg)
{
	struct capt *c = qp->c;
	const uint8_t *data = c->session->send->data + qp->send_at + msg->offset;

	for (uint32_t at = 0; at < msg->len; at += qp->pmtu) {
		uint32_t psn = model_psn_add(msg->psn, at / qp->pmtu);
		bool same = false;

		for (unsigned int i = 0; i < c->n_frames && !same; i++) {
			const struct capture_frame *f = &c->frames[i];

			same = !capt_is_out(c, f) && capt_qp_of(c, f) == qp &&
			       f->pkt.psn == psn && capt_is_response(f) &&
			       !memcmp(data + at, capt_payload(&f->packet),
				       capture_payload(&f->packet));
		}
		if (!same)
			capt_fail(c, NULL, "QP 0x%x: byte %u of the READ of PSN 0x%06x is wrong",
				  qp->qpn, at, msg->psn);
	}
}

static void check_atomic(struct capt_qp *qp, const struct capt_msg *msg)
{
	struct capt *c = qp->c;
	uint64_t old;

	memcpy(&old, c->session->send->data + qp->send_at + msg->offset, sizeof(old));
	for (unsigned int i = 0; i < c->n_frames; i++) {
		const struct capture_frame *f = &c->frames[i];

		if (!capt_is_out(c, f) && capt_qp_of(c, f) == qp && f->pkt.psn == msg->psn &&
		    f->pkt.opcode == CAIRN_OPCODE_RC_ATOMIC_ACK &&
		    cairn_pkt_get(capt_ext(&f->packet) + CAIRN_AETH_BYTES,
				  CAIRN_ATOMICACKETH_ORIG) == old)
			return;
	}
	capt_fail(c, NULL, "QP 0x%x: the old value for PSN 0x%06x is wrong", qp->qpn, msg->psn);
}

static void sent(struct capt_qp *qp, const struct cairn_cqe *cqe)
{
	const struct capture_scene *scene = qp->c->scene;
	bool fails = qp->c->client && scene->status;
	uint32_t must = CAIRN_WC_STATUS_SUCCESS;
	const struct capt_msg *msg = &qp->msg[qp->done];

	if (qp->done == qp->msgs)
		capt_fail(qp->c, NULL, "QP 0x%x: more completions than requests", qp->qpn);
	if (fails && qp->done >= scene->fail)
		must = qp->done == scene->fail ? scene->status : CAIRN_WC_STATUS_WR_FLUSH_ERR;
	want(qp, "status", CAIRN_GET(cqe->status, CAIRN_CQE_STATUS), must);
	qp->done++;
	if (must)
		return;
	if (msg->op == CAIRN_WQE_OP_READ)
		check_read(qp, msg);
	if (msg->op == CAIRN_WQE_OP_ATOMIC_CS || msg->op == CAIRN_WQE_OP_ATOMIC_FA)
		check_atomic(qp, msg);
	rdma_buf_forget(qp->c->session->send, qp->send_at + msg->offset, msg->len);
}

void capt_poll(struct capt *c)
{
	struct cairn_cq *cq = c->r->nic[0].cq->cq;
	const struct cairn_cqe *cqe;

	while ((cqe = cairn_cq_next(cq))) {
		uint32_t qpn = CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN);
		struct capt_qp *qp = NULL;

		for (unsigned int i = 0; i < c->qps; i++)
			if (c->qp[i]->rtl && c->qp[i]->rtl->qp->qpn == qpn)
				qp = c->qp[i];
		if (!qp)
			capt_fail(c, NULL, "a completion of QP 0x%x, which is none", qpn);
		if (CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_IS_SQ))
			sent(qp, cqe);
		else
			received(qp, cqe);
		cairn_cq_consume(cq);
	}
	cairn_cq_update(cq);
}

bool capt_all_done(const struct capt *c)
{
	for (unsigned int i = 0; i < c->qps; i++)
		if (c->qp[i]->done < c->qp[i]->msgs || c->qp[i]->in.due)
			return false;
	return true;
}
