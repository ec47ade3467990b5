// SPDX-License-Identifier: Apache-2.0
/*
 * Books by number: maps with a bit for each QPN or CQN (few are set, and they begin and end all at
 * once), and the generations of QPNs.  They lie behind all else (link.ld), what belongs to small
 * numbers first: a build with few QPs has less RAM, and of these only the beginning.
 */
#include <string.h>

#include "bits.h"

#define GROUP 1024u /* numbers */
#define GENERATIONS 4096u

struct group {
	uint32_t any[BIT_MAPS];		     /* bit per word that has one */
	uint32_t word[GROUP / 32][BIT_MAPS]; /* anything where it has none */
};

static struct {
	struct group first;
	uint8_t generation[GENERATIONS];
	struct group more[QPS_MAX / GROUP - 1];
} books CPU_BOOKS;

static uint32_t limit; /* numbers that there are */

static struct group *group(uint32_t n)
{
	return n < GROUP ? &books.first : &books.more[n / GROUP - 1];
}

void bits_init(uint32_t numbers)
{
	limit = numbers < QPS_MAX ? numbers : QPS_MAX;
}

void bits_clear(enum bit_map map)
{
	for (uint32_t n = 0; n < limit; n += GROUP)
		group(n)->any[map] = 0;
}

static bool any(const struct group *g, enum bit_map map, uint32_t n)
{
	return g->any[map] >> n % GROUP / 32 & 1;
}

bool bit_get(enum bit_map map, uint32_t n)
{
	const struct group *g;

	if (n >= limit)
		return false;
	g = group(n);
	return any(g, map, n) && (g->word[n % GROUP / 32][map] >> n % 32 & 1);
}

void bit_put(enum bit_map map, uint32_t n, bool value)
{
	uint32_t at = n % GROUP / 32, bit = 1u << n % 32, word;
	struct group *g;

	if (n >= limit)
		return;
	g = group(n);
	word = any(g, map, n) ? g->word[at][map] : 0;
	word = value ? word | bit : word & ~bit;
	g->word[at][map] = word;
	if (word)
		g->any[map] |= 1u << at;
	else
		g->any[map] &= ~(1u << at);
}

uint32_t bit_next(enum bit_map map, uint32_t from)
{
	for (uint32_t n = from; n < limit; n = (n | 31) + 1) {
		const struct group *g = group(n);
		uint32_t found;

		if (!(n % GROUP) && !g->any[map]) {
			n |= GROUP - 1; /* with what the loop adds, the next 1024 */
			continue;
		}
		if (!any(g, map, n))
			continue;
		found = g->word[n % GROUP / 32][map] >> n % 32;
		if (found)
			return n + (uint32_t)__builtin_ctz(found);
	}
	return QPS_MAX;
}

uint8_t *qp_generation(uint32_t qpn)
{
	return &books.generation[qpn % GENERATIONS];
}
