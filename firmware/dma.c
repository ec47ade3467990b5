// SPDX-License-Identifier: Apache-2.0
/*
 * Firmware DMA: thin layer over region MMIO_DMA (cmd_mailbox, fw_dma).  Each job owns one slot of
 * the engine and one area of its buffer RAM, so nothing is ever allocated.
 */
#include "fw.h"

static uint32_t done_seen, err_seen; /* bit per slot, taken from DMA_DONE and not yet given out */

static void start(unsigned int slot, unsigned int offset, uint64_t iova, uint32_t bytes,
		  uint32_t flags)
{
	reg_write64(REG(DMA, DMA_IOVA), iova);
	mmio_write32(REG(DMA, DMA_LEN), bytes);
	mmio_write32(REG(DMA, DMA_BUF), DMA_AREA(slot) + offset);
	mmio_write32(REG(DMA, DMA_START), flags | CAIRN_PUT(CAIRN_REG_DMA_START_SLOT, slot));
}

void dma_start_read(unsigned int slot, unsigned int offset, uint64_t iova, uint32_t bytes)
{
	start(slot, offset, iova, bytes, 0);
}

void dma_start_write(unsigned int slot, unsigned int offset, uint64_t iova, uint32_t bytes,
		     int vector)
{
	uint32_t flags = CAIRN_REG_DMA_START_WRITE;

	if (vector >= 0)
		flags |= CAIRN_REG_DMA_START_MSIX |
			 CAIRN_PUT(CAIRN_REG_DMA_START_VECTOR, (uint32_t)vector);
	start(slot, offset, iova, bytes, flags);
}

bool dma_ended(unsigned int slot, bool *err)
{
	uint32_t reg = mmio_read32(REG(DMA, DMA_DONE));
	uint32_t done = CAIRN_GET(reg, CAIRN_REG_DMA_DONE_DONE);

	if (done) {
		err_seen |= CAIRN_GET(reg, CAIRN_REG_DMA_DONE_ERR) & done;
		done_seen |= done;
		fw_look_again(); /* it may be of a slot whose turn was before */
		mmio_write32(REG(DMA, DMA_DONE), CAIRN_PUT(CAIRN_REG_DMA_DONE_DONE, done));
	}
	if (!(done_seen >> slot & 1))
		return false;
	*err = err_seen >> slot & 1;
	done_seen &= ~(1u << slot);
	err_seen &= ~(1u << slot);
	return true;
}

void dma_copy_out(unsigned int slot, unsigned int offset, void *to, uint32_t bytes)
{
	mmio_copy_out(CAIRN_MMIO_DMA + CAIRN_FW_DMA_BUFFER + DMA_AREA(slot) + offset, to, bytes);
}

void dma_copy_in(unsigned int slot, unsigned int offset, const void *from, uint32_t bytes)
{
	mmio_copy_in(CAIRN_MMIO_DMA + CAIRN_FW_DMA_BUFFER + DMA_AREA(slot) + offset, from, bytes);
}
