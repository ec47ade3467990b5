// SPDX-License-Identifier: Apache-2.0
/*
 * Memory shared with the device: rings, tables, records.  It comes from memfds, so that every bus
 * can hand it on (vfio-user sends the descriptor, the kernel pins the pages), in chunks of 2 MiB
 * that are aligned on both sides and cut into pages; what is larger than half a chunk gets a chunk
 * of its own.  A chunk goes when its last page does.
 *
 * The child of a fork has none of it: it is shared memory, and what the child wrote to a ring or a
 * consumer index the device would take for the parent's.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

#define CHUNK_PAGES (DMA_CHUNK_BYTES / PAGE_BYTES)

struct cairn_chunk {
	struct cairn_chunk *next;
	uint8_t *va;
	uint64_t iova, len;
	unsigned int pages_used;
	bool shared;			 /* cut into pages */
	uint64_t used[CHUNK_PAGES / 64]; /* shared: one bit a page */
};

void cairn_dma_pool_init(struct cairn_dma_pool *pool, struct cairn_bus *bus,
			 struct cairn_iova *iova)
{
	memset(pool, 0, sizeof(*pool));
	pool->bus = bus;
	pool->iova = iova;
	pthread_mutex_init(&pool->lock, NULL);
}

void cairn_dma_unmap(struct cairn_bus *bus, struct cairn_iova *iova, uint64_t address, uint64_t len)
{
	int err = bus->ops->dma_unmap(bus, address, len);

	if (err && !atomic_load(&bus->gone))
		cairn_warn(
			"%llu bytes at IOVA 0x%llx stay mapped for the device: %s; close it before the "
			"memory is used for something else",
			(unsigned long long)len, (unsigned long long)address, strerror(-err));
	else
		cairn_iova_give(iova, address, len);
}

int cairn_dma_map_failed(struct cairn_bus *bus, const struct cairn_dma_map *map, int err)
{
	char remedy[256] = "raise the locked-memory limit (ulimit -l)";

	if (bus->ops->dma_remedy)
		bus->ops->dma_remedy(bus, err, map->len, remedy, sizeof(remedy));
	/* Not memory of the program; else something that its user can change. */
	return (err == -EFAULT ? cairn_refuse : cairn_fail)(
		err, "cannot map %llu bytes at %p for the device: %s; %s",
		(unsigned long long)map->len, map->va, strerror(-err), remedy);
}

/* len bytes of a memfd, 2 MiB aligned when that large; NULL with errno. */
static void *map_fd(int fd, uint64_t len)
{
	uint64_t slack = len >= DMA_CHUNK_BYTES ? DMA_CHUNK_BYTES : 0;
	uint8_t *area = mmap(NULL, len + slack, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
		*va;

	if (area == MAP_FAILED)
		return NULL;
	va = slack ? (uint8_t *)round_up((uintptr_t)area, DMA_CHUNK_BYTES) : area;
	if (mmap(va, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
		munmap(area, len + slack);
		return NULL;
	}
	if (va != area)
		munmap(area, (size_t)(va - area));
	if (slack && area + slack != va)
		munmap(va + len, (size_t)(area + slack - va));
	return va;
}

/*
 * A memfd of that size; negative with errno.  Where the program's limit on file sizes is lower that
 * is EFBIG, and not also SIGXFSZ, which would end a program that has not heard of a file: the
 * signal comes to this thread, so it can be held back and taken.
 */
static int make_fd(uint64_t len)
{
	static const struct timespec at_once;
	sigset_t set, before, pending;
	int fd = memfd_create("cairn", MFD_CLOEXEC), err;

	if (fd < 0)
		return fd;
	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	sigpending(&pending);
	err = ftruncate(fd, (off_t)len) ? errno : 0;
	if (err == EFBIG && !sigismember(&pending, SIGXFSZ))
		while (sigtimedwait(&set, NULL, &at_once) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!err)
		return fd;
	close(fd);
	errno = err;
	return -1;
}

static int chunk_create(struct cairn_dma_pool *pool, uint64_t len, struct cairn_chunk **out)
{
	struct cairn_dma_map map = { .len = len, .perm = CAIRN_DMA_READ | CAIRN_DMA_WRITE };
	struct cairn_chunk *chunk = calloc(1, sizeof(*chunk));
	int err;

	if (!chunk)
		return cairn_fail(-ENOMEM, "out of memory");
	chunk->len = len;
	map.fd = make_fd(len);
	if (map.fd < 0 || !(chunk->va = map_fd(map.fd, len))) {
		err = cairn_fail(
			-errno,
			"cannot make %llu bytes of shared memory: %s; raise the limits on open "
			"files, their size, or memory",
			(unsigned long long)len, strerror(errno));
		goto err_fd;
	}
	if (madvise(chunk->va, len, MADV_DONTFORK)) {
		err = cairn_fail(-errno, "cannot keep shared memory from children: %s",
				 strerror(errno));
		goto err_unmap;
	}
	err = cairn_iova_take(pool->iova, len,
			      len >= DMA_CHUNK_BYTES ? DMA_CHUNK_BYTES : PAGE_BYTES, 0,
			      &chunk->iova);
	if (err)
		goto err_unmap;
	map.iova = chunk->iova;
	map.va = chunk->va;
	err = pool->bus->ops->dma_map(pool->bus, &map);
	if (err) {
		cairn_dma_map_failed(pool->bus, &map, err);
		goto err_iova;
	}
	close(map.fd); /* the mappings keep it alive */
	*out = chunk;
	return 0;

err_iova:
	cairn_iova_give(pool->iova, chunk->iova, len);
err_unmap:
	munmap(chunk->va, len);
err_fd:
	if (map.fd >= 0)
		close(map.fd);
	free(chunk);
	return err;
}

static void chunk_destroy(struct cairn_dma_pool *pool, struct cairn_chunk *chunk)
{
	cairn_dma_unmap(pool->bus, pool->iova, chunk->iova, chunk->len);
	munmap(chunk->va, chunk->len);
	free(chunk);
}

void cairn_dma_pool_free(struct cairn_dma_pool *pool)
{
	while (pool->chunks) {
		struct cairn_chunk *chunk = pool->chunks;

		pool->chunks = chunk->next;
		chunk_destroy(pool, chunk);
	}
	pthread_mutex_destroy(&pool->lock);
}

static bool page_used(const struct cairn_chunk *chunk, unsigned int page)
{
	return chunk->used[page / 64] >> (page % 64) & 1;
}

/* First page of a free run, or -1. */
static int find_pages(const struct cairn_chunk *chunk, unsigned int pages)
{
	unsigned int run = 0;

	if (!chunk->shared || CHUNK_PAGES - chunk->pages_used < pages)
		return -1;
	for (unsigned int p = 0; p < CHUNK_PAGES; p++) {
		run = page_used(chunk, p) ? 0 : run + 1;
		if (run == pages)
			return (int)(p - pages + 1);
	}
	return -1;
}

static void take_pages(struct cairn_chunk *chunk, unsigned int first, unsigned int pages,
		       struct cairn_dma *dma)
{
	for (unsigned int p = first; p < first + pages; p++)
		if (chunk->shared)
			chunk->used[p / 64] |= 1ull << (p % 64);
	chunk->pages_used += pages;
	dma->va = chunk->va + first * PAGE_BYTES;
	dma->iova = chunk->iova + first * PAGE_BYTES;
	dma->len = pages * PAGE_BYTES;
	dma->priv = chunk;
}

int cairn_dma_alloc(struct cairn_dev *dev, size_t len, struct cairn_dma *dma)
{
	struct cairn_dma_pool *pool = &dev->dma;
	unsigned int pages = (unsigned int)(round_up(len, PAGE_BYTES) / PAGE_BYTES);
	bool shared = pages <= CHUNK_PAGES / 2;
	struct cairn_chunk *chunk = NULL;
	int first = -1, err;
	UNCANCELLED;

	memset(dma, 0, sizeof(*dma));
	if (!len || len > 1ull << 40)
		return cairn_fail(-EINVAL, "%zu bytes of shared memory asked for", len);
	err = cairn_dev_alive(dev);
	if (err)
		return err;
	pthread_mutex_lock(&pool->lock);
	for (chunk = pool->chunks; shared && chunk; chunk = chunk->next) {
		first = find_pages(chunk, pages);
		if (first >= 0)
			break;
	}
	if (first < 0) {
		err = chunk_create(pool, shared ? DMA_CHUNK_BYTES : pages * PAGE_BYTES, &chunk);
		if (err) {
			pthread_mutex_unlock(&pool->lock);
			return err;
		}
		chunk->shared = shared;
		chunk->next = pool->chunks;
		pool->chunks = chunk;
		first = 0;
	}
	take_pages(chunk, (unsigned int)first, pages, dma);
	pthread_mutex_unlock(&pool->lock);
	if (chunk->shared)
		memset(dma->va, 0, dma->len); /* a new memfd is zero already */
	return 0;
}

void cairn_dma_free(struct cairn_dev *dev, struct cairn_dma *dma)
{
	struct cairn_dma_pool *pool = &dev->dma;
	struct cairn_chunk *chunk = dma->priv, **link;
	unsigned int pages = (unsigned int)(dma->len / PAGE_BYTES);
	UNCANCELLED;

	if (!chunk || atomic_load(&dev->forked))
		return;
	pthread_mutex_lock(&pool->lock);
	if (chunk->shared) {
		unsigned int first = (unsigned int)(((uint8_t *)dma->va - chunk->va) / PAGE_BYTES);

		for (unsigned int p = first; p < first + pages; p++)
			chunk->used[p / 64] &= ~(1ull << (p % 64));
	}
	chunk->pages_used -= pages;
	if (!chunk->pages_used) {
		for (link = &pool->chunks; *link != chunk; link = &(*link)->next)
			;
		*link = chunk->next;
		chunk_destroy(pool, chunk);
	}
	pthread_mutex_unlock(&pool->lock);
	memset(dma, 0, sizeof(*dma));
}
