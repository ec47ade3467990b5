// SPDX-License-Identifier: Apache-2.0
/*
 * responder (rsp_check to rsp_commit, rsp_cqe, rsp_dup; rsp_tx with rsp_tx_find, rsp_tx_visits,
 * rsp_tx_walk, rsp_tx_settle, rsp_tx_send, rsp_tx_job, rsp_tx_kick, rsp_tx_out): random messages of
 * several QPs against the reference requester, without and with loss, under every kind of miss,
 * and over resets.
 */
#include "rsp_peer.h"

#include <stdio.h>
#include <string.h>

static struct peer *peers[QPS];
static unsigned int n_peers;

static void on_job(struct world *w, const struct wjob *j)
{
	vtb_check(w->tb, j->qpn < n_peers);
	peer_job(peers[j->qpn], j);
}

static void on_cqe(struct world *w, const struct wcqe *c)
{
	vtb_check(w->tb, c->qpn < n_peers);
	peer_cqe(peers[c->qpn], c);
}

static void on_eqe(struct world *w, const struct weqe *e)
{
	vtb_fail(w->tb, "event %u of QP %u, cause %u", e->type, e->number, e->data);
}

static void on_cycle(struct world *w)
{
	unsigned int first = rng_below(&w->rng, n_peers);

	for (unsigned int i = 0; i < n_peers; i++)
		peer_cycle(peers[(first + i) % n_peers]);
}

static void not_finished(struct world *w)
{
	w->on_cycle = NULL;
	for (unsigned int q = 0; q < n_peers; q++) {
		struct cairn_qp_rsp r;

		world_peek(w, q, &r);
		print_message(
			"QP %u: una %u next %u of %u, posted %u received %u; epsn +%d flags %x rq %x tail %x old %x seen %x\n",
			q, peers[q]->una, peers[q]->next, peers[q]->total, peers[q]->posted,
			peers[q]->got_recv, (int)((r.epsn - peers[q]->psn0) & 0xffffff), r.flags,
			r.rq, r.epsn >> 24, r.msn >> 24, r.ack_psn >> 24);
	}
	vtb_fail(w->tb, "not finished, %u packets inside", world_queued(w));
}

struct plan {
	unsigned int qps, messages, loss, pause, miss, lk_bad, latency, evict;
};

static void start_plan(struct world *w, const struct plan *plan)
{
	vtb_set(w->tb, "control_engine_features_i", CAIRN_REG_FEATURES_ATOMIC);
	w->on_job = on_job;
	w->on_cqe = on_cqe;
	w->on_eqe = on_eqe;
	w->pause = plan->pause;
	w->mr_miss = plan->miss;
	w->lk_bad = plan->lk_bad;
	w->latency = plan->latency;
	n_peers = plan->qps;
	for (unsigned int q = 0; q < n_peers; q++) {
		peers[q] = peer_create(w, q, plan->messages, plan->loss);
		peers[q]->ordered = !plan->loss && !plan->miss;
	}
	for (unsigned int q = 0; q < n_peers; q++)
		peers[q]->progress = w->tb->cycle;
	w->on_cycle = on_cycle;
	w->evict = plan->evict;
}

static void finish_plan(struct world *w)
{
	bool all = false;

	for (unsigned int c = 0; !all; c++) {
		if (c > 400000)
			not_finished(w);
		vtb_tick(w->tb);
		all = true;
		for (unsigned int q = 0; q < n_peers; q++)
			all &= peer_finished(peers[q]);
	}
	w->on_cycle = NULL;
	w->evict = 0;
	vtb_run_until(w->tb, !w->ev_state, 20);
	world_drain(w, 20000);
	for (unsigned int q = 0; q < n_peers; q++) {
		peer_check(peers[q]);
		peer_destroy(peers[q]);
	}
	printf("# %llu atomics\n", (unsigned long long)w->cnt[C_ATOMIC]);
	printf("# %llu cycles, dup %llu oos %llu rnr %llu seq %llu parked %llu fetch %llu coalesced %llu\n",
	       (unsigned long long)w->tb->cycle, (unsigned long long)w->cnt[C_DUP],
	       (unsigned long long)w->cnt[C_OOS], (unsigned long long)w->cnt[C_RNR],
	       (unsigned long long)w->cnt[C_SEQ], (unsigned long long)w->cnt[C_PARK],
	       (unsigned long long)w->cnt[C_FETCH], (unsigned long long)w->cnt[C_COAL]);
}

static void run_plan(const struct plan *plan)
{
	struct world *w = world_create();

	start_plan(w, plan);
	finish_plan(w);
	world_destroy(w);
}

static void clean(void **state)
{
	(void)state;
	run_plan(&(struct plan){ 1, 30, 0, 0, 0, 0, 50, 0 });
	run_plan(&(struct plan){ 4, 40, 0, 20, 0, 0, 100, 0 });
}

static void misses(void **state)
{
	(void)state;
	run_plan(&(struct plan){ 8, 30, 0, 30, 20, 20, 300, 0 });
}

static void loss(void **state)
{
	(void)state;
	run_plan(&(struct plan){ 2, 40, 5, 0, 0, 0, 60, 0 });
	run_plan(&(struct plan){ 6, 30, 5, 30, 10, 10, 200, 0 });
}

static void evictions(void **state)
{
	(void)state;
	run_plan(&(struct plan){ 8, 25, 0, 10, 0, 10, 100, 700 });
	run_plan(&(struct plan){ 8, 25, 0, 10, 10, 10, 100, 400 });
	run_plan(&(struct plan){ 8, 25, 4, 10, 10, 10, 100, 400 });
}

/* Reset in the middle of everything, then other QPs: nothing of before comes up again. */
static void resets(void **state)
{
	const struct plan plan = { 8, 30, 3, 20, 10, 10, 100, 400 };
	struct world *w = world_create();

	(void)state;
	for (unsigned int life = 0; life < 8; life++) {
		start_plan(w, &plan);
		vtb_run(w->tb, 200 + rng_below(&w->rng, 3000));
		world_reset(w);
		for (unsigned int q = 0; q < n_peers; q++)
			peer_destroy(peers[q]);
		memset(w->mem, 0, MEM_BYTES);
	}
	start_plan(w, &plan);
	finish_plan(w);
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(clean), cmocka_unit_test(misses),
					    cmocka_unit_test(loss), cmocka_unit_test(evictions),
					    cmocka_unit_test(resets) };

	return cmocka_run_group_tests_name("responder", tests, NULL, NULL);
}
