// SPDX-License-Identifier: Apache-2.0
/* hwgen: the rows of the tables as arrays.  Tests compile it with tables of their own. */
#include <stddef.h>

#include "hwgen.h"

#ifndef HW_DEF
#define HW_DEF "hw.def"
#endif
#ifndef PKT_DEF
#define PKT_DEF "pkt.def"
#endif
#ifndef INT_DEF
#define INT_DEF "int.def"
#endif

/*
 * Numbers that rows of int.def name as widths: its CONSTs, and the flags of an opcode.
 * Every row is nothing here but those.
 */
#define REG(...)
#define REG64(...)
#define BITS(...)
#define VALUE(...)
#define CMD(...)
#define WQE_OP(...)
#define STRUCT(...)
#define WORD(...)
#define BYTES(...)
#define HDR(...)
#define FLD(...)
#define OPCODE(...)
#define COUNTER(...)
#define QP_COUNTER(...)
#define BYTE_COUNTER(...)
#define SOURCE(...)
#define RECORD(...)
#define BUNDLE(...)
#define F(...)
#define T(...)
#define R(...)
#define S(...)
#define OPFLAG(...)
#define ENUM(...)
#define CONST(n, value, doc) n = (value),
enum {
#include INT_DEF
	N_NAMED
};
#undef CONST
#undef OPFLAG
#define CONST(...)
#define PASTE(a, b)	    a##b
#define NUMBERED(a, b)	    PASTE(a, b)
#define OPFLAG(bit, n, doc) char NUMBERED(flag, __COUNTER__)[(bit) + 1];
union opflags {
	char none;
#include PKT_DEF
};
enum { OPF_W = sizeof(union opflags) };
#undef REG
#undef REG64
#undef BITS
#undef VALUE
#undef CMD
#undef WQE_OP
#undef STRUCT
#undef WORD
#undef BYTES
#undef HDR
#undef FLD
#undef OPCODE
#undef COUNTER
#undef QP_COUNTER
#undef BYTE_COUNTER
#undef SOURCE
#undef RECORD
#undef BUNDLE
#undef F
#undef T
#undef R
#undef S
#undef CONST
#undef ENUM
#undef OPFLAG

#define ROW(kind, name, a, b, text, text2, text3, doc) \
	{ ROW_##kind, __FILE__, __LINE__, name, a, b, text, text2, text3, doc, NULL, NULL },

#define CONST(n, value, doc)		ROW(CONST, #n, value, 0, #value, NULL, NULL, doc)
#define REG(n, offset, access, doc)	ROW(REG, #n, offset, 32, #access, NULL, NULL, doc)
#define REG64(n, offset, access, doc)	ROW(REG, #n, offset, 64, #access, NULL, NULL, doc)
#define BITS(msb, lsb, n, doc)		ROW(BITS, #n, msb, lsb, NULL, NULL, NULL, doc)
#define ENUM(n, width, doc)		ROW(ENUM, #n, width, 0, NULL, NULL, NULL, doc)
#define VALUE(n, value, doc)		ROW(VALUE, #n, value, 0, NULL, NULL, NULL, doc)
#define CMD(n, value, handler, buffer, state, features, number, ptr, flags, args, what, back, doc) \
	{ ROW_CMD, __FILE__, __LINE__, #n, value, 0, NULL, NULL, NULL, doc,                        \
	  &(const struct cmd){ #handler, #buffer, #state, #features, number, ptr, #flags, args,   \
			       what, back }, NULL },
#define WQE_OP(n, value, types, kind, marks, needs, bth, cqe, doc)                                 \
	{ ROW_WQE_OP, __FILE__, __LINE__, #n, value, 0, NULL, NULL, NULL, doc, NULL,               \
	  &(const struct wqe_op){ #types, #kind, #marks, #needs, #bth, #cqe } },
#define STRUCT(n, bytes, doc)		ROW(STRUCT, #n, bytes, 0, NULL, NULL, NULL, doc)
#define WORD(offset, width, n, doc)	ROW(WORD, #n, offset, width, NULL, NULL, NULL, doc)
#define BYTES(offset, count, n, doc)	ROW(BYTES, #n, offset, 8 * (count), NULL, NULL, NULL, doc)
#define HDR(n, bytes, doc)		ROW(HDR, #n, bytes, 0, NULL, NULL, NULL, doc)
#define FLD(width, n, doc)		ROW(FLD, #n, 0, width, NULL, NULL, NULL, doc)
#define OPFLAG(bit, n, doc)		ROW(OPFLAG, #n, bit, 0, NULL, NULL, NULL, doc)
#define OPCODE(value, n, transport, flags, ext, doc) \
	ROW(OPCODE, #n, value, 0, #flags, #ext, #transport, doc)
#define COUNTER_ROW(index, n, text, sources, of, doc) \
	ROW(COUNTER, #n, index, of, text, #sources, NULL, doc)
#define COUNTER(index, n, text, sources, doc) COUNTER_ROW(index, n, text, sources, 0, doc)
#define QP_COUNTER(index, n, text, sources, doc) \
	COUNTER_ROW(index, n, text, sources, COUNTER_QP, doc)
#define BYTE_COUNTER(index, n, text, sources, doc) \
	COUNTER_ROW(index, n, text, sources, COUNTER_BYTES, doc)
#define SOURCE(n, parent, bank, doc)	ROW(SOURCE, #n, 0, 0, #parent, #bank, NULL, doc)
#define RECORD(n, doc)			ROW(RECORD, #n, 0, 0, NULL, NULL, NULL, doc)
#define BUNDLE(n, doc)			ROW(BUNDLE, #n, 0, 0, NULL, NULL, NULL, doc)
#define F(width, n, doc)		ROW(F, #n, 0, width, #width, NULL, NULL, doc)
#define T(type, n, doc)			ROW(T, #n, 0, 0, #type, NULL, NULL, doc)
#define R(record, n, doc)		ROW(R, #n, 0, 0, #record, NULL, NULL, doc)
#define S(type, n, doc)			ROW(S, #n, 0, 0, #type, NULL, NULL, doc)

static const struct row hw_rows[] = {
#include HW_DEF
	ROW(END, NULL, 0, 0, NULL, NULL, NULL, NULL)
};

static const struct row pkt_rows[] = {
#include PKT_DEF
	ROW(END, NULL, 0, 0, NULL, NULL, NULL, NULL)
};

static const struct row int_rows[] = {
#include INT_DEF
	ROW(END, NULL, 0, 0, NULL, NULL, NULL, NULL)
};

const struct table hw_table = { "hw", "CAIRN", "Registers, queue entries, context records and commands",
				hw_rows };
const struct table pkt_table = { "pkt", "CAIRN", "RoCE v2 headers and the BTH opcode table", pkt_rows };
const struct table int_table = { "int", "REC", "Records between modules of the data path", int_rows };
