// SPDX-License-Identifier: Apache-2.0
/*
 * Malformed packets at a NIC: every opcode, every header field at its edges and bit by bit,
 * truncations, wrong lengths and pads, with a right or a wrong ICRC, for QPs that exist and QPs
 * that do not.  An independent model of the receive side (tests/unit/rx/roce_frame.h) says which
 * counter each frame must move; they are compared after each burst.
 *
 * Environment: FRAMES.
 */
#include <stdio.h>
#include <string.h>

#include "roce_frame.h"
#include "victim.h"

#define BURST 8192u
#define IN_SEQUENCE 3 /* percent of a connected victim's packets: they may end it */
#define CANARY_EVERY 64u
#define MAX_LEN 1500u
#define FRAME_ROOM 9000u

struct barrage {
	struct victims vs;
	struct roce_rx rx; /* what NIC 0 listens to */
	struct sim_line line;
	uint64_t expect[CAIRN_COUNTERS], before[CAIRN_COUNTERS];
	uint8_t payload[MAX_LEN];
};

static const enum cairn_counter verdicts[] = {
	CAIRN_COUNTER_RX_MAC_ERROR,    CAIRN_COUNTER_RX_LENGTH_ERROR, CAIRN_COUNTER_RX_IP_ERROR,
	CAIRN_COUNTER_RX_OPCODE_ERROR, CAIRN_COUNTER_RX_ICRC_ERROR,   CAIRN_COUNTER_RX_NOT_OURS,
};
/* Each frame is in exactly one of these, or in one of the former. */
static const enum cairn_counter accepted[] = { CAIRN_COUNTER_RX_ROCE_PACKETS,
					       CAIRN_COUNTER_RX_RAW_PACKETS,
					       CAIRN_COUNTER_RX_RAW_DROP };

static void mac_bytes(uint8_t out[6], uint64_t mac)
{
	for (unsigned int i = 0; i < 6; i++)
		out[i] = (uint8_t)(mac >> (40 - 8 * i));
}

static void learn(struct barrage *b)
{
	struct rdma *r = b->vs.r;

	mac_bytes(b->rx.mac, sim_nic_mac(r->nic[0].sim));
	for (unsigned int i = 0; i < 16; i++) {
		static const uint8_t v4[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
		struct roce_gid *g = &b->rx.gid[i];
		uint32_t vlan = 0;

		g->valid = i < r->nic[0].caps.max_gid &&
			   !cairn_query_gid(r->nic[0].dev, i, g->addr, &vlan);
		g->ipv6 = memcmp(g->addr, v4, sizeof(v4)) != 0;
		g->vlan = vlan & CAIRN_GID_VLAN;
		g->vid = vlan & 0xfff;
	}
	b->line.mbps = sim_wire_cfg(sim_wire(r->sim))->mbps;
}

/* ---------------------------------------------------------------- frames */

static uint64_t edge(struct rng *rng, uint64_t value, unsigned int bits)
{
	uint64_t mask = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;

	switch (rng_below(rng, 6)) {
	case 0:
		return 0;
	case 1:
		return 1;
	case 2:
		return mask;
	case 3:
		return mask - 1;
	case 4:
		return value ^ 1ull << rng_below(rng, bits);
	default:
		return rng_u64(rng) & mask;
	}
}

static uint32_t some_psn(struct barrage *b, const struct victim *v)
{
	struct rng *rng = &b->vs.r->rng;

	if (rng_percent(rng, IN_SEQUENCE))
		return v->epsn;
	if (rng_percent(rng, 70)) /* a duplicate, or ahead: neither ends the QP */
		return (v->epsn + (uint32_t)rng_range(rng, 2, 200) *
					    (rng_percent(rng, 50) ? 1u : UINT32_MAX)) &
		       0xffffff;
	return (uint32_t)edge(rng, v->epsn, 24);
}

/* A packet that a victim's peer might have sent. */
static void golden(struct barrage *b, struct roce_frame *f)
{
	static const uint8_t base[] = { 0x00, 0x00, 0x20, 0x60 };
	struct rng *rng = &b->vs.r->rng;
	const struct victim *v = &b->vs.v[rng_below(rng, VICTIMS)];
	uint8_t opcode = rng_percent(rng, 15) ? (uint8_t)rng_u64(rng)
					      : (uint8_t)(base[v->type & 3] | rng_below(rng, 0x18));

	roce_random(f, rng, opcode);
	memcpy(f->dmac, b->rx.mac, 6);
	mac_bytes(f->smac, b->vs.peer_mac);
	f->vlan = false;
	f->ipv6 = false;
	memcpy(f->sgid, b->vs.dgid, 16);
	memcpy(f->dgid, b->vs.sgid, 16);
	f->pkey = 0xffff;
	f->dest_qp = v->qp->qpn;
	f->psn = some_psn(b, v);
	f->key = victim_key(&b->vs);
	f->va = victim_address(&b->vs);
	f->len = (uint32_t)rng_below(rng, 5000);
	f->qkey = 0x11111111;
	f->pay = b->payload;
	f->pay_len = rng_below(rng, 3) ? rng_below(rng, 64) : 1;
	if (rng_percent(rng, 20))
		f->pay_len = 128u << v->pmtu;
	if (f->pay_len > MAX_LEN)
		f->pay_len = MAX_LEN;
}

/* One or two fields at their edges. */
static void spoil_fields(struct rng *rng, struct roce_frame *f)
{
	for (unsigned int n = 1 + (unsigned int)rng_below(rng, 2); n; n--) {
		switch (rng_below(rng, 14)) {
		case 0:
			f->opcode = (uint8_t)edge(rng, f->opcode, 8);
			break;
		case 1:
			f->tver = (uint8_t)edge(rng, 0, 4);
			break;
		case 2:
			f->pkey = (uint16_t)edge(rng, f->pkey, 16);
			break;
		case 3:
			f->dest_qp = (uint32_t)edge(rng, f->dest_qp, 24);
			break;
		case 4:
			f->psn = (uint32_t)edge(rng, f->psn, 24);
			break;
		case 5:
			f->va = edge(rng, f->va, 64);
			break;
		case 6:
			f->key = (uint32_t)edge(rng, f->key, 32);
			break;
		case 7:
			f->len = (uint32_t)edge(rng, f->len, 32);
			break;
		case 8:
			f->aeth = (uint32_t)edge(rng, f->aeth, 32);
			break;
		case 9:
			f->qkey = (uint32_t)edge(rng, f->qkey, 32);
			break;
		case 10:
			f->sgid[12 + rng_below(rng, 4)] ^= (uint8_t)(1u << rng_below(rng, 8));
			break;
		case 11:
			f->dgid[12 + rng_below(rng, 4)] ^= (uint8_t)(1u << rng_below(rng, 8));
			break;
		case 12:
			f->vlan = true;
			break;
		default:
			f->ipv6 = true;
			break;
		}
	}
}

/* Bytes of the finished frame; returns its new length. */
static size_t spoil_bytes(struct rng *rng, uint8_t *frame, size_t len, bool ipv6, bool vlan)
{
	size_t l3 = vlan ? 18 : 14;

	switch (rng_below(rng, 5)) {
	case 0: /* one bit anywhere but in the MAC addresses, which the switch reads too */
		frame[rng_range(rng, 12, len - 1)] ^= (uint8_t)(1u << rng_below(rng, 8));
		break;
	case 1: /* a byte of the headers, at an edge */
		frame[rng_range(rng, 12, len < 90 ? len - 1 : 90)] = (uint8_t)edge(rng, 0x55, 8);
		break;
	case 2: /* cut off */
		len = rng_range(rng, 14, len);
		break;
	case 3: /* bytes behind the end */
		for (size_t n = 1 + rng_below(rng, 40); n; n--)
			frame[len++] = (uint8_t)rng_u64(rng);
		break;
	default: /* another pad count */
		frame[l3 + (ipv6 ? 40 : 20) + 8 + 1] ^= (uint8_t)(0x10u << rng_below(rng, 2));
		break;
	}
	if (len > l3 + 28 && rng_percent(rng, 60)) {
		size_t ip_end = l3 + (ipv6 ? 40u + (frame[l3 + 4] << 8 | frame[l3 + 5])
					   : (size_t)(frame[l3 + 2] << 8 | frame[l3 + 3]));

		if (!ipv6)
			roce_fix_ipv4(frame + l3);
		if (ip_end <= len && ip_end >= l3 + 40)
			roce_fix_icrc(frame, l3, ipv6, ip_end);
	}
	return len;
}

static void fire(struct barrage *b)
{
	static uint8_t bytes[FRAME_ROOM];
	struct rng *rng = &b->vs.r->rng;
	struct sim *sim = b->vs.r->sim;
	struct roce_verdict verdict;
	struct roce_frame f;
	struct sim_frame *frame;
	size_t len;

	golden(b, &f);
	if (rng_percent(rng, 50))
		spoil_fields(rng, &f);
	len = roce_build(&f, bytes);
	if (rng_percent(rng, 50))
		len = spoil_bytes(rng, bytes, len, f.ipv6, f.vlan);
	len = roce_min_pad(bytes, len); /* no MAC lets shorter ones pass */
	frame = sim_frame_new(bytes, (uint32_t)len);
	assert_non_null(frame);
	roce_expect(&b->rx, bytes, len, false, &verdict); /* the switch drops a bad FCS */
	b->expect[verdict.counter]++;
	frame->t = sim_line_frame(&b->line, sim_now(sim), frame->len);
	sim_wire_send(sim_wire(sim), b->vs.r->nics, frame, sim_now(sim));
}

/* ---------------------------------------------------------------- what it must have done */

static uint64_t moved(struct barrage *b, enum cairn_counter c)
{
	uint64_t now = rdma_counter(b->vs.r, 0, c), by = now - b->before[c];

	b->before[c] = now;
	return by;
}

/* Also the start: what the counters say then is nobody's frame. */
static void reconcile(struct barrage *b, bool judge)
{
	uint64_t sum = 0, frames;

	for (unsigned int i = 0; i < sizeof(verdicts) / sizeof(*verdicts); i++) {
		enum cairn_counter c = verdicts[i];
		uint64_t got = moved(b, c);

		if (judge && got != b->expect[c])
			rdma_fail(b->vs.r, "%s: %llu, but %llu frames should have moved it",
				  cairn_counter_names[c], (unsigned long long)got,
				  (unsigned long long)b->expect[c]);
		sum += got;
	}
	for (unsigned int i = 0; i < sizeof(accepted) / sizeof(*accepted); i++)
		sum += moved(b, accepted[i]);
	frames = moved(b, CAIRN_COUNTER_RX_PACKETS);
	rdma_assert(b->vs.r, !judge || sum == frames);
	memset(b->expect, 0, sizeof(b->expect));
}

static void burst(struct barrage *b, unsigned int n)
{
	struct rdma *r = b->vs.r;

	for (unsigned int i = 0; i < n; i++) {
		if (i % CANARY_EVERY == 0)
			victims_canary(&b->vs);
		fire(b);
		if (i % 16 == 15) {
			uint64_t lead = b->line.ns > sim_now(r->sim) ? b->line.ns - sim_now(r->sim)
								     : 0;

			rdma_run(r, lead / sim_period(r->sim) + 1);
			victims_drain(&b->vs);
		}
	}
	victims_check(&b->vs);
	reconcile(b, true);
}

void fuzz_packets(void **state)
{
	const char *text = getenv("FRAMES");
	uint64_t want = text && *text ? strtoull(text, NULL, 0) : 3000;
	static struct barrage b;

	(void)state;
	memset(&b, 0, sizeof(b));
	victims_begin(&b.vs, false);
	learn(&b);
	rng_bytes(&b.vs.r->rng, b.payload, sizeof(b.payload));
	reconcile(&b, false);
	for (uint64_t done = 0; done < want; done += BURST) {
		burst(&b, want - done < BURST ? (unsigned int)(want - done) : BURST);
		victims_revive(&b.vs);
	}
	printf("# %llu frames, %llu QPs ended by them, %llu verified messages beside them\n",
	       (unsigned long long)want, (unsigned long long)b.vs.revived,
	       (unsigned long long)b.vs.canaries);
	victims_end(&b.vs);
}
