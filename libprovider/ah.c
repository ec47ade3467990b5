// SPDX-License-Identifier: Apache-2.0
/* Address handles, and addresses of QPs: RoCE needs a GID, the MAC is found by firmware. */
#include <stdlib.h>
#include <string.h>

#include "provider.h"

int ah_attr_convert(const struct ibv_ah_attr *from, struct cairn_ah_attr *to)
{
	if (!from->is_global)
		return EINVAL;
	memset(to, 0, sizeof(*to));
	memcpy(to->dgid, from->grh.dgid.raw, sizeof(to->dgid));
	to->sgid_index = from->grh.sgid_index;
	to->flow_label = from->grh.flow_label & 0xfffff;
	to->tclass = from->grh.traffic_class;
	to->hop_limit = from->grh.hop_limit;
	to->sl = from->sl & 7;
	return 0;
}

struct ibv_ah *ah_create(struct ibv_pd *ibv, struct ibv_ah_attr *attr)
{
	struct context *context = to_context(ibv->context);
	struct cairn_ah_attr hw;
	struct ah *ah;
	int err;

	if (!(context->nic->caps.features & CAIRN_REG_FEATURES_UD))
		return fail_null(EOPNOTSUPP);
	err = attr->port_num == PORT ? ah_attr_convert(attr, &hw) : EINVAL;
	if (err)
		return fail_null(err);
	ah = calloc(1, sizeof(*ah));
	err = ah ? cairn_create_ah(((struct pd *)ibv)->hw, &hw, &ah->hw) : ENOMEM;
	if (err) {
		free(ah);
		return fail_null(err);
	}
	ah->ibv.context = ibv->context;
	ah->ibv.pd = ibv;
	context_list(ibv->context, KIND_AH, &ah->object, ah);
	return &ah->ibv;
}

int ah_destroy(struct ibv_ah *ibv)
{
	struct ah *ah = (struct ah *)ibv;
	int err = -cairn_destroy_ah(ah->hw);

	if (err)
		return err;
	context_unlist(ibv->context, &ah->object);
	free(ah);
	return 0;
}
