// SPDX-License-Identifier: Apache-2.0
/*
 * A program for the management core that proves the C environment: .data, .bss, stack, switch
 * tables, 64-bit arithmetic, the C library, interrupts and the timer.  It prints one line a check
 * and ends with PASS or FAIL; test_cpu_selftest reads them.  The host computes nothing: every
 * expected value is a constant.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cpu.h"

static uint32_t in_data[4] = { 0x11111111, 0x22222222, 0x33333333, 0x44444444 };
static const char in_rodata[] = "Cairn";
static uint32_t in_bss[64];
static unsigned int failures;

static volatile uint32_t ticks, last_cause;
static volatile uint64_t tick_time, tick_due;

static void print(const char *s)
{
	while (*s)
		cpu_putc(*s++);
}

static void print_u32(uint32_t v)
{
	char buf[11], *p = buf + sizeof(buf);

	*--p = 0;
	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	print(p);
}

static void check(const char *what, bool ok)
{
	print(ok ? "ok " : "BAD ");
	print(what);
	print("\n");
	failures += !ok;
}

void trap(uint32_t cause, uint32_t epc, uint32_t tval);
void trap(uint32_t cause, uint32_t epc, uint32_t tval)
{
	(void)epc;
	(void)tval;
	last_cause = cause;
	if (cause == (CPU_CAUSE_IRQ | CPU_CAUSE_TIMER)) {
		tick_time = cpu_now();
		tick_due += 50000;
		ticks++;
		cpu_timer_set(tick_due);
	} else { /* the illegal instruction of main(): skip it */
		csr_write(mepc, epc + 4);
	}
}

static uint32_t fib(uint32_t n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* volatile: done by the core, not by the compiler */
static void arithmetic(void)
{
	volatile uint64_t a = 0x123456789abcdef0, b = 0xfedcba987;
	volatile int64_t s = -0x123456789abcdef, t = 1000003;
	volatile uint32_t sh = 37;

	check("64-bit multiply", a * b == 0x70a3d5f941160090);
	check("64-bit divide", a / b == 19173961 && a % b == 0x246fe8971);
	check("64-bit signed divide", s / t == -81985283260 && s % t == -637115);
	check("64-bit shifts",
	      a >> sh == 0x91a2b3 && b << sh == 0xb97530e000000000 && s >> sh == -596524);
}

static uint32_t crc32(const void *data, size_t len)
{
	const uint8_t *p = data;
	uint32_t crc = ~0u;

	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void library(void)
{
	static uint8_t from[300], to[300];
	bool same = true;

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)(i * 7 + 3);
	for (size_t off = 0; off < 8; off++) {
		memset(to, 0xee, sizeof(to));
		memcpy(to + off, from + 3, 250);
		same = same && to[off + 250] == 0xee && !memcmp(to + off, from + 3, 250) &&
		       (!off || to[off - 1] == 0xee);
		memmove(to + 5, to + off, 250);
		same = same && !memcmp(to + 5, from + 3, 250);
	}
	check("memcpy, memmove, memset, memcmp", same);
	check("strings", strlen(in_rodata) == 5 && !strcmp(in_rodata, "Cairn") &&
				 strchr(in_rodata, 'r') == in_rodata + 3);
	check("crc32", crc32("123456789", 9) == 0xcbf43926);
}

/* The kind of code a command handler is: branches, loads, calls, byte order. */
static uint32_t typical(void)
{
	static uint32_t ring[64];
	uint32_t sum = 0;

	for (uint32_t i = 0; i < 400; i++) {
		uint32_t *slot = &ring[i % 64];

		switch ((i ^ sum) & 7) {
		case 0:
			*slot = i;
			break;
		case 1:
			*slot += __builtin_bswap32(i);
			break;
		case 2:
			sum += strlen(in_rodata);
			break;
		case 3:
			*slot ^= sum << 3;
			break;
		case 4:
			sum += *slot & 0xffff;
			break;
		case 5:
			memcpy(slot, &in_data[i & 3], 4);
			break;
		case 6:
			sum = sum * 31 + i;
			break;
		default:
			sum ^= fib(i & 3);
			break;
		}
	}
	return sum ^ crc32(ring, sizeof(ring));
}

static void ipc(void)
{
	uint32_t c0 = cpu_cycles(), i0 = cpu_instructions(), r1 = typical();
	uint32_t cycles = cpu_cycles() - c0, instructions = cpu_instructions() - i0;

	check("a second run differs", typical() != r1);
	print("instructions ");
	print_u32(instructions);
	print("\ncycles ");
	print_u32(cycles);
	print("\n");
}

static void traps(void)
{
	__asm__ volatile(".word 0xffffffff" : : : "memory");
	check("exception and return", last_cause == 2);

	tick_due = cpu_now() + 50000;
	cpu_timer_set(tick_due);
	cpu_enable(CPU_TIMER_BIT);
	for (uint32_t i = 0; i < 5; i++) {
		cpu_irq_off();
		if (ticks == i)
			cpu_wfi();
		cpu_irq_on();
	}
	cpu_irq_off();
	check("timer ticks", ticks == 5 && last_cause == (CPU_CAUSE_IRQ | CPU_CAUSE_TIMER));
	check("timer is not early", tick_time >= tick_due - 50000);
	cpu_disable(CPU_TIMER_BIT);
	cpu_timer_off();
	check("nothing pending", !cpu_pending());
}

int main(void)
{
	bool zero = true;

	for (size_t i = 0; i < 64; i++)
		zero = zero && !in_bss[i];
	check(".bss is zero", zero);
	check(".data is loaded", in_data[0] == 0x11111111 && in_data[3] == 0x44444444);
	for (size_t i = 0; i < 64; i++)
		in_bss[i] = (uint32_t)i * in_data[i & 3];
	check(".bss and .data hold", in_bss[63] == 63u * 0x44444444u);
	check("recursion", fib(12) == 144);
	arithmetic();
	library();
	ipc();
	traps();
	print(failures ? "FAIL\n" : "PASS\n");
	for (;;)
		cpu_wfi();
}
