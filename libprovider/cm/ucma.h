/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's interface for user space connection managers, answered in this process: what
 * librdmacm writes to /dev/infiniband/rdma_cm (<rdma/rdma_user_cm.h>) is a call of ours.  So all of
 * librdmacm works as it is, rsockets and what comes after them too, with nothing of its own API
 * written again; the ABI is published, versioned and has been the same since 2013, where the API
 * has grown with each release.
 *
 *   device.c     the device: open, write, close   ucma_addr.c   addresses, ports, who listens
 *   ucma.c       commands                         ucma_query.c  queries, attributes of QPs
 *   ucma_file.c  event channels                   ucma_mcast.c  multicast, options
 *   ucma_conn.c  connecting                       ucma_id.c     IDs, events
 *
 * All under cm_lock, but what opens a port.  Functions return 0 or a positive errno.
 */
#ifndef CAIRN_CM_UCMA_H
#define CAIRN_CM_UCMA_H

#include <netinet/in.h>
#include <rdma/rdma_user_cm.h>
#include <sys/socket.h>

#include "port.h"

/* Events of <rdma/rdma_cma.h>, which is librdmacm's; the numbers are the ABI's. */
enum ucma_event_type {
	UCMA_ADDR_RESOLVED,
	UCMA_ADDR_ERROR,
	UCMA_ROUTE_RESOLVED,
	UCMA_ROUTE_ERROR,
	UCMA_CONNECT_REQUEST,
	UCMA_CONNECT_RESPONSE,
	UCMA_CONNECT_ERROR,
	UCMA_UNREACHABLE,
	UCMA_REJECTED,
	UCMA_ESTABLISHED,
	UCMA_DISCONNECTED,
	UCMA_DEVICE_REMOVAL,
	UCMA_MULTICAST_JOIN,
	UCMA_MULTICAST_ERROR,
	UCMA_ADDR_CHANGE,
	UCMA_TIMEWAIT_EXIT
};

/* An address of the family AF_IB, as the kernel's <rdma/ib.h> has it. */
#define UCMA_AF_IB 27
struct ucma_sockaddr_ib {
	uint16_t family, pkey;
	uint32_t flow_info;
	uint8_t addr[CM_GID_BYTES];
	uint64_t sid, sid_mask, scope_id; /* the first two big-endian */
};

#define UCMA_UDP_QKEY 0x01234567u

/* What an ID is in; the kernel's rdma_cm_state. */
enum ucma_state {
	UCMA_IDLE,
	UCMA_ADDR_BOUND,
	UCMA_LISTENING,
	UCMA_ADDR_QUERY,
	UCMA_ADDR_FOUND,
	UCMA_ROUTE_FOUND,
	UCMA_CONNECTING, /* from connect() or a request on, connected and ended too */
};

struct ucma_id;

/* An event channel. */
struct ucma_file {
	struct ucma_file *next;
	int fd;
	uint64_t inode;	    /* the descriptor is still the one we gave */
	unsigned int calls; /* threads in a write(); the file is freed with the last */
	bool closed;
	struct event_queue queue;
	struct ucma_id *ids;
};

struct ucma_mcast {
	struct ucma_mcast *next;
	uint32_t handle;
	uint64_t uid;
	struct ucma_id *id;
	uint8_t gid[CM_GID_BYTES];
	unsigned int reported;
};

struct ucma_event {
	struct event_node node;	    /* first */
	struct ucma_id *id, *fresh; /* of a request: what it is for, and the new ID */
	struct ucma_mcast *mcast;
	struct rdma_ucm_event_resp resp;
};

struct ucma_id {
	struct ucma_id *next; /* of its file */
	struct ucma_file *file;
	uint32_t handle;
	uint64_t uid; /* 0: a request that was not accepted */
	uint16_t ps;
	uint8_t qp_type; /* enum ibv_qp_type */
	enum ucma_state state;
	struct sockaddr_storage src, dst;
	struct port *port; /* NULL: no address of a NIC yet */
	uint32_t sgid_index;
	struct cm_path path;
	struct cm_id *cm;
	struct cm_param param; /* what was connected or accepted with */
	uint32_t psn, qkey;
	int backlog;		  /* requests that there is room for */
	struct ucma_id *listener; /* of a request not yet fetched */
	unsigned int reported;
	struct ucma_mcast *groups;
	struct port **ports; /* that a listener on all addresses holds open */
	unsigned int n_ports;
	bool bound; /* in the list of port numbers */
	struct ucma_id *next_bound;
	bool reuse_addr, af_only, connected;
	uint8_t tos, ack_timeout;
	bool tos_set, ack_timeout_set;
};

static inline bool ucma_datagrams(const struct ucma_id *id)
{
	return id->qp_type == IBV_QPT_UD;
}

/* ---------------------------------------------------------------- ucma_file.c */

extern pthread_mutex_t ucma_command_lock;

/* A channel: its descriptor, or -1 with errno. */
int ucma_open(void);
/* A descriptor of ours, or that this process has inherited from who forked it. */
bool ucma_is_channel(int fd);
/* Before it is closed; what it had ends. */
void ucma_close(int fd);
/* The process ends: peers are told. */
void ucma_exit(void);

/* A channel of this process by its descriptor, under cm_lock; NULL: none. */
struct ucma_file *ucma_file_of(int fd);
/* Under cm_lock: its last user frees it. */
void ucma_file_release(struct ucma_file *file);

/* ---------------------------------------------------------------- ucma.c */

/* A command; what write() returns. */
ssize_t ucma_write(int fd, const void *buffer, size_t bytes);

/* ---------------------------------------------------------------- ucma_id.c */

/* In the child of a fork. */
void ucma_ids_forked(void);
/* NULL: no such ID of that file; ENOENT or EINVAL. */
struct ucma_id *ucma_find(struct ucma_file *file, uint32_t handle, int *err);
struct ucma_id *ucma_id_new(struct ucma_file *file, uint64_t uid, uint16_t ps, uint8_t qp_type);
void ucma_id_free(struct ucma_id *id);
/* Out of its file's list. */
void ucma_id_unlink(struct ucma_id *id);
/* Ends what the ID has with its peer. */
void ucma_disown(struct ucma_id *id);
/* A group of an ID goes. */
void ucma_mcast_drop(struct ucma_mcast **at);
/* Numbers of IDs and groups; 0: ENOMEM. */
uint32_t ucma_handle(void *object);
void ucma_handle_free(uint32_t handle);
void *ucma_object(uint32_t handle);
/* An event for the program; what it is about in resp.param.  NULL: out of memory. */
struct ucma_event *ucma_event_new(struct ucma_id *id, enum ucma_event_type type, int status);
void ucma_event_queue(struct ucma_event *event);
/* Those of an ID that wait, or only those of one of its groups. */
void ucma_drop_events(struct ucma_id *id, const struct ucma_mcast *mcast);
void ucma_post(struct ucma_id *id, enum ucma_event_type type, int status);
/* Write an answer of `size` bytes to where the program wants it, cut to what it has room for. */
void ucma_answer(uint64_t to, const void *from, size_t size, size_t room);

/* ---------------------------------------------------------------- ucma_addr.c */

bool ucma_addr_ok(const struct sockaddr_storage *addr, size_t size);
bool ucma_addr_any(const struct sockaddr_storage *addr);
socklen_t ucma_addr_size(const struct sockaddr_storage *addr);
/* Host order; of AF_IB: none. */
uint16_t ucma_addr_port(const struct sockaddr_storage *addr);
void ucma_addr_set_port(struct sockaddr_storage *addr, uint16_t number);
bool ucma_addr_to_gid(const struct sockaddr_storage *addr, uint8_t gid[CM_GID_BYTES]);
void ucma_addr_from_gid(struct sockaddr_storage *addr, const uint8_t gid[CM_GID_BYTES]);
uint64_t ucma_service_id(const struct ucma_id *id, const struct sockaddr_storage *addr);

/* Give the ID its address, and a number of its port space; EADDRINUSE, EADDRNOTAVAIL, ENODEV. */
int ucma_bind(struct ucma_id *id, const struct sockaddr_storage *addr);
void ucma_unbind(struct ucma_id *id);
/* In the child of a fork. */
void ucma_addr_forked(void);
/* All NICs, for a listener on any address. */
int ucma_listen_all(struct ucma_id *id);
/* The way to an address: port, source and path of the ID are set. */
int ucma_route(struct ucma_id *id, const struct sockaddr_storage *dst);
/* The ID that listens for it on that address; NULL: none. */
struct ucma_id *ucma_listener(struct port *port, const uint8_t gid[CM_GID_BYTES],
			      uint64_t service_id);

/* ---------------------------------------------------------------- commands: hdr.out in `room` */

int ucma_cmd_bind(struct ucma_file *file, struct ucma_id *id, const struct sockaddr_storage *addr,
		  size_t size);
int ucma_cmd_resolve_addr(struct ucma_id *id, const struct sockaddr_storage *src, size_t src_size,
			  const struct sockaddr_storage *dst, size_t dst_size, uint32_t timeout_ms);
int ucma_cmd_resolve_route(struct ucma_id *id);
int ucma_cmd_listen(struct ucma_id *id, uint32_t backlog);
int ucma_cmd_connect(struct ucma_id *id, const struct rdma_ucm_conn_param *param);
int ucma_cmd_accept(struct ucma_id *id, uint64_t uid, const struct rdma_ucm_conn_param *param);
int ucma_cmd_reject(struct ucma_id *id, const struct rdma_ucm_reject *cmd);
int ucma_cmd_disconnect(struct ucma_id *id);
int ucma_cmd_notify(struct ucma_id *id, uint32_t event);
int ucma_cmd_query(struct ucma_id *id, const struct rdma_ucm_query *cmd, size_t room);
int ucma_cmd_query_route(struct ucma_id *id, uint64_t response, size_t room);
int ucma_cmd_init_qp_attr(struct ucma_id *id, const struct rdma_ucm_init_qp_attr *cmd, size_t room);
int ucma_cmd_set_option(struct ucma_id *id, const struct rdma_ucm_set_option *cmd);
int ucma_cmd_join(struct ucma_id *id, uint64_t uid, const struct sockaddr_storage *addr,
		  size_t size, unsigned int flags, uint64_t response, size_t room);
int ucma_cmd_leave(struct ucma_file *file, const struct rdma_ucm_destroy_id *cmd, size_t room);
/* A request that came to a port (struct port_client). */
unsigned int ucma_request(void *port, struct cm_id *id, const struct cm_event *event);
/* The address of a datagram's receiver, for events. */
void ucma_ah_attr(const struct ucma_id *id, const uint8_t *dgid, struct ib_uverbs_ah_attr *attr);

#endif
