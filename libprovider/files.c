// SPDX-License-Identifier: Apache-2.0
/*
 * What a path leads to, by the table of trees (files.h): components are walked one at a time,
 * links of ours followed, ".." taken back, until the path ends in a tree or in the system's files.
 */
#include "files_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_LINKS 40

/* ---------------------------------------------------------------- is it ours? */

static const char *skip_slashes(const char *path)
{
	while (*path == '/' || (*path == '.' && (path[1] == '/' || !path[1])))
		path++;
	return path;
}

/* Does the path begin with the components of root, whatever is between them? */
static bool begins(const char *path, const char *root)
{
	for (root++;; root++) {
		size_t len = strcspn(root, "/");

		path = skip_slashes(path);
		if (strncmp(path, root, len) || (path[len] && path[len] != '/'))
			return false;
		path += len;
		root += len;
		if (!*root)
			return true;
	}
}

bool files_rooted(const char *path)
{
	for (size_t i = 0; files_trees[i] && !files_hidden; i++)
		if (begins(path, files_trees[i]->root) &&
		    (!files_trees[i]->needs || strstr(path, files_trees[i]->needs)))
			return true;
	return false;
}

/* Of a path without links, "." and "..". */
static const struct file_tree *tree_of(const char *path)
{
	for (size_t i = 0; files_trees[i]; i++) {
		size_t len = strlen(files_trees[i]->root);

		if (!strncmp(path, files_trees[i]->root, len) && (!path[len] || path[len] == '/') &&
		    (!files_trees[i]->needs || strstr(path, files_trees[i]->needs)))
			return files_trees[i];
	}
	return NULL;
}

bool files_relative(int dirfd, const char *path)
{
	char dir[FILE_PATH_BYTES];

	if (files_hidden)
		return false;
	if (dirfd == AT_FDCWD ? files_cwd(dir) : files_path_of(dirfd, dir))
		return true;
	/* Into a tree from a directory above it: they all have this in their name. */
	return strstr(path, "infiniband") != NULL;
}

/* The whole path of a relative one; virtual: that of the directory is one of ours. */
static bool join(int dirfd, const char *path, char whole[PATH_MAX], bool *virtual)
{
	char dir[FILE_PATH_BYTES], link[64], system[PATH_MAX];
	const char *from = dir;
	ssize_t n;

	*virtual = dirfd == AT_FDCWD ? files_cwd(dir) : files_path_of(dirfd, dir);
	if (!*virtual) {
		if (dirfd == AT_FDCWD)
			strcpy(link, "/proc/self/cwd");
		else
			snprintf(link, sizeof(link), "/proc/self/fd/%d", dirfd);
		n = readlink(link, system, sizeof(system) - 1);
		if (n <= 0)
			return false;
		system[n] = '\0';
		from = system;
	}
	return (size_t)snprintf(whole, PATH_MAX, "%s/%s", from, path) < PATH_MAX;
}

/* ---------------------------------------------------------------- the walk */

struct walk {
	struct place *place; /* .path: how far we are */
	char rest[PATH_MAX];
	const char *at; /* in rest */
	unsigned int links;
	bool follow, back; /* back: there were ".." */
};

static int append(char path[PATH_MAX], const char *name, size_t len)
{
	size_t had = strlen(path);

	if (had + 1 + len >= PATH_MAX)
		return ENAMETOOLONG;
	path[had] = '/';
	memcpy(path + had + 1, name, len);
	path[had + 1 + len] = '\0';
	return 0;
}

static void up(char path[PATH_MAX])
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
}

/* The link at place.path: on from where it leads to. */
static int follow_link(struct walk *w)
{
	char target[FILE_PATH_BYTES], rest[PATH_MAX];
	int err = w->place->tree->link(w->place->path, target);

	if (err)
		return err;
	if (++w->links > MAX_LINKS)
		return ELOOP;
	if ((size_t)snprintf(rest, sizeof(rest), "%s%s", target, w->at) >= sizeof(rest))
		return ENAMETOOLONG;
	strcpy(w->rest, rest);
	w->at = w->rest;
	if (*target == '/')
		w->place->path[0] = '\0';
	else
		up(w->place->path);
	return 0;
}

/* The system goes on from here: it has links that we do not know. */
static int leave(struct walk *w)
{
	struct place *place = w->place;

	place->tree = NULL;
	if (*w->at && append(place->path, w->at + (*w->at == '/'), strlen(w->at) - (*w->at == '/')))
		return ENAMETOOLONG;
	return FILES_MOVED;
}

/* One component is taken: what is there? */
static int look(struct walk *w)
{
	struct place *place = w->place;
	int err;

	place->tree = strlen(place->path) < FILE_PATH_BYTES ? tree_of(place->path) : NULL;
	if (!place->tree)
		return 0;
	err = place->tree->look(place->path, &place->file);
	if (err == FILE_SYSTEMS) {
		place->tree = NULL;
		return 0;
	}
	if (err)
		return err;
	if (place->file.kind == FILE_LINK && (*w->at || w->follow))
		return follow_link(w);
	return place->file.kind != FILE_DIR && place->file.kind != FILE_LINK && *w->at ? ENOTDIR
										       : 0;
}

/* A directory that a tree is in, which is no link. */
static bool is_above(const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; files_trees[i]; i++)
		if (!strncmp(files_trees[i]->root, path, len) && files_trees[i]->root[len] == '/')
			return true;
	return false;
}

static int walk(struct walk *w)
{
	struct place *place = w->place;

	place->path[0] = '\0';
	place->tree = NULL;
	for (;;) {
		const char *name = skip_slashes(w->at);
		size_t len = strcspn(name, "/");
		bool back = len == 2 && !strncmp(name, "..", 2);
		int err = 0;

		if (!len)
			break;
		if (back && !place->tree && !is_above(place->path))
			return leave(w);
		w->at = name + len;
		w->back |= back;
		if (back)
			up(place->path);
		else
			err = append(place->path, name, len);
		if (!err)
			err = look(w);
		if (err)
			return err;
	}
	if (place->tree)
		return 0;
	/* A slash at the end means something. */
	return *w->at && append(place->path, "", 0) ? ENAMETOOLONG : FILES_MOVED;
}

/* So far nothing of ours; but was it looked for as it should be? */
static int refresh(const char *path)
{
	for (size_t i = 0; files_trees[i]; i++)
		if (files_trees[i]->refresh && begins(path, files_trees[i]->root))
			return files_trees[i]->refresh();
	return 0;
}

SLOW int files_find(int dirfd, const char *path, bool follow, struct place *place)
{
	struct walk w = { .place = place, .follow = follow };
	bool virtual = false;
	int err, lacking;
	FILES_INSIDE;

	place->tree = NULL;
	if (*path == '/') {
		if (strlen(path) >= sizeof(w.rest))
			return FILES_PLAIN;
		strcpy(w.rest, path);
	} else if (!join(dirfd, path, w.rest, &virtual)) {
		return FILES_PLAIN;
	}
	w.at = w.rest;
	lacking = refresh(w.rest);
	err = walk(&w);
	if (err == FILES_MOVED || err == ENOENT)
		err = lacking ? lacking : err;
	/* As it came, for what may be the kernel's; by links and directories of ours it would not
	 * get there. */
	return err == FILES_MOVED && !virtual && !w.links && !w.back ? FILES_PLAIN : err;
}

/* ---------------------------------------------------------------- the working directory */

/* At the first relative path: has who started this program left it in one of ours? */
static SLOW void adopt(void)
{
	const char *pwd = secure_getenv("PWD");
	char path[sizeof(FILES_PARKED) + 1];
	struct place place;
	ssize_t n;

	if (pwd && *pwd == '/' && strlen(pwd) < FILE_PATH_BYTES && files_maybe(AT_FDCWD, pwd)) {
		n = NEXT(readlink)("/proc/self/cwd", path, sizeof(path));
		if (n == sizeof(FILES_PARKED) - 1 && !strncmp(path, FILES_PARKED, (size_t)n) &&
		    !files_find(AT_FDCWD, pwd, true, &place) && place.file.kind == FILE_DIR) {
			files_set_here(place.path);
			return;
		}
	}
	files_here_is_systems();
}

bool files_cwd(char path[FILE_PATH_BYTES])
{
	int error = errno;

	if (files_here() == FILES_HERE_UNKNOWN) {
		adopt();
		errno = error;
	}
	return files_here() == FILES_HERE_OURS && files_here_path(path);
}

/* ---------------------------------------------------------------- directories */

void files_list(const struct place *dir, file_add add, void *arg)
{
	size_t len = strlen(dir->path);
	struct file file;

	dir->tree->list(dir->path, add, arg);
	for (size_t i = 0; files_trees[i]; i++)
		if (!strncmp(files_trees[i]->root, dir->path, len) &&
		    files_trees[i]->root[len] == '/' &&
		    !strchr(files_trees[i]->root + len + 1, '/') &&
		    !files_trees[i]->look(files_trees[i]->root, &file))
			add(arg, files_trees[i]->root + len + 1, file.kind);
}

bool files_opened(int fd, struct file *file)
{
	int error = errno;
	bool found = false;

	for (size_t i = 0; files_trees[i] && !files_hidden && !found; i++) {
		if (!files_trees[i]->opened)
			continue;
		files_hide();
		found = files_trees[i]->opened(fd, file);
		files_show();
	}
	errno = error;
	return found;
}
