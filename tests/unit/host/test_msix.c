// SPDX-License-Identifier: Apache-2.0
/* msix: table, masks, pending bits, order behind EQE writes, one message for what was pending,
 * reset. */
#include <string.h>

#include "cairn_hw.h"
#include "vtb_rec.h"

#define VECTORS CAIRN_MSIX_VECTORS

struct bench {
	struct vtb *tb;
	struct vtb_stream *wr, *eq;
	unsigned int lsb, eq_lsb;
};

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	vtb_set(b->tb, "cfg_bme_i", 1);
	b->wr = vtb_sink(b->tb, "wr");
	vtb_stream_add(b->wr, "cmd", &b->lsb);
	b->eq = vtb_source(b->tb, "eq");
	vtb_stream_add(b->eq, "cmd", &b->eq_lsb);
	vtb_run(b->tb, 2 * VECTORS + 4);
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

static uint64_t access(struct bench *b, bool we, bool pba, unsigned int word, unsigned int be,
		       uint64_t data)
{
	uint64_t value;

	vtb_set(b->tb, "csr_valid_i", 1);
	vtb_set(b->tb, "csr_we_i", we);
	vtb_set(b->tb, "csr_pba_i", pba);
	vtb_set(b->tb, "csr_word_i", word);
	vtb_set(b->tb, "csr_be_i", be);
	vtb_set(b->tb, "csr_wdata_i", data);
	for (unsigned int i = 0;; i++) {
		vtb_eval(b->tb);
		value = vtb_get(b->tb, "csr_rdata_o");
		if (vtb_get(b->tb, "csr_ready_o"))
			break;
		vtb_check(b->tb, i < 1000);
		vtb_tick(b->tb);
	}
	vtb_tick(b->tb);
	vtb_set(b->tb, "csr_valid_i", 0);
	vtb_tick(b->tb);
	return value;
}

static uint64_t address_of(unsigned int v)
{
	return 0x1200fee00000ULL + 64 * v;
}

static void program(struct bench *b, unsigned int v, bool mask)
{
	access(b, true, false, 2 * v, 0xff, address_of(v));
	access(b, true, false, 2 * v + 1, 0xff, (uint64_t)mask << 32 | (0xbeef0000 + v));
}

static void mask(struct bench *b, unsigned int v, bool on)
{
	access(b, true, false, 2 * v + 1, 0xf0, (uint64_t)on << 32);
}

static void request(struct bench *b, bool fw, unsigned int v)
{
	vtb_set(b->tb, fw ? "fw_vector_i" : "req_vector_i", v);
	vtb_set(b->tb, fw ? "fw_valid_i" : "req_valid_i", 1);
	vtb_eval(b->tb);
	vtb_check_eq(b->tb, vtb_get(b->tb, fw ? "fw_ready_o" : "req_ready_o"), 1);
	vtb_tick(b->tb);
	vtb_set(b->tb, fw ? "fw_valid_i" : "req_valid_i", 0);
}

static void on(struct bench *b)
{
	vtb_set(b->tb, "cfg_msix_en_i", 1);
}

/* The next write must be vector v's message. */
static void expect_message(struct bench *b, unsigned int v)
{
	const struct vtb_packet *p;

	vtb_run_until(b->tb, vtb_received(b->wr), 100);
	p = vtb_recv(b->wr);
	vtb_check_eq(b->tb, vtb_meta_bits(p->meta, VTB_AT(b->lsb, REC_DMA_WR_IOVA)), address_of(v));
	vtb_check_eq(b->tb, vtb_meta_bits(p->meta, VTB_AT(b->lsb, REC_DMA_WR_LEN)), 4);
	vtb_check_eq(b->tb, vtb_meta_bits(p->meta, b->lsb, 32), 0xbeef0000 + v);
	vtb_check_eq(b->tb, vtb_meta_bits(p->meta, VTB_AT(b->lsb, REC_DMA_WR_PAYLOAD)), 0);
}

static void expect_nothing(struct bench *b)
{
	vtb_run(b->tb, 40);
	vtb_check_eq(b->tb, vtb_received(b->wr), 0);
}

static void table(void **state)
{
	struct bench *b = bench_new();
	uint64_t want[2 * VECTORS];

	(void)state;
	for (unsigned int i = 0; i < 2 * VECTORS; i++) /* after reset: zero, masked */
		vtb_check_eq(b->tb, access(b, false, false, i, 0xff, 0), i & 1 ? 1ULL << 32 : 0);
	for (unsigned int i = 0; i < 2 * VECTORS; i++)
		access(b, true, false, i, 0xff, want[i] = rng_u64(&b->tb->rng));
	for (unsigned int n = 0; n < 200; n++) {
		unsigned int i = (unsigned int)rng_below(&b->tb->rng, 2 * VECTORS),
			     be = (unsigned int)rng_below(&b->tb->rng, 256);
		uint64_t data = rng_u64(&b->tb->rng);

		access(b, true, false, i, be, data);
		for (unsigned int k = 0; k < 8; k++)
			if (be >> k & 1)
				want[i] = (want[i] & ~(0xffULL << 8 * k)) |
					  (data & 0xffULL << 8 * k);
		vtb_check_eq(b->tb, access(b, false, false, i, 0xff, 0), want[i]);
	}
	access(b, true, true, 0, 0xff, ~0ULL); /* pending bits are read only */
	vtb_check_eq(b->tb, access(b, false, true, 0, 0xff, 0), 0);
	vtb_check_eq(b->tb, access(b, false, false, 0, 0xff, 0), want[0]);
	bench_free(b);
}

static void messages(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int v = 0; v < VECTORS; v++)
		program(b, v, false);
	on(b);
	for (unsigned int i = 0; i < 200; i++) {
		unsigned int v = (unsigned int)rng_below(&b->tb->rng, VECTORS);

		vtb_stream_pause(b->wr, i % 3 * 40);
		request(b, i & 1, v);
		expect_message(b, v);
	}
	vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 10);
	bench_free(b);
}

static void masks(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	program(b, 3, true);
	program(b, 31, false);
	on(b);
	for (unsigned int i = 0; i < 5; i++)
		request(b, false, 3);
	expect_nothing(b);
	vtb_check_eq(b->tb, access(b, false, true, 0, 0xff, 0), 1u << 3);
	mask(b, 3, false);
	expect_message(b, 3); /* one for all */
	expect_nothing(b);
	vtb_check_eq(b->tb, access(b, false, true, 0, 0xff, 0), 0);

	/* the entry is written anew while it is pending: the message is what stands there then */
	mask(b, 3, true);
	request(b, false, 3);
	access(b, true, false, 6, 0xff, address_of(5));
	access(b, true, false, 7, 0x0f, 0xbeef0005);
	expect_nothing(b);
	mask(b, 3, false);
	expect_message(b, 5);
	expect_nothing(b);
	program(b, 3, false);
	vtb_run(b->tb, 40); /* until all have been looked at */

	vtb_set(b->tb, "cfg_msix_fmask_i", 1);
	request(b, false, 3);
	request(b, true, 31);
	expect_nothing(b);
	vtb_check_eq(b->tb, access(b, false, true, 0, 0xff, 0), 1u << 3 | 1u << 31);
	vtb_set(b->tb, "cfg_msix_fmask_i", 0);
	expect_message(b, 31); /* they go on from the last one that was asked for */
	expect_message(b, 3);

	vtb_set(b->tb, "cfg_msix_en_i", 0);
	request(b, false, 31);
	expect_nothing(b);
	on(b);
	expect_message(b, 31);
	expect_nothing(b);
	bench_free(b);
}

/* Masking at every moment of a message: it goes out or stays pending, never both, never neither. */
static void mask_race(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	program(b, 7, false);
	on(b);
	for (unsigned int at = 0; at < 12; at++) {
		unsigned int sent, pending;

		vtb_stream_pause(b->wr, at & 1 ? 70 : 0);
		request(b, false, 7);
		vtb_run(b->tb, at);
		mask(b, 7, true);
		vtb_run(b->tb, 40);
		sent = (unsigned int)vtb_received(b->wr);
		pending = (unsigned int)access(b, false, true, 0, 0xff, 0) >> 7 & 1;
		vtb_check_eq(b->tb, sent + pending, 1);
		if (sent)
			expect_message(b, 7);
		mask(b, 7, false);
		if (pending)
			expect_message(b, 7);
		expect_nothing(b);
	}
	bench_free(b);
}

/* What has not gone out when the mask has been read back, in table or pending bits, stays here. */
static void masked_is_masked(void **state)
{
	struct bench *b = bench_new();
	unsigned int late = 0;

	(void)state;
	program(b, 7, false);
	on(b);
	for (unsigned int at = 0; at < 200; at++) {
		bool pba = at & 1;
		unsigned int sent;

		vtb_stream_pause(b->wr, 95);
		request(b, false, 7);
		vtb_run(b->tb, at / 2 % 10);
		mask(b, 7, true);
		late += !vtb_received(b->wr);
		access(b, false, pba, pba ? 0 : 15, 0xff, 0);
		sent = (unsigned int)vtb_received(b->wr);
		vtb_stream_pause(b->wr, 0);
		vtb_run(b->tb, 40);
		vtb_check_eq(b->tb, vtb_received(b->wr), sent);
		vtb_check_eq(b->tb, access(b, false, true, 0, 0xff, 0) >> 7 & 1, 1 - sent);
		mask(b, 7, false);
		expect_message(b, 7);
		expect_nothing(b);
	}
	vtb_check(b->tb, late > 50);
	bench_free(b);
}

/* Without bus mastering nothing is made that tlp_tx would drop. */
static void bus_master_off(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	program(b, 7, false);
	on(b);
	for (unsigned int at = 0; at < 3; at++) {
		if (at != 1)
			vtb_set(b->tb, "cfg_bme_i", 0);
		request(b, at & 1, 7);
		vtb_set(b->tb, "cfg_bme_i", 0);
		expect_nothing(b);
		vtb_check_eq(b->tb, access(b, false, true, 0, 0xff, 0), 1u << 7);
		vtb_set(b->tb, "cfg_bme_i", 1);
		expect_message(b, 7);
		expect_nothing(b);
	}
	bench_free(b);
}

/* A request while a message of the vector is being made is a second message. */
static void no_lost_request(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	program(b, 9, false);
	on(b);
	for (unsigned int gap = 1; gap < 10; gap++) {
		vtb_stream_pause(b->wr, 100);
		request(b, false, 9);
		vtb_run(b->tb, gap);
		vtb_check_eq(b->tb, vtb_received(b->wr), 0);
		request(b, true, 9);
		vtb_stream_pause(b->wr, 0);
		expect_message(b, 9);
		if (gap > 3)
			expect_message(b, 9);
		vtb_run(b->tb, 40); /* until every vector was looked at */
		while (vtb_received(b->wr))
			expect_message(b, 9);
	}
	bench_free(b);
}

/* EQEs go through unchanged, in order, each before the interrupt requested after it. */
static void behind_eqe(void **state)
{
	struct bench *b = bench_new();
	unsigned int eqes = 0, messages = 0;

	(void)state;
	program(b, 1, false);
	on(b);
	for (unsigned int i = 0; i < 100; i++) {
		uint8_t cmd[(REC_DMA_WR_W + 7) / 8];
		unsigned int n = 1 + i % 3;

		vtb_stream_pause(b->wr, i % 4 * 25);
		for (unsigned int k = 0; k < n; k++) {
			rng_bytes(&b->tb->rng, cmd, sizeof(cmd));
			cmd[sizeof(cmd) - 1] &= 0x3f;
			vtb_meta_put(cmd, REC_DMA_WR_IOVA, eqes++);
			vtb_meta_put(cmd, REC_DMA_WR_LEN, 16);
			vtb_send(b->eq, NULL, 0, false, cmd, sizeof(cmd));
		}
		vtb_run_until(b->tb, !vtb_pending(b->eq), 200);
		request(b, false, 1);
		vtb_run(b->tb, 30);
	}
	for (unsigned int next = 0, due = 0, i = 0; vtb_received(b->wr);) {
		const struct vtb_packet *p = vtb_recv(b->wr);

		if (vtb_meta_bits(p->meta, VTB_AT(b->lsb, REC_DMA_WR_LEN)) == 16) {
			vtb_check_eq(b->tb, vtb_meta_bits(p->meta, VTB_AT(b->lsb, REC_DMA_WR_IOVA)),
				     next++);
			continue;
		}
		messages++;
		for (; due < next; i++)
			due += 1 + i % 3;
		vtb_check_eq(b->tb, due, next);
	}
	vtb_check(b->tb, messages > 60);
	bench_free(b);
}

static void reset(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	program(b, 2, false);
	program(b, 4, true);
	request(b, false, 2);
	request(b, false, 4);
	vtb_set(b->tb, "clear_i", 1);
	vtb_run(b->tb, 4);
	vtb_set(b->tb, "clear_i", 0);
	vtb_run(b->tb, 2 * VECTORS + 4);
	on(b);
	expect_nothing(b);
	vtb_check_eq(b->tb, access(b, false, true, 0, 0xff, 0), 0);
	vtb_check_eq(b->tb, access(b, false, false, 5, 0xff, 0), 1ULL << 32);
	request(b, false, 2);
	expect_nothing(b);
	bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),	   cmocka_unit_test(messages),
		cmocka_unit_test(masks),	   cmocka_unit_test(mask_race),
		cmocka_unit_test(no_lost_request), cmocka_unit_test(behind_eqe),
		cmocka_unit_test(reset),	   cmocka_unit_test(masked_is_masked),
		cmocka_unit_test(bus_master_off),
	};

	return cmocka_run_group_tests_name("msix", tests, NULL, NULL);
}
