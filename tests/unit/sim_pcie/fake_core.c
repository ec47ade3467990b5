// SPDX-License-Identifier: Apache-2.0
/* A core in C for the root complex's tests; see fake_core.h. */
#include "fake_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn_hw.h"

static void on_report(void *arg, const char *text)
{
	struct fake_core *f = arg;
	size_t n = strlen(f->report);

	snprintf(f->report + n, sizeof(f->report) - n, "%s\n", text);
}

static void on_irq(void *arg, unsigned int vector)
{
	((struct fake_core *)arg)->irq_count[vector]++;
}

static void wire_ports(struct fake_core *f, unsigned int data_w)
{
	f->ports = (struct sim_pcie_ports){
		.data_w = data_w,
		.rx_valid = &f->s.rx_valid, .rx_sop = &f->s.rx_sop, .rx_last = &f->s.rx_last,
		.rx_hdr = f->s.rx_hdr, .rx_bar = &f->s.rx_bar, .rx_data = f->s.rx_data,
		.rx_ready = &f->s.rx_ready, .tx_ready = &f->s.tx_ready, .credit = &f->s.credit,
		.bme = &f->s.bme, .mps = &f->s.mps, .mrrs = &f->s.mrrs, .reqid = f->s.reqid,
		.ext_tag = &f->s.ext_tag, .relaxed = &f->s.relaxed,
		.msix_en = &f->s.msix_en, .msix_fmask = &f->s.msix_fmask, .flr = &f->s.flr,
		.tx_valid = &f->s.tx_valid, .tx_sop = &f->s.tx_sop, .tx_last = &f->s.tx_last,
		.tx_hdr = f->s.tx_hdr, .tx_data = f->s.tx_data, .flr_done = &f->s.flr_done,
	};
}

struct fake_core *fake_new(const struct sim_pcie_cfg *cfg, unsigned int data_w)
{
	struct fake_core *f = calloc(1, sizeof(*f));
	struct sim_pcie_cfg c;

	assert_non_null(f);
	f->out = calloc(MAX_TLPS, sizeof(*f->out));
	f->in = calloc(MAX_TLPS, sizeof(*f->in));
	f->mem = sim_mem_new();
	f->bw = data_w / 8;
	f->rng.state = test_seed();
	if (cfg)
		c = *cfg;
	else
		sim_pcie_cfg_default(&c, data_w, CLK_NS);
	c.seed ^= test_seed();
	c.report = on_report;
	c.report_arg = f;
	wire_ports(f, data_w);
	f->p = sim_pcie_new(&c, &f->ports, f->mem);
	assert_non_null(f->p);
	sim_pcie_set_irq(f->p, on_irq, f);
	return f;
}

void fake_free(struct fake_core *f)
{
	sim_pcie_free(f->p);
	sim_mem_free(f->mem);
	free(f->out);
	free(f->in);
	free(f);
}

void *fake_ram(struct fake_core *f, uint64_t iova, uint64_t size, unsigned int rights)
{
	void *ram = calloc(1, size);

	assert_non_null(ram);
	assert_int_equal(sim_mem_add_ptr(f->mem, iova, size, rights, ram), 0);
	return ram;
}

uint64_t bar_value(uint64_t off)
{
	return (off / 8 + 1) * 0x9e3779b97f4a7c15ull;
}

static void answer(struct fake_core *f, const struct sim_tlp_hdr *h)
{
	unsigned int first, bytes;
	uint8_t data[16] = { 0 };
	uint32_t dw[4];

	sim_tlp_span(h, &first, &bytes);
	for (unsigned int i = 0; i < bytes; i++) {
		uint64_t at = h->addr + first + i;

		data[first + i] = (uint8_t)(bar_value(at) >> at % 8 * 8);
	}
	sim_tlp_cpl(dw, CAIRN_CPL_STATUS_SC, h->len_dw, bytes, (h->addr + first) & 0x7f, h->tag, 0,
		    f->s.reqid[0] | f->s.reqid[1] << 8);
	fake_send(f, dw, data, h->len_dw * 4u);
}

/* What a core sees at the edge on its receive stream. */
static void receive(struct fake_core *f)
{
	struct fake_tlp *t = &f->in[f->in_n];
	unsigned int total, done, n;

	assert_true(f->in_tlp == !f->s.rx_sop);
	if (f->s.rx_sop) {
		sim_tlp_from_port(t->dw, f->s.rx_hdr);
		sim_tlp_decode(&t->h, t->dw);
		t->bar = f->s.rx_bar;
		t->t = f->now;
		f->in_beat = 0;
		f->in_tlp = true;
	}
	total = t->h.has_data ? t->h.len_dw * 4u : 0;
	done = f->in_beat++ * f->bw;
	n = total - done < f->bw ? total - done : f->bw;
	assert_true(!total || done < total);
	memcpy(t->data + done, f->s.rx_data, total ? n : 0);
	t->bytes = total;
	t->t_last = f->now;
	assert_int_equal(f->s.rx_last, done + f->bw >= total);
	if (!f->s.rx_last)
		return;
	f->in_tlp = false;
	f->in_n++;
	assert_in_range(f->in_n, 0, MAX_TLPS - 1);
	if (f->auto_answer && t->h.type == CAIRN_TLP_TYPE_MEM && !t->h.has_data)
		answer(f, &t->h);
}

static void offer(struct fake_core *f)
{
	struct fake_tlp *t = &f->out[f->out_head % MAX_TLPS];
	unsigned int class, done = f->out_beat * f->bw;

	if (f->s.tx_valid || !f->out_n)
		return;
	class = t->h.type == CAIRN_TLP_TYPE_CPL ? 4 : t->h.has_data ? 1 : 2;
	if (!f->out_beat && !f->ignore_credit && !(f->s.credit & class))
		return;
	sim_tlp_to_port(f->s.tx_hdr, t->dw);
	f->s.tx_valid = 1;
	f->s.tx_sop = f->out_beat == 0;
	f->s.tx_last = done + f->bw >= t->bytes;
	memcpy(f->s.tx_data, t->data + done, f->bw);
}

void fake_cycle(struct fake_core *f)
{
	bool rx, tx;

	sim_pcie_pre(f->p, f->now);
	offer(f);
	f->s.rx_ready = !rng_percent(&f->rng, f->rx_busy_pct);
	sim_pcie_post(f->p);
	rx = f->s.rx_valid && f->s.rx_ready;
	tx = f->s.tx_valid && f->s.tx_ready;
	if (rx)
		receive(f);
	if (tx) {
		f->s.tx_valid = 0;
		f->out_beat++;
		if (f->s.tx_last) {
			f->out_beat = 0;
			f->out_head++;
			f->out_n--;
		}
	}
	if (f->stop_at_flr && f->s.flr && !f->s.tx_valid && !f->out_beat)
		f->out_n = 0;
	f->s.flr_done = f->s.flr && !f->hold_flr && !(f->stop_at_flr && f->out_n);
	f->now += CLK_NS;
}

void fake_run(struct fake_core *f, unsigned int cycles)
{
	while (cycles--)
		fake_cycle(f);
}

void fake_drain(struct fake_core *f)
{
	unsigned int limit = 2000000;

	do {
		assert_true(limit-- > 0);
		fake_cycle(f);
	} while (f->out_n || f->s.tx_valid || !sim_pcie_idle(f->p));
}

struct fake_tlp *fake_send(struct fake_core *f, const uint32_t dw[4], const void *data,
			   unsigned int bytes)
{
	struct fake_tlp *t = &f->out[(f->out_head + f->out_n++) % MAX_TLPS];

	assert_true(f->out_n <= MAX_TLPS);
	memcpy(t->dw, dw, 16);
	sim_tlp_decode(&t->h, dw);
	t->bytes = bytes;
	if (bytes)
		memcpy(t->data, data, bytes);
	return t;
}

static void request(struct fake_core *f, uint32_t dw[4], bool write, uint64_t addr,
		    unsigned int bytes, unsigned int tag)
{
	unsigned int head = addr & 3, dws = (head + bytes + 3) / 4, fbe = 0xf << head & 0xf;
	unsigned int lbe = 0xf >> (dws * 4 - head - bytes);

	if (dws == 1) {
		fbe &= lbe;
		lbe = 0;
	}
	sim_tlp_mem(dw, write, addr & ~3ull, dws, fbe, lbe, tag, 0x0100);
	(void)f;
}

struct fake_tlp *fake_write(struct fake_core *f, uint64_t addr, const void *data,
			    unsigned int bytes)
{
	unsigned int head = addr & 3;
	uint8_t words[4096 + 8];
	uint32_t dw[4];

	request(f, dw, true, addr, bytes, 0);
	memset(words, 0xee, sizeof(words));
	memcpy(words + head, data, bytes);
	return fake_send(f, dw, words, (head + bytes + 3) / 4 * 4);
}

struct fake_tlp *fake_read(struct fake_core *f, uint64_t addr, unsigned int bytes, unsigned int tag)
{
	uint32_t dw[4];

	request(f, dw, false, addr, bytes, tag);
	return fake_send(f, dw, NULL, 0);
}

void fake_enable(struct fake_core *f)
{
	const uint16_t cmd = 6;

	assert_int_equal(sim_pcie_cfg_write(f->p, 4, &cmd, 2), 0);
	fake_cycle(f);
}

/* Also checks what every completion must keep: boundaries, byte count, lower address. */
int fake_collect(struct fake_core *f, unsigned int tag, uint64_t addr, void *buf)
{
	int total = 0, left = -1;

	for (unsigned int i = 0; i < f->in_n; i++) {
		const struct fake_tlp *t = &f->in[i];
		unsigned int head, n;

		if (t->h.type != CAIRN_TLP_TYPE_CPL || t->h.tag != tag)
			continue;
		if (t->h.status != CAIRN_CPL_STATUS_SC || t->h.ep)
			return -1;
		check(f, t->h.lower_addr == ((addr + (unsigned int)total) & 0x7f));
		check(f, left < 0 || t->h.byte_count % 4096 == (unsigned int)left % 4096);
		left = t->h.byte_count ? t->h.byte_count : 4096;
		head = (addr + (unsigned int)total) & 3;
		n = t->h.len_dw * 4u - head;
		if (n > (unsigned int)left)
			n = (unsigned int)left;
		memcpy((uint8_t *)buf + total, t->data + head, n);
		total += (int)n;
		left -= (int)n;
		check(f, !left || (addr + (unsigned int)total) % 64 == 0);
	}
	return left > 0 ? -2 : total;
}
