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

int cairn_create_srq(struct cairn_pd *pd, struct cairn_srq_init *init, struct cairn_srq **out)
{
	struct cairn_dev *dev = pd->dev;
	struct cairn_request create = { .op = CAIRN_CMD_OP_CREATE_SRQ };
	struct cairn_srq *srq;
	size_t slot_bytes;
	int64_t number;
	int err = cairn_dev_alive(dev);

	if (!err)
		err = check_init(dev, init);
	if (err)
		return err;
	srq = calloc(1, sizeof(*srq));
	if (!srq)
		return cairn_refuse(-ENOMEM, "out of memory for an SRQ");
	number = cairn_space_take(&dev->numbers[OBJECT_SRQ], 1);
	if (number < 0) {
		err = cairn_refuse(-ENOSPC, "all %u SRQs are in use", dev->caps.max_srq);
		goto err_free;
	}
	srq->dev = dev;
	srq->pd = pd;
	srq->srqn = (uint32_t)number;
	srq->log2 = log2_up(init->max_wr) > MIN_LOG2 ? log2_up(init->max_wr) : MIN_LOG2;
	srq->stride = stride_for(init->max_sge);
	srq->db = cairn_db_or_shared(dev, init->db);
	srq->user = init->user;
	slot_bytes = ((size_t)CAIRN_SGE_BYTES * srq->stride) << srq->log2;
	err = cairn_dma_alloc(dev, slot_bytes + (sizeof(uint32_t) << srq->log2), &srq->mem);
	if (err)
		goto err_number;
	srq->slots = srq->mem.va;
	srq->ring = (void *)((uint8_t *)srq->mem.va + slot_bytes);
	create.number = srq->srqn;
	create.arg[0] = srq->mem.iova;
	create.arg[1] = srq->mem.iova + slot_bytes;
	create.arg[2] = srq->log2;
	create.arg[3] = srq->stride;
	create.arg[4] = pd->pdn;
	create.arg5 = srq->db->page;
	cairn_dev_publish(dev, OBJECT_SRQ, srq->srqn, srq);
	err = cairn_cmd(dev, &create);
	if (err)
		goto err_mem;
	cairn_use(dev, &pd->users);
	init->max_wr = 1u << srq->log2;
	init->max_sge = srq->stride;
	*out = srq;
	return 0;

err_mem:
	cairn_dev_publish(dev, OBJECT_SRQ, srq->srqn, NULL);
	cairn_dma_free(dev, &srq->mem);
err_number:
	cairn_space_give(&dev->numbers[OBJECT_SRQ], (uint32_t)number, 1);
err_free:
	free(srq);
	return err;
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
	struct cairn_dev *dev = srq->dev;
	struct cairn_request destroy = { .op = CAIRN_CMD_OP_DESTROY_SRQ, .number = srq->srqn };
	int err = cairn_unused(dev, &srq->users, "SRQ", srq->srqn, "QPs");

	if (!err)
		err = cairn_cmd_end(dev, &destroy);
	if (err)
		return err;
	cairn_dev_publish(dev, OBJECT_SRQ, srq->srqn, NULL);
	cairn_eqs_forget(dev, OBJECT_SRQ, srq->srqn);
	cairn_dma_free(dev, &srq->mem);
	cairn_space_give(&dev->numbers[OBJECT_SRQ], srq->srqn, 1);
	cairn_unuse(dev, &srq->pd->users);
	free(srq);
	return 0;
}
