// SPDX-License-Identifier: Apache-2.0
/*
 * Firmware makes a record anew, or takes it away, while packets ask for it: over a record that is
 * not there, over one that is in use, under a flood of lookups; the pins that lookups hold are
 * respected, nothing is read of what was there before, and what is counted adds up in the end.
 * ctx_cache and ctx_fw; host memory is all zero, and takes what is written back.
 */
#include <string.h>

#include "cairn_hw.h"
#include "vtb_ctx.h"
#include "vtb_rec.h"

#define KEY 21
#define PARTS 4
#define LIMIT 2000 /* cycles that any of this may take */
#define OK CAIRN_CTX_RESULT_OK
#define FREE CAIRN_CTX_RESULT_FREE
#define WAITING CAIRN_CTX_RESULT_WAITING

struct bench {
	struct vtb *tb;
	unsigned int aw;
	unsigned int tag, left; /* a read of the record that is answered */
	uint64_t due;
	/* lookups of source 0 */
	unsigned int answers[8]; /* by status, since the last reset_counts() */
	unsigned int last, slot;
	unsigned int pins;
	bool flood; /* ask all the time, give pins back soon */
	/* firmware */
	bool op, op_done;
	unsigned int op_status;
	uint8_t op_data[64];
	struct vtb_ctx port;
	unsigned int fills, fill_status, reads, written;
};

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	bool unpin = b->flood && b->pins && rng_percent(&tb->rng, 60);
	struct rec_dma_rsp beat = {
		.client = REC_RD_QPC,
		.tag = (uint16_t)b->tag,
		.offset = (uint16_t)(256 - b->left),
		.nbytes = 64,
		.last = b->left == 64,
	};

	vtb_set(tb, "rd_ready_i", 1);
	vtb_set(tb, "wr_ready_i", 1);
	vtb_set(tb, "ticket_i", 1);
	vtb_set(tb, "beat_valid_i", b->left && tb->cycle >= b->due);
	vtb_put_dma_rsp(vtb_port(tb, "beat_meta_i"), 0, &beat);
	if (b->left && tb->cycle >= b->due)
		b->left -= 64;
	if (b->flood) {
		vtb_set(tb, "key0_i", KEY);
		vtb_put_bits(vtb_port(tb, "unpin_slot_i"), 0, b->aw, b->slot);
		vtb_set(tb, "look_valid_i", b->pins < 20);
		vtb_set(tb, "unpin_valid_i", unpin);
		b->pins -= unpin;
	}
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	if (vtb_get(tb, "rd_valid_o")) {
		b->tag = (unsigned int)vtb_get_bits(vtb_port(tb, "rd_req_o"), REC_DMA_RD_TAG);
		b->left = 256;
		b->due = tb->cycle + 30;
		b->reads++;
	}
	b->written += (unsigned int)vtb_get(tb, "wr_valid_o");
	if (vtb_get(tb, "fill_valid_o")) {
		b->fills++;
		b->fill_status = (unsigned int)vtb_get(tb, "fill_status_o");
		vtb_check_eq(tb, vtb_get(tb, "fill_key_o"), KEY);
	}
	if (vtb_get(tb, "found_valid_o") & 1) {
		b->last = (unsigned int)vtb_get(tb, "found_status_o");
		b->answers[b->last]++;
		if (b->last == OK || b->last == WAITING) {
			b->slot = (unsigned int)vtb_get(tb, "found_slot_o");
			b->pins++;
		}
	}
	if (b->op && vtb_get(tb, "done_done_o")) {
		b->op_done = true;
		b->op_status = (unsigned int)vtb_get(tb, "done_status_o");
		memcpy(b->op_data, b->port.got, 64);
	}
}

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	b->aw = (unsigned int)vtb_port(b->tb, "unpin_slot_i")->width / 3;
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	vtb_ctx_attach(&b->port, b->tb, "op", "done");
	vtb_run(b->tb, 40);
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

static void reset_counts(struct bench *b)
{
	memset(b->answers, 0, sizeof(b->answers));
}

static unsigned int all_answers(const struct bench *b)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < 8; i++)
		n += b->answers[i];
	return n;
}

static unsigned int lookup(struct bench *b)
{
	unsigned int before = all_answers(b);

	vtb_set(b->tb, "key0_i", KEY);
	vtb_set(b->tb, "look_valid_i", 1);
	vtb_run_until(b->tb, vtb_get(b->tb, "look_ready_o") & 1, 100);
	vtb_tick(b->tb);
	vtb_set(b->tb, "look_valid_i", 0);
	vtb_run_until(b->tb, all_answers(b) == before + 1, 100);
	return b->last;
}

static void unpin(struct bench *b)
{
	while (b->pins) {
		vtb_put_bits(vtb_port(b->tb, "unpin_slot_i"), 0, b->aw, b->slot);
		vtb_set(b->tb, "unpin_valid_i", 1);
		vtb_tick(b->tb);
		b->pins--;
	}
	vtb_set(b->tb, "unpin_valid_i", 0);
}

/* Word 0 of a part is key and generation: the same in all parts of a record (ctx_fill). */
static void begin(struct bench *b, unsigned int op, unsigned int part, unsigned int gen)
{
	uint8_t data[64] = { KEY, 0, 0, (uint8_t)gen, (uint8_t)(0x10 * part + gen) }, mask[64];

	vtb_set(b->tb, "op_valid_i", 1);
	vtb_set(b->tb, "op_op_i", op);
	vtb_set(b->tb, "op_key_i", KEY);
	vtb_set(b->tb, "op_part_i", part);
	memset(mask, 0xff, sizeof(mask));
	vtb_ctx_put(&b->port, data, mask);
	b->op = true;
	b->op_done = false;
}

static unsigned int end(struct bench *b)
{
	vtb_run_until(b->tb, b->op_done, LIMIT);
	b->op = false;
	vtb_set(b->tb, "op_valid_i", 0);
	vtb_tick(b->tb);
	return b->op_status;
}

static unsigned int operate(struct bench *b, unsigned int op, unsigned int part, unsigned int gen)
{
	begin(b, op, part, gen);
	return end(b);
}

static void init_from(struct bench *b, unsigned int part, unsigned int gen)
{
	for (; part < PARTS; part++)
		vtb_check_eq(b->tb, operate(b, CAIRN_CTX_OP_INIT, part, gen), OK);
	vtb_run(b->tb, 5);
}

/* It can be found and read, and, when nobody has it, be written back and leave. */
static void check_whole(struct bench *b, unsigned int gen)
{
	vtb_check_eq(b->tb, lookup(b), OK);
	unpin(b);
	for (unsigned int p = 0; p < PARTS; p++) {
		vtb_check_eq(b->tb, operate(b, CAIRN_CTX_OP_READ, p, 0), OK);
		vtb_check_eq(b->tb, b->op_data[4], 0x10 * p + gen);
	}
	b->written = 0;
	vtb_check_eq(b->tb, operate(b, CAIRN_CTX_OP_EVICT, 0, 0), OK);
	vtb_run(b->tb, 100);
	vtb_check_eq(b->tb, b->written, PARTS);
	vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 100);
}

/* A packet came first, and has found that there is no record; it still has its pin. */
static void over_none(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	vtb_check_eq(b->tb, lookup(b), WAITING);
	vtb_run_until(b->tb, b->fills == 1, 200);
	vtb_check_eq(b->tb, b->fill_status, FREE);
	begin(b, CAIRN_CTX_OP_INIT, 0, 7);
	vtb_run(b->tb, 200);
	vtb_check(b->tb, !b->op_done);
	vtb_check_eq(b->tb, lookup(b), FREE);
	unpin(b);
	vtb_check_eq(b->tb, end(b), OK);
	vtb_check_eq(b->tb, lookup(b), WAITING);
	init_from(b, 1, 7);
	vtb_check_eq(b->tb, b->fill_status, OK);
	check_whole(b, 7);
	bench_free(b);
}

/* The record is being read when it is made. */
static void over_a_fill(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	vtb_check_eq(b->tb, lookup(b), WAITING);
	begin(b, CAIRN_CTX_OP_INIT, 0, 7);
	vtb_run_until(b->tb, b->fills == 1, 200);
	unpin(b);
	vtb_check_eq(b->tb, end(b), OK);
	init_from(b, 1, 7);
	check_whole(b, 7);
	bench_free(b);
}

/*
 * Over one in use: it stays as it is until it is given back, and from the first part of the new
 * one to the last nobody sees either; host memory is not asked.
 */
static void over_a_record(void **state)
{
	struct bench *b = bench_new();
	unsigned int reads;

	(void)state;
	init_from(b, 0, 3);
	vtb_check_eq(b->tb, lookup(b), OK);
	vtb_check_eq(b->tb, lookup(b), OK);
	reads = b->reads;
	begin(b, CAIRN_CTX_OP_INIT, 0, 4);
	vtb_run(b->tb, 200);
	vtb_check(b->tb, !b->op_done);
	vtb_check_eq(b->tb, lookup(b), FREE); /* it is no QP any more */
	unpin(b);
	vtb_check_eq(b->tb, end(b), OK);
	vtb_check_eq(b->tb, lookup(b), WAITING);
	vtb_check_eq(b->tb, operate(b, CAIRN_CTX_OP_INIT, 1, 4), OK);
	vtb_check_eq(b->tb, lookup(b), WAITING);
	b->fills = 0;
	init_from(b, 2, 4);
	vtb_check_eq(b->tb, b->fills, 1);
	vtb_check_eq(b->tb, b->fill_status, OK);
	unpin(b);
	vtb_check_eq(b->tb, b->reads, reads);
	check_whole(b, 4);
	bench_free(b);
}

/* Packets of the key come without a pause: each operation ends, and they were turned away. */
static void under_a_flood(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	init_from(b, 0, 1);
	b->flood = true;
	for (unsigned int gen = 2; gen < 60; gen++) {
		reset_counts(b);
		init_from(b, 0, gen);
		vtb_run(b->tb, (unsigned int)rng_below(&b->tb->rng, 60));
		vtb_check(b->tb, b->answers[FREE] && b->answers[WAITING] && b->answers[OK]);
		vtb_check_eq(b->tb, operate(b, CAIRN_CTX_OP_READ, 2, 0), OK);
		vtb_check_eq(b->tb, b->op_data[4], (0x20 + gen) & 0xff);
	}
	b->flood = false;
	vtb_set(b->tb, "look_valid_i", 0);
	vtb_set(b->tb, "unpin_valid_i", 0);
	vtb_run(b->tb, 20);
	unpin(b);
	check_whole(b, 59);
	bench_free(b);
}

/*
 * Written back while a packet has it: those that come then are told that there is none. (Told to
 * come again, the first of a queue would wait for this, and this for the pin of one behind it.)
 */
static void evicted_in_use(void **state)
{
	static const unsigned int ops[] = { CAIRN_CTX_OP_EVICT, CAIRN_CTX_OP_DROP };

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct bench *b = bench_new();

		init_from(b, 0, 3);
		vtb_check_eq(b->tb, lookup(b), OK);
		begin(b, ops[i], 0, 0);
		vtb_run(b->tb, 100);
		vtb_check(b->tb, !b->op_done);
		vtb_check_eq(b->tb, lookup(b), FREE);
		unpin(b);
		vtb_check_eq(b->tb, end(b), OK);
		vtb_run(b->tb, 100);
		vtb_check_eq(b->tb, b->written, i ? 0 : PARTS);
		vtb_check_eq(b->tb, lookup(b), WAITING);
		bench_free(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(over_none),	  cmocka_unit_test(over_a_fill),
		cmocka_unit_test(over_a_record),  cmocka_unit_test(under_a_flood),
		cmocka_unit_test(evicted_in_use),
	};

	return cmocka_run_group_tests_name("ctx_init", tests, NULL, NULL);
}
