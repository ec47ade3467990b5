// SPDX-License-Identifier: Apache-2.0
/*
 * vfio-user server, a client that keeps the rules: what is offered, register access with all its
 * timing, interrupts as QEMU sets them up, resets, one client after another.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cairn_hw.h"
#include "vfu_test.h"

#define CONFIG VFIO_PCI_CONFIG_REGION_INDEX
#define TRIGGER VFIO_IRQ_SET_ACTION_TRIGGER
#define EVENTFD VFIO_IRQ_SET_DATA_EVENTFD
#define NONE VFIO_IRQ_SET_DATA_NONE

static void version(void **state)
{
	(void)state;
	/* the reply to bench_start()'s VERSION is still there */
	assert_in_range(b.c.head.size, 24, 214);
	assert_memory_equal(b.c.body, "\0\0\0\0", 4);
	assert_int_equal(b.c.body[b.c.len - 1], 0);
	assert_non_null(strstr((char *)b.c.body + 4, "\"max_dma_maps\":65535"));
	assert_null(strstr((char *)b.c.body + 4, "write_multiple"));
	/* a later minor version is answered with ours; capabilities are optional */
	client_connect(&b, &b.c2);
	client_close(&b.c);
	bcheck(&b, client_call(&b, &b.c2, VFU_VERSION, "\0\0\7\0", 4, NULL, 0) == 0 ||
		   b.c2.head.error == EBUSY);
	client_close(&b.c2);
	bench_run(&b, 500);
	client_connect(&b, &b.c);
	bcheck(&b, client_call(&b, &b.c, VFU_VERSION, "\0\0\7\0", 4, NULL, 0) == 0);
	assert_memory_equal(b.c.body, "\0\0\0\0", 4);
}

static void information(void **state)
{
	const uint32_t info[4] = { 16, 0, 0, 0 };
	struct vfio_region_info region = { .argsz = 32 };
	struct vfio_irq_info irq = { .argsz = 16 };

	(void)state;
	bcheck(&b, client_call(&b, &b.c, VFU_GET_INFO, info, 16, NULL, 0) == 0 && b.c.len == 16);
	assert_memory_equal(b.c.body, ((const uint32_t[]){ 16, 3, 9, 5 }), 16);
	for (unsigned int i = 0; i < 9; i++) {
		struct vfio_region_info got;
		uint64_t size = i == 0 ? 0x10000 : i == 2 ? 256 * 4096 : i == 7 ? 4096 : 0;

		region.index = i;
		bcheck(&b, client_call(&b, &b.c, VFU_GET_REGION_INFO, &region, 32, NULL, 0) == 0);
		bcheck(&b, b.c.len == 32);
		memcpy(&got, b.c.body, 32);
		bcheck(&b, got.argsz == 32 && got.index == i && got.size == size && !got.offset);
		bcheck(&b, got.flags == (size ? 3u : 0u) && !got.cap_offset);
	}
	for (unsigned int i = 0; i < 5; i++) {
		struct vfio_irq_info got;

		irq.index = i;
		bcheck(&b, client_call(&b, &b.c, VFU_GET_IRQ_INFO, &irq, 16, NULL, 0) == 0);
		memcpy(&got, b.c.body, 16);
		bcheck(&b, got.argsz == 16 && got.index == i && got.count == (i == 2 ? 32u : 0u));
		bcheck(&b, (got.flags & VFIO_IRQ_INFO_EVENTFD) == (i == 2 ? 1u : 0u));
	}
}

static void registers(void **state)
{
	uint8_t space[4096];
	uint64_t v = 0x1122334455667788;
	uint32_t w;

	(void)state;
	bcheck(&b, region_read(&b, CONFIG, 0, space, 4096) == 0);
	assert_memory_equal(space, "\x34\x12\x91\x47", 4);
	/* memory space off: said so instead of ones */
	bcheck(&b, region_read(&b, 0, 0, &w, 4) == EIO);
	bcheck(&b, region_write(&b, 0, 0, &w, 4) == EIO);
	enable(&b);
	for (uint32_t n = 1; n <= 8; n *= 2) {
		uint64_t got = 0;

		bcheck(&b, region_read(&b, 0, 0x40 + 8 - n, &got, n) == 0);
		bcheck(&b, got == (bar_value(0x40) >> (64 - 8 * n)));
	}
	b.f->in_n = 0;
	bcheck(&b, region_write(&b, 2, 0x1008, &v, 8) == 0);
	bench_run(&b, 20);
	bcheck(&b, b.f->in_n == 1 && b.f->in[0].bytes == 8 && b.f->in[0].bar == 2 &&
		   b.f->in[0].h.addr == 0x1008 && !memcmp(b.f->in[0].data, &v, 8));
	bcheck(&b, region_write(&b, 2, 0x800, space, 64) == 0);
	bench_run(&b, 20);
	bcheck(&b, b.f->in_n == 2 && b.f->in[1].bytes == 64);
	/* BAR sizing as firmware does it */
	w = 0xffffffff;
	bcheck(&b, region_write(&b, CONFIG, 0x10, &w, 4) == 0);
	bcheck(&b, region_read(&b, CONFIG, 0x10, &w, 4) == 0);
	bcheck(&b, w == 0xffff0004);
}

/* Doorbells without reply, then a read: all of them are at the core before it. */
static void posted(void **state)
{
	struct {
		struct vfu_region_rw rw;
		uint64_t data;
	} m = { { .off = 8, .region = 2, .count = 8 }, 0 };
	uint32_t got;

	(void)state;
	enable(&b);
	b.f->in_n = 0;
	for (m.data = 0; m.data < 300; m.data++) {
		client_send(&b.c, VFU_REGION_WRITE, VFU_NO_REPLY, &m, sizeof(m), NULL, 0);
		if (m.data % 100 == 99)		/* the socket's buffer takes no more */
			sim_vfu_service(b.v);
	}
	/* an error is not answered either */
	m.rw.off = UINT64_MAX;
	client_send(&b.c, VFU_REGION_WRITE, VFU_NO_REPLY, &m, sizeof(m), NULL, 0);
	bcheck(&b, region_read(&b, 0, 0, &got, 4) == 0);
	bcheck(&b, b.f->in_n == 301);
	for (uint64_t i = 0; i < 300; i++)
		bcheck(&b, !memcmp(b.f->in[i].data, &i, 8));
	bcheck(&b, sim_vfu_stats(b.v)->errors == 1);
}

/* More reads than can be out, none waited for; each reply carries its id and its data. */
static void pipelined(void **state)
{
	struct vfu_region_rw rw = { .region = 0, .count = 8 };
	uint16_t first = (uint16_t)(b.c.id + 2);
	bool seen[40] = { false };

	(void)state;
	enable(&b);
	for (unsigned int i = 0; i < 40; i++) {
		rw.off = i * 8;
		assert_int_equal(client_send(&b.c, VFU_REGION_READ, 0, &rw, 16, NULL, 0),
				 first + i);
	}
	for (unsigned int i = 0; i < 40; i++) {
		unsigned int k;
		uint64_t v;

		assert_true(client_recv(&b, &b.c));
		k = (uint16_t)(b.c.head.id - first);
		bcheck(&b, k < 40 && !seen[k] && b.c.len == 24);
		seen[k] = true;
		memcpy(&v, b.c.body + 16, 8);
		bcheck(&b, v == bar_value(8 * k));
	}
}

/* ---- interrupts ---- */

static void fire(uint32_t vector)
{
	fake_write(b.f, SIM_PCIE_IRQ_BASE + 4 * vector, &vector, 4);
	bench_run(&b, 200);
}

static unsigned int events(int fd)
{
	uint64_t n;

	return read(fd, &n, 8) == 8 ? (unsigned int)n : 0;
}

static void interrupts(void **state)
{
	int fds[32];

	(void)state;
	enable(&b);
	for (unsigned int i = 0; i < 32; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	/* what QEMU does: probe, then all off and one more, again and again */
	bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 1, NULL, 0) == 0);
	for (unsigned int n = 1; n <= 4; n++) {
		bcheck(&b, set_irqs(&b, VFIO_IRQ_SET_DATA_NONE | TRIGGER, 0, 0, NULL, 0) == 0);
		if (n == 4) {		/* in the gap: kept */
			bench_run(&b, 100);
			fire(1);
			bcheck(&b, events(fds[1]) == 0);
		}
		bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, n, fds, n) == 0);
		bench_run(&b, 100);
	}
	bcheck(&b, events(fds[1]) == 1 && events(fds[0]) == 0);
	for (uint32_t v = 0; v < 4; v++) {
		fire(v);
		bcheck(&b, events(fds[v]) == 1 && !events(fds[(v + 1) % 4]));
	}
	/* by hand: named, and by byte */
	bcheck(&b, set_irqs(&b, VFIO_IRQ_SET_DATA_NONE | TRIGGER, 1, 2, NULL, 0) == 0);
	bcheck(&b, !events(fds[0]) && events(fds[1]) == 1 && events(fds[2]) == 1);
	struct {
		struct vfu_irq_set s;
		uint8_t which[4];
	} by = { { 24, VFIO_IRQ_SET_DATA_BOOL | TRIGGER, 2, 0, 4 }, { 1, 0, 0, 1 } };
	bcheck(&b, client_call(&b, &b.c, VFU_SET_IRQS, &by, sizeof(by), NULL, 0) == 0);
	bcheck(&b,
	       events(fds[0]) == 1 && !events(fds[1]) && !events(fds[2]) && events(fds[3]) == 1);
	/* one taken away: the others stay */
	bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 2, 1, NULL, 0) == 0);
	bench_run(&b, 100);
	fire(2);
	fire(3);
	bcheck(&b, !events(fds[2]) && events(fds[3]) == 1);
	/* all 32 in one message */
	bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 32, fds, 32) == 0);
	bench_run(&b, 1000);	/* 128 table writes */
	bcheck(&b, events(fds[2]) == 1);	/* the kept one */
	fire(31);
	bcheck(&b, events(fds[31]) == 1);
	bcheck(&b, set_irqs(&b, VFIO_IRQ_SET_DATA_NONE | TRIGGER, 0, 0, NULL, 0) == 0);
	for (unsigned int i = 0; i < 32; i++)
		close(fds[i]);
}

/* An eventfd at its limit does not stop the simulator. */
static void full_eventfd(void **state)
{
	int fd = eventfd(0, EFD_CLOEXEC);	/* blocking */
	const uint64_t most = UINT64_MAX - 1;

	(void)state;
	enable(&b);
	bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 5, 1, &fd, 1) == 0);
	bench_run(&b, 100);
	assert_int_equal(write(fd, &most, 8), 8);
	fire(5);
	close(fd);
}

/* ---- reset ---- */

static void resets(void **state)
{
	const uint16_t flr = 0x8000;
	uint32_t v;
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	(void)state;
	enable(&b);
	bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 1, &fd, 1) == 0);
	bcheck(&b, dma_map(&b, 0x1000, 0x1000, 3, -1, 0) == 0);
	bcheck(&b, client_call(&b, &b.c, VFU_RESET, NULL, 0, NULL, 0) == 0 && b.c.len == 0);
	bcheck(&b, sim_pcie_stats(b.f->p)->flrs == 1 && !sim_pcie_in_flr(b.f->p));
	bcheck(&b, region_read(&b, 0, 0, &v, 4) == EIO);
	enable(&b);
	bcheck(&b, region_read(&b, 0, 0, &v, 4) == 0);
	fire(0);			/* the table was programmed again */
	bcheck(&b, events(fd) == 1);
	bcheck(&b, dma_map(&b, 0x1000, 0x1000, 3, -1, 0) == EEXIST);	/* maps stay */
	/* as vfio-pci does it; the BAR read right behind it waits for the end */
	bcheck(&b, region_write(&b, CONFIG, 0x78, &flr, 2) == 0);
	enable(&b);
	bcheck(&b, region_read(&b, 0, 0, &v, 4) == 0);
	bcheck(&b, sim_pcie_stats(b.f->p)->flrs == 2);
	/* nothing is served while a reset is on its way, and all of it afterwards */
	b.f->hold_flr = true;
	client_send(&b.c, VFU_RESET, 0, NULL, 0, NULL, 0);
	client_send(&b.c, VFU_GET_INFO, 0, ((uint32_t[]){ 16, 0, 0, 0 }), 16, NULL, 0);
	bcheck(&b, client_quiet(&b, &b.c));
	b.f->hold_flr = false;
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_RESET);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_GET_INFO);
	close(fd);
}

/* Somebody looks first: the reset waits, and so does what the client does behind it. */
static void look_first(void **state)
{
	(void)state;
	enable(&b);
	b.looks = true;
	client_send(&b.c, VFU_RESET, 0, NULL, 0, NULL, 0);
	client_send(&b.c, VFU_GET_INFO, 0, ((uint32_t[]){ 16, 0, 0, 0 }), 16, NULL, 0);
	bcheck(&b, client_quiet(&b, &b.c) && b.look_done && !sim_pcie_stats(b.f->p)->flrs);
	b.look_done(b.look_arg);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_RESET);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_GET_INFO);
	bcheck(&b, sim_pcie_stats(b.f->p)->flrs == 1);
	client_send(&b.c, VFU_RESET, 0, NULL, 0, NULL, 0);
	bcheck(&b, client_quiet(&b, &b.c));
	client_close(&b.c);
	bench_run(&b, 1000);
	bcheck(&b, sim_vfu_busy(b.v) && sim_pcie_stats(b.f->p)->flrs == 1);
	b.look_done(b.look_arg);
	bench_run(&b, 1000);
	bcheck(&b, !sim_vfu_busy(b.v) && sim_pcie_stats(b.f->p)->flrs == 3); /* his, and ours */
	b.looks = false;
	client_connect(&b, &b.c);
	client_hello(&b, &b.c);
	bcheck(&b, client_call(&b, &b.c, VFU_RESET, NULL, 0, NULL, 0) == 0);
}

/* A read that is out when the function is reset gives ones, as on a real bus. */
static void read_in_reset(void **state)
{
	const struct vfu_region_rw rw = { .region = 0, .count = 4 };
	uint32_t v = 0;

	(void)state;
	enable(&b);
	b.f->auto_answer = false;
	client_send(&b.c, VFU_REGION_READ, 0, &rw, 16, NULL, 0);
	bcheck(&b, client_quiet(&b, &b.c));
	client_send(&b.c, VFU_RESET, 0, NULL, 0, NULL, 0);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_REGION_READ);
	memcpy(&v, b.c.body + 16, 4);
	bcheck(&b, v == 0xffffffff);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_RESET);
}

/* ---- who is served ---- */

static void one_at_a_time(void **state)
{
	const uint32_t info[4] = { 16 };
	char big[2000] = "\0\0\0\0{\"capabilities\":{\"x\":\"";

	(void)state;
	memset(big + 27, 'x', 1900);
	for (unsigned int round = 0; round < 6; round++) {
		client_connect(&b, &b.c2);
		bcheck(&b, client_call(&b, &b.c2, VFU_VERSION, big, sizeof(big), NULL, 0) == EBUSY);
		assert_false(client_recv(&b, &b.c2));	/* and closed */
		client_close(&b.c2);
		bcheck(&b, client_call(&b, &b.c, VFU_GET_INFO, info, 16, NULL, 0) == 0);
	}
	/* more than are answered, silent ones: all closed, the first is still served */
	int crowd[12];
	for (unsigned int i = 0; i < 12; i++) {
		client_connect(&b, &b.c2);
		crowd[i] = b.c2.fd;
		bench_run(&b, 20);
	}
	b.c2.fd = -1;
	for (unsigned int i = 0; i < 12; i++)
		close(crowd[i]);
	bcheck(&b, client_call(&b, &b.c, VFU_GET_INFO, info, 16, NULL, 0) == 0);
	bcheck(&b, sim_vfu_stats(b.v)->refused == 18 && sim_vfu_stats(b.v)->clients == 1);
}

/* Client after client; the next waits in the queue until the function is reset and clean. */
static void one_after_another(void **state)
{
	uint32_t v;

	(void)state;
	for (unsigned int i = 0; i < 20; i++) {
		enable(&b);
		bcheck(&b, dma_map(&b, 0x1000, 0x1000, 3, -1, 0) == 0);
		b.f->hold_flr = true;
		client_close(&b.c);
		if (i % 2) { /* otherwise before it is seen that the last one has left */
			bench_run(&b, 50);
			bcheck(&b, sim_vfu_busy(b.v) && sim_pcie_in_flr(b.f->p));
		}
		client_connect(&b, &b.c);
		client_send(&b.c, VFU_VERSION, 0, "\0\0\0\0", 4, NULL, 0);
		bcheck(&b, client_quiet(&b, &b.c));
		b.f->hold_flr = false;
		assert_true(client_recv(&b, &b.c));
		bcheck(&b, !(b.c.head.flags & VFU_ERROR));
		bcheck(&b, region_read(&b, CONFIG, 4, &v, 4) == 0 && (v & 6) == 0);
	}
	bcheck(&b, sim_pcie_stats(b.f->p)->flrs == 20 && !sim_vfu_stats(b.v)->refused);
}

static struct sim_vfu *serve(const char *path, char *log, struct bench *owner)
{
	struct sim_vfu_cfg cfg = { .name = "x", .path = path, .pcie = owner->f->p,
				   .mem = owner->f->mem };
	(void)log;
	return sim_vfu_new(&cfg);
}

static void sockets(void **state)
{
	char path[200], text[300];
	struct sim_vfu *v;
	int fd;

	(void)state;
	/* its message goes to stderr: keep the test's output clean */
	fd = dup(2);
	assert_non_null(freopen("/dev/null", "w", stderr));
	assert_null(serve(b.path, text, &b));
	assert_int_equal(errno, EADDRINUSE);
	bcheck(&b, client_call(&b, &b.c, VFU_GET_INFO, ((uint32_t[]){ 16, 0, 0, 0 }), 16, NULL,
			       0) == 0);
	snprintf(path, sizeof(path), "%s/file", b.dir);
	close(open(path, 0x41 /* O_CREAT | O_WRONLY */, 0600));
	assert_null(serve(path, text, &b));
	assert_int_equal(errno, EEXIST);
	assert_int_equal(access(path, F_OK), 0);	/* not touched */
	unlink(path);
	snprintf(path, sizeof(path), "%s/%0120d", b.dir, 0);
	assert_null(serve(path, text, &b));
	assert_int_equal(errno, ENAMETOOLONG);
	snprintf(path, sizeof(path), "%s/none/x.sock", b.dir);
	assert_null(serve(path, text, &b));
	assert_int_equal(errno, ENOENT);
	/* left behind by a process that died */
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int dead = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(sa.sun_path, sizeof(sa.sun_path), "%s/stale", b.dir);
	assert_int_equal(bind(dead, (struct sockaddr *)&sa, sizeof(sa)), 0);
	close(dead);
	v = serve(sa.sun_path, text, &b);
	assert_non_null(v);
	sim_vfu_free(v);
	assert_int_not_equal(access(sa.sun_path, F_OK), 0);
	fflush(stderr);
	dup2(fd, 2);
	close(fd);
}

/* What the main loop polls and how long it may sleep. */
static void polling(void **state)
{
	struct pollfd fds[SIM_VFU_MAX_FDS];
	unsigned int n = sim_vfu_pollfds(b.v, fds, SIM_VFU_MAX_FDS);

	(void)state;
	assert_int_equal(n, 2);
	assert_int_equal(sim_vfu_timeout(b.v), -1);
	assert_int_equal(poll(fds, n, 0), 0);
	client_send(&b.c, VFU_RESET, 0, NULL, 0, NULL, 0);
	assert_int_equal(poll(fds, n, 0), 1);
	assert_true(sim_vfu_service(b.v));
	assert_false(sim_vfu_service(b.v));
	assert_int_equal(sim_vfu_pollfds(b.v, fds, SIM_VFU_MAX_FDS), 1); /* waits for the reset */
	assert_true(client_recv(&b, &b.c));
	client_connect(&b, &b.c2);
	bench_run(&b, 1);
	assert_int_equal(sim_vfu_pollfds(b.v, fds, SIM_VFU_MAX_FDS), 3);
	assert_in_range(sim_vfu_timeout(b.v), 1, 2000);
	client_close(&b.c2);
	client_close(&b.c);
	bench_run(&b, 1);
	assert_int_equal(sim_vfu_pollfds(b.v, fds, SIM_VFU_MAX_FDS), 0);	/* resetting */
	bench_run(&b, 100);
	assert_int_equal(sim_vfu_pollfds(b.v, fds, SIM_VFU_MAX_FDS), 1);
	client_connect(&b, &b.c);
	bench_run(&b, 1);
	assert_in_range(sim_vfu_timeout(b.v), 1, 5000);	/* for its VERSION */
}

/* A client that sends much and reads nothing only stops itself. */
static void slow_reader(void **state)
{
	const struct vfu_region_rw rw = { .region = CONFIG, .count = 4096 };
	const struct timeval tv = { .tv_usec = 20000 };
	unsigned int sent = 0, got = 0;
	struct {
		struct vfu_header h;
		struct vfu_region_rw rw;
	} m = { { .id = 7, .cmd = VFU_REGION_READ, .size = 32 }, rw };

	(void)state;
	assert_int_equal(setsockopt(b.c.fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv)), 0);
	for (;;) {
		m.h.id = (uint16_t)sent;
		if (sent == 20000 ||
		    send(b.c.fd, &m, sizeof(m), MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof(m))
			break;
		sent++;
		bench_run(&b, 2);
	}
	bcheck(&b, sent > 100 && sent < 20000);
	bcheck(&b, b.v->conn.out_n <= 2 * VFU_MAX_XFER);
	while (got < sent) {
		assert_true(client_recv(&b, &b.c));
		bcheck(&b, b.c.head.id == (uint16_t)got && b.c.len == 16 + 4096);
		got++;
	}
}

/* The socket is full, then empty, when the core answers: its reply still goes behind what waits. */
static void late_answer(void **state)
{
	const struct vfu_region_rw config = { .region = CONFIG, .count = 4096 },
				   bar = { .count = 8 };
	static uint8_t bytes[1 << 20];
	const uint64_t v = 0x0123456789abcdef;
	unsigned int n = 0;
	size_t got = 0;
	uint32_t dw[4];

	(void)state;
	enable(&b);
	b.f->auto_answer = false;
	client_send(&b.c, VFU_REGION_READ, 0, &bar, 16, NULL, 0);
	bench_run(&b, 50);
	while (!b.v->conn.out_n && n++ < 1000) {
		client_send(&b.c, VFU_REGION_READ, 0, &config, 16, NULL, 0);
		sim_vfu_service(b.v);
	}
	bcheck(&b, b.v->conn.out_n);
	for (ssize_t r; (r = recv(b.c.fd, bytes + got, sizeof(bytes) - got, MSG_DONTWAIT)) > 0;)
		got += (size_t)r;
	sim_tlp_cpl(dw, CAIRN_CPL_STATUS_SC, 2, 8, 0, b.f->in[b.f->in_n - 1].h.tag, 0, 0x0100);
	fake_send(b.f, dw, &v, 8);
	fake_run(b.f, 200);		/* without the server's turn */
	bcheck(&b, !b.v->n_reads);
	for (size_t at = 0; n || at < got;) {
		struct vfu_header h;
		ssize_t r;

		while (got - at < sizeof(h) ||
		       (memcpy(&h, bytes + at, sizeof(h)), got - at < h.size)) {
			bench_run(&b, 2);
			r = recv(b.c.fd, bytes + got, sizeof(bytes) - got, MSG_DONTWAIT);
			got += r > 0 ? (size_t)r : 0;
			bcheck(&b, r > 0 || errno == EAGAIN);
		}
		bcheck(&b, h.cmd == VFU_REGION_READ && h.flags == VFU_TYPE_REPLY);
		bcheck(&b, h.size == (n ? 32 + 4096 : 40));
		at += h.size;
		if (!n)
			return;		/* the late one, last */
		n--;
	}
}

/* Interrupts and descriptors of one client are nothing to the next. */
static void no_inheritance(void **state)
{
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	unsigned int fds = count_fds();

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		enable(&b);
		bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 2, ((int[]){ fd, fd }), 2) == 0);
		bench_run(&b, 100);
		bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 1, NULL, 0) == 0);
		bench_run(&b, 50);
		fire(0);			/* kept */
		client_close(&b.c);
		bench_run(&b, 200);
		assert_int_equal(count_fds(), fds - 2);
		client_connect(&b, &b.c);
		client_hello(&b, &b.c);
		enable(&b);
		bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 1, &fd, 1) == 0);
		bench_run(&b, 100);
		bcheck(&b, events(fd) == 0);
		fire(0);
		bcheck(&b, events(fd) == 1);
		bcheck(&b, set_irqs(&b, NONE | TRIGGER, 0, 0, NULL, 0) == 0);
	}
	close(fd);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(version),       T(information),   T(registers),         T(posted),
		T(pipelined),     T(interrupts),    T(full_eventfd),      T(resets),
		T(read_in_reset), T(one_at_a_time), T(one_after_another), T(sockets),
		T(polling),       T(slow_reader),   T(late_answer),       T(no_inheritance),
		T(look_first),
	};

	return cmocka_run_group_tests_name("sim_vfu", tests, NULL, NULL);
}
