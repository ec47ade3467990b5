// SPDX-License-Identifier: Apache-2.0
/*
 * av_of_cfg: each member of the address vector comes from its field of the QP's record, and from no
 * other bit; the address is turned into wire order.
 */
#include <string.h>

#include "cairn_hw.h"
#include "vtb_rec.h"

#define FIELD(word, name) (((word)&CAIRN_QP_CFG_##name) >> CAIRN_QP_CFG_##name##_SHIFT)

static struct rec_av out_of(struct vtb *tb, const struct cairn_qp_cfg *c)
{
	vtb_put_bytes(vtb_port(tb, "cfg_i"), 0, c, sizeof(*c));
	vtb_eval(tb);
	return vtb_get_av(vtb_port(tb, "av_o"), 0);
}

/* Eight bytes of an address, the first one on top. */
static uint64_t wire_half(const uint8_t *p)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

static struct rec_av expected(const struct cairn_qp_cfg *c)
{
	return (struct rec_av){
		.dmac = FIELD(c->dmac_sport, DMAC_SPORT_DMAC),
		.dgid = { wire_half(c->dgid + 8), wire_half(c->dgid) },
		.ipv6 = FIELD(c->flow_tclass, FLOW_TCLASS_IPV6),
		.sgid_index = FIELD(c->pd_sgid, PD_SGID_SGID_INDEX),
		.sport = (uint16_t)FIELD(c->dmac_sport, DMAC_SPORT_SPORT),
		.tclass = FIELD(c->flow_tclass, FLOW_TCLASS_TCLASS),
		.hop = FIELD(c->rqpn_hop, RQPN_HOP_HOP_LIMIT),
		.flow = FIELD(c->flow_tclass, FLOW_TCLASS_FLOW),
		.vlan = FIELD(c->flow_tclass, FLOW_TCLASS_VLAN),
		.tci = FIELD(c->pkey_vlan, PKEY_VLAN_TCI),
		.pkey = FIELD(c->pkey_vlan, PKEY_VLAN_PKEY),
		.dest_qp = FIELD(c->rqpn_hop, RQPN_HOP_RQPN),
	};
}

static void compare(struct vtb *tb, const struct cairn_qp_cfg *c)
{
	struct rec_av got = out_of(tb, c), want = expected(c);

#define SAME(name, path, at, width) vtb_check_eq(tb, got.path, want.path);
	REC_AV_FIELDS(SAME)
#undef SAME
}

/* Each bit of the record alone, set among zeros and clear among ones. */
static void each_bit(void **state)
{
	struct vtb *tb = vtb_create();
	uint8_t raw[sizeof(struct cairn_qp_cfg)];
	struct cairn_qp_cfg c;

	(void)state;
	for (unsigned int bit = 0; bit < 2 * 8 * sizeof(raw); bit++) {
		memset(raw, bit & 1 ? 0xff : 0, sizeof(raw));
		raw[bit / 16] ^= (uint8_t)(1u << (bit / 2 % 8));
		memcpy(&c, raw, sizeof(c));
		compare(tb, &c);
	}
	vtb_destroy(tb);
}

/* One vector written down as it must stand in a packet. */
static void written_down(void **state)
{
	static const uint8_t gid[16] = { [10] = 0xff, 0xff, 192, 0, 2, 1 };
	struct cairn_qp_cfg c = { .pd_sgid = 0x07000001,
				  .rqpn_hop = 0x40abcdef,
				  .dmac_sport = 0xc123025300aabbccull,
				  .flow_tclass = 0x5a0beef1,
				  .pkey_vlan = 0x6123ffff };
	struct vtb *tb = vtb_create();
	struct rec_av av;

	(void)state;
	memcpy(c.dgid, gid, sizeof(gid));
	av = out_of(tb, &c);
	vtb_check_eq(tb, av.dgid[1], 0);
	vtb_check_eq(tb, av.dgid[0], 0xffffc0000201);
	vtb_check_eq(tb, av.dmac, 0x025300aabbcc);
	vtb_check_eq(tb, av.sport, 0xc123);
	vtb_check_eq(tb, av.dest_qp, 0xabcdef);
	vtb_check_eq(tb, av.hop, 0x40);
	vtb_check_eq(tb, av.sgid_index, 7);
	vtb_check_eq(tb, av.ipv6, 1);
	vtb_check_eq(tb, av.vlan, 1);
	vtb_check_eq(tb, av.tclass, 0xa0);
	vtb_check_eq(tb, av.flow, 0xbeef1);
	vtb_check_eq(tb, av.tci, 0x6123);
	vtb_check_eq(tb, av.pkey, 0xffff);
	vtb_destroy(tb);
}

static void random_records(void **state)
{
	struct vtb *tb = vtb_create();
	struct cairn_qp_cfg c;

	(void)state;
	for (unsigned int i = 0; i < 2000; i++) {
		rng_bytes(&tb->rng, &c, sizeof(c));
		compare(tb, &c);
		if (rng_percent(&tb->rng, 30)) {
			/* Nothing is kept from one to the next. */
			vtb_eval(tb);
			compare(tb, &c);
		}
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_bit),
		cmocka_unit_test(written_down),
		cmocka_unit_test(random_records),
	};

	return cmocka_run_group_tests_name("av_of_cfg", tests, NULL, NULL);
}
