/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a NIC's traffic was looped inside and what was on the wire, by its counters and by the
 * wire's own, for test_loopback.c and test_loop_ud.c.
 */
#ifndef CAIRN_TEST_LOOP_H
#define CAIRN_TEST_LOOP_H

#include "rdma.h"

static const enum cairn_counter counted[] = {
	CAIRN_COUNTER_TX_PACKETS,      CAIRN_COUNTER_RX_PACKETS,      CAIRN_COUNTER_TX_BYTES,
	CAIRN_COUNTER_RX_BYTES,	       CAIRN_COUNTER_TX_LOOP_PACKETS, CAIRN_COUNTER_RX_LOOP_PACKETS,
	CAIRN_COUNTER_TX_LOOP_BYTES,   CAIRN_COUNTER_RX_LOOP_BYTES,   CAIRN_COUNTER_RX_OVERRUN,
	CAIRN_COUNTER_RX_ROCE_PACKETS,
};

enum {
	TX,
	RX,
	TX_BYTES,
	RX_BYTES,
	TX_LOOP,
	RX_LOOP,
	TX_LOOP_BYTES,
	RX_LOOP_BYTES,
	OVERRUN,
	ROCE,
	N
};

struct seen {
	uint64_t n[N];
	struct sim_wire_stats wire;
};

static inline struct seen look(struct rdma *r, unsigned int nic)
{
	struct seen seen = { .wire = *sim_wire_stats(sim_wire(r->sim), nic) };

	for (unsigned int i = 0; i < N; i++)
		seen.n[i] = rdma_counter(r, nic, counted[i]);
	return seen;
}

/*
 * Since `before`: the port's counters less those of the loop are what the wire saw. (Bytes: of
 * frames of 60 and more; shorter ones are padded on the wire.)
 */
static inline struct seen since(struct rdma *r, unsigned int nic, const struct seen *before)
{
	struct seen now = look(r, nic), d;

	for (unsigned int i = 0; i < N; i++)
		d.n[i] = now.n[i] - before->n[i];
	d.wire.tx_frames = now.wire.tx_frames - before->wire.tx_frames;
	d.wire.rx_frames = now.wire.rx_frames - before->wire.rx_frames;
	d.wire.tx_bytes = now.wire.tx_bytes - before->wire.tx_bytes;
	d.wire.rx_bytes = now.wire.rx_bytes - before->wire.rx_bytes;
	d.wire.loop_frames = now.wire.loop_frames - before->wire.loop_frames;
	d.wire.loop_bytes = now.wire.loop_bytes - before->wire.loop_bytes;
	rdma_assert(r, d.n[TX] - d.n[TX_LOOP] == d.wire.tx_frames);
	rdma_assert(r, d.n[RX] - d.n[RX_LOOP] + d.n[OVERRUN] == d.wire.rx_frames);
	rdma_assert(r, d.n[RX_BYTES] - d.n[RX_LOOP_BYTES] == d.wire.rx_bytes);
	rdma_assert(r,
		    d.n[RX_LOOP] == d.wire.loop_frames && d.n[RX_LOOP_BYTES] == d.wire.loop_bytes);
	return d;
}

/* All of it stayed inside, and something did. */
static inline void all_inside(struct rdma *r, const struct seen *before)
{
	struct seen d = since(r, 0, before);

	rdma_assert(r, d.n[TX] && !d.wire.tx_frames && !d.wire.rx_frames);
	rdma_assert(r, d.n[TX_LOOP] == d.n[TX] && d.n[RX_LOOP] == d.n[TX]);
	rdma_assert(r, d.n[TX_LOOP_BYTES] == d.n[TX_BYTES] && d.n[RX_LOOP_BYTES] == d.n[TX_BYTES]);
	rdma_assert(r, d.n[ROCE] == d.n[TX]);
}

static inline struct rdma *begin(void)
{
	struct rdma *r = rdma_begin(NULL);

	if (!(r->nic[0].caps.features & CAIRN_REG_FEATURES_LOOP)) {
		rdma_end(r);
		skip();
	}
	rdma_announced(r);
	return r;
}

#endif
