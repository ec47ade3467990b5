// SPDX-License-Identifier: Apache-2.0
/* The model of net_model.h, after RFC 826, 5227, 4861, 4862, 1122 and 4443. */
#include "net_model.h"

#include <stdlib.h>
#include <string.h>

#include "netframe.h"

#define USED CAIRN_NET_OUTCOME_USED
#define IGNORED CAIRN_NET_OUTCOME_IGNORED
#define INVALID CAIRN_NET_OUTCOME_INVALID
#define BAD_SOURCE CAIRN_NET_OUTCOME_BAD_SOURCE
#define UNSOLICITED CAIRN_NET_OUTCOME_UNSOLICITED
#define CONFLICT CAIRN_NET_OUTCOME_CONFLICT

static const uint8_t all_nodes[16] = { 0xff, 2, [15] = 1 };

/* A frame taken apart. */
struct seen {
	struct net_model *m;
	const uint8_t *frame, *l3;
	uint32_t bytes, vid;
	uint8_t *answer;
	uint32_t *answer_len;
};

static bool zeros(const uint8_t *p, unsigned int n)
{
	while (n--)
		if (p[n])
			return false;
	return true;
}

static bool mapped(const uint8_t *a)
{
	return zeros(a, 10) && a[10] == 0xff && a[11] == 0xff;
}

static void map(uint8_t *a, const uint8_t *ip)
{
	memset(a, 0, 10);
	a[10] = a[11] = 0xff;
	memcpy(a + 12, ip, 4);
}

static bool mac_possible(const struct seen *s, const uint8_t *mac)
{
	return !(mac[0] & 1) && !zeros(mac, 6) && memcmp(mac, s->m->mac, 6) != 0;
}

static bool unicast4(const uint8_t *ip)
{
	return ip[0] >= 1 && ip[0] <= 223 && ip[0] != 127;
}

/* Of IPv6 as it may stand on a wire. */
static bool unicast6(const uint8_t *a)
{
	return a[0] != 0xff && !mapped(a) && !(zeros(a, 15) && a[15] <= 1);
}

static int own(const struct seen *s, const uint8_t *addr)
{
	for (unsigned int i = 0; i < NET_MODEL_GIDS; i++) {
		int tci = s->m->gid[i].tci;

		if (s->m->gid[i].valid && !memcmp(s->m->gid[i].addr, addr, 16) &&
		    (tci < 0 ? 0u : (uint32_t)tci & 0xfff) == s->vid)
			return (int)i;
	}
	return -1;
}

static int own4(const struct seen *s, const uint8_t *ip)
{
	uint8_t a[16];

	map(a, ip);
	return own(s, a);
}

static int own6(const struct seen *s, const uint8_t *a)
{
	return mapped(a) ? -1 : own(s, a);
}

static struct net_peer *peer(struct net_model *m, const uint8_t *addr, uint32_t vid)
{
	for (unsigned int i = 0; i < m->peers; i++)
		if (m->peer[i].vid == vid && !memcmp(m->peer[i].addr, addr, 16))
			return &m->peer[i];
	return NULL;
}

/* ---------------------------------------------------------------- what the NIC sends */

static uint32_t header(const struct net_model *m, unsigned int gid, const uint8_t *to,
		       uint32_t etype, uint8_t *out)
{
	uint32_t at = 12;

	memcpy(out, to, 6);
	memcpy(out + 6, m->mac, 6);
	if (m->gid[gid].tci >= 0) {
		netframe_put(out + 12, 0x8100);
		netframe_put(out + 14, (uint32_t)m->gid[gid].tci);
		at = 16;
	}
	netframe_put(out + at, etype);
	return at + 2;
}

/* ARP of ours; to NULL: broadcast, the target's MAC left open. */
static uint32_t arp(const struct net_model *m, unsigned int gid, unsigned int op, const uint8_t *to,
		    const uint8_t *ip, uint8_t *out)
{
	static const uint8_t all[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const uint8_t head[6] = { 0, 1, 8, 0, 6, 4 };
	uint32_t at = header(m, gid, to ? to : all, 0x0806, out);

	memcpy(out + at, head, 6);
	netframe_put(out + at + 6, op);
	memcpy(out + at + 8, m->mac, 6);
	memcpy(out + at + 14, m->gid[gid].addr + 12, 4);
	memset(out + at + 18, 0, 6);
	if (to)
		memcpy(out + at + 18, to, 6);
	memcpy(out + at + 24, ip, 4);
	return at + 28;
}

static uint32_t nd(const struct net_model *m, unsigned int gid, uint8_t type, uint8_t flags,
		   const uint8_t *to, const uint8_t *dst, const uint8_t *target, uint8_t *out)
{
	uint8_t mac[6] = { 0x33, 0x33 };
	uint32_t at;
	uint8_t *ip;

	memcpy(mac + 2, dst + 12, 4);
	at = header(m, gid, to ? to : mac, 0x86dd, out);
	ip = out + at;
	memset(ip, 0, 72);
	ip[0] = 0x60;
	ip[5] = 32;
	ip[6] = 58;
	ip[7] = 255;
	memcpy(ip + 8, m->gid[gid].addr, 16);
	memcpy(ip + 24, dst, 16);
	ip[40] = type;
	ip[44] = flags;
	memcpy(ip + 48, target, 16);
	ip[64] = type == 135 ? 1 : 2;
	ip[65] = 1;
	memcpy(ip + 66, m->mac, 6);
	netframe_put(ip + 42, netframe_sum6(ip));
	return at + 72;
}

uint32_t net_model_question(const struct net_model *m, unsigned int gid, const uint8_t *addr,
			    uint8_t *out)
{
	uint8_t group[16] = { 0xff, 2, [11] = 1, [12] = 0xff };

	if (mapped(addr))
		return arp(m, gid, 1, NULL, addr + 12, out);
	memcpy(group + 13, addr + 13, 3);
	return nd(m, gid, 135, 0, NULL, group, addr, out);
}

uint32_t net_model_announcement(const struct net_model *m, unsigned int gid, uint8_t *out)
{
	const uint8_t *addr = m->gid[gid].addr;

	if (mapped(addr))
		return arp(m, gid, 1, NULL, addr + 12, out);
	return nd(m, gid, 136, 0x20, NULL, all_nodes, addr, out);
}

/* ---------------------------------------------------------------- neighbours */

bool net_model_want(struct net_model *m, unsigned int gid, const uint8_t *addr, uint8_t *mac)
{
	int tci = m->gid[gid].tci;
	uint32_t vid = tci < 0 ? 0 : (uint32_t)tci & 0xfff;
	struct net_peer *p = peer(m, addr, vid);

	if (!p) {
		if (m->peers == NET_MODEL_PEERS)
			abort(); /* firmware would forget one */
		p = &m->peer[m->peers++];
		memset(p, 0, sizeof(*p));
		memcpy(p->addr, addr, 16);
		p->vid = (uint16_t)vid;
	}
	if (p->state == PEER_CONFIRMED || (p->state == PEER_DOUBTFUL && p->told)) {
		memcpy(mac, p->mac, 6);
		return true;
	}
	p->state = PEER_ASKED;
	return false;
}

/* RFC 4861 7.2.5, row by row; mac NULL: no option. */
static enum cairn_net_outcome heard(struct net_peer *p, const uint8_t *mac, bool s, bool o)
{
	bool differs = mac && memcmp(mac, p->mac, 6);

	switch (p->state) {
	case PEER_UNKNOWN:
		return UNSOLICITED;
	case PEER_ASKED:
		if (!mac)
			return UNSOLICITED;
		memcpy(p->mac, mac, 6);
		p->state = s ? PEER_CONFIRMED : PEER_DOUBTFUL;
		p->told = true;
		return USED;
	default:
		break;
	}
	if (differs && !o) {
		if (p->state == PEER_CONFIRMED) {
			p->state = PEER_DOUBTFUL;
			p->told = false;
		}
		return UNSOLICITED;
	}
	if (!differs && !s)
		return UNSOLICITED; /* nothing new */
	if (mac)
		memcpy(p->mac, mac, 6);
	p->state = s ? PEER_CONFIRMED : PEER_DOUBTFUL;
	p->told = false;
	return USED;
}

/* ---------------------------------------------------------------- ARP */

static enum cairn_net_outcome on_arp(struct seen *s)
{
	static const uint8_t ether_ip[6] = { 0, 1, 8, 0, 6, 4 };
	const uint8_t *p = s->l3, *sha = p + 8, *spa = p + 14, *tha = p + 18, *tpa = p + 24;
	unsigned int op;
	uint8_t addr[16];
	struct net_peer *him;
	bool probe, to_us;
	int mine, target;

	if (s->bytes < 28 || memcmp(p, ether_ip, 6) != 0)
		return INVALID;
	op = netframe_get(p + 6);
	if (op != 1 && op != 2)
		return IGNORED;
	probe = op == 1 && zeros(spa, 4);
	if (!mac_possible(s, sha) || !mac_possible(s, s->frame + 6))
		return BAD_SOURCE;
	if (!probe && !unicast4(spa))
		return BAD_SOURCE;
	mine = probe ? -1 : own4(s, spa);
	if (mine >= 0) {
		s->m->gid[mine].conflict = true;
		return CONFLICT;
	}
	target = own4(s, tpa);
	map(addr, spa);
	him = probe ? NULL : peer(s->m, addr, s->vid);
	to_us = op == 2 && !memcmp(s->frame, s->m->mac, 6) && !memcmp(tha, s->m->mac, 6);
	if (op == 1 && target >= 0) {
		if (him)
			heard(him, sha, false, true);
		*s->answer_len = arp(s->m, (unsigned int)target, 2, sha, spa, s->answer);
		return USED;
	}
	if (him && him->state != PEER_UNKNOWN)
		return heard(him, sha, to_us && him->state == PEER_ASKED, true);
	return op == 2 && target >= 0 ? UNSOLICITED : IGNORED;
}

/* ---------------------------------------------------------------- echo */

/* The echo back, its checksums as RFC 1071 makes them. */
static void echo_back(struct seen *s, unsigned int gid, uint32_t l3_bytes, bool v6)
{
	uint32_t at = header(s->m, gid, s->frame + 6, v6 ? 0x86dd : 0x0800, s->answer);
	uint8_t *ip = s->answer + at;

	memcpy(ip, s->l3, l3_bytes);
	if (v6) {
		memset(ip, 0, 4);
		ip[0] = 0x60;
		ip[7] = 64;
		memcpy(ip + 8, s->l3 + 24, 16);
		memcpy(ip + 24, s->l3 + 8, 16);
		ip[40] = 129;
		netframe_put(ip + 42, 0);
		netframe_put(ip + 42, netframe_sum6(ip));
	} else {
		ip[1] &= 0xfc;
		ip[8] = 64;
		memcpy(ip + 12, s->l3 + 16, 4);
		memcpy(ip + 16, s->l3 + 12, 4);
		netframe_put(ip + 10, 0);
		netframe_put(ip + 10, netframe_sum(ip, 20, 0));
		ip[20] = 0;
		netframe_put(ip + 22, 0);
		netframe_put(ip + 22, netframe_sum(ip + 20, l3_bytes - 20, 0));
	}
	*s->answer_len = at + l3_bytes;
}

static enum cairn_net_outcome on_ip4(struct seen *s)
{
	const uint8_t *ip = s->l3;
	uint32_t total = netframe_get(ip + 2);
	int mine;

	if (ip[9] != 1)
		return IGNORED;
	if (total < 28 || total > s->bytes)
		return INVALID;
	if (ip[20] != 8)
		return IGNORED;
	if (ip[21] || netframe_sum(ip + 20, total - 20, 0))
		return INVALID;
	mine = own4(s, ip + 16);
	if (mine < 0)
		return IGNORED;
	if (s->frame[0] & 1)
		return INVALID;
	if (!unicast4(ip + 12) || !mac_possible(s, s->frame + 6) || own4(s, ip + 12) >= 0)
		return BAD_SOURCE;
	echo_back(s, (unsigned int)mine, total, false);
	return USED;
}

/* ---------------------------------------------------------------- ICMPv6 */

/* The options of a message: false if they are malformed; *mac: the last of that kind. */
static bool options(const uint8_t *p, uint32_t bytes, uint8_t kind, const uint8_t **mac)
{
	*mac = NULL;
	while (bytes) {
		if (bytes < 2 || !p[1] || p[1] * 8u > bytes)
			return false;
		if (p[0] == kind && p[1] == 1)
			*mac = p + 2;
		bytes -= p[1] * 8u;
		p += p[1] * 8;
	}
	return true;
}

static bool source_fails(struct seen *s, const uint8_t *mac, enum cairn_net_outcome *outcome)
{
	int mine;

	*outcome = BAD_SOURCE;
	if (!unicast6(s->l3 + 8) || !mac_possible(s, s->frame + 6) ||
	    (mac && !mac_possible(s, mac)))
		return true;
	mine = own6(s, s->l3 + 8);
	if (mine < 0)
		return false;
	s->m->gid[mine].conflict = true;
	*outcome = CONFLICT;
	return true;
}

static enum cairn_net_outcome on_ns(struct seen *s, uint32_t bytes)
{
	const uint8_t *src = s->l3 + 8, *dst = s->l3 + 24, *target = s->l3 + 48, *mac;
	uint8_t group[16] = { 0xff, 2, [11] = 1, [12] = 0xff };
	bool dad = zeros(src, 16), by_group;
	enum cairn_net_outcome outcome;
	struct net_peer *him;
	int mine = own6(s, target);

	memcpy(group + 13, target + 13, 3);
	by_group = !memcmp(dst, group, 16);
	if (!options(s->l3 + 64, bytes - 24, 1, &mac) || target[0] == 0xff)
		return INVALID;
	if (dad) {
		if (mac || !by_group)
			return INVALID;
		if (!mac_possible(s, s->frame + 6))
			return BAD_SOURCE;
		if (mine < 0)
			return IGNORED;
		*s->answer_len =
			nd(s->m, (unsigned int)mine, 136, 0x20, NULL, all_nodes, target, s->answer);
		return USED;
	}
	if (source_fails(s, mac, &outcome))
		return outcome;
	if (mine < 0 || (!by_group && memcmp(dst, all_nodes, 16) != 0 && own6(s, dst) < 0))
		return IGNORED;
	him = peer(s->m, src, s->vid);
	if (him && mac)
		heard(him, mac, false, true);
	*s->answer_len = nd(s->m, (unsigned int)mine, 136, 0x60, mac ? mac : s->frame + 6, src,
			    target, s->answer);
	return USED;
}

static enum cairn_net_outcome on_na(struct seen *s, uint32_t bytes)
{
	const uint8_t *dst = s->l3 + 24, *target = s->l3 + 48, *mac;
	uint8_t flags = s->l3[44];
	enum cairn_net_outcome outcome;
	struct net_peer *him;
	int mine;

	if (!options(s->l3 + 64, bytes - 24, 2, &mac) || target[0] == 0xff ||
	    (dst[0] == 0xff && flags & 0x40))
		return INVALID;
	if (source_fails(s, mac, &outcome))
		return outcome;
	if (memcmp(dst, all_nodes, 16) != 0 && own6(s, dst) < 0)
		return IGNORED;
	mine = own6(s, target);
	if (mine >= 0) {
		s->m->gid[mine].conflict = true;
		return CONFLICT;
	}
	him = mapped(target) ? NULL : peer(s->m, target, s->vid);
	return him ? heard(him, mac, flags & 0x40, flags & 0x20) : UNSOLICITED;
}

static enum cairn_net_outcome on_ip6(struct seen *s)
{
	const uint8_t *ip = s->l3;
	uint32_t bytes = netframe_get(ip + 4);
	int mine;

	if (ip[6] != 58)
		return IGNORED;
	if (bytes < 8 || bytes + 40 > s->bytes)
		return INVALID;
	if (ip[40] != 128 && ip[40] != 135 && ip[40] != 136)
		return IGNORED;
	if (ip[41] || netframe_sum6(ip))
		return INVALID;
	if (ip[40] != 128) {
		if (ip[7] != 255 || bytes < 24)
			return INVALID;
		return ip[40] == 135 ? on_ns(s, bytes) : on_na(s, bytes);
	}
	mine = own6(s, ip + 24);
	if (mine < 0)
		return IGNORED;
	if (s->frame[0] & 1)
		return INVALID;
	if (!unicast6(ip + 8) || !mac_possible(s, s->frame + 6) || own6(s, ip + 8) >= 0)
		return BAD_SOURCE;
	echo_back(s, (unsigned int)mine, 40 + bytes, true);
	return USED;
}

enum cairn_net_outcome net_model_frame(struct net_model *m, const uint8_t *frame, uint32_t len,
				       uint8_t *answer, uint32_t *answer_len)
{
	struct seen s = { .m = m, .frame = frame, .answer = answer, .answer_len = answer_len };
	uint32_t at = 14, etype = netframe_get(frame + 12);

	*answer_len = 0;
	if (etype == 0x8100) {
		at = 18;
		s.vid = netframe_get(frame + 14) & 0xfff;
		etype = netframe_get(frame + 16);
	}
	s.l3 = frame + at;
	s.bytes = len - at;
	switch (etype) {
	case 0x0806:
		return on_arp(&s);
	case 0x0800:
		return on_ip4(&s);
	case 0x86dd:
		return on_ip6(&s);
	default:
		return IGNORED;
	}
}
