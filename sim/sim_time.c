// SPDX-License-Identifier: Apache-2.0
/* The page that shows device time (sim_time.h). */
#include "sim_time.h"

#include <stdbool.h>
#include <stdlib.h>

#include "devtime.h"
#include "sealed.h"

struct sim_time {
	int fd;
	struct devtime_page *page;
};

struct sim_time *sim_time_new(void)
{
	struct sim_time *time = calloc(1, sizeof(*time));
	void *map;

	if (!time)
		return NULL;
	time->fd = sealed_new("cairn device time", sizeof(*time->page), false, &map);
	if (time->fd < 0) {
		errno = -time->fd;
		free(time);
		return NULL;
	}
	time->page = map;
	memcpy(time->page->magic, DEVTIME_MAGIC, sizeof(time->page->magic));
	return time;
}

void sim_time_free(struct sim_time *time)
{
	if (!time)
		return;
	munmap(time->page, sizeof(*time->page));
	close(time->fd);
	free(time);
}

int sim_time_announce(const struct sim_time *time, const char *path)
{
	struct sealed_at at = {
		DEVTIME_MAGIC, (uint32_t)getpid(), time->fd, sizeof(*time->page), { 0 }
	};
	int fd = sealed_announce(AT_FDCWD, path, &at);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

uint64_t *sim_time_word(struct sim_time *time)
{
	return &time->page->device;
}

/* Readers that meet an odd number, or two numbers, look again. */
static void change(struct devtime_page *page, bool runs, uint64_t ahead, uint64_t limit)
{
	uint32_t seq = page->seq;

	__atomic_store_n(&page->seq, seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&page->runs, runs, __ATOMIC_RELAXED);
	__atomic_store_n(&page->ahead, ahead, __ATOMIC_RELAXED);
	__atomic_store_n(&page->limit, limit, __ATOMIC_RELAXED);
	__atomic_store_n(&page->seq, seq + 2, __ATOMIC_RELEASE);
}

void sim_time_runs(struct sim_time *time, uint64_t ahead, uint64_t limit)
{
	change(time->page, true, ahead, limit);
}

void sim_time_stands(struct sim_time *time)
{
	if (time->page->runs)
		change(time->page, false, 0, 0);
}
