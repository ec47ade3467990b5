// SPDX-License-Identifier: Apache-2.0
/* What time brings, and what an owner leaves: messages that are repeated, timers that end, IDs that
 * are destroyed in whatever state they are. */
#include "cm.h"

#include <stddef.h>

/* A deadline has passed and no retry is left. */
static void timed_out(struct cm_id *id)
{
	struct cm *cm = id->cm;

	if (id->state == CM_TIMEWAIT || id->state == CM_SIDR_DONE) {
		bool was = id->state == CM_TIMEWAIT;

		cm_idle(id);
		if (was)
			cm_tell_plain(id, CM_EVENT_TIMEWAIT_END, NULL, 0);
		cm_release(id);
		return;
	}
	cm->counters[CM_COUNT_TIMEOUTS]++;
	switch (id->state) {
	case CM_REQ_SENT:
	case CM_MRA_REQ_RCVD:
		cm_send_rej(id, CM_REJ_TIMEOUT, NULL, 0);
		cm_tell_plain(id, CM_EVENT_REQ_ERROR, NULL, 0);
		break;
	case CM_REP_SENT:
	case CM_MRA_REP_RCVD:
		cm_send_rej(id, CM_REJ_TIMEOUT, NULL, 0);
		cm_tell_plain(id, CM_EVENT_REP_ERROR, NULL, 0);
		break;
	case CM_DREQ_SENT:
		cm_timewait(id);
		cm_tell_plain(id, CM_EVENT_DREQ_ERROR, NULL, 0);
		break;
	case CM_SIDR_REQ_SENT:
		cm_idle(id);
		cm_tell_plain(id, CM_EVENT_SIDR_ERROR, NULL, 0);
		break;
	default: /* no other state has a timer */
		break;
	}
	cm_release(id);
}

uint64_t cm_run(struct cm *cm)
{
	uint64_t now = cm->env.now(cm->env.arg);

	while (cm->timers && cm->heap[0]->deadline <= now) {
		struct cm_id *id = cm->heap[0];

		if (id->retries) {
			id->retries--;
			cm->counters[CM_COUNT_REPEATED]++;
			cm_transmit(cm, &id->path, id->sent);
			cm_timer(id, id->interval);
		} else {
			cm_timer_stop(id);
			timed_out(id);
		}
	}
	return cm->timers ? cm->heap[0]->deadline : CM_NEVER;
}

void cm_destroy(struct cm_id *id)
{
	id->fn = NULL;
	switch (id->state) {
	case CM_REQ_SENT:
	case CM_MRA_REQ_RCVD:
		cm_send_rej(id, CM_REJ_TIMEOUT, NULL, 0);
		break;
	case CM_REQ_RCVD:
	case CM_MRA_REQ_SENT:
	case CM_REP_RCVD:
	case CM_MRA_REP_SENT:
	case CM_REP_SENT:
	case CM_MRA_REP_RCVD:
		cm_send_rej(id, CM_REJ_CONSUMER_DEFINED, NULL, 0);
		break;
	case CM_ESTABLISHED:
		cm_send_dreq(id, NULL, 0);
		break;
	case CM_DREQ_RCVD:
		cm_send_drep(id, NULL, 0);
		break;
	case CM_SIDR_REQ_SENT:
		cm_idle(id);
		break;
	case CM_SIDR_REQ_RCVD:
		cm_send_sidr_rep(id, CM_SIDR_REJECT, 0, 0, 0, NULL, 0);
		break;
	default: /* DREQ_SENT, TIMEWAIT, SIDR_DONE go on alone */
		break;
	}
	cm_release(id);
}
