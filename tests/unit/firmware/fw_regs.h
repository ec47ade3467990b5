/* SPDX-License-Identifier: Apache-2.0 */
/* What fw_hw.c (the registers that firmware sees) and fw_host.c (the driver's side) share. */
#ifndef CAIRN_TEST_FW_REGS_H
#define CAIRN_TEST_FW_REGS_H

#include "dev.h"
#include "job.h"
#include "main.h"
#include "fw_hw.h"

#define RING_LOG2 5u
#define RING_SIZE (1u << RING_LOG2)
#define SLOTS 8u
struct hw_regs {
	uint32_t mbx_irq, mbx_enable, mbx_size, mbx_db, mbx_state, scratch;
	uint64_t dma_iova;
	uint32_t dma_len, dma_ram, dma_busy, dma_done;
	struct {
		uint64_t iova;
		uint32_t len, ram, delay;
		bool write, quiet;
	} op[SLOTS];
	bool asleep; /* firmware has nothing to do but wait for a line */
	uint32_t ctx_key, ctx_status, ctx_delay, ctx_start;
	_Alignas(64) uint32_t ctx_data[16], ctx_mask[16];
	uint32_t fence_status, fence_delay;
	uint64_t table_base;
	uint8_t gid[16];
	uint32_t db_number, db_index, eq_reserve_status, post_number, post_data, tx_delay;
	uint32_t await_key;
	uint8_t tx[2048];
	uint32_t cpls; /* completions seen */
};
extern struct hw_regs r;

/* One pass of everything that takes time. */
void hw_tick(void);

#endif
