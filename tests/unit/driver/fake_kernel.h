/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel for the VFIO bus and for `cairn bind`: sysfs and /dev as a tree of files in a temporary
 * directory, vfio-pci with groups and containers, iommufd, and one PCI function.  Written from the
 * description of the kernel's interface, apart from the driver's code.  It checks all arguments and
 * keeps count of descriptors, mappings of BARs and maps for DMA: what is wrong or left over is an
 * error of the driver.
 *
 * The function's registers are memory (bar0, bar2), or with run_nic those of the software device
 * fakes[1]: BAR0 then has to be reached by system call, and a thread plays the device.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include "fake_bus.h"
#include "vfio_abi.h"
#include "vfio_sys.h"

#define FAKE_BDF "0000:01:00.0"
#define FAKE_SIBLING "0000:01:00.1" /* in the same group */
#define FAKE_GROUP "26"
#define FAKE_CDEV "vfio3"
#define FAKE_IOAS 7u	     /* number of the one address space */
#define FAKE_REGION_SHIFT 40 /* of the offset in the device's file */
#define FAKE_FILES 32
#define FAKE_DMA_MAPS 64
#define FAKE_BAR_MAPS 8
#define FAKE_RANGES 12

enum fake_kind {
	FILE_FREE,
	FILE_SYSFS,
	FILE_CONTAINER,
	FILE_GROUP,
	FILE_IOMMUFD,
	FILE_DEVICE,
};

struct fake_file {
	enum fake_kind kind;
	int fd;
	char path[256]; /* FILE_SYSFS: in the temporary directory */
	bool bound;	/* FILE_DEVICE */
	bool attached;
};

enum fake_mmap { MMAP_WHOLE, MMAP_SPARSE, MMAP_REFUSED, MMAP_NONE };

struct fake_kernel {
	/* Knobs. */
	enum fake_mmap bar0;
	bool bar2_no_mmap;
	uint64_t bar2_bytes;
	unsigned long fail_request; /* an ioctl that fails with fail_errno */
	int fail_errno;
	unsigned int fail_after;   /* ... the one after so many of them */
	bool (*fails)(void);	   /* asked at each call but close and munmap; true: fail_errno */
	const char *denied[2];	   /* paths without right */
	const char *fail_open;	   /* path that fails with fail_errno */
	bool dead;		   /* nobody answers on the bus: all ones */
	bool dead_io;		   /* the kernel knows: EIO */
	bool resetting;		   /* somebody resets it: a read of configuration waits for that */
	unsigned int busy_resets;  /* that many end with EAGAIN, ... */
	unsigned int busy_opens;   /* ... and of the device's openings and binds */
	bool old;		   /* Linux 6.1 */
	bool no_reset, no_signals; /* of the kernel: FLR, err and req interrupts */
	uint32_t vectors;
	uint32_t free_vectors; /* of the machine's interrupts; more are refused with this number */
	uint64_t memlock;      /* bytes that may be pinned */
	uint64_t page_sizes;
	struct iommu_iova_range ranges[FAKE_RANGES];
	unsigned int n_ranges;
	bool no_ranges;	 /* an old kernel: no such capability */
	bool not_viable; /* whatever the siblings' drivers are */
	bool no_type1v2; /* no TYPE1v2 */
	int api_version;
	const char *native; /* driver that has the NIC's id; NULL: none */
	int bind_errno;	    /* of a bind to vfio-pci */
	int unbind_errno;

	/* Seen. */
	unsigned int errors, resets, group_opens, cdev_opens, ioctls;

	/* Own. */
	bool run_nic;
	pid_t pid;
	char root[64];
	struct fake_file files[FAKE_FILES];
	struct fake_map maps[FAKE_DMA_MAPS];
	unsigned int n_maps;
	uint64_t pinned;
	struct {
		uint8_t *va;
		size_t len;
	} bar_maps[FAKE_BAR_MAPS];
	unsigned int n_bar_maps;
	bool container_set, iommu_set, ioas;
	int bar_fd[3];
	uint8_t *bar[3]; /* 0 and 2 */
	uint8_t config[256];
	int msix[CAIRN_MSIX_VECTORS];
	unsigned int n_msix;
	int err_fd, req_fd;
	pthread_mutex_t lock;
	pthread_t thread;
	atomic_bool stop;
};

extern struct fake_kernel kernel;

/* A machine with a Cairn NIC bound to vfio-pci; cdev: the kernel has that way, too. */
void kernel_start(bool cdev);
/* The errors of the driver, what is left open or mapped included. */
unsigned int kernel_stop(void);
/* Let fakes[1] be the NIC. */
void kernel_run_nic(void);

void kernel_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Open a file of that kind; its descriptor. */
int kernel_add_file(enum fake_kind kind, const char *path);
struct fake_file *kernel_file(int fd);
/* An interrupt of MSI-X. */
void kernel_interrupt(unsigned int vector);
/* Maps that the driver has now. */
struct fake_map *kernel_find_map(uint64_t iova);

/* ---- fake_vfio.c: the device ---- */
uint64_t kernel_region_bytes(uint32_t index);
int kernel_device_ioctl(struct fake_file *file, unsigned long request, void *arg);
ssize_t kernel_device_access(off_t offset, void *data, size_t len, bool write);

/* ---- fake_iommu.c: ioctls, by kind of file ---- */
int kernel_container_ioctl(struct fake_file *file, unsigned long request, void *arg);
int kernel_group_ioctl(struct fake_file *file, unsigned long request, void *arg);
int kernel_iommufd_ioctl(struct fake_file *file, unsigned long request, void *arg);
void kernel_iommu_closed(void);

/* ---- fake_sysfs.c ---- */
void kernel_tree_create(bool cdev);
void kernel_tree_remove(void);
/* "/sys/..." or "/dev/..." in the temporary directory. */
void kernel_path(const char *path, char *real, size_t size);
/* A function of the machine, bound to `driver` (NULL: none), in group FAKE_GROUP (or none). */
void kernel_add_function(const char *bdf, unsigned int vendor, unsigned int device,
			 const char *driver, bool grouped);
void kernel_set_driver(const char *bdf, const char *driver);
/* What a write to a file of sysfs does: 0 or an errno. */
int kernel_sysfs_write(const char *path, const char *text);
bool kernel_has_driver(const char *bdf, const char *driver);

#endif
