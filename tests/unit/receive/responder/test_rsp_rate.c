// SPDX-License-Identifier: Apache-2.0
/*
 * responder: cycles a small SEND costs, many QPs taking from one shared receive queue or several,
 * while receives are posted again as their completions come and memory is 600 ns away; and what one
 * SRQ without receives on chip costs the others. `make bench` has the same over the whole NIC.
 */
#include "rsp_srq.h"

#include <stdio.h>
#include <string.h>

#define SRQS 4
#define LATENCY 150
#define WARM 300
#define COUNT 600
#define SLOTS_MAX 512 /* of one SRQ */

static struct rate {
	struct srq srq[SRQS];
	unsigned int srqs, qps, sent, psn[QPS], done, batch;
	bool ring[SRQS]; /* a doorbell is due */
	uint64_t from, to;
	unsigned int out[SRQS][SLOTS_MAX];
} rate;

static void on_cqe(struct world *w, const struct wcqe *c)
{
	unsigned int q = rate.srqs ? c->qpn % rate.srqs : 0;
	struct srq *s = &rate.srq[q];

	vtb_check_eq(w->tb, c->status, 0);
	vtb_check_eq(w->tb, c->byte_len, 8);
	rate.done++;
	if (rate.done == WARM)
		rate.from = w->tb->cycle;
	if (rate.done == WARM + COUNT)
		rate.to = w->tb->cycle;
	if (!rate.srqs) {
		w->pi[c->qpn]++;
		return;
	}
	vtb_check(w->tb, c->index < 1u << s->log2 && rate.out[q][c->index]);
	srq_put(w, s, c->index);
	rate.ring[q] |= s->posted % rate.batch == 0;
}

static void on_cycle(struct world *w)
{
	struct vtb *tb = w->tb;

	vtb_set(tb, "sdb_valid_i", 0);
	for (unsigned int i = 0; i < rate.srqs; i++)
		if (rate.ring[i]) {
			vtb_set(tb, "sdb_srqn_i", i);
			vtb_set(tb, "sdb_pi_i", rate.srq[i].posted & 0xffff);
			vtb_set(tb, "sdb_valid_i", 1);
			rate.ring[i] = false;
			break;
		}
	while (world_queued(w) < 60 && rate.sent < WARM + COUNT + 60) {
		unsigned int q = rate.sent % rate.qps;
		struct wpkt p = packet(0x04, rate.psn[q]++, 8);

		p.qpn = q;
		p.ackreq = false;
		world_send(w, &p);
		rate.sent++;
	}
}

static void no_job(struct world *w, const struct wjob *j)
{
	vtb_fail(w->tb, "an answer: %x", j->aeth);
}

static void own_queue(struct world *w, uint32_t qpn, unsigned int stride)
{
	struct srq s = { 0, 6, stride, 0x210000 + 0x4000 * qpn, 0, 0 };
	struct cairn_qp_rsp rsp = { 0 };

	for (unsigned int i = 0; i < 64; i++)
		srq_elements(w, &s, i, 512);
	world_cfg(w, qpn);
	rsp.tag = w->cfg[qpn].tag;
	rsp.flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, 6) |
		    CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, stride);
	rsp.rq_base = s.slots;
	rsp.epsn = PSN0;
	rsp.rq_cqn = 0x300;
	world_rsp(w, qpn, &rsp);
	w->pi[qpn] = 64;
}

/* Cycles a packet: at most so many. SRQs of 2^log2 receives. */
static void measure(unsigned int srqs, unsigned int log2, unsigned int qps, unsigned int stride,
		    unsigned int step, double limit)
{
	struct world *w = setup(1, 0);
	double cycles;

	memset(&rate, 0, sizeof(rate));
	rate.srqs = srqs;
	rate.qps = qps;
	rate.batch = 4;
	w->latency = 1;
	w->least_latency = LATENCY;
	w->read_pause = 0;
	w->on_cqe = on_cqe;
	w->on_job = no_job;
	world_region(w, SRQ_KEY, 1, SRQ_VA, 1024u << log2, SRQ_BUF(0));
	for (unsigned int i = 0; i < srqs; i++) {
		struct srq *s = &rate.srq[i];

		*s = (struct srq){ i, log2, stride, 0x210000 + 0x8000 * i, 0x260000 + 0x1000 * i,
				   0 };
		srq_init(w, s);
		for (unsigned int n = 0; n < 1u << log2; n++) {
			unsigned int slot = n * step % (1u << log2);

			rate.out[i][slot] = 1;
			srq_elements(w, s, slot, 512);
			srq_put(w, s, slot);
		}
		srq_doorbell(w, s);
	}
	for (unsigned int q = 0; q < qps; q++)
		if (srqs)
			srq_use(w, q, CAIRN_QP_TYPE_RC, q % srqs);
		else
			own_queue(w, q, stride);
	vtb_run(w->tb, 4 * LATENCY); /* what is read ahead is here */
	w->on_cycle = on_cycle;
	vtb_run_until(w->tb, rate.to != 0, 200000);
	cycles = (double)(rate.to - rate.from) / COUNT;
	printf("# %u SRQs, %u QPs, %u elements, slots %u apart: %.2f cycles a packet, %llu parked, "
	       "%llu reads of receives\n",
	       srqs, qps, stride, step, cycles, (unsigned long long)w->cnt[C_PARK],
	       (unsigned long long)w->cnt[C_FETCH]);
	vtb_check(w->tb, cycles < limit);
	world_drain(w, 20000);
	w->on_cycle = NULL;
	world_destroy(w);
}

static void one_srq(void **state)
{
	(void)state;
	measure(1, 7, 8, 1, 1, 7);
	measure(1, 7, 8, 1, 37, 7);
	measure(1, 7, 1, 1, 37, 8);
}

/* Receives enough for two reads of memory one behind the other: as fast as all else. */
static void long_srq(void **state)
{
	(void)state;
	measure(1, 9, 8, 1, 1, 2.7); /* 2.3 to 2.6 by when the SRQ was made */
	measure(1, 9, 8, 1, 37, 2.7);
}

static void elements(void **state)
{
	(void)state;
	measure(1, 7, 8, 16, 37, 14);
}

/*
 * Packets for which everything is on chip, so many for each QP: at most so many cycles each. The
 * first of each QP brings its receives.
 */
static struct hits {
	unsigned int from_done, count;
	uint64_t from, to;
} hits;

static void hit_cqe(struct world *w, const struct wcqe *c)
{
	vtb_check_eq(w->tb, c->status, 0);
}

static void hit_cycle(struct world *w)
{
	if (!hits.from && w->done > hits.from_done)
		hits.from = w->tb->cycle;
	if (!hits.to && w->done > hits.from_done + hits.count)
		hits.to = w->tb->cycle;
}

static unsigned int hit_acks;

static void hit_job(struct world *w, const struct wjob *j)
{
	vtb_check(w->tb, j->opcode == 0x11 && j->aeth >> 29 == 0);
	hit_acks++;
}

static void hit(const char *what, unsigned int opcode, unsigned int qps, unsigned int run,
		bool ackreq, double limit)
{
	struct world *w = setup(1, 0);
	unsigned int psn[QPS] = { 0 }, total = 240;
	double cycles;

	w->on_cqe = hit_cqe;
	w->on_job = hit_job;
	hit_acks = 0;
	w->on_cycle = hit_cycle;
	for (unsigned int q = 0; q < qps; q++)
		own_queue(w, q, 1);
	world_region(w, SRQ_KEY, 1, SRQ_VA, 1024u << 7, SRQ_BUF(0));
	for (unsigned int i = 0; i < qps + total; i++) {
		unsigned int q = i < qps ? i : i / run % qps;
		struct wpkt p = packet(opcode, psn[q]++, 8);

		p.qpn = q;
		p.ackreq = ackreq;
		world_send(w, &p);
		if (i == qps - 1) {
			world_drain(w, 5000);
			hits = (struct hits){ w->done + 20, total - 40, 0, 0 };
		}
	}
	world_drain(w, 5000);
	cycles = (double)(hits.to - hits.from) / hits.count;
	printf("# %s, %u QPs, %u in a row: %.2f cycles a packet, %u ACKs\n", what, qps, run, cycles,
	       hit_acks);
	vtb_check(w->tb, cycles < limit);
	vtb_check(w->tb, ackreq ? hit_acks >= total / 8 : hit_acks == 0);
	world_destroy(w);
}

static void on_chip(void **state)
{
	(void)state;
	hit("WRITE", 0x0a, 8, 1, false, 2.2);
	hit("WRITE", 0x0a, 8, 1, true, 2.4);
	hit("WRITE", 0x0a, 8, 5, false, 2.2);
	hit("WRITE", 0x0a, 8, 5, true, 2.4);
	hit("WRITE", 0x0a, 1, 1, false, 2.2);
	hit("WRITE", 0x0a, 1, 1, true, 2.4);
	hit("SEND", 0x04, 8, 1, false, 2.2);
	hit("SEND", 0x04, 8, 1, true, 2.4);
	hit("SEND", 0x04, 8, 5, false, 2.2);
	hit("SEND", 0x04, 8, 5, true, 2.4);
}

/* Each QP's own receive queue: what SRQs are to be compared with. */
static void no_srq(void **state)
{
	(void)state;
	measure(0, 7, 8, 2, 1, 5.5);
}

static void more_srqs(void **state)
{
	(void)state;
	measure(4, 7, 8, 2, 37, 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(on_chip), cmocka_unit_test(no_srq),
					    cmocka_unit_test(one_srq),
					    cmocka_unit_test(long_srq), cmocka_unit_test(elements),
					    cmocka_unit_test(more_srqs) };

	return cmocka_run_group_tests_name("responder rates", tests, NULL, NULL);
}
