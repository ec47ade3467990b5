// SPDX-License-Identifier: Apache-2.0
/* The vfio-user connection; see vfu_conn.h. */
#define _GNU_SOURCE
#include "vfu_conn.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"
#include "trust.h"

#define MAX_PARTS 3
#define MAX_FDS 16
/* No message of a server is longer: region data and DMA data are bounded by VFU_MAX_DATA. */
#define BUFFER_BYTES (sizeof(struct vfu_header) + 64 + VFU_MAX_DATA)

/* The owner before us may be gone already, and the server not know it yet. */
#define BUSY_TRIES 10
#define BUSY_PAUSE_NS 25000000

struct vfu_call {
	struct vfu_call *next;
	uint16_t id, command;
	void *out;
	size_t out_len;
	int result; /* bytes, or -errno */
	bool done;
	pthread_cond_t cond;
};

/* ---------------------------------------------------------------- loss */

/* Nothing more will come: fail all that wait.  Also ends the receiver, by shutting the socket. */
static void lose(struct vfu_conn *conn)
{
	if (atomic_exchange(&conn->lost, true))
		return;
	shutdown(conn->sock, SHUT_RDWR);
	pthread_mutex_lock(&conn->lock);
	for (struct vfu_call *call = conn->calls; call; call = call->next) {
		if (call->done)
			continue; /* answered, and not awake yet */
		call->done = true;
		call->result = -ENODEV;
		pthread_cond_signal(&call->cond);
	}
	pthread_mutex_unlock(&conn->lock);
}

/* ---------------------------------------------------------------- sending */

static int send_message(struct vfu_conn *conn, struct vfu_header *head, const struct iovec *parts,
			int n, const int *fds, int n_fds)
{
	char control[CMSG_SPACE(MAX_FDS * sizeof(int))] = { 0 };
	struct iovec iov[MAX_PARTS + 1] = { { head, sizeof(*head) } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 1 + (size_t)n };
	ssize_t sent;
	UNCANCELLED;

	head->size = sizeof(*head);
	for (int i = 0; i < n; i++) {
		iov[i + 1] = parts[i];
		head->size += (uint32_t)parts[i].iov_len;
	}
	if (n_fds) {
		struct cmsghdr *cmsg;

		msg.msg_control = control;
		msg.msg_controllen = CMSG_SPACE((size_t)n_fds * sizeof(int));
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN((size_t)n_fds * sizeof(int));
		memcpy(CMSG_DATA(cmsg), fds, (size_t)n_fds * sizeof(int));
	}
	if (atomic_load_explicit(&conn->lost, memory_order_relaxed))
		return -ENODEV;
	do
		sent = sendmsg(conn->sock, &msg, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	if (sent == (ssize_t)head->size)
		return 0;
	lose(conn); /* closed, or it reads nothing any more: the stream cannot be trusted */
	return -ENODEV;
}

int cairn_vfu_post(struct vfu_conn *conn, uint16_t command, const struct iovec *parts, int n)
{
	struct vfu_header head = {
		.id = (uint16_t)atomic_fetch_add_explicit(&conn->next_id, 1, memory_order_relaxed),
		.cmd = command,
		.flags = VFU_TYPE_COMMAND | VFU_NO_REPLY,
	};

	return send_message(conn, &head, parts, n, NULL, 0);
}

/* ---------------------------------------------------------------- requests */

static void unlink_call(struct vfu_conn *conn, struct vfu_call *call)
{
	struct vfu_call **link;

	for (link = &conn->calls; *link && *link != call; link = &(*link)->next)
		;
	if (*link)
		*link = call->next;
}

/* Called and left with the lock held; false at the timeout. */
static bool wait_reply(struct vfu_conn *conn, struct vfu_call *call)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += conn->timeout_ms / 1000;
	until.tv_nsec += (long)(conn->timeout_ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	while (!call->done)
		if (pthread_cond_timedwait(&call->cond, &conn->lock, &until))
			return call->done;
	return true;
}

int cairn_vfu_call(struct vfu_conn *conn, uint16_t command, const struct iovec *parts, int n,
		   const int *fds, int n_fds, void *out, size_t out_len)
{
	struct vfu_header head = { .cmd = command, .flags = VFU_TYPE_COMMAND };
	struct vfu_call call = { .command = command, .out = out, .out_len = out_len };
	pthread_condattr_t attr;
	bool answered = true;
	int err;
	UNCANCELLED; /* `call` is on the stack and in the list */

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&call.cond, &attr);
	pthread_condattr_destroy(&attr);
	head.id = call.id =
		(uint16_t)atomic_fetch_add_explicit(&conn->next_id, 1, memory_order_relaxed);

	pthread_mutex_lock(&conn->lock);
	call.next = conn->calls;
	conn->calls = &call;
	pthread_mutex_unlock(&conn->lock);
	err = send_message(conn, &head, parts, n, fds, n_fds);
	pthread_mutex_lock(&conn->lock);
	if (!err)
		answered = wait_reply(conn, &call);
	unlink_call(conn, &call);
	pthread_mutex_unlock(&conn->lock);
	pthread_cond_destroy(&call.cond);
	if (err)
		return err;
	if (!answered) {
		lose(conn);
		return cairn_fail(
			-ENODEV,
			"%s: the simulator does not answer (%u ms, vfio-user command %u); is it "
			"stopped or overloaded?  CAIRN_TIMEOUT_MS changes the limit",
			conn->path, conn->timeout_ms, command);
	}
	return call.result;
}

/* ---------------------------------------------------------------- the receiving thread */

static bool read_all(struct vfu_conn *conn, void *data, size_t len)
{
	for (uint8_t *p = data; len;) {
		ssize_t n = recv(conn->sock, p, len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

/* The payload of a reply goes to the caller that asked. */
static bool take_reply(struct vfu_conn *conn, const struct vfu_header *head, const uint8_t *data,
		       size_t len)
{
	struct vfu_call *call;

	pthread_mutex_lock(&conn->lock);
	for (call = conn->calls; call && (call->id != head->id || call->done); call = call->next)
		;
	if (call && call->command == head->cmd) {
		if (head->flags & VFU_ERROR)
			call->result = head->error && head->error < 4096 ? -(int)head->error : -EIO;
		else if (len > call->out_len)
			call->result = -EPROTO;
		else
			call->result = (int)len;
		if (call->result > 0)
			memcpy(call->out, data, len);
		call->done = true;
		pthread_cond_signal(&call->cond);
	}
	pthread_mutex_unlock(&conn->lock);
	return call != NULL;
}

/* A server that has no descriptor for some memory asks for its contents, or sends new ones. */
static bool serve_dma(struct vfu_conn *conn, const struct vfu_header *asked, uint8_t *data,
		      size_t len)
{
	struct vfu_header head = { .id = asked->id, .cmd = asked->cmd, .flags = VFU_TYPE_REPLY };
	struct vfu_dma_rw rw;
	uint8_t answer[VFU_MAX_DATA];
	struct iovec parts[2] = { { &rw, sizeof(rw) }, { answer, 0 } };
	bool read = asked->cmd == VFU_DMA_READ;
	int err = -EINVAL;

	if (len >= sizeof(rw)) {
		memcpy(&rw, data, sizeof(rw));
		if (read && len == sizeof(rw) && rw.count <= VFU_MAX_DATA)
			err = conn->dma_read(conn->arg, rw.iova, answer, rw.count);
		else if (!read && rw.count == len - sizeof(rw))
			err = conn->dma_write(conn->arg, rw.iova, data + sizeof(rw), rw.count);
	}
	if (asked->flags & VFU_NO_REPLY)
		return true;
	if (err) {
		head.flags |= VFU_ERROR;
		head.error = (uint32_t)-err;
		return !send_message(conn, &head, NULL, 0, NULL, 0);
	}
	parts[1].iov_len = read ? rw.count : 0;
	return !send_message(conn, &head, parts, read ? 2 : 1, NULL, 0);
}

/* One message; false when the connection is useless from here on. */
static bool receive(struct vfu_conn *conn)
{
	struct vfu_header head;
	size_t len;

	if (!read_all(conn, &head, sizeof(head)))
		return false;
	len = head.size - sizeof(head);
	if (head.size < sizeof(head) || head.size > BUFFER_BYTES ||
	    !read_all(conn, conn->buffer, len))
		return false;
	if ((head.flags & VFU_TYPE_MASK) == VFU_TYPE_REPLY)
		return take_reply(conn, &head, conn->buffer, len);
	if (head.cmd == VFU_DMA_READ || head.cmd == VFU_DMA_WRITE)
		return serve_dma(conn, &head, conn->buffer, len);
	return false;
}

static void *receiver(void *arg)
{
	struct vfu_conn *conn = arg;

	while (receive(conn))
		;
	lose(conn);
	if (!atomic_load(&conn->quiet))
		conn->on_loss(conn->arg);
	return NULL;
}

/* ---------------------------------------------------------------- opening */

/* The socket is reached through its directory, which others cannot get into.  *dir: to be closed
 * by the caller. */
static int find_socket(const char *path, int *dir, struct sockaddr_un *addr)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char parent[PATH_MAX] = ".", why[256];
	struct stat st;

	*dir = -1;
	if (strlen(name) > sizeof(addr->sun_path) - sizeof("/proc/self/fd/1234567/") ||
	    (size_t)(name - path) >= sizeof(parent))
		return cairn_fail(-ENAMETOOLONG, "%s: longer than a socket's path may be", path);
	if (slash)
		memcpy(parent, path, (size_t)(name - path));
	*dir = trust_open_dir(parent, TRUST_PRIVATE, why, sizeof(why));
	if (*dir < 0 && *dir != -ENOENT)
		return cairn_fail(*dir, "%s: %s", path, why);
	errno = ENOENT;
	if (*dir < 0 || fstatat(*dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return cairn_fail(-errno, "%s: %s; is the simulator running (`cairn sim`)?", path,
				  strerror(errno));
	if (!S_ISSOCK(st.st_mode))
		return cairn_fail(-ENOTSOCK, "%s is no socket", path);
	trust_at(*dir, name, addr->sun_path, sizeof(addr->sun_path));
	return 0;
}

/* Before the first byte: everything that this process maps is theirs to read and write. */
static int check_server(struct vfu_conn *conn)
{
	struct ucred who = { 0 };
	int err = trust_peer(conn->sock, &who);

	if (err == -EPERM)
		return cairn_fail(err,
				  "%s: its simulator (process %d) is run by user %u; only one of user "
				  "%u or root gets at this process' memory",
				  conn->path, (int)who.pid, who.uid, geteuid());
	return err ? cairn_fail(err, "%s: who serves it is not known: %s", conn->path,
				strerror(-err))
		   : 0;
}

static int connect_to(struct vfu_conn *conn)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct timeval limit = { conn->timeout_ms / 1000, (long)(conn->timeout_ms % 1000) * 1000 };
	int dir, err = find_socket(conn->path, &dir, &addr);

	if (err)
		goto out;
	conn->sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (conn->sock < 0) {
		err = cairn_fail(-errno, "no socket: %s; raise the limit on open files",
				 strerror(errno));
		goto out;
	}
	/* A full socket buffer means a server that reads nothing: give up on it as on a missing
	 * reply. */
	setsockopt(conn->sock, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (connect(conn->sock, (struct sockaddr *)&addr, sizeof(addr)))
		err = cairn_fail(-errno, "%s: %s; is the simulator running (`cairn sim`)?",
				 conn->path, strerror(errno));
	else
		err = check_server(conn);
	if (err)
		close(conn->sock);
out:
	if (dir >= 0)
		close(dir);
	return err;
}

static int start_receiver(struct vfu_conn *conn)
{
	sigset_t all, old;
	int err;

	sigfillset(&all); /* the application's signals are for its own threads */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&conn->receiver, NULL, receiver, conn);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err ? cairn_fail(-err, "no thread for the connection: %s", strerror(err)) : 0;
}

static int negotiate(struct vfu_conn *conn)
{
	static const char json[] =
		"{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":16384,"
		"\"pgsizes\":4096,\"max_dma_maps\":65535}}";
	struct vfu_version version = { 0, 0 };
	struct iovec parts[] = { { &version, sizeof(version) }, { (void *)json, sizeof(json) } };
	union {
		struct vfu_version version;
		char bytes[1024];
	} answer;
	int n = cairn_vfu_call(conn, VFU_VERSION, parts, 2, NULL, 0, &answer, sizeof(answer));

	if (n == -EBUSY)
		return n;
	if (n == -ENODEV)
		return cairn_fail(n, "%s: the simulator closed the connection", conn->path);
	if (n == -EPERM)
		return cairn_fail(n,
				  "%s: the simulator is run by another user, and serves its own and "
				  "root only", conn->path);
	if (n < 0)
		return cairn_fail(n, "%s: the simulator refuses the connection: %s", conn->path,
				  strerror(-n));
	if ((size_t)n < sizeof(answer.version) || answer.version.major != 0)
		return cairn_fail(-EPROTO, "%s: speaks another version of vfio-user", conn->path);
	return 0;
}

static int try_open(struct vfu_conn *conn)
{
	int err;

	atomic_store(&conn->lost, false);
	atomic_store(&conn->quiet, true);
	err = connect_to(conn);
	if (err)
		return err;
	conn->buffer = malloc(BUFFER_BYTES);
	if (!conn->buffer) {
		close(conn->sock);
		return cairn_fail(-ENOMEM, "out of memory");
	}
	pthread_mutex_init(&conn->lock, NULL);
	err = start_receiver(conn);
	if (err) {
		pthread_mutex_destroy(&conn->lock);
		free(conn->buffer);
		close(conn->sock);
		return err;
	}
	err = negotiate(conn);
	if (!err) {
		atomic_store(&conn->quiet, false);
		if (atomic_load(&conn->lost)) /* perhaps while it was quiet */
			err = cairn_fail(-ENODEV, "%s: the simulator closed the connection",
					 conn->path);
	}
	if (err)
		cairn_vfu_close(conn);
	return err;
}

int cairn_vfu_open(struct vfu_conn *conn)
{
	const struct timespec pause = { .tv_nsec = BUSY_PAUSE_NS };
	int err = try_open(conn);

	for (int i = 0; err == -EBUSY && i < BUSY_TRIES; i++) {
		nanosleep(&pause, NULL);
		err = try_open(conn);
	}
	if (err == -EBUSY)
		cairn_fail(err, "%s: another process has this NIC open; a function has one owner",
			   conn->path);
	return err;
}

void cairn_vfu_close(struct vfu_conn *conn)
{
	atomic_store(&conn->quiet, true);
	shutdown(conn->sock, SHUT_RDWR);
	pthread_join(conn->receiver, NULL);
	close(conn->sock);
	free(conn->buffer);
	pthread_mutex_destroy(&conn->lock);
}
