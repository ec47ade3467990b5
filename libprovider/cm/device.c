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
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../files_priv.h"
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

	nics_look();
	return nics_present(&device, 1) != 0;
}

static int open_channel(const char *path, int flags)
{
	int fd = ucma_open();

	(void)path;
	if (fd < 0)
		return -errno;
	if ((unsigned int)fd >= MAX_FDS) {
		close(fd);
		return -EMFILE;
	}
	if (flags & O_NONBLOCK)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	if (!(flags & O_CLOEXEC))
		fcntl(fd, F_SETFD, 0);
	mark(fd, true);
	return fd;
}

static void describe(struct file *file)
{
	file->kind = FILE_DEVICE;
	file->device = makedev(MISC_MAJOR, MINOR);
}

static int look(const char *path, struct file *file)
{
	if (strcmp(path, DEVICE) || !have_nics())
		return FILE_SYSTEMS;
	describe(file);
	return 0;
}

static bool opened(int fd, struct file *file)
{
	if (!channel(fd))
		return false;
	describe(file);
	return true;
}

const struct file_tree cm_files = {
	.root = DEVICE,
	.look = look,
	.open = open_channel,
	.opened = opened,
};

/* ---------------------------------------------------------------- exported */

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
