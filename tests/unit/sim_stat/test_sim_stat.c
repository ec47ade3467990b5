// SPDX-License-Identifier: Apache-2.0
/*
 * sim_stat: the walk over the QPs finds all of them and nothing else, keeps its share of the time,
 * shows the last state and then rests; what fails leaves the page as it was.  Wall time is the
 * test's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_nic.h"
#include "sim_stat.h"

#define MS 1000000ull

static char path[64];
static struct sim_stat *stat;
static uint64_t now;
static uint64_t read_ns;	/* how long a read takes */

static void begin(unsigned int qps)
{
	fake_reset(qps);
	now = 1000 * MS;
	read_ns = 0;
	snprintf(path, sizeof(path), "/tmp/cairn-stat-%d", (int)getpid());
	stat = sim_stat_new(NULL, path);
	assert_non_null(stat);
}

static void end(void)
{
	sim_stat_free(stat);
	assert_int_equal(access(path, F_OK), -1);
}

/* What the loop of `cairn sim` does: reads are answered while the clock runs. */
static void turn(bool readable)
{
	sim_stat_update(stat, now, readable);
	while (fake_answer()) {
		now += read_ns;
		sim_stat_update(stat, now, readable);
	}
}

/* Some time of a NIC that sends, or that is quiet. */
static void pass(uint64_t ms, bool busy, bool readable)
{
	for (uint64_t until = now + ms * MS; now < until; now += 5 * MS) {
		fake.packets += busy;
		turn(readable);
	}
}

static struct sim_stat_page *page(void)
{
	struct sim_stat_page *copy;

	assert_int_equal(sim_stat_read(path, &copy), 0);
	assert_memory_equal(copy->magic, SIM_STAT_MAGIC, sizeof(copy->magic));
	assert_int_equal(copy->nic, 5);
	assert_int_equal(copy->seq & 1, 0);
	return copy;
}

static void has_qps(unsigned int n, bool more)
{
	struct sim_stat_page *copy = page();

	assert_int_equal(copy->qps, n);
	assert_int_equal(copy->more_qps, more);
	for (unsigned int q = 0; q < n; q++) {
		assert_int_equal(copy->qp[q].qpn, 3 + 2 * q);
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			assert_int_equal(copy->qp[q].value[i],
					 cairn_counter_of_qp[i] ?
					 fake_value(copy->qp[q].qpn, i) : 0);
	}
	free(copy);
}

static uint64_t entry(unsigned int i)
{
	struct sim_stat_page *copy = page();
	uint64_t value = copy->entry[i].value;

	free(copy);
	return value;
}

/* ---- tests ---- */

static void all_are_found(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 5; n++) {
		begin(n);
		has_qps(0, false);
		pass(1000, true, true);
		has_qps(n, false);
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			assert_int_equal(entry(i), 7000 + i);
		end();
	}
}

static void more_than_fit(void **state)
{
	(void)state;
	for (unsigned int n = SIM_STAT_QPS - 1; n <= SIM_STAT_QPS + 1; n++) {
		begin(n);
		pass(500, true, true);
		has_qps(n < SIM_STAT_QPS ? n : SIM_STAT_QPS, n > SIM_STAT_QPS);
		end();
	}
}

/* The register has 24 bits: the QP behind the last one of all is the first. */
static void last_number_of_all(void **state)
{
	struct sim_stat_page *copy;

	(void)state;
	begin(2);
	fake.qp[1].qpn = 0xffffff;
	pass(500, true, true);
	copy = page();
	assert_int_equal(copy->qps, 2);
	assert_int_equal(copy->qp[0].qpn, 3);
	assert_int_equal(copy->qp[1].qpn, 0xffffff);
	free(copy);
	end();
}

static void set_value(uint32_t value)
{
	fake.qp[2].value[CAIRN_COUNTER_OUT_OF_SEQUENCE] = value;
}

static uint32_t shown_value(void)
{
	struct sim_stat_page *copy = page();
	uint32_t value = copy->qp[2].value[CAIRN_COUNTER_OUT_OF_SEQUENCE];

	free(copy);
	return value;
}

/* A loop that sleeps until something is due sees the last state of port and QPs, and rests. */
static void last_state_then_rest(void **state)
{
	unsigned int reads;
	uint64_t over;

	(void)state;
	begin(3);
	fake.packets++;
	sim_stat_update(stat, now, true);
	while (fake_answer())
		;
	assert_int_equal(sim_stat_due(stat), 0);
	over = now;
	turn(true);
	/* the port's counters are due before those of the QPs */
	now += 150 * MS;
	fake.port[0]++;
	set_value(12345);
	fake.packets++;
	assert_int_equal(sim_stat_due(stat), over + 100 * MS);
	turn(true);
	assert_int_equal(entry(0), fake.port[0]);
	assert_int_not_equal(shown_value(), 12345);
	assert_int_equal(sim_stat_due(stat), over + 200 * MS);
	now = over + 200 * MS;
	turn(true);
	assert_int_equal(shown_value(), 12345);
	assert_true(sim_stat_due(stat) == UINT64_MAX);
	/* what the walk itself does makes nothing due */
	reads = fake.reads;
	pass(100000, false, true);
	assert_int_equal(fake.reads, reads);
	/* and what happens once is looked at once */
	fake.walks = fake.port_reads = 0;
	fake.packets++;
	pass(5000, false, true);
	assert_int_equal(fake.walks, 1);
	assert_int_equal(fake.port_reads, 1);
	end();
}

/* Wall times at which the next walk begins and ends, with a NIC that is never quiet. */
static void next_walk(uint64_t *began, uint64_t *over)
{
	bool answered = false;

	*over = 0;
	fake.walks = 0;
	fake.walk_ended = false;
	for (unsigned int n = 0; !*over; n++) {
		assert_true(n < 400000);
		if (!answered)
			now += MS;
		fake.packets++;
		sim_stat_update(stat, now, true);
		if (!fake.walks)
			*began = now;
		answered = fake_answer();
		if (answered)
			now += read_ns;
		if (fake.walk_ended)
			*over = now;
	}
	sim_stat_update(stat, now, true);
}

/* A walk begins when the last one is over for 20 times as long as it took, 200 ms at the least. */
static void share_of_the_time(void **state)
{
	static const struct {
		uint64_t read_ns;
		unsigned int qps;
	} cases[] = { { 0, 3 }, { 1000, 3 }, { 20 * MS, 1 }, { 100 * MS, 5 }, { 3 * MS, 256 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t began, over, last_over, rest;

		begin(cases[i].qps);
		read_ns = cases[i].read_ns;
		next_walk(&began, &over);
		for (int n = 0; n < 3; n++) {
			rest = 20 * (over - began);
			rest = rest > 200 * MS ? rest : 200 * MS;
			last_over = over;
			next_walk(&began, &over);
			/* a read of the port's counters may be under way */
			assert_in_range(began, last_over + rest,
					last_over + rest + 3 * MS + read_ns);
		}
		turn(true);
		has_qps(cases[i].qps, false);
		end();
	}
}

/* A walk of many seconds: the port's counters are read every second all the same, QPs stay. */
static void port_during_a_walk(void **state)
{
	unsigned int steps = 0;
	uint64_t last;

	(void)state;
	begin(200);
	last = now;
	fake.packets++;
	sim_stat_update(stat, now, true);
	for (; !fake.walks || fake.walks == 1; steps++) {
		uint64_t before = fake.port_reads;

		fake.packets++;
		fake.port[0]++;
		if (!fake_answer())
			break;
		now += 20 * MS;
		sim_stat_update(stat, now, true);
		if (fake.port_reads != before) {
			/* the first of some reads */
			assert_in_range(fake.port[0] - entry(0), 0, 3);
			last = now;
		}
		assert_true(now - last <= 1200 * MS);
	}
	assert_true(steps > 800);
	has_qps(200, false);
	end();
}

/* Nobody has it open, or it is in reset: nothing is read, and nothing is due but the wire's. */
static void not_readable(void **state)
{
	(void)state;
	begin(3);
	pass(2000, true, false);
	pass(200, false, false);
	assert_int_equal(fake.reads, 0);
	assert_int_equal(fake.selects, 0);
	assert_true(sim_stat_due(stat) == UINT64_MAX);
	assert_int_equal(entry(CAIRN_COUNTERS), fake.packets);
	/* a program comes, but nothing has happened */
	pass(2000, false, true);
	assert_int_equal(fake.reads, 0);
	end();
}

/* What the last program's QPs counted stays until a walk for the next one. */
static void next_owner(void **state)
{
	(void)state;
	begin(3);
	pass(1000, true, true);
	fake.qps = 0;
	pass(1000, true, false);
	has_qps(3, false);
	pass(500, true, true);
	has_qps(0, false);
	end();
}

static void device_without(void **state)
{
	(void)state;
	begin(3);
	fake.features = ~CAIRN_REG_FEATURES_QP_COUNTERS;
	pass(1000, true, true);
	assert_true(fake.walks > 1);
	assert_int_equal(fake.selects, 0);
	assert_int_equal(fake.reads, fake.walks + fake.port_parts);
	has_qps(0, false);
	end();
}

static void count_all(void)
{
	for (unsigned int q = 0; q < fake.qps; q++)
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			fake.qp[q].value[i]++;
}

/* Read k of a walk fails: the page keeps what it had.  False: the walk has fewer. */
static bool read_fails(unsigned int k)
{
	bool failed;

	begin(2);
	pass(1000, true, true);
	count_all();
	fake.fail_read = k;
	now += 300 * MS;
	fake.packets++;
	sim_stat_update(stat, now, true);
	while (fake_answer())
		;
	failed = !fake.fail_read;
	if (failed)
		has_qps(2, false);
	fake_count(2);
	fake.fail_read = 0;
	pass(1000, true, true);
	has_qps(2, false);
	end();
	return failed;
}

static uint64_t named(const char *name)
{
	struct sim_stat_page *copy = page();
	uint64_t value = 0;
	bool found = false;

	for (uint32_t i = 0; i < copy->n && !found; i++)
		if (!strcmp(copy->entry[i].name, name)) {
			value = copy->entry[i].value;
			found = true;
		}
	free(copy);
	assert_true(found);
	return value;
}

/* The page says when the counters in it were read of which rates are made, however long the rest
 * takes and whatever is refreshed meanwhile. */
static void when_counters_were_read(void **state)
{
	static const unsigned int rates[] = {
		CAIRN_COUNTER_RX_PACKETS, CAIRN_COUNTER_RX_BYTES, CAIRN_COUNTER_TX_PACKETS,
		CAIRN_COUNTER_TX_BYTES, CAIRN_COUNTER_RX_SEND, CAIRN_COUNTER_RX_WRITE,
		CAIRN_COUNTER_RX_READ, CAIRN_COUNTER_RX_ATOMIC,
	};
	uint64_t at = 0, wall = 0;

	(void)state;
	begin(0);
	pass(1000, true, true);
	now += 150 * MS;
	fake.packets++;
	fake.port_reads = fake.port_parts = 0;
	sim_stat_update(stat, now, true);
	for (unsigned int step = 0; !fake.port_reads; step++) {
		assert_true(step < 100);
		/* until then the page has what it had */
		assert_true(named("sim_counters_time_ns") < 5000000);
		fake.time = 5000000 + 1000 * step;
		now += MS;
		sim_stat_update(stat, now, true);
		if (fake.port_parts == 1) {
			at = fake.time;
			wall = now;
		}
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			fake.port[i] = fake.time + i;
		assert_true(fake_answer());
	}
	assert_true(fake.port_parts > 2);
	assert_int_equal(named("sim_counters_time_ns"), at);
	assert_int_equal(named("sim_counters_wall_ns"), wall);
	assert_true(named("sim_time_ns") > at);
	for (unsigned int i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		assert_in_range(at + rates[i] - entry(rates[i]), 0, 1000);
	end();
}

/* Each access fails once; the next walk finds all. */
static void failures(void **state)
{
	unsigned int reads = 0;

	(void)state;
	while (read_fails(reads + 1))
		assert_true(++reads < 100);
	assert_in_range(reads, 1 + 2 * 2 + 1, 99);
	for (unsigned int k = 1; k <= 5; k++) {
		begin(2);
		fake.fail_write = k;
		pass(100, true, true);
		assert_int_equal(fake.fail_write, 0);
		has_qps(0, false);
		pass(1000, true, true);
		has_qps(2, false);
		end();
	}
	begin(2);
	fake.refuse = true;
	pass(1000, true, true);
	assert_int_equal(fake.reads, 0);
	has_qps(0, false);
	fake.refuse = false;
	pass(1000, true, true);
	has_qps(2, false);
	end();
}

static void port_read_fails(void **state)
{
	(void)state;
	begin(2);
	fake.packets++;
	turn(true);
	/* the walk is not due yet */
	now += 150 * MS;
	fake.packets++;
	fake.fail_read = 1;
	turn(true);
	assert_int_equal(fake.fail_read, 0);
	assert_int_equal(entry(0), fake.port[0]);
	end();
}

/* The simulator ends in the midst of a walk, wherever that is. */
static void ends_while_it_reads(void **state)
{
	(void)state;
	for (unsigned int k = 0; k < 10; k++) {
		begin(2);
		fake.packets++;
		sim_stat_update(stat, now, true);
		for (unsigned int i = 0; i < k; i++)
			assert_true(fake_answer());
		end();
		assert_int_equal(fake.canceled, 1);
	}
}

static void refused(size_t at, uint32_t value)
{
	struct sim_stat_page *copy = NULL;
	int fd = open(path, O_RDWR);
	uint32_t was;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &was, sizeof(was), (off_t)at), sizeof(was));
	assert_int_equal(pwrite(fd, &value, sizeof(value), (off_t)at), sizeof(value));
	assert_int_equal(sim_stat_read(path, &copy), -EPROTO);
	assert_null(copy);
	assert_int_equal(pwrite(fd, &was, sizeof(was), (off_t)at), sizeof(was));
	close(fd);
}

static void looked(void *arg)
{
	++*(unsigned int *)arg;
}

static unsigned int look(void)
{
	unsigned int done = 0;

	sim_stat_last(stat, looked, &done);
	while (fake_answer())
		assert_int_equal(done <= 1, true);
	return done;
}

/* Before a reset: what has been counted comes into the page, whatever is being read just then. */
static void last_look(void **state)
{
	(void)state;
	begin(2);
	assert_int_equal(look(), 1);
	assert_int_equal(fake.reads, 0);	/* nothing has moved */
	for (unsigned int under_way = 0; under_way < 16; under_way++) {
		fake.packets++;
		now += 300 * MS;
		sim_stat_update(stat, now, true);
		for (unsigned int k = 0; k < under_way; k++) {
			fake_answer();
			sim_stat_update(stat, now, true);
		}
		fake.packets++;
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			fake.port[i] = 8000 + 500 * under_way + i;
		assert_int_equal(look(), 1);
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			assert_int_equal(entry(i), 8000 + 500 * under_way + i);
		fake.reads = 0;
		assert_true(look() == 1 && !fake.reads);
	}
	/* nobody waits for ever: a read fails, none can begin */
	for (fake.fail_read = 1; fake.fail_read < 5; fake.fail_read++) {
		unsigned int which = fake.fail_read;

		fake.packets++;
		assert_int_equal(look(), 1);
		fake.fail_read = which;
	}
	fake.fail_read = 0;
	fake.refuse = true;
	fake.packets++;
	assert_int_equal(look(), 1);
	fake.refuse = false;
	pass(1000, true, true);
	has_qps(2, false);
	end();
}

static void bad_pages(void **state)
{
	struct sim_stat_page *copy;

	(void)state;
	begin(3);
	pass(1000, true, true);
	refused(offsetof(struct sim_stat_page, magic), 0);
	refused(offsetof(struct sim_stat_page, n), 100000);
	refused(offsetof(struct sim_stat_page, n), 500);
	refused(offsetof(struct sim_stat_page, qps), SIM_STAT_QPS + 1);
	has_qps(3, false);
	assert_int_equal(truncate(path, 100), 0);
	assert_int_equal(sim_stat_read(path, &copy), -EPROTO);
	assert_int_equal(truncate(path, 2 << 20), 0);
	assert_int_equal(sim_stat_read(path, &copy), -EPROTO);
	end();
	assert_int_equal(sim_stat_read(path, &copy), -ENOENT);
	assert_null(sim_stat_new(NULL, "/nonexistent/nic0.stat"));
	assert_int_equal(errno, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_found),
		cmocka_unit_test(more_than_fit),
		cmocka_unit_test(last_number_of_all),
		cmocka_unit_test(last_state_then_rest),
		cmocka_unit_test(share_of_the_time),
		cmocka_unit_test(port_during_a_walk),
		cmocka_unit_test(not_readable),
		cmocka_unit_test(next_owner),
		cmocka_unit_test(device_without),
		cmocka_unit_test(when_counters_were_read),
		cmocka_unit_test(failures),
		cmocka_unit_test(port_read_fails),
		cmocka_unit_test(ends_while_it_reads),
		cmocka_unit_test(last_look),
		cmocka_unit_test(bad_pages),
	};

	return cmocka_run_group_tests_name("sim_stat", tests, NULL, NULL);
}
