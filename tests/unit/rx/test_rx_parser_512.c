// SPDX-License-Identifier: Apache-2.0
/*
 * rx_parser with rx_icrc (and rx_headers, rx_gid_table, icrc_mask): every frame of the captures,
 * all 256 opcodes, each drop reason, truncation at every byte, random damage: verdict, counter and
 * every field against an independent model.
 */
#include "parser_test.h"

static const uint8_t mac_b[6] = { 0x52, 0x54, 0x00, 0x12, 0x34, 0x02 };

static void captures(void **state)
{
	static const char *const both[2][3] = {
		{ "fe80000000000000505400fffe123401", "00000000000000000000ffffc0a86401",
		  "fd000100000000000000000000000001" },
		{ "fe80000000000000505400fffe123402", "00000000000000000000ffffc0a86402",
		  "fd000100000000000000000000000002" }
	};
	struct pcap *caps;
	size_t n = pcap_load_all(&caps), frames = 0;

	(void)state;
	for (int side = 0; side < 2; side++) {
		begin(side ? 30 : 0);
		set_mac(side ? mac_b : mac_a);
		set_gid(0, both[side][0], true, -1);
		set_gid(1, both[side][1], false, -1);
		set_gid(2, both[side][2], true, -1);
		/* the VLAN interface of the hosts */
		set_gid(4,
			side ? "00000000000000000000ffffc0a80502"
			     : "00000000000000000000ffffc0a80501",
			false, 5);
		for (size_t c = 0; c < n; c++)
			for (size_t i = 0; i < caps[c].n; i++)
				send(caps[c].frame[i].data, caps[c].frame[i].len, false,
				     caps[c].name);
		frames += n_sent;
		end();
		assert_true(seen[CAIRN_COUNTER_RX_ROCE_PACKETS] > 300);
		assert_true(seen[CAIRN_COUNTER_RX_NOT_OURS] > 300);
		if (!side) /* only the client's frames were damaged */
			assert_true(seen[CAIRN_COUNTER_RX_ICRC_ERROR] +
					    seen[CAIRN_COUNTER_RX_IP_ERROR] >
				    50);
		assert_int_equal(seen[CAIRN_COUNTER_RX_RAW_PACKETS], 0);
	}
	print_message("# %zu captured frames\n", frames / 2);
	pcap_free_all(caps, n);
}

static void opcodes(void **state)
{
	uint8_t buf[ROCE_MAX_FRAME];
	struct roce_frame f;

	(void)state;
	begin(0);
	for (unsigned int op = 0; op < 256; op++) {
		size_t len = make(&f, (uint8_t)op, 4 * (op % 9), buf);

		send(buf, roce_min_pad(buf, len), false, "opcode");
		f.tver = (uint8_t)(1 + op % 15);
		len = roce_build(&f, buf);
		send(buf, len, false, "transport version");
	}
	end();
	/* those opcodes without payload refuse none */
	assert_int_equal(seen[CAIRN_COUNTER_RX_ROCE_PACKETS], roce_n_opcodes);
	assert_int_equal(seen[CAIRN_COUNTER_RX_OPCODE_ERROR], 512 - roce_n_opcodes);
}

static void lengths(void **state)
{
	uint8_t buf[ROCE_MAX_FRAME];
	struct roce_frame f;

	(void)state;
	begin(0);
	for (size_t n = 0; n < 200; n++)
		for (int k = 0; k < 4; k++)
			send(buf,
			     make(&f, roce_opcodes[rng_below(&tb->rng, roce_n_opcodes)], n, buf),
			     false, "length");
	for (size_t n = 4090; n <= 4101; n++)
		send(buf, make(&f, 0x0a, n, buf), false, "longest payload");
	drain();
	/* Ethernet padding behind the ICRC, up to and beyond the pool's longest frame */
	for (int k = 0; k < 60; k++) {
		size_t len = make(&f, 0x04, rng_below(&tb->rng, 100), buf),
		       extra = rng_below(&tb->rng, 150);

		rng_bytes(&tb->rng, buf + len, extra);
		send(buf, len + extra, false, "padding");
	}
	for (size_t total = 4340; total < 4360; total++) {
		size_t len = make(&f, 0x04, 64, buf);

		rng_bytes(&tb->rng, buf + len, total - len);
		send(buf, total, false, "long frame");
	}
	rng_bytes(&tb->rng, buf, sizeof(buf));
	memcpy(buf, rx.mac, 6);
	send(buf, 16383, false, "very long frame");
	send(buf, 9000, false, "jumbo frame");
	/* beyond the length counter's range: a good frame if the counter came round */
	for (int k = 0; k < 4; k++) {
		size_t len = make(&f, 0x0a, 100 + (size_t)k, buf);

		send(buf, 16384 + len + 2 * (size_t)k, false, "endless frame");
	}
	end();
	assert_true(seen[CAIRN_COUNTER_RX_LENGTH_ERROR] >= 7);
}

/* One packet per beat: every frame takes its beats and not one cycle more. */
static void full_rate(void **state)
{
	uint8_t buf[ROCE_MAX_FRAME];
	struct roce_frame f;
	size_t beats = 0;

	(void)state;
	begin(0);
	for (int k = 0; k < 600; k++) {
		size_t len = make(&f, roce_opcodes[rng_below(&tb->rng, roce_n_opcodes)],
				  rng_below(&tb->rng, 12), buf);

		if (k % 3 == 0)
			len = make(&f, 0x11, 0, buf);
		if (k % 7 == 0)
			buf[len - 1] ^= 1;
		send(buf, len, false, "full rate");
		beats += (len + data_bytes - 1) / data_bytes;
	}
	vtb_run_until(tb, vtb_received(out) == n_sent, 100000);
	vtb_check_eq(tb, vtb_beats(out), beats);
	vtb_check_eq(tb, vtb_max_gap(out, 0, beats - 1), 1);
	vtb_check_eq(tb, vtb_beat_cycle(out, 0) - vtb_beat_cycle(mac, 0), 8);
	end();
	assert_true(seen[CAIRN_COUNTER_RX_ICRC_ERROR] > 50);
}

static void truncation(void **state)
{
	uint8_t buf[ROCE_MAX_FRAME];
	struct roce_frame f;

	(void)state;
	begin(0);
	for (int k = 0; k < 5; k++) {
		static const uint8_t ops[] = { 0x0b, 0x13, 0x64, 0x11, 0x81 };
		size_t len = make(&f, ops[k], 21, buf);

		for (size_t n = 1; n <= len; n++) {
			send(buf, n, false, "cut");
			send(buf, n, true, "cut, MAC error");
		}
		/* cut again, with lengths and ICRC that pretend nothing is missing */
		for (size_t n = len - 1; n > 60; n -= 3)
			send(buf, n, false, "cut in steps");
	}
	end();
	assert_int_equal(seen[CAIRN_COUNTER_RX_ROCE_PACKETS], 5);
	assert_true(seen[CAIRN_COUNTER_RX_MAC_ERROR] > 300);
}

/* Frames whose UDP and IP lengths are honest but too short for the headers their opcode and pad
 * promise. */
static void runts(void **state)
{
	uint8_t buf[ROCE_MAX_FRAME];
	struct roce_frame f;

	(void)state;
	begin(20);
	for (unsigned int op = 0; op < 256; op++) {
		for (size_t udp_len = 20; udp_len < 24 + 44; udp_len += 2) {
			size_t l3, l4, end;

			make(&f, roce_op((uint8_t)op).valid ? (uint8_t)op : 4, 0, buf);
			l3 = 14 + 4 * f.vlan;
			l4 = l3 + (f.ipv6 ? 40 : 20);
			end = l4 + udp_len;
			buf[l4 + 8] = (uint8_t)op;
			buf[l4 + 9] = (uint8_t)((buf[l4 + 9] & 0xc0) | rng_below(&tb->rng, 4) << 4);
			buf[l4 + 4] = 0;
			buf[l4 + 5] = (uint8_t)udp_len;
			if (f.ipv6) {
				buf[l3 + 5] = (uint8_t)udp_len;
			} else {
				buf[l3 + 3] = (uint8_t)(udp_len + 20);
				roce_fix_ipv4(buf + l3);
			}
			roce_fix_icrc(buf, l3, f.ipv6, end - 4);
			send(buf, roce_min_pad(buf, end), false, "runt");
			if (n_sent > 2000)
				drain();
		}
	}
	end();
	assert_true(seen[CAIRN_COUNTER_RX_LENGTH_ERROR] > 500);
	assert_true(seen[CAIRN_COUNTER_RX_ROCE_PACKETS] > 50);
	assert_int_equal(seen[CAIRN_COUNTER_RX_ICRC_ERROR], 0);
}

/* Each rule once by name: a single change, the rest of the frame made right again. */
static const struct {
	const char *what;
	unsigned int counter;
	int ipv6;   /* -1: either */
	int offset; /* from the IP header; below -900: from the frame, +1000 */
	uint8_t and, or ;
	bool no_csum;
} rules[] = {
	{ "not our MAC", CAIRN_COUNTER_RX_NOT_OURS, -1, -1000 + 5, 0x00, 0x77, false },
	{ "group MAC", CAIRN_COUNTER_RX_NOT_OURS, -1, -1000 + 0, 0xff, 0x01, false },
	{ "EtherType", CAIRN_COUNTER_RX_RAW_PACKETS, -1, -1, 0x00, 0x06, false },
	{ "IP version", CAIRN_COUNTER_RX_IP_ERROR, 0, 0, 0x0f, 0x50, false },
	{ "IP version", CAIRN_COUNTER_RX_IP_ERROR, 1, 0, 0x0f, 0x40, false },
	{ "IHL", CAIRN_COUNTER_RX_IP_ERROR, 0, 0, 0xf0, 0x06, false },
	{ "MF", CAIRN_COUNTER_RX_IP_ERROR, 0, 6, 0xff, 0x20, false },
	{ "fragment offset", CAIRN_COUNTER_RX_IP_ERROR, 0, 7, 0xff, 0x01, false },
	{ "DF clear is allowed", CAIRN_COUNTER_RX_ROCE_PACKETS, 0, 6, 0x00, 0x00, false },
	{ "IP checksum", CAIRN_COUNTER_RX_IP_ERROR, 0, 10, 0x00, 0x5a, true },
	{ "not UDP", CAIRN_COUNTER_RX_RAW_PACKETS, 0, 9, 0x00, 0x06, false },
	{ "not UDP", CAIRN_COUNTER_RX_RAW_PACKETS, 1, 6, 0x00, 58, false },
	{ "IPv6 fragment", CAIRN_COUNTER_RX_IP_ERROR, 1, 6, 0x00, 44, false },
	{ "IPv6 hop-by-hop", CAIRN_COUNTER_RX_IP_ERROR, 1, 6, 0x00, 0, false },
	{ "IP length beyond the frame", CAIRN_COUNTER_RX_LENGTH_ERROR, 0, 2, 0xff, 0x40, false },
	{ "IP length beyond the frame", CAIRN_COUNTER_RX_LENGTH_ERROR, 1, 4, 0xff, 0x40, false },
	{ "IP length too small", CAIRN_COUNTER_RX_LENGTH_ERROR, 0, 3, 0x00, 0x18, false },
	{ "IP length too small", CAIRN_COUNTER_RX_LENGTH_ERROR, 1, 5, 0x00, 0x07, false },
	{ "other port", CAIRN_COUNTER_RX_RAW_PACKETS, 0, 23, 0x00, 0x53, false },
	{ "other port", CAIRN_COUNTER_RX_RAW_PACKETS, 1, 43, 0x00, 0x53, false },
	{ "UDP length", CAIRN_COUNTER_RX_LENGTH_ERROR, 0, 25, 0xff, 0x04, false },
	{ "opcode", CAIRN_COUNTER_RX_OPCODE_ERROR, 0, 28, 0x00, 0x15, false },
	{ "pad without payload", CAIRN_COUNTER_RX_LENGTH_ERROR, 0, 29, 0xff, 0x10, false },
	{ "destination address", CAIRN_COUNTER_RX_NOT_OURS, 0, 19, 0x00, 0x77, false },
	{ "destination address", CAIRN_COUNTER_RX_NOT_OURS, 1, 39, 0x00, 0x77, false },
	{ "multicast, not UD", CAIRN_COUNTER_RX_NOT_OURS, 0, 16, 0x00, 0xe3, false },
	{ "multicast, not UD", CAIRN_COUNTER_RX_NOT_OURS, 1, 24, 0x00, 0xff, false },
};

static void reasons(void **state)
{
	uint8_t buf[ROCE_MAX_FRAME];
	struct roce_frame f;

	(void)state;
	begin(0);
	for (size_t r = 0; r < sizeof(rules) / sizeof(*rules); r++) {
		size_t len, l3, at;
		unsigned int before[16];

		do {
			len = make(&f, 0x0c, 0, buf); /* READ request */
		} while (rules[r].ipv6 >= 0 && f.ipv6 != rules[r].ipv6);
		l3 = 14 + 4 * f.vlan;
		at = rules[r].offset <= -900 ? (size_t)(rules[r].offset + 1000)
					     : l3 + (size_t)rules[r].offset;
		buf[at] = (uint8_t)((buf[at] & rules[r].and) | rules[r].or);
		if (!f.ipv6 && !rules[r].no_csum)
			roce_fix_ipv4(buf + l3);
		roce_fix_icrc(buf, l3, f.ipv6, len - 4);
		memcpy(before, seen, sizeof(before));
		send(buf, len, false, rules[r].what);
		drain();
		if (seen[rules[r].counter] != before[rules[r].counter] + 1)
			vtb_fail(tb, "%s: the model says something else than the table",
				 rules[r].what);
	}
	end();
}

static void gid_table(void **state)
{
	uint8_t buf[ROCE_MAX_FRAME];
	struct roce_frame f;

	(void)state;
	begin(0);
	/* half of the groups that the GIDs are turned into below */
	for (unsigned int i = 0; i < 8; i++) {
		char v4[33];

		snprintf(v4, sizeof(v4), "00000000000000000000ffff%02xa86401", 0xe0 + 2 * i);
		set_gid(16 + i, v4, false, -1);
	}
	set_gid(26, "ff80000000000000505400fffe123401", true, -1);
	set_gid(31, "ff000100000000000000000000000001", true, -1);
	for (int k = 0; k < 400; k++) {
		unsigned int gid = gids[rng_below(&tb->rng, 6)];
		size_t len;

		roce_random(&f, &tb->rng, k % 3 ? 0x64 : 0x04);
		to_us(&f, gid);
		if (rng_percent(&tb->rng, 40))
			f.vlan = !f.vlan;
		if (rng_percent(&tb->rng, 40))
			f.tci = (uint16_t)((f.tci & 0xf000) |
					   (rng_percent(&tb->rng, 50) ? 0
								      : rng_below(&tb->rng, 8)));
		if (rng_percent(&tb->rng, 30)) {
			f.dgid[f.ipv6 ? 0 : 12] = f.ipv6 ? 0xff
							 : 0xe0 + (uint8_t)rng_below(&tb->rng, 32);
			memcpy(f.dmac, "\x33\x33\0\0\0\1", 6);
			if (rng_percent(&tb->rng, 70))
				f.dest_qp = 0xffffff;
		}
		len = roce_build(&f, buf);
		send(buf, roce_min_pad(buf, len), false, "gid");
	}
	drain();
	assert_true(seen[CAIRN_COUNTER_RX_ROCE_PACKETS] > 100 &&
		    seen[CAIRN_COUNTER_RX_NOT_OURS] > 50);
	/* a cleared entry no longer matches */
	for (int i = 0; i < 6; i++) {
		rx.gid[gids[i]].valid = false;
		write_gid(gids[i]);
	}
	memset(seen, 0, sizeof(seen));
	for (int k = 0; k < 50; k++)
		send(buf, make(&f, 4, 10, buf), false, "no gid");
	end();
	assert_int_equal(seen[CAIRN_COUNTER_RX_NOT_OURS], 50);
}

static void fuzz(void **state)
{
	uint8_t buf[ROCE_MAX_FRAME];
	struct roce_frame f;

	(void)state;
	begin(10);
	for (int k = 0; k < 4000; k++) {
		size_t len = make(&f, roce_opcodes[rng_below(&tb->rng, roce_n_opcodes)],
				  rng_below(&tb->rng, 40), buf);
		size_t l3 = 14 + 4 * f.vlan,
		       limit = rng_percent(&tb->rng, 80) && len > 100 ? 100 : len;
		int hits = (int)rng_below(&tb->rng, 3);

		while (hits--)
			buf[rng_below(&tb->rng, limit)] ^= (uint8_t)(1u << rng_below(&tb->rng, 8));
		if (!f.ipv6 && rng_percent(&tb->rng, 70))
			roce_fix_ipv4(buf + l3);
		if (rng_percent(&tb->rng, 70))
			roce_fix_icrc(buf, l3, f.ipv6, len - 4);
		if (rng_percent(&tb->rng, 10))
			len = 1 + rng_below(&tb->rng, len);
		send(buf, len, rng_percent(&tb->rng, 3), "fuzz");
	}
	end();
	for (unsigned int c = CAIRN_COUNTER_RX_MAC_ERROR; c <= CAIRN_COUNTER_RX_ICRC_ERROR; c++)
		assert_true(seen[c] > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captures), cmocka_unit_test(opcodes),
		cmocka_unit_test(lengths),  cmocka_unit_test(full_rate),
		cmocka_unit_test(reasons),  cmocka_unit_test(truncation),
		cmocka_unit_test(runts),    cmocka_unit_test(gid_table),
		cmocka_unit_test(fuzz),
	};

	return cmocka_run_group_tests_name("rx_parser", tests, NULL, NULL);
}
