// SPDX-License-Identifier: Apache-2.0
/*
 * Device state and the commands that concern the whole device: capabilities, port, tables, GIDs,
 * event queues (docs/commands.md 3, 4, 5).  Also what the data path and the link report.
 */
#include <string.h>

#include "fw.h"

struct dev dev;

static bool gid_is_zero(const uint8_t *gid)
{
	_Alignas(4) static const uint8_t zero[16];

	return gid_equal(gid, zero) || (gid_is_v4(gid) && !memcmp(gid + 12, zero, 4));
}

bool gid_is_mcast(const uint8_t *gid)
{
	return gid_is_v4(gid) ? (gid[12] & 0xf0) == 0xe0 : gid[0] == 0xff;
}

/* Headers between Ethernet and payload at most (IPv6, UDP, BTH, RETH, ImmDt) plus ICRC. */
#define MTU_OVERHEAD 84u

unsigned int port_active_mtu(void)
{
	uint32_t eth = CAIRN_GET(mmio_read32(REG(DEV, DEV_PORT)), CAIRN_REG_PORT_ETH_MTU);

	for (unsigned int mtu = 5; mtu > 1; mtu--)
		if ((128u << mtu) + MTU_OVERHEAD <= eth)
			return mtu;
	return 1;
}

static bool link_up(void)
{
	return mmio_read32(REG(DEV, DEV_LINK)) & CAIRN_REG_DEV_LINK_UP;
}

void eq_post(unsigned int eqn, enum cairn_eqe_type type, uint32_t number, uint32_t data)
{
	if (eqn >= EQS || !(dev.eq_valid >> eqn & 1))
		return;
	mmio_write32(REG(EQ, EQ_POST_NUMBER), number);
	mmio_write32(REG(EQ, EQ_POST_DATA), data);
	mmio_write32(REG(EQ, EQ_POST), CAIRN_PUT(CAIRN_REG_EQ_POST_EQN, eqn) |
					       CAIRN_PUT(CAIRN_REG_EQ_POST_TYPE, (uint32_t)type));
}

void dev_init(void)
{
	uint64_t mac = reg_read64(REG(DEV, DEV_MAC));

	dev.features = mmio_read32(REG(DEV, DEV_FEATURES));
	dev.build = mmio_read32(REG(DEV, DEV_BUILD));
	for (unsigned int i = 0; i < 6; i++)
		dev.mac[i] = (uint8_t)(mac >> (40 - 8 * i));
}

static void link_poll(void)
{
	bool up;

	if (!(mmio_read32(REG(DEV, DEV_LINK)) & CAIRN_REG_DEV_LINK_CHANGED))
		return;
	/* In this order: a change after the clearing says CHANGED again. */
	mmio_write32(REG(DEV, DEV_LINK), CAIRN_REG_DEV_LINK_CHANGED);
	up = mmio_read32(REG(DEV, DEV_LINK)) & CAIRN_REG_DEV_LINK_UP;
	fw_log(3, up ? "link up" : "link down", 0, 0);
	net_forget(); /* nobody has heard what was said meanwhile */
	if (dev.enabled)
		eq_post(CAIRN_EQN_ASYNC, up ? CAIRN_EQE_TYPE_PORT_ACTIVE : CAIRN_EQE_TYPE_PORT_ERR,
			1, 0);
	for (unsigned int i = 0; up && i < GIDS; i++)
		if (dev.gids[i].valid)
			net_announce(i);
}

void dev_poll(void)
{
	link_poll();
	qp_events_poll();
}

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
		return 20;
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
	caps->max_eq = EQS;
	caps->max_pd = PDS;
	caps->db_pages = CAIRN_DB_PAGES;
	caps->max_gid = GIDS;
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
		caps->max_mw = caps->max_mr - 1; /* index 0 is nobody's */
	if (dev.features & CAIRN_REG_FEATURES_UD) {
		caps->max_ah = MAX_AH;
		caps->max_mcast_grp = CAIRN_MCAST_GROUPS;
	}
	return FW_DONE;
}

enum fw_run cmd_query_port(struct job *job)
{
	struct cairn_port_attr *port = &job->buf.port;
	uint32_t facts = mmio_read32(REG(DEV, DEV_PORT));

	port->state = link_up() ? 4 : 1;
	port->max_mtu = 5;
	port->active_mtu = port_active_mtu();
	port->gbps = CAIRN_GET(facts, CAIRN_REG_PORT_GBPS);
	port->eth_mtu = CAIRN_GET(facts, CAIRN_REG_PORT_ETH_MTU);
	port->mac = reg_read64(REG(DEV, DEV_MAC));
	port->gid_count = GIDS;
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

static void gid_write(unsigned int index)
{
	const struct gid *g = &dev.gids[index];

	dev.gids_valid &= ~(1u << index);
	dev.gids_valid |= (uint32_t)g->valid << index;
	mmio_copy_in(CAIRN_MMIO_DEV + CAIRN_DEV_GID_DATA, g->raw, sizeof(g->raw));
	mmio_write32(REG(DEV, DEV_GID),
		     CAIRN_PUT(CAIRN_REG_DEV_GID_INDEX, index) |
			     CAIRN_PUT(CAIRN_REG_DEV_GID_VALID, (uint32_t)g->valid) |
			     CAIRN_PUT(CAIRN_REG_DEV_GID_IPV6,
				       (uint32_t)(g->valid && !gid_is_v4(g->raw))) |
			     CAIRN_PUT(CAIRN_REG_DEV_GID_VLAN, (uint32_t)g->vlan) |
			     CAIRN_PUT(CAIRN_REG_DEV_GID_VID, g->tci & 0xfffu));
}

/* Their records are on chip: nothing but DROP makes them free. */
static uint32_t srqs(void)
{
	bool any = dev.features & CAIRN_REG_FEATURES_SRQ && dev.table_set >> CAIRN_TABLE_SRQ & 1;

	return any ? 1u << dev.table_log2[CAIRN_TABLE_SRQ] : 0;
}

enum fw_run cmd_disable(struct job *job)
{
	FW_BEGIN(job->pc)
	dev.open = false;
	ctrl_write();
	FW_WAIT(fence(job) == FW_DONE);
	for (job->scratch[0] = 0; job->scratch[0] < srqs(); job->scratch[0]++)
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_DROP, CAIRN_TABLE_SRQ, job->scratch[0], 0, NULL) ==
			FW_DONE);
	for (unsigned int t = 0; t <= CAIRN_TABLE_MTT; t++)
		table_write(t, false);
	for (unsigned int i = 0; i < EQS; i++)
		if (dev.eq_valid >> i & 1)
			mmio_write32(REG(EQ, EQ_SET), CAIRN_PUT(CAIRN_REG_EQ_SET_EQN, i));
	for (unsigned int i = 0; i < GIDS; i++) {
		dev.gids[i].valid = false;
		gid_write(i);
	}
	dev.enabled = false;
	dev.table_set = 0;
	dev.eq_valid = 0;
	memset(dev.eq_users, 0, sizeof(dev.eq_users));
	mcast_forget();
	net_forget();
	qp_forget_all();
	qp_events_forget();
	FW_END;
}

static bool gid_taken(unsigned int index, const struct gid *g)
{
	for (unsigned int i = 0; i < GIDS; i++)
		if (i != index && dev.gids[i].valid && gid_equal(dev.gids[i].raw, g->raw) &&
		    dev.gids[i].vlan == g->vlan && dev.gids[i].tci == g->tci)
			return true;
	return false;
}

static bool gid_same(const struct gid *a, const struct gid *b)
{
	return a->valid == b->valid && gid_equal(a->raw, b->raw) && a->vlan == b->vlan &&
	       a->tci == b->tci;
}

/* No entry is about to change: whoever waits for that may look. */
static void gid_stays(void)
{
	dev.gid_leaving = 0;
	fw_look_again();
}

/*
 * A QP whose path begins at this entry, into value0, or NO_NUMBER. Whoever changes a QP is waited
 * for; one that looks at the entry later finds it leaving.
 */
static enum fw_run gid_users(struct job *job, unsigned int index)
{
	static const uint8_t none[16]; /* no path yet, or a datagram QP */

	FW_BEGIN(job->view_pc)
	for (job->value0 = qp_live_next(0); job->value0 < QPS_MAX;
	     job->value0 = qp_live_next(job->value0 + 1)) {
		FW_WAIT(qp_lock(job, job->value0));
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_QP, job->value0,
			       CAIRN_QP_PART_CFG, NULL) == FW_DONE);
		if (job->result == CAIRN_CTX_RESULT_OK &&
		    memcmp(job->rec.cfg.dgid, none, sizeof(none)) &&
		    CAIRN_GET(job->rec.cfg.pd_sgid, CAIRN_QP_CFG_PD_SGID_SGID_INDEX) == index)
			break;
	}
	qp_unlock(job);
	if (job->value0 == QPS_MAX)
		job->value0 = CAIRN_NO_NUMBER;
	FW_END;
}

enum fw_run cmd_set_gid(struct job *job)
{
	bool valid = CAIRN_GET(job->cmd.head, CAIRN_CMD_HEAD_FLAGS) & CAIRN_GID_FLAG_VALID;
	uint32_t index = job->cmd.number;
	struct gid g = { .valid = valid,
			 .vlan = job->cmd.arg2 & CAIRN_GID_VLAN,
			 .tci = (uint16_t)job->cmd.arg2 };

	memcpy(g.raw, gid_of_args(job), sizeof(g.raw));
	FW_BEGIN(job->pc)
	if (valid && !gid_is_v4(g.raw) && !(dev.features & CAIRN_REG_FEATURES_IPV6))
		return job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 4);
	if (g.vlan && !(dev.features & CAIRN_REG_FEATURES_VLAN))
		return job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 8);
	if (valid ? gid_is_zero(g.raw) || gid_is_mcast(g.raw) : job->cmd.arg0 || job->cmd.arg1)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (job->cmd.arg2 >> 17 || (!g.vlan && job->cmd.arg2))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 8);
	if (index >= GIDS)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(!dev.gid_leaving); /* one change at a time */
	if (valid && gid_taken(index, &g))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (dev.gids[index].valid && !gid_same(&dev.gids[index], &g)) {
		dev.gid_leaving = 1u << index;
		FW_WAIT(gid_users(job, index) == FW_DONE);
		if (job->value0 != CAIRN_NO_NUMBER) {
			gid_stays();
			return job_fail(job, CAIRN_CMD_STATUS_BUSY, CAIRN_CMD_DETAIL_NONE);
		}
		/* The address stays for the datagrams that are past the requester's look at the
		 * entry; behind the fence they have left. */
		dev.gids[index].valid = false;
		gid_write(index);
		FW_WAIT(fence(job) == FW_DONE);
		gid_stays();
	}
	job->value0 = 0;
	dev.gids[index] = g;
	if (valid)
		gid_write(index);
	if (valid && link_up())
		net_announce(index);
	FW_END;
}

enum fw_run cmd_resolve(struct job *job)
{
	const uint8_t *dgid = gid_of_args(job);
	uint64_t mac;

	FW_BEGIN(job->pc)
	if (gid_is_zero(dgid))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (job->cmd.number >= GIDS)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	if (!dev.gids[job->cmd.number].valid)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	if (gid_is_v4(dgid) != gid_is_v4(dev.gids[job->cmd.number].raw))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	job->deadline = cpu_now() + 1000000000ull;
	FW_WAIT(net_resolve(job->cmd.number, dgid, &mac) || fw_due(job->deadline));
	if (!net_resolve(job->cmd.number, dgid, &mac))
		return job_fail(job, CAIRN_CMD_STATUS_TIMEOUT, CAIRN_CMD_DETAIL_NONE);
	job->value0 = (uint32_t)mac;
	job->value1 = (uint32_t)(mac >> 32);
	FW_END;
}

enum fw_run cmd_set_db_pages(struct job *job)
{
	static const uint8_t kinds[][2] = {
		{ CAIRN_DB_TABLE_SQ, CAIRN_DB_TABLE_RQ },
		{ CAIRN_DB_TABLE_CQ, CAIRN_DB_TABLE_CQ },
		{ CAIRN_DB_TABLE_SRQ, CAIRN_DB_TABLE_SRQ },
	};
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
	for (uint32_t n = job->cmd.number; n < end; n++) {
		mmio_write32(REG(DEV, DEV_DB_NUMBER), n);
		for (unsigned int i = 0; i < 2; i++)
			mmio_write32(
				REG(DEV, DEV_DB),
				CAIRN_PUT(CAIRN_REG_DEV_DB_KIND, (uint32_t)kinds[kind][i]) |
					CAIRN_PUT(CAIRN_REG_DEV_DB_OP, (uint32_t)CAIRN_DB_OP_OPEN) |
					CAIRN_PUT(CAIRN_REG_DEV_DB_PAGE, (uint32_t)job->cmd.arg1));
	}
	return FW_DONE;
}

enum fw_run cmd_create_eq(struct job *job)
{
	uint32_t eqn = job->cmd.number, log2 = (uint32_t)job->cmd.arg0;

	if (!job->cmd.ptr || job->cmd.ptr % 4096)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 2);
	if (job->cmd.arg0 < 4 || job->cmd.arg0 > CAIRN_MAX_RING_LOG2 ||
	    (eqn == CAIRN_EQN_ASYNC && job->cmd.arg0 < 8))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (job->cmd.arg1 >= CAIRN_MSIX_VECTORS)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 6);
	if (job->cmd.arg2 >= CAIRN_DB_PAGES)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 8);
	if (eqn >= EQS)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	if (dev.eq_valid >> eqn & 1)
		return job_fail(job, CAIRN_CMD_STATUS_EXISTS, CAIRN_CMD_DETAIL_NONE);
	reg_write64(REG(EQ, EQ_BASE), job->cmd.ptr);
	mmio_write32(REG(EQ, EQ_SET),
		     CAIRN_REG_EQ_SET_VALID | CAIRN_PUT(CAIRN_REG_EQ_SET_EQN, eqn) |
			     CAIRN_PUT(CAIRN_REG_EQ_SET_LOG2, log2) |
			     CAIRN_PUT(CAIRN_REG_EQ_SET_VECTOR, (uint32_t)job->cmd.arg1) |
			     (eqn == CAIRN_EQN_ASYNC ? CAIRN_REG_EQ_SET_ASYNC : 0));
	mmio_write32(REG(DEV, DEV_DB_NUMBER), eqn);
	mmio_write32(REG(DEV, DEV_DB),
		     CAIRN_PUT(CAIRN_REG_DEV_DB_KIND, (uint32_t)CAIRN_DB_TABLE_EQ) |
			     CAIRN_PUT(CAIRN_REG_DEV_DB_OP, (uint32_t)CAIRN_DB_OP_OPEN) |
			     CAIRN_PUT(CAIRN_REG_DEV_DB_PAGE, (uint32_t)job->cmd.arg2));
	dev.eq_valid |= 1u << eqn;
	dev.eq_log2[eqn] = (uint8_t)log2;
	dev.eq_users[eqn] = 0;
	return FW_DONE;
}

enum fw_run cmd_destroy_eq(struct job *job)
{
	uint32_t eqn = job->cmd.number;

	FW_BEGIN(job->pc)
	if (eqn >= EQS)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	if (!(dev.eq_valid >> eqn & 1))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	if (dev.eq_users[eqn] || (eqn == CAIRN_EQN_ASYNC && dev.enabled))
		return job_fail(job, CAIRN_CMD_STATUS_BUSY, CAIRN_CMD_DETAIL_NONE);
	mmio_write32(REG(DEV, DEV_DB_NUMBER), eqn);
	mmio_write32(REG(DEV, DEV_DB),
		     CAIRN_PUT(CAIRN_REG_DEV_DB_KIND, (uint32_t)CAIRN_DB_TABLE_EQ) |
			     CAIRN_PUT(CAIRN_REG_DEV_DB_OP, (uint32_t)CAIRN_DB_OP_CLOSE));
	mmio_write32(REG(EQ, EQ_SET), CAIRN_PUT(CAIRN_REG_EQ_SET_EQN, eqn));
	dev.eq_valid &= ~(1u << eqn);
	FW_END;
}

/* A PD is only a number. */
enum fw_run cmd_pd(struct job *job)
{
	if (job->cmd.number >= PDS)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	return FW_DONE;
}
