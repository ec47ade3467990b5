// SPDX-License-Identifier: Apache-2.0
/*
 * Which process uses a NIC: processes that take, keep, reserve and give back, that end in every
 * way, fork and exec.  No device is there: paths of sockets stand for NICs, and what counts are the
 * files.
 */
#define _GNU_SOURCE
#include <spawn.h>

#include "lease_test.h"

#define RACERS 8

extern char **environ;

/* ---------------------------------------------------------------- taking */

static void taken_by_one(void **state)
{
	struct cairn_lease *lease, *again;
	struct other other = start();
	char who[CAIRN_WHO_BYTES], expect[CAIRN_WHO_BYTES];

	(void)state;
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	assert_int_equal(cairn_lease_take(addr[0], &lease), 0);
	assert_non_null(lease);
	assert_int_equal(cairn_lease_take(addr[0], &again), 0); /* the same device, once more */
	assert_ptr_equal(lease, again);
	assert_int_equal(state_of(0), CAIRN_LEASE_MINE);
	assert_int_equal(ask(&other, "s0"), CAIRN_LEASE_TAKEN);
	assert_int_equal(ask(&other, "s1"), CAIRN_LEASE_FREE);
	assert_int_equal(ask(&other, "t0"), -EBUSY);
	assert_int_equal(ask(&other, "k"), 1); /* the next one */
	assert_int_equal(cairn_lease_state(addr[1], who), CAIRN_LEASE_TAKEN);
	snprintf(expect, sizeof(expect), "process %d (test_lease)", (int)other.pid);
	assert_string_equal(who, expect);
	cairn_lease_give(lease);
	assert_int_equal(ask(&other, "t0"), -EBUSY);
	cairn_lease_give(again);
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	assert_int_equal(ask(&other, "t0"), 0);
	assert_int_equal(state_of(0), CAIRN_LEASE_TAKEN);
	assert_int_equal(cairn_lease_take(addr[0], &lease), -EBUSY);
	assert_null(lease);
	assert_int_equal(ask(&other, "g"), 0);
	assert_int_equal(cairn_lease_take(addr[0], &lease), 0);
	cairn_lease_give(lease);
	cairn_lease_give(NULL);
	end(&other, 0);
}

/* ---------------------------------------------------------------- keeping */

static void kept_until_the_end(void **state)
{
	struct other others[NICS], late = start();

	(void)state;
	for (int i = 0; i < NICS; i++) {
		others[i] = start();
		assert_int_equal(ask(&others[i], "k"), i);
		assert_int_equal(ask(&others[i], "k"), i); /* the one it has */
	}
	assert_int_equal(ask(&late, "k"), -EBUSY);
	/* opened and closed again: still its own */
	assert_int_equal(ask(&others[2], "t2"), 0);
	assert_int_equal(ask(&others[2], "g"), 0);
	assert_int_equal(ask(&late, "k"), -EBUSY);
	end(&others[2], SIGKILL);
	assert_int_equal(ask(&late, "k"), 2);
	end(&others[0], SIGTERM);
	end(&others[3], 0);
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	assert_int_equal(state_of(1), CAIRN_LEASE_TAKEN);
	assert_int_equal(state_of(3), CAIRN_LEASE_FREE);
	end(&others[1], SIGKILL);
	end(&late, SIGKILL);
}

/* Killed, and nobody has waited for it yet. */
static void zombies_have_nothing(void **state)
{
	struct other other = start(), next = start();
	siginfo_t info;

	(void)state;
	assert_int_equal(ask(&other, "k"), 0);
	kill(other.pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)other.pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	assert_int_equal(ask(&next, "k"), 0);
	end(&next, 0);
	end(&other, SIGKILL);
}

static void race(void **state)
{
	struct other others[RACERS];
	unsigned int got[NICS] = { 0 }, none = 0;

	(void)state;
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < RACERS; i++)
			others[i] = start();
		for (int i = 0; i < RACERS; i++)
			tell(&others[i], "k");
		for (int i = 0; i < RACERS; i++) {
			int answer = hear(&others[i]);

			assert_true(answer == -EBUSY || (answer >= 0 && answer < NICS));
			if (answer < 0)
				none++;
			else
				got[answer]++;
		}
		for (int i = 0; i < RACERS; i++)
			end(&others[i], i % 2 ? SIGKILL : 0);
		for (int i = 0; i < NICS; i++)
			assert_int_equal(got[i], round + 1);
		assert_int_equal(none, (unsigned int)(round + 1) * (RACERS - NICS));
	}
}

/* ---------------------------------------------------------------- exec and fork */

static void survives_exec(void **state)
{
	struct other other = start(), sleeper = start(), user = start();
	struct cairn_lease *lease;

	(void)state;
	assert_int_equal(cairn_lease_take(addr[0], &lease), 0);
	assert_int_equal(ask(&other, "k"), 1);
	cairn_lease_give(lease);
	tell(&other, "x");
	/* the next program has the same one, though another is free */
	assert_int_equal(ask(&other, "k"), 1);
	assert_int_equal(state_of(1), CAIRN_LEASE_TAKEN);
	/* it has it even while the next program has not asked: it is known by its process */
	tell(&other, "x");
	assert_int_equal(ask(&other, "s0"), CAIRN_LEASE_FREE);
	assert_int_equal(state_of(1), CAIRN_LEASE_TAKEN);
	assert_int_equal(cairn_lease_take(addr[1], &lease), -EBUSY);
	assert_int_equal(ask(&sleeper, "k"), 0);
	assert_int_equal(ask(&other, "k"), 1);
	/* nor does a program that never asks lose it, until it ends */
	tell(&sleeper, "X");
	assert_int_equal(read(sleeper.from, &lease, 1), 0); /* closed: it has exec'ed */
	assert_int_equal(state_of(0), CAIRN_LEASE_TAKEN);
	assert_int_equal(cairn_lease_take(addr[0], &lease), -EBUSY);
	end(&sleeper, SIGKILL);
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	/* but what was open and not kept is free: the device was closed */
	assert_int_equal(ask(&user, "t0"), 0);
	assert_int_equal(state_of(0), CAIRN_LEASE_TAKEN);
	tell(&user, "x");
	assert_int_equal(ask(&user, "s0"), CAIRN_LEASE_FREE);
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	end(&user, 0);
	end(&other, 0);
	assert_int_equal(state_of(1), CAIRN_LEASE_FREE);
}

/* A child has nothing of its parent's, asks for itself, and what the parent had is free when the
 * parent ends, whatever children it leaves. */
static void forks(void **state)
{
	struct other other = start();
	int status;

	(void)state;
	assert_int_equal(ask(&other, "k"), 0);
	tell(&other, "f");
	assert_int_equal(hear(&other), 0);
	assert_int_equal(waitpid(other.pid, &status, 0), other.pid);
	/* its child listens now */
	assert_int_equal(ask(&other, "s0"), CAIRN_LEASE_FREE);
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	assert_int_equal(cairn_lease_keep(nics, 1), 0);
	assert_int_equal(ask(&other, "k"), 1);
	tell(&other, "q");
	close(other.to);
	assert_int_equal(read(other.from, &status, 1), 0);
	close(other.from);
	/* and this process has to let go of what it keeps */
	unlink(file_of(0));
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	make_file(0);
}

/* No handler of fork() runs there. */
static void spawned(void **state)
{
	struct cairn_lease *lease;
	struct other other;
	char *const argv[] = { "sleep", "60", NULL };
	pid_t child;
	int status;

	(void)state;
	assert_int_equal(cairn_lease_take(addr[0], &lease), 0);
	assert_int_equal(posix_spawnp(&child, "sleep", NULL, NULL, argv, environ), 0);
	cairn_lease_give(lease);
	other = start();
	assert_int_equal(ask(&other, "t0"), 0);
	end(&other, SIGKILL);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
}

/* ---------------------------------------------------------------- reserving */

static void reserved(void **state)
{
	struct other one = start(), two = start(), three = start();
	struct cairn_lease *lease;

	(void)state;
	assert_int_equal(ask(&one, "r") | ask(&two, "r"), 0);
	assert_int_equal(ask(&one, "s0"), CAIRN_LEASE_MINE);
	assert_int_equal(ask(&one, "s1"), CAIRN_LEASE_RESERVED);
	assert_int_equal(ask(&two, "s0"), CAIRN_LEASE_RESERVED);
	assert_int_equal(ask(&two, "s1"), CAIRN_LEASE_MINE);
	assert_int_equal(ask(&one, "r"), 0); /* as before */
	assert_int_equal(state_of(0), CAIRN_LEASE_RESERVED);
	assert_int_equal(state_of(2), CAIRN_LEASE_FREE);
	/* who wants one by name has it, and then nothing else reserved */
	assert_int_equal(ask(&two, "t0"), 0);
	assert_int_equal(state_of(0), CAIRN_LEASE_TAKEN);
	assert_int_equal(state_of(1), CAIRN_LEASE_FREE);
	assert_int_equal(ask(&two, "r"), 0); /* it has one */
	assert_int_equal(state_of(1), CAIRN_LEASE_FREE);
	/* the other one looks again and finds another */
	assert_int_equal(ask(&one, "s0"), CAIRN_LEASE_TAKEN);
	assert_int_equal(ask(&one, "r"), 0);
	assert_int_equal(state_of(1), CAIRN_LEASE_RESERVED);
	assert_int_equal(ask(&one, "u"), 0);
	assert_int_equal(state_of(1), CAIRN_LEASE_FREE);
	/* who keeps one does not mind; all may be reserved */
	assert_int_equal(ask(&one, "r") | ask(&three, "r"), 0);
	assert_int_equal(cairn_lease_take(addr[3], &lease), 0);
	assert_int_equal(ask(&three, "s2"), CAIRN_LEASE_MINE);
	cairn_lease_reserve(nics, NICS);
	assert_int_equal(ask(&two, "k"), 0);
	end(&three, SIGKILL);
	assert_int_equal(state_of(2), CAIRN_LEASE_FREE);
	end(&one, 0);
	assert_int_equal(state_of(1), CAIRN_LEASE_FREE);
	cairn_lease_give(lease);
	end(&two, 0);
}

/* ---------------------------------------------------------------- what is published */

static int read_facts(unsigned int nic, size_t len)
{
	char got[8];

	return cairn_lease_read(addr[nic], got, len);
}

static void published(void **state)
{
	struct other owner = start(), reader = start(), next = start();
	char spoilt = 'x', got;
	int fd;

	(void)state;
	assert_int_equal(read_facts(0, 1), -ENOENT);
	assert_int_equal(ask(&owner, "k"), 0);
	assert_int_equal(read_facts(0, 1), -EBUSY); /* not open */
	assert_int_equal(ask(&owner, "t0"), 0);
	assert_int_equal(read_facts(0, 1), -EAGAIN); /* nothing said */
	assert_int_equal(ask(&owner, "p"), 0);	     /* its "p" */
	assert_int_equal(cairn_lease_read(addr[0], &got, 1), 0);
	assert_int_equal(got, 'p');
	assert_int_equal(read_facts(0, 2), -EPROTO);
	/* half written, or cut */
	fd = open(file_of(0), O_RDWR);
	assert_int_equal(lseek(fd, -1, SEEK_END) > 64, 1);
	assert_int_equal(write(fd, &spoilt, 1), 1);
	assert_int_equal(cairn_lease_read(addr[0], &got, 1), -EAGAIN);
	assert_int_equal(ftruncate(fd, 70), 0);
	assert_int_equal(cairn_lease_read(addr[0], &got, 1), -EAGAIN);
	assert_int_equal(ask(&owner, "p"), 0);
	assert_int_equal(cairn_lease_read(addr[0], &got, 1), 0);
	/* closed, and left behind by one that was killed */
	assert_int_equal(ask(&owner, "g"), 0);
	assert_int_equal(read_facts(0, 1), -EBUSY);
	assert_int_equal(ask(&owner, "t0"), 0);
	assert_int_equal(read_facts(0, 1), -EAGAIN);
	assert_int_equal(ask(&owner, "p"), 0);
	end(&owner, SIGKILL);
	assert_int_equal(read_facts(0, 1), -ENOENT);
	assert_int_equal(ask(&next, "t0"), 0);
	assert_int_equal(read_facts(0, 1), -EAGAIN);
	end(&next, 0);
	end(&reader, 0);
	close(fd);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		LEASE_TEST(taken_by_one),
		LEASE_TEST(kept_until_the_end),
		LEASE_TEST(zombies_have_nothing),
		LEASE_TEST(race),
		LEASE_TEST(survives_exec),
		LEASE_TEST(forks),
		LEASE_TEST(spawned),
		LEASE_TEST(reserved),
		LEASE_TEST(published),
	};

	serve_again(argc, argv);
	alarm(60);
	return cmocka_run_group_tests_name("lease", tests, NULL, NULL);
}
