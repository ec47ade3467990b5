/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of records of rtl/hw/int.def by number, for tests that go through them: META_x, JOB_x and
 * so on index a table of name, place and width, and the row behind the last has the record's width.
 * Tests that name members use vtb_rec.h.
 */
#ifndef CAIRN_INT_RECORDS_H
#define CAIRN_INT_RECORDS_H

#include "cairn_int.h"

struct field {
	const char *name;
	unsigned int width, lsb;
};

#define META_ENUM(n, path, at, w) META_##n,
#define JOB_ENUM(n, path, at, w) JOB_##n,
#define SEG_ENUM(n, path, at, w) SEG_##n,
#define RD_ENUM(n, path, at, w) RD_##n,
#define RSP_ENUM(n, path, at, w) RSP_##n,

enum { REC_RX_META_FIELDS(META_ENUM) META_N };
enum { REC_TX_JOB_FIELDS(JOB_ENUM) JOB_N };
enum { REC_TX_SEG_FIELDS(SEG_ENUM) SEG_N };
enum { REC_DMA_RD_FIELDS(RD_ENUM) RD_N };
enum { REC_DMA_RSP_FIELDS(RSP_ENUM) RSP_N };

extern const struct field meta_fields[META_N + 1], job_fields[JOB_N + 1], seg_fields[SEG_N + 1],
	rd_fields[RD_N + 1], rsp_fields[RSP_N + 1];

#endif
