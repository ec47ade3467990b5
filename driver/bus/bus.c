// SPDX-License-Identifier: Apache-2.0
/* The buses this build knows, and those registered at run time; waiting and the clock for buses to
 * devices that run by themselves. */
#include <poll.h>
#include <sched.h>
#include <time.h>

#include "priv.h"

#define MAX_REGISTERED 4
#define SPINS 64u /* fruitless polls before relax() begins to sleep */
#define MAX_SLEEP_NS 1000000u

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

/* ---------------------------------------------------------------- wall time */

void cairn_bus_relax(struct cairn_bus *bus, unsigned int attempt)
{
	struct timespec nap = { .tv_nsec = (long)(attempt - SPINS) * 1000 };

	(void)bus;
	if (attempt < SPINS) {
		sched_yield();
		return;
	}
	if (attempt - SPINS > MAX_SLEEP_NS / 1000)
		nap.tv_nsec = MAX_SLEEP_NS;
	nanosleep(&nap, NULL);
}

int cairn_bus_wait_fd(struct cairn_bus *bus, int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	int n = poll(&pollfd, 1, timeout_ms);

	(void)bus;
	return n < 0 ? -errno : n;
}

uint64_t cairn_bus_now_ns(struct cairn_bus *bus)
{
	struct timespec now;

	(void)bus;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
