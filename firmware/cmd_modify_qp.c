// SPDX-License-Identifier: Apache-2.0
/*
 * MODIFY_QP (docs/commands.md 9), three steps one after another: what the QP is now; whether the
 * change is one and what it takes, by qp_rules.c, without a wait; the change.  The engines' parts
 * are written on the way to RESET, RTR (responder) and RTS (requester, completer), when the engine
 * concerned is stopped.
 */
#include <string.h>

#include "cmd.h"
#include "ctx.h"
#include "dev.h"
#include "loop.h"
#include "net.h"
#include "qp.h"

/* ---- what it is ---- */

static enum fw_run modify_read(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->f.modify_qp.step)
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(qp_view_brief(job, qpn) == FW_DONE);
	FW_END;
}

/* ---- is it one? ---- */

/* Everything that can be refused without touching the record; needs a view. */
static bool modify_decide(struct job *job)
{
	const struct cairn_qp_attr *a = &job->buf.qp_attr;
	uint32_t mask = (uint32_t)job->cmd.arg0, from = job->view.state;
	uint32_t to = mask & CAIRN_QP_MASK_STATE ? a->state : from;
	uint32_t given = mask & ~(uint32_t)CAIRN_QP_MASK_STATE;
	const uint32_t never = CAIRN_QP_MASK_ALT_PATH | CAIRN_QP_MASK_PATH_MIG_STATE |
			       CAIRN_QP_MASK_CAP | CAIRN_QP_MASK_RATE_LIMIT;
	struct qp_rule rule;
	bool unsupported;
	int word;

	if (mask & never) {
		job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 4);
		return false;
	}
	/* SQD to SQD: what was sent must be over, its timer runs by the old attributes. */
	if (((mask & CAIRN_QP_MASK_CUR_STATE) && a->cur_state != from) ||
	    !qp_rule_find(job->view.type, from, to, &rule) ||
	    (from == CAIRN_QP_STATE_SQD && to == from && job->view.draining)) {
		job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
		return false;
	}
	job->value0 = rule.required & ~given;
	job->value1 = given & ~(rule.required | rule.optional);
	if (job->value0 || job->value1) {
		job_fail(job, CAIRN_CMD_STATUS_BAD_MASK, 4);
		return false;
	}
	word = qp_attr_check(a, mask, &unsupported);
	if (word >= 0) {
		job_fail(job,
			 unsupported ? CAIRN_CMD_STATUS_NOT_SUPPORTED : CAIRN_CMD_STATUS_BAD_PARAM,
			 CAIRN_CMD_DETAIL_BUFFER + (unsigned int)word);
		return false;
	}
	job->f.modify_qp.from = (uint8_t)from; /* later views may see an engine's error */
	job->f.modify_qp.to = (uint8_t)to;
	return true;
}

/* ---- the change ---- */

/* PSNs of an engine part on the way to RTR or RTS; CTX_DATA has the part. */
static void psn_set(const struct job *job, unsigned int part)
{
	const struct cairn_qp_attr *a = &job->buf.qp_attr;
	uint32_t sq = a->sq_psn & 0xffffff;

	switch (part) {
	case CAIRN_QP_PART_RSP:
		CTX_SET(rsp.epsn, CAIRN_QP_RSP_EPSN, a->rq_psn & 0xffffff);
		CTX_SET(rsp.ack_psn, CAIRN_QP_RSP_ACK_PSN, (a->rq_psn - 1) & 0xffffff);
		break;
	case CAIRN_QP_PART_REQ:
		CTX_SET(req.psn, CAIRN_QP_REQ_PSN_NEXT_PSN, sq);
		CTX_SET(req.hi_psn, CAIRN_QP_REQ_HI_PSN, sq);
		CTX_SET(req.msg_psn, CAIRN_QP_REQ_MSG_PSN, sq);
		CTX_SET(req.recover, CAIRN_QP_REQ_RECOVER_REC_END, sq);
		break;
	default:
		CTX_SET(cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN, sq);
		/* No go-back yet: the first loss finds progress since the last one, and has the
		 * retries renewed by what cfg says then. */
		CTX_SET(cmp.gb, CAIRN_QP_CMP_GB_GB_PSN, (sq - 1) & 0xffffff);
		CTX_SET(cmp.old_psn, CAIRN_QP_CMP_OLD_PSN, sq);
		CTX_SET(cmp.flags, CAIRN_QP_CMP_FLAGS_RETRY_LEFT, a->retry_cnt);
		CTX_SET(cmp.flags, CAIRN_QP_CMP_FLAGS_RNR_LEFT, a->rnr_retry);
		break;
	}
}

static enum fw_run psn_write(struct job *job, uint32_t qpn, unsigned int part)
{
	FW_BEGIN(job->f.modify_qp.write)
	FW_WAIT(ctx_change(job, CAIRN_TABLE_QP, qpn, part) == FW_DONE);
	if (job->result == CAIRN_CTX_RESULT_OK) {
		psn_set(job, part);
		FW_WAIT(ctx_back(job, CAIRN_TABLE_QP, qpn, part) == FW_DONE);
	}
	FW_END;
}

static bool resolve_dmac(struct job *job)
{
	struct cairn_qp_attr *a = &job->buf.qp_attr;
	uint64_t mac;

	if (!(job->cmd.arg0 & CAIRN_QP_MASK_AV) || a->dmac)
		return true;
	if (!net_resolve(a->sgid_index, a->dgid, &mac))
		return false;
	a->dmac = mac;
	return true;
}

/* PSNs of the engines that the transition starts, or starts again. */
static enum fw_run start_engines(struct job *job, uint32_t qpn)
{
	uint32_t from = job->f.modify_qp.from, to = job->f.modify_qp.to;

	if (from == CAIRN_QP_STATE_INIT && to == CAIRN_QP_STATE_RTR)
		return psn_write(job, qpn, CAIRN_QP_PART_RSP);
	if (from == CAIRN_QP_STATE_SQE && to == CAIRN_QP_STATE_RTS)
		return qp_restart_sq(job, qpn);
	if (from != CAIRN_QP_STATE_RTR || to != CAIRN_QP_STATE_RTS)
		return FW_DONE;
	while (job->f.modify_qp.started < 2) {
		static const uint8_t parts[] = { CAIRN_QP_PART_CMP, CAIRN_QP_PART_REQ };

		if (psn_write(job, qpn, parts[job->f.modify_qp.started]) != FW_DONE)
			return FW_WAITING;
		job->f.modify_qp.started++;
	}
	return FW_DONE;
}

/*
 * State and attributes into the record.  On the way to SQD, visits that began before are let
 * through before the completer may say that the queue has drained, so SQD_NOTIFY comes later than
 * the state.
 */
static enum fw_run attr_write(struct job *job, uint32_t qpn)
{
	static const union record notify = { .cfg.flow_tclass =
						     CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY };
	bool to_sqd = job->f.modify_qp.to == CAIRN_QP_STATE_SQD &&
		      job->f.modify_qp.from != CAIRN_QP_STATE_SQD;

	FW_BEGIN(job->f.modify_qp.write)
	/* As the look at the QP found it: it was not written since. */
	qp_attr_apply(&job->cfg, &job->buf.qp_attr, (uint32_t)job->cmd.arg0, qpn);
	CAIRN_SET(job->cfg.state, CAIRN_QP_CFG_STATE, job->f.modify_qp.to);
	/* Wanted for this time only. */
	job->f.modify_qp.notify = job->cmd.arg0 & CAIRN_QP_MASK_EN_SQD_NOTIFY &&
				  job->cfg.flow_tclass & CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY;
	if (to_sqd)
		job->cfg.flow_tclass &= ~(uint32_t)CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY;
	FW_WAIT(ctx_cfg(job, qpn) == FW_DONE);
	if (to_sqd) {
		FW_WAIT(fence(job) == FW_DONE);
		memset(&job->rec, 0, sizeof(job->rec));
		if (job->f.modify_qp.notify)
			job->rec.cfg.flow_tclass = CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY;
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_MODIFY, CAIRN_TABLE_QP, qpn, CAIRN_QP_PART_CFG,
			       &notify) == FW_DONE);
	}
	FW_END;
}

/* The record has the new state: who must look at the QP now. */
static void wake_engines(uint32_t qpn, enum cairn_qp_state to, bool srq)
{
	if (to == CAIRN_QP_STATE_ERR) {
		qp_flush(qpn);
		if (srq)
			qp_event(qpn); /* LAST_WQE_REACHED */
		return;
	}
	if (to == CAIRN_QP_STATE_RTS)
		db_entry(CAIRN_DB_TABLE_SQ, qpn, CAIRN_DB_OP_ERROR, 1);
	kick(CAIRN_KICK_SCHED, qpn); /* work may have been posted already */
	kick(CAIRN_KICK_CMP, qpn);   /* SQD: it may be drained already */
}

static enum fw_run modify_apply(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->f.modify_qp.step)
	if (job->f.modify_qp.to == CAIRN_QP_STATE_RESET) {
		/* Also of one that is there already: its doorbells may have been rung since. */
		FW_WAIT(qp_stop(job, qpn) == FW_DONE);
		FW_WAIT(qp_make_again(job, qpn) == FW_DONE);
		FW_LEAVE;
	}
	job->f.modify_qp.deadline = cpu_now() + 1000000000ull;
	FW_WAIT(resolve_dmac(job) || fw_due(job->f.modify_qp.deadline));
	if (!resolve_dmac(job))
		return job_fail(job, CAIRN_CMD_STATUS_TIMEOUT, CAIRN_CMD_DETAIL_NONE);
	FW_WAIT(start_engines(job, qpn) == FW_DONE);
	if (job->status != CAIRN_CMD_STATUS_OK)
		FW_LEAVE;
	if (job->f.modify_qp.to == CAIRN_QP_STATE_ERR)
		FW_WAIT(qp_error_write(job, qpn) == FW_DONE);
	else
		FW_WAIT(attr_write(job, qpn) == FW_DONE);
	wake_engines(qpn, job->f.modify_qp.to, job->view.use_srq);
	FW_END;
}

enum fw_run cmd_modify_qp(struct job *job)
{
	uint32_t qpn = job->cmd.number;

	FW_BEGIN(job->self)
	if (!in_table(qpn, CAIRN_TABLE_QP))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(modify_read(job, qpn) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	if (!modify_decide(job))
		return FW_DONE;
	FW_WAIT(modify_apply(job, qpn) == FW_DONE);
	FW_END;
}
