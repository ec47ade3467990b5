// SPDX-License-Identifier: Apache-2.0
/* Protection domains: a number that MRs, QPs and SRQs share.  The device compares it, nothing more.
 */
#include "priv.h"

int cairn_alloc_pd(struct cairn_dev *dev, struct cairn_pd **out)
{
	struct cairn_request alloc = { .op = CAIRN_CMD_OP_ALLOC_PD };
	struct cairn_pd *pd;
	int64_t number;
	int err = cairn_dev_alive(dev);

	if (err)
		return err;
	pd = calloc(1, sizeof(*pd));
	if (!pd)
		return cairn_refuse(-ENOMEM, "out of memory for a PD");
	number = cairn_space_take(&dev->pdns, 1);
	if (number < 0) {
		err = cairn_refuse(-ENOSPC, "all %u protection domains are in use",
				   dev->caps.max_pd);
		goto err_free;
	}
	pd->dev = dev;
	pd->pdn = alloc.number = (uint32_t)number;
	err = cairn_cmd(dev, &alloc);
	if (err)
		goto err_number;
	*out = pd;
	return 0;

err_number:
	cairn_space_give(&dev->pdns, pd->pdn, 1);
err_free:
	free(pd);
	return err;
}

int cairn_dealloc_pd(struct cairn_pd *pd)
{
	struct cairn_dev *dev = pd->dev;
	struct cairn_request dealloc = { .op = CAIRN_CMD_OP_DEALLOC_PD, .number = pd->pdn };
	int err = cairn_unused(dev, &pd->users, "PD", pd->pdn, "MRs, QPs, SRQs or AHs");

	if (!err)
		err = cairn_cmd_end(dev, &dealloc);
	if (err)
		return err;
	cairn_space_give(&dev->pdns, pd->pdn, 1);
	free(pd);
	return 0;
}
