// SPDX-License-Identifier: Apache-2.0
/*
 * TLP monitor: each rule is broken once, alone, and must be reported under its name and no other;
 * legal traffic must not be.  The rules of framing and hold are broken on the ports directly.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn_hw.h"
#include "fake_core.h"

#define RAM 0x10000u
#define RW (SIM_MEM_READ | SIM_MEM_WRITE)
#define HIGH (1ull << 40)

static struct fake_core *f;
static uint8_t *low, *high;
static const uint8_t data[4096];

static int setup(void **state)
{
	(void)state;
	f = fake_new(NULL, 64);
	low = fake_ram(f, 0, RAM, RW);
	high = fake_ram(f, HIGH, RAM, RW);
	fake_enable(f);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fake_free(f);
	free(low);
	free(high);
	return 0;
}

static void set(uint32_t dw[4], unsigned int offset, unsigned int width, uint32_t v)
{
	uint32_t mask = (uint32_t)((1ull << width) - 1) << (32 - offset % 32 - width);

	dw[offset / 32] &= ~mask;
	sim_tlp_set(dw, offset, width, v);
}

static void send(const uint32_t dw[4])
{
	struct sim_tlp_hdr h;

	sim_tlp_decode(&h, dw);
	fake_send(f, dw, data, h.has_data ? h.len_dw * 4u : 0);
}

/* Exactly this rule, this often. */
static void expect(enum sim_tlp_rule rule, unsigned int n)
{
	if (f->out_n)
		fake_drain(f);
	else
		fake_run(f, 400);
	for (unsigned int r = 0; r < SIM_TLP_N_RULES; r++)
		if (sim_pcie_violation_count(f->p, r) != (r == rule ? n : 0)) {
			print_error("%s counted %u, expected %u\n%s", sim_tlp_rule_name(r),
				    (unsigned int)sim_pcie_violation_count(f->p, r),
				    r == rule ? n : 0, f->report);
			fail();
		}
	check(f, sim_pcie_violations(f->p) == n);
	check(f, !n || strstr(f->report, sim_tlp_rule_text(rule)));
}

static void write_hdr(uint32_t dw[4], uint64_t addr, unsigned int dws)
{
	sim_tlp_mem(dw, true, addr, dws, 0xf, dws > 1 ? 0xf : 0, 0, 0x0100);
}

static void read_hdr(uint32_t dw[4], uint64_t addr, unsigned int dws, unsigned int tag)
{
	sim_tlp_mem(dw, false, addr, dws, 0xf, dws > 1 ? 0xf : 0, tag, 0x0100);
}

static void legal(void **state)
{
	uint32_t dw[4];

	(void)state;
	fake_write(f, HIGH + 0xf00, data, 256);		/* up to the page's end */
	fake_read(f, 0xe00, 512, 255);
	write_hdr(dw, 0, 2);				/* a quadword with holes */
	set(dw, CAIRN_TLP_MEM_FBE, 0x5);
	set(dw, CAIRN_TLP_MEM_LBE, 0xa);
	send(dw);
	write_hdr(dw, 0, 4);
	set(dw, CAIRN_TLP_MEM_ATTR, 3);			/* relaxed, no snoop: enabled by default */
	send(dw);
	fake_drain(f);
	check(f, sim_pcie_violations(f->p) == 0 && !f->report[0]);
}

static void format(void **state)
{
	uint32_t dw[4];

	(void)state;
	write_hdr(dw, 0, 1);
	set(dw, CAIRN_TLP_MEM_TYPE, 4);		/* configuration */
	send(dw);
	read_hdr(dw, 0, 1, 1);
	set(dw, CAIRN_TLP_MEM_FMT, 4);		/* prefix */
	send(dw);
	expect(SIM_TLP_FMT, 2);
}

static void fields(void **state)
{
	uint32_t dw[4];
	unsigned int n = 0;

	(void)state;
#define ONE(field, v)                            \
	do {                                     \
		write_hdr(dw, 0, 1);             \
		set(dw, CAIRN_TLP_MEM_##field, v); \
		send(dw);                        \
		n++;                             \
	} while (0)
	ONE(TC, 1);
	ONE(ATTR2, 1);
	ONE(LN, 1);
	ONE(TH, 1);
	ONE(TD, 1);
	ONE(AT, 2);
#undef ONE
	write_hdr(dw, 0, 1);
	dw[3] = 1;			/* a 3-DW header has no fourth word */
	send(dw);
	expect(SIM_TLP_FIELDS, n + 1);
}

static void attributes(void **state)
{
	const uint16_t off = 0;
	uint32_t dw[4];

	(void)state;
	assert_int_equal(sim_pcie_cfg_write(f->p, 0x78, &off, 2), 0);	/* DEVCTL; MPS 128 too */
	fake_run(f, 100);
	for (unsigned int a = 1; a <= 2; a++) {
		write_hdr(dw, 0, 1);
		set(dw, CAIRN_TLP_MEM_ATTR, a);
		send(dw);
	}
	expect(SIM_TLP_ATTR, 2);
}

static void extended_tags(void **state)
{
	const uint16_t off = 1u << 4;
	uint32_t dw[4];

	(void)state;
	assert_int_equal(sim_pcie_cfg_write(f->p, 0x78, &off, 2), 0); /* DEVCTL */
	fake_run(f, 100);
	check(f, !f->s.ext_tag && f->s.relaxed);
	fake_read(f, 0, 4, 31);
	read_hdr(dw, 0, 1, 32);
	send(dw);
	expect(SIM_TLP_EXT_TAG, 1);
}

static void requester(void **state)
{
	uint32_t dw[4];

	(void)state;
	write_hdr(dw, 0, 1);
	set(dw, CAIRN_TLP_MEM_REQID, 0x0101);
	send(dw);
	expect(SIM_TLP_REQID, 1);
}

static void address_form(void **state)
{
	uint32_t dw[4];

	(void)state;
	write_hdr(dw, HIGH, 1);
	dw[2] = 0;			/* 4-DW header below 4 GiB */
	send(dw);
	read_hdr(dw, 0, 1, 1);
	dw[2] |= 2;			/* not a word address */
	send(dw);
	expect(SIM_TLP_ADDR_FORM, 2);
}

static void page_crossing(void **state)
{
	uint32_t dw[4];

	(void)state;
	write_hdr(dw, 0xffc, 2);
	send(dw);
	read_hdr(dw, HIGH + 0x1fc0, 32, 1);
	send(dw);
	expect(SIM_TLP_CROSS_4K, 2);
}

static void payload_size(void **state)
{
	uint32_t dw[4];

	(void)state;
	write_hdr(dw, 0, 65);
	send(dw);
	expect(SIM_TLP_MPS, 1);
}

static void read_size(void **state)
{
	uint32_t dw[4];

	(void)state;
	read_hdr(dw, 0, 129, 1);
	send(dw);
	read_hdr(dw, 0, 0, 2);		/* 0 means 1024 */
	set(dw, CAIRN_TLP_MEM_LBE, 0xf);
	send(dw);
	expect(SIM_TLP_MRRS, 2);
}

static void byte_enables(void **state)
{
	static const struct { unsigned int dws, fbe, lbe, addr; } bad[] = {
		{ 1, 0xf, 0x1, 0 }, { 2, 0x0, 0xf, 0 }, { 2, 0xf, 0x0, 0 }, { 2, 0x5, 0xf, 4 },
		{ 3, 0x7, 0xf, 0 }, { 3, 0xf, 0xe, 0 }, { 4, 0xa, 0xf, 8 },
	};
	uint32_t dw[4];

	(void)state;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		sim_tlp_mem(dw, true, bad[i].addr, bad[i].dws, bad[i].fbe, bad[i].lbe, 0, 0x0100);
		send(dw);
	}
	expect(SIM_TLP_BYTE_ENABLE, sizeof(bad) / sizeof(bad[0]));
}

static void length(void **state)
{
	uint32_t dw[4];

	(void)state;
	write_hdr(dw, 0, 8);
	fake_send(f, dw, data, 24);	/* a beat short */
	write_hdr(dw, 0, 8);
	fake_send(f, dw, data, 48);	/* two too long */
	write_hdr(dw, 0x100, 1);	/* and sound again after that */
	fake_send(f, dw, "good", 4);
	expect(SIM_TLP_LENGTH, 2);
	check(f, !memcmp(low + 0x100, "good", 4));
}

/* Write the ports by hand for one cycle. */
static void beat(const uint32_t dw[4], bool sop, bool last)
{
	sim_pcie_pre(f->p, f->now);
	sim_tlp_to_port(f->s.tx_hdr, dw);
	f->s.tx_valid = 1;
	f->s.tx_sop = sop;
	f->s.tx_last = last;
	f->s.rx_ready = 1;
	sim_pcie_post(f->p);
	f->s.tx_valid = 0;
	f->now += CLK_NS;
}

static void framing(void **state)
{
	uint32_t dw[4], other[4];

	(void)state;
	write_hdr(dw, 0, 4);
	write_hdr(other, 0x40, 4);
	beat(dw, false, false);		/* no sop: everything up to last is skipped */
	beat(dw, false, true);
	expect(SIM_TLP_FRAMING, 1);
	beat(dw, true, false);
	beat(other, false, true);	/* another header */
	expect(SIM_TLP_FRAMING, 2);
	beat(dw, true, false);
	beat(other, true, false);	/* sop inside: the new TLP counts */
	beat(other, false, true);
	expect(SIM_TLP_FRAMING, 3);
	check(f, sim_pcie_stats(f->p)->wr_tlps == 2);
}

/* One cycle of a TLP offered by hand; true when it was taken. */
static bool offer(bool valid, const uint32_t dw[4], bool last, uint8_t byte)
{
	sim_pcie_pre(f->p, f->now);
	sim_tlp_to_port(f->s.tx_hdr, dw);
	memset(f->s.tx_data, byte, 8);
	f->s.tx_valid = valid;
	f->s.tx_sop = 1;
	f->s.tx_last = last;
	sim_pcie_post(f->p);
	f->now += CLK_NS;
	if (f->s.tx_ready)
		f->s.tx_valid = 0;
	return valid && f->s.tx_ready;
}

/* A TLP waits on a slow link and is changed meanwhile; changing it back is a second violation. */
static void hold(void **state)
{
	static const unsigned int violations[] = { 0, 1, 2, 2, 2, 0 };
	struct sim_pcie_cfg cfg;
	uint32_t dw[4], other[4];
	unsigned int sum = 0;

	teardown(state);
	sim_pcie_cfg_default(&cfg, 64, CLK_NS);
	cfg.up_rate = 100;
	cfg.buffer = 0;
	f = fake_new(&cfg, 64);
	low = fake_ram(f, 0, RAM, RW);
	high = fake_ram(f, HIGH, RAM, RW);
	fake_enable(f);
	write_hdr(dw, 0, 2);
	write_hdr(other, 8, 2);
	for (unsigned int kind = 0; kind < 6; kind++) {
		assert_true(offer(true, dw, true, 1));
		assert_false(offer(true, dw, true, 1));
		assert_false(offer(true, dw, true, 1));
		/* as it was, withdrawn, another header, flag, data, as it was */
		assert_false(
			offer(kind != 1, kind == 2 ? other : dw, kind != 3, kind == 4 ? 2 : 1));
		while (!offer(true, dw, true, 1))
			;
		sum += violations[kind];
		expect(SIM_TLP_HOLD, sum);
	}
}

static void credit(void **state)
{
	(void)state;
	f->ignore_credit = true;
	sim_pcie_hold_credits(f->p, 1, f->now + 1000);
	fake_run(f, 2);
	fake_write(f, 0, data, 4);
	expect(SIM_TLP_CREDIT, 1);
	sim_pcie_hold_credits(f->p, 2, f->now + 1000);
	fake_run(f, 2);
	fake_read(f, 0, 4, 1);
	expect(SIM_TLP_CREDIT, 2);
}

static void tags(void **state)
{
	uint32_t dw[4];

	(void)state;
	read_hdr(dw, 0, 1, 256);
	send(dw);
	expect(SIM_TLP_TAG_RANGE, 1);
}

static void tag_reuse(void **state)
{
	(void)state;
	fake_read(f, 0, 4, 7);
	fake_read(f, 64, 4, 7);
	expect(SIM_TLP_TAG_REUSE, 1);
	fake_read(f, 0, 4, 7);		/* free by now */
	expect(SIM_TLP_TAG_REUSE, 1);
}

static void unmapped(void **state)
{
	(void)state;
	fake_write(f, HIGH - 4, data, 4);
	fake_read(f, RAM, 8, 1);
	expect(SIM_TLP_UNMAPPED, 2);
}

static void rights(void **state)
{
	uint8_t *ro = fake_ram(f, 0x100000, 0x1000, SIM_MEM_READ);
	uint8_t *wo = fake_ram(f, 0x200000, 0x1000, SIM_MEM_WRITE);

	(void)state;
	fake_write(f, 0x100000, data, 4);
	fake_read(f, 0x200000, 4, 1);
	expect(SIM_TLP_RIGHTS, 2);
	free(ro);
	free(wo);
}

static void bus_master(void **state)
{
	const uint16_t off = 2, on = 6;

	(void)state;
	sim_pcie_cfg_write(f->p, 4, &off, 2);
	fake_write(f, 0, data, 4);	/* it was on its way: a few cycles are allowed */
	fake_drain(f);
	check(f, sim_pcie_violations(f->p) == 0);
	fake_run(f, 20);
	fake_write(f, 0, "late", 4);
	fake_read(f, 0, 4, 1);
	expect(SIM_TLP_BUS_MASTER, 2);
	check(f, low[0] != 'l' && f->in[f->in_n - 1].h.status == CAIRN_CPL_STATUS_UR);
	sim_pcie_cfg_write(f->p, 4, &on, 2);
	fake_write(f, 0, data, 4);
	expect(SIM_TLP_BUS_MASTER, 2);
}

static void after_reset(void **state)
{
	(void)state;
	assert_int_equal(sim_pcie_flr(f->p, NULL, NULL), 0);
	fake_write(f, 0, data, 4);	/* before it is done: may still come */
	fake_drain(f);
	check(f, sim_pcie_violations(f->p) == 0 && !sim_pcie_in_flr(f->p));
	fake_write(f, 0, data, 4);
	fake_read(f, 0, 4, 1);
	expect(SIM_TLP_FLR, 2);
	fake_enable(f);
	fake_write(f, 0, data, 4);
	expect(SIM_TLP_FLR, 2);
}

static void interrupts(void **state)
{
	uint32_t v = 3, w = 4;

	(void)state;
	sim_pcie_irq_enable(f->p, 0, 4);
	fake_drain(f);
	fake_write(f, SIM_PCIE_IRQ_BASE + 4 * v, &v, 4);
	fake_drain(f);
	check(f, f->irq_count[3] == 1 && sim_pcie_violations(f->p) == 0);
	fake_write(f, SIM_PCIE_IRQ_BASE + 4 * v, &w, 4);	/* wrong data */
	fake_write(f, SIM_PCIE_IRQ_BASE + 4 * w, &w, 4);	/* never programmed */
	fake_write(f, SIM_PCIE_IRQ_BASE + 0x1000, &v, 4);	/* no vector */
	fake_write(f, SIM_PCIE_IRQ_BASE + 4 * v, &v, 3);	/* not a whole word */
	fake_write(f, SIM_PCIE_IRQ_BASE + 8, data, 8);		/* two */
	sim_pcie_irq_disable(f->p, 3, 1);
	fake_drain(f);
	fake_write(f, SIM_PCIE_IRQ_BASE + 4 * v, &v, 4);	/* masked just now: kept */
	expect(SIM_TLP_IRQ, 5);
	check(f, f->irq_count[3] == 1);
	fake_run(f, 2000);
	fake_write(f, SIM_PCIE_IRQ_BASE + 4 * v, &v, 4);	/* masked long ago */
	expect(SIM_TLP_IRQ, 6);
}

static void poison(void **state)
{
	uint32_t dw[4];

	(void)state;
	write_hdr(dw, 0, 1);
	set(dw, CAIRN_TLP_MEM_EP, 1);
	send(dw);
	expect(SIM_TLP_POISON, 1);
}

static void completion_unexpected(void **state)
{
	uint32_t dw[4];

	(void)state;
	sim_tlp_cpl(dw, CAIRN_CPL_STATUS_SC, 1, 4, 0, 3, 0, 0x0100);
	send(dw);
	expect(SIM_TLP_CPL_UNEXPECTED, 1);
}

/* A BAR read answered wrongly in one respect; the reader gets an error. */
static void completion_form(void **state)
{
	(void)state;
	for (unsigned int wrong = 0; wrong < 6; wrong++) {
		uint64_t got = 0;
		struct sim_pcie_read r = { .bar = 0, .off = 8, .size = 8, .buf = &got };
		uint32_t dw[4];
		unsigned int tag, dws = wrong == 0 ? 1 : 2;

		f->in_n = 0;
		assert_int_equal(sim_pcie_mmio_read(f->p, &r), 0);
		while (!f->in_n)
			fake_cycle(f);
		tag = f->in[0].h.tag;
		sim_tlp_cpl(dw, wrong == 1 ? CAIRN_CPL_STATUS_CRS : CAIRN_CPL_STATUS_SC,
			    wrong == 2 ? 0 : dws, wrong == 3 ? 4 : 8, wrong == 4 ? 0 : 8, tag,
			    wrong == 5 ? 1 : 0, 0x0100);
		send(dw);
		while (r.status == -EINPROGRESS)
			fake_cycle(f);
		check(f, r.status == -EIO && got == UINT64_MAX);
		expect(SIM_TLP_CPL_FORM, wrong + 1);
	}
}

static void completion_timeout(void **state)
{
	uint32_t got = 0;
	struct sim_pcie_read r = { .bar = 0, .off = 0, .size = 4, .buf = &got };
	uint64_t t0 = f->now;

	(void)state;
	assert_int_equal(sim_pcie_mmio_read(f->p, &r), 0);
	while (r.status == -EINPROGRESS)
		fake_cycle(f);
	check(f, r.status == -ETIMEDOUT && got == 0xffffffff);
	check(f, f->now - t0 >= 200000 && f->now - t0 < 201000);
	expect(SIM_TLP_CPL_TIMEOUT, 1);
}

static void reset_timeout(void **state)
{
	(void)state;
	f->hold_flr = true;
	assert_int_equal(sim_pcie_flr(f->p, NULL, NULL), 0);
	check(f, !sim_pcie_idle(f->p));
	fake_run(f, 5000);
	check(f, sim_pcie_idle(f->p) && sim_pcie_next_event(f->p) != SIM_PCIE_NEVER);
	f->now = sim_pcie_next_event(f->p);
	expect(SIM_TLP_FLR_TIMEOUT, 1);
	check(f, !sim_pcie_in_flr(f->p) && !f->s.flr);
}

/* Expected ones are not printed and do not count. */
static void expected(void **state)
{
	(void)state;
	sim_pcie_expect(f->p, SIM_TLP_UNMAPPED, true);
	fake_read(f, RAM, 4, 1);
	fake_drain(f);
	check(f, sim_pcie_violations(f->p) == 0 && !f->report[0]);
	check(f, sim_pcie_expected_count(f->p, SIM_TLP_UNMAPPED) == 1);
}

/* A broken core does not flood the terminal; the log shows what passed last. */
static void reports(void **state)
{
	char text[65536] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	(void)state;
	for (unsigned int i = 0; i < 200; i++)
		fake_write(f, RAM, data, 4);
	fake_drain(f);
	check(f, sim_pcie_violations(f->p) == 200);
	assert_non_null(out);
	sim_pcie_dump_log(f->p, out);
	fclose(out);
	check(f, strstr(text, "< MWr 3DW 0x10000 1 DW be f/0"));
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(legal),
		T(format),
		T(fields),
		T(attributes), T(extended_tags),
		T(requester),
		T(address_form),
		T(page_crossing),
		T(payload_size),
		T(read_size),
		T(byte_enables),
		T(length),
		T(framing),
		T(hold),
		T(credit),
		T(tags),
		T(tag_reuse),
		T(unmapped),
		T(rights),
		T(bus_master),
		T(after_reset),
		T(interrupts),
		T(poison),
		T(completion_unexpected),
		T(completion_form),
		T(completion_timeout),
		T(reset_timeout),
		T(expected),
		T(reports),
	};

	return cmocka_run_group_tests_name("sim_tlpmon", tests, NULL, NULL);
}
