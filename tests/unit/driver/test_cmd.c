// SPDX-License-Identifier: Apache-2.0
/* The command queue: order, wrap, statuses, threads, time-outs, and answers that make no sense. */
#include <unistd.h>

#include "driver_test.h"

static int nop(struct cairn_dev *dev)
{
	struct cairn_request request = { .op = CAIRN_CMD_OP_NOP };

	return cairn_cmd(dev, &request);
}

/* Indices wrap at 2^16, phases every 64. */
static void rings_wrap(void **state)
{
	struct cairn_dev *dev = test_open();

	(void)state;
	for (unsigned int i = 0; i < 66000; i++)
		assert_int_equal(nop(dev), 0);
	assert_true(fakes[0].commands > 66000);
	cairn_close(dev);
}

static void statuses(void **state)
{
	static const struct {
		uint32_t status;
		int err;
		const char *part;
	} expect[] = {
		{ CAIRN_CMD_STATUS_BAD_OP, -EOPNOTSUPP, "BAD_OP" },
		{ CAIRN_CMD_STATUS_BAD_PARAM, -EINVAL, "out of range" },
		{ CAIRN_CMD_STATUS_BAD_INDEX, -EINVAL, "outside its table" },
		{ CAIRN_CMD_STATUS_BAD_STATE, -EINVAL, "state" },
		{ CAIRN_CMD_STATUS_BUSY, -EBUSY, "destroy that first" },
		{ CAIRN_CMD_STATUS_EXISTS, -EBUSY, "in use already" },
		{ CAIRN_CMD_STATUS_NOT_SUPPORTED, -EOPNOTSUPP, "cairn info" },
		{ CAIRN_CMD_STATUS_NO_RESOURCE, -ENOSPC, "free some" },
		{ CAIRN_CMD_STATUS_DMA_ERROR, -EIO, "host memory" },
		{ CAIRN_CMD_STATUS_TIMEOUT, -ETIMEDOUT, "network" },
		{ CAIRN_CMD_STATUS_BAD_MASK, -EINVAL, "attributes" },
	};
	struct cairn_dev *dev = test_open();

	(void)state;
	for (size_t i = 0; i < sizeof(expect) / sizeof(*expect); i++) {
		fakes[0].fail_command = 0;
		fakes[0].fail_status = expect[i].status;
		assert_int_equal(nop(dev), expect[i].err);
		assert_message(expect[i].part);
		assert_message("NOP");
		assert_int_equal(nop(dev), 0);
	}
	cairn_close(dev);
}

/* The message says which field. */
static void detail(void **state)
{
	struct cairn_dev *dev = test_open();
	struct cairn_request eq = {
		.op = CAIRN_CMD_OP_CREATE_EQ, .number = 9, .ptr = 4096, .arg = { 3 }
	};
	struct cairn_cq_create attr = { .base = 64, .ci_iova = 3 };
	struct cairn_request cq = { .op = CAIRN_CMD_OP_CREATE_CQ,
				    .in = &attr,
				    .len = sizeof(attr) };

	(void)state;
	assert_int_equal(cairn_cmd(dev, &eq), -EINVAL);
	assert_message("word 4 of the command");
	assert_int_equal(cairn_cmd(dev, &cq), -EINVAL);
	assert_message("word 2 of the attributes");
	cairn_close(dev);
}

static void lost_with(uint32_t status, const char *part)
{
	struct cairn_dev *dev = test_open();
	struct cairn_dev *again;
	unsigned int resets = fakes[0].resets;

	fakes[0].fail_command = 0;
	fakes[0].fail_status = status;
	assert_int_equal(nop(dev), -EIO);
	assert_message(part);
	assert_int_equal(fakes[0].resets, resets + 1); /* it is stopped */
	assert_true(cairn_dev_gone(dev));
	assert_int_equal(nop(dev), -ENODEV);
	assert_message("close it and open it again");
	assert_int_equal(cairn_open("fake:0", NULL, &again), -ENODEV);
	cairn_close(dev);
	cairn_close(test_open());
}

static void internal_error_loses_the_device(void **state)
{
	(void)state;
	lost_with(CAIRN_CMD_STATUS_INTERNAL, "internal");
	lost_with(200, "internal");
}

static void no_answer(void **state)
{
	struct cairn_dev *dev = test_open();
	uint64_t before = fakes[0].now;

	(void)state;
	fakes[0].drop_command = 0;
	assert_int_equal(nop(dev), -EIO);
	assert_message("no answer to NOP in 50 ms");
	assert_in_range(fakes[0].now - before, 50 * NS_PER_MS, 52 * NS_PER_MS);
	assert_int_equal(nop(dev), -ENODEV);
	cairn_close(dev);
}

static void fatal_status(void **state)
{
	struct cairn_dev *dev = test_open();

	(void)state;
	fakes[0].hold = true;
	fakes[0].status |= CAIRN_REG_STATUS_FATAL;
	assert_int_equal(nop(dev), -EIO);
	assert_message("fatal device error during NOP");
	cairn_close(dev);
}

static void nonsense_completions(void **state)
{
	struct cairn_dev *dev = test_open();

	(void)state;
	fakes[0].spoil_id = 1;
	assert_int_equal(nop(dev), -EIO);
	assert_message("not outstanding");
	cairn_close(dev);
	dev = test_open();
	fakes[0].spoil_index = 1;
	assert_int_equal(nop(dev), -EIO);
	assert_message("wrong index");
	cairn_close(dev);
}

static void device_vanishes(void **state)
{
	struct cairn_dev *dev = test_open();

	(void)state;
	fakes[0].hold = true;
	fakes[0].die_at = 100;
	assert_int_equal(nop(dev), -ENODEV);
	assert_true(cairn_dev_gone(dev));
	cairn_close(dev);
}

/* ---------------------------------------------------------------- threads */

#define THREADS 80 /* more than the ring has entries */

struct worker {
	pthread_t thread;
	struct cairn_dev *dev;
	unsigned int index;
	int result;
};

/* Each asks for a MAC that tells whose answer it got. */
static void *resolver(void *arg)
{
	struct worker *w = arg;

	for (uint32_t i = 0; i < 20 && !w->result; i++) {
		uint8_t gid[16] = { [10] = 0xff,       0xff,	  10, (uint8_t)w->index,
				    (uint8_t)(i >> 8), (uint8_t)i };
		uint64_t mac = 0;

		w->result = cairn_resolve(w->dev, 0, gid, &mac);
		if (!w->result && mac != (0x020000000000 | 10u << 24 | w->index << 16 | i))
			w->result = 1;
	}
	return NULL;
}

static void *one_resolver(void *arg)
{
	struct worker *w = arg;
	uint8_t gid[16] = { [10] = 0xff, 0xff, 10, (uint8_t)w->index };
	uint64_t mac;

	w->result = cairn_resolve(w->dev, 0, gid, &mac);
	return NULL;
}

static void run_threads(struct cairn_dev *dev, void *(*fn)(void *), int expect)
{
	static struct worker workers[THREADS];

	for (unsigned int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .dev = dev, .index = i };
		assert_int_equal(pthread_create(&workers[i].thread, NULL, fn, &workers[i]), 0);
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		if (expect <= 0)
			assert_int_equal(workers[i].result, expect);
	}
}

static void completions_in_any_order(void **state)
{
	struct cairn_opts opts = test_opts();
	struct cairn_dev *dev;

	(void)state;
	opts.timeout_ms = 60000;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	fakes[0].reorder = true;
	run_threads(dev, resolver, 0);
	cairn_close(dev);
}

/* Each command takes most of the limit, and they are worked off one by one: nobody gives up. */
static void slow_but_alive(void **state)
{
	struct cairn_opts opts = test_opts();
	struct cairn_dev *dev;
	uint64_t before;

	(void)state;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	before = fakes[0].now;
	fakes[0].pace = 40 * NS_PER_MS;
	run_threads(dev, one_resolver, 0);
	assert_true(fakes[0].now - before > THREADS * 30 * NS_PER_MS);
	fakes[0].pace = 60 * NS_PER_MS;
	assert_int_equal(nop(dev), -EIO);
	assert_message("no answer to NOP in 50 ms");
	cairn_close(dev);
}

/* A simulated device has little time of its own: it is given enough of that, unless it stands. */
static void slow_clock(void **state)
{
	static const struct {
		unsigned int slow;
		uint64_t pace, lost_after; /* ms */
	} cases[] = { { 10, 240, 0 }, { 10, 400, 250 }, { UINT32_MAX, 1000, 50 } };

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct cairn_dev *dev = test_open();
		uint64_t before = fakes[0].now;

		fakes[0].slow = cases[i].slow;
		fakes[0].pace = cases[i].pace * NS_PER_MS;
		assert_int_equal(nop(dev), cases[i].lost_after ? -EIO : 0);
		if (cases[i].lost_after)
			assert_in_range(fakes[0].now - before, cases[i].lost_after * NS_PER_MS,
					(cases[i].lost_after + 60) * NS_PER_MS);
		fakes[0].slow = 0;
		fakes[0].pace = 0;
		cairn_close(dev);
	}
}

static void *pd_user(void *arg)
{
	struct worker *w = arg;

	for (int i = 0; i < 10 && !w->result; i++) {
		struct cairn_pd *pd;
		struct cairn_mr *mr;

		w->result = cairn_alloc_pd(w->dev, &pd);
		if (w->result)
			break;
		w->result = cairn_reg_mr(pd, w, sizeof(*w), 0, CAIRN_ACCESS_LOCAL_WRITE, &mr);
		if (!w->result)
			w->result = cairn_dealloc_pd(pd) == -EBUSY ? 0 : 1;
		if (!w->result)
			w->result = cairn_dereg_mr(mr);
		if (!w->result)
			w->result = cairn_dealloc_pd(pd);
	}
	return NULL;
}

static void objects_from_many_threads(void **state)
{
	struct cairn_opts opts = test_opts();
	struct cairn_dev *dev;

	(void)state;
	opts.timeout_ms = 60000;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	fakes[0].reorder = true;
	run_threads(dev, pd_user, 0);
	cairn_close(dev);
}

/* All waiters of a dying device come back. */
static void everybody_is_woken(void **state)
{
	struct cairn_opts opts = test_opts();
	struct cairn_dev *dev;

	(void)state;
	opts.timeout_ms = 600000;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	fakes[0].hold = true;
	fakes[0].die_at = 20000;
	run_threads(dev, resolver, -ENODEV);
	cairn_close(dev);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DRIVER_TEST(rings_wrap),
		DRIVER_TEST(statuses),
		DRIVER_TEST(detail),
		DRIVER_TEST(internal_error_loses_the_device),
		DRIVER_TEST(no_answer),
		DRIVER_TEST(fatal_status),
		DRIVER_TEST(nonsense_completions),
		DRIVER_TEST(device_vanishes),
		DRIVER_TEST(completions_in_any_order),
		DRIVER_TEST(slow_but_alive),
		DRIVER_TEST(slow_clock),
		DRIVER_TEST(objects_from_many_threads),
		DRIVER_TEST(everybody_is_woken),
	};

	return cmocka_run_group_tests_name("cmd", tests, NULL, NULL);
}
