// SPDX-License-Identifier: Apache-2.0
/*
 * WRITE, READ and SEND between two NICs, each in the same way: lengths, alignments, path MTUs,
 * large messages.  What only one of them has is in test_write, test_read and test_send.
 */
#include "rdma.h"

#define MTU 1024u

struct move {
	enum cairn_wqe_op op;
	size_t local, remote;	      /* where the buffers of lengths() begin in a page */
	size_t far_local, far_remote; /* and those of large() */
};

static const struct move moves[] = {
	{ CAIRN_WQE_OP_WRITE, 5, 61, 17, 4090 },
	{ CAIRN_WQE_OP_READ, 7, 50, 4095, 31 },
	{ CAIRN_WQE_OP_SEND, 33, 2, 63, 1 },
};
#define MOVES (sizeof(moves) / sizeof(moves[0]))

/* One message; a SEND goes into a receive request of its length, or with a byte to spare, and every
 * other one has an immediate. */
static void move(struct rdma_qp *qp, const struct move *m, struct rdma_buf *local, size_t from,
		 struct rdma_buf *remote, size_t to, uint32_t len)
{
	struct rdma_wr wr = rdma_wr(m->op, local, from, remote, to, len);

	if (m->op == CAIRN_WQE_OP_SEND) {
		uint32_t room = len + (len >> 2 & 1);
		struct cairn_sge sge = rdma_sge(remote, to, room);

		wr = rdma_wr(len & 1 ? CAIRN_WQE_OP_SEND : CAIRN_WQE_OP_SEND_IMM, local, from, NULL,
			     0, len);
		wr.imm = 0x01020304 + len;
		wr.solicited = len & 2;
		rdma_post_recv(qp->peer, &sge, room != 0);
		rdma_ring_recv(qp->peer);
	}
	rdma_post(qp, &wr);
}

/* Messages of those lengths, in batches, each to a place of its own. */
static void move_lengths(struct rdma_qp *qp, const struct move *m, uint32_t from, uint32_t to)
{
	struct rdma *r = qp->r;
	size_t total = 0, at = 0;
	struct rdma_buf *local, *remote;

	for (uint32_t len = from; len <= to; len++)
		total += len + 1;
	local = rdma_buf(r, 0, total, m->local);
	remote = rdma_buf(r, 1, total, m->remote);
	for (uint32_t len = from; len <= to; len++) {
		move(qp, m, local, at, remote, at, len);
		at += len + 1; /* a byte between two that nothing touches */
		if (rdma_room(qp) < 4 || rdma_recv_room(qp->peer) < 4) {
			rdma_ring(qp);
			rdma_wait_due(r, 4);
		}
	}
	rdma_ring(qp);
	rdma_wait(r);
}

static void lengths(void **state)
{
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	for (const struct move *m = moves; m < moves + MOVES; m++) {
		struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);

		move_lengths(qp, m, 0, 130);
		move_lengths(qp, m, MTU - 33, MTU + 33);
		move_lengths(qp, m, 2 * MTU - 3, 2 * MTU + 3);
	}
	rdma_end(r);
}

static void offsets(void **state)
{
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	for (const struct move *m = moves; m < moves + MOVES; m++) {
		struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
		struct rdma_buf *local = rdma_buf(r, 0, 64 * 256, 0),
				*remote = rdma_buf(r, 1, 64 * 256, 0);

		for (uint32_t o = 0; o < 64; o++) {
			move(qp, m, local, o * 256 + o, remote, o * 256 + (o * 29 + 7) % 64,
			     97 + o);
			if (o % 16 == 15) {
				rdma_ring(qp);
				rdma_wait(r);
			}
		}
	}
	rdma_end(r);
}

/* Each path MTU at its edges, over IPv6 for every other. */
static void path_mtus(void **state)
{
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	for (uint32_t code = 1; code <= 5; code++) {
		uint32_t mtu = 128u << code;
		struct rdma_qp_cfg cfg;

		rdma_qp_cfg_init(&cfg);
		cfg.pmtu = code;
		cfg.gid_index = 1 + (code & 1 && r->nic[0].caps.features & CAIRN_REG_FEATURES_IPV6);
		for (const struct move *m = moves; m < moves + MOVES; m++) {
			struct rdma_qp *qp = rdma_pair(r, 0, 1, &cfg);

			move_lengths(qp, m, mtu - 1, mtu + 1);
			move_lengths(qp, m, 3 * mtu - 1, 3 * mtu + 1);
		}
	}
	rdma_end(r);
}

static void large(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp_cfg cfg;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.pmtu = 5;
	for (const struct move *m = moves; m < moves + MOVES; m++) {
		struct rdma_qp *qp = rdma_pair(r, 0, 1, &cfg);
		struct rdma_buf *local = rdma_buf(r, 0, 1 << 20, m->far_local);
		struct rdma_buf *remote = rdma_buf(r, 1, 1 << 20, m->far_remote);

		for (uint32_t len = 65536; len <= 1 << 20; len <<= 4) {
			move(qp, m, local, 0, remote, 0, len);
			rdma_ring(qp);
			rdma_wait(r);
		}
	}
	rdma_end(r);
}

static void stressed_pcie(void **state)
{
	struct rdma_cfg cfg = { .stress = true };
	struct rdma *r = rdma_begin(&cfg);

	(void)state;
	for (const struct move *m = moves; m < moves + MOVES; m++) {
		struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);

		move_lengths(qp, m, 0, 40);
		move_lengths(qp, m, 2 * MTU - 20, 2 * MTU + 20);
	}
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(lengths), RDMA_TEST(offsets),	      RDMA_TEST(path_mtus),
		RDMA_TEST(large),   RDMA_TEST(stressed_pcie),
	};

	return RDMA_RUN("moves", tests);
}
