/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_arb through stream_arb_tb.sv: every word comes out unchanged and in the order of its
 * source, which stands in its top byte.  Included by one .c a kind of choice.
 */
#include <string.h>

#include "vtb.h"

#define WORDS 1000

struct bench {
	struct vtb *tb;
	struct vtb_stream *in[3], *out;
	uint32_t word[3][WORDS];
	unsigned int sent[3], got[3];
};

static void bench_open(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	b->tb = vtb_create();
	b->in[0] = vtb_source(b->tb, "in0");
	b->in[1] = vtb_source(b->tb, "in1");
	b->in[2] = vtb_source(b->tb, "in2");
	b->out = vtb_sink(b->tb, "out");
}

static void send(struct bench *b, unsigned int src)
{
	uint32_t word = src << 24 | rng_below(&b->tb->rng, 1 << 24);

	b->word[src][b->sent[src]++] = word;
	vtb_send_word(b->in[src], word);
}

/* Take one word; returns its source. */
static unsigned int take(struct bench *b)
{
	unsigned int src;
	uint64_t word;

	vtb_run_until(b->tb, vtb_received(b->out), 2000);
	word = vtb_recv_word(b->out);
	src = (unsigned int)(word >> 24);
	vtb_check(b->tb, src < 3 && b->got[src] < b->sent[src]);
	vtb_check_eq(b->tb, word, b->word[src][b->got[src]]);
	b->got[src]++;
	return src;
}

static void run(unsigned int idle, unsigned int busy)
{
	static struct bench b;

	bench_open(&b);
	for (int i = 0; i < 3; i++)
		vtb_stream_pause(b.in[i], idle);
	vtb_stream_pause(b.out, busy);
	for (unsigned int n = 0; n < WORDS; n++)
		send(&b, rng_below(&b.tb->rng, 3));
	for (unsigned int n = 0; n < WORDS; n++)
		take(&b);
	if (!idle && !busy)
		vtb_check_eq(b.tb, vtb_max_gap(b.out, 0, vtb_beats(b.out) - 1), 1);
	vtb_destroy(b.tb);
}

static void full_rate(void **state)
{
	(void)state;
	run(0, 0);
}

static void pauses(void **state)
{
	(void)state;
	run(50, 0);
	run(0, 50);
	run(50, 50);
	run(90, 10);
}
