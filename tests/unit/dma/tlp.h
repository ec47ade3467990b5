/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLP headers on the model's 128-bit header ports (first byte on the wire in bits 127:120), and the
 * contents of the pretended host memory: each byte follows from its address.
 */
#ifndef CAIRN_TEST_TLP_H
#define CAIRN_TEST_TLP_H

#include <stdint.h>
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb.h"

struct tlp_hdr {
	uint8_t b[16];
};

static inline void tlp_put_hdr(const struct sim_port *port, const struct tlp_hdr *h)
{
	unsigned int n = port->width / 8;

	for (unsigned int i = 0; i < n; i++)
		port->bits[n - 1 - i] = h->b[i];
}

static inline struct tlp_hdr tlp_get_hdr(const struct sim_port *port)
{
	struct tlp_hdr h = { { 0 } };
	unsigned int n = port->width / 8;

	for (unsigned int i = 0; i < n; i++)
		h.b[i] = port->bits[n - 1 - i];
	return h;
}

/* A memory request, decoded. */
struct tlp_mem {
	unsigned int fmt, type, attr, length, tag, reqid, lbe, fbe;
	uint64_t addr;	    /* of the first DW */
	uint64_t first;	    /* first enabled byte */
	unsigned int bytes; /* from the first to the last enabled one */
};

static inline struct tlp_mem tlp_mem_decode(const struct tlp_hdr *h)
{
	struct tlp_mem m = {
		.fmt = (unsigned int)cairn_pkt_get(h->b, CAIRN_TLP_MEM_FMT),
		.type = (unsigned int)cairn_pkt_get(h->b, CAIRN_TLP_MEM_TYPE),
		.attr = (unsigned int)cairn_pkt_get(h->b, CAIRN_TLP_MEM_ATTR),
		.length = (unsigned int)cairn_pkt_get(h->b, CAIRN_TLP_MEM_LENGTH),
		.tag = (unsigned int)cairn_pkt_get(h->b, CAIRN_TLP_MEM_TAG),
		.reqid = (unsigned int)cairn_pkt_get(h->b, CAIRN_TLP_MEM_REQID),
		.lbe = (unsigned int)cairn_pkt_get(h->b, CAIRN_TLP_MEM_LBE),
		.fbe = (unsigned int)cairn_pkt_get(h->b, CAIRN_TLP_MEM_FBE),
		.addr = cairn_pkt_get(h->b, CAIRN_TLP_MEM_ADDR),
	};
	unsigned int last;

	if (!(m.fmt & 1))
		m.addr >>= 32;
	if (!m.length)
		m.length = 1024;
	last = m.length == 1 ? m.fbe : m.lbe;
	m.first = m.addr + (m.fbe ? (unsigned int)__builtin_ctz(m.fbe) : 0);
	m.bytes = last ? (unsigned int)(m.addr + 4 * m.length - m.first) -
				  (unsigned int)(__builtin_clz(last) - 28)
		       : 0;
	return m;
}

/* The rules for requests of a device; byte enables without holes, as ours has no reason for any. */
static inline void tlp_mem_check(struct vtb *tb, const struct tlp_mem *m, bool write,
				 unsigned int max)
{
	unsigned int first = m->fbe, last = m->length == 1 ? 0 : m->lbe;

	vtb_check_eq(tb, m->type, CAIRN_TLP_TYPE_MEM);
	vtb_check_eq(tb, m->fmt, (write ? 2u : 0u) | (m->addr >> 32 ? 1u : 0u));
	vtb_check_eq(tb, m->addr & 3, 0);
	vtb_check(tb, 4 * m->length <= max);
	vtb_check_eq(tb, m->addr >> 12, (m->addr + 4 * m->length - 1) >> 12);
	vtb_check(tb, m->bytes > 0);
	if (m->length == 1) {
		vtb_check_eq(tb, m->lbe, 0);
		first >>= __builtin_ctz(first);
		vtb_check_eq(tb, first & (first + 1), 0);
	} else {
		vtb_check(tb, first == 0xf || first == 0xe || first == 0xc || first == 0x8);
		vtb_check(tb, last == 0xf || last == 0x7 || last == 0x3 || last == 0x1);
	}
}

/* A completion; fields as in the header. */
struct tlp_cpl {
	unsigned int dw, status, byte_count, tag, lower;
	bool poison, data;
};

static inline struct tlp_hdr tlp_cpl_encode(const struct tlp_cpl *c)
{
	struct tlp_hdr h = { { 0 } };

	cairn_pkt_set(h.b, CAIRN_TLP_CPL_FMT, c->data ? 2 : 0);
	cairn_pkt_set(h.b, CAIRN_TLP_CPL_TYPE, CAIRN_TLP_TYPE_CPL);
	cairn_pkt_set(h.b, CAIRN_TLP_CPL_EP, c->poison);
	cairn_pkt_set(h.b, CAIRN_TLP_CPL_LENGTH, c->dw);
	cairn_pkt_set(h.b, CAIRN_TLP_CPL_STATUS, c->status);
	cairn_pkt_set(h.b, CAIRN_TLP_CPL_BYTE_COUNT, c->byte_count);
	cairn_pkt_set(h.b, CAIRN_TLP_CPL_TAG, c->tag);
	cairn_pkt_set(h.b, CAIRN_TLP_CPL_LOWER_ADDR, c->lower);
	return h;
}

static inline uint8_t host_byte(uint64_t addr)
{
	uint64_t z = (addr + 1) * 0x9e3779b97f4a7c15ULL;

	return (uint8_t)(z >> 56 ^ z >> 33);
}

#endif
