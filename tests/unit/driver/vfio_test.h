/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the VFIO bus share: a fake machine for each test, by each of the two ways. */
#ifndef VFIO_TEST_H
#define VFIO_TEST_H

#include <sys/mman.h>

#include "driver_test.h"
#include "fake_kernel.h"
#include "vfio_dev.h"

static inline int vfio_setup(bool cdev)
{
	test_setup(NULL);
	kernel_start(cdev);
	return 0;
}

static inline int setup_group(void **state)
{
	*state = NULL;
	return vfio_setup(false);
}

static inline int setup_cdev(void **state)
{
	static bool yes = true;

	*state = &yes;
	return vfio_setup(true);
}

static inline int vfio_teardown(void **state)
{
	if (kernel_stop()) {
		fprintf(stderr, "the kernel saw errors of the driver\n");
		return -1;
	}
	return test_teardown(state);
}

#define GROUP_TEST(fn)                                              \
	{                                                           \
#fn ": group", fn, setup_group, vfio_teardown, NULL \
	}
#define CDEV_TEST(fn)                                             \
	{                                                         \
#fn ": cdev", fn, setup_cdev, vfio_teardown, NULL \
	}
#define BOTH_WAYS(fn) GROUP_TEST(fn), CDEV_TEST(fn)

static inline struct cairn_bus *open_bus(void)
{
	const struct cairn_bus_opts opts = { 0 };
	struct cairn_bus *bus = NULL;
	uint16_t command = 6;

	if (cairn_bus_vfio.open(FAKE_BDF, &opts, &bus))
		fail_msg("%s", cairn_last_error());
	assert_int_equal(bus->ops->cfg_write(bus, 4, &command, sizeof(command)), 0);
	return bus;
}

/* The driver on it, with the software device as the NIC. */
static inline struct cairn_dev *open_nic(const char *addr)
{
	struct cairn_opts opts = test_opts();
	struct cairn_dev *dev = NULL;

	opts.timeout_ms = 20000;
	if (cairn_open(addr, &opts, &dev))
		fail_msg("%s", cairn_last_error());
	return dev;
}

/* Memory that nobody has touched yet. */
static inline uint8_t *pages(size_t n)
{
	uint8_t *p =
		mmap(NULL, n * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	return p;
}

/* arg: where the event's object goes */
static inline void on_event(void *arg, const struct cairn_event *event)
{
	*(void **)arg = event->object;
}

#endif
