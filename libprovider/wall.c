// SPDX-License-Identifier: Apache-2.0
/*
 * Time stamps in system time.  A time stamp lies between two moments at which both clocks were read
 * (or before the first: the same line, continued): a pair is taken when one is asked for that is
 * newer than the last pair, so that there is one register read a batch of completions at most.  The
 * clocks need not run at the same rate, and a simulated device's does not.
 */
#include <time.h>

#include "provider.h"

static int read_both(struct cairn_dev *dev, uint64_t *device, uint64_t *system)
{
	struct timespec now;
	int err = -cairn_query_time(dev, device);

	if (err)
		return err;
	clock_gettime(CLOCK_REALTIME, &now);
	*system = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	return 0;
}

int wall_start(struct cairn_dev *dev, struct wall *wall)
{
	int err = read_both(dev, &wall->device[1], &wall->system[1]);

	/* Until there is a second pair: the same rate. */
	wall->device[0] = wall->device[1] - 1;
	wall->system[0] = wall->system[1] - 1;
	return err;
}

uint64_t wall_of(struct cairn_dev *dev, struct wall *wall, uint64_t timestamp)
{
	struct wall next = { .device[0] = wall->device[1], .system[0] = wall->system[1] };
	int64_t back;
	double rate;

	if ((int64_t)(timestamp - wall->device[1]) > 0 &&
	    !read_both(dev, &next.device[1], &next.system[1]) &&
	    next.device[1] != next.device[0] && (int64_t)(next.system[1] - next.system[0]) > 0)
		*wall = next;
	back = (int64_t)(wall->device[1] - timestamp);
	rate = (double)(wall->system[1] - wall->system[0]) /
	       (double)(wall->device[1] - wall->device[0]);
	return wall->system[1] - (uint64_t)(int64_t)((double)back * rate);
}
