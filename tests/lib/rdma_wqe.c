// SPDX-License-Identifier: Apache-2.0
/*
 * Work requests of transport tests as the device reads them: hw.def's STRUCTs wqe, wqe_atomic,
 * wqe_ud and wqe_local; see rdma.h.
 */
#include "rdma.h"

#include <string.h>

#define FIRST_BYTES 32u /* of elements or inline data in the first block */

struct rdma_wr rdma_wr(enum cairn_wqe_op op, const struct rdma_buf *local, size_t local_offset,
		       const struct rdma_buf *remote, size_t remote_offset, size_t len)
{
	struct rdma_wr wr = { .op = op };

	if (len) {
		wr.sge[0] = rdma_sge(local, local_offset, len);
		wr.num_sge = 1;
	}
	if (remote) {
		wr.raddr = remote->mr->va + remote_offset;
		wr.rkey = remote->mr->key;
	}
	return wr;
}

struct rdma_wr rdma_bind(const struct cairn_mw *mw, uint8_t tag, const struct rdma_buf *buf,
			 size_t offset, size_t len, uint32_t access)
{
	struct rdma_wr wr = { .op = CAIRN_WQE_OP_BIND_MW };

	wr.imm = (mw->key & ~0xffu) | tag;
	wr.raddr = buf->mr->va + offset;
	wr.local.length = len;
	wr.local.mr_key = buf->mr->key;
	wr.local.access = access;
	return wr;
}

struct rdma_wr rdma_reg(const struct rdma_buf *buf, uint8_t tag, size_t len, uint32_t access)
{
	struct rdma_wr wr = { .op = CAIRN_WQE_OP_REG_MR };

	wr.imm = (buf->mr->key & ~0xffu) | tag;
	wr.raddr = buf->mr->va;
	wr.local.length = len;
	wr.local.page_list = buf->mr->mtt_index;
	wr.local.access = access | buf->mr->page_log2 << 24;
	return wr;
}

struct rdma_wr rdma_inv(uint32_t key)
{
	return (struct rdma_wr){ .op = CAIRN_WQE_OP_LOCAL_INV, .imm = key };
}

struct rdma_wr rdma_through(struct rdma_wr wr, uint32_t key, uint64_t addr)
{
	wr.seen = (struct cairn_sge){ wr.raddr, wr.rkey, 0 };
	wr.rkey = key;
	wr.raddr = addr;
	return wr;
}

bool rdma_is_kind(uint32_t op, enum cairn_wqe_kind kind)
{
	return op < CAIRN_WQE_OPS && cairn_wqe_info[op].name && cairn_wqe_info[op].kind == kind;
}

bool rdma_has_mark(uint32_t op, enum cairn_wqe_mark mark)
{
	return op < CAIRN_WQE_OPS && cairn_wqe_info[op].marks & mark;
}

static void write_local(struct cairn_wqe_local *wqe, const struct rdma_wr *wr)
{
	wqe->length = wr->local.length;
	wqe->page_list = wr->local.page_list;
	wqe->mr_key = wr->local.mr_key;
	wqe->access = wr->local.access;
}

/* Byte `offset` of the elements or inline bytes of the WQE that starts at block `index`. */
static uint8_t *body(const struct cairn_qp *qp, uint32_t index, uint32_t offset)
{
	uint32_t at = offset + CAIRN_SQ_BLOCK_BYTES - FIRST_BYTES;

	return (uint8_t *)cairn_sq_block(qp, index + at / CAIRN_SQ_BLOCK_BYTES) +
	       at % CAIRN_SQ_BLOCK_BYTES;
}

static void write_av(struct cairn_wqe_ud *wqe, const struct rdma_av *av)
{
	wqe->dmac_sport = av->dmac | (uint64_t)av->sport << 48;
	wqe->dqpn_sgid = CAIRN_PUT(CAIRN_WQE_UD_DQPN_SGID_DQPN, av->dqpn) |
			 CAIRN_PUT(CAIRN_WQE_UD_DQPN_SGID_SGID_INDEX, av->sgid_index);
	wqe->qkey = av->qkey;
	wqe->hop_sl = CAIRN_PUT(CAIRN_WQE_UD_HOP_SL_HOP_LIMIT, 64);
	memcpy(wqe->dgid, av->dgid, sizeof(wqe->dgid));
}

/* Elements begin behind the operands of an atomic, behind the address of a datagram. */
static void write_body(const struct cairn_qp *qp, uint32_t index, const struct rdma_wr *wr, bool ud)
{
	uint32_t offset = ud ? FIRST_BYTES : rdma_is_kind(wr->op, CAIRN_WQE_KIND_ATOMIC) ? 16 : 0;

	for (unsigned int i = 0; i < wr->num_sge; i++) {
		const uint8_t *from = (const uint8_t *)(uintptr_t)wr->sge[i].addr;

		if (!wr->in_wqe) {
			memcpy(body(qp, index, offset + i * CAIRN_SGE_BYTES), &wr->sge[i],
			       CAIRN_SGE_BYTES);
			continue;
		}
		for (uint32_t b = 0; b < wr->sge[i].length; b++)
			*body(qp, index, offset++) = from[b];
	}
}

void rdma_write_wqe(struct rdma_qp *q, const struct rdma_wr *wr, uint32_t len, uint32_t blocks)
{
	struct cairn_qp *qp = q->qp;
	uint32_t index = qp->sq_pi;
	struct cairn_wqe *wqe = cairn_sq_block(qp, index);
	bool ud = q->cfg.type == CAIRN_QP_TYPE_UD || q->cfg.type == CAIRN_QP_TYPE_GSI;

	for (uint32_t b = 0; b < blocks; b++)
		memset(cairn_sq_block(qp, index + b), 0, CAIRN_SQ_BLOCK_BYTES);
	write_body(qp, index, wr, ud);
	if (rdma_is_kind(wr->op, CAIRN_WQE_KIND_ATOMIC)) {
		((struct cairn_wqe_atomic *)wqe)->swap_add = wr->swap_add;
		((struct cairn_wqe_atomic *)wqe)->compare = wr->compare;
	}
	wqe->ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, wr->op) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_SIGNALED, !wr->unsignaled) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_SOLICITED, wr->solicited) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_FENCE, wr->fence) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_INLINE, wr->in_wqe) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, wr->in_wqe ? 0 : wr->num_sge) |
		    CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, blocks);
	wqe->imm = wr->imm;
	wqe->length = len;
	wqe->raddr = wr->raddr;
	wqe->rkey = wr->rkey;
	if (ud)
		write_av((struct cairn_wqe_ud *)wqe, &wr->av);
	if (rdma_is_kind(wr->op, CAIRN_WQE_KIND_LOCAL))
		write_local((struct cairn_wqe_local *)wqe, wr);
	wqe->check = cairn_sq_check(qp, index);
	if (wr->spoil)
		wr->spoil(wqe);
	qp->sq_pi += blocks;
}
