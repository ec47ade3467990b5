/* SPDX-License-Identifier: Apache-2.0 */
/* What all tests of the driver share: a device opened on the software bus, and messages kept
 * instead of shown. */
#ifndef DRIVER_TEST_H
#define DRIVER_TEST_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fake_bus.h"
#include "priv.h"
#include "queue.h"

/* Small tables, short timeout, reproducible numbers. */
static inline struct cairn_opts test_opts(void)
{
	struct cairn_opts opts;

	cairn_opts_init(&opts);
	opts.seed = test_seed();
	opts.qps_log2 = 8;
	opts.cqs_log2 = 7;
	opts.srqs_log2 = 5;
	opts.mrs_log2 = 8;
	opts.mtts_log2 = 14;
	opts.comp_vectors = 3;
	opts.timeout_ms = 50;
	return opts;
}

static inline struct cairn_dev *test_open(void)
{
	struct cairn_opts opts = test_opts();
	struct cairn_dev *dev = NULL;

	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	return dev;
}

static inline void assert_message(const char *part)
{
	if (!strstr(cairn_last_error(), part))
		fail_msg("message is \"%s\", expected \"%s\" in it", cairn_last_error(), part);
}

static inline int test_setup(void **state)
{
	(void)state;
	cairn_set_log(NULL, NULL);
	fake_start();
	return 0;
}

static inline int test_teardown(void **state)
{
	(void)state;
	if (fake_stop()) {
		fprintf(stderr, "the device saw errors of the driver (SEED=0x%llx)\n",
			(unsigned long long)test_seed());
		return -1;
	}
	return 0;
}

#define DRIVER_TEST(fn) cmocka_unit_test_setup_teardown(fn, test_setup, test_teardown)

#endif
