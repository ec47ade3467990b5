// SPDX-License-Identifier: Apache-2.0
/* What is left to a program when its device is gone or its context is closed. */
#include <unistd.h>

#include "provider_test.h"
#include "queue.h"

struct waiter {
	struct ibv_comp_channel *channel;
	atomic_bool done;
	int result, error;
};

static void *wait_at_channel(void *arg)
{
	struct waiter *w = arg;
	struct ibv_cq *cq;
	void *user;

	w->result = ibv_get_cq_event(w->channel, &cq, &user);
	w->error = errno;
	atomic_store(&w->done, true);
	return NULL;
}

static bool comes_true(atomic_bool *what)
{
	for (int i = 0; i < 20000 && !atomic_load(what); i++)
		usleep(100);
	return atomic_load(what);
}

static void no_event_any_more(struct ibv_comp_channel *channel)
{
	struct ibv_cq *cq;
	void *user;

	assert_true(readable(channel->fd, 1000));
	assert_int_equal(ibv_get_cq_event(channel, &cq, &user), -1);
	assert_int_equal(errno, ENODEV);
	assert_true(readable(channel->fd, 0));
}

/* Nobody waits for a lost device: what was raised is still told, then all waits end, those of
 * channels that are made afterwards too. */
static void waits_end(void **state)
{
	struct bench *b = *state;
	struct ibv_comp_channel *channel = ibv_create_comp_channel(b->ctx), *other, *late;
	struct ibv_cq *cq = ibv_create_cq(b->ctx, 10, NULL, channel, 0), *got;
	struct ibv_async_event event;
	struct waiter waiter = { 0 };
	struct ibv_port_attr port;
	pthread_t thread;
	void *user;

	completion_event((struct cq *)cq);
	assert_true(readable(channel->fd, 1000));
	waiter.channel = other = ibv_create_comp_channel(b->ctx);
	assert_int_equal(pthread_create(&thread, NULL, wait_at_channel, &waiter), 0);
	usleep(5000); /* it waits, or is about to: the end is the same */
	fakes[0].die_at = 0;
	assert_int_not_equal(ibv_query_port(b->ctx, 1, &port), 0);
	assert_true(comes_true(&waiter.done));
	pthread_join(thread, NULL);
	assert_int_equal(waiter.result, -1);
	assert_int_equal(waiter.error, ENODEV);
	no_event_any_more(other);
	assert_int_equal(ibv_get_cq_event(channel, &got, &user), 0);
	assert_ptr_equal(got, cq);
	ibv_ack_cq_events(cq, 1);
	no_event_any_more(channel);
	late = ibv_create_comp_channel(b->ctx);
	no_event_any_more(late);
	assert_int_equal(ibv_get_async_event(b->ctx, &event), 0);
	assert_int_equal(event.event_type, IBV_EVENT_DEVICE_FATAL);
	ibv_ack_async_event(&event);
	assert_true(readable(b->ctx->async_fd, 0));
	assert_int_equal(ibv_get_async_event(b->ctx, &event), -1);
	assert_int_equal(errno, ENODEV);
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
	assert_int_equal(ibv_destroy_comp_channel(other), 0);
	assert_int_equal(ibv_destroy_comp_channel(late), 0);
}

/* A lost device can be opened again only when all its contexts are closed. */
static void open_after_loss(void **state)
{
	struct bench *b = *state;
	struct ibv_context *second = bench_context();
	struct ibv_port_attr port;

	assert_non_null(second);
	assert_int_equal(ibv_close_device(second), 0);
	fakes[0].die_at = 0;
	assert_int_not_equal(ibv_query_port(b->ctx, 1, &port), 0);
	assert_null(bench_context());
	assert_int_equal(errno, ENODEV);
	assert_non_null(strstr(cairn_last_error(), "lost"));
	assert_int_equal(ibv_destroy_qp(&b->qp->ibv), 0);
	assert_int_equal(ibv_destroy_cq(b->cq), 0);
	assert_int_equal(ibv_dealloc_pd(b->pd), 0);
	assert_int_equal(ibv_close_device(b->ctx), 0);
	b->ctx = bench_context();
	assert_non_null(b->ctx);
	assert_int_equal(ibv_query_port(b->ctx, 1, &port), 0);
	assert_int_equal(bench_objects(b), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(waits_end),
		BENCH_TEST(open_after_loss),
	};

	return cmocka_run_group_tests_name("test_loss", tests, NULL, NULL);
}
