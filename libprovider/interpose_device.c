// SPDX-License-Identifier: Apache-2.0
/* Exported functions: devices, contexts, queries, events. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "interpose.h"

/* What verbs.h does not declare. */
int ibv_query_gid_type(struct ibv_context *ctx, uint8_t port, unsigned int index, int *type);
int ibv_resolve_eth_l2_from_gid(struct ibv_context *ctx, struct ibv_ah_attr *attr, uint8_t mac[6],
				uint16_t *vid);

#define FIRST_INDEX 0x10000
#define GID_TYPE_ROCE_V2 1 /* of ibv_query_gid_type(): the kernel's sysfs names, not verbs.h's */
#define NO_VLAN 0xffffu
#define VID_MASK 0xfffu

/* ---------------------------------------------------------------- the list */

/* A list that we gave out, so that we know it when it comes back. */
struct list {
	struct list *next;
	struct ibv_device **real;
	struct ibv_device *devices[];
};

static struct list *lists;
static pthread_mutex_t lists_lock = PTHREAD_MUTEX_INITIALIZER;
/* The real library's list has a lock that no child could take any more: a fork waits until no
 * thread is in there. */
static pthread_mutex_t real_lock = PTHREAD_MUTEX_INITIALIZER;
/* Set while the real ibv_import_device() walks the list: it looks into private structures. */
static __thread bool hidden;

static void give_back(struct ibv_device **real)
{
	void (*free_list)(struct ibv_device **) = REAL(ibv_free_device_list);

	pthread_mutex_lock(&real_lock);
	if (real && free_list)
		free_list(real);
	pthread_mutex_unlock(&real_lock);
}

EXPORT struct ibv_device **ibv_get_device_list(int *num)
{
	struct ibv_device **(*get)(int *num) = REAL(ibv_get_device_list);
	struct ibv_device *mine[MAX_NICS], **real;
	unsigned int n_mine = 0;
	struct list *list;
	int n = 0, err, lacking = 0;
	UNCANCELLED; /* the real one has a lock too, and opens files */

	errno = ENOSYS;
	pthread_mutex_lock(&real_lock);
	files_hide(); /* it would look for a driver of ours */
	real = get ? get(&n) : NULL;
	err = errno;
	files_show();
	pthread_mutex_unlock(&real_lock);
	if (!hidden) {
		lacking = nics_scan();
		n_mine = nics_present(mine, MAX_NICS);
	}
	if (lacking == EBUSY && n) /* said; there are others */
		lacking = 0;
	if (num)
		*num = 0;
	if (!real) {
		n = 0;
		if (!n_mine)
			return fail_null(lacking ? lacking : err);
	}
	list = lacking ? NULL
		       : calloc(1, sizeof(*list) +
					   ((size_t)n + n_mine + 1) * sizeof(list->devices[0]));
	if (!list) {
		give_back(real);
		return fail_null(lacking ? lacking : ENOMEM);
	}
	list->real = real;
	for (int i = 0; i < n; i++)
		list->devices[i] = real[i];
	memcpy(&list->devices[n], mine, n_mine * sizeof(mine[0]));
	if (num)
		*num = n + (int)n_mine;
	pthread_mutex_lock(&lists_lock);
	list->next = lists;
	lists = list;
	pthread_mutex_unlock(&lists_lock);
	return list->devices;
}

static void before_fork(void)
{
	pthread_mutex_lock(&real_lock);
}

static void fork_done(bool child)
{
	if (child)
		pthread_mutex_init(&lists_lock, NULL);
	pthread_mutex_unlock(&real_lock);
}

__attribute__((constructor)) static void tell_of_forks(void)
{
	fork_part(FORK_LISTS, before_fork, fork_done);
}

/* With the last one goes what was reserved for who opens one of it. */
static struct list *take_list(struct ibv_device **devices)
{
	struct list **at, *list;
	bool last;

	pthread_mutex_lock(&lists_lock);
	for (at = &lists; *at && (*at)->devices != devices; at = &(*at)->next)
		;
	list = *at;
	if (list)
		*at = list->next;
	last = list && !lists;
	pthread_mutex_unlock(&lists_lock);
	if (last)
		nics_unreserve();
	return list;
}

EXPORT void ibv_free_device_list(struct ibv_device **devices)
{
	struct list *list;
	UNCANCELLED;

	list = take_list(devices);
	give_back(list ? list->real : devices);
	free(list);
}

EXPORT __be64 ibv_get_device_guid(struct ibv_device *device)
{
	if (!nic_is_ours(device))
		HAND_ON(0, ibv_get_device_guid, device);
	return htobe64(to_nic(device)->guid);
}

/* The kernel counts its own from 0, and none comes up to here. */
EXPORT int ibv_get_device_index(struct ibv_device *device)
{
	if (!nic_is_ours(device))
		HAND_ON(-1, ibv_get_device_index, device);
	return FIRST_INDEX + (int)to_nic(device)->number;
}

/* ---------------------------------------------------------------- contexts */

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	if (!nic_is_ours(device))
		HAND_ON(NULL, ibv_open_device, device);
	return context_open(to_nic(device));
}

EXPORT int ibv_close_device(struct ibv_context *ctx)
{
	if (!ours(ctx))
		HAND_ON(-1, ibv_close_device, ctx);
	return context_close(ctx);
}

EXPORT struct ibv_context *ibv_import_device(int fd)
{
	struct ibv_context *(*import)(int fd) = REAL(ibv_import_device);
	struct ibv_context *ctx;

	/* A context of ours is not shared, neither with another process nor in this one. */
	if (nics_own_fd(fd) || !import)
		return fail_null(EOPNOTSUPP);
	hidden = true;
	files_hide();
	ctx = import(fd);
	files_show();
	hidden = false;
	return ctx;
}

/* ---------------------------------------------------------------- queries */

EXPORT int ibv_query_device(struct ibv_context *ctx, struct ibv_device_attr *attr)
{
	if (!ours(ctx))
		HAND_ON(ENOSYS, ibv_query_device, ctx, attr);
	return query_device(ctx, attr);
}

EXPORT int ibv_query_port(struct ibv_context *ctx, uint8_t port, struct _compat_ibv_port_attr *attr)
{
	if (!ours(ctx))
		HAND_ON(ENOSYS, ibv_query_port, ctx, port, attr);
	return query_port_compat(ctx, port, attr);
}

/* An empty entry reads as zero, as it does in sysfs. */
EXPORT int ibv_query_gid(struct ibv_context *ctx, uint8_t port, int index, union ibv_gid *gid)
{
	struct ibv_gid_entry entry;
	int err;

	if (!ours(ctx))
		HAND_ON(-1, ibv_query_gid, ctx, port, index, gid);
	err = query_gid_entry(ctx, port, (uint32_t)index, &entry);
	if (err && err != ENODATA)
		return minus_one(err);
	memset(gid, 0, sizeof(*gid));
	if (!err)
		*gid = entry.gid;
	return 0;
}

EXPORT int ibv_query_gid_type(struct ibv_context *ctx, uint8_t port, unsigned int index, int *type)
{
	struct ibv_gid_entry entry;
	int err;

	if (!ours(ctx))
		HAND_ON(-1, ibv_query_gid_type, ctx, port, index, type);
	err = query_gid_entry(ctx, port, index, &entry);
	if (err && err != ENODATA)
		return minus_one(err);
	*type = GID_TYPE_ROCE_V2;
	return 0;
}

EXPORT int _ibv_query_gid_ex(struct ibv_context *ctx, uint32_t port, uint32_t index,
			     struct ibv_gid_entry *entry, uint32_t flags, size_t size)
{
	struct ibv_gid_entry full;
	int err;

	if (!ours(ctx))
		HAND_ON(ENOSYS, _ibv_query_gid_ex, ctx, port, index, entry, flags, size);
	if (flags)
		return EOPNOTSUPP;
	err = query_gid_entry(ctx, port, index, &full);
	if (!err)
		memcpy(entry, &full, size < sizeof(full) ? size : sizeof(full));
	return err;
}

EXPORT ssize_t _ibv_query_gid_table(struct ibv_context *ctx, struct ibv_gid_entry *entries,
				    size_t max, uint32_t flags, size_t size)
{
	if (!ours(ctx))
		HAND_ON(-ENOSYS, _ibv_query_gid_table, ctx, entries, max, flags, size);
	return flags ? -EOPNOTSUPP : query_gid_table(ctx, entries, max, size);
}

EXPORT int ibv_query_pkey(struct ibv_context *ctx, uint8_t port, int index, __be16 *pkey)
{
	if (!ours(ctx))
		HAND_ON(-1, ibv_query_pkey, ctx, port, index, pkey);
	if (port != PORT || index < 0 || (uint32_t)index >= to_context(ctx)->nic->caps.max_pkey)
		return minus_one(EINVAL);
	*pkey = index ? 0 : htobe16(PKEY);
	return 0;
}

EXPORT int ibv_get_pkey_index(struct ibv_context *ctx, uint8_t port, __be16 pkey)
{
	if (!ours(ctx))
		HAND_ON(-1, ibv_get_pkey_index, ctx, port, pkey);
	return port == PORT && pkey == htobe16(PKEY) ? 0 : minus_one(EINVAL);
}

EXPORT int ibv_query_port_speed(struct ibv_context *ctx, uint32_t port, uint64_t *speed)
{
	if (!ours(ctx))
		HAND_ON(ENOSYS, ibv_query_port_speed, ctx, port, speed);
	if (port != PORT)
		return EINVAL;
	*speed = query_port_mbps(ctx) / 100; /* units of 100 Mb/s */
	return *speed ? 0 : EIO;
}

/* The MAC behind an address: firmware knows or asks the network. */
EXPORT int ibv_resolve_eth_l2_from_gid(struct ibv_context *ctx, struct ibv_ah_attr *attr,
				       uint8_t mac[6], uint16_t *vid)
{
	uint8_t own[16];
	struct cairn_ah_attr to;
	uint32_t vlan = 0;
	uint64_t found;
	int err;

	if (!ours(ctx))
		HAND_ON(-ENOSYS, ibv_resolve_eth_l2_from_gid, ctx, attr, mac, vid);
	err = -ah_attr_convert(attr, &to);
	if (!err)
		err = cairn_resolve(to_context(ctx)->dev, to.sgid_index, to.dgid, &found);
	if (err)
		return err;
	for (unsigned int i = 0; i < 6; i++)
		mac[i] = (uint8_t)(found >> (40 - 8 * i));
	if (vid && !cairn_query_gid(to_context(ctx)->dev, to.sgid_index, own, &vlan))
		*vid = vlan & CAIRN_GID_VLAN ? vlan & VID_MASK : NO_VLAN;
	return 0;
}

/* ---------------------------------------------------------------- events */

EXPORT struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *ctx)
{
	if (!ours(ctx))
		HAND_ON(NULL, ibv_create_comp_channel, ctx);
	return event_channel_create(ctx);
}

EXPORT int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	if (!ours(channel->context))
		HAND_ON(ENOSYS, ibv_destroy_comp_channel, channel);
	return event_channel_destroy(channel);
}

EXPORT int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **user)
{
	if (!ours(channel->context))
		HAND_ON(-1, ibv_get_cq_event, channel, cq, user);
	return event_get_cq(channel, cq, user);
}

EXPORT int ibv_get_async_event(struct ibv_context *ctx, struct ibv_async_event *event)
{
	if (!ours(ctx))
		HAND_ON(-1, ibv_get_async_event, ctx, event);
	return event_get_async(ctx, event);
}
