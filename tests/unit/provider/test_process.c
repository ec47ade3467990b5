// SPDX-License-Identifier: Apache-2.0
/*
 * Verbs beside what a program does to its process, on the software device: threads that are
 * cancelled within calls, and forks while other threads are in calls.  tests/programs/own/process.c
 * has the same on the simulator's sockets, and exec and dlclose.
 */
#include <fcntl.h>
#include <signal.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../programs/own/walk.h"
#include "provider_test.h"

/* A thread that is cancelled leaves marks of its frames, which this sanitizer would
 * stumble over. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "use_sigaltstack=0";
}

/* ---------------------------------------------------------------- cancellation */

static const char *failed;

/* From here on the next cancellation point ends the thread. */
static void cancel_myself(void)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_cancel(pthread_self());
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
}

static void *walker(void *arg)
{
	struct ibv_context *ctx;
	struct ibv_device **list;
	struct walk w;
	int n;

	(void)arg;
	failed = "a call was a cancellation point";
	cancel_myself();
	list = ibv_get_device_list(&n);
	if (list)
		ibv_free_device_list(list);
	ctx = bench_context();
	if (!ctx)
		return NULL;
	failed = walk_open(&w, ctx);
	failed = failed ? failed : "walk_qp";
	if (walk_qp(&w) || walk_around(&w))
		return NULL;
	failed = "destroy";
	if (walk_close(&w) || ibv_close_device(ctx))
		return NULL;
	failed = NULL;
	pthread_testcancel();
	return NULL;
}

static void no_call_ends_the_thread(void **state)
{
	pthread_t thread;
	void *result;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, walker, NULL), 0);
	pthread_join(thread, &result);
	if (failed)
		fail_msg("%s", failed);
	assert_ptr_equal(result, PTHREAD_CANCELED);
}

static void *wait_cq_event(void *arg)
{
	struct ibv_comp_channel *channel = arg;
	struct ibv_cq *cq;
	void *user;

	return ibv_get_cq_event(channel, &cq, &user) ? NULL : cq;
}

static void *wait_async_event(void *arg)
{
	struct ibv_async_event event;

	return ibv_get_async_event(arg, &event) ? NULL : event.element.cq;
}

static void cancel_waiter(void *(*role)(void *), void *arg)
{
	pthread_t thread;
	void *result;

	assert_int_equal(pthread_create(&thread, NULL, role, arg), 0);
	usleep(5000); /* it waits, or is about to: the end is the same */
	assert_int_equal(pthread_cancel(thread), 0);
	pthread_join(thread, &result);
	assert_ptr_equal(result, PTHREAD_CANCELED);
}

/* Threads that wait are cancelled; the events go to those that come after. */
static void waiters_are_cancelled(void **state)
{
	struct ibv_context *ctx = bench_context();
	struct ibv_async_event event;
	pthread_t thread;
	struct walk w;
	void *result;

	(void)state;
	assert_null(walk_open(&w, ctx));
	for (int i = 0; i < 4; i++) {
		cancel_waiter(wait_cq_event, w.channel);
		cancel_waiter(wait_async_event, ctx);
	}
	fake_event(&fakes[0], ((struct cq *)w.cq)->hw->vector + 1, CAIRN_EQE_TYPE_CQ,
		   ((struct cq *)w.cq)->hw->cqn, 0);
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_CQ_ERR, ((struct cq *)w.cq)->hw->cqn, 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_cq_event, w.channel), 0);
	pthread_join(thread, &result);
	assert_ptr_equal(result, w.cq);
	ibv_ack_cq_events(w.cq, 1);
	assert_int_equal(ibv_get_async_event(ctx, &event), 0);
	assert_int_equal(event.event_type, IBV_EVENT_CQ_ERR);
	ibv_ack_async_event(&event);
	assert_null(walk_close(&w));
	assert_int_equal(ibv_close_device(ctx), 0);
}

/* ---------------------------------------------------------------- signals */

static atomic_uint signals;

static void count_signal(int number)
{
	(void)number;
	atomic_fetch_add(&signals, 1);
}

struct wait {
	struct ibv_context *ctx;
	struct ibv_comp_channel *channel; /* NULL: for an async event */
	atomic_bool done;
	int result, error;
};

static void *wait_for_event(void *arg)
{
	struct ibv_async_event event;
	struct wait *w = arg;
	struct ibv_cq *cq;
	void *user;

	w->result = w->channel ? ibv_get_cq_event(w->channel, &cq, &user)
			       : ibv_get_async_event(w->ctx, &event);
	w->error = errno;
	if (!w->result && w->channel)
		ibv_ack_cq_events(cq, 1);
	atomic_store(&w->done, true);
	return NULL;
}

/* Signals, one at a time, until the wait ends; or 20 of them. */
static void send_signals(pthread_t thread, struct wait *w)
{
	for (unsigned int i = 0; i < 20; i++) {
		unsigned int before = atomic_load(&signals);

		usleep(2000); /* it waits; if not, a later one finds it there */
		if (atomic_load(&w->done))
			return;
		pthread_kill(thread, SIGUSR1);
		while (atomic_load(&signals) == before && !atomic_load(&w->done))
			sched_yield();
	}
}

/* A wait goes on after a handler with SA_RESTART, as a read() does, and ends after one without. */
static void wait_and_signal(struct wait *w, const struct cq *cq, bool restart)
{
	struct sigaction action = { .sa_handler = count_signal,
				    .sa_flags = restart ? SA_RESTART : 0 };
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	atomic_store(&w->done, false);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_event, w), 0);
	send_signals(thread, w);
	assert_int_equal(atomic_load(&w->done), !restart);
	if (restart && w->channel)
		fake_event(&fakes[0], cq->hw->vector + 1, CAIRN_EQE_TYPE_CQ, cq->hw->cqn, 0);
	else if (restart)
		fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_PORT_ACTIVE, 1, 0);
	pthread_join(thread, NULL);
	assert_int_equal(w->result, restart ? 0 : -1);
	if (!restart)
		assert_int_equal(w->error, EINTR);
}

static void signals_while_waiting(void **state)
{
	struct bench *b = *state;
	struct ibv_comp_channel *channel = ibv_create_comp_channel(b->ctx);
	struct ibv_cq *cq = ibv_create_cq(b->ctx, 10, NULL, channel, 0);
	struct wait w = { .ctx = b->ctx, .channel = channel };

	for (int i = 0; i < 2; i++) {
		wait_and_signal(&w, (struct cq *)cq, true);
		wait_and_signal(&w, (struct cq *)cq, false);
		w.channel = NULL;
	}
	signal(SIGUSR1, SIG_DFL);
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
}

/* Of several that wait each gets one of the events, which show as one. */
static void many_wait(void **state)
{
	struct bench *b = *state;
	struct ibv_comp_channel *channel = ibv_create_comp_channel(b->ctx);
	struct ibv_cq *cq = ibv_create_cq(b->ctx, 10, NULL, channel, 0);
	struct wait w[4];
	pthread_t threads[4];

	for (int i = 0; i < 4; i++) {
		w[i] = (struct wait){ .ctx = b->ctx, .channel = channel };
		assert_int_equal(pthread_create(&threads[i], NULL, wait_for_event, &w[i]), 0);
	}
	usleep(5000);
	for (int i = 0; i < 4; i++)
		fake_event(&fakes[0], ((struct cq *)cq)->hw->vector + 1, CAIRN_EQE_TYPE_CQ,
			   cq->handle, 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(w[i].result, 0);
	}
	assert_false(readable(channel->fd, 0));
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
}

/* ---------------------------------------------------------------- fork */

static atomic_bool stop;
static atomic_uint turns;

/* Takes every lock there is, again and again. */
static void *busy(void *arg)
{
	while (!atomic_load(&stop) && !failed) {
		struct ibv_context *ctx = bench_context();
		struct ibv_device **list = ibv_get_device_list(NULL);
		struct walk w;

		if (!ctx || walk_open(&w, ctx) || walk_qp(&w) || walk_around(&w) ||
		    walk_close(&w) || ibv_close_device(ctx))
			failed = "a verb beside a fork";
		if (list)
			ibv_free_device_list(list);
		atomic_fetch_add(&turns, 1);
	}
	return arg;
}

static void *lister(void *arg)
{
	while (!atomic_load(&stop)) {
		struct ibv_device **list = ibv_get_device_list(NULL);

		if (list)
			ibv_free_device_list(list);
	}
	return arg;
}

/* What the child has of its parent is dead, and touching it disturbs nobody. */
static int in_child(struct walk *w)
{
	struct ibv_port_attr attr;
	struct ibv_device **list;
	struct ibv_context *ctx;
	struct ibv_cq *cq;
	struct nic *own;
	void *user;
	int bad = 0;

	alarm(20);
	bad |= ibv_query_port(w->ctx, 1, &attr) == 0;
	bad |= (ibv_destroy_cq(w->cq) == 0) << 1;
	bad |= (ibv_dealloc_pd(w->pd) == 0) << 2;
	bad |= (ibv_get_cq_event(w->channel, &cq, &user) != -1 || errno != ENODEV) << 3;
	list = ibv_get_device_list(NULL);
	if (list)
		ibv_free_device_list(list);
	bad |= ibv_close_device(w->ctx) << 4;
	own = nic_add("fake:1", "cairn_8", "/nonexistent/cairn_8");
	ctx = own ? ibv_open_device(&own->ibv) : NULL;
	bad |= (!ctx || ibv_query_port(ctx, 1, &attr) || ibv_close_device(ctx)) << 5;
	return bad;
}

/*
 * By hand (FORKS=1): now and then a thread of the child waits for ever for a lock of the
 * sanitizer's allocator, which is not held over a fork.  tests/programs/test_process.py forks
 * without a sanitizer.
 */
static void forks_beside_calls(void **state)
{
	struct ibv_context *ctx = bench_context();
	pthread_t threads[3];
	unsigned int before;
	struct walk w;
	int status;

	(void)state;
	if (!getenv("FORKS")) {
		ibv_close_device(ctx);
		skip();
	}
	assert_null(walk_open(&w, ctx));
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, i ? busy : lister, NULL), 0);
	for (int i = 0; i < 10; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (!child)
			_exit(in_child(&w));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
	for (before = atomic_load(&turns); atomic_load(&turns) < before + 4 && !failed;)
		sched_yield();
	atomic_store(&stop, true);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	if (failed)
		fail_msg("%s", failed);
	assert_null(walk_close(&w));
	assert_int_equal(ibv_close_device(ctx), 0);
}

struct everything {
	struct walk w;
	struct qp *qp; /* with the extended API */
};

/* All locks of the objects, as if other threads were in calls on each. */
static void hold_all(const struct everything *e)
{
	struct cq *cqs[] = { (struct cq *)e->w.cq, (struct cq *)e->w.cq_ex };
	struct srq *srq = (struct srq *)e->w.srq;

	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&cqs[i]->command_lock);
		pthread_mutex_lock(&cqs[i]->lock);
		pthread_mutex_lock(&cqs[i]->arm_lock);
	}
	pthread_mutex_lock(&srq->command_lock);
	pthread_mutex_lock(&srq->lock);
	pthread_mutex_lock(&e->qp->command_lock);
	pthread_mutex_lock(&e->qp->sq_lock);
	pthread_mutex_lock(&e->qp->rq_lock);
	pthread_mutex_lock(&((struct cq *)e->w.cq)->queue->lock);
	pthread_mutex_lock(&e->w.ctx->mutex);
}

static void let_all_go(const struct everything *e)
{
	struct cq *cqs[] = { (struct cq *)e->w.cq, (struct cq *)e->w.cq_ex };
	struct srq *srq = (struct srq *)e->w.srq;

	pthread_mutex_unlock(&e->w.ctx->mutex);
	pthread_mutex_unlock(&((struct cq *)e->w.cq)->queue->lock);
	pthread_mutex_unlock(&e->qp->rq_lock);
	pthread_mutex_unlock(&e->qp->sq_lock);
	pthread_mutex_unlock(&e->qp->command_lock);
	pthread_mutex_unlock(&srq->lock);
	pthread_mutex_unlock(&srq->command_lock);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_unlock(&cqs[i]->arm_lock);
		pthread_mutex_unlock(&cqs[i]->lock);
		pthread_mutex_unlock(&cqs[i]->command_lock);
	}
}

/* The first call that does other than fail with ENODEV, or 0; numbered as they stand. */
static int posts_fail(const struct everything *e)
{
	struct ibv_recv_wr recv = { .wr_id = 1 }, *bad_recv = NULL;
	struct ibv_send_wr send = { .wr_id = 1 }, *bad = NULL;
	struct ibv_poll_cq_attr poll = { 0 };
	struct ibv_qp_ex *ex = &e->qp->ex;
	struct ibv_wc wc;

	if (ibv_post_send(&e->qp->ibv, &send, &bad) != ENODEV || bad != &send)
		return 1;
	if (ibv_post_recv(&e->qp->ibv, &recv, &bad_recv) != ENODEV || bad_recv != &recv)
		return 2;
	bad_recv = NULL;
	if (ibv_post_srq_recv(e->w.srq, &recv, &bad_recv) != ENODEV || bad_recv != &recv)
		return 3;
	if (ibv_poll_cq(e->w.cq, 1, &wc) != -ENODEV)
		return 4;
	if (ibv_start_poll(e->w.cq_ex, &poll) != ENODEV)
		return 5;
	if (ibv_req_notify_cq(e->w.cq, 0) != ENODEV)
		return 6;
	ibv_wr_start(ex);
	ibv_wr_send(ex);
	ibv_wr_set_sge(ex, 0, 0, 1);
	if (ibv_wr_complete(ex) != ENODEV)
		return 7;
	ibv_wr_start(ex);
	ibv_wr_abort(ex);
	return 0;
}

static int commands_fail(const struct everything *e)
{
	struct ibv_modify_cq_attr moderate = { .attr_mask = IBV_CQ_ATTR_MODERATE };
	struct ibv_srq_attr shared = { .srq_limit = 1 };
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct ibv_mw_bind bind = { 0 };
	struct ibv_qp_init_attr init;
	union ibv_gid group = { 0 };
	int (*const bind_mw)(struct ibv_qp * qp, struct ibv_mw * mw, struct ibv_mw_bind * bind) =
		e->w.ctx->ops.bind_mw;

	return ibv_modify_qp(&e->qp->ibv, &attr, IBV_QP_STATE) != ENODEV    ? 11
	       : ibv_query_qp(&e->qp->ibv, &attr, 0, &init) != ENODEV	    ? 12
	       : ibv_attach_mcast(&e->qp->ibv, &group, 0) != ENODEV	    ? 13
	       : ibv_destroy_qp(&e->qp->ibv) != ENODEV			    ? 14
	       : ibv_modify_srq(e->w.srq, &shared, IBV_SRQ_LIMIT) != ENODEV ? 15
	       : ibv_query_srq(e->w.srq, &shared) != ENODEV		    ? 16
	       : ibv_destroy_srq(e->w.srq) != ENODEV			    ? 17
	       : ibv_resize_cq(e->w.cq, 20) != ENODEV			    ? 18
	       : ibv_modify_cq(e->w.cq, &moderate) != ENODEV		    ? 19
	       : ibv_destroy_cq(e->w.cq) != ENODEV			    ? 20
	       : ibv_destroy_comp_channel(e->w.channel) != ENODEV	    ? 21
	       : ibv_dereg_mr(e->w.mr) != ENODEV			    ? 22
	       : ibv_dealloc_mw(e->w.mw) != ENODEV			    ? 23
	       : ibv_dealloc_pd(e->w.pd) != ENODEV			    ? 24
	       : bind_mw(&e->qp->ibv, e->w.mw, &bind) != ENODEV		    ? 25
									    : 0;
}

static int creations_fail(const struct everything *e)
{
	struct ibv_srq_init_attr shared = { .attr = { .max_wr = 8, .max_sge = 1 } };

	return ibv_create_comp_channel(e->w.ctx) || errno != ENODEV		      ? 31
	       : ibv_create_cq(e->w.ctx, 4, NULL, e->w.channel, 0) || errno != ENODEV ? 32
	       : ibv_create_srq(e->w.pd, &shared) || errno != ENODEV		      ? 33
	       : ibv_reg_mr(e->w.pd, e->w.mem, 4096, 0) || errno != ENODEV	      ? 34
	       : ibv_alloc_pd(e->w.ctx) || errno != ENODEV			      ? 35
										      : 0;
}

/* A child finds locks that nobody will ever give back: its calls fail and take none. */
static void child_takes_no_lock(void **state)
{
	struct bench *b = *state, own = *b;
	struct everything e = { .qp = NULL };
	int status, failing;
	pid_t child;

	assert_null(walk_open(&e.w, b->ctx));
	own.cq = e.w.cq;
	own.pd = e.w.pd;
	e.qp = bench_qp(&own, NULL);
	hold_all(&e);
	child = fork();
	if (!child) {
		alarm(20);
		failing = posts_fail(&e);
		failing = failing ? failing : commands_fail(&e);
		_exit(failing ? failing : creations_fail(&e));
	}
	let_all_go(&e);
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(ibv_destroy_qp(&e.qp->ibv), 0);
	assert_null(walk_close(&e.w));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_call_ends_the_thread, test_setup, test_teardown),
		cmocka_unit_test_setup_teardown(waiters_are_cancelled, test_setup, test_teardown),
		cmocka_unit_test_setup_teardown(forks_beside_calls, test_setup, test_teardown),
		BENCH_TEST(child_takes_no_lock),
		BENCH_TEST(signals_while_waiting),
		BENCH_TEST(many_wait),
	};

	alarm(60); /* a lock that was left held ends the test */
	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
