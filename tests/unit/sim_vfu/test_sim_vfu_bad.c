// SPDX-License-Identifier: Apache-2.0
/*
 * vfio-user server, clients that break the rules.  Every malformed message gets its errno and
 * changes nothing; descriptors sent along are closed; a stream without a next message ends that
 * client only; a client may stop in the middle of any message; random messages do no harm (ASAN,
 * UBSAN).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cairn_hw.h"
#include "vfu_test.h"

#define CONFIG VFIO_PCI_CONFIG_REGION_INDEX
#define TRIGGER VFIO_IRQ_SET_ACTION_TRIGGER
#define EVENTFD VFIO_IRQ_SET_DATA_EVENTFD
#define NONE VFIO_IRQ_SET_DATA_NONE

/* The connection still works, and no descriptor was kept. */
static void sound(unsigned int fds)
{
	struct sim_mem_stats s;

	bcheck(&b, client_call(&b, &b.c, VFU_GET_INFO, ((uint32_t[]){ 16, 0, 0, 0 }), 16, NULL,
			       0) == 0);
	bcheck(&b, count_fds() == fds);
	sim_mem_get_stats(b.f->mem, &s);
	bcheck(&b, s.maps == 0);
}

struct bad {
	const char *what;
	unsigned int cmd, n;	/* command, bytes of body */
	int err;
	uint32_t body[10];
};

#define LO(x) ((uint32_t)(x))
#define HI(x) ((uint32_t)((uint64_t)(x) >> 32))
#define MAP(argsz, flags, off, iova, size) \
	{ argsz, flags, LO(off), HI(off), LO(iova), HI(iova), LO(size), HI(size) }
#define UNMAP(argsz, flags, iova, size) { argsz, flags, LO(iova), HI(iova), LO(size), HI(size) }
#define RW(off, region, count) { LO(off), HI(off), region, count }

static const struct bad bad[] = {
	{ "second VERSION", VFU_VERSION, 4, EINVAL, { 0 } },
	{ "unknown command", 77, 0, ENOTSUP, { 0 } },
	{ "command 0", 0, 0, ENOTSUP, { 0 } },
	{ "GET_REGION_IO_FDS", VFU_GET_REGION_IO_FDS, 16, ENOTSUP, { 16 } },
	{ "DMA_READ to the server", VFU_DMA_READ, 16, ENOTSUP, { 0 } },
	{ "DMA_WRITE to the server", VFU_DMA_WRITE, 16, ENOTSUP, { 0 } },
	{ "DEVICE_FEATURE", 16, 16, ENOTSUP, { 16 } },

	{ "map without body", VFU_DMA_MAP, 0, EINVAL, { 0 } },
	{ "map too short", VFU_DMA_MAP, 28, EINVAL, MAP(32, 3, 0, 0x1000, 0x1000) },
	{ "map argsz", VFU_DMA_MAP, 32, EINVAL, MAP(31, 3, 0, 0x1000, 0x1000) },
	{ "map flags", VFU_DMA_MAP, 32, EINVAL, MAP(32, 4 | 3, 0, 0x1000, 0x1000) },
	{ "map of nothing", VFU_DMA_MAP, 32, EINVAL, MAP(32, 3, 0, 0x1000, 0) },
	{ "map not on a page", VFU_DMA_MAP, 32, EINVAL, MAP(32, 3, 0, 0x1008, 0x1000) },
	{ "map of part of a page", VFU_DMA_MAP, 32, EINVAL, MAP(32, 3, 0, 0x1000, 0x1001) },
	{ "map that wraps", VFU_DMA_MAP, 32, EINVAL, MAP(32, 3, 0, 0xfffffffffffff000, 0x2000) },

	{ "unmap too short", VFU_DMA_UNMAP, 16, EINVAL, UNMAP(24, 0, 0, 0x1000) },
	{ "unmap argsz", VFU_DMA_UNMAP, 24, EINVAL, UNMAP(16, 0, 0, 0x1000) },
	{ "unmap with dirty bitmap", VFU_DMA_UNMAP, 24, EINVAL, UNMAP(24, 1, 0, 0x1000) },
	{ "unmap of nothing", VFU_DMA_UNMAP, 24, EINVAL, UNMAP(24, 0, 0x1000, 0) },
	{ "unmap that wraps", VFU_DMA_UNMAP, 24, EINVAL, UNMAP(24, 0, 0xfffffffffffff000, 0x2000) },
	{ "unmap all with a range", VFU_DMA_UNMAP, 24, EINVAL, UNMAP(24, 2, 0x1000, 0) },

	{ "info too short", VFU_GET_INFO, 12, EINVAL, { 16 } },
	{ "info argsz", VFU_GET_INFO, 16, EINVAL, { 15 } },
	{ "region info too short", VFU_GET_REGION_INFO, 31, EINVAL, { 32 } },
	{ "region info argsz", VFU_GET_REGION_INFO, 32, EINVAL, { 31 } },
	{ "region info index", VFU_GET_REGION_INFO, 32, EINVAL, { 32, 0, 9 } },
	{ "irq info too short", VFU_GET_IRQ_INFO, 15, EINVAL, { 16 } },
	{ "irq info argsz", VFU_GET_IRQ_INFO, 16, EINVAL, { 12 } },
	{ "irq info index", VFU_GET_IRQ_INFO, 16, EINVAL, { 16, 0, 5 } },

	{ "irqs too short", VFU_SET_IRQS, 16, EINVAL, { 20, NONE | TRIGGER, 2 } },
	{ "irqs argsz", VFU_SET_IRQS, 20, EINVAL, { 19, NONE | TRIGGER, 2 } },
	{ "irqs index", VFU_SET_IRQS, 20, EINVAL, { 20, NONE | TRIGGER, 5 } },
	{ "irqs no data type", VFU_SET_IRQS, 20, EINVAL, { 20, TRIGGER, 2 } },
	{ "irqs two data types",
	  VFU_SET_IRQS,
	  20,
	  EINVAL,
	  { 20, NONE | EVENTFD | TRIGGER, 2, 0, 1 } },
	{ "irqs no action", VFU_SET_IRQS, 20, EINVAL, { 20, NONE, 2 } },
	{ "irqs two actions", VFU_SET_IRQS, 20, EINVAL, { 20, NONE | TRIGGER | 8, 2 } },
	{ "irqs unknown flag", VFU_SET_IRQS, 20, EINVAL, { 20, NONE | TRIGGER | 64, 2 } },
	{ "irqs mask", VFU_SET_IRQS, 20, ENOTSUP, { 20, NONE | 8, 2, 0, 1 } },
	{ "irqs unmask", VFU_SET_IRQS, 20, ENOTSUP, { 20, NONE | 16, 2, 0, 1 } },
	{ "irqs start", VFU_SET_IRQS, 20, EINVAL, { 20, NONE | TRIGGER, 2, 33, 0 } },
	{ "irqs count", VFU_SET_IRQS, 20, EINVAL, { 20, NONE | TRIGGER, 2, 0, 33 } },
	{ "irqs sum wraps", VFU_SET_IRQS, 20, EINVAL, { 20, NONE | TRIGGER, 2, 2, 0xffffffff } },
	{ "irqs eventfd for none", VFU_SET_IRQS, 20, EINVAL, { 20, EVENTFD | TRIGGER, 2, 0, 0 } },
	{ "irqs bytes missing", VFU_SET_IRQS, 24, EINVAL, { 20, 2 | TRIGGER, 2, 0, 5 } },
	{ "irqs INTx", VFU_SET_IRQS, 20, EINVAL, { 20, NONE | TRIGGER, 0, 0, 1 } },

	{ "read too short", VFU_REGION_READ, 12, EINVAL, RW(0, CONFIG, 4) },
	{ "read region", VFU_REGION_READ, 16, EINVAL, RW(0, 9, 4) },
	{ "read absent region", VFU_REGION_READ, 16, EINVAL, RW(0, 1, 4) },
	{ "read ROM", VFU_REGION_READ, 16, EINVAL, RW(0, 6, 4) },
	{ "read of nothing", VFU_REGION_READ, 16, EINVAL, RW(0, CONFIG, 0) },
	{ "read beyond", VFU_REGION_READ, 16, EINVAL, RW(4094, CONFIG, 4) },
	{ "read far beyond", VFU_REGION_READ, 16, EINVAL, RW(0xfffffffffffffffe, CONFIG, 4) },
	{ "read too much", VFU_REGION_READ, 16, EINVAL, RW(0, 0, 4097) },
	{ "read of 4 GiB", VFU_REGION_READ, 16, EINVAL, RW(0, 2, 0xffffffff) },
	{ "write too short", VFU_REGION_WRITE, 15, EINVAL, RW(0, CONFIG, 4) },
	{ "write without data", VFU_REGION_WRITE, 16, EINVAL, RW(0, CONFIG, 4) },
	{ "write less than said", VFU_REGION_WRITE, 19, EINVAL, RW(0, CONFIG, 4) },
	{ "write more than said", VFU_REGION_WRITE, 24, EINVAL, RW(0, CONFIG, 4) },
	{ "write region", VFU_REGION_WRITE, 20, EINVAL, RW(0, 10, 4) },
	{ "write beyond", VFU_REGION_WRITE, 20, EINVAL, RW(0x10000, 0, 4) },
};

static void negative_list(void **state)
{
	unsigned int fds = count_fds();

	(void)state;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int err = client_call(&b, &b.c, bad[i].cmd, bad[i].body, bad[i].n, NULL, 0);

		if (err != bad[i].err) {
			print_error("%s: errno %d, expected %d\n", bad[i].what, err, bad[i].err);
			fail();
		}
		sound(fds);
	}
	bcheck(&b, sim_vfu_stats(b.v)->errors == sizeof(bad) / sizeof(bad[0]));
}

/* The same, each with a descriptor that must not stay. */
static void negative_with_fds(void **state)
{
	unsigned int fds;
	int fd[40];

	(void)state;
	for (unsigned int i = 0; i < 40; i++)
		fd[i] = eventfd(0, EFD_CLOEXEC);
	fds = count_fds();
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int err = client_call(&b, &b.c, bad[i].cmd, bad[i].body, bad[i].n, fd, 3);

		bcheck(&b, err == EINVAL || err == bad[i].err);
		sound(fds);
	}
	/* too many, for the server and for what is asked */
	const struct vfu_dma_map map = { 32, 3, 0, 0x1000, 0x1000 };
	const uint32_t info[4] = { 16 };

	bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 32, fd, 33) == EINVAL);
	bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 2, fd, 40) == EINVAL);
	bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 4, fd, 3) == EINVAL);
	bcheck(&b, set_irqs(&b, NONE | TRIGGER, 0, 4, fd, 4) == EINVAL);
	bcheck(&b, client_call(&b, &b.c, VFU_DMA_MAP, &map, 32, fd, 2) == EINVAL);
	bcheck(&b, client_call(&b, &b.c, VFU_GET_INFO, info, 16, fd, 1) == EINVAL);
	/* an eventfd is no memory */
	bcheck(&b, client_call(&b, &b.c, VFU_DMA_MAP, &map, 32, fd, 1) == EINVAL);
	sound(fds);
	for (unsigned int i = 0; i < 40; i++)
		close(fd[i]);
}

static void wrong_descriptors(void **state)
{
	int p[2], ro, short_fd, fd[2];
	unsigned int fds;
	char path[40];

	(void)state;
	assert_int_equal(pipe(p), 0);
	short_fd = memfd_create("short", MFD_CLOEXEC);
	assert_int_equal(ftruncate(short_fd, 4096), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", short_fd);
	ro = open(path, O_RDONLY | O_CLOEXEC);
	fd[0] = eventfd(0, EFD_CLOEXEC);
	fd[1] = p[1];
	fds = count_fds();
	/* a pipe would block the simulator; nothing is changed by half a good message */
	bcheck(&b, set_irqs(&b, EVENTFD | TRIGGER, 0, 2, fd, 2) == EINVAL);
	bcheck(&b, b.v->irq_fd[0] < 0 && b.v->irq_fd[1] < 0);
	bcheck(&b, dma_map(&b, 0x1000, 0x1000, 3, p[0], 0) == EINVAL);
	bcheck(&b, dma_map(&b, 0x1000, 0x2000, 3, short_fd, 0) == EINVAL);
	bcheck(&b, dma_map(&b, 0x1000, 0x1000, 3, short_fd, 0x1000) == EINVAL);
	bcheck(&b, dma_map(&b, 0x1000, 0x1000, 3, short_fd, UINT64_MAX - 4095) == EINVAL);
	bcheck(&b, dma_map(&b, 0x1000, 0x1000, 3, ro, 0) == EACCES);
	sound(fds);
	bcheck(&b, dma_map(&b, 0x1000, 0x1000, 1, ro, 0) == 0);
	bcheck(&b, dma_unmap(&b, 0x1000, 0x1000) == 0);
	sound(fds);
	close(p[0]);
	close(p[1]);
	close(ro);
	close(short_fd);
	close(fd[0]);
}

static void reconnect(void)
{
	client_close(&b.c);
	for (unsigned int i = 0; sim_vfu_busy(b.v) && i < 100; i++)
		bench_run(&b, 20);
	bcheck(&b, !sim_vfu_busy(b.v));
	client_connect(&b, &b.c);
}

/*
 * Headers after which nothing can be understood: an answer, the end of the connection, the next
 * client.
 */
static void hopeless(void **state)
{
	static const uint32_t sizes[] = { 0, 4, 15, VFU_MAX_PAYLOAD + 17, 0x80000000, 0xffffffff };
	unsigned int fds = count_fds();
	int fd = eventfd(0, EFD_CLOEXEC);

	(void)state;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct vfu_header h = { .id = 9, .cmd = VFU_GET_INFO, .size = sizes[i] };

		client_bytes(&b.c, &h, sizeof(h), &fd, 1);
		assert_true(client_recv(&b, &b.c));
		bcheck(&b, b.c.head.id == 9 && b.c.head.error == EINVAL &&
			   b.c.head.flags == (VFU_TYPE_REPLY | VFU_ERROR));
		assert_false(client_recv(&b, &b.c));
		reconnect();
		client_hello(&b, &b.c);
	}
	close(fd);
	bcheck(&b, sim_vfu_stats(b.v)->bad_clients == sizeof(sizes) / sizeof(sizes[0]));
	sound(fds);
	/* a type that is neither request nor reply does not end it */
	client_send(&b.c, VFU_GET_INFO, 2, ((uint32_t[]){ 16, 0, 0, 0 }), 16, NULL, 0);
	assert_true(client_recv(&b, &b.c) && b.c.head.error == EINVAL);
	/* nor does a reply that nobody waits for */
	client_send(&b.c, VFU_DMA_READ, VFU_TYPE_REPLY, "0123456789abcdef", 16, NULL, 0);
	sound(fds);
}

static void bad_hellos(void **state)
{
	static const struct {
		const char *body;
		unsigned int n;
		int err;
		unsigned int cmd;
	} hello[] = {
		{ "", 0, EINVAL, VFU_VERSION },
		{ "\0\0", 2, EINVAL, VFU_VERSION },
		{ "\1\0\0\0", 4, ENOTSUP, VFU_VERSION },
		{ "\0\0\0\0{}", 6, EINVAL, VFU_VERSION }, /* no NUL */
		{ "\0\0\0\0", 5, EINVAL, VFU_VERSION }, /* no JSON */
		{ "\0\0\0\0[]", 7, EINVAL, VFU_VERSION },
		{ "\0\0\0\0{\"capabilities\":", 21, EINVAL, VFU_VERSION },
		{ "\0\0\0\0{\"capabilities\":1}", 23, EINVAL, VFU_VERSION },
		{ "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":\"x\"}}", 41, EINVAL, VFU_VERSION },
		{ "\0\0\0\0{\"capabilities\":{\"max_data_xfer_size\":0}}", 46, EINVAL,
		  VFU_VERSION },
		{ "\0\0\0\0{\"capabilities\":{\"max_data_xfer_size\":-5}}", 47, EINVAL,
		  VFU_VERSION },
		{ "\20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, EINVAL, VFU_GET_INFO },
		{ "", 0, EINVAL, VFU_RESET },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(hello) / sizeof(hello[0]); i++) {
		reconnect();
		if (client_call(&b, &b.c, hello[i].cmd, hello[i].body, hello[i].n, NULL, 0) !=
		    hello[i].err) {
			print_error("hello %u\n", i);
			fail();
		}
		assert_false(client_recv(&b, &b.c));
	}
	reconnect();
	client_hello(&b, &b.c);
}

/* Nested beyond reason: refused, not recursed into the stack. */
static void deep_json(void **state)
{
	static char body[60000];

	(void)state;
	reconnect();
	memset(body + 4, '[', sizeof(body) - 5);
	bcheck(&b, client_call(&b, &b.c, VFU_VERSION, body, sizeof(body), NULL, 0) == EINVAL);
	assert_false(client_recv(&b, &b.c));
}

/* Every message cut off after every number of bytes (descriptors on the first). */
static void cut_off(void **state)
{
	struct { struct vfu_header h; struct vfu_dma_map m; } map =
		{ { 1, VFU_DMA_MAP, 48, 0, 0 }, { 32, 3, 0, 0x1000, 0x1000 } };
	struct { struct vfu_header h; struct vfu_irq_set s; } irqs =
		{ { 1, VFU_SET_IRQS, 36, 0, 0 }, { 20, EVENTFD | TRIGGER, 2, 0, 1 } };
	struct { struct vfu_header h; struct vfu_region_rw rw; uint32_t v; } write =
		{ { 1, VFU_REGION_WRITE, 36, 0, 0 }, { 0, 0, 4 }, 5 };
	struct { struct vfu_header h; struct vfu_region_rw rw; } read =
		{ { 1, VFU_REGION_READ, 32, 0, 0 }, { 0, 0, 8 } };
	struct { struct vfu_header h; } reset = { { 1, VFU_RESET, 16, 0, 0 } };
	const struct { const void *p; unsigned int n; bool fd;
	} msgs[] = {
		{ &map, 48, true },   { &irqs, 36, true },   { &write, 36, false },
		{ &read, 32, false }, { &reset, 16, false },
	};
	int memfd = memfd_create("m", MFD_CLOEXEC), event = eventfd(0, EFD_CLOEXEC);
	unsigned int fds = count_fds(), clients = 0;

	(void)state;
	assert_int_equal(ftruncate(memfd, 8192), 0);
	for (unsigned int m = 0; m < 5; m++)
		for (unsigned int n = 1; n <= msgs[m].n; n += n % 7 ? 1 : 3) {
			int *fd = m ? &event : &memfd;

			enable(&b);
			/* in two pieces, the server looking in between, or in one */
			client_bytes(&b.c, msgs[m].p, n / 2 + 1, fd, msgs[m].fd);
			if (n & 1)
				bench_run(&b, 3);
			if (n > n / 2 + 1)
				client_bytes(&b.c, (const uint8_t *)msgs[m].p + n / 2 + 1,
					     n - n / 2 - 1, NULL, 0);
			bench_run(&b, n % 5);
			reconnect();
			client_hello(&b, &b.c);
			bcheck(&b, sim_vfu_stats(b.v)->clients == ++clients + 1);
			sound(fds);
		}
	close(memfd);
	close(event);
}

/* One byte at a time is slow, not wrong. */
static void dribble(void **state)
{
	struct { struct vfu_header h; struct vfu_dma_map m; } map =
		{ { 1, VFU_DMA_MAP, 48, 0, 0 }, { 32, 3, 0, 0x1000, 0x1000 } };
	int fd = memfd_create("m", MFD_CLOEXEC);
	struct sim_mem_stats s;

	(void)state;
	assert_int_equal(ftruncate(fd, 8192), 0);
	for (unsigned int i = 0; i < 48; i++) {
		client_bytes(&b.c, (uint8_t *)&map + i, 1, &fd, i == 0);
		bench_run(&b, 1);
	}
	assert_true(client_recv(&b, &b.c) && !b.c.head.error);
	sim_mem_get_stats(b.f->mem, &s);
	assert_int_equal(s.files, 1);
	/* several messages at once: the descriptor belongs to its own */
	struct { struct vfu_header a; struct vfu_dma_unmap u; } two =
		{ { 2, VFU_DMA_UNMAP, 40, 0, 0 }, { 24, 0, 0x1000, 0x1000 } };
	client_bytes(&b.c, &two, 40, NULL, 0);
	client_bytes(&b.c, &map, 48, &fd, 1);
	client_bytes(&b.c, &two, 40, NULL, 0);
	for (unsigned int i = 0; i < 3; i++)
		assert_true(client_recv(&b, &b.c) && !b.c.head.error);
	close(fd);
}

/* Clients that connect and say nothing, or leave at once. */
static void silent(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 20; i++) {
		reconnect();
		bench_run(&b, i);
	}
	reconnect();
	bench_run(&b, 5);
	b.v->hello_deadline = 0;	/* its time is over */
	assert_false(client_recv(&b, &b.c));
	reconnect();
	client_hello(&b, &b.c);
}

/* Messages near to good ones, and then bytes. */
static void fuzz(void **state)
{
	struct rng rng = { test_seed() };
	int pool[3] = { eventfd(0, EFD_CLOEXEC), memfd_create("m", MFD_CLOEXEC),
			open("/dev/null", O_RDWR | O_CLOEXEC) };
	unsigned int fds = count_fds(), alive = 0;

	(void)state;
	assert_int_equal(ftruncate(pool[1], 65536), 0);
	/* DMA by messages is not answered: keep the core from starting any */
	for (unsigned int i = 0; i < 4000; i++) {
		struct { struct vfu_header h; uint32_t body[16]; } m = { .h.id = (uint16_t)i };
		const struct bad *like = &bad[rng_below(&rng, sizeof(bad) / sizeof(bad[0]))];
		unsigned int n_fds = rng_percent(&rng, 20) ? (unsigned int)rng_range(&rng, 1, 3)
							   : 0;
		unsigned int n = like->n;

		memcpy(m.body, like->body, sizeof(like->body));
		m.h.cmd = (uint16_t)like->cmd;
		if (rng_percent(&rng, 10))
			n = (unsigned int)rng_below(&rng, 64);
		for (unsigned int k = (unsigned int)rng_below(&rng, 4); k; k--)
			m.body[rng_below(&rng, 10)] = (uint32_t)(rng_percent(&rng, 50) ?
				rng_below(&rng, 40) : rng_u64(&rng));
		m.h.size = 16 + n;
		m.h.flags = rng_percent(&rng, 10) ? (uint32_t)rng_below(&rng, 64) : 0;
		if (rng_percent(&rng, 1))
			((uint8_t *)&m)[rng_below(&rng, 16)] ^= (uint8_t)(1u << rng_below(&rng, 8));
		client_bytes(&b.c, &m, 16 + n, pool, n_fds);
		bench_run(&b, (unsigned int)rng_below(&rng, 8));
		for (uint8_t scrap[4096];;) {
			ssize_t r = recv(b.c.fd, scrap, sizeof(scrap), MSG_DONTWAIT);

			if (r > 0)
				continue;
			if (r == 0 || (errno != EAGAIN && errno != EWOULDBLOCK) || i % 200 == 199) {
				reconnect();
				client_hello(&b, &b.c);
				if (i & 1)
					enable(&b);
				alive++;
			}
			break;
		}
	}
	reconnect();
	client_hello(&b, &b.c);
	sound(fds);
	bcheck(&b, alive >= 20);
	for (unsigned int i = 0; i < 3; i++)
		close(pool[i]);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(negative_list), T(negative_with_fds), T(wrong_descriptors), T(hopeless),
		T(bad_hellos), T(deep_json), T(cut_off), T(dribble), T(silent), T(fuzz),
	};

	return cmocka_run_group_tests_name("sim_vfu_bad", tests, NULL, NULL);
}
