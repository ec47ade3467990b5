// SPDX-License-Identifier: Apache-2.0
/*
 * Descriptors that programs see, cmd_fd, async_fd and those of completion channels: they can be
 * duplicated, inherited or not, waited for in any way and made non-blocking, as the kernel's.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include "provider_test.h"

static int open_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Readable through every way of waiting; the way does not matter. */
static void shows(int fd, bool wanted)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN }, got;
	struct timeval now = { 0, 0 };
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	fd_set set;

	assert_int_equal(poll(&pollfd, 1, 0), wanted);
	assert_int_equal(pollfd.revents, wanted ? POLLIN : 0);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	assert_int_equal(select(fd + 1, &set, NULL, NULL, &now), wanted);
	assert_int_equal(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), 0);
	assert_int_equal(epoll_wait(epoll, &got, 1, 0), wanted);
	close(epoll);
}

static void duplicates(int fd, bool readable)
{
	int copies[3] = { dup(fd), fcntl(fd, F_DUPFD_CLOEXEC, 100), dup2(fd, 200) };

	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	for (unsigned int i = 0; i < 3; i++) {
		assert_true(copies[i] >= 0);
		shows(copies[i], readable);
		assert_int_equal(close(copies[i]), 0);
	}
	shows(fd, readable);
}

static void can_be_duplicated(void **state)
{
	struct bench *b = *state;
	struct ibv_context *other = bench_context();
	struct stat one, two;

	duplicates(b->ctx->cmd_fd, false);
	duplicates(b->ctx->async_fd, false);
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_PORT_ERR, 0, 0);
	assert_true(readable(b->ctx->async_fd, 5000));
	duplicates(b->ctx->async_fd, true);
	/* two contexts are two */
	assert_int_equal(fstat(b->ctx->cmd_fd, &one), 0);
	assert_int_equal(fstat(other->cmd_fd, &two), 0);
	assert_true(one.st_dev != two.st_dev || one.st_ino != two.st_ino);
	assert_int_equal(ibv_close_device(other), 0);
}

/* Waited for by a copy, and without blocking; a copy that stays does not keep anything. */
static void without_blocking(void **state)
{
	struct bench *b = *state;
	int copy = dup(b->ctx->async_fd), flags = fcntl(copy, F_GETFL);
	struct ibv_async_event event;

	assert_int_equal(fcntl(copy, F_SETFL, flags | O_NONBLOCK), 0); /* of both, as ever */
	assert_int_equal(ibv_get_async_event(b->ctx, &event), -1);
	assert_int_equal(errno, EAGAIN);
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_PORT_ERR, 0, 0);
	assert_true(readable(copy, 5000));
	assert_int_equal(ibv_get_async_event(b->ctx, &event), 0);
	assert_int_equal(event.event_type, IBV_EVENT_PORT_ERR);
	ibv_ack_async_event(&event);
	assert_int_equal(ibv_get_async_event(b->ctx, &event), -1);
	assert_int_equal(errno, EAGAIN);
	shows(copy, false);
	close(copy);
}

static void nothing_stays_open(void **state)
{
	struct ibv_context *ctx;
	struct ibv_comp_channel *channel;
	int before = open_fds(), copy;

	(void)state;
	ctx = bench_context();
	channel = ibv_create_comp_channel(ctx);
	assert_true(open_fds() > before + 2);
	copy = dup(ctx->cmd_fd);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
	assert_int_equal(ibv_close_device(ctx), 0);
	assert_int_equal(open_fds(), before + 1);
	assert_int_equal(fcntl(copy, F_GETFD), 0);
	close(copy);
}

/* A context cannot be shared, and says so whichever descriptor of it is given. */
static void no_import(void **state)
{
	struct bench *b = *state;
	int copy = dup(b->ctx->cmd_fd);

	errno = 0;
	assert_null(ibv_import_device(copy));
	assert_int_equal(errno, EOPNOTSUPP);
	errno = 0;
	assert_null(ibv_import_device(b->ctx->cmd_fd));
	assert_int_equal(errno, EOPNOTSUPP);
	close(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(can_be_duplicated),
		BENCH_TEST(without_blocking),
		BENCH_TEST(no_import),
		BENCH_TEST(nothing_stays_open),
	};

	return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
