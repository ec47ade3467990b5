/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel as the VFIO bus and `cairn bind` see it: a table of the system calls they make, so
 * that a unit test can stand in for kernel and sysfs; and what both ask it and read from sysfs.
 */
#ifndef CAIRN_VFIO_SYS_H
#define CAIRN_VFIO_SYS_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cairn.h"

#define VFIO_PATH 160 /* bytes of the longest path here; names are cut to VFIO_NAME */
#define VFIO_NAME 64

/* As the system calls of these names: -1 (NULL, MAP_FAILED) with errno on failure. */
struct vfio_sys {
	int (*open)(const char *path, int flags);
	int (*close)(int fd);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	ssize_t (*pread)(int fd, void *data, size_t len, off_t offset);
	ssize_t (*pwrite)(int fd, const void *data, size_t len, off_t offset);
	void *(*mmap)(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
	int (*munmap)(void *addr, size_t len);
	ssize_t (*readlink)(const char *path, char *target, size_t size);
	int (*access)(const char *path, int mode);
	DIR *(*opendir)(const char *path);
	bool (*linux_before)(unsigned int major, unsigned int minor); /* by uname() */
};

extern const struct vfio_sys *cairn_vfio_sys;

/*
 * An INFO ioctl whose answer may be longer than the struct `head` of len bytes that begins with
 * argsz: the whole answer, to be freed, or NULL with errno.
 */
void *cairn_vfio_info(int fd, unsigned long request, const void *head, size_t len);
/* In such an answer, from cap_offset on: the capability, at least min bytes of it, or NULL. */
const void *cairn_vfio_cap(const void *info, uint32_t cap_offset, uint16_t id, size_t min);

/* Last part of where a link of the function leads ("driver", "iommu_group");
 * false: no such link. */
bool cairn_vfio_link(const char *bdf, const char *link, char name[VFIO_NAME]);
/* First name in a directory of the function that begins with `prefix`; false: none. */
bool cairn_vfio_entry(const char *bdf, const char *dir, const char *prefix, char name[VFIO_NAME]);
/* The number of its IOMMU group; 0, or -ENODEV with a message. */
int cairn_vfio_iommu_group(const char *bdf, char name[VFIO_NAME]);
/* Is there such a function, and is it a Cairn NIC?  0, or -ENODEV with a message. */
int cairn_vfio_check_function(const char *bdf);
/*
 * Functions of its IOMMU group that are in the way: bound to a driver that is neither vfio-pci nor
 * a bridge's.  Writes "0000:01:00.1 (e1000e), ..." and returns how many; 0: text is "".
 */
unsigned int cairn_vfio_others(const char *bdf, char *text, size_t size);

#endif
