/* SPDX-License-Identifier: Apache-2.0 */
/* Shared receive queues in directed tests of the responder. */
#ifndef RSP_SRQ_H
#define RSP_SRQ_H

#include "rsp_one.h"

/* Slot s receives into 1 KiB at SRQ_VA + 1024 s, key SRQ_KEY. */
#define SRQ_VA 0x7000000000ull
#define SRQ_KEY 0x444
#define SRQ_BUF(s) (0x40000u + 1024 * (s))

struct srq {
	unsigned int srqn, log2, stride;
	uint32_t slots, ring; /* where they are in memory */
	unsigned int posted;
};

/* Operation of the context port; its status. */
unsigned int srq_op(struct world *w, unsigned int what, uint32_t key, struct cairn_srq_ctx *rec,
		    const struct cairn_srq_ctx *mask);
void srq_init(struct world *w, const struct srq *s);
/* Ring entry, without the doorbell. */
void srq_put(struct world *w, struct srq *s, uint32_t slot);
void srq_doorbell(struct world *w, const struct srq *s);
/* Elements of a slot: `len` bytes in all, one in each element but the last. */
void srq_elements(struct world *w, const struct srq *s, unsigned int slot, unsigned int len);
/* The QP takes from the SRQ; its records from the start. */
void srq_use(struct world *w, uint32_t qpn, unsigned int type, unsigned int srqn);

#endif
