// SPDX-License-Identifier: Apache-2.0
/*
 * Floods of the smallest frames of each kind beside a flow that is verified to the byte: what does
 * not concern a connection costs it nothing (SECURITY.md).  A third port of the switch sends at
 * what the flow leaves of the line to NIC 0; the flow keeps 90 % of the rate that it has alone,
 * every frame of the flood is counted for its reason, and none has cost a read of a record.
 *
 * Flows: 64-KiB WRITEs of NIC 0 at the full rate of the line, of which the flood leaves the
 * acknowledgements room; 64-KiB and 8-byte WRITEs to NIC 0, on up to 45 % of the line.
 *
 * Environment: EVERY=1: all kinds beside all flows.
 */
#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "rdma.h"

#define SOURCE_MAC 0x02ca110000fdull
#define FRAMES 512u /* made before, sent again and again */
#define BIG 65536u
#define SMALL 8u
#define DEPTH 4u /* large messages under way */
#define QPS 4u	 /* of the flow to NIC 0 */
#define QP_DEPTH 48u
#define QKEY 0x00012345u
#define AHEAD_NS 4000u

static struct rdma *r;
static struct rdma_qp *out, *in[QPS], *fresh, *ud, *rc;
static struct rdma_buf *near, *far;
static uint8_t nic_gid[16];
static uint64_t nic_mac;

/* ---------------------------------------------------------------- frames */

static struct sim_frame *frame[FRAMES];

static struct model_packet packet_to(uint32_t qpn, uint8_t opcode)
{
	struct model_packet packet = { .len = CAIRN_BTH_BYTES };
	static const uint8_t source[16] = { [10] = 0xff, 0xff, 10, 0, 0, 253 };

	memcpy(packet.src, source, 16);
	memcpy(packet.dst, nic_gid, 16);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_OPCODE, opcode);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_MIGREQ, 1);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_PKEY, 0xffff);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_DEST_QP, qpn);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_PSN, rng_below(&r->rng, 1u << 24));
	return packet;
}

static void add(struct model_packet *packet, uint32_t len)
{
	memset(packet->bytes + packet->len, 0, len);
	packet->len += len;
}

/* 82 bytes: a WRITE of 8 bytes. */
static struct model_packet write_to(uint32_t qpn)
{
	struct model_packet packet = packet_to(qpn, CAIRN_OPCODE_RC_WRITE_ONLY);

	add(&packet, CAIRN_RETH_BYTES + 8);
	cairn_pkt_set(packet.bytes + CAIRN_BTH_BYTES, CAIRN_RETH_LENGTH, 8);
	return packet;
}

static struct model_packet ack_to(uint32_t qpn)
{
	struct model_packet packet = packet_to(qpn, CAIRN_OPCODE_RC_ACKNOWLEDGE);

	add(&packet, CAIRN_AETH_BYTES);
	return packet;
}

static struct model_packet datagram_to(uint32_t qpn, uint32_t qkey)
{
	struct model_packet packet = packet_to(qpn, CAIRN_OPCODE_UD_SEND_ONLY);

	add(&packet, CAIRN_DETH_BYTES);
	cairn_pkt_set(packet.bytes + CAIRN_BTH_BYTES, CAIRN_DETH_QKEY, qkey);
	return packet;
}

static struct sim_frame *finish(const struct model_packet *packet, uint64_t dmac)
{
	struct frame_path path = { .dmac = dmac, .smac = SOURCE_MAC, .sport = 0xc123, .hops = 64 };

	return frame_build(packet, &path);
}

static bool known(uint32_t qpn)
{
	for (const struct rdma_qp *qp = r->qps; qp; qp = qp->next)
		if (qp->nic == 0 && qp->qp->qpn == qpn)
			return true;
	return false;
}

static uint32_t nobody(uint32_t below)
{
	uint32_t qpn;

	do
		qpn = 2 + (uint32_t)rng_below(&r->rng, below - 3);
	while (known(qpn));
	return qpn;
}

static struct sim_frame *any_qpn(void)
{
	struct model_packet packet = write_to(nobody(1u << 24));

	return finish(&packet, nic_mac);
}

static struct sim_frame *in_table(void)
{
	struct model_packet packet = write_to(nobody(r->nic[0].caps.max_qp));

	return finish(&packet, nic_mac);
}

static struct sim_frame *smallest(void)
{
	struct model_packet packet = ack_to(nobody(r->nic[0].caps.max_qp));

	return finish(&packet, nic_mac);
}

static struct sim_frame *wrong_transport(void)
{
	struct model_packet packet = datagram_to(rc->qp->qpn, QKEY);

	return finish(&packet, nic_mac);
}

static struct sim_frame *in_reset(void)
{
	struct model_packet packet = write_to(fresh->qp->qpn);

	return finish(&packet, nic_mac);
}

static struct sim_frame *from_others(void)
{
	struct model_packet packet = write_to(rng_percent(&r->rng, 50) ? in[0]->peer->qp->qpn
								       : rc->qp->qpn);

	return finish(&packet, nic_mac);
}

static struct sim_frame *other_pkey(void)
{
	struct model_packet packet = datagram_to(ud->qp->qpn, QKEY);

	cairn_pkt_set(packet.bytes, CAIRN_BTH_PKEY, 0x8123);
	return finish(&packet, nic_mac);
}

static struct sim_frame *other_qkey(void)
{
	struct model_packet packet = datagram_to(ud->qp->qpn, QKEY + 1);

	return finish(&packet, nic_mac);
}

/* READ data from the peer of a QP that has asked for nothing: dropped in the completer. */
static struct sim_frame *not_asked_for(void)
{
	struct model_packet packet = packet_to(rc->qp->qpn, CAIRN_OPCODE_RC_READ_RSP_ONLY);

	packet.src[15] = 254;
	add(&packet, CAIRN_AETH_BYTES + 8);
	return finish(&packet, nic_mac);
}

/* To the flow's own QP, from its own peer. */
static struct sim_frame *bad_icrc(void)
{
	struct model_packet packet = write_to(in[0]->peer->qp->qpn);
	struct sim_frame *f;
	uint32_t vlan;

	rdma_ok(r, cairn_query_gid(r->nic[1].dev, 1, packet.src, &vlan), "GID");
	f = finish(&packet, nic_mac);
	f->data[f->len - 1] ^= 0x40;
	return f;
}

/* Not to the group's MAC address: the switch would bring it to the other NIC, too. */
static struct sim_frame *no_group(void)
{
	struct model_packet packet = datagram_to(0xffffff, QKEY);

	memcpy(packet.dst + 12, (const uint8_t[]){ 239, 1, 2, 3 }, 4);
	return finish(&packet, nic_mac);
}

static struct sim_frame *not_ours(void)
{
	struct model_packet packet = write_to(in[0]->peer->qp->qpn);

	packet.dst[15] ^= 0x40;
	return finish(&packet, nic_mac);
}

/* Who has an address that nobody has; to us alone, for the same reason. */
static struct sim_frame *arp(void)
{
	uint8_t bytes[60] = { 0,    0,	  0,	0,    0,    0,	  2, 0xca, 0x11, 0, 0, 0xfd,
			      8,    6,	  0,	1,    8,    0,	  6, 4,	   0,	 1, 2, 0xca,
			      0x11, 0,	  0,	0xfd, 10,   0,	  0, 253 };

	cairn_pkt_set(bytes, CAIRN_ETH_DST, nic_mac);
	memcpy(bytes + 38, (const uint8_t[]){ 10, 0, 9, 9 }, 4);
	return sim_frame_new(bytes, sizeof(bytes));
}

static const struct kind {
	const char *name;
	struct sim_frame *(*make)(void);
	enum cairn_counter counter;
	bool raw;    /* to firmware, as far as there is room */
	bool answer; /* taken as far as there is room for answers; the flow's own must not be */
} kinds[] = {
	{ "random QPNs", any_qpn, CAIRN_COUNTER_RX_BAD_QPN, false, false },
	{ "QPNs of the table", in_table, CAIRN_COUNTER_RX_BAD_QPN, false, false },
	{ "the same, ACKs", smallest, CAIRN_COUNTER_RX_BAD_QPN, false, false },
	{ "another transport", wrong_transport, CAIRN_COUNTER_RX_BAD_QPN, false, false },
	{ "QP in RESET", in_reset, CAIRN_COUNTER_RX_QP_STATE, false, false },
	{ "not from the peer", from_others, CAIRN_COUNTER_RX_BAD_ADDR, false, false },
	{ "another partition", other_pkey, CAIRN_COUNTER_RX_BAD_PKEY, false, false },
	{ "another Q_Key", other_qkey, CAIRN_COUNTER_RX_BAD_QKEY, false, false },
	{ "wrong ICRC", bad_icrc, CAIRN_COUNTER_RX_ICRC_ERROR, false, false },
	{ "nobody's group", no_group, CAIRN_COUNTER_RX_MULTICAST, false, false },
	{ "another host", not_ours, CAIRN_COUNTER_RX_NOT_OURS, false, false },
	{ "ARP", arp, CAIRN_COUNTER_RX_RAW_DROP, true, false },
	{ "nobody asked", not_asked_for, CAIRN_COUNTER_RX_GHOST_ACK, false, true },
};

/* ---------------------------------------------------------------- the flood */

static struct {
	const struct kind *kind; /* NULL: none */
	double next, interval;	 /* ns */
	uint64_t sent;
} flood;

/* Frames for the next microseconds, each when the line has time for it. */
static void top_up(void)
{
	uint64_t now = sim_now(r->sim);

	while (flood.kind && flood.next < (double)(now + AHEAD_NS)) {
		const struct sim_frame *f = frame[flood.sent++ % FRAMES];
		struct sim_frame *copy = sim_frame_new(f->data, f->len);

		assert_non_null(copy);
		copy->t = (uint64_t)flood.next;
		sim_wire_send(sim_wire(r->sim), r->nics, copy, now);
		flood.next += flood.interval;
	}
}

/* The time that a frame of `len` bytes takes on the line to the NIC, and on the bus of its MAC. */
static double frame_ns(uint32_t len)
{
	double line = sim_wire_bytes(len) * 8e3 / sim_wire_cfg(sim_wire(r->sim))->mbps;
	double bus = (double)((len < SIM_FRAME_MIN ? SIM_FRAME_MIN : len) * 8 + r->cfg.data_w - 1);

	bus = (double)((unsigned int)bus / r->cfg.data_w * sim_period(r->sim));
	return line > bus ? line : bus;
}

static void start(const struct kind *kind, unsigned int percent)
{
	flood.kind = kind;
	flood.sent = 0;
	if (!kind)
		return;
	for (unsigned int i = 0; i < FRAMES; i++) {
		sim_frame_free(frame[i]);
		frame[i] = kind->make();
		assert_non_null(frame[i]);
	}
	flood.interval = frame_ns(frame[0]->len) * 100 / percent;
	flood.next = (double)sim_now(r->sim) + 100;
	top_up();
}

static void hear(void *arg, const struct sim_frame *f)
{
	(void)arg;
	(void)f;
}

/* ---------------------------------------------------------------- the flow */

struct flow {
	const char *name;
	bool to_nic0;
	uint32_t len;
	unsigned int messages, percent, left; /* of the line for the flow (0: all), for the flood */
	unsigned int step; /* each step-th kind of flood; at 64 bit every second of those */
};

static void post(const struct flow *f, unsigned int i)
{
	struct rdma_qp *qp = f->to_nic0 ? in[i % QPS] : out;
	size_t at = (size_t)f->len * (i % (f->len == BIG ? DEPTH : QPS * QP_DEPTH));
	struct rdma_wr wr = f->to_nic0
				    ? rdma_wr(CAIRN_WQE_OP_WRITE, far, at, near, at, f->len)
				    : rdma_wr(CAIRN_WQE_OP_WRITE, near, at, far, at, f->len);

	rdma_post(qp, &wr);
	rdma_ring(qp);
}

/* ns for all messages of the flow, each at its time or as soon as there is room. */
static uint64_t carry(const struct flow *f)
{
	uint64_t begin = sim_now(r->sim), patience = 0;
	unsigned int depth = f->len == BIG ? DEPTH : QPS * QP_DEPTH, sent = 0;
	double every = 0;

	if (f->percent)
		every = frame_ns(f->len == BIG ? 1024 + 62 : 82) *
			(f->len == BIG ? BIG / 1024 : 1) * 100 / f->percent;
	while (sent < f->messages || rdma_due(r)) {
		while (sent < f->messages && rdma_due(r) < depth &&
		       (double)(sim_now(r->sim) - begin) >= every * sent)
			post(f, sent++);
		top_up();
		rdma_run(r, 8);
		rdma_poll(r);
		if (++patience > 200000)
			rdma_fail(r, "%s: %u of %u messages are left", f->name, rdma_due(r),
				  f->messages);
	}
	return sim_now(r->sim) - begin;
}

/* ---------------------------------------------------------------- each beside each */

static uint64_t count(enum cairn_counter counter)
{
	return rdma_counter(r, 0, counter);
}

static uint64_t handled(const struct kind *kind)
{
	return count(kind->counter) + (kind->raw ? count(CAIRN_COUNTER_RX_RAW_PACKETS) : 0) +
	       (kind->answer ? count(CAIRN_COUNTER_RX_NO_BUFFER) : 0);
}

static bool beside(const struct kind *kind, const struct flow *f, uint64_t alone)
{
	uint64_t before = handled(kind), misses = count(CAIRN_COUNTER_QPC_MISS), took, n;
	bool good;

	start(kind, f->left);
	took = carry(f);
	flood.kind = NULL;
	/* The NIC may be quiet between two frames; those that are out have the wire before them. */
	while (sim_now(r->sim) < (uint64_t)flood.next + AHEAD_NS)
		rdma_run(r, 8);
	rdma_settle(r, 20000);
	n = handled(kind) - before;
	misses = count(CAIRN_COUNTER_QPC_MISS) - misses;
	good = alone * 10 >= took * 9 && n == flood.sent && !misses;
	printf("# %-18s %-12s %5llu frames, %5llu counted, %3llu reads; %6llu ns, alone %6llu: "
	       "%5.1f %%%s\n",
	       kind->name, f->name, (unsigned long long)flood.sent, (unsigned long long)n,
	       (unsigned long long)misses, (unsigned long long)took, (unsigned long long)alone,
	       100.0 * (double)alone / (double)took, good ? "" : "  WRONG");
	return good;
}

static void make_qps(void)
{
	struct rdma_qp_cfg cfg;
	struct rdma_far peer = { .qpn = 0x5001, .psn = 0x1234, .mac = SOURCE_MAC,
				 .gid = { [10] = 0xff, 0xff, 10, 0, 0, 254 } };
	uint32_t vlan;

	rdma_qp_cfg_init(&cfg);
	out = rdma_pair(r, 0, 1, &cfg);
	for (unsigned int i = 0; i < QPS; i++)
		in[i] = rdma_pair(r, 1, 0, &cfg);
	fresh = rdma_create_qp(r, 0, &cfg);
	rc = rdma_create_qp(r, 0, &cfg);
	rdma_to_rts(rc, &peer);
	cfg.type = CAIRN_QP_TYPE_UD;
	cfg.qkey = QKEY;
	ud = rdma_create_qp(r, 0, &cfg);
	rdma_to_rts(ud, &peer);
	near = rdma_buf(r, 0, DEPTH * BIG, 5);
	far = rdma_buf(r, 1, DEPTH * BIG, 9);
	nic_mac = sim_nic_mac(r->nic[0].sim);
	rdma_ok(r, cairn_query_gid(r->nic[0].dev, 1, nic_gid, &vlan), "GID");
}

static void flooded(const struct flow *f)
{
	const struct rdma_cfg cfg = { .nics = 2, .peer_fn = hear, .pcap = "" };
	unsigned int wrong = 0, step;
	uint64_t alone;

	r = rdma_begin(&cfg);
	make_qps();
	step = getenv("EVERY") ? 1 : r->cfg.data_w < 512 ? 2 * f->step : f->step;
	carry(f); /* records, keys and pages are on the chip */
	alone = carry(f);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i += step)
		wrong += (f->to_nic0 || !kinds[i].answer) && !beside(&kinds[i], f, alone);
	rdma_assert(r, !wrong);
	rdma_end(r);
}

static void flood_beside_large_out(void **state)
{
	static const struct flow f = { "64 KiB out", false, BIG, 2, 0, 85, 1 };

	(void)state;
	flooded(&f);
}

static void flood_beside_large_in(void **state)
{
	static const struct flow f = { "64 KiB in", true, BIG, 4, 40, 50, 4 };

	(void)state;
	flooded(&f);
}

static void flood_beside_small_in(void **state)
{
	static const struct flow f = { "8 bytes in", true, SMALL, 600, 45, 45, 1 };

	(void)state;
	flooded(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(flood_beside_large_out),
		RDMA_TEST(flood_beside_large_in),
		RDMA_TEST(flood_beside_small_in),
	};

	return RDMA_RUN("floods", tests);
}
