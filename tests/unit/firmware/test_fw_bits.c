// SPDX-License-Identifier: Apache-2.0
/* Maps of QPNs (firmware/bits.c) against an array: single bits, what comes next, the last ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bits.h"
#include "rng.h"

static struct bit_map map;
static bool want[QPS_MAX];

static uint32_t want_next(uint32_t from)
{
	while (from < QPS_MAX && !want[from])
		from++;
	return from;
}

static void check(uint32_t from)
{
	assert_int_equal(bit_next(&map, from), want_next(from));
	if (from < QPS_MAX)
		assert_int_equal(bit_get(&map, from), want[from]);
}

static void put(uint32_t n, bool value)
{
	bit_put(&map, n, value);
	want[n] = value;
}

/* What stood in the RAM before is not there after a clear, whatever it was. */
static void fresh(struct rng *rng)
{
	rng_bytes(rng, &map, sizeof(map));
	bits_clear(&map);
	memset(want, 0, sizeof(want));
	assert_int_equal(bit_next(&map, 0), QPS_MAX);
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
		assert_int_equal(bit_next(&map, 0), QPS_MAX);
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
		for (n = bit_next(&map, 0); n < QPS_MAX; n = bit_next(&map, n + 1)) {
			assert_true(want[n]);
			want[n] = false;
		}
		assert_int_equal(want_next(0), QPS_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alone),
		cmocka_unit_test(random_bits),
	};

	return cmocka_run_group_tests_name("fw_bits", tests, NULL, NULL);
}
