// SPDX-License-Identifier: Apache-2.0
/*
 * Memory windows.  Binding is a work request: of the program for type 2, made here for type 1,
 * whose next key is the device's choice: the one after the present.
 */
#include <stdlib.h>

#include "provider.h"

struct ibv_mw *mw_alloc(struct ibv_pd *ibv, enum ibv_mw_type type)
{
	struct mw *mw;
	int err;

	if (!(to_context(ibv->context)->nic->caps.features & CAIRN_REG_FEATURES_MW))
		return fail_null(EOPNOTSUPP);
	if (type != IBV_MW_TYPE_1 && type != IBV_MW_TYPE_2)
		return fail_null(EINVAL);
	mw = calloc(1, sizeof(*mw));
	err = mw ? cairn_alloc_mw(((struct pd *)ibv)->hw, (uint32_t)type, &mw->hw) : ENOMEM;
	if (err) {
		free(mw);
		return fail_null(err);
	}
	mw->ibv.context = ibv->context;
	mw->ibv.pd = ibv;
	mw->ibv.rkey = mw->hw->key;
	mw->ibv.handle = mw->hw->key >> 8;
	mw->tag = (uint8_t)mw->hw->key;
	mw->ibv.type = type;
	context_list(ibv->context, KIND_MW, &mw->object, mw);
	return &mw->ibv;
}

int mw_dealloc(struct ibv_mw *ibv)
{
	struct mw *mw = (struct mw *)ibv;
	int err;

	/* The next key of this number shall be none that a peer may know: not every program keeps
	 * the rkey of a type 2 window up to date. */
	mw->hw->key = ibv->handle << 8 | mw->tag;
	err = -cairn_dealloc_mw(mw->hw);
	if (err)
		return err;
	context_unlist(ibv->context, &mw->object);
	free(mw);
	return 0;
}

int mw_bind(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind)
{
	uint32_t rkey = ibv_inc_rkey(mw->rkey);
	int err;

	if (qp->context != mw->context) /* not even a QP of ours, perhaps */
		return EINVAL;
	if (bind->bind_info.mw_access_flags & IBV_ACCESS_ZERO_BASED)
		return EINVAL; /* type 2 only */
	err = post_bind_type_1((struct qp *)qp, mw, rkey, bind);
	if (!err)
		mw->rkey = rkey;
	return err;
}
