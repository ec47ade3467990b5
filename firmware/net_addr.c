// SPDX-License-Identifier: Apache-2.0
/* Which addresses may be believed, and which are answered. */
#include <string.h>

#include "dev.h"
#include "gid.h"
#include "net.h"

bool net_mac_ok(const uint8_t *mac)
{
	static const uint8_t zero[MAC_BYTES];

	return !(mac[0] & 1) && memcmp(mac, zero, MAC_BYTES) && memcmp(mac, dev.mac, MAC_BYTES);
}

bool net_source_ok(const struct net_frame *f, const uint8_t *gid)
{
	_Alignas(4) static const uint8_t zero[15];
	bool v4 = gid_is_v4(gid);

	if (v4 != (f->etype != CAIRN_ETHERTYPE_IPV6) || gid_is_mcast(gid) ||
	    !net_mac_ok(f->src_mac))
		return false;
	if (v4) /* this network, loopback, class E and broadcast */
		return gid[12] != 0 && gid[12] != 127 && gid[12] < 240;
	return memcmp(gid, zero, sizeof(zero)) || gid[15] > 1; /* ::, ::1 */
}

enum cairn_net_outcome net_echo_ours(const struct net_frame *f, const uint8_t *src,
				     const uint8_t *dst, uint32_t l3_bytes, unsigned int *gid_index)
{
	int ours = gid_own_index(dst, f->vid);

	if (ours < 0 || !net_tx_fits((unsigned int)ours, l3_bytes))
		return CAIRN_NET_OUTCOME_IGNORED;
	if (f->dst_mac[0] & 1) /* RFC 1122 3.3.6 */
		return CAIRN_NET_OUTCOME_INVALID;
	if (!net_source_ok(f, src) || gid_own_index(src, f->vid) >= 0)
		return CAIRN_NET_OUTCOME_BAD_SOURCE;
	*gid_index = (unsigned int)ours;
	return net_tx_free() ? CAIRN_NET_OUTCOME_USED : NET_AGAIN;
}
