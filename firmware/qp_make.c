// SPDX-License-Identifier: Apache-2.0
/*
 * A QP's record as CREATE_QP makes it, and RESET makes it again: all four parts of it, doorbells at
 * index 0, a new generation.  The engines stand still or have never seen it.
 */
#include <string.h>

#include "ctx.h"
#include "port.h"
#include "qp.h"

/* Generation of a QPN: changes at each create and RESET, and begins anywhere.  QPNs that share an
 * entry only skip values. */
static uint32_t qp_tag(uint32_t qpn)
{
	uint8_t *gen = qp_generation(qpn);

	if (!*gen)
		*gen = 1; /* a tag of 0 is a free record */
	return CAIRN_PUT(CAIRN_QP_CFG_TAG_QPN, qpn) |
	       CAIRN_PUT(CAIRN_QP_CFG_TAG_GEN, (uint32_t)*gen);
}

uint32_t qp_gen(uint32_t qpn)
{
	return CAIRN_GET(qp_tag(qpn), CAIRN_QP_CFG_TAG_GEN);
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
			CAIRN_PUT(CAIRN_QP_CFG_STATE, (uint32_t)CAIRN_QP_STATE_RESET) |
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
		CTX_PUT(cmp.sq_cqn, CAIRN_PUT(CAIRN_QP_CMP_SQ_CQN, c->sq_cqn));
		break;
	default:
		CTX_PUT(rsp.flags, CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, c->rq_log2) |
					   CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, c->rq_stride));
		CTX_PUT64(rsp.rq_base, c->rq_base);
		CTX_PUT(rsp.rq_cqn, CAIRN_PUT(CAIRN_QP_RSP_RQ_CQN, c->rq_cqn));
		CTX_PUT(rsp.srqn, c->srqn);
		break;
	}
}

/* Open, at index 0.  Without a receive ring there is nothing to ring for, and an index would
 * send the device to read entries that do not exist. */
static void doorbells(uint32_t qpn, const struct cairn_qp_create *c)
{
	db_open_sq(qpn, c->db_page, qp_gen(qpn));
	db_entry(CAIRN_DB_TABLE_RQ, qpn, c->rq_stride ? CAIRN_DB_OP_OPEN : CAIRN_DB_OP_CLOSE,
		 c->rq_stride ? c->db_page : 0);
}

enum fw_run qp_make(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->qp.walk)
	++*qp_generation(qpn);
	for (job->qp.part = 0; job->qp.part < 4; job->qp.part++) {
		FW_WAIT(ctx_fresh(job) == FW_DONE);
		qp_part(job, job->qp.part, qpn);
		FW_WAIT(ctx_make(job, CAIRN_TABLE_QP, qpn, job->qp.part) == FW_DONE);
	}
	doorbells(qpn, &job->buf.qp_create);
	qp_live_set(qpn, true);
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
		c->sq_cqn = CAIRN_GET(r->cmp.sq_cqn, CAIRN_QP_CMP_SQ_CQN);
		break;
	default:
		c->rq_log2 = CAIRN_GET(r->rsp.flags, CAIRN_QP_RSP_FLAGS_RQ_LOG2);
		c->rq_stride = CAIRN_GET(r->rsp.flags, CAIRN_QP_RSP_FLAGS_RQ_STRIDE);
		c->rq_base = r->rsp.rq_base;
		c->rq_cqn = CAIRN_GET(r->rsp.rq_cqn, CAIRN_QP_RSP_RQ_CQN);
		c->srqn = r->rsp.srqn;
		break;
	}
}

/* What had been taken of an SRQ and not completed is known once the QP has stopped. */
enum fw_run qp_make_again(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->qp.self)
	FW_WAIT(qp_view_read(job, qpn) == FW_DONE);
	job->value0 = qp_held_slot(&job->view);
	memset(&job->buf, 0, sizeof(job->buf));
	for (job->qp.part = 0; job->qp.part < 4; job->qp.part++) {
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_QP, qpn, job->qp.part, NULL) ==
			FW_DONE);
		create_from(job, job->qp.part);
	}
	/* INIT takes the place of what is in the cache. It is not dropped before: what host memory
	 * has may be of the time when the QP ran, and a packet would have it read. */
	FW_WAIT(qp_make(job, qpn) == FW_DONE);
	job->value1 = qp_gen(qpn);
	FW_END;
}
