// SPDX-License-Identifier: Apache-2.0
/*
 * requester: block indices, PSNs and message numbers (SSN, credit limit) that wrap in the middle of
 * everything: random messages, misses, go-backs, with a ring that is nearly full (checks 117, 119,
 * 120).  The reference (req_expect.c) knows what each PSN has to carry.
 */
#include "req_world.h"

static void start_at(unsigned int q, uint16_t index, uint32_t psn, uint32_t msn)
{
	struct qp *p = &w.q[q];

	p->req.index = index | (uint32_t)index << 16;
	p->cmp.oldest = p->pi = index;
	CAIRN_SET(p->req.psn, CAIRN_QP_REQ_PSN_NEXT_PSN, psn);
	p->req.hi_psn = p->req.msg_psn = p->req.recover = psn;
	CAIRN_SET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN, psn);
	p->cmp.gb = p->cmp.old_psn = psn;
	p->end_psn = p->next = p->sent = psn;
	p->started = p->msn = p->lsn = msn;
	CAIRN_SET(p->req.ssn, CAIRN_QP_REQ_SSN, msn);
	CAIRN_SET(p->cmp.wait, CAIRN_QP_CMP_WAIT_LSN, msn);
}

/* Every QP has come round: its ring indices, its SSN. */
static bool all_wrapped(void)
{
	for (unsigned int q = 0; q < QPS; q++)
		if (w.q[q].pi >= 0x8000 || (w.q[q].started & 0xffffff) >= 0x8000)
			return false;
	return true;
}

static unsigned int room(const struct qp *p)
{
	return RING - (uint16_t)(p->pi - (uint16_t)p->cmp.oldest);
}

/* `slack`: blocks that stay free; RING: the ring is nearly empty all the time. */
static void run(unsigned int slack, bool gobacks, uint32_t psn)
{
	struct vtb *tb = world_start();
	const unsigned int messages = 400;
	unsigned int posted = 0;

	for (unsigned int q = 0; q < QPS; q++) {
		if (w.q[q].type == CAIRN_QP_TYPE_RC)
			w.q[q].cmp.flags &= ~CAIRN_QP_CMP_FLAGS_CREDITS_OFF;
		w.q[q].credits = 2 + q;
		start_at(q, (uint16_t)(0xfff0 - q), (psn - 30 * q) & 0xffffff, 0xfffff0);
	}
	w.gobacks = gobacks;
	w.miss = gobacks ? 5 : 0;
	for (unsigned int i = 0; i < 400000; i++) {
		unsigned int q = (unsigned int)rng_below(&w.rng, QPS);
		bool may = slack == RING ? w.q[q].n_msg == w.q[q].old_msg
					 : room(&w.q[q]) >= 8 + slack;

		if ((posted < messages || !all_wrapped()) && may &&
		    rng_percent(&w.rng, slack ? 8 : 60)) {
			world_random_msg(q);
			posted++;
		}
		if (rng_percent(&w.rng, 3))
			world_completer();
		vtb_tick(tb);
		if (posted >= messages && world_all_done() && all_wrapped())
			break;
	}
	vtb_check(tb, world_all_done());
	vtb_run(tb, 3000);
	for (unsigned int q = 0; q < QPS; q++) {
		struct qp *p = &w.q[q];

		vtb_check(tb, !p->err && !p->pins);
		vtb_check_eq(tb, p->req.index & 0xffff, p->pi);
		vtb_check(tb, p->pi < 0x8000); /* wrapped */
		vtb_check_eq(tb, p->req.psn & 0xffffff, p->end_psn);
		vtb_check_eq(tb, p->req.ssn & 0xffffff, p->started & 0xffffff);
		vtb_check(tb, (p->started & 0xffffff) < 0x8000);
		vtb_check_eq(tb, p->req.free_msg, p->free);
	}
	print_message("# %llu packets, %llu again\n", (unsigned long long)w.jobs,
		      (unsigned long long)w.retx);
	vtb_destroy(tb);
}

static void full(void **state)
{
	(void)state;
	run(0, false, 0xfffff8);
}

static void full_with_go_backs(void **state)
{
	(void)state;
	run(0, true, 0xfffff8);
	run(0, true, 0x7ffff8); /* where the signed difference turns */
}

static void half_full(void **state)
{
	(void)state;
	run(RING / 2, true, 0xffffff);
}

static void nearly_empty(void **state)
{
	(void)state;
	run(RING, true, 0xffffff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full),
		cmocka_unit_test(full_with_go_backs),
		cmocka_unit_test(half_full),
		cmocka_unit_test(nearly_empty),
	};

	return cmocka_run_group_tests_name("requester wraps", tests, NULL, NULL);
}
