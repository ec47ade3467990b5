// SPDX-License-Identifier: Apache-2.0
/*
 * The neighbour cache, one state machine for ARP and neighbour discovery (RFC 4861 7.2.3, 7.2.5 and
 * appendix C; RFC 826).  An entry is made by a question of ours and by nothing else; what others
 * say changes it as the RFC allows, and an address that was changed unasked is asked for anew
 * before it is used: a connection would keep the wrong one for good.  So is what was heard long
 * ago, or before the link was down.
 *
 * What is asked for has its place in the receive ring (RAW_AWAIT): no flood of other frames takes
 * it, and no answer to others keeps a question of ours from going out.
 */
#include <string.h>

#include "gid.h"
#include "loop.h"
#include "net.h"

#define NEIGHBOURS 64u
#define ASK_INTERVAL_NS 100000000ull /* repeat an unanswered request */
#define ANSWER_NS 1000000000ull	     /* after that a question is over */
#define FRESH_NS 30000000000ull	     /* as long as a neighbour is believed */

enum state {
	NONE,
	INCOMPLETE, /* asked, not answered; the address is not known */
	REACHABLE,  /* has said so in answer to a question */
	STALE,	    /* was said, but not to us; or another host says otherwise */
};

static struct neighbour {
	uint8_t gid[16];
	uint16_t vid;
	uint8_t mac[MAC_BYTES];
	uint8_t state;
	uint64_t asked; /* ns of the last request; 0 never */
	uint64_t heard; /* ns; STALE: of an answer that was none to us alone, else 0 */
	uint32_t stamp; /* for replacement */
} neighbours[NEIGHBOURS] CPU_NOINIT;
static unsigned int in_use; /* those before have been used, and only those */

static struct neighbour *awaited[CAIRN_RAW_ANSWERS];
static uint32_t stamp;

/* ---- places in the receive ring ---- */

static void await_write(unsigned int i, bool valid)
{
	const struct neighbour *n = awaited[i];
	uint32_t vid = n ? n->vid : 0, v6 = n && !gid_is_v4(n->gid);

	mmio_write32(REG(RAW, RAW_AWAIT_KEY),
		     n ? (uint32_t)get16(n->gid + 12) << 16 | get16(n->gid + 14) : 0);
	mmio_write32(REG(RAW, RAW_AWAIT),
		     CAIRN_PUT(CAIRN_REG_RAW_AWAIT_INDEX, i) |
			     CAIRN_PUT(CAIRN_REG_RAW_AWAIT_VID, vid) |
			     CAIRN_PUT(CAIRN_REG_RAW_AWAIT_IPV6, v6) |
			     CAIRN_PUT(CAIRN_REG_RAW_AWAIT_VALID, (uint32_t)valid));
}

/* His own place, a free one, or that of who was asked the longest time ago: more than are asked at
 * once wait only when commands are given up and others begun. */
static void await_begin(struct neighbour *n)
{
	unsigned int best = 0;

	for (unsigned int i = 0; i < CAIRN_RAW_ANSWERS; i++) {
		if (awaited[i] == n) {
			best = i;
			break;
		}
		if (awaited[best] && (!awaited[i] || awaited[i]->asked < awaited[best]->asked))
			best = i;
	}
	awaited[best] = n;
	await_write(best, true);
}

static void await_end(const struct neighbour *n)
{
	for (unsigned int i = 0; i < CAIRN_RAW_ANSWERS; i++) {
		if (awaited[i] != n)
			continue;
		awaited[i] = NULL;
		await_write(i, false);
	}
}

void neighbour_await_again(void)
{
	for (unsigned int i = 0; i < CAIRN_RAW_ANSWERS; i++)
		if (awaited[i])
			await_write(i, true);
}

/* ---- the table ---- */

static void set_state(struct neighbour *n, enum state state)
{
	if (n->state == INCOMPLETE && state != INCOMPLETE)
		await_end(n);
	n->state = (uint8_t)state;
	n->heard = state == REACHABLE ? cpu_now() : 0;
}

/* What time alone does. */
static void grow_old(struct neighbour *n)
{
	uint64_t now = cpu_now();

	if (n->state == INCOMPLETE && n->asked && now - n->asked >= ANSWER_NS)
		set_state(n, NONE);
	else if (n->state == REACHABLE && now - n->heard >= FRESH_NS)
		set_state(n, STALE);
}

static struct neighbour *find(const uint8_t *gid, uint16_t vid)
{
	for (struct neighbour *n = neighbours; n < neighbours + in_use; n++) {
		if (n->state == NONE || n->vid != vid || !gid_equal(n->gid, gid))
			continue;
		grow_old(n);
		return n->state == NONE ? NULL : n;
	}
	return NULL;
}

static struct neighbour *make(const uint8_t *gid, uint16_t vid)
{
	struct neighbour *oldest = &neighbours[0];

	for (struct neighbour *n = neighbours; n < neighbours + in_use; n++)
		if (oldest->state != NONE &&
		    (n->state == NONE || oldest->stamp - n->stamp < 1u << 31))
			oldest = n;
	if (in_use < NEIGHBOURS && (!in_use || oldest->state != NONE))
		oldest = &neighbours[in_use++];
	else
		set_state(oldest, NONE);
	memset(oldest, 0, sizeof(*oldest));
	memcpy(oldest->gid, gid, 16);
	oldest->vid = vid;
	return oldest;
}

void neighbour_forget(void)
{
	for (struct neighbour *n = neighbours; n < neighbours + in_use; n++)
		set_state(n, NONE);
}

bool neighbour_asked(const uint8_t *gid, uint16_t vid)
{
	const struct neighbour *n = find(gid, vid);

	return n && n->state == INCOMPLETE;
}

enum cairn_net_outcome neighbour_said(const uint8_t *gid, uint16_t vid, const uint8_t *mac,
				      bool solicited, bool override)
{
	struct neighbour *n = find(gid, vid);
	bool other;

	if (!n)
		return CAIRN_NET_OUTCOME_IGNORED;
	if (n->state == INCOMPLETE) {
		if (!mac || !n->asked)
			return CAIRN_NET_OUTCOME_UNSOLICITED;
		memcpy(n->mac, mac, MAC_BYTES);
		set_state(n, solicited ? REACHABLE : STALE);
		n->heard = cpu_now();
		return CAIRN_NET_OUTCOME_USED;
	}
	other = mac && memcmp(n->mac, mac, MAC_BYTES);
	if (other && !override) {
		if (n->state == REACHABLE)
			set_state(n, STALE);
		return CAIRN_NET_OUTCOME_UNSOLICITED;
	}
	if (other)
		memcpy(n->mac, mac, MAC_BYTES);
	if (other || solicited)
		set_state(n, solicited ? REACHABLE : STALE);
	return other || solicited ? CAIRN_NET_OUTCOME_USED : CAIRN_NET_OUTCOME_UNSOLICITED;
}

/* ---- questions ---- */

bool neighbour_question(void)
{
	bool was = fw_todo & FW_QUESTION;

	fw_todo &= ~(uint32_t)FW_QUESTION;
	return was;
}

static void ask(struct neighbour *n, unsigned int gid_index)
{
	uint64_t now = cpu_now();

	if (n->asked && now - n->asked < ASK_INTERVAL_NS) {
		fw_wake_at(n->asked + ASK_INTERVAL_NS);
		return;
	}
	if (!net_tx_free()) {
		fw_todo |= FW_QUESTION;
		fw_wake_at(now + NET_TX_RETRY_NS);
		return;
	}
	n->asked = now;
	await_begin(n);
	if (gid_is_v4(n->gid))
		net_arp_ask(gid_index, n->gid + 12);
	else
		net6_solicit(gid_index, n->gid);
	fw_wake_at(now + ASK_INTERVAL_NS);
}

/* Told since a question of ours, lately; the answer may have been one to all (RFC 4861 7.2.5). */
static bool usable(const struct neighbour *n)
{
	return n->state == REACHABLE ||
	       (n->state == STALE && n->heard && cpu_now() - n->heard < FRESH_NS);
}

const uint8_t *neighbour_mac(unsigned int sgid_index, const uint8_t *gid)
{
	uint16_t vid = gid_vid(sgid_index);
	struct neighbour *n = find(gid, vid);

	if (!n)
		n = make(gid, vid);
	n->stamp = ++stamp;
	if (usable(n))
		return n->mac;
	if (n->state != INCOMPLETE) {
		n->asked = 0;
		set_state(n, INCOMPLETE);
	}
	ask(n, sgid_index);
	return NULL;
}
