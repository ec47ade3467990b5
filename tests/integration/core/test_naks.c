// SPDX-License-Identifier: Apache-2.0
/*
 * NAKs that never arrive (check 1): of a gap, of a receiver that is not ready, of a refusal.  Each
 * rule that makes a loss also says that it happened (sim_wire_rule_hits()).
 */
#include "rdma.h"

#define MTU 256u
#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define TIMEOUT 5u /* 131 us */
#define TIMEOUT_NS (4096ull << TIMEOUT)
#define RNR_NS 10000u /* of rdma_qp_cfg_init() */
#define WORD 5u	      /* of the peer's destination: aligned for atomics */
/*
 * Beyond the timeout: the timer's step of 2 us and the way of the repeated packets and of the ACK,
 * measured 8 to 11 us, 13 with a READ that is answered before the timer starts; and each packet.
 */
#define AGAIN_NS 15000u
#define PACKET_NS 700u

static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_SEND,  CAIRN_WQE_OP_SEND_IMM,
					 CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_WRITE_IMM,
					 CAIRN_WQE_OP_READ,  CAIRN_WQE_OP_ATOMIC_FA };

struct scene {
	struct rdma *r;
	struct rdma_qp *qp;
	struct rdma_buf *src[2], *dst[2];
};

static struct scene scene(const struct rdma_qp_cfg *qp)
{
	struct scene s = { .r = rdma_begin(NULL) };
	struct rdma_buf_cfg cfg = { .len = 128 * MTU,
				    .access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC };

	for (unsigned int i = 0; i < 2; i++) {
		cfg.offset = 3 + i;
		s.src[i] = rdma_buf_with(s.r, i, &cfg);
		cfg.offset = 60 - i;
		s.dst[i] = rdma_buf_with(s.r, i, &cfg);
	}
	s.qp = rdma_pair(s.r, 0, 1, qp);
	return s;
}

static struct rdma_qp_cfg small_mtu(void)
{
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.pmtu = 1;
	cfg.timeout = TIMEOUT;
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	return cfg;
}

/* READs and atomics: a message for each request packet. */
static bool is_alone(enum cairn_wqe_op op)
{
	return op == CAIRN_WQE_OP_READ || op == CAIRN_WQE_OP_ATOMIC_FA;
}

static bool takes_recv(enum cairn_wqe_op op)
{
	return op == CAIRN_WQE_OP_SEND || op == CAIRN_WQE_OP_SEND_IMM ||
	       op == CAIRN_WQE_OP_WRITE_IMM;
}

static void receive(struct scene *s)
{
	struct cairn_sge sge = rdma_sge(s->dst[1], 64 * MTU, 32 * MTU);

	rdma_post_recv(s->qp->peer, &sge, 1);
	rdma_ring_recv(s->qp->peer);
}

static struct rdma_wr message(struct scene *s, enum cairn_wqe_op op, uint32_t len)
{
	struct rdma_wr wr = rdma_wr(op, s->src[0], 0, s->dst[1], 0, len);

	wr.imm = (uint32_t)rng_u64(&s->r->rng);
	return wr;
}

/* What has been counted, and when. */
struct figures {
	uint64_t timeouts, again, sequence, rnr, ns;
};

static struct figures figures(struct scene *s)
{
	return (struct figures){ rdma_counter(s->r, 0, CAIRN_COUNTER_ACK_TIMEOUT),
				 rdma_counter(s->r, 0, CAIRN_COUNTER_RETX_PACKETS),
				 rdma_counter(s->r, 1, CAIRN_COUNTER_SEQ_NAK_SENT),
				 rdma_counter(s->r, 1, CAIRN_COUNTER_RNR_NAK_SENT),
				 sim_now(s->r->sim) };
}

static struct figures since(struct scene *s, struct figures before)
{
	struct figures now = figures(s);

	return (struct figures){ now.timeouts - before.timeouts, now.again - before.again,
				 now.sequence - before.sequence, now.rnr - before.rnr,
				 now.ns - before.ns };
}

/* ---------------------------------------------------------------- a gap */

/* Requests of that many packets in all: one message, or as many READs or atomics. */
static void post_packets(struct scene *s, enum cairn_wqe_op op, unsigned int packets)
{
	struct rdma_wr wr = message(s, op, packets * MTU - 1);

	for (unsigned int i = 0; is_alone(op) && i < packets; i++) {
		if (op == CAIRN_WQE_OP_READ)
			wr = rdma_wr(op, s->dst[0], i * 2 * MTU, s->src[1], i * 2 * MTU,
				     2 * MTU - i);
		else
			wr = rdma_wr(op, s->dst[0], 8 * i, s->dst[1], WORD + 8 * i, 8);
		wr.swap_add = rng_u64(&s->r->rng);
		rdma_post(s->qp, &wr);
	}
	if (takes_recv(op))
		receive(s);
	if (!is_alone(op))
		rdma_post(s->qp, &wr);
	rdma_ring(s->qp);
}

/*
 * The second request packet is lost, and so is the NAK that names it: the gap is not told twice, so
 * that the ack timer of the first thing not acknowledged ends the wait, once.
 */
static void gap_untold(struct scene *s, enum cairn_wqe_op op, unsigned int packets)
{
	struct figures f = figures(s);

	rdma_clear_rules(s->r);
	rdma_rule(s->r, "drop nic0>nic1 type=roce k=2 count=1");
	rdma_rule(s->r, "drop nic1>nic0 aeth=nak count=1");
	post_packets(s, op, packets);
	rdma_wait(s->r);
	f = since(s, f);
	for (unsigned int i = 0; i < 2; i++)
		rdma_assert(s->r, sim_wire_rule_hits(sim_wire(s->r->sim), i) == 1);
	/* what was answered before the gap is not asked for again */
	if (f.timeouts != 1 || f.sequence != 1 || f.again != packets - is_alone(op))
		rdma_fail(s->r, "op %u: %u timeouts, %u NAKs, %u of %u packets sent again", op,
			  (unsigned int)f.timeouts, (unsigned int)f.sequence, (unsigned int)f.again,
			  packets);
	if (f.ns < TIMEOUT_NS || f.ns > TIMEOUT_NS + AGAIN_NS + packets * PACKET_NS)
		rdma_fail(s->r, "op %u: took %llu ns, the timeout is %llu", op,
			  (unsigned long long)f.ns, (unsigned long long)TIMEOUT_NS);
	rdma_clear_rules(s->r);
}

static void naks_lost(void **state)
{
	static const unsigned int packets[] = { 3, 4, 15 };
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s;

	(void)state;
	cfg.retry_cnt = 1; /* the one timeout is all there is */
	s = scene(&cfg);
	for (size_t p = 0; p < LEN(packets); p++)
		for (size_t o = 0; o < LEN(ops); o++)
			gap_untold(&s, ops[o], packets[p]);
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- not ready */

/*
 * The receive comes behind the NAK that was lost, so that the repeated message finds it; or
 * behind the second NAK, which is the first that is heard.
 */
static void refusal_untold(struct scene *s, enum cairn_wqe_op op, unsigned int packets,
			   unsigned int later)
{
	struct rdma_wr wr = message(s, op, packets * MTU - 2);
	struct figures f = figures(s);

	rdma_clear_rules(s->r);
	rdma_rule(s->r, "ecn nic1>nic0 aeth=rnr"); /* counts them */
	rdma_rule(s->r, "drop nic1>nic0 aeth=rnr count=1");
	rdma_post(s->qp, &wr);
	rdma_ring(s->qp);
	rdma_wait_hits(s->r, 0, 1 + later);
	receive(s);
	rdma_wait(s->r);
	f = since(s, f);
	rdma_assert(s->r, sim_wire_rule_hits(sim_wire(s->r->sim), 1) == 1);
	if (f.timeouts != 1 || f.rnr != 1 + later || f.sequence)
		rdma_fail(s->r, "op %u, receive %s: %u timeouts, %u RNR NAKs, %u NAKs", op,
			  later ? "later" : "late", (unsigned int)f.timeouts, (unsigned int)f.rnr,
			  (unsigned int)f.sequence);
	if (f.ns < TIMEOUT_NS + later * RNR_NS ||
	    f.ns > TIMEOUT_NS + later * 2 * RNR_NS + AGAIN_NS + packets * PACKET_NS)
		rdma_fail(s->r, "op %u: took %llu ns, the timeout is %llu", op,
			  (unsigned long long)f.ns, (unsigned long long)TIMEOUT_NS);
	rdma_clear_rules(s->r);
}

static void rnr_naks_lost(void **state)
{
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s;

	(void)state;
	cfg.retry_cnt = 1;
	s = scene(&cfg);
	for (size_t o = 0; o < LEN(ops); o++)
		for (unsigned int i = 0; takes_recv(ops[o]) && i < 6; i++)
			refusal_untold(&s, ops[o], 1 + i / 2, i & 1);
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- refused */

static void post_refused(struct scene *s, enum cairn_wqe_op op, unsigned int packets)
{
	struct rdma_wr wr = rdma_wr(op, s->src[0], 0, s->dst[1], 0, packets * MTU);
	struct rdma_wr behind = rdma_wr(CAIRN_WQE_OP_SEND, s->src[0], 0, NULL, 0, 10);

	if (op == CAIRN_WQE_OP_READ)
		wr.sge[0] = rdma_sge(s->dst[0], 0, packets * MTU);
	if (op == CAIRN_WQE_OP_ATOMIC_FA)
		wr = rdma_wr(op, s->dst[0], 0, s->dst[1], WORD, 8);
	wr.rkey ^= 1;
	wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
	wr.vendor = CAIRN_VENDOR_ERR_TIMEOUT;
	rdma_post(s->qp, &wr);
	behind.no_data = true;
	for (unsigned int i = 0; i < 3; i++)
		rdma_post(s->qp, &behind); /* flushed */
	rdma_ring(s->qp);
}

/*
 * The NAK of a refused request is lost.  The peer's QP is in ERR then and drops all that comes, so
 * that nobody can say any more why: the requester repeats and gives up.
 */
static void refused_for_good(enum cairn_wqe_op op, unsigned int packets)
{
	struct rdma_qp_cfg cfg = small_mtu();
	struct figures f;
	struct rdma_wr wr;
	struct scene s;
	uint64_t refused, dropped, hits[3];

	cfg.retry_cnt = 2;
	s = scene(&cfg);
	refused = rdma_counter(s.r, 1, CAIRN_COUNTER_RESP_ACCESS_ERR);
	dropped = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_QP_STATE);
	wr = message(&s, CAIRN_WQE_OP_SEND, 2 * MTU);
	receive(&s);
	rdma_do(s.qp, &wr);
	for (unsigned int i = 0; i < 2; i++)
		rdma_post_recv_expect(s.qp->peer, NULL, 0, CAIRN_WC_STATUS_WR_FLUSH_ERR,
				      CAIRN_VENDOR_ERR_FLUSH);
	rdma_ring_recv(s.qp->peer);
	rdma_rule(s.r, "drop nic1>nic0 aeth=nak count=1");
	/* these count: all that the peer says, and all that it is told */
	rdma_rule(s.r, "ecn nic1>nic0 type=roce");
	rdma_rule(s.r, "ecn nic0>nic1 type=roce");
	f = figures(&s);
	post_refused(&s, op, packets);
	rdma_wait(s.r);
	f = since(&s, f);
	rdma_settle(s.r, 4000);
	for (unsigned int i = 0; i < 3; i++)
		hits[i] = sim_wire_rule_hits(sim_wire(s.r->sim), i);
	dropped = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_QP_STATE) - dropped;
	rdma_assert(s.r, hits[0] == 1 && hits[1] == 1);
	rdma_assert(s.r, f.timeouts == cfg.retry_cnt + 1 && f.again >= cfg.retry_cnt);
	rdma_assert(s.r, f.ns >= f.timeouts * TIMEOUT_NS);
	rdma_assert(s.r, f.ns < f.timeouts * (TIMEOUT_NS + AGAIN_NS));
	/* all but the packet that was refused, and perhaps others at that moment */
	rdma_assert(s.r, dropped >= f.again && dropped < hits[2]);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RESP_ACCESS_ERR) == refused + 1);
	rdma_assert(s.r, rdma_events(s.r, 1, CAIRN_EQE_TYPE_QP_ACCESS_ERR) == 1);
	rdma_assert(s.r, rdma_qp_state(s.qp) == CAIRN_QP_STATE_ERR);
	rdma_assert(s.r, rdma_qp_state(s.qp->peer) == CAIRN_QP_STATE_ERR);
	rdma_end(s.r);
}

static void access_naks_lost(void **state)
{
	(void)state;
	refused_for_good(CAIRN_WQE_OP_WRITE, 1);
	refused_for_good(CAIRN_WQE_OP_WRITE, 3);
	refused_for_good(CAIRN_WQE_OP_READ, 3);
	refused_for_good(CAIRN_WQE_OP_ATOMIC_FA, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(naks_lost), RDMA_TEST(rnr_naks_lost),
					    RDMA_TEST(access_naks_lost) };

	return RDMA_RUN("naks", tests);
}
