/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of objects share: a device opened on the software bus, a PD and a CQ. */
#ifndef OBJECT_TEST_H
#define OBJECT_TEST_H

#include "driver_test.h"

static struct cairn_dev *dev;
static struct cairn_pd *pd;
static struct cairn_cq *cq;

static inline int object_setup(void **state)
{
	test_setup(state);
	dev = test_open();
	if (cairn_alloc_pd(dev, &pd))
		return -1;
	return cairn_create_cq(dev, 10, 0, NULL, NULL, &cq);
}

static inline int object_teardown(void **state)
{
	if (cairn_destroy_cq(cq) || cairn_dealloc_pd(pd))
		return -1;
	cairn_close(dev);
	return test_teardown(state);
}

#define OBJECT_TEST(fn) cmocka_unit_test_setup_teardown(fn, object_setup, object_teardown)

#endif
