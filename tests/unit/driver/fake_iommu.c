// SPDX-License-Identifier: Apache-2.0
/* The fake kernel's groups, containers and iommufd: what is allowed in which order, and the map. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fake_kernel.h"

static int fails(int err)
{
	errno = err;
	return -1;
}

/* ---------------------------------------------------------------- the map */

struct fake_map *kernel_find_map(uint64_t iova)
{
	for (unsigned int i = 0; i < kernel.n_maps; i++)
		if (iova - kernel.maps[i].iova < kernel.maps[i].len)
			return &kernel.maps[i];
	return NULL;
}

static bool in_a_range(uint64_t iova, uint64_t last)
{
	for (unsigned int i = 0; i < kernel.n_ranges; i++)
		if (iova >= kernel.ranges[i].start && last <= kernel.ranges[i].last)
			return true;
	return false;
}

static int map_memory(uint64_t iova, uint64_t va, uint64_t len, uint32_t perm)
{
	uint64_t last = iova + len - 1;
	struct cairn_dma_map forward = { iova, (void *)(uintptr_t)va, len, -1, 0, perm };

	if (!len || (iova | va | len) % 4096 || last < iova || !perm) {
		kernel_error("map of odd pages or without rights");
		return fails(EINVAL);
	}
	if (!in_a_range(iova, last)) {
		kernel_error("map of 0x%llx, which is not in a usable range",
			     (unsigned long long)iova);
		return fails(EINVAL);
	}
	for (unsigned int i = 0; i < kernel.n_maps; i++)
		if (kernel.maps[i].iova <= last &&
		    kernel.maps[i].iova + kernel.maps[i].len - 1 >= iova) {
			kernel_error("map over another map");
			return fails(EEXIST);
		}
	if (kernel.pinned + len > kernel.memlock)
		return fails(ENOMEM);
	if (kernel.n_maps == FAKE_DMA_MAPS)
		return fails(ENOSPC);
	kernel.maps[kernel.n_maps++] =
		(struct fake_map){ iova, (uint8_t *)(uintptr_t)va, len, perm, false };
	kernel.pinned += len;
	if (kernel.run_nic)
		fake_bus_ops.dma_map(&fakes[1].bus, &forward);
	return 0;
}

/* The length unmapped. */
static uint64_t unmap_memory(uint64_t iova, uint64_t len)
{
	struct fake_map *map = kernel_find_map(iova);

	if (!map || map->iova != iova || map->len != len) {
		kernel_error("unmap of 0x%llx, %llu bytes: no such map", (unsigned long long)iova,
			     (unsigned long long)len);
		return 0;
	}
	*map = kernel.maps[--kernel.n_maps];
	kernel.pinned -= len;
	if (kernel.run_nic)
		fake_bus_ops.dma_unmap(&fakes[1].bus, iova, len);
	return len;
}

/* The address space goes, and what is mapped with it. */
void kernel_iommu_closed(void)
{
	if (kernel.n_maps)
		kernel_error("%u maps are left at close", kernel.n_maps);
	kernel.n_maps = 0;
	kernel.pinned = 0;
	kernel.iommu_set = kernel.ioas = false;
}

/* ---------------------------------------------------------------- container */

/* Another capability stands before the ranges, which so begin at a multiple of 4,
 * as in Linux 6.1. */
static void type1_info(struct vfio_iommu_type1_info *info)
{
	struct vfio_iommu_type1_info_dma_avail avail = {
		.header = { VFIO_IOMMU_TYPE1_INFO_DMA_AVAIL, 1, 0 }, .avail = 65535
	};
	struct vfio_iommu_type1_info_cap_iova_range cap = {
		.header = { VFIO_IOMMU_TYPE1_INFO_CAP_IOVA_RANGE, 1, 0 },
		.nr_iovas = kernel.n_ranges
	};
	size_t second = sizeof(*info) + sizeof(avail), ranges = second + sizeof(cap),
	       need = ranges + kernel.n_ranges * sizeof(struct vfio_iova_range);

	info->flags = VFIO_IOMMU_INFO_PGSIZES;
	info->iova_pgsizes = kernel.page_sizes;
	if (kernel.no_ranges)
		return;
	info->flags |= VFIO_IOMMU_INFO_CAPS;
	info->cap_offset = 0;
	if (info->argsz < need) {
		info->argsz = (uint32_t)need;
		return;
	}
	info->cap_offset = sizeof(*info);
	avail.header.next = (uint32_t)second;
	memcpy(info + 1, &avail, sizeof(avail));
	memcpy((uint8_t *)info + second, &cap, sizeof(cap));
	for (unsigned int i = 0; i < kernel.n_ranges; i++) {
		struct vfio_iova_range range = { kernel.ranges[i].start, kernel.ranges[i].last };

		memcpy((uint8_t *)info + ranges + i * sizeof(range), &range, sizeof(range));
	}
}

static int type1_map(const struct vfio_iommu_type1_dma_map *map)
{
	const uint32_t known = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE;

	if (!kernel.iommu_set || map->argsz != sizeof(*map) || map->flags & ~known) {
		kernel_error("MAP_DMA: wrong argument");
		return fails(EINVAL);
	}
	return map_memory(map->iova, map->vaddr, map->size,
			  (map->flags & VFIO_DMA_MAP_FLAG_READ ? CAIRN_DMA_READ : 0) |
				  (map->flags & VFIO_DMA_MAP_FLAG_WRITE ? CAIRN_DMA_WRITE : 0));
}

int kernel_container_ioctl(struct fake_file *file, unsigned long request, void *arg)
{
	struct vfio_iommu_type1_dma_unmap *unmap = arg;
	struct vfio_iommu_type1_info *info = arg;

	(void)file;
	switch (request) {
	case VFIO_GET_API_VERSION:
		return kernel.api_version;
	case VFIO_CHECK_EXTENSION:
		return (uintptr_t)arg == VFIO_TYPE1v2_IOMMU && !kernel.no_type1v2;
	case VFIO_SET_IOMMU:
		if (!kernel.container_set || kernel.iommu_set ||
		    (uintptr_t)arg != VFIO_TYPE1v2_IOMMU) {
			kernel_error("SET_IOMMU out of order");
			return fails(EINVAL);
		}
		kernel.iommu_set = true;
		return 0;
	case VFIO_IOMMU_GET_INFO:
		if (!kernel.iommu_set || info->argsz < sizeof(*info)) {
			kernel_error("GET_INFO: wrong argument");
			return fails(EINVAL);
		}
		type1_info(info);
		return 0;
	case VFIO_IOMMU_MAP_DMA:
		return type1_map(arg);
	case VFIO_IOMMU_UNMAP_DMA:
		if (unmap->argsz != sizeof(*unmap) || unmap->flags)
			kernel_error("UNMAP_DMA: wrong argument");
		unmap->size = unmap_memory(unmap->iova, unmap->size);
		return 0;
	default:
		kernel_error("container: ioctl 0x%lx", request);
		return fails(ENOTTY);
	}
}

/* ---------------------------------------------------------------- group */

int kernel_group_ioctl(struct fake_file *file, unsigned long request, void *arg)
{
	struct vfio_group_status *status = arg;
	struct fake_file *container;

	(void)file;
	switch (request) {
	case VFIO_GROUP_GET_STATUS:
		if (status->argsz != sizeof(*status))
			kernel_error("GET_STATUS: wrong argument");
		status->flags = kernel.not_viable ? 0 : VFIO_GROUP_FLAGS_VIABLE;
		return 0;
	case VFIO_GROUP_SET_CONTAINER:
		container = kernel_file(*(int *)arg);
		if (!container || container->kind != FILE_CONTAINER || kernel.container_set) {
			kernel_error("SET_CONTAINER: no container");
			return fails(EINVAL);
		}
		kernel.container_set = true;
		return 0;
	case VFIO_GROUP_GET_DEVICE_FD:
		if (!kernel.iommu_set || strcmp(arg, FAKE_BDF)) {
			kernel_error("GET_DEVICE_FD of %s out of order", (const char *)arg);
			return fails(ENODEV);
		}
		if (kernel.busy_opens) {
			kernel.busy_opens--;
			return fails(EAGAIN);
		}
		return kernel_add_file(FILE_DEVICE, "");
	default:
		kernel_error("group: ioctl 0x%lx", request);
		return fails(ENOTTY);
	}
}

/* ---------------------------------------------------------------- iommufd */

static int iova_ranges(struct iommu_ioas_iova_ranges *ask)
{
	struct iommu_iova_range *to = (void *)(uintptr_t)ask->allowed_iovas;
	uint32_t room = ask->num_iovas;

	if (ask->size != sizeof(*ask) || ask->ioas_id != FAKE_IOAS || ask->__reserved) {
		kernel_error("IOVA_RANGES: wrong argument");
		return fails(EINVAL);
	}
	ask->num_iovas = kernel.n_ranges;
	ask->out_iova_alignment = kernel.page_sizes & -kernel.page_sizes;
	for (uint32_t i = 0; i < kernel.n_ranges && i < room; i++)
		to[i] = kernel.ranges[i];
	return kernel.n_ranges > room ? fails(EMSGSIZE) : 0;
}

static int ioas_map(const struct iommu_ioas_map *map)
{
	const uint32_t known = IOMMU_IOAS_MAP_FIXED_IOVA | IOMMU_IOAS_MAP_WRITEABLE |
			       IOMMU_IOAS_MAP_READABLE;

	if (map->size != sizeof(*map) || map->flags & ~known || map->__reserved ||
	    !(map->flags & IOMMU_IOAS_MAP_FIXED_IOVA) || map->ioas_id != FAKE_IOAS) {
		kernel_error("IOAS_MAP: wrong argument");
		return fails(EINVAL);
	}
	return map_memory(map->iova, map->user_va, map->length,
			  (map->flags & IOMMU_IOAS_MAP_READABLE ? CAIRN_DMA_READ : 0) |
				  (map->flags & IOMMU_IOAS_MAP_WRITEABLE ? CAIRN_DMA_WRITE : 0));
}

int kernel_iommufd_ioctl(struct fake_file *file, unsigned long request, void *arg)
{
	struct iommu_ioas_unmap *unmap = arg;
	struct iommu_ioas_alloc *alloc = arg;

	(void)file;
	switch (request) {
	case IOMMU_IOAS_ALLOC:
		if (alloc->size != sizeof(*alloc) || alloc->flags || kernel.ioas)
			kernel_error("IOAS_ALLOC: wrong argument");
		kernel.ioas = true;
		alloc->out_ioas_id = FAKE_IOAS;
		return 0;
	case IOMMU_IOAS_IOVA_RANGES:
		return iova_ranges(arg);
	case IOMMU_IOAS_MAP:
		return ioas_map(arg);
	case IOMMU_IOAS_UNMAP:
		if (unmap->size != sizeof(*unmap) || unmap->ioas_id != FAKE_IOAS)
			kernel_error("IOAS_UNMAP: wrong argument");
		unmap->length = unmap_memory(unmap->iova, unmap->length);
		return unmap->length ? 0 : fails(ENOENT);
	default:
		kernel_error("iommufd: ioctl 0x%lx", request);
		return fails(ENOTTY);
	}
}
