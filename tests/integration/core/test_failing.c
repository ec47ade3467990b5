// SPDX-License-Identifier: Apache-2.0
/*
 * Host memory that fails while the queues in front of it are full: each request ends with its
 * status, nothing stands still, and the QPs beside it go on (docs/deadlock.md).  Reads take 4 us,
 * so that what waits for them is full before the first has failed.
 */
#include "rdma.h"

#define RTT_NS 4000
#define QPS 20u
#define LEN 16384u

struct scene {
	struct rdma *r;
	struct rdma_buf *good[2], *bad[2];
	struct rdma_qp *qp[QPS], *other; /* the other is a bystander */
};

static struct sim_pcie_cfg slow_cfg;

static struct rdma_buf *region(struct rdma *r, unsigned int nic, size_t len)
{
	struct rdma_buf_cfg cfg = { .len = len,
				    .access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC };

	return rdma_buf_with(r, nic, &cfg);
}

/* From now on reads of that buffer are refused. */
static void spoil(struct rdma *r, const struct rdma_buf *buf)
{
	const struct sim_pcie_fault_rule rule = { .fault = SIM_FAULT_UR,
						  .first = buf->mr->iova,
						  .last = buf->mr->iova + buf->len - 1 };

	rdma_assert(r, sim_pcie_fault_add(sim_nic_pcie(r->nic[buf->nic].sim), &rule) >= 0);
}

static uint64_t refused(struct rdma *r, unsigned int nic)
{
	return sim_pcie_fault_hits(sim_nic_pcie(r->nic[nic].sim), 0);
}

/* The memory of NIC `nic` fails. */
static struct scene scene(unsigned int nic, unsigned int qps)
{
	struct rdma_cfg cfg = { .pcie = &slow_cfg };
	struct rdma_qp_cfg qp;
	struct scene s = { 0 };

	if (!slow_cfg.clk_ns) {
		const char *width = getenv("WIDTH");
		unsigned int data_w = width && *width ? (unsigned int)atoi(width) : 64;

		sim_pcie_cfg_default(&slow_cfg, data_w, data_w >= 256 ? 4 : 8);
		slow_cfg.read_rtt_ns = RTT_NS;
	}
	s.r = rdma_begin(&cfg);
	rdma_qp_cfg_init(&qp);
	qp.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	qp.timeout = 10;
	for (unsigned int i = 0; i < qps; i++)
		s.qp[i] = rdma_pair(s.r, 0, 1, &qp);
	s.other = rdma_pair(s.r, 0, 1, &qp);
	for (unsigned int i = 0; i < 2; i++) {
		s.good[i] = region(s.r, i, QPS * LEN);
		s.bad[i] = region(s.r, i, QPS * LEN);
	}
	spoil(s.r, s.bad[nic]);
	return s;
}

/* Posted to all QPs before any begins: one that fails, the rest behind it flushes. */
static void post(struct scene *s, unsigned int qp, struct rdma_wr wr, enum cairn_wc_status status,
		 enum cairn_vendor_err vendor)
{
	wr.expect = status;
	wr.vendor = vendor;
	wr.no_data = true;
	rdma_post(s->qp[qp], &wr);
}

static void ring(struct scene *s, unsigned int qps)
{
	for (unsigned int i = 0; i < qps; i++)
		rdma_ring(s->qp[i]);
}

/* Work of the bystander, both ways, with the QPs in trouble beside it. */
static void bystand(struct scene *s)
{
	struct rdma_wr wr[] = {
		rdma_wr(CAIRN_WQE_OP_WRITE, s->good[0], 0, s->good[1], LEN, LEN),
		rdma_wr(CAIRN_WQE_OP_READ, s->good[0], LEN, s->good[1], 0, LEN),
		rdma_wr(CAIRN_WQE_OP_ATOMIC_FA, s->good[0], 2 * LEN, s->good[1], 2 * LEN, 8),
	};

	for (unsigned int i = 0; i < sizeof(wr) / sizeof(*wr); i++)
		rdma_post(s->other, &wr[i]);
	rdma_ring(s->other);
}

static void end(struct scene *s, unsigned int nic, unsigned int qps)
{
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_READ, s->good[0], 3 * LEN, s->good[1], 0, LEN);

	rdma_wait(s->r);
	rdma_assert(s->r, refused(s->r, nic) >= qps);
	sim_pcie_fault_clear(sim_nic_pcie(s->r->nic[nic].sim));
	for (unsigned int i = 0; i < qps; i++) {
		rdma_assert(s->r, rdma_qp_state(s->qp[i]) == CAIRN_QP_STATE_ERR);
		rdma_qp_error(s->qp[i]->peer);
	}
	rdma_do(s->other, &wr);
	rdma_end(s->r);
}

/*
 * READs whose data cannot be read at the responder, as many jobs as its ring holds and more behind
 * the first; no later response of a QP goes out, so that it ends with what is wrong.
 */
static void responses(unsigned int qps, unsigned int reads, size_t len)
{
	struct scene s = scene(1, qps);

	for (unsigned int k = 0; k < reads; k++)
		for (unsigned int i = 0; i < qps; i++)
			post(&s, i,
			     rdma_wr(CAIRN_WQE_OP_READ, s.good[0], 4 * LEN, s.bad[1], 0, len),
			     CAIRN_WC_STATUS_REM_OP_ERR, CAIRN_VENDOR_ERR_NONE);
	ring(&s, qps);
	bystand(&s);
	end(&s, 1, qps);
}

static void failing_responses(void **state)
{
	(void)state;
	responses(1, 1, 4 * LEN);
	responses(1, 16, 512);
	responses(6, 16, LEN);
	responses(QPS, 2, 4 * LEN);
}

/* Only the first of several READs fails, and in its middle;
 * those behind it must not be answered. */
static void first_of_several(void **state)
{
	struct rdma_wr wr;
	struct scene s;

	(void)state;
	for (unsigned int k = 1; k < 8; k += 3) {
		struct sim_pcie_fault_rule rule = { .fault = SIM_FAULT_UR, .count = 1 };

		s = scene(1, 1);
		sim_pcie_fault_clear(sim_nic_pcie(s.r->nic[1].sim));
		rule.first = s.bad[1]->mr->iova + k * 1024;
		rule.last = rule.first + 1023;
		sim_pcie_fault_add(sim_nic_pcie(s.r->nic[1].sim), &rule);
		for (unsigned int i = 0; i < 4; i++) {
			wr = rdma_wr(CAIRN_WQE_OP_READ, s.good[0], 4 * LEN,
				     i ? s.good[1] : s.bad[1], 0, 8192);
			post(&s, 0, wr, CAIRN_WC_STATUS_REM_OP_ERR, CAIRN_VENDOR_ERR_NONE);
		}
		ring(&s, 1);
		bystand(&s);
		rdma_wait(s.r);
		rdma_buf_forget(s.good[0], 4 * LEN, k * 1024); /* what came before it */
		end(&s, 1, 1);
	}
}

/* More atomics than atomic_unit holds, all of addresses that cannot be read. */
static void failing_atomics(void **state)
{
	const unsigned int qps = 5;
	struct scene s;

	(void)state;
	s = scene(1, qps);
	for (unsigned int k = 0; k < 16; k++)
		for (unsigned int i = 0; i < qps; i++)
			post(&s, i,
			     rdma_wr(CAIRN_WQE_OP_ATOMIC_FA, s.good[0], 4 * LEN, s.bad[1],
				     8 * (16 * i + k), 8),
			     CAIRN_WC_STATUS_REM_OP_ERR, CAIRN_VENDOR_ERR_NONE);
	ring(&s, qps);
	bystand(&s);
	end(&s, 1, qps);
}

/* Requests of more QPs than any small table remembers. */
static void failing_requests(void **state)
{
	struct scene s = scene(0, QPS);

	(void)state;
	for (unsigned int k = 0; k < 3; k++)
		for (unsigned int i = 0; i < QPS; i++)
			post(&s, i,
			     rdma_wr(CAIRN_WQE_OP_WRITE, s.bad[0], i * LEN, s.good[1], 4 * LEN,
				     LEN),
			     CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_DMA_READ);
	ring(&s, QPS);
	bystand(&s);
	end(&s, 0, QPS);
}

/*
 * A QP is destroyed, with its fence, soon after others have begun to fail.  Firmware comes to the
 * fence a millisecond later, when all failures may have been taken: test_rsp_odd holds them apart.
 */
static void fence_among_failures(void **state)
{
	struct scene s;

	(void)state;
	for (unsigned int wait = 300; wait < 1400; wait += 400) {
		struct rdma_qp *gone;

		s = scene(1, 4);
		gone = rdma_pair(s.r, 0, 1, NULL);
		for (unsigned int i = 0; i < 4; i++)
			post(&s, i,
			     rdma_wr(CAIRN_WQE_OP_READ, s.good[0], 4 * LEN, s.bad[1], 0, LEN),
			     CAIRN_WC_STATUS_REM_OP_ERR, CAIRN_VENDOR_ERR_NONE);
		ring(&s, 4);
		rdma_run(s.r, wait);
		rdma_destroy_qp(gone->peer);
		rdma_destroy_qp(gone);
		bystand(&s);
		end(&s, 1, 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(failing_responses),	 RDMA_TEST(first_of_several),
		RDMA_TEST(failing_atomics),	 RDMA_TEST(failing_requests),
		RDMA_TEST(fence_among_failures),
	};

	return RDMA_RUN("failing", tests);
}
