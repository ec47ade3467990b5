/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the vfio-user server share: a bench with one client, before and after that has
 * enabled the device. */
#ifndef VFU_TEST_H
#define VFU_TEST_H

#include "vfu_client.h"

static struct bench b;

static inline int setup(void **state)
{
	(void)state;
	bench_start(&b, BENCH_MAPPED);
	return 0;
}

static inline int setup_enabled(void **state)
{
	setup(state);
	enable(&b);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	bench_stop(&b);
	return 0;
}

#endif
