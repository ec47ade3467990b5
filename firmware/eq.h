/* SPDX-License-Identifier: Apache-2.0 */
/* Event queues (eq.c). */
#ifndef CAIRN_FW_EQ_H
#define CAIRN_FW_EQ_H

#include "fw.h"

/* Dropped when there is no such queue. */
void eq_post(unsigned int eqn, enum cairn_eqe_type type, uint32_t number, uint32_t data);
/* Room for the event of one more CQ; CAIRN_NO_NUMBER needs none. */
bool eq_reserve(uint32_t eqn);
void eq_unreserve(uint32_t eqn);

#endif
