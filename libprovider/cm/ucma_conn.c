// SPDX-License-Identifier: Apache-2.0
/*
 * Connecting: what rdma_bind_addr() to rdma_disconnect() come to, and what programs hear of their
 * peers.  Events and their fields are those of the kernel's rdma_cm, of which librdmacm and
 * programs know nothing else: responder resources and initiator depth of an event are from the view
 * of its receiver.
 */
#include <stdlib.h>
#include <string.h>

#include "ucma.h"

#define MAX_BACKLOG 1024u
#define PSN_MASK 0xffffffu

/* ---------------------------------------------------------------- private data with addresses */

static bool is_v4(const struct sockaddr_storage *addr)
{
	uint8_t gid[CM_GID_BYTES];

	return ucma_addr_to_gid(addr, gid) && !gid[0] && gid[10] == 0xff;
}

/* Annex A11.3; an AF_IB service has no such head. */
static unsigned int put_ip(const struct ucma_id *id, uint8_t *to)
{
	uint8_t src[CM_GID_BYTES], dst[CM_GID_BYTES];
	bool v4 = is_v4(&id->dst);

	if (id->dst.ss_family == UCMA_AF_IB)
		return 0;
	memset(to, 0, CM_IP_BYTES);
	ucma_addr_to_gid(&id->src, src);
	ucma_addr_to_gid(&id->dst, dst);
	if (v4) { /* only the last four bytes */
		memset(src, 0, 12);
		memset(dst, 0, 12);
	}
	cm_set(to, cm_IP_IP_VERSION, v4 ? 4 : 6);
	cm_set(to, cm_IP_SOURCE_PORT, ucma_addr_port(&id->src));
	memcpy(to + cm_at_IP_SOURCE_ADDR, src, CM_GID_BYTES);
	memcpy(to + cm_at_IP_DESTINATION_ADDR, dst, CM_GID_BYTES);
	return CM_IP_BYTES;
}

static void read_addr(struct sockaddr_storage *to, const uint8_t *from, bool v4, uint16_t number)
{
	memset(to, 0, sizeof(*to));
	to->ss_family = v4 ? AF_INET : AF_INET6;
	if (v4)
		memcpy(&((struct sockaddr_in *)to)->sin_addr, from + 12, 4);
	else
		memcpy(&((struct sockaddr_in6 *)to)->sin6_addr, from, CM_GID_BYTES);
	ucma_addr_set_port(to, number);
}

/* Both ends of a request; false: there is no sense in it. */
static bool read_ip(struct ucma_id *id, const uint8_t *from, uint64_t service_id)
{
	unsigned int version = (unsigned int)cm_get(from, cm_IP_IP_VERSION);

	if (cm_get(from, cm_IP_MAJOR_VERSION) || (version != 4 && version != 6))
		return false;
	read_addr(&id->src, from + cm_at_IP_DESTINATION_ADDR, version == 4, (uint16_t)service_id);
	read_addr(&id->dst, from + cm_at_IP_SOURCE_ADDR, version == 4,
		  (uint16_t)cm_get(from, cm_IP_SOURCE_PORT));
	return true;
}

/* ---------------------------------------------------------------- events of the protocol */

static void put_private(uint8_t *to, uint8_t *length, const struct cm_event *event)
{
	*length = (uint8_t)event->private_bytes;
	if (event->private_bytes)
		memcpy(to, event->private_data, event->private_bytes);
}

static void put_conn(struct rdma_ucm_conn_param *to, const struct cm_event *event)
{
	const struct cm_param *from = &event->param;

	to->qp_num = from->qpn;
	/* what the peer will issue we have to hold, and the other way round */
	to->responder_resources = from->initiator_depth;
	to->initiator_depth = from->responder_resources;
	to->flow_control = from->flow_control;
	to->retry_count = from->retry_count;
	to->rnr_retry_count = from->rnr_retry_count;
	to->srq = from->srq;
	put_private(to->private_data, &to->private_data_len, event);
}

static void tell(struct ucma_id *id, enum ucma_event_type type, int status,
		 const struct cm_event *event)
{
	struct ucma_event *out = ucma_event_new(id, type, status);

	if (!out)
		return;
	if (!ucma_datagrams(id))
		put_conn(&out->resp.param.conn, event);
	ucma_event_queue(out);
}

static void resolved_service(struct ucma_id *id, const struct cm_event *event)
{
	bool refused = event->reason != CM_SIDR_OK;
	struct ucma_event *out = ucma_event_new(id, refused ? UCMA_UNREACHABLE : UCMA_ESTABLISHED,
						(int)event->reason);

	if (!out)
		return;
	out->resp.param.ud.qp_num = event->param.qpn;
	out->resp.param.ud.qkey = event->qkey;
	if (!refused)
		id->qkey = event->qkey;
	ucma_ah_attr(id, id->path.dgid, &out->resp.param.ud.ah_attr);
	put_private(out->resp.param.ud.private_data, &out->resp.param.ud.private_data_len, event);
	ucma_event_queue(out);
}

static void disconnected(struct ucma_id *id, int status, const struct cm_event *event)
{
	if (!id->connected)
		return;
	id->connected = false;
	tell(id, UCMA_DISCONNECTED, status, event);
}

static void on_event(struct cm_id *cm, const struct cm_event *event)
{
	struct ucma_id *id = cm->user;

	switch (event->type) {
	case CM_EVENT_REP:
		tell(id, UCMA_CONNECT_RESPONSE, 0, event);
		break;
	case CM_EVENT_ESTABLISHED:
		id->connected = true;
		tell(id, UCMA_ESTABLISHED, 0, event);
		break;
	case CM_EVENT_REJ:
		if (id->connected)
			disconnected(id, 0, event);
		else
			tell(id, UCMA_REJECTED, (int)event->reason, event);
		break;
	case CM_EVENT_REQ_ERROR:
	case CM_EVENT_REP_ERROR:
	case CM_EVENT_SIDR_ERROR:
		tell(id, UCMA_UNREACHABLE, -ETIMEDOUT, event);
		break;
	case CM_EVENT_DREQ_ERROR:
		disconnected(id, -ETIMEDOUT, event);
		break;
	case CM_EVENT_DREQ:
	case CM_EVENT_DREP:
	case CM_EVENT_STALE:
		disconnected(id, 0, event);
		break;
	case CM_EVENT_TIMEWAIT_END:
		tell(id, UCMA_TIMEWAIT_EXIT, 0, event);
		break;
	case CM_EVENT_SIDR_REP:
		resolved_service(id, event);
		break;
	default:
		break;
	}
}

/* ---------------------------------------------------------------- requests */

/* The new end of a request, with the listener's channel until it is moved. */
static struct ucma_id *new_end(struct ucma_id *listener, struct port *port, struct cm_id *cm,
			       const struct cm_event *event)
{
	struct ucma_id *id = ucma_id_new(listener->file, 0, listener->ps, listener->qp_type);

	if (!id)
		return NULL;
	id->state = UCMA_CONNECTING;
	id->port = port_hold(port);
	id->path = cm->path;
	id->sgid_index = cm->path.sgid_index;
	id->param = event->param;
	id->psn = port->cm.env.random(port) & PSN_MASK;
	id->qkey = listener->qkey;
	id->listener = listener;
	return id;
}

static bool read_ends(struct ucma_id *id, struct ucma_id *listener, const struct cm_event *event)
{
	uint8_t own[CM_GID_BYTES];

	if (listener->src.ss_family == UCMA_AF_IB) {
		id->src = id->dst = listener->src;
		ucma_addr_from_gid(&id->src, id->path.sgid);
		ucma_addr_from_gid(&id->dst, id->path.dgid);
		return true;
	}
	/* Who says that he speaks to another address than he does is not believed the rest. */
	return read_ip(id, event->private_data, event->service_id) &&
	       ucma_addr_to_gid(&id->src, own) && !memcmp(own, id->path.sgid, CM_GID_BYTES);
}

static void put_request(struct rdma_ucm_event_resp *resp, const struct ucma_id *listener,
			const struct cm_event *event)
{
	unsigned int head = listener->src.ss_family == UCMA_AF_IB ? 0 : CM_IP_BYTES;
	struct cm_event rest = *event;

	rest.private_data += head;
	rest.private_bytes -= head;
	if (ucma_datagrams(listener))
		put_private(resp->param.ud.private_data, &resp->param.ud.private_data_len, &rest);
	else
		put_conn(&resp->param.conn, &rest);
}

static bool right_kind(const struct ucma_id *listener, const struct cm_event *event)
{
	if (event->type == CM_EVENT_SIDR_REQ)
		return ucma_datagrams(listener);
	return listener->qp_type ==
	       (event->param.transport == CM_TRANSPORT_UC ? IBV_QPT_UC : IBV_QPT_RC);
}

unsigned int ucma_request(void *arg, struct cm_id *cm, const struct cm_event *event)
{
	struct port *port = arg;
	struct ucma_id *listener = ucma_listener(port, cm->path.sgid, event->service_id), *id;
	struct ucma_event *out;

	if (!listener || !right_kind(listener, event))
		return CM_REJ_INVALID_SERVICE_ID;
	if (!listener->backlog)
		return CM_REJ_NO_RESOURCES;
	id = new_end(listener, port, cm, event);
	if (!id)
		return CM_REJ_NO_RESOURCES;
	if (!read_ends(id, listener, event)) {
		ucma_id_free(id);
		return CM_REJ_INVALID_SERVICE_ID;
	}
	out = ucma_event_new(listener, UCMA_CONNECT_REQUEST, 0);
	if (!out) {
		ucma_id_free(id);
		return CM_REJ_NO_RESOURCES;
	}
	out->fresh = id;
	put_request(&out->resp, listener, event);
	id->cm = cm;
	cm->fn = on_event;
	cm->user = id;
	listener->backlog--;
	ucma_event_queue(out);
	return 0;
}

/* ---------------------------------------------------------------- commands */

int ucma_cmd_bind(struct ucma_file *file, struct ucma_id *id, const struct sockaddr_storage *addr,
		  size_t size)
{
	int err;

	(void)file;
	if (id->state != UCMA_IDLE || !ucma_addr_ok(addr, size))
		return EINVAL;
	err = ucma_bind(id, addr);
	if (!err)
		id->state = UCMA_ADDR_BOUND;
	return err;
}

int ucma_cmd_listen(struct ucma_id *id, uint32_t backlog)
{
	struct sockaddr_storage any = { .ss_family = AF_INET };
	int err = 0;

	if (id->state == UCMA_IDLE) { /* as listen() of a socket that is not bound */
		err = ucma_bind(id, &any);
		if (!err)
			id->state = UCMA_ADDR_BOUND;
	}
	if (!err && id->state != UCMA_ADDR_BOUND)
		err = EINVAL;
	if (!err && !id->port)
		err = ucma_listen_all(id);
	if (err)
		return err;
	id->backlog = (int)(backlog && backlog < MAX_BACKLOG ? backlog : MAX_BACKLOG);
	id->state = UCMA_LISTENING;
	cairn_note("listens for connections to port %u",
		   (unsigned int)(ucma_service_id(id, &id->src) & UINT16_MAX));
	return 0;
}

/* The path has the neighbour's MAC only in effect: firmware knows it now, and QPs will ask it. */
static void neighbour(void *arg, int err)
{
	struct ucma_id *id = arg;

	id->state = err ? UCMA_ADDR_BOUND : UCMA_ADDR_FOUND;
	ucma_post(id, err ? UCMA_ADDR_ERROR : UCMA_ADDR_RESOLVED, -err);
}

int ucma_cmd_resolve_addr(struct ucma_id *id, const struct sockaddr_storage *src, size_t src_size,
			  const struct sockaddr_storage *dst, size_t dst_size, uint32_t timeout_ms)
{
	int err = 0;

	if (!ucma_addr_ok(dst, dst_size) ||
	    (src_size && src->ss_family && !ucma_addr_ok(src, src_size)))
		return EINVAL;
	if (id->state == UCMA_IDLE && src_size && src->ss_family)
		err = ucma_cmd_bind(id->file, id, src, src_size);
	if (!err && id->state != UCMA_IDLE && id->state != UCMA_ADDR_BOUND)
		err = EINVAL;
	if (!err)
		err = ucma_route(id, dst);
	if (err)
		return err;
	id->state = UCMA_ADDR_QUERY;
	err = address_resolve(id->port, &id->path, port_now() + timeout_ms * 1000000ull, neighbour,
			      id);
	if (err)
		id->state = UCMA_ADDR_BOUND;
	return err;
}

/* There is no subnet manager to ask: the path is what the port and the program's options say. */
int ucma_cmd_resolve_route(struct ucma_id *id)
{
	if (id->state != UCMA_ADDR_FOUND)
		return EINVAL;
	if (id->tos_set) {
		id->path.traffic_class = id->tos;
		id->path.sl = id->tos >> 5;
	}
	if (id->ack_timeout_set && id->ack_timeout)
		id->path.lifetime = id->ack_timeout - 1;
	id->state = UCMA_ROUTE_FOUND;
	ucma_post(id, UCMA_ROUTE_RESOLVED, 0);
	return 0;
}

static void read_param(struct ucma_id *id, const struct rdma_ucm_conn_param *from)
{
	struct cm_param *to = &id->param;

	to->qpn = from->qp_num;
	to->responder_resources = from->responder_resources;
	to->initiator_depth = from->initiator_depth;
	to->flow_control = from->flow_control;
	to->retry_count = from->retry_count < 7 ? from->retry_count : 7;
	to->rnr_retry_count = from->rnr_retry_count < 7 ? from->rnr_retry_count : 7;
	to->srq = from->srq != 0;
	to->starting_psn = id->psn;
	to->transport = id->qp_type == IBV_QPT_UC ? CM_TRANSPORT_UC : CM_TRANSPORT_RC;
	to->local_ack_delay = id->port->ack_delay;
}

int ucma_cmd_connect(struct ucma_id *id, const struct rdma_ucm_conn_param *param)
{
	unsigned int room = ucma_datagrams(id) ? CM_LEN(SIDR_REQ, PRIVATE_DATA)
					       : CM_LEN(REQ, PRIVATE_DATA);
	uint64_t service_id;
	uint8_t data[CM_IP_BYTES + RDMA_MAX_PRIVATE_DATA];
	unsigned int head;
	int err;

	if (id->state != UCMA_ROUTE_FOUND || !param->valid)
		return EINVAL;
	head = put_ip(id, data);
	if (head + param->private_data_len > room)
		return EINVAL;
	memcpy(data + head, param->private_data, param->private_data_len);
	id->cm = cm_create(&id->port->cm, on_event, id);
	if (!id->cm)
		return ENOMEM;
	id->psn = id->port->cm.env.random(id->port) & PSN_MASK;
	service_id = ucma_service_id(id, &id->dst);
	read_param(id, param);
	if (ucma_datagrams(id)) {
		if (param->qkey)
			id->qkey = param->qkey;
		err = cm_send_sidr_req(id->cm, &id->path, service_id, data,
				       head + param->private_data_len);
	} else {
		err = cm_send_req(id->cm, &id->path, service_id, &id->param, data,
				  head + param->private_data_len);
	}
	if (err) {
		cm_destroy(id->cm);
		id->cm = NULL;
	} else {
		id->state = UCMA_CONNECTING;
	}
	return err;
}

/* Of the passive end; of the active one it says that the answer is taken. */
int ucma_cmd_accept(struct ucma_id *id, uint64_t uid, const struct rdma_ucm_conn_param *param)
{
	int err;

	if (id->state != UCMA_CONNECTING || !id->cm)
		return EINVAL;
	if (!param->valid) {
		err = cm_send_rtu(id->cm, NULL, 0);
		id->connected = !err;
		return err;
	}
	id->uid = uid;
	if (ucma_datagrams(id)) {
		if (param->qkey)
			id->qkey = param->qkey;
		return cm_send_sidr_rep(id->cm, CM_SIDR_OK, param->qp_num, id->qkey,
					ucma_service_id(id, &id->src), param->private_data,
					param->private_data_len);
	}
	read_param(id, param);
	return cm_send_rep(id->cm, &id->param, param->private_data, param->private_data_len);
}

int ucma_cmd_reject(struct ucma_id *id, const struct rdma_ucm_reject *cmd)
{
	if (id->state != UCMA_CONNECTING || !id->cm)
		return EINVAL;
	if (ucma_datagrams(id))
		return cm_send_sidr_rep(id->cm, CM_SIDR_REJECT, 0, 0, ucma_service_id(id, &id->src),
					cmd->private_data, cmd->private_data_len);
	return cm_send_rej(id->cm, cmd->reason ? cmd->reason : CM_REJ_CONSUMER_DEFINED,
			   cmd->private_data, cmd->private_data_len);
}

int ucma_cmd_disconnect(struct ucma_id *id)
{
	int err;

	if (id->state != UCMA_CONNECTING || !id->cm || ucma_datagrams(id))
		return EINVAL;
	err = cm_send_dreq(id->cm, NULL, 0);
	return err ? cm_send_drep(id->cm, NULL, 0) : 0;
}

int ucma_cmd_notify(struct ucma_id *id, uint32_t event)
{
	if (event != IBV_EVENT_COMM_EST || !id->cm)
		return EINVAL;
	return cm_established(id->cm);
}
