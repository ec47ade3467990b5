/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PCI function bound to vfio-pci, opened (vfio_dev.c) and its address space (vfio_iommu.c).
 *
 * Two ways in.  Where the kernel has them and lets us: the function's own character device and
 * iommufd (Linux 6.6).  Else the group of the function in a container with a TYPE1v2 IOMMU.
 */
#ifndef CAIRN_VFIO_DEV_H
#define CAIRN_VFIO_DEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus.h"
#include "priv.h"
#include "vfio_abi.h"
#include "vfio_sys.h"

#define VFIO_AREAS 8
#define VFIO_DB_BYTES (CAIRN_DB_PAGES * CAIRN_DB_PAGE_BYTES) /* doorbells, in BAR2 */

/* A part of a BAR that can be mapped. */
struct vfio_area {
	uint64_t offset, size;
	volatile uint8_t *map;
};

struct vfio_region {
	uint64_t size;
	uint64_t offset; /* in the device's file */
	struct vfio_area areas[VFIO_AREAS];
	unsigned int n_areas; /* mapped ones */
};

struct vfio_dev {
	char bdf[CAIRN_BDF_BYTES];
	char iommu_group[VFIO_NAME]; /* its number */
	int fd;			     /* the device */
	int group;		     /* or -1: by iommufd */
	int iommu;		     /* container or iommufd */
	uint32_t ioas;		     /* address space in iommufd */
	uint32_t irqs;		     /* MSI-X vectors */
	bool has_err_irq;	     /* the kernel tells PCIe errors, ... */
	bool has_req_irq;	     /* ... and that it wants the function back */
	uint64_t iova_min, iova_max;
	atomic_uint_fast64_t mapped; /* bytes */
	struct vfio_region config, bar0, bar2;
};

/* Find, open and check a Cairn NIC; a message on failure.  bdf in full. */
int cairn_vfio_dev_open(struct vfio_dev *dev, const char *bdf);
/* Unmaps the BARs; the kernel drops what is still mapped for DMA, and resets the function. */
void cairn_vfio_dev_close(struct vfio_dev *dev);
/* The BARs' place in this process becomes plain memory of its own: stores go nowhere. */
void cairn_vfio_dev_drop_bars(struct vfio_dev *dev);
/* Close all descriptors, in the child of a fork. */
void cairn_vfio_dev_drop_files(struct vfio_dev *dev);

/* Where [offset, offset + len) of the BAR is mapped, or NULL. */
volatile uint8_t *cairn_vfio_mapped(const struct vfio_region *region, uint32_t offset,
				    uint32_t len);

/* ---- vfio_iommu.c ---- */

/* Make the address space: iommufd, or TYPE1v2 in the container that the group is in. */
int cairn_vfio_ioas_alloc(struct vfio_dev *dev);
int cairn_vfio_set_type1(struct vfio_dev *dev);
/* The message, of which or_else is the first half of the reason ("" or "..., or "); -EPERM. */
int cairn_vfio_no_remapping(const struct vfio_dev *dev, const char *module, const char *or_else);
/* The largest range of usable IOVAs, to iova_min and iova_max. */
int cairn_vfio_iova_range(struct vfio_dev *dev);

/* 0 or -errno without a message. */
int cairn_vfio_map(struct vfio_dev *dev, const struct cairn_dma_map *map);
int cairn_vfio_unmap(struct vfio_dev *dev, uint64_t iova, uint64_t len);
/* The kernel has dropped, or will with the descriptors, what this device had mapped. */
void cairn_vfio_unmapped_all(struct vfio_dev *dev);
/* What to do about a map of len bytes that failed with err. */
void cairn_vfio_remedy(int err, uint64_t len, char *text, size_t size);

#endif
