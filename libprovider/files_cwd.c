// SPDX-License-Identifier: Apache-2.0
/*
 * A working directory that is one of ours (ibstatus changes into /sys/class/infiniband).  The
 * kernel's is then /sys/class, where nothing can be made or removed by mistake for ours, and
 * relative paths are taken from here.
 *
 * A program that is started there has /sys/class; a shell has said in PWD where it is, so a new
 * program in /sys/class whose PWD is a directory of ours goes on from that (files.c).
 */
#include "files_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of the C library, and only with _FORTIFY_SOURCE in headers. */
char *__getcwd_chk(char *buf, size_t size, size_t room);

/* ---------------------------------------------------------------- chdir() */

static int enter(const char *path, const struct file *file)
{
	if (file->kind != FILE_DIR)
		return files_fail(ENOTDIR);
	if (NEXT(chdir)(FILES_PARKED))
		return -1;
	files_set_here(path);
	return 0;
}

/* The system's own: none of ours any more. */
static int left(int got)
{
	if (!got && files_here() == FILES_HERE_OURS)
		files_set_here("");
	return got;
}

static SLOW int chdir_slow(const char *path)
{
	struct place place;
	int found = files_find(AT_FDCWD, path, true, &place);

	if (found < 0)
		return left(NEXT(chdir)(found == FILES_PLAIN ? path : place.path));
	return found ? files_fail(found) : enter(place.path, &place.file);
}

EXPORT int chdir(const char *path)
{
	return files_maybe(AT_FDCWD, path) ? chdir_slow(path) : left(NEXT(chdir)(path));
}

static SLOW int fchdir_slow(int fd)
{
	char path[FILE_PATH_BYTES];
	struct file file;

	if (!files_of_descriptor(fd, &file, path))
		return left(NEXT(fchdir)(fd));
	return enter(path, &file);
}

EXPORT int fchdir(int fd)
{
	return atomic_load(&files_given) ? fchdir_slow(fd) : left(NEXT(fchdir)(fd));
}

/* ---------------------------------------------------------------- getcwd() */

EXPORT char *getcwd(char *buf, size_t size)
{
	char path[FILE_PATH_BYTES];
	size_t need;

	if (!files_cwd(path))
		return NEXT(getcwd)(buf, size);
	need = strlen(path) + 1;
	if (buf && !size) {
		errno = EINVAL;
		return NULL;
	}
	if (size && size < need) {
		errno = ERANGE;
		return NULL;
	}
	if (!buf)
		buf = malloc(size ? size : need);
	return buf ? memcpy(buf, path, need) : NULL;
}

EXPORT char *__getcwd_chk(char *buf, size_t size, size_t room)
{
	return size > room ? NEXT(__getcwd_chk)(buf, size, room) : getcwd(buf, size);
}

EXPORT char *get_current_dir_name(void)
{
	char path[FILE_PATH_BYTES];

	return files_cwd(path) ? strdup(path) : NEXT(get_current_dir_name)();
}
