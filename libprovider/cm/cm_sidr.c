// SPDX-License-Identifier: Apache-2.0
/*
 * Service ID resolution (IBTA 12.11): the QP and Q_Key to which datagrams for a service go.  One
 * question, one answer, no connection; an answer is kept for as long as its question may come
 * again.
 */
#include "cm.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* The asker is known by its address and the number that it gave the question; its GUID is not in
 * the message, so the halves of the address stand for it. */
static uint64_t asker(const struct cm_path *path)
{
	uint64_t high, low;

	memcpy(&high, path->dgid, 8);
	memcpy(&low, path->dgid + 8, 8);
	return high ^ low;
}

int cm_send_sidr_req(struct cm_id *id, const struct cm_path *path, uint64_t service_id,
		     const void *private_data, unsigned int bytes)
{
	uint8_t *mad = id->sent;

	if (id->state != CM_IDLE || bytes > CM_LEN(SIDR_REQ, PRIVATE_DATA))
		return EINVAL;
	id->active = true;
	id->path = *path;
	id->peer_timeout = id->cm->response_timeout;
	cm_msg_init(mad, CM_ATTR_SIDR_REQ, id->transaction);
	CM_SET(mad, SIDR_REQ, REQUEST_ID, id->local_id);
	CM_SET(mad, SIDR_REQ, PKEY, path->pkey);
	CM_SET(mad, SIDR_REQ, SERVICE_ID, service_id);
	cm_put_private(CM_AT(mad, SIDR_REQ, PRIVATE_DATA), CM_LEN(SIDR_REQ, PRIVATE_DATA),
		       private_data, bytes);
	id->state = CM_SIDR_REQ_SENT;
	cm_send_repeated(id, id->cm->max_retries);
	return 0;
}

int cm_send_sidr_rep(struct cm_id *id, enum cm_sidr_status status, uint32_t qpn, uint32_t qkey,
		     uint64_t service_id, const void *private_data, unsigned int bytes)
{
	uint8_t *mad = id->sent;

	if (id->state != CM_SIDR_REQ_RCVD || bytes > CM_LEN(SIDR_REP, PRIVATE_DATA))
		return EINVAL;
	cm_msg_init(mad, CM_ATTR_SIDR_REP, id->transaction);
	CM_SET(mad, SIDR_REP, REQUEST_ID, id->remote_id);
	CM_SET(mad, SIDR_REP, STATUS, status);
	if (status == CM_SIDR_OK) {
		CM_SET(mad, SIDR_REP, QPN, qpn);
		CM_SET(mad, SIDR_REP, QKEY, qkey);
	}
	CM_SET(mad, SIDR_REP, SERVICE_ID, service_id);
	cm_put_private(CM_AT(mad, SIDR_REP, PRIVATE_DATA), CM_LEN(SIDR_REP, PRIVATE_DATA),
		       private_data, bytes);
	cm_send_once(id, mad);
	id->state = CM_SIDR_DONE;
	id->retries = 0;
	cm_timer(id, cm_time(id->cm->response_timeout) * (id->cm->max_retries + 1u));
	return 0;
}

void cm_on_sidr_req(struct cm *cm, const struct cm_path *path, const uint8_t *mad)
{
	uint32_t number = (uint32_t)CM_GET(mad, SIDR_REQ, REQUEST_ID);
	struct cm_id *id = cm_by_remote(cm, true, number, asker(path));
	struct cm_event event = { .type = CM_EVENT_SIDR_REQ,
				  .service_id = CM_GET(mad, SIDR_REQ, SERVICE_ID),
				  .private_data = CM_AT(mad, SIDR_REQ, PRIVATE_DATA),
				  .private_bytes = CM_LEN(SIDR_REQ, PRIVATE_DATA) };
	unsigned int reason;

	if (id) {
		cm->counters[CM_COUNT_DUPLICATES]++;
		if (id->state == CM_SIDR_DONE)
			cm_send_once(id, id->sent);
		return;
	}
	id = cm_create(cm, NULL, NULL);
	if (!id)
		return; /* the asker asks again */
	id->transaction = MAD_GET(mad, TRANSACTION_ID);
	id->remote_id = number;
	id->remote_guid = asker(path);
	id->path = *path;
	id->path.pkey = (uint16_t)CM_GET(mad, SIDR_REQ, PKEY);
	id->state = CM_SIDR_REQ_RCVD;
	cm_index(id, CM_BY_REMOTE);
	reason = cm->env.request(cm->env.arg, id, &event);
	if (!reason)
		return;
	id->fn = NULL;
	cm_send_sidr_rep(id,
			 reason == CM_REJ_INVALID_SERVICE_ID ? CM_SIDR_UNSUPPORTED : CM_SIDR_REJECT,
			 0, 0, event.service_id, NULL, 0);
}

void cm_on_sidr_rep(struct cm *cm, const uint8_t *mad)
{
	struct cm_id *id = cm_by_local(cm, (uint32_t)CM_GET(mad, SIDR_REP, REQUEST_ID));
	struct cm_event event = { .type = CM_EVENT_SIDR_REP,
				  .reason = (unsigned int)CM_GET(mad, SIDR_REP, STATUS),
				  .qkey = (uint32_t)CM_GET(mad, SIDR_REP, QKEY),
				  .param.qpn = (uint32_t)CM_GET(mad, SIDR_REP, QPN),
				  .private_data = CM_AT(mad, SIDR_REP, PRIVATE_DATA),
				  .private_bytes = CM_LEN(SIDR_REP, PRIVATE_DATA) };

	if (!id || id->state != CM_SIDR_REQ_SENT) {
		cm->counters[CM_COUNT_UNMATCHED]++;
		return;
	}
	cm_idle(id);
	cm_tell(id, &event);
}
