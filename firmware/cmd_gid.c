// SPDX-License-Identifier: Apache-2.0
/* Our GIDs, and the MACs behind others' (docs/commands.md 4). */
#include <string.h>

#include "cmd.h"
#include "ctx.h"
#include "dev.h"
#include "gid.h"
#include "loop.h"
#include "net.h"
#include "port.h"
#include "qp.h"

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

/* No entry is about to change: jobs that wait for that may look. */
static void gid_stays(void)
{
	dev.gid_leaving = 0;
	fw_look_again();
}

/*
 * A QP whose path begins at this entry, into value0, or NO_NUMBER. A job that changes a QP is
 * waited for; one that looks at the entry later finds it leaving.
 */
static enum fw_run gid_users(struct job *job, unsigned int index)
{
	static const uint8_t none[16]; /* no path yet, or a datagram QP */

	FW_BEGIN(job->f.set_gid.users)
	for (job->value0 = qp_live_next(0); job->value0 < QPS_MAX;
	     job->value0 = qp_live_next(job->value0 + 1)) {
		FW_WAIT(job_lock(job, job->value0));
		FW_WAIT(ctx_op(job, CAIRN_CTX_OP_READ, CAIRN_TABLE_QP, job->value0,
			       CAIRN_QP_PART_CFG, NULL) == FW_DONE);
		if (job->result == CAIRN_CTX_RESULT_OK &&
		    memcmp(job->rec.cfg.dgid, none, sizeof(none)) &&
		    CAIRN_GET(job->rec.cfg.pd_sgid, CAIRN_QP_CFG_PD_SGID_SGID_INDEX) == index)
			break;
	}
	job_unlock(job);
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
	FW_BEGIN(job->self)
	if (valid && !gid_is_v4(g.raw) && !(dev.features & CAIRN_REG_FEATURES_IPV6))
		return job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 4);
	if (g.vlan && !(dev.features & CAIRN_REG_FEATURES_VLAN))
		return job_fail(job, CAIRN_CMD_STATUS_NOT_SUPPORTED, 8);
	if (valid ? gid_is_zero(g.raw) || gid_is_mcast(g.raw) : job->cmd.arg0 || job->cmd.arg1)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (job->cmd.arg2 >> 17 || (!g.vlan && job->cmd.arg2))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 8);
	if (index >= dev.n_gids)
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
	if (valid && port_up())
		net_announce(index);
	FW_END;
}

enum fw_run cmd_resolve(struct job *job)
{
	const uint8_t *dgid = gid_of_args(job);
	uint64_t mac;

	FW_BEGIN(job->self)
	if (gid_is_zero(dgid))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	if (job->cmd.number >= dev.n_gids)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	if (!dev.gids[job->cmd.number].valid)
		return job_fail(job, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	if (gid_is_v4(dgid) != gid_is_v4(dev.gids[job->cmd.number].raw))
		return job_fail(job, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	job->f.resolve.deadline = cpu_now() + 1000000000ull;
	FW_WAIT(net_resolve(job->cmd.number, dgid, &mac) || fw_due(job->f.resolve.deadline));
	if (!net_resolve(job->cmd.number, dgid, &mac))
		return job_fail(job, CAIRN_CMD_STATUS_TIMEOUT, CAIRN_CMD_DETAIL_NONE);
	job->value0 = (uint32_t)mac;
	job->value1 = (uint32_t)(mac >> 32);
	FW_END;
}
