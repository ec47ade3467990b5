/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One vfio-user connection: requests with replies, requests without, and the server's own requests
 * for DMA.  A thread owns the receiving side; any thread may send.  When the server is gone,
 * everything outstanding fails with -ENODEV and on_loss is called once, from the receiving thread.
 */
#ifndef CAIRN_VFU_CONN_H
#define CAIRN_VFU_CONN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "vfu_proto.h"

/*
 * Longest message of ours.  One that fits a single socket buffer (32 KiB) is queued by the kernel
 * in one piece, so that senders need no lock between them; larger ones could interleave.
 */
#define VFU_MAX_DATA 16384u

struct vfu_call;

struct vfu_conn {
	int sock;
	char *path;
	pthread_t receiver;
	pthread_mutex_t lock;	/* calls */
	struct vfu_call *calls; /* waiting for their replies */
	atomic_uint next_id;
	atomic_bool lost, quiet; /* quiet: being opened or closed, a loss is not told */
	unsigned int timeout_ms;
	uint8_t *buffer; /* the receiver's */
	/* DMA by message: 0 or -errno. */
	int (*dma_read)(void *arg, uint64_t iova, void *data, size_t len);
	int (*dma_write)(void *arg, uint64_t iova, const void *data, size_t len);
	void (*on_loss)(void *arg);
	void *arg;
};

/* Fill path, timeout, callbacks before.  0 or -errno with a message; -EBUSY: another client has the
 * device. */
int cairn_vfu_open(struct vfu_conn *conn);
void cairn_vfu_close(struct vfu_conn *conn);

/*
 * Send a request of n parts (n <= 3) with descriptors, wait for its reply of at most out_len bytes.
 * Returns the bytes of the reply's payload, or -errno: the server's, -ETIMEDOUT turned into loss
 * (-ENODEV), -EPROTO.
 */
int cairn_vfu_call(struct vfu_conn *conn, uint16_t command, const struct iovec *parts, int n,
		   const int *fds, int n_fds, void *out, size_t out_len);
/* Send without reply: one system call, no lock. */
int cairn_vfu_post(struct vfu_conn *conn, uint16_t command, const struct iovec *parts, int n);

#endif
