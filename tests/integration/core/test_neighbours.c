// SPDX-License-Identifier: Apache-2.0
/*
 * The slow path on the RTL, with a peer made of C: the answer that firmware waits for comes amid a
 * flood at line rate of anything else, and is the first that counts (checks of docs/commands.md,
 * RESOLVE); what must not be answered or believed is not; conflicts of our addresses are told.
 */
#include <string.h>

#include "netframe.h"
#include "rdma.h"

#define FLOOD 400u
#define V4(a, b, c, d)                               \
	{                                            \
		[10] = 0xff, [11] = 0xff, a, b, c, d \
	}

/* Another one in each test: what firmware knows of the last is not forgotten. */
static uint8_t him4[16] = V4(10, 1, 0, 77), him6[16] = { 0xfe, 0x80, [14] = 0x77, [15] = 0x77 };
static const uint8_t other4[16] = V4(10, 2, 0, 78);
static const uint8_t nobody[16], all_nodes[16] = { 0xff, 2, [15] = 1 };
static const uint8_t his_mac[6] = { 2, 0xca, 0x11, 0, 7, 7 }, thief[6] = { 2, 0xca, 0x11, 0, 6, 6 };
static const uint8_t all_ones[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

static struct world {
	struct rdma *r;
	struct sim_line line;
	uint8_t nic_mac[6], own4[16], own6[16];
	int tci;
	const uint8_t *him;
	void (*asked)(struct world *w); /* a question about him has come */
	void (*flood)(const struct world *w, struct netframe *f, unsigned int i);
	unsigned int questions, answers; /* of the NIC, about him; to others */
} w;

static void send(const struct netframe *f)
{
	uint8_t bytes[NETFRAME_ROOM];
	uint32_t len = netframe_build(f, bytes);
	struct sim_frame *frame = sim_frame_new(bytes, len);

	assert_non_null(frame);
	frame->t = sim_line_frame(&w.line, sim_now(w.r->sim), frame->len);
	sim_wire_send(sim_wire(w.r->sim), 1, frame, sim_now(w.r->sim));
}

/* A good frame of that kind from him to us. */
static struct netframe good(enum netframe_kind kind)
{
	bool v4 = netframe_is4(kind);
	struct netframe f = { .kind = kind, .tci = w.tci, .option = true, .hops = 255 };

	memcpy(f.dmac, w.nic_mac, 6);
	memcpy(f.smac, his_mac, 6);
	memcpy(f.mac, his_mac, 6);
	memcpy(f.tmac, w.nic_mac, 6);
	memcpy(f.src, v4 ? him4 : him6, 16);
	memcpy(f.dst, v4 ? w.own4 : w.own6, 16);
	memcpy(f.target, kind == NETFRAME_NA ? him6 : f.dst, 16);
	f.type = kind == NETFRAME_ARP	  ? 2
		 : kind == NETFRAME_NS	  ? 135
		 : kind == NETFRAME_NA	  ? 136
		 : kind == NETFRAME_ECHO4 ? 8
					  : 128;
	f.flags = kind == NETFRAME_NA ? 0x60 : 0;
	return f;
}

/* What the NIC sends: questions about him, or anything else of the slow path. */
static void take(void *arg, const struct sim_frame *frame)
{
	const uint8_t *p = frame->data;
	uint32_t at = netframe_get(p + 12) == 0x8100 ? 18 : 14, type = netframe_get(p + at - 2);
	bool question;

	(void)arg;
	if (!w.r || !w.him)
		return;
	question = type == 0x0806
			   ? netframe_get(p + at + 6) == 1 && !memcmp(p + at + 24, w.him + 12, 4)
			   : type == 0x86dd && p[at + 40] == 135 && !memcmp(p + at + 48, w.him, 16);
	if (!question) {
		w.answers++;
		return;
	}
	if (!w.questions++ && w.asked)
		w.asked(&w);
}

static void begin(void)
{
	struct rdma_cfg cfg = { .nics = 1, .peer_fn = take, .pcap = "" };
	uint64_t mac;
	uint32_t vlan;

	memset(&w, 0, sizeof(w));
	him4[14]++;
	him6[13]++;
	w.tci = -1;
	w.r = rdma_begin(&cfg);
	w.line.mbps = sim_wire_cfg(sim_wire(w.r->sim))->mbps;
	mac = sim_nic_mac(w.r->nic[0].sim);
	for (unsigned int i = 0; i < 6; i++)
		w.nic_mac[i] = (uint8_t)(mac >> (40 - 8 * i));
	rdma_ok(w.r, cairn_query_gid(w.r->nic[0].dev, 0, w.own6, &vlan), "GID");
	rdma_ok(w.r, cairn_query_gid(w.r->nic[0].dev, 1, w.own4, &vlan), "GID");
	rdma_announced(w.r);
}

static void end(void)
{
	rdma_end(w.r);
	w.r = NULL;
}

static uint64_t count(enum cairn_counter c)
{
	return rdma_counter(w.r, 0, c);
}

static uint64_t mac_value(const uint8_t *m)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < 6; i++)
		v = v << 8 | m[i];
	return v;
}

/* ---------------------------------------------------------------- floods */

static void requests(const struct world *s, struct netframe *f, unsigned int i)
{
	*f = good(NETFRAME_ARP);
	f->type = 1;
	memcpy(f->dmac, all_ones, 6);
	memcpy(f->src, other4, 16);
	f->src[14] = (uint8_t)i;
	(void)s;
}

static void foreign_replies(const struct world *s, struct netframe *f, unsigned int i)
{
	requests(s, f, i);
	f->type = 2;
	memcpy(f->dmac, w.nic_mac, 6);
}

static void foreign_advertisements(const struct world *s, struct netframe *f, unsigned int i)
{
	*f = good(NETFRAME_NA);
	f->src[15] ^= 0x80;
	f->target[15] ^= 0x80;
	f->target[12] = (uint8_t)i;
	(void)s;
}

static void long_pings(const struct world *s, struct netframe *f, unsigned int i)
{
	*f = good(i & 1 ? NETFRAME_ECHO6 : NETFRAME_ECHO4);
	f->data = 1900;
	(void)s;
}

static void short_pings(const struct world *s, struct netframe *f, unsigned int i)
{
	long_pings(s, f, i);
	f->data = i % 32;
}

static void his_questions(const struct world *s, struct netframe *f, unsigned int i)
{
	*f = good(i & 1 ? NETFRAME_NS : NETFRAME_ARP);
	f->type = i & 1 ? 135 : 1;
	f->src[15] ^= 0x80; /* of a neighbour of his */
	(void)s;
}

/* The burst, with the answer in its middle. */
static void answer_in_flood(struct world *s)
{
	struct netframe f;

	for (unsigned int i = 0; i < FLOOD; i++) {
		s->flood(s, &f, i);
		send(&f);
	}
	f = good(s->him == him4 ? NETFRAME_ARP : NETFRAME_NA);
	send(&f);
	for (unsigned int i = 0; i < FLOOD; i++) {
		s->flood(s, &f, i);
		send(&f);
	}
}

static void one_flood(const char *name,
		      void (*flood)(const struct world *, struct netframe *, unsigned int), bool v6,
		      int tci)
{
	uint64_t mac = 0, start, dropped, parsed = 0, frames;

	begin();
	w.flood = flood;
	w.asked = answer_in_flood;
	w.him = v6 ? him6 : him4;
	if (tci >= 0) {
		rdma_ok(w.r,
			cairn_set_gid(w.r->nic[0].dev, 5, v6 ? w.own6 : w.own4,
				      CAIRN_GID_VLAN | (uint32_t)tci),
			"GID");
		w.tci = tci;
	}
	rdma_run(w.r, 20000);
	dropped = count(CAIRN_COUNTER_RX_RAW_DROP);
	frames = count(CAIRN_COUNTER_RX_RAW_PACKETS);
	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++)
		parsed -= count(CAIRN_COUNTER_NET_USED + i);
	start = sim_now(w.r->sim);
	rdma_ok(w.r, cairn_resolve(w.r->nic[0].dev, tci >= 0 ? 5 : !v6, w.him, &mac), name);
	start = sim_now(w.r->sim) - start;
	dropped = count(CAIRN_COUNTER_RX_RAW_DROP) - dropped;
	print_message("# %s: answered in %llu ns, %u questions, %llu of %u frames dropped\n", name,
		      (unsigned long long)start, w.questions, (unsigned long long)dropped,
		      2 * FLOOD + 1);
	rdma_assert(w.r, mac == mac_value(his_mac));
	rdma_assert(w.r, w.questions == 1 && start < 50000000);
	rdma_run(w.r, 2000000);
	/* each frame is dropped for room, or taken and counted under what became of it */
	dropped = count(CAIRN_COUNTER_RX_RAW_DROP);
	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++)
		parsed += count(CAIRN_COUNTER_NET_USED + i);
	rdma_assert(w.r, dropped > FLOOD);
	rdma_assert(w.r, parsed == count(CAIRN_COUNTER_RX_RAW_PACKETS) - frames);
	if (tci >= 0)
		rdma_ok(w.r, cairn_set_gid(w.r->nic[0].dev, 5, NULL, 0), "GID");
	end();
}

static void answer_amid_floods(void **state)
{
	(void)state;
	one_flood("400 ARP requests", requests, false, -1);
	one_flood("ARP requests, IPv6", requests, true, -1);
	one_flood("replies of others", foreign_replies, false, -1);
	one_flood("advertisements of others", foreign_advertisements, true, -1);
	one_flood("long pings", long_pings, false, -1);
	one_flood("short pings, IPv6", short_pings, true, -1);
	one_flood("questions", his_questions, false, -1);
	one_flood("requests in a VLAN", requests, false, 0x6007);
	one_flood("advertisements in a VLAN", foreign_advertisements, true, 9);
}

/* ---------------------------------------------------------------- meaning */

/* Send it; which of the counters moved, and how many frames were the answer. */
static enum cairn_net_outcome outcome_of(const struct netframe *f, unsigned int *answers)
{
	uint64_t before[CAIRN_NET_OUTCOMES], moved = 0;
	unsigned int which = 0;

	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++)
		before[i] = count(CAIRN_COUNTER_NET_USED + i);
	w.him = nobody;
	w.answers = 0;
	send(f);
	rdma_run(w.r, 30000);
	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++) {
		uint64_t by = count(CAIRN_COUNTER_NET_USED + i) - before[i];

		moved += by;
		if (by)
			which = i;
	}
	rdma_assert(w.r, moved == 1);
	*answers = w.answers;
	return (enum cairn_net_outcome)which;
}

static void expect(const struct netframe *f, enum cairn_net_outcome want, unsigned int answers)
{
	unsigned int got;

	rdma_assert(w.r, outcome_of(f, &got) == want);
	rdma_assert(w.r, got == answers);
}

/* The same echo from sources that exist and that cannot, by both families (RFC 1122 3.2.1.3). */
static void echo_sources(void **state)
{
	static const uint8_t bad4[][16] = { V4(0, 0, 0, 0),	    V4(0, 1, 2, 3),
					    V4(127, 0, 0, 1),	    V4(224, 0, 0, 1),
					    V4(239, 255, 255, 255), V4(240, 0, 0, 1),
					    V4(255, 255, 255, 255) };
	static const uint8_t bad6[][16] = {
		{ 0 }, { [15] = 1 }, { 0xff, 2, [15] = 1 }, V4(10, 0, 0, 77)
	};
	struct netframe f;

	(void)state;
	begin();
	for (unsigned int v6 = 0; v6 < 2; v6++) {
		f = good(v6 ? NETFRAME_ECHO6 : NETFRAME_ECHO4);
		expect(&f, CAIRN_NET_OUTCOME_USED, 1);
		for (unsigned int i = 0; i < (v6 ? sizeof(bad6) : sizeof(bad4)) / 16; i++) {
			memcpy(f.src, v6 ? bad6[i] : bad4[i], 16);
			expect(&f, CAIRN_NET_OUTCOME_BAD_SOURCE, 0);
		}
		memcpy(f.src, f.dst, 16); /* our own */
		expect(&f, CAIRN_NET_OUTCOME_BAD_SOURCE, 0);
		f = good(f.kind);
		f.smac[0] |= 1;
		expect(&f, CAIRN_NET_OUTCOME_BAD_SOURCE, 0);
		f = good(f.kind);
		memcpy(f.dmac, all_ones, 6);
		expect(&f, CAIRN_NET_OUTCOME_INVALID, 0);
		f = good(f.kind);
		f.tci = 77; /* the address is ours without a tag only */
		expect(&f, CAIRN_NET_OUTCOME_IGNORED, 0);
	}
	end();
}

static void answer(struct world *s)
{
	struct netframe f = good(s->him == him4 ? NETFRAME_ARP : NETFRAME_NA);

	send(&f);
}

static uint64_t resolved(const uint8_t *him)
{
	uint64_t mac = 0;

	w.him = him;
	w.questions = 0;
	w.asked = answer;
	rdma_ok(w.r, cairn_resolve(w.r->nic[0].dev, him == him4, him, &mac), "RESOLVE");
	return mac;
}

/* A third party does not turn what is known: he is asked, and his answer counts. */
static void third_party(void **state)
{
	struct netframe f;

	(void)state;
	begin();
	for (unsigned int v6 = 0; v6 < 2; v6++) {
		const uint8_t *him = v6 ? him6 : him4;

		f = good(v6 ? NETFRAME_NA : NETFRAME_ARP);
		expect(&f, CAIRN_NET_OUTCOME_UNSOLICITED, 0); /* nobody is learned unasked */
		rdma_assert(w.r, resolved(him) == mac_value(his_mac) && w.questions == 1);
		rdma_assert(w.r, resolved(him) == mac_value(his_mac) && w.questions == 0);
		memcpy(f.mac, thief, 6);
		f.flags = 0x40; /* without override nothing changes (RFC 4861 7.2.5) */
		expect(&f, v6 ? CAIRN_NET_OUTCOME_UNSOLICITED : CAIRN_NET_OUTCOME_USED, 0);
		rdma_assert(w.r, resolved(him) == mac_value(his_mac) && w.questions == 1);
		f.flags = 0x20; /* with it the address is not believed before he has been asked */
		memcpy(f.dmac, v6 ? (const uint8_t[]){ 0x33, 0x33, 0, 0, 0, 1 } : all_ones, 6);
		memcpy(f.dst, all_nodes, 16);
		expect(&f, CAIRN_NET_OUTCOME_USED, 0);
		rdma_assert(w.r, resolved(him) == mac_value(his_mac) && w.questions == 1);
	}
	end();
}

/* Another one has our address: counted, told to the host once, announced once in ten seconds. */
static void conflict(void **state)
{
	unsigned int answers;
	struct netframe f;

	(void)state;
	begin();
	for (unsigned int v6 = 0; v6 < 2; v6++) {
		f = good(v6 ? NETFRAME_NA : NETFRAME_ARP);
		memcpy(f.src, v6 ? w.own6 : w.own4, 16);
		memcpy(f.target, f.src, 16);
		memcpy(f.mac, thief, 6);
		for (unsigned int i = 0; i < 4; i++) {
			rdma_assert(w.r, outcome_of(&f, &answers) == CAIRN_NET_OUTCOME_CONFLICT);
			rdma_assert(w.r, answers == !i);
		}
		rdma_assert(w.r, rdma_events(w.r, 0, CAIRN_EQE_TYPE_ADDR_CONFLICT) == 1 + v6);
	}
	rdma_assert(w.r, count(CAIRN_COUNTER_NET_CONFLICT) == 8);
	end();
}

/* Queries of group membership: nothing is reported, with or without Router Alert. */
static void queries(void **state)
{
	static const uint8_t all_hosts[16] = V4(224, 0, 0, 1);
	struct netframe f;
	uint64_t refused;

	(void)state;
	begin();
	for (unsigned int v6 = 0; v6 < 2; v6++) {
		f = good(v6 ? NETFRAME_MLD : NETFRAME_IGMP);
		f.type = v6 ? 130 : 0x11;
		f.hops = 1;
		memcpy(f.dst, v6 ? all_nodes : all_hosts, 16);
		memset(f.target, 0, 16);
		expect(&f, CAIRN_NET_OUTCOME_IGNORED, 0);
		f.alert = true; /* options and extension headers are not the NIC's */
		refused = count(CAIRN_COUNTER_RX_IP_ERROR);
		w.answers = 0;
		send(&f);
		rdma_run(w.r, 30000);
		rdma_assert(w.r, count(CAIRN_COUNTER_RX_IP_ERROR) == refused + 1 && !w.answers);
	}
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(answer_amid_floods), RDMA_TEST(echo_sources), RDMA_TEST(third_party),
		RDMA_TEST(conflict),	       RDMA_TEST(queries),
	};

	return RDMA_RUN("neighbours", tests);
}
