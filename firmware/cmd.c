// SPDX-License-Identifier: Apache-2.0
/*
 * The command queue (docs/commands.md 2): takes commands in ring order, runs up to JOBS of them at
 * once as state machines, writes their completions in the order in which they end.
 */
#include <string.h>

#include "cmd.h"
#include "dma.h"
#include "log.h"

#define ORDER 8u /* a power of two, JOBS at least */

static struct job jobs[JOBS] CPU_NOINIT;
/* Life of a job, bit per job: its command is read, runs, writes its buffer, writes
 * its completion. */
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

static uint32_t bit_of(const struct job *job)
{
	return 1u << job->slot;
}

static uint64_t slot_iova(const struct job *job)
{
	return ring.base + (uint32_t)(job->index & ring.mask) * CAIRN_CMD_SLOT_BYTES;
}

#define ALL_JOBS ((1u << JOBS) - 1)

/* Its end is not waited for, unless there is no other job for the next command. */
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
	job_unlock(job);
}

/* Not a part of who calls it, which is called more often than this has something to do. */
#define APART static __attribute__((noinline))

APART void job_fetched(struct job *job, bool err)
{
	fetching &= ~bit_of(job);
	if (err) { /* the ring itself is unreadable: it cannot be told */
		fw_log(2, "command ring unreadable", job->index, 0);
		mmio_write32(REG(MBX, MBX_STATE),
			     CAIRN_REG_MBX_STATE_READY | CAIRN_REG_MBX_STATE_FATAL);
		return;
	}
	job_begin(job);
	if (!cmd_check(job)) {
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

/* A command begins when those before it have begun; waiting jobs then look again. */
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
