/* SPDX-License-Identifier: Apache-2.0 */
/* Single messages of one QP, for tests that look at one rule at a time (req_world.c). */
#ifndef CAIRN_TEST_REQ_SIMPLE_H
#define CAIRN_TEST_REQ_SIMPLE_H

#include "req_world.h"

#define RC_QP 2u

/* A message of `len` bytes in one element. */
static inline struct msg *new_msg(unsigned int q, unsigned int op, uint32_t len)
{
	struct msg *m = world_new_msg(q);

	m->op = op;
	m->len = msg_is_atomic(m) ? 8 : len;
	m->nsge = msg_is_local(m) || msg_is_nop(m) ? 0 : 1;
	m->sge[0].addr = 0x40000;
	m->sge[0].lkey = 1;
	m->sge[0].len = m->len;
	return m;
}

static inline void post(unsigned int q, unsigned int op, uint32_t len)
{
	world_post(q, new_msg(q, op, len));
}

static inline struct vtb *start_mtu(unsigned int q, unsigned int lg)
{
	struct vtb *tb = world_start();

	w.latency = 1;
	world_set_mtu(q, lg);
	return tb;
}

#endif
