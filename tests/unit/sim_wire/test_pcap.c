// SPDX-License-Identifier: Apache-2.0
/* Capture files of the simulated wire: classic, of one NIC, by port; and those of others. */
#define _GNU_SOURCE
#include "frames.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim_pcap.h"

/* First and last of the five frames as Wireshark reads them. */
static void check_with_tshark(void)
{
	static const char command[] =
		"tshark -r build/test-wire.pcap -T fields -e frame.time_epoch "
		"-e infiniband.bth.opcode 2>/dev/null";
	FILE *pipe = popen(command, "r");
	char line[128], *got = fgets(line, sizeof(line), pipe);

	if (got)
		assert_string_equal(line, "3.000000000\t10\n");
	for (int i = 0; i < 4 && got; i++)
		got = fgets(line, sizeof(line), pipe);
	if (!pclose(pipe))
		assert_string_equal(line, "3.000001000\t17\n");
	else
		print_message("# no tshark here\n");
}

static void capture_and_read(void **state)
{
	static const char path[] = "build/test-wire.pcap";
	static const char nic1[] = "build/test-wire-nic1.pcap";
	struct sim_wire_cfg cfg = wire_cfg(2);
	struct sim_pcap_reader *reader;
	const char *rule = "drop k=2";
	const uint8_t *data;
	uint32_t len, wire_len;
	uint64_t ns;
	struct sim_wire *wire;

	(void)state;
	cfg.rules = &rule;
	cfg.n_rules = 1;
	cfg.pcap = path;
	cfg.pcap_nic_file = nic1;
	cfg.pcap_nic = 1;
	wire = new_wire(&cfg);
	for (uint32_t i = 0; i < 4; i++)
		send_at(wire, 0, roce_frame(0, CAIRN_OPCODE_RC_WRITE_ONLY, 0x11, i, 0, 64),
			3000000000ULL + i * 100);
	send_at(wire, 1, roce_frame(0, CAIRN_OPCODE_RC_ACKNOWLEDGE, 0x12, 3, 0x1f, 0),
		3000001000ULL);
	struct sim_frame *bad = plain_frame(0, 1, 100, 9);

	bad->err = true;
	send_at(wire, 0, bad, 3000002000ULL);
	drain(wire, 1);
	drain(wire, 0);
	sim_wire_free(wire);

	/* all that left a transmitter with a good FCS, faults or not */
	reader = sim_pcap_open(path);
	assert_non_null(reader);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(sim_pcap_next(reader, &ns, &data, &len, &wire_len), 1);
		assert_int_equal(ns, i < 4 ? 3000000000ULL + i * 100 : 3000001000ULL);
		assert_int_equal(cairn_pkt_get(data + 42, CAIRN_BTH_PSN), i < 4 ? i : 3);
		assert_int_equal(len, wire_len);
	}
	assert_int_equal(sim_pcap_next(reader, &ns, &data, &len, &wire_len), 0);
	sim_pcap_reader_close(reader);
	/* what NIC 1 sent and what reached it */
	reader = sim_pcap_open(nic1);
	for (unsigned int n = 0; n < 4; n++)
		assert_int_equal(sim_pcap_next(reader, &ns, &data, &len, &wire_len), 1);
	assert_int_equal(sim_pcap_next(reader, &ns, &data, &len, &wire_len), 0);
	sim_pcap_reader_close(reader);

	check_with_tshark();
	unlink(path);
	unlink(nic1);
}

/* Inside NIC 1; a copy of multicast inside NIC 0. */
static void send_looped(struct sim_wire *wire)
{
	struct sim_frame *looped = plain_frame(1, 1, 62, 0);

	sim_wire_looped(wire, 1, looped->data, looped->len, 9500);
	looped->data[0] |= 1;
	sim_wire_looped(wire, 0, looped->data, looped->len, 9600);
	sim_frame_free(looped);
	assert_int_equal(sim_wire_stats(wire, 1)->loop_frames, 1);
	assert_int_equal(sim_wire_stats(wire, 1)->loop_bytes, 62);
	assert_int_equal(sim_wire_stats(wire, 1)->tx_frames, 0);
}

/*
 * By port: a lost frame leaves only, a doubled one arrives twice, a bad FCS is flagged; what rules
 * there were, and what was lost without any, stands between the frames. What a NIC looped inside is
 * at an interface of its own.
 */
static void capture_by_port(void **state)
{
	static const char path[] = "build/test-wire.pcapng";
	static const uint8_t type_packet[4] = { 6, 0, 0, 0 };
	static const struct { uint32_t port, flags;
	} expect[] = {
		{ 0, 2 }, { 0, 2 }, { 0, 2 }, { 0, 2 | 1U << 24 }, { 1, 1 }, { 1, 1 }, { 1, 1 },
		{ 1, 1 | 1U << 24 }, { 0, 2 }, { 3, 2 }, { 3, 1 }, { 2, 1 },
	};
	static const char *const notes[] = { "rule drop k=2", "rule dup k=3", "clear", "lost nic1", "loop1" };
	struct sim_wire_cfg cfg = wire_cfg(2);
	const char *rules[] = { "drop k=2", "dup k=3" };
	unsigned int n = 0;
	struct sim_wire *wire;
	uint8_t data[4096];
	size_t size, at;
	FILE *f;

	(void)state;
	cfg.rules = rules;
	cfg.n_rules = 2;
	cfg.pcap = path;
	wire = new_wire(&cfg);
	for (uint8_t i = 0; i < 4; i++) {
		struct sim_frame *frame = plain_frame(0, 1, 61 + i, i);

		frame->err = i == 3;
		send_at(wire, 0, frame, 1000 + i * 100);
	}
	drain(wire, 1);
	sim_wire_clear_rules(wire);
	send_at(wire, 0, plain_frame(0, 1, 65, 4), 9000);
	sim_wire_set_link(wire, 1, false);
	send_looped(wire);
	sim_wire_free(wire);

	f = fopen(path, "r");
	assert_non_null(f);
	size = fread(data, 1, sizeof(data), f);
	fclose(f);
	for (unsigned int i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		assert_non_null(memmem(data, size, notes[i], strlen(notes[i])));
	for (at = 0; at < size;) {
		uint32_t length, port, captured, flags;

		memcpy(&length, data + at + 4, 4);
		assert_true(length >= 12 && length % 4 == 0 && at + length <= size);
		assert_memory_equal(data + at + 4, data + at + length - 4, 4);
		if (!memcmp(data + at, type_packet, 4)) {
			memcpy(&port, data + at + 8, 4);
			memcpy(&captured, data + at + 20, 4);
			memcpy(&flags, data + at + 28 + (captured + 3) / 4 * 4 + 4, 4);
			assert_in_range(captured, 61, 65);
			assert_true(n < sizeof(expect) / sizeof(*expect));
			assert_int_equal(port, expect[n].port);
			assert_int_equal(flags, expect[n].flags);
			n++;
		}
		at += length;
	}
	assert_int_equal(n, sizeof(expect) / sizeof(*expect));
	unlink(path);
}

static void read_foreign_captures(void **state)
{
	static const char path[] = "build/test-foreign.pcap";
	/* big-endian, microseconds, one frame of 4 bytes, then one cut short */
	static const uint8_t swapped[] = {
		0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0,
		0,    0,    1,	  0,	0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 9,	'a',  'b',
		'c',  'd',  0,	  0,	0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 4, 'a',
	};
	struct sim_pcap_reader *reader;
	const uint8_t *data;
	uint32_t len, wire_len;
	uint64_t ns;
	FILE *f = fopen(path, "w");

	(void)state;
	fwrite(swapped, sizeof(swapped), 1, f);
	fclose(f);
	reader = sim_pcap_open(path);
	assert_non_null(reader);
	assert_int_equal(sim_pcap_next(reader, &ns, &data, &len, &wire_len), 1);
	assert_int_equal(ns, 2000003000);
	assert_int_equal(len, 4);
	assert_int_equal(wire_len, 9);
	assert_memory_equal(data, "abcd", 4);
	assert_int_equal(sim_pcap_next(reader, &ns, &data, &len, &wire_len), -EPROTO);
	sim_pcap_reader_close(reader);
	assert_null(sim_pcap_open("/dev/null"));
	assert_int_equal(errno, EPROTO);
	unlink(path);
}

/* A file that may not grow, as on a full disk: the wire goes on, and says which file and why. */
static void full_disk(void **state)
{
	static const char *const paths[] = { "build/test-full.pcapng", "build/test-full.pcap" };
	const struct rlimit small = { 20000, RLIM_INFINITY };
	struct rlimit before;
	const char *file;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	for (unsigned int i = 0; i < 3; i++) {
		struct sim_wire_cfg cfg = wire_cfg(2);
		struct sim_wire *wire;
		unsigned int sent = 0;

		if (i < 2)
			cfg.pcap = paths[i];
		else
			cfg.pcap_nic_file = paths[1];
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		wire = new_wire(&cfg);
		for (; !sim_wire_failed(wire, &file) && sent < 1000; sent++)
			send_at(wire, 0, plain_frame(0, 1, 1000, 9), sent * 2000);
		assert_in_range(sent, 10, 30); /* at once, but for what is buffered */
		assert_int_equal(sim_wire_failed(wire, &file), -EFBIG);
		assert_string_equal(file, paths[i == 2 ? 1 : i]);
		drain(wire, 1);
		sim_wire_free(wire);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
		unlink(file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(capture_and_read),
		cmocka_unit_test(capture_by_port),
		cmocka_unit_test(read_foreign_captures),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests_name("sim_pcap", tests, NULL, NULL);
}
