// SPDX-License-Identifier: Apache-2.0
/* Each way in which opening a function can fail: the error, a message that says what to do, nothing
 * left behind, and the next try works. */
#include <sys/wait.h>
#include <unistd.h>

#include "vfio_test.h"

static void fails(int err, const char *part)
{
	const struct cairn_bus_opts opts = { 0 };
	struct cairn_bus *bus = NULL;
	int got = cairn_bus_vfio.open(FAKE_BDF, &opts, &bus);

	if (got != err)
		fail_msg("%d, expected %d: %s", got, err, cairn_last_error());
	assert_null(bus);
	assert_message(part);
	assert_message(FAKE_BDF);
}

static void works(void)
{
	struct cairn_bus *bus = open_bus();

	bus->ops->close(bus);
}

static void remove_node(const char *path)
{
	char real[512];

	kernel_path(path, real, sizeof(real));
	if (unlink(real))
		perror(real);
}

static void no_function(void **state)
{
	const struct cairn_bus_opts opts = { 0 };
	struct cairn_bus *bus = NULL;

	(void)state;
	assert_int_equal(cairn_bus_vfio.open("0000:99:00.0", &opts, &bus), -ENODEV);
	assert_message("no such PCI function");
	kernel_add_function("0000:02:00.0", 0x8086, 0x1533, "vfio-pci", true);
	assert_int_equal(cairn_bus_vfio.open("02:00.0", &opts, &bus), -ENODEV);
	assert_message("0000:02:00.0 is 8086:1533, no Cairn NIC");
	assert_int_equal(cairn_bus_vfio.open("nonsense", &opts, &bus), -EINVAL);
	assert_null(bus);
	assert_int_equal(kernel.ioctls, 0);
}

static void not_bound(void **state)
{
	(void)state;
	kernel_set_driver(FAKE_BDF, NULL);
	fails(-ENODEV, "cairn bind " FAKE_BDF);
	kernel_set_driver(FAKE_BDF, "e1000e");
	fails(-ENODEV, "bound to e1000e");
	assert_message("cairn bind " FAKE_BDF);
	kernel_set_driver(FAKE_BDF, "vfio-pci");
	works();
}

static void no_iommu(void **state)
{
	(void)state;
	remove_node("/sys/bus/pci/devices/" FAKE_BDF "/iommu_group");
	fails(-ENODEV, "IOMMU");
}

static void held_without_iommu(void **state)
{
	char from[512], to[512];

	(void)state;
	kernel_path("/dev/vfio/" FAKE_GROUP, from, sizeof(from));
	kernel_path("/dev/vfio/noiommu-" FAKE_GROUP, to, sizeof(to));
	assert_int_equal(rename(from, to), 0);
	fails(-ENODEV, "without an IOMMU");
}

static void group_node(void **state)
{
	(void)state;
	kernel.denied[0] = "/dev/vfio/" FAKE_GROUP;
	fails(-EACCES, "chown $USER /dev/vfio/" FAKE_GROUP);
	kernel.denied[0] = NULL;
	kernel.fail_open = "/dev/vfio/" FAKE_GROUP;
	kernel.fail_errno = EBUSY;
	fails(-EBUSY, "one owner");
	kernel.fail_errno = ENODEV;
	fails(-ENODEV, "is module vfio loaded?");
	kernel.fail_open = NULL;
	remove_node("/dev/vfio/" FAKE_GROUP);
	fails(-ENOENT, "is module vfio loaded?");
}

static void container_node(void **state)
{
	(void)state;
	kernel.denied[0] = "/dev/vfio/vfio";
	fails(-EACCES, "0666");
	kernel.denied[0] = NULL;
	remove_node("/dev/vfio/vfio");
	fails(-ENOENT, "modprobe vfio");
}

static void not_viable(void **state)
{
	(void)state;
	kernel.not_viable = true;
	fails(-EPERM, "not viable: others use");
	kernel_add_function(FAKE_SIBLING, 0x8086, 0x1533, "igb", true);
	kernel_add_function("0000:00:01.0", 0x8086, 1, "pcieport", true); /* allowed */
	kernel_add_function("0000:01:00.2", 0x8086, 2, NULL, true);	  /* allowed */
	fails(-EPERM, "not viable: " FAKE_SIBLING " (igb); unbind");
	kernel.not_viable = false;
	works();
}

static void wrong_container(void **state)
{
	const struct cairn_bus_opts opts = { 0 };
	struct cairn_bus *bus = NULL;

	(void)state;
	kernel.api_version = 1;
	assert_int_equal(cairn_bus_vfio.open(FAKE_BDF, &opts, &bus), -EPROTO);
	assert_message("API version 1");
	kernel.api_version = VFIO_API_VERSION;
	kernel.no_type1v2 = true;
	assert_int_equal(cairn_bus_vfio.open(FAKE_BDF, &opts, &bus), -EOPNOTSUPP);
	assert_message("modprobe vfio_iommu_type1");
}

/* The nodes for the new way are there, the rights are not: by group, if that node is there. */
static void rights_choose_the_way(void **state)
{
	(void)state;
	works();
	assert_int_equal(kernel.cdev_opens, 1);
	assert_int_equal(kernel.group_opens, 0);
	kernel.denied[0] = "/dev/iommu";
	works();
	kernel.denied[0] = "/dev/vfio/devices/" FAKE_CDEV;
	works();
	assert_int_equal(kernel.cdev_opens, 1);
	assert_int_equal(kernel.group_opens, 2);
	remove_node("/dev/vfio/" FAKE_GROUP);
	fails(-EACCES, "chown $USER /dev/vfio/devices/" FAKE_CDEV);
	kernel.denied[0] = "/dev/iommu";
	fails(-EACCES, "chown $USER /dev/iommu");
	kernel.denied[0] = NULL;
	works();
	kernel.fail_open = "/dev/iommu";
	kernel.fail_errno = ENXIO;
	fails(-ENXIO, "/dev/iommu");
	remove_node("/dev/iommu");
	fails(-ENOENT, "/dev/vfio/" FAKE_GROUP);
}

struct row {
	unsigned long request;
	int err, expect;
	const char *part;
	unsigned int after;
};

static void each(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		kernel.fail_request = rows[i].request;
		kernel.fail_errno = rows[i].err;
		kernel.fail_after = rows[i].after;
		fails(rows[i].expect, rows[i].part);
		kernel.fail_request = 0;
		works();
	}
}

static const struct row both[] = {
	{ VFIO_DEVICE_GET_INFO, EFAULT, -EFAULT, "no device info", 0 },
	{ VFIO_DEVICE_GET_REGION_INFO, EINVAL, -EINVAL, "region 7", 0 },
	{ VFIO_DEVICE_GET_REGION_INFO, EINVAL, -EINVAL, "region 0", 1 },
	{ VFIO_DEVICE_GET_REGION_INFO, EINVAL, -EINVAL, "region 2", 2 },
	{ VFIO_DEVICE_GET_IRQ_INFO, EINVAL, -EPROTO, "MSI-X", 0 },
};

static void group_calls(void **state)
{
	static const struct row rows[] = {
		{ VFIO_GROUP_GET_STATUS, ENOTTY, -ENOTTY, "no status of IOMMU group 26", 0 },
		{ VFIO_GROUP_SET_CONTAINER, EBUSY, -EBUSY, "one owner", 0 },
		{ VFIO_GROUP_SET_CONTAINER, EINVAL, -EINVAL, "no container", 0 },
		{ VFIO_SET_IOMMU, EPERM, -EPERM,
		  "/sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts", 0 },
		{ VFIO_SET_IOMMU, ENODEV, -ENODEV, "IOMMU does not take it", 0 },
		{ VFIO_GROUP_GET_DEVICE_FD, EINVAL, -EINVAL, "vfio-pci does not give it", 0 },
		{ VFIO_IOMMU_GET_INFO, EFAULT, -EFAULT, "no IOMMU info", 0 },
		{ VFIO_IOMMU_GET_INFO, EFAULT, -EFAULT, "no IOMMU info", 1 },
	};

	(void)state;
	each(rows, sizeof(rows) / sizeof(*rows));
	each(both, sizeof(both) / sizeof(*both));
}

static void cdev_calls(void **state)
{
	static const struct row rows[] = {
		{ VFIO_DEVICE_BIND_IOMMUFD, EBUSY, -EBUSY, "one owner", 0 },
		{ VFIO_DEVICE_BIND_IOMMUFD, EINVAL, -EBUSY, "one owner", 0 },
		{ VFIO_DEVICE_BIND_IOMMUFD, ENOTTY, -ENOTTY, "cannot be bound", 0 },
		{ VFIO_DEVICE_BIND_IOMMUFD, EPERM, -EPERM, "another function of its IOMMU group",
		  0 },
		{ VFIO_DEVICE_BIND_IOMMUFD, EPERM, -EPERM,
		  "/sys/module/iommufd/parameters/allow_unsafe_interrupts", 0 },
		{ IOMMU_IOAS_ALLOC, ENOMEM, -ENOMEM, "no address space", 0 },
		{ VFIO_DEVICE_ATTACH_IOMMUFD_PT, EPERM, -EPERM,
		  "/sys/module/iommufd/parameters/allow_unsafe_interrupts", 0 },
		{ VFIO_DEVICE_ATTACH_IOMMUFD_PT, EINVAL, -EINVAL, "IOMMU does not take it", 0 },
		{ IOMMU_IOAS_IOVA_RANGES, ENOENT, -ENOENT, "no list of usable addresses", 0 },
	};

	(void)state;
	each(rows, sizeof(rows) / sizeof(*rows));
	each(both, sizeof(both) / sizeof(*both));
	kernel_add_function(FAKE_SIBLING, 0x8086, 0x1533, "igb", true);
	each(&(struct row){ VFIO_DEVICE_BIND_IOMMUFD, EPERM, -EPERM,
			    "not viable: " FAKE_SIBLING " (igb)", 0 },
	     1);
	each(&(struct row){ VFIO_DEVICE_BIND_IOMMUFD, EBUSY, -EPERM,
			    "not viable: " FAKE_SIBLING " (igb)", 0 },
	     1);
}

/* The kernel has it locked for a moment, or for ever. */
static void locked(void **state)
{
	kernel.busy_opens = 3;
	works();
	assert_int_equal(kernel.busy_opens, 0);
	kernel.busy_opens = 1000;
	fails(-EAGAIN, *state ? "cannot be bound" : "vfio-pci does not give it");
	kernel.busy_opens = 0;
}

/* A function with our id that is not what the contract says, or a kernel that cannot do it. */
static void unfit(void **state)
{
	(void)state;
	kernel.bar2_bytes = 4096;
	fails(-EPROTO, "BARs are too small");
	kernel.bar2_bytes = CAIRN_DB_PAGES * CAIRN_DB_PAGE_BYTES;
	kernel.bar2_no_mmap = true;
	fails(-EOPNOTSUPP, "doorbells");
	kernel.bar2_no_mmap = false;
	kernel.vectors = 4;
	fails(-EPROTO, "MSI-X");
	kernel.vectors = CAIRN_MSIX_VECTORS;
	kernel.no_reset = true;
	fails(-EPROTO, "function level reset");
	kernel.no_reset = false;
	kernel.page_sizes = 65536;
	fails(-EOPNOTSUPP, "4 KiB");
	kernel.page_sizes = 4096;
	kernel.n_ranges = 0;
	fails(-ENOSPC, "no usable addresses");
	kernel.n_ranges = 1;
	kernel.ranges[0].last = 0xffffff; /* nothing above the lowest 16 MiB */
	fails(-ENOSPC, "no usable addresses");
	kernel.ranges[0].last = 0x1000fff; /* one page */
	works();
}

/* ---------------------------------------------------------------- whatever fails */

/* The linker sends the driver's calls here (--wrap); countdown 0 is the one that fails. */
static unsigned int countdown = FAKE_NEVER;
void *__real_calloc(size_t n, size_t size);
int __real_eventfd(unsigned int initial, int flags);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
			  void *arg);
void *__wrap_calloc(size_t n, size_t size);
int __wrap_eventfd(unsigned int initial, int flags);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
			  void *arg);

static bool count_down(void)
{
	return countdown != FAKE_NEVER && countdown-- == 0;
}

void *__wrap_calloc(size_t n, size_t size)
{
	errno = ENOMEM;
	return count_down() ? NULL : __real_calloc(n, size);
}

int __wrap_eventfd(unsigned int initial, int flags)
{
	errno = EMFILE;
	return count_down() ? -1 : __real_eventfd(initial, flags);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
			  void *arg)
{
	return count_down() ? EAGAIN : __real_pthread_create(thread, attr, fn, arg);
}

/* Each call of an open fails once, with each kind of errno: an error and nothing left, or a device
 * that works all the same. */
static void each_call_fails(void **state)
{
	static const int errors[] = { ENOMEM, EPERM, EBUSY, EINVAL, ENODEV };
	const struct cairn_bus_opts opts = { 0 };
	unsigned int n, failed = 0, worked = 0;

	(void)state;
	kernel.fails = count_down;
	kernel.bar0 = MMAP_SPARSE;
	for (size_t e = 0; e < sizeof(errors) / sizeof(*errors); e++) {
		bool done = false;

		kernel.fail_errno = errors[e];
		for (n = 0; n < 200 && !done; n++) {
			struct cairn_bus *bus = NULL;
			int err;

			countdown = n;
			err = cairn_bus_vfio.open(FAKE_BDF, &opts, &bus);
			done = countdown != FAKE_NEVER;
			countdown = FAKE_NEVER;
			assert_true(err <= 0 && !err == !!bus);
			failed += err != 0;
			worked += !err;
			if (bus)
				bus->ops->close(bus);
			works();
		}
		assert_true(n < 200);
	}
	assert_in_range(failed, 75, 5 * 200);
	assert_in_range(worked, 5, 100);
}

/* Capabilities as no kernel has them. */
static void odd_capabilities(void **state)
{
	struct {
		uint32_t argsz, flags;
		struct vfio_info_cap_header caps[3];
	} info = { .argsz = sizeof(info), .caps = { { 1, 1, 16 }, { 2, 1, 24 }, { 3, 1, 0 } } };

	(void)state;
	assert_ptr_equal(cairn_vfio_cap(&info, 8, 1, 8), &info.caps[0]);
	assert_ptr_equal(cairn_vfio_cap(&info, 8, 3, 8), &info.caps[2]);
	assert_null(cairn_vfio_cap(&info, 8, 3, 9));
	assert_null(cairn_vfio_cap(&info, 8, 4, 8));
	assert_null(cairn_vfio_cap(&info, 0, 1, 8));
	assert_null(cairn_vfio_cap(&info, 32, 1, 8));
	assert_null(cairn_vfio_cap(&info, 28, 1, 8));
	assert_null(cairn_vfio_cap(&info, UINT32_MAX, 1, 8));
	info.caps[1].next = 8; /* round and round */
	assert_null(cairn_vfio_cap(&info, 8, 3, 8));
}

/* Another process sees what it is like, by the lease in the user's run directory, and has not the
 * least to do with the kernel for it. */
static void others_look(void **state)
{
	struct cairn_opts opts = test_opts();
	struct cairn_port_attr port;
	struct cairn_dev *dev;
	unsigned int before;
	char path[160];
	int status;
	pid_t child;

	(void)state;
	kernel_run_nic();
	opts.timeout_ms = 5000;
	opts.look = 1;
	assert_int_equal(cairn_open(FAKE_BDF, &opts, &dev), 0);
	assert_false(cairn_dev_looks(dev));
	snprintf(path, sizeof(path), "%s/cairn/" FAKE_BDF ".lease", kernel.root);
	assert_int_equal(access(path, F_OK), 0);
	before = kernel.ioctls;
	child = fork();
	if (!child) {
		bool bad = cairn_open("01:00.0", &opts, &dev) || !cairn_dev_looks(dev) ||
			   cairn_query_port(dev, &port) ||
			   memcmp(&port, &fakes[1].port, sizeof(port));

		_exit(bad || kernel.ioctls != before);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	cairn_close(dev);
	/* where no account can be kept it works as before */
	snprintf(path, sizeof(path), "%s/nowhere", kernel.root);
	setenv("XDG_RUNTIME_DIR", path, 1);
	assert_int_equal(cairn_open(FAKE_BDF, &opts, &dev), 0);
	cairn_close(dev);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(no_function),
		BOTH_WAYS(not_bound),
		BOTH_WAYS(no_iommu),
		GROUP_TEST(held_without_iommu),
		GROUP_TEST(group_node),
		GROUP_TEST(container_node),
		GROUP_TEST(not_viable),
		GROUP_TEST(wrong_container),
		CDEV_TEST(rights_choose_the_way),
		GROUP_TEST(group_calls),
		CDEV_TEST(cdev_calls),
		BOTH_WAYS(locked),
		BOTH_WAYS(unfit),
		GROUP_TEST(odd_capabilities),
		BOTH_WAYS(each_call_fails),
		BOTH_WAYS(others_look),
	};

	return cmocka_run_group_tests_name("vfio_open", tests, NULL, NULL);
}
