/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of leases share: a run directory with four NICs, of which only the files are
 * there, and other processes that take, keep, reserve and give back. */
#ifndef LEASE_TEST_H
#define LEASE_TEST_H

#include <fcntl.h>
#include <sys/stat.h>

#include "lease.h"
#include "other.h"

#define NICS 4

static char dir[64], addr[NICS][96];
static const char *const nics[NICS] = { addr[0], addr[1], addr[2], addr[3] };

static inline void name_nics(const char *where)
{
	snprintf(dir, sizeof(dir), "%s", where);
	for (unsigned int i = 0; i < NICS; i++)
		snprintf(addr[i], sizeof(addr[i]), "%s/nic%u.sock", dir, i);
}

static inline const char *file_of(unsigned int nic)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/nic%u.lease", dir, nic);
	return path;
}

static inline void make_file(unsigned int nic)
{
	int fd = open(file_of(nic), O_CREAT | O_EXCL | O_RDWR, 0600);

	assert_true(fd >= 0);
	close(fd);
}

/* As the run directory of a simulator with four NICs. */
static inline int setup(void **state)
{
	char name[] = "/tmp/cairn-lease-XXXXXX";

	(void)state;
	cairn_set_log(NULL, NULL);
	name_nics(mkdtemp(name));
	for (unsigned int i = 0; i < NICS; i++)
		make_file(i);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NICS; i++)
		unlink(file_of(i));
	return rmdir(dir);
}

#define LEASE_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static inline enum cairn_lease_state state_of(unsigned int nic)
{
	char who[CAIRN_WHO_BYTES];

	return cairn_lease_state(addr[nic], who);
}

/* ---------------------------------------------------------------- other processes */

static inline void exec_again(bool another, int in, int out)
{
	char fds[2][16];

	snprintf(fds[0], sizeof(fds[0]), "%d", in);
	snprintf(fds[1], sizeof(fds[1]), "%d", out);
	if (another && !fcntl(out, F_SETFD, FD_CLOEXEC))
		execlp("sleep", "sleep", "60", NULL);
	execl("/proc/self/exe", "again", "serve", dir, fds[0], fds[1], NULL);
	_exit(127);
}

/* Up to here numbers of descriptors are in use, after close_all(). */
static int last_fd = 20;

/* As a daemon does; then all numbers are of a file that is not ours. */
static inline int close_all(int in, int out)
{
	char name[128];
	int fd;

	for (fd = 3; fd < 1024; fd++)
		if (fd != in && fd != out)
			close(fd);
	last_fd += 20; /* also what was opened behind the last ones */
	snprintf(name, sizeof(name), "%s/precious", dir);
	do
		fd = open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	while (fd >= 0 && fd < last_fd);
	return pwrite(fd, "precious", 8, 0) == 8 ? 0 : -EIO;
}

/* Is it as it was, and still open by all these numbers? */
static inline int precious(void)
{
	char text[16] = "";

	for (int fd = 3; fd < last_fd; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			return -EBADF;
	return pread(last_fd, text, sizeof(text), 0) == 8 && !strcmp(text, "precious") ? 0 : -EIO;
}

/* k keep one of all, t N take, g give, r reserve, u unreserve, s N state, p publish, x exec this
 * program again, X exec another, f fork and leave the rest to the child, C close all descriptors,
 * P is what took their place as it was. */
static inline int serve(char what, unsigned int nic, int in, int out)
{
	static struct cairn_lease *lease;

	switch (what) {
	case 'k':
		return cairn_lease_keep(nics, NICS);
	case 't':
		return cairn_lease_take(addr[nic], &lease);
	case 'g':
		cairn_lease_give(lease);
		return 0;
	case 'r':
		cairn_lease_reserve(nics, NICS);
		return 0;
	case 'u':
		cairn_lease_unreserve();
		return 0;
	case 's':
		return (int)state_of(nic);
	case 'p':
		return cairn_lease_publish(lease, &what, 1);
	case 'C':
		return close_all(in, out);
	case 'P':
		return precious();
	case 'f':
		if (fork())
			_exit(0);
		alarm(60);
		return 0;
	default:
		exec_again(what == 'X', in, out);
		return 0;
	}
}

static inline struct other start(void)
{
	return other_start(serve);
}

/* Of a test program that is exec'ed by one of them. */
static inline void serve_again(int argc, char **argv)
{
	if (argc != 5 || strcmp(argv[1], "serve"))
		return;
	name_nics(argv[2]);
	other_serve(serve, atoi(argv[3]), atoi(argv[4]));
}

#endif
