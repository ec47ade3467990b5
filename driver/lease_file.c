// SPDX-License-Identifier: Apache-2.0
/* The file of a NIC's lease: where it is, its locks, what is in it; see lease.h, lease_file.h. */
#define _GNU_SOURCE
#include "lease_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "priv.h"
#include "trust.h"

#define RECORD_MAGIC 0x43724c73u

/* Behind the record: what is published, by whom. */
struct lease_data {
	uint32_t len, crc;
	int64_t pid;
	uint64_t start;
};

#define DATA_AT ((off_t)sizeof(struct lease_record))
#define BYTES_AT (DATA_AT + (off_t)sizeof(struct lease_data))

/* ---------------------------------------------------------------- processes */

/* When a process began, in the kernel's units;
 * 0: it is not there, or dead and not yet waited for. */
static uint64_t start_of(int64_t pid)
{
	unsigned long long start = 0;
	char path[48], text[1024], *after;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	after = strrchr(text, ')'); /* a program's name may have blanks and braces */
	if (!after || strlen(after) < 3 || after[2] == 'Z' || after[2] == 'X')
		return 0;
	/* proc(5): state is field 3, starttime 22 */
	if (sscanf(after + 3,
		   "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		   "%*s %*s %llu",
		   &start) != 1)
		return 0;
	return start;
}

struct lease_record cairn_lease_process(void)
{
	struct lease_record record = { .magic = RECORD_MAGIC, .pid = getpid() };

	record.start = start_of(record.pid);
	snprintf(record.program, sizeof(record.program), "%s", program_invocation_short_name);
	return record;
}

bool cairn_lease_same(const struct lease_record *a, const struct lease_record *b)
{
	return a->start && a->pid == b->pid && a->start == b->start;
}

static bool lives(const struct lease_record *record)
{
	return record->start && start_of(record->pid) == record->start;
}

bool cairn_lease_is_kept(const struct lease_record *record)
{
	struct lease_record mine = cairn_lease_process();

	return record->kept && !cairn_lease_same(record, &mine) && lives(record);
}

/* Printable, whatever is in the file. */
void cairn_lease_describe(const struct lease_record *record, char who[CAIRN_WHO_BYTES])
{
	char name[sizeof(record->program)];

	if (record->magic != RECORD_MAGIC || !lives(record)) {
		snprintf(who, CAIRN_WHO_BYTES, "another process");
		return;
	}
	memcpy(name, record->program, sizeof(name));
	name[sizeof(name) - 1] = 0;
	for (char *c = name; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	snprintf(who, CAIRN_WHO_BYTES, "process %d (%s)", (int)record->pid, name);
}

/* ---------------------------------------------------------------- the file */

/* The run directory of the user, for NICs that no simulator has made one for. */
static void make_parent(const char *path)
{
	char parent[PATH_MAX];

	snprintf(parent, sizeof(parent), "%.*s", (int)(strrchr(path, '/') - path), path);
	mkdir(parent, 0700);
}

int cairn_lease_path(const char *addr, char *path, bool *make)
{
	const struct cairn_bus_ops *ops = cairn_bus_find(addr);

	*make = false;
	if (!ops || !ops->lease || !ops->lease(addr, path, PATH_MAX, make) || !strchr(path, '/'))
		return -ENOENT;
	return 0;
}

int cairn_lease_open(const char *path, bool make)
{
	const char *slash = strrchr(path, '/');
	char parent[PATH_MAX], why[256];
	int dir, fd;

	if (make)
		make_parent(path);
	snprintf(parent, sizeof(parent), "%.*s", (int)(slash - path), path);
	dir = trust_open_dir(slash == path ? "/" : parent, TRUST_PRIVATE, why, sizeof(why));
	if (dir < 0)
		return dir;
	fd = trust_open_file_as(dir, slash + 1, O_RDWR | (make ? O_CREAT : 0), why, sizeof(why));
	close(dir);
	return fd;
}

int cairn_lease_lock(int fd, int type, enum lease_byte byte)
{
	struct flock range = {
		.l_type = (short)type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1
	};

	if (!fcntl(fd, F_OFD_SETLK, &range))
		return 0;
	return errno == EACCES || errno == EAGAIN ? -EBUSY : -errno;
}

bool cairn_lease_locked(int fd, enum lease_byte byte)
{
	struct flock range = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1
	};

	return !fcntl(fd, F_OFD_GETLK, &range) && range.l_type != F_UNLCK;
}

/* ---------------------------------------------------------------- what is in it */

/* No signal where a limit on file sizes is in the way. */
static int write_file(int fd, const void *data, size_t len, off_t at)
{
	struct rlimit limit;
	ssize_t n;

	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < (rlim_t)at + len)
		return -EFBIG;
	n = pwrite(fd, data, len, at);
	return n < 0 ? -errno : n == (ssize_t)len ? 0 : -ENOSPC;
}

struct lease_record cairn_lease_record(int fd)
{
	struct lease_record record;

	if (pread(fd, &record, sizeof(record), 0) != (ssize_t)sizeof(record) ||
	    record.magic != RECORD_MAGIC)
		memset(&record, 0, sizeof(record));
	return record;
}

void cairn_lease_write_record(int fd, bool kept)
{
	struct lease_record record = cairn_lease_process();

	record.kept = kept;
	write_file(fd, &record, sizeof(record), 0);
}

int cairn_lease_write_data(int fd, const void *data, size_t len)
{
	struct lease_record mine = cairn_lease_process();
	struct lease_data head = { (uint32_t)len, cairn_crc32(data, len), mine.pid, mine.start };
	int err = write_file(fd, data, len, BYTES_AT);

	return err ? err : write_file(fd, &head, sizeof(head), DATA_AT);
}

/* A piece that is being written, or is of the owner before, is told by its sum and its process. */
int cairn_lease_read_data(int fd, void *data, size_t len)
{
	struct lease_record record = cairn_lease_record(fd);
	struct lease_data head;

	if (pread(fd, &head, sizeof(head), DATA_AT) != (ssize_t)sizeof(head) ||
	    head.pid != record.pid || head.start != record.start)
		return -EAGAIN;
	if (head.len != len)
		return -EPROTO;
	if (pread(fd, data, len, BYTES_AT) != (ssize_t)len || cairn_crc32(data, len) != head.crc)
		return -EAGAIN;
	return 0;
}

int cairn_lease_clear(int fd, bool with_record)
{
	return ftruncate(fd, with_record ? 0 : DATA_AT) ? -errno : 0;
}
