// SPDX-License-Identifier: Apache-2.0
/*
 * Firmware DMA: thin layer over region MMIO_DMA (cmd_mailbox, fw_dma), between host memory and
 * objects of firmware.  Each job owns one slot of the engine, so nothing is ever allocated.
 */
#include "dma.h"

uint32_t dma_done, dma_failed;

static void start(uint32_t flags, const void *object, uint64_t iova, uint32_t bytes)
{
	cpu_dma_barrier();
	reg_write64(REG(DMA, DMA_IOVA), iova);
	mmio_write32(REG(DMA, DMA_LEN), bytes);
	mmio_write32(REG(DMA, DMA_RAM), cpu_address(object));
	mmio_write32(REG(DMA, DMA_START), flags);
}

void dma_start_read(unsigned int slot, void *to, uint64_t iova, uint32_t bytes)
{
	start(CAIRN_PUT(CAIRN_REG_DMA_START_SLOT, slot), to, iova, bytes);
}

void dma_start_write(unsigned int slot, const void *from, uint64_t iova, uint32_t bytes,
		     uint32_t flags)
{
	start(flags | CAIRN_REG_DMA_START_WRITE | CAIRN_PUT(CAIRN_REG_DMA_START_SLOT, slot), from,
	      iova, bytes);
}

void dma_poll(void)
{
	uint32_t reg = mmio_read32(REG(DMA, DMA_DONE));
	uint32_t done = CAIRN_GET(reg, CAIRN_REG_DMA_DONE_DONE);

	mmio_write32(REG(DMA, DMA_DONE), CAIRN_PUT(CAIRN_REG_DMA_DONE_DONE, done));
	dma_done |= done;
	dma_failed |= CAIRN_GET(reg, CAIRN_REG_DMA_DONE_ERR) & done;
	cpu_dma_barrier();
}
