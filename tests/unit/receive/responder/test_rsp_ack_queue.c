// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_ack alone: ACKs of rsp_commit leave in order, none before its packet is over and the last
 * write of that is taken, one every second cycle; those of rsp_tx between them; none is lost,
 * whatever the wire does.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb_rec.h"

#define MAX 4000u
#define DEPTH 8u

struct bench {
	struct vtb *tb;
	const struct sim_port *job, *tx_job;
	/* ACKs by number, in the order in which they were handed over */
	bool over[MAX], free[MAX];
	unsigned int put, got, refused;
	unsigned int waits; /* cycles for which a write stays in the register of dma_write's port */
	unsigned int busy, stop; /* percent */
	uint64_t first, last;
};

static void cfg(struct bench *b, unsigned int state)
{
	struct cairn_qp_cfg c = { .state = CAIRN_PUT(CAIRN_QP_CFG_STATE, state) };

	vtb_put_bytes(vtb_port(b->tb, "cfg_i"), 0, &c, sizeof(c));
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	unsigned int n = b->got;

	if (!vtb_get(tb, "ack_valid_o"))
		return;
	vtb_check(tb, n < b->put);
	vtb_check_eq(tb, vtb_get_bits(b->job, REC_TX_JOB_PSN), n);
	vtb_check(tb, b->free[n]);
	if (!vtb_get(tb, "ack_ready_i"))
		return;
	if (!n)
		b->first = tb->cycle;
	b->last = tb->cycle;
	b->got++;
}

/* A cycle; what is over, and whose write is taken in it, may go from the next one on. */
static void tick(struct bench *b)
{
	bool taken = !b->waits;

	vtb_set(b->tb, "wr_busy_i", !taken);
	vtb_set(b->tb, "ack_ready_i", !rng_percent(&b->tb->rng, b->stop));
	vtb_tick(b->tb);
	if (b->waits)
		b->waits--;
	for (unsigned int n = b->got; n < b->put && taken; n++)
		b->free[n] |= b->over[n];
	vtb_set(b->tb, "direct_valid_i", 0);
	vtb_set(b->tb, "direct_over_i", 0);
}

static void open_bench(struct bench *b, unsigned int busy, unsigned int stop)
{
	memset(b, 0, sizeof(*b));
	b->tb = vtb_create();
	b->job = vtb_port(b->tb, "ack_o");
	b->tx_job = vtb_port(b->tb, "tx_job_i");
	b->busy = busy;
	b->stop = stop;
	vtb_on_sample(b->tb, sample, b);
	vtb_set(b->tb, "tx_quiet_i", 1);
	cfg(b, CAIRN_QP_STATE_RTS);
	vtb_run(b->tb, 4);
}

/* A packet of rsp_commit: taken in hand in this cycle; long: cycles before it is over. */
static void packet(struct bench *b, unsigned int longer)
{
	unsigned int n = b->put;

	vtb_eval(b->tb);
	if (!vtb_get(b->tb, "room_o")) {
		b->refused++;
		tick(b);
		tick(b);
		return;
	}
	tick(b);
	vtb_set(b->tb, "direct_valid_i", 1);
	vtb_set(b->tb, "direct_psn_i", n);
	vtb_set(b->tb, "direct_over_i", !longer);
	b->put++;
	for (; longer; longer--) {
		tick(b);
		vtb_set(b->tb, "direct_over_i", longer == 1);
	}
	/* Its write goes to the register with it; that is empty, or is being emptied. */
	while (b->waits) {
		vtb_set(b->tb, "direct_over_i", 0);
		tick(b);
		vtb_set(b->tb, "direct_over_i", 1);
	}
	tick(b);
	b->over[n] = true;
	b->waits = rng_percent(&b->tb->rng, b->busy) ? 1 + rng_u64(&b->tb->rng) % 6 : 0;
}

/* rsp_tx has an ACK: from before until it is taken, nothing of rsp_commit may come. */
static void of_tx(struct bench *b)
{
	vtb_set(b->tb, "tx_quiet_i", 0);
	vtb_eval(b->tb);
	vtb_check(b->tb, !vtb_get(b->tb, "room_o"));
	tick(b);
	tick(b);
	vtb_set(b->tb, "tx_valid_i", 1);
	vtb_put_bits(b->tx_job, REC_TX_JOB_PSN, b->put);
	vtb_eval(b->tb);
	for (unsigned int n = 0; !vtb_get(b->tb, "view_ready_o"); n++) {
		vtb_check(b->tb, n < 1000);
		tick(b);
		vtb_eval(b->tb);
	}
	b->over[b->put] = b->free[b->put] = true;
	b->put++;
	tick(b);
	vtb_check(b->tb, vtb_get(b->tb, "view_busy_o"));
	vtb_set(b->tb, "tx_valid_i", 0);
	vtb_set(b->tb, "tx_quiet_i", 1);
}

static void end(struct bench *b)
{
	b->stop = 0;
	for (unsigned int n = 0; b->got != b->put; n++) {
		vtb_check(b->tb, n < 200);
		tick(b);
	}
	tick(b);
	vtb_check(b->tb, !vtb_get(b->tb, "view_busy_o"));
	vtb_destroy(b->tb);
}

/* A message of another QP each: none is left to rsp_tx. */
static void every_second_cycle(void **state)
{
	struct bench b;

	(void)state;
	open_bench(&b, 0, 0);
	for (unsigned int i = 0; i < 500; i++)
		packet(&b, 0);
	vtb_check_eq(b.tb, b.refused, 0);
	for (unsigned int i = 0; i < 4; i++)
		tick(&b);
	vtb_check_eq(b.tb, b.got, 500);
	vtb_check(b.tb, b.last - b.first <= 2 * 499);
	end(&b);
}

/* The wire takes none: as many wait as there is room for, the others are rsp_tx's. */
static void full(void **state)
{
	struct bench b;

	(void)state;
	open_bench(&b, 0, 100);
	for (unsigned int i = 0; i < 20; i++)
		packet(&b, 0);
	vtb_check(b.tb, b.put >= DEPTH - 1 && b.put + b.refused == 20);
	end(&b);
}

static void at_random(void **state)
{
	struct bench b;
	unsigned int refused = 0;

	(void)state;
	for (unsigned int run = 0; run < 8; run++) {
		open_bench(&b, run & 1 ? 60 : 10, run & 2 ? 70 : 20);
		while (b.put < MAX - 2) {
			if (rng_percent(&b.tb->rng, run & 4 ? 20 : 3))
				of_tx(&b);
			packet(&b, rng_percent(&b.tb->rng, 20) ? rng_u64(&b.tb->rng) % 4 : 0);
			if (rng_percent(&b.tb->rng, 5))
				tick(&b);
		}
		refused += b.refused;
		end(&b);
	}
	assert_true(refused > 0);
}

/* A QP that left traffic between the look at it and its ACK says nothing. */
static void gone(void **state)
{
	struct bench b;

	(void)state;
	open_bench(&b, 0, 0);
	packet(&b, 0);
	cfg(&b, CAIRN_QP_STATE_ERR);
	vtb_set(b.tb, "direct_valid_i", 1);
	vtb_set(b.tb, "direct_over_i", 1);
	tick(&b);
	cfg(&b, CAIRN_QP_STATE_RTS);
	packet(&b, 0);
	vtb_check_eq(b.tb, b.put, 2);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_second_cycle),
					    cmocka_unit_test(full), cmocka_unit_test(at_random),
					    cmocka_unit_test(gone) };

	return cmocka_run_group_tests_name("rsp_ack", tests, NULL, NULL);
}
