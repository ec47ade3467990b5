/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data path's part of the driver, all inline: where a queue entry is, how a doorbell is rung,
 * whose turn the next completion is.  What goes into an entry is the provider's business
 * (libprovider/wr.c, cq.c).
 *
 * The caller holds the lock of the queue it touches. In here there is no lock, no allocation, and
 * no system call (but the one message that is a doorbell on the simulator's socket).
 *
 * Indices are free-running; the device knows their low 16 bits.  A producer may be at most 2^15 - 1
 * ahead of what it last rang, so a full ring of 32 Ki entries takes two doorbells.
 */
#ifndef CAIRN_QUEUE_H
#define CAIRN_QUEUE_H

#include <string.h>

#include "bus.h"
#include "cairn.h"
#include "mmio.h"

/* ---------------------------------------------------------------- doorbells */

static inline uint64_t cairn_db_word(uint32_t number, uint32_t index)
{
	return CAIRN_PUT(CAIRN_DOORBELL_WORD_NUMBER, number) |
	       CAIRN_PUT(CAIRN_DOORBELL_WORD_INDEX, index);
}

/* reg: CAIRN_DB_*. Entries written before are visible to the device when it sees the doorbell. */
static inline void cairn_db_ring(const struct cairn_db *db, uint32_t reg, uint64_t word)
{
	cairn_wmb_before_doorbell();
	if (db->map)
		cairn_mmio_write64(db->map + reg, word);
	else
		db->ops->doorbell(db->bus, db->offset + reg, word);
}

/* ---------------------------------------------------------------- send queue */

static inline struct cairn_wqe *cairn_sq_block(const struct cairn_qp *qp, uint32_t index)
{
	return &qp->sq[index & ((1u << qp->sq_log2) - 1)];
}

/* wqe.check of the block with that index. */
static inline uint32_t cairn_sq_check(const struct cairn_qp *qp, uint32_t index)
{
	return (uint32_t)(CAIRN_PUT(CAIRN_WQE_CHECK_INDEX, index) |
			  CAIRN_PUT(CAIRN_WQE_CHECK_OWNER, qp->owner));
}

/* Everything up to qp->sq_pi is ready. */
static inline void cairn_sq_ring(const struct cairn_qp *qp)
{
	cairn_db_ring(qp->db, CAIRN_DB_SQ, cairn_db_word(qp->qpn, qp->sq_pi));
}

/*
 * As cairn_sq_ring(), and hand the device the one WQE before sq_pi, which is a single block that
 * leaves its last 8 bytes unused (one element, or at most 24 inline bytes): their place is taken by
 * the doorbell.  It is in the ring already; a device that cannot use the push fetches it from
 * there.
 */
static inline void cairn_sq_push(const struct cairn_qp *qp)
{
	const struct cairn_db *db = qp->db;
	uint64_t block[8];

	memcpy(block, cairn_sq_block(qp, qp->sq_pi - 1), 56);
	block[7] = cairn_db_word(qp->qpn, qp->sq_pi);
	cairn_wmb_before_doorbell();
	if (db->map) {
		cairn_mmio_push(db->map + CAIRN_DB_PUSH, block);
		cairn_wmb_after_push();
	} else {
		db->ops->push(db->bus, db->offset + CAIRN_DB_PUSH, block);
	}
}

/* ---------------------------------------------------------------- receive queues */

/* First of qp->rq_stride elements; unused ones have length 0. */
static inline struct cairn_sge *cairn_rq_entry(const struct cairn_qp *qp, uint32_t index)
{
	return &qp->rq[(size_t)(index & ((1u << qp->rq_log2) - 1)) * qp->rq_stride];
}

static inline void cairn_rq_ring(const struct cairn_qp *qp)
{
	cairn_db_ring(qp->db, CAIRN_DB_RQ, cairn_db_word(qp->qpn, qp->rq_pi));
}

static inline struct cairn_sge *cairn_srq_slot(const struct cairn_srq *srq, uint32_t slot)
{
	return &srq->slots[(size_t)slot * srq->stride];
}

/* Put a filled slot on the ring; cairn_srq_ring() tells the device. */
static inline void cairn_srq_give(struct cairn_srq *srq, uint32_t slot)
{
	srq->ring[srq->pi++ & ((1u << srq->log2) - 1)] = slot;
}

static inline void cairn_srq_ring(const struct cairn_srq *srq)
{
	cairn_db_ring(srq->db, CAIRN_DB_SRQ, cairn_db_word(srq->srqn, srq->pi));
}

/* ---------------------------------------------------------------- completion queue */

static inline struct cairn_cqe *cairn_cq_entry(const struct cairn_cq *cq, uint32_t index)
{
	return &cq->ring[index & ((1u << cq->log2) - 1)];
}

/* Has the device written the entry with that index?
 * The phase is 1 on the first lap and toggles. */
static inline bool cairn_cq_written(const struct cairn_cq *cq, uint32_t index)
{
	uint32_t phase = cairn_read_once(&cairn_cq_entry(cq, index)->status) >> 31;

	return phase == (~(index >> cq->log2) & 1);
}

/* The next completion, or NULL.  Its words may be read; cairn_cq_consume() when done with it. */
static inline const struct cairn_cqe *cairn_cq_next(const struct cairn_cq *cq)
{
	if (!cairn_cq_written(cq, cq->ci))
		return NULL;
	cairn_rmb_after_phase();
	return cairn_cq_entry(cq, cq->ci);
}

static inline void cairn_cq_consume(struct cairn_cq *cq)
{
	cq->ci++;
}

/* Once per batch: let the device know how far we are, so that the ring does not look full. */
static inline void cairn_cq_update(const struct cairn_cq *cq)
{
	cairn_mb_before_index();
	cairn_write_once(&cq->ci_record->index, cq->ci);
}

/*
 * One event at the next completion (solicited: the next solicited or failed one) with an index of
 * at least `ci`; at once if it is there already.  Repeating it does no harm; of several before one
 * event the device may see the last only, so that one has to ask for all that is wanted.  Needs no
 * more than a lock of arm_seq.
 */
static inline void cairn_cq_arm_at(const struct cairn_cq *cq, uint32_t ci, bool solicited)
{
	uint64_t word = cairn_db_word(cq->cqn, ci);

	word |= CAIRN_PUT(CAIRN_DOORBELL_WORD_ARM_SEQ, cq->arm_seq);
	word |= CAIRN_PUT(CAIRN_DOORBELL_WORD_SOLICITED, solicited);
	cairn_db_ring(cq->db, CAIRN_DB_CQ_ARM, word);
}

/* The same for those after the ones consumed. */
static inline void cairn_cq_arm(const struct cairn_cq *cq, bool solicited)
{
	cairn_cq_update(cq);
	cairn_cq_arm_at(cq, cq->ci, solicited);
}

/* Call for each CQ event taken from the EQ, before the next arm. */
static inline void cairn_cq_event_consumed(struct cairn_cq *cq)
{
	cq->arm_seq = (cq->arm_seq + 1) & 3;
}

#endif
