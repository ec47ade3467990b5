/* SPDX-License-Identifier: Apache-2.0 */
/* Records, doorbells and fences (ctx.c): machines for FW_WAIT(f(...) == FW_DONE). */
#ifndef CAIRN_FW_CTX_H
#define CAIRN_FW_CTX_H

#include "job.h"

void ctx_init(void);
/* One operation of the context port; data goes out of and comes into job->rec, the outcome into
 * job->result.  mask: bits of MODIFY, a constant; NULL otherwise.  key of MTT: line, count in
 * rec.words[0]. */
enum fw_run ctx_op(struct job *job, enum cairn_ctx_op op, enum cairn_table table, uint32_t key,
		   unsigned int part, const union record *mask);
/*
 * The same without copies.  ctx_look() reads a part, which stands in CTX_DATA as long as the caller
 * does not wait; ctx_change() also keeps the port, if there was one (job->result), for words to be
 * set there and ctx_back() to write the part back.  ctx_fresh() takes the port and zeroes CTX_DATA,
 * for ctx_make() to make a part of that and what the caller has set.
 */
enum fw_run ctx_look(struct job *job, enum cairn_table table, uint32_t key, unsigned int part);
enum fw_run ctx_change(struct job *job, enum cairn_table table, uint32_t key, unsigned int part);
enum fw_run ctx_back(struct job *job, enum cairn_table table, uint32_t key, unsigned int part);
/* job->cfg as the whole part of a QP. */
enum fw_run ctx_cfg(struct job *job, uint32_t qpn);
enum fw_run ctx_fresh(struct job *job);
enum fw_run ctx_make(struct job *job, enum cairn_table table, uint32_t key, unsigned int part);
#define CTX_WORD(member) (CAIRN_MMIO_CTX + CAIRN_CTX_DATA + offsetof(union record, member))
#define CTX_GET(member) mmio_read32(CTX_WORD(member))
#define CTX_PUT(member, value) mmio_write32(CTX_WORD(member), value)
#define CTX_PUT64(member, value) reg_write64(CTX_WORD(member), value)
/* One field of a word. */
#define CTX_SET(member, mask, value) \
	CTX_PUT(member, (CTX_GET(member) & ~(mask)) | CAIRN_PUT(mask, value))
/* Zero all parts of a record and take it out of the cache: it is free afterwards. */
enum fw_run ctx_free(struct job *job, enum cairn_table table, uint32_t key, unsigned int parts);
/* Everything in flight that began before is gone. */
enum fw_run fence(struct job *job);
void db_entry(enum cairn_db_table kind, uint32_t number, enum cairn_db_op op, uint32_t page);
/* With the generation that blocks pushed to the queue belong to. */
void db_open_sq(uint32_t qpn, uint32_t page, uint32_t gen);
/* Producer index as the last doorbell left it. */
uint16_t db_index(enum cairn_db_table kind, uint32_t number);
void kick(enum cairn_kick who, uint32_t qpn);
extern const union record record_all_ones;

#endif
