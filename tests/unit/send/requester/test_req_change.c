// SPDX-License-Identifier: Apache-2.0
/*
 * The requester, when something changes while it is at a QP: SQD, packets acknowledged before they
 * go, an end within a visit, memory that is gone when it is sent again.
 */
#include "req_simple.h"

static void set_state(struct qp *p, uint32_t state)
{
	CAIRN_SET(p->cfg.state, CAIRN_QP_CFG_STATE, state);
}

/* SQD: the message begun is finished, what is lost is sent again, nothing new begins. */
static void draining(void **s)
{
	struct vtb *tb = start_mtu(RC_QP, 1);
	struct qp *p = &w.q[RC_QP];
	uint64_t jobs;

	(void)s;
	post(RC_QP, CAIRN_WQE_OP_WRITE, 256 * 300);
	post(RC_QP, CAIRN_WQE_OP_SEND, 100);
	post(RC_QP, CAIRN_WQE_OP_LOCAL_INV, 0);
	vtb_run_until(tb, w.jobs == 40, 4000);
	set_state(p, CAIRN_QP_STATE_SQD);
	vtb_run(tb, 6000);
	jobs = w.jobs;
	vtb_check(tb, jobs == 300);
	world_go_back(RC_QP, (p->m[0].first + 290) & 0xffffff);
	vtb_run(tb, 1000);
	vtb_check_eq(tb, w.jobs, jobs + 10);
	world_ack(RC_QP, p->sent);
	vtb_run(tb, 1000);
	vtb_check_eq(tb, w.jobs, jobs + 10);
	vtb_check_eq(tb, w.local_ops, 0);
	set_state(p, CAIRN_QP_STATE_RTS);
	world_kick(RC_QP);
	vtb_run(tb, 1000);
	vtb_check_eq(tb, w.jobs, jobs + 11);
	vtb_check_eq(tb, w.local_ops, 1);
	vtb_destroy(tb);
}

/* What is acknowledged between building and commit, after a go-back, does not go again. */
static void overtaken(void **s)
{
	struct vtb *tb = start_mtu(RC_QP, 3);
	struct qp *p = &w.q[RC_QP];
	uint64_t jobs;

	(void)s;
	for (unsigned int i = 0; i < 6; i++)
		post(RC_QP, CAIRN_WQE_OP_WRITE, 64);
	vtb_run_until(tb, w.jobs == 6, 2000);
	vtb_run(tb, 50);
	w.latency = 1000;
	world_go_back(RC_QP, p->m[0].first);
	vtb_run_until(tb, w.mr_tail - w.mr_head >= 2, 500); /* built, not translated */
	jobs = w.jobs;
	world_ack(RC_QP, p->sent);
	vtb_run(tb, 4000);
	vtb_check_eq(tb, w.jobs, jobs);
	vtb_check_eq(tb, p->req.index & 0xffff, p->pi);
	vtb_check(tb, !p->err);
	vtb_destroy(tb);
}

/* What is flushed is not read any more: no packet that is built and not committed goes. */
static void check_ended(unsigned int q, bool flushing)
{
	struct vtb *tb = start_mtu(q, 1);
	struct qp *p = &w.q[q];
	uint64_t jobs;

	w.latency = 500;
	post(q, CAIRN_WQE_OP_WRITE, 256 * 300);
	vtb_run_until(tb, w.mr_tail - w.mr_head >= 2, 1000); /* built, not translated */
	if (flushing)
		p->cmp.rflags |= CAIRN_QP_CMP_RFLAGS_FLUSHING;
	else
		p->cmp.flags |= CAIRN_QP_CMP_FLAGS_ERR;
	jobs = w.jobs;
	vtb_run(tb, 20000); /* a visit of 64 packets, two at a time */
	vtb_check_eq(tb, w.jobs, jobs);
	vtb_check(tb, !p->err);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

static void ended(void **s)
{
	(void)s;
	check_ended(RC_QP, false);
	check_ended(RC_QP, true);
	check_ended(UC_QP, true);
}

static void post_key(uint32_t key)
{
	struct msg *m = new_msg(RC_QP, CAIRN_WQE_OP_WRITE, 64);

	m->sge[0].lkey = key;
	world_post(RC_QP, m);
}

/*
 * Memory is deregistered while its message is sent again, and then the first sending proves to have
 * arrived: nothing stands in the way of what is posted later.  Else the error stays.
 */
static void gone(void **s)
{
	(void)s;
	for (unsigned int arrived = 0; arrived < 4; arrived++) {
		struct vtb *tb = start_mtu(RC_QP, 3);
		struct qp *p = &w.q[RC_QP];
		uint64_t jobs;

		for (uint32_t i = 0; i < 3; i++)
			post_key(0x100 + i);
		vtb_run_until(tb, w.jobs == 3, 2000);
		vtb_run(tb, 50);
		w.gone = 0x101;
		world_go_back(RC_QP, p->m[0].first);
		vtb_run(tb, 1000);
		vtb_check(tb, p->err);
		vtb_check_eq(tb, w.jobs, 4);
		vtb_check_eq(tb, p->req.index & 0xffff, p->m[1].index);
		jobs = w.jobs;
		world_ack(RC_QP, (p->m[0].first + arrived) & 0xffffff);
		for (uint32_t i = 0; i < 2; i++)
			post_key(0x200);
		vtb_run(tb, 1000);
		/* up to its message, or beyond it, or all */
		vtb_check(tb, p->err == (arrived < 2));
		vtb_check_eq(tb, w.jobs, arrived < 2 ? jobs : jobs + 2 + (arrived == 2));
		vtb_check(tb, vtb_get(tb, "idle_o"));
		vtb_destroy(tb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(draining), cmocka_unit_test(overtaken),
					    cmocka_unit_test(ended), cmocka_unit_test(gone) };

	return cmocka_run_group_tests_name("requester, changes", tests, NULL, NULL);
}
