// SPDX-License-Identifier: Apache-2.0
/*
 * Multicast groups and the UD QPs attached to them (docs/commands.md 9).  The tables on chip
 * (rx_gid_table, rx_mcast) are written here only; a group has an address while it has members.
 */
#include <string.h>

#include "cmd.h"
#include "ctx.h"
#include "dev.h"
#include "gid.h"
#include "qp.h"

#define PLACES_ALL ((1u << CAIRN_MCAST_MEMBERS) - 1)

static uint8_t used[CAIRN_MCAST_GROUPS]; /* bit per place; 0: the group is free */
static struct {
	_Alignas(4) uint8_t gid[16];
	uint32_t qpn[CAIRN_MCAST_MEMBERS];
} groups[CAIRN_MCAST_GROUPS] CPU_NOINIT;

static void member_write(unsigned int group, unsigned int place, uint32_t qpn, bool valid)
{
	mmio_write32(REG(DEV, DEV_MEMBER),
		     CAIRN_PUT(CAIRN_REG_DEV_MEMBER_INDEX, group * CAIRN_MCAST_MEMBERS + place) |
			     CAIRN_PUT(CAIRN_REG_DEV_MEMBER_VALID, (uint32_t)valid) |
			     CAIRN_PUT(CAIRN_REG_DEV_MEMBER_QPN, qpn));
}

static void group_write(unsigned int group, bool valid)
{
	mmio_copy_in(CAIRN_MMIO_DEV + CAIRN_DEV_GID_DATA, groups[group].gid,
		     sizeof(groups[group].gid));
	mmio_write32(REG(DEV, DEV_GROUP),
		     CAIRN_PUT(CAIRN_REG_DEV_GROUP_INDEX, group) |
			     CAIRN_PUT(CAIRN_REG_DEV_GROUP_VALID, (uint32_t)valid));
}

/* The group of that address, or -1. */
static int group_find(const uint8_t *gid)
{
	for (unsigned int g = 0; g < CAIRN_MCAST_GROUPS; g++)
		if (used[g] && gid_equal(groups[g].gid, gid))
			return (int)g;
	return -1;
}

static int group_free(void)
{
	for (unsigned int g = 0; g < dev.n_groups; g++)
		if (!used[g])
			return (int)g;
	return -1;
}

static int place_of(unsigned int group, uint32_t qpn)
{
	for (unsigned int p = 0; p < CAIRN_MCAST_MEMBERS; p++)
		if (used[group] >> p & 1 && groups[group].qpn[p] == qpn)
			return (int)p;
	return -1;
}

static void leave(unsigned int group, unsigned int place)
{
	used[group] &= (uint8_t) ~(1u << place);
	if (!used[group])
		group_write(group, false);
	member_write(group, place, 0, false);
}

static enum cairn_cmd_status attach(const uint8_t *gid, uint32_t qpn)
{
	int g = group_find(gid);
	unsigned int place = 0;

	if (g >= 0 && place_of((unsigned int)g, qpn) >= 0)
		return CAIRN_CMD_STATUS_BAD_STATE;
	if (g < 0)
		g = group_free();
	if (g < 0 || used[g] == PLACES_ALL)
		return CAIRN_CMD_STATUS_NO_RESOURCE;
	while (used[g] >> place & 1)
		place++;
	groups[g].qpn[place] = qpn;
	member_write((unsigned int)g, place, qpn, true);
	if (!used[g]) { /* its address last: then a member is there */
		memcpy(groups[g].gid, gid, 16);
		group_write((unsigned int)g, true);
	}
	used[g] |= (uint8_t)(1u << place);
	return CAIRN_CMD_STATUS_OK;
}

static enum cairn_cmd_status detach(const uint8_t *gid, uint32_t qpn)
{
	int g = group_find(gid);
	int place = g >= 0 ? place_of((unsigned int)g, qpn) : -1;

	if (place < 0)
		return CAIRN_CMD_STATUS_BAD_STATE;
	leave((unsigned int)g, (unsigned int)place);
	return CAIRN_CMD_STATUS_OK;
}

enum fw_run cmd_mcast(struct job *job)
{
	bool on = CAIRN_GET(job->cmd.head, CAIRN_CMD_HEAD_OP) == CAIRN_CMD_OP_ATTACH_MCAST;
	uint32_t qpn = job->cmd.number;
	enum cairn_cmd_status status;
	const uint8_t *gid = gid_of_args(job);

	FW_BEGIN(job->self)
	if (!gid_is_mcast(gid))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (!gid_is_v4(gid) && !(dev.features & CAIRN_REG_FEATURES_IPV6))
		return job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 4);
	if (!in_table(qpn, CAIRN_TABLE_QP))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	FW_WAIT(job_lock(job, qpn));
	FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_QP, qpn, CAIRN_QP_PART_CFG, NULL) ==
		FW_DONE);
	if (job->result != CAIRN_CTX_RESULT_OK ||
	    CAIRN_GET(job->rec.cfg.state, CAIRN_QP_CFG_STATE_TYPE) != CAIRN_QP_TYPE_UD)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	status = on ? attach(gid, qpn) : detach(gid, qpn);
	if (status != CAIRN_CMD_STATUS_OK)
		return job_fail(job, status, CAIRN_CMD_DETAIL_NONE);
	if (!on)
		FW_WAIT(fence(job) == FW_DONE);
	FW_END;
}

void mcast_leave(uint32_t qpn)
{
	for (unsigned int g = 0; g < CAIRN_MCAST_GROUPS; g++) {
		int place = place_of(g, qpn);

		if (place >= 0)
			leave(g, (unsigned int)place);
	}
}

void mcast_forget(void)
{
	for (unsigned int g = 0; g < CAIRN_MCAST_GROUPS; g++)
		for (unsigned int p = 0; p < CAIRN_MCAST_MEMBERS; p++)
			if (used[g] >> p & 1)
				leave(g, p);
}
