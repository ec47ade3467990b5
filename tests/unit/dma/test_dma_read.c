// SPDX-License-Identifier: Apache-2.0
/*
 * dma_read against a host that splits, reorders and interleaves completions: data at every
 * alignment and length, all MRRS and MPS; errors, timeouts and stray completions; tag classes,
 * tickets, bus master, function reset; rates.  Stands for its parts, too: dma_arbiter, dma_rd_port,
 * dma_rd_tags, dma_rd_cpl, dma_split, dma_tlp_hdr.
 */
#include <stdio.h>

#include "rd_bench.h"

#define TAGS (1u << TAGS_LOG2)
#define CTRL_TAGS 32u
#define TIMEOUT_LOG2 24

static void many(struct rd_bench *b, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		rd_ask(b, (unsigned int)rng_below(&b->tb->rng, RD_CLIENTS), 0, 0);
}

/* Every MRRS with some MPS and boundary, under pauses everywhere. */
static void random_reads(void **state)
{
	static const unsigned int mps[] = { 128, 256, 512, 1024, 4096, 256 };

	(void)state;
	for (unsigned int i = 0; i < 6; i++) {
		struct rd_bench *b = rd_bench_new(128u << i, mps[i]);

		b->rcb = i & 1 ? 64 : 128;
		b->mrd_stall = i * 15;
		b->cpl_gap = 60 - i * 12;
		b->req_idle = i * 16;
		many(b, 250);
		rd_finish(b, 400000);
		vtb_check_eq(b->tb, b->ev_err + b->ev_timeout + b->ev_unexpected, 0);
		vtb_check_eq(b->tb, b->n_live, 0);
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
		vtb_check_eq(b->tb, vtb_get(b->tb, "busy_o"), 0);
		rd_bench_free(b);
	}
}

/*
 * Extended tags off: no number above 31 leaves, however much is asked for, payload leaves 8 of them
 * to control, and all 32 are used; switched under way, what is out ends as it was begun.
 */
static void narrow_tags(void **state)
{
	struct rd_bench *b = rd_bench_new(512, 256);

	(void)state;
	rd_bench_narrow(b, true);
	b->hold = true;
	for (unsigned int i = 0; i < 40; i++)
		rd_ask(b, 0, 64, 0);
	vtb_run(b->tb, 400);
	vtb_check_eq(b->tb, b->n_live, 24);
	for (unsigned int i = 0; i < 40; i++)
		rd_ask(b, 2, 64, 0);
	vtb_run(b->tb, 400);
	vtb_check_eq(b->tb, b->n_live, 32);
	vtb_check_eq(b->tb, vtb_get(b->tb, "stuck_o"), 0);
	b->hold = false;
	rd_finish(b, 20000);
	for (unsigned int i = 0; i < 20; i++) {
		rd_bench_narrow(b, i & 1);
		many(b, 60);
		vtb_run(b->tb, 400);
	}
	rd_finish(b, 400000);
	vtb_check_eq(b->tb, b->ev_err + b->ev_timeout + b->ev_unexpected, 0);
	rd_bench_free(b);
}

/* Each alignment with short lengths, and the page boundary. */
static void alignments(void **state)
{
	struct rd_bench *b = rd_bench_new(512, 256);

	(void)state;
	for (unsigned int off = 0; off < 64; off++) {
		for (unsigned int len = 1; len <= 9; len += 1 + off % 3)
			rd_ask(b, off % RD_CLIENTS, len, off);
		rd_ask(b, off % RD_CLIENTS, 65 + off, off);
		rd_ask(b, off % RD_CLIENTS, 64, 4096 - off);
	}
	rd_ask(b, 0, 4096, 0);
	rd_ask(b, 0, 4096, 1);
	rd_ask(b, 0, 4096, 4095);
	rd_finish(b, 100000);
	rd_bench_free(b);
}

/*
 * MRRS 512: an MRd in each cycle (below 512 bit in each second one) while tags last, from payload
 * and from two control clients.
 */
static void issue_rate(void **state)
{
	(void)state;
	for (unsigned int ctl = 0; ctl < 2; ctl++) {
		struct rd_bench *b = rd_bench_new(512, 256);
		unsigned int n = ctl ? TAGS : TAGS - CTRL_TAGS, i;

		b->hold = true;
		for (i = 0; i < (ctl ? n : n / 8); i++)
			rd_ask(b, ctl ? 1 + i % 2 : 0, ctl ? 64 : 4096, ctl ? 64 * (i % 32) : 0);
		vtb_run_until(b->tb, b->n_mrd == n, 2000);
		for (i = 1; i < n; i++)
			vtb_check_eq(b->tb, b->mrd_cycle[i] - b->mrd_cycle[i - 1],
				     b->bytes < 64 ? 2 : 1);
		b->hold = false;
		rd_finish(b, 100000);
		rd_bench_free(b);
	}
}

/*
 * Payload at MRRS 512, completions of 256 bytes in a latency of 150 cycles: the data stream has a
 * beat in each cycle, that is, nothing but the host's link limits it.
 */
static void bandwidth(void **state)
{
	struct rd_bench *b = rd_bench_new(512, 256);
	uint64_t beats, from, n;

	(void)state;
	b->in_order = true;
	b->lat_min = b->lat_max = 150;
	for (unsigned int i = 0; i < 150; i++)
		rd_ask(b, 0, 4096, 0);
	vtb_run_until(b->tb, b->n_rsp > 500, 5000);
	from = b->tb->cycle;
	beats = b->n_rsp;
	vtb_run(b->tb, b->bytes == 64 ? 6000 : 8000);
	n = b->tb->cycle - from;
	vtb_check_eq(b->tb, b->n_rsp - beats, n);
	rd_finish(b, 200000);
	rd_bench_free(b);
}

/* Single-beat completions of different tags, each ending its request, one in each cycle. */
static void small_rate(void **state)
{
	struct rd_bench *b = rd_bench_new(512, 256);
	uint64_t beats;

	(void)state;
	b->hold = true;
	for (unsigned int i = 0; i < TAGS; i++)
		rd_ask(b, 1 + i % 7, b->bytes, 0);
	vtb_run_until(b->tb, b->n_live == TAGS, 2000);
	b->hold = false;
	vtb_run_until(b->tb, b->n_rsp > 4, 300);
	beats = b->n_rsp;
	vtb_run(b->tb, TAGS / 2);
	vtb_check_eq(b->tb, b->n_rsp - beats, TAGS / 2);
	rd_finish(b, 2000);
	rd_bench_free(b);
}

static void control_passes_payload(void **state)
{
	struct rd_bench *b = rd_bench_new(128, 128);
	struct rd_req *r;

	(void)state;
	b->hold = true;
	for (unsigned int i = 0; i < TAGS / 16; i++)
		rd_ask(b, 0, 4096, 0);
	vtb_run(b->tb, 2 * TAGS);
	vtb_check_eq(b->tb, b->n_live, TAGS - CTRL_TAGS);
	r = rd_ask(b, 1, 64, 0);
	vtb_run(b->tb, 10);
	vtb_check_eq(b->tb, r->mrds, 1);
	vtb_check_eq(b->tb, b->n_live, TAGS - CTRL_TAGS + 1);
	/* All tags gone: waits, is idle and says when it will give up. */
	for (unsigned int i = 0; i < CTRL_TAGS; i++)
		rd_ask(b, 2 + i % 5, 64, 0);
	vtb_run(b->tb, 100);
	vtb_check_eq(b->tb, b->n_live, TAGS);
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
	vtb_check_eq(b->tb, vtb_get(b->tb, "deadline_valid_o"), 1);
	b->hold = false;
	rd_finish(b, 100000);
	vtb_check_eq(b->tb, b->max_live, TAGS);
	rd_bench_free(b);
}

/* Neither class starves the other while both have work for every cycle. */
static void fair_classes(void **state)
{
	struct rd_bench *b = rd_bench_new(128, 128);
	unsigned int pay = 0, ctl = 0;

	(void)state;
	b->lat_min = b->lat_max = 1;
	for (unsigned int i = 0; i < 40; i++)
		rd_ask(b, 0, 4096, 0);
	for (unsigned int i = 0; i < 7 * 100; i++)
		rd_ask(b, 1 + i % 7, 64, 0);
	vtb_run(b->tb, b->bytes == 64 ? 200 : 3000);
	for (unsigned int i = 0; i < b->n_reqs; i++)
		*(b->reqs[i].client ? &ctl : &pay) += b->reqs[i].mrds;
	vtb_check(b->tb, pay >= 20 && ctl >= 60);
	rd_finish(b, 100000);
	rd_bench_free(b);
}

/* With both at hand in each cycle, and tags for both, every fourth MRd is payload's, no more and no
 * less. */
static void share_of_payload(void **state)
{
	struct rd_bench *b = rd_bench_new(128, 128);
	unsigned int n = TAGS - 8, first = 8, i;

	(void)state;
	b->hold = true;
	for (i = 0; i < 1 + TAGS / 64; i++)
		rd_ask(b, 0, 4096, 0);
	for (i = 0; i < TAGS; i++)
		rd_ask(b, 1 + i % 7, 64, 0);
	vtb_run_until(b->tb, b->n_mrd == n, 2000);
	while (b->mrd_client[first])
		first++;
	vtb_check(b->tb, first < 12);
	for (i = first; i < n; i++)
		vtb_check_eq(b->tb, b->mrd_client[i] == 0, (i - first) % 4 == 0);
	b->hold = false;
	rd_finish(b, 100000);
	rd_bench_free(b);
}

static void faults(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct rd_bench *b = rd_bench_new(128u << i, 128u << i);
		uint64_t end;

		b->fault_pct = 10;
		b->cpl_gap = 20;
		many(b, 300);
		/* Lost ones need time: let it run fast. */
		end = b->tb->cycle + 60000;
		while (b->n_done < b->n_reqs && b->tb->cycle < end) {
			vtb_run(b->tb, 500);
			if (vtb_get(b->tb, "idle_o") && vtb_get(b->tb, "deadline_valid_o") &&
			    !b->cpl.busy && vtb_get(b->tb, "deadline_o") > b->now)
				b->now = vtb_get(b->tb, "deadline_o");
		}
		rd_finish(b, 1);
		vtb_check(b->tb, b->ev_err && b->ev_timeout);
		rd_bench_free(b);
	}
}

/* Each fault by itself, on the second of three MRds: err exactly once, and what follows is not
 * hurt. */
static void each_fault(void **state)
{
	(void)state;
	for (enum rd_fault f = RD_UR; f < RD_FAULTS; f++) {
		struct rd_bench *b = rd_bench_new(256, 256);
		struct rd_req *r;

		b->manual_faults = true;
		b->in_order = true;
		r = rd_ask(b, 3, 256 * 3, 0);
		vtb_run_until(b->tb, b->n_mrd == 1, 100);
		b->next_fault = f;
		if (f == RD_LOST) {
			vtb_run_until(b->tb, b->n_mrd == 3, 100);
			vtb_run(b->tb, 200);
			vtb_check(b->tb, !r->done);
			b->now = (b->now >> TIMEOUT_LOG2 << TIMEOUT_LOG2) + (2ull << TIMEOUT_LOG2);
		}
		rd_finish(b, 2000);
		vtb_check(b->tb, r->err);
		vtb_check_eq(b->tb, b->ev_err, f != RD_LOST);
		vtb_check_eq(b->tb, b->ev_timeout, f == RD_LOST);
		for (unsigned int i = 0; i < 3 * TAGS; i++)
			rd_ask(b, 1 + i % 7, 100, i % 64);
		rd_finish(b, 50000);
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
		rd_bench_free(b);
	}
}

/* Timeout at the announced moment, not before; the late completion is dropped, counted, and frees
 * its tag. */
static void timeout(void **state)
{
	struct rd_bench *b = rd_bench_new(512, 512);
	struct rd_req *r;
	uint64_t deadline, start;
	unsigned int tag;

	(void)state;
	b->run_time = false;
	b->in_order = true;
	b->now = start = 0x123456789;
	b->hold = true;
	r = rd_ask(b, 2, 512, 0);
	vtb_run_until(b->tb, b->n_mrd == 1, 100);
	vtb_run(b->tb, 20);
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
	vtb_check_eq(b->tb, vtb_get(b->tb, "deadline_valid_o"), 1);
	deadline = vtb_get(b->tb, "deadline_o");
	vtb_check(b->tb, deadline >= start + (1ull << TIMEOUT_LOG2) &&
				 deadline <= start + (2ull << TIMEOUT_LOG2));
	b->now = deadline - 1;
	vtb_run(b->tb, 2 * TAGS);
	vtb_check(b->tb, !r->done);
	vtb_check_eq(b->tb, vtb_get(b->tb, "deadline_o"), deadline);
	b->now = deadline;
	r->bad = true;
	vtb_run_until(b->tb, r->done, TAGS + 20);
	vtb_check_eq(b->tb, b->ev_timeout, 1);
	vtb_check_eq(b->tb, vtb_get(b->tb, "busy_o"), 0);
	vtb_run(b->tb, 2);
	vtb_check_eq(b->tb, vtb_get(b->tb, "deadline_valid_o"), 0);

	/* The tag must not be used while the host may still answer: the bench checks it on each
	 * MRd. */
	for (tag = 0; !b->reads[tag].live; tag++)
		;
	b->hold = false;
	b->reads[tag].at = UINT64_MAX;
	for (unsigned int i = 0; i < 2 * TAGS; i++)
		rd_ask(b, 2, 64, 0);
	rd_finish(b, 20000);
	b->reads[tag].at = 0;
	vtb_run_until(b->tb, !b->reads[tag].live && !b->cpl.busy, 100);
	vtb_run(b->tb, 5);
	vtb_check_eq(b->tb, b->ev_unexpected, 1);

	/* And now it is back: all tags can be out at once. */
	b->hold = true;
	for (unsigned int i = 0; i < TAGS; i++)
		rd_ask(b, 2, 64, 0);
	vtb_run_until(b->tb, b->n_live == TAGS, 2000);
	b->hold = false;
	rd_finish(b, 20000);
	rd_bench_free(b);
}

/* No read that is out is answered in time; `lost` in all so far. */
static void lose_all(struct rd_bench *b, unsigned int lost)
{
	b->now += 2ull << TIMEOUT_LOG2;
	for (unsigned int i = 0; i < b->n_reqs; i++)
		if (!b->reqs[i].done)
			b->reqs[i].bad = true;
	vtb_run_until(b->tb, b->ev_timeout == lost, 100 + 8 * TAGS);
	vtb_run(b->tb, 10);
}

static void answer_late(struct rd_bench *b)
{
	for (unsigned int tag = 0; tag < TAGS; tag++)
		b->reads[tag].at = 0;
	b->hold = false;
	vtb_run_until(b->tb, !b->n_live && !b->cpl.busy, 100 + 20 * TAGS);
	vtb_run(b->tb, 10);
}

/* A tag in quarantine is missing; when all are that a class may have, the engine says so. */
static void no_tags_left(void **state)
{
	static const struct {
		unsigned int client, tags;
		bool narrow;
	} class[] = { { 0, TAGS - CTRL_TAGS, false },
		      { 2, TAGS, false },
		      { 0, 24, true },
		      { 2, 32, true } };

	(void)state;
	for (unsigned int c = 0; c < 4; c++) {
		struct rd_bench *b = rd_bench_new(512, 512);
		struct rd_req *other;

		rd_bench_narrow(b, class[c].narrow);
		b->run_time = false;
		b->in_order = true;
		b->hold = true;
		for (unsigned int i = 1; i < class[c].tags; i++)
			rd_ask(b, class[c].client, 64, 0);
		vtb_run_until(b->tb, b->n_live == class[c].tags - 1, 2000);
		lose_all(b, class[c].tags - 1);
		vtb_check_eq(b->tb, vtb_get(b->tb, "stuck_o"), 0);
		rd_ask(b, class[c].client, 64, 0);
		vtb_run_until(b->tb, b->n_live == class[c].tags, 2000);
		vtb_check_eq(b->tb, vtb_get(b->tb, "stuck_o"), 0);
		lose_all(b, class[c].tags);
		vtb_check_eq(b->tb, vtb_get(b->tb, "stuck_o"), 1);
		other = rd_ask(b, class[c].client, 64, 0);
		vtb_run(b->tb, 100);
		vtb_check(b->tb, !other->mrds);
		answer_late(b);
		vtb_check_eq(b->tb, vtb_get(b->tb, "stuck_o"), 0);
		rd_finish(b, 2000);
		vtb_check(b->tb, other->done && !other->err);
		rd_bench_free(b);
	}
}

static void stray_completions(void **state)
{
	struct rd_bench *b = rd_bench_new(512, 512);

	(void)state;
	rd_stray(b, 3, 1);
	rd_stray(b, TAGS - 1, 16);
	rd_stray(b, 255, 40);
	vtb_run(b->tb, 5);
	vtb_check_eq(b->tb, b->ev_unexpected, 3);
	many(b, 50);
	rd_finish(b, 50000);
	vtb_check_eq(b->tb, b->ev_unexpected, 3);
	/* The answer twice, back to back. */
	b->in_order = true;
	for (unsigned int i = 0; i < 6; i++) {
		b->cpl.twice = true;
		rd_ask(b, 1, 4u << i, 0);
		rd_finish(b, 200);
		vtb_check_eq(b->tb, b->ev_unexpected, 4 + i);
	}
	/* Two of one read, a beat each: the second one is judged by what the first has left. */
	b->rcb = 64;
	for (unsigned int off = 57; off < 64; off++) {
		rd_ask(b, 2, 8, off);
		rd_finish(b, 300);
	}
	vtb_check_eq(b->tb, b->ev_err, 0);
	many(b, 50);
	rd_finish(b, 50000);
	rd_bench_free(b);
}

static void tickets(void **state)
{
	struct rd_bench *b = rd_bench_new(512, 512);
	struct rd_req *waits, *behind, *other;

	(void)state;
	vtb_set(b->tb, "sent_ticket_i", 0xfffe);
	waits = rd_ask(b, 3, 64, 0);
	waits->use_ticket = true;
	waits->ticket = 1; /* across the wrap */
	behind = rd_ask(b, 3, 64, 0);
	other = rd_ask(b, 4, 64, 0);
	other->use_ticket = true;
	other->ticket = 0xfffe;
	vtb_run_until(b->tb, other->done, 300);
	vtb_run(b->tb, 100);
	vtb_check(b->tb, waits->taken && !waits->mrds && !behind->mrds);
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
	vtb_set(b->tb, "sent_ticket_i", 0);
	vtb_run(b->tb, 20);
	vtb_check(b->tb, !waits->mrds);
	vtb_set(b->tb, "sent_ticket_i", 1);
	vtb_run(b->tb, 5);
	vtb_check(b->tb, waits->mrds == 1);
	rd_finish(b, 1000);
	rd_bench_free(b);
}

/* Allowed to go, and then held up by the link while half of all tickets and more pass. */
static void old_tickets(void **state)
{
	struct rd_bench *b = rd_bench_new(512, 512);
	struct rd_req *last = NULL;
	unsigned int taken = 0;

	(void)state;
	vtb_set(b->tb, "sent_ticket_i", 5);
	b->mrd_stall = 100;
	for (unsigned int i = 0; i < 20; i++) {
		last = rd_ask(b, 3, 64, 0);
		last->use_ticket = true;
		last->ticket = 5;
	}
	vtb_run(b->tb, 200);
	for (unsigned int ticket = 6; ticket < 0x9000; ticket += 100) {
		vtb_set(b->tb, "sent_ticket_i", ticket);
		vtb_tick(b->tb);
	}
	while (b->reqs[taken].taken)
		taken++;
	vtb_check(b->tb, taken > 0 && taken < 20);
	b->mrd_stall = 0;
	vtb_run(b->tb, 50);
	for (unsigned int i = 0; i < taken; i++)
		vtb_check_eq(b->tb, b->reqs[i].mrds, 1);
	/* those that had not come to the port yet name a ticket of the future now */
	vtb_set(b->tb, "sent_ticket_i", 5);
	rd_finish(b, 2000);
	vtb_check(b->tb, last->done);
	rd_bench_free(b);
}

static void bus_master_off(void **state)
{
	struct rd_bench *b = rd_bench_new(512, 512);

	(void)state;
	many(b, 60);
	vtb_run(b->tb, 40);
	b->bme_off = true;
	rd_finish(b, 20000);
	vtb_check(b->tb, b->reqs[b->n_reqs - 1].err);
	b->bme_off = false;
	many(b, 60);
	rd_finish(b, 20000);
	rd_bench_free(b);
}

/*
 * Reset under load: no MRd and no data from then on, done once the host has answered or the timeout
 * has passed, then everything works again with all tags.
 */
static void function_reset(void **state)
{
	(void)state;
	for (unsigned int lost = 0; lost < 2; lost++) {
		struct rd_bench *b = rd_bench_new(512, 512);
		uint64_t rsps;

		b->manual_faults = true;
		many(b, 200);
		vtb_run(b->tb, 150);
		b->hold = lost;
		b->bme_off = true; /* pcie_tlp starts nothing in a reset */
		b->run_time = false;
		vtb_set(b->tb, "flr_i", 1);
		vtb_run(b->tb, 2);
		rsps = b->n_rsp;
		if (lost) {
			uint64_t end = b->now + (2ull << TIMEOUT_LOG2);

			vtb_run(b->tb, 3000);
			vtb_check_eq(b->tb, vtb_get(b->tb, "flr_done_o"), 0);
			vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
			b->now = vtb_get(b->tb, "deadline_o");
			vtb_check(b->tb, b->now <= end);
		}
		vtb_run_until(b->tb, vtb_get(b->tb, "flr_done_o"), 20000);
		vtb_check_eq(b->tb, b->n_rsp, rsps);
		vtb_check_eq(b->tb, vtb_get(b->tb, "epoch_busy_o"), 0);
		vtb_run(b->tb, 10);
		vtb_check_eq(b->tb, vtb_get(b->tb, "flr_done_o"), 1);

		/* The clients are reset as well; the host forgets what it was asked. */
		memset(b->open, 0, sizeof(b->open));
		memset(b->shown, 0, sizeof(b->shown));
		memset(b->reads, 0, sizeof(b->reads));
		b->n_live = 0;
		b->n_reqs = b->n_done = 0;
		memset(b->head, 0, sizeof(b->head));
		memset(b->reqs, 0, RD_MAX_REQS * sizeof(*b->reqs));
		b->n_mrd = b->n_mrd_bytes = b->ev_rd = b->ev_bytes = b->rsp_bytes = 0;
		b->bme_off = b->cpl.busy = b->cpl.shown = false;
		vtb_set(b->tb, "flr_i", 0);
		b->hold = true;
		for (unsigned int i = 0; i < TAGS; i++)
			rd_ask(b, 2, 64, 0);
		vtb_run_until(b->tb, b->n_live == TAGS, 2000);
		b->hold = false;
		rd_finish(b, 20000);
		rd_bench_free(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_reads),	     cmocka_unit_test(alignments),
		cmocka_unit_test(narrow_tags),
		cmocka_unit_test(issue_rate),	     cmocka_unit_test(bandwidth),
		cmocka_unit_test(small_rate),	     cmocka_unit_test(control_passes_payload),
		cmocka_unit_test(fair_classes),	     cmocka_unit_test(share_of_payload),
		cmocka_unit_test(faults),
		cmocka_unit_test(each_fault),	     cmocka_unit_test(timeout),
		cmocka_unit_test(stray_completions), cmocka_unit_test(tickets),
		cmocka_unit_test(old_tickets),	     cmocka_unit_test(no_tags_left),
		cmocka_unit_test(bus_master_off),    cmocka_unit_test(function_reset),
	};

	return cmocka_run_group_tests_name("dma_read", tests, NULL, NULL);
}
