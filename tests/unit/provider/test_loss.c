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

static void fill(struct bench *own, struct ibv_comp_channel *channel)
{
	struct ibv_qp_init_attr ud = { .qp_type = IBV_QPT_UD, .cap = { 4, 4, 1, 1, 0 } };
	struct ibv_srq_init_attr shared = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct ibv_ah_attr to = { .is_global = 1, .port_num = PORT, .grh.dgid.raw[15] = 9 };
	union ibv_gid group = { .raw = { 0xff, 2, [15] = 1 } };
	static uint8_t memory[4096];
	struct ibv_qp *qp;

	own->pd = ibv_alloc_pd(own->ctx);
	own->cq = ibv_create_cq(own->ctx, 10, NULL, channel, 0);
	own->qp = bench_qp(own, ibv_create_srq(own->pd, &shared));
	ud.send_cq = ud.recv_cq = own->cq;
	qp = ibv_create_qp(own->pd, &ud);
	assert_int_equal(ibv_attach_mcast(qp, &group, 0), 0);
	assert_non_null(ibv_reg_mr(own->pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE));
	assert_non_null(ibv_alloc_mw(own->pd, IBV_MW_TYPE_1));
	assert_non_null(ibv_create_ah(own->pd, &to));
}

static unsigned int objects_of_device(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < FAKE_NUMBERS; i++)
		n += fakes[0].qps[i].live + fakes[0].cqs[i].live + fakes[0].srqs[i].live +
		     fakes[0].mrs[i].live;
	return n;
}

/* A context is closed with all it has, while another one keeps the device open: the device has
 * nothing of it afterwards, whatever the program has not acknowledged, and what is told of it still
 * goes nowhere. */
static void close_with_objects(void **state)
{
	struct bench *b = *state, own = { .ctx = bench_context() };
	struct ibv_comp_channel *channel = ibv_create_comp_channel(b->ctx);
	struct ibv_cq *marker = ibv_create_cq(b->ctx, 10, NULL, channel, 0), *got;
	unsigned int before = objects_of_device();
	struct ibv_async_event event;
	uint32_t qpn;
	void *user;

	fill(&own, NULL);
	assert_int_equal(objects_of_device(), before + 6);
	qpn = own.qp->ibv.qp_num;
	for (int i = 0; i < 2; i++)
		fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_QP_ACCESS_ERR, qpn, 0);
	fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_CQ_ERR, own.cq->handle, 0);
	assert_int_equal(ibv_get_async_event(own.ctx, &event), 0);
	assert_int_equal(ibv_close_device(own.ctx), 0);
	assert_int_equal(objects_of_device(), before);
	fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_QP_ACCESS_ERR, qpn, 0);
	fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_PORT_ACTIVE, 1, 0);
	assert_int_equal(ibv_get_async_event(b->ctx, &event), 0);
	assert_int_equal(event.event_type, IBV_EVENT_PORT_ACTIVE);
	completion_event((struct cq *)marker);
	assert_int_equal(ibv_get_cq_event(channel, &got, &user), 0);
	ibv_ack_cq_events(marker, 1);
	assert_int_equal(ibv_destroy_cq(marker), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
}

/* The device tells of an object that could not be destroyed: nobody is there to hear it. */
static void event_of_closed_context(void **state)
{
	struct bench *b = *state, own = { .ctx = bench_context() };
	struct ibv_async_event event;
	uint32_t cqn;
	struct cq *cq;

	own.cq = ibv_create_cq(own.ctx, 10, NULL, NULL, 0);
	cq = (struct cq *)own.cq;
	cqn = own.cq->handle;
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_BUSY;
	assert_int_equal(ibv_close_device(own.ctx), 0);
	fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_CQ_ERR, cqn, 0);
	fake_event(&fakes[0], CAIRN_EQN_ASYNC, CAIRN_EQE_TYPE_PORT_ACTIVE, 1, 0);
	assert_int_equal(ibv_get_async_event(b->ctx, &event), 0);
	assert_int_equal(event.event_type, IBV_EVENT_PORT_ACTIVE);
	assert_int_equal(cairn_destroy_cq(cq->hw), 0);
	free(cq);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(waits_end),
		BENCH_TEST(open_after_loss),
		BENCH_TEST(close_with_objects),
		BENCH_TEST(event_of_closed_context),
	};

	return cmocka_run_group_tests_name("test_loss", tests, NULL, NULL);
}
