// SPDX-License-Identifier: Apache-2.0
/* Telling others our addresses, and finding other users of them (RFC 5227; IPv6 alike). */
#include "dev.h"
#include "eq.h"
#include "gid.h"
#include "log.h"
#include "loop.h"
#include "net.h"

#define DEFEND_NS 10000000000ull /* RFC 5227 DEFEND_INTERVAL */

static uint32_t announce;		 /* bit per GID still to announce, */
static uint64_t announce_since, busy_at; /* ns: since when, and when there was a command */
static uint32_t told;			 /* bit per GID: the host knows of its conflict */
static uint64_t defended[GIDS];		 /* ns; 0 never */

static void announce_soon(unsigned int gid_index)
{
	if (!announce)
		announce_since = busy_at = cpu_now();
	announce |= 1u << gid_index;
	fw_todo |= FW_ANNOUNCE;
}

/*
 * One announcement, not again within DEFEND_NS (RFC 5227 2.4 (c); IPv6 alike).  The host is told
 * once until the entry is set anew or the link comes up: others cannot fill its event queue.
 */
enum cairn_net_outcome net_conflict(unsigned int gid_index, const uint8_t *mac)
{
	uint32_t low = (uint32_t)get16(mac + 2) << 16 | get16(mac + 4);
	uint64_t now = cpu_now();

	if (dev.enabled && !(told >> gid_index & 1)) {
		told |= 1u << gid_index;
		eq_post(CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_ADDR_CONFLICT, gid_index, low);
	}
	if (!defended[gid_index] || now - defended[gid_index] >= DEFEND_NS) {
		defended[gid_index] = now;
		announce_soon(gid_index);
		fw_log(6, "address conflict", gid_index, low);
	}
	return CAIRN_NET_OUTCOME_CONFLICT;
}

void net_announce(unsigned int gid_index)
{
	announce_soon(gid_index);
	told &= ~(1u << gid_index);
	defended[gid_index] = 0;
}

/* It is not urgent: it comes when there has been no command for a while, or after some time. */
#define ANNOUNCE_QUIET_NS 100000u
#define ANNOUNCE_LATEST_NS 1000000u

bool net_announcing(bool busy)
{
	uint64_t now = cpu_now();
	unsigned int i = 0;

	if (busy)
		busy_at = now;
	if (now - busy_at < ANNOUNCE_QUIET_NS && now - announce_since < ANNOUNCE_LATEST_NS) {
		fw_wake_at(busy_at + ANNOUNCE_QUIET_NS);
		return false;
	}
	if (!net_tx_free()) {
		fw_wake_at(cpu_now() + NET_TX_RETRY_NS);
		return false;
	}
	while (!(announce >> i & 1))
		i++;
	announce &= ~(1u << i);
	if (!announce)
		fw_todo &= ~(uint32_t)FW_ANNOUNCE;
	if (dev.gids[i].valid && gid_is_v4(dev.gids[i].raw))
		net_arp_ask(i, dev.gids[i].raw + 12);
	else if (dev.gids[i].valid)
		net6_announce(i);
	return true;
}
