/* SPDX-License-Identifier: Apache-2.0 */
/* What the files_*.c share: a function of the C library decides by files_maybe() whether it goes
 * on at once; if not, files_find() says what the path leads to. */
#ifndef FILES_PRIV_H
#define FILES_PRIV_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "cancel.h"
#include "files.h"

#define EXPORT __attribute__((visibility("default")))
/* Of what only paths of ours need: large frames stay out of the functions that all programs call,
 * maybe on a small signal stack. */
#define SLOW __attribute__((noinline, cold))

/* The C library's, or what comes next. */
#define NEXT(name)                                                                      \
	({                                                                              \
		static __typeof__(&name) function;                                      \
		__typeof__(&name) known = __atomic_load_n(&function, __ATOMIC_RELAXED); \
		if (!known) {                                                           \
			known = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name);  \
			__atomic_store_n(&function, known, __ATOMIC_RELAXED);           \
		}                                                                       \
		known;                                                                  \
	})

/* What a path leads to. */
struct place {
	const struct file_tree *tree;
	struct file file;
	char path[PATH_MAX]; /* without links, "." and ".."; or what the system is to be asked */
};

/* Of files_find(), beside 0 and errnos: ask the system for the path as it came, or for
 * place.path. */
#define FILES_PLAIN (-1)
#define FILES_MOVED (-2)

/* How often this thread has hidden them (files.h).  Not a block of memory made at its first use,
 * which would be no thing for a signal handler. */
extern __thread unsigned int files_hidden __attribute__((tls_model("initial-exec")));

/* Signals held back, cancellation off, the functions the system's, errno afterwards as before. */
struct files_inside {
	sigset_t signals;
	int cancel, error;
};
struct files_inside files_enter(void);
void files_leave(const struct files_inside *inside);
#define FILES_INSIDE \
	struct files_inside inside_ __attribute__((cleanup(files_leave), unused)) = files_enter()

bool files_rooted(const char *path);
bool files_relative(int dirfd, const char *path);

/* Headers promise the compiler that NULL is not passed; the kernel has an answer to it. */
static inline const char *files_any(const char *path)
{
	__asm__("" : "+r"(path));
	return path;
}

static inline bool files_empty(const char *path)
{
	path = files_any(path);
	return path && !*path;
}

static inline bool files_maybe(int dirfd, const char *path)
{
	const char *at = path = files_any(path);

	if (!path || *path != '/')
		return path && *path && files_relative(dirfd, path);
	while (*at == '/')
		at++;
	return (!strncmp(at, "sys/", 4) || !strncmp(at, "dev/", 4)) && files_rooted(at);
}

int files_find(int dirfd, const char *path, bool follow, struct place *place);

/* -1 with errno. */
static inline int files_fail(int err)
{
	errno = err;
	return -1;
}

/* ---- descriptors */

/* What their memfds' names begin with, and how the kernel shows that. */
#define FILES_NAME "cairn:"
#define FILES_LINK "/memfd:" FILES_NAME
/* How many this process has given out; while there are none there is no need to ask. */
extern atomic_uint files_given;
/* The path of a descriptor that stands for a file of ours. */
bool files_path_of(int fd, char path[FILE_PATH_BYTES]);
/* A new one that stands for that path, with that text; -errno. */
int files_descriptor(const char *path, const char *text, size_t len, int flags);
int files_open_place(const struct place *place, int flags);
/* What the descriptor is of, if it is ours. */
bool files_of_descriptor(int fd, struct file *file, char path[FILE_PATH_BYTES]);
/* One that a tree's own open() gave out. */
bool files_opened(int fd, struct file *file);

/* ---- one file */

void files_fill_stat(const char *path, const struct file *file, struct stat *st);
ino_t files_inode(const char *path);
unsigned char files_type(enum file_kind kind); /* DT_* */
/* 0 or an errno; effective: by the effective user. */
int files_access(const struct file *file, int mode, bool effective);
/* Entries of a directory, the system's too. */
void files_list(const struct place *dir, file_add add, void *arg);

/* ---- the working directory */

/* It is one of ours, and which. */
bool files_cwd(char path[FILE_PATH_BYTES]);

/* What is known of it, without asking; of OURS, which. */
enum files_here { FILES_HERE_UNKNOWN, FILES_HERE_SYSTEMS, FILES_HERE_OURS };
enum files_here files_here(void);
bool files_here_path(char path[FILE_PATH_BYTES]);
/* "": none of ours any more */
void files_set_here(const char *path);
/* At the first look. */
void files_here_is_systems(void);
/* Where the kernel's is while ours is OURS. */
#define FILES_PARKED "/sys/class"

#endif
