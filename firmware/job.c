// SPDX-License-Identifier: Apache-2.0
/*
 * Jobs: a command in execution, or what else needs its helpers (qp_event.c).  How one ends badly,
 * and which numbers it holds so that no other changes the same object meanwhile.
 */
#include "job.h"
#include "loop.h"

void job_begin(struct job *job)
{
	job->status = CAIRN_CMD_STATUS_OK;
	job->detail = 0;
	job->value0 = job->value1 = 0;
	job->self.pc = job->ctx.self.pc = job->qp.self.pc = job->qp.walk.pc = 0;
	job->ctx.part = 0;
	job->f = (union frame){ 0 };
}

enum fw_run job_fail(struct job *job, enum cairn_cmd_status status, unsigned int detail)
{
	job->status = (uint8_t)status;
	job->detail = (uint8_t)detail;
	job->self.pc = 0;
	return FW_DONE;
}

enum fw_run job_not_free(struct job *job)
{
	return job_fail(job,
			job->result == CAIRN_CTX_RESULT_OK ? CAIRN_CMD_STATUS_EXISTS
							   : CAIRN_CMD_STATUS_DMA_ERROR,
			CAIRN_CMD_DETAIL_NONE);
}

static uint32_t locks[JOBS + 1]; /* by job: the number + 1, or 0 */
static unsigned int locked;	 /* how many */
static bool lock_wanted;	 /* one that another has */

bool job_lock(const struct job *job, uint32_t number)
{
	unsigned int mine = locks[job->slot] != 0;

	for (unsigned int i = 0; locked > mine && i < ARRAY_SIZE(locks); i++) {
		if (i != job->slot && locks[i] == number + 1) {
			lock_wanted = true;
			return false;
		}
	}
	locks[job->slot] = number + 1;
	locked += !mine;
	return true;
}

void job_unlock(const struct job *job)
{
	if (!locks[job->slot])
		return;
	locks[job->slot] = 0;
	locked--;
	if (lock_wanted)
		fw_look_again();
	lock_wanted = false;
}
