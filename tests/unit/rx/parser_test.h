/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench of rx_parser_tb: frames in, verdicts, counters and records compared with the model of
 * roce_frame.h.  Six entries of the GID table, with and without VLAN.
 */
#ifndef CAIRN_PARSER_TEST_H
#define CAIRN_PARSER_TEST_H

#include <stdio.h>
#include <string.h>

#include "cairn_hw.h"
#include "int_records.h"
#include "roce_frame.h"
#include "vtb.h"

#define MAX_SENT 8192

static struct vtb *tb;
static struct vtb_stream *mac, *out;
static unsigned int lsb_roce, lsb_raw, lsb_len, lsb_cnt, lsb_bytes, lsb_icrc, lsb_loop, lsb_loop_in;
static struct roce_rx rx;
static unsigned int data_bytes;

static struct {
	uint8_t *data;
	size_t len;
	bool err;
	const char *what;
} sent[MAX_SENT];
static size_t n_sent;
static unsigned int seen[32]; /* frames by verdict */
/* Refines the verdict of a RoCE packet by its QP; NULL: takes all. */
static unsigned int (*of_qp)(const struct roce_verdict *v);

/* Entries 16 and up are multicast groups. */
static inline struct roce_gid *entry(unsigned int i)
{
	return i < 16 ? &rx.gid[i] : &rx.group[i - 16];
}

static void write_gid(unsigned int i)
{
	struct roce_gid *g = entry(i);

	vtb_set(tb, "gid_we_i", 1);
	vtb_set(tb, "gid_index_i", i);
	vtb_set(tb, "gid_valid_i", g->valid);
	vtb_set(tb, "gid_ipv6_i", g->ipv6);
	vtb_set(tb, "gid_vlan_i", g->vlan);
	vtb_set(tb, "gid_vid_i", g->vid);
	for (int b = 0; b < 16; b++)
		vtb_put_bits(vtb_port(tb, "gid_addr_i"), 120 - 8 * b, 8, g->addr[b]);
	vtb_tick(tb);
	vtb_set(tb, "gid_we_i", 0);
	vtb_run(tb, 10); /* until its place has come round, see rx_gid_ring */
}

static void set_gid(unsigned int i, const char *hex32, bool ipv6, int vid)
{
	struct roce_gid *g = entry(i);

	*g = (struct roce_gid){
		.valid = true, .ipv6 = ipv6, .vlan = vid >= 0, .vid = (uint16_t)(vid & 0xfff)
	};
	for (int b = 0; b < 16; b++) {
		unsigned int byte;

		assert_int_equal(sscanf(hex32 + 2 * b, "%2x", &byte), 1);
		g->addr[b] = (uint8_t)byte;
	}
	write_gid(i);
}

static void set_mac(const uint8_t *addr)
{
	uint64_t v = 0;

	memcpy(rx.mac, addr, 6);
	for (int i = 0; i < 6; i++)
		v = v << 8 | addr[i];
	vtb_set(tb, "mac_addr_i", v);
}

static const uint8_t mac_a[6] = { 0x52, 0x54, 0x00, 0x12, 0x34, 0x01 };

static void begin(unsigned int pause)
{
	memset(&rx, 0, sizeof(rx));
	memset(seen, 0, sizeof(seen));
	n_sent = 0;
	of_qp = NULL;
	tb = vtb_create();
	mac = vtb_source(tb, "mac_rx");
	out = vtb_sink(tb, "frame");
	vtb_stream_add(out, "roce", &lsb_roce);
	vtb_stream_add(out, "raw", &lsb_raw);
	vtb_stream_add(out, "len", &lsb_len);
	vtb_stream_add(out, "cnt", &lsb_cnt);
	vtb_stream_add(out, "bytes", &lsb_bytes);
	vtb_stream_add(out, "icrc", &lsb_icrc);
	vtb_stream_add(out, "loop", &lsb_loop);
	vtb_stream_add(mac, "loop", &lsb_loop_in);
	vtb_stream_pause(mac, pause);
	data_bytes = vtb_port(tb, "mac_rx_data_i")->width / 8;
	set_mac(mac_a);
	set_gid(0, "fe80000000000000505400fffe123401", true, -1);
	set_gid(1, "00000000000000000000ffffc0a86401", false, -1);
	set_gid(2, "fd000100000000000000000000000001", true, -1);
	set_gid(4, "00000000000000000000ffffc0a80501", false, 5);
	set_gid(9, "00000000000000000000ffffc0a86401", false, 7);
	set_gid(15, "fd000100000000000000000000000001", true, 4095);
}

/* Frames of ours among those of the wire are counted apart, and else as good. */
static bool is_looped(size_t i)
{
	return i % 7 < 2;
}

static void send(const uint8_t *data, size_t len, bool err, const char *what)
{
	uint8_t looped[1] = { 0 };

	assert_true(n_sent < MAX_SENT);
	sent[n_sent].data = malloc(len);
	memcpy(sent[n_sent].data, data, len);
	sent[n_sent].len = len;
	sent[n_sent].err = err;
	sent[n_sent++].what = what;
	vtb_meta_put(looped, lsb_loop_in, 1, is_looped(n_sent));
	vtb_send(mac, data, len, err, looped, sizeof(looped));
}

static uint64_t field(const struct vtb_packet *p, unsigned int i)
{
	return vtb_meta_bits(p->meta_last, meta_fields[i].lsb, meta_fields[i].width);
}

static uint64_t be64(const uint8_t *p)
{
	uint64_t v = 0;

	for (int i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

#define CHECK_FIELD(name, want)                                                                  \
	do {                                                                                     \
		if (field(p, META_##name) != (uint64_t)(want))                                   \
			vtb_fail(tb, "frame %zu (%s): %s is 0x%llx, expected 0x%llx", i,         \
				 sent[i].what, #name, (unsigned long long)field(p, META_##name), \
				 (unsigned long long)(want));                                    \
	} while (0)

static void check_record(const struct vtb_packet *p, size_t i, const struct roce_verdict *v)
{
	const struct roce_frame *f = &v->f;

	CHECK_FIELD(has_cells, f->pay_len != 0 || f->opcode >> 5 == 3);
	CHECK_FIELD(pay_off, v->pay_off);
	CHECK_FIELD(pay_len, f->pay_len);
	CHECK_FIELD(pad, v->pad);
	CHECK_FIELD(ip_off, v->ip_off);
	CHECK_FIELD(opcode, f->opcode);
	vtb_check(tb, field(p, META_opflags) & 1);
	CHECK_FIELD(se, f->se);
	CHECK_FIELD(ackreq, f->ackreq);
	CHECK_FIELD(ce, v->ce);
	CHECK_FIELD(ipv6, f->ipv6);
	CHECK_FIELD(has_tag, f->vlan);
	CHECK_FIELD(prio, f->vlan ? f->tci >> 13 : 0);
	CHECK_FIELD(sgid_index, v->sgid_index);
	CHECK_FIELD(mcast, v->mcast);
	CHECK_FIELD(pkey, f->pkey);
	CHECK_FIELD(qpn, f->dest_qp);
	CHECK_FIELD(psn, f->psn);
	CHECK_FIELD(sip_1, be64(f->sgid));
	CHECK_FIELD(sip_0, be64(f->sgid + 8));
	CHECK_FIELD(va, f->va);
	CHECK_FIELD(key, f->key);
	CHECK_FIELD(len, f->len);
	CHECK_FIELD(aeth, f->aeth);
	CHECK_FIELD(imm, f->imm);
	CHECK_FIELD(swap_add, f->swap_add);
	CHECK_FIELD(compare, f->compare);
	CHECK_FIELD(qkey, f->qkey);
	CHECK_FIELD(src_qp, f->src_qp);
	CHECK_FIELD(sport, f->sport);
	CHECK_FIELD(smac, be64(f->smac) >> 16);
}

static void check_frame(size_t i)
{
	const struct vtb_packet *p = vtb_recv(out);
	struct roce_verdict v;
	unsigned int cnt, want;
	bool roce, raw;

	roce_expect(&rx, sent[i].data, sent[i].len, sent[i].err, &v);
	if (of_qp && v.counter == CAIRN_COUNTER_RX_ROCE_PACKETS && !v.mcast)
		v.counter = of_qp(&v);
	seen[v.counter]++;
	if (p->len != sent[i].len || memcmp(p->data, sent[i].data, p->len) != 0)
		vtb_fail(tb, "frame %zu (%s): data changed on the way", i, sent[i].what);
	cnt = (unsigned int)vtb_meta_bits(p->meta_last, lsb_cnt, 19);
	roce = vtb_meta_bits(p->meta_last, lsb_roce, 1);
	raw = vtb_meta_bits(p->meta_last, lsb_raw, 1);
	want = 1u << CAIRN_COUNTER_RX_PACKETS;
	if (v.counter != CAIRN_COUNTER_RX_ROCE_PACKETS && v.counter != CAIRN_COUNTER_RX_RAW_PACKETS)
		want |= 1u << v.counter;
	if (v.counter >= CAIRN_COUNTER_RX_BAD_QPN)
		want |= 1u << CAIRN_COUNTER_RX_ROCE_PACKETS;
	if (cnt != want || roce != (v.counter == CAIRN_COUNTER_RX_ROCE_PACKETS) ||
	    raw != (v.counter == CAIRN_COUNTER_RX_RAW_PACKETS))
		vtb_fail(
			tb,
			"frame %zu (%s, %zu bytes): counters 0x%x roce %d raw %d, expected counter %u",
			i, sent[i].what, sent[i].len, cnt, roce, raw, v.counter);
	vtb_check_eq(tb, vtb_meta_bits(p->meta_last, lsb_len, 14), p->len < 16383 ? p->len : 16383);
	vtb_check_eq(tb, vtb_meta_bits(p->meta_last, lsb_loop, 1), is_looped(i + 1));
	vtb_check_eq(tb, vtb_meta_bits(p->meta_last, lsb_bytes, 13),
		     (p->len < 16383 ? p->len : 16383) & 8191);
	if (roce)
		check_record(p, i, &v);
	if (roce || v.cut || v.counter == CAIRN_COUNTER_RX_ICRC_ERROR ||
	    v.counter >= CAIRN_COUNTER_RX_BAD_QPN)
		vtb_check_eq(tb, vtb_meta_bits(p->meta_last, lsb_icrc, 1),
			     want >> CAIRN_COUNTER_RX_ROCE_PACKETS & 1 || roce);
}

/* Everything sent so far comes out and is right. */
static void drain(void)
{
	size_t first = 0;

	vtb_run_until(tb, vtb_received(out) == n_sent, 4000000);
	for (size_t i = first; i < n_sent; i++) {
		check_frame(i);
		free(sent[i].data);
	}
	n_sent = 0;
	vtb_run(tb, 12);
	vtb_check(tb, vtb_get(tb, "idle_o"));
}

static void end(void)
{
	drain();
	vtb_destroy(tb);
}

/* Addresses of a peer: entry `gid` of our table as destination. */
static void to_us(struct roce_frame *f, unsigned int gid)
{
	memcpy(f->dmac, rx.mac, 6);
	f->ipv6 = rx.gid[gid].ipv6;
	memcpy(f->dgid, rx.gid[gid].addr, 16);
	memcpy(f->sgid, rx.gid[gid].addr, 16);
	f->sgid[15] ^= 0x55;
	f->vlan = rx.gid[gid].vlan;
	if (f->vlan)
		f->tci = (uint16_t)((f->tci & 0xf000) | rx.gid[gid].vid);
}

static const unsigned int gids[] = { 0, 1, 2, 4, 9, 15 };

static inline size_t make(struct roce_frame *f, uint8_t opcode, size_t pay_len, uint8_t *buf)
{
	static uint8_t pay[4096 + 64];

	roce_random(f, &tb->rng, opcode);
	to_us(f, gids[rng_below(&tb->rng, 6)]);
	rng_bytes(&tb->rng, pay, pay_len);
	f->pay = pay;
	f->pay_len = roce_op(opcode).payload ? pay_len : 0;
	return roce_build(f, buf);
}

#endif
