// SPDX-License-Identifier: Apache-2.0
/* Event queues (docs/commands.md 5). */
#include "cmd.h"
#include "ctx.h"
#include "dev.h"

enum fw_run cmd_create_eq(struct job *job)
{
	uint32_t eqn = job->cmd.number, log2 = (uint32_t)job->cmd.arg0;

	if (!job->cmd.ptr || job->cmd.ptr % 4096)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 2);
	if (job->cmd.arg0 < 4 || job->cmd.arg0 > CAIRN_MAX_RING_LOG2 ||
	    (eqn == CAIRN_EQN_ASYNC && job->cmd.arg0 < 8))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (job->cmd.arg1 >= CAIRN_MSIX_VECTORS)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 6);
	if (job->cmd.arg2 >= CAIRN_DB_PAGES)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 8);
	if (eqn >= dev.n_eqs)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	if (dev.eq_valid >> eqn & 1)
		return job_fail(job, CAIRN_CMD_STATUS_EXISTS, CAIRN_CMD_DETAIL_NONE);
	reg_write64(REG(EQ, EQ_BASE), job->cmd.ptr);
	mmio_write32(REG(EQ, EQ_SET),
		     CAIRN_REG_EQ_SET_VALID | CAIRN_PUT(CAIRN_REG_EQ_SET_EQN, eqn) |
			     CAIRN_PUT(CAIRN_REG_EQ_SET_LOG2, log2) |
			     CAIRN_PUT(CAIRN_REG_EQ_SET_VECTOR, (uint32_t)job->cmd.arg1) |
			     (eqn == CAIRN_EQN_ASYNC ? CAIRN_REG_EQ_SET_ASYNC : 0));
	db_entry(CAIRN_DB_TABLE_EQ, eqn, CAIRN_DB_OP_OPEN, (uint32_t)job->cmd.arg2);
	dev.eq_valid |= 1u << eqn;
	dev.eq_log2[eqn] = (uint8_t)log2;
	dev.eq_users[eqn] = 0;
	return FW_DONE;
}

enum fw_run cmd_destroy_eq(struct job *job)
{
	uint32_t eqn = job->cmd.number;

	FW_BEGIN(job->self)
	if (eqn >= dev.n_eqs)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	if (!(dev.eq_valid >> eqn & 1))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	if (dev.eq_users[eqn] || (eqn == CAIRN_EQN_ASYNC && dev.enabled))
		return job_fail(job, CAIRN_CMD_STATUS_BUSY, CAIRN_CMD_DETAIL_NONE);
	db_entry(CAIRN_DB_TABLE_EQ, eqn, CAIRN_DB_OP_CLOSE, 0);
	mmio_write32(REG(EQ, EQ_SET), CAIRN_PUT(CAIRN_REG_EQ_SET_EQN, eqn));
	dev.eq_valid &= ~(1u << eqn);
	FW_END;
}
