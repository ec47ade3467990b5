// SPDX-License-Identifier: Apache-2.0
/* A NIC that another process has open: what can be seen of it, that it is true and stays so, and
 * that nothing else can be done with it. */
#include <fcntl.h>

#include "lease.h"
#include "other.h"

static char dir[64], file[96];
static struct cairn_dev *mine;

static int setup(void **state)
{
	char name[] = "/tmp/cairn-look-XXXXXX";
	int fd;

	test_setup(state);
	snprintf(dir, sizeof(dir), "%s", mkdtemp(name));
	snprintf(file, sizeof(file), "%s/fake:0.lease", dir);
	fd = open(file, O_CREAT | O_RDWR, 0600);
	close(fd);
	fake_leases = dir;
	return fd < 0;
}

static int teardown(void **state)
{
	fake_leases = NULL;
	unlink(file);
	return rmdir(dir) || test_teardown(state);
}

#define LOOK_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static int open_it(bool look, unsigned int timeout_ms, struct cairn_dev **dev)
{
	struct cairn_opts opts = test_opts();

	opts.look = look;
	opts.timeout_ms = timeout_ms;
	return cairn_open("fake:0", &opts, dev);
}

static void count(void *arg, const struct cairn_event *event)
{
	(void)event;
	++*(int *)arg;
}

/* The port changes, and the owner hears of it. */
static int change_port(uint32_t state)
{
	int n = 0;

	fakes[0].port.state = state;
	fake_event(&fakes[0], 0, state == 4 ? CAIRN_EQE_TYPE_PORT_ACTIVE : CAIRN_EQE_TYPE_PORT_ERR,
		   1, 0);
	cairn_poll_events(mine, CAIRN_VECTOR_ASYNC, count, &n);
	return n;
}

/* o open, O open slowly, c close, k keep, l take the lease alone, p N port is in state N, g N GID N
 * changes, w publish what nobody understands. */
static int owner(char what, unsigned int number, int in, int out)
{
	static struct cairn_lease *lease;
	const char *addr = "fake:0";
	uint8_t gid[16] = { 0xfd, [15] = 77 };

	(void)in;
	(void)out;
	switch (what) {
	case 'O':
		cairn_lease_take(addr, &lease);
		usleep(600000); /* longer than an owner that goes away is waited for */
		return open_it(false, 1000, &mine);
	case 'o':
		return open_it(false, 1000, &mine);
	case 'c':
		cairn_close(mine);
		return 0;
	case 'k':
		return cairn_lease_keep(&addr, 1);
	case 'l':
		return cairn_lease_take(addr, &lease);
	case 'w':
		return cairn_lease_publish(lease, gid, sizeof(gid));
	case 'g':
		return cairn_set_gid(mine, number, gid, CAIRN_GID_VLAN | 5);
	default:
		return change_port(number);
	}
}

/* The owner's device is the same in its own process. */
static void sees_what_is(void **state)
{
	struct other other = other_start(owner);
	struct cairn_dev_caps seen, real;
	struct cairn_port_attr port;
	struct cairn_dev *dev, *own;
	uint8_t gid[16], own_gid[16];
	uint32_t vlan, id, build;

	(void)state;
	assert_int_equal(ask(&other, "o"), 0);
	assert_int_equal(open_it(true, 1000, &dev), 0);
	assert_true(cairn_dev_looks(dev));
	assert_false(cairn_dev_gone(dev));
	assert_string_equal(cairn_dev_name(dev), "fake:0");
	assert_int_equal(cairn_query_device(dev, &seen), 0);
	assert_int_equal(cairn_query_port(dev, &port), 0);
	assert_memory_equal(&port, &fakes[0].port, sizeof(port));
	assert_int_equal(cairn_query_gid(dev, 0, gid, &vlan), 0);
	assert_int_equal(cairn_query_gid(dev, 5, gid, NULL), -ENOENT);
	assert_int_equal(cairn_read_reg(dev, CAIRN_REG_ID, &id), 0);
	assert_int_equal(cairn_read_reg(dev, CAIRN_REG_BUILD, &build), 0);
	assert_int_equal(cairn_comp_vectors(dev), 3);
	/* changes of the owner's */
	assert_int_equal(ask(&other, "p1"), 1);
	assert_int_equal(cairn_query_port(dev, &port), 0);
	assert_int_equal(port.state, 1);
	assert_int_equal(ask(&other, "p4"), 1);
	assert_int_equal(ask(&other, "g5"), 0);
	assert_int_equal(cairn_query_port(dev, &port), 0);
	assert_int_equal(port.state, 4);
	assert_int_equal(cairn_query_gid(dev, 5, gid, &vlan), 0);
	assert_int_equal(gid[15], 77);
	assert_int_equal(vlan, CAIRN_GID_VLAN | 5);
	/* it stays what it was when its owner has gone, and the NIC can be had */
	end(&other, SIGKILL);
	assert_int_equal(cairn_query_port(dev, &port), 0);
	assert_int_equal(port.state, 4);
	assert_int_equal(open_it(true, 1000, &own), 0);
	assert_false(cairn_dev_looks(own));
	assert_int_equal(cairn_query_device(own, &real), 0);
	assert_memory_equal(&seen, &real, sizeof(seen));
	assert_int_equal(cairn_query_gid(own, 0, own_gid, NULL), 0);
	assert_int_equal(cairn_query_gid(dev, 0, gid, NULL), 0);
	assert_memory_equal(gid, own_gid, 16);
	assert_int_equal(cairn_read_reg(own, CAIRN_REG_ID, &vlan), 0);
	assert_int_equal(id, vlan);
	assert_int_equal(cairn_read_reg(own, CAIRN_REG_BUILD, &vlan), 0);
	assert_int_equal(build, vlan);
	cairn_close(dev);
	cairn_close(own);
}

/* Nothing can be made, nothing else be asked. */
static void and_nothing_else(void **state)
{
	struct other other = other_start(owner);
	struct cairn_dev *dev, *second;
	struct cairn_dma dma;
	struct cairn_pd *pd;
	struct cairn_cq *cq;
	struct cairn_db *db;
	uint32_t value;
	uint64_t wide;
	int n = 0;

	(void)state;
	assert_int_equal(ask(&other, "o"), 0);
	assert_int_equal(open_it(true, 1000, &dev), 0);
	assert_int_equal(open_it(true, 1000, &second), 0);
	assert_ptr_not_equal(dev, second);
	cairn_close(second);
	assert_int_equal(cairn_alloc_pd(dev, &pd), -EBUSY);
	assert_message("(test_look) has it");
	assert_message("looked at");
	assert_int_equal(cairn_create_cq(dev, 10, 0, NULL, NULL, &cq), -EBUSY);
	assert_int_equal(cairn_alloc_db(dev, &db), -EBUSY);
	assert_int_equal(cairn_dma_alloc(dev, 4096, &dma), -EBUSY);
	assert_int_equal(cairn_set_gid(dev, 0, NULL, 0), -EBUSY);
	assert_int_equal(cairn_set_port(dev, 0), -EBUSY);
	assert_int_equal(cairn_resolve(dev, 0, (const uint8_t[16]){ 1 }, &wide), -EBUSY);
	assert_int_equal(cairn_query_time(dev, &wide), -EBUSY);
	assert_int_equal(cairn_read_counter(dev, 0, &wide), -EBUSY);
	assert_int_equal(cairn_read_reg(dev, CAIRN_REG_STATUS, &value), -EBUSY);
	assert_int_equal(cairn_poll_events(dev, 0, count, &n), -EINVAL);
	assert_int_equal(cairn_wait_event(dev, CAIRN_VECTOR_ASYNC, 0), -EINVAL);
	cairn_relax(dev, 0);
	assert_int_equal(open_it(false, 1000, &second), -EBUSY); /* who does not only look */
	assert_message("(test_look) has this NIC");
	end(&other, 0);
	/* the owner has gone: this one stays as it is, and says what to do */
	assert_int_equal(cairn_alloc_pd(dev, &pd), -EBUSY);
	assert_message("open it again");
	cairn_close(dev);
}

/* An owner that is opening it is waited for; one that only keeps it is not. */
static void not_open_yet(void **state)
{
	struct other other = other_start(owner);
	struct cairn_dev *dev;

	(void)state;
	tell(&other, "O");
	while (cairn_lease_read("fake:0", &dev, 1) == -ENOENT)
		usleep(1000);
	assert_int_equal(open_it(true, 30000, &dev), 0);
	assert_true(cairn_dev_looks(dev));
	assert_int_equal(hear(&other), 0);
	cairn_close(dev);
	end(&other, SIGKILL);
	other = other_start(owner);
	assert_int_equal(ask(&other, "k"), 0);
	assert_int_equal(open_it(true, 30000, &dev), -EBUSY);
	assert_message("has not opened it yet");
	assert_int_equal(ask(&other, "o"), 0);
	assert_int_equal(open_it(true, 1000, &dev), 0);
	cairn_close(dev);
	assert_int_equal(ask(&other, "c"), 0);
	assert_int_equal(open_it(true, 30000, &dev), -EBUSY);
	assert_message("has not opened it yet");
	end(&other, 0);
	/* one that takes it and says nothing, and one of another release */
	other = other_start(owner);
	assert_int_equal(ask(&other, "l"), 0);
	assert_int_equal(open_it(true, 50, &dev), -EBUSY);
	assert_message("does not say");
	assert_int_equal(ask(&other, "w"), 0);
	assert_int_equal(open_it(true, 50, &dev), -EBUSY);
	assert_message("another release");
	end(&other, 0);
}

/* What the owner published last is not seen when there is a new one. */
static void closed_and_opened(void **state)
{
	struct other other = other_start(owner);
	struct cairn_dev *dev, *own;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ask(&other, "o"), 0);
		assert_int_equal(open_it(true, 1000, &dev), 0);
		assert_true(cairn_dev_looks(dev));
		cairn_close(dev);
		assert_int_equal(ask(&other, "c"), 0);
		assert_int_equal(open_it(true, 1000, &own), 0);
		assert_false(cairn_dev_looks(own));
		assert_int_equal(open_it(true, 1000, &dev), 0); /* shared, as ever */
		assert_ptr_equal(own, dev);
		assert_int_equal(ask(&other, "o"), -EBUSY);
		cairn_close(own);
		cairn_close(dev);
	}
	end(&other, 0);
}

static void child_has_nothing(void **state)
{
	struct other other = other_start(owner);
	struct cairn_port_attr port;
	struct cairn_dev *dev;
	struct cairn_pd *pd;
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(ask(&other, "o"), 0);
	assert_int_equal(open_it(true, 1000, &dev), 0);
	child = fork();
	if (!child) {
		bool bad = cairn_query_port(dev, &port) != -ENODEV ||
			   cairn_alloc_pd(dev, &pd) != -ENODEV;

		cairn_close(dev);
		_exit(bad || open_it(true, 1000, &dev) || !cairn_dev_looks(dev));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(cairn_query_port(dev, &port), 0);
	cairn_close(dev);
	end(&other, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOK_TEST(sees_what_is),      LOOK_TEST(and_nothing_else),  LOOK_TEST(not_open_yet),
		LOOK_TEST(closed_and_opened), LOOK_TEST(child_has_nothing),
	};

	alarm(60);
	return cmocka_run_group_tests_name("look", tests, NULL, NULL);
}
