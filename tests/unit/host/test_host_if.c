// SPDX-License-Identifier: Apache-2.0
/*
 * The whole host side against the simulator's root complex: data under all freedom PCIe leaves,
 * tickets, interrupts behind their events, injected faults, bus master off, function resets under
 * load, and the link's rate. The TLP monitor must never object.
 */
#include <string.h>

#include "hif_bench.h"

static void registers(void **state)
{
	struct hif_bench *b = hif_new(true, 256, 512);
	uint64_t base = 0x123456789abcdef0;
	uint32_t half = 0x11112222;

	(void)state;
	vtb_check_eq(b->tb, hif_bar_read(b, 0, CAIRN_REG_ID, 4),
		     (uint32_t)CAIRN_CONTRACT_MAGIC << 16 | CAIRN_CONTRACT_VERSION);
	sim_pcie_mmio_write(b->pcie, 0, CAIRN_REG_CMDQ_BASE, &base, 8);
	vtb_check_eq(b->tb, hif_bar_read(b, 0, CAIRN_REG_CMDQ_BASE, 8), base);
	sim_pcie_mmio_write(b->pcie, 0, CAIRN_REG_CMDQ_BASE + 4, &half, 4);
	vtb_check_eq(b->tb, hif_bar_read(b, 0, CAIRN_REG_CMDQ_BASE + 2, 2), 0x9abc);
	vtb_check_eq(b->tb, hif_bar_read(b, 0, CAIRN_REG_CMDQ_BASE + 7, 1), 0x11);
	vtb_check_eq(b->tb, hif_bar_read(b, 2, 0x5008, 8), 0);
	vtb_check_eq(b->tb, hif_bar_read(b, 0, CAIRN_REG_PCIE, 4), 1 | 2 << 4 | 1 << 8);
	hif_drain(b, 5000);
	hif_free(b);
}

static void traffic(void **state)
{
	static const unsigned int sizes[][2] = {
		{ 128, 128 }, { 256, 512 }, { 512, 4096 }, { 1024, 256 }
	};

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct hif_bench *b = hif_new(true, sizes[i][0], sizes[i][1]);
		const struct sim_pcie_stats *s = sim_pcie_stats(b->pcie);

		b->rd_pct = b->wr_pct = 5 + 15 * i;
		hif_run(b, 6000);
		hif_drain(b, 300000);
		vtb_check(b->tb, b->n_reads > 50 && b->n_writes > 50);
		vtb_check_eq(b->tb, b->n_errs, 0);
		/* What the counters say is what the host saw. */
		vtb_check_eq(b->tb,
			     hif_bar_read(b, 0, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_DMA_WR, 8),
			     s->wr_tlps);
		vtb_check_eq(b->tb,
			     hif_bar_read(b, 0, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_DMA_RD, 8),
			     s->rd_tlps);
		vtb_check_eq(b->tb,
			     hif_bar_read(b, 0,
					  CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_DMA_WR_BYTES, 8),
			     b->wr_bytes);
		vtb_check_eq(b->tb,
			     hif_bar_read(b, 0,
					  CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_DMA_RD_BYTES, 8),
			     b->rd_bytes);
		hif_free(b);
	}
}

static void interrupts(void **state)
{
	struct hif_bench *b = hif_new(true, 256, 512);

	(void)state;
	assert_int_equal(sim_pcie_irq_enable(b->pcie, HIF_VECTOR, 1), 0);
	hif_run(b, 500);
	b->ev_pct = 5;
	b->wr_pct = 2;
	for (int i = 0; i < 8 && !(b->ev_put > 30 && b->n_irqs > 20); i++)
		hif_run(b, 12000);
	hif_drain(b, 100000);
	vtb_check(b->tb, b->ev_put > 30 && b->n_irqs > 20);
	vtb_check_eq(b->tb, b->ev_get, b->ev_put); /* each event had its interrupt after it */
	hif_free(b);
}

static void faults(void **state)
{
	static const enum sim_pcie_fault kinds[] = { SIM_FAULT_UR, SIM_FAULT_CA, SIM_FAULT_POISON,
						     SIM_FAULT_DROP, SIM_FAULT_LATE };
	struct hif_bench *b = hif_new(true, 256, 512);

	(void)state;
	for (unsigned int i = 0; i < 5; i++)
		assert_true(sim_pcie_fault_add(b->pcie,
					       &(struct sim_pcie_fault_rule){
						       .fault = kinds[i],
						       .first = HIF_RO_BASE + 0x8000 * i,
						       .last = HIF_RO_BASE + 0x8000 * i + 0x7fff,
						       .percent = 20,
						       .piece = i & 1,
						       .delay_ns = 40000000 }) >= 0);
	b->rd_pct = b->wr_pct = 10;
	for (unsigned int i = 0; i < 4; i++) {
		hif_run(b, 1500);
		b->rd_pct = 0;
		hif_drain(b, 200000);
		b->rd_pct = b->wr_pct = 10;
	}
	hif_drain(b, 200000);
	vtb_check(b->tb, b->n_errs > 20 && b->n_reads > b->n_errs);
	vtb_check(b->tb,
		  hif_bar_read(b, 0, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_DMA_RD_ERR, 8) > 0);
	vtb_check(b->tb, hif_bar_read(b, 0, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_DMA_RD_TIMEOUT,
				      8) > 0);
	vtb_check(b->tb, hif_bar_read(b, 0, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_CPL_UNEXPECTED,
				      8) > 0);
	hif_free(b);
}

/* Off and on again under load: reads in between fail, writes are lost, nothing else. */
static void bus_master(void **state)
{
	struct hif_bench *b = hif_new(true, 256, 512);

	(void)state;
	b->rd_pct = b->wr_pct = 20;
	hif_run(b, 1000);
	sim_pcie_cfg_write(b->pcie, 4, &(uint16_t){ 2 }, 2);
	hif_run(b, 1000);
	b->rd_pct = b->wr_pct = 0;
	hif_run(b, 2000);
	vtb_check(b->tb, b->n_errs > 0);
	sim_pcie_settle(b->pcie);
	for (unsigned int i = 0; i < HIF_WR_BYTES; i++)
		vtb_check(b->tb, b->wr[i] == b->want[i] || b->wr[i] == HIF_BLANK);
	memcpy(b->want, b->wr, HIF_WR_BYTES);
	sim_pcie_cfg_write(b->pcie, 4, &(uint16_t){ 6 }, 2);
	hif_run(b, 10);
	b->n_errs = 0;
	b->rd_pct = b->wr_pct = 20;
	hif_run(b, 1000);
	hif_drain(b, 100000);
	vtb_check_eq(b->tb, b->n_errs, 0);
	hif_free(b);
}

static void flr_done(void *arg, int status)
{
	*(int *)arg = status;
}

static void function_reset(void **state)
{
	struct hif_bench *b = hif_new(true, 256, 512);

	(void)state;
	for (unsigned int i = 0; i < 12; i++) {
		int status = 1;

		sim_pcie_cfg_write(b->pcie, 4, &(uint16_t){ 6 }, 2);
		b->rd_pct = b->wr_pct = 5 + 10 * (i % 5);
		hif_run(b, 300 + 41 * i);
		assert_int_equal(sim_pcie_flr(b->pcie, flr_done, &status), 0);
		hif_run(b, 20);
		b->rd_pct = b->wr_pct = 0;
		vtb_run_until(b->tb, status != 1, 30000);
		vtb_check_eq(b->tb, status, 0);
		hif_run(b, 300);
		sim_pcie_settle(b->pcie);
		for (unsigned int k = 0; k < HIF_WR_BYTES; k++)
			vtb_check(b->tb, b->wr[k] == b->want[k] || b->wr[k] == HIF_BLANK);
		memcpy(b->want, b->wr, HIF_WR_BYTES);
		sim_pcie_cfg_write(b->pcie, 4, &(uint16_t){ 6 }, 2);
		vtb_check_eq(b->tb,
			     hif_bar_read(b, 0, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_DMA_WR, 8),
			     0);
	}
	sim_pcie_cfg_write(b->pcie, 4, &(uint16_t){ 6 }, 2);
	b->rd_pct = b->wr_pct = 20;
	hif_run(b, 1000);
	hif_drain(b, 100000);
	hif_free(b);
}

/* A host that answers no read: when payload has no tags left, the device is fatal
 * until its reset. */
static void no_tags_left(void **state)
{
	struct hif_bench *b = hif_new(false, 256, 512);
	const struct sim_pcie_fault_rule rule = { .fault = SIM_FAULT_DROP,
						  .first = HIF_RO_BASE,
						  .last = HIF_RO_BASE + HIF_RO_BYTES - 1 };
	uint64_t timeouts;
	int status = 1;

	(void)state;
	assert_true(sim_pcie_fault_add(b->pcie, &rule) >= 0);
	b->rd_pct = 20;
	for (unsigned int i = 0;
	     !(hif_bar_read(b, 0, CAIRN_REG_STATUS, 4) & CAIRN_REG_STATUS_FATAL); i++) {
		vtb_check(b->tb, i < 1000);
		hif_run(b, 100);
		b->now += 1 << 22;
	}
	timeouts = hif_bar_read(b, 0, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_DMA_RD_TIMEOUT, 8);
	vtb_check(b->tb, timeouts >= 224 && timeouts <= 256);
	sim_pcie_fault_clear(b->pcie);
	b->rd_pct = 0;
	assert_int_equal(sim_pcie_flr(b->pcie, flr_done, &status), 0);
	vtb_run_until(b->tb, status != 1, 30000);
	vtb_check_eq(b->tb, status, 0);
	sim_pcie_cfg_write(b->pcie, 4, &(uint16_t){ 6 }, 2);
	hif_run(b, 400);
	vtb_check(b->tb, !(hif_bar_read(b, 0, CAIRN_REG_STATUS, 4) & CAIRN_REG_STATUS_FATAL));
	b->n_errs = 0;
	b->rd_pct = 20;
	hif_run(b, 1000);
	hif_drain(b, 100000);
	vtb_check_eq(b->tb, b->n_errs, 0);
	hif_free(b);
}

/*
 * The conditions of make bench: payload both ways at once, MPS 256, MRRS 512, 600 ns. The
 * link carries 280 bytes for 256 in each direction; upwards the reads' headers as well.
 */
static void bandwidth(void **state)
{
	struct hif_bench *b = hif_new(false, 256, 512);
	uint64_t rd, wr, n = b->bytes == 64 ? 6000 : 12000, bound;

	(void)state;
	b->max_size = true;
	for (unsigned int pass = 0; pass < 2; pass++) {
		b->rd_pct = pass ? 0 : 100;
		b->wr_pct = pass ? 100 : 0;
		hif_run(b, 1000);
		rd = b->rd_bytes;
		wr = b->wr_bytes;
		hif_run(b, n);
		bound = n * b->bytes * 256 / 280;
		rd = b->rd_bytes - rd;
		wr = b->wr_bytes - wr;
		print_message("# %s: %llu bytes of at most %llu\n", pass ? "writes" : "reads",
			      (unsigned long long)(pass ? wr : rd), (unsigned long long)bound);
		vtb_check(b->tb, (pass ? wr : rd) * 100 >= bound * 98);
		hif_drain(b, 100000);
	}
	hif_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers),	cmocka_unit_test(traffic),
		cmocka_unit_test(interrupts),	cmocka_unit_test(faults),
		cmocka_unit_test(bus_master),	cmocka_unit_test(function_reset),
		cmocka_unit_test(no_tags_left), cmocka_unit_test(bandwidth),
	};

	return cmocka_run_group_tests_name("host_if", tests, NULL, NULL);
}
