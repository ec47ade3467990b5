// SPDX-License-Identifier: Apache-2.0
/* stream_fork: each word once to every output named. */
#include <string.h>

#include "vtb.h"

#define WORDS 1000

struct bench {
	struct vtb *tb;
	struct vtb_stream *in, *out[3];
	uint32_t want[3][WORDS];
	unsigned int n[3], got[3];
};

static void bench_open(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	b->tb = vtb_create();
	b->in = vtb_source(b->tb, "in");
	vtb_stream_add(b->in, "sel", NULL);
	b->out[0] = vtb_sink(b->tb, "out0");
	b->out[1] = vtb_sink(b->tb, "out1");
	b->out[2] = vtb_sink(b->tb, "out2");
}

static void send(struct bench *b, uint8_t sel)
{
	uint32_t word = (uint32_t)rng_u64(&b->tb->rng);

	for (int i = 0; i < 3; i++)
		if (sel >> i & 1)
			b->want[i][b->n[i]++] = word;
	vtb_send(b->in, &word, 4, false, &sel, 1);
}

static bool take_all(struct bench *b)
{
	bool all = !vtb_pending(b->in);

	for (int i = 0; i < 3; i++) {
		while (vtb_received(b->out[i])) {
			vtb_check(b->tb, b->got[i] < b->n[i]);
			vtb_check_eq(b->tb, vtb_recv_word(b->out[i]), b->want[i][b->got[i]]);
			b->got[i]++;
		}
		all = all && b->got[i] == b->n[i];
	}
	return all;
}

static void run(unsigned int idle, unsigned int busy)
{
	static struct bench b;

	bench_open(&b);
	vtb_stream_pause(b.in, idle);
	for (int i = 0; i < 3; i++)
		vtb_stream_pause(b.out[i], busy);
	for (int i = 0; i < WORDS; i++)
		send(&b, rng_below(&b.tb->rng, 8));
	vtb_run_until(b.tb, take_all(&b), 20000);
	if (!idle && !busy)
		vtb_check_eq(b.tb, vtb_max_gap(b.in, 0, WORDS - 1), 1);
	vtb_run(b.tb, 10);
	take_all(&b);	/* nothing more */
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
	run(0, 90);
}

/* One stopped output does not keep the others from this word, but from the next. */
static void one_stopped(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	vtb_stream_pause(b.out[1], 100);
	send(&b, 7);
	send(&b, 5);
	vtb_run(b.tb, 20);
	vtb_check_eq(b.tb, vtb_beats(b.out[0]), 1);
	vtb_check_eq(b.tb, vtb_beats(b.out[2]), 1);
	vtb_check_eq(b.tb, vtb_pending(b.in), 2);
	vtb_stream_pause(b.out[1], 0);
	vtb_run(b.tb, 20);
	vtb_check(b.tb, take_all(&b));
	vtb_destroy(b.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_rate), cmocka_unit_test(pauses),
		cmocka_unit_test(one_stopped),
	};

	return cmocka_run_group_tests_name("stream_fork", tests, NULL, NULL);
}
