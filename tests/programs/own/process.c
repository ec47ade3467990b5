// SPDX-License-Identifier: Apache-2.0
/*
 * Verbs beside what a program does to its process, on one simulated NIC.  Usage: process WHAT
 *
 * - dlclose LIBRARY: the provider is loaded by hand and given back, with all devices closed and
 *   while one is open (run without `cairn run`; CAIRN_SOCKETS names the NIC)
 * - exec: no descriptor of ours survives
 * - fork: forks while other threads are in calls; the parent goes on
 * - cancel: threads are cancelled within calls
 * - fds: (run by exec) tells which descriptors it was given
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "entries.h"
#include "walk.h"

#define need(condition)                                                                    \
	do {                                                                               \
		if (!(condition)) {                                                        \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, \
				strerror(errno));                                          \
			_exit(1);                                                          \
		}                                                                          \
	} while (0)

static void need_walk(const char *failed)
{
	if (!failed)
		return;
	fprintf(stderr, "a verb failed: %s: %s\n", failed, strerror(errno));
	_exit(1);
}

extern char **environ;

static struct ibv_context *open_nic(struct ibv_device **(*get)(int *),
				    struct ibv_context *(*open)(struct ibv_device *))
{
	struct ibv_device **list = get(NULL);
	struct ibv_context *ctx;

	need(list && list[0]);
	ctx = open(list[0]);
	need(ctx);
	return ctx; /* the list stays: programs may do that */
}

/* ---------------------------------------------------------------- dlclose */

struct loaded {
	void *library;
	struct ibv_device **(*get)(int *num);
	struct ibv_context *(*open)(struct ibv_device *device);
	int (*close)(struct ibv_context *ctx);
	struct ibv_comp_channel *(*channel)(struct ibv_context *ctx);
	struct ibv_cq *(*create_cq)(struct ibv_context *ctx, int cqe, void *user,
				    struct ibv_comp_channel *channel, int vector);
	int (*destroy_cq)(struct ibv_cq *cq);
	int (*destroy_channel)(struct ibv_comp_channel *channel);
};

static struct loaded load(const char *path)
{
	struct loaded l = { .library = dlopen(path, RTLD_NOW | RTLD_LOCAL) };

	if (!l.library)
		fprintf(stderr, "%s\n", dlerror());
	need(l.library);
	need((l.get = dlsym(l.library, "ibv_get_device_list")));
	need((l.open = dlsym(l.library, "ibv_open_device")));
	need((l.close = dlsym(l.library, "ibv_close_device")));
	need((l.channel = dlsym(l.library, "ibv_create_comp_channel")));
	need((l.create_cq = dlsym(l.library, "ibv_create_cq")));
	need((l.destroy_cq = dlsym(l.library, "ibv_destroy_cq")));
	need((l.destroy_channel = dlsym(l.library, "ibv_destroy_comp_channel")));
	return l;
}

static int do_dlclose(const char *path)
{
	unsigned int threads = entries("/proc/self/task"), files = entries("/proc/self/fd");

	for (int round = 0; round < 2; round++) {
		struct loaded l = load(path);
		struct ibv_context *ctx = open_nic(l.get, l.open);
		struct ibv_comp_channel *channel = l.channel(ctx);
		struct ibv_cq *cq = channel ? l.create_cq(ctx, 10, NULL, channel, 0) : NULL;

		need(cq);
		need(entries("/proc/self/task") > threads); /* else this shows nothing */
		if (round) { /* while it is open: all stays as it is */
			need(!dlclose(l.library));
			need(!ibv_req_notify_cq(cq, 0));
			usleep(100000);
		}
		need(!l.destroy_cq(cq));
		need(!l.destroy_channel(channel));
		need(!l.close(ctx));
		if (!round)
			need(!dlclose(l.library));
		need(entries("/proc/self/task") == threads);
		need(entries("/proc/self/fd") == files);
	}
	return 0;
}

/* ---------------------------------------------------------------- exec */

static int do_fds(void)
{
	for (int fd = 3; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0) {
			char path[64], target[256] = "";

			snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
			need(readlink(path, target, sizeof(target) - 1) > 0);
			fprintf(stderr, "inherited: %d, %s\n", fd, target);
			return 1;
		}
	return 0;
}

static void need_child(pid_t child)
{
	int status;

	need(child > 0);
	need(waitpid(child, &status, 0) == child);
	if (status)
		fprintf(stderr, "child: status 0x%x\n", status);
	need(!status);
}

static int do_exec(const char *self)
{
	char *const argv[] = { (char *)self, "fds", NULL };
	struct walk w;
	pid_t child;

	for (int fd = 3; fd < 256; fd++) /* what we were given ourselves */
		close(fd);
	need_walk(walk_open(&w, open_nic(ibv_get_device_list, ibv_open_device)));
	need(entries("/proc/self/fd") > 10); /* else this shows nothing */
	child = fork();
	if (!child) {
		execv(self, argv);
		_exit(127);
	}
	need_child(child);
	need(!posix_spawn(&child, self, NULL, NULL, argv, environ)); /* no handlers of fork() */
	need_child(child);
	need_walk(walk_qp(&w));
	need_walk(walk_flush(&w));
	need_walk(walk_event(&w));
	need_walk(walk_close(&w));
	need(!ibv_close_device(w.ctx));
	return 0;
}

/* ---------------------------------------------------------------- fork */

static atomic_bool stop;
static atomic_uint turns;

static void *busy(void *arg)
{
	while (!atomic_load(&stop)) {
		struct walk w;

		need_walk(walk_open(&w, arg));
		need_walk(walk_qp(&w));
		need_walk(walk_flush(&w));
		need_walk(walk_event(&w));
		need_walk(walk_close(&w));
		atomic_fetch_add(&turns, 1);
	}
	return NULL;
}

static void in_child(struct walk *w)
{
	struct ibv_port_attr port;
	struct ibv_device **list;
	struct ibv_context *ctx;
	struct ibv_cq *cq;
	void *user;

	alarm(60); /* a lock of a thread that is not here */
	need(ibv_query_port(w->ctx, 1, &port));
	need(ibv_destroy_cq(w->cq));
	need(ibv_get_cq_event(w->channel, &cq, &user) == -1 && errno == ENODEV);
	list = ibv_get_device_list(NULL);
	need(list && list[0]);
	ctx = ibv_open_device(list[0]); /* the parent has it: to be looked at */
	need(ctx && !ibv_query_port(ctx, 1, &port));
	need(!ibv_alloc_pd(ctx) && errno == EBUSY);
	need(!ibv_close_device(ctx));
	need(!ibv_close_device(w->ctx));
	_exit(0);
}

static int do_fork(void)
{
	struct ibv_context *ctx = open_nic(ibv_get_device_list, ibv_open_device);
	pthread_t threads[2];
	unsigned int before;
	struct walk w;

	need_walk(walk_open(&w, ctx));
	for (int i = 0; i < 2; i++)
		need(!pthread_create(&threads[i], NULL, busy, ctx));
	for (int i = 0; i < 5; i++) {
		pid_t child;

		before = atomic_load(&turns);
		child = fork();
		if (!child && i % 4)
			_exit(0);
		if (!child)
			in_child(&w);
		need_child(child);
		while (atomic_load(&turns) < before + 1)
			sched_yield();
	}
	atomic_store(&stop, true);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	need_walk(walk_close(&w));
	need(!ibv_close_device(ctx));
	return 0;
}

/* ---------------------------------------------------------------- cancel */

static bool came_through;

/* With a cancellation pending: the first call that is a cancellation point ends this. */
static void *walker(void *arg)
{
	struct ibv_context *ctx;
	struct walk w;

	(void)arg;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_cancel(pthread_self());
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	ctx = open_nic(ibv_get_device_list, ibv_open_device);
	need_walk(walk_open(&w, ctx));
	need_walk(walk_qp(&w));
	need_walk(walk_around(&w));
	need_walk(walk_flush(&w));
	need_walk(walk_close(&w));
	need(!ibv_close_device(ctx));
	came_through = true;
	pthread_testcancel();
	return NULL;
}

static void *waiter(void *arg)
{
	struct walk *w = arg;
	struct ibv_cq *cq;
	void *user;

	ibv_get_cq_event(w->channel, &cq, &user);
	return NULL;
}

static int do_cancel(void)
{
	pthread_t thread;
	struct walk w;
	void *result;

	need(!pthread_create(&thread, NULL, walker, NULL));
	pthread_join(thread, &result);
	if (!came_through)
		fprintf(stderr, "a call was a cancellation point\n");
	need(came_through && result == PTHREAD_CANCELED);
	need_walk(walk_open(&w, open_nic(ibv_get_device_list, ibv_open_device)));
	need_walk(walk_qp(&w));
	need(!pthread_create(&thread, NULL, waiter, &w));
	usleep(20000);
	need(!pthread_cancel(thread));
	pthread_join(thread, &result);
	need(result == PTHREAD_CANCELED);
	need_walk(walk_flush(&w)); /* its event goes to another thread */
	need_walk(walk_event(&w));
	need_walk(walk_close(&w));
	need(!ibv_close_device(w.ctx));
	return 0;
}

int main(int argc, char **argv)
{
	alarm(150); /* a lock that nobody gives back */
	if (argc == 3 && !strcmp(argv[1], "dlclose"))
		return do_dlclose(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "exec"))
		return do_exec(argv[0]);
	if (argc == 2 && !strcmp(argv[1], "fork"))
		return do_fork();
	if (argc == 2 && !strcmp(argv[1], "cancel"))
		return do_cancel();
	if (argc == 2 && !strcmp(argv[1], "fds"))
		return do_fds();
	fprintf(stderr, "usage: process dlclose LIBRARY | exec | fork | cancel | fds\n");
	return 2;
}
