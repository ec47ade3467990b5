// SPDX-License-Identifier: Apache-2.0
/* async_fifo, clocks of any ratio: nothing lost, doubled, changed, out of order; levels safe. */
#include "vtb.h"

#define DEPTH 16
#define WORDS 3000

struct bench {
	struct vtb *tb;
	const struct sim_port *wr_clk, *rd_clk, *wr_rst, *rd_rst, *in_valid, *in_ready, *in_data;
	const struct sim_port *out_valid, *out_ready, *out_data, *wr_level, *rd_level;
	struct rng expect;
	unsigned int pushed, popped;
	unsigned int idle, busy;
	bool holding;
	uint64_t held;
};

static void bench_open(struct bench *b)
{
	struct vtb *tb = b->tb = vtb_create();

	b->wr_clk = vtb_port(tb, "wr_clk_i");
	b->rd_clk = vtb_port(tb, "rd_clk_i");
	b->wr_rst = vtb_port(tb, "wr_rst_ni");
	b->rd_rst = vtb_port(tb, "rd_rst_ni");
	b->in_valid = vtb_port(tb, "in_valid_i");
	b->in_ready = vtb_port(tb, "in_ready_o");
	b->in_data = vtb_port(tb, "in_data_i");
	b->out_valid = vtb_port(tb, "out_valid_o");
	b->out_ready = vtb_port(tb, "out_ready_i");
	b->out_data = vtb_port(tb, "out_data_o");
	b->wr_level = vtb_port(tb, "wr_level_o");
	b->rd_level = vtb_port(tb, "rd_level_o");
	b->expect = tb->rng;
	b->pushed = b->popped = 0;
	b->holding = false;
}

static void edge(struct bench *b, const struct sim_port *clk)
{
	vtb_eval(b->tb);
	vtb_put(clk, 1);
	vtb_eval(b->tb);
	vtb_put(clk, 0);
	vtb_eval(b->tb);
}

static void reset(struct bench *b)
{
	vtb_put(b->wr_rst, 0);
	vtb_put(b->rd_rst, 0);
	vtb_put(b->in_valid, 0);
	for (int i = 0; i < 5; i++) {
		edge(b, b->wr_clk);
		edge(b, b->rd_clk);
	}
	vtb_put(b->wr_rst, 1);
	vtb_put(b->rd_rst, 1);
}

/* A word stays offered until it is taken; words are drawn from tb->rng in order. */
static void write_edge(struct bench *b)
{
	bool moved;

	if (!vtb_read(b->in_valid) && b->pushed < WORDS && !rng_percent(&b->tb->rng, b->idle)) {
		struct rng word = b->expect;

		for (unsigned int i = b->popped; i < b->pushed; i++)
			rng_u64(&word);

		vtb_put(b->in_valid, 1);
		vtb_put(b->in_data, rng_u64(&word) & 0xffffffff);
	}
	vtb_eval(b->tb);
	/* never too small: it counts all that is inside but the output register */
	vtb_check(b->tb, vtb_read(b->wr_level) + 1 >= b->pushed - b->popped);
	vtb_check(b->tb, vtb_read(b->wr_level) <= DEPTH);
	moved = vtb_read(b->in_valid) && vtb_read(b->in_ready);
	edge(b, b->wr_clk);
	if (moved) {
		b->pushed++;
		vtb_put(b->in_valid, 0);
	}
}

static void read_edge(struct bench *b)
{
	bool valid;

	vtb_put(b->out_ready, !rng_percent(&b->tb->rng, b->busy));
	vtb_eval(b->tb);
	valid = vtb_read(b->out_valid);
	vtb_check(b->tb, vtb_read(b->rd_level) <= b->pushed - b->popped);
	if (b->holding)
		vtb_check(b->tb, valid && vtb_read(b->out_data) == b->held);
	b->holding = valid && !vtb_read(b->out_ready);
	b->held = vtb_read(b->out_data);
	if (valid && vtb_read(b->out_ready)) {
		vtb_check(b->tb, b->popped < b->pushed);
		vtb_check_eq(b->tb, b->held, rng_u64(&b->expect) & 0xffffffff);
		b->popped++;
	}
	edge(b, b->rd_clk);
}

/* Clock periods in any unit, with a phase that drifts. */
static void run(unsigned int wr_period, unsigned int rd_period, unsigned int idle,
		unsigned int busy)
{
	static struct bench b;
	uint64_t wr_at = 0, rd_at = 3, edges = 0, fast = 0;

	bench_open(&b);
	b.idle = idle;
	b.busy = busy;
	reset(&b);
	while (b.popped < WORDS) {
		vtb_check(b.tb, edges++ < 200000);
		if (wr_at <= rd_at) {
			write_edge(&b);
			wr_at += wr_period;
		} else {
			read_edge(&b);
			rd_at += rd_period;
			fast += b.popped > 0;
		}
	}
	vtb_check_eq(b.tb, b.pushed, WORDS);
	if (!idle && !busy && rd_period >= wr_period)	/* full rate on the slower side */
		vtb_check(b.tb, fast <= WORDS + 2);
	vtb_destroy(b.tb);
}

static void ratios(void **state)
{
	(void)state;
	run(100, 100, 0, 0);
	run(100, 101, 0, 0);
	run(100, 37, 0, 0);
	run(37, 100, 0, 0);
	run(100, 731, 0, 0);
	run(731, 100, 0, 0);
}

static void pauses(void **state)
{
	(void)state;
	run(100, 97, 50, 50);
	run(100, 97, 0, 70);
	run(100, 260, 70, 0);
	run(260, 100, 30, 30);
}

/* With the reader stopped DEPTH words and one in the output register go in. */
static void capacity(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	b.idle = 0;
	b.busy = 100;
	reset(&b);
	for (int i = 0; i < 100; i++) {
		write_edge(&b);
		read_edge(&b);
	}
	vtb_check_eq(b.tb, b.pushed, DEPTH + 1);
	vtb_check_eq(b.tb, vtb_read(b.wr_level), DEPTH);
	vtb_check_eq(b.tb, vtb_read(b.rd_level), DEPTH);
	reset(&b);
	vtb_check_eq(b.tb, vtb_read(b.out_valid), 0);
	vtb_check_eq(b.tb, vtb_read(b.wr_level), 0);
	vtb_destroy(b.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratios), cmocka_unit_test(pauses), cmocka_unit_test(capacity),
	};

	return cmocka_run_group_tests_name("async_fifo", tests, NULL, NULL);
}
