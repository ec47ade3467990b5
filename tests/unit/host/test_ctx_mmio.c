// SPDX-License-Identifier: Apache-2.0
/*
 * ctx_mmio: data and mask words, key, start, status and interrupt of the context port, against a
 * cache that answers when it likes, and asks for words and puts them as it likes.  A model of the
 * region, written from hw.def, is compared in every cycle.  Left open, as firmware does neither:
 * writing the key of an operation that is under way, clearing DONE in the very cycle in which it
 * is set.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb.h"

#define WORDS 16

struct bench {
	struct vtb *tb;
	/* the model */
	bool busy, done, key_known, ones;
	uint32_t result, start, key, data[WORDS], mask[WORDS];
	unsigned int data_known, mask_known; /* a bit per word written or read since reset */
	unsigned int age;		     /* cycles that it has been under way, 0 or 1 */
	unsigned int shown;		     /* the word that it asked for in the cycle before */
	uint32_t shown_data;		     /* as it was then */
	bool shown_known;
	/* the access of the cycle before */
	bool took, read_known;
	uint32_t read_value;
	/* the cache, in percent of the cycles */
	unsigned int idle_pct, done_pct;
	bool wild_done; /* answers that nobody asked for */
	unsigned int n_done;
};

/* ---- model ---- */

static bool is_in(uint32_t addr, uint32_t base)
{
	return addr >= base && addr < base + 4 * WORDS;
}

static void model_read(struct bench *b, uint32_t addr)
{
	unsigned int word = (addr - CAIRN_CTX_DATA) / 4;

	b->read_known = true;
	b->read_value = 0;
	if (is_in(addr, CAIRN_CTX_DATA)) {
		b->read_known = b->data_known >> word & 1;
		b->read_value = b->data[word];
	} else if (addr == CAIRN_REG_CTX_KEY) {
		b->read_known = b->key_known;
		b->read_value = b->key;
	} else if (addr == CAIRN_REG_CTX_STATUS) {
		b->read_value = CAIRN_PUT(CAIRN_REG_CTX_STATUS_BUSY, b->busy) |
				CAIRN_PUT(CAIRN_REG_CTX_STATUS_DONE, b->done) |
				CAIRN_PUT(CAIRN_REG_CTX_STATUS_RESULT, b->result);
	}
}

static void model_write(struct bench *b, uint32_t addr, uint32_t value)
{
	if (is_in(addr, CAIRN_CTX_DATA)) {
		b->data[(addr - CAIRN_CTX_DATA) / 4] = value;
		b->data_known |= 1u << (addr - CAIRN_CTX_DATA) / 4;
	} else if (is_in(addr, CAIRN_CTX_MASK)) {
		b->mask[(addr - CAIRN_CTX_MASK) / 4] = value;
		b->mask_known |= 1u << (addr - CAIRN_CTX_MASK) / 4;
		b->ones = false;
	} else if (addr == CAIRN_REG_CTX_KEY) {
		b->key = value;
		b->key_known = true;
	} else if (addr == CAIRN_REG_CTX_STATUS) {
		b->done &= !(value & CAIRN_REG_CTX_STATUS_DONE);
	} else if (addr == CAIRN_REG_CTX_START && !b->busy) {
		b->busy = true;
		b->age = 0;
		b->start = value;
		b->ones |= CAIRN_GET(value, CAIRN_REG_CTX_START_OP) == CAIRN_CTX_OP_INIT;
	}
}

/* The part comes back. */
static bool gives_data(uint32_t op)
{
	return op == CAIRN_CTX_OP_READ || op == CAIRN_CTX_OP_MODIFY;
}

static void model_done(struct bench *b)
{
	b->busy = false;
	b->done = true;
	b->n_done++;
	b->result = (uint32_t)vtb_get(b->tb, "op_status_i");
}

/* The word that is shown, and known to the operation, becomes what it puts. */
static void model_put(struct bench *b)
{
	if (!gives_data(CAIRN_GET(b->start, CAIRN_REG_CTX_START_OP)) ||
	    !vtb_get(b->tb, "op_put_i"))
		return;
	b->data[b->shown] = (uint32_t)vtb_get(b->tb, "op_data_i");
	b->data_known |= 1u << b->shown;
}

static void check_word(struct bench *b)
{
	if (b->shown_known)
		vtb_check_eq(b->tb, vtb_get(b->tb, "op_data_o"), b->shown_data);
	if (b->ones || b->mask_known >> b->shown & 1)
		vtb_check_eq(b->tb, vtb_get(b->tb, "op_mask_o"),
			     b->ones ? ~0u : b->mask[b->shown]);
}

/* The operation stands still until it is done: what START said, with the key. */
static void check_op(struct bench *b)
{
	struct vtb *tb = b->tb;

	vtb_check_eq(tb, vtb_get(tb, "op_valid_o"), b->busy);
	vtb_check_eq(tb, vtb_get(tb, "idle_o"), !b->busy);
	vtb_check_eq(tb, vtb_get(tb, "irq_o"), b->done);
	if (b->busy && b->age)
		check_word(b);
	if (b->key_known)
		vtb_check_eq(tb, vtb_get(tb, "op_key_o"), b->key);
	if (!b->busy)
		return;
	vtb_check_eq(tb, vtb_get(tb, "op_op_o"), CAIRN_GET(b->start, CAIRN_REG_CTX_START_OP));
	vtb_check_eq(tb, vtb_get(tb, "op_table__o"), CAIRN_GET(b->start, CAIRN_REG_CTX_START_TABLE));
	vtb_check_eq(tb, vtb_get(tb, "op_part_o"), CAIRN_GET(b->start, CAIRN_REG_CTX_START_PART));
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	uint32_t addr = (uint32_t)vtb_get(tb, "mmio_addr_i");
	unsigned int at;
	bool take, we, held, asked = b->busy;

	if (!vtb_read(tb->rst_n)) {
		b->busy = b->done = b->took = b->key_known = b->ones = false;
		b->result = b->data_known = b->mask_known = 0;
		return;
	}
	we = vtb_get(tb, "mmio_we_i");
	held = b->busy && (is_in(addr, CAIRN_CTX_DATA) || is_in(addr, CAIRN_CTX_MASK));
	take = vtb_get(tb, "mmio_valid_i") && !b->took && !held;
	if (vtb_get(tb, "mmio_valid_i")) /* a write at once, a read in the next cycle */
		vtb_check_eq(tb, vtb_get(tb, "mmio_ready_o"), b->took || (we && !held));
	if (b->took && b->read_known)
		vtb_check_eq(tb, vtb_get(tb, "mmio_rdata_o"), b->read_value);
	check_op(b);
	b->took = take && !we;
	b->read_known = false;
	if (b->took)
		model_read(b, addr);
	if (take && we)
		model_write(b, addr, (uint32_t)vtb_get(tb, "mmio_wdata_i"));
	if (!asked)
		return;
	at = (unsigned int)vtb_get(tb, "op_word_i");
	b->shown_data = b->data[at];
	b->shown_known = b->data_known >> at & 1;
	if (b->age)
		model_put(b);
	b->shown = at;
	b->age = 1;
	if (vtb_get(tb, "op_done_i"))
		model_done(b);
}

/* ---- surroundings ---- */

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	bool clears = vtb_get(tb, "mmio_valid_i") && vtb_get(tb, "mmio_we_i") &&
		      vtb_get(tb, "mmio_addr_i") == CAIRN_REG_CTX_STATUS;

	/* another answer in every cycle; it puts nothing before it is shown what it asked for */
	vtb_set(tb, "op_word_i", rng_below(&tb->rng, WORDS));
	vtb_set(tb, "op_put_i", b->busy && b->age && rng_percent(&tb->rng, 30));
	vtb_set(tb, "op_data_i", rng_u64(&tb->rng) >> 32);
	vtb_set(tb, "op_status_i", rng_below(&tb->rng, 8));
	vtb_set(tb, "op_done_i",
		!clears && (b->busy || b->wild_done) && rng_percent(&tb->rng, b->done_pct));
}

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

static uint32_t random32(struct bench *b)
{
	return (uint32_t)(rng_u64(&b->tb->rng) >> 32);
}

/* One access after a random pause, in which anything stands on the other lines. */
static uint32_t mmio(struct bench *b, bool we, uint32_t addr, uint32_t data)
{
	uint32_t value;

	while (rng_percent(&b->tb->rng, b->idle_pct)) {
		vtb_set(b->tb, "mmio_we_i", rng_percent(&b->tb->rng, 50));
		vtb_set(b->tb, "mmio_addr_i", CAIRN_REG_CTX_START + 4 * rng_below(&b->tb->rng, 64));
		vtb_set(b->tb, "mmio_wdata_i", random32(b));
		vtb_tick(b->tb);
	}
	vtb_set(b->tb, "mmio_valid_i", 1);
	vtb_set(b->tb, "mmio_we_i", we);
	vtb_set(b->tb, "mmio_addr_i", addr);
	vtb_set(b->tb, "mmio_wdata_i", data);
	vtb_eval(b->tb);
	/* words wait for the operation's end */
	while (b->busy && (is_in(addr, CAIRN_CTX_DATA) || is_in(addr, CAIRN_CTX_MASK))) {
		vtb_check_eq(b->tb, vtb_get(b->tb, "mmio_ready_o"), 0);
		vtb_tick(b->tb);
		vtb_eval(b->tb);
	}
	vtb_check_eq(b->tb, vtb_get(b->tb, "mmio_ready_o"), we);
	if (!we) {
		vtb_tick(b->tb);
		vtb_eval(b->tb);
		vtb_check_eq(b->tb, vtb_get(b->tb, "mmio_ready_o"), 1); /* in the next cycle */
	}
	value = (uint32_t)vtb_get(b->tb, "mmio_rdata_o");
	vtb_tick(b->tb);
	vtb_set(b->tb, "mmio_valid_i", 0); /* the next one may follow at once */
	return value;
}

static uint32_t get(struct bench *b, uint32_t addr)
{
	return mmio(b, false, addr, random32(b));
}

static void put(struct bench *b, uint32_t addr, uint32_t data)
{
	mmio(b, true, addr, data);
}

static uint32_t status(struct bench *b)
{
	return get(b, CAIRN_REG_CTX_STATUS);
}

static void start(struct bench *b, uint32_t op, uint32_t table, uint32_t part)
{
	put(b, CAIRN_REG_CTX_START,
	    CAIRN_PUT(CAIRN_REG_CTX_START_OP, op) | CAIRN_PUT(CAIRN_REG_CTX_START_TABLE, table) |
		    CAIRN_PUT(CAIRN_REG_CTX_START_PART, part));
}

static void fill(struct bench *b)
{
	for (unsigned int i = 0; i < WORDS; i++) {
		put(b, CAIRN_CTX_DATA + 4 * i, random32(b));
		put(b, CAIRN_CTX_MASK + 4 * i, random32(b));
	}
}

/* Wait for the interrupt, look at the result, clear. */
static void finish(struct bench *b)
{
	vtb_run_until(b->tb, vtb_get(b->tb, "irq_o"), 3000);
	vtb_check_eq(b->tb, status(b),
		     CAIRN_REG_CTX_STATUS_DONE | CAIRN_PUT(CAIRN_REG_CTX_STATUS_RESULT, b->result));
	put(b, CAIRN_REG_CTX_STATUS, CAIRN_REG_CTX_STATUS_DONE);
	vtb_check_eq(b->tb, vtb_get(b->tb, "irq_o"), 0);
	vtb_check_eq(b->tb, status(b) & CAIRN_REG_CTX_STATUS_DONE, 0);
}

/* ---- tests ---- */

/* 64 bytes of data, read back; 64 bytes of mask, write only; each word on its own; the operation
 * is shown both, and of the mask ones from an INIT until one is written. */
static void words(void **state)
{
	struct bench *b = bench_new();
	uint32_t data[WORDS];

	(void)state;
	b->done_pct = 5;
	vtb_check_eq(b->tb, status(b), 0);
	for (unsigned int round = 0; round < 6; round++) {
		b->idle_pct = round % 3 * 30;
		fill(b);
		memcpy(data, b->data, sizeof(data));
		for (unsigned int i = 0; i < WORDS; i++) {
			unsigned int w = (unsigned int)rng_below(&b->tb->rng, WORDS);

			data[w] = random32(b);
			put(b, CAIRN_CTX_DATA + 4 * w, data[w]);
			put(b, CAIRN_CTX_MASK + 4 * w, ~data[w]);
			vtb_check_eq(b->tb, get(b, CAIRN_CTX_MASK + 4 * w), 0);
		}
		for (unsigned int i = 0; i < WORDS; i++)
			vtb_check_eq(b->tb, get(b, CAIRN_CTX_DATA + 4 * i), data[i]);
		put(b, CAIRN_REG_CTX_KEY, data[0]);
		vtb_check_eq(b->tb, get(b, CAIRN_REG_CTX_KEY), data[0]);
		vtb_check_eq(b->tb, status(b), 0);
		start(b, CAIRN_CTX_OP_MODIFY, 0, 0); /* which looks at some of them, and puts */
		finish(b);
		vtb_check_eq(b->tb, get(b, CAIRN_CTX_DATA), b->data[0]);
		put(b, CAIRN_REG_CTX_STATUS, CAIRN_REG_CTX_STATUS_DONE);
		vtb_reset(b->tb, 2);
	}
	bench_free(b);
}

/* Every operation, table and part; only READ and MODIFY change the data. */
static void operations(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int i = 0; i < 8 * 8 * 4; i++) {
		uint32_t op = i & 7, table = i >> 3 & 7, part = i >> 6, before[WORDS];

		b->idle_pct = i % 3 * 25;
		b->done_pct = 0;
		if (i % 8 == 0)
			fill(b);
		put(b, CAIRN_REG_CTX_KEY, random32(b));
		memcpy(before, b->data, sizeof(before));
		start(b, op, table, part);
		vtb_check_eq(b->tb, vtb_get(b->tb, "op_valid_o"), 1);
		vtb_check_eq(b->tb, vtb_get(b->tb, "op_op_o"), op);
		vtb_check_eq(b->tb, vtb_get(b->tb, "op_table__o"), table);
		vtb_check_eq(b->tb, vtb_get(b->tb, "op_part_o"), part);
		vtb_check_eq(b->tb,
			     status(b) & (CAIRN_REG_CTX_STATUS_BUSY | CAIRN_REG_CTX_STATUS_DONE),
			     CAIRN_REG_CTX_STATUS_BUSY);
		b->done_pct = i % 4 * 30 + 2;
		finish(b);
		vtb_check_eq(b->tb, b->n_done, i + 1);
		for (unsigned int w = 0; w < WORDS; w++)
			vtb_check_eq(b->tb, get(b, CAIRN_CTX_DATA + 4 * w),
				     gives_data(op) ? b->data[w] : before[w]);
	}
	bench_free(b);
}

/* A start while busy is ignored, whatever it asks; the first one goes on and ends once. */
static void busy(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	fill(b);
	for (unsigned int i = 0; i < 40; i++) {
		uint32_t op = i & 7;

		b->idle_pct = i % 3 * 25;
		b->done_pct = 0;
		put(b, CAIRN_REG_CTX_KEY, i);
		start(b, op, i % 5, i % 3);
		for (unsigned int again = 0; again < 5; again++) {
			start(b, op ^ again, again, 3 - i % 3);
			vtb_check_eq(b->tb, vtb_get(b->tb, "op_op_o"), op);
			vtb_check_eq(b->tb, vtb_get(b->tb, "op_table__o"), i % 5);
			vtb_check_eq(b->tb, vtb_get(b->tb, "op_part_o"), i % 3);
		}
		vtb_run(b->tb, 50); /* and it waits as long as it takes */
		vtb_check_eq(b->tb, vtb_get(b->tb, "op_valid_o"), 1);
		b->done_pct = 40;
		finish(b);
		vtb_run(b->tb, 20);
		vtb_check_eq(b->tb, b->n_done, i + 1);
		vtb_check_eq(b->tb, vtb_get(b->tb, "op_valid_o"), 0);
	}
	bench_free(b);
}

/* DONE stays until 1 is written to it alone; a new operation does not clear it. */
static void clearing(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int i = 0; i < 20; i++) {
		uint32_t both = CAIRN_REG_CTX_STATUS_BUSY | CAIRN_REG_CTX_STATUS_DONE;

		b->done_pct = 30;
		start(b, CAIRN_CTX_OP_EVICT, CAIRN_TABLE_CQ, 0);
		vtb_run_until(b->tb, vtb_get(b->tb, "irq_o"), 500);
		put(b, CAIRN_REG_CTX_STATUS, ~CAIRN_REG_CTX_STATUS_DONE);
		vtb_check_eq(b->tb, status(b) & both, CAIRN_REG_CTX_STATUS_DONE);
		b->done_pct = 0;
		start(b, CAIRN_CTX_OP_DROP, CAIRN_TABLE_MPT, 0);
		vtb_check_eq(b->tb, status(b) & both, both);
		put(b, CAIRN_REG_CTX_STATUS, ~0u); /* of the first; BUSY and RESULT are read only */
		vtb_check_eq(b->tb, status(b),
			     CAIRN_REG_CTX_STATUS_BUSY |
				     CAIRN_PUT(CAIRN_REG_CTX_STATUS_RESULT, b->result));
		b->done_pct = 30;
		finish(b);
	}
	bench_free(b);
}

/* Answers without an operation; addresses of other regions; a read of START. */
static void nothing(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	fill(b);
	put(b, CAIRN_REG_CTX_KEY, 0x12345678);
	b->wild_done = true;
	b->done_pct = 50;
	vtb_run(b->tb, 50);
	for (unsigned int i = 0; i < 1500; i++) {
		uint32_t addr = 4 * (uint32_t)rng_below(&b->tb->rng, 0x4000);

		if (i & 1) /* near by, and the next lines of 64 bytes */
			addr = CAIRN_REG_CTX_START + 4 * (i / 2 % 80);
		if (is_in(addr, CAIRN_CTX_DATA) || is_in(addr, CAIRN_CTX_MASK) ||
		    (addr >= CAIRN_REG_CTX_START && addr <= CAIRN_REG_CTX_STATUS))
			continue;
		put(b, addr, random32(b));
		vtb_check_eq(b->tb, get(b, addr), 0);
	}
	vtb_check_eq(b->tb, get(b, CAIRN_REG_CTX_START), 0);
	vtb_check_eq(b->tb, status(b), 0);
	vtb_check_eq(b->tb, b->n_done, 0);
	vtb_check_eq(b->tb, get(b, CAIRN_REG_CTX_KEY), 0x12345678);
	bench_free(b);
}

/* Everything at the same time, with resets; operands are left alone while an operation runs. */
static void mixture(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	b->wild_done = true;
	for (unsigned int i = 0; i < 8000; i++) {
		uint32_t addr = CAIRN_REG_CTX_START + 4 * (uint32_t)rng_below(&b->tb->rng, 48);
		bool we = rng_percent(&b->tb->rng, 60);

		if (rng_percent(&b->tb->rng, 20))
			addr = CAIRN_REG_CTX_START + 8 * (uint32_t)rng_below(&b->tb->rng, 2);
		if (i % 500 == 0) {
			b->idle_pct = (unsigned int)rng_below(&b->tb->rng, 4) * 25;
			b->done_pct = (unsigned int)rng_below(&b->tb->rng, 4) * 20 + 3;
		}
		if (i % 1500 == 1499)
			vtb_reset(b->tb, 2);
		if (b->busy && addr != CAIRN_REG_CTX_START && addr != CAIRN_REG_CTX_STATUS)
			we = false;
		mmio(b, we, addr, random32(b));
	}
	vtb_check(b->tb, b->n_done > 300);
	bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),    cmocka_unit_test(operations), cmocka_unit_test(busy),
		cmocka_unit_test(clearing), cmocka_unit_test(nothing),	  cmocka_unit_test(mixture),
	};

	return cmocka_run_group_tests_name("ctx_mmio", tests, NULL, NULL);
}
