/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfio-user server: the socket, which clients are served and which are turned away, and the end of
 * a client: its reads are forgotten, the function is reset, and only then its maps go, since until
 * then the core may still write.
 */
#include "sim_vfu.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim_vfu_priv.h"
#include "trust.h"

#define MESSAGES_A_TURN	256	/* then the other servers and the clock get theirs */
#define REFUSED_MS	2000
#define ACCEPT_PAUSE_MS	100

/* ---- the socket ---- */

/* 0 when the path is free now; a socket file without a server is removed. */
static int clear_path(struct sim_vfu *v, const struct sockaddr_un *sa)
{
	struct stat st;
	int fd, err;

	if (lstat(v->path, &st))
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(st.st_mode)) {
		vfu_log(v, "%s exists and is no socket: remove it or choose another run directory",
			v->shown);
		return -EEXIST;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	err = connect(fd, (const struct sockaddr *)sa, sizeof(*sa)) ? errno : 0;
	close(fd);
	if (err != ECONNREFUSED) {	/* also EAGAIN: its queue is full */
		vfu_log(v, "%s is served by another process: stop that one or choose another "
			"run directory", v->shown);
		return -EADDRINUSE;
	}
	return unlink(v->path) && errno != ENOENT ? -errno : 0;
}

static int start_listening(struct sim_vfu *v)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int err;

	if (strlen(v->path) >= sizeof(sa.sun_path)) {
		vfu_log(v, "socket path %s is longer than %zu bytes: choose another run directory",
			v->shown, sizeof(sa.sun_path) - 1);
		return -ENAMETOOLONG;
	}
	strcpy(sa.sun_path, v->path);
	err = clear_path(v, &sa);
	if (err)
		return err;
	v->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* The mode before listen(), up to which no client can connect; whatever the umask is. */
	if (v->listener < 0 || bind(v->listener, (struct sockaddr *)&sa, sizeof(sa)) ||
	    chmod(v->path, 0600) || listen(v->listener, 16)) {
		err = -errno;
		vfu_log(v, "cannot listen on %s: %s", v->shown, strerror(-err));
		return err;
	}
	return 0;
}

struct sim_vfu *sim_vfu_new(const struct sim_vfu_cfg *cfg)
{
	struct sim_vfu *v = calloc(1, sizeof(*v));
	int err;

	if (!v)
		return NULL;
	v->cfg = *cfg;
	if (!v->cfg.dma_timeout_ms)
		v->cfg.dma_timeout_ms = 10000;
	v->listener = -1;
	v->name = strdup(cfg->name);
	v->path = strdup(cfg->path);
	v->shown = cfg->shown ? cfg->shown : cfg->path; /* while it is set up */
	vfu_conn_init(&v->conn);
	vfu_dma_init(v);
	for (unsigned int i = 0; i < VFU_MAX_REFUSED; i++)
		v->refused[i].fd = -1;
	for (unsigned int i = 0; i < CAIRN_MSIX_VECTORS; i++)
		v->irq_fd[i] = -1;
	err = v->name && v->path ? start_listening(v) : -ENOMEM;
	if (err) {
		if (v->listener >= 0)
			close(v->listener);
		free(v->name);
		free(v->path);
		free(v);
		errno = -err;
		return NULL;
	}
	sim_pcie_set_irq(cfg->pcie, vfu_irq_fire, v);
	return v;
}

/* ---- the end of a client ---- */

static void cleaned_up(void *arg, int status)
{
	struct sim_vfu *v = arg;

	if (status)
		vfu_log(v, "the core did not finish its reset: %s", strerror(-status));
	sim_pcie_settle(v->cfg.pcie);
	sim_mem_clear(v->cfg.mem);
	sim_mem_set_rest(v->cfg.mem, NULL, NULL);
	v->state = VFU_FREE;
}

static void drop_client(struct sim_vfu *v, int err)
{
	if (err && err != -EPIPE) {
		v->stats.bad_clients++;
		vfu_log(v, "client dropped: %s", err == -EFAULT ?
			"memory that it handed over is gone (a file that became shorter, or no page left "
			"for it)" : strerror(-err));
	} else if (v->cfg.verbose) {
		vfu_log(v, "client gone");
	}
	vfu_conn_close(&v->conn);
	v->state = VFU_RESETTING;
	v->hello = false;
	v->resetting = false;
	vfu_cancel_reads(v);
	vfu_irq_close(v);
	vfu_dma_fail(v);
	sim_pcie_flr(v->cfg.pcie, cleaned_up, v);
}

void sim_vfu_free(struct sim_vfu *v)
{
	if (!v)
		return;
	vfu_conn_close(&v->conn);
	v->state = VFU_FREE;
	v->resetting = false;
	vfu_cancel_reads(v);
	vfu_irq_close(v);
	vfu_dma_fail(v);
	sim_pcie_set_irq(v->cfg.pcie, NULL, NULL);
	for (unsigned int i = 0; i < VFU_MAX_REFUSED; i++)
		if (v->refused[i].fd >= 0)
			close(v->refused[i].fd);
	unlink(v->path);
	close(v->listener);
	free(v->name);
	free(v->path);
	free(v);
}

/* ---- clients ---- */

static void refuse(struct sim_vfu *v, int fd, uint64_t now, int error)
{
	v->stats.refused++;
	for (unsigned int i = 0; i < VFU_MAX_REFUSED; i++)
		if (v->refused[i].fd < 0) {
			v->refused[i] = (struct vfu_refused){
				.fd = fd, .error = error, .deadline = now + REFUSED_MS,
			};
			return;
		}
	close(fd);	/* a crowd: no time for explanations */
}

/* The client has left, which will be found when its last messages have been read. */
static bool client_left(const struct sim_vfu *v)
{
	struct pollfd p = { .fd = v->conn.fd, .events = POLLRDHUP };

	return poll(&p, 1, 0) > 0 && p.revents & (POLLRDHUP | POLLHUP | POLLERR);
}

/* The file's mode and its directory's keep others out already; this does not depend on them. */
static bool may_come(struct sim_vfu *v, int fd)
{
	struct ucred who = { 0 };
	int err = trust_peer(fd, &who);

	if (err == -EPERM)
		vfu_log(v, "process %d of user %u refused: this simulator is for user %u and root",
			(int)who.pid, who.uid, geteuid());
	else if (err)
		vfu_log(v, "a client refused, who it is is not known: %s", strerror(-err));
	return !err;
}

static bool accept_all(struct sim_vfu *v, uint64_t now)
{
	bool any = false;

	if (now >= v->accept_pause)
		v->accept_pause = 0;
	while (v->state != VFU_RESETTING && !v->accept_pause) {
		int fd;

		/* who comes now is not refused for the sake of one who is gone */
		if (v->state == VFU_CLIENT && client_left(v))
			break;
		fd = accept4(v->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0) {
			if (errno == EAGAIN || errno == EWOULDBLOCK)
				break;
			if (errno == EINTR || errno == ECONNABORTED)
				continue;
			vfu_log(v, "accept: %s", strerror(errno));
			v->accept_pause = now + ACCEPT_PAUSE_MS;
			break;
		}
		any = true;
		if (!may_come(v, fd)) {
			refuse(v, fd, now, EPERM);
			continue;
		}
		if (v->state == VFU_CLIENT) {
			refuse(v, fd, now, EBUSY);
			continue;
		}
		v->state = VFU_CLIENT;
		v->conn.fd = fd;
		v->dma.piece_max = VFU_DMA_PIECE;
		v->hello_deadline = now + VFU_HELLO_MS;
		v->stats.clients++;
		if (v->cfg.verbose)
			vfu_log(v, "client connected");
	}
	return any;
}

/* Why, as the answer to its first message, which is read to the end. */
static void refused_answer(const struct vfu_refused *r)
{
	struct vfu_header h;

	memcpy(&h, r->head, sizeof(h));
	h.size = sizeof(h);
	h.flags = VFU_TYPE_REPLY | VFU_ERROR;
	h.error = (uint32_t)r->error;
	if (send(r->fd, &h, sizeof(h), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return;	/* it is being closed anyway */
}

static bool refused_service(struct vfu_refused *r, uint64_t now)
{
	uint8_t scrap[512];
	struct vfu_header h;
	ssize_t n;
	bool any = false;

	for (;;) {
		bool head = r->n < sizeof(r->head);
		size_t want = head ? sizeof(r->head) - r->n : r->size - r->n;

		if (!head && !want) {
			refused_answer(r);
			break;
		}
		n = recv(r->fd, head ? r->head + r->n : scrap,
			 want < sizeof(scrap) ? want : sizeof(scrap), MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && now < r->deadline)
			return any;
		if (n <= 0)
			break;
		any = true;
		r->n += (uint32_t)n;
		if (r->n != sizeof(r->head))
			continue;
		memcpy(&h, r->head, sizeof(h));
		r->size = h.size < sizeof(h) || h.size > VFU_MAX_PAYLOAD ? sizeof(h) : h.size;
	}
	close(r->fd);
	r->fd = -1;
	return true;
}

/* A size that cannot be: the stream has no next message. */
static void answer_bad_size(struct sim_vfu *v)
{
	struct vfu_header h = v->conn.head;

	h.flags = VFU_TYPE_REPLY | VFU_ERROR;
	h.error = EINVAL;
	v->stats.errors++;
	vfu_conn_send(&v->conn, &h, NULL, 0, NULL, 0);
}

static int client_messages(struct sim_vfu *v, bool *any)
{
	for (unsigned int i = 0; i < MESSAGES_A_TURN && vfu_may_read(v); i++) {
		int n = vfu_conn_receive(&v->conn);

		if (n == -EMSGSIZE)
			answer_bad_size(v);
		if (n <= 0)
			return n;
		*any = true;
		n = vfu_handle(v);
		vfu_conn_next(&v->conn);
		if (n)
			return n;
	}
	return 0;
}

static bool client_service(struct sim_vfu *v, uint64_t now)
{
	bool any = vfu_conn_flush(&v->conn);
	int err = client_messages(v, &any);

	if (!err && v->conn.broken)
		err = -EPIPE;
	if (!err && sim_mem_lost(v->cfg.mem))
		err = -EFAULT;
	if (!err && !v->hello && now >= v->hello_deadline)
		err = -ETIMEDOUT;
	if (!err && v->dma.sent && now >= v->dma.deadline)
		err = -ETIMEDOUT;
	if (err) {
		drop_client(v, err);
		any = true;
	}
	return any;
}

bool sim_vfu_service(struct sim_vfu *v)
{
	uint64_t now = vfu_now_ms();
	bool any = accept_all(v, now);

	for (unsigned int i = 0; i < VFU_MAX_REFUSED; i++)
		if (v->refused[i].fd >= 0)
			any |= refused_service(&v->refused[i], now);
	if (v->state == VFU_CLIENT)
		any |= client_service(v, now);
	else if (v->dma.head)	/* begun by the core before its reset was over */
		any |= vfu_dma_fail(v);
	return any;
}

/* ---- for the main loop ---- */

static unsigned int add(struct pollfd *fds, unsigned int n, unsigned int room, int fd, short events)
{
	if (fd < 0 || !events || n >= room)
		return n;
	fds[n] = (struct pollfd){ .fd = fd, .events = events };
	return n + 1;
}

unsigned int sim_vfu_pollfds(const struct sim_vfu *v, struct pollfd *fds, unsigned int room)
{
	unsigned int n = 0;

	if (v->state != VFU_RESETTING && !v->accept_pause)
		n = add(fds, n, room, v->listener, POLLIN);
	n = add(fds, n, room, v->conn.fd,
		(short)((vfu_may_read(v) ? POLLIN : 0) | (v->conn.out_n ? POLLOUT : 0)));
	for (unsigned int i = 0; i < VFU_MAX_REFUSED; i++)
		n = add(fds, n, room, v->refused[i].fd, POLLIN);
	return n;
}

int sim_vfu_timeout(const struct sim_vfu *v)
{
	uint64_t now = vfu_now_ms(), first = UINT64_MAX;

	if (v->state == VFU_CLIENT && !v->hello)
		first = v->hello_deadline;
	if (v->dma.sent && v->dma.deadline < first)
		first = v->dma.deadline;
	if (v->accept_pause && v->accept_pause < first)
		first = v->accept_pause;
	for (unsigned int i = 0; i < VFU_MAX_REFUSED; i++)
		if (v->refused[i].fd >= 0 && v->refused[i].deadline < first)
			first = v->refused[i].deadline;
	if (first == UINT64_MAX)
		return -1;
	return first <= now ? 0 : first - now > 60000 ? 60000 : (int)(first - now);
}

bool sim_vfu_listens(const struct sim_vfu *v)
{
	return v->state != VFU_CLIENT || vfu_may_read(v);
}

bool sim_vfu_busy(const struct sim_vfu *v)
{
	return v->state != VFU_FREE;
}

const struct sim_vfu_stats *sim_vfu_stats(const struct sim_vfu *v)
{
	return &v->stats;
}
