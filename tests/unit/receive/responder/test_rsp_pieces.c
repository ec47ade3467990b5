// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_pieces against a ring in C: places come out as they went in, in order, with one piece or two;
 * a put that pauses begins anew; one may be popped before it is here.
 */
#include "cairn_int.h"
#include "vtb_rec.h"

#define DEPTH 48u

struct bench {
	struct vtb *tb;
	const struct sim_port *in, *out;
	struct rec_mr_place ring[DEPTH];
	unsigned int put, get, filled, mine; /* places: next ones; put so far; handed on */
	unsigned int idle, busy;	     /* percent */
	unsigned int popped, early;
	uint64_t since; /* when the first one became the first */
	bool valid;
};

static void put_place(struct bench *b)
{
	struct rng *rng = &b->tb->rng;
	struct rec_mr_place p = { .func = rng_below(rng, 256),
				  .iova0 = rng_u64(rng),
				  .len0 = rng_range(rng, 1, 4096),
				  .iova1 = rng_u64(rng),
				  .len1 = rng_percent(rng, 50) ? rng_range(rng, 1, 4096) : 0 };

	b->ring[b->put] = p;
#define PUT(name, path, at, width) vtb_put_bits(b->in, at, width, p.path);
	REC_MR_PLACE_FIELDS(PUT)
	vtb_set(b->tb, "put_at_i", b->put);
}

static void compare(struct bench *b)
{
	struct rec_mr_place want = b->ring[b->get];

	vtb_check_eq(b->tb, vtb_get_bits(b->out, REC_MR_PLACE_FUNC), want.func);
	vtb_check_eq(b->tb, vtb_get_bits(b->out, REC_MR_PLACE_IOVA0), want.iova0);
	vtb_check_eq(b->tb, vtb_get_bits(b->out, REC_MR_PLACE_LEN0), want.len0);
	vtb_check_eq(b->tb, vtb_get_bits(b->out, REC_MR_PLACE_LEN1), want.len1);
	if (want.len1)
		vtb_check_eq(b->tb, vtb_get_bits(b->out, REC_MR_PLACE_IOVA1), want.iova1);
}

static void cycle(struct bench *b)
{
	struct vtb *tb = b->tb;
	bool here, pop, taken, first = b->mine == 0;

	if (!b->valid && b->filled + b->mine < DEPTH && !rng_percent(&tb->rng, b->idle)) {
		put_place(b);
		b->valid = true;
	}
	vtb_set(tb, "put_valid_i", b->valid && !rng_percent(&tb->rng, b->idle / 4));
	vtb_set(tb, "any_i", b->mine != 0);
	vtb_set(tb, "get_at_i", b->get);
	vtb_set(tb, "pop_i", 0);
	vtb_eval(tb);
	here = vtb_get(tb, "here_o");
	vtb_check(tb, !here || b->mine);
	pop = b->mine && (here ? !rng_percent(&tb->rng, b->busy) : rng_percent(&tb->rng, 3));
	if (here)
		compare(b);
	vtb_check(tb, !b->mine || here || tb->cycle - b->since < 8);
	vtb_set(tb, "pop_i", pop);
	vtb_eval(tb);
	taken = vtb_get(tb, "put_valid_i") && vtb_get(tb, "put_ready_o");
	vtb_tick(tb);
	if (taken) {
		b->valid = false;
		b->put = (b->put + 1) % DEPTH;
		b->filled++;
	}
	if (pop) {
		b->get = (b->get + 1) % DEPTH;
		b->mine--;
		b->popped++;
		b->early += !here;
	}
	if (b->filled && rng_percent(&tb->rng, 30)) { /* a packet's places go on together */
		b->mine += b->filled;
		b->filled = 0;
	}
	if (pop || first)
		b->since = tb->cycle;
}

static void traffic(unsigned int idle, unsigned int busy)
{
	static struct bench b;

	b = (struct bench){ .tb = vtb_create(), .idle = idle, .busy = busy };
	b.in = vtb_port(b.tb, "put_i");
	b.out = vtb_port(b.tb, "place_o");
	for (int i = 0; i < 30000; i++)
		cycle(&b);
	vtb_check(b.tb, b.popped > 1000 && b.early > 10);
	vtb_destroy(b.tb);
}

static void rates(void **state)
{
	(void)state;
	traffic(0, 0);
}

static void pauses(void **state)
{
	(void)state;
	traffic(60, 0);
	traffic(0, 80);
	traffic(50, 50);
}

/* A place of one piece takes 3 cycles to put, one of two 5. */
static void cycles(void **state)
{
	struct bench b = { .tb = vtb_create() };

	(void)state;
	b.in = vtb_port(b.tb, "put_i");
	for (int i = 0; i < 20; i++) {
		uint64_t from;

		put_place(&b);
		vtb_set(b.tb, "put_valid_i", 1);
		from = b.tb->cycle;
		vtb_run_until(b.tb, vtb_get(b.tb, "put_ready_o"), 8);
		vtb_check_eq(b.tb, b.tb->cycle - from, b.ring[b.put].len1 ? 4 : 2);
		vtb_tick(b.tb);
	}
	vtb_destroy(b.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(rates), cmocka_unit_test(pauses),
					    cmocka_unit_test(cycles) };

	return cmocka_run_group_tests_name("rsp_pieces", tests, NULL, NULL);
}
