// SPDX-License-Identifier: Apache-2.0
/*
 * Faults beyond test_checks.c: atomics and SENDs that invalidate under loss, atomics whose answers
 * are all lost, every length with losses, gaps in READ data, bursts on one of many QPs, one kind of
 * packet only, and what losses cost.
 *
 * Environment: QPS (6), MESSAGES (of each QP: 4), MIX=1 (READs too), for the crowd's.
 */
#include <stdio.h>
#include <string.h>

#include "cairn_pkt.h"
#include "rdma.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define MTU 256u
#define SPACE 65536u

struct scene {
	struct rdma *r;
	struct rdma_qp *qp;
	struct rdma_buf *src[2], *dst[2];
};

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static struct rdma_qp_cfg small_mtu(void)
{
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.pmtu = 1;
	cfg.timeout = 5; /* 131 us */
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	return cfg;
}

static struct scene scene(const struct rdma_qp_cfg *qp)
{
	struct scene s = { .r = rdma_begin(NULL) };
	struct rdma_buf_cfg cfg = { .len = SPACE,
				    .access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC };

	for (unsigned int i = 0; i < 2; i++) {
		cfg.offset = 8 * (i + 1);
		s.src[i] = rdma_buf_with(s.r, i, &cfg);
		s.dst[i] = rdma_buf_with(s.r, i, &cfg);
	}
	s.qp = rdma_pair(s.r, 0, 1, qp);
	return s;
}

static uint64_t hits(struct rdma *r)
{
	return sim_wire_rule_hits(sim_wire(r->sim), 0);
}

/* ---------------------------------------------------------------- one packet lost (check 1) */

static bool lost(struct scene *s, const struct rdma_wr *wr, const char *way, unsigned int k)
{
	bool was;

	rdma_clear_rules(s->r);
	rdma_rule(s->r, "drop %s type=roce k=%u", way, k);
	rdma_do(s->qp, wr);
	rdma_settle(s->r, 4000);
	was = hits(s->r);
	rdma_clear_rules(s->r);
	return was;
}

/* The ledger computes each value: what was executed twice shows with the next. */
static void atomics_lost(void **state)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_ATOMIC_FA, CAIRN_WQE_OP_ATOMIC_CS };
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s = scene(&cfg);

	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		const char *way = i & 1 ? "nic1>nic0" : "nic0>nic1";
		uint64_t done = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_ATOMIC);
		unsigned int at = 8 * (i / 4), n = 0;

		for (bool again = true; again; n++) {
			struct rdma_wr wr =
				rdma_wr(ops[i / 2 & 1], s.dst[0], 16 * i, s.src[1], at, 8);

			memcpy(&wr.compare, s.src[1]->data + at, 8);
			if (n & 1)
				wr.compare++; /* does not match */
			wr.swap_add = rng_u64(&s.r->rng);
			again = lost(&s, &wr, way, n + 1);
		}
		/* the one packet of its direction was lost once, the second time none was */
		rdma_assert(s.r, n == 2);
		rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_ATOMIC) == done + 2);
	}
	rdma_end(s.r);
}

/* A window for each message; its bind is the peer's. */
static void invalidations_lost(void **state)
{
	static const unsigned int packets[] = { 1, 2, 3, 17 };
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s = scene(&cfg);
	struct rdma_buf_cfg buf = { .len = SPACE,
				    .access = CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_MW_BIND };
	struct rdma_buf *shown = rdma_buf_with(s.r, 1, &buf);
	struct cairn_mw *mw;

	(void)state;
	rdma_ok(s.r, cairn_alloc_mw(s.r->nic[1].pd, 2, &mw), "window");
	for (unsigned int i = 0; i < 2 * LEN(packets); i++) {
		unsigned int n = packets[i / 2], k = 0;
		bool again;

		do {
			struct cairn_sge sge = rdma_sge(s.dst[1], 0, n * MTU);
			struct rdma_wr wr = rdma_bind(mw, (uint8_t)(mw->key + 1), shown, 0, SPACE,
						      CAIRN_ACCESS_REMOTE_WRITE);
			uint64_t refused = rdma_counter(s.r, 1, CAIRN_COUNTER_MR_BAD_KEY);

			rdma_do(s.qp->peer, &wr);
			mw->key = wr.imm;
			rdma_post_recv(s.qp->peer, &sge, 1);
			rdma_ring_recv(s.qp->peer);
			wr = rdma_wr(CAIRN_WQE_OP_SEND_INV, s.src[0], 0, NULL, 0,
				     n * MTU - rng_below(&s.r->rng, 5));
			wr.imm = mw->key;
			/* of long ones the first, the last, and some between */
			k += k == 2 && n == 17 ? 7 : k == 9 && n == 17 ? 7 : 1;
			again = lost(&s, &wr, i & 1 ? "nic1>nic0" : "nic0>nic1", k);
			/* a duplicate invalidates nothing, and asks for no key */
			rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_MR_BAD_KEY) == refused);
			rdma_assert(s.r, rdma_qp_state(s.qp->peer) == CAIRN_QP_STATE_RTS);
		} while (again);
		rdma_assert(s.r, k > (i & 1 ? 1 : n));
	}
	rdma_ok(s.r, cairn_dealloc_mw(mw), "end of the window");
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- atomic replay (check 7) */

/* As many as may be under way, all answers lost `rounds` times: each was executed once. */
static void atomic_replay(void **state)
{
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s = scene(&cfg);
	unsigned int n = s.r->nic[0].caps.max_rd_atomic;
	const uint64_t zero = 0;

	(void)state;
	for (unsigned int rounds = 1; rounds <= 3; rounds++) {
		uint64_t done = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_ATOMIC), value;
		uint32_t seen = 0;

		memcpy(s.src[1]->data, &zero, 8);
		rdma_rule(s.r, "drop nic1>nic0 op=atomic round=1-%u", rounds);
		for (unsigned int i = 0; i < n; i++) {
			struct rdma_wr wr =
				rdma_wr(CAIRN_WQE_OP_ATOMIC_FA, s.dst[0], 8 * i, s.src[1], 0, 8);

			wr.swap_add = 1;
			wr.no_data = true;
			rdma_post(s.qp, &wr);
		}
		rdma_ring(s.qp);
		rdma_wait(s.r);
		rdma_assert(s.r, hits(s.r) >= rounds * n);
		for (unsigned int i = 0; i < n; i++) {
			memcpy(&value, s.dst[0]->data + 8 * i, 8);
			rdma_assert(s.r, value == i); /* in order, even */
			seen |= 1u << value;
		}
		rdma_assert(s.r, seen == (1u << n) - 1);
		memcpy(&value, s.src[1]->data, 8);
		rdma_assert(s.r, value == n);
		rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_ATOMIC) == done + n);
		rdma_buf_forget(s.src[1], 0, 8);
		rdma_buf_forget(s.dst[0], 0, 8 * n);
		rdma_clear_rules(s.r);
	}
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- lengths (check 9) */

/* Every length of a last packet, one of eight packets is lost. */
static void lengths_with_loss(void **state)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_READ,
						 CAIRN_WQE_OP_SEND };
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s = scene(&cfg);

	(void)state;
	rdma_rule(s.r, "drop type=roce p=0.12");
	for (unsigned int len = 0; len <= MTU; len++) {
		enum cairn_wqe_op op = ops[len % 3];
		bool read = op == CAIRN_WQE_OP_READ;
		uint32_t at = len * (MTU - 9) % 1000, to = len % 8 * 2 * MTU + len % 61;
		/* with a full packet before it, and alone */
		uint32_t bytes = len + (len & 8 ? MTU : 0);
		struct rdma_wr wr = rdma_wr(op, read ? s.dst[0] : s.src[0], read ? to : at,
					    read ? s.src[1] : s.dst[1], read ? at : to, bytes);

		if (op == CAIRN_WQE_OP_SEND) {
			struct cairn_sge sge = rdma_sge(s.dst[1], to, 2 * MTU);

			rdma_post_recv(s.qp->peer, &sge, 1);
			rdma_ring_recv(s.qp->peer);
		}
		rdma_post(s.qp, &wr);
		rdma_ring(s.qp);
		if (len % 8 == 7)
			rdma_wait(s.r);
	}
	rdma_wait(s.r);
	rdma_assert(s.r, hits(s.r) > 40);
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- implied NAKs (check 14) */

static struct {
	uint64_t va;
	uint32_t psn, len, rkey;
	unsigned int requests;
} asked;

static void watch(void *arg, unsigned int port, const struct sim_frame *frame)
{
	const uint8_t *bth = frame->data + 42, *reth = bth + CAIRN_BTH_BYTES;

	(void)arg;
	if (port || frame->len < 70 || bth[0] != CAIRN_OPCODE_RC_READ_REQUEST)
		return;
	asked.requests++;
	asked.psn = (uint32_t)cairn_pkt_get(bth, CAIRN_BTH_PSN);
	asked.va = cairn_pkt_get(reth, CAIRN_RETH_VA);
	asked.rkey = (uint32_t)cairn_pkt_get(reth, CAIRN_RETH_RKEY);
	asked.len = (uint32_t)cairn_pkt_get(reth, CAIRN_RETH_LENGTH);
}

/* Response k of a READ of 6 is lost: asked again from there. */
static void gap_in_read(struct scene *s, unsigned int k, uint32_t psn)
{
	const uint32_t len = 6 * MTU - 3;
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_READ, s->dst[0], 5, s->src[1], 11, len);
	uint64_t implied = rdma_counter(s->r, 0, CAIRN_COUNTER_IMPLIED_NAK);
	uint64_t timeouts = rdma_counter(s->r, 0, CAIRN_COUNTER_ACK_TIMEOUT);

	memset(&asked, 0, sizeof(asked));
	rdma_assert(s->r, lost(s, &wr, "nic1>nic0", k));
	rdma_assert(s->r, asked.requests == 2);
	rdma_assert(s->r, asked.psn == ((psn + k - 1) & 0xffffff));
	rdma_assert(s->r, asked.va == wr.raddr + (k - 1) * MTU && asked.rkey == wr.rkey);
	rdma_assert(s->r, asked.len == len - (k - 1) * MTU);
	/* behind the last one nothing comes that could tell */
	rdma_assert(s->r, rdma_counter(s->r, 0, CAIRN_COUNTER_IMPLIED_NAK) - implied == (k < 6));
	rdma_assert(s->r, rdma_counter(s->r, 0, CAIRN_COUNTER_ACK_TIMEOUT) - timeouts == (k == 6));
}

/* All answers of a READ are lost, the ACK of what is behind it arrives. */
static void passed_by(struct scene *s, enum cairn_wqe_op op, uint32_t psn)
{
	struct rdma_wr read = rdma_wr(CAIRN_WQE_OP_READ, s->dst[0], 5, s->src[1], 11, 3 * MTU);
	struct rdma_wr behind = rdma_wr(op, s->src[0], 0, s->dst[1], 0, 2 * MTU);
	uint64_t implied = rdma_counter(s->r, 0, CAIRN_COUNTER_IMPLIED_NAK);
	uint64_t timeouts = rdma_counter(s->r, 0, CAIRN_COUNTER_ACK_TIMEOUT);

	if (op == CAIRN_WQE_OP_ATOMIC_FA) {
		behind = rdma_wr(op, s->dst[0], 8000, s->src[1], 16384, 8);
		behind.swap_add = 3;
	}
	memset(&asked, 0, sizeof(asked));
	rdma_clear_rules(s->r);
	rdma_rule(s->r, "drop nic1>nic0 op=read+rsp count=3");
	rdma_post(s->qp, &read);
	rdma_post(s->qp, &behind);
	rdma_ring(s->qp);
	rdma_wait(s->r);
	rdma_assert(s->r, hits(s->r) == 3);
	rdma_clear_rules(s->r);
	rdma_assert(s->r, asked.requests == 2 && asked.psn == (psn & 0xffffff));
	rdma_assert(s->r, asked.va == read.raddr && asked.len == 3 * MTU);
	rdma_assert(s->r, rdma_counter(s->r, 0, CAIRN_COUNTER_IMPLIED_NAK) == implied + 1);
	rdma_assert(s->r, rdma_counter(s->r, 0, CAIRN_COUNTER_ACK_TIMEOUT) == timeouts);
}

static void implied_naks(void **state)
{
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s;
	uint32_t psn;

	(void)state;
	cfg.sq_psn = 0xfffff0; /* into the wrap */
	s = scene(&cfg);
	sim_wire_set_tap(sim_wire(s.r->sim), watch, NULL);
	psn = s.qp->sq_psn;
	for (unsigned int k = 1; k <= 6; k++, psn += 6)
		gap_in_read(&s, k, psn);
	passed_by(&s, CAIRN_WQE_OP_WRITE, psn);
	passed_by(&s, CAIRN_WQE_OP_ATOMIC_FA, psn + 5);
	sim_wire_set_tap(sim_wire(s.r->sim), NULL, NULL);
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- many QPs (checks 3, 4) */

struct crowd {
	struct rdma *r;
	unsigned int n, messages;
	struct rdma_qp *qp[256];
	struct rdma_buf *src[2], *dst[2];
	uint64_t last[256]; /* ns: when the QP's last message was complete */
};

#define MESSAGE 6000u
#define PACKET_NS 900u /* of 1024 bytes and headers */

static struct crowd *crowd(void)
{
	static struct crowd c;
	struct rdma_qp_cfg cfg = small_mtu();

	memset(&c, 0, sizeof(c));
	c.r = rdma_begin(NULL);
	c.n = (unsigned int)number("QPS", 6);
	c.messages = (unsigned int)number("MESSAGES", 4);
	assert_in_range(c.n, 2, 250);
	assert_in_range(c.messages, 1, 40);
	cfg.pmtu = 3;
	/* A try must last until one QP among the others has sent what a burst takes. */
	if (c.messages > 10)
		cfg.timeout = 8; /* 1 ms */
	for (unsigned int i = 0; i < 2; i++) {
		c.src[i] = rdma_buf(c.r, i, 2 * MESSAGE, 3);
		c.dst[i] = rdma_buf(c.r, i, (size_t)c.n * c.messages * MESSAGE, 7);
	}
	for (unsigned int i = 0; i < c.n; i++)
		c.qp[i] = rdma_pair(c.r, 0, 1, &cfg);
	return &c;
}

/* All QPs send all their messages (0: both, else that operation); ns until all are there. */
static uint64_t everybody(struct crowd *c, unsigned int only)
{
	uint64_t begin = sim_now(c->r->sim);

	for (unsigned int m = 0; m < c->messages; m++)
		for (unsigned int i = 0; i < c->n; i++) {
			bool read = only ? only == CAIRN_WQE_OP_READ : (i + m) & 1;
			size_t to = (size_t)(i * c->messages + m) * MESSAGE;
			struct rdma_wr wr = rdma_wr(read ? CAIRN_WQE_OP_READ : CAIRN_WQE_OP_WRITE,
						    read ? c->dst[0] : c->src[0], read ? to : m,
						    read ? c->src[1] : c->dst[1], read ? m : to,
						    MESSAGE);

			rdma_post(c->qp[i], &wr);
		}
	for (unsigned int i = 0; i < c->n; i++) {
		rdma_ring(c->qp[i]);
		c->last[i] = 0;
	}
	for (unsigned int left; (left = rdma_due(c->r)) > 0;) {
		rdma_wait_due(c->r, left - 1);
		for (unsigned int i = 0; i < c->n; i++)
			if (!c->last[i] && rdma_room(c->qp[i]) == 1u << c->qp[i]->qp->sq_log2)
				c->last[i] = sim_now(c->r->sim) - begin;
	}
	return sim_now(c->r->sim) - begin;
}

/*
 * One loss rate: Mb/s.  Of 1 % and more as often as it takes to send 1000 packets, of which then
 * ten and more are lost (none: one seed of 20,000).
 */
static double at_loss(struct crowd *c, const char *rate)
{
	bool often = atof(rate) >= 0.01;
	unsigned int each = c->n * c->messages * (MESSAGE / 1024 + 1);
	unsigned int rounds = often ? 1000 / each + 1 : 1;
	bool mix = number("MIX", 0);
	uint64_t ns = 0, lost;
	double mbps;

	rdma_clear_rules(c->r);
	if (strcmp(rate, "0"))
		rdma_rule(c->r, "drop type=roce p=%s", rate);
	for (unsigned int i = 0; i < rounds; i++) {
		rdma_buf_refill(c->r, c->dst[0]);
		rdma_buf_refill(c->r, c->dst[1]);
		ns += everybody(c, mix ? 0 : CAIRN_WQE_OP_WRITE);
	}
	lost = hits(c->r);
	mbps = 8e3 * c->n * c->messages * MESSAGE * rounds / (double)ns;
	printf("# %u QPs, %u packets, loss %s: %llu lost, %.0f Mb/s\n", c->n, each * rounds, rate,
	       (unsigned long long)lost, mbps);
	if (often && !lost)
		rdma_fail(c->r, "none of %u packets was lost", each * rounds);
	return mbps;
}

/* What 0.001 % to 5 % of losses in both directions cost: more the more there are, no collapse. */
static void curve(struct crowd *c)
{
	static const char *const rate[] = { "0", "0.00001", "0.0001", "0.001", "0.01", "0.05" };
	double mbps[LEN(rate)];

	for (unsigned int i = 0; i < LEN(rate); i++) {
		/* few packets hardly meet the smallest */
		if ((i == 1 || i == 2) && c->messages < 20) {
			mbps[i] = mbps[0];
			continue;
		}
		mbps[i] = at_loss(c, rate[i]);
		if (i && mbps[i] > 1.1 * mbps[i - 1])
			rdma_fail(c->r, "more losses made it faster");
	}
	if (mbps[4] < 0.1 * mbps[0] || mbps[5] < 0.01 * mbps[0])
		rdma_fail(c->r, "losses of 1 %% leave %.0f of %.0f Mb/s, 5 %% %.0f", mbps[4],
			  mbps[0], mbps[5]);
	rdma_clear_rules(c->r);
}

/* One QP loses bursts, up to all that five tries bring; the others hardly notice. */
static void bursts(struct crowd *c)
{
	unsigned int all = 5 * c->messages * (MESSAGE / 1024 + 1);
	unsigned int length[] = { 1, 20, all < 1000 ? all : 1000 };
	uint64_t quiet = 0, most, again;

	rdma_buf_refill(c->r, c->dst[1]);
	everybody(c, CAIRN_WQE_OP_WRITE);
	for (unsigned int i = 1; i < c->n; i++)
		quiet = c->last[i] > quiet ? c->last[i] : quiet;
	for (unsigned int b = 0; b < LEN(length); b++) {
		rdma_clear_rules(c->r);
		rdma_rule(c->r, "drop nic0>nic1 qp=%u k=3-%u", c->qp[0]->peer->qp->qpn,
			  2 + length[b]);
		rdma_buf_refill(c->r, c->dst[1]);
		again = rdma_counter(c->r, 0, CAIRN_COUNTER_RETX_PACKETS);
		everybody(c, CAIRN_WQE_OP_WRITE);
		again = rdma_counter(c->r, 0, CAIRN_COUNTER_RETX_PACKETS) - again;
		rdma_assert(c->r, hits(c->r) == length[b]);
		most = 0;
		for (unsigned int i = 1; i < c->n; i++)
			most = c->last[i] > most ? c->last[i] : most;
		printf("# %u packets lost on one of %u QPs, %llu sent again: the others took %llu ns, %llu without\n",
		       length[b], c->n, (unsigned long long)again, (unsigned long long)most,
		       (unsigned long long)quiet);
		/* what is sent again takes its time on the wire, too */
		if (most > quiet + quiet / 20 + again * PACKET_NS)
			rdma_fail(c->r, "a burst on one QP slows the others down");
	}
	rdma_clear_rules(c->r);
}

/* Nothing but ACKs is lost, nothing but READ data, the first of a long message. */
static void one_kind(struct crowd *c)
{
	rdma_buf_refill(c->r, c->dst[1]);
	rdma_rule(c->r, "drop nic1>nic0 aeth=ack op=ack p=0.3");
	everybody(c, CAIRN_WQE_OP_WRITE);
	rdma_assert(c->r, hits(c->r) > 0);
	rdma_clear_rules(c->r);
	rdma_rule(c->r, "drop nic1>nic0 op=read+rsp p=0.05");
	everybody(c, CAIRN_WQE_OP_READ);
	rdma_assert(c->r, hits(c->r) > 0);
	rdma_clear_rules(c->r);
}

/* One after the other: to open the QPs takes longest. */
static void crowds(void **state)
{
	struct crowd *c = crowd();

	(void)state;
	curve(c);
	bursts(c);
	one_kind(c);
	rdma_end(c->r);
}

/* The first packet of 48 KB is lost: all of it is sent again. */
static void long_go_back(void **state)
{
	struct rdma_qp_cfg cfg = small_mtu();
	struct scene s;
	struct rdma_wr wr;
	uint64_t again;

	(void)state;
	cfg.pmtu = 3;
	s = scene(&cfg);
	again = rdma_counter(s.r, 0, CAIRN_COUNTER_RETX_PACKETS);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.src[0], 1, s.dst[1], 5, 48 * 1024);
	rdma_assert(s.r, lost(&s, &wr, "nic0>nic1", 1));
	again = rdma_counter(s.r, 0, CAIRN_COUNTER_RETX_PACKETS) - again;
	rdma_assert(s.r, again >= 1 && again <= 48);
	rdma_buf_refill(s.r, s.dst[1]);
	rdma_rule(s.r, "drop nic0>nic1 op=req round=1"); /* each packet once */
	rdma_do(s.qp, &wr);
	rdma_assert(s.r, hits(s.r) >= 48);
	rdma_end(s.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(atomics_lost),  RDMA_TEST(invalidations_lost),
		RDMA_TEST(atomic_replay), RDMA_TEST(lengths_with_loss),
		RDMA_TEST(implied_naks),  RDMA_TEST(crowds),

		RDMA_TEST(long_go_back),
	};

	return RDMA_RUN("faults", tests);
}
