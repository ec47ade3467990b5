// SPDX-License-Identifier: Apache-2.0
/*
 * The GID table: the addresses this port sends from and answers to.  The driver keeps a copy, since
 * asking is frequent. At open it is filled with what the caller gives, else what the bus knows (a
 * simulated NIC's .json file), else the link-local address that follows from the MAC.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "priv.h"

/* A refusal that names entry and address (NULL: it was to be cleared). */
static int refused(int err, unsigned int index, const uint8_t gid[16])
{
	char text[INET6_ADDRSTRLEN], why[256];

	snprintf(why, sizeof(why), "%s",
		 err == -EBUSY ? "a queue pair sends from it; destroy that first"
			       : cairn_last_error());
	if (!gid)
		return cairn_fail(err, "clearing GID %u: %s", index, why);
	inet_ntop(AF_INET6, gid, text, sizeof(text));
	return cairn_fail(err, "address %s as GID %u: %s", text, index, why);
}

static void describe(struct cairn_request *set, unsigned int index, const uint8_t gid[16],
		     uint32_t vlan)
{
	set->number = index;
	set->flags = CAIRN_GID_FLAG_VALID;
	memcpy(set->arg, gid, 16);
	set->arg[2] = vlan;
}

/* The copy, when the device has it. */
static void keep(struct cairn_dev *dev, const struct cairn_request *set)
{
	struct cairn_gid *entry = &dev->gids[set->number];

	memcpy(entry->gid, set->arg, 16);
	entry->vlan = (uint32_t)set->arg[2];
	entry->valid = set->flags & CAIRN_GID_FLAG_VALID;
}

int cairn_set_gid(struct cairn_dev *dev, unsigned int index, const uint8_t gid[16], uint32_t vlan)
{
	struct cairn_request set = { .op = CAIRN_CMD_OP_SET_GID, .number = index };
	int err;

	if (index >= CAIRN_MAX_GIDS)
		return cairn_fail(-EINVAL, "GID index %u: the table has %u entries", index,
				  dev->caps.max_gid);
	if (gid)
		describe(&set, index, gid, vlan);
	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	pthread_mutex_lock(&dev->gid_lock);
	err = cairn_cmd(dev, &set);
	if (!err)
		keep(dev, &set);
	pthread_mutex_unlock(&dev->gid_lock);
	if (!err && atomic_load(&dev->published))
		cairn_look_publish(dev);
	return err ? refused(err, index, gid) : err;
}

int cairn_query_gid(struct cairn_dev *dev, unsigned int index, uint8_t gid[16], uint32_t *vlan)
{
	int err = -ENOENT;

	if (index >= CAIRN_MAX_GIDS || index >= dev->caps.max_gid)
		return -EINVAL;
	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	pthread_mutex_lock(&dev->gid_lock);
	if (dev->gids[index].valid) {
		memcpy(gid, dev->gids[index].gid, 16);
		if (vlan)
			*vlan = dev->gids[index].vlan;
		err = 0;
	}
	pthread_mutex_unlock(&dev->gid_lock);
	return err;
}

int cairn_resolve(struct cairn_dev *dev, unsigned int sgid_index, const uint8_t dgid[16],
		  uint64_t *mac)
{
	struct cairn_request resolve = { .op = CAIRN_CMD_OP_RESOLVE, .number = sgid_index };
	int err;

	memcpy(resolve.arg, dgid, 16);
	err = cairn_cmd(dev, &resolve);
	if (!err)
		*mac = (uint64_t)resolve.value1 << 32 | resolve.value0;
	return err;
}

static bool usable(const struct cairn_dev *dev, const struct cairn_bus_gid *gid)
{
	uint64_t has = dev->caps.features;

	return (has & CAIRN_REG_FEATURES_IPV6 || cairn_gid_is_ipv4(gid->gid)) &&
	       (has & CAIRN_REG_FEATURES_VLAN || !gid->vlan);
}

/* What the bus names, else the link-local address; returns how many or -errno. */
static int own_gids(struct cairn_dev *dev, struct cairn_bus_gid *own)
{
	const struct cairn_bus_ops *ops = dev->bus->ops;
	int n = ops->gids ? ops->gids(dev->bus, own, CAIRN_MAX_GIDS) : 0, err;
	uint64_t mac;

	if (n)
		return n;
	err = ops->read64(dev->bus, CAIRN_REG_MAC_ADDR, &mac);
	if (err)
		return cairn_fail(err, "the device was lost while its MAC address was read");
	own->vlan = 0;
	cairn_gid_link_local(mac, own->gid);
	return 1;
}

int cairn_gids_start(struct cairn_dev *dev, const struct cairn_opts *opts,
		     struct cairn_batch *batch)
{
	struct cairn_bus_gid own[CAIRN_MAX_GIDS];
	unsigned int n = opts->n_gids;
	bool given = opts->gids && n;
	int err;

	if (opts->no_gids)
		return 0;
	if (!given) {
		err = own_gids(dev, own);
		if (err < 0)
			return err;
		n = (unsigned int)err;
	}
	if (n > dev->caps.max_gid)
		return cairn_fail(-EINVAL, "%u GIDs given, the device takes %u", n,
				  dev->caps.max_gid);
	for (unsigned int i = 0; i < n; i++) {
		/* What the bus names keeps its place; what this build cannot use stays empty. */
		if (given || usable(dev, &own[i]))
			describe(cairn_batch_add(batch, CAIRN_CMD_OP_SET_GID), i,
				 given ? opts->gids[i] : own[i].gid, given ? 0 : own[i].vlan);
	}
	return 0;
}

int cairn_gids_started(struct cairn_dev *dev, const struct cairn_batch *batch, int err,
		       const struct cairn_request *failed)
{
	uint8_t gid[16];

	if (err && failed && failed->op == CAIRN_CMD_OP_SET_GID) {
		memcpy(gid, failed->arg, sizeof(gid));
		return refused(err, failed->number, gid);
	}
	for (unsigned int i = 0; !err && i < batch->n; i++)
		if (batch->r[i].op == CAIRN_CMD_OP_SET_GID)
			keep(dev, &batch->r[i]);
	return err;
}
