// SPDX-License-Identifier: Apache-2.0
/*
 * rx_parser, field by field (checks 21 to 27, 30, 31): every value of the small fields, each bit
 * and the edges of the large ones, all else right.  The table that a test goes by, the model of
 * roce_frame.h and the RTL must agree on each frame.
 */
#include "parser_test.h"

static uint8_t buf[ROCE_MAX_FRAME];
static struct roce_frame f;
static size_t len, l3, l4; /* of the frame in buf */

#define OK CAIRN_COUNTER_RX_ROCE_PACKETS
#define RAW CAIRN_COUNTER_RX_RAW_PACKETS
#define IP_ERR CAIRN_COUNTER_RX_IP_ERROR
#define LEN_ERR CAIRN_COUNTER_RX_LENGTH_ERROR
#define OTHER CAIRN_COUNTER_RX_NOT_OURS

/* A right frame for entry `gid` of the table. */
static void good(unsigned int gid, uint8_t opcode, size_t pay_len)
{
	static uint8_t pay[4096];

	roce_random(&f, &tb->rng, opcode);
	to_us(&f, gid);
	rng_bytes(&tb->rng, pay, pay_len);
	f.pay = pay;
	f.pay_len = roce_op(opcode).payload ? pay_len : 0;
	len = roce_build(&f, buf);
	l3 = 14 + 4 * f.vlan;
	l4 = l3 + (f.ipv6 ? 40 : 20);
}

static void put16(uint8_t *p, size_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

/* Checksum and ICRC made right, unless the datagram is too short for one. */
static void repair(size_t end)
{
	if (!f.ipv6)
		roce_fix_ipv4(buf + l3);
	if (end >= l4 + 8 + 12 + 4)
		roce_fix_icrc(buf, l3, f.ipv6, end - 4);
}

static void expect(size_t n, unsigned int counter, const char *what)
{
	struct roce_verdict v;

	roce_expect(&rx, buf, n, false, &v);
	if (v.counter != counter)
		vtb_fail(tb, "%s: the model says counter %u, the table %u", what, v.counter,
			 counter);
	send(buf, n, false, what);
	if (n_sent > 3000)
		drain();
}

/* The whole frame, padded to what Ethernet wants. */
static void expect_padded(unsigned int counter, const char *what)
{
	expect(roce_min_pad(buf, len), counter, what);
}

static void ip_length(size_t end)
{
	if (f.ipv6)
		put16(buf + l3 + 4, end - l4);
	else
		put16(buf + l3 + 2, end - l3);
}

/* ---- lengths ---- */

/* Every opcode cut at every byte: as it is, and with lengths and ICRC that hide it. */
static void cut(void **state)
{
	(void)state;
	begin(10);
	for (size_t k = 0; k < roce_n_opcodes; k++) {
		struct roce_op op = roce_op(roce_opcodes[k]);
		size_t need, whole;
		unsigned int gid = gids[k % 6];

		good(gid, roce_opcodes[k], 9);
		whole = len;
		for (size_t n = 1; n < whole; n++)
			expect(n, LEN_ERR, "cut");
		need = l4 + 8 + 12 + roce_ext_len(op) + 4 + (op.cnp ? 16 : 0);
		for (size_t n = l4; n < whole; n++) {
			size_t left = n - need;

			good(gid, roce_opcodes[k], 9);
			put16(buf + l4 + 4, n - l4);
			ip_length(n);
			repair(n);
			if (n < need || (n - l4) % 4 ||
			    (op.payload && left < (buf[l4 + 9] >> 4 & 3)))
				expect(n, LEN_ERR, "cut, and nothing tells");
			else
				expect(n, OK, "cut between words");
		}
	}
	end();
	assert_true(seen[LEN_ERR] > 3000);
}

/* Bytes behind the IP datagram are Ethernet's; bytes inside it that UDP does not know are not. */
static void trailing(void **state)
{
	(void)state;
	begin(0);
	for (size_t extra = 0; extra <= 64; extra++) {
		for (unsigned int g = 0; g < 6; g++) {
			good(gids[g], extra & 1 ? 0x04 : 0x11, extra % 8);
			rng_bytes(&tb->rng, buf + len, extra);
			expect(len + extra, OK, "behind the datagram");
			if (!extra)
				continue;
			ip_length(len + extra);
			repair(len + extra);
			expect(len + extra, LEN_ERR, "IP has more than UDP");
			good(gids[g], 0x04, 4 * (extra % 8));
			rng_bytes(&tb->rng, buf + len, extra);
			put16(buf + l4 + 4, len + extra - l4);
			ip_length(len + extra);
			if (!f.ipv6)
				roce_fix_ipv4(buf + l3);
			expect(len + extra, extra % 4 ? LEN_ERR : CAIRN_COUNTER_RX_ICRC_ERROR,
			       "the ICRC is not at the end");
		}
	}
	/* the shortest packet of all, which Ethernet pads */
	good(1, 0x04, 0);
	assert_int_equal(len, 58);
	expect_padded(OK, "58 bytes");
	expect(58, OK, "58 bytes, not padded");
	end();
}

/* UDP shorter, equal, longer than IP says; IP shorter, equal, longer than the frame. */
static void orderings(void **state)
{
	(void)state;
	begin(0);
	for (unsigned int k = 0; k < 9 * 6 * 3; k++) {
		static const uint8_t ops[] = { 0x04, 0x0a, 0x64 };
		int udp = (int)(k % 3) - 1, ip = (int)(k / 3 % 3) - 1;
		size_t ip_end;

		good(gids[k / 9 % 6], ops[k / 54], 32);
		ip_end = len + (size_t)(4 * ip);
		ip_length(ip_end);
		put16(buf + l4 + 4, ip_end - l4 + (size_t)(4 * udp));
		if (ops[k / 54] == 0x64 || k % 2)
			repair(ip <= 0 ? ip_end : len);
		else if (!f.ipv6)
			roce_fix_ipv4(buf + l3);
		expect(len,
		       ip > 0 || udp				     ? LEN_ERR
		       : ip < 0 && ops[k / 54] != 0x64 && k % 2 == 0 ? CAIRN_COUNTER_RX_ICRC_ERROR
								     : OK,
		       "ordering");
	}
	end();
	assert_true(seen[OK] >= 30 && seen[LEN_ERR] >= 120);
}

static void pads(void **state)
{
	(void)state;
	begin(0);
	for (size_t k = 0; k < roce_n_opcodes; k++) {
		struct roce_op op = roce_op(roce_opcodes[k]);

		for (unsigned int pad = 0; pad < 4; pad++) {
			for (size_t body = 0; body <= (op.payload ? 12 : 0); body++) {
				bool ok = body % 4 == 0 && pad <= body && (op.payload || !pad);

				good(gids[(k + body) % 6], roce_opcodes[k], body & ~3u);
				buf[l4 + 9] = (uint8_t)((buf[l4 + 9] & 0xcf) | pad << 4);
				if (body % 4) { /* not whole words */
					len += body % 4;
					put16(buf + l4 + 4, len - l4);
					ip_length(len);
				}
				repair(len);
				expect_padded(ok ? OK : LEN_ERR, "pad");
			}
		}
	}
	end();
}

/* ---- IPv4 ---- */

static void ipv4_byte(size_t offset, uint8_t value, unsigned int counter, const char *what)
{
	static const unsigned int v4[] = { 1, 4, 9 };

	good(v4[rng_below(&tb->rng, 3)], 0x0c, 0);
	buf[l3 + offset] = value;
	repair(len);
	expect_padded(counter, what);
}

static void ipv4(void **state)
{
	static const struct {
		uint8_t addr[4];
		const char *what;
	} from[] = { { { 224, 0, 0, 1 }, "from a multicast group" },
		     { { 255, 255, 255, 255 }, "from broadcast" },
		     { { 192, 168, 100, 255 }, "from the subnet's broadcast" },
		     { { 192, 168, 100, 1 }, "from ourselves" },
		     { { 0, 0, 0, 0 }, "from nobody" },
		     { { 127, 0, 0, 1 }, "from loopback" } };

	(void)state;
	begin(0);
	for (unsigned int v = 0; v < 256; v++) {
		ipv4_byte(0, (uint8_t)v, v == 0x45 ? OK : IP_ERR, "version and IHL");
		ipv4_byte(1, (uint8_t)v, OK, "TOS");
		ipv4_byte(6, (uint8_t)v, v & 0x3f ? IP_ERR : OK, "flags");
		ipv4_byte(7, (uint8_t)v, v ? IP_ERR : OK, "fragment offset");
		ipv4_byte(8, (uint8_t)v, OK, "TTL");
		ipv4_byte(9, (uint8_t)v, v == 17 ? OK : RAW, "protocol");
	}
	for (unsigned int bit = 0; bit < 16; bit++) {
		good(1, 0x0c, 0);
		buf[l3 + 10 + bit / 8] ^= (uint8_t)(1u << bit % 8);
		expect_padded(IP_ERR, "checksum");
	}
	for (unsigned int total = 0; total < 65536; total += total < 300 ? 1 : total - 77) {
		good(1, 0x0c, 0);
		put16(buf + l3 + 2, total);
		repair(len);
		expect_padded(total == len - l3 ? OK : LEN_ERR, "total length");
	}
	/* a group's MAC address before an address of another kind (RFC 1122 3.3.6) */
	good(1, 0x04, 8);
	buf[0] |= 1;
	expect_padded(OTHER, "a group's MAC address");
	/* who may send is the QP's business: the record says where it came from */
	for (unsigned int i = 0; i < sizeof(from) / sizeof(*from); i++) {
		good(1, i & 1 ? 0x64 : 0x04, 8);
		memcpy(buf + l3 + 12, from[i].addr, 4);
		repair(len);
		expect_padded(OK, from[i].what);
	}
	end();
}

/* ---- IPv6 ---- */

static void ipv6(void **state)
{
	static const uint8_t extension[] = { 0, 43, 44, 50, 51, 60, 135, 139, 140 };
	static const unsigned int v6[] = { 0, 2, 15 };

	(void)state;
	begin(0);
	for (unsigned int v = 0; v < 256; v++) {
		bool ext = memchr(extension, (int)v, sizeof(extension));

		good(v6[v % 3], 0x0c, 0);
		buf[l3 + 6] = (uint8_t)v;
		repair(len);
		expect_padded(v == 17 ? OK : ext ? IP_ERR : RAW, "next header");
		good(v6[v % 3], 0x0c, 0);
		buf[l3] = (uint8_t)v;
		repair(len);
		expect_padded(v >> 4 == 6 ? OK : IP_ERR, "version and class");
		good(v6[v % 3], 0x0c, 0);
		buf[l3 + 1 + v % 3] = (uint8_t)rng_u64(&tb->rng);
		buf[l3 + 7] = (uint8_t)v;
		repair(len);
		expect_padded(OK, "flow label and hop limit");
	}
	for (unsigned int n = 0; n < 65536; n += n < 300 ? 1 : n - 77) {
		good(v6[n % 3], 0x0c, 0);
		put16(buf + l3 + 4, n); /* 0: a jumbogram, which would need an extension */
		repair(len);
		expect_padded(n == len - l4 ? OK : LEN_ERR, "payload length");
	}
	/* addresses: IPv4's in IPv6's clothes are no entry of the table */
	for (unsigned int i = 0; i < 2; i++) {
		good(0, 0x04, 8);
		memcpy(buf + l3 + (i ? 24 : 8), rx.gid[1].addr, 16);
		repair(len);
		expect_padded(i ? OTHER : OK, "v4-mapped");
		good(0, 0x64, 8);
		buf[l3 + 8] = 0xff;
		repair(len);
		expect_padded(OK, "from a multicast group");
	}
	end();
}

/* ---- VLAN ---- */

static void retag(uint8_t *frame, size_t *n, uint16_t type, uint16_t tci)
{
	memmove(frame + 16, frame + 12, *n - 12);
	put16(frame + 12, type);
	put16(frame + 14, tci);
	*n += 4;
}

/* Each VID at each entry: only its own, for entries without one only none and priority tags. */
static void vlan(void **state)
{
	(void)state;
	begin(0);
	for (unsigned int vid = 0; vid < 4096; vid++) {
		unsigned int g = gids[vid % 6];
		/* the same address may stand in the table with several VIDs */
		bool ok = false;

		good(g, 0x11, 0);
		f.vlan = true;
		f.tci = (uint16_t)(rng_below(&tb->rng, 16) << 12 | vid);
		for (unsigned int i = 0; i < 16; i++)
			ok |= rx.gid[i].valid && !memcmp(rx.gid[i].addr, f.dgid, 16) &&
			      (rx.gid[i].vlan ? rx.gid[i].vid == vid : vid == 0);
		len = roce_build(&f, buf);
		expect_padded(ok ? OK : OTHER, "VID");
	}
	for (unsigned int g = 0; g < 6; g++) {
		bool tagged = rx.gid[gids[g]].vlan, twin = gids[g] == 9 || gids[g] == 15;

		good(gids[g], 0x11, 0);
		f.vlan = false;
		len = roce_build(&f, buf);
		expect_padded(tagged && !twin ? OTHER : OK, "no tag");
		good(gids[g], 0x11, 0);
		if (!f.vlan)
			retag(buf, &len, 0x8100, 0);
		retag(buf, &len, 0x8100, 5);
		expect_padded(RAW, "two tags");
		good(gids[g], 0x11, 0);
		retag(buf, &len, 0x88a8, 5);
		expect_padded(RAW, "service tag");
	}
	end();
	assert_true(seen[OK] > 6 && seen[OTHER] > 4000);
}

/* ---- UDP and BTH ---- */

/* RoCE v2 has its ICRC: the UDP checksum is not looked at, in neither IP version. */
static void udp(void **state)
{
	(void)state;
	begin(0);
	for (unsigned int i = 0; i < 6 * 18; i++) {
		good(gids[i % 6], 0x04, i);
		put16(buf + l4 + 6, i / 6 < 16 ? 1u << i / 6 : i / 6 == 16 ? 0xffff : 0);
		repair(len);
		expect_padded(OK, "checksum");
	}
	for (unsigned int bit = 0; bit < 16; bit++) {
		good(gids[bit % 6], 0x04, bit);
		buf[l4 + bit / 8] ^= (uint8_t)(1u << bit % 8);
		repair(len);
		expect_padded(OK, "source port");
		good(gids[bit % 6], 0x04, bit);
		buf[l4 + 2 + bit / 8] ^= (uint8_t)(1u << bit % 8);
		repair(len);
		expect_padded(RAW, "destination port");
	}
	end();
}

/* Bits that say nothing to us. */
static void bth_bits(void **state)
{
	(void)state;
	begin(0);
	for (unsigned int v = 0; v < 256; v++) {
		uint8_t op = roce_opcodes[v % roce_n_opcodes];

		good(gids[v % 6], op, v % 8);
		buf[l4 + 8 + 4] = (uint8_t)v; /* FECN, BECN, reserved; not in the ICRC either */
		expect_padded(OK, "reserved 8");
		buf[l4 + 8 + 8] = (uint8_t)v; /* AckReq, reserved */
		repair(len);
		expect_padded(OK, "AckReq, reserved 7");
		buf[l4 + 8 + 1] = (uint8_t)((buf[l4 + 8 + 1] & 0x30) | (v & 0xc0));
		repair(len);
		expect_padded(OK, "SE, MigReq");
		if (v & 15) {
			buf[l4 + 8 + 1] |= (uint8_t)(v & 15);
			repair(len);
			expect_padded(CAIRN_COUNTER_RX_OPCODE_ERROR, "TVer");
		}
	}
	end();
}

/* ---- addresses ---- */

static void any_address(unsigned int i)
{
	struct roce_gid *g = entry(i);

	*g = (struct roce_gid){ .valid = rng_percent(&tb->rng, 90),
				.ipv6 = rng_percent(&tb->rng, 50),
				.vlan = rng_percent(&tb->rng, 50),
				.vid = (uint16_t)rng_below(&tb->rng, 4096) };
	rng_bytes(&tb->rng, g->addr, 16);
	if (!g->ipv6) {
		memset(g->addr, 0, 10);
		memset(g->addr + 10, 0xff, 2);
	}
	if (i >= 16)
		g->addr[g->ipv6 ? 0 : 12] = g->ipv6 ? 0xff : 0xe0 | (g->addr[12] & 15);
	else if (g->ipv6)
		g->addr[0] &= 0x7f;
	else
		g->addr[12] &= 0x7f;
	write_gid(i);
}

/* A write beyond the groups is for somebody else. */
static void elsewhere(void)
{
	struct roce_gid kept = rx.gid[0];

	any_address(0);
	rx.gid[0] = kept;
	write_gid(0);
	vtb_set(tb, "gid_we_i", 1);
	vtb_set(tb, "gid_index_i", 32 + rng_below(&tb->rng, 224));
	vtb_set(tb, "gid_valid_i", 0);
	vtb_tick(tb);
	vtb_set(tb, "gid_we_i", 0);
}

/* Each bit of the table's entries and of the port's MAC address, with frames for all of them. */
static void addresses(void **state)
{
	(void)state;
	begin(0);
	for (unsigned int round = 0; round < 40; round++) {
		uint8_t own[6];

		rng_bytes(&tb->rng, own, 6);
		own[0] &= 0xfe;
		set_mac(own);
		for (unsigned int i = 0; i < 32; i++)
			any_address(i);
		elsewhere();
		for (unsigned int i = 0; i < 32; i++) {
			const struct roce_gid *g = entry(i);

			good(i % 16, i < 16 ? 0x04 : 0x64, 8);
			if (i >= 16) {
				f.ipv6 = g->ipv6;
				memcpy(f.dgid, g->addr, 16);
				memcpy(f.dmac, "\x33\x33\0\0\0\1", 6);
				f.dest_qp = 0xffffff;
				len = roce_build(&f, buf);
			}
			send(buf, roce_min_pad(buf, len), false, "address");
		}
		drain();
	}
	end();
	assert_true(seen[OK] > 800 && seen[OTHER] > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses), cmocka_unit_test(cut),  cmocka_unit_test(trailing),
		cmocka_unit_test(orderings), cmocka_unit_test(pads), cmocka_unit_test(ipv4),
		cmocka_unit_test(ipv6),	     cmocka_unit_test(vlan), cmocka_unit_test(udp),
		cmocka_unit_test(bth_bits),
	};

	return cmocka_run_group_tests_name("rx_parser, field by field", tests, NULL, NULL);
}
