// SPDX-License-Identifier: Apache-2.0
/*
 * Several processes and several NICs: which ones each lists, in which order, and what it can do
 * with one that another process has open.  Lists are of sockets without a server; what is opened is
 * the software device.
 */
#include <endian.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "../driver/other.h"
#include "lease.h"
#include "provider_test.h"

#define NICS 4

static char dir[64];
static struct ibv_device **list;
static struct ibv_context *opened;
static char said[1024];
static unsigned int times_said;

static void keep_message(void *arg, const char *message)
{
	(void)arg;
	snprintf(said, sizeof(said), "%s", message);
	times_said++;
}

static void path_of(unsigned int nic, const char *what, char path[108])
{
	snprintf(path, 108, "%s/nic%u.%s", dir, nic, what);
}

/* nicN.sock, .json and .lease, as `cairn sim` makes them. */
static int make_nic(unsigned int nic)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	char path[108], text[64];
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), err;

	path_of(nic, "sock", addr.sun_path);
	err = bind(fd, (struct sockaddr *)&addr, sizeof(addr));
	close(fd);
	path_of(nic, "json", path);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	snprintf(text, sizeof(text), "{\"name\": \"cairn_%u\"}", nic);
	err |= write(fd, text, strlen(text)) < 0;
	close(fd);
	path_of(nic, "lease", path);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	return err | close(fd);
}

static int setup(void **state)
{
	char name[] = "/tmp/cairn-share-XXXXXX", file[96], sockets[NICS * 108] = "";
	int err, fd;

	err = test_setup(state);
	snprintf(dir, sizeof(dir), "%s", mkdtemp(name));
	for (unsigned int i = 0; i < NICS; i++) {
		char path[108];

		err |= make_nic(i);
		path_of(i, "sock", path);
		snprintf(sockets + strlen(sockets), sizeof(sockets) - strlen(sockets), "%s%s",
			 i ? ":" : "", path);
	}
	snprintf(file, sizeof(file), "%s/fake:0.lease", dir);
	fd = open(file, O_CREAT | O_WRONLY, 0600);
	close(fd);
	fake_leases = dir;
	setenv("CAIRN_SOCKETS", sockets, 1);
	setenv("CAIRN_NO_VFIO", "1", 1);
	unsetenv("CAIRN_LEASE");
	return err;
}

static int teardown(void **state)
{
	static const char *const kinds[] = { "sock", "json", "lease" };
	char path[108];

	for (unsigned int i = 0; i < 3 * NICS; i++) {
		path_of(i / 3, kinds[i % 3], path);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/fake:0.lease", dir);
	unlink(path);
	fake_leases = NULL;
	return rmdir(dir) || test_teardown(state);
}

#define SHARE_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

/* The numbers of the devices of a new list as digits, "cairn_2", "cairn_0": 20; -errno: none. */
static int get_list(void)
{
	int n, digits = 0;

	errno = 0;
	list = ibv_get_device_list(&n);
	if (!list)
		return -errno;
	for (int i = 0; i < n; i++)
		digits = digits * 10 + list[i]->name[6] - '0' + 1; /* none is a leading zero */
	return digits;
}

/* l list, f free the list, e each is to have one, s ask for a file of a device, o open the software
 * device, c close it, F fork, the child going on. */
static int serve(char what, unsigned int number, int in, int out)
{
	struct stat st;

	(void)number;
	(void)in;
	(void)out;
	switch (what) {
	case 'l':
		return get_list();
	case 'f':
		ibv_free_device_list(list);
		return 0;
	case 'e':
		return setenv("CAIRN_LEASE", "host 5", 1);
	case 's':
		return stat("/dev/infiniband/cairn_0", &st);
	case 'o':
		opened = bench_context();
		return opened ? 0 : -errno;
	case 'c':
		return ibv_close_device(opened);
	default:
		if (fork())
			_exit(0);
		alarm(60);
		return 0;
	}
}

static struct other start(void)
{
	return other_start(serve);
}

/* ---------------------------------------------------------------- the list */

/* Each finds one first that nobody else will open; all are there. */
static void first_is_free(void **state)
{
	struct other a = start(), b = start(), c = start(), d = start();

	(void)state;
	assert_int_equal(ask(&a, "l"), 1234);
	assert_int_equal(ask(&b, "l"), 2341);
	assert_int_equal(ask(&c, "l"), 3412);
	/* as before, as long as it has it */
	assert_int_equal(ask(&b, "l"), 2413);
	/* the list that is given back reserves nothing, of two the last */
	assert_int_equal(ask(&a, "f"), 0);
	assert_int_equal(ask(&b, "f"), 0);
	assert_int_equal(ask(&d, "l"), 1423);
	end(&c, SIGKILL);
	assert_int_equal(ask(&a, "l"), 3412);
	end(&a, 0);
	assert_int_equal(ask(&d, "l"), 1342);
	end(&b, 0);
	end(&d, 0);
}

/* All are reserved: one more finds them all, in their order. */
static void all_reserved(void **state)
{
	struct other others[NICS], late = start();
	struct cairn_lease *lease;
	char path[108];

	(void)state;
	for (int i = 0; i < NICS; i++) {
		others[i] = start();
		assert_true(ask(&others[i], "l") / 1000 == i + 1);
	}
	assert_int_equal(ask(&late, "l"), 1234);
	/* what is used comes last */
	path_of(0, "sock", path);
	assert_int_equal(cairn_lease_take(path, &lease), 0);
	assert_int_equal(ask(&late, "l"), 2341);
	cairn_lease_give(lease);
	for (int i = 0; i < NICS; i++)
		end(&others[i], i % 2 ? SIGKILL : 0);
	end(&late, 0);
}

static void one_for_each(void **state)
{
	struct other others[NICS], late = start();

	(void)state;
	assert_int_equal(ask(&late, "e"), 0);
	for (int i = 0; i < NICS; i++) {
		others[i] = start();
		assert_int_equal(ask(&others[i], "e"), 0);
		assert_int_equal(ask(&others[i], "l"), i + 1);
		assert_int_equal(ask(&others[i], "f"), 0);
		assert_int_equal(ask(&others[i], "l"), i + 1);
	}
	assert_int_equal(ask(&late, "l"), -EBUSY);
	end(&others[2], SIGKILL);
	assert_int_equal(ask(&late, "l"), 3);
	/* a child asks for itself */
	end(&others[1], 0);
	tell(&others[3], "F");
	assert_int_equal(hear(&others[3]), 0);
	assert_int_equal(waitpid(others[3].pid, NULL, 0), others[3].pid);
	assert_int_equal(ask(&others[3], "l"), 2);
	tell(&others[3], "q");
	end(&others[0], 0);
	end(&late, 0);
}

static void hold(unsigned int nic)
{
	struct cairn_lease *lease;
	char path[108];

	alarm(60);
	path_of(nic, "sock", path);
	cairn_lease_take(path, &lease);
	pause();
}

/* Who has them and what to do, once. */
static void none_is_free(void **state)
{
	struct other other = start();
	pid_t holders[NICS] = { other.pid };
	char text[108], who[CAIRN_WHO_BYTES];

	(void)state;
	assert_int_equal(ask(&other, "e"), 0);
	assert_int_equal(ask(&other, "l"), 1);
	for (unsigned int i = 1; i < NICS; i++) {
		holders[i] = fork();
		if (!holders[i])
			hold(i);
		path_of(i, "sock", text);
		while (cairn_lease_state(text, who) != CAIRN_LEASE_TAKEN)
			usleep(1000);
	}
	setenv("CAIRN_LEASE", "host 5", 1);
	cairn_set_log(keep_message, NULL);
	times_said = 0;
	assert_int_equal(get_list(), -EBUSY);
	assert_int_equal(get_list(), -EBUSY);
	assert_int_equal(times_said, 1);
	assert_non_null(strstr(said, "no NIC of host 5 is free"));
	for (unsigned int i = 0; i < NICS; i++) {
		snprintf(text, sizeof(text), "cairn_%u by process %d (test_share)", i,
			 (int)holders[i]);
		assert_non_null(strstr(said, text));
	}
	assert_non_null(strstr(said, "--functions"));
	end(&other, 0);
	assert_int_equal(get_list(), 1);
	for (unsigned int i = 1; i < NICS; i++) {
		kill(holders[i], SIGKILL);
		waitpid(holders[i], NULL, 0);
	}
	unsetenv("CAIRN_LEASE");
	assert_int_equal(get_list(), 1234);
}

/* Where no account is kept there is none to have. */
static void cannot_be_kept(void **state)
{
	struct other other = start();
	char path[108];

	(void)state;
	for (unsigned int i = 0; i < NICS; i++) {
		path_of(i, "lease", path);
		unlink(path);
	}
	assert_int_equal(ask(&other, "l"), 1234);
	end(&other, 0);
	other = start();
	assert_int_equal(ask(&other, "e"), 0);
	assert_int_equal(ask(&other, "l"), -ENOENT);
	setenv("CAIRN_SOCKETS", "", 1); /* of nothing nobody takes anything */
	end(&other, 0);
	other = start();
	assert_int_equal(ask(&other, "e"), 0);
	assert_true(ask(&other, "l") <= 0);
	end(&other, 0);
}

/* Who only asks for a file takes nothing. */
static void questions_take_nothing(void **state)
{
	struct other other = start(), asker = start();

	(void)state;
	assert_int_equal(ask(&asker, "e"), 0);
	assert_int_equal(ask(&asker, "s"), 0);
	assert_int_equal(ask(&other, "e"), 0);
	assert_int_equal(ask(&other, "l"), 1);
	assert_int_equal(ask(&asker, "s"), 0);
	assert_int_equal(ask(&asker, "l"), 2);
	assert_int_equal(ask(&asker, "s"), -1); /* it has the other one, and sees no more */
	assert_int_equal(ask(&asker, "l"), 2);
	end(&asker, 0);
	end(&other, 0);
}

/* ---------------------------------------------------------------- a NIC that is open elsewhere */

static void assert_same_answers(struct ibv_context *ctx, struct ibv_context *real)
{
	struct ibv_device_attr_ex attr[2];
	struct ibv_port_attr port[2];
	struct ibv_gid_entry gids[2][8];
	struct ibv_context *both[2] = { ctx, real };
	__be16 pkey[2];

	for (int i = 0; i < 2; i++) {
		memset(&attr[i], 0, sizeof(attr[i]));
		memset(&port[i], 0, sizeof(port[i]));
		memset(gids[i], 0, sizeof(gids[i]));
		assert_int_equal(ibv_query_device_ex(both[i], NULL, &attr[i]), 0);
		assert_int_equal(ibv_query_port(both[i], 1, &port[i]), 0);
		assert_int_equal(ibv_query_pkey(both[i], 1, 0, &pkey[i]), 0);
		assert_int_equal(ibv_query_gid_table(both[i], gids[i], 8, 0), 1);
	}
	assert_memory_equal(&attr[0], &attr[1], sizeof(attr[0]));
	assert_memory_equal(&port[0], &port[1], sizeof(port[0]));
	assert_memory_equal(gids[0], gids[1], sizeof(gids[0]));
	assert_int_equal(pkey[0], pkey[1]);
	assert_int_equal(ctx->num_comp_vectors, real->num_comp_vectors);
	assert_true(attr[0].orig_attr.max_qp > 0);
}

static void no_objects(struct ibv_context *ctx)
{
	struct ibv_cq_init_attr_ex init = { .cqe = 4 };
	struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };

	errno = 0;
	assert_null(ibv_alloc_pd(ctx));
	assert_int_equal(errno, EBUSY);
	errno = 0;
	assert_null(ibv_create_comp_channel(ctx));
	assert_int_equal(errno, EBUSY);
	errno = 0;
	assert_null(ibv_create_cq(ctx, 4, NULL, NULL, 0));
	assert_int_equal(errno, EBUSY);
	errno = 0;
	assert_null(ibv_create_cq_ex(ctx, &init));
	assert_int_equal(errno, EBUSY);
	assert_int_equal(ibv_query_rt_values_ex(ctx, &values), EBUSY);
}

static void looked_at(void **state)
{
	struct other other = start();
	struct ibv_context *ctx, *again, *real;
	struct ibv_pd *pd;

	(void)state;
	assert_int_equal(ask(&other, "o"), 0);
	ctx = bench_context();
	assert_non_null(ctx);
	again = bench_context();
	assert_non_null(again);
	assert_int_equal(bench_nic()->opens, 0);
	no_objects(ctx);
	assert_false(readable(ctx->async_fd, 0));
	assert_int_equal(ibv_close_device(again), 0);
	/* it can be had when the owner has closed it, and the first context stays what it was */
	assert_int_equal(ask(&other, "c"), 0);
	real = bench_context();
	assert_non_null(real);
	assert_int_equal(bench_nic()->opens, 1);
	assert_same_answers(ctx, real);
	no_objects(ctx);
	pd = ibv_alloc_pd(real);
	assert_non_null(pd);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
	/* an event of the device is not lost on it, nor on the other */
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_PORT_ERR, 1, 0);
	assert_true(readable(real->async_fd, 5000));
	assert_int_equal(ask(&other, "o"), 0); /* that process looks now */
	assert_int_equal(ask(&other, "c"), 0);
	assert_int_equal(ibv_close_device(ctx), 0);
	assert_int_equal(bench_nic()->opens, 1);
	pd = ibv_alloc_pd(real);
	assert_non_null(pd);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
	assert_int_equal(ibv_close_device(real), 0);
	assert_int_equal(bench_nic()->opens, 0);
	end(&other, 0);
}

/* What a child inherits of it is no use, as of any context; it may look itself. */
static void looked_at_and_forked(void **state)
{
	struct other other = start();
	struct ibv_context *ctx;
	struct ibv_port_attr port;
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(ask(&other, "o"), 0);
	ctx = bench_context();
	child = fork();
	if (!child) {
		struct ibv_context *own;
		bool bad = ibv_query_port(ctx, 1, &port) != ENODEV || ibv_close_device(ctx);

		own = bench_context();
		_exit(bad || !own || ibv_query_port(own, 1, &port) || ibv_alloc_pd(own));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(ibv_query_port(ctx, 1, &port), 0);
	assert_int_equal(ibv_close_device(ctx), 0);
	end(&other, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SHARE_TEST(first_is_free),	    SHARE_TEST(all_reserved),
		SHARE_TEST(one_for_each),	    SHARE_TEST(cannot_be_kept),
		SHARE_TEST(questions_take_nothing), SHARE_TEST(looked_at),
		SHARE_TEST(looked_at_and_forked),   SHARE_TEST(none_is_free), /* lists itself */
	};

	alarm(60);
	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
