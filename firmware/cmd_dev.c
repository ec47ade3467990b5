// SPDX-License-Identifier: Apache-2.0
/*
 * Commands that concern the whole device: capabilities, port, tables, protection domains
 * (docs/commands.md 3, 4, 5).
 */
#include <string.h>

#include "cmd.h"
#include "ctx.h"
#include "dev.h"
#include "eq.h"
#include "gid.h"
#include "log.h"
#include "net.h"
#include "port.h"
#include "qp.h"

static unsigned int at_most(unsigned int n, unsigned int limit)
{
	return n < limit ? n : limit;
}

/* log2 of the largest table of each kind that the build can index. */
static unsigned int table_limit(unsigned int table)
{
	switch (table) {
	case CAIRN_TABLE_QP:
	case CAIRN_TABLE_QP_COLD:
	case CAIRN_TABLE_RSP_RES:
		return at_most(CAIRN_GET(dev.build, CAIRN_REG_BUILD_QPS_LOG2), QPS_LOG2_MAX);
	case CAIRN_TABLE_CQ:
		return at_most(CAIRN_GET(dev.build, CAIRN_REG_BUILD_CQS_LOG2), QPS_LOG2_MAX);
	case CAIRN_TABLE_SRQ:
		return CAIRN_GET(dev.build, CAIRN_REG_BUILD_SRQS_LOG2);
	case CAIRN_TABLE_MPT:
		return dev.mrs_log2 ? dev.mrs_log2 : 20;
	default:
		return 27;
	}
}

enum fw_run cmd_query_device(struct job *job)
{
	struct cairn_dev_caps *caps = &job->buf.caps;
	bool transport = dev.features &
			 (CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD);

	caps->fw_version = FW_VERSION_MAJOR << 16 | FW_VERSION_MINOR;
	caps->features = dev.features;
	caps->max_eq = dev.n_eqs;
	caps->max_pd = PDS;
	caps->db_pages = CAIRN_DB_PAGES;
	caps->max_gid = dev.n_gids;
	caps->max_pkey = 1;
	caps->qpn_first = 2;
	caps->hca_clock_khz = 1000000; /* time stamps are ns */
	caps->page_sizes = PAGE_SIZES;
	caps->max_mr_size = MAX_MR_BYTES;
	caps->max_mr = 1u << table_limit(CAIRN_TABLE_MPT);
	caps->max_mtt = 1u << table_limit(CAIRN_TABLE_MTT);
	caps->max_qp_wr = caps->max_cqe = 1u << CAIRN_MAX_RING_LOG2;
	caps->max_sge = CAIRN_MAX_SGE;
	if (transport) {
		caps->max_qp = 1u << table_limit(CAIRN_TABLE_QP);
		caps->max_cq = 1u << table_limit(CAIRN_TABLE_CQ);
		caps->cq_moderation = 65535u | 65535u << 16;
		caps->max_inline = CAIRN_MAX_INLINE;
		caps->max_rd_atomic = caps->max_dest_rd_atomic = CAIRN_MAX_RD_ATOMIC;
		caps->max_msg = CAIRN_MAX_MSG_BYTES;
	}
	if (dev.features & CAIRN_REG_FEATURES_SRQ) {
		caps->max_srq = 1u << table_limit(CAIRN_TABLE_SRQ);
		caps->max_srq_wr = 1u << CAIRN_MAX_RING_LOG2;
	}
	if (dev.features & CAIRN_REG_FEATURES_MW)
		caps->max_mw = caps->max_mr - 1; /* index 0 is not given out */
	if (dev.features & CAIRN_REG_FEATURES_UD)
		caps->max_ah = MAX_AH;
	if (dev.features & CAIRN_REG_FEATURES_MCAST)
		caps->max_mcast_grp = dev.n_groups;
	return FW_DONE;
}

enum fw_run cmd_query_port(struct job *job)
{
	struct cairn_port_attr *port = &job->buf.port;
	uint32_t facts = mmio_read32(REG(DEV, DEV_PORT));

	port->state = port_up() ? 4 : 1;
	port->max_mtu = 5;
	port->active_mtu = port_active_mtu();
	port->gbps = CAIRN_GET(facts, CAIRN_REG_PORT_GBPS);
	port->eth_mtu = CAIRN_GET(facts, CAIRN_REG_PORT_ETH_MTU);
	port->mac = reg_read64(REG(DEV, DEV_MAC));
	port->gid_count = dev.n_gids;
	if (dev.features & CAIRN_REG_FEATURES_LOOP && !dev.no_loop)
		port->flags = CAIRN_PORT_FLAG_LOOP;
	return FW_DONE;
}

static void ctrl_write(void)
{
	mmio_write32(REG(DEV, DEV_CTRL), (dev.open ? CAIRN_REG_DEV_CTRL_ENABLE : 0) |
						 (dev.no_loop ? CAIRN_REG_DEV_CTRL_NO_LOOP : 0));
}

enum fw_run cmd_set_port(struct job *job)
{
	if (job->cmd.arg0 & ~(uint64_t)CAIRN_PORT_FLAG_LOOP)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	dev.no_loop = !(job->cmd.arg0 & CAIRN_PORT_FLAG_LOOP);
	ctrl_write();
	return FW_DONE;
}

enum fw_run cmd_setup_table(struct job *job)
{
	uint32_t table = job->cmd.number;

	if (table == CAIRN_TABLE_SRQ && !(dev.features & CAIRN_REG_FEATURES_SRQ))
		return job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 1);
	if (!job->cmd.ptr || job->cmd.ptr % 4096)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 2);
	if (job->cmd.arg0 > 31 ||
	    (table <= CAIRN_TABLE_MTT && job->cmd.arg0 > table_limit(table)) ||
	    (table == CAIRN_TABLE_MTT && job->cmd.arg0 < 3))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (table > CAIRN_TABLE_MTT)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	dev.table_base[table] = job->cmd.ptr;
	dev.table_log2[table] = (uint8_t)job->cmd.arg0;
	dev.table_set |= (uint8_t)(1u << table);
	return FW_DONE;
}

static void table_write(unsigned int table, bool valid)
{
	reg_write64(REG(DEV, DEV_TABLE_BASE), dev.table_base[table]);
	mmio_write32(REG(DEV, DEV_TABLE),
		     CAIRN_PUT(CAIRN_REG_DEV_TABLE_TABLE, table) |
			     CAIRN_PUT(CAIRN_REG_DEV_TABLE_LOG2, (uint32_t)dev.table_log2[table]) |
			     CAIRN_PUT(CAIRN_REG_DEV_TABLE_VALID, (uint32_t)valid));
}

enum fw_run cmd_enable(struct job *job)
{
	bool srq = dev.features & CAIRN_REG_FEATURES_SRQ;

	for (unsigned int t = 0; t <= CAIRN_TABLE_MTT; t++) {
		bool sized = t != CAIRN_TABLE_QP_COLD && t != CAIRN_TABLE_RSP_RES
				     ? true
				     : dev.table_log2[t] == dev.table_log2[CAIRN_TABLE_QP];

		if (t == CAIRN_TABLE_SRQ && !srq)
			continue;
		if (!(dev.table_set >> t & 1) || !sized) {
			job->value0 = t;
			return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
		}
	}
	if (!(dev.eq_valid & 1)) {
		job->value0 = 0xff;
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	}
	for (unsigned int t = 0; t <= CAIRN_TABLE_MTT; t++)
		if (dev.table_set >> t & 1)
			table_write(t, true);
	dev.open = true;
	ctrl_write();
	dev.enabled = true;
	fw_log(5, "enabled", 0, 0);
	return FW_DONE;
}

/* Their records are on chip: nothing but DROP makes them free. */
static uint32_t srqs(void)
{
	bool any = dev.features & CAIRN_REG_FEATURES_SRQ && dev.table_set >> CAIRN_TABLE_SRQ & 1;

	return any ? 1u << dev.table_log2[CAIRN_TABLE_SRQ] : 0;
}

enum fw_run cmd_disable(struct job *job)
{
	FW_BEGIN(job->self)
	dev.open = false;
	ctrl_write();
	FW_WAIT(fence(job) == FW_DONE);
	for (; job->f.disable.srqn < srqs(); job->f.disable.srqn++)
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_DROP, CAIRN_TABLE_SRQ, job->f.disable.srqn, 0,
			       NULL) == FW_DONE);
	for (unsigned int t = 0; t <= CAIRN_TABLE_MTT; t++)
		table_write(t, false);
	for (unsigned int i = 0; i < EQS; i++)
		if (dev.eq_valid >> i & 1)
			mmio_write32(REG(EQ, EQ_SET), CAIRN_PUT(CAIRN_REG_EQ_SET_EQN, i));
	for (unsigned int i = 0; i < dev.n_gids; i++) {
		dev.gids[i].valid = false;
		gid_write(i);
	}
	dev.enabled = false;
	dev.table_set = 0;
	dev.eq_valid = 0;
	memset(dev.eq_users, 0, sizeof(dev.eq_users));
	mcast_forget();
	neighbour_forget();
	qp_forget_all();
	qp_events_forget();
	FW_END;
}

/*
 * Doorbells of QPs whose records stand in host memory already, if they do: with the generation of
 * the record, which is read and written back, so that the receive side knows of the QP.  The range
 * shrinks as it goes.
 */
static enum fw_run open_qps(struct job *job)
{
	uint32_t page = (uint32_t)job->cmd.arg1;

	FW_BEGIN(job->self)
	for (; job->cmd.arg0; job->cmd.arg0--) {
		FW_WAIT(ctx_change(job, CAIRN_TABLE_QP, job->cmd.number, CAIRN_QP_PART_CFG) ==
			FW_DONE);
		db_open_sq(job->cmd.number, page,
			   job->result == CAIRN_CTX_RESULT_OK ?
				   CAIRN_GET(CTX_GET(words[0]), CAIRN_QP_CFG_TAG_GEN) :
				   0);
		db_entry(CAIRN_DB_TABLE_RQ, job->cmd.number, CAIRN_DB_OP_OPEN, page);
		if (job->result == CAIRN_CTX_RESULT_OK)
			FW_WAIT(ctx_back(job, CAIRN_TABLE_QP, job->cmd.number, CAIRN_QP_PART_CFG) ==
				FW_DONE);
		job->cmd.number++;
	}
	FW_END;
}

enum fw_run cmd_set_db_pages(struct job *job)
{
	static const uint8_t kinds[] = { CAIRN_DB_TABLE_SQ, CAIRN_DB_TABLE_CQ, CAIRN_DB_TABLE_SRQ };
	static const uint8_t tables[] = { CAIRN_TABLE_QP, CAIRN_TABLE_CQ, CAIRN_TABLE_SRQ };
	uint32_t kind = CAIRN_GET(job->cmd.head, CAIRN_CMD_HEAD_FLAGS);
	uint64_t end = job->cmd.number + job->cmd.arg0;

	if (kind >= ARRAY_SIZE(kinds))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 0);
	if (job->cmd.arg1 >= CAIRN_DB_PAGES)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 6);
	if (!(dev.table_set >> tables[kind] & 1) || job->cmd.arg0 > 1u << 24 ||
	    end > 1ull << dev.table_log2[tables[kind]])
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, job->cmd.number ? 1 : 4);
	if (kind == CAIRN_DB_KIND_QP)
		return open_qps(job);
	for (uint32_t n = job->cmd.number; n < end; n++)
		db_entry(kinds[kind], n, CAIRN_DB_OP_OPEN, (uint32_t)job->cmd.arg1);
	return FW_DONE;
}

/* A PD is only a number. */
enum fw_run cmd_pd(struct job *job)
{
	if (job->cmd.number >= PDS)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	return FW_DONE;
}
