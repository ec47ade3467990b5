// SPDX-License-Identifier: Apache-2.0
/*
 * fw_dma (in cmd_mailbox, whose registers start it): transfers of all sizes in both directions, one
 * after the other and at once, with the host's answers in random pieces and order and a RAM that is
 * often taken, many lines in flight, the order of what ends, errors, lines cut inside a beat; the
 * firmware image: order, rate, errors, given up.
 */
#include <string.h>

#include "mbx_bench.h"

#ifndef FW_RAM_BYTES /* of a small build */
#define FW_RAM_BYTES CAIRN_CPU_RAM_BYTES
#endif

#define WRITE CAIRN_REG_DMA_START_WRITE

/* ---- transfers ---- */

static void transfers(void **state)
{
	struct mbx_bench *b = mbx_new();
	static uint8_t ram[FW_RAM_BYTES], host[MBX_HOST_BYTES];
	struct rng *rng = &b->tb->rng;

	(void)state;
	memcpy(ram, b->ram, sizeof(ram));
	memcpy(host, b->host, sizeof(host));
	for (unsigned int i = 0; i < 150; i++) {
		unsigned int len = 4 * (unsigned int)rng_range(rng, 1, i % 10 ? 80 : 1024);
		unsigned int at = 4 * (unsigned int)rng_below(rng, (sizeof(ram) - len) / 4 + 1);
		unsigned int iova = 4 * (unsigned int)rng_below(rng, (sizeof(host) - len) / 4 + 1);
		unsigned int slot = i % 8;

		b->busy_pct = i % 3 * 30;
		b->ram_busy_pct = i % 4 * 25;
		if (i & 1)
			memcpy(ram + at, host + iova, len);
		else
			memcpy(host + iova, ram + at, len);
		mbx_start(b, slot, i & 1 ? 0 : WRITE, iova, len, at);
		vtb_check_eq(b->tb, mbx_finish(b, 1u << slot), 0);
		vtb_check(b->tb, !memcmp(ram, b->ram, sizeof(ram)));
		vtb_check(b->tb, !memcmp(host, b->host, sizeof(host)));
	}
	vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 100);
	mbx_free(b);
}

/*
 * Reads and writes at once: words go into the RAM while others are fetched from it for a write, and
 * the core takes it away from both.  The latency moves the reads' data through all of a gather.
 */
static void both_ways(void **state)
{
	struct mbx_bench *b = mbx_new();
	static uint8_t ram[FW_RAM_BYTES], host[MBX_HOST_BYTES];
	struct rng *rng = &b->tb->rng;

	(void)state;
	memcpy(ram, b->ram, sizeof(ram));
	memcpy(host, b->host, sizeof(host));
	for (unsigned int round = 0; round < 150; round++) {
		b->latency = round % 75;
		b->busy_pct = round % 2 * 30;
		b->ram_busy_pct = round % 4 * 25;
		for (unsigned int s = 0; s < 8; s++) {
			bool write = s ? rng_percent(rng, 60) : false;
			unsigned int len = 4 * (unsigned int)rng_range(rng, 1, 32),
				     at = 1024 * s + 4 * (unsigned int)rng_below(rng, 200),
				     iova = 4096 * s + 4 * (unsigned int)rng_below(rng, 900);

			if (write)
				memcpy(host + iova, ram + at, len);
			else
				memcpy(ram + at, host + iova, len);
			mbx_start(b, s, write ? WRITE : 0, iova, len, at);
		}
		vtb_check_eq(b->tb, mbx_finish(b, 0xff), 0);
		vtb_check(b->tb, !memcmp(ram, b->ram, sizeof(ram)));
		vtb_check(b->tb, !memcmp(host, b->host, sizeof(host)));
	}
	mbx_free(b);
}

/* All eight at once: reads end in the order in which they began, however the answers come. */
static void in_order(void **state)
{
	struct mbx_bench *b = mbx_new();
	unsigned int lines = b->bytes >= 32 ? 32 : 16;

	(void)state;
	for (unsigned int round = 0; round < 10; round++) {
		uint32_t done;

		b->busy_pct = 20 * (round % 5);
		b->ram_busy_pct = 30 * (round % 3);
		b->hold_rsp = true;
		for (unsigned int s = 0; s < 8; s++)
			mbx_start(b, s, 0, 4096 * s + 4 * round, 4 + 60 * s, 512 * s);
		vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_BUSY), 0xff);
		vtb_run(b->tb, 200);
		vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 0);
		b->hold_rsp = false;
		do {
			done = mbx_get(b, DMA + CAIRN_REG_DMA_DONE);
			vtb_check_eq(b->tb, done & (done + 1), 0);
		} while (done != 0xff);
		vtb_check_eq(b->tb, mbx_finish(b, 0xff), 0);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_dma_o"), 0);
		for (unsigned int s = 0; s < 8; s++)
			vtb_check(b->tb, !memcmp(b->ram + 512 * s, b->host + 4096 * s + 4 * round,
						 4 + 60 * s));
	}
	vtb_check_eq(b->tb, b->max_lines, lines); /* all that there are, and never one more */
	mbx_free(b);
}

/*
 * The line `in` reads from now is cut inside a beat: from there on all beats begin in the wrong
 * place, or (every other time) only one does.  The place varies with i: its last word, too, where
 * nothing but the last beat tells.
 */
static void cut_line(struct mbx_bench *b, unsigned int in, unsigned int i)
{
	unsigned int word = b->bytes == 8 ? 2 * (i % 8) + 1 : 1 + i % 15, beat = b->bytes / 4;

	b->cut_in = (int)in;
	b->cut_at = 1u << word;
	if (i / 16 & 1)
		b->cut_at |= 1u << (word + beat - 1) / beat * beat;
}

/* Of a line that fails nothing is written, of the others all; the next operation is not touched. */
static void failed_line(struct mbx_bench *b, unsigned int i, bool cut)
{
	static uint8_t ram[FW_RAM_BYTES];
	unsigned int iova = 64 * i, bad = i % 9;

	memcpy(ram, b->ram, sizeof(ram));
	memcpy(ram + 4096, b->host + iova, 576);
	memcpy(ram + 4096 + 64 * bad, b->ram + 4096 + 64 * bad, 64);
	memcpy(ram + 8192, b->host + 0x800, 64);
	if (cut)
		cut_line(b, bad, i);
	else
		b->fail_in = (int)bad;
	mbx_start(b, 3, 0, iova, 576, 4096);
	mbx_start(b, 4, 0, 0x800, 64, 8192);
	vtb_check_eq(b->tb, mbx_finish(b, 0x18), 8);
	vtb_check(b->tb, !memcmp(ram, b->ram, sizeof(ram)));
	mbx_start(b, 3, 0, iova, 576, 4096); /* and then it works */
	vtb_check_eq(b->tb, mbx_finish(b, 8), 0);
	vtb_check(b->tb, !memcmp(b->ram + 4096, b->host + iova, 576));
}

static void errors(void **state)
{
	struct mbx_bench *b = mbx_new();
	static const struct {
		unsigned int len, ram;
	} bad[] = { { 0, 0 },
		    { 6, 0 },
		    { 4100, 0 },
		    { 8, FW_RAM_BYTES - 4 },
		    { 4096, FW_RAM_BYTES - 4092 },
		    { 1u << 31, 0 } };

	(void)state;
	for (unsigned int i = 0; i < 2 * sizeof(bad) / sizeof(bad[0]); i++) {
		unsigned int slot = i % 8;

		mbx_start(b, slot, CAIRN_REG_DMA_START_MSIX | (i & 1 ? WRITE : 0), 0,
			  bad[i / 2].len, bad[i / 2].ram);
		vtb_check_eq(b->tb, mbx_finish(b, 1u << slot), 1u << slot);
	}
	vtb_check_eq(b->tb, b->n_rd + b->n_wr + b->n_vectors + b->n_ram, 0);
	mbx_start(b, 0, 0, 0, 4096, FW_RAM_BYTES - 4096); /* just fits */
	vtb_check_eq(b->tb, mbx_finish(b, 1), 0);
	for (unsigned int i = 0; i < 54; i++) {
		b->busy_pct = b->ram_busy_pct = i % 3 * 30;
		failed_line(b, i, false);
		failed_line(b, i, true);
	}
	mbx_free(b);
}

/* ---- the image ---- */

static void load_begin(struct mbx_bench *b, unsigned int iova, unsigned int words)
{
	b->load_iova = iova;
	b->load_words = b->load_ends = 0;
	vtb_set(b->tb, "hold_i", 1);
	vtb_set(b->tb, "load_iova_i", iova / 4);
	vtb_set(b->tb, "load_words_i", words);
	vtb_set(b->tb, "load_go_i", 1);
}

static void load_finish(struct mbx_bench *b)
{
	vtb_run_until(b->tb, b->load_ends, 400000);
	vtb_set(b->tb, "load_go_i", 0);
	vtb_run(b->tb, 50);
	vtb_check_eq(b->tb, b->load_ends, 1);
}

/* From the start of the RAM, every word once and in order; nothing behind it. */
static void image(void **state)
{
	struct mbx_bench *b = mbx_new();
	static uint8_t ram[FW_RAM_BYTES];
	struct rng *rng = &b->tb->rng;

	(void)state;
	for (unsigned int i = 0; i < 12; i++) {
		unsigned int words = i ? 1 + (unsigned int)rng_below(rng, i & 1 ? 40 : 2000)
				       : FW_RAM_BYTES / 4;

		b->busy_pct = i % 3 * 30;
		b->ram_busy_pct = i % 4 * 25;
		rng_bytes(rng, b->ram, sizeof(b->ram));
		memcpy(ram, b->ram, sizeof(ram));
		load_begin(b, 4 * (unsigned int)rng_below(rng, 1000), words);
		load_finish(b);
		vtb_check(b->tb, !b->load_err);
		vtb_check_eq(b->tb, b->load_words, words);
		memcpy(ram, b->host + b->load_iova, 4 * words);
		vtb_check(b->tb, !memcmp(ram, b->ram, sizeof(ram)));
		vtb_set(b->tb, "hold_i", 0); /* the core runs; its operations begin */
		mbx_start(b, 2, 0, 0x100, 64, 0x1000);
		vtb_check_eq(b->tb, mbx_finish(b, 4), 0);
		vtb_check(b->tb, !memcmp(b->ram + 0x1000, b->host + 0x100, 64));
	}
	mbx_free(b);
}

/* A word a cycle, at a round trip of 1500 ns as well. */
static void image_rate(void **state)
{
	struct mbx_bench *b = mbx_new();
	unsigned int words = 0x8000 / 4;

	(void)state;
	b->latency = b->bytes >= 32 ? 375 : 188; /* cycles of 4 ns, of 8 ns */
	for (unsigned int offset = 0; offset <= 36; offset += 36) {
		uint64_t from = b->tb->cycle;

		load_begin(b, 0x10000 + offset, words);
		vtb_run_until(b->tb, b->load_ends, 2 * words);
		vtb_check(b->tb, b->tb->cycle - from < words + words / 20 + b->latency + 100);
		load_finish(b);
	}
	mbx_free(b);
}

/* A line that cannot be read ends it: what came before was given out, nothing behind, one end. */
static void image_unread(void **state)
{
	struct mbx_bench *b = mbx_new();
	static uint8_t ram[FW_RAM_BYTES];

	(void)state;
	for (unsigned int i = 0; i < 40; i++) {
		unsigned int bad = i * 3 % 64;
		bool cut = i % 4 == 3;

		b->busy_pct = i % 3 * 30;
		b->ram_busy_pct = i % 4 * 25;
		b->fail_in = cut ? -1 : (int)bad;
		if (cut)
			cut_line(b, bad, i / 4);
		memcpy(ram, b->ram, sizeof(ram));
		load_begin(b, 64 * i, 64 * 16);
		load_finish(b);
		vtb_check(b->tb, b->load_err);
		vtb_check_eq(b->tb, b->load_words, 16 * bad);
		memcpy(ram, b->host + b->load_iova, 64 * bad);
		/* A word of the next line may have been under way. */
		vtb_check(b->tb, !memcmp(ram, b->ram, 64 * bad + 64));
		vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 2000);
	}
	mbx_free(b);
}

/*
 * Given up at any moment (function reset, CPU_RUN written with 0), and the next one begins while
 * the answers to the old one are still to come.
 */
static void image_given_up(void **state)
{
	struct mbx_bench *b = mbx_new();
	static uint8_t ram[FW_RAM_BYTES];

	(void)state;
	for (unsigned int at = 0; at < 100; at++) {
		b->busy_pct = at % 3 * 30;
		b->ram_busy_pct = at % 4 * 25;
		b->latency = at % 5 * 60;
		b->fail_in = at % 11 ? -1 : (int)(at / 11); /* of the old one, or of the new one */
		load_begin(b, 4 * at, 1024);
		vtb_run(b->tb, 3 * at + 1);
		vtb_set(b->tb, "load_go_i", 0);
		vtb_tick(b->tb);
		b->load_ends = 0;
		b->fail_in = -1;
		memcpy(ram, b->ram, sizeof(ram));
		vtb_run(b->tb, at % 4 * 10);
		vtb_check(b->tb, !memcmp(ram, b->ram, sizeof(ram)));
		load_begin(b, 0x8000 + 4 * at, 777);
		load_finish(b);
		vtb_check(b->tb, !b->load_err);
		vtb_check_eq(b->tb, b->load_words, 777);
		vtb_check(b->tb, !memcmp(b->ram, b->host + 0x8000 + 4 * at, 4 * 777));
		vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 2000);
	}
	mbx_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transfers),	cmocka_unit_test(both_ways),
		cmocka_unit_test(in_order),	cmocka_unit_test(errors),
		cmocka_unit_test(image),	cmocka_unit_test(image_rate),
		cmocka_unit_test(image_unread), cmocka_unit_test(image_given_up),
	};

	return cmocka_run_group_tests_name("fw_dma", tests, NULL, NULL);
}
