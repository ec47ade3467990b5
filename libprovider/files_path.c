// SPDX-License-Identifier: Apache-2.0
/* Paths that programs read: readlink(), realpath() and their kin. */
#include "files_priv.h"

#include <stdlib.h>
#include <unistd.h>

/* Of the C library, and only with _FORTIFY_SOURCE in headers. */
ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room);
ssize_t __readlinkat_chk(int dirfd, const char *path, char *target, size_t size, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);

/* ---------------------------------------------------------------- readlink() */

static ssize_t target_of(const struct place *place, char *target, size_t size)
{
	char whole[FILE_PATH_BYTES];
	size_t len;
	int err = EINVAL;

	if (place->file.kind == FILE_LINK) {
		FILES_INSIDE;
		err = place->tree->link(place->path, whole);
	}
	if (err || !size)
		return files_fail(err ? err : EINVAL);
	len = strlen(whole);
	len = len < size ? len : size;
	memcpy(target, whole, len);
	return (ssize_t)len;
}

static SLOW ssize_t readlink_slow(int dirfd, const char *path, char *target, size_t size)
{
	struct place place;
	int found = files_find(dirfd, path, false, &place);

	if (found == FILES_PLAIN)
		return NEXT(readlinkat)(dirfd, path, target, size);
	if (found == FILES_MOVED)
		return NEXT(readlinkat)(AT_FDCWD, place.path, target, size);
	return found ? files_fail(found) : target_of(&place, target, size);
}

/* Of a link that was opened with O_PATH. */
static SLOW ssize_t readlink_opened(int fd, char *target, size_t size)
{
	char path[FILE_PATH_BYTES];

	if (!files_path_of(fd, path))
		return NEXT(readlinkat)(fd, "", target, size);
	return readlink_slow(AT_FDCWD, path, target, size);
}

EXPORT ssize_t readlink(const char *restrict path, char *restrict target, size_t size)
{
	if (!files_maybe(AT_FDCWD, path))
		return NEXT(readlink)(path, target, size);
	return readlink_slow(AT_FDCWD, path, target, size);
}

EXPORT ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room)
{
	if (size > room || !files_maybe(AT_FDCWD, path))
		return NEXT(__readlink_chk)(path, target, size, room);
	return readlink_slow(AT_FDCWD, path, target, size);
}

EXPORT ssize_t readlinkat(int dirfd, const char *restrict path, char *restrict target, size_t size)
{
	if (files_maybe(dirfd, path))
		return readlink_slow(dirfd, path, target, size);
	return files_empty(path) ? readlink_opened(dirfd, target, size)
				 : NEXT(readlinkat)(dirfd, path, target, size);
}

EXPORT ssize_t __readlinkat_chk(int dirfd, const char *path, char *target, size_t size, size_t room)
{
	if (size > room || !files_maybe(dirfd, path))
		return NEXT(__readlinkat_chk)(dirfd, path, target, size, room);
	return readlink_slow(dirfd, path, target, size);
}

/* ---------------------------------------------------------------- realpath() */

/*
 * The C library has an old realpath() too, that takes no NULL.  Where a program loads us by
 * dlopen() our own calls would get that one, since they name no version: elsewhere in here it is
 * canonicalize_file_name(), of which there is one.
 */

static SLOW char *realpath_slow(const char *path, char *resolved)
{
	struct place place;
	int found = files_find(AT_FDCWD, path, true, &place);

	if (found < 0)
		return NEXT(realpath)(found == FILES_PLAIN ? path : place.path, resolved);
	if (found) {
		errno = found;
		return NULL;
	}
	return resolved ? strcpy(resolved, place.path) : strdup(place.path);
}

EXPORT char *realpath(const char *restrict path, char *restrict resolved)
{
	if (!files_maybe(AT_FDCWD, path))
		return NEXT(realpath)(path, resolved);
	return realpath_slow(path, resolved);
}

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room)
{
	if (room < PATH_MAX || !files_maybe(AT_FDCWD, path))
		return NEXT(__realpath_chk)(path, resolved, room);
	return realpath_slow(path, resolved);
}

EXPORT char *canonicalize_file_name(const char *path)
{
	if (!files_maybe(AT_FDCWD, path))
		return NEXT(canonicalize_file_name)(path);
	return realpath_slow(path, NULL);
}
