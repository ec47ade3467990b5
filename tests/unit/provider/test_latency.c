// SPDX-License-Identifier: Apache-2.0
/*
 * Latencies of send work requests as the provider counts them: of a simulated NIC, whose time the
 * test makes, to the nanosecond, in the slot of the right QP; nothing while no tool watches; and of
 * a PCI function, whose clock runs otherwise than the system's.
 */
#include "latency_bench.h"

#define NEVER UINT64_MAX

/* Every length to the nanosecond: in its bucket, in the sum, the longest kept. */
static void to_the_nanosecond(void **state)
{
	uint64_t want[LAT_BUCKETS] = { 0 }, sum = 0, max = 0;
	const struct lat_slot *slot;
	struct nic *nic;

	(void)state;
	setenv("CAIRN_STATS", "1", 1);
	nic = open_simulated();
	for (unsigned int i = 0; i < 3000; i++) {
		uint64_t ns = rng_u64(&rng) >> (rng_u64(&rng) % 46 + 18);

		one(b.qp, ns);
		want[lat_bucket(ns)]++;
		sum += ns;
		max = ns > max ? ns : max;
	}
	slot = slot_of(nic, b.qp);
	assert_memory_equal(slot->bucket, want, sizeof(want));
	assert_int_equal(slot->count, 3000);
	assert_int_equal(slot->sum, sum);
	assert_int_equal(slot->max, max);
	assert_int_equal(nic->lat.page->head.early, 0);
	close_nic();
}

/* Without a completion, or with an error, nothing is counted; one that is stamped before it was
 * posted is told apart.  Time is that of the call, of a whole list. */
static void which_ones(void **state)
{
	struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_SEND };
	const struct lat_slot *slot;
	struct ibv_qp_ex *ex;
	uint64_t posted;
	struct nic *nic;
	uint32_t at;

	(void)state;
	setenv("CAIRN_STATS", "1", 1);
	nic = open_simulated();
	slot = slot_of(nic, b.qp);
	at = b.qp->hw->sq_pi;
	posted = device->device;
	assert_int_equal(post_at(b.qp, 3, IBV_SEND_SIGNALED), 0);
	device->device += 5000;
	complete(b.qp, at, posted + 100, 0);
	complete(b.qp, at + 1, posted + 200, CAIRN_WC_STATUS_WR_FLUSH_ERR);
	complete(b.qp, at + 2, posted + 300, 0);
	assert_int_equal(slot->count, 2);
	assert_int_equal(slot->sum, 400);
	/* the last of three has a completion */
	at = b.qp->hw->sq_pi;
	assert_int_equal(post_at(b.qp, 2, 0), 0);
	device->device += 1000;
	posted = device->device;
	assert_int_equal(ibv_post_send(&b.qp->ibv, &wr, &bad), 0);
	complete(b.qp, at + 2, posted + 70, 0);
	assert_int_equal(slot->count, 3);
	assert_int_equal(slot->sum, 470);
	at = b.qp->hw->sq_pi;
	posted = device->device;
	assert_int_equal(post_at(b.qp, 1, IBV_SEND_SIGNALED), 0);
	complete(b.qp, at, posted - 1, 0);
	assert_int_equal(slot->count, 3);
	assert_int_equal(nic->lat.page->head.early, 1);
	/* from ibv_wr_start() */
	ex = ibv_qp_to_qp_ex(&b.qp->ibv);
	at = b.qp->hw->sq_pi;
	posted = device->device;
	ibv_wr_start(ex);
	device->device += 1000;
	ex->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_send(ex);
	assert_int_equal(ibv_wr_complete(ex), 0);
	complete(b.qp, at, posted + 1500, 0);
	assert_int_equal(slot->sum, 1970);
	/* device time is not known: a simulator that died in the midst of a change */
	device->seq = 1;
	one(b.qp, 10);
	assert_int_equal(slot->count, 4);
	close_nic();
}

/* ---------------------------------------------------------------- who watches */

static void only_while_somebody_watches(void **state)
{
	const struct lat_slot *slot;
	uint64_t *watch;
	struct nic *nic;

	(void)state;
	for (int way = 0; way < 2; way++) {
		if (way)
			setenv("CAIRN_STATS", "0", 1);
		nic = open_simulated();
		slot = slot_of(nic, b.qp);
		watch = (uint64_t *)b.qp->watch;
		assert_ptr_equal(watch, &nic->lat.page->head.watch);
		one(b.qp, 10);
		assert_int_equal(b.qp->sq[0].posted, 0);
		assert_int_equal(slot->count, 0);
		/* what was posted before is not counted, what is posted now is */
		assert_int_equal(post_at(b.qp, 1, IBV_SEND_SIGNALED), 0);
		*watch = devtime_wall() + 3600000000000u;
		complete(b.qp, b.qp->hw->sq_pi - 1, device->device + 5, 0);
		assert_int_equal(slot->count, 0);
		for (unsigned int i = 1; i < 600; i++) {
			one(b.qp, 10);
			assert_int_equal(slot->count, i);
		}
		assert_true(*watch);
		/* who watched is gone, and that is found out after some more */
		*watch = devtime_wall() - 1;
		for (unsigned int i = 0; i < 300 && *watch; i++)
			one(b.qp, 10);
		assert_int_equal(*watch, 0);
		assert_int_equal(slot->count % 256, 0);
		one(b.qp, 10);
		assert_int_equal(slot->count % 256, 0);
		close_nic();
	}
	setenv("CAIRN_STATS", "1", 1);
	nic = open_simulated();
	for (unsigned int i = 0; i < 1000; i++)
		one(b.qp, 10);
	assert_int_equal(all_counted(nic), 1000);
	assert_true(nic->lat.page->head.watch == NEVER);
	close_nic();
}

/* ---------------------------------------------------------------- whose slot */

/* A QP begins again at zero after a reset; what it had counted stays in the device's sum. */
static void reset_and_gone(void **state)
{
	const struct lat_slot *slot;
	struct qp *second;
	uint32_t life;
	struct nic *nic;

	(void)state;
	setenv("CAIRN_STATS", "1", 1);
	nic = open_simulated();
	slot = slot_of(nic, b.qp);
	for (unsigned int i = 0; i < 7; i++)
		one(b.qp, 100);
	life = nic->lat.page->head.owner[b.qp->lat].life;
	reset_qp(b.qp);
	assert_int_not_equal(nic->lat.page->head.owner[b.qp->lat].life, life);
	assert_ptr_equal(slot_of(nic, b.qp), slot);
	assert_int_equal(slot->count, 0);
	assert_int_equal(slot->sum + slot->max, 0);
	assert_int_equal(all_counted(nic), 7);
	one(b.qp, 50);
	assert_int_equal(slot->count, 1);
	/* one that is gone can still be read, until somebody else needs its place */
	second = bench_qp(&b, NULL);
	assert_int_not_equal(second->lat, b.qp->lat);
	one(second, 40);
	slot = slot_of(nic, second);
	assert_int_equal(ibv_destroy_qp(&second->ibv), 0);
	assert_int_equal(slot->count, 1);
	assert_int_equal(all_counted(nic), 9);
	assert_int_equal(nic->lat.page->head.seq & 1, 0);
	close_nic();
}

/* More QPs than there are slots: the rest shares one, and no request is lost or counted twice,
 * whoever comes and goes. */
static void more_than_fit(void **state)
{
	static struct qp *qps[LAT_SLOTS + 20];
	const unsigned int n = sizeof(qps) / sizeof(*qps);
	uint64_t counted = 0;
	unsigned int shared = 0;
	struct nic *nic;

	(void)state;
	setenv("CAIRN_STATS", "1", 1);
	nic = open_simulated();
	for (unsigned int i = 0; i < n; i++) {
		qps[i] = bench_qp(&b, NULL);
		assert_non_null(qps[i]);
		shared += !qps[i]->lat;
		for (unsigned int j = 0; j < i; j++)
			assert_true(!qps[i]->lat || qps[i]->lat != qps[j]->lat);
		assert_true(qps[i]->lat != b.qp->lat);
		one(qps[i], i);
		counted++;
	}
	assert_int_equal(shared, n - (LAT_SLOTS - 2));
	assert_int_equal(nic->lat.page->slot[0].count, shared);
	for (unsigned int round = 0; round < 500; round++) {
		unsigned int i = (unsigned int)(rng_u64(&rng) % n);

		if (qps[i]) {
			assert_int_equal(ibv_destroy_qp(&qps[i]->ibv), 0);
			qps[i] = NULL;
		} else {
			qps[i] = bench_qp(&b, NULL);
			one(qps[i], 99);
			counted++;
		}
		i = (unsigned int)(rng_u64(&rng) % n);
		if (qps[i]) {
			one(qps[i], 5);
			counted++;
		}
		assert_int_equal(all_counted(nic), counted);
	}
	for (unsigned int i = 0; i < n; i++)
		if (qps[i])
			assert_int_equal(ibv_destroy_qp(&qps[i]->ibv), 0);
	assert_int_equal(all_counted(nic), counted);
	assert_true(nic->lat.page->head.used <= LAT_SLOTS);
	/* places of those that are gone are to be had again */
	for (unsigned int i = 0; i < LAT_SLOTS - 2; i++) {
		qps[i] = bench_qp(&b, NULL);
		assert_true(qps[i]->lat);
	}
	for (unsigned int i = 0; i < LAT_SLOTS - 2; i++)
		assert_int_equal(ibv_destroy_qp(&qps[i]->ibv), 0);
	assert_int_equal(all_counted(nic), counted);
	close_nic();
}

/* ---------------------------------------------------------------- a function */

#define FACTOR 3
#define AHEAD 1000000000000000u

/* Its clock is far ahead of the system's, and three times as fast. */
static uint64_t function_time(void)
{
	return FACTOR * devtime_wall() + AHEAD;
}

/* Between the pairs and behind them, at any rate. */
static void lines(void **state)
{
	struct wall wall = { .device = { 1000, 4000 }, .system = { 500000, 501000 } };

	(void)state;
	assert_int_equal(wall_device(&wall, 501000), 4000);
	assert_int_equal(wall_device(&wall, 500000), 1000);
	assert_int_equal(wall_device(&wall, 501100), 4300);
	assert_int_equal(wall_device(&wall, 500900), 3700);
	wall.system[1] = 500000 + 6000;
	assert_int_equal(wall_device(&wall, 506002), 4001);
}

/*
 * No post reads a register: time comes from pairs that are taken when completions are polled, two
 * before anything is measured, and some a second from then on.  A wrong line would be hours off.
 */
static void functions(void **state)
{
	const struct lat_slot *slot;
	struct nic *nic;
	unsigned int calls;
	uint64_t count;

	(void)state;
	setenv("CAIRN_STATS", "1", 1);
	fakes[0].clock = function_time;
	nic = open_nic(ALIAS_FUNCTION);
	assert_non_null(nic->lat.page);
	slot = slot_of(nic, b.qp);
	/* a machine that is busy makes the odd pair a bad one, which the next one mends */
	for (unsigned int i = 0; slot->count < 20; i++) {
		uint32_t at = b.qp->hw->sq_pi;

		assert_true(i < 20000);
		calls = fakes[0].calls;
		assert_int_equal(post_at(b.qp, 1, IBV_SEND_SIGNALED), 0);
		/* the doorbell alone */
		assert_in_range(fakes[0].calls - calls, 0, 1);
		if (nic->lat.clock.pairs < 2)
			assert_int_equal(b.qp->sq[at & b.qp->sq_mask].posted, LAT_ASK);
		complete(b.qp, at, function_time(), 0);
		assert_true(nic->lat.clock.pairs > 0);
		usleep(1000);
	}
	assert_true(slot->max < 3600000000000u);
	/* a line that nobody has renewed for long is not used */
	count = slot->count;
	nic->lat.clock.system[1] -= 2000000000u;
	assert_int_equal(post_at(b.qp, 1, IBV_SEND_SIGNALED), 0);
	assert_int_equal(b.qp->sq[(b.qp->hw->sq_pi - 1) & b.qp->sq_mask].posted, LAT_ASK);
	complete(b.qp, b.qp->hw->sq_pi - 1, function_time(), 0);
	assert_int_equal(slot->count, count);
	close_nic();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LATENCY_TEST(to_the_nanosecond),
		LATENCY_TEST(which_ones),
		LATENCY_TEST(only_while_somebody_watches),
		LATENCY_TEST(reset_and_gone),
		LATENCY_TEST(more_than_fit),
		cmocka_unit_test(lines),
		LATENCY_TEST(functions),
	};

	return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}
