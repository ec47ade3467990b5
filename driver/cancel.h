/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cancellation (pthread_cancel()) of a thread that is inside a call of ours.  A deferred
 * cancellation acts where the thread enters a system call that is a cancellation point; with a lock
 * held or a command under way, what it began would never be finished.  So no call of ours is one,
 * but those that exist to wait: cairn_wait_event(), ibv_get_cq_event() and ibv_get_async_event(),
 * and they while they hold nothing.
 *
 *	UNCANCELLED;	from here to the end of the block no cancellation acts
 *
 * It stands around system calls and where several of them belong together; paths that make none,
 * like a post or a poll that finds something, pay nothing.
 */
#ifndef CAIRN_CANCEL_H
#define CAIRN_CANCEL_H

#include <pthread.h>

static inline int cairn_cancel_off(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

static inline void cairn_cancel_as_before(const int *before)
{
	pthread_setcancelstate(*before, NULL);
}

#define UNCANCELLED             \
	const int cancel_before \
		__attribute__((cleanup(cairn_cancel_as_before), unused)) = cairn_cancel_off()

#endif
