// SPDX-License-Identifier: Apache-2.0
/*
 * Nobody's share of what all use is so large that others feel it: a QP that holds all it can of the
 * receive path, a consumer that keeps its CQ full. A flow beside each keeps at least nine tenths of
 * the rate that it has alone; cycle by cycle the same each time. Host memory is slow, so that what
 * waits for it waits long.
 */
#include "rdma.h"

#define RTT_NS 3000u
#define WARM 20000u /* cycles */
#define WINDOW 60000u
#define STEP 20u
#define VICTIMS 2u
#define DEPTH 4u /* requests under way of each victim */
#define GROUP 24u /* WRITEs behind each atomic */

static struct sim_pcie_cfg slow_cfg;

struct flow {
	struct rdma_qp *qp;
	struct rdma_cq *cq;
	struct rdma_buf *a, *b;
	struct rdma_wr wr, first; /* each group-th is `first`, when there are groups */
	unsigned int group, depth, posted, out;
	uint64_t done;
};

static void flow_post(struct flow *f)
{
	unsigned int before = f->posted;

	while (f->out < f->depth) {
		bool head = f->group && f->posted % f->group == 0;
		struct rdma_wr wr = head ? f->first : f->wr;

		rdma_write_wqe(f->qp, &wr, 8, 1);
		f->posted++;
		f->out++;
	}
	if (f->posted != before)
		rdma_ring(f->qp);
}

/* Consume what is there, but for `keep` completions. */
static void flow_reap(struct flow *f, uint32_t keep)
{
	struct cairn_cq *cq = f->cq->cq;
	uint32_t there = 0;

	while (there < 1u << cq->log2 && cairn_cq_written(cq, cq->ci + there))
		there++;
	if (there <= keep)
		return;
	for (uint32_t n = there - keep; n; n--) {
		const struct cairn_cqe *cqe = cairn_cq_next(cq);

		rdma_assert(f->cq->r, CAIRN_GET(cqe->status, CAIRN_CQE_STATUS_STATUS) ==
					      CAIRN_WC_STATUS_SUCCESS);
		cairn_cq_consume(cq);
		f->out--;
		f->done++;
	}
	cairn_cq_update(cq);
}

static struct flow flow(struct rdma *r, unsigned int depth, unsigned int cqes, uint32_t access)
{
	struct flow f = { .depth = depth, .cq = rdma_create_cq(r, 0, cqes) };
	struct rdma_buf_cfg at = { .len = 64, .access = access };
	struct rdma_buf *a = rdma_buf(r, 0, 64, 0), *b = rdma_buf_with(r, 1, &at);
	struct rdma_qp_cfg cfg;

	f.a = a;
	f.b = b;
	rdma_qp_cfg_init(&cfg);
	cfg.send_wr = depth;
	cfg.access = access;
	cfg.timeout = 4; /* 66 us: not to be waited for */
	cfg.send_cq = f.cq;
	f.qp = rdma_create_qp(r, 0, &cfg);
	cfg.send_cq = NULL;
	rdma_connect(f.qp, rdma_create_qp(r, 1, &cfg));
	f.wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 8);
	f.wr.in_wqe = true;
	f.wr.sge[0].addr = (uint64_t)(uintptr_t)a->data;
	f.first = rdma_wr(CAIRN_WQE_OP_ATOMIC_FA, a, 8, b, 8, 8);
	return f;
}

/* What its requests have left in memory is nobody's business here. */
static void flow_end(struct flow *f)
{
	rdma_buf_forget(f->a, 0, 64);
	rdma_buf_forget(f->b, 0, 64);
}

struct attack {
	unsigned int depth, cqes, group, keep;
	enum cairn_counter sign; /* what counts when it is held back */
	unsigned int nic;
};

/* Completions of the victims in the window. */
static uint64_t measure(const struct attack *a, bool attacked)
{
	struct rdma_cfg cfg = { .pcie = &slow_cfg };
	struct rdma *r = (sim_pcie_cfg_default(&slow_cfg, getenv("WIDTH") ? 512 : 64, 4),
			  slow_cfg.read_rtt_ns = RTT_NS, rdma_begin(&cfg));
	uint32_t all = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC;
	struct flow victim[VICTIMS], other = flow(r, a->depth, a->cqes, all);
	uint64_t before = 0, done = 0, signs = rdma_counter(r, a->nic, a->sign);

	other.group = a->group;
	for (unsigned int i = 0; i < VICTIMS; i++)
		victim[i] = flow(r, DEPTH, 64, RDMA_ALL_ACCESS);
	for (unsigned int at = 0; at < WARM + WINDOW; at += STEP) {
		if (at == WARM)
			for (unsigned int i = 0; i < VICTIMS; i++)
				before += victim[i].done;
		for (unsigned int i = 0; i < VICTIMS; i++)
			flow_post(&victim[i]);
		if (attacked)
			flow_post(&other);
		rdma_run(r, STEP);
		for (unsigned int i = 0; i < VICTIMS; i++)
			flow_reap(&victim[i], 0);
		if (attacked)
			flow_reap(&other, a->keep);
	}
	for (unsigned int i = 0; i < VICTIMS; i++)
		done += victim[i].done;
	if (attacked) {
		rdma_assert(r, other.done > WINDOW / 200); /* it goes on, and is held back */
		rdma_assert(r, rdma_counter(r, a->nic, a->sign) > signs);
	}
	/* To the end. */
	for (unsigned int i = 0; i < VICTIMS; i++)
		victim[i].depth = 0;
	for (unsigned int at = 0; other.out || victim[0].out || victim[1].out; at += STEP) {
		rdma_assert(r, at < 40 * WINDOW);
		rdma_run(r, STEP);
		flow_reap(&other, 0);
		for (unsigned int i = 0; i < VICTIMS; i++)
			flow_reap(&victim[i], 0);
	}
	flow_end(&other);
	for (unsigned int i = 0; i < VICTIMS; i++)
		flow_end(&victim[i]);
	rdma_end(r);
	return done - before;
}

static void keeps_its_rate(const struct attack *a, const char *what)
{
	uint64_t alone = measure(a, false), beside = measure(a, true);

	print_message("# %s: %llu completions alone, %llu beside it\n", what,
		      (unsigned long long)alone, (unsigned long long)beside);
	if (beside * 10 < alone * 9)
		fail_msg("%s: %llu completions of others, %llu without it", what,
			 (unsigned long long)beside, (unsigned long long)alone);
}

/* WRITEs wait for atomics, and these for one another, on one QP. */
static void behind_atomics(void **state)
{
	static const struct attack a = { 1000, 1024, GROUP, 0, CAIRN_COUNTER_RX_SHARE, 1 };

	(void)state;
	keeps_its_rate(&a, "WRITEs behind atomics");
}

/* The CQ is full all the time, and the consumer gives a few places each time. */
static void cq_at_the_brim(void **state)
{
	static const struct attack a = { 1000, 512, 0, 480, CAIRN_COUNTER_CQ_CROWDED, 0 };

	(void)state;
	keeps_its_rate(&a, "a CQ that is kept full");
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(behind_atomics), RDMA_TEST(cq_at_the_brim) };

	return RDMA_RUN("shares", tests);
}
