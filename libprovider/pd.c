// SPDX-License-Identifier: Apache-2.0
/* Protection domains. */
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
	int err = -cairn_dealloc_pd(pd->hw);

	if (err)
		return err;
	context_unlist(ibv->context, &pd->object);
	free(pd);
	return 0;
}
