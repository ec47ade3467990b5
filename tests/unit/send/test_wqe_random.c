// SPDX-License-Identifier: Apache-2.0
/*
 * wqe_fetch with a requester and a completer that walk the queues of several QPs, go back, are
 * reset to a new generation: every hit shows what the host wrote last, reads stay between consumer
 * and producer, each accepted fetch has exactly one kick, retries end, failed reads and wrong check
 * words are told on the right port.
 */
#include <string.h>

#include "wqe_bench.h"

#define QPS 7

struct qp {
	struct ring r;
	uint16_t ci, index, pi;
	bool asleep[2], asking[2]; /* kick to come; fetch presented */
	bool *failed, *stale;	   /* blocks of the ring: read that failed; check word wrong */
};

struct world {
	struct wqe_bench *b;
	struct qp qp[QPS];
	struct qp *looking[2], *fetching[2]; /* lookup of the last cycle, fetch presented */
	uint16_t look_index[2], fetch_index[2];
	unsigned int idle, stop; /* percent; no new work */
	unsigned int hits, misses, retries, errs, stales, resets, gobacks;
};

static struct world w;

static unsigned int pos(const struct qp *q, uint16_t index)
{
	return index & ((1u << q->r.log2) - 1);
}

static struct qp *owner(unsigned int block)
{
	for (unsigned int i = 0; i < QPS; i++)
		if (block - w.qp[i].r.first < 1u << w.qp[i].r.log2)
			return &w.qp[i];
	vtb_fail(w.b->tb, "block %u belongs to nobody", block);
}

/* Only blocks that the host has posted and has not got back. */
static void on_read(struct wqe_bench *b, struct host_read *r)
{
	struct qp *q = owner(r->block);
	unsigned int size = 1u << q->r.log2;

	for (unsigned int i = 0; i < r->n; i++) {
		unsigned int at = r->block + i - q->r.first, past = (at - q->ci) & (size - 1);

		vtb_check(b->tb, at < size);
		vtb_check(b->tb, past < (uint16_t)(q->pi - q->ci));
	}
}

static void on_done(struct wqe_bench *b, struct host_read *r)
{
	struct qp *q = owner(r->block);

	(void)b;
	for (unsigned int i = 0; i < r->n; i++)
		q->failed[r->block + i - q->r.first] = r->fail;
}

static void on_kick(struct wqe_bench *b, unsigned int port, uint32_t qpn)
{
	struct qp *q = NULL;

	for (unsigned int i = 0; i < QPS; i++)
		if (w.qp[i].r.qpn == qpn)
			q = &w.qp[i];
	if (!q || !q->asleep[port])
		vtb_fail(b->tb, "kick %u for QP %x, which waits for none", port, qpn);
	q->asleep[port] = false;
}

static void step(struct qp *q, unsigned int port)
{
	if (port)
		q->ci++;
	else
		q->index++;
}

/* What the lookup of the last cycle has shown; a miss is fetched. */
static void answer(unsigned int port)
{
	struct wqe_bench *b = w.b;
	struct lookup l = wqe_look_get(b, port);
	struct qp *q = w.looking[port];
	uint16_t index = w.look_index[port], left;

	if (!q) {
		vtb_check(b->tb, !l.hit && !l.err);
		return;
	}
	w.looking[port] = NULL;
	if (l.hit || l.err) {
		bool failed = q->failed[pos(q, index)], stale = q->stale[pos(q, index)];

		vtb_check_eq(b->tb, l.hit, !failed);
		vtb_check_eq(b->tb, l.err, failed || stale);
		if (!failed && !wqe_same(b, &l, wqe_block(b, &q->r, index)))
			vtb_fail(b->tb, "QP %x block %x: wrong data", q->r.qpn, index);
		w.hits++;
		w.errs += failed;
		w.stales += stale && !failed;
		step(q, port);
		return;
	}
	w.misses++;
	if (w.fetching[port])
		return;
	w.fetching[port] = q;
	w.fetch_index[port] = index;
	q->asking[port] = true;
	/* The producer index that is known may be an older one. */
	left = (uint16_t)(q->pi - index);
	if (rng_percent(&b->rng, 20))
		left = (uint16_t)rng_range(&b->rng, 1, left);
	wqe_fetch_set(b, port, &q->r, index, (uint16_t)(index + left));
}

static void look(unsigned int port)
{
	struct wqe_bench *b = w.b;
	struct qp *q = &w.qp[rng_below(&b->rng, QPS)];
	bool any = port ? q->ci != q->index : q->index != q->pi;

	wqe_look_set(b, port, false, wqe_key(&q->r, (uint16_t)rng_u64(&b->rng)));
	if (!any || q->asleep[port] || q->asking[port] || rng_percent(&b->rng, w.idle))
		return;
	/* Most completions need no WQE. */
	if (port && rng_percent(&b->rng, 60)) {
		q->ci++;
		return;
	}
	w.looking[port] = q;
	w.look_index[port] = port ? q->ci : q->index;
	wqe_look_set(b, port, true, wqe_key(&q->r, w.look_index[port]));
}

static void post(struct qp *q)
{
	unsigned int n = (unsigned int)rng_range(&w.b->rng, 1, 20);

	while (n-- && (uint16_t)(q->pi - q->ci) < 1u << q->r.log2) {
		wqe_post(w.b, &q->r, q->pi);
		q->stale[pos(q, q->pi)] = rng_percent(&w.b->rng, 5);
		if (q->stale[pos(q, q->pi)])
			wqe_block(w.b, &q->r, q->pi)[12 + rng_below(&w.b->rng, 4)] ^= 0x10;
		q->pi++;
	}
}

static void go_back(struct qp *q)
{
	if (q->asleep[0] || q->asking[0] || w.looking[0] == q || q->ci == q->index)
		return;
	/* The completer is behind the requester, always. */
	if (q->asleep[1] || q->asking[1] || w.looking[1] == q)
		return;
	q->index = (uint16_t)(q->ci + rng_below(&w.b->rng, (uint16_t)(q->index - q->ci)));
	w.gobacks++;
}

static void cycle(void)
{
	struct vtb *tb = w.b->tb;

	for (unsigned int p = 0; p < 2; p++)
		answer(p);
	for (unsigned int p = 0; p < 2; p++)
		look(p);
#ifdef ONE /* the requester waits */
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "req_wqe_ready_o"), !w.looking[1]);
	if (w.looking[1])
		w.looking[0] = NULL;
#endif
	if (!w.stop && rng_percent(&w.b->rng, 20))
		post(&w.qp[rng_below(&w.b->rng, QPS)]);
	if (!w.stop && rng_percent(&w.b->rng, 3))
		go_back(&w.qp[rng_below(&w.b->rng, QPS)]);
	vtb_tick(tb);
	for (unsigned int p = 0; p < 2; p++) {
		struct qp *q = w.fetching[p];

		if (!(w.b->ft_ready >> p & 1))
			continue;
		wqe_fetch_clear(w.b, p);
		w.fetching[p] = NULL;
		q->asking[p] = false;
		q->asleep[p] = !w.b->ft_retry;
		w.retries += w.b->ft_retry;
	}
	vtb_eval(tb);
}

/* Two agents in a row: the completer follows the requester to the end. */
static void settle(void)
{
	bool busy = true;

	w.stop = 1;
	for (unsigned int n = 0; busy; n++) {
		vtb_check(w.b->tb, n < 100000);
		cycle();
		busy = w.looking[0] || w.looking[1] || !vtb_get(w.b->tb, "idle_o");
		for (unsigned int i = 0; i < QPS; i++)
			busy |= w.qp[i].ci != w.qp[i].pi;
	}
	for (unsigned int i = 0; i < QPS; i++)
		vtb_check(w.b->tb, !w.qp[i].asleep[0] && !w.qp[i].asleep[1]);
	w.stop = 0;
}

/* Create again: indices from the start, other contents under the same numbers. */
static void reset_qps(void)
{
	settle();
	for (unsigned int i = 0; i < QPS; i++) {
		struct qp *q = &w.qp[i];

		if (rng_percent(&w.b->rng, 50))
			continue;
		q->r.gen++;
		q->ci = q->index = q->pi = 0;
		w.resets++;
	}
}

static void setup(unsigned int idle)
{
	struct wqe_bench *b = w.b;
	static const uint8_t size[] = { 8, 6, 5, 3, 0 };
	unsigned int at = 0;

	w.idle = idle;
	b->on_read = on_read;
	b->on_done = on_done;
	b->on_kick = on_kick;
	for (unsigned int i = 0; i < QPS; i++) {
		struct qp *q = &w.qp[i];

		q->r.log2 = i < 5 ? size[i] : (unsigned int)rng_below(&b->rng, 7);
		q->r.qpn = (uint32_t)rng_below(&b->rng, 1u << 20) << 3 | i;
		q->r.gen = (uint8_t)rng_u64(&b->rng);
		q->r.first = at + (unsigned int)rng_below(&b->rng, 8);
		q->ci = q->index = q->pi = (uint16_t)(0xffc0 + rng_below(&b->rng, 64));
		q->failed = calloc(1u << q->r.log2, sizeof(bool));
		q->stale = calloc(1u << q->r.log2, sizeof(bool));
		at = q->r.first + (1u << q->r.log2);
	}
}

static void run(unsigned int cycles, unsigned int idle, unsigned int latency, unsigned int fail,
		unsigned int pause)
{
	struct wqe_bench *b;

	memset(&w, 0, sizeof(w));
	b = w.b = wqe_bench_create();
	setup(idle);
	b->latency = latency;
	b->fail = fail;
	b->noise = pause / 2;
	b->beat_pause = pause;
	b->kick_pause = pause;
	vtb_stream_pause(b->rd, pause);
	vtb_set(b->tb, "epoch_i", rng_below(&b->rng, 2));
	for (unsigned int i = 0; i < cycles; i++) {
		cycle();
		if (i % 2000 == 1999)
			reset_qps();
	}
	settle();
	vtb_check(b->tb, w.hits > cycles / 40 && w.misses > 100 && w.retries > 0);
	vtb_check(b->tb, w.gobacks > 0 && w.resets > 0 && w.stales > 0 && b->unasked > 0);
	vtb_check(b->tb, fail ? w.errs > 10 : !w.errs);
	print_message("# %u hits %u misses %u retries %u reads, %u ahead\n", w.hits, w.misses,
		      w.retries, b->reads, b->unasked);
	for (unsigned int i = 0; i < QPS; i++) {
		free(w.qp[i].failed);
		free(w.qp[i].stale);
	}
	wqe_bench_destroy(b);
}

static void quick(void **state)
{
	(void)state;
	run(10000, 0, 10, 0, 0);
}

static void pauses(void **state)
{
	(void)state;
	run(16000, 30, 60, 0, 40);
}

static void slow_memory(void **state)
{
	(void)state;
	run(16000, 0, 400, 0, 20);
}

static void failing(void **state)
{
	(void)state;
	run(12000, 20, 60, 15, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quick),
		cmocka_unit_test(pauses),
		cmocka_unit_test(slow_memory),
		cmocka_unit_test(failing),
	};

	return cmocka_run_group_tests_name("wqe_random", tests, NULL, NULL);
}
