// SPDX-License-Identifier: Apache-2.0
/*
 * Memory windows: a key of the same space as the regions', without memory of its own.  Binding is
 * a work request (struct cairn_wqe_local) and the provider's business.
 */
#include "priv.h"

int cairn_alloc_mw(struct cairn_pd *pd, uint32_t type, struct cairn_mw **out)
{
	struct cairn_request alloc = { .op = CAIRN_CMD_OP_ALLOC_MW, .arg = { pd->pdn, type } };
	struct cairn_dev *dev = pd->dev;
	struct cairn_mw *mw;
	int err;

	if (!(dev->caps.features & CAIRN_REG_FEATURES_MW))
		return cairn_refuse(-EOPNOTSUPP, "this device has no memory windows");
	mw = calloc(1, sizeof(*mw));
	if (!mw)
		return cairn_refuse(-ENOMEM, "out of memory for a memory window");
	mw->pd = pd;
	mw->type = type;
	err = cairn_key_take(dev, &mw->key);
	if (err)
		goto err_free;
	alloc.number = mw->key;
	err = cairn_cmd(dev, &alloc);
	if (err)
		goto err_key;
	cairn_use(dev, &pd->users);
	*out = mw;
	return 0;

err_key:
	cairn_key_give(dev, mw->key);
err_free:
	free(mw);
	return err;
}

int cairn_dealloc_mw(struct cairn_mw *mw)
{
	struct cairn_dev *dev = mw->pd->dev;
	struct cairn_request dealloc = { .op = CAIRN_CMD_OP_DEALLOC_MW, .number = mw->key };
	int err = cairn_cmd_end(dev, &dealloc);

	if (err)
		return err;
	cairn_key_give(dev, mw->key);
	cairn_unuse(dev, &mw->pd->users);
	free(mw);
	return 0;
}
