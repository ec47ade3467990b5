// SPDX-License-Identifier: Apache-2.0
/* Completion and async events: what the fds of channels and contexts tell, and which events a
 * program never sees. */
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "provider_test.h"
#include "queue.h"

/* The fd of a channel is readable exactly while an event is there for it. */
static void completion_events(void **state)
{
	struct bench *b = *state;
	struct ibv_comp_channel *channel = ibv_create_comp_channel(b->ctx);
	struct ibv_cq *cq[2], *got;
	void *user;

	for (int i = 0; i < 2; i++)
		cq[i] = ibv_create_cq(b->ctx, 10, &cq[i], channel, i);
	assert_int_equal(ibv_destroy_comp_channel(channel), EBUSY);
	assert_int_equal(ibv_req_notify_cq(cq[0], 0), 0);
	assert_int_equal(fakes[0].last_db_offset % 4096, CAIRN_DB_CQ_ARM);
	assert_false(readable(channel->fd, 0));
	completion_event((struct cq *)cq[0]);
	assert_true(readable(channel->fd, 1000));
	assert_int_equal(ibv_get_cq_event(channel, &got, &user), 0);
	assert_ptr_equal(got, cq[0]);
	assert_ptr_equal(user, &cq[0]);
	assert_false(readable(channel->fd, 0));
	assert_int_equal(((struct cq *)cq[0])->hw->arm_seq, 1);
	fcntl(channel->fd, F_SETFL, O_NONBLOCK);
	assert_int_equal(ibv_get_cq_event(channel, &got, &user), -1);
	assert_int_equal(errno, EAGAIN);
	/* An event that nobody fetched goes with its CQ. */
	completion_event((struct cq *)cq[1]);
	assert_true(readable(channel->fd, 1000));
	assert_int_equal(ibv_destroy_cq(cq[1]), 0);
	assert_false(readable(channel->fd, 0));
	ibv_ack_cq_events(cq[0], 1);
	assert_int_equal(ibv_destroy_cq(cq[0]), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
}

static void next_completion(struct bench *own, uint64_t wr_id)
{
	struct ibv_sge sge = { 0, 1, 1 };
	struct ibv_send_wr wr = { .wr_id = wr_id, .sg_list = &sge, .num_sge = 1 }, *bad;
	uint32_t at = own->qp->hw->sq_pi;

	assert_int_equal(ibv_post_send(&own->qp->ibv, &wr, &bad), 0);
	bench_send_cqe(own, own->qp, at, 0);
}

/* A CQ with a channel, and a completion in it that nobody polled. */
static void one_completion(struct bench *own, struct ibv_comp_channel *channel, uint64_t wr_id)
{
	if (!own->pi) {
		own->cq = ibv_create_cq(own->ctx, 10, NULL, channel, 0);
		own->qp = bench_qp(own, NULL);
	}
	next_completion(own, wr_id);
}

/* The event that the device raises at once for what was there at the arm is worth nothing after
 * that was polled: the program never sees it, and the CQ is armed. */
static void events_without_news(void **state)
{
	struct bench *b = *state, own = *b;
	struct ibv_comp_channel *channel = ibv_create_comp_channel(b->ctx);
	struct ibv_cq *got;
	struct ibv_wc wc[2];
	uint64_t armed;
	void *user;

	own.pi = 0;
	fcntl(channel->fd, F_SETFL, O_NONBLOCK);
	one_completion(&own, channel, 1);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	completion_event((struct cq *)own.cq);
	assert_true(readable(channel->fd, 1000));
	/* The program does not look behind the one it polls. */
	assert_int_equal(ibv_poll_cq(own.cq, 1, wc), 1);
	assert_false(readable(channel->fd, 0));
	assert_int_equal(ibv_get_cq_event(channel, &got, &user), -1);
	assert_int_equal(errno, EAGAIN);
	armed = cairn_db_word(own.cq->handle, 1) | CAIRN_PUT(CAIRN_DOORBELL_WORD_ARM_SEQ, 1);
	assert_int_equal(fakes[0].last_db, armed);
	/* The next one does come, though it is polled before it is fetched. */
	one_completion(&own, channel, 2);
	completion_event((struct cq *)own.cq);
	assert_true(readable(channel->fd, 1000));
	assert_int_equal(ibv_poll_cq(own.cq, 2, wc), 1);
	assert_int_equal(ibv_get_cq_event(channel, &got, &user), 0);
	/* The program sees the CQ empty: the fd is quiet at once. */
	one_completion(&own, channel, 3);
	assert_int_equal(ibv_req_notify_cq(own.cq, 1), 0);
	completion_event((struct cq *)own.cq);
	assert_true(readable(channel->fd, 1000));
	assert_int_equal(ibv_poll_cq(own.cq, 2, wc), 1);
	assert_false(readable(channel->fd, 0));
	armed = cairn_db_word(own.cq->handle, 3) | CAIRN_DOORBELL_WORD_SOLICITED |
		CAIRN_PUT(CAIRN_DOORBELL_WORD_ARM_SEQ, 3);
	assert_int_equal(fakes[0].last_db, armed);
	/* One that is there and one that came after: there is news. */
	one_completion(&own, channel, 4);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	completion_event((struct cq *)own.cq);
	one_completion(&own, channel, 5);
	assert_true(readable(channel->fd, 1000));
	assert_int_equal(ibv_poll_cq(own.cq, 2, wc), 2);
	assert_int_equal(ibv_get_cq_event(channel, &got, &user), 0);
	/* Not all was polled: the event stands. */
	one_completion(&own, channel, 6);
	one_completion(&own, channel, 7);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	completion_event((struct cq *)own.cq);
	assert_true(readable(channel->fd, 1000));
	assert_int_equal(ibv_poll_cq(own.cq, 1, wc), 1);
	assert_int_equal(ibv_get_cq_event(channel, &got, &user), 0);
	ibv_ack_cq_events(own.cq, 3);
	assert_int_equal(ibv_destroy_qp(&own.qp->ibv), 0);
	assert_int_equal(ibv_destroy_cq(own.cq), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
}

/* Waits until the helper thread is through with the events raised so far, all of one vector: it
 * takes them in order, and this is one of a CQ with a channel of its own. */
static void events_taken(struct ibv_cq *marker)
{
	struct ibv_cq *got;
	void *user;

	completion_event((struct cq *)marker);
	assert_int_equal(ibv_get_cq_event(marker->channel, &got, &user), 0);
	assert_ptr_equal(got, marker);
	ibv_ack_cq_events(marker, 1);
}

/* [0]: of the CQ that is looked at, [1]: of the marker, which is returned */
static struct ibv_cq *two_channels(const struct bench *b, struct ibv_comp_channel *channel[2])
{
	channel[0] = ibv_create_comp_channel(b->ctx);
	channel[1] = ibv_create_comp_channel(b->ctx);
	return ibv_create_cq(b->ctx, 10, NULL, channel[1], 0);
}

static void destroy_two(const struct bench *own, struct ibv_cq *marker,
			struct ibv_comp_channel *channel[2])
{
	assert_int_equal(ibv_destroy_qp(&own->qp->ibv), 0);
	assert_int_equal(ibv_destroy_cq(own->cq) | ibv_destroy_cq(marker), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel[0]), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel[1]), 0);
}

static void poll_all(struct bench *own)
{
	struct ibv_wc wc;

	assert_int_equal(ibv_poll_cq(own->cq, 1, &wc), 1);
	assert_int_equal(ibv_poll_cq(own->cq, 1, &wc), 0);
}

static uint64_t arm_word(const struct bench *own, uint32_t index, uint32_t seq)
{
	return cairn_db_word(own->cq->handle, index) | CAIRN_PUT(CAIRN_DOORBELL_WORD_ARM_SEQ, seq);
}

/* An event that comes after the program has polled all it was raised for never shows, and the CQ is
 * armed; what came after the program's arm is told. */
static void late_event_without_news(void **state)
{
	struct bench *b = *state, own = *b;
	struct ibv_comp_channel *channel[2];
	struct ibv_cq *marker = two_channels(b, channel), *got;
	void *user;

	own.pi = 0;
	one_completion(&own, channel[0], 1);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	poll_all(&own);
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	assert_false(readable(channel[0]->fd, 0));
	assert_int_equal(fakes[0].last_arm, arm_word(&own, 1, 1));
	/* Nor does one more that was under way already. */
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	assert_false(readable(channel[0]->fd, 0));
	assert_int_equal(fakes[0].last_arm, arm_word(&own, 1, 2));
	/* It waits for this one, which is polled before its event comes. */
	one_completion(&own, channel[0], 2);
	poll_all(&own);
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	assert_true(readable(channel[0]->fd, 0));
	assert_int_equal(ibv_get_cq_event(channel[0], &got, &user), 0);
	assert_ptr_equal(got, own.cq);
	ibv_ack_cq_events(own.cq, 1);
	destroy_two(&own, marker, channel);
}

/* Of two events the first stands; when it is fetched, the other one tells nothing new. */
static void last_event_without_news(void **state)
{
	struct bench *b = *state, own = *b;
	struct ibv_comp_channel *channel[2];
	struct ibv_cq *marker = two_channels(b, channel), *got;
	void *user;

	own.pi = 0;
	one_completion(&own, channel[0], 1);
	poll_all(&own);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	one_completion(&own, channel[0], 2);
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	poll_all(&own);
	assert_int_equal(ibv_get_cq_event(channel[0], &got, &user), 0);
	assert_false(readable(channel[0]->fd, 0));
	assert_int_equal(fakes[0].last_arm, arm_word(&own, 2, 2));
	ibv_ack_cq_events(own.cq, 1);
	destroy_two(&own, marker, channel);
}

/* An event that the fd shows stays, when the CQ is armed again before its entry is polled. */
static void event_survives_next_arm(void **state)
{
	struct bench *b = *state, own = *b;
	struct ibv_comp_channel *channel[2];
	struct ibv_cq *marker = two_channels(b, channel), *got;
	void *user;

	own.pi = 0;
	one_completion(&own, channel[0], 1);
	poll_all(&own);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	next_completion(&own, 2);
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	assert_true(readable(channel[0]->fd, 0));
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	poll_all(&own);
	assert_true(readable(channel[0]->fd, 0));
	assert_int_equal(ibv_get_cq_event(channel[0], &got, &user), 0);
	assert_ptr_equal(got, own.cq);
	assert_false(readable(channel[0]->fd, 0));
	/* What the device tells of the second arm, at once, is nothing new. */
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	assert_false(readable(channel[0]->fd, 0));
	assert_int_equal(fakes[0].last_arm, arm_word(&own, 2, 2));
	ibv_ack_cq_events(own.cq, 1);
	destroy_two(&own, marker, channel);
}

/* Arms while the event of the first is under way change nothing: it was raised by an entry that
 * came after it.  Who asked for any completion gets that, whatever was asked for later. */
static void arms_before_the_event(void **state)
{
	struct bench *b = *state, own = *b;
	struct ibv_comp_channel *channel[2];
	struct ibv_cq *marker = two_channels(b, channel), *got;
	void *user;

	own.pi = 0;
	one_completion(&own, channel[0], 1);
	poll_all(&own);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	next_completion(&own, 2);
	assert_int_equal(ibv_req_notify_cq(own.cq, 1), 0);
	/* the device may see this one only: not solicited */
	assert_int_equal(fakes[0].last_arm, arm_word(&own, 1, 0));
	poll_all(&own);
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	assert_true(readable(channel[0]->fd, 0));
	assert_int_equal(ibv_get_cq_event(channel[0], &got, &user), 0);
	assert_ptr_equal(got, own.cq);
	/* Raised by what was there at the first of them: nothing new, and any is asked for
	 * again. */
	next_completion(&own, 3);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	poll_all(&own);
	assert_int_equal(ibv_req_notify_cq(own.cq, 1), 0);
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	assert_false(readable(channel[0]->fd, 0));
	assert_int_equal(fakes[0].last_arm, arm_word(&own, 3, 2));
	/* The same after the drop: that arm is in force. */
	next_completion(&own, 4);
	assert_int_equal(ibv_req_notify_cq(own.cq, 1), 0);
	poll_all(&own);
	completion_event((struct cq *)own.cq);
	events_taken(marker);
	assert_int_equal(ibv_get_cq_event(channel[0], &got, &user), 0);
	ibv_ack_cq_events(own.cq, 2);
	destroy_two(&own, marker, channel);
}

/* The CQ was armed again for the program; with the event of that nothing is armed. */
static void answer_arm(struct bench *own, struct ibv_cq *marker)
{
	struct ibv_cq *got;
	void *user;

	next_completion(own, 0);
	poll_all(own);
	completion_event((struct cq *)own->cq);
	events_taken(marker);
	assert_int_equal(ibv_get_cq_event(own->cq->channel, &got, &user), 0);
	ibv_ack_cq_events(own->cq, 1);
}

/* The fd is quiet after the iterator was ended at the last entry, and before it is ended when it
 * came to none. */
static void event_of_extended_poll(void **state)
{
	struct bench *b = *state, own = *b;
	struct ibv_comp_channel *channel[2];
	struct ibv_cq *marker = two_channels(b, channel);
	struct ibv_cq_init_attr_ex init = { .cqe = 10,
					    .channel = channel[0],
					    .wc_flags = IBV_WC_STANDARD_FLAGS };
	struct ibv_cq_ex *ex = ibv_create_cq_ex(b->ctx, &init);
	struct ibv_poll_cq_attr attr = { 0 };

	own.pi = 0;
	own.cq = ibv_cq_ex_to_cq(ex);
	own.qp = bench_qp(&own, NULL);
	for (uint64_t i = 0; i < 2; i++) {
		next_completion(&own, i);
		assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
		completion_event((struct cq *)own.cq);
		events_taken(marker);
		assert_true(readable(channel[0]->fd, 0));
		assert_int_equal(ibv_start_poll(ex, &attr), 0);
		if (i) {
			assert_int_equal(ibv_next_poll(ex), ENOENT);
			assert_false(readable(channel[0]->fd, 0));
		}
		ibv_end_poll(ex);
		assert_false(readable(channel[0]->fd, 0));
		answer_arm(&own, marker);
	}
	destroy_two(&own, marker, channel);
}

static void *poll_one(void *cq)
{
	struct ibv_wc wc;

	ibv_poll_cq(cq, 1, &wc);
	return NULL;
}

/* The helper thread is stopped before it looks at what was polled: the poller is told of the event
 * already, so whatever is polled from here on, one of the two looks after it. */
static void event_flagged_before_look(void **state)
{
	struct bench *b = *state, own = *b;
	struct ibv_comp_channel *channel[2];
	struct ibv_cq *marker = two_channels(b, channel);
	bool consumed = false, flagged;
	pthread_t thread;
	struct cq *cq;

	own.pi = 0;
	one_completion(&own, channel[0], 1);
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	cq = (struct cq *)own.cq;
	pthread_mutex_lock(&cq->queue->lock);
	completion_event(cq);
	while (!consumed) {
		pthread_mutex_lock(&cq->arm_lock);
		consumed = cq->hw->arm_seq == 1;
		if (!consumed)
			pthread_mutex_unlock(&cq->arm_lock);
		usleep(100);
	}
	pthread_mutex_unlock(&cq->queue->lock);
	for (int i = 0; i < 20000 && !atomic_load(&cq->event_queued); i++)
		usleep(100);
	flagged = atomic_load(&cq->event_queued);
	assert_int_equal(pthread_create(&thread, NULL, poll_one, own.cq), 0);
	while (!atomic_load(&cq->polled))
		usleep(100);
	pthread_mutex_unlock(&cq->arm_lock);
	pthread_join(thread, NULL);
	assert_true(flagged);
	events_taken(marker);
	assert_false(readable(channel[0]->fd, 0));
	destroy_two(&own, marker, channel);
}

static void *acknowledge(void *arg)
{
	usleep(20000);
	ibv_ack_async_event(arg);
	return NULL;
}

static void async_events(void **state)
{
	struct bench *b = *state;
	struct qp *qp = bench_qp(b, NULL);
	struct ibv_context *second = ibv_open_device(b->ctx->device);
	struct ibv_async_event event;
	pthread_t thread;

	fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_PORT_ACTIVE, 1, 0);
	assert_int_equal(ibv_get_async_event(second, &event), 0);
	assert_int_equal(event.event_type, IBV_EVENT_PORT_ACTIVE);
	assert_int_equal(event.element.port_num, 1);
	assert_int_equal(ibv_get_async_event(b->ctx, &event), 0);
	fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_QP_ACCESS_ERR, qp->ibv.qp_num, 0);
	assert_true(readable(b->ctx->async_fd, 1000));
	assert_false(readable(second->async_fd, 0));
	assert_int_equal(ibv_get_async_event(b->ctx, &event), 0);
	assert_int_equal(event.event_type, IBV_EVENT_QP_ACCESS_ERR);
	assert_ptr_equal(event.element.qp, &qp->ibv);
	/* The QP lives until the event is acknowledged. */
	assert_int_equal(pthread_create(&thread, NULL, acknowledge, &event), 0);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
	pthread_join(thread, NULL);
	assert_int_equal(ibv_close_device(second), 0);
}

static const struct {
	uint8_t eqe, verbs;
	char object; /* of the event: (q)p, (c)q, (s)rq, (p)ort, (d)evice */
} async_map[] = {
	{ CAIRN_EQE_TYPE_QP_FATAL, IBV_EVENT_QP_FATAL, 'q' },
	{ CAIRN_EQE_TYPE_QP_REQ_ERR, IBV_EVENT_QP_REQ_ERR, 'q' },
	{ CAIRN_EQE_TYPE_QP_ACCESS_ERR, IBV_EVENT_QP_ACCESS_ERR, 'q' },
	{ CAIRN_EQE_TYPE_COMM_EST, IBV_EVENT_COMM_EST, 'q' },
	{ CAIRN_EQE_TYPE_SQ_DRAINED, IBV_EVENT_SQ_DRAINED, 'q' },
	{ CAIRN_EQE_TYPE_LAST_WQE_REACHED, IBV_EVENT_QP_LAST_WQE_REACHED, 'q' },
	{ CAIRN_EQE_TYPE_CQ_ERR, IBV_EVENT_CQ_ERR, 'c' },
	{ CAIRN_EQE_TYPE_SRQ_LIMIT, IBV_EVENT_SRQ_LIMIT_REACHED, 's' },
	{ CAIRN_EQE_TYPE_SRQ_ERR, IBV_EVENT_SRQ_ERR, 's' },
	{ CAIRN_EQE_TYPE_PORT_ACTIVE, IBV_EVENT_PORT_ACTIVE, 'p' },
	{ CAIRN_EQE_TYPE_PORT_ERR, IBV_EVENT_PORT_ERR, 'p' },
	{ CAIRN_EQE_TYPE_GID_CHANGE, IBV_EVENT_GID_CHANGE, 'p' },
	{ CAIRN_EQE_TYPE_ADDR_CONFLICT, IBV_EVENT_GID_CHANGE, 'p' },
	{ CAIRN_EQE_TYPE_DEVICE_FATAL, IBV_EVENT_DEVICE_FATAL, 'd' },
};

/* Each names its object, waits to be acknowledged, and is told by libibverbs's own names. */
static void all_async_events(void **state)
{
	struct bench *b = *state;
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct ibv_srq *srq = ibv_create_srq(b->pd, &init);
	struct ibv_async_event event;

	for (unsigned int i = 0; i < sizeof(async_map) / sizeof(async_map[0]); i++) {
		uint32_t number = 1;
		void *object = NULL;

		switch (async_map[i].object) {
		case 'q':
			object = &b->qp->ibv;
			number = b->qp->ibv.qp_num;
			break;
		case 'c':
			object = b->cq;
			number = b->cq->handle;
			break;
		case 's':
			object = srq;
			number = srq->handle;
		}
		fake_event(&fakes[0], CAIRN_EQN_ASYNC, async_map[i].eqe, number, 0);
		assert_int_equal(ibv_get_async_event(b->ctx, &event), 0);
		assert_int_equal(event.event_type, async_map[i].verbs);
		if (object)
			assert_ptr_equal(event.element.qp, object);
		else
			assert_int_equal(event.element.port_num, PORT);
		assert_string_not_equal(ibv_event_type_str(event.event_type), "unknown");
		ibv_ack_async_event(&event);
	}
	/* Of an object that is no more, or of a kind unknown here: nothing. */
	fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_SRQ_LIMIT, srq->handle + 1, 0);
	fake_event(&fakes[0], CAIRN_EQN_ASYNC, 200, 1, 0);
	/* One that nobody fetched goes with its object. */
	fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_SRQ_LIMIT, srq->handle, 0);
	assert_true(readable(b->ctx->async_fd, 1000));
	assert_int_equal(ibv_destroy_srq(srq), 0);
	assert_false(readable(b->ctx->async_fd, 0));
}

static void *destroy(void *cq)
{
	return (void *)(intptr_t)ibv_destroy_cq(cq);
}

/* As if the event of the last arm had come just now. */
static bool answered_and_stale(struct cq *cq)
{
	cq->events = cq->armed.event;
	return notify_nothing_new(cq);
}

/* Who waits at the channel may look at an event of a CQ that another thread destroys. */
static void event_of_closing(void **state)
{
	struct bench *b = *state, own = *b;
	struct ibv_comp_channel *channel = ibv_create_comp_channel(b->ctx);
	struct ibv_wc wc;
	struct cq *cq;
	pthread_t thread;
	void *result;

	own.pi = 0;
	one_completion(&own, channel, 1);
	cq = (struct cq *)own.cq;
	assert_int_equal(ibv_req_notify_cq(own.cq, 0), 0);
	assert_int_equal(ibv_poll_cq(own.cq, 1, &wc), 1);
	assert_int_equal(ibv_destroy_qp(&own.qp->ibv), 0);
	pthread_mutex_lock(&cq->queue->lock);
	cq->event.count = 1;
	assert_int_equal(pthread_create(&thread, NULL, destroy, cq), 0);
	while (answered_and_stale(cq)) /* until it has begun */
		sched_yield();
	for (int i = 0; i < 200; i++) { /* it waits for the lock in the end, the ring freed */
		assert_false(answered_and_stale(cq));
		usleep(100);
	}
	cq->event.count = 0;
	pthread_mutex_unlock(&cq->queue->lock);
	assert_int_equal(pthread_join(thread, &result), 0);
	assert_null(result);
	assert_false(readable(channel->fd, 0));
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(completion_events),	     BENCH_TEST(events_without_news),
		BENCH_TEST(late_event_without_news), BENCH_TEST(last_event_without_news),
		BENCH_TEST(event_of_extended_poll),  BENCH_TEST(event_flagged_before_look),
		BENCH_TEST(event_survives_next_arm), BENCH_TEST(arms_before_the_event),
		BENCH_TEST(event_of_closing),	     BENCH_TEST(async_events),
		BENCH_TEST(all_async_events),
	};

	return cmocka_run_group_tests_name("test_events", tests, NULL, NULL);
}
