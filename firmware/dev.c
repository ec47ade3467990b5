// SPDX-License-Identifier: Apache-2.0
/* State of the whole device: what the build can do, its tables, event queues and GIDs. */
#include "dev.h"

struct dev dev;

void dev_init(void)
{
	uint64_t mac = reg_read64(REG(DEV, DEV_MAC));
	uint32_t sizes = mmio_read32(REG(DEV, DEV_SIZES));

	dev.features = mmio_read32(REG(DEV, DEV_FEATURES));
	dev.build = mmio_read32(REG(DEV, DEV_BUILD));
	dev.n_gids = CAIRN_GET(sizes, CAIRN_REG_SIZES_GIDS);
	dev.n_eqs = CAIRN_GET(sizes, CAIRN_REG_SIZES_EQS);
	dev.mrs_log2 = CAIRN_GET(sizes, CAIRN_REG_SIZES_MRS_LOG2);
	dev.n_groups = CAIRN_GET(sizes, CAIRN_REG_SIZES_GROUPS);
	for (unsigned int i = 0; i < 6; i++)
		dev.mac[i] = (uint8_t)(mac >> (40 - 8 * i));
}

uint32_t dev_numbers(void)
{
	uint32_t qps = CAIRN_GET(dev.build, CAIRN_REG_BUILD_QPS_LOG2);
	uint32_t cqs = CAIRN_GET(dev.build, CAIRN_REG_BUILD_CQS_LOG2);

	return 1u << (qps > cqs ? qps : cqs);
}
