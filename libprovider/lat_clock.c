// SPDX-License-Identifier: Apache-2.0
/*
 * Device time for posting threads, in some loads from memory (latency.h).
 *
 * A simulated device's is a page that the simulator keeps (devtime.h).  A real one has no such
 * page: a line through two pairs of its clock and CLOCK_MONOTONIC, which both tick in real time,
 * gives it to about what a register read takes.  The pairs are taken when completions are polled,
 * ten a second at most, so no post ever waits for the device; a line that was not renewed for a
 * second is not used.
 */
#include <string.h>

#include "provider.h"
#include "sealed.h"

#define RENEW_NS 100000000u /* device time */
#define FIRST_NS 10000000u  /* from the first pair to the second */
#define STALE_NS 1000000000u
#define TRIES 100

int lat_clock_start(struct lat_clock *clock, int dir, const char *name, char *why, size_t size)
{
	struct sealed_at at;
	int file, fd, err;
	void *map;

	memset(clock, 0, sizeof(*clock));
	pthread_mutex_init(&clock->lock, NULL);
	if (!name)
		return 0;
	file = sealed_find(dir, name, DEVTIME_MAGIC, &at, why, size);
	if (file < 0)
		return file;
	close(file);
	if (at.bytes < sizeof(*clock->page)) {
		snprintf(why, size, "what %s says is no device time", name);
		return -EPROTO;
	}
	fd = sealed_open(&at, O_RDONLY, why, size);
	if (fd < 0)
		return fd;
	map = mmap(NULL, sizeof(*clock->page), PROT_READ, MAP_SHARED, fd, 0);
	err = map == MAP_FAILED ? -errno : 0;
	close(fd);
	if (err) {
		snprintf(why, size, "device time cannot be mapped: %s", strerror(-err));
		return err;
	}
	clock->page = map;
	if (!memcmp(clock->page->magic, DEVTIME_MAGIC, sizeof(clock->page->magic)))
		return 0;
	snprintf(why, size, "what %s says is no device time", name);
	return -EPROTO;
}

void lat_clock_stop(struct lat_clock *clock)
{
	if (clock->page)
		munmap((void *)clock->page, sizeof(*clock->page));
	pthread_mutex_destroy(&clock->lock);
	clock->page = NULL;
}

/* The line as it is; returns how many pairs it has, 0 also when it changes all the time. */
static uint32_t read_line(const struct lat_clock *clock, struct wall *line)
{
	for (int i = 0; i < TRIES; i++) {
		uint32_t seq = __atomic_load_n(&clock->seq, __ATOMIC_ACQUIRE), pairs;

		pairs = __atomic_load_n(&clock->pairs, __ATOMIC_ACQUIRE);
		for (int p = 0; p < 2; p++) {
			line->device[p] = __atomic_load_n(&clock->device[p], __ATOMIC_ACQUIRE);
			line->system[p] = __atomic_load_n(&clock->system[p], __ATOMIC_ACQUIRE);
		}
		if (!(seq & 1) && __atomic_load_n(&clock->seq, __ATOMIC_RELAXED) == seq)
			return pairs;
	}
	return 0;
}

static void write_line(struct lat_clock *clock, const struct wall *line, uint32_t pairs)
{
	uint32_t seq = clock->seq;

	__atomic_exchange_n(&clock->seq, seq + 1, __ATOMIC_ACQUIRE);
	__atomic_store_n(&clock->pairs, pairs, __ATOMIC_RELAXED);
	for (int p = 0; p < 2; p++) {
		__atomic_store_n(&clock->device[p], line->device[p], __ATOMIC_RELAXED);
		__atomic_store_n(&clock->system[p], line->system[p], __ATOMIC_RELAXED);
	}
	__atomic_store_n(&clock->seq, seq + 2, __ATOMIC_RELEASE);
}

uint64_t lat_clock_now(const struct lat_clock *clock)
{
	struct wall line;
	uint64_t now;

	if (clock->page)
		return devtime_now(clock->page);
	if (read_line(clock, &line) < 2)
		return 0;
	now = devtime_wall();
	return now - line.system[1] > STALE_NS ? 0 : wall_device(&line, now);
}

void lat_clock_renew(struct lat_clock *clock, struct nic *nic, uint64_t timestamp, bool asks)
{
	uint64_t since, wanted = asks ? FIRST_NS : RENEW_NS;
	struct wall line = { .clock = CLOCK_MONOTONIC };
	uint32_t pairs;

	if (clock->page)
		return;
	pairs = read_line(clock, &line);
	since = timestamp - line.device[1];
	if ((pairs && ((int64_t)since < 0 || since < wanted)) ||
	    pthread_mutex_trylock(&clock->lock))
		return;
	if (pairs) {
		uint64_t before = line.device[1];

		wall_pair(nic->dev, &line);
		pairs = line.device[1] != before ? 2 : pairs;
	} else {
		pairs = !wall_start(nic->dev, &line);
	}
	write_line(clock, &line, pairs);
	pthread_mutex_unlock(&clock->lock);
}
