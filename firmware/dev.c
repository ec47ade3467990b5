// SPDX-License-Identifier: Apache-2.0
/* State of the whole device: what the build can do, its tables, event queues and GIDs. */
#include "dev.h"

struct dev dev;

void dev_init(void)
{
	uint64_t mac = reg_read64(REG(DEV, DEV_MAC));

	dev.features = mmio_read32(REG(DEV, DEV_FEATURES));
	dev.build = mmio_read32(REG(DEV, DEV_BUILD));
	for (unsigned int i = 0; i < 6; i++)
		dev.mac[i] = (uint8_t)(mac >> (40 - 8 * i));
}
