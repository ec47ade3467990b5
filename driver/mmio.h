/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers between the processor and the device, each named by its use, and stores to mapped BARs.
 * All ordering of the driver and the provider goes through these; nothing else in the tree spells
 * out a fence.
 *
 * The device sees host memory through a coherent interconnect (on the simulator's buses: through
 * another processor of this machine, which is the weaker of the two only in that it may run at the
 * same time).
 */
#ifndef CAIRN_MMIO_H
#define CAIRN_MMIO_H

#include <stdint.h>

#if defined(__x86_64__)
/* Stores to write-back memory are seen in order, loads are done in order: the compiler is all there
 * is to stop. */
#define CAIRN_FENCE_STORE_STORE() __asm__ volatile("" ::: "memory")
#define CAIRN_FENCE_LOAD_LOAD() __asm__ volatile("" ::: "memory")
#define CAIRN_FENCE_LOAD_STORE() __asm__ volatile("" ::: "memory")
#define CAIRN_FENCE_WC() __asm__ volatile("sfence" ::: "memory")
#define CAIRN_PAUSE() __asm__ volatile("pause")
#elif defined(__aarch64__)
#define CAIRN_FENCE_STORE_STORE() __asm__ volatile("dmb oshst" ::: "memory")
#define CAIRN_FENCE_LOAD_LOAD() __asm__ volatile("dmb oshld" ::: "memory")
#define CAIRN_FENCE_LOAD_STORE() __asm__ volatile("dmb oshld" ::: "memory")
#define CAIRN_FENCE_WC() __asm__ volatile("dsb st" ::: "memory")
#define CAIRN_PAUSE() __asm__ volatile("yield")
#else
#define CAIRN_FENCE_STORE_STORE() __sync_synchronize()
#define CAIRN_FENCE_LOAD_LOAD() __sync_synchronize()
#define CAIRN_FENCE_LOAD_STORE() __sync_synchronize()
#define CAIRN_FENCE_WC() __sync_synchronize()
#define CAIRN_PAUSE() __sync_synchronize()
#endif

/* Queue entries are complete in memory before the doorbell that makes the device fetch them:
 *     fill WQE; cairn_wmb_before_doorbell(); ring doorbell. */
static inline void cairn_wmb_before_doorbell(void)
{
	CAIRN_FENCE_STORE_STORE();
}

/* The phase bit was read before the rest of the entry:
 *     if (phase says ours) { cairn_rmb_after_phase(); read the other words; } */
static inline void cairn_rmb_after_phase(void)
{
	CAIRN_FENCE_LOAD_LOAD();
}

/* Entries have been read before the device hears that their places are free:
 *     read entries; cairn_mb_before_index(); tell the consumer index. */
static inline void cairn_mb_before_index(void)
{
	CAIRN_FENCE_LOAD_STORE();
}

/* A write-combined push leaves the processor now, and before later stores. */
static inline void cairn_wmb_after_push(void)
{
	CAIRN_FENCE_WC();
}

static inline void cairn_mmio_write64(volatile uint8_t *p, uint64_t v)
{
	*(volatile uint64_t *)p = v;
}

static inline void cairn_mmio_write32(volatile uint8_t *p, uint32_t v)
{
	*(volatile uint32_t *)p = v;
}

static inline uint32_t cairn_mmio_read32(const volatile uint8_t *p)
{
	return *(const volatile uint32_t *)p;
}

static inline uint64_t cairn_mmio_read64(const volatile uint8_t *p)
{
	return *(const volatile uint64_t *)p;
}

/* Eight stores in ascending order: the last quadword, the doorbell, goes last if the window is not
 * combining. */
static inline void cairn_mmio_push(volatile uint8_t *p, const void *block)
{
	const uint64_t *from = block;
	volatile uint64_t *to = (volatile uint64_t *)p;

	for (int i = 0; i < 8; i++)
		to[i] = from[i];
}

/* Words that the device writes while we look: one load, not repeated, not torn. */
static inline uint32_t cairn_read_once(const uint32_t *p)
{
#ifdef __SANITIZE_THREAD__ /* does not see the fence that follows where order matters */
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
#else
	return *(const volatile uint32_t *)p;
#endif
}

/* Words that the device reads while we write: one store. */
static inline void cairn_write_once(uint32_t *p, uint32_t v)
{
	*(volatile uint32_t *)p = v;
}

#endif
