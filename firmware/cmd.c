// SPDX-License-Identifier: Apache-2.0
/*
 * The command queue (docs/commands.md 2): takes commands in ring order, runs up to JOBS of them at
 * once as state machines, writes their completions in the order in which they end.
 */
#include <string.h>

#include "fw.h"

/* Life of a job; the areas of its DMA buffer: command, buffer at ptr, completion. */
enum phase { JOB_FREE, JOB_FETCH, JOB_INPUT, JOB_RUN, JOB_OUTPUT, JOB_COMPLETE };
#define AREA_CMD 0u
#define AREA_BUF 64u
#define AREA_CPL 256u

#define PTR 0x80u
enum { BEFORE_ENABLE = 1, NEEDS_ENABLE = 2 }; /* device state a command needs */

struct cmd_info {
	enum fw_run (*run)(struct job *job); /* NULL: nothing to do, OK */
	uint8_t in_bytes, out_bytes;	     /* of the buffer at ptr */
	uint8_t state;
	bool number;	  /* uses cmd.number */
	uint8_t flags;	  /* FLAGS bits that may be set */
	uint8_t args;	  /* bit n: uses arg n (5 is arg5); PTR: ptr is a ring or a table */
	uint32_t feature; /* any of these FEATURES bits; 0: always */
};

/* Objects of the transport exist only in builds that have one. */
#define TRANSPORT (CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD)

static const struct cmd_info infos[] = {
	[CAIRN_CMD_OP_NOP] = { 0 },
	[CAIRN_CMD_OP_QUERY_DEVICE] = { cmd_query_device, .out_bytes = 128 },
	[CAIRN_CMD_OP_SETUP_TABLE] = { cmd_setup_table, .state = BEFORE_ENABLE, .number = true,
				       .args = 1 | PTR },
	[CAIRN_CMD_OP_ENABLE] = { cmd_enable, .state = BEFORE_ENABLE },
	[CAIRN_CMD_OP_DISABLE] = { cmd_disable },
	[CAIRN_CMD_OP_QUERY_PORT] = { cmd_query_port, .out_bytes = 64 },
	[CAIRN_CMD_OP_SET_GID] = { cmd_set_gid, .number = true, .flags = CAIRN_GID_FLAG_VALID,
				   .args = 7 },
	[CAIRN_CMD_OP_SET_DB_PAGES] = { cmd_set_db_pages, .state = NEEDS_ENABLE, .number = true,
					.flags = 3, .args = 3, .feature = TRANSPORT },
	[CAIRN_CMD_OP_SET_PORT] = { cmd_set_port, .args = 1, .feature = CAIRN_REG_FEATURES_LOOP },
	[CAIRN_CMD_OP_RESOLVE] = { cmd_resolve, .state = NEEDS_ENABLE, .number = true, .args = 3 },
	[CAIRN_CMD_OP_CREATE_EQ] = { cmd_create_eq, .number = true, .args = 7 | PTR },
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
				     .args = 3, .feature = TRANSPORT },
	[CAIRN_CMD_OP_QUERY_CQ] = { cmd_query_cq, .out_bytes = 64, .state = NEEDS_ENABLE,
				    .number = true, .feature = TRANSPORT },
	[CAIRN_CMD_OP_CREATE_SRQ] = { cmd_create_srq, .state = NEEDS_ENABLE, .number = true,
				      .args = 63, .feature = CAIRN_REG_FEATURES_SRQ },
	[CAIRN_CMD_OP_MODIFY_SRQ] = { cmd_modify_srq, .state = NEEDS_ENABLE, .number = true,
				      .args = 1, .feature = CAIRN_REG_FEATURES_SRQ },
	[CAIRN_CMD_OP_QUERY_SRQ] = { cmd_query_srq, .out_bytes = 64, .state = NEEDS_ENABLE,
				     .number = true, .feature = CAIRN_REG_FEATURES_SRQ },
	[CAIRN_CMD_OP_DESTROY_SRQ] = { cmd_destroy_srq, .state = NEEDS_ENABLE, .number = true,
				       .feature = CAIRN_REG_FEATURES_SRQ },
	[CAIRN_CMD_OP_REG_MR] = { cmd_reg_mr, .state = NEEDS_ENABLE, .number = true,
				  .flags = CAIRN_MR_FLAG_ALLOC, .args = 31, .feature = TRANSPORT },
	[CAIRN_CMD_OP_DEREG_MR] = { cmd_dereg_mr, .state = NEEDS_ENABLE, .number = true,
				    .feature = TRANSPORT },
	[CAIRN_CMD_OP_QUERY_MR] = { cmd_query_mr, .out_bytes = 64, .state = NEEDS_ENABLE,
				    .number = true, .feature = TRANSPORT },
	[CAIRN_CMD_OP_ALLOC_MW] = { cmd_alloc_mw, .state = NEEDS_ENABLE, .number = true, .args = 3,
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
					.args = 3, .feature = CAIRN_REG_FEATURES_UD },
	[CAIRN_CMD_OP_DETACH_MCAST] = { cmd_mcast, .state = NEEDS_ENABLE, .number = true,
					.args = 3, .feature = CAIRN_REG_FEATURES_UD },
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

static struct job jobs[JOBS];
static struct {
	bool enabled;
	uint64_t base, cpl_base;
	uint32_t size_reg;
	uint16_t mask;
	uint16_t taken;	    /* commands begun */
	uint16_t completed; /* completions written */
	uint8_t next_job;   /* round robin, so that commands begin in ring order */
} ring;

enum fw_run job_fail(struct job *job, enum cairn_cmd_status status, unsigned int detail)
{
	job->status = (uint8_t)status;
	job->detail = (uint8_t)detail;
	job->pc = 0;
	return FW_DONE;
}

enum fw_run job_not_free(struct job *job)
{
	return job_fail(job,
			job->result == CAIRN_CTX_RESULT_OK ? CAIRN_CMD_STATUS_EXISTS
							   : CAIRN_CMD_STATUS_DMA_ERROR,
			CAIRN_CMD_DETAIL_NONE);
}

/* Fields that a command does not name must be zero: the word to blame, or -1. */
static int stray_field(const struct cairn_cmd *cmd, const struct cmd_info *info)
{
	const uint64_t args[] = {
		cmd->arg0, cmd->arg1, cmd->arg2, cmd->arg3, cmd->arg4, cmd->arg5
	};

	if (CAIRN_GET(cmd->head, CAIRN_CMD_HEAD_FLAGS) & ~(uint32_t)info->flags)
		return 0;
	if (cmd->number && !info->number)
		return 1;
	if (cmd->ptr && !info->in_bytes && !info->out_bytes && !(info->args & PTR))
		return 2;
	for (unsigned int i = 0; i < ARRAY_SIZE(args); i++)
		if (args[i] && !(info->args >> i & 1))
			return (int)(4 + 2 * i);
	return -1;
}

/* The checks that all commands share, in the order of docs/commands.md. */
static bool job_check(struct job *job, const struct cmd_info **info_out)
{
	unsigned int op = CAIRN_GET(job->cmd.head, CAIRN_CMD_HEAD_OP);
	const struct cmd_info *info = &infos[op < ARRAY_SIZE(infos) ? op : 0];
	int stray;

	if (CAIRN_GET(job->cmd.check, CAIRN_CMD_CHECK_INDEX) != job->index ||
	    CAIRN_GET(job->cmd.check, CAIRN_CMD_CHECK_MAGIC) != CAIRN_CMD_MAGIC) {
		job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 15);
		return false;
	}
	if (op >= ARRAY_SIZE(infos) || (!info->run && op != CAIRN_CMD_OP_NOP)) {
		job_fail(job,
			 is_known(op) ? CAIRN_CMD_STATUS_NOT_SUPPORTED : CAIRN_CMD_STATUS_BAD_OP,
			 is_known(op) ? 0 : CAIRN_CMD_DETAIL_NONE);
		return false;
	}
	if (info->feature && !(info->feature & dev.features)) {
		job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 0);
		return false;
	}
	if ((info->state == BEFORE_ENABLE && dev.enabled) ||
	    (info->state == NEEDS_ENABLE && !dev.enabled)) {
		job->value0 = ~0u;
		job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
		return false;
	}
	stray = stray_field(&job->cmd, info);
	if (stray >= 0) {
		job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, (unsigned int)stray);
		return false;
	}
	if ((info->in_bytes || info->out_bytes) && (!job->cmd.ptr || job->cmd.ptr % 64)) {
		job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 2);
		return false;
	}
	*info_out = info;
	return true;
}

static const struct cmd_info *info_of(const struct job *job)
{
	return &infos[CAIRN_GET(job->cmd.head, CAIRN_CMD_HEAD_OP)];
}

static void job_complete(struct job *job)
{
	struct cairn_cmd_cpl cpl = {
		.head = CAIRN_PUT(CAIRN_CMD_CPL_HEAD_ID,
				  CAIRN_GET(job->cmd.head, CAIRN_CMD_HEAD_ID)) |
			CAIRN_PUT(CAIRN_CMD_CPL_HEAD_STATUS, (uint32_t)job->status) |
			CAIRN_PUT(CAIRN_CMD_CPL_HEAD_DETAIL, (uint32_t)job->detail),
		.value0 = job->value0,
		.value1 = job->value1,
	};
	uint16_t at = ring.completed++;
	bool phase = !(at / (ring.mask + 1u) & 1);
	bool irq = CAIRN_GET(ring.size_reg, CAIRN_REG_CMDQ_SIZE_IRQ_EN);

	cpl.owner = CAIRN_PUT(CAIRN_CMD_CPL_OWNER_INDEX, (uint32_t)at) |
		    (phase ? CAIRN_CMD_CPL_OWNER_PHASE : 0);
	dma_copy_in(job->slot, AREA_CPL, &cpl, sizeof(cpl));
	dma_start_write(job->slot, AREA_CPL, ring.cpl_base + (at & ring.mask) * sizeof(cpl),
			sizeof(cpl),
			irq ? (int)CAIRN_GET(ring.size_reg, CAIRN_REG_CMDQ_SIZE_VECTOR) : -1);
	job->phase = JOB_COMPLETE;
}

/* After the handler: an output buffer is written only when all went well. */
static void job_output(struct job *job)
{
	unsigned int bytes = job->status == CAIRN_CMD_STATUS_OK ? info_of(job)->out_bytes : 0;

	qp_unlock(job);
	if (!bytes) {
		job_complete(job);
		return;
	}
	dma_copy_in(job->slot, AREA_BUF, &job->buf, bytes);
	dma_start_write(job->slot, AREA_BUF, job->cmd.ptr, bytes, -1);
	job->phase = JOB_OUTPUT;
}

static void job_run(struct job *job)
{
	const struct cmd_info *info = info_of(job);

	job->phase = JOB_RUN;
	if (!info->run || info->run(job) == FW_DONE)
		job_output(job);
}

static void job_fetched(struct job *job, bool err)
{
	const struct cmd_info *info;

	if (err) { /* the ring itself is unreadable: there is nobody to tell */
		fw_log(2, "command ring unreadable", job->index, 0);
		mmio_write32(REG(MBX, MBX_STATE),
			     CAIRN_REG_MBX_STATE_READY | CAIRN_REG_MBX_STATE_FATAL);
		job->phase = JOB_FREE;
		return;
	}
	dma_copy_out(job->slot, AREA_CMD, &job->cmd, sizeof(job->cmd));
	job->status = CAIRN_CMD_STATUS_OK;
	job->detail = 0;
	job->value0 = job->value1 = 0;
	job->pc = job->sub_pc = job->reset_pc = job->view_pc = 0;
	memset(&job->buf, 0, sizeof(job->buf));
	if (!job_check(job, &info)) {
		job_complete(job);
	} else if (info->in_bytes) {
		dma_start_read(job->slot, AREA_BUF, job->cmd.ptr, info->in_bytes);
		job->phase = JOB_INPUT;
	} else {
		job_run(job);
	}
}

static void job_step(struct job *job)
{
	bool err;

	switch (job->phase) {
	case JOB_FETCH:
		if (dma_ended(job->slot, &err))
			job_fetched(job, err);
		break;
	case JOB_INPUT:
		if (!dma_ended(job->slot, &err))
			break;
		if (err) {
			job_fail(job, CAIRN_CMD_STATUS_DMA_ERROR, 2);
			job_complete(job);
			break;
		}
		dma_copy_out(job->slot, AREA_BUF, &job->buf, info_of(job)->in_bytes);
		job_run(job);
		break;
	case JOB_RUN:
		job_run(job);
		break;
	case JOB_OUTPUT:
		if (dma_ended(job->slot, &err))
			job_complete(job);
		break;
	case JOB_COMPLETE:
		if (dma_ended(job->slot, &err))
			job->phase = JOB_FREE;
		break;
	default:
		break;
	}
}

static void ring_enable(void)
{
	ring.enabled = mmio_read32(REG(MBX, MBX_ENABLE)) & 1;
	if (!ring.enabled)
		return;
	ring.base = reg_read64(REG(MBX, MBX_CMD_BASE));
	ring.cpl_base = reg_read64(REG(MBX, MBX_CPL_BASE));
	ring.size_reg = mmio_read32(REG(MBX, MBX_SIZE));
	ring.mask = (uint16_t)((1u << CAIRN_GET(ring.size_reg, CAIRN_REG_CMDQ_SIZE_LOG2)) - 1);
	ring.taken = 0;
	ring.completed = 0;
}

static void next_job(void)
{
	ring.next_job = ring.next_job == JOBS - 1 ? 0 : ring.next_job + 1;
}

/* Begin as many commands as there are jobs free, in ring order. */
static void ring_take(void)
{
	uint16_t db = (uint16_t)mmio_read32(REG(MBX, MBX_DB));

	while (ring.enabled && ring.taken != db && jobs[ring.next_job].phase == JOB_FREE) {
		struct job *job = &jobs[ring.next_job];

		job->index = ring.taken++;
		job->phase = JOB_FETCH;
		dma_start_read(job->slot, AREA_CMD,
			       ring.base + (job->index & ring.mask) * sizeof(struct cairn_cmd),
			       sizeof(struct cairn_cmd));
		next_job();
	}
}

void cmd_init(void)
{
	for (unsigned int i = 0; i < JOBS; i++)
		jobs[i].slot = (uint8_t)i;
	cpu_enable(CPU_LINE_BIT(CAIRN_IRQ_CMD) | CPU_LINE_BIT(CAIRN_IRQ_DMA));
}

void cmd_poll(void)
{
	uint32_t irq = mmio_read32(REG(MBX, MBX_IRQ));

	if (irq)
		mmio_write32(REG(MBX, MBX_IRQ), irq);
	if (irq & CAIRN_REG_MBX_IRQ_ENABLE)
		ring_enable();
	/* A job that waits keeps its place; fetches go on in the free ones behind it. */
	for (struct job *job = jobs; job < jobs + JOBS; job++)
		if (job->phase != JOB_FREE)
			job_step(job);
	for (unsigned int i = 0; i < JOBS && jobs[ring.next_job].phase != JOB_FREE; i++)
		next_job();
	ring_take();
}
