// SPDX-License-Identifier: Apache-2.0
/* IDs of the connection manager: their numbers, by which they are found, their timers,
 * their end. */
#include "cm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As the kernel's rdma_cm has them: 4.3 s for an answer, 68 s for a program that thinks. */
#define RESPONSE_TIMEOUT 20u
#define MAX_RETRIES 15u
#define MRA_TIMEOUT 24u
#define FIRST_ROOM 64u

int cm_init(struct cm *cm, const struct cm_env *env, uint64_t guid)
{
	memset(cm, 0, sizeof(*cm));
	cm->env = *env;
	cm->guid = guid;
	cm->response_timeout = RESPONSE_TIMEOUT;
	cm->max_retries = MAX_RETRIES;
	cm->mra_timeout = MRA_TIMEOUT;
	cm->heap = calloc(FIRST_ROOM, sizeof(*cm->heap));
	cm->heap_room = FIRST_ROOM;
	return cm->heap ? 0 : ENOMEM;
}

void cm_end(struct cm *cm)
{
	for (unsigned int i = 0; i < CM_BUCKETS; i++)
		while (cm->table[CM_BY_LOCAL][i])
			cm_free(cm->table[CM_BY_LOCAL][i]);
	free(cm->heap);
	cm->heap = NULL;
}

/* ---------------------------------------------------------------- tables */

static bool is_sidr(const struct cm_id *id)
{
	return id->state == CM_SIDR_REQ_SENT || id->state == CM_SIDR_REQ_RCVD ||
	       id->state == CM_SIDR_DONE;
}

static unsigned int bucket(uint64_t number, uint64_t guid)
{
	uint64_t mix = (number ^ guid * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;

	return (unsigned int)(mix >> 40) % CM_BUCKETS;
}

static unsigned int bucket_of(const struct cm_id *id, enum cm_table table)
{
	switch (table) {
	case CM_BY_LOCAL:
		return bucket(id->local_id, 0);
	case CM_BY_REMOTE:
		return bucket(id->remote_id, id->remote_guid);
	default:
		return bucket(id->remote.qpn, id->remote_guid);
	}
}

void cm_index(struct cm_id *id, enum cm_table table)
{
	struct cm_link *link = &id->link[table];
	struct cm_id **head = &id->cm->table[table][bucket_of(id, table)];

	cm_unindex(id, table);
	link->next = *head;
	link->at = head;
	if (link->next)
		link->next->link[table].at = &link->next;
	*head = id;
}

void cm_unindex(struct cm_id *id, enum cm_table table)
{
	struct cm_link *link = &id->link[table];

	if (!link->at)
		return;
	*link->at = link->next;
	if (link->next)
		link->next->link[table].at = link->at;
	link->at = NULL;
	link->next = NULL;
}

struct cm_id *cm_by_local(struct cm *cm, uint32_t local_id)
{
	struct cm_id *id = cm->table[CM_BY_LOCAL][bucket(local_id, 0)];

	while (id && id->local_id != local_id)
		id = id->link[CM_BY_LOCAL].next;
	return id;
}

struct cm_id *cm_by_remote(struct cm *cm, bool sidr, uint32_t remote_id, uint64_t remote_guid)
{
	struct cm_id *id = cm->table[CM_BY_REMOTE][bucket(remote_id, remote_guid)];

	while (id && (id->remote_id != remote_id || id->remote_guid != remote_guid ||
		      is_sidr(id) != sidr))
		id = id->link[CM_BY_REMOTE].next;
	return id;
}

struct cm_id *cm_by_qpn(struct cm *cm, uint32_t qpn, uint64_t remote_guid)
{
	struct cm_id *id = cm->table[CM_BY_QPN][bucket(qpn, remote_guid)];

	while (id && (id->remote.qpn != qpn || id->remote_guid != remote_guid))
		id = id->link[CM_BY_QPN].next;
	return id;
}

/* ---------------------------------------------------------------- timers: a heap by deadline */

static void heap_set(struct cm *cm, unsigned int at, struct cm_id *id)
{
	cm->heap[at] = id;
	id->heap_at = at + 1; /* 0: not in it */
}

static void sift_up(struct cm *cm, unsigned int at)
{
	struct cm_id *id = cm->heap[at];

	for (; at && cm->heap[(at - 1) / 2]->deadline > id->deadline; at = (at - 1) / 2)
		heap_set(cm, at, cm->heap[(at - 1) / 2]);
	heap_set(cm, at, id);
}

static void sift_down(struct cm *cm, unsigned int at)
{
	struct cm_id *id = cm->heap[at];

	for (unsigned int child; (child = 2 * at + 1) < cm->timers; at = child) {
		if (child + 1 < cm->timers &&
		    cm->heap[child + 1]->deadline < cm->heap[child]->deadline)
			child++;
		if (cm->heap[child]->deadline >= id->deadline)
			break;
		heap_set(cm, at, cm->heap[child]);
	}
	heap_set(cm, at, id);
}

void cm_timer_stop(struct cm_id *id)
{
	struct cm *cm = id->cm;
	unsigned int at = id->heap_at - 1;

	if (!id->heap_at)
		return;
	id->heap_at = 0;
	cm->timers--;
	if (at == cm->timers)
		return;
	heap_set(cm, at, cm->heap[cm->timers]);
	sift_up(cm, at);
	sift_down(cm, cm->heap[at]->heap_at - 1);
}

void cm_timer(struct cm_id *id, uint64_t ns)
{
	struct cm *cm = id->cm;

	cm_timer_stop(id);
	id->interval = ns;
	id->deadline = cm->env.now(cm->env.arg) + ns;
	/* There is room for each ID: cm_create() sees to that. */
	heap_set(cm, cm->timers, id);
	sift_up(cm, cm->timers++);
}

/* ---------------------------------------------------------------- IDs */

static int make_room(struct cm *cm)
{
	struct cm_id **heap;

	if (cm->ids < cm->heap_room)
		return 0;
	heap = realloc(cm->heap, 2ul * cm->heap_room * sizeof(*heap));
	if (!heap)
		return ENOMEM;
	cm->heap = heap;
	cm->heap_room *= 2;
	return 0;
}

struct cm_id *cm_create(struct cm *cm, cm_event_fn fn, void *user)
{
	struct cm_id *id = make_room(cm) ? NULL : calloc(1, sizeof(*id));

	if (!id)
		return NULL;
	id->cm = cm;
	id->fn = fn;
	id->user = user;
	/* A stranger should not be able to guess it; 0 is "none" in messages. */
	do
		id->local_id = cm->env.random(cm->env.arg);
	while (!id->local_id || cm_by_local(cm, id->local_id));
	id->transaction = (uint64_t)cm->env.random(cm->env.arg) << 32 | id->local_id;
	cm_index(id, CM_BY_LOCAL);
	cm->ids++;
	return id;
}

void cm_free(struct cm_id *id)
{
	cm_timer_stop(id);
	for (enum cm_table table = 0; table < CM_TABLES; table++)
		cm_unindex(id, table);
	id->cm->ids--;
	free(id);
}

bool cm_release(struct cm_id *id)
{
	if (id->fn || id->state != CM_IDLE)
		return false;
	cm_free(id);
	return true;
}

void cm_idle(struct cm_id *id)
{
	cm_timer_stop(id);
	cm_unindex(id, CM_BY_REMOTE);
	cm_unindex(id, CM_BY_QPN);
	id->state = CM_IDLE;
}

/* The peer's packets need no longer than its timeout for ours. */
void cm_timewait(struct cm_id *id)
{
	id->state = CM_TIMEWAIT;
	id->retries = 0;
	cm_timer(id, cm_time(id->ack_timeout));
}

void cm_tell(struct cm_id *id, const struct cm_event *event)
{
	if (id->fn)
		id->fn(id, event);
}

void cm_tell_plain(struct cm_id *id, enum cm_event_type type, const uint8_t *private_data,
		   unsigned int bytes)
{
	struct cm_event event = { .type = type,
				  .private_data = private_data,
				  .private_bytes = bytes };

	cm_tell(id, &event);
}

/* ---------------------------------------------------------------- messages */

void cm_transmit(struct cm *cm, const struct cm_path *path, const uint8_t *mad)
{
	cm->counters[CM_COUNT_SENT]++;
	cm->env.send(cm->env.arg, path, mad);
}

/* All messages of a connection begin with the two numbers, but a REQ, which knows only its own and
 * has zeros in the place of the other. */
void cm_begin(struct cm_id *id, uint8_t *mad, enum cm_attribute attribute)
{
	cm_msg_init(mad, attribute, id->transaction);
	CM_SET(mad, RTU, LOCAL_COMM_ID, id->local_id);
	CM_SET(mad, RTU, REMOTE_COMM_ID, attribute == CM_ATTR_REQ ? 0 : id->remote_id);
}

void cm_send_once(struct cm_id *id, const uint8_t *mad)
{
	cm_transmit(id->cm, &id->path, mad);
}

void cm_send_repeated(struct cm_id *id, unsigned int retries)
{
	id->retries = retries;
	cm_send_once(id, id->sent);
	cm_timer(id, cm_time(id->peer_timeout) + 2 * cm_time(id->path.lifetime));
}

int cm_put_private(uint8_t *at, unsigned int room, const void *data, unsigned int bytes)
{
	if (bytes > room || (bytes && !data))
		return EINVAL;
	if (bytes)
		memcpy(at, data, bytes);
	return 0;
}

uint8_t cm_ack_timeout(uint8_t lifetime, uint8_t ack_delay)
{
	unsigned int both = lifetime + 1u, delay = ack_delay;
	unsigned int larger = both > delay ? both : delay;
	unsigned int apart = both > delay ? both - delay : delay - both;

	/* a sum of two powers that are close is the next one, or nearly */
	if (apart <= 1)
		larger++;
	return (uint8_t)(larger < 31 ? larger : 31);
}

const char *cm_state_name(enum cm_state state)
{
	static const char *const names[CM_STATES] = {
		[CM_IDLE] = "IDLE",
		[CM_REQ_SENT] = "REQ_SENT",
		[CM_REQ_RCVD] = "REQ_RCVD",
		[CM_MRA_REQ_SENT] = "MRA_REQ_SENT",
		[CM_MRA_REQ_RCVD] = "MRA_REQ_RCVD",
		[CM_REP_SENT] = "REP_SENT",
		[CM_REP_RCVD] = "REP_RCVD",
		[CM_MRA_REP_SENT] = "MRA_REP_SENT",
		[CM_MRA_REP_RCVD] = "MRA_REP_RCVD",
		[CM_ESTABLISHED] = "ESTABLISHED",
		[CM_DREQ_SENT] = "DREQ_SENT",
		[CM_DREQ_RCVD] = "DREQ_RCVD",
		[CM_TIMEWAIT] = "TIMEWAIT",
		[CM_SIDR_REQ_SENT] = "SIDR_REQ_SENT",
		[CM_SIDR_REQ_RCVD] = "SIDR_REQ_RCVD",
		[CM_SIDR_DONE] = "SIDR_DONE",
	};

	return (unsigned int)state < CM_STATES ? names[state] : "?";
}
