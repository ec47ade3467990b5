// SPDX-License-Identifier: Apache-2.0
/*
 * What a NIC has asked for finds room, whatever is sent to it besides: READs and atomics of many
 * QPs while requests of the peer stand still at the receiver and are dropped.  No answer is lost:
 * no implied NAK, no ack timer, nothing asked for twice.
 *
 * NIC 0 asks.  Its memory is far away, and NIC 1 sends it atomics that wait for one another, which
 * fills everything up to the records of received packets, and WRITEs behind them.  At 512 bits: at
 * 64 a NIC has fewer atomics outstanding than that takes.
 */
#include <stdio.h>

#include "rdma.h"

#define FAR_APART (1u << CAIRN_ATOMIC_PLACE_LOG2) /* atomics that wait for one another */
#define FAR_NS 1500u
#define ASKERS 4u
#define BLOCKERS 8u
#define WRITERS 8u
#define ATOMICS 16u /* of a blocker, in pairs that wait for one another */
#define WRITES 60u  /* of a writer */
#define BYTES 64u

struct scene {
	struct rdma *r;
	struct rdma_qp *asker[ASKERS], *blocker[BLOCKERS], *writer[WRITERS];
	struct rdma_buf *here, *there, *from, *words, *sums;
};

static void scene_init(struct scene *s, unsigned int reads)
{
	/* No capture: the judge of packets cannot know what is dropped inside. */
	static const struct rdma_cfg cfg = { .data_w = 512, .pcap = "" };
	struct rdma_buf_cfg at = { .access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC };
	struct rdma_qp_cfg qp;

	s->r = rdma_begin(&cfg);
	rdma_qp_cfg_init(&qp);
	qp.access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC;
	qp.timeout = 12; /* 17 ms: not to be waited for */
	for (unsigned int i = 0; i < ASKERS; i++)
		s->asker[i] = rdma_pair(s->r, 0, 1, &qp);
	for (unsigned int i = 0; i < BLOCKERS; i++)
		s->blocker[i] = rdma_pair(s->r, 1, 0, &qp);
	for (unsigned int i = 0; i < WRITERS; i++)
		s->writer[i] = rdma_pair(s->r, 1, 0, &qp);
	s->here = rdma_buf(s->r, 0, (size_t)ASKERS * reads * BYTES + WRITERS * WRITES * 8, 0);
	at.len = (size_t)ASKERS * reads * BYTES;
	s->there = rdma_buf_with(s->r, 1, &at);
	s->from = rdma_buf(s->r, 1, WRITERS * WRITES * 8, 0);
	at.len = FAR_APART + 8 * BLOCKERS * ATOMICS;
	s->words = rdma_buf_with(s->r, 0, &at);
	s->sums = rdma_buf(s->r, 1, BLOCKERS * ATOMICS * 8, 0);
	/* NICs may be those of the test before. */
	sim_pcie_set_rtt(sim_nic_pcie(sim_nic(s->r->sim, 0)), FAR_NS);
}

/* Those of each QP one after the other, rung together. */
static void block(struct scene *s)
{
	size_t behind = s->here->len - WRITERS * WRITES * 8;

	for (unsigned int i = 0; i < BLOCKERS; i++) {
		for (unsigned int n = 0; n < ATOMICS; n++) {
			size_t at = 8 * (i * ATOMICS + n / 2) + n % 2 * FAR_APART;
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_ATOMIC_FA, s->sums,
						    8 * (i * ATOMICS + n), s->words, at, 8);

			wr.swap_add = n + 1;
			rdma_post(s->blocker[i], &wr);
		}
		rdma_ring(s->blocker[i]);
	}
	for (unsigned int i = 0; i < WRITERS; i++) {
		for (unsigned int n = 0; n < WRITES; n++) {
			size_t at = 8 * ((size_t)i * WRITES + n);
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s->from, at, s->here,
						    behind + at, 8);

			rdma_post(s->writer[i], &wr);
		}
		rdma_ring(s->writer[i]);
	}
}

static void ask(struct scene *s, enum cairn_wqe_op op, unsigned int reads, unsigned int from,
		unsigned int to)
{
	for (unsigned int i = 0; i < ASKERS; i++) {
		for (unsigned int n = from; n < to; n++) {
			size_t at = ((size_t)i * reads + n) * BYTES;
			struct rdma_wr wr = rdma_wr(op, s->here, at, s->there, at,
						    op == CAIRN_WQE_OP_READ ? BYTES : 8);

			wr.swap_add = 1;
			rdma_post(s->asker[i], &wr);
		}
		rdma_ring(s->asker[i]);
	}
}

static void beside_requests(enum cairn_wqe_op op)
{
	static const enum cairn_counter none[] = { CAIRN_COUNTER_IMPLIED_NAK,
						   CAIRN_COUNTER_ACK_TIMEOUT,
						   CAIRN_COUNTER_GO_BACKS };
	unsigned int reads = 24;
	struct scene s;
	uint64_t before[3], dropped;

	scene_init(&s, reads);
	/* keys, pages and records are on the chip */
	ask(&s, op, reads, 0, 1);
	rdma_wait(s.r);
	for (unsigned int i = 0; i < 3; i++)
		before[i] = rdma_counter(s.r, 0, none[i]);
	dropped = rdma_counter(s.r, 0, CAIRN_COUNTER_RX_NO_BUFFER);
	block(&s);
	for (unsigned int n = 1; n < reads; n += 4) {
		ask(&s, op, reads, n, n + 4 < reads ? n + 4 : reads);
		rdma_run(s.r, 400);
		rdma_poll(s.r);
	}
	rdma_wait(s.r);
	dropped = rdma_counter(s.r, 0, CAIRN_COUNTER_RX_NO_BUFFER) - dropped;
	printf("# %llu requests were dropped\n", (unsigned long long)dropped);
	rdma_assert(s.r, dropped > 20);
	for (unsigned int i = 0; i < 3; i++)
		rdma_assert(s.r, rdma_counter(s.r, 0, none[i]) == before[i]);
	sim_pcie_set_rtt(sim_nic_pcie(sim_nic(s.r->sim, 0)), 600);
	rdma_end(s.r);
}

static void reads_beside_requests(void **state)
{
	(void)state;
	beside_requests(CAIRN_WQE_OP_READ);
}

static void atomics_beside_requests(void **state)
{
	(void)state;
	beside_requests(CAIRN_WQE_OP_ATOMIC_FA);
}

/*
 * Many QPs with all the READs that they may have: more than the NIC has outstanding.  All of them
 * end, none is asked for twice, and nothing is dropped.
 */
static void more_than_may_be_out(void **state)
{
	static const struct rdma_cfg cfg = { .pcap = "" };
	struct rdma_qp_cfg qp;
	struct rdma_buf *a, *b;
	struct rdma_qp *asker[24];
	struct rdma *r = rdma_begin(&cfg);
	unsigned int each = 32;
	uint64_t dropped = rdma_counter(r, 0, CAIRN_COUNTER_RX_NO_BUFFER);
	uint64_t went_back = rdma_counter(r, 0, CAIRN_COUNTER_GO_BACKS);

	(void)state;
	rdma_qp_cfg_init(&qp);
	qp.timeout = 12;
	a = rdma_buf(r, 0, (size_t)24 * each * 8, 0);
	b = rdma_buf(r, 1, (size_t)24 * each * 8, 0);
	for (unsigned int i = 0; i < 24; i++)
		asker[i] = rdma_pair(r, 0, 1, &qp);
	for (unsigned int round = 0; round < 2; round++) {
		/* the second time the memory is far away: all that may be is outstanding */
		sim_pcie_set_rtt(sim_nic_pcie(sim_nic(r->sim, 1)), round ? 4000 : 600);
		for (unsigned int i = 0; i < 24; i++) {
			for (unsigned int n = 0; n < each; n++) {
				size_t at = 8 * ((size_t)i * each + n);
				struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_READ, a, at, b, at, 8);

				rdma_post(asker[i], &wr);
			}
			rdma_ring(asker[i]);
		}
		rdma_wait(r);
	}
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_RX_NO_BUFFER) == dropped);
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_GO_BACKS) == went_back);
	sim_pcie_set_rtt(sim_nic_pcie(sim_nic(r->sim, 1)), 600);
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(reads_beside_requests),
		RDMA_TEST(atomics_beside_requests),
		RDMA_TEST(more_than_may_be_out),
	};

	return RDMA_RUN("answers", tests);
}
