// SPDX-License-Identifier: Apache-2.0
/*
 * A function reset while the wire stands still in the middle of a frame: it ends in bounded time,
 * the frame is cut with an error, the peer drops and counts it, and what is opened then works.
 * And one in the middle of a frame that the NIC sends to itself: nothing of it gets out.
 */
#include "rdma.h"
#include "sim_priv.h"

#define LEN 16384u
#define QUIET (1u << 22)    /* rtl/host/flr_ctl.sv: cycles until the frame is cut */
#define RESET_CYCLES 20000u /* what else a reset takes, reads that end included */

/* Data both ways, on objects made anew. */
static void works(void)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, LEN, 8), *dst = rdma_buf(r, 1, LEN, 0);
	struct rdma_wr there = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, LEN / 2);
	struct rdma_wr back = rdma_wr(CAIRN_WQE_OP_READ, src, LEN / 2, dst, LEN / 2, LEN / 2);

	rdma_do(qp, &there);
	rdma_do(qp, &back);
	rdma_end(r);
}

/* In the payload of a frame; from then on the line takes nothing. */
static void stop_the_wire(struct rdma *r, struct sim_mac *mac)
{
	for (unsigned int i = 0; mac->tx_len < 200; i++) {
		rdma_assert(r, i < 20000);
		rdma_run(r, 1);
	}
	mac->line.ns = sim_now(r->sim) + 1000000000;
	rdma_run(r, 200);
}

static void wire_stands_still(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, LEN, 0), *dst = rdma_buf(r, 1, LEN, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, LEN);
	struct sim_mac *mac = &r->nic[0].sim->mac;
	uint64_t bad = rdma_counter(r, 1, CAIRN_COUNTER_RX_MAC_ERROR), cycles;

	(void)state;
	rdma_post(qp, &wr);
	rdma_ring(qp);
	stop_the_wire(r, mac);
	cycles = sim_now(r->sim);
	rdma_assert(r, !sim_nic_flr(r->nic[0].sim));
	cycles = (sim_now(r->sim) - cycles) / r->sim->period;
	print_message("# reset after %llu cycles\n", (unsigned long long)cycles);
	rdma_assert(r, cycles >= QUIET && cycles < QUIET + RESET_CYCLES);
	/* the frame ends, and the peer sees that it is no good frame */
	mac->line.ns = sim_now(r->sim);
	rdma_run(r, 2000);
	rdma_assert(r, mac->tx_len == 0);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_RX_MAC_ERROR) == bad + 1);
	rdma_reopen(r, 0);
	works();
}

/* At several places of it. */
static void frame_in_the_loop(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 6; i++) {
		struct rdma *r = rdma_begin(NULL);
		struct rdma_qp *qp = rdma_pair(r, 0, 0, NULL);
		struct rdma_buf *src = rdma_buf(r, 0, LEN, 0), *dst = rdma_buf(r, 0, LEN, 0);
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, LEN);
		struct sim_mac *mac = &r->nic[0].sim->mac;
		uint64_t sent, cycles;

		rdma_settle(r, 20000);
		sent = sim_wire_stats(sim_wire(r->sim), 0)->tx_frames;
		rdma_post(qp, &wr);
		rdma_ring(qp);
		for (unsigned int k = 0; mac->loop_len < 200 * i + 8; k++) {
			rdma_assert(r, k < 20000);
			rdma_run(r, 1);
		}
		cycles = sim_now(r->sim);
		rdma_assert(r, !sim_nic_flr(r->nic[0].sim));
		cycles = (sim_now(r->sim) - cycles) / r->sim->period;
		rdma_assert(r, cycles < RESET_CYCLES);
		rdma_assert(r, sim_wire_stats(sim_wire(r->sim), 0)->tx_frames == sent);
		mac->loop_len = 0;
		rdma_reopen(r, 0);
		r = rdma_begin(NULL);
		qp = rdma_pair(r, 0, 0, NULL);
		src = rdma_buf(r, 0, LEN, 0);
		dst = rdma_buf(r, 0, LEN, 0);
		wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, LEN);
		rdma_do(qp, &wr);
		rdma_end(r);
		works();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(wire_stands_still),
					    RDMA_TEST(frame_in_the_loop) };

	setenv("PCAP", "", 0); /* a message without its end */
	return RDMA_RUN("reset", tests);
}
