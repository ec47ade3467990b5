/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One QP of completer on a desk: the test places work requests and the requester's state, hands in
 * single responses, and lets device time go on or jump.  Completions, writes and events are kept.
 */
#ifndef CAIRN_CMP_DESK_H
#define CAIRN_CMP_DESK_H

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "cmp_strobes.h"
#include "vtb.h"

#define DESK_MTU 256u
#define DESK_MAX 64
#define DESK_PSN 0xfffff0u   /* of the first work request */
#define DESK_INDEX 0xfffcu   /* its block */
#define DESK_VA 0x7000000ull /* where data goes */

struct desk {
	struct vtb *tb;
	uint64_t now;
	struct cairn_qp_cfg cfg;
	struct cairn_qp_req req;
	struct cairn_qp_cmp cmp; /* as at the last look */
	uint32_t psn;		 /* of the next work request */
	uint16_t index, pi;
	uint8_t sent_gen;
	uint32_t sent_psn;
	uint64_t counts[N_COUNTS];
	unsigned int cqes, eqes, qp_errs, writes, kicks,
		walk_kicks; /* of the scheduler; the walker's */
	struct {
		uint8_t opcode, status, vendor;
		uint16_t index;
		uint32_t len;
	} cqe[DESK_MAX];
	struct {
		uint64_t iova, data;
		uint32_t len;
		bool payload, free;
	} write[DESK_MAX];
	uint8_t eqe[DESK_MAX];
	uint64_t placed_at[DESK_MAX]; /* cycle of each READ response */
};

/* RC in RTS, nothing posted, time `now`. */
struct desk *desk_open(uint64_t now);
void desk_close(struct desk *d);

/* A work request; its packets are out (the requester's state says so) if `sent`.  Its block. */
uint16_t desk_post(struct desk *d, unsigned int op, uint32_t len, bool sent);
void desk_post_key(struct desk *d, unsigned int op, uint32_t len, uint32_t key, bool sent);
/* The descriptor of a work request of one block and one packet. */
void desk_describe(struct desk *d, uint16_t index, uint32_t psn, unsigned int op, uint32_t len);
/* A block that cannot be read. */
void desk_post_broken(struct desk *d);
/* The state of the requester or the configuration was changed: hand it over. */
void desk_put(struct desk *d);
/* Overwrite the completer's own state. */
void desk_put_cmp(struct desk *d);
void desk_error(struct desk *d, unsigned int status, unsigned int vendor);

/*
 * The QP is another one of the same number, with the same PSNs, and is where the present one is in
 * its oldest request; that is a READ or atomic with two elements: `first` bytes, and the rest
 * DESK_APART further on.
 */
#define DESK_APART 0x10000u
void desk_another(struct desk *d, uint32_t first);

void desk_kick(struct desk *d);
void desk_timer(struct desk *d, uint64_t deadline);
void desk_response(struct desk *d, unsigned int opcode, uint32_t psn, unsigned int syndrome,
		   uint32_t msn, unsigned int len);
/* The same, and go on at once. */
void desk_begin(struct desk *d, unsigned int opcode, uint32_t psn, unsigned int syndrome,
		unsigned int len);
void desk_ack(struct desk *d, uint32_t psn, unsigned int syndrome);
/* Time jumps to `now`; everything due happens; then the completer's part is looked at. */
void desk_time(struct desk *d, uint64_t now);
/* The requester begins again where the completer says. */
void desk_resume(struct desk *d);

static inline uint32_t desk_una(const struct desk *d)
{
	return CAIRN_GET(d->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN);
}

static inline unsigned int desk_epoch(const struct desk *d)
{
	return CAIRN_GET(d->cmp.una, CAIRN_QP_CMP_UNA_GB_EPOCH);
}

#define desk_expect_cqe(d, i, op, st, ve)                                         \
	do {                                                                      \
		vtb_check((d)->tb, (d)->cqes > (i));                              \
		vtb_check_eq((d)->tb, (d)->cqe[i].opcode, CAIRN_CQE_OP_##op);     \
		vtb_check_eq((d)->tb, (d)->cqe[i].status, CAIRN_WC_STATUS_##st);  \
		vtb_check_eq((d)->tb, (d)->cqe[i].vendor, CAIRN_VENDOR_ERR_##ve); \
	} while (0)

#endif
