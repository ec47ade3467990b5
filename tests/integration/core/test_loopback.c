// SPDX-License-Identifier: Apache-2.0
/*
 * A NIC reaches itself: two QPs of it, two of its addresses, one QP with itself, members of its own
 * multicast groups; beside traffic of the wire in both directions, while the wire stands still,
 * into a full receive pool. Nothing of it is on the wire, and the counters say what was. Switched
 * off, such frames go out as all others. (Through a reset: test_reset.c.)
 */
#include <errno.h>
#include <string.h>

#include "loop.h"
#include "sim_priv.h"

#define VLAN(pcp, vid) (CAIRN_GID_VLAN | (uint32_t)(pcp) << 13 | (vid))

/* ---------------------------------------------------------------- connections */

/* By addresses alone: firmware finds the MAC. */
static void to_address(struct rdma_qp *qp, const struct rdma_qp *to)
{
	struct rdma *r = qp->r;
	struct rdma_far far = { .qpn = to->qp->qpn, .psn = to->sq_psn };
	uint32_t vlan;

	rdma_ok(r, cairn_query_gid(r->nic[to->nic].dev, to->cfg.gid_index, far.gid, &vlan), "GID");
	rdma_to_rts(qp, &far);
}

/* Two QPs of NIC 0, from one address of it to another, or one QP with itself. */
static struct rdma_qp *pair(struct rdma *r, struct rdma_qp_cfg *cfg, unsigned int other_gid,
			    bool self)
{
	struct rdma_qp *a = rdma_create_qp(r, 0, cfg), *b = a;

	if (!self) {
		struct rdma_qp_cfg second = *cfg;

		second.gid_index = other_gid;
		b = rdma_create_qp(r, 0, &second);
	}
	a->peer = b;
	b->peer = a;
	to_address(a, b);
	if (a != b)
		to_address(b, a);
	return a;
}

static const enum cairn_wqe_op ops[] = {
	CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_WRITE_IMM, CAIRN_WQE_OP_SEND,	    CAIRN_WQE_OP_SEND_IMM,
	CAIRN_WQE_OP_READ,  CAIRN_WQE_OP_ATOMIC_FA, CAIRN_WQE_OP_ATOMIC_CS,
};

static bool is_atomic(enum cairn_wqe_op op)
{
	return op == CAIRN_WQE_OP_ATOMIC_FA || op == CAIRN_WQE_OP_ATOMIC_CS;
}

/* Places in two buffers that no other request uses. */
struct room {
	struct rdma_buf *local, *remote;
	size_t at;
};

static struct room room(struct rdma *r, size_t len)
{
	struct rdma_buf_cfg cfg = { .len = len,
				    .access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC };
	struct room m;

	m.local = rdma_buf_with(r, 0, &cfg);
	m.remote = rdma_buf_with(r, 0, &cfg);
	m.at = 0;
	return m;
}

/* Not rung. */
static void post_one(struct rdma_qp *qp, struct room *m, enum cairn_wqe_op op, uint32_t len)
{
	bool send = op == CAIRN_WQE_OP_SEND || op == CAIRN_WQE_OP_SEND_IMM;
	struct rdma_wr wr;

	if (is_atomic(op))
		len = 8;
	wr = rdma_wr(op, m->local, m->at, m->remote, m->at, len);
	wr.imm = (uint32_t)m->at;
	if (is_atomic(op)) {
		memcpy(&wr.compare, m->remote->data + m->at, 8);
		wr.swap_add = rng_u64(&qp->r->rng);
	}
	if (send || op == CAIRN_WQE_OP_WRITE_IMM) {
		struct cairn_sge sge = rdma_sge(m->remote, m->at, len);

		rdma_post_recv(qp->peer, &sge, send && len);
		rdma_ring_recv(qp->peer);
	}
	rdma_post(qp, &wr);
	m->at += (len + 15) & ~7u;
}

static void all_operations(struct rdma_qp *qp, const uint32_t *lens, unsigned int n)
{
	struct room m = room(qp->r, 1 << 19);

	for (unsigned int i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		for (unsigned int k = 0; k < n; k++) {
			if (is_atomic(ops[i]) && k)
				continue;
			post_one(k & 1 ? qp->peer : qp, &m, ops[i], lens[k]);
			rdma_ring(qp);
			if (qp->peer != qp)
				rdma_ring(qp->peer);
			if (k % 4 == 3)
				rdma_wait(qp->r);
		}
	rdma_wait(qp->r);
}

static void rc_all_operations(void **state)
{
	static const uint32_t lens[] = { 8, 0, 1, 100, 1024, 1025, 5000, 40000 };
	struct rdma *r = begin();
	struct rdma_qp_cfg cfg;
	struct seen before = look(r, 0);

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	all_operations(pair(r, &cfg, 1, false), lens, 8);
	all_inside(r, &before);
	rdma_assert(r, !rdma_counter(r, 0, CAIRN_COUNTER_RETX_PACKETS));
	rdma_end(r);
}

static void one_qp_with_itself(void **state)
{
	static const uint32_t lens[] = { 8, 3000 };
	struct rdma *r = begin();
	struct rdma_qp_cfg cfg;
	struct seen before = look(r, 0);

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	all_operations(pair(r, &cfg, 1, true), lens, 2);
	all_inside(r, &before);
	rdma_end(r);
}

static void uc(void **state)
{
	struct rdma *r = begin();
	struct seen before = look(r, 0);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	struct room m = room(r, 1 << 18);

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.type = CAIRN_QP_TYPE_UC;
	qp = pair(r, &cfg, 1, false);
	for (unsigned int i = 0; i < 20; i++) {
		post_one(qp, &m, ops[i % 4], i * 401);
		rdma_ring(qp);
		rdma_wait(r);
	}
	all_inside(r, &before);
	rdma_end(r);
}

/* Receives of an SRQ: which slot a message takes is the device's business. */
static void shared_receives(void **state)
{
	enum { SLOTS = 16, LEN = 3000 };
	struct cairn_srq_init init = { .max_wr = SLOTS, .max_sge = 1 };
	struct rdma *r = begin();
	struct rdma_buf *src = rdma_buf(r, 0, LEN, 0), *dst = rdma_buf(r, 0, SLOTS * LEN, 0);
	struct seen before = look(r, 0);
	struct cairn_srq *srq;
	struct cairn_cq *cq;
	struct rdma_qp_cfg cfg;
	struct rdma_cq own = { 0 };
	struct rdma_qp *tx, *rx;
	unsigned int got = 0;

	(void)state;
	rdma_ok(r, cairn_create_srq(r->nic[0].pd, &init, &srq), "SRQ");
	rdma_ok(r, cairn_create_cq(r->nic[0].dev, 64, CAIRN_ANY, NULL, NULL, &cq), "CQ");
	own.cq = cq;
	rdma_qp_cfg_init(&cfg);
	tx = rdma_create_qp(r, 0, &cfg);
	cfg.srq = srq;
	cfg.recv_cq = &own;
	rx = rdma_create_qp(r, 0, &cfg);
	rx->cfg.recv_cq = NULL; /* own ends here */
	rdma_connect(tx, rx);
	for (unsigned int slot = 0; slot < SLOTS; slot++) {
		struct cairn_sge sge = rdma_sge(dst, slot * LEN, LEN);

		memcpy(cairn_srq_slot(srq, slot), &sge, sizeof(sge));
		cairn_srq_give(srq, slot);
	}
	cairn_srq_ring(srq);
	for (unsigned int i = 0; i < SLOTS; i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, src, 0, NULL, 0, LEN - 100 * i);

		wr.no_data = true;
		rdma_post(tx, &wr);
	}
	rdma_ring(tx);
	rdma_settle(r, 200000);
	for (const struct cairn_cqe *cqe; (cqe = cairn_cq_next(cq)); cairn_cq_consume(cq)) {
		uint32_t slot = CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX);

		rdma_assert(r, !CAIRN_GET(cqe->status, CAIRN_CQE_STATUS));
		rdma_assert(r, cqe->byte_len == LEN - 100 * got++);
		rdma_assert(r, !memcmp(dst->data + slot * LEN, src->data, cqe->byte_len));
	}
	rdma_assert(r, got == SLOTS);
	rdma_wait(r);
	all_inside(r, &before);
	rdma_buf_forget(dst, 0, dst->len);
	rdma_destroy_qp(rx);
	rdma_destroy_qp(tx);
	rdma_ok(r, cairn_destroy_srq(srq), "SRQ");
	rdma_ok(r, cairn_destroy_cq(cq), "CQ");
	rdma_end(r);
}

/* Each own address with each other one of its family and VLAN, every MTU. */
static void addresses_and_mtus(void **state)
{
	static const uint8_t v4[16] = { [10] = 0xff, [11] = 0xff, 172, 16, 5, 9 };
	static const uint8_t v4b[16] = { [10] = 0xff, [11] = 0xff, 192, 0, 2, 7 };
	static const uint8_t v6[16] = { 0xfd, 7, [15] = 3 };
	static const uint32_t lens[] = { 8, 9000 };
	static const struct {
		const uint8_t *gid;
		uint32_t vlan;
	} more[] = {
		{ v4, VLAN(3, 5) }, { v4b, VLAN(3, 5) }, { v6, VLAN(1, 7) }, { v6, 0 }, { v4b, 0 }
	};
	/* index 0 link-local, 1 IPv4, 2 IPv6 by convention; then these */
	static const uint8_t pairs[][2] = { { 0, 0 }, { 1, 1 }, { 0, 8 },
					    { 5, 6 }, { 7, 7 }, { 9, 1 } };
	struct rdma *r = begin();
	struct seen before;

	(void)state;
	for (unsigned int i = 0; i < 5; i++)
		rdma_ok(r, cairn_set_gid(r->nic[0].dev, 5 + i, more[i].gid, more[i].vlan), "GID");
	rdma_announced(r);
	before = look(r, 0);
	for (unsigned int i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		uint64_t mac;
		uint8_t gid[16];
		uint32_t vlan;
		struct rdma_qp_cfg cfg;

		rdma_ok(r, cairn_query_gid(r->nic[0].dev, pairs[i][1], gid, &vlan), "GID");
		rdma_ok(r, cairn_resolve(r->nic[0].dev, pairs[i][0], gid, &mac), "resolve");
		rdma_assert(r, mac == sim_nic_mac(r->nic[0].sim));
		rdma_qp_cfg_init(&cfg);
		cfg.gid_index = pairs[i][0];
		cfg.pmtu = 1 + i % 3;
		cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
		all_operations(pair(r, &cfg, pairs[i][1], false), lens, 2);
	}
	all_inside(r, &before);
	while (r->qps)
		rdma_destroy_qp(r->qps);
	for (unsigned int i = 0; i < 5; i++)
		rdma_ok(r, cairn_set_gid(r->nic[0].dev, 5 + i, NULL, 0), "GID");
	rdma_end(r);
}

static void largest_mtu(void **state)
{
	static const uint32_t lens[] = { 65536, 4097 };
	struct rdma_cfg with = { .eth_mtu = 9000 };
	struct rdma *r = rdma_begin(&with);
	struct seen before;
	struct rdma_qp_cfg cfg;

	(void)state;
	rdma_announced(r);
	before = look(r, 0);
	rdma_qp_cfg_init(&cfg);
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	for (cfg.pmtu = 4; cfg.pmtu <= 5; cfg.pmtu++)
		all_operations(pair(r, &cfg, 1, false), lens, 2);
	all_inside(r, &before);
	rdma_end(r);
}

/* ---------------------------------------------------------------- beside the wire */

static void beside_the_wire(void **state)
{
	enum { LEN = 12000, ROUNDS = 12 };
	static const unsigned int from[] = { 0, 0, 1, 0 }, to[] = { 0, 1, 0, 0 };
	struct rdma *r = begin();
	struct rdma_buf *src[4], *dst[4];
	struct rdma_qp *qp[4];
	struct seen before[2] = { look(r, 0), look(r, 1) }, d;

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		qp[i] = rdma_pair(r, from[i], to[i], NULL);
		src[i] = rdma_buf(r, from[i], LEN * ROUNDS, i);
		dst[i] = rdma_buf(r, to[i], LEN * ROUNDS, 2 * i);
	}
	for (unsigned int n = 0; n < ROUNDS; n++)
		for (unsigned int i = 0; i < 4; i++) {
			struct rdma_wr wr =
				rdma_wr(n % 3 == 2 ? CAIRN_WQE_OP_READ : CAIRN_WQE_OP_WRITE, src[i],
					LEN * n, dst[i], LEN * n, n & 1 ? LEN : 1 + 100 * n);

			rdma_post(qp[i], &wr);
			rdma_ring(qp[i]);
		}
	rdma_wait(r);
	rdma_settle(r, 20000);
	d = since(r, 0, &before[0]);
	rdma_assert(r, d.n[TX_LOOP] && d.n[TX_LOOP] < d.n[TX] && d.n[RX_LOOP] == d.n[TX_LOOP]);
	rdma_assert(r, !d.n[OVERRUN]);
	d = since(r, 1, &before[1]);
	rdma_assert(r, !d.n[TX_LOOP] && !d.n[RX_LOOP] && d.wire.tx_frames == d.n[TX]);
	rdma_end(r);
}

/* The wire takes nothing: frames to ourselves go on until one for the wire is in front of them. */
static void wire_stands_still(void **state)
{
	struct rdma *r = begin();
	struct rdma_qp *in = rdma_pair(r, 0, 0, NULL), *out = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 60000, 0), *dst = rdma_buf(r, 0, 60000, 0);
	struct rdma_buf *far = rdma_buf(r, 1, 20000, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 20000);
	struct sim_mac *mac = &r->nic[0].sim->mac;
	struct seen before = look(r, 0), d;

	(void)state;
	mac->line.ns = sim_now(r->sim) + 1000000000;
	rdma_do(in, &wr);
	wr = rdma_wr(CAIRN_WQE_OP_READ, src, 20000, dst, 20000, 20000);
	rdma_do(in, &wr);
	all_inside(r, &before);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, far, 0, 20000);
	rdma_post(out, &wr);
	rdma_ring(out);
	rdma_run(r, 5000);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 40000, dst, 40000, 20000);
	rdma_post(in, &wr);
	rdma_ring(in);
	rdma_run(r, 5000);
	rdma_assert(r, rdma_due(r) == 2);
	mac->line.ns = sim_now(r->sim);
	rdma_wait(r);
	d = since(r, 0, &before);
	rdma_assert(r, d.n[TX] > d.n[TX_LOOP]);
	rdma_end(r);
}

/* ---------------------------------------------------------------- switch */

static void set_loop(struct rdma *r, bool on)
{
	struct cairn_port_attr port;

	rdma_ok(r, cairn_set_port(r->nic[0].dev, on ? CAIRN_PORT_FLAG_LOOP : 0), "set port");
	rdma_ok(r, cairn_query_port(r->nic[0].dev, &port), "port");
	rdma_assert(r, port.flags == (on ? CAIRN_PORT_FLAG_LOOP : 0));
}

static void switched_off(void **state)
{
	static const uint32_t lens[] = { 3000 };
	struct rdma *r = begin();
	struct rdma_buf *src = rdma_buf(r, 0, 100, 0), *dst = rdma_buf(r, 0, 100, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 100);
	struct cairn_port_attr port;
	struct seen before;
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	uint64_t not_ours;

	(void)state;
	rdma_ok(r, cairn_query_port(r->nic[0].dev, &port), "port");
	rdma_assert(r, port.flags == CAIRN_PORT_FLAG_LOOP); /* by default */
	rdma_assert(r, cairn_set_port(r->nic[0].dev, 6) == -EINVAL);
	set_loop(r, false);
	rdma_qp_cfg_init(&cfg);
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	cfg.retry_cnt = 1;
	qp = pair(r, &cfg, 1, false);
	before = look(r, 0);
	not_ours = rdma_counter(r, 1, CAIRN_COUNTER_RX_NOT_OURS);
	wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
	wr.no_data = true;
	rdma_do(qp, &wr);
	rdma_settle(r, 20000);
	before = since(r, 0, &before);
	rdma_assert(r, before.wire.tx_frames == 2 && !before.n[TX_LOOP] && !before.n[RX_LOOP]);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_RX_NOT_OURS) == not_ours + 2);
	set_loop(r, true);
	before = look(r, 0);
	all_operations(pair(r, &cfg, 1, false), lens, 1);
	all_inside(r, &before);
	rdma_end(r);
}

/* ---------------------------------------------------------------- room */

/* Host memory takes nothing for a while: looped frames are dropped as those of the wire are, and
 * sent again; the transmit side did not wait for it. */
static void receive_pool_is_full(void **state)
{
	/* no capture shows what is dropped for want of room */
	struct rdma_cfg with = { .pcap = "" };
	struct rdma *r = rdma_begin(&with);
	struct rdma_qp *in = rdma_pair(r, 0, 0, NULL), *out = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 1 << 18, 0), *dst = rdma_buf(r, 0, 1 << 18, 0);
	struct rdma_buf *far = rdma_buf(r, 1, 4000, 0);
	struct sim_pcie *pcie = sim_nic_pcie(r->nic[0].sim);
	const struct sim_wire_stats *wire = sim_wire_stats(sim_wire(r->sim), 1);
	uint64_t lost = rdma_counter(r, 0, CAIRN_COUNTER_RX_NO_BUFFER), there = wire->rx_frames;
	struct rdma_wr wr;

	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 30000 * i, dst, 30000 * i, 30000);
		rdma_post(in, &wr);
	}
	sim_pcie_hold_credits(pcie, 1, sim_now(r->sim) + 600000);
	rdma_ring(in);
	rdma_run(r, 20000);
	/* what is for the wire leaves before this NIC's memory takes anything */
	rdma_assert(r, wire->rx_frames == there);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 250000, far, 0, 4000);
	rdma_post(out, &wr);
	rdma_ring(out);
	rdma_run(r, 40000); /* at 64 bits two visits of the other QP may be before it */
	rdma_assert(r, wire->rx_frames >= there + 4);
	rdma_wait(r);
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_RX_NO_BUFFER) > lost);
	rdma_end(r);
}

static void nobody(void *arg, const struct sim_frame *frame)
{
	(void)arg;
	(void)frame;
}

/*
 * A wire that brings a beat in every cycle, faster than its line would: what is sent to ourselves
 * gets through all the same, and what the wire loses to it is counted.
 */
static void wire_without_gap(void **state)
{
	enum { FRAMES = 24000, LEN = 65 };
	/* a frame takes two beats at 512 bit, and less time than these on the line */
	bool wide = getenv("WIDTH") && !strcmp(getenv("WIDTH"), "512");
	struct rdma_cfg with = {
		.nics = 1, .peer_fn = nobody, .pcap = "", .mbps = wide ? 95000 : 10500
	};
	struct sim_line line = { .mbps = with.mbps };
	struct rdma *r = rdma_begin(&with);
	struct rdma_qp *qp = rdma_pair(r, 0, 0, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 6000, 0), *dst = rdma_buf(r, 0, 6000, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 6000);
	const struct sim_wire_stats *wire = sim_wire_stats(sim_wire(r->sim), 0);
	struct seen before = look(r, 0), now;
	uint64_t start = sim_now(r->sim);

	(void)state;
	for (unsigned int i = 0; i < FRAMES; i++) {
		struct sim_frame *frame = sim_frame_new(NULL, LEN);

		rdma_assert(r, frame);
		memset(frame->data, 0x52, LEN); /* for another station */
		frame->t = sim_line_frame(&line, start, LEN);
		sim_wire_send(sim_wire(r->sim), 1, frame, start);
	}
	rdma_run(r, 100);
	rdma_post(qp, &wr);
	rdma_ring(qp);
	rdma_wait(r);
	rdma_assert(r, wire->rx_frames - before.wire.rx_frames < FRAMES); /* it goes on */
	while (sim_wire_peek(sim_wire(r->sim), 0))
		rdma_run(r, 1000);
	rdma_settle(r, 20000);
	now = look(r, 0);
	rdma_assert(r, now.n[OVERRUN] > before.n[OVERRUN]);
	rdma_assert(r, now.n[RX] - now.n[RX_LOOP] + now.n[OVERRUN] + wire->rx_overrun ==
			       before.n[RX] - before.n[RX_LOOP] + before.n[OVERRUN] +
				       before.wire.rx_overrun + FRAMES);
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(rc_all_operations),
		RDMA_TEST(one_qp_with_itself),
		RDMA_TEST(uc),
		RDMA_TEST(shared_receives),
		RDMA_TEST(addresses_and_mtus),
		RDMA_TEST(largest_mtu),
		RDMA_TEST(beside_the_wire),
		RDMA_TEST(wire_stands_still),
		RDMA_TEST(switched_off),
		RDMA_TEST(receive_pool_is_full),
		RDMA_TEST(wire_without_gap),
	};

	return RDMA_RUN("loopback", tests);
}
