// SPDX-License-Identifier: Apache-2.0
/*
 * Which commands there are (cmd_rows.h, made of hw.def), and the checks that all share
 * (docs/commands.md 2).
 */
#include "cmd.h"
#include "dev.h"

static const struct cmd_info infos[] = { CMD_INFOS };

static bool is_reserved(unsigned int op)
{
	switch (op) {
	CMD_RESERVED
		return true;
	default:
		return false;
	}
}

/* Fields that a command does not name must be zero: the word to blame, or -1. */
static int stray_field(const struct cairn_cmd *cmd, const struct cmd_info *info)
{
	if (CAIRN_GET(cmd->head, CAIRN_CMD_HEAD_FLAGS) & ~(uint32_t)info->flags)
		return 0;
	if (cmd->number && !info->number)
		return 1;
	if (cmd->ptr && !info->ptr)
		return 2;
	switch (info->args) {
	case 0:
		if (cmd->arg0)
			return 4;
		__attribute__((fallthrough));
	case 1:
		if (cmd->arg1)
			return 6;
		__attribute__((fallthrough));
	case 2:
		if (cmd->arg2)
			return 8;
		__attribute__((fallthrough));
	case 3:
		if (cmd->arg3)
			return 10;
		__attribute__((fallthrough));
	case 4:
		if (cmd->arg4)
			return 12;
		__attribute__((fallthrough));
	case 5:
		if (cmd->arg5)
			return 14;
		__attribute__((fallthrough));
	default:
		return -1;
	}
}

static bool refuse(struct job *job, enum cairn_cmd_status status, unsigned int detail)
{
	job_fail(job, status, detail);
	return false;
}

/* In the order of docs/commands.md. */
bool cmd_check(struct job *job)
{
	unsigned int op = CAIRN_GET(job->cmd.head, CAIRN_CMD_HEAD_OP);
	const struct cmd_info *info = &infos[op < ARRAY_SIZE(infos) ? op : 0];
	int stray;

	job->info = info;
	if (job->cmd.check != (CAIRN_PUT(CAIRN_CMD_CHECK_INDEX, (uint32_t)job->index) |
			       CAIRN_PUT(CAIRN_CMD_CHECK_MAGIC, (uint32_t)CAIRN_CMD_MAGIC)))
		return refuse(job, CAIRN_CMD_STATUS_BAD_PARAM, 15);
	if (op >= ARRAY_SIZE(infos) || (!info->run && op != CAIRN_CMD_OP_NOP))
		return is_reserved(op) ? refuse(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 0)
				    : refuse(job, CAIRN_CMD_STATUS_BAD_OP, CAIRN_CMD_DETAIL_NONE);
	if (info->feature && !(info->feature & dev.features))
		return refuse(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 0);
	if (info->state & (dev.enabled ? CMD_BEFORE_ENABLE : CMD_ENABLED)) {
		job->value0 = ~0u;
		return refuse(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	}
	stray = stray_field(&job->cmd, info);
	return stray < 0 || refuse(job, CAIRN_CMD_STATUS_BAD_PARAM, (unsigned int)stray);
}
