/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers for tests: splitmix64, so that one 64-bit seed gives one sequence everywhere.  The
 * seed is SEED from the environment (any strtoull() form) or a fixed default; print it where a
 * failure is shown.
 */
#ifndef CAIRN_TEST_RNG_H
#define CAIRN_TEST_RNG_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define TEST_DEFAULT_SEED 0x0ca1540ca154ULL

struct rng {
	uint64_t state;
};

static inline uint64_t test_seed(void)
{
	const char *env = getenv("SEED");

	return env && *env ? strtoull(env, NULL, 0) : TEST_DEFAULT_SEED;
}

static inline uint64_t rng_u64(struct rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Uniform in 0 .. n-1; the bias of the multiply is below 2^-32 for n <= 2^32. */
static inline uint64_t rng_below(struct rng *rng, uint64_t n)
{
	return (uint64_t)((unsigned __int128)rng_u64(rng) * n >> 64);
}

/* Uniform in lo .. hi, both included. */
static inline uint64_t rng_range(struct rng *rng, uint64_t lo, uint64_t hi)
{
	return lo + rng_below(rng, hi - lo + 1);
}

/* True in `percent` of 100 calls. */
static inline int rng_percent(struct rng *rng, unsigned int percent)
{
	return rng_below(rng, 100) < percent;
}

static inline void rng_bytes(struct rng *rng, void *buf, size_t len)
{
	uint8_t *p = buf;

	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)rng_u64(rng);
}

#endif
