// SPDX-License-Identifier: Apache-2.0
/*
 * Handing a PCI function from its driver to vfio-pci and back, for `cairn bind` and `cairn unbind`.
 *
 * driver_override names the one driver that may have a function; writing its address to "unbind"
 * and "bind" of drivers moves it.  A bind that fails is undone: the override goes and the driver
 * before gets the function back.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "priv.h"
#include "vfio_sys.h"

/* Write to a file of sysfs; 0 or -errno without a message. */
static int put(const char *path, const char *text)
{
	int fd = cairn_vfio_sys->open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (cairn_vfio_sys->pwrite(fd, text, strlen(text), 0) < 0)
		err = -errno;
	cairn_vfio_sys->close(fd);
	return err;
}

static int put_override(const char *bdf, const char *driver)
{
	char path[VFIO_PATH];

	snprintf(path, sizeof(path), CAIRN_PCI_DEVICES "/%s/driver_override", bdf);
	return put(path, driver);
}

/* What stands there, to be put back; "\n": nothing. */
static void get_override(const char *bdf, char text[VFIO_NAME])
{
	char path[VFIO_PATH];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), CAIRN_PCI_DEVICES "/%s/driver_override", bdf);
	fd = cairn_vfio_sys->open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = cairn_vfio_sys->pread(fd, text, VFIO_NAME - 1, 0);
		cairn_vfio_sys->close(fd);
	}
	text[n > 0 ? n : 0] = 0;
	if (n <= 0 || !strncmp(text, "(null)", 6))
		strcpy(text, "\n");
}

/* file: "bind" or "unbind" */
static int put_driver(const char *driver, const char *file, const char *bdf)
{
	char path[VFIO_PATH];

	snprintf(path, sizeof(path), CAIRN_PCI_DRIVERS "/%s/%s", driver, file);
	return put(path, bdf);
}

static int fail(const char *bdf, int err, const char *what)
{
	if (err == -EACCES || err == -EPERM || err == -EROFS)
		return cairn_fail(err, "%s: %s: %s; this needs root", bdf, what, strerror(-err));
	return cairn_fail(err, "%s: %s: %s; see the kernel's log", bdf, what, strerror(-err));
}

static void say(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

static int check_address(const char *addr, char bdf[CAIRN_BDF_BYTES])
{
	if (!cairn_bdf(addr, bdf))
		return cairn_fail(-EINVAL, "%s is no address of a PCI function, like 0000:01:00.0",
				  addr);
	return cairn_vfio_check_function(bdf);
}

/* What has to be so before anything is changed. */
static int check_bind(const char *bdf)
{
	char group[VFIO_NAME];

	if (cairn_vfio_sys->access(CAIRN_PCI_DRIVERS "/" CAIRN_VFIO_DRIVER, F_OK))
		return cairn_fail(-ENOENT,
				  CAIRN_VFIO_DRIVER " is not loaded: `modprobe vfio-pci` as root");
	return cairn_vfio_iommu_group(bdf, group);
}

/* Who may open it, and what is in the way. */
static void advise(const char *bdf, char *text, size_t size)
{
	char group[VFIO_NAME], name[VFIO_NAME], others[256];

	if (cairn_vfio_link(bdf, "iommu_group", group))
		say(text, size, "whoever may read and write /dev/vfio/%s", group);
	if (cairn_vfio_entry(bdf, "vfio-dev", "vfio", name))
		say(text, size, " (or /dev/vfio/devices/%s and /dev/iommu)", name);
	say(text, size, " can use it, within `ulimit -l`\n");
	if (cairn_vfio_others(bdf, others, sizeof(others)))
		say(text, size, "but others of its IOMMU group are in the way: %s\n", others);
}

/* Take it from `driver` ("": none) and give it to vfio-pci. */
static int move(const char *bdf, const char *driver)
{
	const char *what = "driver_override cannot be written";
	char before[VFIO_NAME];
	int err;

	get_override(bdf, before);
	err = put_override(bdf, CAIRN_VFIO_DRIVER);
	if (err)
		return fail(bdf, err, what);
	if (*driver) {
		what = "its driver does not let go";
		err = put_driver(driver, "unbind", bdf);
	}
	if (!err) {
		what = CAIRN_VFIO_DRIVER " does not take it";
		err = put_driver(CAIRN_VFIO_DRIVER, "bind", bdf);
	}
	if (err) {
		put_override(bdf, before);
		if (*driver)
			put_driver(driver, "bind", bdf); /* fails when it never let go */
		return fail(bdf, err, what);
	}
	return 0;
}

int cairn_vfio_bind(const char *addr, char *text, size_t size)
{
	char bdf[CAIRN_BDF_BYTES], driver[VFIO_NAME] = "";
	int err = check_address(addr, bdf);

	text[0] = 0;
	if (!err)
		err = check_bind(bdf);
	if (err)
		return err;
	if (!cairn_vfio_link(bdf, "driver", driver))
		driver[0] = 0;
	if (!strcmp(driver, CAIRN_VFIO_DRIVER)) {
		say(text, size, "%s is bound to " CAIRN_VFIO_DRIVER " already\n", bdf);
	} else {
		err = move(bdf, driver);
		if (err)
			return err;
		say(text, size, "%s is bound to " CAIRN_VFIO_DRIVER "%s%s\n", bdf,
		    *driver ? ", before: " : "", driver);
	}
	advise(bdf, text, size);
	return 0;
}

/* ---------------------------------------------------------------- to be shared */

static int check_shared(const char *bdf, const char *list)
{
	char group[VFIO_NAME], other[VFIO_NAME], before[CAIRN_BDF_BYTES], driver[VFIO_NAME] = "";
	int err = cairn_vfio_check_function(bdf);

	if (err)
		return err;
	if (!cairn_vfio_link(bdf, "driver", driver) || strcmp(driver, CAIRN_VFIO_DRIVER))
		return cairn_fail(-ENODEV,
				  "%s is bound to %s, not to " CAIRN_VFIO_DRIVER
				  ": `cairn bind %s`",
				  bdf, *driver ? driver : "no driver", bdf);
	err = cairn_vfio_iommu_group(bdf, group);
	for (size_t len; !err && *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		snprintf(before, sizeof(before), "%.*s", (int)len, list);
		if (!strcmp(before, bdf))
			return cairn_fail(-EINVAL, "%s is named twice", bdf);
		err = cairn_vfio_iommu_group(before, other);
		if (!err && !strcmp(group, other))
			return cairn_fail(
				-EINVAL,
				"%s and %s are in IOMMU group %s, which one process has as "
				"a whole: name one of them",
				before, bdf, group);
	}
	return err;
}

int cairn_vfio_functions(const char *text, char *list, size_t size)
{
	char word[64], bdf[CAIRN_BDF_BYTES];
	size_t len;
	int err = 0;

	list[0] = 0;
	do {
		len = strcspn(text, ",");
		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		if (len >= sizeof(word) || !cairn_bdf(word, bdf))
			return cairn_fail(
				-EINVAL,
				"\"%s\" is no address of a PCI function, like 0000:01:00.0", word);
		if (strlen(list) + CAIRN_BDF_BYTES >= size)
			return cairn_fail(-E2BIG, "too many functions");
		err = check_shared(bdf, list);
		say(list, size, "%s%s", *list ? "," : "", bdf);
		text += len;
	} while (!err && *text++);
	return err;
}

int cairn_vfio_unbind(const char *addr, char *text, size_t size)
{
	char bdf[CAIRN_BDF_BYTES], driver[VFIO_NAME];
	int err = check_address(addr, bdf);

	text[0] = 0;
	if (err)
		return err;
	if (!cairn_vfio_link(bdf, "driver", driver))
		return cairn_fail(-ENODEV, "%s is bound to no driver", bdf);
	if (strcmp(driver, CAIRN_VFIO_DRIVER))
		return cairn_fail(-ENODEV, "%s is bound to %s, not to " CAIRN_VFIO_DRIVER, bdf,
				  driver);
	err = put_override(bdf, "\n"); /* none */
	if (err)
		return fail(bdf, err, "driver_override cannot be written");
	err = put_driver(CAIRN_VFIO_DRIVER, "unbind", bdf);
	if (err) {
		put_override(bdf, CAIRN_VFIO_DRIVER);
		return fail(bdf, err, CAIRN_VFIO_DRIVER " does not let go");
	}
	put("/sys/bus/pci/drivers_probe", bdf); /* an error of it: no driver wants it */
	if (!cairn_vfio_link(bdf, "driver", driver)) {
		/* No driver for it: nothing wrong with that, a Cairn NIC has none in the kernel. */
		say(text, size, "%s is bound to no driver\n", bdf);
		return 0;
	}
	say(text, size, "%s is bound to %s\n", bdf, driver);
	if (!strcmp(driver, CAIRN_VFIO_DRIVER))
		say(text, size,
		    "which has its id (new_id): write \"%04x %04x\" to " CAIRN_PCI_DRIVERS
		    "/" CAIRN_VFIO_DRIVER "/remove_id first\n",
		    CAIRN_PCI_VENDOR, CAIRN_PCI_DEVICE);
	return 0;
}
