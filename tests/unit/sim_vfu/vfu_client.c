// SPDX-License-Identifier: Apache-2.0
/* A scripted vfio-user client; see vfu_client.h. */
#include "vfu_client.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

unsigned int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void on_log(void *arg, const char *text)
{
	struct bench *b = arg;
	size_t n = strlen(b->log);

	snprintf(b->log + n, sizeof(b->log) - n, "%s\n", text);
}

static void before_reset(void *arg, void (*done)(void *done_arg), void *done_arg)
{
	struct bench *b = arg;

	b->look_done = done;
	b->look_arg = done_arg;
	if (!b->looks)
		done(done_arg);
}

void bench_start(struct bench *b, enum bench_memory memory)
{
	struct sim_vfu_cfg cfg = { .name = "nic0",
				   .log = on_log,
				   .arg = b,
				   .before_reset = before_reset,
				   .before_arg = b,
				   .dma_timeout_ms = 200,
				   .messages = memory != BENCH_MAPPED,
				   .ask_all = memory == BENCH_ASK_ALL };

	memset(b, 0, sizeof(*b));
	b->fds_before = count_fds();
	b->c.fd = b->c2.fd = -1;
	b->f = fake_new(NULL, 64);
	b->f->auto_answer = true;
	strcpy(b->dir, "/tmp/cairn-vfu-XXXXXX");
	assert_non_null(mkdtemp(b->dir));
	snprintf(b->path, sizeof(b->path), "%s/nic0.sock", b->dir);
	cfg.path = b->path;
	cfg.pcie = b->f->p;
	cfg.mem = b->f->mem;
	b->v = sim_vfu_new(&cfg);
	assert_non_null(b->v);
	client_connect(b, &b->c);
	client_hello(b, &b->c);
}

void bench_stop(struct bench *b)
{
	client_close(&b->c);
	client_close(&b->c2);
	for (unsigned int i = 0; sim_vfu_busy(b->v) && i < 1000; i++)
		bench_run(b, 10);
	bcheck(b, !sim_vfu_busy(b->v));
	sim_vfu_free(b->v);
	bcheck(b, access(b->path, F_OK) != 0);
	bcheck(b, sim_pcie_violations(b->f->p) == 0);
	rmdir(b->dir);
	fake_free(b->f);
	free(b->client_ram);
	assert_int_equal(count_fds(), b->fds_before);
}

void bench_run(struct bench *b, unsigned int cycles)
{
	for (unsigned int i = 0; i < cycles; i++) {
		if (i % 16 == 0)
			sim_vfu_service(b->v);
		if (!sim_pcie_stalled(b->f->p) || !sim_vfu_listens(b->v))
			fake_cycle(b->f);
		b->f->in_n = b->f->in_n > MAX_TLPS / 2 ? 0 : b->f->in_n;
	}
	sim_vfu_service(b->v);
}

void client_connect(struct bench *b, struct client *c)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };

	strcpy(sa.sun_path, b->path);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(c->fd >= 0);
	assert_int_equal(connect(c->fd, (struct sockaddr *)&sa, sizeof(sa)), 0);
}

void client_close(struct client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

void client_bytes(struct client *c, const void *data, size_t n, const int *fds, unsigned int n_fds)
{
	union {
		char room[CMSG_SPACE(253 * sizeof(int))];
		struct cmsghdr align;
	} u;
	struct iovec io = { (void *)(uintptr_t)data, n };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1 };

	if (n_fds) {
		struct cmsghdr *cm = &u.align;

		memset(&u, 0, sizeof(u));
		m.msg_control = &u;
		m.msg_controllen = CMSG_SPACE(n_fds * sizeof(int));
		cm->cmsg_level = SOL_SOCKET;
		cm->cmsg_type = SCM_RIGHTS;
		cm->cmsg_len = CMSG_LEN(n_fds * sizeof(int));
		memcpy(CMSG_DATA(cm), fds, n_fds * sizeof(int));
	}
	/* the server may have closed already: that is for the test to see */
	(void)!sendmsg(c->fd, &m, MSG_NOSIGNAL);
}

uint16_t client_send(struct client *c, unsigned int cmd, unsigned int flags, const void *body,
		     uint32_t n, const int *fds, unsigned int n_fds)
{
	static uint8_t message[sizeof(struct vfu_header) + VFU_MAX_PAYLOAD];
	struct vfu_header h = {
		.id = ++c->id, .cmd = (uint16_t)cmd, .size = 16 + n, .flags = flags
	};

	memcpy(message, &h, sizeof(h));
	if (n)
		memcpy(message + sizeof(h), body, n);
	client_bytes(c, message, sizeof(h) + n, fds, n_fds);
	return h.id;
}

/* n bytes; false at the end of the stream. */
static bool get(struct bench *b, struct client *c, void *buf, size_t n)
{
	uint8_t *p = buf;

	for (unsigned int idle = 0; n;) {
		ssize_t r = recv(c->fd, p, n, MSG_DONTWAIT);

		if (r > 0) {
			p += r;
			n -= (size_t)r;
			continue;
		}
		if (!r || (errno != EAGAIN && errno != EWOULDBLOCK))
			return false;
		bench_run(b, 20);
		if (idle++ > 20000) {
			print_error("no message comes\n%s%s", b->f->report, b->log);
			fail();
		}
	}
	return true;
}

bool client_recv(struct bench *b, struct client *c)
{
	if (!get(b, c, &c->head, sizeof(c->head)))
		return false;
	c->len = c->head.size - (uint32_t)sizeof(c->head);
	assert_in_range(c->head.size, sizeof(c->head), sizeof(c->head) + VFU_MAX_PAYLOAD);
	return get(b, c, c->body, c->len);
}

int client_call(struct bench *b, struct client *c, unsigned int cmd, const void *body, uint32_t n,
		const int *fds, unsigned int n_fds)
{
	uint16_t id = client_send(c, cmd, 0, body, n, fds, n_fds);

	for (;;) {
		if (!client_recv(b, c))
			return -1;
		if ((c->head.flags & VFU_TYPE_MASK) != VFU_TYPE_COMMAND)
			break;
		assert_non_null(b->on_dma);
		b->on_dma(b, c);
	}
	bcheck(b, c->head.id == id && c->head.cmd == cmd);
	if (!(c->head.flags & VFU_ERROR)) {
		bcheck(b, c->head.error == 0);
		return 0;
	}
	bcheck(b, c->len == 0 && c->head.error > 0);
	return (int)c->head.error;
}

bool client_quiet(struct bench *b, struct client *c)
{
	uint8_t byte;

	bench_run(b, 500);
	return recv(c->fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && errno == EAGAIN;
}

void client_hello(struct bench *b, struct client *c)
{
	static const char body[] =
		"\0\0\0\0{\"capabilities\": {\"pgsizes\": 4096, \"max_msg_fds\": 16, "
		"\"max_dma_maps\": 65535, \"max_data_xfer_size\": 1048576, \"write_multiple\": "
		"true}}";

	const char *fds;

	bcheck(b, client_call(b, c, VFU_VERSION, body, sizeof(body), NULL, 0) == 0);
	/* QEMU takes offence at a longer answer, and at more descriptors than it takes itself */
	bcheck(b, c->len <= sizeof(body));
	fds = strstr((const char *)c->body + 4, "\"max_msg_fds\":");
	bcheck(b, fds && atoi(fds + strlen("\"max_msg_fds\":")) <= 16);
}

int region_read(struct bench *b, unsigned int region, uint64_t off, void *data, uint32_t n)
{
	const struct vfu_region_rw rw = { .off = off, .region = region, .count = n };
	int err = client_call(b, &b->c, VFU_REGION_READ, &rw, sizeof(rw), NULL, 0);

	if (err)
		return err;
	bcheck(b, b->c.len == sizeof(rw) + n && !memcmp(b->c.body, &rw, sizeof(rw)));
	memcpy(data, b->c.body + sizeof(rw), n);
	return 0;
}

int region_write(struct bench *b, unsigned int region, uint64_t off, const void *data, uint32_t n)
{
	struct {
		struct vfu_region_rw rw;
		uint8_t data[4096];
	} m = { .rw = { .off = off, .region = region, .count = n } };
	int err;

	memcpy(m.data, data, n);
	err = client_call(b, &b->c, VFU_REGION_WRITE, &m, (uint32_t)sizeof(m.rw) + n, NULL, 0);
	if (!err)
		bcheck(b, b->c.len == sizeof(m.rw) && !memcmp(b->c.body, &m.rw, sizeof(m.rw)));
	return err;
}

int dma_map(struct bench *b, uint64_t iova, uint64_t size, unsigned int flags, int fd, uint64_t off)
{
	const struct vfu_dma_map m = { sizeof(m), flags, off, iova, size };
	int err = client_call(b, &b->c, VFU_DMA_MAP, &m, sizeof(m), &fd, fd >= 0);

	if (!err)
		bcheck(b, b->c.len == 0);
	return err;
}

int dma_unmap(struct bench *b, uint64_t iova, uint64_t size)
{
	const struct vfu_dma_unmap m = { sizeof(m), 0, iova, size };
	int err = client_call(b, &b->c, VFU_DMA_UNMAP, &m, sizeof(m), NULL, 0);

	if (!err)
		bcheck(b, b->c.len == sizeof(m) && !memcmp(b->c.body, &m, sizeof(m)));
	return err;
}

int set_irqs(struct bench *b, unsigned int flags, unsigned int start, unsigned int count,
	     const int *fds, unsigned int n_fds)
{
	const struct vfu_irq_set s = { sizeof(s), flags, VFIO_PCI_MSIX_IRQ_INDEX, start, count };

	return client_call(b, &b->c, VFU_SET_IRQS, &s, sizeof(s), fds, n_fds);
}

void enable(struct bench *b)
{
	const uint16_t cmd = 6;

	bcheck(b, region_write(b, VFIO_PCI_CONFIG_REGION_INDEX, 4, &cmd, 2) == 0);
}

void dma_serve(struct bench *b, struct client *c)
{
	struct vfu_dma_rw rw;
	struct vfu_header h = c->head;
	uint8_t *at;

	assert_true(h.cmd == VFU_DMA_READ || h.cmd == VFU_DMA_WRITE);
	memcpy(&rw, c->body, sizeof(rw));
	bcheck(b, rw.iova >= 0x100000 && rw.iova + rw.count <= 0x110000);
	at = b->client_ram + (rw.iova - 0x100000);
	if (h.cmd == VFU_DMA_WRITE) {
		bcheck(b, c->len == sizeof(rw) + rw.count);
		memcpy(at, c->body + sizeof(rw), rw.count);
	} else {
		bcheck(b, c->len == sizeof(rw));
		memcpy(c->body + sizeof(rw), at, rw.count);
	}
	h.flags = VFU_TYPE_REPLY;
	h.size = (uint32_t)(sizeof(h) + sizeof(rw) + (h.cmd == VFU_DMA_READ ? rw.count : 0));
	client_bytes(c, &h, sizeof(h), NULL, 0);
	client_bytes(c, c->body, h.size - sizeof(h), NULL, 0);
}
