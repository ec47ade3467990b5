// SPDX-License-Identifier: Apache-2.0
/*
 * Asking for the event of the next completion.  The device raises it at once for entries that are
 * there and not polled yet, so that none is missed by a program that polls only some of them.
 * Mostly the program polls just these, after it armed: then the event tells nothing new, and
 * programs that wait for one, poll once and trust that they got something would go wrong.  Such an
 * event is dropped before the program sees it, and the CQ armed again.  An event raised by an entry
 * that came after the program's arm is always delivered:
 *
 *   - a drop leaves what is known of that arm as it is, and arms again from the first entry after
 *     it on, which the device takes at once if it came meanwhile, polled or not;
 *   - the event of an arm that another one has followed is not looked at: it is not known any more
 *     what was there at its arm;
 *   - until its event is consumed an arm is in force, for the device too (arm_seq): the next ones
 *     are the same arm, which still waits for the entries that came since, and for those of any
 *     kind if one of them asked for any.
 */
#include "provider.h"
#include "queue.h"

/* With more entries than this waiting, any event is worth delivering. */
#define LOOK_AHEAD 32u

static void arm(struct cq *cq, bool solicited)
{
	uint32_t ci = atomic_load(&cq->polled), next = ci;

	if (cq->armed.event == cq->events + 1) {
		cq->armed.solicited &= solicited;
	} else {
		while (next - ci < LOOK_AHEAD && cairn_cq_written(cq->hw, next))
			next++;
		cq->armed.event = cq->events + 1;
		cq->armed.ci = ci;
		cq->armed.next = next - ci < LOOK_AHEAD ? next : ci;
		cq->armed.solicited = solicited;
	}
	/* The device may see the newest of several only, so that one says all. */
	cairn_cq_arm_at(cq->hw, ci, cq->armed.solicited);
}

int cq_req_notify(struct ibv_cq *ibv, int solicited_only)
{
	struct cq *cq = (struct cq *)ibv;

	if (is_inherited(ibv->context))
		return ENODEV;
	if (!cq->queue)
		return 0;
	pthread_mutex_lock(&cq->arm_lock);
	arm(cq, solicited_only);
	pthread_mutex_unlock(&cq->arm_lock);
	return 0;
}

bool notify_nothing_new(struct cq *cq)
{
	bool stale;

	if (cq->event.count != 1)
		return false;
	pthread_mutex_lock(&cq->arm_lock);
	stale = !cq->closing && cq->events == cq->armed.event && cq->armed.next != cq->armed.ci &&
		atomic_load(&cq->polled) == cq->armed.next &&
		!cairn_cq_written(cq->hw, cq->armed.next);
	if (stale) {
		cq->armed.event++;
		cairn_cq_arm_at(cq->hw, cq->armed.next, cq->armed.solicited);
	}
	pthread_mutex_unlock(&cq->arm_lock);
	return stale;
}
