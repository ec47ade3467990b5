// SPDX-License-Identifier: Apache-2.0
/*
 * Addresses of IDs: a NIC's are the GIDs of its table, and all others are on the link (RESOLVE in
 * docs/commands.md), so the way to an address begins at the GID of its family that has most leading
 * bits in common with it.  Port numbers are a process's own: another one has another NIC.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "ucma.h"

#define FIRST_EPHEMERAL 32768u
#define EPHEMERALS 28232u /* to 60999, as the kernel's ip_local_port_range */
/* Service IDs of IP ports (Annex A11.2): a prefix, the space, the port. */
#define IP_SID_MASK 0xffffffffffff0000ull
#define IP_SID_PREFIX_MASK 0xffffffffff000000ull
#define IP_SID_PREFIX 0x0000000001000000ull

static struct ucma_id *bound;
static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

/* ---------------------------------------------------------------- socket addresses */

static const struct ucma_sockaddr_ib *ib(const struct sockaddr_storage *addr)
{
	return (const struct ucma_sockaddr_ib *)addr;
}

static const struct sockaddr_in *in4(const struct sockaddr_storage *addr)
{
	return (const struct sockaddr_in *)addr;
}

static const struct sockaddr_in6 *in6(const struct sockaddr_storage *addr)
{
	return (const struct sockaddr_in6 *)addr;
}

socklen_t ucma_addr_size(const struct sockaddr_storage *addr)
{
	switch (addr->ss_family) {
	case AF_INET:
		return sizeof(struct sockaddr_in);
	case AF_INET6:
		return sizeof(struct sockaddr_in6);
	case UCMA_AF_IB:
		return sizeof(struct ucma_sockaddr_ib);
	default:
		return 0;
	}
}

bool ucma_addr_ok(const struct sockaddr_storage *addr, size_t size)
{
	return size && size >= ucma_addr_size(addr) && ucma_addr_size(addr);
}

uint16_t ucma_addr_port(const struct sockaddr_storage *addr)
{
	switch (addr->ss_family) {
	case AF_INET:
		return ntohs(in4(addr)->sin_port);
	case AF_INET6:
		return ntohs(in6(addr)->sin6_port);
	default:
		return (uint16_t)(be64toh(ib(addr)->sid) & be64toh(ib(addr)->sid_mask));
	}
}

void ucma_addr_set_port(struct sockaddr_storage *addr, uint16_t number)
{
	struct ucma_sockaddr_ib *sib = (struct ucma_sockaddr_ib *)addr;

	switch (addr->ss_family) {
	case AF_INET:
		((struct sockaddr_in *)addr)->sin_port = htons(number);
		break;
	case AF_INET6:
		((struct sockaddr_in6 *)addr)->sin6_port = htons(number);
		break;
	default:
		sib->sid = htobe64((be64toh(sib->sid) & IP_SID_MASK) | number);
		sib->sid_mask = htobe64(UINT64_MAX);
	}
}

bool ucma_addr_to_gid(const struct sockaddr_storage *addr, uint8_t gid[CM_GID_BYTES])
{
	switch (addr->ss_family) {
	case AF_INET:
		memcpy(gid, mapped, 12);
		memcpy(gid + 12, &in4(addr)->sin_addr, 4);
		return true;
	case AF_INET6:
		memcpy(gid, &in6(addr)->sin6_addr, CM_GID_BYTES);
		return true;
	case UCMA_AF_IB:
		memcpy(gid, ib(addr)->addr, CM_GID_BYTES);
		return true;
	default:
		return false;
	}
}

/* In the family that the address has already, with its port and all else. */
void ucma_addr_from_gid(struct sockaddr_storage *addr, const uint8_t gid[CM_GID_BYTES])
{
	bool v4 = !memcmp(gid, mapped, 12);

	if (addr->ss_family == UCMA_AF_IB) {
		memcpy(((struct ucma_sockaddr_ib *)addr)->addr, gid, CM_GID_BYTES);
	} else if (v4 && addr->ss_family == AF_INET) {
		memcpy(&((struct sockaddr_in *)addr)->sin_addr, gid + 12, 4);
	} else {
		addr->ss_family = AF_INET6;
		memcpy(&((struct sockaddr_in6 *)addr)->sin6_addr, gid, CM_GID_BYTES);
	}
}

static bool gid_is_any(const uint8_t *gid)
{
	static const uint8_t zero[16];

	return !memcmp(gid, zero, 16) || (!memcmp(gid, mapped, 12) && !memcmp(gid + 12, zero, 4));
}

static bool gid_is_loopback(const uint8_t *gid)
{
	static const uint8_t one[16] = { [15] = 1 };

	return !memcmp(gid, one, 16) || (!memcmp(gid, mapped, 12) && gid[12] == 127);
}

/* An ID of such an address has no NIC yet: loopback is no NIC's, so it says as little as zero. */
static bool gid_says_nothing(const uint8_t *gid)
{
	return gid_is_any(gid) || gid_is_loopback(gid);
}

bool ucma_addr_any(const struct sockaddr_storage *addr)
{
	uint8_t gid[CM_GID_BYTES];

	return !ucma_addr_to_gid(addr, gid) || gid_says_nothing(gid);
}

static bool gid_is_multicast(const uint8_t *gid)
{
	return gid[0] == 0xff || (!memcmp(gid, mapped, 12) && gid[12] >> 4 == 14);
}

static bool is_v4(const uint8_t *gid)
{
	return !memcmp(gid, mapped, 12);
}

uint64_t ucma_service_id(const struct ucma_id *id, const struct sockaddr_storage *addr)
{
	if (addr->ss_family == UCMA_AF_IB)
		return be64toh(ib(addr)->sid);
	return (uint64_t)id->ps << 16 | ucma_addr_port(addr);
}

/* ---------------------------------------------------------------- port numbers */

/* Two may have the same number on different addresses, or if both say that they do not mind. */
static bool collide(const struct ucma_id *a, const struct ucma_id *b,
		    const struct sockaddr_storage *addr)
{
	uint8_t one[CM_GID_BYTES], other[CM_GID_BYTES];

	if (ucma_service_id(b, &b->src) != ucma_service_id(a, addr))
		return false;
	if (a->reuse_addr && b->reuse_addr)
		return false;
	if (ucma_addr_any(addr) || ucma_addr_any(&b->src))
		return !((a->af_only || b->af_only) && addr->ss_family != b->src.ss_family);
	ucma_addr_to_gid(addr, one);
	ucma_addr_to_gid(&b->src, other);
	return !memcmp(one, other, CM_GID_BYTES);
}

static bool number_taken(const struct ucma_id *id, const struct sockaddr_storage *addr)
{
	for (const struct ucma_id *other = bound; other; other = other->next_bound)
		if (other != id && collide(id, other, addr))
			return true;
	return false;
}

/* Of an AF_IB service outside the spaces of IP ports, the whole ID is the number. */
static bool has_number(const struct sockaddr_storage *addr)
{
	return addr->ss_family != UCMA_AF_IB ||
	       (be64toh(ib(addr)->sid) & IP_SID_PREFIX_MASK) == IP_SID_PREFIX;
}

static int take_number(struct ucma_id *id, struct sockaddr_storage *addr)
{
	uint32_t start;

	if (id->bound || (addr->ss_family == UCMA_AF_IB && !ib(addr)->sid))
		return 0;
	if (ucma_addr_port(addr) || !has_number(addr)) {
		if (number_taken(id, addr))
			return EADDRINUSE;
	} else {
		uint32_t i;

		start = (uint32_t)(port_now() >> 10) % EPHEMERALS;
		for (i = 0; i < EPHEMERALS; i++) {
			ucma_addr_set_port(addr,
					   (uint16_t)(FIRST_EPHEMERAL + (start + i) % EPHEMERALS));
			if (!number_taken(id, addr))
				break;
		}
		if (i == EPHEMERALS)
			return EADDRNOTAVAIL;
	}
	id->next_bound = bound;
	bound = id;
	id->bound = true;
	return 0;
}

void ucma_unbind(struct ucma_id *id)
{
	struct ucma_id **at = &bound;

	while (id->bound && *at != id)
		at = &(*at)->next_bound;
	if (id->bound)
		*at = id->next_bound;
	id->bound = false;
	if (id->port)
		port_put(id->port);
	id->port = NULL;
	while (id->n_ports)
		port_put(id->ports[--id->n_ports]);
	free(id->ports);
	id->ports = NULL;
}

/* ---------------------------------------------------------------- which NIC */

/* Without cm_lock while the device is opened; no other command is under way meanwhile. */
static struct port *open_nic(struct ibv_device *device)
{
	struct port *port;

	pthread_mutex_unlock(&cm_lock);
	port = port_get(to_nic(device));
	pthread_mutex_lock(&cm_lock);
	return port;
}

/* Those that this process may use; what cannot be opened is another process's. */
static unsigned int list_nics(struct ibv_device **list)
{
	nics_scan();
	return nics_present(list, MAX_NICS);
}

/* The port with that address, held: one that is open, else NICs are opened until it is found. */
static struct port *find_address(const uint8_t *gid, uint32_t *index)
{
	struct ibv_device *list[MAX_NICS];
	struct port *port = port_with_gid(gid, index);
	unsigned int n = port ? 0 : list_nics(list);

	if (port)
		return port_hold(port);
	for (unsigned int i = 0; i < n; i++) {
		int at;

		port = open_nic(list[i]);
		at = port ? port_gid_index(port, gid) : -1;
		if (at >= 0) {
			*index = (uint32_t)at;
			return port;
		}
		if (port)
			port_put(port);
	}
	return NULL;
}

static unsigned int common_bits(const uint8_t *a, const uint8_t *b)
{
	unsigned int i = 0;

	while (i < 128 && !((a[i / 8] ^ b[i / 8]) & (0x80u >> i % 8)))
		i++;
	return i;
}

/* The GID of a port from which to go there; -1: none of that family. */
static int best_gid(const struct port *port, const uint8_t *dst, unsigned int *bits)
{
	uint8_t gid[CM_GID_BYTES];
	int best = -1;

	for (uint32_t i = 0; i < port->nic->caps.max_gid; i++) {
		unsigned int common;

		if (!port_gid(port, i, gid, NULL) || is_v4(gid) != is_v4(dst))
			continue;
		common = common_bits(gid, dst);
		if (best >= 0 && common <= *bits)
			continue;
		best = (int)i;
		*bits = common;
	}
	return best;
}

/* Of the open ports the nearest; else the first NIC that can be opened and has such an address. */
static struct port *nearest(const uint8_t *dst, uint32_t *index)
{
	struct ibv_device *list[MAX_NICS];
	struct port *best = NULL, *port = NULL;
	unsigned int bits = 0, most = 0, n;
	int at;

	while ((port = port_next(port))) {
		at = port->lost ? -1 : best_gid(port, dst, &bits);
		if (at < 0 || (best && bits <= most))
			continue;
		best = port;
		most = bits;
		*index = (uint32_t)at;
	}
	if (best)
		return port_hold(best);
	n = list_nics(list);
	for (unsigned int i = 0; i < n; i++) {
		port = open_nic(list[i]);
		at = port ? best_gid(port, dst, &bits) : -1;
		if (at >= 0) {
			*index = (uint32_t)at;
			return port;
		}
		if (port)
			port_put(port);
	}
	return NULL;
}

int ucma_bind(struct ucma_id *id, const struct sockaddr_storage *addr)
{
	struct sockaddr_storage own = *addr;
	uint8_t gid[CM_GID_BYTES];
	struct port *port = NULL;
	uint32_t index = 0;
	int err;

	if (!ucma_addr_to_gid(addr, gid))
		return EINVAL;
	if (!gid_says_nothing(gid)) {
		port = find_address(gid, &index);
		if (!port)
			return EADDRNOTAVAIL;
	}
	err = take_number(id, &own);
	if (err) {
		if (port)
			port_put(port);
		return err;
	}
	id->src = own;
	id->port = port;
	id->sgid_index = index;
	return 0;
}

int ucma_listen_all(struct ucma_id *id)
{
	struct ibv_device *list[MAX_NICS];
	unsigned int n = list_nics(list);
	struct port **ports = calloc(n + 1, sizeof(struct port *));

	if (!ports)
		return ENOMEM;
	id->ports = ports;
	for (unsigned int i = 0; i < n; i++) {
		struct port *port = open_nic(list[i]);

		if (port)
			id->ports[id->n_ports++] = port;
	}
	return id->n_ports ? 0 : n ? EBUSY : ENODEV;
}

int ucma_route(struct ucma_id *id, const struct sockaddr_storage *dst)
{
	uint8_t gid[CM_GID_BYTES], own[CM_GID_BYTES];
	uint32_t index = id->sgid_index;
	struct port *port = id->port;
	int err;

	if (!ucma_addr_to_gid(dst, gid) || gid_is_any(gid))
		return EINVAL;
	if (!port) {
		port = gid_is_loopback(gid) || gid_is_multicast(gid) ? NULL
								     : port_with_gid(gid, &index);
		port = port ? port_hold(port) : nearest(gid, &index);
		if (!port)
			return ENODEV;
	}
	if (!port_gid(port, index, own, NULL) || is_v4(own) != is_v4(gid)) {
		err = EAFNOSUPPORT;
		goto err_port;
	}
	id->dst = *dst;
	if (gid_is_loopback(gid)) {
		memcpy(gid, own, CM_GID_BYTES);
		ucma_addr_from_gid(&id->dst, gid);
	}
	if (!id->src.ss_family)
		id->src.ss_family = dst->ss_family;
	err = take_number(id, &id->src);
	if (err)
		goto err_port;
	if (!id->port || ucma_addr_any(&id->src))
		ucma_addr_from_gid(&id->src, own);
	id->port = port;
	id->sgid_index = index;
	port_path_init(port, index, gid, &id->path);
	return 0;

err_port:
	if (!id->port)
		port_put(port);
	return err;
}

struct ucma_id *ucma_listener(struct port *port, const uint8_t gid[CM_GID_BYTES],
			      uint64_t service_id)
{
	struct ucma_id *any = NULL;

	for (struct ucma_id *id = bound; id; id = id->next_bound) {
		uint8_t own[CM_GID_BYTES];

		if (id->state != UCMA_LISTENING || ucma_service_id(id, &id->src) != service_id)
			continue;
		ucma_addr_to_gid(&id->src, own);
		if (id->port == port && !memcmp(own, gid, CM_GID_BYTES))
			return id;
		if (!id->port && (id->src.ss_family != AF_INET || is_v4(gid)) &&
		    !(id->af_only && id->src.ss_family == AF_INET6 && is_v4(gid)))
			any = id;
	}
	return any;
}

void ucma_addr_forked(void)
{
	bound = NULL;
}
