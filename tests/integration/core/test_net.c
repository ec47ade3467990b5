// SPDX-License-Identifier: Apache-2.0
/*
 * Addresses on the wire: RC over IPv6 (link-local and global) and in VLANs, with traffic class and
 * priority; neighbours found by ARP and by neighbour discovery, in their VLAN; and what must not
 * arrive: another address, another VLAN, another family.
 */
#include "rdma.h"

#define VLAN(pcp, vid) (CAIRN_GID_VLAN | (uint32_t)(pcp) << 13 | (vid))

/* Entry `index` of both NICs: the address ends in the NIC's number. */
static void add_gid(struct rdma *r, unsigned int index, const uint8_t base[16], uint32_t vlan)
{
	for (unsigned int i = 0; i < 2; i++) {
		uint8_t gid[16];

		memcpy(gid, base, 16);
		gid[15] = (uint8_t)(i + 1);
		rdma_ok(r, cairn_set_gid(r->nic[i].dev, index, gid, vlan), "GID");
	}
}

static void drop_gid(struct rdma *r, unsigned int index)
{
	for (unsigned int i = 0; i < 2; i++)
		rdma_ok(r, cairn_set_gid(r->nic[i].dev, index, NULL, 0), "GID");
}

/* Each operation over that entry, several packets long. */
static void talk(struct rdma *r, unsigned int index, uint32_t tclass)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_READ,
						 CAIRN_WQE_OP_WRITE };
	struct rdma_buf *a = rdma_buf(r, 0, 16384, 3), *b = rdma_buf(r, 1, 16384, 1);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;

	rdma_qp_cfg_init(&cfg);
	cfg.gid_index = index;
	cfg.traffic_class = tclass;
	qp = rdma_pair(r, 0, 1, &cfg);
	for (unsigned int i = 0; i < 3; i++) {
		struct rdma_wr wr = rdma_wr(ops[i], a, 5000 * i, b, 5000 * i, i == 2 ? 1 : 4500);

		rdma_do(qp, &wr);
	}
	rdma_destroy_qp(qp);
}

static bool has(struct rdma *r, uint32_t feature)
{
	if (r->nic[0].caps.features & feature)
		return true;
	rdma_end(r);
	skip();
	return false;
}

static void ipv6(void **state)
{
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	if (!has(r, CAIRN_REG_FEATURES_IPV6))
		return;
	talk(r, 0, 0);	  /* link-local */
	talk(r, 2, 0x6a); /* global */
	rdma_end(r);
}

static void vlans(void **state)
{
	static const uint8_t v4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [13] = 5 };
	static const uint8_t v6[16] = { 0xfd, 5 };
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	if (!has(r, CAIRN_REG_FEATURES_VLAN | CAIRN_REG_FEATURES_IPV6))
		return;
	add_gid(r, 5, v4, VLAN(3, 5));
	add_gid(r, 6, v6, VLAN(7, 4094));
	talk(r, 5, 0);
	talk(r, 6, 0xb8);
	talk(r, 1, 0); /* without a tag as before */
	drop_gid(r, 5);
	drop_gid(r, 6);
	rdma_end(r);
}

static void resolve(struct rdma *r, unsigned int index)
{
	uint8_t gid[16];
	uint64_t mac;

	rdma_ok(r, cairn_query_gid(r->nic[1].dev, index, gid, NULL), "GID");
	rdma_ok(r, cairn_resolve(r->nic[0].dev, index, gid, &mac), "RESOLVE");
	rdma_assert(r, mac == sim_nic_mac(r->nic[1].sim));
}

/* Asked and answered by the firmware of two NICs. */
static void neighbours(void **state)
{
	static const uint8_t v4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [13] = 6 };
	static const uint8_t v6[16] = { 0xfd, 6 };
	struct rdma *r = rdma_begin(NULL);
	uint64_t raw = rdma_counter(r, 1, CAIRN_COUNTER_RX_RAW_PACKETS);

	(void)state;
	resolve(r, 1);
	if (!has(r, CAIRN_REG_FEATURES_VLAN | CAIRN_REG_FEATURES_IPV6))
		return;
	resolve(r, 0);
	resolve(r, 2);
	add_gid(r, 5, v4, VLAN(3, 5));
	add_gid(r, 6, v6, VLAN(7, 6));
	resolve(r, 5);
	resolve(r, 6);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_RX_RAW_PACKETS) > raw);
	drop_gid(r, 5);
	drop_gid(r, 6);
	rdma_end(r);
}

/* The same address in another VLAN is another one: nothing arrives, the sender gives up. */
static void wrong_vlan(void **state)
{
	static const uint8_t v4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [13] = 7 };
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *a, *b;
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	struct rdma_wr wr;
	uint8_t gid[16];
	uint64_t dropped;

	(void)state;
	if (!has(r, CAIRN_REG_FEATURES_VLAN))
		return;
	a = rdma_buf(r, 0, 64, 0);
	b = rdma_buf(r, 1, 64, 0);
	add_gid(r, 5, v4, VLAN(0, 5));
	rdma_qp_cfg_init(&cfg);
	cfg.gid_index = 5;
	cfg.timeout = 2;
	cfg.retry_cnt = 1;
	qp = rdma_pair(r, 0, 1, &cfg);
	rdma_ok(r, cairn_query_gid(r->nic[1].dev, 5, gid, NULL), "GID");
	rdma_ok(r, cairn_set_gid(r->nic[1].dev, 5, gid, VLAN(0, 6)), "GID");
	dropped = rdma_counter(r, 1, CAIRN_COUNTER_RX_NOT_OURS);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 64);
	wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
	wr.no_data = true;
	rdma_do(qp, &wr);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_RX_NOT_OURS) >= dropped + 2);
	drop_gid(r, 5);
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(neighbours), RDMA_TEST(ipv6),
					    RDMA_TEST(vlans), RDMA_TEST(wrong_vlan) };

	return RDMA_RUN("net", tests);
}
