// SPDX-License-Identifier: Apache-2.0
/*
 * Device addresses: a tree of the ranges in use.  Placement is random, so that a stale IOVA rarely
 * hits something; a range can be asked to be congruent to a process address, so that large pages
 * fit on both sides.
 *
 * Small ranges stay together in a part of the space, since a few thousand of them all over it would
 * leave no room for a large one.  Which part that is, is random too.  What finds no place by luck
 * is searched for, so that only a space without a gap of that length is full.
 */
#define _GNU_SOURCE
#include <search.h>
#include <string.h>

#include "priv.h"

#define SMALL_BYTES (2ull << 20)
#define MAX_SPLIT 4u
#define TRIES 64u /* in each part, the whole space being the last */

struct range {
	uint64_t start, last;
};

/* What to look for: len bytes at phase modulo align. */
struct shape {
	uint64_t len, align, phase;
};

/* Ranges that overlap compare equal: looking one up finds whatever is in its way. */
static int compare(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->last < y->start ? -1 : x->start > y->last;
}

void cairn_iova_init(struct cairn_iova *iova, uint64_t min, uint64_t max, uint64_t seed)
{
	memset(iova, 0, sizeof(*iova));
	iova->min = min;
	iova->max = max;
	cairn_rng_init(&iova->rng, seed, 0x10fa);
	iova->home = cairn_rng_below(&iova->rng, 1u << MAX_SPLIT);
	pthread_mutex_init(&iova->lock, NULL);
}

void cairn_iova_free(struct cairn_iova *iova)
{
	tdestroy(iova->tree, free);
	iova->tree = NULL;
	pthread_mutex_destroy(&iova->lock);
}

/*
 * How often the space is halved until its part for ranges of this length is left: a sixteenth for
 * rings and small buffers, a quarter for what is still far smaller than the space, else all of it.
 * The parts lie in each other, so that three quarters see large ranges only.
 */
static unsigned int split_of(const struct cairn_iova *iova, uint64_t len)
{
	uint64_t size = iova->max - iova->min;

	if (len <= SMALL_BYTES && len <= size >> 12)
		return MAX_SPLIT;
	return len <= size >> 9 ? 2 : 0;
}

static struct range part(const struct cairn_iova *iova, unsigned int split)
{
	uint64_t size = (iova->max - iova->min) >> split,
		 start = iova->min + size * (iova->home >> (MAX_SPLIT - split));

	return split ? (struct range){ start, start + size }
		     : (struct range){ iova->min, iova->max };
}

/* The first place from `from` on, which may be behind all that is usable; false: beyond 2^64. */
static bool place_from(const struct shape *shape, uint64_t from, struct range *range)
{
	range->start = from + ((shape->phase - from) & (shape->align - 1));
	range->last = range->start + shape->len - 1;
	return range->start >= from && range->last >= range->start;
}

/* A random place inside; false: none is free by luck. */
static bool try_luck(struct cairn_iova *iova, const struct range *in, const struct shape *shape,
		     struct range *range)
{
	struct range first;
	uint64_t places;

	if (!place_from(shape, in->start, &first) || first.last > in->last)
		return false;
	places = (in->last - first.last) / shape->align + 1;
	for (unsigned int i = 0; i < TRIES; i++) {
		range->start = first.start + cairn_rng_below(&iova->rng, places) * shape->align;
		range->last = range->start + shape->len - 1;
		if (!tfind(range, &iova->tree, compare))
			return true;
	}
	return false;
}

/* The first place in [from, last] that is free; each step leaves a range in use behind. */
static bool search(const struct cairn_iova *iova, uint64_t from, uint64_t last,
		   const struct shape *shape, struct range *range)
{
	while (place_from(shape, from, range) && range->last <= last) {
		void *node = tfind(range, &iova->tree, compare);

		if (!node)
			return true;
		from = (*(struct range **)node)->last + 1;
		if (!from)
			break;
	}
	return false;
}

/* From somewhere on, then from the beginning. */
static bool search_all(struct cairn_iova *iova, const struct shape *shape, struct range *range)
{
	uint64_t from = iova->min + cairn_rng_below(&iova->rng, iova->max - iova->min);

	return search(iova, from, iova->max, shape, range) ||
	       search(iova, iova->min, iova->max, shape, range);
}

/* With the alignment that makes it fast if there is such a place, else with less. */
static bool find_place(struct cairn_iova *iova, struct shape shape, struct range *range)
{
	for (unsigned int split = split_of(iova, shape.len);; split -= 2) {
		struct range in = part(iova, split);

		if (try_luck(iova, &in, &shape, range))
			return true;
		if (!split)
			break;
	}
	while (!search_all(iova, &shape, range)) {
		if (shape.align <= PAGE_BYTES)
			return false;
		shape.align >>= 9; /* a level of page tables */
		if (shape.align < PAGE_BYTES)
			shape.align = PAGE_BYTES;
		shape.phase &= shape.align - 1;
	}
	return true;
}

int cairn_iova_take(struct cairn_iova *iova, uint64_t len, uint64_t align, uint64_t phase,
		    uint64_t *address)
{
	struct range *range = malloc(sizeof(*range));
	int err = -ENOSPC;

	if (!range)
		return cairn_refuse(-ENOMEM, "out of memory for an IOVA range");
	pthread_mutex_lock(&iova->lock);
	if (find_place(iova, (struct shape){ len, align, phase }, range))
		err = tsearch(range, &iova->tree, compare) ? 0 : -ENOMEM;
	pthread_mutex_unlock(&iova->lock);
	if (err) {
		free(range);
		return cairn_refuse(
			err,
			"no room for %llu bytes in the device's address space; deregister memory",
			(unsigned long long)len);
	}
	*address = range->start;
	return 0;
}

void cairn_iova_give(struct cairn_iova *iova, uint64_t address, uint64_t len)
{
	struct range key = { address, address + len - 1 }, *range = NULL;
	void *node;

	pthread_mutex_lock(&iova->lock);
	node = tfind(&key, &iova->tree, compare);
	if (node) {
		range = *(struct range **)node;
		tdelete(&key, &iova->tree, compare);
	}
	pthread_mutex_unlock(&iova->lock);
	free(range);
}
