// SPDX-License-Identifier: Apache-2.0
/*
 * The slow path through firmware on the RTL: ARP, neighbour discovery, echo and membership queries
 * by a grammar, with any field at another value, checksums right or wrong, tags, and frames cut
 * off.  A model that knows nothing of firmware (net_model.h) says of each frame what must become of
 * it, what the NIC must send, and what it then believes of its neighbours; each counter, each frame
 * sent and each RESOLVE is compared.  None may be lost for want of room.  Beside them a verified
 * flow runs.
 *
 * Environment: NETS, the frames.
 */
#include <stdio.h>
#include <string.h>

#include "net_model.h"
#include "netframe.h"
#include "roce_frame.h"
#include "victim.h"

#define BATCH 8u
#define BATCH_BYTES 3000u
#define DEFENCE_CYCLES 200000u /* an announcement comes within 1 ms, docs/commands.md 3 */
#define EPOCH 8000u	       /* frames; then others are asked for */
#define EPOCHS 4u /* with 16 neighbours each: firmware has places for all, so none is forgotten */
#define OLD_NS 29000000000ull /* the model has no clock: before anything grows old */
#define SEEN 64u
#define FLOW 8192u

static struct game {
	struct rdma *r;
	struct net_model m;
	struct roce_rx rx;
	struct sim_line line;
	unsigned int epoch;
	/* what must have moved */
	uint64_t frames, parsed, outcome[CAIRN_NET_OUTCOMES], hw[16];
	uint64_t began[CAIRN_COUNTERS];
	/* what must be sent, and what was: oldest first */
	struct {
		uint32_t len;
		uint8_t bytes[NETFRAME_ROOM];
	} want[SEEN], seen[SEEN];
	unsigned int wanted, saw;
	uint64_t defended[NET_MODEL_GIDS]; /* ns; 0: never */
	unsigned int answers, resolves, asked;
	/* a question that is expected, and what is sent when it comes */
	const struct net_peer *asking;
	uint8_t question[NETFRAME_ROOM];
	uint32_t question_len;
	unsigned int asking_gid;
	bool believed;
	uint8_t belief[6];
	struct rdma_qp *flow;
	struct rdma_buf *near, *far;
	uint64_t flows;
} g;

/* ---------------------------------------------------------------- the grammar */

static const uint8_t all_ones[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

/* Peer i of this epoch; 4 of each family, with and without a tag.  Of those of other epochs frames
 * speak when a bit is spoilt. */
static void peer_addr(unsigned int i, bool v4, uint8_t *addr)
{
	memset(addr, 0, 16);
	if (v4) {
		addr[10] = addr[11] = 0xff;
		addr[12] = 10;
		addr[13] = 77;
		addr[14] = (uint8_t)g.epoch;
		addr[15] = (uint8_t)(10 + i);
	} else {
		addr[0] = 0xfe;
		addr[1] = 0x80;
		addr[13] = (uint8_t)g.epoch;
		addr[15] = (uint8_t)(10 + i);
	}
}

static void some_mac(struct rng *rng, uint8_t *mac)
{
	static const uint8_t base[6] = { 2, 0xca, 0x77, 0, 0, 0 };

	memcpy(mac, base, 6);
	mac[5] = (uint8_t)rng_below(rng, 6);
	switch (rng_below(rng, 20)) {
	case 0:
		memset(mac, 0, 6);
		break;
	case 1:
		mac[0] |= 1;
		break;
	case 2:
		memcpy(mac, all_ones, 6);
		break;
	case 3:
		memcpy(mac, g.m.mac, 6);
		break;
	default:
		break;
	}
}

/* An address that a frame may name: mostly a peer's or ours. */
static void some_addr(struct rng *rng, bool v4, bool ours, uint8_t *addr)
{
	static const uint8_t odd4[][4] = { { 0 },
					   { 127, 0, 0, 1 },
					   { 224, 0, 0, 1 },
					   { 240, 1, 2, 3 },
					   { 255, 255, 255, 255 },
					   { 0, 0, 0, 9 } };
	static const uint8_t odd6[][16] = { { 0 },
					    { [15] = 1 },
					    { 0xff, 2, [15] = 1 },
					    { 0xff, 2, [15] = 0x16 },
					    { [10] = 0xff, 0xff, 10, 0, 0, 1 } };

	if (rng_percent(rng, 12))
		ours = !ours;
	if (rng_percent(rng, 10)) {
		memset(addr, 0, 16);
		if (v4) {
			addr[10] = addr[11] = 0xff;
			memcpy(addr + 12, odd4[rng_below(rng, 6)], 4);
		} else {
			memcpy(addr, odd6[rng_below(rng, 5)], 16);
		}
		return;
	}
	if (!ours) {
		peer_addr((unsigned int)rng_below(rng, 4), v4, addr);
		return;
	}
	for (;;) {
		unsigned int i = (unsigned int)rng_below(rng, NET_MODEL_GIDS);
		bool four = !memcmp(g.m.gid[i].addr, (uint8_t[12]){ [10] = 0xff, [11] = 0xff }, 12);

		if (!g.m.gid[i].valid || four != v4)
			continue;
		memcpy(addr, g.m.gid[i].addr, 16);
		return;
	}
}

/* The groups that queries, solicitations and advertisements go to. */
static void some_group(struct rng *rng, const struct netframe *f, uint8_t *dst)
{
	static const uint8_t all_nodes[16] = { 0xff, 2, [15] = 1 };
	static const uint8_t hosts[16] = { [10] = 0xff, [11] = 0xff, 224, 0, 0, 1 };
	uint8_t node[16] = { 0xff, 2, [11] = 1, [12] = 0xff };

	memcpy(node + 13, f->target + 13, 3);
	memcpy(dst,
	       netframe_is4(f->kind)				? hosts
	       : f->kind == NETFRAME_NS && rng_percent(rng, 80) ? node
								: all_nodes,
	       16);
}

static void addresses(struct rng *rng, struct netframe *f)
{
	bool v4 = netframe_is4(f->kind), na = f->kind == NETFRAME_NA;

	some_addr(rng, v4, false, f->src);
	some_addr(rng, v4, !na, f->target);
	if (na && rng_percent(rng, 70))
		memcpy(f->src, f->target, 16);
	some_addr(rng, v4, true, f->dst);
	if (f->kind == NETFRAME_NS && rng_percent(rng, 60))
		memcpy(f->dst, f->target, 16);
	if (f->kind >= NETFRAME_IGMP || ((na || f->kind == NETFRAME_NS) && rng_percent(rng, 40)))
		some_group(rng, f, f->dst);
	if (f->kind == NETFRAME_NS && rng_percent(rng, 10)) {
		memset(f->src, 0, 16);
		f->option = rng_percent(rng, 20);
	}
	if (f->kind == NETFRAME_ARP && rng_percent(rng, 8))
		memset(f->src + 12, 0, 4);
	if (f->kind == NETFRAME_ARP && rng_percent(rng, 10))
		memcpy(f->target, f->src, 16);
}

/* A frame that a decent or an indecent host may send. */
static void grow(struct rng *rng, struct netframe *f)
{
	static const uint8_t types[NETFRAME_KINDS] = { 1, 135, 136, 8, 128, 0x11, 130 };
	unsigned int kind = (unsigned int)rng_below(rng, 20);

	memset(f, 0, sizeof(*f));
	f->kind = kind < 6    ? NETFRAME_ARP
		  : kind < 10 ? NETFRAME_NS
		  : kind < 15 ? NETFRAME_NA
			      : (enum netframe_kind)(NETFRAME_ECHO4 + rng_below(rng, 4));
	f->option = !rng_percent(rng, 12);
	addresses(rng, f);
	memcpy(f->dmac, g.m.mac, 6);
	if (rng_percent(rng, 15))
		memcpy(f->dmac,
		       rng_percent(rng, 50) ? all_ones : (uint8_t[]){ 0x33, 0x33, 0, 0, 0, 1 }, 6);
	some_mac(rng, f->smac);
	memcpy(f->mac, f->smac, 6);
	if (rng_percent(rng, 25))
		some_mac(rng, f->mac);
	memcpy(f->tmac, g.m.mac, 6);
	if (rng_percent(rng, 15))
		some_mac(rng, f->tmac);
	f->tci = -1;
	if (rng_percent(rng, 25))
		f->tci = (int)(rng_below(rng, 8) << 13 | (rng_percent(rng, 30)	 ? 0
							  : rng_percent(rng, 80) ? 7
										 : 9));
	f->type = types[f->kind];
	if (f->kind == NETFRAME_ARP && rng_percent(rng, 50))
		f->type = 2;
	f->flags = (uint8_t)(rng_below(rng, 8) << 5);
	f->hops = f->kind >= NETFRAME_IGMP ? 1 : 255;
	f->alert = rng_percent(rng, 50);
	f->data = (uint32_t)rng_below(rng, rng_percent(rng, 80) ? 60 : 1400);
}

/* Any field at another value; returns how many bytes of the frame are sent. */
static uint32_t spoil(struct rng *rng, struct netframe *f, uint8_t *bytes)
{
	uint32_t len, l3;

	switch (rng_below(rng, 20)) {
	case 0:
		f->code = (uint8_t)(1 + rng_below(rng, 255));
		break;
	case 1:
		f->hops = (uint8_t)(rng_percent(rng, 50) ? 254 : rng_u64(rng));
		break;
	case 2:
		f->bad_sum = true;
		break;
	case 3:
		f->type = (uint8_t)rng_u64(rng);
		break;
	case 4:
	case 5:
	case 6: /* bits of one to three bytes of headers and message */
		for (unsigned int i = 0; i <= rng_below(rng, 3); i++) {
			f->spoil[i].at =
				(uint16_t)rng_below(rng, f->kind == NETFRAME_ARP ? 28 : 76);
			f->spoil[i].flip = (uint8_t)(1u << rng_below(rng, 8));
		}
		break;
	case 7: /* length of an option */
		f->spoil[0].at = 65;
		f->spoil[0].flip = (uint8_t)(1 + rng_below(rng, 3));
		break;
	default:
		break;
	}
	len = netframe_build(f, bytes);
	l3 = f->tci < 0 ? 14 : 18;
	if (rng_percent(rng, 5)) /* one bit that no checksum was made over */
		bytes[l3 + rng_below(rng, len - l3)] ^= (uint8_t)(1u << rng_below(rng, 8));
	if (rng_percent(rng, 3))
		netframe_put(bytes + l3 - 2, (uint32_t)rng_u64(rng));
	if (len > 60 && rng_percent(rng, 5))
		len = (uint32_t)rng_range(rng, 60, len);
	return len;
}

/* -------------------------------------------------------------- to the NIC, and what it must do */

static void fire(const uint8_t *bytes, uint32_t len)
{
	struct sim_frame *frame = sim_frame_new(bytes, len);
	struct roce_verdict verdict;
	uint32_t answer_len;

	assert_non_null(frame);
	roce_expect(&g.rx, bytes, len, false, &verdict);
	g.frames++;
	if (verdict.counter != CAIRN_COUNTER_RX_RAW_PACKETS) {
		g.hw[verdict.counter & 15]++;
	} else {
		rdma_assert(g.r, g.wanted < SEEN);
		g.outcome[net_model_frame(&g.m, bytes, len, g.want[g.wanted].bytes, &answer_len)]++;
		g.parsed++;
		if (answer_len)
			g.want[g.wanted++].len = answer_len;
	}
	frame->t = sim_line_frame(&g.line, sim_now(g.r->sim), frame->len);
	sim_wire_send(sim_wire(g.r->sim), 1, frame, sim_now(g.r->sim));
	/* what is believed at the first moment at which somebody is */
	if (g.asking && !g.believed && g.asking->state != PEER_ASKED) {
		g.believed = true;
		memcpy(g.belief, g.asking->mac, 6);
	}
}

static uint32_t random_frame(uint8_t *bytes)
{
	struct rng *rng = &g.r->rng;
	struct netframe f;

	grow(rng, &f);
	if (g.asking && rng_percent(rng, 60)) { /* about him who is asked for */
		bool v4 = netframe_is4(f.kind);

		if (v4 == !memcmp(g.asking->addr, (uint8_t[12]){ [10] = 0xff, [11] = 0xff }, 12)) {
			memcpy(f.kind == NETFRAME_NA ? f.target : f.src, g.asking->addr, 16);
			f.tci = g.m.gid[g.asking_gid].tci;
		}
	}
	return spoil(rng, &f, bytes);
}

/* The answer that ends the question, whatever came before. */
static void good_answer(void)
{
	bool v4 = g.question[12] == 0x08 || g.question[16] == 0x08;
	struct netframe f = { .kind = v4 ? NETFRAME_ARP : NETFRAME_NA,
			      .tci = g.m.gid[g.asking_gid].tci,
			      .option = true,
			      .type = v4 ? 2 : 136,
			      .flags = 0x60,
			      .hops = 255 };
	uint8_t bytes[NETFRAME_ROOM];

	memcpy(f.dmac, g.m.mac, 6);
	memcpy(f.tmac, g.m.mac, 6);
	do
		some_mac(&g.r->rng, f.smac);
	while (f.smac[0] != 2 || f.smac[1] != 0xca || f.smac[2] != 0x77);
	memcpy(f.mac, f.smac, 6);
	memcpy(f.src, g.asking->addr, 16);
	memcpy(f.target, v4 ? g.m.gid[g.asking_gid].addr : g.asking->addr, 16);
	memcpy(f.dst, g.m.gid[g.asking_gid].addr, 16);
	fire(bytes, netframe_build(&f, bytes));
}

/* What the NIC sends: the flow to itself comes back, the rest is judged. */
static void take(void *arg, const struct sim_frame *frame)
{
	uint8_t bytes[NETFRAME_ROOM];

	(void)arg;
	if (!g.r)
		return;
	if (!memcmp(frame->data, g.m.mac, 6)) {
		struct sim_frame *back = sim_frame_new(frame->data, frame->len);

		assert_non_null(back);
		back->t = sim_line_frame(&g.line, sim_now(g.r->sim), back->len);
		sim_wire_send(sim_wire(g.r->sim), 1, back, sim_now(g.r->sim));
		return;
	}
	if (g.asking && g.question_len && !memcmp(frame->data, g.question, g.question_len)) {
		g.question_len = 0;
		for (unsigned int n = (unsigned int)rng_below(&g.r->rng, 5); n; n--)
			fire(bytes, random_frame(bytes));
		good_answer();
		return;
	}
	rdma_assert(g.r, g.saw < SEEN && frame->len <= NETFRAME_ROOM);
	g.seen[g.saw].len = frame->len;
	memcpy(g.seen[g.saw++].bytes, frame->data, frame->len);
}

static uint64_t since(enum cairn_counter c)
{
	return rdma_counter(g.r, 0, c) - g.began[c];
}

static uint64_t done(void)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++)
		n += since(CAIRN_COUNTER_NET_USED + i);
	return n;
}

/* Firmware has taken every frame that is its business; none was lost. */
static void settle(void)
{
	for (unsigned int i = 0; done() != g.parsed; i++) {
		if (i == 300)
			rdma_fail(g.r, "%llu frames for firmware, it has taken %llu, %llu dropped",
				  (unsigned long long)g.parsed, (unsigned long long)done(),
				  (unsigned long long)since(CAIRN_COUNTER_RX_RAW_DROP));
		rdma_run(g.r, 1000);
	}
	rdma_run(g.r, 1500); /* the last answer has arrived */
	for (unsigned int i = 0; i < NET_MODEL_GIDS; i++) {
		if (!g.m.gid[i].conflict || g.defended[i])
			continue;
		rdma_run(g.r, DEFENCE_CYCLES);
		break;
	}
}

/* A defence that is due or allowed: an announcement after a conflict, once in ten seconds. */
static bool defence(const uint8_t *bytes, uint32_t len)
{
	uint8_t own[NETFRAME_ROOM];

	for (unsigned int i = 0; i < NET_MODEL_GIDS; i++) {
		uint64_t now = sim_now(g.r->sim);

		if (!g.m.gid[i].valid || !g.m.gid[i].conflict ||
		    net_model_announcement(&g.m, i, own) > len || memcmp(own, bytes, 42) != 0)
			continue;
		if (g.defended[i] && now - g.defended[i] < 9900000000ull)
			return false;
		g.defended[i] = now;
		return true;
	}
	return false;
}

static void dump(const char *what, const uint8_t *p, uint32_t len)
{
	fprintf(stderr, "# %s:", what);
	for (uint32_t i = 0; i < len && i < 100; i++)
		fprintf(stderr, " %02x", p[i]);
	fprintf(stderr, "\n");
}

static void judge(void)
{
	unsigned int w = 0;

	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++)
		if (since(CAIRN_COUNTER_NET_USED + i) != g.outcome[i])
			rdma_fail(g.r, "%s: %llu, but %llu frames should have moved it",
				  cairn_counter_names[CAIRN_COUNTER_NET_USED + i],
				  (unsigned long long)since(CAIRN_COUNTER_NET_USED + i),
				  (unsigned long long)g.outcome[i]);
	rdma_assert(g.r, since(CAIRN_COUNTER_RX_RAW_DROP) == 0);
	rdma_assert(g.r, since(CAIRN_COUNTER_RX_RAW_PACKETS) == g.parsed);
	for (enum cairn_counter c = CAIRN_COUNTER_RX_MAC_ERROR; c <= CAIRN_COUNTER_RX_NOT_OURS; c++)
		if (c != CAIRN_COUNTER_RX_NO_BUFFER && c != CAIRN_COUNTER_RX_RAW_DROP)
			rdma_assert(g.r, since(c) == g.hw[c]);
	for (unsigned int i = 0; i < g.saw; i++) {
		if (w < g.wanted && g.seen[i].len >= g.want[w].len &&
		    !memcmp(g.seen[i].bytes, g.want[w].bytes, g.want[w].len)) {
			w++;
			g.answers++;
			continue;
		}
		if (defence(g.seen[i].bytes, g.seen[i].len))
			continue;
		dump("sent", g.seen[i].bytes, g.seen[i].len);
		if (w < g.wanted)
			dump("expected", g.want[w].bytes, g.want[w].len);
		rdma_fail(g.r, "a frame was sent that should not have been");
	}
	if (w != g.wanted) {
		dump("expected", g.want[w].bytes, g.want[w].len);
		rdma_fail(g.r, "%u frames were not sent", g.wanted - w);
	}
	for (unsigned int i = 0; i < NET_MODEL_GIDS; i++) {
		rdma_assert(g.r, !g.m.gid[i].conflict || g.defended[i]);
	}
	g.wanted = g.saw = 0;
}

/* RESOLVE of one of the peers: what is believed, or a question and what comes of it. */
static void resolve(void)
{
	struct rng *rng = &g.r->rng;
	unsigned int gid;
	uint64_t mac = 0, want = 0;
	uint8_t addr[16], belief[6];
	int err;

	do
		gid = (unsigned int)rng_below(rng, NET_MODEL_GIDS);
	while (!g.m.gid[gid].valid);
	peer_addr((unsigned int)rng_below(rng, 4),
		  !memcmp(g.m.gid[gid].addr, (uint8_t[12]){ [10] = 0xff, [11] = 0xff }, 12), addr);
	g.resolves++;
	g.believed = net_model_want(&g.m, gid, addr, belief);
	if (!g.believed) {
		for (unsigned int i = 0; i < g.m.peers; i++)
			if (g.m.peer[i].state == PEER_ASKED)
				g.asking = &g.m.peer[i];
		g.asking_gid = gid;
		g.question_len = net_model_question(&g.m, gid, addr, g.question);
		g.asked++;
	}
	err = cairn_resolve(g.r->nic[0].dev, gid, addr, &mac);
	rdma_ok(g.r, err, "RESOLVE");
	settle();
	if (g.asking) {
		rdma_assert(g.r, !g.question_len && g.believed);
		memcpy(belief, g.belief, 6);
	}
	g.asking = NULL;
	for (unsigned int i = 0; i < 6; i++)
		want = want << 8 | belief[i];
	if (mac != want)
		rdma_fail(g.r, "RESOLVE: 0x%llx, expected 0x%llx", (unsigned long long)mac,
			  (unsigned long long)want);
	judge();
}

static void batch(void)
{
	uint32_t flow = 1 + (uint32_t)rng_below(&g.r->rng, FLOW), bytes = 0;
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, g.near, 0, g.far, 0, flow);
	uint8_t frame[NETFRAME_ROOM];

	rdma_post(g.flow, &wr);
	rdma_ring(g.flow);
	for (unsigned int i = 0; i < BATCH && bytes < BATCH_BYTES; i++) {
		uint32_t len = random_frame(frame);

		fire(frame, len);
		bytes += len;
	}
	settle();
	rdma_wait(g.r);
	g.flows++;
	judge();
}

/* ---------------------------------------------------------------- a run */

static void begin(void)
{
	static const uint8_t v4[16] = { [10] = 0xff, [11] = 0xff, 10, 5, 0, 1 };
	static const uint8_t v6[16] = { 0xfd, 5, [15] = 1 };
	struct rdma_cfg cfg = { .nics = 1, .peer_fn = take, .pcap = "" };
	uint64_t mac;

	memset(&g, 0, sizeof(g));
	g.r = rdma_begin(&cfg);
	g.line.mbps = sim_wire_cfg(sim_wire(g.r->sim))->mbps;
	mac = sim_nic_mac(g.r->nic[0].sim);
	for (unsigned int i = 0; i < 6; i++)
		g.m.mac[i] = (uint8_t)(mac >> (40 - 8 * i));
	rdma_ok(g.r, cairn_set_gid(g.r->nic[0].dev, 5, v4, CAIRN_GID_VLAN | 0x6007), "GID");
	rdma_ok(g.r, cairn_set_gid(g.r->nic[0].dev, 6, v6, CAIRN_GID_VLAN | 7), "GID");
	memcpy(g.rx.mac, g.m.mac, 6);
	for (unsigned int i = 0; i < NET_MODEL_GIDS; i++) {
		uint32_t vlan = 0;

		g.m.gid[i].valid = i < g.r->nic[0].caps.max_gid &&
				   !cairn_query_gid(g.r->nic[0].dev, i, g.m.gid[i].addr, &vlan);
		g.m.gid[i].tci = vlan & CAIRN_GID_VLAN ? (int)(vlan & 0xffff) : -1;
		g.rx.gid[i].valid = g.m.gid[i].valid;
		memcpy(g.rx.gid[i].addr, g.m.gid[i].addr, 16);
		g.rx.gid[i].ipv6 =
			memcmp(g.m.gid[i].addr, (uint8_t[12]){ [10] = 0xff, [11] = 0xff }, 12) != 0;
		g.rx.gid[i].vlan = vlan & CAIRN_GID_VLAN;
		g.rx.gid[i].vid = vlan & 0xfff;
	}
	g.flow = rdma_pair(g.r, 0, 0, NULL);
	g.near = rdma_buf(g.r, 0, FLOW, 5);
	g.far = rdma_buf(g.r, 0, FLOW, 9);
	rdma_announced(g.r);
	g.wanted = g.saw = 0;
	for (unsigned int c = 0; c < CAIRN_COUNTERS; c++)
		g.began[c] = rdma_counter(g.r, 0, c);
}

void fuzz_net(void **state)
{
	const char *text = getenv("NETS");
	uint64_t want = text && *text ? strtoull(text, NULL, 0) : 400;
	unsigned int told = 0;

	(void)state;
	begin();
	while (g.frames < want) {
		g.epoch = (unsigned int)(g.frames / EPOCH % EPOCHS);
		rdma_assert(g.r, sim_now(g.r->sim) < OLD_NS);
		batch();
		if (rng_percent(&g.r->rng, 30))
			resolve();
	}
	for (unsigned int i = 0; i < NET_MODEL_GIDS; i++)
		told += g.m.gid[i].conflict;
	rdma_assert(g.r, rdma_events(g.r, 0, CAIRN_EQE_TYPE_ADDR_CONFLICT) == told);
	printf("# %llu frames of the slow path, %llu parsed by firmware, none dropped for room; %u "
	       "answered, %u of %u RESOLVEs asked, %llu verified messages beside them\n",
	       (unsigned long long)g.frames, (unsigned long long)g.parsed, g.answers, g.asked,
	       g.resolves, (unsigned long long)g.flows);
	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++)
		printf("#   %s: %llu\n", cairn_counter_names[CAIRN_COUNTER_NET_USED + i],
		       (unsigned long long)g.outcome[i]);
	rdma_ok(g.r, cairn_set_gid(g.r->nic[0].dev, 5, NULL, 0), "GID");
	rdma_ok(g.r, cairn_set_gid(g.r->nic[0].dev, 6, NULL, 0), "GID");
	rdma_end(g.r);
	g.r = NULL;
}
