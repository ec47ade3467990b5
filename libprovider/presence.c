// SPDX-License-Identifier: Apache-2.0
/*
 * The character devices of our NICs, for programs that look whether they may use a device before
 * they open it with verbs (UCX does: "/dev/infiniband/NAME" has to be a character device that can
 * be read and written).  There is no such file: stat() and access() of these names answer for it,
 * of NICs that are there, and for nothing else.  It cannot be opened, which no program does that
 * uses libibverbs.  Rights are those on the NIC's socket or function.
 */
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "interpose.h"

#define DIRECTORY "/dev/infiniband/"
/* as the kernel's of uverbs devices */
#define MAJOR 231u
#define MINOR 192u

/* The NIC that this is the file of, or NULL. */
static const struct nic *nic_of_file(const char *path)
{
	size_t n = strlen(DIRECTORY);

	if (!path || strncmp(path, DIRECTORY, n) || strchr(path + n, '/'))
		return NULL;
	return nic_named(path + n);
}

static int function_access(const struct nic *nic, int mode)
{
	int (*next)(const char *, int) = NEXT(access);

	if (!next) {
		errno = ENOSYS;
		return -1;
	}
	if (mode & X_OK) {
		errno = EACCES;
		return -1;
	}
	/* Who may use a real function is the kernel's to say, at the open of its VFIO group. */
	return nic->addr[0] == '/' ? next(nic->addr, mode) : 0;
}

/* The system's own file of that name, if there is one, goes first. */
#define STAT(name, path, st)                                                                \
	do {                                                                                \
		int (*next)(const char *restrict, struct name *restrict) = NEXT(name);      \
		int before = errno, got = next ? next(path, st) : -1;                       \
		const struct nic *nic = got ? nic_of_file(path) : NULL;                     \
		if (!nic)                                                                   \
			return got;                                                         \
		errno = before;                                                             \
		memset(st, 0, sizeof(*(st)));                                               \
		(st)->st_mode = S_IFCHR | S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | \
				S_IWOTH;                                                    \
		(st)->st_nlink = 1;                                                         \
		(st)->st_rdev = makedev(MAJOR, MINOR);                                      \
		(st)->st_blksize = 4096;                                                    \
		return 0;                                                                   \
	} while (0)

EXPORT int stat(const char *restrict path, struct stat *restrict st)
{
	STAT(stat, path, st);
}

EXPORT int stat64(const char *restrict path, struct stat64 *restrict st)
{
	STAT(stat64, path, st);
}

EXPORT int access(const char *path, int mode)
{
	int (*next)(const char *, int) = NEXT(access);
	int before = errno, got = next ? next(path, mode) : -1;
	const struct nic *nic = got ? nic_of_file(path) : NULL;

	if (!nic)
		return got;
	errno = before;
	return function_access(nic, mode);
}
