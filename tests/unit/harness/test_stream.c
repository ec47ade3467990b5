// SPDX-License-Identifier: Apache-2.0
/* The testbench against a device that keeps the stream rules: what goes in comes out, at one beat a
 * cycle. */
#include <string.h>

#include "vtb.h"

#define PACKETS 200
#define MAX_LEN 300

static void run_packets(unsigned int idle, unsigned int busy)
{
	struct vtb *tb = vtb_create();
	struct vtb_stream *in = vtb_source(tb, "in"), *out = vtb_sink(tb, "out");
	static uint8_t data[PACKETS][MAX_LEN], meta[PACKETS][13];
	size_t len[PACKETS];
	bool err[PACKETS];

	vtb_stream_pause(in, idle);
	vtb_stream_pause(out, busy);
	for (int i = 0; i < PACKETS; i++) {
		len[i] = rng_range(&tb->rng, 1, MAX_LEN);
		err[i] = rng_percent(&tb->rng, 10);
		rng_bytes(&tb->rng, data[i], len[i]);
		rng_bytes(&tb->rng, meta[i], sizeof(meta[i]));
		meta[i][12] &= 0xf;
		vtb_send(in, data[i], len[i], err[i], meta[i], sizeof(meta[i]));
	}
	for (int i = 0; i < PACKETS; i++) {
		const struct vtb_packet *pkt;

		vtb_run_until(tb, vtb_received(out), 5000);
		pkt = vtb_recv(out);
		vtb_check_eq(tb, pkt->len, len[i]);
		vtb_check_eq(tb, pkt->err, err[i]);
		assert_memory_equal(pkt->data, data[i], len[i]);
		assert_memory_equal(pkt->meta, meta[i], sizeof(meta[i]));
		assert_memory_equal(pkt->meta_last, meta[i], sizeof(meta[i]));
	}
	vtb_check_eq(tb, vtb_pending(in), 0);
	vtb_check_eq(tb, vtb_get(tb, "beats_o"), vtb_beats(in));
	if (!idle && !busy)
		vtb_check_eq(tb, vtb_max_gap(out, 0, vtb_beats(out) - 1), 1);
	else
		vtb_check(tb, vtb_max_gap(out, 0, vtb_beats(out) - 1) > 1);
	vtb_destroy(tb);
}

static void full_rate(void **state)
{
	(void)state;
	run_packets(0, 0);
}

static void pauses(void **state)
{
	(void)state;
	run_packets(60, 0);
	run_packets(0, 60);
	run_packets(50, 50);
}

static void reset_forgets(void **state)
{
	struct vtb *tb = vtb_create();
	struct vtb_stream *in = vtb_source(tb, "in"), *out = vtb_sink(tb, "out");
	uint8_t data[64] = { 1, 2, 3 };

	(void)state;
	vtb_stream_pause(out, 100);
	vtb_send(in, data, sizeof(data), false, NULL, 0);
	vtb_run(tb, 20);
	vtb_reset(tb, 2);
	vtb_check_eq(tb, vtb_get(tb, "beats_o"), 0);
	vtb_stream_pause(out, 0);
	vtb_run_until(tb, vtb_received(out), 100); /* sent again, from its first beat */
	assert_memory_equal(vtb_recv(out)->data, data, sizeof(data));
	vtb_destroy(tb);
}

/* Two numbers that fill the 100 bits of the toy's meta, and a place across both. */
#define LOW 0, 37
#define HIGH 37, 63
#define ACROSS 61

static void wide_ports(void **state)
{
	struct vtb *tb = vtb_create();
	const struct sim_port *meta = vtb_port(tb, "in_meta_i");
	uint8_t bytes[3] = { 0x12, 0x34, 0x56 }, back[3];

	(void)state;
	vtb_put_bits(meta, HIGH, 0x5123456789abcdefULL);
	vtb_put_bits(meta, LOW, 0x1f00000001ULL);
	vtb_check_eq(tb, vtb_get_bits(meta, HIGH), 0x5123456789abcdefULL);
	vtb_check_eq(tb, vtb_get_bits(meta, LOW), 0x1f00000001ULL);
	vtb_put_bytes(meta, ACROSS, bytes, sizeof(bytes));
	vtb_get_bytes(meta, ACROSS, back, sizeof(back));
	assert_memory_equal(bytes, back, sizeof(back));
	vtb_check_eq(tb, vtb_get_bits(meta, ACROSS, 8 * sizeof(bytes)), 0x563412);
	vtb_destroy(tb);
}

static void two_instances(void **state)
{
	struct vtb *a = vtb_create(), *b = vtb_create();
	struct vtb_stream *in = vtb_source(a, "in"), *out = vtb_sink(a, "out");
	uint8_t data[8] = { 9 };

	(void)state;
	vtb_send(in, data, sizeof(data), false, NULL, 0);
	vtb_run_until(a, vtb_received(out), 10);
	vtb_run(b, 5);
	vtb_check_eq(a, vtb_get(a, "beats_o"), 1);
	vtb_check_eq(b, vtb_get(b, "beats_o"), 0);
	vtb_destroy(a);
	vtb_destroy(b);
}

static void provoked_assertion(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_expect_errors(tb);
	vtb_set(tb, "break_i", 5);
	vtb_set(tb, "in_valid_i", 1);
	vtb_run(tb, 3);
	vtb_check_eq(tb, vtb_errors_seen(tb), 3);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_rate),	 cmocka_unit_test(pauses),
		cmocka_unit_test(reset_forgets), cmocka_unit_test(wide_ports),
		cmocka_unit_test(two_instances), cmocka_unit_test(provoked_assertion),
	};

	return cmocka_run_group_tests_name("stream agents", tests, NULL, NULL);
}
