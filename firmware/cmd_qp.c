// SPDX-License-Identifier: Apache-2.0
/*
 * Queue pairs (docs/commands.md 9), all but MODIFY_QP (cmd_modify_qp.c): made by qp_make.c, stopped
 * by qp_state.c before their records are free.
 */
#include <string.h>

#include "cmd.h"
#include "ctx.h"
#include "dev.h"
#include "qp.h"

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

/* Objects that the buffer names: read them in turn, until one is not live (wrong: its word) or all
 * are (0). */
static enum fw_run create_objects(struct job *job)
{
	const struct cairn_qp_create *c = &job->buf.qp_create;

	FW_BEGIN(job->f.create_qp.objects)
	job->f.create_qp.wrong = WORD(sq_cqn);
	if (!in_table(c->sq_cqn, CAIRN_TABLE_CQ))
		goto done;
	FW_WAIT(ctx_look(job, CAIRN_TABLE_CQ, c->sq_cqn, 0) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		goto done;
	if (c->rq_cqn != c->sq_cqn) {
		job->f.create_qp.wrong = WORD(rq_cqn);
		if (!in_table(c->rq_cqn, CAIRN_TABLE_CQ))
			goto done;
		FW_WAIT(ctx_look(job, CAIRN_TABLE_CQ, c->rq_cqn, 0) == FW_DONE);
		if (job->result != CAIRN_CTX_RESULT_OK)
			goto done;
	}
	if (c->srqn != CAIRN_NO_NUMBER) {
		job->f.create_qp.wrong = WORD(srqn);
		if (!(dev.features & CAIRN_REG_FEATURES_SRQ) || !in_table(c->srqn, CAIRN_TABLE_SRQ))
			goto done;
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_SRQ, c->srqn, 0, NULL) ==
			FW_DONE);
		if (job->result != CAIRN_CTX_RESULT_OK ||
		    !(job->rec.srq.flags & CAIRN_SRQ_CTX_FLAGS_VALID) || job->rec.srq.pd != c->pd)
			goto done;
	}
	job->f.create_qp.wrong = WORD(async_eqn);
	if (c->async_eqn < EQS && (dev.eq_valid >> c->async_eqn & 1))
		job->f.create_qp.wrong = 0;
done:
	FW_END;
}

enum fw_run cmd_create_qp(struct job *job)
{
	const struct cairn_qp_create *c = &job->buf.qp_create;
	uint32_t qpn = job->cmd.number;
	int word;

	FW_BEGIN(job->self)
	if (!type_offered(c->type))
		return job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, CAIRN_CMD_DETAIL_BUFFER);
	if (!in_table(qpn, CAIRN_TABLE_QP) || (c->type == CAIRN_QP_TYPE_GSI) != (qpn == 1) || !qpn)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	word = create_check(c);
	if (word >= 0)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM,
				CAIRN_CMD_DETAIL_BUFFER + (unsigned int)word);
	FW_WAIT(create_objects(job) == FW_DONE);
	if (job->f.create_qp.wrong)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX,
				CAIRN_CMD_DETAIL_BUFFER + job->f.create_qp.wrong);
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(ctx_look(job, CAIRN_TABLE_QP, qpn, 0) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_FREE)
		return job_not_free(job);
	FW_WAIT(qp_make(job, qpn) == FW_DONE);
	job->value0 = qp_gen(qpn);
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
		a->rq_psn = CAIRN_GET(job->rec.rsp.epsn, CAIRN_QP_RSP_EPSN);
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

	FW_BEGIN(job->self)
	if (!in_table(qpn, CAIRN_TABLE_QP))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	/* between two steps of a change it would see no valid state */
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	for (; job->f.query_qp.part < 4; job->f.query_qp.part++) {
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_QP, qpn, job->f.query_qp.part,
			       NULL) == FW_DONE);
		attr_from(job, job->f.query_qp.part);
	}
	job->buf.qp_attr.state = job->buf.qp_attr.cur_state = job->view.state;
	job->buf.qp_attr.sq_draining = job->view.state == CAIRN_QP_STATE_SQD && job->view.draining;
	FW_END;
}

enum fw_run cmd_destroy_qp(struct job *job)
{
	uint32_t qpn = job->cmd.number;

	FW_BEGIN(job->self)
	if (!in_table(qpn, CAIRN_TABLE_QP))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_QP, qpn, CAIRN_QP_PART_CFG, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	job->f.destroy_qp.use_srq = job->rec.cfg.state & CAIRN_QP_CFG_STATE_USE_SRQ;
	mcast_leave(qpn);
	FW_WAIT(qp_stop(job, qpn) == FW_DONE);
	job->value0 = CAIRN_NO_NUMBER;
	if (job->f.destroy_qp.use_srq) {
		FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
		job->value0 = qp_held_slot(&job->view);
	}
	FW_WAIT(ctx_free(job, CAIRN_TABLE_QP, qpn, 4) == FW_DONE);
	qp_live_set(qpn, false);
	FW_END;
}
