// SPDX-License-Identifier: Apache-2.0
/* Maps with a bit for each QPN or CQN: few are set, and they begin and end all at once. */
#include <string.h>

#include "bits.h"

void bits_clear(struct bit_map *map)
{
	memset(map->any, 0, sizeof(map->any));
}

static bool any(const struct bit_map *map, uint32_t word)
{
	return map->any[word / 32] >> word % 32 & 1;
}

bool bit_get(const struct bit_map *map, uint32_t n)
{
	return any(map, n / 32) && (map->word[n / 32] >> n % 32 & 1);
}

void bit_put(struct bit_map *map, uint32_t n, bool value)
{
	uint32_t word = n / 32, bit = 1u << n % 32, had = any(map, word) ? map->word[word] : 0;

	map->word[word] = value ? had | bit : had & ~bit;
	if (map->word[word])
		map->any[word / 32] |= 1u << word % 32;
	else
		map->any[word / 32] &= ~(1u << word % 32);
}

uint32_t bit_next(const struct bit_map *map, uint32_t from)
{
	for (uint32_t n = from; n < QPS_MAX; n = (n | 31) + 1) {
		uint32_t found;

		if (!(n % 1024) && !map->any[n / 1024]) {
			n |= 1023; /* with what the loop adds, the next 1024 */
			continue;
		}
		if (!any(map, n / 32))
			continue;
		found = map->word[n / 32] >> n % 32;
		if (found)
			return n + (uint32_t)__builtin_ctz(found);
	}
	return QPS_MAX;
}
