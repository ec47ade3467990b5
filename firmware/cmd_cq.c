// SPDX-License-Identifier: Apache-2.0
/* Completion queues (docs/commands.md 6). */
#include <string.h>

#include "cmd.h"
#include "ctx.h"
#include "dev.h"
#include "dma.h"
#include "eq.h"

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

/* Into CTX_DATA. */
static void cq_record(const struct job *job)
{
	const struct cairn_cq_create *c = &job->buf.cq_create;

	CTX_PUT(cq.tag, CAIRN_PUT(CAIRN_CQ_CTX_TAG_CQN, job->cmd.number) |
				CAIRN_PUT(CAIRN_CQ_CTX_TAG_GEN, 1u));
	CTX_PUT(cq.flags, CAIRN_CQ_CTX_FLAGS_VALID | CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_LOG2, c->log2) |
				  CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_EQN, c->eqn) |
				  CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_DB_PAGE, c->db_page));
	CTX_PUT64(cq.base, c->base);
	CTX_PUT64(cq.ci_iova, c->ci_iova);
}

enum fw_run cmd_create_cq(struct job *job)
{
	unsigned int word;
	enum cairn_cmd_status status;

	FW_BEGIN(job->self)
	if (!in_table(job->cmd.number, CAIRN_TABLE_CQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	status = cq_check(job, &word);
	if (status)
		return job_fail(job, status, word);
	FW_WAIT(job_lock(job, LOCK_CQ(job->cmd.number)));
	FW_WAIT(ctx_look(job, CAIRN_TABLE_CQ, job->cmd.number, 0) == FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_FREE)
		return job_not_free(job);
	if (!eq_reserve(job->buf.cq_create.eqn))
		return job_fail(job, CAIRN_CMD_STATUS_NO_RESOURCE, CAIRN_CMD_DETAIL_NONE);
	FW_WAIT(ctx_fresh(job) == FW_DONE);
	cq_record(job);
	FW_WAIT(ctx_make(job, CAIRN_TABLE_CQ, job->cmd.number, 0) == FW_DONE);
	db_entry(CAIRN_DB_TABLE_CQ, job->cmd.number, CAIRN_DB_OP_OPEN, job->buf.cq_create.db_page);
	FW_END;
}

enum fw_run cmd_destroy_cq(struct job *job)
{
	FW_BEGIN(job->self)
	if (!in_table(job->cmd.number, CAIRN_TABLE_CQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(job_lock(job, LOCK_CQ(job->cmd.number)));
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_CQ, job->cmd.number, 0, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	job->f.destroy_cq.eqn = CAIRN_GET(job->rec.cq.flags, CAIRN_CQ_CTX_FLAGS_EQN);
	db_entry(CAIRN_DB_TABLE_CQ, job->cmd.number, CAIRN_DB_OP_CLOSE, 0);
	FW_WAIT(fence(job) == FW_DONE);
	FW_WAIT(ctx_free(job, CAIRN_TABLE_CQ, job->cmd.number, 1) == FW_DONE);
	FW_WAIT(fence(job) == FW_DONE);
	eq_unreserve(job->f.destroy_cq.eqn);
	FW_END;
}

enum fw_run cmd_query_cq(struct job *job)
{
	FW_BEGIN(job->self)
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

/* ---- changes of a live CQ ---- */

enum fw_run cmd_modify_cq(struct job *job)
{
	static const union record mod_mask = { .cq.mod = ~0u };

	FW_BEGIN(job->self)
	if (job->cmd.arg0 > 65535)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (job->cmd.arg1 > 65535)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 6);
	if (!in_table(job->cmd.number, CAIRN_TABLE_CQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	memset(&job->rec, 0, sizeof(job->rec));
	job->rec.cq.mod = CAIRN_PUT(CAIRN_CQ_CTX_MOD_COUNT, (uint32_t)job->cmd.arg0) |
			  CAIRN_PUT(CAIRN_CQ_CTX_MOD_PERIOD, (uint32_t)job->cmd.arg1);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_MODIFY, CAIRN_TABLE_CQ, job->cmd.number, 0, &mod_mask) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	FW_END;
}

/* The new consumer record has come. */
static bool ci_came(struct job *job)
{
	return dma_ended(job->slot, &job->f.resize_cq.unreadable);
}

/* What must be as it was: the word of the buffer to blame, or 0. */
static unsigned int resize_check(const struct job *job)
{
	const struct cairn_cq_create *c = &job->buf.cq_create;
	const struct cairn_cq_ctx *cq = &job->rec.cq;

	if (job->f.resize_cq.consumer.index - cq->ci > cq->pi - cq->ci)
		return CAIRN_CMD_DETAIL_BUFFER + 2;
	if ((c->eqn & 0xff) != CAIRN_GET(cq->flags, CAIRN_CQ_CTX_FLAGS_EQN))
		return CAIRN_CMD_DETAIL_BUFFER + 5;
	if (c->db_page != CAIRN_GET(cq->flags, CAIRN_CQ_CTX_FLAGS_DB_PAGE))
		return CAIRN_CMD_DETAIL_BUFFER + 6;
	return 0;
}

/*
 * One change of the record: completions go to the new ring from then on, and the device refuses it
 * when what is not consumed does not fit. Only after the fence is nothing on its way to the old
 * one.
 */
enum fw_run cmd_resize_cq(struct job *job)
{
	static const union record ring_mask = {
		.cq = { .flags = CAIRN_CQ_CTX_FLAGS_LOG2,
			.base = ~0ull,
			.ci_iova = ~0ull,
			.ci = ~0u },
	};
	enum cairn_cmd_status status;
	unsigned int word;

	FW_BEGIN(job->self)
	if (!in_table(job->cmd.number, CAIRN_TABLE_CQ))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	status = cq_check(job, &word);
	if (status)
		return job_fail(job, status, word);
	dma_start_read(job->slot, &job->f.resize_cq.consumer, job->buf.cq_create.ci_iova,
		       sizeof(job->f.resize_cq.consumer));
	FW_WAIT(ci_came(job));
	if (job->f.resize_cq.unreadable)
		return job_fail(job, CAIRN_CMD_STATUS_DMA_ERROR, CAIRN_CMD_DETAIL_BUFFER + 2);
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_CQ, job->cmd.number, 0, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK || (job->rec.cq.flags & CAIRN_CQ_CTX_FLAGS_ERR))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	word = resize_check(job);
	if (word)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, word);
	memset(&job->rec, 0, sizeof(job->rec));
	job->rec.cq.flags = CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_LOG2, job->buf.cq_create.log2);
	job->rec.cq.base = job->buf.cq_create.base;
	job->rec.cq.ci_iova = job->buf.cq_create.ci_iova;
	job->rec.cq.ci = job->f.resize_cq.consumer.index;
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_MODIFY, CAIRN_TABLE_CQ, job->cmd.number, 0, &ring_mask) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	job->value0 = job->rec.cq.pi;
	FW_WAIT(fence(job) == FW_DONE);
	FW_END;
}
