// SPDX-License-Identifier: Apache-2.0
/*
 * Shared receive queues (docs/commands.md 7).  Their records are on chip; the context port reads
 * and writes them as it does others.
 */
#include <string.h>

#include "cmd.h"
#include "ctx.h"
#include "dev.h"

static enum fw_run srq_op(struct job *job, enum cairn_ctx_op op, const union record *mask)
{
	return ctx_op(job, op, CAIRN_TABLE_SRQ, job->cmd.number, 0, mask);
}

/* The word of the command to blame, or -1. */
static int create_check(const struct cairn_cmd *cmd)
{
	if (!cmd->arg0 || cmd->arg0 % 64)
		return 4;
	if (!cmd->arg1 || cmd->arg1 % 64)
		return 6;
	if (cmd->arg2 < 4 || cmd->arg2 > CAIRN_MAX_RING_LOG2)
		return 8;
	if (!cmd->arg3 || cmd->arg3 > CAIRN_MAX_SGE)
		return 10;
	if (cmd->arg4 >= PDS)
		return 12;
	return cmd->arg5 >= CAIRN_DB_PAGES ? 14 : -1;
}

static void srq_record(struct job *job)
{
	const struct cairn_cmd *cmd = &job->cmd;
	struct cairn_srq_ctx *srq = &job->rec.srq;

	memset(&job->rec, 0, sizeof(job->rec));
	srq->tag = CAIRN_PUT(CAIRN_SRQ_CTX_TAG_SRQN, cmd->number) |
		   CAIRN_PUT(CAIRN_SRQ_CTX_TAG_GEN, 1u);
	srq->flags = CAIRN_SRQ_CTX_FLAGS_VALID |
		     CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_LOG2, (uint32_t)cmd->arg2) |
		     CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_STRIDE, (uint32_t)cmd->arg3) |
		     CAIRN_PUT(CAIRN_SRQ_CTX_FLAGS_DB_PAGE, cmd->arg5);
	srq->slots = cmd->arg0;
	srq->ring = cmd->arg1;
	srq->pd = (uint32_t)cmd->arg4;
}

static bool srq_live(const struct job *job)
{
	return job->result == CAIRN_CTX_RESULT_OK &&
	       (job->rec.srq.flags & CAIRN_SRQ_CTX_FLAGS_VALID);
}

enum fw_run cmd_create_srq(struct job *job)
{
	int word;

	FW_BEGIN(job->self)
	word = create_check(&job->cmd);
	if (word >= 0)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, (unsigned int)word);
	if (!in_table(job->cmd.number, CAIRN_TABLE_SRQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(srq_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (srq_live(job))
		return job_fail(job, CAIRN_CMD_STATUS_EXISTS, CAIRN_CMD_DETAIL_NONE);
	srq_record(job);
	/* the doorbell first: the unit reads ahead from the moment the record is valid */
	db_entry(CAIRN_DB_TABLE_SRQ, job->cmd.number, CAIRN_DB_OP_OPEN, job->cmd.arg5);
	FW_WAIT(srq_op(job, CAIRN_CTX_OP_INIT, NULL) == FW_DONE);
	FW_END;
}

static const union record limit_mask = {
	.srq = { .flags = CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED, .index = CAIRN_SRQ_CTX_INDEX_LIMIT },
};

enum fw_run cmd_modify_srq(struct job *job)
{
	uint32_t limit = (uint32_t)job->cmd.arg0;

	FW_BEGIN(job->self)
	if (!in_table(job->cmd.number, CAIRN_TABLE_SRQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(srq_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (!srq_live(job))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	if (job->cmd.arg0 > 1u << CAIRN_GET(job->rec.srq.flags, CAIRN_SRQ_CTX_FLAGS_LOG2))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	job->rec.srq.flags = limit ? CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED : 0;
	job->rec.srq.index = CAIRN_PUT(CAIRN_SRQ_CTX_INDEX_LIMIT, limit);
	FW_WAIT(srq_op(job, CAIRN_CTX_OP_MODIFY, &limit_mask) == FW_DONE);
	FW_END;
}

/* Entries not taken: doorbell index less the number taken, both free-running. */
enum fw_run cmd_query_srq(struct job *job)
{
	const struct cairn_srq_ctx *srq = &job->rec.srq;

	FW_BEGIN(job->self)
	if (!in_table(job->cmd.number, CAIRN_TABLE_SRQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(srq_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (!srq_live(job))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	memcpy(&job->buf, srq, sizeof(*srq));
	job->value0 = (uint16_t)(db_index(CAIRN_DB_TABLE_SRQ, job->cmd.number) -
				 CAIRN_GET(srq->index, CAIRN_SRQ_CTX_INDEX_POP));
	if (srq->flags & CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED)
		job->value1 = CAIRN_GET(srq->index, CAIRN_SRQ_CTX_INDEX_LIMIT);
	FW_END;
}

enum fw_run cmd_destroy_srq(struct job *job)
{
	FW_BEGIN(job->self)
	if (!in_table(job->cmd.number, CAIRN_TABLE_SRQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(srq_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (!srq_live(job))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	db_entry(CAIRN_DB_TABLE_SRQ, job->cmd.number, CAIRN_DB_OP_CLOSE, 0);
	FW_WAIT(srq_op(job, CAIRN_CTX_OP_DROP, NULL) == FW_DONE);
	FW_WAIT(fence(job) == FW_DONE);
	FW_END;
}
