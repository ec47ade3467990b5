// SPDX-License-Identifier: Apache-2.0
/*
 * Datagrams that were not asked for (checks 42, 43, 46): wrong Q_Keys and lengths at a UD QP,
 * management datagrams of any length and class at QP 1 and more of them than it has receives, a
 * wire full of the shortest garbage.  Nothing ends a QP, and the flow beside it goes on.
 *
 * Environment: MADS, FLOOD (frames).
 */
#include "peer.h"

#include <string.h>

#define GRH 40u
#define ROOM 256u /* of a receive behind the GRH area */
#define SLOT 512u
#define RECEIVES 16u
#define QKEY 0x00012345u
#define GSI_QKEY 0x80010000u
#define SOURCE_QP 0x4321u
#define MASK(name) CAIRN_QP_MASK_##name

struct ear {
	struct peer *p;
	struct cairn_cq *cq;
	struct rdma_qp fake; /* for peer_packet(): it is not in the ledger */
	struct rdma_buf *buf;
	uint32_t qkey;
};

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static void listen(struct ear *e, struct peer *p, enum cairn_qp_type type, uint32_t qkey)
{
	struct cairn_qp_init init = {
		.type = type,
		.max_send_wr = 4,
		.max_recv_wr = RECEIVES,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.qpn = CAIRN_ANY,
	};
	struct cairn_qp_attr attr = { .state = CAIRN_QP_STATE_INIT, .port = 1, .qkey = qkey };
	uint32_t init_mask = MASK(STATE) | MASK(PKEY_INDEX) | MASK(QKEY);

	memset(e, 0, sizeof(*e));
	e->p = p;
	e->qkey = qkey;
	e->buf = rdma_buf(p->r, 0, RECEIVES * SLOT, 0);
	memset(e->buf->base + RDMA_GUARD, 0xee, RECEIVES * SLOT);
	rdma_ok(p->r, cairn_create_cq(p->r->nic[0].dev, 64, CAIRN_ANY, NULL, NULL, &e->cq), "CQ");
	init.send_cq = init.recv_cq = e->cq;
	rdma_ok(p->r, cairn_create_qp(p->r->nic[0].pd, &init, &e->fake.qp), "QP");
	rdma_other_qps(p->r);
	if (type != CAIRN_QP_TYPE_GSI)
		init_mask |= MASK(PORT);
	rdma_ok(p->r, cairn_modify_qp(e->fake.qp, &attr, init_mask), "INIT");
	attr.state = CAIRN_QP_STATE_RTR;
	rdma_ok(p->r, cairn_modify_qp(e->fake.qp, &attr, MASK(STATE)), "RTR");
	attr.state = CAIRN_QP_STATE_RTS;
	rdma_ok(p->r, cairn_modify_qp(e->fake.qp, &attr, MASK(STATE) | MASK(SQ_PSN)), "RTS");
}

static void receives(struct ear *e, unsigned int n)
{
	while (n--) {
		unsigned int slot = e->fake.qp->rq_pi % RECEIVES;

		*cairn_rq_entry(e->fake.qp, e->fake.qp->rq_pi++) =
			rdma_sge(e->buf, slot * SLOT, GRH + ROOM);
	}
	cairn_rq_ring(e->fake.qp);
}

static void deafen(struct ear *e)
{
	rdma_assert(e->p->r, !cairn_cq_next(e->cq));
	rdma_ok(e->p->r, cairn_destroy_qp(e->fake.qp, NULL), "QP");
	rdma_ok(e->p->r, cairn_destroy_cq(e->cq), "CQ");
	rdma_buf_forget(e->buf, 0, RECEIVES * SLOT);
}

static struct model_packet datagram(struct ear *e, uint32_t qkey, const void *bytes, uint32_t len)
{
	struct model_packet packet =
		peer_packet(e->p, &e->fake, CAIRN_OPCODE_UD_SEND_ONLY,
			    (uint32_t)rng_u64(&e->p->r->rng));
	uint8_t deth[CAIRN_DETH_BYTES] = { 0 };

	cairn_pkt_set(deth, CAIRN_DETH_QKEY, qkey);
	cairn_pkt_set(deth, CAIRN_DETH_SRC_QP, SOURCE_QP);
	peer_add(&packet, deth, sizeof(deth));
	peer_add_payload(&packet, bytes, len);
	return packet;
}

static void settle(struct peer *p)
{
	rdma_run(p->r, 300);
	rdma_settle(p->r, 20000);
}

/* The next completion: its length, and what the receive holds. */
static void heard(struct ear *e, const void *bytes, uint32_t len, bool ipv6)
{
	static const uint8_t zero[20];
	const struct cairn_cqe *cqe = cairn_cq_next(e->cq);
	const uint8_t *at;

	if (!cqe)
		rdma_fail(e->p->r, "no datagram of %u bytes arrived", len);
	at = e->buf->data + CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX) % RECEIVES * SLOT;
	rdma_assert(e->p->r, CAIRN_GET(cqe->status, CAIRN_CQE_STATUS) == 0);
	rdma_assert(e->p->r, cqe->byte_len == GRH + len && (cqe->wqe & CAIRN_CQE_WQE_GRH));
	rdma_assert(e->p->r, CAIRN_GET(cqe->src, CAIRN_CQE_SRC_SRC_QP) == SOURCE_QP);
	/* before an IPv4 header there is nothing, not even something old */
	rdma_assert(e->p->r, CAIRN_GET(cqe->status, CAIRN_CQE_STATUS_IPV6) == ipv6);
	rdma_assert(e->p->r, CAIRN_GET(cqe->status, CAIRN_CQE_STATUS_TAGGED) == !!e->p->tci);
	rdma_assert(e->p->r, CAIRN_GET(cqe->status, CAIRN_CQE_STATUS_PRIO) == e->p->tci >> 13);
	if (ipv6)
		rdma_assert(e->p->r, at[0] >> 4 == 6 && at[6] == 17);
	else
		rdma_assert(e->p->r, !memcmp(at, zero, 20) && at[20] == 0x45 &&
					     !memcmp(at + 32, peer_gid + 12, 4) &&
					     !memcmp(at + 36, e->p->nic_gid + 12, 4));
	rdma_assert(e->p->r, !memcmp(at + GRH, bytes, len));
	for (unsigned int i = GRH + len; i < SLOT; i++)
		rdma_assert(e->p->r, at[i] == 0xee);
	memset(e->buf->data + (at - e->buf->data), 0xee, SLOT);
	cairn_cq_consume(e->cq);
	cairn_cq_update(e->cq);
}

/*
 * A WRITE of the canary, which the peer sends back behind all that it has sent already: how long it
 * takes, alone in `quiet` ns.  As long as the NIC takes frames as fast as they come, it is late by
 * what is left of them on the wire, less the time in which it gets to the wire itself (4.6 us
 * with each of several seeds).  That time is the margin.
 */
static uint64_t canary_behind(struct peer *p, uint32_t len, uint64_t quiet)
{
	uint64_t now = sim_now(p->r->sim);
	uint64_t busy = p->line.ns > now ? p->line.ns - now : 0, ns = peer_canary(p, len);

	if (ns > quiet + busy)
		rdma_fail(p->r, "a WRITE of %llu ns takes %llu behind frames of %llu ns",
			  (unsigned long long)quiet, (unsigned long long)ns,
			  (unsigned long long)busy);
	return ns;
}

static uint32_t state_of(struct ear *e)
{
	struct cairn_qp_attr attr;

	rdma_ok(e->p->r, cairn_query_qp(e->fake.qp, &attr), "query");
	return attr.state;
}

/* ---------------------------------------------------------------- UD (check 42) */

static void wrong_qkeys(struct ear *e, const uint8_t *bytes)
{
	static const uint32_t bad[] = { 0, QKEY ^ 1, QKEY | 0x80000000, 0xffffffff, GSI_QKEY };
	uint64_t before = rdma_counter(e->p->r, 0, CAIRN_COUNTER_RX_BAD_QKEY);

	for (unsigned int i = 0; i < 5; i++) {
		struct model_packet packet = datagram(e, bad[i], bytes, 8);

		peer_send(e->p, &packet);
	}
	settle(e->p);
	rdma_assert(e->p->r, rdma_counter(e->p->r, 0, CAIRN_COUNTER_RX_BAD_QKEY) == before + 5);
	rdma_assert(e->p->r, !cairn_cq_next(e->cq) && !e->p->total);
}

static void at_ud(void **state)
{
	static const uint32_t lens[] = { 0, 1, 3, 255, 256 };
	struct peer *p = peer_begin();
	uint64_t dropped = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_UD_DROP);
	uint64_t unheard = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_NO_RECV);
	uint8_t bytes[2048], own6[16];
	struct model_packet packet;
	struct ear e;
	uint32_t vlan;

	(void)state;
	rng_bytes(&p->r->rng, bytes, sizeof(bytes));
	rdma_ok(p->r, cairn_query_gid(p->r->nic[0].dev, 0, own6, &vlan), "GID");
	listen(&e, p, CAIRN_QP_TYPE_UD, QKEY);
	peer_forget(p);
	packet = datagram(&e, QKEY, bytes, 8);
	peer_send(p, &packet); /* nobody listens yet */
	settle(p);
	rdma_assert(p->r, rdma_counter(p->r, 0, CAIRN_COUNTER_RX_NO_RECV) == unheard + 1);
	receives(&e, 12);
	wrong_qkeys(&e, bytes);
	for (unsigned int i = 0; i < 5; i++) {
		for (unsigned int ipv6 = 0; ipv6 < 2; ipv6++) {
			packet = datagram(&e, QKEY, bytes + i, lens[i]);
			if (ipv6) {
				memcpy(packet.dst, own6, 16);
				packet.src[0] = 0xfd;
			}
			peer_send(p, &packet);
			settle(p);
			heard(&e, bytes + i, lens[i], ipv6);
		}
	}
	/* VLAN 0 is no VLAN, and the tag's priority is told */
	receives(&e, 7);
	for (unsigned int prio = 1; prio < 8; prio++) {
		p->tci = (uint16_t)(prio << 13);
		packet = datagram(&e, QKEY, bytes, prio);
		peer_send(p, &packet);
		settle(p);
		heard(&e, bytes, prio, false);
	}
	p->tci = 0;
	/* too long for the receive, or for a port of 1024 */
	for (unsigned int i = 0; i < 3; i++) {
		packet = datagram(&e, QKEY, bytes, ROOM + (i == 2 ? 1500 : 1 + 3 * i));
		peer_send(p, &packet);
	}
	settle(p);
	rdma_assert(p->r, rdma_counter(p->r, 0, CAIRN_COUNTER_RX_UD_DROP) == dropped + 3);
	rdma_assert(p->r, !cairn_cq_next(e.cq) && state_of(&e) == CAIRN_QP_STATE_RTS);
	packet = datagram(&e, QKEY, bytes, ROOM);
	peer_send(p, &packet); /* the receive that they did not take */
	settle(p);
	heard(&e, bytes, ROOM, false);
	rdma_assert(p->r, !p->total);
	peer_canary(p, 3000);
	deafen(&e);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- QP 1 (check 43) */

static void one_mad(struct ear *e, uint8_t *mad, uint32_t len)
{
	struct model_packet packet;

	rng_bytes(&e->p->r->rng, mad, len ? len : 1);
	if (len > 3 && rng_percent(&e->p->r->rng, 50)) { /* base version 1, a class */
		mad[0] = 1;
		mad[1] = (uint8_t)rng_u64(&e->p->r->rng);
	}
	packet = datagram(e, GSI_QKEY, mad, len);
	peer_send(e->p, &packet);
}

/* What the transport takes is the software's to judge: all that fits arrives, whatever it is. */
static void at_qp1(void **state)
{
	static const uint32_t lens[] = { 256, 0, 1, 4, 23, 24, 25, 255, 256, 257, 300, 1024 };
	struct peer *p = peer_begin();
	uint64_t mads = number("MADS", 400), unheard, dropped;
	uint64_t before = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_UD_DROP), quiet, slow = 0;
	uint8_t mad[1024];
	struct ear e;

	(void)state;
	listen(&e, p, CAIRN_QP_TYPE_GSI, GSI_QKEY);
	rdma_assert(p->r, e.fake.qp->qpn == 1);
	receives(&e, RECEIVES);
	for (unsigned int i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
		one_mad(&e, mad, lens[i]);
		settle(p);
		if (lens[i] <= ROOM)
			heard(&e, mad, lens[i], false);
	}
	dropped = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_UD_DROP);
	rdma_assert(p->r, dropped == before + 3);
	/* a flood: the receives that are left, then nothing; data goes on meanwhile */
	peer_canary(p, 4000);
	quiet = peer_canary(p, 4000);
	unheard = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_NO_RECV);
	for (uint64_t i = 0; i < mads; i++) {
		one_mad(&e, mad, ROOM);
		if (i % 40 == 39) {
			uint64_t ns = canary_behind(p, 4000, quiet);

			slow = ns > slow ? ns : slow;
		}
	}
	settle(p);
	rdma_assert(p->r, rdma_counter(p->r, 0, CAIRN_COUNTER_RX_NO_RECV) ==
				  unheard + mads - (RECEIVES - 9));
	for (unsigned int i = 0; i < RECEIVES - 9; i++) {
		cairn_cq_consume(e.cq);
		cairn_cq_update(e.cq);
	}
	rdma_assert(p->r, state_of(&e) == CAIRN_QP_STATE_RTS);
	print_message("# %llu MADs, a WRITE among them took at most %llu us\n",
		      (unsigned long long)mads, (unsigned long long)slow / 1000);
	memset(e.buf->data, 0xee, RECEIVES * SLOT);
	receives(&e, 1);
	one_mad(&e, mad, 200);
	settle(p);
	heard(&e, mad, 200, false);
	deafen(&e);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- garbage (check 46) */

/* 60 bytes to port 4791: right but for nobody, wrong in some field, or nothing at all. */
static void garbage(struct peer *p, uint8_t *bytes)
{
	struct rng *rng = &p->r->rng;
	struct sim_frame *frame;

	rng_bytes(rng, bytes + 42, 18);
	bytes[42] = rng_percent(rng, 50) ? 0x04 : bytes[42];
	bytes[43] = rng_percent(rng, 50) ? 0x40 : bytes[43];
	bytes[38 + rng_below(rng, 2)] = rng_percent(rng, 80) ? 0 : 1;
	bytes[39] = 24;
	frame = sim_frame_new(bytes, 60);
	assert_non_null(frame);
	frame->t = sim_line_frame(&p->line, sim_now(p->r->sim), frame->len);
	sim_wire_send(sim_wire(p->r->sim), 1, frame, sim_now(p->r->sim));
}

static void header(const struct peer *p, uint8_t *bytes)
{
	static const uint8_t ip[] = { 0x08, 0, 0x45, 0, 0, 44, 0, 0, 0x40, 0, 64, 17, 0, 0 };
	uint32_t sum = 0;

	memset(bytes, 0, 60);
	for (unsigned int i = 0; i < 6; i++) {
		bytes[i] = (uint8_t)(p->nic_mac >> (40 - 8 * i));
		bytes[6 + i] = (uint8_t)(peer_mac >> (40 - 8 * i));
	}
	memcpy(bytes + 12, ip, sizeof(ip));
	memcpy(bytes + 26, peer_gid + 12, 4);
	memcpy(bytes + 30, p->nic_gid + 12, 4);
	for (unsigned int i = 14; i < 34; i += 2)
		sum += (uint32_t)(bytes[i] << 8 | bytes[i + 1]);
	sum = ~((sum & 0xffff) + (sum >> 16));
	bytes[24] = (uint8_t)(sum >> 8);
	bytes[25] = (uint8_t)sum;
	bytes[34] = 0xc0;
	bytes[36] = 4791 >> 8;
	bytes[37] = 4791 & 0xff;
}

static void flood(void **state)
{
	struct peer *p = peer_begin();
	uint64_t frames = number("FLOOD", 12000), quiet, slow = 0, timeouts, packets, bad, after;
	uint8_t bytes[60];

	(void)state;
	peer_canary(p, 3000);
	quiet = peer_canary(p, 3000);
	header(p, bytes);
	timeouts = rdma_counter(p->r, 0, CAIRN_COUNTER_ACK_TIMEOUT);
	packets = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_PACKETS);
	bad = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_ROCE_PACKETS);
	for (uint64_t i = 0; i < frames; i++) {
		garbage(p, bytes);
		if (i % 400 == 399) { /* what the canary sends to itself waits behind all that */
			uint64_t ns = canary_behind(p, 3000, quiet);

			slow = ns > slow ? ns : slow;
		}
	}
	settle(p);
	after = peer_canary(p, 3000);
	packets = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_PACKETS) - packets;
	bad = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_ROCE_PACKETS) - bad;
	print_message("# a WRITE takes %llu us, in a flood of %llu frames at most %llu, then %llu\n",
		      (unsigned long long)quiet / 1000, (unsigned long long)frames,
		      (unsigned long long)slow / 1000, (unsigned long long)after / 1000);
	/* each came in, none got through the parser: the rest are the WRITEs and their ACKs */
	rdma_assert(p->r, packets == frames + bad);
	rdma_assert(p->r, after < quiet + 20000);
	rdma_assert(p->r, rdma_counter(p->r, 0, CAIRN_COUNTER_ACK_TIMEOUT) == timeouts);
	rdma_end(p->r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(at_ud), RDMA_TEST(at_qp1),
					    RDMA_TEST(flood) };

	return RDMA_RUN("datagrams", tests);
}
