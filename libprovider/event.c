// SPDX-License-Identifier: Apache-2.0
/*
 * Completion and async events.  A helper thread of each open device waits for interrupts and sorts
 * events into queues, one a completion channel and one a context; it sleeps as long as no events
 * are asked for.  The fd of a queue is readable if and only if something is in it, so that programs
 * may poll() it, also after another thread took an event or an object was destroyed; and for good
 * once the device is lost, so that no thread waits for what cannot come.
 *
 * The fd is a socket with one byte in it or none: recv() of a thread that waits takes nothing, so
 * that it may be cancelled and others may wait too, goes on after a signal if the program said
 * SA_RESTART (poll() would not), as the read() of the kernel's verbs does, and knows O_NONBLOCK.
 *
 * An object is destroyed only after the program has acknowledged the events it was given: it counts
 * in *_events_completed of the public structures, we count in ours.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "provider.h"
#include "queue.h"

#define MAX_FDS (CAIRN_MSIX_VECTORS + 2)

/* ---------------------------------------------------------------- queues */

int event_queue_init(struct event_queue *queue)
{
	int ends[2];

	/* A stream: a byte that comes wakes all who wait for it. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return errno;
	pthread_mutex_init(&queue->lock, NULL);
	queue->head.next = queue->head.prev = &queue->head;
	queue->fd = ends[0];
	queue->show_fd = ends[1];
	return 0;
}

/* With the queue locked. */
static bool shows(const struct event_queue *queue)
{
	return queue->lost || queue->head.next != &queue->head;
}

static void show(const struct event_queue *queue)
{
	send(queue->show_fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void event_queue_remove(struct event_queue *queue, struct event_node *node)
{
	char byte;
	UNCANCELLED;

	node->prev->next = node->next;
	node->next->prev = node->prev;
	node->next = node->prev = NULL;
	if (!shows(queue))
		recv(queue->fd, &byte, 1, MSG_DONTWAIT);
}

void event_queue_append(struct event_queue *queue, struct event_node *node)
{
	UNCANCELLED;

	if (!shows(queue))
		show(queue);
	node->prev = queue->head.prev;
	node->next = &queue->head;
	node->prev->next = node;
	queue->head.prev = node;
}

void event_queue_lose(struct event_queue *queue)
{
	UNCANCELLED;

	pthread_mutex_lock(&queue->lock);
	if (!shows(queue))
		show(queue);
	queue->lost = true;
	pthread_mutex_unlock(&queue->lock);
}

void event_queue_destroy(struct event_queue *queue)
{
	UNCANCELLED;

	while (queue->head.next != &queue->head) {
		struct event_node *node = queue->head.next;

		node->prev->next = node->next;
		node->next->prev = node->prev;
		free(node);
	}
	close(queue->fd);
	close(queue->show_fd);
	pthread_mutex_destroy(&queue->lock);
}

/* The oldest event, with the queue locked; or NULL with errno set, and the queue not locked.  A
 * thread that is cancelled here has taken nothing. */
static struct event_node *wait_of(const struct context *context, struct event_queue *queue)
{
	char byte;

	if (context->inherited) /* the fd is the parent's too */
		return fail_null(ENODEV);

	for (;;) {
		struct event_node *node;
		bool lost;

		pthread_mutex_lock(&queue->lock);
		node = queue->head.next;
		if (node != &queue->head)
			return node;
		lost = queue->lost;
		pthread_mutex_unlock(&queue->lock);
		if (lost)
			return fail_null(ENODEV);
		if (recv(queue->fd, &byte, 1, MSG_PEEK) < 0)
			return NULL;
	}
}

/* ---------------------------------------------------------------- from the device */

/*
 * The CQ's first event, unless all it was raised for was polled before it came here.  First the
 * flag is set, then looked at what is polled; event_cq_polled() has them the other way round, so
 * one of the two finds an event that tells nothing new.  And the flag is set before the fd shows
 * the event: who polls the CQ because of that looks at it.
 *
 * Nothing is lost with the event: it was consumed, so the CQ's next arm is a new one for the
 * device, and notify_nothing_new() has done that arm.
 */
static void first_event(struct cq *cq)
{
	atomic_store(&cq->event_queued, true);
	if (notify_nothing_new(cq)) {
		cq->event.count = 0;
		atomic_store(&cq->event_queued, false);
	} else {
		event_queue_append(cq->queue, &cq->event);
	}
}

static void completion(void *arg, const struct cairn_event *event)
{
	struct cairn_cq *hw = event->object;
	struct cq *cq = hw ? hw->user : NULL;

	(void)arg;
	if (event->type != CAIRN_EQE_TYPE_CQ || !cq)
		return;
	pthread_mutex_lock(&cq->arm_lock);
	cairn_cq_event_consumed(hw);
	cq->events++;
	pthread_mutex_unlock(&cq->arm_lock);
	if (!cq->queue)
		return;
	pthread_mutex_lock(&cq->queue->lock);
	if (!cq->event.count++)
		first_event(cq);
	pthread_mutex_unlock(&cq->queue->lock);
}

/* The verbs event of an EQE; -1: there is none. */
static int async_type(uint32_t type)
{
	static const struct {
		uint8_t eqe, verbs;
	} map[] = {
		{ CAIRN_EQE_TYPE_QP_FATAL, IBV_EVENT_QP_FATAL },
		{ CAIRN_EQE_TYPE_QP_REQ_ERR, IBV_EVENT_QP_REQ_ERR },
		{ CAIRN_EQE_TYPE_QP_ACCESS_ERR, IBV_EVENT_QP_ACCESS_ERR },
		{ CAIRN_EQE_TYPE_COMM_EST, IBV_EVENT_COMM_EST },
		{ CAIRN_EQE_TYPE_SQ_DRAINED, IBV_EVENT_SQ_DRAINED },
		{ CAIRN_EQE_TYPE_LAST_WQE_REACHED, IBV_EVENT_QP_LAST_WQE_REACHED },
		{ CAIRN_EQE_TYPE_CQ_ERR, IBV_EVENT_CQ_ERR },
		{ CAIRN_EQE_TYPE_SRQ_LIMIT, IBV_EVENT_SRQ_LIMIT_REACHED },
		{ CAIRN_EQE_TYPE_SRQ_ERR, IBV_EVENT_SRQ_ERR },
		{ CAIRN_EQE_TYPE_PORT_ACTIVE, IBV_EVENT_PORT_ACTIVE },
		{ CAIRN_EQE_TYPE_PORT_ERR, IBV_EVENT_PORT_ERR },
		{ CAIRN_EQE_TYPE_GID_CHANGE, IBV_EVENT_GID_CHANGE },
		/* the nearest that verbs has: look at the addresses again */
		{ CAIRN_EQE_TYPE_ADDR_CONFLICT, IBV_EVENT_GID_CHANGE },
		{ CAIRN_EQE_TYPE_DEVICE_FATAL, IBV_EVENT_DEVICE_FATAL },
	};

	for (unsigned int i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (map[i].eqe == type)
			return map[i].verbs;
	return -1;
}

static void queue_async(struct context *context, uint32_t type, void *object)
{
	struct event_node *node = calloc(1, sizeof(*node));

	if (!node)
		return;
	node->type = type;
	node->object = object;
	pthread_mutex_lock(&context->async.lock);
	event_queue_append(&context->async, node);
	pthread_mutex_unlock(&context->async.lock);
}

static struct ibv_context *object_context(uint32_t type, void *user)
{
	switch (type) {
	case IBV_EVENT_CQ_ERR:
		return ((struct ibv_cq *)user)->context;
	case IBV_EVENT_SRQ_LIMIT_REACHED:
	case IBV_EVENT_SRQ_ERR:
		return ((struct ibv_srq *)user)->context;
	default:
		return ((struct ibv_qp *)user)->context;
	}
}

static void *object_user(uint32_t type, void *object)
{
	switch (type) {
	case IBV_EVENT_CQ_ERR:
		return ((struct cairn_cq *)object)->user;
	case IBV_EVENT_SRQ_LIMIT_REACHED:
	case IBV_EVENT_SRQ_ERR:
		return ((struct cairn_srq *)object)->user;
	default:
		return ((struct cairn_qp *)object)->user;
	}
}

static void async(void *arg, const struct cairn_event *event)
{
	int type = async_type(event->type);
	struct context *owner = NULL; /* else it is for all */
	struct nic *nic = arg;
	void *user = NULL;

	if (type < 0)
		return;
	if (event->object) {
		user = object_user((uint32_t)type, event->object);
		if (!user)
			return;
		owner = to_context(object_context((uint32_t)type, user));
	}
	/* The owner may be closed by now, and its memory not be there. */
	pthread_mutex_lock(&nic->contexts_lock);
	for (struct context *context = nic->contexts; context; context = context->next)
		if (!owner || context == owner)
			queue_async(context, (uint32_t)type, user);
	pthread_mutex_unlock(&nic->contexts_lock);
}

/* ---------------------------------------------------------------- the helper thread */

static void lose_queues(struct nic *nic)
{
	pthread_mutex_lock(&nic->contexts_lock);
	for (struct context *context = nic->contexts; context; context = context->next) {
		context->lost = true;
		for (struct channel *channel = context->channels; channel; channel = channel->next)
			event_queue_lose(channel->queue);
		event_queue_lose(&context->async);
	}
	pthread_mutex_unlock(&nic->contexts_lock);
}

static void *helper(void *arg)
{
	struct nic *nic = arg;
	unsigned int vectors = cairn_comp_vectors(nic->dev);
	struct pollfd fds[MAX_FDS];
	bool lost = false;

	fds[0].fd = nic->stop_fd;
	fds[1].fd = cairn_event_fd(nic->dev, CAIRN_VECTOR_ASYNC);
	for (unsigned int i = 0; i < vectors; i++)
		fds[2 + i].fd = cairn_event_fd(nic->dev, i);
	for (unsigned int i = 0; i < 2 + vectors; i++)
		fds[i].events = POLLIN;
	for (;;) {
		if (poll(fds, 2 + vectors, -1) < 0)
			continue;
		if (fds[0].revents)
			return NULL;
		/* A lost device's fds stay readable: they are looked at once more and no longer. */
		if (fds[1].revents &&
		    cairn_poll_events(nic->dev, CAIRN_VECTOR_ASYNC, async, nic) < 0)
			fds[1].fd = -1;
		for (unsigned int i = 0; i < vectors; i++)
			if (fds[2 + i].revents &&
			    cairn_poll_events(nic->dev, i, completion, nic) < 0)
				fds[2 + i].fd = -1;
		/* DEVICE_FATAL is in the queues by now, and the last completions. */
		if (fds[1].fd < 0 && !lost)
			lose_queues(nic);
		lost = fds[1].fd < 0;
	}
}

int event_helper_start(struct nic *nic)
{
	sigset_t all, before;
	int err;

	nic->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (nic->stop_fd < 0)
		return errno;
	/* Signals are the program's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&nic->helper, NULL, helper, nic);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		close(nic->stop_fd);
	return err;
}

void event_helper_stop(struct nic *nic)
{
	eventfd_write(nic->stop_fd, 1);
	pthread_join(nic->helper, NULL);
	close(nic->stop_fd);
}

/* ---------------------------------------------------------------- to the program */

struct ibv_comp_channel *event_channel_create(struct ibv_context *ctx)
{
	struct channel *channel = calloc(1, sizeof(*channel));
	struct context *context = to_context(ctx);
	int err = context_usable(ctx);

	if (!channel)
		err = ENOMEM;
	if (err)
		goto err_free;
	channel->queue = calloc(1, sizeof(*channel->queue));
	err = channel->queue ? event_queue_init(channel->queue) : ENOMEM;
	if (err)
		goto err_queue;
	channel->ibv.context = ctx;
	channel->ibv.fd = channel->queue->fd;
	pthread_mutex_lock(&context->nic->contexts_lock);
	channel->next = context->channels;
	context->channels = channel;
	if (context->lost)
		event_queue_lose(channel->queue);
	pthread_mutex_unlock(&context->nic->contexts_lock);
	return &channel->ibv;

err_queue:
	free(channel->queue);
err_free:
	free(channel);
	return fail_null(err);
}

int event_channel_destroy(struct ibv_comp_channel *ibv)
{
	struct channel *channel = (struct channel *)ibv, **at;
	struct context *context = to_context(ibv->context);
	int busy = context_usable(ibv->context);

	if (busy)
		return busy;
	pthread_mutex_lock(&ibv->context->mutex);
	busy = ibv->refcnt;
	pthread_mutex_unlock(&ibv->context->mutex);
	if (busy)
		return EBUSY;
	pthread_mutex_lock(&context->nic->contexts_lock);
	for (at = &context->channels; *at && *at != channel; at = &(*at)->next)
		;
	if (*at)
		*at = channel->next;
	pthread_mutex_unlock(&context->nic->contexts_lock);
	event_queue_destroy(channel->queue);
	free(channel->queue);
	free(channel);
	return 0;
}

/* One event of the CQ less. */
static void take_event(struct cq *cq)
{
	event_queue_remove(cq->queue, &cq->event);
	if (--cq->event.count)
		event_queue_append(cq->queue, &cq->event);
	else
		atomic_store(&cq->event_queued, false);
}

/* With the queue locked.  True: there was one event, and it told nothing new. */
static bool drop_stale(struct cq *cq)
{
	if (!notify_nothing_new(cq))
		return false;
	take_event(cq);
	return true;
}

void event_cq_polled(struct cq *cq)
{
	if (!cq->queue)
		return;
	/* Changes nothing; makes all see what was polled before the flag is read: first_event(). */
	atomic_fetch_add(&cq->polled, 0);
	if (!atomic_load(&cq->event_queued))
		return;
	pthread_mutex_lock(&cq->queue->lock);
	drop_stale(cq);
	pthread_mutex_unlock(&cq->queue->lock);
}

int event_get_cq(struct ibv_comp_channel *ibv, struct ibv_cq **out, void **user)
{
	struct event_queue *queue = ((struct channel *)ibv)->queue;
	struct event_node *node;
	struct cq *cq;

	for (;;) {
		node = wait_of(to_context(ibv->context), queue);
		if (!node)
			return -1;
		cq = node->object;
		if (!drop_stale(cq))
			break;
		pthread_mutex_unlock(&queue->lock);
	}
	take_event(cq);
	drop_stale(cq); /* of several, the last one was not looked at before */
	cq->comp_events++;
	*out = &cq->ibv;
	*user = cq->ibv.cq_context;
	pthread_mutex_unlock(&queue->lock);
	return 0;
}

/* How many events of its object the program was given: what it has to acknowledge. */
static uint32_t *async_counter(uint32_t type, void *object)
{
	switch (type) {
	case IBV_EVENT_CQ_ERR:
		return &((struct cq *)object)->async_events;
	case IBV_EVENT_SRQ_LIMIT_REACHED:
	case IBV_EVENT_SRQ_ERR:
		return &((struct srq *)object)->async_events;
	default:
		return &((struct qp *)object)->async_events;
	}
}

int event_get_async(struct ibv_context *ctx, struct ibv_async_event *event)
{
	struct event_queue *queue = &to_context(ctx)->async;
	struct event_node *node;

	node = wait_of(to_context(ctx), queue);
	if (!node)
		return -1;
	event->event_type = node->type;
	if (node->object) {
		event->element.qp = node->object;
		++*async_counter(node->type, node->object);
	} else {
		event->element.port_num = PORT;
	}
	event_queue_remove(queue, node);
	pthread_mutex_unlock(&queue->lock);
	free(node);
	return 0;
}

void event_forget_async(struct context *context, const void *object)
{
	struct event_queue *queue = &context->async;
	struct event_node *node, *next;

	pthread_mutex_lock(&queue->lock);
	for (node = queue->head.next; node != &queue->head; node = next) {
		next = node->next;
		if (node->object == object) {
			event_queue_remove(queue, node);
			free(node);
		}
	}
	pthread_mutex_unlock(&queue->lock);
}

void event_forget_cq(struct cq *cq)
{
	if (!cq->queue)
		return;
	pthread_mutex_lock(&cq->queue->lock);
	if (cq->event.count)
		event_queue_remove(cq->queue, &cq->event);
	cq->event.count = 0;
	pthread_mutex_unlock(&cq->queue->lock);
}
