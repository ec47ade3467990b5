// SPDX-License-Identifier: Apache-2.0
/*
 * Hosts of several NICs behind one port: what goes from one to another inside a host meets no
 * cable, what leaves it shares the port's rate, every place has its time, and faults are known by
 * the NICs at both ends.
 */
#include "frames.h"

/* 1000 bytes and what is around them, on a line at 100 Gb/s */
#define LINE 81
#define CABLE 500

static struct sim_wire *hosts_wire(unsigned int hosts)
{
	struct sim_wire_cfg cfg = wire_cfg(2 * hosts);

	cfg.nics_per_port = 2;
	return new_wire(&cfg);
}

/* All switches learn where the NICs are. */
static void meet(struct sim_wire *wire, unsigned int nics, uint64_t t)
{
	for (unsigned int i = 0; i < nics; i++)
		send_at(wire, i, plain_frame((int)i, -1, 60, 0), t);
	sim_wire_advance(wire, t + 100000);
	for (unsigned int i = 0; i < nics; i++)
		assert_int_equal(drain(wire, i), nics - 1); /* nobody hears itself */
}

static void inside_and_between(void **state)
{
	struct sim_wire *wire = hosts_wire(2);
	uint64_t t = 200000;

	(void)state;
	meet(wire, 4, 0);
	send_at(wire, 0, plain_frame(0, 1, 1000, 1), t);
	assert_int_equal(sim_wire_next(wire), t); /* no cable */
	sim_wire_advance(wire, t);
	assert_int_equal(take_at(wire, 1, t + LINE), 1);
	assert_int_equal(drain(wire, 2) + drain(wire, 3), 0);
	/* two hosts: their ports are joined by a cable */
	t += 10000;
	send_at(wire, 0, plain_frame(0, 3, 1000, 2), t);
	sim_wire_advance(wire, t + 2000);
	assert_int_equal(take_at(wire, 3, t + LINE + CABLE + LINE), 2);
	send_at(wire, 3, plain_frame(3, 0, 1000, 3), t + 5000);
	sim_wire_advance(wire, t + 7000);
	assert_int_equal(take_at(wire, 0, t + 5000 + LINE + CABLE + LINE), 3);
	assert_int_equal(drain(wire, 1) + drain(wire, 2), 0);
	sim_wire_free(wire);
	/* more: by a switch */
	wire = hosts_wire(3);
	meet(wire, 6, 0);
	send_at(wire, 1, plain_frame(1, 4, 1000, 4), t);
	sim_wire_advance(wire, t + 5000);
	assert_int_equal(take_at(wire, 4, t + LINE + CABLE + LINE + CABLE + LINE), 4);
	for (unsigned int i = 0; i < 6; i++)
		assert_int_equal(drain(wire, i), 0);
	assert_int_equal(sim_wire_next(wire), SIM_NEVER);
	sim_wire_free(wire);
}

/* One of them alone: nothing is at the other end of its port. */
static void one_host(void **state)
{
	struct sim_wire *wire = hosts_wire(1);

	(void)state;
	meet(wire, 2, 0);
	send_at(wire, 1, plain_frame(1, 0, 1000, 1), 200000);
	send_at(wire, 1, plain_frame(1, 5, 1000, 2), 200000);
	sim_wire_advance(wire, 300000);
	assert_int_equal(take_at(wire, 0, 200000 + LINE), 1);
	assert_int_equal(take_at(wire, 0, 200000 + LINE + 82), 2); /* nobody knows where 5 is */
	assert_int_equal(drain(wire, 1), 0);
	for (uint32_t i = 0; i < 100; i++)
		send_at(wire, 1, plain_frame(1, 0, 1000, i), 400000);
	sim_wire_advance(wire, 400000);
	assert_false(sim_wire_waits(wire, 1, 400000));
	sim_wire_free(wire);
}

static unsigned int at_peer;
static uint64_t last_at_peer;

static void peer(void *arg, const struct sim_frame *frame)
{
	(void)arg;
	at_peer++;
	last_at_peer = frame->t;
}

static void with_a_peer(void **state)
{
	(void)state;
	for (unsigned int hosts = 1; hosts < 3; hosts++) {
		struct sim_wire_cfg cfg = wire_cfg(2 * hosts);
		struct sim_wire *wire;
		uint64_t middle = hosts > 1 ? LINE + CABLE : 0;

		cfg.nics_per_port = 2;
		cfg.peer_fn = peer;
		wire = new_wire(&cfg);
		at_peer = 0;
		send_at(wire, 0, plain_frame(0, 5, 1000, 1), 1000);
		sim_wire_advance(wire, 10000);
		assert_int_equal(at_peer, 1);
		assert_int_equal(last_at_peer, 1000 + LINE + CABLE + middle);
		drain(wire, 1);
		send_at(wire, 2 * hosts, plain_frame(5, 0, 1000, 2), 20000);
		sim_wire_advance(wire, 30000);
		assert_int_equal(take_at(wire, 0, 20000 + CABLE + middle + LINE), 2);
		assert_int_equal(drain(wire, 1), 0);
		assert_int_equal(at_peer, 1);
		sim_wire_free(wire);
	}
}

/* What two NICs send together arrives no faster than their one port carries, and none of it is
 * lost: they are told to wait before it is too much. */
static void share_the_rate(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(4);
	unsigned int sent = 0, got = 0;
	struct sim_wire *wire;
	uint64_t t, last = 0;

	(void)state;
	cfg.nics_per_port = 2;
	cfg.queue_bytes = 4096; /* is not what they wait in */
	wire = new_wire(&cfg);
	meet(wire, 4, 0);
	/* each begins a frame every 82 ns, where it may */
	for (t = 200000; t < 240000; t += 82) {
		for (unsigned int src = 0; src < 2; src++)
			if (!sim_wire_waits(wire, src, t)) {
				send_at(wire, src, plain_frame((int)src, 2, 1000, sent), t);
				sent++;
			}
		assert_false(sim_wire_waits(wire, 2, t)); /* another host's */
		sim_wire_advance(wire, t);
	}
	sim_wire_advance(wire, t + 100000);
	for (struct sim_frame *f; (f = sim_wire_take(wire, 2)); got++) {
		if (got)
			assert_in_range(f->t - last, 81, 82);
		last = f->t;
		sim_frame_free(f);
	}
	assert_int_equal(got, sent);
	/* 40000 ns carry 488 of them, and some 17 wait */
	assert_in_range(sent, 500, 512);
	assert_false(sim_wire_waits(wire, 0, t + 100000));
	sim_wire_free(wire);
}

/* What stays inside the host does not wait for its port. */
static void inside_is_no_limit(void **state)
{
	struct sim_wire *wire = hosts_wire(2);

	(void)state;
	meet(wire, 4, 0);
	for (uint32_t i = 0; i < 100; i++)
		send_at(wire, 0, plain_frame(0, 1, 1000, i), 500000);
	sim_wire_advance(wire, 500000);
	assert_false(sim_wire_waits(wire, 0, 500000));
	assert_false(sim_wire_waits(wire, 1, 500000));
	for (uint32_t i = 0; i < 100; i++)
		send_at(wire, 0, plain_frame(0, 2, 1000, i), 600000);
	sim_wire_advance(wire, 600000);
	assert_true(sim_wire_waits(wire, 0, 600000));
	assert_true(sim_wire_waits(wire, 1, 600000));
	sim_wire_free(wire);
}

/* With a port for each there is nothing of this. */
static void a_port_each(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(4);
	struct sim_wire *wire;

	(void)state;
	cfg.nics_per_port = 1;
	wire = new_wire(&cfg);
	meet(wire, 4, 0);
	send_at(wire, 0, plain_frame(0, 1, 1000, 1), 200000);
	for (uint32_t i = 2; i < 102; i++)
		send_at(wire, 0, plain_frame(0, 2, 1000, i), 200000);
	sim_wire_advance(wire, 210000);
	assert_int_equal(take_at(wire, 1, 200000 + CABLE + LINE + CABLE), 1);
	assert_false(sim_wire_waits(wire, 0, 200000 + CABLE));
	sim_wire_free(wire);
}

/* The queues in front of a host's port, and of a NIC inside it, drop what does not fit, and the
 * loss is at the host's first NIC and at that NIC. */
static void queues_drop(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(6);
	struct sim_wire *wire;
	uint64_t drops;

	(void)state;
	cfg.nics_per_port = 2;
	cfg.queue_bytes = 20000;
	wire = new_wire(&cfg);
	meet(wire, 6, 0);
	/* two hosts at the rate of their ports to the third one's second NIC */
	for (uint32_t i = 0; i < 100; i++)
		for (unsigned int src = 0; src < 4; src += 2)
			send_at(wire, src, plain_frame((int)src, 5, 1000, i), 200000 + i * 82);
	sim_wire_advance(wire, 300000);
	drops = sim_wire_stats(wire, 4)->queue_drop;
	assert_in_range(drops, 70, 90);
	assert_int_equal(drain(wire, 5) + drops, 200);
	/* from outside and from inside to one NIC */
	for (uint32_t i = 0; i < 100; i++) {
		send_at(wire, 0, plain_frame(0, 5, 1000, i), 400000 + i * 82);
		send_at(wire, 4, plain_frame(4, 5, 1000, i), 401200 + i * 82);
	}
	sim_wire_advance(wire, 500000);
	assert_int_equal(sim_wire_stats(wire, 4)->queue_drop, drops);
	assert_in_range(sim_wire_stats(wire, 5)->queue_drop, 70, 90);
	assert_int_equal(drain(wire, 5) + sim_wire_stats(wire, 5)->queue_drop, 200);
	sim_wire_free(wire);
}

static void faults_between_nics(void **state)
{
	const char *rules[] = { "drop nic0>nic1", "drop nic0>nic4 k=2", "dup nic5>nic0" };
	struct sim_wire_cfg cfg = wire_cfg(6);
	struct sim_wire *wire;
	struct sim_frame *bad = plain_frame(0, 1, 100, 0);

	(void)state;
	cfg.nics_per_port = 2;
	cfg.rules = rules;
	cfg.n_rules = 3;
	wire = new_wire(&cfg);
	for (unsigned int i = 0; i < 6; i++)
		send_at(wire, i, plain_frame((int)i, -1, 60, 0), 0);
	sim_wire_advance(wire, 100000);
	for (unsigned int i = 0; i < 6; i++)
		assert_int_equal(drain(wire, i), i == 1 ? 4 : i ? 5 : 6);
	for (uint32_t i = 1; i < 4; i++)
		for (int dst = 1; dst < 6; dst++)
			send_at(wire, 0, plain_frame(0, dst, 1000, i), 100000 + i * 10000);
	send_at(wire, 5, plain_frame(5, 0, 1000, 1), 150000);
	sim_wire_advance(wire, 200000);
	assert_int_equal(drain(wire, 1), 0);
	assert_int_equal(drain(wire, 2), 3);
	assert_int_equal(drain(wire, 4), 2); /* the broadcast was the first */
	assert_int_equal(drain(wire, 5), 3);
	assert_int_equal(drain(wire, 0), 2);
	assert_int_equal(sim_wire_stats(wire, 0)->dropped, 5);
	/* a bad FCS gets no further than the host's own switch */
	bad->err = true;
	send_at(wire, 0, bad, 300000);
	sim_wire_advance(wire, 400000);
	assert_int_equal(drain(wire, 1), 0);
	sim_wire_free(wire);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inside_and_between),  cmocka_unit_test(one_host),
		cmocka_unit_test(with_a_peer),	       cmocka_unit_test(share_the_rate),
		cmocka_unit_test(a_port_each),	       cmocka_unit_test(queues_drop),
		cmocka_unit_test(faults_between_nics), cmocka_unit_test(inside_is_no_limit),
	};

	return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
