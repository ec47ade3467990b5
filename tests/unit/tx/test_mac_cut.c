// SPDX-License-Identifier: Apache-2.0
/*
 * mac_cut: a wire as long as there is no reset; a reset at any beat of a frame, with a MAC that
 * stands still or not: what the MAC sees is whole frames, then at the most one that begins as it
 * should and ends with err, then whole frames again; and a beat on offer never changes.
 */
#include <string.h>

#include "vtb.h"

#define BYTES 8u
#define FRAME 64u

struct beat {
	bool valid, last, err;
	uint64_t data, nbytes;
};

struct bench {
	struct vtb *tb;
	/* the core: a frame of `len` bytes that all have the value `tag` but for its number */
	unsigned int len, at, tag;
	bool active;
	unsigned int idle_pct, stand_pct; /* core, MAC */
	/* the MAC */
	struct beat last; /* on offer and not taken */
	uint8_t seen[FRAME + 2 * BYTES];
	unsigned int n_seen, good, bad;
	unsigned int sent; /* frames that the core has handed over whole */
};

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

static uint8_t byte_of(unsigned int tag, unsigned int at)
{
	return (uint8_t)(tag * 37 + at);
}

static void offer(struct bench *b)
{
	unsigned int n = b->len - b->at < BYTES ? b->len - b->at : BYTES;
	uint64_t data = 0;

	for (unsigned int i = 0; i < n; i++)
		data |= (uint64_t)byte_of(b->tag, b->at + i) << 8 * i;
	vtb_set(b->tb, "in_valid_i", b->active);
	vtb_set(b->tb, "in_data_i", data);
	vtb_set(b->tb, "in_nbytes_i", n);
	vtb_set(b->tb, "in_last_i", b->at + n == b->len);
	vtb_set(b->tb, "in_err_i", 0);
}

/* A frame has ended: it is the core's newest, whole, or its beginning and err. */
static void check_frame(struct bench *b, bool err)
{
	unsigned int whole = err ? b->n_seen - 1 : b->n_seen, tag = b->seen[0];

	for (unsigned int i = 0; i < whole; i++)
		vtb_check_eq(b->tb, b->seen[i], (uint8_t)(tag + i));
	if (err)
		b->bad++;
	else
		b->good++;
	b->n_seen = 0;
}

static void watch(struct bench *b)
{
	struct vtb *tb = b->tb;
	struct beat now = { vtb_get(tb, "out_valid_o"), vtb_get(tb, "out_last_o"),
			    vtb_get(tb, "out_err_o"), vtb_get(tb, "out_data_o"),
			    vtb_get(tb, "out_nbytes_o") };

	if (b->last.valid) {
		vtb_check(tb, now.valid);
		vtb_check_eq(tb, now.last, b->last.last);
		vtb_check_eq(tb, now.err, b->last.err);
		vtb_check_eq(tb, now.data, b->last.data);
		vtb_check_eq(tb, now.nbytes, b->last.nbytes);
	}
	b->last = now;
	if (!now.valid || !vtb_get(tb, "out_ready_i"))
		return;
	b->last.valid = false;
	vtb_check(tb, b->n_seen + now.nbytes <= sizeof(b->seen));
	for (unsigned int i = 0; i < now.nbytes; i++)
		b->seen[b->n_seen++] = (uint8_t)(now.data >> 8 * i);
	if (now.last)
		check_frame(b, now.err);
}

/* One cycle; the core is in reset or not. */
static void cycle(struct bench *b, bool reset)
{
	struct vtb *tb = b->tb;
	bool taken;

	if (!b->active && !reset && !rng_percent(&tb->rng, b->idle_pct)) {
		b->active = true;
		b->at = 0;
		b->tag++;
		b->len = (unsigned int)rng_range(&tb->rng, 1, FRAME);
	}
	offer(b);
	vtb_set(tb, "out_ready_i", !rng_percent(&tb->rng, b->stand_pct));
	vtb_eval(tb);
	taken = b->active && vtb_get(tb, "in_ready_o");
	watch(b);
	vtb_tick(tb);
	if (taken) {
		b->at += BYTES;
		if (b->at >= b->len) {
			b->active = false;
			b->sent++;
		}
	}
}

/* What flr_ctl does: cut_i before and through the reset; the core's registers are cleared at the
 * end of its first cycle. */
static void cut(struct bench *b, unsigned int cycles)
{
	vtb_set(b->tb, "cut_i", 1);
	cycle(b, false);
	for (unsigned int i = 0; i < cycles; i++) {
		cycle(b, true);
		b->active = false;
	}
	vtb_set(b->tb, "cut_i", 0);
}

static void is_a_wire(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int i = 0; i < 4000; i++) {
		b->idle_pct = i / 500 % 3 * 40;
		b->stand_pct = i / 1000 * 30;
		cycle(b, false);
	}
	b->idle_pct = 100;
	b->stand_pct = 0;
	for (unsigned int i = 0; i < 20; i++)
		cycle(b, false);
	vtb_check_eq(b->tb, b->good, b->sent);
	vtb_check_eq(b->tb, b->bad, 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
	bench_free(b);
}

/* The MAC stands for the whole reset, and for longer; the next frames wait for it. */
static void still_mac(void **state)
{
	struct bench *b = bench_new();
	unsigned int cuts = 0;

	(void)state;
	for (unsigned int i = 0; i < 600; i++) {
		unsigned int bad = b->bad, beats = i % 10;
		bool open;

		b->stand_pct = 0;
		for (unsigned int k = 0; k < beats; k++)
			cycle(b, false);
		b->stand_pct = 100;
		for (unsigned int k = 0; k < 1 + i % 3; k++)
			cycle(b, false);
		/* now a beat is on offer: its frame ends with err, unless it is the last */
		open = b->at + BYTES < b->len;
		cut(b, 1 + i % 17);
		for (unsigned int k = 0; k < i % 7; k++)
			cycle(b, false);
		if (i % 5 == 0) /* reset once more, with the rest of the first still here */
			cut(b, 3);
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 0);
		b->stand_pct = 0;
		for (unsigned int k = 0; k < 40; k++)
			cycle(b, false);
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
		vtb_check_eq(b->tb, b->bad, bad + open);
		cuts += open;
	}
	vtb_check(b->tb, cuts > 100 && cuts < 600);
	bench_free(b);
}

/* Any MAC, any moment. */
static void any_moment(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int i = 0; i < 3000; i++) {
		unsigned int bad = b->bad;

		b->idle_pct = i % 4 * 25;
		b->stand_pct = i % 5 * 24;
		for (unsigned int k = (unsigned int)rng_below(&b->tb->rng, 30); k; k--)
			cycle(b, false);
		cut(b, (unsigned int)rng_range(&b->tb->rng, 1, 20));
		for (unsigned int k = (unsigned int)rng_below(&b->tb->rng, 10); k; k--)
			cycle(b, false);
		b->stand_pct = 0;
		for (unsigned int k = 0; k < 20; k++)
			cycle(b, false);
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
		vtb_check(b->tb, b->bad <= bad + 1);
	}
	vtb_check(b->tb, b->bad > 300 && b->good > 3000);
	bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_a_wire),
		cmocka_unit_test(still_mac),
		cmocka_unit_test(any_moment),
	};

	return cmocka_run_group_tests_name("mac_cut", tests, NULL, NULL);
}
