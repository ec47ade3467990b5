// SPDX-License-Identifier: Apache-2.0
/*
 * stat(), access() and their kin, and extended attributes, which no file of ours has.  What was
 * built with a C library before 2.33 calls __xstat() and the like.
 */
#include "files_priv.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

/* One layout; the functions are written once. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "a machine of 32 bits");

int __xstat(int version, const char *path, struct stat *st);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstat64(int version, int fd, struct stat64 *st);
int __fxstatat(int version, int dirfd, const char *path, struct stat *st, int flags);
int __fxstatat64(int version, int dirfd, const char *path, struct stat64 *st, int flags);

/* ---------------------------------------------------------------- one file */

unsigned char files_type(enum file_kind kind)
{
	static const unsigned char types[] = { [FILE_DIR] = DT_DIR,
					       [FILE_LINK] = DT_LNK,
					       [FILE_TEXT] = DT_REG,
					       [FILE_DEVICE] = DT_CHR };

	return types[kind];
}

static mode_t mode_of(enum file_kind kind)
{
	static const mode_t modes[] = {
		[FILE_DIR] = S_IFDIR | 0755,
		[FILE_LINK] = S_IFLNK | 0777,
		[FILE_TEXT] = S_IFREG | 0444,
		[FILE_DEVICE] = S_IFCHR | 0666,
	};

	return modes[kind];
}

/* FNV-1a, in numbers that sysfs does not use. */
ino_t files_inode(const char *path)
{
	uint64_t hash = 0xcbf29ce484222325ull;

	for (; *path; path++)
		hash = (hash ^ (uint8_t)*path) * 0x100000001b3ull;
	return (hash >> 1) | 1ull << 62;
}

/* sysfs, or what /dev is: a walk that stays on one file system gets in. */
static dev_t file_system(const char *path)
{
	struct stat st;
	char root[5];

	snprintf(root, sizeof(root), "%s", path);
	return NEXT(stat)(root, &st) ? 0 : st.st_dev;
}

void files_fill_stat(const char *path, const struct file *file, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	st->st_dev = file_system(path);
	st->st_ino = files_inode(path);
	st->st_mode = mode_of(file->kind);
	st->st_nlink = 1;
	st->st_blksize = 4096;
	if (file->kind == FILE_TEXT)
		st->st_size = FILE_TEXT_BYTES;
	if (file->kind == FILE_DEVICE)
		st->st_rdev = file->device;
}

/* Everything is root's. */
int files_access(const struct file *file, int mode, bool effective)
{
	mode_t rights = mode_of(file->kind);
	bool root = !(effective ? geteuid() : getuid());

	if (mode & ~(R_OK | W_OK | X_OK))
		return EINVAL;
	if (mode & X_OK && !(rights & 0111))
		return EACCES;
	return mode & W_OK && !root && !(rights & S_IWOTH) ? EACCES : 0;
}

/* ---------------------------------------------------------------- stat() */

static SLOW int stat_slow(int dirfd, const char *path, struct stat *st, int flags)
{
	struct place place;
	int found = files_find(dirfd, path, !(flags & AT_SYMLINK_NOFOLLOW), &place);

	if (found == FILES_PLAIN)
		return NEXT(fstatat)(dirfd, path, st, flags);
	if (found == FILES_MOVED)
		return NEXT(fstatat)(AT_FDCWD, place.path, st, flags);
	if (found)
		return files_fail(found);
	files_fill_stat(place.path, &place.file, st);
	return 0;
}

/* What the kernel says of a descriptor is an unnamed memfd, if it is one of ours. */
static SLOW void fill_descriptor(int fd, struct stat *st)
{
	char path[FILE_PATH_BYTES];
	off_t size = st->st_size;
	struct file file;

	if (!files_of_descriptor(fd, &file, path))
		return;
	files_fill_stat(path, &file, st);
	if (file.kind == FILE_TEXT)
		st->st_size = size;
}

static inline int of_descriptor(int fd, struct stat *st, int got)
{
	struct file file;

	if (!got && S_ISREG(st->st_mode) && !st->st_nlink && atomic_load(&files_given))
		fill_descriptor(fd, st);
	else if (!got && !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode) &&
		 files_opened(fd, &file)) {
		st->st_mode = mode_of(file.kind);
		st->st_rdev = file.device;
	}
	return got;
}

#define STAT(name, type, flags)                                              \
	EXPORT int name(const char *restrict path, struct type *restrict st) \
	{                                                                    \
		if (!files_maybe(AT_FDCWD, path))                            \
			return NEXT(name)(path, st);                         \
		return stat_slow(AT_FDCWD, path, (struct stat *)st, flags);  \
	}
#define FSTAT(name, type)                                                        \
	EXPORT int name(int fd, struct type *st)                                 \
	{                                                                        \
		return of_descriptor(fd, (struct stat *)st, NEXT(name)(fd, st)); \
	}
#define FSTATAT(name, type)                                                                        \
	EXPORT int name(int dirfd, const char *restrict path, struct type *restrict st, int flags) \
	{                                                                                          \
		if (files_maybe(dirfd, path))                                                      \
			return stat_slow(dirfd, path, (struct stat *)st, flags);                   \
		if (!(flags & AT_EMPTY_PATH) || !files_empty(path))                                \
			return NEXT(name)(dirfd, path, st, flags);                                 \
		return of_descriptor(dirfd, (struct stat *)st,                                     \
				     NEXT(name)(dirfd, path, st, flags));                          \
	}

STAT(stat, stat, 0)
STAT(stat64, stat64, 0)
STAT(lstat, stat, AT_SYMLINK_NOFOLLOW)
STAT(lstat64, stat64, AT_SYMLINK_NOFOLLOW)
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

#define XSTAT(name, type, flags)                                            \
	EXPORT int name(int version, const char *path, struct type *st)     \
	{                                                                   \
		if (!files_maybe(AT_FDCWD, path))                           \
			return NEXT(name)(version, path, st);               \
		return stat_slow(AT_FDCWD, path, (struct stat *)st, flags); \
	}
#define FXSTAT(name, type)                                                                \
	EXPORT int name(int version, int fd, struct type *st)                             \
	{                                                                                 \
		return of_descriptor(fd, (struct stat *)st, NEXT(name)(version, fd, st)); \
	}
#define FXSTATAT(name, type)                                                                  \
	EXPORT int name(int version, int dirfd, const char *path, struct type *st, int flags) \
	{                                                                                     \
		if (!files_maybe(dirfd, path))                                                \
			return NEXT(name)(version, dirfd, path, st, flags);                   \
		return stat_slow(dirfd, path, (struct stat *)st, flags);                      \
	}

XSTAT(__xstat, stat, 0)
XSTAT(__xstat64, stat64, 0)
XSTAT(__lxstat, stat, AT_SYMLINK_NOFOLLOW)
XSTAT(__lxstat64, stat64, AT_SYMLINK_NOFOLLOW)
FXSTAT(__fxstat, stat)
FXSTAT(__fxstat64, stat64)
FXSTATAT(__fxstatat, stat)
FXSTATAT(__fxstatat64, stat64)

/* ---------------------------------------------------------------- statx() */

static void to_statx(const struct stat *st, struct statx *stx)
{
	memset(stx, 0, sizeof(*stx));
	stx->stx_mask = STATX_BASIC_STATS;
	stx->stx_blksize = (uint32_t)st->st_blksize;
	stx->stx_nlink = (uint32_t)st->st_nlink;
	stx->stx_mode = (uint16_t)st->st_mode;
	stx->stx_ino = st->st_ino;
	stx->stx_size = (uint64_t)st->st_size;
	stx->stx_dev_major = major(st->st_dev);
	stx->stx_dev_minor = minor(st->st_dev);
	stx->stx_rdev_major = major(st->st_rdev);
	stx->stx_rdev_minor = minor(st->st_rdev);
}

static SLOW int statx_slow(int dirfd, const char *path, int flags, unsigned int mask,
			   struct statx *stx)
{
	struct place place;
	struct stat st;
	int found = files_find(dirfd, path, !(flags & AT_SYMLINK_NOFOLLOW), &place);

	if (found == FILES_PLAIN)
		return NEXT(statx)(dirfd, path, flags, mask, stx);
	if (found == FILES_MOVED)
		return NEXT(statx)(AT_FDCWD, place.path, flags, mask, stx);
	if (found)
		return files_fail(found);
	files_fill_stat(place.path, &place.file, &st);
	to_statx(&st, stx);
	return 0;
}

/* Of an open file. */
static SLOW void statx_descriptor(int fd, struct statx *stx)
{
	struct stat st, kernel;

	if (NEXT(fstat)(fd, &kernel))
		return;
	st = kernel;
	of_descriptor(fd, &st, 0);
	if (st.st_mode != kernel.st_mode || st.st_ino != kernel.st_ino)
		to_statx(&st, stx);
}

EXPORT int statx(int dirfd, const char *restrict path, int flags, unsigned int mask,
		 struct statx *restrict stx)
{
	int got;

	if (files_maybe(dirfd, path))
		return statx_slow(dirfd, path, flags, mask, stx);
	got = NEXT(statx)(dirfd, path, flags, mask, stx);
	if (!got && flags & AT_EMPTY_PATH && (!files_any(path) || !*path))
		statx_descriptor(dirfd, stx);
	return got;
}

/* ---------------------------------------------------------------- access() */

static SLOW int access_slow(int dirfd, const char *path, int mode, int flags)
{
	struct place place;
	int found = files_find(dirfd, path, !(flags & AT_SYMLINK_NOFOLLOW), &place);

	if (found == FILES_PLAIN)
		return NEXT(faccessat)(dirfd, path, mode, flags);
	if (found == FILES_MOVED)
		return NEXT(faccessat)(AT_FDCWD, place.path, mode, flags);
	if (!found)
		found = files_access(&place.file, mode, flags & AT_EACCESS);
	return found ? files_fail(found) : 0;
}

#define ACCESS(name, flags)                                      \
	EXPORT int name(const char *path, int mode)              \
	{                                                        \
		if (!files_maybe(AT_FDCWD, path))                \
			return NEXT(name)(path, mode);           \
		return access_slow(AT_FDCWD, path, mode, flags); \
	}

ACCESS(access, 0)
ACCESS(euidaccess, AT_EACCESS)
ACCESS(eaccess, AT_EACCESS)

EXPORT int faccessat(int dirfd, const char *path, int mode, int flags)
{
	if (!files_maybe(dirfd, path))
		return NEXT(faccessat)(dirfd, path, mode, flags);
	return access_slow(dirfd, path, mode, flags);
}

/* ---------------------------------------------------------------- extended attributes */

/* Where the system goes on: the path it shall be asked for; NULL: nowhere, with errno. */
static SLOW const char *without_attributes(const char *path, bool follow, struct place *place)
{
	int found = files_find(AT_FDCWD, path, follow, place);

	if (found < 0)
		return found == FILES_PLAIN ? path : place->path;
	errno = found ? found : EOPNOTSUPP;
	return NULL;
}

static SLOW ssize_t getxattr_slow(const char *path, bool follow, const char *name, void *value,
				  size_t size)
{
	struct place place;

	path = without_attributes(path, follow, &place);
	return !path	? -1
	       : follow ? NEXT(getxattr)(path, name, value, size)
			: NEXT(lgetxattr)(path, name, value, size);
}

static SLOW ssize_t listxattr_slow(const char *path, bool follow, char *list, size_t size)
{
	struct place place;

	path = without_attributes(path, follow, &place);
	return !path	? -1
	       : follow ? NEXT(listxattr)(path, list, size)
			: NEXT(llistxattr)(path, list, size);
}

#define GETXATTR(fn, follow)                                                            \
	EXPORT ssize_t fn(const char *path, const char *name, void *value, size_t size) \
	{                                                                               \
		if (!files_maybe(AT_FDCWD, path))                                       \
			return NEXT(fn)(path, name, value, size);                       \
		return getxattr_slow(path, follow, name, value, size);                  \
	}
#define LISTXATTR(fn, follow)                                        \
	EXPORT ssize_t fn(const char *path, char *list, size_t size) \
	{                                                            \
		if (!files_maybe(AT_FDCWD, path))                    \
			return NEXT(fn)(path, list, size);           \
		return listxattr_slow(path, follow, list, size);     \
	}

GETXATTR(getxattr, true)
GETXATTR(lgetxattr, false)
LISTXATTR(listxattr, true)
LISTXATTR(llistxattr, false)
