/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places of the members of cairn_int_pkg's records as flat vectors, for tests: META_x_LSB, META_x_W
 * and so on. Members are listed as in rtl/hw/cairn_int_pkg.sv, first member in the top bits; the
 * totals are compared with the ports.
 */
#ifndef CAIRN_INT_RECORDS_H
#define CAIRN_INT_RECORDS_H

#define RX_META_FIELDS(F)                                                                        \
	F(cell_head, 12)                                                                         \
	F(has_cells, 1)                                                                          \
	F(pay_off, 8) F(pay_len, 13) F(pad, 2) F(ip_off, 8) F(opcode, 8) F(opflags, 18) F(se, 1) \
		F(ackreq, 1) F(ce, 1) F(ipv6, 1) F(has_tag, 1) F(prio, 3) F(sgid_index, 8)        \
			F(mcast, 1) F(pkey, 16)                                                  \
			F(qpn, 24) F(psn, 24) F(sip_hi, 64) F(sip_lo, 64) F(va, 64) F(key, 32)   \
				F(len, 32) F(aeth, 32) F(imm, 32) F(swap_add, 64) F(compare, 64) \
					F(qkey, 32) F(src_qp, 24) F(sport, 16) F(smac, 48)       \
						F(epoch, 1) F(slot, 12) F(gen, 8)

#define TX_JOB_FIELDS(F)                                                                           \
	F(kind, 3)                                                                                 \
	F(qpn, 24)                                                                                 \
	F(slot, 12) F(gen, 8) F(send_epoch, 8) F(epoch, 1) F(opcode, 8) F(psn, 24) F(ackreq, 1)    \
		F(se, 1) F(retx, 1) F(pay_len, 13) F(va, 64) F(key, 32) F(len, 32) F(imm, 32)      \
			F(aeth, 32) F(swap_add, 64) F(compare, 64) F(qkey, 32) F(dmac, 48)         \
				F(dgid_hi, 64) F(dgid_lo, 64) F(ipv6, 1) F(sgid_index, 8)          \
					F(sport, 16) F(tclass, 8) F(hop, 8) F(flow, 20) F(vlan, 1) \
						F(tci, 16) F(pkey, 16) F(dest_qp, 24)

#define TX_SEG_FIELDS(F)  \
	F(inline_data, 1) \
	F(func, 8) F(iova, 64) F(len, 13) F(nb_valid, 1) F(not_before, 16) F(eoj, 1)

#define DMA_RD_FIELDS(F) \
	F(func, 8) F(iova, 64) F(len, 13) F(tag, 12) F(nb_valid, 1) F(not_before, 16) F(epoch, 1)

#define DMA_RSP_FIELDS(F) \
	F(client, 4) F(tag, 12) F(offset, 13) F(skip, 2) F(nbytes, 7) F(last, 1) F(err, 1)

/* A record as an array of {lsb, width}, indexed by an enum. */
struct field {
	const char *name;
	unsigned int width, lsb;
};

#define FIELD_ROW(n, w) { #n, w, 0 },
#define META_ENUM(n, w) META_##n,
#define JOB_ENUM(n, w) JOB_##n,
#define SEG_ENUM(n, w) SEG_##n,
#define RD_ENUM(n, w) RD_##n,
#define RSP_ENUM(n, w) RSP_##n,

enum { RX_META_FIELDS(META_ENUM) META_N };
enum { TX_JOB_FIELDS(JOB_ENUM) JOB_N };
enum { TX_SEG_FIELDS(SEG_ENUM) SEG_N };
enum { DMA_RD_FIELDS(RD_ENUM) RD_N };
enum { DMA_RSP_FIELDS(RSP_ENUM) RSP_N };

extern struct field meta_fields[META_N + 1], job_fields[JOB_N + 1], seg_fields[SEG_N + 1],
	rd_fields[RD_N + 1], rsp_fields[RSP_N + 1];

/* Fills in the places; the total width is in the last row. */
void records_init(void);

#endif
