/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of libcairn share, and other code does not see.
 *
 * Floors: a file uses those below it, and of its own line only some, in no circle
 * (tests/lib/lint_floors.py):
 *   open.c                                  open, close, forks
 *   qp.c cq.c srq.c pd.c  mr.c mw.c ah.c    what programs make
 *   object.c  gid.c query.c fw.c            its life; questions; bring-up
 *   table.c eq.c look.c log.c db.c          what the device has in host memory
 *   cmd.c dma.c                             commands, memory
 *   life.c                                  is it there, and who uses what
 *   lease.c  bus/                           which NIC, and how it is reached
 *   iova.c space.c gid_text.c bdf.c crc32.c msg.c
 *
 * Locks, each a leaf but where an order is given: open_lock (open.c: list of open devices) before
 * all others; publish_lock (look.c) before those of leases, GIDs and commands; one per number
 * space, IOVA space and DMA pool; gid_lock before cmdq.lock; select_lock (query.c: a register that
 * moves a window); dev->objects (number to object, user counts); one per EQ, taken before
 * dev->objects.
 */
#ifndef CAIRN_PRIV_H
#define CAIRN_PRIV_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bus.h"
#include "cairn.h"
#include "cancel.h"
#include "mmio.h"

#define PAGE_BYTES 4096ull
/* What cairn_dma_alloc() maps at a time, for what is not larger than half of it. */
#define DMA_CHUNK_BYTES (2ull << 20)
#define NS_PER_MS 1000000ull

static inline uint64_t round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Smallest l with 2^l >= n. */
static inline unsigned int log2_up(uint64_t n)
{
	return n <= 1 ? 0 : 64 - (unsigned int)__builtin_clzll(n - 1);
}

/* ---- msg.c: messages ---- */

/* As cairn_fail() (bus.h), of what a program asked for and does not get; programs do that to find
 * limits, so it is shown only to who has asked (cairn.h). */
int cairn_refuse(int err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* While a device is opened they are shown: what is refused then is the reason why it cannot be. */
void cairn_refusals_matter(bool yes);

/* ---- gid_text.c: addresses ---- */

bool cairn_gid_is_ipv4(const uint8_t gid[16]);

/* ---- crc32.c ---- */

/* CRC-32 (IEEE 802.3), as the CSR block computes it over the words. */
uint32_t cairn_crc32(const void *data, size_t len);

/* ---- bus/bus_wall.c: for buses to devices that run in wall time ---- */

void cairn_bus_relax(struct cairn_bus *bus, unsigned int attempt);
int cairn_bus_wait_fd(struct cairn_bus *bus, int fd, int timeout_ms);
uint64_t cairn_bus_now_ns(struct cairn_bus *bus);

/* ---- space.c: numbers ---- */

/*
 * Random numbers: reproducible from a seed, or (seed 0) the kernel's, since keys and QPNs must not
 * be guessed.
 */
struct cairn_rng {
	uint64_t state;
	bool seeded;
};

void cairn_rng_init(struct cairn_rng *rng, uint64_t seed, uint64_t salt);
uint64_t cairn_rng_u64(struct cairn_rng *rng);
/* 0 .. n-1 */
uint64_t cairn_rng_below(struct cairn_rng *rng, uint64_t n);

/*
 * Numbers first .. limit-1, handed out at random, also in runs.  What is given back rests in a
 * queue of `delay` entries before it may be taken again, unless nothing else is left.
 */
struct cairn_run {
	uint32_t start, count;
};

struct cairn_space {
	pthread_mutex_t lock;
	uint32_t first, limit;
	uint64_t *taken;	   /* bit n: number n is in use or resting */
	struct cairn_run *resting; /* queue */
	uint32_t delay, rest_head, rest_len;
	struct cairn_rng rng;
};

int cairn_space_init(struct cairn_space *space, uint32_t first, uint32_t limit, uint32_t delay,
		     uint64_t seed, uint64_t salt);
void cairn_space_free(struct cairn_space *space);
/* First of count adjacent numbers, or -ENOSPC. */
int64_t cairn_space_take(struct cairn_space *space, uint32_t count);
/* That very number, even if it rests: 0 or -EBUSY (in use), -EINVAL (out of range). */
int cairn_space_take_this(struct cairn_space *space, uint32_t number);
void cairn_space_give(struct cairn_space *space, uint32_t start, uint32_t count);

/* ---- iova.c: where things are in the device's address space ---- */

struct cairn_iova {
	pthread_mutex_t lock;
	void *tree;
	uint64_t min, max;
	uint64_t home; /* which part small ranges are in */
	struct cairn_rng rng;
};

void cairn_iova_init(struct cairn_iova *iova, uint64_t min, uint64_t max, uint64_t seed);
void cairn_iova_free(struct cairn_iova *iova);
/* len bytes (whole pages) at a random address that is `phase` modulo `align` (a power of two, >=
 * 4096); where nothing like that is free, modulo a smaller power, at least 4096. */
int cairn_iova_take(struct cairn_iova *iova, uint64_t len, uint64_t align, uint64_t phase,
		    uint64_t *address);
void cairn_iova_give(struct cairn_iova *iova, uint64_t address, uint64_t len);

/* ---- dma.c: memory of the driver's own ---- */

struct cairn_dma_pool {
	pthread_mutex_t lock;
	struct cairn_chunk *chunks;
	struct cairn_bus *bus;
	struct cairn_iova *iova;
};

void cairn_dma_pool_init(struct cairn_dma_pool *pool, struct cairn_bus *bus,
			 struct cairn_iova *iova);
void cairn_dma_pool_free(struct cairn_dma_pool *pool);
/* Unmaps, and gives the range back; one that the bus does not let go is not used again. */
void cairn_dma_unmap(struct cairn_bus *bus, struct cairn_iova *iova, uint64_t address,
		     uint64_t len);
/* The message of a dma_map that failed with err; returns err. */
int cairn_dma_map_failed(struct cairn_bus *bus, const struct cairn_dma_map *map, int err);

/* ---- cmd.c ---- */

#define CMDQ_LOG2 6u
#define CMDQ_ENTRIES (1u << CMDQ_LOG2)

struct cairn_cmdq_slot {
	bool busy;
	uint16_t id;
	struct cairn_request *request; /* NULL: no waiter any more */
};

struct cairn_cmdq {
	pthread_mutex_t lock;
	struct cairn_dma mem;
	uint8_t *cmds; /* CAIRN_CMD_SLOT_BYTES a slot: a command, and its buffer behind it */
	struct cairn_cmd_cpl *cpls;
	uint32_t pi, ci; /* commands published, completions taken */
	uint32_t rung;	 /* commands that the device has been told of */
	struct cairn_cmdq_slot slots[CMDQ_ENTRIES];
};

/* One command.  Zero-initialise; fields as in docs/commands.md. */
struct cairn_request {
	enum cairn_cmd_op op;
	uint32_t flags, number;
	uint64_t ptr; /* IOVA of a ring or a table */
	uint64_t arg[5];
	uint32_t arg5;
	const void *in; /* copied to the slot's buffer */
	void *out;	/* filled from it on success */
	uint32_t len;	/* of in or out */
	/* back */
	uint32_t status, detail, value0, value1;
	bool done;
};

/* Commands of the bring-up, which begin in the order in which they are given: tables, event queues,
 * ENABLE, SET_PORT, GIDs. */
#define TABLES (CAIRN_TABLE_MTT + 1)
#define MAX_EQS CAIRN_MSIX_VECTORS

struct cairn_batch {
	struct cairn_request r[TABLES + MAX_EQS + 2 + CAIRN_MAX_GIDS];
	unsigned int n;
};

struct cairn_request *cairn_batch_add(struct cairn_batch *batch, enum cairn_cmd_op op);

int cairn_cmdq_start(struct cairn_dev *dev);
void cairn_cmdq_stop(struct cairn_dev *dev);
/* Send and wait.  0, or -errno with a message. */
int cairn_cmd(struct cairn_dev *dev, struct cairn_request *request);
/* Send all, then wait for all.  0, or -errno with the message of the first failure, and whose. */
int cairn_cmd_batch(struct cairn_dev *dev, struct cairn_batch *batch,
		    const struct cairn_request **failed);
/*
 * For commands that end an object's life: when the device is gone it has been reset and the object
 * is dead, so that the caller may go on and free it; returns 0 then.
 */
int cairn_cmd_end(struct cairn_dev *dev, struct cairn_request *request);

/* ---- eq.c ---- */

struct cairn_eq {
	pthread_mutex_t lock;
	struct cairn_dev *dev;
	struct cairn_dma mem;
	struct cairn_eqe *ring;
	uint32_t eqn, log2, ci;
	uint32_t rung;	  /* the device's copy of ci, */
	uint32_t max_lag; /* which may be so far behind */
	int fd;
	bool told; /* DEVICE_FATAL was delivered */
};

/* Of all rings; vectors 0: default. */
uint64_t cairn_eqs_bytes(unsigned int qps_log2, unsigned int cqs_log2, unsigned int vectors);
/* Memory, fds and interrupts; the commands go into the batch. */
int cairn_eqs_create(struct cairn_dev *dev, struct cairn_batch *batch);
void cairn_eqs_arm(struct cairn_dev *dev);
void cairn_eqs_destroy(struct cairn_dev *dev);
/* No event of that object is delivered any more; waits for a callback in progress. */
enum cairn_kind { OBJECT_NONE, OBJECT_QP, OBJECT_CQ, OBJECT_SRQ, OBJECT_PD, OBJECT_KINDS };
void cairn_eqs_forget(struct cairn_dev *dev, enum cairn_kind kind, uint32_t number);

/* ---- object.c: what has a number and is made by a command ---- */

/* One, as the parts of what its caller knows it by. */
struct cairn_object {
	struct cairn_dev *dev;
	enum cairn_kind kind;
	void *self; /* from malloc() */
	uint32_t *number;
	struct cairn_dma *mem; /* NULL: it has none */
	unsigned int *users;   /* cairn_use(); NULL: nothing uses it */
};

/* Number (CAIRN_ANY, or that one) and memory (bytes 0: none).  On an error self is free, too. */
int cairn_object_take(const struct cairn_object *object, uint32_t wanted, size_t bytes);
/* The command, whose number is the object's.  On an error all that was taken is free, and self. */
int cairn_object_make(const struct cairn_object *object, struct cairn_request *create);
/* As cairn_cmd_end(); -EBUSY: something uses it.  *left: what the answer says first, or of a lost
 * device CAIRN_NO_NUMBER. */
int cairn_object_end(const struct cairn_object *object, uint32_t *left);
/* Memory, number and self of one that was ended. */
void cairn_object_give(const struct cairn_object *object);
/* Both. */
int cairn_object_drop(const struct cairn_object *object);

/* ---- gid.c ---- */

struct cairn_gid {
	uint8_t gid[16];
	uint32_t vlan;
	bool valid;
};

/* The GIDs to begin with: commands into the batch; when that has been done, or not: failed. */
int cairn_gids_start(struct cairn_dev *dev, const struct cairn_opts *opts,
		     struct cairn_batch *batch);
int cairn_gids_started(struct cairn_dev *dev, const struct cairn_batch *batch, int err,
		       const struct cairn_request *failed);

/* ---- look.c ---- */

/* What the device is like, for other processes that look; nothing where no account is kept. */
void cairn_look_publish(struct cairn_dev *dev);
/* Make it a device to look at.  0; -EAGAIN: the NIC is free; -errno with a message. */
int cairn_look_open(struct cairn_dev *dev);

/* ---- fw.c ---- */

int cairn_fw_start(struct cairn_dev *dev, const char *path);

/* ---- table.c: records in host memory ---- */

struct cairn_host_table {
	struct cairn_dma mem;
	unsigned int log2; /* entries; 0: absent */
};

/* How much memory they and the event queues take; caps NULL: as far as is known before the device
 * has said its own. */
uint64_t cairn_open_bytes(const struct cairn_opts *opts, const struct cairn_dev_caps *caps);
/* Memory; the commands go into the batch. */
int cairn_tables_create(struct cairn_dev *dev, const struct cairn_opts *opts,
			struct cairn_batch *batch);
void cairn_tables_free(struct cairn_dev *dev);

/* ---- log.c ---- */

struct cairn_log {
	pthread_mutex_t lock;
	struct cairn_dma mem;
	uint32_t log2, next;
};

int cairn_log_start(struct cairn_dev *dev);
void cairn_log_free(struct cairn_dev *dev);

/* ---- mr.c ---- */

/* Random free index, and a tag that differs from the last 255 of that index. */
int cairn_key_take(struct cairn_dev *dev, uint32_t *key);
/* key: with the tag it had last. */
void cairn_key_give(struct cairn_dev *dev, uint32_t key);

/* Largest page size (log2) of the set `sizes` with which va maps to iova and that a region of len
 * bytes fills. */
unsigned int cairn_mr_page_log2(uint64_t va, uint64_t iova, uint64_t len, uint64_t sizes);
/* Number of such pages that [va, va + len) touches, and page list entry i of a region that begins
 * at iova. */
uint64_t cairn_mr_pages(uint64_t va, uint64_t len, unsigned int page_log2);
uint64_t cairn_mr_pte(uint64_t iova, unsigned int page_log2, uint64_t i);

/* ---- life.c ---- */

#define LINE_MTTS 8u /* entries in a 64-byte line: page lists never share one */

struct cairn_dev {
	struct cairn_dev *next;
	char *name;
	struct cairn_bus *bus;
	unsigned int refs;	   /* open_lock */
	struct cairn_lease *lease; /* or NULL: no account is kept */
	struct cairn_look *look;   /* the NIC is another process': see look.c */
	atomic_bool published;
	atomic_bool port_changed; /* since */
	pthread_mutex_t publish_lock;
	atomic_bool gone;   /* lost; the function has been reset if it could be */
	atomic_bool forked; /* this is a child: touch nothing */
	uint64_t timeout_ns;
	uint64_t seed;
	unsigned int comp_vectors;

	struct cairn_dev_caps caps;
	struct cairn_iova iova;
	struct cairn_dma_pool dma;
	struct cairn_cmdq cmdq;
	struct cairn_host_table tables[TABLES];
	struct cairn_log log;
	struct cairn_eq eqs[MAX_EQS];
	unsigned int n_eqs;
	struct cairn_db own_db;	    /* page 0: EQs */
	struct cairn_db *shared_db; /* of objects that bring none */

	pthread_mutex_t select_lock; /* REG QP_SELECT and the window that it moves */
	pthread_mutex_t gid_lock;
	struct cairn_gid gids[CAIRN_MAX_GIDS];

	struct cairn_space keys, mtts, dbs;
	struct cairn_space numbers[OBJECT_KINDS];
	unsigned int ahs;  /* address handles, at most caps.max_ah; under objects */
	uint8_t *key_tags; /* by key index: the last tag used; under objects */

	pthread_mutex_t objects;
	void **by_number[OBJECT_KINDS]; /* live objects; NULL: no event names one */
};

/*
 * 0, or -ENODEV or -EBUSY with a message.  Asked where something leaves for the device (a command,
 * a register, a mapping) and where a number or memory is taken for it; above, there is no need
 * to ask.
 */
int cairn_dev_alive(struct cairn_dev *dev);
/* Of a device that is looked at: -EBUSY with a message. */
int cairn_dev_busy(const struct cairn_dev *dev);
/* The device is lost: say why, stop it if it can still be stopped, wake all waiters.  Returns -EIO
 * or -ENODEV. */
int cairn_dev_lose(struct cairn_dev *dev, const char *why);

/* Make it findable by events, or not. */
void cairn_dev_publish(struct cairn_dev *dev, enum cairn_kind kind, uint32_t number, void *object);
/* One user more or less of something that cannot go while it has any. */
void cairn_use(struct cairn_dev *dev, unsigned int *users);
void cairn_unuse(struct cairn_dev *dev, unsigned int *users);
/* -EBUSY with a message while there are any. */
int cairn_unused(struct cairn_dev *dev, const unsigned int *users, const char *what,
		 uint32_t number, const char *by);

static inline const struct cairn_db *cairn_db_or_shared(struct cairn_dev *dev,
							const struct cairn_db *db)
{
	return db ? db : dev->shared_db;
}

static inline unsigned int env_uint(const char *text, unsigned int otherwise)
{
	return text && *text ? (unsigned int)strtoul(text, NULL, 0) : otherwise;
}

#endif
