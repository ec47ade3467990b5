// SPDX-License-Identifier: Apache-2.0
/*
 * Root complex, DMA: data of reads and writes of all shapes under all splits and all freedom,
 * latency and rates of the link, byte enables, errors of memory and injected faults.
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <stdlib.h>
#include <string.h>

#include "cairn_hw.h"
#include "fake_core.h"

#define RAM 0x10000u
#define RW (SIM_MEM_READ | SIM_MEM_WRITE)

/* Random reads, `window` tags at a time; each compared with memory. */
static void random_reads(struct fake_core *f, uint64_t base, const uint8_t *ram,
			 unsigned int rounds)
{
	unsigned int max = 128u << f->s.mrrs;
	struct { uint64_t addr; unsigned int bytes; } req[16];
	uint8_t got[4096];

	for (unsigned int round = 0; round < rounds; round++) {
		f->in_n = 0;
		for (unsigned int t = 0; t < 16; t++) {
			uint64_t off = rng_below(&f->rng, RAM - 4096);
			unsigned int room = max - (off & 3);

			if (room > 4096 - off % 4096)
				room = (unsigned int)(4096 - off % 4096);
			req[t].addr = base + off;
			req[t].bytes = (unsigned int)(rng_percent(&f->rng, 30) ? room :
						      rng_range(&f->rng, 1, room));
			fake_read(f, req[t].addr, req[t].bytes, t);
		}
		fake_drain(f);
		for (unsigned int t = 0; t < 16; t++) {
			check(f, fake_collect(f, t, req[t].addr, got) == (int)req[t].bytes);
			check(f, !memcmp(got, ram + (req[t].addr - base), req[t].bytes));
		}
	}
	check(f, sim_pcie_violations(f->p) == 0);
}

/* What the device is told of the read completion boundary, also after a reset. */
static bool told_128(struct fake_core *f)
{
	uint8_t at = 0, id = 0;
	uint16_t lnkctl = 0;

	sim_pcie_cfg_read(f->p, PCI_CAPABILITY_LIST, &at, 1);
	while (at && (sim_pcie_cfg_read(f->p, at, &id, 1), id != PCI_CAP_ID_EXP))
		sim_pcie_cfg_read(f->p, at + PCI_CAP_LIST_NEXT, &at, 1);
	sim_pcie_cfg_read(f->p, at + PCI_EXP_LNKCTL, &lnkctl, 2);
	return at && lnkctl & PCI_EXP_LNKCTL_RCB;
}

static void splits(void **state)
{
	const enum sim_pcie_split kinds[] = { SIM_SPLIT_MPS, SIM_SPLIT_RCB, SIM_SPLIT_RANDOM };

	(void)state;
	for (unsigned int mps = 128; mps <= 4096; mps *= 4)
		for (unsigned int k = 0; k < 6; k++) {
			struct sim_pcie_cfg cfg;
			struct fake_core *f;
			uint8_t *ram;
			uint64_t base = k & 1 ? 0x8000000000ull : 0x20000;

			sim_pcie_cfg_default(&cfg, 64 << k % 4, CLK_NS);
			cfg.mps = mps;
			cfg.mrrs = 4096;
			cfg.rcb = k < 3 ? 64 : 128;
			cfg.split = kinds[k % 3];
			f = fake_new(&cfg, 64 << k % 4);
			check(f, told_128(f) == (cfg.rcb == 128));
			ram = fake_ram(f, base, RAM, RW);
			rng_bytes(&f->rng, ram, RAM);
			fake_enable(f);
			random_reads(f, base, ram, 4);
			sim_pcie_flr(f->p, NULL, NULL);
			fake_run(f, 50);
			check(f, told_128(f) == (cfg.rcb == 128));
			fake_free(f);
			free(ram);
		}
}

/* The number of completions of one aligned 512-byte read, by split. */
static void pieces(void **state)
{
	const unsigned int want[] = { [SIM_SPLIT_MPS] = 2, [SIM_SPLIT_RCB] = 8 };

	(void)state;
	for (unsigned int k = 0; k < 2; k++) {
		struct sim_pcie_cfg cfg;
		struct fake_core *f;
		uint8_t *ram;

		sim_pcie_cfg_default(&cfg, 512, CLK_NS);
		cfg.split = k;
		f = fake_new(&cfg, 512);
		ram = fake_ram(f, 0, RAM, RW);
		fake_enable(f);
		fake_read(f, 0x1000, 512, 3);
		fake_drain(f);
		check(f, f->in_n == want[k]);
		/* unaligned: the first piece ends on the boundary */
		f->in_n = 0;
		fake_read(f, 0x1010, 496, 3);
		fake_drain(f);
		check(f, f->in_n == want[k]);
		check(f, f->in[0].bytes == (k ? 48 : 240));
		fake_free(f);
		free(ram);
	}
}

static void stress(void **state)
{
	(void)state;
	for (unsigned int w = 64; w <= 512; w *= 2) {
		struct sim_pcie_cfg cfg;
		struct fake_core *f;
		uint8_t *ram, *model = calloc(1, RAM), data[256];

		sim_pcie_cfg_stress(&cfg, w, CLK_NS);
		f = fake_new(&cfg, w);
		f->rx_busy_pct = 20;
		ram = fake_ram(f, 1ull << 33, RAM, RW);
		fake_enable(f);
		for (unsigned int i = 0; i < 400; i++) {
			unsigned int off = (unsigned int)rng_below(&f->rng, RAM / 256) * 256;
			unsigned int skip = (unsigned int)rng_below(&f->rng, 200);
			unsigned int n = (unsigned int)rng_range(&f->rng, 1, 256 - skip);

			rng_bytes(&f->rng, data, n);
			memcpy(model + off + skip, data, n);
			fake_write(f, (1ull << 33) + off + skip, data, n);
		}
		fake_drain(f);
		check(f, !memcmp(ram, model, RAM));
		random_reads(f, 1ull << 33, ram, 10);
		fake_free(f);
		free(ram);
		free(model);
	}
}

/* ---- time ---- */

static void latency(void **state)
{
	struct fake_core *f = fake_new(NULL, 512);
	uint8_t *ram = fake_ram(f, 0, RAM, RW), one = 1;
	uint64_t t0;

	(void)state;
	fake_enable(f);
	fake_run(f, 10);
	t0 = f->now;
	fake_read(f, 0x100, 64, 0);
	fake_drain(f);
	check(f, f->in_n == 1 && f->in[0].t == t0 + 600);
	/* a write is in memory half a round trip after it has passed the link */
	t0 = f->now;
	fake_write(f, 0x100, &one, 1);
	while (!ram[0x100])
		fake_cycle(f);
	check(f, f->now - t0 >= 300 && f->now - t0 <= 300 + 3 * CLK_NS);
	fake_free(f);
	free(ram);
}

/* 64 B a cycle with 24 B a TLP: 4.375 cycles for 256 B, both ways, fractions kept. */
static void rates(void **state)
{
	struct fake_core *f = fake_new(NULL, 512);
	uint8_t *ram = fake_ram(f, 0, RAM, RW), data[256] = { 0 };
	const unsigned int n = 800;
	uint64_t t0, cycles;

	(void)state;
	fake_enable(f);
	for (unsigned int i = 0; i < n; i++)
		fake_write(f, i % 64 * 256, data, 256);
	t0 = f->now;
	while (f->out_n || f->s.tx_valid)
		fake_cycle(f);
	cycles = (f->now - t0) / CLK_NS;
	/* the link's buffer takes 1 KiB ahead of time */
	check(f, cycles <= 3500 && cycles >= 3500 - 1024 / 64 - 5);
	fake_drain(f);
	f->in_n = 0;
	for (unsigned int i = 0; i < 200; i++)
		fake_read(f, i % 64 * 512, 512, i);
	fake_drain(f);
	check(f, f->in_n == 400);
	cycles = (f->in[399].t_last - f->in[0].t) / CLK_NS + 1;
	check(f, cycles >= 1749 && cycles <= 1751);
	check(f, sim_pcie_stats(f->p)->cpl_tlps == 400);
	check(f, sim_pcie_violations(f->p) == 0);
	fake_free(f);
	free(ram);
}

/* A slow link holds the core back by ready, and credits by count. */
static void back_pressure(void **state)
{
	struct sim_pcie_cfg cfg;
	struct fake_core *f;
	uint8_t *ram, data[256] = { 0 };
	uint64_t t0;

	(void)state;
	sim_pcie_cfg_default(&cfg, 512, CLK_NS);
	cfg.up_rate = 1000;	/* 1 B/ns: 280 ns a TLP */
	f = fake_new(&cfg, 512);
	ram = fake_ram(f, 0, RAM, RW);
	fake_enable(f);
	t0 = f->now;
	for (unsigned int i = 0; i < 100; i++)
		fake_write(f, 0, data, 256);
	fake_drain(f);
	check(f, f->now - t0 >= 100 * 280 && f->now - t0 <= 100 * 280 + 320);
	check(f, sim_pcie_stats(f->p)->tx_wait_cycles > 5000);
	fake_free(f);
	free(ram);

	sim_pcie_cfg_default(&cfg, 512, CLK_NS);
	cfg.posted_credits = 2;
	f = fake_new(&cfg, 512);
	ram = fake_ram(f, 0, RAM, RW);
	fake_enable(f);
	t0 = f->now;
	for (unsigned int i = 0; i < 20; i++)
		fake_write(f, 0, data, 256);
	fake_drain(f);
	check(f, f->now - t0 >= 10 * 300);	/* two in each 300 ns */
	/* withheld by request: nothing starts until then, reads do */
	t0 = f->now;
	sim_pcie_hold_credits(f->p, 1, t0 + 2000);
	check(f, sim_pcie_next_event(f->p) == t0 + 2000);
	fake_write(f, 0, data, 4);
	fake_run(f, 490);
	check(f, f->out_n == 1);
	fake_run(f, 20);
	check(f, f->out_n == 0);
	fake_drain(f);
	check(f, sim_pcie_violations(f->p) == 0);
	fake_free(f);
	free(ram);
}

/* ---- byte enables ---- */

static void holes(void **state)
{
	struct fake_core *f = fake_new(NULL, 64);
	uint8_t *ram = fake_ram(f, 0, RAM, RW), data[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint32_t dw[4];

	(void)state;
	fake_enable(f);
	for (unsigned int fbe = 0; fbe < 16; fbe++)
		for (unsigned int lbe = 0; lbe < 16; lbe++) {
			unsigned int dws = lbe ? 2 : 1, mask = fbe | lbe << 4;

			if (dws == 2 && !fbe)
				continue;
			memset(ram, 0, 16);
			sim_tlp_mem(dw, true, 8, dws, fbe, lbe, 0, 0x0100);
			fake_send(f, dw, data, dws * 4);
			fake_drain(f);
			for (unsigned int i = 0; i < 8; i++)
				check(f, ram[8 + i] == (mask >> i & 1 ? data[i] : 0));
		}
	/* a read of no byte is answered with one word and touches no memory */
	sim_tlp_mem(dw, false, 0x7000000, 1, 0, 0, 5, 0x0100);
	fake_send(f, dw, NULL, 0);
	fake_drain(f);
	check(f, f->in_n == 1 && f->in[0].h.len_dw == 1 && f->in[0].h.byte_count == 1 &&
	      f->in[0].h.status == CAIRN_CPL_STATUS_SC);
	check(f, sim_pcie_violations(f->p) == 0);
	fake_free(f);
	free(ram);
}

/* ---- errors ---- */

static unsigned int status_of(struct fake_core *f, unsigned int tag)
{
	for (unsigned int i = 0; i < f->in_n; i++)
		if (f->in[i].h.type == CAIRN_TLP_TYPE_CPL && f->in[i].h.tag == tag)
			return f->in[i].h.status;
	return 99;
}

static void memory_errors(void **state)
{
	struct fake_core *f = fake_new(NULL, 256);
	uint8_t *ro = fake_ram(f, 0x1000, 0x1000, SIM_MEM_READ), data[64] = { 1, 2, 3 };
	uint8_t *wo = fake_ram(f, 0x2000, 0x800, SIM_MEM_WRITE);

	(void)state;
	fake_enable(f);
	sim_pcie_expect(f->p, SIM_TLP_UNMAPPED, true);
	sim_pcie_expect(f->p, SIM_TLP_RIGHTS, true);
	fake_read(f, 0x9000, 64, 1);		/* nothing there */
	fake_read(f, 0x2000, 64, 2);		/* no right */
	fake_read(f, 0x27f0, 32, 3);		/* half there */
	fake_read(f, 0x1000, 64, 4);
	fake_write(f, 0x1000, data, 64);
	fake_write(f, 0x27e0, data, 64);	/* half there: nothing is written */
	fake_drain(f);
	check(f, status_of(f, 1) == CAIRN_CPL_STATUS_UR);
	check(f, status_of(f, 2) == CAIRN_CPL_STATUS_UR);
	check(f, status_of(f, 3) == CAIRN_CPL_STATUS_UR);
	check(f, status_of(f, 4) == CAIRN_CPL_STATUS_SC);
	check(f, !ro[0] && !wo[0x7e0]);
	check(f, sim_pcie_stats(f->p)->dma_errors == 5);
	check(f, sim_pcie_expected_count(f->p, SIM_TLP_UNMAPPED) == 3);
	check(f, sim_pcie_expected_count(f->p, SIM_TLP_RIGHTS) == 2);
	check(f, sim_pcie_violations(f->p) == 0);
	fake_free(f);
	free(ro);
	free(wo);
}

/* What the faulty read of 512 bytes at 0x2000, begun at t0, has brought. */
static void fault_effect(struct fake_core *f, enum sim_pcie_fault fault, uint64_t t0)
{
	uint8_t got[512];

	switch (fault) {
	case SIM_FAULT_UR:
		check(f, f->in[1].h.status == CAIRN_CPL_STATUS_UR && f->in[1].bytes == 0);
		break;
	case SIM_FAULT_CA:
		check(f, f->in[1].h.status == CAIRN_CPL_STATUS_CA && f->in[1].bytes == 0);
		break;
	case SIM_FAULT_POISON:
		check(f, f->in[1].h.ep && !f->in[2].h.ep);
		break;
	case SIM_FAULT_ONES:
		check(f, fake_collect(f, 1, 0x2000, got) == 512);
		check(f, got[127] == 0x5a && got[128] == 0xff && got[511] == 0xff);
		break;
	case SIM_FAULT_LATE:
		check(f, f->in[0].t >= t0 + 5600);
		check(f, fake_collect(f, 1, 0x2000, got) == 512);
		break;
	default:
		break;
	}
}

/* Each kind of injected fault, from the second completion of a 512-byte read on. */
static void faults(void **state)
{
	struct sim_pcie_cfg cfg;
	struct fake_core *f;
	uint8_t *ram, got[512];
	uint64_t t0;

	(void)state;
	sim_pcie_cfg_default(&cfg, 128, CLK_NS);
	cfg.mps = 128;
	f = fake_new(&cfg, 128);
	ram = fake_ram(f, 0, RAM, RW);
	fake_enable(f);
	memset(ram, 0x5a, RAM);
	for (int k = SIM_FAULT_UR; k <= SIM_FAULT_LATE; k++) {
		const struct sim_pcie_fault_rule rule = {
			.fault = (enum sim_pcie_fault)k, .first = 0x2000, .last = 0x21ff, .skip = 1,
			.count = 1, .piece = 1, .delay_ns = 5000,
		};
		int id = sim_pcie_fault_add(f->p, &rule);

		f->in_n = 0;
		fake_read(f, 0x2000, 512, 1);		/* skipped */
		fake_drain(f);
		check(f, fake_collect(f, 1, 0x2000, got) == 512);
		f->in_n = 0;
		fake_read(f, 0x2200, 512, 1);		/* elsewhere */
		fake_drain(f);
		check(f, fake_collect(f, 1, 0x2200, got) == 512);
		f->in_n = 0;
		t0 = f->now;
		fake_read(f, 0x2000, 512, 1);		/* hit */
		fake_drain(f);
		check(f, sim_pcie_fault_hits(f->p, id) == 1);
		check(f, f->in_n == (k == SIM_FAULT_DROP ? 1 : k <= SIM_FAULT_CA ? 2 : 4));
		check(f, f->in[0].h.status == CAIRN_CPL_STATUS_SC && !f->in[0].h.ep);
		fault_effect(f, (enum sim_pcie_fault)k, t0);
		f->in_n = 0;
		fake_read(f, 0x2000, 512, 1);		/* used up; a dropped tag is free again */
		fake_drain(f);
		check(f, fake_collect(f, 1, 0x2000, got) == 512);
		sim_pcie_fault_clear(f->p);
	}
	sim_pcie_stray_completion(f->p, 77, 4);
	f->in_n = 0;
	fake_drain(f);
	check(f, f->in_n == 1 && f->in[0].h.tag == 77 && f->in[0].bytes == 16);
	for (unsigned int i = 0; i < 16; i++)
		check(f, sim_pcie_fault_add(f->p, &(struct sim_pcie_fault_rule){ 0 }) >= 0);
	check(f, sim_pcie_fault_add(f->p, &(struct sim_pcie_fault_rule){ 0 }) == -ENOSPC);
	check(f, sim_pcie_violations(f->p) == 0);
	fake_free(f);
	free(ram);
}

static void quiet(void *arg, const char *text)
{
	(void)text;
	++*(unsigned int *)arg;
}

static void bad_configuration(void **state)
{
	struct sim_pcie_ports ports = { .data_w = 64 };
	struct sim_pcie_cfg good, cfg;
	unsigned int told = 0;

	(void)state;
	sim_pcie_cfg_default(&good, 64, 8);
	good.report = quiet;
	good.report_arg = &told;
	for (unsigned int i = 0; i < 7; i++) {
		cfg = good;
		ports.data_w = i == 0 ? 96 : 64;
		cfg.mps = i == 1 ? 100 : 256;
		cfg.mrrs = i == 2 ? 8192 : 512;
		cfg.rcb = i == 3 ? 32 : 64;
		cfg.n_tags = i == 4 ? 2000 : 256;
		cfg.up_rate = i == 5 ? 0 : 1000;
		cfg.posted_credits = i == 6 ? 0 : 1;
		assert_null(sim_pcie_new(&cfg, &ports, NULL));
		assert_int_equal(errno, EINVAL);
		assert_int_equal(told, i + 1);
	}
}

/* What a host is like, in words: each changes what it names and nothing else. */
static void host_words(void **state)
{
	static const char *const wrong[][2] = {
		{ "", "" },
		{ "no-relaxed,", "" },
		{ "mps=96", "mps=96" },
		{ "mps=128,mrrs=8192,rcb=64", "mrrs=8192" },
		{ "rcb=32", "rcb=32" },
		{ "rtt-ns=-1", "rtt-ns=-1" },
		{ "rtt-ns=1ms", "rtt-ns=1ms" },
		{ "split=all", "split=all" },
		{ "no-ext-tags", "no-ext-tags" },
	};
	struct sim_pcie_cfg cfg, want;
	char word[64];

	(void)state;
	sim_pcie_cfg_default(&cfg, 64, 8);
	want = cfg;
	assert_true(sim_pcie_cfg_host(&cfg,
				      "no-ext-tag,no-relaxed,mps=128,mrrs=1024,rcb=128,"
				      "split=rcb,rtt-ns=1500",
				      word, sizeof(word)));
	want.no_ext_tag = want.no_relaxed = true;
	want.mps = want.rcb = 128;
	want.mrrs = 1024;
	want.split = SIM_SPLIT_RCB;
	want.read_rtt_ns = 1500;
	assert_memory_equal(&cfg, &want, sizeof(cfg));
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_false(sim_pcie_cfg_host(&cfg, wrong[i][0], word, sizeof(word)));
		assert_string_equal(word, wrong[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits), cmocka_unit_test(pieces), cmocka_unit_test(stress),
		cmocka_unit_test(latency), cmocka_unit_test(rates), cmocka_unit_test(back_pressure),
		cmocka_unit_test(holes), cmocka_unit_test(memory_errors), cmocka_unit_test(faults),
		cmocka_unit_test(bad_configuration), cmocka_unit_test(host_words),
	};

	return cmocka_run_group_tests_name("sim_pcie", tests, NULL, NULL);
}
