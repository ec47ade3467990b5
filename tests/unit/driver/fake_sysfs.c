// SPDX-License-Identifier: Apache-2.0
/* The fake kernel's sysfs and /dev: real files and links in a temporary directory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_kernel.h"

#define DEVICES "/sys/bus/pci/devices"
#define DRIVERS "/sys/bus/pci/drivers"
#define GROUP "/sys/kernel/iommu_groups/" FAKE_GROUP

void kernel_path(const char *path, char *real, size_t size)
{
	snprintf(real, size, "%s%s", kernel.root, path);
}

/* With all directories on the way. */
static void make_dir(const char *path)
{
	char real[512];

	kernel_path(path, real, sizeof(real));
	for (char *slash = real + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		mkdir(real, 0700);
		*slash = '/';
	}
	if (mkdir(real, 0700) && errno != EEXIST)
		perror(real);
}

static void put_file(const char *path, const char *text)
{
	char real[512];
	FILE *file;

	kernel_path(path, real, sizeof(real));
	file = fopen(real, "w");
	if (!file || fputs(text, file) < 0)
		perror(real);
	if (file)
		fclose(file);
}

static void put_link(const char *path, const char *target)
{
	char real[512], real_target[512];

	kernel_path(path, real, sizeof(real));
	kernel_path(target, real_target, sizeof(real_target));
	unlink(real);
	if (symlink(real_target, real))
		perror(real);
}

void kernel_set_driver(const char *bdf, const char *driver)
{
	char path[256], target[256], real[512];

	snprintf(path, sizeof(path), DEVICES "/%s/driver", bdf);
	snprintf(target, sizeof(target), DRIVERS "/%s", driver ? driver : "");
	if (driver) {
		make_dir(target);
		put_link(path, target);
	} else {
		kernel_path(path, real, sizeof(real));
		unlink(real);
	}
}

bool kernel_has_driver(const char *bdf, const char *driver)
{
	char path[256], real[512], target[512];
	ssize_t n;

	snprintf(path, sizeof(path), DEVICES "/%s/driver", bdf);
	kernel_path(path, real, sizeof(real));
	n = readlink(real, target, sizeof(target) - 1);
	if (n < 0)
		return !driver;
	target[n] = 0;
	return driver && !strcmp(strrchr(target, '/') + 1, driver);
}

void kernel_add_function(const char *bdf, unsigned int vendor, unsigned int device,
			 const char *driver, bool grouped)
{
	char path[256], text[32];

	snprintf(path, sizeof(path), DEVICES "/%s", bdf);
	make_dir(path);
	snprintf(path, sizeof(path), DEVICES "/%s/vendor", bdf);
	snprintf(text, sizeof(text), "0x%04x\n", vendor);
	put_file(path, text);
	snprintf(path, sizeof(path), DEVICES "/%s/device", bdf);
	snprintf(text, sizeof(text), "0x%04x\n", device);
	put_file(path, text);
	snprintf(path, sizeof(path), DEVICES "/%s/driver_override", bdf);
	put_file(path, "(null)\n");
	kernel_set_driver(bdf, driver);
	if (grouped) {
		snprintf(path, sizeof(path), GROUP "/devices/%s", bdf);
		make_dir(path);
		snprintf(path, sizeof(path), DEVICES "/%s/iommu_group", bdf);
		put_link(path, GROUP);
	}
}

void kernel_tree_create(bool cdev)
{
	snprintf(kernel.root, sizeof(kernel.root), "/tmp/cairn-kernel-%d", (int)getpid());
	kernel_tree_remove();
	setenv("XDG_RUNTIME_DIR", kernel.root, 1); /* leases */
	make_dir(DRIVERS "/vfio-pci");
	make_dir("/dev/vfio/devices");
	put_file("/sys/bus/pci/drivers_probe", "");
	put_file("/dev/vfio/vfio", "");
	put_file("/dev/vfio/" FAKE_GROUP, "");
	kernel_add_function(FAKE_BDF, CAIRN_PCI_VENDOR, CAIRN_PCI_DEVICE, "vfio-pci", true);
	if (cdev) {
		make_dir(DEVICES "/" FAKE_BDF "/vfio-dev/" FAKE_CDEV);
		put_file("/dev/vfio/devices/" FAKE_CDEV, "");
		put_file("/dev/iommu", "");
	}
}

void kernel_tree_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", kernel.root);
	if (system(command))
		perror(command);
}

/* ---------------------------------------------------------------- binding */

/* What driver_override says, "" for nothing. */
static void override_of(const char *bdf, char text[64])
{
	char path[256], real[512];
	FILE *file;

	snprintf(path, sizeof(path), DEVICES "/%s/driver_override", bdf);
	kernel_path(path, real, sizeof(real));
	file = fopen(real, "r");
	if (!file || !fgets(text, 64, file))
		text[0] = 0;
	if (file)
		fclose(file);
	text[strcspn(text, "\n")] = 0;
	if (!strcmp(text, "(null)"))
		text[0] = 0;
}

static int bind_to(const char *bdf, const char *driver)
{
	char override[64];

	override_of(bdf, override);
	if (!kernel_has_driver(bdf, NULL))
		return EBUSY;
	if (*override ? strcmp(override, driver) : !kernel.native || strcmp(kernel.native, driver))
		return ENODEV;
	if (kernel.bind_errno && !strcmp(driver, "vfio-pci"))
		return kernel.bind_errno;
	kernel_set_driver(bdf, driver);
	return 0;
}

static int probe(const char *bdf)
{
	char override[64];

	override_of(bdf, override);
	if (!*override && !kernel.native)
		return 0;
	return bind_to(bdf, *override ? override : kernel.native);
}

int kernel_sysfs_write(const char *path, const char *text)
{
	const char *rest = path + strlen(kernel.root), *last = strrchr(path, '/') + 1;
	char driver[64] = "";

	if (!strcmp(rest, "/sys/bus/pci/drivers_probe"))
		return probe(text);
	if (!strcmp(last, "driver_override")) {
		if (!strchr(rest, '/') || strlen(text) > 62)
			return EINVAL;
		put_file(rest, strcmp(text, "\n") ? text : "(null)\n");
		return 0;
	}
	if (sscanf(rest, DRIVERS "/%63[^/]/", driver) != 1)
		return EACCES;
	if (!strcmp(last, "bind"))
		return bind_to(text, driver);
	if (strcmp(last, "unbind"))
		return EACCES;
	if (!kernel_has_driver(text, driver))
		return ENODEV;
	if (kernel.unbind_errno)
		return kernel.unbind_errno;
	kernel_set_driver(text, NULL);
	return 0;
}
