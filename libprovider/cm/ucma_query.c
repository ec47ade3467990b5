// SPDX-License-Identifier: Apache-2.0
/* What programs ask of an ID: addresses, paths, and the attributes with which its
 * QP changes state. */
#include <endian.h>
#include <infiniband/sa.h>
#include <stddef.h>
#include <string.h>

#include "ucma.h"

#define NO_INDEX UINT32_MAX /* of the device: it is found by its GUID */
#define PATH_EXACTLY 0x80u  /* selector of MTU, rate and lifetime: 2, "exactly" */
#define REVERSIBLE 0x80u

static uint64_t guid_of(const struct ucma_id *id)
{
	return id->port ? htobe64(id->port->nic->guid) : 0;
}

/* As an SA would answer (15.2.5.16). */
static void put_path(struct ibv_path_record *to, const struct cm_path *from)
{
	memset(to, 0, sizeof(*to));
	memcpy(to->dgid.raw, from->dgid, CM_GID_BYTES);
	memcpy(to->sgid.raw, from->sgid, CM_GID_BYTES);
	to->flowlabel_hoplimit = htobe32(from->flow_label << 8 | from->hop_limit);
	to->tclass = from->traffic_class;
	to->reversible_numpath = REVERSIBLE | 1;
	to->pkey = htobe16(from->pkey);
	to->qosclass_sl = htobe16(from->sl);
	to->mtu = PATH_EXACTLY | from->mtu;
	to->rate = PATH_EXACTLY | from->rate;
	to->packetlifetime = PATH_EXACTLY | from->lifetime;
}

static bool has_path(const struct ucma_id *id)
{
	return id->state == UCMA_ROUTE_FOUND || id->state == UCMA_CONNECTING;
}

static void put_ib(struct sockaddr_storage *to, const struct ucma_id *id, const uint8_t *gid,
		   const struct sockaddr_storage *addr)
{
	struct ucma_sockaddr_ib *sib = (struct ucma_sockaddr_ib *)to;

	memset(to, 0, sizeof(*to));
	sib->family = UCMA_AF_IB;
	sib->pkey = htobe16(PKEY);
	memcpy(sib->addr, gid, CM_GID_BYTES);
	if (addr->ss_family) {
		sib->sid = htobe64(ucma_service_id(id, addr));
		sib->sid_mask = UINT64_MAX;
	}
}

static int query_addr(const struct ucma_id *id, uint64_t response, size_t room, bool gids)
{
	struct rdma_ucm_query_addr_resp resp = { .node_guid = guid_of(id),
						 .port_num = id->port ? PORT : 0,
						 .pkey = id->port ? htobe16(PKEY) : 0,
						 .ibdev_index = NO_INDEX };
	struct sockaddr_storage src = id->src, dst = id->dst;

	if (room < offsetof(struct rdma_ucm_query_addr_resp, ibdev_index))
		return ENOSPC;
	if (gids) {
		uint8_t own[CM_GID_BYTES] = { 0 };

		if (id->port)
			port_gid(id->port, id->sgid_index, own, NULL);
		put_ib(&src, id, own, &id->src);
		put_ib(&dst, id, id->path.dgid, &id->dst);
	}
	resp.src_size = (uint16_t)ucma_addr_size(&src);
	resp.dst_size = (uint16_t)ucma_addr_size(&dst);
	memcpy(&resp.src_addr, &src, sizeof(resp.src_addr));
	memcpy(&resp.dst_addr, &dst, sizeof(resp.dst_addr));
	ucma_answer(response, &resp, sizeof(resp), room);
	return 0;
}

static int query_path(const struct ucma_id *id, uint64_t response, size_t room)
{
	struct {
		struct rdma_ucm_query_path_resp head;
		struct ibv_path_data path;
	} resp;

	if (room < sizeof(resp.head))
		return ENOSPC;
	memset(&resp, 0, sizeof(resp));
	if (has_path(id) && room >= sizeof(resp)) {
		resp.head.num_paths = 1;
		resp.path.flags = IBV_PATH_FLAG_GMP | IBV_PATH_FLAG_PRIMARY |
				  IBV_PATH_FLAG_BIDIRECTIONAL;
		put_path(&resp.path.path, &id->path);
	}
	ucma_answer(response, &resp, sizeof(resp), room);
	return 0;
}

int ucma_cmd_query(struct ucma_id *id, const struct rdma_ucm_query *cmd, size_t room)
{
	switch (cmd->option) {
	case RDMA_USER_CM_QUERY_ADDR:
		return query_addr(id, cmd->response, room, false);
	case RDMA_USER_CM_QUERY_GID:
		return query_addr(id, cmd->response, room, true);
	case RDMA_USER_CM_QUERY_PATH:
		return query_path(id, cmd->response, room);
	default:
		return ENOSYS;
	}
}

/* The older form, of IP addresses only. */
int ucma_cmd_query_route(struct ucma_id *id, uint64_t response, size_t room)
{
	struct rdma_ucm_query_route_resp resp;
	struct ib_user_path_rec *path = &resp.ib_route[0];

	if (room < offsetof(struct rdma_ucm_query_route_resp, ibdev_index))
		return ENOSPC;
	memset(&resp, 0, sizeof(resp));
	resp.ibdev_index = NO_INDEX;
	resp.node_guid = guid_of(id);
	resp.port_num = id->port ? PORT : 0;
	memcpy(&resp.src_addr, &id->src, sizeof(resp.src_addr));
	memcpy(&resp.dst_addr, &id->dst, sizeof(resp.dst_addr));
	if (id->port)
		port_gid(id->port, id->sgid_index, path->sgid, NULL);
	memcpy(path->dgid, id->path.dgid, CM_GID_BYTES);
	path->pkey = htobe16(PKEY);
	if (has_path(id)) {
		resp.num_paths = 1;
		path->flow_label = htobe32(id->path.flow_label);
		path->reversible = 1;
		path->mtu = id->path.mtu;
		path->hop_limit = id->path.hop_limit;
		path->traffic_class = id->path.traffic_class;
		path->numb_path = 1;
		path->sl = id->path.sl;
		path->mtu_selector = path->rate_selector = path->packet_life_time_selector = 2;
		path->rate = id->path.rate;
		path->packet_life_time = id->path.lifetime;
	}
	ucma_answer(response, &resp, sizeof(resp), room);
	return 0;
}

/* ---------------------------------------------------------------- attributes of QPs */

void ucma_ah_attr(const struct ucma_id *id, const uint8_t *dgid, struct ib_uverbs_ah_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	memcpy(attr->grh.dgid, dgid, CM_GID_BYTES);
	attr->grh.flow_label = id->path.flow_label;
	attr->grh.sgid_index = (uint8_t)id->sgid_index;
	attr->grh.hop_limit = id->path.hop_limit;
	attr->grh.traffic_class = id->path.traffic_class;
	attr->sl = id->path.sl;
	attr->is_global = 1;
	attr->port_num = PORT;
}

static void to_init(const struct ucma_id *id, struct ib_uverbs_qp_attr *attr)
{
	attr->qp_attr_mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
	attr->port_num = PORT;
	if (ucma_datagrams(id)) {
		attr->qp_attr_mask |= IBV_QP_QKEY;
		attr->qkey = id->qkey;
		return;
	}
	attr->qp_attr_mask |= IBV_QP_ACCESS_FLAGS;
	/* Before it is known what the peer may do: nothing.  Programs raise it, or we do on the way
	 * to RTR. */
	if (id->cm)
		attr->qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
					(id->qp_type == IBV_QPT_RC
						 ? IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC
						 : 0);
}

static int to_rtr(const struct ucma_id *id, struct ib_uverbs_qp_attr *attr)
{
	if (!id->cm)
		return EINVAL;
	attr->qp_attr_mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			     IBV_QP_RQ_PSN;
	ucma_ah_attr(id, id->path.dgid, &attr->ah_attr);
	attr->path_mtu = id->path.mtu;
	attr->dest_qp_num = id->cm->remote.qpn;
	attr->rq_psn = id->psn;
	if (id->qp_type != IBV_QPT_RC)
		return 0;
	attr->qp_attr_mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	/* What the peer has said that it issues; librdmacm puts the program's wish in its place. */
	attr->max_dest_rd_atomic = id->cm->remote.initiator_depth;
	attr->min_rnr_timer = 0;
	return 0;
}

static int to_rts(const struct ucma_id *id, struct ib_uverbs_qp_attr *attr)
{
	if (!id->cm)
		return EINVAL;
	attr->qp_attr_mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
	attr->sq_psn = id->cm->remote.starting_psn;
	if (id->qp_type != IBV_QPT_RC)
		return 0;
	attr->qp_attr_mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			      IBV_QP_MAX_QP_RD_ATOMIC;
	attr->timeout = id->cm->ack_timeout;
	/* How often to try: the active end's word; how long a receiver may be not ready: the
	 * receiver's, which is the peer's. */
	attr->retry_cnt = id->cm->active ? id->param.retry_count : id->cm->remote.retry_count;
	attr->rnr_retry = id->cm->remote.rnr_retry_count;
	attr->max_rd_atomic = id->cm->remote.responder_resources;
	return 0;
}

static void datagram_state(struct ib_uverbs_qp_attr *attr)
{
	attr->qp_attr_mask = IBV_QP_STATE;
	if (attr->qp_state == IBV_QPS_RTS)
		attr->qp_attr_mask |= IBV_QP_SQ_PSN;
}

int ucma_cmd_init_qp_attr(struct ucma_id *id, const struct rdma_ucm_init_qp_attr *cmd, size_t room)
{
	struct ib_uverbs_qp_attr attr;
	int err = 0;

	if (room < sizeof(attr))
		return ENOSPC;
	if (!id->port)
		return EINVAL;
	memset(&attr, 0, sizeof(attr));
	attr.qp_state = cmd->qp_state;
	switch (cmd->qp_state) {
	case IBV_QPS_INIT:
		to_init(id, &attr);
		break;
	case IBV_QPS_RTR:
	case IBV_QPS_RTS:
		if (ucma_datagrams(id))
			datagram_state(&attr);
		else
			err = cmd->qp_state == IBV_QPS_RTR ? to_rtr(id, &attr) : to_rts(id, &attr);
		break;
	default:
		err = EINVAL;
	}
	if (!err)
		ucma_answer(cmd->response, &attr, sizeof(attr), room);
	return err;
}
