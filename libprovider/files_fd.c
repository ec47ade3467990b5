// SPDX-License-Identifier: Apache-2.0
/*
 * Descriptors that stand for files of ours (files.h): sealed memfds that are called "cairn:" and
 * the path.  Text is read from one at any place and any number of times; what changes meanwhile is
 * seen by the next open.
 */
#include "files_priv.h"

#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NAME "cairn:"
/* As the kernel shows it. */
#define LINK "/memfd:" NAME

atomic_uint files_given;

bool files_path_of(int fd, char path[FILE_PATH_BYTES])
{
	static const char end[] = " (deleted)";
	char name[64], link[sizeof(LINK) + FILE_PATH_BYTES + sizeof(end)];
	int error = errno;
	size_t len;
	ssize_t n;

	if (!atomic_load(&files_given) || fd < 0)
		return false;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, link, sizeof(link) - 1);
	errno = error;
	if (n < (ssize_t)(sizeof(LINK) + sizeof(end)))
		return false;
	link[n] = '\0';
	len = (size_t)n - (sizeof(LINK) - 1) - (sizeof(end) - 1);
	if (strncmp(link, LINK "/", sizeof(LINK)) || strcmp(link + n - (sizeof(end) - 1), end) ||
	    len >= FILE_PATH_BYTES)
		return false;
	memcpy(path, link + sizeof(LINK) - 1, len);
	path[len] = '\0';
	return true;
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
	n = write(fd, text, len);
	if (n < 0 && errno == EFBIG && !sigismember(&pending, SIGXFSZ)) {
		while (sigtimedwait(&set, NULL, &at_once) < 0 && errno == EINTR)
			;
		return EFBIG;
	}
	return n < 0 ? errno : (size_t)n != len ? EFBIG : 0;
}

int files_descriptor(const char *path, const char *text, size_t len, int flags)
{
	char name[sizeof(NAME) + FILE_PATH_BYTES];
	int fd, err;

	snprintf(name, sizeof(name), NAME "%s", path);
	fd = memfd_create(name, MFD_ALLOW_SEALING | (flags & O_CLOEXEC ? MFD_CLOEXEC : 0));
	if (fd < 0)
		return -errno;
	err = len ? put(fd, text, len) : 0;
	if (!err &&
	    (lseek(fd, 0, SEEK_SET) ||
	     fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)))
		err = errno;
	if (!err && flags & O_NONBLOCK && fcntl(fd, F_SETFL, O_NONBLOCK))
		err = errno;
	if (err) {
		close(fd);
		return -err;
	}
	atomic_fetch_add(&files_given, 1);
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
