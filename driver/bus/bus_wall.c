// SPDX-License-Identifier: Apache-2.0
/* Waiting, and the clock, for buses to devices that run by themselves: in wall time. */
#include <poll.h>
#include <sched.h>
#include <time.h>

#include "priv.h"

#define SPINS 64u /* fruitless polls before relax() begins to sleep */
#define MAX_SLEEP_NS 1000000u

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
