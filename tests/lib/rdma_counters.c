// SPDX-License-Identifier: Apache-2.0
/*
 * Counters of QPs against those of the port: what a QP counts, the port counts too, and nothing
 * that belongs to a QP is counted by the port alone.  Looked at in every rdma_end().
 */
#include <string.h>

#include "rdma.h"

static bool counted(const struct rdma_nic *nic)
{
	return nic->caps.features & CAIRN_REG_FEATURES_QP_COUNTERS;
}

void rdma_counters_begin(struct rdma *r)
{
	for (unsigned int i = 0; i < r->nics; i++) {
		struct rdma_nic *nic = &r->nic[i];

		nic->qps_gone = false;
		memset(nic->counted_before, 0, sizeof(nic->counted_before));
		for (unsigned int c = 0; c < CAIRN_COUNTERS; c++)
			if (cairn_counter_of_qp[c])
				nic->port_before[c] = rdma_counter(r, i, c);
	}
}

uint64_t rdma_qp_counter(struct rdma_qp *qp, enum cairn_counter counter)
{
	uint64_t value = 0;

	rdma_ok(qp->r, cairn_read_qp_counter(qp->qp, counter, &value), "counter of a QP");
	return value;
}

/* The QP goes, or begins a new life: what it has counted goes with it. */
void rdma_counters_gone(struct rdma_qp *qp)
{
	struct rdma_nic *nic = &qp->r->nic[qp->nic];

	nic->qps_gone = true;
	for (unsigned int c = 0; counted(nic) && c < CAIRN_COUNTERS; c++)
		if (cairn_counter_of_qp[c] && !cairn_dev_gone(nic->dev))
			nic->counted_before[c] += rdma_qp_counter(qp, c);
}

/* A new life: nothing is left of the last one.  A packet for a QP in RESET counts. */
void rdma_counters_new(struct rdma_qp *qp)
{
	const struct rdma_nic *nic = &qp->r->nic[qp->nic];

	for (unsigned int c = 0; counted(nic) && c < CAIRN_COUNTERS; c++)
		if (cairn_counter_of_qp[c] && c != CAIRN_COUNTER_RX_QP_STATE)
			rdma_assert(qp->r, !rdma_qp_counter(qp, c));
}

void rdma_other_qps(struct rdma *r)
{
	for (unsigned int i = 0; i < r->nics; i++)
		r->nic[i].qps_gone = true;
}

void rdma_counters_check(struct rdma *r)
{
	for (unsigned int c = 0; counted(&r->nic[0]) && c < CAIRN_COUNTERS; c++) {
		uint64_t sum[RDMA_MAX_NICS] = { 0 };

		if (!cairn_counter_of_qp[c])
			continue;
		for (struct rdma_qp *qp = r->qps; qp; qp = qp->next)
			sum[qp->nic] += rdma_qp_counter(qp, c);
		for (unsigned int i = 0; i < r->nics; i++) {
			const struct rdma_nic *nic = &r->nic[i];
			uint64_t port = rdma_counter(r, i, c) - nic->port_before[c];
			/* A full pool drops what is no QP's yet; what comes while a QP goes away is
			 * counted behind the last look at it. */
			bool all = c != CAIRN_COUNTER_RX_NO_BUFFER && !nic->qps_gone;

			sum[i] += nic->counted_before[c];
			if (sum[i] > port || (all && sum[i] != port))
				rdma_fail(r, "NIC %u: %s is %llu, its QPs have %llu", i,
					  cairn_counter_names[c], (unsigned long long)port,
					  (unsigned long long)sum[i]);
		}
	}
}
