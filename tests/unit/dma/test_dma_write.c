// SPDX-License-Identifier: Apache-2.0
/*
 * dma_write: every byte at its address for all alignments, lengths and MPS; one order; tickets;
 * locking of packets; rates without any bubble; bus master off; function reset.  Stands for its
 * parts, too: dma_wr_arbiter, dma_wr_beat, dma_split, dma_tlp_hdr.
 */
#include "wr_bench.h"

#define MPS_MAX 512 /* parameter's default */

/* A packet of up to `max` bytes in one to three commands, at random places. */
static void packet(struct wr_bench *b, unsigned int client, unsigned int max)
{
	struct rng *rng = &b->tb->rng;
	unsigned int parts = (unsigned int)rng_range(rng, 1, 3);
	bool discard = rng_percent(rng, 10);

	for (unsigned int i = 0; i < parts; i++) {
		unsigned int len =
			(unsigned int)rng_range(rng, 1, rng_percent(rng, 50) ? 100 : max / parts);

		wr_payload(b, client, len, (unsigned int)rng_below(rng, 4096), i == 0,
			   i == parts - 1 && !discard);
	}
	if (discard)
		wr_payload(b, client, 0, 0, false, true);
}

static void mixture(struct wr_bench *b, unsigned int n)
{
	while (n--) {
		unsigned int client = (unsigned int)rng_below(&b->tb->rng, WR_CLIENTS);

		if (client < 2 && rng_percent(&b->tb->rng, 70))
			packet(b, client, 4096);
		else
			wr_small(b, client, 0, 0);
	}
}

static void random_writes(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 6; i++) {
		struct wr_bench *b = wr_bench_new(128u << i, MPS_MAX);

		b->mwr_stall = i * 15;
		b->pool_gap = 60 - i * 12;
		b->pool_cmd_stall = i * 10;
		b->cmd_idle = i * 16;
		mixture(b, 400);
		wr_finish(b, 300000);
		wr_bench_free(b);
	}
}

/* Relaxed ordering off: no write is marked, whatever its command says. */
static void strict_order(void **state)
{
	struct wr_bench *b = wr_bench_new(256, MPS_MAX);

	(void)state;
	b->strict = true;
	vtb_set(b->tb, "relaxed_i", 0);
	mixture(b, 400);
	wr_finish(b, 300000);
	wr_bench_free(b);
}

/* Each displacement of the payload with lengths around the beats. */
static void alignments(void **state)
{
	struct wr_bench *b = wr_bench_new(128, MPS_MAX);

	(void)state;
	for (unsigned int off = 0; off < 64; off++) {
		for (unsigned int len = 1; len < 300;
		     len += 1 + (unsigned int)rng_below(&b->tb->rng, 60))
			wr_payload(b, 0, len, off, true, true);
		for (unsigned int len = 1; len <= 64;
		     len += 1 + (unsigned int)rng_below(&b->tb->rng, 12))
			wr_small(b, 4, len, off);
		wr_small(b, 5, 64, 4096 - off);
		wr_payload(b, 1, 4096, off, true, true);
	}
	wr_finish(b, 200000);
	wr_bench_free(b);
}

/*
 * What the link takes at once: payloads of 4096 bytes at each alignment, MPS 256, a beat in every
 * cycle. A TLP is offered when it is complete, so while the buffer is empty the end of a long one
 * behind a short one may be waited for, once: the whole run takes no longer than its beats and one
 * TLP.
 */
static void payload_rate(void **state)
{
	(void)state;
	for (unsigned int off = 0; off < 256; off += 1 + 6 * (off >= 64)) {
		struct wr_bench *b = wr_bench_new(256, MPS_MAX);

		for (unsigned int i = 0; i < 5; i++)
			wr_payload(b, 0, 4096 - (i & 1 ? off : 0), off, true, true);
		wr_finish(b, 5000);
		vtb_check(b->tb, b->last_beat - b->first_beat + 1 <= b->n_beats + 256 / b->bytes);
		if (!off)
			vtb_check_eq(b->tb, b->last_beat - b->first_beat + 1, b->n_beats);
		wr_bench_free(b);
	}
}

/* Cycles from a command to the next: below 512 bit the arbiter keeps each in a register. */
static unsigned int apart(const struct wr_bench *b)
{
	return b->bytes < 64 ? 2 : 1;
}

/* Small writes that fit a beat: one a cycle (512 bit), from one client and from all. */
static void small_rate(void **state)
{
	(void)state;
	for (unsigned int all = 0; all < 2; all++) {
		struct wr_bench *b = wr_bench_new(256, MPS_MAX);
		unsigned int n = 300;

		for (unsigned int i = 0; i < n; i++)
			wr_small(b, all ? i % WR_CLIENTS : 6, 1 + i % (b->bytes - 4), 4 * (i % 2));
		wr_finish(b, 5000);
		vtb_check_eq(b->tb, b->n_beats, n);
		vtb_check_eq(b->tb, b->max_gap, apart(b));
		for (unsigned int i = 1; i < n; i++)
			vtb_check_eq(b->tb, b->order[i]->t_taken - b->order[i - 1]->t_taken,
				     apart(b));
		wr_bench_free(b);
	}
}

/* CQE-sized writes between payloads of one MTU: still a beat in every cycle. */
static void mixed_rate(void **state)
{
	struct wr_bench *b = wr_bench_new(256, MPS_MAX);

	(void)state;
	for (unsigned int i = 0; i < 40; i++) {
		wr_payload(b, i & 1, 1024, 4 * i, true, true);
		wr_small(b, 2, 32, 64 * i);
	}
	wr_finish(b, 20000);
	vtb_check_eq(b->tb, b->max_gap, 1);
	wr_bench_free(b);
}

/* A lone write of another client than the last is taken a cycle late, others at once. */
static void lone_writes(void **state)
{
	struct wr_bench *b = wr_bench_new(256, MPS_MAX);
	unsigned int last = 0;

	(void)state;
	for (unsigned int i = 0; i < 100; i++) {
		unsigned int client = (unsigned int)rng_below(&b->tb->rng, WR_CLIENTS);
		uint64_t begin = b->tb->cycle;

		wr_small(b, client, 8, 0);
		vtb_run_until(b->tb, b->n_taken == i + 1, 20);
		vtb_check_eq(b->tb, b->order[i]->t_taken - begin,
			     apart(b) - 1u + (client != last));
		last = client;
		vtb_run(b->tb, 5);
	}
	wr_finish(b, 5000);
	wr_bench_free(b);
}

static void round_robin(void **state)
{
	struct wr_bench *b = wr_bench_new(256, MPS_MAX);
	unsigned int count[WR_CLIENTS] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < 100; i++)
		for (unsigned int k = 0; k < WR_CLIENTS; k++)
			wr_small(b, k, 4, 0);
	vtb_run(b->tb, 160 * apart(b) + 1);
	for (unsigned int i = 0; i < 160; i++)
		count[b->order[i]->client]++;
	for (unsigned int k = 0; k < WR_CLIENTS; k++)
		vtb_check(b->tb, count[k] >= 19);
	wr_finish(b, 5000);
	wr_bench_free(b);
}

/* The sent ticket waits for the link, through a wrap of 16 bits. */
static void tickets(void **state)
{
	struct wr_bench *b = wr_bench_new(256, MPS_MAX);
	unsigned int before;

	(void)state;
	b->mwr_stall = 100;
	wr_small(b, 5, 16, 0);
	vtb_run_until(b->tb, b->n_taken, 10);
	wr_payload(b, 0, 0, 0, true, true);
	vtb_run(b->tb, 50);
	vtb_check_eq(b->tb, b->n_taken, 2);
	before = (b->order[0]->ticket - 1) & 0xffff;
	vtb_check_eq(b->tb, vtb_read(b->sent), before);
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 0);
	vtb_check(b->tb, vtb_get(b->tb, "epoch_busy_o") != 0);
	b->mwr_stall = 0;
	wr_finish(b, 100);
	for (unsigned int lap = 0; lap < 9; lap++) {
		for (unsigned int i = 0; i < 8000; i++)
			wr_small(b, 2, 4, 0);
		wr_finish(b, 20000);
		if (lap < 8) { /* forget the past */
			b->n_cmds = b->n_taken = b->n_sent = 0;
			memset(b->head, 0, sizeof(b->head));
			memset(b->cmds, 0, WR_MAX_CMDS * sizeof(*b->cmds));
			b->pool_cmds = b->pool_fed = 0;
		}
	}
	vtb_check(b->tb, b->order[7999]->ticket < before + 10000);
	wr_bench_free(b);
}

/* Dropped TLPs move everything on; what was begun is not cut. */
static void bus_master_off(void **state)
{
	struct wr_bench *b = wr_bench_new(256, MPS_MAX);

	(void)state;
	mixture(b, 100);
	vtb_run(b->tb, 100);
	vtb_run_until(b->tb, !b->mid, 100);
	b->drop = true;
	vtb_run(b->tb, 300);
	vtb_run_until(b->tb, !b->mid, 100);
	b->drop = false;
	wr_finish(b, 50000);
	vtb_check(b->tb, b->n_dropped > 5 && b->n_dropped < b->n_tlps);
	wr_bench_free(b);
}

/* Reset under load at random moments: stops at a TLP boundary, forgets the rest,
 * then works as new. */
static void function_reset(void **state)
{
	(void)state;
	for (unsigned int round = 0; round < 40; round++) {
		struct wr_bench *b = wr_bench_new(256, MPS_MAX);
		uint64_t tlps;

		b->mwr_stall = round % 4 * 25;
		b->pool_gap = round % 3 * 30;
		mixture(b, 200);
		vtb_run(b->tb, 100 + (round * 7) % 50);
		vtb_set(b->tb, "flr_i", 1);
		vtb_run_until(b->tb, !b->mid, 1000);
		b->drop = true; /* as tlp_tx does */
		vtb_run_until(b->tb, vtb_get(b->tb, "flr_done_o"), 1000);
		vtb_check_eq(b->tb, vtb_get(b->tb, "last_ticket_o"), vtb_read(b->sent));
		vtb_check_eq(b->tb, vtb_get(b->tb, "epoch_busy_o"), 0);
		vtb_check(b->tb, !b->mid);

		/* Clients and pool reader are reset as well. */
		b->n_cmds = b->n_taken = b->n_sent = b->pool_cmds = b->pool_fed = b->pool_pos =
			b->locked = 0;
		b->pool_shown = b->drop = false;
		memset(b->head, 0, sizeof(b->head));
		memset(b->shown, 0, sizeof(b->shown));
		memset(b->cmds, 0, WR_MAX_CMDS * sizeof(*b->cmds));
		tlps = b->n_tlps;
		vtb_run(b->tb, 20);
		vtb_check_eq(b->tb, b->n_tlps, tlps);
		vtb_check_eq(b->tb, vtb_get(b->tb, "flr_done_o"), 1);
		vtb_set(b->tb, "flr_i", 0);
		mixture(b, 40);
		wr_finish(b, 50000);
		wr_bench_free(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_writes),  cmocka_unit_test(alignments),
		cmocka_unit_test(strict_order),
		cmocka_unit_test(payload_rate),	  cmocka_unit_test(small_rate),
		cmocka_unit_test(mixed_rate),	  cmocka_unit_test(lone_writes),
		cmocka_unit_test(round_robin),
		cmocka_unit_test(tickets),	  cmocka_unit_test(bus_master_off),
		cmocka_unit_test(function_reset),
	};

	return cmocka_run_group_tests_name("dma_write", tests, NULL, NULL);
}
