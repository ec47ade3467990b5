// SPDX-License-Identifier: Apache-2.0
/* RDMA WRITE between two NICs: elements, inline, immediates, many QPs. Lengths: test_moves. */
#include <stdlib.h>
#include <string.h>

#include "rdma.h"

#define MTU 1024u

static void one(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 100, 0), *dst = rdma_buf(r, 1, 100, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 100);

	(void)state;
	rdma_do(qp, &wr);
	rdma_assert(r, rdma_counter_named(r, 1, "rx_write_requests") > 0);
	rdma_end(r);
}

static void empty(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *dst = rdma_buf(r, 1, 64, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, NULL, 0, dst, 0, 0);

	(void)state;
	rdma_do(qp, &wr);
	/* no byte is touched, so no key is looked at (IBTA 9.7.4.1.5) */
	wr.rkey = 0xdeadbeef;
	rdma_do(qp, &wr);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, dst, 0, dst, 0, 0);
	wr.num_sge = 3; /* three empty elements, keys of nobody */
	wr.sge[1].lkey = 0x12345678;
	rdma_do(qp, &wr);
	rdma_end(r);
}

/* Regions with a page list, at addresses of their own. */
static void paged(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf_cfg cfg = { .len = 40000,
				    .offset = 4000,
				    .access = RDMA_ALL_ACCESS,
				    .va = 0x7654321000 + 4000,
				    .kind = CAIRN_MR_USE_PAGED };
	struct rdma_buf *src = rdma_buf_with(r, 0, &cfg), *dst = rdma_buf_with(r, 1, &cfg);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 40000);

	(void)state;
	rdma_do(qp, &wr);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 90, dst, 39999, 1);
	rdma_do(qp, &wr);
	rdma_end(r);
}

static void elements_and_inline(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	struct rdma_buf *src, *dst;
	unsigned int at = 0;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.send_sge = CAIRN_MAX_SGE;
	cfg.max_inline = CAIRN_MAX_INLINE;
	qp = rdma_pair(r, 0, 1, &cfg);
	src = rdma_buf(r, 0, 65536, 0);
	dst = rdma_buf(r, 1, 65536, 0);
	for (unsigned int n = 1; n <= CAIRN_MAX_SGE; n++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, at, 1);

		wr.num_sge = n;
		for (unsigned int i = 0; i < n; i++) {
			uint32_t len = (uint32_t)rng_below(&r->rng, i % 3 ? 200 : 4);

			wr.sge[i] = rdma_sge(src, rng_below(&r->rng, 65000), len);
			at += len;
		}
		rdma_post(qp, &wr);
		rdma_ring(qp);
	}
	rdma_wait(r);
	for (unsigned int len = 0; len <= CAIRN_MAX_INLINE; len += len < 70 ? 1 : 11) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, len, dst, at, len);

		if (len)
			wr.sge[0].addr = (uintptr_t)src->data + len;
		wr.sge[0].lkey = 0;
		wr.in_wqe = true;
		rdma_post(qp, &wr);
		if (len && len <= 24)
			rdma_push(qp);
		else
			rdma_ring(qp);
		rdma_wait(r);
		at += len;
	}
	rdma_end(r);
}

/* WRITE with immediate: the receive request's elements are not touched. */
static void immediates(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 8192, 3), *dst = rdma_buf(r, 1, 8192, 9);
	static const uint32_t len[] = { 0, 1, 63, MTU, MTU + 1, 3 * MTU - 5 };
	uint32_t at = 0;

	(void)state;
	for (unsigned int i = 0; i < 6; i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE_IMM, src, at, dst, at, len[i]);
		struct cairn_sge sge = rdma_sge(dst, 8000, 100);

		rdma_post_recv(qp->peer, &sge, i & 1);
		rdma_ring_recv(qp->peer);
		wr.imm = (uint32_t)rng_u64(&r->rng);
		wr.solicited = i & 1;
		rdma_post(qp, &wr);
		rdma_ring(qp);
		at += len[i];
	}
	rdma_end(r);
}

static void unsignalled(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 64 * 300, 0), *dst = rdma_buf(r, 1, 64 * 300, 0);

	(void)state;
	for (unsigned int i = 0; i < 64; i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, i * 300, dst, i * 300, 300);

		wr.unsignaled = i % 16 != 15;
		rdma_post(qp, &wr);
	}
	rdma_ring(qp);
	rdma_wait(r);
	rdma_assert(r, r->completions == 4);
	rdma_end(r);
}

/* The ring goes round many times, both directions at once. */
static void ring_wraps(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp[2];
	struct rdma_buf *buf[2];

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.send_wr = 8;
	cfg.send_sge = 2;
	cfg.max_inline = 0;
	cfg.sq_psn = 0xfffff0; /* and the PSN */
	qp[0] = rdma_pair(r, 0, 1, &cfg);
	qp[1] = qp[0]->peer;
	for (unsigned int i = 0; i < 2; i++)
		buf[i] = rdma_buf(r, i, 2 * 60 * 80, 0);
	for (unsigned int i = 0; i < 60; i++) {
		for (unsigned int s = 0; s < 2; s++) {
			/* sources in the first half, destinations in the second */
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, buf[s], i * 80, buf[!s],
						    (60 + i) * 80, 80 - i % 7);

			while (!rdma_room(qp[s]))
				rdma_wait_due(r, rdma_due(r) - 1);
			rdma_post(qp[s], &wr);
			rdma_ring(qp[s]);
		}
	}
	rdma_end(r);
}

static void many_qps(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 64 * 4 * 200, 11),
			*dst = rdma_buf(r, 1, 64 * 4 * 200, 7);
	struct rdma_qp *qp[64];

	(void)state;
	for (unsigned int i = 0; i < 64; i++)
		qp[i] = rdma_pair(r, 0, 1, NULL);
	for (unsigned int round = 0; round < 4; round++)
		for (unsigned int i = 0; i < 64; i++) {
			size_t at = (round * 64 + i) * 200;
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, at, dst, at,
						    rng_range(&r->rng, 1, 200));

			rdma_post(qp[i], &wr);
			rdma_ring(qp[i]);
		}
	rdma_end(r);
}

/* The cable brings nothing back to its sender, so a NIC that writes to itself finds nobody. */
static void nobody_there(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 1, 0, NULL);
	struct rdma_buf *src = rdma_buf(r, 1, 3000, 1), *dst = rdma_buf(r, 0, 3000, 2);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 3000);

	(void)state;
	rdma_rule(r, "drop nic1>nic0");
	wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
	wr.vendor = CAIRN_VENDOR_ERR_TIMEOUT;
	rdma_do(qp, &wr);
	rdma_qp_error(qp);
	rdma_end(r);
}

/*
 * What a completion says is there is in memory over there, for a CPU that hears of it some other
 * way: also where the link is slower than the wire, so that writes pile up in the NIC.
 */
static void there_when_completed(void **state)
{
	struct sim_pcie_cfg pcie;
	struct rdma_cfg cfg = { .pcie = &pcie };
	const char *text = getenv("WIDTH");
	unsigned int width = text ? (unsigned int)strtoul(text, NULL, 0) : 64;
	struct rdma_qp_cfg qp_cfg;
	struct rdma_qp *qp;
	struct rdma_buf *src, *dst;
	struct rdma *r;

	(void)state;
	sim_pcie_cfg_default(&pcie, width, sim_default_period(width));
	pcie.up_rate = 62; /* bytes per us: a packet takes 64 of them */
	pcie.buffer = width / 8;
	r = rdma_begin(&cfg);
	rdma_qp_cfg_init(&qp_cfg);
	qp_cfg.pmtu = 5; /* 4096: many TLPs of one packet */
	qp = rdma_pair(r, 0, 1, &qp_cfg);
	src = rdma_buf(r, 0, 65536, 1);
	dst = rdma_buf(r, 1, 65536, 2);
	for (unsigned int i = 0; i < 40; i++) {
		uint32_t len = rng_range(&r->rng, 1, 9000);
		size_t from = rng_below(&r->rng, 65536 - len), to = rng_below(&r->rng, 65536 - len);
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, from, dst, to, len);

		rdma_post(qp, &wr);
		rdma_ring(qp);
		while (rdma_due(r)) {
			rdma_run(r, 1);
			rdma_poll(r);
		}
		rdma_assert(r, !memcmp(src->data + from, dst->data + to, len));
	}
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(one),		 RDMA_TEST(empty),
		RDMA_TEST(paged),	 RDMA_TEST(elements_and_inline),
		RDMA_TEST(immediates),	 RDMA_TEST(unsignalled),
		RDMA_TEST(ring_wraps),	 RDMA_TEST(many_qps),
		RDMA_TEST(nobody_there), RDMA_TEST(there_when_completed),
	};

	return RDMA_RUN("write", tests);
}
