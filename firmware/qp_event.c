// SPDX-License-Identifier: Apache-2.0
/*
 * What the data path reports (DEV_EVENT): QPs that an engine put in error and CQs that overflowed.
 * Reports are taken at once and kept in a bit per number, so that no engine waits for firmware; one
 * at a time is then acted upon, never on a QP that a command is at work on.  A report may be late:
 * the QP's record says what is true (IBTA 10.3.1, 11.6.3).
 */
#include <string.h>

#include "bits.h"
#include "ctx.h"
#include "eq.h"
#include "log.h"
#include "loop.h"
#include "qp.h"

static uint32_t qps_due, cqs_due; /* bits set */

static struct job work = { .slot = JOBS }; /* not a command: what helpers need */
static struct {
	bool running, overflow;
	uint32_t qpn;
	uint32_t cqn;  /* that overflowed, or NO_NUMBER */
	uint32_t from; /* QPs before it are done */
} at = { .cqn = CAIRN_NO_NUMBER };

static void due_set(enum bit_map map, uint32_t *count, uint32_t n)
{
	if (bit_get(map, n))
		return;
	bit_put(map, n, true);
	if (!bit_get(map, n))
		return; /* no such number */
	++*count;
	fw_todo |= FW_EVENTS;
}

static uint32_t due_take(enum bit_map map, uint32_t *count)
{
	uint32_t n = bit_next(map, 0);

	bit_put(map, n, false);
	--*count;
	return n;
}

void qp_event(uint32_t qpn)
{
	due_set(MAP_QP_DUE, &qps_due, qpn);
	fw_look_again();
}

void qp_events_forget(void)
{
	bits_clear(MAP_QP_DUE);
	bits_clear(MAP_CQ_DUE);
	qps_due = cqs_due = 0;
	at.cqn = CAIRN_NO_NUMBER; /* what runs finds its records free */
}

/* The effective state becomes cfg.state, so that packets and work requests meet it at once. */
static enum fw_run settle(struct job *job, uint32_t qpn, bool overflow)
{
	FW_BEGIN(job->self)
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK ||
	    (overflow && job->view.sq_cqn != at.cqn && job->view.rq_cqn != at.cqn))
		goto done;
	if (overflow && job->view.cfg_state != CAIRN_QP_STATE_RESET)
		job->view.state = CAIRN_QP_STATE_ERR;
	if (job->view.state != CAIRN_QP_STATE_SQE && job->view.state != CAIRN_QP_STATE_ERR)
		goto done; /* it has been reset since */
	if (job->view.state == CAIRN_QP_STATE_ERR && job->view.cfg_state != CAIRN_QP_STATE_ERR)
		FW_WAIT(qp_error_write(job, qpn) == FW_DONE);
	if (job->view.state == CAIRN_QP_STATE_SQE && job->view.cfg_state != CAIRN_QP_STATE_SQE)
		FW_WAIT(qp_state_write(job, qpn, CAIRN_QP_STATE_SQE) == FW_DONE);
	if (overflow)
		eq_post(job->view.eqn, CAIRN_EQE_TYPE_QP_FATAL, qpn, CAIRN_VENDOR_ERR_CQ_OVERFLOW);
	if (job->view.state == CAIRN_QP_STATE_SQE) {
		db_entry(CAIRN_DB_TABLE_SQ, qpn, CAIRN_DB_OP_ERROR, 0);
		kick(CAIRN_KICK_CMP, qpn);
		goto done;
	}
	qp_flush(qpn);
	FW_WAIT(qp_last_wqe(job, qpn) == FW_DONE);
done:
	job_unlock(job);
	FW_END;
}

/* Errors of single QPs go before the search for the QPs of a CQ. */
static bool next_work(void)
{
	at.overflow = false;
	if (qps_due) {
		at.qpn = due_take(MAP_QP_DUE, &qps_due);
		return true;
	}
	if (at.cqn == CAIRN_NO_NUMBER && cqs_due) {
		at.cqn = due_take(MAP_CQ_DUE, &cqs_due);
		at.from = 0;
	}
	if (at.cqn == CAIRN_NO_NUMBER)
		return false;
	at.overflow = true;
	at.qpn = qp_live_next(at.from);
	at.from = at.qpn + 1;
	if (at.qpn < QPS_MAX)
		return true;
	at.cqn = CAIRN_NO_NUMBER;
	return next_work();
}

/* One report out of the hardware's queue. */
static bool take_report(void)
{
	uint32_t ev = mmio_read32(REG(DEV, DEV_EVENT));
	uint32_t kind = CAIRN_GET(ev, CAIRN_REG_DEV_EVENT_KIND);
	uint32_t number = CAIRN_GET(ev, CAIRN_REG_DEV_EVENT_NUMBER);

	if (!(ev & CAIRN_REG_DEV_EVENT_VALID))
		return false;
	mmio_write32(REG(DEV, DEV_EVENT_POP), 1);
	if (kind == CAIRN_DEV_EVENT_QP_ERROR)
		due_set(MAP_QP_DUE, &qps_due, number);
	else if (kind == CAIRN_DEV_EVENT_CQ_ERROR)
		due_set(MAP_CQ_DUE, &cqs_due, number);
	fw_log(4, "data path event", kind, number);
	return true;
}

#define REPORTS 16u /* taken in one pass: wrong doorbells may come without end */

void qp_events_poll(void)
{
	for (unsigned int i = 0; i < REPORTS && take_report(); i++)
		;
	for (;;) {
		if (!at.running && !next_work()) {
			fw_todo &= ~(uint32_t)FW_EVENTS;
			return;
		}
		at.running = true;
		if (settle(&work, at.qpn, at.overflow) == FW_WAITING)
			return;
		at.running = false;
	}
}
