// SPDX-License-Identifier: Apache-2.0
/*
 * The context port (MMIO_CTX) and the fence (DEV_FENCE): each is one at a time, so a job that wants
 * one waits until the job before has finished with it.  Firmware changes records only through here,
 * never in host memory behind a cache.
 */
#include <string.h>

#include "ctx.h"
#include "loop.h"

const union record record_all_ones = {
	.words = { ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u },
};

static const struct job *port_owner, *fence_owner;
static bool port_wanted;	 /* by another than its owner */
static const union record *mask; /* what stands in CTX_MASK; NULL: not known */

void ctx_init(void)
{
	/* of a program before this one */
	mmio_write32(REG(CTX, CTX_STATUS), CAIRN_REG_CTX_STATUS_DONE);
	mmio_write32(REG(DEV, DEV_FENCE_STATUS), CAIRN_REG_DEV_FENCE_STATUS_DONE);
}

static inline bool port_take(const struct job *job)
{
	if (port_owner && port_owner != job) {
		port_wanted = true;
		return false;
	}
	port_owner = job;
	return true;
}

static inline void port_give(void)
{
	port_owner = NULL;
	if (port_wanted)
		fw_look_again(); /* a job with an earlier turn may wait for it */
	port_wanted = false;
}

static void port_mask(const union record *wanted)
{
	if (wanted == mask)
		return;
	mask = wanted;
	mmio_copy_in(CAIRN_MMIO_CTX + CAIRN_CTX_MASK, wanted, sizeof(*wanted));
}

static inline void port_start(enum cairn_ctx_op op, enum cairn_table table, uint32_t key,
		       unsigned int part)
{
	if (op == CAIRN_CTX_OP_INIT)
		mask = &record_all_ones;
	mmio_write32(REG(CTX, CTX_KEY), key);
	mmio_write32(REG(CTX, CTX_START),
		     CAIRN_PUT(CAIRN_REG_CTX_START_OP, (uint32_t)op) |
			     CAIRN_PUT(CAIRN_REG_CTX_START_TABLE, (uint32_t)table) |
			     CAIRN_PUT(CAIRN_REG_CTX_START_PART, part));
}

/* A record in the cache takes less time than giving up the core does, so it is looked for now. */
#define LOOKS 24u

static inline bool port_ended(struct job *job)
{
	uint32_t status;

	for (unsigned int i = 0; i < LOOKS; i++) {
		status = mmio_read32(REG(CTX, CTX_STATUS));
		if (!(status & CAIRN_REG_CTX_STATUS_DONE))
			continue;
		mmio_write32(REG(CTX, CTX_STATUS), CAIRN_REG_CTX_STATUS_DONE);
		job->result = (uint8_t)CAIRN_GET(status, CAIRN_REG_CTX_STATUS_RESULT);
		return true;
	}
	return false;
}

enum fw_run ctx_op(struct job *job, enum cairn_ctx_op op, enum cairn_table table, uint32_t key,
		   unsigned int part, const union record *bits)
{
	FW_BEGIN(job->ctx.self)
	FW_WAIT(port_take(job));
	/* DROP of MTT lines has their number in the first word, READ and EVICT need no data. */
	mmio_copy_in(CAIRN_MMIO_CTX + CAIRN_CTX_DATA, &job->rec,
		     op == CAIRN_CTX_OP_INIT || op == CAIRN_CTX_OP_MODIFY ? sizeof(job->rec) : 4);
	if (bits)
		port_mask(bits);
	port_start(op, table, key, part);
	FW_WAIT(port_ended(job));
	/* A change of a CQ tells where its producer stood. */
	if (op == CAIRN_CTX_OP_READ || (op == CAIRN_CTX_OP_MODIFY && table == CAIRN_TABLE_CQ))
		mmio_copy_out(CAIRN_MMIO_CTX + CAIRN_CTX_DATA, &job->rec, sizeof(job->rec));
	port_give();
	FW_END;
}

/* ---- without copies ---- */

static inline enum fw_run port_read(struct job *job, enum cairn_table table, uint32_t key,
			     unsigned int part)
{
	FW_BEGIN(job->ctx.self)
	FW_WAIT(port_take(job));
	port_start(CAIRN_CTX_OP_READ, table, key, part);
	FW_WAIT(port_ended(job));
	FW_END;
}

enum fw_run ctx_change(struct job *job, enum cairn_table table, uint32_t key, unsigned int part)
{
	if (port_read(job, table, key, part) != FW_DONE)
		return FW_WAITING;
	if (job->result != CAIRN_CTX_RESULT_OK)
		port_give();
	return FW_DONE;
}

enum fw_run ctx_look(struct job *job, enum cairn_table table, uint32_t key, unsigned int part)
{
	if (port_read(job, table, key, part) != FW_DONE)
		return FW_WAITING;
	port_give(); /* no other job runs before the caller waits */
	return FW_DONE;
}

enum fw_run ctx_back(struct job *job, enum cairn_table table, uint32_t key, unsigned int part)
{
	FW_BEGIN(job->ctx.self)
	port_mask(&record_all_ones);
	port_start(CAIRN_CTX_OP_MODIFY, table, key, part);
	FW_WAIT(port_ended(job));
	port_give();
	FW_END;
}

enum fw_run ctx_cfg(struct job *job, uint32_t qpn)
{
	FW_BEGIN(job->ctx.self)
	FW_WAIT(port_take(job));
	mmio_copy_in(CAIRN_MMIO_CTX + CAIRN_CTX_DATA, &job->cfg, sizeof(job->cfg));
	port_mask(&record_all_ones);
	port_start(CAIRN_CTX_OP_MODIFY, CAIRN_TABLE_QP, qpn, CAIRN_QP_PART_CFG);
	FW_WAIT(port_ended(job));
	port_give();
	FW_END;
}

enum fw_run ctx_fresh(struct job *job)
{
	if (!port_take(job))
		return FW_WAITING;
	for (uint32_t at = 0; at < sizeof(union record); at += 16) {
		mmio_write32(CAIRN_MMIO_CTX + CAIRN_CTX_DATA + at, 0);
		mmio_write32(CAIRN_MMIO_CTX + CAIRN_CTX_DATA + at + 4, 0);
		mmio_write32(CAIRN_MMIO_CTX + CAIRN_CTX_DATA + at + 8, 0);
		mmio_write32(CAIRN_MMIO_CTX + CAIRN_CTX_DATA + at + 12, 0);
	}
	return FW_DONE;
}

enum fw_run ctx_make(struct job *job, enum cairn_table table, uint32_t key, unsigned int part)
{
	FW_BEGIN(job->ctx.self)
	port_start(CAIRN_CTX_OP_INIT, table, key, part);
	FW_WAIT(port_ended(job));
	port_give();
	FW_END;
}

/* The last step writes the zeros back and drops the record. */
enum fw_run ctx_free(struct job *job, enum cairn_table table, uint32_t key, unsigned int parts)
{
	while (job->ctx.part < parts) {
		memset(&job->rec, 0, sizeof(job->rec));
		if (ctx_op(job, CAIRN_CTX_OP_MODIFY, table, key, job->ctx.part,
			   &record_all_ones) != FW_DONE)
			return FW_WAITING;
		job->ctx.part++;
	}
	if (ctx_op(job, CAIRN_CTX_OP_EVICT, table, key, 0, NULL) != FW_DONE)
		return FW_WAITING;
	job->ctx.part = 0;
	return FW_DONE;
}

static bool fence_take(const struct job *job)
{
	if (fence_owner && fence_owner != job)
		return false;
	fence_owner = job;
	return true;
}

static bool fence_ended(void)
{
	if (!(mmio_read32(REG(DEV, DEV_FENCE_STATUS)) & CAIRN_REG_DEV_FENCE_STATUS_DONE))
		return false;
	mmio_write32(REG(DEV, DEV_FENCE_STATUS), CAIRN_REG_DEV_FENCE_STATUS_DONE);
	fence_owner = NULL;
	fw_look_again();
	return true;
}

enum fw_run fence(struct job *job)
{
	FW_BEGIN(job->ctx.self)
	FW_WAIT(fence_take(job));
	mmio_write32(REG(DEV, DEV_FENCE), 1);
	FW_WAIT(fence_ended());
	FW_END;
}

void db_entry(enum cairn_db_table kind, uint32_t number, enum cairn_db_op op, uint32_t page)
{
	mmio_write32(REG(DEV, DEV_DB_NUMBER), number);
	mmio_write32(REG(DEV, DEV_DB), CAIRN_PUT(CAIRN_REG_DEV_DB_KIND, (uint32_t)kind) |
					       CAIRN_PUT(CAIRN_REG_DEV_DB_OP, (uint32_t)op) |
					       CAIRN_PUT(CAIRN_REG_DEV_DB_PAGE, page));
}

void db_open_sq(uint32_t qpn, uint32_t page, uint32_t gen)
{
	mmio_write32(REG(DEV, DEV_DB_NUMBER), qpn);
	mmio_write32(REG(DEV, DEV_DB), CAIRN_PUT(CAIRN_REG_DEV_DB_KIND, CAIRN_DB_TABLE_SQ) |
					       CAIRN_PUT(CAIRN_REG_DEV_DB_OP, CAIRN_DB_OP_OPEN) |
					       CAIRN_PUT(CAIRN_REG_DEV_DB_PAGE, page) |
					       CAIRN_PUT(CAIRN_REG_DEV_DB_GEN, gen));
}

uint16_t db_index(enum cairn_db_table kind, uint32_t number)
{
	db_entry(kind, number, CAIRN_DB_OP_READ, 0);
	return (uint16_t)mmio_read32(REG(DEV, DEV_DB_INDEX));
}

void kick(enum cairn_kick who, uint32_t qpn)
{
	mmio_write32(REG(DEV, DEV_DB_NUMBER), qpn);
	mmio_write32(REG(DEV, DEV_KICK), CAIRN_PUT(CAIRN_REG_DEV_KICK_WHO, (uint32_t)who));
}
