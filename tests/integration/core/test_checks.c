// SPDX-License-Identifier: Apache-2.0
/*
 * Single faults, systematically: each packet of each operation lost, lost again and again, late or
 * repeated; receivers that are not ready, for each timer code.  The rule that makes the fault also
 * says that it happened (sim_wire_rule_hits()).
 */
#include "rdma.h"

#include <stdio.h>

#define MTU 256u
#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define TIMEOUT 5u /* 131 us */
#define TIMEOUT_NS (4096ull << TIMEOUT)

static const char *const ways[2] = { "nic0>nic1", "nic1>nic0" };
static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_SEND, CAIRN_WQE_OP_SEND_IMM,
					 CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_WRITE_IMM,
					 CAIRN_WQE_OP_READ };

struct scene {
	struct rdma *r;
	struct rdma_qp *qp;
	struct rdma_buf *src[2], *dst[2];
};

static struct scene scene(const struct rdma_qp_cfg *qp)
{
	struct scene s = { .r = rdma_begin(NULL) };

	for (unsigned int i = 0; i < 2; i++) {
		s.src[i] = rdma_buf(s.r, i, 128 * MTU, 3 + i);
		s.dst[i] = rdma_buf(s.r, i, 128 * MTU, 60 - i);
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
	return cfg;
}

static struct rdma_wr request(struct scene *s, enum cairn_wqe_op op, size_t len)
{
	bool read = op == CAIRN_WQE_OP_READ;
	bool takes_recv = op != CAIRN_WQE_OP_WRITE && !read;
	struct rdma_wr wr =
		rdma_wr(op, read ? s->dst[0] : s->src[0], 0, read ? s->src[1] : s->dst[1], 0, len);
	struct cairn_sge sge = rdma_sge(s->dst[1], 64 * MTU, 32 * MTU);

	wr.imm = (uint32_t)rng_u64(&s->r->rng);
	if (takes_recv) {
		rdma_post_recv(s->qp->peer, &sge, 1);
		rdma_ring_recv(s->qp->peer);
	}
	return wr;
}

/* One request under one rule; how often the rule acted. */
static uint64_t do_with(struct scene *s, enum cairn_wqe_op op, size_t len, const char *rule)
{
	struct rdma_wr wr = request(s, op, len);
	uint64_t hits;

	rdma_clear_rules(s->r);
	rdma_rule(s->r, "%s", rule);
	rdma_do(s->qp, &wr);
	/* an answer that is late or repeated comes now */
	rdma_settle(s->r, 4000);
	hits = sim_wire_rule_hits(sim_wire(s->r->sim), 0);
	rdma_clear_rules(s->r);
	return hits;
}

/* ---------------------------------------------------------------- one packet is lost (check 1) */

static void lose_each(struct scene *s, enum cairn_wqe_op op, unsigned int packets, size_t len)
{
	unsigned int requests = op == CAIRN_WQE_OP_READ ? 1 : packets;
	unsigned int responses = op == CAIRN_WQE_OP_READ ? packets : 1;
	char rule[80];

	for (unsigned int way = 0; way < 2; way++) {
		unsigned int k = 0, least = way ? responses : requests;
		uint64_t hits, again;

		do {
			snprintf(rule, sizeof(rule), "drop %s type=roce k=%u", ways[way], ++k);
			again = rdma_counter(s->r, 0, CAIRN_COUNTER_RETX_PACKETS);
			hits = do_with(s, op, len, rule);
			again = rdma_counter(s->r, 0, CAIRN_COUNTER_RETX_PACKETS) - again;
			/* Go-back-N: once, from the loss on or from the last ACK. */
			if (hits && !way && again < 1)
				rdma_fail(s->r, "op %u, packet %u of %u is lost, none sent again",
					  op, k, packets);
			if (again > (hits ? requests : 0))
				rdma_fail(s->r, "op %u, %s %u of %u is lost: %u sent again", op,
					  way ? "response" : "request", k, packets,
					  (unsigned int)again);
		} while (hits);
		if (k <= least)
			rdma_fail(s->r, "op %u of %u packets: only %u were seen", op, packets,
				  k - 1);
	}
}

static void each_packet_lost(void **state)
{
	static const unsigned int packets[] = { 1, 2, 3, 17 };
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s = scene(&cfg);

	(void)state;
	for (size_t o = 0; o < LEN(ops); o++)
		for (size_t p = 0; p < LEN(packets); p++)
			lose_each(&s, ops[o], packets[p],
				  packets[p] * MTU - rng_below(&s.r->rng, 5));
	rdma_end(s.r);
}

/* Check 10: nothing but headers; the key is not looked at. */
static void each_empty_packet_lost(void **state)
{
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s = scene(&cfg);

	(void)state;
	for (size_t o = 0; o < LEN(ops); o++) {
		struct rdma_wr wr = request(&s, ops[o], 0);

		lose_each(&s, ops[o], 1, 0);
		wr.rkey ^= 0x5500;
		rdma_do(s.qp, &wr);
	}
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- again and again (check 2) */

static void lost_so_often(unsigned int packets, unsigned int times, bool fails)
{
	struct rdma_qp_cfg cfg = small_mtu();
	struct rdma_wr wr;
	struct scene s;
	uint64_t begin, took;

	cfg.retry_cnt = 3;
	s = scene(&cfg);
	rdma_rule(s.r, "drop nic0>nic1 qp=%u psn=@%u count=%u", s.qp->peer->qp->qpn,
		  (s.qp->sq_psn + packets / 2) & 0xffffff, times);
	wr = request(&s, CAIRN_WQE_OP_WRITE, packets * MTU);
	wr.expect = fails ? CAIRN_WC_STATUS_RETRY_EXC_ERR : CAIRN_WC_STATUS_SUCCESS;
	begin = sim_now(s.r->sim);
	rdma_post(s.qp, &wr);
	wr.no_data = true;
	wr.expect = CAIRN_WC_STATUS_SUCCESS; /* behind a failure: flushed */
	rdma_post(s.qp, &wr);
	rdma_ring(s.qp);
	rdma_wait(s.r);
	took = sim_now(s.r->sim) - begin;
	if (fails)
		rdma_buf_forget(s.dst[1], 0, packets * MTU);
	if (fails && packets == 1 && (took < 3 * TIMEOUT_NS || took > 16 * TIMEOUT_NS))
		rdma_fail(s.r, "a NAK (of the request behind it) and three timeouts took %llu ns",
			  (unsigned long long)took);
	rdma_assert(s.r, sim_wire_rule_hits(sim_wire(s.r->sim), 0) == times);
	if (fails)
		rdma_qp_error(s.qp);
	rdma_end(s.r);
}

static void same_packet_lost(void **state)
{
	(void)state;
	for (unsigned int packets = 1; packets <= 3; packets += 2)
		for (unsigned int times = 1; times <= 4; times++)
			lost_so_often(packets, times, times == 4);
}

/* ---------------------------------------------------------------- late, repeated (checks 5, 6) */

/* One gap, one NAK; those that came too early are a gap of their own when it is filled. */
static void kept_back(void **state)
{
	static const unsigned int windows[] = { 1, 2, 4, 16, 64 };
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s = scene(&cfg);

	(void)state;
	for (size_t w = 0; w < LEN(windows); w++)
		for (unsigned int k = 1; k <= 24; k += 23) {
			uint64_t naks = rdma_counter(s.r, 1, CAIRN_COUNTER_SEQ_NAK_SENT);
			char rule[80];

			snprintf(rule, sizeof(rule), "reorder:%u nic0>nic1 type=roce k=%u",
				 windows[w], k);
			rdma_assert(s.r, do_with(&s, CAIRN_WQE_OP_WRITE, 64 * MTU, rule) == 1);
			naks = rdma_counter(s.r, 1, CAIRN_COUNTER_SEQ_NAK_SENT) - naks;
			if (!naks || naks > 2)
				rdma_fail(s.r, "packet %u behind %u others: %u NAKs", k, windows[w],
					  (unsigned int)naks);
		}
	rdma_end(s.r);
}

/* The last packet of a message behind the first of the next. */
static void messages_swapped(void **state)
{
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s = scene(&cfg);

	(void)state;
	for (size_t o = 0; o < LEN(ops); o++) {
		struct rdma_wr first = request(&s, ops[o], 3 * MTU);
		struct rdma_wr next =
			rdma_wr(CAIRN_WQE_OP_WRITE, s.src[0], 7, s.dst[1], 100 * MTU, 2 * MTU);

		rdma_clear_rules(s.r);
		rdma_rule(s.r, "reorder nic0>nic1 type=roce k=%u",
			  ops[o] == CAIRN_WQE_OP_READ ? 1 : 3);
		rdma_post(s.qp, &first);
		rdma_post(s.qp, &next);
		rdma_ring(s.qp);
		rdma_wait(s.r);
		rdma_assert(s.r, sim_wire_rule_hits(sim_wire(s.r->sim), 0) == 1);
	}
	rdma_end(s.r);
}

static void each_packet_repeated(void **state)
{
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s = scene(&cfg);

	(void)state;
	for (size_t o = 0; o < LEN(ops); o++)
		for (unsigned int copies = 1; copies <= 8; copies++)
			for (unsigned int way = 0; way < 2; way++) {
				uint64_t hits, seen;
				unsigned int k = 0;
				char rule[80];

				do {
					snprintf(rule, sizeof(rule), "dup:%u %s type=roce k=%u",
						 copies, ways[way], ++k);
					seen = rdma_counter(s.r, 1,
							    CAIRN_COUNTER_DUPLICATE_REQUEST);
					hits = do_with(&s, ops[o], 3 * MTU - 1, rule);
					seen = rdma_counter(s.r, 1,
							    CAIRN_COUNTER_DUPLICATE_REQUEST) -
					       seen;
					if (seen != (way ? 0 : hits * copies))
						rdma_fail(s.r,
							  "op %u, %u copies: %u duplicates counted",
							  ops[o], copies, (unsigned int)seen);
				} while (hits);
			}
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- not ready (check 11) */

/* Those up to 0.64 ms; the unit tests of the completer have them all. */
static const uint16_t rnr_10us[13] = { 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64 };

static void each_timer_code(void **state)
{
	(void)state;
	for (unsigned int code = 1; code < LEN(rnr_10us); code++) {
		uint64_t least = rnr_10us[code] * 10000ull, begin, took;
		struct rdma_qp_cfg cfg = small_mtu();
		struct cairn_sge sge;
		struct rdma_wr wr;
		struct scene s;

		cfg.min_rnr_timer = code;
		cfg.retry_cnt = 0; /* the wait costs none */
		s = scene(&cfg);
		rdma_rule(s.r, "ecn nic1>nic0 aeth=rnr");
		wr = rdma_wr(CAIRN_WQE_OP_SEND, s.src[0], 0, NULL, 0, 2 * MTU);
		rdma_post(s.qp, &wr);
		rdma_ring(s.qp);
		rdma_wait_hits(s.r, 0, 1);
		begin = sim_now(s.r->sim);
		sge = rdma_sge(s.dst[1], 0, 2 * MTU);
		rdma_post_recv(s.qp->peer, &sge, 1);
		rdma_ring_recv(s.qp->peer);
		rdma_wait(s.r);
		took = sim_now(s.r->sim) - begin;
		if (took < least || took > least + least / 8 + 20000)
			rdma_fail(s.r, "code %u: waited %llu ns, at least %llu", code,
				  (unsigned long long)took, (unsigned long long)least);
		rdma_end(s.r);
	}
}

static void each_rnr_retry(void **state)
{
	static const unsigned int retries[] = { 0, 1, 6, 7 };

	(void)state;
	for (size_t i = 0; i < LEN(retries); i++) {
		struct rdma_qp_cfg cfg = small_mtu();
		struct cairn_sge sge;
		struct rdma_wr wr;
		struct scene s;

		cfg.rnr_retry = retries[i];
		cfg.retry_cnt = 0;
		s = scene(&cfg);
		rdma_rule(s.r, "ecn nic1>nic0 aeth=rnr");
		wr = rdma_wr(CAIRN_WQE_OP_SEND, s.src[0], 0, NULL, 0, 100);
		if (retries[i] < 7) {
			wr.expect = CAIRN_WC_STATUS_RNR_RETRY_EXC_ERR;
			rdma_do(s.qp, &wr);
			rdma_assert(s.r,
				    sim_wire_rule_hits(sim_wire(s.r->sim), 0) == retries[i] + 1);
			rdma_qp_error(s.qp);
		} else {
			rdma_post(s.qp, &wr);
			rdma_ring(s.qp);
			rdma_wait_hits(s.r, 0, 20);
			sge = rdma_sge(s.dst[1], 0, 100);
			rdma_post_recv(s.qp->peer, &sge, 1);
			rdma_ring_recv(s.qp->peer);
			rdma_wait(s.r);
		}
		rdma_end(s.r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(each_packet_lost), RDMA_TEST(each_empty_packet_lost),
		RDMA_TEST(same_packet_lost), RDMA_TEST(kept_back),
		RDMA_TEST(messages_swapped), RDMA_TEST(each_packet_repeated),
		RDMA_TEST(each_timer_code),  RDMA_TEST(each_rnr_retry),
	};

	return RDMA_RUN("checks", tests);
}
