// SPDX-License-Identifier: Apache-2.0
/*
 * rx_parser with rx_qp_table: a packet that its QP does not take ends at the front end, counted by
 * the first rule that speaks against it, one packet a beat; one that it takes is never dropped;
 * an entry holds from its write on.  Rules: IBTA 9.6.1, in the order of docs/rtl/rx.md.
 */
#include "cairn_pkt.h"
#include "parser_test.h"

#define QPS 64u /* of rx_parser_tb */

static struct cairn_qp_cfg cfg[QPS];
static uint8_t buf[ROCE_MAX_FRAME];

static void write_qp(uint32_t qpn, const struct cairn_qp_cfg *c)
{
	vtb_set(tb, "qp_we_i", 1);
	vtb_set(tb, "qp_qpn_i", qpn);
	vtb_put_bytes(vtb_port(tb, "qp_cfg_i"), 0, (const uint8_t *)c, sizeof(*c));
	vtb_tick(tb);
	vtb_set(tb, "qp_we_i", 0);
	if (qpn < QPS)
		cfg[qpn] = *c;
}

static bool state_takes(unsigned int state, uint8_t opcode)
{
	unsigned int takes = 1u << CAIRN_QP_STATE_RTS | 1u << CAIRN_QP_STATE_SQD;

	if (cairn_opcode_table[opcode].flags & CAIRN_OPF_REQ)
		takes |= 1u << CAIRN_QP_STATE_RTR | 1u << CAIRN_QP_STATE_SQE;
	return takes >> state & 1;
}

static bool type_takes(unsigned int type, uint8_t opcode)
{
	unsigned int want = type == CAIRN_QP_TYPE_RC   ? CAIRN_TRANSPORT_RC
			    : type == CAIRN_QP_TYPE_UC ? CAIRN_TRANSPORT_UC
						       : CAIRN_TRANSPORT_UD;

	return type <= CAIRN_QP_TYPE_GSI && (opcode >> 5 == want || opcode == CAIRN_OPCODE_CNP);
}

/* cairn_fn_pkg::rx_check_gid: words of the address, each turned further than the one before. */
static uint16_t check_gid(const uint8_t *gid, uint32_t own)
{
	uint16_t sum = (uint16_t)(own << 8);

	for (unsigned int i = 0; i < 8; i++) {
		uint32_t word = (uint32_t)gid[14 - 2 * i] << 8 | gid[15 - 2 * i];
		static const unsigned int turn[8] = { 0, 13, 10, 7, 4, 15, 12, 9 };

		sum ^= (uint16_t)(word << turn[i] | word >> (16 - turn[i]));
	}
	return sum;
}

/* Two things wrong may cancel in the word that is compared; then it is qp_lookup's to see. */
static bool cancel(const struct cairn_qp_cfg *c, const struct roce_verdict *v, bool ud)
{
	if (ud)
		return !((c->qkey ^ c->qkey >> 16 ^ v->f.qkey ^ v->f.qkey >> 16) & 0xffff);
	return check_gid(c->dgid, c->pd_sgid >> 24) == check_gid(v->f.sgid, v->sgid_index);
}

static unsigned int by_rules(const struct roce_verdict *v)
{
	const struct cairn_qp_cfg *c = &cfg[v->f.dest_qp % QPS];
	unsigned int type = (c->state & CAIRN_QP_CFG_STATE_TYPE) >> CAIRN_QP_CFG_STATE_TYPE_SHIFT;
	unsigned int pkey = c->pkey_vlan & 0xffff;
	bool ud = type == CAIRN_QP_TYPE_UD || type == CAIRN_QP_TYPE_GSI;

	if (v->f.dest_qp >= QPS || !c->tag || !type_takes(type, v->f.opcode))
		return CAIRN_COUNTER_RX_BAD_QPN;
	if (!state_takes(c->state & CAIRN_QP_CFG_STATE, v->f.opcode))
		return CAIRN_COUNTER_RX_QP_STATE;
	if (!ud && (memcmp(c->dgid, v->f.sgid, 16) != 0 || v->sgid_index != c->pd_sgid >> 24) &&
	    !cancel(c, v, ud))
		return CAIRN_COUNTER_RX_BAD_ADDR;
	if ((v->f.pkey ^ pkey) & 0x7fff || !((v->f.pkey | pkey) & 0x8000))
		return CAIRN_COUNTER_RX_BAD_PKEY;
	if (ud && v->f.opcode != CAIRN_OPCODE_CNP && c->qkey != v->f.qkey && !cancel(c, v, ud))
		return CAIRN_COUNTER_RX_BAD_QKEY;
	return CAIRN_COUNTER_RX_ROCE_PACKETS;
}

static void begin_qps(unsigned int pause)
{
	begin(pause);
	memset(cfg, 0, sizeof(cfg));
	of_qp = by_rules;
	vtb_set(tb, "qp_table_i", 1);
	vtb_run_until(tb, vtb_get(tb, "qp_ready_o"), QPS + 2);
}

/* A QP that takes what this frame, sent to entry `gid` of the table, is. */
static struct cairn_qp_cfg suited(const struct roce_frame *f, unsigned int gid)
{
	unsigned int transport = f->opcode >> 5;
	unsigned int type = transport == CAIRN_TRANSPORT_UC ? CAIRN_QP_TYPE_UC
			    : transport != CAIRN_TRANSPORT_UD
				    ? CAIRN_QP_TYPE_RC
				    : CAIRN_QP_TYPE_UD + rng_below(&tb->rng, 2);
	struct cairn_qp_cfg c;

	rng_bytes(&tb->rng, &c, sizeof(c));
	c.tag |= 1;
	c.state &= ~(CAIRN_QP_CFG_STATE | CAIRN_QP_CFG_STATE_TYPE);
	c.state |= CAIRN_QP_STATE_RTS | type << CAIRN_QP_CFG_STATE_TYPE_SHIFT;
	c.pd_sgid = (c.pd_sgid & 0xffffff) | gid << 24;
	c.pkey_vlan = (c.pkey_vlan & 0xffff0000u) | f->pkey | 0x8000;
	c.qkey = f->qkey;
	memcpy(c.dgid, f->sgid, 16);
	return c;
}

/* A random frame for that QPN, which is made to take it; ends in buf. */
static size_t good(uint32_t qpn, uint8_t opcode, struct roce_frame *f)
{
	unsigned int gid = gids[rng_below(&tb->rng, 6)];
	struct cairn_qp_cfg c;

	roce_random(f, &tb->rng, opcode);
	to_us(f, gid);
	f->dest_qp = qpn;
	f->pay = NULL;
	f->pay_len = 0;
	c = suited(f, gid);
	write_qp(qpn, &c);
	return roce_build(f, buf);
}

/* One thing wrong, or two: of the record, or of the packet. */
static void spoil(struct roce_frame *f)
{
	struct cairn_qp_cfg c = cfg[f->dest_qp % QPS];

	switch (rng_below(&tb->rng, 10)) {
	case 0:
		c.state ^= (uint32_t)rng_range(&tb->rng, 1, 7);
		break;
	case 1:
		c.state ^= (uint32_t)rng_range(&tb->rng, 1, 7) << CAIRN_QP_CFG_STATE_TYPE_SHIFT;
		break;
	case 2:
		c.dgid[rng_below(&tb->rng, 16)] ^= (uint8_t)(1u << rng_below(&tb->rng, 8));
		break;
	case 3:
		c.pd_sgid ^= 1u << rng_range(&tb->rng, 24, 31);
		break;
	case 4:
		c.pkey_vlan ^= 1u << rng_below(&tb->rng, 16);
		break;
	case 5:
		c.qkey ^= 1u << rng_below(&tb->rng, 32);
		break;
	case 6:
		c.tag = 0;
		break;
	case 7:
		f->dest_qp |= 1u << rng_range(&tb->rng, 6, 23);
		return;
	case 8:
		f->sgid[f->ipv6 ? rng_below(&tb->rng, 16) : 15] ^= 0x11;
		return;
	default: /* nothing that any rule looks at */
		c.rqpn_hop ^= 0x5a5a;
		c.rd = ~c.rd;
		break;
	}
	write_qp(f->dest_qp % QPS, &c);
}

static void rules(unsigned int pause)
{
	struct roce_frame f;

	begin_qps(pause);
	for (unsigned int i = 0; i < 6000; i++) {
		uint32_t qpn = (uint32_t)rng_below(&tb->rng, QPS);
		size_t len = good(qpn, roce_opcodes[i % roce_n_opcodes], &f);

		for (unsigned int n = (unsigned int)rng_below(&tb->rng, 3); n--;)
			spoil(&f);
		len = roce_build(&f, buf);
		send(buf, len, false, "spoilt");
		/* The table is what it was when the packet came. */
		if (rng_percent(&tb->rng, 20))
			buf[len - 1] ^= 0x10, send(buf, len, false, "ICRC");
		drain();
	}
	vtb_destroy(tb);
	for (unsigned int c = CAIRN_COUNTER_RX_BAD_QPN; c <= CAIRN_COUNTER_RX_BAD_QKEY; c++) {
		print_message("# counter %u: %u\n", c, seen[c]);
		assert_true(seen[c] > 10);
	}
	assert_true(seen[CAIRN_COUNTER_RX_ICRC_ERROR] > 900);
	assert_true(seen[CAIRN_COUNTER_RX_ROCE_PACKETS] > 1500);
}

static void each_rule(void **state)
{
	(void)state;
	rules(0);
}

static void each_rule_pauses(void **state)
{
	(void)state;
	rules(40);
}

/* No QP exists after reset, whatever the RAM held. */
static void none_at_first(void **state)
{
	struct roce_frame f;

	(void)state;
	begin_qps(0);
	for (uint32_t qpn = 0; qpn < QPS; qpn++) {
		size_t len;

		roce_random(&f, &tb->rng, CAIRN_OPCODE_RC_ACKNOWLEDGE);
		to_us(&f, 1);
		f.dest_qp = qpn;
		len = roce_build(&f, buf);
		send(buf, len, false, "none");
	}
	end();
	assert_int_equal(seen[CAIRN_COUNTER_RX_BAD_QPN], QPS);
}

/*
 * A write, and a frame of one beat for the QP behind it, in each distance of cycles: the verdict is
 * that of the record before or after it, and from some distance on always the one after.
 */
static void write_and_packet(void **state)
{
	struct roce_frame f;
	unsigned int taken[24], last = 0;

	(void)state;
	begin_qps(0);
	of_qp = NULL;
	for (unsigned int at = 0; at < 24; at++) {
		size_t len = good(5, CAIRN_OPCODE_RC_ACKNOWLEDGE, &f);
		struct cairn_qp_cfg c = cfg[5], none = { 0 };
		const struct vtb_packet *p;

		write_qp(5, &none);
		vtb_run(tb, 20);
		vtb_send(mac, buf, len, false, NULL, 0);
		vtb_run(tb, at);
		write_qp(5, &c);
		vtb_run(tb, 60);
		p = vtb_recv(out);
		assert_non_null(p);
		taken[at] = (unsigned int)vtb_meta_bits(p->meta_last, lsb_roce, 1);
		if (taken[at])
			last = at;
	}
	for (unsigned int at = 0; at <= last; at++)
		assert_true(taken[at]);
	print_message("# decided %u cycles after the first beat\n", last);
	assert_in_range(last, 1, 22);
	vtb_destroy(tb);
}

/* Smallest packets, a beat each at 512 bits, that nobody takes; then one that is taken. */
static void one_a_beat(void **state)
{
	static const unsigned int n = 2000;
	struct roce_frame f;
	size_t len;

	(void)state;
	begin_qps(0);
	len = good(7, CAIRN_OPCODE_RC_ACKNOWLEDGE, &f);
	len = roce_build(&f, buf);
	for (unsigned int i = 0; i < n; i++) {
		struct roce_frame other = f;
		size_t other_len;

		other.dest_qp = i % 2 ? (uint32_t)rng_below(&tb->rng, 1u << 24) | QPS : 8 + i % 40;
		other_len = roce_build(&other, buf);
		send(buf, other_len, false, "flood");
	}
	roce_build(&f, buf);
	send(buf, len, false, "taken");
	vtb_run_until(tb, vtb_received(out) == n + 1, 40 * n);
	vtb_check_eq(tb, vtb_max_gap(out, 0, n * ((len + data_bytes - 1) / data_bytes)), 1);
	end();
	assert_int_equal(seen[CAIRN_COUNTER_RX_BAD_QPN], n);
	assert_int_equal(seen[CAIRN_COUNTER_RX_ROCE_PACKETS], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule),	 cmocka_unit_test(each_rule_pauses),
		cmocka_unit_test(none_at_first), cmocka_unit_test(write_and_packet),
		cmocka_unit_test(one_a_beat),
	};

	return cmocka_run_group_tests_name("what a QP does not take", tests, NULL, NULL);
}
