/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vfio-user protocol, for the driver (client) and the simulator (server): message header,
 * commands, payloads.  Numbers are in host order, that is little-endian.  Payloads that the
 * protocol shares with the kernel's VFIO ioctls come from <linux/vfio.h>.
 *
 * The one header of this folder for others, and it includes none of it: what goes over the socket
 * is the bus', and the simulator is its server.  It is no layout of the device, so its place is not
 * rtl/hw.
 */
#ifndef CAIRN_VFU_PROTO_H
#define CAIRN_VFU_PROTO_H

#include <assert.h>
#include <stdint.h>

enum vfu_command {
	VFU_VERSION = 1,
	VFU_DMA_MAP = 2,
	VFU_DMA_UNMAP = 3,
	VFU_GET_INFO = 4,
	VFU_GET_REGION_INFO = 5,
	VFU_GET_REGION_IO_FDS = 6,
	VFU_GET_IRQ_INFO = 7,
	VFU_SET_IRQS = 8,
	VFU_REGION_READ = 9,
	VFU_REGION_WRITE = 10,
	VFU_DMA_READ = 11,  /* server to client */
	VFU_DMA_WRITE = 12, /* server to client */
	VFU_RESET = 13,
};

/* vfu_header.flags */
#define VFU_TYPE_MASK 0xfu
#define VFU_TYPE_COMMAND 0u
#define VFU_TYPE_REPLY 1u
#define VFU_NO_REPLY 0x10u
#define VFU_ERROR 0x20u

struct vfu_header {
	uint16_t id, cmd;
	uint32_t size; /* header included */
	uint32_t flags;
	uint32_t error; /* errno, with VFU_ERROR */
};

struct vfu_version {
	uint16_t major, minor;
	char json[]; /* NUL-terminated */
};

#define VFU_MAP_READ 1u
#define VFU_MAP_WRITE 2u
#define VFU_MAP_FILE_IO 8u /* the descriptor takes pread and pwrite, not mmap */

struct vfu_dma_map {
	uint32_t argsz, flags;
	uint64_t offset, iova, size;
};

struct vfu_dma_unmap {
	uint32_t argsz, flags;
	uint64_t iova, size;
};

struct vfu_device_info {
	uint32_t argsz, flags, regions, irqs;
};

/* struct vfio_irq_set without its array */
struct vfu_irq_set {
	uint32_t argsz, flags, index, start, count;
};

struct vfu_region_rw {
	uint64_t off;
	uint32_t region, count;
};

struct vfu_dma_rw {
	uint64_t iova, count;
};

static_assert(sizeof(struct vfu_header) == 16, "size");
static_assert(sizeof(struct vfu_version) == 4, "size");
static_assert(sizeof(struct vfu_dma_map) == 32, "size");
static_assert(sizeof(struct vfu_dma_unmap) == 24, "size");
static_assert(sizeof(struct vfu_device_info) == 16, "size");
static_assert(sizeof(struct vfu_irq_set) == 20, "size");
static_assert(sizeof(struct vfu_region_rw) == 16, "size");
static_assert(sizeof(struct vfu_dma_rw) == 16, "size");

#endif
