// SPDX-License-Identifier: Apache-2.0
/* Memory regions and windows of the software device; every page list is walked. */
#include "fake_run.h"
#include "priv.h"

/* Page list entries are all valid, and lead to memory that is mapped. */
static void check_page_list(struct run *r)
{
	const struct cairn_cmd *c = r->cmd;
	uint32_t log2 = (uint32_t)CAIRN_GET(c->arg4, CAIRN_MPT_FLAGS_PAGE_LOG2);
	uint64_t first = c->arg0 >> log2, last = (c->arg0 + c->arg1 - 1) >> log2,
		 size = 1ull << log2;
	const uint64_t *list;

	if (log2 > 62 || !(r->f->caps.page_sizes & size)) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 12);
		return;
	}
	if (c->arg2 % 8 || c->arg2 + last - first + 1 > entries(r->f, CAIRN_TABLE_MTT)) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 8);
		return;
	}
	list = fake_mem(r->f, r->f->table_base[CAIRN_TABLE_MTT] + 8 * c->arg2,
			8 * (last - first + 1), CAIRN_DMA_READ);
	for (uint64_t i = 0; list && i <= last - first; i++) {
		uint64_t page = list[i] & ~0xfffull;
		uint64_t from = i ? 0 : c->arg0 & (size - 1);
		uint64_t to = i == last - first ? (c->arg0 + c->arg1 - 1) & (size - 1) : size - 1;

		if (!(list[i] & CAIRN_MTT_PTE_VALID) || page & (size - 1))
			fake_error(r->f, "page list entry %llu is 0x%llx", (unsigned long long)i,
				   (unsigned long long)list[i]);
		fake_mem(r->f, page + from, to - from + 1, CAIRN_DMA_READ);
	}
}

/* MR_FLAG_ALLOC: room for a page list, of which every entry is written already. */
static void alloc_mr(struct run *r)
{
	const struct cairn_cmd *c = r->cmd;
	uint32_t index = c->number >> 8;
	struct fake_mr *mr = &r->f->mrs[index % FAKE_NUMBERS];
	const uint64_t *list;

	if (!(r->f->caps.features & CAIRN_REG_FEATURES_MW)) {
		end(r, CAIRN_CMD_STATUS_NOT_SUPPORTED, 0);
	} else if (c->arg4 != CAIRN_MR_MODE_PAGED) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 12);
	} else if (c->arg0 || !c->arg1 || c->arg3 >= r->f->caps.max_pd) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, c->arg0 ? 4 : c->arg1 ? 10 : 6);
	} else if (c->arg2 % 8 || c->arg2 + c->arg1 > entries(r->f, CAIRN_TABLE_MTT)) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 8);
	} else if (!index || index >= entries(r->f, CAIRN_TABLE_MPT)) {
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	} else if (mr->live) {
		end(r, CAIRN_CMD_STATUS_EXISTS, CAIRN_CMD_DETAIL_NONE);
	} else {
		list = fake_mem(r->f, r->f->table_base[CAIRN_TABLE_MTT] + 8 * c->arg2, 8 * c->arg1,
				CAIRN_DMA_READ);
		for (uint64_t i = 0; list && i < c->arg1; i++)
			fake_mem(r->f, list[i] & ~0xfffull, 4096, CAIRN_DMA_READ);
		*mr = (struct fake_mr){ .live = true,
					.any_tag = true,
					.key = c->number,
					.length = c->arg1,
					.map = c->arg2,
					.pd = (uint32_t)c->arg3 };
	}
}

static void reg_mr(struct run *r)
{
	const struct cairn_cmd *c = r->cmd;
	uint32_t index = c->number >> 8, mode = (uint32_t)CAIRN_GET(c->arg4, CAIRN_MPT_FLAGS_MODE);
	uint32_t access = (uint32_t)CAIRN_GET(c->arg4, CAIRN_MPT_FLAGS_ACCESS);
	struct fake_mr *mr = &r->f->mrs[index % FAKE_NUMBERS];
	uint32_t writes = access & (CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC);

	if (!c->arg1 || c->arg1 > r->f->caps.max_mr_size) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 6);
	} else if (c->arg3 >= r->f->caps.max_pd) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 10);
	} else if (writes && !(access & CAIRN_ACCESS_LOCAL_WRITE)) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 12);
	} else if (!index || index >= entries(r->f, CAIRN_TABLE_MPT)) {
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	} else if (mr->live) {
		end(r, CAIRN_CMD_STATUS_EXISTS, CAIRN_CMD_DETAIL_NONE);
	} else {
		uint32_t perm = CAIRN_DMA_READ |
				(access & CAIRN_ACCESS_LOCAL_WRITE ? CAIRN_DMA_WRITE : 0);

		if (mode == CAIRN_MR_MODE_DIRECT)
			fake_mem(r->f, c->arg2, c->arg1, perm);
		else if (mode == CAIRN_MR_MODE_PAGED)
			check_page_list(r);
		else
			end(r, CAIRN_CMD_STATUS_BAD_PARAM, 12);
		if (r->status == CAIRN_CMD_STATUS_OK)
			*mr = (struct fake_mr){ .live = true,
						.key = c->number,
						.va = c->arg0,
						.length = c->arg1,
						.map = c->arg2,
						.flags = (uint32_t)c->arg4,
						.pd = (uint32_t)c->arg3 };
	}
}

static void dereg_mr(struct run *r)
{
	struct fake_mr *mr = &r->f->mrs[(r->cmd->number >> 8) % FAKE_NUMBERS];

	if (!mr->live || (mr->key != r->cmd->number && !mr->any_tag) ||
	    mr->flags & CAIRN_MPT_FLAGS_WINDOW)
		end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	else
		mr->live = false;
}

/* A window is found by the index of its key alone. */
static void mw_command(struct run *r, bool alloc)
{
	const struct cairn_cmd *c = r->cmd;
	uint32_t index = c->number >> 8;
	struct fake_mr *mr = &r->f->mrs[index % FAKE_NUMBERS];

	if (alloc && c->arg0 >= r->f->caps.max_pd)
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	else if (alloc && (c->arg1 < 1 || c->arg1 > 2))
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 6);
	else if (!index || index >= entries(r->f, CAIRN_TABLE_MPT))
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	else if (alloc ? mr->live : !mr->live || !(mr->flags & CAIRN_MPT_FLAGS_WINDOW))
		end(r, alloc ? CAIRN_CMD_STATUS_EXISTS : CAIRN_CMD_STATUS_BAD_STATE,
		    CAIRN_CMD_DETAIL_NONE);
	else if (alloc)
		*mr = (struct fake_mr){ .live = true,
					.key = c->number,
					.flags = CAIRN_MPT_FLAGS_WINDOW,
					.pd = (uint32_t)c->arg0 };
	else
		mr->live = false;
}

void fake_mr_command(struct run *r)
{
	switch (CAIRN_GET(r->cmd->head, CAIRN_CMD_HEAD_OP)) {
	case CAIRN_CMD_OP_REG_MR:
		if (CAIRN_GET(r->cmd->head, CAIRN_CMD_HEAD_FLAGS))
			alloc_mr(r);
		else
			reg_mr(r);
		break;
	case CAIRN_CMD_OP_DEREG_MR:
		dereg_mr(r);
		break;
	case CAIRN_CMD_OP_ALLOC_MW:
		mw_command(r, true);
		break;
	default:
		mw_command(r, false);
	}
}
