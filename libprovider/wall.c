// SPDX-License-Identifier: Apache-2.0
/*
 * The device's clock and one of the system's.  A time stamp lies between two moments at which both
 * were read (or before the first, or behind the last: the same line, continued): a pair is taken
 * when one is asked for that is newer than the last pair, so that there is one register read a
 * batch of completions at most.  The clocks need not run at the same rate, and a simulated device's
 * does not.
 */
#include <time.h>

#include "provider.h"

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The device's was read somewhere between two readings of the other. */
static int read_both(struct cairn_dev *dev, clockid_t clock, uint64_t *device, uint64_t *system)
{
	uint64_t before = now_ns(clock);
	int err = -cairn_query_time(dev, device);

	if (!err)
		*system = before + (now_ns(clock) - before) / 2;
	return err;
}

int wall_start(struct cairn_dev *dev, struct wall *wall)
{
	int err = read_both(dev, wall->clock, &wall->device[1], &wall->system[1]);

	/* Until there is a second pair: the same rate. */
	wall->device[0] = wall->device[1] - 1;
	wall->system[0] = wall->system[1] - 1;
	return err;
}

void wall_pair(struct cairn_dev *dev, struct wall *wall)
{
	struct wall next = { wall->clock, { wall->device[1] }, { wall->system[1] } };

	if (!read_both(dev, wall->clock, &next.device[1], &next.system[1]) &&
	    next.device[1] != next.device[0] && (int64_t)(next.system[1] - next.system[0]) > 0)
		*wall = next;
}

/* What `back` before the last pair is on the other clock. */
static uint64_t convert(const uint64_t from[2], const uint64_t to[2], uint64_t at)
{
	double rate = (double)(to[1] - to[0]) / (double)(from[1] - from[0]);
	int64_t back = (int64_t)(from[1] - at);

	return to[1] - (uint64_t)(int64_t)((double)back * rate);
}

uint64_t wall_of(struct cairn_dev *dev, struct wall *wall, uint64_t timestamp)
{
	if ((int64_t)(timestamp - wall->device[1]) > 0)
		wall_pair(dev, wall);
	return convert(wall->device, wall->system, timestamp);
}

uint64_t wall_device(const struct wall *wall, uint64_t system)
{
	return convert(wall->system, wall->device, system);
}
