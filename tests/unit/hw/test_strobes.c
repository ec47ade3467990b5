// SPDX-License-Identifier: Apache-2.0
/*
 * Records of what is counted: each strobe reaches the counter of its name and no other, with its
 * QPN the same counter of its QP, as event_gen.py reads the rows of hw.def.  All at once as well.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cairn_hw.h"
#include "cairn_int.h"
#include "vtb.h"

#define BANKS	3
#define BYTES_W REC_LEN_W

struct use {
	const char *port;
	unsigned int counter, times;
	bool bytes;
	unsigned int bank;
	const char *qpn; /* NULL: only the port counts it */
};

#include "events.inc"

#define USES (sizeof(uses) / sizeof(uses[0]))

struct bank {
	const struct sim_port *strobes, *counters, *qpns;
	unsigned int each; /* strobes of a source */
};

struct bench {
	struct vtb *tb;
	const struct sim_port *in[USES], *qpn[USES], *counts, *bytes, *bytes_of;
	struct bank bank[BANKS];
	unsigned int counter_w;
};

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));
	char name[32];

	b->tb = vtb_create();
	for (unsigned int i = 0; i < USES; i++) {
		b->in[i] = vtb_port(b->tb, uses[i].port);
		b->qpn[i] = uses[i].qpn ? vtb_port(b->tb, uses[i].qpn) : NULL;
	}
	b->counts = vtb_port(b->tb, "counts_o");
	b->bytes = vtb_port(b->tb, "bytes_o");
	b->bytes_of = vtb_port(b->tb, "bytes_of_o");
	b->counter_w = b->bytes_of->width / (b->bytes->width / BYTES_W);
	vtb_eval(b->tb);
	for (unsigned int i = 0; i < BANKS; i++) {
		snprintf(name, sizeof(name), "strobes_%u_o", i);
		b->bank[i].strobes = vtb_port(b->tb, name);
		snprintf(name, sizeof(name), "counters_%u_o", i);
		b->bank[i].counters = vtb_port(b->tb, name);
		snprintf(name, sizeof(name), "qpns_%u_o", i);
		b->bank[i].qpns = vtb_port(b->tb, name);
		snprintf(name, sizeof(name), "each_%u_o", i);
		b->bank[i].each = (unsigned int)vtb_get(b->tb, name);
	}
	vtb_check_eq(b->tb, b->counts->width, 2 * CAIRN_COUNTERS);
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

static uint64_t amount_of(const struct bench *b, unsigned int counter)
{
	for (unsigned int i = 0; i < b->bytes->width / BYTES_W; i++)
		if (vtb_get_bits(b->bytes_of, i * b->counter_w, b->counter_w) == counter)
			return vtb_get_bits(b->bytes, i * BYTES_W, BYTES_W);
	return 0;
}

/* Events, or bytes, of each counter are these. */
static void check_counts(struct bench *b, const uint64_t want[CAIRN_COUNTERS])
{
	for (unsigned int c = 0; c < CAIRN_COUNTERS; c++)
		vtb_check_eq(b->tb, amount_of(b, c) + vtb_get_bits(b->counts, 2 * c, 2), want[c]);
}

/* Strobes of a bank; of the last one its counter and QPN. */
static unsigned int strobes(const struct bank *bank, unsigned int width, unsigned int *counter,
			    uint32_t *qpn)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < bank->strobes->width; i++) {
		if (!vtb_get_bits(bank->strobes, i, 1))
			continue;
		*counter = (unsigned int)vtb_get_bits(bank->counters, i * width, width);
		*qpn = (uint32_t)vtb_get_bits(bank->qpns, 24 * (i / bank->each), 24);
		n++;
	}
	return n;
}

static void each_alone(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int i = 0; i < USES; i++) {
		const struct use *use = &uses[i];
		uint64_t want[CAIRN_COUNTERS] = { 0 };
		unsigned int value = use->bytes ? 1 + (unsigned int)rng_below(&b->tb->rng, 8191)
						: use->times;
		uint32_t number = (uint32_t)rng_below(&b->tb->rng, 1 << 24), qpn = 0;
		unsigned int counter = 0;

		vtb_put(b->in[i], value);
		if (b->qpn[i])
			vtb_put(b->qpn[i], number);
		vtb_eval(b->tb);
		want[use->counter] = value;
		check_counts(b, want);
		for (unsigned int k = 0; k < BANKS; k++)
			vtb_check_eq(b->tb, strobes(&b->bank[k], b->counter_w, &counter, &qpn),
				     b->qpn[i] && k == use->bank);
		if (b->qpn[i]) {
			vtb_check_eq(b->tb, counter, use->counter);
			vtb_check_eq(b->tb, qpn, number);
			vtb_put(b->qpn[i], 0);
		}
		vtb_put(b->in[i], 0);
	}
	bench_free(b);
}

static void all_at_once(void **state)
{
	struct bench *b = bench_new();
	uint64_t want[CAIRN_COUNTERS] = { 0 };
	unsigned int of_bank[BANKS] = { 0 }, counter;
	uint32_t qpn;

	(void)state;
	for (unsigned int i = 0; i < USES; i++) {
		unsigned int value = uses[i].bytes ? 8191 : uses[i].times;

		vtb_put(b->in[i], value);
		want[uses[i].counter] += value;
		of_bank[uses[i].bank] += uses[i].qpn != NULL;
	}
	vtb_eval(b->tb);
	check_counts(b, want);
	for (unsigned int k = 0; k < BANKS; k++)
		vtb_check_eq(b->tb, strobes(&b->bank[k], b->counter_w, &counter, &qpn), of_bank[k]);
	bench_free(b);
}

/* What QPs have is what the C side believes. */
static void of_qps(void **state)
{
	bool has[CAIRN_COUNTERS] = { false };

	(void)state;
	for (unsigned int i = 0; i < USES; i++)
		has[uses[i].counter] |= uses[i].qpn != NULL;
	for (unsigned int c = 0; c < CAIRN_COUNTERS; c++)
		assert_int_equal(has[c], cairn_counter_of_qp[c]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_alone),
		cmocka_unit_test(all_at_once),
		cmocka_unit_test(of_qps),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
