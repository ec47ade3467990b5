// SPDX-License-Identifier: Apache-2.0
/*
 * The device's address space in the kernel: which IOVAs may be used, mapping and unmapping, by
 * iommufd or by a TYPE1v2 container; and what memory the kernel lets us pin.
 *
 * The kernel pins what is mapped, at once, and counts it against RLIMIT_MEMLOCK unless the process
 * has CAP_IPC_LOCK: TYPE1 per process, iommufd per user.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "vfio_dev.h"

#define IOVA_LOW (16ull << 20) /* page 0 and its neighbours stay unmapped: wild addresses fault */
#define TRIES 8		       /* of asking for ranges while devices come and go */

/* Bytes that all devices of this process have mapped. */
static atomic_uint_fast64_t mapped;

static bool by_iommufd(const struct vfio_dev *dev)
{
	return dev->group < 0;
}

/* ---------------------------------------------------------------- the address space */

int cairn_vfio_no_remapping(const struct vfio_dev *dev, const char *module, const char *or_else)
{
	return cairn_fail(
		-EPERM,
		"%s: %sthe IOMMU does not remap interrupts, so the kernel refuses; switch "
		"interrupt remapping on, or (trusting the device) set "
		"/sys/module/%s/parameters/allow_unsafe_interrupts",
		dev->bdf, or_else, module);
}

int cairn_vfio_ioas_alloc(struct vfio_dev *dev)
{
	struct iommu_ioas_alloc alloc = { .size = sizeof(alloc) };
	struct vfio_device_attach_iommufd_pt attach = { .argsz = sizeof(attach) };

	if (cairn_vfio_sys->ioctl(dev->iommu, IOMMU_IOAS_ALLOC, &alloc))
		return cairn_fail(-errno, "%s: no address space: %s", dev->bdf, strerror(errno));
	dev->ioas = attach.pt_id = alloc.out_ioas_id;
	if (!cairn_vfio_sys->ioctl(dev->fd, VFIO_DEVICE_ATTACH_IOMMUFD_PT, &attach))
		return 0;
	if (errno == EPERM)
		return cairn_vfio_no_remapping(dev, "iommufd", "");
	return cairn_fail(-errno, "%s: the IOMMU does not take it: %s; see the kernel's log",
			  dev->bdf, strerror(errno));
}

int cairn_vfio_set_type1(struct vfio_dev *dev)
{
	if (!cairn_vfio_sys->ioctl(dev->iommu, VFIO_SET_IOMMU,
				   (void *)(uintptr_t)VFIO_TYPE1v2_IOMMU))
		return 0;
	if (errno == EPERM)
		return cairn_vfio_no_remapping(dev, "vfio_iommu_type1", "");
	return cairn_fail(-errno, "%s: the IOMMU does not take it: %s; see the kernel's log",
			  dev->bdf, strerror(errno));
}

/* ---------------------------------------------------------------- usable IOVAs */

/* Takes [start, last] if it is larger than what is there. */
static void larger(struct vfio_dev *dev, uint64_t start, uint64_t last)
{
	start = start < IOVA_LOW ? IOVA_LOW : start;
	if (start > last || start > UINT64_MAX - PAGE_BYTES)
		return;
	start = round_up(start, PAGE_BYTES);
	last = ((last + 1) & ~(PAGE_BYTES - 1)) - 1; /* all ones stay */
	if (last > start && last - start > dev->iova_max - dev->iova_min) {
		dev->iova_min = start;
		dev->iova_max = last;
	}
}

static int odd_pages(const struct vfio_dev *dev)
{
	return cairn_fail(-EOPNOTSUPP, "%s: the IOMMU has no pages of 4 KiB, which are needed",
			  dev->bdf);
}

/* Before Linux 6.6 capabilities lie at multiples of 4 only: they are copied out. */
static void type1_ranges(struct vfio_dev *dev, const struct vfio_iommu_type1_info *info,
			 const uint8_t *cap)
{
	struct vfio_iommu_type1_info_cap_iova_range head;
	struct vfio_iova_range range;
	size_t room = info->argsz - (size_t)(cap + sizeof(head) - (const uint8_t *)info);

	memcpy(&head, cap, sizeof(head));
	for (uint32_t i = 0; i < head.nr_iovas && i < room / sizeof(range); i++) {
		memcpy(&range, cap + sizeof(head) + i * sizeof(range), sizeof(range));
		larger(dev, range.start, range.end);
	}
}

static int type1_range(struct vfio_dev *dev)
{
	const struct vfio_iommu_type1_info head = { 0 };
	struct vfio_iommu_type1_info *info =
		cairn_vfio_info(dev->iommu, VFIO_IOMMU_GET_INFO, &head, sizeof(head));
	const void *cap = NULL;
	uint64_t sizes;

	if (!info)
		return cairn_fail(-errno, "%s: no IOMMU info: %s", dev->bdf, strerror(errno));
	sizes = info->flags & VFIO_IOMMU_INFO_PGSIZES ? info->iova_pgsizes : PAGE_BYTES;
	if (info->flags & VFIO_IOMMU_INFO_CAPS)
		cap = cairn_vfio_cap(info, info->cap_offset, VFIO_IOMMU_TYPE1_INFO_CAP_IOVA_RANGE,
				     sizeof(struct vfio_iommu_type1_info_cap_iova_range));
	if (cap)
		type1_ranges(dev, info, cap);
	else /* before Linux 5.4: above all windows for interrupts, within every IOMMU */
		larger(dev, 1ull << 32, (1ull << 39) - 1);
	free(info);
	return sizes & PAGE_BYTES ? 0 : odd_pages(dev);
}

static int iommufd_range(struct vfio_dev *dev)
{
	struct iommu_ioas_iova_ranges ask = { .size = sizeof(ask),
					      .ioas_id = dev->ioas,
					      .num_iovas = 8 };
	struct iommu_iova_range *ranges = NULL;
	int err = EMSGSIZE;

	for (int i = 0; err == EMSGSIZE && i < TRIES; i++) {
		free(ranges);
		ranges = calloc(ask.num_iovas, sizeof(*ranges));
		if (!ranges)
			return cairn_fail(-ENOMEM, "out of memory");
		ask.allowed_iovas = (uintptr_t)ranges;
		err = cairn_vfio_sys->ioctl(dev->iommu, IOMMU_IOAS_IOVA_RANGES, &ask) ? errno : 0;
	}
	for (uint32_t i = 0; !err && i < ask.num_iovas; i++)
		larger(dev, ranges[i].start, ranges[i].last);
	free(ranges);
	if (err)
		return cairn_fail(-err, "%s: no list of usable addresses: %s", dev->bdf,
				  strerror(err));
	return ask.out_iova_alignment <= PAGE_BYTES ? 0 : odd_pages(dev);
}

int cairn_vfio_iova_range(struct vfio_dev *dev)
{
	int err;

	dev->iova_min = dev->iova_max = 0;
	err = by_iommufd(dev) ? iommufd_range(dev) : type1_range(dev);
	if (!err && !dev->iova_max)
		err = cairn_fail(-ENOSPC, "%s: the IOMMU has no usable addresses above 16 MiB",
				 dev->bdf);
	return err;
}

/* ---------------------------------------------------------------- maps */

static int type1_map(struct vfio_dev *dev, const struct cairn_dma_map *map)
{
	struct vfio_iommu_type1_dma_map type1 = {
		.argsz = sizeof(type1),
		.flags = (map->perm & CAIRN_DMA_READ ? VFIO_DMA_MAP_FLAG_READ : 0) |
			 (map->perm & CAIRN_DMA_WRITE ? VFIO_DMA_MAP_FLAG_WRITE : 0),
		.vaddr = (uintptr_t)map->va,
		.iova = map->iova,
		.size = map->len,
	};

	return cairn_vfio_sys->ioctl(dev->iommu, VFIO_IOMMU_MAP_DMA, &type1) ? -errno : 0;
}

static int iommufd_map(struct vfio_dev *dev, const struct cairn_dma_map *map)
{
	struct iommu_ioas_map ioas = {
		.size = sizeof(ioas),
		.flags = IOMMU_IOAS_MAP_FIXED_IOVA |
			 (map->perm & CAIRN_DMA_READ ? IOMMU_IOAS_MAP_READABLE : 0) |
			 (map->perm & CAIRN_DMA_WRITE ? IOMMU_IOAS_MAP_WRITEABLE : 0),
		.ioas_id = dev->ioas,
		.user_va = (uintptr_t)map->va,
		.length = map->len,
		.iova = map->iova,
	};

	return cairn_vfio_sys->ioctl(dev->iommu, IOMMU_IOAS_MAP, &ioas) ? -errno : 0;
}

int cairn_vfio_map(struct vfio_dev *dev, const struct cairn_dma_map *map)
{
	int err = by_iommufd(dev) ? iommufd_map(dev, map) : type1_map(dev, map);

	if (!err) {
		atomic_fetch_add(&mapped, map->len);
		atomic_fetch_add(&dev->mapped, map->len);
	}
	return err;
}

int cairn_vfio_unmap(struct vfio_dev *dev, uint64_t iova, uint64_t len)
{
	struct vfio_iommu_type1_dma_unmap type1 = { .argsz = sizeof(type1),
						    .iova = iova,
						    .size = len };
	struct iommu_ioas_unmap ioas = {
		.size = sizeof(ioas), .ioas_id = dev->ioas, .iova = iova, .length = len
	};
	int err = by_iommufd(dev) ? cairn_vfio_sys->ioctl(dev->iommu, IOMMU_IOAS_UNMAP, &ioas)
				  : cairn_vfio_sys->ioctl(dev->iommu, VFIO_IOMMU_UNMAP_DMA, &type1);

	if (err)
		return -errno;
	atomic_fetch_sub(&mapped, len);
	atomic_fetch_sub(&dev->mapped, len);
	return (by_iommufd(dev) ? ioas.length : type1.size) == len ? 0 : -EIO;
}

void cairn_vfio_unmapped_all(struct vfio_dev *dev)
{
	atomic_fetch_sub(&mapped, atomic_exchange(&dev->mapped, 0));
}

void cairn_vfio_remedy(int err, uint64_t len, char *text, size_t size)
{
	uint64_t need = (atomic_load(&mapped) + len + 1023) / 1024;
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (err == -EFAULT)
		snprintf(text, size, "memory of a device, or of a file that cannot be pinned");
	else if (err == -ENOSPC)
		snprintf(text, size,
			 "too many regions at a time: raise "
			 "/sys/module/vfio_iommu_type1/parameters/dma_entry_limit");
	else if (err != -ENOMEM)
		snprintf(text, size, "see the kernel's log");
	else if (limit.rlim_cur == RLIM_INFINITY)
		snprintf(text, size, "there is not so much memory to be pinned");
	else if (limit.rlim_cur / 1024 >= need)
		snprintf(text, size,
			 "the locked-memory limit of %llu KiB would do, but what mlock() and other "
			 "processes of this user hold counts too: raise it (ulimit -l)",
			 (unsigned long long)limit.rlim_cur / 1024);
	else
		snprintf(
			text, size,
			"the locked-memory limit is %llu KiB, at least %llu KiB are needed: `ulimit -l %llu`, "
			"LimitMEMLOCK= of the service, or CAP_IPC_LOCK",
			(unsigned long long)limit.rlim_cur / 1024, (unsigned long long)need,
			(unsigned long long)need);
}
