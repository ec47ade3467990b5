// SPDX-License-Identifier: Apache-2.0
/* GIDs, and the table of our own (rx_gid_table): a GID and the VLAN that it is in. */
#include <string.h>

#include "dev.h"
#include "gid.h"

bool gid_is_zero(const uint8_t *gid)
{
	_Alignas(4) static const uint8_t zero[16];

	return gid_equal(gid, zero) || (gid_is_v4(gid) && !memcmp(gid + 12, zero, 4));
}

bool gid_is_mcast(const uint8_t *gid)
{
	return gid_is_v4(gid) ? (gid[12] & 0xf0) == 0xe0 : gid[0] == 0xff;
}

uint16_t gid_vid(unsigned int gid_index)
{
	const struct gid *g = &dev.gids[gid_index];

	return g->vlan ? g->tci & 0xfffu : NO_VLAN;
}

int gid_own_index(const uint8_t *gid, uint16_t vid)
{
	uint32_t left = dev.gids_valid;

	for (unsigned int i = 0; left; i++, left >>= 1)
		if (left & 1 && gid_equal(dev.gids[i].raw, gid) && gid_vid(i) == vid)
			return (int)i;
	return -1;
}

void gid_write(unsigned int index)
{
	const struct gid *g = &dev.gids[index];

	dev.gids_valid &= ~(1u << index);
	dev.gids_valid |= (uint32_t)g->valid << index;
	mmio_copy_in(CAIRN_MMIO_DEV + CAIRN_DEV_GID_DATA, g->raw, sizeof(g->raw));
	mmio_write32(REG(DEV, DEV_GID),
		     CAIRN_PUT(CAIRN_REG_DEV_GID_INDEX, index) |
			     CAIRN_PUT(CAIRN_REG_DEV_GID_VALID, (uint32_t)g->valid) |
			     CAIRN_PUT(CAIRN_REG_DEV_GID_IPV6,
				       (uint32_t)(g->valid && !gid_is_v4(g->raw))) |
			     CAIRN_PUT(CAIRN_REG_DEV_GID_VLAN, (uint32_t)g->vlan) |
			     CAIRN_PUT(CAIRN_REG_DEV_GID_VID, g->tci & 0xfffu));
}
