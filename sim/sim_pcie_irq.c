/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root complex, interrupts.  The MSI-X table is in the core's BAR0, but neither a vfio-user client
 * nor QEMU ever writes it: they hand over eventfds.  So entries with made-up addresses are written
 * through the BAR, and the core's memory write to such an address is the interrupt.  A shadow of
 * the table, kept from the writes that the core really received, tells legal messages from wild
 * ones.
 */
#include <errno.h>
#include <string.h>

#include "sim_pcie_priv.h"

#define ENTRY_BYTES	16
#define ENTRY_MASKED	1u
#define ALL_VECTORS	(CAIRN_MSIX_VECTORS == 32 ? ~0u : (1u << (CAIRN_MSIX_VECTORS % 32)) - 1)

/* A write to BAR0 was taken by the core. */
void pcie_irq_table_write(struct sim_pcie *p, uint64_t off, const uint8_t *data, uint32_t size)
{
	uint8_t image[ENTRY_BYTES];

	for (; size; off++, data++, size--) {
		struct msix_entry *e;
		uint64_t in = off - CAIRN_MSIX_TABLE_OFFSET;

		if (off < CAIRN_MSIX_TABLE_OFFSET || in >= CAIRN_MSIX_VECTORS * ENTRY_BYTES)
			continue;
		e = &p->msix[in / ENTRY_BYTES];
		memcpy(image, &e->addr, 8);
		memcpy(image + 8, &e->data, 4);
		memcpy(image + 12, &e->ctrl, 4);
		image[in % ENTRY_BYTES] = *data;
		memcpy(&e->addr, image, 8);
		memcpy(&e->data, image + 8, 4);
		memcpy(&e->ctrl, image + 12, 4);
		e->changed = p->now;
	}
}

/* A reset masks all vectors; then those in use are programmed again. */
void pcie_irq_reset(struct sim_pcie *p)
{
	memset(p->msix, 0, sizeof(p->msix));
	for (unsigned int v = 0; v < CAIRN_MSIX_VECTORS; v++)
		p->msix[v].ctrl = ENTRY_MASKED;
	for (unsigned int v = 0; v < CAIRN_MSIX_VECTORS; v++)
		if (p->irq_on >> v & 1)
			sim_pcie_irq_enable(p, v, 1);
}

/* The vector that this write signals; -1: an ordinary write; -2: a wild one, reported. */
int pcie_irq_match(struct sim_pcie *p, const struct sim_tlp_hdr *h, const uint8_t *data)
{
	uint64_t in = h->addr - SIM_PCIE_IRQ_BASE;
	unsigned int v = (unsigned int)(in / 4);
	const struct msix_entry *e;
	uint32_t word;

	if (h->addr < SIM_PCIE_IRQ_BASE || in >= SIM_PCIE_IRQ_WINDOW)
		return -1;
	memcpy(&word, data, 4);
	if (v < CAIRN_MSIX_VECTORS && h->len_dw == 1 && h->fbe == 0xf) {
		e = &p->msix[v];
		if (e->addr == h->addr && e->data == word &&
		    (!(e->ctrl & ENTRY_MASKED) || p->now - e->changed < IRQ_GRACE_NS) &&
		    (p->msix_en || p->now - p->msix_off_at < IRQ_GRACE_NS))
			return (int)v;
	}
	sim_tlpmon_violation(&p->mon, SIM_TLP_IRQ, p->now, h, NULL);
	return -2;
}

void pcie_irq_fire(struct sim_pcie *p, unsigned int vector)
{
	if (!(p->irq_on >> vector & 1)) {
		p->irq_pending |= 1u << vector;
		p->stats.irqs_kept++;
		return;
	}
	p->stats.irqs++;
	if (p->irq)
		p->irq(p->irq_arg, vector);
}

void sim_pcie_set_irq(struct sim_pcie *p, sim_pcie_irq_fn fn, void *arg)
{
	p->irq = fn;
	p->irq_arg = arg;
}

static int vectors(unsigned int start, unsigned int count, uint32_t *mask)
{
	if (start > CAIRN_MSIX_VECTORS || count > CAIRN_MSIX_VECTORS - start)
		return -EINVAL;
	*mask = count ? ALL_VECTORS >> (CAIRN_MSIX_VECTORS - count) << start : 0;
	return 0;
}

/* Four words as system software writes them: the control word last. */
int sim_pcie_irq_enable(struct sim_pcie *p, unsigned int start, unsigned int count)
{
	uint32_t mask, fire;
	int err = vectors(start, count, &mask);

	if (err)
		return err;
	p->irq_on |= mask;
	pcie_cfg_update(p);
	for (unsigned int v = start; v < start + count; v++) {
		uint64_t addr = SIM_PCIE_IRQ_BASE + 4 * v;
		const uint32_t words[4] = { (uint32_t)addr, (uint32_t)(addr >> 32), v, 0 };

		if (p->flr_state)
			break;		/* programmed when the reset is over */
		for (unsigned int i = 0; i < 4 && !err; i++)
			err = pcie_write_queue(p, 0,
					       CAIRN_MSIX_TABLE_OFFSET + ENTRY_BYTES * v + 4 * i,
					       &words[i], 4);
	}
	fire = p->irq_pending & mask;
	p->irq_pending &= ~mask;
	for (unsigned int v = 0; fire >> v; v++)
		if (fire >> v & 1)
			pcie_irq_fire(p, v);
	return err;
}

int sim_pcie_irq_disable(struct sim_pcie *p, unsigned int start, unsigned int count)
{
	const uint32_t masked = ENTRY_MASKED;
	uint32_t mask;
	int err = vectors(start, count, &mask);

	if (err)
		return err;
	for (unsigned int v = start; v < start + count && !p->flr_state && !err; v++)
		if (p->irq_on >> v & 1)
			err = pcie_write_queue(p, 0, CAIRN_MSIX_TABLE_OFFSET + ENTRY_BYTES * v + 12,
					       &masked, 4);
	p->irq_on &= ~mask;
	pcie_cfg_update(p);
	return err;
}

void sim_pcie_irq_clear(struct sim_pcie *p)
{
	p->irq_pending = 0;
}
