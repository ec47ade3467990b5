// SPDX-License-Identifier: Apache-2.0
/*
 * Maps of QPNs (firmware/bits.c) against an array: single bits, what comes next, the last ones; and
 * what a device with few QPs has no RAM for is not touched.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bits.c" // NOLINT(bugprone-suspicious-include): where its books lie
#include "rng.h"

static enum bit_map map;
static bool want[QPS_MAX];

static uint32_t want_next(uint32_t from)
{
	while (from < QPS_MAX && !want[from])
		from++;
	return from;
}

static void check(uint32_t from)
{
	assert_int_equal(bit_next(map, from), want_next(from));
	if (from < QPS_MAX)
		assert_int_equal(bit_get(map, from), want[from]);
}

static void put(uint32_t n, bool value)
{
	bit_put(map, n, value);
	want[n] = value;
}

/* What stood in the RAM before is not there after a clear, whatever it was. */
static void fresh(struct rng *rng)
{
	rng_bytes(rng, &books, sizeof(books));
	map = (enum bit_map)rng_below(rng, BIT_MAPS);
	bits_init(QPS_MAX);
	bits_clear(map);
	memset(want, 0, sizeof(want));
	assert_int_equal(bit_next(map, 0), QPS_MAX);
}

static struct rng seeded(void)
{
	struct rng rng = { test_seed() };

	print_message("# SEED=0x%llx\n", (unsigned long long)rng.state);
	return rng;
}

/* Each alone, around the borders of a word and of what is passed at once. */
static void alone(void **state)
{
	struct rng rng = seeded();
	static const uint32_t at[] = {
		0,    1,    31,	  32,	33,	     1023,	   1024,	1025,
		1055, 1056, 2047, 2048, QPS_MAX / 2, QPS_MAX - 33, QPS_MAX - 1,
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		fresh(&rng);
		put(at[i], true);
		for (unsigned int from = 0; from < sizeof(at) / sizeof(at[0]); from++)
			check(at[from]);
		check(at[i] + 1);
		check(QPS_MAX);
		put(at[i], false);
		assert_int_equal(bit_next(map, 0), QPS_MAX);
	}
}

static void random_bits(void **state)
{
	struct rng rng = seeded();

	(void)state;
	for (unsigned int round = 0; round < 8; round++) {
		uint32_t few = 1u << rng_range(&rng, 2, 16), n = 0;

		fresh(&rng);
		for (unsigned int i = 0; i < 3000; i++) {
			n = (uint32_t)rng_below(&rng, few < QPS_MAX ? few : QPS_MAX);
			n = (n * 2654435761u) % QPS_MAX; /* spread */
			put(n, rng_percent(&rng, 55));
			check(n);
			check((uint32_t)rng_below(&rng, QPS_MAX));
		}
		for (n = bit_next(map, 0); n < QPS_MAX; n = bit_next(map, n + 1)) {
			assert_true(want[n]);
			want[n] = false;
		}
		assert_int_equal(want_next(0), QPS_MAX);
	}
}

/* FW_BOOKS_BYTES of firmware.mk: all that a device with 256 numbers has. */
static void few(void **state)
{
	struct rng rng = seeded();
	static uint8_t before[sizeof(books)];
	uint32_t set = 0;

	(void)state;
	rng_bytes(&rng, &books, sizeof(books));
	memcpy(before, &books, sizeof(books));
	bits_init(256);
	for (unsigned int i = 0; i < BIT_MAPS; i++)
		bits_clear((enum bit_map)i);
	for (unsigned int i = 0; i < 4000; i++) {
		uint32_t n = (uint32_t)rng_below(&rng, i % 2 ? 256 : QPS_MAX);

		bit_put((enum bit_map)rng_below(&rng, BIT_MAPS), n, rng_percent(&rng, 60));
		assert_true(n < 256 || !bit_get(MAP_LIVE, n));
		++*qp_generation(n % 256);
	}
	for (uint32_t n = bit_next(MAP_LIVE, 0); n != QPS_MAX; n = bit_next(MAP_LIVE, n + 1), set++)
		assert_true(n < 256);
	assert_in_range(set, 50, 250);
	assert_memory_equal((uint8_t *)&books + 784, before + 784, sizeof(books) - 784);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alone),
		cmocka_unit_test(random_bits),
		cmocka_unit_test(few),
	};

	return cmocka_run_group_tests_name("fw_bits", tests, NULL, NULL);
}
