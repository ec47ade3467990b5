// SPDX-License-Identifier: Apache-2.0
/* Transport tests: the clock runs until completions are there; see rdma.h. */
#include "rdma.h"

#include <errno.h>

struct watch {
	struct rdma *r;
	struct rdma_cq *only;
	uint64_t until; /* computed edges */
};

static bool something(void *arg)
{
	const struct watch *watch = arg;

	for (const struct rdma_cq *cq = watch->r->cqs; cq; cq = cq->next)
		if ((!watch->only || watch->only == cq) && cairn_cq_written(cq->cq, cq->cq->ci))
			return true;
	return sim_evaluated(watch->r->sim) >= watch->until;
}

/* When to give up, in computed edges. */
static uint64_t patience(struct rdma *r)
{
	return sim_evaluated(r->sim) + r->cfg.patience * r->nics;
}

static void await(struct rdma *r, struct rdma_cq *only)
{
	struct watch watch = { r, only, patience(r) };
	int err = sim_run_until(r->sim, something, &watch, UINT64_MAX / 64);

	if (err == -EAGAIN)
		rdma_fail(r, "completions are missing, and nothing is left to happen");
	if (err || sim_evaluated(r->sim) >= watch.until)
		rdma_fail(r, "no completion in %llu computed cycles",
			  (unsigned long long)r->cfg.patience);
}

void rdma_wait_due(struct rdma *r, unsigned int left)
{
	rdma_poll(r);
	while (rdma_due(r) > left) {
		await(r, NULL);
		rdma_poll(r);
	}
}

void rdma_wait(struct rdma *r)
{
	rdma_wait_due(r, 0);
}

void rdma_run(struct rdma *r, uint64_t cycles)
{
	sim_run(r->sim, cycles);
}

static bool quiet(void *arg)
{
	return sim_idle(arg);
}

void rdma_settle(struct rdma *r, uint64_t cycles)
{
	/* A frame that was just put on the wire is not there yet: until then all may be quiet. */
	sim_run(r->sim, 100);
	sim_run_until(r->sim, quiet, r->sim, cycles);
}

void rdma_announced(struct rdma *r)
{
	rdma_run(r, r->cfg.data_w == 64 ? 30000 : 60000); /* 100 us of quiet, and some for each */
}

const struct cairn_cqe *rdma_raw_cqe(struct rdma_cq *cq)
{
	if (!cairn_cq_next(cq->cq))
		await(cq->r, cq);
	return cairn_cq_next(cq->cq);
}

struct hits_wait {
	struct rdma *r;
	unsigned int index;
	uint64_t hits;
	uint64_t until; /* computed edges */
};

static bool hits_enough(const struct hits_wait *wait)
{
	return sim_wire_rule_hits(sim_wire(wait->r->sim), wait->index) >= wait->hits;
}

static bool hit(void *arg)
{
	const struct hits_wait *wait = arg;

	return hits_enough(wait) || sim_evaluated(wait->r->sim) >= wait->until;
}

void rdma_wait_hits(struct rdma *r, unsigned int index, uint64_t hits)
{
	struct hits_wait wait = { r, index, hits, patience(r) };

	/* A QP that tries again for ever keeps the clock running. */
	sim_run_until(r->sim, hit, &wait, UINT64_MAX / 64);
	if (!hits_enough(&wait))
		rdma_fail(r, "rule %u has not acted %llu times", index, (unsigned long long)hits);
}
