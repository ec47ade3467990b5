/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an operation on a key does to the table, from IBTA 10.6.5 and 10.6.7.2:
 * reference of test_mr_update. Which kind of record a key has is fixed by its index.
 */
#ifndef MR_REF_H
#define MR_REF_H

#include "mr_bench.h"

#define LIST 16 /* page list entries of a key */
#define FAST(i) ((i) >= 1 && (i) <= 6)
#define REGION(i) ((i) >= 7 && (i) <= 14)
#define TYPE1(i) ((i) >= 15 && (i) <= 20)
#define TYPE2(i) ((i) >= 21 && (i) <= 28)
#define DAMAGED 29u
#define LAST_KEY 28u
#define ACC(m) ((m)->flags >> 8 & 0xff)

enum { INV = REC_MUO_INV, RINV = REC_MUO_RINV, REG = REC_MUO_REG, BIND = REC_MUO_BIND };

struct upd {
	unsigned int op, access, page_log2;
	uint32_t key, pd, qpn, mr_key;
	uint64_t addr, length, page_list;
};

/* enum vendor_err; *changed: bit per record that is another one now. */
unsigned int mr_ref(struct cairn_mpt now[KEYS], const struct upd *u, uint64_t *changed);
/* The side of a client of key changes (MUC_*), as mr_port() has it. */
extern const char *const mr_side[REC_MUC_N];
/* Client c's operation to the port. */
void mr_put_upd(struct bench *b, unsigned int c, const struct upd *u);

#endif
