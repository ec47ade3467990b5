/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers of the simulator: splitmix64, one stream a user, derived from the run's seed. */
#ifndef CAIRN_SIM_RAND_H
#define CAIRN_SIM_RAND_H

#include <stdbool.h>
#include <stdint.h>

struct sim_rand {
	uint64_t state;
};

static inline uint64_t sim_rand_u64(struct sim_rand *rand)
{
	uint64_t z = rand->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* A stream of its own for each (seed, user). */
static inline struct sim_rand sim_rand_init(uint64_t seed, uint64_t user)
{
	struct sim_rand rand = { seed ^ user * 0xd1342543de82ef95ULL };

	rand.state = sim_rand_u64(&rand);
	return rand;
}

/* Uniform in 0 .. n-1. */
static inline uint64_t sim_rand_below(struct sim_rand *rand, uint64_t n)
{
	return (uint64_t)((unsigned __int128)sim_rand_u64(rand) * n >> 64);
}

/* True with probability p; draws one number always. */
static inline bool sim_rand_hit(struct sim_rand *rand, double p)
{
	return (double)(sim_rand_u64(rand) >> 11) * 0x1p-53 < p;
}

#endif
