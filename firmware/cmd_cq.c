// SPDX-License-Identifier: Apache-2.0
/* Completion queues and memory regions (docs/commands.md 6 and 8). */
#include <string.h>

#include "fw.h"

static bool in_table(uint32_t number, enum cairn_table table)
{
	return number < 1ull << dev.table_log2[table];
}

static enum cairn_cmd_status cq_check(struct job *job, unsigned int *word)
{
	const struct cairn_cq_create *c = &job->buf.cq_create;

	*word = CAIRN_CMD_DETAIL_BUFFER;
	if (!c->base || c->base % 64)
		return CAIRN_CMD_STATUS_BAD_PARAM;
	*word = CAIRN_CMD_DETAIL_BUFFER + 2;
	if (!c->ci_iova || c->ci_iova % 8)
		return CAIRN_CMD_STATUS_BAD_PARAM;
	*word = CAIRN_CMD_DETAIL_BUFFER + 4;
	if (c->log2 < 4 || c->log2 > CAIRN_MAX_RING_LOG2)
		return CAIRN_CMD_STATUS_BAD_PARAM;
	*word = CAIRN_CMD_DETAIL_BUFFER + 5;
	if (c->eqn != CAIRN_NO_NUMBER && (c->eqn >= EQS || !(dev.eq_valid >> c->eqn & 1)))
		return CAIRN_CMD_STATUS_BAD_INDEX;
	*word = CAIRN_CMD_DETAIL_BUFFER + 6;
	if (c->db_page >= CAIRN_DB_PAGES)
		return CAIRN_CMD_STATUS_BAD_PARAM;
	return CAIRN_CMD_STATUS_OK;
}

static bool eq_reserve(uint32_t eqn)
{
	if (eqn == CAIRN_NO_NUMBER)
		return true;
	mmio_write32(REG(EQ, EQ_RESERVE), CAIRN_PUT(CAIRN_REG_EQ_RESERVE_EQN, eqn));
	if (mmio_read32(REG(EQ, EQ_RESERVE_STATUS)) & 1)
		return false;
	dev.eq_users[eqn]++;
	return true;
}

static void eq_unreserve(uint32_t eqn)
{
	if (eqn >= EQS)
		return;
	mmio_write32(REG(EQ, EQ_RESERVE),
		     CAIRN_REG_EQ_RESERVE_REMOVE | CAIRN_PUT(CAIRN_REG_EQ_RESERVE_EQN, eqn));
	dev.eq_users[eqn]--;
}

static void cq_record(struct job *job)
{
	const struct cairn_cq_create *c = &job->buf.cq_create;
	struct cairn_cq_ctx *cq = &job->rec.cq;

	memset(&job->rec, 0, sizeof(job->rec));
	cq->tag = CAIRN_PUT(CAIRN_CQ_CTX_TAG_CQN, job->cmd.number) |
		  CAIRN_PUT(CAIRN_CQ_CTX_TAG_GEN, 1u);
	cq->flags = CAIRN_CQ_CTX_FLAGS_VALID | CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_LOG2, c->log2) |
		    CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_EQN, c->eqn) |
		    CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_DB_PAGE, c->db_page);
	cq->base = c->base;
	cq->ci_iova = c->ci_iova;
}

enum fw_run cmd_create_cq(struct job *job)
{
	unsigned int word;
	enum cairn_cmd_status status;

	FW_BEGIN(job->pc)
	if (!in_table(job->cmd.number, CAIRN_TABLE_CQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	status = cq_check(job, &word);
	if (status)
		return job_fail(job, status, word);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_CQ, job->cmd.number, 0, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_FREE)
		return job_fail(job,
				job->result == CAIRN_CTX_RESULT_OK ? CAIRN_CMD_STATUS_EXISTS
								   : CAIRN_CMD_STATUS_DMA_ERROR,
				CAIRN_CMD_DETAIL_NONE);
	if (!eq_reserve(job->buf.cq_create.eqn))
		return job_fail(job, CAIRN_CMD_STATUS_NO_RESOURCE, CAIRN_CMD_DETAIL_NONE);
	cq_record(job);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_INIT, CAIRN_TABLE_CQ, job->cmd.number, 0, NULL) ==
		FW_DONE);
	db_entry(CAIRN_DB_TABLE_CQ, job->cmd.number, CAIRN_DB_OP_OPEN, job->buf.cq_create.db_page);
	FW_END;
}

enum fw_run cmd_destroy_cq(struct job *job)
{
	FW_BEGIN(job->pc)
	if (!in_table(job->cmd.number, CAIRN_TABLE_CQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_CQ, job->cmd.number, 0, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	job->scratch[0] = CAIRN_GET(job->rec.cq.flags, CAIRN_CQ_CTX_FLAGS_EQN);
	job->scratch[3] = 0;
	db_entry(CAIRN_DB_TABLE_CQ, job->cmd.number, CAIRN_DB_OP_CLOSE, 0);
	FW_WAIT(fence(job) == FW_DONE);
	FW_WAIT(ctx_free(job, CAIRN_TABLE_CQ, job->cmd.number, 1) == FW_DONE);
	FW_WAIT(fence(job) == FW_DONE);
	eq_unreserve(job->scratch[0]);
	FW_END;
}

enum fw_run cmd_query_cq(struct job *job)
{
	FW_BEGIN(job->pc)
	if (!in_table(job->cmd.number, CAIRN_TABLE_CQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_CQ, job->cmd.number, 0, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	memcpy(&job->buf, &job->rec, sizeof(job->rec));
	job->value0 = job->rec.cq.pi;
	job->value1 = job->rec.cq.ci;
	FW_END;
}

/* ---- memory regions ---- */

#define MR_FLAGS (CAIRN_MPT_FLAGS_MODE | CAIRN_MPT_FLAGS_ACCESS | CAIRN_MPT_FLAGS_PAGE_LOG2)
#define MR_ACCESS                                                                          \
	(CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_READ | \
	 CAIRN_ACCESS_REMOTE_ATOMIC)

static uint64_t mr_entries(const struct cairn_cmd *cmd)
{
	unsigned int lg = CAIRN_GET((uint32_t)cmd->arg4, CAIRN_MPT_FLAGS_PAGE_LOG2);

	return ((cmd->arg0 + cmd->arg1 - 1) >> lg) - (cmd->arg0 >> lg) + 1;
}

/* The word of the command to blame, or -1. */
static int mr_check(const struct cairn_cmd *cmd)
{
	uint32_t flags = (uint32_t)cmd->arg4, access = CAIRN_GET(flags, CAIRN_MPT_FLAGS_ACCESS);
	uint32_t mode = CAIRN_GET(flags, CAIRN_MPT_FLAGS_MODE);
	unsigned int lg = CAIRN_GET(flags, CAIRN_MPT_FLAGS_PAGE_LOG2);

	if (cmd->arg4 & ~(uint64_t)MR_FLAGS || (access & ~(uint32_t)MR_ACCESS) ||
	    ((access & (CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC)) &&
	     !(access & CAIRN_ACCESS_LOCAL_WRITE)))
		return 12;
	if (!cmd->arg1 || cmd->arg1 > 1ull << 40 || cmd->arg0 + cmd->arg1 - 1 < cmd->arg0)
		return 6;
	if (cmd->arg3 >= PDS)
		return 10;
	if (mode == CAIRN_MR_MODE_DIRECT)
		return lg ? 12 : cmd->arg2 + cmd->arg1 - 1 < cmd->arg2 ? 8 : -1;
	if (mode != CAIRN_MR_MODE_PAGED || (lg != 12 && lg != 21))
		return 12;
	if (cmd->arg2 % 8 || cmd->arg2 + mr_entries(cmd) > 1ull << dev.table_log2[CAIRN_TABLE_MTT])
		return 8;
	return -1;
}

static void mr_record(struct job *job)
{
	struct cairn_mpt *mpt = &job->rec.mpt;

	memset(&job->rec, 0, sizeof(job->rec));
	mpt->key = job->cmd.number;
	mpt->flags = (uint32_t)job->cmd.arg4;
	mpt->pd = (uint32_t)job->cmd.arg3;
	mpt->base = job->cmd.arg0;
	mpt->length = job->cmd.arg1;
	mpt->map = job->cmd.arg2;
}

static bool mr_paged(const struct job *job)
{
	return CAIRN_GET((uint32_t)job->cmd.arg4, CAIRN_MPT_FLAGS_MODE) == CAIRN_MR_MODE_PAGED;
}

enum fw_run cmd_reg_mr(struct job *job)
{
	int word;

	FW_BEGIN(job->pc)
	word = mr_check(&job->cmd);
	if (word >= 0)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, (unsigned int)word);
	if (!(job->cmd.number >> 8) || !in_table(job->cmd.number >> 8, CAIRN_TABLE_MPT))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_MPT, job->cmd.number >> 8, 0, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_FREE)
		return job_fail(job,
				job->result == CAIRN_CTX_RESULT_OK ? CAIRN_CMD_STATUS_EXISTS
								   : CAIRN_CMD_STATUS_DMA_ERROR,
				CAIRN_CMD_DETAIL_NONE);
	if (mr_paged(job)) { /* lines of an earlier region may still be cached */
		job->rec.words[0] = (uint32_t)((mr_entries(&job->cmd) + 7) / 8);
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_DROP, CAIRN_TABLE_MTT,
			       (uint32_t)(job->cmd.arg2 / 8), 0, NULL) == FW_DONE);
	}
	mr_record(job);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_INIT, CAIRN_TABLE_MPT, job->cmd.number >> 8, 0, NULL) ==
		FW_DONE);
	FW_END;
}

enum fw_run cmd_dereg_mr(struct job *job)
{
	FW_BEGIN(job->pc)
	if (!(job->cmd.number >> 8) || !in_table(job->cmd.number >> 8, CAIRN_TABLE_MPT))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_MPT, job->cmd.number >> 8, 0, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK || job->rec.mpt.key != job->cmd.number)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	if (job->rec.mpt.windows)
		return job_fail(job, CAIRN_CMD_STATUS_BUSY, CAIRN_CMD_DETAIL_NONE);
	job->scratch[3] = 0;
	/* Nobody finds the key from here on; what found it before is gone after the fence. */
	FW_WAIT(ctx_free(job, CAIRN_TABLE_MPT, job->cmd.number >> 8, 1) == FW_DONE);
	FW_WAIT(fence(job) == FW_DONE);
	FW_END;
}

enum fw_run cmd_query_mr(struct job *job)
{
	FW_BEGIN(job->pc)
	if (!(job->cmd.number >> 8) || !in_table(job->cmd.number >> 8, CAIRN_TABLE_MPT))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_MPT, job->cmd.number >> 8, 0, NULL) ==
		FW_DONE);
	if (job->result == CAIRN_CTX_RESULT_OK)
		memcpy(&job->buf, &job->rec, sizeof(job->rec));
	FW_END;
}
