// SPDX-License-Identifier: Apache-2.0
/*
 * rx_merge: frames of the wire and looped ones come out whole, each kind in order, unchanged; the
 * wire is never held and loses nothing as long as it leaves room, and what leaves none loses whole
 * frames that are counted; a looped frame gets its turn whatever the wire brings; a copy that comes
 * slowly holds nothing up.
 */
#include <stdlib.h>
#include <string.h>

#include "vtb.h"

#define LONGEST 4352u
#define PATIENCE 2048u
#define QUEUE 8192u /* frames under way */

struct frame {
	uint32_t seq, len;
	bool err, both;
	uint64_t since; /* cycle of its first beat */
};

struct kind {
	struct frame sent[QUEUE]; /* by seq: begun and not out yet */
	uint32_t begun, out;	  /* seq of the next */
	struct frame now;
	uint32_t at;
	bool active;
	unsigned int idle_pct, gap_pct; /* between frames, inside of one */
	uint32_t rest_pct, rest; /* pause behind a frame, in percent of it; cycles left of it */
	uint32_t min, max;	 /* bytes */
	unsigned int both_pct;
	uint64_t longest_wait, beats; /* cycles from first beat in to first beat out */
};

struct bench {
	struct vtb *tb;
	unsigned int bytes;
	struct kind wire, loop;
	const struct sim_port *wire_data, *loop_data, *out_data;
	/* the frame that comes out */
	uint32_t got;
	bool out_loop, out_active;
	struct frame out;
	uint64_t skipped, overruns;
	bool stop; /* begin no more */
};

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	b->wire_data = vtb_port(b->tb, "wire_data_i");
	b->loop_data = vtb_port(b->tb, "loop_data_i");
	b->out_data = vtb_port(b->tb, "out_data_o");
	b->bytes = b->out_data->width / 8;
	b->wire.min = b->loop.min = 58;
	b->wire.max = b->loop.max = 1500;
	return b;
}

static uint8_t byte_of(bool loop, uint32_t seq, uint32_t at)
{
	return (uint8_t)(seq * 29 + at * 3 + at / 251 + (loop ? 0x80 : 0));
}

static void begin(struct bench *b, struct kind *k, bool loop)
{
	struct rng *rng = &b->tb->rng;

	k->now = (struct frame){ .seq = k->begun++,
				 .len = (uint32_t)rng_range(rng, k->min, k->max),
				 .err = !loop && rng_percent(rng, 10),
				 .both = loop && rng_percent(rng, k->both_pct),
				 .since = b->tb->cycle };
	k->at = 0;
	k->active = true;
	vtb_check(b->tb, k->begun - k->out < QUEUE);
	k->sent[k->now.seq % QUEUE] = k->now;
}

/* The beat on offer; false: none in this cycle. */
static bool offer(struct bench *b, struct kind *k, bool loop)
{
	const struct sim_port *data = loop ? b->loop_data : b->wire_data;
	const char *names[2][4] = {
		{ "wire_valid_i", "wire_last_i", "wire_nbytes_i", "wire_err_i" },
		{ "loop_valid_i", "loop_last_i", "loop_nbytes_i", "loop_both_i" }
	};
	uint8_t beat[64];
	uint32_t n;
	/* what only goes to itself has no gap */
	bool may_pause = !loop || k->now.both;
	bool valid;

	if (k->rest)
		k->rest--;
	else if (!k->active && !b->stop && !rng_percent(&b->tb->rng, k->idle_pct))
		begin(b, k, loop);
	valid = k->active && (!k->at || !may_pause || !rng_percent(&b->tb->rng, k->gap_pct));
	for (unsigned int i = 0; i < b->bytes; i++)
		beat[i] = (uint8_t)rng_u64(&b->tb->rng);
	n = k->active && k->now.len - k->at < b->bytes ? k->now.len - k->at : b->bytes;
	for (unsigned int i = 0; valid && i < n; i++)
		beat[i] = byte_of(loop, k->now.seq, k->at + i);
	vtb_put_bytes(data, 0, beat, b->bytes);
	vtb_set(b->tb, names[loop][0], valid);
	vtb_set(b->tb, names[loop][1], valid && k->at + n == k->now.len);
	vtb_set(b->tb, names[loop][2], n);
	vtb_set(b->tb, names[loop][3], loop ? k->now.both : k->now.err);
	return valid;
}

static void moved(struct bench *b, struct kind *k)
{
	k->beats++;
	k->at += b->bytes;
	if (k->at < k->now.len)
		return;
	k->active = false;
	k->rest = k->at / b->bytes * k->rest_pct / 100;
}

static void frame_begins(struct bench *b, bool loop)
{
	struct kind *k = loop ? &b->loop : &b->wire;
	uint8_t first[64];

	vtb_get_bytes(b->out_data, 0, first, b->bytes);
	/* of the wire, whole frames may be missing */
	while (!loop && k->out < k->begun && byte_of(false, k->out, 0) != first[0]) {
		k->out++;
		b->skipped++;
	}
	vtb_check(b->tb, k->out < k->begun);
	b->out = k->sent[k->out++ % QUEUE];
	b->out_loop = loop;
	b->out_active = true;
	b->got = 0;
	if (b->tb->cycle - b->out.since > k->longest_wait)
		k->longest_wait = b->tb->cycle - b->out.since;
}

static void watch(struct bench *b)
{
	struct vtb *tb = b->tb;
	uint8_t beat[64];
	uint32_t n;

	b->overruns += vtb_get(tb, "events_rx_overrun_o");
	if (!vtb_get(tb, "out_valid_o"))
		return;
	if (!b->out_active)
		frame_begins(b, vtb_get(tb, "out_loop_o"));
	vtb_check_eq(tb, vtb_get(tb, "out_loop_o"), b->out_loop);
	n = b->out.len - b->got < b->bytes ? b->out.len - b->got : b->bytes;
	vtb_get_bytes(b->out_data, 0, beat, b->bytes);
	for (unsigned int i = 0; i < n; i++)
		vtb_check_eq(tb, beat[i], byte_of(b->out_loop, b->out.seq, b->got + i));
	b->got += n;
	vtb_check_eq(tb, vtb_get(tb, "out_last_o"), b->got == b->out.len);
	if (b->got < b->out.len)
		return;
	vtb_check_eq(tb, vtb_get(tb, "out_nbytes_o"), n);
	vtb_check_eq(tb, vtb_get(tb, "out_err_o"), b->out.err);
	b->out_active = false;
}

static void cycle(struct bench *b)
{
	bool wire = offer(b, &b->wire, false), loop = offer(b, &b->loop, true);

	vtb_eval(b->tb);
	watch(b);
	loop = loop && vtb_get(b->tb, "loop_ready_o");
	vtb_tick(b->tb);
	if (wire)
		moved(b, &b->wire);
	if (loop)
		moved(b, &b->loop);
}

static void run(struct bench *b, unsigned int cycles)
{
	while (cycles--)
		cycle(b);
}

/* No more frames: all that were begun come out, and nothing is left. */
static void drain(struct bench *b)
{
	b->stop = true;
	for (unsigned int i = 0;
	     i < 60000 && (b->wire.active || b->loop.active || !vtb_get(b->tb, "idle_o")); i++)
		cycle(b);
	run(b, 4);
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
	b->skipped += b->wire.begun - b->wire.out;
	vtb_check_eq(b->tb, b->skipped, b->overruns);
	vtb_check_eq(b->tb, b->loop.out, b->loop.begun);
	vtb_check(b->tb, !b->out_active);
	b->stop = false;
	b->skipped = b->overruns = 0;
	b->wire.out = b->wire.begun;
}

static void finish(struct bench *b)
{
	drain(b);
	vtb_destroy(b->tb);
	free(b);
}

static unsigned int longest_beats(const struct bench *b)
{
	return (LONGEST + b->bytes - 1) / b->bytes;
}

/* ---------------------------------------------------------------- one alone */

static void wire_alone_costs_no_cycle(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	b->loop.idle_pct = 100;
	for (unsigned int i = 0; i < 4; i++) {
		b->wire.idle_pct = i % 2 * 40;
		b->wire.gap_pct = i / 2 * 30;
		run(b, 3000);
	}
	vtb_check(b->tb, b->wire.out > 100);
	vtb_check_eq(b->tb, b->wire.longest_wait, 0);
	vtb_check_eq(b->tb, b->overruns, 0);
	finish(b);
}

static void loop_alone_costs_no_cycle(void **state)
{
	struct bench *b = bench_new();
	uint64_t before;

	(void)state;
	b->wire.idle_pct = 100;
	b->loop.idle_pct = 50;
	run(b, 2000);
	b->loop.idle_pct = 0;
	run(b, 100);
	before = b->loop.beats;
	run(b, 4000);
	vtb_check_eq(b->tb, b->loop.beats - before, 4000);
	vtb_check_eq(b->tb, b->loop.longest_wait, 0);
	finish(b);
}

/* ---------------------------------------------------------------- together */

static void any_mixture(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int i = 0; i < 60; i++) {
		struct rng *rng = &b->tb->rng;

		b->wire.idle_pct = (unsigned int)rng_range(rng, 30, 99);
		b->wire.gap_pct = (unsigned int)rng_range(rng, 25, 60);
		b->loop.idle_pct = (unsigned int)rng_below(rng, 100);
		b->loop.gap_pct = (unsigned int)rng_below(rng, 90);
		b->loop.both_pct = (unsigned int)rng_below(rng, 3) * 50;
		b->wire.max = (uint32_t)rng_range(rng, 60, 9000);
		b->loop.max = (uint32_t)rng_range(rng, 60, LONGEST);
		run(b, 1000);
		if (i % 10 == 9) {
			vtb_check_eq(b->tb, b->overruns, 0);
			drain(b);
		}
	}
	finish(b);
}

/* Wire at 0.8 of the beats, as 100 Gb/s are of 128, against as much of the loop as goes: the wire
 * loses nothing and waits for one looped frame, the loop has the rest. */
static void line_rate_against_loop(void **state)
{
	struct bench *b = bench_new();
	unsigned int beats = longest_beats(b), cycles = 40 * beats + 20000;
	uint64_t loop;

	(void)state;
	b->wire.rest_pct = 25;
	b->wire.min = 1000;
	b->wire.max = LONGEST;
	b->loop.min = b->loop.max = LONGEST;
	run(b, 4 * beats);
	loop = b->loop.beats;
	run(b, cycles);
	vtb_check_eq(b->tb, b->overruns, 0);
	vtb_check(b->tb, b->wire.longest_wait <= beats + 4);
	vtb_check(b->tb, b->loop.beats - loop > cycles * 15 / 100);
	finish(b);
}

/* A beat of the wire in every cycle, without end: looped frames get through, each within a bound,
 * what the wire loses is whole and counted, and behind it all is as before. */
static void wire_without_gap(void **state)
{
	struct bench *b = bench_new();
	unsigned int beats = longest_beats(b), rounds = 8;
	uint32_t before;

	(void)state;
	b->wire.min = 65;
	b->wire.max = 75;
	b->wire.idle_pct = 0;
	b->loop.min = b->loop.max = LONGEST;
	b->loop.both_pct = 30;
	run(b, PATIENCE);
	before = b->loop.out;
	run(b, rounds * (PATIENCE + 3 * beats));
	vtb_check(b->tb, b->loop.out - before >= rounds - 1);
	vtb_check(b->tb, b->overruns > 0);
	/* no more than the loop has taken, and the frames in which it waited for the room */
	vtb_check(b->tb, b->overruns * 2 <= (b->loop.out + 1ull) * 3 * beats);
	drain(b);
	b->wire.idle_pct = 60;
	b->loop.idle_pct = 60;
	run(b, 3000);
	vtb_check_eq(b->tb, b->overruns, 0);
	finish(b);
}

/* ---------------------------------------------------------------- copies */

/* Of a frame that goes out on a wire that stands nearly still: until its copy is whole nobody waits
 * for it. */
static void slow_copy_holds_nobody(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	b->wire.idle_pct = 70;
	b->loop.both_pct = 100;
	b->loop.gap_pct = 99;
	b->loop.min = b->loop.max = LONGEST;
	vtb_check(b->tb, !b->loop.out);
	while (b->loop.at + b->bytes < LONGEST && b->tb->cycle < 200000)
		cycle(b);
	vtb_check(b->tb, b->wire.out > 50);
	vtb_check_eq(b->tb, b->wire.longest_wait, 0);
	vtb_check_eq(b->tb, b->loop.out, 0);
	b->loop.gap_pct = 0;
	finish(b);
}

/* ---------------------------------------------------------------- reset */

static void reset_anywhere(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int i = 0; i < 40; i++) {
		b->wire.idle_pct = 30;
		b->wire.gap_pct = 20;
		b->loop.both_pct = i % 2 * 50;
		run(b, (unsigned int)rng_below(&b->tb->rng, 1500));
		/* all forget what was under way */
		vtb_set(b->tb, "wire_valid_i", 0);
		vtb_set(b->tb, "loop_valid_i", 0);
		vtb_reset(b->tb, 3);
		b->wire.active = b->loop.active = b->out_active = false;
		b->wire.out = b->wire.begun;
		b->loop.out = b->loop.begun;
		b->skipped = b->overruns = 0;
		vtb_eval(b->tb);
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
	}
	finish(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wire_alone_costs_no_cycle),
		cmocka_unit_test(loop_alone_costs_no_cycle),
		cmocka_unit_test(any_mixture),
		cmocka_unit_test(line_rate_against_loop),
		cmocka_unit_test(wire_without_gap),
		cmocka_unit_test(slow_copy_holds_nobody),
		cmocka_unit_test(reset_anywhere),
	};

	return cmocka_run_group_tests_name("rx_merge", tests, NULL, NULL);
}
