// SPDX-License-Identifier: Apache-2.0
/*
 * getifaddrs(): the NICs' addresses beside those of the kernel's interfaces.  libfabric's verbs
 * provider asks rdma_cm for the device of each address in that list, and a RoCE device of the
 * kernel has its addresses there, since they are its network interface's.
 *
 * A NIC is one interface of its own name, at the end of the list, where programs that take the
 * first interface do not meet it: sockets of the kernel cannot use these addresses.  It has no
 * index, so link-local addresses are left out (it could not be said which link); the mask is that
 * of one host, so that the NIC is not taken for the way to a network.
 *
 * The kernel's part stays the C library's, one block of its own; behind its last entry, or alone,
 * is a block of ours, which freeifaddrs() finds by the mark that its entries have.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdlib.h>

#include "facts.h"
#include "files_priv.h"
#include "provider.h"

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

struct entry {
	struct ifaddrs ifa; /* first */
	union address addr, mask;
	char name[IBV_SYSFS_NAME_MAX];
};

/* What an entry's data points to: as the kernel's entries have it for an interface, all zero. */
static struct rtnl_link_stats mark;

/* False: no address that an interface would show. */
static bool address_of(const uint8_t gid[16], union address *addr, union address *mask)
{
	struct in6_addr in6;

	memcpy(&in6, gid, sizeof(in6));
	if (IN6_IS_ADDR_LINKLOCAL(&in6) || IN6_IS_ADDR_UNSPECIFIED(&in6))
		return false;
	if (IN6_IS_ADDR_V4MAPPED(&in6)) {
		addr->in.sin_family = mask->in.sin_family = AF_INET;
		memcpy(&addr->in.sin_addr, gid + 12, 4);
		memset(&mask->in.sin_addr, 0xff, 4);
	} else {
		addr->in6.sin6_family = mask->in6.sin6_family = AF_INET6;
		addr->in6.sin6_addr = in6;
		memset(&mask->in6.sin6_addr, 0xff, 16);
	}
	return true;
}

/* Those of one NIC, as far as there is room: how many. */
static unsigned int fill(struct nic *nic, struct entry *at, unsigned int room)
{
	unsigned int n = 0, gids = facts_gids(nic);
	struct facts_port port;
	uint8_t gid[16];

	facts_port(nic, &port);
	for (unsigned int i = 0; i < gids && n < room; i++) {
		struct entry *entry = at + n;

		if (facts_gid(nic, i, gid) || !address_of(gid, &entry->addr, &entry->mask))
			continue;
		strcpy(entry->name, nic->ibv.name);
		entry->ifa = (struct ifaddrs){
			.ifa_name = entry->name,
			.ifa_flags = IFF_UP | IFF_MULTICAST | (port.active ? IFF_RUNNING : 0),
			.ifa_addr = &entry->addr.any,
			.ifa_netmask = &entry->mask.any,
			.ifa_data = &mark,
		};
		n++;
	}
	return n;
}

/* One block, or NULL: no addresses (0), or ENOMEM. */
static struct entry *ours(int *err)
{
	struct ibv_device *list[MAX_NICS];
	unsigned int nics, n = 0, room = 0;
	struct entry *entries;

	*err = nics_look();
	nics = *err ? 0 : nics_present(list, MAX_NICS);
	for (unsigned int i = 0; i < nics; i++)
		room += facts_gids(to_nic(list[i]));
	if (!room)
		return NULL;
	entries = calloc(room, sizeof(*entries));
	if (!entries) {
		*err = ENOMEM;
		return NULL;
	}
	for (unsigned int i = 0; i < nics; i++)
		n += fill(to_nic(list[i]), entries + n, room - n);
	for (unsigned int i = 0; i + 1 < n; i++)
		entries[i].ifa.ifa_next = &entries[i + 1].ifa;
	if (!n) {
		free(entries);
		return NULL;
	}
	return entries;
}

EXPORT int getifaddrs(struct ifaddrs **list)
{
	struct entry *entries;
	int err;

	if (NEXT(getifaddrs)(list))
		return -1;
	{
		FILES_INSIDE;
		entries = ours(&err);
	}
	if (err) {
		NEXT(freeifaddrs)(*list);
		*list = NULL;
		return files_fail(err);
	}
	while (entries && *list)
		list = &(*list)->ifa_next;
	if (entries)
		*list = &entries->ifa;
	return 0;
}

EXPORT void freeifaddrs(struct ifaddrs *list)
{
	struct ifaddrs **at = &list, *own;

	while (*at && (*at)->ifa_data != &mark)
		at = &(*at)->ifa_next;
	own = *at;
	*at = NULL;
	free(own);
	NEXT(freeifaddrs)(list);
}
