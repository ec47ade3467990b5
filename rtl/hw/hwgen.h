/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hwgen: the contract generator.  hw.def, pkt.def and int.def are tables of macro rows (grammar:
 * docs/contract.md); hwgen_rows.c lets the compiler turn them into arrays, hwgen_check.c and
 * hwgen_names.c refuse bad tables, hwgen_c.c, hwgen_sv.c, hwgen_rec.c and hwgen_md.c print the C
 * header, the SystemVerilog package and the documentation tables, hwgen_cmd.c what is made of the
 * commands, hwgen_event.c of who counts, hwgen_op.c of the send queue operations.
 */
#ifndef HWGEN_H
#define HWGEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum row_kind {
	ROW_CONST,   /* a: value, text: as typed */
	ROW_REG,     /* a: offset, b: width in bits, text: access */
	ROW_BITS,    /* a: msb, b: lsb */
	ROW_ENUM,    /* a: width in bits */
	ROW_VALUE,   /* a: value */
	ROW_CMD,     /* a: value, cmd: the rest */
	ROW_WQE_OP,  /* a: value, op: the rest */
	ROW_STRUCT,  /* a: size in bytes */
	ROW_WORD,    /* a: byte offset, b: width in bits */
	ROW_BYTES,   /* a: byte offset, b: width in bits */
	ROW_HDR,     /* a: size in bytes */
	ROW_FLD,     /* b: width in bits */
	ROW_OPFLAG,  /* a: bit */
	ROW_OPCODE,  /* a: value, text: flags, text2: extension headers, text3: transport */
	ROW_COUNTER, /* a: index, b: COUNTER_*, text: lower-case name, text2: sources */
	ROW_SOURCE,  /* text: the one in which it stands, text2: bank of QP counters */
	ROW_RECORD,  /* -: widths are those of its members */
	ROW_BUNDLE,  /* the same */
	ROW_F,	     /* b: width in bits, text: as typed */
	ROW_T,	     /* text: ENUM */
	ROW_R,	     /* text: RECORD, in a BUNDLE also BUNDLE */
	ROW_S,	     /* text: STRUCT of hw_table */
	ROW_END
};

/* Bits of a counter */
enum { COUNTER_QP = 1, COUNTER_BYTES = 2 };

/* What a CMD row says beside its name, number and doc, as typed. */
struct cmd {
	const char *handler;  /* function of firmware, or NONE */
	const char *buffer;   /* IN(struct), OUT(struct) or NONE */
	const char *state;    /* ALWAYS, BEFORE_ENABLE, ENABLED or RESERVED */
	const char *features; /* any of these, or NONE */
	const char *number, *ptr;
	const char *flags; /* bits that may be set: a number or a CONST */
	unsigned int args;
	const char *args_doc, *values;
};

/* What a WQE_OP row says beside its name, number and doc, as typed: lists are OR expressions. */
struct wqe_op {
	const char *types; /* QPs that have it: values of ENUM(qp_type) */
	const char *kind;  /* value of ENUM(wqe_kind) */
	const char *marks; /* values of ENUM(wqe_mark), or NONE */
	const char *needs; /* all of these features, or NONE */
	const char *bth;   /* its packets in pkt.def, or NONE */
	const char *cqe;   /* value of ENUM(cqe_op) */
};

struct row {
	enum row_kind kind;
	const char *file;
	int line;
	const char *name;
	uint64_t a, b;
	const char *text, *text2, *text3, *doc;
	const struct cmd *cmd;
	const struct wqe_op *op;
};

struct table {
	const char *stem;	/* "hw", "pkt" or "int": names the outputs */
	const char *prefix;	/* of its names in C, in capitals */
	const char *what;	/* one line for the head of each output */
	const struct row *rows; /* up to ROW_END */
};

extern const struct table hw_table, pkt_table, int_table;

/* hwgen_table.c */

/*
 * Upper or lower case, in one of a few static buffers: use at once, never keep.  The SV form also
 * steps aside for keywords.
 */
const char *upper(const char *s);
const char *lower(const char *s);
const char *sv_name(const char *s);

/* First row after the members of a REG, ENUM, STRUCT, HDR, RECORD or BUNDLE, or after the BITS of a
 * WORD. */
const struct row *group_end(const struct row *group);
const struct row *find_row(const struct table *table, enum row_kind kind, const char *name);

/* Name of a field, of a REG or WORD: WORD_FIELD, or WORD alone where it has its word's name. */
const char *field_name(const struct row *word, const struct row *bits);
/* The field of a WORD that has its word's name, or NULL. */
const struct row *own_field(const struct row *word);

/* FLD rows: distance of the field's first bit from the first bit on the wire. */
unsigned int fld_offset(const struct row *hdr, const struct row *fld);
uint64_t bits_mask(const struct row *bits);

/* The fields of an OPCODE row as numbers.  Unknown names were refused by check_tables(). */
uint32_t opcode_flags(const struct table *table, const struct row *opcode);
uint32_t opcode_ext(const struct table *table, const struct row *opcode);
uint32_t opcode_ext_bytes(const struct table *table, const struct row *opcode);
/* Visit the names of an OR expression: copies the next one to `name`, returns what follows or NULL
 * at the end. */
const char *next_name(const char *expr, char *name, size_t size);
/* Does an OR expression have that name? */
bool names(const char *expr, const char *wanted);
/* Is an OR expression one or several names, or NONE alone? */
bool is_list(const char *expr);
/* The BITS row of a feature in REG(FEATURES), or NULL. */
const struct row *find_feature(const struct table *table, const char *name);
/* Bit of an extension header in the ext mask: its place among the HDR rows that OPCODE rows use; -1
 * if none. */
int ext_bit(const struct table *table, const char *hdr_name);
unsigned int count_ext(const struct table *table);
unsigned int count_rows(const struct table *table, enum row_kind kind);

/* What prints a row of a kind, with its members; NULL: such rows are not printed by themselves. */
typedef void (*row_printer)(const struct table *table, const struct row *row);
/* All rows in order, with a blank line between a run of constants and what came before it. */
void print_rows(const struct table *table, const row_printer printers[ROW_END]);
/* One past the last counter; some numbers before it may be free. */
unsigned int counter_end(const struct table *table);

/* Bits of a record or bundle, and of a member of one. */
unsigned int record_width(const struct table *table, const struct row *record);
unsigned int member_width(const struct table *table, const struct row *member);
/* The RECORD or BUNDLE that an R names, or NULL. */
const struct row *find_record(const struct table *table, const char *name);

/* hwgen_check.c: exits with a message that names row and cause if a table is wrong. */
void check_tables(const struct table *const *tables);

/*
 * hwgen_refuse.c: refuse() exits with a message that names row and cause.  claim() refuses the row
 * if another one has the name: everything that ends up as one identifier, all tables of one prefix
 * together.
 */
extern const char *const row_name[];
_Noreturn void refuse(const struct row *row, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void claim(const struct row *row, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void release_names(void); /* the next table has another prefix, or there is none */
/* A text for the one who asks what is wrong, until the next one. */
const char *complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* hwgen_names.c: claims all names of a table. */
void check_names(const struct table *table);

/* hwgen_rec.c: a RECORD group; names of a RECORD or BUNDLE */
void claim_record(const struct table *table, const struct row *record);
void print_record_c(const struct table *table, const struct row *record);
void print_record_sv(const struct table *table, const struct row *record);
/* All RECORDs of the table, if it has any. */
void print_records_c(const struct table *table);

/* hwgen_cmd.c: CMD rows.  What is wrong with one, or NULL; firmware's table and prototypes;
 * docs/commands.md, from stdin, with its tables anew. */
const char *cmd_wrong(const struct table *table, const struct row *row);
void print_fw(const struct table *table);
void print_commands(const struct table *table);

/* hwgen_event.c: what is wrong with a SOURCE or COUNTER row, or NULL; names, types and functions of
 * events. */
const char *source_wrong(const struct table *table, const struct row *source);
const char *counter_wrong(const struct table *table, const struct row *counter);
void claim_events(const struct table *table);
void print_sources_sv(const struct table *table);

/* hwgen_op.c: WQE_OP rows.  What is wrong with one, or NULL; what each output has of them. */
const char *op_wrong(const struct table *table, const struct row *row);
void print_ops_c(const struct table *table);
void print_ops_sv(const struct table *table);
void print_ops_md(const struct table *table);

/* hwgen_c.c, hwgen_sv.c, hwgen_md.c */
void print_c(const struct table *table);
void print_sv(const struct table *table);
void print_md(const struct table *table);

#endif
