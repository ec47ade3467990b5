// SPDX-License-Identifier: Apache-2.0
/*
 * /dev/infiniband/rdma_cm, for librdmacm: a character device that there is as long as this process
 * sees one of our NICs, and only for it.  open(), fstat(), write() and close() of it are ours (the
 * kernel's own device of that name serves the kernel's NICs and knows nothing of ours, so a process
 * has the one or the other); all else that can be done with a descriptor (poll, epoll, fcntl with
 * O_NONBLOCK, dup, passing it on) is done with a socket that is readable when an event is there.
 *
 * Every file of the program comes by here: one load and a compare while there is no channel, else a
 * bit by descriptor.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "files.h"
#include "ucma.h"

#define DEVICE "/dev/infiniband/rdma_cm"
#define MISC_MAJOR 10u
#define MINOR 58u
#define MAX_FDS 65536u

static atomic_uint channels;
static _Atomic uint64_t is_channel[MAX_FDS / 64];

static bool maybe_channel(int fd)
{
	return atomic_load_explicit(&channels, memory_order_relaxed) && fd >= 0 &&
	       (unsigned int)fd < MAX_FDS &&
	       atomic_load(&is_channel[(unsigned int)fd / 64]) >> ((unsigned int)fd % 64) & 1;
}

static void mark(int fd, bool on)
{
	uint64_t bit = 1ull << ((unsigned int)fd % 64);
	_Atomic uint64_t *word = &is_channel[(unsigned int)fd / 64];

	if (on && !(atomic_fetch_or(word, bit) & bit))
		atomic_fetch_add(&channels, 1);
	else if (!on && atomic_fetch_and(word, ~bit) & bit)
		atomic_fetch_sub(&channels, 1);
}

/* One that was closed behind our back (close_range(), dup2()) is another file by now. */
static bool channel(int fd)
{
	if (!maybe_channel(fd))
		return false;
	if (ucma_is_channel(fd))
		return true;
	mark(fd, false);
	return false;
}

static bool have_nics(void)
{
	struct ibv_device *device;

	nics_scan();
	return nics_present(&device, 1) != 0;
}

static bool is_ours(const char *path)
{
	return path && !strcmp(path, DEVICE) && have_nics();
}

static int open_channel(int flags)
{
	int fd = ucma_open();

	if (fd < 0)
		return -1;
	if ((unsigned int)fd >= MAX_FDS) {
		close(fd);
		errno = EMFILE;
		return -1;
	}
	if (flags & O_NONBLOCK)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	if (!(flags & O_CLOEXEC))
		fcntl(fd, F_SETFD, 0);
	mark(fd, true);
	return fd;
}

/* ---------------------------------------------------------------- exported */

#define MODE_OF(flags, mode)                                               \
	do {                                                               \
		if ((flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE) { \
			va_list list;                                      \
			va_start(list, flags);                             \
			(mode) = va_arg(list, mode_t);                     \
			va_end(list);                                      \
		}                                                          \
	} while (0)

EXPORT int open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) = NEXT(open);
	mode_t mode = 0;

	if (is_ours(path))
		return open_channel(flags);
	MODE_OF(flags, mode);
	return next(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) = NEXT(open64);
	mode_t mode = 0;

	if (is_ours(path))
		return open_channel(flags);
	MODE_OF(flags, mode);
	return next(path, flags, mode);
}

int __open_2(const char *path, int flags);
EXPORT int __open_2(const char *path, int flags)
{
	int (*next)(const char *, int) = NEXT(__open_2);

	return is_ours(path) ? open_channel(flags) : next(path, flags);
}

static void device_stat(mode_t *mode, dev_t *rdev)
{
	*mode = S_IFCHR | S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
	*rdev = makedev(MISC_MAJOR, MINOR);
}

int real_fstat(int fd, struct stat *st)
{
	int (*next)(int, struct stat *) = NEXT(fstat);

	return next(fd, st);
}

EXPORT int fstat(int fd, struct stat *st)
{
	int got = real_fstat(fd, st);

	if (!got && channel(fd))
		device_stat(&st->st_mode, &st->st_rdev);
	return got;
}

EXPORT int fstat64(int fd, struct stat64 *st)
{
	int (*next)(int, struct stat64 *) = NEXT(fstat64);
	int got = next(fd, st);

	if (!got && channel(fd))
		device_stat(&st->st_mode, &st->st_rdev);
	return got;
}

EXPORT ssize_t write(int fd, const void *buffer, size_t bytes)
{
	ssize_t (*next)(int, const void *, size_t) = NEXT(write);

	return channel(fd) ? ucma_write(fd, buffer, bytes) : next(fd, buffer, bytes);
}

EXPORT int close(int fd)
{
	int (*next)(int) = NEXT(close);

	if (channel(fd)) {
		mark(fd, false);
		ucma_close(fd);
	}
	return next(fd);
}

__attribute__((destructor)) static void farewell(void)
{
	ucma_exit();
}
