/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The management core as its programs see it (rtl/cpu): CSRs, interrupts, sleep, time, console,
 * MMIO.
 *
 * Waiting without losing a wake-up: turn interrupts off, look for work, and if you find nothing
 * call cpu_wfi(); it returns as soon as an enabled line or the timer is pending, even with
 * interrupts off.  Then either poll cpu_pending() or turn interrupts on and let trap() (crt0.S) be
 * called.  Nothing ever waits by spinning: device time may stand still or jump while the core
 * sleeps, and the simulator skips only what is asleep.
 */
#ifndef CAIRN_FW_CPU_H
#define CAIRN_FW_CPU_H

#include <stdint.h>

#include "cairn_hw.h"

/* Large objects that need no zeros at the start, which would take longer than all else there. */
#define CPU_NOINIT __attribute__((noinit))
#define CPU_BOOKS __attribute__((section(".books"))) /* behind the stack, see link.ld */

/* ---- CSRs, by name ---- */

#define csr_read(name)                                                           \
	({                                                                       \
		uint32_t csr_v_;                                                 \
		__asm__ volatile("csrr %0, " #name : "=r"(csr_v_) : : "memory"); \
		csr_v_;                                                          \
	})
#define csr_write(name, value) \
	__asm__ volatile("csrw " #name ", %0" : : "rK"((uint32_t)(value)) : "memory")
#define csr_set(name, bits) \
	__asm__ volatile("csrs " #name ", %0" : : "rK"((uint32_t)(bits)) : "memory")
#define csr_clear(name, bits) \
	__asm__ volatile("csrc " #name ", %0" : : "rK"((uint32_t)(bits)) : "memory")

#define CPU_MSTATUS_MIE 0x8u

/* mcause: bit 31 is an interrupt, then the number below; otherwise an exception code of the RISC-V
 * specification. */
#define CPU_CAUSE_IRQ 0x80000000u
#define CPU_CAUSE_TIMER 7u
#define CPU_CAUSE_LINE 16u /* + CAIRN_IRQ_x */

/* ---- interrupts ---- */

#define CPU_TIMER_BIT (1u << CPU_CAUSE_TIMER)
#define CPU_LINE_BIT(line) (1u << (CPU_CAUSE_LINE + (line)))

static inline void cpu_irq_on(void)
{
	csr_set(mstatus, CPU_MSTATUS_MIE);
}

static inline void cpu_irq_off(void)
{
	csr_clear(mstatus, CPU_MSTATUS_MIE);
}

/* CPU_TIMER_BIT, CPU_LINE_BIT(CAIRN_IRQ_x): which may interrupt, and which end cpu_wfi(). */
static inline void cpu_enable(uint32_t bits)
{
	csr_set(mie, bits);
}

static inline void cpu_disable(uint32_t bits)
{
	csr_clear(mie, bits);
}

/* Enabled and pending now, the same bits.  Lines are levels: clear the source, not this. */
static inline uint32_t cpu_pending(void)
{
	return csr_read(mip) & csr_read(mie);
}

/* The core stops until something enabled is pending. */
static inline void cpu_wfi(void)
{
	__asm__ volatile("wfi" : : : "memory");
}

/* ---- MMIO: 32-bit accesses in program order; each is complete before the next instruction ---- */

static inline uint32_t mmio_read32(uint32_t addr)
{
	return *(const volatile uint32_t *)(uintptr_t)addr;
}

static inline void mmio_write32(uint32_t addr, uint32_t value)
{
	*(volatile uint32_t *)(uintptr_t)addr = value;
}

/* Multiples of 4 bytes, in memory at multiples of 4; 16 bytes at a time as far as they go. */
typedef uint32_t __attribute__((may_alias)) cpu_word;

static inline void mmio_copy_out(uint32_t addr, void *to, uint32_t bytes)
{
	cpu_word *t = __builtin_assume_aligned(to, 4);

	for (; bytes >= 16; bytes -= 16, addr += 16, t += 4) {
		t[0] = mmio_read32(addr);
		t[1] = mmio_read32(addr + 4);
		t[2] = mmio_read32(addr + 8);
		t[3] = mmio_read32(addr + 12);
	}
	for (; bytes; bytes -= 4, addr += 4)
		*t++ = mmio_read32(addr);
}

static inline void mmio_copy_in(uint32_t addr, const void *from, uint32_t bytes)
{
	const cpu_word *f = __builtin_assume_aligned(from, 4);

	for (; bytes >= 16; bytes -= 16, addr += 16, f += 4) {
		mmio_write32(addr, f[0]);
		mmio_write32(addr + 4, f[1]);
		mmio_write32(addr + 8, f[2]);
		mmio_write32(addr + 12, f[3]);
	}
	for (; bytes; bytes -= 4, addr += 4)
		mmio_write32(addr, *f++);
}

/* ---- DMA reaches the RAM behind the compiler's back ---- */

static inline uint32_t cpu_address(const void *object)
{
	return (uint32_t)(uintptr_t)object;
}

/* Before DMA is told to read, after it has said that it has written. */
static inline void cpu_dma_barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

/* ---- time in ns; it may jump forward at any moment ---- */

static inline uint64_t cpu_now(void)
{
	uint32_t hi, lo;

	do {
		hi = csr_read(timeh);
		lo = csr_read(time);
	} while (hi != csr_read(timeh));
	return (uint64_t)hi << 32 | lo;
}

/* The timer is pending while cpu_now() >= deadline; ~0 is never.  No value in between is ever due
 * too early. */
static inline void cpu_timer_set(uint64_t deadline)
{
	mmio_write32(CAIRN_MMIO_MTIMECMP + 4, ~0u);
	mmio_write32(CAIRN_MMIO_MTIMECMP, (uint32_t)deadline);
	mmio_write32(CAIRN_MMIO_MTIMECMP + 4, (uint32_t)(deadline >> 32));
}

static inline void cpu_timer_off(void)
{
	cpu_timer_set(~0ull);
}

/* Profiling only: clock edges (they stand still in cpu_wfi()) and instructions, modulo 2^32. */
static inline uint32_t cpu_cycles(void)
{
	return csr_read(mcycle);
}

static inline uint32_t cpu_instructions(void)
{
	return csr_read(minstret);
}

/* ---- console; waits while the byte before has not been taken ---- */

static inline void cpu_putc(char c)
{
	mmio_write32(CAIRN_MMIO_UART_TX, (uint8_t)c);
}

#endif
