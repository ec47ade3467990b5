// SPDX-License-Identifier: Apache-2.0
/* IDs, their numbers and their events: what all commands stand on. */
#include "ucma.h"

#include <stdlib.h>
#include <string.h>

#define MAX_HANDLES 65536u /* what librdmacm's table has places for */

/* ---------------------------------------------------------------- numbers */

static struct {
	void **object;
	uint32_t n, next;
} handles;

static int grow_handles(void)
{
	uint32_t n = handles.n ? 2 * handles.n : 64;
	void **object;

	if (n > MAX_HANDLES)
		return ENOSPC;
	object = realloc(handles.object, n * sizeof(*object));
	if (!object)
		return ENOMEM;
	memset(object + handles.n, 0, (n - handles.n) * sizeof(*object));
	handles.object = object;
	handles.next = handles.n;
	handles.n = n;
	return 0;
}

/* In turn, so that a number rests before it comes back; 0 is none. */
uint32_t ucma_handle(void *object)
{
	for (unsigned int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < handles.n; i++) {
			uint32_t at = (handles.next + i) % handles.n;

			if (!at || handles.object[at])
				continue;
			handles.object[at] = object;
			handles.next = at + 1;
			return at;
		}
		if (grow_handles())
			return 0;
	}
	return 0;
}

void ucma_handle_free(uint32_t handle)
{
	handles.object[handle] = NULL;
}

void *ucma_object(uint32_t handle)
{
	return handle < handles.n ? handles.object[handle] : NULL;
}

/* ---------------------------------------------------------------- events */

struct ucma_event *ucma_event_new(struct ucma_id *id, enum ucma_event_type type, int status)
{
	struct ucma_event *event = calloc(1, sizeof(*event));

	if (!event)
		return NULL;
	event->id = id;
	event->resp.uid = id->uid;
	event->resp.id = id->handle;
	event->resp.event = type;
	event->resp.status = (uint32_t)status;
	return event;
}

void ucma_event_queue(struct ucma_event *event)
{
	struct event_queue *queue = &event->id->file->queue;

	/* Of a request that was not taken over a program knows nothing. */
	if (!event->id->uid && !event->fresh) {
		free(event);
		return;
	}
	pthread_mutex_lock(&queue->lock);
	event_queue_append(queue, &event->node);
	pthread_mutex_unlock(&queue->lock);
}

void ucma_post(struct ucma_id *id, enum ucma_event_type type, int status)
{
	struct ucma_event *event = ucma_event_new(id, type, status);

	if (event)
		ucma_event_queue(event);
}

static void drop_event(struct ucma_event *event)
{
	if (event->fresh) {
		ucma_disown(event->fresh);
		ucma_id_free(event->fresh);
	}
	free(event);
}

void ucma_drop_events(struct ucma_id *id, const struct ucma_mcast *mcast)
{
	struct event_queue *queue = &id->file->queue;
	struct event_node *node, *next, *gone = NULL;

	pthread_mutex_lock(&queue->lock);
	for (node = queue->head.next; node != &queue->head; node = next) {
		struct ucma_event *event = (struct ucma_event *)node;

		next = node->next;
		if (event->id != id || (mcast && event->mcast != mcast))
			continue;
		event_queue_remove(queue, node);
		node->next = gone;
		gone = node;
	}
	pthread_mutex_unlock(&queue->lock);
	for (; gone; gone = next) {
		next = gone->next;
		drop_event((struct ucma_event *)gone);
	}
}

/* ---------------------------------------------------------------- IDs */

struct ucma_id *ucma_find(struct ucma_file *file, uint32_t handle, int *err)
{
	struct ucma_id *id;

	for (id = file->ids; id && id->handle != handle; id = id->next)
		;
	*err = id ? 0 : ucma_object(handle) ? EINVAL : ENOENT;
	return id;
}

struct ucma_id *ucma_id_new(struct ucma_file *file, uint64_t uid, uint16_t ps, uint8_t qp_type)
{
	struct ucma_id *id = calloc(1, sizeof(*id));

	if (!id)
		return NULL;
	id->handle = ucma_handle(id);
	if (!id->handle) {
		free(id);
		return NULL;
	}
	id->uid = uid;
	id->ps = ps;
	id->qp_type = qp_type;
	id->qkey = UCMA_UDP_QKEY;
	id->file = file;
	id->next = file->ids;
	file->ids = id;
	return id;
}

void ucma_id_unlink(struct ucma_id *id)
{
	struct ucma_id **at = &id->file->ids;

	while (*at != id)
		at = &(*at)->next;
	*at = id->next;
}

void ucma_mcast_drop(struct ucma_mcast **at)
{
	struct ucma_mcast *mcast = *at;

	*at = mcast->next;
	ucma_handle_free(mcast->handle);
	free(mcast);
}

void ucma_disown(struct ucma_id *id)
{
	if (id->port && id->state == UCMA_ADDR_QUERY)
		address_cancel(id->port, id);
	if (id->listener)
		id->listener->backlog++;
	id->listener = NULL;
	/* What came for a listener that goes is refused with it: see drop_event(). */
	for (struct ucma_id *other = id->file->ids; other; other = other->next)
		if (other->listener == id)
			other->listener = NULL;
	id->connected = false;
	if (id->cm)
		cm_destroy(id->cm);
	id->cm = NULL;
}

void ucma_id_free(struct ucma_id *id)
{
	ucma_drop_events(id, NULL);
	while (id->groups)
		ucma_mcast_drop(&id->groups);
	ucma_unbind(id);
	ucma_id_unlink(id);
	ucma_handle_free(id->handle);
	free(id);
}

void ucma_ids_forked(void)
{
	memset(&handles, 0, sizeof(handles));
	ucma_addr_forked();
}

/* ---------------------------------------------------------------- answers */

void ucma_answer(uint64_t to, const void *from, size_t size, size_t room)
{
	memcpy((void *)(uintptr_t)to, from, size < room ? size : room);
}
