// SPDX-License-Identifier: Apache-2.0
/*
 * Memory regions.  Registering maps the pages for the device at a random IOVA, picks a random key
 * index with a tag that index has not had lately, writes the page list when there is one, and makes
 * the record valid.  Deregistering goes the other way round: the command is a fence, and only after
 * it are the pages unmapped.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "cancel.h"
#include "priv.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

#define DEVICE_WRITES \
	(CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC)

/* Atomics may come through such a region, or through a window on it. */
#define ATOMICS (CAIRN_ACCESS_REMOTE_ATOMIC | CAIRN_ACCESS_MW_BIND)

unsigned int cairn_mr_page_log2(uint64_t va, uint64_t iova, uint64_t len, uint64_t sizes)
{
	unsigned int best = 0;

	for (unsigned int log2 = 12; log2 < 63; log2++) {
		uint64_t size = 1ull << log2;

		if (sizes & size && !((va ^ iova) & (size - 1)) && (log2 == 12 || len >= size))
			best = log2;
	}
	return best;
}

uint64_t cairn_mr_pages(uint64_t va, uint64_t len, unsigned int page_log2)
{
	return ((va + len - 1) >> page_log2) - (va >> page_log2) + 1;
}

uint64_t cairn_mr_pte(uint64_t iova, unsigned int page_log2, uint64_t i)
{
	uint64_t page = (iova >> page_log2 << page_log2) + (i << page_log2);

	return (page & CAIRN_MTT_PTE_PAGE) | CAIRN_MTT_PTE_VALID;
}

/* Kernels before 5.14 cannot populate: then memory must at least be mapped. */
static int check_mapped(void *start, size_t span)
{
	unsigned char *present = malloc(span / PAGE_BYTES);
	int err;

	if (!present)
		return -ENOMEM;
	err = mincore(start, span, present) ? -EFAULT : 0;
	free(present);
	return err;
}

/* The memory is there and has the rights; its pages are made present, as pinning would. */
static int check_memory(void *addr, uint64_t len, bool write)
{
	void *start = (void *)((uintptr_t)addr & ~(PAGE_BYTES - 1));
	size_t span = round_up((uintptr_t)addr + len, PAGE_BYTES) - (uintptr_t)start;

	if (!madvise(start, span, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ))
		return 0;
	if (errno == EINVAL && madvise(start, 0, MADV_POPULATE_READ))
		return check_mapped(start, span);
	return -EFAULT;
}

static int check_args(const struct cairn_dev *dev, const void *addr, uint64_t len, uint64_t va,
		      uint32_t access)
{
	const uint32_t known = DEVICE_WRITES | CAIRN_ACCESS_REMOTE_READ | CAIRN_ACCESS_MW_BIND |
			       CAIRN_ACCESS_ZERO_BASED;

	if (!len || len > dev->caps.max_mr_size)
		return cairn_refuse(-EINVAL, "memory region of %llu bytes: 1 to %llu are possible",
				    (unsigned long long)len,
				    (unsigned long long)dev->caps.max_mr_size);
	if ((uintptr_t)addr + len < (uintptr_t)addr ||
	    (uintptr_t)addr > UINT64_MAX - len - 2 * PAGE_BYTES || va + len - 1 < va)
		return cairn_refuse(-EINVAL, "memory region passes the end of the address space");
	if (access & CAIRN_ACCESS_ZERO_BASED && va)
		return cairn_refuse(-EINVAL, "a zero-based memory region begins at 0");
	if (access & ~known)
		return cairn_refuse(-EINVAL, "access flags 0x%x: unknown", access & ~known);
	if (access & (CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC) &&
	    !(access & CAIRN_ACCESS_LOCAL_WRITE))
		return cairn_refuse(-EINVAL,
				    "remote write and atomic access need local write access too");
	return 0;
}

/* Random free index, and a tag that differs from the last 255 of that index. */
int cairn_key_take(struct cairn_dev *dev, uint32_t *key)
{
	int err = cairn_dev_alive(dev); /* else there may be no keys at all */
	int64_t index;

	if (err)
		return err;
	index = cairn_space_take(&dev->keys, 1);
	if (index < 0)
		return cairn_refuse(
			-ENOSPC,
			"all %u memory regions and windows are in use; open the device with more, or "
			"deregister",
			dev->keys.limit - 1);
	pthread_mutex_lock(&dev->objects);
	*key = (uint32_t)index << 8 | ++dev->key_tags[index];
	pthread_mutex_unlock(&dev->objects);
	return 0;
}

void cairn_key_give(struct cairn_dev *dev, uint32_t key)
{
	pthread_mutex_lock(&dev->objects);
	dev->key_tags[key >> 8] = (uint8_t)key;
	pthread_mutex_unlock(&dev->objects);
	cairn_space_give(&dev->keys, key >> 8, 1);
}

/* The mapping that addr is in: does it show a file's memory, and from where on?  A line of
 * /proc/self/maps. */
static bool mapping(const char *line, uint64_t addr, bool *shared, uint64_t *at)
{
	unsigned long long start, end, offset;
	char kind;

	if (sscanf(line, "%llx-%llx %*3c%c %llx", &start, &end, &kind, &offset) != 4 ||
	    addr < start || addr >= end)
		return false;
	*shared = kind == 's';
	*at = addr - start + offset;
	return true;
}

/* The same for all addresses of one memory: where it lies in its file if it is shared, else the
 * address. */
static int place_of(uint64_t addr, uint64_t *place)
{
	FILE *maps;
	char line[256];
	bool found = false, shared = false;
	UNCANCELLED;

	*place = addr;
	maps = fopen("/proc/self/maps", "re");
	while (maps && !found && fgets(line, sizeof(line), maps)) {
		bool whole = strchr(line, '\n') != NULL;

		found = mapping(line, addr, &shared, place);
		while (!whole && fgets(line, sizeof(line), maps)) /* a long file name */
			whole = strchr(line, '\n') != NULL;
	}
	if (!found) {
		int err = maps ? -EIO : -errno;

		if (maps)
			fclose(maps);
		return cairn_fail(err,
				  "/proc/self/maps cannot be read (%s), which memory it is that "
				  "atomics may come to has to be known",
				  strerror(-err));
	}
	fclose(maps);
	if (!shared)
		*place = addr;
	return 0;
}

/* Where the pages go: congruent to `like` for the largest page that could serve, if the space has
 * such a gap.  Page lists are walked by va. */
static void choose_place(const struct cairn_dev *dev, const struct cairn_mr *mr, uint64_t *like,
			 uint64_t *align)
{
	*like = mr->mode == CAIRN_MR_MODE_PAGED ? mr->va : mr->addr;
	*align = PAGE_BYTES;
	for (unsigned int log2 = 13; log2 < 63 && 1ull << log2 <= mr->length; log2++)
		if (dev->caps.page_sizes & 1ull << log2)
			*align = 1ull << log2;
}

/* The same, but where atomics may come: there the low bits say which memory it is, or it fails. */
static int take_iova(struct cairn_dev *dev, const struct cairn_mr *mr, bool atomics, uint64_t len,
		     uint64_t *iova)
{
	const uint64_t same = (1ull << CAIRN_ATOMIC_PLACE_LOG2) - 1;
	uint64_t offset = mr->addr & (PAGE_BYTES - 1), like, align, place;
	int err;

	choose_place(dev, mr, &like, &align);
	if (!atomics)
		return cairn_iova_take(&dev->iova, len, align, (like - offset) & (align - 1), iova);
	/* The NIC finds atomics on one memory by these bits, whatever it is registered as. */
	err = place_of(mr->addr, &place);
	if (err)
		return err;
	if ((like ^ place) & same || align <= same) {
		like = (like & ~same) | (place & same);
		align = same + 1;
	}
	err = cairn_iova_take(&dev->iova, len, align, (like - offset) & (align - 1), iova);
	if (err || !(((*iova + offset) ^ place) & same))
		return err;
	cairn_iova_give(&dev->iova, *iova, len);
	return cairn_refuse(-ENOSPC,
			    "no room for %llu bytes with atomics in the device's address space; "
			    "deregister memory",
			    (unsigned long long)len);
}

static int map_memory(struct cairn_dev *dev, struct cairn_mr *mr, bool atomics)
{
	struct cairn_dma_map map = { .fd = -1, .perm = CAIRN_DMA_READ };
	uint64_t offset = mr->addr & (PAGE_BYTES - 1);
	int err = cairn_dev_alive(dev);

	if (err)
		return err;
	if (mr->access & DEVICE_WRITES)
		map.perm |= CAIRN_DMA_WRITE;
	map.va = (void *)(uintptr_t)(mr->addr - offset);
	map.len = round_up(offset + mr->length, PAGE_BYTES);
	err = take_iova(dev, mr, atomics, map.len, &map.iova);
	if (err)
		return err;
	err = dev->bus->ops->dma_map(dev->bus, &map);
	if (err) {
		cairn_iova_give(&dev->iova, map.iova, map.len);
		return cairn_dma_map_failed(dev->bus, &map, err);
	}
	mr->map_iova = map.iova;
	mr->map_len = map.len;
	mr->iova = map.iova + offset;
	return 0;
}

static void unmap_memory(struct cairn_dev *dev, struct cairn_mr *mr)
{
	cairn_dma_unmap(dev->bus, &dev->iova, mr->map_iova, mr->map_len);
}

static struct cairn_mtt *page_list(struct cairn_dev *dev, const struct cairn_mr *mr)
{
	return (struct cairn_mtt *)dev->tables[CAIRN_TABLE_MTT].mem.va + mr->mtt_index;
}

static uint32_t lines(uint64_t entries)
{
	return (uint32_t)((entries + LINE_MTTS - 1) / LINE_MTTS);
}

/* Whole lines of the table, so that no other region's list shares what the device caches. */
static int write_page_list(struct cairn_dev *dev, struct cairn_mr *mr, bool fast)
{
	uint64_t pages;
	int64_t line;

	mr->page_log2 = cairn_mr_page_log2(mr->va, mr->iova, mr->length,
					   fast ? PAGE_BYTES : dev->caps.page_sizes);
	pages = cairn_mr_pages(mr->va, mr->length, mr->page_log2);
	line = pages <= UINT32_MAX - LINE_MTTS ? cairn_space_take(&dev->mtts, lines(pages))
					       : -ENOSPC;
	if (line < 0)
		return cairn_refuse(
			-ENOSPC,
			"no room for a page list of %llu entries; open the device with more, or "
			"deregister memory",
			(unsigned long long)pages);
	mr->mtt_index = (uint32_t)line * LINE_MTTS;
	mr->mtt_count = (uint32_t)pages;
	for (uint64_t i = 0; i < pages; i++)
		page_list(dev, mr)[i].pte = cairn_mr_pte(mr->iova, mr->page_log2, i);
	return 0;
}

static void free_page_list(struct cairn_dev *dev, struct cairn_mr *mr)
{
	if (!mr->mtt_count)
		return;
	memset(page_list(dev, mr), 0, mr->mtt_count * sizeof(struct cairn_mtt));
	cairn_space_give(&dev->mtts, mr->mtt_index / LINE_MTTS, lines(mr->mtt_count));
}

static int make_valid(struct cairn_dev *dev, const struct cairn_mr *mr, bool fast)
{
	struct cairn_request reg = { .op = CAIRN_CMD_OP_REG_MR, .number = mr->key };

	reg.arg[0] = mr->va;
	reg.arg[1] = mr->length;
	reg.arg[2] = mr->mode == CAIRN_MR_MODE_PAGED ? mr->mtt_index : mr->iova;
	reg.arg[3] = mr->pd->pdn;
	reg.arg[4] = CAIRN_PUT(CAIRN_MPT_FLAGS_MODE, mr->mode) |
		     CAIRN_PUT(CAIRN_MPT_FLAGS_ACCESS, mr->access) |
		     CAIRN_PUT(CAIRN_MPT_FLAGS_PAGE_LOG2, mr->page_log2);
	if (fast) { /* only the key and room for its page list */
		reg.flags = CAIRN_MR_FLAG_ALLOC;
		reg.arg[0] = 0;
		reg.arg[1] = mr->mtt_count;
		reg.arg[4] = CAIRN_PUT(CAIRN_MPT_FLAGS_MODE, CAIRN_MR_MODE_PAGED);
	}
	return cairn_cmd(dev, &reg);
}

/* What was asked for, if it can be. */
static int describe(struct cairn_pd *pd, void *addr, uint64_t length, uint64_t va, uint32_t access,
		    enum cairn_mr_kind kind, struct cairn_mr **out)
{
	struct cairn_dev *dev = pd->dev;
	bool fast = kind == CAIRN_MR_BY_WORK_REQUEST, paged = kind == CAIRN_MR_USE_PAGED || fast;
	struct cairn_mr *mr;
	int err = 0;

	if (fast && !(dev->caps.features & CAIRN_REG_FEATURES_MW))
		err = cairn_refuse(-EOPNOTSUPP, "this device has no registration by work request");
	if (!err)
		err = check_args(dev, addr, length, va, access);
	if (!err && paged && ((uintptr_t)addr ^ va) & (PAGE_BYTES - 1))
		err = cairn_refuse(
			-EINVAL, "a paged region needs addresses that agree in their low 12 bits");
	if (err)
		return err;
	err = check_memory(addr, length, access & DEVICE_WRITES);
	if (err)
		return cairn_refuse(
			err, "%llu bytes at %p: not all is mapped memory with the rights asked for",
			(unsigned long long)length, addr);
	mr = calloc(1, sizeof(*mr));
	if (!mr)
		return cairn_refuse(-ENOMEM, "out of memory for a memory region");
	mr->pd = pd;
	mr->addr = (uintptr_t)addr;
	mr->length = length;
	mr->va = va;
	mr->access = access;
	/* Every bus gives a region one contiguous IOVA range, so AUTO needs no page list. */
	mr->mode = paged ? CAIRN_MR_MODE_PAGED : CAIRN_MR_MODE_DIRECT;
	*out = mr;
	return 0;
}

/* Its memory is mapped, and its page list written. */
static int place(struct cairn_dev *dev, struct cairn_mr *mr, bool fast)
{
	int err = map_memory(dev, mr, fast || mr->access & ATOMICS);

	if (err || mr->mode != CAIRN_MR_MODE_PAGED)
		return err;
	err = write_page_list(dev, mr, fast);
	if (err)
		unmap_memory(dev, mr);
	return err;
}

static void unplace(struct cairn_dev *dev, struct cairn_mr *mr)
{
	free_page_list(dev, mr);
	unmap_memory(dev, mr);
}

int cairn_reg_mr_kind(struct cairn_pd *pd, void *addr, uint64_t length, uint64_t va,
		      uint32_t access, enum cairn_mr_kind kind, struct cairn_mr **out)
{
	struct cairn_dev *dev = pd->dev;
	bool fast = kind == CAIRN_MR_BY_WORK_REQUEST;
	struct cairn_mr *mr;
	int err = describe(pd, addr, length, va, access, kind, &mr);

	if (err)
		return err;
	err = cairn_key_take(dev, &mr->key);
	if (err)
		goto err_free;
	err = place(dev, mr, fast);
	if (err)
		goto err_key;
	err = make_valid(dev, mr, fast);
	if (err)
		goto err_place;
	cairn_use(dev, &pd->users);
	*out = mr;
	return 0;

err_place:
	unplace(dev, mr);
err_key:
	cairn_key_give(dev, mr->key);
err_free:
	free(mr);
	return err;
}

int cairn_reg_mr(struct cairn_pd *pd, void *addr, uint64_t length, uint64_t va, uint32_t access,
		 struct cairn_mr **mr)
{
	return cairn_reg_mr_kind(pd, addr, length, va, access, CAIRN_MR_AUTO, mr);
}

/* The device knows the key no more; all accesses with it have come out. */
static int make_invalid(struct cairn_dev *dev, const struct cairn_mr *mr)
{
	struct cairn_request dereg = { .op = CAIRN_CMD_OP_DEREG_MR, .number = mr->key };

	return mr->invalid ? 0 : cairn_cmd_end(dev, &dereg);
}

/*
 * What can fail for want of something is done before the old region goes; then the same key is made
 * valid anew, or, should the device refuse that, valid as it was.
 */
int cairn_rereg_mr(struct cairn_mr *mr, struct cairn_pd *pd, void *addr, uint64_t length,
		   uint64_t va, uint32_t access)
{
	struct cairn_dev *dev = mr->pd->dev;
	struct cairn_mr *fresh, old;
	int err;

	if (mr->mode != CAIRN_MR_MODE_DIRECT || mr->invalid)
		return cairn_refuse(-EINVAL, "region 0x%x cannot be changed", mr->key);
	err = describe(pd, addr, length, va, access, CAIRN_MR_AUTO, &fresh);
	if (err)
		return err;
	fresh->key = mr->key;
	err = place(dev, fresh, false);
	if (err)
		goto err_free;
	err = make_invalid(dev, mr);
	if (err)
		goto err_place;
	err = make_valid(dev, fresh, false);
	if (err) {
		mr->invalid = make_valid(dev, mr, false) != 0;
		goto err_place;
	}
	cairn_use(dev, &pd->users);
	cairn_unuse(dev, &mr->pd->users);
	old = *mr;
	*mr = *fresh;
	unplace(dev, &old);
	free(fresh);
	return 0;

err_place:
	unplace(dev, fresh);
err_free:
	free(fresh);
	return mr->invalid ? cairn_fail(-ENOTRECOVERABLE,
					"region 0x%x could not be changed, and is gone", mr->key)
			   : err;
}

int cairn_dereg_mr(struct cairn_mr *mr)
{
	struct cairn_dev *dev = mr->pd->dev;
	int err = make_invalid(dev, mr);

	if (err)
		return err;
	unplace(dev, mr);
	cairn_key_give(dev, mr->key);
	cairn_unuse(dev, &mr->pd->users);
	free(mr);
	return 0;
}
