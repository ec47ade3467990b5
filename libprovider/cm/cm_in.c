// SPDX-License-Identifier: Apache-2.0
/*
 * What comes in while a connection is set up.  A message that is for no ID, or not in its state, is
 * counted and answered as 12.9.8 wants: an answer that was lost is given again.
 */
#include "cm.h"

#include <stddef.h>
#include <string.h>

static void count(struct cm *cm, enum cm_counter counter)
{
	cm->counters[counter]++;
}

/* The ID that a message names by both numbers; NULL: counted. */
static struct cm_id *named(struct cm *cm, const uint8_t *mad)
{
	struct cm_id *id = cm_by_local(cm, (uint32_t)CM_GET(mad, RTU, REMOTE_COMM_ID));

	if (id && id->state != CM_IDLE &&
	    id->remote_id == (uint32_t)CM_GET(mad, RTU, LOCAL_COMM_ID))
		return id;
	count(cm, CM_COUNT_UNMATCHED);
	return NULL;
}

/* ---------------------------------------------------------------- REQ */

static void read_path(struct cm_id *id, const struct cm_path *from, const uint8_t *mad)
{
	struct cm_path *path = &id->path;
	uint8_t timeout = (uint8_t)CM_GET(mad, REQ, PRIMARY_ACK_TIMEOUT);

	*path = *from; /* back to where it came from */
	path->pkey = (uint16_t)CM_GET(mad, REQ, PKEY);
	path->mtu = (uint8_t)CM_GET(mad, REQ, PATH_MTU);
	path->flow_label = (uint32_t)CM_GET(mad, REQ, PRIMARY_FLOW_LABEL);
	path->traffic_class = (uint8_t)CM_GET(mad, REQ, PRIMARY_TRAFFIC_CLASS);
	path->hop_limit = (uint8_t)CM_GET(mad, REQ, PRIMARY_HOP_LIMIT);
	path->sl = (uint8_t)CM_GET(mad, REQ, PRIMARY_SL);
	path->rate = (uint8_t)CM_GET(mad, REQ, PRIMARY_PACKET_RATE);
	path->lifetime = timeout ? timeout - 1 : 0;
}

static void read_req(const uint8_t *mad, struct cm_param *remote)
{
	remote->qpn = (uint32_t)CM_GET(mad, REQ, LOCAL_QPN);
	remote->starting_psn = (uint32_t)CM_GET(mad, REQ, STARTING_PSN);
	remote->responder_resources = (uint8_t)CM_GET(mad, REQ, RESPONDER_RESOURCES);
	remote->initiator_depth = (uint8_t)CM_GET(mad, REQ, INITIATOR_DEPTH);
	remote->flow_control = (uint8_t)CM_GET(mad, REQ, FLOW_CONTROL);
	remote->retry_count = (uint8_t)CM_GET(mad, REQ, RETRY_COUNT);
	remote->rnr_retry_count = (uint8_t)CM_GET(mad, REQ, RNR_RETRY_COUNT);
	remote->srq = (uint8_t)CM_GET(mad, REQ, SRQ);
	remote->transport = (uint8_t)CM_GET(mad, REQ, TRANSPORT);
}

static void send_mra(struct cm_id *id, enum cm_answered message)
{
	uint8_t mad[MAD_BYTES];

	cm_begin(id, mad, CM_ATTR_MRA);
	CM_SET(mad, MRA, MESSAGE, message);
	CM_SET(mad, MRA, SERVICE_TIMEOUT, id->cm->mra_timeout);
	cm_send_once(id, mad);
}

/* It has come before: what it waits for is on its way, lost, or not decided. */
static void req_again(struct cm_id *id, const uint8_t *mad)
{
	count(id->cm, CM_COUNT_DUPLICATES);
	switch (id->state) {
	case CM_REQ_RCVD:
	case CM_MRA_REQ_SENT:
		send_mra(id, CM_ANSWERED_REQ);
		id->state = CM_MRA_REQ_SENT;
		break;
	case CM_REP_SENT:
	case CM_MRA_REP_RCVD:
		cm_send_once(id, id->sent);
		break;
	case CM_TIMEWAIT:
		cm_reject(id->cm, &id->path, mad, CM_ANSWERED_REQ, CM_REJ_STALE_CONN);
		break;
	default:
		break;
	}
}

/* What no REQ of a peer of ours may say; 0: nothing. */
static unsigned int refusal(const struct cm *cm, const struct cm_path *path, const uint8_t *mad)
{
	unsigned int transport = (unsigned int)CM_GET(mad, REQ, TRANSPORT);
	unsigned int mtu = (unsigned int)CM_GET(mad, REQ, PATH_MTU);

	if (transport > CM_TRANSPORT_UC || CM_GET(mad, REQ, EXTENDED_TRANSPORT))
		return CM_REJ_INVALID_TRANSPORT_TYPE;
	/* The QPs will speak between the addresses between which the managers do. */
	if (memcmp(CM_AT(mad, REQ, PRIMARY_REMOTE_GID), path->sgid, CM_GID_BYTES) != 0)
		return CM_REJ_INVALID_GID;
	if (memcmp(CM_AT(mad, REQ, PRIMARY_LOCAL_GID), path->dgid, CM_GID_BYTES) != 0)
		return CM_REJ_UNSUPPORTED;
	if (cm->env.own_gid(cm->env.arg, path->sgid) < 0)
		return CM_REJ_INVALID_GID;
	if (mtu < 1 || mtu > 5)
		return CM_REJ_INVALID_MTU;
	if (!CM_GET(mad, REQ, LOCAL_QPN))
		return CM_REJ_NO_QP;
	return 0;
}

/* The peer has begun anew with a QP that we hold for connected: that connection is gone. */
static void stale(struct cm_id *old)
{
	count(old->cm, CM_COUNT_STALE);
	switch (old->state) {
	case CM_REP_SENT:
	case CM_MRA_REP_RCVD:
	case CM_ESTABLISHED:
	case CM_DREQ_SENT:
	case CM_DREQ_RCVD:
		cm_timewait(old);
		cm_tell_plain(old, CM_EVENT_STALE, NULL, 0);
		break;
	default:
		break;
	}
}

static void new_req(struct cm *cm, const struct cm_path *path, const uint8_t *mad)
{
	struct cm_id *id = cm_create(cm, NULL, NULL);
	struct cm_event event = { .type = CM_EVENT_REQ,
				  .service_id = CM_GET(mad, REQ, SERVICE_ID),
				  .private_data = CM_AT(mad, REQ, PRIVATE_DATA),
				  .private_bytes = CM_LEN(REQ, PRIVATE_DATA) };
	unsigned int reason;

	if (!id) {
		cm_reject(cm, path, mad, CM_ANSWERED_REQ, CM_REJ_NO_RESOURCES);
		return;
	}
	id->transaction = MAD_GET(mad, TRANSACTION_ID);
	id->remote_id = (uint32_t)CM_GET(mad, REQ, LOCAL_COMM_ID);
	id->remote_guid = CM_GET(mad, REQ, LOCAL_CA_GUID);
	id->peer_timeout = (uint8_t)CM_GET(mad, REQ, LOCAL_RESPONSE_TIMEOUT);
	id->max_retries = (uint8_t)CM_GET(mad, REQ, MAX_CM_RETRIES);
	id->ack_timeout = (uint8_t)CM_GET(mad, REQ, PRIMARY_ACK_TIMEOUT);
	read_path(id, path, mad);
	read_req(mad, &id->remote);
	id->state = CM_REQ_RCVD;
	cm_index(id, CM_BY_REMOTE);
	cm_index(id, CM_BY_QPN);
	event.param = id->remote;
	reason = cm->env.request(cm->env.arg, id, &event);
	if (reason) {
		id->fn = NULL;
		cm_send_rej(id, reason, NULL, 0);
		cm_release(id);
	}
}

void cm_on_req(struct cm *cm, const struct cm_path *path, const uint8_t *mad)
{
	uint64_t guid = CM_GET(mad, REQ, LOCAL_CA_GUID);
	struct cm_id *id = cm_by_remote(cm, false, (uint32_t)CM_GET(mad, REQ, LOCAL_COMM_ID), guid);
	unsigned int reason;

	if (id) {
		req_again(id, mad);
		return;
	}
	reason = refusal(cm, path, mad);
	if (reason) {
		cm_reject(cm, path, mad, CM_ANSWERED_REQ, reason);
		return;
	}
	id = cm_by_qpn(cm, (uint32_t)CM_GET(mad, REQ, LOCAL_QPN), guid);
	if (id) {
		stale(id);
		cm_reject(cm, path, mad, CM_ANSWERED_REQ, CM_REJ_STALE_CONN);
		return;
	}
	new_req(cm, path, mad);
}

/* ---------------------------------------------------------------- REP, RTU, MRA */

/* Our RTU was lost, or is not decided on. */
static void rep_again(struct cm_id *id)
{
	count(id->cm, CM_COUNT_DUPLICATES);
	switch (id->state) {
	case CM_REP_RCVD:
	case CM_MRA_REP_SENT:
		send_mra(id, CM_ANSWERED_REP);
		id->state = CM_MRA_REP_SENT;
		break;
	case CM_ESTABLISHED:
		if (id->active)
			cm_send_once(id, id->sent);
		break;
	default:
		break;
	}
}

static void read_rep(struct cm_id *id, const uint8_t *mad)
{
	struct cm_param *remote = &id->remote;

	id->remote_id = (uint32_t)CM_GET(mad, REP, LOCAL_COMM_ID);
	id->remote_guid = CM_GET(mad, REP, LOCAL_CA_GUID);
	remote->qpn = (uint32_t)CM_GET(mad, REP, LOCAL_QPN);
	remote->starting_psn = (uint32_t)CM_GET(mad, REP, STARTING_PSN);
	remote->responder_resources = (uint8_t)CM_GET(mad, REP, RESPONDER_RESOURCES);
	remote->initiator_depth = (uint8_t)CM_GET(mad, REP, INITIATOR_DEPTH);
	remote->flow_control = (uint8_t)CM_GET(mad, REP, FLOW_CONTROL);
	remote->rnr_retry_count = (uint8_t)CM_GET(mad, REP, RNR_RETRY_COUNT);
	remote->srq = (uint8_t)CM_GET(mad, REP, SRQ);
	id->ack_timeout =
		cm_ack_timeout(id->path.lifetime, (uint8_t)CM_GET(mad, REP, TARGET_ACK_DELAY));
}

void cm_on_rep(struct cm *cm, const struct cm_path *path, const uint8_t *mad)
{
	struct cm_id *id = cm_by_local(cm, (uint32_t)CM_GET(mad, REP, REMOTE_COMM_ID)), *old;
	struct cm_event event = { .type = CM_EVENT_REP,
				  .private_data = CM_AT(mad, REP, PRIVATE_DATA),
				  .private_bytes = CM_LEN(REP, PRIVATE_DATA) };

	if (!id || id->state == CM_IDLE) {
		count(cm, CM_COUNT_UNMATCHED);
		cm_reject(cm, path, mad, CM_ANSWERED_REP, CM_REJ_INVALID_COMM_ID);
		return;
	}
	if (id->state != CM_REQ_SENT && id->state != CM_MRA_REQ_RCVD) {
		if (id->remote_id == (uint32_t)CM_GET(mad, REP, LOCAL_COMM_ID))
			rep_again(id);
		else
			count(cm, CM_COUNT_UNMATCHED);
		return;
	}
	old = cm_by_qpn(cm, (uint32_t)CM_GET(mad, REP, LOCAL_QPN), CM_GET(mad, REP, LOCAL_CA_GUID));
	read_rep(id, mad);
	id->state = CM_REP_RCVD;
	cm_timer_stop(id);
	if (old) { /* of a life before: the peer has to take another QP, or to try again */
		stale(old);
		cm_send_rej(id, CM_REJ_STALE_CONN, NULL, 0);
		event.type = CM_EVENT_REJ;
		event.reason = CM_REJ_STALE_CONN;
		event.private_bytes = 0;
		cm_tell(id, &event);
		return;
	}
	cm_index(id, CM_BY_REMOTE);
	cm_index(id, CM_BY_QPN);
	event.param = id->remote;
	cm_tell(id, &event);
}

void cm_on_rtu(struct cm *cm, const uint8_t *mad)
{
	struct cm_id *id = named(cm, mad);

	if (!id)
		return;
	if (id->state == CM_REP_SENT || id->state == CM_MRA_REP_RCVD) {
		cm_established_now(id);
		cm_tell_plain(id, CM_EVENT_ESTABLISHED, CM_AT(mad, RTU, PRIVATE_DATA),
			      CM_LEN(RTU, PRIVATE_DATA));
	} else {
		count(cm, CM_COUNT_DUPLICATES);
	}
}

/* The peer needs longer: it says how long. */
void cm_on_mra(struct cm *cm, const uint8_t *mad)
{
	struct cm_id *id = cm_by_local(cm, (uint32_t)CM_GET(mad, MRA, REMOTE_COMM_ID));
	unsigned int message = (unsigned int)CM_GET(mad, MRA, MESSAGE);
	uint8_t timeout = (uint8_t)CM_GET(mad, MRA, SERVICE_TIMEOUT);

	if (id && message == CM_ANSWERED_REQ &&
	    (id->state == CM_REQ_SENT || id->state == CM_MRA_REQ_RCVD)) {
		id->state = CM_MRA_REQ_RCVD;
	} else if (id && message == CM_ANSWERED_REP &&
		   (id->state == CM_REP_SENT || id->state == CM_MRA_REP_RCVD)) {
		id->state = CM_MRA_REP_RCVD;
	} else {
		count(cm, CM_COUNT_UNMATCHED);
		return;
	}
	cm_timer(id, cm_time(timeout) + 2 * cm_time(id->path.lifetime));
}

/* ---------------------------------------------------------------- REJ */

/* The sender of a REQ gave up before it knew our number: its own and its GUID say which it was. */
static struct cm_id *rejected(struct cm *cm, const uint8_t *mad)
{
	uint32_t local = (uint32_t)CM_GET(mad, REJ, REMOTE_COMM_ID);
	uint32_t remote = (uint32_t)CM_GET(mad, REJ, LOCAL_COMM_ID);
	struct cm_id *id = local ? cm_by_local(cm, local) : NULL;

	if (!local && CM_GET(mad, REJ, REASON) == CM_REJ_TIMEOUT &&
	    CM_GET(mad, REJ, INFO_LENGTH) >= 8)
		return cm_by_remote(cm, false, remote,
				    cm_get(CM_AT(mad, REJ, ADDITIONAL_INFO),
					   (struct cm_field){ 0, 0, 64 }));
	/* Who refuses a REQ may have no number for it; from then on both are known. */
	if (id && id->state != CM_REQ_SENT && id->state != CM_MRA_REQ_RCVD &&
	    id->remote_id != remote && remote)
		return NULL;
	return id;
}

void cm_on_rej(struct cm *cm, const uint8_t *mad)
{
	struct cm_id *id = rejected(cm, mad);
	struct cm_event event = { .type = CM_EVENT_REJ,
				  .reason = (unsigned int)CM_GET(mad, REJ, REASON),
				  .private_data = CM_AT(mad, REJ, PRIVATE_DATA),
				  .private_bytes = CM_LEN(REJ, PRIVATE_DATA) };

	switch (id ? id->state : CM_IDLE) {
	case CM_REQ_SENT:
	case CM_MRA_REQ_RCVD:
	case CM_REQ_RCVD:
	case CM_MRA_REQ_SENT:
		cm_idle(id);
		break;
	case CM_REP_SENT:
	case CM_MRA_REP_RCVD:
	case CM_REP_RCVD:
	case CM_MRA_REP_SENT:
	case CM_ESTABLISHED: /* our RTU was too late, or met a peer that has forgotten us */
	case CM_DREQ_SENT:
		cm_timewait(id);
		break;
	default:
		count(cm, CM_COUNT_UNMATCHED);
		return;
	}
	cm_tell(id, &event);
	cm_release(id);
}

/* ---------------------------------------------------------------- all of them */

static const char *malformed(const uint8_t *mad)
{
	if (MAD_GET(mad, BASE_VERSION) != MAD_BASE_VERSION)
		return "base version";
	if (MAD_GET(mad, MGMT_CLASS) != MAD_CLASS_CM)
		return "management class";
	if (MAD_GET(mad, CLASS_VERSION) != MAD_CLASS_VERSION_CM)
		return "class version";
	if (MAD_GET(mad, METHOD) != MAD_METHOD_SEND)
		return "method";
	if (!cm_msg_name((unsigned int)MAD_GET(mad, ATTRIBUTE_ID)))
		return "attribute";
	return NULL;
}

const char *cm_receive(struct cm *cm, const struct cm_path *path, const uint8_t mad[MAD_BYTES])
{
	const char *why = malformed(mad);

	count(cm, why ? CM_COUNT_MALFORMED : CM_COUNT_RECEIVED);
	if (why)
		return why;
	switch ((enum cm_attribute)MAD_GET(mad, ATTRIBUTE_ID)) {
	case CM_ATTR_REQ:
		cm_on_req(cm, path, mad);
		break;
	case CM_ATTR_MRA:
		cm_on_mra(cm, mad);
		break;
	case CM_ATTR_REJ:
		cm_on_rej(cm, mad);
		break;
	case CM_ATTR_REP:
		cm_on_rep(cm, path, mad);
		break;
	case CM_ATTR_RTU:
		cm_on_rtu(cm, mad);
		break;
	case CM_ATTR_DREQ:
		cm_on_dreq(cm, path, mad);
		break;
	case CM_ATTR_DREP:
		cm_on_drep(cm, mad);
		break;
	case CM_ATTR_SIDR_REQ:
		cm_on_sidr_req(cm, path, mad);
		break;
	case CM_ATTR_SIDR_REP:
		cm_on_sidr_rep(cm, mad);
		break;
	case CM_ATTR_LAP:
		cm_on_lap(cm, path, mad);
		break;
	case CM_ATTR_APR: /* we send no LAP */
		count(cm, CM_COUNT_UNMATCHED);
		break;
	}
	return NULL;
}
