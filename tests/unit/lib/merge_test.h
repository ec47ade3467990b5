/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_arb and stream_mux through merge_tb.sv: every packet comes out whole, unchanged and in the
 * order of its source.  Included by one .c a KIND (0 round robin, 1 fixed priority,
 * 2 chosen order).
 */
#include <string.h>

#include "vtb.h"

#define PACKETS 200
#define MAX_LEN 40

struct bench {
	struct vtb *tb;
	struct vtb_stream *in[3], *sel, *out;
	uint8_t data[3][PACKETS][MAX_LEN];
	size_t len[3][PACKETS];
	unsigned int sent[3], got[3];
};

static void bench_open(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	b->tb = vtb_create();
	b->in[0] = vtb_source(b->tb, "in0");
	b->in[1] = vtb_source(b->tb, "in1");
	b->in[2] = vtb_source(b->tb, "in2");
	b->sel = vtb_source(b->tb, "sel");
	b->out = vtb_sink(b->tb, "out");
	vtb_stream_add(b->out, "src", NULL);
}

/* A packet of whole words (the cells do not know of nbytes). */
static void send(struct bench *b, unsigned int src, size_t words)
{
	unsigned int k = b->sent[src]++;

	b->len[src][k] = words * 4;
	rng_bytes(&b->tb->rng, b->data[src][k], words * 4);
	vtb_send(b->in[src], b->data[src][k], words * 4, false, NULL, 0);
}

/* Take one packet; returns its source. */
static unsigned int take(struct bench *b)
{
	const struct vtb_packet *pkt;
	unsigned int src, k;

	vtb_run_until(b->tb, vtb_received(b->out), 2000);
	pkt = vtb_recv(b->out);
	src = (unsigned int)vtb_meta_bits(pkt->meta, 0, 2);
	vtb_check(b->tb, src < 3 && b->got[src] < b->sent[src]);
	k = b->got[src]++;
	vtb_check_eq(b->tb, pkt->len, b->len[src][k]);
	vtb_check(b->tb, !memcmp(pkt->data, b->data[src][k], pkt->len));
	vtb_check_eq(b->tb, vtb_meta_bits(pkt->meta_last, 0, 2), src);
	return src;
}

static void run(unsigned int idle, unsigned int busy)
{
	static struct bench b;
	uint8_t order[3 * PACKETS];
	unsigned int n = 0;

	bench_open(&b);
	for (int i = 0; i < 3; i++)
		vtb_stream_pause(b.in[i], idle);
	vtb_stream_pause(b.sel, idle / 2);
	vtb_stream_pause(b.out, busy);
	while (n < 3 * PACKETS) {
		unsigned int src = rng_below(&b.tb->rng, 3);

		if (b.sent[src] == PACKETS)
			continue;
		order[n++] = (uint8_t)src;
		send(&b, src, rng_range(&b.tb->rng, 1, MAX_LEN / 4));
		if (KIND == 2)
			vtb_send_word(b.sel, src);
	}
	for (unsigned int i = 0; i < n; i++) {
		unsigned int src = take(&b);

		if (KIND == 2)
			vtb_check_eq(b.tb, src, order[i]);
	}
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
