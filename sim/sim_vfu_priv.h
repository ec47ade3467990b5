/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfio-user server, internal: the state shared by the sim_vfu*.c files (messages: vfu_proto.h):
 *   sim_vfu.c       sockets, who is served, what happens when a client goes
 *   sim_vfu_conn.c  one connection: messages in pieces in, replies out
 *   sim_vfu_msg.c   the commands
 *   sim_vfu_irq.c   SET_IRQS and eventfds
 *   sim_vfu_dma.c   DMA_READ and DMA_WRITE to the client
 *   sim_vfu_log.c   messages, wall time
 */
#ifndef CAIRN_SIM_VFU_PRIV_H
#define CAIRN_SIM_VFU_PRIV_H

#include <assert.h>
#include <linux/vfio.h>

#include "cairn_hw.h"
#include "sim_vfu.h"
#include "bus/vfu_proto.h"

static_assert(sizeof(struct vfio_region_info) == 32, "protocol layout");
static_assert(sizeof(struct vfio_irq_info) == 16, "protocol layout");

#define VFU_MAX_XFER	(1u << 20)	/* data of one message */
#define VFU_MAX_PAYLOAD	(VFU_MAX_XFER + 64)
#define VFU_MAX_FDS	32
#define VFU_MAX_ACCESS	4096		/* one BAR access */
#define VFU_MAX_READS	16		/* BAR reads not answered yet */
#define VFU_MAX_BACKLOG	4096		/* BAR accesses queued before reading on */
#define VFU_MAX_OUT	(8u << 20)	/* a client that reads no replies is dropped at this */
#define VFU_DMA_PIECE	65536u		/* larger answers are cut by some clients' sockets */
#define VFU_MAX_REFUSED	4
#define VFU_HELLO_MS	5000		/* to send VERSION */

/* One message being received, and what waits to be sent. */
struct vfu_conn {
	int fd;			/* -1: none */
	struct vfu_header head;
	uint32_t head_n, body_n;
	uint8_t *body;
	uint32_t body_cap;
	int fds[VFU_MAX_FDS];
	unsigned int n_fds;
	bool fds_lost;		/* more than fit */
	uint8_t *out;
	size_t out_n, out_cap;
	bool broken;		/* an error on the socket, or too much unread */
};

/* A BAR read on its way. */
struct vfu_read {
	struct sim_pcie_read r;
	struct sim_vfu *v;
	bool used, no_reply;
	uint16_t id;
	struct {
		struct vfu_region_rw rw;
		uint8_t data[VFU_MAX_ACCESS];
	} reply;
};

/* Who came while the device was taken, or may not come at all: read its first message, say why. */
struct vfu_refused {
	int fd, error;
	uint32_t n, size;
	uint8_t head[sizeof(struct vfu_header)];
	uint64_t deadline;
};

enum vfu_state {
	VFU_FREE,
	VFU_CLIENT,
	VFU_RESETTING,		/* the last client is gone, its reset not finished */
};

struct sim_vfu {
	struct sim_vfu_cfg cfg;
	char *name, *path;
	const char *shown;
	int listener;
	enum vfu_state state;
	struct vfu_conn conn;
	struct vfu_refused refused[VFU_MAX_REFUSED];
	bool hello;			/* VERSION was exchanged */
	uint64_t hello_deadline, accept_pause;	/* ms */
	struct vfu_read reads[VFU_MAX_READS];
	unsigned int n_reads;
	bool resetting;			/* a RESET waits for its end */
	uint16_t reset_id;
	uint32_t reset_flags;
	int irq_fd[CAIRN_MSIX_VECTORS];
	struct {
		struct sim_mem_io *head, **tail;
		uint32_t pos, now;	/* of the first one's piece: done, and in the message */
		bool sent;
		uint16_t id;
		uint64_t deadline;	/* ms */
		uint32_t piece_max;
	} dma;
	struct sim_vfu_stats stats;
};

/* sim_vfu_log.c */
void vfu_log(struct sim_vfu *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint64_t vfu_now_ms(void);

/* sim_vfu_conn.c */
void vfu_conn_init(struct vfu_conn *c);
/* Closes the socket, descriptors received and not taken, and frees the buffers. */
void vfu_conn_close(struct vfu_conn *c);
/*
 * A whole message (1), not yet (0), -EPIPE at the end, -EMSGSIZE for a size that cannot be,
 * -ENOMEM.
 */
int vfu_conn_receive(struct vfu_conn *c);
/* Done with it: close what was not taken. */
void vfu_conn_next(struct vfu_conn *c);
void vfu_conn_close_fds(struct vfu_conn *c);
void vfu_conn_send(struct vfu_conn *c, const struct vfu_header *h, const void *body, size_t n,
		   const void *more, size_t more_n);
/* Push out what waits. Returns true if bytes went. */
bool vfu_conn_flush(struct vfu_conn *c);

/* sim_vfu_msg.c: handle the message in v->conn.  0, or -errno: drop the client. */
int vfu_handle(struct sim_vfu *v);
/* May the next message be read, or would it have to wait? */
bool vfu_may_read(const struct sim_vfu *v);
void vfu_cancel_reads(struct sim_vfu *v);

/* sim_vfu_irq.c */
int vfu_set_irqs(struct sim_vfu *v, const uint8_t *body, uint32_t len);
void vfu_irq_close(struct sim_vfu *v);
void vfu_irq_fire(void *arg, unsigned int vector);

/* sim_vfu_dma.c */
void vfu_dma_init(struct sim_vfu *v);
void vfu_dma_start(void *arg, struct sim_mem_io *io, uint64_t iova, void *buf, uint32_t len);
int vfu_dma_reply(struct sim_vfu *v, const uint8_t *body, uint32_t len);
/* No answer will come: everything waiting fails. */
bool vfu_dma_fail(struct sim_vfu *v);

#endif
