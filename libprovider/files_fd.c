// SPDX-License-Identifier: Apache-2.0
/*
 * Descriptors that stand for files of ours (files.h): memfds that are called "cairn:" and the
 * path, opened as the program has asked, so that text can be read and not written.  What changes
 * meanwhile is seen when the file is opened again, or read from its beginning again by read() or
 * pread(), as tools do that watch counters; but not through a duplicate.
 */
#include "files_priv.h"

#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Of the C library, and only with _FORTIFY_SOURCE in headers. */
ssize_t __read_chk(int fd, void *buf, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *buf, size_t size, off_t offset, size_t room);
ssize_t __pread64_chk(int fd, void *buf, size_t size, off64_t offset, size_t room);

/* Of the descriptors of texts, by number; a higher one is read as it was opened. */
#define MAX_WATCHED 1024
enum { NOT_OURS, UNREAD, READ };
static atomic_uchar states[MAX_WATCHED];

static inline unsigned char state_of(int fd)
{
	return fd >= 0 && fd < MAX_WATCHED ? atomic_load_explicit(&states[fd], memory_order_relaxed)
					   : NOT_OURS;
}

static void set_state(int fd, unsigned char state)
{
	if (fd >= 0 && fd < MAX_WATCHED)
		atomic_store_explicit(&states[fd], state, memory_order_relaxed);
}

/* EFBIG where the limit on file sizes is lower, and no signal, which would come to this thread and
 * is held back: it is taken. */
static int put(int fd, const char *text, size_t len)
{
	static const struct timespec at_once;
	sigset_t set, pending;
	ssize_t n;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	sigpending(&pending);
	n = ftruncate(fd, 0) ? -1 : pwrite(fd, text, len, 0);
	if (n < 0 && errno == EFBIG && !sigismember(&pending, SIGXFSZ)) {
		while (sigtimedwait(&set, NULL, &at_once) < 0 && errno == EINTR)
			;
		return EFBIG;
	}
	return n < 0 ? errno : (size_t)n != len ? EFBIG : 0;
}

/* The same file once more, as the program has asked for it. */
static int again(int fd, int flags)
{
	char name[64];
	int got;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	got = open(name, flags);
	return got < 0 ? -errno : got;
}

int files_descriptor(const char *path, const char *text, size_t len, int flags)
{
	char name[sizeof(FILES_NAME) + FILE_PATH_BYTES];
	int fd, err, opened;

	snprintf(name, sizeof(name), FILES_NAME "%s", path);
	fd = memfd_create(name, MFD_ALLOW_SEALING | MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = len ? put(fd, text, len)
		  : fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_GROW | F_SEAL_WRITE);
	if (err < 0)
		err = errno;
	opened = err ? -err : again(fd, (flags & (O_ACCMODE | O_NONBLOCK | O_PATH)) | O_CLOEXEC);
	if (opened < 0) {
		close(fd);
		return opened;
	}
	/* The lowest number is the program's. */
	dup3(opened, fd, flags & O_CLOEXEC);
	close(opened);
	atomic_fetch_add(&files_given, 1);
	set_state(fd, len ? UNREAD : NOT_OURS);
	return fd;
}

bool files_of_descriptor(int fd, struct file *file, char path[FILE_PATH_BYTES])
{
	struct place place;

	if (!files_path_of(fd, path) || files_find(AT_FDCWD, path, false, &place))
		return false;
	*file = place.file;
	return true;
}

/* ---------------------------------------------------------------- reading again */

/* The text of now, where a program reads a file from its beginning again, as it would of sysfs.
 * What cannot be had leaves the one of before. */
static SLOW void renew(int fd)
{
	char path[FILE_PATH_BYTES], text[FILE_TEXT_BYTES];
	struct place place;
	int len, to;

	if (!files_path_of(fd, path)) {
		set_state(fd, NOT_OURS); /* it was closed since */
		return;
	}
	if (files_find(AT_FDCWD, path, true, &place) || place.file.kind != FILE_TEXT)
		return;
	FILES_INSIDE;
	len = place.tree->text(place.path, text);
	to = len > 0 ? again(fd, O_RDWR | O_CLOEXEC) : -1;
	if (to >= 0) {
		put(to, text, (size_t)len);
		close(to);
	}
}

/* Before a read() at wherever the descriptor stands, or a pread() at 0. */
static inline void before_read(int fd, bool anywhere)
{
	if (state_of(fd) == NOT_OURS)
		return;
	if (state_of(fd) == UNREAD)
		set_state(fd, READ);
	else if (!anywhere || !NEXT(lseek)(fd, 0, SEEK_CUR))
		renew(fd);
}

EXPORT ssize_t read(int fd, void *buf, size_t size)
{
	before_read(fd, true);
	return NEXT(read)(fd, buf, size);
}

EXPORT ssize_t __read_chk(int fd, void *buf, size_t size, size_t room)
{
	before_read(fd, true);
	return NEXT(__read_chk)(fd, buf, size, room);
}

EXPORT ssize_t pread(int fd, void *buf, size_t size, off_t offset)
{
	if (!offset)
		before_read(fd, false);
	return NEXT(pread)(fd, buf, size, offset);
}

EXPORT ssize_t pread64(int fd, void *buf, size_t size, off64_t offset)
{
	if (!offset)
		before_read(fd, false);
	return NEXT(pread64)(fd, buf, size, offset);
}

EXPORT ssize_t __pread_chk(int fd, void *buf, size_t size, off_t offset, size_t room)
{
	if (!offset)
		before_read(fd, false);
	return NEXT(__pread_chk)(fd, buf, size, offset, room);
}

EXPORT ssize_t __pread64_chk(int fd, void *buf, size_t size, off64_t offset, size_t room)
{
	if (!offset)
		before_read(fd, false);
	return NEXT(__pread64_chk)(fd, buf, size, offset, room);
}
