/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timer_wheel against a table of deadlines.  Included by one .c a configuration, which defines
 * GRAN_LOG2, SLOT_LOG2 and LEVELS as the model was built.  timer_scan has no span: it is how far
 * the tests leap.
 *
 * Checked in every run: an entry fires once, not before its deadline (unless that lies beyond the
 * span of the wheel) and, whenever the wheel says idle, nothing is overdue, next_valid_o tells
 * whether there is an entry, and next_deadline_o is not later than any entry's slot end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vtb.h"

#define GRAN (1ull << GRAN_LOG2)
#define SPAN (1ull << SLOT_LOG2 * LEVELS)	/* in ticks */
#define CYCLE_NS 4
#define MAX_IDS 65536
#ifndef JUMPS_GAIN
#define JUMPS_GAIN 10			/* cycles without jumps, to those with them */
#endif

struct bench {
	struct vtb *tb;
	struct vtb_stream *ins, *fire;
	const struct sim_port *time, *idle, *next_valid, *next;
	unsigned int ids;		/* used by this test */
	uint64_t now;
	/* the table */
	bool armed[2][MAX_IDS];
	uint64_t deadline[2][MAX_IDS];
	uint64_t cursor[2][MAX_IDS];	/* at the insert, at least */
	unsigned int n_armed;
	/* insert on its way */
	bool sending;
	unsigned int s_class, s_id;
	uint64_t s_deadline, s_cursor;
	/* */
	uint64_t idle_at;		/* when the wheel was last idle: the cursor is not behind */
	bool was_idle, check_all;
	uint64_t inserts, fires, early;
	unsigned int last_class, last_id;
	bool stale;			/* the waiting fire's entry was inserted anew since */
};

static uint64_t tick_up(uint64_t ns) { return (ns + GRAN - 1) >> GRAN_LOG2; }

static void check_idle(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	b->was_idle = vtb_read(b->idle);
	if (!b->was_idle || b->sending)
		return;
	b->idle_at = b->now;
	vtb_check_eq(tb, vtb_read(b->next_valid), b->n_armed != 0);
	if (b->n_armed)
		vtb_check(tb, vtb_read(b->next) > b->now);
	for (unsigned int c = 0; c < 2 && b->check_all && b->n_armed; c++) {
		for (unsigned int i = 0; i < b->ids; i++) {
			if (b->armed[c][i] && tick_up(b->deadline[c][i]) * GRAN < vtb_read(b->next))
				vtb_fail(tb, "class %u id %u: deadline %llu, idle at %llu, next %llu",
					 c, i, (unsigned long long)b->deadline[c][i],
					 (unsigned long long)b->now,
					 (unsigned long long)vtb_read(b->next));
		}
	}
}

static void bench_open(struct bench *b, uint64_t start, unsigned int ids)
{
	unsigned int lsb;

	memset(b, 0, sizeof(*b));
	b->tb = vtb_create();
	b->time = vtb_port(b->tb, "time_now_i");
	b->idle = vtb_port(b->tb, "idle_o");
	b->next_valid = vtb_port(b->tb, "next_valid_o");
	b->next = vtb_port(b->tb, "next_deadline_o");
	b->ins = vtb_source(b->tb, "ins");
	vtb_stream_add(b->ins, "id", &lsb);
	vtb_stream_add(b->ins, "class", &lsb);
	vtb_stream_add(b->ins, "deadline", &lsb);
	b->fire = vtb_sink(b->tb, "fire");
	vtb_stream_add(b->fire, "id", &lsb);
	vtb_stream_add(b->fire, "class", &lsb);
	b->ids = ids;
	b->check_all = ids <= 64;
	b->now = start;
	vtb_put(b->time, start);
	vtb_on_sample(b->tb, check_idle, b);
	vtb_run_until(b->tb, vtb_read(b->idle), 20000);
	b->idle_at = start;
}

static unsigned int id_width(struct bench *b) { return vtb_port(b->tb, "ins_id_i")->width; }

static void insert(struct bench *b, unsigned int class, unsigned int id, uint64_t deadline)
{
	uint8_t meta[16] = { 0 };
	unsigned int w = id_width(b);

	vtb_check(b->tb, !b->sending);
	vtb_meta_put(meta, 0, w, id);
	vtb_meta_put(meta, w, 1, class);
	vtb_meta_put(meta, w + 1, 8 * sizeof(deadline), deadline);
	vtb_send(b->ins, NULL, 0, false, meta, (w + 65 + 7) / 8);
	b->sending = true;
	b->s_class = class;
	b->s_id = id;
	b->s_deadline = deadline;
	b->s_cursor = b->idle_at;
}

static void take_fire(struct bench *b)
{
	const struct vtb_packet *pkt = vtb_recv(b->fire);
	unsigned int w = id_width(b), id = (unsigned int)vtb_meta_bits(pkt->meta, 0, w);
	unsigned int class = (unsigned int)vtb_meta_bits(pkt->meta, w, 1);

	vtb_check(b->tb, id < b->ids);
	vtb_check(b->tb, b->armed[class][id] || b->stale);
	b->last_class = class;
	b->last_id = id;
	if (b->stale) {
		b->stale = false;
		return;
	}
	if (b->now < b->deadline[class][id]) {
		vtb_check(b->tb, tick_up(b->deadline[class][id]) -
				 (b->cursor[class][id] >> GRAN_LOG2) >= SPAN);
		b->early++;
	}
	b->armed[class][id] = false;
	b->n_armed--;
	b->fires++;
}

/* One cycle at time `now`. */
static void cycle(struct bench *b)
{
	bool waiting;

	vtb_put(b->time, b->now);
	vtb_eval(b->tb);
	waiting = vtb_get(b->tb, "fire_valid_o") && vtb_get(b->tb, "fire_id_o") == b->s_id &&
		  vtb_get(b->tb, "fire_class_o") == b->s_class;
	vtb_tick(b->tb);
	if (vtb_received(b->fire)) {
		take_fire(b);
		waiting = false;
	}
	if (b->sending && !vtb_pending(b->ins)) {
		b->stale |= waiting;
		b->sending = false;
		b->n_armed += !b->armed[b->s_class][b->s_id];
		b->armed[b->s_class][b->s_id] = true;
		b->deadline[b->s_class][b->s_id] = b->s_deadline;
		b->cursor[b->s_class][b->s_id] = b->s_cursor;
		b->inserts++;
	}
}

/* Let time stand still until the wheel is idle: it must be, soon. */
static void settle(struct bench *b, uint64_t max_cycles)
{
	uint64_t limit = b->tb->cycle + max_cycles;

	do {
		cycle(b);
		vtb_check(b->tb, b->tb->cycle < limit);
	} while (!b->was_idle || b->sending);
}

static void insert_now(struct bench *b, unsigned int class, unsigned int id, uint64_t deadline)
{
	insert(b, class, id, deadline);
	while (b->sending)
		cycle(b);
}

/* Jump from deadline to deadline, as the simulator does, until nothing is left or `until`. */
static unsigned int run_jumps(struct bench *b, uint64_t until)
{
	unsigned int jumps = 0;

	settle(b, 1000000);
	while (b->n_armed && vtb_read(b->next) <= until) {
		b->now = vtb_read(b->next);
		settle(b, 1000000);
		jumps++;
	}
	return jumps;
}

static void bench_close(struct bench *b)
{
	b->now += 2 * SPAN * GRAN;
	vtb_stream_pause(b->fire, 0);
	settle(b, 1000000);
	run_jumps(b, ~0ull);
	vtb_check_eq(b->tb, b->n_armed, 0);
	vtb_destroy(b->tb);
}

/* A deadline of any size class up to `ticks` ahead, now and then in the past. */
static uint64_t random_deadline(struct bench *b, uint64_t ticks)
{
	struct rng *rng = &b->tb->rng;
	uint64_t ns = rng_below(rng, ticks * GRAN) >> rng_below(rng, 20);

	return rng_percent(rng, 5) && b->now > ns ? b->now - ns : b->now + ns;
}

/* Inserts, replacements, pauses of the consumer, and time that creeps, steps and leaps. */
static void random_run(uint64_t start, unsigned int steps, unsigned int load, unsigned int busy,
		       uint64_t ticks)
{
	static struct bench b;
	struct rng *rng;

	bench_open(&b, start, 16);
	rng = &b.tb->rng;
	vtb_stream_pause(b.fire, busy);
	for (unsigned int i = 0; i < steps; i++) {
		if (!b.sending && rng_percent(rng, load))
			insert(&b, rng_below(rng, 2), rng_below(rng, b.ids),
			       random_deadline(&b, ticks));
		cycle(&b);
		b.now += CYCLE_NS;
		if (rng_percent(rng, 1 + load / 8))
			b.now += rng_below(rng, ticks * GRAN) >> rng_below(rng, 24);
		if (b.was_idle && rng_percent(rng, 10) && b.n_armed && vtb_read(b.next) > b.now)
			b.now = vtb_read(b.next);
	}
	vtb_check(b.tb, b.fires > steps / 120);
	bench_close(&b);
}

static void random_times(void **state)
{
	(void)state;
	random_run(0, 20000, 15, 0, SPAN / 2);
	random_run((1ull << 32) - 50000, 20000, 15, 30, SPAN / 2);
	random_run((1ull << 48) - 50000, 20000, 15, 70, SPAN / 2);
	random_run((1ull << 63) - 50000, 10000, 15, 0, SPAN / 2);
	random_run(1ull << 40, 20000, 100, 0, SPAN / 2);
	random_run(1ull << 40, 20000, 2, 0, SPAN / 2);
}

#ifndef WITHOUT_SPAN
/* Deadlines beyond the span fire early, not before the span is over, and can be inserted again. */
static void beyond_span(void **state)
{
	static struct bench b;
	uint64_t start = (1ull << 40) + 12345, deadline = start + 5 * SPAN * GRAN + 77;
	unsigned int rounds = 0;

	(void)state;
	bench_open(&b, start, 16);
	do {
		uint64_t was = b.now;

		insert_now(&b, 0, 3, deadline);
		vtb_check(b.tb, run_jumps(&b, ~0ull) <= 3 * LEVELS + 2);
		if (b.now < deadline)
			vtb_check(b.tb, b.now - was >= (SPAN - 2) * GRAN);
		rounds++;
	} while (b.now < deadline);
	vtb_check_eq(b.tb, b.early, rounds - 1);
	vtb_check(b.tb, rounds >= 5 && b.now - deadline <= GRAN);
	insert_now(&b, 1, 4, ~0ull);	/* never, or nearly */
	b.check_all = false;		/* it is to fire early */
	settle(&b, 100);
	vtb_check_eq(b.tb, b.n_armed, 1);
	bench_close(&b);
	random_run(1ull << 33, 10000, 15, 30, 3 * SPAN);
}
#endif

/* An entry replaced by an earlier, a later and an equal one fires once, at the last one's time. */
static void replaced(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, 999, 16);
	for (unsigned int order = 0; order < 60; order++) {
		uint64_t last = 0, fires = b.fires;

		/* neighbours, so that the entry is first, in the middle or last of a list */
		for (unsigned int i = 0; i < order % 4; i++)
			insert_now(&b, 1, i, b.now + 20 * GRAN);
		for (unsigned int k = 0; k < 4; k++) {
			last = b.now + (k & 1 ? 20 : rng_range(&b.tb->rng, 1, SPAN / 2)) * GRAN;
			insert_now(&b, 1, 5, last);
			if (k == 0)
				for (unsigned int i = 0; i < order % 3; i++)
					insert_now(&b, 0, i, last);
		}
		run_jumps(&b, last - 2 * GRAN);
		vtb_check(b.tb, b.armed[1][5]);
		run_jumps(&b, last + GRAN);
		vtb_check(b.tb, !b.armed[1][5]);
		run_jumps(&b, ~0ull);
		vtb_check_eq(b.tb, b.fires - fires, 1 + order % 4 + order % 3);
	}
	bench_close(&b);
}

/* Inserts without a gap, each of which moves an entry, do not keep others from firing. */
static void under_load(void **state)
{
	static struct bench b;
	uint64_t due;

	(void)state;
	bench_open(&b, 5000, 16);
	insert_now(&b, 1, 9, b.now + 2 * GRAN);
	due = b.now + 3 * GRAN;
	for (unsigned int k = 0; b.armed[1][9]; k++) {
		if (!b.sending)
			insert(&b, 0, k % 8, b.now + (SPAN / 2 - k / 8 % 8 * (SPAN / 16)) * GRAN);
		cycle(&b);
		b.now += CYCLE_NS;
		vtb_check(b.tb, b.now <= due + 600 * CYCLE_NS);
	}
	bench_close(&b);
}

/* Inserts go on while the consumer of fires does not; nothing is lost. */
static void consumer_stopped(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, 5000, 16);
	vtb_stream_pause(b.fire, 100);
	for (unsigned int i = 0; i < 16; i++)
		insert_now(&b, 0, i, b.now);
	b.now += 3 * GRAN;
	for (unsigned int k = 0; k < 100; k++) {
		uint64_t from = b.tb->cycle;

		insert_now(&b, 1, k % 16, b.now + rng_below(&b.tb->rng, 10 * GRAN));
		vtb_check(b.tb, b.tb->cycle - from <= 120);
		b.now += GRAN / 4;
	}
	vtb_check_eq(b.tb, b.fires, 0);
	vtb_stream_pause(b.fire, 0);
	b.now += 20 * GRAN;
	settle(&b, 2000);
	vtb_check(b.tb, b.fires >= 32);
	bench_close(&b);
}

/* Entries are taken out of, and put into, a list just while it is being moved to a lower level. */
static void replaced_while_moving(void **state)
{
	static struct bench b;
	struct rng *rng;

	(void)state;
	bench_open(&b, 777 * GRAN, 16);
	rng = &b.tb->rng;
	for (unsigned int round = 0; round < 300; round++) {
		uint64_t base = b.now + rng_range(rng, 1, SPAN * 3 / 4) * GRAN;

		for (unsigned int i = 0; i < 16; i++)	/* most in few lists, some alone */
			insert_now(&b, i & 1, i, i < 10 ? base + rng_below(rng, 1 + SPAN / 8) * GRAN
							: b.now + rng_below(rng, SPAN - 4) * GRAN);
		settle(&b, 500);
		if (!b.n_armed)
			continue;
		b.now = vtb_read(b.next) + (round & 1 ? rng_below(rng, SPAN / 2 * GRAN) : 0);
		for (unsigned int k = 0; k < 6; k++) {
			unsigned int id = (unsigned int)rng_range(rng, round & 2 ? 10 : 0, 15);

			for (uint64_t wait = rng_below(rng, 40); wait; wait--)
				cycle(&b);
			insert_now(&b, id & 1, id, b.now + rng_below(rng, 8 * GRAN));
		}
		run_jumps(&b, ~0ull);
		vtb_check_eq(b.tb, b.n_armed, 0);
	}
	vtb_check_eq(b.tb, b.early, 0);
	bench_close(&b);
}

/* A reset forgets all entries. */
static void reset(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, 5000, 16);
	for (unsigned int i = 0; i < 16; i++)
		insert_now(&b, i & 1, i, b.now + (i % 5) * GRAN);
	memset(b.armed, 0, sizeof(b.armed));
	b.n_armed = 0;
	vtb_reset(b.tb, 1);
	settle(&b, 20000);
	b.now += 100 * GRAN;
	settle(&b, 50);
	vtb_check_eq(b.tb, b.fires, 0);
	insert_now(&b, 1, 2, b.now + GRAN);
	vtb_check_eq(b.tb, run_jumps(&b, ~0ull), 1);
	vtb_check_eq(b.tb, b.fires, 1);
	bench_close(&b);
}

/* The same inserts with and without jumps: the same fires at the same device times. */
#define SCHEDULE_TICKS (GRAN < 256 ? 4000 : 150)
#define MAX_FIRED 2000

struct fired {
	uint64_t time;
	unsigned int class, id;
};

static size_t schedule_run(bool jumps, struct fired *out, size_t max, uint64_t *cycles)
{
	static struct bench b;
	struct rng rng = { test_seed() };
	uint64_t end, at;
	size_t n = 0;

	bench_open(&b, (1ull << 32) - 40 * GRAN, 16);
	b.now &= ~(uint64_t)(CYCLE_NS - 1);
	at = b.now + 100;
	end = b.now + SCHEDULE_TICKS * GRAN;
	*cycles = b.tb->cycle;
	while (b.now < end) {
		uint64_t fires = b.fires;

		if (b.now >= at && !b.sending) {
			insert(&b, rng_below(&rng, 2), rng_below(&rng, 16),
			       b.now + rng_below(&rng, 30 * GRAN));
			at = (b.now + rng_below(&rng, 8 * GRAN)) & ~(uint64_t)(CYCLE_NS - 1);
		}
		cycle(&b);
		if (b.fires != fires && n < max)
			out[n++] = (struct fired){ b.now, b.last_class, b.last_id };
		b.now += CYCLE_NS;
		if (jumps && b.was_idle && !b.sending) {
			uint64_t to = at < end ? at : end;

			if (b.n_armed && vtb_read(b.next) < to)
				to = vtb_read(b.next);
			to &= ~(uint64_t)(CYCLE_NS - 1);
			if (to > b.now)
				b.now = to;
		}
	}
	*cycles = b.tb->cycle - *cycles;
	bench_close(&b);
	return n;
}

static void same_with_jumps(void **state)
{
	static struct fired slow[MAX_FIRED], fast[MAX_FIRED];
	uint64_t slow_cycles, fast_cycles;
	size_t n = schedule_run(false, slow, MAX_FIRED, &slow_cycles);

	(void)state;
	assert_int_equal(schedule_run(true, fast, MAX_FIRED, &fast_cycles), n);
	assert_true(n > 10);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(slow[i].time, fast[i].time);
		assert_int_equal(slow[i].class, fast[i].class);
		assert_int_equal(slow[i].id, fast[i].id);
	}
	if (GRAN >= 256)
		assert_true(fast_cycles < slow_cycles / JUMPS_GAIN);
}
