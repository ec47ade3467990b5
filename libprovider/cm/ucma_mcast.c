// SPDX-License-Identifier: Apache-2.0
/*
 * Multicast groups and options of an ID.  To join a group is to know its address: the QP is
 * attached by librdmacm with ibv_attach_mcast(), and firmware tells the network then (IGMP, MLD).
 */
#include <infiniband/sa.h>
#include <stdlib.h>
#include <string.h>

#include "ucma.h"

#define MULTICAST_QPN 0xffffffu

/* ---------------------------------------------------------------- groups */

static bool group_gid(const struct sockaddr_storage *addr, uint8_t gid[CM_GID_BYTES])
{
	if (!ucma_addr_to_gid(addr, gid))
		return false;
	return gid[0] == 0xff || (addr->ss_family == AF_INET && gid[12] >> 4 == 14);
}

static bool same_family(const struct ucma_id *id, const uint8_t *gid)
{
	uint8_t own[CM_GID_BYTES];

	return port_gid(id->port, id->sgid_index, own, NULL) && !own[0] == !gid[0];
}

int ucma_cmd_join(struct ucma_id *id, uint64_t uid, const struct sockaddr_storage *addr,
		  size_t size, unsigned int flags, uint64_t response, size_t room)
{
	struct rdma_ucm_create_id_resp resp = { 0 };
	struct ucma_mcast *mcast;
	struct ucma_event *event;
	uint8_t gid[CM_GID_BYTES];

	if (room < sizeof(resp))
		return ENOSPC;
	if (flags > RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER || !ucma_addr_ok(addr, size) ||
	    !ucma_datagrams(id))
		return EINVAL;
	if (!id->port)
		return EINVAL;
	if (!group_gid(addr, gid) || !same_family(id, gid))
		return EADDRNOTAVAIL;
	mcast = calloc(1, sizeof(*mcast));
	event = mcast ? ucma_event_new(id, UCMA_MULTICAST_JOIN, 0) : NULL;
	if (event)
		mcast->handle = ucma_handle(mcast);
	if (!event || !mcast->handle) {
		free(event);
		free(mcast);
		return ENOMEM;
	}
	mcast->uid = uid;
	mcast->id = id;
	memcpy(mcast->gid, gid, CM_GID_BYTES);
	mcast->next = id->groups;
	id->groups = mcast;
	event->mcast = mcast;
	event->resp.uid = uid;
	event->resp.id = mcast->handle;
	event->resp.param.ud.qp_num = MULTICAST_QPN;
	event->resp.param.ud.qkey = id->qkey;
	ucma_ah_attr(id, gid, &event->resp.param.ud.ah_attr);
	event->resp.param.ud.ah_attr.grh.hop_limit =
		1; /* RFC 1112: the link, if not told otherwise */
	resp.id = mcast->handle;
	ucma_answer(response, &resp, sizeof(resp), room);
	ucma_event_queue(event);
	return 0;
}

int ucma_cmd_leave(struct ucma_file *file, const struct rdma_ucm_destroy_id *cmd, size_t room)
{
	struct rdma_ucm_destroy_id_resp resp;

	if (room < sizeof(resp))
		return ENOSPC;
	for (struct ucma_id *id = file->ids; id; id = id->next)
		for (struct ucma_mcast **at = &id->groups; *at; at = &(*at)->next) {
			if ((*at)->handle != cmd->id)
				continue;
			ucma_drop_events(id, *at);
			resp.events_reported = (*at)->reported;
			ucma_mcast_drop(at);
			ucma_answer(cmd->response, &resp, sizeof(resp), room);
			return 0;
		}
	return ENOENT;
}

/* ---------------------------------------------------------------- options */

/* A path that the program knows (from ibacm, or of its own): what of it RoCE has a say in. */
static int set_path(struct ucma_id *id, const void *value, size_t bytes)
{
	const unsigned int wanted = IBV_PATH_FLAG_GMP | IBV_PATH_FLAG_PRIMARY |
				    IBV_PATH_FLAG_BIDIRECTIONAL;
	struct ibv_path_data data;
	size_t n = bytes / sizeof(data);

	if (!n || bytes % sizeof(data) || id->state != UCMA_ADDR_FOUND)
		return EINVAL;
	for (size_t i = 0; i < n; i++) {
		memcpy(&data, (const uint8_t *)value + i * sizeof(data), sizeof(data));
		if ((data.flags & wanted) == wanted)
			break;
		if (i + 1 == n)
			return EINVAL;
	}
	if (memcmp(data.path.sgid.raw, id->path.sgid, CM_GID_BYTES) != 0 ||
	    memcmp(data.path.dgid.raw, id->path.dgid, CM_GID_BYTES) != 0)
		return EINVAL;
	id->path.traffic_class = data.path.tclass;
	id->path.sl = (uint8_t)(be16toh(data.path.qosclass_sl) & 7);
	id->path.flow_label = be32toh(data.path.flowlabel_hoplimit) >> 8 & 0xfffff;
	id->path.lifetime = data.path.packetlifetime & 0x1f;
	if ((data.path.mtu & 0x3f) && (data.path.mtu & 0x3f) < id->path.mtu)
		id->path.mtu = data.path.mtu & 0x3f;
	id->state = UCMA_ROUTE_FOUND;
	ucma_post(id, UCMA_ROUTE_RESOLVED, 0);
	return 0;
}

/* The length is the option's own. */
static int read_int(const struct rdma_ucm_set_option *cmd, bool *to)
{
	int value;

	if (cmd->optlen != sizeof(value))
		return EINVAL;
	memcpy(&value, (const void *)(uintptr_t)cmd->optval, sizeof(value));
	*to = value != 0;
	return 0;
}

static int set_id_option(struct ucma_id *id, const struct rdma_ucm_set_option *cmd)
{
	const uint8_t *value = (const void *)(uintptr_t)cmd->optval;

	switch (cmd->optname) {
	case RDMA_OPTION_ID_TOS:
		if (cmd->optlen != sizeof(*value))
			return EINVAL;
		id->tos = *value;
		id->tos_set = true;
		return 0;
	case RDMA_OPTION_ID_REUSEADDR:
		return read_int(cmd, &id->reuse_addr);
	case RDMA_OPTION_ID_AFONLY:
		return id->state == UCMA_IDLE ? read_int(cmd, &id->af_only) : EINVAL;
	case RDMA_OPTION_ID_ACK_TIMEOUT:
		if (cmd->optlen != sizeof(*value) || *value > 31)
			return EINVAL;
		id->ack_timeout = *value;
		id->ack_timeout_set = true;
		return 0;
	default:
		return ENOSYS;
	}
}

int ucma_cmd_set_option(struct ucma_id *id, const struct rdma_ucm_set_option *cmd)
{
	switch (cmd->level) {
	case RDMA_OPTION_ID:
		return set_id_option(id, cmd);
	case RDMA_OPTION_IB:
		return cmd->optname == RDMA_OPTION_IB_PATH
			       ? set_path(id, (const void *)(uintptr_t)cmd->optval, cmd->optlen)
			       : ENOSYS;
	default:
		return ENOSYS;
	}
}
