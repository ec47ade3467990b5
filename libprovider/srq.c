// SPDX-License-Identifier: Apache-2.0
/*
 * Shared receive queues.  A slot holds one receive from its post to its completion; slots complete
 * in any order.  The SRQ lock may be taken under a CQ lock (a completion frees its slot), never the
 * other way round.
 */
#include <stdlib.h>
#include <string.h>

#include "provider.h"
#include "queue.h"

static bool init(struct srq *srq, unsigned int slots)
{
	srq->wr_id = calloc(slots, sizeof(*srq->wr_id));
	srq->free = calloc(slots, sizeof(*srq->free));
	if (!srq->wr_id || !srq->free)
		return false;
	for (unsigned int i = 0; i < slots; i++)
		srq->free[i] = (uint16_t)(slots - 1 - i);
	srq->n_free = slots;
	pthread_mutex_init(&srq->command_lock, NULL);
	pthread_mutex_init(&srq->lock, NULL);
	pthread_mutex_init(&srq->ibv.mutex, NULL);
	pthread_cond_init(&srq->ibv.cond, NULL);
	return true;
}

static void release(struct srq *srq)
{
	free(srq->wr_id);
	free(srq->free);
	free(srq);
}

/* srq_limit means nothing yet (ibv_create_srq(3)): an empty queue is below any limit. */
struct ibv_srq *srq_create(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	const struct cairn_dev_caps *caps = &to_context(pd->context)->nic->caps;
	struct cairn_srq_init hw = { .max_wr = attr->attr.max_wr, .max_sge = attr->attr.max_sge };
	struct srq *srq;
	int err;

	if (!(caps->features & CAIRN_REG_FEATURES_SRQ))
		return fail_null(EOPNOTSUPP);
	srq = calloc(1, sizeof(*srq));
	if (!srq)
		return fail_null(ENOMEM);
	hw.user = srq;
	err = cairn_create_srq(((struct pd *)pd)->hw, &hw, &srq->hw);
	if (err)
		goto err_free;
	if (!init(srq, 1u << srq->hw->log2)) {
		err = ENOMEM;
		goto err_srq;
	}
	srq->max_wr = attr->attr.max_wr = 1u << srq->hw->log2;
	srq->max_sge = attr->attr.max_sge = srq->hw->stride;
	srq->ibv.context = pd->context;
	srq->ibv.srq_context = attr->srq_context;
	srq->ibv.pd = pd;
	srq->ibv.handle = srq->hw->srqn;
	context_list(pd->context, KIND_SRQ, &srq->object, srq);
	return &srq->ibv;

err_srq:
	cairn_destroy_srq(srq->hw);
err_free:
	release(srq);
	return fail_null(err);
}

struct ibv_srq *srq_create_ex(struct ibv_context *ctx, struct ibv_srq_init_attr_ex *attr)
{
	struct ibv_srq_init_attr plain = { .srq_context = attr->srq_context, .attr = attr->attr };
	struct ibv_srq *srq;

	if (attr->comp_mask & ~(uint32_t)(IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD) ||
	    (attr->comp_mask & IBV_SRQ_INIT_ATTR_TYPE && attr->srq_type != IBV_SRQT_BASIC))
		return fail_null(EOPNOTSUPP);
	if (!(attr->comp_mask & IBV_SRQ_INIT_ATTR_PD) || attr->pd->context != ctx)
		return fail_null(EINVAL);
	srq = srq_create(attr->pd, &plain);
	if (srq)
		attr->attr = plain.attr;
	return srq;
}

int srq_modify(struct ibv_srq *ibv, struct ibv_srq_attr *attr, int mask)
{
	struct srq *srq = (struct srq *)ibv;
	int err;

	err = context_usable(ibv->context);
	if (err)
		return err;
	if (mask & IBV_SRQ_MAX_WR)
		return EOPNOTSUPP; /* no resizing */
	if (!(mask & IBV_SRQ_LIMIT))
		return 0;
	if (attr->srq_limit > srq->max_wr)
		return EINVAL;
	pthread_mutex_lock(&srq->command_lock);
	err = -cairn_modify_srq(srq->hw, attr->srq_limit);
	pthread_mutex_unlock(&srq->command_lock);
	return err;
}

int srq_query(struct ibv_srq *ibv, struct ibv_srq_attr *attr)
{
	struct srq *srq = (struct srq *)ibv;
	unsigned int limit, left;
	int err = context_usable(ibv->context);

	if (err)
		return err;
	pthread_mutex_lock(&srq->command_lock);
	err = -cairn_query_srq(srq->hw, &limit, &left);
	pthread_mutex_unlock(&srq->command_lock);
	if (err)
		return err;
	attr->max_wr = srq->max_wr;
	attr->max_sge = srq->max_sge;
	attr->srq_limit = limit;
	return 0;
}

int srq_destroy(struct ibv_srq *ibv)
{
	struct srq *srq = (struct srq *)ibv;
	int err = -cairn_destroy_srq(srq->hw);
	UNCANCELLED; /* the object is half gone while it waits for acknowledgements */

	if (err)
		return err;
	context_unlist(ibv->context, &srq->object);
	event_forget_async(to_context(ibv->context), srq);
	pthread_mutex_lock(&ibv->mutex);
	while (ibv->events_completed != srq->async_events)
		pthread_cond_wait(&ibv->cond, &ibv->mutex);
	pthread_mutex_unlock(&ibv->mutex);
	pthread_mutex_destroy(&srq->command_lock);
	pthread_mutex_destroy(&srq->lock);
	pthread_mutex_destroy(&ibv->mutex);
	pthread_cond_destroy(&ibv->cond);
	release(srq);
	return 0;
}

int srq_post_recv(struct ibv_srq *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct srq *srq = (struct srq *)ibv;
	uint32_t before;
	int err = 0;

	if (is_inherited(ibv->context)) {
		*bad = wr;
		return ENODEV;
	}
	pthread_mutex_lock(&srq->lock);
	before = srq->hw->pi;
	for (; wr; wr = wr->next) {
		uint32_t slot;

		if (wr->num_sge < 0 || (unsigned int)wr->num_sge > srq->max_sge)
			err = EINVAL;
		else if (!srq->n_free)
			err = ENOMEM;
		if (err) {
			*bad = wr;
			break;
		}
		slot = srq->free[--srq->n_free];
		srq->wr_id[slot] = wr->wr_id;
		post_fill(cairn_srq_slot(srq->hw, slot), srq->hw->stride, wr->sg_list, wr->num_sge);
		cairn_srq_give(srq->hw, slot);
		/* A doorbell may not be a whole longest ring ahead. */
		if (srq->hw->pi - before > 1u << (CAIRN_MAX_RING_LOG2 - 1)) {
			cairn_srq_ring(srq->hw);
			before = srq->hw->pi;
		}
	}
	if (srq->hw->pi != before)
		cairn_srq_ring(srq->hw);
	pthread_mutex_unlock(&srq->lock);
	return err;
}

uint64_t srq_complete(struct srq *srq, uint32_t slot)
{
	uint64_t wr_id;

	slot &= (1u << srq->hw->log2) - 1;
	pthread_mutex_lock(&srq->lock);
	wr_id = srq->wr_id[slot];
	if (srq->n_free < 1u << srq->hw->log2)
		srq->free[srq->n_free++] = (uint16_t)slot;
	pthread_mutex_unlock(&srq->lock);
	return wr_id;
}

void srq_return(struct srq *srq, uint32_t slot)
{
	pthread_mutex_lock(&srq->lock);
	cairn_srq_give(srq->hw, slot & ((1u << srq->hw->log2) - 1));
	cairn_srq_ring(srq->hw);
	pthread_mutex_unlock(&srq->lock);
}
