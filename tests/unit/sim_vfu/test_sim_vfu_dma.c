// SPDX-License-Identifier: Apache-2.0
/*
 * vfio-user server, memory: memfds, messages, removals as QEMU
 * makes them, what happens to accesses under way when maps or the client go, and no deadlock
 * between a register access and DMA by messages.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cairn_hw.h"
#include "vfu_test.h"

#define PAGE 4096ull

static int setup_serving(enum bench_memory memory)
{
	bench_start(&b, memory);
	enable(&b);
	b.client_ram = calloc(1, 0x10000);
	b.on_dma = dma_serve;
	return 0;
}

static int setup_messages(void **state)
{
	(void)state;
	return setup_serving(BENCH_MESSAGES);
}

static int setup_ask_all(void **state)
{
	(void)state;
	return setup_serving(BENCH_ASK_ALL);
}

static int memfd(uint64_t size, uint8_t **at)
{
	int fd = memfd_create("ram", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	*at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(*at != MAP_FAILED);
	return fd;
}

/* The core writes `n` bytes at `to` and reads them back. */
static void core_copy(uint64_t to, const uint8_t *data, unsigned int n, uint8_t *back)
{
	b.f->in_n = 0;
	fake_write(b.f, to, data, n);
	fake_read(b.f, to, n, 3);
	bench_run(&b, 600);
	bcheck(&b, fake_collect(b.f, 3, to, back) == (int)n);
}

static void shared_file(void **state)
{
	uint8_t *ram, data[256], back[256];
	int fd = memfd(64 * PAGE, &ram);
	unsigned int before = count_fds();

	(void)state;
	rng_bytes(&b.f->rng, data, sizeof(data));
	bcheck(&b, dma_map(&b, 1ull << 32, 32 * PAGE, 3, fd, 32 * PAGE) == 0);
	bcheck(&b, dma_map(&b, 0, 16 * PAGE, 1, fd, 0) == 0);
	assert_int_equal(count_fds(), before);	/* none is kept for what is mapped */
	core_copy((1ull << 32) + 0x123, data, 200, back);
	assert_memory_equal(back, data, 200);
	assert_memory_equal(ram + 32 * PAGE + 0x123, data, 200);
	/* read-only */
	sim_pcie_expect(b.f->p, SIM_TLP_RIGHTS, true);
	fake_write(b.f, 0, data, 16);
	bench_run(&b, 200);
	bcheck(&b, ram[0] == 0 && sim_pcie_expected_count(b.f->p, SIM_TLP_RIGHTS) == 1);
	munmap(ram, 64 * PAGE);
	close(fd);
}

/* One map a page, taken away in other pieces; what is not there is no error. */
static void as_qemu(void **state)
{
	struct vfu_dma_unmap all = { sizeof(all), VFIO_DMA_UNMAP_FLAG_ALL, 0, 0 };
	struct sim_mem_stats s;
	uint8_t *ram;
	int fd = memfd(512 * PAGE, &ram);

	(void)state;
	for (unsigned int i = 0; i < 512; i++)
		bcheck(&b, dma_map(&b, (uint64_t)i * PAGE, PAGE, 3, fd, (511 - i) * PAGE) == 0);
	sim_mem_get_stats(b.f->mem, &s);
	assert_int_equal(s.maps, 512);
	assert_int_equal(s.files, 1);
	bcheck(&b, dma_map(&b, 5 * PAGE, PAGE, 3, fd, 0) == EEXIST);
	bcheck(&b, dma_unmap(&b, 100 * PAGE, PAGE) == 0);
	bcheck(&b, dma_unmap(&b, 256 * PAGE, 256 * PAGE) == 0);
	bcheck(&b, dma_unmap(&b, 1ull << 50, PAGE) == 0);
	bcheck(&b, dma_unmap(&b, 1ull << 63, 1ull << 63) == 0);
	sim_mem_get_stats(b.f->mem, &s);
	assert_int_equal(s.maps, 255);
	bcheck(&b, dma_unmap(&b, 0, 1ull << 63) == 0);
	sim_mem_get_stats(b.f->mem, &s);
	assert_int_equal(s.maps, 0);
	bcheck(&b, dma_map(&b, 0, 16 * PAGE, 3, fd, 0) == 0);
	bcheck(&b, client_call(&b, &b.c, VFU_DMA_UNMAP, &all, sizeof(all), NULL, 0) == 0);
	sim_mem_get_stats(b.f->mem, &s);
	assert_int_equal(s.maps + s.files, 0);
	munmap(ram, 512 * PAGE);
	close(fd);
}

static void too_many(void **state)
{
	(void)state;
	sim_mem_set_limit(b.f->mem, 4);
	for (unsigned int i = 0; i < 5; i++)
		bcheck(&b, dma_map(&b, i * PAGE, PAGE, 3, -1, 0) == (i < 4 ? 0 : ENOSPC));
}

/* What the core has sent is in memory before the answer to DMA_UNMAP. */
static void unmap_flushes(void **state)
{
	uint8_t *ram, data[64];
	int fd = memfd(PAGE, &ram);

	(void)state;
	memset(data, 0x77, sizeof(data));
	bcheck(&b, dma_map(&b, 0, PAGE, 3, fd, 0) == 0);
	fake_write(b.f, 0x80, data, 64);
	while (b.f->out_n || b.f->s.tx_valid)
		fake_cycle(b.f);
	assert_int_equal(ram[0x80], 0);
	client_send(&b.c, VFU_DMA_UNMAP, 0, &(struct vfu_dma_unmap){ 24, 0, 0, PAGE }, 24, NULL, 0);
	sim_vfu_service(b.v);
	assert_int_equal(ram[0x80], 0x77);
	assert_true(client_recv(&b, &b.c));
	munmap(ram, PAGE);
	close(fd);
}

/* ---- messages ---- */

/* Serve DMA messages until the core is idle again. */
static void serve_until_idle(void)
{
	for (unsigned int i = 0; i < 100000; i++) {
		uint8_t byte;

		bench_run(&b, 10);
		if (recv(b.c.fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 1) {
			assert_true(client_recv(&b, &b.c));
			b.on_dma(&b, &b.c);
		} else if (!b.f->out_n && sim_pcie_idle(b.f->p)) {
			return;
		}
	}
	fail_msg("never idle");
}

static void by_messages(void **state)
{
	uint8_t *ram, data[256], back[512];
	int fd = memfd(16 * PAGE, &ram);

	(void)state;
	rng_bytes(&b.f->rng, data, sizeof(data));
	/* the server was told to use messages although there is a descriptor */
	bcheck(&b, dma_map(&b, 0x100000, 8 * PAGE, 3, fd, 0) == 0);
	bcheck(&b, dma_map(&b, 0x100000 + 8 * PAGE, 8 * PAGE, 3, -1, 0) == 0);
	b.f->in_n = 0;
	fake_write(b.f, 0x100000 + 7 * PAGE + 0xf00, data, 256);
	fake_write(b.f, 0x100000 + 8 * PAGE, data, 256);
	fake_read(b.f, 0x100000 + 7 * PAGE + 0xf80, 128, 1);
	fake_read(b.f, 0x100000 + 8 * PAGE, 512, 2);
	serve_until_idle();
	assert_memory_equal(b.client_ram + 7 * PAGE + 0xf00, data, 256);
	assert_memory_equal(b.client_ram + 8 * PAGE, data, 256);
	assert_int_equal(ram[7 * PAGE + 0xf00], 0);
	bcheck(&b, fake_collect(b.f, 1, 0x100000 + 7 * PAGE + 0xf80, back) == 128);
	assert_memory_equal(back, data + 128, 128);
	bcheck(&b, fake_collect(b.f, 2, 0x100000 + 8 * PAGE, back) == 512);
	assert_memory_equal(back, data, 256);
	bcheck(&b, sim_vfu_stats(b.v)->dma_messages == 4);
	munmap(ram, 16 * PAGE);
	close(fd);
}

/* A client with small messages: an access in pieces. */
static void small_messages(void **state)
{
	static const char hello[] = "\0\0\0\0{\"capabilities\":{\"max_data_xfer_size\":100}}";
	uint8_t back[512];

	(void)state;
	client_close(&b.c);
	bench_run(&b, 200);
	client_connect(&b, &b.c);
	bcheck(&b, client_call(&b, &b.c, VFU_VERSION, hello, sizeof(hello), NULL, 0) == 0);
	enable(&b);
	for (unsigned int i = 0; i < 512; i++)
		b.client_ram[i] = (uint8_t)(i * 7);
	bcheck(&b, dma_map(&b, 0x100000, PAGE, 3, -1, 0) == 0);
	fake_read(b.f, 0x100000, 512, 1);
	serve_until_idle();
	bcheck(&b, fake_collect(b.f, 1, 0x100000, back) == 512);
	assert_memory_equal(back, b.client_ram, 512);
	bcheck(&b, sim_vfu_stats(b.v)->dma_messages == 6);
}

/*
 * The client will answer a DMA message only after its register read, its configuration write, its
 * map and its reset were answered, as a QEMU holding its big lock does.
 */
static void no_deadlock(void **state)
{
	uint8_t data[64] = { 5 };
	uint32_t v;
	struct client dma;

	(void)state;
	bcheck(&b, dma_map(&b, 0x100000, 16 * PAGE, 3, -1, 0) == 0);
	fake_write(b.f, 0x100000, data, 64);
	fake_write(b.f, 0x100040, data, 64);
	b.on_dma = NULL;
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_DMA_WRITE);
	dma = b.c;
	bcheck(&b, sim_pcie_stalled(b.f->p));
	bcheck(&b, region_read(&b, 0, 8, &v, 4) == 0 && v == (uint32_t)bar_value(8));
	bcheck(&b, sim_pcie_stalled(b.f->p));
	v = 0;
	bcheck(&b, region_write(&b, 2, 0, &v, 4) == 0);
	bcheck(&b, dma_map(&b, 0x900000, PAGE, 3, -1, 0) == 0);
	bcheck(&b, dma_unmap(&b, 0x100000, 16 * PAGE) == 0);	/* even the one in use */
	bcheck(&b, client_call(&b, &b.c, VFU_RESET, NULL, 0, NULL, 0) == 0);
	dma_serve(&b, &dma);
	bench_run(&b, 500);
	bcheck(&b, b.client_ram[0] == 5 && !sim_pcie_stalled(b.f->p));
	bcheck(&b, sim_pcie_stats(b.f->p)->dma_errors == 1);	/* the second write, unmapped now */
}

static void answer(const struct client *c, uint32_t flags, const void *body, uint32_t n)
{
	struct vfu_header h = c->head;
	struct client copy = *c;

	h.flags = VFU_TYPE_REPLY | flags;
	h.error = flags ? EFAULT : 0;
	h.size = (uint32_t)sizeof(h) + n;
	client_bytes(&copy, &h, sizeof(h), NULL, 0);
	if (n)
		client_bytes(&copy, body, n, NULL, 0);
}

/*
 * The client's own IOMMU refuses: the core gets UR, writes vanish; an old client's empty answer is
 * good.
 */
static void refused_by_client(void **state)
{
	uint8_t data[64] = { 1 };

	(void)state;
	bcheck(&b, dma_map(&b, 0x100000, 16 * PAGE, 3, -1, 0) == 0);
	b.f->in_n = 0;
	fake_read(b.f, 0x100000, 64, 4);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_DMA_READ);
	answer(&b.c, VFU_ERROR, NULL, 0);
	bench_run(&b, 300);
	bcheck(&b, b.f->in_n == 1 && b.f->in[0].h.status == CAIRN_CPL_STATUS_UR);
	fake_write(b.f, 0x100000, data, 64);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_DMA_WRITE);
	answer(&b.c, 0, NULL, 0);
	bench_run(&b, 300);
	bcheck(&b, sim_pcie_idle(b.f->p) && sim_pcie_stats(b.f->p)->dma_errors == 1);
}

/* What the client has not mapped, it is asked for all the same: its IOMMU has the last word. */
static void asked_for_all(void **state)
{
	uint8_t data[64] = { 7 };

	(void)state;
	bcheck(&b, dma_map(&b, 0x100000, PAGE, 3, -1, 0) == 0);
	b.f->in_n = 0;
	fake_write(b.f, 0x100000 + 3 * PAGE, data, 64);
	serve_until_idle();
	bcheck(&b, b.client_ram[3 * PAGE] == 7);
	fake_read(b.f, 0x100000 + PAGE, 64, 4);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_DMA_READ);
	answer(&b.c, VFU_ERROR, NULL, 0);
	bench_run(&b, 300);
	bcheck(&b, b.f->in_n == 1 && b.f->in[0].h.status == CAIRN_CPL_STATUS_UR);
	/* also when it has taken everything back */
	bcheck(&b, dma_unmap(&b, 0x100000, PAGE) == 0);
	fake_read(b.f, 0x100000 + PAGE, 64, 5);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_DMA_READ);
	answer(&b.c, VFU_ERROR, NULL, 0);
	bench_run(&b, 300);
	bcheck(&b, b.f->in_n == 2 && sim_pcie_stats(b.f->p)->dma_errors == 2);
}

/* Answers of the wrong shape end the client; those nobody asked for are ignored. */
static void wrong_answers(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < 5; kind++) {
		struct vfu_dma_rw rw;
		uint8_t body[16 + 64] = { 0 };

		bcheck(&b, dma_map(&b, 0x100000, 16 * PAGE, 3, -1, 0) == 0);
		fake_read(b.f, 0x100000, 64, kind);
		assert_true(client_recv(&b, &b.c));
		if (kind == 4) {
			struct client other = b.c;

			other.head.id++;
			answer(&other, 0, body, 80);	/* ignored */
			other.head.id--;
			other.head.cmd = VFU_DMA_WRITE;
			answer(&other, 0, body, 16);
			bench_run(&b, 50);
			bcheck(&b, sim_pcie_stalled(b.f->p));
			answer(&b.c, VFU_ERROR, NULL, 0);
			bench_run(&b, 300);
			bcheck(&b, !sim_pcie_stalled(b.f->p));
			break;
		}
		memcpy(&rw, b.c.body, 16);
		rw.iova += kind == 1;
		rw.count -= kind == 2;
		memcpy(body, &rw, 16);
		answer(&b.c, 0, body, kind == 0 ? 8 : kind == 3 ? 79 : 80);
		assert_false(client_recv(&b, &b.c));
		bcheck(&b, sim_vfu_stats(b.v)->bad_clients == kind + 1);
		bench_run(&b, 500);
		client_close(&b.c);
		client_connect(&b, &b.c);
		client_hello(&b, &b.c);
		enable(&b);
	}
}

static void never_answers(void **state)
{
	uint64_t t0 = vfu_now_ms();
	struct sim_mem_stats s;

	(void)state;
	bcheck(&b, dma_map(&b, 0x100000, 16 * PAGE, 3, -1, 0) == 0);
	b.f->in_n = 0;
	fake_read(b.f, 0x100000, 64, 1);
	fake_read(b.f, 0x100040, 64, 2);
	assert_true(client_recv(&b, &b.c));
	bcheck(&b, sim_vfu_timeout(b.v) > 0 && sim_vfu_timeout(b.v) <= 200);
	while (sim_pcie_stalled(b.f->p)) {
		usleep(5000);
		bench_run(&b, 1);
		assert_true(vfu_now_ms() - t0 < 5000);
	}
	bench_run(&b, 500);
	bcheck(&b, !sim_vfu_busy(b.v));
	bcheck(&b, b.f->in_n == 2 && b.f->in[0].h.status == CAIRN_CPL_STATUS_UR);
	sim_mem_get_stats(b.f->mem, &s);
	assert_int_equal(s.maps, 0);
}

/* The client dies with DMA under way: answered with errors, no trace of it left. */
static void dies_in_dma(void **state)
{
	(void)state;
	b.f->stop_at_flr = true;
	for (unsigned int i = 0; i < 20; i++) {
		uint8_t data[64] = { 0 };

		bcheck(&b, dma_map(&b, 0x100000, 16 * PAGE, 3, -1, 0) == 0);
		for (unsigned int k = 0; k < 4; k++) {
			fake_write(b.f, 0x100000 + k * 64, data, 64);
			fake_read(b.f, 0x100000 + k * 64, 64, k);
		}
		bench_run(&b, 20 * i);
		client_close(&b.c);
		bench_run(&b, 1000);
		bcheck(&b, !sim_vfu_busy(b.v) && sim_pcie_idle(b.f->p));
		client_connect(&b, &b.c);
		client_hello(&b, &b.c);
		enable(&b);
	}
}

/*
 * Dying with files: the maps live until the reset is done, then the memory is the client's alone
 * again.
 */
static void dies_with_files(void **state)
{
	struct sim_mem_stats s;
	uint8_t *ram;
	int fd = memfd(PAGE, &ram);

	(void)state;
	bcheck(&b, dma_map(&b, 0, PAGE, 3, fd, 0) == 0);
	b.f->hold_flr = true;
	client_close(&b.c);
	bench_run(&b, 100);
	fake_write(b.f, 0, "last", 4);	/* while it is being reset, the core may still write */
	bench_run(&b, 200);
	assert_memory_equal(ram, "last", 4);
	sim_mem_get_stats(b.f->mem, &s);
	assert_int_equal(s.maps, 1);
	b.f->hold_flr = false;
	bench_run(&b, 200);
	bcheck(&b, !sim_vfu_busy(b.v));
	sim_mem_get_stats(b.f->mem, &s);
	assert_int_equal(s.maps + s.files, 0);
	munmap(ram, PAGE);
	close(fd);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup_enabled, teardown)
#define M(name) cmocka_unit_test_setup_teardown(name, setup_messages, teardown)
#define A(name) cmocka_unit_test_setup_teardown(name, setup_ask_all, teardown)
	const struct CMUnitTest tests[] = {
		T(shared_file), T(as_qemu), T(too_many), T(unmap_flushes),
		M(by_messages), M(small_messages), M(no_deadlock), M(refused_by_client),
		A(asked_for_all), M(wrong_answers), M(never_answers), M(dies_in_dma),
		T(dies_with_files),
	};

	return cmocka_run_group_tests_name("sim_vfu_dma", tests, NULL, NULL);
}
