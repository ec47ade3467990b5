// SPDX-License-Identifier: Apache-2.0
/*
 * cmd_mailbox: registers and interrupt lines, slots that are busy, done, quiet, vectors behind
 * their data, hold.  Transfers as such: test_fw_dma.c.
 */
#include <string.h>

#include "mbx_bench.h"

#define WRITE CAIRN_REG_DMA_START_WRITE
#define QUIET CAIRN_REG_DMA_START_QUIET

static void registers(void **state)
{
	struct mbx_bench *b = mbx_new();

	(void)state;
	vtb_set(b->tb, "cmdq_base_i", 0x1122334455667788);
	vtb_set(b->tb, "cmdq_cpl_base_i", 0x99aabbccddeeff00);
	vtb_set(b->tb, "cmdq_log_base_i", 0x0102030405060708);
	vtb_set(b->tb, "cmdq_size_i", 0x10105);
	vtb_set(b->tb, "cmdq_db_i", 0xabcd);
	vtb_set(b->tb, "cmdq_enable_i", 1);
	vtb_set(b->tb, "cmdq_log_size_i", 9);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_CMD_BASE), 0x55667788);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_CMD_BASE + 4), 0x11223344);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_CPL_BASE), 0xddeeff00);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_CPL_BASE + 4), 0x99aabbcc);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_LOG_BASE), 0x05060708);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_LOG_BASE + 4), 0x01020304);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_SIZE), 0x10105);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_DB), 0xabcd);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_ENABLE), 1);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_LOG_SIZE), 9);
	vtb_check_eq(b->tb, mbx_get(b, MBX + 0x0) | mbx_get(b, DMA + 0x0), 0);
	vtb_check_eq(b->tb, mbx_get(b, MBX + 0x2000), 0);

	mbx_put(b, MBX + CAIRN_REG_MBX_STATE, CAIRN_REG_MBX_STATE_READY);
	mbx_put(b, MBX + CAIRN_REG_MBX_SCRATCH, 0xfeed);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_ready_o"), 1);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_fatal_o"), 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_scratch_o"), 0xfeed);
	mbx_put(b, MBX + CAIRN_REG_MBX_STATE, CAIRN_REG_MBX_STATE_FATAL);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_fatal_o"), 1);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_STATE), CAIRN_REG_MBX_STATE_FATAL);
	vtb_set(b->tb, "hold_i", 1);
	vtb_run(b->tb, 2);
	vtb_set(b->tb, "hold_i", 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_fatal_o"), 0);
	/* Why it stopped can still be read. */
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_SCRATCH), 0xfeed);

	for (unsigned int bit = 0; bit < 2; bit++) {
		vtb_set(b->tb, bit ? "cmdq_enable_we_i" : "cmdq_db_we_i", 1);
		vtb_tick(b->tb);
		vtb_set(b->tb, bit ? "cmdq_enable_we_i" : "cmdq_db_we_i", 0);
		vtb_eval(b->tb);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_cmd_o"), 1);
		vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_IRQ), 1u << bit);
		mbx_put(b, MBX + CAIRN_REG_MBX_IRQ, 2u >> bit);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_cmd_o"), 1);
		mbx_put(b, MBX + CAIRN_REG_MBX_IRQ, 1u << bit);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_cmd_o"), 0);
	}
	/* Registers take whole words only. */
	mbx_access(b, true, MBX + CAIRN_REG_MBX_SCRATCH, 0, 0x1);
	vtb_check_eq(b->tb, mbx_get(b, MBX + CAIRN_REG_MBX_SCRATCH), 0xfeed);
	mbx_free(b);
}

/* The registers of the DMA engine read back; addresses are words, lengths stop at 8191. */
static void dma_registers(void **state)
{
	struct mbx_bench *b = mbx_new();

	(void)state;
	mbx_put(b, DMA + CAIRN_REG_DMA_IOVA, 0x12345677);
	mbx_put(b, DMA + CAIRN_REG_DMA_IOVA + 4, 0x9abcdef0);
	mbx_put(b, DMA + CAIRN_REG_DMA_RAM, CAIRN_CPU_RAM_BYTES - 1);
	mbx_put(b, DMA + CAIRN_REG_DMA_LEN, 4096);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_IOVA), 0x12345674);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_IOVA + 4), 0x9abcdef0);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_RAM), CAIRN_CPU_RAM_BYTES - 4);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_LEN), 4096);
	mbx_put(b, DMA + CAIRN_REG_DMA_LEN, 0x80000004);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_LEN), 8191);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_BUSY), 0);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 0);
	mbx_free(b);
}

/* A slot that is busy cannot be started again; DONE stays until it is cleared or started anew. */
static void busy(void **state)
{
	struct mbx_bench *b = mbx_new();

	(void)state;
	for (unsigned int slot = 0; slot < 8; slot++) {
		b->hold_rsp = true;
		b->n_rd = 0;
		mbx_start(b, slot, 0, 0, 4, 0);
		vtb_run_until(b->tb, b->n_rd == 1, 500);
		mbx_start(b, slot, 0, 0, 4, 0);
		vtb_run(b->tb, 20);
		vtb_check_eq(b->tb, b->n_rd, 1);
		vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_BUSY), 1u << slot);
		b->hold_rsp = false;
		vtb_run_until(b->tb, vtb_get(b->tb, "irq_dma_o"), 500);
		vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 1u << slot);
		mbx_put(b, DMA + CAIRN_REG_DMA_DONE, 0xff ^ 1u << slot);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_dma_o"), 1);
		b->hold_rsp = true;
		mbx_start(b, slot, 0, 0, 4, 0);
		vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 0);
		b->hold_rsp = false;
		vtb_check_eq(b->tb, mbx_finish(b, 1u << slot), 0);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_dma_o"), 0);
	}
	mbx_free(b);
}

/* A quiet operation ends without a word, good or bad; the next one of its slot is as it says. */
static void quiet(void **state)
{
	struct mbx_bench *b = mbx_new();
	static const struct {
		uint32_t flags;
		unsigned int len;
	} ops[] = { { QUIET, 100 }, { QUIET | WRITE, 100 }, { QUIET, 0 }, { QUIET | WRITE, 2 } };

	(void)state;
	for (unsigned int i = 0; i < 64; i++) {
		unsigned int slot = i % 8, op = i / 8 % 4, bad = op >= 2;

		b->busy_pct = b->ram_busy_pct = i % 3 * 30;
		mbx_start(b, slot, ops[op].flags, 4 * i, ops[op].len, 0x100 * i);
		for (unsigned int t = 0; mbx_get(b, DMA + CAIRN_REG_DMA_BUSY); t++) {
			vtb_check_eq(b->tb, vtb_get(b->tb, "irq_dma_o"), 0);
			vtb_check(b->tb, t < 2000);
		}
		vtb_run(b->tb, 5);
		vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 0);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_dma_o"), 0);
		if (!bad)
			vtb_check(b->tb, !memcmp(b->ram + 0x100 * i, b->host + 4 * i, 100));
		mbx_start(b, slot, ops[op].flags & ~QUIET, 4 * i, ops[op].len, 0x100 * i);
		vtb_check_eq(b->tb, mbx_finish(b, 1u << slot), bad << slot);
	}
	mbx_free(b);
}

/* Vectors leave behind the writes before them; completions of a ring as firmware writes them. */
static void vectors(void **state)
{
	struct mbx_bench *b = mbx_new();

	(void)state;
	b->busy_pct = 40;
	b->hold_msix = true;
	mbx_start(b, 0,
		  WRITE | CAIRN_REG_DMA_START_MSIX | CAIRN_PUT(CAIRN_REG_DMA_START_VECTOR, 17),
		  0x1000, 256, 0);
	mbx_start(b, 1, WRITE, 0x2000, 16, 0);
	mbx_put(b, MBX + CAIRN_REG_MBX_MSIX, 31);
	mbx_put(b, MBX + CAIRN_REG_MBX_MSIX, 0x1ff & ~0x1fu); /* other bits mean nothing */
	vtb_run(b->tb, 500);
	vtb_check_eq(b->tb, b->n_wr, 4);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 0); /* with its vector */
	b->hold_msix = false;
	mbx_finish(b, 3);
	vtb_run_until(b->tb, b->n_vectors == 3 && vtb_get(b->tb, "idle_o"), 200);
	vtb_check_eq(b->tb, b->vectors[0], 17);
	vtb_check_eq(b->tb, b->wr_at_vector[0], 4);
	vtb_check_eq(b->tb, b->vectors[1], 31);
	vtb_check_eq(b->tb, b->wr_at_vector[1], 5);
	vtb_check_eq(b->tb, b->vectors[2], 0);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 0);
	mbx_free(b);
}

/*
 * The core is stopped at any moment and started again: old answers do not touch the new operations,
 * and nothing of the old ones reaches the RAM or a DONE bit any more.
 */
static void hold(void **state)
{
	struct mbx_bench *b = mbx_new();
	uint8_t before[CAIRN_CPU_RAM_BYTES];

	(void)state;
	for (unsigned int at = 0; at < 120; at++) {
		b->busy_pct = at % 3 * 30;
		b->ram_busy_pct = at % 5 * 20;
		mbx_start(b, 0, 0, 0, 400, 0);
		mbx_start(b, 1, WRITE | CAIRN_REG_DMA_START_MSIX, 0x8000, 128, 0);
		mbx_start(b, 2, QUIET, 0x100, 300, 1024);
		vtb_run(b->tb, at);
		b->hold_rsp = at % 2;
		vtb_set(b->tb, "hold_i", 1);
		vtb_tick(b->tb);
		memcpy(before, b->ram, sizeof(before));
		vtb_run(b->tb, at % 7 * 5);
		vtb_set(b->tb, "hold_i", 0);
		vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_BUSY), 0);
		vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 0);
		b->hold_rsp = false;
		mbx_start(b, 5, 0, 0x4000, 256, 2048);
		vtb_check_eq(b->tb, mbx_finish(b, 0x20), 0);
		memcpy(before + 2048, b->host + 0x4000, 256);
		vtb_run(b->tb, 100);
		vtb_check(b->tb, !memcmp(before, b->ram, sizeof(before)));
		vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 0);
		vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 500);
		b->n_vectors = 0;
	}
	mbx_free(b);
}

/*
 * The core is stopped in any cycle of a write with a vector: what is on offer then is taken and
 * ends it, no line and no vector is offered any more, and the restarted core's write follows. held:
 * the line (0, 1) that nobody takes before the stop, or the vector (2), or nothing (3).
 */
static void stop_write(struct mbx_bench *b, unsigned int at, unsigned int held)
{
	unsigned int lines, vectors;
	uint8_t host[128];

	memcpy(host, b->host + 0x8000, 128);
	for (unsigned int i = 0; i < 192; i++) /* each run writes something else */
		b->ram[i] = (uint8_t)rng_u64(&b->tb->rng);
	b->n_wr = b->n_vectors = 0;
	b->hold_msix = held == 2;
	mbx_start(b, 1,
		  WRITE | CAIRN_REG_DMA_START_MSIX | CAIRN_PUT(CAIRN_REG_DMA_START_VECTOR, 17),
		  0x8000, 128, 0);
	if (held < 2)
		vtb_run_until(b->tb, b->n_wr == held, 1000);
	b->hold_wr = held < 2;
	vtb_run(b->tb, at);
	vtb_set(b->tb, "hold_i", 1);
	vtb_tick(b->tb);
	lines = b->n_wr + (unsigned int)vtb_get(b->tb, "wr_valid_o");
	vectors = b->n_vectors + (unsigned int)vtb_get(b->tb, "msix_valid_o");
	vtb_check(b->tb, held > 1 || lines <= held + 1);
	vtb_run(b->tb, at % 7);
	vtb_set(b->tb, "hold_i", 0);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_BUSY), 0);
	vtb_run(b->tb, at % 5 * 10);
	b->hold_wr = b->hold_msix = false;
	mbx_start(b, 5, WRITE | CAIRN_REG_DMA_START_MSIX | CAIRN_PUT(CAIRN_REG_DMA_START_VECTOR, 9),
		  0x9000, 64, 128);
	vtb_check_eq(b->tb, mbx_finish(b, 0x20), 0);
	vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 500);
	vtb_check_eq(b->tb, mbx_get(b, DMA + CAIRN_REG_DMA_DONE), 0);
	vtb_check_eq(b->tb, b->n_wr, lines + 1);
	vtb_check_eq(b->tb, b->n_vectors, vectors + 1);
	vtb_check_eq(b->tb, b->vectors[vectors], 9);
	memcpy(host, b->ram, 64 * lines);
	vtb_check(b->tb, !memcmp(host, b->host + 0x8000, 128));
	vtb_check(b->tb, !memcmp(b->ram + 128, b->host + 0x9000, 64));
}

static void stopped_write(void **state)
{
	struct mbx_bench *b = mbx_new();

	(void)state;
	for (unsigned int busy = 0; busy <= 60; busy += 30) {
		b->busy_pct = b->ram_busy_pct = busy;
		for (unsigned int at = 0; at < 60; at++)
			for (unsigned int held = 0; held < 4; held++)
				stop_write(b, at, held);
	}
	mbx_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers),	 cmocka_unit_test(dma_registers),
		cmocka_unit_test(busy),		 cmocka_unit_test(quiet),
		cmocka_unit_test(vectors),	 cmocka_unit_test(hold),
		cmocka_unit_test(stopped_write),
	};

	return cmocka_run_group_tests_name("cmd_mailbox", tests, NULL, NULL);
}
