// SPDX-License-Identifier: Apache-2.0
/*
 * Root complex, the host's side: BAR accesses of every size, push windows, memory enable, function
 * level reset in all its moments, cfg_* inputs, MSI-X shim, message-backed memory and the stop of
 * clocks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cairn_hw.h"
#include "fake_core.h"

#define RAM 0x10000u
#define RW (SIM_MEM_READ | SIM_MEM_WRITE)
#define DEVCTL 0x78
#define PMCSR 0x44
#define MSIX_CTRL 0x52

static struct fake_core *f;
static uint8_t *ram;

static int setup(void **state)
{
	(void)state;
	f = fake_new(NULL, 64);
	f->auto_answer = true;
	ram = fake_ram(f, 0, RAM, RW);
	fake_enable(f);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fake_free(f);
	free(ram);
	return 0;
}

static void cfg16(uint32_t off, uint16_t v)
{
	assert_int_equal(sim_pcie_cfg_write(f->p, off, &v, 2), 0);
	fake_run(f, 2);
}

/* Any range: each byte comes from its place, in pieces of at most 8 aligned bytes. */
static void reads(void **state)
{
	uint8_t got[4096];

	(void)state;
	for (unsigned int i = 0; i < 300; i++) {
		uint32_t size = (uint32_t)(i < 64 ? i % 8 + 1 : rng_range(&f->rng, 1, 100));
		uint64_t off = i < 64 ? 0x1000 + i / 8 : rng_below(&f->rng, 4096);
		struct sim_pcie_read r = { .bar = 0, .off = off, .size = size, .buf = got };

		f->in_n = 0;
		assert_int_equal(sim_pcie_mmio_read(f->p, &r), 0);
		while (r.status == -EINPROGRESS)
			fake_cycle(f);
		check(f, r.status == 0);
		for (uint32_t k = 0; k < size; k++)
			check(f, got[k] == (uint8_t)(bar_value(off + k) >> (off + k) % 8 * 8));
		for (unsigned int k = 0; k < f->in_n; k++)
			check(f, f->in[k].h.len_dw <= 2 && f->in[k].bar == 0);
		check(f, f->in_n <= size / 8 + 6);
	}
	check(f, sim_pcie_violations(f->p) == 0);
}

static void writes(void **state)
{
	uint8_t data[4096], image[8192];

	(void)state;
	rng_bytes(&f->rng, data, sizeof(data));
	for (unsigned int i = 0; i < 300; i++) {
		uint32_t size = (uint32_t)(i < 64 ? i % 8 + 1 : rng_range(&f->rng, 1, 300));
		uint64_t off = i < 64 ? i / 8 : rng_below(&f->rng, 4096);
		uint32_t count = 0;

		f->in_n = 0;
		memset(image, 0, sizeof(image));
		assert_int_equal(sim_pcie_mmio_write(f->p, 2, off, data, size), 0);
		fake_drain(f);
		for (unsigned int k = 0; k < f->in_n; k++) {
			const struct fake_tlp *t = &f->in[k];
			unsigned int first, bytes;

			sim_tlp_span(&t->h, &first, &bytes);
			check(f, t->bar == 2 && t->h.has_data && (t->h.addr + first) % bytes == 0);
			check(f, bytes <= 8 || (bytes == 64 && t->h.addr % 64 == 0));
			check(f, t->h.addr + first == off + count);
			memcpy(image + t->h.addr + first, t->data + first, bytes);
			count += bytes;
		}
		check(f, count == size && !memcmp(image + off, data, size));
	}
	/* a 64-bit store and a push are one TLP each */
	f->in_n = 0;
	sim_pcie_mmio_write(f->p, 2, 0x1008, data, 8);
	sim_pcie_mmio_write(f->p, 2, 0x1800, data, 64);
	fake_drain(f);
	check(f, f->in_n == 2 && f->in[0].bytes == 8 && f->in[1].bytes == 64);
	check(f, sim_pcie_violations(f->p) == 0);
}

static void refused(void **state)
{
	uint64_t v = 0;
	struct sim_pcie_read r = { .bar = 0, .off = 0xfff9, .size = 8, .buf = &v };

	(void)state;
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), -EINVAL);
	r.off = UINT64_MAX;
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), -EINVAL);
	r = (struct sim_pcie_read){ .bar = 1, .off = 0, .size = 4, .buf = &v };
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), -EINVAL);
	r = (struct sim_pcie_read){ .bar = 0, .off = 0, .size = 0, .buf = &v };
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), -EINVAL);
	assert_int_equal(sim_pcie_mmio_write(f->p, 2, 0xfffff, &v, 2), -EINVAL);
	cfg16(4, 4);				/* memory space off */
	r.size = 4;
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), -EIO);
	assert_int_equal(sim_pcie_mmio_write(f->p, 0, 0, &v, 4), -EIO);
	check(f, sim_pcie_stats(f->p)->bar_dropped == 1);
	cfg16(4, 6);
	cfg16(PMCSR, 3);			/* D3hot */
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), -EIO);
	check(f, !f->s.bme);
	cfg16(PMCSR, 0);
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), 0);
	fake_drain(f);
	check(f, r.status == 0);
}

/* The core answers UR: all ones. A reader that goes away is not called. */
static void never(struct sim_pcie_read *r)
{
	(void)r;
	fail();
}

static void error_and_cancel(void **state)
{
	uint32_t v = 0, dw[4];
	struct sim_pcie_read r = { .bar = 0, .off = 4, .size = 4, .buf = &v };
	struct sim_pcie_read gone[3];

	(void)state;
	f->auto_answer = false;
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), 0);
	while (!f->in_n)
		fake_cycle(f);
	sim_tlp_cpl(dw, CAIRN_CPL_STATUS_UR, 0, 4, 4, f->in[0].h.tag, 0, 0x0100);
	fake_send(f, dw, NULL, 0);
	fake_drain(f);
	check(f, r.status == -EIO && v == 0xffffffff);
	/* one on the link, two in the queue, cancelled in any order */
	f->auto_answer = true;
	for (unsigned int i = 0; i < 3; i++) {
		gone[i] = (struct sim_pcie_read){ .bar = 0, .off = 0, .size = 4, .buf = &v,
						  .done = never };
		assert_int_equal(sim_pcie_mmio_read(f->p, &gone[i]), 0);
		if (i == 0)
			fake_run(f, 2);
	}
	sim_pcie_mmio_cancel(f->p, &gone[2]);
	sim_pcie_mmio_cancel(f->p, &gone[0]);
	sim_pcie_mmio_cancel(f->p, &gone[1]);
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), 0);
	fake_drain(f);
	check(f, r.status == 0 && v == (uint32_t)(bar_value(4) >> 32));
	check(f, sim_pcie_violations(f->p) == 0);
}

static void cfg_inputs(void **state)
{
	(void)state;
	check(f, f->s.bme == 1 && f->s.mps == 1 && f->s.mrrs == 2 && f->s.reqid[1] == 1);
	cfg16(DEVCTL, 5 << 12 | 2 << 5);
	check(f, f->s.mps == 2 && f->s.mrrs == 5);
	cfg16(MSIX_CTRL, 0xc000);
	check(f, f->s.msix_en && f->s.msix_fmask);
	cfg16(MSIX_CTRL, 0x8000);
	check(f, f->s.msix_en && !f->s.msix_fmask);
	cfg16(4, 0);
	check(f, !f->s.bme);
}

/* ---- reset ---- */

static void on_done(void *arg, int status)
{
	*(int *)arg = status;
}

static void reset(void **state)
{
	uint32_t v = 0;
	struct sim_pcie_read r[3];
	int a = 1, b = 1;

	(void)state;
	f->auto_answer = false;
	for (unsigned int i = 0; i < 3; i++) {
		r[i] = (struct sim_pcie_read){ .bar = 0, .off = 0, .size = 4, .buf = &v };
		assert_int_equal(sim_pcie_mmio_read(f->p, &r[i]), 0);
		if (i == 1)
			fake_run(f, 10);	/* two on the link, one not */
	}
	sim_pcie_mmio_write(f->p, 0, 0, &v, 4);
	f->hold_flr = true;
	f->in_n = 0;
	assert_int_equal(sim_pcie_flr(f->p, on_done, &a), 0);
	check(f, sim_pcie_in_flr(f->p));
	for (unsigned int i = 0; i < 3; i++)
		check(f, r[i].status == -EIO);
	fake_run(f, 20);
	check(f, f->s.flr && !f->s.bme && f->in_n == 0);	/* the write was dropped */
	assert_int_equal(sim_pcie_flr(f->p, on_done, &b), 0);	/* joins */
	/* what comes now waits: first enable memory again as software would */
	fake_enable(f);
	v = 0x77;
	assert_int_equal(sim_pcie_mmio_write(f->p, 0, 0x20, &v, 4), 0);
	fake_run(f, 50);
	check(f, f->in_n == 0 && a == 1);
	f->hold_flr = false;
	fake_drain(f);
	check(f, a == 0 && b == 0 && !sim_pcie_in_flr(f->p) && !f->s.flr);
	check(f, f->in_n == 1 && f->in[0].h.addr == 0x20);
	check(f, sim_pcie_stats(f->p)->flrs == 1);
	/* by configuration space */
	cfg16(DEVCTL, 0x8000 | 2 << 12 | 1 << 5);
	check(f, sim_pcie_in_flr(f->p));
	fake_drain(f);
	check(f, !sim_pcie_in_flr(f->p) && sim_pcie_stats(f->p)->flrs == 2 && !f->s.bme);
	for (unsigned int i = 0; i < 8; i++)
		assert_int_equal(sim_pcie_flr(f->p, on_done, &a), 0);
	assert_int_equal(sim_pcie_flr(f->p, on_done, &a), -EBUSY);
	fake_drain(f);
	check(f, sim_pcie_violations(f->p) == 0);
}

/* Reads that were out before a reset still complete: the core must not reuse their tags. */
static void late_completions(void **state)
{
	(void)state;
	for (unsigned int t = 0; t < 10; t++)
		fake_read(f, t * 64, 64, t);
	fake_run(f, 20);
	assert_int_equal(sim_pcie_flr(f->p, NULL, NULL), 0);
	fake_run(f, 20);
	check(f, !sim_pcie_in_flr(f->p) && f->in_n == 0);
	fake_enable(f);
	fake_read(f, 0, 64, 4);
	fake_drain(f);
	check(f, f->in_n == 10);
	check(f, sim_pcie_violation_count(f->p, SIM_TLP_TAG_REUSE) == 1);
}

/* ---- interrupts ---- */

static void fire(uint32_t v)
{
	fake_write(f, SIM_PCIE_IRQ_BASE + 4 * v, &v, 4);
}

static void table(void **state)
{
	uint32_t entry[4];

	(void)state;
	assert_int_equal(sim_pcie_irq_enable(f->p, 30, 3), -EINVAL);
	assert_int_equal(sim_pcie_irq_enable(f->p, 33, 0), -EINVAL);
	assert_int_equal(sim_pcie_irq_disable(f->p, 0, 33), -EINVAL);
	assert_int_equal(sim_pcie_irq_enable(f->p, 30, 2), 0);
	fake_drain(f);
	check(f, f->in_n == 8 && f->s.msix_en);
	for (unsigned int i = 0; i < 8; i++) {
		check(f, f->in[i].bar == 0 && f->in[i].h.len_dw == 1);
		check(f, f->in[i].h.addr == CAIRN_MSIX_TABLE_OFFSET + 30 * 16 + 4 * i);
		memcpy(&entry[i % 4], f->in[i].data, 4);
		if (i % 4 == 3)
			check(f, entry[0] == SIM_PCIE_IRQ_BASE + 4 * (30 + i / 4) && !entry[1] &&
			      entry[2] == 30 + i / 4 && entry[3] == 0);
	}
	fire(31);
	fake_drain(f);
	check(f, f->irq_count[31] == 1);
	f->in_n = 0;
	assert_int_equal(sim_pcie_irq_disable(f->p, 0, 32), 0);	/* only those that were on */
	fake_drain(f);
	check(f, f->in_n == 2 && f->in[0].data[0] == 1 && !f->s.msix_en);
}

/*
 * QEMU takes all vectors away and gives more each time it adds one: what fires in between is kept.
 */
static void kept(void **state)
{
	(void)state;
	sim_pcie_irq_enable(f->p, 0, 2);
	fake_drain(f);
	fire(0);
	fire(1);
	fake_run(f, 5);			/* on their way */
	sim_pcie_irq_disable(f->p, 0, 32);
	fake_drain(f);
	check(f, !f->irq_count[0] && !f->irq_count[1]);
	check(f, sim_pcie_stats(f->p)->irqs_kept == 2);
	sim_pcie_irq_enable(f->p, 0, 1);
	check(f, f->irq_count[0] == 1 && !f->irq_count[1]);
	sim_pcie_irq_enable(f->p, 0, 3);
	check(f, f->irq_count[0] == 1 && f->irq_count[1] == 1 && !f->irq_count[2]);
	fake_drain(f);
	fire(2);
	fake_drain(f);
	check(f, f->irq_count[2] == 1);
	/* a new client hears nothing of the old one's */
	fire(2);
	fake_run(f, 5);
	sim_pcie_irq_disable(f->p, 0, 32);
	fake_drain(f);
	sim_pcie_irq_clear(f->p);
	sim_pcie_irq_enable(f->p, 0, 3);
	fake_drain(f);
	check(f, f->irq_count[2] == 1);
	check(f, sim_pcie_violations(f->p) == 0);
}

static void table_after_reset(void **state)
{
	(void)state;
	sim_pcie_irq_enable(f->p, 4, 1);
	fake_drain(f);
	f->in_n = 0;
	sim_pcie_flr(f->p, NULL, NULL);
	sim_pcie_irq_enable(f->p, 6, 1);	/* during the reset */
	fake_drain(f);
	check(f, f->in_n == 8);			/* both, once, after it */
	check(f, f->in[0].h.addr == CAIRN_MSIX_TABLE_OFFSET + 4 * 16);
	check(f, f->in[7].h.addr == CAIRN_MSIX_TABLE_OFFSET + 6 * 16 + 12);
	fake_enable(f);
	fire(4);
	fire(6);
	fake_drain(f);
	check(f, f->irq_count[4] == 1 && f->irq_count[6] == 1);
	check(f, sim_pcie_violations(f->p) == 0);
}

/* ---- memory behind messages ---- */

static struct sim_mem_io *msgs[64];
static unsigned int n_msgs;
static uint64_t msg_iova[64];

static void on_msg(void *arg, struct sim_mem_io *io, uint64_t iova, void *buf, uint32_t len)
{
	(void)arg;
	if (!io->write)
		memset(buf, 0x42, len);
	msg_iova[n_msgs] = iova;
	msgs[n_msgs++] = io;
}

static void messages(void **state)
{
	uint8_t data[64] = { 1 }, got[64];
	uint32_t v = 0;
	struct sim_pcie_read r = { .bar = 0, .off = 0, .size = 4, .buf = &v };

	(void)state;
	n_msgs = 0;
	sim_mem_add_msg(f->mem, 0x100000, 0x1000, RW, on_msg, NULL);
	fake_write(f, 0x100000, data, 64);
	fake_write(f, 0x100040, data, 64);
	fake_write(f, 0x40, data, 64);
	fake_read(f, 0x100000, 64, 1);
	while (!sim_pcie_stalled(f->p))
		fake_cycle(f);
	/* one message; what follows in the order waits */
	check(f, n_msgs == 1 && msg_iova[0] == 0x100000);
	fake_run(f, 400);
	check(f, n_msgs == 1 && !ram[0x40] && f->in_n == 0);
	/* the client asks for a register first: it gets it although writes are held up */
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), 0);
	check(f, !sim_pcie_stalled(f->p));
	for (unsigned int i = 0; i < 200; i++)
		fake_write(f, 0x80, data, 64);	/* and the core may go on writing */
	while (r.status == -EINPROGRESS)
		fake_cycle(f);
	check(f, r.status == 0 && sim_pcie_stalled(f->p) && n_msgs == 1);
	sim_mem_io_complete(msgs[0], 0);
	check(f, !sim_pcie_stalled(f->p));
	while (!sim_pcie_stalled(f->p))
		fake_cycle(f);
	check(f, n_msgs == 2 && msg_iova[1] == 0x100040 && !ram[0x40]);
	/* a reset must be possible as well */
	sim_mem_io_complete(msgs[1], -EIO);
	while (!sim_pcie_stalled(f->p))
		fake_cycle(f);
	check(f, n_msgs == 3 && ram[0x40] == 1);
	sim_pcie_flr(f->p, NULL, NULL);
	check(f, !sim_pcie_stalled(f->p));
	fake_run(f, 50);
	check(f, !sim_pcie_in_flr(f->p) && sim_pcie_stalled(f->p));
	sim_mem_io_complete(msgs[2], 0);
	fake_drain(f);
	check(f, fake_collect(f, 1, 0x100000, got) == 64 && got[5] == 0x42);
	check(f, sim_pcie_stats(f->p)->dma_errors == 1);
}

/* Late-sampled reads fetch each piece by a message of its own. */
static void late_messages(void **state)
{
	struct sim_pcie_cfg cfg;
	uint8_t got[512];

	teardown(state);
	sim_pcie_cfg_stress(&cfg, 64, CLK_NS);
	cfg.sample = SIM_SAMPLE_LATE;
	cfg.split = SIM_SPLIT_RCB;
	f = fake_new(&cfg, 64);
	ram = fake_ram(f, 0, RAM, RW);
	fake_enable(f);
	n_msgs = 0;
	sim_mem_add_msg(f->mem, 0x100000, 0x1000, RW, on_msg, NULL);
	fake_read(f, 0x100010, 256, 1);
	for (unsigned int done = 0; done < 5; done++) {
		while (!sim_pcie_stalled(f->p))
			fake_cycle(f);
		check(f, n_msgs == done + 1);
		sim_mem_io_complete(msgs[done], 0);
	}
	fake_drain(f);
	check(f, fake_collect(f, 1, 0x100010, got) == 256);
}

/* Before maps go: everything accepted ends in memory at once, reads are sampled. */
static void settle(void **state)
{
	uint8_t data[64], got[64];

	(void)state;
	memset(data, 9, sizeof(data));
	fake_write(f, 0x100, data, 64);
	fake_read(f, 0x100, 64, 1);
	fake_read(f, 0x200, 64, 2);
	while (f->out_n || f->s.tx_valid)
		fake_cycle(f);
	fake_run(f, 2);
	check(f, !ram[0x100]);
	sim_pcie_settle(f->p);
	check(f, ram[0x100] == 9);
	sim_mem_clear(f->mem);
	memset(ram, 0xdd, RAM);
	fake_drain(f);
	check(f, fake_collect(f, 1, 0x100, got) == 64 && got[0] == 9);
	check(f, fake_collect(f, 2, 0x200, got) == 64 && got[0] == 0);
	check(f, sim_pcie_violations(f->p) == 0);
}

/* A burst of BAR writes larger than any first guess of the queue. */
static void backlog(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(sim_pcie_mmio_write(f->p, 2, 0x18, &i, 8), 0);
	check(f, sim_pcie_backlog(f->p) == 1000);
	fake_drain(f);
	check(f, f->in_n == 1000 && sim_pcie_backlog(f->p) == 0);
	for (uint64_t i = 0; i < 1000; i++)
		check(f, !memcmp(f->in[i].data, &i, 8));
}

/* Pauses of the receive stream, before and inside a TLP. */
static void gaps(void **state)
{
	struct sim_pcie_cfg cfg;
	uint8_t data[64];

	teardown(state);
	sim_pcie_cfg_default(&cfg, 64, CLK_NS);
	cfg.gap_pct = 70;
	f = fake_new(&cfg, 64);
	ram = fake_ram(f, 0, RAM, RW);
	fake_enable(f);
	rng_bytes(&f->rng, data, sizeof(data));
	for (unsigned int i = 0; i < 50; i++) {
		f->in_n = 0;
		assert_int_equal(sim_pcie_mmio_write(f->p, 2, 0x800, data, 64), 0);
		fake_drain(f);
		check(f, f->in_n == 1 && !memcmp(f->in[0].data, data, 64));
	}
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(reads), T(writes), T(refused), T(error_and_cancel), T(cfg_inputs), T(reset),
		T(late_completions), T(table), T(kept), T(table_after_reset), T(messages),
		T(late_messages), T(settle), T(backlog), T(gaps),
	};

	return cmocka_run_group_tests_name("sim_pcie_host", tests, NULL, NULL);
}
