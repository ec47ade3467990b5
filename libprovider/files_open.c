// SPDX-License-Identifier: Apache-2.0
/*
 * open() and fopen() of files that are ours.  Those of sysfs can be read but not written, not even
 * by root, as in the kernel; none can be made.
 */
#include "files_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* Of the C library, and only with _FORTIFY_SOURCE in headers. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dirfd, const char *path, int flags);
int __openat64_2(int dirfd, const char *path, int flags);

/* ---------------------------------------------------------------- open() */

static int refused(const struct place *place, int flags)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;

	if ((flags & O_CREAT) && (flags & O_EXCL))
		return EEXIST;
	if (place->file.kind == FILE_LINK && !(flags & O_PATH))
		return ELOOP; /* it was not to be followed */
	if (place->file.kind == FILE_DIR)
		return (flags & O_TMPFILE) == O_TMPFILE ? EACCES
		       : writes || flags & O_CREAT	? EISDIR
							: 0;
	if (flags & O_DIRECTORY)
		return ENOTDIR;
	return place->file.kind == FILE_TEXT && writes ? EACCES : 0;
}

int files_open_place(const struct place *place, int flags)
{
	char text[FILE_TEXT_BYTES];
	int len = 0, err;
	FILES_INSIDE;

	if (flags & O_PATH) /* other flags mean nothing then */
		flags &= O_PATH | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW;
	err = refused(place, flags);
	if (err)
		return -err;
	if (place->file.kind == FILE_DEVICE && place->tree->open && !(flags & O_PATH))
		return place->tree->open(place->path, flags);
	if (place->file.kind == FILE_TEXT)
		len = place->tree->text(place->path, text);
	return len < 0 ? len : files_descriptor(place->path, text, (size_t)len, flags);
}

static SLOW int open_slow(int dirfd, const char *path, int flags, mode_t mode)
{
	bool exclusive = (flags & O_CREAT) && (flags & O_EXCL);
	struct place place;
	int found = files_find(dirfd, path, !(flags & O_NOFOLLOW) && !exclusive, &place);
	int fd;

	if (found == FILES_PLAIN)
		return NEXT(openat)(dirfd, path, flags, mode);
	if (found == FILES_MOVED)
		return NEXT(openat)(AT_FDCWD, place.path, flags, mode);
	if (found)
		return files_fail(found == ENOENT && flags & O_CREAT ? EACCES : found);
	fd = files_open_place(&place, flags);
	return fd < 0 ? files_fail(-fd) : fd;
}

/* The third argument, where there is one. */
#define MODE(mode, last)                                                 \
	do {                                                             \
		if (last & O_CREAT || (last & O_TMPFILE) == O_TMPFILE) { \
			va_list args;                                    \
			va_start(args, last);                            \
			mode = va_arg(args, mode_t);                     \
			va_end(args);                                    \
		}                                                        \
	} while (0)

#define OPEN(name)                                             \
	EXPORT int name(const char *path, int flags, ...)      \
	{                                                      \
		mode_t mode = 0;                               \
		MODE(mode, flags);                             \
		if (!files_maybe(AT_FDCWD, path))              \
			return NEXT(name)(path, flags, mode);  \
		return open_slow(AT_FDCWD, path, flags, mode); \
	}
#define OPENAT(name)                                                 \
	EXPORT int name(int dirfd, const char *path, int flags, ...) \
	{                                                            \
		mode_t mode = 0;                                     \
		MODE(mode, flags);                                   \
		if (!files_maybe(dirfd, path))                       \
			return NEXT(name)(dirfd, path, flags, mode); \
		return open_slow(dirfd, path, flags, mode);          \
	}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* Without a mode: O_CREAT is an error of the program, which the C library ends. */
#define OPEN_2(name)                                                 \
	EXPORT int name(const char *path, int flags)                 \
	{                                                            \
		if (flags & O_CREAT || !files_maybe(AT_FDCWD, path)) \
			return NEXT(name)(path, flags);              \
		return open_slow(AT_FDCWD, path, flags, 0);          \
	}
#define OPENAT_2(name)                                            \
	EXPORT int name(int dirfd, const char *path, int flags)   \
	{                                                         \
		if (flags & O_CREAT || !files_maybe(dirfd, path)) \
			return NEXT(name)(dirfd, path, flags);    \
		return open_slow(dirfd, path, flags, 0);          \
	}

OPEN_2(__open_2)
OPEN_2(__open64_2)
OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

/* ---------------------------------------------------------------- fopen() */

/* Flags of open() for a mode as of fopen(); -1: none, which the C library shall say. */
static int flags_of(const char *mode)
{
	int flags;

	if (*mode != 'r' && *mode != 'w' && *mode != 'a')
		return -1;
	flags = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
	if (*mode != 'r')
		flags |= O_CREAT | (*mode == 'w' ? O_TRUNC : O_APPEND);
	return flags | (strchr(mode, 'e') ? O_CLOEXEC : 0) | (strchr(mode, 'x') ? O_EXCL : 0);
}

static SLOW FILE *fopen_slow(const char *path, const char *mode, FILE *stream)
{
	int flags = flags_of(mode), found, fd;
	char again[64];
	struct place place;
	FILE *file;

	found = flags < 0 ? FILES_PLAIN : files_find(AT_FDCWD, path, !(flags & O_EXCL), &place);
	if (found < 0) {
		path = found == FILES_MOVED ? place.path : path;
		return stream ? NEXT(freopen)(path, mode, stream) : NEXT(fopen)(path, mode);
	}
	if (found)
		fd = found == ENOENT && flags & O_CREAT ? -EACCES : -found;
	else
		fd = files_open_place(&place, flags);
	if (fd < 0) {
		if (stream) /* it is lost, as the C library's would be */
			stream = NEXT(freopen)("", mode, stream);
		errno = -fd;
		return NULL;
	}
	if (!stream) {
		file = fdopen(fd, mode);
		if (!file)
			close(fd);
		return file;
	}
	snprintf(again, sizeof(again), "/proc/self/fd/%d", fd);
	file = NEXT(freopen)(again, mode, stream);
	close(fd);
	return file;
}

#define FOPEN(name)                                                             \
	EXPORT FILE *name(const char *restrict path, const char *restrict mode) \
	{                                                                       \
		if (!files_maybe(AT_FDCWD, path))                               \
			return NEXT(name)(path, mode);                          \
		return fopen_slow(path, mode, NULL);                            \
	}
#define FREOPEN(name)                                                           \
	EXPORT FILE *name(const char *restrict path, const char *restrict mode, \
			  FILE *restrict stream)                                \
	{                                                                       \
		if (!files_maybe(AT_FDCWD, path))                               \
			return NEXT(name)(path, mode, stream);                  \
		return fopen_slow(path, mode, stream);                          \
	}

FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)
