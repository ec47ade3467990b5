// SPDX-License-Identifier: Apache-2.0
/*
 * Send work requests into the ring: one builder an operation, used by ibv_post_send() (post.c) and
 * by the ibv_wr_*() calls (ex.c) alike.  A WQE is built in its place; sq_pi moves past it when it
 * is finished, so that one that went wrong leaves no trace.  Payload (elements or inline bytes)
 * follows the header and may run over the end of the ring from block to block; both divide 64
 * bytes, so nothing but inline data is ever cut.
 */
#include <stddef.h>
#include <string.h>

#include "provider.h"
#include "queue.h"

#define FLAGS (IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED | IBV_SEND_INLINE)
#define ATOMIC_BYTES 8u
#define UD_QKEY_OWN 0x80000000u /* a Q_Key with this bit stands for the QP's own (10.2.5) */
/* Inline bytes of a single block that leave its last quadword to the doorbell. */
#define PUSH_INLINE 24u
/* Ring at least this often; a doorbell may not be 2^15 blocks ahead of the one before. */
#define RING_AFTER (1u << (CAIRN_MAX_RING_LOG2 - 1))

/* Where the payload of a WQE starts. */
#define DATA_OFFSET ((uint32_t)offsetof(struct cairn_wqe, sge0_addr))
#define DATA_OFFSET_ATOMIC ((uint32_t)offsetof(struct cairn_wqe_atomic, sge0_addr))
#define DATA_OFFSET_UD ((uint32_t)sizeof(struct cairn_wqe_ud))

static void *at_offset(const struct qp *qp, uint32_t offset)
{
	uint8_t *block =
		(uint8_t *)cairn_sq_block(qp->hw, qp->hw->sq_pi + offset / CAIRN_SQ_BLOCK_BYTES);

	return block + offset % CAIRN_SQ_BLOCK_BYTES;
}

void wr_begin(struct qp *qp)
{
	qp->build = (struct build){ .start = qp->hw->sq_pi };
	if (lat_watched(qp->watch))
		lat_posting(qp);
}

void wr_next(struct qp *qp, uint64_t wr_id, unsigned int flags)
{
	struct build *b = &qp->build;
	uint32_t used = qp->hw->sq_pi - atomic_load_explicit(&qp->sq_tail, memory_order_acquire);

	if (b->error)
		return;
	if (used + qp->max_blocks > qp->sq_mask + 1) {
		b->error = ENOMEM;
		return;
	}
	if (flags & ~(unsigned int)FLAGS) {
		b->error = EINVAL;
		return;
	}
	b->wr_id = wr_id;
	b->ctrl = (uint32_t)(CAIRN_PUT(CAIRN_WQE_CTRL_SIGNALED,
				       qp->sq_sig_all || flags & IBV_SEND_SIGNALED) |
			     CAIRN_PUT(CAIRN_WQE_CTRL_SOLICITED, !!(flags & IBV_SEND_SOLICITED)) |
			     CAIRN_PUT(CAIRN_WQE_CTRL_FENCE, !!(flags & IBV_SEND_FENCE)));
	b->length = 0;
	b->sges = 0;
	b->addressed = false;
}

/* The first block, its header zero but for what is put there; NULL when there is an error. */
static struct cairn_wqe *open_wqe(struct qp *qp, uint32_t op, uint32_t data_offset)
{
	struct build *b = &qp->build;
	struct cairn_wqe *wqe = cairn_sq_block(qp->hw, qp->hw->sq_pi);

	if (!b->error && !(qp->ops >> op & 1))
		b->error = EINVAL;
	if (b->error)
		return NULL;
	b->open = true;
	b->ctrl |= (uint32_t)CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, op);
	b->offset = qp->ud ? DATA_OFFSET_UD : data_offset;
	b->max_sges = qp->cap.max_send_sge;
	b->inline_data = cairn_wqe_info[op].marks & CAIRN_WQE_MARK_INLINE;
	memset(wqe, 0, b->offset);
	return wqe;
}

static struct cairn_wqe_local *open_local(struct qp *qp, uint32_t op)
{
	struct cairn_wqe_local *wqe = (void *)open_wqe(qp, op, sizeof(*wqe));

	qp->build.max_sges = 0;
	return wqe;
}

void wr_send(struct qp *qp, uint32_t op, uint32_t imm_or_key)
{
	struct cairn_wqe *wqe = open_wqe(qp, op, DATA_OFFSET);

	if (wqe)
		wqe->imm = imm_or_key;
}

void wr_rdma(struct qp *qp, uint32_t op, uint64_t raddr, uint32_t rkey, uint32_t imm)
{
	struct cairn_wqe *wqe = open_wqe(qp, op, DATA_OFFSET);

	if (!wqe)
		return;
	wqe->imm = imm;
	wqe->raddr = raddr;
	wqe->rkey = rkey;
}

void wr_atomic(struct qp *qp, uint32_t op, uint64_t raddr, uint32_t rkey, uint64_t swap_add,
	       uint64_t compare)
{
	struct cairn_wqe_atomic *wqe = (void *)open_wqe(qp, op, DATA_OFFSET_ATOMIC);

	if (!wqe)
		return;
	qp->build.max_sges = 1;
	wqe->raddr = raddr;
	wqe->rkey = rkey;
	wqe->swap_add = swap_add;
	wqe->compare = compare;
}

void wr_local_inv(struct qp *qp, uint32_t key)
{
	struct cairn_wqe_local *wqe = open_local(qp, CAIRN_WQE_OP_LOCAL_INV);

	if (wqe)
		wqe->key = key;
}

/* LOCAL_WRITE says nothing of a window, and programs pass it as they do for regions. */
void wr_bind_mw(struct qp *qp, struct ibv_mw *mw, uint32_t rkey,
		const struct ibv_mw_bind_info *info)
{
	struct cairn_wqe_local *wqe = open_local(qp, CAIRN_WQE_OP_BIND_MW);

	if (!wqe)
		return;
	if (mw->pd != qp->ibv.pd || (rkey ^ mw->rkey) >> 8 ||
	    (info->length && (!info->mr || info->mr->pd != mw->pd))) {
		qp->build.error = EINVAL;
		return;
	}
	atomic_store_explicit(&((struct mw *)mw)->tag, (uint8_t)rkey, memory_order_relaxed);
	wqe->key = rkey;
	wqe->addr = info->addr;
	wqe->length = info->length;
	wqe->mr_key = info->mr ? info->mr->lkey : 0;
	wqe->access = info->mw_access_flags & CAIRN_MAX(CAIRN_MPT_FLAGS_ACCESS) &
		      ~(uint32_t)IBV_ACCESS_LOCAL_WRITE;
}

void wr_ud_address(struct qp *qp, const struct ibv_ah *ibv, uint32_t qpn, uint32_t qkey)
{
	const struct cairn_wqe_ud *av;
	struct build *b = &qp->build;
	struct cairn_wqe_ud *wqe;

	if (!b->open || b->error)
		return;
	if (!ibv || ibv->pd != qp->ibv.pd || !qp->ud) {
		b->error = EINVAL;
		return;
	}
	av = &((const struct ah *)ibv)->hw->av;
	wqe = (void *)cairn_sq_block(qp->hw, qp->hw->sq_pi);
	wqe->dmac_sport = av->dmac_sport;
	wqe->dqpn_sgid = av->dqpn_sgid | (uint32_t)CAIRN_PUT(CAIRN_WQE_UD_DQPN_SGID_DQPN, qpn);
	wqe->qkey = qkey & UD_QKEY_OWN ? qp->qkey : qkey;
	memcpy(wqe->dgid, av->dgid, sizeof(wqe->dgid));
	wqe->flow_tclass = av->flow_tclass;
	wqe->hop_sl = av->hop_sl;
	b->addressed = true;
}

static void add_length(struct qp *qp, uint64_t length)
{
	struct build *b = &qp->build;

	if (b->length + length > qp->nic->caps.max_msg)
		b->error = EINVAL;
	else
		b->length += (uint32_t)length;
}

void wr_sge(struct qp *qp, uint64_t addr, uint32_t lkey, uint32_t length)
{
	struct build *b = &qp->build;
	struct cairn_sge *sge;

	if (!b->open || b->error)
		return;
	if (b->sges == b->max_sges || b->ctrl & CAIRN_WQE_CTRL_INLINE) {
		b->error = EINVAL;
		return;
	}
	sge = at_offset(qp, b->offset);
	sge->addr = addr;
	sge->lkey = lkey;
	sge->length = length;
	b->offset += sizeof(*sge);
	b->sges++;
	add_length(qp, length);
}

void wr_inline(struct qp *qp, const void *data, size_t length)
{
	struct build *b = &qp->build;
	const uint8_t *from = data;

	if (!b->open || b->error)
		return;
	if (b->sges || !b->inline_data || length > qp->cap.max_inline_data - b->length) {
		b->error = EINVAL;
		return;
	}
	b->ctrl |= (uint32_t)CAIRN_PUT(CAIRN_WQE_CTRL_INLINE, 1);
	b->length += (uint32_t)length;
	while (length) {
		size_t room = CAIRN_SQ_BLOCK_BYTES - b->offset % CAIRN_SQ_BLOCK_BYTES;
		size_t piece = length < room ? length : room;

		memcpy(at_offset(qp, b->offset), from, piece);
		b->offset += (uint32_t)piece;
		from += piece;
		length -= piece;
	}
}

static const uint8_t wc_opcodes[CAIRN_WQE_OPS] = {
	[CAIRN_WQE_OP_SEND] = IBV_WC_SEND,
	[CAIRN_WQE_OP_SEND_IMM] = IBV_WC_SEND,
	[CAIRN_WQE_OP_SEND_INV] = IBV_WC_SEND,
	[CAIRN_WQE_OP_WRITE] = IBV_WC_RDMA_WRITE,
	[CAIRN_WQE_OP_WRITE_IMM] = IBV_WC_RDMA_WRITE,
	[CAIRN_WQE_OP_READ] = IBV_WC_RDMA_READ,
	[CAIRN_WQE_OP_ATOMIC_CS] = IBV_WC_COMP_SWAP,
	[CAIRN_WQE_OP_ATOMIC_FA] = IBV_WC_FETCH_ADD,
	[CAIRN_WQE_OP_LOCAL_INV] = IBV_WC_LOCAL_INV,
	[CAIRN_WQE_OP_BIND_MW] = IBV_WC_BIND_MW,
};

/* Can the device be handed the block itself?  Its bytes 56 to 63 must be free. */
static bool pushable(const struct qp *qp, uint32_t op, uint32_t blocks)
{
	const struct build *b = &qp->build;
	bool small = b->ctrl & CAIRN_WQE_CTRL_INLINE ? b->length <= PUSH_INLINE : b->sges <= 1;

	return blocks == 1 && small && !qp->ud && cairn_wqe_info[op].marks & CAIRN_WQE_MARK_PUSH;
}

/* What the operation cannot do without is there. */
static bool complete(const struct qp *qp, uint32_t op)
{
	const struct build *b = &qp->build;

	if (cairn_wqe_info[op].kind == CAIRN_WQE_KIND_ATOMIC)
		return b->sges == 1 && b->length == ATOMIC_BYTES;
	return !qp->ud || b->addressed;
}

void wr_finish(struct qp *qp)
{
	struct build *b = &qp->build;
	struct cairn_wqe *wqe = cairn_sq_block(qp->hw, qp->hw->sq_pi);
	uint32_t op = CAIRN_GET(b->ctrl, CAIRN_WQE_CTRL_OPCODE);
	uint32_t blocks = (b->offset + CAIRN_SQ_BLOCK_BYTES - 1) / CAIRN_SQ_BLOCK_BYTES;
	struct sq_slot *slot;

	if (b->open && !b->error && !complete(qp, op))
		b->error = EINVAL;
	if (!b->open || b->error) {
		b->open = false;
		return;
	}
	b->open = false;
	b->ctrl |= (uint32_t)(CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, b->sges) |
			      CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, blocks));
	wqe->ctrl = b->ctrl;
	wqe->length = b->length;
	wqe->check = cairn_sq_check(qp->hw, qp->hw->sq_pi);
	slot = &qp->sq[qp->hw->sq_pi & qp->sq_mask];
	slot->wr_id = b->wr_id;
	slot->word = b->posted | (uint64_t)wc_opcodes[op] << 48 | (uint64_t)blocks << 56;
	b->pushable = pushable(qp, op, blocks);
	b->count++;
	qp->hw->sq_pi += blocks;
	if (!b->middle_set && qp->hw->sq_pi - b->start >= RING_AFTER) {
		b->middle = qp->hw->sq_pi;
		b->middle_set = true;
	}
}

void wr_commit(struct qp *qp)
{
	struct build *b = &qp->build;

	if (!b->count)
		return;
	if (b->middle_set)
		cairn_db_ring(qp->hw->db, CAIRN_DB_SQ, cairn_db_word(qp->ibv.qp_num, b->middle));
	if (b->count == 1 && b->pushable && qp->push)
		cairn_sq_push(qp->hw);
	else if (!b->middle_set || b->middle != qp->hw->sq_pi)
		cairn_sq_ring(qp->hw);
}

void wr_drop(struct qp *qp)
{
	qp->hw->sq_pi = qp->build.start;
}
