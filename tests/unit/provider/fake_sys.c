// SPDX-License-Identifier: Apache-2.0
/*
 * A kernel with RDMA devices, for test_sysfs: preloaded behind the provider, it has the files below
 * $FAKE_ROOT in place of the system's, where there are any.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

/* Where the file is; a buffer that is this call's own. */
#define FAKE(path) fake(path, (char[PATH_MAX]){ 0 })

static const char *fake(const char *path, char buf[PATH_MAX])
{
	const char *root = getenv("FAKE_ROOT");
	struct stat st;

	if (!root || (strncmp(path, "/sys/", 5) && strncmp(path, "/dev/infiniband", 15)))
		return path;
	snprintf(buf, PATH_MAX, "%s%s", root, path);
	return NEXT(lstat)(buf, &st) ? path : buf;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	return NEXT(open)(FAKE(path), flags, mode);
}

int openat(int dirfd, const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	return NEXT(openat)(dirfd, FAKE(path), flags, mode);
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
	return NEXT(fopen)(FAKE(path), mode);
}

int stat(const char *restrict path, struct stat *restrict st)
{
	return NEXT(stat)(FAKE(path), st);
}

int lstat(const char *restrict path, struct stat *restrict st)
{
	return NEXT(lstat)(FAKE(path), st);
}

int fstatat(int dirfd, const char *restrict path, struct stat *restrict st, int flags)
{
	return NEXT(fstatat)(dirfd, FAKE(path), st, flags);
}

int statx(int dirfd, const char *restrict path, int flags, unsigned int mask,
	  struct statx *restrict stx)
{
	return NEXT(statx)(dirfd, FAKE(path), flags, mask, stx);
}

ssize_t readlink(const char *restrict path, char *restrict target, size_t size)
{
	return NEXT(readlink)(FAKE(path), target, size);
}

ssize_t readlinkat(int dirfd, const char *restrict path, char *restrict target, size_t size)
{
	return NEXT(readlinkat)(dirfd, FAKE(path), target, size);
}

char *realpath(const char *restrict path, char *restrict resolved)
{
	const char *root = getenv("FAKE_ROOT"), *at = FAKE(path);
	char *whole = NEXT(realpath)(at, resolved);

	if (whole && at != path && !strncmp(whole, root, strlen(root)))
		memmove(whole, whole + strlen(root), strlen(whole + strlen(root)) + 1);
	return whole;
}

char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}

DIR *opendir(const char *path)
{
	return NEXT(opendir)(FAKE(path));
}

/* Of a test that wants a thread to be in the middle of a look. */
void (*fake_sys_scans)(void);

int scandir(const char *restrict path, struct dirent ***restrict list,
	    int (*wanted)(const struct dirent *entry),
	    int (*compare)(const struct dirent **a, const struct dirent **b))
{
	if (fake_sys_scans)
		fake_sys_scans();
	return NEXT(scandir)(FAKE(path), list, wanted, compare);
}
