// SPDX-License-Identifier: Apache-2.0
/*
 * Whether a device lives, and what follows when it does not; which objects events find, and what is
 * in use by others.  The floor that all of the driver stands on: opening is open.c, on top.
 */
#include <sys/eventfd.h>

#include "lease.h"
#include "priv.h"

/* ---------------------------------------------------------------- life and death */

/* Waiters for events look again. */
static void wake_all(struct cairn_dev *dev)
{
	UNCANCELLED;

	for (unsigned int i = 0; i < dev->n_eqs; i++)
		eventfd_write(dev->eqs[i].fd, 1);
}

int cairn_dev_lose(struct cairn_dev *dev, const char *why)
{
	bool bus_gone = atomic_load(&dev->bus->gone);

	if (atomic_exchange(&dev->gone, true))
		return cairn_fail(-ENODEV, "%s: the device is lost; close it and open it again",
				  dev->name);
	cairn_fail(-EIO, "%s: %s; close the device and open it again", dev->name, why);
	if (!bus_gone)
		dev->bus->ops->reset(dev->bus); /* it must not write to memory that will be freed */
	wake_all(dev);
	return bus_gone ? -ENODEV : -EIO;
}

int cairn_dev_busy(const struct cairn_dev *dev)
{
	char who[CAIRN_WHO_BYTES];

	if (cairn_lease_state(dev->name, who) == CAIRN_LEASE_TAKEN)
		return cairn_fail(
			-EBUSY,
			"%s: %s has it, so here it can be looked at and nothing else: close "
			"it and open a NIC that is free",
			dev->name, who);
	return cairn_fail(
		-EBUSY,
		"%s: was opened while another process had it, to be looked at: close it and "
		"open it again",
		dev->name);
}

int cairn_dev_alive(struct cairn_dev *dev)
{
	if (atomic_load(&dev->forked))
		return cairn_fail(-ENODEV,
				  "%s belongs to the parent process; a child opens its own device",
				  dev->name);
	if (dev->look)
		return cairn_dev_busy(dev);
	if (atomic_load(&dev->gone) || atomic_load(&dev->bus->gone))
		return cairn_dev_lose(dev, "the device went away (server or function gone)"),
		       -ENODEV;
	return 0;
}

bool cairn_dev_gone(const struct cairn_dev *dev)
{
	return atomic_load(&dev->gone) || atomic_load(&dev->bus->gone) || atomic_load(&dev->forked);
}

/* ---------------------------------------------------------------- users of objects */

void cairn_dev_publish(struct cairn_dev *dev, enum cairn_kind kind, uint32_t number, void *object)
{
	pthread_mutex_lock(&dev->objects);
	dev->by_number[kind][number] = object;
	pthread_mutex_unlock(&dev->objects);
}

void cairn_use(struct cairn_dev *dev, unsigned int *users)
{
	pthread_mutex_lock(&dev->objects);
	++*users;
	pthread_mutex_unlock(&dev->objects);
}

void cairn_unuse(struct cairn_dev *dev, unsigned int *users)
{
	pthread_mutex_lock(&dev->objects);
	--*users;
	pthread_mutex_unlock(&dev->objects);
}

int cairn_unused(struct cairn_dev *dev, const unsigned int *users, const char *what,
		 uint32_t number, const char *by)
{
	unsigned int n;

	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	pthread_mutex_lock(&dev->objects);
	n = *users;
	pthread_mutex_unlock(&dev->objects);
	return n ? cairn_refuse(-EBUSY, "%s %u is in use by %u others (%s): destroy those first",
				what, number, n, by)
		 : 0;
}
