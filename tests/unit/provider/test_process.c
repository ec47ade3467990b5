// SPDX-License-Identifier: Apache-2.0
/*
 * Verbs beside what a program does to its process, on the software device: threads that are
 * cancelled within calls, and forks while other threads are in calls.  tests/programs/own/process.c
 * has the same on the simulator's sockets, and exec and dlclose.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../programs/own/walk.h"
#include "provider_test.h"

/* A thread that is cancelled leaves marks of its frames, which this sanitizer would stumble over.
 */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_call_ends_the_thread, test_setup, test_teardown),
		cmocka_unit_test_setup_teardown(waiters_are_cancelled, test_setup, test_teardown),
		cmocka_unit_test_setup_teardown(forks_beside_calls, test_setup, test_teardown),
	};

	alarm(60); /* a lock that was left held ends the test */
	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
