// SPDX-License-Identifier: Apache-2.0
/* The buses this build knows, and those registered at run time. */
#include "priv.h"

#define MAX_REGISTERED 4

static const struct cairn_bus_ops *const built_in[] = {
	&cairn_bus_vfu,
#ifdef CAIRN_HAVE_VFIO
	&cairn_bus_vfio,
#endif
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct cairn_bus_ops *registered[MAX_REGISTERED];
static unsigned int n_registered;

int cairn_bus_register(const struct cairn_bus_ops *ops)
{
	int err = 0;

	pthread_mutex_lock(&lock);
	if (n_registered < MAX_REGISTERED)
		registered[n_registered++] = ops;
	else
		err = cairn_fail(-ENOSPC, "no room for bus %s", ops->name);
	pthread_mutex_unlock(&lock);
	return err;
}

void cairn_bus_unregister(const struct cairn_bus_ops *ops)
{
	unsigned int left = 0;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < n_registered; i++)
		if (registered[i] != ops)
			registered[left++] = registered[i];
	n_registered = left;
	pthread_mutex_unlock(&lock);
}

const struct cairn_bus_ops *cairn_bus_find(const char *addr)
{
	const struct cairn_bus_ops *found = NULL;

	pthread_mutex_lock(&lock);
	for (unsigned int i = n_registered; i-- && !found;)
		if (registered[i]->match(addr))
			found = registered[i];
	pthread_mutex_unlock(&lock);
	for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in) && !found; i++)
		if (built_in[i]->match(addr))
			found = built_in[i];
	return found;
}

bool cairn_reaches(const char *addr)
{
	return cairn_bus_find(addr);
}
