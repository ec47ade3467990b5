// SPDX-License-Identifier: Apache-2.0
/*
 * The MAC between the wire and a core's beats, with a core made of plain bytes: line rate in both
 * directions, no gaps in a received frame, no beat before its time, errors, a core that is too
 * slow.
 */
#include "frames.h"

#include <errno.h>

#include "sim_mac.h"

#define MAX_BEAT 64

/* The ports of a core; one at a time. */
static struct {
	uint8_t rx_valid, rx_last, rx_err, rx_nbytes, rx_data[MAX_BEAT];
	uint8_t tx_ready, tx_valid, tx_last, tx_err, tx_nbytes, tx_data[MAX_BEAT];
	uint8_t loop_valid, loop_last, loop_nbytes, loop_data[MAX_BEAT];
	unsigned int beat;
	const char *hidden;		/* a port that is missing */
} core;

static const struct sim_port *find(struct sim_dut *dut, const char *name)
{
	static struct sim_port port;
	const struct { const char *name; uint8_t *bits; } ports[] = {
		{ "mac_rx_valid_i", &core.rx_valid }, { "mac_rx_last_i", &core.rx_last },
		{ "mac_rx_err_i", &core.rx_err }, { "mac_rx_nbytes_i", &core.rx_nbytes },
		{ "mac_rx_data_i", core.rx_data }, { "mac_tx_ready_i", &core.tx_ready },
		{ "mac_tx_valid_o", &core.tx_valid }, { "mac_tx_last_o", &core.tx_last },
		{ "mac_tx_err_o", &core.tx_err }, { "mac_tx_nbytes_o", &core.tx_nbytes },
		{ "mac_tx_data_o", core.tx_data }, { "loop_valid_o", &core.loop_valid },
		{ "loop_last_o", &core.loop_last }, { "loop_nbytes_o", &core.loop_nbytes },
		{ "loop_data_o", core.loop_data },
	};

	(void)dut;
	for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++)
		if (!strcmp(ports[i].name, name) && (!core.hidden || strcmp(name, core.hidden))) {
			port = (struct sim_port){ name, ports[i].bits, core.beat * 8, core.beat,
						  SIM_IN };
			return &port;
		}
	return NULL;
}

static const struct sim_dut_ops ops = { .find = find };

static void mac_of(struct sim_mac *mac, struct sim_wire *wire, unsigned int port, unsigned int beat,
		   unsigned int period)
{
	const char *missing;

	memset(&core, 0, sizeof(core));
	core.beat = beat;
	assert_int_equal(sim_mac_init(mac, wire, port, period, &ops, NULL, &missing), 0);
}

static const struct { unsigned int beat, period; uint32_t mbps; } links[] = {
	{ 64, 4, 100000 }, { 8, 8, 8000 }, { 8, 8, 1000 }, { 32, 4, 40000 }, { 64, 4, 25000 },
};

#define N_LINKS (sizeof(links) / sizeof(*links))

/* ---- transmit ---- */

/*
 * A core that always has a beat: frames of `len` bytes back to back, from time 0.  The n-th leaves
 * the line exactly when rate and overhead say.
 */
static void transmit(size_t link, uint32_t len, unsigned int n)
{
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire;
	struct sim_mac mac;
	uint32_t off = 0;
	unsigned int sent = 0;

	cfg.mbps = links[link].mbps;
	cfg.delay_ns = 0;
	wire = new_wire(&cfg);
	mac_of(&mac, wire, 0, links[link].beat, links[link].period);
	for (uint64_t now = 0; sent < n; now += links[link].period) {
		uint32_t left = len - off;

		core.tx_valid = 1;
		core.tx_last = left <= core.beat;
		core.tx_nbytes = (uint8_t)(left < core.beat ? left : core.beat);
		memset(core.tx_data, (int)sent, core.beat);
		sim_mac_drive(&mac, now);
		assert_true(sim_mac_sample(&mac, now));
		if (!core.tx_ready)
			continue;
		off = core.tx_last ? 0 : off + core.beat;
		sent += core.tx_last;
	}
	for (uint64_t i = 0; i < n; i++) {
		struct sim_frame *frame = sim_wire_take(wire, 1);
		uint64_t bytes = (i + 1) * sim_wire_bytes(len) - SIM_WIRE_GAP;

		assert_non_null(frame);
		assert_int_equal(frame->t, (bytes * 8000 + cfg.mbps - 1) / cfg.mbps);
		assert_int_equal(frame->len, len < 60 ? 60 : len);
		assert_int_equal(frame->data[0], i);
		assert_int_equal(frame->data[len - 1], i);
		assert_false(frame->err);
		sim_frame_free(frame);
	}
	assert_int_equal(sim_wire_stats(wire, 0)->tx_underrun, 0);
	sim_mac_free(&mac);
	sim_wire_free(wire);
}

static void transmits_at_line_rate(void **state)
{
	static const uint32_t lens[] = { 60, 61, 64, 65, 82, 100, 128, 1514, 4214, 30 };

	(void)state;
	for (size_t link = 0; link < N_LINKS; link++)
		for (size_t i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
			uint32_t beats = (lens[i] + links[link].beat - 1) / links[link].beat;

			/* 65 bytes in beats of 64: the core's bus is slower than the line */
			if ((uint64_t)beats * links[link].period * links[link].mbps <=
			    sim_wire_bytes(lens[i]) * 8000ULL)
				transmit(link, lens[i], 100);
			else
				assert_int_equal(lens[i], 65);
		}
}

static void beats(struct sim_mac *mac, uint64_t *now, uint32_t len, uint8_t err, unsigned int pause)
{
	for (uint32_t off = 0; off < len;) {
		bool wait = pause && off && off == core.beat * 20;

		core.tx_valid = !wait;
		core.tx_last = len - off <= core.beat;
		core.tx_err = core.tx_last ? err : 0;
		core.tx_nbytes = (uint8_t)(len - off < core.beat ? len - off : core.beat);
		if (wait) {
			for (; pause; pause--, *now += mac->period) {
				sim_mac_drive(mac, *now);
				assert_false(sim_mac_sample(mac, *now));
			}
			continue;
		}
		sim_mac_drive(mac, *now);
		sim_mac_sample(mac, *now);
		off += core.tx_ready ? core.tx_nbytes : 0;
		if (core.tx_ready && core.tx_last)
			break;
		*now += mac->period;
	}
}

static void transmit_errors(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire = new_wire(&cfg);
	struct sim_mac mac;
	uint64_t now = 0;

	(void)state;
	mac_of(&mac, wire, 0, 64, 4);
	beats(&mac, &now, 300, 1, 0);
	assert_int_equal(sim_wire_stats(wire, 0)->tx_bad_fcs, 1);
	/* a pause inside a frame that the buffer covers, and one that it does not */
	now += 1000;
	beats(&mac, &now, 3000, 0, 1);
	assert_int_equal(sim_wire_stats(wire, 0)->tx_underrun, 0);
	now += 1000;
	beats(&mac, &now, 3000, 0, 20);
	assert_int_equal(sim_wire_stats(wire, 0)->tx_underrun, 1);
	/* longer than any frame: cut, and a bad FCS */
	now += 1000;
	beats(&mac, &now, SIM_FRAME_MAX + 100, 0, 0);
	assert_int_equal(sim_wire_stats(wire, 0)->tx_bad_fcs, 2);
	assert_int_equal(sim_wire_stats(wire, 0)->tx_frames, 4);
	sim_mac_free(&mac);
	sim_wire_free(wire);
}

/* Of two that share a port one begins no frame while the other has filled it, and ends what it has
 * begun. */
static void waits_for_a_shared_port(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(4);
	struct sim_wire *wire;
	struct sim_mac mac;
	uint64_t now = 0;

	(void)state;
	cfg.nics_per_port = 2;
	wire = new_wire(&cfg);
	mac_of(&mac, wire, 0, 64, 4);
	core.tx_valid = 1;
	core.tx_nbytes = 64;
	sim_mac_drive(&mac, now);
	assert_true(core.tx_ready);
	sim_mac_sample(&mac, now); /* a frame is begun */
	for (unsigned int i = 0; i < 20; i++)
		send_at(wire, 1, plain_frame(1, 2, 1000, i), now);
	sim_wire_advance(wire, now);
	assert_true(sim_wire_waits(wire, 0, now));
	for (now += 40; !core.tx_last; now += 40) {
		core.tx_last = now >= 120;
		sim_mac_drive(&mac, now);
		assert_true(core.tx_ready);
		sim_mac_sample(&mac, now);
	}
	core.tx_last = 0;
	sim_mac_drive(&mac, now);
	assert_false(core.tx_ready);
	assert_true(sim_mac_sample(&mac, now)); /* and it is still to be clocked */
	assert_int_equal(sim_wire_stats(wire, 0)->tx_frames, 1);
	for (; sim_wire_waits(wire, 0, now); now += 4)
		;
	sim_mac_drive(&mac, now);
	assert_true(core.tx_ready);
	sim_mac_free(&mac);
	sim_wire_free(wire);
}

/* ---- receive ---- */

/* Take one frame's beats from `now` on; returns the time of its last beat. */
static uint64_t receive(struct sim_mac *mac, uint64_t *now, uint32_t number, uint32_t len, bool err)
{
	uint32_t off = 0;

	for (;; *now += mac->period) {
		uint64_t next = sim_mac_next(mac);

		sim_mac_drive(mac, *now);
		/*
		 * sim_mac_next() is exact: no beat before it, and one as soon as the clock allows
		 */
		assert_int_equal(core.rx_valid, next <= *now);
		if (core.rx_valid)
			break;
		assert_in_range(*now, 0, 10000000);
	}
	for (;; sim_mac_drive(mac, *now)) {
		uint32_t n = len - off < core.beat ? len - off : core.beat;

		assert_true(core.rx_valid);
		assert_int_equal(core.rx_last, len - off <= core.beat);
		if (off <= 14 && off + n >= 18) {
			uint32_t got;

			memcpy(&got, core.rx_data + 14 - off, 4);
			assert_int_equal(got, number);
		}
		off += core.beat;
		*now += mac->period;
		if (!core.rx_last)
			continue;
		assert_int_equal(core.rx_nbytes, n);
		assert_int_equal(core.rx_err, err);
		return *now - mac->period;
	}
}

static void receives_without_gaps(void **state)
{
	(void)state;
	for (size_t link = 0; link < N_LINKS; link++) {
		struct sim_wire_cfg cfg = wire_cfg(2);
		struct sim_line line = { .mbps = links[link].mbps };
		struct sim_wire *wire;
		struct sim_mac mac;
		uint64_t now = 0, ends[60];
		struct rng rng = { test_seed() };
		uint32_t lens[60];

		cfg.mbps = links[link].mbps;
		cfg.delay_ns = 100000;	/* longer than any frame here */
		wire = new_wire(&cfg);
		mac_of(&mac, wire, 1, links[link].beat, links[link].period);
		assert_int_equal(sim_mac_next(&mac), SIM_NEVER);
		for (uint32_t i = 0; i < 60; i++) {
			struct sim_frame *frame;

			lens[i] = i < 20 ? 60 + i
					 : (uint32_t)rng_range(&rng, 60, i % 7 ? 200 : 1514);
			frame = plain_frame(0, 1, lens[i], i);
			frame->t = sim_line_frame(&line, 0, lens[i]);
			frame->err = i % 5 == 4;
			ends[i] = frame->t + cfg.delay_ns;
			sim_wire_send(wire, 0, frame, 0);
		}
		for (uint32_t i = 0; i < 60; i++) {
			uint64_t end = receive(&mac, &now, i, lens[i], i % 5 == 4);

			/*
			 * at the first edge when it is there; beats of short frames are rounded up
			 * to a cycle
			 */
			assert_true(end >= ends[i]);
			assert_in_range(end - ends[i], 0, 2 * links[link].period);
		}
		assert_int_equal(sim_mac_next(&mac), SIM_NEVER);
		sim_mac_free(&mac);
		sim_wire_free(wire);
	}
}

/* Copies and late frames never come closer than the line carries them. */
static void copies_take_their_time(void **state)
{
	const char *rule = "dup:3";
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire;
	struct sim_frame *frame = plain_frame(0, 1, 1000, 5);
	struct sim_mac mac;
	uint64_t now = 0;

	(void)state;
	cfg.rules = &rule;
	cfg.n_rules = 1;
	wire = new_wire(&cfg);
	mac_of(&mac, wire, 1, 64, 4);
	frame->t = 1000;
	sim_wire_send(wire, 0, frame, 1000);
	for (int i = 0; i < 4; i++) {
		uint64_t end = receive(&mac, &now, 5, 1000, false);

		/* 1024 bytes: 81.92 ns, counted as 81 so that errors do not add up */
		assert_in_range(end, 1500 + 81 * i, 1500 + 81 * i + 3);
	}
	sim_mac_free(&mac);
	sim_wire_free(wire);
}

/* A core slower than its line: the MAC's buffer fills, then whole frames are lost and counted. */
static void slow_core_overruns(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire = new_wire(&cfg);
	struct sim_line line = { .mbps = MBPS_100G };
	struct sim_mac mac;
	unsigned int got = 0;

	(void)state;
	mac_of(&mac, wire, 1, 8, 8);	/* 8 Gb/s on 100 */
	for (uint32_t i = 0; i < 1000; i++) {
		struct sim_frame *frame = plain_frame(0, 1, 1000, i);

		frame->t = sim_line_frame(&line, 0, 1000);
		sim_wire_send(wire, 0, frame, 0);
	}
	for (uint64_t now = 0; sim_mac_next(&mac) != SIM_NEVER || core.rx_valid; now += 8) {
		sim_mac_drive(&mac, now);
		got += core.rx_valid && core.rx_last;
	}
	assert_int_equal(got + sim_wire_stats(wire, 1)->rx_overrun, 1000);
	/* a twelfth while they come, and the buffer */
	assert_in_range(got, 75, 160);
	sim_mac_free(&mac);
	sim_wire_free(wire);
}

static void missing_ports(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire = new_wire(&cfg);
	struct sim_mac mac;
	const char *missing;

	(void)state;
	core.hidden = "mac_tx_err_o";
	assert_int_equal(sim_mac_init(&mac, wire, 0, 4, &ops, NULL, &missing), -ENOENT);
	assert_string_equal(missing, "mac_tx_err_o");
	core.hidden = NULL;
	sim_wire_free(wire);
}

static void keep_looped(void *arg, unsigned int port, const struct sim_frame *frame)
{
	struct sim_frame **kept = arg;

	assert_int_equal(port, 1);
	assert_null(*kept);
	*kept = sim_frame_new(frame->data, frame->len);
	(*kept)->t = frame->t;
}

/* What the core shows of frames that it loops inside becomes frames again, and none of the wire's;
 * a core that shows nothing is as good. */
static void looped_frames_are_seen(void **state)
{
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_wire *wire = new_wire(&cfg);
	struct sim_frame *kept = NULL;
	const char *missing;
	struct sim_mac mac;

	(void)state;
	mac_of(&mac, wire, 1, 8, 8);
	sim_wire_set_loop_tap(wire, keep_looped, &kept);
	for (uint32_t len = 58; len < 75; len++) {
		for (uint32_t at = 0; at < len; at += 8) {
			core.loop_valid = 0; /* a gap */
			assert_false(sim_mac_sample(&mac, 8 * at));
			core.loop_valid = 1;
			core.loop_last = at + 8 >= len;
			core.loop_nbytes = (uint8_t)(len - at < 8 ? len - at : 8);
			memset(core.loop_data, (int)(len + at), 8);
			assert_null(kept);
			sim_mac_sample(&mac, 8 * at + 4);
		}
		assert_non_null(kept);
		assert_int_equal(kept->len, len);
		assert_int_equal(kept->t, 8 * ((len - 1) / 8 * 8) + 4);
		for (uint32_t i = 0; i < len; i++)
			assert_int_equal(kept->data[i], (uint8_t)(len + i / 8 * 8));
		sim_frame_free(kept);
		kept = NULL;
	}
	assert_int_equal(sim_wire_stats(wire, 1)->loop_frames, 17);
	assert_int_equal(sim_wire_stats(wire, 1)->tx_frames, 0);
	assert_null(sim_wire_peek(wire, 0));
	core.hidden = "loop_valid_o";
	assert_int_equal(sim_mac_init(&mac, wire, 1, 8, &ops, NULL, &missing), 0);
	sim_mac_sample(&mac, 9000);
	assert_int_equal(sim_wire_stats(wire, 1)->loop_frames, 17);
	core.hidden = NULL;
	sim_wire_free(wire);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transmits_at_line_rate), cmocka_unit_test(transmit_errors),
		cmocka_unit_test(waits_for_a_shared_port),
		cmocka_unit_test(receives_without_gaps), cmocka_unit_test(copies_take_their_time),
		cmocka_unit_test(slow_core_overruns), cmocka_unit_test(missing_ports),
		cmocka_unit_test(looped_frames_are_seen),
	};

	return cmocka_run_group_tests_name("mac", tests, NULL, NULL);
}
