// SPDX-License-Identifier: Apache-2.0
/*
 * The GID table: the addresses this port sends from and answers to.  The driver keeps a copy, since
 * asking is frequent. At open it is filled with what the caller gives, else what the bus knows (a
 * simulated NIC's .json file), else the link-local address that follows from the MAC.
 */
#include <string.h>

#include "priv.h"

/* fe80:: and the modified EUI-64 of the MAC (RFC 4291, appendix A). */
void cairn_gid_link_local(uint64_t mac, uint8_t gid[16])
{
	const uint8_t m[6] = { mac >> 40, mac >> 32, mac >> 24, mac >> 16, mac >> 8, mac };
	const uint8_t id[16] = { 0xfe,	   0x80, 0,    0,    0,	   0,	 0,    0,
				 m[0] ^ 2, m[1], m[2], 0xff, 0xfe, m[3], m[4], m[5] };

	memcpy(gid, id, 16);
}

int cairn_set_gid(struct cairn_dev *dev, unsigned int index, const uint8_t gid[16], uint32_t vlan)
{
	struct cairn_request set = { .op = CAIRN_CMD_OP_SET_GID, .number = index };
	int err;

	if (index >= CAIRN_MAX_GIDS)
		return cairn_fail(-EINVAL, "GID index %u: the table has %u entries", index,
				  dev->caps.max_gid);
	if (gid) {
		set.flags = CAIRN_GID_FLAG_VALID;
		memcpy(set.arg, gid, 16);
		set.arg[2] = vlan;
	}
	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	pthread_mutex_lock(&dev->gid_lock);
	err = cairn_cmd(dev, &set);
	if (!err) {
		struct cairn_gid *entry = &dev->gids[index];

		memset(entry, 0, sizeof(*entry));
		if (gid) {
			memcpy(entry->gid, gid, 16);
			entry->vlan = vlan;
			entry->valid = true;
		}
	}
	pthread_mutex_unlock(&dev->gid_lock);
	return err;
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

static bool gid_usable(const struct cairn_dev *dev, const uint8_t gid[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return dev->caps.features & CAIRN_REG_FEATURES_IPV6 || !memcmp(gid, mapped, 12);
}

int cairn_gids_start(struct cairn_dev *dev, const struct cairn_opts *opts)
{
	const struct cairn_bus_ops *ops = dev->bus->ops;
	uint8_t own[CAIRN_MAX_GIDS][16];
	const uint8_t(*gids)[16] = opts->gids;
	unsigned int n = opts->n_gids;
	int err = 0;

	if (opts->no_gids)
		return 0;
	if (!gids) {
		n = ops->gids ? ops->gids(dev->bus, own, CAIRN_MAX_GIDS) : 0;
		gids = (const uint8_t(*)[16])own;
	}
	if (!n) {
		uint64_t mac;

		err = ops->read64(dev->bus, CAIRN_REG_MAC_ADDR, &mac);
		if (err)
			return cairn_fail(err,
					  "the device was lost while its MAC address was read");
		cairn_gid_link_local(mac, own[0]);
		gids = (const uint8_t(*)[16])own;
		n = 1;
	}
	if (n > dev->caps.max_gid)
		return cairn_fail(-EINVAL, "%u GIDs given, the device takes %u", n,
				  dev->caps.max_gid);
	for (unsigned int i = 0; i < n && !err; i++) {
		/* What the bus names keeps its place; what this build cannot use stays empty. */
		if (gids != opts->gids && !gid_usable(dev, gids[i]))
			continue;
		err = cairn_set_gid(dev, i, gids[i], 0);
	}
	return err;
}
