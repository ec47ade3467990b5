// SPDX-License-Identifier: Apache-2.0
/*
 * What state a QP is in, and the ways out of it that take more than writing cfg.state: to a stop,
 * to error, and of an unreliable QP from SQE back to RTS.  cfg is firmware's part; the engines'
 * parts are written here only while the engine concerned is stopped (docs/rtl/contexts.md).
 */
#include <string.h>

#include "bits.h"
#include "ctx.h"
#include "eq.h"
#include "loop.h"
#include "qp.h"

void qp_live_set(uint32_t qpn, bool value)
{
	bit_put(MAP_LIVE, qpn, value);
	bit_put(MAP_LAST_WQE, qpn, false);
}

void qp_forget_all(void)
{
	bits_clear(MAP_LIVE);
	bits_clear(MAP_LAST_WQE);
}

uint32_t qp_live_next(uint32_t from)
{
	return bit_next(MAP_LIVE, from);
}

static_assert(CAIRN_QP_REQ_FLAGS_ERR == 1 && CAIRN_QP_CMP_FLAGS_ERR == 1 &&
		      CAIRN_QP_RSP_FLAGS_ERR == 1,
	      "qp_view_part() looks at bit 0 of word 1");

/*
 * The effective state is the worst of cfg.state and the engines' errors.  An error of the send side
 * stops an unreliable QP's send queue only.
 */
static void engine_error(struct qp_view *v, bool send)
{
	bool sqe = send && v->type != CAIRN_QP_TYPE_RC;

	if (v->cfg_state < CAIRN_QP_STATE_RTR)
		return;
	if (!sqe)
		v->state = CAIRN_QP_STATE_ERR;
	else if (v->state < CAIRN_QP_STATE_SQE)
		v->state = CAIRN_QP_STATE_SQE;
}

/* CTX_DATA has the part; of cfg also a copy for who changes it. */
static void qp_view_part(struct job *job, unsigned int part)
{
	struct qp_view *v = &job->view;
	bool err, passed;
	uint32_t flags;

	if (part == CAIRN_QP_PART_CFG) {
		mmio_copy_out(CAIRN_MMIO_CTX + CAIRN_CTX_DATA, &job->cfg, sizeof(job->cfg));
		*v = (struct qp_view){ 0 };
		v->type = (uint8_t)CAIRN_GET(job->cfg.state, CAIRN_QP_CFG_STATE_TYPE);
		v->cfg_state = (uint8_t)CAIRN_GET(job->cfg.state, CAIRN_QP_CFG_STATE);
		v->state = v->cfg_state;
		v->use_srq = job->cfg.state & CAIRN_QP_CFG_STATE_USE_SRQ;
		v->eqn = (uint8_t)CAIRN_GET(job->cfg.eqn, CAIRN_QP_CFG_EQN_ASYNC_EQN);
		return;
	}
	flags = CTX_GET(words[1]);
	err = flags & 1;
	switch (part) {
	case CAIRN_QP_PART_REQ:
		v->next_index =
			(uint16_t)CAIRN_GET(CTX_GET(req.index), CAIRN_QP_REQ_INDEX_NEXT_INDEX);
		v->send_err = err;
		v->hi_psn = CAIRN_GET(CTX_GET(req.hi_psn), CAIRN_QP_REQ_HI_PSN);
		v->draining = flags & CAIRN_QP_REQ_FLAGS_IN_MSG;
		break;
	case CAIRN_QP_PART_CMP:
		v->sq_cqn = CAIRN_GET(CTX_GET(cmp.sq_cqn), CAIRN_QP_CMP_SQ_CQN);
		v->old_index =
			(uint16_t)CAIRN_GET(CTX_GET(cmp.oldest), CAIRN_QP_CMP_OLDEST_OLD_INDEX);
		flags = CTX_GET(cmp.rflags);
		v->draining |= (flags & CAIRN_QP_CMP_RFLAGS_RD_VALID) ||
			       v->hi_psn != CAIRN_GET(CTX_GET(cmp.old_psn),
						      CAIRN_QP_CMP_OLD_PSN);
		err |= !!(flags & CAIRN_QP_CMP_RFLAGS_FLUSHING);
		v->send_stale = err;
		/* An error that acknowledgements have passed stands no more (req_visit). */
		passed = (uint16_t)(v->next_index - v->old_index) >= 0x8000;
		if (err || (v->send_err && !passed))
			engine_error(v, true);
		v->send_err |= err;
		break;
	default:
		v->rq_cqn = CAIRN_GET(CTX_GET(rsp.rq_cqn), CAIRN_QP_RSP_RQ_CQN);
		v->srq_held = (flags & CAIRN_QP_RSP_FLAGS_RQE_TAKEN) &&
			      (flags & CAIRN_QP_RSP_FLAGS_SRQ_HELD);
		v->srq_slot = (uint16_t)CAIRN_GET(CTX_GET(rsp.rq), CAIRN_QP_RSP_RQ_SRQ_SLOT);
		if (err)
			engine_error(v, false);
		break;
	}
}

static enum fw_run view(struct job *job, uint32_t qpn, bool brief)
{
	FW_BEGIN(job->qp.walk)
	for (job->qp.part = 0; job->qp.part < 4; job->qp.part++) {
		FW_WAIT(ctx_look(job, CAIRN_TABLE_QP, qpn, job->qp.part) == FW_DONE);
		if (job->result != CAIRN_CTX_RESULT_OK)
			break;
		qp_view_part(job, job->qp.part);
		if (brief && job->view.cfg_state < CAIRN_QP_STATE_RTR)
			break;
		if (brief && job->view.cfg_state == CAIRN_QP_STATE_RTR &&
		    job->qp.part == CAIRN_QP_PART_CFG)
			job->qp.part = CAIRN_QP_PART_RSP - 1; /* the others stand still */
	}
	FW_END;
}

enum fw_run qp_view_read(struct job *job, uint32_t qpn)
{
	return view(job, qpn, false);
}

enum fw_run qp_view_brief(struct job *job, uint32_t qpn)
{
	return view(job, qpn, true);
}

uint32_t qp_held_slot(const struct qp_view *v)
{
	return v->use_srq && v->srq_held ? v->srq_slot : CAIRN_NO_NUMBER;
}

enum fw_run qp_state_write(struct job *job, uint32_t qpn, enum cairn_qp_state state)
{
	static const union record mask = { .cfg.state = CAIRN_QP_CFG_STATE };

	if (!job->ctx.self.pc) {
		memset(&job->rec, 0, sizeof(job->rec));
		job->rec.cfg.state = CAIRN_PUT(CAIRN_QP_CFG_STATE, (uint32_t)state);
	}
	return ctx_op(job, CAIRN_CTX_OP_MODIFY, CAIRN_TABLE_QP, qpn, CAIRN_QP_PART_CFG, &mask);
}

/* ---- to a stop: no doorbell, no packet, nothing in flight ---- */

enum fw_run qp_stop(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->qp.self)
	FW_WAIT(qp_state_write(job, qpn, CAIRN_QP_STATE_RESET) == FW_DONE);
	db_entry(CAIRN_DB_TABLE_SQ, qpn, CAIRN_DB_OP_CLOSE, 0);
	db_entry(CAIRN_DB_TABLE_RQ, qpn, CAIRN_DB_OP_CLOSE, 0);
	FW_WAIT(fence(job) == FW_DONE);
	FW_END;
}

/* ---- to error ---- */

#define SQ_CLOSED 2u /* page of ERROR */

/*
 * What is flushed belongs to its process again: nothing of it may be sent any more.  So the send
 * side stops first (SQE: the responder and the walker go on), until no payload is read for it any
 * more; what the wire has not taken by then does not leave (SQ_CLOSED); only then may the walker
 * see the error.  Where the completer found it, what is in flight is stale
 * already (GB_EPOCH; docs/rtl/requester.md); a local error of the requester says nothing of what
 * was sent before it.  Needs a view.
 */
enum fw_run qp_error_write(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->qp.self)
	if (!job->view.send_stale && (job->view.cfg_state == CAIRN_QP_STATE_RTS ||
				      job->view.cfg_state == CAIRN_QP_STATE_SQD ||
				      job->view.cfg_state == CAIRN_QP_STATE_SQE)) {
		FW_WAIT(qp_state_write(job, qpn, CAIRN_QP_STATE_SQE) == FW_DONE);
		FW_WAIT(fence(job) == FW_DONE);
	}
	db_entry(CAIRN_DB_TABLE_SQ, qpn, CAIRN_DB_OP_ERROR, SQ_CLOSED);
	FW_WAIT(qp_state_write(job, qpn, CAIRN_QP_STATE_ERR) == FW_DONE);
	FW_END;
}

void qp_flush(uint32_t qpn)
{
	db_entry(CAIRN_DB_TABLE_SQ, qpn, CAIRN_DB_OP_ERROR, 0);
	db_entry(CAIRN_DB_TABLE_RQ, qpn, CAIRN_DB_OP_ERROR, 0);
	kick(CAIRN_KICK_CMP, qpn);
	kick(CAIRN_KICK_RSP, qpn);
}

#define FLUSH_LIMIT_NS 1000000000ull
#define HELD_INTERVAL_NS 2000u

/*
 * A QP on an SRQ in error: what it had taken comes back as a flush completion; when that is out,
 * and everything in flight is gone, it takes no more (IBTA 11.6.3.1.5).  Once, until RESET.
 */
enum fw_run qp_last_wqe(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->qp.self)
	if (!job->view.use_srq || bit_get(MAP_LAST_WQE, qpn))
		FW_LEAVE;
	FW_WAIT(fence(job) == FW_DONE);
	/* what other QPs have to send may come first */
	job->qp.deadline = cpu_now() + FLUSH_LIMIT_NS;
	while (cpu_now() < job->qp.deadline) {
		FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
		if (job->result != CAIRN_CTX_RESULT_OK || !job->view.srq_held)
			break;
		/* A message may have begun since the last kick, unnoticed. */
		kick(CAIRN_KICK_RSP, qpn);
		job->qp.pause = cpu_now() + HELD_INTERVAL_NS;
		FW_WAIT(fw_due(job->qp.pause));
	}
	FW_WAIT(fence(job) == FW_DONE);
	bit_put(MAP_LAST_WQE, qpn, true);
	eq_post(job->view.eqn, CAIRN_EQE_TYPE_LAST_WQE_REACHED, qpn, 0);
	FW_END;
}

/* ---- from SQE to RTS ---- */

#define FLUSH_INTERVAL_NS 5000u

static const union record req_mask = {
	.req = { .flags = CAIRN_QP_REQ_FLAGS_ERR | CAIRN_QP_REQ_FLAGS_ERR_STATUS |
			  CAIRN_QP_REQ_FLAGS_ERR_VENDOR | CAIRN_QP_REQ_FLAGS_IN_MSG,
		 .index = ~0u,
		 .psn = CAIRN_QP_REQ_PSN_NEXT_PSN,
		 .msg_offset = ~0u,
		 .msg_psn = CAIRN_QP_REQ_MSG_PSN },
};
static const union record cmp_ack_mask = {
	.cmp = { .flags = CAIRN_QP_CMP_FLAGS_ERR | CAIRN_QP_CMP_FLAGS_ERR_STATUS |
			  CAIRN_QP_CMP_FLAGS_ERR_VENDOR,
		 .una = CAIRN_QP_CMP_UNA_UNA_PSN,
		 .rflags = CAIRN_QP_CMP_RFLAGS_FLUSHING | CAIRN_QP_CMP_RFLAGS_RD_VALID |
			   CAIRN_QP_CMP_RFLAGS_PLAIN,
		 .old_psn = CAIRN_QP_CMP_OLD_PSN },
};

static void restart_req(struct job *job)
{
	const struct qp_view *v = &job->view;

	memset(&job->rec, 0, sizeof(job->rec));
	job->rec.req.index = CAIRN_PUT(CAIRN_QP_REQ_INDEX_NEXT_INDEX, (uint32_t)v->old_index) |
			     CAIRN_PUT(CAIRN_QP_REQ_INDEX_LOCAL_INDEX, (uint32_t)v->old_index);
	job->rec.req.psn = CAIRN_PUT(CAIRN_QP_REQ_PSN_NEXT_PSN, v->hi_psn);
	job->rec.req.msg_psn = CAIRN_PUT(CAIRN_QP_REQ_MSG_PSN, v->hi_psn);
}

static void restart_cmp(struct job *job)
{
	uint32_t psn = job->view.hi_psn;

	memset(&job->rec, 0, sizeof(job->rec));
	job->rec.cmp.una = CAIRN_PUT(CAIRN_QP_CMP_UNA_UNA_PSN, psn);
	job->rec.cmp.old_psn = CAIRN_PUT(CAIRN_QP_CMP_OLD_PSN, psn);
}

/* All that is posted has been flushed. */
static bool flushed(const struct job *job, uint32_t qpn)
{
	return db_index(CAIRN_DB_TABLE_SQ, qpn) == job->view.old_index;
}

/*
 * Both send engines start again behind what was flushed, with the PSN after the last one sent.  The
 * walker may be at work on a copy of its part while that is written: so it is written between
 * fences until it stands.  job->status tells when the flush does not end.
 */
enum fw_run qp_restart_sq(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->qp.self)
	job->qp.deadline = cpu_now() + FLUSH_LIMIT_NS;
	FW_WAIT(qp_state_write(job, qpn, CAIRN_QP_STATE_SQE) == FW_DONE);
	db_entry(CAIRN_DB_TABLE_SQ, qpn, CAIRN_DB_OP_ERROR, 0);
	do {
		FW_WAIT(fence(job) == FW_DONE);
		FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
		if (job->view.state == CAIRN_QP_STATE_ERR) { /* its responder has failed */
			job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
			FW_LEAVE;
		}
		if (!flushed(job, qpn)) {
			if (cpu_now() >= job->qp.deadline) {
				job_fail(job, CAIRN_CMD_STATUS_TIMEOUT, CAIRN_CMD_DETAIL_NONE);
				FW_LEAVE;
			}
			kick(CAIRN_KICK_CMP, qpn);
			job->qp.pause = cpu_now() + FLUSH_INTERVAL_NS;
			FW_WAIT(fw_due(job->qp.pause));
			continue;
		}
		restart_req(job);
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_MODIFY, CAIRN_TABLE_QP, qpn, CAIRN_QP_PART_REQ,
			       &req_mask) == FW_DONE);
		restart_cmp(job);
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_MODIFY, CAIRN_TABLE_QP, qpn, CAIRN_QP_PART_CMP,
			       &cmp_ack_mask) == FW_DONE);
		FW_WAIT(fence(job) == FW_DONE);
		FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
	} while (job->view.send_err || job->view.draining || !flushed(job, qpn));
	FW_END;
}
