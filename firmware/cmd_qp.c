// SPDX-License-Identifier: Apache-2.0
/*
 * Queue pairs (docs/commands.md 9).  cfg is firmware's part; the engines' parts are written here
 * only at create and on the way to RESET, RTR (responder) and RTS (requester, completer), when the
 * engine concerned is stopped.
 */
#include <string.h>

#include "cmd.h"
#include "ctx.h"
#include "dev.h"
#include "loop.h"
#include "net.h"
#include "port.h"
#include "qp.h"

/* Generation of a QPN: changes at each create and RESET, and begins anywhere.  QPNs that share an
 * entry only skip values. */
static uint8_t gens[4096] CPU_NOINIT;

static uint32_t qp_tag(uint32_t qpn)
{
	uint8_t *gen = &gens[qpn % ARRAY_SIZE(gens)];

	if (!*gen)
		*gen = 1; /* a tag of 0 is a free record */
	return CAIRN_PUT(CAIRN_QP_CFG_TAG_QPN, qpn) |
	       CAIRN_PUT(CAIRN_QP_CFG_TAG_GEN, (uint32_t)*gen);
}

static bool type_offered(uint32_t type)
{
	static const uint32_t bits[] = {
		[CAIRN_QP_TYPE_RC] = CAIRN_REG_FEATURES_RC,
		[CAIRN_QP_TYPE_UC] = CAIRN_REG_FEATURES_UC,
		[CAIRN_QP_TYPE_UD] = CAIRN_REG_FEATURES_UD,
		[CAIRN_QP_TYPE_GSI] = CAIRN_REG_FEATURES_UD,
	};

	return type < ARRAY_SIZE(bits) && (bits[type] & dev.features);
}

#define WORD(member) ((int)(offsetof(struct cairn_qp_create, member) / 4))

/* Fields that are wrong by themselves: the buffer word to blame, or -1. */
static int create_check(const struct cairn_qp_create *c)
{
	bool none = !c->rq_log2 && !c->rq_stride && !c->rq_base;
	bool srq = c->srqn != CAIRN_NO_NUMBER;

	if (c->pd >= PDS)
		return WORD(pd);
	if (srq && c->type != CAIRN_QP_TYPE_RC && c->type != CAIRN_QP_TYPE_UD)
		return WORD(srqn);
	if (c->sq_log2 < 2 || c->sq_log2 > CAIRN_MAX_RING_LOG2)
		return WORD(sq_log2);
	if (!none && (srq ? c->rq_log2 : c->rq_log2 > CAIRN_MAX_RING_LOG2))
		return WORD(rq_log2);
	if (!none && (srq || !c->rq_stride || c->rq_stride > CAIRN_MAX_SGE))
		return srq && !c->rq_stride ? WORD(rq_base) : WORD(rq_stride);
	if (!c->sq_base || c->sq_base % 64)
		return WORD(sq_base);
	if (!none && (!c->rq_base || c->rq_base % 16))
		return WORD(rq_base);
	return c->db_page >= CAIRN_DB_PAGES ? WORD(db_page) : -1;
}

/* Objects that the buffer names: read them in turn, until one is not live (scratch[0]: its word) or
 * all are (0). */
static enum fw_run create_objects(struct job *job)
{
	const struct cairn_qp_create *c = &job->buf.qp_create;

	FW_BEGIN(job->view_pc)
	job->scratch[0] = WORD(sq_cqn);
	if (!in_table(c->sq_cqn, CAIRN_TABLE_CQ))
		goto done;
	FW_WAIT(ctx_look(job, CAIRN_TABLE_CQ, c->sq_cqn, 0) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		goto done;
	if (c->rq_cqn != c->sq_cqn) {
		job->scratch[0] = WORD(rq_cqn);
		if (!in_table(c->rq_cqn, CAIRN_TABLE_CQ))
			goto done;
		FW_WAIT(ctx_look(job, CAIRN_TABLE_CQ, c->rq_cqn, 0) == FW_DONE);
		if (job->result != CAIRN_CTX_RESULT_OK)
			goto done;
	}
	if (c->srqn != CAIRN_NO_NUMBER) {
		job->scratch[0] = WORD(srqn);
		if (!(dev.features & CAIRN_REG_FEATURES_SRQ) || !in_table(c->srqn, CAIRN_TABLE_SRQ))
			goto done;
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_SRQ, c->srqn, 0, NULL) ==
			FW_DONE);
		if (job->result != CAIRN_CTX_RESULT_OK ||
		    !(job->rec.srq.flags & CAIRN_SRQ_CTX_FLAGS_VALID) || job->rec.srq.pd != c->pd)
			goto done;
	}
	job->scratch[0] = WORD(async_eqn);
	if (c->async_eqn < EQS && (dev.eq_valid >> c->async_eqn & 1))
		job->scratch[0] = 0;
done:
	FW_END;
}

/* Datagrams have no path: theirs may be as long as the port allows. */
static bool is_datagram(uint32_t type)
{
	return type == CAIRN_QP_TYPE_UD || type == CAIRN_QP_TYPE_GSI;
}

/* Parts of a QP in RESET, from what CREATE_QP said, into CTX_DATA. */
static void qp_part(const struct job *job, unsigned int part, uint32_t qpn)
{
	const struct cairn_qp_create *c = &job->buf.qp_create;

	CTX_PUT(words[0], qp_tag(qpn));
	switch (part) {
	case CAIRN_QP_PART_CFG:
		CTX_PUT(cfg.state,
			CAIRN_PUT(CAIRN_QP_CFG_STATE_STATE, (uint32_t)CAIRN_QP_STATE_RESET) |
				CAIRN_PUT(CAIRN_QP_CFG_STATE_TYPE, c->type) |
				CAIRN_PUT(CAIRN_QP_CFG_STATE_PMTU,
					  is_datagram(c->type) ? port_active_mtu() : 1u) |
				(c->srqn != CAIRN_NO_NUMBER ? CAIRN_QP_CFG_STATE_USE_SRQ : 0));
		CTX_PUT(cfg.pd_sgid, CAIRN_PUT(CAIRN_QP_CFG_PD_SGID_PD, c->pd));
		CTX_PUT(cfg.pkey_vlan, CAIRN_PUT(CAIRN_QP_CFG_PKEY_VLAN_PKEY, 0xffffu));
		CTX_PUT(cfg.rd, CAIRN_PUT(CAIRN_QP_CFG_RD_DB_PAGE, c->db_page));
		CTX_PUT(cfg.eqn, CAIRN_PUT(CAIRN_QP_CFG_EQN_ASYNC_EQN, c->async_eqn));
		break;
	case CAIRN_QP_PART_REQ:
		CTX_PUT(req.flags, CAIRN_PUT(CAIRN_QP_REQ_FLAGS_SQ_LOG2, c->sq_log2));
		CTX_PUT64(req.sq_base, c->sq_base);
		break;
	case CAIRN_QP_PART_CMP:
		CTX_PUT(cmp.sq_cqn, CAIRN_PUT(CAIRN_QP_CMP_SQ_CQN_SQ_CQN, c->sq_cqn));
		break;
	default:
		CTX_PUT(rsp.flags, CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, c->rq_log2) |
					   CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, c->rq_stride));
		CTX_PUT64(rsp.rq_base, c->rq_base);
		CTX_PUT(rsp.rq_cqn, CAIRN_PUT(CAIRN_QP_RSP_RQ_CQN_RQ_CQN, c->rq_cqn));
		CTX_PUT(rsp.srqn, c->srqn);
		break;
	}
}

/* All four parts; scratch[0] counts them. */
static enum fw_run qp_make(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->view_pc)
	gens[qpn % ARRAY_SIZE(gens)]++;
	for (job->scratch[0] = 0; job->scratch[0] < 4; job->scratch[0]++) {
		FW_WAIT(ctx_fresh(job) == FW_DONE);
		qp_part(job, job->scratch[0], qpn);
		FW_WAIT(ctx_make(job, CAIRN_TABLE_QP, qpn, job->scratch[0]) == FW_DONE);
	}
	FW_END;
}

/* Open, at index 0.  Where there is no receive ring there is nothing to ring for, and an index
 * would send the device to read entries that are none. */
static void doorbells(uint32_t qpn, const struct cairn_qp_create *c)
{
	db_open_sq(qpn, c->db_page, CAIRN_GET(qp_tag(qpn), CAIRN_QP_CFG_TAG_GEN));
	db_entry(CAIRN_DB_TABLE_RQ, qpn, c->rq_stride ? CAIRN_DB_OP_OPEN : CAIRN_DB_OP_CLOSE,
		 c->rq_stride ? c->db_page : 0);
}

enum fw_run cmd_create_qp(struct job *job)
{
	const struct cairn_qp_create *c = &job->buf.qp_create;
	uint32_t qpn = job->cmd.number;
	int word;

	FW_BEGIN(job->pc)
	if (!type_offered(c->type))
		return job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, CAIRN_CMD_DETAIL_BUFFER);
	if (!in_table(qpn, CAIRN_TABLE_QP) || (c->type == CAIRN_QP_TYPE_GSI) != (qpn == 1) || !qpn)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	word = create_check(c);
	if (word >= 0)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM,
				CAIRN_CMD_DETAIL_BUFFER + (unsigned int)word);
	FW_WAIT(create_objects(job) == FW_DONE);
	if (job->scratch[0])
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX,
				CAIRN_CMD_DETAIL_BUFFER + job->scratch[0]);
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(ctx_look(job, CAIRN_TABLE_QP, qpn, 0) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_FREE)
		return job_not_free(job);
	FW_WAIT(qp_make(job, qpn) == FW_DONE);
	doorbells(qpn, c);
	qp_live_set(qpn, true);
	job->value0 = CAIRN_GET(qp_tag(qpn), CAIRN_QP_CFG_TAG_GEN);
	FW_END;
}

/* Everything that can be refused without touching the record; needs a view.  scratch[2]: the state
 * to go to. */
static bool modify_check(struct job *job)
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
	job->scratch[2] = to;
	return true;
}

/* PSNs of an engine part on the way to RTR or RTS; CTX_DATA has the part. */
static void psn_set(const struct job *job, unsigned int part)
{
	const struct cairn_qp_attr *a = &job->buf.qp_attr;
	uint32_t sq = a->sq_psn & 0xffffff;

	switch (part) {
	case CAIRN_QP_PART_RSP:
		CTX_SET(rsp.epsn, CAIRN_QP_RSP_EPSN_EPSN, a->rq_psn & 0xffffff);
		CTX_SET(rsp.ack_psn, CAIRN_QP_RSP_ACK_PSN_ACK_PSN, (a->rq_psn - 1) & 0xffffff);
		break;
	case CAIRN_QP_PART_REQ:
		CTX_SET(req.psn, CAIRN_QP_REQ_PSN_NEXT_PSN, sq);
		CTX_SET(req.hi_psn, CAIRN_QP_REQ_HI_PSN_HI_PSN, sq);
		CTX_SET(req.msg_psn, CAIRN_QP_REQ_MSG_PSN_MSG_PSN, sq);
		CTX_SET(req.recover, CAIRN_QP_REQ_RECOVER_REC_END, sq);
		break;
	default:
		CTX_SET(cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN, sq);
		/* No go-back yet: the first loss finds progress since the last one, and has the
		 * retries renewed by what cfg says then. */
		CTX_SET(cmp.gb, CAIRN_QP_CMP_GB_GB_PSN, (sq - 1) & 0xffffff);
		CTX_SET(cmp.old_psn, CAIRN_QP_CMP_OLD_PSN_OLD_PSN, sq);
		CTX_SET(cmp.flags, CAIRN_QP_CMP_FLAGS_RETRY_LEFT, a->retry_cnt);
		CTX_SET(cmp.flags, CAIRN_QP_CMP_FLAGS_RNR_LEFT, a->rnr_retry);
		break;
	}
}

static enum fw_run psn_write(struct job *job, uint32_t qpn, unsigned int part)
{
	FW_BEGIN(job->view_pc)
	FW_WAIT(ctx_change(job, CAIRN_TABLE_QP, qpn, part) == FW_DONE);
	if (job->result == CAIRN_CTX_RESULT_OK) {
		psn_set(job, part);
		FW_WAIT(ctx_back(job, CAIRN_TABLE_QP, qpn, part) == FW_DONE);
	}
	FW_END;
}

/* What CREATE_QP had in its buffer, from the parts, so that RESET can make them afresh. */
static void create_from(struct job *job, unsigned int part)
{
	struct cairn_qp_create *c = &job->buf.qp_create;
	const union record *r = &job->rec;

	switch (part) {
	case CAIRN_QP_PART_CFG:
		c->type = CAIRN_GET(r->cfg.state, CAIRN_QP_CFG_STATE_TYPE);
		c->pd = CAIRN_GET(r->cfg.pd_sgid, CAIRN_QP_CFG_PD_SGID_PD);
		c->db_page = CAIRN_GET(r->cfg.rd, CAIRN_QP_CFG_RD_DB_PAGE);
		c->async_eqn = CAIRN_GET(r->cfg.eqn, CAIRN_QP_CFG_EQN_ASYNC_EQN);
		break;
	case CAIRN_QP_PART_REQ:
		c->sq_log2 = CAIRN_GET(r->req.flags, CAIRN_QP_REQ_FLAGS_SQ_LOG2);
		c->sq_base = r->req.sq_base;
		break;
	case CAIRN_QP_PART_CMP:
		c->sq_cqn = CAIRN_GET(r->cmp.sq_cqn, CAIRN_QP_CMP_SQ_CQN_SQ_CQN);
		break;
	default:
		c->rq_log2 = CAIRN_GET(r->rsp.flags, CAIRN_QP_RSP_FLAGS_RQ_LOG2);
		c->rq_stride = CAIRN_GET(r->rsp.flags, CAIRN_QP_RSP_FLAGS_RQ_STRIDE);
		c->rq_base = r->rsp.rq_base;
		c->rq_cqn = CAIRN_GET(r->rsp.rq_cqn, CAIRN_QP_RSP_RQ_CQN_RQ_CQN);
		c->srqn = r->rsp.srqn;
		break;
	}
}

/* What had been taken of an SRQ and not completed is known once the QP has stopped. */
static enum fw_run to_reset(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->reset_pc)
	FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
	job->value0 = qp_held_slot(&job->view);
	memset(&job->buf, 0, sizeof(job->buf));
	for (job->scratch[0] = 0; job->scratch[0] < 4; job->scratch[0]++) {
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_QP, qpn, job->scratch[0],
			       NULL) == FW_DONE);
		create_from(job, job->scratch[0]);
	}
	/* INIT takes the place of what is in the cache. It is not dropped before: what host memory
	 * has may be of the time when the QP ran, and a packet would have it read. */
	FW_WAIT(qp_make(job, qpn) == FW_DONE);
	doorbells(qpn, &job->buf.qp_create);
	qp_live_set(qpn, true);
	job->value1 = CAIRN_GET(qp_tag(qpn), CAIRN_QP_CFG_TAG_GEN);
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
	uint32_t from = job->from, to = job->scratch[2];

	if (from == CAIRN_QP_STATE_INIT && to == CAIRN_QP_STATE_RTR)
		return psn_write(job, qpn, CAIRN_QP_PART_RSP);
	if (from == CAIRN_QP_STATE_SQE && to == CAIRN_QP_STATE_RTS)
		return qp_restart_sq(job, qpn);
	if (from != CAIRN_QP_STATE_RTR || to != CAIRN_QP_STATE_RTS)
		return FW_DONE;
	while (job->scratch[1] < 2) {
		static const uint8_t parts[] = { CAIRN_QP_PART_CMP, CAIRN_QP_PART_REQ };

		if (psn_write(job, qpn, parts[job->scratch[1]]) != FW_DONE)
			return FW_WAITING;
		job->scratch[1]++;
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
	bool to_sqd = job->scratch[2] == CAIRN_QP_STATE_SQD &&
		      job->from != CAIRN_QP_STATE_SQD;

	FW_BEGIN(job->reset_pc)
	/* As the look at the QP found it: nobody else has written it since. */
	qp_attr_apply(&job->cfg, &job->buf.qp_attr, (uint32_t)job->cmd.arg0, qpn);
	CAIRN_SET(job->cfg.state, CAIRN_QP_CFG_STATE_STATE, job->scratch[2]);
	/* Wanted for this time only. */
	job->scratch[0] = job->cmd.arg0 & CAIRN_QP_MASK_EN_SQD_NOTIFY ?
				  job->cfg.flow_tclass & CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY :
				  0;
	if (to_sqd)
		job->cfg.flow_tclass &= ~(uint32_t)CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY;
	FW_WAIT(ctx_cfg(job, qpn) == FW_DONE);
	if (to_sqd) {
		FW_WAIT(fence(job) == FW_DONE);
		memset(&job->rec, 0, sizeof(job->rec));
		job->rec.cfg.flow_tclass = job->scratch[0];
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

enum fw_run cmd_modify_qp(struct job *job)
{
	uint32_t qpn = job->cmd.number;

	FW_BEGIN(job->pc)
	if (!in_table(qpn, CAIRN_TABLE_QP))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(qp_view_brief(job, qpn) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	if (!modify_check(job))
		return FW_DONE;
	job->from = (uint8_t)job->view.state; /* later views may see an engine's error */
	if (job->scratch[2] == CAIRN_QP_STATE_RESET) {
		/* Also of one that is there already: its doorbells may have been rung since. */
		FW_WAIT(qp_stop(job, qpn) == FW_DONE);
		FW_WAIT(to_reset(job, qpn) == FW_DONE);
		job->pc = 0;
		return FW_DONE;
	}
	job->deadline = cpu_now() + 1000000000ull;
	FW_WAIT(resolve_dmac(job) || fw_due(job->deadline));
	if (!resolve_dmac(job))
		return job_fail(job, CAIRN_CMD_STATUS_TIMEOUT, CAIRN_CMD_DETAIL_NONE);
	job->scratch[1] = 0;
	FW_WAIT(start_engines(job, qpn) == FW_DONE);
	if (job->status != CAIRN_CMD_STATUS_OK)
		return FW_DONE;
	if (job->scratch[2] == CAIRN_QP_STATE_ERR)
		FW_WAIT(qp_error_write(job, qpn) == FW_DONE);
	else
		FW_WAIT(attr_write(job, qpn) == FW_DONE);
	wake_engines(qpn, job->scratch[2], job->view.use_srq);
	FW_END;
}

/* What one part says of the attributes. */
static void attr_from(struct job *job, unsigned int part)
{
	struct cairn_qp_attr *a = &job->buf.qp_attr;
	const struct cairn_qp_cfg *cfg = &job->rec.cfg;

	if (part == CAIRN_QP_PART_REQ) {
		a->sq_psn = CAIRN_GET(job->rec.req.psn, CAIRN_QP_REQ_PSN_NEXT_PSN);
		job->value0 = CAIRN_GET(job->rec.req.index, CAIRN_QP_REQ_INDEX_NEXT_INDEX);
	} else if (part == CAIRN_QP_PART_RSP) {
		a->rq_psn = CAIRN_GET(job->rec.rsp.epsn, CAIRN_QP_RSP_EPSN_EPSN);
		job->value1 = CAIRN_GET(job->rec.rsp.rq, CAIRN_QP_RSP_RQ_RQ_INDEX);
	}
	if (part != CAIRN_QP_PART_CFG)
		return;
	a->path_mtu = CAIRN_GET(cfg->state, CAIRN_QP_CFG_STATE_PMTU);
	a->qkey = cfg->qkey;
	a->dest_qpn = CAIRN_GET(cfg->rqpn_hop, CAIRN_QP_CFG_RQPN_HOP_RQPN);
	a->access =
		(cfg->state & CAIRN_QP_CFG_STATE_REMOTE_WRITE ? CAIRN_ACCESS_REMOTE_WRITE : 0) |
		(cfg->state & CAIRN_QP_CFG_STATE_REMOTE_READ ? CAIRN_ACCESS_REMOTE_READ : 0) |
		(cfg->state & CAIRN_QP_CFG_STATE_REMOTE_ATOMIC ? CAIRN_ACCESS_REMOTE_ATOMIC : 0);
	a->port = 1;
	a->max_rd_atomic = CAIRN_GET(cfg->rd, CAIRN_QP_CFG_RD_MAX_RD_ATOMIC);
	a->max_dest_rd_atomic = CAIRN_GET(cfg->rd, CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC);
	a->min_rnr_timer = CAIRN_GET(cfg->state, CAIRN_QP_CFG_STATE_MIN_RNR_TIMER);
	a->timeout = CAIRN_GET(cfg->state, CAIRN_QP_CFG_STATE_TIMEOUT);
	a->retry_cnt = CAIRN_GET(cfg->state, CAIRN_QP_CFG_STATE_RETRY_CNT);
	a->rnr_retry = CAIRN_GET(cfg->state, CAIRN_QP_CFG_STATE_RNR_RETRY);
	memcpy(a->dgid, cfg->dgid, 16);
	a->sgid_index = CAIRN_GET(cfg->pd_sgid, CAIRN_QP_CFG_PD_SGID_SGID_INDEX);
	a->flow_label = CAIRN_GET(cfg->flow_tclass, CAIRN_QP_CFG_FLOW_TCLASS_FLOW);
	a->tclass = CAIRN_GET(cfg->flow_tclass, CAIRN_QP_CFG_FLOW_TCLASS_TCLASS);
	a->hop_limit = CAIRN_GET(cfg->rqpn_hop, CAIRN_QP_CFG_RQPN_HOP_HOP_LIMIT);
	a->sl = CAIRN_GET(cfg->pkey_vlan, CAIRN_QP_CFG_PKEY_VLAN_TCI) >> 13;
	a->sport = (uint32_t)CAIRN_GET(cfg->dmac_sport, CAIRN_QP_CFG_DMAC_SPORT_SPORT);
	a->dmac = CAIRN_GET(cfg->dmac_sport, CAIRN_QP_CFG_DMAC_SPORT_DMAC);
	a->en_sqd_notify = !!(cfg->flow_tclass & CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY);
	a->lane = CAIRN_GET(cfg->state, CAIRN_QP_CFG_STATE_LANE);
}

enum fw_run cmd_query_qp(struct job *job)
{
	uint32_t qpn = job->cmd.number;

	FW_BEGIN(job->pc)
	if (!in_table(qpn, CAIRN_TABLE_QP))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	/* between two steps of a change it would see a state that is none */
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	for (job->scratch[0] = 0; job->scratch[0] < 4; job->scratch[0]++) {
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_QP, qpn, job->scratch[0],
			       NULL) == FW_DONE);
		attr_from(job, job->scratch[0]);
	}
	job->buf.qp_attr.state = job->buf.qp_attr.cur_state = job->view.state;
	job->buf.qp_attr.sq_draining = job->view.state == CAIRN_QP_STATE_SQD && job->view.draining;
	FW_END;
}

enum fw_run cmd_destroy_qp(struct job *job)
{
	uint32_t qpn = job->cmd.number;

	FW_BEGIN(job->pc)
	if (!in_table(qpn, CAIRN_TABLE_QP))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_QP, qpn, CAIRN_QP_PART_CFG, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	job->scratch[0] = job->rec.cfg.state & CAIRN_QP_CFG_STATE_USE_SRQ;
	mcast_leave(qpn);
	FW_WAIT(qp_stop(job, qpn) == FW_DONE);
	job->value0 = CAIRN_NO_NUMBER;
	if (job->scratch[0]) {
		FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
		job->value0 = qp_held_slot(&job->view);
	}
	job->scratch[3] = 0;
	FW_WAIT(ctx_free(job, CAIRN_TABLE_QP, qpn, 4) == FW_DONE);
	qp_live_set(qpn, false);
	FW_END;
}
