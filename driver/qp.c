// SPDX-License-Identifier: Apache-2.0
/*
 * Queue pairs: both rings in one piece of shared memory, a random number that rests after use, and
 * the commands that move a QP through its states.  What goes into the rings is the provider's
 * business.
 */
#include <stdio.h>
#include <string.h>

#include "priv.h"

#define GSI_QPN 1u
#define MIN_SQ_LOG2 2u

/* struct cairn_wqe: 32 bytes of header, then elements or inline bytes; UD fills the first block
 * with its header. */
unsigned int cairn_wqe_blocks(enum cairn_qp_type type, unsigned int sge, unsigned int inline_bytes)
{
	bool ud = type == CAIRN_QP_TYPE_UD || type == CAIRN_QP_TYPE_GSI;
	unsigned int room = ud ? 0 : 32, bytes = sge * CAIRN_SGE_BYTES;

	if (bytes < inline_bytes)
		bytes = inline_bytes;
	return 1 + (bytes > room ? (bytes - room + CAIRN_SQ_BLOCK_BYTES - 1) / CAIRN_SQ_BLOCK_BYTES
				 : 0);
}

static int check_init(const struct cairn_dev *dev, const struct cairn_qp_init *init)
{
	const struct cairn_dev_caps *caps = &dev->caps;
	/* With an SRQ there are no receives of its own: whatever it asks for. */
	unsigned int recv_wr = init->srq ? 0 : init->max_recv_wr;
	unsigned int recv_sge = init->srq ? 0 : init->max_recv_sge;

	if (!init->send_cq || !init->recv_cq)
		return cairn_refuse(-EINVAL, "a QP needs a send and a receive CQ");
	if (init->max_send_sge > caps->max_sge || recv_sge > caps->max_sge)
		return cairn_refuse(-EINVAL, "QP with %u send and %u receive elements: at most %u",
				    init->max_send_sge, recv_sge, caps->max_sge);
	if (init->max_inline > caps->max_inline)
		return cairn_refuse(-EINVAL, "QP with %u inline bytes: at most %u",
				    init->max_inline, caps->max_inline);
	if (init->max_send_wr > caps->max_qp_wr || recv_wr > caps->max_qp_wr)
		return cairn_refuse(-EINVAL, "QP with %u send and %u receive requests: at most %u",
				    init->max_send_wr, recv_wr, caps->max_qp_wr);
	return 0;
}

/* Ring sizes; writes what results back to init. */
static int size_rings(const struct cairn_dev *dev, struct cairn_qp *qp, struct cairn_qp_init *init)
{
	unsigned int blocks = cairn_wqe_blocks(
		init->type, init->max_send_sge ? init->max_send_sge : 1, init->max_inline);
	unsigned int wr = init->max_send_wr ? init->max_send_wr : 1;

	qp->sq_log2 = log2_up((uint64_t)wr * blocks);
	if (qp->sq_log2 < MIN_SQ_LOG2)
		qp->sq_log2 = MIN_SQ_LOG2;
	if (blocks > CAIRN_MAX_WQE_BLOCKS || qp->sq_log2 > CAIRN_MAX_RING_LOG2 ||
	    1u << qp->sq_log2 > dev->caps.max_qp_wr)
		return cairn_refuse(
			-EINVAL,
			"%u send requests of %u blocks each do not fit the longest ring (%u blocks); "
			"ask for fewer requests, elements or inline bytes",
			wr, blocks, dev->caps.max_qp_wr);
	init->max_send_wr = (1u << qp->sq_log2) / blocks;
	if (qp->srq || (!init->max_recv_wr && !init->max_recv_sge)) {
		init->max_recv_wr = init->max_recv_sge = 0;
		return 0;
	}
	wr = init->max_recv_wr ? init->max_recv_wr : 1;
	qp->rq_log2 = log2_up(wr);
	/* A power of two, so that no entry crosses a page. */
	qp->rq_stride = 1u << log2_up(init->max_recv_sge ? init->max_recv_sge : 1);
	init->max_recv_wr = 1u << qp->rq_log2;
	init->max_recv_sge = qp->rq_stride;
	return 0;
}

static size_t sq_bytes(const struct cairn_qp *qp)
{
	return (size_t)CAIRN_SQ_BLOCK_BYTES << qp->sq_log2;
}

static size_t rq_bytes(const struct cairn_qp *qp)
{
	return ((size_t)CAIRN_SGE_BYTES * qp->rq_stride) << qp->rq_log2;
}

/* CAIRN_ANY, or the one that it is to have. */
static int number_for(const struct cairn_dev *dev, const struct cairn_qp_init *init, uint32_t *qpn)
{
	uint32_t limit = dev->numbers[OBJECT_QP].limit;

	*qpn = init->type == CAIRN_QP_TYPE_GSI ? GSI_QPN : init->qpn;
	if (*qpn != CAIRN_ANY &&
	    (*qpn >= limit || (*qpn == GSI_QPN && init->type != CAIRN_QP_TYPE_GSI)))
		return cairn_refuse(-EINVAL, "QPN %u: outside %u to %u", *qpn, dev->caps.qpn_first,
				    limit - 1);
	return 0;
}

static void describe(const struct cairn_qp *qp, struct cairn_qp_create *create)
{
	memset(create, 0, sizeof(*create));
	create->type = qp->type;
	create->pd = qp->pd->pdn;
	create->sq_cqn = qp->send_cq->cqn;
	create->rq_cqn = qp->recv_cq->cqn;
	create->srqn = qp->srq ? qp->srq->srqn : CAIRN_NO_NUMBER;
	create->sq_log2 = qp->sq_log2;
	create->sq_base = qp->mem.iova;
	if (qp->rq_stride) {
		create->rq_log2 = qp->rq_log2;
		create->rq_stride = qp->rq_stride;
		create->rq_base = qp->mem.iova + sq_bytes(qp);
	}
	create->db_page = qp->db->page;
	create->async_eqn = CAIRN_EQN_ASYNC;
	create->user = (uintptr_t)qp;
}

static void use_all(struct cairn_qp *qp, void (*count)(struct cairn_dev *dev, unsigned int *users))
{
	count(qp->dev, &qp->pd->users);
	count(qp->dev, &qp->send_cq->users);
	count(qp->dev, &qp->recv_cq->users);
	if (qp->srq)
		count(qp->dev, &qp->srq->users);
}

static struct cairn_object object_of(struct cairn_qp *qp)
{
	return (struct cairn_object){
		.dev = qp->dev,
		.kind = OBJECT_QP,
		.self = qp,
		.number = &qp->qpn,
		.mem = &qp->mem,
	};
}

/* What it is to be, with nothing taken for it. */
static struct cairn_qp *qp_new(struct cairn_pd *pd, const struct cairn_qp_init *init)
{
	struct cairn_qp *qp = calloc(1, sizeof(*qp));

	if (!qp)
		return NULL;
	qp->dev = pd->dev;
	qp->pd = pd;
	qp->type = init->type;
	qp->send_cq = init->send_cq;
	qp->recv_cq = init->recv_cq;
	qp->srq = init->srq;
	qp->db = cairn_db_or_shared(pd->dev, init->db);
	qp->user = init->user;
	qp->held_slot = CAIRN_ANY;
	return qp;
}

int cairn_create_qp(struct cairn_pd *pd, struct cairn_qp_init *wanted, struct cairn_qp **out)
{
	struct cairn_dev *dev = pd->dev;
	struct cairn_qp_create attr;
	struct cairn_request create = { .op = CAIRN_CMD_OP_CREATE_QP,
					.in = &attr,
					.len = sizeof(attr) };
	struct cairn_qp_init init = *wanted;
	struct cairn_object object;
	struct cairn_qp *qp;
	uint32_t qpn;
	int err = check_init(dev, &init);

	if (err)
		return err;
	qp = qp_new(pd, &init);
	if (!qp)
		return cairn_refuse(-ENOMEM, "out of memory for a QP");
	err = size_rings(dev, qp, &init);
	if (!err)
		err = number_for(dev, &init, &qpn);
	if (err) {
		free(qp);
		return err;
	}
	object = object_of(qp);
	err = cairn_object_take(&object, qpn, sq_bytes(qp) + rq_bytes(qp));
	if (err)
		return err;
	qp->sq = qp->mem.va;
	qp->rq = (void *)((uint8_t *)qp->mem.va + sq_bytes(qp));
	describe(qp, &attr);
	err = cairn_object_make(&object, &create);
	if (err)
		return err;
	qp->owner = cairn_wqe_owner(qp->qpn, create.value0);
	use_all(qp, cairn_use);
	*wanted = init;
	*out = qp;
	return 0;
}

/* "AV RQ_PSN", or "nothing" */
static const char *list_attributes(uint32_t mask, char *text, size_t size)
{
	size_t n = 0;

	snprintf(text, size, "nothing");
	for (uint32_t bit = 1; bit && n < size; bit <<= 1)
		if (mask & bit)
			n += (size_t)snprintf(text + n, size - n, "%s%s", n ? " " : "",
					      cairn_enum_name("qp_mask", bit));
	return text;
}

static int wrong_mask(const struct cairn_qp *qp, const struct cairn_request *modify)
{
	char missing[160], extra[160];

	return cairn_refuse(-EINVAL,
			    "QP %u cannot move like that: missing attributes: %s; not allowed: %s",
			    qp->qpn, list_attributes(modify->value0, missing, sizeof(missing)),
			    list_attributes(modify->value1, extra, sizeof(extra)));
}

int cairn_modify_qp(struct cairn_qp *qp, const struct cairn_qp_attr *attr, uint32_t mask)
{
	struct cairn_request modify = {
		.op = CAIRN_CMD_OP_MODIFY_QP,
		.number = qp->qpn,
		.arg = { mask },
		.in = attr,
		.len = sizeof(*attr),
	};
	int err = cairn_cmd(qp->dev, &modify);

	if (modify.status == CAIRN_CMD_STATUS_BAD_MASK)
		return wrong_mask(qp, &modify);
	if (err || !(mask & CAIRN_QP_MASK_STATE))
		return err;
	qp->state = attr->state;
	if (attr->state == CAIRN_QP_STATE_RESET) {
		/* Indices start again: what stands in the rings must not look like new entries. */
		memset(qp->mem.va, 0, qp->mem.len);
		qp->sq_pi = 0;
		qp->rq_pi = 0;
		qp->held_slot = modify.value0;
		qp->owner = cairn_wqe_owner(qp->qpn, modify.value1);
	}
	return 0;
}

int cairn_query_qp(struct cairn_qp *qp, struct cairn_qp_attr *attr)
{
	struct cairn_request query = {
		.op = CAIRN_CMD_OP_QUERY_QP,
		.number = qp->qpn,
		.out = attr,
		.len = sizeof(*attr),
	};

	return cairn_cmd(qp->dev, &query);
}

int cairn_stop_qp(struct cairn_qp *qp, uint32_t *held_slot)
{
	struct cairn_object object = object_of(qp);

	return cairn_object_end(&object, held_slot);
}

void cairn_release_qp(struct cairn_qp *qp)
{
	struct cairn_object object = object_of(qp);

	use_all(qp, cairn_unuse);
	cairn_object_give(&object);
}

int cairn_destroy_qp(struct cairn_qp *qp, uint32_t *held_slot)
{
	int err = cairn_stop_qp(qp, held_slot);

	if (!err)
		cairn_release_qp(qp);
	return err;
}

static int mcast(struct cairn_qp *qp, enum cairn_cmd_op op, const uint8_t gid[16])
{
	struct cairn_request r = { .op = op, .number = qp->qpn };

	memcpy(r.arg, gid, 16);
	return op == CAIRN_CMD_OP_DETACH_MCAST ? cairn_cmd_end(qp->dev, &r)
					       : cairn_cmd(qp->dev, &r);
}

int cairn_attach_mcast(struct cairn_qp *qp, const uint8_t gid[16])
{
	return mcast(qp, CAIRN_CMD_OP_ATTACH_MCAST, gid);
}

int cairn_detach_mcast(struct cairn_qp *qp, const uint8_t gid[16])
{
	return mcast(qp, CAIRN_CMD_OP_DETACH_MCAST, gid);
}

uint32_t cairn_random_psn(struct cairn_dev *dev)
{
	struct cairn_space *space = &dev->numbers[OBJECT_QP];
	uint32_t psn;

	pthread_mutex_lock(&space->lock);
	psn = (uint32_t)(cairn_rng_u64(&space->rng) >> 40);
	pthread_mutex_unlock(&space->lock);
	return psn;
}
