/* SPDX-License-Identifier: Apache-2.0 */
/* What lease.c and lease_file.c share: the file behind a NIC's lease (lease.h). */
#ifndef CAIRN_LEASE_FILE_H
#define CAIRN_LEASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lease.h"

/* Bytes of the file that are locked; they need not be there. */
enum lease_byte { BYTE_USE, BYTE_RESERVED, BYTE_OPEN };

/* At the start of the file, in the order of this machine; all zero: free. */
struct lease_record {
	uint32_t magic, kept;
	int64_t pid;
	uint64_t start; /* of the process: a number that is used again is another process */
	char program[40];
};

/* Of the process that calls. */
struct lease_record cairn_lease_process(void);
bool cairn_lease_same(const struct lease_record *a, const struct lease_record *b);
/* By a living process that has exec'ed another program, which has not asked yet. */
bool cairn_lease_is_kept(const struct lease_record *record);
void cairn_lease_describe(const struct lease_record *record, char who[CAIRN_WHO_BYTES]);

/* The path of the NIC's file, PATH_MAX bytes, or -ENOENT; *make: who comes first makes it. */
int cairn_lease_path(const char *addr, char *path, bool *make);
/* A descriptor to read, write and lock it by, or -errno. */
int cairn_lease_open(const char *path, bool make);
/* type: F_WRLCK, F_UNLCK.  -EBUSY: another descriptor has it. */
int cairn_lease_lock(int fd, int type, enum lease_byte byte);
/* Has another descriptor than this one? */
bool cairn_lease_locked(int fd, enum lease_byte byte);

struct lease_record cairn_lease_record(int fd);
/* This process'.  What cannot be written is missing in messages and after an exec; the lock holds
 * all the same. */
void cairn_lease_write_record(int fd, bool kept);
/* What is published, behind the record: 0 or -errno; see lease.h. */
int cairn_lease_write_data(int fd, const void *data, size_t len);
int cairn_lease_read_data(int fd, void *data, size_t len);
/* Nothing any more; with_record: nor who has it. */
int cairn_lease_clear(int fd, bool with_record);

#endif
