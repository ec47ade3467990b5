// SPDX-License-Identifier: Apache-2.0
/*
 * The worst moment for a process' first look at NICs, with fake_sys.c preloaded: a fork has begun,
 * handlers of the program are called before it, and another thread's look is under way when it
 * happens. The child looks, too.
 *   fork_first PATH
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path;
static pthread_t looks;
static sem_t inside, forked;

/* The thread stays in its first look until the fork is over. */
static void scans(void)
{
	static int once;

	if (!looks || !pthread_equal(pthread_self(), looks) || once++)
		return;
	sem_post(&inside);
	sem_wait(&forked);
}

static void *look(void *arg)
{
	(void)arg;
	looks = pthread_self();
	access(path, F_OK);
	return NULL;
}

static void before(void)
{
	static pthread_t thread;

	if (!pthread_create(&thread, NULL, look, NULL))
		sem_wait(&inside);
}

/* A child that hangs holds signals back. */
static const char *wait_for(pid_t child)
{
	int status;

	for (int i = 0; i < 1000; i++) {
		if (waitpid(child, &status, WNOHANG) == child)
			return status ? "it does not find it" : "looks";
		usleep(10000);
	}
	kill(child, SIGKILL);
	return "hangs";
}

int main(int argc, char **argv)
{
	void (**hook)(void) = dlsym(RTLD_DEFAULT, "fake_sys_scans");
	pid_t child;

	if (argc != 2 || !hook)
		return 2;
	path = argv[1];
	sem_init(&inside, 0, 0);
	sem_init(&forked, 0, 0);
	*hook = scans;
	pthread_atfork(before, NULL, NULL);
	child = fork();
	if (!child)
		_exit(access(path, F_OK) ? 1 : 0);
	sem_post(&forked);
	pthread_join(looks, NULL);
	puts(wait_for(child));
	return 0;
}
