// SPDX-License-Identifier: Apache-2.0
/* `cairn bind` and `cairn unbind` on a fake sysfs: what moves, what is undone, and
 * what they say. */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "vfio_test.h"

#define OVERRIDE "/sys/bus/pci/devices/" FAKE_BDF "/driver_override"

static char text[1024];

/* A machine with the NIC in the hands of a driver of its own. */
static int setup(void **state)
{
	setup_group(state);
	kernel.native = "cairn_eth";
	kernel_set_driver(FAKE_BDF, kernel.native);
	return 0;
}

static void assert_says(const char *part)
{
	if (!strstr(text, part))
		fail_msg("said \"%s\", expected \"%s\" in it", text, part);
}

static void assert_override(const char *expect)
{
	char real[512], is[64] = "";
	FILE *file;

	kernel_path(OVERRIDE, real, sizeof(real));
	file = fopen(real, "r");
	assert_non_null(file);
	assert_non_null(fgets(is, sizeof(is), file));
	fclose(file);
	assert_string_equal(is, expect);
}

static void set_override(const char *now)
{
	char real[512];
	FILE *file;

	kernel_path(OVERRIDE, real, sizeof(real));
	file = fopen(real, "w");
	assert_non_null(file);
	fputs(now, file);
	fclose(file);
}

static void bind_fails(const char *addr, int err, const char *part)
{
	assert_int_equal(cairn_vfio_bind(addr, text, sizeof(text)), err);
	assert_message(part);
	assert_string_equal(text, "");
}

static void unbind_fails(int err, const char *part)
{
	assert_int_equal(cairn_vfio_unbind(FAKE_BDF, text, sizeof(text)), err);
	assert_message(part);
	assert_string_equal(text, "");
}

static void there_and_back(void **state)
{
	(void)state;
	assert_int_equal(cairn_vfio_bind("01:00.0", text, sizeof(text)), 0);
	assert_true(kernel_has_driver(FAKE_BDF, "vfio-pci"));
	assert_override("vfio-pci");
	assert_says(FAKE_BDF " is bound to vfio-pci, before: cairn_eth\n");
	assert_says("/dev/vfio/" FAKE_GROUP " can use it");
	assert_int_equal(cairn_vfio_bind(FAKE_BDF, text, sizeof(text)), 0);
	assert_says("already");
	assert_int_equal(cairn_vfio_unbind("vfio:" FAKE_BDF, text, sizeof(text)), 0);
	assert_true(kernel_has_driver(FAKE_BDF, "cairn_eth"));
	assert_override("(null)\n");
	assert_says(FAKE_BDF " is bound to cairn_eth\n");
}

/* As it is with the real NIC: Linux has no driver for it. */
static void without_driver(void **state)
{
	(void)state;
	kernel.native = NULL;
	kernel_set_driver(FAKE_BDF, NULL);
	assert_int_equal(cairn_vfio_bind(FAKE_BDF, text, sizeof(text)), 0);
	assert_true(kernel_has_driver(FAKE_BDF, "vfio-pci"));
	assert_says(FAKE_BDF " is bound to vfio-pci\n");
	assert_int_equal(cairn_vfio_unbind(FAKE_BDF, text, sizeof(text)), 0);
	assert_true(kernel_has_driver(FAKE_BDF, NULL));
	assert_says("bound to no driver");
	unbind_fails(-ENODEV, "bound to no driver");
}

/* What else there is to say: the device's own node, and siblings that are in the way. */
static void advice(void **state)
{
	static char text_short[40];

	(void)state;
	kernel_stop();
	kernel_start(true);
	kernel_add_function(FAKE_SIBLING, 0x8086, 0x1533, "igb", true);
	assert_int_equal(cairn_vfio_bind(FAKE_BDF, text, sizeof(text)), 0);
	assert_says("/dev/vfio/devices/" FAKE_CDEV " and /dev/iommu");
	assert_says("in the way: " FAKE_SIBLING " (igb)\n");
	assert_int_equal(cairn_vfio_bind(FAKE_BDF, text_short, sizeof(text_short)), 0);
	assert_int_equal(strlen(text_short), sizeof(text_short) - 1);
}

static void addresses(void **state)
{
	(void)state;
	bind_fails("eth0", -EINVAL, "0000:01:00.0");
	bind_fails("0000:99:00.0", -ENODEV, "no such PCI function");
	kernel_add_function("0000:02:00.0", 0x8086, 0x1533, "igb", true);
	bind_fails("02:00.0", -ENODEV, "8086:1533, no Cairn NIC");
	assert_true(kernel_has_driver("0000:02:00.0", "igb"));
	assert_int_equal(cairn_vfio_unbind("02:00.0", text, sizeof(text)), -ENODEV);
}

static void not_loaded(void **state)
{
	char real[512];

	(void)state;
	kernel_path("/sys/bus/pci/drivers/vfio-pci", real, sizeof(real));
	assert_int_equal(rmdir(real), 0);
	bind_fails(FAKE_BDF, -ENOENT, "modprobe vfio-pci");
	assert_true(kernel_has_driver(FAKE_BDF, "cairn_eth"));
}

static void no_iommu_group(void **state)
{
	(void)state;
	kernel_add_function("0000:03:00.0", CAIRN_PCI_VENDOR, CAIRN_PCI_DEVICE, NULL, false);
	bind_fails("03:00.0", -ENODEV, "IOMMU");
	assert_true(kernel_has_driver("0000:03:00.0", NULL));
}

static void needs_root(void **state)
{
	(void)state;
	kernel.denied[0] = OVERRIDE;
	bind_fails(FAKE_BDF, -EACCES, "this needs root");
	assert_true(kernel_has_driver(FAKE_BDF, "cairn_eth"));
	kernel_set_driver(FAKE_BDF, "vfio-pci");
	unbind_fails(-EACCES, "this needs root");
	assert_true(kernel_has_driver(FAKE_BDF, "vfio-pci"));
}

/* The files of drivers exist only as what is written to them. */
static void make_driver_files(const char *driver)
{
	static const char *const names[] = { "bind", "unbind" };
	char path[128], real[512];

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "/sys/bus/pci/drivers/%s/%s", driver, names[i]);
		kernel_path(path, real, sizeof(real));
		close(open(real, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	}
}

static void failed_bind_is_undone(void **state)
{
	(void)state;
	kernel.bind_errno = EINVAL;
	bind_fails(FAKE_BDF, -EINVAL, "vfio-pci does not take it");
	assert_true(kernel_has_driver(FAKE_BDF, "cairn_eth"));
	assert_override("(null)\n");
	kernel_set_driver(FAKE_BDF, NULL);
	bind_fails(FAKE_BDF, -EINVAL, "vfio-pci does not take it");
	assert_true(kernel_has_driver(FAKE_BDF, NULL));
	assert_override("(null)\n");
	/* An override of somebody else's stands again. */
	kernel.native = NULL;
	kernel.bind_errno = 0;
	kernel_set_driver(FAKE_BDF, "vfio-pci");
	assert_int_equal(cairn_vfio_unbind(FAKE_BDF, text, sizeof(text)), 0);
	set_override("cairn_eth\n");
	kernel_set_driver(FAKE_BDF, "cairn_eth");
	kernel.bind_errno = EINVAL;
	bind_fails(FAKE_BDF, -EINVAL, "vfio-pci does not take it");
	assert_true(kernel_has_driver(FAKE_BDF, "cairn_eth"));
	assert_override("cairn_eth\n");
	set_override("(null)\n");
	kernel.native = "cairn_eth";
	kernel.bind_errno = 0;
	kernel.unbind_errno = EBUSY;
	kernel_set_driver(FAKE_BDF, "cairn_eth");
	bind_fails(FAKE_BDF, -EBUSY, "does not let go");
	assert_true(kernel_has_driver(FAKE_BDF, "cairn_eth"));
	assert_override("(null)\n");
}

static void failed_unbind_is_undone(void **state)
{
	(void)state;
	unbind_fails(-ENODEV, "bound to cairn_eth, not to vfio-pci");
	assert_int_equal(cairn_vfio_bind(FAKE_BDF, text, sizeof(text)), 0);
	kernel.unbind_errno = EBUSY;
	unbind_fails(-EBUSY, "vfio-pci does not let go");
	assert_true(kernel_has_driver(FAKE_BDF, "vfio-pci"));
	assert_override("vfio-pci");
}

/* Bound by an id given to vfio-pci: it takes the function again at once. */
static void vfio_has_the_id(void **state)
{
	(void)state;
	kernel_set_driver(FAKE_BDF, "vfio-pci");
	kernel.native = "vfio-pci";
	assert_int_equal(cairn_vfio_unbind(FAKE_BDF, text, sizeof(text)), 0);
	assert_says("remove_id");
}

/* ---------------------------------------------------------------- functions to be shared */

static void add_other_group(const char *bdf, const char *driver)
{
	char path[128], real[512];

	kernel_add_function(bdf, CAIRN_PCI_VENDOR, CAIRN_PCI_DEVICE, driver, false);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/iommu_group", bdf);
	kernel_path(path, real, sizeof(real));
	assert_int_equal(symlink("/sys/kernel/iommu_groups/27", real), 0);
}

static void shared_fails(const char *list, int err, const char *part)
{
	assert_int_equal(cairn_vfio_functions(list, text, sizeof(text)), err);
	assert_message(part);
}

static void shared(void **state)
{
	char small[40];

	(void)state;
	kernel_set_driver(FAKE_BDF, "vfio-pci");
	add_other_group("0000:02:00.0", "vfio-pci");
	assert_int_equal(cairn_vfio_functions("01:00.0", text, sizeof(text)), 0);
	assert_string_equal(text, FAKE_BDF);
	assert_int_equal(cairn_vfio_functions("vfio:01:00.0,0000:02:00.0", text, sizeof(text)), 0);
	assert_string_equal(text, FAKE_BDF ",0000:02:00.0");
	shared_fails("", -EINVAL, "\"\" is no address");
	shared_fails("01:00.0,", -EINVAL, "\"\" is no address");
	shared_fails("01:00.0,eth0", -EINVAL, "\"eth0\" is no address");
	shared_fails("01:00.0 02:00.0", -EINVAL, "is no address");
	shared_fails("01:00.0,02:00.0,0000:01:00.0", -EINVAL, FAKE_BDF " is named twice");
	shared_fails("03:00.0", -ENODEV, "no such PCI function");
	assert_int_equal(cairn_vfio_functions("01:00.0,02:00.0", small, sizeof(small)), 0);
	assert_int_equal(cairn_vfio_functions("01:00.0,02:00.0", small, 32), -E2BIG);
	/* one group is one process' */
	kernel_add_function(FAKE_SIBLING, CAIRN_PCI_VENDOR, CAIRN_PCI_DEVICE, "vfio-pci", true);
	shared_fails("02:00.0,01:00.0,01:00.1", -EINVAL,
		     FAKE_BDF " and " FAKE_SIBLING " are in IOMMU group " FAKE_GROUP);
	add_other_group("0000:04:00.0", NULL);
	shared_fails("01:00.0,04:00.0", -ENODEV, "0000:04:00.0 is bound to no driver");
	kernel_set_driver("0000:04:00.0", "cairn_eth");
	shared_fails("04:00.0", -ENODEV, "bound to cairn_eth, not to vfio-pci");
	assert_message("cairn bind 0000:04:00.0");
	kernel_add_function("0000:05:00.0", 0x8086, 0x1533, "vfio-pci", true);
	shared_fails("05:00.0", -ENODEV, "no Cairn NIC");
	kernel_add_function("0000:06:00.0", CAIRN_PCI_VENDOR, CAIRN_PCI_DEVICE, "vfio-pci", false);
	shared_fails("06:00.0", -ENODEV, "IOMMU");
}

static int setup_files(void **state)
{
	setup(state);
	make_driver_files("vfio-pci");
	make_driver_files("cairn_eth");
	return 0;
}

#define BIND_TEST(fn)                                     \
	{                                                 \
#fn, fn, setup_files, vfio_teardown, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BIND_TEST(there_and_back),
		BIND_TEST(without_driver),
		BIND_TEST(advice),
		BIND_TEST(addresses),
		{ "not_loaded", not_loaded, setup, vfio_teardown, NULL },
		BIND_TEST(no_iommu_group),
		BIND_TEST(needs_root),
		BIND_TEST(failed_bind_is_undone),
		BIND_TEST(failed_unbind_is_undone),
		BIND_TEST(vfio_has_the_id),
		BIND_TEST(shared),
	};

	return cmocka_run_group_tests_name("bind", tests, NULL, NULL);
}
