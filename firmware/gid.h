/* SPDX-License-Identifier: Apache-2.0 */
/* GIDs and the table of ours (gid.c). */
#ifndef CAIRN_FW_GID_H
#define CAIRN_FW_GID_H

#include "fw.h"

#define GIDS 16u /* at most */
#define NO_VLAN 0u /* of a neighbour, and of frames without tag or with VID 0 */

struct gid {
	_Alignas(4) uint8_t raw[16];
	uint16_t tci;
	bool valid, vlan;
};

/* Addresses are compared by words where they stand at multiples of 4. */
typedef uint32_t __attribute__((may_alias)) gid_word;

static inline bool gid_equal(const uint8_t *a, const uint8_t *b)
{
	const gid_word *v = (const void *)a, *w = (const void *)b;

	if (((uintptr_t)a | (uintptr_t)b) & 3)
		return !memcmp(a, b, 16);
	return v[3] == w[3] && v[2] == w[2] && v[1] == w[1] && v[0] == w[0];
}

static inline bool gid_is_v4(const uint8_t *gid)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	const gid_word *w = (const void *)gid;

	if ((uintptr_t)gid & 3)
		return !memcmp(gid, mapped, 12);
	return w[2] == 0xffff0000 && !(w[0] | w[1]);
}

bool gid_is_zero(const uint8_t *gid);
bool gid_is_mcast(const uint8_t *gid);
uint16_t gid_vid(unsigned int index);
/* Our GID with that address in that VLAN, or -1. */
int gid_own_index(const uint8_t *gid, uint16_t vid);
/* dev.gids[index] into the table on chip. */
void gid_write(unsigned int index);

#endif
