// SPDX-License-Identifier: Apache-2.0
/*
 * Forks.  What has locks or descriptors says here what is to be done about them, before main(); the
 * parts know nothing of one another, and their order is one place's.  The process is watched from
 * the time when the library is loaded: who is told only from a first look on is told nothing of a
 * fork that had begun by then, and the child meets a lock that nobody gives back.
 */
#include "provider.h"

static struct {
	void (*before)(void);
	void (*after)(bool child);
} parts[FORK_PARTS];

void fork_part(enum fork_part part, void (*before)(void), void (*after)(bool child))
{
	parts[part].before = before;
	parts[part].after = after;
}

static void before_fork(void)
{
	for (unsigned int i = FORK_PARTS; i--;)
		if (parts[i].before)
			parts[i].before();
}

static void fork_done(bool child)
{
	for (unsigned int i = 0; i < FORK_PARTS; i++)
		if (parts[i].after)
			parts[i].after(child);
}

static void in_parent(void)
{
	fork_done(false);
}

static void in_child(void)
{
	fork_done(true);
}

__attribute__((constructor)) static void watch(void)
{
	pthread_atfork(before_fork, in_parent, in_child);
}
