// SPDX-License-Identifier: Apache-2.0
/*
 * A test that fails, for test_replay.py: a few WRITEs on a lossy wire, then rdma_fail().  What it
 * leaves must be enough to repeat it.
 */
#include "rdma.h"

static void fails(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 8192, 0), *dst = rdma_buf(r, 1, 8192, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 8192);

	(void)state;
	rdma_rule(r, "drop nic0>nic1 op=write k=3");
	rdma_post(qp, &wr);
	rdma_ring(qp);
	rdma_wait(r);
	rdma_fail(r, "as it should");
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(fails) };

	return RDMA_RUN("fails", tests);
}
