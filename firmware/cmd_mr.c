// SPDX-License-Identifier: Apache-2.0
/*
 * Memory regions and windows (docs/commands.md 8).  A record has two writers: this file, and
 * mr_update for what work requests and peers change (register, bind, invalidate); both go through
 * the cache of the records, one change at a time.
 */
#include <string.h>

#include "cmd.h"
#include "ctx.h"
#include "dev.h"

#define MR_FLAGS (CAIRN_MPT_FLAGS_MODE | CAIRN_MPT_FLAGS_ACCESS | CAIRN_MPT_FLAGS_PAGE_LOG2)
#define MR_ACCESS                                                                          \
	(CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_READ | \
	 CAIRN_ACCESS_REMOTE_ATOMIC)

static bool mr_alloc(const struct cairn_cmd *cmd)
{
	return CAIRN_GET(cmd->head, CAIRN_CMD_HEAD_FLAGS) & CAIRN_MR_FLAG_ALLOC;
}

static uint64_t mr_entries(const struct cairn_cmd *cmd)
{
	unsigned int lg = CAIRN_GET((uint32_t)cmd->arg4, CAIRN_MPT_FLAGS_PAGE_LOG2);

	if (mr_alloc(cmd))
		return cmd->arg1;
	return ((cmd->arg0 + cmd->arg1 - 1) >> lg) - (cmd->arg0 >> lg) + 1;
}

static bool mtt_range(const struct cairn_cmd *cmd)
{
	uint64_t limit = 1ull << dev.table_log2[CAIRN_TABLE_MTT];

	return cmd->arg2 % 8 == 0 && cmd->arg2 < limit && mr_entries(cmd) <= limit - cmd->arg2;
}

/* A key with room for a page list, not valid yet.  The word to blame, or -1. */
static int alloc_check(const struct cairn_cmd *cmd)
{
	if (cmd->arg4 != CAIRN_PUT(CAIRN_MPT_FLAGS_MODE, CAIRN_MR_MODE_PAGED))
		return 12;
	if (cmd->arg0)
		return 4;
	if (!cmd->arg1)
		return 6;
	if (cmd->arg3 >= PDS)
		return 10;
	return mtt_range(cmd) ? -1 : 8;
}

/* The word of the command to blame, or -1. */
static int mr_check(const struct cairn_cmd *cmd)
{
	uint32_t flags = (uint32_t)cmd->arg4, access = CAIRN_GET(flags, CAIRN_MPT_FLAGS_ACCESS);
	uint32_t mode = CAIRN_GET(flags, CAIRN_MPT_FLAGS_MODE);
	uint32_t known = MR_ACCESS | CAIRN_ACCESS_ZERO_BASED;
	unsigned int lg = CAIRN_GET(flags, CAIRN_MPT_FLAGS_PAGE_LOG2);

	if (dev.features & CAIRN_REG_FEATURES_MW)
		known |= CAIRN_ACCESS_MW_BIND;
	if (cmd->arg4 & ~(uint64_t)MR_FLAGS || (access & ~known) ||
	    ((access & (CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC)) &&
	     !(access & CAIRN_ACCESS_LOCAL_WRITE)))
		return 12;
	if (access & CAIRN_ACCESS_ZERO_BASED && cmd->arg0)
		return 4;
	if (!cmd->arg1 || cmd->arg1 > MAX_MR_BYTES || cmd->arg0 + cmd->arg1 - 1 < cmd->arg0)
		return 6;
	if (cmd->arg3 >= PDS)
		return 10;
	if (mode == CAIRN_MR_MODE_DIRECT)
		return lg ? 12 : cmd->arg2 + cmd->arg1 - 1 < cmd->arg2 ? 8 : -1;
	if (mode != CAIRN_MR_MODE_PAGED || !(PAGE_SIZES >> lg & 1))
		return 12;
	return mtt_range(cmd) ? -1 : 8;
}

static void mr_record(struct job *job)
{
	struct cairn_mpt *mpt = &job->rec.mpt;

	memset(&job->rec, 0, sizeof(job->rec));
	mpt->key = job->cmd.number;
	mpt->flags = (uint32_t)job->cmd.arg4;
	mpt->pd = (uint32_t)job->cmd.arg3;
	mpt->map = job->cmd.arg2;
	if (mr_alloc(&job->cmd)) {
		mpt->flags = CAIRN_MPT_FLAGS_FREED;
		mpt->pages = (uint32_t)job->cmd.arg1;
		return;
	}
	mpt->base = job->cmd.arg0;
	mpt->length = job->cmd.arg1;
}

static bool mr_paged(const struct job *job)
{
	return CAIRN_GET((uint32_t)job->cmd.arg4, CAIRN_MPT_FLAGS_MODE) == CAIRN_MR_MODE_PAGED;
}

static bool key_in_table(const struct job *job)
{
	return job->cmd.number >> 8 && in_table(job->cmd.number >> 8, CAIRN_TABLE_MPT);
}

static enum fw_run mpt_op(struct job *job, enum cairn_ctx_op op, const union record *mask)
{
	return ctx_op(job, op, CAIRN_TABLE_MPT, job->cmd.number >> 8, 0, mask);
}

enum fw_run cmd_reg_mr(struct job *job)
{
	int word;

	FW_BEGIN(job->self)
	if (mr_alloc(&job->cmd) && !(dev.features & CAIRN_REG_FEATURES_MW))
		return job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 0);
	word = mr_alloc(&job->cmd) ? alloc_check(&job->cmd) : mr_check(&job->cmd);
	if (word >= 0)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, (unsigned int)word);
	if (!key_in_table(job))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(job_lock(job, LOCK_KEY(job->cmd.number)));
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_FREE)
		return job_not_free(job);
	if (mr_paged(job)) { /* lines of an earlier region may still be cached */
		job->rec.words[0] = (uint32_t)((mr_entries(&job->cmd) + 7) / 8);
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_DROP, CAIRN_TABLE_MTT,
			       (uint32_t)(job->cmd.arg2 / 8), 0, NULL) == FW_DONE);
	}
	mr_record(job);
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_INIT, NULL) == FW_DONE);
	FW_END;
}

/* Neither valid nor to be registered. */
static const union record mode_mask = {
	.mpt.flags = CAIRN_MPT_FLAGS_MODE | CAIRN_MPT_FLAGS_FREED,
};
static const union record unbound_mask = { .mpt.unbound = ~0u };

static uint32_t mr_windows(const struct cairn_mpt *mpt)
{
	return mpt->windows - mpt->unbound;
}

/* From the first step on the key is not found, and no window binds to it; what found it before is
 * gone after the fence. */
enum fw_run cmd_dereg_mr(struct job *job)
{
	FW_BEGIN(job->self)
	if (!key_in_table(job))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(job_lock(job, LOCK_KEY(job->cmd.number)));
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK || (job->rec.mpt.flags & CAIRN_MPT_FLAGS_WINDOW) ||
	    (job->rec.mpt.key != job->cmd.number && !job->rec.mpt.pages))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	if (mr_windows(&job->rec.mpt))
		return job_fail(job, CAIRN_CMD_STATUS_BUSY, CAIRN_CMD_DETAIL_NONE);
	job->f.dereg_mr.flags = job->rec.mpt.flags;
	memset(&job->rec, 0, sizeof(job->rec));
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_MODIFY, &mode_mask) == FW_DONE);
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (mr_windows(&job->rec.mpt)) { /* a bind came between */
		job->rec.mpt.flags = job->f.dereg_mr.flags;
		FW_WAIT(mpt_op(job, CAIRN_CTX_OP_MODIFY, &mode_mask) == FW_DONE);
		return job_fail(job, CAIRN_CMD_STATUS_BUSY, CAIRN_CMD_DETAIL_NONE);
	}
	FW_WAIT(ctx_free(job, CAIRN_TABLE_MPT, job->cmd.number >> 8, 1) == FW_DONE);
	FW_WAIT(fence(job) == FW_DONE);
	FW_END;
}

enum fw_run cmd_query_mr(struct job *job)
{
	FW_BEGIN(job->self)
	if (!key_in_table(job))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (job->result == CAIRN_CTX_RESULT_OK)
		memcpy(&job->buf, &job->rec, sizeof(job->rec));
	FW_END;
}

/* ---- windows ---- */

enum fw_run cmd_alloc_mw(struct job *job)
{
	FW_BEGIN(job->self)
	if (job->cmd.arg0 >= PDS)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (job->cmd.arg1 != 1 && job->cmd.arg1 != 2)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 6);
	if (!key_in_table(job))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(job_lock(job, LOCK_KEY(job->cmd.number)));
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_FREE)
		return job_not_free(job);
	memset(&job->rec, 0, sizeof(job->rec));
	job->rec.mpt.key = job->cmd.number;
	job->rec.mpt.flags = CAIRN_MPT_FLAGS_WINDOW | CAIRN_MPT_FLAGS_FREED |
			     (job->cmd.arg1 == 2 ? CAIRN_MPT_FLAGS_TYPE2 : 0);
	job->rec.mpt.pd = (uint32_t)job->cmd.arg0;
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_INIT, NULL) == FW_DONE);
	FW_END;
}

static const union record flags_mask = { .mpt.flags = ~0u };

/*
 * Counting a window off its region.  No other job gets the context port between the two operations:
 * this one asks again before it gives up the core.
 */
static enum fw_run unbind(struct job *job)
{
	uint32_t index = job->f.dealloc_mw.region >> 8;

	FW_BEGIN(job->f.dealloc_mw.unbind)
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_MPT, index, 0, NULL) == FW_DONE);
	if (job->result == CAIRN_CTX_RESULT_OK) {
		job->rec.mpt.unbound++;
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_MODIFY, CAIRN_TABLE_MPT, index, 0,
			       &unbound_mask) == FW_DONE);
	}
	FW_END;
}

/* No window any more, it is neither bound nor found, and its region does not change. */
enum fw_run cmd_dealloc_mw(struct job *job)
{
	FW_BEGIN(job->self)
	if (!key_in_table(job))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(job_lock(job, LOCK_KEY(job->cmd.number)));
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK || !(job->rec.mpt.flags & CAIRN_MPT_FLAGS_WINDOW))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	memset(&job->rec, 0, sizeof(job->rec));
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_MODIFY, &flags_mask) == FW_DONE);
	FW_WAIT(mpt_op(job, CAIRN_CTX_OP_READ, NULL) == FW_DONE);
	job->f.dealloc_mw.region = job->rec.mpt.parent;
	if (job->f.dealloc_mw.region)
		FW_WAIT(unbind(job) == FW_DONE);
	FW_WAIT(ctx_free(job, CAIRN_TABLE_MPT, job->cmd.number >> 8, 1) == FW_DONE);
	FW_WAIT(fence(job) == FW_DONE);
	FW_END;
}
