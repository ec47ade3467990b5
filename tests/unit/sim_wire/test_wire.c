// SPDX-License-Identifier: Apache-2.0
/*
 * The simulated wire: exact rates, delay, probabilities by seed, cable, switch, datagram peer.
 */
#include "frames.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- rates ---- */

static void rate_is_exact(void **state)
{
	static const uint32_t rates[] = {
		1000, 2500, 10000, 25000, 40000, 100000, 400000, 8000, 3
	};

	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(*rates); r++) {
		struct sim_line line = { .mbps = rates[r] };
		uint64_t bytes = 0, end = 0;

		for (uint32_t i = 0; i < 1000; i++) {
			uint32_t len = 40 + i * 37 % 4000;
			/* the end of this frame's FCS, in ns, rounded up */
			uint64_t expect =
				((bytes + sim_wire_bytes(len) - 12) * 8000 + rates[r] - 1) /
				rates[r];

			end = sim_line_frame(&line, 0, len);
			bytes += sim_wire_bytes(len);
			assert_int_equal(end, expect);
		}
		assert_int_equal(line.ns, bytes * 8000 / rates[r]);
	}
}

static void line_waits_for_now(void **state)
{
	struct sim_line line = { .mbps = MBPS_100G };

	(void)state;
	assert_int_equal(sim_line_add(&line, 1000, 25), 1002);
	assert_int_equal(sim_line_add(&line, 1000, 25), 1004);
	assert_int_equal(sim_line_add(&line, 5000, 50), 5004);
	/* fractions are carried on: 3 x 1 byte = 0.24 ns */
	for (int i = 0; i < 3; i++)
		assert_int_equal(sim_line_add(&line, 5000, 1), 5005);
	assert_int_equal(sim_line_add(&line, 5000, 10), 5006);
}

static void wire_bytes(void **state)
{
	(void)state;
	assert_int_equal(sim_wire_bytes(60), 84);
	assert_int_equal(sim_wire_bytes(14), 84);
	assert_int_equal(sim_wire_bytes(1514), 1538);
	/* the figures of the measurement rules: 8-byte WRITE 106 B, ACK 86 B */
	assert_int_equal(sim_wire_bytes(14 + 20 + 8 + 12 + 16 + 8 + 4), 106);
	assert_int_equal(sim_wire_bytes(14 + 20 + 8 + 12 + 4 + 4), 86);
}

/* ---- cable ---- */

static void cable_delays(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire = new_wire(&cfg);

	(void)state;
	send_at(wire, 0, plain_frame(0, 1, 100, 1), 1000);
	send_at(wire, 0, plain_frame(0, 1, 100, 2), 1010);
	send_at(wire, 1, plain_frame(1, 0, 100, 3), 1010);
	assert_int_equal(sim_wire_next(wire), SIM_NEVER);
	assert_int_equal(take_at(wire, 1, 1500), 1);
	assert_int_equal(take_at(wire, 1, 1510), 2);
	assert_int_equal(take_at(wire, 0, 1510), 3);
	assert_null(sim_wire_take(wire, 0));
	assert_int_equal(sim_wire_stats(wire, 0)->tx_frames, 2);
	assert_int_equal(sim_wire_stats(wire, 0)->tx_wire_bytes, 248);
	assert_int_equal(sim_wire_stats(wire, 1)->rx_bytes, 200);
	sim_wire_free(wire);
}

static void short_frames_are_padded(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire = new_wire(&cfg);
	struct sim_frame *frame;

	(void)state;
	send_at(wire, 0, plain_frame(0, 1, 42, 1), 0);
	frame = sim_wire_take(wire, 1);
	assert_int_equal(frame->len, 60);
	for (uint32_t i = 42; i < 60; i++)
		assert_int_equal(frame->data[i], 0);
	sim_frame_free(frame);
	sim_wire_free(wire);
}

static void alone_nothing_arrives(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(1);
	struct sim_wire *wire = new_wire(&cfg);

	(void)state;
	send_at(wire, 0, plain_frame(0, 1, 100, 1), 0);
	assert_null(sim_wire_take(wire, 0));
	assert_int_equal(sim_wire_stats(wire, 0)->tx_frames, 1);
	sim_wire_free(wire);
}

static void link_down_drops(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire = new_wire(&cfg);

	(void)state;
	send_at(wire, 0, plain_frame(0, 1, 100, 1), 0);
	sim_wire_set_link(wire, 1, false);
	assert_false(sim_wire_link(wire, 1));
	assert_null(sim_wire_take(wire, 1));
	send_at(wire, 0, plain_frame(0, 1, 100, 2), 100);
	send_at(wire, 1, plain_frame(1, 0, 100, 3), 100);
	assert_int_equal(sim_wire_stats(wire, 1)->link_down, 2);
	assert_null(sim_wire_take(wire, 0));
	sim_wire_set_link(wire, 1, true);
	send_at(wire, 0, plain_frame(0, 1, 100, 4), 200);
	assert_int_equal(take_at(wire, 1, 700), 4);
	sim_wire_free(wire);
}

/* ---- probabilities ---- */

#define MANY 20000

/* Which of MANY frames from `src` arrive, as one bit each; returns how many. */
static unsigned int pattern(struct sim_wire_cfg *cfg, unsigned int src, uint8_t *bits)
{
	struct sim_wire *wire = new_wire(cfg);
	unsigned int got = 0;

	memset(bits, 0, MANY / 8);
	for (uint32_t i = 0; i < MANY; i++) {
		send_at(wire, src, plain_frame((int)src, !src, 64, i), i * 10);
		sim_wire_advance(wire, i * 10);
	}
	sim_wire_advance(wire, 1000000);
	for (struct sim_frame *f; (f = sim_wire_take(wire, !src)); got++) {
		bits[frame_number(f) / 8] |= (uint8_t)(1 << frame_number(f) % 8);
		sim_frame_free(f);
	}
	sim_wire_free(wire);
	return got;
}

static void near(const char *what, unsigned int n, double expect)
{
	double sigma = sqrt(expect * (1 - expect / MANY));

	if (fabs(n - expect) > 5 * sigma)
		fail_msg("%s: %u, expected about %.0f (SEED=0x%llx)", what, n, expect, (unsigned long long)test_seed());
}

static void loss_by_seed(void **state)
{
	static uint8_t a[MANY / 8], b[MANY / 8];
	struct sim_wire_cfg cfg = wire_cfg(2);

	(void)state;
	cfg.loss = 0.1;
	near("arrived", pattern(&cfg, 0, a), 0.9 * MANY);
	pattern(&cfg, 0, b);
	assert_memory_equal(a, b, sizeof(a));
	pattern(&cfg, 1, b);
	assert_memory_not_equal(a, b, sizeof(a));
	cfg.seed++;
	pattern(&cfg, 0, b);
	assert_memory_not_equal(a, b, sizeof(a));
	/* other faults do not move the losses */
	cfg.seed--;
	cfg.dup = cfg.reorder = cfg.corrupt = 0.2;
	cfg.corrupt = 0;
	pattern(&cfg, 0, b);
	assert_memory_equal(a, b, sizeof(a));
	cfg.loss = 1;
	cfg.dup = cfg.reorder = 0;
	assert_int_equal(pattern(&cfg, 0, a), 0);
}

static void chances_are_kept(void **state)
{
	static uint8_t bits[MANY / 8];
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire;
	const struct sim_wire_stats *stats;

	(void)state;
	cfg.dup = 0.05;
	near("with copies", pattern(&cfg, 0, bits), 1.05 * MANY);
	cfg = wire_cfg(2);
	cfg.corrupt = 0.02;
	cfg.reorder = 0.03;
	cfg.ecn = 0.5;
	wire = new_wire(&cfg);
	for (uint32_t i = 0; i < MANY; i++) {
		send_at(wire, 0, roce_frame(i & 1, CAIRN_OPCODE_RC_SEND_ONLY, 5, i, 0, 100),
			i * 10);
		sim_wire_advance(wire, i * 10);
	}
	sim_wire_advance(wire, 1000000);
	stats = sim_wire_stats(wire, 0);
	near("corrupted", (unsigned int)stats->corrupted, 0.02 * MANY);
	near("reordered", (unsigned int)stats->reordered, 0.03 * MANY);
	near("marked", (unsigned int)stats->ecn_marked, 0.5 * MANY);
	assert_int_equal(drain(wire, 1), MANY);
	assert_int_equal(sim_wire_next(wire), SIM_NEVER);
	sim_wire_free(wire);
}

static void bad_configurations(void **state)
{
	struct sim_wire_cfg cfg;
	char err[SIM_ERR_MAX];

	(void)state;
	cfg = wire_cfg(0);
	assert_null(sim_wire_new(&cfg, err));
	assert_non_null(strstr(err, "number of NICs 0"));
	cfg = wire_cfg(5);
	cfg.nics_per_port = 2;
	assert_null(sim_wire_new(&cfg, err));
	assert_non_null(strstr(err, "5 NICs at ports of 2"));
	cfg = wire_cfg(2);
	cfg.loss = 1.5;
	assert_null(sim_wire_new(&cfg, err));
	assert_non_null(strstr(err, "loss 1.5"));
	cfg = wire_cfg(2);
	cfg.dup = NAN;
	assert_null(sim_wire_new(&cfg, err));
	cfg = wire_cfg(2);
	cfg.peer = "carrier-pigeon";
	assert_null(sim_wire_new(&cfg, err));
	assert_non_null(strstr(err, "carrier-pigeon"));
	cfg.peer = "dgram:only-one";
	assert_null(sim_wire_new(&cfg, err));
	assert_non_null(strstr(err, "dgram:LOCAL,REMOTE"));
	cfg = wire_cfg(2);
	cfg.pcap = "/nonexistent/x.pcap";
	assert_null(sim_wire_new(&cfg, err));
	assert_non_null(strstr(err, "/nonexistent/x.pcap"));
}

/* ---- switch ---- */

static void switch_learns(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(4);
	struct sim_wire *wire = new_wire(&cfg);
	/* in: 500 cable; out: 1000 bytes + 12 at 0.08 ns and 500 cable */
	const uint64_t out = 500 + 81 + 500;

	(void)state;
	/* unknown: to all others */
	send_at(wire, 0, plain_frame(0, 2, 1000, 1), 0);
	assert_int_equal(sim_wire_next(wire), 500);
	sim_wire_advance(wire, 499);
	assert_null(sim_wire_peek(wire, 2));
	sim_wire_advance(wire, 500);
	for (unsigned int i = 1; i < 4; i++)
		assert_int_equal(take_at(wire, i, out), 1);
	assert_null(sim_wire_take(wire, 0));
	/* the answer goes to port 0 only: learned */
	send_at(wire, 2, plain_frame(2, 0, 1000, 2), 2000);
	sim_wire_advance(wire, 2500);
	assert_int_equal(take_at(wire, 0, 2000 + out), 2);
	assert_null(sim_wire_take(wire, 1));
	send_at(wire, 0, plain_frame(0, 2, 1000, 3), 4000);
	sim_wire_advance(wire, 4500);
	assert_int_equal(take_at(wire, 2, 4000 + out), 3);
	assert_null(sim_wire_take(wire, 1));
	assert_null(sim_wire_take(wire, 3));
	/* broadcast */
	send_at(wire, 2, plain_frame(2, -1, 1000, 4), 6000);
	sim_wire_advance(wire, 6500);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(drain(wire, i), i != 2);
	/* a station that moves is learned again */
	send_at(wire, 3, plain_frame(0, 2, 1000, 5), 8000);
	sim_wire_advance(wire, 8500);
	drain(wire, 2);
	send_at(wire, 2, plain_frame(2, 0, 1000, 6), 9000);
	sim_wire_advance(wire, 9500);
	assert_int_equal(drain(wire, 3), 1);
	assert_int_equal(drain(wire, 0), 0);
	sim_wire_free(wire);
}

static void switch_queues(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(3);
	struct sim_wire *wire;
	uint64_t last = 0;
	unsigned int got = 0;

	(void)state;
	cfg.queue_bytes = 20000;
	cfg.delay_ns = 0;
	wire = new_wire(&cfg);
	send_at(wire, 2, plain_frame(2, -1, 60, 0), 0);
	sim_wire_advance(wire, 0);
	drain(wire, 0);
	drain(wire, 1);
	/*
	 * two ports at full rate into one: 100 frames each of 1000 bytes, one a port every 81.92 ns
	 */
	for (uint32_t i = 0; i < 100; i++)
		for (unsigned int src = 0; src < 2; src++)
			send_at(wire, src, plain_frame((int)src, 2, 1000, i),
				1000 + i * 8192 / 100);
	sim_wire_advance(wire, 20000);
	for (struct sim_frame *f; (f = sim_wire_take(wire, 2)); got++) {
		/* never faster than the line: 1024 bytes are 81.92 ns */
		if (got)
			assert_in_range(f->t - last, 81, 82);
		last = f->t;
		sim_frame_free(f);
	}
	assert_int_equal(got + sim_wire_stats(wire, 2)->queue_drop, 200);
	/* 100 pass while they come in, 19 or 20 wait in the queue */
	assert_in_range(got, 118, 121);
	/* a bad FCS is not forwarded */
	struct sim_frame *bad = plain_frame(0, 2, 100, 1);

	bad->err = true;
	send_at(wire, 0, bad, 50000);
	sim_wire_advance(wire, 60000);
	assert_null(sim_wire_take(wire, 2));
	sim_wire_free(wire);
}

/* ---- external peer ---- */

static void datagram_peer(void **state)
{
	static const char ours[] = "build/test-wire-a.sock", theirs[] = "build/test-wire-b.sock";
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct sim_wire_cfg cfg = wire_cfg(1);
	struct sim_wire *wire;
	struct sim_frame *frame = plain_frame(1, 0, 42, 77);
	uint8_t buf[2048];
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

	(void)state;
	unlink(theirs);
	strcpy(address.sun_path, theirs);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	cfg.peer = "dgram:build/test-wire-a.sock,build/test-wire-b.sock";
	/* twice: a socket file left over is taken over */
	wire = new_wire(&cfg);
	assert_int_equal(sim_wire_ports(wire), 2);
	strcpy(address.sun_path, ours);
	assert_int_equal(
		sendto(fd, frame->data, 42, 0, (struct sockaddr *)&address, sizeof(address)), 42);
	sim_frame_free(frame);
	assert_true(sim_wire_pollfd(wire).fd >= 0);
	sim_wire_receive(wire, 1000);
	/* 72 bytes at 100 Gb/s and the cable */
	frame = sim_wire_take(wire, 0);
	assert_non_null(frame);
	assert_int_equal(frame->len, 60);
	assert_int_equal(frame->t, 1000 + 6 + 500);
	assert_int_equal(frame_number(frame), 77);
	sim_frame_free(frame);

	send_at(wire, 0, plain_frame(0, 1, 1000, 78), 2000);
	assert_int_equal(sim_wire_next(wire), 2500);
	sim_wire_advance(wire, 2499);
	assert_int_equal(recv(fd, buf, sizeof(buf), MSG_DONTWAIT), -1);
	sim_wire_advance(wire, 2500);
	assert_int_equal(recv(fd, buf, sizeof(buf), MSG_DONTWAIT), 1000);
	assert_int_equal(buf[14], 78);
	assert_int_equal(sim_wire_next(wire), SIM_NEVER);

	close(fd);
	unlink(theirs);
	send_at(wire, 0, plain_frame(0, 1, 1000, 79), 3000);
	sim_wire_advance(wire, 3500);
	assert_int_equal(sim_wire_stats(wire, 1)->peer_drop, 1);
	sim_wire_free(wire);
	assert_int_equal(access(ours, F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rate_is_exact),
		cmocka_unit_test(line_waits_for_now),
		cmocka_unit_test(wire_bytes),
		cmocka_unit_test(cable_delays),
		cmocka_unit_test(short_frames_are_padded),
		cmocka_unit_test(alone_nothing_arrives),
		cmocka_unit_test(link_down_drops),
		cmocka_unit_test(loss_by_seed),
		cmocka_unit_test(chances_are_kept),
		cmocka_unit_test(bad_configurations),
		cmocka_unit_test(switch_learns),
		cmocka_unit_test(switch_queues),
		cmocka_unit_test(datagram_peer),
	};

	return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
