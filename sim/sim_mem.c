/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Map of IOVA ranges to host memory and the accesses through it; see sim_mem.h.
 *
 * The ranges form a treap ordered by IOVA: a client with a virtual IOMMU makes one range per 4 KiB
 * page, up to 65535 of them in any order, and takes them away in pieces of any size.  Removing a
 * span is two splits.  A small direct-mapped cache by page answers nearly all look-ups.
 */
#include "sim_mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim_mem_priv.h"

#define CACHE_LOG2	8
#define DEFAULT_LIMIT	65535

enum kind { KIND_PTR, KIND_FILE, KIND_MSG };

struct range {
	struct range *left, *right;
	uint64_t first, last;		/* inclusive: a range may end at 2^64 - 1 */
	uint64_t off;			/* of `first` in the file */
	union {
		uint8_t *ptr;
		struct sim_mem_file *file;
		struct {
			sim_mem_msg_fn start;
			void *arg;
		} msg;
	};
	uint32_t prio;
	uint8_t kind, rights;
};

struct sim_mem {
	struct range *root;
	struct range *free;		/* linked by left */
	struct sim_mem_file *files;
	struct range *cache[1 << CACHE_LOG2];
	struct range rest;		/* in no tree; KIND_PTR: none */
	bool lost;
	unsigned int maps, limit;
	uint64_t mapped_bytes;
	uint64_t rng;
};

/* ---- the treap ---- */

/* Below: ranges that begin before key.  No range may span key. */
static void split(struct range *t, uint64_t key, struct range **below, struct range **rest)
{
	while (t) {
		if (t->first < key) {
			*below = t;
			below = &t->right;
			t = t->right;
		} else {
			*rest = t;
			rest = &t->left;
			t = t->left;
		}
	}
	*below = NULL;
	*rest = NULL;
}

/* All ranges of a lie below those of b. */
static struct range *merge(struct range *a, struct range *b)
{
	struct range *root = NULL, **at = &root;

	while (a && b) {
		if (a->prio > b->prio) {
			*at = a;
			at = &a->right;
			a = a->right;
		} else {
			*at = b;
			at = &b->left;
			b = b->left;
		}
	}
	*at = a ? a : b;
	return root;
}

/* The last range that begins at or below addr. */
static struct range *floor_range(struct range *t, uint64_t addr)
{
	struct range *found = NULL;

	while (t) {
		if (t->first <= addr) {
			found = t;
			t = t->right;
		} else {
			t = t->left;
		}
	}
	return found;
}

static struct range *find(struct sim_mem *m, uint64_t addr)
{
	struct range **slot = &m->cache[(addr >> 12) & ((1 << CACHE_LOG2) - 1)];
	struct range *r = *slot;

	if (r && addr >= r->first && addr <= r->last)
		return r;
	r = floor_range(m->root, addr);
	if (!r || addr > r->last)
		return m->rest.kind == KIND_MSG ? &m->rest : NULL;
	*slot = r;
	return r;
}

static bool overlaps(struct sim_mem *m, uint64_t first, uint64_t last)
{
	struct range *r = floor_range(m->root, last);

	return r && r->last >= first;
}

/* ---- ranges ---- */

static struct range *range_new(struct sim_mem *m)
{
	struct range *r = m->free;

	if (r)
		m->free = r->left;
	else
		r = malloc(sizeof(*r));
	if (!r)
		return NULL;
	memset(r, 0, sizeof(*r));
	m->rng ^= m->rng << 13;
	m->rng ^= m->rng >> 7;
	m->rng ^= m->rng << 17;
	r->prio = (uint32_t)(m->rng >> 32);
	return r;
}

static void range_drop(struct sim_mem *m, struct range *r)
{
	if (r->kind == KIND_FILE)
		sim_mem_file_put(&m->files, r->file);
	m->maps--;
	m->mapped_bytes -= r->last - r->first + 1;
	r->left = m->free;
	m->free = r;
}

static void insert(struct sim_mem *m, struct range *r)
{
	struct range *below, *rest;

	split(m->root, r->first, &below, &rest);
	m->root = merge(merge(below, r), rest);
	m->maps++;
	m->mapped_bytes += r->last - r->first + 1;
}

/* Checks what all kinds share and makes the object; *out is not in the map yet. */
static int range_make(struct sim_mem *m, uint64_t iova, uint64_t size, unsigned int rights,
		      struct range **out)
{
	struct range *r;

	if (!size || size - 1 > UINT64_MAX - iova ||
	    rights & ~(unsigned int)(SIM_MEM_READ | SIM_MEM_WRITE))
		return -EINVAL;
	if (overlaps(m, iova, iova + size - 1))
		return -EEXIST;
	if (m->maps >= m->limit)
		return -ENOSPC;
	r = range_new(m);
	if (!r)
		return -ENOMEM;
	r->first = iova;
	r->last = iova + size - 1;
	r->rights = (uint8_t)rights;
	*out = r;
	return 0;
}

struct sim_mem *sim_mem_new(void)
{
	struct sim_mem *m = calloc(1, sizeof(*m));

	if (m) {
		m->limit = DEFAULT_LIMIT;
		m->rng = 0x9e3779b97f4a7c15ull;	/* shapes the tree only, never the results */
	}
	return m;
}

void sim_mem_free(struct sim_mem *m)
{
	if (!m)
		return;
	sim_mem_clear(m);
	while (m->free) {
		struct range *r = m->free;

		m->free = r->left;
		free(r);
	}
	free(m);
}

int sim_mem_add_ptr(struct sim_mem *m, uint64_t iova, uint64_t size, unsigned int rights, void *ptr)
{
	struct range *r;
	int err = range_make(m, iova, size, rights, &r);

	if (err)
		return err;
	r->kind = KIND_PTR;
	r->ptr = ptr;
	insert(m, r);
	return 0;
}

int sim_mem_add_fd(struct sim_mem *m, uint64_t iova, uint64_t size, unsigned int rights, int fd,
		   uint64_t offset)
{
	struct range *r;
	int err;

	if (offset > INT64_MAX || size > INT64_MAX - offset)
		return -EINVAL;
	err = range_make(m, iova, size, rights, &r);
	if (err)
		return err;
	err = sim_mem_file_get(&m->files, fd, rights & SIM_MEM_WRITE, offset + size, &r->file);
	if (err) {
		r->left = m->free;
		m->free = r;
		return err;
	}
	r->kind = KIND_FILE;
	r->off = offset;
	insert(m, r);
	return 0;
}

int sim_mem_add_msg(struct sim_mem *m, uint64_t iova, uint64_t size, unsigned int rights,
		    sim_mem_msg_fn start, void *arg)
{
	struct range *r;
	int err = range_make(m, iova, size, rights, &r);

	if (err)
		return err;
	r->kind = KIND_MSG;
	r->msg.start = start;
	r->msg.arg = arg;
	insert(m, r);
	return 0;
}

void sim_mem_set_rest(struct sim_mem *m, sim_mem_msg_fn start, void *arg)
{
	m->rest = (struct range){ .last = UINT64_MAX };
	if (!start)
		return;
	m->rest.kind = KIND_MSG;
	m->rest.rights = SIM_MEM_READ | SIM_MEM_WRITE;
	m->rest.msg.start = start;
	m->rest.msg.arg = arg;
}

/* ---- removing ---- */

/*
 * Make `at` a border: the range that spans it becomes two.  Returns 1 if there was one, 0, or
 * -ENOMEM.
 */
static int cut(struct sim_mem *m, uint64_t at)
{
	struct range *r = floor_range(m->root, at), *upper;

	if (!r || r->first == at || r->last < at)
		return 0;
	upper = range_new(m);
	if (!upper)
		return -ENOMEM;
	upper->first = at;
	upper->last = r->last;
	upper->rights = r->rights;
	upper->kind = r->kind;
	upper->off = r->off + (at - r->first);
	if (r->kind == KIND_PTR)
		upper->ptr = r->ptr + (at - r->first);
	else if (r->kind == KIND_MSG)
		upper->msg = r->msg;
	else
		(upper->file = r->file)->refs++;
	m->mapped_bytes -= r->last - at + 1;
	r->last = at - 1;
	insert(m, upper);
	return 1;
}

/* Iterative: the tree of a span may be any shape. */
static unsigned int drop_tree(struct sim_mem *m, struct range *t)
{
	unsigned int n = 0;

	while (t) {
		if (t->left) {		/* rotate right until nothing is on the left */
			struct range *l = t->left;

			t->left = l->right;
			l->right = t;
			t = l;
		} else {
			struct range *right = t->right;

			range_drop(m, t);
			n++;
			t = right;
		}
	}
	return n;
}

unsigned int sim_mem_del(struct sim_mem *m, uint64_t iova, uint64_t size)
{
	struct range *below, *span, *above;
	uint64_t last = iova + size - 1;
	bool to_end;

	if (!size || last < iova || !overlaps(m, iova, last))
		return 0;
	to_end = last == UINT64_MAX;
	/*
	 * Without memory for a cut the whole range goes: the client asked for less, never for more
	 * access.
	 */
	if (cut(m, iova) < 0)
		iova = floor_range(m->root, iova)->first;
	if (!to_end && cut(m, last + 1) < 0)
		last = floor_range(m->root, last)->last;
	to_end = last == UINT64_MAX;
	split(m->root, iova, &below, &span);
	above = NULL;
	if (!to_end)
		split(span, last + 1, &span, &above);
	m->root = merge(below, above);
	memset(m->cache, 0, sizeof(m->cache));
	return drop_tree(m, span);
}

void sim_mem_clear(struct sim_mem *m)
{
	struct range *all = m->root;

	m->root = NULL;
	m->lost = false;
	memset(m->cache, 0, sizeof(m->cache));
	drop_tree(m, all);
}

bool sim_mem_lost(const struct sim_mem *m)
{
	return m->lost;
}

/* ---- access ---- */

int sim_mem_check(struct sim_mem *m, uint64_t iova, uint64_t len, unsigned int rights)
{
	int err = 0;

	if (!len || len - 1 > UINT64_MAX - iova)
		return -EFAULT;
	for (;;) {
		struct range *r = find(m, iova);

		if (!r)
			return -EFAULT;
		if (rights & ~(unsigned int)r->rights)
			err = -EACCES;
		if (len - 1 <= r->last - iova)
			return err;
		len -= r->last - iova + 1;
		iova = r->last + 1;
	}
}

/* One piece inside one range; -EINPROGRESS for message-backed ones. */
static int transfer(struct range *r, struct sim_mem_io *io, uint64_t iova, uint8_t *buf,
		    uint32_t len)
{
	uint64_t off = iova - r->first;
	int err;

	switch (r->kind) {
	case KIND_PTR:
		if (io->write)
			sim_mem_store(r->ptr + off, buf, len);
		else
			memcpy(buf, r->ptr + off, len);
		return 0;
	case KIND_FILE:
		err = io->write ? sim_mem_file_write(r->file, r->off + off, buf, len) :
				  sim_mem_file_read(r->file, r->off + off, buf, len);
		io->mem->lost |= err != 0;
		return err;
	default:
		io->step = len;
		r->msg.start(r->msg.arg, io, iova, buf, len);
		return -EINPROGRESS;
	}
}

/* From io->pos to the end or to the first piece that takes time. */
static int advance(struct sim_mem *m, struct sim_mem_io *io)
{
	unsigned int right = io->write ? SIM_MEM_WRITE : SIM_MEM_READ;

	while (io->pos < io->len) {
		uint64_t iova = io->iova + io->pos;
		uint32_t len = io->len - io->pos;
		struct range *r = find(m, iova);
		int err;

		/* Checked before the first piece, but maps may go while a message is out. */
		if (!r || !(r->rights & right))
			return r ? -EACCES : -EFAULT;
		if (len - 1 > r->last - iova)
			len = (uint32_t)(r->last - iova + 1);
		err = transfer(r, io, iova, (uint8_t *)io->buf + io->pos, len);
		if (err)
			return err;
		io->pos += len;
	}
	return 0;
}

int sim_mem_submit(struct sim_mem *m, struct sim_mem_io *io)
{
	unsigned int right = io->write ? SIM_MEM_WRITE : SIM_MEM_READ;
	struct range *r = find(m, io->iova);

	io->mem = m;
	io->pos = 0;
	io->step = 0;
	io->next = NULL;
	if (!r || !(r->rights & right) || !io->len || io->len - 1 > r->last - io->iova) {
		io->status = sim_mem_check(m, io->iova, io->len, right);
		if (io->status)
			return io->status;
	}
	io->status = -EINPROGRESS;	/* before a callback can see it */
	return io->status = advance(m, io);
}

void sim_mem_io_complete(struct sim_mem_io *io, int status)
{
	if (!status) {
		io->pos += io->step;
		status = advance(io->mem, io);
		if (status == -EINPROGRESS)
			return;
	}
	io->status = status;
	if (io->done)
		io->done(io);
}

/* True when no part of the span is message-backed. */
static bool immediate(struct sim_mem *m, uint64_t iova, uint64_t len)
{
	for (;;) {
		struct range *r = find(m, iova);

		if (!r || len - 1 <= r->last - iova)
			return !r || r->kind != KIND_MSG;
		if (r->kind == KIND_MSG)
			return false;
		len -= r->last - iova + 1;
		iova = r->last + 1;
	}
}

static int access_now(struct sim_mem *m, uint64_t iova, void *buf, uint32_t len, bool write)
{
	struct sim_mem_io io = { .iova = iova, .buf = buf, .len = len, .write = write };

	if (len && !immediate(m, iova, len))
		return -ENOTSUP;
	return sim_mem_submit(m, &io);
}

int sim_mem_read(struct sim_mem *m, uint64_t iova, void *buf, uint32_t len)
{
	return access_now(m, iova, buf, len, false);
}

int sim_mem_write(struct sim_mem *m, uint64_t iova, const void *buf, uint32_t len)
{
	return access_now(m, iova, (void *)(uintptr_t)buf, len, true);
}

void *sim_mem_ptr(struct sim_mem *m, uint64_t iova, uint64_t len, unsigned int rights)
{
	struct range *r = find(m, iova);

	if (!r || !len || len - 1 > r->last - iova || rights & ~(unsigned int)r->rights)
		return NULL;
	if (r->kind == KIND_PTR)
		return r->ptr + (iova - r->first);
	if (r->kind == KIND_FILE)
		return r->file->base + r->off + (iova - r->first);
	return NULL;
}

void sim_mem_get_stats(const struct sim_mem *m, struct sim_mem_stats *stats)
{
	*stats = (struct sim_mem_stats){ .maps = m->maps, .mapped_bytes = m->mapped_bytes };
	for (const struct sim_mem_file *f = m->files; f; f = f->next)
		stats->files++;
}

void sim_mem_set_limit(struct sim_mem *m, unsigned int max_maps)
{
	m->limit = max_maps;
}
