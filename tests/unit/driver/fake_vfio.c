// SPDX-License-Identifier: Apache-2.0
/* The fake kernel's vfio-pci device: what it says about itself, interrupts, reset, registers. */
#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>

#include "fake_kernel.h"
#include "mmio.h"

static int fails(int err)
{
	errno = err;
	return -1;
}

/* ---------------------------------------------------------------- device: information */

uint64_t kernel_region_bytes(uint32_t index)
{
	switch (index) {
	case VFIO_PCI_BAR0_REGION_INDEX:
		return CAIRN_BAR0_BYTES;
	case VFIO_PCI_BAR2_REGION_INDEX:
		return kernel.bar2_bytes;
	case VFIO_PCI_CONFIG_REGION_INDEX:
		return 4096;
	default:
		return 0;
	}
}

/* BAR0's MSI-X table is left out of its two areas;
 * before them stands a capability not to be known. */
static int region_info(struct vfio_region_info *info)
{
	struct {
		struct vfio_info_cap_header other;
		struct vfio_region_info_cap_sparse_mmap sparse;
		struct vfio_region_sparse_mmap_area areas[2];
	} caps = {
		.other = { 99, 1, sizeof(*info) + sizeof(caps.other) },
		.sparse = { .header = { VFIO_REGION_INFO_CAP_SPARSE_MMAP, 1, 0 }, .nr_areas = 2 },
		.areas = { { 0, CAIRN_MSIX_TABLE_OFFSET }, { 0xb000, 0x5000 } },
	};
	uint32_t index = info->index, argsz = info->argsz;
	bool sparse = index == VFIO_PCI_BAR0_REGION_INDEX && kernel.bar0 == MMAP_SPARSE;

	if (argsz < sizeof(*info) || index >= VFIO_PCI_NUM_REGIONS) {
		kernel_error("GET_REGION_INFO: wrong argument");
		return fails(EINVAL);
	}
	*info = (struct vfio_region_info){
		.argsz = argsz,
		.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE,
		.index = index,
		.size = kernel_region_bytes(index),
		.offset = (uint64_t)index << FAKE_REGION_SHIFT,
	};
	if (index == VFIO_PCI_BAR0_REGION_INDEX ? kernel.bar0 != MMAP_NONE
						: index < 6 && !kernel.bar2_no_mmap)
		info->flags |= VFIO_REGION_INFO_FLAG_MMAP;
	if (!sparse)
		return 0;
	info->flags |= VFIO_REGION_INFO_FLAG_CAPS;
	if (argsz < sizeof(*info) + sizeof(caps)) {
		info->argsz = sizeof(*info) + sizeof(caps);
		return 0;
	}
	info->cap_offset = sizeof(*info);
	memcpy(info + 1, &caps, sizeof(caps));
	return 0;
}

static int irq_info(struct vfio_irq_info *info)
{
	bool signal = info->index == VFIO_PCI_ERR_IRQ_INDEX ||
		      info->index == VFIO_PCI_REQ_IRQ_INDEX;

	if (info->argsz != sizeof(*info) || info->index >= VFIO_PCI_NUM_IRQS)
		kernel_error("GET_IRQ_INFO: wrong argument");
	info->flags = VFIO_IRQ_INFO_EVENTFD;
	if (signal && kernel.no_signals)
		return fails(EINVAL);
	info->count = info->index == VFIO_PCI_MSIX_IRQ_INDEX ? kernel.vectors : signal;
	return 0;
}

/* ---------------------------------------------------------------- device: interrupts, reset */

static int set_msix(const struct vfio_irq_set *set, const int *fds)
{
	if (!set->count) {
		if (!(set->flags & VFIO_IRQ_SET_DATA_NONE) || !kernel.n_msix)
			kernel_error("SET_IRQS: MSI-X off, which is not on");
		kernel.n_msix = 0;
	} else if (kernel.n_msix) {
		kernel_error("SET_IRQS: %u vectors while %u are on", set->count, kernel.n_msix);
		return fails(EINVAL);
	} else if (set->count > kernel.free_vectors) {
		return (int)kernel.free_vectors;
	} else {
		memcpy(kernel.msix, fds, set->count * sizeof(*fds));
		kernel.n_msix = set->count;
	}
	if (kernel.run_nic)
		fake_bus_ops.set_irqs(&fakes[1].bus, kernel.msix, kernel.n_msix);
	return 0;
}

static int set_irqs(const struct vfio_irq_set *set)
{
	const int *fds = (const int *)(const void *)set->data;
	bool none = set->flags & VFIO_IRQ_SET_DATA_NONE;

	if (set->flags != (VFIO_IRQ_SET_ACTION_TRIGGER |
			   (none ? VFIO_IRQ_SET_DATA_NONE : VFIO_IRQ_SET_DATA_EVENTFD)) ||
	    set->argsz != sizeof(*set) + (none ? 0 : set->count * sizeof(*fds)) || set->start ||
	    !set->count != none || set->count > kernel.vectors) {
		kernel_error("SET_IRQS: wrong argument");
		return fails(EINVAL);
	}
	if (set->index == VFIO_PCI_MSIX_IRQ_INDEX)
		return set_msix(set, fds);
	if (set->index == VFIO_PCI_ERR_IRQ_INDEX && set->count == 1)
		kernel.err_fd = fds[0];
	else if (set->index == VFIO_PCI_REQ_IRQ_INDEX && set->count == 1)
		kernel.req_fd = fds[0];
	else
		kernel_error("SET_IRQS of kind %u", set->index);
	return 0;
}

void kernel_interrupt(unsigned int vector)
{
	if (vector < kernel.n_msix)
		eventfd_write(kernel.msix[vector], 1);
}

/* The configuration space is restored, the registers are not. */
static int reset(void)
{
	if (kernel.dead_io)
		return fails(EIO);
	if (kernel.busy_resets) {
		kernel.busy_resets--;
		return fails(EAGAIN);
	}
	kernel.resets++;
	if (kernel.run_nic)
		fake_bus_ops.reset(&fakes[1].bus);
	else
		memset(kernel.bar[0], kernel.dead ? 0xff : 0, CAIRN_BAR0_BYTES);
	return 0;
}

/* ---------------------------------------------------------------- device: ioctls */

static int bind_iommufd(struct fake_file *file, const struct vfio_device_bind_iommufd *bind)
{
	struct fake_file *iommufd = kernel_file(bind->iommufd);

	if (kernel.busy_opens) {
		kernel.busy_opens--;
		return fails(EAGAIN);
	}
	if (bind->argsz != sizeof(*bind) || bind->flags || !iommufd ||
	    iommufd->kind != FILE_IOMMUFD || file->bound)
		kernel_error("BIND_IOMMUFD: wrong argument");
	for (unsigned int i = 0; i < FAKE_FILES; i++)
		if (kernel.files[i].kind == FILE_DEVICE && kernel.files[i].bound)
			return fails(EINVAL);
	file->bound = true;
	return 0;
}

int kernel_device_ioctl(struct fake_file *file, unsigned long request, void *arg)
{
	struct vfio_device_attach_iommufd_pt *attach = arg;
	struct vfio_device_info *info = arg;

	switch (request) {
	case VFIO_DEVICE_BIND_IOMMUFD:
		return bind_iommufd(file, arg);
	case VFIO_DEVICE_ATTACH_IOMMUFD_PT:
		if (attach->argsz != sizeof(*attach) || attach->flags ||
		    attach->pt_id != FAKE_IOAS || !file->bound)
			kernel_error("ATTACH_IOMMUFD_PT: wrong argument");
		file->attached = true;
		return 0;
	default:
		break;
	}
	if (!kernel.iommu_set && !file->attached) {
		kernel_error("device ioctl 0x%lx before it has an IOMMU", request);
		return fails(EINVAL);
	}
	switch (request) {
	case VFIO_DEVICE_GET_INFO:
		if (info->argsz != sizeof(*info))
			kernel_error("GET_INFO: wrong argument");
		info->flags = VFIO_DEVICE_FLAGS_PCI |
			      (kernel.no_reset ? 0 : VFIO_DEVICE_FLAGS_RESET);
		info->num_regions = VFIO_PCI_NUM_REGIONS;
		info->num_irqs = VFIO_PCI_NUM_IRQS;
		return 0;
	case VFIO_DEVICE_GET_REGION_INFO:
		return region_info(arg);
	case VFIO_DEVICE_GET_IRQ_INFO:
		return irq_info(arg);
	case VFIO_DEVICE_SET_IRQS:
		return set_irqs(arg);
	case VFIO_DEVICE_RESET:
		return reset();
	default:
		kernel_error("device: ioctl 0x%lx", request);
		return fails(ENOTTY);
	}
}

/* ---------------------------------------------------------------- device: regions */

/* One access of len bytes, which is a width that the bus has; false: EIO. */
static bool access_region(uint32_t index, uint32_t at, void *data, uint32_t len, bool write)
{
	struct cairn_bus *nic = &fakes[1].bus;
	uint8_t *memory = index == VFIO_PCI_CONFIG_REGION_INDEX ? kernel.config : kernel.bar[0];
	uint64_t value = 0;

	if (index != VFIO_PCI_CONFIG_REGION_INDEX && !(kernel.config[4] & 2))
		return false; /* memory is not enabled */
	if (!kernel.run_nic || index == VFIO_PCI_CONFIG_REGION_INDEX) {
		memcpy(write ? memory + at : data, write ? data : memory + at, len);
		return true;
	}
	memcpy(&fakes[1].pci_command, kernel.config + PCI_COMMAND, sizeof(fakes[1].pci_command));
	if (write)
		memcpy(&value, data, len);
	if (write && len == 8)
		fake_bus_ops.write64(nic, at, value);
	else if (write)
		fake_bus_ops.write32(nic, at, (uint32_t)value);
	else if (len == 8)
		fake_bus_ops.read64(nic, at, &value);
	else
		fake_bus_ops.read32(nic, at, (uint32_t *)&value);
	if (!write)
		memcpy(data, &value, len);
	return true;
}

ssize_t kernel_device_access(off_t offset, void *data, size_t len, bool write)
{
	uint32_t index = (uint32_t)(offset >> FAKE_REGION_SHIFT);
	uint64_t at = (uint64_t)offset & ((1ull << FAKE_REGION_SHIFT) - 1);
	bool config = index == VFIO_PCI_CONFIG_REGION_INDEX;

	if (index != VFIO_PCI_BAR0_REGION_INDEX && !config)
		kernel_error("access to region %u", index);
	if ((len != 4 && !(config && (len == 1 || len == 2)) && !(!config && len == 8)) ||
	    at % len || at + len > (config ? sizeof(kernel.config) : CAIRN_BAR0_BYTES)) {
		kernel_error("access of %zu bytes at 0x%llx", len, (unsigned long long)at);
		return fails(EINVAL);
	}
	if (kernel.dead_io)
		return fails(EIO);
	if (kernel.resetting && config) {
		cairn_mmio_write32(kernel.bar[0] + CAIRN_REG_CMDQ_ENABLE, 0);
		cairn_mmio_write32(kernel.bar[0] + CAIRN_REG_STATUS, 0);
		kernel.resetting = false;
	}
	/* The ids, and the command register's bits, vfio-pci answers out of its own memory. */
	if (kernel.dead && !(config && at < 8)) {
		if (!write)
			memset(data, 0xff, len);
		return (ssize_t)len;
	}
	return access_region(index, (uint32_t)at, data, (uint32_t)len, write) ? (ssize_t)len
									      : fails(EIO);
}
