// SPDX-License-Identifier: Apache-2.0
/* scandir() and glob(), which the C library does with an opendir() of its own. */
#include "files_priv.h"
#include "files_dir.h"

#include <glob.h>
#include <stdlib.h>

typedef int (*wanted_fn)(const struct dirent *entry);
typedef int (*compare_fn)(const struct dirent **a, const struct dirent **b);
typedef int (*wanted64_fn)(const struct dirent64 *entry);
typedef int (*compare64_fn)(const struct dirent64 **a, const struct dirent64 **b);

/* ---------------------------------------------------------------- scandir() */

static int by(const void *a, const void *b, void *compare)
{
	return (*(compare_fn *)compare)((const struct dirent **)(uintptr_t)a,
					(const struct dirent **)(uintptr_t)b);
}

/* Those that are wanted, each a block of its own. */
static int choose(const struct files_entries *from, struct dirent ***list, wanted_fn wanted,
		  compare_fn compare)
{
	struct dirent **chosen = calloc(from->n + 1, sizeof(*chosen));
	int n = 0;

	for (unsigned int i = 0; chosen && i < from->n; i++) {
		if (wanted && !wanted(&from->entry[i]))
			continue;
		chosen[n] = malloc(sizeof(struct dirent));
		if (!chosen[n]) {
			while (n)
				free(chosen[--n]);
			free(chosen);
			chosen = NULL;
			break;
		}
		memcpy(chosen[n++], &from->entry[i], sizeof(struct dirent));
	}
	if (!chosen)
		return files_fail(ENOMEM);
	if (compare)
		qsort_r(chosen, (size_t)n, sizeof(*chosen), by, &compare);
	*list = chosen;
	return n;
}

static SLOW int scandir_slow(int dirfd, const char *path, struct dirent ***list, wanted_fn wanted,
			     compare_fn compare)
{
	struct files_entries entries;
	struct place place;
	int found = files_find(dirfd, path, true, &place), n;

	if (found == FILES_PLAIN)
		return NEXT(scandirat)(dirfd, path, list, wanted, compare);
	if (found == FILES_MOVED)
		return NEXT(scandirat)(AT_FDCWD, place.path, list, wanted, compare);
	if (!found)
		found = place.file.kind == FILE_DIR ? files_read_entries(&place, &entries)
						    : ENOTDIR;
	if (found)
		return files_fail(found);
	n = choose(&entries, list, wanted, compare);
	free(entries.entry);
	return n;
}

EXPORT int scandir(const char *restrict path, struct dirent ***restrict list, wanted_fn wanted,
		   compare_fn compare)
{
	if (!files_maybe(AT_FDCWD, path))
		return NEXT(scandir)(path, list, wanted, compare);
	return scandir_slow(AT_FDCWD, path, list, wanted, compare);
}

EXPORT int scandirat(int dirfd, const char *restrict path, struct dirent ***restrict list,
		     wanted_fn wanted, compare_fn compare)
{
	if (!files_maybe(dirfd, path))
		return NEXT(scandirat)(dirfd, path, list, wanted, compare);
	return scandir_slow(dirfd, path, list, wanted, compare);
}

EXPORT int scandir64(const char *restrict path, struct dirent64 ***restrict list,
		     wanted64_fn wanted, compare64_fn compare)
{
	if (!files_maybe(AT_FDCWD, path))
		return NEXT(scandir64)(path, list, wanted, compare);
	return scandir_slow(AT_FDCWD, path, (struct dirent ***)list, (wanted_fn)wanted,
			    (compare_fn)compare);
}

EXPORT int scandirat64(int dirfd, const char *restrict path, struct dirent64 ***restrict list,
		       wanted64_fn wanted, compare64_fn compare)
{
	if (!files_maybe(dirfd, path))
		return NEXT(scandirat64)(dirfd, path, list, wanted, compare);
	return scandir_slow(dirfd, path, (struct dirent ***)list, (wanted_fn)wanted,
			    (compare_fn)compare);
}

/* ---------------------------------------------------------------- glob() */

/* The C library takes functions of the caller's for its directories: these are ours, which hand on
 * what is not. */
static void glob_close(void *dir)
{
	closedir(dir);
}

static struct dirent *glob_read(void *dir)
{
	return readdir(dir);
}

static void *glob_open(const char *path)
{
	return opendir(path);
}

static int glob_lstat(const char *restrict path, struct stat *restrict st)
{
	return lstat(path, st);
}

static int glob_stat(const char *restrict path, struct stat *restrict st)
{
	return stat(path, st);
}

static void through_us(glob_t *found)
{
	found->gl_closedir = glob_close;
	found->gl_readdir = glob_read;
	found->gl_opendir = glob_open;
	found->gl_lstat = glob_lstat;
	found->gl_stat = glob_stat;
}

/* A pattern that may lead to ours, also by way of wildcards. */
static bool may_be_ours(const char *pattern, int flags)
{
	static const char *const above[] = { "/sys/", "/dev/" };

	if (!pattern || flags & GLOB_ALTDIRFUNC)
		return false;
	for (unsigned int i = 0; i < sizeof(above) / sizeof(above[0]); i++)
		if (!strncmp(pattern, above[i], strlen(above[i])))
			return true;
	return *pattern != '/' && files_maybe(AT_FDCWD, pattern);
}

EXPORT int glob(const char *restrict pattern, int flags, int (*error)(const char *path, int err),
		glob_t *restrict found)
{
	if (may_be_ours(pattern, flags)) {
		through_us(found);
		flags |= GLOB_ALTDIRFUNC;
	}
	return NEXT(glob)(pattern, flags, error, found);
}

EXPORT int glob64(const char *restrict pattern, int flags, int (*error)(const char *path, int err),
		  glob64_t *restrict found)
{
	_Static_assert(sizeof(glob_t) == sizeof(glob64_t), "a machine of 32 bits");
	if (may_be_ours(pattern, flags)) {
		through_us((glob_t *)found);
		flags |= GLOB_ALTDIRFUNC;
	}
	return NEXT(glob64)(pattern, flags, error, found);
}
