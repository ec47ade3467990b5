/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of the connection manager's device share: a NIC with an address of each family. */
#ifndef UCMA_TEST_H
#define UCMA_TEST_H

#include <unistd.h>

#include "cm/port.h"
#include "provider_test.h"

static inline int ucma_setup(void **state)
{
	static const uint8_t v4[16] = { [10] = 0xff, [11] = 0xff, 10, 0, 0, 1 },
			     v6[16] = { 0xfd, [15] = 1 };
	static struct bench b;

	test_setup(state);
	b.ctx = bench_context();
	assert_non_null(b.ctx);
	assert_int_equal(cairn_set_gid(to_context(b.ctx)->dev, 1, v4, 0), 0);
	assert_int_equal(cairn_set_gid(to_context(b.ctx)->dev, 2, v6, 0), 0);
	*state = &b;
	return 0;
}

/* Nothing is left when the last channel is closed: no port, and so no thread and no descriptor. */
static inline void ucma_ports_closed(void)
{
	for (unsigned int i = 0; i < 5000 && port_next(NULL); i++)
		usleep(1000);
	assert_null(port_next(NULL));
}

static inline int ucma_teardown(void **state)
{
	struct bench *b = *state;

	ucma_ports_closed();
	for (unsigned int i = 0; i < 5000 && bench_nic()->opens > 1; i++)
		usleep(1000); /* the thread is at it */
	ibv_close_device(b->ctx);
	return test_teardown(state);
}

#endif
