/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root complex: faults on request (completions that fail, come late, poisoned or never, credits
 * withheld) and the log of TLPs.
 */
#include <errno.h>
#include <string.h>

#include "sim_pcie_priv.h"

int sim_pcie_fault_add(struct sim_pcie *p, const struct sim_pcie_fault_rule *rule)
{
	if (p->n_faults == MAX_FAULTS)
		return -ENOSPC;
	p->faults[p->n_faults] = *rule;
	p->faults[p->n_faults].hits = 0;
	p->fault_seen[p->n_faults] = 0;
	return (int)p->n_faults++;
}

uint64_t sim_pcie_fault_hits(const struct sim_pcie *p, int index)
{
	return p->faults[index].hits;
}

/* Reads already accepted keep what hit them no longer. */
void sim_pcie_fault_clear(struct sim_pcie *p)
{
	p->n_faults = 0;
	for (unsigned int t = 0; t < p->cfg.n_tags; t++)
		p->rd[t].fault = -1;
}

/* Which rule hits this read, counted once a read; -1: none. */
int pcie_fault_match(struct sim_pcie *p, uint64_t addr, uint64_t bytes)
{
	for (unsigned int i = 0; i < p->n_faults; i++) {
		const struct sim_pcie_fault_rule *f = &p->faults[i];
		unsigned int seen;

		if (addr > f->last || addr + bytes - 1 < f->first)
			continue;
		if (f->percent && !pcie_chance(p, f->percent))
			continue;
		seen = p->fault_seen[i]++;
		if (seen >= f->skip && (!f->count || seen - f->skip < f->count))
			return (int)i;
	}
	return -1;
}

void sim_pcie_hold_credits(struct sim_pcie *p, unsigned int classes, uint64_t until_ns)
{
	p->hold_classes = classes;
	p->hold_until = until_ns;
}

/* ---- log ---- */

static void print_entry(FILE *out, const struct log_entry *e)
{
	struct sim_tlp_hdr h;
	char text[160];

	sim_tlp_decode(&h, e->dw);
	sim_tlp_text(&h, text, sizeof(text));
	fprintf(out, "%12llu %s %s", (unsigned long long)e->t, e->up ? "<" : ">", text);
	if (!e->up && h.type == CAIRN_TLP_TYPE_MEM)
		fprintf(out, " bar %u", e->bar);
	fputc('\n', out);
}

void pcie_log(struct sim_pcie *p, bool up, const uint32_t dw[4], unsigned int bar)
{
	struct log_entry e = { .t = p->now, .up = up, .bar = (uint8_t)bar };

	memcpy(e.dw, dw, sizeof(e.dw));
	if (p->log)
		p->log[p->log_n++ % p->cfg.log_entries] = e;
	if (p->trace)
		print_entry(p->trace, &e);
}

void sim_pcie_dump_log(const struct sim_pcie *p, FILE *out)
{
	uint64_t from = p->log_n > p->cfg.log_entries ? p->log_n - p->cfg.log_entries : 0;

	for (uint64_t i = from; p->log && i < p->log_n; i++)
		print_entry(out, &p->log[i % p->cfg.log_entries]);
}

void sim_pcie_trace(struct sim_pcie *p, FILE *out)
{
	p->trace = out;
}
