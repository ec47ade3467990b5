/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hash table from a 64-bit key to a 64-bit value, for the simulator's bookkeeping: linear probing,
 * grows by doubling, no removal.  An all-zero struct is an empty table.
 */
#ifndef CAIRN_SIM_MAP_H
#define CAIRN_SIM_MAP_H

#include <stdint.h>
#include <stdlib.h>

struct sim_map_slot {
	uint64_t key_plus_1;	/* 0: empty */
	uint64_t value;
};

struct sim_map {
	struct sim_map_slot *slots;
	uint32_t size, used;	/* size is 0 or a power of two */
};

static inline struct sim_map_slot *sim_map_probe(struct sim_map_slot *slots, uint32_t size,
						 uint64_t key)
{
	uint32_t i = (uint32_t)((key + 1) * 0x9e3779b97f4a7c15ULL >> 32);

	for (;; i++) {
		struct sim_map_slot *slot = &slots[i & (size - 1)];

		if (!slot->key_plus_1 || slot->key_plus_1 == key + 1)
			return slot;
	}
}

/*
 * The key's value, 0 if it was not there; NULL when memory is short.  key must not be UINT64_MAX.
 */
static inline uint64_t *sim_map_get(struct sim_map *map, uint64_t key)
{
	struct sim_map_slot *slot;

	if (map->used * 2 >= map->size) {
		uint32_t size = map->size ? map->size * 2 : 16;
		struct sim_map_slot *slots = calloc(size, sizeof(*slots));

		if (!slots)
			return NULL;
		for (uint32_t i = 0; i < map->size; i++)
			if (map->slots[i].key_plus_1)
				*sim_map_probe(slots, size, map->slots[i].key_plus_1 - 1) =
					map->slots[i];
		free(map->slots);
		map->slots = slots;
		map->size = size;
	}
	slot = sim_map_probe(map->slots, map->size, key);
	if (!slot->key_plus_1) {
		slot->key_plus_1 = key + 1;
		map->used++;
	}
	return &slot->value;
}

static inline void sim_map_free(struct sim_map *map)
{
	free(map->slots);
	*map = (struct sim_map){ 0 };
}

#endif
