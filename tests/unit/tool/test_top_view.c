// SPDX-License-Identifier: Apache-2.0
/*
 * cairn top: lines that fit, however narrow the screen is, the more important columns first; those
 * of --batch, which a script can read; and numbers that are short.
 */
#include "top_bench.h"

static struct seen {
	unsigned int lines, heads;
	size_t longest;
	char all[100000];
} seen;

static void see(void *arg, enum top_style style, const char *text)
{
	struct seen *s = arg;
	size_t len = strlen(text);

	s->lines++;
	s->heads += style == TOP_HEAD;
	s->longest = len > s->longest ? len : s->longest;
	assert_true(!len || text[len - 1] != ' ');
	snprintf(s->all + strlen(s->all), sizeof(s->all) - strlen(s->all), "%s\n", text);
}

static void look(unsigned int width)
{
	memset(&seen, 0, sizeof(seen));
	top_view_head(&data.figures, &opts, width, see, &seen);
	top_view_body(&data.figures, &opts, width, see, &seen);
}

static void has(const char *text, bool wanted)
{
	if (!strstr(seen.all, text) == wanted)
		fail_msg("%s \"%s\":\n%s", wanted ? "no" : "there is", text, seen.all);
}

static void busy(void)
{
	take();
	add(0, "tx_bytes", 12500);
	add(0, "rx_bad_qpn", 1);
	add(0, "tx_retransmitted_packets", 1234567);
	pages[0]->qps = 1;
	pages[0]->qp[0].qpn = 0xabc;
	pages[0]->qp[0].value[CAIRN_COUNTER_RETX_PACKETS] = 7;
	later(0, 10000, 50 * MS);
	write_page(0);
	take();
}

/* Narrower screens have fewer columns, the last of which are those that matter most. */
static void fits(void **state)
{
	(void)state;
	busy();
	for (int time = 0; time <= TOP_BOTH_TIMES; time++) {
		opts.time = time;
		for (unsigned int width = 1; width < 260; width++) {
			look(width);
			assert_true(seen.longest <= width);
			assert_int_equal(seen.heads, 2);
		}
	}
	opts.time = TOP_DEVICE_TIME;
	look(200);
	has("TIMEOUTS", true);
	has("10.0G", true);
	has("1.23M", true);
	has("0x000abc", true);
	has("dropped: nic0 rx_bad_qpn 1 (+1)", true);
	look(80);
	has("TXbit/s  RXbit/s     RETX    DROPS      P50      P99    P99.9", true);
	has("TXpkt/s", false);
	look(30);
	has("TXbit/s", true);
	has("P99", false);
	opts.time = TOP_WALL_TIME;
	look(80);
	has("wTXbit/s wRXbit/s", true);
	has("2.00M", true);
	opts.time = TOP_BOTH_TIMES;
	look(200);
	has(" TXbit/s wTXbit/s", true);
	opts.qps = false;
	look(200);
	has("0x000abc", false);
}

/* For scripts: all columns, exact numbers, a word each. */
static void batch(void **state)
{
	char nic[32], up[32], number[32];
	double tx, wall;

	(void)state;
	busy();
	opts.batch = true;
	opts.time = TOP_BOTH_TIMES;
	look(0);
	has("cairn top: 2 NICs, 1 QP, ", true);
	has("\nsimulation: speed ", true);
	has("\nDROP nic0 rx_bad_qpn 1 1\n", true);
	has(" 1234567 ", true);
	assert_int_equal(sscanf(strstr(seen.all, "\nnic0 "), " %31s %31s %lf %lf %31s", nic, up,
				&tx, &wall, number),
			 5);
	assert_string_equal(up, "up");
	assert_true(tx == 10e9 && wall == 2e6);
	has("(", false);
	take();
	data.figures.nics = data.figures.qps = data.figures.drops = 0;
	look(0);
	has("no NIC", true);
}

/* Numbers in at most six characters, whatever they are. */
static void short_numbers(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" },	     { 1, "1.00" },    { 9.99, "9.99" },   { 9.999, "10.0" },
		{ 99.96, "100" },    { 999.4, "999" }, { 999.6, "1.00k" }, { 12345, "12.3k" },
		{ 999999, "1.00M" }, { 1e9, "1.00G" }, { 7.2e11, "720G" }, { 1e15, "1.00P" },
		{ 1e18, "1.00E" },
	};
	struct top_row *r;
	char line[64];

	(void)state;
	take();
	r = &data.figures.nic[0];
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		r->known[TOP_TX_BITS] = true;
		r->value[TOP_TX_BITS] = cases[i].value;
		look(22);
		snprintf(line, sizeof(line), "\nnic0 up    %8s\n", cases[i].text);
		has(line, true);
	}
	r->known[TOP_TX_BITS] = false;
	look(22);
	has("\nnic0 up           -\n", true);
	for (double value = 1; value < 1e30; value *= 1.07) {
		r->known[TOP_TX_BITS] = true;
		r->value[TOP_TX_BITS] = value;
		look(22);
		assert_true(value > 9e20 || seen.longest <= 22);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TOP_TEST(fits),
		TOP_TEST(batch),
		TOP_TEST(short_numbers),
	};

	return cmocka_run_group_tests_name("top_view", tests, NULL, NULL);
}
