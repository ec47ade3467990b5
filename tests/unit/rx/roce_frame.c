// SPDX-License-Identifier: Apache-2.0
/* Independent RoCE v2 frame builder and receive model (see roce_frame.h). */
#include "roce_frame.h"

#include <string.h>

#include "cairn_hw.h"

const uint8_t roce_opcodes[] = {
	0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c,
	0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x20, 0x21, 0x22,
	0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x64, 0x65, 0x81,
};
const size_t roce_n_opcodes = sizeof(roce_opcodes);

struct roce_op roce_op(uint8_t opcode)
{
	struct roce_op op = { .valid = true };
	unsigned int transport = opcode >> 5, what = opcode & 31;

	if (opcode == 0x81) {
		op.cnp = true;
		return op;
	}
	if (transport == 3 && (what == 4 || what == 5)) {
		op.payload = op.deth = true;
		op.imm = what == 5;
		return op;
	}
	if (transport > 1 || (transport == 1 && what > 11) || what == 0x15 || what > 0x17)
		return (struct roce_op){ .valid = false };
	op.payload = what <= 0x0b || (what >= 0x0d && what <= 0x10) || what >= 0x16;
	op.imm = what == 3 || what == 5 || what == 9 || what == 11;
	op.reth = what == 6 || what == 10 || what == 11 || what == 12;
	op.aeth = what == 0x0d || (what >= 0x0f && what <= 0x12);
	op.atomicack = what == 0x12;
	op.atomiceth = what == 0x13 || what == 0x14;
	op.ieth = what >= 0x16;
	return op;
}

size_t roce_ext_len(struct roce_op op)
{
	return 16 * op.reth + 28 * op.atomiceth + 4 * op.aeth + 8 * op.atomicack + 8 * op.deth +
	       4 * op.imm + 4 * op.ieth;
}

static uint8_t *put(uint8_t *p, uint64_t value, unsigned int bytes)
{
	for (unsigned int i = bytes; i-- > 0;)
		*p++ = (uint8_t)(value >> (8 * i));
	return p;
}

static uint8_t *put_bytes(uint8_t *p, const void *from, size_t n)
{
	memcpy(p, from, n);
	return p + n;
}

static uint64_t get(const uint8_t *p, unsigned int bytes)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < bytes; i++)
		value = value << 8 | p[i];
	return value;
}

void roce_fix_ipv4(uint8_t *ip)
{
	uint32_t sum = 0;

	ip[10] = ip[11] = 0;
	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)get(ip + i, 2);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	put(ip + 10, ~sum & 0xffff, 2);
}

/* Bit by bit, as in the standard's text. */
static uint32_t crc_byte(uint32_t crc, uint8_t byte)
{
	crc ^= byte;
	for (int i = 0; i < 8; i++)
		crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	return crc;
}

uint32_t roce_icrc(const uint8_t *frame, size_t l3, bool ipv6, size_t end)
{
	size_t l4 = l3 + (ipv6 ? 40 : 20);
	uint32_t crc = 0xffffffffu;

	for (int i = 0; i < 8; i++)
		crc = crc_byte(crc, 0xff);
	for (size_t i = l3; i < end; i++) {
		uint8_t byte = frame[i];
		size_t o = i - l3;

		if (ipv6 && o == 0)
			byte |= 0x0f;
		if (ipv6 ? (o >= 1 && o <= 3) || o == 7 : o == 1 || o == 8 || o == 10 || o == 11)
			byte = 0xff;
		if (i == l4 + 6 || i == l4 + 7 || i == l4 + 8 + 4)
			byte = 0xff;
		crc = crc_byte(crc, byte);
	}
	return ~crc;
}

void roce_fix_icrc(uint8_t *frame, size_t l3, bool ipv6, size_t end)
{
	uint32_t crc = roce_icrc(frame, l3, ipv6, end);

	for (int i = 0; i < 4; i++)
		frame[end + i] = (uint8_t)(crc >> (8 * i));
}

static uint8_t *put_ip(uint8_t *p, const struct roce_frame *f, size_t udp_len)
{
	uint8_t *ip = p;

	if (f->ipv6) {
		p = put(p, 6u << 28 | (uint32_t)f->tclass << 20 | f->flow, 4);
		p = put(put(put(p, udp_len, 2), 17, 1), f->hop, 1);
		return put_bytes(put_bytes(p, f->sgid, 16), f->dgid, 16);
	}
	p = put(put(put(p, 0x45, 1), f->tclass, 1), 20 + udp_len, 2);
	p = put(put(p, f->ip_id, 2), 0x4000, 2);
	p = put(put(put(p, f->hop, 1), 17, 1), 0, 2);
	p = put_bytes(put_bytes(p, f->sgid + 12, 4), f->dgid + 12, 4);
	roce_fix_ipv4(ip);
	return p;
}

static uint8_t *put_ext(uint8_t *p, const struct roce_frame *f, struct roce_op op)
{
	if (op.reth)
		p = put(put(put(p, f->va, 8), f->key, 4), f->len, 4);
	if (op.atomiceth)
		p = put(put(put(put(p, f->va, 8), f->key, 4), f->swap_add, 8), f->compare, 8);
	if (op.aeth)
		p = put(p, f->aeth, 4);
	if (op.atomicack)
		p = put(p, f->swap_add, 8);
	if (op.deth)
		p = put(put(p, f->qkey, 4), f->src_qp, 4);
	if (op.imm)
		p = put(p, f->imm, 4);
	if (op.ieth)
		p = put(p, f->key, 4);
	if (op.cnp)
		p = put(put(p, 0, 8), 0, 8);
	return p;
}

size_t roce_build(const struct roce_frame *f, uint8_t *out)
{
	struct roce_op op = roce_op(f->opcode);
	unsigned int pad = -f->pay_len & 3;
	size_t udp_len = 8 + 12 + roce_ext_len(op) + 16 * op.cnp + f->pay_len + pad + 4;
	size_t l3 = 14 + 4 * f->vlan;
	uint8_t *p = put_bytes(put_bytes(out, f->dmac, 6), f->smac, 6);

	if (f->vlan)
		p = put(put(p, 0x8100, 2), f->tci, 2);
	p = put(p, f->ipv6 ? 0x86dd : 0x0800, 2);
	p = put_ip(p, f, udp_len);
	p = put(put(put(put(p, f->sport, 2), 4791, 2), udp_len, 2), 0, 2);
	p = put(p, f->opcode, 1);
	p = put(p, (uint64_t)f->se << 7 | f->migreq << 6 | pad << 4 | f->tver, 1);
	p = put(put(p, f->pkey, 2), (uint64_t)f->fecn << 7 | f->becn << 6, 1);
	p = put(p, f->dest_qp, 3);
	p = put(put(p, (uint64_t)f->ackreq << 7, 1), f->psn, 3);
	p = put_ext(p, f, op);
	if (f->pay_len)
		p = put_bytes(p, f->pay, f->pay_len);
	p = put(p, 0, pad);
	roce_fix_icrc(out, l3, f->ipv6, (size_t)(p - out));
	return (size_t)(p - out) + 4;
}

size_t roce_min_pad(uint8_t *frame, size_t len)
{
	if (len >= 60)
		return len;
	memset(frame + len, 0, 60 - len);
	return 60;
}

void roce_random(struct roce_frame *f, struct rng *rng, uint8_t opcode)
{
	memset(f, 0, sizeof(*f));
	rng_bytes(rng, f->dmac, 6);
	rng_bytes(rng, f->smac, 6);
	f->vlan = rng_percent(rng, 30);
	f->tci = (uint16_t)rng_u64(rng);
	f->ipv6 = rng_percent(rng, 50);
	f->tclass = (uint8_t)rng_u64(rng);
	f->hop = (uint8_t)rng_u64(rng);
	f->flow = (uint32_t)rng_below(rng, 1 << 20);
	f->ip_id = (uint16_t)rng_u64(rng);
	f->sport = (uint16_t)rng_u64(rng);
	f->opcode = opcode;
	f->se = rng_percent(rng, 50);
	f->migreq = rng_percent(rng, 50);
	f->ackreq = rng_percent(rng, 50);
	f->pkey = (uint16_t)rng_u64(rng);
	f->dest_qp = (uint32_t)rng_below(rng, 1 << 24);
	f->psn = (uint32_t)rng_below(rng, 1 << 24);
	f->va = rng_u64(rng);
	f->swap_add = rng_u64(rng);
	f->compare = rng_u64(rng);
	f->key = (uint32_t)rng_u64(rng);
	f->len = (uint32_t)rng_u64(rng);
	f->aeth = (uint32_t)rng_u64(rng);
	f->imm = (uint32_t)rng_u64(rng);
	f->qkey = (uint32_t)rng_u64(rng);
	f->src_qp = (uint32_t)rng_below(rng, 1 << 24);
}

/* ---- model of the receive side ---- */

static bool find_gid(const struct roce_rx *rx, const struct roce_frame *f, bool mcast,
		     unsigned int *index)
{
	unsigned int vid = f->tci & 0xfff;

	for (unsigned int i = 0; i < 16; i++) {
		const struct roce_gid *g = &rx->gid[i];

		if (!g->valid || g->ipv6 != f->ipv6)
			continue;
		if (g->vlan ? !f->vlan || vid != g->vid : f->vlan && vid != 0)
			continue;
		if (!mcast && memcmp(g->addr, f->dgid, 16) != 0)
			continue;
		*index = i;
		return true;
	}
	return false;
}

/* What stands for the destination QP of a multicast packet: its group, or all ones. */
static uint32_t find_group(const struct roce_rx *rx, const struct roce_frame *f)
{
	for (unsigned int i = 0; i < 16 && f->dest_qp == 0xffffff; i++)
		if (rx->group[i].valid && !memcmp(rx->group[i].addr, f->dgid, 16))
			return i;
	return 0xffffff;
}

static void read_ext(struct roce_frame *f, const uint8_t *p, struct roce_op op)
{
	if (op.reth || op.atomiceth) {
		f->va = get(p, 8);
		f->key = (uint32_t)get(p + 8, 4);
		p += 12;
	}
	if (op.reth) {
		f->len = (uint32_t)get(p, 4);
		p += 4;
	}
	if (op.atomiceth) {
		f->swap_add = get(p, 8);
		f->compare = get(p + 8, 8);
	}
	if (op.aeth) {
		f->aeth = (uint32_t)get(p, 4);
		p += 4;
	}
	if (op.atomicack)
		f->swap_add = get(p, 8);
	if (op.deth) {
		f->qkey = (uint32_t)get(p, 4);
		f->src_qp = (uint32_t)get(p + 5, 3);
		p += 8;
	}
	if (op.imm)
		f->imm = (uint32_t)get(p, 4);
	if (op.ieth)
		f->key = (uint32_t)get(p, 4);
}

/* UDP and above; ip_end is one past the IP datagram. */
static unsigned int expect_udp(const struct roce_rx *rx, const uint8_t *frame, size_t len,
			       size_t l4, size_t ip_end, struct roce_verdict *v)
{
	struct roce_frame *f = &v->f;
	const uint8_t *bth = frame + l4 + 8;
	size_t udp_len, body, end;
	struct roce_op op;
	int64_t pay;
	uint32_t icrc;

	v->cut = ip_end > len;
	if (v->cut || ip_end < l4 + 8)
		return CAIRN_COUNTER_RX_LENGTH_ERROR;
	if (get(frame + l4 + 2, 2) != 4791)
		return CAIRN_COUNTER_RX_RAW_PACKETS;
	udp_len = get(frame + l4 + 4, 2);
	if (udp_len != ip_end - l4 || udp_len < 24 || udp_len % 4)
		return CAIRN_COUNTER_RX_LENGTH_ERROR;
	op = roce_op(bth[0]);
	if (!op.valid || (bth[1] & 15))
		return CAIRN_COUNTER_RX_OPCODE_ERROR;
	v->pad = bth[1] >> 4 & 3;
	if (udp_len < 24 + roce_ext_len(op))
		return CAIRN_COUNTER_RX_LENGTH_ERROR;
	body = udp_len - 24 - roce_ext_len(op);
	pay = (int64_t)body - v->pad;
	if (op.payload ? pay < 0 || pay > 4096 : body != (op.cnp ? 16u : 0u) || v->pad)
		return CAIRN_COUNTER_RX_LENGTH_ERROR;
	if (len > 17 * 256)
		return CAIRN_COUNTER_RX_LENGTH_ERROR;
	v->mcast = f->ipv6 ? f->dgid[0] == 0xff : f->dgid[12] >> 4 == 0xe;
	if (!find_gid(rx, f, v->mcast, &v->sgid_index) || (v->mcast ? !op.deth : frame[0] & 1))
		return CAIRN_COUNTER_RX_NOT_OURS;
	end = l4 + udp_len - 4;
	icrc = roce_icrc(frame, 14 + 4 * f->vlan, f->ipv6, end);
	for (int i = 0; i < 4; i++)
		if (frame[end + i] != (uint8_t)(icrc >> (8 * i)))
			return CAIRN_COUNTER_RX_ICRC_ERROR;
	f->opcode = bth[0];
	f->se = bth[1] >> 7;
	f->migreq = bth[1] >> 6 & 1;
	f->pkey = (uint16_t)get(bth + 2, 2);
	f->dest_qp = (uint32_t)get(bth + 5, 3);
	if (v->mcast)
		f->dest_qp = find_group(rx, f);
	f->ackreq = bth[8] >> 7;
	f->psn = (uint32_t)get(bth + 9, 3);
	f->sport = (uint16_t)get(frame + l4, 2);
	v->pay_off = (unsigned int)(l4 + 20 + roce_ext_len(op));
	f->pay_len = op.payload ? (size_t)pay : 0;
	f->pay = frame + v->pay_off;
	read_ext(f, bth + 12, op);
	return CAIRN_COUNTER_RX_ROCE_PACKETS;
}

static bool v6_extension(uint8_t next)
{
	static const uint8_t ext[] = { 0, 43, 44, 50, 51, 60, 135, 139, 140 };

	return memchr(ext, next, sizeof(ext)) != NULL;
}

static unsigned int expect_ip(const struct roce_rx *rx, const uint8_t *frame, size_t len, size_t l3,
			      struct roce_verdict *v)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	const uint8_t *ip = frame + l3;
	struct roce_frame *f = &v->f;
	uint8_t copy[20];

	if (len < l3 + (f->ipv6 ? 40 : 20))
		return CAIRN_COUNTER_RX_LENGTH_ERROR;
	if (f->ipv6) {
		if (ip[0] >> 4 != 6 || v6_extension(ip[6]))
			return CAIRN_COUNTER_RX_IP_ERROR;
		v->ce = (ip[1] >> 4 & 3) == 3;
		memcpy(f->sgid, ip + 8, 16);
		memcpy(f->dgid, ip + 24, 16);
		if (ip[6] != 17)
			return CAIRN_COUNTER_RX_RAW_PACKETS;
		return expect_udp(rx, frame, len, l3 + 40, l3 + 40 + get(ip + 4, 2), v);
	}
	memcpy(copy, ip, 20);
	roce_fix_ipv4(copy);
	if (ip[0] != 0x45 || (get(ip + 6, 2) & 0x3fff) || memcmp(copy + 10, ip + 10, 2) != 0)
		return CAIRN_COUNTER_RX_IP_ERROR;
	v->ce = (ip[1] & 3) == 3;
	memcpy(f->sgid, mapped, 12);
	memcpy(f->sgid + 12, ip + 12, 4);
	memcpy(f->dgid, mapped, 12);
	memcpy(f->dgid + 12, ip + 16, 4);
	if (ip[9] != 17)
		return CAIRN_COUNTER_RX_RAW_PACKETS;
	return expect_udp(rx, frame, len, l3 + 20, l3 + get(ip + 2, 2), v);
}

void roce_expect(const struct roce_rx *rx, const uint8_t *frame, size_t len, bool mac_err,
		 struct roce_verdict *v)
{
	struct roce_frame *f = &v->f;
	uint16_t etype;
	size_t l3 = 14;

	memset(v, 0, sizeof(*v));
	v->counter = CAIRN_COUNTER_RX_LENGTH_ERROR;
	if (mac_err) {
		v->counter = CAIRN_COUNTER_RX_MAC_ERROR;
		return;
	}
	if (len < 14)
		return;
	etype = (uint16_t)get(frame + 12, 2);
	if (etype == 0x8100) {
		if (len < 18)
			return;
		f->vlan = true;
		f->tci = (uint16_t)get(frame + 14, 2);
		etype = (uint16_t)get(frame + 16, 2);
		l3 = 18;
	}
	v->ip_off = (unsigned int)l3;
	memcpy(f->dmac, frame, 6);
	memcpy(f->smac, frame + 6, 6);
	f->ipv6 = etype == 0x86dd;
	if (memcmp(frame, rx->mac, 6) != 0 && !(frame[0] & 1))
		v->counter = CAIRN_COUNTER_RX_NOT_OURS;
	else if (etype != 0x0800 && etype != 0x86dd)
		v->counter = CAIRN_COUNTER_RX_RAW_PACKETS;
	else
		v->counter = expect_ip(rx, frame, len, l3, v);
}
