// SPDX-License-Identifier: Apache-2.0
/* counters: no event lost under the heaviest load, exact and untorn reads, byte amounts,
 * clearing. */
#include <string.h>

#include "cairn_hw.h"
#include "cairn_int.h"
#include "vtb.h"

#define COUNT CAIRN_COUNTER_COUNT

struct bench {
	struct vtb *tb;
	uint64_t want[COUNT];
	unsigned int ev_pct; /* of the counters that have an event in a cycle */
	bool heavy;	     /* as many events as each may have */
	bool steady;	     /* only 8191 received bytes in each cycle */
	const struct sim_port *ev, *amounts, *valid, *ready, *index, *value;
};

/* In order, as their amounts stand in bytes_i. */
static const unsigned int byte_counter[] = {
	CAIRN_COUNTER_RX_BYTES,	    CAIRN_COUNTER_TX_BYTES,	 CAIRN_COUNTER_DMA_RD_BYTES,
	CAIRN_COUNTER_DMA_WR_BYTES, CAIRN_COUNTER_TX_LOOP_BYTES, CAIRN_COUNTER_RX_LOOP_BYTES
};
#define BYTE_COUNTERS (sizeof(byte_counter) / sizeof(byte_counter[0]))
#define AMOUNT_W      REC_LEN_W

/* Those that may have several events in a cycle. */
static const unsigned int more_counter[] = {
	CAIRN_COUNTER_RX_NO_BUFFER, CAIRN_COUNTER_RX_BAD_QPN,	 CAIRN_COUNTER_RX_QP_STATE,
	CAIRN_COUNTER_RX_BAD_ADDR,  CAIRN_COUNTER_RX_BAD_PKEY,	 CAIRN_COUNTER_RX_BAD_QKEY,
	CAIRN_COUNTER_RX_CTX_ERROR, CAIRN_COUNTER_LOC_PROT_ERR,	 CAIRN_COUNTER_DB_BAD_FORM,
	CAIRN_COUNTER_RX_PARKED,    CAIRN_COUNTER_MR_BAD_KEY,	 CAIRN_COUNTER_MR_BAD_PD,
	CAIRN_COUNTER_MR_BAD_RIGHTS, CAIRN_COUNTER_MR_BAD_BOUNDS
};

static unsigned int most(unsigned int i)
{
	for (unsigned int k = 0; k < sizeof(more_counter) / sizeof(more_counter[0]); k++)
		if (more_counter[k] == i)
			return 3;
	return 1;
}

static bool counts_bytes(unsigned int i)
{
	for (unsigned int k = 0; k < BYTE_COUNTERS; k++)
		if (byte_counter[k] == i)
			return true;
	return false;
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	if (b->steady)
		return;
	for (unsigned int i = 0; i < COUNT; i++) {
		unsigned int n = !rng_percent(&tb->rng, b->ev_pct) ? 0
				 : b->heavy			   ? most(i)
					    : (unsigned int)rng_below(&tb->rng, most(i) + 1);

		vtb_put_bits(b->ev, 2 * i, 2, n);
		if (!counts_bytes(i))
			b->want[i] += n;
	}
	for (unsigned int k = 0; k < BYTE_COUNTERS; k++) {
		unsigned int n = !rng_percent(&tb->rng, b->ev_pct) ? 0
				 : b->heavy			   ? 8191
					    : (unsigned int)rng_below(&tb->rng, 4097);

		vtb_put_bits(b->amounts, AMOUNT_W * k, AMOUNT_W, n);
		b->want[byte_counter[k]] += n;
	}
}

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	b->ev = vtb_port(b->tb, "events_i");
	b->amounts = vtb_port(b->tb, "bytes_i");
	vtb_check_eq(b->tb, b->amounts->width, AMOUNT_W * BYTE_COUNTERS);
	b->valid = vtb_port(b->tb, "rd_valid_i");
	b->ready = vtb_port(b->tb, "rd_ready_o");
	b->index = vtb_port(b->tb, "rd_index_i");
	b->value = vtb_port(b->tb, "rd_value_o");
	vtb_run(b->tb, COUNT + 4);
	vtb_on_drive(b->tb, drive, b);
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

/* The count as the sum of all events before some cycle of the access. */
static uint64_t read_counter(struct bench *b, unsigned int i, uint64_t *lo, uint64_t *hi)
{
	uint64_t value;

	*lo = b->want[i];
	vtb_put(b->valid, 1);
	vtb_put(b->index, i);
	vtb_tick(b->tb);
	vtb_run_until(b->tb, vtb_read(b->ready), 4);
	value = vtb_read(b->value);
	*hi = b->want[i];
	vtb_tick(b->tb);
	vtb_put(b->valid, 0);
	return value;
}

static void load(void **state)
{
	(void)state;
	for (unsigned int round = 0; round < 3; round++) {
		struct bench *b = bench_new();
		uint64_t lo, hi, v;

		b->ev_pct = round == 0 ? 30 : 100;
		b->heavy = round == 2;
		for (unsigned int i = 0; i < 400;
		     i++) { /* reads all the time: the sweep is slowest */
			unsigned int k = (unsigned int)rng_below(&b->tb->rng, COUNT);

			v = read_counter(b, k, &lo, &hi);
			vtb_check(b->tb, v >= lo && v <= hi);
			if (round == 0)
				vtb_run(b->tb, rng_below(&b->tb->rng, 5));
		}
		b->ev_pct = 0;
		vtb_tick(b->tb);
		for (unsigned int i = 0; i < COUNT; i++)
			vtb_check_eq(b->tb, read_counter(b, i, &lo, &hi), b->want[i]);
		bench_free(b);
	}
}

/* A read sees events up to the cycle before it at least: two reads differ by exactly the events
 * between. */
static void exact(void **state)
{
	struct bench *b = bench_new();
	uint64_t lo, hi;

	(void)state;
	b->ev_pct = 50;
	vtb_run(b->tb, 700);
	b->ev_pct = 0;
	vtb_tick(b->tb);
	vtb_check_eq(b->tb, read_counter(b, 5, &lo, &hi), b->want[5]);
	vtb_put_bits(b->ev, 2 * 5, 2, 1);
	vtb_check_eq(b->tb, read_counter(b, 5, &lo, &hi), b->want[5]);
	vtb_check_eq(b->tb, read_counter(b, CAIRN_COUNTER_RX_BYTES, &lo, &hi),
		     b->want[CAIRN_COUNTER_RX_BYTES]);
	bench_free(b);
}

/*
 * Over 2^32 with reads all the time: no word of one value goes with the other word of the next.
 * (All are 64 bits wide: more than a century of 100 Gb/s.)
 */
static void over_32_bits(void **state)
{
	struct bench *b = bench_new();
	const unsigned int k = CAIRN_COUNTER_RX_BYTES;
	uint64_t lo, hi, v;
	unsigned int seen = 0;

	(void)state;
	b->steady = true;
	vtb_put_bits(b->amounts, 0, AMOUNT_W, 8191);
	while (read_counter(b, k, &lo, &hi) < (1ull << 32) - 20 * 8191ull)
		vtb_run(b->tb, 12);
	for (uint64_t last = 0; seen < 40; last = v) {
		v = read_counter(b, k, &lo, &hi);
		vtb_check_eq(b->tb, v % 8191, 0);
		vtb_check(b->tb, !last || (v > last && v - last < 8 * 8191));
		seen += v >> 32 != 0;
	}
	bench_free(b);
}

static void clear(void **state)
{
	struct bench *b = bench_new();
	uint64_t lo, hi;

	(void)state;
	b->ev_pct = 60;
	vtb_run(b->tb, 500);
	vtb_set(b->tb, "clear_i", 1);
	vtb_run(b->tb, 3);
	vtb_set(b->tb, "clear_i", 0);
	vtb_run(b->tb, COUNT);
	b->ev_pct = 0;
	vtb_tick(b->tb);
	memset(b->want, 0, sizeof(b->want));
	for (unsigned int i = 0; i < COUNT; i++)
		vtb_check(b->tb,
			  read_counter(b, i, &lo, &hi) <= 8191); /* at most the last cycle's */
	bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(load), cmocka_unit_test(exact),
					    cmocka_unit_test(over_32_bits),
					    cmocka_unit_test(clear) };

	return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
