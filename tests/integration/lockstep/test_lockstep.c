// SPDX-License-Identifier: Apache-2.0
/*
 * RTL and golden model in lock-step (lock.h): random requests both ways, on a good wire and on bad
 * ones.
 *
 * RUNS: so many of each kind.  SEED: other runs.  FAULTS=1: the bad wires alone, and longer.
 */
#include "lock.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static struct lock lock;

static bool faults_only(void)
{
	const char *env = getenv("FAULTS");

	return env && *env;
}

static unsigned int runs(unsigned int usual)
{
	const char *env = getenv("RUNS");

	return env && *env ? (unsigned int)atoi(env) : usual;
}

static void repeat(unsigned int kind, unsigned int usual, const struct lock_run *run)
{
	uint64_t packets = 0, ns = 0;

	for (unsigned int i = 0; i < runs(usual); i++) {
		uint64_t begin;

		lock_begin(&lock, kind << 16 | i, run);
		begin = lock_now(&lock);
		lock_run(&lock);
		lock_end(&lock);
		packets += lock.packets;
		ns += lock_now(&lock) - begin;
	}
	print_message("# %llu packets, %llu us\n", (unsigned long long)packets,
		      (unsigned long long)(ns / 1000));
}

static void good_wire(void **state)
{
	const struct lock_run run = { .qps = 4, .messages = 60, .stall = 10 };

	(void)state;
	repeat(1, 1, &run);
}

static void keys(void **state)
{
	const struct lock_run run = { .qps = 4, .messages = 70, .stall = 10, .keys = 30 };

	(void)state;
	repeat(20, 1, &run);
}

static void unreliable(void **state)
{
	const struct lock_run run = {
		.qps = 6, .messages = 60, .stall = 10, .uc = 40, .ud = 40, .rnr = 30
	};

	(void)state;
	repeat(9, 1, &run);
}

static void big(void **state)
{
	const struct lock_run run = { .qps = 2, .messages = 12, .big = 40, .stall = 10 };

	(void)state;
	repeat(2, 1, &run);
}

static void errors(void **state)
{
	(void)state;
	for (enum lock_error e = LOCK_NO_ERROR + 1; e < LOCK_ERRORS; e++) {
		const struct lock_run run = { .qps = 3, .messages = 12, .stall = 10, .error = e };

		repeat(10 + (unsigned int)e, 1, &run);
	}
}

static void late_receives(void **state)
{
	const struct lock_run run = { .qps = 3, .messages = 50, .rnr = 95, .stall = 20 };

	(void)state;
	repeat(3, 1, &run);
}

#define RULES(...)                                     \
	.rules = (const char *const[]){ __VA_ARGS__ }, \
	.n_rules = LEN(((const char *const[]){ __VA_ARGS__ }))

/* On a bad wire. */
static void repeat_bad(unsigned int kind, unsigned int usual, const struct lock_run *run)
{
	struct lock_run shorter = *run;

	if (faults_only()) {
		repeat(kind, usual, run);
		return;
	}
	shorter.messages /= 3;
	shorter.qps = shorter.qps < 4 ? shorter.qps : 4;
	repeat(kind, 1, &shorter);
}

static void losses(void **state)
{
	const struct lock_run run = {
		.qps = 4,
		.messages = 60,
		.stall = 10,
		.rnr = 20,
		RULES("drop p=0.03"),
	};

	(void)state;
	repeat_bad(4, 2, &run);
}

static void duplicates(void **state)
{
	const struct lock_run run = {
		.qps = 4,
		.messages = 60,
		.stall = 10,
		.mtus = 3,
		.keys = 10,
		RULES("dup p=0.05", "dup:3 p=0.01"),
	};

	(void)state;
	repeat_bad(5, 2, &run);
}

static void reordered(void **state)
{
	const struct lock_run run = {
		.qps = 4,
		.messages = 60,
		.stall = 10,
		.mtus = 3,
		RULES("reorder p=0.03", "reorder:3 p=0.02", "delay:12us p=0.01"),
	};

	(void)state;
	repeat_bad(6, 2, &run);
}

static void damaged(void **state)
{
	const struct lock_run run = {
		.qps = 4,
		.messages = 60,
		.stall = 10,
		RULES("corrupt p=0.05", "badfcs p=0.01", "truncate:70 p=0.01", "ecn p=0.1"),
	};

	(void)state;
	repeat_bad(7, 2, &run);
}

static void bad_wire(void **state)
{
	const struct lock_run run = {
		.qps = 6,
		.messages = 60,
		.stall = 15,
		.rnr = 50,
		.big = 2,
		.biggest = 16384, /* each fault within an answer is a READ of the rest of it */
		.mtus = 3,
		.keys = 10,
		RULES("drop p=0.02", "dup p=0.02", "reorder:2 p=0.02", "corrupt p=0.02",
		      "delay:10us p=0.02"),
	};

	(void)state;
	repeat_bad(8, 3, &run);
}

/*
 * More QPs than a small context cache holds (build/lib/few: 8), of all kinds.  Not without being
 * asked for: tests/integration/variants has programs of it alone, with ONLY=crowd.
 */
static void crowd(void **state)
{
	const struct lock_run run = {
		.qps = LOCK_QPS,
		.messages = faults_only() ? 40 : 5,
		.stall = 10,
		.rnr = 20,
		.mtus = 3,
		.keys = 10,
		.uc = 10,
		.ud = 10,
		.mbps = 2000,
		.timeout = 8,
		RULES("drop p=0.02"),
	};

	(void)state;
	repeat(21, 1, &run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(good_wire),	  RDMA_TEST(unreliable), RDMA_TEST(big),
		RDMA_TEST(late_receives), RDMA_TEST(errors),	 RDMA_TEST(keys),
		RDMA_TEST(losses),	  RDMA_TEST(duplicates), RDMA_TEST(reordered),
		RDMA_TEST(damaged),	  RDMA_TEST(bad_wire),	 RDMA_TEST(crowd),
	};
	const struct CMUnitTest faults[] = {
		RDMA_TEST(losses),  RDMA_TEST(duplicates), RDMA_TEST(reordered),
		RDMA_TEST(damaged), RDMA_TEST(bad_wire),   RDMA_TEST(crowd),
	};

	if (!getenv("ONLY") && !faults_only())
		cmocka_set_skip_filter("crowd");
	if (faults_only())
		return RDMA_RUN("lockstep_faults", faults);
	return RDMA_RUN("lockstep", tests);
}
