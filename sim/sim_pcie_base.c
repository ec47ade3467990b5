/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root complex, what its parts have in common: reads in the order of their first completions, the
 * host's writes on their way to the core, and what follows from configuration space.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim_pcie_priv.h"

/* ---- reads by the time of their first completion ---- */

void pcie_heap_push(struct sim_pcie *p, uint64_t t, uint16_t tag)
{
	unsigned int i = p->heap_n++;

	while (i && p->heap[(i - 1) / 2].t > t) {
		p->heap[i] = p->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	p->heap[i] = (struct heap_entry){ t, tag };
}

uint16_t pcie_heap_pop(struct sim_pcie *p)
{
	uint16_t tag = p->heap[0].tag;
	struct heap_entry last = p->heap[--p->heap_n];
	unsigned int i = 0, c;

	while ((c = 2 * i + 1) < p->heap_n) {
		if (c + 1 < p->heap_n && p->heap[c + 1].t < p->heap[c].t)
			c++;
		if (p->heap[c].t >= last.t)
			break;
		p->heap[i] = p->heap[c];
		i = c;
	}
	p->heap[i] = last;
	return tag;
}

/* ---- BAR writes ---- */

uint32_t pcie_step(uint64_t off, uint32_t left, bool write)
{
	uint32_t step = 8;

	if (write && left >= PUSH_BYTES && off % PUSH_BYTES == 0)
		return PUSH_BYTES;
	while (step > left || off % step)
		step /= 2;
	return step;
}

static bool ring_grow(struct sim_pcie *p)
{
	struct hwrite *ring = malloc(2 * p->hw_cap * sizeof(*ring));

	if (!ring)
		return false;
	for (uint32_t i = 0; i < p->hw_n; i++)
		ring[i] = p->hw[(p->hw_head + i) & (p->hw_cap - 1)];
	free(p->hw);
	p->hw = ring;
	p->hw_head = 0;
	p->hw_cap *= 2;
	return true;
}

int pcie_write_queue(struct sim_pcie *p, unsigned int bar, uint64_t off, const void *buf,
		     uint32_t size)
{
	const uint8_t *from = buf;

	while (size) {
		uint32_t step = pcie_step(off, size, true);
		struct hwrite *w;

		if (p->hw_n == p->hw_cap && !ring_grow(p))
			return -ENOMEM;
		w = &p->hw[(p->hw_head + p->hw_n++) & (p->hw_cap - 1)];
		w->bar = (uint8_t)bar;
		w->off = off;
		w->size = (uint8_t)step;
		memcpy(w->data, from, step);
		from += step;
		off += step;
		size -= step;
	}
	return 0;
}

/* ---- configuration space ---- */

/* Take over what configuration space says now; the ports follow in the next cycle. */
void pcie_cfg_update(struct sim_pcie *p)
{
	const struct sim_cfgspace *c = &p->space;
	unsigned int mps = 128u << sim_cfgspace_mps(c), mrrs = 128u << sim_cfgspace_mrrs(c);
	bool bme = sim_cfgspace_bus_master(c), msix = sim_cfgspace_msix_enable(c) || p->irq_on;
	bool relaxed = sim_cfgspace_relaxed(c), ext_tag = sim_cfgspace_ext_tag(c);

	if (mps != p->mps || mrrs != p->mrrs || relaxed != p->relaxed || ext_tag != p->ext_tag) {
		p->mps_was = p->mps;
		p->mrrs_was = p->mrrs;
		p->relaxed_was = p->relaxed;
		p->ext_tag_was = p->ext_tag;
		p->limit_until = p->now + (uint64_t)p->cfg.bme_grace_cycles * p->cfg.clk_ns;
	}
	p->mps = mps;
	p->mrrs = mrrs;
	p->relaxed = relaxed;
	p->ext_tag = ext_tag;
	if (p->bme && !bme)
		p->bme_off_at = p->now;
	if (bme)
		p->quiet = false;
	p->bme = bme;
	if (p->msix_en && !msix)
		p->msix_off_at = p->now;
	p->msix_en = msix;
	p->cfg_dirty = true;
}
