// SPDX-License-Identifier: Apache-2.0
/* Protection domains: a number that MRs, QPs and SRQs share.
 * The device compares it, nothing more. */
#include "priv.h"

static struct cairn_object object_of(struct cairn_pd *pd)
{
	return (struct cairn_object){
		.dev = pd->dev,
		.kind = OBJECT_PD,
		.self = pd,
		.number = &pd->pdn,
		.users = &pd->users,
	};
}

int cairn_alloc_pd(struct cairn_dev *dev, struct cairn_pd **out)
{
	struct cairn_request alloc = { .op = CAIRN_CMD_OP_ALLOC_PD };
	struct cairn_pd *pd = calloc(1, sizeof(*pd));
	struct cairn_object object;
	int err;

	if (!pd)
		return cairn_refuse(-ENOMEM, "out of memory for a PD");
	pd->dev = dev;
	object = object_of(pd);
	err = cairn_object_take(&object, CAIRN_ANY, 0);
	if (!err)
		err = cairn_object_make(&object, &alloc);
	if (!err)
		*out = pd;
	return err;
}

int cairn_dealloc_pd(struct cairn_pd *pd)
{
	struct cairn_object object = object_of(pd);

	return cairn_object_drop(&object);
}
