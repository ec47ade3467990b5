// SPDX-License-Identifier: Apache-2.0
/* The port as registers tell it. */
#include "port.h"

/* Headers between Ethernet and payload at most (IPv6, UDP, BTH, RETH, ImmDt) plus ICRC. */
#define MTU_OVERHEAD 84u

unsigned int port_active_mtu(void)
{
	uint32_t eth = CAIRN_GET(mmio_read32(REG(DEV, DEV_PORT)), CAIRN_REG_PORT_ETH_MTU);

	for (unsigned int mtu = 5; mtu > 1; mtu--)
		if ((128u << mtu) + MTU_OVERHEAD <= eth)
			return mtu;
	return 1;
}

bool port_up(void)
{
	return mmio_read32(REG(DEV, DEV_LINK)) & CAIRN_REG_DEV_LINK_UP;
}
