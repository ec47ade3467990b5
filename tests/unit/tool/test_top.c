// SPDX-License-Identifier: Apache-2.0
/*
 * cairn top: what it makes of pages that the test writes.  Rates to the last figure, in device time
 * and the wall's; simulators and programs that come, go and begin again; latencies of an interval;
 * which drops it knows; sorting and choosing.
 */
#include "top_bench.h"

#include <signal.h>
#include <sys/wait.h>

/* ---------------------------------------------------------------- rates */

static void rates(void **state)
{
	(void)state;
	take();
	assert_false(row("nic0")->known[TOP_TX_BITS]);
	/* 12500 bytes in 10 us of the device and 50 ms of the wall */
	add(0, "tx_bytes", 12500);
	add(0, "rx_bytes", 2500);
	add(0, "tx_packets", 20);
	add(0, "rx_packets", 10);
	add(0, "rx_send_requests", 1);
	add(0, "rx_write_requests", 2);
	add(0, "rx_read_requests", 3);
	add(0, "rx_atomic_requests", 4);
	later(0, 10000, 50 * MS);
	write_page(0);
	take();
	is(row("nic0"), TOP_TX_BITS, 10e9);
	is(row("nic0"), TOP_RX_BITS, 2e9);
	is(row("nic0"), TOP_TX_PACKETS, 2e6);
	is(row("nic0"), TOP_RX_PACKETS, 1e6);
	is(row("nic0"), TOP_MESSAGES, 1e6);
	is(row("nic0"), TOP_WALL + TOP_TX_BITS, 2e6);
	is(row("nic0"), TOP_WALL + TOP_RX_BITS, 4e5);
	is(row("nic0"), TOP_WALL + TOP_TX_PACKETS, 400);
	is(row("nic0"), TOP_WALL + TOP_MESSAGES, 200);
	assert_string_equal(row("nic0")->state, "up");
	/* not read again: what is known of it, also when it was refreshed in between */
	add(0, "sim_time_ns", 3000);
	add(0, "sim_wall_ns", 20 * MS);
	write_page(0);
	take();
	is(row("nic0"), TOP_TX_BITS, 10e9);
	take();
	is(row("nic0"), TOP_TX_BITS, 10e9);
	/* nothing is counted while the device's clock runs on */
	later(0, 10000, 50 * MS);
	write_page(0);
	take();
	is(row("nic0"), TOP_TX_BITS, 0);
}

/* Counters that nobody has read for long are those of an idle NIC. */
static void idle(void **state)
{
	uint64_t wall = devtime_wall();

	(void)state;
	new_page(0, (uint32_t)getpid());
	later(0, 5000 * MS, wall - 60000 * MS);
	write_page(0);
	take();
	add(0, "tx_bytes", 125000);
	later(0, 10000, 50 * MS);
	write_page(0);
	take();
	is(row("nic0"), TOP_TX_BITS, 100e9);
	take();
	is(row("nic0"), TOP_TX_BITS, 0);
	is(row("nic0"), TOP_WALL + TOP_TX_BITS, 0);
	/* and it begins anew */
	add(0, "tx_bytes", 250);
	later(0, 60000 * MS, 60000 * MS);
	write_page(0);
	take();
	is(row("nic0"), TOP_TX_BITS, 2000.0 / 60);
}

/* Another program has opened the NIC: its counters have begun at zero. */
static void counters_begin_again(void **state)
{
	(void)state;
	add(0, "tx_bytes", 1000000);
	add(0, "tx_retransmitted_packets", 50);
	write_page(0);
	take();
	begin_nic(0);
	add(0, "tx_bytes", 100);
	add(0, "tx_retransmitted_packets", 3);
	later(0, 10 * MS, 100 * MS);
	write_page(0);
	take();
	assert_false(row("nic0")->known[TOP_TX_BITS]);
	is(row("nic0"), TOP_RETX, 3);
	add(0, "tx_bytes", 125);
	later(0, 1000, 10 * MS);
	write_page(0);
	take();
	is(row("nic0"), TOP_TX_BITS, 1e9);
}

/* NICs that come and go; a simulator that ends, is killed, and is started anew. */
static void come_and_go(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	if (!child)
		_exit(0);
	take();
	assert_int_equal(data.figures.nics, 2);
	assert_true(data.figures.simulated);
	begin_nic(2);
	remove_file("nic0.stat");
	take();
	assert_int_equal(data.figures.nics, 2);
	assert_false(row("nic2")->known[TOP_TX_BITS]);
	add(2, "tx_bytes", 125);
	later(2, 1000, MS);
	write_page(2);
	take();
	is(row("nic2"), TOP_TX_BITS, 1e9);
	/* of another simulator: nothing of it goes with what was before */
	new_page(2, (uint32_t)getppid());
	add(2, "tx_bytes", 1000000);
	add(2, "tx_retransmitted_packets", 9);
	later(2, 1 * MS, devtime_wall());
	write_page(2);
	take();
	assert_false(row("nic2")->known[TOP_TX_BITS]);
	assert_false(row("nic2")->known[TOP_RETX]);
	/* killed: the pages stay */
	assert_int_equal(waitpid(child, &status, 0), child);
	new_page(2, (uint32_t)child);
	write_page(2);
	take();
	assert_string_equal(row("nic2")->state, "gone");
	remove_file("nic1.stat");
	take();
	assert_false(data.figures.simulated);
	remove_file("nic2.stat");
	take();
	assert_int_equal(data.figures.nics, 0);
	assert_int_equal(said, 0);
	begin_nic(1);
	take();
	assert_int_equal(data.figures.nics, 1);
	/* what is no page is left out, and said */
	remove_file("nic1.stat");
	close(openat(at, "nic1.stat", O_RDWR | O_CREAT, 0600));
	assert_int_equal(take(), 1);
	assert_int_equal(data.figures.nics, 0);
	assert_int_equal(said, 1);
}

/* ---------------------------------------------------------------- numbers */

/* Every counter that the contract says something was dropped by is known as one, but for those
 * that another one has in it. */
static void drops_of_the_contract(void **state)
{
	unsigned int known = 0;

	(void)state;
	for (unsigned int i = 0; i < CAIRN_COUNTERS; i++) {
		bool listed = false, wanted;

		if (!cairn_counter_names[i])
			continue;
		for (unsigned int d = 0; top_drop_counters[d] != CAIRN_COUNTERS; d++)
			listed |= top_drop_counters[d] == i;
		wanted = strcasestr(cairn_counter_docs[i], "dropped") &&
			 i != CAIRN_COUNTER_RX_SHARE;
		if (listed != wanted)
			fail_msg("%s (%s): listed %d", cairn_counter_names[i],
				 cairn_counter_docs[i], listed);
		known += listed;
	}
	assert_true(known > 15);
}

static void numbers(void **state)
{
	struct sim_stat_qp *qp = &pages[0]->qp[0];

	(void)state;
	add(0, "rx_bad_qpn", 4);
	add(0, "tx_retransmitted_packets", 10);
	add(0, "wire_dropped", 1);
	pages[0]->qps = 1;
	qp->qpn = 0x22;
	qp->value[CAIRN_COUNTER_RETX_PACKETS] = 10;
	write_page(0);
	take();
	assert_false(row("nic0")->known[TOP_RETX]);
	assert_int_equal(data.figures.drops, 2);
	add(0, "rx_bad_qpn", 2);
	add(0, "out_of_buffer", 3);
	add(0, "rx_share_dropped", 3); /* in the one before */
	add(0, "tx_retransmitted_packets", 5);
	add(0, "out_of_sequence", 1);
	add(0, "packet_seq_err", 2);
	add(0, "rnr_nak_sent", 3);
	add(0, "rnr_nak_retry_err", 4);
	add(0, "local_ack_timeout_err", 6);
	qp->value[CAIRN_COUNTER_RETX_PACKETS] += 5;
	qp->value[CAIRN_COUNTER_RX_NO_BUFFER] += 3;
	qp->value[CAIRN_COUNTER_ACK_TIMEOUT] += 6;
	write_page(0);
	take();
	is(row("nic0"), TOP_RETX, 5);
	is(row("nic0"), TOP_DROPS, 5);
	is(row("nic0"), TOP_SEQ, 3);
	is(row("nic0"), TOP_RNR, 7);
	is(row("nic0"), TOP_TIMEOUTS, 6);
	is(row("nic1"), TOP_DROPS, 0);
	is(qp_row(0x22), TOP_RETX, 5);
	is(qp_row(0x22), TOP_DROPS, 3);
	is(qp_row(0x22), TOP_TIMEOUTS, 6);
	assert_int_equal(data.figures.drops, 3);
	for (unsigned int i = 0; i < 3; i++) {
		const struct top_drop *drop = &data.figures.drop[i];

		assert_string_equal(drop->nic, "nic0");
		if (!strcmp(drop->reason, "rx_bad_qpn"))
			assert_true(drop->total == 6 && drop->more == 2);
		else if (!strcmp(drop->reason, "out_of_buffer"))
			assert_true(drop->total == 3 && drop->more == 3);
		else
			assert_true(!strcmp(drop->reason, "wire_dropped") && !drop->more);
	}
	take();
	is(row("nic0"), TOP_RETX, 0);
	opts.totals = true;
	take();
	is(row("nic0"), TOP_RETX, 15);
	is(row("nic0"), TOP_DROPS, 10);
	is(qp_row(0x22), TOP_RETX, 15);
}

/* ---------------------------------------------------------------- latencies */

static struct lat_page *lat;

static void count(unsigned int slot, uint64_t ns, unsigned int n)
{
	lat->slot[slot].bucket[lat_bucket(ns)] += n;
	lat->slot[slot].count += n;
	lat->slot[slot].sum += n * ns;
	lat->slot[slot].max = ns;
}

static int make_lat(const char *name)
{
	struct sealed_at where = { LAT_MAGIC, (uint32_t)getpid(), -1, sizeof(*lat), { 0 } };

	where.fd = sealed_new("test", sizeof(*lat), true, (void **)&lat);
	memcpy(lat->head.magic, LAT_MAGIC, sizeof(lat->head.magic));
	strcpy(lat->head.device, "cairn_6");
	lat->head.used = 3;
	lat->head.owner[1] = (struct lat_owner){ 0x31, 1 };
	lat->head.owner[2] = (struct lat_owner){ 0x32, 2 };
	close(sealed_announce(at, name, &where));
	return where.fd;
}

static void latencies(void **state)
{
	int fd = make_lat("nic0.lat");

	(void)state;
	count(1, 1000, 100);
	pages[0]->qps = 1;
	pages[0]->qp[0].qpn = 0x99;
	pages[0]->qp[0].value[CAIRN_COUNTER_RETX_PACKETS] = 1;
	write_page(0);
	take();
	/* it counts from now on, so long that the next reading comes in time */
	assert_true(lat->head.watch > devtime_wall());
	assert_string_equal(row("nic0")->state, "up");
	count(1, 50000, 10);
	count(2, 2000, 90);
	take();
	assert_string_equal(row("nic0")->state, "up,lat");
	is(row("nic0"), TOP_P50, (double)lat_middle(lat_bucket(2000)));
	is(row("nic0"), TOP_P99, (double)lat_middle(lat_bucket(50000)));
	is(qp_row(0x31), TOP_P50, (double)lat_middle(lat_bucket(50000)));
	is(qp_row(0x32), TOP_P999, (double)lat_middle(lat_bucket(2000)));
	assert_false(row("nic1")->known[TOP_P50]);
	/* one that has only counters, in the same table */
	assert_false(qp_row(0x99)->known[TOP_P50]);
	assert_int_equal(data.figures.qps, 3);
	assert_true(row("nic0")->value[TOP_WALL + TOP_REQUESTS] > 0);
	/* nothing in this interval, but before it */
	take();
	assert_false(row("nic0")->known[TOP_P50]);
	is(row("nic0"), TOP_REQUESTS, 0);
	opts.totals = true;
	take();
	is(row("nic0"), TOP_P50, (double)lat_middle(lat_bucket(1000)));
	opts.totals = false;
	/* another QP, or another life: what it has is its own */
	lat->head.owner[2].life = 9;
	count(2, 8, 1);
	take();
	is(row("nic0"), TOP_P50, 8);
	is(qp_row(0x32), TOP_P50, (double)lat_middle(lat_bucket(2000)));
	munmap(lat, sizeof(*lat));
	close(fd);
}

/* Of a PCI function nothing is known but what its program counts. */
static void functions(void **state)
{
	int fd = make_lat("0000:0f:00.0.lat");

	(void)state;
	take();
	count(1, 1000, 10);
	take();
	is(row("0000:0f:00.0"), TOP_P50, (double)lat_middle(lat_bucket(1000)));
	assert_false(row("0000:0f:00.0")->known[TOP_TX_BITS]);
	assert_false(row("0000:0f:00.0")->known[TOP_DROPS]);
	assert_string_equal(data.now.nic[2].device, "cairn_6");
	is(qp_row(0x31), TOP_P50, (double)lat_middle(lat_bucket(1000)));
	/* one simulated NIC was asked for */
	opts.where.nic = 1;
	take();
	assert_int_equal(data.figures.nics, 1);
	munmap(lat, sizeof(*lat));
	close(fd);
}

/* How fast the simulation is: of the page of device time, or where there is none of the others. */
static void speed(void **state)
{
	struct sealed_at where = {
		DEVTIME_MAGIC, (uint32_t)getpid(), -1, sizeof(struct devtime_page), { 0 }
	};
	struct devtime_page *time;
	double wall;

	(void)state;
	where.fd = sealed_new("test", sizeof(*time), false, (void **)&time);
	memcpy(time->magic, DEVTIME_MAGIC, sizeof(time->magic));
	time->device = 6000 * MS;
	close(sealed_announce(at, "nic0.time", &where));
	take();
	assert_false(data.figures.speed_known);
	assert_true(data.figures.device == 6.0);
	time->device += 5 * MS;
	add(0, "sim_evaluated_cycles", 30000);
	later(0, 5 * MS, 100 * MS);
	write_page(0);
	take();
	wall = (double)(data.now.wall - data.before.wall);
	assert_true(data.figures.speed_known);
	assert_true(fabs(data.figures.speed * wall - 5e6) < 1);
	assert_true(fabs(data.figures.cycles - 300000) < 1);
	remove_file("nic0.time");
	take();
	assert_true(data.figures.device == 5.005);
	munmap(time, sizeof(*time));
	close(where.fd);
}

/* ---------------------------------------------------------------- order and choice */

static void order(const char *first, const char *second)
{
	assert_string_equal(data.figures.nic[0].nic, first);
	assert_string_equal(data.figures.nic[1].nic, second);
}

static void sorted(void **state)
{
	(void)state;
	take();
	add(1, "tx_bytes", 1000);
	add(0, "rx_bytes", 1000);
	add(0, "tx_retransmitted_packets", 1);
	later(0, 1000, MS);
	later(1, 1000, MS);
	write_page(0);
	write_page(1);
	take();
	order("nic0", "nic1");
	for (opts.sort = 0; opts.sort < top_n_sorts; opts.sort++) {
		const char *name = top_sorts[opts.sort].name;
		bool one = !strcmp(name, "tx");

		opts.reverse = false;
		opts.time = TOP_DEVICE_TIME;
		assert_int_equal(top_figure(&data, &opts), 0);
		order(one ? "nic1" : "nic0", one ? "nic0" : "nic1");
		opts.time = TOP_WALL_TIME;
		assert_int_equal(top_figure(&data, &opts), 0);
		order(one ? "nic1" : "nic0", one ? "nic0" : "nic1");
		opts.reverse = true;
		assert_int_equal(top_figure(&data, &opts), 0);
		order(one ? "nic0" : "nic1", one ? "nic1" : "nic0");
	}
	opts.sort = 0;
	strcpy(opts.only, "nic1");
	assert_int_equal(top_figure(&data, &opts), 0);
	assert_int_equal(data.figures.nics, 1);
	assert_true(data.figures.simulated);
	strcpy(opts.only, "nic7");
	assert_int_equal(top_figure(&data, &opts), 0);
	assert_int_equal(data.figures.nics, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TOP_TEST(rates),
		TOP_TEST(idle),
		TOP_TEST(counters_begin_again),
		TOP_TEST(come_and_go),
		TOP_TEST(drops_of_the_contract),
		TOP_TEST(numbers),
		TOP_TEST(latencies),
		TOP_TEST(functions),
		TOP_TEST(speed),
		TOP_TEST(sorted),
	};

	return cmocka_run_group_tests_name("top", tests, NULL, NULL);
}
