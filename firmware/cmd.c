// SPDX-License-Identifier: Apache-2.0
/*
 * The command queue (docs/commands.md 2): takes commands in ring order, runs up to JOBS of them at
 * once as state machines, writes their completions in the order in which they end.
 */
#include <string.h>

#include "fw.h"

enum { BEFORE_ENABLE = 1, NEEDS_ENABLE = 2 }; /* device state a command needs */

struct cmd_info {
	enum fw_run (*run)(struct job *job); /* NULL: nothing to do, OK */
	uint8_t in_bytes, out_bytes;	     /* of its buffer */
	uint8_t state;
	bool number;	  /* uses cmd.number */
	uint8_t flags;	  /* FLAGS bits that may be set */
	bool ptr;	  /* a ring or a table */
	uint8_t args;	  /* uses so many (6: arg5 as well) */
	uint32_t feature; /* any of these FEATURES bits; 0: always */
};

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

#define ORDER 8u /* a power of two, JOBS at least */

static struct job jobs[JOBS] CPU_NOINIT;
/* Life of a job, bit per job: its command is read, runs, writes its buffer, writes its completion.
 */
static uint32_t fetching, running, output, completing;
static uint32_t loud; /* of `completing`: its end is told */
static struct job *order[ORDER]; /* those of `fetching`, in ring order */
static unsigned int order_in, order_out;
static struct {
	bool enabled;
	uint64_t base, cpl_base;
	uint32_t irq; /* flags of a completion's write */
	uint8_t log2;
	uint16_t mask;
	uint16_t db;
	uint16_t taken;	    /* commands begun */
	uint16_t completed; /* completions written */
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

/* The checks that all commands share, in the order of docs/commands.md. */
static bool job_check(struct job *job)
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

static uint32_t bit_of(const struct job *job)
{
	return 1u << job->slot;
}

static uint64_t slot_iova(const struct job *job)
{
	return ring.base + (uint32_t)(job->index & ring.mask) * CAIRN_CMD_SLOT_BYTES;
}

#define ALL_JOBS ((1u << JOBS) - 1)

/* Nobody waits for its end, unless there is no other job for the next command. */
static void job_complete(struct job *job)
{
	uint16_t at = ring.completed++;
	bool phase = !(at >> ring.log2 & 1);
	uint32_t quiet = 0;

	completing |= bit_of(job);
	if ((fetching | running | output | completing) != ALL_JOBS)
		quiet = CAIRN_REG_DMA_START_QUIET;
	else
		loud |= bit_of(job);

	job->cpl.head = CAIRN_PUT(CAIRN_CMD_CPL_HEAD_ID,
				  CAIRN_GET(job->cmd.head, CAIRN_CMD_HEAD_ID)) |
			CAIRN_PUT(CAIRN_CMD_CPL_HEAD_STATUS, (uint32_t)job->status) |
			CAIRN_PUT(CAIRN_CMD_CPL_HEAD_DETAIL, (uint32_t)job->detail);
	job->cpl.value0 = job->value0;
	job->cpl.value1 = job->value1;
	job->cpl.owner = CAIRN_PUT(CAIRN_CMD_CPL_OWNER_INDEX, (uint32_t)at) |
			 (phase ? CAIRN_CMD_CPL_OWNER_PHASE : 0);
	dma_start_write(job->slot, &job->cpl,
			ring.cpl_base + (uint32_t)(at & ring.mask) * sizeof(job->cpl),
			sizeof(job->cpl), ring.irq | quiet);
}

static void job_run(struct job *job)
{
	uint32_t bit = bit_of(job);

	if (job->info->run && job->info->run(job) == FW_WAITING) {
		running |= bit;
		return;
	}
	running &= ~bit;
	/* An output buffer is written only when all went well. */
	if (job->status == CAIRN_CMD_STATUS_OK && job->info->out_bytes) {
		dma_start_write(job->slot, &job->buf, slot_iova(job) + CAIRN_CMD_BYTES,
				job->info->out_bytes, 0);
		output |= bit;
	} else {
		job_complete(job);
	}
	qp_unlock(job);
}

/* Not a part of who calls it, which is called more often than this has something to do. */
#define APART static __attribute__((noinline))

APART void job_fetched(struct job *job, bool err)
{
	fetching &= ~bit_of(job);
	if (err) { /* the ring itself is unreadable: there is nobody to tell */
		fw_log(2, "command ring unreadable", job->index, 0);
		mmio_write32(REG(MBX, MBX_STATE),
			     CAIRN_REG_MBX_STATE_READY | CAIRN_REG_MBX_STATE_FATAL);
		return;
	}
	job->status = CAIRN_CMD_STATUS_OK;
	job->detail = 0;
	job->value0 = job->value1 = 0;
	job->pc = job->sub_pc = job->reset_pc = job->view_pc = 0;
	if (!job_check(job)) {
		job_complete(job);
		return;
	}
	if (job->info->out_bytes)
		memset(&job->buf, 0, job->info->out_bytes);
	job_run(job);
}

/* Those that wait look again; what had to be written has been. */
APART void jobs_step(void)
{
	uint32_t left = running, ended = output & dma_done;

	for (struct job *job = jobs; left; left >>= 1, job++)
		if (left & 1)
			job_run(job);
	dma_done &= ~ended;
	output &= ~ended;
	for (struct job *job = jobs; ended; ended >>= 1, job++)
		if (ended & 1)
			job_complete(job);
}

APART void ring_enable(void)
{
	uint32_t size;

	ring.enabled = mmio_read32(REG(MBX, MBX_ENABLE)) & 1;
	if (!ring.enabled)
		return;
	size = mmio_read32(REG(MBX, MBX_SIZE));
	ring.base = reg_read64(REG(MBX, MBX_CMD_BASE));
	ring.cpl_base = reg_read64(REG(MBX, MBX_CPL_BASE));
	ring.log2 = (uint8_t)CAIRN_GET(size, CAIRN_REG_CMDQ_SIZE_LOG2);
	ring.irq = size & CAIRN_REG_CMDQ_SIZE_IRQ_EN
			   ? CAIRN_REG_DMA_START_MSIX |
				     CAIRN_PUT(CAIRN_REG_DMA_START_VECTOR,
					       CAIRN_GET(size, CAIRN_REG_CMDQ_SIZE_VECTOR))
			   : 0;
	ring.mask = (uint16_t)((1u << ring.log2) - 1);
	ring.taken = 0;
	ring.completed = 0;
}

/* Those whose completions have been written are free. */
static void completed_ones(void)
{
	uint32_t ended;

	if (!completing)
		return;
	ended = completing & ~mmio_read32(REG(DMA, DMA_BUSY));
	completing &= ~ended;
	ended &= loud;
	if (ended) {
		mmio_write32(REG(DMA, DMA_DONE), ended);
		dma_done &= ~ended;
		loud &= ~ended;
	}
}

/* Begin as many commands as there are jobs free, in ring order. */
APART void ring_take(void)
{
	uint32_t busy;

	completed_ones();
	busy = fetching | running | output | completing;
	for (struct job *job = jobs; job < jobs + JOBS && ring.taken != ring.db; job++) {
		if (busy & bit_of(job))
			continue;
		job->index = ring.taken++;
		fetching |= bit_of(job);
		order[order_in++ % ORDER] = job;
		dma_start_read(job->slot, job, slot_iova(job),
			       CAIRN_CMD_BYTES + CAIRN_CMD_BUFFER_BYTES);
	}
}

void cmd_init(void)
{
	for (unsigned int i = 0; i < JOBS; i++)
		jobs[i].slot = (uint8_t)i;
}

bool cmd_busy(void)
{
	completed_ones();
	return fetching | output | completing;
}

/* A command begins when those before it have begun; whoever waits then looks again. */
void cmd_poll(bool line)
{
	uint32_t irq;
	bool err;

	if (line) {
		irq = mmio_read32(REG(MBX, MBX_IRQ));
		mmio_write32(REG(MBX, MBX_IRQ), irq);
		ring.db = (uint16_t)mmio_read32(REG(MBX, MBX_DB));
		if (irq & CAIRN_REG_MBX_IRQ_ENABLE)
			ring_enable();
	}
	if (running | output)
		jobs_step();
	while (fetching && dma_ended(order[order_out % ORDER]->slot, &err))
		job_fetched(order[order_out++ % ORDER], err);
	if (ring.taken != ring.db && ring.enabled)
		ring_take();
}
