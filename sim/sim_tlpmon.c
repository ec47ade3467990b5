/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLP monitor: decoding and the rules that a header alone decides (PCI Express
 * Base 2.2.5, 2.2.7, 2.2.9). Rules that need state (tags, credits, maps, framing) are found in
 * sim_pcie_up.c and reported from here.
 */
#include "sim_tlpmon.h"

#include <stdio.h>

#include "sim_tlp.h"

#define PAGE 4096
#define TAG_5BIT 31

static const struct {
	const char *name, *text;
} rules[] = {
#define RULE_ROW(name, text) [SIM_TLP_##name] = { #name, text },
	SIM_TLP_RULES(RULE_ROW)
#undef RULE_ROW
};

const char *sim_tlp_rule_name(enum sim_tlp_rule rule)
{
	return rules[rule].name;
}

const char *sim_tlp_rule_text(enum sim_tlp_rule rule)
{
	return rules[rule].text;
}

static uint16_t tag_of(const uint32_t dw[4], uint32_t low)
{
	return (uint16_t)(sim_tlp_get(dw, CAIRN_TLP_MEM_T9) << 9 |
			  sim_tlp_get(dw, CAIRN_TLP_MEM_T8) << 8 | low);
}

void sim_tlp_decode(struct sim_tlp_hdr *h, const uint32_t dw[4])
{
	uint32_t len = sim_tlp_get(dw, CAIRN_TLP_MEM_LENGTH);

	memset(h, 0, sizeof(*h));
	memcpy(h->dw, dw, sizeof(h->dw));
	h->fmt = (uint8_t)sim_tlp_get(dw, CAIRN_TLP_MEM_FMT);
	h->type = (uint8_t)sim_tlp_get(dw, CAIRN_TLP_MEM_TYPE);
	h->attr = (uint8_t)sim_tlp_get(dw, CAIRN_TLP_MEM_ATTR);
	h->ep = sim_tlp_get(dw, CAIRN_TLP_MEM_EP);
	h->has_data = h->fmt & 2;
	h->len_dw = (uint16_t)(len ? len : 1024);
	if (h->type == CAIRN_TLP_TYPE_CPL) {
		if (!h->has_data)
			h->len_dw = (uint16_t)len;
		h->status = (uint8_t)sim_tlp_get(dw, CAIRN_TLP_CPL_STATUS);
		h->byte_count = (uint16_t)sim_tlp_get(dw, CAIRN_TLP_CPL_BYTE_COUNT);
		h->lower_addr = (uint16_t)sim_tlp_get(dw, CAIRN_TLP_CPL_LOWER_ADDR);
		h->cplid = (uint16_t)sim_tlp_get(dw, CAIRN_TLP_CPL_CPLID);
		h->reqid = (uint16_t)sim_tlp_get(dw, CAIRN_TLP_CPL_REQID);
		h->tag = tag_of(dw, sim_tlp_get(dw, CAIRN_TLP_CPL_TAG));
		return;
	}
	h->fbe = (uint8_t)sim_tlp_get(dw, CAIRN_TLP_MEM_FBE);
	h->lbe = (uint8_t)sim_tlp_get(dw, CAIRN_TLP_MEM_LBE);
	h->reqid = (uint16_t)sim_tlp_get(dw, CAIRN_TLP_MEM_REQID);
	h->tag = tag_of(dw, sim_tlp_get(dw, CAIRN_TLP_MEM_TAG));
	h->addr = h->fmt & 1 ? (uint64_t)dw[2] << 32 | dw[3] : dw[2];
	h->addr &= ~3ull;	/* bits 1:0 are checked in the header itself */
}

void sim_tlp_span(const struct sim_tlp_hdr *h, unsigned int *first, unsigned int *bytes)
{
	unsigned int lo, hi;

	*first = *bytes = 0;
	if (!h->fbe && (h->len_dw == 1 || !h->lbe))
		return;
	if (h->len_dw == 1) {
		lo = (unsigned int)__builtin_ctz(h->fbe);
		hi = 31u - (unsigned int)__builtin_clz(h->fbe);
	} else {
		lo = h->fbe ? (unsigned int)__builtin_ctz(h->fbe) : 4;
		hi = 4u * (h->len_dw - 1u) +
		     (h->lbe ? 31u - (unsigned int)__builtin_clz(h->lbe) : 0) - (h->lbe ? 0 : 1);
	}
	*first = lo;
	*bytes = hi - lo + 1;
}

void sim_tlp_text(const struct sim_tlp_hdr *h, char *buf, unsigned int size)
{
	if (h->type == CAIRN_TLP_TYPE_CPL)
		snprintf(buf, size, "%s tag %02x status %u %u DW bc %u la %02x from %04x to %04x%s",
			 h->has_data ? "CplD" : "Cpl", h->tag, h->status, h->len_dw, h->byte_count,
			 h->lower_addr, h->cplid, h->reqid, h->ep ? " EP" : "");
	else
		snprintf(buf, size, "%s %s 0x%llx %u DW be %x/%x tag %02x from %04x%s%s%s",
			 h->type != CAIRN_TLP_TYPE_MEM ? "type?" : h->has_data ? "MWr" : "MRd",
			 h->fmt & 1 ? "4DW" : "3DW", (unsigned long long)h->addr, h->len_dw, h->fbe,
			 h->lbe, h->tag, h->reqid, h->ep ? " EP" : "", h->attr & 2 ? " RO" : "",
			 h->attr & 1 ? " NS" : "");
}

void sim_tlpmon_violation(struct sim_tlpmon *m, enum sim_tlp_rule rule, uint64_t now,
			  const struct sim_tlp_hdr *h, const char *detail)
{
	char text[512], tlp[160], head[240] = "";

	if (m->expect[rule]) {
		m->expected[rule]++;
		return;
	}
	m->count[rule]++;
	m->total++;
	if (m->printed > SIM_TLP_MAX_REPORTS)
		return;
	if (h) {
		sim_tlp_text(h, tlp, sizeof(tlp));
		snprintf(head, sizeof(head), "\n    %s  [%08x %08x %08x %08x]", tlp, h->dw[0],
			 h->dw[1], h->dw[2], h->dw[3]);
	}
	if (m->printed++ == SIM_TLP_MAX_REPORTS)
		snprintf(text, sizeof(text), "%s: more PCIe violations are only counted", m->name);
	else
		snprintf(text, sizeof(text), "%s: PCIe violation at %llu ns: %s: %s%s%s%s", m->name,
			 (unsigned long long)now, rules[rule].name, rules[rule].text,
			 detail ? " - " : "", detail ? detail : "", head);
	if (m->report)
		m->report(m->arg, text);
	else
		fprintf(stderr, "%s\n", text);
}

/* Ones without a hole; starting at bit 0, or ending at bit 3, where asked. */
static bool run_from_bottom(unsigned int be)
{
	return be && !(be & (be + 1));
}

static bool run_to_top(unsigned int be)
{
	return be == 0xf || be == 0xe || be == 0xc || be == 0x8;
}

/* 2.2.5: first and last DW byte enables. */
static bool byte_enables_ok(const struct sim_tlp_hdr *h)
{
	if (h->len_dw == 1)
		return !h->lbe;		/* any first pattern, also none */
	if (!h->fbe || !h->lbe)
		return false;
	if (h->len_dw == 2 && !(h->addr & 7))
		return true;		/* a quadword may have holes */
	return run_to_top(h->fbe) && run_from_bottom(h->lbe);
}

static void check_fields(struct sim_tlpmon *m, uint64_t now, const struct sim_tlp_hdr *h,
			 const struct sim_tlp_limits *lim)
{
	const uint32_t *dw = h->dw;
	bool cpl = h->type == CAIRN_TLP_TYPE_CPL;

	if (sim_tlp_get(dw, CAIRN_TLP_MEM_TC) || sim_tlp_get(dw, CAIRN_TLP_MEM_ATTR2) ||
	    sim_tlp_get(dw, CAIRN_TLP_MEM_LN) || sim_tlp_get(dw, CAIRN_TLP_MEM_TH) ||
	    sim_tlp_get(dw, CAIRN_TLP_MEM_TD) || sim_tlp_get(dw, CAIRN_TLP_MEM_AT) ||
	    (cpl && (sim_tlp_get(dw, CAIRN_TLP_CPL_RSVD) || sim_tlp_get(dw, CAIRN_TLP_CPL_BCM))) ||
	    (!(h->fmt & 1) && dw[3]))
		sim_tlpmon_violation(m, SIM_TLP_FIELDS, now, h, NULL);
	/* A completion repeats the request's attributes; ours have none set. */
	if ((h->attr & 2 && (cpl || !lim->relaxed)) || (h->attr & 1 && (cpl || !lim->no_snoop)))
		sim_tlpmon_violation(m, SIM_TLP_ATTR, now, h, NULL);
	if ((cpl ? h->cplid : h->reqid) != lim->reqid)
		sim_tlpmon_violation(m, SIM_TLP_REQID, now, h, NULL);
	if (h->ep)
		sim_tlpmon_violation(m, SIM_TLP_POISON, now, h, NULL);
}

bool sim_tlpmon_header(struct sim_tlpmon *m, uint64_t now, const struct sim_tlp_hdr *h,
		       const struct sim_tlp_limits *lim)
{
	bool cpl = h->type == CAIRN_TLP_TYPE_CPL;
	unsigned int bytes = h->len_dw * 4u;
	uint32_t low;

	if (h->fmt > CAIRN_TLP_FMT_4DW_DATA || (h->type != CAIRN_TLP_TYPE_MEM && !cpl) ||
	    (cpl && h->fmt & 1)) {
		sim_tlpmon_violation(m, SIM_TLP_FMT, now, h, NULL);
		return false;
	}
	check_fields(m, now, h, lim);
	if (h->has_data && bytes > lim->mps)
		sim_tlpmon_violation(m, SIM_TLP_MPS, now, h, NULL);
	if (cpl)
		return true;
	low = h->fmt & 1 ? h->dw[3] : h->dw[2];
	if (low & 3 || (h->fmt & 1) != (h->addr >> 32 != 0))
		sim_tlpmon_violation(m, SIM_TLP_ADDR_FORM, now, h, NULL);
	if (h->addr % PAGE + bytes > PAGE)
		sim_tlpmon_violation(m, SIM_TLP_CROSS_4K, now, h, NULL);
	if (!byte_enables_ok(h))
		sim_tlpmon_violation(m, SIM_TLP_BYTE_ENABLE, now, h, NULL);
	if (h->has_data)
		return true;
	if (bytes > lim->mrrs)
		sim_tlpmon_violation(m, SIM_TLP_MRRS, now, h, NULL);
	if (h->tag > TAG_5BIT && !lim->ext_tag)
		sim_tlpmon_violation(m, SIM_TLP_EXT_TAG, now, h, NULL);
	if (h->tag >= lim->n_tags) {
		sim_tlpmon_violation(m, SIM_TLP_TAG_RANGE, now, h, NULL);
		return false;
	}
	return true;
}
