// SPDX-License-Identifier: Apache-2.0
/* Fault rules of the simulated wire: every action, every selector, every message. */
#include "frames.h"

#include <errno.h>

#define SEND CAIRN_OPCODE_RC_SEND_ONLY
#define WRITE CAIRN_OPCODE_RC_WRITE_ONLY
#define ACK CAIRN_OPCODE_RC_ACKNOWLEDGE
#define STEP 100

/* Send a frame from port `src` at n * STEP. */
static void push(struct sim_wire *wire, unsigned int src, unsigned int n, struct sim_frame *frame)
{
	frame->t = n * STEP;
	sim_wire_advance(wire, n * STEP);
	sim_wire_send(wire, src, frame, n * STEP);
}

/*
 * One digit or letter per frame that arrives at `port`, in order: the PSN's low bits of a RoCE
 * frame, the number of another.  Frees them.
 */
static const char *arrived(struct sim_wire *wire, unsigned int port)
{
	static char text[256];
	struct sim_frame *frame;
	unsigned int n = 0;
	uint64_t last = 0;

	sim_wire_advance(wire, 10000000);
	while ((frame = sim_wire_take(wire, port))) {
		uint32_t number =
			cairn_pkt_get(frame->data, CAIRN_ETH_TYPE) == 0x88b5
				? frame_number(frame)
				: (uint32_t)cairn_pkt_get(frame->data + 42, CAIRN_BTH_PSN);

		assert_true(frame->t >= last);
		last = frame->t;
		text[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
		sim_frame_free(frame);
	}
	text[n] = '\0';
	return text;
}

/* Frames 0 .. n-1 from NIC 0, with this rule. */
static const char *plain(const char *rule, unsigned int n)
{
	struct sim_wire *wire = rule_wire(rule, NULL, NULL);
	const char *text;

	for (unsigned int i = 0; i < n; i++)
		push(wire, 0, i, plain_frame(0, 1, 100, i));
	text = arrived(wire, 1);
	sim_wire_free(wire);
	return text;
}

static struct sim_frame *first(struct sim_wire *wire)
{
	struct sim_frame *frame = sim_wire_take(wire, 1);

	assert_non_null(frame);
	return frame;
}

/* ---- which ---- */

static void by_count(void **state)
{
	(void)state;
	assert_string_equal(plain("drop k=3", 6), "01345");
	assert_string_equal(plain("drop k=1,3-4", 6), "145");
	assert_string_equal(plain("drop k=4-", 6), "012");
	assert_string_equal(plain("drop every=2", 6), "024");
	assert_string_equal(plain("drop count=2", 6), "2345");
	assert_string_equal(plain("drop every=2 count=1", 6), "02345");
	assert_string_equal(plain("drop", 3), "");
	assert_string_equal(plain("drop len=100", 3), "");
	/* near to what can never match */
	assert_string_equal(plain("drop k=3,5-8 every=4", 8), "0123456");
	assert_string_equal(plain("truncate:99 len=100 count=1", 1), "0");
	assert_string_equal(plain("drop len=60-99,101-", 3), "012");
	assert_string_equal(plain("drop after=200ns before=400", 6), "0145");
	assert_string_equal(plain("  drop \t k=1 ", 3), "12");
}

static void by_chance(void **state)
{
	struct sim_wire *wire = rule_wire("drop p=0.25", NULL, NULL);
	unsigned int n = 0;

	(void)state;
	for (unsigned int i = 0; i < 4000; i++)
		push(wire, 0, i, plain_frame(0, 1, 100, i));
	for (struct sim_frame *f; (f = sim_wire_take(wire, 1)); n++)
		sim_frame_free(f);
	assert_in_range(n, 2860, 3140);
	assert_int_equal(sim_wire_rule_hits(wire, 0), 4000 - n);
	assert_int_equal(sim_wire_stats(wire, 0)->dropped, 4000 - n);
	sim_wire_free(wire);
}

static void by_direction(void **state)
{
	static const struct { const char *rule, *at1, *at0; } cases[] = {
		{ "drop nic0>nic1 k=1", "1", "01" }, { "drop nic1>nic0 k=1", "01", "1" },
		{ "drop nic0>* k=1", "1", "01" }, { "drop *>nic0 k=2", "01", "0" }, { "drop *>* k=1", "1", "01" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sim_wire *wire = rule_wire(cases[i].rule, NULL, NULL);

		for (unsigned int n = 0; n < 2; n++)
			for (unsigned int src = 0; src < 2; src++)
				push(wire, src, n, plain_frame((int)src, !src, 100, n));
		assert_string_equal(arrived(wire, 1), cases[i].at1);
		assert_string_equal(arrived(wire, 0), cases[i].at0);
		sim_wire_free(wire);
	}
}

/* A fixed mix of packets on QPs 0x100 and 0x200; each PSN appears with one meaning. */
static const struct { uint8_t opcode; uint32_t qp, psn; uint8_t syndrome;
} mix[] = {
	{ SEND, 0x100, 0, 0 },
	{ WRITE, 0x200, 1, 0 },
	{ CAIRN_OPCODE_RC_WRITE_FIRST, 0x100, 2, 0 },
	{ CAIRN_OPCODE_RC_WRITE_MIDDLE, 0x100, 3, 0 },
	{ CAIRN_OPCODE_RC_WRITE_LAST, 0x100, 4, 0 },
	{ ACK, 0x200, 5, 0x1f },
	{ ACK, 0x200, 6, 0x2c },
	{ ACK, 0x200, 7, 0x60 },
	{ CAIRN_OPCODE_RC_READ_REQUEST, 0x100, 8, 0 },
	{ CAIRN_OPCODE_RC_READ_RSP_ONLY, 0x200, 9, 0x1f },
	{ CAIRN_OPCODE_RC_FETCH_ADD, 0x100, 10, 0 },
	{ CAIRN_OPCODE_UD_SEND_ONLY, 0x1, 11, 0 },
	{ CAIRN_OPCODE_CNP, 0x100, 12, 0 },
	{ CAIRN_OPCODE_RC_WRITE_ONLY_IMM, 0x200, 13, 0 },
};

static const char *mixed(const char *rule)
{
	struct sim_wire *wire = rule_wire(rule, NULL, NULL);
	const char *text;

	for (unsigned int i = 0; i < sizeof(mix) / sizeof(*mix); i++)
		push(wire, 0, i,
		     roce_frame(0, mix[i].opcode, mix[i].qp, mix[i].psn, mix[i].syndrome, 64));
	push(wire, 0, 20, plain_frame(0, 1, 100, 30));
	text = arrived(wire, 1);
	sim_wire_free(wire);
	return text;
}

static void by_packet(void **state)
{
	static const struct { const char *rule, *left; } cases[] = {
		{ "drop op=rc_send_only", "123456789abcdu" }, { "drop op=RC_SEND_ONLY", "123456789abcdu" },
		{ "drop op=send_only", "123456789acdu" },	/* UD too */
		{ "drop op=write", "056789abcu" }, { "drop op=write+only", "023456789abcu" },
		{ "drop op=write+middle,cnp", "012456789abdu" }, { "drop op=first,last", "01356789abcdu" },
		{ "drop op=req", "5679cu" }, { "drop op=rsp", "012348abcdu" }, { "drop op=read", "01234567abcdu" },
		{ "drop op=read+rsp", "012345678abcdu" }, { "drop op=atomic", "0123456789bcdu" },
		{ "drop op=ack", "0123489abcdu" }, { "drop op=ud", "0123456789acdu" },
		{ "drop op=imm", "0123456789abcu" }, { "drop op=rc,uc", "bcu" },
		{ "drop aeth=ack", "01234678abcdu" }, { "drop aeth=rnr", "012345789abcdu" },
		{ "drop aeth=nak", "012345689abcdu" },
		{ "drop qp=0x100", "15679bdu" }, { "drop qp=256", "15679bdu" }, { "drop qp=1,0x200", "02348acu" },
		{ "drop qp=#1", "15679bdu" }, { "drop qp=#2-", "02348acu" }, { "drop qp=#3", "0123456789acdu" },
		{ "drop psn=@3-5", "0126789abcdu" }, { "drop psn=@0xa", "0123456789bcdu" },
		/* relative to the first request, or response, of that QP */
		{ "drop qp=0x100 psn=2", "013456789abcdu" }, { "drop qp=0x200 op=rsp psn=1", "012345789abcdu" },
		{ "drop qp=0x200 op=req psn=0", "023456789abcdu" },
		{ "drop type=roce", "u" }, { "drop type=other", "0123456789abcd" }, { "drop type=arp", "0123456789abcdu" },
		{ "drop op=write k=2", "013456789abcdu" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *left = mixed(cases[i].rule);

		if (strcmp(left, cases[i].left))
			fail_msg("%s: %s is left, expected %s", cases[i].rule, left, cases[i].left);
	}
}

static void psn_wraps(void **state)
{
	struct sim_wire *wire = rule_wire("drop psn=2", NULL, NULL);

	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		push(wire, 0, i, roce_frame(1, SEND, 7, (0xffffff + i) & 0xffffff, 0, 8));
	sim_wire_advance(wire, 10000);
	assert_int_equal(sim_wire_rule_hits(wire, 0), 1);
	for (uint32_t i = 0; i < 4; i++) {
		struct sim_frame *frame;

		if (i == 2)
			continue;
		frame = first(wire);
		assert_int_equal(cairn_pkt_get(frame->data + 62, CAIRN_BTH_PSN),
				 (0xffffff + i) & 0xffffff);
		sim_frame_free(frame);
	}
	sim_wire_free(wire);
}

static void by_round(void **state)
{
	struct sim_wire *wire = rule_wire("drop round=1 psn=1", "drop round=3 psn=@2", NULL);

	(void)state;
	for (uint32_t round = 0; round < 3; round++)
		for (uint32_t psn = 0; psn < 3; psn++)
			push(wire, 0, round * 3 + psn, roce_frame(0, SEND, 7, psn, 0, 8));
	/* another opcode, or another QP, with the same PSN counts on its own */
	push(wire, 0, 9, roce_frame(0, WRITE, 7, 1, 0, 8));
	push(wire, 0, 10, roce_frame(0, SEND, 8, 2, 0, 8));
	assert_string_equal(arrived(wire, 1), "02" "012" "01" "2");
	sim_wire_free(wire);
}

static void rules_add_up(void **state)
{
	struct sim_wire *wire = rule_wire("dup k=2", "corrupt:0 k=2", "delay:1us k=2");
	struct sim_frame *frame;
	char err[SIM_ERR_MAX];

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		push(wire, 0, i, plain_frame(0, 1, 100, i));
	frame = first(wire);
	sim_frame_free(frame);
	frame = first(wire);
	assert_int_equal(frame_number(frame), 2);
	sim_frame_free(frame);
	for (int copy = 0; copy < 2; copy++) {
		frame = first(wire);
		assert_int_equal(frame_number(frame), 1);
		assert_int_equal(frame->t, STEP + 500 + 1000);
		assert_int_equal(frame->data[0], frame_mac[1][0] ^ 1);
		sim_frame_free(frame);
	}
	sim_wire_clear_rules(wire);
	assert_int_equal(sim_wire_add_rule(wire, "drop k=1", err), 0);
	assert_int_equal(sim_wire_add_rule(wire, "drop q=1", err), -EINVAL);
	push(wire, 0, 100, plain_frame(0, 1, 100, 4));
	push(wire, 0, 101, plain_frame(0, 1, 100, 5));
	assert_string_equal(arrived(wire, 1), "5");
	sim_wire_free(wire);
}

/* ---- what ---- */

static void corrupt(void **state)
{
	static const struct { const char *rule; unsigned int bit; } cases[] = {
		{ "corrupt:0", 0 }, { "corrupt:803", 803 }, { "corrupt:-1", 807 }, { "corrupt:-808", 0 },
	};
	struct sim_frame *sent = plain_frame(0, 1, 101, 0);

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct sim_wire *wire = rule_wire(i < 4 ? cases[i].rule : "corrupt", NULL, NULL);
		struct sim_frame *frame;
		unsigned int flipped = 0;

		push(wire, 0, 0, plain_frame(0, 1, 101, 0));
		frame = first(wire);
		assert_int_equal(frame->len, 101);
		assert_false(frame->err);
		for (uint32_t b = 0; b < 808; b++)
			if ((frame->data[b / 8] ^ sent->data[b / 8]) >> b % 8 & 1) {
				flipped++;
				if (i < 4)
					assert_int_equal(b, cases[i].bit);
			}
		assert_int_equal(flipped, 1);
		assert_int_equal(sim_wire_stats(wire, 0)->corrupted, 1);
		sim_frame_free(frame);
		sim_wire_free(wire);
	}
	sim_frame_free(sent);
	/* a bit beyond the frame: nothing */
	assert_string_equal(plain("corrupt:5000", 2), "01");
}

static void badfcs_and_truncate(void **state)
{
	struct sim_wire *wire = rule_wire("badfcs k=1", "truncate:70 k=2", "truncate:200 k=3");
	struct sim_frame *frame;

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		push(wire, 0, i, plain_frame(0, 1, 100, i));
	frame = first(wire);
	assert_true(frame->err);
	sim_frame_free(frame);
	frame = first(wire);
	assert_false(frame->err);
	assert_int_equal(frame->len, 70);
	sim_frame_free(frame);
	frame = first(wire);
	assert_int_equal(frame->len, 100);
	sim_frame_free(frame);
	assert_int_equal(sim_wire_stats(wire, 0)->truncated, 1);
	assert_int_equal(sim_wire_stats(wire, 1)->rx_bad_fcs, 1);
	sim_wire_free(wire);
}

static void dup(void **state)
{
	(void)state;
	assert_string_equal(plain("dup k=2", 3), "0112");
	assert_string_equal(plain("dup:3 k=1", 2), "00001");
}

static void delay(void **state)
{
	(void)state;
	assert_string_equal(plain("delay:250 k=2", 6), "023145");
	assert_string_equal(plain("delay:1ms k=1", 3), "120");
}

static void reorder(void **state)
{
	struct sim_wire *wire;
	struct sim_frame *frame;

	(void)state;
	assert_string_equal(plain("reorder k=2", 4), "0213");
	assert_string_equal(plain("reorder:3 k=1", 6), "123045");
	assert_string_equal(plain("reorder k=1,2", 4), "2013");
	/* the other direction does not release it; nothing follows: it goes after 20 us */
	wire = rule_wire("reorder:2 nic0>nic1 k=1", NULL, NULL);
	push(wire, 0, 0, plain_frame(0, 1, 100, 1));
	for (unsigned int i = 1; i < 4; i++)
		push(wire, 1, i, plain_frame(1, 0, 100, i));
	assert_int_equal(sim_wire_next(wire), 20000);
	sim_wire_advance(wire, 19999);
	assert_null(sim_wire_peek(wire, 1));
	sim_wire_advance(wire, 20000);
	frame = first(wire);
	assert_int_equal(frame->t, 20000);
	sim_frame_free(frame);
	assert_int_equal(sim_wire_stats(wire, 0)->reordered, 1);
	/* one still held when the wire goes away is freed with it */
	sim_wire_add_rule(wire, "reorder", (char[SIM_ERR_MAX]){ 0 });
	push(wire, 0, 300, plain_frame(0, 1, 100, 2));
	sim_wire_free(wire);
}

static void ecn(void **state)
{
	(void)state;
	for (int ipv6 = 0; ipv6 < 2; ipv6++)
		for (uint32_t before = 0; before < 4; before++) {
			struct sim_wire *wire = rule_wire("ecn", NULL, NULL);
			struct sim_frame *frame = roce_frame(ipv6, SEND, 1, 2, 0, 8);
			uint8_t *ip = frame->data + CAIRN_ETH_BYTES;

			if (ipv6) {
				cairn_pkt_set(ip, CAIRN_IPV6_ECN, before);
			} else {
				cairn_pkt_set(ip, CAIRN_IPV4_ECN, before);
				cairn_pkt_set(ip, CAIRN_IPV4_CHECKSUM, 0);
				cairn_pkt_set(ip, CAIRN_IPV4_CHECKSUM, ip_checksum(ip));
			}
			push(wire, 0, 0, frame);
			frame = first(wire);
			ip = frame->data + CAIRN_ETH_BYTES;
			if (ipv6) {
				assert_int_equal(cairn_pkt_get(ip, CAIRN_IPV6_ECN), 3);
				assert_int_equal(cairn_pkt_get(ip, CAIRN_IPV6_FLOW), 0);
			} else {
				assert_int_equal(cairn_pkt_get(ip, CAIRN_IPV4_ECN), 3);
				assert_int_equal(ip_checksum(ip), 0);
			}
			assert_int_equal(sim_wire_stats(wire, 0)->ecn_marked, 1);
			sim_frame_free(frame);
			sim_wire_free(wire);
		}
	assert_string_equal(plain("ecn", 2), "01");
}

/* ---- parsing of frames ---- */

static void cut_frames_are_no_roce(void **state)
{
	(void)state;
	for (int ipv6 = 0; ipv6 < 2; ipv6++) {
		struct sim_frame *whole = roce_frame(ipv6, ACK, 1, 2, 0x1f, 0);

		for (uint32_t len = 14; len < whole->len; len++) {
			struct sim_wire *wire = rule_wire("drop type=roce", NULL, NULL);
			struct sim_frame *frame = sim_frame_new(whole->data, len);

			push(wire, 0, 0, frame);
			assert_int_equal(sim_wire_rule_hits(wire, 0), 0);
			sim_wire_free(wire);
		}
		sim_frame_free(whole);
	}
}

/* ---- messages ---- */

static void bad_rules(void **state)
{
	static const struct { const char *rule, *message; } cases[] = {
		{ "", "empty rule" }, { "  ", "empty rule" },
		{ "explode", "\"explode\": a rule begins with drop" },
		{ "drop:3", "\"drop:3\": drop takes no argument" },
		{ "delay", "\"delay\": delay needs an argument" }, { "delay:", "needs a time" },
		{ "delay:5h", "needs a time" }, { "delay:2000s", "needs a time" },
		{ "dup:0", "\"dup:0\": needs a number from 1 to 16" }, { "dup:17", "1 to 16" }, { "dup:x", "1 to 16" },
		{ "reorder:0", "1 to 1000" }, { "truncate", "truncate needs an argument" },
		{ "corrupt:999999999", "needs a number from 0" }, { "corrupt:-0", "needs a number from 1" },
		{ "drop k", "\"k\": is no selector" }, { "drop foo=1", "\"foo=1\": is no selector: A>B, k=, every=" },
		{ "drop k=0", "\"k=0\": numbers go from 1" }, { "drop k=", "needs numbers and ranges" },
		{ "drop k=3-1", "ranges upwards" }, { "drop k=1,", "needs numbers and ranges" },
		{ "drop k=1;2", "needs numbers and ranges" },
		{ "drop k=1 k=2", "k is given twice" }, { "drop nic0>nic1 nic1>nic0", "a second direction" },
		{ "drop k=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "more than 16" },
		{ "drop nic0>nic2", "this wire has nic0 to nic1" }, { "drop nicx>nic1", "nic0 to nic1, peer or *" },
		{ "drop nic0>peer", "no peer on this wire" }, { "drop eth0>nic1", "nic0 to nic1, peer or *" },
		{ "drop every=0", "needs a number from 1" }, { "drop p=1.5", "probability above 0, at most 1" },
		{ "drop p=x", "probability above 0" }, { "drop p=nan", "probability above 0" },
		/* what no frame can meet, and what changes none */
		{ "drop p=0", "probability above 0" }, { "drop len=1-59", "numbers go from 60" },
		{ "drop type=arp op=write", "can never do anything: type= is not roce" },
		{ "drop aeth=nak type=other", "can never do anything: type= is not roce" },
		{ "drop psn=3 type=ip", "can never do anything: type= is not roce" },
		{ "drop after=2us before=2000", "before= is not later than after=" },
		{ "drop before=0", "before= is not later than after=" },
		{ "drop k=3,5-7 every=4", "no frame of k= is one of every=" },
		{ "drop aeth=ack op=write", "no packet of op= has the AETH" },
		{ "drop op=read+req,send aeth=nak", "no packet of op= has the AETH" },
		{ "drop op=write,read+imm", "no opcode is all of that" },
		{ "drop nic1>nic1", "no frame goes over the wire to where it comes from" },
		{ "ecn type=arp", "ecn marks IP packets" }, { "truncate:16384", "from 1 to 16383" },
		{ "truncate:100 len=60-100", "no frame of len= is longer" },
		{ "corrupt:131072", "from 0 to 131071" }, { "corrupt:800 len=60-100", "has the bit" },
		{ "corrupt:-801 len=100", "has the bit" },
		{ "drop qp=0x1000000", "numbers go from 0 to 16777215" }, { "drop qp=#0", "numbers go from 1" },
		{ "drop op=hello", "\"hello\" is no opcode of pkt.def" }, { "drop op=", "\"\" is no opcode" },
		{ "drop op=send+write", "no opcode is all of that" }, { "drop op=send,", "\"\" is no opcode" },
		{ "drop psn=@", "needs numbers" }, { "drop round=0", "numbers go from 1" },
		{ "drop aeth=maybe", "is one of ack, rnr, nak" }, { "drop type=tcp", "is one of roce, arp, ip, other" },
		{ "drop after=x", "needs a time" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sim_wire_cfg cfg = wire_cfg(2);
		char err[SIM_ERR_MAX] = "";

		cfg.rules = &cases[i].rule;
		cfg.n_rules = 1;
		if (sim_wire_new(&cfg, err))
			fail_msg("accepted: %s", cases[i].rule);
		if (!strstr(err, cases[i].message))
			fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].rule, err, cases[i].message);
		if (!strstr(err, "rule \""))
			fail_msg("%s: the message does not name the rule: %s", cases[i].rule, err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_count),
		cmocka_unit_test(by_chance),
		cmocka_unit_test(by_direction),
		cmocka_unit_test(by_packet),
		cmocka_unit_test(psn_wraps),
		cmocka_unit_test(by_round),
		cmocka_unit_test(rules_add_up),
		cmocka_unit_test(corrupt),
		cmocka_unit_test(badfcs_and_truncate),
		cmocka_unit_test(dup),
		cmocka_unit_test(delay),
		cmocka_unit_test(reorder),
		cmocka_unit_test(ecn),
		cmocka_unit_test(cut_frames_are_no_roce),
		cmocka_unit_test(bad_rules),
	};

	return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
