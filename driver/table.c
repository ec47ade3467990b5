// SPDX-License-Identifier: Apache-2.0
/*
 * The record tables in host memory: allocated zeroed at open, handed over with SETUP_TABLE, the
 * device's until the function is reset.  Only the page lists (MTT) are written by the driver.
 */

#include "priv.h"

/* Sizes unless others are asked for: 30 MB in all, of which untouched pages cost nothing on the
 * simulator. */
static const struct {
	enum cairn_table table;
	uint32_t record; /* bytes of an entry */
	unsigned int log2;
	const char *what;
} layout[TABLES] = {
	{ CAIRN_TABLE_QP, CAIRN_QP_HOT_BYTES, 14, "QPs" },
	{ CAIRN_TABLE_QP_COLD, sizeof(struct cairn_qp_cold), 14, "QPs" },
	{ CAIRN_TABLE_RSP_RES, CAIRN_RSP_RES_BYTES *CAIRN_RSP_RES_PER_QP, 14, "QPs" },
	{ CAIRN_TABLE_CQ, sizeof(struct cairn_cq_ctx), 14, "CQs" },
	{ CAIRN_TABLE_SRQ, sizeof(struct cairn_srq_ctx), 12, "SRQs" },
	{ CAIRN_TABLE_MPT, sizeof(struct cairn_mpt), 16, "memory regions" },
	{ CAIRN_TABLE_MTT, sizeof(struct cairn_mtt), 20, "page list entries" },
};

static unsigned int floor_log2(uint32_t n)
{
	return n ? 31 - (unsigned int)__builtin_clz(n) : 0;
}

/* Entries of each: what was asked for, or the default, cut to what the device can index; 0: it has
 * none.  caps NULL: not known yet. */
static void choose(const struct cairn_opts *opts, const struct cairn_dev_caps *caps,
		   uint32_t limit[TABLES], unsigned int log2[TABLES])
{
	const unsigned int wanted[TABLES] = {
		opts->qps_log2,	 opts->qps_log2, opts->qps_log2,  opts->cqs_log2,
		opts->srqs_log2, opts->mrs_log2, opts->mtts_log2,
	};

	for (unsigned int i = 0; i < TABLES; i++)
		limit[i] = 1u << 31;
	if (caps) {
		limit[CAIRN_TABLE_QP] = limit[CAIRN_TABLE_QP_COLD] = limit[CAIRN_TABLE_RSP_RES] =
			caps->max_qp;
		limit[CAIRN_TABLE_CQ] = caps->max_cq;
		limit[CAIRN_TABLE_SRQ] = caps->max_srq;
		limit[CAIRN_TABLE_MPT] = caps->max_mr;
		limit[CAIRN_TABLE_MTT] = caps->max_mtt;
	}
	for (unsigned int i = 0; i < TABLES; i++) {
		log2[i] = wanted[i] ? wanted[i] : layout[i].log2;
		if (log2[i] > floor_log2(limit[i]))
			log2[i] = floor_log2(limit[i]);
	}
}

uint64_t cairn_open_bytes(const struct cairn_opts *opts, const struct cairn_dev_caps *caps)
{
	unsigned int log2[TABLES];
	uint32_t limit[TABLES];
	uint64_t sum = 0;

	choose(opts, caps, limit, log2);
	for (unsigned int i = 0; i < TABLES; i++)
		sum += limit[i] ? (uint64_t)layout[i].record << log2[i] : 0;
	return sum + round_up(cairn_eqs_bytes(log2[CAIRN_TABLE_QP], log2[CAIRN_TABLE_CQ],
					      opts->comp_vectors),
			      DMA_CHUNK_BYTES);
}

static int table_create(struct cairn_dev *dev, unsigned int index, unsigned int log2,
			struct cairn_batch *batch)
{
	struct cairn_host_table *table = &dev->tables[index];
	size_t len = (size_t)layout[index].record << log2;
	struct cairn_request *setup;
	int err;

	dev->bus->dma_soon -= len;
	err = cairn_dma_alloc(dev, len, &table->mem);
	if (err)
		return err;
	table->log2 = log2;
	setup = cairn_batch_add(batch, CAIRN_CMD_OP_SETUP_TABLE);
	setup->number = layout[index].table;
	setup->arg[0] = log2;
	setup->ptr = table->mem.iova;
	return 0;
}

int cairn_tables_create(struct cairn_dev *dev, const struct cairn_opts *opts,
			struct cairn_batch *batch)
{
	unsigned int log2[TABLES];
	uint32_t limit[TABLES];
	int err = 0;

	choose(opts, &dev->caps, limit, log2);
	dev->bus->dma_soon = cairn_open_bytes(opts, &dev->caps);
	for (unsigned int i = 0; i < TABLES && !err; i++) {
		if (i == CAIRN_TABLE_SRQ && !limit[i])
			continue;
		if (limit[i] < 8)
			return cairn_fail(
				-EPROTO,
				"firmware offers %u %s, at least 8 are needed; load the image of "
				"this release",
				limit[i], layout[i].what);
		err = table_create(dev, i, log2[i], batch);
	}
	return err;
}

void cairn_tables_free(struct cairn_dev *dev)
{
	for (unsigned int i = 0; i < TABLES; i++) {
		cairn_dma_free(dev, &dev->tables[i].mem);
		dev->tables[i].log2 = 0;
	}
}
