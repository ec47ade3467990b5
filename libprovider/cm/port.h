/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The connection manager's place at a NIC: QP 1, the addresses behind which peers are, and the
 * thread that gives it time.  A port is open as long as it has a user, or the protocol still has
 * something to say for former ones.
 *
 *   port.c   open and close, the thread      mad.c   datagrams of QP 1      address.c   neighbours
 *   port_table.c   what these stand on: which ports there are, their GIDs, the clock
 *
 * cm_lock guards all that is said here but for opening and closing, and all state machines (cm.h)
 * and IDs (ucma.h).  It is taken before any lock of provider.h, and no thread waits for a device
 * under it.
 */
#ifndef CAIRN_CM_PORT_H
#define CAIRN_CM_PORT_H

#include "../provider.h"
#include "cm.h"

#define PORT_SENDS 64u
#define PORT_RECVS 128u
#define PORT_GRH_BYTES 40u
#define PORT_RECV_BYTES (PORT_GRH_BYTES + MAD_BYTES)

struct port_address;

struct port {
	struct port *next;
	struct nic *nic;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t *memory; /* receives, then sends */
	unsigned int free_sends[PORT_SENDS], n_free_sends;
	uint8_t mtu, ack_delay;
	unsigned int users; /* who has got it, and threads that are at work in it */
	bool lost;
	struct port_address *addresses;
	unsigned int waiting; /* datagrams, for addresses */
	struct cm cm;
};

extern pthread_mutex_t cm_lock;

/* What is done for ports by who uses them (ucma_file.c); all but the last under cm_lock. */
struct port_client {
	/* As of struct cm_env, with the port as arg. */
	unsigned int (*request)(void *port, struct cm_id *id, const struct cm_event *event);
	void (*lost)(struct port *port);
	void (*forked)(void); /* in the child */
};
/* Before the first port_get(). */
void port_serve(const struct port_client *client);

/* Open, or share.  NULL with errno: EBUSY where another process has the NIC.  Without cm_lock. */
struct port *port_get(struct nic *nic);
/* The next ones under cm_lock. */
void port_put(struct port *port);
struct port *port_hold(struct port *port);
/* Of ports that are open: the one with that address, and its index. */
struct port *port_with_gid(const uint8_t gid[CM_GID_BYTES], uint32_t *index);
struct port *port_next(struct port *after); /* NULL: the first */
/* Something is due earlier than the thread knows. */
void port_kick(void);

/* One GID of the table; false: empty.  vlan: CAIRN_GID_VLAN | TCI, or 0. */
bool port_gid(const struct port *port, uint32_t index, uint8_t gid[CM_GID_BYTES], uint32_t *vlan);
int port_gid_index(const struct port *port, const uint8_t gid[CM_GID_BYTES]);
/* What a path of this port has by itself. */
void port_path_init(const struct port *port, uint32_t sgid_index, const uint8_t *dgid,
		    struct cm_path *path);
uint64_t port_now(void);

/* ---------------------------------------------------------------- of port_table.c, for port.c */

extern struct port *ports;
extern int port_wake_fd; /* of the thread; -1: there is none */

/* ---------------------------------------------------------------- mad.c */

int mad_open(struct port *port);
void mad_close(struct port *port);
/* Take what has come and what was sent. */
void mad_poll(struct port *port);
void mad_post(struct port *port, const struct ibv_ah *ah, const uint8_t mad[MAD_BYTES]);
/* Until what was handed to the NIC has left it, for a while; without cm_lock. */
void mad_drain(struct port *port);

/* ---------------------------------------------------------------- address.c */

/* Send when the neighbour is known; asks for it if not. */
void address_send(void *port, const struct cm_path *path, const uint8_t mad[MAD_BYTES]);
/*
 * fn(arg, 0) once the neighbour is known, fn(arg, err) without an answer until `until`; with
 * cm_lock, not before this call returns.  ENOMEM, EAGAIN.
 */
typedef void (*address_fn)(void *arg, int err);
int address_resolve(struct port *port, const struct cm_path *path, uint64_t until, address_fn fn,
		    void *arg);
/* Waiters with this arg wait no more. */
void address_cancel(struct port *port, const void *arg);
void address_forget(struct port *port);
void address_forked(void);

#endif
