/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which users are trusted, on both sides of a simulated NIC's socket: this one and root.  A
 * directory is opened first and looked at through its descriptor, and everything in it is reached
 * through that descriptor, so that it cannot be replaced by another one in between.  Headers only:
 * the simulator, which links no driver, has the same rules.  Needs _GNU_SOURCE.
 */
#ifndef CAIRN_TRUST_H
#define CAIRN_TRUST_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Mode bits that a directory must not have. */
#define TRUST_PRIVATE 077u /* run directory: others cannot get in */
#define TRUST_OURS 022u	   /* facts that all may read and only its owner may write */

/* "/proc/self/fd/<fd>/" and a name; what bind() and connect() take has room for it. */
#define TRUST_PATH 300

/* The user's own run directory, where no other was named: false if it does not fit. */
static inline bool trust_rundir(char *path, size_t size)
{
	const char *base = secure_getenv("XDG_RUNTIME_DIR");

	return (size_t)snprintf(path, size, "%s/cairn", base && *base ? base : "/run") < size;
}

static inline bool trust_user(uid_t uid)
{
	return uid == geteuid() || uid == 0;
}

/* 0, or -EPERM with the reason in why, which begins with the path. */
static inline int trust_stat(const struct stat *st, unsigned int forbidden, const char *path,
			     char *why, size_t size)
{
	if (!trust_user(st->st_uid))
		snprintf(why, size, "%.160s belongs to user %u, not to user %u or root", path,
			 st->st_uid, geteuid());
	else if (st->st_mode & forbidden)
		snprintf(why, size,
			 "%.160s: its mode %04o lets others in: chmod go-%s it, or use another",
			 path, st->st_mode & 07777u, forbidden == TRUST_PRIVATE ? "rwx" : "w");
	else
		return 0;
	return -EPERM;
}

/*
 * An O_PATH descriptor of a directory that is this user's or root's and has none of the forbidden
 * bits, or -errno with the reason in why.  A symbolic link is not followed where the path ends.
 */
static inline int trust_open_dir(const char *path, unsigned int forbidden, char *why, size_t size)
{
	size_t len = strlen(path);
	char name[4096];
	struct stat st;
	int fd, err;

	if (!len || len >= sizeof(name)) {
		snprintf(why, size, "%.160s: no path of a directory", path);
		return len ? -ENAMETOOLONG : -ENOENT;
	}
	memcpy(name, path, len + 1);
	while (len > 1 && name[len - 1] == '/') /* "link/" would be what it points to */
		name[--len] = 0;
	fd = open(name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	err = fd < 0 ? -errno : 0;
	if (fd < 0 && !lstat(name, &st) && S_ISLNK(st.st_mode)) {
		snprintf(why, size, "%.160s is a symbolic link: name the directory itself", name);
		return -ELOOP;
	}
	if (!err && fstat(fd, &st))
		err = -errno;
	if (err)
		snprintf(why, size, "%.160s: %s", name, strerror(-err));
	else
		err = trust_stat(&st, forbidden, name, why, size);
	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}

/* A file of that directory, as open() takes flags; a new one is its owner's alone.  Nothing but a
 * regular one; descriptor or -errno. */
static inline int trust_open_file_as(int dir, const char *name, int flags, char *why, size_t size)
{
	int fd = openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600), err;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		err = -errno;
		snprintf(why, size, "%.160s: %s", name, strerror(-err));
	} else if (!S_ISREG(st.st_mode)) {
		snprintf(why, size, "%.160s is no file", name);
		err = -EPERM;
	} else {
		err = trust_stat(&st, TRUST_OURS, name, why, size);
	}
	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}

/* ... to be read. */
static inline int trust_open_file(int dir, const char *name, char *why, size_t size)
{
	return trust_open_file_as(dir, name, O_RDONLY, why, size);
}

/* The name in the directory behind a descriptor; false: too long for `size`. */
static inline bool trust_at(int dir, const char *name, char *out, size_t size)
{
	int n = snprintf(out, size, "/proc/self/fd/%d/%s", dir, name);

	return n > 0 && (size_t)n < size;
}

/* Who is at the other end: 0 if it is this user or root, else -EPERM; -errno: not known. */
static inline int trust_peer(int sock, struct ucred *who)
{
	socklen_t len = sizeof(*who);

	if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, who, &len))
		return -errno;
	return trust_user(who->uid) ? 0 : -EPERM;
}

#endif
