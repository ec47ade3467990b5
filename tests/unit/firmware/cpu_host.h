/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In place of firmware/cpu.h when firmware is compiled for the test program: registers are those
 * of fw_hw.c, time is a variable.  Included before each file of firmware.
 */
#ifndef CAIRN_FW_CPU_H
#define CAIRN_FW_CPU_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "cairn_hw.h"

#define CPU_NOINIT
#define CPU_BOOKS
#define CPU_TIMER_BIT 0x80u
#define CPU_LINE_BIT(line) (0x10000u << (line))

uint32_t mmio_read32(uint32_t addr);
void mmio_write32(uint32_t addr, uint32_t value);
uint64_t cpu_now(void);
void cpu_timer_set(uint64_t deadline);
uint32_t cpu_pending(void);
void cpu_wfi(void);

static inline void cpu_irq_off(void)
{
}

static inline void cpu_enable(uint32_t bits)
{
	(void)bits;
}

static inline void cpu_disable(uint32_t bits)
{
	(void)bits;
}

static inline void cpu_putc(char c)
{
	(void)c;
}

/* Where the test program has an object; what DMA reads and writes. */
uint32_t cpu_address(const void *object);

static inline void cpu_dma_barrier(void)
{
}

static inline void mmio_copy_out(uint32_t addr, void *to, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i += 4) {
		uint32_t word = mmio_read32(addr + i);

		memcpy((uint8_t *)to + i, &word, 4);
	}
}

static inline void mmio_copy_in(uint32_t addr, const void *from, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i += 4) {
		uint32_t word;

		memcpy(&word, (const uint8_t *)from + i, 4);
		mmio_write32(addr + i, word);
	}
}

#endif
