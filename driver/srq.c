// SPDX-License-Identifier: Apache-2.0
/*
 * Shared receive queues: an array of slots, each with room for `stride` elements, and a ring of
 * slot numbers that says in which order the device takes them.
 */
#include "priv.h"

#define MIN_LOG2 4u

/* Elements of a receive entry are a power of two, so that none crosses a page. */
static unsigned int stride_for(unsigned int sge)
{
	return 1u << log2_up(sge ? sge : 1);
}

static int check_init(const struct cairn_dev *dev, const struct cairn_srq_init *init)
{
	const struct cairn_dev_caps *caps = &dev->caps;

	if (!caps->max_srq)
		return cairn_refuse(-EOPNOTSUPP, "this device has no shared receive queues");
	if (!init->max_wr || init->max_wr > caps->max_srq_wr || init->max_sge > caps->max_sge)
		return cairn_refuse(-EINVAL,
				    "SRQ of %u entries with %u elements: at most %u with %u",
				    init->max_wr, init->max_sge, caps->max_srq_wr, caps->max_sge);
	return 0;
}

static struct cairn_object object_of(struct cairn_srq *srq)
{
	return (struct cairn_object){
		.dev = srq->dev,
		.kind = OBJECT_SRQ,
		.self = srq,
		.number = &srq->srqn,
		.mem = &srq->mem,
		.users = &srq->users,
	};
}

static void describe(const struct cairn_srq *srq, size_t slot_bytes, struct cairn_request *create)
{
	create->arg[0] = srq->mem.iova;
	create->arg[1] = srq->mem.iova + slot_bytes;
	create->arg[2] = srq->log2;
	create->arg[3] = srq->stride;
	create->arg[4] = srq->pd->pdn;
	create->arg5 = srq->db->page;
}

int cairn_create_srq(struct cairn_pd *pd, struct cairn_srq_init *init, struct cairn_srq **out)
{
	struct cairn_dev *dev = pd->dev;
	struct cairn_request create = { .op = CAIRN_CMD_OP_CREATE_SRQ };
	struct cairn_object object;
	struct cairn_srq *srq;
	size_t slot_bytes;
	int err = check_init(dev, init);

	if (err)
		return err;
	srq = calloc(1, sizeof(*srq));
	if (!srq)
		return cairn_refuse(-ENOMEM, "out of memory for an SRQ");
	srq->dev = dev;
	srq->pd = pd;
	srq->log2 = log2_up(init->max_wr) > MIN_LOG2 ? log2_up(init->max_wr) : MIN_LOG2;
	srq->stride = stride_for(init->max_sge);
	srq->db = cairn_db_or_shared(dev, init->db);
	srq->user = init->user;
	slot_bytes = ((size_t)CAIRN_SGE_BYTES * srq->stride) << srq->log2;
	object = object_of(srq);
	err = cairn_object_take(&object, CAIRN_ANY, slot_bytes + (sizeof(uint32_t) << srq->log2));
	if (err)
		return err;
	srq->slots = srq->mem.va;
	srq->ring = (void *)((uint8_t *)srq->mem.va + slot_bytes);
	describe(srq, slot_bytes, &create);
	err = cairn_object_make(&object, &create);
	if (err)
		return err;
	cairn_use(dev, &pd->users);
	init->max_wr = 1u << srq->log2;
	init->max_sge = srq->stride;
	*out = srq;
	return 0;
}

int cairn_modify_srq(struct cairn_srq *srq, unsigned int limit)
{
	struct cairn_request modify = { .op = CAIRN_CMD_OP_MODIFY_SRQ,
					.number = srq->srqn,
					.arg = { limit } };

	return cairn_cmd(srq->dev, &modify);
}

int cairn_query_srq(struct cairn_srq *srq, unsigned int *limit, unsigned int *left)
{
	struct cairn_srq_ctx ctx;
	struct cairn_request query = {
		.op = CAIRN_CMD_OP_QUERY_SRQ,
		.number = srq->srqn,
		.out = &ctx,
		.len = sizeof(ctx),
	};
	int err = cairn_cmd(srq->dev, &query);

	if (err)
		return err;
	*left = query.value0;
	*limit = query.value1;
	return 0;
}

int cairn_destroy_srq(struct cairn_srq *srq)
{
	struct cairn_object object = object_of(srq);
	struct cairn_pd *pd = srq->pd;
	int err = cairn_object_drop(&object);

	if (!err)
		cairn_unuse(pd->dev, &pd->users);
	return err;
}
