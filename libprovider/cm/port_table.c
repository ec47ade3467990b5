// SPDX-License-Identifier: Apache-2.0
/* The ports that are open, and what is known of each without asking. */
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#include "port.h"

#define HOP_LIMIT 64u
/* One way through a network: 0.27 s, what the kernel takes for RoCE. */
#define LIFETIME 16u

pthread_mutex_t cm_lock = PTHREAD_MUTEX_INITIALIZER;
struct port *ports;
int port_wake_fd = -1;

uint64_t port_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---------------------------------------------------------------- addresses */

bool port_gid(const struct port *port, uint32_t index, uint8_t gid[CM_GID_BYTES], uint32_t *vlan)
{
	return index < port->nic->caps.max_gid &&
	       !cairn_query_gid(to_context(port->ctx)->dev, index, gid, vlan);
}

int port_gid_index(const struct port *port, const uint8_t gid[CM_GID_BYTES])
{
	uint8_t own[CM_GID_BYTES];

	for (uint32_t i = 0; i < port->nic->caps.max_gid; i++)
		if (port_gid(port, i, own, NULL) && !memcmp(own, gid, CM_GID_BYTES))
			return (int)i;
	return -1;
}

struct port *port_with_gid(const uint8_t gid[CM_GID_BYTES], uint32_t *index)
{
	for (struct port *port = ports; port; port = port->next) {
		int i = port->lost ? -1 : port_gid_index(port, gid);

		if (i < 0)
			continue;
		*index = (uint32_t)i;
		return port;
	}
	return NULL;
}

void port_path_init(const struct port *port, uint32_t sgid_index, const uint8_t *dgid,
		    struct cm_path *path)
{
	memset(path, 0, sizeof(*path));
	port_gid(port, sgid_index, path->sgid, NULL);
	memcpy(path->dgid, dgid, CM_GID_BYTES);
	path->sgid_index = sgid_index;
	path->pkey = PKEY;
	path->mtu = port->mtu;
	path->hop_limit = HOP_LIMIT;
	path->rate = IBV_RATE_100_GBPS;
	path->lifetime = LIFETIME;
}

/* ---------------------------------------------------------------- ports */

struct port *port_next(struct port *after)
{
	return after ? after->next : ports;
}

struct port *port_hold(struct port *port)
{
	port->users++;
	return port;
}

void port_put(struct port *port)
{
	if (!--port->users)
		port_kick();
}

void port_kick(void)
{
	if (port_wake_fd >= 0)
		eventfd_write(port_wake_fd, 1);
}
