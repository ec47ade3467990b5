// SPDX-License-Identifier: Apache-2.0
/*
 * Completion queues: ring and consumer record in one piece of shared memory.  The ring has twice
 * the entries asked for and at least 512, so that the device hardly ever has to read the consumer
 * record (docs/rtl/queues.md).
 */
#include <string.h>

#include "priv.h"
#include "queue.h"

#define MIN_LOG2 9u

static int ring_log2(const struct cairn_dev *dev, unsigned int depth, uint32_t *log2)
{
	if (!depth || depth > dev->caps.max_cqe)
		return cairn_refuse(-EINVAL, "a CQ of %u entries: 1 to %u are possible", depth,
				    dev->caps.max_cqe);
	*log2 = log2_up(2ull * depth);
	if (*log2 < MIN_LOG2)
		*log2 = MIN_LOG2;
	if (*log2 > CAIRN_MAX_RING_LOG2)
		*log2 = CAIRN_MAX_RING_LOG2;
	return 0;
}

/* The consumer record stands behind the ring. */
static uint64_t ring_bytes(uint32_t log2)
{
	return (uint64_t)CAIRN_CQE_BYTES << log2;
}

static struct cairn_cq_ci *ci_record(const struct cairn_dma *mem, uint32_t log2)
{
	return (void *)((uint8_t *)mem->va + ring_bytes(log2));
}

static uint64_t mem_bytes(uint32_t log2)
{
	return ring_bytes(log2) + sizeof(struct cairn_cq_ci);
}

static void describe(const struct cairn_cq *cq, const struct cairn_dma *mem, uint32_t log2,
		     struct cairn_cq_create *create)
{
	memset(create, 0, sizeof(*create));
	create->base = mem->iova;
	create->ci_iova = mem->iova + ring_bytes(log2);
	create->log2 = log2;
	create->eqn = cq->vector == CAIRN_ANY ? CAIRN_NO_NUMBER : cq->vector + 1;
	create->db_page = cq->db->page;
}

static struct cairn_object object_of(struct cairn_cq *cq)
{
	return (struct cairn_object){
		.dev = cq->dev,
		.kind = OBJECT_CQ,
		.self = cq,
		.number = &cq->cqn,
		.mem = &cq->mem,
		.users = &cq->users,
	};
}

int cairn_create_cq(struct cairn_dev *dev, unsigned int depth, unsigned int vector,
		    const struct cairn_db *db, void *user, struct cairn_cq **out)
{
	struct cairn_cq_create attr;
	struct cairn_request create = { .op = CAIRN_CMD_OP_CREATE_CQ,
					.in = &attr,
					.len = sizeof(attr) };
	struct cairn_object object;
	struct cairn_cq *cq;
	uint32_t log2;
	int err = ring_log2(dev, depth, &log2);

	if (!err && vector != CAIRN_ANY && vector >= dev->comp_vectors)
		err = cairn_refuse(-EINVAL, "completion vector %u: this device has %u", vector,
				   dev->comp_vectors);
	if (err)
		return err;
	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return cairn_refuse(-ENOMEM, "out of memory for a CQ");
	cq->dev = dev;
	object = object_of(cq);
	err = cairn_object_take(&object, CAIRN_ANY, mem_bytes(log2));
	if (err)
		return err;
	cq->log2 = log2;
	cq->vector = vector;
	cq->ring = cq->mem.va;
	cq->ci_record = ci_record(&cq->mem, log2);
	cq->db = cairn_db_or_shared(dev, db);
	cq->user = user;
	describe(cq, &cq->mem, log2, &attr);
	err = cairn_object_make(&object, &create);
	if (!err)
		*out = cq;
	return err;
}

int cairn_destroy_cq(struct cairn_cq *cq)
{
	struct cairn_object object = object_of(cq);

	return cairn_object_drop(&object);
}

/*
 * A new ring for entries from ci on.  A slot must not look written before its next index is: it
 * gets the phase that the lap before would have left.
 */
static void prepare_ring(struct cairn_cqe *ring, uint32_t log2, uint32_t ci)
{
	for (uint32_t i = ci; i - ci < 1u << log2; i++)
		ring[i & ((1u << log2) - 1)].status = i >> log2 & 1 ? CAIRN_CQE_STATUS_PHASE : 0;
}

/* Entries that were written and not polled, from the old ring to their places in the new one. */
static void carry_over(const struct cairn_cq *cq, struct cairn_cqe *ring, uint32_t log2,
		       uint32_t pi)
{
	for (uint32_t i = cq->ci; i != pi; i++) {
		struct cairn_cqe cqe = *cairn_cq_entry(cq, i);

		cqe.status &= ~CAIRN_CQE_STATUS_PHASE;
		cqe.status |= i >> log2 & 1 ? 0 : CAIRN_CQE_STATUS_PHASE;
		ring[i & ((1u << log2) - 1)] = cqe;
	}
}

/*
 * The device may write behind the switch before the command's completion is seen; what is carried
 * over goes to slots before that, and the device refuses when both do not fit.
 */
int cairn_resize_cq(struct cairn_cq *cq, unsigned int depth)
{
	struct cairn_dev *dev = cq->dev;
	struct cairn_request resize = {
		.op = CAIRN_CMD_OP_RESIZE_CQ,
		.number = cq->cqn,
		.len = sizeof(struct cairn_cq_create),
	};
	struct cairn_cq_create attr;
	struct cairn_cq_ci *record;
	struct cairn_dma mem;
	uint32_t log2;
	int err = ring_log2(dev, depth, &log2);

	if (!err)
		err = cairn_dma_alloc(dev, mem_bytes(log2), &mem);
	if (err)
		return err;
	record = ci_record(&mem, log2);
	record->index = cq->ci;
	prepare_ring(mem.va, log2, cq->ci);
	describe(cq, &mem, log2, &attr);
	resize.in = &attr;
	err = cairn_cmd(dev, &resize);
	if (err) {
		cairn_dma_free(dev, &mem);
		return err;
	}
	carry_over(cq, mem.va, log2, resize.value0);
	cairn_dma_free(dev, &cq->mem);
	cq->mem = mem;
	cq->ring = mem.va;
	cq->ci_record = record;
	cq->log2 = log2;
	return 0;
}

int cairn_modify_cq(struct cairn_cq *cq, unsigned int count, unsigned int period_us)
{
	struct cairn_request modify = {
		.op = CAIRN_CMD_OP_MODIFY_CQ,
		.number = cq->cqn,
		.arg = { count, period_us },
	};

	return cairn_cmd(cq->dev, &modify);
}

int cairn_query_cq(struct cairn_cq *cq, struct cairn_cq_ctx *ctx)
{
	struct cairn_request query = {
		.op = CAIRN_CMD_OP_QUERY_CQ,
		.number = cq->cqn,
		.out = ctx,
		.len = sizeof(*ctx),
	};

	return cairn_cmd(cq->dev, &query);
}
