// SPDX-License-Identifier: Apache-2.0
/*
 * Protection domains, thread domains and parent domains.  A parent domain is another name of its
 * PD.  Its thread domain is a promise that the objects made with it are used by one thread at a
 * time: posting to a QP takes no lock then (docs/verbs.md).  CQs and SRQs keep theirs, since QPs
 * that are not of the domain come to them.  Memory of queues is memory that the device shares, so
 * a program cannot allocate it.
 */
#include <stdlib.h>

#include "provider.h"

struct ibv_pd *pd_alloc(struct ibv_context *ctx)
{
	struct pd *pd = calloc(1, sizeof(*pd));
	int err = pd ? cairn_alloc_pd(to_context(ctx)->dev, &pd->hw) : ENOMEM;

	if (err) {
		free(pd);
		return fail_null(err);
	}
	pd->ibv.context = ctx;
	pd->ibv.handle = pd->hw->pdn;
	context_list(ctx, KIND_PD, &pd->object, pd);
	return &pd->ibv;
}

int pd_dealloc(struct ibv_pd *ibv)
{
	struct pd *pd = (struct pd *)ibv;
	int err = context_usable(ibv->context);

	if (err)
		return err;
	if (!context_unlist_unused(ibv->context, &pd->object, &pd->users))
		return EBUSY;
	err = pd->base ? 0 : -cairn_dealloc_pd(pd->hw);
	if (err) {
		context_list(ibv->context, KIND_PD, &pd->object, pd);
		return err;
	}
	free(pd);
	return 0;
}

struct ibv_td *td_alloc(struct ibv_context *ctx, struct ibv_td_init_attr *attr)
{
	int err = attr->comp_mask ? EINVAL : context_usable(ctx);
	struct td *td = err ? NULL : calloc(1, sizeof(*td));

	if (!td)
		return fail_null(err ? err : ENOMEM);
	td->ibv.context = ctx;
	context_list(ctx, KIND_TD, &td->object, td);
	return &td->ibv;
}

int td_dealloc(struct ibv_td *ibv)
{
	struct td *td = (struct td *)ibv;
	int err = context_usable(ibv->context);

	if (err)
		return err;
	if (!context_unlist_unused(ibv->context, &td->object, &td->users))
		return EBUSY;
	free(td);
	return 0;
}

struct ibv_pd *parent_alloc(struct ibv_context *ctx, struct ibv_parent_domain_init_attr *attr)
{
	const uint32_t own_memory = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS |
				    IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT;
	struct pd *base = (struct pd *)attr->pd, *pd;
	int err = context_usable(ctx);

	if (!err && (attr->comp_mask & ~own_memory || !base || base->ibv.context != ctx ||
		     base->base || (attr->td && attr->td->context != ctx)))
		err = EINVAL;
	if (!err && attr->comp_mask)
		err = EOPNOTSUPP;
	pd = err ? NULL : calloc(1, sizeof(*pd));
	if (!pd)
		return fail_null(err ? err : ENOMEM);
	pd->ibv.context = ctx;
	pd->ibv.handle = base->ibv.handle;
	pd->hw = base->hw;
	pd->base = base;
	pd->td = (struct td *)attr->td;
	context_list(ctx, KIND_PARENT, &pd->object, pd);
	return &pd->ibv;
}
