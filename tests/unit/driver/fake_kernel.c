// SPDX-License-Identifier: Apache-2.0
/* The fake kernel: its files and system calls, and the NIC behind them. */
#define _GNU_SOURCE
#include "fake_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "priv.h"

struct fake_kernel kernel;

void kernel_error(const char *format, ...)
{
	va_list args;

	kernel.errors++;
	fprintf(stderr, "fake kernel: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static int fails(int err)
{
	errno = err;
	return -1;
}

/* Whether this call is the one to fail; then with errno. */
static bool spoiled(void)
{
	if (!kernel.fails || !kernel.fails())
		return false;
	errno = kernel.fail_errno;
	return true;
}

/* ---------------------------------------------------------------- files */

struct fake_file *kernel_file(int fd)
{
	for (unsigned int i = 0; i < FAKE_FILES; i++)
		if (kernel.files[i].kind && kernel.files[i].fd == fd)
			return &kernel.files[i];
	return NULL;
}

int kernel_add_file(enum fake_kind kind, const char *path)
{
	for (unsigned int i = 0; i < FAKE_FILES; i++) {
		struct fake_file *file = &kernel.files[i];

		if (file->kind)
			continue;
		*file = (struct fake_file){ .kind = kind };
		snprintf(file->path, sizeof(file->path), "%s", path);
		file->fd = kind == FILE_SYSFS ? open(path, O_RDWR | O_CLOEXEC)
					      : memfd_create("kernel", MFD_CLOEXEC);
		if (file->fd < 0)
			file->kind = FILE_FREE;
		return file->fd;
	}
	return fails(EMFILE);
}

static unsigned int count(enum fake_kind kind)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < FAKE_FILES; i++)
		n += kernel.files[i].kind == kind;
	return n;
}

static bool denied(const char *path)
{
	for (size_t i = 0; i < sizeof(kernel.denied) / sizeof(*kernel.denied); i++)
		if (kernel.denied[i] && !strcmp(kernel.denied[i], path))
			return true;
	return false;
}

static enum fake_kind kind_of(const char *path)
{
	if (!strncmp(path, "/sys/", 5))
		return FILE_SYSFS;
	if (!strcmp(path, "/dev/vfio/vfio"))
		return FILE_CONTAINER;
	if (!strcmp(path, "/dev/iommu"))
		return FILE_IOMMUFD;
	return strncmp(path, "/dev/vfio/devices/", 18) ? FILE_GROUP : FILE_DEVICE;
}

static int kernel_open(const char *path, int flags)
{
	enum fake_kind kind = kind_of(path);
	char real[512];

	kernel_path(path, real, sizeof(real));
	if (!(flags & O_CLOEXEC))
		kernel_error("open of %s that survives exec", path);
	if (access(real, F_OK) || spoiled())
		return -1;
	if (denied(path))
		return fails(EACCES);
	if (kernel.fail_open && !strcmp(kernel.fail_open, path))
		return fails(kernel.fail_errno);
	if (kind == FILE_GROUP) {
		if (count(FILE_GROUP))
			return fails(EBUSY);
		kernel.group_opens++;
	}
	kernel.cdev_opens += kind == FILE_DEVICE;
	return kernel_add_file(kind, real);
}

static int kernel_close(int fd)
{
	struct fake_file *file = kernel_file(fd);

	if (!file) {
		kernel_error("close of %d, which is not open", fd);
		return fails(EBADF);
	}
	if (getpid() != kernel.pid) { /* a child lets go */
		file->kind = FILE_FREE;
		return close(fd);
	}
	if (file->kind == FILE_DEVICE && kernel.n_msix)
		kernel_error("MSI-X is on at close");
	if (file->kind == FILE_DEVICE) {
		kernel.n_msix = 0;
		kernel.err_fd = kernel.req_fd = -1;
	}
	if (file->kind == FILE_GROUP)
		kernel.container_set = false;
	if (file->kind == FILE_CONTAINER || file->kind == FILE_IOMMUFD)
		kernel_iommu_closed();
	file->kind = FILE_FREE;
	return close(fd);
}

static ssize_t kernel_readlink(const char *path, char *target, size_t size)
{
	char real[512];

	kernel_path(path, real, sizeof(real));
	return spoiled() ? -1 : readlink(real, target, size);
}

static int kernel_access(const char *path, int mode)
{
	char real[512];

	kernel_path(path, real, sizeof(real));
	if (mode != F_OK && denied(path))
		return fails(EACCES);
	return spoiled() ? -1 : access(real, F_OK);
}

static DIR *kernel_opendir(const char *path)
{
	char real[512];

	kernel_path(path, real, sizeof(real));
	return spoiled() ? NULL : opendir(real);
}

/* ---------------------------------------------------------------- system calls */

static int kernel_ioctl(int fd, unsigned long request, void *arg)
{
	struct fake_file *file = kernel_file(fd);
	int ret = -1;

	pthread_mutex_lock(&kernel.lock);
	kernel.ioctls++;
	if (spoiled()) {
		;
	} else if (kernel.fail_request == request && !kernel.fail_after--) {
		errno = kernel.fail_errno;
	} else if (!file) {
		kernel_error("ioctl on %d, which is not open", fd);
		errno = EBADF;
	} else if (file->kind == FILE_CONTAINER) {
		ret = kernel_container_ioctl(file, request, arg);
	} else if (file->kind == FILE_GROUP) {
		ret = kernel_group_ioctl(file, request, arg);
	} else if (file->kind == FILE_IOMMUFD) {
		ret = kernel_iommufd_ioctl(file, request, arg);
	} else {
		ret = kernel_device_ioctl(file, request, arg);
	}
	pthread_mutex_unlock(&kernel.lock);
	return ret;
}

static ssize_t kernel_pread(int fd, void *data, size_t len, off_t offset)
{
	struct fake_file *file = kernel_file(fd);

	if (spoiled())
		return -1;
	if (!file || (file->kind != FILE_SYSFS && file->kind != FILE_DEVICE)) {
		kernel_error("pread of a wrong file");
		return fails(EBADF);
	}
	return file->kind == FILE_SYSFS ? pread(fd, data, len, offset)
					: kernel_device_access(offset, data, len, false);
}

static ssize_t kernel_pwrite(int fd, const void *data, size_t len, off_t offset)
{
	struct fake_file *file = kernel_file(fd);
	char text[128];
	int err;

	if (spoiled())
		return -1;
	if (file && file->kind == FILE_DEVICE)
		return kernel_device_access(offset, (void *)data, len, true);
	if (!file || file->kind != FILE_SYSFS || len >= sizeof(text) || offset) {
		kernel_error("pwrite of a wrong file");
		return fails(EBADF);
	}
	snprintf(text, sizeof(text), "%.*s", (int)len, (const char *)data);
	err = kernel_sysfs_write(file->path, text);
	return err ? fails(err) : (ssize_t)len;
}

static void *kernel_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	uint32_t index = (uint32_t)(offset >> FAKE_REGION_SHIFT);
	off_t at = offset & ((1ll << FAKE_REGION_SHIFT) - 1);
	void *va;

	if (fd < 0) /* in place of a BAR */
		return mmap(addr, len, prot, flags, fd, offset);
	if (!kernel_file(fd) || kernel_file(fd)->kind != FILE_DEVICE ||
	    (index != VFIO_PCI_BAR0_REGION_INDEX && index != VFIO_PCI_BAR2_REGION_INDEX) ||
	    flags != MAP_SHARED || at % 4096 || (uint64_t)at + len > kernel_region_bytes(index))
		kernel_error("mmap: wrong argument");
	if (spoiled())
		return MAP_FAILED;
	if (index == VFIO_PCI_BAR0_REGION_INDEX && kernel.bar0 == MMAP_REFUSED) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	if (index == VFIO_PCI_BAR0_REGION_INDEX && at < CAIRN_MSIX_PBA_OFFSET + 4096 &&
	    (uint64_t)at + len > CAIRN_MSIX_TABLE_OFFSET)
		kernel_error("mmap of the MSI-X table");
	va = mmap(addr, len, prot, flags, kernel.bar_fd[index], at);
	kernel.bar_maps[kernel.n_bar_maps].va = va;
	kernel.bar_maps[kernel.n_bar_maps++].len = len;
	return va;
}

static int kernel_munmap(void *addr, size_t len)
{
	for (unsigned int i = 0; i < kernel.n_bar_maps; i++) {
		if (kernel.bar_maps[i].va != addr || kernel.bar_maps[i].len != len)
			continue;
		kernel.bar_maps[i] = kernel.bar_maps[--kernel.n_bar_maps];
		return munmap(addr, len);
	}
	kernel_error("munmap of what is not mapped");
	return fails(EINVAL);
}

static bool kernel_linux_before(unsigned int major, unsigned int minor)
{
	return kernel.old && (major > 6 || (major == 6 && minor > 1));
}

static const struct vfio_sys fake_sys = {
	.open = kernel_open,
	.close = kernel_close,
	.ioctl = kernel_ioctl,
	.pread = kernel_pread,
	.pwrite = kernel_pwrite,
	.mmap = kernel_mmap,
	.munmap = kernel_munmap,
	.readlink = kernel_readlink,
	.access = kernel_access,
	.opendir = kernel_opendir,
	.linux_before = kernel_linux_before,
};

/* ---------------------------------------------------------------- the NIC */

/*
 * Doorbells are found in memory some time after they were rung, and those of several EQs at one
 * place may have become one: so one arms all.
 */
static void take_doorbells(struct fake *nic)
{
	for (uint32_t at = 0; at < 16 * CAIRN_DB_PAGE_BYTES; at += 8) {
		uint64_t *word = (uint64_t *)(void *)(kernel.bar[2] + at), value;

		if (!__atomic_load_n(word, __ATOMIC_ACQUIRE))
			continue;
		value = __atomic_exchange_n(word, 0, __ATOMIC_ACQ_REL);
		fake_bus_ops.doorbell(&nic->bus, at, value);
		for (unsigned int i = 0; at == CAIRN_DB_EQ && i < CAIRN_MSIX_VECTORS; i++)
			nic->eqs[i].armed = nic->eqs[i].live;
	}
}

static void *play(void *arg)
{
	while (!atomic_load(&kernel.stop)) {
		take_doorbells(arg);
		fake_bus_ops.relax(arg, 0);
		usleep(20);
	}
	return NULL;
}

void kernel_run_nic(void)
{
	struct cairn_bus_opts opts = { 0 };
	struct cairn_bus *bus;

	fake_bus_ops.open("fake:1", &opts, &bus);
	bus->iova_max = UINT64_MAX;
	kernel.bar0 = MMAP_NONE;
	kernel.run_nic = true;
	pthread_create(&kernel.thread, NULL, play, &fakes[1]);
}

/* ---------------------------------------------------------------- start and stop */

static void make_bar(unsigned int index, size_t len)
{
	kernel.bar_fd[index] = memfd_create("bar", MFD_CLOEXEC);
	if (ftruncate(kernel.bar_fd[index], (off_t)len))
		perror("BAR");
	kernel.bar[index] =
		mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, kernel.bar_fd[index], 0);
}

void kernel_start(bool cdev)
{
	const uint16_t id[2] = { CAIRN_PCI_VENDOR, CAIRN_PCI_DEVICE };

	memset(&kernel, 0, sizeof(kernel));
	kernel.bar2_bytes = CAIRN_DB_PAGES * CAIRN_DB_PAGE_BYTES;
	kernel.pid = getpid();
	kernel.free_vectors = CAIRN_MSIX_VECTORS;
	kernel.vectors = CAIRN_MSIX_VECTORS;
	kernel.memlock = UINT64_MAX;
	kernel.page_sizes = 4096 | 2 << 20;
	kernel.err_fd = kernel.req_fd = -1;
	/* As an Intel machine has it: the window for interrupts is a hole. */
	kernel.ranges[0] = (struct iommu_iova_range){ 0, 0xfedfffff };
	kernel.ranges[1] = (struct iommu_iova_range){ 0xfef00000, (1ull << 39) - 1 };
	kernel.n_ranges = 2;
	memcpy(kernel.config, id, sizeof(id));
	pthread_mutex_init(&kernel.lock, NULL);
	make_bar(0, CAIRN_BAR0_BYTES);
	make_bar(2, CAIRN_DB_PAGES * CAIRN_DB_PAGE_BYTES);
	kernel_tree_create(cdev);
	cairn_vfio_sys = &fake_sys;
}

unsigned int kernel_stop(void)
{
	if (kernel.run_nic) {
		atomic_store(&kernel.stop, true);
		pthread_join(kernel.thread, NULL);
		fakes[1].n_irqs = 0;
		fake_bus_ops.close(&fakes[1].bus);
	}
	for (unsigned int i = 0; i < FAKE_FILES; i++)
		if (kernel.files[i].kind)
			kernel_error("a file of kind %d is left open", kernel.files[i].kind);
	if (kernel.n_bar_maps)
		kernel_error("%u mappings of BARs are left", kernel.n_bar_maps);
	for (unsigned int i = 0; i < 3; i += 2) {
		munmap(kernel.bar[i], i ? CAIRN_DB_PAGES * CAIRN_DB_PAGE_BYTES : CAIRN_BAR0_BYTES);
		close(kernel.bar_fd[i]);
	}
	kernel_tree_remove();
	pthread_mutex_destroy(&kernel.lock);
	return kernel.errors;
}
