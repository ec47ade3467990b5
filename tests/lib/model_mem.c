// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model (model.h): memory regions, and moving bytes between them and packets.
 */
#include "model_priv.h"

#include <errno.h>
#include <string.h>

static struct model_region *region(const struct model *m, uint32_t key)
{
	for (size_t i = 0; i < m->regions.count; i++) {
		struct model_region *r = model_fifo_at(&m->regions, i);

		if (r->key == key && r->data)
			return r;
	}
	return NULL;
}

int model_region_add(struct model *m, const struct model_region *r)
{
	if (region(m, r->key))
		return -EEXIST;
	if (!r->data)
		return -EINVAL;
	model_fifo_push(&m->regions, r);
	return 0;
}

int model_region_remove(struct model *m, uint32_t key)
{
	struct model_region *r = region(m, key);

	if (!r)
		return -ENOENT;
	r->data = NULL;
	return 0;
}

bool model_region_valid(const struct model *m, uint32_t key)
{
	return region(m, key);
}

uint8_t *model_mem(const struct model *m, uint32_t pd, uint32_t key, uint64_t addr, uint64_t length,
		   uint32_t rights)
{
	const struct model_region *r = region(m, key);

	if (!r || r->pd != pd || (r->rights & rights) != rights)
		return NULL;
	/* Remote writing and atomics need local writing too. */
	if (rights & (MODEL_REMOTE_WRITE | MODEL_REMOTE_ATOMIC) && !(r->rights & MODEL_LOCAL_WRITE))
		return NULL;
	/* In this form nothing overflows. */
	if (addr < r->base || length > r->length || addr - r->base > r->length - length)
		return NULL;
	return r->data + (addr - r->base);
}

bool model_key_of(const struct model *m, uint32_t pd, uint32_t key)
{
	const struct model_region *r = region(m, key);

	return r && r->pd == pd;
}

uint64_t model_sge_total(const struct model_sge *sge, unsigned int sges)
{
	uint64_t total = 0;

	for (unsigned int i = 0; i < sges; i++)
		total += sge[i].length;
	return total;
}

bool model_sge_check(const struct model *m, uint32_t pd, const struct model_sge *sge,
		     unsigned int sges, uint32_t rights)
{
	for (unsigned int i = 0; i < sges; i++)
		if (sge[i].length &&
		    !model_mem(m, pd, sge[i].key, sge[i].addr, sge[i].length, rights))
			return false;
	return true;
}

/*
 * The next run of a list that holds the byte at `skip`, at most `len` bytes: its memory and, in *n,
 * its length.
 */
static uint8_t *part(const struct model *m, uint32_t pd, const struct model_sge *sge,
		     unsigned int sges, uint64_t skip, uint32_t len, uint32_t rights, uint32_t *n)
{
	for (unsigned int i = 0; i < sges; i++) {
		if (skip < sge[i].length) {
			*n = sge[i].length - (uint32_t)skip;
			*n = *n < len ? *n : len;
			return model_mem(m, pd, sge[i].key, sge[i].addr + skip, *n, rights);
		}
		skip -= sge[i].length;
	}
	return NULL;
}

bool model_gather(const struct model *m, uint32_t pd, const struct model_sge *sge,
		  unsigned int sges, uint64_t skip, uint8_t *to, uint32_t len)
{
	for (uint32_t n; len; to += n, skip += n, len -= n) {
		const uint8_t *p = part(m, pd, sge, sges, skip, len, 0, &n);

		if (!p)
			return false;
		memcpy(to, p, n);
	}
	return true;
}

bool model_scatter(const struct model *m, uint32_t pd, const struct model_sge *sge,
		   unsigned int sges, uint64_t skip, const uint8_t *from, uint32_t len)
{
	for (uint32_t n; len; from += n, skip += n, len -= n) {
		uint8_t *p = part(m, pd, sge, sges, skip, len, MODEL_LOCAL_WRITE, &n);

		if (!p)
			return false;
		memcpy(p, from, n);
	}
	return true;
}

bool model_reachable(const struct model *m, uint32_t pd, const struct model_sge *sge,
		     unsigned int sges, uint64_t skip, uint32_t len)
{
	for (uint32_t n; len; skip += n, len -= n)
		if (!part(m, pd, sge, sges, skip, len, MODEL_LOCAL_WRITE, &n))
			return false;
	return true;
}
