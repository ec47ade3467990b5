// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_ack alone: ACKs come out in order, each once, and none before what it stands for has
 * happened: over, its payload taken by dma_write, and no write that may take long, of those taken
 * until then, still to leave for the link.
 */
#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_int.h"
#include "vtb_rec.h"

#define ACKS 4096

struct bench {
	struct vtb *tb;
	unsigned int stall, lag; /* percent: the wire takes none; the link sends none */
	bool stop, quick;	 /* quick: all is over and taken at once */
	/* dma_write: newest write taken, newest large one, newest that has left */
	uint16_t taken, large, sent;
	/* the ACK in hand */
	bool room, held, direct, over, said, busy;
	bool asks, asked_before; /* rsp_tx */
	uint16_t asked; /* newest large write then */
	uint32_t psn;
	struct {
		uint32_t psn;
		uint16_t need;
	} due[ACKS];
	unsigned int put, out;
	unsigned int rung;
	unsigned int late; /* cycles in which one was held back */
};

static void take_write(struct bench *b)
{
	b->taken++;
	if (rng_percent(&b->tb->rng, 30))
		b->large = b->taken;
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	b->direct = !b->stop && b->room && !b->held && !b->asks && rng_percent(&tb->rng, 60);
	if (b->direct) {
		b->psn++;
		b->over = b->busy = false;
	}
	b->said = (b->direct || b->held) && !b->over &&
		  (b->quick || rng_percent(&tb->rng, 40));
	b->busy = (b->direct || b->held) && !b->quick && rng_percent(&tb->rng, 50);
	/* Between two of rsp_tx at least a cycle is free. */
	if (!b->direct && !b->held && !b->asks && !b->asked_before && !b->stop &&
	    rng_percent(&tb->rng, 5)) {
		struct rec_tx_job job = { .psn = ++b->psn };

		b->asks = true;
		b->asked = b->large;
		vtb_put_tx_job(vtb_port(tb, "tx_job_i"), 0, &job);
	}
	b->asked_before = b->asks;
	vtb_set(tb, "tx_valid_i", b->asks);
	vtb_set(tb, "tx_quiet_i", !b->asks);
	vtb_set(tb, "direct_valid_i", b->direct);
	vtb_set(tb, "direct_psn_i", b->psn);
	vtb_set(tb, "direct_over_i", b->said);
	vtb_set(tb, "wr_busy_i", b->busy);
	vtb_set(tb, "ack_ready_i", !rng_percent(&tb->rng, b->stall));
	vtb_set(tb, "posted_late_i", (int16_t)(b->sent - b->large) < 0);
	vtb_set(tb, "posted_slow_i", b->large);
	vtb_set(tb, "posted_sent_i", b->sent);
}

static void put(struct bench *b)
{
	vtb_check(b->tb, b->put < ACKS);
	b->due[b->put].psn = b->psn;
	b->due[b->put++].need = b->large;
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	bool valid = vtb_get(tb, "ack_valid_o");

	vtb_check(tb, !valid || b->out < b->put);
	b->late += !valid && b->out < b->put;
	if (valid && vtb_get(tb, "ack_ready_i")) {
		struct rec_tx_job job = vtb_get_tx_job(vtb_port(tb, "ack_o"), 0);

		vtb_check_eq(tb, job.psn, b->due[b->out].psn);
		vtb_check(tb, (int16_t)(b->sent - b->due[b->out].need) >= 0);
		b->out++;
	}
#ifdef ONE
	/* It leaves through ring 1, behind those that are here and what was written before it. */
	if (b->asks && vtb_get(tb, "view_ready_o")) {
		vtb_check(tb, !vtb_get(tb, "view_busy_o"));
		vtb_check(tb, (int16_t)(b->sent - b->asked) >= 0);
		b->asks = false;
		b->rung++;
	}
#endif
	if (b->sent != b->taken && !rng_percent(&tb->rng, b->lag))
		b->sent++;
	if (!b->stop && rng_percent(&tb->rng, 20) && (uint16_t)(b->taken - b->sent) < 40)
		take_write(b);
	if (b->held && b->over && !b->busy) {
		take_write(b); /* its payload, in this cycle at the latest */
		b->held = false;
		put(b);
	}
	b->held |= b->direct;
	b->over = b->direct ? b->said : b->over || b->said;
#ifndef ONE
	if (b->asks && vtb_get(tb, "view_ready_o")) {
		b->asks = false;
		put(b);
	}
#endif
	b->room = vtb_get(tb, "room_o");
}

static bool all_out(void *arg)
{
	struct bench *b = arg;

	return !b->held && !b->asks && b->out == b->put;
}

static void traffic(unsigned int stall, unsigned int lag, bool quick)
{
	struct cairn_qp_cfg cfg = { .state = CAIRN_PUT(CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTS) };
	struct bench b = { .tb = vtb_create(), .stall = stall, .lag = lag, .quick = quick };

	b.taken = b.sent = b.large = (uint16_t)rng_u64(&b.tb->rng);
	vtb_put_bytes(vtb_port(b.tb, "cfg_i"), 0, &cfg, sizeof(cfg));
	vtb_on_drive(b.tb, drive, &b);
	vtb_on_sample(b.tb, sample, &b);
	vtb_run(b.tb, 5000);
	b.stop = true;
	vtb_run_until_fn(b.tb, all_out, &b, 2000, "all ACKs are out");
#ifdef ONE
	vtb_check(b.tb, b.rung > (lag > 80 ? 0 : 20));
#endif
	if (b.put < (lag > 80 ? 5 : 50) || (lag && !b.late))
		vtb_fail(b.tb, "too little done: %u ACKs, %u cycles held back", b.put, b.late);
	vtb_destroy(b.tb);
}

static void in_order_and_not_early(void **state)
{
	(void)state;
	traffic(0, 0, true);
	traffic(30, 60, false);
	traffic(70, 20, false);
	traffic(0, 90, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(in_order_and_not_early) };

	return cmocka_run_group_tests_name("rsp_ack", tests, NULL, NULL);
}
