// SPDX-License-Identifier: Apache-2.0
/*
 * vfio-user server, clients that are not to be trusted with the others' time or memory: another
 * user's, one whose file becomes shorter or has no huge pages, one that hands over 65,000 files,
 * one whose answer lies behind thousands of requests, one that fills its eventfd.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cairn_hw.h"
#include "vfu_test.h"

#define PAGE 4096ull
#define NOBODY 65534

/* Whatever the umask: this file is read by nobody else, and by its owner. */
static void modes(void **state)
{
	static const mode_t masks[] = { 0, 022, 0777 };
	struct stat st;

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		mode_t before = umask(masks[i]);

		bench_stop(&b);
		bench_start(&b, BENCH_MAPPED);
		umask(before);
		assert_int_equal(lstat(b.path, &st), 0);
		assert_true(S_ISSOCK(st.st_mode));
		assert_int_equal(st.st_mode & 07777, 0600);
	}
}

/* In a child: connect as that user and say hello; the exit status is the errno of the answer. */
static pid_t stranger(uid_t uid)
{
	static const char hello[] = "\0\0\0\0{}";
	struct vfu_header h = { 1, VFU_VERSION, sizeof(h) + sizeof(hello), 0, 0 };
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	pid_t child = fork();
	int fd;

	if (child)
		return child;
	strcpy(sa.sun_path, b.path);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (setresuid(uid, uid, uid) || connect(fd, (struct sockaddr *)&sa, sizeof(sa)) ||
	    write(fd, &h, sizeof(h)) != sizeof(h) ||
	    write(fd, hello, sizeof(hello)) != sizeof(hello) ||
	    recv(fd, &h, sizeof(h), MSG_WAITALL) != sizeof(h))
		_exit(255);
	_exit((int)h.error);
}

static int answer_to(pid_t child)
{
	int status = 0, done = 0;

	for (unsigned int i = 0; i < 20000 && !done; i++) {
		bench_run(&b, 10);
		usleep(100);
		done = waitpid(child, &status, WNOHANG);
	}
	assert_int_equal(done, child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* The modes that keep them out are taken away: who they are counts all the same. */
static void another_user(void **state)
{
	uint64_t clients;

	(void)state;
	if (geteuid()) {
		print_message("only root can be another user: skipped\n");
		skip();
	}
	assert_int_equal(chmod(b.dir, 0755) | chmod(b.path, 0666), 0);
	clients = sim_vfu_stats(b.v)->clients;
	/* while the device is taken, and while it is free: EPERM, not EBUSY, and never served */
	assert_int_equal(answer_to(stranger(NOBODY)), EPERM);
	assert_int_equal(answer_to(stranger(0)), EBUSY);
	client_close(&b.c);
	bench_run(&b, 2000);
	assert_int_equal(answer_to(stranger(NOBODY)), EPERM);
	assert_non_null(strstr(b.log, "of user 65534 refused: this simulator is for user 0 and root"));
	assert_int_equal(sim_vfu_stats(b.v)->clients, clients);
	assert_int_equal(answer_to(stranger(0)), 0);
	assert_int_equal(sim_vfu_stats(b.v)->clients, clients + 1);
}

/* The core reads what is not there any more: the client goes, and a new one finds all in order. */
static void expect_lost(void)
{
	b.f->in_n = 0;
	fake_read(b.f, 0x100000, 64, 4);
	assert_false(client_recv(&b, &b.c));
	assert_non_null(strstr(b.log, "memory that it handed over is gone"));
	bench_run(&b, 4000);
	assert_false(sim_vfu_busy(b.v));
	client_close(&b.c);
	client_connect(&b, &b.c);
	client_hello(&b, &b.c);
	enable(&b);
	b.log[0] = 0;
}

static void lost_memory(void **state)
{
	int fd;

	(void)state;
	for (unsigned int writes = 0; writes < 2; writes++) {
		uint8_t data[64] = { 1 };

		fd = memfd_create("short", MFD_CLOEXEC);
		assert_int_equal(ftruncate(fd, 2 * PAGE), 0);
		bcheck(&b, dma_map(&b, 0x100000, 2 * PAGE, 3, fd, 0) == 0);
		assert_int_equal(ftruncate(fd, 0), 0);
		if (writes)
			fake_write(b.f, 0x100000, data, 64);
		expect_lost();
		close(fd);
	}
}

static bool no_huge_pages(void)
{
	FILE *file = fopen("/proc/sys/vm/nr_hugepages", "r");
	int n = -1, more = 0;

	if (file) {
		if (fscanf(file, "%d", &n) != 1)
			n = -1;
		fclose(file);
	}
	file = fopen("/proc/sys/vm/nr_overcommit_hugepages", "r");
	if (file) {
		if (fscanf(file, "%d", &more) != 1)
			more = 1;
		fclose(file);
	}
	return !n && !more;
}

/* Sealed, so never shorter; and yet no page comes when it is touched. */
static void no_huge_page(void **state)
{
	int fd = memfd_create("huge", MFD_CLOEXEC | MFD_HUGETLB | MFD_ALLOW_SEALING);

	(void)state;
	if (fd < 0 || ftruncate(fd, 4 << 20) || !no_huge_pages()) {
		print_message("no huge pages to be without: skipped\n");
		skip();
	}
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	bcheck(&b, dma_map(&b, 0x100000, 2 << 20, 3, fd, 0) == 0);
	expect_lost();
	close(fd);
}

/* 65,000 files: what is mapped stays bounded, the rest is asked for by message, all of it works. */
static void many_files(void **state)
{
	const unsigned int maps = 65000;
	struct sim_mem_stats s;
	unsigned int most = 0, done = 0, fds = count_fds();
	uint8_t data[64] = { 9 };

	(void)state;
	for (unsigned int i = 0; i < maps; i++) {
		const struct vfu_dma_map m = { sizeof(m), 3, 0, 0x10000000 + i * PAGE, PAGE };
		int fd = memfd_create("one", MFD_CLOEXEC);

		assert_int_equal(ftruncate(fd, (off_t)PAGE), 0);
		client_send(&b.c, VFU_DMA_MAP, 0, &m, sizeof(m), &fd, 1);
		close(fd);
		/* one turn of the main loop: it ends although there is always more */
		if (i % 64 == 63) {
			uint64_t before = sim_vfu_stats(b.v)->messages;
			unsigned int n;

			sim_vfu_service(b.v);
			n = (unsigned int)(sim_vfu_stats(b.v)->messages - before);
			most = n > most ? n : most;
			for (struct vfu_header h; recv(b.c.fd, &h, sizeof(h), MSG_DONTWAIT) > 0;) {
				assert_int_equal(h.error, 0);
				done++;
			}
		}
	}
	bench_run(&b, 100);
	for (struct vfu_header h; recv(b.c.fd, &h, sizeof(h), MSG_DONTWAIT) > 0; done++)
		assert_int_equal(h.error, 0);
	assert_int_equal(done, maps);
	assert_in_range(most, 1, 256);
	sim_mem_get_stats(b.f->mem, &s);
	assert_int_equal(s.maps, maps);
	assert_in_range(s.files, 1, 1024);
	assert_int_equal(count_fds(), fds);
	/* the last one is not mapped: a message */
	fake_write(b.f, 0x10000000 + (maps - 1) * PAGE, data, 64);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_DMA_WRITE);
	client_close(&b.c);
}

/* A descriptor of a whole process, or of a file on a disk, is not used and not kept. */
static void other_descriptors(void **state)
{
	int mem = open("/proc/self/mem", O_RDWR | O_CLOEXEC), fds = (int)count_fds();
	uint8_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0);
	uint8_t data[64] = { 3 };

	(void)state;
	bcheck(&b, dma_map(&b, 0x100000, PAGE, 3 | VFU_MAP_FILE_IO, mem, (uintptr_t)page) == 0);
	assert_int_equal(count_fds(), fds);
	fake_write(b.f, 0x100000, data, 64);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_DMA_WRITE);
	assert_int_equal(page[0], 0);
	munmap(page, PAGE);
	close(mem);
}

/* The answer to a DMA message lies behind more doorbells than are taken at a time. */
static void answer_behind_requests(void **state)
{
	struct {
		struct vfu_region_rw rw;
		uint64_t data;
	} m = { { 0, 2, 8 }, 0 };
	struct vfu_header h;
	struct client dma;
	uint8_t data[64] = { 5 };

	(void)state;
	bcheck(&b, dma_map(&b, 0x100000, PAGE, 3, -1, 0) == 0);
	fake_write(b.f, 0x100000, data, 64);
	assert_true(client_recv(&b, &b.c) && b.c.head.cmd == VFU_DMA_WRITE);
	dma = b.c;
	for (unsigned int i = 0, idle = 0; i < VFU_MAX_BACKLOG + 1000;) {
		struct pollfd room = { b.c.fd, POLLOUT, 0 };

		if (poll(&room, 1, 0) == 1) {
			client_send(&b.c, VFU_REGION_WRITE, VFU_NO_REPLY, &m, sizeof(m), NULL, 0);
			i++;
			idle = 0;
			continue;
		}
		bench_run(&b, 160);
		assert_in_range(idle++, 0, 1000);	/* nothing is read any more */
	}
	h = dma.head;
	h.flags = VFU_TYPE_REPLY;
	h.size = sizeof(h);
	client_bytes(&b.c, &h, sizeof(h), NULL, 0);
	for (unsigned int i = 0; sim_pcie_stalled(b.f->p) && i < 20000; i++)
		bench_run(&b, 16);
	bcheck(&b, !sim_pcie_stalled(b.f->p));
	bcheck(&b, sim_vfu_stats(b.v)->bar_writes >= VFU_MAX_BACKLOG + 1000);
}

/* A write to it would wait for ever, even if its counter was not full when it was looked at. */
static void full_eventfd(void **state)
{
	int fd = eventfd(0, EFD_CLOEXEC);

	(void)state;
	bcheck(&b, set_irqs(&b, VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER, 0, 1, &fd,
			    1) == 0);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	assert_int_equal(eventfd_write(fd, UINT64_MAX - 1), 0);
	bcheck(&b, set_irqs(&b, VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER, 0, 1, NULL,
			    0) == 0);
	close(fd);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup_enabled, teardown)
	const struct CMUnitTest tests[] = {
		T(modes), T(another_user), T(lost_memory), T(no_huge_page), T(many_files),
		T(other_descriptors), T(answer_behind_requests), T(full_eventfd),
	};

	return cmocka_run_group_tests_name("sim_vfu_trust", tests, NULL, NULL);
}
