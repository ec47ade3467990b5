/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages that a process shows to others of its user: a memfd whose size is sealed, so that it cannot
 * be cut short under processes that have it mapped (a file of a directory could be, and touching it
 * would then end the process), and a small file in a private directory that says whose descriptor
 * it is.  It is opened as memfd_create(2) describes, through /proc/PID/fd; so both have to be in
 * one PID namespace.  Headers only, as trust.h.  Needs _GNU_SOURCE.
 */
#ifndef CAIRN_SEALED_H
#define CAIRN_SEALED_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trust.h"

/* What the file begins with. */
struct sealed_at {
	char magic[8];	/* of the page, too */
	uint32_t pid;	/* 0: not a page any more, but what this file has behind it */
	int32_t fd;	/* of that process */
	uint64_t bytes; /* of the page */
	uint64_t rsvd[5];
};

/* A limit on file sizes is an error here, not also a signal that ends the program. */
static inline bool sealed_fits(size_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	       bytes <= limit.rlim_cur;
}

/*
 * A new page, zero, mapped at *map and not in children.  Others of this user may open it, to read
 * it only where `writable` is false.  The descriptor, or -errno.
 */
static inline int sealed_new(const char *name, size_t bytes, bool writable, void **map)
{
	unsigned int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	int fd, err;

	*map = MAP_FAILED;
	if (!sealed_fits(bytes))
		return -EFBIG;
	fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	if (!fchmod(fd, 0600) && !ftruncate(fd, (off_t)bytes))
		*map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (*map != MAP_FAILED && !madvise(*map, bytes, MADV_DONTFORK) &&
	    !fcntl(fd, F_ADD_SEALS, seals | (writable ? 0 : F_SEAL_FUTURE_WRITE)))
		return fd;
	err = -errno;
	if (*map != MAP_FAILED)
		munmap(*map, bytes);
	close(fd);
	return err;
}

/*
 * The file that says where it is, new and for its owner alone, whatever was there; a path, or a
 * name in the directory `dir`.  Its descriptor, or -errno.
 */
static inline int sealed_announce(int dir, const char *name, const struct sealed_at *at)
{
	int fd, err;

	if (!sealed_fits(sizeof(*at)))
		return -EFBIG;
	unlinkat(dir, name, 0);
	fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	errno = ENOSPC; /* of a write that ends early */
	if (!fchmod(fd, 0600) && pwrite(fd, at, sizeof(*at), 0) == sizeof(*at))
		return fd;
	err = -errno;
	unlinkat(dir, name, 0);
	close(fd);
	return err;
}

/*
 * The file of that name, which must be one of such pages: its descriptor and what it says, or
 * -errno with the reason in why; -EPROTO: another kind of file.
 */
static inline int sealed_find(int dir, const char *name, const char magic[8], struct sealed_at *at,
			      char *why, size_t size)
{
	int fd = trust_open_file(dir, name, why, size);

	if (fd < 0)
		return fd;
	if (pread(fd, at, sizeof(*at), 0) == sizeof(*at) &&
	    !memcmp(at->magic, magic, sizeof(at->magic)))
		return fd;
	snprintf(why, size, "%.160s says of no page of this version", name);
	close(fd);
	return -EPROTO;
}

/* Opened without effect on what it is, if it is no such page; then looked at, then opened. */
static inline int sealed_reopen(const char *path, const struct sealed_at *at, int flags)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd = -1, err = 0;
	char again[64];
	struct stat st;

	if (place < 0 || fstat(place, &st))
		err = errno == ENOENT ? -ESRCH : -errno;
	else if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size != at->bytes)
		err = -EPROTO;
	else if (!trust_user(st.st_uid))
		err = -EPERM;
	if (!err) {
		snprintf(again, sizeof(again), "/proc/self/fd/%d", place);
		fd = open(again, flags | O_CLOEXEC);
		err = fd < 0 ? -errno : 0;
	}
	if (place >= 0)
		close(place);
	return err ? err : fd;
}

/*
 * The page that it says: a descriptor, flags O_RDONLY or O_RDWR, or -errno with the reason in why.
 * -ESRCH: the process is gone; -EPROTO: what has taken the descriptor's place there is no page.
 */
static inline int sealed_open(const struct sealed_at *at, int flags, char *why, size_t size)
{
	char path[64];
	int fd, seals;

	snprintf(path, sizeof(path), "/proc/%u/fd/%d", at->pid, at->fd);
	fd = sealed_reopen(path, at, flags);
	seals = fd < 0 ? 0 : fcntl(fd, F_GET_SEALS);
	if (fd >= 0 && (seals < 0 || !(seals & F_SEAL_SHRINK))) {
		close(fd);
		fd = -EPROTO;
	}
	if (fd < 0)
		snprintf(why, size, "the page of process %u: %s", at->pid,
			 fd == -ESRCH	 ? "it is gone, or not to be seen from here"
			 : fd == -EPROTO ? "there is none"
					 : strerror(-fd));
	return fd;
}

#endif
