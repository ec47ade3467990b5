// SPDX-License-Identifier: Apache-2.0
/* See fake_server.h. */
#define _GNU_SOURCE
#include "fake_server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

struct head {
	uint16_t id, cmd;
	uint32_t size, flags, error;
};

struct server_dma {
	bool write, sent, done;
	uint64_t iova, len;
	uint8_t *data;
	int result;
};

struct message {
	struct head head;
	uint8_t body[65536];
	uint32_t len;
	int fds[16];
	unsigned int n_fds;
};

struct server server;
char server_dir[32], server_socket[64];

static bool read_n(int fd, void *data, size_t len)
{
	for (uint8_t *p = data; len;) {
		ssize_t n = read(fd, p, len);

		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

static bool read_message(int sock, struct message *m)
{
	char control[CMSG_SPACE(16 * sizeof(int))];
	struct iovec iov = { &m->head, sizeof(m->head) };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *c;

	m->n_fds = 0;
	if (recvmsg(sock, &msg, MSG_WAITALL) != sizeof(m->head))
		return false;
	c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_type == SCM_RIGHTS) {
		m->n_fds = (unsigned int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
		memcpy(m->fds, CMSG_DATA(c), m->n_fds * sizeof(int));
	}
	m->len = m->head.size - (uint32_t)sizeof(m->head);
	if (m->head.size < sizeof(m->head) || m->len > sizeof(m->body)) {
		server.bad++;
		return false;
	}
	return read_n(sock, m->body, m->len);
}

static void send_all(int sock, const struct head *head, const void *body, size_t len)
{
	struct iovec iov[2] = { { (void *)head, sizeof(*head) }, { (void *)body, len } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };

	sendmsg(sock, &msg, MSG_NOSIGNAL);
}

static void reply(const struct message *m, int err, const void *body, size_t len)
{
	struct head head = m->head;

	if (head.flags & 0x10)
		return;
	head.flags = err ? 0x21 : 1;
	head.error = (uint32_t)-err;
	head.size = (uint32_t)(sizeof(head) + (err ? 0 : len));
	send_all(server.sock, &head, body, err ? 0 : len);
}

/* ---------------------------------------------------------------- requests */

static void version(const struct message *m)
{
	static const char answer[] = "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":8}}";

	if (m->len < 6 || m->body[m->len - 1])
		server.bad++;
	reply(m, 0, answer, sizeof(answer));
}

/* What a server can do with the descriptor is no more than with the mapping. */
static void look_at_file(int fd, uint64_t size)
{
	char link[32], target[64] = "";
	struct stat st;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, target, sizeof(target) - 1) < 0 || strncmp(target, "/memfd:cairn", 12) ||
	    fstat(fd, &st) || (uint64_t)st.st_size != size)
		server.wide_maps++;
}

static void dma_map(struct message *m)
{
	struct {
		uint32_t argsz, flags;
		uint64_t offset, iova, size;
	} map;
	struct cairn_dma_map to = { .fd = -1 };
	int err;

	memcpy(&map, m->body, sizeof(map));
	if (m->len != 32 || map.argsz != 32 || m->n_fds > 1 || map.flags & ~3u)
		server.bad++;
	to.iova = map.iova;
	to.len = map.size;
	to.perm = map.flags & 3;
	if (!m->n_fds) {
		if (map.offset) /* an address is nothing that a server needs to know */
			server.bad++;
		server.message_maps++;
	} else {
		to.fd = 0;
		to.va = mmap(NULL, map.size, PROT_READ | PROT_WRITE, MAP_SHARED, m->fds[0],
			     (off_t)map.offset);
		if (to.va == MAP_FAILED)
			server.bad++;
		server.fd_maps++;
		look_at_file(m->fds[0], map.size);
	}
	err = fake_bus_ops.dma_map(&server.fake->bus, &to);
	reply(m, err, NULL, 0);
}

static void forget_map(uint64_t iova)
{
	struct fake *f = server.fake;

	for (unsigned int i = 0; i < f->n_maps; i++)
		if (f->maps[i].iova == iova && f->maps[i].has_fd)
			munmap(f->maps[i].va, f->maps[i].len);
}

static void dma_unmap(const struct message *m)
{
	struct {
		uint32_t argsz, flags;
		uint64_t iova, size;
	} map;

	memcpy(&map, m->body, sizeof(map));
	forget_map(map.iova);
	fake_bus_ops.dma_unmap(&server.fake->bus, map.iova, map.size);
	reply(m, 0, m->body, 24);
}

static void region_info(const struct message *m)
{
	struct {
		uint32_t argsz, flags, index, cap;
		uint64_t size, offset;
	} info;

	memcpy(&info, m->body, sizeof(info));
	if (m->len != 32 || info.argsz < 32)
		server.bad++;
	info.flags = 3;
	info.size = info.index == 0	? CAIRN_BAR0_BYTES
		    : server.bar2_bytes ? server.bar2_bytes
					: 1 << 20;
	reply(m, 0, &info, sizeof(info));
}

static void set_irqs(struct message *m)
{
	struct {
		uint32_t argsz, flags, index, start, count;
	} set;
	struct fake *f = server.fake;

	memcpy(&set, m->body, sizeof(set));
	if (m->len != 20 || set.index != 2 || set.count != m->n_fds ||
	    set.flags != (set.count ? 0x24 : 0x21) || set.count > 8) {
		server.bad++;
	} else if (!set.count) {
		for (unsigned int i = 0; i < f->n_irqs; i++)
			close(f->irqs[i]);
		fake_bus_ops.set_irqs(&f->bus, NULL, 0);
	} else {
		pthread_mutex_lock(&f->lock);
		memcpy(f->irqs + set.start, m->fds, set.count * sizeof(int));
		f->n_irqs = set.start + set.count;
		pthread_mutex_unlock(&f->lock);
		m->n_fds = 0; /* kept */
	}
	reply(m, 0, NULL, 0);
}

static void region_access(const struct message *m, bool write)
{
	struct {
		uint64_t offset;
		uint32_t region, count;
	} rw;
	struct cairn_bus *bus = &server.fake->bus;
	uint8_t answer[16 + 8] = { 0 };
	uint64_t value = 0;

	memcpy(&rw, m->body, sizeof(rw));
	if (m->len != sizeof(rw) + (write ? rw.count : 0) ||
	    (rw.count > 8 && (rw.region != 2 || rw.count != 64))) {
		server.bad++;
		reply(m, -EINVAL, NULL, 0);
		return;
	}
	if (write && rw.count <= 8)
		memcpy(&value, m->body + 16, rw.count);
	if (rw.region == 7 && write)
		fake_bus_ops.cfg_write(bus, (uint32_t)rw.offset, &value, rw.count);
	else if (rw.region == 7)
		fake_bus_ops.cfg_read(bus, (uint32_t)rw.offset, &value, rw.count);
	else if (rw.region == 2 && write && rw.count == 64)
		fake_bus_ops.push(bus, (uint32_t)rw.offset, m->body + 16);
	else if (rw.region == 2 && write && rw.count == 8)
		fake_bus_ops.doorbell(bus, (uint32_t)rw.offset, value);
	else if (rw.region == 0 && write && rw.count == 8)
		fake_bus_ops.write64(bus, (uint32_t)rw.offset, value);
	else if (rw.region == 0 && write && rw.count == 4)
		fake_bus_ops.write32(bus, (uint32_t)rw.offset, (uint32_t)value);
	else if (rw.region == 0 && !write && rw.count == 8)
		fake_bus_ops.read64(bus, (uint32_t)rw.offset, &value);
	else if (rw.region == 0 && !write && rw.count == 4)
		fake_bus_ops.read32(bus, (uint32_t)rw.offset, (uint32_t *)&value);
	else
		server.bad++;
	memcpy(answer, &rw, sizeof(rw));
	memcpy(answer + 16, &value, 8);
	reply(m, 0, answer, write ? 16 : 16 + rw.count);
}

/* ---------------------------------------------------------------- DMA by message */

static void dma_answer(const struct message *m)
{
	struct server_dma *dma = server.dma;

	pthread_mutex_lock(&server.lock);
	if (!dma || !dma->sent || m->head.cmd != (dma->write ? 12 : 11)) {
		server.bad++;
	} else {
		if (m->head.flags & 0x20)
			dma->result = -(int)m->head.error;
		else if (m->len != 16 + (dma->write ? 0 : dma->len))
			dma->result = -EPROTO;
		else if (!dma->write)
			memcpy(dma->data, m->body + 16, dma->len);
		dma->done = true;
		server.dma = NULL;
		pthread_cond_signal(&server.done);
	}
	pthread_mutex_unlock(&server.lock);
}

static void dma_send(void)
{
	uint8_t body[65536];
	struct head head = { .id = 0x7777 };
	struct server_dma *dma;

	pthread_mutex_lock(&server.lock);
	dma = server.dma;
	if (dma && !dma->sent) {
		head.cmd = dma->write ? 12 : 11;
		head.size = (uint32_t)(sizeof(head) + 16 + (dma->write ? dma->len : 0));
		memcpy(body, &dma->iova, 8);
		memcpy(body + 8, &dma->len, 8);
		if (dma->write)
			memcpy(body + 16, dma->data, dma->len);
		dma->sent = true;
		send_all(server.sock, &head, body, head.size - sizeof(head));
	}
	pthread_mutex_unlock(&server.lock);
}

static int dma(bool write, uint64_t iova, void *data, uint64_t len)
{
	struct server_dma dma = { .write = write, .iova = iova, .len = len, .data = data };

	pthread_mutex_lock(&server.lock);
	server.dma = &dma;
	while (!dma.done)
		pthread_cond_wait(&server.done, &server.lock);
	pthread_mutex_unlock(&server.lock);
	return dma.result;
}

int server_dma_read(uint64_t iova, void *data, uint64_t len)
{
	return dma(false, iova, data, len);
}

int server_dma_write(uint64_t iova, const void *data, uint64_t len)
{
	return dma(true, iova, (void *)data, len);
}

/* ---------------------------------------------------------------- faults */

/* True when the message is dealt with. */
static bool misbehave(const struct message *m)
{
	struct head head = m->head;
	uint8_t body[64] = { 0 };

	if (m->head.flags & 0x10 && server.fault > SERVER_STALLS)
		return false; /* there is no reply to spoil */
	if (server.fault_at == FAKE_NEVER || server.fault_at-- != 0)
		return false;
	server.fault_at = FAKE_NEVER;
	head.flags = 1;
	head.size = sizeof(head);
	switch (server.fault) {
	case SERVER_DIES:
		server.dead = true;
		return true;
	case SERVER_STALLS:
		server.stalled = true;
		return true;
	case SERVER_SENDS_NONSENSE:
		head.id ^= 0x4000;
		break;
	case SERVER_SENDS_HUGE:
		head.size = 0x7fffffff;
		break;
	case SERVER_SENDS_SHORT:
		break;
	case SERVER_SENDS_LONG:
		head.size += 40;
		send_all(server.sock, &head, body, 40);
		return true;
	case SERVER_SAYS_NO:
		head.flags = 0x21;
		head.error = EPERM;
		break;
	}
	send_all(server.sock, &head, NULL, 0);
	return true;
}

static void handle(struct message *m)
{
	server.messages++;
	if (m->head.flags & 1) {
		dma_answer(m);
		return;
	}
	if (misbehave(m))
		return;
	switch (m->head.cmd) {
	case 1:
		version(m);
		break;
	case 2:
		dma_map(m);
		break;
	case 3:
		dma_unmap(m);
		break;
	case 5:
		region_info(m);
		break;
	case 8:
		set_irqs(m);
		break;
	case 9:
	case 10:
		region_access(m, m->head.cmd == 10);
		break;
	case 13:
		fake_bus_ops.reset(&server.fake->bus);
		reply(m, 0, NULL, 0);
		break;
	default:
		server.bad++;
		reply(m, -ENOTSUP, NULL, 0);
	}
}

/* ---------------------------------------------------------------- clients */

static void client_begins(int sock)
{
	struct cairn_bus_opts opts = { 0 };
	struct cairn_bus *bus;

	server.sock = sock;
	server.stalled = server.dead = false;
	server.clients++;
	fake_bus_ops.open("fake:1", &opts, &bus);
	fake_bus_ops.reset(bus);
	bus->iova_max = UINT64_MAX;
}

static void client_ends(void)
{
	struct fake *f = server.fake;

	close(server.sock);
	server.sock = -1;
	fake_bus_ops.reset(&f->bus);
	while (f->n_maps) {
		forget_map(f->maps[0].iova);
		fake_bus_ops.dma_unmap(&f->bus, f->maps[0].iova, f->maps[0].len);
	}
	for (unsigned int i = 0; i < f->n_irqs; i++)
		close(f->irqs[i]);
	f->n_irqs = 0;
	fake_bus_ops.close(&f->bus);
}

static void turn_away(int sock)
{
	struct message m;
	int ours = server.sock;

	server.refused++;
	if (read_message(sock, &m)) {
		server.sock = sock;
		reply(&m, -EBUSY, NULL, 0);
		server.sock = ours;
	}
	close(sock);
}

static void *serve(void *arg)
{
	unsigned int turn = 0;
	struct message m;

	(void)arg;
	while (!atomic_load(&server.stop)) {
		struct pollfd fds[2] = { { server.listener, POLLIN, 0 },
					 { server.sock, POLLIN, 0 } };

		poll(fds, server.sock < 0 ? 1 : 2,
		     server.fake->n_pending && !server.stalled ? 0 : 1);
		if (fds[0].revents) {
			int sock = accept(server.listener, NULL, NULL);

			if (server.sock < 0)
				client_begins(sock);
			else
				turn_away(sock);
			continue;
		}
		if (server.sock < 0)
			continue;
		if (server.dead) { /* whatever else has been sent is lost */
			client_ends();
			continue;
		}
		if (server.stalled) {
			if (fds[1].revents & POLLHUP)
				client_ends();
			continue;
		}
		/* Also under a flood of doorbells commands are executed. */
		if (!fds[1].revents || ++turn % 16 == 0) {
			fake_bus_ops.relax(&server.fake->bus, 0);
			dma_send();
		} else if (!read_message(server.sock, &m)) {
			client_ends();
		} else {
			handle(&m);
			for (unsigned int i = 0; i < m.n_fds; i++)
				close(m.fds[i]);
		}
	}
	if (server.sock >= 0)
		client_ends();
	return NULL;
}

void server_drop_client(void)
{
	shutdown(server.sock, SHUT_RDWR);
}

void server_start(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	snprintf(server_dir, sizeof(server_dir), "/tmp/cairn-test-%d", (int)getpid());
	snprintf(server_socket, sizeof(server_socket), "%s/nic.sock", server_dir);
	if (mkdir(server_dir, 0700) && errno != EEXIST)
		perror(server_dir);
	strcpy(addr.sun_path, server_socket);
	memset(&server, 0, sizeof(server));
	server.fake = &fakes[1];
	server.sock = -1;
	server.fault_at = FAKE_NEVER;
	pthread_mutex_init(&server.lock, NULL);
	pthread_cond_init(&server.done, NULL);
	unlink(server_socket);
	server.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(server.listener, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(server.listener, 4))
		perror(server_socket);
	pthread_create(&server.thread, NULL, serve, NULL);
}

void server_stop(void)
{
	atomic_store(&server.stop, true);
	pthread_join(server.thread, NULL);
	close(server.listener);
	unlink(server_socket);
	rmdir(server_dir);
	pthread_mutex_destroy(&server.lock);
	pthread_cond_destroy(&server.done);
}
