// SPDX-License-Identifier: Apache-2.0
/* Start-up: cairn_open() of two NICs, the slower one counts, then an RC pair; see bench.h. */
#include "bench.h"

void bench_start_run(const struct rdma_cfg *cfg, struct bench_start *start)
{
	struct rdma_cfg mine = { .data_w = cfg->data_w };
	struct rdma *r = rdma_begin(&mine);

	start->open = r->nic[0].open_cycles;
	if (r->nic[1].open_cycles > start->open)
		start->open = r->nic[1].open_cycles;
	start->connect = rdma_pair_cycles(r, false);
	rdma_end(r);
	rdma_group_teardown(NULL);
}
