/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Books by QPN and CQN (bits.c): maps with a bit each, clear ones passed 1024 at a time, and
 * generations of QPNs.
 */
#ifndef CAIRN_FW_BITS_H
#define CAIRN_FW_BITS_H

#include "fw.h"

#define QPS_LOG2_MAX 16u /* QPNs and CQNs that firmware keeps books of */
#define QPS_MAX (1u << QPS_LOG2_MAX)

enum bit_map {
	MAP_LIVE,     /* QPNs that may have a record */
	MAP_LAST_WQE, /* LAST_WQE_REACHED was raised */
	MAP_QP_DUE,   /* QPs that reported an event */
	MAP_CQ_DUE,   /* CQs that did */
	BIT_MAPS
};

/* To begin with: how many QPNs and CQNs the device has.  Nothing beyond is touched (link.ld). */
void bits_init(uint32_t numbers);
void bits_clear(enum bit_map map); /* also to begin with */
void bit_put(enum bit_map map, uint32_t n, bool value);
bool bit_get(enum bit_map map, uint32_t n);
uint32_t bit_next(enum bit_map map, uint32_t from); /* QPS_MAX: no more */
uint8_t *qp_generation(uint32_t qpn); /* QPNs that are far apart share one */

#endif
