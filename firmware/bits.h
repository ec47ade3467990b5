/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of QPNs and CQNs (bits.c): a bit each; clear ones are passed 1024 at a time. */
#ifndef CAIRN_FW_BITS_H
#define CAIRN_FW_BITS_H

#include "fw.h"

#define QPS_LOG2_MAX 16u /* QPNs and CQNs that firmware keeps books of */
#define QPS_MAX (1u << QPS_LOG2_MAX)
#define BIT_MAP_WORDS (QPS_MAX / 32)

struct bit_map {
	uint32_t any[BIT_MAP_WORDS / 32]; /* bit per word that has one */
	uint32_t word[BIT_MAP_WORDS];	  /* anything where it has none */
};

void bits_clear(struct bit_map *map); /* also to begin with */
void bit_put(struct bit_map *map, uint32_t n, bool value);
bool bit_get(const struct bit_map *map, uint32_t n);
uint32_t bit_next(const struct bit_map *map, uint32_t from); /* QPS_MAX: no more */

#endif
