/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Linux 6.2 (iommufd) and 6.6 (a VFIO device as a character device of its own) added to the
 * interface of VFIO, for headers that are older.  Names and values are the kernel's.
 */
#ifndef CAIRN_VFIO_ABI_H
#define CAIRN_VFIO_ABI_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include <linux/vfio.h>

#ifndef VFIO_DEVICE_BIND_IOMMUFD
struct vfio_device_bind_iommufd {
	__u32 argsz;
	__u32 flags;
	__s32 iommufd;
	__u32 out_devid;
};
#define VFIO_DEVICE_BIND_IOMMUFD _IO(VFIO_TYPE, VFIO_BASE + 18)
#endif

#ifndef VFIO_DEVICE_ATTACH_IOMMUFD_PT
struct vfio_device_attach_iommufd_pt {
	__u32 argsz;
	__u32 flags;
	__u32 pt_id;
};
#define VFIO_DEVICE_ATTACH_IOMMUFD_PT _IO(VFIO_TYPE, VFIO_BASE + 19)
#endif

#if __has_include(<linux/iommufd.h>)
#include <linux/iommufd.h>
#endif

#ifndef IOMMU_IOAS_ALLOC
#define IOMMUFD_TYPE (';')

struct iommu_ioas_alloc {
	__u32 size;
	__u32 flags;
	__u32 out_ioas_id;
};
#define IOMMU_IOAS_ALLOC _IO(IOMMUFD_TYPE, 0x81)

struct iommu_iova_range {
	__aligned_u64 start;
	__aligned_u64 last;
};

/* EMSGSIZE: more than num_iovas, which then says how many. */
struct iommu_ioas_iova_ranges {
	__u32 size;
	__u32 ioas_id;
	__u32 num_iovas;
	__u32 __reserved;
	__aligned_u64 allowed_iovas; /* struct iommu_iova_range * */
	__aligned_u64 out_iova_alignment;
};
#define IOMMU_IOAS_IOVA_RANGES _IO(IOMMUFD_TYPE, 0x84)

enum {
	IOMMU_IOAS_MAP_FIXED_IOVA = 1 << 0,
	IOMMU_IOAS_MAP_WRITEABLE = 1 << 1,
	IOMMU_IOAS_MAP_READABLE = 1 << 2,
};

struct iommu_ioas_map {
	__u32 size;
	__u32 flags;
	__u32 ioas_id;
	__u32 __reserved;
	__aligned_u64 user_va;
	__aligned_u64 length;
	__aligned_u64 iova;
};
#define IOMMU_IOAS_MAP _IO(IOMMUFD_TYPE, 0x85)

/* length comes back as what was unmapped. */
struct iommu_ioas_unmap {
	__u32 size;
	__u32 ioas_id;
	__aligned_u64 iova;
	__aligned_u64 length;
};
#define IOMMU_IOAS_UNMAP _IO(IOMMUFD_TYPE, 0x86)
#endif

#endif
