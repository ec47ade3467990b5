/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory as one NIC sees it: a map of IOVA ranges to what backs them.  Filled by the vfio-user
 * server (DMA_MAP, DMA_UNMAP) or by the in-process bus, read and written by the root complex
 * (sim_pcie.c).
 *
 * A range is backed by
 *   - a pointer of this process (in-process mode), or
 *   - a file in memory (memfd, tmpfs, huge pages), mapped once however many ranges point into it,
 *     or
 *   - messages: a callback starts the access and sim_mem_io_complete() ends it later.
 *
 * Ranges never overlap.  Removing takes away whatever lies inside the given range and cuts the maps
 * at its ends: clients remove several maps with one call, or a part of one.  Errors are negative
 * errno values.
 */
#ifndef CAIRN_SIM_MEM_H
#define CAIRN_SIM_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SIM_MEM_READ = 1,		/* the device may read */
	SIM_MEM_WRITE = 2,		/* the device may write */
};

struct sim_mem;

/*
 * One access.  It may cross ranges.  When a part is not mapped, or the right is missing, nothing is
 * transferred at all.
 */
struct sim_mem_io {
	uint64_t iova;
	void *buf;
	uint32_t len;
	bool write;
	/* -EINPROGRESS, 0, -EFAULT not mapped, -EACCES no right, -EIO the backing failed */
	int status;
	void (*done)(struct sim_mem_io *io);	/* only if sim_mem_submit() returned -EINPROGRESS */
	void *arg;
	/* of the present piece, for message callbacks: bytes done before it and its own */
	uint32_t pos, step;
	/* private */
	struct sim_mem *mem;
	struct sim_mem_io *next;	/* a message callback may use it */
};

/*
 * Starts one piece (`len` bytes at `buf`, inside one range) and later calls sim_mem_io_complete()
 * once, never from inside this call.
 */
typedef void (*sim_mem_msg_fn)(void *arg, struct sim_mem_io *io, uint64_t iova, void *buf,
			       uint32_t len);

struct sim_mem *sim_mem_new(void);
void sim_mem_free(struct sim_mem *m);

/*
 * All return 0, -EINVAL (empty or wrapping range), -EEXIST (overlap), -ENOSPC (too many maps),
 * -ENOMEM.
 */
int sim_mem_add_ptr(struct sim_mem *m, uint64_t iova, uint64_t size, unsigned int rights,
		    void *ptr);
/*
 * Keeps no reference to `fd`: the caller may close it at once.  -EINVAL also when the file is too
 * short; -ENOTSUP for a file that is not in memory, whose pages may be long in coming, and -EMFILE
 * for more files than one client may have mapped: such ranges are for messages.
 */
int sim_mem_add_fd(struct sim_mem *m, uint64_t iova, uint64_t size, unsigned int rights, int fd,
		   uint64_t offset);
int sim_mem_add_msg(struct sim_mem *m, uint64_t iova, uint64_t size, unsigned int rights,
		    sim_mem_msg_fn start, void *arg);

/*
 * What becomes of addresses in no range: an access goes by one message from there to its end, as if
 * all rights were there; start NULL: -EFAULT, as at first.
 */
void sim_mem_set_rest(struct sim_mem *m, sim_mem_msg_fn start, void *arg);

/*
 * Take away [iova, iova + size); iova + size may be 2^64.  Returns how many maps were removed or
 * cut.
 */
unsigned int sim_mem_del(struct sim_mem *m, uint64_t iova, uint64_t size);
void sim_mem_clear(struct sim_mem *m);

/*
 * Is all of [iova, iova + len) mapped with these rights?  0, -EFAULT, -EACCES.  len 0 is never
 * mapped.
 */
int sim_mem_check(struct sim_mem *m, uint64_t iova, uint64_t len, unsigned int rights);

/*
 * Do an access.  Returns io->status: -EINPROGRESS when it reached a message-backed part and
 * io->done() will be called, else it is finished.  Stores to pointers and mmap'ed files are made in
 * ascending address order, 8 bytes at a time where aligned, so that a program that polls the last
 * word of an entry sees all of it.
 */
int sim_mem_submit(struct sim_mem *m, struct sim_mem_io *io);
void sim_mem_io_complete(struct sim_mem_io *io, int status);

/* The same for ranges known not to be message-backed; -ENOTSUP when they are. */
int sim_mem_read(struct sim_mem *m, uint64_t iova, void *buf, uint32_t len);
int sim_mem_write(struct sim_mem *m, uint64_t iova, const void *buf, uint32_t len);

/* A pointer to [iova, iova + len) when one pointer or mmap'ed file backs all of it, else NULL. */
void *sim_mem_ptr(struct sim_mem *m, uint64_t iova, uint64_t len, unsigned int rights);

/*
 * A page behind a file was not there (SIGBUS: the file became shorter, huge pages or its file
 * system are used up) since the map was last empty.  The access failed with -EIO.
 */
bool sim_mem_lost(const struct sim_mem *m);

struct sim_mem_stats {
	unsigned int maps, files;
	uint64_t mapped_bytes;
};
void sim_mem_get_stats(const struct sim_mem *m, struct sim_mem_stats *stats);
/* Upper limit of maps, 65535 at first. */
void sim_mem_set_limit(struct sim_mem *m, unsigned int max_maps);

#endif
