// SPDX-License-Identifier: Apache-2.0
/*
 * memcpy, memset and memcmp by words.  The C library's are made for size, a byte at a time, and
 * records and buffers are what firmware mostly moves, addresses what it compares.  Built without
 * the optimisation that would make calls of themselves of their loops.
 */
#include <stdint.h>
#include <string.h>

#define BY_HAND __attribute__((optimize("O2", "no-tree-loop-distribute-patterns")))

typedef uint32_t __attribute__((may_alias)) word_t;
typedef uint16_t __attribute__((may_alias)) half_t;

BY_HAND void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	const uint8_t *f = from;
	uint8_t *t = to;

	if (!(((uintptr_t)t | (uintptr_t)f) & 3)) {
		for (; bytes >= 16; bytes -= 16, t += 16, f += 16) {
			uint32_t a = ((const word_t *)f)[0], b = ((const word_t *)f)[1];
			uint32_t c = ((const word_t *)f)[2], d = ((const word_t *)f)[3];

			((word_t *)t)[0] = a;
			((word_t *)t)[1] = b;
			((word_t *)t)[2] = c;
			((word_t *)t)[3] = d;
		}
		for (; bytes >= 4; bytes -= 4, t += 4, f += 4)
			*(word_t *)t = *(const word_t *)f;
	}
	for (; bytes; bytes--)
		*t++ = *f++;
	return to;
}

BY_HAND void *memset(void *to, int value, size_t bytes)
{
	uint32_t word = (uint8_t)value * 0x01010101u;
	uint8_t *t = to;

	for (; bytes && (uintptr_t)t & 3; bytes--)
		*t++ = (uint8_t)value;
	for (; bytes >= 16; bytes -= 16, t += 16) {
		((word_t *)t)[0] = word;
		((word_t *)t)[1] = word;
		((word_t *)t)[2] = word;
		((word_t *)t)[3] = word;
	}
	for (; bytes >= 4; bytes -= 4, t += 4)
		*(word_t *)t = word;
	for (; bytes; bytes--)
		*t++ = (uint8_t)value;
	return to;
}

BY_HAND int memcmp(const void *one, const void *two, size_t bytes)
{
	const uint8_t *a = one, *b = two;

	if (!(((uintptr_t)a | (uintptr_t)b) & 3))
		while (bytes >= 4 && *(const word_t *)a == *(const word_t *)b)
			a += 4, b += 4, bytes -= 4;
	else if (!(((uintptr_t)a | (uintptr_t)b) & 1))
		while (bytes >= 2 && *(const half_t *)a == *(const half_t *)b)
			a += 2, b += 2, bytes -= 2;
	for (; bytes; bytes--, a++, b++)
		if (*a != *b)
			return *a < *b ? -1 : 1;
	return 0;
}
