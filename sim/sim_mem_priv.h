/* SPDX-License-Identifier: Apache-2.0 */
/* Files behind host memory ranges (sim_mem_file.c), shared with sim_mem.c only. */
#ifndef CAIRN_SIM_MEM_PRIV_H
#define CAIRN_SIM_MEM_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* One file, however many ranges point into it: mapped as a whole, no descriptor kept. */
struct sim_mem_file {
	struct sim_mem_file *next;
	dev_t dev;
	ino_t ino;
	bool writable; /* part of the identity: a read-only descriptor gives a read-only mapping */
	uint8_t *base;
	uint64_t size;		/* mapped bytes */
	unsigned int refs;
};

/*
 * The object for `fd`, of which bytes up to `end` are wanted; a reference is taken.  0, -EINVAL
 * (the file is shorter, or no file), -ENOTSUP (not in memory), -EMFILE (too many), -ENOMEM or what
 * the system said.  `list` is the head of the owner's files.
 */
int sim_mem_file_get(struct sim_mem_file **list, int fd, bool writable, uint64_t end,
		     struct sim_mem_file **out);
void sim_mem_file_put(struct sim_mem_file **list, struct sim_mem_file *f);

/* 0 or -EIO: a page is not there any more. */
int sim_mem_file_read(struct sim_mem_file *f, uint64_t off, void *buf, size_t len);
int sim_mem_file_write(struct sim_mem_file *f, uint64_t off, const void *buf, size_t len);

/* Ascending stores, whole aligned words at a time. */
void sim_mem_store(uint8_t *dst, const uint8_t *src, size_t len);

#endif
