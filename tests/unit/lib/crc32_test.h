/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crc32 with crc32_mul against a bit-by-bit CRC of our own and against frames seen on real
 * wires.  Included by one .c a configuration, which defines UNIT (TAIL_UNIT), BASE (TAIL_BASE)
 * and CHECK as the model was built.
 */
#include <stdio.h>
#include <string.h>

#include "vtb.h"

#define MAX_BYTES 4300
#define RESULTS 6000

static const uint8_t leads[2] = { 14, 18 };	/* the default of LEADS */

struct bench {
	struct vtb *tb;
	const struct sim_port *en, *valid, *first, *last, *data, *lead, *tail;
	const struct sim_port *out_valid, *out_crc, *out_ok;
	size_t bytes;			/* of a beat */
	unsigned int tail_w, latency;
	unsigned int idle, stall;	/* percent of cycles without a beat, with en_i low */
	/* one record a packet, in order */
	size_t sent, received;
	uint32_t want[RESULTS];
	bool want_ok[RESULTS];
	uint64_t enabled;		/* cycles with en_i high so far ... */
	uint64_t sent_at[RESULTS];	/* ... and at the last beat */
	uint64_t received_at[RESULTS];
};

static uint32_t crc_bits(uint32_t crc, const uint8_t *p, size_t len)
{
	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return crc;
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	if (!vtb_read(b->en))
		return;
	b->enabled++;
	if (!vtb_read(b->out_valid))
		return;
	vtb_check(tb, b->received < b->sent);
	if (!CHECK)
		vtb_check_eq(tb, vtb_read(b->out_crc), b->want[b->received]);
	vtb_check_eq(tb, vtb_read(b->out_ok), b->want_ok[b->received]);
	vtb_check_eq(tb, b->enabled - b->sent_at[b->received], b->latency);
	b->received_at[b->received++] = b->enabled;
}

static void bench_open(struct bench *b)
{
	struct vtb *tb;

	memset(b, 0, sizeof(*b));
	tb = b->tb = vtb_create();
	b->en = vtb_port(tb, "en_i");
	b->valid = vtb_port(tb, "in_valid_i");
	b->first = vtb_port(tb, "in_first_i");
	b->last = vtb_port(tb, "in_last_i");
	b->data = vtb_port(tb, "in_data_i");
	b->lead = vtb_port(tb, "in_lead_i");
	b->tail = vtb_port(tb, "in_tail_i");
	b->out_valid = vtb_port(tb, "out_valid_o");
	b->out_crc = vtb_port(tb, "out_crc_o");
	b->out_ok = vtb_port(tb, "out_ok_o");
	b->bytes = b->data->width / 8;
	b->tail_w = b->tail->width;
	b->latency = CHECK ? 4 : 3 + (b->tail_w + 1) / 2;
	vtb_on_sample(tb, sample, b);
}

static void garbage(struct bench *b)
{
	uint8_t junk[64];

	rng_bytes(&b->tb->rng, junk, b->bytes);
	vtb_put_bytes(b->data, 0, junk, b->bytes);
	vtb_put(b->valid, 0);
	vtb_put(b->first, rng_below(&b->tb->rng, 2));
	vtb_put(b->last, rng_below(&b->tb->rng, 2));
	vtb_put(b->lead, rng_below(&b->tb->rng, 2));
	vtb_put(b->tail, rng_below(&b->tb->rng, 1u << b->tail_w));
}

/* One cycle with what is on the inputs, repeated while en_i is low. */
static void cycle(struct bench *b)
{
	while (rng_percent(&b->tb->rng, b->stall)) {
		vtb_put(b->en, 0);
		vtb_tick(b->tb);
	}
	vtb_put(b->en, 1);
	vtb_tick(b->tb);
}

static void idle(struct bench *b, unsigned int cycles)
{
	garbage(b);
	while (cycles--)
		cycle(b);
}

/* Send a packet: the zero bytes of leads[lead], the coverage, zeros to the end of the beat. */
static void send(struct bench *b, unsigned int lead, const uint8_t *cover, size_t len)
{
	static uint8_t beats[MAX_BYTES + 128];
	size_t start = leads[lead], total = start + len, n = (total + b->bytes - 1) / b->bytes;
	size_t tail = n * b->bytes - total;
	struct rng *rng = &b->tb->rng;

	vtb_check(b->tb, b->sent < RESULTS && total <= MAX_BYTES && tail % UNIT == BASE);
	memset(beats, 0, sizeof(beats));
	memcpy(beats + start, cover, len);
	for (size_t i = 0; i < n; i++) {
		while (rng_percent(rng, b->idle))
			idle(b, 1);
		vtb_put_bytes(b->data, 0, beats + i * b->bytes, b->bytes);
		vtb_put(b->valid, 1);
		vtb_put(b->first, i == 0);
		vtb_put(b->last, i == n - 1);
		vtb_put(b->lead, i == 0 ? lead : rng_below(rng, 2));
		vtb_put(b->tail, i == n - 1 ? (tail - BASE) / UNIT
					    : rng_below(rng, 1u << b->tail_w));
		if (i == n - 1) {
			uint32_t crc = ~crc_bits(0xdebb20e3, cover, len);

			b->want[b->sent] = crc;
			b->want_ok[b->sent] = crc == 0x2144df1c;
			while (rng_percent(rng, b->stall)) {
				vtb_put(b->en, 0);
				vtb_tick(b->tb);
			}
			b->sent_at[b->sent++] = b->enabled + 1;
			vtb_put(b->en, 1);
			vtb_tick(b->tb);
		} else {
			cycle(b);
		}
	}
}

static void bench_close(struct bench *b)
{
	idle(b, b->latency);
	vtb_check_eq(b->tb, b->received, b->sent);
	vtb_destroy(b->tb);
}

/* Random coverage; half of the packets end with their right CRC, now and then one bit off. */
static void send_random(struct bench *b, unsigned int lead, size_t len)
{
	static uint8_t cover[MAX_BYTES];
	struct rng *rng = &b->tb->rng;

	rng_bytes(rng, cover, len);
	if (len >= 4 && rng_percent(rng, 50)) {
		uint32_t crc = ~crc_bits(0xdebb20e3, cover, len - 4);

		for (int i = 0; i < 4; i++)
			cover[len - 4 + i] = (uint8_t)(crc >> 8 * i);
		if (rng_percent(rng, 20))
			cover[rng_below(rng, len)] ^= (uint8_t)(1 << rng_below(rng, 8));
	}
	send(b, lead, cover, len);
}

/* The reference itself: the check value of the CRC catalogue, and the seed of ICRC. */
static void reference(void **state)
{
	uint8_t ones[8];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	assert_int_equal(~crc_bits(~0u, (const uint8_t *)"123456789", 9), 0xcbf43926);
	assert_int_equal(crc_bits(~0u, ones, 8), 0xdebb20e3);
}

/* Lengths that the configuration allows: the tail is BASE and a multiple of UNIT. */
static bool allowed(unsigned int lead, size_t len)
{
	return (leads[lead] + len + BASE) % UNIT == 0;
}

static void every_length(struct bench *b)
{
	for (size_t len = 1; len <= 2 * b->bytes + 70; len++)
		for (unsigned int lead = 0; lead < 2; lead++)
			for (int k = 0; k < 4 && allowed(lead, len); k++)
				send_random(b, lead, len);
	for (int i = 0; i < 20; i++) {
		size_t len = rng_range(&b->tb->rng, 1000, 4150);

		while (!allowed(0, len))
			len++;
		send_random(b, 0, len);
	}
}

static void lengths(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	every_length(&b);
	bench_close(&b);
}

static void lengths_with_pauses(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	b.idle = 30;
	b.stall = 30;
	every_length(&b);
	bench_close(&b);
}

/* Shortest packets without a pause: a result a beat where a packet fits one. */
static void full_rate(void **state)
{
	static struct bench b;
	uint64_t per_packet;

	(void)state;
	bench_open(&b);
	for (int i = 0; i < 500; i++)
		send_random(&b, 0, (b.bytes > 14 ? b.bytes - 14 : 2 * b.bytes - 14) - BASE);
	per_packet = b.bytes > 14 ? 1 : 2;
	bench_close(&b);
	for (size_t i = 1; i < b.received; i++)
		assert_int_equal(b.received_at[i] - b.received_at[i - 1], per_packet);
}

/* A packet cut short (no last), and a reset in the middle of one: no result, the next is right. */
static void cut_short(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	for (int i = 0; i < 20; i++) {
		garbage(&b);
		vtb_put(b.valid, 1);
		vtb_put(b.first, 1);
		vtb_put(b.last, 0);
		cycle(&b);
		send_random(&b, 1, 44);
	}
	idle(&b, b.latency);
	vtb_check_eq(b.tb, b.received, b.sent);
	vtb_put(b.valid, 1);
	vtb_put(b.first, 1);
	vtb_put(b.last, 1);
	vtb_tick(b.tb);
	vtb_put(b.valid, 0);
	vtb_reset(b.tb, 1);
	send_random(&b, 0, 48);
	bench_close(&b);
}

/* Frames from wires, ICRC included: a ConnectX-4 Lx CNP; Soft-RoCE ACKs over IPv6 and in a VLAN. */
static const char *const frames[] = {
	"e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201"
	"000012b70028000081" "00ffff40000118000000000000000000000000000000000000000082fd002a",
	"52540012340252540012340186dd60000000001c1140fd000100000000000000000000000001"
	"fd000100000000000000000000000002e46012b7001c00001100ffff00000061000001001f00000109f818b0",
	"5254001234025254001234018100000508004500003013c640004011d3a2c0a86901c0a86902"
	"d62512b7001c00001100ffff00000095000001011f0000017f7995f6",
};

static size_t unhex(uint8_t *out, const char *hex)
{
	size_t n = 0;
	unsigned int byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		out[n++] = (uint8_t)byte;
	return n;
}

/* IBTA 7.8.1 and annex A17: bits that change on the way count as ones. */
static void mask_variant(uint8_t *ip)
{
	uint8_t *udp;

	if (ip[0] >> 4 == 4) {
		ip[1] = ip[8] = ip[10] = ip[11] = 0xff;
		udp = ip + 20;
	} else {
		ip[0] = 0x6f;
		ip[1] = ip[2] = ip[3] = ip[7] = 0xff;
		udp = ip + 40;
	}
	udp[6] = udp[7] = 0xff;
	udp[8 + 4] = 0xff;
}

static void icrc_of_frames(void **state)
{
	static struct bench b;
	uint8_t frame[200];

	(void)state;
	bench_open(&b);
	for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		size_t len = unhex(frame, frames[i]);
		unsigned int lead = frame[12] == 0x81;
		uint8_t *ip = frame + leads[lead], *icrc = frame + len - 4;
		uint32_t wire = (uint32_t)icrc[3] << 24 | icrc[2] << 16 | icrc[1] << 8 | icrc[0];

		mask_variant(ip);
		send(&b, lead, ip, (size_t)(icrc - ip));
		vtb_check_eq(b.tb, b.want[b.sent - 1], wire);
		send(&b, lead, ip, (size_t)(icrc - ip) + 4);
		vtb_check(b.tb, b.want_ok[b.sent - 1]);
		ip[rng_below(&b.tb->rng, (uint64_t)(icrc - ip) + 4)] ^= 0x10;
		send(&b, lead, ip, (size_t)(icrc - ip) + 4);
		vtb_check(b.tb, !b.want_ok[b.sent - 1]);
	}
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reference),
		cmocka_unit_test(lengths),
		cmocka_unit_test(lengths_with_pauses),
		cmocka_unit_test(full_rate),
		cmocka_unit_test(cut_short),
		cmocka_unit_test(icrc_of_frames),
	};

	return cmocka_run_group_tests_name("crc32", tests, NULL, NULL);
}
