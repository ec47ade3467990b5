// SPDX-License-Identifier: Apache-2.0
/* What addresses look like: GIDs as text (cairn.h), the link-local one, the kinds
 * that there are. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "priv.h"

#define MAX_VID 4095 /* itself reserved: IEEE 802.1Q, 9.6 */

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

void cairn_gid_link_local(uint64_t mac, uint8_t gid[16])
{
	const uint8_t m[6] = { mac >> 40, mac >> 32, mac >> 24, mac >> 16, mac >> 8, mac };
	const uint8_t id[16] = { 0xfe,	   0x80, 0,    0,    0,	   0,	 0,    0,
				 m[0] ^ 2, m[1], m[2], 0xff, 0xfe, m[3], m[4], m[5] };

	memcpy(gid, id, 16);
}

bool cairn_gid_is_ipv4(const uint8_t gid[16])
{
	return !memcmp(gid, mapped, sizeof(mapped));
}

bool cairn_parse_gid(const char *text, uint8_t gid[16], uint32_t *vlan)
{
	const char *at = strchr(text, '@');
	size_t len = at ? (size_t)(at - text) : strlen(text);
	char name[INET6_ADDRSTRLEN], *end;
	unsigned long vid = 0;

	if (len >= sizeof(name))
		return false;
	memcpy(name, text, len);
	name[len] = 0;
	if (at) {
		vid = strtoul(at + 1, &end, 10);
		if (at[1] < '0' || at[1] > '9' || *end || !vid || vid >= MAX_VID)
			return false;
	}
	*vlan = at ? CAIRN_GID_VLAN | (uint32_t)vid : 0;
	if (inet_pton(AF_INET6, name, gid) == 1)
		return true;
	memcpy(gid, mapped, sizeof(mapped));
	return inet_pton(AF_INET, name, gid + sizeof(mapped)) == 1;
}
