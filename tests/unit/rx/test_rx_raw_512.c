// SPDX-License-Identifier: Apache-2.0
/*
 * rx_raw: frames between wire and firmware: kept, dropped and counted, popped in order, ring wrap;
 * places for awaited answers that no flood takes; what firmware says of a frame is counted;
 * transmit buffer, BUSY, and writes that must have no effect.
 */
#include <string.h>

#include "cairn_hw.h"
#include "vtb.h"

#define RING 8192
#define FRAMES 16
#define ANSWERS CAIRN_RAW_ANSWERS
#define ANSWER_BYTES CAIRN_RAW_ANSWER_BYTES
#define OTHERS (RING - ANSWERS * ANSWER_BYTES) /* bytes that other frames may fill */

static struct vtb *tb;
static struct vtb_stream *in;
static unsigned int lsb_raw, lsb_len, lsb_answer, lsb_index, beat;
static unsigned int n_raw, n_drop, n_net[CAIRN_NET_OUTCOMES];

static void count(struct vtb *t, void *arg)
{
	static const char *const outcome[CAIRN_NET_OUTCOMES] = {
		[CAIRN_NET_OUTCOME_USED] = "events_net_used_o",
		[CAIRN_NET_OUTCOME_IGNORED] = "events_net_ignored_o",
		[CAIRN_NET_OUTCOME_INVALID] = "events_net_invalid_o",
		[CAIRN_NET_OUTCOME_BAD_SOURCE] = "events_net_bad_source_o",
		[CAIRN_NET_OUTCOME_UNSOLICITED] = "events_net_unsolicited_o",
		[CAIRN_NET_OUTCOME_CONFLICT] = "events_net_conflict_o",
	};

	(void)arg;
	n_raw += (unsigned int)vtb_get(t, "events_rx_raw_packets_o");
	n_drop += (unsigned int)vtb_get(t, "events_rx_raw_drop_o");
	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++)
		n_net[i] += (unsigned int)vtb_get(t, outcome[i]);
}

static void begin(void)
{
	tb = vtb_create();
	in = vtb_source(tb, "frame");
	vtb_stream_add(in, "raw", &lsb_raw);
	vtb_stream_add(in, "len", &lsb_len);
	vtb_stream_add(in, "answer", &lsb_answer);
	vtb_stream_add(in, "answer_index", &lsb_index);
	vtb_on_sample(tb, count, NULL);
	beat = vtb_port(tb, "frame_data_i")->width / 8;
	n_raw = n_drop = 0;
	memset(n_net, 0, sizeof(n_net));
}

/* index < 0: no answer */
static void send_answer(const uint8_t *data, size_t len, bool raw, int index)
{
	uint8_t buf[16384], m[VTB_META_BYTES] = { 0 };

	memset(buf, 0xee, sizeof(buf));
	memcpy(buf, data, len);
	vtb_meta_put(m, lsb_raw, 1, raw);
	vtb_meta_put(m, lsb_len, 14, len);
	vtb_meta_put(m, lsb_answer, 1, index >= 0);
	vtb_meta_put(m, lsb_index, 3, index >= 0 ? (unsigned int)index : rng_below(&tb->rng, 8));
	vtb_send(in, buf, (len + beat - 1) / beat * beat, false, m, (lsb_index + 10) / 8);
}

static void send(const uint8_t *data, size_t len, bool raw)
{
	send_answer(data, len, raw, -1);
}

static uint32_t mmio(bool we, uint32_t addr, uint32_t wdata)
{
	uint32_t rdata;

	vtb_set(tb, "mmio_valid_i", 1);
	vtb_set(tb, "mmio_we_i", we);
	vtb_set(tb, "mmio_addr_i", addr);
	vtb_set(tb, "mmio_wdata_i", wdata);
	vtb_eval(tb);
	vtb_run_until(tb, (vtb_eval(tb), vtb_get(tb, "mmio_ready_o")), 5);
	rdata = (uint32_t)vtb_get(tb, "mmio_rdata_o");
	vtb_tick(tb);
	vtb_set(tb, "mmio_valid_i", 0);
	vtb_tick(tb);
	return rdata;
}

static uint32_t rd(uint32_t addr)
{
	return mmio(false, addr, 0);
}

/* The oldest frame is this one; pop it. */
static void take_as(const uint8_t *data, size_t len, bool answer, uint32_t outcome)
{
	vtb_check_eq(tb, rd(CAIRN_REG_RAW_RX),
		     CAIRN_REG_RAW_RX_VALID | (answer ? CAIRN_REG_RAW_RX_ANSWER : 0) | len);
	vtb_check(tb, vtb_get(tb, "irq_o"));
	for (size_t i = 0; i < len; i += 4) {
		uint32_t word = rd(CAIRN_RAW_RX_BUFFER + (uint32_t)i);
		size_t n = len - i < 4 ? len - i : 4;

		if (memcmp(&word, data + i, n) != 0)
			vtb_fail(tb, "byte %zu of %zu: word 0x%08x", i, len, word);
	}
	mmio(true, CAIRN_REG_RAW_RX_POP, outcome);
}

static void take(const uint8_t *data, size_t len)
{
	take_as(data, len, false, 0);
}

static void settle(void)
{
	vtb_run_until(tb, !vtb_pending(in), 100000);
	vtb_run(tb, 3);
}

static void await(unsigned int index, bool valid)
{
	mmio(true, CAIRN_REG_RAW_AWAIT_KEY, 0x0a000001);
	mmio(true, CAIRN_REG_RAW_AWAIT, index | 5u << 4 | (valid ? CAIRN_REG_RAW_AWAIT_VALID : 0));
}

static void receive(void **state)
{
	static uint8_t data[64][2100];
	size_t len[64], kept = 0, taken = 0;

	(void)state;
	begin();
	vtb_check_eq(tb, rd(CAIRN_REG_RAW_RX), 0);
	vtb_check(tb, !vtb_get(tb, "irq_o"));
	for (int round = 0; round < 40; round++) {
		while (kept - taken < 3) {
			size_t k = kept % 64;

			/* others pass meanwhile, also longer than the ring */
			if (rng_percent(&tb->rng, 50)) {
				static uint8_t other[10000];

				send(other, 1 + rng_below(&tb->rng, 9900), false);
			}
			len[k] = rng_percent(&tb->rng, 20) ? 2048 - rng_below(&tb->rng, 3)
							   : 1 + rng_below(&tb->rng, 600);
			rng_bytes(&tb->rng, data[k], len[k]);
			send(data[k], len[k], true);
			kept++;
		}
		vtb_run_until(tb, !vtb_pending(in), 20000);
		vtb_run(tb, 3);
		take(data[taken % 64], len[taken % 64]);
		taken++;
	}
	while (taken < kept) {
		take(data[taken % 64], len[taken % 64]);
		taken++;
	}
	vtb_check_eq(tb, rd(CAIRN_REG_RAW_RX), 0);
	mmio(true, CAIRN_REG_RAW_RX_POP, 0); /* nothing there: no effect */
	vtb_check_eq(tb, rd(CAIRN_REG_RAW_RX), 0);
	vtb_check_eq(tb, n_raw, kept);
	vtb_check_eq(tb, n_drop, 0);
	vtb_destroy(tb);
}

static void drops(void **state)
{
	static uint8_t data[16384];
	unsigned int fit = OTHERS / 2048;

	(void)state;
	begin();
	rng_bytes(&tb->rng, data, sizeof(data));
	send(data, 2049, true);
	send(data, 16383, true);
	vtb_run_until(tb, !vtb_pending(in), 20000);
	vtb_run(tb, 3);
	vtb_check_eq(tb, n_drop, 2);
	/* ring full */
	for (unsigned int i = 0; i < fit + 2; i++)
		send(data, 2048, true);
	vtb_run_until(tb, !vtb_pending(in), 20000);
	vtb_run(tb, 3);
	vtb_check_eq(tb, n_raw, fit);
	vtb_check_eq(tb, n_drop, 4);
	for (unsigned int i = 0; i < fit; i++)
		take(data, 2048);
	/* too many frames */
	for (unsigned int i = 0; i < FRAMES + 3; i++)
		send(data + i, 60, true);
	vtb_run_until(tb, !vtb_pending(in), 20000);
	vtb_run(tb, 3);
	vtb_check_eq(tb, n_raw, fit + FRAMES);
	vtb_check_eq(tb, n_drop, 7);
	for (unsigned int i = 0; i < FRAMES; i++)
		take(data + i, 60);
	vtb_check(tb, !vtb_get(tb, "irq_o"));
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

/* The ring is full of others, in bytes or in number: each awaited answer is kept, once. */
static void answers_have_places(void **state)
{
	static uint8_t data[16384];

	(void)state;
	for (unsigned int by_number = 0; by_number < 2; by_number++) {
		unsigned int n = 0, len = by_number ? 60 : 1024,
			     fit = by_number ? FRAMES : OTHERS / 1024;

		begin();
		rng_bytes(&tb->rng, data, sizeof(data));
		for (unsigned int i = 0; i < ANSWERS; i++)
			await(i, i != 3);
		for (; n < fit + 400; n++)
			send(data, len, true);
		settle();
		vtb_check_eq(tb, n_raw, fit);
		vtb_check_eq(tb, n_drop, 400);
		for (unsigned int i = 0; i < ANSWERS; i++) {
			send_answer(data + i, ANSWER_BYTES + 1, true,
				    (int)i); /* too long for a place */
			send_answer(data + i, ANSWER_BYTES, true, (int)i);
			send_answer(data + i, 60, true, (int)i); /* once */
		}
		settle();
		vtb_check_eq(tb, n_raw, fit + ANSWERS - 1);
		vtb_check_eq(tb, n_drop, 400 + 2 * ANSWERS + 1);
		/* awaited again before it is taken: no more than ANSWERS of them */
		for (unsigned int i = 0; i < 3; i++) {
			await(i, true);
			send_answer(data + 99, 60, true, (int)i);
		}
		settle();
		vtb_check_eq(tb, n_raw, fit + ANSWERS);
		for (unsigned int i = 0; i < fit; i++)
			take(data, len);
		for (unsigned int i = 0; i < ANSWERS; i++)
			if (i != 3)
				take_as(data + i, ANSWER_BYTES, true, 0);
		take_as(data + 99, 60, true, 0);
		vtb_check(tb, !vtb_get(tb, "irq_o"));
		/* not awaited any more: 1 and 2 still are */
		await(1, false);
		send_answer(data, 60, true, 0);
		send_answer(data, 60, true, 1);
		send_answer(data, 60, true, 2);
		settle();
		take_as(data, 60, false, 0);
		take_as(data, 60, false, 0);
		take_as(data, 60, true, 0);
		vtb_destroy(tb);
	}
}

/* Frames, answers, arms and pops in any order and pace, against a list. */
static void any_order(void **state)
{
	static uint8_t data[4096];
	struct {
		size_t at, len;
		bool answer;
	} list[64];
	unsigned int first = 0, last = 0, others = 0, answers = 0, kept = 0, dropped = 0;
	unsigned int armed = 0;
	size_t words = 0;

	(void)state;
	begin();
	vtb_stream_pause(in, 30);
	rng_bytes(&tb->rng, data, sizeof(data));
	for (unsigned int i = 0; i < 4000; i++) {
		unsigned int what = (unsigned int)rng_below(&tb->rng, 10);
		int index = rng_percent(&tb->rng, 40) ? (int)rng_below(&tb->rng, ANSWERS) : -1;
		size_t len = 1 + rng_below(&tb->rng, rng_percent(&tb->rng, 80) ? 130 : 2100), more;
		size_t at = rng_below(&tb->rng, 1900);
		bool raw = rng_percent(&tb->rng, 85), answer, keep;

		if (what == 0) {
			unsigned int k = (unsigned int)rng_below(&tb->rng, ANSWERS);
			bool valid = rng_percent(&tb->rng, 80);

			await(k, valid);
			armed = (armed & ~(1u << k)) | (unsigned int)valid << k;
			continue;
		}
		if (what <= 3 && first != last) {
			take_as(data + list[first % 64].at, list[first % 64].len,
				list[first % 64].answer, 5);
			words -= (list[first % 64].len + beat - 1) / beat;
			answers -= list[first % 64].answer;
			first++;
			continue;
		}
		send_answer(data + at, len, raw, index);
		settle();
		more = (len + beat - 1) / beat;
		answer = index >= 0 && armed >> index & 1 && len <= ANSWER_BYTES &&
			 answers < ANSWERS;
		others = last - first;
		keep = raw && len <= 2048 &&
		       (answer || ((words + more) * beat <= OTHERS && others < FRAMES));
		kept += keep;
		dropped += raw && !keep;
		vtb_check_eq(tb, n_raw, kept);
		vtb_check_eq(tb, n_drop, dropped);
		if (!keep)
			continue;
		list[last % 64].at = at;
		list[last % 64].len = len;
		list[last++ % 64].answer = answer;
		words += more;
		answers += answer;
		if (answer)
			armed &= ~(1u << index);
	}
	vtb_check(tb, dropped > 100 && kept > 500 && n_net[5] == first && first > 300);
	vtb_destroy(tb);
}

static void outcomes(void **state)
{
	static uint8_t data[64];

	(void)state;
	begin();
	for (unsigned int i = 0; i < 6 * CAIRN_NET_OUTCOMES; i++) {
		send(data, 60, true);
		settle();
		take_as(data, 60, false, i % CAIRN_NET_OUTCOMES);
	}
	mmio(true, CAIRN_REG_RAW_RX_POP, 1); /* nothing there: not counted */
	vtb_run(tb, 3);
	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++)
		vtb_check_eq(tb, n_net[i], 6);
	vtb_check_eq(tb, rd(CAIRN_REG_RAW_AWAIT), 0);
	mmio(true, CAIRN_REG_RAW_AWAIT_KEY, 0x12345678);
	vtb_check_eq(tb, rd(CAIRN_REG_RAW_AWAIT_KEY), 0x12345678);
	vtb_destroy(tb);
}

static void check_buffer(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i += beat) {
		uint8_t word[64];

		vtb_set(tb, "tx_rd_valid_i", 1);
		vtb_set(tb, "tx_rd_addr_i", i / beat);
		vtb_tick(tb);
		vtb_set(tb, "tx_rd_valid_i", 0);
		vtb_eval(tb);
		vtb_get_bytes(vtb_port(tb, "tx_rd_data_o"), 0, word, beat);
		if (memcmp(word, data + i, len - i < beat ? len - i : beat) != 0)
			vtb_fail(tb, "transmit buffer differs in the beat at %zu", i);
	}
}

static void write_buffer(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i += 4) {
		uint32_t word;

		memcpy(&word, data + i, 4);
		mmio(true, CAIRN_RAW_TX_BUFFER + (uint32_t)i, word);
	}
}

static void transmit(void **state)
{
	static uint8_t a[2048], b[2048];
	static const size_t lens[] = { 14, 42, 60, 61, 1514, 2048 };

	(void)state;
	begin();
	rng_bytes(&tb->rng, b, sizeof(b));
	for (size_t k = 0; k < 6; k++) {
		rng_bytes(&tb->rng, a, sizeof(a));
		write_buffer(a, sizeof(a));
		vtb_check_eq(tb, rd(CAIRN_REG_RAW_TX) & CAIRN_REG_RAW_TX_BUSY, 0);
		/* lengths that are refused */
		mmio(true, CAIRN_REG_RAW_TX, 13);
		mmio(true, CAIRN_REG_RAW_TX, 2049);
		vtb_check(tb, !vtb_get(tb, "tx_valid_o") && vtb_get(tb, "idle_o"));
		mmio(true, CAIRN_REG_RAW_TX, (uint32_t)lens[k]);
		vtb_check(tb, vtb_get(tb, "tx_valid_o") && !vtb_get(tb, "idle_o"));
		vtb_check_eq(tb, vtb_get(tb, "tx_len_o"), lens[k]);
		vtb_check_eq(tb, rd(CAIRN_REG_RAW_TX), CAIRN_REG_RAW_TX_BUSY | lens[k]);
		/* no effect while busy */
		write_buffer(b, 64);
		mmio(true, CAIRN_REG_RAW_TX, 99);
		vtb_check_eq(tb, vtb_get(tb, "tx_len_o"), lens[k]);
		vtb_set(tb, "tx_ready_i", 1);
		vtb_tick(tb);
		vtb_set(tb, "tx_ready_i", 0);
		vtb_eval(tb);
		vtb_check(tb, !vtb_get(tb, "tx_valid_o"));
		check_buffer(a, lens[k]);
		vtb_check(tb, rd(CAIRN_REG_RAW_TX) & CAIRN_REG_RAW_TX_BUSY);
		vtb_set(tb, "tx_rd_done_i", 1);
		vtb_tick(tb);
		vtb_set(tb, "tx_rd_done_i", 0);
	}
	vtb_check_eq(tb, rd(0x0), 0);
	vtb_check_eq(tb, rd(0x4800), 0);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(receive),
		cmocka_unit_test(drops),
		cmocka_unit_test(answers_have_places),
		cmocka_unit_test(any_order),
		cmocka_unit_test(outcomes),
		cmocka_unit_test(transmit),
	};

	return cmocka_run_group_tests_name("rx_raw", tests, NULL, NULL);
}
