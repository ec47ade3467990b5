/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfio-user server: one connection.  A message may arrive in any pieces; descriptors ride on the
 * first byte of their message, so the header is received by itself and never together with bytes of
 * the next message.  Nothing blocks: what the socket does not take waits in a buffer.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim_vfu_priv.h"

#define CONTROL_FDS 253		/* the most that the kernel passes in one message */

void vfu_conn_init(struct vfu_conn *c)
{
	memset(c, 0, sizeof(*c));
	c->fd = -1;
}

void vfu_conn_close_fds(struct vfu_conn *c)
{
	for (unsigned int i = 0; i < c->n_fds; i++)
		if (c->fds[i] >= 0)
			close(c->fds[i]);
	c->n_fds = 0;
	c->fds_lost = false;
}

void vfu_conn_close(struct vfu_conn *c)
{
	vfu_conn_close_fds(c);
	if (c->fd >= 0)
		close(c->fd);
	free(c->body);
	free(c->out);
	vfu_conn_init(c);
}

static void take_fds(struct vfu_conn *c, struct msghdr *m)
{
	if (m->msg_flags & MSG_CTRUNC)
		c->fds_lost = true;
	for (struct cmsghdr *cm = CMSG_FIRSTHDR(m); cm; cm = CMSG_NXTHDR(m, cm)) {
		size_t n = (cm->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		int fd;

		if (cm->cmsg_level != SOL_SOCKET || cm->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			memcpy(&fd, CMSG_DATA(cm) + i * sizeof(int), sizeof(int));
			if (c->n_fds < VFU_MAX_FDS) {
				c->fds[c->n_fds++] = fd;
			} else {
				close(fd);
				c->fds_lost = true;
			}
		}
	}
}

/* Up to `len` bytes of the stream: > 0, 0 nothing there, -EPIPE the end. */
static int receive(struct vfu_conn *c, void *buf, size_t len)
{
	union {
		char room[CMSG_SPACE(CONTROL_FDS * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec io = { buf, len };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.room,
			    .msg_controllen = sizeof(control.room) };
	ssize_t n;

	do
		n = recvmsg(c->fd, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (n <= 0)
		return -EPIPE;
	take_fds(c, &m);
	return (int)n;
}

static int body_room(struct vfu_conn *c, uint32_t want)
{
	uint8_t *body;

	if (want <= c->body_cap)
		return 0;
	want = want < 4096 ? 4096 : want;
	body = realloc(c->body, want);
	if (!body)
		return -ENOMEM;
	c->body = body;
	c->body_cap = want;
	return 0;
}

int vfu_conn_receive(struct vfu_conn *c)
{
	uint32_t want;
	int n;

	while (c->head_n < sizeof(c->head)) {
		n = receive(c, (uint8_t *)&c->head + c->head_n, sizeof(c->head) - c->head_n);
		if (n <= 0)
			return n;
		c->head_n += (uint32_t)n;
	}
	if (c->head.size < sizeof(c->head) || c->head.size - sizeof(c->head) > VFU_MAX_PAYLOAD)
		return -EMSGSIZE;
	want = c->head.size - (uint32_t)sizeof(c->head);
	n = body_room(c, want);
	if (n)
		return n;
	while (c->body_n < want) {
		n = receive(c, c->body + c->body_n, want - c->body_n);
		if (n <= 0)
			return n;
		c->body_n += (uint32_t)n;
	}
	return 1;
}

void vfu_conn_next(struct vfu_conn *c)
{
	vfu_conn_close_fds(c);
	c->head_n = 0;
	c->body_n = 0;
}

/* Sends at once what the socket takes; >= 0 bytes, -1 broken. */
static ssize_t push(int fd, struct iovec *io, size_t n_io)
{
	struct msghdr m = { .msg_iov = io, .msg_iovlen = n_io };
	ssize_t n;

	do
		n = sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	return n;
}

static void keep(struct vfu_conn *c, const struct iovec *io, size_t n_io, size_t skip)
{
	for (size_t i = 0; i < n_io; i++) {
		size_t n = io[i].iov_len;
		const uint8_t *from = io[i].iov_base;

		if (skip >= n) {
			skip -= n;
			continue;
		}
		from += skip;
		n -= skip;
		skip = 0;
		if (c->out_n + n > c->out_cap) {
			size_t cap = (c->out_n + n) * 2;
			uint8_t *out = cap > VFU_MAX_OUT ? NULL : realloc(c->out, cap);

			if (!out) {
				c->broken = true;
				return;
			}
			c->out = out;
			c->out_cap = cap;
		}
		memcpy(c->out + c->out_n, from, n);
		c->out_n += n;
	}
}

void vfu_conn_send(struct vfu_conn *c, const struct vfu_header *h, const void *body, size_t n,
		   const void *more, size_t more_n)
{
	struct vfu_header head = *h;
	struct iovec io[3] = { { &head, sizeof(head) } };
	size_t n_io = 1;
	ssize_t sent = 0;

	head.size = (uint32_t)(sizeof(head) + n + more_n);
	if (n)
		io[n_io++] = (struct iovec){ (void *)(uintptr_t)body, n };
	if (more_n)
		io[n_io++] = (struct iovec){ (void *)(uintptr_t)more, more_n };
	if (c->fd < 0 || c->broken)
		return;
	if (!c->out_n)
		sent = push(c->fd, io, n_io);
	if (sent < 0)
		c->broken = true;
	else if ((size_t)sent < head.size)
		keep(c, io, n_io, (size_t)sent);
}

bool vfu_conn_flush(struct vfu_conn *c)
{
	struct iovec io = { c->out, c->out_n };
	ssize_t n;

	if (!c->out_n || c->broken)
		return false;
	n = push(c->fd, &io, 1);
	if (n < 0)
		c->broken = true;
	if (n <= 0)
		return false;
	c->out_n -= (size_t)n;
	memmove(c->out, c->out + n, c->out_n);
	return true;
}
