// SPDX-License-Identifier: Apache-2.0
/*
 * Which commands there are, what each of them uses and needs, and the checks that all share
 * (docs/commands.md 2).
 */
#include "cmd.h"
#include "dev.h"

enum { BEFORE_ENABLE = 1, NEEDS_ENABLE = 2 }; /* device state a command needs */

/* Objects of the transport exist only in builds that have one. */
#define TRANSPORT (CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD)

static const struct cmd_info infos[] = {
	[CAIRN_CMD_OP_NOP] = { 0 },
	[CAIRN_CMD_OP_QUERY_DEVICE] = { cmd_query_device, .out_bytes = 128 },
	[CAIRN_CMD_OP_SETUP_TABLE] = { cmd_setup_table, .state = BEFORE_ENABLE, .number = true,
				       .ptr = true, .args = 1 },
	[CAIRN_CMD_OP_ENABLE] = { cmd_enable, .state = BEFORE_ENABLE },
	[CAIRN_CMD_OP_DISABLE] = { cmd_disable },
	[CAIRN_CMD_OP_QUERY_PORT] = { cmd_query_port, .out_bytes = 64 },
	[CAIRN_CMD_OP_SET_GID] = { cmd_set_gid, .number = true, .flags = CAIRN_GID_FLAG_VALID,
				   .args = 3 },
	[CAIRN_CMD_OP_SET_DB_PAGES] = { cmd_set_db_pages, .state = NEEDS_ENABLE, .number = true,
					.flags = 3, .args = 2, .feature = TRANSPORT },
	[CAIRN_CMD_OP_SET_PORT] = { cmd_set_port, .args = 1, .feature = CAIRN_REG_FEATURES_LOOP },
	[CAIRN_CMD_OP_RESOLVE] = { cmd_resolve, .state = NEEDS_ENABLE, .number = true, .args = 2 },
	[CAIRN_CMD_OP_CREATE_EQ] = { cmd_create_eq, .number = true, .ptr = true, .args = 3 },
	[CAIRN_CMD_OP_DESTROY_EQ] = { cmd_destroy_eq, .number = true },
	[CAIRN_CMD_OP_ALLOC_PD] = { cmd_pd, .state = NEEDS_ENABLE, .number = true },
	[CAIRN_CMD_OP_DEALLOC_PD] = { cmd_pd, .state = NEEDS_ENABLE, .number = true },
	[CAIRN_CMD_OP_CREATE_CQ] = { cmd_create_cq, .in_bytes = 64, .state = NEEDS_ENABLE,
				     .number = true, .feature = TRANSPORT },
	[CAIRN_CMD_OP_DESTROY_CQ] = { cmd_destroy_cq, .state = NEEDS_ENABLE, .number = true,
				      .feature = TRANSPORT },
	[CAIRN_CMD_OP_RESIZE_CQ] = { cmd_resize_cq, .in_bytes = 64, .state = NEEDS_ENABLE,
				     .number = true, .feature = TRANSPORT },
	[CAIRN_CMD_OP_MODIFY_CQ] = { cmd_modify_cq, .state = NEEDS_ENABLE, .number = true,
				     .args = 2, .feature = TRANSPORT },
	[CAIRN_CMD_OP_QUERY_CQ] = { cmd_query_cq, .out_bytes = 64, .state = NEEDS_ENABLE,
				    .number = true, .feature = TRANSPORT },
	[CAIRN_CMD_OP_CREATE_SRQ] = { cmd_create_srq, .state = NEEDS_ENABLE, .number = true,
				      .args = 6, .feature = CAIRN_REG_FEATURES_SRQ },
	[CAIRN_CMD_OP_MODIFY_SRQ] = { cmd_modify_srq, .state = NEEDS_ENABLE, .number = true,
				      .args = 1, .feature = CAIRN_REG_FEATURES_SRQ },
	[CAIRN_CMD_OP_QUERY_SRQ] = { cmd_query_srq, .out_bytes = 64, .state = NEEDS_ENABLE,
				     .number = true, .feature = CAIRN_REG_FEATURES_SRQ },
	[CAIRN_CMD_OP_DESTROY_SRQ] = { cmd_destroy_srq, .state = NEEDS_ENABLE, .number = true,
				       .feature = CAIRN_REG_FEATURES_SRQ },
	[CAIRN_CMD_OP_REG_MR] = { cmd_reg_mr, .state = NEEDS_ENABLE, .number = true,
				  .flags = CAIRN_MR_FLAG_ALLOC, .args = 5, .feature = TRANSPORT },
	[CAIRN_CMD_OP_DEREG_MR] = { cmd_dereg_mr, .state = NEEDS_ENABLE, .number = true,
				    .feature = TRANSPORT },
	[CAIRN_CMD_OP_QUERY_MR] = { cmd_query_mr, .out_bytes = 64, .state = NEEDS_ENABLE,
				    .number = true, .feature = TRANSPORT },
	[CAIRN_CMD_OP_ALLOC_MW] = { cmd_alloc_mw, .state = NEEDS_ENABLE, .number = true, .args = 2,
				    .feature = CAIRN_REG_FEATURES_MW },
	[CAIRN_CMD_OP_DEALLOC_MW] = { cmd_dealloc_mw, .state = NEEDS_ENABLE, .number = true,
				      .feature = CAIRN_REG_FEATURES_MW },
	[CAIRN_CMD_OP_CREATE_QP] = { cmd_create_qp, .in_bytes = 64, .state = NEEDS_ENABLE,
				     .number = true, .feature = TRANSPORT },
	[CAIRN_CMD_OP_MODIFY_QP] = { cmd_modify_qp, .in_bytes = 128, .state = NEEDS_ENABLE,
				     .number = true, .args = 1, .feature = TRANSPORT },
	[CAIRN_CMD_OP_QUERY_QP] = { cmd_query_qp, .out_bytes = 128, .state = NEEDS_ENABLE,
				    .number = true, .feature = TRANSPORT },
	[CAIRN_CMD_OP_DESTROY_QP] = { cmd_destroy_qp, .state = NEEDS_ENABLE, .number = true,
				      .feature = TRANSPORT },
	[CAIRN_CMD_OP_ATTACH_MCAST] = { cmd_mcast, .state = NEEDS_ENABLE, .number = true,
					.args = 2, .feature = CAIRN_REG_FEATURES_UD },
	[CAIRN_CMD_OP_DETACH_MCAST] = { cmd_mcast, .state = NEEDS_ENABLE, .number = true,
					.args = 2, .feature = CAIRN_REG_FEATURES_UD },
};

/* Commands of the contract that no build of this firmware executes yet. */
static bool is_known(unsigned int op)
{
	switch (op) {
	case CAIRN_CMD_OP_CREATE_AH:
	case CAIRN_CMD_OP_SET_CONG:
	case CAIRN_CMD_OP_QUERY_CONG:
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
		return is_known(op) ? refuse(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 0)
				    : refuse(job, CAIRN_CMD_STATUS_BAD_OP, CAIRN_CMD_DETAIL_NONE);
	if (info->feature && !(info->feature & dev.features))
		return refuse(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 0);
	if (info->state & (dev.enabled ? BEFORE_ENABLE : NEEDS_ENABLE)) {
		job->value0 = ~0u;
		return refuse(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	}
	stray = stray_field(&job->cmd, info);
	return stray < 0 || refuse(job, CAIRN_CMD_STATUS_BAD_PARAM, (unsigned int)stray);
}
