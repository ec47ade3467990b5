// SPDX-License-Identifier: Apache-2.0
/* RDMA READ between two NICs: scattered, more than fit at once, fences. Lengths: test_moves. */
#include "rdma.h"

static void one(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *local = rdma_buf(r, 0, 100, 0), *remote = rdma_buf(r, 1, 100, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_READ, local, 0, remote, 0, 100);
	uint64_t before = rdma_counter(r, 1, CAIRN_COUNTER_RX_READ);

	(void)state;
	rdma_do(qp, &wr);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_RX_READ) == before + 1);
	rdma_end(r);
}

static void scattered(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	struct rdma_buf *local, *remote;
	size_t at = 0;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.send_sge = CAIRN_MAX_SGE;
	cfg.pmtu = 1;
	qp = rdma_pair(r, 0, 1, &cfg);
	local = rdma_buf(r, 0, 65536, 0);
	remote = rdma_buf(r, 1, 65536, 0);
	for (unsigned int n = 1; n <= CAIRN_MAX_SGE; n++) {
		struct rdma_wr wr =
			rdma_wr(CAIRN_WQE_OP_READ, local, 0, remote, rng_below(&r->rng, 60000), 1);

		wr.num_sge = n;
		for (unsigned int i = 0; i < n; i++) {
			size_t len = rng_below(&r->rng, i % 3 ? 150 : 3);

			wr.sge[i] = rdma_sge(local, at, len);
			at += len;
		}
		rdma_post(qp, &wr);
		rdma_ring(qp);
		if (n % 4 == 0)
			rdma_wait(r);
	}
	rdma_end(r);
}

/* More than either side may have outstanding, for each limit. */
static void limits(void **state)
{
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	for (uint32_t limit = 1; limit <= CAIRN_MAX_RD_ATOMIC; limit *= 4) {
		struct rdma_buf *local = rdma_buf(r, 0, 40 * 1100, 0);
		struct rdma_buf *remote = rdma_buf(r, 1, 40 * 1100, 0);
		struct rdma_qp_cfg cfg;
		struct rdma_qp *qp;

		rdma_qp_cfg_init(&cfg);
		cfg.rd_atomic = cfg.dest_rd_atomic = limit;
		qp = rdma_pair(r, 0, 1, &cfg);
		for (unsigned int i = 0; i < 40; i++) {
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_READ, local, i * 1100, remote,
						    i * 1100, i % 8 ? 20 + i : 1100);

			rdma_post(qp, &wr);
		}
		rdma_ring(qp);
		rdma_wait(r);
	}
	rdma_end(r);
}

/*
 * READ sees the WRITE before it; a fenced WRITE leaves after the READ before it is complete.  The
 * bytes go from a to b and back to c.
 */
static void write_then_read(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *a = rdma_buf(r, 0, 3000, 1), *b = rdma_buf(r, 1, 3000, 2);
	struct rdma_buf *c = rdma_buf(r, 0, 3000, 3), *d = rdma_buf(r, 1, 3000, 4);

	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		size_t at = i * 370, len = 300 + i;
		struct rdma_wr write = rdma_wr(CAIRN_WQE_OP_WRITE, a, at, b, at, len);
		struct rdma_wr read = rdma_wr(CAIRN_WQE_OP_READ, c, at, b, at, len);
		struct rdma_wr back = rdma_wr(CAIRN_WQE_OP_WRITE, c, at, d, at, len);

		/* what the ledger would take from shadows is only true later: compare by hand */
		read.no_data = back.no_data = true;
		back.fence = true;
		rdma_post(qp, &write);
		rdma_post(qp, &read);
		rdma_post(qp, &back);
		rdma_ring(qp);
	}
	rdma_wait(r);
	rdma_settle(r, 20000); /* the last WRITE is acknowledged, and on its way to memory */
	for (unsigned int i = 0; i < 8; i++) {
		size_t at = i * 370, len = 300 + i;

		rdma_assert(r, !memcmp(c->data + at, a->data + at, len));
		rdma_assert(r, !memcmp(d->data + at, a->data + at, len));
		rdma_buf_forget(c, at, len);
		rdma_buf_forget(d, at, len);
	}
	rdma_end(r);
}

/* Both directions, many QPs. */
static void many_qps(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *from[2], *to[2];
	struct rdma_qp *qp[2][32];

	(void)state;
	for (unsigned int s = 0; s < 2; s++) {
		from[s] = rdma_buf(r, s, 4096, 0);
		to[s] = rdma_buf(r, s, 32 * 4 * 300, 3);
	}
	for (unsigned int i = 0; i < 32; i++) {
		qp[0][i] = rdma_pair(r, 0, 1, NULL);
		qp[1][i] = qp[0][i]->peer;
	}
	for (unsigned int round = 0; round < 4; round++)
		for (unsigned int i = 0; i < 64; i++) {
			unsigned int s = i & 1;
			size_t at = (round * 32 + i / 2) * 300;
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_READ, to[s], at, from[!s],
						    rng_below(&r->rng, 3700),
						    rng_range(&r->rng, 1, 300));

			rdma_post(qp[s][i / 2], &wr);
			rdma_ring(qp[s][i / 2]);
		}
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(one),
		RDMA_TEST(scattered),
		RDMA_TEST(limits),
		RDMA_TEST(write_then_read),
		RDMA_TEST(many_qps),
	};

	return RDMA_RUN("read", tests);
}
