/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfio-user server: memory that came without a descriptor is reached by asking the client.  One
 * message is out at a time, the rest waits in order.  Requests of the client that arrive meanwhile
 * are served: it may be unable to answer before it has its own reply.
 */
#include <errno.h>
#include <string.h>

#include "sim_vfu_priv.h"

/* Ids of the two sides never meet, but a reader of traces is helped by the high bit. */
#define ID_BIT 0x8000

void vfu_dma_init(struct sim_vfu *v)
{
	memset(&v->dma, 0, sizeof(v->dma));
	v->dma.tail = &v->dma.head;
	v->dma.piece_max = VFU_DMA_PIECE;
}

static uint64_t piece_iova(const struct sim_mem_io *io)
{
	return io->iova + io->pos;
}

static uint8_t *piece_buf(const struct sim_mem_io *io)
{
	return (uint8_t *)io->buf + io->pos;
}

static void send_next(struct sim_vfu *v)
{
	struct sim_mem_io *io = v->dma.head;
	struct vfu_header h = { .cmd = VFU_DMA_READ };
	struct vfu_dma_rw rw;
	uint32_t left;

	if (!io || v->dma.sent || v->state != VFU_CLIENT)
		return;
	left = io->step - v->dma.pos;
	v->dma.now = left < v->dma.piece_max ? left : v->dma.piece_max;
	v->dma.id = (uint16_t)((v->dma.id + 1) | ID_BIT);
	v->dma.sent = true;
	v->dma.deadline = vfu_now_ms() + v->cfg.dma_timeout_ms;
	h.id = v->dma.id;
	h.cmd = io->write ? VFU_DMA_WRITE : VFU_DMA_READ;
	rw.iova = piece_iova(io) + v->dma.pos;
	rw.count = v->dma.now;
	vfu_conn_send(&v->conn, &h, &rw, sizeof(rw), piece_buf(io) + v->dma.pos,
		      io->write ? v->dma.now : 0);
	v->stats.dma_messages++;
	if (v->cfg.verbose)
		vfu_log(v, "> %s 0x%llx + 0x%llx", io->write ? "DMA_WRITE" : "DMA_READ",
			(unsigned long long)rw.iova, (unsigned long long)rw.count);
}

/* Called by sim_mem; piece as io->pos and io->step say. */
void vfu_dma_start(void *arg, struct sim_mem_io *io, uint64_t iova, void *buf, uint32_t len)
{
	struct sim_vfu *v = arg;

	(void)iova;
	(void)buf;
	(void)len;
	io->next = NULL;
	*v->dma.tail = io;
	v->dma.tail = &io->next;
	send_next(v);
}

static struct sim_mem_io *pop(struct sim_vfu *v)
{
	struct sim_mem_io *io = v->dma.head;

	v->dma.head = io->next;
	if (!v->dma.head)
		v->dma.tail = &v->dma.head;
	v->dma.pos = 0;
	v->dma.sent = false;
	return io;
}

/* 0; -EPROTO: no such request, or an answer of the wrong shape. */
int vfu_dma_reply(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	const struct vfu_header *h = &v->conn.head;
	struct sim_mem_io *io = v->dma.head;
	struct vfu_dma_rw rw;
	int status = 0;

	if (!io || !v->dma.sent || h->id != v->dma.id ||
	    h->cmd != (io->write ? VFU_DMA_WRITE : VFU_DMA_READ)) {
		vfu_log(v, "reply that nobody waits for (command %u, id %u): ignored", h->cmd,
			h->id);
		return 0;
	}
	if (h->flags & VFU_ERROR) {
		status = -EFAULT;
	} else if (io->write && !len) {
		;	/* older clients answer a write with nothing */
	} else {
		if (len < sizeof(rw))
			return -EPROTO;
		memcpy(&rw, body, sizeof(rw));
		if (rw.iova != piece_iova(io) + v->dma.pos || rw.count != v->dma.now ||
		    len != sizeof(rw) + (io->write ? 0 : v->dma.now))
			return -EPROTO;
		if (!io->write)
			memcpy(piece_buf(io) + v->dma.pos, body + sizeof(rw), v->dma.now);
	}
	v->dma.sent = false;
	v->dma.pos += v->dma.now;
	if (status || v->dma.pos >= io->step)
		sim_mem_io_complete(pop(v), status);
	send_next(v);
	return 0;
}

bool vfu_dma_fail(struct sim_vfu *v)
{
	struct sim_mem_io *list = v->dma.head;
	bool any = list;

	vfu_dma_init(v);
	while (list) {
		struct sim_mem_io *io = list;

		list = io->next;
		sim_mem_io_complete(io, -EIO);
	}
	return any;
}
