/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two QPs that take from one SRQ of 16 slots (check 65), for test_srq*.c.  Every slot that is given
 * to the device comes back once: by a completion, or from the QP that held it when it was reset or
 * destroyed.  What the device says is left is what was given and has not come back.
 *
 * The sender's outcomes are in the ledger of rdma.h; the receiver's are judged here, as that ledger
 * knows nothing of slots: which message, its bytes, and that the device had the slot.
 */
#ifndef CAIRN_TEST_SRQ_H
#define CAIRN_TEST_SRQ_H

#include "rdma.h"

#define SRQ_SLOTS 16u
#define SRQ_LANES 2u
#define SRQ_RING 64u /* messages of a lane under way */

struct srq_message {
	enum cairn_wqe_op op;
	uint32_t from, len, imm, to; /* where in src; where in far, of a WRITE */
};

/* A QP of NIC 0 that sends to one of NIC 1 that has the SRQ. */
struct srq_lane {
	struct rdma_qp *tx, *rx;	   /* rx: NULL when it is destroyed */
	uint32_t qpn;			   /* of rx, also then */
	struct srq_message sent[SRQ_RING]; /* and not yet arrived */
	unsigned int head, tail;
	unsigned int flushed, failed; /* slots, in this life of rx */
	bool over;		      /* no slot of it may complete any more */
};

struct srq_scene {
	struct rdma *r;
	struct cairn_srq *srq;
	struct cairn_cq *cq; /* of both receivers; rdma.h does not know it */
	struct rdma_buf *src, *dst, *far;
	struct srq_lane lane[SRQ_LANES];
	uint32_t slot_len;
	bool given[SRQ_SLOTS];
	unsigned int arrived, taken_back;
};

/* The first lane is RC or UD, the second RC.  No slot is given yet.  cfg: of rdma_begin(). */
struct srq_scene srq_begin(enum cairn_qp_type first, uint32_t slot_len, const struct rdma_cfg *cfg);
/* srq_all_usable(), then nothing may be left over; rdma_end(). */
void srq_end(struct srq_scene *s);

/* So many more slots, of those that are here in any order. */
void srq_give(struct srq_scene *s, unsigned int n);
/* That the device has. */
unsigned int srq_outside(const struct srq_scene *s);
/* That no message has taken, as the device says. */
unsigned int srq_left(struct srq_scene *s);
/* The one that is taken next, when so many are left. */
uint32_t srq_next_slot(const struct srq_scene *s, unsigned int left);
/* What an ended QP held, or CAIRN_ANY, is put on the ring again, as the provider does. */
void srq_take_back(struct srq_scene *s, uint32_t slot);
/* All 16 are given at once, each takes a message, and then none is left. */
void srq_all_usable(struct srq_scene *s);

/* Not rung. */
void srq_post(struct srq_scene *s, struct srq_lane *l, enum cairn_wqe_op op, uint32_t len,
	      enum cairn_wc_status expect);
/* So many of any kind and length that fits a slot. */
void srq_send(struct srq_scene *s, struct srq_lane *l, unsigned int n);
/* Judge what has arrived. */
void srq_take(struct srq_scene *s);
/* Run, judge what has arrived and what was sent. */
void srq_step(struct srq_scene *s, uint64_t cycles);
/* Until all has arrived and is acknowledged; now and then up to `refill` slots are given. */
void srq_finish(struct srq_scene *s, unsigned int refill);
bool srq_busy(const struct srq_scene *s);

/* Two new QPs, connected; those before are gone. */
void srq_create_lane(struct srq_scene *s, struct srq_lane *l, enum cairn_qp_type type);
/* Asynchronous events of the receiving NIC. */
unsigned int srq_events(struct srq_scene *s, enum cairn_eqe_type type, uint32_t number);

#endif
