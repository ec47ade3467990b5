// SPDX-License-Identifier: Apache-2.0
/*
 * Number spaces: QPNs, CQNs, SRQNs, PDs, key indices, page list ranges and doorbell pages are
 * picked by the driver, at random so that a stale or guessed number rarely hits, and rest after use
 * so that late packets meet nothing.
 */
#include <string.h>
#include <sys/random.h>

#include "priv.h"

/* splitmix64: one step of the state, then two mixing rounds. */
static uint64_t mix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

void cairn_rng_init(struct cairn_rng *rng, uint64_t seed, uint64_t salt)
{
	rng->seeded = seed != 0;
	rng->state = seed ^ salt * 0xd6e8feb86659fd93ull;
}

uint64_t cairn_rng_u64(struct cairn_rng *rng)
{
	uint64_t value;
	UNCANCELLED;

	if (!rng->seeded && getrandom(&value, sizeof(value), 0) == sizeof(value))
		return value;
	return mix(&rng->state);
}

uint64_t cairn_rng_below(struct cairn_rng *rng, uint64_t n)
{
	return (uint64_t)((unsigned __int128)cairn_rng_u64(rng) * n >> 64);
}

int cairn_space_init(struct cairn_space *space, uint32_t first, uint32_t limit, uint32_t delay,
		     uint64_t seed, uint64_t salt)
{
	memset(space, 0, sizeof(*space));
	space->first = first;
	space->limit = limit;
	space->delay = delay;
	cairn_rng_init(&space->rng, seed, salt);
	space->taken = calloc((limit + 63) / 64 + 1, sizeof(*space->taken));
	space->resting = calloc(delay + 1, sizeof(*space->resting));
	if (!space->taken || !space->resting) {
		free(space->taken);
		free(space->resting);
		space->taken = NULL;
		space->resting = NULL;
		return cairn_fail(-ENOMEM, "out of memory for %u object numbers", limit);
	}
	pthread_mutex_init(&space->lock, NULL);
	return 0;
}

void cairn_space_free(struct cairn_space *space)
{
	if (!space->taken)
		return;
	pthread_mutex_destroy(&space->lock);
	free(space->taken);
	free(space->resting);
	memset(space, 0, sizeof(*space));
}

static bool is_taken(const struct cairn_space *space, uint32_t n)
{
	return space->taken[n / 64] >> (n % 64) & 1;
}

static void mark(struct cairn_space *space, uint32_t start, uint32_t count, bool taken)
{
	for (uint32_t n = start; n < start + count; n++) {
		if (taken)
			space->taken[n / 64] |= 1ull << (n % 64);
		else
			space->taken[n / 64] &= ~(1ull << (n % 64));
	}
}

/* First free run of `count` that starts in [from, to), or -1. */
static int64_t find(const struct cairn_space *space, uint32_t from, uint32_t to, uint32_t count)
{
	uint32_t run = 0;

	for (uint64_t n = from; n < space->limit && n < (uint64_t)to + count - 1; n++) {
		if (n % 64 == 0 && space->taken[n / 64] == ~0ull) {
			run = 0;
			n += 63;
		} else if (is_taken(space, (uint32_t)n)) {
			run = 0;
		} else if (++run == count) {
			return (int64_t)n - count + 1;
		}
	}
	return -1;
}

static void wake_oldest(struct cairn_space *space)
{
	struct cairn_run *run = &space->resting[space->rest_head];

	space->rest_head = (space->rest_head + 1) % (space->delay + 1);
	space->rest_len--;
	mark(space, run->start, run->count, false);
}

#define PROBES 32u

/* Every free number is as likely as any other; find() prefers those behind what is taken, so it is
 * for runs and for spaces that are nearly full. */
static int64_t probe(struct cairn_space *space)
{
	for (unsigned int i = 0; i < PROBES; i++) {
		uint32_t n = space->first +
			     (uint32_t)cairn_rng_below(&space->rng, space->limit - space->first);

		if (!is_taken(space, n))
			return n;
	}
	return -1;
}

int64_t cairn_space_take(struct cairn_space *space, uint32_t count)
{
	int64_t start = -1;

	if (!count || space->first >= space->limit || count > space->limit - space->first)
		return -ENOSPC;
	pthread_mutex_lock(&space->lock);
	if (count == 1)
		start = probe(space);
	while (start < 0) {
		uint32_t from = space->first +
				(uint32_t)cairn_rng_below(&space->rng,
							  space->limit - space->first - count + 1);

		start = find(space, from, space->limit, count);
		if (start < 0)
			start = find(space, space->first, from, count);
		if (start >= 0 || !space->rest_len)
			break;
		wake_oldest(space);
	}
	if (start >= 0)
		mark(space, (uint32_t)start, count, true);
	pthread_mutex_unlock(&space->lock);
	return start >= 0 ? start : -ENOSPC;
}

/* Take a single number out of the resting queue; runs are never asked for by number. */
static bool unrest(struct cairn_space *space, uint32_t number)
{
	uint32_t size = space->delay + 1;

	for (uint32_t i = 0; i < space->rest_len; i++) {
		if (space->resting[(space->rest_head + i) % size].start != number)
			continue;
		for (; i + 1 < space->rest_len; i++)
			space->resting[(space->rest_head + i) % size] =
				space->resting[(space->rest_head + i + 1) % size];
		space->rest_len--;
		return true;
	}
	return false;
}

int cairn_space_take_this(struct cairn_space *space, uint32_t number)
{
	int err = 0;

	if (number >= space->limit)
		return -EINVAL;
	pthread_mutex_lock(&space->lock);
	if (is_taken(space, number) && !unrest(space, number))
		err = -EBUSY;
	else
		mark(space, number, 1, true);
	pthread_mutex_unlock(&space->lock);
	return err;
}

void cairn_space_give(struct cairn_space *space, uint32_t start, uint32_t count)
{
	pthread_mutex_lock(&space->lock);
	space->resting[(space->rest_head + space->rest_len) % (space->delay + 1)] =
		(struct cairn_run){ start, count };
	space->rest_len++;
	if (space->rest_len > space->delay)
		wake_oldest(space);
	pthread_mutex_unlock(&space->lock);
}
