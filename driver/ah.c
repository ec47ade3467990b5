// SPDX-License-Identifier: Apache-2.0
/*
 * Address handles: a UD work request carries its whole address vector, so an AH is just that, made
 * once: the destination MAC is resolved here and not at each send.
 */
#include <string.h>

#include "priv.h"

#define DEFAULT_HOP_LIMIT 64u

/* RoCE v2 (Annex A17): the source port spreads flows; 20 bits of label are folded into 14. */
uint32_t cairn_flow_to_sport(uint32_t flow_label)
{
	uint32_t low = flow_label & 0x3fff, high = flow_label & 0xfc000;

	return (low ^ high >> 14) | 0xc000;
}

static void fill_av(struct cairn_wqe_ud *av, const struct cairn_ah_attr *attr)
{
	av->dmac_sport = CAIRN_PUT(CAIRN_WQE_UD_DMAC_SPORT_DMAC, attr->dmac) |
			 CAIRN_PUT(CAIRN_WQE_UD_DMAC_SPORT_SPORT, attr->sport);
	av->dqpn_sgid = (uint32_t)CAIRN_PUT(CAIRN_WQE_UD_DQPN_SGID_SGID_INDEX, attr->sgid_index);
	memcpy(av->dgid, attr->dgid, sizeof(av->dgid));
	av->flow_tclass = (uint32_t)(CAIRN_PUT(CAIRN_WQE_UD_FLOW_TCLASS_FLOW, attr->flow_label) |
				     CAIRN_PUT(CAIRN_WQE_UD_FLOW_TCLASS_TCLASS, attr->tclass));
	av->hop_sl = (uint32_t)(CAIRN_PUT(CAIRN_WQE_UD_HOP_SL_HOP_LIMIT, attr->hop_limit) |
				CAIRN_PUT(CAIRN_WQE_UD_HOP_SL_SL, attr->sl));
}

/* They cost the device nothing; the limit is what it advertises. */
static int count_ah(struct cairn_dev *dev)
{
	bool room;

	if (!dev->caps.max_ah)
		return cairn_refuse(-EOPNOTSUPP, "this device has no datagrams");
	pthread_mutex_lock(&dev->objects);
	room = dev->ahs < dev->caps.max_ah;
	dev->ahs += room;
	pthread_mutex_unlock(&dev->objects);
	return room ? 0
		    : cairn_refuse(-ENOSPC, "all %u address handles are in use", dev->caps.max_ah);
}

int cairn_create_ah(struct cairn_pd *pd, const struct cairn_ah_attr *attr, struct cairn_ah **out)
{
	struct cairn_dev *dev = pd->dev;
	uint8_t sgid[16];
	struct cairn_ah *ah;
	int err = cairn_dev_alive(dev);

	if (err)
		return err;
	if (attr->flow_label >> 20 || attr->tclass > 255 || attr->hop_limit > 255 || attr->sl > 7 ||
	    attr->sport > 65535 || attr->dmac >> 48)
		return cairn_refuse(
			-EINVAL,
			"address handle: flow label, traffic class, hop limit, service level, port or "
			"MAC out of range");
	if (cairn_query_gid(dev, attr->sgid_index, sgid, NULL))
		return cairn_refuse(-EINVAL, "address handle: no GID at source index %u",
				    attr->sgid_index);
	err = count_ah(dev);
	if (err)
		return err;
	ah = calloc(1, sizeof(*ah));
	if (!ah) {
		cairn_unuse(dev, &dev->ahs);
		return cairn_refuse(-ENOMEM, "out of memory for an address handle");
	}
	ah->pd = pd;
	ah->attr = *attr;
	if (!ah->attr.hop_limit)
		ah->attr.hop_limit = DEFAULT_HOP_LIMIT;
	if (!ah->attr.sport)
		ah->attr.sport = cairn_flow_to_sport(attr->flow_label);
	if (!ah->attr.dmac)
		err = cairn_resolve(dev, attr->sgid_index, attr->dgid, &ah->attr.dmac);
	if (err) {
		cairn_unuse(dev, &dev->ahs);
		free(ah);
		return err;
	}
	fill_av(&ah->av, &ah->attr);
	cairn_use(dev, &pd->users);
	*out = ah;
	return 0;
}

int cairn_destroy_ah(struct cairn_ah *ah)
{
	struct cairn_dev *dev = ah->pd->dev;

	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	cairn_unuse(dev, &ah->pd->users);
	cairn_unuse(dev, &dev->ahs);
	free(ah);
	return 0;
}
