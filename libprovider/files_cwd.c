// SPDX-License-Identifier: Apache-2.0
/*
 * A working directory that is one of ours (ibstatus changes into /sys/class/infiniband).  The
 * kernel's is then /sys/class, where nothing can be made or removed by whoever means ours, and
 * relative paths are taken from here.
 *
 * A program that is started there has /sys/class; a shell has said in PWD where it is, so a new
 * program in /sys/class whose PWD is a directory of ours goes on from that.
 */
#include "files_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PARKED "/sys/class"

/* Of the C library, and only with _FORTIFY_SOURCE in headers. */
char *__getcwd_chk(char *buf, size_t size, size_t room);

/* Who reads takes no lock: seq is odd while it is written, and counts. */
static atomic_uint seq;
static char current[FILE_PATH_BYTES]; /* "": none of ours */
static atomic_int state;
enum { UNKNOWN, SYSTEMS, OURS };

static void set_current(const char *path)
{
	char zero[FILE_PATH_BYTES] = "";
	unsigned int before = atomic_load(&seq) | 1;

	atomic_store(&seq, before);
	memcpy(zero, path, strlen(path) + 1);
	memcpy(current, zero, sizeof(current));
	atomic_store(&seq, before + 1);
	atomic_store(&state, *path ? OURS : SYSTEMS);
}

/* At the first relative path: has who started this program left it in one of ours? */
static SLOW void adopt(void)
{
	const char *pwd = secure_getenv("PWD");
	char path[sizeof(PARKED) + 1];
	struct place place;
	ssize_t n;

	if (pwd && *pwd == '/' && strlen(pwd) < FILE_PATH_BYTES && files_maybe(AT_FDCWD, pwd)) {
		n = NEXT(readlink)("/proc/self/cwd", path, sizeof(path));
		if (n == sizeof(PARKED) - 1 && !strncmp(path, PARKED, (size_t)n) &&
		    !files_find(AT_FDCWD, pwd, true, &place) && place.file.kind == FILE_DIR) {
			set_current(place.path);
			return;
		}
	}
	atomic_store(&state, SYSTEMS);
}

bool files_cwd(char path[FILE_PATH_BYTES])
{
	int error = errno;

	if (atomic_load(&state) == UNKNOWN) {
		adopt();
		errno = error;
	}
	if (atomic_load(&state) != OURS)
		return false;
	/* Nobody writes for long, unless this is the child of a fork in the middle of it. */
	for (unsigned int tries = 0; tries < 1000; tries++) {
		unsigned int before = atomic_load(&seq);

		memcpy(path, current, sizeof(current));
		atomic_thread_fence(memory_order_acquire);
		if (!(before & 1) && atomic_load(&seq) == before)
			return *path != '\0';
	}
	return false;
}

/* ---------------------------------------------------------------- chdir() */

static int enter(const char *path, const struct file *file)
{
	if (file->kind != FILE_DIR)
		return files_fail(ENOTDIR);
	if (NEXT(chdir)(PARKED))
		return -1;
	set_current(path);
	return 0;
}

/* The system's own: none of ours any more. */
static int left(int got)
{
	if (!got && atomic_load(&state) == OURS)
		set_current("");
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
