// SPDX-License-Identifier: Apache-2.0
/* What a program says while a connection is set up: REQ, REP, RTU, REJ (IBTA 12.9.5 to 12.9.7). */
#include "cm.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* RoCE has no LIDs; this one, the permissive, is what the kernel sends. */
#define NO_LID 0xffffu

static void put_path(uint8_t *mad, const struct cm_path *path, uint8_t ack_delay)
{
	CM_SET(mad, REQ, PKEY, path->pkey);
	CM_SET(mad, REQ, PATH_MTU, path->mtu);
	CM_SET(mad, REQ, PRIMARY_LOCAL_LID, NO_LID);
	CM_SET(mad, REQ, PRIMARY_REMOTE_LID, NO_LID);
	memcpy(CM_AT(mad, REQ, PRIMARY_LOCAL_GID), path->sgid, CM_GID_BYTES);
	memcpy(CM_AT(mad, REQ, PRIMARY_REMOTE_GID), path->dgid, CM_GID_BYTES);
	CM_SET(mad, REQ, PRIMARY_FLOW_LABEL, path->flow_label);
	CM_SET(mad, REQ, PRIMARY_PACKET_RATE, path->rate);
	CM_SET(mad, REQ, PRIMARY_TRAFFIC_CLASS, path->traffic_class);
	CM_SET(mad, REQ, PRIMARY_HOP_LIMIT, path->hop_limit);
	CM_SET(mad, REQ, PRIMARY_SL, path->sl);
	CM_SET(mad, REQ, PRIMARY_ACK_TIMEOUT, cm_ack_timeout(path->lifetime, ack_delay));
}

int cm_send_req(struct cm_id *id, const struct cm_path *path, uint64_t service_id,
		const struct cm_param *param, const void *private_data, unsigned int bytes)
{
	uint8_t *mad = id->sent;

	if (id->state != CM_IDLE || param->transport > CM_TRANSPORT_UC ||
	    bytes > CM_LEN(REQ, PRIVATE_DATA))
		return EINVAL;
	id->active = true;
	id->path = *path;
	id->local = *param;
	id->max_retries = id->cm->max_retries;
	id->peer_timeout = id->cm->response_timeout;
	cm_begin(id, mad, CM_ATTR_REQ);
	CM_SET(mad, REQ, SERVICE_ID, service_id);
	CM_SET(mad, REQ, LOCAL_CA_GUID, id->cm->guid);
	CM_SET(mad, REQ, LOCAL_QPN, param->qpn);
	CM_SET(mad, REQ, RESPONDER_RESOURCES, param->responder_resources);
	CM_SET(mad, REQ, INITIATOR_DEPTH, param->initiator_depth);
	CM_SET(mad, REQ, REMOTE_RESPONSE_TIMEOUT, id->peer_timeout);
	CM_SET(mad, REQ, TRANSPORT, param->transport);
	CM_SET(mad, REQ, FLOW_CONTROL, param->flow_control);
	CM_SET(mad, REQ, STARTING_PSN, param->starting_psn);
	CM_SET(mad, REQ, LOCAL_RESPONSE_TIMEOUT, id->cm->response_timeout);
	CM_SET(mad, REQ, RETRY_COUNT, param->retry_count);
	CM_SET(mad, REQ, RNR_RETRY_COUNT, param->rnr_retry_count);
	CM_SET(mad, REQ, MAX_CM_RETRIES, id->max_retries);
	CM_SET(mad, REQ, SRQ, param->srq);
	put_path(mad, path, param->local_ack_delay);
	cm_put_private(CM_AT(mad, REQ, PRIVATE_DATA), CM_LEN(REQ, PRIVATE_DATA), private_data,
		       bytes);
	id->state = CM_REQ_SENT;
	cm_send_repeated(id, id->max_retries);
	return 0;
}

int cm_send_rep(struct cm_id *id, const struct cm_param *param, const void *private_data,
		unsigned int bytes)
{
	uint8_t *mad = id->sent;

	if ((id->state != CM_REQ_RCVD && id->state != CM_MRA_REQ_SENT) ||
	    bytes > CM_LEN(REP, PRIVATE_DATA))
		return EINVAL;
	id->local = *param;
	cm_begin(id, mad, CM_ATTR_REP);
	CM_SET(mad, REP, LOCAL_QPN, param->qpn);
	CM_SET(mad, REP, STARTING_PSN, param->starting_psn);
	CM_SET(mad, REP, RESPONDER_RESOURCES, param->responder_resources);
	CM_SET(mad, REP, INITIATOR_DEPTH, param->initiator_depth);
	CM_SET(mad, REP, TARGET_ACK_DELAY, param->local_ack_delay);
	CM_SET(mad, REP, FLOW_CONTROL, param->flow_control);
	CM_SET(mad, REP, RNR_RETRY_COUNT, param->rnr_retry_count);
	CM_SET(mad, REP, SRQ, param->srq);
	CM_SET(mad, REP, LOCAL_CA_GUID, id->cm->guid);
	cm_put_private(CM_AT(mad, REP, PRIVATE_DATA), CM_LEN(REP, PRIVATE_DATA), private_data,
		       bytes);
	id->state = CM_REP_SENT;
	cm_send_repeated(id, id->max_retries);
	return 0;
}

int cm_send_rtu(struct cm_id *id, const void *private_data, unsigned int bytes)
{
	if ((id->state != CM_REP_RCVD && id->state != CM_MRA_REP_SENT) ||
	    bytes > CM_LEN(RTU, PRIVATE_DATA))
		return EINVAL;
	/* Kept: a REP that comes again has not seen it. */
	cm_begin(id, id->sent, CM_ATTR_RTU);
	cm_put_private(CM_AT(id->sent, RTU, PRIVATE_DATA), CM_LEN(RTU, PRIVATE_DATA), private_data,
		       bytes);
	cm_send_once(id, id->sent);
	id->state = CM_ESTABLISHED;
	return 0;
}

void cm_established_now(struct cm_id *id)
{
	cm_timer_stop(id);
	id->state = CM_ESTABLISHED;
}

int cm_established(struct cm_id *id)
{
	if (id->state != CM_REP_SENT && id->state != CM_MRA_REP_RCVD)
		return EINVAL;
	cm_established_now(id);
	cm_tell_plain(id, CM_EVENT_ESTABLISHED, NULL, 0);
	return 0;
}

/* Which message a REJ of ours is the answer to. */
static enum cm_answered answered(const struct cm_id *id)
{
	switch (id->state) {
	case CM_REQ_RCVD:
	case CM_MRA_REQ_SENT:
	case CM_REP_SENT:
	case CM_MRA_REP_RCVD:
		return CM_ANSWERED_REQ;
	case CM_REP_RCVD:
	case CM_MRA_REP_SENT:
		return CM_ANSWERED_REP;
	default:
		return CM_ANSWERED_OTHER;
	}
}

/* Behind a REP the peer may be ready and send, so the numbers rest. */
int cm_send_rej(struct cm_id *id, enum cm_reason reason, const void *private_data,
		unsigned int bytes)
{
	bool promised = id->state == CM_REP_SENT || id->state == CM_MRA_REP_RCVD ||
			id->state == CM_REP_RCVD || id->state == CM_MRA_REP_SENT;
	uint8_t mad[MAD_BYTES];

	if (id->state < CM_REQ_SENT || id->state > CM_MRA_REP_RCVD ||
	    bytes > CM_LEN(REJ, PRIVATE_DATA))
		return EINVAL;
	cm_begin(id, mad, CM_ATTR_REJ);
	CM_SET(mad, REJ, MESSAGE, answered(id));
	CM_SET(mad, REJ, REASON, reason);
	if (reason == CM_REJ_TIMEOUT) {
		/* The peer may not have told its number: ours and the GUID name the connection. */
		CM_SET(mad, REJ, INFO_LENGTH, 8);
		cm_set(CM_AT(mad, REJ, ADDITIONAL_INFO), (struct cm_field){ 0, 0, 64 },
		       id->cm->guid);
	}
	cm_put_private(CM_AT(mad, REJ, PRIVATE_DATA), CM_LEN(REJ, PRIVATE_DATA), private_data,
		       bytes);
	cm_send_once(id, mad);
	if (promised)
		cm_timewait(id);
	else
		cm_idle(id);
	return 0;
}

void cm_reject(struct cm *cm, const struct cm_path *path, const uint8_t *mad,
	       enum cm_answered answered, enum cm_reason reason)
{
	uint8_t answer[MAD_BYTES];

	cm_msg_init(answer, CM_ATTR_REJ, MAD_GET(mad, TRANSACTION_ID));
	/* REQ and REP have the sender's number where all messages have it. */
	CM_SET(answer, REJ, REMOTE_COMM_ID, CM_GET(mad, REP, LOCAL_COMM_ID));
	if (answered != CM_ANSWERED_REQ)
		CM_SET(answer, REJ, LOCAL_COMM_ID, CM_GET(mad, REP, REMOTE_COMM_ID));
	CM_SET(answer, REJ, MESSAGE, answered);
	CM_SET(answer, REJ, REASON, reason);
	cm_transmit(cm, path, answer);
}
