// SPDX-License-Identifier: Apache-2.0
/* SEND and SEND with immediate: scattered receives, RNR, many QPs. Lengths: test_moves. */
#include "rdma.h"

/* One message into a receive request of `room` bytes. */
static void send_one(struct rdma_qp *qp, const struct rdma_wr *wr, const struct rdma_buf *dst,
		     size_t at, size_t room)
{
	struct cairn_sge sge = rdma_sge(dst, at, room);

	rdma_post_recv(qp->peer, &sge, room != 0);
	rdma_ring_recv(qp->peer);
	rdma_post(qp, wr);
	rdma_ring(qp);
}

static void one(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 100, 0), *dst = rdma_buf(r, 1, 100, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, src, 0, NULL, 0, 100);
	uint64_t before = rdma_counter(r, 1, CAIRN_COUNTER_RX_SEND);

	(void)state;
	send_one(qp, &wr, dst, 0, 100);
	rdma_wait(r);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_RX_SEND) == before + 1);
	rdma_end(r);
}

/* Elements of both sides cut messages and packets anywhere; some are empty. */
static void scattered(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	struct rdma_buf *src, *dst;
	size_t at = 0;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.send_sge = cfg.recv_sge = CAIRN_MAX_SGE;
	cfg.pmtu = 1;
	qp = rdma_pair(r, 0, 1, &cfg);
	src = rdma_buf(r, 0, 65536, 0);
	dst = rdma_buf(r, 1, 65536, 21);
	for (unsigned int i = 0; i < 24; i++) {
		unsigned int n = 1 + (unsigned int)rng_below(&r->rng, CAIRN_MAX_SGE);
		struct rdma_wr wr = { .op = CAIRN_WQE_OP_SEND, .num_sge = 1 + i % CAIRN_MAX_SGE };
		struct cairn_sge to[CAIRN_MAX_SGE];
		size_t len = 0, room = 0;

		for (unsigned int s = 0; s < wr.num_sge; s++) {
			uint32_t piece = (uint32_t)rng_below(&r->rng, s % 4 ? 90 : 2);

			wr.sge[s] = rdma_sge(src, rng_below(&r->rng, 65000), piece);
			len += piece;
		}
		for (unsigned int s = 0; s < n; s++) {
			size_t piece = s + 1 < n ? rng_below(&r->rng, 120) : len;

			to[s] = rdma_sge(dst, at + room, piece);
			room += piece;
		}
		at += room;
		rdma_assert(r, at < dst->len);
		rdma_post_recv(qp->peer, to, n);
		rdma_ring_recv(qp->peer);
		rdma_post(qp, &wr);
		rdma_ring(qp);
		if (i % 8 == 7)
			rdma_wait(r);
	}
	rdma_end(r);
}

static void inlined(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	struct rdma_buf *src, *dst;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.max_inline = CAIRN_MAX_INLINE;
	qp = rdma_pair(r, 0, 1, &cfg);
	src = rdma_buf(r, 0, 256, 0);
	dst = rdma_buf(r, 1, 32 * 256, 0);
	for (unsigned int i = 0; i <= CAIRN_MAX_INLINE / 8; i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, src, i, NULL, 0, 8 * i);

		wr.sge[0].addr = (uintptr_t)src->data + i;
		wr.in_wqe = true;
		send_one(qp, &wr, dst, i * 256, 256);
		rdma_wait(r);
	}
	rdma_end(r);
}

/* Receives that come late: RNR NAKs, then success, in order. */
static void receiver_not_ready(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 3000, 0), *dst = rdma_buf(r, 1, 3000, 0);
	uint64_t naks = rdma_counter(r, 1, CAIRN_COUNTER_RNR_NAK_SENT);

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, src, i * 1000, NULL, 0, 1000);

		rdma_post(qp, &wr);
	}
	rdma_ring(qp);
	for (unsigned int i = 0; i < 3; i++) {
		struct cairn_sge sge = rdma_sge(dst, i * 1000, 1000);

		rdma_run(r, 10000);
		rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_RNR_NAK_SENT) > naks);
		rdma_post_recv(qp->peer, &sge, 1);
		rdma_ring_recv(qp->peer);
	}
	rdma_wait(r);
	rdma_end(r);
}

static void many_qps(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 48 * 4 * 160, 1),
			*dst = rdma_buf(r, 1, 48 * 4 * 160, 0);
	struct rdma_qp *qp[48];

	(void)state;
	for (unsigned int i = 0; i < 48; i++)
		qp[i] = rdma_pair(r, 0, 1, NULL);
	for (unsigned int round = 0; round < 4; round++)
		for (unsigned int i = 0; i < 48; i++) {
			size_t at = (round * 48 + i) * 160;
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND_IMM, src, at, NULL, 0,
						    rng_below(&r->rng, 161));

			wr.imm = i;
			send_one(qp[i], &wr, dst, at, 160);
		}
	rdma_end(r);
}

/* `count` operations of all kinds, both directions, random. */
static void mix(struct rdma *r, struct rdma_qp *a, unsigned int count)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_SEND, CAIRN_WQE_OP_SEND_IMM,
						 CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_WRITE_IMM,
						 CAIRN_WQE_OP_READ };
	struct rdma_qp *qp[2] = { a, a->peer };
	struct rdma_buf *fixed[2], *moved[2];
	size_t at[2] = { 0, 0 };

	for (unsigned int i = 0; i < 2; i++) {
		fixed[i] = rdma_buf(r, i, 4096, 13);
		moved[i] = rdma_buf(r, i, 160 * 2500, 6);
	}
	for (unsigned int i = 0; i < count; i++) {
		unsigned int s = (unsigned int)rng_below(&r->rng, 2);
		enum cairn_wqe_op op = ops[rng_below(&r->rng, 5)];
		size_t len = rng_below(&r->rng, rng_percent(&r->rng, 70) ? 130 : 2500);
		bool send = cairn_wqe_info[op].kind == CAIRN_WQE_KIND_SEND;
		bool read = op == CAIRN_WQE_OP_READ;
		unsigned int to = read ? s : !s;
		struct rdma_wr wr = read ? rdma_wr(op, moved[s], at[s], fixed[!s], 50, len)
					 : rdma_wr(op, fixed[s], 50, moved[!s], at[!s], len);

		wr.imm = i;
		wr.fence = rng_percent(&r->rng, 20);
		if (rdma_room(qp[s]) < 2 || rdma_recv_room(qp[!s]) < 2) {
			rdma_ring(qp[0]);
			rdma_ring(qp[1]);
			rdma_wait(r);
		}
		if (send || op == CAIRN_WQE_OP_WRITE_IMM) {
			struct cairn_sge sge = rdma_sge(moved[to], at[to], len);

			rdma_post_recv(qp[!s], &sge, send && len);
			rdma_ring_recv(qp[!s]);
		}
		at[to] += len;
		rdma_post(qp[s], &wr);
		if (rng_percent(&r->rng, 60))
			rdma_ring(qp[s]);
	}
	rdma_ring(qp[0]);
	rdma_ring(qp[1]);
}

static void mixed(void **state)
{
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	mix(r, rdma_pair(r, 0, 1, NULL), 120);
	rdma_end(r);
}

/*
 * What a PCIe host can make different, short enough for a table of hosts: payload at odd places out
 * of and into both memories at once, with more reads under way than there are tags of 5 bits, then
 * small ones of all kinds.
 */
static void host(void **state)
{
	static const size_t len = 49152;
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	struct rdma_buf *near[2], *far[2];
	struct rdma_wr wr;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.pmtu = 5;
	qp = rdma_pair(r, 0, 1, &cfg);
	for (unsigned int i = 0; i < 2; i++) {
		near[i] = rdma_buf(r, 0, len, i ? 4095 : 17);
		far[i] = rdma_buf(r, 1, len, i ? 31 : 4090);
	}
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, near[0], 0, far[0], 0, (uint32_t)len);
	rdma_post(qp, &wr);
	wr = rdma_wr(CAIRN_WQE_OP_READ, near[1], 0, far[1], 0, (uint32_t)len);
	rdma_post(qp, &wr);
	rdma_ring(qp);
	rdma_wait(r);
	mix(r, qp, 40);
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(one),		       RDMA_TEST(scattered), RDMA_TEST(inlined),
		RDMA_TEST(receiver_not_ready), RDMA_TEST(many_qps),  RDMA_TEST(mixed),
		RDMA_TEST(host),
	};

	return RDMA_RUN("send", tests);
}
