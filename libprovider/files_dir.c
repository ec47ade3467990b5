// SPDX-License-Identifier: Apache-2.0
/*
 * Directory streams, opendir() to closedir().  One of ours is a block of our own that begins with
 * what no stream of a C library begins with: an invalid descriptor, and its own address.  While
 * a process has none of ours, nothing is looked up.
 *
 * A stream lists what was there when it was opened or rewound.
 */
#include "files_priv.h"
#include "files_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "a machine of 32 bits");

#define NO_DESCRIPTOR (-0x4341)

struct stream {
	int mark;
	struct stream *self;
	int fd;
	unsigned int at;
	struct files_entries entries;
	char path[FILE_PATH_BYTES];
};

static atomic_uint streams;

static struct stream *ours(DIR *dir)
{
	struct stream *stream = (struct stream *)dir;

	if (!atomic_load(&streams) || !stream || stream->mark != NO_DESCRIPTOR)
		return NULL;
	return stream->self == stream ? stream : NULL;
}

/* ---------------------------------------------------------------- what is in one */

static bool listed(const struct files_entries *list, const char *name)
{
	for (unsigned int i = 0; i < list->n; i++)
		if (!strcmp(list->entry[i].d_name, name))
			return true;
	return false;
}

static void add_entry(struct files_entries *list, const char *name, unsigned char type, ino_t inode)
{
	struct dirent *entry;

	if (list->err || listed(list, name))
		return;
	entry = reallocarray(list->entry, list->n + 1, sizeof(*entry));
	if (!entry) {
		list->err = ENOMEM;
		return;
	}
	list->entry = entry;
	entry += list->n++;
	memset(entry, 0, sizeof(*entry));
	entry->d_ino = inode;
	entry->d_off = list->n;
	entry->d_reclen = sizeof(*entry);
	entry->d_type = type;
	strncpy(entry->d_name, name, sizeof(entry->d_name) - 1);
}

struct adding {
	struct files_entries *list;
	const char *path;
};

static void add_ours(void *arg, const char *name, enum file_kind kind)
{
	struct adding *adding = arg;
	char path[FILE_PATH_BYTES];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", adding->path, name) < sizeof(path))
		add_entry(adding->list, name, files_type(kind), files_inode(path));
}

/* The system's directory of the same name. */
static void add_system(struct files_entries *list, const char *path)
{
	DIR *dir = NEXT(opendir)(path);
	const struct dirent *entry;

	if (!dir && (errno == ENOMEM || errno == EMFILE || errno == ENFILE))
		list->err = errno;
	while (dir && (entry = NEXT(readdir)(dir)))
		add_entry(list, entry->d_name, entry->d_type, entry->d_ino);
	if (dir)
		NEXT(closedir)(dir);
}

int files_read_entries(const struct place *place, struct files_entries *list)
{
	struct adding adding = { list, place->path };
	FILES_INSIDE;

	*list = (struct files_entries){ 0 };
	add_entry(list, ".", DT_DIR, files_inode(place->path));
	add_entry(list, "..", DT_DIR, 1);
	files_list(place, add_ours, &adding);
	add_system(list, place->path);
	if (list->err)
		free(list->entry);
	return list->err;
}

/* ---------------------------------------------------------------- opendir() */

/* Takes the descriptor over, in any case. */
static DIR *new_stream(const struct place *place, int fd)
{
	struct stream *stream = calloc(1, sizeof(*stream));
	int err = stream ? files_read_entries(place, &stream->entries) : ENOMEM;

	if (err) {
		free(stream);
		close(fd);
		errno = err;
		return NULL;
	}
	stream->mark = NO_DESCRIPTOR;
	stream->self = stream;
	stream->fd = fd;
	strcpy(stream->path, place->path);
	atomic_fetch_add(&streams, 1);
	return (DIR *)stream;
}

static SLOW DIR *opendir_slow(const char *path)
{
	struct place place;
	int found = files_find(AT_FDCWD, path, true, &place), fd;

	if (found < 0)
		return NEXT(opendir)(found == FILES_PLAIN ? path : place.path);
	if (!found && place.file.kind != FILE_DIR)
		found = ENOTDIR;
	fd = found ? -found : files_open_place(&place, O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		return new_stream(&place, fd);
	errno = -fd;
	return NULL;
}

EXPORT DIR *opendir(const char *path)
{
	return files_maybe(AT_FDCWD, path) ? opendir_slow(path) : NEXT(opendir)(path);
}

static SLOW DIR *fdopendir_slow(int fd)
{
	char path[FILE_PATH_BYTES];
	struct place place;

	if (!files_path_of(fd, path) || files_find(AT_FDCWD, path, true, &place) ||
	    place.file.kind != FILE_DIR)
		return NEXT(fdopendir)(fd);
	return new_stream(&place, fd);
}

EXPORT DIR *fdopendir(int fd)
{
	return atomic_load(&files_given) ? fdopendir_slow(fd) : NEXT(fdopendir)(fd);
}

EXPORT int closedir(DIR *dir)
{
	struct stream *stream = ours(dir);
	int fd;

	if (!stream)
		return NEXT(closedir)(dir);
	fd = stream->fd;
	free(stream->entries.entry);
	stream->mark = 0;
	free(stream);
	atomic_fetch_sub(&streams, 1);
	return close(fd);
}

EXPORT int dirfd(DIR *dir)
{
	struct stream *stream = ours(dir);

	return stream ? stream->fd : NEXT(dirfd)(dir);
}

/* ---------------------------------------------------------------- readdir() */

static struct dirent *next_entry(struct stream *stream)
{
	return stream->at < stream->entries.n ? &stream->entries.entry[stream->at++] : NULL;
}

EXPORT struct dirent *readdir(DIR *dir)
{
	struct stream *stream = ours(dir);

	return stream ? next_entry(stream) : NEXT(readdir)(dir);
}

EXPORT struct dirent64 *readdir64(DIR *dir)
{
	struct stream *stream = ours(dir);

	return stream ? (struct dirent64 *)next_entry(stream) : NEXT(readdir64)(dir);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

EXPORT int readdir_r(DIR *restrict dir, struct dirent *restrict entry,
		     struct dirent **restrict result)
{
	struct stream *stream = ours(dir);
	const struct dirent *next;

	if (!stream)
		return NEXT(readdir_r)(dir, entry, result);
	next = next_entry(stream);
	*result = next ? memcpy(entry, next, sizeof(*entry)) : NULL;
	return 0;
}

EXPORT int readdir64_r(DIR *restrict dir, struct dirent64 *restrict entry,
		       struct dirent64 **restrict result)
{
	if (!ours(dir))
		return NEXT(readdir64_r)(dir, entry, result);
	return readdir_r(dir, (struct dirent *)entry, (struct dirent **)result);
}

#pragma GCC diagnostic pop

/* ---------------------------------------------------------------- where in it */

static SLOW void read_again(struct stream *stream)
{
	struct files_entries entries;
	struct place place;

	stream->at = 0;
	if (files_find(AT_FDCWD, stream->path, true, &place) || place.file.kind != FILE_DIR ||
	    files_read_entries(&place, &entries))
		return; /* what was there */
	free(stream->entries.entry);
	stream->entries = entries;
}

EXPORT void rewinddir(DIR *dir)
{
	struct stream *stream = ours(dir);

	if (stream)
		read_again(stream);
	else
		NEXT(rewinddir)(dir);
}

EXPORT long telldir(DIR *dir)
{
	struct stream *stream = ours(dir);

	return stream ? (long)stream->at : NEXT(telldir)(dir);
}

EXPORT void seekdir(DIR *dir, long at)
{
	struct stream *stream = ours(dir);

	if (!stream)
		NEXT(seekdir)(dir, at);
	else
		stream->at = at >= 0 && at < (long)stream->entries.n ? (unsigned int)at
								     : stream->entries.n;
}
