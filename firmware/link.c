// SPDX-License-Identifier: Apache-2.0
/* The link comes and goes: programs are told, and what the network was told before is old. */
#include "dev.h"
#include "eq.h"
#include "link.h"
#include "log.h"
#include "net.h"
#include "port.h"

void link_poll(void)
{
	bool up;

	if (!(mmio_read32(REG(DEV, DEV_LINK)) & CAIRN_REG_DEV_LINK_CHANGED))
		return;
	/* In this order: a change after the clearing says CHANGED again. */
	mmio_write32(REG(DEV, DEV_LINK), CAIRN_REG_DEV_LINK_CHANGED);
	up = mmio_read32(REG(DEV, DEV_LINK)) & CAIRN_REG_DEV_LINK_UP;
	fw_log(3, up ? "link up" : "link down", 0, 0);
	neighbour_forget(); /* what was said meanwhile was not heard */
	if (dev.enabled)
		eq_post(CAIRN_EQN_ASYNC, up ? CAIRN_EQE_TYPE_PORT_ACTIVE : CAIRN_EQE_TYPE_PORT_ERR,
			1, 0);
	for (unsigned int i = 0; up && i < GIDS; i++)
		if (dev.gids[i].valid)
			net_announce(i);
}
