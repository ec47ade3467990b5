// SPDX-License-Identifier: Apache-2.0
/* The firmware's memcpy, memset and memcmp: lengths up to 80, every alignment, nothing beside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define memcpy fw_memcpy
#define memset fw_memset
#define memcmp fw_memcmp
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *one, const void *two, size_t bytes);
#include "../../../firmware/string.c"
#undef memcpy
#undef memset
#undef memcmp

#define ROOM 96

static uint8_t from[ROOM] __attribute__((aligned(8))), to[ROOM] __attribute__((aligned(8)));

static void each_length(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < ROOM; i++)
		from[i] = (uint8_t)(i * 7 + 1);
	for (unsigned int len = 0; len <= 80; len++)
		for (unsigned int a = 0; a < 16; a++) {
			unsigned int t = a & 3, f = a >> 2;

			for (unsigned int i = 0; i < ROOM; i++)
				to[i] = 0xee;
			assert_ptr_equal(fw_memcpy(to + t, from + f, len), to + t);
			for (unsigned int i = 0; i < ROOM; i++)
				assert_int_equal(to[i], i < t || i >= t + len
								? 0xee
								: from[f + i - t]);
			assert_ptr_equal(fw_memset(to + t, 0x100 + (int)a, len), to + t);
			for (unsigned int i = 0; i < ROOM; i++)
				assert_int_equal(to[i], i < t || i >= t + len ? 0xee : a);
		}
}

static int sign(int value)
{
	return (value > 0) - (value < 0);
}

/* Equal, and different at each place, more and less; bytes behind do not count. */
static void comparisons(void **state)
{
	(void)state;
	for (unsigned int len = 0; len <= 40; len++)
		for (unsigned int a = 0; a < 16; a++) {
			uint8_t *one = from + (a & 3), *two = to + (a >> 2);

			for (unsigned int i = 0; i < len; i++)
				one[i] = two[i] = (uint8_t)(i * 7 + 0x7c);
			one[len] = 1;
			two[len] = 0;
			assert_int_equal(fw_memcmp(one, two, len), 0);
			for (unsigned int i = 0; i < len; i++) {
				two[i] ^= 0x80;
				one[i + 1] ^= 0xff; /* the first that differs decides */
				assert_int_equal(sign(fw_memcmp(one, two, len)),
						 one[i] < two[i] ? -1 : 1);
				one[i + 1] ^= 0xff;
				two[i] ^= 0x80;
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_length),
		cmocka_unit_test(comparisons),
	};

	return cmocka_run_group_tests_name("fw_string", tests, NULL, NULL);
}
