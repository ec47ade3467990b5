// SPDX-License-Identifier: Apache-2.0
/*
 * What is written to a channel, and which command is whose.  Commands go one after the other, in
 * the order of ucma_command_lock, open_lock (port.c), cm_lock; only a thread that waits for an
 * event holds nothing.  The length of a command is looked at before its fields, and no more is
 * written back than it has room for: programs of older and newer librdmacm have shorter and longer
 * ones.
 */
#include "ucma.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------- commands */

union command {
	struct rdma_ucm_create_id create_id;
	struct rdma_ucm_destroy_id destroy_id;
	struct rdma_ucm_bind_ip bind_ip;
	struct rdma_ucm_bind bind;
	struct rdma_ucm_resolve_ip resolve_ip;
	struct rdma_ucm_resolve_addr resolve_addr;
	struct rdma_ucm_resolve_route resolve_route;
	struct rdma_ucm_query query;
	struct rdma_ucm_connect connect;
	struct rdma_ucm_listen listen;
	struct rdma_ucm_accept accept;
	struct rdma_ucm_reject reject;
	struct rdma_ucm_disconnect disconnect;
	struct rdma_ucm_init_qp_attr init_qp_attr;
	struct rdma_ucm_notify notify;
	struct rdma_ucm_join_ip_mcast join_ip;
	struct rdma_ucm_join_mcast join;
	struct rdma_ucm_get_event get_event;
	struct rdma_ucm_set_option set_option;
	struct rdma_ucm_migrate_id migrate_id;
};

static int create_id(struct ucma_file *file, const union command *cmd, size_t room)
{
	struct rdma_ucm_create_id_resp resp = { 0 };
	struct ucma_id *id;
	uint8_t qp_type;

	if (room < sizeof(resp))
		return ENOSPC;
	switch (cmd->create_id.ps) {
	case RDMA_PS_TCP:
		qp_type = IBV_QPT_RC;
		break;
	case RDMA_PS_UDP:
	case RDMA_PS_IPOIB:
		qp_type = IBV_QPT_UD;
		break;
	case RDMA_PS_IB:
		qp_type = cmd->create_id.qp_type;
		break;
	default:
		return EINVAL;
	}
	if (qp_type != IBV_QPT_RC && qp_type != IBV_QPT_UC && qp_type != IBV_QPT_UD)
		return EOPNOTSUPP; /* XRC */
	id = ucma_id_new(file, cmd->create_id.uid, cmd->create_id.ps, qp_type);
	if (!id)
		return ENOMEM;
	resp.id = id->handle;
	ucma_answer(cmd->create_id.response, &resp, sizeof(resp), room);
	return 0;
}

static int destroy_id(struct ucma_file *file, const union command *cmd, size_t room)
{
	struct rdma_ucm_destroy_id_resp resp;
	struct ucma_id *id;
	int err;

	if (room < sizeof(resp))
		return ENOSPC;
	id = ucma_find(file, cmd->destroy_id.id, &err);
	if (!id)
		return err;
	ucma_disown(id);
	resp.events_reported = id->reported;
	ucma_id_free(id);
	ucma_answer(cmd->destroy_id.response, &resp, sizeof(resp), room);
	return 0;
}

/* To the channel that the command is written to, with what is queued. */
static int migrate_id(struct ucma_file *file, const union command *cmd, size_t room)
{
	struct rdma_ucm_migrate_resp resp;
	struct ucma_file *from = ucma_file_of((int)cmd->migrate_id.fd);
	struct event_node *node, *next;
	struct ucma_id *id;
	int err;

	if (room < sizeof(resp))
		return ENOSPC;
	id = from ? ucma_find(from, cmd->migrate_id.id, &err) : NULL;
	if (!id)
		return from ? err : EBADF;
	resp.events_reported = id->reported;
	if (from != file) {
		ucma_id_unlink(id);
		id->file = file;
		id->next = file->ids;
		file->ids = id;
		for (node = from->queue.head.next; node != &from->queue.head; node = next) {
			next = node->next;
			if (((struct ucma_event *)node)->id != id)
				continue;
			pthread_mutex_lock(&from->queue.lock);
			event_queue_remove(&from->queue, node);
			pthread_mutex_unlock(&from->queue.lock);
			ucma_event_queue((struct ucma_event *)node);
		}
		for (struct ucma_id *other = from->ids; other; other = other->next)
			if (other->listener == id)
				other->listener = NULL;
	}
	ucma_answer(cmd->migrate_id.response, &resp, sizeof(resp), room);
	return 0;
}

/* The next event, under cm_lock; NULL: none. */
static struct ucma_event *take_event(struct ucma_file *file)
{
	struct event_node *node;

	pthread_mutex_lock(&file->queue.lock);
	node = file->queue.head.next;
	if (node == &file->queue.head)
		node = NULL;
	else
		event_queue_remove(&file->queue, node);
	pthread_mutex_unlock(&file->queue.lock);
	return (struct ucma_event *)node;
}

/* EAGAIN: there is none. */
static int get_event(struct ucma_file *file, const union command *cmd, size_t room)
{
	struct ucma_event *event;

	if (room < offsetof(struct rdma_ucm_event_resp, reserved))
		return ENOSPC;
	pthread_mutex_lock(&cm_lock);
	event = take_event(file);
	if (event && event->fresh) {
		event->id->backlog++;
		event->fresh->listener = NULL;
		event->resp.id = event->fresh->handle;
	}
	if (event) {
		ucma_answer(cmd->get_event.response, &event->resp, sizeof(event->resp), room);
		event->id->reported++;
	}
	if (event && event->mcast)
		event->mcast->reported++;
	pthread_mutex_unlock(&cm_lock);
	if (!event)
		return EAGAIN;
	free(event);
	return 0;
}

static void from_in6(struct sockaddr_storage *to, const struct sockaddr_in6 *from)
{
	memset(to, 0, sizeof(*to));
	memcpy(to, from, sizeof(*from));
}

static int on_id(struct ucma_file *file, uint32_t code, const union command *cmd, uint32_t handle,
		 size_t room)
{
	struct sockaddr_storage a, b;
	int err;
	struct ucma_id *id = ucma_find(file, handle, &err);

	if (!id)
		return err;
	switch (code) {
	case RDMA_USER_CM_CMD_BIND_IP:
		from_in6(&a, &cmd->bind_ip.addr);
		return ucma_cmd_bind(file, id, &a, ucma_addr_size(&a));
	case RDMA_USER_CM_CMD_BIND:
		memcpy(&a, &cmd->bind.addr, sizeof(a));
		return ucma_cmd_bind(file, id, &a, cmd->bind.addr_size);
	case RDMA_USER_CM_CMD_RESOLVE_IP:
		from_in6(&a, &cmd->resolve_ip.src_addr);
		from_in6(&b, &cmd->resolve_ip.dst_addr);
		return ucma_cmd_resolve_addr(id, &a, a.ss_family ? ucma_addr_size(&a) : 0, &b,
					     ucma_addr_size(&b), cmd->resolve_ip.timeout_ms);
	case RDMA_USER_CM_CMD_RESOLVE_ADDR:
		memcpy(&a, &cmd->resolve_addr.src_addr, sizeof(a));
		memcpy(&b, &cmd->resolve_addr.dst_addr, sizeof(b));
		return ucma_cmd_resolve_addr(id, &a, cmd->resolve_addr.src_size, &b,
					     cmd->resolve_addr.dst_size,
					     cmd->resolve_addr.timeout_ms);
	case RDMA_USER_CM_CMD_RESOLVE_ROUTE:
		return ucma_cmd_resolve_route(id);
	case RDMA_USER_CM_CMD_LISTEN:
		return ucma_cmd_listen(id, cmd->listen.backlog);
	case RDMA_USER_CM_CMD_CONNECT:
		return ucma_cmd_connect(id, &cmd->connect.conn_param);
	case RDMA_USER_CM_CMD_ACCEPT:
		return ucma_cmd_accept(id, cmd->accept.uid, &cmd->accept.conn_param);
	case RDMA_USER_CM_CMD_REJECT:
		return ucma_cmd_reject(id, &cmd->reject);
	case RDMA_USER_CM_CMD_DISCONNECT:
		return ucma_cmd_disconnect(id);
	case RDMA_USER_CM_CMD_NOTIFY:
		return ucma_cmd_notify(id, cmd->notify.event);
	case RDMA_USER_CM_CMD_QUERY:
		return ucma_cmd_query(id, &cmd->query, room);
	case RDMA_USER_CM_CMD_QUERY_ROUTE:
		return ucma_cmd_query_route(id, cmd->query.response, room);
	case RDMA_USER_CM_CMD_INIT_QP_ATTR:
		return ucma_cmd_init_qp_attr(id, &cmd->init_qp_attr, room);
	case RDMA_USER_CM_CMD_SET_OPTION:
		return ucma_cmd_set_option(id, &cmd->set_option);
	case RDMA_USER_CM_CMD_JOIN_IP_MCAST:
		from_in6(&a, &cmd->join_ip.addr);
		return ucma_cmd_join(id, cmd->join_ip.uid, &a, ucma_addr_size(&a),
				     RDMA_MC_JOIN_FLAG_FULLMEMBER, cmd->join_ip.response, room);
	case RDMA_USER_CM_CMD_JOIN_MCAST:
		memcpy(&a, &cmd->join.addr, sizeof(a));
		return ucma_cmd_join(id, cmd->join.uid, &a, cmd->join.addr_size,
				     cmd->join.join_flags, cmd->join.response, room);
	default:
		return EINVAL;
	}
}

/* Where each command has the ID that it is about, and how much of it there has to be. */
#define ON_ID(name, member, last)                                            \
	[RDMA_USER_CM_CMD_##name] = { offsetof(union command, member.id),    \
				      offsetof(union command, member.last) + \
					      sizeof(((union command *)0)->member.last) }
static const struct {
	uint16_t id, needed;
} shapes[] = {
	ON_ID(BIND_IP, bind_ip, id),
	ON_ID(BIND, bind, addr),
	ON_ID(RESOLVE_IP, resolve_ip, timeout_ms),
	ON_ID(RESOLVE_ADDR, resolve_addr, dst_addr),
	ON_ID(RESOLVE_ROUTE, resolve_route, timeout_ms),
	ON_ID(LISTEN, listen, backlog),
	ON_ID(CONNECT, connect, id),
	ON_ID(ACCEPT, accept, id),
	ON_ID(REJECT, reject, private_data),
	ON_ID(DISCONNECT, disconnect, id),
	ON_ID(NOTIFY, notify, event),
	ON_ID(QUERY, query, option),
	ON_ID(QUERY_ROUTE, query, id),
	ON_ID(INIT_QP_ATTR, init_qp_attr, qp_state),
	ON_ID(SET_OPTION, set_option, optlen),
	ON_ID(JOIN_IP_MCAST, join_ip, id),
	ON_ID(JOIN_MCAST, join, addr),
	[RDMA_USER_CM_CMD_CREATE_ID] = { 0, sizeof(struct rdma_ucm_create_id) },
	[RDMA_USER_CM_CMD_DESTROY_ID] = { 0, sizeof(struct rdma_ucm_destroy_id) - 4 },
	[RDMA_USER_CM_CMD_GET_EVENT] = { 0, sizeof(struct rdma_ucm_get_event) },
	[RDMA_USER_CM_CMD_LEAVE_MCAST] = { 0, sizeof(struct rdma_ucm_destroy_id) - 4 },
	[RDMA_USER_CM_CMD_MIGRATE_ID] = { 0, sizeof(struct rdma_ucm_migrate_id) },
	/* GET_OPTION is not offered by kernels either */
};

static int serialized(struct ucma_file *file, uint32_t code, const union command *cmd, size_t room)
{
	uint32_t handle;
	int err;

	pthread_mutex_lock(&ucma_command_lock);
	pthread_mutex_lock(&cm_lock);
	switch (code) {
	case RDMA_USER_CM_CMD_CREATE_ID:
		err = create_id(file, cmd, room);
		break;
	case RDMA_USER_CM_CMD_DESTROY_ID:
		err = destroy_id(file, cmd, room);
		break;
	case RDMA_USER_CM_CMD_MIGRATE_ID:
		err = migrate_id(file, cmd, room);
		break;
	case RDMA_USER_CM_CMD_LEAVE_MCAST:
		err = ucma_cmd_leave(file, &cmd->destroy_id, room);
		break;
	default:
		memcpy(&handle, (const uint8_t *)cmd + shapes[code].id, sizeof(handle));
		err = on_id(file, code, cmd, handle, room);
	}
	port_kick();
	pthread_mutex_unlock(&cm_lock);
	pthread_mutex_unlock(&ucma_command_lock);
	return err;
}

/* One command, of a channel that is held; 0 or an errno, EAGAIN where there is no event. */
static int dispatch(struct ucma_file *file, const void *buffer, size_t bytes)
{
	struct rdma_ucm_cmd_hdr hdr;
	union command cmd;

	if (bytes < sizeof(hdr))
		return EINVAL;
	memcpy(&hdr, buffer, sizeof(hdr));
	if (hdr.cmd >= sizeof(shapes) / sizeof(shapes[0]) || (size_t)hdr.in + sizeof(hdr) > bytes ||
	    !shapes[hdr.cmd].needed)
		return EINVAL;
	if (hdr.in < shapes[hdr.cmd].needed)
		return EINVAL;
	memset(&cmd, 0, sizeof(cmd));
	memcpy(&cmd, (const uint8_t *)buffer + sizeof(hdr),
	       hdr.in < sizeof(cmd) ? hdr.in : sizeof(cmd));
	if (hdr.cmd == RDMA_USER_CM_CMD_GET_EVENT)
		return get_event(file, &cmd, hdr.out);
	return serialized(file, hdr.cmd, &cmd, hdr.out);
}

/* ---------------------------------------------------------------- write() */

static int command(int fd, const void *buffer, size_t bytes)
{
	struct ucma_file *file;
	int err;
	UNCANCELLED;

	pthread_mutex_lock(&cm_lock);
	file = ucma_file_of(fd);
	if (file)
		file->calls++;
	pthread_mutex_unlock(&cm_lock);
	if (!file)
		return ENODEV; /* the parent's, or closed meanwhile */
	err = dispatch(file, buffer, bytes);
	pthread_mutex_lock(&cm_lock);
	file->calls--;
	ucma_file_release(file);
	pthread_mutex_unlock(&cm_lock);
	return err;
}

/* Only who waits for an event gets EAGAIN; meanwhile he holds nothing and may be cancelled.  Where
 * the channel is closed under it the kernel lets it wait without end, and programs (rping) rely on
 * it: another answer would be an error to them, while they end. */
ssize_t ucma_write(int fd, const void *buffer, size_t bytes)
{
	bool waited = false;
	char byte;
	int err;

	while ((err = command(fd, buffer, bytes)) == EAGAIN) {
		if (recv(fd, &byte, 1, MSG_PEEK) < 0)
			return -1;
		waited = true;
	}
	while (err == ENODEV && waited)
		pause();
	if (!err)
		return (ssize_t)bytes;
	errno = err;
	return -1;
}
