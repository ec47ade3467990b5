// SPDX-License-Identifier: Apache-2.0
/*
 * responder: READs and atomics of all QPs at once, as many of each as it may have, mixed sizes,
 * with WRITEs between them; what leaves is in order for each QP, and no ACK passes an answer. With
 * misses, back-pressure, a key that is refused and payload that cannot be read in the middle. And
 * how many cycles one costs.
 */
#include "rsp_one.h"

#include <stdio.h>
#include <string.h>

#define WORDS 0x8000u /* where each QP's atomics are, in RKEY's region */
#define KEY(q) (0x500 + (q)) /* of its READs */

struct answer {
	uint32_t psn; /* from 0, as all here */
	unsigned int opcode, len, at;
	uint64_t value;
	bool ends; /* the last packet of its request */
};

static struct flow {
	struct answer a[4096];
	unsigned int in, out; /* expected, come */
	unsigned int open;    /* requests without all of their answers */
	uint32_t psn, acked;
	uint64_t sum;
	unsigned int left; /* requests still to be sent */
	bool revoked;	   /* its key has no rights any more: NAK at the next answer */
	bool failed;	   /* the payload of lost_psn could not be read: NAK there */
	uint32_t lost_psn;
	bool dead;
} flow[QPS];

static struct mix {
	unsigned int qps, depth, size, atomics, writes; /* size: at most; percent */
	uint64_t from, to;
	unsigned int done, first, last;
} mix;

static void expect(struct flow *f, unsigned int opcode, unsigned int len, unsigned int at,
		   uint64_t value, bool ends)
{
	assert_true(f->in < 4096);
	f->a[f->in++] = (struct answer){ f->psn, opcode, len, at, value, ends };
	f->psn++;
}

static void on_job(struct world *w, const struct wjob *j)
{
	struct flow *f = &flow[j->qpn];
	uint32_t psn = (j->psn - PSN0) & 0xffffff;
	const struct answer *a = &f->a[f->out];
	unsigned int off = 0;

	vtb_check_eq(w->tb, j->dest, 0x77 + j->qpn);
	if (j->opcode == 0x11 && j->aeth >> 29 == 3) {
		vtb_check(w->tb, !f->dead && (f->revoked || f->failed));
		vtb_check_eq(w->tb, j->aeth >> 24, f->failed ? 0x63 : 0x62);
		vtb_check_eq(w->tb, psn, f->failed ? f->lost_psn : a->psn);
		f->dead = true;
		return;
	}
	vtb_check(w->tb, !f->dead);
	if (f->failed)
		return; /* tx_check throws away what follows */
	if (j->opcode == 0x11) {
		if (psn == 0xffffff)
			return;
		/* nothing up to here is still to come */
		vtb_check(w->tb, psn < f->psn && (f->out == f->in || a->psn > psn));
		f->acked = psn + 1;
		return;
	}
	vtb_check(w->tb, f->out < f->in);
	vtb_check_eq(w->tb, psn, a->psn);
	vtb_check_eq(w->tb, j->opcode, a->opcode);
	vtb_check_eq(w->tb, j->len, a->len);
	if (a->opcode == 0x12)
		vtb_check_eq(w->tb, j->value, a->value);
	for (unsigned int i = 0; i < j->nseg; off += j->seg[i++].len)
		vtb_check_eq(w->tb, j->seg[i].iova, a->at + off);
	vtb_check_eq(w->tb, off, a->len);
	f->out++;
	f->open -= a->ends;
	mix.done += a->ends;
	if (mix.done == mix.first && !mix.from)
		mix.from = w->tb->cycle;
	if (mix.done == mix.last && !mix.to)
		mix.to = w->tb->cycle;
}

static void on_qp_err(struct world *w, uint32_t qpn)
{
	vtb_check(w->tb, flow[qpn].revoked || flow[qpn].failed);
	n_errs++;
}

static void no_cqe(struct world *w, const struct wcqe *c)
{
	vtb_fail(w->tb, "a completion of QP %u", c->qpn);
}

static void request(struct world *w, unsigned int q)
{
	struct flow *f = &flow[q];
	struct wpkt p = packet(0x0c, f->psn, 0);
	unsigned int kind = rng_below(&w->rng, 100), size = rng_below(&w->rng, mix.size + 1), at;

	p.qpn = q;
	p.ackreq = rng_percent(&w->rng, 50);
	if (kind < mix.atomics) {
		p.opcode = 0x14;
		p.va = RVA + WORDS + 8 * q;
		p.swap_add = 1 + q;
		f->open++;
		expect(f, 0x12, 0, 0, f->sum, true);
		f->sum += p.swap_add;
	} else if (kind < mix.atomics + mix.writes) {
		p.opcode = 0x0a;
		p.va = RVA + WORDS + 0x1000;
		p.len = p.rlen = size & 63;
		f->psn++;
	} else {
		if (mix.size == 64)
			size = 64;
		at = rng_below(&w->rng, WORDS - size);
		p.key = KEY(q);
		p.va = RVA + at;
		p.rlen = size;
		f->open++;
		for (unsigned int off = 0; off == 0 || off < size; off += 256) {
			unsigned int n = size - off < 256 ? size - off : 256;
			bool first = off == 0, last = off + 256 >= size;

			unsigned int op = first ? (last ? 0x10 : 0x0d) : last ? 0x0f : 0x0e;

			expect(f, op, n, at + off, 0, last);
		}
	}
	world_send(w, &p);
	f->left--;
}

static void on_cycle(struct world *w)
{
	unsigned int start = rng_below(&w->rng, mix.qps);

	for (unsigned int i = 0; i < mix.qps; i++) {
		unsigned int q = (start + i) % mix.qps;

		if (flow[q].left && !flow[q].dead && flow[q].open < mix.depth &&
		    world_queued(w) < 60)
			request(w, q);
	}
}

static struct world *begin(unsigned int qps, unsigned int depth, unsigned int each)
{
	struct world *w = setup(1, 0);

	memset(flow, 0, sizeof(flow));
	mix = (struct mix){ .qps = qps, .depth = depth };
	memset(w->mem + WORDS, 0, 8 * QPS);
	w->on_job = on_job;
	w->on_cqe = no_cqe;
	w->on_qp_err = on_qp_err;
	vtb_set(w->tb, "control_engine_features_i",
		CAIRN_REG_FEATURES_ATOMIC | CAIRN_REG_FEATURES_MW);
	for (unsigned int q = 0; q < qps; q++) {
		struct cairn_qp_rsp rsp = { 0 };

		CAIRN_SET(w->cfg[q].rd, CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC, CAIRN_RSP_RES_PER_QP);
		world_cfg(w, q);
		rsp.tag = w->cfg[q].tag;
		rsp.flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, 4) |
			    CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, 1);
		rsp.rq_base = 0x200000;
		rsp.epsn = PSN0;
		rsp.rq_cqn = 0x300;
		world_rsp(w, q, &rsp);
		flow[q].left = each;
		world_region(w, KEY(q), 15, RVA, 0x10000, 0);
	}
	return w;
}

static void finish(struct world *w)
{
	uint64_t sum;

	w->on_cycle = on_cycle;
	for (unsigned int n = 0; n < 400000; n++) {
		bool all = true;

		for (unsigned int q = 0; q < mix.qps; q++)
			all &= flow[q].dead || (!flow[q].left && flow[q].out == flow[q].in);
		if (all)
			break;
		vtb_tick(w->tb);
	}
	w->on_cycle = NULL;
	world_drain(w, 20000);
	for (unsigned int q = 0; q < mix.qps; q++) {
		const struct flow *f = &flow[q];

		vtb_check_eq(w->tb, f->dead, f->revoked || f->failed);
		if (f->dead)
			continue;
		vtb_check(w->tb, !f->left && f->out == f->in);
		memcpy(&sum, w->mem + WORDS + 8 * q, sizeof(sum));
		vtb_check_eq(w->tb, sum, f->sum);
	}
	world_destroy(w);
}

/* Everything at once. */
static void mixed(void **state)
{
	(void)state;
	for (unsigned int run = 0; run < 12; run++) {
		struct world *w = begin(QPS, CAIRN_RSP_RES_PER_QP, 60);

		mix.size = run & 1 ? 2000 : 300;
		mix.atomics = run & 2 ? 30 : 5;
		mix.writes = run & 4 ? 40 : 10;
		w->pause = 30 * (run % 3);
		w->mr_miss = run & 1 ? 10 : 0;
		w->lk_bad = run & 2 ? 20 : 0;
		w->fills = run & 4 ? 20 : 0;
		w->left_wait = run & 1 ? 60 : 1;
		finish(w);
	}
}

/* Two QPs fail in the middle: one's key is taken away, what another is to send cannot be read. */
static void failures(void **state)
{
	(void)state;
	for (unsigned int run = 0; run < 12; run++) {
		struct world *w = begin(QPS, CAIRN_RSP_RES_PER_QP, 60);
		struct flow *f = &flow[5];

		mix.size = 1000;
		mix.writes = 20;
		w->pause = 30 * (run % 3);
		w->mr_miss = run & 1 ? 10 : 0;
		w->lk_bad = run & 2 ? 20 : 0;
		w->left_wait = run & 4 ? 60 : 1;
		w->on_cycle = on_cycle;
		vtb_run(w->tb, 300 + rng_below(&w->rng, 300));
		flow[2].revoked = true;
		world_key(w, KEY(2))->rights = 0;
		while (!f->out)
			vtb_tick(w->tb);
		f->failed = true;
		f->lost_psn = f->a[f->out - 1].psn;
		w->txerr_psn = PSN0 + f->lost_psn;
		w->txerr = 5 + 1;
		finish(w);
		assert_int_equal(n_errs, 2);
	}
}

static double rate(const char *what, unsigned int qps, unsigned int depth, unsigned int atomics)
{
	struct world *w = begin(qps, depth, 1200 / qps);
	double cycles;

	mix.size = 64;
	mix.atomics = atomics;
	mix.first = 200;
	mix.last = 1000;
	world_key(w, RKEY)->cached = true;
	for (unsigned int q = 0; q < qps; q++)
		world_key(w, KEY(q))->cached = true;
	w->left_wait = 1;
	w->read_pause = 0;
	w->atomic_latency = 150;
	w->own_drains = true; /* they change addresses here: each atomic would wait */
	finish(w);
	cycles = (double)(mix.to - mix.from) / (mix.last - mix.first);
	printf("# %s, %u QPs, %u of each under way: %.2f cycles\n", what, qps, depth, cycles);
	return cycles;
}

/* One that is answered costs so many cycles. */
static void rates(void **state)
{
	(void)state;
	assert_true(rate("READs", 8, 16, 0) < 5.5);
	assert_true(rate("READs", 8, 1, 0) < 22);
	assert_true(rate("READs", 1, 16, 0) < 12);
	assert_true(rate("atomics", 8, 16, 100) < 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(mixed), cmocka_unit_test(failures),
					    cmocka_unit_test(rates) };

	return cmocka_run_group_tests_name("responder, many READs", tests, NULL, NULL);
}
