// SPDX-License-Identifier: Apache-2.0
/*
 * Device addresses: a tree of the ranges in use.  Placement is random, so that a stale IOVA rarely
 * hits something; a range can be asked to be congruent to a process address, so that large pages
 * fit on both sides.
 */
#define _GNU_SOURCE
#include <search.h>
#include <string.h>

#include "priv.h"

/* More tries than this only fail when the space is practically full. */
#define TRIES 256

struct range {
	uint64_t start, last;
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
	pthread_mutex_init(&iova->lock, NULL);
}

void cairn_iova_free(struct cairn_iova *iova)
{
	tdestroy(iova->tree, free);
	iova->tree = NULL;
	pthread_mutex_destroy(&iova->lock);
}

/* A random range of the wanted shape inside [min, max]; false: none fits. */
static bool candidate(struct cairn_iova *iova, uint64_t len, uint64_t align, uint64_t phase,
		      struct range *range)
{
	uint64_t first = (iova->min + align - 1) / align * align + phase, places;

	if (first < iova->min || first > iova->max || iova->max - first < len - 1)
		return false;
	places = (iova->max - first - (len - 1)) / align + 1;
	range->start = first + cairn_rng_below(&iova->rng, places) * align;
	range->last = range->start + len - 1;
	return true;
}

int cairn_iova_take(struct cairn_iova *iova, uint64_t len, uint64_t align, uint64_t phase,
		    uint64_t *address)
{
	struct range *range = malloc(sizeof(*range));
	int err = -ENOSPC;

	if (!range)
		return cairn_fail(-ENOMEM, "out of memory for an IOVA range");
	pthread_mutex_lock(&iova->lock);
	for (int i = 0; i < TRIES && err == -ENOSPC && candidate(iova, len, align, phase, range);
	     i++) {
		if (tfind(range, &iova->tree, compare))
			continue;
		err = tsearch(range, &iova->tree, compare) ? 0 : -ENOMEM;
	}
	pthread_mutex_unlock(&iova->lock);
	if (err) {
		free(range);
		return cairn_fail(
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
