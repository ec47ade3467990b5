// SPDX-License-Identifier: Apache-2.0
/*
 * Pages that one process shows to others (sealed.h), and the page of device time (devtime.h): what
 * is shown is found, cannot be cut short, and for readers not be written; whatever else is in the
 * file or behind the descriptor that it names is refused without being touched.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "devtime.h"
#include "sealed.h"

#define MAGIC "TESTPAGE"
#define BYTES 10000

static char top[] = "/tmp/cairn-sealed-XXXXXX";
static int dir;
static char why[256];

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(top))
		return -1;
	dir = trust_open_dir(top, TRUST_PRIVATE, why, sizeof(why));
	return dir < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlinkat(dir, "page", 0);
	unlinkat(dir, "other", 0);
	close(dir);
	return rmdir(top);
}

static struct sealed_at at_fd(int fd, uint64_t bytes)
{
	return (struct sealed_at){ MAGIC, (uint32_t)getpid(), fd, bytes, { 0 } };
}

static void announce(const struct sealed_at *at)
{
	int fd = sealed_announce(dir, "page", at);

	assert_true(fd >= 0);
	close(fd);
}

/* Found and opened as another process would: the page's descriptor, or why not. */
static int look(int flags)
{
	struct sealed_at at;
	int file = sealed_find(dir, "page", MAGIC, &at, why, sizeof(why)), fd;

	if (file < 0)
		return file;
	close(file);
	fd = sealed_open(&at, flags, why, sizeof(why));
	assert_true(fd < 0 ? strlen(why) > 0 : 1);
	return fd;
}

static void shown_and_found(void **state)
{
	char *map, *seen;
	struct stat st;
	int page, fd;

	(void)state;
	for (int writable = 0; writable < 2; writable++) {
		struct sealed_at at;

		page = sealed_new("test", BYTES, writable, (void **)&map);
		assert_true(page >= 0);
		at = at_fd(page, BYTES);
		announce(&at);
		assert_int_equal(fstatat(dir, "page", &st, 0), 0);
		assert_int_equal(st.st_mode & 07777, 0600);
		strcpy(map + 9000, "here");
		fd = look(O_RDONLY);
		assert_true(fd >= 0);
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0600);
		seen = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
		assert_string_equal(seen + 9000, "here");
		strcpy(map + 9000, "then");
		assert_string_equal(seen + 9000, "then");
		munmap(seen, BYTES);
		close(fd);
		fd = look(O_RDWR);
		assert_true(fd >= 0);
		/* nobody cuts it short, and only where that is allowed somebody writes */
		assert_int_equal(ftruncate(fd, 0), -1);
		assert_int_equal(ftruncate(fd, 2 * BYTES), -1);
		assert_int_equal(pwrite(fd, "x", 1, 9000), writable ? 1 : -1);
		seen = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		assert_int_equal(seen == MAP_FAILED, !writable);
		if (writable)
			munmap(seen, BYTES);
		assert_string_equal(map + 9000, writable ? "xhen" : "then");
		close(fd);
		munmap(map, BYTES);
		close(page);
	}
}

/* By another process, and after its owner's death; a child does not have it mapped. */
static void from_another_process(void **state)
{
	struct sealed_at at;
	char *map;
	int page = sealed_new("test", BYTES, false, (void **)&map), status, ends[2];
	pid_t pid;

	(void)state;
	strcpy(map, "mine");
	at = at_fd(page, BYTES);
	announce(&at);
	pid = fork();
	if (!pid) {
		char text[5] = "";
		unsigned char in_core;
		int fd;

		close(page); /* not by what it inherits */
		fd = look(O_RDONLY);
		if (fd < 0 || pread(fd, text, 4, 0) != 4 || strcmp(text, "mine"))
			_exit(1);
		_exit(mincore(map, 4096, &in_core) && errno == ENOMEM ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	munmap(map, BYTES);
	close(page);
	/* an owner that is gone: its number is free, or soon another's */
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		page = sealed_new("test", BYTES, false, (void **)&map);
		at = at_fd(page, BYTES);
		announce(&at);
		_exit(write(ends[1], "", 1) != 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(look(O_RDONLY), -ESRCH);
	assert_non_null(strstr(why, "gone"));
	close(ends[0]);
	close(ends[1]);
}

static void refused(int fd, uint64_t bytes)
{
	struct sealed_at at = at_fd(fd, bytes);

	announce(&at);
	assert_int_equal(look(O_RDWR), -EPROTO);
}

/* What has taken the descriptor's place in that process. */
static void other_descriptors(void **state)
{
	struct sealed_at at;
	char path[64];
	void *map;
	int fd;

	(void)state;
	fd = memfd_create("plain", MFD_CLOEXEC); /* of the right size, but it can be cut */
	assert_int_equal(ftruncate(fd, BYTES), 0);
	refused(fd, BYTES);
	close(fd);
	fd = sealed_new("test", BYTES, true, &map); /* of another size */
	refused(fd, BYTES + 1);
	refused(fd, 0);
	munmap(map, BYTES);
	close(fd);
	fd = openat(dir, "other", O_RDWR | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, BYTES), 0);
	refused(fd, BYTES);
	close(fd);
	refused(dir, BYTES);
	unlinkat(dir, "other", 0);
	assert_int_equal(mkfifoat(dir, "other", 0600), 0);
	fd = openat(dir, "other", O_RDONLY | O_NONBLOCK);
	at = at_fd(fd, 0);
	announce(&at);
	assert_int_equal(look(O_RDONLY), -EPROTO); /* and does not wait for who writes */
	close(fd);
	fd = open("/dev/zero", O_RDWR);
	refused(fd, 0);
	close(fd);
	at = at_fd(fd, BYTES); /* nothing */
	announce(&at);
	assert_int_equal(look(O_RDONLY), -ESRCH);
	at.fd = -1;
	announce(&at);
	assert_int_equal(look(O_RDONLY), -ESRCH);
	at.pid = 0x7fffffff;
	announce(&at);
	assert_int_equal(look(O_RDONLY), -ESRCH);
	snprintf(path, sizeof(path), "%s/other", top);
	unlink(path);
}

static void another_users(void **state)
{
	struct sealed_at at;
	void *map;
	int page;

	(void)state;
	if (geteuid()) /* nobody to be another user */
		skip();
	page = sealed_new("test", BYTES, true, &map);
	at = at_fd(page, BYTES);
	announce(&at);
	assert_int_equal(fchown(page, 65534, 65534), 0);
	assert_int_equal(look(O_RDONLY), -EPERM);
	munmap(map, BYTES);
	close(page);
}

/* What may stand in the place of the file. */
static void other_files(void **state)
{
	struct sealed_at at = at_fd(0, 0), got;
	int fd;

	(void)state;
	unlinkat(dir, "page", 0);
	assert_int_equal(sealed_find(dir, "page", MAGIC, &got, why, sizeof(why)), -ENOENT);
	for (size_t len = 0; len < sizeof(at); len++) {
		fd = openat(dir, "page", O_RDWR | O_CREAT | O_TRUNC, 0600);
		assert_int_equal(write(fd, &at, len), (ssize_t)len);
		close(fd);
		assert_int_equal(sealed_find(dir, "page", MAGIC, &got, why, sizeof(why)), -EPROTO);
	}
	announce(&at);
	assert_int_equal(sealed_find(dir, "page", "TESTPAGF", &got, why, sizeof(why)), -EPROTO);
	assert_non_null(strstr(why, "page"));
	assert_int_equal(fchmodat(dir, "page", 0622, 0), 0);
	assert_int_equal(sealed_find(dir, "page", MAGIC, &got, why, sizeof(why)), -EPERM);
	unlinkat(dir, "page", 0);
	assert_int_equal(symlinkat("other", dir, "page"), 0);
	assert_int_equal(sealed_find(dir, "page", MAGIC, &got, why, sizeof(why)), -ELOOP);
	/* it is replaced, not followed */
	announce(&at);
	assert_int_equal(faccessat(dir, "other", F_OK, 0), -1);
	unlinkat(dir, "page", 0);
	assert_int_equal(mkfifoat(dir, "page", 0600), 0);
	assert_int_equal(sealed_find(dir, "page", MAGIC, &got, why, sizeof(why)), -EPERM);
	assert_int_equal(sealed_announce(-1, "page", &at), -EBADF);
}

/* An error, and no signal, which would end this program. */
static void file_size_limit(void **state)
{
	struct sealed_at at = at_fd(0, 0);
	struct rlimit before, low;
	void *map;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	low = before;
	low.rlim_cur = 10;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	assert_int_equal(sealed_new("test", BYTES, true, &map), -EFBIG);
	assert_int_equal(sealed_announce(dir, "page", &at), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void device_time(void **state)
{
	struct devtime_page page = { .device = 1000 };
	uint64_t wall, now;

	(void)state;
	assert_int_equal(devtime_now(&page), 1000);
	page.device = 1008;
	assert_int_equal(devtime_now(&page), 1008);
	/* with the wall: never before it began, never behind the limit */
	page.runs = 1;
	page.limit = UINT64_MAX;
	page.ahead = page.device - devtime_wall() - 1000000000u;
	assert_int_equal(devtime_now(&page), 1008);
	wall = devtime_wall();
	page.ahead = page.device - wall;
	now = devtime_now(&page);
	assert_in_range(now - 1008, 0, devtime_wall() - wall);
	page.limit = 1500;
	page.ahead += 1000000000u;
	assert_int_equal(devtime_now(&page), 1500);
	/* a simulator that was killed in the midst of a change */
	page.seq = 7;
	assert_int_equal(devtime_now(&page), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shown_and_found), cmocka_unit_test(from_another_process),
		cmocka_unit_test(other_descriptors), cmocka_unit_test(another_users),
		cmocka_unit_test(other_files),
		cmocka_unit_test(file_size_limit), cmocka_unit_test(device_time),
	};

	alarm(60); /* of a wait for what never comes */
	return cmocka_run_group_tests_name("sealed", tests, set_up, tear_down);
}
