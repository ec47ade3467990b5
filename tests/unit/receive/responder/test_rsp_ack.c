// SPDX-License-Identifier: Apache-2.0
/*
 * responder: ACKs. None goes back, none passes an answer of its QP, none tells of what is not in
 * memory yet; one comes under endless load, and when what it waits for has to wait itself.
 */
#include "rsp_one.h"

#include <stdio.h>
#include <string.h>

#define ADD 0x14
#define MAX 1200
#define WORDS 128

/* What was sent on each QP, by its number, and what has been heard of it. */
static struct flow {
	unsigned int n, heard; /* packets; those acknowledged */
	uint8_t op[MAX];
	uint64_t value[MAX]; /* WRITE: what it brings; atomic: what it returns */
	bool answered[MAX];
	unsigned int adds, acks, most; /* most packets between two ACKs */
	uint64_t at, longest;	       /* the last ACK; longest time without, while sent */
} flow[QPS];
static unsigned int qps;

static uint64_t *word(struct world *w, unsigned int q, unsigned int n)
{
	return (uint64_t *)w->mem + q * (WORDS + 1) + n;
}

/* Everything up to packet i has happened, and was answered if it wants an answer. */
static void hear(struct world *w, unsigned int q, unsigned int i)
{
	struct flow *f = &flow[q];

	vtb_check(w->tb, i < f->n);
	vtb_check(w->tb, i + 1 >= f->heard); /* it does not go back */
	for (unsigned int k = f->heard; k <= i; k++) {
		if (f->op[k] == 0x0a)
			vtb_check(w->tb, *word(w, q, k % WORDS) >= f->value[k]);
		else
			vtb_check(w->tb, f->answered[k]);
	}
	if (i + 1 - f->heard > f->most)
		f->most = i + 1 - f->heard;
	f->heard = i + 1;
	if (f->at && w->tb->cycle - f->at > f->longest)
		f->longest = w->tb->cycle - f->at;
	f->at = w->tb->cycle;
}

static void on_job(struct world *w, const struct wjob *j)
{
	struct flow *f = &flow[j->qpn];
	unsigned int i = (j->psn - PSN0) & 0xffffff;

	vtb_check_eq(w->tb, j->aeth >> 29, 0);
	vtb_check(w->tb, i < f->n);
	if (j->opcode == 0x11) {
		f->acks++;
	} else {
		vtb_check_eq(w->tb, j->port, 0);
		vtb_check(w->tb, !f->answered[i]);
		f->answered[i] = true;
	}
	if (j->opcode == 0x12) {
		vtb_check_eq(w->tb, j->value, f->value[i]);
		vtb_check(w->tb, *word(w, j->qpn, WORDS) > f->value[i]);
	}
	hear(w, j->qpn, i);
}

static void put(struct world *w, unsigned int q, unsigned int op, bool ackreq)
{
	struct flow *f = &flow[q];
	struct wpkt p = packet(op, f->n, op == 0x0a ? 8 : 0);

	assert_true(f->n < MAX);
	p.qpn = q;
	p.rlen = op == ADD ? 0 : 8;
	p.va = RVA + 8 * (q * (WORDS + 1) + (op == ADD ? WORDS : f->n % WORDS));
	p.swap_add = 1;
	p.ackreq = ackreq;
	f->op[f->n] = op;
	f->value[f->n] = op == ADD ? f->adds++ : f->n + 1;
	p.payload = (uint8_t *)&f->value[f->n++];
	world_send(w, &p);
}

static struct world *start(unsigned int n)
{
	struct world *w = setup(1, 0);

	memset(flow, 0, sizeof(flow));
	qps = n;
	w->on_job = on_job;
	vtb_set(w->tb, "control_engine_features_i", CAIRN_REG_FEATURES_ATOMIC);
	for (unsigned int q = 0; q < n; q++) {
		struct cairn_qp_rsp rsp = { 0 };

		world_cfg(w, q);
		rsp.tag = w->cfg[q].tag;
		rsp.flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, 1);
		rsp.epsn = PSN0;
		world_rsp(w, q, &rsp);
	}
	return w;
}

/* All of it, with READs and atomics among WRITEs, back-pressure, misses, and records that move. */
static void mix(unsigned int n, unsigned int pause, unsigned int others, unsigned int miss)
{
	struct world *w = start(n);
	unsigned int open, acks = 0;

	w->pause = pause;
	w->mr_miss = miss;
	w->evict = pause ? 20 : 0;
	w->atomic_latency = pause ? 100 : 0;
	for (unsigned int i = 0; i < 2400; i++) {
		unsigned int q = rng_below(&w->rng, n), op = 0x0a;
		struct flow *f = &flow[q];

		if (f->n == MAX)
			continue;
		open = 0;
		for (unsigned int k = f->heard; k < f->n; k++)
			open += f->op[k] != 0x0a;
		if (rng_percent(&w->rng, others) && open < 4)
			op = rng_percent(&w->rng, 50) ? ADD : 0x0c;
		put(w, q, op, rng_percent(&w->rng, 60));
		while (world_queued(w) > 40 || (i % 100 < 10 && world_queued(w)))
			vtb_tick(w->tb);
	}
	for (unsigned int q = 0; q < n; q++)
		if (flow[q].n < MAX)
			put(w, q, 0x0a, true);
	settle(w);
	for (unsigned int q = 0; q < n; q++) {
		acks += flow[q].acks;
		if (flow[q].n < MAX)
			vtb_check_eq(w->tb, flow[q].heard, flow[q].n);
	}
	vtb_check(w->tb, acks > 100);
	world_destroy(w);
}

static void in_order(void **state)
{
	(void)state;
	mix(1, 0, 0, 0);
	mix(4, 0, 10, 0);
	mix(4, 40, 10, 0);
	mix(2, 20, 30, 2);
	mix(8, 10, 5, 1);
	mix(3, 70, 20, 0);
}

/* Packets without end: of all QPs in turn, `run` in a row. */
static unsigned int runs;

static void feed(struct world *w)
{
	unsigned int total = 0;

	for (unsigned int q = 0; q < qps; q++)
		total += flow[q].n;
	while (world_queued(w) < 50 && total < qps * (MAX - 10)) {
		put(w, total / runs % qps, 0x0a, true);
		total++;
	}
}

static void endless(unsigned int n, unsigned int run, unsigned int pause, unsigned int most,
		    unsigned int longest)
{
	struct world *w = start(n);

	runs = run;
	w->pause = pause;
	w->on_cycle = feed;
	vtb_run_until(w->tb, flow[0].n >= MAX - 60, 100000);
	for (unsigned int q = 0; q < n; q++) {
		printf("# %u QPs, %u in a row, pause %u: %u ACKs for %u packets, one for at most "
		       "%u, at most %u cycles apart\n",
		       n, run, pause, flow[q].acks, flow[q].n, flow[q].most,
		       (unsigned int)flow[q].longest);
		vtb_check(w->tb, flow[q].most <= most);
		vtb_check(w->tb, flow[q].longest <= longest);
	}
	settle(w);
	w->on_cycle = NULL;
	world_destroy(w);
}

static void without_end(void **state)
{
	(void)state;
	endless(1, 1, 0, 16, 60);
	endless(4, 1, 0, 16, 300);
	endless(4, 3, 0, 16, 450);
	endless(2, 1, 50, 32, 800);
}

/* Nobody takes payload: nothing is acknowledged. Then everything is. */
static void not_before_memory(void **state)
{
	struct world *w = start(2);

	(void)state;
	for (unsigned int round = 0; round < 20; round++) {
		unsigned int heard = flow[0].acks + flow[1].acks;

		w->no_write = true;
		vtb_tick(w->tb);
		put(w, round % 2, 0x0a, true);
		if (round % 3)
			put(w, round / 2 % 2, 0x0a, true);
		vtb_run(w->tb, 200);
		vtb_check_eq(w->tb, flow[0].acks + flow[1].acks, heard);
		w->no_write = false;
		settle(w);
		vtb_check_eq(w->tb, flow[0].heard, flow[0].n);
		vtb_check_eq(w->tb, flow[1].heard, flow[1].n);
	}
	world_destroy(w);
}

/* An MR line that does not come holds the second packet up: the first is acknowledged. */
static bool withheld;

static void withhold(struct world *w)
{
	for (unsigned int k = 0; withheld && k < w->n_fill; k++)
		w->fill_due[k] = w->tb->cycle + 50;
}

static void behind_waits(void **state)
{
	struct world *w = start(1);

	(void)state;
	world_region(w, 0x333, 15, RVA + 0x100000, 0x1000, 0x10000);
	world_key(w, RKEY)->cached = true;
	w->on_cycle = withhold;
	for (unsigned int round = 0; round < 30; round++) {
		unsigned int first = flow[0].n, extra = round % 3;
		struct wpkt p;

		world_key(w, 0x333)->cached = false;
		withheld = true;
		put(w, 0, 0x0a, true);
		for (unsigned int i = 0; i <= extra; i++) {
			p = packet(0x0a, flow[0].n, 8);
			p.key = 0x333;
			p.va = RVA + 0x100000 + 8 * flow[0].n;
			p.ackreq = i == 0;
			flow[0].op[flow[0].n] = 0x0a;
			flow[0].value[flow[0].n++] = 0;
			world_send(w, &p);
			vtb_run(w->tb, rng_below(&w->rng, 4));
		}
		vtb_run(w->tb, 150);
		vtb_check_eq(w->tb, flow[0].heard, first + 1);
		withheld = false;
		settle(w);
		vtb_check(w->tb, flow[0].heard >= first + 2);
	}
	w->on_cycle = NULL;
	world_destroy(w);
}

/* The ACK of one WRITE, nothing behind it: it does not take the way over rsp_tx. */
static void at_once(void **state)
{
	struct world *w = start(1);
	uint64_t from;

	(void)state;
	put(w, 0, 0x0a, true); /* the MR line, and the rest, is there now */
	settle(w);
	for (unsigned int i = 0; i < 20; i++) {
		put(w, 0, 0x0a, true);
		from = w->tb->cycle;
		vtb_run_until(w->tb, flow[0].heard == flow[0].n, 60);
		vtb_check(w->tb, w->tb->cycle - from <= 28); /* 14 of them for the MR service */
		settle(w);
	}
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),	cmocka_unit_test(without_end),
		cmocka_unit_test(not_before_memory), cmocka_unit_test(behind_waits),
		cmocka_unit_test(at_once),
	};

	return cmocka_run_group_tests_name("responder ACKs", tests, NULL, NULL);
}
