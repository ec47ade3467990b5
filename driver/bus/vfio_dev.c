// SPDX-License-Identifier: Apache-2.0
/*
 * Opening a function of vfio-pci by one of the two ways of vfio_dev.h, and finding out where its
 * registers are.  Each way to fail has a message that says what to do.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "vfio_dev.h"

#define CONTAINER "/dev/vfio/vfio"
#define IOMMUFD "/dev/iommu"
#define BUSY_TRIES 100 /* while the kernel has the function locked, for a reset say */
#define BUSY_PAUSE_NS 10000000

/* ---------------------------------------------------------------- regions */

volatile uint8_t *cairn_vfio_mapped(const struct vfio_region *region, uint32_t offset, uint32_t len)
{
	for (unsigned int i = 0; i < region->n_areas; i++) {
		const struct vfio_area *area = &region->areas[i];

		if (offset >= area->offset && offset - area->offset < area->size &&
		    len <= area->size - (offset - area->offset))
			return area->map + (offset - area->offset);
	}
	return NULL;
}

static int no_nic(const struct vfio_dev *dev, const char *what)
{
	return cairn_fail(-EPROTO, "%s: no Cairn NIC of this contract: %s", dev->bdf, what);
}

/* One area, up to `limit` of the BAR; what cannot be mapped is read and written by system call. */
static void map_area(struct vfio_dev *dev, struct vfio_region *region, uint64_t offset,
		     uint64_t size, uint64_t limit)
{
	struct vfio_area *area = &region->areas[region->n_areas];
	void *map;

	if (region->n_areas == VFIO_AREAS || !size || offset >= limit || offset >= region->size ||
	    size > region->size - offset)
		return;
	area->offset = offset;
	area->size = size < limit - offset ? size : limit - offset;
	map = cairn_vfio_sys->mmap(NULL, area->size, PROT_READ | PROT_WRITE, MAP_SHARED, dev->fd,
				   (off_t)(region->offset + offset));
	if (map == MAP_FAILED)
		return;
	area->map = map;
	region->n_areas++;
}

/* The parts of a BAR that the kernel lets be mapped, when not all.  Copied out: before Linux 6.6
 * capabilities lie at multiples of 4 only. */
static void map_sparse(struct vfio_dev *dev, struct vfio_region *region,
		       const struct vfio_region_info *info, const uint8_t *cap, uint64_t limit)
{
	struct vfio_region_info_cap_sparse_mmap head;
	struct vfio_region_sparse_mmap_area area;
	size_t room = info->argsz - (size_t)(cap + sizeof(head) - (const uint8_t *)info);

	memcpy(&head, cap, sizeof(head));
	for (uint32_t i = 0; i < head.nr_areas && i < room / sizeof(area); i++) {
		memcpy(&area, cap + sizeof(head) + i * sizeof(area), sizeof(area));
		map_area(dev, region, area.offset, area.size, limit);
	}
}

/* Size and place of a region; below `limit` it is mapped where the kernel allows it. */
static int find_region(struct vfio_dev *dev, uint32_t index, uint64_t limit,
		       struct vfio_region *region)
{
	const struct vfio_region_info head = { .index = index };
	struct vfio_region_info *info =
		cairn_vfio_info(dev->fd, VFIO_DEVICE_GET_REGION_INFO, &head, sizeof(head));
	const void *cap = NULL;

	if (!info)
		return cairn_fail(-errno, "%s: region %u: %s", dev->bdf, index, strerror(errno));
	region->size = info->size;
	region->offset = info->offset;
	if (info->flags & VFIO_REGION_INFO_FLAG_CAPS)
		cap = cairn_vfio_cap(info, info->cap_offset, VFIO_REGION_INFO_CAP_SPARSE_MMAP,
				     sizeof(struct vfio_region_info_cap_sparse_mmap));
	if (limit && info->flags & VFIO_REGION_INFO_FLAG_MMAP) {
		if (cap)
			map_sparse(dev, region, info, cap, limit);
		else
			map_area(dev, region, 0, region->size, limit);
	}
	free(info);
	return 0;
}

/* Vectors of an interrupt kind, 0 when there is none. */
static uint32_t count_irqs(struct vfio_dev *dev, uint32_t index)
{
	struct vfio_irq_info info = { .argsz = sizeof(info), .index = index };

	if (cairn_vfio_sys->ioctl(dev->fd, VFIO_DEVICE_GET_IRQ_INFO, &info) ||
	    !(info.flags & VFIO_IRQ_INFO_EVENTFD))
		return 0;
	return info.count;
}

/*
 * BAR0 is mapped below the MSI-X table, which is the kernel's: older kernels refuse to map that
 * page, newer ones allow it, and only they have business there.  The doorbells must be mapped: a
 * doorbell is one 64-bit store, and a write by system call may come as two halves.
 */
static int find_regions(struct vfio_dev *dev)
{
	struct vfio_device_info info = { .argsz = sizeof(info) };
	int err;

	if (cairn_vfio_sys->ioctl(dev->fd, VFIO_DEVICE_GET_INFO, &info))
		return cairn_fail(-errno, "%s: no device info: %s", dev->bdf, strerror(errno));
	if (!(info.flags & VFIO_DEVICE_FLAGS_PCI) || info.num_regions < VFIO_PCI_NUM_REGIONS)
		return no_nic(dev, "not a PCI function");
	if (!(info.flags & VFIO_DEVICE_FLAGS_RESET))
		return no_nic(dev, "the kernel knows no way to reset it; the bitstream must offer "
				   "function level reset");
	err = find_region(dev, VFIO_PCI_CONFIG_REGION_INDEX, 0, &dev->config);
	if (!err)
		err = find_region(dev, VFIO_PCI_BAR0_REGION_INDEX, CAIRN_MSIX_TABLE_OFFSET,
				  &dev->bar0);
	if (!err)
		err = find_region(dev, VFIO_PCI_BAR2_REGION_INDEX, VFIO_DB_BYTES, &dev->bar2);
	if (err)
		return err;
	if (dev->bar0.size < CAIRN_BAR0_BYTES || dev->bar2.size < VFIO_DB_BYTES)
		return no_nic(dev, "its BARs are too small");
	if (!cairn_vfio_mapped(&dev->bar2, 0, VFIO_DB_BYTES))
		return cairn_fail(-EOPNOTSUPP,
				  "%s: the kernel does not let the doorbells (BAR2) be mapped; is "
				  "something else using them? See /proc/iomem",
				  dev->bdf);
	dev->irqs = count_irqs(dev, VFIO_PCI_MSIX_IRQ_INDEX);
	if (dev->irqs < CAIRN_MSIX_VECTORS)
		return no_nic(dev, "too few MSI-X vectors");
	dev->has_err_irq = count_irqs(dev, VFIO_PCI_ERR_IRQ_INDEX);
	dev->has_req_irq = count_irqs(dev, VFIO_PCI_REQ_IRQ_INDEX);
	return 0;
}

static void each_area(struct vfio_dev *dev, void (*fn)(struct vfio_area *area))
{
	for (unsigned int i = 0; i < dev->bar0.n_areas; i++)
		fn(&dev->bar0.areas[i]);
	for (unsigned int i = 0; i < dev->bar2.n_areas; i++)
		fn(&dev->bar2.areas[i]);
}

static void unmap_area(struct vfio_area *area)
{
	cairn_vfio_sys->munmap((void *)area->map, area->size);
}

/* In one step: a store meanwhile meets the one or the other. */
static void replace_area(struct vfio_area *area)
{
	cairn_vfio_sys->mmap((void *)area->map, area->size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

void cairn_vfio_dev_drop_bars(struct vfio_dev *dev)
{
	each_area(dev, replace_area);
}

/* ---------------------------------------------------------------- what both ways say */

static int one_owner(const struct vfio_dev *dev)
{
	return cairn_fail(-EBUSY,
			  "%s: another program has it open, or another function of its IOMMU group "
			  "(%s); a group has one owner",
			  dev->bdf, dev->iommu_group);
}

static int not_viable(const struct vfio_dev *dev, const char *others)
{
	return cairn_fail(-EPERM,
			  "%s: IOMMU group %s is not viable: %s; unbind the other functions of the "
			  "group, or put the NIC into another slot",
			  dev->bdf, dev->iommu_group, others);
}

/* Does err pass by itself?  Waits a little if so, *tries times in all. */
static bool passes(int err, int *tries)
{
	const struct timespec pause = { .tv_nsec = BUSY_PAUSE_NS };

	if (err != EAGAIN || ++*tries >= BUSY_TRIES)
		return false;
	nanosleep(&pause, NULL);
	return true;
}

/* ---------------------------------------------------------------- the group's way */

static int no_right(const struct vfio_dev *dev, const char *path)
{
	return cairn_fail(-EACCES,
			  "%s: no right to open %s: `chown $USER %s` as root, or a udev rule",
			  dev->bdf, path, path);
}

static int no_group_node(const struct vfio_dev *dev, const char *path, int err)
{
	char noiommu[VFIO_PATH];

	snprintf(noiommu, sizeof(noiommu), "/dev/vfio/noiommu-%s", dev->iommu_group);
	if (err == EBUSY)
		return one_owner(dev);
	if (err == EACCES || err == EPERM)
		return no_right(dev, path);
	if (err == ENOENT && !cairn_vfio_sys->access(noiommu, F_OK))
		return cairn_fail(-ENODEV,
				  "%s: vfio-pci holds it without an IOMMU, which this driver does "
				  "not use; switch the IOMMU on in firmware setup and kernel",
				  dev->bdf);
	return cairn_fail(-err, "%s: %s: %s; is module vfio loaded?", dev->bdf, path,
			  strerror(err));
}

/* Every function of the group must be without a driver or with vfio-pci. */
static int check_viable(const struct vfio_dev *dev)
{
	struct vfio_group_status status = { .argsz = sizeof(status) };
	char others[256];

	if (cairn_vfio_sys->ioctl(dev->group, VFIO_GROUP_GET_STATUS, &status))
		return cairn_fail(-errno, "%s: no status of IOMMU group %s: %s", dev->bdf,
				  dev->iommu_group, strerror(errno));
	if (status.flags & VFIO_GROUP_FLAGS_VIABLE)
		return 0;
	return not_viable(dev, cairn_vfio_others(dev->bdf, others, sizeof(others))
				       ? others
				       : "others use its functions");
}

static int check_container(const struct vfio_dev *dev)
{
	int version = cairn_vfio_sys->ioctl(dev->iommu, VFIO_GET_API_VERSION, NULL);

	if (version != VFIO_API_VERSION)
		return cairn_fail(-EPROTO, "%s: VFIO API version %d, %d is needed", CONTAINER,
				  version, VFIO_API_VERSION);
	if (cairn_vfio_sys->ioctl(dev->iommu, VFIO_CHECK_EXTENSION,
				  (void *)(uintptr_t)VFIO_TYPE1v2_IOMMU) <= 0)
		return cairn_fail(-EOPNOTSUPP,
				  "%s: no TYPE1v2 IOMMU: `modprobe vfio_iommu_type1` as root",
				  CONTAINER);
	return 0;
}

static int open_container(struct vfio_dev *dev)
{
	dev->iommu = cairn_vfio_sys->open(CONTAINER, O_RDWR | O_CLOEXEC);
	if (dev->iommu < 0)
		return cairn_fail(-errno, "%s: %s: %s; %s", dev->bdf, CONTAINER, strerror(errno),
				  errno == EACCES ? "it should be open to all (mode 0666)"
						  : "`modprobe vfio` as root");
	return check_container(dev);
}

static int open_by_group(struct vfio_dev *dev)
{
	char path[VFIO_PATH];
	int tries = 0, err = open_container(dev);

	if (err)
		return err;
	snprintf(path, sizeof(path), "/dev/vfio/%s", dev->iommu_group);
	dev->group = cairn_vfio_sys->open(path, O_RDWR | O_CLOEXEC);
	if (dev->group < 0)
		return no_group_node(dev, path, errno);
	err = check_viable(dev);
	if (err)
		return err;
	if (cairn_vfio_sys->ioctl(dev->group, VFIO_GROUP_SET_CONTAINER, &dev->iommu))
		return errno == EBUSY
			       ? one_owner(dev)
			       : cairn_fail(-errno, "%s: IOMMU group %s gets no container: %s",
					    dev->bdf, dev->iommu_group, strerror(errno));
	err = cairn_vfio_set_type1(dev);
	if (err)
		return err;
	do
		dev->fd = cairn_vfio_sys->ioctl(dev->group, VFIO_GROUP_GET_DEVICE_FD, dev->bdf);
	while (dev->fd < 0 && passes(errno, &tries));
	if (dev->fd < 0)
		return cairn_fail(-errno, "%s: vfio-pci does not give it: %s; see the kernel's log",
				  dev->bdf, strerror(errno));
	return 0;
}

/* ---------------------------------------------------------------- the device's own way */

static void cdev_path(const struct vfio_dev *dev, char path[VFIO_PATH])
{
	char name[VFIO_NAME];

	path[0] = 0;
	if (cairn_vfio_entry(dev->bdf, "vfio-dev", "vfio", name))
		snprintf(path, VFIO_PATH, "/dev/vfio/devices/%s", name);
}

static bool may_use(const char *path)
{
	return !cairn_vfio_sys->access(path, R_OK | W_OK);
}

/* Rights are often given for one of the two ways only.  A kernel may also be without groups. */
static bool has_cdev(const struct vfio_dev *dev, const char *path)
{
	char node[VFIO_PATH];

	if (!*path || cairn_vfio_sys->access(path, F_OK) || cairn_vfio_sys->access(IOMMUFD, F_OK))
		return false;
	if (may_use(path) && may_use(IOMMUFD))
		return true;
	snprintf(node, sizeof(node), "/dev/vfio/%s", dev->iommu_group);
	return cairn_vfio_sys->access(node, F_OK);
}

static int open_node(const struct vfio_dev *dev, const char *path, int *fd)
{
	*fd = cairn_vfio_sys->open(path, O_RDWR | O_CLOEXEC);
	if (*fd >= 0)
		return 0;
	if (errno == EACCES || errno == EPERM)
		return no_right(dev, path);
	return cairn_fail(-errno, "%s: %s: %s", dev->bdf, path, strerror(errno));
}

/*
 * The kernel says EBUSY when the group is open, EINVAL when another one has the device bound (or
 * the IOMMU is not cache coherent, which this driver cannot use either), EPERM when a driver or
 * another iommufd has a function of the group, and when interrupts are not remapped.
 */
static int bind_failed(const struct vfio_dev *dev, int err)
{
	char others[256];

	if ((err == EPERM || err == EBUSY) && cairn_vfio_others(dev->bdf, others, sizeof(others)))
		return not_viable(dev, others);
	if (err == EPERM)
		return cairn_vfio_no_remapping(
			dev, "iommufd", "another function of its IOMMU group is in use, or ");
	if (err == EBUSY || err == EINVAL)
		return one_owner(dev);
	return cairn_fail(-err, "%s: cannot be bound to " IOMMUFD ": %s", dev->bdf, strerror(err));
}

static int open_by_cdev(struct vfio_dev *dev, const char *path)
{
	struct vfio_device_bind_iommufd bind = { .argsz = sizeof(bind) };
	int tries = 0, err = open_node(dev, path, &dev->fd);

	if (!err)
		err = open_node(dev, IOMMUFD, &dev->iommu);
	if (err)
		return err;
	bind.iommufd = dev->iommu;
	while (cairn_vfio_sys->ioctl(dev->fd, VFIO_DEVICE_BIND_IOMMUFD, &bind))
		if (!passes(errno, &tries))
			return bind_failed(dev, errno);
	return cairn_vfio_ioas_alloc(dev);
}

/* ---------------------------------------------------------------- open and close */

/* A Cairn NIC in the hands of vfio-pci, with an IOMMU. */
static int check_binding(struct vfio_dev *dev)
{
	const char *bdf = dev->bdf;
	char name[VFIO_NAME];
	int err = cairn_vfio_check_function(bdf);

	if (err)
		return err;
	if (!cairn_vfio_link(bdf, "driver", name))
		return cairn_fail(-ENODEV, "%s is bound to no driver: run `cairn bind %s` as root",
				  bdf, bdf);
	if (strcmp(name, CAIRN_VFIO_DRIVER))
		return cairn_fail(-ENODEV,
				  "%s is bound to %s, not to " CAIRN_VFIO_DRIVER
				  ": run `cairn bind %s` as "
				  "root",
				  bdf, name, bdf);
	return cairn_vfio_iommu_group(bdf, dev->iommu_group);
}

int cairn_vfio_dev_open(struct vfio_dev *dev, const char *bdf)
{
	char path[VFIO_PATH];
	int err;

	memset(dev, 0, sizeof(*dev));
	dev->fd = dev->group = dev->iommu = -1;
	snprintf(dev->bdf, sizeof(dev->bdf), "%s", bdf);
	err = check_binding(dev);
	if (err)
		return err;
	cdev_path(dev, path);
	err = has_cdev(dev, path) ? open_by_cdev(dev, path) : open_by_group(dev);
	if (!err)
		err = cairn_vfio_iova_range(dev);
	if (!err)
		err = find_regions(dev);
	if (err)
		cairn_vfio_dev_close(dev);
	return err;
}

void cairn_vfio_dev_drop_files(struct vfio_dev *dev)
{
	int *const fds[] = { &dev->fd, &dev->group, &dev->iommu };

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++) {
		if (*fds[i] >= 0)
			cairn_vfio_sys->close(*fds[i]);
		*fds[i] = -1;
	}
}

void cairn_vfio_dev_close(struct vfio_dev *dev)
{
	each_area(dev, unmap_area);
	cairn_vfio_dev_drop_files(dev);
	cairn_vfio_unmapped_all(dev);
}
