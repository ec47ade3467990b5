// SPDX-License-Identifier: Apache-2.0
/* Queue pairs: creation, states, and the table that finds a QP by its number when polling. */
#include <stdlib.h>
#include <string.h>

#include "provider.h"
#include "queue.h"

/* Inline bytes that fit into the first block, behind the header. */
#define FIRST_BLOCK_INLINE 32u

static int hw_type(const struct cairn_dev_caps *caps, enum ibv_qp_type type,
		   enum cairn_qp_type *out)
{
	static const struct {
		uint32_t feature;
		enum cairn_qp_type hw;
	} types[] = {
		[IBV_QPT_RC] = { CAIRN_REG_FEATURES_RC, CAIRN_QP_TYPE_RC },
		[IBV_QPT_UC] = { CAIRN_REG_FEATURES_UC, CAIRN_QP_TYPE_UC },
		[IBV_QPT_UD] = { CAIRN_REG_FEATURES_UD, CAIRN_QP_TYPE_UD },
	};

	if ((unsigned int)type >= sizeof(types) / sizeof(types[0]) ||
	    !(caps->features & types[type].feature))
		return EOPNOTSUPP;
	*out = types[type].hw;
	return 0;
}

static uint32_t possible_ops(const struct cairn_dev_caps *caps, enum cairn_qp_type type)
{
	uint32_t ops = 0;

	static_assert(CAIRN_WQE_OPS <= 32, "a bit each");
	for (unsigned int op = 0; op < CAIRN_WQE_OPS; op++) {
		const struct cairn_wqe_info *info = &cairn_wqe_info[op];

		if (info->types >> type & 1 && !(info->needs & ~caps->features))
			ops |= 1u << op;
	}
	return ops;
}

static int publish(struct nic *nic, uint32_t qpn, struct qp *qp)
{
	struct qp_leaf *_Atomic *at = &nic->qps[qpn >> QP_LEAF_LOG2];
	struct qp_leaf *leaf = atomic_load(at), *fresh;

	if (!leaf) {
		fresh = calloc(1, sizeof(*fresh));
		if (!fresh)
			return ENOMEM;
		if (atomic_compare_exchange_strong(at, &leaf, fresh))
			leaf = fresh;
		else
			free(fresh);
	}
	atomic_store(&leaf->qp[qpn & ((1u << QP_LEAF_LOG2) - 1)], qp);
	return 0;
}

/* While the QP still has its number. */
static void unpublish(struct nic *nic, const struct qp *qp)
{
	struct qp_leaf *leaf = atomic_load(&nic->qps[qp->ibv.qp_num >> QP_LEAF_LOG2]);

	atomic_store(&leaf->qp[qp->ibv.qp_num & ((1u << QP_LEAF_LOG2) - 1)], NULL);
}

static void release(struct qp *qp)
{
	free(qp->sq);
	free(qp->rq);
	free(qp->groups);
	free(qp);
}

/* What was made, which is at least what was asked for. */
static void set_caps(struct qp *qp, const struct cairn_qp_init *made,
		     const struct cairn_dev_caps *caps)
{
	unsigned int room;

	qp->max_blocks = cairn_wqe_blocks(qp->hw->type, made->max_send_sge, made->max_inline);
	room = (qp->max_blocks - 1) * CAIRN_SQ_BLOCK_BYTES + (qp->ud ? 0 : FIRST_BLOCK_INLINE);
	qp->cap.max_send_wr = made->max_send_wr;
	qp->cap.max_recv_wr = made->max_recv_wr;
	qp->cap.max_send_sge = made->max_send_sge;
	qp->cap.max_recv_sge = made->max_recv_sge;
	qp->cap.max_inline_data = room < caps->max_inline ? room : caps->max_inline;
}

static int make_arrays(struct qp *qp)
{
	qp->sq = calloc(1u << qp->hw->sq_log2, sizeof(*qp->sq));
	qp->rq = calloc(1u << qp->hw->rq_log2, sizeof(*qp->rq));
	return qp->sq && qp->rq ? 0 : ENOMEM;
}

static void init_public(struct qp *qp, struct ibv_pd *pd, const struct ibv_qp_init_attr *attr)
{
	struct ibv_qp *ibv = &qp->ibv;

	ibv->context = pd->context;
	ibv->pd = pd;
	ibv->qp_context = attr->qp_context;
	ibv->send_cq = attr->send_cq;
	ibv->recv_cq = attr->recv_cq;
	ibv->srq = attr->srq;
	ibv->qp_num = ibv->handle = qp->hw->qpn;
	ibv->qp_type = attr->qp_type;
	ibv->state = IBV_QPS_RESET;
	qp->single = ((struct pd *)pd)->td != NULL;
	pthread_mutex_init(&ibv->mutex, NULL);
	pthread_cond_init(&ibv->cond, NULL);
	pthread_mutex_init(&qp->command_lock, NULL);
	pthread_mutex_init(&qp->sq_lock, NULL);
	pthread_mutex_init(&qp->rq_lock, NULL);
}

/*
 * Both CQs are there, and all is the context's: another NIC's number may be another object's on
 * this one, and another provider's object has not even our structure.
 */
static bool belong_together(const struct ibv_context *ctx, const struct ibv_qp_init_attr *attr)
{
	return attr->send_cq && attr->send_cq->context == ctx && attr->recv_cq &&
	       attr->recv_cq->context == ctx && (!attr->srq || attr->srq->context == ctx);
}

static struct qp *create(struct ibv_pd *pd, struct ibv_qp_init_attr *attr, bool gsi)
{
	struct nic *nic = to_context(pd->context)->nic;
	struct cairn_qp_init init = {
		.max_send_wr = attr->cap.max_send_wr,
		.max_recv_wr = attr->cap.max_recv_wr,
		.max_send_sge = attr->cap.max_send_sge ? attr->cap.max_send_sge : 1,
		.max_recv_sge = attr->cap.max_recv_sge,
		.max_inline = attr->cap.max_inline_data,
		.qpn = CAIRN_ANY,
	};
	int err = hw_type(&nic->caps, attr->qp_type, &init.type);
	struct qp *qp;

	if (gsi)
		init.type = CAIRN_QP_TYPE_GSI;
	if (!err && !belong_together(pd->context, attr))
		err = EINVAL;
	if (err)
		return fail_null(err);
	qp = calloc(1, sizeof(*qp));
	if (!qp)
		return fail_null(ENOMEM);
	init.send_cq = ((struct cq *)attr->send_cq)->hw;
	init.recv_cq = ((struct cq *)attr->recv_cq)->hw;
	init.srq = attr->srq ? ((struct srq *)attr->srq)->hw : NULL;
	init.user = qp;
	err = -cairn_create_qp(((struct pd *)pd)->hw, &init, &qp->hw);
	if (err)
		goto err_free;
	qp->nic = nic;
	qp->ud = attr->qp_type == IBV_QPT_UD;
	qp->ops = possible_ops(&nic->caps, init.type);
	qp->sq_mask = (1u << qp->hw->sq_log2) - 1;
	qp->rq_mask = (1u << qp->hw->rq_log2) - 1;
	qp->push = nic->caps.features & CAIRN_REG_FEATURES_PUSH;
	qp->sq_sig_all = attr->sq_sig_all;
	set_caps(qp, &init, &nic->caps);
	lat_qp_created(qp);
	err = make_arrays(qp);
	if (!err)
		err = publish(nic, qp->hw->qpn, qp);
	if (err)
		goto err_qp;
	init_public(qp, pd, attr);
	context_list(pd->context, KIND_QP, &qp->object, qp);
	attr->cap = qp->cap;
	return qp;

err_qp:
	lat_qp_destroyed(qp);
	cairn_destroy_qp(qp->hw, NULL);
err_free:
	release(qp);
	return fail_null(err);
}

struct ibv_qp *qp_create(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct qp *qp = create(pd, attr, false);

	return qp ? &qp->ibv : NULL;
}

struct ibv_qp *qp_create_gsi(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct qp *qp = create(pd, attr, true);

	return qp ? &qp->ibv : NULL;
}

struct ibv_qp *qp_create_ex(struct ibv_context *ctx, struct ibv_qp_init_attr_ex *attr)
{
	/* The head of the extended structure is the plain one. */
	struct ibv_qp_init_attr *plain = (struct ibv_qp_init_attr *)attr;
	struct qp *qp;
	int err = 0;

	if (attr->comp_mask & ~(uint32_t)(IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS |
					  IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) ||
	    (attr->comp_mask & IBV_QP_INIT_ATTR_CREATE_FLAGS && attr->create_flags))
		return fail_null(EOPNOTSUPP);
	if (!(attr->comp_mask & IBV_QP_INIT_ATTR_PD) || attr->pd->context != ctx)
		return fail_null(EINVAL);
	qp = create(attr->pd, plain, false);
	if (!qp)
		return NULL;
	if (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
		err = qp_ex_set_ops(qp, attr->send_ops_flags);
	if (err) {
		qp_destroy(&qp->ibv);
		return fail_null(err);
	}
	return &qp->ibv;
}

/* Programs set what they set for regions; a QP has a say in these, where the device has atomics. */
static uint32_t qp_access(unsigned int flags, bool atomics)
{
	return flags & (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
			(atomics ? IBV_ACCESS_REMOTE_ATOMIC : 0u));
}

static int convert(const struct ibv_qp_attr *from, int mask, bool atomics, struct cairn_qp_attr *to)
{
	memset(to, 0, sizeof(*to));
	to->state = from->qp_state; /* the enums agree */
	to->cur_state = from->cur_qp_state;
	to->path_mtu = from->path_mtu;
	to->qkey = from->qkey;
	to->rq_psn = from->rq_psn & 0xffffff;
	to->sq_psn = from->sq_psn & 0xffffff;
	to->dest_qpn = from->dest_qp_num;
	to->access = qp_access(from->qp_access_flags, atomics);
	to->pkey_index = from->pkey_index;
	to->port = from->port_num;
	to->max_rd_atomic = from->max_rd_atomic;
	to->max_dest_rd_atomic = from->max_dest_rd_atomic;
	to->min_rnr_timer = from->min_rnr_timer;
	to->timeout = from->timeout;
	to->retry_cnt = from->retry_cnt;
	to->rnr_retry = from->rnr_retry;
	to->en_sqd_notify = from->en_sqd_async_notify;
	if (mask & IBV_QP_AV) {
		struct cairn_ah_attr av;
		int err = ah_attr_convert(&from->ah_attr, &av);

		if (err)
			return err;
		memcpy(to->dgid, av.dgid, sizeof(to->dgid));
		to->sgid_index = av.sgid_index;
		to->flow_label = av.flow_label;
		to->tclass = av.tclass;
		to->hop_limit = av.hop_limit;
		to->sl = av.sl;
	}
	return 0;
}

static void return_slot(struct qp *qp, uint32_t slot)
{
	if (qp->ibv.srq && slot != CAIRN_ANY)
		srq_return((struct srq *)qp->ibv.srq, slot);
}

static void lock_rings(struct qp *qp)
{
	queue_lock(qp, &qp->sq_lock);
	queue_lock(qp, &qp->rq_lock);
}

static void unlock_rings(struct qp *qp)
{
	queue_unlock(qp, &qp->rq_lock);
	queue_unlock(qp, &qp->sq_lock);
}

/* Rings and indices are as new, and in RESET nothing is posted; what the CQs hold is of no QP. */
static void after_reset(struct qp *qp)
{
	cq_forget_qp(qp);
	lock_rings(qp);
	qp->build.open = false;
	atomic_store(&qp->sq_tail, 0);
	atomic_store(&qp->rq_tail, 0);
	unlock_rings(qp);
	return_slot(qp, qp->hw->held_slot);
	lat_qp_reset(qp);
}

int qp_modify(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask)
{
	struct qp *qp = (struct qp *)ibv;
	bool move = mask & IBV_QP_STATE;
	struct cairn_qp_attr hw;
	bool atomics = to_context(ibv->context)->nic->caps.features & CAIRN_REG_FEATURES_ATOMIC;
	int err = convert(attr, mask, atomics, &hw);

	if (!err)
		err = context_usable(ibv->context);
	if (!err && move && (unsigned int)attr->qp_state > IBV_QPS_ERR)
		err = EINVAL;
	if (err)
		return err;
	pthread_mutex_lock(&qp->command_lock);
	lock_rings(qp);
	err = -cairn_modify_qp(qp->hw, &hw, (uint32_t)mask);
	if (!err && mask & IBV_QP_QKEY)
		qp->qkey = attr->qkey;
	unlock_rings(qp);
	if (!err && move && attr->qp_state == IBV_QPS_RESET)
		after_reset(qp);
	if (!err && move)
		ibv->state = attr->qp_state;
	pthread_mutex_unlock(&qp->command_lock);
	return err;
}

static void convert_back(const struct cairn_qp_attr *from, struct ibv_qp_attr *to)
{
	memset(to, 0, sizeof(*to));
	to->qp_state = from->state;
	to->cur_qp_state = from->cur_state;
	to->path_mtu = from->path_mtu;
	to->path_mig_state = IBV_MIG_MIGRATED;
	to->qkey = from->qkey;
	to->rq_psn = from->rq_psn;
	to->sq_psn = from->sq_psn;
	to->dest_qp_num = from->dest_qpn;
	to->qp_access_flags = from->access;
	to->pkey_index = (uint16_t)from->pkey_index;
	to->port_num = (uint8_t)from->port;
	to->max_rd_atomic = (uint8_t)from->max_rd_atomic;
	to->max_dest_rd_atomic = (uint8_t)from->max_dest_rd_atomic;
	to->min_rnr_timer = (uint8_t)from->min_rnr_timer;
	to->timeout = (uint8_t)from->timeout;
	to->retry_cnt = (uint8_t)from->retry_cnt;
	to->rnr_retry = (uint8_t)from->rnr_retry;
	to->sq_draining = (uint8_t)from->sq_draining;
	to->en_sqd_async_notify = (uint8_t)from->en_sqd_notify;
	to->ah_attr.is_global = 1;
	to->ah_attr.port_num = PORT;
	to->ah_attr.sl = (uint8_t)from->sl;
	memcpy(to->ah_attr.grh.dgid.raw, from->dgid, sizeof(from->dgid));
	to->ah_attr.grh.sgid_index = (uint8_t)from->sgid_index;
	to->ah_attr.grh.flow_label = from->flow_label;
	to->ah_attr.grh.traffic_class = (uint8_t)from->tclass;
	to->ah_attr.grh.hop_limit = (uint8_t)from->hop_limit;
}

int qp_query(struct ibv_qp *ibv, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init)
{
	struct qp *qp = (struct qp *)ibv;
	struct cairn_qp_attr hw;
	int err;

	(void)mask; /* all of it, which is allowed */
	err = context_usable(ibv->context);
	if (err)
		return err;
	pthread_mutex_lock(&qp->command_lock);
	err = -cairn_query_qp(qp->hw, &hw);
	if (!err)
		ibv->state = hw.state;
	pthread_mutex_unlock(&qp->command_lock);
	if (err)
		return err;
	convert_back(&hw, attr);
	attr->cap = qp->cap;
	memset(init, 0, sizeof(*init));
	init->qp_context = ibv->qp_context;
	init->send_cq = ibv->send_cq;
	init->recv_cq = ibv->recv_cq;
	init->srq = ibv->srq;
	init->cap = qp->cap;
	init->qp_type = ibv->qp_type;
	init->sq_sig_all = qp->sq_sig_all;
	return 0;
}

int qp_destroy(struct ibv_qp *ibv)
{
	struct qp *qp = (struct qp *)ibv;
	uint32_t held = CAIRN_ANY;
	unsigned int n_groups;
	int err;
	UNCANCELLED; /* the object is half gone while it waits for acknowledgements */

	err = context_usable(ibv->context);
	if (err)
		return err;
	pthread_mutex_lock(&qp->command_lock);
	n_groups = qp->n_groups;
	pthread_mutex_unlock(&qp->command_lock);
	if (n_groups) /* ibv_destroy_qp(3) */
		return EBUSY;
	err = -cairn_stop_qp(qp->hw, &held);
	if (err)
		return err;
	/* What follows may wait for pollers: CQs, SRQ and number stay the QP's meanwhile. */
	cq_forget_qp(qp);
	unpublish(qp->nic, qp);
	cq_forget_qp(qp); /* no poller that found it before is still at it */
	return_slot(qp, held);
	lat_qp_destroyed(qp);
	context_unlist(ibv->context, &qp->object);
	cairn_release_qp(qp->hw);
	event_forget_async(to_context(ibv->context), qp);
	pthread_mutex_lock(&ibv->mutex);
	while (ibv->events_completed != qp->async_events)
		pthread_cond_wait(&ibv->cond, &ibv->mutex);
	pthread_mutex_unlock(&ibv->mutex);
	pthread_mutex_destroy(&qp->command_lock);
	pthread_mutex_destroy(&qp->sq_lock);
	pthread_mutex_destroy(&qp->rq_lock);
	pthread_mutex_destroy(&ibv->mutex);
	pthread_cond_destroy(&ibv->cond);
	release(qp);
	return 0;
}

/* IPv6, or IPv4 in the form that GIDs have. */
static bool is_group(const union ibv_gid *gid)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return gid->raw[0] == 0xff ||
	       (!memcmp(gid->raw, mapped, sizeof(mapped)) && gid->raw[12] >> 4 == 0xe);
}

static union ibv_gid *group_of(struct qp *qp, const union ibv_gid *gid)
{
	for (unsigned int i = 0; i < qp->n_groups; i++)
		if (!memcmp(&qp->groups[i], gid, sizeof(*gid)))
			return &qp->groups[i];
	return NULL;
}

/* Once more is no error, as with the kernel's providers. */
static int attach_to(struct qp *qp, const union ibv_gid *gid)
{
	union ibv_gid *groups;
	int err;

	if (group_of(qp, gid))
		return 0;
	groups = realloc(qp->groups, (qp->n_groups + 1) * sizeof(*groups));
	if (!groups)
		return ENOMEM;
	qp->groups = groups;
	err = -cairn_attach_mcast(qp->hw, gid->raw);
	if (!err)
		groups[qp->n_groups++] = *gid;
	return err;
}

static int detach_from(struct qp *qp, const union ibv_gid *gid)
{
	union ibv_gid *at = group_of(qp, gid);
	int err = at ? -cairn_detach_mcast(qp->hw, gid->raw) : EINVAL;

	if (!err)
		*at = qp->groups[--qp->n_groups];
	return err;
}

int qp_mcast(struct ibv_qp *ibv, const union ibv_gid *gid, bool attach)
{
	struct qp *qp = (struct qp *)ibv;
	int err;

	err = context_usable(ibv->context);
	if (err)
		return err;
	if (!qp->nic->caps.max_mcast_grp)
		return EOPNOTSUPP;
	if (!qp->ud || !is_group(gid))
		return EINVAL;
	pthread_mutex_lock(&qp->command_lock);
	err = attach ? attach_to(qp, gid) : detach_from(qp, gid);
	pthread_mutex_unlock(&qp->command_lock);
	return err;
}
