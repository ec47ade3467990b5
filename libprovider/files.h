/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that a program looks for beside the verbs, and that no kernel has: /dev/infiniband,
 * /sys/class/infiniband, /sys/class/infiniband_verbs and what their links lead to.  The C library's
 * functions that take a path are ours (files_*.c); a path that begins as the root of a tree does is
 * shown to that tree, every other goes on as it came.
 *
 * Nothing is made on the system.  What is asked for is made up when it is asked for, so that values
 * are those of that moment; an open file is a memfd with the text, an open directory an empty one.
 * Such a memfd's name is "cairn:" and the path, by which a descriptor tells what it is, duplicated
 * or inherited by a child.  So nothing has to be removed at the end, whatever end it is, and
 * processes share nothing. (Real files in a private directory would have to be removed after
 * _exit(), exec and SIGKILL, and would be of the past when they are read.)
 *
 *   files_table.c  all trees            files.c       what a path leads to
 *   files_open.c   open, fopen           files_fd.c    descriptors of ours, read
 *   files_stat.c   stat, access, extended attributes
 *   files_dir.c    opendir to closedir   files_scan.c  scandir, glob
 *   files_path.c   readlink, realpath    files_cwd.c   chdir, getcwd
 *   files_inside.c files_name.c files_here.c   what these stand on
 *   nic_files.c nic_names.c  the trees of our NICs
 *   cm/device.c    the connection manager's device
 *
 * The system's own devices stay: a directory of both is listed with the entries of both, and names
 * that are not ours are the kernel's to answer.
 *
 * For paths that are not ours the functions are what they were (async-signal-safe, of no lock, no
 * memory): some comparisons come before.  For ours they take locks and memory, with signals held
 * back, so that no handler meets a lock of its own thread (one that comes while the thread looks
 * for NICs otherwise gets the system's answer); only a handler that interrupted malloc() must not
 * look at them.
 *
 * Not reached, as with the verbs: programs that are linked statically or make system calls
 * themselves.  Nor functions of the C library that open by themselves: ftw(), fts_open().
 */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* With the NUL: a memfd's name has 249 bytes, "cairn:" included. */
#define FILE_PATH_BYTES 240
#define FILE_TEXT_BYTES 4096 /* as sysfs has it: a page at most */

enum file_kind { FILE_DIR, FILE_LINK, FILE_TEXT, FILE_DEVICE };

struct file {
	enum file_kind kind;
	dev_t device; /* of a FILE_DEVICE */
};

/* Of look(): the tree has nothing to say to that path, ask the system. */
#define FILE_SYSTEMS (-1)

typedef void (*file_add)(void *arg, const char *name, enum file_kind kind);

/*
 * Paths are absolute and without links, "." and "..", at most FILE_PATH_BYTES long.  Where not
 * said otherwise 0 or an errno is returned.  Called with signals held back, cancellation off, and
 * the functions of the C library being the system's.
 */
struct file_tree {
	const char *root;  /* absolute; what is at it and beneath is shown to the tree */
	const char *needs; /* only paths that have this in them; or NULL */
	/* Before a path is looked at; what it returns is the answer where nothing is found.  Or
	 * NULL. */
	int (*refresh)(void);
	/* ENOENT: nothing, and the system has nothing either. */
	int (*look)(const char *path, struct file *file);
	/* What a FILE_LINK says. */
	int (*link)(const char *path, char target[FILE_PATH_BYTES]);
	/* Of a FILE_TEXT, not to be ended by NUL: its length, or -errno. */
	int (*text)(const char *path, char text[FILE_TEXT_BYTES]);
	/* Of a FILE_DIR, without "." and "..", the system's entries and roots of other trees. */
	void (*list)(const char *path, file_add add, void *arg);
	/* A FILE_DEVICE, with the flags of open(): a descriptor, or -errno.  NULL: it can be
	 * opened, and nothing be done with it. */
	int (*open)(const char *path, int flags);
	/* Is it a descriptor that open() gave out, or a duplicate?  For each fstat() of what is no
	 * file and no directory, and in a signal handler, too; or NULL. */
	bool (*opened)(int fd, struct file *file);
};

/* files_table.c: a device of another kind (its file in /dev/infiniband, say) is one more row. */
extern const struct file_tree *const files_trees[];
/* nic_files.c */
extern const struct file_tree nic_dev_files, nic_class_files, nic_verbs_files, nic_own_files,
	nic_pci_files;
/* cm/device.c */
extern const struct file_tree cm_files;

/* From here to the matching call of this thread the functions are the system's. */
void files_hide(void);
void files_show(void);

#endif
