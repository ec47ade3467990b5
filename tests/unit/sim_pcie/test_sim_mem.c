// SPDX-License-Identifier: Apache-2.0
/*
 * Host memory map: ranges against a page-by-page model under random adds and removals of any shape,
 * rights, all three backings, one mapping a file, a client that truncates its file, messages that
 * come late.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "rng.h"
#include "sim_mem.h"

#define PAGE 4096ull
#define RW (SIM_MEM_READ | SIM_MEM_WRITE)

static unsigned int count_fds(void)
{
	unsigned int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static unsigned int n_maps(struct sim_mem *m)
{
	struct sim_mem_stats s;

	sim_mem_get_stats(m, &s);
	return s.maps;
}

static void adding(void **state)
{
	struct sim_mem *m = sim_mem_new();
	static uint8_t ram[4 * PAGE];
	uint8_t b[8];

	(void)state;
	assert_int_equal(sim_mem_add_ptr(m, 0x1000, 0, RW, ram), -EINVAL);
	assert_int_equal(sim_mem_add_ptr(m, 0x1000, PAGE, 8, ram), -EINVAL);
	assert_int_equal(sim_mem_add_ptr(m, UINT64_MAX - 0xffe, PAGE, RW, ram), -EINVAL);
	assert_int_equal(sim_mem_add_ptr(m, 0x2000, 2 * PAGE, RW, ram), 0);
	assert_int_equal(sim_mem_add_ptr(m, 0x2000, 1, RW, ram), -EEXIST);
	assert_int_equal(sim_mem_add_ptr(m, 0x3fff, 1, RW, ram), -EEXIST);
	assert_int_equal(sim_mem_add_ptr(m, 0x1000, PAGE + 1, RW, ram), -EEXIST);
	assert_int_equal(sim_mem_add_ptr(m, 0, 0x10000, RW, ram), -EEXIST);
	/* neighbours, and the very top */
	assert_int_equal(sim_mem_add_ptr(m, 0x1000, PAGE, SIM_MEM_READ, ram + 2 * PAGE), 0);
	assert_int_equal(sim_mem_add_ptr(m, -PAGE, PAGE, RW, ram + 3 * PAGE), 0);
	assert_int_equal(sim_mem_write(m, UINT64_MAX - 7, "topbyte", 8), 0);
	assert_string_equal((char *)ram + 4 * PAGE - 8, "topbyte");
	assert_int_equal(sim_mem_check(m, UINT64_MAX, 2, SIM_MEM_READ), -EFAULT);
	assert_int_equal(sim_mem_check(m, UINT64_MAX, 1, RW), 0);
	assert_int_equal(sim_mem_check(m, 0x1000, 0, 0), -EFAULT);
	/* read across the border of two maps; a write across is refused whole */
	memset(ram + 2 * PAGE, 7, PAGE);
	assert_int_equal(sim_mem_read(m, 0x1ffc, b, 8), 0);
	assert_memory_equal(b, "\7\7\7\7\0\0\0\0", 8);
	assert_int_equal(sim_mem_write(m, 0x1ffc, "xxxxxxxx", 8), -EACCES);
	assert_int_equal(ram[0], 0);
	assert_int_equal(sim_mem_read(m, 0x3ffc, b, 8), -EFAULT);
	assert_ptr_equal(sim_mem_ptr(m, 0x2010, 16, RW), ram + 16);
	assert_null(sim_mem_ptr(m, 0x1ffc, 8, SIM_MEM_READ));
	assert_null(sim_mem_ptr(m, 0x1000, 8, SIM_MEM_WRITE));
	sim_mem_set_limit(m, 3);
	assert_int_equal(sim_mem_add_ptr(m, 0x8000, PAGE, RW, ram), -ENOSPC);
	sim_mem_free(m);
}

/* A removal may hit nothing, a part, many maps, all. */
static void removing(void **state)
{
	struct sim_mem *m = sim_mem_new();
	static uint8_t ram[16 * PAGE];

	(void)state;
	assert_int_equal(sim_mem_del(m, 0, PAGE), 0);
	assert_int_equal(sim_mem_add_ptr(m, 0, 16 * PAGE, RW, ram), 0);
	assert_int_equal(sim_mem_del(m, 0, 0), 0);
	assert_int_equal(sim_mem_del(m, 0x20000, PAGE), 0);
	assert_int_equal(sim_mem_del(m, 4 * PAGE, 4 * PAGE), 1);	/* a hole: two remain */
	assert_int_equal(n_maps(m), 2);
	assert_int_equal(sim_mem_check(m, 4 * PAGE - 1, 1, RW), 0);
	assert_int_equal(sim_mem_check(m, 4 * PAGE - 1, 2, RW), -EFAULT);
	assert_int_equal(sim_mem_check(m, 8 * PAGE - 1, 1, RW), -EFAULT);
	assert_ptr_equal(sim_mem_ptr(m, 8 * PAGE + 5, 1, RW), ram + 8 * PAGE + 5);
	assert_int_equal(sim_mem_del(m, 3 * PAGE, 6 * PAGE), 2); /* over the hole, into both */
	assert_int_equal(sim_mem_check(m, 3 * PAGE, 1, RW), -EFAULT);
	assert_ptr_equal(sim_mem_ptr(m, 9 * PAGE, 1, RW), ram + 9 * PAGE);
	/* the whole space, in two halves as QEMU does */
	assert_int_equal(sim_mem_del(m, 1ull << 63, 1ull << 63), 0);
	assert_int_equal(sim_mem_del(m, 0, 1ull << 63), 2);
	assert_int_equal(n_maps(m), 0);
	/* one page each, removed by one call */
	for (uint64_t i = 0; i < 16; i++)
		assert_int_equal(sim_mem_add_ptr(m, (15 - i) * PAGE, PAGE, RW, ram), 0);
	assert_int_equal(sim_mem_del(m, 0, UINT64_MAX), 16);
	sim_mem_free(m);
}

enum { SPACE = 64 };

/* Every page: 0 not mapped, else rights in bits 1:0 and the backing page above. */
static void compare(struct sim_mem *m, const unsigned int *model, uint8_t *ram, uint64_t seed)
{
	for (unsigned int i = 0; i < SPACE; i++) {
		int want = !model[i] ? -EFAULT : (model[i] & SIM_MEM_READ) ? 0 : -EACCES;
		uint8_t *at = sim_mem_ptr(m, i * PAGE + 9, 1, 0);

		if (sim_mem_check(m, i * PAGE, PAGE, SIM_MEM_READ) != want ||
		    at != (model[i] ? ram + (model[i] >> 2) * PAGE + 9 : NULL)) {
			print_error("page %u differs, seed 0x%llx\n", i, (unsigned long long)seed);
			fail();
		}
	}
}

static void random_shapes(void **state)
{
	static uint8_t ram[SPACE * PAGE];
	unsigned int model[SPACE] = { 0 };
	struct sim_mem *m = sim_mem_new();
	struct rng rng = { test_seed() };

	(void)state;
	for (unsigned int step = 0; step < 4000; step++) {
		unsigned int first = (unsigned int)rng_below(&rng, SPACE);
		unsigned int n = (unsigned int)rng_range(&rng, 1,
							 rng_percent(&rng, 20) ? SPACE : 6);
		unsigned int rights = (unsigned int)rng_range(&rng, 1, 3), off;
		bool free = true;

		n = n > SPACE - first ? SPACE - first : n;
		for (unsigned int i = first; i < first + n; i++)
			free &= !model[i];
		if (rng_percent(&rng, 60)) {
			off = (unsigned int)rng_below(&rng, SPACE - n + 1);
			assert_int_equal(sim_mem_add_ptr(m, first * PAGE, n * PAGE, rights,
							 ram + off * PAGE), free ? 0 : -EEXIST);
			for (unsigned int i = first; free && i < first + n; i++)
				model[i] = rights | (off + i - first) << 2;
		} else {
			assert_int_equal(!sim_mem_del(m, first * PAGE, n * PAGE), free);
			memset(model + first, 0, n * sizeof(model[0]));
		}
		compare(m, model, ram, test_seed());
	}
	sim_mem_free(m);
}

static void many_maps(void **state)
{
	struct sim_mem *m = sim_mem_new();
	struct rng rng = { test_seed() };
	static uint8_t page[PAGE];
	const unsigned int n = 65535;

	(void)state;
	/* a fixed permutation: multiply by an odd number modulo 2^16 */
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(sim_mem_add_ptr(m, (uint64_t)(i * 40503u % 65536) * PAGE, PAGE, RW,
						 page), 0);
	assert_int_equal(sim_mem_add_ptr(m, 1ull << 40, PAGE, RW, page), -ENOSPC);
	for (unsigned int i = 0; i < 20000; i++)
		assert_int_equal(sim_mem_check(m, rng_below(&rng, 65536) * PAGE, 1, RW) == 0 ||
				 sim_mem_check(m, (uint64_t)(n * 40503u % 65536) * PAGE, 1, RW), 1);
	assert_int_equal(sim_mem_del(m, 0, 65536 * PAGE), n);
	sim_mem_free(m);
}

/* ---- files ---- */

static int memfd(uint64_t size, unsigned int seals)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	if (seals)
		assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

/* 64 maps of one file: one mapping, no descriptor kept, and everything gone at the end. */
static void one_mapping_a_file(void **state)
{
	unsigned int fds = count_fds();
	struct sim_mem *m = sim_mem_new();
	int fd = memfd(128 * PAGE, F_SEAL_SHRINK), again;
	struct sim_mem_stats s;
	char b[8];

	(void)state;
	for (uint64_t i = 0; i < 64; i++) {
		again = dup(fd);
		assert_int_equal(sim_mem_add_fd(m, i * 2 * PAGE, PAGE, RW, again, (127 - i) * PAGE),
				 0);
		close(again);
	}
	sim_mem_get_stats(m, &s);
	assert_int_equal(s.files, 1);
	assert_int_equal(s.maps, 64);
	assert_int_equal(s.mapped_bytes, 64 * PAGE);
	assert_int_equal(count_fds(), fds + 1);
	assert_int_equal(sim_mem_write(m, 2 * PAGE + 3, "hello", 6), 0);
	assert_int_equal(pread(fd, b, 6, 126 * PAGE + 3), 6);
	assert_string_equal(b, "hello");
	/* cut: the upper part keeps its place in the file */
	assert_int_equal(sim_mem_del(m, 0, 100), 1);
	assert_int_equal(pwrite(fd, "tail", 5, 127 * PAGE + 200), 5);
	assert_int_equal(sim_mem_read(m, 200, b, 5), 0);
	assert_string_equal(b, "tail");
	/* grown later: the mapping follows */
	assert_int_equal(ftruncate(fd, 256 * PAGE), 0);
	assert_int_equal(sim_mem_add_fd(m, 1ull << 40, PAGE, RW, fd, 255 * PAGE), 0);
	assert_int_equal(sim_mem_write(m, (1ull << 40) + 1, "grown", 6), 0);
	assert_int_equal(pread(fd, b, 6, 255 * PAGE + 1), 6);
	assert_string_equal(b, "grown");
	assert_int_equal(sim_mem_read(m, 200, b, 5), 0);
	assert_string_equal(b, "tail");
	sim_mem_clear(m);
	sim_mem_get_stats(m, &s);
	assert_int_equal(s.files + s.maps + s.mapped_bytes, 0);
	sim_mem_free(m);
	close(fd);
	assert_int_equal(count_fds(), fds);
}

static void bad_files(void **state)
{
	struct sim_mem *m = sim_mem_new();
	unsigned int fds;
	int fd = memfd(4 * PAGE, 0), p[2], ro, wo;
	char path[64];

	(void)state;
	assert_int_equal(pipe(p), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ro = open(path, O_RDONLY | O_CLOEXEC);
	wo = open(path, O_WRONLY | O_CLOEXEC);
	fds = count_fds();
	assert_int_equal(sim_mem_add_fd(m, 0, PAGE, RW, p[0], 0), -EINVAL);
	assert_int_equal(sim_mem_add_fd(m, 0, PAGE, RW, 9999, 0), -EBADF);
	assert_int_equal(sim_mem_add_fd(m, 0, 5 * PAGE, RW, fd, 0), -EINVAL);
	assert_int_equal(sim_mem_add_fd(m, 0, PAGE, RW, fd, 4 * PAGE), -EINVAL);
	assert_int_equal(sim_mem_add_fd(m, 0, PAGE, RW, fd, UINT64_MAX - 5), -EINVAL);
	assert_int_equal(sim_mem_add_fd(m, 0, PAGE, RW, ro, 0), -EACCES);
	assert_int_equal(sim_mem_add_fd(m, 0, PAGE, SIM_MEM_READ, wo, 0), -EACCES);
	assert_int_equal(n_maps(m), 0);
	assert_int_equal(sim_mem_add_fd(m, 0, PAGE, SIM_MEM_READ, ro, 0), 0);
	assert_int_equal(sim_mem_write(m, 0, "x", 1), -EACCES);
	sim_mem_free(m);
	assert_int_equal(count_fds(), fds);
	close(fd);
	close(ro);
	close(wo);
	close(p[0]);
	close(p[1]);
}

/* Mappings of one client are bounded, however many files it sends. */
static void too_many_files(void **state)
{
	struct sim_mem *m = sim_mem_new();
	unsigned int fds = count_fds();
	struct sim_mem_stats s;

	(void)state;
	for (uint64_t i = 0; i < 1030; i++) {
		int fd = memfd(PAGE, 0), err = sim_mem_add_fd(m, i * PAGE, PAGE, RW, fd, 0);

		close(fd);
		assert_int_equal(err, i < 1024 ? 0 : -EMFILE);
	}
	sim_mem_get_stats(m, &s);
	assert_int_equal(s.files, 1024);
	assert_int_equal(count_fds(), fds);
	assert_int_equal(sim_mem_write(m, 1023 * PAGE, "x", 1), 0);
	sim_mem_free(m);
}

/* The client cuts its file short after handing it over: an error, not the end of the simulator. */
static void truncated_file(void **state)
{
	struct sim_mem *m = sim_mem_new();
	int fd = memfd(16 * PAGE, 0);
	uint8_t b[64] = { 0 };

	(void)state;
	assert_int_equal(sim_mem_add_fd(m, 0, 16 * PAGE, RW, fd, 0), 0);
	assert_int_equal(sim_mem_write(m, 8 * PAGE, b, sizeof(b)), 0);
	assert_false(sim_mem_lost(m));
	assert_int_equal(ftruncate(fd, PAGE), 0);
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(sim_mem_write(m, 8 * PAGE, b, sizeof(b)), -EIO);
		assert_int_equal(sim_mem_read(m, 8 * PAGE, b, sizeof(b)), -EIO);
		assert_int_equal(sim_mem_read(m, 0, b, sizeof(b)), 0);
	}
	assert_true(sim_mem_lost(m));
	sim_mem_clear(m);
	assert_false(sim_mem_lost(m));
	sim_mem_free(m);
	close(fd);
}

/* A process's memory, a file of proc: nothing that is mapped. */
static void not_in_memory(void **state)
{
	struct sim_mem *m = sim_mem_new();
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(sim_mem_add_fd(m, 0x5000, 2 * PAGE, RW, fd, PAGE), -ENOTSUP);
	assert_int_equal(n_maps(m), 0);
	sim_mem_free(m);
	close(fd);
}

/* ---- messages ---- */

struct late {
	struct sim_mem_io *io;
	uint64_t iova;
	void *buf;
	uint32_t len;
	unsigned int started, done;
};

static void start(void *arg, struct sim_mem_io *io, uint64_t iova, void *buf, uint32_t len)
{
	struct late *l = arg;

	l->io = io;
	l->iova = iova;
	l->buf = buf;
	l->len = len;
	l->started++;
}

static void done(struct sim_mem_io *io)
{
	((struct late *)io->arg)->done++;
}

/* A read over a pointer, a message and a pointer again. */
static void messages(void **state)
{
	struct sim_mem *m = sim_mem_new();
	static uint8_t ram[2 * PAGE];
	uint8_t b[PAGE + 200];
	struct late l = { 0 };
	struct sim_mem_io io = { .iova = PAGE - 100, .buf = b, .len = sizeof(b), .done = done,
				 .arg = &l };

	(void)state;
	memset(ram, 1, PAGE);
	memset(ram + PAGE, 3, PAGE);
	sim_mem_add_ptr(m, 0, PAGE, RW, ram);
	sim_mem_add_msg(m, PAGE, PAGE, SIM_MEM_READ, start, &l);
	sim_mem_add_ptr(m, 2 * PAGE, PAGE, RW, ram + PAGE);
	assert_int_equal(sim_mem_read(m, PAGE - 1, b, 2), -ENOTSUP);
	assert_int_equal(sim_mem_read(m, PAGE - 1, b, 1), 0);
	assert_int_equal(sim_mem_submit(m, &io), -EINPROGRESS);
	assert_int_equal(l.started, 1);
	assert_int_equal(l.iova, PAGE);
	assert_int_equal(l.len, PAGE);
	assert_ptr_equal(l.buf, b + 100);
	memset(l.buf, 2, l.len);
	sim_mem_io_complete(&io, 0);
	assert_int_equal(io.status, 0);
	assert_int_equal(l.done, 1);
	for (unsigned int i = 0; i < sizeof(b); i++)
		assert_int_equal(b[i], i < 100 ? 1 : i < 100 + PAGE ? 2 : 3);
	/* no right: no message; an error of the client; the map goes meanwhile */
	io.write = true;
	assert_int_equal(sim_mem_submit(m, &io), -EACCES);
	assert_int_equal(l.started, 1);
	io.write = false;
	assert_int_equal(sim_mem_submit(m, &io), -EINPROGRESS);
	sim_mem_io_complete(&io, -EIO);
	assert_int_equal(io.status, -EIO);
	assert_int_equal(sim_mem_submit(m, &io), -EINPROGRESS);
	sim_mem_del(m, 2 * PAGE, PAGE);
	sim_mem_io_complete(&io, 0);
	assert_int_equal(io.status, -EFAULT);
	assert_int_equal(l.done, 3);
	sim_mem_free(m);
}

/* Unaligned stores of all lengths put the right bytes, no more. */
static void store_lengths(void **state)
{
	struct sim_mem *m = sim_mem_new();
	struct rng rng = { test_seed() };
	static uint8_t ram[PAGE], want[PAGE], data[PAGE];

	(void)state;
	sim_mem_add_ptr(m, 0, PAGE, RW, ram);
	rng_bytes(&rng, data, sizeof(data));
	for (unsigned int i = 0; i < 3000; i++) {
		unsigned int off = (unsigned int)rng_below(&rng, 64);
		unsigned int len = (unsigned int)rng_range(&rng, 1, i < 1500 ? 40 : 2000);
		unsigned int from = (unsigned int)rng_below(&rng, 64);

		assert_int_equal(sim_mem_write(m, off, data + from, len), 0);
		memcpy(want + off, data + from, len);
		assert_memory_equal(ram, want, PAGE);
	}
	sim_mem_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adding),
		cmocka_unit_test(removing),
		cmocka_unit_test(random_shapes),
		cmocka_unit_test(many_maps),
		cmocka_unit_test(one_mapping_a_file),
		cmocka_unit_test(bad_files),
		cmocka_unit_test(too_many_files),
		cmocka_unit_test(truncated_file),
		cmocka_unit_test(not_in_memory),
		cmocka_unit_test(messages),
		cmocka_unit_test(store_lengths),
	};

	return cmocka_run_group_tests_name("sim_mem", tests, NULL, NULL);
}
