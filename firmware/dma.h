/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware DMA (dma.c): one slot of the engine for each job. */
#ifndef CAIRN_FW_DMA_H
#define CAIRN_FW_DMA_H

#include "fw.h"

#define DMA_SLOT_LOG 7u /* those below are the jobs' */

/* To and from static objects; all multiples of 4, at most 4096 bytes. */
void dma_start_read(unsigned int slot, void *to, uint64_t iova, uint32_t bytes);
/* flags: CAIRN_REG_DMA_START_MSIX and its vector, _QUIET, or 0 */
void dma_start_write(unsigned int slot, const void *from, uint64_t iova, uint32_t bytes,
		     uint32_t flags);
void dma_poll(void); /* the line is up: which operations have ended */
extern uint32_t dma_done, dma_failed; /* bit per slot: ended, and not asked for yet */

/* True once when the slot's operation has ended; *err says how. */
static inline bool dma_ended(unsigned int slot, bool *err)
{
	uint32_t bit = 1u << slot;

	if (!(dma_done & bit))
		return false;
	*err = dma_failed & bit;
	dma_done &= ~bit;
	dma_failed &= ~bit;
	return true;
}

#endif
