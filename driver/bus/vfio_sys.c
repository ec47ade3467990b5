// SPDX-License-Identifier: Apache-2.0
/* The real kernel for the VFIO bus, how it is asked, and what is to be read in sysfs about a PCI
 * function. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "priv.h"
#include "vfio_abi.h"
#include "vfio_sys.h"

static int sys_open(const char *path, int flags)
{
	return open(path, flags);
}

static int sys_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static bool sys_linux_before(unsigned int major, unsigned int minor)
{
	unsigned int its_major = 0, its_minor = 0;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &its_major, &its_minor) != 2)
		return true;
	return its_major < major || (its_major == major && its_minor < minor);
}

static const struct vfio_sys linux_sys = {
	.open = sys_open,
	.close = close,
	.ioctl = sys_ioctl,
	.pread = pread,
	.pwrite = pwrite,
	.mmap = mmap,
	.munmap = munmap,
	.readlink = readlink,
	.access = access,
	.opendir = opendir,
	.linux_before = sys_linux_before,
};

const struct vfio_sys *cairn_vfio_sys = &linux_sys;

bool cairn_vfio_link(const char *bdf, const char *link, char name[VFIO_NAME])
{
	char path[VFIO_PATH], target[512];
	const char *last;
	ssize_t n;

	snprintf(path, sizeof(path), CAIRN_PCI_DEVICES "/%s/%s", bdf, link);
	n = cairn_vfio_sys->readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = 0;
	last = strrchr(target, '/');
	snprintf(name, VFIO_NAME, "%.*s", VFIO_NAME - 1, last ? last + 1 : target);
	return true;
}

bool cairn_vfio_entry(const char *bdf, const char *dir, const char *prefix, char name[VFIO_NAME])
{
	char path[VFIO_PATH];
	struct dirent *entry;
	bool found = false;
	DIR *open_dir;

	snprintf(path, sizeof(path), CAIRN_PCI_DEVICES "/%s/%s", bdf, dir);
	open_dir = cairn_vfio_sys->opendir(path);
	while (open_dir && !found && (entry = readdir(open_dir))) {
		found = !strncmp(entry->d_name, prefix, strlen(prefix));
		snprintf(name, VFIO_NAME, "%.*s", VFIO_NAME - 1, entry->d_name);
	}
	if (open_dir)
		closedir(open_dir);
	return found;
}

/* "0x1234" in a file of the function; -1: not to be read. */
static int read_id(const char *bdf, const char *file)
{
	char path[VFIO_PATH], text[16];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), CAIRN_PCI_DEVICES "/%s/%s", bdf, file);
	fd = cairn_vfio_sys->open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = cairn_vfio_sys->pread(fd, text, sizeof(text) - 1, 0);
		cairn_vfio_sys->close(fd);
	}
	if (n <= 0)
		return -1;
	text[n] = 0;
	return (int)strtoul(text, NULL, 16);
}

int cairn_vfio_check_function(const char *bdf)
{
	int vendor = read_id(bdf, "vendor"), device = read_id(bdf, "device");

	if (vendor < 0 || device < 0)
		return cairn_fail(
			-ENODEV,
			"%s: there is no such PCI function; `lspci -D -d %04x:%04x` lists "
			"Cairn NICs, `echo 1 > /sys/bus/pci/rescan` looks for new ones",
			bdf, CAIRN_PCI_VENDOR, CAIRN_PCI_DEVICE);
	if (vendor != CAIRN_PCI_VENDOR || device != CAIRN_PCI_DEVICE)
		return cairn_fail(-ENODEV, "%s is %04x:%04x, no Cairn NIC (%04x:%04x)", bdf, vendor,
				  device, CAIRN_PCI_VENDOR, CAIRN_PCI_DEVICE);
	return 0;
}

int cairn_vfio_iommu_group(const char *bdf, char name[VFIO_NAME])
{
	if (cairn_vfio_link(bdf, "iommu_group", name))
		return 0;
	return cairn_fail(
		-ENODEV,
		"%s has no IOMMU group: switch the IOMMU on in firmware setup (VT-d, AMD-Vi, "
		"SMMU) and kernel (intel_iommu=on)",
		bdf);
}

unsigned int cairn_vfio_others(const char *bdf, char *text, size_t size)
{
	char path[VFIO_PATH], driver[VFIO_NAME];
	struct dirent *entry;
	unsigned int n = 0;
	size_t used = 0;
	DIR *dir;

	text[0] = 0;
	snprintf(path, sizeof(path), CAIRN_PCI_DEVICES "/%s/iommu_group/devices", bdf);
	dir = cairn_vfio_sys->opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (!strchr(entry->d_name, ':') || strlen(entry->d_name) >= CAIRN_BDF_BYTES ||
		    !cairn_vfio_link(entry->d_name, "driver", driver) ||
		    !strcmp(driver, CAIRN_VFIO_DRIVER) || !strcmp(driver, "pcieport"))
			continue;
		if (used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s (%s)",
						 n ? ", " : "", entry->d_name, driver);
		n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

/* ---------------------------------------------------------------- answers with capabilities */

void *cairn_vfio_info(int fd, unsigned long request, const void *head, size_t len)
{
	for (size_t size = len;;) {
		uint8_t *info = calloc(1, size);
		uint32_t argsz = (uint32_t)size;
		int err;

		if (!info) {
			errno = ENOMEM;
			return NULL;
		}
		memcpy(info, head, len);
		memcpy(info, &argsz, sizeof(argsz));
		err = cairn_vfio_sys->ioctl(fd, request, info) ? errno : 0;
		memcpy(&argsz, info, sizeof(argsz));
		if (!err && argsz <= size) {
			/* No more than we have room for counts. */
			argsz = (uint32_t)size;
			memcpy(info, &argsz, sizeof(argsz));
			return info;
		}
		free(info);
		if (err || argsz > 1u << 20) {
			errno = err ? err : EPROTO;
			return NULL;
		}
		size = argsz;
	}
}

const void *cairn_vfio_cap(const void *info, uint32_t cap_offset, uint16_t id, size_t min)
{
	struct vfio_info_cap_header head;
	uint32_t size;

	memcpy(&size, info, sizeof(size));
	/* The chain goes upwards, else it might have no end. */
	for (uint32_t at = cap_offset, next; at; at = next) {
		if (at > size || size - at < sizeof(head))
			return NULL;
		memcpy(&head, (const uint8_t *)info + at, sizeof(head));
		if (head.id == id)
			return size - at >= min ? (const uint8_t *)info + at : NULL;
		next = head.next > at ? head.next : 0;
	}
	return NULL;
}
