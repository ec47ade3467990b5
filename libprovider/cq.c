// SPDX-License-Identifier: Apache-2.0
/* Completion queues: everything but the polling, which is in poll.c. */
#include <stdlib.h>
#include <string.h>

#include "provider.h"
#include "queue.h"

/* What the extended API can read here; others (VLAN, flow and match tags) are not in a CQE. */
#define WC_FLAGS                                                                 \
	((uint64_t)IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP | \
	 IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)
/* A QPN of a forgotten entry: no QP has it. */
#define NO_QP CAIRN_MAX(CAIRN_CQE_QPN_OP_QPN)

static void count_channel(struct ibv_comp_channel *channel, int add)
{
	if (!channel)
		return;
	pthread_mutex_lock(&channel->context->mutex);
	channel->refcnt += add;
	pthread_mutex_unlock(&channel->context->mutex);
}

static void init(struct cq *cq, struct ibv_context *ctx, struct ibv_comp_channel *channel,
		 void *user, unsigned int cqe)
{
	cq->nic = to_context(ctx)->nic;
	cq->ibv.context = ctx;
	cq->ibv.channel = channel;
	cq->ibv.cq_context = user;
	cq->ibv.cqe = (int)cqe;
	pthread_mutex_init(&cq->ibv.mutex, NULL);
	pthread_cond_init(&cq->ibv.cond, NULL);
	pthread_mutex_init(&cq->command_lock, NULL);
	pthread_mutex_init(&cq->poll_lock, NULL);
	pthread_mutex_init(&cq->lock, NULL);
	pthread_mutex_init(&cq->arm_lock, NULL);
	cq->event.object = cq;
	if (channel)
		cq->queue = ((struct channel *)channel)->queue;
}

static struct cq *create(struct ibv_context *ctx, unsigned int cqe, void *user,
			 struct ibv_comp_channel *channel, unsigned int vector, struct pd *parent)
{
	struct context *context = to_context(ctx);
	struct cq *cq;
	int err;

	if (!cqe || cqe > context->nic->caps.max_cqe || (channel && channel->context != ctx) ||
	    vector >= (unsigned int)ctx->num_comp_vectors)
		return fail_null(EINVAL);
	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return fail_null(ENOMEM);
	init(cq, ctx, channel, user, cqe);
	cq->parent = parent;
	/* Without a channel nothing waits: no event queue entry is needed then. */
	err = cairn_create_cq(context->dev, cqe, channel ? vector : CAIRN_ANY, NULL, cq, &cq->hw);
	if (err) {
		free(cq);
		return fail_null(err);
	}
	cq->ibv.handle = cq->hw->cqn;
	count_channel(channel, 1);
	context_list(ctx, KIND_CQ, &cq->object, cq);
	return cq;
}

struct ibv_cq *cq_create(struct ibv_context *ctx, int cqe, void *user,
			 struct ibv_comp_channel *channel, int vector)
{
	struct cq *cq;

	if (cqe <= 0 || vector < 0)
		return fail_null(EINVAL);
	cq = create(ctx, (unsigned int)cqe, user, channel, (unsigned int)vector, NULL);
	return cq ? &cq->ibv : NULL;
}

struct ibv_cq_ex *cq_create_ex(struct ibv_context *ctx, struct ibv_cq_init_attr_ex *attr)
{
	struct cq *cq;
	bool with_domain = attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_PD;
	struct pd *parent = with_domain ? (struct pd *)attr->parent_domain : NULL;
	int err;

	/* The locks are taken in any case; an overrun cannot be ignored. */
	if (attr->comp_mask & ~(uint32_t)(IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD) ||
	    attr->wc_flags & ~WC_FLAGS ||
	    (attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS &&
	     attr->flags & ~(uint32_t)IBV_CREATE_CQ_ATTR_SINGLE_THREADED))
		return fail_null(EOPNOTSUPP);
	if (with_domain && (!parent || parent->ibv.context != ctx || !parent->base))
		return fail_null(EINVAL);
	cq = create(ctx, attr->cqe, attr->cq_context, attr->channel, attr->comp_vector, parent);
	if (!cq)
		return NULL;
	err = attr->wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK
		      ? wall_start(cq->hw->dev, &cq->wall)
		      : 0;
	if (err) {
		cq_destroy(&cq->ibv);
		return fail_null(err);
	}
	poll_set_ops(cq, attr->wc_flags);
	return &cq->ex;
}

/* There are at most that many completions that the program has not polled. */
static bool fits(const struct cq *cq, uint32_t cqe)
{
	uint32_t waiting = 0;

	for (uint32_t i = cq->hw->ci; i - cq->hw->ci < 1u << cq->hw->log2; i++) {
		if (!cairn_cq_written(cq->hw, i))
			break;
		cairn_rmb_after_phase();
		waiting += CAIRN_GET(cairn_cq_entry(cq->hw, i)->qpn_op, CAIRN_CQE_QPN_OP_QPN) !=
			   NO_QP;
	}
	return waiting <= cqe;
}

/*
 * EINVAL also where more completions wait than the new size: the device would take what its ring
 * has room for, which is more than was asked for.  Some may have come since they were counted, so
 * they are counted again when the new ring is in force, which then makes way for one of the old
 * size.  (When that cannot be had it stays: all that waits is in it.)
 */
static int resize(struct cq *cq, int cqe)
{
	int err;

	if (!fits(cq, (uint32_t)cqe))
		return EINVAL;
	err = -cairn_resize_cq(cq->hw, (unsigned int)cqe);
	if (!err && !fits(cq, (uint32_t)cqe) && !cairn_resize_cq(cq->hw, (unsigned int)cq->ibv.cqe))
		return EINVAL;
	if (!err)
		cq->ibv.cqe = cqe;
	return err;
}

int cq_resize(struct ibv_cq *ibv, int cqe)
{
	struct cq *cq = (struct cq *)ibv;
	int err;

	if (cqe <= 0)
		return EINVAL;
	err = context_usable(ibv->context);
	if (err)
		return err;
	pthread_mutex_lock(&cq->command_lock);
	pthread_mutex_lock(&cq->lock);
	pthread_mutex_lock(&cq->arm_lock); /* where there is one, the ring is looked at */
	err = resize(cq, cqe);
	pthread_mutex_unlock(&cq->arm_lock);
	pthread_mutex_unlock(&cq->lock);
	pthread_mutex_unlock(&cq->command_lock);
	return err;
}

int cq_modify(struct ibv_cq *ibv, struct ibv_modify_cq_attr *attr)
{
	struct cq *cq = (struct cq *)ibv;
	int err;

	if (attr->attr_mask & ~(uint32_t)IBV_CQ_ATTR_MODERATE)
		return EOPNOTSUPP;
	if (!attr->attr_mask)
		return 0;
	err = context_usable(ibv->context);
	if (err)
		return err;
	pthread_mutex_lock(&cq->command_lock);
	err = -cairn_modify_cq(cq->hw, attr->moderate.cq_count, attr->moderate.cq_period);
	pthread_mutex_unlock(&cq->command_lock);
	return err;
}

/* Who waits at the channel meanwhile finds its events, but no ring to look at. */
static void set_closing(struct cq *cq, bool closing)
{
	pthread_mutex_lock(&cq->arm_lock);
	cq->closing = closing;
	pthread_mutex_unlock(&cq->arm_lock);
}

int cq_destroy(struct ibv_cq *ibv)
{
	struct cq *cq = (struct cq *)ibv;
	struct ibv_comp_channel *channel = ibv->channel;
	int err;
	UNCANCELLED; /* the object is half gone while it waits for acknowledgements */

	err = context_usable(ibv->context);
	if (err)
		return err;
	set_closing(cq, true);
	err = -cairn_destroy_cq(cq->hw);
	if (err) {
		set_closing(cq, false);
		return err;
	}
	context_unlist(ibv->context, &cq->object);
	event_forget_cq(cq);
	event_forget_async(to_context(ibv->context), cq);
	/* What the program was given it must acknowledge first. */
	pthread_mutex_lock(&ibv->mutex);
	while (ibv->comp_events_completed != cq->comp_events ||
	       ibv->async_events_completed != cq->async_events)
		pthread_cond_wait(&ibv->cond, &ibv->mutex);
	pthread_mutex_unlock(&ibv->mutex);
	count_channel(channel, -1);
	pthread_mutex_destroy(&cq->command_lock);
	pthread_mutex_destroy(&cq->poll_lock);
	pthread_mutex_destroy(&cq->lock);
	pthread_mutex_destroy(&cq->arm_lock);
	pthread_mutex_destroy(&ibv->mutex);
	pthread_cond_destroy(&ibv->cond);
	free(cq);
	return 0;
}

/* Those at the front that belong to no QP any more give their places back. */
static void consume_forgotten(struct cq *cq)
{
	const struct cairn_cqe *cqe;
	uint32_t before = cq->hw->ci;

	while ((cqe = cairn_cq_next(cq->hw)) &&
	       CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN) == NO_QP)
		cairn_cq_consume(cq->hw);
	if (cq->hw->ci == before)
		return;
	cairn_cq_update(cq->hw);
	atomic_store_explicit(&cq->polled, cq->hw->ci, memory_order_relaxed);
}

/* In place, so that the order of the others stays: the entry then belongs to no QP. */
static void forget(struct cq *cq, const struct qp *qp)
{
	pthread_mutex_lock(&cq->lock);
	for (uint32_t i = cq->hw->ci; i - cq->hw->ci < 1u << cq->hw->log2; i++) {
		struct cairn_cqe *cqe = cairn_cq_entry(cq->hw, i);

		if (!cairn_cq_written(cq->hw, i))
			break;
		cairn_rmb_after_phase();
		if (CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN) != qp->ibv.qp_num)
			continue;
		if (cqe->wqe & CAIRN_CQE_WQE_SRQ && qp->ibv.srq)
			srq_complete((struct srq *)qp->ibv.srq,
				     CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX));
		CAIRN_SET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN, NO_QP);
	}
	consume_forgotten(cq);
	pthread_mutex_unlock(&cq->lock);
	event_cq_polled(cq);
}

void cq_forget_qp(struct qp *qp)
{
	forget((struct cq *)qp->ibv.send_cq, qp);
	if (qp->ibv.recv_cq != qp->ibv.send_cq)
		forget((struct cq *)qp->ibv.recv_cq, qp);
}
