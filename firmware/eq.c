// SPDX-License-Identifier: Apache-2.0
/* Event queues: firmware's own events, and room in a queue for those of a CQ. */
#include "dev.h"
#include "eq.h"

void eq_post(unsigned int eqn, enum cairn_eqe_type type, uint32_t number, uint32_t data)
{
	if (eqn >= EQS || !(dev.eq_valid >> eqn & 1))
		return;
	mmio_write32(REG(EQ, EQ_POST_NUMBER), number);
	mmio_write32(REG(EQ, EQ_POST_DATA), data);
	mmio_write32(REG(EQ, EQ_POST), CAIRN_PUT(CAIRN_REG_EQ_POST_EQN, eqn) |
					       CAIRN_PUT(CAIRN_REG_EQ_POST_TYPE, (uint32_t)type));
}

bool eq_reserve(uint32_t eqn)
{
	if (eqn == CAIRN_NO_NUMBER)
		return true;
	mmio_write32(REG(EQ, EQ_RESERVE), CAIRN_PUT(CAIRN_REG_EQ_RESERVE_EQN, eqn));
	if (mmio_read32(REG(EQ, EQ_RESERVE_STATUS)) & 1)
		return false;
	dev.eq_users[eqn]++;
	return true;
}

void eq_unreserve(uint32_t eqn)
{
	if (eqn >= EQS)
		return;
	mmio_write32(REG(EQ, EQ_RESERVE),
		     CAIRN_REG_EQ_RESERVE_REMOVE | CAIRN_PUT(CAIRN_REG_EQ_RESERVE_EQN, eqn));
	dev.eq_users[eqn]--;
}
