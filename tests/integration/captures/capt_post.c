// SPDX-License-Identifier: Apache-2.0
/*
 * Captures replayed (capt.h): the messages that the captured host sent, put together from their
 * packets and posted as work requests.
 */
#include "capt.h"

static enum cairn_wqe_op op_of(const struct capture_frame *f)
{
	uint32_t flags = f->pkt.flags;

	if (flags & CAIRN_OPF_READ)
		return CAIRN_WQE_OP_READ;
	if (flags & CAIRN_OPF_ATOMIC)
		return f->pkt.opcode == CAIRN_OPCODE_RC_COMPARE_SWAP ? CAIRN_WQE_OP_ATOMIC_CS
								     : CAIRN_WQE_OP_ATOMIC_FA;
	if (flags & CAIRN_OPF_WRITE)
		return flags & CAIRN_OPF_IMM ? CAIRN_WQE_OP_WRITE_IMM : CAIRN_WQE_OP_WRITE;
	return flags & CAIRN_OPF_IMM   ? CAIRN_WQE_OP_SEND_IMM
	       : flags & CAIRN_OPF_INV ? CAIRN_WQE_OP_SEND_INV
				       : CAIRN_WQE_OP_SEND;
}

/* ---------------------------------------------------------------- messages */

/* The first good request of the QP at each PSN from sq_psn on; returns how many PSNs that are. */
static unsigned int by_psn(const struct capt_qp *qp, const struct capture_frame **table)
{
	struct capt *c = qp->c;
	unsigned int n = 0;

	for (unsigned int i = 0; i < c->n_frames; i++) {
		const struct capture_frame *f = &c->frames[i];
		int32_t at = model_psn_diff(f->pkt.psn, qp->sq_psn);

		if (capt_qp_of(c, f) != qp || !capt_is_out(c, f) || capt_is_response(f))
			continue;
		assert_true(at >= 0 && at < CAPT_SENT);
		if (!table[at])
			table[at] = f;
		if ((unsigned int)at >= n)
			n = (unsigned int)at + 1;
	}
	return n;
}

static struct capt_msg *add_message(struct capt_qp *qp, const struct capture_frame *f, uint32_t psn)
{
	struct capt_msg *msg = &qp->msg[qp->msgs];

	assert_true(qp->msgs < CAPT_MSGS);
	msg->first = f;
	msg->psn = psn;
	msg->offset = qp->msgs ? (msg[-1].offset + msg[-1].len + 7) & ~7u : 0;
	qp->msgs++;
	return msg;
}

/* SEND or WRITE.  What is missing is a full packet.  Returns how many PSNs it takes. */
static unsigned int add_stream(struct capt_qp *qp, const struct capture_frame **table,
			       unsigned int n)
{
	struct capt_msg *msg = add_message(qp, table[0], 0);
	unsigned int i = 0;

	for (; i < n; i++) {
		msg->len += table[i] ? capture_payload(&table[i]->packet) : qp->pmtu;
		if (!table[i])
			continue;
		msg->last = table[i];
		if (table[i]->pkt.flags & CAIRN_OPF_END)
			break;
	}
	if (i == n)
		msg->len += qp->c->scene->unfinished;
	assert_non_null(msg->last);
	msg->op = op_of(msg->last);
	return i + 1;
}

static void add_streams(struct capt_qp *qp)
{
	const struct capture_frame *table[CAPT_SENT] = { NULL };
	unsigned int n = by_psn(qp, table), psns;

	for (unsigned int at = 0; at < n; at += psns) {
		const struct capture_frame *f = table[at];
		uint32_t flags = f ? f->pkt.flags : 0;

		if (flags & (CAIRN_OPF_READ | CAIRN_OPF_ATOMIC)) {
			struct capt_msg *msg = add_message(qp, f, 0);

			msg->op = op_of(f);
			msg->last = f;
			msg->len = flags & CAIRN_OPF_ATOMIC
					   ? 8
					   : (uint32_t)cairn_pkt_get(capt_ext(&f->packet),
								     CAIRN_RETH_LENGTH);
			psns = capt_psns(qp, &f->packet);
		} else {
			psns = add_stream(qp, table + at, n - at);
		}
		qp->msg[qp->msgs - 1].psn = model_psn_add(qp->sq_psn, at);
	}
}

static void add_datagrams(struct capt_qp *qp)
{
	struct capt *c = qp->c;

	for (unsigned int i = 0; i < c->n_frames; i++) {
		const struct capture_frame *f = &c->frames[i];
		struct capt_msg *msg;

		if (capt_qp_of(c, f) != qp || !capt_is_out(c, f))
			continue;
		msg = add_message(qp, f, f->pkt.psn);
		msg->op = op_of(f);
		msg->last = f;
		msg->len = capture_payload(&f->packet);
	}
}

/* The QP's part of the session's memory, where no byte is right yet. */
static void take_memory(struct capt_qp *qp)
{
	const struct capt_msg *end = &qp->msg[qp->msgs - 1];
	uint32_t bytes = end->offset + end->len;
	struct capt *c = qp->c;

	qp->send_at = c->send_used;
	c->send_used = (c->send_used + bytes + 63) & ~63u;
	assert_true(c->send_used <= CAPT_ARENA_BYTES);
	memset(c->session->send->data + qp->send_at, 0xc3, bytes);
	rdma_buf_forget(c->session->send, qp->send_at, bytes);
}

/* Payload of SEND and WRITE, in memory and in what it shall be. */
static void fill(struct capt_qp *qp)
{
	struct capt *c = qp->c;

	for (unsigned int i = 0; i < c->n_frames; i++) {
		const struct capture_frame *f = &c->frames[i];
		const struct capt_msg *msg = qp->msg;
		uint32_t at, len;

		if (capt_qp_of(c, f) != qp || !capt_is_out(c, f) || capt_is_response(f) ||
		    !(f->pkt.flags & (CAIRN_OPF_SEND | CAIRN_OPF_WRITE)))
			continue;
		while (msg + 1 < qp->msg + qp->msgs &&
		       model_psn_diff(f->pkt.psn, msg[1].psn) >= 0)
			msg++;
		len = capture_payload(&f->packet);
		at = qp->send_at + msg->offset +
		     (uint32_t)model_psn_diff(f->pkt.psn, msg->psn) * qp->pmtu;
		memcpy(c->session->send->data + at, capt_payload(&f->packet), len);
		rdma_buf_forget(c->session->send, at, len);
	}
}

void capt_messages(struct capt_qp *qp)
{
	if (!qp->sends)
		return;
	if (qp->transport == CAIRN_TRANSPORT_UD)
		add_datagrams(qp);
	else
		add_streams(qp);
	take_memory(qp);
	fill(qp);
}

/* ---------------------------------------------------------------- work requests */

/* Immediate or key: the last extension header. */
static uint32_t extra(const struct capt_msg *msg)
{
	const uint8_t *at = capt_payload(&msg->last->packet) - CAIRN_IMMDT_BYTES;
	uint32_t imm = 0;

	if (msg->last->pkt.flags & CAIRN_OPF_INV)
		return (uint32_t)cairn_pkt_get(at, CAIRN_IETH_RKEY);
	if (msg->last->pkt.flags & CAIRN_OPF_IMM)
		memcpy(&imm, at, sizeof(imm));
	return imm;
}

static struct cairn_sge local(const struct capt_qp *qp, const struct capt_msg *msg)
{
	return rdma_sge(qp->c->session->send, qp->send_at + msg->offset, msg->len);
}

static void post_plain(struct capt_qp *qp, const struct capt_msg *msg)
{
	const uint8_t *ext = msg->first ? capt_ext(&msg->first->packet) : NULL;
	struct rdma_wr wr = { .op = msg->op, .imm = extra(msg) };

	wr.solicited = cairn_pkt_get(msg->last->packet.bytes, CAIRN_BTH_SE);
	if (msg->len) {
		wr.num_sge = 1;
		wr.sge[0] = local(qp, msg);
	}
	if (ext && msg->first->pkt.flags & (CAIRN_OPF_WRITE | CAIRN_OPF_READ)) {
		wr.raddr = cairn_pkt_get(ext, CAIRN_RETH_VA);
		wr.rkey = (uint32_t)cairn_pkt_get(ext, CAIRN_RETH_RKEY);
	}
	if (ext && msg->first->pkt.flags & CAIRN_OPF_ATOMIC) {
		wr.raddr = cairn_pkt_get(ext, CAIRN_ATOMICETH_VA);
		wr.rkey = (uint32_t)cairn_pkt_get(ext, CAIRN_ATOMICETH_RKEY);
		wr.swap_add = cairn_pkt_get(ext, CAIRN_ATOMICETH_SWAP_ADD);
		wr.compare = cairn_pkt_get(ext, CAIRN_ATOMICETH_COMPARE);
	}
	rdma_write_wqe(qp->rtl, &wr, msg->len,
		       cairn_wqe_blocks(qp->rtl->cfg.type, wr.num_sge, 0));
}

static void post_datagram(struct capt_qp *qp, const struct capt_msg *msg)
{
	const struct capture_frame *f = msg->first;
	struct cairn_ah_attr attr = { .sgid_index = qp->gid_index,
				      .hop_limit = 64,
				      .tclass = qp->tos,
				      .sl = qp->tci >> 13,
				      .dmac = qp->c->peer_mac };
	struct cairn_qp *hw = qp->rtl->qp;
	struct cairn_wqe_ud *wqe = (void *)cairn_sq_block(hw, hw->sq_pi);
	uint32_t blocks = 1 + !!msg->len;
	struct cairn_ah *ah;

	memcpy(attr.dgid, f->packet.dst, 16);
	rdma_ok(qp->c->r, cairn_create_ah(qp->c->r->nic[0].pd, &attr, &ah), "address handle");
	*wqe = ah->av;
	cairn_destroy_ah(ah);
	wqe->ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, msg->op) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_SIGNALED, 1) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_SOLICITED,
			      cairn_pkt_get(f->packet.bytes, CAIRN_BTH_SE)) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, !!msg->len) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, blocks);
	wqe->imm = extra(msg);
	wqe->length = msg->len;
	wqe->check = cairn_sq_check(hw, hw->sq_pi);
	wqe->dqpn_sgid |= (uint32_t)CAIRN_PUT(CAIRN_WQE_UD_DQPN_SGID_DQPN, f->pkt.qp);
	wqe->qkey = (uint32_t)cairn_pkt_get(capt_ext(&f->packet), CAIRN_DETH_QKEY);
	if (msg->len) {
		struct cairn_sge sge = local(qp, msg);

		memset(cairn_sq_block(hw, hw->sq_pi + 1), 0, CAIRN_SQ_BLOCK_BYTES);
		memcpy(cairn_sq_block(hw, hw->sq_pi + 1), &sge, sizeof(sge));
	}
	hw->sq_pi += blocks;
}

void capt_post(struct capt_qp *qp)
{
	for (unsigned int i = 0; i < qp->msgs; i++) {
		const struct capt_msg *msg = &qp->msg[i];

		if (qp->transport == CAIRN_TRANSPORT_UD)
			post_datagram(qp, msg);
		else
			post_plain(qp, msg);
	}
	if (qp->msgs)
		cairn_sq_ring(qp->rtl->qp);
}
