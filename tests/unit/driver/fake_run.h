/* SPDX-License-Identifier: Apache-2.0 */
/* A command in execution by the software device: shared by fake_cmd.c and fake_mr.c. */
#ifndef FAKE_RUN_H
#define FAKE_RUN_H

#include "fake_bus.h"

/* The command being executed, its buffer and its answer. */
struct run {
	struct fake *f;
	const struct cairn_cmd *cmd;
	uint8_t in[128];
	uint8_t out[128];
	uint32_t status, detail, value0, value1;
};

static inline void end(struct run *r, uint32_t status, uint32_t detail)
{
	r->status = status;
	r->detail = detail;
}

static inline void bad_buffer(struct run *r, size_t offset)
{
	end(r, CAIRN_CMD_STATUS_BAD_PARAM, CAIRN_CMD_DETAIL_BUFFER + (uint32_t)(offset / 4));
}

static inline uint32_t entries(const struct fake *f, enum cairn_table table)
{
	return f->table_base[table] ? 1u << f->table_log2[table] : 0;
}

void fake_mr_command(struct run *r); /* regions and windows */

#endif
