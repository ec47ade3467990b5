// SPDX-License-Identifier: Apache-2.0
/*
 * Root complex, order: what PCI Express promises is kept with all freedom used, and the freedom
 * that it leaves is really used, so that a core that relies on more is found out.
 */
#include <stdlib.h>
#include <string.h>

#include "cairn_hw.h"
#include "fake_core.h"

#define RAM 0x10000u
#define RW (SIM_MEM_READ | SIM_MEM_WRITE)

static struct fake_core *stressed(uint8_t **ram)
{
	struct sim_pcie_cfg cfg;
	struct fake_core *f;

	sim_pcie_cfg_stress(&cfg, 128, CLK_NS);
	f = fake_new(&cfg, 128);
	*ram = fake_ram(f, 0, RAM, RW);
	fake_enable(f);
	return f;
}

static uint32_t word(const uint8_t *ram, unsigned int off)
{
	uint32_t v;

	memcpy(&v, ram + off, 4);
	return v;
}

/* Payload, then a counter: whenever the counter is seen, so is its payload. */
static void writes_in_order(void **state)
{
	uint8_t *ram, data[256];
	struct fake_core *f = stressed(&ram);
	uint32_t seen = 0;

	(void)state;
	for (uint32_t i = 1; i <= 500; i++) {
		for (unsigned int k = 0; k < 256; k += 4)
			memcpy(data + k, &i, 4);
		fake_write(f, i % 8 * 0x100, data, (unsigned int)rng_range(&f->rng, 1, 64) * 4);
		fake_write(f, 0x8000, &i, 4);
	}
	while (f->out_n || !sim_pcie_idle(f->p)) {
		fake_cycle(f);
		if (word(ram, 0x8000) == seen)
			continue;
		/* one at a time may be missed only if several became visible in one cycle */
		check(f, word(ram, 0x8000) > seen);
		seen = word(ram, 0x8000);
		check(f, word(ram, seen % 8 * 0x100) >= seen);
	}
	check(f, seen == 500);
	fake_free(f);
	free(ram);
}

/* A read sees every write that was sent before it, in all sampling modes. */
static void read_after_write(void **state)
{
	uint8_t *ram;
	struct fake_core *f = stressed(&ram);
	uint32_t got;

	(void)state;
	for (uint32_t i = 1; i <= 200; i++) {
		uint64_t at = 0x1000 + rng_below(&f->rng, 16) * 4;

		f->in_n = 0;
		fake_write(f, at, &i, 4);
		fake_read(f, at, 4, i % 200);
		fake_drain(f);
		check(f, fake_collect(f, i % 200, at, &got) == 4);
		check(f, got == i);
	}
	check(f, sim_pcie_violations(f->p) == 0);
	fake_free(f);
	free(ram);
}

/*
 * The write is sent after the read: a core that forgot to order them reads old data when sampled
 * early and new when late.  A read of eight lines sampled late may even see half.
 */
static void sampling(void **state)
{
	unsigned int old_seen[3] = { 0 }, new_seen[3] = { 0 }, mixed[3] = { 0 };

	(void)state;
	for (unsigned int mode = 0; mode < 3; mode++)
		for (unsigned int i = 0; i < 60; i++) {
			struct sim_pcie_cfg cfg;
			struct fake_core *f;
			uint8_t *ram, got[512], ones[256];

			sim_pcie_cfg_default(&cfg, 64, CLK_NS);
			cfg.sample = (enum sim_pcie_sample)mode;
			cfg.split = SIM_SPLIT_RCB;
			cfg.seed = i;
			f = fake_new(&cfg, 64);
			ram = fake_ram(f, 0, RAM, RW);
			fake_enable(f);
			memset(ones, 1, sizeof(ones));
			fake_read(f, 0, 512, 9);
			fake_run(f, 5 + 3 * i);
			fake_write(f, 0, ones, 256);
			fake_write(f, 256, ones, 256);
			fake_drain(f);
			check(f, fake_collect(f, 9, 0, got) == 512);
			for (unsigned int k = 1; k < 64; k++)	/* a line is never torn */
				check(f, got[k] == got[0]);
			if (got[0] != got[511])
				mixed[mode]++;
			else if (got[0])
				new_seen[mode]++;
			else
				old_seen[mode]++;
			fake_free(f);
			free(ram);
		}
	assert_int_equal(old_seen[SIM_SAMPLE_EARLY], 60);
	assert_true(new_seen[SIM_SAMPLE_LATE] > 0 && mixed[SIM_SAMPLE_LATE] > 0);
	assert_true(old_seen[SIM_SAMPLE_RANDOM] && new_seen[SIM_SAMPLE_RANDOM]);
}

/*
 * A relaxed write may overtake the one before it, but no read overtakes it, and nothing overtakes
 * an ordinary write that follows it.
 */
static void relaxed(void **state)
{
	struct sim_pcie_cfg cfg;
	struct fake_core *f;
	uint8_t *ram;
	unsigned int overtaken = 0;

	(void)state;
	sim_pcie_cfg_default(&cfg, 128, CLK_NS);
	cfg.relax_pct = 50;
	cfg.posted_jitter_ns = 100;
	f = fake_new(&cfg, 128);
	ram = fake_ram(f, 0, RAM, RW);
	fake_enable(f);
	for (uint32_t i = 1; i <= 100; i++) {
		struct fake_tlp *t;
		uint32_t got;

		f->in_n = 0;
		fake_write(f, 0, &i, 4);
		if (i % 3 == 1)
			fake_read(f, 0, 4, 1);
		t = fake_write(f, 4, &i, 4);
		sim_tlp_set(t->dw, CAIRN_TLP_MEM_ATTR, 2);
		if (i % 3 == 0)
			fake_read(f, 4, 4, 1);
		fake_write(f, 8, &i, 4);
		while (f->out_n || !sim_pcie_idle(f->p)) {
			fake_cycle(f);
			overtaken += word(ram, 4) == i && word(ram, 0) != i;
			check(f, word(ram, 8) != i || (word(ram, 4) == i && word(ram, 0) == i));
		}
		if (i % 3 != 2)
			check(f, fake_collect(f, 1, i % 3 ? 0 : 4, &got) == 4 && got == i);
	}
	check(f, overtaken > 10);
	check(f, sim_pcie_violations(f->p) == 0);
	fake_free(f);
	free(ram);
}

/*
 * Many relaxed writes, with a long and with a nearly empty queue: all arrive, ordinary ones never
 * before what was sent earlier.
 */
static void relaxed_stream(void **state)
{
	(void)state;
	for (unsigned int rtt = 8; rtt <= 600; rtt += rtt < 40 ? 8 : 280) {
		struct sim_pcie_cfg cfg;
		struct fake_core *f;
		uint8_t *ram;

		sim_pcie_cfg_default(&cfg, 128, CLK_NS);
		cfg.relax_pct = 50;
		cfg.read_rtt_ns = rtt;
		cfg.buffer = rtt < 40 ? 0 : 1024;
		f = fake_new(&cfg, 128);
		ram = fake_ram(f, 0, RAM, RW);
		fake_enable(f);
		for (uint32_t i = 1; i <= 400; i++) {
			sim_tlp_set(fake_write(f, 0, &i, 4)->dw, CAIRN_TLP_MEM_ATTR, i % 3 ? 2 : 0);
			sim_tlp_set(fake_write(f, 16 * i, &i, 4)->dw, CAIRN_TLP_MEM_ATTR, 2);
			fake_write(f, 8, &i, 4);
		}
		while (f->out_n || !sim_pcie_idle(f->p)) {
			fake_cycle(f);
			check(f, word(ram, 0) >= word(ram, 8));
			check(f, !word(ram, 8) || word(ram, 16 * word(ram, 8)) == word(ram, 8));
		}
		check(f, word(ram, 0) == 400 && word(ram, 8) == 400);
		fake_free(f);
		free(ram);
	}
}

/* Reads of different tags overtake each other and interleave; with no freedom they do not. */
static void completions(void **state)
{
	(void)state;
	for (unsigned int free_ = 0; free_ < 2; free_++) {
		struct sim_pcie_cfg cfg;
		struct fake_core *f;
		unsigned int overtakes = 0, interleaves = 0;
		uint8_t *ram;

		if (free_)
			sim_pcie_cfg_stress(&cfg, 256, CLK_NS);
		else
			sim_pcie_cfg_default(&cfg, 256, CLK_NS);
		f = fake_new(&cfg, 256);
		ram = fake_ram(f, 0, RAM, RW);
		fake_enable(f);
		for (unsigned int t = 0; t < 100; t++)
			fake_read(f, t * 512, 512, t);
		fake_drain(f);
		for (unsigned int i = 1; i < f->in_n; i++) {
			overtakes += f->in[i].h.tag < f->in[i - 1].h.tag;
			/* left and came back to */
			for (unsigned int k = i; k-- && f->in[i].h.tag != f->in[i - 1].h.tag;)
				if (f->in[k].h.tag == f->in[i].h.tag) {
					interleaves++;
					break;
				}
		}
		check(f, free_ ? overtakes > 10 && interleaves > 10 : !overtakes && !interleaves);
		fake_free(f);
		free(ram);
	}
}

/* The core's interrupt and its answers to BAR reads push its earlier writes ahead. */
struct pushed {
	struct fake_core *f;
	const uint8_t *ram;
	uint32_t want;
	unsigned int hits;
};

static void pushed_irq(void *arg, unsigned int vector)
{
	struct pushed *x = arg;

	x->hits++;
	check(x->f, vector == 5 && word(x->ram, 0x40) == x->want);
}

static void pushed_read(struct sim_pcie_read *r)
{
	struct pushed *x = r->arg;

	x->hits++;
	check(x->f, r->status == 0 && word(x->ram, 0x44) == x->want);
}

static void messages_push(void **state)
{
	uint8_t *ram;
	struct fake_core *f = stressed(&ram);
	struct pushed x = { .f = f, .ram = ram };
	const uint32_t vector = 5;
	uint64_t got;
	struct sim_pcie_read r = { .bar = 0, .off = 8, .size = 8, .buf = &got, .done = pushed_read,
				   .arg = &x };

	(void)state;
	f->auto_answer = true;
	sim_pcie_set_irq(f->p, pushed_irq, &x);
	sim_pcie_irq_enable(f->p, 0, 8);
	fake_drain(f);
	for (x.want = 1; x.want <= 100; x.want++) {
		fake_write(f, 0x40, &x.want, 4);
		fake_write(f, SIM_PCIE_IRQ_BASE + 4 * vector, &vector, 4);
		fake_write(f, 0x44, &x.want, 4);
		/* the answer is queued behind that write */
		assert_int_equal(sim_pcie_mmio_read(f->p, &r), 0);
		fake_drain(f);
		check(f, x.hits == 2 * x.want && got == bar_value(8));
	}
	check(f, sim_pcie_violations(f->p) == 0);
	fake_free(f);
	free(ram);
}

/* BAR writes stay in order and pass blocked reads; reads and completions do not pass them. */
static void bar_order(void **state)
{
	struct fake_core *f = fake_new(NULL, 64);
	uint8_t *ram = fake_ram(f, 0, RAM, RW);
	struct sim_pcie_read r[12];
	uint64_t got[12], v;
	unsigned int i, reads = 0;

	(void)state;
	fake_enable(f);
	for (i = 0; i < 12; i++) {
		v = i;
		assert_int_equal(sim_pcie_mmio_write(f->p, 0, 0x10, &v, 8), 0);
		r[i] = (struct sim_pcie_read){ .bar = 0, .off = 8 * i, .size = 8, .buf = &got[i] };
		assert_int_equal(sim_pcie_mmio_read(f->p, &r[i]), 0);
	}
	fake_run(f, 300);
	/* eight reads are out unanswered, every write has come */
	check(f, f->in_n == 20);
	for (i = 0, v = 0; i < f->in_n; i++) {
		uint32_t data = word(f->in[i].data, 0);

		if (f->in[i].h.has_data) {
			check(f, data == v++);
		} else {
			check(f, f->in[i].h.addr == 8 * reads && v > reads);
			reads++;
		}
	}
	check(f, v == 12 && reads == 8);
	fake_free(f);
	free(ram);
}

static void no_passing(void **state)
{
	uint8_t *ram;
	struct fake_core *f = stressed(&ram);

	(void)state;
	/* a completion that becomes ready while writes are queued comes after them */
	for (unsigned int round = 0; round < 50; round++) {
		unsigned int last_write = 0, first_cpl = 0;
		uint64_t v = round;

		f->in_n = 0;
		fake_read(f, 0x100, 64, 1);
		fake_run(f, (unsigned int)rng_below(&f->rng, 120));
		if (f->in_n) {		/* too late in this round */
			fake_drain(f);
			continue;
		}
		for (unsigned int i = 0; i < 5; i++)
			assert_int_equal(sim_pcie_mmio_write(f->p, 2, 0, &v, 8), 0);
		fake_drain(f);
		for (unsigned int i = 0; i < f->in_n; i++)
			if (f->in[i].h.has_data && f->in[i].h.type == CAIRN_TLP_TYPE_MEM)
				last_write = i;
			else if (!first_cpl)
				first_cpl = i;
		check(f, first_cpl > last_write && last_write == 4);
	}
	fake_free(f);
	free(ram);
}

/* ---- one seed, one run ---- */

static uint64_t digest(uint64_t seed)
{
	struct sim_pcie_cfg cfg;
	struct fake_core *f;
	uint64_t h = 14695981039346656037ull;
	uint8_t *ram, data[64] = { 0 };

	sim_pcie_cfg_stress(&cfg, 512, CLK_NS);
	cfg.seed = seed;
	f = fake_new(&cfg, 512);
	ram = fake_ram(f, 0, RAM, RW);
	fake_enable(f);
	for (unsigned int t = 0; t < 200; t++) {
		fake_read(f, t * 64, 256, t);
		fake_write(f, t * 64, data, 64);
	}
	fake_drain(f);
	for (unsigned int i = 0; i < f->in_n; i++)
		h = (h ^ f->in[i].t ^ (uint64_t)f->in[i].h.tag << 32 ^ f->in[i].h.byte_count) *
		    1099511628211ull;
	fake_free(f);
	free(ram);
	return h;
}

static void determinism(void **state)
{
	(void)state;
	assert_int_equal(digest(1), digest(1));
	assert_int_not_equal(digest(1), digest(2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_in_order), cmocka_unit_test(read_after_write),
		cmocka_unit_test(sampling),        cmocka_unit_test(relaxed),
		cmocka_unit_test(relaxed_stream),  cmocka_unit_test(completions),
		cmocka_unit_test(messages_push),   cmocka_unit_test(bar_order),
		cmocka_unit_test(no_passing),      cmocka_unit_test(determinism),
	};

	return cmocka_run_group_tests_name("sim_pcie_order", tests, NULL, NULL);
}
