// SPDX-License-Identifier: Apache-2.0
/*
 * Throughput: queues that are never empty, and the device's own time stamps of two completions with
 * many between them; see bench.h.
 *
 * The host takes a completion in the cycle in which it is in memory, and posts again in the same
 * one.  Every request is signalled.  A QP's requests all read and write one place of its own, which
 * is compared in the end.
 */
#include "bench.h"

#include <string.h>

#include "priv.h"

#define COMMANDED 1024u /* regions by commands; where there are more, their records are laid down */
#define SRQ_SLOTS 1024u
#define LONG_SET_UP 4096u /* of more QPs than that, opening their doorbells is what takes time: */
#define NEAR_NS 20u	  /* each reads a record, from a memory as near as this meanwhile */

struct flow {
	struct rdma_qp *qp;
	unsigned int posted, done;
};

struct run {
	struct rdma *r;
	const struct bench_load *load;
	struct rdma_buf *local, *remote;
	struct cairn_mr **region; /* of the remote memory */
	struct cairn_mr *laid;	  /* those without a command */
	unsigned int regions, named;
	uint64_t *before;      /* fetch-and-add: the words that it adds to */
	struct cairn_srq *srq; /* or NULL */
	struct bench_many many;
	struct flow flow[BENCH_MAX_QPS];
	uint16_t flow_of[2][BENCH_MAX_QPS]; /* by QPN: of ours, of the peers */
	unsigned int completed, outstanding;
	uint64_t from, to; /* ns */
	bool stop;
};

struct rdma_buf *bench_buf(struct rdma *r, unsigned int nic, size_t len)
{
	struct rdma_buf_cfg cfg = { .len = len,
				    .access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC,
				    .va = 0x10000000 };

	return rdma_buf_with(r, nic, &cfg);
}

static void atomic_post(struct rdma_qp *q, uint32_t ctrl, const struct bench_ends *ends)
{
	struct cairn_qp *qp = q->qp;
	struct cairn_wqe_atomic wqe = {
		.ctrl = ctrl,
		.length = sizeof(uint64_t),
		.check = cairn_sq_check(qp, qp->sq_pi),
		.raddr = ends->remote->va + ends->offset,
		.rkey = ends->remote->key,
		.swap_add = BENCH_ADDEND,
		.sge0_addr = ends->local->mr->va + ends->offset,
		.sge0_lkey = ends->local->mr->key,
		.sge0_length = sizeof(uint64_t),
	};

	memcpy(cairn_sq_block(qp, qp->sq_pi++), &wqe, sizeof(wqe));
}

void bench_post(struct rdma_qp *q, enum cairn_wqe_op op, const struct bench_ends *ends,
		uint32_t len, bool in_wqe)
{
	struct cairn_qp *qp = q->qp;
	struct cairn_wqe wqe = { .length = len, .check = cairn_sq_check(qp, qp->sq_pi) };

	wqe.ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, op) | CAIRN_PUT(CAIRN_WQE_CTRL_SIGNALED, 1) |
		   CAIRN_PUT(CAIRN_WQE_CTRL_INLINE, in_wqe) |
		   CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, !in_wqe) | CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 1);
	if (op == CAIRN_WQE_OP_ATOMIC_FA) {
		atomic_post(q, wqe.ctrl, ends);
		return;
	}
	if (op != CAIRN_WQE_OP_SEND) {
		wqe.raddr = ends->remote->va + ends->offset;
		wqe.rkey = ends->remote->key;
	}
	if (in_wqe) {
		memcpy(&wqe.sge0_addr, ends->local->data + ends->offset, len);
	} else {
		wqe.sge0_addr = ends->local->mr->va + ends->offset;
		wqe.sge0_lkey = ends->local->mr->key;
		wqe.sge0_length = len;
	}
	memcpy(cairn_sq_block(qp, qp->sq_pi), &wqe, sizeof(wqe));
	qp->sq_pi++;
}

static void post_list(struct run *run, unsigned int i)
{
	const struct bench_load *load = run->load;
	struct flow *flow = &run->flow[i];
	struct bench_ends ends = { .local = run->local, .offset = (size_t)i * load->len };

	for (unsigned int n = 0; n < load->list; n++) {
		ends.remote = run->region[run->named++ % run->regions];
		bench_post(flow->qp, load->op, &ends, load->len, load->in_wqe);
	}
	flow->posted += load->list;
	run->outstanding += load->list;
	rdma_ring(flow->qp);
}

static void post_recv(struct run *run, unsigned int i)
{
	struct cairn_qp *qp = run->flow[i].qp->peer->qp;
	struct cairn_sge sge = rdma_sge(run->remote, (size_t)i * run->load->len, run->load->len);

	memcpy(cairn_rq_entry(qp, qp->rq_pi++), &sge, sizeof(sge));
}

/* Each slot has a place of its own: which QP takes it is not known. */
static void give_slot(struct run *run, uint32_t slot)
{
	struct cairn_sge sge = rdma_sge(run->remote, (size_t)slot * run->load->len, run->load->len);

	memcpy(cairn_srq_slot(run->srq, slot), &sge, sizeof(sge));
	cairn_srq_give(run->srq, slot);
}

static void set_up_srq(struct run *run)
{
	struct cairn_srq_init init = { .max_wr = SRQ_SLOTS, .max_sge = 1 };

	if (!run->load->srq)
		return;
	rdma_ok(run->r, cairn_create_srq(run->r->nic[1].pd, &init, &run->srq), "SRQ");
	for (uint32_t slot = 0; slot < SRQ_SLOTS; slot++)
		give_slot(run, slot);
	cairn_srq_ring(run->srq);
}

static void taken(struct run *run, unsigned int i, uint32_t slot)
{
	size_t len = run->load->len;

	if (memcmp(run->remote->data + slot * len, run->local->data + i * len, len))
		rdma_fail(run->r, "slot %u has not what QP %u sent", slot, i);
	give_slot(run, slot);
	cairn_srq_ring(run->srq);
}

/* The remote memory once more at the end of the table in host memory, as REG_MR would have it. */
static void lay_regions(struct run *run)
{
	const struct cairn_mr *first = run->remote->mr;
	struct cairn_dev *dev = run->r->nic[run->remote->nic].dev;
	struct cairn_mpt *table = dev->tables[CAIRN_TABLE_MPT].mem.va;
	uint32_t from = (1u << dev->tables[CAIRN_TABLE_MPT].log2) - run->regions;

	run->laid = calloc(run->regions, sizeof(*run->laid));
	if (!run->laid)
		rdma_fail(run->r, "no memory");
	if (first->key >> 8 >= from || first->mode != CAIRN_MR_MODE_DIRECT)
		rdma_fail(run->r, "key %#x is among those to be laid down, or paged", first->key);
	for (unsigned int i = 1; i < run->regions; i++) {
		struct cairn_mpt *mpt = &table[from + i];

		run->laid[i] = *first;
		run->laid[i].key = (from + i) << 8;
		run->region[i] = &run->laid[i];
		*mpt = (struct cairn_mpt){
			.key = run->laid[i].key,
			.flags = CAIRN_PUT(CAIRN_MPT_FLAGS_MODE, first->mode) |
				 CAIRN_PUT(CAIRN_MPT_FLAGS_ACCESS, first->access),
			.pd = first->pd->pdn,
			.base = first->va,
			.length = first->length,
			.map = first->iova,
		};
	}
}

/* The remote memory once more for each key after the first. */
static void set_up_regions(struct run *run)
{
	const struct rdma_buf *buf = run->remote;
	struct cairn_pd *pd = run->r->nic[buf->nic].pd;

	run->regions = run->load->regions ? run->load->regions : 1;
	run->region = calloc(run->regions, sizeof(*run->region));
	if (!run->region)
		rdma_fail(run->r, "no memory");
	run->region[0] = buf->mr;
	if (run->regions > COMMANDED) {
		lay_regions(run);
		return;
	}
	for (unsigned int i = 1; i < run->regions; i++)
		rdma_ok(run->r,
			cairn_reg_mr(pd, buf->data, buf->len, buf->mr->va, RDMA_ALL_ACCESS,
				     &run->region[i]),
			"region");
}

static void end_regions(struct run *run)
{
	for (unsigned int i = 1; i < run->regions && !run->laid; i++)
		rdma_ok(run->r, cairn_dereg_mr(run->region[i]), "region");
	free(run->laid);
	free(run->region);
	free(run->before);
}

/* Fetch-and-add changes what was there: remember it. */
static void keep_words(struct run *run)
{
	size_t len = (size_t)run->load->qps * sizeof(uint64_t);

	if (run->load->op != CAIRN_WQE_OP_ATOMIC_FA)
		return;
	run->before = malloc(len);
	if (!run->before)
		rdma_fail(run->r, "no memory");
	memcpy(run->before, run->remote->data, len);
}

static void set_up(struct run *run)
{
	const struct bench_load *load = run->load;
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.send_wr = load->depth;
	cfg.recv_wr = 2 * load->depth;
	cfg.send_sge = cfg.recv_sge = 1;
	cfg.max_inline = 24; /* a block a request */
	cfg.pmtu = load->pmtu;
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	/* receives or keys that come slower than messages: what is dropped last waits for this */
	cfg.timeout = load->srq || load->regions ? 7 : 14;
	run->local = bench_buf(run->r, 0, (size_t)load->qps * load->len);
	run->remote = bench_buf(run->r, !load->loop,
				(size_t)(load->srq ? SRQ_SLOTS : load->qps) * load->len);
	set_up_regions(run);
	keep_words(run);
	set_up_srq(run);
	if (load->many)
		bench_many_begin(run->r, &cfg, load->qps, &run->many);
	for (unsigned int i = 0; i < load->qps && load->many; i++)
		run->flow[i].qp = &run->many.qp[0][i];
	for (unsigned int i = 0; i < load->qps && !load->many; i++) {
		cfg.srq = NULL;
		run->flow[i].qp = rdma_create_qp(run->r, 0, &cfg);
		cfg.srq = run->srq;
		rdma_connect(run->flow[i].qp, rdma_create_qp(run->r, !load->loop, &cfg));
		if (load->op != CAIRN_WQE_OP_SEND || load->srq)
			continue;
		for (unsigned int n = 0; n < 2 * load->depth; n++)
			post_recv(run, i);
		rdma_ring_recv(run->flow[i].qp->peer);
	}
	for (unsigned int i = 0; i < load->qps; i++) {
		const struct rdma_qp *qp = run->flow[i].qp;

		rdma_assert(run->r, qp->qp->qpn < BENCH_MAX_QPS);
		rdma_assert(run->r, qp->peer->qp->qpn < BENCH_MAX_QPS);
		run->flow_of[0][qp->qp->qpn] = run->flow_of[1][qp->peer->qp->qpn] = (uint16_t)i;
	}
}

static unsigned int flow_of(const struct run *run, const struct cairn_cqe *cqe, bool peer)
{
	uint32_t qpn = CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN);
	uint32_t status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);
	unsigned int i = qpn < BENCH_MAX_QPS ? run->flow_of[peer][qpn] : 0;
	const struct rdma_qp *qp = run->flow[i].qp;

	if ((peer ? qp->peer : qp)->qp->qpn != qpn || status)
		rdma_fail(run->r, "completion of QP %u: %s", qpn,
			  cairn_enum_name("wc_status", status));
	return i;
}

static void sent(struct run *run, const struct cairn_cqe *cqe)
{
	const struct bench_load *load = run->load;
	unsigned int i = flow_of(run, cqe, false);
	struct flow *flow = &run->flow[i];

	flow->done++;
	run->outstanding--;
	run->completed++;
	if (run->completed == load->warm)
		run->from = cqe->timestamp;
	if (run->completed == load->warm + load->count) {
		run->to = cqe->timestamp;
		run->stop = true;
	}
	if (!run->stop && load->depth - (flow->posted - flow->done) >= load->list)
		post_list(run, i);
}

static void poll_all(struct run *run)
{
	for (unsigned int nic = 0; nic < 2; nic++) {
		struct cairn_cq *cq = run->r->nic[nic].cq->cq;
		const struct cairn_cqe *cqe;

		while ((cqe = cairn_cq_next(cq))) {
			unsigned int i;

			if (!nic) {
				sent(run, cqe);
			} else {
				i = flow_of(run, cqe, true);
				if (run->srq) {
					taken(run, i, CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX));
				} else {
					post_recv(run, i);
					rdma_ring_recv(run->flow[i].qp->peer);
				}
			}
			cairn_cq_consume(cq);
		}
		cairn_cq_update(cq);
	}
}

static bool something(void *arg)
{
	const struct run *run = arg;

	for (unsigned int nic = 0; nic < 2; nic++) {
		const struct cairn_cq *cq = run->r->nic[nic].cq->cq;

		if (cairn_cq_written(cq, cq->ci))
			return true;
	}
	return false;
}

/* Twice: the difference. */
static void read_counters(struct rdma *r, struct bench_result *result)
{
	for (unsigned int nic = 0; nic < 2; nic++) {
		const struct sim_pcie_stats *now =
			sim_pcie_stats(sim_nic_pcie(sim_nic(r->sim, nic)));
		struct sim_pcie_stats *pcie = &result->pcie[nic];
		uint64_t *counter = result->counter[nic];

		for (unsigned int c = 0; c < CAIRN_COUNTERS; c++)
			if (cairn_counter_names[c])
				counter[c] = rdma_counter(r, nic, c) - counter[c];
		pcie->rd_tlps = now->rd_tlps - pcie->rd_tlps;
		pcie->rd_bytes = now->rd_bytes - pcie->rd_bytes;
		pcie->wr_tlps = now->wr_tlps - pcie->wr_tlps;
		pcie->wr_bytes = now->wr_bytes - pcie->wr_bytes;
		pcie->bar_wr_tlps = now->bar_wr_tlps - pcie->bar_wr_tlps;
		pcie->up_busy_ns = now->up_busy_ns - pcie->up_busy_ns;
		pcie->down_busy_ns = now->down_busy_ns - pcie->down_busy_ns;
	}
}

/* Each word has all that was added to it, and the last answer was the word before the last. */
static void check_words(struct run *run)
{
	for (unsigned int i = 0; i < run->load->qps; i++) {
		uint64_t now, got,
			want = run->before[i] + (uint64_t)BENCH_ADDEND * run->flow[i].done;

		memcpy(&now, run->remote->data + i * sizeof(now), sizeof(now));
		memcpy(&got, run->local->data + i * sizeof(got), sizeof(got));
		if (now != want || got != want - BENCH_ADDEND)
			rdma_fail(run->r, "QP %u: the sum is %#llx, not %#llx", i,
				  (unsigned long long)now, (unsigned long long)want);
	}
}

static void check_data(struct run *run)
{
	size_t len = (size_t)run->load->qps * run->load->len;

	/* An ACK may be ahead of its data's last steps to memory. */
	rdma_settle(run->r, 100000);
	poll_all(run);
	if (run->load->op == CAIRN_WQE_OP_ATOMIC_FA)
		check_words(run);
	else if (!run->srq && memcmp(run->local->data, run->remote->data, len))
		rdma_fail(run->r, "the data that arrived is not what was sent");
	rdma_buf_forget(run->local, 0, len);
	rdma_buf_forget(run->remote, 0, run->srq ? SRQ_SLOTS * (size_t)run->load->len : len);
}

static void end_srq(struct run *run)
{
	if (!run->srq)
		return;
	for (unsigned int i = 0; i < run->load->qps; i++) {
		rdma_destroy_qp(run->flow[i].qp->peer);
		rdma_destroy_qp(run->flow[i].qp);
	}
	rdma_ok(run->r, cairn_destroy_srq(run->srq), "SRQ");
}

static void measure(struct run *run, struct bench_result *result)
{
	const struct bench_load *load = run->load;
	uint64_t begin;
	int err;

	memset(result, 0, sizeof(*result));
	run->completed = 0;
	run->stop = false;
	read_counters(run->r, result);
	begin = sim_cycle(run->r->sim);
	bench_speed_begin(run->r->sim);
	for (unsigned int n = 0; n < load->depth / load->list; n++)
		for (unsigned int i = 0; i < load->qps; i++)
			post_list(run, i);
	while (run->outstanding) {
		err = sim_run_until(run->r->sim, something, run, 1000000);
		if (err)
			rdma_fail(run->r, "%u of %u requests are missing: %s", run->outstanding,
				  run->completed + run->outstanding, strerror(-err));
		poll_all(run);
	}
	bench_speed_end(run->r->sim);
	result->run_cycles = sim_cycle(run->r->sim) - begin;
	result->messages = run->completed;
	result->cycles = (double)(run->to - run->from) / sim_period(run->r->sim) / load->count;
	read_counters(run->r, result);
}

static void set_rtt(struct rdma *r, unsigned int ns)
{
	for (unsigned int nic = 0; nic < 2; nic++)
		sim_pcie_set_rtt(sim_nic_pcie(sim_nic(r->sim, nic)), ns);
}

void bench_crowd_run(const struct rdma_cfg *cfg, const struct bench_load *load,
		     const unsigned int *rtt_ns, unsigned int n, struct bench_result *result)
{
	static struct run run;

	run = (struct run){ .load = load };
	run.r = rdma_begin(cfg);
	if (load->qps > LONG_SET_UP)
		set_rtt(run.r, NEAR_NS);
	set_up(&run);
	rdma_announced(run.r);
	for (unsigned int i = 0; i < n; i++) {
		rdma_settle(run.r, 100000);
		set_rtt(run.r, rtt_ns[i]);
		run.load = &load[i];
		measure(&run, &result[i]);
	}
	check_data(&run);
	end_regions(&run);
	rdma_end(run.r);
	bench_many_end(run.r, &run.many);
	rdma_group_teardown(NULL);
}

void bench_load_run(const struct rdma_cfg *cfg, const struct bench_load *load,
		    struct bench_result *result)
{
	static struct run run;

	run = (struct run){ .load = load };
	run.r = rdma_begin(cfg);
	set_up(&run);
	rdma_announced(run.r);
	measure(&run, result);
	check_data(&run);
	end_regions(&run);
	end_srq(&run);
	rdma_end(run.r);
	rdma_group_teardown(NULL);
}
