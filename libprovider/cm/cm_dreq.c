// SPDX-License-Identifier: Apache-2.0
/*
 * The end of a connection: DREQ, DREP, and TIMEWAIT, in which packets of it may still be on their
 * way (IBTA 12.9.8); LAP, which RoCE has no use for.
 */
#include "cm.h"

#include <errno.h>
#include <stddef.h>

int cm_send_dreq(struct cm_id *id, const void *private_data, unsigned int bytes)
{
	uint8_t *mad = id->sent;

	if ((id->state != CM_ESTABLISHED && id->state != CM_REP_SENT &&
	     id->state != CM_MRA_REP_RCVD) ||
	    bytes > CM_LEN(DREQ, PRIVATE_DATA))
		return EINVAL;
	cm_timer_stop(id);
	cm_begin(id, mad, CM_ATTR_DREQ);
	CM_SET(mad, DREQ, REMOTE_QPN, id->remote.qpn);
	cm_put_private(CM_AT(mad, DREQ, PRIVATE_DATA), CM_LEN(DREQ, PRIVATE_DATA), private_data,
		       bytes);
	id->state = CM_DREQ_SENT;
	cm_send_repeated(id, id->max_retries);
	return 0;
}

int cm_send_drep(struct cm_id *id, const void *private_data, unsigned int bytes)
{
	if (id->state != CM_DREQ_RCVD || bytes > CM_LEN(DREP, PRIVATE_DATA))
		return EINVAL;
	/* Kept: a DREQ that comes again in TIMEWAIT has not seen it. */
	cm_begin(id, id->sent, CM_ATTR_DREP);
	cm_put_private(CM_AT(id->sent, DREP, PRIVATE_DATA), CM_LEN(DREP, PRIVATE_DATA),
		       private_data, bytes);
	cm_send_once(id, id->sent);
	id->answered = true;
	cm_timewait(id);
	return 0;
}

/* A peer of which nothing is known has ended already: it is told so, as it would wait otherwise. */
static void drep_of_nobody(struct cm *cm, const struct cm_path *path, const uint8_t *mad)
{
	uint8_t answer[MAD_BYTES];

	cm_msg_init(answer, CM_ATTR_DREP, MAD_GET(mad, TRANSACTION_ID));
	CM_SET(answer, DREP, LOCAL_COMM_ID, CM_GET(mad, DREQ, REMOTE_COMM_ID));
	CM_SET(answer, DREP, REMOTE_COMM_ID, CM_GET(mad, DREQ, LOCAL_COMM_ID));
	cm_transmit(cm, path, answer);
}

void cm_on_dreq(struct cm *cm, const struct cm_path *path, const uint8_t *mad)
{
	struct cm_id *id = cm_by_local(cm, (uint32_t)CM_GET(mad, DREQ, REMOTE_COMM_ID));

	if (!id || id->state < CM_REQ_SENT || id->state > CM_TIMEWAIT ||
	    id->remote_id != (uint32_t)CM_GET(mad, DREQ, LOCAL_COMM_ID)) {
		cm->counters[CM_COUNT_UNMATCHED]++;
		drep_of_nobody(cm, path, mad);
		return;
	}
	if (id->local.qpn != (uint32_t)CM_GET(mad, DREQ, REMOTE_QPN)) {
		cm->counters[CM_COUNT_UNMATCHED]++;
		return;
	}
	switch (id->state) {
	case CM_REP_SENT:
	case CM_MRA_REP_RCVD:
	case CM_ESTABLISHED:
	case CM_DREQ_SENT:
		cm_timer_stop(id);
		id->transaction = MAD_GET(mad, TRANSACTION_ID);
		id->state = CM_DREQ_RCVD;
		cm_tell_plain(id, CM_EVENT_DREQ, CM_AT(mad, DREQ, PRIVATE_DATA),
			      CM_LEN(DREQ, PRIVATE_DATA));
		if (!id->fn) /* was destroyed while its DREQ was out */
			cm_send_drep(id, NULL, 0);
		break;
	case CM_TIMEWAIT:
		cm->counters[CM_COUNT_DUPLICATES]++;
		if (id->answered)
			cm_send_once(id, id->sent);
		else
			drep_of_nobody(cm, path, mad);
		break;
	case CM_DREQ_RCVD:
		cm->counters[CM_COUNT_DUPLICATES]++;
		break;
	default:
		cm->counters[CM_COUNT_UNMATCHED]++;
	}
}

void cm_on_drep(struct cm *cm, const uint8_t *mad)
{
	struct cm_id *id = cm_by_local(cm, (uint32_t)CM_GET(mad, DREP, REMOTE_COMM_ID));

	/* Both may have sent a DREQ: the peer's answer to ours ends it, and our answer
	 * to its DREQ does not count then. */
	if (!id || (id->state != CM_DREQ_SENT && id->state != CM_DREQ_RCVD) ||
	    id->remote_id != (uint32_t)CM_GET(mad, DREP, LOCAL_COMM_ID)) {
		cm->counters[CM_COUNT_UNMATCHED]++;
		return;
	}
	cm_timewait(id);
	cm_tell_plain(id, CM_EVENT_DREP, CM_AT(mad, DREP, PRIVATE_DATA),
		      CM_LEN(DREP, PRIVATE_DATA));
}

/* There is one path and no other (A17: no automatic path migration). */
void cm_on_lap(struct cm *cm, const struct cm_path *path, const uint8_t *mad)
{
	struct cm_id *id = cm_by_local(cm, (uint32_t)CM_GET(mad, LAP, REMOTE_COMM_ID));
	uint8_t answer[MAD_BYTES];

	if (!id || id->state != CM_ESTABLISHED ||
	    id->remote_id != (uint32_t)CM_GET(mad, LAP, LOCAL_COMM_ID)) {
		cm->counters[CM_COUNT_UNMATCHED]++;
		cm_reject(cm, path, mad, CM_ANSWERED_OTHER, CM_REJ_INVALID_COMM_ID);
		return;
	}
	cm_begin(id, answer, CM_ATTR_APR);
	MAD_SET(answer, TRANSACTION_ID, MAD_GET(mad, TRANSACTION_ID));
	CM_SET(answer, APR, STATUS, CM_APR_UNSUPPORTED);
	cm_send_once(id, answer);
}
