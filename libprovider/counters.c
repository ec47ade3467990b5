// SPDX-License-Identifier: Apache-2.0
/* The counters of hw.def by name (cairndv.h). */
#include "cairndv.h"

#include <string.h>

#include "interpose.h"

/* CAIRN_COUNTERS: there is none of that name. */
static unsigned int index_of(const char *name)
{
	unsigned int i = 0;

	while (i < CAIRN_COUNTERS &&
	       (!cairn_counter_names[i] || strcmp(cairn_counter_names[i], name)))
		i++;
	return i;
}

EXPORT const char *cairndv_counter_name(unsigned int i, unsigned int *count, int *of_qp)
{
	if (count)
		*count = CAIRN_COUNTERS;
	if (of_qp)
		*of_qp = i < CAIRN_COUNTERS && cairn_counter_of_qp[i];
	return i < CAIRN_COUNTERS ? cairn_counter_names[i] : NULL;
}

EXPORT int cairndv_query_counter(struct ibv_context *context, const char *name, uint64_t *value)
{
	unsigned int index = index_of(name);

	if (!ours(context))
		return EOPNOTSUPP;
	if (index == CAIRN_COUNTERS)
		return EINVAL;
	return -cairn_read_counter(to_context(context)->dev, index, value);
}

EXPORT int cairndv_query_qp_counter(struct ibv_qp *qp, const char *name, uint64_t *value)
{
	unsigned int index = index_of(name);

	if (!ours(qp->context))
		return EOPNOTSUPP;
	if (index == CAIRN_COUNTERS)
		return EINVAL;
	return -cairn_read_qp_counter(((struct qp *)qp)->hw, index, value);
}
